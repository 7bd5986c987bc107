// What is changed at a time of the motion becomes keys there; ghosts around a time.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {changesOf, changesText, keyChanges, keyedChanges} from '../../studio/timeline/auto_key.js';
import {Ghosts, ghostTimes} from '../../studio/timeline/ghosts.js';
import {keyBaked} from '../../studio/timeline/played.js';
import {findTrack, keyPinOff, keyPinOn, setKey} from '../../studio/document/motion_doc.js';

const before = () => ({
    start: {a: 0, b: 1, c: 2},
    constraints: [
        {name: 'hand', goal: {kind: 'position', point: [0, 0, 1]}}, {name: 'pin toe', goal: {kind: 'frame'}, weight: 2}
    ],
});
const places = {
    base: {a: 0, b: 1, c: 2}, frames: (name) => ({point: [name.length, 0, 0], quaternion: [0, 0, 0, 1]}),
    framesBefore: () => ({point: [0, 0, 1], quaternion: [0, 0, 0, 1]}),
};
const values = (doc, target, name) =>
    findTrack(doc, target, name)?.keys.map((key) => [key.time, key.value ?? key.point]);

test('a pose at a time: the variables that differ from what was seen are keyed, the start goes back', () => {
    const old = before(), doc = before();
    doc.start = {a: 0.5, b: 3, c: 2.5};
    const changes = changesOf(old, doc, {a: 0.5, b: 1.2, c: 2.5 + 1e-9});
    assert.deepEqual(changes.pose, {b: 3});
    assert.equal(changesText(changes), 'b');
    const keys = keyChanges(doc, old, 1.5, changes, places);
    assert.deepEqual(keys, [{track: 'variable:b', time: 1.5}]);
    assert.deepEqual(values(doc, 'variable', 'b'), [[0, 1], [1.5, 3]]);
    assert.deepEqual(doc.start, {a: 0, b: 1, c: 2});
    assert.equal(findTrack(doc, 'variable', 'a'), undefined);
});

test('a goal that is moved: its key, not the pose that followed', () => {
    const old = before(), doc = before();
    doc.constraints[0].goal.point = [4, 0, 0];
    doc.start.a = 9;
    const changes = changesOf(old, doc, old.start);
    assert.deepEqual([changes.goals, changes.pose], [['hand'], {}]);
    keyChanges(doc, old, 1, changes, places);
    assert.deepEqual(values(doc, 'goal', 'hand'), [[0, [0, 0, 1]], [1, [4, 0, 0]]]);
    assert.deepEqual(doc.constraints[0].goal.point, [0, 0, 1]);
    assert.equal(doc.start.a, 0);
});

test('weights and switches', () => {
    const old = before(), doc = before();
    doc.constraints[0].disabled = true;
    doc.constraints[1].weight = '5';
    const changes = changesOf(old, doc, old.start);
    assert.deepEqual([changes.switches, changes.weights], [['hand'], ['pin toe']]);
    keyChanges(doc, old, 2, changes, places);
    assert.deepEqual(values(doc, 'enabled', 'hand'), [[0, 1], [2, 0]]);
    assert.deepEqual(values(doc, 'weight', 'pin toe'), [[0, 2], [2, 5]]);
    assert.equal('disabled' in doc.constraints[0], false);
    assert.equal(doc.constraints[1].weight, 2);
});

test('a pin that is set at a time holds from then on, there', () => {
    const old = before(), doc = before();
    doc.constraints.push({name: 'pin heel', effector: 'heel', goal: {kind: 'frame', point: [1, 2, 3]}});
    const changes = changesOf(old, doc, old.start);
    assert.deepEqual([changes.pins, changes.isEmpty], [['pin heel'], false]);
    keyChanges(doc, old, 1, changes, places);
    assert.deepEqual(values(doc, 'enabled', 'pin heel'), [[0, 0], [1, 1]]);
    assert.deepEqual(values(doc, 'goal', 'pin heel'), [[1, [8, 0, 0]]]);
    keyPinOff(doc, 'pin heel', 2);
    keyPinOn(doc, 'pin heel', 3, {point: [9, 9, 9], quaternion: [0, 0, 0, 1]});
    assert.deepEqual(values(doc, 'enabled', 'pin heel'), [[0, 0], [1, 1], [2, 0], [3, 1]]);
    assert.deepEqual(values(doc, 'goal', 'pin heel'), [[1, [8, 0, 0]], [3, [9, 9, 9]]]);
    assert.ok(
        findTrack(doc, 'goal', 'pin heel').keys.every((key) => key.interpolation === 'step'), 'a pin does not slide');
    assert.equal(keyedChanges(doc, changes).isEmpty, true, 'at time 0 it is there from the beginning');
    keyPinOff(doc, 'pin toe', 1);
    keyPinOn(doc, 'pin toe', 2, {point: [5, 5, 5]}, {point: [4, 4, 4]});
    assert.deepEqual(values(doc, 'goal', 'pin toe'), [[0, [4, 4, 4]], [2, [5, 5, 5]]], 'where it held, it has held');
});

