/* A goal on its way: how it looks when it is moved, and the frame that the engine wants for it. */
import {
    cross, dot, matrixAxis, matrixInvert, matrixMultiply, matrixOf, matrixOfAxes, matrixOrigin, matrixPoint,
    matrixRotation, matrixVector, rotationMultiply, unit,
} from '../math/vector.js';

/**
 * Whether a goal can be taken hold of: those of `keep` and `balance` follow from sites.
 * @param {SceneConstraint} constraint
 */
export const canMove = (constraint) => constraint.from === 'constraints' || constraint.from === 'avoid';

/**
 * A scene's goal after the motion that takes one frame to another (both in its carrier's frame).
 * @param {SceneGoal} goal @param {Matrix} before @param {Matrix} after
 */
export function movedGoal(goal, before, after) {
    const motion = matrixMultiply(after, matrixInvert(before)), shift = matrixOrigin(motion);
    /** @param {Vec} v */
    const vector = (v) => (v ? matrixVector(motion, v) : v);
    return {
        ...goal, point: matrixPoint(motion, goal.point),
        x: vector(goal.x), y: vector(goal.y), normal: vector(goal.normal),
        rotation: rotationMultiply(matrixRotation(motion), goal.rotation),
        faces: goal.faces?.map((face) => {
            const n = matrixVector(motion, face);
            return [...n, face[3] + dot(n, shift)];
        }),
    };
}

/**
 * A scene's goal at a place and rotation: as the engine moves it.
 * @param {SceneGoal} goal @param {Frame} place
 */
export function goalAt(goal, {position, rotation}) {
    const frame = matrixOf(position, rotation);
    const isTurned = goal.kind !== 'position' && goal.kind !== 'aim';
    return {...goal, point: position,
        ...(isTurned && {rotation, x: matrixAxis(frame, 0), y: matrixAxis(frame, 1), normal: matrixAxis(frame, 2)})};
}

/**
 * The frame whose x, y and z become the goal's x, y and normal.
 * @param {SceneGoal} goal
 */
export function engineFrame(goal) {
    let rotation = goal.rotation;
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = unit(goal.x), y = unit(goal.y);
        rotation = matrixRotation(matrixOfAxes([0, 0, 0], x, y, cross(x, y)));
    } else if (goal.kind === 'line' || goal.kind === 'plane' || goal.kind === 'half-space') {
        const z = unit(goal.normal), x = unit(cross(z, Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
        rotation = matrixRotation(matrixOfAxes([0, 0, 0], x, cross(z, x), z));
    }
    return {position: [...goal.point], rotation: [...rotation]};
}
