// Pulling: a part of a figure, or a goal, is moved by hand and the figure follows, frame by frame. How is the
// library's matter (docs/drag.md); here is what the page shows of it: frames, and what is between the part and its
// target, in words.
import {framePoint} from '../math/vector.js';
import {bodySentence, evaluate, frameOf, lengthText, missText} from './frame.js';
import {isPin} from './document.js';

const LIFTED = 0.02; /* metres above the floor: a foot that is let go there stays in the air */

/** @param {string} name */
const words = (name) => name.replaceAll('_', ' ').replaceAll('.', ' ');

/** @param {string} text */
const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

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

/** @param {string[]} items */
const listed = (items) => (items.length > 1 ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}` : items[0]);

export class Pull {
    /**
     * @param {World} world its problem is another until the pull ends
     * @param {PullSubject} subject what is pulled: a point of a segment, or the goal of constraints. segment -1: the
     *     goal alone says where; move: what brings goals to a frame that the library alone does not
     * @param {boolean} hasTurn whether targets have rotations
     */
    constructor(world, subject, hasTurn) {
        const {figure, segment, point, ids} = subject;
        /** @param {SceneConstraint} constraint */
        const holds = (constraint) => !ids.includes(constraint.id) && !constraint.disabled &&
            (constraint.from !== 'constraints' || isPin(constraint));
        this.world = world;
        this.subject = subject;
        this.isBody = world.isNatural();
        this.drag = world.problem.drag(world.pose, {
            ...(ids.length ? {constraint: ids[0]} : {figure, effector: {kind: 'frame', segment, point}}),
            turns: hasTurn, isFree: !subject.isChained,
            holds: world.constraints.filter(holds).map(({id}) => id),
        });
        /** @type {DragState} */
        this.state = this.drag.state;
        this.target = /** @type {Frame} */ (/** @type {unknown} */ (null)); /* is there once move() was called */
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
        /** @type {SolveResult | null} */
        this.result = null;
        /** @type {PoseFrame['body']} */
        this.body = null;
        this.lifted = this.isBody && !ids.length ? this.footOf(figure, segment) : null;
    }

    get pose() {
        return this.drag.pose;
    }

    get settled() {
        return this.state.settled;
    }

    get glides() {
        return this.state.glides;
    }

    /** Where the part is in the present pose. @returns {Frame} */
    here() {
        const {figure, segment, point} = this.subject;
        const frame = this.world.place(this.pose).segmentFrame(figure, segment);
        return {position: framePoint(frame, point), rotation: frame.rotation};
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
     * One frame towards a target {position, rotation}.
     * @param {Frame} target
     */
    move(target) {
        const begun = performance.now();
        const old = this.target;
        const isSame = old && [...old.position, ...old.rotation].every((value, k) =>
            value === [...target.position, ...target.rotation][k]);
        if (!isSame) this.told = null;
        this.target = target;
        if (this.subject.segment < 0) this.subject.move(target);
        this.state = this.drag.move(target);
        this.result = this.drag.result;
        this.body = this.isBody ? this.world.bodies(false, (k) => this.drag.body(k)) : null;
        return this.frame(begun);
    }

    /** Between frames: bodies ask themselves how they would rather stand. */
    think() {
        this.drag.think();
    }

    /** Lets go: the pose is where a body arrives that was under way. The world's problem is as it was. */
    end() {
        const {pose} = this;
        this.drag.end();
        this.result = this.drag.result;
        this.body = this.isBody ? this.world.bodies(false, (k) => this.drag.body(k)) : null;
        return pose;
    }

    free() {
        this.drag.free();
    }

    /* --- What came of it ----------------------------------------------------------------------------------------- */

    standingNow() {
        return this.isBody && this.body ? {body: this.body, stance: bodySentence(this.result)} : {};
    }

    /**
     * What holds is met by its own tolerances, not by those of the pull.
     * @param {Found} found
     */
    judge(found) {
        if (this.isBody) return;
        for (const [k, entry] of found.constraints.entries()) {
            const constraint = this.world.constraints[k];
            if (constraint && entry.counted) entry.met ||= isMet(constraint, entry);
        }
    }

    /** What would bring the pulled part closer, and what a person would say of it. */
    reasons() {
        const {said, constraints, unmet} = this.drag.explain();
        if (this.isBody) {
            return said.filter(({kind}) => kind === 'missed' || kind === 'blocked').map(({text}) => text).join('; ');
        }
        const isOwn = unmet >= this.world.constraints.length || this.subject.ids.includes(constraints[unmet]?.id);
        const missed = said.findIndex(({kind}) => kind === 'missed');
        return isOwn ? said.slice(missed + 1).filter(({kind}) => kind !== 'going-on').map(({text}) => `; ${text}`)
            .join('') : '';
    }

    /**
     * What is between the pulled part and its target, in a sentence.
     * @param {PoseFrame['limits']} limits @param {Miss} miss
     */
    explain(limits, miss) {
        const name = words(this.subject.name);
        if (this.state.isThere) return `${name} is there`;
        const strong = limits.filter((limit) => limit.multiplier > 0.05 * limits[0].multiplier).slice(0, 3);
        const what = strong.map((limit) => limitText(this.world, limit));
        const touched = what.length ? `, with ${listed(what)}` : '';
        if (!this.settled) return `${name} ${missText(miss)}${touched}`;
        this.told ??= this.reasons();
        return `as near as it gets: ${name} ${missText(miss)}${this.told || touched}`;
    }

    /**
     * The same of a body: what it does, as the solver says it, too.
     * @param {Miss} miss
     */
    explainBody(miss) {
        const name = words(this.subject.name);
        const hasStep = this.result?.said.some(({kind}) => kind === 'step');
        const told = [hasStep ? '' : lowered(this.state.steps), bodySentence(this.result)].filter(Boolean).join('; ');
        if (this.state.isThere) return told ? `${name} is there; ${told}` : `${name} is there`;
        const short = `${name} ${missText(miss)}`;
        if (this.settled) this.told ??= this.reasons() || short;
        return [this.settled ? `as near as it gets: ${this.told}` : short, told].filter(Boolean).join('; ');
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
        return {...frameOf(this.world, pose, {...found, limits: [], outcome: isAllMet ? 'solved' : 'posed',
            explanation: isAllMet ? 'every goal is met' : found.explanation.slice(found.said[1]?.begin ?? 0)}),
            ...this.standingNow()};
    }

    /** @param {number} begun @returns {PoseFrame} */
    frame(begun) {
        const {world, subject, state, settled} = this;
        const found = this.result ?? evaluate(world, this.pose);
        this.judge(found);
        const time = (performance.now() - begun) * 1000;
        const goals = subject.goals?.(this.target) ?? null;
        const frame = {...frameOf(world, this.pose, found, {time_us: time, settled, goals}), ...this.standingNow()};
        if (subject.segment < 0) return frame;
        const miss = {distance: state.miss, angle: state.missRad};
        const limits = state.isThere ? [] : frame.limits;
        return {
            ...frame, limits, outcome: state.isThere ? 'solved' : settled ? 'minimum' : 'budget',
            explanation: this.isBody ? this.explainBody(miss) : this.explain(limits, miss),
            drag: {at: state.at.position, target: [...this.target.position], name: subject.name, ...miss},
        };
    }

    /**
     * A foot that was pulled up stays in the air, where it is; one that was put down stands again.
     * @returns {Landing | null}
     */
    landing() {
        const {lifted, world} = this;
        const {figure} = this.subject;
        const {body} = world.figures[figure];
        const options = world.problem.body(figure);
        if (!lifted || !body || !options) return null;
        world.place(this.pose);
        const heights = body.contacts.filter(({limb}) => limb === lifted.limb)
            .filter(({kind}) => kind !== 'knee')
            .map(({segment, point}) => framePoint(world.segmentFrame(figure, segment), point)[2] - options.floor);
        return {figure, foot: lifted.name, isUp: Math.min(...heights) > LIFTED};
    }
}
