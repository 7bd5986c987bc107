// The next pose, every tick: goals followed within the velocity and acceleration limits of every joint.

import {readBodyResult} from './body.js';
import {structs} from './c_api.js';
import {checkLength} from './figure.js';
import {Handle} from './handle.js';

/**
 * @typedef {object} ServoOptions
 * @property {number} [period] seconds from tick to tick; 0.001 unless given
 * @property {ArrayLike<number>} [velocity] the largest speed of each variable, radians or metres a second; none: the
 *     figures' own
 * @property {ArrayLike<number>} [acceleration] the same of accelerations
 * @property {number} [usualVelocityRad] of variables without a velocity limit
 * @property {number} [usualVelocityM]
 * @property {number} [riseTime] in which variables without an acceleration limit reach their speed
 * @property {number} [speed] in (0, 1]: the share of the speeds that is used
 * @property {number} [middle] wish to be in the middle of the ranges
 * @property {number} [manipulability] wish to be away from singularities
 *
 * @typedef {object} ServoState
 * @property {number} lag metres from the goal, the largest of all constraints
 * @property {number} lagRad
 * @property {number} constraint its place in the problem's list of the one that lags most; -1: none
 * @property {'none' | 'velocity' | 'acceleration' | 'stop' | 'row' | 'reach' | 'collision' | 'balance' | 'body'} hold what holds it back
 * @property {number} variable whose limit that is; -1: of none
 * @property {boolean} isUpper
 * @property {number} load the largest share of its velocity limit that a variable uses
 * @property {boolean} isAtRest
 * @property {number} tick
 * @property {{a: string, b: string} | null} pair the two that would touch, where that holds it back
 */

/** Follows the goals of a problem, one pose every period. */
export class Servo extends Handle {
    #pose;
    #state;
    #count;

    /** @param {import('./problem.js').Problem} problem @param {ServoOptions} [options] */
    constructor(problem, options = {}) {
        const {limber} = problem;
        const {c, heap} = limber;
        const count = c.lb_problem_variable_count(problem.pointer);
        for (const list of [options.velocity, options.acceleration]) {
            if (list) checkLength(list, count);
        }
        const pointer = heap.scope((scope) => {
            const {velocity, acceleration, ...rest} = options;
            const at = scope.struct('lb_servo_options', {
                ...rest,
                velocity: velocity ? scope.doubles(velocity) : 0,
                acceleration: acceleration ? scope.doubles(acceleration) : 0,
            });
            return limber.make((error) => c.lb_servo_create(problem.pointer, at, error));
        });
        const room = heap.alloc(16 * Math.max(1, count) + structs.lb_servo_state.size);
        super(limber, pointer, (/** @type {number} */ servo) => {
            c.lb_servo_destroy(servo);
            c.free(room);
        }, [problem]);
        this.problem = problem;
        this.#count = count;
        this.#pose = room;
        this.#state = heap.setDefaults('lb_servo_state', room + 16 * Math.max(1, count));
    }

    /**
     * Begins at a pose, at rest or with these velocities. Throws where that start cannot obey the limits.
     * @param {import('./figure.js').Pose} pose @param {ArrayLike<number>} [velocity] of each variable
     * @returns {this}
     */
    start(pose, velocity) {
        return this.#place(this.limber.c.lb_servo_start, pose, velocity);
    }

    /**
     * Goes on from where the figure was measured to be, as after a push. Feet go back to where they stood at the start.
     * @param {import('./figure.js').Pose} pose @param {ArrayLike<number>} [velocity] of each variable
     * @returns {this}
     */
    correct(pose, velocity) {
        return this.#place(this.limber.c.lb_servo_correct, pose, velocity);
    }

    /**
     * @param {(servo: number, pose: number, velocity: number, error: number) => number} call
     * @param {import('./figure.js').Pose} pose @param {ArrayLike<number>} [velocity] @returns {this}
     */
    #place(call, pose, velocity) {
        const {limber} = this;
        this.check();
        checkLength(pose, this.#count);
        if (velocity) checkLength(velocity, this.#count);
        limber.heap.scope((scope) => {
            const error = scope.alloc(structs.lb_error.size);
            const speeds = velocity ? scope.doubles(velocity) : 0;
            limber.run(() => call(this.pointer, scope.doubles(pose), speeds, error), error);
        });
        return this;
    }

    /**
     * What became of a body by the last tick: contacts, efforts, balance; null where there is none.
     * @param {number} [figure] @returns {import('./body.js').BodyResult | null}
     */
    body(figure = 0) {
        const {c, heap} = this.limber;
        this.check();
        const at = c.lb_servo_body(this.pointer, figure);
        const body = this.problem.figures[figure]?.body;
        return at && body ? readBodyResult(body, heap, at) : null;
    }

    /**
     * The next pose. The goals are those where the end-effectors should be at that pose.
     * @param {Float64Array} [pose] to put it into @returns {Float64Array}
     */
    tick(pose = new Float64Array(this.#count)) {
        const {c, heap} = this.limber;
        this.check();
        checkLength(pose, this.#count);
        this.limber.run(() => c.lb_servo_tick(this.pointer, this.#pose, this.#state));
        const {doubles} = heap.now();
        for (let i = 0; i < this.#count; i++) pose[i] = doubles[this.#pose / 8 + i];
        return pose;
    }

    /**
     * Lets the end-effector of a constraint go at a velocity instead of to its goal: metres, then radians a second.
     * @param {number} id @param {ArrayLike<number> | null} twist six numbers; null: back to the goal @returns {this}
     */
    setTwist(id, twist) {
        if (twist) checkLength(twist, 6);
        this.check();
        this.limber.heap.scope((scope) => this.limber.check(
            this.limber.c.lb_servo_set_twist(this.pointer, id, twist ? scope.doubles(twist) : 0)));
        return this;
    }

    /** What the last tick found. @returns {ServoState} */
    get state() {
        this.check();
        const {c, heap} = this.limber;
        const {structSize, ...state} = heap.read('lb_servo_state', this.#state);
        const pair = state.pair < 0 ? null : heap.scope((scope) => {
            const who = scope.alloc(structs.lb_contact_pair.size);
            this.limber.check(c.lb_problem_pair(this.problem.pointer, state.pair, who));
            const {nameA, nameB} = heap.read('lb_contact_pair', who);
            return {a: nameA, b: nameB};
        });
        return {...state, pair, isUpper: Boolean(state.isUpper), isAtRest: Boolean(state.isAtRest),
            tick: Number(state.tick)};
    }

    /** The velocities that the last tick had. @returns {Float64Array} */
    get velocity() {
        const {c, heap} = this.limber;
        this.check();
        this.limber.check(c.lb_servo_velocity(this.pointer, this.#pose));
        return heap.copyDoubles(this.#pose, this.#count);
    }

    /** The limits in use. @returns {{velocity: Float64Array, acceleration: Float64Array}} */
    get limits() {
        const {c, heap} = this.limber;
        const second = this.#pose + 8 * this.#count;
        this.check();
        this.limber.check(c.lb_servo_limits(this.pointer, this.#pose, second));
        return {velocity: heap.copyDoubles(this.#pose, this.#count),
            acceleration: heap.copyDoubles(second, this.#count)};
    }
}
