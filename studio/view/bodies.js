/* The figures on the screen: one mesh for all of them, whose vertices find their segments' frames in a small texture;
 * ghosts are the same mesh with other frames. */
import * as THREE from './three.js';
import {buildFigures} from './geometry.js';
import {BODY_FRAGMENT, BODY_VERTEX, GHOST_FRAGMENT} from './shaders.js';

/** The frames of all segments as a texture: three texels for the frame, one for the highlight. */
class FrameTexture {
    /** @param {number} count */
    constructor(count) {
        this.count = Math.max(1, count);
        this.data = new Float32Array(16 * this.count);
        this.texture = new THREE.DataTexture(this.data, 4, this.count, THREE.RGBAFormat, THREE.FloatType);
        this.texture.needsUpdate = true;
    }

    /** @param {ArrayLike<number>} matrices */
    setFrames(matrices) {
        for (let i = 0; i < this.count && 12 * i < matrices.length; i++) {
            for (let k = 0; k < 12; k++) this.data[16 * i + k] = matrices[12 * i + k];
        }
        this.texture.needsUpdate = true;
    }

    /** @param {number} index @param {Rgba} color @param {number} strength */
    setGlow(index, color, strength) {
        this.data.set([color[0], color[1], color[2], strength], 16 * index + 12);
        this.texture.needsUpdate = true;
    }

    clearGlow() {
        for (let i = 0; i < this.count; i++) this.data.fill(0, 16 * i + 12, 16 * i + 16);
        this.texture.needsUpdate = true;
    }
}

export class Bodies {
    /** @param {THREE.Scene} scene */
    constructor(scene) {
        this.scene = scene;
        this.uniforms = {
            frames: {value: /** @type {THREE.DataTexture | null} */ (null)},
            keyLight: {value: new THREE.Vector3(0.4, -0.3, 0.85).normalize()},
            sky: {value: new THREE.Vector3(0.42, 0.44, 0.47)}, earth: {value: new THREE.Vector3(0.2, 0.19, 0.18)},
            groundLevel: {value: 0},
        };
        this.material = new THREE.ShaderMaterial({
            vertexShader: BODY_VERTEX, fragmentShader: BODY_FRAGMENT, uniforms: this.uniforms,
        });
        this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
        this.mesh.frustumCulled = false;
        this.scene.add(this.mesh);
        /** @type {{frames: FrameTexture, meshes: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>[]}[]} */
        this.ghosts = [];
    }

    /**
     * Makes the mesh anew: figures, tints or what is shown have changed.
     * @param {SceneFigure[]} figures @param {FigureLook} look
     */
    build(figures, look) {
        const count = figures.reduce((sum, f) => sum + f.segments.length, 0);
        this.frames?.texture.dispose();
        this.frames = new FrameTexture(count);
        this.uniforms.frames.value = this.frames.texture;
        this.mesh.geometry.dispose();
        this.mesh.geometry = buildFigures(figures, look);
        this.ghostGeometry?.dispose(); /* ghosts of characters are their bones: there is one skin only */
        this.ghostGeometry = look.hidden.size ? buildFigures(figures, {...look, hidden: new Set()}) : null;
        this.mesh.visible = /** @type {THREE.BufferAttribute} */ (this.mesh.geometry.index).count > 0;
        this.setGhosts([], [0, 0, 0, 1], [0, 0, 0, 1]);
    }

    /** @param {Theme} theme */
    setLight(theme) {
        const base = theme.isDark ? 0.36 : 0.5;
        this.uniforms.sky.value.set(base, base * 1.03, base * 1.08);
        this.uniforms.earth.value.set(base * 0.55, base * 0.52, base * 0.5);
    }

    /**
     * Copies of the figures in other poses, before (one colour) and after (another) the present one.
     * @param {ShownGhost[]} ghosts @param {Rgba} before @param {Rgba} after
     */
    setGhosts(ghosts, before, after) {
        for (const {meshes, frames} of this.ghosts) {
            for (const mesh of meshes) {
                this.scene.remove(mesh);
                mesh.material.dispose();
            }
            frames.texture.dispose();
        }
        this.ghosts = ghosts.map((ghost) => {
            const {count} = /** @type {FrameTexture} */ (this.frames), frames = new FrameTexture(count);
            const tint = ghost.tint ?? (ghost.before ? before : after);
            frames.setFrames(ghost.matrices);
            const uniforms = {
                frames: {value: frames.texture}, alpha: {value: ghost.alpha ?? 0.35},
                tint: {value: new THREE.Vector3(tint[0], tint[1], tint[2])},
            };
            return {frames, meshes: [true, false].map((isDepth) => this.ghostMesh(uniforms, isDepth, ghost.rank))};
        });
    }

    /** @param {boolean} on */
    set ghostsVisible(on) {
        for (const {meshes} of this.ghosts) for (const mesh of meshes) mesh.visible = on;
    }

    /**
     * A ghost is drawn twice, first only how far away it is, so that what is inside does not show through.
     * @param {Record<string, Uniform<unknown>>} uniforms
     * @param {boolean} isDepth
     * @param {number} [rank] of those that coincide the one with the highest is seen
     */
    ghostMesh(uniforms, isDepth, rank = 0) {
        const material = new THREE.ShaderMaterial({
            vertexShader: BODY_VERTEX, fragmentShader: GHOST_FRAGMENT, uniforms, transparent: true, depthWrite: isDepth,
            colorWrite: !isDepth, polygonOffset: rank > 0, polygonOffsetFactor: -0.5 * rank,
            polygonOffsetUnits: -4 * rank,
        });
        const mesh = new THREE.Mesh(this.ghostGeometry ?? this.mesh.geometry, material);
        mesh.frustumCulled = false;
        mesh.renderOrder = isDepth ? 4 : 5;
        this.scene.add(mesh);
        return mesh;
    }
}
