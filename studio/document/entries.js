// What is asked of the figures, as the goals panel lists it: the document's constraints, keep, balance and avoid, each
// with what the last frame says of it.

/** @type {From[]} */
const LISTS = ['constraints', 'keep', 'balance', 'avoid'];

/**
 * A document's list, whichever way it is written: `balance` may be one object.
 * @param {Record<string, any>} doc or an object of one, some of whose values may be lists @param {string} from
 */
export function listOf(doc, from) {
    return asList(doc[from] ?? undefined);
}

/**
 * A list of names that may be written as one name.
 * @template T
 * @param {T | T[] | undefined} value
 * @returns {T[]}
 */
export const asList = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/**
 * All entries, in the order of the document.
 * @param {Doc} doc @param {Scene} scene
 * @returns {Entry[]}
 */
export function entriesOf(doc, scene) {
    return titled(LISTS.flatMap((from) =>
        listOf(doc, from).map((value, index) => {
            const constraints = (scene?.constraints ?? []).filter(
                (constraint) => constraint.from === from && constraint.index === index,
            );
            return {from, index, key: `${from}:${index}`, value, name: nameOf(from, value, constraints), constraints};
        }),
    ));
}

/** @param {From} from @param {any} value @param {SceneConstraint[]} constraints */
function nameOf(from, value, constraints) {
    if (from === 'constraints') return value.name ?? constraints[0]?.name ?? `goal`;
    if (from === 'keep') return typeof value === 'string' ? value : value.site;
    if (from === 'balance') return 'centre of mass';
    return asList(value.segments).join(', ');
}

/**
 * Whether it is a pin: a constraint that holds a part where it was.
 * @param {Entry} entry
 */
export function isPin(entry) {
    return entry.from === 'constraints' && entry.name.startsWith('pin ');
}

/**
 * An entry's name for people: a pin's without the word. Those that would read alike are told apart (see titled).
 * @param {Entry} entry
 */
export function titleOf(entry) {
    return entry.title ?? plainTitle(entry);
}

/** @param {Entry} entry */
const plainTitle = (entry) => (isPin(entry) ? entry.name.slice(4) : entry.name);

/**
 * Titles that no two entries share: by what kind of thing each is, then by number.
 * @param {Entry[]} entries
 */
function titled(entries) {
    const alike = groupBy(entries, (entry) => readable(plainTitle(entry)));
    for (const same of alike.values()) {
        const kinds = groupBy(same, kindOf);
        for (const entry of same) {
            const kind = kinds.size > 1 ? ` (${kindOf(entry)})` : '';
            const own = kinds.get(kindOf(entry)) ?? [], place = own.indexOf(entry);
            const number = own.length > 1 && place > 0 ? ` ${place + 1}` : '';
            entry.title = `${plainTitle(entry)}${number}${kind}`;
        }
    }
    return entries;
}

/** @template T @param {T[]} list @param {(item: T) => string} key @returns {Map<string, T[]>} */
function groupBy(list, key) {
    const groups = new Map();
    for (const item of list) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
    return groups;
}

/**
 * As it is read: names differ only if people see that they do.
 * @param {string} name
 */
const readable = (name) => name.replace(/[_.]/g, ' ').toLowerCase();

/**
 * What kind of thing an entry is, for its icon and its label.
 * @param {Entry} entry
 */
export function kindOf(entry) {
    if (isPin(entry)) return 'pin';
    return entry.from === 'constraints' ? (entry.value.goal?.kind ?? 'position') : entry.from;
}

/**
 * 'met', 'unmet', 'idle' (not counted: another of its disjunction is), or 'off'. And how far it is.
 * @param {Entry} entry @param {PoseFrame | null} frame
 */
export function stateOf(entry, frame) {
    if (entry.value.disabled) return {state: 'off', distance: NaN, angle: NaN};
    const results = resultsOf(entry, frame);
    if (!results.length) return {state: 'idle', distance: NaN, angle: NaN};
    const counted = results.filter((result) => result.counted !== false);
    const worst = (counted.length ? counted : results).reduce((a, b) => (badness(b) > badness(a) ? b : a));
    const state = counted.length ? (counted.every((result) => result.met) ? 'met' : 'unmet') : 'idle';
    return {state, distance: worst.distance, angle: worst.angle};
}

/** @param {Entry} entry @param {PoseFrame | null} frame */
function resultsOf(entry, frame) {
    const ids = new Set(entry.constraints.map((constraint) => constraint.id));
    return (frame?.constraints ?? []).filter((result) => ids.has(result.id));
}

/** @param {{met?: boolean, distance: number, angle: number}} of */
function badness({met, distance, angle}) {
    return (met ? 0 : 1e6) + (distance || 0) + (angle || 0) * 0.3;
}

/**
 * The counted constraint that is worst, or null where all are met.
 * @param {Scene} scene @param {PoseFrame} frame
 */
export function worstGoal(scene, frame) {
    if (frame.drag && frame.drag.distance > 5e-4)
        return {name: 'drag', distance: frame.drag.distance, angle: frame.drag.angle};
    const bad = frame.constraints.filter((result) => result.counted !== false && !result.met);
    return bad.length ? bad.reduce((a, b) => (badness(b) > badness(a) ? b : a)) : null;
}

/**
 * Changes an entry in a draft; a bare name in `keep` becomes an object first. Returns the entry's object.
 * @param {Doc} draft @param {{from: From, index: number}} of
 */
export function entryIn(draft, {from, index}) {
    if (from === 'balance' && !Array.isArray(draft.balance)) return draft.balance;
    const list = listOf(draft, from);
    if (typeof list[index] === 'string') list[index] = {site: list[index]};
    return list[index];
}

/**
 * Takes an entry out of a draft, and what of the motion is about it.
 * @param {Doc} draft @param {Entry} entry
 */
export function removeEntry(draft, entry) {
    const {from, index} = entry;
    if (from === 'balance' && !Array.isArray(draft.balance)) delete draft.balance;
    else draft[from]?.splice(index, 1);
    if (from !== 'constraints') {
        if (draft[from]?.length === 0) delete draft[from];
        return;
    }
    renameInMotion(draft, entry.name, null);
}

/**
 * A constraint's new name in the tracks that are about it; null: those tracks go.
 * @param {Doc} draft @param {string} name @param {string | null} newName
 */
export function renameInMotion(draft, name, newName) {
    if (!draft.motion?.tracks) return;
    /** @param {Track} track */
    const isAbout = (track) => [track.goal, track.weight, track.enabled].includes(name);
    if (newName === null) {
        draft.motion.tracks = draft.motion.tracks.filter((track) => !isAbout(track));
        return;
    }
    for (const track of draft.motion.tracks.filter(isAbout)) {
        for (const key of /** @type {const} */ (['goal', 'weight', 'enabled'])) {
            if (track[key] === name) track[key] = newName;
        }
    }
}
