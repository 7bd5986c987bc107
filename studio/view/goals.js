/* Goals and pins, drawn where they are: each kind by its own shape, each state by its own colour and mark. A goal that
 * a segment carries is drawn where the segment has it. */
import {circlePoints, CROSS, DIAMOND, DISC, PIN, RING} from './strokes.js';
import {fade} from './theme.js';
import {angleText, lengthText, plainName} from './labels.js';
import {
    MATRIX_IDENTITY, add, along, basis, clipPolygon, cross, distance, length, matrixAxis, matrixMultiply, matrixOf,
    matrixOfAxes, matrixOrigin, matrixPoint, rotationBetween, scale, segmentMatrix, unit,
} from '../math/vector.js';

/** @param {SceneConstraint} constraint */
export const isPin = (constraint) => constraint.from === 'keep' || /^pin\b/.test(constraint.name ?? '');

/**
 * The centre of mass over a support: drawn with the balance.
 * @param {SceneConstraint} constraint
 */
export const isBalance = (constraint) => constraint.from === 'balance'
    || (constraint.effector?.kind === 'com' && constraint.goal.kind === 'polyhedron');

/**
 * The frame that a goal's points are in.
 * @param {SceneGoal} goal @param {Scene} scene @param {PoseFrame} frame
 */
export function carrierFrame(goal, scene, frame) {
    if (!goal.carrier) return MATRIX_IDENTITY;
    return segmentMatrix(frame.matrices, scene.figures[goal.carrier.figure].firstSegment + goal.carrier.segment);
}

/**
 * The corners of a polyhedron's faces, cut off at a distance from the origin where it has no end.
 * @param {number[][]} faces @param {number} reach
 */
export function facePolygons(faces, reach) {
    return faces.map((face) => {
        const size = length(face), n = scale(face, 1 / size), p = scale(n, face[3] / size), [a, b] = basis(n);
        let polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => along(along(p, i * reach, a), j * reach, b));
        for (const other of faces) if (other !== face) polygon = clipPolygon(polygon, other, other[3]);
        return polygon;
    }).filter((polygon) => polygon.length > 2);
}

/** @param {number[][]} faces */
function polyhedronCenter(faces) {
    const corners = facePolygons(faces, 3).flat();
    return corners.length ? scale(corners.reduce(add, [0, 0, 0]), 1 / corners.length) : [0, 0, 0];
}

/**
 * A goal's own frame (in that of its carrier): its point, and the rotation that shows which way it lies.
 * @param {SceneGoal} goal @param {Vec | null} [at]
 */
export function goalFrame(goal, at = null) {
    const place = goal.kind === 'polyhedron' ? polyhedronCenter(goal.faces) : goal.point;
    if (goal.kind === 'line' || goal.kind === 'plane' || goal.kind === 'half-space') {
        return matrixOf(place, rotationBetween([0, 0, 1], unit(goal.normal)));
    }
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = unit(goal.x), y = unit(goal.y);
        return matrixOfAxes(goal.kind === 'orientation' && at ? at : place, x, y, cross(x, y));
    }
    return matrixOf(place, goal.kind === 'position' || goal.kind === 'aim' || goal.kind === 'polyhedron'
        ? [0, 0, 0, 1] : goal.rotation);
}

/**
 * Kinds that can be turned, not only moved.
 * @param {SceneGoal} goal
 */
export const canTurn = (goal) => !['position', 'aim', 'sphere', 'polyhedron'].includes(goal.kind);

/**
 * How a constraint fares: disabled, idle (another of its disjunction counts), met, unmet.
 * @param {SceneConstraint} constraint @param {Reached | undefined} result
 */
export function stateOf(constraint, result) {
    if (constraint.disabled) return 'disabled';
    if (!result) return 'met';
    if (!result.counted) return 'idle';
    return result.met ? 'met' : 'unmet';
}

/** @param {Theme} theme @param {SceneConstraint} constraint @param {GoalState} state */
function colorOf(theme, constraint, state) {
    if (state === 'disabled' || state === 'idle') return fade(theme.disabled, state === 'idle' ? 0.8 : 0.55);
    if (state === 'unmet') return theme.unmet;
    return isPin(constraint) ? theme.pin : theme.met;
}

/* --- Each kind: (d, frame of the goal in the world, goal, colour) ------------------------------------------------- */

/**
 * A square patch about the frame's origin across its z, with a few lines in it.
 * @param {Drawing} d @param {Matrix} frame @param {number} half @param {Rgba} color
 */
