// The frame (point and rotation) that moves a goal to where it is: what a key of a goal's track holds. A goal that is
// moved to a frame takes the frame's x and y as its directions, its z as normal (lb_problem_move_goal), so each kind of
// goal has its own rotation.

import {basis, cross, rotationFromAxes, unit} from '../math/vector.js';

/**
 * @param {Pick<SceneGoal, 'kind' | 'point'> & Partial<SceneGoal>} goal
 *     as the engine's scene has it
 * @returns {{point: number[], quaternion: number[]}} what a key of its track holds
 */
export function goalFrame(goal) {
    const point = Array.from(goal.point);
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = unit(goal.x ?? [1, 0, 0], [1, 0, 0]), z = unit(cross(x, goal.y ?? [0, 1, 0]), [0, 0, 1]);
        return {point, quaternion: rotationFromAxes(x, cross(z, x), z)};
    }
    if (['line', 'plane', 'half-space'].includes(goal.kind)) {
        const z = unit(goal.normal ?? [0, 0, 1], [0, 0, 1]), [x, y] = basis(z);
        return {point, quaternion: rotationFromAxes(x, y, z)};
    }
    return {point, quaternion: Array.from(goal.rotation ?? [0, 0, 0, 1])};
}

/**
 * A goal that no track can move: its faces stay where they are.
 * @param {{kind: string}} goal
 */
export const isFixedGoal = (goal) => goal.kind === 'polyhedron';
