/* Limits where they act, as the solver has them: a sector for each rotation with the present value in it, the polygon
 * of a swing on a sphere with a small sector for the twist, a track for a translation. Only variables have limits of
 * their own to show: what a group drives has none. */
import {circlePoints, DISC, RING} from './strokes.js';
import {fade} from './theme.js';
import {angleText, lengthText, plainName} from './labels.js';
import {
    add, along, basis, clamp, cross, dot, length, matrixMultiply, matrixOf, matrixPoint, matrixVector, rotateAbout,
    rotationAbout, scale, segmentMatrix, subtract, unit,
} from '../math/vector.js';

const ARC = 40;

/**
 * The axes A and B beside the axis of a swing: the ones that the solver uses.
 * @param {Vec} axis
 */
export function swingAxes(axis) {
    for (let i = 0; i < 3; i++) {
        if (Math.abs(axis[i]) !== 1 || axis[(i + 1) % 3] !== 0 || axis[(i + 2) % 3] !== 0) continue;
        const a = [0, 0, 0], b = [0, 0, 0];
        a[(i + 1) % 3] = 1;
        b[(i + 2) % 3] = axis[i];
        return [a, b];
    }
    let small = Math.abs(axis[0]) <= Math.abs(axis[1]) ? 0 : 1;
    if (Math.abs(axis[2]) < Math.abs(axis[small])) small = 2;
    const helper = [0, 0, 0], z = unit(axis);
    helper[small] = 1;
    const b = unit(cross(helper, z));
    return [cross(b, z), b];
}

/**
 * Where the axis points after the swing (a, b).
 * @param {Vec[]} axes @param {number} a @param {number} b
 */
export function swungAxis(axes, a, b) {
    const v = add(scale(axes[0], a), scale(axes[1], b)), angle = length(v);
    return angle > 0 ? rotateAbout(scale(v, 1 / angle), angle, axes[2]) : axes[2];
}

/**
 * What the joint carries: the middle of the sites on that segment, which shows where it points.
 * @param {SceneFigure} figure @param {SceneJoint} joint @param {Float64Array} matrices @param {Vec} base
 */
function tipOf(figure, joint, matrices, base) {
    const world = segmentMatrix(matrices, figure.firstSegment + joint.segmentB);
    const sites = figure.sites.filter((s) => s.segment === joint.segmentB);
    if (!sites.length) return base;
    return matrixPoint(world, scale(sites.map((s) => s.position).reduce(add, [0, 0, 0]), 1 / sites.length));
}

/** @param {number} value @param {number} end */
const isAtEnd = (value, end) => Math.abs(value - end) < 2e-3;

/**
 * The range from `lower` to `upper` about an axis, where the unit vector `now` stands for `value`.
 * @param {Drawing} d @param {Vec} center @param {Vec} axis @param {Vec} now @param {DofRange} range
 * @param {number} radius
 */
function drawSector(d, center, axis, now, {value, lower, upper}, radius) {
    const {painter, theme} = d, isFree = !Number.isFinite(lower) && !Number.isFinite(upper);
    const wide = upper - lower >= 2 * Math.PI - 1e-9;
    let from = lower - value, to = upper - value;
    if (!Number.isFinite(from)) from = Number.isFinite(to) ? to - Math.PI : -Math.PI;
    if (!Number.isFinite(to)) to = from + (isFree ? 2 * Math.PI : Math.PI);
    if (wide) [from, to] = [-Math.PI, Math.PI];
    const side = cross(axis, now), points = circlePoints(center, now, side, radius, ARC, from, to);
    if (isFree || wide) {
        for (let i = 0; i + 1 < ARC; i += 2) painter.line(points[i], points[i + 1], fade(theme.dim, 0.8), 1.2);
    } else {
        painter.polygon(points, fade(theme.accent, 0.16), center, false);
        painter.polyline(points, fade(theme.accent, 0.9), 1.6);
        painter.line(center, points[0], fade(theme.accent, 0.7), 1.2);
        painter.line(center, points[ARC - 1], fade(theme.accent, 0.7), 1.2);
    }
    const color = isAtEnd(value, lower) || isAtEnd(value, upper) ? theme.unmet : theme.text;
    const tip = along(center, radius, now);
    painter.line(center, tip, color, 2.4);
    painter.dot(tip, color, 7, DISC);
    return tip;
}

