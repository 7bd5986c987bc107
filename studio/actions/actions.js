// What a person can do to the document, as functions: the bar, the menus, the keys and the panels all call these, and
// each is one step to undo.

import {effectorsOf, effectorFrame, partOf} from '../document/effectors.js';
import {takeOut} from '../document/figures.js';
import {allVariables, freshName, fullName, lockedNames, setLocked, spoken, startOf} from '../document/names.js';
import {entriesOf, entryIn, isPin, listOf, removeEntry} from '../document/entries.js';
import {newGoal, newObstacle} from '../document/goal_kinds.js';
import {findSite, siteFrame} from '../document/places.js';
import {add, rotate, scale} from '../math/vector.js';
import {byHand} from '../input/touch.js';

const PIN_TOLERANCE = {tolerance: 0.001, tolerance_angle: 0.01};
const GAZE = 1.0; // m before the eyes where a look starts when no point was picked
const REACH_COUNT = 3000;

/**
 * The part that is picked, or null.
 * @param {Store} store
 */
export function pickedPart(store) {
    return store.scene && partOf(store.scene, store.selection);
}

/**
 * The part that is picked; a message where none is.
 * @param {Store} store @param {string} what
 */
function wantPart(store, what) {
    const part = store.scene && partOf(store.scene, store.selection);
    if (!part) store.message('info', `Pick a part first: ${byHand('click', 'tap')} it, then ${what}.`);
    return part;
}

// --- pins and goals --------------------------------------------------------------------------------------------------

/**
 * The pins on a segment, in the document.
 * @param {Store} store @param {PartChoice} part
 */
export function pinsOn(store, part) {
    const {doc, scene} = store;
    return entriesOf(doc, scene).filter(
        (entry) =>
            isPin(entry) &&
            entry.constraints.some(
                (constraint) => constraint.figure === part.figure && segmentOf(constraint) === part.segment,
            ),
    );

    /** @param {SceneConstraint} of */
    function segmentOf({segment}) {
        return typeof segment === 'number'
            ? segment
            : scene.figures[part.figure].segments.findIndex(({name}) => name === segment);
    }
}

/**
 * Pins the picked part where it is; or, where it is pinned, lets it go. A pin that is chosen itself is let go.
 * @param {Store} store
 */
export function togglePin(store) {
    const chosen = selectedEntry(store);
    if (chosen && isPin(chosen)) return store.timeline?.togglePin(chosen.name) ?? deleteEntry(store, chosen);
    const part = wantPart(store, byHand('press P to pin it', 'pin it'));
    if (!part) return null;
    const pins = pinsOn(store, part);
    if (pins.length) {
        const keyed =
            pins.map((entry) => store.timeline?.togglePin(entry.name)).filter(Boolean); // at a time: from then on
        if (keyed.length) return Promise.all(keyed);
        return store.edit(`Unpin ${spoken(part.name)}`, (draft) => {
            for (const entry of [...pins].reverse()) removeEntry(draft, entry);
        });
    }
    return store.edit(`Pin ${spoken(part.name)}`, (draft) => {
        const [{effector, at}] = effectorsOf(store.scene, store.frame, part); // by name, not by where it was clicked
        const word = typeof effector === 'string' ? effector : part.name;
        draft.constraints ??= [];
        const goal = {kind: 'frame', point: [...at.position], quaternion: [...at.rotation]};
        draft.constraints.push({name: freshName(draft, `pin ${word}`), effector, goal, ...PIN_TOLERANCE});
    });
}

/**
 * Adds a goal of a kind on the picked part, and chooses it. `choice`: one of effectorsOf, the first unless told.
 * @param {Store} store @param {string} kind @param {EffectorChoice | null} [choice]
 */
export async function addGoal(store, kind, choice = null) {
    const {scene, frame, picked} = store;
    const part = choice ? null : wantPart(store, 'add a goal');
    /** @type {EffectorChoice | null} */
    const chosen = choice ?? (part && effectorsOf(scene, frame, part, picked)[0]);
    if (!chosen) return false;
    const {effector, at} = chosen;
    const place = typeof effector === 'string' ? effector : (effector.segment ?? effector.site ?? '');
    const word = kind === 'position' ? place : `${place} ${kind}`;
    let name = word;
    const isDone = await store.edit( // it is met where the part is: nothing has to be solved
        `Add ${kind} goal`,
        (draft) => {
            draft.constraints ??= [];
            name = freshName(draft, word);
            draft.constraints.push({name, effector, goal: newGoal(kind, at), tolerance: 0.001, tolerance_angle: 0.01});
        },
    );
    if (isDone) choose(store, name);
    return isDone;
}

