// XML for the readers: the browser's DOMParser does the syntax, or xml_text.js, which load() brings where there is none
// (Node, workers); this file what neither tells: lines, caps, messages that say what to mend, no document types. A tree
// that readXml() made elsewhere may be given along with the file (Files.set), which spares a worker reading it.

import {enums} from './c_api.js';

const {LB_ERROR_MEMORY, LB_ERROR_SYNTAX, LB_ERROR_TOO_LARGE, LB_ERROR_UNSUPPORTED} = enums.lb_status;
const MAX_DEPTH = 256;
const MAX_ELEMENTS = 1000000;
const NODE_SIZE = 36; /* lbio_xml of src/io/xml/xml.h; web/c/xml.c checks it */
const SHOWN = 60;

const encoder = new TextEncoder();

/** @type {typeof import('./xml_text.js').parseText | null} what reads XML where there is no DOMParser */
let ownReader = null;

/** Fetches that, which pages do not need. */
export async function bringReader() {
    ownReader = (await import('./xml_text.js')).parseText;
}

/**
 * @typedef {object} XmlElement
 * @property {string} name as written, prefix included
 * @property {number} line
 * @property {[string, string][]} attributes
 * @property {string} text character data directly inside
 * @property {XmlElement[]} children
 *
 * @typedef {object} XmlTree what readXml makes: plain data, which may be sent to a worker
 * @property {XmlElement | null} root
 * @property {{status: number, line: number, message: string} | null} error
 */

/** What is wrong with a file. */
class XmlError extends Error {
    /** @param {string} message @param {number} line @param {number} [status] */
    constructor(message, line, status = LB_ERROR_SYNTAX) {
        super(message);
        this.line = line;
        this.status = status;
    }
}

// --- Text -----------------------------------------------------------------------------------------------------------

/** @param {Uint8Array} bytes @returns {string} */
function decode(bytes) {
    const wrong = () => new XmlError('the encoding is not known or not as declared; save as UTF-8', 1);
    const head = String.fromCharCode(...bytes.subarray(0, 200));
    const isWide = bytes[0] + bytes[1] === 0xff + 0xfe && (bytes[0] === 0xff || bytes[0] === 0xfe);
    const declared =
        /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1].toLowerCase() ?? 'utf-8';
    const known = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : declared;
    if (known === 'iso-8859-1' || known === 'us-ascii') {
        if (known === 'us-ascii' && bytes.some((byte) => byte > 127)) throw wrong();
        let text = '';
        for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
        return text;
    }
    if (!['utf-8', 'utf8', 'utf-16le', 'utf-16be'].includes(known)) throw wrong();
    try {
        return new TextDecoder(known, {fatal: true}).decode(bytes);
    } catch {
        throw wrong();
    }
}

/** Without what strict XML forbids but files in use have around it. @param {string} text */
function trim(text) {
    const kept = /\0\s*$/.test(text) ? text.replace(/[\s\0]+$/, '') : text;
    const blanks = /^\s+(?=<\?xml)/.exec(kept)?.[0] ?? '';
    return {text: kept.slice(blanks.length), skipped: blanks.split('\n').length - 1};
}

/** A piece of a file as it may stand in a message. @param {string} text @returns {string} */
function show(text) {
    const clean = text.replace(/[\u0000-\u001f\u007f]/g, ' ');
    return clean.length > SHOWN ? clean.slice(0, SHOWN) + '...' : clean;
}

// --- Where elements begin -------------------------------------------------------------------------------------------

/** Goes through the tags of a text, to know the line of each element, and what DOMParser would say less well. */
class Scanner {
    /** @type {number[]} lines of the elements, in order */
    lines = [];
    /** @type {Set<string>} prefixes that names have */
    prefixes = new Set();
    /** Where the first element's name ends. */
    rootNameEnd = -1;
    /** @type {string} the first element's tag */
    rootTag = '';
    #line = 1;
    #counted = 0;
    /** @type {{name: string, line: number}[]} */
    #open = [];

    /** @param {string} text @param {number} skipped lines before it */
    constructor(text, skipped) {
        this.text = text;
        this.skipped = skipped;
    }

