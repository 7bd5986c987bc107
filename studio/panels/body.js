// The body of a person that is posed as one: what its feet may do, what its hands carry, and how hard its joints work.

import * as actions from '../actions/actions.js';
import {spoken} from '../document/names.js';
import {field, h} from '../widgets/dom.js';
import {choiceEntry, numberEntry} from '../widgets/entry.js';

const MODES = [
    ['auto', 'stays, or steps'],
    ['planted', 'stays'],
    ['step', 'stands anywhere'],
    ['lifted', 'in the air'],
];
const HANDS = ['right_hand', 'left_hand'];
const MOST = 6; // efforts that are listed

let isOpen = true;

/**
 * The block in the goals panel; none where nobody is posed as a body.
 * @param {Store} store
 */
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
                    figure.body?.feet.map((name) => footRow(store, k, name, actions.bodyOf(doc, k))),
                    HANDS.filter((hand) => figure.segments.some(({name}) => name === hand)).map((hand) =>
                        loadRow(store, k, hand, actions.bodyOf(doc, k)),
                    ),
                    h('ul', {class: 'efforts', 'aria-label': 'Effort of joints'}),
                ),
            ),
        ),
    ];
}

/**
 * People of any stature: lengths go with it, masses with its square.
 * @param {Store} store @param {number} figure @param {number} stature
 */
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

/** @param {Store} store @param {number} figure @param {string} name @param {DocBody | null} body */
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

/**
 * What a hand carries; loads that a file has otherwise stay as they are.
 * @param {Store} store @param {number} figure @param {string} hand @param {DocBody | null} body
 */
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

/**
 * "5kg" or 5.
 * @param {Measure | undefined} value
 */
function mass(value) {
    return Number.parseFloat(String(value ?? 0)) || 0;
}

/**
 * The list of efforts as the frame has them.
 * @param {HTMLDivElement} element @param {{frame: PoseFrame}} of
 */
export function showBody(element, {frame}) {
    /** @type {NodeListOf<HTMLElement>} */
    const contents = element.querySelectorAll('[data-body]');
    for (const content of contents) {
        const efforts = frame?.body?.[Number(content.dataset.body)]?.efforts ?? [];
        const list = /** @type {HTMLUListElement} */ (content.querySelector('.efforts'));
        const rows = efforts.slice(0, MOST);
        while (list.children.length > rows.length) list.lastChild?.remove();
        rows.forEach((effort, k) => {
            const row = /** @type {HTMLElement} */ (list.children[k] ?? list.appendChild(effortRow()));
            const percent = Math.round(100 * effort.share);
            row.classList.toggle('much', effort.share > 0.8);
            row.style.setProperty('--share', String(Math.min(1, effort.share)));
            setText(row.children[0], spoken(effort.name));
            setText(row.children[2], `${percent}%`);
        });
    }
}

function effortRow() {
    return h('li', {}, h('span', {}), h('span', {class: 'bar'}), h('span', {class: 'percent'}));
}

/** @param {Element} element @param {string} text */
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
