// XML where there is no DOMParser: in Node and in workers. It comes after the Scanner of xml.js, which has made sure
// that tags end, nest and are not too many, and that there is no document type; what is left are attributes, entities,
// text and their mistakes.

/** @typedef {import('./xml.js').XmlElement} XmlElement */
/** @typedef {(reason: string, line: number, column: number) => Error} MakeError */

const ENTITIES = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"]]);
const NAME = /[\p{L}_:][\p{L}\p{M}\p{N}_:.\u00b7-]*/uy;
const BLANK = /[ \t\n]*/y;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** @param {number} code @returns {boolean} whether XML may have this character */
function isCharacter(code) {
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && !FORBIDDEN.test(String.fromCodePoint(code));
}

/** Reads a text from its beginning to its end. */
class Reader {
    /** Where it is; how far lines were counted; the line there, and where that begins. */
    at = 0;
    #counted = 0;
    #line = 1;
    #lineStart = 0;

    /** @param {string} text with line feeds alone @param {number} skipped lines before it @param {MakeError} error */
    constructor(text, skipped, error) {
        this.text = text;
        this.skipped = skipped;
        this.error = error;
    }

    /** The line of a place behind all that were asked for before. @param {number} at */
    lineAt(at) {
        for (; this.#counted < at; this.#counted++) {
            if (this.text.charCodeAt(this.#counted) === 10) {
                this.#line++;
                this.#lineStart = this.#counted + 1;
            }
        }
        return this.#line + this.skipped;
    }

    /** @param {string} reason @param {number} [at] @returns {never} */
    fail(reason, at = this.at) {
        const line = this.lineAt(at);
        throw this.error(reason, line, Math.max(at - this.#lineStart, 0) + 1);
    }

    /** What a pattern, which is sticky, matches here; reads over it. @param {RegExp} pattern @returns {string} */
    take(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text)?.[0] ?? '';
        this.at += found.length;
        return found;
    }

    /** @param {string} mark @returns {boolean} whether it stood here; reads over it */
    skip(mark) {
        const is = this.text.startsWith(mark, this.at);
        if (is) this.at += mark.length;
        return is;
    }

    /** What stands before a mark; reads over both. @param {string} mark @param {string} what */
    until(mark, what) {
        const end = this.text.indexOf(mark, this.at);
        if (end < 0) this.fail(`${what} does not end`);
        const found = this.text.slice(this.at, end);
        this.at = end + mark.length;
        return found;
    }

    /** Text with its entities; `from` is where it begins. @param {string} text @param {number} from */
    decode(text, from) {
        const odd = FORBIDDEN.exec(text);
        if (odd) this.fail('a control character, which XML does not have', from + odd.index);
        if (!text.includes('&')) return text;
        return text.replace(/&([^;&\s]*;?)/g, (all, found, index) => {
            const name = found.endsWith(';') ? found.slice(0, -1) : '';
            const number = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
            const code = number ? (number[1] ? parseInt(number[1], 16) : parseInt(number[2], 10)) : -1;
            if (number && isCharacter(code)) return String.fromCodePoint(code);
            const entity = ENTITIES.get(name);
            const reason = name ? `&${name}; is no entity of XML` : 'a & that begins no entity; write &amp;';
            if (entity === undefined) this.fail(reason, from + index);
            return entity;
        });
    }

    /** @returns {[string, string]} */
    attribute() {
        const name = this.take(NAME);
        if (!name) this.fail('an attribute without a name');
        this.take(BLANK);
        if (!this.skip('=')) this.fail(`the attribute ${name} has no value`);
        this.take(BLANK);
        const quote = this.text[this.at];
        if (quote !== '"' && quote !== "'") this.fail(`the value of the attribute ${name} needs quotes`);
        const from = ++this.at;
        const value = this.until(quote, `the value of the attribute ${name}`);
        if (value.includes('<')) this.fail(`a < in the attribute ${name}; write &lt;`, from + value.indexOf('<'));
        return [name, this.decode(value.replace(/[\t\n]/g, ' '), from)];
    }

    /** The element whose < was read over. @returns {{element: XmlElement, isClosed: boolean}} */
    start() {
        const line = this.lineAt(this.at - 1);
        const name = this.take(NAME);
        if (!name) this.fail('a tag without a name');
        /** @type {XmlElement} */
        const element = {name, line, attributes: [], text: '', children: []};
        for (;;) {
            const blank = this.take(BLANK);
            if (this.skip('/>')) return {element, isClosed: true};
            if (this.skip('>')) return {element, isClosed: false};
            if (!blank) this.fail(`a blank is missing in the tag <${name}>`);
            const attribute = this.attribute();
            if (element.attributes.some(([other]) => other === attribute[0])) {
                this.fail(`the attribute ${attribute[0]} is there twice`);
            }
            element.attributes.push(attribute);
        }
    }
}

/** The text up to the next tag. @param {Reader} reader @param {XmlElement | undefined} inside */
function readText(reader, inside) {
    const from = reader.at;
    const next = reader.text.indexOf('<', from);
    const text = reader.text.slice(from, next < 0 ? undefined : next);
    reader.at += text.length;
    if (inside) {
        if (text.includes(']]>')) reader.fail(']]> outside of CDATA', from + text.indexOf(']]>'));
        inside.text += reader.decode(text, from);
    } else if (/[^ \t\n]/.test(text)) {
        reader.fail('text outside of the first element', from + text.search(/[^ \t\n]/));
    }
}

/**
 * Comments, instructions and CDATA.
 * @param {Reader} reader @param {XmlElement | undefined} inside @returns {boolean}
 */
function readAside(reader, inside) {
    const from = reader.at;
    if (reader.skip('<!--')) {
        const comment = reader.until('--', 'a comment');
        if (!reader.skip('>')) reader.fail('-- inside of a comment', from + 4 + comment.length);
        return true;
    }
    if (reader.skip('<?')) {
        const instruction = reader.until('?>', 'an instruction');
        if (/^xml\s/i.test(instruction)) reader.fail('<?xml stands at the beginning alone', from);
        return true;
    }
    if (inside && reader.skip('<![CDATA[')) {
        const text = reader.until(']]>', 'a CDATA section');
        if (FORBIDDEN.test(text)) reader.fail('a control character, which XML does not have', from);
        inside.text += text;
        return true;
    }
    return false;
}

/** @param {XmlElement} element @returns {XmlElement} */
function closed(element) {
    element.text = element.text.replace(/^[ \t\r\n]+/, '');
    return element;
}

/**
 * The tree of a text.
 * @param {string} text without its declaration @param {number} skipped lines before it @param {MakeError} error
 * @returns {XmlElement | null} null: there is no element
 */
export function parseText(text, skipped, error) {
    const reader = new Reader(text.replace(/\r\n?/g, '\n'), skipped, error);
    /** @type {XmlElement[]} */
    const open = [];
    /** @type {XmlElement | null} */
    let root = null;
    while (reader.at < reader.text.length) {
        const inside = open[open.length - 1];
        if (reader.text[reader.at] !== '<') {
            readText(reader, inside);
        } else if (!readAside(reader, inside)) {
            reader.at++;
            if (reader.skip('/')) {
                reader.until('>', 'a tag'); // that it is the right one the Scanner has seen
                if (open.length === 0) reader.fail('a tag is closed that is not open');
                closed(/** @type {XmlElement} */ (open.pop()));
                continue;
            }
            const {element, isClosed} = reader.start();
            if (!inside && root) reader.fail('a second element behind the first, which holds all others');
            root ??= element;
            inside?.children.push(element);
            if (isClosed) closed(element);
            else open.push(element);
        }
    }
    return root;
}
