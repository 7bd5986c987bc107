// JSON for the readers: JSON.parse does the tokens, this file what it forgets: lines, keys given twice, the order of
// keys, whole numbers apart from others. The tree is laid into the module's memory as web/c/jansson.h has it.

const TYPE = {object: 0, array: 1, string: 2, integer: 3, real: 4, true: 5, false: 6, null: 7};
const CODE = {memory: 1, syntax: 2, duplicate: 3};
const FLAG_REJECT_DUPLICATES = 1;
const FLAG_DECODE_ANY = 2;
const MAX_DEPTH = 2048;
const NODE_SIZE = 32;
const ROOT_OF_BLOCK = 0x40000000;
const INTEGER_MOST = 2n ** 63n - 1n;

const encoder = new TextEncoder();

/** Wrong JSON: a message, and where in the text. */
class JsonError extends Error {
    /** @param {string} message @param {number} at @param {number} [code] */
    constructor(message, at, code = CODE.syntax) {
        super(message);
        this.at = at;
        this.code = code;
    }
}

/**
 * @typedef {object} Node
 * @property {number} type
 * @property {number} number
 * @property {bigint | number} integer
 * @property {number} count
 * @property {number} text where in the pool
 * @property {Node[] | null} items
 * @property {number[] | null} keys where in the pool
 */

/** Reads one text. */
class Reader {
    /** @type {Node[]} in order: the root is the first */
    nodes = [];
    pool = new Uint8Array(1024);
    poolSize = 0;
    /** @type {Map<string, number>} */
    #keys = new Map();
    #at = 0;
    #depth = 0;
    #links = 0;

    /** @param {string} text @param {number} flags */
    constructor(text, flags) {
        this.text = text;
        this.flags = flags;
    }

    /** Words that the tree needs for items and members. */
    get links() {
        return this.#links;
    }

    readAll() {
        this.#skipBlanks();
        const first = this.text[this.#at];
        if (!(this.flags & FLAG_DECODE_ANY) && first !== '{' && first !== '[') this.#fail("'[' or '{' expected");
        this.#value();
        this.#skipBlanks();
        if (this.#at < this.text.length) this.#fail('end of file expected');
    }

    /** @param {string} message @returns {never} */
    #fail(message) {
        const near =
            /^(?:"(?:[^"\\\n]|\\.){0,40}"?|[\w.+-]{1,40}|[^\s\w])/.exec(this.text.slice(this.#at, this.#at + 60));
        const place = this.#at >= this.text.length ? ' near end of file' : near ? ` near '${near[0]}'` : '';
        throw new JsonError(message + place, this.#at);
    }

    #skipBlanks() {
        const {text} = this;
        for (;;) {
            const code = text.charCodeAt(this.#at);
            if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
            this.#at++;
        }
    }

    /** @param {number} type @returns {Node} */
    #node(type) {
        const node = {type, number: 0, integer: 0, count: 0, text: 0, items: null, keys: null};
        this.nodes.push(node);
        return node;
    }

    /** @returns {Node} */
    #value() {
        this.#skipBlanks();
        switch (this.text[this.#at]) {
        case '{': return this.#nested(TYPE.object);
        case '[': return this.#nested(TYPE.array);
        case '"': {
            const node = this.#node(TYPE.string);
            [node.text, node.count] = this.#put(this.#string());
            return node;
        }
        case 't': return this.#word('true', TYPE.true);
        case 'f': return this.#word('false', TYPE.false);
        case 'n': return this.#word('null', TYPE.null);
        default: return this.#number();
        }
    }

