// Named poses: blending, keeping, files that are none.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as library from '../../studio/poses/pose_library.js';

const kept = new Map();
let isFull = false;
globalThis.localStorage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
        if (isFull) throw new Error('QuotaExceededError');
        kept.set(name, text);
    },
    removeItem: (name) => kept.delete(name),
};

test('blending goes straight from one to the other, on what both have and what is wanted', () => {
    const from = {a: 0, b: 10, c: 5}, to = {a: 1, b: 20, d: 7};
    assert.deepEqual(library.blend(from, to, 0), from);
    assert.deepEqual(library.blend(from, to, 1), {a: 1, b: 20, c: 5});
    assert.deepEqual(library.blend(from, to, 0.5), {a: 0.5, b: 15, c: 5});
    assert.deepEqual(library.blend(from, to, 1, (name) => name === 'b'), {a: 0, b: 20, c: 5});
    assert.equal(library.overlap(to, from), 2);
});

test('poses are kept per figure', () => {
    const key = library.libraryKey({figures: [{file: 'human', name: 'anna'}]});
    const one = new library.PoseLibrary(key);
    assert.equal(one.freshName(), 'Pose 1');
    const sit = one.add({name: ' Sitting ', values: {a: 1}, picture: 'data:image/png;base64,AA'});
    one.add({name: '', values: {a: 2}});
    assert.deepEqual(one.poses.map((pose) => pose.name), ['Sitting', 'Pose 2']);
    assert.equal(one.rename(sit.id, 'Sit'), true);
    assert.equal(one.rename(sit.id, '  '), false);
    assert.equal(one.rename(99, 'x'), false);
    const again = new library.PoseLibrary(key);
    assert.deepEqual(again.poses.map(({name, values, picture}) => [name, values, picture]),
        [['Sit', {a: 1}, 'data:image/png;base64,AA'], ['Pose 2', {a: 2}, '']]);
    assert.deepEqual(new library.PoseLibrary(library.libraryKey({figures: [{name: 'ur5'}]})).poses, []);
    const putBack = again.remove(again.poses[0].id);
    assert.deepEqual(new library.PoseLibrary(key).poses.map((pose) => pose.name), ['Pose 2']);
    putBack();
    assert.deepEqual(new library.PoseLibrary(key).poses.map((pose) => pose.name), ['Sit', 'Pose 2']);
    assert.equal(again.remove(99), null);
});

test('where nothing can be kept, they are there for this visit', () => {
    isFull = true;
    const one = new library.PoseLibrary('poses.full');
    one.add({name: 'A', values: {a: 1}});
    assert.equal(one.isKept, false);
    assert.equal(one.poses.length, 1);
    isFull = false;
    kept.set('limber.poses.bad',
        '[{"name": 1}, 7, null, {"name": "ok", "values": {"a": 1}, "picture": "javascript:alert(1)"}]');
    assert.deepEqual(
        new library.PoseLibrary('poses.bad').poses.map(({name, picture}) => [name, picture]), [['ok', '']]);
    kept.set('limber.poses.bad', '{"length": 3}');
    assert.deepEqual(new library.PoseLibrary('poses.bad').poses, []);
});

test('files of poses', () => {
    const poses = [{name: 'A', values: {'elbow.flexion': 1.5}, picture: ''}];
    assert.deepEqual(library.readPoses(library.writePoses('human', poses)), poses);
    const bad = (text, pattern) => assert.throws(() => library.readPoses(text), pattern);
    bad('{', /not JSON/);
    bad('[]', /no list of poses/);
    bad('{"limber_poses": 2, "poses": []}', /another version/);
    bad('{"limber_poses": 1, "poses": [{"name": "A", "values": {"a": 1}}, {"name": "B", "values": {"a": "x"}}]}',
        /Pose 2 /);
    bad('{"limber_poses": 1, "poses": [{"name": "A", "values": {}}]}', /Pose 1 /);
    bad(JSON.stringify({limber_poses: 1, poses: Array(501).fill(poses[0])}), /more than 500/);
});
