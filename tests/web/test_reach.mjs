// Workspaces in the package: what is within reach, what is proved not to be, and mistakes.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);

// --- A point, a frame, the box ---------------------------------------------------------------------------------------

const ur5 = limber.loadFigure('models/ur5.fig');
const reach = ur5.reach('tool');
const {low, high} = reach.box();
check(low.every((value, k) => value < high[k] && high[k] - value < 3), `the box: ${low}, ${high}`);
const far = reach.point([0.4, 0.2, 1.4]);
check(far.verdict === 'outside' && far.distance > 0.3 && far.distance < 0.6, JSON.stringify(far));
check(reach.frame({position: [0.4, 0.2, 1.4]}).verdict === 'outside', 'a frame that is as far');
let inside = 0;
for (let seed = 1; seed <= 200; seed++) {
    const frame = ur5.kinematics().update(ur5.randomPose(BigInt(seed))).site(ur5.findSite('tool'));
    check(reach.point(frame.position).verdict !== 'outside', `pose ${seed} is there`);
    check(reach.frame(frame).verdict !== 'outside', `pose ${seed} is there, as it is turned`);
    check(frame.position.every((value, k) => value >= low[k] - 1e-9 && value <= high[k] + 1e-9), `${seed}: in the box`);
    inside += reach.point(frame.position).verdict === 'inside';
}
check(inside > 0, 'some of it is proved to be inside');

// --- Known exactly: two links in a plane -----------------------------------------------------------------------------

const planar = limber.loadFigure('models/kb82-arm.fig');
const annulus = planar.reach('c4', {hasFrames: false, moves: [false, true, true], pose: [0, 0, 0]});
const at = (x) => annulus.point([x, 0, 0]);
same([at(0.3 + 0.24 + 0.15).verdict, at(0.3 + 0.24 + 0.17).verdict, at(0.35).verdict], ['inside', 'outside', 'outside'],
    'from 8 to 40 cm of the second joint');
check(at(0.3 + 0.39).isExact && Math.abs(at(0.3 + 0.42).distance - 0.02) < 1e-9, 'and exactly so');

// --- What stands, mistakes -------------------------------------------------------------------------------------------

const human = limber.loadFigure('models/human.fig');
const names = human.variables.map(({name}) => name);
const arm = human.reach('right_palm', {moves: names.map((name) => /^right_(shoulder|elbow|forearm|wrist)/.test(name))});
check(arm.point([1.5, -0.2, 1.2]).verdict === 'outside', 'farther than an arm is long');
check(human.reach('right_palm').box().high[0] < 3, 'the root stands, even if it is free');
check(thrown(() => reach.point([NaN, 0, 0]), 'no number').statusName === 'argument', 'no number');
check(thrown(() => ur5.reach('tool', {moves: [1]}), 'too few').statusName === 'argument', 'too few to move');
check(thrown(() => annulus.frame({position: [0, 0, 0]}), 'frames').statusName === 'unsupported', 'made without frames');
check(/did you mean/.test(thrown(() => ur5.reach('toool'), 'a wrong name').message), 'the nearest name');
reach.free();
check(thrown(() => reach.point([0, 0, 0]), 'freed').message.includes('freed'), 'it was freed');
finish();
