// A robot as its file shows it: meshes and primitives of its links, put where the solver has the segments. It is a skin
// like that of a character (skin/skin.js), but rigid: each part goes with one segment.
import * as THREE from 'three';
import {readXml} from 'limber/xml.js';
import {segmentMatrix} from '../../math/vector.js';
import {meetTriangle, setFrame, softMaterial} from '../skin/skin.js';
import {findMesh} from './find_mesh.js';
import {MOST_TRIANGLES, isMeshFile, readMesh} from './mesh_files.js';
import {mjcfParts} from './mjcf.js';
import {urdfParts} from './urdf.js';

const GREY = new THREE.Color().setRGB(0.75, 0.77, 0.79, THREE.SRGBColorSpace);

/**
 * What a robot's file shows; nothing of a file that is none.
 * @param {Uint8Array} bytes @param {(name: string) => Uint8Array | null} textOf
 * @returns {RobotPart[]}
 */
function partsOf(bytes, textOf) {
    const {root} = readXml(bytes);
    if (root?.name === 'robot') return urdfParts(root);
    return root?.name === 'mujoco' ? mjcfParts(root, (name) => {
        const included = textOf(name);
        return included ? readXml(included).root : null;
    }) : [];
}

export class RobotSkin {
    /**
     * Reads the meshes that a robot's file names, as far as they are there.
     * @param {Uint8Array} bytes the file
     * @param {SceneFigure} figure of the scene
     * @param {Map<string, Uint8Array>} files others, by name
     * @param {Uniform<THREE.Texture | null>} frames the texture of frames and highlights
     */
    static async load(bytes, figure, files, frames) {
        const names = [...files.keys()].filter(isMeshFile);
        const parts = partsOf(bytes, (name) => files.get(findMesh(name, files.keys()) ?? '') ?? null);
        const robot = new RobotSkin(figure, frames);
        /** @type {Map<string, MeshPart[]>} */
        const read = new Map();
        try {
            for (const part of parts) await robot.take(part, names, files, read);
        } finally {
            for (const list of read.values()) for (const {geometry} of list) geometry.dispose();
        }
        if (!robot.meshCount) robot.dispose(); // primitives alone are drawn by the page as ever
        return robot;
    }

    /** @param {SceneFigure} figure @param {Uniform<THREE.Texture | null>} frames */
    constructor(figure, frames) {
        this.figure = figure;
        this.frames = frames;
        this.meshCount = 0;
        this.left = MOST_TRIANGLES;
        this.hasPosed = true;
        this.group = new THREE.Group();
        /** @type {{mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>, segment: number, index: number}[]} */
        this.entries = [];
        /** @type {{uri: string, reason: string}[]} */
        this.missing = [];
        this.segments = new Map(figure.segments.map((segment, i) => [segment.name, i]));
    }

    get hasMesh() {
        return this.meshCount > 0;
    }

    /**
     * Adds what one element of the file shows.
     * @param {RobotPart} part
     * @param {string[]} names of mesh files
     * @param {Map<string, Uint8Array>} files
     * @param {Map<string, MeshPart[]>} read what was read before, by name
     */
    async take(part, names, files, read) {
        const segment = this.segments.get(part.segment);
        if (segment === undefined) return;
        if (part.geometry) {
            this.add(segment, part.geometry, part.matrix, part.color ?? GREY);
            return;
        }
        const {uri = '', scale: [sx, sy, sz] = [1, 1, 1]} = part, name = findMesh(uri, names);
        const bytes = name && files.get(name);
        if (!name || !bytes) {
            this.lose(uri, 'it is not among the files');
            return;
        }
        let list = read.get(name);
        if (!list) {
            list = await readMesh(name, bytes, files, this.left).catch((error) => {
                this.lose(uri, error.message);
                return [];
            });
            read.set(name, list);
            await new Promise((done) => setTimeout(done)); // the page goes on in between
        }
        for (const {geometry, color, triangles} of list) {
            this.left -= triangles;
            if (this.left < 0) {
                this.lose(uri, `there are more than ${MOST_TRIANGLES / 1e6} million triangles`);
                return;
            }
            const placed = geometry.clone().applyMatrix4(part.before ?? new THREE.Matrix4()).scale(sx, sy, sz);
            const paint = part.isOverPainted ? part.color ?? color : color ?? part.color;
            this.add(segment, placed, part.matrix, paint ?? GREY);
            this.meshCount++;
        }
    }

