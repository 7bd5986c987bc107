// The table of files that stands for a file system: readers look into it, writers put into it.

const encoder = new TextEncoder();

/**
 * A path from "/" without "." and ".."; beyond the top there is nothing, so that "../models/human.fig" asked for by a
 * problem at the top is "models/human.fig".
 * @param {string} path @returns {string}
 */
export function normalPath(path) {
    /** @type {string[]} */
    const parts = [];
    for (const part of path.split('/')) {
        if (part === '..') parts.pop();
        else if (part !== '' && part !== '.') parts.push(part);
    }
    return '/' + parts.join('/');
}

/** Names and bytes. */
export class Files {
    /** @type {Map<string, Uint8Array>} */
    #table = new Map();

    /**
     * Asked for files that are not in the table; what it returns is put there. For pages that have files elsewhere.
     * @type {((name: string) => Uint8Array | string | null | undefined) | null}
     */
    onMissing = null;

    /** @type {Map<string, import('./xml.js').XmlTree>} */
    #trees = new Map();

    /**
     * @param {string} name @param {Uint8Array | ArrayBuffer | string} content
     * @param {import('./xml.js').XmlTree | null} [tree] of an XML file, by readXml(), where there is no DOMParser
     */
    set(name, content, tree) {
        const bytes = typeof content === 'string' ? encoder.encode(content)
            : content instanceof Uint8Array ? content : new Uint8Array(content);
        this.#table.set(normalPath(name), bytes);
        this.#trees.delete(normalPath(name));
        if (tree) this.#trees.set(normalPath(name), tree);
    }

    /** The bytes of a file of the table. @param {string} name @returns {Uint8Array | undefined} */
    get(name) {
        return this.#table.get(normalPath(name));
    }

    /**
     * The bytes of a file of the table, or what onMissing brings.
     * @param {string} name @returns {Uint8Array | undefined}
     */
    find(name) {
        const found = this.get(name);
        if (found || !this.onMissing) return found;
        const brought = this.onMissing(normalPath(name).slice(1));
        if (brought === null || brought === undefined) return undefined;
        this.set(name, brought);
        return this.get(name);
    }

    /**
     * The tree that came with a file, for the reader.
     * @param {string} name @returns {import('./xml.js').XmlTree | undefined}
     * @internal
     */
    tree(name) {
        return this.#trees.get(normalPath(name));
    }

    /** Whether a file is in the table. @param {string} name @returns {boolean} */
    has(name) {
        return this.#table.has(normalPath(name));
    }

    /** @param {string} name @returns {boolean} whether it was there */
    delete(name) {
        this.#trees.delete(normalPath(name));
        return this.#table.delete(normalPath(name));
    }

    /** The names of all files. @returns {string[]} */
    names() {
        return [...this.#table.keys()].map((name) => name.slice(1));
    }
}
