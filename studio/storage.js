// What the page remembers between visits, where the browser lets it: settings, and which hints were seen.

const PREFIX = 'limber.';

/** The value kept under a name, or `otherwise` where there is none, or no storage. */
export function recall(name, otherwise) {
    try {
        const text = globalThis.localStorage?.getItem(PREFIX + name);
        return text === null || text === undefined ? otherwise : JSON.parse(text);
    } catch {
        return otherwise;
    }
}

/** Keeps a value; says whether it could. */
export function remember(name, value) {
    try {
        globalThis.localStorage.setItem(PREFIX + name, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

export function forget(name) {
    try {
        globalThis.localStorage?.removeItem(PREFIX + name);
    } catch {
        // nothing was kept, then
    }
}
