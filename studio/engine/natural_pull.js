// The pull of a body: a part of a person is moved by hand and the whole of it is posed anew, frame by frame, by the
// solver's own idea of a body (docs/body.md): feet stay where they stand, the centre of mass stays over them, knees
// bend, the idle arm hangs. Here is only what a hand adds to that.
//
// The pull is a goal below those of the document. It is a carrot: a few centimetres ahead of the part, less far where
// it
// is blocked. An answer counts only where the feet have stayed; solves track, that is
// start from the pose before and make no choices. A hand that rests out of reach has the body choose: where it may
// step, it steps, and the frames that follow show how.
import {distance, framePoint} from '../math/vector.js';
import {bodySentence, evaluate, missText} from './frame.js';
import {Pull, NEAR, isThere, words} from './pull.js';

const CARROT = 0.025; /* metres that the goal is ahead: of longer ones some led into poses that nobody would take, */
const SHORTEST = 0.002; /* and of shorter ones nothing comes */
const CARROT_TURN = 0.3; /* radians that the goal is ahead */
const NEARBY = 0.012; /* metres: a pose that was taken so near is compared with the present one, */
const POSES = 200; /* of so many at most; */
const SLIGHT = 0.02; /* radians that no segment has turned further: a pose is the same; */
const AS_EASY = 0.02; /* costs of terms that differ by less are alike */
const CHANGE = 0.15; /* radians, or metres, that a variable changes in a solve at most, */
const WAY = 10; /* weight of another way to stand, against the terms of the body */
const NEARER = 0.9; /* of how far it was: that is on the way there */
const EASIER = 0.8; /* of the cost of the present way: that is worth the way */
const TRIES = 3; /* frames that bring it no nearer: it is there, or cannot be reached */
const ANEW = {maxIterations: 60, maxEvaluations: 120}; /* to find it, of each start and of all */
const RETHINK = 0.05; /* metres that the part has moved when it is looked for again */
const STILL = 0.01; /* radians that a segment may turn in a frame whatever the step, */
const RATE = 16; /* and for each metre of it: 10 deg a centimetre; */
const CAREFUL = 0.06; /* where it goes over to another way to stand, if it can; */
const FLOWS = 0.9; /* of that: where one changes by so much, the body goes over to another way to stand */
const ITERATIONS = 22; /* a frame's work */
const AGAIN = 14; /* a frame that took no more may go on */
const SLID = 1e-4; /* metres that a foot may be off */
const IDLE = 2; /* frames that bring nothing */
const WORTH_A_STEP = 0.03; /* metres out of reach */
const GLIDE = 0.12; /* radians that a segment turns in a frame where the body chooses another way to stand,
    in the mean */
const SHIFT = 0.03; /* and where its weight shifts */
const MOST_TURN = 0.19; /* radians: an answer that turns a segment further in a frame is asked for again, */
const HALVINGS = 3; /* so often, with half of the way and of the change each time */
const WHY = {maxIterations: 10}; /* of each thing that is tried to say why: the hand rests meanwhile */
const LIFTED = 0.02; /* metres above the floor: a foot that is let go there stays in the air */

/**
 * A point of a sole on the ground, and where.
 * @typedef {{figure: number, segment: number, point: Vec, at: Vec}} Stood
 */

