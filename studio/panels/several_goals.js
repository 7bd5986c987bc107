// Several goals by numbers: which of them, how far and how they are turned about their middle.

import {chooseTogether, movable, moveBy, together} from '../actions/together.js';
import {spoken} from '../document/names.js';
import {button, field, h} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {openDialog} from './dialogs.js';

/**
 * Asks for it.
 * @param {Store} store
 */
export function openSeveral(store) {
    const all = movable(store), before = together(store).map(({name}) => name);
    const chosen = new Set(before.length ? before : all.map(({name}) => name));
    const shift = [0, 0, 0], turn = [0, 0, 0], said = h('span', {class: 'quiet', role: 'status'});
    const boxes = all.map(({name}) => h('label', {class: 'check'}, h('input', {type: 'checkbox',
        checked: chosen.has(name),
        dataset: {several: name}, onchange: (event) => {
            if (event.target.checked) chosen.add(name);
            else chosen.delete(name);
        }}), h('span', {}, spoken(name))));
    /** @param {string} axis @param {number} k @param {number[]} list @param {'length' | 'angle'} kind */
    const entry = (axis, k, list, kind) => field(`${kind === 'angle' ? 'about' : 'along'} ${axis}`,
        numberEntry({value: 0, kind, label: `${kind === 'angle' ? 'Turn about' : 'Move along'} ${axis}`,
        key: `several ${kind} ${axis}`, onset: (value) => { list[k] = value; }}), kind === 'angle' ? 'deg' : 'm');
    const go = button({text: 'Move', class: 'strong', dataset: {command: 'several-go'}, onclick: async () => {
        const now = movable(store), goals = now.filter(({name}) => chosen.has(name));
        if (!goals.length) {
            said.textContent = 'Choose some first.';
            return;
        }
        const isDone = await moveBy(store, goals, shift, turn);
        if (isDone) chooseTogether(store, goals.map(({name}) => name));
        said.textContent = isDone ? `${goals.length} moved` : 'They could not be moved.';
    }});
    openDialog(store.home, 'Several goals', {
        kind: 'narrow',
        footer: [said, go],
        body: h('div', {class: 'stack'}, h('div', {role: 'group', 'aria-label': 'Goals to move together'}, boxes),
            h('p', {class: 'quiet'}, 'By how much: ahead, to the left, up; and turned about their middle.'),
            ['x', 'y', 'z'].map((axis, k) => entry(axis, k, shift, 'length')),
            ['x', 'y', 'z'].map((axis, k) => entry(axis, k, turn, 'angle'))),
    });
}
