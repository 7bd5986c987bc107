/* Which part is under the cursor: rays against the shapes themselves (their distance functions), not against triangles.
 * What is thin can be caught from a few pixels away. */
import {
    basis, clamp, dot, matrixInvert, matrixMultiply, matrixOf, matrixOfAxes, matrixPoint, matrixPointWithin,
    matrixVector, mix, scale, segmentMatrix, subtract,
} from '../math/vector.js';
import {isBare, sticksOf} from './sticks.js';

/**
 * Signed distance from p to a shape in the shape's own frame.
 * @type {Record<string, (p: Vec, size: Vec) => number>}
 */
const DISTANCE = {
    sphere: (p, s) => Math.hypot(p[0], p[1], p[2]) - s[0],
    box: (p, s) => {
        const q = [0, 1, 2].map((i) => Math.abs(p[i]) - s[i]);
        return Math.hypot(...q.map((v) => Math.max(v, 0))) + Math.min(Math.max(...q), 0);
    },
    cylinder: (p, s) => {
        const r = Math.hypot(p[0], p[1]) - s[0], z = Math.abs(p[2]) - s[1];
        return Math.hypot(Math.max(r, 0), Math.max(z, 0)) + Math.min(Math.max(r, z), 0);
    },
    /* In the half plane (r, z) a tapered capsule is the hull of two circles: beside the cone the distance is to the
     * line that touches both, beyond its ends to the circles. */
    capsule: (p, [r0, h, r1]) => {
        const r = Math.hypot(p[0], p[1]), length = 2 * h, slope = length > 0 ? (r0 - r1) / length : 2;
        const low = Math.hypot(r, p[2] + h) - r0, high = Math.hypot(r, p[2] - h) - r1;
        if (Math.abs(slope) >= 1) return Math.min(low, high);
        const c = Math.sqrt(1 - slope * slope), t = c * (p[2] + h) - slope * r;
        if (t <= 0) return low;
        return t >= c * length ? high : c * r + slope * (p[2] + h) - r0;
    },
    ellipsoid: (p, s) => { /* not the distance, but never more than it */
        const least = Math.min(s[0], s[1], s[2]);
        return (Math.hypot(p[0] / s[0], p[1] / s[1], p[2] / s[2]) - 1) * least;
    },
};

/**
 * A ball around the shape, about its frame's origin.
 * @param {Pick<PlacedShape, 'kind' | 'size'>} shape
 */
function reachOf({kind, size: s}) {
    if (kind === 'sphere') return s[0];
    if (kind === 'capsule') return s[1] + Math.max(s[0], s[2]);
    if (kind === 'cylinder') return Math.hypot(s[0], s[1]);
    return kind === 'box' ? Math.hypot(s[0], s[1], s[2]) : Math.max(s[0], s[1], s[2]);
}

/**
 * Where a ray meets the unit ball after stretching by the semi-axes: exact for ellipsoids.
 * @param {Vec} o @param {Vec} d @param {Vec} s
 */
function meetEllipsoid(o, d, s) {
    const p = o.map((v, i) => v / s[i]), q = d.map((v, i) => v / s[i]);
    const a = dot(q, q), b = dot(p, q), c = dot(p, p) - 1, root = b * b - a * c;
    return root < 0 ? null : (-b - Math.sqrt(root)) / a;
}

/**
 * Walks along the ray by what the distance allows.
 * @param {PickPart} shape
 * @param {Vec} o
 * @param {Vec} d
 * @param {number} from
 * @param {number} to
 * @returns {{t: number, miss: number}} where it hits, or passes nearest; miss: the distance there, by t (0: hit)
 */
function walk(shape, o, d, from, to) {
    const measure = DISTANCE[shape.kind];
    let t = from, least = Infinity, at = from;
    for (let i = 0; i < 96 && t <= to; i++) {
        const gap = measure([o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]], shape.size);
        if (gap < 1e-5 * Math.max(1, t)) return {t, miss: 0};
        if (gap / t < least) {
            least = gap / t;
            at = t;
        }
        t += Math.max(gap, 1e-5);
    }
    return {t: at, miss: least};
}

/** @param {SceneFigure} figure @param {number} index @param {number} whole */
function stickShapes(figure, index, whole) {
    const {base, sticks, ball, isRoot} = sticksOf(figure, index, whole);
    const shapes = sticks.map(({tip, length, radius}) => {
        const n = scale(subtract(tip, base), 1 / length), [a, b] = basis(n);
        const frame = matrixOfAxes(mix(base, tip, 0.5), a, b, n);
        return {kind: 'capsule', frame, size: [radius, length / 2, 0.4 * radius]};
    });
    if (!isRoot) shapes.push({kind: 'sphere', frame: matrixOf(base, [0, 0, 0, 1]), size: [2 * ball, 0, 0]});
    return shapes;
}

/**
 * A part as balls, in its segment's frame or in the world: long shapes are several.
 * @param {PickPart} part @param {Matrix | null} [world]
 */
