// The lanes as elements: keys that are picked, dragged, boxed in, walked with arrows; stretches between them.

import {button, focused, h} from '../widgets/dom.js';
import {openMenu} from '../widgets/menu.js';
import {ENDS, INTERPOLATIONS, sameTime} from '../document/motion_doc.js';
import {timeText} from './player.js';
import {symbol} from './symbols.js';

const DRAG_LEAST = 3; // pixels: less is a click
/** @type {Record<string, string>} */
const WAY_TEXT = {step: 'step', linear: 'linear', 'catmull-rom': 'Catmull-Rom', cubic: 'cubic', mixed: 'mixed'};
/** @type {Record<string, string>} */
const ENDS_TEXT = {natural: 'no acceleration', clamped: 'at rest', periodic: 'goes on for ever'};

/** @param {string} way */
export const wayText = (way) => WAY_TEXT[way] ?? way;

/** What an event is at: an element of a lane. @param {Event} of */
const elementAt = ({target}) => /** @type {Element} */ (target);
/** The key that it is at, if any. @param {Event} event */
const keyAt = (event) => /** @type {KeyElement | null} */ (elementAt(event).closest('.tl-key'));

export class LaneView {
    /**
     * @param {HTMLElement} element scrolls; holds a row a lane
     * @param {Timeline} timeline
     */
    constructor(element, timeline) {
        this.element = element;
        this.timeline = timeline;
        this.keys = timeline.keys;
        this.box = h('div', {class: 'tl-box', hidden: true});
        /** @type {Lane[]} */
        this.lanes = [];
        element.addEventListener('pointerdown', (event) => this.down(event));
        element.addEventListener('keydown', (event) => this.keydown(event));
        element.addEventListener('dblclick', (event) => this.doubleClick(event));
        element.addEventListener('contextmenu', (event) => this.context(event));
    }

    /**
     * Draws all lanes anew, keeping the focus where it was.
     * @param {Lane[]} lanes
     */
    update(lanes) {
        this.lanes = lanes;
        const now = /** @type {HTMLElement | null} */ (focused());
        const had = this.element.contains(now) ? now?.dataset.key : null;
        const rows = lanes.length ? lanes.map((lane) => this.rowOf(lane)) : [this.emptyRow()];
        this.element.replaceChildren(...rows, this.box);
        if (had) this.find(had)?.focus({preventScroll: true});
        this.roam();
    }

    /**
     * The element of a key that is known by its data-key.
     * @param {string} key @returns {HTMLElement | null}
     */
    find(key) {
        return this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    }

    /**
     * The elements of keys, all or some.
     * @param {Element} [within] @returns {KeyElement[]}
     */
    keyElements(within = this.element, which = '.tl-key') {
        return [.../** @type {NodeListOf<KeyElement>} */ (within.querySelectorAll(which))];
    }

    emptyRow() {
        const {canEdit} = this.timeline;
        return h('div', {class: 'tl-empty'}, canEdit
            ? 'Nothing moves yet. Go to a time, pose the figure or move a goal, and press K: that is a key.'
            : 'What plays here has no lanes of its own.');
    }

    /** @param {Lane} lane */
    rowOf(lane) {
        const area = h('div', {class: 'tl-area'}, h('div', {class: 'tl-inner'},
            lane.spans.map((span) => this.spanOf(span)), lane.keys.map((key) => this.keyOf(lane, key))));
        return h('div', {class: `tl-row depth-${lane.depth}`, role: 'group', 'aria-label': lane.label,
            dataset: {lane: lane.id}}, this.labelOf(lane), area);
    }

    /** @param {Lane} lane */
    labelOf(lane) {
        const {label, what, isOpen} = lane;
        const caret = lane.isGroup ? button({label: `${isOpen ? 'Close' : 'Open'} ${label}`, class: 'tl-caret',
            'aria-expanded': isOpen, dataset: {key: `open ${lane.id}`},
            onclick: () => this.timeline.toggleLane(lane.id)},
        symbol(isOpen ? 'caret' : 'caret-right')) : h('span', {class: 'tl-caret'});
        const name = h('span', {class: 'tl-name', title: `${label} ${what}`.trim()}, label,
            what ? h('small', {}, ` ${what}`) : null);
        return h('div', {class: 'tl-label'}, caret, name, lane.isReadOnly ? null : this.laneTools(lane));
    }

