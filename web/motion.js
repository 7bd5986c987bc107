// Motions: tracks with keys, problems whose goals and variables they drive, and players that solve them over time.

import {structs} from './c_api.js';
import {Clip} from './clip.js';
import {LimberError} from './errors.js';
import {Figure} from './figure.js';
import {Handle} from './handle.js';
import {enumValue, enumWord} from './heap.js';
import {Problem} from './problem.js';
import {readResult} from './solver.js';

/** A value with keys over time. */
export class Track extends Handle {
    /**
     * @param {import('./limber.js').Limber} limber
     * @param {'values' | 'rotation' | 'frame'} kind @param {number} [width] of 'values'
     */
    constructor(limber, kind, width = 1) {
        const {c} = limber;
        super(limber, limber.make((error) => c.lb_track_create(enumValue('lb_track_kind', kind), width, 0, error)),
            c.lb_track_destroy);
    }

    /** What the keys are: plain values, rotations, or frames. @returns {'values' | 'rotation' | 'frame'} */
    get kind() {
        return /** @type {any} */ (enumWord('lb_track_kind', this.limber.c.lb_track_get_kind(this.pointer)));
    }

    /** Numbers that a value has. @returns {number} */
    get width() {
        return this.limber.c.lb_track_width(this.pointer);
    }

    /** How the curve begins and ends. @returns {'natural' | 'clamped' | 'periodic'} */
    get ends() {
        return /** @type {any} */ (enumWord('lb_track_ends', this.limber.c.lb_track_get_ends(this.pointer)));
    }

    set ends(ends) {
        this.limber.check(this.limber.c.lb_track_set_ends(this.pointer, enumValue('lb_track_ends', ends)));
    }

    /** Sets the key at a time. @param {number} time @param {number | ArrayLike<number>} value
     * @param {import('./clip.js').Interpolation} [interpolation] */
    set(time, value, interpolation = 'cubic') {
        const {c, heap} = this.limber;
        const values = typeof value === 'number' ? [value] : value;
        if (values.length !== this.width) {
            throw new LimberError(`a value of this track has ${this.width} numbers, not ${values.length}`, -1);
        }
        heap.scope((scope) => this.limber.check(c.lb_track_set(this.pointer, time, scope.doubles(values),
            enumValue('lb_interpolation', interpolation))));
        return this;
    }

    /** Removes a key. @param {number} key its index */
    remove(key) {
        this.limber.check(this.limber.c.lb_track_remove(this.pointer, key));
    }

    /**
     * In order of time.
     * @returns {{time: number, value: number[], interpolation: import('./clip.js').Interpolation}[]}
     */
    get keys() {
        const {c, heap} = this.limber;
        const {width} = this;
        return heap.scope((scope) => {
            const at = scope.alloc(16 + 8 * width);
            return Array.from({length: c.lb_track_key_count(this.pointer)}, (_, i) => {
                this.limber.check(c.lb_track_key(this.pointer, i, at, at + 16, at + 8));
                const {view} = heap.now();
                return {time: view.getFloat64(at, true), value: heap.listDoubles(at + 16, width),
                    interpolation: /** @type {any} */ (enumWord('lb_interpolation', view.getInt32(at + 8, true)))};
            });
        });
    }

    /** The value at a time. @param {number} time @returns {number[]} */
    sample(time) {
        return this.sampleRates(time).value;
    }

    /**
     * The value at a time, and how fast it changes, per second and per second squared.
     * @param {number} time @returns {{value: number[], rate: number[], acceleration: number[]}}
     */
    sampleRates(time) {
        const {c, heap} = this.limber;
        const {width} = this;
        const rateWidth = c.lb_track_rate_width(this.pointer);
        return heap.scope((scope) => {
            const at = scope.alloc(8 * (width + 2 * rateWidth));
            const [rate, acceleration] = [at + 8 * width, at + 8 * (width + rateWidth)];
            this.limber.check(c.lb_track_sample(this.pointer, time, at, rate, acceleration));
            return {value: heap.listDoubles(at, width), rate: heap.listDoubles(rate, rateWidth),
                acceleration: heap.listDoubles(acceleration, rateWidth)};
        });
    }
}

/** A problem that changes over time. */
export class Motion extends Handle {
    /** @type {Map<number, Problem>} by stage */
    #problems = new Map();
    /** @type {Problem[]} those of them that are but looked at */
    #own = [];
    /** @type {Handle | null} */
    #owner;

