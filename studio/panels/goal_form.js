// The form of an entry of the goals panel: its end-effector, its kind, how much it matters, what it shares.

import {didYouMean} from 'limber/nearest.js';
import * as actions from '../actions/actions.js';
import {effectorFrame, effectorText} from '../document/effectors.js';
import {freshName, fullName} from '../document/names.js';
import {rotate, rotationInvert} from '../math/vector.js';
import {button, h} from '../widgets/dom.js';
import {asList, entryIn, isPin, listOf, renameInMotion} from '../document/entries.js';
import {Form, assignUnlessEmpty} from '../widgets/form.js';
import {goalFields} from './goal_fields.js';
import {GOAL_KINDS, OBSTACLE_KINDS, changedKind, kindNamed} from '../document/goal_kinds.js';
import {carrierFrame, carrierOf, carrierText, disjunctions, jointsUp, placeNames} from '../document/goal_names.js';
import {valueOf, vectorOf} from '../document/units.js';

/** Entries whose further settings are open, by name. */
const opened = new Set();

/**
 * The form of an entry of the list.
 * @param {Entry} entry @param {Store} store
 */
export function formOf(entry, store) {
    const form = new Form(entry, store);
    const rows = {constraints: constraintRows, keep: keepRows, balance: balanceRows, avoid: avoidRows}[entry.from](
        form,
    );
    const further = entry.from === 'constraints' ? moreBlock(form) : null;
    return h('div', {class: 'form', role: 'group', 'aria-label': `${entry.name}: settings`}, [
        ...rows,
        weightRow(form),
        toleranceRow(form),
        further,
        actionsRow(form),
    ]);
}

// --- what all have ---------------------------------------------------------------------------------------------------

/** @param {Form} form */
function weightRow(form) {
    const {weight, priority} = form.value;
    const level = {
        title: 'Priority',
        label: 'Priority: 0 is the highest',
        key: 'priority',
        min: 0,
        max: 7,
        step: 1,
        whole: true,
    };
    return h(
        'div',
        {class: 'pair'},
        form.number({title: 'Weight', key: 'weight', value: valueOf(weight, 1), min: 0}),
        form.number({...level, value: valueOf(priority, 0)}),
    );
}

/** @param {Form} form */
function toleranceRow(form) {
    const {tolerance, tolerance_angle: angle} = form.value;
    const length = valueOf(asList(tolerance)[0], 1e-5);
    const hasAngle = form.entry.from === 'constraints' || form.entry.from === 'keep';
    /** @type {Row} */
    const turn = {
        title: 'and',
        label: 'Tolerance of directions',
        key: 'tolerance_angle',
        kind: 'angle',
        unit: 'deg',
        min: 0,
    };
    return h(
        'div',
        {class: 'pair'},
        form.number({title: 'Tolerance', key: 'tolerance', kind: 'mm', unit: 'mm', min: 0, value: length}),
        hasAngle ? form.number({...turn, value: valueOf(angle, 1e-5)}) : h('span'),
    );
}

/** @param {Form} form */
function actionsRow(form) {
    const {entry, store, value} = form;
    const [constraint] = entry.constraints;
    const {goal} = value;
    const canCome = goal && goal.relative_to === undefined && !['aim', 'polyhedron'].includes(goal.kind);
    /** @param {string} key @param {string} text @param {string | null} label @param {() => unknown} onclick */
    const action = (key, text, label, onclick) => button({text, label, class: 'small framed', dataset: {key}, onclick});
    const pick = () => {
        const {figure, segment} = constraint;
        store.select({kind: 'segment', figure, name: store.scene.figures[figure].segments[segment].name});
    };
    return h(
        'div',
        {class: 'actions'},
        canCome &&
            action('here', 'Move here', 'Move the goal to where the part is now', () => actions.goalHere(store, entry)),
        constraint?.segment >= 0 && action('pick', 'Pick its part', null, pick),
        !isPin(entry) && action('copy', 'Duplicate', null, () => duplicate(form)),
    );
}

/** @param {{entry: Entry, store: Store}} of */
function duplicate({entry, store}) {
    const {from, index, name} = entry;
    store.edit(`Duplicate ${name}`, (draft) => {
        const copy = structuredClone(entryIn(draft, entry));
        if (copy.name) copy.name = freshName(draft, copy.name.replace(/ \d+$/, ''));
        Object.assign(draft, {[from]: listOf(draft, from).toSpliced(index + 1, 0, copy)});
    });
}

// --- constraints -----------------------------------------------------------------------------------------------------

