// The ruler above the lanes: times, the end, and the playhead that is dragged along it.

import {h} from '../widgets/dom.js';
import {rulerSteps} from './lanes.js';
import {timeText} from './player.js';

/**
 * A label of the ruler: as few places as its step needs.
 * @param {number} time @param {number} step
 */
function labelText(time, step) {
    if (time >= 60) return `${Math.floor(time / 60)}:${String(Math.round(time % 60)).padStart(2, '0')}`;
    return step >= 1 ? `${Math.round(time)}` : time.toFixed(step > 0.099 ? 1 : 2);
}

export class Ruler {
    /**
     * @param {HTMLElement} element
     * @param {Timeline} timeline
     */
    constructor(element, timeline) {
        this.element = element;
        this.timeline = timeline;
        this.scale = h('div', {class: 'tl-scale'});
        this.head = h('div', {class: 'tl-head'});
        element.append(this.scale, this.head);
        const attributes = {role: 'slider', tabindex: '0', 'aria-label': 'Time', 'aria-valuemin': '0'};
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.dataset.timeline = 'ruler';
        element.addEventListener('pointerdown', (event) => this.grab(event));
        element.addEventListener('keydown', (event) => this.key(event));
        new ResizeObserver(() => this.update()).observe(element);
    }

    /** Draws the scale for what is shown. */
    update() {
        const {from, to} = this.timeline.range, width = this.element.clientWidth, {player} = this.timeline;
        if (!width) return;
        const span = to - from, {label, mark} = rulerSteps(span, width, player.fps);
        /** @type {HTMLElement[]} */
        const parts = [];
        /** @param {number} time @param {string | null} text */
        const add = (time, text) => {
            const tick = h('i', {class: text ? 'tl-tick is-label' : 'tl-tick'}, text ? h('span', {}, text) : null);
            tick.style.left = `${((time - from) / span) * 100}%`;
            parts.push(tick);
        };
        /** @param {number} step @param {(time: number) => void} fn */
        const each = (step, fn) => {
            for (let i = Math.ceil(from / step - 1e-6); i * step <= to + 1e-9; i++) fn(i * step);
        };
        if (mark < label) each(mark, (time) => add(time, null));
        each(label, (time) => add(time, labelText(time, label)));
        const over = h('i', {class: 'tl-over'});
        over.style.left = `${Math.max(0, ((player.end - from) / span) * 100)}%`;
        this.scale.replaceChildren(over, ...parts);
        this.move();
    }

    /** Puts the playhead where the time is. */
    move() {
        const {from, to} = this.timeline.range, {player} = this.timeline;
        const where = (player.time - from) / (to - from);
        this.head.style.left = `${where * 100}%`;
        this.head.hidden = where < 0 || where > 1;
        this.element.setAttribute('aria-valuemax', String(player.end));
        this.element.setAttribute('aria-valuenow', timeText(player.time));
        this.element.setAttribute('aria-valuetext', `${timeText(player.time)} seconds`);
    }

    /** @param {PointerEvent} event */
    grab(event) {
        if (event.button !== 0) return;
        this.element.setPointerCapture(event.pointerId);
        /** @param {PointerEvent} at */
        const scrub = (at) => this.timeline.player.seek(this.timeline.timeAt(at.clientX));
        scrub(event);
        const done = () => {
            this.element.removeEventListener('pointermove', scrub);
            this.element.removeEventListener('pointerup', done);
            this.element.removeEventListener('pointercancel', done);
        };
        this.element.addEventListener('pointermove', scrub);
        this.element.addEventListener('pointerup', done);
        this.element.addEventListener('pointercancel', done);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const {player} = this.timeline;
        /** @type {Record<string, () => void>} */
        const moves = {ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
            PageUp: () => player.step(10), PageDown: () => player.step(-10),
            Home: () => player.seek(0), End: () => player.seek(player.end, {snap: false})};
        if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
        moves[event.key]();
        event.preventDefault();
        event.stopPropagation();
    }
}
