// The parts of the view that need no browser: what a ray meets, sticks, goals on their way, limits of swings, and how
// the nodes of glTF files go with the solver's segments (against the reader itself, where the package is built).
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {facePolygons, goalFrame, handleFrame, stateOf} from '../../studio/view/goals.js';
import {engineFrame, goalAt, movedGoal} from '../../studio/view/goal_motion.js';
import {Gizmo, meetPlane} from '../../studio/view/gizmo.js';
import {nodeNames, restStretches, turnToWorld} from '../../studio/view/skin/gltf_frames.js';
import {angleText, lengthText, plainName} from '../../studio/view/labels.js';
import {swingAxes, swungAxis} from '../../studio/view/limits.js';
import {supportPolygon} from '../../studio/view/marks.js';
import {Picker} from '../../studio/view/pick.js';
import {sizeOf, sticksOf} from '../../studio/view/sticks.js';
import * as v from '../../studio/math/vector.js';

const top = process.env.LIMBER_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const packageFile = join(top, 'build/web/limber/limber.js');

/** Numbers that look random and are always the same. */
function makeRandom(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

function randomFrame(random) {
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5], n = Math.hypot(...q);
    return v.matrixOf([random() - 0.5, random() - 0.5, random() - 0.5], q.map((x) => x / n));
}

const near = (a, b, eps = 1e-9) => assert.ok(v.distance(a, b) <= eps, `${a} is not ${b}`);

/** A figure of one segment with one shape. */
const single = (shape) => [{
    file: 'x.fig', firstSegment: 0, stature: 1, root: {segment: 0}, joints: [], sites: [],
    segments: [{name: 'a', parent: -1, joint: -1, com: [0, 0, 0]}], shapes: [{segment: 0, ...shape}],
}];

test('frames and quaternions', () => {
    const random = makeRandom(1);
    for (let i = 0; i < 100; i++) {
        const a = randomFrame(random), b = randomFrame(random), p = [random(), random(), random()];
        near(v.matrixPoint(v.matrixMultiply(a, b), p), v.matrixPoint(a, v.matrixPoint(b, p)), 1e-12);
        near(v.matrixPointWithin(a, v.matrixPoint(a, p)), p, 1e-12);
        near(v.matrixPoint(v.matrixInvert(a), p), v.matrixPointWithin(a, p), 1e-12);
        near(v.matrixPoint(v.matrixOf(v.matrixOrigin(a), v.matrixRotation(a)), p), v.matrixPoint(a, p), 1e-12);
        const from = v.unit([random() - 0.5, random() - 0.5, random()]),
            to = v.unit([random(), random() - 0.5, -random()]);
        near(v.rotate(v.rotationBetween(from, to), from), to, 1e-9);
    }
    near(v.rotate(v.rotationBetween([0, 0, 1], [0, 0, -1]), [0, 0, 1]), [0, 0, -1], 1e-9);
});

/* --- Picking ------------------------------------------------------------------------------------------------------ */

/** Whether a point is inside a shape, said in another way than the picker's. */
const INSIDE = {
    sphere: (p, [r]) => v.length(p) <= r,
    box: (p, s) => p.every((x, i) => Math.abs(x) <= s[i]),
    cylinder: (p, [r, h]) => Math.hypot(p[0], p[1]) <= r && Math.abs(p[2]) <= h,
    ellipsoid: (p, s) => v.length(p.map((x, i) => x / s[i])) <= 1,
    capsule: (p, [r0, h, r1]) => { /* a ball of the hull: somewhere between the two */
        for (let k = 0; k <= 4000; k++) {
            const t = k / 4000;
            if (Math.hypot(p[0], p[1], p[2] + h - 2 * h * t) <= r0 + (r1 - r0) * t) return true;
        }
        return false;
    },
};

const SIZES = {sphere: [0.2, 0, 0], box: [0.1, 0.2, 0.3], cylinder: [0.1, 0.25, 0], ellipsoid: [0.1, 0.2, 0.3],
    capsule: [0.15, 0.3, 0.05]};

