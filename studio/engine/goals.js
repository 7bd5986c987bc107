// Goals as a person sees them: where the nearest point of a goal is, from where the end-effector is now.
import {
    add, clamp, distance, dot, framePoint, length, rotate, rotationInvert, scale, subtract, unit,
} from '../math/vector.js';

/** @param {Vec} p @param {Vec} size @param {boolean} outside */
function nearestInBox(p, size, outside) {
    const inside = [0, 1, 2].map((i) => clamp(p[i], -size[i], size[i]));
    if (!outside || distance(inside, p) > 0) return outside ? p : inside;
    const depths = [0, 1, 2].map((i) => size[i] - Math.abs(p[i]));
    const axis = depths.indexOf(Math.min(...depths));
    inside[axis] = (p[axis] < 0 ? -1 : 1) * size[axis];
    return inside;
}

/** @param {Vec} p @param {Vec} center @param {number} radius @param {boolean} outside */
function nearestInBall(p, center, radius, outside) {
    const away = subtract(p, center);
    const far = length(away);
    if (outside ? far >= radius : far <= radius) return p;
    return add(center, scale(unit(away, [0, 0, 1]), radius));
}

/** @param {Vec} p @param {number} radius @param {boolean} isDisc @param {boolean} outside */
function nearestOnCircle(p, radius, isDisc, outside) {
    const flat = [p[0], p[1], 0];
    const far = length(flat);
    if (isDisc && outside) return p;
    if (isDisc && far <= radius) return flat;
    return scale(unit(flat, [1, 0, 0]), radius);
}

/**
 * The nearest point of a convex polyhedron: Dykstra's projections onto its half-spaces in turn.
 * @param {Vec} p @param {number[][]} faces @param {boolean} outside
 */
function nearestInFaces(p, faces, outside) {
    /** @param {number[]} face @param {Vec} q */
    const over = ([x, y, z, d], q) => (x * q[0] + y * q[1] + z * q[2] - d) / (x * x + y * y + z * z);
    if (outside) {
        const depths = faces.map((face) => -over(face, p) * Math.hypot(face[0], face[1], face[2]));
        const least = Math.min(...depths);
        if (least <= 0) return p;
        const face = faces[depths.indexOf(least)];
        return subtract(p, scale(face, over(face, p)));
    }
    let at = [...p];
    const taken = faces.map(() => [0, 0, 0]);
    for (let round = 0; round < 60; round++) {
        let moved = 0;
        faces.forEach((face, k) => {
            const before = add(at, taken[k]);
            const after = subtract(before, scale(face, Math.max(0, over(face, before))));
            taken[k] = subtract(before, after);
            moved = Math.max(moved, distance(at, after));
            at = after;
        });
        if (moved < 1e-9) break;
    }
    return at;
}

/**
 * The nearest point in the goal's own frame (its `point` the origin, turned by its rotation).
 * @param {SceneGoal} goal @param {Vec} p
 */
function nearestInside(goal, p) {
    const [a, b] = goal.size;
    switch (goal.kind) {
        case 'box': return nearestInBox(p, goal.size, goal.outside);
        case 'sphere': return nearestInBall(p, [0, 0, 0], a, goal.outside);
        case 'capsule': return nearestInBall(p, [0, 0, clamp(p[2], -b, b)], a, goal.outside);
        case 'circle': return nearestOnCircle(p, a, false, false);
        case 'disc': return nearestOnCircle(p, a, true, goal.outside);
        default: return p;
    }
}

/**
 * The point of the goal that is nearest to the effector, in the world; null where the goal has no place (orientations).
 * @param {SceneGoal} goal a goal of scene.constraints
 * @param {Frame | null} carrier the frame of the segment that carries it, or null: the world
 * @param {Vec} at the effector's point in the world
 * @param {Vec | null} x its x direction in the world (for aims)
 * @returns {Vec | null}
 */
export function nearestPoint(goal, carrier, at, x) {
    /** @param {Vec} p */
    const toWorld = (p) => (carrier ? framePoint(carrier, p) : p);
    /** @param {Vec} d */
    const directionToWorld = (d) => (carrier ? rotate(carrier.rotation, d) : d);
    const point = toWorld(goal.point);
    switch (goal.kind) {
        case 'position': case 'frame': return point;
        case 'orientation': return null;
        case 'aim': return goal.point && x ? point : null;
        case 'line': {
            const along = unit(directionToWorld(goal.normal), [0, 0, 1]);
            return add(point, scale(along, dot(subtract(at, point), along)));
        }
        case 'plane': case 'half-space': {
            const normal = unit(directionToWorld(goal.normal), [0, 0, 1]);
            const height = dot(subtract(at, point), normal);
            return goal.kind === 'half-space' && height >= 0 ? [...at] : subtract(at, scale(normal, height));
        }
        case 'polyhedron': {
            const local = carrier ? rotate(rotationInvert(carrier.rotation), subtract(at, carrier.position)) : at;
            return toWorld(nearestInFaces(local, goal.faces, goal.outside));
        }
        case 'box': case 'sphere': case 'capsule': case 'circle': case 'disc': {
            const local = carrier ? rotate(rotationInvert(carrier.rotation), subtract(at, carrier.position)) : at;
            const inside = rotate(rotationInvert(goal.rotation), subtract(local, goal.point));
            return toWorld(add(goal.point, rotate(goal.rotation, nearestInside(goal, inside))));
        }
        default: return null;
    }
}