export function partBalls(part, world = null) {
    const frame = world ? matrixMultiply(world, matrixInvert(part.inverse)) : matrixInvert(part.inverse), s = part.size;
    const isLong = part.kind === 'capsule' || part.kind === 'cylinder', half = isLong ? s[1] : 0;
    const radius = part.kind === 'box' || part.kind === 'ellipsoid' ? Math.cbrt(s[0] * s[1] * s[2])
        : part.kind === 'capsule' ? (s[0] + s[2]) / 2 : s[0];
    const count = isLong ? clamp(Math.ceil(half / Math.max(radius, 1e-6)), 1, 8) : 1, balls = [];
    for (let k = 0; k < count; k++) {
        const z = count > 1 ? half * (2 * k / (count - 1) - 1) : 0;
        balls.push({center: matrixPoint(frame, [0, 0, z]), radius});
    }
    return balls;
}

/**
 * What of a part must be in the picture: balls, or the corners of what has corners or is flat.
 * @param {PickPart} part @param {Matrix} world
 */
export function partOutline(part, world) {
    const [x, y, z] = part.kind === 'cylinder' ? [part.size[0], part.size[0], part.size[1]] : part.size;
    if (part.kind !== 'box' && part.kind !== 'cylinder') return partBalls(part, world);
    const frame = matrixMultiply(world, matrixInvert(part.inverse));
    return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
        center: matrixPoint(frame, [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]), radius: 0,
    }));
}

export class Picker {
    constructor() {
        /** @type {PickPart[]} */
        this.parts = [];
    }

    /**
     * Takes the shapes of a scene, as they are drawn (bones: sticks for all).
     * @param {SceneFigure[]} figures @param {number} whole
     */
    setScene(figures, whole, bones = false) {
        this.parts = [];
        figures.forEach((figure, f) => {
            const shaped = new Set();
            /** @param {number} index @param {PlacedShape} shape */
            const push = (index, {kind, frame, size}) => this.parts.push({
                figure: f, segment: index, index: figure.firstSegment + index, kind, size, inverse: matrixInvert(frame),
                center: [frame[3], frame[7], frame[11]], reach: reachOf({kind, size}),
            });
            for (const shape of bones || isBare(figure) ? [] : figure.shapes) {
                shaped.add(shape.segment);
                push(shape.segment, {kind: shape.kind, frame: matrixOf(shape.position, shape.rotation),
                    size: shape.size});
            }
            figure.segments.forEach((_, i) => {
                if (!shaped.has(i)) for (const shape of stickShapes(figure, i, whole)) push(i, shape);
            });
        });
    }

    /** Balls for the shadow, in the segments' frames. */
    balls() {
        return this.parts.flatMap((part) => partBalls(part)
            .map((ball) => ({segment: part.index, figure: part.figure, ...ball})));
    }

    /**
     * The first part that a ray meets; else, the nearest within `slack` (radians).
     * @param {Float64Array} matrices
     * @param {Vec} from
     * @param {Vec} direction
     * @param {((part: PickPart) => boolean) | null} [isWanted]
     * @returns {Hit | null}
     */
    pick(matrices, from, direction, slack = 0, isWanted = null) {
        let best = null, near = null;
        for (const part of this.parts) {
            if (isWanted && !isWanted(part)) continue;
            const hit = this.meet(part, matrices, from, direction, slack);
            if (!hit) continue;
            if (hit.miss === 0) {
                if (!best || hit.t < best.t) best = {part, t: hit.t};
            } else if (hit.miss < slack && (!near || hit.miss < near.miss)) {
                near = {part, t: hit.t, miss: hit.miss};
            }
        }
        const found = best ?? near;
        if (!found) return null;
        const point = from.map((v, i) => v + found.t * direction[i]);
        return {figure: found.part.figure, segment: found.part.segment, point, t: found.t};
    }

    /**
     * @param {PickPart} part @param {Float64Array} matrices @param {Vec} from @param {Vec} direction
     * @param {number} slack
     */
    meet(part, matrices, from, direction, slack) {
        const world = segmentMatrix(matrices, part.index);
        const center = matrixPoint(world, part.center);
        const toward = subtract(center, from), t = dot(toward, direction);
        const off = Math.sqrt(Math.max(0, dot(toward, toward) - t * t));
        if (t + part.reach < 0 || off > part.reach + slack * Math.max(t, 0)) return null;
        const local = matrixMultiply(part.inverse, matrixInvert(world));
        const o = matrixPoint(local, from), d = matrixVector(local, direction);
        if (part.kind === 'ellipsoid') {
            const hit = meetEllipsoid(o, d, part.size);
            if (hit !== null) return hit > 0 ? {t: hit, miss: 0} : null;
        }
        return walk(part, o, d, Math.max(1e-3, t - part.reach * 1.01 - off), t + part.reach * 1.01 + off);
    }
}

/**
 * A picked point in the frame of its segment.
 * @param {Float64Array} matrices @param {number} index @param {Vec} point
 */
export const localPoint = (matrices, index, point) => matrixPointWithin(segmentMatrix(matrices, index), point);
