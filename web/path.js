// Paths: an end-effector through frames, on one branch of solutions, within the joints' limits of speed.

import {structs} from './c_api.js';
import {checkLength} from './figure.js';

/**
 * @typedef {object} PathOptions
 * @property {ArrayLike<number>} [start] a pose: solutions near it are tried first; none: the rest pose
 * @property {boolean} [isFromStart] begin in this very pose, which must be at the first frame
 * @property {boolean} [isPosition] rotations do not count
 * @property {number} [ways] solutions of the first frame to try at most
 * @property {number} [spacing] metres between the places that are solved for
 * @property {number} [spacingRad]
 * @property {number} [cornerRad] where the way turns by more, it stops for an instant
 * @property {number} [period] seconds between the poses
 * @property {number} [speed] the largest of the end-effector, metres a second
 * @property {number} [speedRad]
 * @property {ArrayLike<number>} [velocity] limits of each variable; none: the figure's
 * @property {ArrayLike<number>} [acceleration]
 * @property {import('./problem.js').Problem} [avoid] of this figure: what it keeps apart stays apart on the way
 * @property {import('./problem.js').Problem} [problem] of this figure: its body, constraints, habit and obstacles hold on the way; none: a
 *     figure that has a body goes along as one
 * @property {number} [riseTime] in which variables without an acceleration limit reach their speed
 *
 * @typedef {object} Path
 * @property {'none' | 'range' | 'row' | 'reach' | 'branch' | 'collision' | 'balance' | 'cancelled'} end what ends it; 'none': it was followed to
 *     the end
 * @property {number} fraction of the way that was followed
 * @property {number} variable whose range ends it, or which would have to jump; -1: none
 * @property {boolean} isUpper
 * @property {number} frame the last one that was reached
 * @property {boolean} hasClosed
 * @property {number} wayCount solutions of the first frame that were tried
 * @property {number} throughCount
 * @property {number} margin
 * @property {number} marginVariable
 * @property {number} length
 * @property {number} lengthRad
 * @property {number} duration seconds
 * @property {number} loadVelocity the largest share of a limit that is used
 * @property {number} loadAcceleration
 * @property {number} paceVariable
 * @property {boolean} isPaceVelocity
 * @property {number} deviation
 * @property {number} deviationRad
 * @property {string} explanation
 * @property {string} nameA of a collision: the two that would touch; else empty
 * @property {string} nameB
 * @property {number} touchingCount solutions of the first frame whose way ends so
 * @property {Float64Array[]} poses one every period; none where it is not followed
 */

/**
 * @param {import('./figure.js').Figure} figure
 * @param {number | string | Partial<import('./kinematics.js').Effector>} effector
 * @param {{position: number[], rotation?: number[]}[]} frames @param {PathOptions} [options] @returns {Path}
 * @internal
 */
export function followPath(figure, effector, frames, options = {}) {
    const {limber} = figure;
    const {c, heap} = limber;
    return heap.scope((scope) => {
        const {start, velocity, acceleration, avoid, problem, ...rest} = options;
        const list = (/** @type {ArrayLike<number> | undefined} */ values) => {
            if (values) checkLength(values, figure.variableCount);
            return values ? scope.doubles(values) : 0;
        };
        const how = scope.struct('lb_path_options', {
            ...rest,
            isFromStart: Number(options.isFromStart ?? false),
            isPosition: Number(options.isPosition ?? false),
            start: list(start),
            velocity: list(velocity),
            acceleration: list(acceleration),
            collisions: avoid ? c.lb_problem_collisions(avoid.pointer) : 0,
            problem: problem ? problem.pointer : 0,
        });
        const what = scope.struct('lb_effector', limber.effector(figure, effector));
        const places = scope.doubles(frames.flatMap(({position, rotation = [0, 0, 0, 1]}) =>
            [...position, ...rotation]));
        const path = limber.make((error) => c.lb_path_create(figure.pointer, what, frames.length, places, how, error));
        try {
            const result = heap.setDefaults('lb_path_result', scope.alloc(structs.lb_path_result.size));
            limber.check(c.lb_path_get(path, result));
            const {structSize, poseCount, ...found} = heap.read('lb_path_result', result);
            const pose = scope.alloc(8 * Math.max(1, figure.variableCount));
            const poses = Array.from({length: poseCount}, (_, i) => {
                limber.check(c.lb_path_pose(path, i, pose, 0));
                return heap.copyDoubles(pose, figure.variableCount);
            });
            return {...found, isUpper: Boolean(found.isUpper), hasClosed: Boolean(found.hasClosed),
                isPaceVelocity: Boolean(found.isPaceVelocity), poses};
        } finally {
            c.lb_path_destroy(path);
        }
    });
}
