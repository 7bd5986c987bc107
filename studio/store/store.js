// The page's state: the document (a problem file as an object), what the engine made of it (scene, frame), the
// selection, the settings; and the one way to change the document, which undo covers.
//
// Events: doc scene frame selection picked settings message busy history reach, and whatever else parts agree upon.

import {tidyMotion} from '../document/motion_doc.js';
import {startOf} from '../document/names.js';
import {recall, remember} from './storage.js';

const HISTORY = 200; // steps that can be undone

/** @type {Settings} */
export const SETTINGS = {
    theme: 'system',
    begin: 'scene', // what the page begins with: 'scene' or 'human'
    tool: 'drag',
    chain: 0,
    tab: 'goals',
    sideOpen: true,
    drawerOpen: false,
    timelineOpen: false,
    slideThenSolve: false,
    show: {
        shapes: true,
        skin: true,
        joints: false,
        sites: false,
        labels: false,
        limits: true,
        allLimits: false,
        com: true,
        ground: true,
        ghosts: true,
        trails: true,
        reach: true,
        vision: false,
        effort: false,
        forces: false,
        goals: true,
    },
};

export class Store {
    /**
     * @param {Client} client the engine's other end
     * @param {Home | null} [home] where the Studio lives: see home.js; null where there is no page
     */
    constructor(client, home = null) {
        this.client = client;
        this.home = /** @type {Home} */ (home); // whoever asks for it is on a page
        // Document, scene and frame are there from the first opening on; who may be called earlier looks.
        this.doc = /** @type {Doc} */ (/** @type {unknown} */ (null));
        this.scene = /** @type {Scene} */ (/** @type {unknown} */ (null));
        this.frame = /** @type {PoseFrame} */ (/** @type {unknown} */ (null));
        /** @type {Selected | null} */
        this.selection = null;
        /** @type {Picked | null} */
        this.picked = null;
        /** @type {string[]} names of goals that were chosen together last: actions/together.js */
        this.together = [];
        /** @type {ReachCloud | null} */
        this.reach = null;
        /** @type {Map<string, Uint8Array>} */
        this.files = new Map();
        /** @type {Message[]} */
        this.messages = [];
        /** @type {Step[]} */
        this.past = [];
        /** @type {Step[]} */
        this.future = [];
        this.settings = readSettings();
        /** @type {Map<string, Set<(data: any) => unknown>>} any: each event has data of its own, as on() says */
        this.listeners = new Map();
        /** @type {Promise<unknown>} */
        this.queue = Promise.resolve();
        /** @type {string | null} */
        this.merging = null;
        /** @type {Set<Running>} */
        this.tasks = new Set();
        this.messageCount = 0;
        /** @type {'edit' | 'travel' | 'open'} why the document changed last */
        this.cause = 'open';
        /** @type {Doc | null} the document as it was saved or opened last */
        this.saved = null;
        /** @type {View | null} */
        this.view = null;
        /** @type {Timeline | null} once it is mounted: panels/later.js */
        this.timeline = null;
        /** @type {import('../panels/solutions.js').Solutions | null} */
        this.solutions = null;
        /** @type {import('../panels/hints.js').Hints | null} */
        this.hints = null;
    }

    /**
     * Calls fn at each such event; returns how to stop that.
     * @template {keyof StoreEvents} K
     * @param {K} event @param {(data: StoreEvents[K]) => unknown} fn
     */
    on(event, fn) {
        const fns = this.listeners.get(event) ?? new Set();
        this.listeners.set(event, fns.add(fn));
        return () => fns.delete(fn);
    }

    /**
     * @template {keyof StoreEvents} K
     * @param {K} event @param {StoreEvents[K] extends void ? [] : [StoreEvents[K]]} data
     */
    emit(event, ...data) {
        for (const fn of this.listeners.get(event) ?? []) fn(data[0]);
    }

    // --- the document ------------------------------------------------------------------------------------------------

    /**
     * Changes the document: fn alters a copy; the engine compiles it, and solves where told; then it is the document,
     * and one step to undo. Where the engine refuses it, a message says why and nothing changes.
     * @param {string} label what the user did, for the history
     * @param {(draft: Doc) => unknown} fn false, or a promise of it: nothing to do. It runs when all that was begun
     *     before is done, and may ask the engine
     * @param {EditOptions} options
     * @returns {Promise<boolean>} whether it was done
     */
    edit(label, fn, {solve = false, merge = null, join = false, files = []} = {}) {
        return this.inTurn(async () => {
            const draft = structuredClone(this.doc);
            if ((await fn(draft)) === false) return false;
            tidyMotion(draft, this.doc);
            if (!(await this.compile(draft, solve, files))) return false;
            if (!join || !this.past.length) this.push(label, merge);
            this.take(draft, 'edit');
            return true;
        });
    }

