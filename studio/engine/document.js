// Documents: problem files as the page keeps them. Opening a file tidies it into one shape - `figures` a list of
// objects, numbers in SI units, every variable in `start`, every constraint with a name of its own, `keep` spelled out
// as pins - so that panels and undo need to know one spelling only. Saving writes it as it is: the command line reads
// it.

/** @type {Record<string, number>} */
const UNITS = {m: 1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048, rad: 1, deg: Math.PI / 180};
const NUMBER = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) *(m|cm|mm|in|ft|rad|deg)?\s*$/;
const MEASURES = new Set(['point', 'to', 'x', 'y', 'normal', 'direction', 'half_size', 'radius', 'half_length', 'rpy',
    'quaternion',
    'tolerance', 'tolerance_angle', 'at', 'turn', 'stature', 'margin', 'distance', 'value', 'faces', 'floor']);
const POSES = new Set(['start', 'pose']);

/**
 * The name that marks a constraint as a pin of a site or segment.
 * @param {string} name
 */
const pinName = (name) => `pin ${name}`;
/** @param {{name?: unknown}} constraint */
export const isPin = (constraint) => typeof constraint.name === 'string' && constraint.name.startsWith('pin ');

/**
 * "90deg" as a number in SI units; anything else as it is.
 * @param {any} value any: whatever JSON can hold
 * @returns {any}
 */
function plain(value) {
    if (Array.isArray(value)) return value.map(plain);
    const match = typeof value === 'string' ? NUMBER.exec(value) : null;
    return match ? Number(match[1]) * (UNITS[match[2]] ?? 1) : value;
}

/**
 * The same value with all its measures plain numbers.
 * @param {any} value any: whatever JSON can hold
 * @param {string} [key]
 * @returns {any}
 */
function inSI(value, key = '') {
    if (MEASURES.has(key) && (typeof value === 'string' || Array.isArray(value))) return plain(value);
    if (Array.isArray(value)) return value.map((item) => inSI(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) =>
        [name, POSES.has(key) ? plain(item) : inSI(item, name)]));
}

/** @template T @param {T | T[] | undefined} value @returns {T[]} */
export const listOf = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/**
 * The figures of a problem, as objects.
 * @param {Doc | RawDoc} problem
 * @returns {DocFigure[]}
 */
export function figuresOf(problem) {
    const {figures, figure: only} = /** @type {RawDoc} */ (problem);
    return listOf(figures ?? only).map((figure) => (typeof figure === 'string' ? {file: figure} : {...figure}));
}

/**
 * A name that is not taken yet: "hand", "hand 2", ...
 * @param {string} wanted @param {Set<string>} taken
 */
function freeName(wanted, taken) {
    let name = wanted;
    for (let k = 2; taken.has(name); k++) name = `${wanted} ${k}`;
    taken.add(name);
    return name;
}

/** @param {DocEffector | undefined} effector */
const effectorName = (effector) =>
    typeof effector === 'string' ? effector : effector?.site ?? effector?.segment ?? 'goal';

/** @param {(Omit<DocConstraint, 'name'> & {name?: string})[]} constraints */
function nameConstraints(constraints) {
    /** @type {Set<string>} */
    const taken = new Set();
    return constraints.map((constraint) => {
        const name = freeName(constraint.name ?? effectorName(constraint.effector), taken);
        return {...{name}, ...constraint, name};
    });
}

/** What of the page's document order comes first, for people who read the file. */
const ORDER = ['title', 'description', 'source', 'figures', 'body', 'start', 'constraints', 'balance', 'avoid',
    'wishes', 'active', 'inactive', 'rigidity', 'options', 'motion', 'picture'];

/** @param {RawDoc} doc @returns {Doc} */
export function inOrder(doc) {
    const keys = [...ORDER.filter((key) => doc[key] !== undefined), ...Object.keys(doc)
        .filter((key) => !ORDER.includes(key))];
    return /** @type {Doc} */ (Object.fromEntries(keys.map((key) => [key, doc[key]])));
}

/**
 * A goal that keeps an effector where a frame has it.
 * @param {Frame} frame @param {string} [what]
 * @returns {DocGoal}
 */
export function goalAt(frame, what = 'frame') {
    const point = [...frame.position];
    const quaternion = [...frame.rotation];
    if (what === 'position') return {kind: 'position', point};
    return what === 'orientation' ? {kind: 'orientation', quaternion} : {kind: 'frame', point, quaternion};
}

/**
 * The pin of an effector (a site's name, or {segment}) at a frame.
 * @param {DocEffector} effector @param {Frame} frame @param {string} [what]
 */
export function pinAt(effector, frame, what) {
    return {name: pinName(effectorName(effector)), effector, goal: goalAt(frame, what)};
}

/**
 * Tidies a problem that was read.
 * @param {Doc | RawDoc} problem the file's own object
 * @param {World} world its World, compiled, in its start pose
 */
export function documentOf(problem, world) {
    const doc = inSI(problem);
    for (const key of ['$schema', 'figure', 'expect', 'keep']) delete doc[key];
    doc.figures = figuresOf(inSI(problem)).map((figure, k) => ({...figure, name: world.names[k]}));
    doc.start = world.values(world.pose);
    doc.constraints = nameConstraints([...(doc.constraints ?? []), ...pinsOf(problem, world)]);
    if (doc.balance !== undefined) doc.balance = listOf(doc.balance);
    return inOrder(doc);
}

/**
 * `keep` as pins: they stay where they are when the start pose changes.
 * @param {Doc | RawDoc} problem @param {World} world
 * @returns {DocConstraint[]}
 */
function pinsOf(problem, world) {
    return listOf(inSI(problem.keep)).map((entry) => {
        const {site: name, what, ...manner} = typeof entry === 'string' ? {site: entry} : entry;
        return {...pinAt(name, world.placeFrame(world.findPlace(name)), what), ...manner};
    });
}
