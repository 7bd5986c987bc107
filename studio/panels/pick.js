// The small bar at the foot of the view for the picked part: its name, and what is done to it most.

import * as actions from '../actions/actions.js';
import {lockedNames, spoken} from '../document/names.js';
import {openGoalMenu} from './bar.js';
import {openPlace} from './dialogs.js';
import {button, h, replace} from '../widgets/dom.js';
import {isHeld, isThing, toggleHold} from '../document/things.js';

/**
 * Shows it while a part is picked.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const said = h('div', {class: 'unseen', role: 'status', 'aria-live': 'polite', id: 'picked-said'});
    element.after(said);
    store.on('selection', (selection) => {
        said.textContent = selection && selection.kind !== 'constraint' ? `Picked ${spoken(selection.name)}` : '';
    });
    store.on('frame', ({drag}) => element.classList.toggle('away', Boolean(drag))); // the line to the goal may be there
    const show = () => {
        const part = actions.pickedPart(store);
        element.hidden = !part;
        if (part && store.selection) replace(element, content(store, part, store.selection));
    };
    for (const event of /** @type {const} */ (['selection', 'scene', 'doc'])) store.on(event, show);
}

/** @param {Store} store @param {number} figure */
function holdButton(store, figure) {
    const isOn = isHeld(store, figure, store.scene);
    return button({
        icon: 'hand',
        text: isOn ? 'Put down' : 'Hold',
        key: 'H',
        label: isOn ? 'Put it down' : 'The nearest hand holds it',
        class: 'small',
        'aria-pressed': isOn,
        dataset: {key: 'hold', command: 'hold'},
        onclick: () => toggleHold(store, figure),
    });
}

/** @param {Store} store @param {PartChoice} part @param {Selected} selection */
function content(store, part, selection) {
    const names = actions.variablesOfSelection(store);
    const locked = lockedNames(store.doc, store.scene);
    const isLocked = names.length > 0 && names.every((name) => locked.has(name));
    const isPinned = actions.pinsOn(store, part).length > 0;
    const figure = store.scene.figures.length > 1 ? store.scene.figures[part.figure].name : selection.kind;
    const add = button({
        icon: 'goal',
        text: 'Goal',
        key: 'A',
        label: 'Add a goal here',
        class: 'small',
        dataset: {key: 'goal'},
        'aria-haspopup': 'menu',
    });
    add.addEventListener('click', () => openGoalMenu(store, add));
    return [
        h(
            'span',
            {class: 'name', title: spoken(selection.name)},
            spoken(selection.name),
            h('small', {}, figure),
        ),
        button({
            icon: 'pin',
            text: isPinned ? 'Unpin' : 'Pin',
            key: 'P',
            class: 'small',
            'aria-pressed': isPinned,
            dataset: {key: 'pin'},
            onclick: () => actions.togglePin(store),
        }),
        isThing(store.scene.figures[part.figure]) ? holdButton(store, part.figure) : null,
        add,
        button({
            icon: 'position',
            label: 'Place it by numbers',
            key: 'G',
            class: 'small bare',
            dataset: {key: 'place', command: 'place'},
            onclick: () => openPlace(store, part),
        }),
        button({
            icon: isLocked ? 'lock' : 'unlock',
            label: isLocked ? 'Free the joint' : 'Lock the joint',
            key: 'X',
            class: 'small bare',
            disabled: !names.length,
            'aria-pressed': isLocked,
            dataset: {key: 'lock'},
            onclick: () => actions.toggleLock(store),
        }),
        button({
            icon: 'reset',
            label: 'Reset the joint',
            class: 'small bare',
            key: 'Shift+R',
            disabled: !names.length,
            dataset: {key: 'reset'},
            onclick: () => actions.resetJoint(store),
        }),
        button({
            icon: 'reach',
            label: 'Where it can go',
            key: 'E',
            class: 'small bare',
            dataset: {key: 'reach'},
            onclick: () => actions.computeReach(store),
        }),
        button({
            icon: 'root',
            label: 'Re-root the figure here',
            class: 'small bare',
            dataset: {key: 'root'},
            onclick: () =>
                actions.rerootHere(store, {
                    figure: part.figure,
                    segment: part.name,
                    isFree: store.scene.figures[part.figure].root.isFree,
                }),
        }),
        button({
            icon: 'close',
            label: 'Let go of the selection',
            key: 'Esc',
            class: 'small bare',
            dataset: {key: 'close'},
            onclick: () => store.select(null),
        }),
    ];
}
