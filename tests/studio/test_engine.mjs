// The Engine as the page uses it: documents, poses, dragging, goals, roots, mirrors.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {distance, dragTo, feetOf, makeEngine, pointOf, read, sameBits, siteOf, toesOf, withHuman,
    withPlainHuman} from './engine.mjs';

const HAND = 'right_hand';

test('the human stands as a person does: by itself, balanced', async () => {
    const {doc, scene, frame} = await withHuman();
    assert.deepEqual(doc.body, {});
    assert.deepEqual(doc.constraints, []);
    assert.equal(doc.balance, undefined);
    assert.deepEqual(scene.figures[0].body, {feet: ['right', 'left'], isPosed: true});
    const [body] = frame.body;
    assert.ok(body.margin > 0.02, `${body.margin} m inside`);
    assert.ok(body.contacts.filter(({stands}) => stands).length >= 6);
    assert.equal(Object.keys(doc.start).length, scene.variableCount);
    assert.equal(frame.outcome, 'solved');
    assert.ok(frame.constraints.every(({met}) => met));
    assert.deepEqual(frame.constraints.map(({name}) => name), scene.constraints.map(({name}) => name));
    assert.equal(frame.matrices.length, 12 * scene.figures[0].segments.length);
    assert.equal(scene.figures[0].eyes[0], 'gaze');
    assert.ok(Math.abs(scene.figures[0].mass - 75) < 0.5);
    const dofs = scene.figures[0].joints.reduce((sum, joint) => sum + joint.dofs.length, 0);
    assert.equal(frame.dofs.length, dofs);
});

test('natural is the default, plain a switch, and back', async () => {
    const {engine, doc} = await withHuman();
    const plain = (await engine.manner({natural: false})).doc;
    assert.equal(plain.body, undefined);
    assert.deepEqual(plain.constraints.map(({name}) => name).sort(), ['pin left_heel', 'pin right_heel']);
    assert.equal(plain.balance.length, 1);
    const {scene, frame} = await engine.set({doc: plain});
    assert.equal(scene.figures[0].body.isPosed, false);
    assert.equal(frame.body, null);
    assert.ok(frame.constraints.every(({met}) => met));
    const goal = {kind: 'position', point: [0.3, 0.2, 1]};
    plain.constraints.push({name: 'pin left_palm', effector: 'left_palm', goal});
    await engine.set({doc: plain});
    const again = (await engine.manner({natural: true})).doc;
    assert.deepEqual(again.body, {});
    assert.deepEqual(again.constraints.map(({name}) => name), ['pin left_palm'], 'only what stood in for a body goes');
    assert.equal(again.balance, undefined);
    assert.deepEqual(again.start, doc.start);
});

test('a hand is dragged where it can go: it is there, the feet stay, the body says how it stands', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const begun = await engine.dragBegin({segment: HAND});
    assert.ok(distance(begun.drag.at, pointOf(scene, rest, HAND)) < 1e-6, 'taking hold moves nothing');
    const target = begun.drag.at.map((value, k) => value + [0.35, 0.1, 0.4][k]);
    const frame = await dragTo(engine, target);
    assert.ok(frame.settled);
    assert.equal(frame.outcome, 'solved');
    assert.ok(distance(pointOf(scene, frame, HAND), target) < 1e-4, `${frame.drag.distance} m away`);
    feetOf(scene, frame).forEach((foot, k) => assert.ok(distance(foot, feetOf(scene, rest)[k]) < 1e-4, `foot ${k}`));
    assert.match(frame.explanation, /^right hand is there; balance \d.* inside; most effort: /);
    const [body] = frame.body;
    assert.ok(body.margin > 0.005 && body.overlap < 1e-3);
    assert.ok(Math.abs(body.contacts.reduce((sum, {share}) => sum + share, 0) - 1) < 1e-6);
    const {start, doc} = await engine.dragEnd({commit: true});
    assert.equal(start.right_elbow, frame.pose[scene.figures[0].variables.find(({name}) => name === 'right_elbow')
        .index]);
    assert.deepEqual(doc.start, start);
});

