// The motion of a document: tracks and their keys, as pure functions on the plain object that a problem file is
// (docs/problem-files.md, "Motion"). Functions that change something change the document they are given, so that
// store.edit(label, (draft) => setKey(draft, ...)) makes every one of them undoable.

/** @type {Target[]} What a track can be of, in the order in which the timeline shows it. */
export const TARGETS = ['variable', 'joint', 'root', 'goal', 'weight', 'enabled', 'active', 'limits'];
export const INTERPOLATIONS = ['step', 'linear', 'catmull-rom', 'cubic'];
export const ENDS = ['natural', 'clamped', 'periodic'];
export const LATEST = 1e6; // seconds; the reader takes none later

const SAME_TIME = 1e-6; // seconds: keys nearer than this are one key
const OF_CONSTRAINTS = ['goal', 'weight', 'enabled'];
/** @type {Record<string, number>} */
const UNITS = {deg: Math.PI / 180, rad: 1, m: 1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048};

/**
 * A number as problem files have them: SI, or a string with a unit ("90deg"); NaN where it is neither.
 * @param {unknown} value
 */
export function quantity(value) {
    if (typeof value === 'number') return value;
    const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-z]*)\s*$/.exec(String(value));
    if (!match || (match[2] && !(match[2] in UNITS))) return NaN;
    return Number(match[1]) * (match[2] ? UNITS[match[2]] : 1);
}

/**
 * Whether two times are one.
 * @param {number} a @param {number} b
 */
export const sameTime = (a, b) => Math.abs(a - b) < SAME_TIME;

/**
 * @param {Track} track
 * @returns {Target} what the track is of; of one of nothing, which the reader refuses: 'variable'
 */
export const targetOf = (track) => TARGETS.find((target) => typeof track[target] === 'string') ?? 'variable';

/**
 * @param {Track} track
 * @returns {string} the name of what the track is of
 */
export const nameOf = (track) => track[targetOf(track)] ?? '';

/**
 * @param {Track} track
 * @returns {string} the track's id, as key references have it: "goal:hand"
 */
export const trackId = (track) => `${targetOf(track)}:${nameOf(track)}`;

/**
 * @param {Doc} doc
 * @returns {Track[]}
 */
export const tracksOf = (doc) => doc.motion?.tracks ?? [];

/**
 * @param {Doc} doc @param {Target} target @param {string} name
 * @returns {Track|undefined}
 */
export const findTrack = (doc, target, name) => tracksOf(doc).find((track) => track[target] === name);

/** @param {Doc} doc @param {string} id */
const trackById = (doc, id) => tracksOf(doc).find((track) => trackId(track) === id);

/**
 * @param {Track | undefined} track @param {number} time
 * @returns {Key|undefined} the track's key at a time
 */
export const keyAt = (track, time) => track?.keys.find((key) => sameTime(key.time, time));

/**
 * The interpolation that keys of a target begin with: what can only be on or off jumps, what moves moves smoothly.
 * @param {Target} target
 */
export function usualInterpolation(target) {
    if (target === 'enabled' || target === 'active') return 'step';
    return target === 'weight' || target === 'limits' ? 'linear' : 'catmull-rom';
}

/**
 * A track of a thing, made where there is none.
 * @param {Doc} doc @param {Target} target @param {string} name
 */
export function ensureTrack(doc, target, name) {
    let track = findTrack(doc, target, name);
    if (!track) {
        doc.motion ??= {};
        doc.motion.tracks ??= [];
        track = {[target]: name, keys: []};
        if (usualInterpolation(target) === 'catmull-rom') track.ends = 'clamped'; // begins and ends at rest
        doc.motion.tracks.push(track);
    }
    return track;
}

/**
 * The interpolation of a new key: as the key before it (or after it) has it.
 * @param {Track} track @param {number} time
 */
function neighbourInterpolation(track, time) {
    const before = track.keys.filter((key) => key.time <= time).at(-1) ?? track.keys[0];
    return before ? (before.interpolation ?? 'linear') : usualInterpolation(targetOf(track));
}

/**
 * Puts a key into its place; one that is there at that time is replaced.
 * @param {Track} track @param {Key} key
 */
function putKey(track, key) {
    track.keys = track.keys.filter((other) => !sameTime(other.time, key.time));
    track.keys.push(key);
    track.keys.sort((a, b) => a.time - b.time);
}

/** @param {number} time */
const roundTime = (time) => Math.min(LATEST, Math.max(0, Math.round(time * 1e9) / 1e9));

/**
 * Sets the key of a thing at a time.
 * @param {Doc} doc
 * @param {Target} target
 * @param {string} name of the constraint, variable, joint or figure
 * @param {number} time seconds
 * @param {Omit<Key, 'time' | 'interpolation'>} content
 * @param {string} [interpolation] that of the key that is there, or of its neighbour, unless given
 * @returns {KeyRef}
 */