    /**
     * @param {Problem | null} problem of the first stage @param {import('./figure.js').Pose} start
     * @param {{pointer: number, owner: Handle, problem?: Problem}} [borrowed] a motion that belongs to another object
     */
    constructor(problem, start, borrowed) {
        const limber = borrowed ? borrowed.owner.limber : /** @type {Problem} */ (problem).limber;
        const {c, heap} = limber;
        super(limber, borrowed ? borrowed.pointer : heap.scope((scope) =>
            limber.make((error) =>
                c.lb_motion_create(/** @type {Problem} */ (problem).pointer, scope.doubles(start), error))),
        borrowed ? () => {} : c.lb_motion_destroy, [borrowed ? borrowed.owner : /** @type {Problem} */ (problem)]);
        this.#owner = borrowed ? borrowed.owner : null;
        const first = borrowed ? borrowed.problem : problem;
        if (first) this.#problems.set(0, first);
    }

    /** @param {number} status @returns {number} */
    #check(status) {
        if (status < 0) this.limber.check(status, this.limber.c.lb_motion_error(this.pointer));
        return status;
    }

    /** The last time at which something changes. @returns {number} */
    get end() {
        return this.limber.c.lb_motion_end(this.pointer);
    }

    /** How many stages the motion has. @returns {number} */
    get stageCount() {
        return this.limber.c.lb_motion_stage_count(this.pointer);
    }

    /** A stage's problem. @param {number} [stage] @returns {Problem} */
    problem(stage = 0) {
        let problem = this.#problems.get(stage);
        if (!problem) {
            const {c} = this.limber;
            const pointer = c.lb_motion_problem(this.pointer, stage);
            if (!pointer) throw new RangeError(`there is no stage ${stage}; there are ${this.stageCount}`);
            const owner = this.#owner ?? this;
            problem = new Problem(new Figure(this.limber, c.lb_problem_figure(pointer, 0), owner), {pointer, owner});
            this.#problems.set(stage, problem);
            this.#own.push(problem);
        }
        return problem;
    }

    /**
     * A track drives something: 'variable', 'joint' (see jointIndex), 'root', 'root-onward', 'goal', 'weight', 'enabled',
     * 'active', 'limits'; index says which.
     * @param {'variable' | 'joint' | 'root' | 'root-onward' | 'goal' | 'weight' | 'enabled' | 'active' | 'limits'} target
     * @param {number} index @param {Track} track copied
     */
    drive(target, index, track) {
        this.#check(
            this.limber.c.lb_motion_drive(this.pointer, enumValue('lb_drive_target', target), index, track.pointer));
    }

    /**
     * The number by which `drive` knows a joint of one of the figures.
     * @param {number} figure @param {number} joint @returns {number}
     */
    jointIndex(figure, joint) {
        return this.limber.c.lb_motion_joint_index(this.pointer, figure, joint);
    }

    /**
     * A figure does what a clip does. Goals of the figure are met over it, by their weights: their chains leave the clip as
     * little as they need, its root only where a track of 'active' says so.
     * @param {number} figure @param {Clip} clip @param {number} [from]
     * @param {import('./clip.js').Interpolation} [interpolation]
     */
    driveClip(figure, clip, from = 0, interpolation = 'cubic') {
        const way = enumValue('lb_interpolation', interpolation);
        this.#check(this.limber.c.lb_motion_drive_clip(this.pointer, figure, clip.pointer, from, way));
        this.keepAlive(clip);
    }

    /** A figure is held by a segment of another.
     * @param {{object: number, carrier: number, segment: number, from: number, to?: number}} what */
    carry({object, carrier, segment, from, to = Infinity}) {
        this.#check(this.limber.c.lb_motion_carry(this.pointer, object, carrier, segment, from, to));
    }

    /**
     * A goal goes over to a site.
     * @param {number} constraint
     * @param {number} figure
     * @param {number} site
     * @param {Track} weight
     */
    follow(constraint, figure, site, weight) {
        this.#check(this.limber.c.lb_motion_follow(this.pointer, constraint, figure, site, weight.pointer));
    }

    /**
     * From a time on, another problem; the stage's number.
     * @param {number} from
     * @param {Problem} problem
     * @returns {number}
     */
    stage(from, problem) {
        const number = this.#check(this.limber.c.lb_motion_stage(this.pointer, from, problem.pointer));
        this.keepAlive(problem);
        this.#problems.set(number, problem);
        return number;
    }

    /**
     * The method that the stage which was added last is solved by, instead of the player's own.
     * @param {'lm' | 'bfgs' | 'ccd' | 'jacobian' | 'fabrik' | 'closed' | 'hierarchy'} method
     */
    setMethod(method) {
        this.#check(this.limber.c.lb_motion_set_method(this.pointer, enumValue('lb_method', method)));
    }

    /** Frees it now, with what it gave of the problems inside. */
    free() {
        for (const problem of this.#own) problem.free();
        this.#own = [];
        super.free();
    }

    /**
     * Makes what plays the motion, one pose after the other or at any time.
     * @param {PlayerOptions} [options] @returns {Player}
     */
    player(options) {
        return new Player(this, options);
    }
}

/**
 * @typedef {object} PlayerOptions
 * @property {number} [step] seconds between solves
 * @property {import('./solver.js').SolveOptions} [options]
 * @property {(time: number, message: string) => void} [warn] hears of driven variables that a limit clips, and of goals
 *     that cannot be met since all is driven, or over a clip
 */