/** @param {Store} store @param {string} name */
function choose(store, name) {
    store.select({kind: 'constraint', figure: 0, name});
    store.change({tab: 'goals'});
}

/**
 * Keeps the picked part's site where the start pose has it.
 * @param {Store} store
 */
export function addKeep(store) {
    const part = wantPart(store, 'keep it');
    if (!part) return null;
    const site = effectorsOf(store.scene, store.frame, part, store.picked).find(
        ({effector}) => typeof effector === 'string',
    );
    if (!site) {
        store.message('info', `${spoken(part.name)} has no site that could be kept; pin it instead.`);
        return null;
    }
    return store.edit(`Keep ${site.label}`, (draft) => {
        draft.keep = [...listOf(draft, 'keep'), site.effector];
    });
}

/**
 * Keeps the picked segment out of something new in front of it, or out of other segments.
 * @param {Store} store
 */
export function addAvoid(store, {others = null, kind = 'sphere'} = {}) {
    const part = wantPart(store, 'add something to avoid');
    if (!part) return null;
    const {scene, frame} = store;
    const {at} = effectorsOf(scene, frame, part, store.picked)[0];
    const segments = [fullName(scene, part.figure, part.name)];
    const entry = others ? {segments, others} : {segments, obstacle: newObstacle(kind, at), margin: 0.01};
    return store.edit(
        `Avoid, ${spoken(part.name)}`,
        (draft) => {
            draft.avoid = [...listOf(draft, 'avoid'), entry];
        },
        {solve: true},
    );
}

/**
 * Has the eyes look at the picked point, or ahead.
 * @param {Store} store
 */
export async function lookAt(store) {
    const {scene, frame, picked} = store;
    const f = scene.figures.findIndex((figure) => figure.eyes?.length);
    if (f < 0) {
        store.message(
            'info',
            'No figure here has eyes: a site called gaze, eye or viewpoint. Add an aim goal on a picked part instead.',
        );
        return false;
    }
    const name = scene.figures[f].eyes[0], eye = findSite(scene, f, name);
    if (!eye) return false;
    const at = siteFrame(scene, frame, f, eye);
    const isOwnHead = picked?.segment === scene.figures[f].segments[eye.segment].name;
    const point =
        picked?.point && !isOwnHead ? [...picked.point] : add(at.position, scale(rotate(at.rotation, [1, 0, 0]), GAZE));
    const effector = fullName(scene, f, name);
    let chosen = '';
    const isDone = await store.edit(
        'Look at',
        (draft) => {
            draft.constraints ??= [];
            const look = draft.constraints.find(
                (constraint) => constraint.effector === effector && constraint.goal.kind === 'aim',
            );
            if (look) look.goal.point = point;
            chosen = look?.name ?? freshName(draft, 'look');
            if (!look)
                draft.constraints.push({
                    name: chosen,
                    effector,
                    goal: {kind: 'aim', point},
                    weight: 0.5,
                    tolerance_angle: 0.01,
                });
        },
        {solve: true},
    );
    if (isDone) {
        store.change({show: {vision: true}});
        choose(store, chosen);
    }
    return isDone;
}

/**
 * The entry that is selected, or null.
 * @param {Store} store
 */
export function selectedEntry(store) {
    if (store.selection?.kind !== 'constraint') return null;
    const {name} = store.selection;
    return (
        entriesOf(store.doc, store.scene).find(
            (entry) =>
                entry.name === name ||
                entry.key === name ||
                entry.constraints.some((constraint) => constraint.name === name),
        ) ?? null
    );
}

/** @param {Store} store */
export function deleteEntry(store, entry = selectedEntry(store)) {
    return entry && store.edit(`Delete ${entry.name}`, (draft) => removeEntry(draft, entry));
}

/** @param {Store} store */
export function toggleEntry(store, entry = selectedEntry(store)) {
    return (
        entry &&
        store.edit(
            `${entry.value.disabled ? 'Enable' : 'Disable'} ${entry.name}`,
            (draft) => {
                const value = entryIn(draft, entry);
                if (value.disabled) delete value.disabled;
                else value.disabled = true;
            },
            {solve: Boolean(entry.value.disabled)},
        )
    );
}

/**
 * A goal goes to where its end-effector is now.
 * @param {Store} store @param {Entry} entry
 */