    /**
     * Its key at this time, and its menu.
     * @param {Lane} lane
     */
    laneTools(lane) {
        const {timeline} = this, isKeyed = lane.keys.some((key) => sameTime(key.time, timeline.player.time));
        return [
            button({label: isKeyed ? `Remove the key of ${lane.label} here` : `Key ${lane.label} here`,
                class: 'tl-small tl-here', 'aria-pressed': isKeyed, dataset: {key: `here ${lane.id}`},
                onclick: () => this.keys.toggleKey(lane)}, symbol(isKeyed ? 'key' : 'key-outline')),
            button({label: `More of ${lane.label}`, class: 'tl-small', 'aria-haspopup': 'menu',
                dataset: {key: `more ${lane.id}`}, onclick: (event) => this.openLaneMenu(lane, event.currentTarget)},
            symbol('more'))];
    }

    /** @param {number} time */
    place(time) {
        const {from, to} = this.timeline.range;
        return `${((time - from) / (to - from)) * 100}%`;
    }

    /** @param {Span} span */
    spanOf(span) {
        const {from, to} = this.timeline.range, element = h('i', {class: `tl-span is-${span.kind}`});
        element.style.left = this.place(span.from);
        if (span.steps) element.style.backgroundSize = `${100 / span.steps}% 100%`; // a stroke a frame
        element.style.width = `${(Math.max(0, span.to - span.from) / (to - from)) * 100}%`;
        return element;
    }

    /** @param {Lane} lane @param {LaneKey} key */
    keyOf(lane, key) {
        if (lane.isReadOnly) {
            const mark = h('i', {class: 'tl-mark'});
            mark.style.left = this.place(key.time);
            return mark;
        }
        const isPicked = key.refs.every((ref) => this.keys.isPicked(ref));
        const element = h('button', {type: 'button', class: `tl-key is-${key.way}`, tabindex: '-1',
            'aria-pressed': isPicked,
            'aria-label': `${lane.label} ${lane.what}, key at ${timeText(key.time)} seconds, ${wayText(key.way)}`,
            title: `${timeText(key.time)} s, ${wayText(key.way)}`, dataset: {key: `${lane.id}@${key.time}`}});
        element.style.left = this.place(key.time);
        return Object.assign(element, {laneKey: key});
    }

    /** One key of all can be reached by Tab; arrows go on from there. */
    roam() {
        const keys = this.keyElements();
        const now = keys.find((key) => key === focused())
            ?? keys.find((key) => key.ariaPressed === 'true') ?? keys[0];
        if (now) now.tabIndex = 0;
    }

    /** @param {Lane} lane @param {MenuPlace} at */
    openLaneMenu(lane, at) {
        const {timeline} = this, refs = lane.keys.flatMap((key) => key.refs);
        const ends = new Set(lane.tracks.map((track) => track.ends ?? 'natural'));
        openMenu([
            {text: 'Pick all its keys', run: () => this.keys.pick(refs)},
            {heading: 'From key to key'},
            ...INTERPOLATIONS.map((way) => ({text: wayText(way), checked: lane.keys.every((key) => key.way === way),
                run: () => this.keys.setWay(refs, way)})),
            {heading: 'Ends of its splines'},
            ...ENDS.map((end) => ({text: end, about: ENDS_TEXT[end], checked: ends.size === 1 && ends.has(end),
                run: () => this.keys.setEnds(lane, end)})),
            {rule: true},
            {text: lane.isGroup ? 'Delete these tracks' : 'Delete this track', run: () => this.keys.removeLane(lane)},
        ], at, lane.label);
    }

    // --- by pointer -------------------------------------------------------------------------------------------------

