/* Marks on the figures: centre of mass and support, what the eyes see, joints and sites with their names, how far a
 * drag falls short and what holds it back, and the chain that a drag may move. */
import {CROSS, DISC, RING, SQUARE} from './strokes.js';
import {blend, fade} from './theme.js';
import {angleText, lengthText, plainName} from './labels.js';
import {isBalance} from './goals.js';
import {jointPlace} from './limits.js';
import {
    along, basis, clipPolygon, distance, matrixMultiply, matrixOf, matrixOrigin, segmentMatrix,
} from '../math/vector.js';

/** @param {SceneFigure} figure @param {SceneSite} site @param {Float64Array} matrices */
export const siteFrame = (figure, site, matrices) =>
    matrixMultiply(segmentMatrix(matrices, figure.firstSegment + site.segment), matrixOf(site.position, site.rotation));

/* --- Balance ------------------------------------------------------------------------------------------------------ */

/**
 * The support of a balance constraint on the ground: what its upright faces leave of a large square.
 * @param {number[][]} faces @param {Vec} center @param {number} reach @param {number} level
 */
export function supportPolygon(faces, center, reach, level) {
    let polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
        .map(([i, j]) => [center[0] + i * reach, center[1] + j * reach, level]);
    for (const face of faces) polygon = clipPolygon(polygon, face, face[3]);
    return polygon;
}

/** @param {Drawing} d @param {SceneConstraint} constraint @param {Vec} com @param {boolean} isMet */
function drawSupport(d, constraint, com, isMet) {
    const color = isMet ? d.theme.met : d.theme.unmet;
    const polygon = supportPolygon(constraint.goal.faces ?? [], com, 4 * d.size, d.level + 0.002 * d.size);
    if (polygon.length < 3) return;
    d.painter.polygon(polygon, fade(color, 0.2));
    d.painter.polyline(polygon, color, 2.5, true);
}

/**
 * The convex hull of points, seen from above.
 * @param {Vec[]} points
 */
function hullOf(points) {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    /** @param {Vec} o @param {Vec} a @param {Vec} b */
    const turns = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    /** @param {Vec[]} list */
    const half = (list) => list.reduce((hull, point) => {
        while (hull.length > 1 && turns(hull[hull.length - 2], hull[hull.length - 1], point) <= 0) hull.pop();
        return [...hull, point];
    }, /** @type {Vec[]} */ ([]));
    return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

/**
 * What a body stands on: the hull of the contacts that stand, and discs as large as the share that each carries.
 * @param {Drawing} d @param {BodyState} body
 */
function drawContacts(d, body) {
    const standing = body.contacts.filter(({stands}) => stands);
    const color = body.margin >= 0 ? d.theme.met : d.theme.unmet;
    /** @param {Vec} point */
    const up = (point) => [point[0], point[1], point[2] + 0.002 * d.size];
    const hull = hullOf(standing.map(({point}) => up(point)));
    if (hull.length > 2) {
        d.painter.polygon(hull, fade(color, 0.16));
        d.painter.polyline(hull, fade(color, 0.7), 1.5, true);
    }
    for (const {point, share} of standing) {
        const r = 0.045 * Math.sqrt(share ?? 0) * (d.size / 1.8);
        d.painter.over(() => d.painter.dot(point, fade(color, 0.9), 4, DISC));
        if (r > 0) d.painter.circle(up(point), [1, 0, 0], [0, 1, 0], r, color, 2, 24);
    }
    return color;
}

/** @param {Drawing} d */
export function drawBalance(d) {
    d.scene.figures.forEach((figure, f) => {
        const body = d.frame.body?.[f];
        if (body && d.settings.show.com) {
            drawCom(d, body.com, drawContacts(d, body), body.contacts.length ? supportLevel(body, d.level) : d.level);
            return;
        }
        const com = d.frame.com?.[f];
        if (!com || !(figure.mass > 0)) return;
        const balance = d.scene.constraints.filter((c) => isBalance(c) && c.figure === f && !c.disabled);
        const results = balance.map((c) => d.frame.constraints.find((r) => r.id === c.id));
        const isMet = results.every((r) => !r || r.met || !r.counted);
        const isBody = d.settings.show.com && figure.stature > 0; /* robots and things have no balance to keep */
        if (!balance.length && !isBody) return;
        balance.forEach((c, i) => drawSupport(d, c, com, results[i]?.met ?? true));
        if (!d.settings.show.com) return;
        const color = balance.length ? (isMet ? d.theme.met : d.theme.unmet) : d.theme.warn;
        const foot = drawCom(d, com, color, d.level);
        if (!isMet) d.labels.add(foot, 'out of balance', {color, rank: 1, strong: true, dy: 6});
        else if (d.settings.show.labels) d.labels.add(com, 'centre of mass', {color, rank: 4});
    });
}

const GRAVITY = 9.81; /* m/s2 */
const FORCE = 0.35; /* of the figure's size: an arrow for the whole weight */

/**
 * What carries a body, as arrows: the weight's share of each contact. Where nobody solved they are not known.
 * @param {Drawing} d
 */
export function drawForces(d) {
    if (!d.settings.show.forces) return;
    d.scene.figures.forEach((figure, f) => {
        for (const {name, point, stands, share} of d.frame.body?.[f]?.contacts ?? []) {
            if (!stands || share === null || !(share > 0.005)) continue;
            const tip = [point[0], point[1], point[2] + FORCE * d.size * share];
            const head = Math.min(0.02 * d.size, 0.4 * (tip[2] - point[2]));
            d.painter.over(() => {
                d.painter.line(point, tip, d.theme.accent, 3);
                for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
                    const barb = [tip[0] + 0.5 * head * x, tip[1] + 0.5 * head * y, tip[2] - head];
                    d.painter.line(tip, barb, d.theme.accent, 3);
                }
            });
            const newtons = Math.round(share * figure.mass * GRAVITY);
            d.labels.add(tip, `${plainName(name)} ${newtons} N`, {color: d.theme.accent, rank: share > 0.1 ? 3 : 6});
        }
    });
}

