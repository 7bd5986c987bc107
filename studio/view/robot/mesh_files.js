// Mesh files of robots as geometries: STL, OBJ, COLLADA and glTF, by three's own loaders. The files are not trusted:
// nothing is fetched, sizes and triangles have limits, and what a file repeats without end is refused.
import * as THREE from 'three';
import {ColladaLoader} from 'three/addons/loaders/ColladaLoader.js';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {OBJLoader} from 'three/addons/loaders/OBJLoader.js';
import {STLLoader} from 'three/addons/loaders/STLLoader.js';
import {toCreasedNormals} from 'three/addons/utils/BufferGeometryUtils.js';

export const MOST_BYTES = 256 << 20; // of a file
export const MOST_TRIANGLES = 4_000_000; // of a robot
const MOST_CREASED = 60_000; // triangles whose edges are looked for: that takes time, and finer meshes do not need it
const CREASE = Math.PI / 5;

/** @param {string} name */
export const isMeshFile = (name) => /\.(stl|obj|dae|glb|gltf)$/i.test(name);

/**
 * A manager that gives what is among the files, and nothing from elsewhere.
 * @param {Map<string, Uint8Array>} files @param {string[]} made addresses to be given back
 */
function closedManager(files, made) {
    const manager = new THREE.LoadingManager();
    manager.setURLModifier((url) => {
        if (/^(blob|data):/.test(url)) return url;
        const name = decodeURIComponent(url).replace(/^.*[/\\]/, '');
        const found = [...files].find(([path]) => path.replace(/^.*[/\\]/, '') === name);
        if (!found) return 'data:,';
        const address = URL.createObjectURL(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (found[1])]));
        made.push(address);
        return address;
    });
    return manager;
}

/**
 * How many nodes a COLLADA scene shows, those that are shown again counted again. Refuses circles, and too many.
 * @param {string} text
 */
function checkNodes(text) {
    if (!text.includes('<instance_node')) return;
    const page = new DOMParser().parseFromString(text, 'text/xml');
    /** @type {Map<Element, number>} */
    const counts = new Map();
    /** @type {Set<Element>} */
    const open = new Set();
    const nodes = new Map([...page.querySelectorAll('node[id]')].map((node) => [node.getAttribute('id'), node]));
    /**
     * @param {Element | undefined} node
     * @returns {number}
     */
    const count = (node) => {
        if (!node) return 0;
        if (open.has(node)) throw new Error('its nodes name themselves');
        const known = counts.get(node);
        if (known !== undefined) return known;
        open.add(node);
        let sum = 1;
        for (const child of node.children) {
            if (child.localName === 'node') sum += count(child);
            if (child.localName !== 'instance_node') continue;
            sum += count(nodes.get((child.getAttribute('url') ?? '').slice(1)));
        }
        open.delete(node);
        counts.set(node, sum);
        if (sum > 100_000) throw new Error('it shows its nodes too often');
        return sum;
    };
    for (const node of page.querySelectorAll('visual_scene > node')) count(node);
}

/**
 * COLLADA's up axis is passed over, as RViz does: z of the file is z. Its unit is not.
 * @param {Uint8Array} bytes @param {THREE.LoadingManager} manager
 */
function readCollada(bytes, manager) {
    const text = new TextDecoder().decode(bytes);
    if (!/<COLLADA[\s>]/.test(text.slice(0, 65536))) throw new Error('it is no COLLADA file');
    checkNodes(text);
    const turned = text.replace(/<up_axis>[^<]*<\/up_axis>/, '<up_axis>Y_UP</up_axis>');
    const read = new ColladaLoader(manager).parse(turned, '');
    if (!read) throw new Error('it is broken');
    return read.scene;
}

/** @param {Uint8Array} bytes @param {THREE.LoadingManager} manager */
async function readGltf(bytes, manager) {
    const loader = new GLTFLoader(manager);
    const {scene} = await loader.parseAsync(bytes.slice().buffer, '');
    scene.rotation.x = Math.PI / 2; // y of the file is up
    return scene;
}

/** @param {Uint8Array} bytes */
function readStl(bytes) {
    const geometry = new STLLoader().parse(bytes.slice().buffer);
    return new THREE.Mesh(geometry);
}

/**
 * The scene that a file holds.
 * @param {string} name @param {Uint8Array} bytes @param {THREE.LoadingManager} manager
 * @returns {Promise<THREE.Object3D>}
 */
