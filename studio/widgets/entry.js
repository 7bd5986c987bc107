// Entries for numbers, vectors, names, choices: text that takes units, steps with the arrow keys, marks what is wrong.

import {h} from './dom.js';
import {parse, shown} from '../document/units.js';

/** Steps of the arrow keys; with Shift ten times as much. */
const STEPS = {length: 0.01, mm: 0.001, angle: Math.PI / 180, plain: 0.1};

/**
 * A text entry for one number in SI.
 * @param {NumberOptions} options empty: no text means null
 */
export function numberEntry({
    value,
    kind = 'plain',
    label,
    key,
    onset,
    min = -Infinity,
    max = Infinity,
    step = null,
    whole = false,
    empty = false,
}) {
    const text = value === null || value === undefined ? '' : shown(value, kind);
    const input = h('input', {
        type: 'text',
        class: 'entry number',
        inputmode: 'decimal',
        autocomplete: 'off',
        spellcheck: 'false',
        'aria-label': label,
        title: hint(kind),
        value: text,
        dataset: {key, was: text},
    });
    const set = (/** @type {number | null} */ number) => {
        input.removeAttribute('aria-invalid');
        input.value = number === null ? '' : shown(number, kind);
        if (input.value === input.dataset.was) return;
        input.dataset.was = input.value;
        onset(number);
    };
    const read = () => {
        if (empty && input.value.trim() === '') return null;
        const number = parse(input.value, kind);
        return Number.isFinite(number) && number >= min && number <= max && (!whole || Number.isInteger(number))
            ? number
            : NaN;
    };
    input.addEventListener('change', () => {
        if (input.value === input.dataset.was) return;
        const number = read();
        if (Number.isNaN(number)) input.setAttribute('aria-invalid', 'true');
        else set(number);
    });
    input.addEventListener('focus', () => input.select());
    input.addEventListener('keydown', (event) =>
        stepped(event, {input, read, set, min, max, step: step ?? STEPS[kind]}),
    );
    return input;
}

/** @param {Measured} kind */
function hint(kind) {
    return (
        {
            length: 'Metres, or with a unit: 5cm, 12mm, 3in',
            mm: 'Millimetres, or with a unit: 5cm, 0.2m',
            angle: 'Degrees, or with a unit: 90deg, 1.57rad',
            plain: '',
        }[kind]
    );
}

/**
 * @param {KeyboardEvent} event
 * @param {{input: HTMLInputElement, read: () => number | null, set: (number: number) => void, min: number,
 *     max: number, step: number}} of
 */
function stepped(event, {input, read, set, min, max, step}) {
    if (event.key === 'Escape') {
        input.value = input.dataset.was ?? '';
        input.removeAttribute('aria-invalid');
        input.blur();
        event.stopPropagation();
        return;
    }
    if (event.key === 'Enter') input.dispatchEvent(new Event('change'));
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    const number = way ? read() : null;
    if (number === null || !Number.isFinite(number)) return;
    event.preventDefault();
    set(Math.max(min, Math.min(max, Math.round((number + way * step * (event.shiftKey ? 10 : 1)) * 1e9) / 1e9)));
}

/**
 * Three numbers in a row.
 * @param {{value: number[], kind?: Measured, label: string, key: string, onset: (value: number[]) => unknown,
 *     min?: number, names?: string[]}} of
 */
export function vectorEntry({value, kind = 'length', label, key, onset, min, names = ['x', 'y', 'z']}) {
    return h(
        'div',
        {class: 'triple', role: 'group', 'aria-label': label},
        names.map((name, i) =>
            numberEntry({
                value: value[i],
                kind,
                min,
                label: `${label} ${name}`,
                key: `${key}.${name}`,
                onset: (number) => onset(value.map((old, k) => (k === i ? number : old))),
            }),
        ),
    );
}

/**
 * A line of text, perhaps with suggestions.
 * @param {{value: string | null | undefined, label: string, key: string, onset: (text: string) => unknown,
 *     list?: string[] | null, placeholder?: string}} of
 */
export function textEntry({value, label, key, onset, list = null, placeholder = ''}) {
    const id = list ? `list-${key.replace(/\W+/g, '-')}` : null;
    const input = h('input', {
        type: 'text',
        class: 'entry',
        'aria-label': label,
        value: value ?? '',
        placeholder,
        list: id,
        autocomplete: 'off',
        spellcheck: 'false',
        dataset: {key, was: value ?? ''},
    });
    input.addEventListener('change', () => {
        if (input.value === input.dataset.was) return;
        input.dataset.was = input.value;
        onset(input.value.trim());
    });
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') input.dispatchEvent(new Event('change'));
        if (event.key !== 'Escape') return;
        input.value = input.dataset.was ?? '';
        input.blur();
        event.stopPropagation();
    });
    return list
        ? [
              input,
              h(
                  'datalist',
                  {id},
                  list.map((name) => h('option', {value: name})),
              ),
          ]
        : input;
}

/**
 * A choice: options are [value, text].
 * @param {{value: string, label: string, key: string, options: string[][], onset: (value: any) => unknown}} of any:
 *     one of the options' values
 * @returns {HTMLSelectElement}
 */
export function choiceEntry({value, label, key, options, onset}) {
    /** @type {HTMLSelectElement} */
    const select = h(
        'select',
        {class: 'entry', 'aria-label': label, dataset: {key}, onchange: () => onset(select.value)},
        options.map(([name, text]) => h('option', {value: name, selected: name === value}, text)),
    );
    return select;
}