/**
 * Segments in the colours of how hard the joint that carries them works: green, orange from half of its strength,
 * red.
 * @param {Drawing} d
 */
export function effortColors(d) {
    if (!d.settings.show.effort) return [];
    return d.scene.figures.flatMap((figure, f) => {
        const shares = new Map((d.frame.body?.[f]?.efforts ?? []).map(({segment, share}) => [segment, share]));
        if (!shares.size) return [];
        return figure.segments.map((_, s) => {
            let up = s;
            while (up >= 0 && !shares.has(up)) up = figure.segments[up].parent;
            const share = Math.min(1, shares.get(up) ?? 0), {met, warn, unmet} = d.theme;
            const color = share < 0.5 ? blend(met, warn, 2 * share) : blend(warn, unmet, 2 * share - 1);
            return {index: figure.firstSegment + s, color, strength: 1.5};
        });
    });
}

/**
 * The height of what a body stands on.
 * @param {BodyState} body @param {number} level
 */
function supportLevel(body, level) {
    const standing = body.contacts.filter(({stands}) => stands);
    return standing.length ? Math.min(...standing.map(({point}) => point[2])) : level;
}

/**
 * The centre of mass, and where it is above the ground; that place.
 * @param {Drawing} d @param {Vec} com @param {Rgba} color @param {number} level
 */
function drawCom(d, com, color, level) {
    const foot = [com[0], com[1], level + 0.002 * d.size], r = 0.018 * d.size;
    d.painter.line(com, foot, fade(color, 0.85), 1.5);
    d.painter.circle(foot, [1, 0, 0], [0, 1, 0], r, color, 2, 32);
    d.painter.line(along(foot, -r, [1, 0, 0]), along(foot, r, [1, 0, 0]), color, 1.5);
    d.painter.line(along(foot, -r, [0, 1, 0]), along(foot, r, [0, 1, 0]), color, 1.5);
    d.painter.over(() => {
        d.painter.dot(com, fade(color, 0.9), 12, DISC);
        d.painter.dot(com, fade(d.theme.background, 0.9), 5, SQUARE);
    });
    return foot;
}

/* --- Vision ------------------------------------------------------------------------------------------------------- */

/**
 * What a ray from a site along its x meets: a part, or the ground.
 * @param {Drawing} d @param {SceneFigure} figure @param {number} f @param {SceneSite} site @param {Vec} eye
 * @param {Vec} direction
 */
