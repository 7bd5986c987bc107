// Memory: what is freed is free again, what is forgotten is freed some time, nothing dangles whatever is freed first,
// and where there is none left that is an error and no more.

import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {check, finish, freshLimber, library, same, thrown} from './setup.mjs';

const limber = await freshLimber(['models', 'problems']);
const size = () => limber.heap.memory.buffer.byteLength;

/** One round of everything that allocates. */
function round() {
    const file = limber.loadProblem('problems/sitting.json');
    const solver = file.problem.solver();
    const pose = file.start.slice();
    solver.solve(pose, file.options);
    const figure = limber.loadFigure('models/panda.fig');
    const kinematics = figure.kinematics();
    const moved = figure.reroot(figure.restPose(), {segment: 3});
    const clip = figure.clip(10, 0.1);
    const track = new limber.Track('frame');
    track.set(0, [0, 0, 0, 0, 0, 0, 1]);
    for (const object of [solver, file, kinematics, figure, moved.figure, clip, track]) object.free();
    thrown(() => limber.loadFigure('nothing.fig'), 'a file that is not there');
    limber.files.set('cut.json', '{"figures": ["human"], "constraints": [{"effector": ');
    thrown(() => limber.loadProblem('cut.json'), 'a file that is cut short');
}
for (let i = 0; i < 20; i++) round();
const before = size();
for (let i = 0; i < 1000; i++) round();
check(size() === before, `memory grew from ${before} to ${size()} in 1000 rounds`);

// Whatever is freed first: what stands on it goes on, and afterwards all is gone.
const figure = limber.loadFigure('models/human.fig');
const problem = new limber.Problem(figure);
problem.add({site: 'right_palm', goal: {kind: 'position', point: [0.4, -0.2, 1.2]}});
const solver = problem.solver();
const pose = figure.restPose();
figure.free();
problem.free();
same(solver.solve(pose).outcome, 'solved', 'a solver whose problem was freed');
solver.free();
solver.free();
check(/freed/.test(thrown(() => solver.solve(pose), 'a solver that was freed').message), 'the message says so');
check(/freed/.test(thrown(() => figure.restPose(), 'a figure that was freed').message), 'the message says so');
if (Symbol.dispose) check(typeof figure[Symbol.dispose] === 'function', 'using works');

// What is forgotten is freed by the garbage collector.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const start = size();
for (let i = 0; i < 1000; i++) {
    limber.loadFigure('models/human.fig');
    if (i % 20 === 0) {
        collect();
        await new Promise((done) => setTimeout(done, 0));
    }
}
check(size() - start < 30e6, `forgotten figures: memory grew by ${size() - start}`);

// Out of memory: an error, and what was there is as it was.
const small = await freshLimber(['models'], {maxMemory: 4 * 65536 * 16});
const kept = small.loadFigure('models/panda.fig');
const held = [];
const error = thrown(() => {
    for (let i = 0; i < 10000; i++) held.push(small.loadFigure('models/human.fig'));
}, 'figures without end');
same(error.statusName, 'memory', 'figures without end');
check(/memory/.test(error.message), error.message);
same(kept.joints.length, limber.loadFigure('models/panda.fig').joints.length, 'what was there is as it was');
for (const one of held) one.free();
check(small.loadFigure('models/human.fig').variableCount > 40, 'and when some is freed it goes on');
check(thrown(() => small.loadFigure('chain:99999'), 'too long a chain').statusName === 'memory',
    'a chain of 99999 joints');

// Functions of the caller that throw, or stop, leave nothing behind.
const chain = limber.loadFigure('chain:8');
const reach = new limber.Problem(chain);
reach.add({segment: chain.segments.length - 1, goal: {kind: 'position', point: [0.2, 0.3, 0.1]}});
const thrower = reach.solver();
let caught = null;
try {
    thrower.solve(chain.restPose().fill(0.2), {onIteration: () => { throw new RangeError('mine'); }, method: 'bfgs'});
} catch (reason) {
    caught = reason;
}
check(caught instanceof RangeError && caught.message === 'mine', `what a callback throws comes through: ${caught}`);
const stopped =
    thrower.solve(chain.restPose().fill(0.2), {onIteration: ({iteration}) => iteration >= 2, method: 'bfgs'});
check(stopped.outcome === 'budget' && stopped.iterations <= 3, `a callback stops: ${JSON.stringify(stopped)}`);
same(thrower.solve(chain.restPose().fill(0.2)).outcome, 'solved', 'and afterwards it solves');
check(thrown(() => thrower.solve(new Float64Array(3)), 'a pose of the wrong length').statusName === 'argument',
    'said so');
check(library.LimberError.prototype instanceof Error, 'LimberError is an Error');
finish(`${(before / 1e6).toFixed(1)} MB`);
