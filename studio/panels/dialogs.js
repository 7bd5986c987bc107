// Dialogs: help, the introduction of three steps, the link. A <dialog> keeps the focus inside and closes on Escape.

import {linkOf} from '../files.js';
import {VIEW_KEYS, gestures, keyTable} from '../keys.js';
import {recall, remember} from '../storage.js';
import {button, h} from './dom.js';
import {STEPS} from './steps.js';

/** Opens a modal dialog; it is gone from the page once it is closed. */
function openDialog(title, {body, footer = null, kind = '', onclose = () => {}}) {
    const id = `dialog-${title.toLowerCase().replace(/\W+/g, '-')}`;
    if (document.getElementById(id)) return null;
    const dialog = h(
        'dialog',
        {id, class: kind, 'aria-labelledby': `${id}-title`},
        h(
            'header',
            {},
            h('h2', {id: `${id}-title`}, title),
            button({icon: 'close', label: 'Close', class: 'bare', onclick: () => dialog.close()}),
        ),
        h('div', {class: 'body'}, body),
        footer ? h('footer', {}, footer) : null,
    );
    const before = document.activeElement;
    dialog.addEventListener('close', () => {
        dialog.remove();
        before?.focus?.();
        onclose();
    });
    dialog.addEventListener('pointerdown', (event) => {
        if (event.target === dialog && isOutside(dialog, event)) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

function isOutside(dialog, {clientX: x, clientY: y}) {
    const box = dialog.getBoundingClientRect();
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/** All keys and gestures. */
export function openHelp(store, shell) {
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
            VIEW_KEYS.map(([what, keys]) =>
                row(
                    what,
                    keys.map((key) => h('kbd', {}, key)),
                ),
            ),
        ),
    );
    openDialog('Help', {
        body: [
            h('div', {class: 'keys'}, byPointer, inView, groups),
            h('p', {class: 'quiet'}, 'Everything happens in this page: no file, pose or link is sent anywhere.'),
        ],
        footer: [
            button({
                text: 'Show the introduction',
                onclick: () => {
                    document.getElementById('dialog-help').close();
                    openIntroduction();
                },
            }),
            button({text: 'Close', class: 'strong', onclick: () => document.getElementById('dialog-help').close()}),
        ],
    });
}

/** The introduction, on the first visit. */
export function introduceOnce() {
    if (!recall('introduced', false)) openIntroduction();
}

export function openIntroduction() {
    let step = 0;
    const content = h('div', {class: 'steps', 'aria-live': 'polite'});
    const dots = h(
        'span',
        {class: 'dots', 'aria-hidden': 'true'},
        STEPS.map(() => h('i')),
    );
    const back = button({text: 'Back', onclick: () => go(step - 1)});
    const next = button({
        text: 'Next',
        class: 'strong',
        onclick: () => (step < STEPS.length - 1 ? go(step + 1) : dialog.close()),
    });
    const go = (to) => {
        step = to;
        const {title, text, picture} = STEPS[step];
        content.replaceChildren(
            h('div', {class: 'picture'}, picture()),
            h('h3', {}, `${step + 1}. ${title}`),
            h('p', {}, text),
        );
        [...dots.children].forEach((dot, i) => dot.classList.toggle('now', i === step));
        back.disabled = step === 0;
        next.querySelector('span').textContent = step < STEPS.length - 1 ? 'Next' : 'Start';
        next.title = next.textContent;
    };
    go(0);
    const dialog = openDialog('Welcome to Limber Studio', {
        kind: 'narrow',
        body: content,
        footer: [dots, back, next],
        onclose: () => remember('introduced', true),
    });
    next.focus();
}

/** The link that holds the whole problem, to be copied. */
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
    openDialog('Link to this problem', {
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
