// The keyboard map: one table that runs the commands and that the help shows.

import * as actions from '../actions/actions.js';
import {heldBy, isThing, toggleHold} from '../document/things.js';
import {saveProblem} from '../files/files.js';
import {openGoalMenu} from '../panels/bar.js';
import {openPlace} from '../panels/dialogs.js';
import {chooseFiles} from '../panels/file_menu.js';
import {isTouched} from './touch.js';

const TABS = ['goals', 'joints', 'method', 'poses', 'show'];

/**
 * The commands by group: {keys, label, run}. A key is written as the event has it; `Ctrl+` is Command on a Mac.
 * @param {Store} store @param {Shell} shell
 */
export function keyTable(store, shell) {
    return [
        {
            group: 'Picked part',
            commands: [
                {keys: ['P'], label: 'Pin, or let go', run: () => actions.togglePin(store)},
                {keys: ['A'], label: 'Add a goal', run: () => openGoalMenu(store)},
                {keys: ['L'], label: 'Look at the picked point', run: () => actions.lookAt(store)},
                {keys: ['E'], label: 'Where it can reach', run: () => actions.computeReach(store)},
                {keys: ['S'], label: 'Every solution, to choose', run: () => store.solutions?.toggle()},
                {keys: ['H'], label: 'Hold a thing, or put it down', run: () => holdPicked(store)},
                {keys: ['G'], label: 'Place it by numbers', run: () => placePicked(store)},
                {keys: ['V'], label: 'Turn the elbow or knee by numbers', run: () => swivelPicked(store)},
                {keys: ['X'], label: 'Lock or free the joint', run: () => actions.toggleLock(store)},
                {keys: ['Shift+R'], label: 'Reset the joint', run: () => actions.resetJoint(store)},
                {keys: ['F'], label: 'Look closer at it', run: () => shell.view?.frameSelection?.()},
                {keys: ['N'], label: 'Pick the next part', run: () => actions.pickNext(store, 1)},
                {keys: ['Shift+N'], label: 'Pick the part before', run: () => actions.pickNext(store, -1)},
                {keys: ['Escape'], label: 'Let go of the selection', run: () => store.select(null)},
            ],
        },
        {
            group: 'Pose',
            commands: [
                {keys: ['Q'], label: 'Tool: drag', run: () => store.change({tool: 'drag'})},
                {keys: ['W'], label: 'Tool: turn', run: () => store.change({tool: 'turn'})},
                {keys: ['['], label: 'Shorter chain', run: () => actions.changeChain(store, -1)},
                {keys: [']'], label: 'Longer chain', run: () => actions.changeChain(store, 1)},
                {keys: ['M'], label: 'Mirror the pose', run: () => actions.mirrorPose(store)},
                {keys: ['R'], label: 'Reset to the rest pose', run: () => actions.resetPose(store)},
                {
                    keys: ['B'],
                    label: 'Balance on or off',
                    run: () => actions.setBalance(store, !actions.isBalanced(store.doc)),
                },
                {keys: ['Enter'], label: 'Solve', run: () => store.solve()},
            ],
        },
        {
            group: 'Chosen goal',
            commands: [
                {keys: ['Delete', 'Backspace'], label: 'Delete it', run: () => actions.deleteEntry(store)},
                {keys: ['D'], label: 'On or off', run: () => actions.toggleEntry(store)},
            ],
        },
        {
            group: 'Document',
            commands: [
                {keys: ['Ctrl+Z'], label: 'Undo', run: () => store.undo()},
                {keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], label: 'Redo', run: () => store.redo()},
                {keys: ['Ctrl+O'], label: 'Open file', run: () => chooseFiles(store)},
                {keys: ['Ctrl+S'], label: 'Save problem', run: () => saveProblem(store)},
            ],
        },
        {
            group: 'Time',
            commands: [
                {keys: ['T'], label: 'Timeline', run: () => store.change({timelineOpen: !store.settings.timelineOpen})},
                {keys: ['Space'], label: 'Play or stop', run: () => store.emit('play-toggle')},
                {keys: [','], label: 'Frame before', run: () => store.emit('play-step', -1)},
                {keys: ['.'], label: 'Frame after', run: () => store.emit('play-step', 1)},
                {keys: ['Shift+T'], label: 'Trail of the picked part', run: () => trailPicked(store)},
                {keys: ['K'], label: 'Key at this time', run: () => addKey(store)},
            ],
        },
        {
            group: 'Page',
            commands: [
                {
                    keys: ['1', '2', '3', '4', '5'],
                    label: 'Goals, Joints, Method, Poses, Show',
                    run: (/** @type {string} */ key) => actions.setSide(store, true, TABS[Number(key) - 1]),
                },
                {keys: ['\\'], label: 'Panels', run: () => actions.setSide(store, !actions.isSideOpen(store))},
                {keys: ['Home'], label: 'See everything', run: () => shell.view?.frameAll?.()},
                {keys: ['?'], label: 'Help', run: () => shell.help()},
            ],
        },
    ];
}

