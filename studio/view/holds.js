/* What a pointer, or the keyboard, holds: a part that is dragged, a ring that turns it, a goal. Each hold begins at the
 * engine, follows the pointer live, and ends as one step to undo, or as nothing. */
import {meetPlane} from './gizmo.js';
import {plainName} from './labels.js';
import {carrierFrame, handleFrame} from './goals.js';
import {engineFrame, movedGoal} from './goal_motion.js';
import {
    add, distance, matrixInvert, matrixMultiply, matrixPoint, matrixRotation, scale, segmentMatrix, subtract,
} from '../math/vector.js';

const SETTLING = 60; /* moves to the same place that an ending hold allows the figure to arrive */

const nextPicture = () => new Promise((resolve) => { requestAnimationFrame(resolve); });

/** What all holds do: send the newest target, go on while the figure is under way to it, end as one step to undo. */
export class Hold {
    /** @param {ShownView} view */
    constructor(view) {
        this.view = view;
        this.isLive = true;
        /** @type {'dragMove' | 'goalMove' | 'moveGoals' | 'swivel'} */
        this.moveMethod = 'dragMove';
        /** @type {'dragEnd' | 'goalEnd'} */
        this.endMethod = 'dragEnd';
        /** @type {Promise<unknown> | null} */
        this.begun = null;
        /** @type {EngineArgs | null} */
        this.target = null;
        this.isSettled = false;
        this.shortfall = 0;
        /** @type {string | null} ends in a row with the same word are one step */
        this.merge = null;
    }

    /** What the history calls it. */
    get label() {
        return '';
    }

    /**
     * What the engine is told first.
     * @returns {unknown}
     */
    take() {
        return null;
    }

    /** Takes hold at the engine, once what is under way with the document is done. */
    begin() {
        this.begun = this.view.store.queue.then(() => this.take());
        return this.begun;
    }

    /**
     * Sends a target; the figure may need several pictures to get there.
     * @param {EngineArgs} target
     */
    async send(target) {
        this.target = target;
        this.isSettled = false;
        if (!this.begun) this.begin();
        await this.begun;
        while (this.target === target) {
            const frame = /** @type {PoseFrame | null} */ (await this.view.ask(this.moveMethod, target));
            if (this.target !== target) return;
            this.isSettled = !frame || frame.settled !== false;
            if (this.isSettled || !this.isLive) return;
            await nextPicture();
            if (!this.isLive) return;
        }
    }

    /** Lets the figure arrive before it ends. */
    async settle() {
        for (let i = 0; i < SETTLING && !this.isSettled; i++) {
            const target = /** @type {EngineArgs} */ (this.target);
            const frame = /** @type {PoseFrame | null} */ (await this.view.ask(this.moveMethod, target));
            this.isSettled = !frame || frame.settled !== false;
        }
    }

    /** Lets go: whether it was still held. */
    close() {
        const {isLive} = this;
        this.isLive = false;
        return isLive;
    }

    /**
     * Ends as one step of the document, in its turn: an undo right after it undoes it. Or as if it had not been.
     * @param {boolean} commit
     */
    async end(commit) {
        if (!this.close()) return;
        if (!this.target) return;
        const {store} = this.view;
        if (!commit) await store.inTurn(async () => Boolean(await this.finish(false)));
        else await store.edit(this.label, (draft) => this.write(draft), {merge: this.merge});
    }

    /** @param {boolean} commit */
    async finish(commit) {
        await this.begun;
        if (commit) await this.settle();
        this.shortfall = this.view.frame?.drag?.distance ?? 0;
        return this.view.ask(this.endMethod, {commit});
    }

    /**
     * The document as the engine leaves it: in the new pose, with the goal or the part's pin where it is now.
     * @param {Doc} draft
     */
    async write(draft) {
        const result = await this.finish(true);
        if (!result?.doc) return false;
        for (const key of /** @type {const} */ (['start', 'constraints', 'avoid', 'balance', 'body', 'figures'])) {
            if (result.doc[key] !== undefined) Object.assign(draft, {[key]: result.doc[key]});
        }
        return true;
    }
}

/** A hold that drags or turns a segment. */
class EngineHold extends Hold {
    /** @param {ShownView} view @param {HeldPart} part @param {boolean} turn */
    constructor(view, part, turn) {
        super(view);
        this.part = part;
        this.turn = turn;
    }

    get name() {
        return plainName(this.view.scene.figures[this.part.figure].segments[this.part.segment].name);
    }

    get label() {
        return `${this.turn ? 'Turn' : 'Drag'} ${this.name}`;
    }

