// The pull of a body: a part of a person is moved by hand and the whole of it is posed anew, frame by frame, by the
// solver's own idea of a body (docs/body.md): feet stay where they stand, the centre of mass stays over them, knees
// bend, the idle arm hangs. Here is only what a hand adds to that.
//
// The pull is a goal below those of the document. It is a carrot: a few centimetres ahead of the part, less far where
// it
// is blocked. An answer counts only where the feet have stayed; solves track, that is
// start from the pose before and make no choices. A hand that rests out of reach has the body choose: where it may
// step, it steps, and the frames that follow show how.
import {distance, framePoint} from '../algebra.js';
import {bodySentence, evaluate, missText} from './frame.js';
import {Pull, NEAR, isThere, words} from './pull.js';

const CARROT = 0.025; /* metres that the goal is ahead: of longer ones some led into poses that nobody would take, */
const SHORTEST = 0.002; /* and of shorter ones nothing comes */
const FINEST = 0.001; /* metres: where an answer jumps, the goal is no nearer than this */
const STILL = 0.01; /* radians that a segment may turn whatever the step, */
const RATE = 16; /* and for each metre of it: 10 deg a centimetre */
const WIDE = 0.19; /* radians that no frame turns a segment at once */
const CARROT_TURN = 0.3; /* radians that the goal is ahead */
const NEARBY = 0.012; /* metres: a pose that was taken so near is compared with the present one, */
const POSES = 200; /* of so many at most; */
const SLIGHT = 0.02; /* radians that no segment has turned further: a pose is the same; */
const AS_EASY = 0.02; /* costs of terms that differ by less are alike */
const ITERATIONS = 40; /* a frame's work */
const AGAIN = 14; /* a frame that took no more may go on */
const SLID = 1e-4; /* metres that a foot may be off */
const IDLE = 2; /* frames that bring nothing */
const WORTH_A_STEP = 0.03; /* metres out of reach */
const GLIDE = 0.12; /* radians that a segment turns in a frame where the body chooses another way to stand,
    in the mean */
const SHIFT = 0.03; /* and where its weight shifts */
const WHY = {maxIterations: 10}; /* of each thing that is tried to say why: the hand rests meanwhile */
const LIFTED = 0.02; /* metres above the floor: a foot that is let go there stays in the air */

export class NaturalPull extends Pull {
    prepare() {
        const {world, subject} = this;
        this.carrot = CARROT;
        this.idle = 0;
        this.glide = null;
        this.lifted = subject.isPart ? this.footOf(subject.figure, subject.segment) : null;
        if (this.lifted) this.lift(subject.figure, this.lifted);
        this.isShiftDue = Boolean(this.lifted);
        this.hasDetour = false; /* another way to stand was passed by */
        this.deadEnd = null; /* a target to which it did not help */
        this.poses = [];
        this.glides = 0; /* how often the body chose another way to stand */
        this.stood = this.standing();
        this.options = {tracking: true, maxIterations: ITERATIONS};
        this.isFree = world.constraints.every(({chainStart}) => chainStart < 0) && !subject.isChained;
    }

    /** The foot that a segment belongs to: that of a heel, a ball or a toe; null where it is none. */
    footOf(figure, segment) {
        const {body} = this.world.figures[figure];
        const point = body?.contacts.find((contact) => contact.segment === segment && contact.limb >= 0 &&
            ['heel', 'ball', 'toe'].includes(contact.kind));
        return point ? body.feet.find(({limb}) => limb === point.limb) ?? null : null;
    }

