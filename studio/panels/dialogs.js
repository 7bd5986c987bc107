// Dialogs: help, the link. A <dialog> keeps the focus inside and closes on Escape.

import {linkOf} from '../files/files.js';
import {VIEW_KEYS, gestures, keyTable} from '../input/keys.js';
import {button, field, focused, h} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {bringTo, placeOf} from '../actions/place.js';
import {spoken} from '../document/names.js';
import {lengthText} from '../view/labels.js';

/**
 * Opens a modal dialog; it is gone from the page once it is closed.
 * @param {Home} of @param {string} title
 * @param {{body: Child, footer?: Child, kind?: string, onclose?: () => unknown}} of
 */
export function openDialog({root, frame}, title, {body, footer = null, kind = '', onclose = () => {}}) {
    const id = `dialog-${title.toLowerCase().replace(/\W+/g, '-')}`;
    if (root.getElementById(id)) return null;
    /** @type {HTMLDialogElement} */
    const dialog = h(
        'dialog',
        {id, class: kind, 'aria-labelledby': `${id}-title`},
        h(
            'header',
            {},
            h('h2', {id: `${id}-title`}, title),
            button({icon: 'close', label: 'Close', class: 'bare', onclick: () => dialog.close()}),
        ),
        h('div', {class: 'body', tabindex: '0', role: 'region', 'aria-label': title}, body),
        footer ? h('footer', {}, footer) : null,
    );
    const before = /** @type {HTMLElement | null} */ (focused());
    dialog.addEventListener('close', () => {
        dialog.remove();
        before?.focus?.();
        onclose();
    });
    dialog.addEventListener('pointerdown', (event) => {
        if (event.target === dialog && isOutside(dialog, event)) dialog.close();
    });
    frame.append(dialog);
    dialog.showModal();
    return dialog;
}

/** @param {HTMLDialogElement} dialog @param {PointerEvent} of */
function isOutside(dialog, {clientX: x, clientY: y}) {
    const box = dialog.getBoundingClientRect();
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/**
 * All keys and gestures.
 * @param {Store} store @param {Shell} shell
 */
export function openHelp(store, shell) {
    /** @param {string} what @param {HTMLElement[] | string} keys */
    const row = (what, keys) => h('div', {}, h('dt', {}, what), h('dd', {}, keys));
    const groups = keyTable(store, shell).map(({group, commands}) =>
        h(
            'section',
            {},
            h('h3', {}, group),
            h(
                'dl',
                {},
                commands.map(({label, keys}) =>
                    row(
                        label,
                        keys.map((key) => h('kbd', {}, key)),
                    ),
                ),
            ),
        ),
    );
    const byPointer = h(
        'section',
        {},
        h('h3', {}, 'Pointer and touch'),
        h(
            'dl',
            {},
            gestures().map(([what, does]) => row(what, does)),
        ),
    );
    const inView = h(
        'section',
        {},
        h('h3', {}, 'In the view'),
        h(
            'dl',
            {},
            /** @type {[string, string[]][]} */ (VIEW_KEYS).map(([what, keys]) =>
                row(
                    what,
                    keys.map((key) => h('kbd', {}, key)),
                ),
            ),
        ),
    );
    const close = () => store.home.$('dialog-help').close();
    openDialog(store.home, 'Help', {
        body: [
            h('div', {class: 'keys'}, byPointer, inView, groups),
            h('p', {class: 'quiet'}, 'Everything happens in this page: no file, pose or link is sent anywhere.'),
        ],
        footer: [
            button({
                text: 'Show the hints',
                onclick: () => {
                    close();
                    shell.hints();
                },
            }),
            button({text: 'Close', class: 'strong', onclick: close}),
        ],
    });
}

/**
 * Where the picked part is, in numbers that can be changed: the body follows as it does a pull.
 * @param {Store} store @param {PartChoice} part
 */
export function openPlace(store, part) {
    const {label, point} = placeOf(store, part);
    const to = [...point];
    const said = h('span', {class: 'quiet', role: 'status'});
    const entries = ['x', 'y', 'z'].map((axis, k) => field(axis, numberEntry({
        value: point[k],
        kind: 'length',
        label: `${axis} of the ${spoken(label)}, in metres`,
        key: `place ${axis}`,
        onset: (value) => {
            to[k] = value;
        },
    }), 'm'));
    const go = button({
        text: 'Move there',
        class: 'strong',
        dataset: {command: 'place-go'},
        onclick: async () => {
            const now = placeOf(store, part).point;
            const far = await bringTo(store, part, now, to);
            said.textContent = far > 1e-3 ? `${lengthText(far)} short of it` : 'It is there.';
        },
    });
    openDialog(store.home, `Place of the ${spoken(part.name)}`, {
        kind: 'narrow',
        footer: [said, go],
        body: h('div', {class: 'stack'}, h('p', {class: 'quiet'}, `The ${spoken(label)}: ahead, to the left, up.`),
            entries),
    });
    entries[0].querySelector('input')?.focus();
}

/**
 * The link that holds the whole problem, to be copied.
 * @param {Store} store
 */
export async function openLinkDialog(store) {
    let link;
    try {
        link = await linkOf(store);
    } catch (error) {
        store.fail(error);
        return;
    }
    const text = h('textarea', {class: 'link-text', readonly: true, 'aria-label': 'Link'});
    text.value = link.address;
    const said = h('span', {class: 'quiet', role: 'status'});
    const copy = button({
        text: 'Copy',
        icon: 'link',
        class: 'strong',
        onclick: async () => {
            text.select();
            const isCopied =
                (await navigator.clipboard?.writeText(link.address).then(
                    () => true,
                    () => false,
                )) || document.execCommand('copy');
            said.textContent = isCopied ? 'Copied' : 'Select the text and copy it';
        },
    });
    const kilo = (link.address.length / 1000).toFixed(1);
    openDialog(store.home, 'Link to this problem', {
        kind: 'narrow',
        footer: [said, copy],
        body: h(
            'div',
            {class: 'stack'},
            h(
                'p',
                {},
                `Whoever opens it sees this problem, with the pose as it is. It is ${kilo} kB long, and holds ` +
                    'everything behind the # sign, which browsers do not send.',
            ),
            text,
            link.isLong
                ? h('p', {class: 'quiet'}, 'Some programs cut links as long as this one; then send the problem file.')
                : null,
            link.remark ? h('p', {}, link.remark) : null,
        ),
    });
    copy.focus();
}