/** @param {Form} form */
function constraintRows(form) {
    const {goal, effector} = form.value;
    const kinds = GOAL_KINDS.map(({kind, title}) => [kind, title]);
    return [
        form.text({title: 'Name', key: 'name', value: form.entry.name, onset: (name) => rename(form, name)}),
        form.choice({
            title: 'Part',
            label: 'Point of the part',
            key: 'effector',
            value: JSON.stringify(effector),
            options: effectorOptions(form),
            apply: (entry, text) => {
                entry.effector = JSON.parse(text);
            },
        }),
        form.choice({
            title: 'Goal',
            label: 'Kind of goal',
            key: 'kind',
            value: goal.kind,
            options: kinds,
            apply: (entry, kind) => {
                entry.goal = changedKind(entry.goal, kind, placeOf(form));
            },
        }),
        ...goalFields(form, goal, (entry) => entry.goal),
    ];
}

/**
 * Where the end-effector is now.
 * @param {{store: Store, value: DocConstraint}} of
 */
function placeOf({store, value}) {
    return effectorFrame(store.scene, store.frame, value.effector) ?? {position: [0, 0, 1], rotation: [0, 0, 0, 1]};
}

/** @param {{entry: Entry, store: Store}} of @param {string} name */
async function rename({entry, store}, name) {
    if (!name || name === entry.name) return;
    let fresh = name;
    const isDone = await store.edit(`Rename ${entry.name}`, (draft) => {
        const own = entryIn(draft, entry);
        own.name = '';
        fresh = freshName(draft, name);
        own.name = fresh;
        renameInMotion(draft, entry.name, fresh);
    });
    if (isDone) store.select({kind: 'constraint', figure: entry.constraints[0]?.figure ?? 0, name: fresh});
}

/**
 * The sites of the part that the effector is on, and the effector as it is.
 * @param {{entry: Entry, store: Store, value: DocConstraint}} of
 */
function effectorOptions({entry, store, value}) {
    const {effector} = value;
    const text = effectorText(effector);
    const options = [[JSON.stringify(effector), typeof effector === 'string' ? text : `${text}, a point of it`]];
    const [constraint] = entry.constraints;
    if (!constraint || constraint.segment < 0) return options;
    const {figure: f, segment} = constraint;
    const figure = store.scene.figures[f];
    const sites = figure.sites
        .filter((site) => site.segment === segment)
        .map(({name}) => fullName(store.scene, f, name));
    const origin = {segment: fullName(store.scene, f, figure.segments[segment].name), point: [0, 0, 0]};
    const others = [
        ...sites.map((name) => [JSON.stringify(name), name]),
        [JSON.stringify(origin), `${origin.segment}, its origin`],
    ];
    return [...options, ...others.filter(([key]) => key !== options[0][0])];
}

/**
 * What is needed seldom: disjunction, chain, carrier, the effector's own size, shares.
 * @param {Form} form
 */
function moreBlock(form) {
    const {entry, value} = form;
    const toggle = () => {
        if (!opened.delete(entry.name)) opened.add(entry.name);
    };
    const hasBody = value.goal.kind === 'half-space' || value.goal.outside;
    return h(
        'details',
        {class: 'block', open: opened.has(entry.name)},
        h('summary', {dataset: {key: 'more'}, onclick: toggle}, 'More'),
        h('div', {class: 'content'}, sharedRows(form), hasBody ? bodyRows(form) : null, shareRows(form)),
    );
}

/** @param {Form} form */
function sharedRows(form) {
    const {entry, store, value} = form;
    const joints = entry.constraints[0] ? jointsUp(store.scene, entry.constraints[0]) : [];
    const word = value.any_of === undefined ? '' : String(value.any_of);
    return [
        form.text({
            title: 'Any of',
            label: 'Disjunction: of goals with the same word the nearest counts',
            key: 'any_of',
            value: word,
            list: disjunctions(store.doc),
            placeholder: 'a word: the nearest counts',
            apply: (own, text) => assignUnlessEmpty('any_of')(own, /^\d+$/.test(text) ? Number(text) : text),
        }),
        form.choice({
            title: 'Chain from',
            label: 'First joint of its chain',
            key: 'from',
            value: value.from ?? '',
            options: [['', 'the root'], ...joints.map((name) => [name, name])],
            apply: assignUnlessEmpty('from'),
        }),
        form.text({
            title: 'Carried by',
            label: 'Carried by a site, or segment',
            key: 'carrier',
            value: carrierText(value.goal),
            list: placeNames(store.scene),
            placeholder: 'the world',
            onset: (name) => carry(form, name),
        }),
    ];
}

/**
 * The effector may be a ball or a capsule, for what is kept out of something.
 * @param {Form} form
 */
function bodyRows(form) {
    /** @param {string} title @param {string} key @returns {Row} */
    const row = (title, key) => ({title, key, kind: 'length', unit: 'm', min: 0, value: valueOf(form.value[key], 0)});
    const radius = {
        ...row('Ball radius', 'radius'),
        label: 'Radius of the effector',
        apply: assignUnlessEmpty('radius'),
    };
    const length = {...row('Half length', 'half_length'), label: 'Half length of the effector'};
    return [
        form.number({...radius, key: 'own-radius'}),
        form.number({...length, apply: assignUnlessEmpty('half_length')}),
    ];
}