for (const kind of Object.keys(SIZES)) {
    test(`a ray meets a ${kind} where it enters it`, () => {
        const random = makeRandom(7), size = SIZES[kind], picker = new Picker();
        let hits = 0;
        for (let i = 0; i < 60; i++) {
            const shape = randomFrame(random), world = randomFrame(random), whole = v.matrixMultiply(world, shape);
            const {position, rotation} = v.matrixFrame(shape);
            picker.setScene(single({kind, position, rotation, size}), 1);
            const from = v.along(v.matrixOrigin(whole), 2, v.unit([random() - 0.5, random() - 0.5, random() - 0.5]));
            const aim = v.along(v.matrixOrigin(whole), 0.3, [random() - 0.5, random() - 0.5, random() - 0.5]);
            const direction = v.unit(v.subtract(aim, from)),
                hit = picker.pick(Float64Array.from(world), from, direction);
            const isIn = (t) => INSIDE[kind](v.matrixPointWithin(whole, v.along(from, t, direction)), size);
            if (hit) {
                hits++;
                assert.ok(isIn(hit.t + 2e-3), 'just behind the hit is inside');
                assert.ok(!isIn(hit.t - 2e-3), 'just before it is outside');
            } else {
                for (let t = 1; t < 3; t += 0.02) assert.ok(!isIn(t), 'nothing was there');
            }
        }
        assert.ok(hits > 20, `${hits} hits`);
    });
}

test('what is thin is caught from near by, and what is before hides what is behind', () => {
    const picker = new Picker(),
        thin = {kind: 'capsule', position: [0, 0, 0], rotation: [0, 0, 0, 1], size: [0.001, 0.5, 0.001]};
    const [figure] = single(thin);
    figure.segments.push({name: 'b', parent: 0, joint: -1, com: [0, 0, 0]});
    figure.shapes.push({segment: 1, kind: 'sphere', position: [-1, 0, 0], rotation: [0, 0, 0, 1], size: [0.2, 0, 0]});
    picker.setScene([figure], 1);
    const matrices = Float64Array.from([...v.MATRIX_IDENTITY, ...v.MATRIX_IDENTITY]);
    const aside = v.unit([-3, 0.01, 0]);
    assert.equal(picker.pick(matrices, [3, 0, 0], aside, 0).segment, 1, 'beside the thin one, the ball is hit');
    assert.equal(picker.pick(matrices, [3, 0, 0], [-1, 0, 0], 0).segment, 0);
    assert.equal(picker.pick(matrices, [3, 0.03, 1], [-1, 0, 0], 0), null);
    assert.equal(picker.pick(matrices, [3, 0.01, 0.3], [-1, 0, 0], 0.01).segment, 0, 'within the slack');
});

/* --- Sticks ------------------------------------------------------------------------------------------------------- */

test('sticks go from a joint to the next, and to the sites of a tip', () => {
    const joint = (name, segmentA, siteA, segmentB, siteB, dofs) => ({name, segmentA, siteA, segmentB, siteB, dofs});
    const floating = ['tx', 'ty', 'tz', 'rx']
        .map((name) => ({name, element: name[0] === 't' ? 'translate' : 'rotate'}));
    const figure = {
        firstSegment: 0, stature: 0, root: {segment: 0}, shapes: [],
        segments: [{name: 'world', parent: -1, joint: -1}, {name: 'hips', parent: 0, joint: 0},
            {name: 'leg', parent: 1, joint: 1}],
        sites: [{segment: 0, position: [0, 0, 0]}, {segment: 1, position: [0, 0, 0]},
            {segment: 1, position: [0, 0.1, 0]},
            {segment: 2, position: [0, 0, 0]}, {segment: 2, position: [0, 0, -0.8]}],
        joints: [joint('hips', 0, 0, 1, 1, floating), joint('leg', 1, 2, 2, 3, [{name: 'rx', element: 'rotate'}])],
    };
    assert.equal(sticksOf(figure, 0, 1).sticks.length, 0, 'none from the world to what floats in it');
    assert.deepEqual(sticksOf(figure, 1, 1).sticks.map((s) => s.tip), [[0, 0.1, 0]]);
    assert.deepEqual(sticksOf(figure, 2, 1).sticks.map((s) => s.tip), [[0, 0, -0.8]]);
    const place = v.matrixOf([0, 0, 1], [0, 0, 0, 1]);
    assert.ok(Math.abs(sizeOf(figure, Float64Array.from([...v.MATRIX_IDENTITY, ...place, ...place])) - 0.8) < 1e-12);
});