async function readScene(name, bytes, manager) {
    if (/\.stl$/i.test(name)) return readStl(bytes);
    if (/\.obj$/i.test(name)) return new OBJLoader(manager).parse(new TextDecoder().decode(bytes));
    if (/\.dae$/i.test(name)) return readCollada(bytes, manager);
    return readGltf(bytes, manager);
}

/** @typedef {THREE.Material & {color?: THREE.Color}} Painted most materials have a colour */

/**
 * @param {THREE.Object3D} object
 * @returns {object is THREE.Mesh}
 */
const isMesh = (object) => /** @type {THREE.Mesh} */ (object).isMesh;

/** @param {THREE.BufferGeometry} geometry */
const triangles = (geometry) => Math.floor((geometry.index ?? geometry.attributes.position).count / 3);

/**
 * A geometry's part that has one material, as a geometry of its own.
 * @param {THREE.BufferGeometry} geometry @param {{start: number, count: number}} group
 */
function groupOf(geometry, {start, count}) {
    const part = geometry.index ? geometry : geometry.clone();
    const index = geometry.index ? geometry.index.array.slice(start, start + count)
        : Uint32Array.from({length: Math.min(count, geometry.attributes.position.count - start)}, (_, i) => start + i);
    const own = new THREE.BufferGeometry();
    for (const name of ['position', 'normal']) if (part.attributes[name]) own.setAttribute(name, part.attributes[name]);
    own.setIndex(new THREE.BufferAttribute(Uint32Array.from(index), 1));
    return own;
}

/** @param {THREE.BufferGeometry} geometry */
function withNormals(geometry) {
    const isFaceted = !geometry.attributes.normal;
    if (!isFaceted) return geometry;
    if (triangles(geometry) <= MOST_CREASED) return toCreasedNormals(geometry, CREASE);
    geometry.computeVertexNormals();
    return geometry;
}

/**
 * Position and normal alone, moved to where its node is.
 * @param {THREE.BufferGeometry} geometry @param {THREE.Matrix4} matrix @param {boolean} isStl
 */
function plain(geometry, matrix, isStl) {
    const own = new THREE.BufferGeometry();
    own.setAttribute('position', geometry.attributes.position.clone());
    if (geometry.attributes.normal && !(isStl && triangles(geometry) <= MOST_CREASED)) {
        own.setAttribute('normal', geometry.attributes.normal.clone());
    }
    if (geometry.index) own.setIndex(geometry.index.clone());
    own.applyMatrix4(matrix);
    return withNormals(own);
}

/**
 * The geometries of a mesh file, by colour.
 * @param {string} name whose ending tells the format
 * @param {Uint8Array} bytes
 * @param {Map<string, Uint8Array>} files those that it may name
 * @param {number} most triangles
 * @returns {Promise<MeshPart[]>} color null: the file has none
 */
export async function readMesh(name, bytes, files, most) {
    if (bytes.length > MOST_BYTES) throw new Error('it is larger than 256 MB');
    const isPainted = /\.(dae|glb|gltf)$/i.test(name), isStl = /\.stl$/i.test(name);
    /** @type {string[]} */
    const made = [];
    /** @type {MeshPart[]} */
    const parts = [];
    let left = most;
    try {
        const scene = await readScene(name, bytes, closedManager(files, made));
        scene.updateMatrixWorld(true);
        scene.traverse((object) => {
            if (!isMesh(object) || !object.geometry.attributes.position) return;
            const {geometry, material} = object;
            /** @type {[THREE.BufferGeometry, Painted | undefined][]} */
            const groups = Array.isArray(material) && geometry.groups.length > 0
                ? geometry.groups.map((group) => [groupOf(geometry, group), material[group.materialIndex ?? -1]])
                : [[geometry, [material].flat()[0]]];
            for (const [part, own] of groups) {
                left -= triangles(part);
                if (left < 0) throw new Error(`there are more than ${MOST_TRIANGLES / 1e6} million triangles`);
                const placed = plain(part, object.matrixWorld, isStl);
                if (!placed.attributes.position.array.every(Number.isFinite)) throw new Error('a vertex is not finite');
                if (!triangles(placed)) continue;
                parts.push({geometry: placed, color: isPainted ? own?.color?.clone() ?? null : null,
                    triangles: triangles(part)});
            }
        });
        if (!parts.length) throw new Error('it has no triangles');
        return parts;
    } catch (error) {
        for (const {geometry} of parts) geometry.dispose();
        throw error instanceof RangeError ? new Error('it is cut short, nested too deep, or too large') : error;
    } finally {
        for (const url of made) URL.revokeObjectURL(url);
    }
}