/**
 * How directions weigh against places.
 * @param {Form} form
 */
function shareRows(form) {
    const {goal} = form.value;
    const degrees = asList(goal.degrees_per_metre).map((one) => valueOf(one));
    /** @param {DocConstraint} entry @param {number} number */
    const setDegrees = (entry, number) => {
        entry.goal.degrees_per_metre = degrees.length > 1 ? [number, degrees[1]] : number;
    };
    /** @param {DocConstraint} entry @param {number} number */
    const setShare = (entry, number) => {
        entry.goal.position_weight = number;
    };
    const turn = {
        title: 'Degrees / m',
        label: 'Degrees that count as much as a metre',
        key: 'degrees',
        min: 0,
        step: 10,
    };
    const share = {title: 'Position share', label: 'Share of the position, 0 to 1', key: 'share', min: 0, max: 1};
    return [
        kindNamed(goal.kind).fields.includes('degrees')
            ? form.number({...turn, value: degrees[0] ?? 180, apply: setDegrees})
            : null,
        goal.kind === 'frame'
            ? form.number({...share, value: valueOf(goal.position_weight, 0.5), apply: setShare})
            : null,
    ];
}

/**
 * Another carrier; the goal's place stays where it is in the world.
 * @param {Form} form @param {string} name
 */
function carry(form, name) {
    const {scene, frame} = form.store;
    const carrier = name ? carrierFrame(scene, frame, name) : null;
    if (name && !carrier) {
        const near = didYouMean(name, placeNames(scene));
        form.store.message('error', `There is no site or segment called ${name}${near || '.'}`);
        form.store.emit('doc', form.store.doc);
        return;
    }
    const {relative_to: before} = form.value.goal;
    const old = before === undefined ? null : carrierFrame(scene, frame, before);
    /** @param {number[]} point */
    const inWorld = (point) => (old ? rotate(old.rotation, point).map((part, i) => part + old.position[i]) : point);
    /** @param {Vec} point */
    const inCarrier = (point) =>
        carrier
            ? rotate(
                  rotationInvert(carrier.rotation),
                  point.map((part, i) => part - carrier.position[i]),
              )
            : point;
    form.edit('Carrier', ({goal}) => {
        for (const key of ['point', 'to']) {
            if (goal[key] || key === 'point') goal[key] = inCarrier(inWorld(vectorOf(goal[key])));
        }
        if (name) goal.relative_to = carrierOf(scene, name);
        else delete goal.relative_to;
    });
}

// --- keep, balance, avoid --------------------------------------------------------------------------------------------

/** @param {Form} form */
function keepRows(form) {
    const {site, what = 'frame'} = form.value;
    const options = [
        ['frame', 'Place and direction'],
        ['position', 'Place'],
        ['orientation', 'Direction'],
    ];
    return [
        form.text({title: 'Site', key: 'site', value: site, list: placeNames(form.store.scene)}),
        form.choice({title: 'Keep', label: 'What is kept', key: 'what', value: what, options}),
    ];
}

/** @param {Form} form */
function balanceRows(form) {
    const {support, margin} = form.value;
    /** @type {Row} */
    const inside = {title: 'Margin', label: 'Margin inside the support', key: 'margin', kind: 'length', unit: 'm'};
    return [
        form.names({
            title: 'Support',
            label: 'Sites of the support, with commas',
            key: 'support',
            value: asList(support),
        }),
        form.number({...inside, value: valueOf(margin, 0)}),
    ];
}

/** @param {Form} form */
function avoidRows(form) {
    const {segments, others, obstacle, margin} = form.value;
    /** @param {string} title @param {string} key @param {string[]} value */
    const names = (title, key, value) =>
        form.names({title, label: `${title}: names or patterns, with commas`, key, value});
    /** @type {Row} */
    const apart = {
        title: 'Margin',
        label: 'Distance kept',
        key: 'margin',
        kind: 'length',
        unit: 'm',
        value: valueOf(margin, 0),
    };
    const rest = others ? [names('Stay out of', 'others', asList(others))] : obstacleRows(form, obstacle);
    return [names('Parts', 'segments', asList(segments)), ...rest, form.number(apart)];
}

/** @param {Form} form @param {DocGoal} obstacle */
function obstacleRows(form, obstacle) {
    /** @param {DocAvoid & {obstacle: DocGoal}} entry @param {string} kind */
    const apply = (entry, kind) => {
        const at = {position: vectorOf(entry.obstacle.point, [0.4, 0, 1]), rotation: [0, 0, 0, 1]};
        entry.obstacle = changedKind(entry.obstacle, kind, at);
    };
    const options = OBSTACLE_KINDS.map((kind) => [kind, kindNamed(kind).title]);
    const kind = {title: 'Obstacle', label: 'Kind of obstacle', key: 'obstacle', value: obstacle.kind, options, apply};
    return [form.choice(kind), ...goalFields(form, obstacle, (entry) => entry.obstacle)];
}