export class NaturalPull extends Pull {
    prepare() {
        const {world, subject} = this;
        /** @type {number} */
        this.carrot = CARROT;
        /** @type {number} */
        this.idle = 0;
        /** @type {Glide | null} */
        this.glide = null;
        /** @type {{name: string, limb: number} | null} */
        this.lifted = subject.isPart ? this.footOf(subject.figure, subject.segment) : null;
        if (this.lifted) this.lift(subject.figure, this.lifted);
        this.isShiftDue = Boolean(this.lifted);
        this.isFlowing = false; /* the way to stand has come to its end */
        this.isCareful = false; /* the next frame changes less */
        this.isThinkDue = false; /* whether another way to stand is to be looked for */
        /** @type {number | null} */
        this.ease = null; /* what the present way to stand costs, where that is known */
        /** @type {Float64Array | null} */
        this.way = null; /* the pose that the body goes over to, while the part follows the hand */
        /** @type {number} */
        this.wayTries = 0; /* frames that brought the body no nearer to it */
        /** @type {number} */
        this.wayFar = Infinity;
        /** @type {Vec | null} */
        this.asked = null; /* where the part was when the body last asked itself how to stand */
        /** @type {{point: Vec, cost: number, pose: Float64Array}[]} */
        this.poses = [];
        this.steps = ''; /* what feet have done since the part was taken hold of, in words */
        /** @type {number} */
        this.glides = 0; /* how often the body chose another way to stand */
        this.hasRested = false;
        /** @type {PoseFrame['body']} */
        this.body = null;
        /** @type {Stood[]} */
        this.stood = this.standing();
        /** @type {LimberOptions} */
        this.options = {tracking: true, maxIterations: ITERATIONS};
        /** @type {Set<number>} eyes are quick: where their rows begin in the matrices of all segments */
        this.eyes = new Set(world.figures.flatMap(({segments}, k) => segments.map(({name}, i) =>
            (/eye/i.test(name) ? 12 * (world.firstSegment[k] + i) : -1))));
        this.isFree = world.constraints.every(({chainStart}) => chainStart < 0) && !subject.isChained;
    }

    /**
     * The foot that a segment belongs to: that of a heel, a ball or a toe; null where it is none.
     * @param {number} figure @param {number} segment
     */
    footOf(figure, segment) {
        const {body} = this.world.figures[figure];
        const point = body?.contacts.find((contact) => contact.segment === segment && contact.limb >= 0 &&
            ['heel', 'ball', 'toe'].includes(contact.kind));
        return body && point ? body.feet.find(({limb}) => limb === point.limb) ?? null : null;
    }

    /**
     * A foot that is pulled carries nothing.
     * @param {number} figure @param {{name: string}} foot
     */
    lift(figure, {name}) {
        const {problem} = this.world;
        const options = problem.body(figure);
        if (options) problem.setBody(figure, {...options, foot: {...options.foot, [name]: 'lifted'}});
    }

    /** Points of the soles that are on the ground, where they are. */
    standing() {
        const {world} = this;
        return world.figures.flatMap((figure, k) => {
            const options = world.problem.body(k);
            const {body} = figure;
            if (!options || !body) return [];
            const lifted = body.feet.filter(({name}) => options.foot[name] === 'lifted' ||
                options.foot[name] === 'step').map(({limb}) => limb);
            return body.contacts
                .filter(({kind, limb}) => (kind === 'ball' || kind === 'toe') && !lifted.includes(limb))
                .map(({segment, point}) => ({figure: k, segment, point, at: this.pointAt(k, segment, point)}))
                .filter(({at}) => at[2] < options.floor + 0.01);
        });
    }

    /** @param {number} figure @param {number} segment @param {Vec} point */
    pointAt(figure, segment, point) {
        return framePoint(this.world.segmentFrame(figure, segment), point);
    }

    /**
     * How far feet are from where they stood, in metres.
     * @param {Float64Array} pose @param {Stood[]} [stood]
     */
    slid(pose, stood = this.stood) {
        this.world.place(pose);
        return Math.max(0, ...stood.map(({figure, segment, point, at}) =>
            distance(at, this.pointAt(figure, segment, point))));
    }

    follow() {
        this.think();
        if (this.isShiftDue) this.shift();
        if (this.glide) this.glideOn();
        else if (this.subject.segment < 0) this.direct();
        else this.chase();
    }

    /** The weight goes over the other foot before this one leaves the ground: the frames that follow show it. */
    shift() {
        this.isShiftDue = false;
        const trial = Float64Array.from(this.pose);
        this.subject.move(this.here());
        const result = this.world.solver.solve(trial, {...this.options, maxIterations: 4 * ITERATIONS});
        if (result.outcome !== 'solved' || this.slid(trial) > SLID) return;
        this.glideTo(trial, result, {isEnd: false, pace: SHIFT});
    }

