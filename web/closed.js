// Closed forms: every solution of an arm, by algebra.

import {structs} from './c_api.js';
import {checkLength, segmentOf} from './figure.js';
import {Handle} from './handle.js';
import {enumWord} from './heap.js';

/**
 * @typedef {object} ClosedOptions
 * @property {string | number} [base] the chain begins at this segment; unless told at the root
 * @property {import('./figure.js').Pose} [pose] values of the variables that are not on the chain; unless told at rest
 * @property {boolean} [isPosition] the goal's rotation does not count (planar arms of two links only)
 * @property {number} [maxEvaluations] what a goal may cost, of arms whose answers are intervals; 0: anything
 * @property {number} [deadlineUs] microseconds that a call may take; 0: any number
 *
 * @typedef {object} ClosedSolution
 * @property {number[]} values of the chain's variables, radians or metres
 * @property {boolean} isInside whether all values are inside their limits
 * @property {number} worstVariable the variable farthest outside; -1: none
 * @property {number} outside by so much, radians or metres
 * @property {number} windingCount how many ways there are to add whole turns
 * @property {boolean} isSingular a singular pose, or a joint that may stand anywhere: this one stands for many
 * @property {number} condition of the Jacobian; Infinity where it is singular
 * @property {number} error by forward kinematics
 * @property {number} swivelRad of arms of seven joints: the swivel angle, or the free joint's
 * @property {number} swivelLowRad the limits hold from here
 * @property {number} swivelHighRad to here
 *
 * @typedef {object} ClosedResult
 * @property {number} count solutions inside their limits
 * @property {number} allCount those outside included; 0: out of the arm's reach, whatever its limits
 * @property {number} singularCount of all, those at a singular pose
 * @property {number} worstVariable where count is 0: the variable that the nearest breaks most; -1: none
 * @property {number} outside by so much, radians or metres
 * @property {string} explanation a sentence for a person
 * @property {boolean} isProved where count is 0: there is none; else none was found, which proves nothing
 * @property {boolean} isStopped the budget was spent: what was found until then is what there is
 * @property {number} evaluations so many were made
 * @property {ClosedSolution[]} solutions all of them: those inside first, nearer to the start first
 */

const MOST = 7; /* joints: LB_CLOSED_MAX_JOINTS */

/** What finds all solutions for one end-effector; thrown, with what stands in the way, where no closed form serves. */
export class Closed extends Handle {
    #room;
    #count; /* of the figure's variables */

    /**
     * @param {import('./figure.js').Figure} figure
     * @param {number | string | Partial<import('./kinematics.js').Effector>} effector a site or segment, as everywhere
     * @param {ClosedOptions} [options]
     */
    constructor(figure, effector, {base, pose, isPosition = false, maxEvaluations, deadlineUs} = {}) {
        const {limber} = figure;
        const {c, heap, host} = limber;
        const now = deadlineUs ? host.callback('now', () => 1000 * performance.now()) : {pointer: 0, context: 0};
        const baseSegment = base === undefined ? -1 : segmentOf(figure, base);
        if (pose) checkLength(pose, figure.variableCount);
        const pointer = heap.scope((scope) => {
            const at = scope.struct('lb_effector', limber.effector(figure, effector));
            const options = scope.struct('lb_closed_options',
                {baseSegment, pose: pose ? scope.doubles(pose) : 0, isPosition, maxEvaluations, deadlineUs,
                    nowUs: now.pointer, nowContext: now.context});
            return limber.make((error) => c.lb_closed_create(figure.pointer, at, options, error));
        });
        /** @type {{at: number}} shared with what frees it: the result, or a solution; and a pose behind it */
        const room = {at: 0};
        super(limber, pointer, (own) => {
            c.lb_closed_destroy(own);
            c.free(room.at);
            host.forget(now.context);
        }, [figure]);
        this.figure = figure;
        this.#room = room;
        this.#count = figure.variableCount;
        /** How the arm is solved. */
        this.kind = /** @type {'meeting' | 'parallel' | 'general' | 'planar' | 'limb' | 'seven'} */ (
            enumWord('lb_closed_kind', c.lb_closed_kind_of(pointer)));
        /** The chain's variables from the base to the end-effector. @type {readonly number[]} */
        this.variables = Object.freeze(Array.from({length: c.lb_closed_variable_count(pointer)},
            (_, i) => c.lb_closed_variable(pointer, i)));
    }

    /** Where numbers go in and out: a struct, then a pose. */
    #memory() {
        const {at} = this.#room;
        return at || (this.#room.at = this.limber.heap.alloc(SPACE + 8 * Math.max(MOST, this.#count)));
    }

    /**
     * All solutions for a goal. None is no failure: the result says so.
     * @param {{position: number[], rotation?: number[]}} goal where the end-effector should be in the world
     * @param {import('./figure.js').Pose} [start] a pose of the whole figure; unless told the one at rest
     * @returns {ClosedResult}
     */
    solve(goal, start = this.figure.restPose()) {
        const {c, heap} = this.limber;
        const {pointer} = this;
        const at = this.#memory();
        checkLength(start, this.#count);
        heap.writeDoubles(at + SPACE, start);
        heap.setDefaults('lb_closed_result', at);
        heap.scope((scope) => {
            const frame = scope.doubles([...goal.position, ...(goal.rotation ?? [0, 0, 0, 1])]);
            this.limber.run(() => c.lb_closed_solve(pointer, frame, at + SPACE, at));
        });
        const result = heap.read('lb_closed_result', at);
        const solutions = Array.from({length: result.allCount}, (_, i) => this.#solution(i));
        return {...result, isProved: Boolean(result.isProved), isStopped: Boolean(result.isStopped), solutions};
    }

    /** @param {number} index @returns {ClosedSolution} */
    #solution(index) {
        const {c, heap} = this.limber;
        const at = heap.setDefaults('lb_closed_solution', this.#memory());
        this.limber.check(c.lb_closed_get(this.pointer, index, at));
        const solution = heap.read('lb_closed_solution', at);
        return {...solution, values: solution.values.slice(0, this.variables.length),
            isInside: Boolean(solution.isInside), isSingular: Boolean(solution.isSingular)};
    }

    /**
     * Solution number `index` of the last solve as a pose of the figure; other variables as in `pose`.
     * @param {number} index @param {import('./figure.js').Pose} [pose] @returns {Float64Array}
     */
    pose(index, pose = this.figure.restPose()) {
        const {c, heap} = this.limber;
        checkLength(pose, this.#count);
        const at = this.#memory() + SPACE;
        heap.writeDoubles(at, pose);
        this.limber.check(c.lb_closed_pose(this.pointer, index, at));
        return heap.copyDoubles(at, pose.length);
    }

    /** The values of one of a solution's windings. @param {number} index @param {number} winding */
    winding(index, winding) {
        return this.#values((at) => this.limber.c.lb_closed_winding(this.pointer, index, winding, at));
    }

    /** The values of an arm of seven joints at another swivel angle of a solution's interval. @param {number} index
     * @param {number} swivelRad */
    swivel(index, swivelRad) {
        return this.#values((at) => this.limber.c.lb_closed_swivel(this.pointer, index, swivelRad, at));
    }

    /** @param {(at: number) => number} call @returns {number[]} */
    #values(call) {
        const at = this.#memory() + SPACE;
        this.limber.check(call(at));
        return this.limber.heap.listDoubles(at, this.variables.length);
    }
}

const SPACE = 8 * Math.ceil(Math.max(structs.lb_closed_result.size, structs.lb_closed_solution.size) / 8);
