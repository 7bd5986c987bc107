// What the picked keys are, to be read and changed: time, value or place, the way to the next key.

import {button, field, h} from '../widgets/dom.js';
import {degrees, parse, plain, radians} from '../document/units.js';
import {INTERPOLATIONS, quantity, resolveKeys, targetOf, nameOf} from '../document/motion_doc.js';
import {allVariables, spoken} from '../document/names.js';
import {timeText} from './player.js';
import {symbol} from './symbols.js';
import {wayText} from './lane_view.js';

/**
 * An entry for a number; `change` gets it in SI.
 * @param {string} label @param {string} text @param {Measured} kind @param {(value: number) => unknown} change
 */
function entry(label, text, kind, change) {
    const input = h('input', {type: 'text', inputmode: 'decimal', class: 'entry number', 'aria-label': label,
        value: text, autocomplete: 'off', dataset: {key: `form ${label}`, was: text},
        onkeydown: (event) => {
            event.stopPropagation();
            if (event.key === 'Enter') input.blur();
        },
        onchange: () => {
            const value = parse(input.value, kind);
            input.setAttribute('aria-invalid', String(Number.isNaN(value)));
            if (!Number.isNaN(value)) change(value);
        }});
    return input;
}

/**
 * Whether a variable is an angle; the scene knows.
 * @param {Scene} scene @param {string} name
 */
function isAngle(scene, name) {
    return allVariables(scene).find((one) => one.name === name)?.variable.isAngle ?? true;
}

export class KeyForm {
    /** @param {HTMLDivElement} element @param {Timeline} timeline */
    constructor(element, timeline) {
        this.element = element;
        this.timeline = timeline;
    }

    update() {
        const {timeline} = this, found = resolveKeys(timeline.store.doc ?? {}, timeline.keys.picked);
        this.element.hidden = !found.length;
        if (!found.length) return this.element.replaceChildren();
        const ways = new Set(found.map(({key}) => key.interpolation ?? 'linear'));
        const way = h('select', {class: 'entry', 'aria-label': 'From this key to the next', dataset: {key: 'form way'},
            onchange: (event) => timeline.keys.setWay(timeline.keys.picked, event.target.value)},
        ways.size > 1 ? h('option', {value: ''}, 'mixed') : null,
        INTERPOLATIONS.map((one) => h('option', {value: one}, wayText(one))));
        way.value = ways.size > 1 ? '' : [...ways][0];
        this.element.replaceChildren(
            h('b', {class: 'tl-form-title'}, this.title(found)), this.timeField(found), ...this.valueFields(found),
            field('To the next', way),
            h('span', {class: 'tl-form-tools'},
                button({label: 'Copy keys', key: 'Ctrl+C', class: 'small bare', onclick: () => timeline.keys.copy()},
                    symbol('copy')),
                button({label: 'Delete keys', key: 'Delete', class: 'small bare',
                    onclick: () => timeline.keys.removePicked()}, symbol('trash'))));
        return undefined;
    }

    /** @param {{ track: Track; key: Key; }[]} found */
    title(found) {
        if (found.length > 1) return `${found.length} keys`;
        const [{track}] = found, target = targetOf(track);
        const what = target === 'enabled' ? 'on / off' : target;
        return `${spoken(nameOf(track))}${target === 'variable' ? '' : `, ${what}`}`;
    }

    /** @param {{ track: Track; key: Key; }[]} found */
    timeField(found) {
        const times = found.map(({key}) => key.time), first = Math.min(...times), last = Math.max(...times);
        /** @param {number} value */
        const move = (value) => this.timeline.keys.movePicked(value - first);
        const input = entry('Time of the first key', timeText(first), 'plain', move);
        return field(last - first > 1e-6 ? 'First at' : 'Time', input, 's');
    }

    /**
     * Entries for what one key holds.
     * @param {{ track: Track; key: Key; }[]} found
     */
    valueFields(found) {
        if (found.length !== 1) return [];
        const [{track, key}] = found, target = targetOf(track), {timeline} = this;
        /** @param {string} label @param {(key: Key) => unknown} change */
        const set = (label, change) => timeline.keys.changeKey(label, change);
        if (key.point) {
            const point = key.point.map(quantity);
            /** @param {number} i */
            const change = (i) => (/** @type {number} */ next) =>
                set('Move key', (draft) => { draft.point = point.with(i, next); });
            const entries = point.map((value, i) => entry('xyz'[i], plain(value), 'length', change(i)));
            return [field('Point', h('span', {class: 'triple'}, entries), 'm')];
        }
        if (target === 'enabled' || target === 'active') {
            const isOn = quantity(key.value) >= 0.5;
            return [button({text: isOn ? 'On' : 'Off', class: 'small framed', 'aria-pressed': isOn,
                dataset: {key: 'form switch'},
                onclick: () => set('Switch key', (draft) => { draft.value = isOn ? 0 : 1; })})];
        }
        if (target === 'weight') {
            return [field('Weight', entry('Weight', plain(quantity(key.value), 4), 'plain',
                (value) => set('Weight of a key', (draft) => { draft.value = Math.max(0, value); })))];
        }
        if (target === 'variable') return [this.variableField(track, key, set)];
        return [];
    }

    /**
     * @param {Track} track @param {Key} key
     * @param {(label: string, change: (key: Key) => unknown) => unknown} set
     */
    variableField(track, key, set) {
        const value = quantity(key.value), angle = isAngle(this.timeline.store.scene, nameOf(track));
        /** @param {number} next */
        const change = (next) => set('Value of a key', (draft) => { draft.value = next; });
        /** @param {number} next */
        const turn = (next) => change(radians(next));
        return angle ? field('Value', entry('Value', plain(degrees(value), 2), 'plain', turn), '°')
            : field('Value', entry('Value', plain(value), 'length', change), 'm');
    }
}