function lookAlong(d, figure, f, site, eye, direction) {
    const skip = new Set([site.segment]);
    figure.segments.forEach((s, i) => { if (skip.has(s.parent)) skip.add(i); });
    /** @param {PickPart} part */
    const isSeen = (part) => part.figure !== f || !skip.has(part.segment);
    const hit = d.picker.pick(d.frame.matrices, eye, direction, 0, isSeen);
    const t = direction[2] < -1e-3 ? (d.level - eye[2]) / direction[2] : Infinity;
    if (hit && hit.t < t) {
        return {point: hit.point, text: plainName(d.scene.figures[hit.figure].segments[hit.segment].name)};
    }
    return t < 6 * d.size ? {point: along(eye, t, direction), text: 'the ground'}
        : {point: along(eye, 1.6 * d.size, direction), text: ''};
}

/** @param {Drawing} d */
export function drawVision(d) {
    if (!d.settings.show.vision) return;
    d.scene.figures.forEach((figure, f) => {
        for (const name of (figure.eyes ?? []).slice(0, 1)) {
            const site = figure.sites.find((s) => s.name === name);
            if (!site) continue;
            const frame = siteFrame(figure, site, d.frame.matrices), eye = [frame[3], frame[7], frame[11]];
            const direction = [frame[0], frame[4], frame[8]];
            const {point, text} = lookAlong(d, figure, f, site, eye, direction), length = distance(eye, point);
            const [a, b] = basis(direction), color = d.theme.warn, radius = length * Math.tan(5 * Math.PI / 180);
            const rim = [];
            for (let i = 0; i < 32; i++) {
                const t = 2 * Math.PI * i / 32;
                rim.push(along(along(point, radius * Math.cos(t), a), radius * Math.sin(t), b));
            }
            d.painter.polygon(rim, fade(color, 0.035), eye);
            d.painter.polyline(rim, fade(color, 0.4), 1, true);
            for (let i = 0; i < 32; i += 8) d.painter.line(eye, rim[i], fade(color, 0.18), 1);
            d.painter.line(eye, point, fade(color, 0.9), 1.5);
            d.painter.dot(point, color, 9, DISC);
            if (text) d.labels.add(point, `sees ${text}`, {color, rank: 3});
        }
    });
}

/* --- Joints and sites --------------------------------------------------------------------------------------------- */

/** @param {Drawing} d */
export function drawJoints(d) {
    const {show} = d.settings;
    d.scene.figures.forEach((figure, f) => {
        for (const joint of figure.joints) {
            if (!joint.dofs.length) continue;
            const isSelected = d.selection?.kind === 'joint' && d.selection.figure === f
                && d.selection.name === joint.name;
            if (!show.joints && !isSelected) continue;
            const place = jointPlace(figure, joint, d.frame.matrices);
            const isFree = joint.dofs.some((dof) => dof.variable >= 0) && !joint.isFrozen;
            const color = isSelected ? d.theme.accent : isFree ? d.theme.text : d.theme.disabled;
            d.painter.over(() => d.painter.dot(place, color, isSelected ? 10 : 6, DISC));
            if (isSelected || show.labels) d.labels.add(place, plainName(joint.name), {rank: isSelected ? 1 : 5});
        }
        for (const site of figure.sites) {
            const isSelected = d.selection?.kind === 'site' && d.selection.figure === f
                && d.selection.name === site.name;
            if (!show.sites && !isSelected) continue;
            const frame = siteFrame(figure, site, d.frame.matrices), place = [frame[3], frame[7], frame[11]];
            d.painter.over(() => {
                d.painter.dot(place, isSelected ? d.theme.accent : d.theme.warn, isSelected ? 10 : 6, SQUARE);
                d.painter.axes(frame, (isSelected ? 0.035 : 0.014) * d.size,
                    [d.theme.axisX, d.theme.axisY, d.theme.axisZ], isSelected ? 2 : 1.2);
            });
            if (isSelected || show.labels) {
                d.labels.add(place, plainName(site.name), {rank: isSelected ? 1 : 6, color: d.theme.warn});
            }
        }
    });
}

/**
 * Where an entry of a chain is: a joint, the middle of a group's joints, the root.
 * @param {Drawing} d @param {SceneFigure} figure @param {string} name
 */
