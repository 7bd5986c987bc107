// The motion of a document: keys set, moved, copied, removed; what stays readable when constraints go.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as motion from '../../studio/document/motion_doc.js';
import {goalFrame} from '../../studio/document/goal_frame.js';
import {rotationFromAxes} from '../../studio/math/vector.js';

const make = () => ({
    figures: [{file: 'human', name: 'human'}],
    start: {a: 0.5, b: 1},
    constraints: [
        {name: 'hand', effector: 'right_palm', goal: {kind: 'position', point: [0, 0, 1]}},
        {name: 'pin left_toe', effector: 'left_toe', goal: {kind: 'position', point: [0, 0, 0]}, disabled: true}
    ],
});
const times = (doc, target, name) => motion.findTrack(doc, target, name)?.keys.map((key) => key.time);

test('quantities as problem files have them', () => {
    assert.equal(motion.quantity(1.5), 1.5);
    assert.equal(motion.quantity('90deg'), Math.PI / 2);
    assert.equal(motion.quantity(' -2.5 cm'), -0.025);
    assert.equal(motion.quantity('1e-3m'), 1e-3);
    assert.ok(Number.isNaN(motion.quantity('five')));
    assert.ok(Number.isNaN(motion.quantity('5parsec')));
});

test('keys are in order, one at a time, and inherit the way they go on', () => {
    const doc = make();
    motion.setKey(doc, 'goal', 'hand', 2, {point: [2, 0, 0]});
    motion.setKey(doc, 'goal', 'hand', 1, {point: [1, 0, 0]}, 'linear');
    const ref = motion.setKey(doc, 'goal', 'hand', 1.5, {point: [1.5, 0, 0]});
    assert.deepEqual(ref, {track: 'goal:hand', time: 1.5});
    assert.deepEqual(times(doc, 'goal', 'hand'), [1, 1.5, 2]);
    const track = motion.findTrack(doc, 'goal', 'hand');
    assert.deepEqual(track.keys.map((key) => key.interpolation), ['linear', 'linear', 'catmull-rom']);
    assert.equal(track.ends, 'clamped');
    motion.setKey(doc, 'goal', 'hand', 1.5 + 1e-8, {point: [9, 0, 0]});
    assert.deepEqual(times(doc, 'goal', 'hand'), [1, 1.5, 2]);
    assert.deepEqual(track.keys[1].point, [9, 0, 0]);
    motion.setKey(doc, 'goal', 'hand', -3, {point: [0, 0, 0]});
    assert.equal(motion.findTrack(doc, 'goal', 'hand').keys[0].time, 0);
    assert.equal(motion.motionEnd(doc), 2);
});

test('a key of variables comes from where the pose was', () => {
    const doc = make();
    motion.keyPose(doc, 1, {a: 2, c: 3}, {a: 0.5, b: 1});
    assert.deepEqual(
        motion.findTrack(doc, 'variable', 'a').keys.map((key) => [key.time, key.value]), [[0, 0.5], [1, 2]]);
    assert.deepEqual(times(doc, 'variable', 'c'), [1], 'no base, no first key');
    motion.keyPose(doc, 2, {a: 4}, {a: 99});
    assert.deepEqual(motion.findTrack(doc, 'variable', 'a').keys.map((key) => key.value), [0.5, 2, 4]);
    motion.keyPose(doc, 0, {b: 7}, {b: 1});
    assert.deepEqual(motion.findTrack(doc, 'variable', 'b').keys.map((key) => key.value), [7]);
});

test('on and off', () => {
    const doc = make();
    assert.equal(motion.isEnabledAt(doc, 'hand', 1), true);
    assert.equal(motion.isEnabledAt(doc, 'pin left_toe', 1), false);
    motion.keyEnabled(doc, 'pin left_toe', 1, true);
    const track = motion.findTrack(doc, 'enabled', 'pin left_toe');
    assert.deepEqual(
        track.keys, [{time: 0, value: 0, interpolation: 'step'}, {time: 1, value: 1, interpolation: 'step'}]);
    assert.equal(motion.isEnabledAt(doc, 'pin left_toe', 0.99), false);
    assert.equal(motion.isEnabledAt(doc, 'pin left_toe', 1), true);
    assert.equal(motion.isEnabledAt(doc, 'pin left_toe', 5), true);
});

test('moving: together, not before 0, over what lies there', () => {
    const doc = make();
    for (const time of [0.5, 1, 2]) motion.setKey(doc, 'weight', 'hand', time, {value: time});
    motion.setKey(doc, 'goal', 'hand', 1, {point: [1, 1, 1]});
    const refs = motion.allKeys(doc, (track, key) => key.time < 1.5);
    let moved = motion.moveKeys(doc, refs, 1);
    assert.deepEqual(times(doc, 'weight', 'hand'), [1.5, 2]);
    assert.deepEqual(
        motion.findTrack(doc, 'weight', 'hand').keys.map((key) => key.value), [0.5, 1], 'the key at 2 gave way');
    assert.deepEqual(times(doc, 'goal', 'hand'), [2]);
    moved = motion.moveKeys(doc, moved, -10);
    assert.deepEqual(moved.map((ref) => ref.time), [0, 0.5, 0.5]);
    assert.deepEqual(motion.moveKeys(doc, [{track: 'goal:none', time: 0}], 1), []);
    motion.moveKeys(doc, moved, 1e9);
    assert.equal(motion.motionEnd(doc), motion.LATEST);
});

