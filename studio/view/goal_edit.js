/* A goal that was moved in the view, written back into the document: the rigid motion that took it from where it was to
 * where it is, applied to every point and direction that the problem file has for it. */
import {cross, dot, frameOf, frameOfAxes, invert, multiply, normalize, quaternionAbout, quaternionMultiply, quaternionOf,
    toWorld, vectorToWorld} from './vec.js';

const UNITS = {mm: 1e-3, cm: 1e-2, m: 1, km: 1e3, in: 0.0254, ft: 0.3048, deg: Math.PI / 180, rad: 1};

/** A number of a problem file: plain, or a text with a unit. */
export function numberOf(value) {
    if (typeof value === 'number') return value;
    const match = /^\s*([-+0-9.eE]+?)\s*(mm|cm|km|m|in|ft|deg|rad)?\s*$/.exec(String(value));
    return match ? Number(match[1]) * (UNITS[match[2]] ?? 1) : NaN;
}

const vectorOf = (list) => list.map(numberOf);

/** Written with what matters: a hundredth of a micrometre. */
const tidy = (list) => list.map((v) => Number(v.toFixed(8)));

function quaternionOfGoal(goal) {
    if (goal.quaternion) return normalize4(vectorOf(goal.quaternion));
    const [roll, pitch, yaw] = vectorOf(goal.rpy);
    return quaternionMultiply(quaternionMultiply(quaternionAbout([0, 0, 1], yaw), quaternionAbout([0, 1, 0], pitch)),
        quaternionAbout([1, 0, 0], roll));
}

function normalize4(q) {
    const length = Math.hypot(...q);
    return q.map((v) => v / length);
}

/**
 * Moves a goal of the document by a motion, a frame [12] in the coordinates that the goal is written in.
 * @param {object} goal of a problem file; changed
 */
export function moveGoal(goal, motion) {
    const turn = quaternionOf(motion);
    for (const key of ['point', 'to']) {
        if (goal[key]) goal[key] = tidy(toWorld(motion, vectorOf(goal[key])));
    }
    if (!goal.point && goal.relative_to !== undefined && goal.kind !== 'orientation') goal.point = tidy(toWorld(motion, [0, 0, 0]));
    for (const key of ['x', 'y', 'normal', 'direction']) {
        if (goal[key]) goal[key] = tidy(vectorToWorld(motion, vectorOf(goal[key])));
    }
    const isTurned = 1 - Math.abs(turn[3]) > 1e-12;
    if (isTurned && (goal.rpy || goal.quaternion)) {
        goal.quaternion = tidy(quaternionMultiply(turn, quaternionOfGoal(goal)));
        delete goal.rpy;
    } else if (isTurned && goal.kind === 'box') {
        goal.quaternion = tidy(turn);
    }
    if (goal.faces) {
        goal.faces = goal.faces.map((face) => {
            const f = vectorOf(face), n = vectorToWorld(motion, f);
            return tidy([...n, f[3] + dot(n, [motion[3], motion[7], motion[11]])]);
        });
    }
}

/** The frame of the site that a document's goal is relative to, in its segment; null where it is the segment's own. */
function carrierSite(goal, scene) {
    const of = goal.relative_to;
    if (of === undefined || (typeof of === 'object' && of.segment)) return null;
    const full = typeof of === 'string' ? of : of.site, colon = full.indexOf(':');
    const figure = colon < 0 ? scene.figures[0] : scene.figures.find((f) => f.name === full.slice(0, colon)) ?? scene.figures[0];
    const name = colon < 0 ? full : full.slice(colon + 1), dotAt = name.lastIndexOf('.');
    const site = figure.sites.find((s) => s.name === name)
        ?? figure.sites.find((s) => s.name === name.slice(dotAt + 1) && figure.segments[s.segment].name === name.slice(0, dotAt));
    return site ? frameOf(site.position, site.rotation) : null;
}

/** The goal of a constraint where the document has it, or null where it has none that can be moved. */
export function goalOfDocument(doc, constraint) {
    if (constraint.from === 'constraints') return doc.constraints?.[constraint.index]?.goal ?? null;
    if (constraint.from === 'avoid') return doc.avoid?.[constraint.index]?.obstacle ?? null;
    return null;
}

/**
 * Writes into a draft that a constraint's goal went from one frame to another (both in its carrier's frame).
 * @returns {boolean} whether there was something to change
 */
export function writeGoalMove(draft, scene, constraint, before, after) {
    const goal = goalOfDocument(draft, constraint);
    if (!goal) return false;
    const site = carrierSite(goal, scene), motion = multiply(after, invert(before));
    moveGoal(goal, site ? multiply(invert(site), multiply(motion, site)) : motion);
    return true;
}

/** The scene's own picture of a goal after the same move, for drawing while it is under way. */
export function movedGoal(goal, before, after) {
    const motion = multiply(after, invert(before)), turn = quaternionOf(motion);
    const vector = (v) => (v ? vectorToWorld(motion, v) : v);
    return {
        ...goal, point: toWorld(motion, goal.point), x: vector(goal.x), y: vector(goal.y), normal: vector(goal.normal),
        rotation: quaternionMultiply(turn, goal.rotation),
        faces: goal.faces?.map((f) => {
            const n = vectorToWorld(motion, f);
            return [...n, f[3] + dot(n, [motion[3], motion[7], motion[11]])];
        }),
    };
}

/** What goalMove wants: the frame whose x, y, z become the goal's x, y and normal. */
export function engineFrame(goal) {
    let rotation = goal.rotation;
    if (goal.kind === 'orientation' || goal.kind === 'frame') {
        const x = normalize(goal.x), y = normalize(goal.y);
        rotation = quaternionOf(frameOfAxes([0, 0, 0], x, y, cross(x, y)));
    } else if (goal.kind === 'line' || goal.kind === 'plane' || goal.kind === 'half-space') {
        const z = normalize(goal.normal), x = normalize(cross(z, Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
        rotation = quaternionOf(frameOfAxes([0, 0, 0], x, cross(z, x), z));
    }
    return {position: [...goal.point], rotation: [...rotation]};
}