    /** @param {PointerEvent} event */
    down(event) {
        if (event.button !== 0) return;
        const key = keyAt(event), isMore = event.shiftKey || event.ctrlKey || event.metaKey;
        if (key) this.grabKey(event, key, isMore);
        else if (elementAt(event).closest('.tl-area, .tl-empty')) this.drawBox(event, isMore);
    }

    /** @param {PointerEvent} event @param {KeyElement} element @param {boolean} isMore */
    grabKey(event, element, isMore) {
        const {timeline} = this, key = element.laneKey, wasPicked = key.refs.every((ref) => this.keys.isPicked(ref));
        const others = this.keys.picked.filter((ref) => !hasRef(key.refs, ref));
        if (isMore) this.keys.pick(wasPicked ? others : [...others, ...key.refs]);
        else if (!wasPicked) this.keys.pick(key.refs);
        const again = this.find(element.dataset.key ?? '');
        again?.focus({preventScroll: true});
        event.preventDefault();
        this.follow(event, {
            move: (now) => this.shift(this.offsetAt(key.time, now)),
            end: (now, isMoved) => {
                this.shift(0);
                if (isMoved) this.keys.movePicked(this.offsetAt(key.time, now));
                else if (!isMore) this.keys.pick(key.refs);
            },
            cancel: () => this.shift(0),
        });
    }

    /**
     * How far a key at a time is taken by the pointer, in seconds, snapped.
     * @param {number} time @param {Pulled} of
     */
    offsetAt(time, {event, start}) {
        const {timeline} = this, moved = time + timeline.secondsOf(event.clientX - start.clientX);
        return Math.max(0, event.altKey ? moved : timeline.player.snapped(moved)) - time;
    }

    /**
     * Shows picked keys moved by some seconds.
     * @param {number} by
     */
    shift(by) {
        const {from, to} = this.timeline.range, width = this.element.querySelector('.tl-inner')?.clientWidth ?? 0;
        for (const key of this.keyElements(this.element, '.tl-key[aria-pressed="true"]')) {
            key.style.transform = by ? `translateX(${(by / (to - from)) * width}px)` : '';
        }
        if (by) this.timeline.say(`${by > 0 ? '+' : '−'}${timeText(Math.abs(by))} s`);
    }

    /** @param {PointerEvent} event @param {boolean} isMore */
    drawBox(event, isMore) {
        const {timeline} = this, frame = this.element.getBoundingClientRect(), before = isMore ? this.keys.picked : [];
        /** @param {PointerEvent} now */
        const rectangle = (now) => ({
            left: Math.min(event.clientX, now.clientX), right: Math.max(event.clientX, now.clientX),
            top: Math.min(event.clientY, now.clientY), bottom: Math.max(event.clientY, now.clientY),
        });
        this.follow(event, {
            move: ({event: now}) => {
                const {left, right, top, bottom} = rectangle(now), down = top - frame.top + this.element.scrollTop;
                const size = {width: `${right - left}px`, height: `${bottom - top}px`};
                Object.assign(this.box.style, {left: `${left - frame.left}px`, top: `${down}px`, ...size});
                this.box.hidden = false;
            },
            end: ({event: now}, isMoved) => {
                this.box.hidden = true;
                this.keys.pick(isMoved ? [...before, ...this.keysIn(rectangle(now))] : []);
            },
            cancel: () => { this.box.hidden = true; },
        });
    }

    /** @param {{left: number, right: number, top: number, bottom: number}} of */
    keysIn({left, right, top, bottom}) {
        return this.keyElements().filter((key) => {
            const place = key.getBoundingClientRect();
            const x = (place.left + place.right) / 2, y = (place.top + place.bottom) / 2;
            return x >= left && x <= right && y >= top && y <= bottom;
        }).flatMap((key) => key.laneKey.refs);
    }

