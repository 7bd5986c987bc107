// Drags of the package: a hand follows, the pins hold, the problem is as it was, and the sentence has its parts.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);
const human = limber.loadFigure('models/human.fig');
const problem = new limber.Problem(human);
problem.setBody();
const start = human.restPose();
problem.add(problem.keep('left_palm', start));
const before = problem.constraints();
const kinematics = human.kinematics();
const hand = kinematics.update(start).site(human.findSite('right_palm'));

const drag = problem.drag(start, {effector: 'right_palm'});
let state = drag.move(hand);
check(state.miss < 1e-6 && drag.pose.every((value, k) => Math.abs(value - start[k]) < 0.2), 'taking hold moves little');
const target = {position: [hand.position[0] + 0.3, hand.position[1], hand.position[2] + 0.4]};
for (let k = 1; k <= 200 && !(k > 30 && state.settled); k++) {
    const share = Math.min(1, k / 30);
    state = drag.move({position: hand.position.map((value, i) => value + share * (target.position[i] - value))});
    if (k % 2) drag.think();
}
check(state.settled && state.isThere && state.miss < 1e-3, `the hand is there: ${JSON.stringify(state)}`);
check(drag.result.constraints.length === 2 && drag.result.said.some(({kind}) => kind === 'balance'), 'what came of it');
check(drag.body().margin > 0 && drag.body(1) === null, 'it stands');
const far = {position: [3, 0, 1]};
for (let k = 0; k < 12; k++) state = drag.move(far);
check(drag.explain().said.some(({kind}) => kind === 'missed'), 'and why it is no nearer');
const pose = drag.end();
check(human.violation(pose) < 1e-9, 'limits hold');
check(drag.body().margin > -0.002 && drag.result.said.length > 0, 'who is let go stands, and it is said how');
check(JSON.stringify(problem.constraints()) === JSON.stringify(before), 'the problem is as it was');
same(thrown(() => drag.move(far), 'ended').statusName, 'argument', 'a drag that has ended');

const panda = limber.loadFigure('models/panda.fig');
const arm = new limber.Problem(panda);
const id = arm.add({site: 'tool', goal: {kind: 'position', point: [0.4, 0.1, 0.5]}});
const goal = arm.drag(panda.restPose(), {constraint: id});
for (let k = 0; k < 80; k++) state = goal.move({position: [0.4, 0.2, 0.5]});
check(state.settled && state.isThere, 'a goal is dragged, and the arm follows');
goal.free();
thrown(() => arm.drag(panda.restPose(), {constraint: 99}), 'no such constraint');
thrown(() => arm.drag(panda.restPose(), {effector: 'nose'}), 'no such part');
finish();
