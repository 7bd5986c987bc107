// Closed forms in the package: all solutions are there, reach the goal, and what has none is named.

import {check, finish, freshLimber, same, sameBits, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);
const near = (a, b, tolerance) => a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= tolerance);

/** Where a pose has an end-effector: its point and two directions. */
const placeOf = (figure, pose, site) => figure.kinematics().update(pose).effector(site);

// --- Six joints ------------------------------------------------------------------------------------------------------

const ur5 = limber.loadFigure('models/ur5.fig');
const known = ur5.restPose().map((_, i) => [0.4, -1.1, 1.3, -0.6, 0.9, 0.2][i]);
const goal = ur5.kinematics().update(known).site(ur5.findSite('tool'));
const wanted = placeOf(ur5, known, 'tool');
const closed = ur5.closed('tool');
same([closed.kind, closed.variables], ['parallel', [0, 1, 2, 3, 4, 5]], 'the UR5');
const result = closed.solve(goal, known);
same([result.count, result.allCount, result.solutions.length], [8, 8, 8], 'all of them');
check(result.explanation.length > 10 && result.worstVariable === -1, result.explanation);
check(near(result.solutions[0].values, [...known], 1e-9), 'the start itself is the nearest');
const distances = result.solutions.map(({values}) => Math.hypot(...values.map((x, i) => x - known[i])));
check(distances.every((d, i) => i === 0 || d >= distances[i - 1]), `nearest first: ${distances}`);
check(distances[1] > 0.1, 'and they differ');
result.solutions.forEach((solution, i) => {
    const pose = closed.pose(i, known);
    check(near([...pose], solution.values, 0), `${i}: as a pose`);
    check(near(placeOf(ur5, pose, 'tool'), wanted, 1e-9), `${i}: it is at the goal`);
    check(solution.isInside && !solution.isSingular && solution.error < 1e-11 && solution.condition < 1e4,
        `${i}: ${JSON.stringify(solution)}`);
    check(ur5.violation(pose) <= 1e-9, `${i}: inside its limits`);
    for (let w = 0; w < solution.windingCount; w++) {
        const turns = closed.winding(i, w).map((x, k) => (x - solution.values[k]) / (2 * Math.PI));
        check(turns.every((turn) => Math.abs(turn - Math.round(turn)) < 1e-9), `${i}: whole turns, ${turns}`);
    }
});
check(sameBits(closed.pose(3), (closed.solve(goal, known), closed.pose(3))), 'the same again');

// --- Out of reach, no closed form, mistakes --------------------------------------------------------------------------

const far = closed.solve({position: [3, 0, 0]});
same([far.count, far.allCount, far.solutions], [0, 0, []], 'out of reach');
check(/reach/.test(far.explanation), far.explanation);
const human = limber.loadFigure('models/human.fig');
const unserved = thrown(() => human.closed('right_palm'), 'the whole body');
same(unserved.statusName, 'unsupported', 'the whole body');
check(/^no closed form: /.test(unserved.message), unserved.message);
check(thrown(() => closed.solve(goal, [1, 2]), 'a short pose').statusName === 'argument', 'a short pose');
check(thrown(() => closed.pose(0), 'none was found').message.length > 5, 'no solution has number 0 then');
check(/did you mean/.test(thrown(() => ur5.closed('toool'), 'a wrong name').message), 'the nearest name');
check(/did you mean/.test(thrown(() => ur5.closed('tool', {base: 'bse'}), 'a wrong base').message), 'the nearest base');

// --- Seven joints, planar ones ---------------------------------------------------------------------------------------

const iiwa = limber.loadFigure('models/iiwa14.fig');
const tip = iiwa.segments.at(-1).name;
const limb = iiwa.closed(tip);
const bent = iiwa.restPose().map((_, i) => [0.3, 0.5, -0.2, -1.2, 0.4, 0.7, 0.1][i]);
const frame = iiwa.kinematics().update(bent).segment(iiwa.segments.length - 1);
const swivels = limb.solve(frame, bent);
check(limb.kind === 'limb' && swivels.count > 0, `${limb.kind}: ${swivels.explanation}`);
const {swivelLowRad, swivelHighRad} = swivels.solutions[0];
const middle = limb.swivel(0, (swivelLowRad + swivelHighRad) / 2);
check(middle.length === 7 && near(placeOf(iiwa, middle, tip), placeOf(iiwa, bent, tip), 1e-8), 'another swivel angle');
check(thrown(() => closed.swivel(0, 1), 'six joints have none').message.length > 5, 'six joints have no swivel angle');

const planar = new limber.Builder();
planar.addSite({name: 'foot', segment: planar.addSegment({name: 'ground'})});
planar.addDhChain(0, 'standard', [{a: 1}, {a: 1}]);
const two = planar.finish();
const elbows = two.closed({segment: 2}, {isPosition: true}).solve({position: [1, 1, 0]});
same(elbows.count, 2, 'both elbows');

// --- Freed with its figure still in use ------------------------------------------------------------------------------

ur5.free();
same(closed.solve(goal, known).count, 8, 'a closed form whose figure was freed');
closed.free();
closed.free();
check(/freed/.test(thrown(() => closed.solve(goal, known), 'one that was freed').message), 'the message says so');
finish(result.explanation);
