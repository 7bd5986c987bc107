// What the module imports: JSON and XML from the browser, the table of files, and the caller's own functions.

import {enums} from './c_api.js';
import {LimberError} from './errors.js';
import {normalPath} from './files.js';
import {jsonParser} from './json.js';
import {printNumber} from './number.js';
import {xmlParser} from './xml.js';

/** Numbers that lbw_callback_pointer knows. */
const KINDS = {warn: 0, now: 1, iteration: 2, progress: 3, frame: 4, clipped: 5, potential: 6};

const encoder = new TextEncoder();

/** The page's side of one instance. */
export class Host {
    /** @type {Map<number, Function>} */
    #functions = new Map();
    #next = 1;
    /** @type {{error: unknown} | null} what a function of the caller threw; thrown again when the call is back */
    #thrown = null;

    /**
     * @param {import('./heap.js').Heap} heap
     * @param {import('./files.js').Files} files
     * @param {any} DOMParserClass
     */
    constructor(heap, files, DOMParserClass) {
        this.heap = heap;
        this.files = files;
        this.DOMParser = DOMParserClass;
    }

    /**
     * A function that C can call: pointer and context for a struct.
     * @param {keyof typeof KINDS} kind @param {Function} call
     */
    callback(kind, call) {
        const context = this.#next++;
        this.#functions.set(context, call);
        return {pointer: this.heap.c.lbw_callback_pointer(KINDS[kind]), context};
    }

    /** @param {number} context @returns {any} */
    get(context) {
        return this.#functions.get(context);
    }

    /** @param {number} context of a callback that is no longer needed */
    forget(context) {
        this.#functions.delete(context);
    }

    /** Throws what a function of the caller threw during the call before. */
    rethrow() {
        if (!this.#thrown) return;
        const {error} = this.#thrown;
        this.#thrown = null;
        throw error;
    }

    /**
     * Calls a function of the caller; nothing may be thrown through C.
     * @template T @param {number} context @param {T} otherwise what C gets if it throws
     * @param {(call: Function) => T} work @returns {T}
     */
    #call(context, otherwise, work) {
        const call = this.#functions.get(context);
        if (!call || this.#thrown) return otherwise;
        try {
            return work(call);
        } catch (error) {
            this.#thrown = {error};
            return otherwise;
        }
    }

    /** @param {number} pointer to an lb_error @returns {LimberError} */
    readError(pointer) {
        const {status, file, line, message} = this.heap.read('lb_error', pointer);
        return new LimberError(message, enums.lb_status[statusKey(status)], file, line);
    }

    /** The import object of the module. */
    imports() {
        const {heap, files} = this;
        return {
            env: {memory: heap.memory},
            limber: {
                json_parse: jsonParser(heap),
                xml_parse: xmlParser(heap, files, () => this.DOMParser),
                ...this.#numberImports(),
                ...this.#fileImports(),
                ...this.#callbackImports(),
            },
        };
    }

    #numberImports() {
        const {heap} = this;
        return {
            number_read: (/** @type {number} */ text) => Number(heap.text(text)),
            number_write: (/** @type {number} */ value, /** @type {number} */ style, /** @type {number} */ precision,
                /** @type {number} */ to, /** @type {number} */ size) => {
                const written = printNumber(value, String.fromCharCode(style), precision);
                return encoder.encodeInto(written, heap.now().bytes.subarray(to, to + size)).written;
            },
        };
    }

    #fileImports() {
        const {heap, files} = this;
        return {
            file_size: (/** @type {number} */ path) => files.find(heap.text(path))?.length ?? -1,
            file_read: (/** @type {number} */ path, /** @type {number} */ to) => {
                heap.now().bytes.set(files.find(heap.text(path)) ?? [], to);
            },
            file_write: (/** @type {number} */ path, /** @type {number} */ data, /** @type {number} */ size) => {
                try {
                    files.set(heap.text(path), heap.copyBytes(data, size));
                    return 0;
                } catch {
                    return -1;
                }
            },
            file_real_path: (/** @type {number} */ path, /** @type {number} */ to, /** @type {number} */ size) => {
                const real = encoder.encode(normalPath(heap.text(path))).subarray(0, size - 1);
                heap.now().bytes.set(real, to);
                heap.bytes[to + real.length] = 0;
                return real.length;
            },
        };
    }

    #callbackImports() {
        const {heap} = this;
        /** @typedef {number} N */
        return {
            call_warn: (/** @type {N} */ context, /** @type {N} */ pointer) =>
                this.#call(context, undefined, (call) => void call(this.readError(pointer))),
            call_now: (/** @type {N} */ context) => this.#call(context, 0, (call) => Number(call())),
            call_iteration: (/** @type {N} */ context, /** @type {N} */ pointer) =>
                this.#call(context, 1, (call) => Number(Boolean(call(pointer)))),
            call_progress: (/** @type {N} */ context, /** @type {N} */ done, /** @type {N} */ count) =>
                this.#call(context, 1, (call) => Number(Boolean(call(done, count)))),
            call_frame: (/** @type {N} */ context, /** @type {N} */ frame) =>
                this.#call(context, 1, (call) => Number(Boolean(call(frame)))),
            call_clipped: (/** @type {N} */ context, /** @type {N} */ time, /** @type {N} */ message) =>
                this.#call(context, undefined, (call) => void call(time, heap.text(message))),
            call_potential: (/** @type {N} */ context, /** @type {N} */ e, /** @type {N} */ gradient) =>
                this.#call(context, NaN, (call) => {
                    const {value, gradient: slope} = call(heap.copyDoubles(e, 9));
                    heap.writeDoubles(gradient, slope);
                    return value;
                }),
        };
    }
}

/** @param {string} word @returns {keyof typeof enums.lb_status} */
function statusKey(word) {
    return /** @type {any} */ (word === 'ok' ? 'LB_OK' : `LB_ERROR_${word.replace(/-/g, '_').toUpperCase()}`);
}
