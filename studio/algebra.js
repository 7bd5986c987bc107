// Vectors, quaternions (x, y, z, w) and frames {position, rotation}, as Limber has them; plain arrays in, new arrays
// out.

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const length = (a) => Math.sqrt(dot(a, a));
export const distance = (a, b) => length(subtract(a, b));

export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The unit vector along a; `otherwise` where a has no length. */
export function unit(a, otherwise = [0, 0, 1]) {
    const size = length(a);
    return size > 1e-300 ? scale(a, 1 / size) : [...otherwise];
}

/** a + (b - a) s */
export const between = (a, b, s) => [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s];

/** First b, then a. */
export function turnMultiply(a, b) {
    return [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
}

export const turnInvert = (q) => [-q[0], -q[1], -q[2], q[3]];

function turnUnit(q) {
    const size = Math.hypot(...q);
    return size > 1e-300 ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : [0, 0, 0, 1];
}

/** The vector turned by the quaternion. */
export function turn(q, v) {
    const u = [q[0], q[1], q[2]];
    const t = scale(cross(u, v), 2);
    return add(add(v, scale(t, q[3])), cross(u, t));
}

/** The quaternion's angle, 0 to pi. */
export const turnAngle = (q) => 2 * Math.atan2(Math.hypot(q[0], q[1], q[2]), Math.abs(q[3]));

/** The rotation vector: the axis times the angle, 0 to pi. */
export function turnVector(q) {
    const sign = q[3] < 0 ? -1 : 1;
    const size = Math.hypot(q[0], q[1], q[2]);
    const factor = size < 1e-12 ? 2 : (2 * Math.atan2(size, Math.abs(q[3]))) / size;
    return [q[0] * factor * sign, q[1] * factor * sign, q[2] * factor * sign];
}

/** A part `s` (0 to 1) of the way from one rotation to another, along the shortest turn. */
export function turnBetween(a, b, s) {
    let step = turnMultiply(b, turnInvert(a));
    if (step[3] < 0) step = step.map((value) => -value);
    const angle = turnAngle(step);
    if (angle < 1e-12) return [...a];
    const axis = unit([step[0], step[1], step[2]]);
    const half = (angle * s) / 2;
    return turnUnit(turnMultiply([...scale(axis, Math.sin(half)), Math.cos(half)], a));
}

/** The quaternion of the rotation whose columns are the axes x, y and x cross y. */
export function turnFromAxes(x, y) {
    const z = cross(x, y);
    const trace = x[0] + y[1] + z[2];
    if (trace > 0) {
        const s = 2 * Math.sqrt(trace + 1);
        return turnUnit([(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4]);
    }
    if (x[0] >= y[1] && x[0] >= z[2]) {
        const s = 2 * Math.sqrt(Math.max(0, 1 + x[0] - y[1] - z[2])) || 1e-300;
        return turnUnit([s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s]);
    }
    if (y[1] >= z[2]) {
        const s = 2 * Math.sqrt(Math.max(0, 1 + y[1] - x[0] - z[2])) || 1e-300;
        return turnUnit([(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s]);
    }
    const s = 2 * Math.sqrt(Math.max(0, 1 + z[2] - x[0] - y[1])) || 1e-300;
    return turnUnit([(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s]);
}

/** Roll, pitch and yaw about fixed axes, as URDF has them. */
export function turnFromRpy([roll, pitch, yaw]) {
    const about = (axis, angle) => [0, 1, 2].map((k) => (k === axis ? Math.sin(angle / 2) : 0))
        .concat(Math.cos(angle / 2));
    return turnMultiply(about(2, yaw), turnMultiply(about(1, pitch), about(0, roll)));
}

/** The least turn that brings z along a direction. */
export function turnTo(direction) {
    const d = unit(direction);
    return d[2] < -1 + 1e-12 ? [1, 0, 0, 0] : turnUnit([-d[1], d[0], 0, 1 + d[2]]);
}

export const frameMultiply = (a, b) => ({
    position: add(a.position, turn(a.rotation, b.position)),
    rotation: turnUnit(turnMultiply(a.rotation, b.rotation)),
});

export function frameInvert(frame) {
    const rotation = turnInvert(frame.rotation);
    return {position: scale(turn(rotation, frame.position), -1), rotation};
}

/** A point of the frame, seen from outside. */
export const framePoint = (frame, point) => add(frame.position, turn(frame.rotation, point));

export const IDENTITY = Object.freeze({position: Object.freeze([0, 0, 0]), rotation: Object.freeze([0, 0, 0, 1])});

/** A row-major 3x4 matrix that begins at `at`, applied to a point. */
export function matrixPoint(matrices, at, p) {
    return [0, 4, 8].map((row) => {
        const k = at + row;
        return matrices[k] * p[0] + matrices[k + 1] * p[1] + matrices[k + 2] * p[2] + matrices[k + 3];
    });
}

/** The same for a direction. */
export function matrixTurn(matrices, at, d) {
    return [0, 4, 8].map((row) => {
        const k = at + row;
        return matrices[k] * d[0] + matrices[k + 1] * d[1] + matrices[k + 2] * d[2];
    });
}

/** The frame of such a matrix. */
export function matrixFrame(matrices, at) {
    const column = (k) => [matrices[at + k], matrices[at + 4 + k], matrices[at + 8 + k]];
    return {position: column(3), rotation: turnFromAxes(column(0), column(1))};
}