    /** The goal itself is where it should be: for goals that are no place to bring a point to. */
    direct() {
        this.subject.move(this.target);
        const before = Float64Array.from(this.pose);
        this.result = this.world.solver.solve(this.pose, this.options);
        this.noteBody();
        this.settled = this.result.outcome !== 'budget' || this.moved(before) < 1e-6;
    }

    chase() {
        const begin = Float64Array.from(this.pose);
        let work = 0;
        do {
            const before = this.miss(this.here());
            this.aim(this.here(), before, this.carrot);
            const {trial, result, change} = this.smoothStep(before, ITERATIONS - work);
            work += result.iterations;
            if (this.isFree) this.watchWay(trial, result, change);
            if (this.slid(trial) > SLID) {
                this.world.place(this.pose);
                this.shorten();
                this.result ??= result;
                continue;
            }
            this.pose.set(trial);
            this.world.place(this.pose); /* what was tried last may be another */
            this.result = result;
            this.noteBody();
            this.judgeProgress(before, this.miss(this.here()), result);
        } while (work <= AGAIN && !this.settled && !this.isUnderWay() && !this.hasTurnedFar(begin));
        if (this.isFree) this.noteThought();
        if (this.settled && !(this.isFree && this.remember())) this.rest();
    }

    /* --- From one way to stand to another ------------------------------------------------------------------------ */

    isUnderWay() {
        return this.isFlowing || Boolean(this.way);
    }

    /**
     * Where a way to stand comes to its end, answers are as far from the pose before as they may be: the body goes over
     * to another one a bit in each frame, while the part follows the hand.
     * @param {Float64Array} trial @param {SolveResult} result @param {number} change
     */
    watchWay(trial, {outcome}, change) {
        const isSolved = outcome === 'solved';
        const wasFlowing = this.isFlowing;
        this.isFlowing = !this.way && isSolved &&
            this.farFrom(this.pose, trial) > FLOWS * change;
        if (this.isFlowing && !wasFlowing) this.glides++;
        this.ease = isSolved && !this.way ? this.cost() : null;
        this.isCareful = Boolean(this.way) && isSolved;
        if (this.way) this.watchArrival(this.way, isSolved ? trial : this.pose);
    }

    /**
     * The body has arrived where it comes no nearer to the pose that it prefers.
     * @param {Float64Array} way @param {Float64Array} pose
     */
    watchArrival(way, pose) {
        const far = this.farFrom(way, pose);
        this.wayTries = far < NEARER * this.wayFar ? 0 : this.wayTries + 1;
        this.wayFar = Math.min(this.wayFar, far);
        if (this.wayTries >= TRIES) this.endWay();
    }

    /**
     * Now and then the body asks itself how it would stand if it began anew, and goes over to that where it is easier.
     * The worker calls this once a frame has been sent; else the next frame begins with it.
     */
    think() {
        if (!this.isThinkDue) return;
        this.isThinkDue = false;
        this.asked = this.here().position;
        this.aim(this.here(), this.miss(this.here()), this.carrot);
        const other = this.standAnew(this.ease ?? 0);
        this.world.place(this.pose);
        if (!other) return;
        this.glides++;
        this.beginWay(other);
    }

    /** It does so where the part has moved on, and what the present way to stand costs is known. */
    noteThought() {
        const {position} = this.here();
        this.asked ??= position;
        this.isThinkDue = !this.way && !this.lifted && this.ease !== null && distance(this.asked, position) > RETHINK;
        this.settled &&= !this.isThinkDue;
    }

    /**
     * How the body would stand if it had not moved yet, with its feet where they are; null where that costs more.
     * @param {number} cost
     */
    standAnew(cost) {
        const {problem, solver, figures} = this.world;
        const options = figures.map((_, k) => problem.body(k));
        /** @param {Feet} foot @returns {Feet} */
        const planted = (foot) => Object.fromEntries(Object.entries(foot)
            .map(([name, mode]) => [name, mode === 'auto' ? 'planted' : mode]));
        options.forEach((one, k) => one && problem.setBody(k, {...one, foot: planted(one.foot)}));
        const trial = Float64Array.from(this.begin);
        const {outcome} = solver.solve(trial, ANEW);
        const isBetter = outcome === 'solved' && this.cost() < EASIER * cost;
        options.forEach((one, k) => one && problem.setBody(k, one));
        return isBetter && this.slid(trial) <= SLID ? trial : null;
    }

