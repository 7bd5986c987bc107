// Hands: dragging parts of figures and goals. What a drag does to the pose is pull.js's; here it begins and ends.
import {balanceNow, bodyIn, chainOf, setBodyIn} from './body.js';
import {isPin, pinAt} from './document.js';
import {frameOf} from './frame.js';
import {asPlayed, documentGoal, goalFrame, goalMoved, moveGoal} from './goal_edit.js';
import {Pull} from './pull.js';

const OUTSIDE = 5e-4; /* metres outside of what stands at which a figure is brought back */
const WARM = 60; /* frames of the drag that nobody sees */

export class Hands {
    /** @param {import('./session.js').Session} session */
    constructor(session) {
        this.session = session;
    }

    /** @param {{figure?: number, segment: number | string, point?: Vec, turn?: boolean, chain?: number}} wanted */
    async dragBegin({figure = 0, segment, point = [0, 0, 0], turn = false, chain = 0}) {
        if (this.session.pull) this.session.present().pose.set(this.session.pull.pose);
        const present = this.session.fresh();
        const s = typeof segment === 'number' ? segment : present.figures[figure].findSegment(segment);
        const isThere = s >= 0 && s < present.figures[figure].segments.length;
        if (!isThere) throw new Error(`there is no part "${segment}" to drag`);
        const world = this.standWithout(present, figure, s);
        const isThing = this.takeThing(world, figure);
        this.session.isStale = true;
        if (world.isPlayed) this.pinHere(world);
        asPlayed(world);
        const isChained = this.limitChain(figure, s, chain);
        for (const constraint of world.constraints) {
            const isOwn = constraint.figure === figure && constraint.segment === s && constraint.from !== 'avoid';
            if (isOwn && !constraint.disabled) {
                world.problem.enable(constraint.id, false);
                constraint.disabled = true;
                constraint.isDragged = true;
            }
        }
        /** @type {PullSubject} */
        const subject = {ids: [], figure, segment: s, point: [...point], name: world.figures[figure].segments[s].name,
            move: () => {}, isChained};
        const pull = this.take(new Pull(world, subject, turn || isThing));
        pull.held = pull.here();
        return pull.move(pull.held);
    }

    /**
     * From now on this is what pulls.
     * @param {Pull} pull
     */
    take(pull) {
        this.session.pull?.free();
        this.session.pull = pull;
        return pull;
    }

    /**
     * A foot that is pulled carries nothing: the balance is on the others, which weight has to shift to first.
     * @param {DocWorld} world @param {number} figure @param {number} segment
     */
    standWithout(world, figure, segment) {
        const doc = {...world.doc, start: world.values(world.pose)};
        const balance = balanceNow(doc, world.place(world.pose), figure, segment);
        if (!balance) return world;
        const {isPlayed, played, doc: whole} = world;
        this.session.take(Object.assign(this.session.compile({...doc, balance}, world.pose), {isPlayed, played}));
        const standing = this.session.present();
        standing.doc = whole; /* the document has it when the foot is let go */
        return standing;
    }

    /**
     * A thing - one segment that is free - is moved upright as it is, also where it otherwise stays where it was put.
     * Returns whether it is one.
     * @param {World} world @param {number} k
     */
    takeThing(world, k) {
        const {segments, root} = world.figures[k];
        if (segments.length > 1 || !root.isFree) return false;
        for (let v = 0; v < 6; v++) world.problem.setActive(world.firstVariable[k] + v, true);
        return true;
    }

    /**
     * What stands when a part is let go: a foot that was put down again counts.
     * @param {Doc} doc @param {number} figure
     */
    standAgain(doc, figure) {
        const world = this.session.present();
        const balance = balanceNow(doc, world.place(world.pose), figure);
        if (balance) doc.balance = balance;
        return Boolean(balance);
    }

    /**
     * Pins hold where a clip has brought what they pin, not where it was at rest.
     * @param {World} world
     */
    pinHere(world) {
        world.place(world.pose);
        for (const constraint of world.constraints) {
            if (!isPin(constraint) || constraint.goal.carrier || constraint.effector.kind === 'com') continue;
            world.problem.moveGoal(constraint.id, world.effectorFrame(constraint));
            constraint.isDragged = true;
        }
    }

