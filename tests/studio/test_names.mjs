// Names in the studio: a segment is an end-effector as a site is, in the engine and in what the page says of a
// document; figures by name and number, colons that belong to names, and the nearest names of what is not there.
import assert from 'node:assert/strict';
import test from 'node:test';
import {effectorFrame} from '../../studio/document/effectors.js';
import {fullName, splitName} from '../../studio/document/names.js';
import {placeNames} from '../../studio/document/goal_names.js';
import {distance, makeEngine, pointOf} from './engine.mjs';

/** Where the wrist is when the elbow is bent by half a radian. */
const BENT = [0.3 * Math.sin(0.5), 0, 0.4 + 0.3 * Math.cos(0.5)];

const PROBLEM = {
    figures: [{file: 'arm.fig', name: 'cam'}, {file: 'arm.fig', name: 'b', at: [1, 0, 0]}],
    start: {elbow: 0.3, '1:elbow': -0.4},
    constraints: [
        {name: 'tool', effector: 'tool0', goal: {kind: 'position', point: BENT}},
        {name: 'other', effector: '1:tool0', goal: {kind: 'position', relative_to: 'b:base_link', point: BENT}},
        {name: 'camera', effector: 'cam:optical', goal: {kind: 'half-space', point: [0, 0, -5], normal: [0, 0, 1]}},
    ],
    keep: ['b:base_link', {site: 'base_link', what: 'position'}],
};

const encode = (text) => new TextEncoder().encode(text);

/** An arm with a joint's place that has a segment's name, and a name with a colon. */
const FIG = `figure arm {
    segment base_link { site elbow->location = trans(0m, 0m, 40cm); site mark->location = trans(1cm, 2cm, 3cm); }
    segment elbow { site origin->location = trans(0m, 0m, 0m); site wrist->location = trans(0m, 0m, 30cm); }
    segment tool0 { site origin->location = trans(0m, 0m, 0m); site mount->location = trans(0m, 0m, 10cm); }
    segment "cam:optical" { site origin->location = trans(0m, 0m, 0m); }
    joint elbow { connect base_link.elbow to elbow.origin; type = R(y); llimit = (-2rad); ulimit = (2rad); }
    joint wrist { connect elbow.wrist to tool0.origin; type = R(x); llimit = (-2rad); ulimit = (2rad); }
    joint mount { connect tool0.mount to "cam:optical".origin; type = fixed; }
    root = base_link;
}`;

async function openFig(problem) {
    const engine = await makeEngine();
    const text = JSON.stringify(problem);
    const files = [{name: 'arm.fig', bytes: encode(FIG)}, {name: 'p.json', bytes: encode(text)}];
    return {engine, ...await engine.open({files})};
}

test('segments are end-effectors, carriers, and can be kept', async () => {
    const {engine, doc, scene, frame} = await openFig(PROBLEM);
    assert.deepEqual(scene.constraints.map(({figure}) => figure), [0, 1, 0, 1, 0]);
    assert.deepEqual(scene.constraints.map(({segment}) => segment), [2, 2, 3, 0, 0]);
    assert.deepEqual(doc.constraints.slice(3).map(({name}) => name), ['pin b:base_link', 'pin base_link']);
    assert.ok(distance(doc.constraints[3].goal.point, [1, 0, 0]) < 1e-12, 'a segment is kept where it is');
    const solved = await engine.solve({});
    assert.equal(solved.constraints.filter(({met}) => met).length, 5, solved.explanation);
    // The page finds them where the engine has them.
    for (const [effector, name, figure] of [['tool0', 'tool0', 0], ['b:tool0', 'tool0', 1], ['1:tool0', 'tool0', 1],
        ['cam:optical', 'cam:optical', 0], ['b:cam:optical', 'cam:optical', 1], ['cam:tool0', 'tool0', 0]]) {
        const at = effectorFrame(scene, frame, effector);
        assert.ok(at, effector);
        assert.ok(distance(at.position, pointOf(scene, frame, name, [0, 0, 0], figure)) < 1e-12, effector);
    }
    assert.equal(effectorFrame(scene, frame, 'tol0'), null);
    // A joint's place that has a segment's name is named in full, and the name means the segment.
    assert.ok(scene.figures[0].sites.some(({name}) => name === 'base_link.elbow'));
    assert.ok(scene.figures[0].sites.every(({name}) => name !== 'elbow'));
    const names = placeNames(scene);
    assert.ok(
        ['cam:tool0', 'b:tool0', 'b:mark', 'b:cam:optical'].every((name) => names.includes(name)), names.join(' '));
    assert.equal(new Set(names).size, names.length);
});

test('reach and root take either, and say what is nearest', async () => {
    const {engine} = await openFig({...PROBLEM, constraints: [], keep: []});
    const cloud = await engine.reach({figure: 0, site: 'tool0', samples: 50});
    assert.ok(cloud.points.length > 0);
    await assert.rejects(
        engine.reach({figure: 0, site: 'tol0', samples: 50}), /no site or segment `tol0`; did you mean `tool0`/);
    await assert.rejects(engine.reach({figure: 0, segment: 'tol0', samples: 50}), /did you mean `tool0`/);
    await assert.rejects(engine.reroot({figure: 0, segment: 'tol0'}), /did you mean `tool0`/);
    await assert.rejects(openFig({...PROBLEM, constraints: [{effector: 'tol0', goal: PROBLEM.constraints[0].goal}]}),
        /constraints\[0\]\.effector: .* did you mean `tool0`/);
});

test('colons are prefixes, or part of names', () => {
    const figure = (name, segments) =>
        ({name, segments: segments.map((own) => ({name: own})), sites: [], joints: [], variables: []});
    const one = {figures: [figure('mixamorig', ['mixamorig:Hips', 'Spine'])]};
    assert.deepEqual(splitName(one, 'mixamorig:Hips'), {figure: 0, name: 'mixamorig:Hips'});
    assert.deepEqual(splitName(one, 'mixamorig:Spine'), {figure: 0, name: 'Spine'});
    const two = {figures: [figure('a', ['x']), figure('b', ['mixamorig:Hips'])]};
    assert.equal(fullName(two, 1, 'mixamorig:Hips'), 'b:mixamorig:Hips');
    assert.equal(fullName(one, 0, 'mixamorig:Hips'), 'mixamorig:Hips');
    assert.deepEqual(splitName(two, 'b:mixamorig:Hips'), {figure: 1, name: 'mixamorig:Hips'});
    assert.deepEqual(splitName(two, '1:mixamorig:Hips'), {figure: 1, name: 'mixamorig:Hips'});
    assert.deepEqual(splitName(two, 'c:x'), {figure: 0, name: 'c:x'});
});