    /**
     * From here on the body prefers this pose to all else, below its goals.
     * @param {Float64Array} pose
     */
    beginWay(pose) {
        this.way = pose;
        this.wayTries = 0;
        this.wayFar = Infinity;
        this.isFlowing = false;
        this.isCareful = true;
        this.world.problem.setPosture(pose, WAY);
    }

    endWay() {
        this.way = null;
        this.world.problem.setPosture(this.pose, 0);
    }

    /**
     * The same with as much change as a frame may have; where that turns a segment far for a short step, with less.
     * @param {Miss} miss @param {number} maxIterations
     */
    smoothStep(miss, maxIterations) {
        const {distance: far, angle} = miss;
        const step = this.step(this.isCareful ? CAREFUL : CHANGE, maxIterations);
        if (!this.isFree) return step;
        const moved = Math.min(this.carrot, far) + Math.min(angle, CARROT_TURN) / 6;
        const turn = this.turnTo(step.trial);
        if (this.isCareful || turn < STILL + RATE * moved) {
            return turn > MOST_TURN ? this.slowed(step, miss, maxIterations) : step;
        }
        const careful = this.step(CAREFUL, maxIterations);
        return this.slowed(careful.result.outcome === 'solved' ? careful : step, miss, maxIterations);
    }

    /**
     * A step that turns a segment no further than a frame may: a hand about its wrist, as small steps of its palm can.
     * @param {ReturnType<NaturalPull['step']>} step @param {Miss} miss @param {number} maxIterations
     */
    slowed(step, miss, maxIterations) {
        let slower = step;
        let carrot = Math.min(this.carrot, miss.distance);
        for (let k = 0; k < HALVINGS && this.turnTo(slower.trial, this.eyes) > MOST_TURN; k++) {
            this.world.place(this.pose);
            this.aim(this.here(), miss, carrot /= 2);
            const next = this.step(slower.change / 2, maxIterations);
            if (next.result.outcome !== 'solved' || this.slid(next.trial) > SLID) return slower;
            slower = next;
        }
        return slower;
    }

    /**
     * One solve towards where the goal is, of which no variable changes by more than `change`.
     * @param {number} change @param {number} maxIterations
     */
    step(change, maxIterations) {
        const trial = Float64Array.from(this.pose);
        const result = this.world.solver.solve(trial, {...this.options, maxChange: change, maxIterations});
        return {trial, result, change};
    }

    /**
     * The largest difference of a variable between two poses, in radians or metres.
     * @param {Float64Array} pose @param {Float64Array} other
     */
    farFrom(pose, other) {
        return pose.reduce((most, value, k) => Math.max(most, Math.abs(value - other[k])), 0);
    }

    /**
     * A hand that comes back finds the body as it was: poses on the way are remembered, and where one near here was
     * easier than the present one, the body goes back to it. So closed loops end where they began, and nobody stays
     * bent over where nothing asks for it. Returns whether the body is under way.
     */
    remember() {
        if (this.hasTurn) return false;
        const here = this.here().position;
        const cost = this.cost();
        const near = this.poses.reduce((best, one) => (distance(one.point, here) < distance(best.point, here) ? one
            : best), {point: [Infinity, 0, 0], cost: Infinity, pose: this.pose});
        const far = distance(near.point, here);
        if (!(far < NEARBY)) {
            if (this.poses.length < POSES) this.poses.push({point: here, cost, pose: Float64Array.from(this.pose)});
            return false;
        }
        const isHere = far < NEAR;
        if (isHere && near.cost > cost + AS_EASY) Object.assign(near, {cost, pose: Float64Array.from(this.pose)});
        const limit = isHere ? cost + AS_EASY : 0.9 * cost - AS_EASY;
        return near.cost < limit && this.turnTo(near.pose) > SLIGHT && this.goBack(near.pose, limit);
    }

