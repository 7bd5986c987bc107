// Clips: a figure's poses at even times, as motion capture has them; contacts, and one figure's motion for another.

import {structs} from './c_api.js';
import {checkLength, Figure} from './figure.js';
import {Handle} from './handle.js';
import {enumValue} from './heap.js';

/**
 * @typedef {'step' | 'linear' | 'catmull-rom' | 'cubic'} Interpolation
 *
 * @typedef {object} ContactOptions lengths are those of a person 1.75 m tall
 * @property {number} [scale]
 * @property {number} [height]
 * @property {number} [speed]
 * @property {number} [release]
 * @property {number} [least] seconds
 * @property {number} [ease] seconds
 *
 * @typedef {object} Contact
 * @property {number} point which of the points
 * @property {number} first frame
 * @property {number} last frame
 * @property {number[]} placeW where it is to be
 */

/** Poses at even times. */
export class Clip extends Handle {
    #variableCount;

    /**
     * @param {import('./figure.js').Figure} figure
     * @param {number} frameCount or 0 with a pointer @param {number} frameTime seconds
     * @param {number} [pointer] a C clip of that figure, which this object then owns
     */
    constructor(figure, frameCount, frameTime, pointer) {
        const {limber} = figure;
        const {c} = limber;
        super(limber, pointer ?? limber.make((error) => c.lb_clip_create(figure.pointer, frameCount, frameTime, error)),
            c.lb_clip_destroy, [figure]);
        this.figure = figure;
        this.#variableCount = figure.variableCount;
    }

    /** How many poses the clip has. @returns {number} */
    get frameCount() {
        return this.limber.c.lb_clip_frame_count(this.pointer);
    }

    /** Seconds. @returns {number} */
    get frameTime() {
        return this.limber.c.lb_clip_frame_time(this.pointer);
    }

    /** Seconds from the first frame to the last. @returns {number} */
    get duration() {
        return this.limber.c.lb_clip_duration(this.pointer);
    }

