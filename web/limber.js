// The package's entry: load() brings the module to life, and the object it gives reads and makes figures, problems and
// motions.
//
//     import {load} from 'limber';
//     const limber = await load();
//     limber.files.set('human.fig', await (await fetch('human.fig')).arrayBuffer());
//     const human = limber.loadFigure('human.fig');

import {enums, functions, structs, VERSION} from './c_api.js';
import {Builder} from './builder.js';
import {Clip, judgeRetarget, retarget} from './clip.js';
import {LimberError} from './errors.js';
import {checkLength, Figure, segmentOf} from './figure.js';
import {Files} from './files.js';
import {Heap, enumValue} from './heap.js';
import {Host} from './host.js';
import {Motion, Player, Script, Track} from './motion.js';
import {Problem} from './problem.js';
import {ProblemFile} from './problem_file.js';
import {Solver, solveMany} from './solver.js';
import {bringReader} from './xml.js';

export {
    Builder,
    Clip,
    Figure,
    Files,
    LimberError,
    Motion,
    Player,
    Problem,
    ProblemFile,
    Script,
    Solver,
    Track,
    VERSION
};
export {Closed} from './closed.js';
export {Drag} from './drag.js';
export {Kinematics} from './kinematics.js';
export {Reach} from './reach.js';
export {Servo} from './servo.js';
export {readXml} from './xml.js';

const PAGE = 65536;
const FIRST_PAGES = 32;
const MOST_PAGES = 65536;

/**
 * @typedef {object} LoadOptions of readers
 * @property {string} [format] 'fig', 'urdf', 'mjcf', 'bvh', 'gltf'; none: from the name, then from the content
 * @property {number} [maxBytes]
 * @property {number} [stature] metres, to scale a figure that has one to
 * @property {number} [bvhUnit] metres per unit of a BVH file
 * @property {boolean} [anatomicalLimits] glTF: a human's limits for joints known by name
 * @property {string} [limits] of a person known by the names of its bones: 'file', 'auto', 'anatomical', 'none'
 * @property {boolean} [body] such a person gets a body, and stands at ease
 * @property {boolean} [stand] a legged figure stands on its feet, as figure.stand() has it
 * @property {string} [base] 'planar': a base that drives in the plane; 'file' (default)
 * @property {number[]} [baseHalf] how far either way: x, y, metres, and yaw, radians; 0: without end
 * @property {number} [meshes] of a robot: 1 hulls of the meshes that it collides by, 2 also what it shows; 0 (default)
 *     none, unless packages are named. Needs load({meshes: true})
 * @property {string} [packages] folders of the table of files that `package://` is looked for in, with colons between
 *     them
 * @property {string} [root] the folder that MJCF may include files from, and meshes may lie in
 * @property {string} [animation] glTF: its name or number
 * @property {number} [frameTime]
 * @property {boolean} [followIncludes] MJCF
 * @property {string} [models] the folder of figures that problems name without a path
 * @property {(warning: LimberError) => void} [warn]
 */

/**
 * Loads the module.
 * @param {object} [options]
 * @param {URL | string | BufferSource | WebAssembly.Module | Response | Promise<Response>} [options.wasm] limber.wasm,
 *     or where it is; none: beside this file
 * @param {boolean} [options.meshes] the module that reads the meshes of robots, limber-meshes.wasm, which is 2% larger
 * @param {any} [options.DOMParser] reads URDF and MJCF; none: the browser's, or a reader of the package's own where
 *     there is none; null: nothing does, XML comes with trees by readXml() alone
 * @param {number} [options.maxMemory] bytes that it may grow to; none: 4 GiB
 * @returns {Promise<Limber>}
 */
export async function load(
    {wasm, meshes = false, DOMParser: parser = globalThis.DOMParser, maxMemory = MOST_PAGES * PAGE} = {}) {
    const usual = meshes ? new URL('./limber-meshes.wasm', import.meta.url) : new URL('./limber.wasm', import.meta.url);
    if (parser === undefined) await bringReader();
    const module = await compile(wasm ?? usual);
    const maximum = Math.max(FIRST_PAGES, Math.min(MOST_PAGES, Math.floor(maxMemory / PAGE)));
    const memory = new WebAssembly.Memory({initial: FIRST_PAGES, maximum});
    const heap = new Heap(memory);
    const files = new Files();
    const host = new Host(heap, files, parser);
    const instance = await WebAssembly.instantiate(module, host.imports());
    return new Limber(instance, heap, files, host);
}

