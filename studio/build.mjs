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
import {copyFile, mkdir, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {basename, dirname, join, parse, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, constants, gzipSync} from 'node:zlib';
import {elementStyle, markupTree} from './element/build.mjs';
import {writeServiceWorker} from './offline/build.mjs';

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
    for (const file of ['index.html', 'css/icon.svg', 'scenes/start.json', 'bench/bench.html']) {
        await copyFile(join(studio, file), join(out, basename(file)));
    }
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
}

/** All of what comes with the page in one file, by path: see files/shipped.js. */
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

/** GLSL without what only its readers need, as three's own build has it. */
const glsl = {
    name: 'glsl',
    setup(building) {
        building.onLoad({filter: /three\/src\/.*\.glsl\.js$/}, async ({path}) => {
            const text = await readFile(path, 'utf8');
            const short = (code) => code
                .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
                .replace(/\s*\n\s*/g, '\n');
            return {contents: text.replace(/(?<=\/\* glsl \*\/\s*`)[^`]*/g, short), loader: 'js'};
        });
    },
};

/** What the page's style and markup are for an element; the style is built by then. */
const inElement = (out) => ({
    name: 'element',
    setup(building) {
        const make = {
            style: async () => elementStyle(await readFile(join(out, 'studio.css'), 'utf8'))
                + (await readFile(join(studio, 'element/element.css'), 'utf8')).replace(/\/\*.*?\*\/|\n/gs, ''),
            markup: async () => markupTree(await readFile(join(studio, 'index.html'), 'utf8')),
        };
        building.onResolve({filter: /^studio:/}, ({path}) => ({path: path.slice(7), namespace: 'studio'}));
        building.onLoad({filter: /./, namespace: 'studio'}, async ({path}) =>
            ({contents: `export default ${JSON.stringify(await make[path]())}`, loader: 'js'}));
    },
});

/** The notice that three asks for, which its single modules do not carry. */
async function threeNotice(npm) {
    const text = await readFile(join(npm, 'node_modules/three/build/three.core.js'), 'utf8');
    return /\/\*\*\s*\* @license[\s\S]*?\*\//.exec(text)[0];
}

/**
 * Bundles the page's scripts and style. What is imported on demand stands in parts/, that of the element in element/;
 * page, worker and element share none of it, so that none has to be fetched in pieces for another's sake.
 */
async function bundle(options) {
    const {build} = createRequire(join(options.npm, 'package.json'))('esbuild');
    const packages = join(options.npm, 'node_modules');
    const common = {
        outdir: options.out,
        bundle: true,
        splitting: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'eof',
        sourcemap: options.map,
        logLevel: 'warning',
        metafile: true,
        nodePaths: [packages],
        alias: {three: join(packages, 'three/src/Three.js'), 'three/src': join(packages, 'three/src'),
            'three/addons': join(packages, 'three/examples/jsm'),
            ...(existsSync(options.package) ? {limber: options.package} : {})},
        external: ['node:*', './xml_text.js'], // the page's DOMParser reads XML, for the worker too
    };
    const outputs = {};
    for (const file of ['main.js', 'worker.js', 'bench/bench.js', 'css/studio.css', 'element/element.js']) {
        const isElement = file.startsWith('element'), chunkNames = `${isElement ? 'element' : 'parts'}/[name]-[hash]`;
        const footer = file === 'main.js' || isElement ? {js: await threeNotice(options.npm)} : {};
        const entryPoints = [{in: join(studio, file), out: parse(file).name}];
        const plugins = [glsl, inElement(options.out)];
        Object.assign(outputs, (await build({...common, entryPoints, chunkNames, footer, plugins})).metafile.outputs);
    }
    for (const [file, {bytes}] of Object.entries(outputs)) {
        console.log(`${relative(options.out, resolve(file)).padEnd(30)} ${(bytes / 1000).toFixed(0).padStart(5)} kB`);
    }
    await preload(options.out, outputs);
}

/** Has the page name the parts that main.js imports at once, so that the browser need not read it first to know. */
async function preload(out, outputs) {
    const named = new Map(Object.entries(outputs).map(([file, output]) => [relative(out, resolve(file)), output]));
    const parts = new Set();
    const follow = (name) => {
        for (const {path, kind} of named.get(name).imports) {
            const part = relative(out, resolve(path));
            if (kind !== 'import-statement' || parts.has(part)) continue;
            parts.add(part);
            follow(part);
        }
    };
    follow('main.js');
    const page = await readFile(join(out, 'index.html'), 'utf8');
    const links = [...parts].map((part) => `\n    <link rel="modulepreload" href="${part}">`).join('');
    await writeFile(join(out, 'index.html'), page.replace(/<link rel="modulepreload".*>/, (line) => line + links));
}

/** The service worker, with the digests of all that it keeps. */
async function offline(options) {
    const {build} = createRequire(join(options.npm, 'package.json'))('esbuild');
    const result = await build({entryPoints: [join(studio, 'offline/service_worker.js')], bundle: true, minify: true,
        format: 'iife', target: 'es2022', charset: 'utf8', write: false});
    const {version, count} = await writeServiceWorker(options.out, result.outputFiles[0].text);
    console.log(`offline.js   version ${version}, ${count} files`);
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
await offline(options);
await compress(options.out);
