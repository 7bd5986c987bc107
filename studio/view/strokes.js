/* What those who draw and the painter agree on: the shapes of dots, and points of arcs. */

/** Shapes of dots, as their shader has them. */
export const DISC = 0, RING = 1, DIAMOND = 2, SQUARE = 3, CROSS = 4, PIN = 5;

/**
 * Points of a circle, or of an arc from `from` to `to`.
 * @param {Vec} center @param {Vec} a @param {Vec} b @param {number} radius @param {number} from
 * @param {number | null} [to]
 */
export function circlePoints(center, a, b, radius, steps = 48, from = 0, to = null) {
    const points = [], end = to ?? from + 2 * Math.PI * (1 - 1 / steps);
    for (let i = 0; i < steps; i++) {
        const t = from + (end - from) * i / (steps - 1), c = radius * Math.cos(t), s = radius * Math.sin(t);
        points.push([0, 1, 2].map((k) => center[k] + c * a[k] + s * b[k]));
    }
    return points;
}