/** Pulls the hand far away, a little at a time, as a hand would; the last frame, and what happened on the way. */
async function pullFar({engine, scene, rest}) {
    const {drag} = await engine.dragBegin({segment: HAND});
    let slid = 0;
    let frame;
    for (let k = 1; k <= 60; k++) {
        frame = await engine.dragMove({point: [drag.at[0] + 0.05 * k, drag.at[1], drag.at[2] + 0.02 * k]});
        toesOf(scene, frame).forEach((foot, n) => { slid = Math.max(slid, distance(foot, toesOf(scene, rest)[n])); });
    }
    return {frame, slid};
}

test('pulled out of reach the feet stay; a hand that rests there has the body step to it', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const {frame: pulled, slid} = await pullFar({engine, scene, rest});
    assert.ok(pulled.drag.distance > 1);
    assert.ok(slid < 1e-3, `the feet slid ${slid} m`);
    const frame = await dragTo(engine, pulled.drag.target);
    assert.ok(frame.settled);
    assert.equal(frame.outcome, 'solved');
    assert.ok(frame.body[0].steps.length > 0 && frame.body[0].margin > 0);
    assert.match(frame.explanation, /^right hand is there; the (left|right) foot steps [\d.]+ c?m/);
    assert.ok(toesOf(scene, frame).some((foot, n) => distance(foot, toesOf(scene, rest)[n]) > 0.1));
});

test('feet that are planted do not step: the hand is as near as it gets, and nothing drifts', async () => {
    const {engine, doc} = await withHuman();
    doc.body = {foot: {left: 'planted', right: 'planted'}};
    const {scene, frame: rest} = await engine.set({doc});
    const {frame: pulled} = await pullFar({engine, scene, rest});
    const {target} = pulled.drag;
    const frame = await dragTo(engine, target);
    assert.ok(frame.settled);
    assert.equal(frame.outcome, 'minimum');
    assert.match(frame.explanation, /^as near as it gets: right hand [\d.]+ m (too far without|beyond)/);
    toesOf(scene, frame).forEach((foot, n) => assert.ok(distance(foot, toesOf(scene, rest)[n]) < 1e-3));
    assert.ok(frame.body[0].margin > 0, 'nobody falls');
    const again = await engine.dragMove({point: target});
    assert.ok(sameBits(again.pose, frame.pose), 'a hand that rests moves nothing');
});

/** A drag along a straight way in so many steps, until it is settled. */
async function pullBy(engine, segment, by, steps) {
    const {drag} = await engine.dragBegin({segment});
    const at = (part) => drag.at.map((value, k) => value + by[k] * part);
    for (let k = 1; k < steps; k++) await engine.dragMove({point: at(k / steps)});
    return dragTo(engine, at(1));
}

const degrees = (scene, frame, name) =>
    frame.pose[scene.figures[0].variables.find((variable) => variable.name === name).index] * 180 / Math.PI;

for (const steps of [30, 1]) {
    const how = steps > 1 ? 'step by step' : 'at once';

    test(`a pelvis pulled down bends straight knees, ${how}`, async () => {
        const {engine, scene, frame: rest} = await withHuman();
        const frame = await pullBy(engine, 'pelvis', [0, 0, -0.3], steps);
        for (const side of ['left', 'right']) assert.ok(degrees(scene, frame, `${side}_knee`) > 40);
        toesOf(scene, frame).forEach((foot, k) => assert.ok(distance(foot, toesOf(scene, rest)[k]) < 1e-4));
        assert.ok(frame.drag.distance < 1e-3 && frame.body[0].margin > 0);
    });

    test(`a hand to the ground bends hips and a knee, ${how}`, async () => {
        const {engine, scene, frame: rest} = await withHuman();
        const height = pointOf(scene, rest, HAND)[2];
        const frame = await pullBy(engine, HAND, [0.35, 0, 0.12 - height], steps);
        assert.ok(frame.drag.distance < 0.01, `${frame.drag.distance} m`);
        assert.ok(degrees(scene, frame, 'left_hip.flexion') > 40);
        assert.ok(Math.max(degrees(scene, frame, 'left_knee'), degrees(scene, frame, 'right_knee')) > 10);
        toesOf(scene, frame).forEach((foot, k) => assert.ok(distance(foot, toesOf(scene, rest)[k]) < 1e-4));
    });
}

