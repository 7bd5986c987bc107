// One variable of the pose: its slider between its limits, its value, a lock; opened, rigidity and preferred value.

import {setLocked, setRigidity, spoken} from '../document/names.js';
import {button, field, focused, h} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {formatAngle, formatLength, shown, valueOf} from '../document/units.js';

const POSTURE_WEIGHT = 0.001; // of the first preferred value
/** Which way the arrow keys go. @type {Record<string, number>} */
const WAYS = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1};
/** @param {number} value */
const isLimited = (value) => Number.isFinite(value) && Math.abs(value) < 1e6;

export class DofRow {
    /** @param {DofRowOptions} of */
    constructor({store, slide, variable, name, label, figure, isLocked, rigidity, openRows, rebuild}) {
        this.store = store;
        this.slide = slide;
        this.variable = variable;
        this.name = name;
        this.label = label;
        this.figure = figure;
        this.isLocked = isLocked;
        this.rigidity = rigidity;
        this.openRows = openRows;
        this.rebuild = rebuild;
        /** @type {Measured} */
        this.kind = variable.isAngle ? 'angle' : 'mm';
        this.isShown = true;
        const reach = variable.isAngle ? Math.PI : variable.isRoot ? 3 : 1;
        this.lower = isLimited(variable.lower)
            ? variable.lower
            : Math.min(variable.rest, store.frame.pose[variable.index]) - reach;
        this.upper = isLimited(variable.upper)
            ? variable.upper
            : Math.max(variable.rest, store.frame.pose[variable.index]) + reach;
        this.isByPointer = false;
        this.range = this.makeRange();
        this.value = this.makeValue();
        this.row = this.makeRow();
        this.more = openRows.has(name) ? this.moreOf() : null;
    }

    elements() {
        return [this.row, this.more];
    }

    /** @param {boolean} isShown */
    show(isShown) {
        this.isShown = isShown;
        this.row.hidden = !isShown;
        if (this.more) this.more.hidden = !isShown;
    }

    /** @param {number} value */
    format(value) {
        return this.variable.isAngle ? formatAngle(value) : formatLength(value);
    }

    /** @returns {HTMLInputElement} */
    makeRange() {
        const {name, variable, isLocked} = this;
        return h('input', {
            type: 'range',
            min: this.lower,
            max: this.upper,
            step: 'any',
            'aria-label': spoken(name),
            disabled: isLocked || this.upper <= this.lower,
            dataset: {key: `range ${name}`, variable: name},
            onpointerdown: () => {
                this.isByPointer = true;
            },
            oninput: () => this.slide.move(variable.index, Number(this.range.value)),
            onchange: () => {
                const merge = this.isByPointer ? null : `slide ${name}`;
                this.isByPointer = false;
                this.slide.end(variable.index, Number(this.range.value), {name, merge});
            },
            onkeydown: (event) => this.keyStep(event),
        });
    }

    makeValue() {
        const {name, variable} = this;
        const value = numberEntry({
            value: this.store.frame.pose[variable.index],
            kind: this.kind,
            min: variable.lower,
            max: variable.upper,
            label: `${spoken(name)}, ${variable.isAngle ? 'degrees' : 'millimetres'}`,
            key: `value ${name}`,
            onset: (number) => this.slide.end(variable.index, number, {name, merge: `slide ${name}`}),
        });
        value.disabled = this.isLocked;
        return value;
    }

    makeRow() {
        const {name, variable, isLocked} = this;
        const title = spoken(name);
        return h(
            'div',
            {class: `dof${isLocked ? ' locked' : ''}`},
            h('span', {class: 'label', title}, spoken(this.label)),
            h('span', {class: 'track'}, this.range, this.preferredMark()),
            this.value,
            h('span', {class: 'unit', 'aria-hidden': 'true'}, variable.isAngle ? '°' : 'mm'),
            button({
                icon: isLocked ? 'lock' : 'unlock',
                label: `${isLocked ? 'Free' : 'Lock'} ${title}`,
                class: 'small bare',
                'aria-pressed': isLocked,
                dataset: {key: `lock ${name}`},
                onclick: () =>
                    this.store.edit(`${isLocked ? 'Free' : 'Lock'} ${title}`, (draft) =>
                        setLocked(draft, this.store.scene, [name], !isLocked),
                    ),
            }),
            button({
                icon: 'more',
                label: `Rigidity and preferred value of ${title}`,
                class: 'small bare',
                'aria-expanded': this.openRows.has(name),
                dataset: {key: `more ${name}`},
                onclick: () => {
                    if (!this.openRows.delete(name)) this.openRows.add(name);
                    this.rebuild();
                },
            }),
        );
    }