/* --- Goals -------------------------------------------------------------------------------------------------------- */

const GOAL = {kind: 'box', outside: false, point: [1, 2, 3], x: [1, 0, 0], y: [0, 1, 0], normal: [0, 0, 1],
    rotation: [0, 0, 0, 1], size: [1, 1, 1], faces: [], carrier: null};

test('a goal that is moved keeps its shape', () => {
    const random = makeRandom(3);
    for (const kind of ['position', 'orientation', 'frame', 'line', 'plane', 'box', 'capsule', 'circle']) {
        const q = v.rotationAbout([random(), random(), random()], 1);
        const goal = {...GOAL, kind, rotation: q, x: v.rotate(q, [1, 0, 0]), y: v.rotate(q, [0, 1, 0]),
            normal: v.rotate(q, [0, 0, 1])};
        const before = goalFrame(goal), after = randomFrame(random), moved = movedGoal(goal, before, after),
            now = goalFrame(moved);
        near(v.matrixOrigin(now), v.matrixOrigin(after), 1e-9);
        if (kind === 'position') continue;
        near(v.matrixAxis(now, 2), v.matrixAxis(after, 2), 1e-9);
        const there = goalAt(goal, engineFrame(moved));
        near(there.point, moved.point, 1e-12);
        if (kind === 'frame' || kind === 'orientation') near(there.x, moved.x, 1e-9);
        if (kind === 'plane' || kind === 'line') near(there.normal, moved.normal, 1e-9);
    }
});

test('a polyhedron: its faces, and where they are after a move', () => {
    const faces = [[1, 0, 0, 1], [-1, 0, 0, 0], [0, 1, 0, 1], [0, -1, 0, 0], [0, 0, 2, 2], [0, 0, -1, 0]];
    const polygons = facePolygons(faces, 5);
    assert.equal(polygons.length, 6);
    for (const polygon of polygons) assert.equal(polygon.length, 4);
    const corners = new Set(polygons.flat().map((p) => p.map((x) => Math.round(1e6 * x) / 1e6 + 0).join()));
    assert.equal(corners.size, 8, 'a cube');
    const goal = {...GOAL, kind: 'polyhedron', faces}, before = goalFrame(goal);
    near(v.matrixOrigin(before), [0.5, 0.5, 0.5], 1e-9);
    const moved = movedGoal(goal, before, v.matrixOf([1.5, 0.5, 0.5], [0, 0, 0, 1]));
    near(v.matrixOrigin(goalFrame(moved)), [1.5, 0.5, 0.5], 1e-9);
});

test('a carried goal is where its carrier has it', () => {
    const matrices = Float64Array.from([...v.MATRIX_IDENTITY,
        ...v.matrixOf([0, 0, 5], v.rotationAbout([0, 0, 1], Math.PI / 2))]);
    const constraint = {goal: {...GOAL, kind: 'position', carrier: {figure: 0, segment: 1}}};
    near(v.matrixOrigin(handleFrame(constraint, {figures: [{firstSegment: 0}]}, {matrices})), [-2, 1, 8], 1e-9);
    assert.equal(stateOf({disabled: true}, {met: true, counted: true}), 'disabled');
    assert.equal(stateOf({}, {met: false, counted: false}), 'idle');
    assert.equal(stateOf({}, {met: false, counted: true}), 'unmet');
});

