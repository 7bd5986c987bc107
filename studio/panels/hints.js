// Three hints for who is new, one after the other, each where it can be tried; each goes for good once it was done, or
// all of them when they are closed.

import {findSite, siteFrame} from '../document/places.js';
import {add} from '../math/vector.js';
import {button, h} from '../widgets/dom.js';
import {recall, remember} from '../store/storage.js';
import {byHand} from '../input/touch.js';

const ABOVE = 14; // pixels between a hint's tip and what it is about
const EDGE = 8; // pixels that it keeps from the edge of the view

/**
 * Where a site of the person is; the middle of the view where there is no such site.
 * @param {Store} store @param {string} name
 */
function siteAt(store, name) {
    const figure = store.scene.figures.findIndex(({sites}) => sites.some((site) => site.name === name));
    const site = figure < 0 ? null : findSite(store.scene, figure, name);
    return site && siteFrame(store.scene, store.frame, figure, site).position;
}

/**
 * before: what begin() noted when it was first shown.
 * @typedef {{steps: number, azimuth?: number}} Before
 * @type {{text: () => string, at: (store: Store) => Vec | null, isDone: (store: Store, before: Before) => unknown}[]}
 */
const HINTS = [
    {
        text: () => 'Pull this hand - the body follows.',
        at: (store) => siteAt(store, 'right_palm'),
        isDone: (store, before) => store.past.length > before.steps,
    },
    {
        text: () => byHand('Click the other hand and press P: it stays where it is.',
            'Tap the other hand, then Pin: it stays where it is.'),
        at: (store) => siteAt(store, 'left_palm'),
        isDone: (store) => (store.doc.constraints ?? []).some(({name}) => name.startsWith('pin ')),
    },
    {
        text: () => byHand('Drag beside the figures to turn the view; the wheel brings it closer.',
            'One finger beside the figures turns the view, two bring it closer.'),
        at: (store) => {
            const head = siteAt(store, 'viewpoint');
            return head && add(head, [0, 0, 0.25]);
        },
        isDone: (store, before) => store.view && store.view.orbit.state.azimuth !== before.azimuth
            && !store.view.isUntouched,
    },
];

export class Hints {
    /** @param {HTMLElement} stage @param {import('../store/store.js').Store} store */
    constructor(stage, store) {
        this.store = store;
        this.index = recall('hints', 0);
        /** @type {Before} */
        this.before = {steps: 0};
        this.words = h('span', {});
        this.element = h(
            'div',
            {class: 'hint', role: 'status', 'aria-live': 'polite', hidden: true},
            this.words,
            button({icon: 'close', label: 'No more hints', class: 'small bare', onclick: () => this.end()}),
        );
        this.stop = () => {};
        if (this.index >= HINTS.length) return;
        stage.append(this.element);
        const events = /** @type {const} */ (['doc', 'drawn', 'settings']);
        const stops = events.map((event) => store.on(event, () => this.update()));
        this.stop = () => stops.forEach((one) => one());
        this.begin();
    }

    begin() {
        const {store} = this;
        this.before = {steps: store.past.length, azimuth: store.view?.orbit.state.azimuth};
        this.words.textContent = HINTS[this.index].text();
        this.update();
    }

    /** Follows what it is about; goes on once it was done. */
    update() {
        const {store} = this;
        const hint = HINTS[this.index];
        if (!hint || !store.view?.frame) return;
        if (hint.isDone(store, this.before)) {
            this.go(this.index + 1);
            return;
        }
        const at = hint.at(store);
        const place = at && !store.frame.drag ? store.view.projectLocal(at) : null;
        this.element.hidden = !place;
        if (place) this.put(place);
    }

    /**
     * The tip is over the place; the hint stays within the view.
     * @param {{x: number, y: number}} of
     */
    put({x, y}) {
        const around = /** @type {HTMLElement} */ (this.element.offsetParent ?? this.element.parentElement);
        const {clientWidth: width, clientHeight: height} = around;
        const {offsetWidth: wide, offsetHeight: high} = this.element;
        const left = Math.max(EDGE, Math.min(width - wide - EDGE, x - wide / 2));
        const isBelow = y - high - ABOVE < EDGE;
        const top = isBelow ? Math.min(height - high - EDGE, y + ABOVE) : y - high - ABOVE;
        this.element.classList.toggle('below', isBelow);
        this.element.style.setProperty('--tip', `${Math.max(14, Math.min(wide - 14, x - left))}px`);
        this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }

    /** @param {number} index */
    go(index) {
        this.index = index;
        remember('hints', index);
        if (index >= HINTS.length) this.end();
        else this.begin();
    }

    end() {
        this.index = HINTS.length;
        remember('hints', this.index);
        this.stop();
        this.element.remove();
    }
}

/**
 * Shows them from the first one.
 * @param {HTMLElement} stage @param {Store} store
 */
export function hintAgain(stage, store) {
    store.hints?.element?.remove();
    remember('hints', 0);
    store.hints = new Hints(stage, store);
}
