// Where everything is in a pose, and how fast it moves with each variable.

import {structs} from './c_api.js';
import {checkLength} from './figure.js';
import {Handle} from './handle.js';

/**
 * @typedef {object} Effector what of the figure is placed: a point and two directions, or the centre of mass
 * @property {'frame' | 'com'} kind
 * @property {number} segment
 * @property {number[]} point in the segment's frame
 * @property {number[]} x
 * @property {number[]} y
 */

/** A figure in a pose. */
export class Kinematics extends Handle {
    #scratch;
    #values;
    #variableCount;
    #segmentCount;

    /** @param {import('./figure.js').Figure} figure */
    constructor(figure) {
        const {limber} = figure;
        const {c, heap} = limber;
        const count = figure.variableCount;
        const scratch = heap.alloc(8 * count + 256);
        const destroy = (/** @type {number} */ pointer) => {
            c.lb_kinematics_destroy(pointer);
            c.free(scratch);
        };
        super(limber, limber.make((error) => c.lb_kinematics_create(figure.pointer, error)), destroy, [figure]);
        this.figure = figure;
        this.#variableCount = count;
        this.#segmentCount = figure.segments.length;
        this.#scratch = scratch;
        this.#values = scratch + 256;
    }

    /** Forward kinematics; all else speaks of this pose. @param {import('./figure.js').Pose} pose */
    update(pose) {
        const {c, heap} = this.limber;
        this.check();
        checkLength(pose, this.#variableCount);
        heap.writeDoubles(this.#values, pose);
        this.limber.check(c.lb_kinematics_update(this.pointer, this.#values));
        return this;
    }

    /** @param {number} status @returns {import('./figure.js').Frame} */
    #frame(status) {
        const {heap} = this.limber;
        this.limber.check(status);
        return {position: heap.listDoubles(this.#scratch, 3), rotation: heap.listDoubles(this.#scratch + 24, 4)};
    }

    /** A segment's frame in the world. @param {number} segment */
    segment(segment) {
        return this.#frame(this.limber.c.lb_kinematics_segment(this.pointer, segment, this.#scratch));
    }

    /** A site's frame in the world. @param {number} site */
    site(site) {
        return this.#frame(this.limber.c.lb_kinematics_site(this.pointer, site, this.#scratch));
    }

    /** A segment's frame as a row-major 3x4 matrix. @param {number} segment @returns {Float64Array} */
    matrix(segment) {
        const {c, heap} = this.limber;
        this.limber.check(c.lb_kinematics_matrix(this.pointer, segment, this.#scratch));
        return heap.copyDoubles(this.#scratch, 12);
    }

    /**
     * The matrices of all segments, one behind the other.
     * @param {Float64Array} [out] of 12 numbers a segment @param {number} [first] where in it they begin
     * @returns {Float64Array}
     */
    matrices(out, first = 0) {
        const {c, heap} = this.limber;
        const {pointer} = this;
        const count = this.#segmentCount;
        const all = out ?? new Float64Array(12 * count);
        const scratch = this.#scratch;
        for (let i = 0; i < count; i++) {
            c.lb_kinematics_matrix(pointer, i, scratch);
            const {doubles} = heap.now();
            for (let k = 0; k < 12; k++) all[first + 12 * i + k] = doubles[scratch / 8 + k];
        }
        return all;
    }

    /** The centre of mass. @returns {number[]} */
    com() {
        const {c, heap} = this.limber;
        c.lb_kinematics_com(this.pointer, this.#scratch);
        return heap.listDoubles(this.#scratch, 3);
    }

    /** The value of any dof, driven or not. @param {number} joint @param {number} dof @returns {number} */
    dof(joint, dof) {
        return this.limber.c.lb_kinematics_dof(this.pointer, joint, dof);
    }

    /** A loop's two frames, which coincide where it is closed. @param {number} loop */
    loop(loop) {
        const {c, heap} = this.limber;
        const at = this.#scratch;
        this.limber.check(c.lb_kinematics_loop(this.pointer, loop, at, at + 64));
        const frame = (/** @type {number} */ p) =>
            ({position: heap.listDoubles(p, 3), rotation: heap.listDoubles(p + 24, 4)});
        return {carried: frame(at), tree: frame(at + 64)};
    }

    /** The closest pose inside the limits. @param {import('./figure.js').Pose} pose @returns {Float64Array} */
    project(pose) {
        const {c, heap} = this.limber;
        this.check();
        checkLength(pose, this.#variableCount);
        heap.writeDoubles(this.#values, pose);
        this.limber.check(c.lb_kinematics_project(this.pointer, this.#values));
        return heap.copyDoubles(this.#values, pose.length);
    }

    /**
     * An effector in full: of a site (its number or name), or as it is given.
     * @param {number | string | Partial<Effector>} effector @returns {Effector}
     */
    #effector(effector) {
        return this.limber.effector(this.figure, effector);
    }

    /** r, x, y in the world: 9 numbers. @param {number | string | Partial<Effector>} effector @returns {number[]} */
    effector(effector) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const at = scope.struct('lb_effector', this.#effector(effector));
            this.limber.check(c.lb_kinematics_effector(this.pointer, at, this.#scratch));
            return heap.listDoubles(this.#scratch, 9);
        });
    }

    /**
     * @param {string} name @param {number | string | Partial<Effector>} effector @param {number} size
     * @param {(scope: import('./heap.js').Scope) => number[]} [more] arguments before the matrix
     * @returns {Float64Array}
     */
    #derivative(name, effector, size, more) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const at = scope.struct('lb_effector', this.#effector(effector));
            const out = scope.alloc(8 * size);
            this.limber.check(c[name](this.pointer, at, ...(more ? more(scope) : []), out));
            return heap.copyDoubles(out, size);
        });
    }

    /** de/dpose, row-major [9][variables]. @param {number | string | Partial<Effector>} effector */
    jacobian(effector) {
        return this.#derivative('lb_kinematics_jacobian', effector, 9 * this.#variableCount);
    }

    /**
     * Velocity and angular velocity per variable, [6][variables].
     * @param {number | string | Partial<Effector>} effector
     */
    twist(effector) {
        return this.#derivative('lb_kinematics_twist', effector, 6 * this.#variableCount);
    }

    /**
     * The Hessian of weights . e, [variables][variables].
     * @param {number | string | Partial<Effector>} effector @param {number[]} weights 9 of them
     */
    hessian(effector, weights) {
        return this.#derivative('lb_kinematics_hessian', effector, this.#variableCount ** 2,
            (scope) => [scope.doubles(weights)]);
    }
}
