/* Small vectors and frames. Vectors are [x, y, z], rotations quaternions [x, y, z, w], and a frame is what the engine
 * hands out: twelve numbers, a row-major 3 x 4 matrix of rotation and position. */

import {
    add, between as mix, cross, distance, dot, length as norm, scale, subtract as sub, turn as rotate,
    turnInvert as conjugate, turnMultiply as quaternionMultiply,
} from '../algebra.js';

export {add, conjugate, cross, distance, dot, mix, norm, quaternionMultiply, rotate, scale, sub};
/** a + s b */
export const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const clamp = (v, low, high) => Math.min(high, Math.max(low, v));

/** The unit vector; [0, 0, 0] stays what it is. */
export function normalize(a) {
    const length = norm(a);
    return length > 0 ? scale(a, 1 / length) : [0, 0, 0];
}

/** Two unit vectors at right angles to n and to each other, so that a, b, n is right-handed. */
export function basis(n) {
    const a = normalize(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
    return [a, cross(n, a)];
}

/** v turned by an angle about a unit axis. */
export function turn(axis, angle, v) {
    const c = Math.cos(angle), s = Math.sin(angle);
    return along(along(scale(v, c), s, cross(axis, v)), dot(axis, v) * (1 - c), axis);
}

/* --- Quaternions -------------------------------------------------------------------------------------------------- */

export function quaternionAbout(axis, angle) {
    const s = Math.sin(angle / 2), n = normalize(axis);
    return [n[0] * s, n[1] * s, n[2] * s, Math.cos(angle / 2)];
}

/** The least turn that brings unit vector a to unit vector b. */
export function quaternionBetween(a, b) {
    const w = 1 + dot(a, b);
    if (w < 1e-9) return quaternionAbout(basis(a)[0], Math.PI);
    const c = cross(a, b), length = Math.hypot(c[0], c[1], c[2], w);
    return [c[0] / length, c[1] / length, c[2] / length, w / length];
}

/* --- Frames ------------------------------------------------------------------------------------------------------- */

export const IDENTITY = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

/** The frame of a position and a quaternion. */
export function frameOf(position, q) {
    const [x, y, z, w] = q;
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0],
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1],
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2],
    ];
}

/** The frame of a position and three axes. */
export const frameOfAxes = (p, x, y, z) =>
    [x[0], y[0], z[0], p[0], x[1], y[1], z[1], p[1], x[2], y[2], z[2], p[2]];

export function multiply(a, b) {
    const out = new Array(12);
    for (let i = 0; i < 3; i++) {
        const r = 4 * i;
        for (let j = 0; j < 4; j++) {
            out[r + j] = a[r] * b[j] + a[r + 1] * b[4 + j] + a[r + 2] * b[8 + j] + (j === 3 ? a[r + 3] : 0);
        }
    }
    return out;
}

/** The inverse of a frame without scale. */
export function invert(m) {
    const p = [m[3], m[7], m[11]];
    const x = [m[0], m[4], m[8]], y = [m[1], m[5], m[9]], z = [m[2], m[6], m[10]];
    return [...x, -dot(x, p), ...y, -dot(y, p), ...z, -dot(z, p)];
}

export const toWorld = (m, p) => [
    m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3],
    m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
    m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11],
];

export const vectorToWorld = (m, v) => [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
    m[8] * v[0] + m[9] * v[1] + m[10] * v[2],
];

export const toLocal = (m, p) => vectorToLocal(m, [p[0] - m[3], p[1] - m[7], p[2] - m[11]]);

export const vectorToLocal = (m, v) => [
    m[0] * v[0] + m[4] * v[1] + m[8] * v[2],
    m[1] * v[0] + m[5] * v[1] + m[9] * v[2],
    m[2] * v[0] + m[6] * v[1] + m[10] * v[2],
];

export const origin = (m) => [m[3], m[7], m[11]];
export const axis = (m, i) => [m[i], m[4 + i], m[8 + i]];

/** The quaternion of a frame's rotation (Shepperd: from the largest of the four). */
export function quaternionOf(m) {
    const trace = m[0] + m[5] + m[10];
    let q;
    if (trace > m[0] && trace > m[5] && trace > m[10]) {
        q = [m[9] - m[6], m[2] - m[8], m[4] - m[1], 1 + trace];
    } else if (m[0] >= m[5] && m[0] >= m[10]) {
        q = [1 + m[0] - m[5] - m[10], m[1] + m[4], m[2] + m[8], m[9] - m[6]];
    } else if (m[5] >= m[10]) {
        q = [m[1] + m[4], 1 - m[0] + m[5] - m[10], m[6] + m[9], m[2] - m[8]];
    } else {
        q = [m[2] + m[8], m[6] + m[9], 1 - m[0] - m[5] + m[10], m[4] - m[1]];
    }
    const length = Math.hypot(...q);
    return q.map((v) => v / length);
}

/** Segment `index` (counted over all figures) of the engine's matrices. */
export const segmentFrame = (matrices, index) => matrices.subarray(12 * index, 12 * index + 12);

/* --- Polygons ----------------------------------------------------------------------------------------------------- */

/** What of a convex polygon (points in space) lies where n . p <= d. */
export function clipPolygon(points, n, d) {
    const out = [];
    for (let i = 0; i < points.length; i++) {
        const a = points[i], b = points[(i + 1) % points.length];
        const da = dot(n, a) - d, db = dot(n, b) - d;
        if (da <= 0) out.push(a);
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) out.push(mix(a, b, da / (da - db)));
    }
    return out;
}
