/* Lines, fills and dots over the figures, drawn anew whenever something changes: whoever draws a goal, a limit or a
 * gizmo calls line(), polygon(), dot(), and all of it becomes a handful of draw calls. Lines and dots have widths in
 * pixels and smooth edges of their own. What lies behind the figure shines through faintly; `over` is not hidden by
 * anything. */
import * as THREE from './three.js';
import {circlePoints, DISC} from './strokes.js';
import {add, mix, scale} from '../math/vector.js';
import {DOT_FRAGMENT, DOT_VERTEX, FILL_FRAGMENT, FILL_VERTEX, LINE_FRAGMENT, LINE_VERTEX} from './shaders.js';

/** @typedef {'fill' | 'line' | 'dot'} Kind */
/** @typedef {'behind' | 'front' | 'over'} Pass */
/** @typedef {'world' | 'over'} Layer */

/** An array of floats that grows, for one attribute. */
class Stream {
    /** @param {number} size */
    constructor(size) {
        this.size = size;
        this.data = new Float32Array(size * 256);
        this.count = 0;
    }

    /** @param {number[]} values */
    push(...values) {
        const at = this.count * this.size;
        if (at + this.size > this.data.length) {
            const larger = new Float32Array(this.data.length * 2);
            larger.set(this.data);
            this.data = larger;
        }
        this.data.set(values, at);
        this.count++;
    }
}

/**
 * @param {string} vertexShader @param {string} fragmentShader @param {Record<string, Uniform<unknown>>} uniforms
 * @param {Pass} pass
 */
function makeMaterial(vertexShader, fragmentShader, uniforms, pass) {
    return new THREE.ShaderMaterial({
        vertexShader, fragmentShader,
        uniforms: {...uniforms, opacity: {value: pass === 'behind' ? 0.3 : 1}},
        transparent: true, depthWrite: false, side: THREE.DoubleSide,
        depthTest: pass !== 'over',
        depthFunc: pass === 'behind' ? THREE.GreaterDepth : THREE.LessEqualDepth,
    });
}

/** One kind of primitive: its streams, one geometry, and a mesh for every pass that shows it. */
class Batch {
    /**
     * @param {Kind} kind @param {Record<string, Uniform<unknown>>} uniforms @param {Pass[]} passes
     * @param {number} order
     */
    constructor(kind, uniforms, passes, order) {
        this.kind = kind;
        /** @type {Record<string, Stream>} */
        this.streams = kind === 'line'
            ? {start: new Stream(3), end: new Stream(3), tint: new Stream(4), wide: new Stream(1)}
            : kind === 'dot' ? {position: new Stream(3), tint: new Stream(4), look: new Stream(2)}
                : {position: new Stream(3), tint: new Stream(4)};
        this.geometry = kind === 'line' ? new THREE.InstancedBufferGeometry() : new THREE.BufferGeometry();
        if (kind === 'line') {
            const corners = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0];
            this.geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
            this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
        }
        const [vertex, fragment] = {
            line: [LINE_VERTEX, LINE_FRAGMENT], dot: [DOT_VERTEX, DOT_FRAGMENT], fill: [FILL_VERTEX, FILL_FRAGMENT],
        }[kind];
        this.meshes = passes.map((pass, i) => {
            const material = makeMaterial(vertex, fragment, uniforms, pass);
            const mesh = kind === 'dot' ? new THREE.Points(this.geometry, material)
                : new THREE.Mesh(this.geometry, material);
            mesh.frustumCulled = false;
            mesh.renderOrder = order + i;
            return mesh;
        });
    }

    clear() {
        for (const stream of Object.values(this.streams)) stream.count = 0;
    }

    /** Hands the streams to the graphics card; buffers are kept while they are large enough. */
    commit() {
        let count = 0;
        for (const [name, stream] of Object.entries(this.streams)) {
            count = stream.count;
            let attribute = /** @type {THREE.BufferAttribute} */ (this.geometry.getAttribute(name));
            if (!attribute || attribute.array !== stream.data) {
                attribute = this.kind === 'line' ? new THREE.InstancedBufferAttribute(stream.data, stream.size)
                    : new THREE.BufferAttribute(stream.data, stream.size);
                attribute.setUsage(THREE.DynamicDrawUsage);
                this.geometry.deleteAttribute(name);
                this.geometry.setAttribute(name, attribute);
            }
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, count * stream.size);
            attribute.needsUpdate = count > 0;
        }
        const {geometry} = this;
        if (geometry instanceof THREE.InstancedBufferGeometry) geometry.instanceCount = count;
        else geometry.setDrawRange(0, count);
        for (const mesh of this.meshes) mesh.visible = count > 0;
    }
}

