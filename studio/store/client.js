// The client: calls to the Engine in the worker, as promises.
//
//     const client = new Client(() => new Worker('worker.js', {type: 'module'}));
//     const {doc, scene, frame} = await client.call('open', {files});
//     await client.call('reach', {site: 'right_palm'}, {onProgress: ({fraction}) => ...});
//
// dragMove and goalMove are latest-wins: while one is under way only the newest is kept, and those in between are
// answered with its result; so a drag never lags behind the hand. A worker that breaks down (its module trapped, or ran
// out of memory) is replaced by another one, which gets the last document that worked and its files; `onRestart` hears
// of it.

const FAILURES = 3; /* in a row, before it is given up */
/** @type {Set<EngineMethod>} */
const LATEST = new Set(['dragMove', 'goalMove', 'swivel', 'moveGoals']);

/** What the Engine threw. */
export class EngineError extends Error {
    /** @param {{message: string, file?: string, line?: number, cancelled?: boolean}} told */
    constructor({message, file = '', line = 0, cancelled = false}) {
        super(message);
        this.name = 'EngineError';
        /** The file that it is about; '' where there is none. */
        this.file = file;
        /** The line in it; 0 where there is none. */
        this.line = line;
        this.cancelled = cancelled;
    }
}

export class Client {
    /** @param {Worker | (() => Worker)} worker a function can start another one if the first breaks down */
    constructor(worker) {
        this.start = typeof worker === 'function' ? worker : null;
        /**
         * Called with a sentence when a worker was replaced.
         * @type {((message: string, result: EngineAnswers['set'] | null) => void) | null}
         */
        this.onRestart = null;
        this.lastId = 0;
        /** @type {Map<number, Waiter & {onProgress: ((progress: any) => void) | null}>} by id */
        this.waiting = new Map();
        /** @type {Map<EngineMethod, Latest>} by method */
        this.latest = new Map();
        /** @type {Map<string, OpenFile>} what documents may name, by name */
        this.files = new Map();
        /** @type {Doc | null} the last that worked */
        this.doc = null;
        /** @type {EngineError | null} why there is no worker any more */
        this.ended = null;
        this.failures = 0; /* workers that broke down one after the other, without an answer */
        this.worker = typeof worker === 'function' ? worker() : worker;
        this.listen(this.worker);
    }

    /** @param {Worker} worker */
    listen(worker) {
        this.worker = worker;
        worker.onmessage = ({data}) => this.receive(data);
        worker.onerror = (event) => this.breakDown(event.message ?? 'it could not be loaded');
        worker.onmessageerror = () => this.breakDown('a message could not be read');
    }

    /**
     * @template {EngineMethod} K
     * @param {K} method of the Engine
     * @param {EngineArgs} [args] @param {CallOptions} [options]
     * @returns {Promise<EngineAnswers[K]>} rejects with an EngineError
     */
    call(method, args = {}, options = {}) {
        if (LATEST.has(method)) return this.callLatest(method, args);
        this.flush();
        return this.send(method, args, options).then((result) => this.note(method, args, result));
    }

    /** Ends what takes long. */
    cancel() {
        return this.send('cancel', {});
    }

    /** Ends the worker; what was asked of it is not answered any more. */
    end() {
        this.ended = new EngineError({message: 'The solver was ended.'});
        this.worker.onmessage = this.worker.onerror = this.worker.onmessageerror = null;
        this.worker.terminate();
        this.waiting.clear();
        this.latest.clear();
    }

    /**
     * @template {EngineMethod} K
     * @param {K} method @param {EngineArgs} args @param {CallOptions} options
     * @returns {Promise<EngineAnswers[K]>}
     */
    send(method, args, {transfer = [], onProgress = null} = {}) {
        const id = ++this.lastId;
        if (this.ended) return Promise.reject(this.ended);
        return new Promise((resolve, reject) => {
            this.waiting.set(id, {resolve, reject, onProgress});
            this.worker.postMessage({id, method, args}, transfer);
        });
    }

