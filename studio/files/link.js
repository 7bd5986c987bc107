// A link that holds a whole problem: the document and the small files that it names, as JSON, compressed (deflate-raw),
// in base64url, behind a mark with the version: #limber1=... Browsers send no server what stands behind the #.
//
// A link may come from anybody. Reading one gives plain data of a bounded size or a LinkError with a sentence; what it
// means is for the engine to read, which refuses what is wrong and keeps the old scene.

/** The mark of the version that is written; later versions would have another number. */
export const MARK = 'limber1=';
export const FILE_MOST = 256 * 1024; // bytes of a file that is put into a link
export const INFLATED_MOST = 4 * 1024 * 1024; // bytes of JSON
export const FRAGMENT_MOST = 1500000; // characters; browsers take about two million in all
export const FRAGMENT_LONG = 8000; // characters: some programs cut longer links

const DEPTH_MOST = 40; // nested lists and objects; problem files have about 8
const FILES_MOST = 64;

/** What is wrong with a link, in a sentence for a person. */
export class LinkError extends Error {
    name = 'LinkError';
}

/* --- Bytes and base64url ---------------------------------------------------------------------------------------- */

/** @param {Uint8Array} bytes */
export function toBase64url(bytes) {
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromBase64url(text) {
    if (!/^[-_A-Za-z0-9]*$/.test(text) || text.length % 4 === 1) {
        throw new LinkError('The link is damaged: it has characters that do not belong there, or was cut off.');
    }
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/**
 * Sends bytes through a compression stream and gathers what comes out, at most so many bytes of it.
 * @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream @param {number} most
 */
async function pump(bytes, stream, most) {
    const writer = stream.writable.getWriter(), reader = stream.readable.getReader(), parts = [];
    const written = writer.write(/** @type {BufferSource} */ (bytes)).then(() => writer.close());
    written.catch(() => {}); // the reader hears of it too
    let size = 0;
    for (;;) {
        const {done, value} = await reader.read();
        if (done) break;
        size += value.length;
        if (size > most) {
            reader.cancel().catch(() => {});
            throw new LinkError(`The link holds more than ${sizeText(most)} once it is unpacked; it is not opened.`);
        }
        parts.push(value);
    }
    await written;
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/**
 * A size for people: "12 kB", "3.4 MB".
 * @param {number} bytes
 */
export function sizeText(bytes) {
    if (bytes < 1000) return `${bytes} bytes`;
    return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/* --- Making ------------------------------------------------------------------------------------------------------ */

/**
 * A file as JSON has it: its text, or {base64} where it is none.
 * @param {Uint8Array} bytes
 */
function packFile(bytes) {
    try {
        return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
    } catch {
        return {base64: toBase64url(bytes)};
    }
}

/** @param {any} content */
const asBytes = (content) =>
    (typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content));

/**
 * @param {{doc: {figures?: unknown[]}, files: Map<string, Uint8Array|ArrayBuffer|string>}} what
 * @returns {Promise<{fragment: string, left: {name: string, size: number, needed: boolean}[], isLong: boolean}>}
 *     what goes behind the page's address, with the #; the files that are too large to be in it; whether it is so long
 *     that some programs cut it
 */
export async function makeLink({doc, files}) {
    /** @type {Record<string, unknown>} */
    const packed = {};
    const left = [];
    const named = (doc.figures ?? []).map((one) => String(isObject(one) ? one.file ?? one : one));
    /** @param {string} name */
    const isNeeded = (name) =>
        named.some((file) => file === name || file.startsWith(`${name}/`)); // "walk.bvh/human.fig"
    for (const [name, content] of files ?? []) {
        const bytes = asBytes(content);
        if (bytes.length > FILE_MOST) left.push({name, size: bytes.length, needed: isNeeded(name)});
        else packed[name] = packFile(bytes);
    }
    const json = new TextEncoder().encode(JSON.stringify({doc, files: packed}));
    if (json.length > INFLATED_MOST) {
        const size = sizeText(json.length);
        throw new LinkError(`The problem is too large for a link: ${size}. Save it as a file instead.`);
    }
    const deflated = await pump(json, new CompressionStream('deflate-raw'), FRAGMENT_MOST);
    const fragment = `#${MARK}${toBase64url(deflated)}`;
    if (fragment.length > FRAGMENT_MOST) {
        throw new LinkError('The problem is too large for a link that browsers take. Save it as a file instead.');
    }
    return {fragment, left, isLong: fragment.length > FRAGMENT_LONG};
}

/**
 * What to tell about files that are not in the link; '' where all are.
 * @param {{ name: string; size: number; needed: boolean; }[]} left
 */
export function leftText(left) {
    const list = left.filter((one) => one.needed).map((one) => `${one.name} (${sizeText(one.size)})`);
    if (!list.length) return '';
    return `${list.join(', ')} ${list.length > 1 ? 'are' : 'is'} too large to be in a link (at most ` +
        `${sizeText(FILE_MOST)}): whoever opens it needs that file as well. Save the problem and send both instead.`;
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

/**
 * Whether an address's fragment claims to be a problem, of whichever version.
 * @param {string} fragment
 */
export const isLink = (fragment) => /^#?limber\d+=/.test(fragment ?? '');

/**
 * Refuses what is nested too deeply, or has a key that objects treat specially.
 * @param {unknown} root
 */
function checkPlain(root) {
    const open = [{value: root, depth: 0}];
    while (open.length) {
        const {value, depth} = /** @type {{value: unknown, depth: number}} */ (open.pop());
        if (depth > DEPTH_MOST) throw new LinkError('The link holds lists within lists; no problem has so many.');
        if (value === null || typeof value !== 'object') continue;
        if (Object.hasOwn(value, '__proto__')) throw new LinkError('The link holds something that is no problem.');
        for (const inner of Object.values(value)) open.push({value: inner, depth: depth + 1});
    }
}

/** @param {unknown} value @returns {value is Record<string, any>} of what JSON has */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** @param {string} name @param {any} content */
function unpackFile(name, content) {
    if (!name || name.length > 255 || /[\u0000-\u001f]/.test(name)) {
        throw new LinkError('The link holds a file without a proper name.');
    }
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content)
        : isObject(content) && typeof content.base64 === 'string' ? fromBase64url(content.base64) : null;
    if (!bytes) throw new LinkError(`The link's file ${name} is neither text nor bytes.`);
    if (bytes.length > FILE_MOST) throw new LinkError(`The link's file ${name} is larger than ${sizeText(FILE_MOST)}.`);
    return bytes;
}

/** @param {Uint8Array} bytes */
function parseContent(bytes) {
    let content;
    try {
        content = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
    } catch {
        throw new LinkError('The link is damaged: what it holds is not JSON.');
    }
    if (!isObject(content) || !isObject(content.doc)) throw new LinkError('The link holds no problem.');
    checkPlain(content);
    const {files = {}} = content;
    if (!isObject(files)) throw new LinkError('The link holds no list of files.');
    const names = Object.keys(files);
    if (names.length > FILES_MOST) throw new LinkError(`The link holds more than ${FILES_MOST} files.`);
    return {doc: content.doc, files: new Map(names.map((name) => [name, unpackFile(name, files[name])]))};
}

/**
 * @param {string} fragment of the page's address, with or without the #
 * @returns {Promise<{doc: object, files: Map<string, Uint8Array>}>}
 * @throws {LinkError}
 */
export async function readLink(fragment) {
    const text = fragment.replace(/^#/, '');
    if (!isLink(text)) throw new LinkError('The address holds no problem.');
    if (!text.startsWith(MARK)) throw new LinkError('The link was made by a newer Limber than this page.');
    if (text.length > FRAGMENT_MOST) throw new LinkError('The link is longer than any that is made here.');
    const deflated = fromBase64url(text.slice(MARK.length));
    let bytes;
    try {
        bytes = await pump(deflated, new DecompressionStream('deflate-raw'), INFLATED_MOST);
    } catch (error) {
        if (error instanceof LinkError) throw error;
        throw new LinkError('The link is damaged: it cannot be unpacked. Was it cut off?');
    }
    return parseContent(bytes);
}

/**
 * The files that opening a link opens: the problem first, then what it names.
 * @param {string} fragment
 * @returns {Promise<{name: string, bytes: Uint8Array}[]>} for store.open
 */
export async function filesOfLink(fragment) {
    const {doc, files} = await readLink(fragment);
    const problem = {name: 'link.json', bytes: new TextEncoder().encode(JSON.stringify(doc))};
    return [problem, ...Array.from(files, ([name, bytes]) => ({name, bytes}))];
}

/**
 * Opens the problem that an address's fragment holds; says so where it cannot be, and leaves the scene.
 * @param {Store} store @param {string} fragment
 * @returns {Promise<boolean>} whether it was opened
 */
export async function openLink(store, fragment) {
    try {
        return (await store.open(await filesOfLink(fragment))) !== false;
    } catch (error) {
        store.message('error', error instanceof LinkError ? error.message : `The link is not opened: ${
            /** @type {Error} */ (error).message}`);
        return false;
    }
}
