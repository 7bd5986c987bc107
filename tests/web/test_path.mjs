// Paths of the package are those of the native library: the same poses, and what ends a path is told.

import {check, finish, freshLimber, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models']);
const ur5 = limber.loadFigure('models/ur5.fig');
const rotation = [1, 0, 0, 0];
const line = [{position: [0.4, -0.2, 0.4], rotation}, {position: [0.4, 0.2, 0.4], rotation}];
const path = ur5.path('tool', line, {period: 0.02});
same([path.end, path.fraction, path.hasClosed], ['none', 1, true], path.explanation);
check(path.poses.length > 10 && path.throughCount > 1, 'poses');
check(Math.abs(path.duration - 0.02 * (path.poses.length - 1)) < 1e-9, 'its duration');
const kinematics = ur5.kinematics();
const place = (pose) => kinematics.update(pose).site(ur5.findSite('tool')).position;
for (const pose of path.poses) {
    const [x, y, z] = place(pose);
    check(Math.abs(x - 0.4) < 1e-5 && Math.abs(z - 0.4) < 1e-5 && y > -0.2001 && y < 0.2001,
        `off the line: ${[x, y, z]}`);
}
check(path.loadVelocity <= 1 && path.loadAcceleration <= 1 && path.loadAcceleration > 0.5, 'limits');
const short = ur5.path('tool', [{position: [0.4, 0, 0.4]}, {position: [1.4, 0, 0.4]}], {isPosition: true});
same([short.end, short.poses.length], ['reach', 0], short.explanation);
check(short.fraction > 0 && short.fraction < 1, 'where it ends');
const among = new limber.Problem(ur5).avoid({solids: [
    {name: 'wall', kind: 'box', point: [0.5, 0.05, 0.45], halfSize: [0.15, 0.01, 0.15]},
]});
const stopped = ur5.path('tool', line, {avoid: among});
same([stopped.end, stopped.nameB, stopped.poses.length], ['collision', 'wall', 0], stopped.explanation);
check(stopped.fraction > 0.2 && stopped.fraction < 0.7 && stopped.touchingCount > 0, 'where it would touch');
among.avoid({solids: [{kind: 'sphere', point: [2, 2, 2], radius: 0.1}]});
const solver = among.solver();
const clear = ur5.path('tool', line, {avoid: among});
check(clear.end === 'none' && clear.poses.every((pose) => solver.near(pose, -1e-4).length === 0), clear.explanation);
same(thrown(() => ur5.path('tool', [line[0], line[0]]), 'no way').statusName, 'argument', 'the same frame twice');
same(thrown(() => ur5.path('tool', line, {start: [0, 0]}), 'a short start').statusName, 'argument', 'a short start');
finish();
