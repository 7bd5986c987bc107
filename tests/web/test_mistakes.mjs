// What somebody types wrong is said, with the word that is wrong, instead of being passed over: goals, options, places.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);

const arm = limber.loadFigure('models/panda.fig');
const problem = new limber.Problem(arm);
const good = {site: 'tool', goal: {kind: 'position', point: [0.4, 0.1, 0.4]}};

/** The mistake is said in a sentence that has these words, and nothing is added. */
const wrong = (what, fn, ...words) => {
    const before = problem.constraints().length;
    const error = thrown(fn, what);
    check(error?.name === 'LimberError', `${what}: ${error}`);
    for (const word of words) check(error?.message?.includes(word), `${what}: ${error?.message}`);
    same(problem.constraints().length, before, what);
};
const goal = (changes) => () => problem.add({...good, goal: {...good.goal, ...changes}});
const constraint = (changes) => () => problem.add({...good, ...changes});

wrong('a misspelt point', goal({pont: [0.4, 0, 0.4]}), 'pont', 'point');
wrong('a misspelt weight', constraint({wieght: 2}), 'wieght', 'weight');
wrong('a misspelt tolerance', constraint({tolerence: 1e-3}), 'tolerence', 'tolerance');
wrong('a weight as text', constraint({weight: '2'}), 'weight', 'number');
wrong('a point of two numbers', goal({point: [0.4, 0.1]}), 'point', '3');
wrong('a point of four numbers', goal({point: [0.4, 0.1, 0, 1]}), 'point', '3');
wrong('a point of text', goal({point: '0.4 0.1 0.4'}), 'point', '3 numbers');
wrong('a number of text in a point', goal({point: [0.4, '0.1', 0.4]}), 'point', 'number');
wrong('a kind that is none', goal({kind: 'positon'}), 'positon', 'position');
wrong('a site that is none', constraint({site: 'tol'}), 'tol', 'tool');
wrong('a rotation that is not unit', goal({kind: 'frame', rotation: [1, 1, 0, 0]}), 'rotation', 'quaternion');
wrong('a rotation of three numbers', goal({kind: 'frame', rotation: [0, 0, 0]}), 'rotation', 'quaternion');
wrong('a figure that is none', constraint({figure: 3}), 'figure', '3');

// A place may be {x, y, z}, and a frame may be given by a rotation.
const home = arm.restPose();
const places = problem.add({...good, goal: {kind: 'position', point: {x: 0.4, y: 0.1, z: 0.5}}});
same(problem.constraint(places).goal.point, [0.4, 0.1, 0.5], 'a place of names');
problem.remove(places);
const turned = problem.add({...good, goal: {kind: 'frame', point: [0.4, 0.1, 0.4], rotation: [1, 0, 0, 0]}});
const {x, y} = problem.constraint(turned).goal;
check(Math.abs(x[0] - 1) < 1e-12 && Math.abs(y[1] + 1) < 1e-12, `the rotation of a frame: ${x}, ${y}`);
const solver = problem.solver();
const pose = Float64Array.from(home);
same(solver.solve(pose).outcome, 'solved', 'a frame by its rotation');
const seen = arm.kinematics().update(pose).site(arm.findSite('tool'));
check(Math.abs(Math.abs(seen.rotation[0]) - 1) < 1e-4, `turned as asked: ${seen.rotation}`);
problem.change(turned, {goal: {rotation: [0, 1, 0, 0]}});
check(Math.abs(problem.constraint(turned).goal.x[0] + 1) < 1e-12, 'another rotation');
const again = problem.add(problem.constraint(turned));
check(again !== turned, 'what was read may be added again');

wrong('a misspelt option', () => solver.solve(pose, {maxIter: 5}), 'maxIter', 'maxIterations');
wrong('an option of text', () => solver.solve(pose, {restarts: 'many'}), 'restarts', 'number');
wrong('a method that is none', () => solver.solve(pose, {method: 'lmm'}), 'lmm', 'lm');
wrong('a pose that is too short', () => solver.solve([0, 0]), '7');
wrong('an option of a body', () => new limber.Problem(limber.loadFigure('models/human.fig')).setBody(0, {balanse: 1}),
    'balanse', 'balance');
wrong('an option of a servo', () => problem.servo({perod: 0.01}), 'perod', 'period');
wrong('an option of collisions', () => problem.avoid({marginn: 0.01}), 'marginn', 'margin');
wrong('a segment of a builder', () => new limber.Builder().addSegment({name: 'link', mas: 2}), 'mas', 'mass');
finish();
