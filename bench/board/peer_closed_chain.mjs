// closed-chain-ik as a contestant of the scoreboard: node peer_closed_chain.mjs FOLDER-OF-node_modules
//
// docs/scoreboard.md has the protocol. Damping, error clamp and iterations are the best of some thirty combinations.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(process.argv[2], 'node_modules/closed-chain-ik');
const core = pathToFileURL(path.join(folder, 'src/core/index.js'));
const { Link, Joint, Goal, Solver, DOF, SOLVE_STATUS } = await import(core);

// --- Frames: row-major 4x4 ---------------------------------------------------------------------------------

const dot = (a, b, i) => [0, 1, 2, 3].reduce((sum, k) => sum + a[(i & 12) + k] * b[4 * k + (i & 3)], 0);
const multiply = (a, b) => a.map((_, i) => dot(a, b, i));
const transpose = (a) => a.map((_, i) => a[4 * (i & 3) + (i >> 2)]);

// The turn that takes z to an axis.
const turnTo = ([x, y, z]) => {
    if (z < -1 + 1e-12) return [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];
    const s = 1 / (1 + z);
    return [1 - x * x * s, -x * y * s, x, 0, -x * y * s, 1 - y * y * s, y, 0, -x, -y, z, 0, 0, 0, 0, 1];
};

// x, y, z, w of the turn: by the largest of the four.
const quaternion = (m) => {
    const at = (r, c) => m[4 * r + c];
    const squares = [1 + at(0, 0) - at(1, 1) - at(2, 2), 1 - at(0, 0) + at(1, 1) - at(2, 2),
        1 - at(0, 0) - at(1, 1) + at(2, 2), 1 + at(0, 0) + at(1, 1) + at(2, 2)];
    const most = squares.indexOf(Math.max(...squares));
    const q = [[squares[0], at(1, 0) + at(0, 1), at(0, 2) + at(2, 0), at(2, 1) - at(1, 2)],
        [at(1, 0) + at(0, 1), squares[1], at(2, 1) + at(1, 2), at(0, 2) - at(2, 0)],
        [at(0, 2) + at(2, 0), at(2, 1) + at(1, 2), squares[2], at(1, 0) - at(0, 1)],
        [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), squares[3]]][most];
    return q.map((value) => value / Math.hypot(...q));
};

const place = (frame, m) => {
    frame.setPosition(m[3], m[7], m[11]);
    frame.setQuaternion(...quaternion(m));
};

// A start that depends on the problem's number alone (mulberry32).
const random = (state) => () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const cpuUs = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
};

// --- One robot -----------------------------------------------------------------------------------------------

// Its joints turn about z or move along it, so each frame is turned to its axis, and turned back before the next.
const makeSolve = (robot) => {
    const root = new Link();
    const joints = [];
    let link = root;
    let back = turnTo([0, 0, 1]);
    robot.frames.forEach((frame, j) => {
        const joint = new Joint();
        const turn = turnTo(robot.axes[j]);
        place(joint, multiply(multiply(back, frame), turn));
        back = transpose(turn);
        joint.setDoF(robot.is_angle[j] ? DOF.EZ : DOF.Z);
        joint.setMinLimits(robot.lower[j] ?? -Infinity);
        joint.setMaxLimits(robot.upper[j] ?? Infinity);
        link.addChild(joint);
        link = new Link();
        joint.addChild(link);
        joints.push(joint);
    });
    const fixed = new Joint();
    const tool = new Link();
    place(fixed, multiply(back, robot.tool));
    link.addChild(fixed);
    fixed.addChild(tool);
    const goal = new Goal();
    goal.makeClosure(tool);
    const solver = Object.assign(new Solver([root, goal]), {
        maxIterations: 20, translationConvergeThreshold: 4e-6, rotationConvergeThreshold: 4e-6, stallThreshold: 1e-7,
        divergeThreshold: 0.05, dampingFactor: 0.03, translationErrorClamp: 0.3, rotationErrorClamp: 0.3,
    });

    const set = (pose) => joints.forEach((joint, j) => joint.setDoFValues(pose[j]));
    const get = () => joints.map((joint) => joint.getDoFValue(joint.dof[0]));
    const randomPose = (next) => joints.map((_, j) => {
        const whole = robot.is_angle[j] ? Math.PI : 1;
        const [lower, upper] = [robot.lower[j] ?? -whole, robot.upper[j] ?? whole];
        return lower + (upper - lower) * next();
    });
    // It throws where every joint is locked at a limit.
    const attempt = () => {
        try {
            return solver.solve()[0] === SOLVE_STATUS.CONVERGED;
        } catch {
            return false;
        }
    };
    return ({ number, target, start }) => {
        const begin = cpuUs();
        const next = random(number);
        place(goal, target);
        set(start);
        for (;;) {
            const solved = attempt();
            const us = cpuUs() - begin;
            if (solved || us > robot.limit_us) return { values: get(), solved, us };
            set(randomPose(next));
        }
    };
};

let solve = null;
let warm = 300; // the compiler of the language learns what is hot from the first few hundred
for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    if (solve) {
        for (; warm > 0; warm--) solve({ ...asked, number: warm });
        console.log(JSON.stringify(solve(asked)));
    } else {
        solve = makeSolve(asked);
        console.log(JSON.stringify({ name: 'closed-chain-ik',
            version: JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version }));
    }
}
