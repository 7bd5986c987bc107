// Limbs that can swivel: an upper bone on a joint that turns every way, a hinge, a lower bone. The hinge - an elbow, a
// knee - can go round the line from the base to the end while the end stays where it is.
//
// They are found by their build, not by names: any arm of seven joints with such a hinge is one, a person's arms and
// legs are. The angle is that of the hinge about the line from base to end: 0 where it points down, or ahead where that
// line is upright; positive by the right-hand rule.

import {along, cross, distance, dot, matrixPoint, rotateAbout, segmentMatrix, subtract, unit} from '../math/vector.js';

/** @typedef {number[]} Point */
/**
 * A limb; its segments: from the upper bone to the end; places in the world.
 * @typedef {{figure: number, hinge: number, name: string, middleSegment: number, endSegment: number,
 *     segments: number[], base: Point, middle: Point, end: Point}} Limb
 */

const NEAR = 0.15; // of the upper bone's length: joints as near as this are one
const SHORTEST = 0.5; // of the upper bone's length: the lower bone

/** Where a joint is. */
function placeOf(/** @type {SceneFigure} */ figure, /** @type {SceneJoint} */ joint,
    /** @type {Float64Array} */ matrices) {
    const site = figure.sites[joint.siteB];
    return matrixPoint(segmentMatrix(matrices, figure.firstSegment + site.segment), site.position);
}

const anglesOf = (/** @type {SceneJoint} */ joint) => (joint.isFrozen ? 0
    : joint.dofs.filter((dof) => dof.isAngle).length);

/** The joints from a segment up to the root. */
function jointsAbove(/** @type {SceneFigure} */ figure, /** @type {number} */ segment) {
    const found = [];
    for (let s = segment; s >= 0 && figure.segments[s].joint >= 0; s = figure.segments[s].parent) {
        found.push({segment: s, joint: figure.joints[figure.segments[s].joint]});
    }
    return found;
}

/** The base of a limb above its upper bone: the nearest joint, if it and those at the same place turn every way. */
function baseOf(/** @type {SceneFigure} */ figure, /** @type {number} */ upper, /** @type {Point} */ middle,
    /** @type {Float64Array} */ matrices) {
    const above = jointsAbove(figure, upper).map((one) => ({...one, place: placeOf(figure, one.joint, matrices)}));
    const first = above.find(({place}) => distance(place, middle) > 1e-3);
    if (!first) return null;
    const long = distance(first.place, middle);
    const there = above.filter(({place}) => distance(place, first.place) <= NEAR * long);
    const turns = there.reduce((sum, {joint}) => sum + anglesOf(joint), 0);
    return turns >= 3 ? {place: first.place, long, top: there.at(-1)?.segment ?? upper} : null;
}

/** The first joint below a segment that is as far from the hinge as a lower bone is long. */
function endOf(/** @type {SceneFigure} */ figure, /** @type {number} */ lower, /** @type {Point} */ middle,
    /** @type {number} */ least, /** @type {Float64Array} */ matrices) {
    for (let s = lower + 1; s < figure.segments.length; s++) {
        const {joint} = figure.segments[s];
        if (joint < 0 || !isBelow(figure, s, lower)) continue;
        const place = placeOf(figure, figure.joints[joint], matrices);
        if (distance(place, middle) >= least) return {place, segment: s};
    }
    return null;
}

function isBelow(/** @type {SceneFigure} */ figure, /** @type {number} */ segment, /** @type {number} */ above) {
    for (let s = segment; s >= 0; s = figure.segments[s].parent) if (s === above) return true;
    return false;
}

/**
 * The limb that a segment is part of; null where it is part of none.
 * @param {Pick<Scene, 'figures'>} scene @param {Float64Array} matrices
 * @param {{figure: number, segment: number}} part
 * @returns {Limb|null}
 */
export function limbOf(scene, matrices, {figure: f, segment}) {
    const figure = scene.figures[f];
    const limbs = figure.segments.flatMap(({parent, joint}, lower) => {
        if (joint < 0 || parent < 0 || anglesOf(figure.joints[joint]) !== 1) return [];
        if (segment !== parent && !isBelow(figure, segment, lower)) return [];
        const middle = placeOf(figure, figure.joints[joint], matrices), base = baseOf(figure, parent, middle, matrices);
        const end = base && endOf(figure, lower, middle, SHORTEST * base.long, matrices);
        if (!base || !end) return [];
        const path = [];
        for (let s = end.segment; s >= 0; s = figure.segments[s].parent) {
            path.unshift(s);
            if (s === base.top) break;
        }
        return [{figure: f, hinge: joint, name: figure.joints[joint].name, middleSegment: lower,
            endSegment: end.segment,
            segments: path, base: base.place, middle, end: end.place}];
    });
    return limbs.at(-1) ?? armOf(figure, f, segment, matrices);
}

/**
 * Arms of seven joints or more whose joints do not meet so: the joint that is farthest from the line between the first
 * and the last one goes round it.
 * @returns {Limb|null}
 */
function armOf(/** @type {SceneFigure} */ figure, /** @type {number} */ f, /** @type {number} */ segment,
    /** @type {Float64Array} */ matrices) {
    let last = segment;
    for (let s = segment + 1; s < figure.segments.length; s++) if (figure.segments[s].parent === last) last = s;
    const path = jointsAbove(figure, last).filter(({joint}) => anglesOf(joint)).reverse()
        .map((one) => ({...one, place: placeOf(figure, one.joint, matrices)}));
    const turns = path.reduce((sum, {joint}) => sum + anglesOf(joint), 0);
    if (turns < 7 || path.some(({joint}) => anglesOf(joint) > 1)) return null;
    const base = path[0].place, end = path[path.length - 1], far = (/** @type {{place: Point}} */ {place}) =>
        circleOf({base, middle: place, end: end.place}).radius;
    const {joint, place, segment: middleSegment} = path.slice(1, -1).reduce((best, one) => (far(one) > far(best) + 1e-9
        ? one : best));
    return {figure: f, hinge: figure.joints.indexOf(joint), name: joint.name, middleSegment, endSegment: end.segment,
        segments: path.map((one) => one.segment), base, middle: place, end: end.place};
}

/** The circle that the hinge can go round, and where on it it is; radius 0 where the limb is straight. */
export function circleOf(/** @type {Pick<Limb, 'base'|'middle'|'end'>} */ {base, middle, end}) {
    const axis = unit(subtract(end, base), [0, 0, 1]);
    const center = along(base, dot(subtract(middle, base), axis), axis), radius = distance(center, middle);
    const isUpright = Math.abs(axis[2]) > 0.95, wanted = isUpright ? [1, 0, 0] : [0, 0, -1];
    const zero = unit(subtract(wanted, along([0, 0, 0], dot(wanted, axis), axis)));
    const out = radius > 1e-9 ? unit(subtract(middle, center)) : zero;
    return {axis, center, radius, zero, out, angle: Math.atan2(dot(axis, cross(zero, out)), dot(zero, out))};
}

/** The place of the circle at an angle. */
export function onCircle(/** @type {ReturnType<typeof circleOf>} */ {axis, center, radius, zero},
    /** @type {number} */ angle) {
    return along(center, radius, rotateAbout(axis, angle, zero));
}