test('a pelvis taken by its front and pulled down does not tip over on straight legs', async () => {
    const {engine, scene} = await withHuman();
    for (const by of [[0, 0, -0.3], [-0.1, 0, -0.3], [-0.15, -0.1, -0.25], [-0.05, 0.1, -0.3]]) {
        const {drag} = await engine.dragBegin({segment: 'pelvis', point: [0.1, 0, 0.05]});
        for (let k = 1; k < 12; k++) await engine.dragMove({point: drag.at.map((value, i) => value + by[i] * k / 12)});
        const frame = await dragTo(engine, drag.at.map((value, i) => value + by[i]));
        for (const side of ['left', 'right']) assert.ok(degrees(scene, frame, `${side}_knee`) > 30, `${by}`);
        await engine.dragEnd({commit: false});
    }
});

test('within reach the arm reaches, the trunk hardly moves, the other arm hangs, and back leads back', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const frame = await pullBy(engine, HAND, [0.35, 0.1, 0.3], 20);
    assert.ok(distance(pointOf(scene, frame, 'pelvis'), pointOf(scene, rest, 'pelvis')) < 0.04);
    assert.ok(distance(pointOf(scene, frame, 'vertebra_T1'), pointOf(scene, rest, 'vertebra_T1')) < 0.06);
    for (const name of ['left_elbow', 'left_shoulder.elevation']) {
        assert.ok(Math.abs(degrees(scene, frame, name) - degrees(scene, rest, name)) < 8, name);
    }
    const shoulder = pointOf(scene, frame, 'left_upper_arm');
    const other = pointOf(scene, frame, 'left_hand').map((value, k) => value - shoulder[k]);
    assert.ok(Math.hypot(other[0], other[1]) < 0.25 * Math.abs(other[2]), 'the idle arm hangs');
    let back;
    for (let k = 19; k >= 0; k--) {
        back = await engine.dragMove({point: pointOf(scene, rest, HAND)
            .map((value, i) => value + [0.35, 0.1, 0.3][i] * k / 20)});
    }
    back = await dragTo(engine, pointOf(scene, rest, HAND));
    for (const name of ['pelvis', 'vertebra_T1', 'left_hand', HAND]) { /* the head looks at the hand,
        which it did not */
        const away = distance(pointOf(scene, back, name), pointOf(scene, rest, name));
        assert.ok(away < 0.03, `${name} is ${away} m from where it began`);
    }
});

test('who is let go in the middle of a step arrives where he stands', async () => {
    const {engine} = await withHuman();
    const {drag} = await engine.dragBegin({segment: HAND});
    const far = drag.at.map((value, k) => value + [2, -0.4, 0.6][k]);
    let frame;
    for (let k = 0; k < 120 && !engine.session.pull.state.gliding; k++) frame = await engine.dragMove({point: far});
    for (let k = 0; k < 5; k++) frame = await engine.dragMove({point: far});
    assert.ok(engine.session.pull.state.gliding, 'a step is under way');
    const underWay = Float64Array.from(frame.pose);
    const {frame: ended} = await engine.dragEnd({commit: true});
    const posed = await engine.pose({values: ended.pose});
    assert.ok(ended.body[0].margin > 0 && posed.body[0].margin > 0, `${posed.body[0].margin} m inside`);
    assert.ok((await engine.pose({values: underWay})).body[0].margin < posed.body[0].margin - 0.02, 'it did not before');
});

test('the same drag gives the same bits', async () => {
    const run = async () => {
        const {engine} = await withHuman();
        const {drag} = await engine.dragBegin({segment: HAND});
        let frame;
        for (let k = 0; k < 40; k++) {
            const a = k / 6;
            frame = await engine.dragMove({point: [drag.at[0] + 0.5 * Math.sin(a), drag.at[1] + 0.3 * Math.cos(a),
                drag.at[2] + 0.03 * k]});
        }
        return frame.pose;
    };
    assert.ok(sameBits(await run(), await run()));
});