    /** @param {number} frame @returns {number} */
    #at(frame) {
        const at = this.limber.c.lb_clip_pose(this.pointer, frame);
        if (!at) throw new RangeError(`there is no frame ${frame}; there are ${this.frameCount}`);
        return at;
    }

    /** A copy of a frame's pose. @param {number} frame @returns {Float64Array} */
    pose(frame) {
        return this.limber.heap.copyDoubles(this.#at(frame), this.#variableCount);
    }

    /** Sets a frame's pose. @param {number} frame @param {import('./figure.js').Pose} pose */
    setPose(frame, pose) {
        checkLength(pose, this.#variableCount);
        this.limber.heap.writeDoubles(this.#at(frame), pose);
    }

    /** The pose at any time. @param {number} time @param {Interpolation} [interpolation] @returns {Float64Array} */
    sample(time, interpolation = 'linear') {
        return this.#sample(time, interpolation, false).pose;
    }

    /**
     * The pose at any time, and how fast its variables change, per second and per second squared.
     * @param {number} time @param {Interpolation} [interpolation]
     * @returns {{pose: Float64Array, rate: Float64Array, acceleration: Float64Array}}
     */
    sampleRates(time, interpolation = 'cubic') {
        return this.#sample(time, interpolation, true);
    }

    /** @param {number} time @param {Interpolation} interpolation @param {boolean} wanted */
    #sample(time, interpolation, wanted) {
        const {limber} = this;
        const count = this.#variableCount;
        const {c, heap} = limber;
        return heap.scope((scope) => {
            const pose = scope.alloc(24 * count);
            const [rate, acceleration] = wanted ? [pose + 8 * count, pose + 16 * count] : [0, 0];
            const way = enumValue('lb_interpolation', interpolation);
            limber.run(() => c.lb_clip_sample(this.pointer, time, way, pose, rate, acceleration));
            return {
                pose: heap.copyDoubles(pose, count),
                rate: heap.copyDoubles(pose + 8 * count, count),
                acceleration: heap.copyDoubles(pose + 16 * count, count),
            };
        });
    }

    /**
     * The same motion at other times: a clip of its own.
     * @param {number} frameTime
     * @param {Interpolation} [interpolation]
     * @returns {Clip}
     */
    resample(frameTime, interpolation = 'cubic') {
        const {c} = this.limber;
        const way = enumValue('lb_interpolation', interpolation);
        return new Clip(this.figure, 0, 0,
            this.limber.make((error) => c.lb_clip_resample(this.pointer, frameTime, way, error)));
    }

    /**
     * The bytes of a file with the figure and its motion: 'bvh' or 'gltf' (a GLB); 'csv': a table of its values.
     * @param {string} format
     * @param {{bvhUnit?: number, warn?: (warning: import('./errors.js').LimberError) => void}} [options]
     * @returns {Uint8Array}
     */
    save(format, options = {}) {
        const {limber} = this;
        const ending = format === 'gltf' ? 'glb' : format;
        const kind = format === 'glb' ? 'gltf' : format === 'csv' ? 'unknown' : format;
        return limber.withCallbacks((callbacks) => limber.written(`.limber-clip.${ending}`, (scope, path, error) => {
            const at = limber.saveOptions(scope, callbacks,
                {...options, format: enumValue('lb_format', kind)});
            limber.run(() => limber.c.lb_clip_save(this.pointer, path, at, error), error);
        }));
    }

    // --- Contacts ----------------------------------------------------------------------------------------------------

    /** @param {import('./heap.js').Scope} scope @param {(string | number | object)[]} points */
    #points(scope, points) {
        const {size} = structs.lb_effector;
        const at = scope.alloc(size * points.length);
        points.forEach((point, i) => this.limber.heap.write('lb_effector', at + size * i,
            this.limber.effector(this.figure, point), scope));
        return at;
    }

    /**
     * When points (sites by name or number, effectors) stand.
     * @param {(string | number | object)[]} points @param {ContactOptions} [options] @returns {Contact[]}
     */
    contacts(points, options = {}) {
        const {limber} = this;
        const {c, heap} = limber;
        return heap.scope((scope) => {
            const effectors = this.#points(scope, points);
            const how = scope.struct('lb_contact_options', options);
            const ask = (/** @type {number} */ most, /** @type {number} */ to) => {
                const count = c.lb_clip_contacts(this.pointer, points.length, effectors, how, most, to);
                limber.check(count);
                return count;
            };
            const count = ask(0, 0);
            const {size} = structs.lb_contact;
            const list = scope.alloc(size * count);
            if (count) ask(count, list);
            return Array.from({length: count}, (_, i) => heap.read('lb_contact', list + size * i));
        });
    }

    /**
     * Holds points where contacts have them.
     * @param {(string | number | object)[]} points @param {Contact[]} contacts @param {ContactOptions} [options]
     */
    holdContacts(points, contacts, options = {}) {
        const {limber} = this;
        limber.heap.scope((scope) => {
            const {size} = structs.lb_contact;
            const list = scope.alloc(size * contacts.length);
            contacts.forEach((contact, i) => limber.heap.write('lb_contact', list + size * i, contact, scope));
            const effectors = this.#points(scope, points);
            const how = scope.struct('lb_contact_options', options);
            limber.run(() => limber.c.lb_clip_hold_contacts(this.pointer, points.length, effectors, how,
                contacts.length, list));
        });
    }
}

/**
 * @typedef {object} RetargetOptions
 * @property {boolean} [holdFeet]
 * @property {ContactOptions} [contacts]
 * @property {number} [weightFeet]
 * @property {number} [weightHips]
 * @property {number} [weightHands]
 * @property {number} [weightHead]
 * @property {number} [weightTurns]
 * @property {number} [weightLimbs]
 * @property {boolean} [smooth] true (default): all frames are one problem
 * @property {number} [firstFrame] @property {number} [frameCount] which frames of the clip; 0: all from firstFrame on
 * @property {(frame: number) => unknown} [onFrame] returns true to stop
 * @property {boolean} [keepFirstFrame] a pose that the clip begins with is a frame like any other (false by default: it is left out)
 * @property {boolean} [keepApart] of robots: segments stay apart (true by default)
 * @property {boolean} [keepSpeeds] of robots: limits of speed (true by default)
 * @property {{source: number[], target: number[]}} [map] segments of both figures by part of the body (lb_body_part);
 *     none: by their names
 */

