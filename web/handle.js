// Objects of the C library as objects here: freed when asked, or some time after they are forgotten, and never before
// those that stand on them.

import {enums} from './c_api.js';
import {LimberError} from './errors.js';

/** A C object with those that must live as long as it does. */
class Core {
    #count = 1;

    /** @param {number} pointer @param {(pointer: number) => void} destroy @param {Core[]} owners */
    constructor(pointer, destroy, owners) {
        this.pointer = pointer;
        this.destroy = destroy;
        this.owners = owners;
        for (const owner of owners) owner.#count++;
    }

    /** Another one that must live as long. @param {Core} owner */
    keep(owner) {
        owner.#count++;
        this.owners.push(owner);
    }

    release() {
        if (--this.#count > 0) return;
        this.destroy(this.pointer);
        for (const owner of this.owners) owner.release();
    }
}

/** @type {FinalizationRegistry<Core>} */
const forgotten = new FinalizationRegistry((core) => core.release());

/** What all classes of the package are that stand for a C object. */
export class Handle {
    /** @type {Core | null} */
    #core;

    /**
     * @param {import('./limber.js').Limber} limber
     * @param {number} pointer
     * @param {(pointer: number) => void} destroy
     * @param {Handle[]} owners handles whose objects must outlive this one's
     */
    constructor(limber, pointer, destroy, owners = []) {
        if (!pointer) throw new LimberError('out of memory', enums.lb_status.LB_ERROR_MEMORY);
        /** The instance of the library that it belongs to. */
        this.limber = limber;
        this.#core = new Core(pointer, destroy, owners.map((owner) => owner.#alive()));
        forgotten.register(this, this.#core, this);
    }

    #alive() {
        if (!this.#core) {
            throw new LimberError(`this ${this.constructor.name} was freed`, enums.lb_status.LB_ERROR_ARGUMENT);
        }
        return this.#core;
    }

    /** The address of the C object, for `limber.c`. */
    get pointer() {
        return this.#alive().pointer;
    }

    /** Throws where it was freed. @protected */
    check() {
        this.#alive();
    }

    /** Makes another handle's object outlive this one's. @param {Handle} owner @protected */
    keepAlive(owner) {
        this.#alive().keep(owner.#alive());
    }

    /** Frees it now (the C object goes when nothing stands on it any more). Twice is once. */
    free() {
        if (!this.#core) return;
        forgotten.unregister(this);
        this.#core.release();
        this.#core = null;
    }
}

if (Symbol.dispose) {
    Object.defineProperty(Handle.prototype, Symbol.dispose, {value: Handle.prototype.free});
}
