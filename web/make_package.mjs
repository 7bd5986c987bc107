// Puts the npm package together: the hand-written modules, what build/wasm has, package.json with the headers' version,
// and declarations for TypeScript where there is a tsc.
//
// node make_package.mjs BUILT-FOLDER OUT-FOLDER [TSC]

import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [built, outGiven, tsc] = process.argv.slice(2);
if (!outGiven) {
    console.error('usage: node make_package.mjs BUILT-FOLDER OUT-FOLDER [TSC]');
    process.exit(2);
}
const out = resolve(outGiven);
mkdirSync(out, {recursive: true});
for (const name of readdirSync(out)) rmSync(join(out, name), {recursive: true});

const modules = readdirSync(here).filter((name) => name.endsWith('.js'));
for (const name of modules) copyFileSync(join(here, name), join(out, name));
for (const name of ['limber.wasm', 'limber-meshes.wasm', 'api.json', 'c_api.js', 'c_api.d.ts']) {
    copyFileSync(join(built, name), join(out, name));
}
if (existsSync(join(here, 'README.md'))) copyFileSync(join(here, 'README.md'), join(out, 'README.md'));
copyFileSync(join(here, '..', 'LICENSE'), join(out, 'LICENSE'));

const {version} = JSON.parse(readFileSync(join(built, 'api.json'), 'utf8'));
const {name, ...rest} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
writeFileSync(join(out, 'package.json'), JSON.stringify({name, version, ...rest}, null, 4) + '\n');

if (tsc && existsSync(tsc)) {
    const options = [
        '--allowJs', '--checkJs', '--declaration', '--emitDeclarationOnly', '--strict', '--target', 'es2022',
        '--module', 'nodenext', '--lib', 'es2022,dom,esnext.disposable', '--skipLibCheck', '--outDir', out, '--types',
        ''
    ];
    try {
        execFileSync(
            process.execPath, [tsc, ...options, join(out, 'limber.js')], {stdio: ['ignore', 'pipe', 'inherit']});
    } catch (error) {
        console.error(String(error.stdout));
        process.exit(1);
    }
}
