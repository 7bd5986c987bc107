// The goals panel: everything that is asked of the figures, with its state, how far it is from being met, and a form
// for the chosen one.

import * as actions from '../actions/actions.js';
import {bodyBlock, showBody} from './body.js';
import {spoken} from '../document/names.js';
import {byHand} from '../input/touch.js';
import {button, h, replace, switchOf} from '../widgets/dom.js';
import {asList, entriesOf, isPin, kindOf, stateOf, titleOf} from '../document/entries.js';
import {movable, together, toggleTogether} from '../actions/together.js';
import {goalMenu} from './goal_menu.js';
import {icon} from '../widgets/icons.js';
import {menuButton} from '../widgets/menu.js';
import {isPlayback, residualText} from './status.js';
import {wishesBlock} from './wishes.js';

/** A goal's item in the list, with what changes in it. @typedef {ReturnType<typeof rowOf>} GoalRow */

/** @type {Record<string, string>} */
const STATE_WORDS = {met: 'met', unmet: 'not met', idle: 'not counted', off: 'off'};

/**
 * Builds the panel.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const add = menuButton(
        button({icon: 'plus', text: 'Add goal', class: 'framed', dataset: {command: 'panel-add-goal'}}),
        () => goalMenu(store),
        'Add a goal',
    );
    const solve = button({
        icon: 'solve',
        text: 'Solve',
        key: 'Enter',
        class: 'framed push',
        dataset: {command: 'solve'},
        onclick: () => store.solve(),
    });
    const several = button({text: 'Several …', label: 'Move several goals together', class: 'framed', hidden: true,
        dataset: {command: 'several-goals'},
        onclick: async () => (await import('./several_goals.js')).openSeveral(store)});
    const list = h('ul', {class: 'goal-list', 'aria-label': 'Goals'});
    const body = h('div', {class: 'wishes'});
    const wishes = h('div', {class: 'wishes'});
    element.append(h('div', {class: 'tools'}, add, several, solve), list, body, wishes);
    /** @type {GoalRow[]} */
    let rows = [];
    const rebuild = () => {
        if (!store.doc || !store.scene) return;
        const entries = entriesOf(store.doc, store.scene);
        rows = entries.map((entry) => rowOf(entry, store));
        several.hidden = movable(store).length < 2;
        replace(list, entries.length ? grouped(rows) : nothing(store));
        update();
    };
    const update = () => {
        for (const row of rows) showState(row, store.frame);
        solve.classList.toggle(
            'strong',
            store.frame?.outcome === 'posed' && rows.some(({item}) => item.dataset.state === 'unmet'),
        );
    };
    let due = 0;
    store.on('doc', () => {
        rebuild();
        replace(body, bodyBlock(store));
        showBody(body, store);
        replace(wishes, actions.isNatural(store.scene) ? [] : wishesBlock(store));
    });
    store.on('selection', () => {
        rebuild();
        list.querySelector('.goal.chosen')?.scrollIntoView({block: 'nearest'});
    });
    store.on('frame', () => {
        due ||= requestAnimationFrame(() => {
            due = 0;
            update();
            showBody(body, store);
        });
    });
}

/** @param {Store} store */
function nothing(store) {
    const isNatural = actions.isNatural(store.scene);
    const how = byHand(
        `${isNatural ? 'Drag a part; or click one' : 'Click a part'}, then press P to pin it where it is, ` +
            'or A to add a goal.',
        `${isNatural ? 'Drag a part; or tap one' : 'Tap a part'}: there you pin it where it is, or give it a goal.`,
    );
    return h(
        'li',
        {class: 'empty'},
        h('p', {}, 'Nothing is asked of the figure yet.'),
        h('p', {}, how),
    );
}

/**
 * Members of a disjunction stand together under its name.
 * @param {GoalRow[]} rows
 */
