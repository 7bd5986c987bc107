// The last document, kept in the browser while one works, and offered again on the next visit: restored only when the
// user says so. It is kept whole, with the files that it names, in the browser's database, whatever its size. An edit
// that a closing page has not written yet is put aside in a moment as text, which browsers allow up to some megabytes.
// What cannot be kept is said once.

import {database} from './database.js';
import {forget, recall, remember} from './storage.js';

const PAUSE = 1500; // ms without a change before it is written
const KEY = 'last';

/**
 * The files that a document names and the user has brought along.
 * @param {Store} store
 */
function filesOf(store) {
    const used = store.doc.figures.map((figure) => figure.file);
    return [...store.files].filter(([name]) => used.some((file) => file === name || file?.startsWith(`${name}/`)));
}

/**
 * Keeps the document whenever something was done to it.
 * @param {Store} store
 */
export function keepDocument(store) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isTold = false;
    /** @param {any} error */
    const tell = (error) => {
        if (isTold) return;
        isTold = true;
        store.message('warning', `This browser does not keep your work (${error?.message
            || 'it allows no storage'}): ` +
            'save the problem before you close the page.');
    };
    const record = () => ({doc: store.doc, title: store.doc.title ?? '', time: Date.now()});
    const write = async () => {
        timer = undefined;
        const {time} = record();
        try {
            await database().put(KEY, {...record(), files: filesOf(store), time});
            if ((recall('document', null)?.time ?? 0) <= time) forget('document');
        } catch (error) {
            if (!remember('document', record())) tell(error);
            else if (filesOf(store).length) tell(error); // its figures are not with it
        }
    };
    store.on('doc', () => {
        if (!store.past.length) return; // nothing was done yet
        clearTimeout(timer);
        timer = setTimeout(write, PAUSE);
    });
    const flush = () => {
        if (timer === null) return;
        clearTimeout(timer);
        remember('document', record()); // at once; the database may not have the time
        write();
    };
    globalThis.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', () => document.hidden && flush()); // a phone may never say more
}

/** What the last visit left: {doc, title, time, files}, or null. */
async function lastWork() {
    const late = recall('document', null);
    const kept = await database().get(KEY).catch(() => null);
    if (late?.doc && late.time > (kept?.time ?? 0)) return {files: [], ...late, ...(kept && {files: kept.files})};
    return kept?.doc ? kept : null;
}

/**
 * Offers what the last visit left.
 * @param {Store} store
 */
export async function offerLast(store) {
    const kept = await lastWork();
    if (!kept) return;
    const when = new Date(kept.time).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'});
    store.message('info', `Your last work${kept.title ? `, “${kept.title}”` : ''} (${when}) is still here.`, {
        action: {text: 'Restore', run: () => restore(store, kept)},
    });
}

/** @param {Store} store @param {{doc: Doc, files: [string, Uint8Array][]}} of */
function restore(store, {doc, files}) {
    const problem = {name: 'last.json', bytes: new TextEncoder().encode(JSON.stringify(doc))};
    return store.open([problem, ...files.map(([name, bytes]) => ({name, bytes}))], {label: 'Restore the last work'});
}
