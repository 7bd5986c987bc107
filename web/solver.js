// Solving: from a start pose to one that answers the problem, and what came of it.

import {readBodyResult} from './body.js';
import {enums, structs} from './c_api.js';
import {nearPairs} from './collisions.js';
import {LimberError} from './errors.js';
import {checkLength} from './figure.js';
import {Handle} from './handle.js';
import {enumWord} from './heap.js';

/**
 * @typedef {object} Progress
 * @property {number} iteration
 * @property {number} evaluations
 * @property {number} restart
 * @property {number} value G of the present pose
 * @property {Float64Array} pose
 *
 * @typedef {object} SolveOptions
 * @property {'lm' | 'bfgs' | 'ccd' | 'jacobian' | 'fabrik' | 'closed' | 'hierarchy'} [method]
 * @property {'transpose' | 'pseudo-inverse' | 'damped' | 'svd-damped'} [jacobian]
 * @property {number} [subgoals]
 * @property {number} [preferred] jacobian: pull towards the preferred pose; ccd, fabrik: damping away from it
 * @property {'switch' | 'bfgs' | 'dfp'} [bfgsUpdate]
 * @property {'dof' | 'axis'} [ccd]
 * @property {number} [maxIterations]
 * @property {number} [maxEvaluations]
 * @property {number} [gradientTolerance]
 * @property {number} [deadlineUs] microseconds; 0: none
 * @property {number} [restarts]
 * @property {number | bigint} [seed]
 * @property {boolean} [tracking]
 * @property {boolean} [keepGoing]
 * @property {number} [maxChange] bodies, while tracking: no variable leaves the start pose by more (radians or metres)
 * @property {(progress: Progress) => unknown} [onIteration] returns true to stop
 *
 * @typedef {object} ConstraintResult
 * @property {number} id
 * @property {boolean} met
 * @property {boolean} counted
 * @property {number} value its P, without the weight
 * @property {number} distance metres
 * @property {number} angleRad
 * @property {number[]} force how fast the wishes rise as the goal moves along x, y, z (per metre)
 * @property {number[]} moment the same as it turns about them (per radian)
 *
 * @typedef {object} ActiveLimit
 * @property {number} variable of the pose; -1: a row
 * @property {number} figure
 * @property {number} row
 * @property {boolean} isUpper
 * @property {number} value
 * @property {number} multiplier how fast G would fall if it gave way
 * @property {string} name
 *
 * Why a goal is not met: what would have to give way, and what that would gain. Each was tried.
 * @typedef {object} Reason
 * @property {'limit' | 'row' | 'goal' | 'obstacle' | 'distance' | 'budget' | 'start'} kind
 * @property {number} variable of a limit; else -1
 * @property {number} figure
 * @property {number} row of a limit over several variables; else -1
 * @property {boolean} isUpper
 * @property {number} constraint of a goal or obstacle, its place in the problem's list; else -1
 * @property {number} give how far it gives way; Infinity: only taking the limit away helps
 * @property {number} gain metres that the miss shrinks by
 * @property {number} gainRad radians that it shrinks by
 * @property {number} share of the miss, 0.1 to 1
 * @property {boolean} reached
 * @property {string | null} name
 *
 * How the goals constrain the figure (Korein and Badler 1982).
 * @typedef {object} Freedom
 * @property {'under' | 'perfect' | 'over'} determinacy constrained so
 * @property {number} variables that may move
 * @property {number} freedoms less what limits hold
 * @property {number} equations that the goals impose
 * @property {number} rank of these, independent
 * @property {number} redundancy freedoms - rank
 *
 * How well a pose lets the end-effector of a constraint move.
 * @typedef {object} Measure
 * @property {number} rows 3 or 6; 0: nothing is measured
 * @property {number} manipulability Yoshikawa's
 * @property {number} condition Infinity at a singularity
 * @property {number} singularity distance to one: the least singular value
 * @property {number} limit distance to the nearest, radians or metres; Infinity: none
 * @property {number} limitVariable in the pose; -1: none
 *
 * A part of the sentence, as data. What it is about has a number, or -1: `figure`, `constraint` (its place in the
 * problem's list), `variable` (of the pose), `reason` (its place in `reasons`), `limb` (whose foot steps).
 * @typedef {object} Said
 * @property {'reached' | 'outcome' | 'proof' | 'missed' | 'limit' | 'blocked' | 'going-on' | 'no-reason' | 'figure' |
 *     'step' | 'support' | 'balance' | 'effort' | 'overlap'} kind
 * @property {string} text its words, as `explanation` has them
 * @property {number} begin the place of their first character there
 * @property {number} figure
 * @property {number} constraint
 * @property {number} variable
 * @property {number} reason
 * @property {number} limb
 * @property {number} value the kind says what: metres missed, stepped, deep; metres that balance is inside (< 0:
 *     outside); the share of a strength or of the weight
 * @property {number} valueRad radians missed
 *
 * @typedef {object} Result
 * @property {'invalid' | 'solved' | 'minimum' | 'budget'} outcome
 * @property {'none' | 'arm' | 'lm' | 'bfgs' | 'ccd' | 'jacobian' | 'fabrik' | 'closed' | 'hierarchy'} engine that
 *     answered
 * @property {number} value of all goals
 * @property {number} valueBefore
 * @property {number} wishValue of the wishes, where they are a level of their own
 * @property {{priority: number, isWishes: boolean, met: boolean, value: number, gradientNorm: number}[]} levels the
 *     highest first
 * @property {number} gradientNorm
 * @property {number} iterations
 * @property {number} evaluations
 * @property {number} restarts
 * @property {ConstraintResult[]} constraints in the problem's order
 * @property {ActiveLimit[]} limits largest multiplier first
 * @property {number} unmet the constraint that the sentence is about, its place in the problem's list; -1: none
 * @property {Reason[]} reasons of explain(): largest share first; empty after a solve alone
 * @property {Freedom | null} freedom of explain(): null after a solve alone
 * @property {Measure[]} measures how well end-effectors can move at the answer, in the problem's order; after a solve
 *     alone they are found when they are first asked for (not enumerable then: copies do not have them)
 * @property {string} explanation a sentence for a person
 * @property {Said[]} said its parts as data
 */