test('a chain keeps the rest of the body still', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const {chain} = await engine.chain({segment: HAND});
    assert.equal(chain[0], 'right_wrist');
    assert.equal(chain.at(-1), 'root');
    assert.equal(chain.filter((name) => name === 'spine').length, 1, 'a group counts once');
    const {drag} = await engine.dragBegin({segment: HAND, chain: chain.indexOf('right_shoulder') + 1});
    const frame = await dragTo(engine, drag.at.map((value, k) => value + [0.3, 0, 0.3][k]));
    assert.ok(frame.drag.distance < 1e-4);
    assert.ok(distance(pointOf(scene, frame, 'head'), pointOf(scene, rest, 'head')) === 0);
    assert.ok(distance(pointOf(scene, frame, 'pelvis'), pointOf(scene, rest, 'pelvis')) === 0);
    /* the wheel turned: the same drag goes on with more of the body */
    const wider = await engine.dragBegin({segment: HAND, chain: 0});
    assert.ok(distance(wider.drag.at, frame.drag.at) < 1e-4);
});

test('a head is turned where it is', async () => {
    const {engine} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'head', turn: true});
    const rotation = [0, 0, Math.sin(0.25), Math.cos(0.25)];
    let frame;
    for (let k = 0; k < 50 && !frame?.settled; k++) frame = await engine.dragMove({rotation});
    assert.ok(frame.drag.angle < 1e-3);
    assert.ok(distance(frame.drag.at, drag.at) < 1e-3);
});

test('a pinned part that is dragged takes its pin along', async () => {
    const {engine, scene, doc} = await withPlainHuman();
    const {drag} = await engine.dragBegin({segment: 'left_foot'});
    await dragTo(engine, [drag.at[0] + 0.15, drag.at[1] + 0.05, drag.at[2] + 0.1]);
    const ended = await engine.dragEnd({commit: true});
    const pin = ended.doc.constraints.find(({name}) => name === 'pin left_heel');
    assert.ok(distance(pin.goal.point, siteOf(scene, ended.frame, 'left_heel')) < 1e-9);
    assert.ok(ended.frame.constraints.find(({name}) => name === 'pin left_heel').met);
    const other = ({constraints}) => constraints.find(({name}) => name === 'pin right_heel');
    assert.deepEqual(other(ended.doc), other(doc), 'the other stays');
    await engine.dragBegin({segment: 'left_foot'});
    const left = await engine.dragEnd({commit: false});
    assert.deepEqual(left.doc, ended.doc);
});

test('a foot that is pulled up carries nothing and stays in the air; put down, it stands', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'left_foot'});
    const way = (k) => ({point: [drag.at[0] + 0.02 * k, drag.at[1], drag.at[2] + 0.03 * k]});
    for (let k = 1; k < 10; k++) await engine.dragMove(way(k));
    const up = await dragTo(engine, [drag.at[0] + 0.2, drag.at[1], drag.at[2] + 0.3]);
    assert.ok(up.drag.distance < 1e-3, `${up.drag.distance} m`);
    const [body] = up.body;
    assert.ok(body.margin > 0, 'the other foot carries it');
    assert.ok(body.contacts.filter(({name}) => name.startsWith('left_')).every(({share}) => share < 1e-9));
    assert.ok(distance(siteOf(scene, up, 'right_toe'), siteOf(scene, rest, 'right_toe')) < 1e-4);
    const ended = await engine.dragEnd({commit: true});
    assert.deepEqual(ended.doc.body, {foot: {left: 'lifted'}});
    assert.deepEqual(ended.doc.constraints.map(({name}) => name), ['pin left_foot']);
    const held = pointOf(scene, ended.frame, 'left_foot');
    const hand = await engine.dragBegin({segment: HAND});
    const reached = await dragTo(engine, hand.drag.at.map((value, k) => value + [0.2, 0.1, 0.3][k]));
    assert.ok(distance(pointOf(scene, reached, 'left_foot'), held) < 1e-3, 'it stays while the hand goes');
    await engine.dragEnd({commit: true});
    await engine.dragBegin({segment: 'left_foot'});
    for (let k = 9; k >= 0; k--) await engine.dragMove(way(k));
    await dragTo(engine, [drag.at[0], drag.at[1], drag.at[2]]);
    const down = await engine.dragEnd({commit: true});
    assert.deepEqual(down.doc.body, {});
    assert.deepEqual(down.doc.constraints, []);
});

