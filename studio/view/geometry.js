/* What a figure looks like: its shapes as triangles, sticks for segments without shapes. Everything of a scene becomes
 * one geometry in which each vertex knows its segment. */
import * as THREE from './three.js';
import {isBare, sticksOf} from './sticks.js';
import {add, basis, cross, matrixOf, matrixPoint, matrixVector, scale, subtract, unit} from '../math/vector.js';

/** Collects vertices (position, normal, colour, segment) and triangles. */
class Mesh {
    constructor() {
        /** @type {number[]} */
        this.position = [];
        /** @type {number[]} */
        this.normal = [];
        /** @type {number[]} */
        this.paint = [];
        /** @type {number[]} */
        this.segment = [];
        /** @type {number[]} */
        this.index = [];
    }

    /** @param {Vec} p @param {Vec} n @param {Rgba} color @param {number} segment */
    vertex(p, n, color, segment) {
        this.position.push(p[0], p[1], p[2]);
        this.normal.push(n[0], n[1], n[2]);
        this.paint.push(color[0], color[1], color[2]);
        this.segment.push(segment);
        return this.segment.length - 1;
    }

    /**
     * A surface of revolution about z: profile [[radius, z, nr, nz], ...], in a frame.
     * @param {number[][]} profile @param {number} steps @param {Matrix} frame @param {Rgba} color
     * @param {number} segment
     */
    revolve(profile, steps, frame, color, segment, stretch = [1, 1, 1]) {
        const rows = profile.map(([r, z, nr, nz]) => {
            const first = this.segment.length;
            for (let i = 0; i <= steps; i++) {
                const c = Math.cos(2 * Math.PI * i / steps), s = Math.sin(2 * Math.PI * i / steps);
                const p = [r * c * stretch[0], r * s * stretch[1], z * stretch[2]];
                const n = unit([nr * c / stretch[0], nr * s / stretch[1], nz / stretch[2]]);
                this.vertex(matrixPoint(frame, p), matrixVector(frame, n), color, segment);
            }
            return first;
        });
        for (let k = 0; k + 1 < rows.length; k++) {
            for (let i = 0; i < steps; i++) {
                const a = rows[k] + i, b = rows[k + 1] + i;
                this.index.push(a, a + 1, b, b, a + 1, b + 1); /* counter-clockwise from outside */
            }
        }
    }

    /**
     * A flat face with its own normal.
     * @param {Vec[]} points @param {Rgba} color @param {number} segment
     */
    face(points, color, segment) {
        const n = unit(cross(subtract(points[1], points[0]), subtract(points[2], points[0])));
        const first = points.map((p) => this.vertex(p, n, color, segment))[0];
        for (let i = 1; i + 1 < points.length; i++) this.index.push(first, first + i, first + i + 1);
    }

    finish() {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.position, 3));
        geometry.setAttribute('normal', new THREE.Float32BufferAttribute(this.normal, 3));
        geometry.setAttribute('paint', new THREE.Float32BufferAttribute(this.paint, 3));
        geometry.setAttribute('segment', new THREE.Float32BufferAttribute(this.segment, 1));
        geometry.setIndex(this.index);
        return geometry;
    }
}

/**
 * Half a circle from one angle (of latitude) to another: profile points of radius r about (0, z).
 * @param {number} r @param {number} z @param {number} from @param {number} to @param {number} steps
 */
function arc(r, z, from, to, steps) {
    const points = [];
    for (let i = 0; i <= steps; i++) {
        const t = from + (to - from) * i / steps, c = Math.cos(t), s = Math.sin(t);
        points.push([r * c, z + r * s, c, s]);
    }
    return points;
}

/**
 * The profile of a tapered capsule: two balls and the cone that touches both.
 * @param {Vec} size @param {number} steps
 */
function capsuleProfile([r0, half, r1], steps) {
    const length = 2 * half;
    if (length <= Math.abs(r1 - r0)) { /* one ball holds the other */
        return arc(Math.max(r0, r1), r0 > r1 ? -half : half, -Math.PI / 2, Math.PI / 2, 2 * steps);
    }
    const tilt = Math.asin((r0 - r1) / length);
    return [...arc(r0, -half, -Math.PI / 2, tilt, steps), ...arc(r1, half, tilt, Math.PI / 2, steps)];
}

