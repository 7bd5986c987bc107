// Builds the page: bundles main.js and worker.js, and copies what they load, into a folder of static files that any
// host can serve.
//
//     node studio/build.mjs [OUT] [--npm DIR] [--package DIR] [--map]
//
// OUT         build/web/studio unless told
// --npm       where esbuild and three are installed (a folder with node_modules); build/npm unless told
// --package   the npm package `limber` with limber.wasm; build/web/limber unless told
// --map       also source maps

import {existsSync} from 'node:fs';
import {copyFile, cp, mkdir, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, constants, gzipSync} from 'node:zlib';

const studio = dirname(fileURLToPath(import.meta.url));
const top = dirname(studio);

/** The words of the command line. */
function parseArguments(words) {
    const options = {out: null, npm: join(top, 'build/npm'), package: join(top, 'build/web/limber'), map: false};
    for (let i = 0; i < words.length; i++) {
        if (words[i] === '--npm') options.npm = resolve(words[++i]);
        else if (words[i] === '--package') options.package = resolve(words[++i]);
        else if (words[i] === '--map') options.map = true;
        else if (!words[i].startsWith('-') && !options.out) options.out = resolve(words[i]);
        else throw new Error(`unknown argument ${words[i]}; see the head of studio/build.mjs`);
    }
    options.out ??= join(top, 'build/web/studio');
    return options;
}