function drawPatch({painter}, frame, half, color) {
    /** @param {number} i @param {number} j */
    const corner = (i, j) => matrixPoint(frame, [i * half, j * half, 0]);
    painter.polygon([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], fade(color, 0.13));
    painter.polyline([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], fade(color, 0.8), 1.5, true);
    for (let i = -2; i <= 2; i++) {
        painter.line(corner(i / 3, -1), corner(i / 3, 1), fade(color, 0.28), 1);
        painter.line(corner(-1, i / 3), corner(1, i / 3), fade(color, 0.28), 1);
    }
}

/**
 * Short strokes on the side that is not allowed.
 * @param {Drawing} d @param {Matrix} frame @param {number} half @param {Rgba} color
 */
function drawHatching({painter}, frame, half, color) {
    for (let i = 0; i <= 12; i++) {
        const s = half * (i / 6 - 1), depth = -0.14 * half;
        for (const side of [-half, half]) {
            const back = s - 0.1 * half;
            /** @param {Vec} p */
            const at = (p) => matrixPoint(frame, p);
            painter.line(at([s, side, 0]), at([back, side, depth]), fade(color, 0.8), 1);
            painter.line(at([side, s, 0]), at([side, back, depth]), fade(color, 0.8), 1);
        }
    }
}

/** @param {Drawing} d @param {Vec} from @param {Vec} to @param {Rgba} color */
function drawArrow({painter}, from, to, color, width = 2) {
    const n = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]), [a, b] = basis(n);
    const size = 0.18 * distance(from, to), foot = along(to, -size, n);
    painter.line(from, to, color, width);
    for (const v of [a, scale(a, -1), b, scale(b, -1)]) painter.line(to, along(foot, 0.45 * size, v), color, width);
}

/** @param {Matrix} frame @param {Vec} s @param {number} i */
const boxCorner = (frame, s, i) =>
    matrixPoint(frame, [i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]]);
const BOX_FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

/** @param {Drawing} d @param {Vec[][]} polygons @param {Rgba} color @param {boolean} isOutside */
function drawFaces({painter}, polygons, color, isOutside) {
    for (const polygon of polygons) {
        painter.polygon(polygon, fade(color, isOutside ? 0.16 : 0.08));
        painter.polyline(polygon, fade(color, 0.9), 1.5, true);
        if (isOutside) {
            for (let i = 0; i + 2 < polygon.length; i++) painter.line(polygon[i], polygon[i + 2], fade(color, 0.35), 1);
        }
    }
}

/** @param {Drawing} d @param {Matrix} frame @param {number} radius @param {Rgba} color @param {boolean} isOutside */
function drawSphere({painter}, frame, radius, color, isOutside) {
    const center = matrixOrigin(frame), axes = [0, 1, 2].map((i) => matrixAxis(frame, i));
    for (let i = 0; i < 3; i++) {
        const points = circlePoints(center, axes[i], axes[(i + 1) % 3], radius, 49);
        painter.polyline(points, fade(color, 0.85), 1.5, true);
        painter.polygon(points, fade(color, isOutside ? 0.14 : 0.06), center);
    }
    for (let k = -2; isOutside && k <= 2; k++) {
        const z = radius * k / 3, r = Math.sqrt(radius * radius - z * z);
        painter.circle(along(center, z, axes[2]), axes[0], axes[1], r, fade(color, 0.4), 1);
    }
}

/** @param {Drawing} d @param {Matrix} frame @param {Vec} size @param {Rgba} color @param {boolean} isOutside */
function drawCapsule({painter}, frame, [radius, half], color, isOutside) {
    const center = matrixOrigin(frame), [x, y, z] = [0, 1, 2].map((i) => matrixAxis(frame, i));
    for (const side of [-1, 1]) {
        const end = along(center, side * half, z);
        painter.circle(end, x, y, radius, fade(color, 0.85));
        for (const v of [x, y]) {
            painter.polyline(circlePoints(end, v, scale(z, side), radius, 17, 0, Math.PI), fade(color, 0.85));
        }
    }
    const [low, high] = [-half, half].map((end) => circlePoints(along(center, end, z), x, y, radius, 25));
    for (let i = 0; i < 25; i++) {
        const j = (i + 1) % 25;
        painter.triangle(low[i], low[j], high[j], fade(color, isOutside ? 0.16 : 0.08));
        painter.triangle(low[i], high[j], high[i], fade(color, isOutside ? 0.16 : 0.08));
        if (i % (isOutside ? 3 : 6) === 0) painter.line(low[i], high[i], fade(color, 0.6), 1);
    }
}

/**
 * @param {Drawing} d @param {Matrix} frame @param {number} radius @param {Rgba} color @param {boolean} isDisc
 * @param {boolean} isOutside
 */
