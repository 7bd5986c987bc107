// Draws the pictures of the Studio's ready-made poses (studio/poses/poses.json), each as the program solves it for
// the human:
//
//     node tools/make_pose_pictures.mjs [limber]
//
// limber   the program; build/release/limber unless told
//
// They are written to studio/poses/poses.pictures.json, by name, as data URLs.

import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const limber = process.argv[2] ?? join(top, 'build/release/limber');
const folder = mkdtempSync(join(tmpdir(), 'limber-'));

function run(words) {
    const {status, stdout, stderr} = spawnSync(limber, words, {maxBuffer: 1 << 26});
    if (status !== 0) throw new Error(`limber ${words.join(' ')}: ${stderr}`);
    return String(stdout);
}

const pictures = {};
for (const {name, body, constraints} of JSON.parse(readFileSync(join(top, 'studio/poses/poses.json'), 'utf8'))) {
    const problem = join(folder, 'pose.json'), picture = join(folder, 'pose.png');
    writeFileSync(problem, JSON.stringify({figure: 'human', body, constraints}));
    const {status, pose} = JSON.parse(run(['solve', problem, '--json']));
    if (status !== 'solved') throw new Error(`${name} is not solved`);
    const values = Object.entries(pose).map(([key, value]) => `${key}=${value}`).join();
    run(['render', 'human', '-o', picture, '--size', '112x112', '--camera', '-35,10', '--no-joints', '--no-ground',
        '--pose',
        values]);
    pictures[name] = `data:image/png;base64,${readFileSync(picture).toString('base64')}`;
}
writeFileSync(join(top, 'studio/poses/poses.pictures.json'), `${JSON.stringify(pictures, null, 1)}\n`);
rmSync(folder, {recursive: true});