    /** A foot that is pulled carries nothing. */
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
            if (!options) return [];
            const lifted = figure.body.feet.filter(({name}) => options.foot[name] === 'lifted' ||
                options.foot[name] === 'step').map(({limb}) => limb);
            return figure.body.contacts
                .filter(({kind, limb}) => (kind === 'ball' || kind === 'toe') && !lifted.includes(limb))
                .map(({segment, point}) => ({figure: k, segment, point, at: this.pointAt(k, segment, point)}))
                .filter(({at}) => at[2] < options.floor + 0.01);
        });
    }

    pointAt(figure, segment, point) {
        return framePoint(this.world.segmentFrame(figure, segment), point);
    }

    /** How far feet are from where they stood, in metres. */
    slid(pose) {
        this.world.place(pose);
        return Math.max(0, ...this.stood.map(({figure, segment, point, at}) =>
            distance(at, this.pointAt(figure, segment, point))));
    }

    follow() {
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
        let work = 0;
        do {
            const before = this.miss(this.here());
            const trial = Float64Array.from(this.pose);
            this.aim(this.here(), before, this.carrot);
            const result = this.world.solver.solve(trial, {...this.options, maxIterations: ITERATIONS - work});
            work += result.iterations;
            const turn = this.turnTo(trial);
            if (this.isJump(turn, before)) {
                this.hasDetour = true;
                this.carrot = Math.max(FINEST, Math.min(this.carrot, before.distance) / 3);
                this.result ??= result;
                continue;
            }
            if (this.slid(trial) > SLID) {
                this.shorten();
                this.result ??= result;
                continue;
            }
            if (this.isFree && turn > WIDE && before.distance > NEAR) {
                this.glideTo(trial, result, {isEnd: false, pace: GLIDE});
                return;
            }
            this.pose.set(trial);
            this.result = result;
            this.noteBody();
            this.judgeProgress(before, this.miss(this.here()), result);
        } while (work <= AGAIN && !this.settled);
        if (this.settled && !(this.isFree && (this.takeDetour() || this.remember()))) this.rest();
    }

    /** Where shorter steps lead nowhere, the other way to stand is taken after all, with the time that it needs. */
    takeDetour() {
        const miss = this.miss(this.here());
        const isTold = this.deadEnd && distance(this.deadEnd, this.target.position) < WORTH_A_STEP;
        if (!this.hasDetour || isTold || miss.distance < FINEST) return false;
        this.hasDetour = false;
        const trial = Float64Array.from(this.pose);
        this.aim(this.here(), miss, CARROT);
        const result = this.world.solver.solve(trial, {...this.options, maxIterations: 5 * ITERATIONS});
        if (result.outcome !== 'solved' || this.slid(trial) > SLID) {
            this.deadEnd = [...this.target.position];
            this.world.place(this.pose);
            return false;
        }
        this.glideTo(trial, result, {isEnd: false, pace: GLIDE});
        this.carrot = CARROT;
        this.idle = 0;
        return true;
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
            : best), {point: [Infinity, 0, 0]});
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

    /** The way back to what was easier, where that meets the goal, too, and costs less than a limit. */
    goBack(pose, limit) {
        const trial = Float64Array.from(pose);
        this.aim(this.here(), this.miss(this.here()), CARROT);
        const result = this.world.solver.solve(trial, this.options);
        if (result.outcome !== 'solved' || this.slid(trial) > SLID || this.cost() >= limit) {
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
     * Whether an answer is another way to stand rather than a step on the way: it turns some segment further than the
     * step explains. Shorter steps stay with the way that was begun; where the shortest one turns as far, so be it, in
     * frames of which none is a jump.
     */
    isJump(turn, {distance: far, angle}) {
        const step = Math.min(this.carrot, far) + Math.min(angle, CARROT_TURN) / 6;
        return this.isFree && Math.min(this.carrot, far) > FINEST && turn > STILL + RATE * step;
    }

    /** The widest turn of a segment from the present pose to another, in radians. */
    turnTo(pose) {
        const before = this.world.place(this.pose).matrices();
        return widestTurn(before, this.world.place(pose).matrices());
    }

    shorten() {
        this.carrot /= 3;
        if (this.carrot >= SHORTEST) return;
        this.carrot = SHORTEST;
        this.settled = ++this.idle >= IDLE;
    }

    judgeProgress(before, after, result) {
        const isMet = result.outcome === 'solved';
        const gain = Math.max(before.distance - after.distance, (before.angle - after.angle) / 6);
        this.blocked = !isMet;
        if (isMet) this.carrot = Math.min(CARROT, 1.5 * this.carrot);
        else this.carrot = Math.max(5 * SHORTEST, this.carrot / 2);
        this.idle = gain < 2 * NEAR ? this.idle + 1 : 0;
        this.settled = (after.distance < NEAR && after.angle < NEAR) || this.idle >= IDLE;
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
        this.glideTo(trial, result, {isEnd: true, pace: GLIDE});
    }

    /** Goes to a pose in frames of which none is a jump. isEnd: the pull has arrived with it. */
    glideTo(pose, result, {isEnd, pace}) {
        this.glide = {from: Float64Array.from(this.pose), to: pose, done: 0, result, body: this.bodies(), isEnd};
        this.glide.step = Math.min(1, pace / Math.max(this.turnTo(pose), 1e-9));
        this.glides++;
        this.settled = false;
        this.result ??= result;
    }

    /** The way to where the body has stepped, or stands on one foot. */
    glideOn() {
        const {from, to, step, result, body, isEnd} = this.glide;
        this.glide.done = Math.min(1, this.glide.done + step);
        const part = this.glide.done * this.glide.done * (3 - 2 * this.glide.done);
        this.pose.forEach((_, k) => { this.pose[k] = from[k] + (to[k] - from[k]) * part; });
        if (this.glide.done < 1) return;
        this.pose.set(to);
        Object.assign(this, {result, body, glide: null, settled: isEnd});
        this.world.place(this.pose);
        this.stood = this.standing();
    }

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
        return this.body ? {body: this.body, stance: bodySentence(this.result?.explanation ?? '')} : {};
    }

    cleanUp() {}

    judge() {}

    /** What the body does, as the solver says it; and what is between the part and its target. */
    explain(limits, miss) {
        const name = words(this.subject.name);
        const told = bodySentence(this.result?.explanation ?? '');
        if (isThere(miss)) return told ? `${name} is there; ${told}` : `${name} is there`;
        const short = `${name} ${missText(miss)}`;
        if (this.settled) this.told ??= this.reasons() || short;
        return [this.settled ? `as near as it gets: ${this.told}` : short, told].filter(Boolean).join('; ');
    }

    /** What a person would say of what is out of reach: "28 cm too far without a step; would fall forward". */
    reasons() {
        this.subject.move(this.target);
        evaluate(this.world, this.pose);
        const {explanation} = this.world.solver.explain(this.pose, WHY);
        const told = /^Not reached: (.*?)(?:\. [A-Z].*|\.)?$/.exec(explanation);
        return (told?.[1] ?? '').split('; ').filter((part) => !part.startsWith('going on')).join('; ');
    }

    frame(begun) {
        return {...super.frame(begun), ...this.standingNow()};
    }

    plainFrame(pose) {
        return {...super.plainFrame(pose), ...this.standingNow()};
    }

    /** A foot that was pulled up stays in the air, where it is; one that was put down stands again. */
    landing() {
        if (!this.lifted) return null;
        const {figure} = this.subject;
        const {floor} = this.world.problem.body(figure);
        const {contacts} = this.world.figures[figure].body;
        this.world.place(this.pose);
        const heights = contacts.filter(({limb}) => limb === this.lifted.limb)
            .filter(({kind}) => kind !== 'knee')
            .map(({segment, point}) => this.pointAt(figure, segment, point)[2] - floor);
        return {figure, foot: this.lifted.name, isUp: Math.min(...heights) > LIFTED};
    }
}

/** The widest rotation of a segment between two poses, given by their matrices, in radians. */
function widestTurn(before, after) {
    let least = 3; /* trace of a rotation by the angle a: 1 + 2 cos a */
    for (let at = 0; at < before.length; at += 12) {
        let trace = 0;
        for (let row = at; row < at + 12; row += 4) {
            trace += before[row] * after[row] + before[row + 1] * after[row + 1] + before[row + 2] * after[row + 2];
        }
        least = Math.min(least, trace);
    }
    return Math.acos(Math.max(-1, Math.min(1, (least - 1) / 2)));
}