    /**
     * Only the first `count` entries of a segment's chain may move. Returns whether that is not all of them.
     * @param {number} figure @param {number} segment @param {number} count
     */
    limitChain(figure, segment, count) {
        const world = this.session.present();
        const links = chainOf(world, figure, segment);
        if (!(count > 0) || count >= links.length) return false;
        const free = new Set(links.slice(0, count).flatMap((link) => link.variables));
        for (let v = 0; v < world.pose.length; v++) if (!free.has(v)) world.problem.setActive(v, false);
        return true;
    }

    /** @param {{point?: Vec, rotation?: Quat | null}} wanted */
    async dragMove({point, rotation = null}) {
        const {pull} = this.session;
        if (!pull?.held) throw new Error('nothing is being dragged');
        const {held} = pull;
        return pull.move({position: [...(point ?? held.position)], rotation: [...(rotation ?? held.rotation)]});
    }

    /** @param {{commit?: boolean}} [wanted] */
    async dragEnd({commit = true} = {}) {
        if (!this.session.pull?.held) throw new Error('nothing is being dragged');
        const landing = this.session.pull.landing();
        const {figure} = this.session.pull.subject;
        return this.endPull(commit, (doc) =>
            [this.movePins(doc), this.land(doc, landing), this.standAgain(doc, figure)].some(Boolean));
    }

    /**
     * Lets go; `edit` changes the document where that is asked for, and says whether it did.
     * @param {boolean} commit @param {(doc: Doc) => boolean} edit
     * @returns {Released}
     */
    endPull(commit, edit) {
        const {pull} = this.session, pulled = this.session.present();
        if (!pull) throw new Error('nothing is being dragged');
        if (commit) pulled.pose.set(pull.end());
        else pull.free();
        this.session.pull = null;
        let {doc} = pulled;
        let isEdited = false;
        if (commit) {
            doc = structuredClone(doc);
            doc.start = pulled.values(pulled.pose);
            isEdited = edit(doc);
        }
        pulled.doc = doc; /* compiled anew when it is needed; where goals have moved, now */
        const frame = isEdited ? this.settledFrame(doc) : pull.plainFrame(pulled.pose);
        return {start: doc.start, doc, frame};
    }

    /**
     * The frame of the edited document: what stands anew may ask for a little more than what stood before.
     * @param {Doc} doc
     */
    settledFrame(doc) {
        const world = this.session.fresh();
        const frame = frameOf(world, world.pose);
        /** @param {Reached} reached */
        const isOff = ({name, distance, counted}) => counted && distance > OUTSIDE && world.constraints.some(
            (constraint) => constraint.name === name && constraint.from === 'balance');
        if (world.isNatural() || !frame.constraints.some(isOff)) return frame;
        const solved = this.session.solveIn(world, {});
        doc.start = world.values(world.pose);
        return solved;
    }

    /**
     * Goals of the part that was dragged that kept it where it was: they go along.
     * @param {Doc} doc
     */
    movePins(doc) {
        const world = this.session.present();
        let isMoved = false;
        world.place(world.pose);
        for (const constraint of world.constraints) {
            if (!constraint.isDragged || constraint.from !== 'constraints' || constraint.goal.carrier) continue;
            const {kind} = constraint.goal;
            if (kind !== 'position' && kind !== 'frame' && kind !== 'orientation') continue;
            const entry = doc.constraints[constraint.index];
            entry.goal = documentGoal(entry.goal, constraint.goal, world.effectorFrame(constraint));
            isMoved = true;
        }
        return isMoved;
    }

    /**
     * A foot that was lifted is lifted from now on, and pinned where it is; one that was put down stands.
     * @param {Doc} doc @param {Landing | null} landing
     */
    land(doc, landing) {
        if (!landing) return false;
        const world = this.session.present();
        const {figure, foot, isUp} = landing;
        const body = bodyIn(doc, figure) ?? {};
        const {[foot]: _, ...others} = body.foot ?? {};
        const modes = isUp ? {...others, [foot]: 'lifted'} : others;
        const {foot: __, ...rest} = body;
        setBodyIn(doc, figure, Object.keys(modes).length ? {...rest, foot: modes} : rest);
        const contacts = world.figures[figure].body?.contacts ?? [];
        /** @param {string} of */
        const named = (of) => contacts.find(({name, kind}) => kind === of && `${name}_`.startsWith(`${foot}_`));
        const point = named('heel') ?? named('ball');
        if (!point) return true;
        const {segment} = point;
        const name = `pin ${world.figures[figure].segments[segment].name}`;
        doc.constraints = (doc.constraints ?? []).filter((constraint) => constraint.name !== name);
        if (!isUp) return true;
        const effector = {segment: world.prefixed(figure, world.figures[figure].segments[segment].name)};
        doc.constraints.push({...pinAt(effector, world.place(world.pose).segmentFrame(figure, segment), 'position'),
            name});
        return true;
    }

