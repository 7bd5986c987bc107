// Pulling: a part of a figure, or a goal, is moved by hand and the body follows, frame by frame.
//
// A pull is a constraint. What holds - pins, balance, obstacles - outweighs it a hundredfold, and what it still costs them
// is taken back by a second solve without the pull, so that they stay within their tolerances however far out of reach one
// pulls. Strict priority levels would say the same, but every frame of the human would then take 10 to 20 ms out of reach
// (levels restore the higher rows after each step), against 1 to 2 ms so; a document with levels of its own keeps them.
//
// So that nothing pops, the pull is a carrot: its goal is at most a few centimetres from where the part is now, which has
// the same resting places as the far goal but never a large step; rounds follow until it is there, is blocked, or the frame's
// budget of work is spent. Then `settled` is false, and calling again with the same target goes on. Once settled, the same
// target gives the same pose, to the bit.
import {between, distance, framePoint, turnAngle, turnBetween, turnInvert, turnMultiply} from './algebra.js';
import {below, chainOf} from './body.js';
import {frameOf, evaluate, missText, lengthText} from './frame.js';
import {isPin} from './document.js';

const HOLD = 100; /* how much more what holds counts */
const CARROT = 0.05; /* metres that the goal is ahead at most */
const CARROT_TURN = 0.3; /* radians */
const STAY = 1e-3; /* the wish to stay where the pull is blocked, */
const REST = 1e-4; /* and where it is not: nothing swims that the pull does not need */
const ROUNDS = 8;
const EVALUATIONS = 30; /* a frame's work */
const MOVE = 0.2; /* radians or metres that a variable moves in a frame before it ends */
const CREEP = 1e-5; /* radians or metres that are no move */
const NEAR = 1e-4; /* metres (and radians) that count as there */
const EXACT = 1e-5; /* metres that what holds may be off */
const IDLE = 0.9; /* rigidity of what neither pulls nor is pulled nor holds */
const OPTIONS = {tracking: true, maxIterations: 12, gradientTolerance: 1e-7};

const words = name => name.replaceAll('_', ' ').replaceAll('.', ' ');

function limitText(world, limit) {
    if (limit.variable < 0) return `${words(limit.name)} at its limit`;
    const variable = world.variable(limit.variable);
    const value = variable.isAngle ? `${Number((limit.value * 180 / Math.PI).toFixed(1))} deg` : lengthText(limit.value);
    return `${words(limit.name)} at its ${limit.upper ? 'upper' : 'lower'} limit (${value})`;
}

/** By the constraint's own tolerances. */
const isMet = ({tolerance, toleranceAngle}, {distance: far, angleRad}) => far <= Math.min(...tolerance) && angleRad <= toleranceAngle;