export function goalHere(store, entry) {
    const at = effectorFrame(store.scene, store.frame, entry.value.effector);
    if (!at || entry.value.goal.relative_to !== undefined) return null;
    return store.edit(`Move ${entry.name} here`, (draft) => {
        const {goal} = entryIn(draft, entry);
        if (goal.kind === 'orientation' || goal.kind === 'frame') {
            for (const key of /** @type {const} */ (['rpy', 'x', 'y'])) delete goal[key];
            goal.quaternion = [...at.rotation];
        }
        if (goal.kind !== 'orientation' && goal.kind !== 'polyhedron') goal.point = [...at.position];
    });
}

// --- the pose --------------------------------------------------------------------------------------------------------

/** @param {Store} store */
export function mirrorPose(store) {
    return store.setPose(async (pose) => (await store.client.call('mirror', {values: pose})).values, 'Mirror pose');
}

/**
 * The rest pose. Pins go along; feet that were lifted stand again.
 * @param {Store} store
 */
export function resetPose(store) {
    return store.edit('Reset pose', async (draft) => {
        const {client, scene} = store;
        const pose = atRest(store, Float64Array.from(store.frame.pose));
        putFeetDown(draft);
        draft.start = startOf(scene, pose);
        bringPins(draft, scene, await client.call('pose', {values: pose}));
    });
}

/**
 * Feet that a pull has left in the air stand again, and what pinned them there is gone.
 * @param {Doc} draft
 */
function putFeetDown(draft) {
    draft.figures.forEach((_, figure) => {
        const body = bodyOf(draft, figure);
        const up = Object.entries(body?.foot ?? {}).filter(([, mode]) => mode === 'lifted').map(([foot]) => foot);
        if (!body?.foot || !up.length) return;
        for (const foot of up) delete body.foot[foot];
        if (!Object.keys(body.foot).length) delete body.foot;
        /** @param {{name: string}} of */
        const isOfFoot = ({name}) => up.some((foot) => name.startsWith('pin ') && name.endsWith(`${foot}_foot`));
        draft.constraints = (draft.constraints ?? []).filter((constraint) => !isOfFoot(constraint));
    });
}

/**
 * Pins hold their parts where a frame has them.
 * @param {Doc} draft @param {Scene} scene @param {PoseFrame} frame
 */
function bringPins(draft, scene, frame) {
    for (const {name, effector, goal} of draft.constraints ?? []) {
        if (!name.startsWith('pin ') || goal.relative_to !== undefined) continue;
        const at = effectorFrame(scene, frame, effector);
        if (!at) continue;
        if (goal.point) goal.point = [...at.position];
        if (goal.kind === 'position') continue;
        for (const key of /** @type {const} */ (['rpy', 'x', 'y'])) delete goal[key];
        goal.quaternion = [...at.rotation];
    }
}

/**
 * A pose with some variables, or all, at rest.
 * @param {{scene: Scene}} of @param {Float64Array} pose @param {(name: string) => boolean} [isWanted]
 */
function atRest({scene}, pose, isWanted = () => true) {
    for (const {name, variable} of allVariables(scene)) if (isWanted(name)) pose[variable.index] = variable.rest;
    return pose;
}

/**
 * Back to the pose that the file had when it was opened, with its pins where they were then.
 * @param {Store} store
 */
export function resetToOpened(store) {
    const {start, constraints = []} = store.saved ?? {};
    return (
        start &&
        store.edit('Reset to opened', (draft) => {
            putFeetDown(draft);
            for (const pin of draft.constraints ?? []) {
                const before = constraints.find(({name}) => name === pin.name && name.startsWith('pin '));
                if (before) pin.goal = structuredClone(before.goal);
            }
            draft.start = {
                ...draft.start,
                ...Object.fromEntries(Object.entries(start).filter(([name]) => name in draft.start)),
            };
        })
    );
}

/**
 * The variables that a joint, or the joint at the picked part, moves: full names.
 * @param {Store} store
 */
export function variablesOfSelection(store) {
    const {scene, selection} = store;
    const part = scene && partOf(scene, selection);
    if (!part) return [];
    const figure = scene.figures[part.figure];
    const joint = part.joint ?? figure.joints.find(({segmentB}) => segmentB === part.segment);
    const names = new Set();
    for (const dof of joint?.dofs ?? []) {
        const variable = figure.variables.find(({index}) => index === dof.variable);
        if (variable) names.add(fullName(scene, part.figure, variable.name));
    }
    for (const group of figure.groups ?? []) {
        if (joint && group.joints.includes(joint.name)) {
            for (const parameter of group.parameters) {
                const variable = figure.variables.find(({index}) => index === parameter.variable);
                if (variable) names.add(fullName(scene, part.figure, variable.name));
            }
        }
    }
    return [...names];
}

