// Legged figures of the package stand on their feet, reach and say what their motors bear; bases drive.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);

/** A dog: a trunk, and four legs with a hip, a knee and a ball for a foot. */
function dog() {
    const builder = new limber.Builder().setName('dog');
    const trunk = builder.addSegment({name: 'trunk', mass: 10});
    for (const [k, [x, y]] of [[0.25, 0.1], [0.25, -0.1], [-0.25, 0.1], [-0.25, -0.1]].entries()) {
        const [thigh, shank] = ['a', 'b'].map((part) =>
            builder.addSegment({name: `${k}${part}`, mass: 0.4, com: [0, 0, -0.1]}));
        const link = (name, above, at, segment, lower, upper) => builder.addJoint({name, type: 'R(y)', lower: [lower],
            upper: [upper], effort: [50], siteA: builder.addSite({name, segment: above, frame: {position: at}}),
            siteB: builder.addSite({name: 'top', segment})});
        link(`hip${k}`, trunk, [x, y, 0], thigh, -1.5, 1.5);
        link(`knee${k}`, thigh, [0, 0, -0.2], shank, -2.2, 0);
        builder.addShape({kind: 'sphere', segment: shank, frame: {position: [0, 0, -0.2]}, size: [0.02, 0, 0]});
    }
    return builder.finish();
}

const lying = dog();
same([lying.legs(), lying.body], [4, null], 'it has legs, and no body');
const standing = lying.stand();
same([standing.root.isFree, standing.variableCount, standing.legs()], [true, 14, 0],
    'it stands, and could not once more');
same([standing.body.contacts.length, standing.body.contacts[0].radius, standing.body.feet.length], [4, 0.02, 4],
    'on four balls');
check(standing.body.strengths.length === 8 &&
    standing.body.strengths.every(({moment, byAxis}) => moment === 50 && byAxis),
    'efforts are strengths about axes');

const problem = new limber.Problem(standing);
problem.setBody(0);
problem.add({segment: 'trunk', goal: {kind: 'position', point: [0.02, 0, 0.3]}});
const solver = problem.solver();
const pose = standing.restPose();
const {outcome} = solver.solve(pose);
const {contacts, efforts, margin} = solver.body(0);
check(outcome === 'solved' && contacts.every(({stands, point}) => stands && Math.abs(point[2]) < 1e-3),
    'it squats on its feet');
check(margin > 0 && efforts.every(({share}) => share <= 1.0001), 'balanced, and within its efforts');

const arm = limber.loadFigure('models/panda.fig');
same(arm.legs(), 0, 'an arm has no legs');
const refused = thrown(() => arm.stand(), 'an arm that is to stand');
check(refused.statusName === 'unsupported' && /no legs/.test(refused.message), refused.message);
const moving = arm.onPlane([2, 1]);
same(moving.variables.slice(-3).map(({name, upper}) => [name, upper]),
    [['base.x', 2], ['base.y', 1], ['base.yaw', null]], 'a base that drives');
const read = limber.loadFigure('models/panda.fig', {base: 'planar', baseHalf: [2, 1, 0]});
check(read.variableCount === arm.variableCount + 3, 'read so');
finish('legs and bases');