test('an aim is solved for, told, and moved by hand', async () => {
    const {engine, doc} = await withHuman();
    doc.constraints.push({name: 'look', effector: 'gaze', goal: {kind: 'aim', point: [1, 0.6, 1.2]}});
    const {scene, frame} = await engine.set({doc, solve: true});
    assert.equal(frame.outcome, 'solved');
    const eyes = siteOf(scene, frame, 'gaze');
    const {target, at} = frame.constraints.find(({name}) => name === 'look');
    assert.ok(distance(at, eyes) < 1e-9);
    assert.deepEqual(target, [1, 0.6, 1.2]);
    let moved;
    for (let k = 0; k < 40 && !moved?.settled; k++) moved = await engine.goalMove({name: 'look',
        frame: {position: [1, -0.6, 1.4]}});
    assert.ok(moved.constraints.find(({name}) => name === 'look').met);
    assert.deepEqual(moved.constraints.find(({name}) => name === 'look').target, [1, -0.6, 1.4]);
    const ended = await engine.goalEnd({commit: true});
    assert.deepEqual(ended.doc.constraints.at(-1).goal, {kind: 'aim', point: [1, -0.6, 1.4]});
});

test('goals of every kind are moved, and written back as they are meant', async () => {
    const {engine, doc} = await withHuman();
    const add = (name, goal, more = {}) => doc.constraints.push({name, effector: 'right_palm', goal, disabled: true,
        ...more});
    const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    add('position', {kind: 'position', point: [0, 0, 1]});
    add('frame', {kind: 'frame', point: [0, 0, 1], rpy: [0, 0, 0]});
    add('orientation', {kind: 'orientation', x: [1, 0, 0]});
    add('line', {kind: 'line', point: [0, 0, 1], direction: [0, 0, 1]});
    add('plane', {kind: 'plane', point: [0, 0, 1], normal: [0, 0, 1]});
    add('box', {kind: 'box', point: [0, 0, 1], half_size: [0.1, 0.2, 0.3]});
    add('sphere', {kind: 'sphere', point: [0, 0, 1], radius: 0.1});
    add('capsule', {kind: 'capsule', point: [0, 0, 1], to: [0, 0, 2], radius: 0.1});
    add('disc', {kind: 'disc', point: [0, 0, 1], normal: [0, 0, 1], radius: 0.1});
    add('wedge', {kind: 'polyhedron', faces: [[0, 0, 1, 1], [1, 0, 0, 0.5]]});
    add('on the knee', {kind: 'position', relative_to: 'right_knee_cap', point: [0, 0, 0.05]});
    let now = doc;
    for (const {name} of doc.constraints.slice(2)) {
        const {scene} = await engine.set({doc: now});
        const {goal} = scene.constraints.find((entry) => entry.name === name);
        const position = goal.point.map((value, k) => value + [0.1, 0.2, 0.3][k]);
        await engine.goalMove({name, frame: {position, rotation}});
        const ended = await engine.goalEnd({commit: true});
        now = ended.doc;
        const again = await engine.set({doc: now});
        const moved = again.scene.constraints.find((entry) => entry.name === name).goal;
        if (goal.kind !== 'orientation' && goal.kind !== 'polyhedron') assert.ok(distance(moved.point,
            position) < 1e-12, name);
        if (goal.kind === 'orientation') assert.ok(distance(moved.x, [0, 1, 0]) < 1e-12);
        if (goal.kind === 'capsule') assert.ok(Math.abs(moved.size[0] - goal.size[0]) +
            Math.abs(moved.size[1] - goal.size[1]) < 1e-12);
    }
    const wedge = now.constraints.find(({name}) => name === 'wedge').goal;
    assert.deepEqual(wedge.faces.map((face) => Number(face[3].toFixed(9))), [1.3, 0.6]);
});