/**
 * Picks the next part of the figure, or the one before.
 * @param {Store} store @param {number} way
 */
export function pickNext(store, way) {
    const {scene} = store;
    const parts = scene.figures.flatMap(({segments, shapes}, figure) =>
        segments
            .filter((segment, index) => shapes.some((shape) => shape.segment === index))
            .map(({name}) => ({kind: /** @type {const} */ ('segment'), figure, name})),
    );
    if (!parts.length) return;
    const part = pickedPart(store);
    const now = part ? parts.findIndex(({figure, name}) => figure === part.figure && name === part.name) : -1;
    store.select(parts[(now < 0 ? (way > 0 ? 0 : parts.length - 1) : now + way + parts.length) % parts.length]);
}

/**
 * Puts the picked joint back to rest.
 * @param {Store} store
 */
export function resetJoint(store) {
    const names = new Set(variablesOfSelection(store));
    if (!names.size) return null;
    return store.setPose((pose) => atRest(store, pose, (name) => names.has(name)), 'Reset joint');
}

/** @param {Store} store @param {string[]} [names] */
export function toggleLock(store, names = variablesOfSelection(store)) {
    if (!names.length) {
        store.message('info', 'Pick a part or a joint to lock first.');
        return null;
    }
    const locked = lockedNames(store.doc, store.scene);
    const isLocking = !names.every((name) => locked.has(name));
    return store.edit(isLocking ? 'Lock joint' : 'Free joint', (draft) =>
        setLocked(draft, store.scene, names, isLocking),
    );
}

// --- natural or plain
// --------------------------------------------------------------------------------------------------

/**
 * Whether some figure has a body that it can be posed as, or without. A character of another format is a person.
 * @param {Scene} scene
 */
export function hasBody(scene) {
    return Boolean(scene?.figures.some(({body, format}) => body && format === 'fig'));
}

/**
 * Whether figures are posed as bodies.
 * @param {Scene} scene
 */
export function isNatural(scene) {
    return Boolean(scene?.figures.some(({body}) => body?.isPosed));
}

/**
 * People as people, or as the bare problem with pinned feet: saved in the document, one step to undo.
 * @param {Store} store @param {boolean} isOn
 */
export function setNatural(store, isOn) {
    return store.edit(
        isOn ? 'Natural' : 'Plain',
        async (draft) => {
            const {doc} = await store.client.call('manner', {natural: isOn});
            const gone = /** @type {(keyof Doc)[]} */ (Object.keys(draft)).filter((key) => !(key in doc));
            for (const key of gone) delete draft[key];
            Object.assign(draft, doc);
        },
        {solve: isOn},
    );
}

/**
 * The body of a figure in a document, whose entry it may be in; null where it is posed plainly.
 * @param {Doc} doc
 */
export function bodyOf(doc, figure = 0) {
    return (figure === 0 ? doc?.body : null) ?? doc?.figures?.[figure]?.body ?? null;
}

/**
 * Changes a figure's body in the document: fn alters a copy of it.
 * @param {Store} store @param {string} label @param {(body: DocBody) => unknown} fn
 */
export function editBody(store, label, fn, {figure = 0, ...options} = {}) {
    return store.edit(
        label,
        (draft) => {
            const body = structuredClone(bodyOf(draft, figure) ?? {});
            fn(body);
            for (const [key, value] of Object.entries(body)) {
                const isEmpty = value !== null && typeof value === 'object' && !Object.keys(value).length;
                if (value === undefined || isEmpty) delete body[key];
            }
            if (figure === 0 && !draft.figures[0].body) draft.body = body;
            else draft.figures[figure].body = body;
        },
        {solve: true, ...options},
    );
}

// --- balance, root, reach --------------------------------------------------------------------------------------------

/** @param {Doc} doc */
export function isBalanced(doc) {
    const body = bodyOf(doc);
    if (body) return body.balance !== false;
    return listOf(doc, 'balance').some((entry) => !entry.disabled);
}

/**
 * The switch: on takes the balance there was, or the feet as support.
 * @param {Store} store @param {boolean} isOn
 */
