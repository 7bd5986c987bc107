// Workspaces: is this point, or this frame, within reach? Prepared once, answered in a microsecond.

import {enums, structs} from './c_api.js';
import {LimberError} from './errors.js';
import {checkLength, segmentOf} from './figure.js';
import {Handle} from './handle.js';

/**
 * @typedef {object} ReachOptions
 * @property {string | number} [base] the chain begins at this segment; unless told at the root
 * @property {import('./figure.js').Pose} [pose] values of the variables that stay; unless told at rest
 * @property {ArrayLike<boolean | number>} [moves] for each variable of the figure, whether it may move; unless told all
 *     do
 * @property {number} [spacing] metres between the lines of the grids; negative: bounds alone; unless told it is chosen
 * @property {boolean} [hasFrames] whether frames are asked for, and not points alone; true unless told
 *
 * @typedef {object} ReachAnswer
 * @property {'inside' | 'outside' | 'unknown'} verdict proved, proved, or neither
 * @property {number} distance metres: outside, nothing comes nearer than this; inside, all points up to here are, too
 * @property {boolean} isExact the workspace is known exactly
 */

const NUMBERS = 8 * 8; /* bytes for what is asked: a point, a frame or a box */

/** The workspace of one end-effector. */
export class Reach extends Handle {
    #room;

    /**
     * @param {import('./figure.js').Figure} figure
     * @param {number | string | Partial<import('./kinematics.js').Effector>} effector a site or segment, as everywhere
     * @param {ReachOptions} [options]
     */
    constructor(figure, effector, {base, pose, moves, spacing = 0, hasFrames = true} = {}) {
        const {limber} = figure;
        const {c, heap} = limber;
        const baseSegment = base === undefined ? -1 : segmentOf(figure, base);
        if (pose) checkLength(pose, figure.variableCount);
        if (moves && moves.length !== figure.variableCount) {
            throw new LimberError(`${moves.length} entries of moves for ${figure.variableCount} variables`,
                enums.lb_status.LB_ERROR_ARGUMENT);
        }
        const pointer = heap.scope((scope) => {
            const at = scope.struct('lb_effector', limber.effector(figure, effector));
            const options = scope.struct('lb_reach_options', {
                baseSegment, spacing, hasFrames,
                pose: pose ? scope.doubles(pose) : 0,
                moves: moves ? scope.bytes(Uint8Array.from(moves, Number)) : 0,
            });
            return limber.make((error) => c.lb_reach_create(figure.pointer, at, options, error));
        });
        const room = {at: heap.alloc(NUMBERS + structs.lb_reach_answer.size)};
        super(limber, pointer, (own) => {
            c.lb_reach_destroy(own);
            c.free(room.at);
        }, [figure]);
        this.#room = room;
    }

    /** Whether the end-effector's point can be there, in the world. @param {number[]} point @returns {ReachAnswer} */
    point(point) {
        return this.#ask('lb_reach_point', point);
    }

    /** Whether the end-effector can be there, turned like that.
     * @param {{position: number[], rotation?: number[]}} frame @returns {ReachAnswer} */
    frame({position, rotation = [0, 0, 0, 1]}) {
        return this.#ask('lb_reach_frame', [...position, ...rotation]);
    }

    /** A box in the world that has all points within reach; infinite where a joint slides without limits.
     * @returns {{low: number[], high: number[]}} */
    box() {
        const {at} = this.#room, {heap, c} = this.limber;
        this.limber.check(c.lb_reach_box(this.pointer, at, at + 24));
        return {low: heap.listDoubles(at, 3), high: heap.listDoubles(at + 24, 3)};
    }

    /** @param {'lb_reach_point' | 'lb_reach_frame'} call @param {number[]} numbers @returns {ReachAnswer} */
    #ask(call, numbers) {
        const {at} = this.#room, {heap, c} = this.limber, answer = at + NUMBERS;
        heap.writeDoubles(at, numbers);
        heap.setDefaults('lb_reach_answer', answer);
        this.limber.check(c[call](this.pointer, at, answer));
        const {verdict, distance, isExact} = heap.read('lb_reach_answer', answer);
        return {verdict, distance, isExact: Boolean(isExact)};
    }
}
