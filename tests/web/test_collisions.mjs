// Collisions in the package: solids of every kind, distances of pairs, solves that keep clear, files of the table, what
// is wrong.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);
const panda = limber.loadFigure('models/panda.fig');
const problem = new limber.Problem(panda);
const home = panda.restPose();
const hand = problem.add({site: 'tool', goal: {kind: 'position', point: [0.4, 0.1, 0.3]}});
const solver = problem.solver();
same(thrown(() => solver.near(home), 'nothing is kept apart').statusName, 'argument', 'before avoid()');

problem.avoid({self: false, samples: 0, solids: [
    {name: 'box', kind: 'box', point: [1, 0, 0.5], halfSize: [0.1, 2, 2], quaternion: [0, 0, 0, 1]},
    {name: 'hull', kind: 'hull', point: [0, 0, 0], vertices: [
        [0.9, -2, -1.5], [0.9, 2, -1.5], [0.9, -2, 2.5], [0.9, 2, 2.5],
        [1.1, -2, -1.5], [1.1, 2, -1.5], [1.1, -2, 2.5], [1.1, 2, 2.5]]},
    {name: 'wall', kind: 'half-space', point: Float64Array.of(0.9, 0, 0), normal: [-1, 0, 0]},
    {name: 'ball', kind: 'sphere', point: [0, 0, 3], radius: 0.5},
    {name: 'rail', kind: 'capsule', point: [0, -5, 3], to: [0, 5, 3], radius: 0.5},
    {name: 'tube', kind: 'cylinder', point: [0, -5, 3], to: [0, 5, 3], radius: 0.5}]});
const far = new Map(solver.near(home, 50).map((pair) => [`${pair.nameA} ${pair.nameB}`, pair]));
const boxed = far.get('link7 box');
check(boxed && Math.abs(boxed.distance - far.get('link7 hull').distance) < 1e-7 &&
    Math.abs(boxed.distance - far.get('link7 wall').distance) < 1e-7, 'a box, its hull and its front are equally far');
check(Math.abs(boxed.normal[0] + 1) < 1e-6 && Math.abs(boxed.pointB[0] - 0.9) < 1e-6 && boxed.figureB === -1, boxed);
check(far.get('link4 ball').distance >= far.get('link4 rail').distance - 1e-9,
    'a ball of the rail is not nearer than it');
check(Math.abs(far.get('link4 tube').distance - far.get('link4 rail').distance) < 1e-6, 'seen from its side');

problem.avoid({solids: [{name: 'post', kind: 'cylinder', point: [0.45, 0, 0], to: [0.45, 0, 0.7], radius: 0.04}]});
let met = 0;
for (let i = 0; i < 20; i++) {
    const pose = Float64Array.from(home);
    problem.moveGoal(hand, {position: [0.3 + 0.02 * i, 0.5 * Math.sin(3 * i), 0.2 + 0.3 * Math.cos(5 * i) ** 2]});
    const result = solver.solve(pose, {restarts: 50});
    const least = Math.min(...solver.near(pose, 1).map((pair) => pair.distance));
    if (result.outcome === 'solved') met++;
    check(result.outcome !== 'solved' || least > -1e-4, `solution ${i} overlaps by ${-least}`);
}
check(met > 10, `${met} of 20 goals were met`);
problem.moveGoal(hand, {position: [0.45, 0, 0.3]});
const inside = solver.solve(Float64Array.from(home));
check(inside.outcome !== 'solved' && /post/.test(inside.explanation), inside.explanation);

const servo = problem.servo().start(home);
let nearest = 1;
for (let t = 0; t < 1500; t++) {
    const pose = servo.tick();
    if (t % 50 === 0) nearest = Math.min(nearest, ...solver.near(pose).map((pair) => pair.distance));
}
check(nearest > -1e-4 && servo.state.hold === 'collision' && servo.state.pair.b === 'post', servo.state);
servo.free();

limber.files.set('world.json', new TextEncoder().encode(
    '{"solids": [{"name": "stone", "kind": "sphere", "point": [1, 0, 0], "radius": 0.1}]}'));
problem.avoid({world: 'world.json', samples: 0});
const all = solver.near(home, 50).length;
problem.avoid({world: 'world.json', touching: [['link7', 'stone'], ['link2', 'link5']], samples: 0});
same(solver.near(home, 50).length, all - 2, 'pairs that may touch');
problem.avoid(null);
check(thrown(() => solver.near(home), 'taken back') instanceof Error, 'taken back');

const wrong = (options, words) => {
    const error = thrown(() => problem.avoid(options), words);
    check(error.message.includes(words), error.message);
};
wrong({solids: [{kind: 'box', point: [0, 0, 0]}]}, 'half_size');
wrong({solids: [{kind: 'cone'}]}, 'cone');
wrong({solids: [{kind: 'mesh', file: 'a.stl'}]}, 'load({meshes: true})');
wrong({touching: [['link1', 'lnk7']]}, 'link7');
wrong({margin: -1}, 'margin');
// A person keeps clear of a post by the same call, and stands.
const person = new limber.Problem(limber.loadFigure('models/human.fig'));
person.setBody();
person.add({site: 'right_palm', goal: {kind: 'position', point: [0.55, -0.22, 0.9]}});
person.avoid({solids: [{name: 'post', kind: 'cylinder', point: [0.38, -0.22, 0], to: [0.38, -0.22, 1.4], radius: 0.06}]});
const beside = person.solver();
const around = person.restPose();
const past = beside.solve(around);
check(past.outcome === 'solved' && beside.near(around, -1e-4).length === 0, `past a post: ${past.explanation}`);
beside.free();
person.free();

// A figure without shapes keeps nothing apart, and one with some names those that lack them.
const bare = (shape) => {
    limber.files.set('bare.fig', new TextEncoder().encode(`figure bare {
        segment base { site at->location = trans(0cm, 0cm, 10cm); }
        segment arm { site at->location = trans(0cm, 0cm, 0cm); ${shape} }
        joint turn { connect base.at to arm.at; type = R(y); } }`));
    return new limber.Problem(limber.loadFigure('bare.fig'));
};
check(/no segment of the figures has a solid shape/.test(thrown(() => bare('').avoid(), 'no shapes').message), 'no shapes');
const heard = [];
bare('shape = sphere(at, 5cm);').avoid({warn: (warning) => heard.push(warning.message)});
check(heard.length === 1 && /1 of 2 segments of bare have no solid shape.*: base/.test(heard[0]), heard.join('; '));
finish();
