// The tabs of the side: one panel is seen at a time.

import {entriesOf} from '../document/entries.js';
import {h} from '../widgets/dom.js';

const TABS = [
    ['goals', 'Goals'],
    ['joints', 'Joints'],
    ['method', 'Method'],
    ['poses', 'Poses'],
    ['show', 'Show'],
];

/**
 * Builds the tabs in an element; the panels are #panel-NAME.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const tabs = TABS.map(([name, text]) =>
        h(
            'button',
            {
                type: 'button',
                role: 'tab',
                id: `tab-${name}`,
                'aria-controls': `panel-${name}`,
                dataset: {tab: name},
                onclick: () => store.change({tab: name}),
            },
            text,
        ),
    );
    const count = h('span', {class: 'count none'}, '0');
    tabs[0].append(count);
    element.append(...tabs);
    const show = () => {
        for (const tab of tabs) {
            const isChosen = tab.dataset.tab === store.settings.tab;
            tab.setAttribute('aria-selected', String(isChosen));
            tab.tabIndex = isChosen ? 0 : -1;
            store.home.$(`panel-${tab.dataset.tab}`).hidden = !isChosen;
        }
    };
    element.addEventListener('keydown', (event) => walk(event, tabs, store));
    store.on('settings', show);
    store.on('doc', () => {
        const all = entriesOf(store.doc, store.scene).length;
        count.classList.toggle('none', !all);
        count.textContent = String(all);
    });
    show();
}

/** @param {KeyboardEvent} event @param {HTMLButtonElement[]} tabs @param {Store} store */
function walk(event, tabs, store) {
    const now = tabs.findIndex((tab) => tab.dataset.tab === store.settings.tab);
    const to = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    store.change({tab: tab.dataset.tab});
    tab.focus();
}
