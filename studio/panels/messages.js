// Messages over the stage: errors and warnings stay until they are closed; and the bar of what is under way.

import {button, h, replace} from '../widgets/dom.js';
import {icon} from '../widgets/icons.js';

const INFO_TIME = 5000; // ms that a remark stays

/**
 * Shows store's messages in an element.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const show = () =>
        replace(
            element,
            store.messages.map((message) => messageOf(message, store)),
        );
    store.on('message', (message) => {
        show();
        if (message?.kind === 'info' && !message.action) setTimeout(() => store.closeMessage(message.id), INFO_TIME);
    });
    show();
}

/** @param {Message} of @param {Store} store */
function messageOf({id, kind, text, file, line, list, action}, store) {
    const where = file ? `${file}${line ? `:${line}` : ''}` : null;
    return h(
        'div',
        {class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status', dataset: {message: id, kind}},
        icon(kind),
        h(
            'div',
            {class: 'words'},
            where && !text.includes(where) ? h('span', {class: 'where'}, where) : null,
            text,
            list ? remarks(list) : null,
            action
                ? h(
                      'div',
                      {},
                      button({
                          text: action.text,
                          class: 'small framed',
                          onclick: () => {
                              store.closeMessage(id);
                              action.run();
                          },
                      }),
                  )
                : null,
        ),
        button({icon: 'close', label: 'Close message', class: 'small bare', onclick: () => store.closeMessage(id)}),
    );
}

/** @param {Warning[]} list */
function remarks(list) {
    return h(
        'details',
        {},
        h('summary', {}, 'Show them'),
        h(
            'ul',
            {},
            list.map((warning) => {
                const text = typeof warning === 'string' ? warning : warning.message;
                const where = warning.file ? `${warning.file}${warning.line ? `:${warning.line}` : ''}: ` : '';
                return h('li', {}, text.startsWith(where) ? text : where + text);
            }),
        ),
    );
}

/**
 * The bar that shows what is under way, with a button where it can be stopped.
 * @param {HTMLElement} element @param {Store} store
 */
export function mountProgress(element, store) {
    /** @type {ReturnType<typeof setTimeout> | null} */
    let timer = null;
    const show = () => {
        timer = null;
        const tasks = [...store.tasks];
        element.hidden = tasks.length === 0;
        replace(element, tasks.map(taskOf));
    };
    store.on('busy', () => {
        const isShort = element.hidden && ![...store.tasks].some((task) => task.cancel);
        if (!isShort)
            show(); // what is done in a blink needs no bar
        else if (!timer) timer = setTimeout(show, 300);
    });
}

/** @param {Running} task */
function taskOf(task) {
    const bar = h('progress', {max: '1', 'aria-label': task.label});
    if (task.progress !== null) bar.value = task.progress;
    return h(
        'div',
        {},
        h(
            'div',
            {class: 'row'},
            h('span', {}, task.label),
            task.cancel
                ? button({text: 'Cancel', class: 'small', onclick: task.cancel, dataset: {key: 'cancel'}})
                : null,
        ),
        bar,
    );
}
