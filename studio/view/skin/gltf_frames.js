/* How the nodes of a glTF file relate to Limber's segments. The reader gives each segment the frame of its node without
 * scale; what a scale leaves (a 3 x 3 matrix, the node's `stretch`) stays the same in every pose. So a posed node
 * stands at the segment's frame times its stretch. docs/gltf.md has the rules, src/io/gltf/gltf_nodes.c the same in C.
 */
import {add, cross, dot, length, matrixRotation, rotate, rotationMultiply, scale} from '../../math/vector.js';

/** @param {Numbers} a @param {Numbers} b */
const product = (a, b) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => {
    const i = 3 * Math.floor(k / 3), j = k % 3;
    return a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
});

/** @param {Numbers} a @param {Numbers} b @param {Numbers} c */
const columnsOf = (a, b, c) => [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]];

/** @param {Quat} q */
const rotationMatrix = (q) => columnsOf(rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1]));

/** @param {Quat} q */
const conjugated = (q) => [-q[0], -q[1], -q[2], q[3]];

/**
 * Translation, rotation and the rest (row-major 3 x 3) of a matrix (column-major 4 x 4), as the reader has them.
 * @param {Numbers} m
 */
function takeApart(m) {
    const columns = [0, 1, 2].map((c) => [m[4 * c], m[4 * c + 1], m[4 * c + 2]]);
    const sizes = columns.map(length), linear = columnsOf(columns[0], columns[1], columns[2]);
    if (dot(cross(columns[0], columns[1]), columns[2]) < 0) sizes[0] = -sizes[0];
    const unit = [];
    for (let c = 0; c < 3; c++) {
        let v = scale(columns[c], sizes[c] < 0 ? -1 : 1);
        for (const before of unit) v = add(v, scale(before, -dot(before, v)));
        unit.push(scale(v, 1 / length(v)));
    }
    const [x, y, z] = unit;
    let rotation = matrixRotation([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0]);
    if (!rotation.every(Number.isFinite)) rotation = [0, 0, 0, 1];
    return {translation: [m[12], m[13], m[14]], rotation, sizes,
        stretch: product(rotationMatrix(conjugated(rotation)), linear)};
}

/** @param {GltfNode} node */
function transformOf(node) {
    if (node.matrix) return takeApart(node.matrix);
    const sizes = node.scale ?? [1, 1, 1], given = node.rotation ?? [0, 0, 0, 1], length = Math.hypot(...given);
    const rotation = length > 1e-6 ? given.map((v) => v / length) : [0, 0, 0, 1];
    return {translation: node.translation ?? [0, 0, 0], rotation, sizes,
        stretch: [sizes[0], 0, 0, 0, sizes[1], 0, 0, 0, sizes[2]]};
}

/**
 * The half turn that the signs of a scale make, once all three are turned round where their product is negative.
 * @param {Vec} sizes
 */
function flipOf(sizes) {
    const sign = sizes[0] * sizes[1] * sizes[2] < 0 ? -1 : 1;
    for (let i = 0; i < 3; i++) {
        if (sizes[i] * sign > 0 && sizes[(i + 1) % 3] * sign < 0 && sizes[(i + 2) % 3] * sign < 0) {
            return [0, 1, 2].map((k) => (k === i ? 1 : 0)).concat(0);
        }
    }
    return [0, 0, 0, 1];
}

/**
 * The stretch of every node at rest, from the file's JSON.
 * @param {GltfJson} json
 * @returns {{order: number[], parents: number[], stretches: number[][]}} order: parents first
 */
export function restStretches(json) {
    const nodes = json.nodes ?? [], parents = nodes.map(() => -1);
    /** @type {number[]} */
    const order = [];
    /** @type {{stretch: number[], flip: Quat}[]} */
    const states = [];
    nodes.forEach((node, i) => (node.children ?? []).forEach((child) => { parents[child] = i; }));
    nodes.forEach((_, i) => { if (parents[i] < 0) order.push(i); });
    for (let k = 0; k < order.length; k++) order.push(...(nodes[order[k]].children ?? []));
    for (const i of order) {
        const above = states[parents[i]] ?? {stretch: [1, 0, 0, 0, 1, 0, 0, 0, 1], flip: [0, 0, 0, 1]};
        const own = transformOf(nodes[i]), turn = rotationMultiply(above.flip, own.rotation);
        const linear = product(product(above.stretch, rotationMatrix(own.rotation)), own.stretch);
        states[i] = {stretch: product(rotationMatrix(conjugated(turn)), linear), flip: flipOf(own.sizes)};
    }
    return {order, parents, stretches: states.map((s) => s.stretch)};
}

/**
 * Names of the nodes as the reader gives them to segments: unique, without control characters.
 * @param {GltfJson} json
 */
export function nodeNames(json) {
    const next = new Map();
    return (json.nodes ?? []).map((node, i) => {
        const plain = (node.name || `node${i}`).replace(/[\x00-\x1f\x7f]/g, '_');
        let name = plain;
        if (next.has(plain)) {
            let number = next.get(plain);
            do name = `${plain}_${number++}`; while (next.has(name));
            next.set(plain, number);
        }
        next.set(name, 2);
        return name;
    });
}

/**
 * Whether the character faces -z (VRM 0.x), and was turned round by the reader.
 * @param {GltfJson} json
 */
export const facesBack = (json) => Boolean(json.extensions?.VRM?.humanoid?.humanBones);

/**
 * The turn from the file's axes (y up) to Limber's (z up, facing x).
 * @param {GltfJson} json
 */
export const turnToWorld = (json) =>
    (facesBack(json) ? rotationMultiply([0.5, 0.5, 0.5, 0.5], [0, 1, 0, 0]) : [0.5, 0.5, 0.5, 0.5]);

