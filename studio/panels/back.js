// Back: where a program opened the page on its problem (limber.studio in Python), a button that sends the problem there
// as it is now, with the files that were opened here. The address and its token come with what the page was given.

import {button, h} from '../widgets/dom.js';

const CHUNK = 0x8000; // bytes at a time that a call can take as arguments

/** @param {Uint8Array} bytes */
function base64(bytes) {
    let text = '';
    for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    return btoa(text);
}

/**
 * What is sent: the document, in the pose that is seen, and the files that it names and this page has.
 * @param {Store} store
 */
async function parcel(store) {
    const {bytes} = await store.client.call('export', {format: 'problem', name: 'problem'});
    /** @type {Doc} */
    const problem = JSON.parse(new TextDecoder().decode(bytes));
    const names = new Set(problem.figures.map((figure) => figure.file).filter((name) => store.files.has(name)));
    const files = [...names].map((name) => ({name, base64: base64(/** @type {Uint8Array} */ (store.files.get(name)))}));
    return JSON.stringify({problem, files});
}

/** @param {Store} store @param {{url: string, token: string, to: string}} of */
async function send(store, {url, token, to}) {
    const done = store.busy(`Sending the problem to ${to} …`);
    try {
        const answer = await fetch(url, {
            method: 'POST',
            headers: {'Content-Type': 'application/json', 'X-Limber-Token': token},
            body: await parcel(store),
        });
        if (!answer.ok) throw new Error(`${to} did not take it: ${(await answer.text()).trim()}`);
        store.saved = store.doc;
        return true;
    } catch (error) {
        store.fail(error);
        return false;
    } finally {
        done();
    }
}

/**
 * The button, over the view. `back`: {url, token, to} from given.json, or nothing.
 * @param {HTMLElement} stage @param {Store} store @param {{url: string, token: string, to: string} | null} back
 */
export function mount(stage, store, back) {
    if (!back) return;
    const home = button({
        icon: 'undo',
        text: `Back to ${back.to}`,
        label: `Send the problem back to ${back.to}, and end`,
        class: 'strong back',
        dataset: {command: 'back'},
        onclick: async () => {
            home.disabled = true;
            if (await send(store, back)) home.replaceWith(h('span', {class: 'back sent', role: 'status'}, sent(back)));
            else home.disabled = false;
        },
    });
    stage.append(home); // where nothing else has to move
}

/** @param {{to: string}} of */
const sent = ({to}) => `${to} has it: this page can be closed.`;
