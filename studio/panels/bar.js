// The bar at the top: files, history, tools, the commands on a picked part, and the page's own switches.

import * as actions from '../actions/actions.js';
import {button, focused, h, switchOf} from '../widgets/dom.js';
import {fileMenu} from './file_menu.js';
import {goalMenu} from './goal_menu.js';
import {icon} from '../widgets/icons.js';
import {menuButton, openMenu} from '../widgets/menu.js';
import {keepWithin} from '../widgets/overflow.js';

/** @type {[Settings['theme'], string][]} */
const THEMES = [
    ['system', 'As the system'],
    ['light', 'Light'],
    ['dark', 'Dark'],
];

/**
 * Makes the button of a command; tuck: how early it goes into the menu of more where there is little room.
 * @typedef {Properties & {tuck?: number | null}} CommandProperties
 * @typedef {(name: string, of: CommandProperties, run?: () => unknown) => HTMLButtonElement} MakeCommand
 */

/**
 * Builds the bar. `shell`: {view, help, link} from main.js.
 * @param {HTMLElement} element @param {Store} store @param {Shell} shell
 */
export function mount(element, store, shell) {
    /** @type {MakeCommand} */
    const command = (name, {tuck = null, ...properties}, run) =>
        button({...properties, dataset: {command: name, ...(tuck && {tuck})}, onclick: run});
    const undo = command('undo', {icon: 'undo', label: 'Undo', key: 'Ctrl+Z', class: 'bare'}, () => store.undo());
    const redo = command('redo', {icon: 'redo', label: 'Redo', key: 'Ctrl+Shift+Z', class: 'bare', tuck: 15}, () =>
        store.redo(),
    );
    const history = menuButton(
        command('history', {icon: 'history', label: 'History', class: 'bare', tuck: 2}),
        () => historyMenu(store),
        'History',
    );
    const file = menuButton(command('open', {icon: 'file', text: 'File'}), () => fileMenu(store, shell), 'File');
    const pin = command(
        'pin',
        {icon: 'pin', text: 'Pin', label: 'Pin the picked part', key: 'P', class: 'less-shy', tuck: 11},
        () => actions.togglePin(store),
    );
    const add = menuButton(
        command('add-goal', {
            icon: 'goal',
            text: 'Goal',
            label: 'Add a goal on the picked part',
            key: 'A',
            class: 'less-shy',
            tuck: 12,
        }),
        () => goalMenu(store),
        'Add a goal',
    );
    const natural = switchOf({
        text: 'Natural',
        class: 'manner',
        label: 'Pose people as people: off, the bare problem',
        dataset: {command: 'natural'},
        onchange: (isOn) => actions.setNatural(store, isOn),
    });
    const balance = switchOf({
        text: 'Balance',
        class: 'manner',
        label: 'Keep the balance (B)',
        dataset: {command: 'balance'},
        onchange: (isOn) => actions.setBalance(store, isOn),
    });
    const theme = menuButton(
        command('theme', {icon: 'sun', label: 'Theme', class: 'bare', tuck: 10}),
        () => themeMenu(store),
        'Theme',
    );
    const more = command('more', {
        icon: 'more',
        label: 'More commands',
        class: 'bare',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
    });
    element.append(
        h('span', {class: 'brand'}, brandMark(), h('span', {}, 'Limber Studio')),
        file,
        rule(),
        undo,
        redo,
        history,
        rule(),
        toolChoice(store),
        chainStepper(store),
        rule(),
        pin,
        add,
        command(
            'look',
            {tuck: 7, icon: 'eye', text: 'Look', label: 'Look at the picked point', key: 'L', class: 'less-shy'},
            () => actions.lookAt(store),
        ),
        command(
            'reach',
            {tuck: 6, icon: 'reach', text: 'Reach', label: 'Where the picked part can go', key: 'E', class: 'less-shy'},
            () => actions.computeReach(store),
        ),
        command(
            'solutions',
            {
                tuck: 0,
                icon: 'solutions',
                text: 'Solutions',
                label: 'Every solution of the goal, to choose',
                key: 'S',
                class: 'shy',
            },
            () => store.solutions?.toggle(),
        ),
        rule(),
        command(
            'mirror',
            {tuck: 4, icon: 'mirror', text: 'Mirror', label: 'Mirror the pose', key: 'M', class: 'shy'},
            () => actions.mirrorPose(store),
        ),
        command(
            'reset',
            {tuck: 5, icon: 'reset', text: 'Reset', label: 'Reset to the rest pose', key: 'R', class: 'shy'},
            () => actions.resetPose(store),
        ),
        natural,
        balance,
        h('span', {class: 'gap'}),
        command(
            'link',
            {tuck: 1, icon: 'link', text: 'Link', label: 'A link that holds this problem', class: 'shy'},
            () => shell.link(),
        ),
        timelineButton(store, command),
        more,
        sideButton(store, command),
        theme,
        command('help', {icon: 'help', label: 'Help', key: '?', class: 'bare', tuck: 14}, () => shell.help()),
    );
    const show = () => showHistory(store, undo, redo, history);
    store.on('history', show);
    store.on('doc', () => {
        natural.hidden = !actions.hasBody(store.scene); // people have that switch; B is for their balance
        balance.hidden = !natural.hidden;
        natural.input.checked = actions.isNatural(store.scene);
        balance.input.checked = actions.isBalanced(store.doc);
        fit();
    });
    for (const one of [natural, balance]) one.dataset.tuck = '13';
    store.on('settings', () => showTheme(store, theme));
    const showPin = () => pin.setAttribute('aria-pressed', String(isPinned(store)));
    for (const event of /** @type {const} */ (['selection', 'scene'])) store.on(event, showPin);
    show();
    showTheme(store, theme);
    walkable(element);
    balance.hidden = true; // the page begins with a person, who is natural
    const fit = keepWithin(element, more);
}

