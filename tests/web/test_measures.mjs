// Manipulability in the package: the wish, and measures that come with every result and with many.

import {check, finish, freshLimber} from './setup.mjs';

const limber = await freshLimber(['models']);
const panda = limber.loadFigure('models/panda.fig');
const problem = new limber.Problem(panda);
const hand = problem.add({site: 'tool', goal: {kind: 'frame', point: [0.4, 0.2, 0.5], x: [1, 0, 0], y: [0, -1, 0]}});
const solver = problem.solver();
const pose = panda.restPose();
const plain = solver.solve(pose);
check(plain.outcome === 'solved' && plain.measures.length === 1 && plain.measures[0].rows === 6, plain.explanation);
check(plain.measures === plain.measures && !Object.keys(plain).includes('measures'),
    'found once, when they are asked for');
check(solver.measure(pose)[0].manipulability === plain.measures[0].manipulability, 'those of the answer');

problem.setManipulability(1);
const better = panda.restPose();
const wished = solver.solve(better);
check(wished.outcome === 'solved' && wished.wishValue > 0, wished.explanation);
check(wished.measures[0].manipulability >= plain.measures[0].manipulability, 'no less than without the wish');
check(plain.measures[0].manipulability === solver.measure(pose)[0].manipulability, 'an older result keeps its own');

const many = limber.solveMany(problem, {ids: [hand], measures: true,
    goals: [
        [{position: [0.4, 0.2, 0.5], rotation: [1, 0, 0, 0]}],
        [{position: [0.5, 0, 0.4], rotation: [1, 0, 0, 0]}],
    ]});
check(many.measures.length === 2 && many.measures[1][0].manipulability > 0, 'as columns');
finish();