    /** The line of a place behind all that were asked for before. @param {number} at */
    #lineAt(at) {
        const {text} = this;
        for (; this.#counted < at; this.#counted++) {
            const code = text.charCodeAt(this.#counted);
            if (code === 10 || (code === 13 && text.charCodeAt(this.#counted + 1) !== 10)) this.#line++;
        }
        return this.#line + this.skipped;
    }

    scan() {
        const {text} = this;
        for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
            const next = this.#markup(at);
            if (next < 0) break;
            at = next;
        }
        const open = this.#open[this.#open.length - 1];
        const end = this.#lineAt(text.length);
        if (open) {
            throw new XmlError(
                `the file ends before <${show(open.name)}> of line ${open.line} is closed; is it cut short?`, end);
        }
        if (this.lines.length === 0 && !/[^\s]/.test(text.replace(/<\?[^]*?\?>|<!--[^]*?-->/g, ''))) {
            throw new XmlError('there is no XML element in the file', end);
        }
    }

    /** What begins here; where it ends, or -1 where it does not. @param {number} at @returns {number} */
    #markup(at) {
        const {text} = this;
        const until = (/** @type {string} */ mark, /** @type {number} */ from) => {
            const end = text.indexOf(mark, from);
            return end < 0 ? -1 : end + mark.length;
        };
        if (text.startsWith('<!--', at)) return until('-->', at + 4);
        if (text.startsWith('<![CDATA[', at)) return until(']]>', at + 9);
        if (text.startsWith('<?', at)) return until('?>', at + 2);
        if (text.startsWith('<!DOCTYPE', at)) {
            throw new XmlError('a document type (<!DOCTYPE ...>) is not accepted; remove it', this.#lineAt(at),
                LB_ERROR_UNSUPPORTED);
        }
        const end = this.#tagEnd(at);
        if (end < 0) return -1;
        return text[at + 1] === '/' ? this.#close(at, end) : this.#start(at, end);
    }

    /** Behind the tag that begins here, quotes minded. @param {number} at */
    #tagEnd(at) {
        const {text} = this;
        for (let i = at + 1; i < text.length; i++) {
            const letter = text[i];
            if (letter === '>') return i + 1;
            if (letter === '<') return -1;
            if (letter === '"' || letter === "'") {
                i = text.indexOf(letter, i + 1);
                if (i < 0) return -1;
            }
        }
        return -1;
    }

    /** @param {number} at @param {number} end @returns {number} */
    #start(at, end) {
        const {text} = this;
        const line = this.#lineAt(at);
        const tag = text.slice(at + 1, end - 1);
        const name = /^[^\s/]*/.exec(tag)?.[0] ?? '';
        if (this.#open.length === MAX_DEPTH) {
            throw new XmlError(
                `elements are nested more than ${MAX_DEPTH} deep, which no model needs`, line, LB_ERROR_TOO_LARGE);
        }
        if (this.lines.length === MAX_ELEMENTS) {
            throw new XmlError(`there are more than ${MAX_ELEMENTS} XML elements`, line, LB_ERROR_TOO_LARGE);
        }
        if (this.lines.length === 0) {
            this.rootNameEnd = at + 1 + name.length;
            this.rootTag = tag;
        }
        this.lines.push(line);
        for (const match of tag.replace(/"[^"]*"|'[^']*'/g, '').matchAll(/(?:^|\s)([^\s:=/]+):/g)) {
            this.prefixes.add(match[1]);
        }
        if (!tag.endsWith('/')) this.#open.push({name, line});
        return end;
    }

    /** @param {number} at @param {number} end @returns {number} */
    #close(at, end) {
        const open = this.#open.pop();
        const name = this.text.slice(at + 2, end - 1).trim();
        if (open && open.name !== name) {
            throw new XmlError(
                `mismatched tag: <${show(open.name)}> of line ${open.line} must be closed before another ` +
                    'element is',
                this.#lineAt(at));
        }
        return end;
    }
}

/**
 * Prefixes that are used without being declared ("gazebo:", "xacro:") are no mistake to the readers, but to DOMParser:
 * they are declared in the first element, and that is forgotten again.
 * @param {Scanner} scanner
 */
function declarePrefixes(scanner) {
    const {text, prefixes, rootNameEnd, rootTag} = scanner;
    const added = new Set([...prefixes].filter((prefix) => prefix !== 'xml' && prefix !== 'xmlns'
            && /^[\p{L}_][\p{L}\p{N}._-]*$/u.test(prefix)
            && !new RegExp(`\\sxmlns:${prefix.replace(/[.-]/g, '\\$&')}\\s*=`).test(rootTag)));
    const declarations = [...added].map((prefix) => ` xmlns:${prefix}="limber:${prefix}"`).join('');
    return {text: text.slice(0, rootNameEnd) + declarations + text.slice(rootNameEnd), added};
}

