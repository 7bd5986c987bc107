// The page: a Studio that is all there is, and what only a page has: links, the last work, hints, no need of a network.

import * as back from './panels/back.js';
import {keepDocument, offerLast} from './store/autosave.js';
import {given, openStart, startFiles} from './files/files.js';
import {isLink, openLink} from './files/link.js';
import {makeStudio, mountLater, mountStudio} from './mount.js';
import {PageHome} from './store/home.js';

/**
 * What the page begins with: a link's problem, the file that `limber studio` was given, or the human.
 * @param {Store} store
 */
async function openFirst(store) {
    if (isLink(globalThis.location.hash)) {
        return (await openLink(store, globalThis.location.hash)) || openInstead(store);
    }
    const [{files, back: home}, human] = await Promise.all([given(), startFiles(store.settings.begin)]);
    back.mount(store.home.$('stage'), store, home);
    globalThis.studio.isServed = files.length > 0;
    return (
        (files.length && (await store.open(files))) ||
        ((await store.open(human, {label: 'Start'})) && offerLast(store))
    );
}

/**
 * The human, where a link could not be opened; what was wrong with it stays to be read.
 * @param {Store} store
 */
async function openInstead(store) {
    const told = store.messages;
    const isOpen = await openStart(store);
    for (const {kind, text, ...more} of told) store.message(kind, text, more);
    return isOpen;
}

/**
 * What is for who is new; where it could not be fetched, the page has said so.
 * @param {Store} store
 */
async function beginHints(store) {
    const {Hints} = await import('./panels/later.js').catch(() => ({Hints: null}));
    if (Hints) store.hints = new Hints(store.home.$('stage'), store);
}

async function start() {
    const studio = makeStudio(new PageHome(), () => new Worker('worker.js', {type: 'module', name: 'limber'}));
    const {store, client} = studio;
    globalThis.studio = studio;
    const isGiven = isLink(globalThis.location.hash);
    await mountStudio(studio, () => openFirst(store));
    keepDocument(store);
    globalThis.addEventListener('hashchange', () => {
        if (isLink(globalThis.location.hash)) openLink(store, globalThis.location.hash);
    });
    performance.mark('studio-interactive');
    await mountLater(store, client);
    document.documentElement.dataset.ready = 'true';
    if (!isGiven && !globalThis.studio.isServed) await beginHints(store); // who was sent a scene sees it
}

start();