/** The models' index for the file menu: a name and a line about each, from the table in models/README.md. */
async function modelIndex() {
    const text = await readFile(join(top, 'models/README.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([\w-]+)\.fig` \| *(\d+) *\| *(\d+) *\| *(\d+) *\| *([^|]*?) *\|/gm)];
    const index = rows.map(([, name, segments, joints, variables, about]) => ({
        name,
        segments: +segments,
        joints: +joints,
        variables: +variables,
        about,
    }));
    const files = (await readdir(join(top, 'models'))).filter((name) => name.endsWith('.fig'));
    const missing = files.filter((file) => !index.some((model) => `${model.name}.fig` === file));
    if (missing.length) throw new Error(`models/README.md has no row for ${missing.join(', ')}`);
    return index;
}

/** The figure files, relative to problems/, that a problem names. */
function propsOf(problem) {
    const figures = problem.figures ?? [problem.figure];
    return figures.map((figure) => figure.file ?? figure).filter((file) => file.endsWith('.fig'));
}

/** The problems' index: title, a sentence, and the props that have to be fetched with each. */
async function problemIndex() {
    const files = (await readdir(join(top, 'problems'))).filter((name) => name.endsWith('.json')).sort();
    return Promise.all(
        files.map(async (file) => {
            const problem = JSON.parse(await readFile(join(top, 'problems', file), 'utf8'));
            return {file, title: problem.title, about: problem.source ?? '', files: propsOf(problem)};
        }),
    );
}

/** Motions to play: what examples/ has of scripts and of problems with a motion. */
async function motionIndex() {
    const files = (await readdir(join(top, 'examples'))).filter((name) => /\.(scefo|json)$/.test(name)).sort();
    return Promise.all(
        files.map(async (file) => {
            const text = await readFile(join(top, 'examples', file), 'utf8');
            const title = file.endsWith('.json')
                ? JSON.parse(text).title
                : (/^#\s*(.*?)[.:]/.exec(text)?.[1] ?? basename(file));
            return {file, title: title ?? basename(file)};
        }),
    );
}

/** The scene that the page begins with, and the props that it names: one file, by name. */
async function sceneFiles() {
    const text = await readFile(join(studio, 'scenes/table.json'), 'utf8');
    const props = propsOf(JSON.parse(text));
    const texts = await Promise.all(props.map((name) => readFile(join(top, 'problems/props', name), 'utf8')));
    return {'table.json': text, ...Object.fromEntries(props.map((name, k) => [name, texts[k]]))};
}

async function copyFolder(from, to, wanted) {
    await mkdir(to, {recursive: true});
    for (const name of await readdir(from)) {
        if (wanted.test(name)) await copyFile(join(from, name), join(to, name));
    }
}

async function copyStatic(options) {
    const {out} = options;
    for (const name of ['index.html', 'icon.svg', 'start.json']) await copyFile(join(studio, name), join(out, name));
    await copyFolder(join(top, 'models'), join(out, 'models'), /\.fig$/);
    await copyFolder(join(top, 'problems'), join(out, 'problems'), /\.json$/);
    await copyFolder(join(top, 'problems/props'), join(out, 'problems/props'), /\.fig$/);
    await copyFolder(join(top, 'examples'), join(out, 'examples'), /\.(scefo|json)$/);
    await writeFile(join(out, 'models/index.json'), JSON.stringify(await modelIndex()));
    await writeFile(join(out, 'problems/index.json'), JSON.stringify(await problemIndex()));
    await writeFile(join(out, 'examples/index.json'), JSON.stringify(await motionIndex()));
    await writeFile(join(out, 'given.json'), '{"files": []}\n'); // `limber studio FILE` answers with its own
    await copyFile(join(studio, 'poses/poses.pictures.json'), join(out, 'poses.json'));
    await writeFile(join(out, 'scene.json'), JSON.stringify(await sceneFiles()));
    await gather(out);
    const wasm = join(options.package, 'limber.wasm');
    if (existsSync(wasm)) await copyFile(wasm, join(out, 'limber.wasm'));
    else console.warn(`build.mjs: no ${relative(top, wasm)}: the page will not be able to solve`);
    if (existsSync(join(studio, 'bench.html'))) await cp(join(studio, 'bench.html'), join(out, 'bench.html'));
}

/** All of what comes with the page in one file, by path: see shipped.js. */
async function gather(out) {
    const texts = {};
    for (const folder of ['models', 'problems', 'problems/props', 'examples']) {
        for (const name of (await readdir(join(out, folder))).sort()) {
            if (/\.\w+$/.test(name)) texts[`${folder}/${name}`] = await readFile(join(out, folder, name), 'utf8');
        }
    }
    for (const name of ['start.json', 'scene.json', 'poses.json']) texts[name] = await readFile(join(out, name),
        'utf8');
    await writeFile(join(out, 'shipped.json'), JSON.stringify(texts));
}

/** Bundles the page's scripts and style. */
async function bundle(options) {
    const {build} = createRequire(join(options.npm, 'package.json'))('esbuild');
    const entries = ['main.js', 'worker.js', 'bench.js', 'studio.css'].map((name) => join(studio, name));
    const result = await build({
        entryPoints: entries.filter((entry) => existsSync(entry)),
        outdir: options.out,
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'eof',
        sourcemap: options.map,
        logLevel: 'warning',
        metafile: true,
        nodePaths: [join(options.npm, 'node_modules')],
        alias: existsSync(options.package) ? {limber: options.package} : {},
        external: ['node:*'],
    });
    for (const [file, {bytes}] of Object.entries(result.metafile.outputs)) {
        console.log(`${basename(file).padEnd(12)} ${(bytes / 1000).toFixed(0).padStart(5)} kB`);
    }
}

const BROTLI = {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24};

/** X.br and X.gz beside each X that is worth it, for servers that send files as they are. */
async function compress(folder) {
    for (const entry of await readdir(folder, {withFileTypes: true, recursive: true})) {
        if (!entry.isFile() || !/\.(html|js|css|wasm|fig|json|svg|scefo)$/.test(entry.name)) continue;
        const file = join(entry.parentPath ?? entry.path, entry.name);
        const bytes = await readFile(file);
        if (bytes.length <= 1000) continue;
        await writeFile(`${file}.gz`, gzipSync(bytes, {level: 9}));
        await writeFile(`${file}.br`, brotliCompressSync(bytes, {params: BROTLI}));
    }
}

const options = parseArguments(process.argv.slice(2));
await rm(options.out, {recursive: true, force: true});
await mkdir(options.out, {recursive: true});
await copyStatic(options);
await bundle(options);
await compress(options.out);
