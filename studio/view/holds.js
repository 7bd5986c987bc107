/* What a pointer, or the keyboard, holds: a part that is dragged, a ring that turns it, a goal. Each hold begins at the
 * engine, follows the pointer live, and ends as one step to undo, or as nothing. */
import {meetPlane} from './gizmo.js';
import {plainName} from './labels.js';
import {carrierFrame, handleFrame} from './goals.js';
import {engineFrame, movedGoal} from './goal_motion.js';
import {add, invert, multiply, quaternionOf, scale, segmentFrame, sub, toWorld} from './vec.js';

const SETTLING = 60; /* moves to the same place that an ending hold allows the figure to arrive */

const nextPicture = () => new Promise((resolve) => { requestAnimationFrame(resolve); });

/** What all holds do: send the newest target, go on while the figure is under way to it, end as one step to undo. */
class Hold {
    constructor(view) {
        this.view = view;
        this.isLive = true;
    }

    /** Takes hold at the engine, once what is under way with the document is done. */
    begin() {
        this.begun = this.view.store.queue.then(() => this.take());
        return this.begun;
    }

    /** Sends a target; the figure may need several pictures to get there. */
    async send(target) {
        this.target = target;
        this.isSettled = false;
        if (!this.begun) this.begin();
        await this.begun;
        while (this.target === target) {
            const frame = await this.view.ask(this.moveMethod, target);
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
            const frame = await this.view.ask(this.moveMethod, this.target);
            this.isSettled = !frame || frame.settled !== false;
        }
    }

    /** Ends as one step of the document, in its turn: an undo right after it undoes it. Or as if it had not been. */
    async end(commit) {
        if (!this.isLive) return;
        this.isLive = false;
        if (!this.target) return;
        const {store} = this.view;
        if (!commit) await store.inTurn(() => this.finish(false));
        else await store.edit(this.label, (draft) => this.write(draft), {merge: this.merge ?? null});
    }

    async finish(commit) {
        await this.begun;
        if (commit) await this.settle();
        this.shortfall = this.view.frame?.drag?.distance ?? 0;
        return this.view.ask(this.endMethod, {commit});
    }

    /** The document as the engine leaves it: in the new pose, with the goal or the part's pin where it is now. */
    async write(draft) {
        const result = await this.finish(true);
        if (!result?.doc) return false;
        for (const key of ['start', 'constraints', 'avoid', 'balance', 'body', 'figures']) {
            if (result.doc[key] !== undefined) draft[key] = result.doc[key];
        }
        return true;
    }
}

/** A hold that drags or turns a segment. */
class EngineHold extends Hold {
    constructor(view, part, turn) {
        super(view);
        this.part = part; /* {figure, segment, local} */
        this.turn = turn;
        this.moveMethod = 'dragMove';
        this.endMethod = 'dragEnd';
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
        return toWorld(segmentFrame(this.view.frame.matrices, index), this.part.local);
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
    constructor(view, part, ray) {
        super(view, part, false);
        this.anchor(part.point, ray, false);
    }

    /** From here on the pointer moves `point` in a plane through it. */
    anchor(point, ray, isLevel) {
        const {back} = this.view.orbit.axes(), steep = Math.abs(back[2]) > 0.09;
        this.isLevel = isLevel;
        this.plane = {point, normal: isLevel && steep ? [0, 0, 1] : isLevel ? [back[0], back[1], 0] : back};
        const hit = meetPlane(ray, point, this.plane.normal);
        this.offset = hit ? sub(point, hit) : [0, 0, 0];
        this.wanted = point;
    }

    move(ray, event) {
        if (event.shiftKey !== this.isLevel) this.anchor(this.wanted, ray, event.shiftKey);
        const hit = meetPlane(ray, this.plane.point, this.plane.normal);
        if (!hit) return;
        const point = add(hit, this.offset), far = 3 * this.view.size;
        if (Math.hypot(...sub(point, this.plane.point)) > far) return;
        this.wanted = point;
        this.send({point, rotation: null});
    }
}

/** The rotation gizmo of a part. */
export class TurnHold extends EngineHold {
    constructor(view, part, follow) {
        super(view, part, true);
        this.follow = follow;
        this.place = this.at();
    }

    move(ray) {
        this.frame = this.follow(ray);
        this.send({point: this.place, rotation: quaternionOf(this.frame)});
    }
}

/** The arrow keys: steps of the selected part; a pause ends the hold. */
export class StepHold extends EngineHold {
    constructor(view, part) {
        super(view, part, false);
        this.merge = `step ${part.figure} ${part.segment}`;
        this.wanted = this.at();
    }

    step(direction, length) {
        this.wanted = add(this.wanted, scale(direction, length));
        this.send({point: this.wanted, rotation: null});
    }
}

/** A goal, by its gizmo or its own mark: live at the engine, then in the document. */
export class GoalHold extends Hold {
    constructor(view, constraint, follow) {
        super(view);
        this.constraint = constraint;
        this.follow = follow;
        this.moveMethod = 'goalMove';
        this.endMethod = 'goalEnd';
        const {scene, frame} = view, at = frame.constraints.find((r) => r.id === constraint.id)?.at;
        this.toCarrier = invert(carrierFrame(constraint.goal, scene, frame));
        this.before = multiply(this.toCarrier, handleFrame(constraint, scene, frame, at));
    }

    take() {} /* the first goalMove does */

    get label() {
        return `Move ${plainName(this.constraint.name)}`;
    }

    move(ray) {
        const {constraint, view} = this, after = multiply(this.toCarrier, this.follow(ray));
        const goal = movedGoal(constraint.goal, this.before, after);
        if (constraint.goal.kind === 'orientation') goal.point = constraint.goal.point;
        view.preview = {constraint, goal};
        view.requestDraw();
        this.send({name: constraint.name, frame: engineFrame(goal)});
    }

    async end(commit) {
        await super.end(commit);
        this.view.preview = null;
        this.view.requestDraw();
    }
}