export function setKey(doc, target, name, time, content, interpolation) {
    const track = ensureTrack(doc, target, name), at = roundTime(time), old = keyAt(track, at);
    const way = interpolation ?? old?.interpolation ?? neighbourInterpolation(track, at);
    putKey(track, {time: old ? old.time : at, ...content, interpolation: way});
    return {track: trackId(track), time: old ? old.time : at};
}

/**
 * Sets keys of variables at a time. A variable that had no track gets, where `base` has it, a first key at time 0 with
 * that value: it is there that the motion comes from.
 * @param {Doc} doc @param {number} time
 * @param {Object<string, number>} values by variable
 * @param {Object<string, number>} [base] the pose at time 0
 * @param {string} [interpolation]
 */
export function keyPose(doc, time, values, base, interpolation) {
    return Object.entries(values).map(([name, value]) => {
        if (base && name in base && time > SAME_TIME && !findTrack(doc, 'variable', name)) {
            setKey(doc, 'variable', name, 0, {value: base[name]}, interpolation);
        }
        return setKey(doc, 'variable', name, time, {value}, interpolation);
    });
}

/**
 * Whether the constraint is on at a time: by its track, else by its `disabled`.
 * @param {Doc} doc @param {string} name @param {number} time
 */
export function isEnabledAt(doc, name, time) {
    const track = findTrack(doc, 'enabled', name);
    if (!track) return !doc.constraints?.find((one) => one.name === name)?.disabled;
    const before = track.keys.filter((key) => key.time <= time + SAME_TIME).at(-1) ?? track.keys[0];
    return quantity(before.value) >= 0.5;
}

/**
 * A key that turns a constraint on or off at a time; before the first such key it is as it was.
 * @param {Doc} doc @param {string} name @param {number} time @param {boolean} on
 */
export function keyEnabled(doc, name, time, on) {
    if (!findTrack(doc, 'enabled', name) && time > SAME_TIME) {
        setKey(doc, 'enabled', name, 0, {value: isEnabledAt(doc, name, 0) ? 1 : 0}, 'step');
    }
    return setKey(doc, 'enabled', name, time, {value: on ? 1 : 0}, 'step');
}

/**
 * A pin takes hold at a time, at a place; before its first such key it does not hold.
 * @param {Doc} doc @param {string} name @param {number} time
 * @param {{point: number[], quaternion: number[]}} place where the part is then
 * @param {{point: number[], quaternion: number[]}} [before] where it held until now, where it did
 */
export function keyPinOn(doc, name, time, place, before) {
    if (before && !findTrack(doc, 'goal', name)) setKey(doc, 'goal', name, 0, before, 'step');
    if (!findTrack(doc, 'enabled', name)) setKey(doc, 'enabled', name, 0, {value: time > SAME_TIME ? 0 : 1}, 'step');
    setKey(doc, 'goal', name, time, place, 'step');
    return [setKey(doc, 'enabled', name, time, {value: 1}, 'step')];
}

/**
 * A pin lets go at a time; until then it holds where it did.
 * @param {Doc} doc @param {string} name @param {number} time
 */
export const keyPinOff = (doc, name, time) => [keyEnabled(doc, name, time, false)];

/**
 * @param {Doc} doc @param {(track: Track, key: Key) => boolean} [wanted]
 * @returns {KeyRef[]} all keys, or those for which `wanted(track, key)` holds
 */
export function allKeys(doc, wanted = () => true) {
    return tracksOf(doc).flatMap((track) =>
        track.keys.filter((key) => wanted(track, key)).map((key) => ({track: trackId(track), time: key.time})));
}

/**
 * @param {Doc} doc @param {KeyRef[]} refs
 * @returns {{track: Track, key: Key}[]} what the references refer to; those that are gone are left out
 */
export function resolveKeys(doc, refs) {
    return refs.flatMap((ref) => {
        const track = trackById(doc, ref.track), key = keyAt(track, ref.time);
        return track && key ? [{track, key}] : [];
    });
}

/**
 * Takes away tracks without keys, and a motion without tracks and without things carried.
 * @param {Doc} doc
 */
function dropEmpty(doc) {
    if (!doc.motion) return;
    doc.motion.tracks = tracksOf(doc).filter((track) => track.keys.length > 0);
    if (!doc.motion.tracks.length) delete doc.motion.tracks;
    if (!doc.motion.tracks && !doc.motion.carry?.length) delete doc.motion;
}

/**
 * @param {Doc} doc @param {KeyRef[]} refs
 * @returns {number} how many keys were removed
 */
export function removeKeys(doc, refs) {
    const found = resolveKeys(doc, refs);
    for (const {track, key} of found) track.keys = track.keys.filter((other) => other !== key);
    dropEmpty(doc);
    return found.length;
}

/**
 * Removes a whole track.
 * @param {Doc} doc @param {string} id
 */
export function removeTrack(doc, id) {
    if (!doc.motion?.tracks) return;
    doc.motion.tracks = doc.motion.tracks.filter((track) => trackId(track) !== id);
    dropEmpty(doc);
}

