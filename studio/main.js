// The page: makes the store, the engine's worker, the view and the panels, and wires them.

import * as back from './back.js';
import * as bar from './panels/bar.js';
import * as goals from './panels/goals.js';
import * as joints from './panels/joints.js';
import * as messages from './panels/messages.js';
import * as method from './panels/method.js';
import * as pick from './panels/pick.js';
import * as poses from './panels/poses.js';
import * as show from './panels/show.js';
import * as status from './panels/status.js';
import * as tabs from './panels/tabs.js';
import * as timeline from './timeline/timeline.js';
import {isSideOpen, onNarrow} from './actions.js';
import {keepDocument, offerLast} from './autosave.js';
import {Client} from './client.js';
import {given, openStart, startFiles} from './files.js';
import {Hints, hintAgain} from './hints.js';
import {listen} from './keys.js';
import {isLink, openLink} from './link.js';
import {openHelp, openLinkDialog} from './panels/dialogs.js';
import {mountDrop} from './panels/file_menu.js';
import {openGoalMenu} from './panels/bar.js';
import {keepShipped} from './shipped.js';
import {Solutions} from './solutions.js';
import {Store} from './store.js';
import {View} from './view/view.js';

const KEEP_AFTER = 500; // ms after the page can be used, until it fetches all that comes with it

const $ = (id) => document.getElementById(id);

/** data-theme always has the theme that is seen: light or dark. */
function followTheme(store) {
    const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
        const {theme} = store.settings;
        const seen = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
        document.documentElement.dataset.theme = seen;
    };
    store.on('settings', apply);
    dark.addEventListener('change', () => {
        apply();
        store.emit('settings', store.settings);
    });
    apply();
}

/** Opens panels and timeline as the settings say. */
function followLayout(store) {
    const apply = () => {
        document.body.classList.toggle('side-closed', !isSideOpen(store));
        $('timeline-body').hidden = !store.settings.timelineOpen;
    };
    const isPhone = globalThis.matchMedia('(max-width: 600px), (max-height: 500px)'); // as css/phone.css has it
    let wasOpen = isSideOpen(store);
    const choose = () => { // a phone has room for the panels or the timeline: what was opened last stays
        const isOpen = isSideOpen(store);
        const isNew = isOpen && !wasOpen;
        wasOpen = isOpen;
        if (!isPhone.matches || !isOpen || !store.settings.timelineOpen) return;
        store.change(isNew ? {timelineOpen: false} : {drawerOpen: false});
    };
    store.on('settings', choose);
    store.on('settings', apply);
    onNarrow(() => store.emit('settings', store.settings));
    apply();
}

/** A right click, or a long touch, that did not move is for the menu of goals: the view says so. */
function contextMenu(store) {
    store.on('menu', ({x, y}) => {
        if (store.selection) openGoalMenu(store, {x, y});
    });
}

/** What the page begins with: a link's problem, the file that `limber studio` was given, or the human. */
async function openFirst(store) {
    if (isLink(globalThis.location.hash)) {
        return (await openLink(store, globalThis.location.hash)) || openInstead(store);
    }
    const [{files, back: home}, human] = await Promise.all([given(), startFiles(store.settings.begin)]);
    back.mount($('stage'), store, home);
    globalThis.studio.isServed = files.length > 0;
    return (
        (files.length && (await store.open(files))) ||
        ((await store.open(human, {label: 'Start'})) && offerLast(store))
    );
}

/** The human, where a link could not be opened; what was wrong with it stays to be read. */
async function openInstead(store) {
    const told = store.messages;
    const isOpen = await openStart(store);
    for (const {kind, text, ...more} of told) store.message(kind, text, more);
    return isOpen;
}

/** Until the first call is on its way to the worker; a moment only, where it cannot be. */
async function posted(client) {
    for (let i = 0; i < 250 && !client.lastId; i++) await new Promise((done) => setTimeout(done, 4));
}

async function start() {
    const client = new Client(() => new Worker('worker.js', {type: 'module', name: 'limber'}));
    const store = new Store(client);
    client.onRestart = (message, result) => {
        store.message('warning', message);
        if (result) store.setScene(result.scene, result.frame);
    };
    const shell = {view: null, help: () => openHelp(store, shell), link: () => openLinkDialog(store),
        hints: () => hintAgain($('stage'), store)};
    globalThis.studio = {store, client, view: null, shell};
    followTheme(store);
    followLayout(store);
    messages.mount($('messages'), store);
    messages.mountProgress($('progress'), store);
    mountDrop($('drop'), store);
    bar.mount($('bar'), store, shell);
    tabs.mount($('tabs'), store);
    status.mount($('status'), store);
    const isGiven = isLink(globalThis.location.hash);
    const opening = openFirst(store).catch((error) => store.fail(error));
    await posted(client); // the worker opens it while the view is made, and the bar is seen meanwhile
    try {
        shell.view = new View($('view'), store, client);
        globalThis.studio.view = shell.view;
        store.view = shell.view;
    } catch (error) {
        store.message('error', `The view could not be started (does this browser have WebGL 2?): ${error.message}`);
    }
    goals.mount($('panel-goals'), store, client);
    joints.mount($('panel-joints'), store, client);
    method.mount($('panel-method'), store, client);
    poses.mount($('panel-poses'), store, client);
    show.mount($('panel-show'), store, client);
    timeline.mount($('timeline-body'), store, client);
    pick.mount($('pick'), store);
    store.solutions = new Solutions($('solutions'), store);
    contextMenu(store);
    listen(store, shell);
    await opening;
    keepDocument(store);
    globalThis.addEventListener('hashchange', () => {
        if (isLink(globalThis.location.hash)) openLink(store, globalThis.location.hash);
    });
    $('loading').remove();
    performance.mark('studio-interactive');
    document.documentElement.dataset.ready = 'true';
    setTimeout(keepShipped, KEEP_AFTER);
    if (!isGiven && !globalThis.studio.isServed) store.hints = new Hints($('stage'),
        store); // who was sent a scene sees it
}

start();
