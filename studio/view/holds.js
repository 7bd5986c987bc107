/* What a pointer, or the keyboard, holds: a part that is dragged, a ring that turns it, a goal. Each hold begins at the
 * engine, follows the pointer live, and ends as one step to undo, or as nothing. */
import {meetPlane} from './gizmo.js';
import {plainName} from './labels.js';
import {carrierFrame, handleFrame} from './goals.js';
import {engineFrame, movedGoal, writeGoalMove} from './goal_edit.js';
import {add, invert, multiply, quaternionOf, scale, segmentFrame, sub, toWorld} from './vec.js';

/** A hold that drags or turns a segment through the engine. */
class EngineHold {
    constructor(view, part, turn) {
        this.view = view;
        this.part = part; /* {figure, segment, local} */
        this.turn = turn;
        this.isLive = true;
    }

    get name() {
        return plainName(this.view.scene.figures[this.part.figure].segments[this.part.segment].name);
    }

    get index() {
        return this.view.scene.figures[this.part.figure].firstSegment + this.part.segment;
    }

    /** Where the held point is now. */
    at() {
        return toWorld(segmentFrame(this.view.frame.matrices, this.index), this.part.local);
    }

    begin() {
        const {figure, segment, local} = this.part, {chain} = this.view.store.settings;
        this.begun = this.view.ask('dragBegin', {figure, segment, point: local, turn: this.turn, chain});
        return this.begun;
    }

    send(point, rotation = null) {
        this.target = {point, rotation};
        this.view.ask('dragMove', this.target);
    }

    /** The wheel changed how many joints take part: the same hold with another chain. */
    async changeChain() {
        if (!this.begun) return;
        await this.begin();
        if (this.target && this.isLive) this.send(this.target.point, this.target.rotation);
    }

    async end(commit) {
        if (!this.isLive) return;
        this.isLive = false;
        if (!this.begun) return;
        await this.begun;
        const result = await this.view.ask('dragEnd', {commit});
        if (!commit || !result?.start) return;
        const label = `${this.turn ? 'Turn' : 'Drag'} ${this.name}`;
        await this.view.store.edit(label, (draft) => { draft.start = result.start; }, {merge: this.merge ?? null});
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
        if (!this.begun) this.begin();
        this.send(point);
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
        if (!this.begun) this.begin();
        this.frame = this.follow(ray);
        this.send(this.place, quaternionOf(this.frame));
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
        if (!this.begun) this.begin();
        this.wanted = add(this.wanted, scale(direction, length));
        this.send(this.wanted);
    }
}

/** A goal, by its gizmo or its own mark: live at the engine, then in the document. */
export class GoalHold {
    constructor(view, constraint, follow) {
        this.view = view;
        this.constraint = constraint;
        this.follow = follow;
        const {scene, frame} = view, at = frame.constraints.find((r) => r.id === constraint.id)?.at;
        this.toCarrier = invert(carrierFrame(constraint.goal, scene, frame));
        this.before = multiply(this.toCarrier, handleFrame(constraint, scene, frame, at));
        this.goal = constraint.goal;
        this.hasMoved = false;
    }

    move(ray) {
        this.hasMoved = true;
        this.after = multiply(this.toCarrier, this.follow(ray));
        this.goal = movedGoal(this.constraint.goal, this.before, this.after);
        this.view.preview = {name: this.constraint.name, goal: this.goal};
        this.view.requestDraw();
        if (this.goal.kind !== 'polyhedron') this.view.ask('goalMove', {name: this.constraint.name, frame: engineFrame(this.goal)});
    }

    async end(commit) {
        const {view, constraint} = this;
        if (!this.hasMoved) return;
        if (commit) {
            await view.store.edit(`Move ${plainName(constraint.name)}`,
                (draft) => writeGoalMove(draft, view.scene, constraint, this.before, this.after), {solve: true});
        } else {
            await view.ask('goalMove', {name: constraint.name, frame: engineFrame(constraint.goal)});
        }
        view.preview = null;
        view.requestDraw();
    }
}
