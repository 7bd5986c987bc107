// Servos of the package keep the limits of speed that they state, follow a slow goal, say what holds them back,
// and rest.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);
const panda = limber.loadFigure('models/panda.fig');
const problem = new limber.Problem(panda);
const start = panda.restPose();
const hand = problem.add({site: 'tool', goal: {kind: 'position', point: [0.4, 0.1, 0.5]}});
const period = 0.001;
const servo = problem.servo({period, speed: 0.5});
check(thrown(() => servo.tick(), 'not started').statusName === 'argument', 'a servo that was not started');
servo.start(start);
const {velocity, acceleration} = servo.limits;

let last = Float64Array.from(start);
let speeds = new Float64Array(start.length);
let worst = 0;
function tick() {
    const pose = servo.tick();
    for (let i = 0; i < pose.length; i++) {
        const v = (pose[i] - last[i]) / period;
        worst = Math.max(worst, Math.abs(v) / velocity[i], Math.abs(v - speeds[i]) / period / acceleration[i]);
        speeds[i] = v;
    }
    last = pose;
}

tick();
check(servo.state.lag > 0.01 && servo.state.hold !== 'none' && servo.state.variable >= 0, 'at first it lags');
for (let t = 0; t < 4000; t++) tick();
check(servo.state.lag < 1e-6 && servo.state.hold === 'none' && servo.state.constraint === -1, 'then it is there');
problem.moveGoal(hand, {position: [-0.3, -0.4, 0.9]}); // a jump
for (let t = 0; t < 500; t++) tick();
problem.moveGoal(hand, {position: [5, 0, 0]}); // out of reach
for (let t = 0; t < 500; t++) tick();
problem.enable(hand, false); // lost
for (let t = 0; t < 2000 && !servo.state.isAtRest; t++) tick();
check(servo.state.isAtRest && servo.velocity.every((v) => v === 0), 'without a goal it rests');
check(worst > 0.5 && worst <= 1 + 1e-9, `limits hold: at most ${worst} of them was used`);

problem.enable(hand, true);
const kinematics = panda.kinematics();
const height = () => kinematics.update(last).site(panda.findSite('tool')).position[2];
servo.start(start).setTwist(hand, [0, 0, -0.05, 0, 0, 0]);
last = Float64Array.from(start);
speeds = new Float64Array(start.length);
const before = height();
for (let t = 0; t < 1000; t++) tick();
check(Math.abs(height() - before + 0.05) < 0.005, `a twist moves it by ${height() - before} m in a second`);
servo.setTwist(hand, null);

const fast = thrown(() => servo.start(start, start.map(() => 100)), 'too fast a start');
check(/speed/.test(fast.message), fast.message);
check(thrown(() => servo.start([0, 0]), 'too few values') instanceof Error, 'too few values');
same(thrown(() => problem.servo({period: -1}), 'a period').statusName, 'argument', 'a period below 0');
servo.free();
check(thrown(() => servo.tick(), 'freed') instanceof Error, 'a servo that was freed');

// A person on a servo stands: its feet stay, its centre of mass is over them, also after a push.
const human = limber.loadFigure('models/human.fig');
const standing = new limber.Problem(human).setBody();
const palm = standing.add({site: 'right_palm', goal: {kind: 'position', point: [0.5, -0.3, 1.2]}});
const feet = standing.servo().start(human.restPose());
check(feet.body() === null, 'no tick, no report');
let pose = feet.tick();
for (let t = 0; t < 1500; t++) pose = feet.tick(pose);
check(feet.state.lag < 1e-4, `the palm is ${feet.state.lag} m from its goal`);
check(feet.body().margin > 0.02 && feet.body().contacts.filter((c) => c.stands).length >= 6, 'it stands');
pose[1] += 0.02;
feet.correct(pose);
for (let t = 0; t < 1500; t++) pose = feet.tick(pose);
check(feet.body().margin > 0.02 && feet.state.lag < 1e-4, 'after a push it stands again');
standing.moveGoal(palm, {position: [2.5, -0.3, 1.2]});
for (let t = 0; t < 3000; t++) pose = feet.tick(pose);
check(feet.body().margin > 0.005 && feet.state.hold !== 'none', `held back by ${feet.state.hold}, it does not fall`);
finish();
