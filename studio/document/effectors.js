// What of a figure is placed: the end-effectors that a picked part offers, and where they are now.

import {fullName, splitName} from './names.js';
import {findPlace, findSite, segmentFrame, segmentIndex, siteFrame} from './places.js';
import {basis, cross, distance, frameMultiply, frameWithin, rotationFromAxes, unit} from '../math/vector.js';
import {vectorOf} from './units.js';

/**
 * The name that a problem file takes for a site: its own, or `segment.site` where several have that one.
 * @param {Scene} scene @param {number} figure @param {SceneSite} site
 */
export function siteName(scene, figure, site) {
    const {sites, segments} = scene.figures[figure];
    const isOnly = sites.filter((other) => other.name === site.name).length === 1 || site.name.includes('.');
    return fullName(scene, figure, isOnly ? site.name : `${segments[site.segment].name}.${site.name}`);
}

/**
 * The part that a selection is on: {figure, segment (index), name}, or null.
 * @param {Scene} scene @param {Selected | null} selection
 */
export function partOf(scene, selection) {
    if (!selection || selection.kind === 'constraint') return null;
    const figure = scene.figures[selection.figure];
    if (!figure) return null;
    if (selection.kind === 'segment') {
        const segment = segmentIndex(scene, selection.figure, selection.name);
        return segment < 0 ? null : {figure: selection.figure, segment, name: selection.name};
    }
    if (selection.kind === 'site') {
        const site = findSite(scene, selection.figure, selection.name);
        return site
            ? {figure: selection.figure, segment: site.segment, name: figure.segments[site.segment].name, site}
            : null;
    }
    const joint = figure.joints.find((other) => other.name === selection.name);
    if (!joint) return null;
    const segment =
        typeof joint.segmentB === 'number' ? joint.segmentB : segmentIndex(scene, selection.figure, joint.segmentB);
    return {figure: selection.figure, segment, name: figure.segments[segment]?.name, joint};
}

/**
 * The end-effectors that a part offers: its sites by distance from where it was picked, then the picked point itself,
 * then the segment's origin. Each {label, effector (for the document), at (now)}.
 * @param {Scene} scene @param {PoseFrame} frame @param {PartChoice} part @param {Picked | null} [picked]
 */
export function effectorsOf(scene, frame, part, picked = null) {
    const {figure, segment} = part;
    const body = segmentFrame(scene, frame, figure, segment);
    const isHere = picked?.figure === figure && picked?.segment === part.name && picked.point;
    const near = isHere ? picked.point : null;
    const sites = scene.figures[figure].sites
        .filter((site) => site.segment === segment)
        .map((site) => ({
            label: site.name,
            effector: siteName(scene, figure, site),
            at: siteFrame(scene, frame, figure, site),
            site,
        }));
    if (near) sites.sort((a, b) => distance(a.at.position, near) - distance(b.at.position, near));
    else sites.sort((a, b) => rank(b, part) - rank(a, part));
    const name = fullName(scene, figure, part.name);
    const points = [];
    if (near) {
        const local = frameWithin(body, {position: near}).position.map(rounded);
        points.push({
            label: 'the picked point',
            effector: {segment: name, point: local},
            at: {position: near, rotation: body.rotation},
        });
    }
    points.push({label: `${part.name} itself (its origin)`, effector: {segment: name, point: [0, 0, 0]}, at: body});
    const chosen = part.site ? sites.filter(({site}) => site === part.site) : [];
    return [...chosen, ...sites.filter((entry) => !chosen.includes(entry)), ...points];
}

/**
 * Sites with names of their own say more than the ends that joints use.
 * @param {{site: SceneSite, label: string}} of @param {PartChoice} part
 */
function rank({label, site}, part) {
    if (part.site === site) return 3;
    return /^(base|end|top|middle)$/.test(label)
        ? 0
        : /palm|grip|heel|sole|tip|gaze|tool|tcp|flange/.test(label)
          ? 2
          : 1;
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 1e5) / 1e5;

/**
 * Where a document's effector is now: {position, rotation}, or null where it is not in the scene.
 * @param {Scene} scene @param {PoseFrame} frame @param {DocEffector} effector
 */
export function effectorFrame(scene, frame, effector) {
    if (effector === 'com') return frame.com?.[0] ? {position: frame.com[0], rotation: [0, 0, 0, 1]} : null;
    if (typeof effector === 'string') return namedFrame(scene, frame, effector);
    const base = effector.site ? namedFrame(scene, frame, effector.site)
        : segmentPlace(scene, frame, effector.segment ?? '');
    return base && frameMultiply(base, {position: vectorOf(effector.point), rotation: rotationOf(effector)});
}

/** @param {{x?: Measure[], y?: Measure[]}} of */
function rotationOf({x, y}) {
    if (x && y) {
        const first = unit(vectorOf(x), [1, 0, 0]);
        const third = unit(cross(first, vectorOf(y)), [0, 0, 1]);
        return rotationFromAxes(first, cross(third, first), third);
    }
    if (!x && !y) return [0, 0, 0, 1];
    const c = unit(vectorOf(x ?? y), [1, 0, 0]), [a, b] = basis(c);
    return x ? rotationFromAxes(c, a, b) : rotationFromAxes(b, c, a);
}

/** @param {Scene} scene @param {PoseFrame} frame @param {string} full */
function namedFrame(scene, frame, full) {
    const {figure, name} = splitName(scene, full);
    const place = findPlace(scene, figure, name);
    return place && siteFrame(scene, frame, figure, place);
}

/** @param {Scene} scene @param {PoseFrame} frame @param {string} full */
function segmentPlace(scene, frame, full) {
    const {figure, name} = splitName(scene, full);
    const segment = segmentIndex(scene, figure, name);
    return segment < 0 ? null : segmentFrame(scene, frame, figure, segment);
}

/**
 * An effector for reading.
 * @param {DocEffector} effector
 */
export function effectorText(effector) {
    if (effector === 'com') return 'centre of mass';
    if (typeof effector === 'string') return effector;
    return effector.segment ?? effector.site ?? '';
}
