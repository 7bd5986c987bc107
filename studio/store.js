// The page's state: the document (a problem file as an object), what the engine made of it (scene, frame), the
// selection, the settings; and the one way to change the document, which undo covers.
//
// Events: doc scene frame selection picked settings message busy history reach, and whatever else parts agree upon.

import {tidyMotion} from './motion_doc.js';
import {startOf} from './names.js';
import {readXml} from 'limber/xml.js';

import {recall, remember} from './storage.js';

const HISTORY = 200; // steps that can be undone

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
        reach: true,
        vision: false,
        effort: false,
        forces: false,
        goals: true,
    },
};

/** @typedef {{kind: 'segment'|'site'|'joint'|'constraint', figure: number, name: string}} Selection */

export class Store {
    /** @param {{call: Function}} client the engine's other end */
    constructor(client) {
        this.client = client;
        this.doc = null;
        this.scene = null;
        this.frame = null;
        /** @type {Selection|null} */
        this.selection = null;
        this.picked = null;
        this.reach = null;
        this.files = new Map();
        this.messages = [];
        this.past = [];
        this.future = [];
        this.settings = readSettings();
        this.listeners = new Map();
        this.queue = Promise.resolve();
        this.merging = null;
        this.tasks = new Set();
        this.messageCount = 0;
        this.cause = 'open'; // why the document changed last
        this.saved = null; // the document as it was saved or opened last
    }

    /** Calls fn at each such event; returns how to stop that. */
    on(event, fn) {
        if (!this.listeners.has(event)) this.listeners.set(event, new Set());
        this.listeners.get(event).add(fn);
        return () => this.listeners.get(event).delete(fn);
    }

    emit(event, data) {
        for (const fn of this.listeners.get(event) ?? []) fn(data);
    }

    // --- the document ------------------------------------------------------------------------------------------------

    /**
     * Changes the document: fn alters a copy; the engine compiles it, and solves where told; then it is the document,
     * and one step to undo. Where the engine refuses it, a message says why and nothing changes.
     * @param {string} label what the user did, for the history
     * @param {(draft: object) => (void|false|Promise<void|false>)} fn false: nothing to do. It runs when all that was
     *     begun before is done, and may ask the engine
     * @param {{solve?: boolean, merge?: string, join?: boolean, files?: object[]}} options merge: edits in a row with
     *     the same word are one step; join: this one belongs to the step before it; files: what the document names anew
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
     * @param {ArrayLike<number> | ((pose: Float64Array) => any)} values by variable; or what makes them of the present
     *     ones, when it is its turn
     */
    setPose(values, label, options) {
        const make = typeof values === 'function' ? values : () => values;
        const change = async (draft) => {
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

    /** Goes back (negative) or forth by some steps of the history. */
    travel(steps) {
        return this.inTurn(async () => {
            const [from, to] = steps < 0 ? [this.past, this.future] : [this.future, this.past];
            const count = Math.min(Math.abs(steps), from.length);
            if (!count) return false;
            const doc = from[from.length - count].doc;
            if (!(await this.compile(structuredClone(doc), false))) return false;
            let now = this.doc;
            for (let i = 0; i < count; i++) {
                const step = from.pop();
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
     * @param {{name: string, bytes: Uint8Array}[]} files
     * @param {{label?: string, title?: string, model?: string}} options model: the figure is one that comes with the
     *     page, and is known by that name
     */
    open(files, {label = null, title = null, model = null} = {}) {
        return this.inTurn(async () => {
            const done = this.busy(`Opening ${files[0]?.name ?? 'nothing'} …`);
            try {
                const opened = await this.client.call('open', {files: files.map(withTree)});
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

    /** Takes what the engine opened as the document. */
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

    /** Sends a document to the engine; its pose becomes the draft's start. Says whether the engine took it. */
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

    /** @param {'edit'|'travel'|'open'} cause for those who hear of it */
    take(doc, cause) {
        this.doc = doc;
        this.cause = cause;
        if (this.selection && !this.exists(this.selection)) this.select(null);
        this.emit('doc', doc);
        this.emit('history');
    }

    /** One after the other: each works on the document as the one before left it. What fails is said, and is false. */
    inTurn(task) {
        this.queue = this.queue.then(task).catch((error) => {
            this.fail(error);
            return false;
        });
        return this.queue;
    }

    // --- what the engine made of it ----------------------------------------------------------------------------------

    setScene(scene, frame) {
        this.scene = scene;
        this.emit('scene', scene);
        if (frame) this.setFrame(frame);
    }

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

    /** @param {Selection|null} selection */
    select(selection) {
        const [a, b] = [this.selection, selection];
        if (a === b || (a && b && a.kind === b.kind && a.figure === b.figure && a.name === b.name)) return;
        this.selection = selection;
        this.emit('selection', selection);
    }

    exists({kind, figure, name}) {
        if (kind === 'constraint') return this.scene.constraints.some((constraint) => constraint.name === name);
        return Boolean(this.scene.figures[figure]?.[`${kind}s`]?.some((thing) => thing.name === name));
    }

    /** Changes settings: change({theme: 'dark'}), change({show: {joints: true}}). */
    change(changes) {
        const show = {...this.settings.show, ...changes.show};
        this.settings = {...this.settings, ...changes, show};
        remember('settings', this.settings);
        this.emit('settings', this.settings);
    }

    /**
     * Shows a message; errors, warnings and what offers an action {text, run} stay until they are closed.
     * @param {'error'|'warning'|'info'} kind
     */
    message(kind, text, {file = null, line = 0, list = null, action = null} = {}) {
        const message = {id: ++this.messageCount, kind, text, file, line, list, action};
        const same = this.messages.find((other) => other.kind === kind && other.text === text && other.file === file);
        if (same) this.messages.splice(this.messages.indexOf(same), 1);
        this.messages.push(message);
        this.emit('message', message);
        return message;
    }

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

    fail(error) {
        this.message('error', error?.message ?? String(error), {file: error?.file ?? null, line: error?.line ?? 0});
    }

    /** Says that something is under way; returns how to say that it is done. */
    busy(label, {cancel = null} = {}) {
        const task = {label, progress: null, cancel};
        this.tasks.add(task);
        this.emit('busy', this.tasks);
        const done = () => {
            this.tasks.delete(task);
            this.emit('busy', this.tasks);
        };
        done.progress = (fraction) => {
            task.progress = fraction;
            this.emit('busy', this.tasks);
        };
        return done;
    }
}

function readSettings() {
    const kept = recall('settings', {});
    return {...SETTINGS, ...kept, drawerOpen: false, show: {...SETTINGS.show, ...kept?.show}};
}

/** A file for the worker. XML goes with its tree: only the page has the browser's parser. */
function withTree({name, bytes}) {
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const start = new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
        .decode(bytes.subarray(0, 256))
        .trimStart();
    return start.startsWith('<') ? {name, bytes, xml: readXml(bytes)} : {name, bytes};
}

function warningText(warnings) {
    return warnings.length === 1 ? '1 remark on this file' : `${warnings.length} remarks on this file`;
}
