// Export: the figures, their motion, the problem and its answer as files.
import {FileError, stemOf} from './files.js';

const encoder = new TextEncoder();
/** @param {unknown} value */
const json = (value) => encoder.encode(`${JSON.stringify(value, null, 2)}\n`);

/**
 * A pose of a world's figure as a pose of another reading of the same file.
 * @param {World} world @param {number} k @param {LimberFigure} figure
 */
function carried(world, k, figure) {
    const pose = figure.restPose();
    const part = world.part(world.pose, k);
    world.figures[k].variables.forEach((variable, v) => {
        const place = figure.findVariable(variable.name);
        if (place >= 0) pose[place] = part[v];
    });
    return pose;
}

/**
 * A GLB: the figure's own file with its skin where it came from one, else one with the figure's shapes.
 * @param {ExportStage} stage @param {number} k @param {boolean} hasMotion @param {Warn} warn
 */
function glb({limber, world, show}, k, hasMotion, warn) {
    const file = world.fileOf(k);
    const isOwn = world.formatOf(k) === 'gltf' && limber.files.has(file);
    const clip = hasMotion && show ? show.clip(k) : null;
    if (isOwn && clip) return limber.gltfAnimation(file, clip, 'Studio');
    if (isOwn) {
        const figure = limber.loadFigure(file);
        try {
            return limber.gltfPose(file, figure, carried(world, k, figure));
        } finally {
            figure.free();
        }
    }
    return clip ? clip.save('glb', {warn}) : world.figures[k].save('glb', {pose: world.part(world.pose, k), warn});
}

/** @param {ExportStage} stage @param {number} k @param {boolean} hasMotion @param {Warn} warn */
function bvh({world, show}, k, hasMotion, warn) {
    return hasMotion && show ? show.clip(k).save('bvh', {warn}) : world.figures[k].save('bvh',
        {pose: world.part(world.pose, k), warn});
}

/**
 * The answer to the document's problem, as `limber solve -o` writes it.
 * @param {ExportStage} stage
 */
function result({world}) {
    const pose = Float64Array.from(world.file.start);
    const begun = performance.now();
    world.solver.solve(pose, world.options);
    const timeUs = (performance.now() - begun) * 1000;
    world.solver.explain(pose, world.options);
    return world.file.saveResult(world.solver, pose, {method: world.options.method, timeUs});
}

/**
 * A .gltf keeps its ending, as its buffers stay beside it.
 * @param {World} world @param {number} k @param {string} format
 */
const endingOf = (world, k, format) => (format === 'glb' && /\.gltf$/i.test(world.fileOf(k)) ? 'gltf' : format);

/**
 * @param {ExportStage} stage
 * @param {{format: string, name?: string, figure?: number, motion?: boolean}} wanted motion: with what
 *     plays (default: where something does)
 */
export function exportFile(stage, {format, name, figure: k = 0, motion}) {
    const {world, show} = stage;
    /** @type {Warning[]} */
    const warnings = [];
    /** @type {Warn} */
    const warn = ({message, file, line}) => warnings.push({message, file: file ?? '', line: line ?? 0});
    const base = name || stemOf(world.doc?.title || world.names[k]) || 'figure';
    const canMove = show && !(show.kind === 'clip' && show.k !== k);
    const hasMotion = Boolean(canMove && (motion ?? true));
    if (format === 'problem') return {name: `${base}.json`, bytes: json({...world.doc,
        start: world.values(world.pose)}), warnings};
    if (format === 'result') return {name: `${base}.result.json`, bytes: result(stage), warnings};
    if (!world.figures[k]) throw new Error(`there is no figure ${k}`);
    if (world.figures.length > 1 && format !== 'problem') {
        warn({message: `only ${world.names[k]} is written: a ${format} file holds one figure`});
    }
    /** @type {Record<string, () => Uint8Array>} */
    const writers = {
        glb: () => glb(stage, k, hasMotion, warn), bvh: () => bvh(stage, k, hasMotion, warn),
        urdf: () => world.figures[k].save('urdf', {pose: world.part(world.pose, k), warn}),
        fig: () => world.figures[k].save('fig', {pose: world.part(world.pose, k), warn}),
    };
    if (!writers[format]) throw new FileError('', 0,
        `"${format}" cannot be written; there are glb, bvh, urdf, fig, problem and result`);
    return {name: `${base}.${endingOf(world, k, format)}`, bytes: Uint8Array.from(writers[format]()), warnings};
}
