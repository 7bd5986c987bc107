// The Studio's one vocabulary of space, plain arrays in, new arrays out:
//
//   vectors    [x, y, z]
//   rotations  quaternions [x, y, z, w]
//   frames     {position, rotation}, as Limber has them
//   matrices   the same as twelve numbers, 3 x 4, row by row, as the engine's frames have one for each segment

// --- vectors ---------------------------------------------------------------------------------------------------------

/** @param {Numbers} a @param {Numbers} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Numbers} a @param {Numbers} b */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Numbers} a @param {Numbers} b */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Numbers} a @param {number} s */
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Numbers} a */
export const length = (a) => Math.sqrt(dot(a, a));
/** @param {Numbers} a @param {Numbers} b */
export const distance = (a, b) => length(subtract(a, b));
/** @param {Numbers} a @param {Numbers} b */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/**
 * a + s b
 * @param {Numbers} a @param {number} s @param {Numbers} b
 */
export const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

/**
 * a + (b - a) s
 * @param {Numbers} a @param {Numbers} b @param {number} s
 */
export const mix = (a, b, s) => [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s];

/**
 * The unit vector along a; `otherwise` where a has no length.
 * @param {Numbers} a
 */
export function unit(a, otherwise = [0, 0, 0]) {
    const size = length(a);
    return size > 1e-300 ? scale(a, 1 / size) : [...otherwise];
}

/**
 * Two unit vectors at right angles to n and to each other, so that a, b, n is right-handed.
 * @param {Numbers} n
 */
export function basis(n) {
    const a = unit(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
    return [a, cross(n, a)];
}

/**
 * The number nearest to a number within a range.
 * @param {number} number @param {number} low @param {number} high
 */
export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));

// --- rotations -------------------------------------------------------------------------------------------------------

/**
 * The vector turned by the rotation.
 * @param {Numbers} q @param {Numbers} v
 */
export function rotate(q, v) {
    const u = [q[0], q[1], q[2]];
    const t = scale(cross(u, v), 2);
    return add(add(v, scale(t, q[3])), cross(u, t));
}

/**
 * The vector turned by an angle about a unit axis.
 * @param {Numbers} axis @param {number} angle @param {Numbers} v
 */
export function rotateAbout(axis, angle, v) {
    const c = Math.cos(angle), s = Math.sin(angle);
    return along(along(scale(v, c), s, cross(axis, v)), dot(axis, v) * (1 - c), axis);
}

/**
 * First b, then a.
 * @param {Numbers} a @param {Numbers} b
 */
export function rotationMultiply(a, b) {
    return [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
}

/** @param {Numbers} q */
export const rotationInvert = (q) => [-q[0], -q[1], -q[2], q[3]];

/** @param {Quat} q */
function rotationUnit(q) {
    const size = Math.hypot(...q);
    return size > 1e-300 ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : [0, 0, 0, 1];
}

/**
 * Its angle, 0 to pi.
 * @param {Numbers} q
 */
export const rotationAngle = (q) => 2 * Math.atan2(Math.hypot(q[0], q[1], q[2]), Math.abs(q[3]));

/**
 * The rotation vector: the axis times the angle, 0 to pi.
 * @param {Numbers} q
 */
export function rotationVector(q) {
    const sign = q[3] < 0 ? -1 : 1;
    const size = Math.hypot(q[0], q[1], q[2]);
    const factor = size < 1e-12 ? 2 : (2 * Math.atan2(size, Math.abs(q[3]))) / size;
    return [q[0] * factor * sign, q[1] * factor * sign, q[2] * factor * sign];
}

/**
 * A part `s` (0 to 1) of the way from one rotation to another, along the shortest turn.
 * @param {Quat} a @param {Quat} b @param {number} s
 */
export function rotationMix(a, b, s) {
    let step = rotationMultiply(b, rotationInvert(a));
    if (step[3] < 0) step = step.map((value) => -value);
    const angle = rotationAngle(step);
    if (angle < 1e-12) return [...a];
    return rotationUnit(rotationMultiply(rotationAbout([step[0], step[1], step[2]], angle * s), a));
}

/** @param {Numbers} axis @param {number} angle */
export function rotationAbout(axis, angle) {
    const s = Math.sin(angle / 2), n = unit(axis);
    return [n[0] * s, n[1] * s, n[2] * s, Math.cos(angle / 2)];
}

/**
 * The least turn that brings unit vector a to unit vector b.
 * @param {Numbers} a @param {Numbers} b
 */
export function rotationBetween(a, b) {
    const w = 1 + dot(a, b);
    return w < 1e-9 ? rotationAbout(basis(a)[0], Math.PI) : rotationUnit([...cross(a, b), w]);
}

/**
 * The least turn that brings z along a direction.
 * @param {Numbers} direction
 */
export function rotationTo(direction) {
    const d = unit(direction, [0, 0, 1]);
    return d[2] < -1 + 1e-12 ? [1, 0, 0, 0] : rotationUnit([-d[1], d[0], 0, 1 + d[2]]);
}

/**
 * The rotation whose columns are these axes (Shepperd: from the largest of the four parts).
 * @param {Numbers} x @param {Numbers} y
 */
export function rotationFromAxes(x, y, z = cross(x, y)) {
    const trace = x[0] + y[1] + z[2];
    if (trace > 0) return rotationUnit([y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace]);
    if (x[0] >= y[1] && x[0] >= z[2]) {
        return rotationUnit([1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]]);
    }
    if (y[1] >= z[2]) return rotationUnit([x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]]);
    return rotationUnit([z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]]);
}

