// Collisions: segments that must not touch each other, nor what stands around them (docs/collisions.md).

import {structs} from './c_api.js';

/**
 * @typedef {object} Solid what stands around
 * @property {'box' | 'sphere' | 'capsule' | 'cylinder' | 'hull' | 'half-space'} kind
 * @property {string} [name]
 * @property {ArrayLike<number>} [point] the middle; an end of a capsule or cylinder; on the surface of a half-space
 * @property {ArrayLike<number>} [to] the other end
 * @property {number} [radius]
 * @property {ArrayLike<number>} [halfSize] of a box
 * @property {ArrayLike<number>} [quaternion] of a box or hull
 * @property {ArrayLike<number>} [normal] of a half-space: out of it
 * @property {ArrayLike<number>[]} [vertices] of a hull
 *
 * @typedef {object} CollisionOptions
 * @property {boolean} [self] the figures' segments are kept apart from each other; true unless given
 * @property {string} [world] the name of a file of solids, in the table of files
 * @property {Solid[]} [solids]
 * @property {string} [srdf] the name of a file whose disable_collisions hold for the first figure
 * @property {[string, string][]} [touching] pairs of names that may touch
 * @property {number} [margin] metres to be kept
 * @property {number} [samples] random poses by which pairs that always or never touch are found
 * @property {number} [seed] of these
 * @property {(warning: import('./errors.js').LimberError) => void} [warn] told of segments without a shape
 *
 * @typedef {object} Pair two things that are kept apart, in a pose
 * @property {string} nameA
 * @property {string} nameB
 * @property {number} figureA
 * @property {number} segmentA
 * @property {number} figureB -1: a solid of the world
 * @property {number} segmentB or the solid's number
 * @property {number} distance metres; < 0: they overlap
 * @property {number[]} pointA of each, the point that is nearest to the other
 * @property {number[]} pointB
 * @property {number[]} normal unit, from b to a
 */

/** @param {string} key @param {any} value */
const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {Float64Array} */ (value)) : value);

/** @param {import('./problem.js').Problem} problem @param {CollisionOptions} options @internal */
export function keepApart(problem, {solids = [], warn, ...rest}) {
    const {limber} = problem;
    const text = JSON.stringify({...rest,
        solids: solids.map(({halfSize, ...solid}) => (halfSize ? {...solid, half_size: halfSize} : solid))}, plain);
    limber.heap.scope((scope) => limber.withCallbacks((callbacks) => {
        const data = scope.text(text);
        const error = scope.alloc(structs.lb_error.size);
        const length = new TextEncoder().encode(text).length;
        const told = warn ? callbacks.add('warn', warn) : {pointer: 0, context: 0};
        const how = scope.struct('lb_load_options', {warn: told.pointer, warnContext: told.context});
        limber.run(() =>
            limber.c.lb_problem_read_collisions(problem.pointer, data, length, scope.text('.'), how, error), error);
    }));
}

/**
 * @param {import('./solver.js').Solver} solver @param {number} pose @param {number} within
 * @returns {Pair[]} @internal
 */
export function nearPairs(solver, pose, within) {
    const {limber} = solver;
    const {c, heap} = limber;
    return heap.scope((scope) => {
        const most = c.lb_solver_near_pairs(solver.pointer, pose, within, 0, 0);
        limber.check(most);
        const {size} = structs.lb_contact_pair;
        const list = scope.alloc(size * most);
        limber.check(c.lb_solver_near_pairs(solver.pointer, pose, within, most, list));
        return Array.from({length: most}, (_, i) => heap.read('lb_contact_pair', list + i * size));
    });
}