    /**
     * Follows the pointer until it is let go, or Escape is pressed.
     * @param {PointerEvent} start
     * @param {{move: (now: Pulled) => void, end: (now: Pulled, isMoved: boolean) => void, cancel: () => void}} of
     */
    follow(start, {move, end, cancel}) {
        let isMoved = false;
        /** @param {PointerEvent} event */
        const moved = (event) => {
            isMoved ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > DRAG_LEAST;
            if (isMoved) move({event, start});
        };
        const stop = () => {
            globalThis.removeEventListener('pointermove', moved);
            globalThis.removeEventListener('pointerup', up);
            globalThis.removeEventListener('pointercancel', lost);
            globalThis.removeEventListener('keydown', escape, true);
        };
        /** @param {PointerEvent} event */
        const up = (event) => {
            stop();
            end({event, start}, isMoved);
        };
        const lost = () => {
            stop();
            cancel();
        };
        /** @param {KeyboardEvent} event */
        const escape = (event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            lost();
        };
        globalThis.addEventListener('pointermove', moved);
        globalThis.addEventListener('pointerup', up);
        globalThis.addEventListener('pointercancel', lost);
        globalThis.addEventListener('keydown', escape, true);
    }

    /** @param {MouseEvent} event */
    doubleClick(event) {
        const area = elementAt(event).closest('.tl-area'), key = keyAt(event);
        const row = /** @type {HTMLElement | null | undefined} */ (area?.closest('.tl-row'));
        const lane = this.lanes.find((one) => one.id === row?.dataset.lane);
        if (key) this.timeline.player.seek(key.laneKey.time, {snap: false});
        else if (lane && !lane.isReadOnly) this.keys.keyLaneAt(lane, this.timeline.timeAt(event.clientX));
    }

    /** @param {MouseEvent} event */
    context(event) {
        const key = keyAt(event);
        if (!key) return;
        event.preventDefault();
        this.pickUnlessPicked(key);
        const root = /** @type {Document | ShadowRoot} */ (this.element.getRootNode());
        this.keys.openPickedMenu({x: event.clientX, y: event.clientY, root});
    }

    /** @param {KeyElement} key */
    pickUnlessPicked({laneKey}) {
        if (!laneKey.refs.every((ref) => this.keys.isPicked(ref))) this.keys.pick(laneKey.refs);
    }

    // --- by keyboard ------------------------------------------------------------------------------------------------

    /** @param {KeyboardEvent} event */
    keydown(event) {
        const element = keyAt(event);
        if (!element) return;
        const isMore = event.shiftKey, {timeline} = this;
        if ((event.ctrlKey || event.altKey) && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
            this.pickUnlessPicked(element);
            this.keys.movePicked((event.key === 'ArrowLeft' ? -1 : 1) / timeline.player.fps);
        } else if (event.key.startsWith('Arrow')) {
            this.walk(element, event.key, isMore);
        } else if (event.key === 'Enter' || event.key === ' ') {
            this.keys.pick(isMore ? [...this.keys.picked, ...element.laneKey.refs] : element.laneKey.refs);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * To the next key of the lane, or the nearest of the lane above or below.
     * @param {KeyElement} element @param {string} way @param {boolean} isMore
     */
    walk(element, way, isMore) {
        const rows = [...this.element.querySelectorAll('.tl-row')].filter((row) => row.querySelector('.tl-key'));
        const row = element.closest('.tl-row') ?? this.element, keys = this.keyElements(row);
        const by = way === 'ArrowLeft' || way === 'ArrowUp' ? -1 : 1;
        let next = null;
        if (way === 'ArrowLeft' || way === 'ArrowRight') {
            next = keys[keys.indexOf(element) + by];
        } else {
            const other = rows[rows.indexOf(row) + by], {time} = element.laneKey;
            next = other && this.keyElements(other).reduce((a, b) =>
                (Math.abs(b.laneKey.time - time) < Math.abs(a.laneKey.time - time) ? b : a));
        }
        if (!next) return;
        element.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        if (isMore) this.keys.pick([...this.keys.picked, ...next.laneKey.refs]);
    }
}

/** @param {KeyRef[]} refs @param {KeyRef} ref */
const hasRef = (refs, ref) => refs.some((one) => one.track === ref.track && sameTime(one.time, ref.time));
