// What the timeline shows: lanes with keys and stretches, from the document's motion and from what the engine says of
// scripts and clips. Pure: the view of it is lane_view.js.

import {keyTimes, nameOf, quantity, sameTime, targetOf, trackId, tracksOf} from '../document/motion_doc.js';
import {spoken} from '../document/names.js';

const WHAT = {variable: 'pose', joint: 'rotation', root: 'root', goal: 'goal', weight: 'weight', enabled: 'on / off',
    active: 'may move', limits: 'limits'};

/**
 * The joint (or group) that a variable belongs to: `right_elbow.flexion` is of `right_elbow`.
 * @param {string} variable
 */
export const jointOf = (variable) => (variable.includes('.') ? variable.slice(0, variable.lastIndexOf('.')) : variable);

/**
 * Keys of several tracks, those at one time together.
 * @param {Track[]} tracks
 */
function keysOf(tracks) {
    return keyTimes(tracks).map((time) => {
        const refs = [], ways = new Set();
        for (const track of tracks) {
            const key = track.keys.find((one) => sameTime(one.time, time));
            if (!key) continue;
            refs.push({track: trackId(track), time: key.time});
            ways.add(key.interpolation ?? 'linear');
        }
        return {time, refs, way: ways.size === 1 ? [...ways][0] : 'mixed'};
    });
}

/**
 * The stretches between keys, by how they are gone through.
 * @param {LaneKey[]} keys
 */
function waySpans(keys) {
    return keys.slice(0, -1).map((key, i) => ({from: key.time, to: keys[i + 1].time, kind: key.way}));
}

/**
 * Where something is on and where off, from the beginning to the end.
 * @param {Track} track @param {number} end
 */
function switchSpans(track, end) {
    /** @type {Span[]} */
    const spans = [];
    track.keys.forEach((key, i) => {
        const kind = quantity(key.value) >= 0.5 ? 'on' : 'off';
        const from = i === 0 ? 0 : key.time, to = track.keys[i + 1]?.time ?? Math.max(end, key.time);
        const last = spans.at(-1);
        if (last?.kind === kind) last.to = to;
        else spans.push({from, to, kind});
    });
    return spans;
}

/**
 * @param {string} id @param {string} label @param {Track[]} tracks
 * @param {Partial<Lane> & {end: number}} properties
 * @returns {Lane}
 */
function laneOf(id, label, tracks, properties) {
    const keys = keysOf(tracks), isSwitch = ['enabled', 'active'].includes(targetOf(tracks[0]));
    return {id, label, what: WHAT[targetOf(tracks[0])], depth: 0, isGroup: false, isOpen: false, isReadOnly: false,
        tracks, keys, spans: isSwitch ? switchSpans(tracks[0], properties.end) : waySpans(keys), ...properties};
}

/**
 * The pose's lanes: one for all that has keys, below it one a joint, below that one a variable.
 * @param {Track[]} tracks @param {Set<string>} opened @param {number} end
 */
function poseLanes(tracks, opened, end) {
    if (!tracks.length) return [];
    const isOpen = opened.has('pose'), lanes = [laneOf('pose', 'Pose', tracks, {what: '', isGroup: true, isOpen, end})];
    if (!isOpen) return lanes;
    for (const [joint, own] of byJoint(tracks)) {
        const id = `joint ${joint}`, isGroup = own.length > 1, isJointOpen = isGroup && opened.has(id);
        const label = spoken(isGroup ? joint : nameOf(own[0]));
        lanes.push(laneOf(id, label, own, {what: '', depth: 1, isGroup, isOpen: isJointOpen, end}));
        for (const track of isJointOpen ? own : []) {
            const part = spoken(nameOf(track).slice(joint.length + 1));
            lanes.push(laneOf(trackId(track), part, [track], {what: '', depth: 2, end}));
        }
    }
    return lanes;
}

/**
 * The tracks of each joint together.
 * @param {Track[]} tracks
 * @returns {Map<string, Track[]>}
 */
function byJoint(tracks) {
    const groups = new Map();
    for (const track of tracks) {
        const joint = jointOf(nameOf(track));
        groups.set(joint, [...(groups.get(joint) ?? []), track]);
    }
    return groups;
}

/**
 * @param {string} id @param {string} label @param {string} what
 * @param {Span[]} spans @param {number[]} [times]
 * @returns {Lane}
 */
