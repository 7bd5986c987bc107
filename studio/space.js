// Points, directions and rotations: where sites and segments are in a frame. Rotations are quaternions x, y, z, w;
// matrices are 3 x 4, row by row, as the engine's frames have them.

import {
    add, cross, distance, dot, length, scale, subtract, turn as turned, turnFromRpy as fromRpy, turnInvert as inverse,
    turnMultiply as multiply, unit as unitOr,
} from './algebra.js';

export {add, cross, distance, dot, fromRpy, inverse, length, multiply, scale, subtract, turned};
export const unit = (a) => unitOr(a, [1, 0, 0]);

/** The quaternion whose axes are x, y, z. */
export function fromAxes(x, y, z) {
    const trace = x[0] + y[1] + z[2];
    let q;
    if (trace > 0) q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace];
    else if (x[0] >= y[1] && x[0] >= z[2]) q = [1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]];
    else if (y[1] >= z[2]) q = [x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]];
    else q = [z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]];
    const size = Math.hypot(...q);
    return q.map((part) => part / size);
}

/** Roll, pitch, yaw (about x, then y, then z of the world), as lb_rotation_to_rpy has them. */
export function toRpy(q) {
    const [x, y, z] = [turned(q, [1, 0, 0]), turned(q, [0, 1, 0]), turned(q, [0, 0, 1])];
    const pitch = Math.atan2(-x[2], Math.hypot(x[0], x[1]));
    if (Math.hypot(x[0], x[1]) < 1e-9) return [Math.atan2(-z[1], y[1]), pitch, 0];
    return [Math.atan2(y[2], z[2]), pitch, Math.atan2(x[1], x[0])];
}

/** Any two directions at right angles to a direction, and it: x, y, z. */
export function axesAbout(direction) {
    const z = unit(direction);
    const x = unit(cross(Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], z));
    return [x, cross(z, x), z];
}

// --- figures in a frame ----------------------------------------------------------------------------------------------

/** A segment's place: {position, rotation}. */
export function segmentFrame(scene, frame, figure, segment) {
    const at = 12 * (scene.figures[figure].firstSegment + segment);
    const m = frame.matrices;
    const column = (k) => [m[at + k], m[at + 4 + k], m[at + 8 + k]];
    return {position: column(3), rotation: fromAxes(column(0), column(1), column(2))};
}

/** A frame within another, in the world. */
export function placed(outer, {position = [0, 0, 0], rotation = [0, 0, 0, 1]}) {
    return {
        position: add(outer.position, turned(outer.rotation, position)),
        rotation: multiply(outer.rotation, rotation),
    };
}

/** A world frame, within another. */
export function within(outer, {position, rotation = [0, 0, 0, 1]}) {
    const back = inverse(outer.rotation);
    return {position: turned(back, subtract(position, outer.position)), rotation: multiply(back, rotation)};
}

export function segmentIndex(scene, figure, name) {
    return scene.figures[figure].segments.findIndex((segment) => segment.name === name);
}

/** A site of a figure by its name, or by `segment.site`. */
export function findSite(scene, figure, name) {
    const {sites, segments} = scene.figures[figure];
    return (
        sites.find((site) => site.name === name) ??
        sites.find((site) => `${segments[site.segment]?.name}.${site.name}` === name) ??
        null
    );
}

/** A site by its name, or a segment, whose own frame is meant then, as a site of it; null where there is neither. */
export function findPlace(scene, figure, name) {
    const segment = segmentIndex(scene, figure, name);
    const own = segment < 0 ? null : {name, segment, position: [0, 0, 0], rotation: [0, 0, 0, 1]};
    return findSite(scene, figure, name) ?? own;
}

/** Where a site is. */
export function siteFrame(scene, frame, figure, site) {
    return placed(segmentFrame(scene, frame, figure, site.segment), site);
}
