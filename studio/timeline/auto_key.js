// What a change of the document at a time of the motion means as keys. A document has one start pose and one place for
// each goal, those of time 0; what is posed, moved, switched or weighed at another time becomes a key there, and the
// start goes back to what it was.

import {without} from './held.js';
import {findTrack, keyEnabled, keyPinOn, keyPose, quantity, setKey} from '../motion_doc.js';

const MOVED = 1e-4; // radians or metres: less is no change, but what solving leaves

const sameJson = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What differs between two documents, as far as keys can hold it.
 * @param {object} before
 * @param {object} after
 * @param {Object<string, number>} shown the pose that was seen before, by variable
 * @returns {{pose: Object<string, number>, goals: string[], weights: string[], switches: string[], pins: string[],
 *     isEmpty: boolean}} pins: those that are new
 */
export function changesOf(before, after, shown) {
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

/** Changes without the variables of limbs that pins and goals hold: those are the solver's. */
export function withoutHeld(changes, held) {
    const kept = {...changes, pose: without(changes.pose, held)};
    return {...kept, isEmpty: isEmpty(kept)};
}

/** Of changes at time 0, those of things that have keys: for the others the start and the goals themselves count. */
export function keyedChanges(doc, changes) {
    const has = (target) => (name) => Boolean(findTrack(doc, target, name));
    const pose = Object.fromEntries(Object.entries(changes.pose).filter(([name]) => has('variable')(name)));
    const kept = {pose, goals: changes.goals.filter(has('goal')), weights: changes.weights.filter(has('weight')),
        switches: changes.switches.filter(has('enabled')), pins: []};
    return {...kept, isEmpty: isEmpty(kept)};
}

const isEmpty = ({pose, goals, weights, switches, pins}) =>
    !Object.keys(pose).length && !goals.length && !weights.length && !switches.length && !pins.length;

/** A weight's key at time 0, where it had none: what it was. */
function keyWeight(draft, was, now, time) {
    const {name} = was, isFirst = time > 0 && !findTrack(draft, 'weight', name);
    if (isFirst) setKey(draft, 'weight', name, 0, {value: quantity(was.weight ?? 1)});
    return setKey(draft, 'weight', name, time, {value: quantity(now.weight ?? 1)});
}

/**
 * Makes keys of changes, in the document that has them.
 * @param {object} draft
 * @param {object} before the document without them
 * @param {number} time
 * @param {ReturnType<typeof changesOf>} changes
 * @param {{base: Object<string, number>, frames: (name: string) => object,
 *     framesBefore: (name: string) => object}} places base: the pose of time 0; frames: where goals are now (as keys
 *     have it), and where they were
 * @returns {{track: string, time: number}[]} the keys
 */
export function keyChanges(draft, before, time, changes, {base, frames, framesBefore}) {
    const old = new Map((before.constraints ?? []).map((one) => [one.name, one])), keys = [];
    const now = (name) => draft.constraints.find((one) => one.name === name);
    for (const name of changes.goals) {
        if (time > 0 && !findTrack(draft, 'goal', name)) setKey(draft, 'goal', name, 0, framesBefore(name));
        keys.push(setKey(draft, 'goal', name, time, frames(name)));
        if (time > 0) now(name).goal = structuredClone(old.get(name).goal);
    }
    for (const name of changes.weights) {
        keys.push(keyWeight(draft, old.get(name), now(name), time));
        if (time > 0) restore(now(name), old.get(name), 'weight');
    }
    for (const name of changes.switches) {
        const isOn = !now(name).disabled;
        if (time > 0) restore(now(name), old.get(name), 'disabled');
        keys.push(keyEnabled(draft, name, time, isOn));
    }
    for (const name of changes.pins) keys.push(...keyPinOn(draft, name, time, frames(name)));
    keys.push(...keyPose(draft, time, changes.pose, base));
    if (time > 0) draft.start = {...draft.start, ...base};
    return keys;
}

function restore(now, was, key) {
    if (was[key] === undefined) delete now[key];
    else now[key] = was[key];
}

/** What was keyed, for the history: "right elbow, left knee", "12 variables". */
export function changesText(changes) {
    const {pins, goals, weights, switches, pose} = changes;
    const names = [...pins, ...goals, ...weights, ...switches, ...Object.keys(pose)];
    return names.length <= 2 ? names.join(', ') : `${names.length} things`;
}
