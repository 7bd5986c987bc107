/* The ground: a grid in round metres and a soft shadow. The shadow is a small picture of how much of the sky the parts
 * above take from each spot, made on the CPU whenever the figures move. */
import * as THREE from 'three';
import {GROUND_FRAGMENT, GROUND_VERTEX, SKY_FRAGMENT, SKY_VERTEX} from './shaders.js';
import {toWorld, segmentFrame} from './vec.js';

const CELLS = 96;

/** 1, 2 or 5 times a power of ten, near to `length`. */
export function roundStep(length) {
    const power = 10 ** Math.floor(Math.log10(length)), rest = length / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

export class Ground {
    /** @param {THREE.Scene} scene */
    constructor(scene) {
        this.cells = new Uint8Array(CELLS * CELLS);
        this.clear = new Float32Array(CELLS * CELLS);
        this.shadow = new THREE.DataTexture(this.cells, CELLS, CELLS, THREE.RedFormat, THREE.UnsignedByteType);
        this.shadow.magFilter = this.shadow.minFilter = THREE.LinearFilter;
        this.uniforms = {
            thin: {value: new THREE.Vector3()}, strong: {value: new THREE.Vector3()}, shade: {value: new THREE.Vector3()},
            step_: {value: 0.2}, middle: {value: new THREE.Vector2()}, reach: {value: 4}, shadow: {value: this.shadow},
            shadowBox: {value: new THREE.Vector4(0, 0, 1, 1)}, shadowStrength: {value: 0.5}, lines: {value: 1},
        };
        const material = new THREE.ShaderMaterial({
            vertexShader: GROUND_VERTEX, fragmentShader: GROUND_FRAGMENT, uniforms: this.uniforms,
            transparent: true, depthWrite: false, side: THREE.DoubleSide,
        });
        this.mesh = new THREE.Mesh(new THREE.CircleGeometry(1, 48), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 1;
        this.sky = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShaderMaterial({
            vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, depthWrite: false, depthTest: false,
            uniforms: {high: {value: new THREE.Vector3()}, low: {value: new THREE.Vector3()}},
        }));
        this.sky.frustumCulled = false;
        this.sky.renderOrder = -10;
        scene.add(this.sky, this.mesh);
    }

    setTheme(theme) {
        const set = (uniform, c) => uniform.value.set(c[0], c[1], c[2]);
        set(this.uniforms.thin, theme.grid);
        set(this.uniforms.strong, theme.gridStrong);
        set(this.uniforms.shade, theme.isDark ? [0, 0, 0] : [0.12, 0.15, 0.2]);
        this.uniforms.shadowStrength.value = theme.isDark ? 0.62 : 0.42;
        set(this.sky.material.uniforms.high, theme.background);
        set(this.sky.material.uniforms.low, theme.backgroundLow);
    }

    /** Lays the ground under figures of this size, about this place. */
    place(center, size, level) {
        this.size = size;
        this.level = level;
        this.uniforms.step_.value = roundStep(size / 8);
        this.uniforms.reach.value = 3.2 * size;
        this.uniforms.middle.value.set(center[0], center[1]);
        this.mesh.scale.set(3.2 * size, 3.2 * size, 1);
        this.mesh.position.set(center[0], center[1], level - 1e-3 * size);
    }

    /**
     * @param {{segment: number, center: number[], radius: number}[]} balls what throws shadows, in segments' frames
     * @param {Float64Array} matrices
     */
    cast(balls, matrices) {
        const spots = balls.map((ball) => {
            const p = toWorld(segmentFrame(matrices, ball.segment), ball.center);
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

    fitBox(spots) {
        let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
        for (const s of spots) {
            x0 = Math.min(x0, s.x - s.radius), x1 = Math.max(x1, s.x + s.radius);
            y0 = Math.min(y0, s.y - s.radius), y1 = Math.max(y1, s.y + s.radius);
        }
        const side = Math.max(x1 - x0, y1 - y0, 1e-3) * 1.05;
        if (!spots.length) x0 = x1 = y0 = y1 = 0;
        this.box = [(x0 + x1 - side) / 2, (y0 + y1 - side) / 2, side, side];
        this.uniforms.shadowBox.value.set(...this.box);
    }

    /** Darkens the cells under one ball: what stays clear is multiplied, so that overlaps do not add up. */
    splat({x, y, radius, strength}) {
        const [bx, by, side] = this.box, cell = side / CELLS;
        const i0 = Math.max(0, Math.floor((x - radius - bx) / cell)), i1 = Math.min(CELLS - 1, Math.ceil((x + radius - bx) / cell));
        const j0 = Math.max(0, Math.floor((y - radius - by) / cell)), j1 = Math.min(CELLS - 1, Math.ceil((y + radius - by) / cell));
        for (let j = j0; j <= j1; j++) {
            for (let i = i0; i <= i1; i++) {
                const dx = bx + (i + 0.5) * cell - x, dy = by + (j + 0.5) * cell - y;
                const t = 1 - (dx * dx + dy * dy) / (radius * radius);
                if (t > 0) this.clear[j * CELLS + i] *= 1 - strength * t * t;
            }
        }
    }
}
