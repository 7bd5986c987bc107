// Every reader that needs no XML gives the same figure as the native program: fig, BVH, glTF, VRM of the models and of
// the shared files, scripts and problems. URDF and MJCF need a browser: test_xml.mjs.

import {readFileSync, readdirSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {
    check,
    filesBelow,
    finish,
    freshLimber,
    library,
    runNative,
    same,
    sameBits,
    shared,
    thrown,
    top
} from './setup.mjs';
import {compareWithNative} from './compare.mjs';

/** Reads a file as the native program does that runs in its folder. */
function read(limber, path) {
    const folder = dirname(path);
    limber.files.onMissing = (name) => {
        try {
            const beside = join(folder, name);
            return statSync(beside).isFile() ? readFileSync(beside) : null;
        } catch {
            return null;
        }
    };
    try {
        const figure = limber.loadFigure(path.slice(folder.length + 1));
        const fig = new TextDecoder().decode(figure.save('fig'));
        figure.free();
        return {fig, message: '', line: 0};
    } catch (error) {
        check(error instanceof library.LimberError, `${path}: ${error.stack}`);
        return {fig: null, message: error.message, line: error.line};
    } finally {
        for (const name of limber.files.names()) limber.files.delete(name);
    }
}

const limber = await freshLimber();
const figures = [...filesBelow(join(top, 'models')), ...filesBelow(join(top, 'problems/props'))].filter(
    (path) => path.endsWith('.fig'));
const others = ['bvh', 'gltf', 'vrm'].flatMap((folder) => filesBelow(join(shared, folder)))
    .filter((path) => /\.(bvh|glb|gltf|vrm)$/.test(path) && statSync(path).size < 12e6);
check(figures.length > 15, 'there are models');
for (const path of [...figures, ...others]) compareWithNative(path, read(limber, path));

// Motion: frames of BVH files, and what a problem's tracks and a script play.
const tree = await freshLimber(['models', 'problems', 'examples']);
for (const path of filesBelow(join(shared, 'bvh')).filter((name) => name.endsWith('.bvh')).slice(0, 6)) {
    tree.files.set('motion.bvh', readFileSync(path));
    try {
        const {figure, clip} = tree.loadClip('motion.bvh');
        check(clip && clip.frameCount > 0 && clip.pose(clip.frameCount - 1).length === figure.variableCount, path);
        const back = new TextDecoder().decode(clip.save('bvh'));
        const {out} = runNative(['convert', path, '-', '--to', 'bvh'], {cwd: dirname(path)});
        check(back === String(out), `${path}: written again as the native program does`);
        const glb = clip.save('glb');
        check(glb[0] === 0x67 && glb.length > 1000, `${path}: as GLB`);
    } catch (error) {
        check(error instanceof library.LimberError && error.line > 0, `${path}: ${error}`);
    }
}

const scripts = filesBelow(join(top, 'examples')).filter((path) => path.endsWith('.scefo'));
let played = 0;
for (const path of scripts) {
    const name = path.slice(top.length + 1);
    try {
        const {motion} = tree.loadScript(name);
        const player = motion.player();
        const {pose} = player.pose(motion.end / 2);
        check(pose.length > 0 && pose.every(Number.isFinite), `${name} plays`);
        played++;
    } catch (error) {
        check(error instanceof library.LimberError, `${name}: ${error.stack}`);
    }
}
check(scripts.length === 0 || played > 0, 'a script played');

// What is missing or wrong.
const missing = thrown(() => tree.loadFigure('nowhere.fig'), 'a file that is not there');
same([missing.statusName, missing.file], ['file', 'nowhere.fig'], 'a file that is not there');
tree.files.set('wrong.fig', 'figure x {\n    segment a {\n        mass = heavy;\n    }\n}\n');
const wrong = thrown(() => tree.loadFigure('wrong.fig'), 'a wrong file');
same([wrong.line, wrong.text.startsWith('wrong.fig:3: ')], [3, true], 'a wrong file');
tree.files.set('a.urdf', '<robot name="x"><link name="a"/></robot>');
same(tree.loadFigure('a.urdf').segments.map((segment) => segment.name), ['a'], 'XML without a DOMParser');
finish(`${figures.length} figures, ${others.length} shared files, ${played} scripts`);