/**
 * Moves keys in time, all by the same amount; none goes before 0. Keys that are not moved and that one comes to lie on
 * are replaced.
 * @param {Doc} doc @param {KeyRef[]} refs @param {number} by
 * @returns {KeyRef[]} where they are now
 */
export function moveKeys(doc, refs, by) {
    const found = resolveKeys(doc, refs);
    if (!found.length) return [];
    const first = Math.min(...found.map(({key}) => key.time)), last = Math.max(...found.map(({key}) => key.time));
    const shift = Math.min(LATEST - last, Math.max(-first, by));
    for (const {track, key} of found) track.keys = track.keys.filter((other) => other !== key);
    return found.map(({track, key}) => {
        const moved = {...key, time: roundTime(key.time + shift)};
        putKey(track, moved);
        return {track: trackId(track), time: moved.time};
    });
}

/**
 * @param {Doc} doc @param {KeyRef[]} refs
 * @typedef {{target: Target, name: string, ends?: string, key: Key}} CopiedKey Its key's time counts from the first.
 * @returns {CopiedKey[]}
 */
export function copyKeys(doc, refs) {
    const found = resolveKeys(doc, refs), first = Math.min(...found.map(({key}) => key.time));
    return found.map(({track, key}) => ({
        target: targetOf(track), name: nameOf(track), ends: track.ends,
        key: {...structuredClone(key), time: key.time - first},
    }));
}

/**
 * Pastes copied keys so that the first is at `time`.
 * @param {Doc} doc @param {CopiedKey[]} copied @param {number} time
 * @returns {KeyRef[]}
 */
export function pasteKeys(doc, copied, time) {
    return copied.map(({target, name, ends, key}) => {
        const isNew = !findTrack(doc, target, name), track = ensureTrack(doc, target, name);
        if (isNew && ends) track.ends = ends;
        const pasted = {...structuredClone(key), time: roundTime(key.time + time)};
        putKey(track, pasted);
        return {track: trackId(track), time: pasted.time};
    });
}

/**
 * How to go on from these keys to the next ones.
 * @param {Doc} doc @param {KeyRef[]} refs @param {string} interpolation
 */
export function setInterpolation(doc, refs, interpolation) {
    for (const {key} of resolveKeys(doc, refs)) key.interpolation = interpolation;
}

/**
 * How splines of a track begin and end.
 * @param {Doc} doc @param {string} id @param {string} ends
 */
export function setEnds(doc, id, ends) {
    const track = trackById(doc, id);
    if (track) track.ends = ends;
}

/**
 * The time of the last key, or of the last thing put down; 0 where nothing changes.
 * @param {Doc} doc
 */
export function motionEnd(doc) {
    const keys = tracksOf(doc).flatMap((track) => track.keys.map((key) => key.time));
    const carried = (doc.motion?.carry ?? []).flatMap((one) => [one.from ?? 0, one.to ?? 0]).map(quantity);
    return Math.max(0, ...keys, ...carried);
}

/**
 * @param {Track[]} tracks
 * @returns {number[]} the times at which there are keys, in order, each once
 */
export function keyTimes(tracks) {
    const times = tracks.flatMap((track) => track.keys.map((key) => key.time)).sort((a, b) => a - b);
    return times.filter((time, i) => i === 0 || !sameTime(time, times[i - 1]));
}

/** @param {unknown} value */
const listIn = (value) => (Array.isArray(value) ? value : []);

/**
 * Names that constraints go by in the reader: their `name`, else their end-effector's.
 * @param {Doc} doc
 */
export function constraintNames(doc) {
    /** @param {any} one */
    const effector = (one) => (typeof one === 'string' ? one : one?.site ?? one?.segment);
    const listed = listIn(doc.constraints).map((one) => one.name ?? effector(one.effector));
    const kept = listIn(doc.keep).map((one) => (typeof one === 'string' ? one : one.name ?? one.site));
    return new Set([...listed, ...kept].filter((name) => typeof name === 'string'));
}

/**
 * Drops tracks of constraints that a change has taken away, so that the document stays one that can be read.
 * @param {Doc} doc as it is to be
 * @param {Doc} before as it was; tracks whose constraint was not there either stay, for the reader to refuse
 */
export function tidyMotion(doc, before) {
    if (!doc.motion?.tracks) return;
    const was = constraintNames(before), is = constraintNames(doc);
    /** @param {Track} track */
    const isGone = (track) => {
        const name = nameOf(track);
        return OF_CONSTRAINTS.includes(targetOf(track)) && was.has(name) && !is.has(name);
    };
    doc.motion.tracks = doc.motion.tracks.filter((track) => !isGone(track));
    dropEmpty(doc);
}

/**
 * A constraint has another name: its tracks follow.
 * @param {Doc} doc @param {string} from @param {string} to
 */
export function renameTracks(doc, from, to) {
    for (const track of tracksOf(doc)) {
        if (OF_CONSTRAINTS.includes(targetOf(track)) && nameOf(track) === from) track[targetOf(track)] = to;
    }
}
