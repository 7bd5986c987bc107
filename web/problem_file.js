// Problem files: a problem with its figures, start pose, motion and options. docs/problem-files.md tells the format.

import {Figure} from './figure.js';
import {Handle} from './handle.js';
import {enumValue, enumWord} from './heap.js';
import {Motion} from './motion.js';
import {Problem} from './problem.js';

/** What was read. */
export class ProblemFile extends Handle {
    /** @type {Motion | null} */
    #motion = null;

    /**
     * @param {import('./limber.js').Limber} limber @param {number} pointer
     * @param {import('./errors.js').LimberError[]} warnings
     */
    constructor(limber, pointer, warnings) {
        const {c, heap} = limber;
        super(limber, pointer, c.lb_problem_file_destroy);
        /** What was understood but is odd. */
        this.warnings = warnings;
        const inside = c.lb_problem_file_problem(pointer);
        const first = new Figure(limber, c.lb_problem_figure(inside, 0), this);
        /** It may be changed. */
        this.problem = new Problem(first, {pointer: inside, owner: this});
        /** @type {string} '' where it has none */
        this.title = heap.text(c.lb_problem_file_title(pointer));
        /** The names of the figures, as in prefixes. */
        this.figureNames = this.problem.figures.map((_, i) => heap.text(c.lb_problem_file_figure_name(pointer, i)));
        /** The start pose, inside the limits. */
        this.start = heap.copyDoubles(c.lb_problem_file_start(pointer), this.problem.variableCount);
        /** @type {import('./solver.js').SolveOptions} how the file wants to be solved */
        this.options = readOptions(limber, pointer);
    }

    /** What changes over time, from the start pose on; null where the file has no `motion`. @returns {Motion | null} */
    get motion() {
        const pointer = this.limber.c.lb_problem_file_motion(this.pointer);
        if (!this.#motion && pointer) {
            this.#motion = new Motion(this.problem, this.start, {pointer, owner: this, problem: this.problem});
        }
        return this.#motion;
    }

    /** Frees it now, with its problem, figures and motion. */
    free() {
        this.#motion?.free();
        this.problem.free();
        super.free();
    }

    /** What the file's `expect` says. @returns {{outcome: string, value: number, tolerance: number} | null} */
    get expects() {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const [value, tolerance] = [scope.alloc(8), scope.alloc(8)];
            const outcome = c.lb_problem_file_expects(this.pointer, value, tolerance);
            if (outcome < 0) return null;
            const {doubles} = heap.now();
            return {
                outcome: enumWord('lb_outcome', outcome),
                value: doubles[value / 8],
                tolerance: doubles[tolerance / 8]
            };
        });
    }

    /**
     * The problem as it is now, as a file; reading gives it back.
     * @param {{start?: import('./figure.js').Pose, options?: import('./solver.js').SolveOptions}} [what]
     * @returns {Uint8Array}
     */
    save({start, options} = {}) {
        const {limber} = this;
        const {c} = limber;
        return limber.written('.limber-problem.json', (scope, path, error) => limber.withOptions(options,
            this.problem.variableCount, (at) => limber.run(() =>
                c.lb_problem_save(this.pointer, start ? scope.doubles(start) : 0, at, path, error), error)));
    }

    /**
     * The result of a solver's last solve, as JSON.
     * @param {import('./solver.js').Solver} solver @param {import('./figure.js').Pose} pose the answer
     * @param {{method?: string, timeUs?: number}} [how] @returns {Uint8Array}
     */
    saveResult(solver, pose, {method = 'lm', timeUs = -1} = {}) {
        const {limber} = this;
        return limber.written('.limber-result.json',
            (scope, path, error) =>
                limber.run(() => limber.c.lb_result_save(this.pointer, enumValue('lb_method', method),
                               scope.doubles(pose), solver.resultPointer, timeUs, path, error),
                    error));
    }
}

/**
 * @param {import('./limber.js').Limber} limber
 * @param {number} pointer
 * @returns {import('./solver.js').SolveOptions}
 */
function readOptions(limber, pointer) {
    return limber.heap.scope((scope) => {
        const at = scope.struct('lb_solve_options');
        limber.check(limber.c.lb_problem_file_options(pointer, at));
        const {nowUs, nowContext, cancel, onIteration, onIterationContext, ...options} =
            limber.heap.read('lb_solve_options', at);
        return options;
    });
}