/** @param {Mesh} mesh @param {Vec} half @param {Matrix} frame @param {Rgba} color @param {number} segment */
function addBox(mesh, [x, y, z], frame, color, segment) {
    /** @param {number} i */
    const corner = (i) => matrixPoint(frame, [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
    for (const f of [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]) {
        mesh.face(f.map(corner), color, segment);
    }
}

/**
 * More facets for what is large.
 * @param {number} size @param {number} whole
 */
const detail = (size, whole) =>
    (size > 0.06 * whole ? 30 : size > 0.035 * whole ? 20 : size > 0.018 * whole ? 15 : size > 0.006 * whole ? 10 : 8);

/** @param {Mesh} mesh @param {SceneShape} shape @param {FigureLook} look @param {Rgba} color @param {number} segment */
function addShape(mesh, shape, {whole, fineness = 1}, color, segment) {
    const frame = matrixOf(shape.position, shape.rotation), s = shape.size;
    const widest = shape.kind === 'ellipsoid' ? Math.max(...s) : s[0];
    const steps = Math.round(fineness * detail(widest, whole));
    const rows = Math.max(3, Math.round(steps / 4));
    if (shape.kind === 'box') {
        addBox(mesh, s, frame, color, segment);
    } else if (shape.kind === 'sphere') {
        mesh.revolve(arc(s[0], 0, -Math.PI / 2, Math.PI / 2, 2 * rows), steps, frame, color, segment);
    } else if (shape.kind === 'ellipsoid') {
        mesh.revolve(arc(1, 0, -Math.PI / 2, Math.PI / 2, 2 * rows), steps, frame, color, segment, s);
    } else if (shape.kind === 'capsule') {
        mesh.revolve(capsuleProfile(s, rows), steps, frame, color, segment);
    } else if (shape.kind === 'cylinder') {
        const [r, h] = s;
        const profile = [[0, -h, 0, -1], [r, -h, 0, -1], [r, -h, 1, 0], [r, h, 1, 0], [r, h, 0, 1], [0, h, 0, 1]];
        mesh.revolve(profile, steps, frame, color, segment);
    }
}

/* --- Sticks ------------------------------------------------------------------------------------------------------- */

/** @param {Mesh} mesh @param {Stick} stick @param {Rgba} color @param {number} segment */
function addOctahedron(mesh, {base, tip, length, radius}, color, segment) {
    const n = scale(subtract(tip, base), 1 / length), [a, b] = basis(n);
    const waist = add(base, scale(n, Math.min(0.18 * length, 1.6 * radius)));
    const ring = [a, b, scale(a, -1), scale(b, -1)].map((v) => add(waist, scale(v, radius)));
    for (let i = 0; i < 4; i++) {
        mesh.face([base, ring[(i + 1) % 4], ring[i]], color, segment);
        mesh.face([tip, ring[i], ring[(i + 1) % 4]], color, segment);
    }
}

/**
 * @param {Mesh} mesh @param {SceneFigure} figure @param {number} index @param {number} whole @param {Rgba} color
 * @param {number} segment
 */
function addSticks(mesh, figure, index, whole, color, segment) {
    const {base, sticks, ball} = sticksOf(figure, index, whole);
    for (const stick of sticks) addOctahedron(mesh, stick, color, segment);
    if (sticks.length || figure.segments[index].joint >= 0) {
        const frame = matrixOf(base, [0, 0, 0, 1]);
        const dark = color.map((v) => 0.72 * v);
        mesh.revolve(arc(ball, 0, -Math.PI / 2, Math.PI / 2, 6), 10, frame, dark, segment);
    }
}

/* --- Whole figures ------------------------------------------------------------------------------------------------ */

/** @param {number} color */
const rgb = (color) => [(color >> 16 & 255) / 255, (color >> 8 & 255) / 255, (color & 255) / 255];

/**
 * Several figures of a scene may come from the same file: those after the first get their tint mixed in.
 * @param {SceneFigure[]} figures @param {FigureLook} look
 */
export function buildFigures(figures, look) {
    const mesh = new Mesh();
    figures.forEach((figure, f) => {
        if (look.hidden.has(f)) return;
        const tint = look.tints[f % look.tints.length].slice(0, 3);
        const shapes = look.bones || isBare(figure) ? [] : figure.shapes,
            shaped = new Set(shapes.map((s) => s.segment));
        for (const shape of shapes) {
            const own = shape.color >= 0 ? rgb(shape.color) : tint;
            const color = f === 0 ? own : own.map((v, i) => v + 0.4 * (tint[i] - v));
            addShape(mesh, shape, look, color, figure.firstSegment + shape.segment);
        }
        figure.segments.forEach((segment, i) => {
            if (!shaped.has(i)) addSticks(mesh, figure, i, look.whole, tint, figure.firstSegment + i);
        });
    });
    return mesh.finish();
}