/**
 * Roll, pitch and yaw about fixed axes, as URDF has them.
 * @param {number[]} of
 */
export function rotationFromRpy([roll, pitch, yaw]) {
    const [x, y, z] = [rotationAbout([1, 0, 0], roll), rotationAbout([0, 1, 0], pitch), rotationAbout([0, 0, 1], yaw)];
    return rotationMultiply(z, rotationMultiply(y, x));
}

/**
 * Roll, pitch and yaw, as lb_rotation_to_rpy has them.
 * @param {Numbers} q
 */
export function rotationToRpy(q) {
    const [x, y, z] = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
    const pitch = Math.atan2(-x[2], Math.hypot(x[0], x[1]));
    if (Math.hypot(x[0], x[1]) < 1e-9) return [Math.atan2(-z[1], y[1]), pitch, 0];
    return [Math.atan2(y[2], z[2]), pitch, Math.atan2(x[1], x[0])];
}

// --- frames ----------------------------------------------------------------------------------------------------------

export const FRAME_IDENTITY =
    Object.freeze({position: Object.freeze([0, 0, 0]), rotation: Object.freeze([0, 0, 0, 1])});

/**
 * b, which is within a, seen from outside.
 * @param {Frame} a @param {Frame} b
 */
export const frameMultiply = (a, b) => ({
    position: add(a.position, rotate(a.rotation, b.position)),
    rotation: rotationUnit(rotationMultiply(a.rotation, b.rotation)),
});

/** @param {Frame} frame */
export function frameInvert(frame) {
    const rotation = rotationInvert(frame.rotation);
    return {position: scale(rotate(rotation, frame.position), -1), rotation};
}

/**
 * A frame that is seen from outside, within another.
 * @param {Frame} outer
 * @param {{position: Vec, rotation?: Quat}} of
 */
export function frameWithin(outer, {position, rotation = [0, 0, 0, 1]}) {
    const back = rotationInvert(outer.rotation);
    return {
        position: rotate(back, subtract(position, outer.position)),
        rotation: rotationMultiply(back, rotation),
    };
}

/**
 * A point of the frame, seen from outside.
 * @param {Frame} frame @param {Numbers} point
 */
export const framePoint = (frame, point) => add(frame.position, rotate(frame.rotation, point));

// --- matrices --------------------------------------------------------------------------------------------------------
// Those that take `at` read the matrix that begins there, of many in a row.

export const MATRIX_IDENTITY = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

/**
 * The matrix of a position and a rotation.
 * @param {Numbers} position @param {Quat} q
 */