    /** @param {string} uri @param {string} reason */
    lose(uri, reason) {
        if (!this.missing.some((one) => one.uri === uri)) this.missing.push({uri, reason});
    }

    /**
     * @param {number} segment @param {THREE.BufferGeometry} geometry @param {THREE.Matrix4} matrix
     * @param {THREE.Color} color
     */
    add(segment, geometry, matrix, color) {
        const index = this.figure.firstSegment + segment, count = geometry.attributes.position.count;
        geometry.applyMatrix4(matrix);
        geometry.setAttribute('part', new THREE.BufferAttribute(new Float32Array(count).fill(index), 1));
        geometry.computeBoundingSphere();
        const seen = color.clone(); // black parts show their shape, too
        for (const part of /** @type {const} */ (['r', 'g', 'b'])) seen[part] = Math.max(seen[part], 0.03);
        const mesh = new THREE.Mesh(geometry,
            softMaterial(new THREE.MeshLambertMaterial({color: seen, side: THREE.DoubleSide}), this.frames));
        mesh.matrixAutoUpdate = false;
        mesh.frustumCulled = false;
        this.group.add(mesh);
        this.entries.push({mesh, segment, index});
    }

    /**
     * Puts the parts where the segments are.
     * @param {Float64Array} matrices
     */
    update(matrices) {
        for (const {mesh, index} of this.entries) {
            setFrame(mesh.matrix, segmentMatrix(matrices, index));
            mesh.matrixWorldNeedsUpdate = true;
        }
        this.group.updateMatrixWorld(true);
    }

    /**
     * Balls about some of the vertices, for fitting it into the picture.
     * @returns {Ball[]}
     */
    balls() {
        const v = new THREE.Vector3();
        return this.entries.flatMap(({mesh}) => {
            const {position} = mesh.geometry.attributes, balls = [];
            const step = Math.max(1, Math.floor(position.count / 60));
            for (let i = 0; i < position.count; i += step) {
                v.fromBufferAttribute(position, i).applyMatrix4(mesh.matrix);
                balls.push({center: v.toArray(), radius: 0});
            }
            return balls;
        });
    }

    /**
     * The first triangle that a ray meets: of parts whose ball it meets, in their own frames.
     * @param {Vec} from @param {Vec} direction
     */
    pick(from, direction) {
        const ray = new THREE.Ray(), inverse = new THREE.Matrix4();
        /** @type {{t: number, segment: number} | null} */
        let best = null;
        for (const {mesh, segment} of this.entries) {
            const {geometry} = mesh, w = geometry.attributes.position.array, index = geometry.index?.array ?? null;
            ray.origin.fromArray(from);
            ray.direction.fromArray(direction);
            ray.applyMatrix4(inverse.copy(mesh.matrix).invert());
            if (!ray.intersectsSphere(/** @type {THREE.Sphere} */ (geometry.boundingSphere))) continue;
            const o = ray.origin.toArray(), d = ray.direction.toArray(), count = index ? index.length : w.length / 3;
            for (let i = 0; i + 2 < count; i += 3) {
                const t = index ? meetTriangle(w, 3 * index[i], 3 * index[i + 1], 3 * index[i + 2], o, d)
                    : meetTriangle(w, 3 * i, 3 * i + 3, 3 * i + 6, o, d);
                if (t > 0 && (!best || t < best.t)) best = {t, segment};
            }
        }
        return best && {...best, point: from.map((v, i) => v + best.t * direction[i])};
    }

    dispose() {
        this.group.removeFromParent();
        for (const {mesh} of this.entries) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.entries = [];
    }
}
