// The package as others use it: packed by npm and copied elsewhere it works there, every snippet of its README runs, a
// strict TypeScript program compiles against its declarations, and the generated layer is that of today's headers.

import {execFileSync} from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdirSync,
    readFileSync,
    readdirSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync
} from 'node:fs';
import {brotliCompressSync} from 'node:zlib';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {check, finish, freshLimber, library, packageFolder, same, top} from './setup.mjs';

const scratch = join(process.env.LIMBER_SCRATCH ?? tmpdir(), 'web-package');
rmSync(scratch, {recursive: true, force: true});
mkdirSync(join(scratch, 'node_modules/limber'), {recursive: true});

// --- What is in it ---------------------------------------------------------------------------------------------------

const about = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
const header = readFileSync(join(top, 'include/limber/limber.h'), 'utf8');
same([about.name, about.version, about.type], ['limber', /LB_VERSION_TEXT "(.*)"/.exec(header)[1], 'module'],
    'package.json');
same(about.dependencies ?? {}, {}, 'no dependency');
const wasm = readFileSync(join(packageFolder, 'limber.wasm'));
const sent = brotliCompressSync(wasm).length; // as hosts of pages send it, and limber studio
check(sent <= 500000, `limber.wasm is ${sent} bytes as sent`);
const module = new WebAssembly.Module(wasm);
same(
    [...new Set(WebAssembly.Module.imports(module).map((entry) => entry.module))].sort(), ['env', 'limber'], 'imports');

let files = [];
try {
    const told =
        execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], {cwd: packageFolder, stdio: 'pipe'});
    const [packed] = JSON.parse(told);
    files = packed.files.map((file) => file.path);
    execFileSync('tar',
        ['-xzf', join(scratch, packed.filename), '-C', join(scratch, 'node_modules/limber'), '--strip-components=1']);
} catch { // no npm: what `files` names, copied
    cpSync(packageFolder, join(scratch, 'node_modules/limber'), {recursive: true});
    files = readdirSync(packageFolder);
}
for (const name of ['limber.js', 'limber.wasm', 'limber-meshes.wasm', 'api.json', 'c_api.js', 'README.md', 'LICENSE',
    'package.json']) {
    check(files.includes(name), `${name} is in the package`);
}
check(files.every((name) => !/\.(c|h|mjs)$/.test(name)), `nothing else is: ${files}`);

// --- Snippets of the README, the tutorial and the manual's first page, in a folder that has the packed package -------

symlinkSync(join(top, 'models'), join(scratch, 'models'));
const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const tutorial = readFileSync(join(top, 'docs/tutorial.md'), 'utf8');
const first = readFileSync(join(top, 'docs/site/index.md'), 'utf8');
const snippets =
    [...(readme + tutorial + first).matchAll(/```js\n([^]*?)```/g)].map((match) => match[1])
        .filter((code) => /^import /m.test(code));
check(snippets.length >= 4, 'the README has snippets');
snippets.forEach((code, i) => {
    writeFileSync(join(scratch, `snippet${i}.mjs`), code);
    try {
        const told = String(execFileSync(process.execPath, [`snippet${i}.mjs`], {cwd: scratch, stdio: 'pipe'}));
        check(told.length > 0, `snippet ${i} says something`);
        if (i === 0) check(/solved/i.test(told) && /right knee at [5-9]\d\.\d degrees/.test(told), `0: ${told}`);
    } catch (error) {
        check(false, `snippet ${i}: ${error.stderr}`);
    }
});

// --- The generated layer is today's headers', and complete -----------------------------------------------------------