function linkPlace(d, figure, name) {
    const joint = figure.joints.find((j) => j.name === name);
    if (joint) return jointPlace(figure, joint, d.frame.matrices);
    const group = figure.groups?.find((g) => g.name === name);
    const driven = group && figure.joints.filter((j) => group.joints.includes(j.name));
    if (driven?.length) return jointPlace(figure, driven[driven.length >> 1], d.frame.matrices);
    return matrixOrigin(segmentMatrix(d.frame.matrices, figure.firstSegment + figure.root.segment));
}

/**
 * The joints and groups that a drag of a part moves: settings.chain of them, 0 all.
 * @param {Drawing} d @param {PlacedPart} held @param {string[]} chain
 */
export function drawChain(d, held, chain) {
    const figure = d.scene.figures[held.figure], used = d.settings.chain > 0 ? chain.slice(0, d.settings.chain) : chain;
    const places = used.map((name) => linkPlace(d, figure, name));
    d.painter.over(() => {
        d.painter.polyline([held.point, ...places], fade(d.theme.accent, 0.55), 2);
        for (const place of places) d.painter.dot(place, d.theme.accent, 9, DISC);
    });
    if (!places.length) return;
    const count = `${used.length} ${used.length === 1 ? 'joint' : 'joints'}`;
    const text = used.length === chain.length ? 'whole body' : `${count}, up to ${plainName(used[used.length - 1])}`;
    d.labels.add(places[places.length - 1], text, {color: d.theme.accent, rank: 2, dy: -28});
}

/* --- Out of reach ------------------------------------------------------------------------------------------------- */

/**
 * The joint that a limit of the frame belongs to.
 * @param {Scene} scene @param {PoseFrame['limits'][number]} limit
 */
function blockedJoint(scene, limit) {
    for (const figure of scene.figures) {
        const variable = figure.variables[limit.variable - figure.firstVariable];
        if (!(limit.variable >= 0) || !variable) continue;
        const joint = figure.joints.find((j) => j.name === variable.joint);
        if (joint) return {figure, joint};
        const group = figure.groups?.find((g) => g.name === variable.group);
        const driven = group && figure.joints.filter((j) => group.joints.includes(j.name));
        if (driven?.length) return {figure, joint: driven[driven.length >> 1]};
    }
    return null;
}

/**
 * Rings and names what holds the figure back: the three that matter most.
 * @param {Drawing} d
 */
export function drawBlockers(d) {
    const limits = [...(d.frame.limits ?? [])].sort((a, b) => Math.abs(b.multiplier) - Math.abs(a.multiplier));
    for (const limit of limits.slice(0, 3)) {
        const found = blockedJoint(d.scene, limit);
        if (!found) continue;
        const place = jointPlace(found.figure, found.joint, d.frame.matrices);
        d.painter.over(() => {
            d.painter.dot(place, d.theme.unmet, 20, RING);
            d.painter.dot(place, d.theme.unmet, 10, CROSS);
        });
        const text = `${plainName(limit.name).replace(/\./g, ' ')} at its ${limit.upper ? 'upper' : 'lower'} limit`;
        d.labels.add(place, text, {color: d.theme.unmet, rank: 1, dy: 8});
    }
}

/**
 * The line from the part that is held to where it is wanted. Returns whether something is missing.
 * @param {Drawing} d
 */
export function drawShortfall(d) {
    const drag = d.frame.drag;
    if (!drag) return false;
    const isOff = drag.distance > 1e-3 * d.size || drag.angle > 0.02;
    d.painter.over(() => {
        d.painter.dot(drag.at, isOff ? d.theme.unmet : d.theme.accent, 9, DISC);
        if (!isOff || !drag.target) return;
        d.painter.dashed(drag.at, drag.target, d.theme.unmet, 2.5, 0.008 * d.size);
        d.painter.dot(drag.target, d.theme.unmet, 16, RING);
        d.painter.dot(drag.target, d.theme.unmet, 5, DISC);
    });
    if (!isOff) return false;
    const length = drag.distance > 1e-3 * d.size ? lengthText(drag.distance) : '';
    const text = [length, drag.angle > 0.02 ? angleText(drag.angle) : ''].filter(Boolean).join(', ');
    d.labels.add(drag.target ?? drag.at, `${text} out of reach`, {color: d.theme.unmet, rank: 0, strong: true});
    return true;
}