test('where a goal is nearest is as far as the solver says it is', async () => {
    const {engine, doc, scene, frame} = await withHuman();
    const place = {point: [0.3, 0.4, 1.3], quaternion: [0.1, 0.2, 0.3, 0.9]};
    const goals = {
        position: {kind: 'position', point: place.point}, frame: {kind: 'frame', ...place},
        line: {kind: 'line', point: place.point, direction: [1, 2, 3]},
        plane: {kind: 'plane', point: place.point, normal: [1, 2, 3]},
        half: {kind: 'half-space', point: place.point, normal: [1, 2, 3]},
        box: {kind: 'box', ...place, half_size: [0.1, 0.05, 0.2]}, sphere: {kind: 'sphere', point: place.point,
            radius: 0.1},
        capsule: {kind: 'capsule', point: place.point, to: [0.5, 0.2, 1.5], radius: 0.07},
        circle: {kind: 'circle', point: place.point, normal: [1, 2, 3], radius: 0.2},
        disc: {kind: 'disc', point: place.point, normal: [1, 2, 3], radius: 0.2},
        wedge: {kind: 'polyhedron', faces: [[0, 0, -1, -1.6], [-1, -1, 0, -0.9], [1, 0.2, 0.1, 0.9]]},
        knee: {kind: 'position', relative_to: 'left_knee_cap', point: [0.1, 0, 0.2]},
        around: {kind: 'box', relative_to: 'head', point: [0, 0, 0.1], half_size: [0.1, 0.1, 0.1]},
        out: {kind: 'box', point: [0, -0.3, 0.9], half_size: [1, 1.5, 2], outside: true},
        away: {kind: 'sphere', point: [0, -0.3, 0.9], radius: 1, outside: true},
        off: {kind: 'polyhedron', faces: [[0, 0, 1, 3], [1, 0, 0, 2], [-1, 0, 0, 3], [0, 1, 1, 4]], outside: true},
    };
    if (scene.figures[0].sites.every(({name}) => name !== 'head')) goals.around.relative_to = {segment: 'head'};
    doc.constraints = Object.entries(goals).map(([name, goal]) => ({name, effector: 'right_palm', goal}));
    await engine.set({doc});
    for (const seed of [1, 2, 3]) {
        const values = Float64Array.from(frame.pose, (value, k) => value + 0.3 * Math.sin(seed * 7 + k));
        for (const entry of (await engine.pose({values})).constraints) {
            if (!(entry.name in goals)) continue;
            const far = distance(entry.at, entry.target);
            assert.ok(Math.abs(far - entry.distance) < 1e-6, `${entry.name}: ${far} and ${entry.distance}`);
        }
    }
});

test('sliders stay inside the limits, and what nobody solved says so', async () => {
    const {engine, scene, frame} = await withPlainHuman();
    const elbow = scene.figures[0].variables.find(({name}) => name === 'right_elbow');
    const values = Float64Array.from(frame.pose);
    values[elbow.index] = 99;
    const posed = await engine.pose({values});
    assert.ok(Math.abs(posed.pose[elbow.index] - elbow.upper) < 1e-9);
    values[elbow.index] = 1;
    values[scene.figures[0].variables.find(({name}) => name === 'root.x').index] = 0.3;
    const moved = await engine.pose({values});
    assert.equal(moved.outcome, 'posed');
    assert.match(moved.explanation, /heel 30 cm short/);
    const solved = await engine.solve({});
    assert.equal(solved.outcome, 'solved');
    await assert.rejects(engine.pose({values: new Float64Array(3)}), /values/);
});