const limber = await freshLimber();
const api = JSON.parse(readFileSync(join(packageFolder, 'api.json'), 'utf8'));
const declared = readdirSync(join(top, 'include/limber')).flatMap((name) =>
    [...readFileSync(join(top, 'include/limber', name), 'utf8').replace(/\/\*[^]*?\*\//g, '')
        .matchAll(/LB_(?:IO_)?API\s[^;(]*?\b(lb_\w+)\s*\(/g)].map((match) => match[1]));
check(declared.length > 200, `the headers have ${declared.length} functions`);
same(api.functions.map((entry) => entry.name).sort(), [...new Set(declared)].sort(),
    'api.json has all functions of the headers');
const leftOut = api.functions.filter((entry) => !entry.inModule).map((entry) => entry.name);
same(leftOut.sort(), ['lb_figure_render', 'lb_scene_render'], 'only pictures are left out');
for (const {name, inModule} of api.functions) {
    check(!inModule || typeof limber.c[name] === 'function', `limber.c.${name}`);
}
try {
    const made = join(scratch, 'api');
    execFileSync(process.execPath, [join(top, 'web/make_api.mjs'), join(top, 'include'), made], {stdio: 'pipe'});
    for (const name of ['api.json', 'c_api.js', 'c_api.d.ts']) {
        check(readFileSync(join(made, name), 'utf8') === readFileSync(join(packageFolder, name), 'utf8'),
            `${name} is not stale`);
    }
} catch (error) {
    check(/ENOENT/.test(String(error)), `make_api.mjs: ${error.stderr ?? error}`);
}
const raw = limber.heap.scope((scope) => {
    const {c, heap} = limber;
    const at = scope.doubles([0, 0, 1]);
    const out = scope.alloc(32);
    same(c.lb_rotation_about(at, Math.PI, out), 0, 'a raw call');
    return heap.listDoubles(out, 4);
});
check(Math.abs(raw[2] - 1) < 1e-12, `a raw call's answer: ${raw}`);

// --- TypeScript ------------------------------------------------------------------------------------------------------

const tsc = join(top, 'build/npm/node_modules/typescript/bin/tsc');
if (existsSync(tsc) && existsSync(join(packageFolder, 'limber.d.ts'))) {
    const compile = (name, code) => {
        writeFileSync(join(scratch, `${name}.ts`), code);
        const options = [
            '--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', '', '--lib', 'es2022,dom'
        ];
        try {
            execFileSync(process.execPath, [tsc, ...options, `${name}.ts`], {cwd: scratch, stdio: 'pipe'});
            return '';
        } catch (error) {
            return String(error.stdout);
        }
    };
    writeFileSync(join(scratch, 'package.json'), '{"type": "module"}\n');
    const told = compile('user', `
import {load, Closed, Figure, LimberError, readXml, type Problem} from 'limber';
import {enums} from './node_modules/limber/c_api.js';

const limber = await load({maxMemory: 1 << 28});
limber.files.set('a.fig', new Uint8Array(3), readXml(new Uint8Array(3)));
const figure: Figure = limber.loadFigure('a.fig', {
    stature: 1.6, warn: (warning) => console.log(warning.text, warning.line),
});
const problem: Problem = new limber.Problem(figure);
const id: number = problem.add({
    site: 'tip', goal: {kind: 'half-space', point: [0, 0, 0], normal: [0, 0, 1]}, weight: 2,
});
problem.change(id, {priority: 1});
const pose: Float64Array = figure.restPose();
const result = problem.solver().solve(pose, {
    method: 'bfgs', onIteration: ({value, pose: now}) => value < 1e-9 && now.length > 0,
});
problem.setBody(0, {foot: {left: 'planted'}, loads: {right_hand: 5}, look: false});
const margin: number | undefined = problem.solver().body()?.margin;
const carrying: string[] = problem.solver().body()?.contacts.filter(({share}) => share > 0).map(({name}) => name) ?? [];
const outcome: 'invalid' | 'solved' | 'minimum' | 'budget' = result.outcome;
const closed: Closed = figure.closed('tip', {base: 0, isPosition: true});
const nearest: number[] | undefined = closed.solve({position: [0, 0, 1]}, pose).solutions[0]?.values;
const names: string[] = figure.joints.flatMap((joint) => joint.dofNames);
const track = new limber.Track('frame');
const player = new limber.Motion(problem, pose).player({step: 1 / 60});
const end: Float64Array = player.pose(2).pose;
const clip = limber.loadClip('b.bvh').clip;
const bytes: Uint8Array | undefined = clip?.save('glb');
const status: number = limber.c.lb_kinematics_update(0, 0);
const kind: 1 = enums.lb_shape_kind.LB_SHAPE_CAPSULE;
try {
    limber.loadProblem('c.json').save();
} catch (error) {
    if (error instanceof LimberError) console.log(error.statusName);
}
console.log(margin, nearest, closed.pose(0).length, carrying, outcome, names);
console.log(track.keys[0].time, end, bytes, status, kind);
`);
    same(told, '', 'a strict program compiles');
    const wrong = compile('wrong', "import {load} from 'limber';\nconst limber = await load();\n" +
        "new limber.Problem(limber.loadFigure(3)).add({goal: {kind: 'nowhere'}});\n");
    check(/error TS/.test(wrong), 'a wrong program does not');
}
check(statSync(join(packageFolder, 'limber.js')).size > 1000 && library.VERSION === about.version, 'the version');
finish(`limber.wasm: ${wasm.length} bytes, ${sent} as sent`);