    /** Where the held point is now. */
    at() {
        const index = this.view.scene.figures[this.part.figure].firstSegment + this.part.segment;
        return matrixPoint(segmentMatrix(this.view.frame.matrices, index), this.part.local);
    }

    take() {
        const {figure, segment, local} = this.part, {chain} = this.view.store.settings;
        return this.view.ask('dragBegin', {figure, segment, point: local, turn: this.turn, chain});
    }

    /** The wheel changed how many joints take part: the same hold with another chain. */
    async changeChain() {
        if (!this.begun || !this.isLive) return;
        await this.begin();
        if (this.target && this.isLive) this.send({...this.target});
    }
}

/** A part on the end of the pointer: it moves across the screen, or with Shift along the ground's plane. */
export class PartHold extends EngineHold {
    /** @param {ShownView} view @param {PickedPart} part @param {Ray} ray */
    constructor(view, part, ray) {
        super(view, part, false);
        this.isLevel = false;
        this.plane = {point: part.point, normal: [0, 0, 1]};
        this.offset = [0, 0, 0];
        this.wanted = part.point;
        this.anchor(part.point, ray, false);
    }

    /**
     * From here on the pointer moves `point` in a plane through it.
     * @param {Vec} point @param {Ray} ray @param {boolean} isLevel
     */
    anchor(point, ray, isLevel) {
        const {back} = this.view.orbit.axes(), steep = Math.abs(back[2]) > 0.09;
        this.isLevel = isLevel;
        this.plane = {point, normal: isLevel && steep ? [0, 0, 1] : isLevel ? [back[0], back[1], 0] : back};
        const hit = meetPlane(ray, point, this.plane.normal);
        this.offset = hit ? subtract(point, hit) : [0, 0, 0];
        this.wanted = point;
    }

    /** @param {Ray} ray @param {{shiftKey: boolean}} event */
    move(ray, event) {
        if (event.shiftKey !== this.isLevel) this.anchor(this.wanted, ray, event.shiftKey);
        const hit = meetPlane(ray, this.plane.point, this.plane.normal);
        if (!hit) return;
        const point = add(hit, this.offset), far = 3 * this.view.size;
        if (distance(point, this.plane.point) > far) return;
        this.wanted = point;
        this.send({point, rotation: null});
    }
}

/** The rotation gizmo of a part. */
export class TurnHold extends EngineHold {
    /** @param {ShownView} view @param {HeldPart} part @param {Follow} follow */
    constructor(view, part, follow) {
        super(view, part, true);
        this.follow = follow;
        this.place = this.at();
    }

    /** @param {Ray} ray */
    move(ray) {
        this.frame = this.follow(ray);
        this.send({point: this.place, rotation: matrixRotation(this.frame)});
    }
}

/** The arrow keys: steps of the selected part; a pause ends the hold. */
export class StepHold extends EngineHold {
    /** @param {ShownView} view @param {HeldPart} part */
    constructor(view, part) {
        super(view, part, false);
        this.merge = `step ${part.figure} ${part.segment}`;
        this.wanted = this.at();
    }

    /** @param {Vec} direction @param {number} length */
    step(direction, length) {
        this.wanted = add(this.wanted, scale(direction, length));
        this.send({point: this.wanted, rotation: null});
    }
}

/** A goal, by its gizmo or its own mark: live at the engine, then in the document. */
export class GoalHold extends Hold {
    /** @param {ShownView} view @param {SceneConstraint} constraint @param {Follow} follow */
    constructor(view, constraint, follow) {
        super(view);
        this.constraint = constraint;
        this.follow = follow;
        /** @type {Hold['moveMethod']} */
        this.moveMethod = 'goalMove';
        /** @type {Hold['endMethod']} */
        this.endMethod = 'goalEnd';
        const {scene, frame} = view, at = frame.constraints.find((r) => r.id === constraint.id)?.at;
        this.toCarrier = matrixInvert(carrierFrame(constraint.goal, scene, frame));
        this.before = matrixMultiply(this.toCarrier, handleFrame(constraint, scene, frame, at));
    }

    take() {} /* the first goalMove does */

    get label() {
        return `Move ${plainName(this.constraint.name)}`;
    }

    /** @param {Ray} ray */
    move(ray) {
        const {constraint, view} = this, after = matrixMultiply(this.toCarrier, this.follow(ray));
        const goal = movedGoal(constraint.goal, this.before, after);
        if (constraint.goal.kind === 'orientation') goal.point = constraint.goal.point;
        view.preview = {constraint, goal};
        view.requestDraw();
        this.send({name: constraint.name, frame: engineFrame(goal)});
    }

    /** @param {boolean} commit */
    async end(commit) {
        await super.end(commit);
        this.view.preview = null;
        this.view.requestDraw();
    }
}
