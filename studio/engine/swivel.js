// Swivels: an elbow or a knee goes round the line from shoulder to wrist, or from hip to ankle, while hand or foot stay
// where they are. Solved in the null space of what holds the end: its frame where the limb has seven variables or more;
// with six - a leg - its place, and its direction as far as that goes. Nothing else of the figure moves.

import {circleOf, limbOf, onCircle} from '../document/limb.js';
import {distance, matrixPointWithin, rotationAngle, rotationInvert, rotationMultiply,
    segmentMatrix} from '../math/vector.js';
import {chainOf} from './body.js';
import {frameOf} from './frame.js';
import {sceneOf} from './scene.js';

const STEP = 0.1; /* radians at a time */
const STRAIGHT = 0.01; /* of the upper bone's length: a hinge that is no farther from the line has no circle */
const HELD = 2e-4; /* metres that the end may be off, */
const HELD_TURN = 1e-3; /* and radians */
const OPTIONS = {tracking: true, maxIterations: 40};
const X = [1, 0, 0];
const Y = [0, 1, 0];

/**
 * The document with nothing asked of anybody: limits and locks stay.
 * @param {Doc} doc
 */
function unasked(doc) {
    const {constraints, keep, balance, avoid, body, wishes, motion, habit, ...rest} = doc;
    return {...rest, figures: doc.figures.map(({body: own, ...figure}) => figure)};
}

/** A problem in which only the limb moves, its end is held, and its hinge is brought somewhere. */
class Trial {
    /** @param {Session} session @param {DocWorld} world @param {Limb} limb */
    constructor(session, world, limb) {
        const trial = session.compile(unasked(world.doc), world.pose);
        this.world = trial;
        this.limb = limb;
        const {figure, segments, endSegment, middleSegment} = limb;
        const own = trial.figures[figure];
        const inLimb = new Set(segments.map((s) => own.joints[own.parentJoint(s)]?.name));
        const links = chainOf(trial, figure, endSegment);
        const upper = links.findLastIndex(({name}) => inLimb.has(name));
        const free = new Set(links.filter(({kind, name}, k) => inLimb.has(name) || (kind === 'group' && k <= upper + 1))
            .flatMap(({variables}) => variables));
        for (let v = 0; v < trial.pose.length; v++) if (!free.has(v)) trial.problem.setActive(v, false);
        this.isWhole = free.size >= 7;
        const matrices = this.place(trial.pose);
        /** @param {number} segment @param {Vec} point @param {LimberGoal['kind']} kind @param {number} priority */
        const add = (segment, point, kind, priority) => trial.problem.add({
            name: `${kind} ${priority}`, figure, effector: {kind: 'frame', segment, point, x: X, y: Y}, goal: {kind},
            priority, tolerance: [1e-6, 1e-6, 1e-6], toleranceRad: 1e-6});
        /** @param {number} s @param {Vec} place */
        const inSegment = (s, place) => matrixPointWithin(segmentMatrix(matrices, trial.firstSegment[figure] + s),
            place);
        this.endPoint = inSegment(endSegment, limb.end);
        this.holds = [add(endSegment, this.endPoint, this.isWhole ? 'frame' : 'position', 0)];
        this.bring = add(middleSegment, inSegment(middleSegment, limb.middle), 'position', 1);
        if (!this.isWhole) this.holds.push(add(endSegment, this.endPoint, 'orientation', 2));
    }

    /** @param {Float64Array} pose */
    place(pose) {
        return this.world.place(pose).matrices();
    }

    /** @returns {Frame} */
    endFrame() {
        const frame = this.world.segmentFrame(this.limb.figure, this.limb.endSegment);
        const matrices = this.world.matrices(), at = this.world.firstSegment[this.limb.figure] + this.limb.endSegment;
        const m = segmentMatrix(matrices, at), p = this.endPoint;
        return {rotation: frame.rotation, position: [0, 4, 8].map((r) => m[r] * p[0] + m[r + 1] * p[1] + m[r + 2] * p[2]
            + m[r + 3])};
    }

    /**
     * How far the end is from where it is held.
     * @param {Frame} held
     * @returns {Miss}
     */
    miss(held) {
        const now = this.endFrame();
        return {distance: distance(now.position, held.position),
            angle: rotationAngle(rotationMultiply(now.rotation, rotationInvert(held.rotation)))};
    }

    free() {
        this.world.free();
    }
}

/**
 * Turns the limb that a segment is part of to an angle, or as near as it goes.
 * @param {Session} session @param {{figure?: number, segment: number, angle: number}} wanted
 * @returns {EngineAnswers['swivel']} turned: radians that the end turned
 */
export function swivel(session, {figure = 0, segment, angle}) {
    const world = session.fresh(), scene = {figures: session.known?.figures ?? sceneOf(world, null, null).figures};
    const limb = limbOf(scene, world.place(world.pose).matrices(), {figure, segment});
    if (!limb) throw new Error('this part is of no limb with a hinge, as an elbow or a knee is');
    if (!Number.isFinite(angle)) throw new Error('the angle of a swivel is a number, in radians');
    const trial = new Trial(session, world, limb);
    try {
        return turn(trial, world, scene, limb, angle, segment);
    } finally {
        trial.free();
    }
}

/**
 * @param {Trial} trial @param {World} world @param {{figures: SceneFigure[]}} scene @param {Limb} limb
 * @param {number} angle @param {number} segment
 */
function turn(trial, world, scene, limb, angle, segment) {
    const pose = Float64Array.from(world.pose), {problem, solver} = trial.world;
    let matrices = trial.place(pose), now = circleOf(limb);
    if (now.radius < STRAIGHT * distance(limb.base, limb.middle)) {
        throw new Error(`the ${limb.name.replaceAll('_', ' ')} is straight: bend it first, then it can be turned`);
    }
    const held = trial.endFrame();
    for (const id of trial.holds) problem.moveGoal(id, held);
    const part = {figure: limb.figure, segment};
    for (let k = 0; k < 200; k++) {
        const left = Math.atan2(Math.sin(angle - now.angle), Math.cos(angle - now.angle));
        if (Math.abs(left) < 1e-6) break;
        const before = Float64Array.from(pose), step = Math.sign(left) * Math.min(STEP, Math.abs(left));
        problem.moveGoal(trial.bring, {position: onCircle(now, now.angle + step), rotation: [0, 0, 0, 1]});
        solver.solve(pose, OPTIONS);
        matrices = trial.place(pose);
        const off = trial.miss(held), next = circleOf(limbOf(scene, matrices, part) ?? limb);
        const went = Math.atan2(Math.sin(next.angle - now.angle), Math.cos(next.angle - now.angle));
        const isHeld = off.distance <= HELD && (!trial.isWhole || off.angle <= HELD_TURN);
        if (!isHeld || went / step < 0.02) {
            if (!isHeld) pose.set(before);
            break;
        }
        now = next;
    }
    trial.place(pose);
    now = circleOf(limbOf(scene, trial.world.matrices(), part) ?? limb);
    const turned = trial.miss(held).angle;
    world.pose.set(pose);
    const left = Math.atan2(Math.sin(angle - now.angle), Math.cos(angle - now.angle));
    const frame = frameOf(world, world.pose);
    return {...frame, swivel: {angle: now.angle, isThere: Math.abs(left) < 1e-3, turned, name: limb.name}};
}
