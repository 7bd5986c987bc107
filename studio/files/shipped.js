// What comes with the page - models, problems, examples, their lists - in one file that is fetched once nobody waits
// for anything: from then on the page needs no network.

/** @type {Map<string, Uint8Array>|null} bytes by path, once they are there */
let shipped = null;

/** @type {URL|string} where the page's files are */
let base = globalThis.location?.href;

/**
 * Tells where the page's files are, where that is not beside the document.
 * @param {string | URL} url
 */
export function setBase(url) {
    base = url;
}

/**
 * The address of one of them.
 * @param {string} path
 */
export function addressOf(path) {
    return new URL(path, base);
}

/** Fetches them all. Where that fails, each is fetched when it is wanted. */
export async function keepShipped() {
    try {
        const response = await fetch(addressOf('shipped.json'));
        const texts = response.ok ? await response.json() : {};
        const encoder = new TextEncoder();
        shipped = new Map(Object.entries(texts).map(([path, text]) => [path, encoder.encode(text)]));
    } catch {
        shipped = null;
    }
}

/**
 * The bytes of a file that comes with the page; null where there is none of that name.
 * @param {string} path
 */
export async function fetchShipped(path) {
    const kept = shipped?.get(path);
    if (kept) return kept.slice();
    const response = await fetch(addressOf(path));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}