/** @param {Drawing} d @param {Vec} place @param {Vec} axis @param {DofRange} range */
function drawTrack(d, place, axis, {value, lower, upper}) {
    const {painter, theme, size} = d, [a, b] = basis(axis), short = 0.018 * size;
    if (lower === -Infinity && upper === Infinity) {
        const [from, to] = [-0.06, 0.06].map((part) => along(place, value + part * size, axis));
        painter.line(from, to, fade(theme.dim, 0.6), 1.2);
        return null;
    }
    const ends = [lower, upper].map((end, i) => (Number.isFinite(end) && Math.abs(end - value) < 2 * size ? end
        : value + (i ? 0.25 : -0.25) * size));
    /** @param {number} v */
    const at = (v) => along(place, v, axis);
    painter.line(at(ends[0]), at(ends[1]), fade(theme.accent, 0.85), 4);
    for (const [i, end] of [lower, upper].entries()) {
        if (end !== ends[i]) continue;
        for (const v of [a, b]) painter.line(along(at(end), -short, v), along(at(end), short, v), theme.accent, 2.4);
    }
    const color = isAtEnd(value, lower) || isAtEnd(value, upper) ? theme.unmet : theme.text;
    painter.dot(at(value), color, 10, DISC);
    return at(value);
}

/**
 * The corners of a swing's limit: its polygon, else the box of its two ranges, else none.
 * @param {SceneJoint} joint @param {(DofRange | null)[]} ranges
 */
function swingCorners(joint, [va, vb]) {
    if (joint.swing?.length > 2) return joint.swing;
    if (!va || !vb || ![va.lower, va.upper, vb.lower, vb.upper].every(Number.isFinite)) return [];
    return [[va.lower, vb.lower], [va.upper, vb.lower], [va.upper, vb.upper], [va.lower, vb.upper]];
}

/**
 * The part of a sphere that the axis may point into: rings of the polygon shrunk towards its middle.
 * @param {Drawing} d @param {Vec} place @param {Vec[]} axes @param {number[][]} corners @param {number} radius
 */
function drawSwing(d, place, axes, corners, radius) {
    const {painter, theme} = d, count = corners.length, steps = count > 24 ? 1 : count > 8 ? 3 : 6;
    const middle = corners.reduce(([x, y], [a, b]) => [x + a / count, y + b / count], [0, 0]);
    /** @type {number[][]} */
    const outline = [];
    corners.forEach(([a, b], k) => {
        const [c, e] = corners[(k + 1) % count];
        for (let s = 0; s < steps; s++) outline.push([a + (c - a) * s / steps, b + (e - b) * s / steps]);
    });
    /** @param {number} f */
    const ring = (f) => outline.map(([a, b]) => along(place, radius,
        swungAxis(axes, middle[0] + (a - middle[0]) * f, middle[1] + (b - middle[1]) * f)));
    const rings = [0.001, 0.34, 0.67, 1].map(ring);
    for (let r = 0; r + 1 < rings.length; r++) {
        for (let i = 0; i < outline.length; i++) {
            const j = (i + 1) % outline.length;
            painter.triangle(rings[r][i], rings[r + 1][i], rings[r + 1][j], fade(theme.accent, 0.15));
            painter.triangle(rings[r][i], rings[r + 1][j], rings[r][j], fade(theme.accent, 0.15));
        }
        if (r) painter.polyline(rings[r], fade(theme.accent, 0.25), 1, true);
    }
    painter.polyline(rings[3], theme.accent, 2, true);
    const spoke = Math.max(1, Math.round(outline.length / 12));
    for (let i = 0; i < outline.length; i += spoke) painter.line(place, rings[3][i], fade(theme.accent, 0.25), 1);
}

/**
 * Which of a figure's dofs is a joint's first.
 * @param {SceneFigure} figure @param {SceneJoint} joint
 */
function firstDof(figure, joint) {
    let count = 0;
    for (const other of figure.joints) {
        if (other === joint) break;
        count += other.dofs.length;
    }
    return count;
}

/**
 * Values of the joint's dofs now.
 * @param {Drawing} d @param {SceneFigure} figure @param {SceneJoint} joint
 */