test('what keys cannot hold is no change', () => {
    const old = before(), doc = before();
    doc.constraints.push({name: 'new', goal: {kind: 'aim'}});
    doc.title = 'other';
    assert.equal(changesOf(old, doc, old.start).isEmpty, true);
    assert.equal(changesOf(old, before(), old.start).isEmpty, true);
});

test('at time 0 only what has keys is keyed, and the change stays', () => {
    const old = before();
    setKey(old, 'variable', 'a', 1, {value: 1});
    const doc = structuredClone(old);
    doc.start = {a: 5, b: 5, c: 2};
    const changes = keyedChanges(doc, changesOf(old, doc, old.start));
    assert.deepEqual(changes.pose, {a: 5});
    keyChanges(doc, old, 0, changes, {...places, base: {}});
    assert.deepEqual(values(doc, 'variable', 'a'), [[0, 5], [1, 1]]);
    assert.equal(findTrack(doc, 'variable', 'b'), undefined);
    assert.deepEqual(doc.start, {a: 5, b: 5, c: 2});
});

test('ghosts stand at fixed times before and after', () => {
    const times = (time) => ghostTimes(time, 2, 2, 0.5).map((one) => [one.time, one.before]);
    assert.deepEqual(times(1), [[0.5, true], [1.5, false], [0, true], [2, false]]);
    assert.deepEqual(times(1.2), [[1, true], [1.5, false], [0.5, true], [2, false]]);
    assert.deepEqual(times(0), [[0.5, false], [1, false]]);
    assert.deepEqual(times(2), [[1.5, true], [1, true]]);
});

test('a pose of a ghost is asked for once, and again when the motion is another', async () => {
    const asked = [];
    let shown = [];
    const ghosts = new Ghosts({peek: async (time) => {
        asked.push(time);
        return {matrices: [time]};
    }, show: (list) => { shown = list; }});
    const pause = async () => { // turns of the loop in which all that was asked for is answered
        for (let k = 0; k < 10; k++) await new Promise((done) => { setImmediate(done); });
    };
    ghosts.around(1, 2, {count: 1, spacing: 0.5});
    await pause();
    assert.deepEqual(asked, [0.5, 1.5]);
    assert.deepEqual(shown.map((ghost) => [ghost.matrices[0], ghost.before]), [[0.5, true], [1.5, false]]);
    ghosts.around(1.02, 2, {count: 1, spacing: 0.5});
    await pause();
    assert.equal(asked.length, 2);
    ghosts.clear();
    ghosts.around(1, 2, {count: 1, spacing: 0.5});
    await pause();
    assert.equal(asked.length, 4);
    ghosts.hide();
    assert.deepEqual(shown, []);
});

test('baked poses become keys of all variables, one of what stays', () => {
    const draft = {start: {a: 9, b: 9, c: 9}, motion: {tracks: [{variable: 'c', keys: [{time: 0, value: 1}]}]}};
    keyBaked(draft, ['a', 'b'], {times: [0, 0.5, 1], poses: [1, 7, 2, 7, 3, 7]});
    assert.deepEqual(values(draft, 'variable', 'a'), [[0, 1], [0.5, 2], [1, 3]]);
    assert.deepEqual(values(draft, 'variable', 'b'), [[0, 7]]);
    assert.deepEqual(draft.motion.tracks.length, 2);
    assert.deepEqual(draft.start, {a: 1, b: 7, c: 9});
});