test('the support of a balance constraint', () => {
    const faces = [[1, 0, 0, 0.2], [-1, 0, 0, 0.1], [0, 1, 0, 0.15], [0, -1, 0, 0.15]];
    const polygon = supportPolygon(faces, [0, 0, 1], 10, 0);
    assert.equal(polygon.length, 4);
    const area = polygon.reduce((sum, a, i) => sum + v.cross(a, polygon[(i + 1) % 4])[2] / 2, 0);
    assert.ok(Math.abs(Math.abs(area) - 0.3 * 0.3) < 1e-12);
});

/* --- Gizmo -------------------------------------------------------------------------------------------------------- */

test('arrows shift along their axis, rings turn about theirs', () => {
    const gizmo = new Gizmo(), frame = v.matrixOf([0, 0, 1], [0, 0, 0, 1]), back = v.unit([1, 1, 1]);
    const eye = v.along([0, 0, 1], 5, back), rayTo = (p) => ({from: eye, direction: v.unit(v.subtract(p, eye))});
    gizmo.radius = 0.2;
    const shift = gizmo.take('move 1', frame, rayTo([0, 0.1, 1]), back);
    near(v.matrixOrigin(shift(rayTo([0, 0.4, 1]))), [0, 0.3, 1], 1e-9);
    const turn = gizmo.take('turn 2', frame, rayTo([0.2, 0, 1]), back);
    near(v.matrixAxis(turn(rayTo([0, 0.2, 1])), 0), [0, 1, 0], 1e-9);
    const across = gizmo.take('move screen', frame, rayTo([0, 0, 1]), back),
        to = v.along([0, 0, 1], 0.3, v.basis(back)[0]);
    near(v.matrixOrigin(across(rayTo(to))), to, 1e-9);
    assert.equal(meetPlane({from: [0, 0, 1], direction: [1, 0, 0]}, [0, 0, 0], [0, 0, 1]), null);
    gizmo.strokes = [{name: 'move 0', points: [[0, 0, 0], [10, 0, 0]]},
        {name: 'turn 1', points: [[0, 6, 0], [10, 6, 0]]}];
    const flat = (p) => ({x: p[0], y: p[1]});
    assert.equal(gizmo.hit({x: 5, y: 2}, flat), 'move 0');
    assert.equal(gizmo.hit({x: 5, y: 5}, flat), 'turn 1');
    assert.equal(gizmo.hit({x: 5, y: 50}, flat), null);
});

/* --- Limits ------------------------------------------------------------------------------------------------------- */

test('the axes of a swing are the solver\'s', () => {
    assert.deepEqual(swingAxes([0, 0, 1]), [[1, 0, 0], [0, 1, 0]]);
    assert.deepEqual(swingAxes([1, 0, 0]), [[0, 1, 0], [0, 0, 1]]);
    assert.deepEqual(swingAxes([0, 1, 0]), [[0, 0, 1], [1, 0, 0]]);
    const axis = v.unit([1, 2, 3]), [a, b] = swingAxes(axis);
    near(v.cross(a, b), axis, 1e-12);
    near(swungAxis([a, b, axis], 0.5, 0), v.rotateAbout(a, 0.5, axis), 1e-12);
});

test('words for people', () => {
    assert.equal(plainName('right_upper_arm'), 'right upper arm');
    assert.deepEqual([0.0004, 0.038, 0.124, 1.2].map(lengthText), ['0.4 mm', '38 mm', '12.4 cm', '1.20 m']);
    assert.deepEqual([0.01, 1].map(angleText), ['0.6°', '57°']);
});

test('swings come from the package as they are',
    {skip: existsSync(packageFile) ? false : 'the package is not built (./dev web)'}, async () => {
    const {load} = await import(pathToFileURL(packageFile));
    const limber = await load();
    limber.files.set('person.glb', readFileSync(join(top, 'fuzz/corpus/gltf/person.glb')));
    const {joints} = limber.loadFigure('person.glb', {anatomicalLimits: true});
    const swings = joints.filter(({swing}) => swing.length);
    assert.ok(swings.length > 4);
    for (const {name, swing} of swings) {
        assert.ok(swing.flat().every((angle) => Math.abs(angle) <= Math.PI && (angle === 0 || Math.abs(angle) > 1e-6)),
            `${name}: ${swing}`);
    }
});