/** Memory to solve one problem with; it follows the problem's changes. */
export class Solver extends Handle {
    #result;
    #problemPointer;
    /** @type {{pose: number, count: number, options: number}} shared with what frees it */
    #room;
    /** @type {Record<string, any> | null} what is in room.options */
    #lastOptions = null;

    /** @param {import('./problem.js').Problem} problem */
    constructor(problem) {
        const {limber} = problem;
        const {c, heap} = limber;
        const result = heap.setDefaults('lb_result', heap.alloc(structs.lb_result.size));
        const room = {pose: 0, count: 0, options: 0};
        const destroy = (/** @type {number} */ pointer) => {
            c.lb_solver_destroy(pointer);
            c.free(room.pose);
            c.free(room.options);
            c.free(result);
        };
        super(limber, limber.make((error) => c.lb_solver_create(problem.pointer, error)), destroy, [problem]);
        this.problem = problem;
        this.#problemPointer = problem.pointer;
        this.#result = result;
        this.#room = room;
    }

    /** The pose in memory. @param {import('./figure.js').Pose} pose @returns {number} */
    #write(pose) {
        const {c, heap} = this.limber;
        this.check();
        checkLength(pose, c.lb_problem_variable_count(this.#problemPointer));
        const room = this.#room;
        if (!room.pose || room.count < pose.length) {
            c.free(room.pose);
            room.pose = 0;
            room.count = 0;
            room.pose = heap.alloc(8 * Math.max(1, pose.length));
            room.count = pose.length;
        }
        heap.writeDoubles(room.pose, pose);
        return room.pose;
    }

    /** The C result of the last solve. @internal */
    get resultPointer() {
        return this.#result;
    }

    /**
     * Options in memory: those without functions stay there, since they are most often the same as the last time.
     * @template T @param {SolveOptions | undefined} options @param {number} count @param {(pointer: number) => T} work
     * @returns {T}
     */
    #withOptions(options, count, work) {
        const {heap} = this.limber;
        if (!options || options.onIteration || options.deadlineUs) return this.limber.withOptions(options, count, work);
        const room = this.#room;
        if (!room.options || !isSame(options, this.#lastOptions)) {
            room.options ||= heap.alloc(structs.lb_solve_options.size);
            this.#lastOptions = null;
            heap.setDefaults('lb_solve_options', room.options);
            heap.scope((scope) => heap.write('lb_solve_options', room.options, options, scope));
            this.#lastOptions = {...options};
        }
        return work(room.options);
    }

    /** What cannot be solved at all is thrown with the result's own sentence about it. @param {() => number} call */
    #run(call) {
        const {heap} = this.limber;
        const at = this.#result + RESULT.explanation.offset;
        heap.now().bytes[at] = 0;
        try {
            this.limber.run(call);
        } catch (error) {
            if (error instanceof LimberError && heap.text(at)) error.message = heap.text(at);
            throw error;
        }
    }

