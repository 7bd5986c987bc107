// Small helpers to make elements: no framework, plain DOM.

import {icon} from './icons.js';

/**
 * Makes an element. Properties: `class`, `dataset`, `on...` handlers, aria and other attributes; null and false are
 * left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Properties} [properties] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
    element.append(...nodesOf(children));
    return element;
}

/**
 * What there is of some children, in a row.
 * @param {Child[]} children @returns {(Node | string)[]}
 */
function nodesOf(children) {
    return children.flatMap((child) => {
        if (child === null || child === undefined || child === false) return [];
        return Array.isArray(child) ? nodesOf(child) : [typeof child === 'number' ? String(child) : child];
    });
}

/**
 * @param {HTMLElement} element @param {string} name
 * @param {any} value a text, a handler, a truth, as the name wants it
 */
function setProperty(element, name, value) {
    if (value === null || value === undefined) return;
    if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean' && !name.startsWith('aria-')) element.toggleAttribute(name, value);
    else if (name === 'value') /** @type {HTMLInputElement} */ (element).value = value;
    else element.setAttribute(name, String(value));
}

/** The element that has the focus, also inside of a shadow root. */
export function focused() {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
}

/**
 * A button with an icon, a word, or both; a lone icon has its word as label and tip.
 * @param {Properties & {icon?: string | null, text?: string | null, label?: string | null, key?: string | null}} of
 * @param {...Child} children
 */
export function button({icon: name = null, text = null, label = null, key = null, ...properties}, ...children) {
    const tip = [label ?? text, key ? `(${key})` : null].filter(Boolean).join(' ');
    const kind = ['button', properties.class].filter(Boolean).join(' ');
    return h(
        'button',
        {type: 'button', title: tip, 'aria-label': text && !label ? null : label, ...properties, class: kind},
        name ? icon(name) : null,
        text ? h('span', {}, text) : null,
        children,
    );
}

/**
 * A labelled switch.
 * @param {{text: string, label?: string | null, checked?: boolean, onchange: (isOn: boolean) => unknown,
 *     dataset?: Record<string, string>, class?: string}} of
 */
export function switchOf({text, label = null, checked = false, onchange, ...properties}) {
    const input = h('input', {
        type: 'checkbox',
        role: 'switch',
        'aria-label': label,
        checked,
        onchange: (event) => onchange(event.target.checked),
        dataset: properties.dataset,
    });
    const kind = ['switch', properties.class].filter(Boolean).join(' ');
    const element = h('label', {title: label ?? text, class: kind}, input, text ? h('span', {}, text) : null);
    return Object.assign(element, {input});
}

/**
 * A label and a control in a row.
 * @param {string} label @param {Child} control @param {string | null} [unit]
 */
export function field(label, control, unit = null) {
    return h('label', {class: 'field'}, h('span', {}, label), control, unit ? h('span', {class: 'unit'}, unit) : null);
}

/**
 * Replaces what is in a container, keeping focus, scroll, and what is being typed: elements are known again by
 * data-key.
 * @param {HTMLElement} container @param {...Child} children
 */
export function replace(container, ...children) {
    const now = /** @type {HTMLElement | null} */ (focused());
    const kept = container.contains(now) && now?.dataset.key ? {key: now.dataset.key, ...typing(now)} : null;
    const {scrollTop} = container;
    container.replaceChildren(...nodesOf(children));
    container.scrollTop = scrollTop;
    if (!kept) return;
    /** @type {HTMLInputElement | null} */
    const again = container.querySelector(`[data-key="${CSS.escape(kept.key)}"]`);
    if (!again) return;
    if (kept.text !== undefined && again.value !== kept.text) again.value = kept.text;
    again.focus({preventScroll: true});
    if (kept.range && again.setSelectionRange) again.setSelectionRange(kept.range[0], kept.range[1]);
}

/**
 * @param {HTMLElement} element
 * @returns {{text?: string, range?: (number | null)[] | null}}
 */
function typing(element) {
    if (!(element instanceof HTMLInputElement) || element.type !== 'text') return {};
    const isDirty = element.value !== element.dataset.was;
    return {
        text: isDirty ? element.value : undefined,
        range: isDirty ? [element.selectionStart, element.selectionEnd] : null,
    };
}

/**
 * Hands a file to the browser's downloads.
 * @param {string} name @param {Blob} blob
 */
export function download(name, blob) {
    const url = URL.createObjectURL(blob);
    h('a', {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
