/* Sticks for segments that have no shapes of their own, as in BVH files and bare robots; and how large a figure is. */
import {clamp, distance, matrixPoint, segmentMatrix} from '../math/vector.js';

/** @param {SceneJoint} joint */
const isFloating = (joint) => joint.dofs.filter((d) => d.element === 'translate').length >= 3;

/**
 * What joints and sites of a segment lie at: its base, and the tips that it reaches to.
 * @param {SceneFigure} figure @param {number} index
 */
function stickEnds(figure, index) {
    const segment = figure.segments[index];
    /** @param {SceneJoint} joint */
    const at = (joint) => figure.sites[joint.segmentB === index ? joint.siteB : joint.siteA].position;
    const parent = figure.joints[segment.joint];
    const base = parent ? at(parent) : [0, 0, 0];
    /** @param {Vec} p */
    const isFar = (p) => distance(p, base) > 1e-4;
    const joints = figure.joints.filter((j) => j !== parent && (j.segmentA === index || j.segmentB === index));
    const tips = joints.filter((j) => parent || !isFloating(j)).map(at).filter(isFar);
    if (tips.length) return {base, tips, isRoot: !parent};
    const sites = figure.sites.filter((s) => s.segment === index && isFar(s.position)).map((s) => s.position);
    if (!parent && joints.length) return {base, tips: [], isRoot: true};
    if (sites.length) return {base, tips: sites, isRoot: !parent};
    return {base, tips: segment.com && isFar(segment.com) ? [segment.com] : [], isRoot: !parent};
}

/**
 * The sticks of a segment, as tapered capsules in its frame (what is drawn is an octahedron inside): for those who draw
 * and those who pick.
 * @param {SceneFigure} figure
 * @param {number} index
 * @param {number} whole
 */
export function sticksOf(figure, index, whole) {
    const {base, tips, isRoot} = stickEnds(figure, index);
    const sticks = tips.map((tip) => {
        const length = distance(tip, base);
        return {base, tip, length, radius: Math.min(0.3 * length, clamp(0.11 * length, 0.009 * whole, 0.02 * whole))};
    });
    return {base, sticks, isRoot,
        ball: Math.min(0.009 * whole, ...sticks.map((s) => Math.max(0.6 * s.radius, 0.004 * whole)))};
}

/**
 * How large a figure is: its stature, or how far its parts are apart at most along an axis.
 * @param {SceneFigure} figure @param {Float64Array} matrices
 */
export function sizeOf(figure, matrices) {
    if (figure.stature > 0) return figure.stature;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    /** @param {number} segment @param {Vec} position @param {number} reach */
    const take = (segment, position, reach) => {
        const p = matrixPoint(segmentMatrix(matrices, figure.firstSegment + segment), position);
        for (let i = 0; i < 3; i++) {
            low[i] = Math.min(low[i], p[i] - reach);
            high[i] = Math.max(high[i], p[i] + reach);
        }
    };
    for (const site of figure.sites) if (site.segment !== figure.root.segment) take(site.segment, site.position, 0);
    for (const shape of figure.shapes) take(shape.segment, shape.position, 0.5 * Math.max(...shape.size));
    const size = Math.max(...high.map((v, i) => v - low[i]));
    return Number.isFinite(size) ? Math.min(Math.max(size, 1e-2), 1e4) : 1;
}

/**
 * Whether the reader made a figure's shapes up, so that there is something to see: sticks show its bones better.
 * @param {SceneFigure} figure
 */
export const isBare = (figure) => /\.(bvh|glb|gltf|vrm|vrma)$/i.test(figure.file ?? '');
