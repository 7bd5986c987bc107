// The worker: the Engine behind messages, so that the page never waits for it.
//
//   in   {id, method, args}
//   out  {id, result} | {id, error: {message, file, line, cancelled, fatal}} | {id, progress}
//
// Calls are answered one after the other; what takes long (reach, compare, bake) runs beside them in slices. A `fatal`
// error means that the module's memory cannot be trusted any more: client.js then starts another worker.
import {load} from 'limber';
import {Engine} from './engine/engine.js';
import {fetchShipped, keepShipped, setBase} from './files/shipped.js';

setBase(import.meta.url); /* of another origin it is begun by a blob, which has no place of its own */

const BESIDE = new Set(['reach', 'compare', 'bake', 'cancel']);

/**
 * A model that comes with the page; null where there is none of that name.
 * @param {string} name
 */
const fetchModel = (name) => fetchShipped(`models/${name}.fig`);

const ready = load({wasm: new URL('limber.wasm', import.meta.url), DOMParser: null})
    .then((limber) => new Engine(limber, {fetchModel}));
ready.catch(() => {}); /* each call tells of it */

/**
 * All buffers in an answer: they move instead of being copied.
 * @param {any} value @param {Set<ArrayBufferLike>} [found]
 */
function buffersOf(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (Array.isArray(value)) for (const item of value) buffersOf(item, found);
    else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) buffersOf(item,
        found);
    return found;
}

/**
 * Whether the module is broken: it trapped, or has no memory left.
 * @param {any} error
 */
function isFatal(error) {
    return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError &&
        /memory|allocation|call stack/i.test(error.message)) ||
        error?.statusName === 'memory';
}

/** @param {any} error */
function errorOf(error) {
    return {
        message: error?.message || String(error), file: (error?.file ?? '').replace(/^(\.\/)+/, ''),
            line: error?.line ?? 0,
        cancelled: Boolean(error?.cancelled), fatal: isFatal(error),
    };
}

/** @param {{id: number, method: EngineMethod, args?: EngineArgs}} of */
async function answer({id, method, args}) {
    try {
        const engine = await ready;
        if (!Engine.METHODS.has(method)) throw new Error(`the engine has no "${method}"`);
        /** @type {(args: any, onProgress: (progress: any) => void) => Promise<unknown>} each method has its own */
        const run = engine[method].bind(engine);
        const result = await run(args ?? {}, (progress) => self.postMessage({id, progress}));
        self.postMessage({id, result}, {transfer: /** @type {Transferable[]} */ ([...buffersOf(result)])});
    } catch (error) {
        self.postMessage({id, error: errorOf(error)});
    }
}

/**
 * What the next frame of a drag would begin with is done while the page draws this one.
 * @param {EngineMethod} method
 */
async function think(method) {
    if (method !== 'dragMove' && method !== 'goalMove') return;
    try {
        (await ready).think();
    } catch (error) {
        console.error(error); /* the next frame tells of it */
    }
}

/**
 * Once something is open and nobody waits: see Engine.warmUp.
 * @param {EngineMethod} method
 */
function warmUpOnce(method) {
    if (method !== 'open' || isWarm) return;
    isWarm = true;
    setTimeout(() => ready.then((engine) => engine.warmUp()).catch(() => {}), 300);
    setTimeout(keepShipped, 700); /* the page has it by then: the browser's cache answers */
}

let isWarm = false;
let turn = Promise.resolve();

self.onmessage = ({data}) => {
    if (BESIDE.has(data.method)) answer(data);
    else turn = turn.then(() => answer(data)).then(() => think(data.method)).then(() => warmUpOnce(data.method));
};