    /**
     * @template {EngineMethod} K
     * @param {K} method @param {EngineArgs} args
     * @returns {Promise<EngineAnswers[K]>}
     */
    callLatest(method, args) {
        /** @type {Latest} */
        const state = this.latest.get(method) ?? {underWay: 0, next: null};
        this.latest.set(method, state);
        if (!state.underWay) return this.sendLatest(method, state, args);
        const waiters = state.next?.waiters ?? [];
        state.next = {args, waiters};
        return new Promise((resolve, reject) => waiters.push({resolve, reject}));
    }

    /**
     * @template {EngineMethod} K
     * @param {K} method @param {Latest} state @param {EngineArgs} args
     */
    sendLatest(method, state, args) {
        state.underWay++;
        const result = this.send(method, args);
        const done = () => {
            state.underWay--;
            if (!state.underWay) this.sendNext(method, state);
        };
        result.then(done, done);
        return result;
    }

    /**
     * The newest that waited; all that waited get its answer.
     * @param {EngineMethod} method @param {Latest} state
     */
    sendNext(method, state) {
        if (!state.next) return;
        const {args, waiters} = state.next;
        state.next = null;
        this.sendLatest(method, state, args).then(
            (value) => waiters.forEach(({resolve}) => resolve(value)),
            (error) => waiters.forEach(({reject}) => reject(error)));
    }

    /** What waits is sent before anything else, so that a drag ends where the hand was. */
    flush() {
        for (const [method, state] of this.latest) this.sendNext(method, state);
    }

    /**
     * Remembers what is needed to begin again.
     * @template {EngineMethod} K
     * @param {K} method @param {EngineArgs} args @param {EngineAnswers[K]} result
     */
    note(method, args, result) {
        for (const file of args.files ?? []) this.files.set(file.name, file);
        if (method === 'set') this.doc = args.doc;
        if (method === 'set' || method === 'dragEnd' || method === 'goalEnd') return result;
        if (result && typeof result === 'object' && 'doc' in result) this.doc = result.doc;
        return result;
    }

    /** @param {{id: number, result?: any, error?: any, progress?: any}} data as worker.js has it */
    receive({id, result, error, progress}) {
        const waiter = this.waiting.get(id);
        if (!waiter) return;
        if (progress !== undefined) {
            waiter.onProgress?.(progress);
            return;
        }
        this.waiting.delete(id);
        if (!error?.fatal) this.failures = 0;
        if (!error) waiter.resolve(result);
        else {
            waiter.reject(new EngineError(error));
            if (error.fatal) this.breakDown(error.message);
        }
    }

    /**
     * Starts again, with the last document that worked.
     * @param {string} reason
     */
    async breakDown(reason) {
        const failed = new EngineError({message: `The solver stopped (${reason}).`});
        this.worker.onmessage = this.worker.onerror = this.worker.onmessageerror = null;
        this.worker.terminate();
        for (const {reject} of this.waiting.values()) reject(failed);
        this.waiting.clear();
        this.latest.clear();
        this.failures++;
        if (!this.start || this.failures > FAILURES) {
            this.ended = new EngineError({message: `The solver stopped (${reason}). Load the page again.`});
            this.onRestart?.(this.ended.message, null);
            return;
        }
        this.listen(this.start());
        await this.restore(reason);
    }

    /** @param {string} reason */
    async restore(reason) {
        const doc = this.doc;
        this.doc = null; /* should it break down again, then without it */
        const files = [...this.files.values()];
        try {
            const result = doc ? await this.send('set', {doc, files}) : null;
            this.doc = doc;
            this.onRestart?.(`The solver stopped (${reason}) and was started again with the last document that worked.`,
                result);
        } catch (error) {
            this.onRestart?.(`The solver stopped (${reason}), and could not be started again: ${
                /** @type {Error} */ (error).message}`, null);
        }
    }
}
