// What is said of a person's goal that is out of reach is what the program says, with reasons: the goals are those of
// cli.sentences. And what holds a pose is what holds it in the program.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, finish, freshLimber, runNative, same, top} from './setup.mjs';

const limber = await freshLimber();
limber.files.set('human.fig', readFileSync(join(top, 'models/human.fig')));
const human = limber.loadFigure('human.fig');
const goals = readFileSync(join(top, 'tests/cli/unreachable.txt'), 'utf8').trim().split('\n');
for (const goal of goals) {
    const [effector, ...words] = goal.split(' '), point = words.map(Number);
    const problem = new limber.Problem(human);
    problem.add({site: effector, goal: {kind: 'position', point}});
    problem.setBody(0);
    const solver = problem.solver(), pose = human.restPose(), {outcome} = solver.solve(pose);
    const {explanation} = solver.explain(pose);
    const asked = runNative(['solve', join(top, 'models/human.fig'), '-g', `${effector} at ${point}`]);
    same(explanation, String(asked.out).split('\n')[0], goal);
    check(explanation.startsWith('Out of reach: ') && !/budget/i.test(explanation), `${goal}: ${explanation}`);
    same(outcome, 'minimum', `${goal}: the outcome`);
}

const stood = new limber.Problem(human);
stood.setBody(0);
const pose = human.poseFromNames({'spine.flexion': 0.5, 'right_shoulder.elevation': 1});
const held = stood.solver().statics(pose);
const report = runNative(['info', join(top, 'models/human.fig'), '--json', '--pose',
    'spine.flexion=0.5,right_shoulder.elevation=1']);
const told = JSON.parse(String(report.out)).statics;
const forces = (list) => list.map(({name, share}) => [name, share]);
same(forces(held.contacts), forces(told.contacts), 'forces');
same(Object.fromEntries(held.efforts.map(({name, share}) => [name, share])), told.efforts, 'efforts');
check(held.imbalance < 1e-6 && held.margin === told.margin_m, 'balance');
finish(`${goals.length} goals`);