    /**
     * A pose as the document's start: one step to undo.
     * @param {Numbers | ((pose: Float64Array) => Numbers | Promise<Numbers>)} values by variable; or what makes them
     *     of the present ones, when it is its turn
     * @param {string} label @param {EditOptions} [options]
     */
    setPose(values, label, options) {
        const make = typeof values === 'function' ? values : () => values;
        const change = async (/** @type {Doc} */ draft) => {
            draft.start = startOf(this.scene, await make(Float64Array.from(this.frame.pose)));
        };
        return this.edit(label, change, options);
    }

    /** Solves the document from the present pose. */
    solve(label = 'Solve') {
        return this.edit(label, () => {}, {solve: true});
    }

    undo() {
        return this.travel(-1);
    }

    redo() {
        return this.travel(1);
    }

    /**
     * Goes back (negative) or forth by some steps of the history.
     * @param {number} steps
     */
    travel(steps) {
        return this.inTurn(async () => {
            const [from, to] = steps < 0 ? [this.past, this.future] : [this.future, this.past];
            const count = Math.min(Math.abs(steps), from.length);
            if (!count) return false;
            const doc = from[from.length - count].doc;
            if (!(await this.compile(structuredClone(doc), false))) return false;
            let now = this.doc;
            for (const step of from.splice(-count).reverse()) {
                to.push({label: step.label, doc: now});
                now = step.doc;
            }
            this.merging = null;
            this.take(now, 'travel');
            return true;
        });
    }

    /**
     * Opens files: a figure, a problem with its figures, a script, a motion. The first that is one of these is what is
     * opened, the others are what it may name.
     * @param {OpenFile[]} files
     * @param {{label?: string | null, title?: string | null, model?: string | null}} options model: the figure is one
     *     that comes with the
     *     page, and is known by that name
     */
    open(files, {label = null, title = null, model = null} = {}) {
        return this.inTurn(async () => {
            const done = this.busy(`Opening ${files[0]?.name ?? 'nothing'} …`);
            try {
                const own = files.filter((file) => !file.isMesh); // meshes are to be looked at only
                const opened = await this.client.call('open',
                    {files: await Promise.all((own.length ? own : files).map(withTree))});
                if (model) opened.doc.figures[0].file = model;
                else for (const {name, bytes} of files) this.files.set(name, bytes);
                this.opened(opened, label ?? `Open ${files[0].name}`, title);
                return true;
            } catch (error) {
                this.fail(error);
                return false;
            } finally {
                done();
            }
        });
    }

    /**
     * Meshes that came after the robots that name them.
     * @param {{name: string, bytes: Uint8Array}[]} files
     */
    addMeshes(files) {
        for (const {name, bytes} of files) this.files.set(name, bytes);
        this.clearMessages();
        this.emit('meshes');
        return true;
    }

    /**
     * Takes what the engine opened as the document.
     * @param {Opened} of @param {string} label @param {string | null} [title]
     */
    opened({doc, scene, frame, warnings = []}, label, title = null) {
        if (this.doc) this.push(label);
        this.merging = null;
        if (title && !doc.title) doc.title = title;
        this.setScene(scene, frame);
        this.selection = null;
        this.picked = null;
        this.clearReach();
        this.clearMessages();
        this.take(doc, 'open');
        this.saved = doc;
        this.emit('selection', null);
        this.emit('opened', {doc, scene});
        if (warnings.length) this.message('warning', warningText(warnings), {list: warnings});
    }

    /**
     * Sends a document to the engine; its pose becomes the draft's start. Says whether the engine took it.
     * @param {Doc} draft @param {boolean} solve @param {OpenFile[]} [files]
     */
    async compile(draft, solve, files = []) {
        try {
            const {scene, frame} = await this.client.call('set', {doc: draft, solve, files});
            if (frame?.pose) draft.start = startOf(scene, frame.pose);
            this.setScene(scene, frame);
            return true;
        } catch (error) {
            this.fail(error);
            return false;
        }
    }

    /** @param {string} label @param {string | null} [merge] */
    push(label, merge = null) {
        if (merge && this.merging === merge && this.past.length) {
            this.future.length = 0;
            return;
        }
        this.merging = merge;
        this.past.push({label, doc: this.doc});
        if (this.past.length > HISTORY) this.past.shift();
        this.future.length = 0;
    }

    /**
     * @param {Doc} doc
     * @param {'edit' | 'travel' | 'open'} cause for those who hear of it
     */
    take(doc, cause) {
        this.doc = doc;
        this.cause = cause;
        if (this.selection && !this.exists(this.selection)) this.select(null);
        this.emit('doc', doc);
        this.emit('history');
    }

