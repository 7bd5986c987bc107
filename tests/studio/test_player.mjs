// The playhead with a clock of its own, and the lanes that the timeline shows.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Player} from '../../studio/timeline/player.js';
import {jointOf, lanesOf, motionText, rulerSteps} from '../../studio/timeline/lanes.js';

/** A player in a world whose clock and engine the test moves. */
function make() {
    const world = {now: 0, frames: [], asked: [], answers: []};
    const player = new Player({
        now: () => world.now,
        requestFrame: (fn) => world.frames.push(fn),
        changed: (_, error) => { world.error = error; },
        ask: (time) => new Promise((resolve, reject) => {
            world.asked.push(time);
            world.answers.push({resolve, reject});
        }),
    });
    world.frame = async (milliseconds) => {
        world.now += milliseconds;
        world.frames.shift()?.();
        await Promise.resolve();
    };
    world.answer = async () => {
        world.answers.shift().resolve();
        await new Promise(setImmediate);
    };
    return {player, world};
}

test('playing follows the clock, loops, and stops at the end', async () => {
    const {player, world} = make();
    player.end = 1;
    player.toggle();
    assert.equal(player.isPlaying, true);
    await world.frame(250);
    assert.equal(player.time, 0.25);
    player.setSpeed(2);
    await world.frame(250);
    assert.equal(player.time, 0.75);
    await world.frame(250);
    assert.equal(player.time, 0.25, 'round again');
    player.isLooping = false;
    await world.frame(1000);
    assert.equal(player.time, 1);
    assert.equal(player.isPlaying, false);
    player.toggle();
    assert.equal(player.time, 0, 'from the end it begins again');
});

test('one pose at a time is asked for, and the newest after it', async () => {
    const {player, world} = make();
    player.seek(0.1);
    player.seek(0.2);
    player.seek(0.3);
    player.seek(0.4);
    assert.deepEqual(world.asked, [0.1]);
    await world.answer();
    assert.deepEqual(world.asked, [0.1, 0.4]);
    await world.answer();
    assert.deepEqual(world.asked, [0.1, 0.4]);
    player.seek(0.5);
    assert.deepEqual(world.asked, [0.1, 0.4, 0.5]);
});

test('an engine that fails stops the playing, once', async () => {
    const {player, world} = make();
    player.toggle();
    await world.frame(100);
    world.answers.shift().reject(new Error('no'));
    await new Promise(setImmediate);
    assert.equal(player.isPlaying, false);
    assert.equal(world.error.message, 'no');
    player.seek(0.5);
    assert.equal(world.asked.at(-1), 0.5, 'and it can be asked again');
});

test('frames and snapping', () => {
    const {player} = make();
    player.fps = 25;
    player.seek(0.131);
    assert.equal(player.time, 0.12);
    player.step(1);
    assert.equal(player.time, 0.16);
    player.step(-10);
    assert.equal(player.time, 0);
    player.isSnapping = false;
    player.seek(0.131);
    assert.equal(player.time, 0.131);
    player.seek(-5);
    assert.equal(player.time, 0);
});

const doc = {motion: {
    tracks: [
        {weight: 'hand', keys: [{time: 0, value: 1}, {time: 2, value: 0}]},
        {variable: 'right_elbow.flexion', keys: [{time: 0, value: 0, interpolation: 'cubic'}, {time: 1, value: 1}]},
        {variable: 'shoulder.x', keys: [{time: 1, value: 1}]},
        {variable: 'shoulder.y', keys: [{time: 1.5, value: 1}, {time: 2, value: 2}]},
        {enabled: 'pin left_toe', keys: [{time: 1, value: 1}, {time: 2, value: 0}, {time: 3, value: 0}]},
    ],
    carry: [{object: 'box', segment: 'right_hand', from: '0.5'}],
}};

test('lanes: the pose as one, by joint, by variable', () => {
    const shown = (opened) => lanesOf(doc, null, {opened: new Set(opened), end: 4}).map((lane) => lane.label);
    assert.deepEqual(shown([]), ['Pose', 'hand', 'pin left toe', 'box']);
    assert.deepEqual(shown(['pose']), ['Pose', 'right elbow flexion', 'shoulder', 'hand', 'pin left toe', 'box']);
    assert.deepEqual(shown(['pose', 'joint shoulder']),
        ['Pose', 'right elbow flexion', 'shoulder', 'x', 'y', 'hand', 'pin left toe', 'box']);
    const [pose, , pin, box] = lanesOf(doc, null, {opened: new Set(), end: 4});
    assert.deepEqual(pose.keys.map((key) => [key.time, key.refs.length, key.way]),
        [[0, 1, 'cubic'], [1, 2, 'linear'], [1.5, 1, 'linear'], [2, 1, 'linear']]);
    assert.deepEqual(pin.spans, [{from: 0, to: 2, kind: 'on'}, {from: 2, to: 4, kind: 'off'}]);
    assert.deepEqual(box.spans, [{from: 0.5, to: 4, kind: 'carried'}]);
    assert.equal(box.isReadOnly, true);
    assert.equal(jointOf('anna:root.x'), 'anna:root');
});

test('lanes of scripts and clips', () => {
    const motion = {kind: 'clip', name: 'walk', end: 2, frameTime: 1 / 30, frameCount: 61,
        contacts: [{name: 'left_toe', from: 0, to: 1}, {name: 'left_toe', from: 1.5, to: 2}]};
    const lanes = lanesOf({}, motion, {opened: new Set(), end: 2});
    assert.deepEqual(lanes.map((lane) => [lane.label, lane.what, lane.spans.length, lane.isReadOnly]),
        [['walk', '61 frames', 1, true], ['left toe', 'stands', 2, true]]);
    assert.equal(motionText(motion), '61 frames, 2.00 s');
    assert.equal(motionText({kind: 'tracks'}), '');
    const script =
        lanesOf({}, {kind: 'script', end: 3, lanes: [{name: 'elbow', keys: [0, 1, 3]}]}, {opened: new Set(), end: 3});
    assert.deepEqual(script[0].keys.map((key) => key.time), [0, 1, 3]);
    assert.equal(script[0].spans.length, 2);
});

test('the ruler has round steps with room for their labels', () => {
    for (const [span, width] of [[0.2, 800], [2, 800], [10, 300], [600, 500], [1e6, 900]]) {
        const {label, mark} = rulerSteps(span, width, 30);
        assert.ok((label / span) * width >= 60, `${label} of ${span}`);
        assert.ok((label / span) * width < 400);
        assert.ok(mark <= label && Math.abs(label / mark - Math.round(label / mark)) < 1e-6);
    }
});
