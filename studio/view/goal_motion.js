/* A goal on its way: how it looks when it is moved, and the frame that the engine wants for it. */
import {axis, cross, dot, frameOf, frameOfAxes, invert, multiply, normalize, quaternionMultiply, quaternionOf, toWorld,
    vectorToWorld} from './vec.js';

/** Whether a goal can be taken hold of: those of `keep` and `balance` follow from sites. */
export const canMove = (constraint) => constraint.from === 'constraints' || constraint.from === 'avoid';

/** A scene's goal after the motion that takes one frame to another (both in its carrier's frame). */
export function movedGoal(goal, before, after) {
    const motion = multiply(after, invert(before)), shift = [motion[3], motion[7], motion[11]];
    const vector = (v) => (v ? vectorToWorld(motion, v) : v);
    return {
        ...goal, point: toWorld(motion, goal.point), x: vector(goal.x), y: vector(goal.y), normal: vector(goal.normal),
        rotation: quaternionMultiply(quaternionOf(motion), goal.rotation),
        faces: goal.faces?.map((face) => {
            const n = vectorToWorld(motion, face);
            return [...n, face[3] + dot(n, shift)];
        }),
    };
}

/** A scene's goal at a place and rotation: as the engine moves it. */
export function goalAt(goal, {position, rotation}) {
    const frame = frameOf(position, rotation);
    const isTurned = goal.kind !== 'position' && goal.kind !== 'aim';
    return {...goal, point: position,
        ...(isTurned && {rotation, x: axis(frame, 0), y: axis(frame, 1), normal: axis(frame, 2)})};
}

/** The frame whose x, y and z become the goal's x, y and normal. */
export function engineFrame(goal) {
    let rotation = goal.rotation;
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = normalize(goal.x), y = normalize(goal.y);
        rotation = quaternionOf(frameOfAxes([0, 0, 0], x, y, cross(x, y)));
    } else if (goal.kind === 'line' || goal.kind === 'plane' || goal.kind === 'half-space') {
        const z = normalize(goal.normal), x = normalize(cross(z, Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
        rotation = quaternionOf(frameOfAxes([0, 0, 0], x, cross(z, x), z));
    }
    return {position: [...goal.point], rotation: [...rotation]};
}