function grouped(rows) {
    /** @type {Map<string | number, GoalRow[]>} */
    const groups = new Map();
    for (const row of rows) {
        const name = row.entry.value.any_of ?? null;
        if (name !== null) groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    const heads = [...groups].flatMap(([name, members]) => [
        h('li', {class: 'group'}, `Any of “${name}”: the nearest counts`),
        ...members.map(({item}) => {
            item.classList.add('in-group');
            return item;
        }),
    ]);
    const singles = rows.filter((row) => (row.entry.value.any_of ?? null) === null).map(({item}) => item);
    return [...singles, ...heads];
}

/** What makes the form of a goal: it is fetched once the page can be used. */
const forms = {
    /** @type {typeof import('./goal_form.js').formOf | null} */
    formOf: null,
};

/** @param {NonNullable<typeof forms.formOf>} formOf */
export function giveForms(formOf) {
    forms.formOf = formOf;
}

/** @param {Entry} entry @param {Store} store */
function rowOf(entry, store) {
    const isChosen = actions.selectedEntry(store)?.key === entry.key;
    const kind = kindOf(entry);
    const state = h('span', {class: 'state idle'}, icon('idle'));
    const residual = h('span', {class: 'residual'});
    const chooser = h(
        'button',
        {
            type: 'button',
            class: 'choose',
            'aria-expanded': isChosen,
            dataset: {key: `choose ${entry.key}`},
            onclick: (event) => choose(store, entry, isChosen, event.shiftKey),
        },
        state,
        icon(kind),
        h('span', {class: 'title'}, spoken(titleOf(entry)), h('span', {class: 'unseen'}, `, ${kindWord(entry)}`)),
        residual,
    );
    const toggle = switchOf({
        text: '',
        label: `${titleOf(entry)} on or off`,
        checked: !entry.value.disabled,
        dataset: {key: `toggle ${entry.key}`},
        onchange: () => actions.toggleEntry(store, entry),
    });
    const remove = button({
        icon: 'trash',
        label: `Delete ${titleOf(entry)}`,
        class: 'small bare',
        dataset: {key: `delete ${entry.key}`},
        onclick: () => actions.deleteEntry(store, entry),
    });
    const item = h(
        'li',
        {class: 'goal', dataset: {goal: entry.name, from: entry.from}},
        h('div', {class: 'row'}, chooser, toggle, remove),
        isChosen ? forms.formOf?.(entry, store) : null,
    );
    const isTogether = together(store).some(({name}) => name === selectionOf(entry).name);
    item.classList.toggle('chosen', isChosen);
    item.classList.toggle('together', isTogether);
    if (isTogether) chooser.setAttribute('aria-description', 'chosen together with others');
    return {entry, item, state, residual, choose: chooser};
}

/**
 * Chooses one alone, or with Shift one more.
 * @param {Store} store @param {Entry} entry @param {boolean} isChosen @param {boolean} isMore
 */
function choose(store, entry, isChosen, isMore) {
    const selection = selectionOf(entry);
    /** @type {SceneConstraint[]} */
    const others = movable(store);
    if (isMore && others.some(({name}) => name === selection.name)) toggleTogether(store, selection.name);
    else store.select(isChosen ? null : selection);
}

/** @param {Entry} entry */
function kindWord(entry) {
    if (entry.from === 'constraints') return isPin(entry) ? 'pin' : kindOf(entry);
    if (entry.from === 'avoid')
        return entry.value.others
            ? `avoids ${asList(entry.value.others).join(', ')}`
            : `avoids ${entry.value.obstacle?.kind ?? ''}`;
    return entry.from;
}

/**
 * How the store selects an entry: by the name that the scene's constraint has.
 * @param {Entry} entry
 * @returns {Selected}
 */
export function selectionOf(entry) {
    return {
        kind: 'constraint',
        figure: entry.constraints[0]?.figure ?? 0,
        name: entry.constraints[0]?.name ?? entry.key,
    };
}

/** @param {GoalRow} of @param {PoseFrame} frame */
function showState({entry, item, state, residual, choose}, frame) {
    const now = stateOf(entry, frame);
    const text =
        now.state === 'off'
            ? 'off'
            : !isPlayback(frame) && (Number.isFinite(now.distance) || Number.isFinite(now.angle))
              ? residualText({...now, met: now.state !== 'unmet'}, ['aim', 'orientation'].includes(kindOf(entry)))
              : '';
    if (residual.textContent !== text) residual.textContent = text;
    if (item.dataset.state === now.state) return;
    item.dataset.state = now.state;
    for (const name of Object.keys(STATE_WORDS)) item.classList.toggle(name, name === now.state);
    state.className = `state ${now.state}`;
    state.replaceChildren(icon(now.state, STATE_WORDS[now.state]));
    choose.title = `${entry.name} (${kindWord(entry)}): ${STATE_WORDS[now.state]}`;
}
