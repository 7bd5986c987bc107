// Small helpers to make elements: no framework, plain DOM.

import {icon} from './icons.js';

/**
 * Makes an element. Properties: `class`, `dataset`, `on...` handlers, aria and other attributes; null and false are
 * left out.
 */
export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
    element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

function setProperty(element, name, value) {
    if (value === null || value === undefined) return;
    if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean' && !name.startsWith('aria-')) element.toggleAttribute(name, value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, String(value));
}

/** A button with an icon, a word, or both; a lone icon has its word as label and tip. */
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

/** A labelled switch. */
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

/** A label and a control in a row. */
export function field(label, control, unit = null) {
    return h('label', {class: 'field'}, h('span', {}, label), control, unit ? h('span', {class: 'unit'}, unit) : null);
}

/**
 * Replaces what is in a container, keeping focus, scroll, and what is being typed: elements are known again by
 * data-key.
 */
export function replace(container, ...children) {
    const focused = container.contains(document.activeElement) ? document.activeElement : null;
    const kept = focused?.dataset.key ? {key: focused.dataset.key, ...typing(focused)} : null;
    const {scrollTop} = container;
    container.replaceChildren(...children.flat(3).filter(Boolean));
    container.scrollTop = scrollTop;
    if (!kept) return;
    const again = container.querySelector(`[data-key="${CSS.escape(kept.key)}"]`);
    if (!again) return;
    if (kept.text !== undefined && again.value !== kept.text) again.value = kept.text;
    again.focus({preventScroll: true});
    if (kept.range && again.setSelectionRange) again.setSelectionRange(...kept.range);
}

function typing(element) {
    if (element.tagName !== 'INPUT' || element.type !== 'text') return {};
    const isDirty = element.value !== element.dataset.was;
    return {
        text: isDirty ? element.value : undefined,
        range: isDirty ? [element.selectionStart, element.selectionEnd] : null,
    };
}

/** Hands a file to the browser's downloads. */
export function download(name, blob) {
    const url = URL.createObjectURL(blob);
    h('a', {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
