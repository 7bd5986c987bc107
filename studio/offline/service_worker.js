// The service worker of a Studio on a web server: it keeps the files of one version of the page, checked against their
// digests, and answers from them, so that the page works without a network after the first visit.
//
// build.mjs puts the version and the list of files in. A version is kept whole or not at all: where a server is half
// way through an upload, or changes what it sends, the digests differ, and the version before stays in use. A new
// version waits until the page says that it may take over, or until no page of the old one is open.

/** @type {string} */
const VERSION = /** @type {any} */ (globalThis).STUDIO_VERSION;
/** @type {[path: string, digest: string][]} */
const FILES = /** @type {any} */ (globalThis).STUDIO_FILES;

/** @type {any} */
const worker = globalThis;
const scope = new URL(worker.registration.scope);
const FAMILY = `limber-studio ${scope.pathname} `; // an origin may have several Studios, in folders of their own
const OWN = FAMILY + VERSION;
const known = new Set(FILES.map(([path]) => new URL(path, scope).href));

/** @param {ArrayBuffer} bytes */
async function digestOf(bytes) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fetches a file past the browser's own cache, where it changed, and keeps it if it is the one that is meant. */
async function keep(/** @type {Cache} */ cache, /** @type {string} */ path, /** @type {string} */ digest) {
    const url = new URL(path, scope);
    const response = await fetch(url, {cache: 'no-cache', credentials: 'same-origin'});
    if (!response.ok) throw new Error(`${path}: the server answers ${response.status}`);
    const bytes = await response.arrayBuffer();
    if (await digestOf(bytes) !== digest) throw new Error(`${path} is not of version ${VERSION}`);
    const headers = new Headers(response.headers); // of bytes that are unpacked already
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    await cache.put(url, new Response(bytes, {headers}));
}

async function install() {
    const cache = await caches.open(OWN);
    try {
        for (const [path, digest] of FILES) await keep(cache, path, digest); // one by one: nobody waits for it
    } catch (error) {
        await caches.delete(OWN);
        throw error;
    }
}

/** Other versions go, once no page can be of one of them. */
async function tidy() {
    const pages = await worker.clients.matchAll({type: 'window', includeUncontrolled: true});
    if (pages.filter((/** @type {{url: string}} */ {url}) => url.startsWith(scope.href)).length > 1) return;
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(FAMILY)
        && name !== OWN).map((name) => caches.delete(name)));
}

/** @type {Promise<Record<string, string>>|null} texts by path: models, problems, examples, which one file has */
let shipped = null;

/** Something of what comes with the page, as a server would send it. */
async function shippedAnswer(/** @type {Cache} */ cache, /** @type {string} */ href) {
    shipped ??= cache.match(new URL('shipped.json', scope)).then((all) => all?.json() ?? {});
    const path = decodeURI(href.slice(scope.href.length)), text = (await shipped)[path];
    return text === undefined ? null : new Response(text, {headers: {'content-type': 'text/plain; charset=utf-8'}});
}

/** From this version, else from the one before (a page that is still open asks for its own parts), else the network. */
async function answer(/** @type {Request} */ request, /** @type {string} */ href) {
    const cache = await caches.open(OWN);
    const own = await cache.match(href) ?? await shippedAnswer(cache, href);
    if (own) return own;
    for (const name of await caches.keys()) {
        const found = name.startsWith(FAMILY) ? await (await caches.open(name)).match(href) : null;
        if (found) return found;
    }
    return fetch(request);
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate',
    (/** @type {any} */ event) => event.waitUntil(tidy().then(() => worker.clients.claim())));

worker.addEventListener('message', (/** @type {any} */ event) => {
    if (event.data === 'take over') event.waitUntil(worker.skipWaiting());
    if (event.data === 'opened') event.waitUntil(tidy());
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
    const {request} = event, url = new URL(request.url);
    url.hash = url.search = '';
    if (url.href === new URL('index.html', scope).href) url.href = scope.href;
    const isOurs = url.href.startsWith(scope.href) && (known.has(url.href)
        || /\.js$|^(models|problems|examples)\//.test(url.href.slice(scope.href.length)));
    if (request.method === 'GET' && isOurs) event.respondWith(answer(request, url.href));
});