    /**
     * One after the other: each works on the document as the one before left it. What fails is said, and is false.
     * @param {() => Promise<boolean>} task
     */
    inTurn(task) {
        const done = this.queue.then(task).catch((error) => {
            this.fail(error);
            return false;
        });
        this.queue = done;
        return done;
    }

    // --- what the engine made of it ----------------------------------------------------------------------------------

    /** @param {Scene} scene @param {PoseFrame | null} [frame] */
    setScene(scene, frame) {
        this.scene = scene;
        this.emit('scene', scene);
        if (frame) this.setFrame(frame);
    }

    /** @param {PoseFrame} frame */
    setFrame(frame) {
        this.frame = frame;
        this.emit('frame', frame);
    }

    clearReach() {
        if (!this.reach) return;
        this.reach = null;
        this.emit('reach', null);
    }

    // --- selection, settings, messages -------------------------------------------------------------------------------

    /** @param {Selected | null} selection */
    select(selection) {
        const [a, b] = [this.selection, selection];
        if (a === b || (a && b && a.kind === b.kind && a.figure === b.figure && a.name === b.name)) return;
        this.selection = selection;
        this.emit('selection', selection);
    }

    /** @param {Selected} selection */
    exists({kind, figure, name}) {
        if (kind === 'constraint') return this.scene.constraints.some((constraint) => constraint.name === name);
        /** @type {{name: string}[] | undefined} */
        const things = this.scene.figures[figure]?.[/** @type {const} */ (`${kind}s`)];
        return Boolean(things?.some((thing) => thing.name === name));
    }

    /**
     * Changes settings: change({theme: 'dark'}), change({show: {joints: true}}).
     * @param {Partial<Settings>} changes
     */
    change(changes) {
        const show = {...this.settings.show, ...changes.show};
        this.settings = {...this.settings, ...changes, show};
        remember('settings', this.settings);
        this.emit('settings', this.settings);
    }

    /**
     * Shows a message; errors, warnings and what offers an action {text, run} stay until they are closed.
     * @param {Message['kind']} kind @param {string} text
     * @param {Partial<Pick<Message, 'file' | 'line' | 'list' | 'action'>>} options
     */
    message(kind, text, {file = null, line = 0, list = null, action = null} = {}) {
        /** @type {Message} */
        const message = {id: ++this.messageCount, kind, text, file, line, list, action};
        const same = this.messages.find((other) => other.kind === kind && other.text === text && other.file === file);
        if (same) this.messages.splice(this.messages.indexOf(same), 1);
        this.messages.push(message);
        this.emit('message', message);
        return message;
    }

    /** @param {number} id */
    closeMessage(id) {
        this.messages = this.messages.filter((message) => message.id !== id);
        this.emit('message', null);
    }

    /** What was said of another file is no longer of interest. */
    clearMessages() {
        if (!this.messages.length) return;
        this.messages = [];
        this.emit('message', null);
    }

    /** @param {any} error whatever was thrown */
    fail(error) {
        this.message('error', error?.message ?? String(error), {file: error?.file ?? null, line: error?.line ?? 0});
    }

    /**
     * Says that something is under way; returns how to say that it is done.
     * @param {string} label @param {{cancel?: (() => void) | null}} options
     */
    busy(label, {cancel = null} = {}) {
        /** @type {Running} */
        const task = {label, progress: null, cancel};
        this.tasks.add(task);
        this.emit('busy', this.tasks);
        const done = () => {
            this.tasks.delete(task);
            this.emit('busy', this.tasks);
        };
        done.progress = (/** @type {number} */ fraction) => {
            task.progress = fraction;
            this.emit('busy', this.tasks);
        };
        return done;
    }
}

/** @returns {Settings} */
function readSettings() {
    const kept = recall('settings', {});
    return {...SETTINGS, ...kept, drawerOpen: false, show: {...SETTINGS.show, ...kept?.show}};
}

/**
 * A file for the worker. XML goes with its tree: only the page has the browser's parser.
 * @param {OpenFile} file @returns {Promise<OpenFile>}
 */
async function withTree({name, bytes}) {
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const start = new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
        .decode(bytes.subarray(0, 256))
        .trimStart();
    if (!start.startsWith('<')) return {name, bytes};
    const {readXml} = await import('limber/xml.js');
    return {name, bytes, xml: readXml(bytes)};
}

/** @param {Warning[]} warnings */
function warningText(warnings) {
    return warnings.length === 1 ? '1 remark on this file' : `${warnings.length} remarks on this file`;
}
