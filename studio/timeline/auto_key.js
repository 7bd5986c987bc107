// What a change of the document at a time of the motion means as keys. A document has one start pose and one place for
// each goal, those of time 0; what is posed, moved, switched or weighed at another time becomes a key there, and the
// start goes back to what it was.

import {without} from './held.js';
import {findTrack, keyEnabled, keyPinOn, keyPose, quantity, setKey} from '../document/motion_doc.js';

const MOVED = 1e-4; // radians or metres: less is no change, but what solving leaves

/** @param {unknown} a @param {unknown} b */
const sameJson = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What differs between two documents, as far as keys can hold it.
 * @param {Doc} before
 * @param {Doc} after
 * @param {Object<string, number>} shown the pose that was seen before, by variable
 * @returns {Changes}
 */
export function changesOf(before, after, shown) {
    /** @type {Changes} */
    const changes = {pose: {}, goals: [], weights: [], switches: [], pins: [], isEmpty: true};
    const old = new Map((before.constraints ?? []).map((one) => [one.name, one]));
    for (const now of after.constraints ?? []) {
        const was = old.get(now.name);
        if (!was && now.name?.startsWith('pin ')) changes.pins.push(now.name);
        if (!was) continue;
        if (!sameJson(was.goal, now.goal)) changes.goals.push(now.name);
        if (!sameJson(was.weight, now.weight)) changes.weights.push(now.name);
        if (Boolean(was.disabled) !== Boolean(now.disabled)) changes.switches.push(now.name);
    }
    const isPosed = sameJson(before.constraints, after.constraints); // else the pose only followed what was asked
    for (const [name, value] of Object.entries(isPosed ? after.start ?? {} : {})) {
        if (Math.abs(value - (shown[name] ?? value)) > MOVED) changes.pose[name] = value;
    }
    changes.isEmpty = isEmpty(changes);
    return changes;
}

/**
 * Changes without the variables of limbs that pins and goals hold: those are the solver's.
 * @param {Changes} changes @param {Set<string>} held
 */
export function withoutHeld(changes, held) {
    const kept = {...changes, pose: without(changes.pose, held)};
    return {...kept, isEmpty: isEmpty(kept)};
}

/**
 * Of changes at time 0, those of things that have keys: for the others the start and the goals themselves count.
 * @param {Doc} doc @param {Changes} changes
 */
export function keyedChanges(doc, changes) {
    /** @param {Target} target */
    const has = (target) => (/** @type {string} */ name) => Boolean(findTrack(doc, target, name));
    const pose = Object.fromEntries(Object.entries(changes.pose).filter(([name]) => has('variable')(name)));
    const kept = {pose, goals: changes.goals.filter(has('goal')), weights: changes.weights.filter(has('weight')),
        switches: changes.switches.filter(has('enabled')), pins: []};
    return {...kept, isEmpty: isEmpty(kept)};
}

/** @param {Changes} of */
const isEmpty = ({pose, goals, weights, switches, pins}) =>
    !Object.keys(pose).length && !goals.length && !weights.length && !switches.length && !pins.length;

/**
 * A weight's key at time 0, where it had none: what it was.
 * @param {Doc} draft @param {DocConstraint} was @param {DocConstraint} now @param {number} time
 */
function keyWeight(draft, was, now, time) {
    const {name} = was, isFirst = time > 0 && !findTrack(draft, 'weight', name);
    if (isFirst) setKey(draft, 'weight', name, 0, {value: quantity(was.weight ?? 1)});
    return setKey(draft, 'weight', name, time, {value: quantity(now.weight ?? 1)});
}

/**
 * Makes keys of changes, in the document that has them.
 * @param {Doc} draft
 * @param {Doc} before the document without them
 * @param {number} time
 * @param {Changes} changes
 * @param {{base: Object<string, number>, frames: (name: string) => KeyPlace,
 *     framesBefore: (name: string) => KeyPlace}} places base: the pose of time 0; frames: where goals are now (as keys
 *     have it), and where they were
 * @returns {{track: string, time: number}[]} the keys
 */
export function keyChanges(draft, before, time, changes, {base, frames, framesBefore}) {
    const old = new Map((before.constraints ?? []).map((one) => [one.name, one])), keys = [];
    /** @param {string} name */
    const now = (name) => draft.constraints.find((one) => one.name === name);
    for (const name of changes.goals) {
        if (time > 0 && !findTrack(draft, 'goal', name)) setKey(draft, 'goal', name, 0, framesBefore(name));
        keys.push(setKey(draft, 'goal', name, time, frames(name)));
        const is = now(name), was = old.get(name);
        if (time > 0 && is && was) is.goal = structuredClone(was.goal);
    }
    for (const name of changes.weights) {
        const is = now(name), was = old.get(name);
        if (!is || !was) continue;
        keys.push(keyWeight(draft, was, is, time));
        if (time > 0) restore(is, was, 'weight');
    }
    for (const name of changes.switches) {
        const is = now(name), was = old.get(name), isOn = !is?.disabled;
        if (time > 0 && is && was) restore(is, was, 'disabled');
        keys.push(keyEnabled(draft, name, time, isOn));
    }
    for (const name of changes.pins) keys.push(...keyPinOn(draft, name, time, frames(name)));
    keys.push(...keyPose(draft, time, changes.pose, base));
    if (time > 0) draft.start = {...draft.start, ...base};
    return keys;
}

/** @param {DocConstraint} now @param {DocConstraint} was @param {'weight' | 'disabled'} key */
function restore(now, was, key) {
    if (was[key] === undefined) delete now[key];
    else Object.assign(now, {[key]: was[key]});
}

/**
 * What was keyed, for the history: "right elbow, left knee", "12 variables".
 * @param {Changes} changes
 */
export function changesText(changes) {
    const {pins, goals, weights, switches, pose} = changes;
    const names = [...pins, ...goals, ...weights, ...switches, ...Object.keys(pose)];
    return names.length <= 2 ? names.join(', ') : `${names.length} things`;
}