/** Plays a motion: the pose at any time, in any order. */
export class Player extends Handle {
    #result;
    #motionPointer;

    /** @param {Motion} motion @param {PlayerOptions} [how] */
    constructor(motion, {step, options, warn} = {}) {
        const {limber} = motion;
        const {c, heap, host} = limber;
        const none = {pointer: 0, context: 0};
        const warner = warn ? host.callback('clipped', warn) : none;
        const {onIteration, ...rest} = options ?? {};
        const now = options?.deadlineUs ? host.callback('now', () => 1000 * performance.now()) : none;
        const result = heap.setDefaults('lb_result', heap.alloc(structs.lb_result.size));
        const pointer = heap.scope((scope) => {
            const solve = !options ? 0 : scope.struct('lb_solve_options',
                {tracking: true, keepGoing: true, ...rest, nowUs: now.pointer, nowContext: now.context});
            const player = scope.struct('lb_player_options',
                {step, options: solve, warn: warner.pointer, warnContext: warner.context});
            return limber.make((error) => c.lb_player_create(motion.pointer, player, error));
        });
        super(limber, pointer, (at) => {
            c.lb_player_destroy(at);
            c.free(result);
            host.forget(warner.context);
            host.forget(now.context);
        }, [motion]);
        this.motion = motion;
        this.#motionPointer = motion.pointer;
        this.#result = result;
    }

    /** @param {() => number} call */
    #run(call) {
        this.limber.run(call, this.limber.c.lb_player_error(this.pointer));
    }

    /** The stage at a time, whose problem's pose it is. @param {number} time @returns {number} */
    stage(time) {
        return this.limber.c.lb_player_stage(this.pointer, time);
    }

    /** Variables of the pose at a time. @param {number} time */
    #count(time) {
        const {c} = this.limber;
        return c.lb_problem_variable_count(c.lb_motion_problem(this.#motionPointer, this.stage(time)));
    }

    /**
     * The pose at a time, what the solve said, and the stage it belongs to.
     * @param {number} time @returns {{pose: Float64Array, result: import('./solver.js').Result, stage: number}}
     */
    pose(time) {
        const {limber} = this;
        const {c, heap} = limber;
        const count = this.#count(time);
        return heap.scope((scope) => {
            const at = scope.alloc(8 * count);
            this.#run(() => c.lb_player_pose(this.pointer, time, at, this.#result));
            return {
                pose: heap.copyDoubles(at, count),
                result: readResult(limber, this.#result),
                stage: this.stage(time)
            };
        });
    }

    /** How fast the pose changes. @param {number} time @returns {{rate: Float64Array, acceleration: Float64Array}} */
    rates(time) {
        const {c, heap} = this.limber;
        const count = this.#count(time);
        return heap.scope((scope) => {
            const at = scope.alloc(16 * count);
            this.#run(() => c.lb_player_rates(this.pointer, time, at, at + 8 * count));
            return {rate: heap.copyDoubles(at, count), acceleration: heap.copyDoubles(at + 8 * count, count)};
        });
    }

    /**
     * Where a site is and how it moves: velocity and angular velocity, and both accelerations.
     * @param {number} time @param {number} figure @param {number} site
     * @returns {{frame: import('./figure.js').Frame, velocity: number[], acceleration: number[]}}
     */
    site(time, figure, site) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const at = scope.alloc(56 + 96);
            this.#run(() => c.lb_player_site(this.pointer, time, figure, site, at, at + 56, at + 104));
            return {
                frame: {position: heap.listDoubles(at, 3), rotation: heap.listDoubles(at + 24, 4)},
                velocity: heap.listDoubles(at + 56, 6),
                acceleration: heap.listDoubles(at + 104, 6),
            };
        });
    }

    /**
     * What a figure does during a stage.
     * @param {{stage?: number, figure?: number, frameTime?: number}} [what] @returns {Clip}
     */
    clip({stage = 0, figure = 0, frameTime = 1 / 30} = {}) {
        const {c} = this.limber;
        let made = 0;
        this.#run(() => {
            made = c.lb_player_clip(this.pointer, stage, figure, frameTime);
            return made ? 0 : -1;
        });
        return new Clip(this.motion.problem(stage).figures[figure], 0, 0, made);
    }
}

/** A script of SCEFO, the language of BAGS. */
export class Script extends Handle {
    /** @param {import('./limber.js').Limber} limber @param {number} pointer */
    constructor(limber, pointer) {
        const {c} = limber;
        super(limber, pointer, c.lb_script_destroy);
        /** What it plays. */
        this.motion = new Motion(null, [], {pointer: c.lb_script_motion(pointer), owner: this});
    }

    /** Frees it now, with its motion. */
    free() {
        this.motion.free();
        super.free();
    }
}
