/* The skin of a glTF or VRM character: the file as three.js loads it, with its nodes put where the solver has the
 * segments. Which part is under the cursor is found on the skin as it is drawn. */
import * as THREE from 'three';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {MeshoptDecoder} from 'three/addons/libs/meshopt_decoder.module.js';
import {nodeNames, restStretches, turnToWorld} from './gltf_frames.js';
import {segmentMatrix} from '../../math/vector.js';

/**
 * Files beside a .gltf are found among those that were opened with it.
 * @param {Map<string, Uint8Array>} files
 */
function managerFor(files) {
    const manager = new THREE.LoadingManager();
    /** @type {string[]} */
    const made = [];
    manager.setURLModifier((url) => {
        if (/^(blob|data):/.test(url)) return url;
        const name = decodeURIComponent(url.replace(/^.*\//, ''));
        const found = [...files].find(([path]) => path === url || path.replace(/^.*\//, '') === name);
        if (!found) return 'data:,';
        made.push(URL.createObjectURL(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (found[1])])));
        return made[made.length - 1];
    });
    return {manager, release: () => made.forEach((url) => URL.revokeObjectURL(url))};
}

/**
 * @typedef {THREE.Material & {map?: THREE.Texture | null, color?: THREE.Color, emissive?: THREE.Color,
 *     emissiveMap?: THREE.Texture | null, emissiveIntensity?: number}} LoadedMaterial not all have maps and colours
 */
/** @typedef {THREE.Mesh & {isSkinnedMesh?: boolean, skeleton?: THREE.Skeleton}} LoadedMesh */
/** @typedef {{mesh: LoadedMesh, part: Float32Array, world: Float32Array, isStale: boolean}} SkinMesh */

const GLOW_VERTEX = 'vGlow = part < 0.0 ? vec4(0.0) : texelFetch(frames, ivec2(3, int(part + 0.5)), 0);';
const GLOW_FRAGMENT =
    'outgoingLight = mix(outgoingLight, pow(vGlow.rgb, vec3(2.2)) * (0.5 + outgoingLight), 0.6 * vGlow.a);';

/**
 * A material that costs little, looks like the given one in soft light, and glows where a part is highlighted.
 * @param {LoadedMaterial} material @param {Uniform<THREE.Texture | null>} frames
 */
export function softMaterial(material, frames) {
    const soft = new THREE.MeshLambertMaterial({
        map: material.map ?? null, color: material.color ?? 0xffffff, vertexColors: material.vertexColors,
        transparent: material.transparent, opacity: material.opacity, alphaTest: material.alphaTest,
        side: material.side,
        emissive: material.emissive ?? 0, emissiveMap: material.emissiveMap ?? null,
        emissiveIntensity: material.emissiveIntensity ?? 1,
        depthWrite: material.depthWrite,
    });
    soft.onBeforeCompile = (shader) => {
        shader.uniforms.frames = frames;
        shader.vertexShader = `in float part;\nuniform highp sampler2D frames;\nout vec4 vGlow;\n${shader.vertexShader}`
            .replace('#include <begin_vertex>', `#include <begin_vertex>\n${GLOW_VERTEX}`);
        shader.fragmentShader = `in vec4 vGlow;\n${shader.fragmentShader}`.replace('#include <opaque_fragment>',
            `${GLOW_FRAGMENT}\n#include <opaque_fragment>`);
    };
    return soft;
}

/**
 * The bone that moves a vertex most.
 * @param {THREE.BufferGeometry} geometry @param {number} i
 */
function mainBone(geometry, i) {
    const {skinIndex, skinWeight} = geometry.attributes;
    let best = 0, weight = -1;
    for (let k = 0; k < 4; k++) {
        const w = skinWeight.getComponent(i, k);
        if (w > weight) {
            weight = w;
            best = skinIndex.getComponent(i, k);
        }
    }
    return best;
}

/**
 * Makes a matrix of three.js of one of the engine's.
 * @param {THREE.Matrix4} matrix @param {Matrix} m
 */
export function setFrame(matrix, m) {
    return matrix.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}

export class Skin {
    /**
     * @param {Uint8Array} bytes the file
     * @param {SceneFigure} figure of the scene
     * @param {Map<string, Uint8Array>} files others that it may name
     * @param {Uniform<THREE.Texture | null>} frames the texture of frames and highlights
     */
    static async load(bytes, figure, files, frames) {
        const {manager, release} = managerFor(files), loader = new GLTFLoader(manager);
        loader.setMeshoptDecoder(MeshoptDecoder);
        try {
            return new Skin(await loader.parseAsync(bytes.slice().buffer, ''), figure, frames);
        } finally {
            release();
        }
    }

    /**
     * @param {import('three/addons/loaders/GLTFLoader.js').GLTF} gltf @param {SceneFigure} figure
     * @param {Uniform<THREE.Texture | null>} frames
     */
    constructor(gltf, figure, frames) {
        const json = gltf.parser.json, {order, stretches} = restStretches(json), names = nodeNames(json);
        /** @type {Map<number, THREE.Object3D>} */
        const objects = new Map();
        gltf.scene.traverse((object) => {
            const node = gltf.parser.associations.get(object)?.nodes;
            if (node !== undefined && !objects.has(node)) objects.set(node, object);
        });
        this.figure = figure;
        this.group = new THREE.Group();
        this.group.quaternion.fromArray(turnToWorld(json));
        this.group.add(gltf.scene);
        const segments = new Map(figure.segments.map((segment, i) => [segment.name, i]));
        this.nodes = order.filter((i) => objects.has(i)).map((i) => {
            const segment = segments.get(names[i]) ?? -1, own = new THREE.Matrix3().fromArray(stretches[i]).transpose();
            const object = /** @type {THREE.Object3D} */ (objects.get(i));
            return {object, segment, stretch: new THREE.Matrix4().setFromMatrix3(own)};
        });
        this.hasPosed = this.nodes.some((n) => n.segment >= 0);
        this.bones = this.listBones();
        /** Metres per unit of the file; 0: not known before the first pose. */
        this.unit = 0;
        /** @type {SkinMesh[]} */
        this.meshes = [];
        const partOf = this.partFinder();
        gltf.scene.traverse((object) => {
            const mesh = /** @type {LoadedMesh} */ (object);
            if (mesh.isMesh) this.prepare(mesh, partOf, frames);
        });
        for (const node of this.nodes) if (node.segment >= 0) node.object.matrixAutoUpdate = false;
    }

    get hasMesh() {
        return this.meshes.length > 0;
    }

    /** Nodes and those above them that are segments, with their distance in the file's unit. */
    listBones() {
        this.group.updateMatrixWorld(true);
        const own = new Map(this.nodes.filter((n) => n.segment >= 0).map((n) => [n.object, n.segment]));
        const from = new THREE.Vector3(), to = new THREE.Vector3();
        return [...own].flatMap(([object, segment]) => {
            let above = object.parent;
            while (above && !own.has(above)) above = above.parent;
            if (!above) return [];
            const size = from.setFromMatrixPosition(object.matrixWorld)
                .distanceTo(to.setFromMatrixPosition(above.matrixWorld));
            return size > 0 ? [{segment, above: /** @type {number} */ (own.get(above)), size}] : [];
        });
    }

    /**
     * The unit in which the reader took the file's lengths: most bones keep theirs in every pose.
     * @param {Float64Array} matrices
     */
    findUnit(matrices) {
        const place = (/** @type {number} */ segment) => {
            const m = segmentMatrix(matrices, this.figure.firstSegment + segment);
            return [m[3], m[7], m[11]];
        };
        const ratios = this.bones.map(({segment, above, size}) => {
            const [a, b] = [place(segment), place(above)];
            return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / size;
        }).sort((a, b) => a - b);
        const middle = ratios[ratios.length >> 1] ?? 1;
        this.unit = middle > 0 && Math.abs(middle - 1) > 1e-3 ? middle : 1;
        this.group.scale.setScalar(this.unit);
        const larger = new THREE.Matrix4().makeScale(this.unit, this.unit, this.unit);
        for (const {stretch} of this.nodes) stretch.multiply(larger);
    }

    /** The segment that an object goes with: its own or its nearest ancestor's. */
    partFinder() {
        const own = new Map(this.nodes.filter((n) => n.segment >= 0).map((n) => [n.object, n.segment]));
        return (/** @type {THREE.Object3D} */ object) => {
            for (let at = /** @type {THREE.Object3D | null} */ (object); at; at = at.parent) {
                const segment = own.get(at);
                if (segment !== undefined) return segment;
            }
            return -1;
        };
    }

    /**
     * @param {LoadedMesh} mesh @param {(object: THREE.Object3D) => number} partOf
     * @param {Uniform<THREE.Texture | null>} frames
     */
    prepare(mesh, partOf, frames) {
        const {geometry} = mesh, count = geometry.attributes.position.count, part = new Float32Array(count);
        if (!geometry.attributes.normal) geometry.computeVertexNormals();
        const {skeleton} = mesh, whole = partOf(mesh);
        const bones = skeleton && mesh.isSkinnedMesh ? skeleton.bones.map(partOf) : null;
        /** @param {number} segment */
        const global = (segment) => (segment < 0 ? -1 : this.figure.firstSegment + segment);
        for (let i = 0; i < count; i++) part[i] = global(bones ? bones[mainBone(geometry, i)] ?? -1 : whole);
        geometry.setAttribute('part', new THREE.BufferAttribute(part, 1));
        mesh.material = Array.isArray(mesh.material)
            ? mesh.material.map((m) => softMaterial(m, frames)) : softMaterial(mesh.material, frames);
        mesh.frustumCulled = false;
        this.meshes.push({mesh, part, world: new Float32Array(3 * count), isStale: true});
    }

    /**
     * Puts the nodes where the segments are.
     * @param {Float64Array} matrices
     */
    update(matrices) {
        const inverse = new THREE.Matrix4(), wanted = new THREE.Matrix4();
        if (!this.unit) this.findUnit(matrices);
        this.group.updateMatrixWorld();
        for (const {object, segment, stretch} of this.nodes) {
            const above = /** @type {THREE.Object3D} */ (object.parent);
            if (segment >= 0) {
                const m = segmentMatrix(matrices, this.figure.firstSegment + segment);
                setFrame(wanted, m).multiply(stretch);
                object.matrix.copy(inverse.copy(above.matrixWorld).invert()).multiply(wanted);
            } else {
                object.updateMatrix();
            }
            object.matrixWorld.multiplyMatrices(above.matrixWorld, object.matrix);
        }
        this.group.updateMatrixWorld(true);
        for (const entry of this.meshes) entry.isStale = true;
    }

    /**
     * Positions of a mesh's vertices in the world, in the pose that is shown.
     * @param {SkinMesh} entry
     */
    freshen(entry) {
        if (!entry.isStale) return;
        const v = new THREE.Vector3(), {mesh, world} = entry;
        if (mesh.isSkinnedMesh) mesh.skeleton?.update();
        for (let i = 0; 3 * i < world.length; i++) {
            mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld);
            world[3 * i] = v.x, world[3 * i + 1] = v.y, world[3 * i + 2] = v.z;
        }
        entry.isStale = false;
    }

    /** Balls about some of the vertices, for fitting it into the picture. */
    balls() {
        const balls = [];
        for (const entry of this.meshes) {
            this.freshen(entry);
            const count = entry.world.length / 3, step = Math.max(1, Math.floor(count / 300));
            for (let i = 0; i < count; i += step) {
                balls.push({center: [...entry.world.subarray(3 * i, 3 * i + 3)], radius: 0});
            }
        }
        return balls;
    }

    /**
     * The first triangle that a ray meets, by Möller and Trumbore.
     * @param {Vec} from @param {Vec} direction
     */
    pick(from, direction) {
        let best = null;
        for (const entry of this.meshes) {
            this.freshen(entry);
            const {world, part} = entry, index = entry.mesh.geometry.index?.array ?? null;
            const count = index ? index.length : world.length / 3;
            for (let i = 0; i + 2 < count; i += 3) {
                const [a, b, c] = index ? [index[i], index[i + 1], index[i + 2]] : [i, i + 1, i + 2];
                const t = meetTriangle(world, 3 * a, 3 * b, 3 * c, from, direction);
                if (t > 0 && (!best || t < best.t) && part[a] >= 0) best = {t, index: part[a]};
            }
        }
        if (!best) return null;
        const point = from.map((v, i) => v + best.t * direction[i]);
        return {segment: best.index - this.figure.firstSegment, point, t: best.t};
    }

    dispose() {
        this.group.removeFromParent();
        for (const {mesh} of this.meshes) {
            mesh.geometry.dispose();
            for (const material of /** @type {LoadedMaterial[]} */ ([mesh.material].flat())) {
                material.map?.dispose();
                material.dispose();
            }
        }
    }
}

/** How far along a ray the triangle of the points at a, b, c of an array is; 0 where it is not met. Plain numbers: this
 * runs for each triangle of a skin whenever the pointer moves.
 * @param {Numbers} w
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {Vec} from
 * @param {Vec} direction
 */
export function meetTriangle(w, a, b, c, [ox, oy, oz], [dx, dy, dz]) {
    const ex = w[b] - w[a], ey = w[b + 1] - w[a + 1], ez = w[b + 2] - w[a + 2];
    const fx = w[c] - w[a], fy = w[c + 1] - w[a + 1], fz = w[c + 2] - w[a + 2];
    const hx = dy * fz - dz * fy, hy = dz * fx - dx * fz, hz = dx * fy - dy * fx;
    const det = ex * hx + ey * hy + ez * hz;
    if (Math.abs(det) < 1e-14) return 0;
    const sx = ox - w[a], sy = oy - w[a + 1], sz = oz - w[a + 2], u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) return 0;
    const qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex,
        v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) return 0;
    const t = (fx * qx + fy * qy + fz * qz) / det;
    return t > 1e-6 ? t : 0;
}