test('mirrored: left is right, twice is once', async () => {
    const {engine, scene, frame: rest} = await withPlainHuman();
    const {drag} = await engine.dragBegin({segment: HAND});
    const frame = await dragTo(engine, [drag.at[0] + 0.4, drag.at[1] + 0.2, drag.at[2] + 0.6]);
    await engine.dragEnd({});
    const {values} = await engine.mirror({values: frame.pose});
    const mirrored = await engine.pose({values});
    for (const [a, b] of [['right_hand', 'left_hand'], ['right_foot', 'left_foot'],
        ['left_upper_arm', 'right_upper_arm'], ['head', 'head']]) {
        const [x, y, z] = pointOf(scene, frame, a);
        assert.ok(distance(pointOf(scene, mirrored, b), [x, -y, z]) < 1e-9, `${a} and ${b}`);
    }
    assert.ok(sameBits((await engine.mirror({values})).values, frame.pose));
    assert.ok(sameBits((await engine.mirror({values: rest.pose})).values, rest.pose),
        'a symmetrical pose is its own image');
});

test('another root, and nothing moves', async () => {
    const {engine} = await withHuman();
    const {drag} = await engine.dragBegin({segment: HAND});
    await dragTo(engine, [drag.at[0] + 0.4, drag.at[1], drag.at[2] + 0.4]);
    const {frame: before} = await engine.dragEnd({});
    for (const where of [{segment: 'right_hand', free: true}, {segment: 'head', free: false},
        {site: 'left_heel', free: false}, {segment: 'pelvis', free: true}]) {
        const {doc, frame, scene} = await engine.reroot({figure: 0, ...where});
        const moved = Math.max(...frame.matrices.map((value, k) => Math.abs(value - before.matrices[k])));
        assert.ok(moved < 1e-9, `${JSON.stringify(where)}: ${moved}`);
        assert.equal(scene.figures[0].root.isFree, where.free);
        const again = await engine.set({doc});
        assert.ok(Math.max(...again.frame.matrices.map((value, k) => Math.abs(value - before.matrices[k]))) < 1e-9);
    }
    await assert.rejects(engine.reroot({segment: 'tail'}), /tail/);
});

test('support: the feet, all around', async () => {
    const {engine, scene, frame} = await withHuman();
    const {sites} = await engine.support({});
    assert.ok(['left_heel', 'right_heel', 'left_toe', 'right_toe'].every((name) => sites.includes(name)), sites.join());
    const points = sites.map((name) => siteOf(scene, frame, name));
    const turn = points.map((a, k) => {
        const [b, c] = [points[(k + 1) % points.length], points[(k + 2) % points.length]];
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    });
    assert.ok(turn.every((value) => value > 0), 'counter-clockwise');
});

test('locks, rigidity, preferred values, priorities, alternatives, obstacles are the document\'s', async () => {
    const {engine, doc, scene} = await withPlainHuman();
    const index = (name) => scene.figures[0].variables.find((variable) => variable.name === name).index;
    const reach = {name: 'cup', effector: 'right_palm', goal: {kind: 'position', point: [0.45, -0.2, 1.2]}};
    const solve = async (change) => (await engine.set({doc: {...structuredClone(doc),
        constraints: [...doc.constraints, reach], ...change}, solve: true})).frame;
    const free = await solve({});
    const locked = await solve({inactive: ['right_elbow', 'spine']});
    assert.notEqual(free.pose[index('right_elbow')], 0);
    assert.equal(locked.pose[index('right_elbow')], doc.start.right_elbow);
    assert.equal(locked.pose[index('spine.flexion')], doc.start['spine.flexion']);
    const stiff = await solve({rigidity: {spine: 0.95}});
    assert.ok(Math.abs(stiff.pose[index('spine.flexion')]) < Math.abs(free.pose[index('spine.flexion')]));
    const preferred = await solve({wishes: {posture: {weight: 0.01, pose: {right_elbow: 1.6}}}});
    assert.ok(Math.abs(preferred.pose[index('right_elbow')] - 1.6) < Math.abs(free.pose[index('right_elbow')] - 1.6));
    const two = await solve({constraints: [...doc.constraints, {...reach, any_of: 'cups',
        goal: {kind: 'position', point: [3, 0, 1]}, name: 'far'},
        {...reach, any_of: 'cups'}]});
    assert.deepEqual(two.constraints.filter(({name}) => name === 'far' || name === 'cup').map(({counted}) => counted),
        [false, true]);
    const apart = await solve({avoid: [{segments: ['right_hand'], obstacle: {kind: 'sphere', point: [0.45, -0.2, 1.2],
        radius: 0.2}, priority: 0}],
        constraints: [...doc.constraints, {...reach, priority: 1}]});
    assert.ok(distance(apart.constraints.find(({name}) => name === 'cup').at, [0.45, -0.2, 1.2]) > 0.1);
    assert.ok(apart.constraints.filter(({index: at}) => at >= 0).length > 4);
});