    /**
     * The way back to what was easier, where that meets the goal, too, and costs less than a limit. Feet that have
     * stepped since step back.
     * @param {Float64Array} pose @param {number} limit
     */
    goBack(pose, limit) {
        const trial = Float64Array.from(pose);
        this.world.place(pose);
        const stood = this.standing();
        this.aim(this.here(), this.miss(this.here()), CARROT);
        const result = this.world.solver.solve(trial, this.options);
        if (result.outcome !== 'solved' || this.slid(trial, stood) > SLID || this.cost() >= limit) {
            this.world.place(this.pose);
            return false;
        }
        this.glideTo(trial, result, {isEnd: true, pace: GLIDE});
        return true;
    }

    /** What the terms of the bodies cost at the last answer. */
    cost() {
        return this.world.figures.reduce((sum, _, k) => sum + Object.values(this.world.solver.body(k)?.terms ?? {})
            .reduce((all, value) => all + value, 0), 0);
    }

    /**
     * Whether a body that moves as it likes has turned about as far in this frame as it may.
     * @param {Float64Array} begin
     */
    hasTurnedFar(begin) {
        if (!this.isFree) return false;
        const turn = this.turnTo(begin, this.eyes);
        this.world.place(this.pose);
        return turn >= MOST_TURN / 3;
    }

    /**
     * The widest turn of a segment from the present pose to another, in radians; but for some.
     * @param {Float64Array} pose @param {Set<number>} [but]
     */
    turnTo(pose, but) {
        const before = this.world.place(this.pose).matrices();
        return widestTurn(before, this.world.place(pose).matrices(), but);
    }

    shorten() {
        this.carrot /= 3;
        if (this.carrot >= SHORTEST) return;
        this.carrot = SHORTEST;
        this.settled = ++this.idle >= IDLE;
    }

    /** @param {Miss} before @param {Miss} after @param {SolveResult} result */
    judgeProgress(before, after, result) {
        const isMet = result.outcome === 'solved';
        const gain = Math.max(before.distance - after.distance, (before.angle - after.angle) / 6);
        this.blocked = !isMet;
        if (isMet) this.carrot = Math.min(CARROT, 1.5 * this.carrot);
        else this.carrot = Math.max(5 * SHORTEST, this.carrot / 2);
        this.idle = gain < 2 * NEAR && !this.isUnderWay() ? this.idle + 1 : 0;
        this.settled = !this.isUnderWay() && ((after.distance < NEAR && after.angle < NEAR) || this.idle >= IDLE);
    }

    /** Towards a new target all may be tried again. */
    renew() {
        this.idle = 0;
        if (this.glide?.isEnd) this.glide = null;
        this.carrot = Math.max(this.carrot, 5 * SHORTEST);
    }

    /* --- A hand that rests out of reach -------------------------------------------------------------------------- */

    /** The body may step to what it cannot reach where it stands. */
    rest() {
        const {distance: far} = this.miss(this.here());
        if (this.lifted || !this.isFree || far < WORTH_A_STEP || this.hasRested) return;
        this.hasRested = true;
        const trial = Float64Array.from(this.pose);
        this.subject.move(this.target);
        const result = this.world.solver.solve(trial, {});
        if (result.outcome !== 'solved') return;
        this.steps = lowered(result.said.find(({kind}) => kind === 'step')?.text ?? '');
        this.glideTo(trial, result, {isEnd: true, pace: GLIDE});
    }

    /**
     * Goes to a pose in frames of which none is a jump. isEnd: the pull has arrived with it.
     * @param {Float64Array} pose @param {SolveResult} result @param {{isEnd: boolean, pace: number}} how
     */
    glideTo(pose, result, {isEnd, pace}) {
        this.glide = {from: Float64Array.from(this.pose), to: pose, done: 0, result, body: this.bodies(), isEnd,
            step: Math.min(1, pace / Math.max(this.turnTo(pose), 1e-9))};
        this.glides++;
        this.settled = false;
        this.result ??= result;
    }

