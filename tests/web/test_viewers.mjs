// A posed character shows its pose in viewers that play the file's first animation, as three.js's examples do: its own
// clips are there, but do not play over it. Needs three, which ./dev web installs into build/npm.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, finish, freshLimber, same, shared, skip, top} from './setup.mjs';

const npm = process.env.LIMBER_NPM ?? join(top, 'build/npm');
if (!existsSync(join(npm, 'node_modules/three/package.json'))) skip('three is not installed (./dev web)');
const load = (path) => import(pathToFileURL(join(npm, 'node_modules/three', path)).href);
const THREE = await load('build/three.module.js');
const {GLTFLoader} = await load('examples/jsm/loaders/GLTFLoader.js');

globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class {};

const limber = await freshLimber();
limber.files.set('human.fig', readFileSync(join(top, 'models/human.fig')));

/** Without its pictures, which Node does not draw: textures are no matter of poses. */
function withoutPictures(bytes) {
    const size = bytes[12] | (bytes[13] << 8) | (bytes[14] << 16) | (bytes[15] << 24);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
    for (const key of ['images', 'textures', 'materials', 'samplers']) delete json[key];
    for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
    const text = new TextEncoder().encode(`${JSON.stringify(json)}   `);
    const even = text.subarray(0, text.length - (text.length % 4)), rest = bytes.subarray(20 + size);
    const out = new Uint8Array(20 + even.length + rest.length), view = new DataView(out.buffer);
    out.set(bytes.subarray(0, 20)), out.set(even, 20), out.set(rest, 20 + even.length);
    view.setUint32(8, out.length, true), view.setUint32(12, even.length, true);
    return out;
}

/** Where three.js has the nodes, in Limber's axes, while it plays an animation (-1: none). */
async function places(bytes, number, time) {
    const plain = withoutPictures(bytes);
    const gltf = await new GLTFLoader().parseAsync(plain.buffer, '');
    const mixer = new THREE.AnimationMixer(gltf.scene);
    if (number >= 0) mixer.clipAction(gltf.animations[number]).play();
    mixer.update(time);
    gltf.scene.updateMatrixWorld(true);
    const found = new Map();
    gltf.scene.traverse((object) => {
        const node = gltf.parser.associations.get(object)?.nodes;
        const name = node === undefined ? '' : gltf.parser.json.nodes[node].name;
        const p = new THREE.Vector3().setFromMatrixPosition(object.matrixWorld);
        if (name && !found.has(name)) found.set(name, [p.z, p.x, p.y]);
    });
    return {found, names: gltf.animations.map((clip) => clip.name)};
}

const apart = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

/** The largest distance between nodes and segments of one name. */
function farthest(figure, pose, found) {
    const kinematics = figure.kinematics();
    kinematics.update(pose);
    let most = 0, count = 0;
    figure.segments.forEach((segment, i) => {
        if (!found.has(segment.name)) return;
        count++;
        most = Math.max(most, apart(kinematics.segment(i).position, found.get(segment.name)));
    });
    check(count > 5, `${figure.name}: ${count} nodes have a segment's name`);
    return most;
}

async function show(name, bytes) {
    limber.files.set(name, bytes);
    const before = limber.gltfAnimations(name), figure = limber.loadFigure(name);
    const pose = figure.restPose();
    let moved = 0;
    figure.variables.forEach((variable, i) => {
        if (variable.isAngle && variable.rigidity < 1 && moved++ % 3 === 0) pose[i] += 0.3;
    });
    const posed = limber.gltfPose(name, figure, pose);
    limber.files.set(`posed-${name}`, posed);
    for (const time of [0, 0.1, 0.7, 3]) {
        const first = await places(posed, 0, time);
        const names = before.map((own, i) => own || `animation_${i + 1}`);
        same(first.names, ['limber pose', ...names], `${name}: its own animations are there`);
        check(farthest(figure, pose, first.found) < 1e-5, `${name} after ${time} s: the pose is shown`);
    }
    const again = limber.loadClip(`posed-${name}`);
    check(again.clip && again.clip.duration > 0, `${name}: Limber plays what moves`);
    const still = limber.loadClip(`posed-${name}`, {animation: 'limber pose'});
    check(farthest(figure, pose, (await places(posed, -1, 0)).found) < 1e-5, `${name}: without any animation, too`);
    const {found} = await places(posed, 0, 0);
    check(farthest(still.figure, still.clip.pose(0), found) < 1e-5, `${name}: Limber plays it when it is named`);
}

// Somebody who waves.
const human = limber.loadFigure('human.fig');
limber.files.set('person.glb', human.save('glb', {pose: human.restPose()}));
const person = limber.loadFigure('person.glb'), steps = person.clip(10, 0.1);
for (let i = 0; i < 10; i++) {
    const pose = person.restPose();
    person.variables.forEach((variable, k) => {
        if (variable.isAngle && variable.rigidity < 1) pose[k] += 0.05 * i;
    });
    steps.setPose(i, pose);
}
await show('moving.glb', limber.gltfAnimation('person.glb', steps, 'wave'));
let strangers = 0;
for (const name of ['CesiumMan.glb', 'RobotExpressive.glb', 'KayKit_Knight.glb']) {
    const path = join(shared, 'gltf', name);
    if (!existsSync(path)) continue;
    await show(name, new Uint8Array(readFileSync(path)));
    strangers++;
}
finish(`${strangers} strangers' characters, three ${THREE.REVISION}`);
