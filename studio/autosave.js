// The last document, kept in the browser while one works, and offered again on the next visit: restored only when the
// user says so. It is kept as a link is, so what is too large for a link is not kept.

import {makeLink, openLink} from './link.js';
import {forget, recall, remember} from './storage.js';

const PAUSE = 1500; // ms without a change before it is written

/** Keeps the document whenever something was done to it. */
export function keepDocument(store) {
    let timer = null;
    const write = async () => {
        timer = null;
        const used = store.doc.figures.map((figure) => figure.file).filter((name) => store.files.has(name));
        const files = new Map(used.map((name) => [name, store.files.get(name)]));
        try {
            const {fragment, left} = await makeLink({doc: store.doc, files});
            if (left.some((file) => file.needed)) forget('document');
            else remember('document', {fragment, title: store.doc.title ?? '', time: Date.now()});
        } catch {
            forget('document'); // too large
        }
    };
    store.on('doc', () => {
        if (!store.past.length) return; // nothing was done yet
        clearTimeout(timer);
        timer = setTimeout(write, PAUSE);
    });
}

/** Offers what the last visit left. */
export function offerLast(store) {
    const kept = recall('document', null);
    if (typeof kept?.fragment !== 'string') return;
    const when = new Date(kept.time).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'});
    store.message('info', `Your last work${kept.title ? `, “${kept.title}”` : ''} (${when}) is still here.`, {
        action: {text: 'Restore', run: () => openLink(store, kept.fragment)},
    });
}
