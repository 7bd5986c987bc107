// Keys that a person asks for: of the whole pose, of what has changed, of a joint, a goal, a weight, a pin.

import {goalFrame, isFixedGoal} from '../document/goal_frame.js';
import {
    findTrack, isEnabledAt, keyEnabled, keyPose, nameOf, quantity, setKey, targetOf,
} from '../document/motion_doc.js';
import {fullName, spoken, startOf} from '../document/names.js';
import {without} from './held.js';
import {jointOf} from './lanes.js';

/**
 * The pose that is seen, by variable.
 * @param {Store} store
 */
export function shownPose(store) {
    return startOf(store.scene, store.frame?.pose ?? []);
}

/**
 * Where a goal is at the time that is seen, as a key has it; null where it has no place that a track could move.
 * @param {Store} store @param {string} name
 */
export function goalNow(store, name) {
    const constraint = store.scene.constraints.find((one) => one.name === name);
    if (!constraint || isFixedGoal(constraint.goal)) return null;
    const moved = store.frame?.goals?.find((one) => one.name === name);
    const {position, rotation = [0, 0, 0, 1]} = moved ?? {};
    if (position) return {point: Array.from(position), quaternion: Array.from(rotation)};
    return goalFrame(constraint.goal);
}

/**
 * The full names of the variables of what is selected: of a joint, or of the joint that moves a segment or site.
 * @param {Scene} scene @param {Selected | null} selection
 */
export function selectedVariables(scene, selection) {
    const figure = scene.figures[selection?.figure ?? -1];
    if (!figure || !selection || selection.kind === 'constraint') return [];
    /** @param {{name: string}} one */
    const isNamed = (one) => one.name === selection.name;
    const segment = selection.kind === 'segment' ? figure.segments.findIndex(isNamed)
        : selection.kind === 'site' ? figure.sites.find(isNamed)?.segment ?? -1 : -1;
    const joint = selection.kind === 'joint' ? selection.name : figure.joints[figure.segments[segment]?.joint]?.name;
    if (!joint) return [];
    const own = figure.joints.find((one) => one.name === joint)?.dofs ?? [];
    const indices = new Set(own.filter((dof) => dof.variable >= 0).map((dof) => dof.variable));
    /** @param {SceneVariable} variable */
    const isOwn = (variable) => indices.has(variable.index) || jointOf(variable.name) === joint;
    return figure.variables.filter(isOwn).map((variable) => fullName(scene, selection.figure, variable.name));
}

/** @param {Record<string, number>} values @param {string[]} names */
const pick = (values, names) =>
    Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));

/**
 * What can be keyed now, as a menu lists it: {id, text, about, run(draft, time) -> refs}; the first is what K does.
 * @param {Store} store
 * @param {{pose: Object<string, number>}|null} unkeyed what was posed at this time and has no key yet
 * @param {Object<string, number>} base the pose of time 0
 * @param {Set<string>} held variables of limbs that pins and goals hold: a pose's keys leave them to the solver
 * @returns {KeyChoice[]}
 */
export function keyChoices(store, unkeyed, base, held) {
    const {scene, selection, doc} = store, shown = shownPose(store);
    /** @type {KeyChoice[]} */
    const choices = [];
    /** @param {Record<string, number>} values @returns {KeyChoice['run']} */
    const posed = (values) => (draft, time) => {
        const keys = keyPose(draft, time, values, base);
        if (time > 0) draft.start = {...draft.start, ...base};
        return keys;
    };
    const constraint = selection?.kind === 'constraint'
        ? scene.constraints.find((one) => one.name === selection.name) : null;
    if (constraint) choices.push(...constraintChoices(store, constraint.name, doc));
    if (unkeyed && Object.keys(unkeyed.pose).length) {
        choices.push({id: 'changed', text: 'Key what changed', about: 'the variables that were posed here',
            run: posed(pick(shown, Object.keys(unkeyed.pose)))});
    }
    const own = selectedVariables(scene, selection);
    if (own.length) {
        choices.push({id: 'joint', text: `Key ${spoken(jointOf(own[0]))}`, about: variablesText(own.length),
            run: posed(pick(shown, own))});
    }
    const free = without(shown, held), whole = {id: 'pose', text: 'Key the pose', run: posed(free),
        about: variablesText(Object.keys(free).length) + (held.size ? '; held limbs follow their pins and goals' : '')};
    if (unkeyed || constraint) choices.push(whole);
    else choices.unshift(whole); // nothing changed: the whole pose
    if (held.size) {
        choices.push({id: 'all', text: 'Key every variable', about: 'also of limbs that pins and goals hold',
            run: posed(shown)});
    }
    return choices;
}

