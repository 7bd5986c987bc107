// Pulling: a part of a figure, or a goal, is moved by hand and the figure follows, frame by frame. This is the pull of
// figures without a body - robots, mechanisms, the bare problem; a body's is natural_pull.js.
//
// A pull is a constraint. What holds - pins, balance, obstacles - outweighs it three hundredfold, and what it still
// costs them is taken back by a second solve without the pull, so that they stay within a hundredth of a millimetre
// however far out of reach one pulls. Strict priority levels would say the same, but take 10 to 20 ms a frame of the
// human out of reach (they restore the higher rows after each step), against 1 to 2 ms so; a document with levels of
// its own keeps them.
//
// So that nothing pops, the pull is a carrot: its goal is at most a few centimetres from where the part is now, which
// has the same resting places as the far goal but never a large step; there is a wish to stay, and no variable moves by
// more than a third of a radian a frame. Rounds follow until the part is there, is blocked, or the frame's budget of
// work is spent. Then `settled` is false, and calling again with the same target goes on. Once settled, the same target
// gives the same pose, to the bit.
import {
    add, distance, framePoint, mix, rotationAngle, rotationInvert, rotationMix, rotationMultiply, scale, subtract,
} from '../math/vector.js';
import {frameOf, evaluate, missText, lengthText} from './frame.js';
import {isPin} from './document.js';

const HOLD = 300; /* how much more what holds counts */
const CARROT = 0.05; /* metres that the goal is ahead at most */
const CARROT_TURN = 0.3; /* radians */
const STAY = 3e-3; /* the wish to stay where the pull is blocked, */
const REST = 3e-4; /* and where it is not: nothing swims that the pull does not need */
const ROUNDS = 8;
const EVALUATIONS = 30; /* a frame's work */
const MOVE = 0.3; /* radians or metres that a variable moves in a frame at most, or nearly so */
const CREEP = 1e-5; /* radians or metres that are no move */
const CLOSE = 0.005; /* metres from the target: what is missing is what the wishes cost */
const NEAR = 1e-4; /* metres (and radians) that count as there */
const EXACT = 1e-5; /* metres that what holds may be off */
const POSTURE = 2e-5; /* how much every variable would rather be where it was when the pull began */
const OPTIONS = {tracking: true, maxIterations: 12, gradientTolerance: 1e-7};
/* What is tried when the hand rests: it may take as long as a few frames. */
const WHY = {maxIterations: 30, maxEvaluations: 1500};

/** @param {string} name */
const words = (name) => name.replaceAll('_', ' ').replaceAll('.', ' ');

/** @param {World} world @param {PoseFrame['limits'][number]} limit */
function limitText(world, limit) {
    if (limit.variable < 0) return `${words(limit.name)} at its limit`;
    const variable = world.variable(limit.variable);
    const value = variable.isAngle ? `${Number((limit.value * 180 / Math.PI).toFixed(1))} deg`
        : lengthText(limit.value);
    return `${words(limit.name)} at its ${limit.upper ? 'upper' : 'lower'} limit (${value})`;
}

/**
 * By the constraint's own tolerances.
 * @param {{tolerance: Vec, toleranceAngle: number}} constraint @param {{distance: number, angleRad: number}} result
 */
const isMet = ({tolerance, toleranceAngle}, {distance: far, angleRad}) => far <= Math.min(...tolerance) &&
    angleRad <= toleranceAngle;

/**
 * Near enough for a hand on a mouse: a millimetre. (Pulling goes on to a tenth of that.)
 * @param {Miss} miss
 */
const isThere = ({distance: far, angle}) => far < 1e-3 && angle < 5e-3;

