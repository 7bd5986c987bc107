// Limbs that pins hold are left to the solver by keys of a pose.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {heldVariables, limbOf, placesHeld} from '../../studio/timeline/held.js';
import {withoutHeld} from '../../studio/timeline/auto_key.js';
import {keyEnabled, setKey} from '../../studio/document/motion_doc.js';

// a pelvis with a trunk and a leg of thigh, shank and foot
const joint = (name, variable) => ({name, dofs: [{variable}, {variable: -1}]});
const figure = {
    segments: [
        {parent: -1, joint: -1}, {parent: 0, joint: 0}, {parent: 0, joint: 1}, {parent: 2, joint: 2},
        {parent: 3, joint: 3}
    ],
    joints: [joint('spine', 0), joint('hip', 1), joint('knee', 2), joint('ankle', 3)],
    variables: ['spine', 'hip', 'knee', 'ankle', 'root.x'].map((name, index) => ({name, index})),
};
const scene = {figures: [figure], constraints: [
    {name: 'pin foot', from: 'constraints', figure: 0, segment: 4, effector: {kind: 'frame'}, goal: {kind: 'frame'}},
    {name: 'look', from: 'constraints', figure: 0, segment: 1, effector: {kind: 'frame'}, goal: {kind: 'aim'}},
    {name: 'centre', from: 'balance', figure: 0, segment: -1, effector: {kind: 'com'}, goal: {kind: 'polyhedron'}},
]};
const frame = (foot, met = true) => ({
    constraints: [
        {name: 'pin foot', met, counted: true, at: foot}, {name: 'look', met: false, counted: true, at: [0, 0, 1]},
        {name: 'centre', met: true, counted: true, at: [0, 0, 1]}
    ]
});
const doc = () => ({constraints: [{name: 'pin foot'}, {name: 'look'}]});

test('a limb goes up to where the figure branches', () => {
    assert.deepEqual(limbOf(figure, 4).map((one) => one.name), ['ankle', 'knee', 'hip']);
    assert.deepEqual(limbOf(figure, 1).map((one) => one.name), ['spine']);
    assert.deepEqual(limbOf(figure, 0), []);
});

test('what is held and stays there is the solver\'s', () => {
    const places = placesHeld(scene, frame([0, 0, 0]));
    assert.deepEqual([...places.keys()], ['pin foot'], 'met, a part, and not the balance');
    assert.deepEqual([...heldVariables(doc(), scene, frame([0, 0, 0.001]), places, 1)], ['hip', 'knee', 'ankle']);
    const changes = {pose: {spine: 1, knee: 2}, goals: [], weights: [], switches: [], pins: [], isEmpty: false};
    assert.deepEqual(withoutHeld(changes, new Set(['knee'])).pose, {spine: 1});
    assert.equal(withoutHeld(changes, new Set(['knee', 'spine'])).isEmpty, true);
});

test('what is pulled away, not met, off, or keyed already is not', () => {
    const places = placesHeld(scene, frame([0, 0, 0]));
    assert.equal(heldVariables(doc(), scene, frame([0, 0, 0.1]), places, 1).size, 0, 'pulled away');
    assert.equal(placesHeld(scene, frame([0, 0, 0], false)).size, 0, 'not met');
    const off = doc();
    keyEnabled(off, 'pin foot', 0.5, false);
    assert.equal(heldVariables(off, scene, frame([0, 0, 0]), places, 1).size, 0, 'off at that time');
    assert.equal(heldVariables(off, scene, frame([0, 0, 0]), places, 0.2).size, 3, 'on before');
    const keyed = doc();
    setKey(keyed, 'variable', 'knee', 0, {value: 1});
    assert.deepEqual([...heldVariables(keyed, scene, frame([0, 0, 0]), places, 1)], ['hip', 'ankle']);
});