/** @param {any} source @returns {Promise<WebAssembly.Module>} */
async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
        return WebAssembly.compile(/** @type {any} */ (source));
    }
    if (typeof source === 'string' || source instanceof URL) {
        const url = new URL(source, import.meta.url);
        if (url.protocol === 'file:') {
            const fs = 'node:fs/promises'; // a name that bundlers for browsers leave alone
            return WebAssembly.compile(await (await import(/* @vite-ignore */ fs)).readFile(url));
        }
        return compile(fetch(url));
    }
    const response = await source;
    if (!response.ok) throw new Error(`limber.wasm could not be fetched: ${response.status} ${response.statusText}`);
    if (response.headers.get('Content-Type')?.startsWith('application/wasm')) {
        return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
}

/** Callbacks for the time of a call. */
class Callbacks {
    /** @type {number[]} */
    #contexts = [];

    /** @param {Host} host */
    constructor(host) {
        this.host = host;
    }

    /** @param {any} kind @param {Function} call */
    add(kind, call) {
        const made = this.host.callback(kind, call);
        this.#contexts.push(made.context);
        return made;
    }

    end() {
        for (const context of this.#contexts) this.host.forget(context);
    }
}

/** One instance of the library, with files and memory of its own. */
export class Limber {
    /** @type {Error | null} */
    #broken = null;

    /** @param {WebAssembly.Instance} instance @param {Heap} heap @param {Files} files @param {Host} host */
    constructor(instance, heap, files, host) {
        /** @type {any} */
        const exported = instance.exports;
        heap.c = exported;
        /** The files that readers look into and writers put into. */
        this.files = files;
        /** @internal */
        this.heap = heap;
        /** @internal */
        this.host = host;
        /**
         * Every public C function by its own name; pointers are numbers.
         * @type {import('./c_api.js').CFunctions & Record<string, any>}
         */
        this.c = /** @type {any} */ (Object.freeze(Object.fromEntries(
            [...functions, 'malloc', 'realloc', 'free'].map((name) => [name, exported[name]]))));
        const limber = this;
        this.Problem = Problem;
        this.Motion = Motion;
        this.Clip = Clip;
        /** @type {new (figure?: Figure) => Builder} a builder of this instance */
        this.Builder = class extends Builder {
            /** @param {Figure} [figure] to begin with all of */
            constructor(figure) {
                super(limber, figure);
            }
        };
        /** @type {new (kind: 'values' | 'rotation' | 'frame', width?: number) => Track} a track of this instance */
        this.Track = class extends Track {
            /** @param {'values' | 'rotation' | 'frame'} kind @param {number} [width] */
            constructor(kind, width) {
                super(limber, kind, width);
            }
        };
        this.LimberError = LimberError;
    }

    /** The version of the library that runs. @returns {string} */
    get version() {
        return this.heap.text(this.c.lb_version());
    }

    // --- Reading -----------------------------------------------------------------------------------------------------

    /**
     * Reads a figure from the table of files ("chain:N" needs none).
     * @param {string} name @param {LoadOptions} [options] @returns {Figure}
     */
    loadFigure(name, options = {}) {
        return new Figure(this, this.#load('lb_figure_load', name, options)[0]);
    }

    /**
     * Reads a problem with its figures.
     * @param {string} name @param {LoadOptions} [options] @returns {ProblemFile}
     */
    loadProblem(name, options = {}) {
        /** @type {LimberError[]} */
        const warnings = [];
        const warn = (/** @type {LimberError} */ warning) => {
            warnings.push(warning);
            options.warn?.(warning);
        };
        const [pointer] = this.#load('lb_problem_load', name, {models: 'models', ...options, warn});
        return new ProblemFile(this, pointer, warnings);
    }

    /**
     * Reads a figure with its motion; clip is null where the file has none.
     * @param {string} name @param {LoadOptions} [options] @returns {{figure: Figure, clip: Clip | null}}
     */
    loadClip(name, options = {}) {
        const [figureAt, clipAt] = this.#load('lb_clip_load', name, options, 2);
        const figure = new Figure(this, figureAt);
        return {figure, clip: clipAt ? new Clip(figure, 0, 0, clipAt) : null};
    }

    /** Reads a script with what it includes. @param {string} name @param {LoadOptions} [options] @returns {Script} */
    loadScript(name, options = {}) {
        return new Script(this, this.#load('lb_script_load', name, options)[0]);
    }

    /** The names of a glTF file's animations. @param {string} name @returns {string[]} */
    gltfAnimations(name) {
        const [names] = this.#load('lb_gltf_animations', name, {});
        const text = this.heap.text(names);
        this.c.lb_text_free(names);
        return text.split('\n').slice(0, -1);
    }

    /**
     * A glTF file again in a pose of the figure that was read from it: skin, materials and all else stay.
     * @param {string} name of the file @param {Figure} figure @param {import('./figure.js').Pose} pose
     * @returns {Uint8Array}
     */
    gltfPose(name, figure, pose) {
        checkLength(pose, figure.variableCount);
        return this.#gltf(name, (scope, source, path, error) =>
            this.c.lb_gltf_save_pose(source, figure.pointer, scope.doubles(pose), path, 0, error));
    }

    /**
     * A glTF file again, with an animation added: skin, materials and all else stay.
     * @param {string} name of the file @param {Clip} clip @param {string} [animation] its name @returns {Uint8Array}
     */
    gltfAnimation(name, clip, animation = 'limber') {
        return this.#gltf(name, (scope, source, path, error) =>
            this.c.lb_gltf_save_animation(source, clip.pointer, scope.text(animation), path, 0, error));
    }

