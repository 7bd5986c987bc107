// Drags that were recorded, replayed through the Engine, in numbers: no segment turns more than 12 deg in a step of 1
// cm
// unless steps of 1 mm turn it as far, or the body chooses another way to stand, which it then does in frames of less;
// closed loops of the pointer end where they began; nothing enters the body; a pelvis that is pulled down squats.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {distance, dragTo, siteOf, toesOf, top, withHuman} from './engine.mjs';
import {POP, makeOpened, replay, walk} from './paths.mjs';

const folder = join(top, 'tests/studio/paths');
const LONGER = process.env.LIMBER_TEST_LONG ? 25 : 1;
const WALKERS = [['right_hand', 60 * LONGER], ['left_forearm', 60 * LONGER], ['vertebra_T8', 60]];
const {opened, fine} = await makeOpened();

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    test(`${file}: no pops, the loop is closed, nothing is in the body`, async () => {
        const found = await replay(opened, fine, JSON.parse(readFileSync(join(folder, file), 'utf8')));
        console.log(`# ${file}: ${found.worst.toFixed(1)} deg in a step at most,
            ${found.fastest.toFixed(1)} in a frame, ` +
            `${found.glides} choices, ${found.steep} steep places, ${found.loop.toFixed(2)} deg from where it began`);
        assert.deepEqual(found.pops, []);
        assert.ok(found.loop < 2, `${found.looper} ${found.loop} deg`);
        assert.ok(found.overlap < 1e-3, `${found.overlap} m`);
        assert.ok(found.last.drag.distance < 1e-3, `${found.last.drag.distance} m`);
    });
}

for (const [part, steps] of WALKERS) {
    test(`a random walk of the ${part}: no pops, nothing is in the body`, async () => {
        const found = await replay(opened, fine, {part, moves: walk(steps, 7)});
        assert.deepEqual(found.pops, [], `more than ${POP} deg`);
        assert.ok(found.overlap < 1e-3, `${found.overlap} m`);
    });
}

test('a hand that moves on, a frame at a time, is followed to the floor and back: nothing waits for it', async () => {
    const {engine} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'left_hand'});
    const far = [];
    for (let k = 1; k <= 480; k++) {
        const down = Math.sin(Math.PI * k / 480);
        const point = [drag.at[0] + 0.35 * down, drag.at[1] - 0.1 * Math.sin(6 * k / 480), drag.at[2] - 0.75 * down];
        far.push((await engine.dragMove({point})).drag.distance);
    }
    const mean = far.reduce((sum, value) => sum + value, 0) / far.length;
    console.log(`# ${(1000 * mean).toFixed(2)} mm behind in the mean, ${(1000 * Math.max(...far)).toFixed(1)} at most`);
    assert.ok(mean < 0.005, `${mean} m behind in the mean`);
    assert.ok(Math.max(...far) < 0.05, `${Math.max(...far)} m behind`);
});

test('a pelvis that is pulled down squats: knees bend, heels rise, toes stay', async () => {
    const {engine, scene, frame: rest} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'pelvis'});
    let frame;
    for (let k = 1; k <= 50; k++) frame = await dragTo(engine, [drag.at[0], drag.at[1], drag.at[2] - 0.01 * k], 60);
    const angle = (name) => frame.pose[scene.figures[0].variables.find((one) =>
        one.name === name).index] * 180 / Math.PI;
    for (const side of ['left', 'right']) {
        assert.ok(angle(`${side}_knee`) > 80, `${side} knee ${angle(`${side}_knee`)} deg`);
        const heel = siteOf(scene, frame, `${side}_heel`);
        assert.ok(heel[2] > 0.02, `${side} heel ${heel[2]} m`);
    }
    toesOf(scene, frame).forEach((toe, k) => assert.ok(distance(toe, toesOf(scene, rest)[k]) < 1e-3));
    assert.ok(frame.body[0].margin > 0);
});