function drawCircle({painter}, frame, radius, color, isDisc, isOutside) {
    const center = matrixOrigin(frame), [x, y, z] = [0, 1, 2].map((i) => matrixAxis(frame, i));
    painter.circle(center, x, y, radius, color, isDisc ? 1.5 : 3, 64);
    if (isDisc) painter.polygon(circlePoints(center, x, y, radius, 48), fade(color, isOutside ? 0.3 : 0.16), center);
    for (let k = 1; isOutside && k < 4; k++) painter.circle(center, x, y, radius * k / 4, fade(color, 0.5), 1);
    painter.line(center, along(center, 0.25 * radius, z), fade(color, 0.7), 1.5);
}

/** @param {Drawing} d @param {Matrix} frame @param {number} length @param {Rgba} color @param {SceneGoal} goal */
function drawAxes({painter, theme}, frame, length, color, goal) {
    /** @type {ColorName[]} */
    const names = ['axisX', 'axisY', 'axisZ'];
    const free = [goal.degreesX === 0, goal.degreesY === 0, false];
    for (let i = 0; i < 3; i++) {
        if (free[i] || (i === 2 && (free[0] || free[1]))) continue;
        const tip = along(matrixOrigin(frame), length, matrixAxis(frame, i));
        painter.line(matrixOrigin(frame), tip, theme[names[i]], 2.5);
        painter.dot(tip, theme[names[i]], 7, DISC);
    }
    painter.circle(matrixOrigin(frame), matrixAxis(frame, 0), matrixAxis(frame, 1), 0.6 * length, fade(color, 0.6), 1);
}

/**
 * @type {Record<string, (d: Drawing, frame: Matrix, goal: SceneGoal, color: Rgba, at: Vec | undefined,
 *     carrier: Matrix) => void>}
 */
const KINDS = {
    position: (d, frame, goal, color) => {
        for (let i = 0; i < 3; i++) {
            const a = matrixAxis(frame, i), s = 0.02 * d.size;
            d.painter.line(along(matrixOrigin(frame), -s, a), along(matrixOrigin(frame), s, a), fade(color, 0.9), 1.5);
        }
    },
    orientation: (d, frame, goal, color) => drawAxes(d, frame, 0.07 * d.size, color, goal),
    frame: (d, frame, goal, color) => drawAxes(d, frame, 0.05 * d.size, color, goal),
    aim: (d, frame, goal, color, at) => {
        const p = matrixOrigin(frame), {right, up} = d.axes;
        for (const r of [0.012, 0.022]) d.painter.circle(p, right, up, r * d.size, color, 1.5, 32);
        if (at) d.painter.dashed(at, p, fade(color, 0.75), 1.5, 0.012 * d.size);
    },
    line: (d, frame, goal, color) => {
        const p = matrixOrigin(frame), z = matrixAxis(frame, 2), half = 0.45 * d.size;
        d.painter.line(along(p, -half, z), along(p, half, z), color, 3);
        for (const side of [-1, 1]) {
            const [from, to] = [1, 1.5].map((f) => along(p, f * side * half, z));
            d.painter.dashed(from, to, fade(color, 0.6), 2, 0.015 * d.size);
        }
    },
    plane: (d, frame, goal, color) => {
        drawPatch(d, frame, 0.22 * d.size, color);
        d.painter.line(matrixOrigin(frame), along(matrixOrigin(frame), 0.07 * d.size, matrixAxis(frame, 2)), color, 2);
    },
    'half-space': (d, frame, goal, color) => {
        drawPatch(d, frame, 0.25 * d.size, color);
        drawHatching(d, frame, 0.25 * d.size, color);
        drawArrow(d, matrixOrigin(frame), along(matrixOrigin(frame), 0.1 * d.size, matrixAxis(frame, 2)), color);
    },
    box: (d, frame, goal, color) =>
        drawFaces(d, BOX_FACES.map((f) => f.map((i) => boxCorner(frame, goal.size, i))), color, goal.outside),
    sphere: (d, frame, goal, color) => drawSphere(d, frame, goal.size[0], color, goal.outside),
    capsule: (d, frame, goal, color) => drawCapsule(d, frame, goal.size, color, goal.outside),
    circle: (d, frame, goal, color) => drawCircle(d, frame, goal.size[0], color, false, false),
    disc: (d, frame, goal, color) => drawCircle(d, frame, goal.size[0], color, true, goal.outside),
    polyhedron: (d, frame, goal, color, at, carrier) => {
        const polygons = facePolygons(goal.faces, 1.5 * d.size)
            .map((polygon) => polygon.map((p) => matrixPoint(carrier, p)));
        drawFaces(d, polygons, color, goal.outside);
    },
};

