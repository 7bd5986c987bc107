// What the Engine stands figures on: only feet that are on the ground carry, weight shifts before one is lifted, and
// characters are people.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {dragTo, makeEngine, shared, siteOf, withHuman, withPlainHuman} from './engine.mjs';

/** Whether a point is inside of a balance's faces: upright planes n . r <= d. */
const isInside = (faces, com, slack = 1e-3) => faces.every(([a, b, c, d]) =>
    a * com[0] + b * com[1] + c * com[2] <= d + slack);

test('a body shifts its weight before a foot leaves the ground', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'left_foot'});
    const up = [drag.at[0], drag.at[1], drag.at[2] + 0.1];
    const heel = siteOf(scene, rest, 'left_heel');
    let frame;
    let count = 0;
    do {
        frame = await engine.dragMove({point: up});
        const isUp = siteOf(scene, frame, 'left_heel')[2] > heel[2] + 0.005;
        if (isUp) assert.ok(frame.body[0].margin > 0, `${frame.body[0].margin} m`);
    } while (!frame.settled && ++count < 200);
    assert.ok(count > 3, 'in several frames');
    assert.ok(siteOf(scene, frame, 'left_heel')[2] > heel[2] + 0.05);
    const standing = frame.body[0].contacts.filter(({stands}) => stands).map(({name}) => name);
    assert.ok(standing.every((name) => name.startsWith('right')), standing.join());
});

test('the bare problem balances on the foot that stands, and on both when the other is put down', async () => {
    const {engine, doc, scene, frame: rest} = await withPlainHuman();
    const {drag} = await engine.dragBegin({segment: 'left_foot'});
    const up = await dragTo(engine, [drag.at[0] + 0.05, drag.at[1], drag.at[2] + 0.15]);
    const end = await engine.dragEnd({commit: true});
    const {scene: after, frame} = await engine.set({doc: end.doc});
    const balance = after.constraints.find(({from}) => from === 'balance');
    assert.ok(isInside(balance.goal.faces, up.com[0]), 'over the right foot');
    const middle = siteOf(scene, rest, 'left_ball');
    assert.ok(!isInside(balance.goal.faces, middle), 'the left one does not count');
    assert.ok(frame.constraints.every(({met}) => met));
    const again = await engine.dragBegin({segment: 'left_foot'});
    await dragTo(engine, [again.drag.at[0], again.drag.at[1], drag.at[2]]);
    const put = await engine.dragEnd({commit: true});
    assert.deepEqual([...put.doc.balance[0].support].sort(), [...doc.balance[0].support].sort());
    assert.ok(put.frame.constraints.every(({met}) => met), 'and all is met');
});

test('a character without motion is a person: human limits, a body, on its feet', async (t) => {
    const folder = shared('vrm');
    if (!folder) return t.skip('there is no shared data');
    const engine = await makeEngine();
    const bytes = new Uint8Array(readFileSync(join(folder, 'Example_vrm1.vrm')));
    const {doc, scene, frame} = await engine.open({files: [{name: 'one.vrm', bytes}]});
    assert.deepEqual(doc.body, {});
    assert.equal(scene.figures[0].body?.isPosed, true);
    const knee = scene.figures[0].variables.find(({name}) => /lower_leg\.L.*\.swy/.test(name));
    assert.ok(knee && knee.upper - knee.lower < Math.PI, 'a knee bends one way');
    assert.ok(frame.body[0].margin > 0 && frame.body[0].contacts.some(({stands}) => stands));
    const segment = scene.figures[0].segments.findIndex(({name}) => name === 'hand.R');
    const {drag} = await engine.dragBegin({segment});
    const moved = await dragTo(engine, [drag.at[0] + 0.2, drag.at[1], drag.at[2] + 0.2]);
    assert.equal(moved.outcome, 'solved', moved.explanation);
    const {doc: posed} = await engine.dragEnd({commit: true});
    await engine.set({doc: posed});
    assert.ok((await engine.reach({segment: 'hand.R', count: 20})).points.length > 0);
});

test('a problem is solved when it is opened; one that says every variable is left as it is', async () => {
    const engine = await makeEngine();
    const goal = {name: 'palm', effector: 'right_palm', goal: {kind: 'position', point: [0.4, -0.2, 1.2]}};
    const files = (problem) => [{name: 'p.json', bytes: new TextEncoder().encode(JSON.stringify(problem))}];
    const {doc, frame} = await engine.open({files: files({figure: 'human', body: {}, constraints: [goal]})});
    assert.ok(frame.constraints[0].met, `${frame.constraints[0].distance} m`);
    const far = {...doc, constraints: [{...goal, goal: {kind: 'position', point: [0.4, -0.2, 0.6]}}]};
    const kept = await engine.open({files: files(far)});
    assert.ok(!kept.frame.constraints[0].met);
    assert.deepEqual(kept.doc.start, doc.start);
});

test('an empty file is told from a broken one', async () => {
    const engine = await makeEngine();
    for (const name of ['robot.urdf', 'a.fig', 'b.json', 'c.bvh', 'd.glb']) {
        await assert.rejects(engine.open({files: [{name, bytes: new TextEncoder().encode(' \n')}]}),
            (error) => error.file === name && /this file is empty/.test(error.message));
    }
});