export async function setBalance(store, isOn) {
    if (bodyOf(store.doc)) {
        return editBody(store, isOn ? 'Balance on' : 'Balance off', (body) => {
            body.balance = isOn ? undefined : false;
        });
    }
    if (!isOn) {
        return store.edit('Balance off', (draft) => {
            for (const entry of listOf(draft, 'balance')) entry.disabled = true;
        });
    }
    if (listOf(store.doc, 'balance').length) {
        return store.edit(
            'Balance on',
            (draft) => {
                for (const entry of listOf(draft, 'balance')) delete entry.disabled;
            },
            {solve: true},
        );
    }
    const {sites: support} = await store.client.call('support', {figure: 0});
    if (support.length < 3) {
        store.message('info', 'No feet were found to stand on: a support needs at least three sites (heels and toes).');
        store.emit('doc', store.doc);
        return false;
    }
    return store.edit(
        'Balance on',
        (draft) => {
            draft.balance = [{support: [...support], margin: 0.02}];
        },
        {solve: true},
    );
}

/**
 * Roots a figure at the picked part, keeping the pose.
 * @param {Store} store @param {{figure: number, segment: string, isFree?: boolean}} of
 */
export function rerootHere(store, {figure, segment, isFree}) {
    return store.inTurn(async () => {
        const result = await store.client.call('reroot', {figure, segment, free: isFree});
        store.push(`Re-root at ${spoken(segment)}`);
        store.setScene(result.scene, result.frame);
        store.take(result.doc, 'travel'); // nothing was posed that could become a key
        return true;
    });
}

/**
 * Computes where the picked part can go, with a bar that can be stopped.
 * @param {Store} store
 */
export async function computeReach(store) {
    const part = wantPart(store, 'ask for its reach');
    if (!part) return;
    const {scene, frame, client} = store;
    const choice = effectorsOf(scene, frame, part, null)[0];
    const done = store.busy(`Reach of ${spoken(choice.label)}`, {cancel: () => client.cancel()});
    try {
        const args = {
            figure: part.figure,
            site: 'site' in choice ? choice.site.name : undefined,
            segment: part.name,
            count: REACH_COUNT,
            chain: store.settings.chain,
        };
        const onProgress = (/** @type {Progress} */ {fraction}) => done.progress(fraction);
        const cloud = await client.call('reach', args, {onProgress});
        store.reach = {figure: part.figure, site: choice.label, ...cloud};
        store.change({show: {reach: true}});
        store.emit('reach', store.reach);
    } catch (error) {
        if (!(error instanceof Error && 'cancelled' in error && error.cancelled)) store.fail(error);
    } finally {
        done();
    }
}

/**
 * How many joints up from a part follow a drag: 0 is the whole body.
 * @param {Store} store @param {number} by
 */
export function changeChain(store, by) {
    const chain = Math.max(0, Math.min(20, store.settings.chain + by));
    store.change({chain});
}

/**
 * A person of another stature, who stands as before: the height of the root goes along.
 * @param {Store} store @param {number} figure @param {number} stature
 */
export function setStature(store, figure, stature) {
    const {scene} = store;
    const {stature: before, name} = scene.figures[figure];
    return store.edit(`Stature of ${name}`, (draft) => {
        draft.figures[figure].stature = stature;
        const height = fullName(scene, figure, 'root.z');
        if (height in draft.start) draft.start[height] *= stature / before;
    }, {solve: true});
}

/**
 * Takes a figure out of the scene, with what is asked of it; the last one stays.
 * @param {Store} store @param {number} figure
 */
export function removeFigure(store, figure) {
    const {scene} = store;
    if (scene.figures.length < 2) return null;
    store.select(null);
    return store.edit(`Remove ${scene.figures[figure].name}`, (draft) => takeOut(draft, scene, figure));
}

// --- the page --------------------------------------------------------------------------------------------------------

const NARROW = '(max-width: 1000px)'; // as css/layout.css has it: there the panels are a drawer over the view

/**
 * Whether the panels are to be seen.
 * @param {Store} of
 */
export function isSideOpen({settings, home}) {
    return home.isSize(NARROW) ? settings.drawerOpen : settings.sideOpen;
}

/**
 * Opens or closes the panels; with a tab, shows that one.
 * @param {Store} store @param {boolean} isOpen @param {string} [tab]
 */
export function setSide(store, isOpen, tab = store.settings.tab) {
    const name = store.home.isSize(NARROW) ? 'drawerOpen' : 'sideOpen';
    store.change({[name]: isOpen, tab});
}

/**
 * Calls fn when the page becomes narrow or wide.
 * @param {{home: Home}} of @param {() => void} fn
 */
export function onNarrow({home}, fn) {
    home.onSize(NARROW, fn);
}