export function matrixOf(position, q) {
    const [x, y, z, w] = q;
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), position[0],
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), position[1],
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), position[2],
    ];
}

/**
 * The matrix of a position and three axes.
 * @param {Numbers} p @param {Numbers} x @param {Numbers} y @param {Numbers} z
 */
export const matrixOfAxes = (p, x, y, z) =>
    [x[0], y[0], z[0], p[0], x[1], y[1], z[1], p[1], x[2], y[2], z[2], p[2]];

/** @param {Matrix} a @param {Matrix} b */
export function matrixMultiply(a, b) {
    const out = new Array(12);
    for (let i = 0; i < 3; i++) {
        const r = 4 * i;
        for (let j = 0; j < 4; j++) {
            out[r + j] = a[r] * b[j] + a[r + 1] * b[4 + j] + a[r + 2] * b[8 + j] + (j === 3 ? a[r + 3] : 0);
        }
    }
    return out;
}

/**
 * The inverse of a matrix without scale.
 * @param {Matrix} m
 */
export function matrixInvert(m) {
    const p = matrixOrigin(m), x = matrixAxis(m, 0), y = matrixAxis(m, 1), z = matrixAxis(m, 2);
    return [...x, -dot(x, p), ...y, -dot(y, p), ...z, -dot(z, p)];
}

/**
 * A point within, seen from outside.
 * @param {Matrix} m @param {Numbers} p
 */
export const matrixPoint = (m, p, at = 0) => [
    m[at] * p[0] + m[at + 1] * p[1] + m[at + 2] * p[2] + m[at + 3],
    m[at + 4] * p[0] + m[at + 5] * p[1] + m[at + 6] * p[2] + m[at + 7],
    m[at + 8] * p[0] + m[at + 9] * p[1] + m[at + 10] * p[2] + m[at + 11],
];

/**
 * A direction within, seen from outside.
 * @param {Matrix} m @param {Numbers} v
 */
export const matrixVector = (m, v, at = 0) => [
    m[at] * v[0] + m[at + 1] * v[1] + m[at + 2] * v[2],
    m[at + 4] * v[0] + m[at + 5] * v[1] + m[at + 6] * v[2],
    m[at + 8] * v[0] + m[at + 9] * v[1] + m[at + 10] * v[2],
];

/**
 * A point outside, seen from within.
 * @param {Matrix} m @param {Numbers} p
 */
export const matrixPointWithin = (m, p) => matrixVectorWithin(m, [p[0] - m[3], p[1] - m[7], p[2] - m[11]]);

/**
 * A direction outside, seen from within.
 * @param {Matrix} m @param {Numbers} v
 */
export const matrixVectorWithin = (m, v) => [
    m[0] * v[0] + m[4] * v[1] + m[8] * v[2],
    m[1] * v[0] + m[5] * v[1] + m[9] * v[2],
    m[2] * v[0] + m[6] * v[1] + m[10] * v[2],
];

/** @param {Matrix} m */
export const matrixOrigin = (m, at = 0) => [m[at + 3], m[at + 7], m[at + 11]];
/** @param {Matrix} m @param {number} i */
export const matrixAxis = (m, i, at = 0) => [m[at + i], m[at + 4 + i], m[at + 8 + i]];

/** @param {Matrix} m */
export const matrixRotation = (m, at = 0) =>
    rotationFromAxes(matrixAxis(m, 0, at), matrixAxis(m, 1, at), matrixAxis(m, 2, at));

/** @param {Matrix} m */
export const matrixFrame = (m, at = 0) => ({position: matrixOrigin(m, at), rotation: matrixRotation(m, at)});

/**
 * The matrix of segment `index`, counted over all figures, of the engine's matrices.
 * @param {Float64Array} matrices @param {number} index
 */
export const segmentMatrix = (matrices, index) => matrices.subarray(12 * index, 12 * index + 12);

// --- polygons --------------------------------------------------------------------------------------------------------

/**
 * What of a convex polygon (points in space) lies where n . p <= d.
 * @param {Vec[]} points @param {Numbers} n @param {number} d
 */
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