    /**
     * Arrow keys step by a degree or a millimetre; with Shift by ten.
     * @param {KeyboardEvent} event
     */
    keyStep(event) {
        const way = WAYS[event.key];
        if (!way) return;
        event.preventDefault();
        const step = (this.variable.isAngle ? Math.PI / 180 : 0.001) * (event.shiftKey ? 10 : 1);
        const value = Math.max(this.lower, Math.min(this.upper, Number(this.range.value) + way * step));
        this.range.value = String(value);
        this.slide.end(this.variable.index, value, {name: this.name, merge: `slide ${this.name}`});
    }

    preferred() {
        const pose = this.store.doc.wishes?.posture?.pose;
        return pose && this.name in pose ? valueOf(pose[this.name]) : null;
    }

    preferredMark() {
        const value = this.preferred();
        if (value === null || this.upper <= this.lower) return null;
        const mark = h('i', {class: 'preferred', title: `Preferred: ${this.format(value)}`});
        mark.style.left = `calc(7px + (100% - 14px) * ${(value - this.lower) / (this.upper - this.lower)})`;
        return mark;
    }

    moreOf() {
        const {variable, name, store} = this;
        const ends = [variable.lower, variable.upper].map((value) =>
            isLimited(value) ? this.format(value) : 'no limit',
        );
        /** @type {HTMLInputElement} */
        const rigid = h('input', {
            type: 'range',
            min: '0',
            max: '1',
            step: '0.05',
            'aria-label': `Rigidity of ${spoken(name)}`,
            dataset: {key: `rigidity ${name}`},
            onchange: () =>
                store.edit(`Rigidity of ${spoken(name)}`, (draft) => setRigidity(draft, name, Number(rigid.value)), {
                    merge: `rigidity ${name}`,
                }),
        });
        rigid.value = String(this.rigidity);
        const output = h('span', {class: 'unit'}, this.rigidity.toFixed(2));
        rigid.addEventListener('input', () => {
            output.textContent = Number(rigid.value).toFixed(2);
        });
        /** @param {number | null} value null: none any more */
        const prefer = (value) =>
            store.edit(`Preferred ${spoken(name)}`, (draft) => setPreferred(draft, name, value), {
                merge: `prefer ${name}`,
            });
        return h(
            'div',
            {class: 'dof-more'},
            h('p', {class: 'limits'}, `From ${ends[0]} to ${ends[1]}, rest ${this.format(variable.rest)}`),
            h('label', {class: 'field'}, h('span', {}, 'Rigidity'), rigid, output),
            field(
                'Preferred',
                numberEntry({
                    value: this.preferred(),
                    kind: this.kind,
                    empty: true,
                    label: `Preferred ${spoken(name)}`,
                    key: `preferred ${name}`,
                    onset: prefer,
                }),
                variable.isAngle ? '°' : 'mm',
            ),
            h(
                'div',
                {class: 'root-line'},
                button({
                    text: 'Prefer the present value',
                    class: 'small framed',
                    dataset: {key: `prefer ${name}`},
                    onclick: () => prefer(store.frame.pose[variable.index]),
                }),
                button({
                    text: 'Reset',
                    class: 'small framed',
                    dataset: {key: `reset ${name}`},
                    onclick: () => this.slide.end(variable.index, variable.rest, {name}),
                }),
            ),
        );
    }

    /**
     * Shows the frame's value.
     * @param {Float64Array} pose @param {PoseFrame['limits'][0]} [limit] where it blocks
     */
    update(pose, limit) {
        const value = pose[this.variable.index];
        if (focused() !== this.range || !this.isByPointer) this.range.value = String(value);
        this.range.setAttribute('aria-valuetext', this.format(value));
        if (focused() !== this.value || this.value.value === this.value.dataset.was) {
            const text = shown(value, this.kind);
            this.value.value = this.kind === 'angle' ? Number(text).toFixed(1) : Number(text).toFixed(0);
            this.value.dataset.was = this.value.value;
        }
        const isAtLimit = Boolean(limit) || value <= this.variable.lower + 1e-7 || value >= this.variable.upper - 1e-7;
        this.row.classList.toggle('at-limit', isAtLimit && this.variable.upper > this.variable.lower);
        this.row.classList.toggle('blocking', Boolean(limit));
        this.row.title = limit ? `At its ${limit.upper ? 'upper' : 'lower'} limit: it blocks` : '';
    }
}

/** @param {Doc} draft @param {string} name @param {number | null} value */
function setPreferred(draft, name, value) {
    draft.wishes ??= {};
    const old = draft.wishes.posture;
    const posture = typeof old === 'object' ? old : {weight: old ?? POSTURE_WEIGHT};
    posture.pose = {...posture.pose};
    if (value === null) delete posture.pose[name];
    else posture.pose[name] = value;
    draft.wishes.posture = posture;
}