function dofValues(d, figure, joint) {
    const first = figure.firstDof + firstDof(figure, joint);
    if (d.frame.dofs) return joint.dofs.map((_, k) => d.frame.dofs[first + k]);
    return joint.dofs.map((dof) => (dof.variable >= 0 ? d.frame.pose[dof.variable] : dof.rest));
}

/**
 * A dof's range as the solver has it: its variable's, which limits elsewhere may have tightened.
 * @param {SceneFigure} figure @param {SceneDof | SceneParameter} dof @param {number} value
 */
function rangeOf(figure, dof, value) {
    if (dof.variable < 0) return null;
    const variable = figure.variables[dof.variable - figure.firstVariable] ?? dof;
    return {value, lower: variable.lower ?? -Infinity, upper: variable.upper ?? Infinity, isAngle: dof.isAngle,
        name: dof.name};
}

/** @param {DofRange} range */
const rangeText = ({value, lower, upper, isAngle}) => {
    /** @param {number} v */
    const text = (v) => (!Number.isFinite(v) ? '∞' : isAngle ? angleText(v) : lengthText(v));
    return `${text(value)}  (${text(lower)} to ${text(upper)})`;
};

/**
 * The swing of the axis, or of its other end where that is the one along the bone.
 * @param {Drawing} d @param {Matrix} frame @param {SceneJoint} joint @param {SceneElement} element
 * @param {(DofRange | null)[]} ranges @param {number[]} values @param {number} radius @param {Vec} bone
 */
function drawSwingTwist(d, frame, joint, element, ranges, values, radius, bone) {
    const place = [frame[3], frame[7], frame[11]], [a, b] = swingAxes(element.axis);
    const axes = [a, b, element.axis].map((v) => matrixVector(frame, v));
    if (dot(swungAxis(axes, values[0], values[1]), bone) < 0) axes[2] = scale(axes[2], -1);
    const corners = swingCorners(joint, ranges);
    if (corners.length) drawSwing(d, place, axes, corners, radius);
    const now = swungAxis(axes, values[0], values[1]), tip = along(place, 1.1 * radius, now);
    d.painter.line(place, tip, d.theme.text, 2.4);
    d.painter.dot(tip, d.theme.text, 7, DISC);
    if (ranges[2]) {
        const line = swungAxis([axes[0], axes[1], matrixVector(frame, element.axis)], values[0], values[1]);
        const side = rotateAbout(line, values[2], turnedSide(axes, values, line));
        drawSector(d, along(place, radius, now), line, side, ranges[2], 0.35 * radius);
    }
    return tip;
}

/**
 * A as the swing carries it along: where the twist counts from.
 * @param {Vec[]} axes @param {number[]} swing @param {Vec} now
 */
function turnedSide(axes, [a, b], now) {
    const v = add(scale(axes[0], a), scale(axes[1], b)), angle = length(v);
    const side = angle > 0 ? rotateAbout(scale(v, 1 / angle), angle, axes[0]) : axes[0];
    return unit(along(side, -dot(side, now), now));
}

/**
 * The frame after one element with its values.
 * @param {Matrix} frame @param {SceneElement} element @param {number[]} values
 */
function advance(frame, element, values) {
    const {kind, axis} = element;
    if (kind === 'rotate') return matrixMultiply(frame, matrixOf([0, 0, 0], rotationAbout(axis, values[0])));
    if (kind === 'translate') return matrixMultiply(frame, matrixOf(scale(axis, values[0]), [0, 0, 0, 1]));
    return frame; /* three dofs of rotation end a joint's rotations */
}

/**
 * Draws one joint's limits; `named` writes the values beside them.
 * @param {Drawing} d @param {SceneFigure} figure @param {SceneJoint} joint @param {boolean} named
 */