/** @param {number} count */
const variablesText = (count) => (count === 1 ? 'one variable' : `${count} variables`);

/** @param {Store} store @param {string} name @param {Doc} doc @returns {KeyChoice[]} */
function constraintChoices(store, name, doc) {
    const listed = constraintIn(doc, name), frame = goalNow(store, name);
    const title = spoken(name), isPin = name.startsWith('pin ');
    /** @type {KeyChoice} */
    const onOff = {id: 'enabled', text: `Switch ${title} on or off here`, about: 'a key that changes whether it counts',
        run: (draft, time) => [keyEnabled(draft, name, time, !isEnabledAt(draft, name, time))]};
    /** @type {KeyChoice | null} */
    const goal = frame && {id: 'goal', text: `Key where ${title} is`, about: 'point and rotation',
        run: (draft, time) => [setKey(draft, 'goal', name, time, frame)]};
    /** @type {KeyChoice} */
    const weight = {id: 'weight', text: `Key the weight of ${title}`, about: 'how much it counts',
        run: (draft, time) => [setKey(draft, 'weight', name, time, {value: weightNow(store, name, listed)})]};
    const where = goal ? [goal] : [];
    return [...(isPin ? [onOff, ...where] : [...where, onOff]), weight];
}

/** @param {Doc} doc @param {string} name */
const constraintIn = (doc, name) => doc.constraints?.find((one) => one.name === name);

/** @param {Store} store @param {string} name @param {DocConstraint | undefined} listed */
function weightNow(store, name, listed) {
    return store.frame?.goals?.find((one) => one.name === name)?.weight ?? quantity(listed?.weight ?? 1);
}

/**
 * A key of a lane's tracks at the time that is seen: run(draft, time) -> refs; null where it cannot be had.
 * @param {Store} store @param {Lane} lane
 * @returns {KeyChoice['run'] | null}
 */
export function laneKey(store, lane) {
    const shown = shownPose(store);
    if (lane.isReadOnly || !lane.tracks.length) return null;
    return (draft, time) => lane.tracks.flatMap((track) => {
        const target = targetOf(track), name = nameOf(track);
        /** @param {{value: number} | KeyPlace | false | null} content */
        const keyed = (content) => (content ? [setKey(draft, target, name, time, content)] : []);
        switch (target) {
        case 'variable': return keyed(name in shown && {value: shown[name]});
        case 'goal': return keyed(goalNow(store, name));
        case 'enabled': return [keyEnabled(draft, name, time, !isEnabledAt(draft, name, time))];
        case 'weight': return keyed({value: weightNow(store, name, constraintIn(draft, name))});
        default: return keyAsBefore(draft, track, time);
        }
    });
}

/**
 * Other tracks repeat the key before: it can be changed then.
 * @param {Doc} draft @param {Track} track @param {number} time
 */
function keyAsBefore(draft, track, time) {
    const {keys} = findTrack(draft, targetOf(track), nameOf(track)) ?? track;
    const {time: _, interpolation, ...content} = keys.filter((key) => key.time <= time).at(-1) ?? keys[0];
    return [setKey(draft, targetOf(track), nameOf(track), time, structuredClone(content), interpolation)];
}
