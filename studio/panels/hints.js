// Three hints for who is new, one after the other, each where it can be tried; each goes for good once it was done, or
// all of them when they are closed. They stand beside the person, and a line leads to what they are about.

import {findSite, siteFrame} from '../document/places.js';
import {add} from '../math/vector.js';
import {button, h} from '../widgets/dom.js';
import {recall, remember} from '../store/storage.js';
import {byHand} from '../input/touch.js';

const GAP = 22; // pixels between a hint and what it is about
const EDGE = 8; // pixels that it keeps from the edge of the view
const MARGIN = 14; // pixels about the person that a hint keeps out of
const MOST_OVER = 0.35; // of a hint that may be over the person; where more would be, there is no room for it
const STAYS = 0.05; // of a hint: it goes to another side only where so much less of the person is under it
const NO_ROOM = Infinity;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in pixels of the stage */
/** @typedef {{x: number, y: number}} Spot */

/**
 * The area that two boxes share.
 * @param {Box} a @param {Box} b
 */
function shared(a, b) {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return Math.max(0, wide) * Math.max(0, high);
}

/**
 * The person who has a site, as a box of the stage.
 * @param {Store} store @param {string} name
 * @returns {Box | null}
 */
function personBox(store, name) {
    const {scene, frame, view} = store;
    const person = scene.figures.find(({sites}) => sites.some((site) => site.name === name));
    if (!person || !view) return null;
    const spots = person.segments.map((_, k) => {
        const at = 12 * (person.firstSegment + k);
        return view.projectLocal([frame.matrices[at + 3], frame.matrices[at + 7], frame.matrices[at + 11]]);
    }).filter((spot) => spot !== null);
    if (!spots.length) return null;
    const [xs, ys] = [spots.map(({x}) => x), spots.map(({y}) => y)];
    const top = Math.min(...ys), bottom = Math.max(...ys);
    return {left: Math.min(...xs) - MARGIN, right: Math.max(...xs) + MARGIN, // the head ends above its joints
        top: top - 0.1 * (bottom - top) - MARGIN, bottom: bottom + MARGIN};
}

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
 * @type {{text: () => string, at: (store: Store) => Vec | null, isLed: boolean,
 *     isDone: (store: Store, before: Before) => unknown}[]} isLed: whether a line leads to the place
 */
const HINTS = [
    {
        text: () => 'Pull this hand - the body follows.',
        at: (store) => siteAt(store, 'right_palm'),
        isLed: true,
        isDone: (store, before) => store.past.length > before.steps,
    },
    {
        text: () => byHand('Click the other hand and press P: it stays where it is.',
            'Tap the other hand, then Pin: it stays where it is.'),
        at: (store) => siteAt(store, 'left_palm'),
        isLed: true,
        isDone: (store) => (store.doc.constraints ?? []).some(({name}) => name.startsWith('pin ')),
    },
    {
        text: () => byHand('Drag beside the figures to turn the view; the wheel brings it closer.',
            'One finger beside the figures turns the view, two bring it closer.'),
        at: (store) => {
            const head = siteAt(store, 'viewpoint');
            return head && add(head, [0, 0, 0.25]);
        },
        isLed: false,
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
        this.lead = h('div', {class: 'hint-lead', hidden: true});
        this.side = 0; // of those of places()
        this.stop = () => {};
        if (this.index >= HINTS.length) return;
        stage.append(this.lead, this.element);
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
        const isPut = place !== null && this.put(place);
        this.element.hidden = !isPut;
        this.lead.hidden = !isPut || !hint.isLed;
    }

    /**
     * Beside the place or over it, where least of the person is under the hint; it stays within the view. Returns
     * whether there is room for it.
     * @param {Spot} of
     */
    put(of) {
        const around = /** @type {HTMLElement} */ (this.element.offsetParent ?? this.element.parentElement);
        const size = {wide: this.element.offsetWidth, high: this.element.offsetHeight};
        const person = personBox(this.store, 'viewpoint');
        const places = this.places(of, person, size, around);
        const area = size.wide * size.high;
        const over = places.map((place) => (this.isOverBar(place, around) ? NO_ROOM
            : person ? shared(place, person) / area : 0));
        const best = over.indexOf(Math.min(...over));
        if (!(over[this.side] <= over[best] + STAYS)) this.side = best;
        if (!(over[this.side] <= MOST_OVER)) return false;
        const {left, top} = places[this.side];
        this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
        this.leadTo(of, places[this.side]);
        return true;
    }

    /**
     * Left of the person, right of the person, above and below: boxes of the stage.
     * @param {Spot} of @param {Box | null} person @param {{wide: number, high: number}} size
     * @param {{clientWidth: number, clientHeight: number}} stage
     * @returns {Box[]}
     */
    places({x, y}, person, {wide, high}, {clientWidth, clientHeight}) {
        const {left, top, right, bottom} = person ?? {left: x, top: y, right: x, bottom: y};
        const corners = [[left - GAP - wide, y - high], [right + GAP, y - high], [x - wide / 2, top - high],
            [x - wide / 2, bottom]];
        return corners.map(([cornerX, cornerY]) => {
            const from = Math.max(EDGE, Math.min(clientWidth - wide - EDGE, cornerX));
            const down = Math.max(EDGE, Math.min(clientHeight - high - EDGE, cornerY));
            return {left: from, top: down, right: from + wide, bottom: down + high};
        });
    }

    /**
     * Whether a hint would be over the bar of the picked part.
     * @param {Box} place @param {HTMLElement} stage
     */
    isOverBar(place, stage) {
        const bar = this.store.home.$('pick');
        if (bar.hidden) return false;
        const [box, around] = [bar.getBoundingClientRect(), stage.getBoundingClientRect()];
        return shared(place, {left: box.left - around.left, right: box.right - around.left,
            top: box.top - around.top, bottom: box.bottom - around.top}) > 0;
    }

    /**
     * The line from the hint's edge to what it is about.
     * @param {Spot} of @param {Box} from
     */
    leadTo(of, {left, top, right, bottom}) {
        const inset = 12; // pixels: not at the round corners
        const x = Math.max(left + inset, Math.min(right - inset, of.x)), y = Math.max(top + inset,
            Math.min(bottom - inset, of.y));
        const {style} = this.lead;
        style.width = `${Math.round(Math.hypot(of.x - x, of.y - y))}px`;
        style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${
            Math.atan2(of.y - y, of.x - x).toFixed(4)}rad)`;
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
        this.lead.remove();
    }
}

/**
 * Shows them from the first one.
 * @param {HTMLElement} stage @param {Store} store
 */
export function hintAgain(stage, store) {
    store.hints?.end();
    remember('hints', 0);
    store.hints = new Hints(stage, store);
}