/**
 * One stop of Tab; arrows go on from there (a toolbar, as screen readers know it).
 * @param {HTMLElement} element
 */
function walkable(element) {
    element.addEventListener('keydown', (event) => {
        if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
        /** @type {NodeListOf<HTMLButtonElement | HTMLInputElement>} */
        const controls = element.querySelectorAll('button, input');
        const all = [...controls].filter(
            (other) => !other.disabled && other.offsetParent,
        );
        const now = all.indexOf(/** @type {HTMLButtonElement | HTMLInputElement} */ (focused()));
        if (now < 0) return;
        all[(now + (event.key === 'ArrowRight' ? 1 : -1) + all.length) % all.length].focus();
        event.preventDefault();
    });
}

const rule = () => h('span', {class: 'rule'});

function brandMark() {
    const mark = icon('robot');
    mark.setAttribute('class', 'icon');
    return mark;
}

/** @param {Store} store */
function isPinned(store) {
    const part = store.scene && store.selection && actions.pickedPart(store);
    return Boolean(part && actions.pinsOn(store, part).length);
}

/**
 * @param {Store} store @param {HTMLButtonElement} undo @param {HTMLButtonElement} redo
 * @param {HTMLButtonElement} history
 */
function showHistory(store, undo, redo, history) {
    const last = store.past.at(-1);
    const next = store.future.at(-1);
    undo.disabled = !last;
    redo.disabled = !next;
    history.disabled = !last && !next;
    undo.title = last ? `Undo: ${last.label} (Ctrl+Z)` : 'Nothing to undo';
    redo.title = next ? `Redo: ${next.label} (Ctrl+Shift+Z)` : 'Nothing to redo';
    undo.setAttribute('aria-label', undo.title);
    redo.setAttribute('aria-label', redo.title);
}