// --- DOMParser ------------------------------------------------------------------------------------------------------

/** What a browser says about wrong XML, as an error of ours. @param {string} said @param {number} skipped */
function syntaxError(said, skipped) {
    const place = /line(?: number)? (\d+)(?: at|,)? column (\d+)/i.exec(said)
        ?? /line:?\s*(\d+).*?col(?:umn)?:?\s*(\d+)/i.exec(said);
    const chromium = /error on line \d+ at column \d+: ([^\n]*?)(?:\n|Below is|$)/.exec(said);
    const firefox = /XML Parsing Error: ([^\n]*)/.exec(said);
    const reason =
        (chromium ?? firefox)?.[1] ?? said.split('\n').map((line) => line.trim()).find(Boolean) ?? 'a syntax error';
    const line = place ? Number(place[1]) + skipped : 0;
    return new XmlError(`not well-formed XML${place ? ` at column ${place[2]}` : ''}: ${reason.trim()}`, line);
}

/**
 * The declaration, which says nothing that is not known by now (and in some files something wrong), as blanks.
 * @param {string} text
 */
function withoutDeclaration(text) {
    return text.replace(/^<\?xml\s[^]*?\?>/, (declaration) => declaration.replace(/[^\n]/g, ' '));
}

/** @param {any} Parser @param {string} text @param {number} skipped @returns {any} the document's element */
function parse(Parser, text, skipped) {
    const bare = withoutDeclaration(text);
    let document;
    try {
        document = new Parser().parseFromString(bare, 'application/xml');
    } catch (error) { /* parsers of Node throw */
        throw syntaxError(/** @type {Error} */ (error).message, skipped);
    }
    const wrong = document.getElementsByTagName('parsererror')[0];
    if (wrong) throw syntaxError(wrong.textContent ?? '', skipped);
    if (!document.documentElement) throw new XmlError('there is no XML element in the file', 1 + skipped);
    return document.documentElement;
}

/** @param {any} from a DOM element @param {number[]} lines @param {Set<string>} added @returns {XmlElement} */
function copyTree(from, lines, added) {
    let number = 0;
    const copy = (/** @type {any} */ node) => {
        /** @type {[string, string][]} */
        const attributes = [];
        for (let i = 0; i < node.attributes.length; i++) {
            const {name, value} = node.attributes[i];
            const isOurs = node === from && name.startsWith('xmlns:') && added.has(name.slice(6));
            if (!isOurs) attributes.push([name, value]);
        }
        /** @type {XmlElement} */
        const element = {name: node.nodeName, line: lines[number++] ?? 0, attributes, text: '', children: []};
        for (let child = node.firstChild; child; child = child.nextSibling) {
            if (child.nodeType === 1) element.children.push(copy(child));
            else if (child.nodeType === 3 || child.nodeType === 4) element.text += child.data;
        }
        element.text = element.text.replace(/^[ \t\r\n]+/, '');
        return element;
    };
    return copy(from);
}

/**
 * Reads XML: with a DOMParser where there is one or one is given, else by a reader of our own. Never throws: what is
 * wrong is in the tree. For Files.set() in a worker.
 * @param {Uint8Array | ArrayBuffer} content @param {any} [Parser] a DOMParser class @returns {XmlTree}
 */
export function readXml(content, Parser = globalThis.DOMParser) {
    try {
        const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
        const {text, skipped} = trim(decode(bytes));
        return {root: readText(text, skipped, Parser), error: null};
    } catch (error) {
        if (error instanceof XmlError) {
            return {root: null, error: {status: error.status, line: error.line, message: error.message}};
        }
        return {root: null, error: {status: LB_ERROR_MEMORY, line: 0, message: 'out of memory'}};
    }
}