export function drawJointLimits(d, figure, joint, named) {
    const {matrices} = d.frame, values = dofValues(d, figure, joint), siteA = figure.sites[joint.siteA];
    /** @type {Matrix} */
    let frame = matrixMultiply(segmentMatrix(matrices, figure.firstSegment + siteA.segment),
        matrixOf(siteA.position, siteA.rotation));
    const start = [frame[3], frame[7], frame[11]], tip = tipOf(figure, joint, matrices, start);
    const radius = clamp(0.9 * length(subtract(tip, start)), 0.035 * d.size, 0.09 * d.size);
    let k = 0, turns = 0;
    for (const element of joint.type) {
        const count = element.kind === 'rotate' || element.kind === 'translate' ? 1 : 3;
        const ranges = joint.dofs.slice(k, k + count).map((dof, i) => rangeOf(figure, dof, values[k + i]));
        const place = [frame[3], frame[7], frame[11]];
        let at = null;
        if (element.kind === 'swing_twist' && ranges.some(Boolean)) {
            const three = values.slice(k, k + 3);
            at = drawSwingTwist(d, frame, joint, element, ranges, three, 1.25 * radius, subtract(tip, place));
        } else if (element.kind === 'rotate' && ranges[0]) {
            const line = matrixVector(frame, element.axis);
            const now = across(subtract(tip, place), line, radius);
            at = drawSector(d, place, line, now, ranges[0], radius * (1 - 0.2 * turns++));
        } else if (element.kind === 'translate' && ranges[0]) {
            at = drawTrack(d, place, matrixVector(frame, element.axis), ranges[0]);
        }
        if (named && at) nameRanges(d, at, ranges.filter((range) => range !== null));
        frame = advance(frame, element, values.slice(k, k + count));
        k += count;
    }
}

/**
 * The unit vector across an axis that points where v does; any one where v is along the axis.
 * @param {Vec} v @param {Vec} line @param {number} radius
 */
function across(v, line, radius) {
    const rest = along(v, -dot(v, line), line);
    return length(rest) < 0.05 * radius ? basis(line)[0] : unit(rest);
}

/** @param {Drawing} d @param {Vec} at @param {DofRange[]} ranges */
function nameRanges(d, at, ranges) {
    const text = ranges.length === 1 ? `${plainName(ranges[0].name)} ${rangeText(ranges[0])}`
        : ranges.map((r) => `${plainName(r.name)} ${angleText(r.value)}`).join(', ');
    d.labels.add(at, text, {rank: 2});
}

/**
 * Where a joint is: the origin of its first site.
 * @param {SceneFigure} figure @param {SceneJoint} joint @param {Float64Array} matrices
 */
export function jointPlace(figure, joint, matrices) {
    const site = figure.sites[joint.siteB];
    return matrixPoint(segmentMatrix(matrices, figure.firstSegment + site.segment), site.position);
}

/**
 * Joints that move together, by a group: rings of one colour, and the group's parameters with their ranges.
 * @param {Drawing} d @param {SceneFigure} figure @param {SceneGroup} group
 */
export function drawGroup(d, figure, group) {
    const places = figure.joints.filter((j) => group.joints.includes(j.name))
        .map((joint) => jointPlace(figure, joint, d.frame.matrices));
    if (!places.length) return;
    const place = places[places.length >> 1], look = {color: d.theme.warn, rank: 2};
    d.painter.over(() => {
        for (const each of places) d.painter.dot(each, d.theme.warn, 10, RING);
    });
    d.labels.add(place, `group ${plainName(group.name)}`, {...look, dy: -31});
    for (const [k, parameter] of (d.frame.drag ? [] : group.parameters).entries()) {
        const range = rangeOf(figure, parameter, d.frame.pose[parameter.variable]);
        if (range) d.labels.add(place, `${plainName(parameter.name)} ${rangeText(range)}`, {...look, dy: 22 * k - 9});
    }
}

/**
 * All limits that the settings ask for: those of the selected joint or part, or of all.
 * @param {Drawing} d
 */
export function drawLimits(d) {
    const {limits, allLimits} = d.settings.show, {selection} = d;
    if (!limits && !allLimits) return;
    d.scene.figures.forEach((figure, f) => {
        const isMine = selection && selection.figure === f;
        const segment = isMine && selection.kind === 'segment'
            ? figure.segments.find((s) => s.name === selection.name) : null;
        const chosen = isMine && selection.kind === 'joint' ? figure.joints.find((j) => j.name === selection.name)
            : segment && segment.joint >= 0 ? figure.joints[segment.joint] : null;
        for (const joint of figure.joints) {
            if (joint === chosen) d.painter.over(() => drawJointLimits(d, figure, joint, !d.frame.drag));
            else if (allLimits) d.painter.over(() => drawJointLimits(d, figure, joint, false));
        }
        const group = chosen && figure.groups?.find((g) => g.joints?.includes(chosen.name));
        if (group) drawGroup(d, figure, group);
    });
}
