// Checks the types of studio/, as the comments of its modules give them (studio/tsconfig.json: strict):
//
//     node tools/check_types.mjs [--all]
//
// Ends with 1 where a folder has more errors than it is allowed, and names them; with 77 where TypeScript, the types of
// three or the npm package, which it needs, are not there. --all lists every error, also those that are allowed.

import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const top = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders whose modules are not all typed yet, and how many errors they may have: this only ever goes down. */
const REST = {};

const compiler = join(top, 'build/npm/node_modules/typescript/bin/tsc');
const needs = {
    'npm\'s typescript': compiler,
    'npm\'s @types/three': join(top, 'build/npm/node_modules/@types/three/index.d.ts'),
    'the npm package': join(top, 'build/web/limber/limber.d.ts'),
};
const lacking = Object.entries(needs).filter(([, path]) => !existsSync(path)).map(([name]) => name);
if (lacking.length) {
    console.log(`skipped: ${lacking.join(', ')} not there (./dev web)`);
    process.exit(77);
}

const {stdout, stderr} = spawnSync(process.execPath, [compiler, '--noEmit', '-p', join(top, 'studio')],
    {cwd: top, encoding: 'utf8', maxBuffer: 1 << 28});
const errors = stdout.split('\n').filter((line) => /error TS\d+/.test(line));
if (stderr || (stdout && !errors.length)) {
    throw new Error(`TypeScript did not run: ${stderr || stdout}`);
}

const folders = new Map();
for (const line of errors) {
    const folder = /^studio\/(\w+)\//.exec(line)?.[1] ?? '.';
    folders.set(folder, [...(folders.get(folder) ?? []), line]);
}
let isWrong = false;
for (const [folder, list] of [...folders].sort()) {
    const isAllowed = list.length <= (REST[folder] ?? 0);
    if (!isAllowed || process.argv.includes('--all')) console.log(list.join('\n'));
    if (!isAllowed) isWrong = true;
    if (list.length) console.log(`studio/${folder}: ${list.length} errors, ${REST[folder] ?? 0} allowed`);
}
console.log(`${errors.length} errors`);
process.exitCode = isWrong ? 1 : 0;