/** @param {string} text @param {number} skipped @param {any} Parser @returns {XmlElement} */
function readText(text, skipped, Parser) {
    const scanner = new Scanner(text, skipped);
    scanner.scan();
    if (!Parser) {
        if (!ownReader) {
            throw new XmlError('XML needs a DOMParser, or a load() that was not told to do without, ' +
                'or a tree by readXml()', 0, LB_ERROR_UNSUPPORTED);
        }
        const root = ownReader(withoutDeclaration(text), skipped, (reason, line, column) =>
            new XmlError(`not well-formed XML at column ${column}: ${reason}`, line));
        if (!root) throw new XmlError('there is no XML element in the file', 1 + skipped);
        return root;
    }
    const {text: declared, added} = scanner.rootNameEnd < 0 ? {text, added: new Set()} : declarePrefixes(scanner);
    return copyTree(parse(Parser, declared, skipped), scanner.lines, added);
}

// --- Into memory ----------------------------------------------------------------------------------------------------

/** @param {import('./heap.js').Heap} heap @param {number} document @param {XmlElement} root @returns {number} */
function layOut(heap, document, root) {
    /** @type {XmlElement[]} */
    const elements = [];
    let attributeCount = 0;
    let size = 0;
    const gather = (/** @type {XmlElement} */ element) => {
        elements.push(element);
        attributeCount += element.attributes.length;
        const texts = [element.name, element.text, ...element.attributes.flat()];
        for (const text of texts) size += encoder.encode(text).length + 1;
        element.children.forEach(gather);
    };
    gather(root);
    const attributesAt = elements.length * NODE_SIZE;
    const textsAt = attributesAt + 8 * attributeCount;
    const block = heap.c.lbio_xml_allocate(document, textsAt + size);
    if (!block) throw new RangeError('out of memory');
    const {view, bytes} = heap.now();
    let attribute = block + attributesAt;
    let free = block + textsAt;
    const put = (/** @type {string} */ text) => {
        const at = free;
        free += encoder.encodeInto(text, bytes.subarray(free)).written + 1;
        return at;
    };
    const place = new Map(elements.map((element, i) => [element, block + i * NODE_SIZE]));
    const pointer = (/** @type {XmlElement | undefined} */ element) => (element && place.get(element)) ?? 0;
    for (const element of elements) {
        const at = pointer(element);
        view.setUint32(at, put(element.name), true);
        view.setInt32(at + 4, element.line, true);
        view.setInt32(at + 8, element.attributes.length, true);
        view.setUint32(at + 12, attribute, true);
        for (const [name, value] of element.attributes) {
            view.setUint32(attribute, put(name), true);
            view.setUint32(attribute + 4, put(value), true);
            attribute += 8;
        }
        view.setUint32(at + 16, put(element.text), true);
        view.setUint32(at + 24, pointer(element.children[0]), true);
        view.setUint32(at + 28, pointer(element.children[element.children.length - 1]), true);
        element.children.forEach((child, i) => {
            view.setUint32(pointer(child) + 20, at, true);
            view.setUint32(pointer(child) + 32, pointer(element.children[i + 1]), true);
        });
    }
    return block;
}

/**
 * The import xml_parse of web/c/web.h.
 * @param {import('./heap.js').Heap} heap @param {import('./files.js').Files} files @param {() => any} getParser
 */
export function xmlParser(heap, files, getParser) {
    return (/** @type {number} */ name, /** @type {number} */ text, /** @type {number} */ size,
        /** @type {number} */ skipped, /** @type {number} */ document, /** @type {number} */ error) => {
        let tree = files.tree(heap.text(name));
        try {
            tree ??= readTrimmed(heap.copyBytes(text, size), skipped, getParser());
            if (tree.root) return layOut(heap, document, tree.root);
        } catch {
            tree = {root: null, error: {status: LB_ERROR_MEMORY, line: 0, message: 'out of memory'}};
        }
        const wrong = tree.error ?? {status: LB_ERROR_SYNTAX, line: 0, message: 'not XML'};
        heap.scope((scope) => heap.write('lb_error', error, {status: wrong.status, line: wrong.line}, scope));
        heap.writeText('lb_error', error, 'message', wrong.message);
        return 0;
    };
}

/** @param {Uint8Array} bytes @param {number} skipped @param {any} Parser @returns {XmlTree} */
function readTrimmed(bytes, skipped, Parser) {
    const tree = readXml(bytes, Parser);
    if (skipped) moveLines(tree, skipped);
    return tree;
}

/** @param {XmlTree} tree @param {number} by */
function moveLines(tree, by) {
    const move = (/** @type {XmlElement} */ element) => {
        element.line += by;
        element.children.forEach(move);
    };
    if (tree.root) move(tree.root);
    if (tree.error?.line) tree.error.line += by;
}
