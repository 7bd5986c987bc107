// What the page remembers between visits, where the browser lets it: settings, and which hints were seen.

const PREFIX = 'limber.';

/** @type {Map<string, string>|null} what is kept instead in the storage of somebody else's page: nothing beyond this */
let memory = null;

/** From now on things are remembered until the page is left, and no longer. */
export function keepInMemory() {
    memory ??= new Map();
}

/**
 * The value kept under a name, or `otherwise` where there is none, or no storage.
 * @param {string} name @param {any} otherwise
 */
export function recall(name, otherwise) {
    try {
        const text = memory ? memory.get(name) : globalThis.localStorage?.getItem(PREFIX + name);
        return text === null || text === undefined ? otherwise : JSON.parse(text);
    } catch {
        return otherwise;
    }
}

/**
 * Keeps a value; says whether it could.
 * @param {string} name @param {unknown} value
 */
export function remember(name, value) {
    try {
        if (memory) memory.set(name, JSON.stringify(value));
        else globalThis.localStorage.setItem(PREFIX + name, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

/** @param {string} name */
export function forget(name) {
    memory?.delete(name);
    try {
        if (!memory) globalThis.localStorage?.removeItem(PREFIX + name);
    } catch {
        // nothing was kept, then
    }
}
