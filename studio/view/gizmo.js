/* A gizmo: arrows to shift, rings to turn, a middle to move across the screen. It keeps its size on the screen, and is
 * taken hold of by how near the cursor is to its strokes there, so that fingers can use it too. */
import {circlePoints, DISC, SQUARE} from './strokes.js';
import {fade} from './theme.js';
import {
    along, cross, dot, matrixAxis, matrixOf, matrixOrigin, matrixRotation, rotationAbout, rotationMultiply, subtract,
    unit,
} from '../math/vector.js';

const REACH = 74; /* pixels from the middle to the tips of the arrows; rings are a little larger */
/** @type {ColorName[]} */
const NAMES = ['axisX', 'axisY', 'axisZ'];

/**
 * Distance from p to the stretch a-b, in pixels.
 * @param {Spot} p @param {Spot} a @param {Spot} b
 */
function stretchDistance(p, a, b) {
    const dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const t = length > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/**
 * Where a ray meets the plane through `point` across `normal`; null where it runs along it.
 * @param {Ray} ray @param {Vec} point @param {Vec} normal
 */
export function meetPlane({from, direction}, point, normal) {
    const slope = dot(direction, normal);
    if (Math.abs(slope) < 1e-4) return null;
    const t = dot(subtract(point, from), normal) / slope;
    return t > 0 ? along(from, t, direction) : null;
}

/**
 * The parameter along point + t axis that is nearest to a ray.
 * @param {Ray} ray @param {Vec} point @param {Vec} line
 */
function nearestOnAxis({from, direction}, point, line) {
    const w = subtract(from, point), b = dot(direction, line), d = dot(direction, w), e = dot(line, w);
    const root = 1 - b * b;
    return root < 1e-6 ? 0 : (e - b * d) / root;
}

export class Gizmo {
    constructor() {
        /** @type {Stroke[]} */
        this.strokes = [];
        /** @type {string | null} */
        this.hover = null;
        this.radius = 1; /* metres, of the rings as they are drawn */
    }

    clear() {
        this.strokes = [];
    }

    /**
     * @param {Drawing} d
     * @param {Matrix} frame where it is
     * @param {{move?: boolean, turn?: boolean, held?: string}} parts
     */
    draw(d, frame, {move = false, turn = false}) {
        const center = matrixOrigin(frame), unit = d.pixel(center);
        this.strokes = [];
        this.radius = 1.12 * REACH * unit;
        d.painter.over(() => {
            if (turn) for (let i = 0; i < 3; i++) this.drawRing(d, center, frame, i, this.radius);
            if (turn) this.drawScreenRing(d, center, 1.34 * REACH * unit);
            if (move) for (let i = 0; i < 3; i++) this.drawArrow(d, center, matrixAxis(frame, i), i, REACH * unit);
            if (move) {
                d.painter.dot(center, fade(d.theme.text, this.hover === 'move screen' ? 1 : 0.85), 13, SQUARE);
                this.strokes.unshift({name: 'move screen', points: [center, center]});
            }
        });
    }

    /** @param {Drawing} d @param {string} name @param {number} i */
    color(d, name, i) {
        return this.hover === name ? d.theme.warn : d.theme[NAMES[i]];
    }

    /** @param {Drawing} d @param {Vec} center @param {Vec} direction @param {number} i @param {number} length */
    drawArrow(d, center, direction, i, length) {
        const name = `move ${i}`, tip = along(center, length, direction), color = this.color(d, name, i);
        d.painter.line(along(center, 0.18 * length, direction), tip, color, this.hover === name ? 4 : 3);
        d.painter.dot(tip, color, 13, DISC);
        this.strokes.push({name, points: [along(center, 0.25 * length, direction), tip]});
    }

    /**
     * Only the half that faces the viewer can be taken hold of; the other is faint.
     * @param {Drawing} d @param {Vec} center @param {Matrix} frame @param {number} i @param {number} radius
     */
    drawRing(d, center, frame, i, radius) {
        const name = `turn ${i}`, a = matrixAxis(frame, (i + 1) % 3), b = matrixAxis(frame, (i + 2) % 3);
        const points = circlePoints(center, a, b, radius, 65, 0, 2 * Math.PI), color = this.color(d, name, i);
        const toEye = unit(subtract(d.eye, center)), front = [];
        for (let k = 0; k + 1 < points.length; k++) {
            const isFront = dot(subtract(points[k], center), toEye) > -0.08 * radius;
            const width = this.hover === name ? 4 : isFront ? 2.6 : 1.4;
            d.painter.line(points[k], points[k + 1], isFront ? color : fade(color, 0.22), width);
            if (isFront) front.push([points[k], points[k + 1]]);
        }
        for (const stretch of front) this.strokes.push({name, points: stretch});
    }

    /** @param {Drawing} d @param {Vec} center @param {number} radius */
    drawScreenRing(d, center, radius) {
        const {right, up} = d.axes, points = circlePoints(center, right, up, radius, 65, 0, 2 * Math.PI);
        const name = 'turn screen', isHovered = this.hover === name;
        d.painter.polyline(points, isHovered ? d.theme.warn : fade(d.theme.dim, 0.8), isHovered ? 3 : 1.6);
        for (let k = 0; k + 1 < points.length; k++) this.strokes.push({name, points: [points[k], points[k + 1]]});
    }

    /**
     * The handle under a point of the screen, or null.
     * @param {Spot} at @param {Project} project
     */
    hit(at, project, slack = 7) {
        let best = null;
        for (const {name, points} of this.strokes) {
            const [a, b] = points.map(project);
            if (!a || !b) continue;
            const off = stretchDistance(at, a, b) - (name === 'move screen' ? 3 : 0);
            if (off <= slack && (!best || off < best.off)) best = {name, off};
        }
        return best?.name ?? null;
    }

    /**
     * Takes hold of a handle; the returned function gives the new frame for another ray.
     * @param {string} name @param {Matrix} frame @param {Ray} ray @param {Vec} back
     */
    take(name, frame, ray, back) {
        const center = matrixOrigin(frame), [what, which] = name.split(' ');
        const line = which === 'screen' ? back : matrixAxis(frame, Number(which));
        return what === 'move' ? moving(frame, center, which === 'screen' ? null : line, ray, back)
            : turning(frame, center, line, ray, back, this.radius);
    }
}

/** @param {Matrix} frame @param {Vec} center @param {Vec | null} line @param {Ray} ray @param {Vec} back */
function moving(frame, center, line, ray, back) {
    const rotation = matrixRotation(frame);
    if (!line) {
        const start = meetPlane(ray, center, back) ?? center;
        return (/** @type {Ray} */ next) =>
            matrixOf(along(center, 1, subtract(meetPlane(next, center, back) ?? start, start)), rotation);
    }
    const start = nearestOnAxis(ray, center, line);
    return (/** @type {Ray} */ next) =>
        matrixOf(along(center, nearestOnAxis(next, center, line) - start, line), rotation);
}

/** The angle about `line` by where the ray meets the ring's plane; seen from the side, by how far it goes along the
 * ring's near edge.
 * @param {Matrix} frame
 * @param {Vec} center
 * @param {Vec} line
 * @param {Ray} ray
 * @param {Vec} back
 * @param {number} radius
 */
function turning(frame, center, line, ray, back, radius) {
    const rotation = matrixRotation(frame);
    const isFlat = Math.abs(dot(line, back)) < 0.15;
    const side = unit(cross(line, back)), start = isFlat ? null : meetPlane(ray, center, line);
    const from = start ? unit(subtract(start, center)) : null;
    const flatStart = meetPlane(ray, center, back) ?? center;
    return (/** @type {Ray} */ next) => {
        let angle = 0;
        const hit = from ? meetPlane(next, center, line) : meetPlane(next, center, back);
        if (hit && from) {
            const to = unit(subtract(hit, center));
            angle = Math.atan2(dot(line, cross(from, to)), dot(from, to));
        } else if (hit) {
            angle = dot(subtract(hit, flatStart), side) / radius;
        }
        return matrixOf(center, rotationMultiply(rotationAbout(line, angle), rotation));
    };
}
