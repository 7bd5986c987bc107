// What comes with the page - models, problems, examples, their lists - in one file that is fetched once nobody waits
// for anything: from then on the page needs no network.

/** @type {Map<string, Uint8Array>|null} bytes by path, once they are there */
let shipped = null;

/** Fetches them all. Where that fails, each is fetched when it is wanted. */
export async function keepShipped() {
    try {
        const response = await fetch(new URL('shipped.json', globalThis.location.href));
        const texts = response.ok ? await response.json() : {};
        const encoder = new TextEncoder();
        shipped = new Map(Object.entries(texts).map(([path, text]) => [path, encoder.encode(text)]));
    } catch {
        shipped = null;
    }
}

/** The bytes of a file that comes with the page; null where there is none of that name. */
export async function fetchShipped(path) {
    const kept = shipped?.get(path);
    if (kept) return kept.slice();
    const response = await fetch(new URL(path, globalThis.location.href));
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}
