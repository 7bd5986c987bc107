// Limbs that pins and goals hold: a foot on the ground, a hand on its goal. Keys of a pose leave such limbs to the
// solver, so that what is held stays held between the keys as well; joint angles that are interpolated would let feet
// slide.

import {findTrack, isEnabledAt} from '../document/motion_doc.js';
import {fullName} from '../document/names.js';
import {distance} from '../math/vector.js';

const STAYED = 2e-3; // metres: what moved more was pulled away on purpose
const BY_DIRECTION = ['aim', 'orientation']; // goals that do not say where

/**
 * Where the parts are that constraints hold: those that are met.
 * @param {Scene} scene @param {PoseFrame} frame
 * @returns {Map<string, number[]>} by the constraint's name
 */
export function placesHeld(scene, frame) {
    /** @param {Reached} one */
    const isHeld = (one) => one.met && one.counted;
    const met = new Map((frame?.constraints ?? []).filter(isHeld).map((one) => [one.name, one]));
    const held = scene.constraints.filter((one) => met.has(one.name) && ['constraints', 'keep'].includes(one.from)
        && one.effector?.kind !== 'com' && one.segment >= 0);
    return new Map(held.map((one) => [one.name, Array.from(met.get(one.name)?.at ?? [])]));
}

/**
 * The joints of a limb: from a segment up to where the figure branches.
 * @param {SceneFigure} figure @param {number} segment
 * @returns {SceneJoint[]}
 */
export function limbOf(figure, segment) {
    const branches = new Map(), joints = [];
    for (const {parent} of figure.segments) branches.set(parent, (branches.get(parent) ?? 0) + 1);
    for (let s = segment; s >= 0 && figure.segments[s].joint >= 0; s = figure.segments[s].parent) {
        joints.push(figure.joints[figure.segments[s].joint]);
        if (branches.get(figure.segments[s].parent) > 1) break;
    }
    return joints;
}

/**
 * The variables, by full name, that keys of a pose leave to the solver: of limbs that were held and still are where
 * they were held. What has keys already goes on having them.
 * @param {Doc} doc
 * @param {Scene} scene
 * @param {PoseFrame} frame as it is now
 * @param {Map<string, number[]>} places as it was: placesHeld
 * @param {number} time
 * @returns {Set<string>}
 */
export function heldVariables(doc, scene, frame, places, time) {
    const now = new Map((frame?.constraints ?? []).map((one) => [one.name, one.at])), names = new Set();
    for (const {name, figure: k, segment, goal} of scene.constraints) {
        const was = places.get(name), is = now.get(name);
        if (!was || !is || !isEnabledAt(doc, name, time)) continue;
        const isThere = BY_DIRECTION.includes(goal.kind) || distance(was, is) < STAYED;
        const figure = scene.figures[k], indices = new Set(isThere ? limbOf(figure, segment).flatMap((joint) =>
            joint.dofs.map((dof) => dof.variable).filter((variable) => variable >= 0)) : []);
        for (const variable of figure.variables) {
            const full = fullName(scene, k, variable.name);
            if (indices.has(variable.index) && !findTrack(doc, 'variable', full)) names.add(full);
        }
    }
    return names;
}

/**
 * A pose without some of its variables.
 * @param {Record<string, number>} pose @param {Set<string>} names
 */
export const without = (pose, names) => Object.fromEntries(Object.entries(pose).filter(([name]) => !names.has(name)));
