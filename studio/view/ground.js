/* The ground: a grid in round metres and a soft shadow. The shadow is a small picture of how much of the sky the parts
 * above take from each spot, made on the CPU whenever the figures move. */
import * as THREE from './three.js';
import {GRID_VERTEX, LINE_FRAGMENT, SHADOW_FRAGMENT, SHADOW_VERTEX, SKY_FRAGMENT, SKY_VERTEX} from './shaders.js';
import {matrixPoint, segmentMatrix} from '../math/vector.js';

const CELLS = 96;

/** @typedef {{x: number, y: number, radius: number, strength: number}} Shade under a ball */

/**
 * 1, 2 or 5 times a power of ten, near to `length`.
 * @param {number} length
 */
export function roundStep(length) {
    const power = 10 ** Math.floor(Math.log10(length)), rest = length / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

const PIECES = 6; /* of each line: it fades from piece to piece */

/**
 * The lines of the grid about its middle, in pieces: {start, end, tint, wide}.
 * @param {number} step @param {number} reach @param {Rgba} thin @param {Rgba} strong
 */
function gridPieces(step, reach, thin, strong) {
    /** @type {Record<'start' | 'end' | 'tint' | 'wide', number[]>} */
    const pieces = {start: [], end: [], tint: [], wide: []}, count = Math.floor(reach / step);
    for (let i = -count; i <= count; i++) {
        const isStrong = i % 5 === 0, at = i * step, half = Math.sqrt(Math.max(0, reach * reach - at * at));
        const color = [...(isStrong ? strong : thin).slice(0, 3), isStrong ? 0.85 : 0.5];
        for (let k = 0; k < PIECES; k++) {
            const a = half * (2 * k / PIECES - 1), b = half * (2 * (k + 1) / PIECES - 1);
            for (const isAcross of [false, true]) {
                pieces.start.push(...(isAcross ? [a, at] : [at, a]), 0);
                pieces.end.push(...(isAcross ? [b, at] : [at, b]), 0);
                pieces.tint.push(...color);
                pieces.wide.push(1);
            }
        }
    }
    return pieces;
}

export class Ground {
    /**
     * @param {THREE.Scene} scene
     * @param {Painter['uniforms']} lineUniforms the painter's: lines are as wide on the screen as its own
     */
    constructor(scene, lineUniforms) {
        this.cells = new Uint8Array(CELLS * CELLS);
        this.clear = new Float32Array(CELLS * CELLS);
        this.shadow = new THREE.DataTexture(this.cells, CELLS, CELLS, THREE.RedFormat, THREE.UnsignedByteType);
        this.shadow.magFilter = this.shadow.minFilter = THREE.LinearFilter;
        const blended = {transparent: true, depthWrite: false};
        this.shade = {value: new THREE.Vector4()};
        this.reach = {value: 1};
        this.blob = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShaderMaterial({
            vertexShader: SHADOW_VERTEX, fragmentShader: SHADOW_FRAGMENT, side: THREE.DoubleSide, ...blended,
            uniforms: {shadow: {value: this.shadow}, shade: this.shade},
        }));
        this.grid = new THREE.Mesh(new THREE.InstancedBufferGeometry(), new THREE.ShaderMaterial({
            vertexShader: GRID_VERTEX, fragmentShader: LINE_FRAGMENT, side: THREE.DoubleSide, ...blended,
            uniforms: {...lineUniforms, opacity: {value: 1}, reach: this.reach},
        }));
        this.sky = new THREE.Mesh(new THREE.PlaneGeometry(2, 2, 8, 12), new THREE.ShaderMaterial({
            vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, depthWrite: false, depthTest: false,
            uniforms: {high: {value: new THREE.Vector3()}, low: {value: new THREE.Vector3()}},
        }));
        /** @type {[THREE.Mesh, number][]} */
        const layers = [[this.sky, -10], [this.blob, 1], [this.grid, 2]];
        layers.forEach(([mesh, order]) => {
            mesh.frustumCulled = false;
            mesh.renderOrder = order;
            scene.add(mesh);
        });
        this.size = this.step = 1;
        this.level = 0;
        this.box = [0, 0, 1, 1]; /* of the shadow: where it begins, and its sides */
        this.place([0, 0], 1, 0);
    }

    /** @param {Theme} theme */
    setTheme(theme) {
        this.theme = theme;
        /** @param {Uniform<THREE.Vector3>} uniform @param {Rgba} c */
        const set = (uniform, c) => uniform.value.set(c[0], c[1], c[2]);
        if (theme.isDark) this.shade.value.set(0, 0, 0, 0.62);
        else this.shade.value.set(0.12, 0.15, 0.2, 0.42);
        set(this.sky.material.uniforms.high, theme.background);
        set(this.sky.material.uniforms.low, theme.backgroundLow);
        this.layGrid();
    }

    /**
     * Lays the ground under figures of this size, about this place.
     * @param {Vec} center @param {number} size @param {number} level
     */
    place(center, size, level) {
        this.size = size;
        this.level = level;
        this.step = roundStep(size / 8);
        this.grid.position.z = level - 1e-3 * size;
        this.follow(center);
        this.layGrid();
    }

    /**
     * Goes along, in whole fields, with what is looked at.
     * @param {Vec} target
     */
    follow(target) {
        const field = 5 * this.step;
        this.grid.position.x = field * Math.round(target[0] / field);
        this.grid.position.y = field * Math.round(target[1] / field);
    }

    layGrid() {
        if (!this.theme) return;
        const geometry = new THREE.InstancedBufferGeometry();
        this.reach.value = 3.4 * this.size;
        const pieces = gridPieces(this.step, this.reach.value, this.theme.grid, this.theme.gridStrong);
        geometry.setAttribute('position', new THREE.Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        for (const [name, values] of Object.entries(pieces)) {
            const count = name === 'tint' ? 4 : name === 'wide' ? 1 : 3;
            geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(values), count));
        }
        geometry.instanceCount = pieces.wide.length;
        this.grid.geometry.dispose();
        this.grid.geometry = geometry;
    }

    /** @param {boolean} on */
    set visible(on) {
        this.grid.visible = this.blob.visible = on;
    }

    /**
     * @param {SegmentBall[]} balls what throws shadows, in segments' frames
     * @param {Float64Array} matrices
     */
    cast(balls, matrices) {
        const spots = balls.map((ball) => {
            const p = matrixPoint(segmentMatrix(matrices, ball.segment), ball.center);
            const height = Math.max(0, p[2] - this.level);
            const radius = ball.radius + 0.22 * height + 0.006 * this.size;
            const part = ball.radius * ball.radius / (radius * radius);
            return {x: p[0], y: p[1], radius, strength: part * Math.max(0, 1 - height / (1.1 * this.size))};
        }).filter((s) => s.strength > 0.01 && Number.isFinite(s.x + s.y));
        this.fitBox(spots);
        this.clear.fill(1);
        for (const spot of spots) this.splat(spot);
        for (let i = 0; i < this.cells.length; i++) this.cells[i] = 255 * (1 - this.clear[i]);
        this.shadow.needsUpdate = true;
    }

    /** @param {Shade[]} spots */
    fitBox(spots) {
        let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
        for (const s of spots) {
            x0 = Math.min(x0, s.x - s.radius), x1 = Math.max(x1, s.x + s.radius);
            y0 = Math.min(y0, s.y - s.radius), y1 = Math.max(y1, s.y + s.radius);
        }
        const side = Math.max(x1 - x0, y1 - y0, 1e-3) * 1.05;
        if (!spots.length) x0 = x1 = y0 = y1 = 0;
        this.box = [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side];
        this.blob.position.set(this.box[0] + side / 2, this.box[1] + side / 2, this.level - 5e-4 * this.size);
        this.blob.scale.set(side, side, 1);
    }

    /**
     * Darkens the cells under one ball: what stays clear is multiplied, so that overlaps do not add up.
     * @param {Shade} spot
     */
    splat({x, y, radius, strength}) {
        const [bx, by, side] = this.box, cell = side / CELLS;
        /** @param {number} v */
        const first = (v) => Math.max(0, Math.floor((v - radius) / cell));
        /** @param {number} v */
        const last = (v) => Math.min(CELLS - 1, Math.ceil((v + radius) / cell));
        const [i0, i1, j0, j1] = [first(x - bx), last(x - bx), first(y - by), last(y - by)];
        for (let j = j0; j <= j1; j++) {
            for (let i = i0; i <= i1; i++) {
                const dx = bx + (i + 0.5) * cell - x, dy = by + (j + 0.5) * cell - y;
                const t = 1 - (dx * dx + dy * dy) / (radius * radius);
                if (t > 0) this.clear[j * CELLS + i] *= 1 - strength * t * t;
            }
        }
    }
}
