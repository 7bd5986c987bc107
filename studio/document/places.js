// Where parts of figures are in a frame: segments, sites.

import {frameMultiply, matrixFrame} from '../math/vector.js';

/**
 * A segment's place: {position, rotation}.
 * @param {Scene} scene @param {PoseFrame} frame @param {number} figure @param {number} segment
 */
export function segmentFrame(scene, frame, figure, segment) {
    return matrixFrame(frame.matrices, 12 * (scene.figures[figure].firstSegment + segment));
}

/** @param {Scene} scene @param {number} figure @param {string} name */
export function segmentIndex(scene, figure, name) {
    return scene.figures[figure].segments.findIndex((segment) => segment.name === name);
}

/**
 * A site of a figure by its name, or by `segment.site`.
 * @param {Scene} scene @param {number} figure @param {string} name
 */
export function findSite(scene, figure, name) {
    const {sites, segments} = scene.figures[figure];
    return (
        sites.find((site) => site.name === name) ??
        sites.find((site) => `${segments[site.segment]?.name}.${site.name}` === name) ??
        null
    );
}

/**
 * A site by its name, or a segment, whose own frame is meant then, as a site of it; null where there is neither.
 * @param {Scene} scene @param {number} figure @param {string} name
 */
export function findPlace(scene, figure, name) {
    const segment = segmentIndex(scene, figure, name);
    const own = segment < 0 ? null : {name, segment, position: [0, 0, 0], rotation: [0, 0, 0, 1]};
    return findSite(scene, figure, name) ?? own;
}

/**
 * Where a site is.
 * @param {Scene} scene @param {PoseFrame} frame @param {number} figure @param {{segment: number} & Frame} site
 */
export function siteFrame(scene, frame, figure, site) {
    return frameMultiply(segmentFrame(scene, frame, figure, site.segment), site);
}