export class Painter {
    /** @param {THREE.Scene} scene */
    constructor(scene) {
        this.uniforms = {resolution: {value: new THREE.Vector2(1, 1)}, ratio: {value: 1}};
        /** @type {Record<string, Batch>} by layer and kind */
        this.batches = {};
        let order = 10;
        /** @type {[Layer, Pass[]][]} */
        const layers = [['world', ['behind', 'front']], ['over', ['over']]];
        for (const [layer, passes] of layers) {
            for (const kind of /** @type {Kind[]} */ (['fill', 'line', 'dot'])) {
                const batch = new Batch(kind, this.uniforms, passes, order);
                this.batches[`${layer} ${kind}`] = batch;
                order += 10;
                scene.add(...batch.meshes);
            }
        }
        /** @type {Layer} */
        this.layer = 'world';
    }

    /** @param {number} width @param {number} height @param {number} ratio */
    setSize(width, height, ratio) {
        this.uniforms.resolution.value.set(width, height);
        this.uniforms.ratio.value = ratio;
    }

    /** @param {boolean} on */
    set visible(on) {
        for (const batch of Object.values(this.batches)) for (const mesh of batch.meshes) mesh.material.visible = on;
    }

    clear() {
        for (const batch of Object.values(this.batches)) batch.clear();
        this.layer = 'world';
    }

    commit() {
        for (const batch of Object.values(this.batches)) batch.commit();
    }

    /**
     * Runs `draw` with everything in front of all.
     * @param {() => void} draw
     */
    over(draw) {
        const before = this.layer;
        this.layer = 'over';
        draw();
        this.layer = before;
    }

    /** @param {Vec} a @param {Vec} b @param {Rgba} color */
    line(a, b, color, width = 1.5) {
        const {start, end, tint, wide} = this.batches[`${this.layer} line`].streams;
        start.push(a[0], a[1], a[2]);
        end.push(b[0], b[1], b[2]);
        tint.push(color[0], color[1], color[2], color[3]);
        wide.push(width);
    }

    /** @param {Vec[]} points @param {Rgba} color */
    polyline(points, color, width = 1.5, closed = false) {
        for (let i = 0; i + 1 < points.length; i++) this.line(points[i], points[i + 1], color, width);
        if (closed && points.length > 2) this.line(points[points.length - 1], points[0], color, width);
    }

    /**
     * Dashes of a length in metres; at most 200 of them.
     * @param {Vec} a @param {Vec} b @param {Rgba} color
     */
    dashed(a, b, color, width = 1.5, dash = 0.02) {
        const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        const count = Math.max(1, Math.min(200, Math.round(length / (2 * dash))));
        for (let i = 0; i < count; i++) {
            this.line(mix(a, b, i / count), mix(a, b, (i + 0.55) / count), color, width);
        }
    }

    /** @param {Vec} a @param {Vec} b @param {Vec} c @param {Rgba} color */
    triangle(a, b, c, color) {
        const {position, tint} = this.batches[`${this.layer} fill`].streams;
        for (const p of [a, b, c]) {
            position.push(p[0], p[1], p[2]);
            tint.push(color[0], color[1], color[2], color[3]);
        }
    }

    /**
     * A flat convex polygon, or with `center` the fan from there (cones, sectors).
     * @param {Vec[]} points @param {Rgba} color @param {Vec | null} [center]
     */
    polygon(points, color, center = null, closed = true) {
        const from = center ?? points[0], first = center ? 0 : 1;
        for (let i = first; i + 1 < points.length; i++) this.triangle(from, points[i], points[i + 1], color);
        if (center && closed && points.length > 2) this.triangle(from, points[points.length - 1], points[0], color);
    }

    /** @param {Vec} p @param {Rgba} color */
    dot(p, color, size = 8, shape = DISC) {
        const {position, tint, look} = this.batches[`${this.layer} dot`].streams;
        position.push(p[0], p[1], p[2]);
        tint.push(color[0], color[1], color[2], color[3]);
        look.push(size, shape);
    }

    /**
     * A circle about `center` in the plane of the unit vectors a and b.
     * @param {Vec} center @param {Vec} a @param {Vec} b @param {number} radius @param {Rgba} color
     */
    circle(center, a, b, radius, color, width = 1.5, steps = 48) {
        this.polyline(circlePoints(center, a, b, radius, steps), color, width, true);
    }

    /**
     * Three short arrows along the axes of a frame [12].
     * @param {Matrix} frame @param {number} length @param {Rgba[]} colors
     */
    axes(frame, length, colors, width = 2.5) {
        const p = [frame[3], frame[7], frame[11]];
        for (let i = 0; i < 3; i++) {
            const tip = add(p, scale([frame[i], frame[4 + i], frame[8 + i]], length));
            this.line(p, tip, colors[i], width);
            this.dot(tip, colors[i], 2.6 * width, DISC);
        }
    }
}
