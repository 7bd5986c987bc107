// Drags: a part of a figure, or a goal, is moved by hand, and the figure follows, frame by frame.

import {readBodyResult} from './body.js';
import {structs} from './c_api.js';
import {checkLength} from './figure.js';
import {Handle} from './handle.js';
import {readResult} from './solver.js';

/**
 * @typedef {object} DragOptions
 * @property {string | number | Partial<import('./kinematics.js').Effector>} [effector] what is taken hold of: the name
 *     of a site or segment, or a point of a segment
 * @property {number} [constraint] instead: the id of the constraint whose goal is
 * @property {number} [figure] its number in the problem
 * @property {boolean} [turns] targets have rotations
 * @property {number[]} [holds] of figures that are not posed as bodies: ids of the constraints that hold against the
 *     hand; all of them unless given
 * @property {boolean} [isFree] a body may step, and go over to another way to stand; true unless given
 * @property {number} [carrot] metres that the part is drawn ahead at a time
 * @property {number} [carrotRad]
 * @property {number} [maxChange] of a variable
 * @property {number} [maxTurn] of a segment of a body
 * @property {number} [maxIterations]
 *
 * @typedef {object} DragState
 * @property {boolean} settled the same target again gives the same pose; else call again, and it goes on
 * @property {boolean} isThere within a millimetre and 0.3 degrees
 * @property {boolean} blocked something keeps it away
 * @property {number} miss metres
 * @property {number} missRad
 * @property {{position: number[], rotation: number[]}} at where the part is
 * @property {boolean} gliding the body is under way to another way to stand
 * @property {number} glides how often it has chosen one
 * @property {string} steps what feet have done, in words
 */

/**
 * A hand on a part. The problem is changed meanwhile, and as it was once the drag is freed. The same targets give the
 * same poses, however long a frame takes.
 */
export class Drag extends Handle {
    #room;
    #count;
    /** @type {{result: import('./solver.js').Result | null, bodies: (import('./body.js').BodyResult | null)[]} | null} */
    #ended = null; /* what there was when it ended */

    /**
     * @param {import('./problem.js').Problem} problem @param {import('./figure.js').Pose} pose
     * @param {DragOptions} [options]
     */
    constructor(problem, pose, {effector, holds, turns, isFree = true, ...rest} = {}) {
        const {limber} = problem;
        const {c, heap} = limber;
        const count = c.lb_problem_variable_count(problem.pointer);
        checkLength(pose, count);
        const figure = problem.figures[rest.figure ?? 0];
        const pointer = heap.scope((scope) => {
            const options = scope.struct('lb_drag_options', {...rest, turns: turns ? 1 : 0, isFree: isFree ? 1 : 0,
                ...(effector !== undefined && figure ? {effector: limber.effector(figure, effector)} : {}),
                ...(holds ? {holdCount: holds.length, holds: scope.ints(holds)} : {})});
            return limber.make((error) => c.lb_drag_create(problem.pointer, scope.doubles(pose), options, error));
        });
        const poseSize = 8 * Math.max(1, count);
        const room = heap.alloc(poseSize + structs.lb_frame.size + structs.lb_drag_state.size + structs.lb_result.size);
        super(limber, pointer, (/** @type {number} */ drag) => {
            c.lb_drag_destroy(drag);
            c.free(room);
        }, [problem]);
        this.problem = problem;
        this.#count = count;
        const frame = room + poseSize, state = frame + structs.lb_frame.size;
        this.#room = {pose: room, frame, state, result: state + structs.lb_drag_state.size};
        heap.setDefaults('lb_drag_state', this.#room.state);
        heap.setDefaults('lb_result', this.#room.result);
        /** The pose now. */
        this.pose = Float64Array.from(pose);
    }

    #readPose() {
        const {doubles} = this.limber.heap.now();
        for (let i = 0; i < this.#count; i++) this.pose[i] = doubles[this.#room.pose / 8 + i];
    }

    /**
     * One frame towards a target in the world; `pose` is then what to show.
     * @param {{position: ArrayLike<number>, rotation?: ArrayLike<number>}} target @returns {DragState}
     */
    move({position, rotation = [0, 0, 0, 1]}) {
        const {c, heap} = this.limber;
        const {pose, frame, state} = this.#room;
        this.check();
        heap.writeDoubles(frame, [...Array.from(position), ...Array.from(rotation)]);
        this.limber.run(() => c.lb_drag_move(this.pointer, frame, pose, state));
        this.#readPose();
        return this.state;
    }

    /** What the last frame came to. @returns {DragState} */
    get state() {
        const {structSize, ...state} = this.limber.heap.read('lb_drag_state', this.#room.state);
        return {...state, settled: Boolean(state.settled), isThere: Boolean(state.isThere),
            blocked: Boolean(state.blocked), gliding: Boolean(state.gliding)};
    }

    /** Between frames: does what the next one would begin with. Whether it is called changes no pose. */
    think() {
        this.check();
        this.limber.run(() => this.limber.c.lb_drag_think(this.pointer));
    }

    /**
     * Lets go, and says in which pose: a body that is under way arrives. The problem is as it was.
     * @returns {Float64Array}
     */
    end() {
        this.check();
        this.limber.run(() => this.limber.c.lb_drag_end(this.pointer, this.#room.pose));
        this.#readPose();
        this.#ended = {result: this.result, bodies: this.problem.figures.map((_, k) => this.body(k))};
        this.free();
        return this.pose;
    }

    /** The solve whose pose this is, also once the drag has ended; null before the first frame. @returns {import('./solver.js').Result | null} */
    get result() {
        if (this.#ended) return this.#ended.result;
        this.check();
        const at = this.limber.c.lb_drag_result(this.pointer);
        return at ? readResult(this.limber, at) : null;
    }

    /**
     * The body of a figure in this pose, also once the drag has ended; null where there is none.
     * @param {number} [figure] @returns {import('./body.js').BodyResult | null}
     */
    body(figure = 0) {
        if (this.#ended) return this.#ended.bodies[figure] ?? null;
        this.check();
        const at = this.limber.c.lb_drag_body(this.pointer, figure);
        const body = this.problem.figures[figure]?.body;
        return at && body ? readBodyResult(body, this.limber.heap, at) : null;
    }

    /** Why the part is no nearer to its target. @returns {import('./solver.js').Result} */
    explain() {
        this.check();
        this.limber.run(() => this.limber.c.lb_drag_explain(this.pointer, this.#room.result));
        return readResult(this.limber, this.#room.result);
    }
}