/* --- All of them -------------------------------------------------------------------------------------------------- */

/**
 * Where a goal's handle is in the world: its frame there.
 * @param {SceneConstraint} constraint @param {Scene} scene @param {PoseFrame} frame @param {Vec | null} [at]
 */
export function handleFrame(constraint, scene, frame, at = null) {
    const carrier = carrierFrame(constraint.goal, scene, frame), own = goalFrame(constraint.goal);
    const world = matrixMultiply(carrier, own);
    if (constraint.goal.kind === 'orientation' && at) [world[3], world[7], world[11]] = at;
    return world;
}

/**
 * @param {Drawing} d @param {SceneConstraint} constraint @param {Vec} place @param {Rgba} color
 * @param {GoalState} state @param {boolean} isSelected
 */
function drawHandle(d, constraint, place, color, state, isSelected) {
    const {painter} = d;
    painter.over(() => {
        if (isPin(constraint)) painter.dot(place, color, isSelected ? 22 : 18, PIN);
        else painter.dot(place, color, isSelected ? 13 : 10, constraint.goal.outside ? CROSS : DIAMOND);
        if (isSelected) painter.dot(place, d.theme.accent, 24, RING);
        if (state === 'disabled' || state === 'idle') painter.dot(place, d.theme.disabled, 16, CROSS);
    });
}

/**
 * The line from where the effector is to where it should be, with how much is missing.
 * @param {Drawing} d @param {SceneConstraint} constraint @param {Reached | undefined} result
 */
function drawResidual(d, constraint, result) {
    if (!result?.at) return;
    const {goal} = constraint, isPlace = ['position', 'frame', 'aim'].includes(goal.kind);
    const target = result.target ?? (isPlace ? matrixPoint(carrierFrame(goal, d.scene, d.frame), goal.point) : null);
    const angle = result.angle > 1e-3 ? angleText(result.angle) : '';
    const missing = result.distance > 5e-4 ? lengthText(result.distance) : '';
    const text = [missing, angle].filter(Boolean).join(', ');
    d.painter.over(() => {
        if (target && goal.kind !== 'aim') d.painter.dashed(result.at, target, d.theme.unmet, 2, 0.008 * d.size);
        d.painter.dot(result.at, d.theme.unmet, 7, DISC);
    });
    if (text) d.labels.add(target ?? result.at, `${text} off`, {color: d.theme.unmet, rank: 1, strong: true});
}

/**
 * What is drawn once only: the obstacle that many constraints share.
 * @param {SceneConstraint} c
 */
const shapeKey = (c) =>
    (c.from === 'avoid' ? `avoid ${c.index} ${JSON.stringify(c.goal)}` : `${c.from} ${c.index} ${c.id}`);

/**
 * Draws all goals and pins.
 * @param {Drawing} d
 * @returns {GoalHandle[]} handles that can be taken hold of
 */
export function drawGoals(d) {
    const {scene, frame} = d, seen = new Set(), handles = [];
    const results = new Map(frame.constraints.map((r) => [r.id, r]));
    for (const constraint of scene.constraints) {
        if (isBalance(constraint)) continue;
        const result = results.get(constraint.id), state = stateOf(constraint, result);
        const color = colorOf(d.theme, constraint, state), key = shapeKey(constraint);
        const isSelf = constraint.from === 'avoid' && constraint.goal.carrier; /* parts kept apart show by themselves */
        if (state === 'unmet') drawResidual(d, constraint, result);
        if (seen.has(key) || isSelf) continue;
        seen.add(key);
        const carrier = carrierFrame(constraint.goal, scene, frame);
        const world = handleFrame(constraint, scene, frame, result?.at), place = matrixOrigin(world);
        const isSelected = d.selection?.kind === 'constraint' && d.selection.name === constraint.name;
        const isPinned = isPin(constraint) && !isSelected;
        if (!isPinned) KINDS[constraint.goal.kind]?.(d, world, constraint.goal, color, result?.at, carrier);
        drawHandle(d, constraint, place, color, state, isSelected);
        handles.push({constraint, place, frame: world, carrier});
        if (isSelected || d.hoverGoal === constraint.name || d.settings.show.labels) {
            const suffix = {disabled: ' (off)', idle: ' (another counts)', met: '', unmet: ''}[state];
            d.labels.add(place, plainName(constraint.name) + suffix, {color, rank: isSelected ? 0 : 3, dy: -26});
        }
    }
    return handles;
}