    /** @param {string} word @param {number} type @returns {Node} */
    #word(word, type) {
        if (!this.text.startsWith(word, this.#at)) this.#fail('invalid token');
        this.#at += word.length;
        return this.#node(type);
    }

    /** @returns {Node} */
    #number() {
        const form = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?![\w.])/y;
        form.lastIndex = this.#at;
        const match = form.exec(this.text);
        if (!match) this.#fail(this.#at < this.text.length ? 'invalid token' : 'unexpected end');
        const value = JSON.parse(match[0]);
        const isInteger = match[1] === undefined && match[2] === undefined;
        const node = this.#node(isInteger ? TYPE.integer : TYPE.real);
        node.number = isInteger && value === 0 ? 0 : value;
        if (isInteger) {
            node.integer = Number.isSafeInteger(value) ? node.number : BigInt(match[0]);
            if (node.integer > INTEGER_MOST || node.integer < -INTEGER_MOST - 1n) this.#fail('too big integer');
        } else if (!Number.isFinite(value)) this.#fail('real number overflow');
        this.#at = form.lastIndex;
        return node;
    }

    /** The string that begins here. @returns {string} */
    #string() {
        const {text} = this;
        let end = this.#at;
        for (let slashes = 1; slashes % 2; ) {
            end = text.indexOf('"', end + 1);
            if (end < 0) this.#fail('premature end of a string');
            slashes = 0;
            while (text[end - 1 - slashes] === '\\') slashes++;
        }
        const literal = text.slice(this.#at, end + 1);
        let value;
        try {
            value =
                literal.includes('\\') || /[\u0000-\u001f]/.test(literal) ? JSON.parse(literal) : literal.slice(1, -1);
        } catch {
            this.#fail('a string with a wrong escape, or a control character,');
        }
        if (value.includes('\0')) this.#fail('\\u0000 is not allowed');
        if (/[\ud800-\udfff]/.test(value)
            && /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/.test(value)) {
            this.#fail('invalid Unicode');
        }
        this.#at = end + 1;
        return value;
    }

    /** Into the pool, with a 0 behind it. @param {string} text @returns {[number, number]} where, bytes */
    #put(text) {
        const needed = this.poolSize + 3 * text.length + 1;
        if (needed > this.pool.length) {
            const larger = new Uint8Array(2 * needed);
            larger.set(this.pool.subarray(0, this.poolSize));
            this.pool = larger;
        }
        const {written} = encoder.encodeInto(text, this.pool.subarray(this.poolSize));
        const at = this.poolSize;
        this.pool[at + written] = 0;
        this.poolSize = at + written + 1;
        return [at, written];
    }

    /** @param {string} key @returns {number} */
    #putKey(key) {
        let at = this.#keys.get(key);
        if (at === undefined) {
            at = this.#put(key)[0];
            this.#keys.set(key, at);
        }
        return at;
    }

    /** @param {number} type object or array @returns {Node} */
    #nested(type) {
        if (++this.#depth > MAX_DEPTH) this.#fail('maximum parsing depth reached');
        const node = this.#node(type);
        const close = type === TYPE.object ? '}' : ']';
        node.items = [];
        if (type === TYPE.object) node.keys = [];
        const seen = type === TYPE.object && this.flags & FLAG_REJECT_DUPLICATES ? new Set() : null;
        this.#at++;
        this.#skipBlanks();
        while (this.text[this.#at] !== close || node.items.length > 0) {
            if (type === TYPE.object) this.#key(node, seen);
            node.items.push(this.#value());
            this.#skipBlanks();
            if (this.text[this.#at] === close) break;
            if (this.text[this.#at] !== ',') this.#fail(`'${close}' expected`);
            this.#at++;
            this.#skipBlanks();
        }
        this.#at++;
        this.#depth--;
        node.count = node.items.length;
        this.#links += node.count * (type === TYPE.object ? 2 : 1);
        return node;
    }

    /** @param {Node} node @param {Set<string> | null} seen */
    #key(node, seen) {
        if (this.text[this.#at] !== '"') this.#fail("string or '}' expected");
        const begin = this.#at;
        const key = this.#string();
        if (seen?.has(key)) throw new JsonError(`duplicate object key near '"${key}"'`, begin, CODE.duplicate);
        seen?.add(key);
        node.keys?.push(this.#putKey(key));
        this.#skipBlanks();
        if (this.text[this.#at] !== ':') this.#fail("':' expected");
        this.#at++;
    }
}

/** @param {import('./heap.js').Heap} heap @param {Reader} reader @returns {number} the root, which is the block */
function layOut(heap, reader) {
    const linksAt = reader.nodes.length * NODE_SIZE;
    const poolAt = linksAt + 4 * reader.links;
    const block = heap.alloc(poolAt + reader.poolSize);
    const {view, bytes} = heap.now();
    const place = new Map(reader.nodes.map((node, i) => [node, block + i * NODE_SIZE]));
    let link = block + linksAt;
    reader.nodes.forEach((node, i) => {
        const at = block + i * NODE_SIZE;
        view.setInt32(at, node.type, true);
        view.setInt32(at + 4, i === 0 ? ROOT_OF_BLOCK : -1, true);
        view.setFloat64(at + 8, node.number, true);
        if (node.type === TYPE.integer) view.setBigInt64(at + 16, BigInt(node.integer), true);
        view.setUint32(at + 24, node.count, true);
        view.setUint32(at + 28, node.items ? link : block + poolAt + node.text, true);
        node.items?.forEach((item, k) => {
            if (node.keys) {
                view.setUint32(link, block + poolAt + node.keys[k], true);
                link += 4;
            }
            view.setUint32(link, place.get(item) ?? 0, true);
            link += 4;
        });
    });
    bytes.set(reader.pool.subarray(0, reader.poolSize), block + poolAt);
    return block;
}

/** @param {string} text @param {number} at @returns {number} */
function lineOf(text, at) {
    let line = 1;
    for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
    return line;
}

/** The import json_parse of web/c/web.h. @param {import('./heap.js').Heap} heap */
export function jsonParser(heap) {
    return (/** @type {number} */ pointer, /** @type {number} */ size, /** @type {number} */ flags,
        /** @type {number} */ errorPointer) => {
        const fail = (/** @type {number} */ code, /** @type {number} */ line, /** @type {string} */ message) => {
            const {view, bytes} = heap.now();
            view.setInt32(errorPointer, code, true);
            view.setInt32(errorPointer + 4, line, true);
            const {written} = encoder.encodeInto(message, bytes.subarray(errorPointer + 8, errorPointer + 8 + 159));
            bytes[errorPointer + 8 + written] = 0;
            return 0;
        };
        let text = '';
        try {
            text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(heap.copyBytes(pointer, size));
        } catch {
            return fail(CODE.syntax, 0, 'unable to decode it: not UTF-8');
        }
        const reader = new Reader(text, flags);
        try {
            reader.readAll();
            return layOut(heap, reader);
        } catch (error) {
            if (error instanceof JsonError) return fail(error.code, lineOf(text, error.at), error.message);
            return fail(CODE.memory, 0, 'out of memory');
        }
    };
}
