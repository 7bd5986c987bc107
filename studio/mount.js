// The Studio in its home, a page or an element: makes the store, the engine's worker, the view and the panels, and
// wires them.

import * as bar from './panels/bar.js';
import * as goals from './panels/goals.js';
import * as messages from './panels/messages.js';
import * as pick from './panels/pick.js';
import * as status from './panels/status.js';
import * as tabs from './panels/tabs.js';
import {isSideOpen, onNarrow} from './actions/actions.js';
import {Client} from './store/client.js';
import {listen} from './input/keys.js';
import {openHelp, openLinkDialog} from './panels/dialogs.js';
import {mountDrop} from './panels/file_menu.js';
import {openGoalMenu} from './panels/bar.js';
import {keepShipped} from './files/shipped.js';
import {Store} from './store/store.js';
import {View} from './view/view.js';

const KEEP_AFTER = 500; // ms after the page can be used, until it fetches all that comes with it

/**
 * data-theme always has the theme that is seen: light or dark.
 * @param {Store} store
 */
function followTheme(store) {
    const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
        const {theme} = store.settings;
        const seen = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
        store.home.themed.dataset.theme = seen;
    };
    store.on('settings', apply);
    store.home.onMedia('(prefers-color-scheme: dark)', () => {
        apply();
        store.emit('settings', store.settings);
    });
    apply();
}

/**
 * Opens panels and timeline as the settings say.
 * @param {Store} store
 */
function followLayout(store) {
    const {home} = store;
    const apply = () => {
        home.frame.classList.toggle('side-closed', !isSideOpen(store));
        home.$('timeline-body').hidden = !store.settings.timelineOpen;
    };
    const isPhone = () => home.isSize('(max-width: 600px), (max-height: 500px)'); // as css/phone.css has it
    let wasOpen = isSideOpen(store);
    const choose = () => { // a phone has room for the panels or the timeline: what was opened last stays
        const isOpen = isSideOpen(store);
        const isNew = isOpen && !wasOpen;
        wasOpen = isOpen;
        if (!isPhone() || !isOpen || !store.settings.timelineOpen) return;
        store.change(isNew ? {timelineOpen: false} : {drawerOpen: false});
    };
    store.on('settings', choose);
    store.on('settings', apply);
    onNarrow(store, () => store.emit('settings', store.settings));
    apply();
}

/**
 * A right click, or a long touch, that did not move is for the menu of goals: the view says so.
 * @param {Store} store
 */
function contextMenu(store) {
    store.on('menu', ({x, y}) => {
        if (store.selection && !store.home.isBare) openGoalMenu(store, {x, y, root: store.home.root});
    });
}

/**
 * Until the first call is on its way to the worker; a moment only, where it cannot be.
 * @param {Client} client
 */
async function posted(client) {
    for (let i = 0; i < 250 && !client.lastId; i++) await new Promise((done) => setTimeout(done, 4));
}

/**
 * What the page can be used without for a moment, then all else that comes with it; says what was not to be had.
 * @param {Store} store @param {Client} client
 */
export async function mountLater(store, client) {
    try {
        const later = await import('./panels/later.js');
        goals.giveForms(later.formOf);
        later.mount(store, client);
        setTimeout(() => Promise.all([keepShipped(), later.fetchRest(store)]), KEEP_AFTER);
    } catch (error) {
        const again = {text: 'Try again', run: () => mountLater(store, client)};
        store.message('error', `The other panels and the timeline could not be fetched: ${
            /** @type {Error} */ (error).message}`,
            {action: again});
    }
}

/**
 * A store with a worker.
 * @param {Home} home see store/home.js
 * @param {() => Worker} newWorker
 */
export function makeStudio(home, newWorker) {
    const client = new Client(newWorker);
    const store = new Store(client, home);
    client.onRestart = (message, result) => {
        store.message('warning', message);
        if (result) store.setScene(result.scene, result.frame);
    };
    /** @type {Shell} */
    const shell = {view: null, help: () => openHelp(store, shell), link: () => openLinkDialog(store),
        hints: async () => (await import('./panels/later.js')).hintAgain(home.$('stage'), store)};
    return {store, client, view: /** @type {View | null} */ (null), shell};
}

/**
 * Makes everything that is seen. `open` begins to open what is to be seen first; it is waited for.
 * @param {ReturnType<typeof makeStudio>} studio
 * @param {() => Promise<unknown>} open
 */
export async function mountStudio(studio, open) {
    const {store, client, shell} = studio, $ = (/** @type {string} */ id) => store.home.$(id);
    followTheme(store);
    followLayout(store);
    messages.mount($('messages'), store);
    messages.mountProgress($('progress'), store);
    mountDrop($('drop'), store);
    bar.mount($('bar'), store, shell);
    tabs.mount($('tabs'), store);
    status.mount($('status'), store);
    const opening = open().catch((error) => store.fail(error));
    await posted(client); // the worker opens it while the view is made, and the bar is seen meanwhile
    try {
        shell.view = new View($('view'), store, client);
        studio.view = shell.view;
        store.view = shell.view;
    } catch (error) {
        store.message('error', `The view could not be started (does this browser have WebGL 2?): ${
            /** @type {Error} */ (error).message}`);
    }
    goals.mount($('panel-goals'), store);
    pick.mount($('pick'), store);
    contextMenu(store);
    listen(store, shell);
    await opening;
    $('loading').remove();
    return studio;
}

/**
 * Ends it: no worker, no listener, no memory of the graphics card is left.
 * @param {{store: Store, client: Client, view: View | null}} of
 */
export function endStudio({store, client, view}) {
    store.home.end();
    client.end();
    view?.end();
    store.listeners.clear();
}