function readOnlyLane(id, label, what, spans, times = []) {
    return {id, label, what, depth: 0, isGroup: false, isOpen: false, isReadOnly: true, tracks: [],
        keys: times.map((time) => ({time, refs: [], way: 'linear'})), spans};
}

/**
 * What is carried, from when to when.
 * @param {Doc} doc @param {number} end
 */
function carryLanes(doc, end) {
    return (doc.motion?.carry ?? []).map(({object, segment, from = 0, to = end}, i) =>
        readOnlyLane(`carry ${i}`, spoken(object), `held by ${spoken(segment)}`,
            [{from: quantity(from), to: quantity(to), kind: 'carried'}]));
}

/**
 * A script's or clip's lanes, which cannot be changed.
 * @param {SceneMotion | null} motion
 */
function playedLanes(motion) {
    if (!motion || motion.kind === 'tracks') return [];
    const lanes = (motion.lanes ?? []).map((lane, i) =>
        readOnlyLane(`played ${i}`, lane.name, '', spansOfTimes(lane), lane.keys ?? []));
    if (motion.kind === 'clip') {
        const span = {from: 0, to: motion.end, kind: 'clip', steps: motion.frameCount - 1};
        lanes.unshift(readOnlyLane('clip', motion.name || 'Motion', `${motion.frameCount} frames`, [span]));
    }
    /** @type {Map<string, SceneMotion['contacts']>} */
    const contacts = new Map();
    for (const one of motion.contacts ?? []) contacts.set(one.name, [...(contacts.get(one.name) ?? []), one]);
    for (const [name, list] of contacts) {
        const spans = list.map(({from, to}) => ({from, to, kind: 'contact'}));
        lanes.push(readOnlyLane(`contact ${name}`, spoken(name), 'stands', spans));
    }
    return lanes;
}

/** @param {{keys?: number[], from: number, to: number}} of @returns {Span[]} */
function spansOfTimes({keys = [], from, to}) {
    if (from !== undefined && to !== undefined) return [{from, to, kind: 'on'}];
    return keys.slice(0, -1).map((time, i) => ({from: time, to: keys[i + 1], kind: 'linear'}));
}

/**
 * What there is to say of a script or clip in a line: "120 frames, 4.00 s".
 * @param {SceneMotion | null} motion
 */
export function motionText(motion) {
    if (!motion || motion.kind === 'tracks') return '';
    if (motion.kind === 'script') return `Script, ${motion.end.toFixed(2)} s`;
    return `${motion.frameCount} frames, ${motion.end.toFixed(2)} s`;
}

/**
 * @param {Doc} doc
 * @param {SceneMotion | null} motion the scene's
 * @param {{opened: Set<string>, end: number}} view which groups are open, how far is shown
 * @returns {Lane[]}
 */
export function lanesOf(doc, motion, {opened, end}) {
    const tracks = tracksOf(doc);
    /** @param {Track} track */
    const isPose = (track) => ['variable', 'joint', 'root'].includes(targetOf(track));
    const others = tracks.filter((track) => !isPose(track));
    others.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
    return [
        ...poseLanes(tracks.filter(isPose), opened, end),
        ...others.map((track) => laneOf(trackId(track), spoken(nameOf(track)), [track], {end})),
        ...carryLanes(doc, end), ...playedLanes(motion),
    ];
}

/**
 * Round times for the ruler: a step for labels, and one for marks in between (of frames, where there is room).
 * @param {number} span @param {number} width @param {number} fps
 */
export function rulerSteps(span, width, fps) {
    const least = (span * 56) / Math.max(width, 56); // a label needs so many seconds' room
    const label = LABEL_STEPS.find((step) => step >= least) ?? roundUp(least);
    /** @param {number} step */
    const hasRoom = (step) => (step / span) * width >= 6;
    const mark = [1 / fps, ...LABEL_STEPS].find((step) => step < label && hasRoom(step)
        && (step === 1 / fps || isWhole(label / step)));
    return {label, mark: mark ?? label};
}

const LABEL_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];
/** @param {number} value */
const isWhole = (value) => Math.abs(value - Math.round(value)) < 1e-6;

/** @param {number} value @returns {number} */
function roundUp(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return ([1, 2, 5].find((n) => n * power >= value) ?? 10) * power;
}
