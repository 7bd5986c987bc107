// closed-chain-ik on one arm: node peer_closed_chain.mjs FOLDER-OF-node_modules TASK ANSWERS
//
// TASK is a line of numbers for each joint (position, quaternion x y z w in the moved frame of the one before, 1 for an
// angle, lower and upper limit; it turns about or moves along z), one for the tool, and one for each instance
// (position, quaternion, start). ANSWERS has a line for each instance: microseconds, restarts, pose.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, taskPath, answersPath] = process.argv.slice(2);
const core = path.resolve(folder, 'node_modules/closed-chain-ik/src/core/index.js');
const { Link, Joint, Goal, Solver, DOF, SOLVE_STATUS } = await import(pathToFileURL(core));

const maxIterations = 20;
const lines = fs.readFileSync(taskPath, 'utf8').trim().split('\n').map((line) => line.trim().split(/\s+/));
const [jointCount, instanceCount, limitUs] = lines.shift().map(Number);
const number = (text) => Number(text.replace('inf', 'Infinity'));
const jointLines = lines.slice(0, jointCount).map((line) => line.map(number));
const toolLine = lines[jointCount].map(number);
const instances = lines.slice(jointCount + 1).map((line) => line.map(number));

const place = (frame, n) => {
    frame.setPosition(n[0], n[1], n[2]);
    frame.setQuaternion(n[3], n[4], n[5], n[6]);
};

const root = new Link();
const joints = [];
let link = root;
for (const n of jointLines) {
    const joint = new Joint();
    place(joint, n);
    joint.setDoF(n[7] ? DOF.EZ : DOF.Z);
    joint.setMinLimits(n[8]);
    joint.setMaxLimits(n[9]);
    link.addChild(joint);
    link = new Link();
    joint.addChild(link);
    joints.push(joint);
}
const fixed = new Joint();
const tool = new Link();
place(fixed, toolLine);
link.addChild(fixed);
fixed.addChild(tool);
const goal = new Goal();
goal.makeClosure(tool);

const solver = new Solver([root, goal]);
solver.maxIterations = maxIterations;
solver.translationConvergeThreshold = 4e-6;
solver.rotationConvergeThreshold = 4e-6;
solver.stallThreshold = 1e-7;
solver.divergeThreshold = 0.05;
solver.dampingFactor = 0.03;
solver.translationErrorClamp = 0.3;
solver.rotationErrorClamp = 0.3;

// A start that depends on the instance and its number alone (mulberry32).
const random = (state) => () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const set = (pose) => joints.forEach((joint, j) => joint.setDoFValues(pose[j]));

const randomPose = (next) => jointLines.map((n) => {
    const whole = n[7] ? Math.PI : 1;
    const lower = Number.isFinite(n[8]) ? n[8] : -whole;
    const upper = Number.isFinite(n[9]) ? n[9] : whole;
    return lower + (upper - lower) * next();
});

const now = () => Number(process.hrtime.bigint()) / 1000;

// It throws where every joint is locked at a limit.
const attempt = () => {
    try {
        return solver.solve()[0];
    } catch {
        return SOLVE_STATUS.STALLED;
    }
};

const solve = (n, index) => {
    const begin = now();
    const next = random(index);
    place(goal, n);
    set(n.slice(7));
    for (let restarts = 0; ; restarts++) {
        const status = attempt();
        const us = now() - begin;
        if (status === SOLVE_STATUS.CONVERGED || us > limitUs) {
            return [us, restarts, ...joints.map((joint) => joint.getDoFValue(joint.dof[0]))];
        }
        set(randomPose(next));
    }
};

// The compiler of the language learns what is hot from the first few hundred.
for (let i = 0; i < Math.min(300, instanceCount); i++) solve(instances[i], i);
let best = instances.map((n, i) => solve(n, i));
for (let repeat = 1; repeat < 3; repeat++) {
    best = instances.map((n, i) => {
        const again = solve(n, i);
        return again[0] < best[i][0] ? again : best[i];
    });
}
fs.writeFileSync(answersPath, best.map((answer) => answer.join(' ') + '\n').join(''));
