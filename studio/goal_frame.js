// The frame (point and rotation) that moves a goal to where it is: what a key of a goal's track holds. A goal that is
// moved to a frame takes the frame's x and y as its directions, its z as normal (lb_problem_move_goal), so each kind of
// goal has its own rotation.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => a.map(v => v * s);
const length = a => Math.sqrt(dot(a, a));

/** The part of `v` at right angles to the unit vector `axis`, as a unit vector; any one where there is none. */
function besides(axis, v) {
    for (const from of [v, [1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
        const rest = from.map((value, i) => value - dot(from, axis) * axis[i]);
        if (length(rest) > 1e-6) return scaled(rest, 1 / length(rest));
    }
    throw new Error('a direction is not finite');
}

/** The quaternion (x, y, z, w) of the rotation whose columns are x, y, z. */
export function quaternionOf(x, y, z) {
    const trace = x[0] + y[1] + z[2];
    const q = trace > 0 ? [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]
        : x[0] >= y[1] && x[0] >= z[2] ? [1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]]
        : y[1] >= z[2] ? [x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]]
        : [z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]];
    return scaled(q, 1 / Math.hypot(...q));
}

/**
 * @param {{kind: string, point: number[], x?: number[], y?: number[], normal?: number[], rotation?: number[]}} goal
 *     as the engine's scene has it
 * @returns {{point: number[], quaternion: number[]}} what a key of its track holds
 */
export function goalFrame(goal) {
    const point = Array.from(goal.point);
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = scaled(goal.x, 1 / length(goal.x)), y = besides(x, goal.y);
        return {point, quaternion: quaternionOf(x, y, cross(x, y))};
    }
    if (['line', 'plane', 'half-space'].includes(goal.kind)) {
        const z = scaled(goal.normal, 1 / length(goal.normal)), x = besides(z, [1, 0, 0]);
        return {point, quaternion: quaternionOf(x, cross(z, x), z)};
    }
    return {point, quaternion: Array.from(goal.rotation ?? [0, 0, 0, 1])};
}

/** A goal that no track can move: its faces stay where they are. */
export const isFixedGoal = goal => goal.kind === 'polyhedron';
