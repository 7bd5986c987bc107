/* A gizmo: arrows to shift, rings to turn, a middle to move across the screen. It keeps its size on the screen, and is
 * taken hold of by how near the cursor is to its strokes there, so that fingers can use it too. */
import {circlePoints, DISC, SQUARE} from './strokes.js';
import {fade} from './theme.js';
import {along, axis, cross, dot, frameOf, normalize, origin, quaternionAbout, quaternionMultiply, quaternionOf,
    sub} from './vec.js';

const REACH = 74; /* pixels from the middle to the tips of the arrows; rings are a little larger */
const NAMES = ['axisX', 'axisY', 'axisZ'];

/** Distance from p to the stretch a-b, in pixels. */
function stretchDistance(p, a, b) {
    const dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const t = length > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** Where a ray meets the plane through `point` across `normal`; null where it runs along it. */
export function meetPlane({from, direction}, point, normal) {
    const slope = dot(direction, normal);
    if (Math.abs(slope) < 1e-4) return null;
    const t = dot(sub(point, from), normal) / slope;
    return t > 0 ? along(from, t, direction) : null;
}

/** The parameter along point + t axis that is nearest to a ray. */
function nearestOnAxis({from, direction}, point, line) {
    const w = sub(from, point), b = dot(direction, line), d = dot(direction, w), e = dot(line, w), root = 1 - b * b;
    return root < 1e-6 ? 0 : (e - b * d) / root;
}

export class Gizmo {
    constructor() {
        this.strokes = [];
        this.hover = null;
    }

    clear() {
        this.strokes = [];
    }

    /**
     * @param {object} d what draws
     * @param {number[]} frame where it is
     * @param {{move?: boolean, turn?: boolean, held?: string}} parts
     */
    draw(d, frame, {move = false, turn = false}) {
        const center = origin(frame), unit = d.pixel(center);
        this.strokes = [];
        this.radius = 1.12 * REACH * unit;
        d.painter.over(() => {
            if (turn) for (let i = 0; i < 3; i++) this.drawRing(d, center, frame, i, this.radius);
            if (turn) this.drawScreenRing(d, center, 1.34 * REACH * unit);
            if (move) for (let i = 0; i < 3; i++) this.drawArrow(d, center, axis(frame, i), i, REACH * unit);
            if (move) {
                d.painter.dot(center, fade(d.theme.text, this.hover === 'move screen' ? 1 : 0.85), 13, SQUARE);
                this.strokes.unshift({name: 'move screen', points: [center, center]});
            }
        });
    }

    color(d, name, i) {
        return this.hover === name ? d.theme.warn : d.theme[NAMES[i]];
    }

    drawArrow(d, center, direction, i, length) {
        const name = `move ${i}`, tip = along(center, length, direction), color = this.color(d, name, i);
        d.painter.line(along(center, 0.18 * length, direction), tip, color, this.hover === name ? 4 : 3);
        d.painter.dot(tip, color, 13, DISC);
        this.strokes.push({name, points: [along(center, 0.25 * length, direction), tip]});
    }

    /** Only the half that faces the viewer can be taken hold of; the other is faint. */
    drawRing(d, center, frame, i, radius) {
        const name = `turn ${i}`, a = axis(frame, (i + 1) % 3), b = axis(frame, (i + 2) % 3);
        const points = circlePoints(center, a, b, radius, 65, 0, 2 * Math.PI), color = this.color(d, name, i);
        const toEye = normalize(sub(d.eye, center)), front = [];
        for (let k = 0; k + 1 < points.length; k++) {
            const isFront = dot(sub(points[k], center), toEye) > -0.08 * radius;
            const width = this.hover === name ? 4 : isFront ? 2.6 : 1.4;
            d.painter.line(points[k], points[k + 1], isFront ? color : fade(color, 0.22), width);
            if (isFront) front.push([points[k], points[k + 1]]);
        }
        for (const stretch of front) this.strokes.push({name, points: stretch});
    }

    drawScreenRing(d, center, radius) {
        const {right, up} = d.axes, points = circlePoints(center, right, up, radius, 65, 0, 2 * Math.PI);
        const name = 'turn screen', isHovered = this.hover === name;
        d.painter.polyline(points, isHovered ? d.theme.warn : fade(d.theme.dim, 0.8), isHovered ? 3 : 1.6);
        for (let k = 0; k + 1 < points.length; k++) this.strokes.push({name, points: [points[k], points[k + 1]]});
    }

    /** The handle under a point of the screen, or null. */
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

    /** Takes hold of a handle; the returned function gives the new frame for another ray. */
    take(name, frame, ray, back) {
        const center = origin(frame), [what, which] = name.split(' ');
        const line = which === 'screen' ? back : axis(frame, Number(which));
        return what === 'move' ? moving(frame, center, which === 'screen' ? null : line, ray, back)
            : turning(frame, center, line, ray, back, this.radius);
    }
}

function moving(frame, center, line, ray, back) {
    const rotation = quaternionOf(frame);
    if (!line) {
        const start = meetPlane(ray, center, back) ?? center;
        return (next) => frameOf(along(center, 1, sub(meetPlane(next, center, back) ?? start, start)), rotation);
    }
    const start = nearestOnAxis(ray, center, line);
    return (next) => frameOf(along(center, nearestOnAxis(next, center, line) - start, line), rotation);
}

/** The angle about `line` by where the ray meets the ring's plane; seen from the side, by how far it goes along the
 * ring's near edge. */
function turning(frame, center, line, ray, back, radius) {
    const rotation = quaternionOf(frame);
    const isFlat = Math.abs(dot(line, back)) < 0.15;
    const side = normalize(cross(line, back)), start = isFlat ? null : meetPlane(ray, center, line);
    const from = start ? normalize(sub(start, center)) : null;
    const flatStart = meetPlane(ray, center, back) ?? center;
    return (next) => {
        let angle = 0;
        const hit = from ? meetPlane(next, center, line) : meetPlane(next, center, back);
        if (hit && from) {
            const to = normalize(sub(hit, center));
            angle = Math.atan2(dot(line, cross(from, to)), dot(from, to));
        } else if (hit) {
            angle = dot(sub(hit, flatStart), side) / radius;
        }
        return frameOf(center, quaternionMultiply(quaternionAbout(line, angle), rotation));
    };
}
