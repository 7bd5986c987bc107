// Two poses beside each other: one is kept as the reference and seen as a ghost of its own colour; a table has what
// lies
// between it and the present one, joint by joint and part by part.

import {partDifferences, variableDifferences} from '../document/pose_difference.js';
import {degrees} from '../document/units.js';
import {button, h, replace} from '../widgets/dom.js';

const ROWS = 12; // of each table, until more are asked for

/**
 * Builds the block in an element.
 * @param {HTMLDivElement} element @param {Store} store
 */
export function mount(element, store) {
    return new ComparePoses(element, store);
}

/** The pose that others are compared with. @typedef {{pose: Float64Array, matrices: Float64Array}} Reference */

class ComparePoses {
    /** @param {HTMLElement} element @param {Store} store */
    constructor(element, store) {
        this.element = element;
        this.store = store;
        /** @type {Reference | null} */
        this.reference = null;
        this.isWhole = false;
        /** @type {ReturnType<typeof setTimeout> | null} */
        this.due = null;
        store.on('frame', () => this.later());
        store.on('opened', () => this.remove());
        store.on('scene', () => {
            if (this.reference && this.store.scene.variableCount !== this.reference.pose.length) this.remove();
        });
        this.update();
    }

    later() {
        if (this.reference) this.due ??= setTimeout(() => this.update(), 80);
    }

    keep() {
        const {pose, matrices} = this.store.frame;
        this.set({pose: Float64Array.from(pose), matrices: Float64Array.from(matrices)});
    }

    /** @param {Reference | null} reference */
    set(reference) {
        this.reference = reference;
        this.store.view?.setReference(reference?.matrices ?? null);
        this.update();
    }

    remove() {
        if (this.reference) this.set(null);
    }

    /** The reference becomes the pose, the pose the reference. */
    async swap() {
        const {pose, matrices} = this.store.frame, now = {pose: Float64Array.from(pose),
            matrices: Float64Array.from(matrices)};
        const {reference} = this;
        if (reference && await this.store.setPose(reference.pose, 'Swap with the reference')) this.set(now);
    }

    update() {
        this.due = null;
        const {reference, store} = this;
        /** @param {string} text @param {string} label @param {() => unknown} run @param {string} name */
        const tool = (text, label, run, name) => button({text, label, class: 'small framed',
            dataset: {key: `compare ${name}`, compare: name}, onclick: run});
        replace(this.element,
            h('h3', {}, 'Compare'),
            reference ? h('div', {class: 'compare-tools'}, tool('Swap', 'Swap pose and reference', () => this.swap(),
                'swap'),
                tool('Keep anew', 'This pose is the reference', () => this.keep(), 'keep'),
                tool('Remove', 'Remove the reference', () => this.remove(), 'remove'))
                : h('div', {class: 'compare-tools'}, tool('Keep as reference',
                    'Keep this pose to compare others with it', () => this.keep(), 'keep'),
                    h('span', {class: 'quiet'}, 'It is seen as a ghost, and what lies between is listed.')),
            reference && store.frame ? this.tables(reference) : null);
    }

    /** @param {Reference} of */
    tables({pose, matrices}) {
        const {scene, frame} = this.store;
        const joints = variableDifferences(scene, pose, frame.pose);
        const parts = matrices.length === frame.matrices.length ? partDifferences(scene, matrices, frame.matrices) : [];
        if (!joints.length && !parts.length) return h('p', {class: 'quiet', role: 'status'},
            'The pose is the reference.');
        const most = this.isWhole ? Infinity : ROWS, left = Math.max(0, joints.length - most) + Math.max(0,
            parts.length - most);
        return h('div', {},
            table('Joints', ['joint', 'reference', 'now', 'by'], joints.slice(0, most).map(({name, isAngle, before,
                after, by}) =>
                [name, text(before, isAngle), text(after, isAngle), text(by, isAngle, true)])),
            table('Parts', ['part', 'moved', 'turned'], parts.slice(0, most).map(({name, moved, turned}) =>
                [name, text(moved, false), text(turned, true)])),
            left || this.isWhole ? button({text: this.isWhole ? 'Fewer' : `${left} more`, class: 'small bare',
                dataset: {key: 'compare more'},
                onclick: () => {
                    this.isWhole = !this.isWhole;
                    this.update();
                }}) : null);
    }
}

/**
 * Degrees or millimetres.
 * @param {number} value @param {boolean} isAngle
 */
function text(value, isAngle, hasSign = false) {
    const number = isAngle ? degrees(value) : 1000 * value, sign = hasSign && number > 0 ? '+' : '';
    return `${sign}${number.toFixed(1).replace('-', '−')} ${isAngle ? '°' : 'mm'}`;
}

/** @param {string} title @param {string[]} heads @param {string[][]} rows */
function table(title, heads, rows) {
    if (!rows.length) return null;
    return h('table', {class: 'compare-table', 'data-compare': title.toLowerCase()}, h('caption', {class: 'unseen'},
        `${title} that differ from the reference`),
        h('thead', {}, h('tr', {}, heads.map((head) => h('th', {scope: 'col'}, head)))),
        h('tbody', {}, rows.map(([name, ...values]) => h('tr', {}, h('th', {scope: 'row'}, name),
            values.map((value) => h('td', {}, value))))));
}
