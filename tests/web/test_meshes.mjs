// Meshes in the package: robots with the meshes of the table of files are, triangle by triangle, those that the native
// program makes; nothing outside of the folders that were named; solids of a world that are meshes.

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {check, filesBelow, finish, library, runNative, same, shared, top} from './setup.mjs';

const limber = await library.load({meshes: true});
const folder = mkdtempSync(join(tmpdir(), 'limber-meshes-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

/**
 * The robot as GLB by both, with its warnings; `packages` are folders on disk, whose files are in the table already.
 */
function compare(path, name, packages) {
    const out = join(folder, 'out.glb');
    const {code, error} = runNative(['convert', path, out, '--packages', packages.join(':')],
        {cwd: dirname(path), env: {...process.env, LIMBER_PACKAGE_PATH: ''}});
    same(code, 0, `${name}: ${error}`);
    const said = [];
    limber.files.set(name, readFileSync(path));
    const figure = limber.loadFigure(name, {
        meshes: 1,
        packages: packages.map((one) => inTable(one)).join(':'),
        warn: (warning) => said.push(warning.text),
    });
    const bytes = Buffer.from(figure.save('glb'));
    check(Buffer.compare(bytes, readFileSync(out)) === 0,
        `${name}: ${bytes.length} bytes, not those of the native program`);
    return {figure, said};
}

/** The name in the table of a file or folder on disk. */
const inTable = (path) => relative('/', path);
const put = (path) => limber.files.set(inTable(path), readFileSync(path));

// A robot of every kind of mesh, from the fuzzers' corpus.
const kinds = ['obj/cube.obj', 'dae/polygons.dae', 'stl/cube.stl', 'stl/cube_ascii.stl'].map((name) =>
    join(top, 'fuzz/corpus', name));
for (const path of kinds) {
    writeFileSync(join(folder, 'mesh' + path.slice(path.lastIndexOf('.'))), readFileSync(path));
    put(join(folder, 'mesh' + path.slice(path.lastIndexOf('.'))));
    const robot = join(folder, 'robot.urdf');
    writeFileSync(robot, `<robot name="x"><link name="a"><collision><geometry><mesh filename="mesh${
        path.slice(path.lastIndexOf('.'))}"/></geometry></collision></link></robot>`);
    const {figure, said} = compare(robot, inTable(robot), [folder]);
    check(figure.shapes.length === 1 && figure.shapes[0].kind === 'hull', `${path}: ${JSON.stringify(said)}`);
    figure.free();
}

// What lies outside, is not there, or is asked for over a network, is left out with a warning.
for (const [uri, reason] of [
    ['../secret.stl', /outside of the file's own folder/],
    ['http://example.org/a.stl', /not read/],
    ['package://nowhere/a.stl', /is not there/],
    ['a.stl', /is not there/],
    ['a.step', /is not there|not a mesh/],
]) {
    limber.files.set('secret.stl', 'solid x\nendsolid x\n');
    limber.files.set('robots/r.urdf', '<robot name="x"><link name="a"><visual><geometry>' +
        `<mesh filename="${uri}"/></geometry></visual></link></robot>`);
    const said = [];
    const figure = limber.loadFigure('robots/r.urdf', {meshes: 2, warn: (warning) => said.push(warning.text)});
    check(figure.shapes.length === 0 && said.length === 1 && reason.test(said[0]), `${uri}: ${JSON.stringify(said)}`);
    figure.free();
}

// Real robots.
const packages = join(shared, 'packages');
const robots = ['humanoids/unitree_h1.urdf', 'arms/panda.urdf', 'arms/iiwa14.urdf', 'hands/allegro_right.urdf']
    .map((name) => join(shared, 'urdf', name)).filter((path) => filesBelow(dirname(path)).includes(path));
const folders = [packages, join(packages, 'example-robot-data/robots'), join(packages, 'drake_models')];
if (robots.length) filesBelow(packages).forEach(put);
for (const path of robots) {
    const {figure, said} = compare(path, inTable(path), folders);
    check(figure.shapes.length > 5, `${path}: ${figure.shapes.length} shapes; ${said.join('; ')}`);
    figure.free();
}

// A world of a mesh: what a cube of an OBJ file keeps clear of.
limber.files.set('models/panda.fig', readFileSync(join(top, 'models/panda.fig')));
limber.files.set('stone.obj', readFileSync(kinds[0]));
limber.files.set('world.json',
    '{"solids": [{"name": "stone", "kind": "mesh", "file": "stone.obj", "scale": 0.1, "point": [0.5, 0, 0.3]}]}');
const panda = limber.loadFigure('models/panda.fig');
const problem = new limber.Problem(panda);
problem.add({site: 'tool', goal: {kind: 'position', point: [0.5, 0, 0.32]}});
problem.avoid({self: false, samples: 0, world: 'world.json'});
const result = problem.solver().solve(panda.restPose());
check(result.outcome !== 'solved' && /stone/.test(result.explanation), result.explanation);
finish(`${robots.length} shared robots`);
