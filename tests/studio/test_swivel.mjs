// Swivels, in the engine: the elbow goes round the line from shoulder to wrist to a tenth of a degree, or to a limit;
// the hand stays to a hundredth of a millimetre, and nothing but the limb moves. People's arms and legs, robots' arms.

import {circleOf, limbOf} from '../../studio/document/limb.js';
import {distance, makeEngine, read, withHuman} from './engine.mjs';

let failed = 0, checked = 0;
function check(what, isSo, detail = '') {
    checked++;
    if (isSo) return;
    failed++;
    console.log(`WRONG: ${what}: ${JSON.stringify(detail)}`);
}

const DEG = Math.PI / 180;
const indexOf = (scene, name) => scene.figures[0].segments.findIndex((segment) => segment.name === name);
const origin = (frame, s) => [3, 7, 11].map((k) => frame.matrices[12 * s + k]);
const turnOf = (a, b, s) => Math.max(...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => Math.abs(a.matrices[12 * s
    + k] - b.matrices[12 * s + k])));

let seed = 7;
const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
};

const {engine, scene} = await withHuman();
const hand = indexOf(scene, 'right_hand'), other = indexOf(scene, 'left_hand');
const found = (name) => limbOf(scene, engine.world.place(engine.world.pose).matrices(), {figure: 0,
    segment: indexOf(scene, name)})?.name;
for (const [part, name] of [['right_hand', 'right_elbow'], ['left_index', 'left_elbow'], ['right_upper_arm',
    'right_elbow'],
    ['left_foot', 'left_knee'], ['right_thigh', 'right_knee'], ['head', undefined], ['pelvis', undefined]]) {
    check(`the limb of ${part}`, found(part) === name, found(part));
}

// Hands in many places before the body; angles all around.
let there = 0, count = 0;
for (let k = 0; k < 12; k++) {
    await engine.dragBegin({figure: 0, segment: hand, point: [0, 0, 0]});
    const point = [0.25 + 0.2 * random(), -0.35 + 0.4 * random(), 0.9 + 0.5 * random()];
    for (let i = 0; i < 30; i++) await engine.dragMove({point});
    await engine.dragEnd({commit: true});
    const before = await engine.pose({values: engine.world.pose}), angle = (300 * random() - 150) * DEG;
    const after = await engine.swivel({figure: 0, segment: hand, angle});
    const {swivel} = after, now = circleOf(limbOf(scene, after.matrices, {figure: 0, segment: hand})).angle;
    count++;
    there += swivel.isThere ? 1 : 0;
    check('the hand stays', distance(origin(before, hand), origin(after, hand)) < 1e-5 && turnOf(before, after,
        hand) < 1e-4,
        {k, at: distance(origin(before, hand), origin(after, hand)), turned: turnOf(before, after, hand)});
    check('nothing else moves', distance(origin(before, other), origin(after, other)) === 0);
    check('it says where the elbow is', Math.abs(now - swivel.angle) < 1e-9);
    if (swivel.isThere) check('the elbow is there', Math.abs(Math.atan2(Math.sin(now - angle),
        Math.cos(now - angle))) < 0.1 * DEG,
        [now / DEG, angle / DEG]);
    const {pose} = after, {variables} = scene.figures[0];
    const out = variables.filter(({index, lower, upper}) => pose[index] < lower - 1e-9 || pose[index] > upper + 1e-9);
    check('limits hold', out.length === 0, out.map(({name}) => name));
}
console.log(`${there} of ${count} angles can be had`);
check('some angles can be had', there >= 3, there);

// There and back.
const start = await engine.pose({values: engine.world.pose});
const from = circleOf(limbOf(scene, start.matrices, {figure: 0, segment: hand})).angle;
await engine.swivel({figure: 0, segment: hand, angle: from + 0.15});
const back = await engine.swivel({figure: 0, segment: hand, angle: from});
check('back where it began', Math.max(...start.pose.map((value, k) => Math.abs(value - back.pose[k]))) < 1e-3,
    Math.max(...start.pose.map((value, k) => Math.abs(value - back.pose[k]))));

// A leg has six variables: the foot's place stays, it turns with the knee.
const foot = indexOf(scene, 'left_foot'), pelvis = indexOf(scene, 'pelvis');
await engine.dragBegin({figure: 0, segment: pelvis, point: [0, 0, 0]});
for (let i = 0; i < 40; i++) await engine.dragMove({point: [0, 0, 0.7]});
await engine.dragEnd({commit: true});
const squat = await engine.pose({values: engine.world.pose});
const knee = circleOf(limbOf(scene, squat.matrices, {figure: 0, segment: foot})).angle;
const out = await engine.swivel({figure: 0, segment: foot, angle: knee + 8 * DEG});
check('a knee goes round', Math.abs(out.swivel.angle - knee) > 4 * DEG, [out.swivel, knee]);
check('its foot stays', distance(origin(squat, foot), origin(out, foot)) < 0.001, distance(origin(squat, foot),
    origin(out, foot)));
check('and turns no more than the knee', out.swivel.turned < 0.4, out.swivel.turned);

// Robots of seven joints; one of six says why not.
for (const model of ['iiwa14', 'pr2_arm', 'baxter_arm', 'panda', 'fetch7']) {
    const robot = await makeEngine(), opened = await robot.open({files: [{name: `${model}.fig`,
        bytes: read(`models/${model}.fig`)}]});
    const {segments, variables} = opened.scene.figures[0], last = segments.length - 1;
    const pose = Float64Array.from(opened.frame.pose);
    variables.forEach(({index, lower, upper}, k) => {
        const [low, high] = [Math.max(lower, -2.5), Math.min(upper, 2.5)];
        pose[index] = low + (high - low) * (0.35 + 0.1 * (k % 4));
    });
    const before = await robot.pose({values: pose}), limb = limbOf(opened.scene, before.matrices, {figure: 0,
        segment: last});
    check(`${model} has a swivel`, Boolean(limb));
    if (!limb) continue;
    const angle = circleOf(limb).angle, after = await robot.swivel({figure: 0, segment: last, angle: angle + 0.3});
    check(`${model} turns`, Math.abs(after.swivel.angle - angle) > 0.05, [after.swivel, angle]);
    check(`${model}: its tool stays`, distance(origin(before, last), origin(after, last)) < 2e-4,
        distance(origin(before, last), origin(after, last)));
}
const six = await makeEngine(), ur5 = await six.open({files: [{name: 'ur5.fig', bytes: read('models/ur5.fig')}]});
const why = await six.swivel({segment: ur5.scene.figures[0].segments.length - 1, angle: 1}).then(() => '',
    (error) => error.message);
check('six joints have none, and it is said', /no limb/.test(why), why);
const wrong = await engine.swivel({segment: hand, angle: NaN}).then(() => '', (error) => error.message);
check('an angle is a number', /number/.test(wrong), wrong);

console.log(`${checked} checks, ${failed} wrong`);
process.exit(failed ? 1 : 0);