    /**
     * Solves from a pose; the answer replaces it.
     * @param {Float64Array} pose the start in, the answer out
     * @param {SolveOptions} [options]
     * @returns {Result}
     */
    solve(pose, options) {
        const {limber} = this;
        const {c, heap} = limber;
        const at = this.#write(pose);
        this.#withOptions(options, pose.length, (pointer) =>
            this.#run(() => c.lb_solver_solve(this.pointer, pointer, at, this.#result)));
        const {doubles} = heap.now();
        for (let i = 0; i < pose.length; i++) pose[i] = doubles[at / 8 + i];
        const result = readResult(limber, this.#result);
        const answer = Float64Array.from(pose);
        /** @type {Measure[] | undefined} */
        let measures;
        Object.defineProperty(result, 'measures',
            {get: () => (measures ??= this.measure(answer)), enumerable: false, configurable: true});
        return result;
    }

    /**
     * How well a pose lets the end-effector of each constraint move.
     * @param {import('./figure.js').Pose} pose
     * @returns {Measure[]} in the problem's order
     */
    measure(pose) {
        const {limber} = this;
        const {c, heap} = limber;
        const at = this.#write(pose);
        return heap.scope((scope) => {
            const result = heap.setDefaults('lb_result', scope.alloc(structs.lb_result.size));
            limber.run(() => c.lb_solver_measure(this.pointer, at, result));
            return readResult(limber, result).measures;
        });
    }

    /**
     * Why the last solve's answer does not meet its goals, and how much freedom it leaves: its result again, with
     * `reasons`, `freedom` and a longer sentence.
     * @param {import('./figure.js').Pose} pose the answer
     * @param {SolveOptions} [options] of them maxIterations, maxEvaluations, gradientTolerance and the deadline
     * @returns {Result}
     */
    explain(pose, options) {
        const {limber} = this;
        const at = this.#write(pose);
        this.#withOptions(options, pose.length, (pointer) =>
            limber.run(() => limber.c.lb_solver_explain(this.pointer, pointer, at, this.#result)));
        return readResult(limber, this.#result);
    }

    /**
     * What became of a body at the last answer: contacts, efforts, steps, balance; null where there is none.
     * @param {number} [figure] @returns {import('./body.js').BodyResult | null}
     */
    body(figure = 0) {
        const {c, heap} = this.limber;
        const at = c.lb_solver_body(this.pointer, figure);
        const body = this.problem.figures[figure]?.body;
        return at && body ? readBodyResult(body, heap, at) : null;
    }

    /**
     * What holds a pose, without solving: the forces of the contacts, the balance and each joint's share of its
     * strength.
     * @param {import('./figure.js').Pose} pose @param {number} [figure]
     * @returns {import('./body.js').BodyResult | null}
     */
    statics(pose, figure = 0) {
        const {c, heap} = this.limber;
        const at = this.#write(pose);
        heap.scope((scope) => {
            const error = scope.alloc(structs.lb_error.size);
            this.limber.run(() => c.lb_statics(this.pointer, at, error), error);
        });
        return this.body(figure);
    }

    /**
     * Several distinct answers, nearest to the start first.
     * @param {import('./figure.js').Pose} start
     * @param {{wanted?: number, apart?: number} & SolveOptions} [options] apart: radians or metres that some variable
     *     differs by at least
     * @returns {{poses: Float64Array[], result: Result}}
     */
    solveAll(start, options = {}) {
        const {limber} = this;
        const {c, heap} = limber;
        const {wanted = 8, apart = 0.01, ...solveOptions} = options;
        const count = start.length;
        const from = this.#write(start);
        return heap.scope((scope) => {
            const poses = scope.alloc(8 * count * wanted);
            this.#withOptions(solveOptions, count, (pointer) => this.#run(() =>
                c.lb_solver_solve_all(this.pointer, pointer, from, apart, wanted, poses, this.#result)));
            const found = heap.now().view.getInt32(this.#result + RESULT.answerCount.offset, true);
            const list = Array.from({length: found},
                (_, i) => heap.copyDoubles(poses + 8 * count * i, count));
            return {poses: list, result: readResult(limber, this.#result)};
        });
    }

    /** G of a pose inside its limits. @param {import('./figure.js').Pose} pose @returns {number} */
    value(pose) {
        return this.valueAndGradient(pose, false).value;
    }

    /**
     * G, what is minimised, of a pose, and its gradient.
     * @param {import('./figure.js').Pose} pose @param {boolean} [wanted] whether the gradient is
     * @returns {{value: number, gradient: Float64Array | null}}
     */
    valueAndGradient(pose, wanted = true) {
        const {c, heap} = this.limber;
        const at = this.#write(pose);
        return heap.scope((scope) => {
            const value = scope.alloc(8);
            const gradient = wanted ? scope.alloc(8 * pose.length) : 0;
            this.limber.run(() => c.lb_solver_value(this.pointer, at, value, gradient));
            return {value: heap.now().doubles[value / 8],
                gradient: wanted ? heap.copyDoubles(gradient, pose.length) : null};
        });
    }

    /**
     * The pairs that `Problem.avoid` keeps apart and that are less than `within` metres apart in a pose, the nearest
     * first.
     * @param {import('./figure.js').Pose} pose @param {number} [within] @returns {import('./collisions.js').Pair[]}
     */
    near(pose, within = 0.1) {
        return nearPairs(this, this.#write(pose), within);
    }
}

/** @param {Record<string, any>} a @param {Record<string, any> | null} b @returns {boolean} */
function isSame(a, b) {
    if (!b) return false;
    for (const key in a) {
        if (a[key] !== b[key]) return false;
    }
    for (const key in b) {
        if (!(key in a)) return false;
    }
    return true;
}

/** @type {Record<string, {offset: number}>} */
const RESULT = structs.lb_result.fields;
const CONSTRAINT = structs.lb_constraint_result;
const LIMIT = structs.lb_active_limit;
const REASON = structs.lb_reason;
const LEVEL = structs.lb_level_result;
const SAY = structs.lb_say;
const MEASURE = structs.lb_measure;
/** @type {Record<string, {offset: number}>} */
const FREEDOM = structs.lb_freedom.fields;

/** @param {DataView} view @param {number} at */
const threeAt = (view, at) => [0, 8, 16].map((offset) => view.getFloat64(at + offset, true));

/** @param {import('./limber.js').Limber} limber @param {number} at @returns {Result} */
export function readResult({heap}, at) {
    const {view} = heap.now();
    const int = (/** @type {string} */ key) => view.getInt32(at + RESULT[key].offset, true);
    const double = (/** @type {string} */ key) => view.getFloat64(at + RESULT[key].offset, true);
    const constraints = [];
    for (let i = 0, p = int('constraints'); i < int('constraintCount'); i++, p += CONSTRAINT.size) {
        constraints.push({
            id: view.getInt32(p + CONSTRAINT.fields.id.offset, true),
            met: view.getInt32(p + CONSTRAINT.fields.met.offset, true) !== 0,
            counted: view.getInt32(p + CONSTRAINT.fields.counted.offset, true) !== 0,
            value: view.getFloat64(p + CONSTRAINT.fields.value.offset, true),
            distance: view.getFloat64(p + CONSTRAINT.fields.distance.offset, true),
            angleRad: view.getFloat64(p + CONSTRAINT.fields.angleRad.offset, true),
            force: threeAt(view, p + CONSTRAINT.fields.force.offset),
            moment: threeAt(view, p + CONSTRAINT.fields.moment.offset),
        });
    }
    const limits = [];
    for (let i = 0, p = int('limits'); i < int('limitCount'); i++, p += LIMIT.size) {
        limits.push(heap.read('lb_active_limit', p));
    }
    const reasons = [];
    for (let i = 0, p = int('reasons'); i < int('reasonCount'); i++, p += REASON.size) {
        const reason = heap.read('lb_reason', p);
        reasons.push({...reason, isUpper: Boolean(reason.isUpper), reached: Boolean(reason.reached)});
    }
    const levels = [];
    for (let i = 0, p = int('levels'); i < int('levelCount'); i++, p += LEVEL.size) {
        const level = heap.read('lb_level_result', p);
        levels.push({...level, isWishes: Boolean(level.isWishes), met: Boolean(level.met)});
    }
    const measures = [];
    for (let i = 0, p = int('measures'); i < int('measureCount'); i++, p += MEASURE.size) {
        measures.push(heap.read('lb_measure', p));
    }
    const determinacy = view.getInt32(at + RESULT.freedom.offset + FREEDOM.determinacy.offset, true);
    return {
        outcome: /** @type {any} */ (enumWord('lb_outcome', int('outcome'))),
        engine: /** @type {any} */ (enumWord('lb_engine', int('engine'))),
        value: double('value'),
        valueBefore: double('valueBefore'),
        wishValue: double('wishValue'),
        levels,
        gradientNorm: double('gradientNorm'),
        iterations: int('iterations'),
        evaluations: int('evaluations'),
        restarts: int('restarts'),
        constraints,
        limits,
        unmet: int('unmet'),
        reasons,
        freedom: determinacy ? heap.read('lb_freedom', at + RESULT.freedom.offset) : null,
        measures,
        explanation: heap.text(at + RESULT.explanation.offset),
        said: readSaid(heap, at),
    };
}

/** The parts of a result's sentence. @param {import('./heap.js').Heap} heap @param {number} at @returns {Said[]} */
function readSaid(heap, at) {
    const count = heap.now().view.getInt32(at + RESULT.saidCount.offset, true);
    return Array.from({length: count}, (_, i) => {
        const {begin, length, ...part} = heap.read('lb_say', at + RESULT.said.offset + i * SAY.size);
        const words = at + RESULT.explanation.offset;
        return {...part, begin: heap.textOf(words, begin).length, text: heap.textOf(words + begin, length)};
    });
}

/**
 * Many problems at once: the same figures and constraints, each with goals and a start of its own.
 * @param {import('./problem.js').Problem} problem
 * @param {{ids: number[], goals: {position: number[], rotation?: number[]}[][], start?: import('./figure.js').Pose,
 *     starts?: import('./figure.js').Pose[], options?: SolveOptions, measures?: boolean,
 *     onProgress?: (done: number, count: number) => unknown}}
 *     many goals: for each problem a frame for each id; start: one for all, or starts: one for each; measures: how well
 *     end-effectors can move at each answer, too
 * @returns {{poses: Float64Array[], answers: any[], measures?: Measure[][]}}
 */
export function solveMany(problem, {ids, goals, start, starts, options, measures, onProgress}) {
    const {limber, variableCount} = problem;
    const {c, heap} = limber;
    const count = goals.length;
    for (const pose of starts ?? [start ?? problem.restPose()]) checkLength(pose, variableCount);
    if (goals.some((list) => list.length !== ids.length) || (starts && starts.length !== count)) {
        throw new LimberError('there must be a goal for each id, and a start for each problem (or one for all)',
            enums.lb_status.LB_ERROR_ARGUMENT);
    }
    return heap.scope((scope) => limber.withCallbacks((callbacks) => {
        const progress = onProgress ? callbacks.add('progress', onProgress) : {pointer: 0, context: 0};
        const poses = scope.alloc(8 * variableCount * count);
        const answers = scope.alloc(structs.lb_answer.size * count);
        const first = scope.alloc(8 * variableCount * (starts ? count : 1));
        (starts ?? [
            start ?? problem.restPose()
        ]).forEach((pose, i) => heap.writeDoubles(first + 8 * variableCount * i, pose));
        const frames = goals.flat().flatMap(({position, rotation}) => [...position, ...(rotation ?? [0, 0, 0, 1])]);
        const many = scope.struct('lb_many', {
            count, goalCount: ids.length, ids: scope.ints(ids), goals: scope.doubles(frames), starts: first,
            oneStart: starts ? 0 : 1, onProgress: progress.pointer, onProgressContext: progress.context,
        });
        const error = scope.alloc(structs.lb_error.size);
        limber.withOptions(options, variableCount, (pointer) =>
            limber.run(() => c.lb_solve_many(problem.pointer, pointer, many, poses, answers, error), error));
        const found = goals.map((_, i) => heap.copyDoubles(poses + 8 * variableCount * i, variableCount));
        const solver = measures ? new Solver(problem) : null;
        try {
            return {
                poses: found,
                answers: goals.map((_, i) => heap.read('lb_answer', answers + structs.lb_answer.size * i)),
                ...(solver ? {measures: found.map((pose) => solver.measure(pose))} : {}),
            };
        } finally {
            solver?.free();
        }
    }));
}