    /** @param {{name: string, frame: {position: Vec, rotation?: Quat}}} wanted */
    async goalMove({name, frame}) {
        const pull = this.session.pull?.goal === name ? this.session.pull : this.goalBegin(name);
        return pull.move({position: [...frame.position],
            rotation: [...(frame.rotation ?? pull.first?.rotation ?? [0, 0, 0, 1])]});
    }

    /**
     * Takes hold of a constraint's goal (of all that share it, where it is an obstacle).
     * @param {string} name
     */
    goalBegin(name) {
        if (this.session.pull) this.session.present().pose.set(this.session.pull.pose);
        const world = this.session.fresh();
        const constraint = world.constraints.find((entry) => entry.name === name);
        if (!constraint) throw new Error(`there is no constraint "${name}"`);
        this.session.isStale = true;
        asPlayed(world);
        const {goal, effector} = constraint;
        const shared = constraint.from === 'avoid'
            ? world.constraints.filter((entry) => entry.from === 'avoid' && entry.index === constraint.index)
                : [constraint];
        const isPlace = effector.kind === 'frame' && (goal.kind === 'position' || goal.kind === 'frame') &&
            !goal.carrier &&
            !constraint.disabled && effector.segment < world.figures[constraint.figure].segments.length;
        /** @type {PullSubject} */
        const subject = {
            name, ids: shared.map((entry) => entry.id), figure: constraint.figure, segment: isPlace ? effector.segment
                : -1, point: effector.point,
            move: (frame) => shared.forEach((entry) => moveGoal(world.problem, entry.id, entry.goal, frame)),
            goals: (frame) => new Map(shared.map((entry) => [entry.id, goalMoved(entry.goal, frame)])),
        };
        const pull = this.take(new Pull(world, subject, isPlace && goal.kind === 'frame'));
        return Object.assign(pull, {goal: name, constraint, first: goalFrame(goal)});
    }

    /** @param {{commit?: boolean}} [wanted] */
    async goalEnd({commit = true} = {}) {
        const {constraint = null, target = null} = this.session.pull ?? {};
        if (!constraint) throw new Error('no goal is being moved');
        return this.endPull(commit, (doc) => {
            /** @type {{goal?: DocGoal, obstacle?: DocGoal} | undefined} */
            const entry = (constraint.from === 'avoid' ? doc.avoid : doc.constraints)?.[constraint.index];
            const key = constraint.from === 'avoid' ? 'obstacle' : 'goal';
            const old = entry?.[key];
            if (!entry || !old || !target || !['constraints', 'avoid'].includes(constraint.from)) return false;
            entry[key] = documentGoal(old, constraint.goal, target, this.carrierSite(old));
            return true;
        });
    }

    /**
     * The frame in its segment of the site that a document's goal is relative to; null where it is no site.
     * @param {DocGoal} goal
     * @returns {Frame | null}
     */
    carrierSite(goal) {
        if (typeof goal.relative_to !== 'string') return null;
        const {figure, site} = this.session.present().findPlace(goal.relative_to);
        return site < 0 ? null : this.session.present().figures[figure].sites[site].frame;
    }

    /** Between frames: what the next one would begin with. */
    think() {
        this.session.pull?.think();
    }

    /** Drags for nobody, so that the first drag of a person finds everything compiled. */
    async warmUp() {
        await this.session.beside(async (world, task) => {
            const segment = world.figures[0].segments.length - 1;
            const pull = new Pull(world, {ids: [], figure: 0, segment, point: [0, 0, 0], name: 'warm', move: () => {}},
                false);
            const {position, rotation} = pull.here();
            for (let k = 0; k < WARM; k++) {
                const far = 0.6 * Math.sin(k / 8);
                pull.move({position: [position[0] + far, position[1] + far / 2, position[2] + far], rotation});
                await task.pause();
            }
            pull.free();
        });
    }
}