test('two figures: prefixes, segments and variables one behind the other', async () => {
    const engine = await makeEngine();
    const {doc, scene, frame} = await engine.open({files: [{name: 'handshake.json',
        bytes: read('problems/handshake.json')}]});
    assert.deepEqual(doc.figures.map(({file, name}) => [file, name]), [['human', 'anna'], ['human', 'bert']]);
    assert.ok('bert:right_elbow' in doc.start);
    assert.equal(scene.figures[1].firstSegment, scene.figures[0].segments.length);
    assert.equal(scene.constraints[0].goal.carrier.figure, 1);
    assert.equal(frame.outcome, 'solved', 'a problem is solved when it is opened');
    const solved = await engine.solve({});
    assert.equal(solved.outcome, 'solved');
    assert.ok(distance(siteOf(scene, solved, 'right_palm', 0), siteOf(scene, solved, 'right_palm', 1)) < 1e-4);
    await engine.dragBegin({figure: 1, segment: 'head'});
    const dragged = await engine.dragMove({point: pointOf(scene, solved, 'head', [0, 0, 0], 1)});
    assert.ok(dragged.drag.distance < 1e-3);
});

test('a foot of a person who is posed plainly can be let go beside one who is posed as a body', async () => {
    const engine = await makeEngine();
    const doc = {figures: [{file: 'human', name: 'anna', body: {}}, {file: 'human', name: 'ben', at: [0, 1.5, 0]}]};
    const bytes = new TextEncoder().encode(JSON.stringify(doc));
    const {scene} = await engine.open({files: [{name: 'two.json', bytes}]});
    assert.deepEqual(scene.figures.map(({body}) => body.isPosed), [true, false]);
    const {drag: {at: [x, y, z]}} = await engine.dragBegin({figure: 1, segment: 'right_foot'});
    await engine.dragMove({point: [x, y, z + 0.05]});
    const {doc: after} = await engine.dragEnd({});
    assert.equal(after.figures[1].body, undefined, 'it is still posed plainly');
    assert.equal(after.figures[0].body.foot, undefined, 'and nothing is said of the feet of the other');
});

test('what is wrong is said, and nothing has changed', async () => {
    const {engine, doc} = await withPlainHuman();
    const before = await engine.pose({values: engine.world.pose});
    const wrong = structuredClone(doc);
    wrong.constraints[0].effector = 'right_hele';
    await assert.rejects(engine.set({doc: wrong}), /did you mean `right_heel`/);
    wrong.figures = [{file: 'nobody', name: 'x'}];
    await assert.rejects(engine.set({doc: wrong}), /nobody/);
    await assert.rejects(engine.dragMove({point: [0, 0, 0]}), /nothing is being dragged/);
    await assert.rejects(engine.dragBegin({segment: 'tail'}), /tail/);
    await assert.rejects(engine.play({time: 1}), /nothing plays/);
    await assert.rejects(engine.export({format: 'doc'}), /cannot be written/);
    assert.ok(sameBits((await engine.pose({values: engine.world.pose})).matrices, before.matrices));
    const empty = await makeEngine();
    await assert.rejects(empty.pose({values: new Float64Array(0)}), /nothing is open/);
    await assert.rejects(empty.open({files: []}), /no file/);
});