/** @param {string[]} items */
const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}` : items[0]);

export {NEAR, isThere, words};

export class Pull {
    /**
     * @param {World} world it is changed: compile it anew when the pull is over
     * @param {PullSubject} subject what is pulled: constraints, and the point of the segment that they move, turned by
     *     `rotation` there (segment -1: the goal alone says where, no carrot); move: what brings their goals to a frame
     * @param {boolean} hasTurn whether targets have rotations
     */
    constructor(world, subject, hasTurn) {
        this.world = world;
        this.subject = subject;
        this.hasTurn = hasTurn;
        this.settled = false;
        this.blocked = false;
        this.result = /** @type {SolveResult} */ (/** @type {unknown} */ (null)); /* both are there */
        this.target = /** @type {Frame} */ (/** @type {unknown} */ (null)); /* once move() was called */
        this.isAimed = false;
        this.isCleaned = false;
        this.lastMiss = Infinity;
        /** @type {string | null} what was told of why it is no nearer */
        this.told = null;
        /** @type {Frame | null} of a part: where it was taken hold of */
        this.held = null;
        /** @type {string | null} of a goal: its constraint's name, */
        this.goal = null;
        /** @type {SceneConstraint | null} the constraint, */
        this.constraint = null;
        /** @type {Frame | null} and where the goal was */
        this.first = null;
        this.offset = [0, 0, 0];
        this.pose = Float64Array.from(world.pose);
        this.begin = Float64Array.from(world.pose);
        world.place(this.pose);
        this.prepare();
    }

    /** Changes the world's problem to what is pulled, and what holds meanwhile. */
    prepare() {
        const {world, subject} = this;
        /** @type {number[]} */
        this.holding = [];
        /** @type {number[]} */
        this.others = [];
        for (const constraint of world.constraints) {
            if (subject.ids.includes(constraint.id) || constraint.disabled) continue;
            const holds = constraint.from !== 'constraints' || isPin(constraint);
            (holds ? this.holding : this.others).push(constraint.id);
            if (holds) this.hold(constraint);
        }
        /** @type {number} */
        this.posture = subject.segment < 0 ? 0 : POSTURE; /* a goal that is no place would not be quite met */
        world.problem.setWishLevel('goals'); /* the part that is pulled gives way to them, so that it does not twitch */
        world.problem.setPosture(this.begin, this.posture);
        /** @type {number} */
        this.stay = -1;
        this.setStay(0);
    }

    /**
     * Weighs what holds heavily, and wants it back to a hundredth of a millimetre, whatever counts as met.
     * @param {SceneConstraint} constraint
     */
    hold({id, weight, tolerance, toleranceAngle}) {
        this.world.problem.change(id, {
            weight: weight * HOLD, tolerance: tolerance.map((value) => Math.min(value, EXACT)),
                toleranceRad: Math.min(toleranceAngle, 5 * EXACT),
        });
    }

    /** @param {number} weight */
    setStay(weight) {
        const wanted = Math.max(weight, Number(this.world.doc?.wishes?.stay ?? 0));
        if (wanted !== this.stay) this.world.problem.setStay(wanted);
        this.stay = wanted;
    }

    /**
     * Where the pulled point is in the present pose.
     * @returns {Frame}
     */
    here() {
        const {figure, segment, point, rotation = [0, 0, 0, 1]} = this.subject;
        const {kinematics} = this.world;
        kinematics[figure].update(this.world.part(this.pose, figure));
        const frame = this.world.segmentFrame(figure, segment);
        return {position: framePoint(frame, point), rotation: rotationMultiply(frame.rotation, rotation)};
    }

    /** @param {Frame} here @returns {Miss} */
    miss(here) {
        const left = rotationMultiply(this.target.rotation, rotationInvert(here.rotation));
        return {distance: distance(here.position, this.target.position), angle: this.hasTurn ? rotationAngle(left) : 0};
    }

    /**
     * One frame towards a target {position, rotation}.
     * @param {Frame} target
     */
    move(target) {
        const begun = performance.now();
        if (!this.isSame(target)) {
            this.target = target;
            this.settled = false;
            this.told = null;
            this.lastMiss = Infinity;
        }
        if (!this.settled) this.follow();
        return this.frame(begun);
    }

    /** A frame's work. */
    follow() {
        const before = Float64Array.from(this.pose);
        if (this.subject.segment < 0) this.direct();
        else this.chase();
        this.cleanUp(this.slow(before));
        this.settled ||= this.isStuck();
    }

    /**
     * Shortens a frame's move that would be a jump; the next frames make up for it.
     * @param {Float64Array} before
     */
    slow(before) {
        const most = this.moved(before);
        if (most <= MOVE) return false;
        this.pose.forEach((value, k) => { this.pose[k] = before[k] + (value - before[k]) * MOVE / most; });
        this.settled = false;
        return true;
    }

    /** Whether a whole frame, with what holds back in its place, has brought nothing. */
    isStuck() {
        if (this.subject.segment < 0) return false;
        const {distance: far, angle} = this.miss(this.here());
        const miss = far + angle / 6;
        const isStuck = miss > this.lastMiss - NEAR / 10;
        this.lastMiss = miss;
        return isStuck;
    }

    /** @param {Frame} target */
    isSame(target) {
        const old = this.target;
        return old !== null && distance(old.position, target.position) === 0 &&
            old.rotation.every((value, k) => value === target.rotation[k]);
    }

    /** The goal itself is where it should be: for goals that are no place to bring a point to. */
    direct() {
        this.subject.move(this.target);
        this.setStay(REST);
        for (let round = 0, work = 0; round < ROUNDS && work < EVALUATIONS && !this.settled; round++) {
            const before = Float64Array.from(this.pose);
            this.result = this.world.solver.solve(this.pose, OPTIONS);
            work += this.result.evaluations;
            this.settled = this.result.constraints.every(({met, counted}) => met || !counted) ||
                this.moved(before) < CREEP;
        }
    }

    /** @param {Float64Array} before */
    moved(before) {
        return this.pose.reduce((most, value, k) => Math.max(most, Math.abs(value - before[k])), 0);
    }

    chase() {
        const begin = Float64Array.from(this.pose);
        let work = 0;
        let here = this.here();
        let miss = this.miss(here);
        for (let round = 0; round < ROUNDS && work < EVALUATIONS && this.moved(begin) < MOVE / 2; round++) {
            this.setStay(this.blocked ? STAY : REST);
            this.aim(here, miss);
            this.result = this.world.solver.solve(this.pose, OPTIONS);
            work += this.result.evaluations;
            here = this.here();
            const after = this.miss(here);
            const gain = Math.max(miss.distance - after.distance, (miss.angle - after.angle) / 6);
            const asked = Math.max(Math.min(miss.distance, CARROT), Math.min(miss.angle, CARROT_TURN) / 6);
            const isSlow = after.distance > 0.1 * miss.distance;
            miss = after;
            const isClose = this.isAimed && miss.distance < CLOSE;
            this.blocked = !isClose && gain < 0.3 * asked;
            if ((miss.distance < NEAR && miss.angle < NEAR) || (!isClose && gain < 2 * NEAR)) {
                this.settled = true;
                return;
            }
            if (!isClose) this.offset = scale(this.offset, 0.5);
            else if (isSlow) this.lead(here);
        }
    }

    /**
     * What the wishes cost near the target is added to the goal, so that it is met in the end (the method of
     * multipliers).
     * @param {Frame} here
     */
    lead(here) {
        this.offset = add(this.offset, subtract(this.target.position, here.position));
    }

    /**
     * The carrot: the target, or as far on the way to it as a step should go.
     * @param {Frame} here @param {Miss} miss
     */
    aim(here, miss, carrot = CARROT) {
        const share = Math.min(1, carrot / Math.max(miss.distance, 1e-12));
        this.isAimed = share === 1;
        const turn = Math.min(1, carrot / CARROT * CARROT_TURN / Math.max(miss.angle, 1e-12));
        const goal = {
            position: share < 1 ? mix(here.position, this.target.position, share)
                : add(this.target.position, this.offset),
            rotation: this.hasTurn && turn < 1 ? rotationMix(here.rotation, this.target.rotation, turn)
                : this.target.rotation,
        };
        this.subject.move(goal);
    }

    /**
     * What holds goes back to where it was, if the pull has cost it anything.
     * @param {boolean} isNeeded
     */
    cleanUp(isNeeded) {
        const ids = new Set(this.holding);
        const results = this.result.constraints;
        this.isCleaned = isNeeded || results.some((entry) => ids.has(entry.id) && entry.counted && !entry.met);
        if (!this.isCleaned) return;
        const {problem, solver} = this.world;
        const off = [...this.others, ...this.subject.ids];
        for (const id of off) problem.enable(id, false);
        problem.setPosture(this.begin, 0);
        this.setStay(0);
        solver.solve(this.pose, {...OPTIONS, maxIterations: 20});
        problem.setPosture(this.begin, this.posture);
        for (const id of off) problem.enable(id, true);
    }

    /**
     * What would bring the pulled part closer: tried by the solver once it is settled, with the goal where the target
     * is. The next round aims anew.
     */
    reasons() {
        this.subject.move(this.target);
        this.setStay(0);
        evaluate(this.world, this.pose);
        const told = this.world.solver.explain(this.pose, WHY);
        const unmet = told.constraints[told.unmet];
        if (!unmet || !this.subject.ids.includes(unmet.id)) return '';
        const missed = told.said.findIndex(({kind}) => kind === 'missed');
        return told.said.slice(missed + 1).filter(({kind}) => kind !== 'going-on').map(({text}) => `; ${text}`)
            .join('');
    }

    /**
     * What is between the pulled part and its target, in a sentence.
     * @param {PoseFrame['limits']} limits @param {Miss} miss
     */
    explain(limits, miss) {
        const name = words(this.subject.name);
        if (isThere(miss)) return `${name} is there`;
        const strong = limits.filter((limit) => limit.multiplier > 0.05 * limits[0].multiplier).slice(0, 3);
        const what = strong.map((limit) => limitText(this.world, limit));
        const touched = what.length ? `, with ${listed(what)}` : '';
        if (!this.settled) return `${name} ${missText(miss)}${touched}`;
        this.told ??= this.reasons();
        return `as near as it gets: ${name} ${missText(miss)}${this.told || touched}`;
    }

    /**
     * The frame of a pose in this world as nobody pulls.
     * @param {Float64Array} pose
     * @returns {PoseFrame}
     */
    plainFrame(pose) {
        const found = evaluate(this.world, pose);
        this.judge(found);
        const isAllMet = found.constraints.every((entry, k) => k >= this.world.constraints.length || entry.met ||
            !entry.counted);
        return frameOf(this.world, pose, {...found, limits: [], outcome: isAllMet ? 'solved' : 'posed',
            explanation: isAllMet ? 'every goal is met' : found.explanation.slice(found.said[1]?.begin ?? 0)});
    }

    /**
     * What holds is met by its own tolerances, not by those of the pull.
     * @param {Found} found
     */
    judge(found) {
        for (const [k, entry] of found.constraints.entries()) {
            const constraint = this.world.constraints[k];
            if (constraint && entry.counted) entry.met ||= isMet(constraint, entry);
        }
    }

    /** Between frames: bodies ask themselves how they would rather stand. */
    think() {}

    /**
     * What becomes of a foot that is let go: only those of bodies stand.
     * @returns {Landing | null}
     */
    landing() {
        return null;
    }

    /** @param {number} begun @returns {PoseFrame} */
    frame(begun) {
        const {world, subject} = this;
        const found = this.isCleaned ? {...evaluate(world, this.pose), limits: this.result.limits,
            iterations: this.result.iterations}
            : this.result;
        this.judge(found);
        const time = (performance.now() - begun) * 1000;
        const goals = subject.goals?.(this.target) ?? null;
        const frame = frameOf(world, this.pose, found, {time_us: time, settled: this.settled, goals});
        if (subject.segment < 0) return frame;
        const here = this.here();
        const miss = this.miss(here);
        const isMade = isThere(miss);
        return {
            ...frame, limits: isMade ? [] : frame.limits, outcome: isMade ? 'solved' : this.settled ? 'minimum'
                : 'budget',
            explanation: this.explain(isMade ? [] : frame.limits, miss),
            drag: {at: here.position, target: [...this.target.position], name: subject.name, ...miss},
        };
    }
}