const listed = items => (items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}` : items[0]);

export class Pull {
    /**
     * @param world   it is changed: compile it anew when the pull is over
     * @param subject {name, ids, figure, segment, point, rotation} what is pulled: constraints, and the point of the segment
     *                that they move, turned by `rotation` there (segment -1: the goal alone says where, no carrot);
     *                move: what brings their goals to a frame
     * @param hasTurn whether targets have rotations
     */
    constructor(world, subject, hasTurn) {
        Object.assign(this, {world, subject, hasTurn, settled: false, blocked: false, result: null, target: null});
        this.pose = Float64Array.from(world.pose);
        this.holding = [];
        this.others = [];
        for (const constraint of world.constraints) {
            if (subject.ids.includes(constraint.id) || constraint.disabled) continue;
            const holds = constraint.from !== 'constraints' || isPin(constraint);
            (holds ? this.holding : this.others).push(constraint.id);
            if (holds) this.hold(constraint);
        }
        this.calm();
        this.stay = -1;
        this.setStay(0);
    }

    /** Toes stay as they are on a pinned foot, and limbs that only serve as counterweights move the less readily. */
    calm() {
        const {world, subject} = this;
        const chains = world.constraints.filter(({id, segment}) => segment >= 0 && [...this.holding, ...this.others, ...subject.ids].includes(id))
            .map(({figure, segment}) => [figure, segment]);
        if (subject.segment >= 0) chains.push([subject.figure, subject.segment]);
        const busy = new Set(chains.flatMap(([figure, segment]) => chainOf(world, figure, segment).flatMap(link => link.variables)));
        const still = new Set(this.heldSegments().flatMap(([figure, segment]) => below(world, figure, segment)));
        for (let v = 0; v < world.pose.length; v++) {
            if (busy.has(v)) continue;
            if (still.has(v)) world.problem.setActive(v, false);
            else world.problem.setRigidity(v, Math.max(IDLE, world.variable(v).rigidity));
        }
    }

    /** Segments whose frames are pinned. */
    heldSegments() {
        return this.world.constraints.filter(({id, segment, goal}) => this.holding.includes(id) && segment >= 0 && goal.kind === 'frame' && !goal.carrier)
            .map(({figure, segment}) => [figure, segment]);
    }

    /** Weighs what holds heavily, and wants it back to a hundredth of a millimetre, whatever counts as met. */
    hold({id, weight, tolerance, toleranceAngle}) {
        this.world.problem.change(id, {
            weight: weight * HOLD, tolerance: tolerance.map(value => Math.min(value, EXACT)), toleranceRad: Math.min(toleranceAngle, 5 * EXACT),
        });
    }

    setStay(weight) {
        const wanted = Math.max(weight, Number(this.world.doc?.wishes?.stay ?? 0));
        if (wanted !== this.stay) this.world.problem.setStay(wanted);
        this.stay = wanted;
    }

    /** Where the pulled point is in the present pose. */
    here() {
        const {figure, segment, point, rotation = [0, 0, 0, 1]} = this.subject;
        const {kinematics} = this.world;
        kinematics[figure].update(this.world.part(this.pose, figure));
        const frame = this.world.segmentFrame(figure, segment);
        return {position: framePoint(frame, point), rotation: turnMultiply(frame.rotation, rotation)};
    }

    miss(here) {
        const turned = this.hasTurn ? turnAngle(turnMultiply(this.target.rotation, turnInvert(here.rotation))) : 0;
        return {distance: distance(here.position, this.target.position), angle: turned};
    }

    /** One frame towards a target {position, rotation}. */
    move(target) {
        const begun = performance.now();
        if (!this.isSame(target)) {
            this.target = target;
            this.settled = false;
        }
        if (!this.settled) {
            if (this.subject.segment < 0) this.direct();
            else this.chase();
            this.cleanUp();
        }
        return this.frame(begun);
    }

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
            this.settled = this.result.constraints.every(({met, counted}) => met || !counted) || this.moved(before) < CREEP;
        }
    }

    moved(before) {
        return this.pose.reduce((most, value, k) => Math.max(most, Math.abs(value - before[k])), 0);
    }

    chase() {
        const begin = Float64Array.from(this.pose);
        let work = 0;
        let here = this.here();
        let miss = this.miss(here);
        for (let round = 0; round < ROUNDS && work < EVALUATIONS && this.moved(begin) < MOVE; round++) {
            this.setStay(this.blocked ? STAY : REST);
            this.aim(here, miss);
            this.result = this.world.solver.solve(this.pose, OPTIONS);
            work += this.result.evaluations;
            here = this.here();
            const after = this.miss(here);
            const gain = Math.max(miss.distance - after.distance, (miss.angle - after.angle) / 6);
            const asked = Math.max(Math.min(miss.distance, CARROT), Math.min(miss.angle, CARROT_TURN) / 6);
            miss = after;
            this.blocked = miss.distance > NEAR && gain < 0.3 * asked;
            if ((miss.distance < NEAR && miss.angle < NEAR) || gain < 2 * NEAR) {
                this.settled = true;
                return;
            }
        }
    }

    /** The carrot: the target, or as far on the way to it as a step should go. */
    aim(here, miss) {
        const share = Math.min(1, CARROT / Math.max(miss.distance, 1e-12));
        const turn = Math.min(1, CARROT_TURN / Math.max(miss.angle, 1e-12));
        const goal = {
            position: share < 1 ? between(here.position, this.target.position, share) : this.target.position,
            rotation: this.hasTurn && turn < 1 ? turnBetween(here.rotation, this.target.rotation, turn) : this.target.rotation,
        };
        this.subject.move(goal);
    }

    /** What holds goes back to where it was, if the pull has cost it anything. */
    cleanUp() {
        const ids = new Set(this.holding);
        const results = this.result.constraints;
        this.isCleaned = results.some(entry => ids.has(entry.id) && entry.counted && !entry.met);
        if (!this.isCleaned) return;
        const {problem, solver} = this.world;
        const off = [...this.others, ...this.subject.ids];
        for (const id of off) problem.enable(id, false);
        solver.solve(this.pose, {...OPTIONS, maxIterations: 20});
        for (const id of off) problem.enable(id, true);
    }

    /** What keeps the pulled part from its target, in a sentence. */
    explain(limits, miss) {
        const name = words(this.subject.name);
        if (miss.distance < NEAR && miss.angle < 10 * NEAR) return `${name} is there`;
        const strong = limits.filter(limit => limit.multiplier > 0.05 * limits[0].multiplier).slice(0, 3);
        const what = strong.map(limit => limitText(this.world, limit));
        if (!what.length) return `${this.settled ? 'as near as it gets, no limit in the way: ' : ''}${name} ${missText(miss)}`;
        return `${listed(what)} ${what.length > 1 ? 'keep' : 'keeps'} ${name} ${missText(miss)}`;
    }

    frame(begun) {
        const {world, subject} = this;
        const found = this.isCleaned ? {...evaluate(world, this.pose), limits: this.result.limits, iterations: this.result.iterations}
            : this.result;
        for (const [k, entry] of found.constraints.entries()) {
            const constraint = world.constraints[k];
            if (constraint && entry.counted) entry.met ||= isMet(constraint, entry);
        }
        const time = (performance.now() - begun) * 1000;
        const goals = subject.goals?.(this.target) ?? null;
        const frame = frameOf(world, this.pose, found, {time_us: time, settled: this.settled, goals});
        if (subject.segment < 0) return frame;
        const here = this.here();
        const miss = this.miss(here);
        const isThere = miss.distance < NEAR && miss.angle < 10 * NEAR;
        return {
            ...frame, limits: isThere ? [] : frame.limits, outcome: isThere ? 'solved' : this.settled ? 'minimum' : 'budget',
            explanation: this.explain(isThere ? [] : frame.limits, miss),
            drag: {at: here.position, target: [...this.target.position], name: subject.name, ...miss},
        };
    }
}