/** @param {Store} store */
function placePicked(store) {
    const part = actions.pickedPart(store);
    if (part) openPlace(store, part);
    else store.message('info', 'Pick a part first.');
}

/**
 * What few need is fetched when they do.
 * @param {Store} store
 */
async function swivelPicked(store) {
    const {openSwivel} = await import('../panels/swivel.js');
    openSwivel(store);
}

/**
 * The thing that is picked is held, or put down.
 * @param {Store} store
 */
function holdPicked(store) {
    const part = actions.pickedPart(store);
    if (part && isThing(store.scene.figures[part.figure])) return toggleHold(store, part.figure);
    const held = heldBy(store, store.selection);
    if (held >= 0) return toggleHold(store, held);
    store.message('info', 'Pick a thing first: a mug, a box, a tool.');
    return null;
}

/** Keys that the view has while it has the focus, for the help. */
export const VIEW_KEYS = [
    ['Move the picked part', ['Arrows', 'PageUp', 'PageDown']],
    ['ten times as far', ['Shift']],
    ['Turn elbow or knee, hand or foot stay', ['Alt+Left', 'Alt+Right']],
    ['Turn the view', ['Ctrl+Arrows']],
    ['Closer, farther', ['+', '-']],
    ['Front, side, top', ['Shift+1', 'Shift+3', 'Shift+7']],
];

/** What fingers do, for the help. */
const FINGERS = [
    ['Pull a part', 'the body follows'],
    ['Tap a part', 'picks it'],
    ['Hold a part', 'menu of goals'],
    ['Pull a goal', 'moves it'],
    ['Tap twice', 'looks closer'],
    ['Pull beside the figure', 'turns the view'],
    ['Two fingers', 'shift the view'],
    ['Pinch', 'closer or farther'],
    ['Pull along the ruler, a key', 'goes to a time, moves it'],
];

/** What the pointer does, for the help. */
const POINTER = [
    ['Pull a part', 'the body follows'],
    ['Wheel while pulling', 'how many joints follow'],
    ['Shift while pulling', 'along the ground'],
    ['Pull a goal', 'moves it'],
    ['Click a part', 'picks it'],
    ['Right click, or hold', 'menu of goals'],
    ['Double click', 'looks closer'],
    ['Pull beside the figure', 'turns the view'],
    ['Shift or right button, two fingers', 'shifts the view'],
    ['Wheel, or pinch', 'closer or farther'],
    ['Pull along the ruler, a key', 'goes to a time, moves it'],
    ['Drop files', 'opens them'],
];

export const gestures = () => (isTouched() ? FINGERS : POINTER);

/** @param {Store} store */
function trailPicked(store) {
    if (!store.settings.timelineOpen) store.change({timelineOpen: true});
    store.emit('trail-toggle');
}

/** @param {Store} store */
function addKey(store) {
    if (!store.settings.timelineOpen) store.change({timelineOpen: true});
    store.emit('key-add');
}

/**
 * A key event as the table writes it.
 * @param {KeyboardEvent} event
 */
function spelled(event) {
    const name = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const isLetter = /^[A-Z]$/.test(name);
    const isCtrl = event.ctrlKey || event.metaKey;
    return `${isCtrl ? 'Ctrl+' : ''}${event.shiftKey && (isLetter || isCtrl) ? 'Shift+' : ''}${name}`;
}

/**
 * Where keys are for typing, or belong to the control that has the focus.
 * @param {{home: Home}} of @param {KeyboardEvent} event @param {string} name
 */
function isTaken({home}, event, name) {
    const {target} = event;
    if (!(target instanceof HTMLElement)) return false;
    if (home.root.querySelector('dialog[open]') || target.closest('[role="menu"]')) return true;
    if (name.startsWith('Ctrl+') && !/Ctrl\+(Shift\+)?[ZY]/.test(name)) return false;
    if (
        target.matches(
            'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select, [contenteditable="true"]',
        )
    )
        return true;
    if (target.matches('button, a, summary, input, [role="tab"], [role="slider"]'))
        return /^(Space|Enter|Home|End|Arrow\w+)$/.test(name);
    return false;
}

const WITHOUT_CONTROLS = /^(Ctrl\+(Shift\+)?[ZY]|Escape|F|Home|N|Shift\+N|P)$/;

/**
 * Listens to the whole page, or to the element that the Studio is.
 * @param {Store} store @param {Shell} shell
 */
export function listen(store, shell) {
    const commands = new Map();
    for (const {commands: list} of keyTable(store, shell)) {
        for (const command of list) for (const key of command.keys) commands.set(key, command);
    }
    store.home.listen(store.home.reach, 'keydown', (event) => {
        const name = spelled(event), {home} = store;
        if (home.isReadOnly || (home.isBare && !WITHOUT_CONTROLS.test(name))) return;
        const command = commands.get(name);
        if (!command || event.altKey || event.defaultPrevented || isTaken(store, event, name) || !store.doc) return;
        event.preventDefault();
        const isHolding = shell.view?.pointer?.isHolding; // a part: only how much of the body follows may change
        if (!isHolding || /^[[\]]$/.test(name)) command.run(event.key);
    });
}