    /**
     * @param {string} name
     * @param {(scope: import('./heap.js').Scope, source: number, path: number, error: number) => number} write
     */
    #gltf(name, write) {
        const beside = name.replace(/[^/]*$/, '.limber-out') + (/\.gltf$/i.test(name) ? '.gltf' : '.glb');
        return this.written(beside, (scope, path, error) =>
            this.run(() => write(scope, scope.text(name), path, error), error));
    }

    /**
     * A clip's motion for another figure.
     * @param {Clip} clip @param {Figure} figure @param {import('./clip.js').RetargetOptions} [options]
     */
    retarget(clip, figure, options) {
        return retarget(clip, figure, options);
    }

    /**
     * What of a retargeting is over its bounds: by those of `limber retarget` where none are given.
     * @param {import('./clip.js').RetargetReport} report @param {Record<string, number>} [bounds]
     */
    judgeRetarget(report, bounds) {
        return judgeRetarget(this, report, bounds);
    }

    /**
     * @param {string} reader a C function of path, options, what it makes, error
     * @param {string} name @param {LoadOptions} options @param {number} [count] of things that it makes
     * @returns {number[]} pointers
     */
    #load(reader, name, options, count = 1) {
        return this.heap.scope((scope) => this.withCallbacks((callbacks) => {
            const {warn, format, ...rest} = options;
            const warner = warn ? callbacks.add('warn', warn) : {pointer: 0, context: 0};
            const at = scope.struct('lb_load_options', {
                ...rest,
                format: format ? enumValue('lb_format', format) : 0,
                warn: warner.pointer,
                warnContext: warner.context,
            });
            const out = Array.from({length: count}, () => scope.alloc(4));
            const error = scope.alloc(structs.lb_error.size);
            this.run(() => this.c[reader](scope.text(name), at, ...out, error), error);
            return out.map((pointer) => this.heap.now().view.getUint32(pointer, true));
        }));
    }

    /**
     * Many problems at once; see lb_solve_many.
     * @param {Problem} problem @param {Parameters<typeof solveMany>[1]} many
     */
    solveMany(problem, many) {
        return solveMany(problem, many);
    }

    // --- For the classes ---------------------------------------------------------------------------------------------

    /**
     * Throws where a status is negative.
     * @param {number} status @param {number} [error] an lb_error that says why
     * @internal
     */
    check(status, error = 0) {
        if (status >= 0) return;
        const known = error ? this.host.readError(error) : null;
        throw known && known.status < 0 ? known
                                        : new LimberError(this.heap.text(this.c.lb_status_text(status)), status);
    }

    /**
     * Calls a function that makes an object, and throws the reason where it cannot.
     * @param {(error: number) => number} call with an lb_error; returns the object @returns {number} the object
     * @internal
     */
    make(call) {
        return this.heap.scope((scope) => {
            const error = scope.alloc(structs.lb_error.size);
            const pointer = call(error);
            if (!pointer) throw this.host.readError(error);
            return pointer;
        });
    }

    /**
     * Calls C, and throws what came of it: its status, what a function of the caller threw, or that it broke down.
     * @param {() => number} call @param {number} [error] an lb_error
     * @internal
     */
    run(call, error = 0) {
        if (this.#broken) throw this.#broken;
        let status = 0;
        try {
            status = call();
        } catch (reason) {
            const isOurs = reason instanceof LimberError || reason instanceof TypeError; /* before C was called */
            if (isOurs) throw reason;
            this.#broken =
                new LimberError(`the module broke down (${/** @type {Error} */ (reason).message}); load it again`,
                    enums.lb_status.LB_ERROR_MEMORY);
            throw this.#broken;
        }
        this.host.rethrow();
        this.check(status, error);
    }

    /** @template T @param {(callbacks: Callbacks) => T} work @returns {T} @internal */
    withCallbacks(work) {
        const callbacks = new Callbacks(this.host);
        try {
            return work(callbacks);
        } finally {
            callbacks.end();
        }
    }

    /**
     * Solve options in memory for the time of a call.
     * @template T @param {import('./solver.js').SolveOptions | undefined} options @param {number} variableCount
     * @param {(pointer: number) => T} work @returns {T}
     * @internal
     */
    withOptions(options, variableCount, work) {
        if (!options) return work(0);
        return this.heap.scope((scope) => this.withCallbacks((callbacks) =>
            work(this.solveOptions(scope, callbacks, options, variableCount))));
    }

    /**
     * @param {import('./heap.js').Scope} scope @param {Callbacks} callbacks
     * @param {import('./solver.js').SolveOptions} options @param {number} variableCount
     * @returns {number}
     * @internal
     */
    solveOptions(scope, callbacks, options, variableCount) {
        const {onIteration, ...rest} = options;
        const none = {pointer: 0, context: 0};
        const now = options.deadlineUs ? callbacks.add('now', () => 1000 * performance.now()) : none;
        const iteration = !onIteration ? none : callbacks.add('iteration', (/** @type {number} */ pointer) => {
            const progress = this.heap.read('lb_progress', pointer);
            return onIteration({...progress, pose: this.heap.copyDoubles(progress.pose, variableCount)});
        });
        return scope.struct('lb_solve_options', {
            ...rest,
            nowUs: now.pointer,
            nowContext: now.context,
            onIteration: iteration.pointer,
            onIterationContext: iteration.context,
        });
    }

    /**
     * @param {import('./heap.js').Scope} scope @param {Callbacks} callbacks @param {any} options @returns {number}
     * @internal
     */
    saveOptions(scope, callbacks, options) {
        const {warn, ...rest} = options;
        const warner = warn ? callbacks.add('warn', warn) : {pointer: 0, context: 0};
        return scope.struct('lb_save_options', {...rest, warn: warner.pointer, warnContext: warner.context});
    }

    /**
     * Bytes that C allocated, which are freed.
     * @param {number} text
     * @param {number} size
     * @returns {Uint8Array}
     * @internal
     */
    takeBytes(text, size) {
        const {view} = this.heap.now();
        const at = view.getUint32(text, true);
        const bytes = this.heap.copyBytes(at, view.getUint32(size, true));
        this.c.lb_text_free(at);
        return bytes;
    }

    /**
     * What a writer of files wrote: its bytes, out of the table again.
     * @param {string} name @param {(scope: import('./heap.js').Scope, path: number, error: number) => void} write
     * @returns {Uint8Array}
     * @internal
     */
    written(name, write) {
        return this.heap.scope((scope) => {
            write(scope, scope.text(name), scope.alloc(structs.lb_error.size));
            const bytes = this.files.get(name) ?? new Uint8Array();
            this.files.delete(name);
            return bytes;
        });
    }

    /**
     * A quaternion's x and y axes.
     * @param {ArrayLike<number>} rotation
     * @returns {{x: number[], y: number[], z: number[]}}
     */
    axes(rotation) {
        return this.heap.scope((scope) => {
            const matrix = scope.alloc(72);
            this.c.lb_rotation_to_matrix(scope.doubles(rotation), matrix);
            const m = this.heap.listDoubles(matrix, 9);
            return {x: [m[0], m[3], m[6]], y: [m[1], m[4], m[7]], z: [m[2], m[5], m[8]]};
        });
    }

    /**
     * An effector in full: by the name of a site or a segment, or 'com', the centre of mass; of a site by its number;
     * of a segment ({segment}, by name or number).
     * @param {Figure} figure @param {any} given @returns {import('./kinematics.js').Effector}
     * @internal
     */
    effector(figure, given) {
        return this.heap.scope((scope) => {
            const at = scope.alloc(structs.lb_effector.size);
            if (typeof given === 'string') {
                const error = scope.alloc(structs.lb_error.size);
                this.check(this.c.lb_figure_find_effector(figure.pointer, scope.text(given), at, error), error);
            } else if (given?.kind === 'com') {
                this.c.lb_effector_from_com(at);
            } else if (typeof given === 'number') {
                this.check(this.c.lb_effector_from_site(figure.pointer, given, at));
            } else {
                const segment = segmentOf(figure, given?.segment);
                if (segment < figure.segments.length) {
                    this.check(this.c.lb_effector_from_segment(figure.pointer, segment, at));
                }
                this.heap.write('lb_effector', at, {...given, segment, kind: 'frame'}, scope);
            }
            return this.heap.read('lb_effector', at);
        });
    }
}
