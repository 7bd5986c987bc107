// The Studio inside of an element: see element.js.

import style from 'studio:style';
import tree from 'studio:markup';
import {endStudio, makeStudio, mountLater, mountStudio} from '../mount.js';
import {startOf} from '../document/names.js';
import {startFiles} from '../files/files.js';
import {setBase} from '../files/shipped.js';
import {ElementHome} from '../store/home.js';
import {keepInMemory} from '../store/storage.js';

/** @typedef {{name: string, bytes: Uint8Array}} File */
/** What load() is given: an address, a problem, or files. @typedef {string | URL | RawDoc | File[] | null} Wanted */
/** @typedef {import('./element.js').LimberStudio} LimberStudio */

/** @type {CSSStyleSheet|null} one for all of them; a page's policy on styles does not concern it */
let sheet = null;

function sheetOf() {
    if (sheet) return sheet;
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    return sheet;
}

function build(/** @type {Markup} */ [tag, attributes, children]) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.map((child) => (typeof child === 'string' ? child : build(child))));
    return element;
}

/** A page that asks for trusted types has to allow a policy called limber-studio. */
const trusted = globalThis.trustedTypes?.createPolicy('limber-studio',
    {createScriptURL: (/** @type {string} */ url) => url}) ?? {createScriptURL: (/** @type {string} */ url) => url};

/** The worker; one of another origin is begun by a blob that imports it, as browsers want workers of the page's own. */
function newWorker(/** @type {URL} */ url) {
    const options = /** @type {const} */ ({type: 'module', name: 'limber'});
    if (url.origin === location.origin) return new Worker(trusted.createScriptURL(url.href), options);
    const blob = new Blob([`import ${JSON.stringify(url.href)};`], {type: 'text/javascript'});
    const address = URL.createObjectURL(blob), worker = new Worker(trusted.createScriptURL(address), options);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return worker;
}

/** A file's bytes; an Error says what the server did. */
async function fetchFile(/** @type {URL} */ url, /** @type {string} */ name) {
    const response = await fetch(url);
    if (!response.ok) throw Object.assign(new Error(`the server answers ${response.status}`), {file: name});
    return {name, bytes: new Uint8Array(await response.arrayBuffer())};
}

/** The files that a problem names and that do not come with Limber: they are beside it. */
async function filesOf(/** @type {RawDoc} */ problem, /** @type {URL} */ url) {
    const figures = [problem.figures ?? problem.figure ?? []].flat();
    const names = figures.map((figure) => figure?.file ?? figure)
        .filter((name) => typeof name === 'string' && /\.\w+$/.test(name));
    return Promise.all([...new Set(names)].map((name) => fetchFile(new URL(name, url), name)));
}

/** An address's file, and those that it names. @returns {Promise<File[]>} */
async function filesAt(/** @type {string|URL} */ address) {
    const url = new URL(address, document.baseURI), name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const file = await fetchFile(url, name);
    if (!/\.json$/i.test(name)) return [file];
    let problem = null;
    try {
        problem = JSON.parse(new TextDecoder().decode(file.bytes));
    } catch {
        return [file]; // who opens it says what is wrong, with its line
    }
    return [file, ...await filesOf(problem, url)];
}

/** Whatever load() was given, as files. @returns {Promise<File[]>} */
async function filesFor(/** @type {Wanted} */ what) {
    if (!what) return startFiles('human');
    if (typeof what === 'string' || what instanceof URL) return filesAt(what);
    if (Array.isArray(what)) return what;
    const file = {name: 'document.json', bytes: new TextEncoder().encode(JSON.stringify(what))};
    return [file, ...await filesOf(what, new URL(document.baseURI))];
}

export class Embedded {
    /** @param {ReturnType<typeof makeStudio>} studio @param {LimberStudio} element */
    constructor(studio, element) {
        this.studio = studio;
        this.element = element;
        this.tellWhatHappens();
    }

    tellWhatHappens() {
        const {store} = this.studio, {element} = this;
        const tell = (/** @type {string} */ type, /** @type {object} */ detail) => element.tell(type, detail);
        store.on('doc', () => {
            if (store.cause !== 'open') tell('change', {pose: this.pose(), document: this.document()});
        });
        store.on('frame', (frame) => {
            tell('pose', {pose: this.pose(), isDragged: Boolean(frame.drag), time: frame.time ?? null});
            if (frame.drag || frame.time !== undefined || !(frame.time_us > 0)) return;
            tell('solve', {outcome: frame.outcome, explanation: frame.explanation, value: frame.value,
                pose: this.pose()});
        });
        store.on('message', (message) => {
            if (message?.kind === 'error') tell('error', {message: message.text, file: message.file ?? '',
                line: message.line});
        });
    }

    pose() {
        const {scene, frame} = this.studio.store;
        return scene && frame ? startOf(scene, frame.pose) : null;
    }

    document() {
        return structuredClone(this.studio.store.doc);
    }

    async load(/** @type {Wanted} */ what) {
        const {store} = this.studio;
        try {
            const own = [...store.files].map(([name, bytes]) => ({name, bytes}));
            const files = typeof what === 'object' && what && !Array.isArray(what) && !(what instanceof URL)
                ? await filesFor(what).catch(async () => [(await filesFor({...what, figures: []}))[0], ...own])
                : await filesFor(what);
            return await store.open(files);
        } catch (error) {
            store.fail(error);
            return false;
        }
    }

    async setPose(/** @type {Record<string, number>} */ values) {
        const {store} = this.studio;
        const known = startOf(store.scene, store.frame.pose);
        const wrong = Object.entries(values).find(([name, value]) => !(name in known) || !Number.isFinite(value));
        if (wrong) {
            store.fail(new Error(wrong[0] in known ? `${wrong[0]} is no number: ${wrong[1]}`
                : `there is no variable "${wrong[0]}"; they are ${Object.keys(known).slice(0, 5).join(', ')} ...`));
            return false;
        }
        return store.edit('Set pose', (draft) => { Object.assign(draft.start, values); });
    }

    apply(/** @type {{controls: boolean, readOnly: boolean, theme: string}} */ {controls, readOnly, theme}) {
        const {store} = this.studio, {home} = store, isBare = !controls || readOnly;
        Object.assign(home, {isBare, isReadOnly: readOnly});
        home.frame.classList.toggle('bare', isBare);
        if (readOnly) store.select(null);
        const known = theme === 'light' || theme === 'dark' ? theme : 'system';
        if (store.settings.theme !== known) store.change({theme: known});
    }

    end() {
        endStudio(this.studio);
    }
}

/**
 * Puts a Studio into an element's shadow root.
 * @param {LimberStudio} element
 * @param {URL} base where the Studio's files are
 * @param {Wanted} what to open first; '' for the human
 */
export async function embed(element, base, what) {
    setBase(base);
    keepInMemory();
    const root = /** @type {ShadowRoot} */ (element.shadowRoot), frame = build(tree); // its constructor attached it
    root.adoptedStyleSheets = [sheetOf()];
    root.replaceChildren(frame);
    const home = new ElementHome(root, frame);
    const studio = makeStudio(home, () => newWorker(new URL('worker.js', base)));
    const embedded = new Embedded(studio, element), {controls, readOnly, theme} = element;
    embedded.apply({controls, readOnly, theme});
    if (!element.isConnected) return embedded;
    await mountStudio(studio, () => embedded.load(what));
    if (element.isConnected) await mountLater(studio.store, studio.client);
    return embedded;
}