    /** The way to where the body has stepped, or stands on one foot. */
    glideOn() {
        const {glide} = this;
        if (!glide) return;
        const {from, to, step, result, body, isEnd} = glide;
        glide.done = Math.min(1, glide.done + step);
        const part = glide.done * glide.done * (3 - 2 * glide.done);
        this.pose.forEach((_, k) => { this.pose[k] = from[k] + (to[k] - from[k]) * part; });
        if (glide.done < 1) return;
        this.pose.set(to);
        Object.assign(this, {result, body, glide: null, settled: isEnd});
        this.world.place(this.pose);
        this.stood = this.standing();
    }

    /** @param {Frame} target */
    move(target) {
        if (!this.isSame(target)) {
            this.renew();
            this.hasRested = false;
        }
        return super.move(target);
    }

    /* --- What came of it ----------------------------------------------------------------------------------------- */

    bodies() {
        return this.world.bodies();
    }

    noteBody() {
        this.body = this.bodies();
    }

    standingNow() {
        return this.body ? {body: this.body, stance: bodySentence(this.result)} : {};
    }

    cleanUp() {}

    judge() {}

    /**
     * What the body does, as the solver says it; and what is between the part and its target.
     * @param {PoseFrame['limits']} limits @param {Miss} miss
     */
    explain(limits, miss) {
        const name = words(this.subject.name);
        const stands = bodySentence(this.result);
        const hasStep = this.result?.said.some(({kind}) => kind === 'step');
        const told = [hasStep ? '' : this.steps, stands].filter(Boolean).join('; ');
        if (isThere(miss)) return told ? `${name} is there; ${told}` : `${name} is there`;
        const short = `${name} ${missText(miss)}`;
        if (this.settled) this.told ??= this.reasons() || short;
        return [this.settled ? `as near as it gets: ${this.told}` : short, told].filter(Boolean).join('; ');
    }

    /** What a person would say of what is out of reach: "28 cm too far without a step; would fall forward". */
    reasons() {
        this.subject.move(this.target);
        evaluate(this.world, this.pose);
        const {said} = this.world.solver.explain(this.pose, WHY);
        return said.filter(({kind}) => kind === 'missed' || kind === 'blocked').map(({text}) => text).join('; ');
    }

    /** @param {number} begun @returns {PoseFrame} */
    frame(begun) {
        return {...super.frame(begun), ...this.standingNow()};
    }

    /** @param {Float64Array} pose @returns {PoseFrame} */
    plainFrame(pose) {
        return {...super.plainFrame(pose), ...this.standingNow()};
    }

    /**
     * A foot that was pulled up stays in the air, where it is; one that was put down stands again.
     * @returns {Landing | null}
     */
    landing() {
        const {lifted} = this;
        const {figure} = this.subject;
        const {body} = this.world.figures[figure];
        const options = this.world.problem.body(figure);
        if (!lifted || !body || !options) return null;
        this.world.place(this.pose);
        const heights = body.contacts.filter(({limb}) => limb === lifted.limb)
            .filter(({kind}) => kind !== 'knee')
            .map(({segment, point}) => this.pointAt(figure, segment, point)[2] - options.floor);
        return {figure, foot: lifted.name, isUp: Math.min(...heights) > LIFTED};
    }
}

/** @param {string} text */
const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * The widest rotation of a segment between two poses, given by their matrices, in radians; but for some.
 * @param {Float64Array} before @param {Float64Array} after @param {Set<number>} [but]
 */
function widestTurn(before, after, but) {
    let least = 3; /* trace of a rotation by the angle a: 1 + 2 cos a */
    for (let at = 0; at < before.length; at += 12) {
        if (but?.has(at)) continue;
        let trace = 0;
        for (let row = at; row < at + 12; row += 4) {
            trace += before[row] * after[row] + before[row + 1] * after[row + 1] + before[row + 2] * after[row + 2];
        }
        least = Math.min(least, trace);
    }
    return Math.acos(Math.max(-1, Math.min(1, (least - 1) / 2)));
}
