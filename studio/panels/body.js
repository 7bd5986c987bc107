// The body of a person that is posed as one: what its feet may do, what its hands carry, and how hard its joints work.

import * as actions from '../actions.js';
import {spoken} from '../names.js';
import {field, h} from './dom.js';
import {choiceEntry, numberEntry} from './entry.js';

const MODES = [
    ['auto', 'stays, or steps'],
    ['planted', 'stays'],
    ['step', 'stands anywhere'],
    ['lifted', 'in the air'],
];
const HANDS = ['right_hand', 'left_hand'];
const MOST = 6; // efforts that are listed

let isOpen = true;

/** The block in the goals panel; none where nobody is posed as a body. */
export function bodyBlock(store) {
    const {doc, scene} = store;
    if (!actions.isNatural(scene)) return [];
    const figures = scene.figures.map((figure, k) => ({figure, k})).filter(({figure}) => figure.body?.isPosed);
    return [
        h(
            'details',
            {class: 'block', open: isOpen},
            h(
                'summary',
                {
                    dataset: {key: 'body'},
                    onclick: () => {
                        isOpen = !isOpen;
                    },
                },
                'Body',
            ),
            figures.map(({figure, k}) =>
                h(
                    'div',
                    {class: 'content', dataset: {body: k}},
                    figures.length > 1 ? h('p', {class: 'quiet'}, figure.name) : null,
                    figure.stature > 0 ? statureRow(store, k, figure.stature) : null,
                    figure.body.feet.map((name) => footRow(store, k, name, actions.bodyOf(doc, k))),
                    HANDS.filter((hand) => figure.segments.some(({name}) => name === hand)).map((hand) =>
                        loadRow(store, k, hand, actions.bodyOf(doc, k)),
                    ),
                    h('ul', {class: 'efforts', 'aria-label': 'Effort of joints'}),
                ),
            ),
        ),
    ];
}

/** People of any stature: lengths go with it, masses with its square. */
function statureRow(store, figure, stature) {
    return field(
        'stature',
        numberEntry({
            value: stature,
            kind: 'length',
            min: 1.4,
            max: 2.05,
            step: 0.01,
            label: 'Stature, 1.40 to 2.05 m',
            key: `stature ${figure}`,
            onset: (value) => actions.setStature(store, figure, value),
        }),
        'm',
    );
}

function footRow(store, figure, name, body) {
    return field(
        `${spoken(name)} foot`,
        choiceEntry({
            value: body?.foot?.[name] ?? 'auto',
            options: MODES,
            label: `What the ${spoken(name)} foot may do`,
            key: `foot ${figure} ${name}`,
            onset: (mode) =>
                actions.editBody(
                    store,
                    `${spoken(name)} foot`,
                    (draft) => {
                        draft.foot = {...draft.foot, [name]: mode === 'auto' ? undefined : mode};
                        if (mode === 'auto') delete draft.foot[name];
                    },
                    {figure},
                ),
        }),
    );
}

/** What a hand carries; loads that a file has otherwise stay as they are. */
function loadRow(store, figure, hand, body) {
    const loads = body?.loads ?? {};
    if (Array.isArray(loads)) return null;
    return field(
        `${spoken(hand)} carries`,
        numberEntry({
            value: mass(loads[hand]),
            min: 0,
            step: 1,
            label: `Kilograms in the ${spoken(hand)}`,
            key: `load ${figure} ${hand}`,
            onset: (kilograms) =>
                actions.editBody(
                    store,
                    `Load of the ${spoken(hand)}`,
                    (draft) => {
                        draft.loads = {...draft.loads, [hand]: kilograms};
                        if (!kilograms) delete draft.loads[hand];
                    },
                    {figure},
                ),
        }),
        'kg',
    );
}

/** "5kg" or 5. */
function mass(value) {
    return Number.parseFloat(value ?? 0) || 0;
}

/** The list of efforts as the frame has them. */
export function showBody(element, {frame}) {
    for (const content of element.querySelectorAll('[data-body]')) {
        const efforts = frame?.body?.[Number(content.dataset.body)]?.efforts ?? [];
        const list = content.querySelector('.efforts');
        const rows = efforts.slice(0, MOST);
        while (list.children.length > rows.length) list.lastChild.remove();
        rows.forEach((effort, k) => {
            const row = list.children[k] ?? list.appendChild(effortRow());
            const percent = Math.round(100 * effort.share);
            row.classList.toggle('much', effort.share > 0.8);
            row.style.setProperty('--share', String(Math.min(1, effort.share)));
            setText(row.firstChild, spoken(effort.name));
            setText(row.lastChild, `${percent}%`);
        });
    }
}

function effortRow() {
    return h('li', {}, h('span', {}), h('span', {class: 'bar'}), h('span', {class: 'percent'}));
}

function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
