// Goals that are moved by hand: the same goal elsewhere, in the problem and in the document.
import {add, dot, frameInvert, frameMultiply, rotate, scale, subtract} from '../math/vector.js';

/**
 * Where a goal is: the frame that Problem.moveGoal takes. Directions are the frame's z, as moveGoal has them.
 * @param {SceneGoal} goal
 * @returns {Frame}
 */
export function goalFrame(goal) {
    return {position: [...goal.point], rotation: [...goal.rotation]};
}

/**
 * The faces of a polyhedron shifted.
 * @param {number[][]} faces @param {Vec} by
 */
const shiftedFaces = (faces, by) => faces.map(([a, b, c, d]) => [a, b, c, d + dot([a, b, c], by)]);

/**
 * Moves a goal of a problem (a scene's goal, of constraint `id`) to a frame.
 * @param {LimberProblem} problem @param {number} id @param {SceneGoal} goal @param {Frame} frame
 */
export function moveGoal(problem, id, goal, frame) {
    if (goal.kind !== 'polyhedron') problem.moveGoal(id, frame);
    else problem.change(id, {goal: {kind: 'polyhedron', faces: shiftedFaces(goal.faces,
        subtract(frame.position, goal.point))}});
}

/**
 * A scene's goal at a frame.
 * @param {SceneGoal} goal @param {Frame} frame
 * @returns {SceneGoal}
 */
export function goalMoved(goal, frame) {
    /** @param {number} k */
    const axis = (k) => rotate(frame.rotation, [0, 1, 2].map((i) => (i === k ? 1 : 0)));
    const moved = {...goal, point: [...frame.position], rotation: [...frame.rotation], x: axis(0), y: axis(1),
        normal: axis(2)};
    if (goal.kind === 'polyhedron') moved.faces = shiftedFaces(goal.faces, subtract(frame.position, goal.point));
    return moved;
}

/**
 * A goal of a document without what says how it is turned.
 * @param {DocGoal} goal
 */
function withoutTurn({rpy, quaternion, x, y, ...rest}) {
    return rest;
}

/**
 * Rotations of a document's goal: of one direction that way, else as a quaternion.
 * @param {DocGoal} old @param {Frame} frame
 * @returns {DocGoal}
 */
function turned(old, frame) {
    const rest = withoutTurn(old);
    if (old.x !== undefined && old.y === undefined) return {...rest, x: rotate(frame.rotation, [1, 0, 0])};
    if (old.y !== undefined && old.x === undefined) return {...rest, y: rotate(frame.rotation, [0, 1, 0])};
    return {...rest, quaternion: [...frame.rotation]};
}

/**
 * A document's goal at a frame.
 * @param {DocGoal} old the goal as the document has it
 * @param {SceneGoal} goal the same as the scene has it
 * @param {Frame} frame where it goes, in the carrier segment's frame (the world where nothing carries it)
 * @param {Frame | null} [site] the frame, in the carrier segment, that the document's numbers are seen from; null:
 *     the segment's own
 * @returns {DocGoal}
 */
export function documentGoal(old, goal, frame, site = null) {
    const at = site ? frameMultiply(frameInvert(site), frame) : frame;
    const point = [...at.position];
    const up = rotate(at.rotation, [0, 0, 1]);
    switch (old.kind) {
        case 'orientation': return turned(old, at);
        case 'frame': return {...turned(old, at), point};
        case 'line': return {...old, point, direction: up};
        case 'plane': case 'half-space': return {...old, point, normal: up};
        case 'box': return {...withoutTurn(old), point, quaternion: [...at.rotation]};
        case 'capsule': {
            const half = scale(up, goal.size[1]);
            return {...old, point: subtract(point, half), to: add(point, half)};
        }
        case 'circle': case 'disc': return {...withoutTurn(old), point, normal: up};
        case 'polyhedron': return {...old, faces: shiftedFaces(/** @type {number[][]} */ (old.faces),
            subtract(frame.position, goal.point))};
        default: return {...old, point};
    }
}

/**
 * Goals as the tracks have them at the time that was played last. The world is stale then: its player wants its
 * own.
 * @param {World} world
 */
export function asPlayed(world) {
    for (const {name, position, rotation, weight, enabled} of world.played ?? []) {
        const constraint = world.constraints.find((entry) => entry.name === name);
        if (!constraint) continue;
        const {id} = constraint;
        if (position && rotation) {
            moveGoal(world.problem, id, constraint.goal, {position, rotation});
            constraint.goal = goalMoved(constraint.goal, {position, rotation});
        }
        if (weight !== undefined) world.problem.setWeight(id, constraint.weight = Math.max(0, weight));
        if (enabled !== undefined) world.problem.enable(id, !(constraint.disabled = !enabled));
    }
}