/**
 * The figure; a robot that its file has fixed to the world gets a free root.
 * @param {import('./figure.js').Figure} figure
 */
function moving(figure) {
    const {limber} = figure;
    const pointer = limber.c.lb_humanoid_free_root(figure.pointer, 0);
    if (!pointer) return figure;
    const free = new Figure(limber, pointer);
    if (free.variableCount > figure.variableCount) return free;
    free.free();
    return figure;
}

/**
 * @typedef {{contactCount: number, slide: number, feetOff: number, limbMean: number, limbWorst: number, jump: number, atLimits: number,
 *     penetration: number, overlappingFrames: number, size: number, slideSpeed: number, hipsStep: number, firstFrame: number}
 *     & Record<string, number>} RetargetReport the fields of lb_retarget_report
 * @typedef {{measure: string, frame: number, value: number, bound: number}} RetargetFinding measure: 'limb-mean', 'slide-speed',
 *     'hips-step', 'overlap' ...; frame: -1 where it is about no one frame
 * @typedef {{findings: RetargetFinding[], explanation: string}} RetargetVerdict what is over its bound; none: nothing is
 */

/**
 * @param {import('./limber.js').Limber} limber @param {import('./heap.js').Scope} scope @param {number} report
 * @param {Record<string, number>} bounds
 * @returns {RetargetVerdict}
 */
function judge(limber, scope, report, bounds) {
    const {c, heap} = limber;
    const verdict = scope.struct('lb_retarget_verdict');
    limber.check(c.lb_retarget_judge(report, scope.struct('lb_retarget_bounds', bounds), verdict));
    const {count, findings, explanation} = heap.read('lb_retarget_verdict', verdict);
    return {findings: findings.slice(0, count), explanation};
}

/**
 * What of a retargeting is over its bounds.
 * @param {import('./limber.js').Limber} limber
 * @param {RetargetReport} report as `retarget` gives it
 * @param {Record<string, number>} [bounds] the fields of lb_retarget_bounds: {slideSpeed: 0.02, hipsStep: 2}
 */
export function judgeRetarget(limber, report, bounds = {}) {
    return limber.heap.scope((scope) => judge(limber, scope, scope.struct('lb_retarget_report', report), bounds));
}

/**
 * A clip's motion for another figure, of other proportions. A humanoid robot is known by its structure; where its file
 * has it fixed to the world, the figure of the clip that comes back is the same robot with a free root.
 * @param {Clip} clip @param {import('./figure.js').Figure} target @param {RetargetOptions} [options]
 * @returns {{clip: Clip, report: RetargetReport, verdict: RetargetVerdict}} the verdict is by the bounds of `limber retarget`
 */
export function retarget(clip, target, options = {}) {
    const {limber} = clip;
    const figure = moving(target);
    const {c, heap} = limber;
    const {onFrame, map, contacts, ...rest} = options;
    return heap.scope((scope) => limber.withCallbacks((callbacks) => {
        const parts = scope.struct('lb_body_map', map ?? {});
        if (!map) limber.check(c.lb_body_map_human(clip.figure.pointer, figure.pointer, parts));
        const report = scope.struct('lb_retarget_report');
        const error = scope.alloc(structs.lb_error.size);
        const caller = onFrame ? callbacks.add('frame', onFrame) : {pointer: 0, context: 0};
        const how = scope.struct('lb_retarget_options', {
            ...rest, contacts: contacts ? scope.struct('lb_contact_options', contacts) : 0,
            onFrame: caller.pointer, onFrameContext: caller.context,
        });
        let made = 0;
        limber.run(() => {
            made = c.lb_retarget(clip.pointer, figure.pointer, parts, how, report, error);
            return made ? 0 : Math.min(-1, heap.now().view.getInt32(error, true));
        }, error);
        return {clip: new Clip(figure, 0, 0, made), report: heap.read('lb_retarget_report', report),
            verdict: judge(limber, scope, report, {})};
    }));
}