/* --- glTF --------------------------------------------------------------------------------------------------------- */

test('names of nodes are unique, as the reader makes them', () => {
    assert.deepEqual(nodeNames({nodes: [{name: 'a'}, {name: 'a'}, {}, {name: 'a_2'}, {name: 'x\u0001y'}]}),
        ['a', 'a_2', 'node2', 'a_2_2', 'x_y']);
});

/** The JSON of a .glb, .vrm or .gltf file. */
function jsonOf(bytes) {
    if (bytes.readUInt32LE(0) !== 0x46546c67) return JSON.parse(bytes.toString());
    return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
}

/** World matrices (column-major 4 x 4) of the nodes as glTF defines them. */
function worldMatrices(json) {
    const {order, parents} = restStretches(json), worlds = [];
    const product = (a, b) =>
        Array.from({length: 16},
        (_, k) => [0, 1, 2, 3].reduce((sum, i) => sum + a[k % 4 + 4 * i] * b[4 * (k >> 2) + i], 0));
    for (const i of order) {
        const node = json.nodes[i], s = node.scale ?? [1, 1, 1],
            m = v.matrixOf(node.translation ?? [0, 0, 0], node.rotation ?? [0, 0, 0, 1]);
        const local = node.matrix
            ?? [m[0] * s[0], m[4] * s[0], m[8] * s[0], 0, m[1] * s[1], m[5] * s[1], m[9] * s[1], 0,
            m[2] * s[2], m[6] * s[2], m[10] * s[2], 0, m[3], m[7], m[11], 1];
        worlds[i] = parents[i] < 0 ? local : product(worlds[parents[i]], local);
    }
    return worlds;
}

const characters = [join(top, 'fuzz/corpus/gltf/person.glb'),
    ...['gltf', 'vrm'].map((kind) => join(process.env.LIMBER_SHARED || join(top, '../shared'), 'data', kind))
    .filter(existsSync).flatMap((folder) => readdirSync(folder).filter((name) => /\.(glb|gltf|vrm)$/.test(name))
        .map((name) => join(folder, name)))];

test('segments times stretches are the nodes',
    {skip: existsSync(packageFile) ? false : 'the package is not built (./dev web)'}, async () => {
    const {load} = await import(pathToFileURL(packageFile));
    const limber = await load();
    for (const path of characters) {
        const bytes = readFileSync(path), name = basename(path), json = jsonOf(bytes);
        limber.files.set(name, bytes);
        const figure = limber.loadFigure(name), kinematics = figure.kinematics();
        kinematics.update(figure.restPose());
        const matrices = new Float64Array(12 * figure.segments.length);
        kinematics.matrices(matrices);
        const names = nodeNames(json), {stretches} = restStretches(json), worlds = worldMatrices(json),
            turn = turnToWorld(json);
        const size = Math.max(1, ...worlds.map((w) => Math.hypot(w[12], w[13], w[14])));
        let count = 0;
        figure.segments.forEach((segment, i) => {
            const node = names.indexOf(segment.name);
            if (node < 0) return;
            count++;
            const m = matrices.subarray(12 * i, 12 * i + 12), s = stretches[node], w = worlds[node];
            near([m[3], m[7], m[11]], v.rotate(turn, [w[12], w[13], w[14]]), 1e-6 * size);
            for (let c = 0; c < 3; c++) {
                const column = v.matrixVector(m, [s[c], s[3 + c], s[6 + c]]),
                    wanted = v.rotate(turn, [w[4 * c], w[4 * c + 1], w[4 * c + 2]]);
                near(column, wanted, 1e-5 * Math.max(1, v.length(wanted)));
            }
        });
        assert.ok(count > 0, `${name} has segments that are nodes`);
    }
});