/** @param {Store} store */
function historyMenu(store) {
    const undone = store.future.map(({label}, i) => ({
        text: label,
        icon: 'redo',
        run: () => store.travel(store.future.length - i),
    }));
    const done = [...store.past]
        .reverse()
        .map(({label}, i) => ({text: label, icon: 'undo', run: () => store.travel(-(i + 1))}));
    return [
        ...(undone.length ? [{heading: 'Undone: go forth to'}, ...undone] : []),
        {heading: 'Done: go back before'},
        ...done.slice(0, 40),
    ];
}

/** @param {Store} store */
function toolChoice(store) {
    /** @param {string} name @param {string} text @param {string} key @param {string} label */
    const tool = (name, text, key, label) =>
        button({
            icon: name,
            text,
            label,
            key,
            role: 'radio',
            class: 'shy',
            dataset: {command: `tool-${name}`},
            'aria-checked': store.settings.tool === name,
            onclick: () => store.change({tool: name}),
        });
    const all = [
        tool('drag', 'Drag', 'Q', 'Drag: pull a part to a place'),
        tool('turn', 'Turn', 'W', 'Turn: rotate a part with the rings'),
    ];
    store.on('settings', ({tool: now}) => {
        for (const one of all) one.setAttribute('aria-checked', String(one.dataset.command === `tool-${now}`));
    });
    return h('div', {class: 'segmented', role: 'radiogroup', 'aria-label': 'Tool'}, all);
}

/** @param {Store} store */
function chainStepper(store) {
    const text = () => (store.settings.chain ? `${store.settings.chain}` : 'all');
    const value = h('output', {class: 'chain-value', 'aria-live': 'polite'}, text());
    store.on('settings', () => {
        value.textContent = text();
    });
    /** @param {string} name @param {string} label @param {number} by @param {string} key */
    const step = (name, label, by, key) =>
        button({
            icon: name,
            label,
            key,
            class: 'bare',
            dataset: {command: `chain-${name}`},
            onclick: () => actions.changeChain(store, by),
        });
    return h(
        'div',
        {
            class: 'stepper',
            role: 'group',
            dataset: {tuck: 8},
            'aria-label': 'Joints that follow a drag',
            title: 'How many joints up the body follow a drag (wheel while dragging)',
        },
        step('minus', 'Shorter chain', -1, '['),
        h('span', {class: 'quiet'}, 'Chain'),
        value,
        step('plus', 'Longer chain', 1, ']'),
    );
}

/** @param {Store} store */
function themeMenu(store) {
    return THEMES.map(([theme, text]) => ({
        text,
        checked: store.settings.theme === theme,
        run: () => store.change({theme}),
    }));
}

/** @param {Store} store @param {HTMLButtonElement} theme */
function showTheme(store, theme) {
    const name = {system: 'system', light: 'sun', dark: 'moon'}[store.settings.theme];
    theme.querySelector('svg')?.replaceWith(icon(name));
}

/** @param {Store} store @param {MakeCommand} command */
function timelineButton(store, command) {
    const element = command(
        'timeline',
        {tuck: 9, icon: 'timeline', text: 'Timeline', label: 'Timeline', key: 'T', class: 'shy'},
        () => store.change({timelineOpen: !store.settings.timelineOpen}),
    );
    const show = () => element.setAttribute('aria-pressed', String(store.settings.timelineOpen));
    store.on('settings', show);
    show();
    return element;
}

/** @param {Store} store @param {MakeCommand} command */
function sideButton(store, command) {
    const element = command('side', {icon: 'side', label: 'Panels', key: '\\', class: 'bare'}, () =>
        actions.setSide(store, !actions.isSideOpen(store)),
    );
    const show = () => element.setAttribute('aria-pressed', String(actions.isSideOpen(store)));
    store.on('settings', show);
    show();
    return element;
}

/**
 * Opens the goal menu at a point of the page, or under the bar's button.
 * @param {Store} store @param {MenuPlace} [at]
 */
export function openGoalMenu(store, at = /** @type {HTMLElement} */ (
    store.home.root.querySelector('[data-command="add-goal"]'))) {
    return openMenu(goalMenu(store), at, 'Add a goal');
}