test('removing leaves nothing empty', () => {
    const doc = make();
    motion.setKey(doc, 'weight', 'hand', 0, {value: 1});
    motion.setKey(doc, 'goal', 'hand', 1, {point: [1, 1, 1]});
    assert.equal(motion.removeKeys(doc, [{track: 'weight:hand', time: 0}, {track: 'weight:hand', time: 5}]), 1);
    assert.equal(doc.motion.tracks.length, 1);
    motion.removeTrack(doc, 'goal:hand');
    assert.equal('motion' in doc, false);
    doc.motion = {
        tracks: [{weight: 'hand', keys: [{time: 0, value: 1}]}],
        carry: [{object: 'box', segment: 'hand', from: 1, to: '3'}]
    };
    assert.equal(motion.motionEnd(doc), 3);
    motion.removeKeys(doc, motion.allKeys(doc));
    assert.deepEqual(doc.motion, {carry: [{object: 'box', segment: 'hand', from: 1, to: '3'}]});
});

test('copy and paste keep distances, ways and ends', () => {
    const doc = make();
    doc.motion = {tracks: [{variable: 'a', ends: 'periodic', keys: [{time: 1, value: '30deg', interpolation: 'cubic'},
                                                                    {time: 2, value: 2}]}]};
    const copied = motion.copyKeys(doc, motion.allKeys(doc));
    delete doc.motion;
    const refs = motion.pasteKeys(doc, copied, 4);
    assert.deepEqual(doc.motion.tracks, [{variable: 'a', ends: 'periodic', keys: [
        {time: 4, value: '30deg', interpolation: 'cubic'}, {time: 5, value: 2}]}]);
    assert.deepEqual(refs, [{track: 'variable:a', time: 4}, {track: 'variable:a', time: 5}]);
    motion.pasteKeys(doc, copied, 5);
    assert.deepEqual(times(doc, 'variable', 'a'), [4, 5, 6]);
    assert.equal(doc.motion.tracks[0].keys[1].value, '30deg');
});

test('ways and ends', () => {
    const doc = make();
    const refs = motion.keyPose(doc, 0, {a: 1, b: 2});
    motion.setInterpolation(doc, refs, 'step');
    motion.setEnds(doc, 'variable:b', 'natural');
    assert.deepEqual(motion.resolveKeys(doc, refs).map(({key}) => key.interpolation), ['step', 'step']);
    assert.deepEqual(doc.motion.tracks.map((track) => track.ends), ['clamped', 'natural']);
    assert.deepEqual(motion.keyTimes(doc.motion.tracks), [0]);
});

test('a constraint that goes takes its tracks along, one with a new name keeps them', () => {
    const before = make();
    motion.setKey(before, 'goal', 'hand', 0, {point: [0, 0, 0]});
    motion.keyEnabled(before, 'pin left_toe', 0, true);
    motion.setKey(before, 'goal', 'never there', 0, {point: [0, 0, 0]});
    motion.setKey(before, 'variable', 'a', 0, {value: 0});
    const doc = structuredClone(before);
    doc.constraints.splice(1, 1);
    motion.renameTracks(doc, 'hand', 'grip');
    doc.constraints[0].name = 'grip';
    motion.tidyMotion(doc, before);
    assert.deepEqual(doc.motion.tracks.map(motion.trackId), ['goal:grip', 'goal:never there', 'variable:a']);
    const bare = make();
    motion.tidyMotion(bare, before);
    assert.deepEqual(bare, make());
    const named =
        motion.constraintNames({constraints: [{effector: {site: 's'}}, {effector: 'e'}], keep: ['k', {site: 'm'}]});
    assert.deepEqual([...named], ['s', 'e', 'k', 'm']);
});

/** Columns of a quaternion's rotation. */
function columns([x, y, z, w]) {
    return [[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]];
}

const near = (a, b) => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-12, `${a} is not ${b}`));

test('a key of a goal has the rotation by which that kind of goal is moved', () => {
    const point = [1, 2, 3];
    const frame = goalFrame({kind: 'frame', point, x: [0, 2, 0], y: [0.5, 1, 0]});
    near(columns(frame.quaternion)[0], [0, 1, 0]);
    near(columns(frame.quaternion)[1], [1, 0, 0]);
    near(columns(frame.quaternion)[2], [0, 0, -1]);
    for (const normal of [[0, 0, 1], [1, 0, 0], [0, -3, 0], [0.3, 0.4, -0.5]]) {
        const q = goalFrame({kind: 'plane', point, normal}).quaternion, size = Math.hypot(...normal);
        near(columns(q)[2], normal.map((v) => v / size));
    }
    assert.deepEqual(goalFrame({kind: 'box', point, rotation: [0, 0, 1, 0]}), {point, quaternion: [0, 0, 1, 0]});
    assert.deepEqual(goalFrame({kind: 'position', point}), {point, quaternion: [0, 0, 0, 1]});
    for (const q of [
             [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.5, -0.5, 0.5, 0.5], [0.1, -0.7, 0.1, 0.7]]) {
        const unit = q.map((v) => v / Math.hypot(...q)), back = rotationFromAxes(...columns(unit));
        const sign = Math.sign(unit.reduce((sum, v, i) => sum + v * back[i], 0));
        near(back.map((v) => v * sign), unit);
    }
});
