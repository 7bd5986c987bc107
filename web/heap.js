// The module's memory: numbers, texts and structs in and out of it.

import * as api from './c_api.js';
import {LimberError} from './errors.js';
import {didYouMean} from './nearest.js';

const {enums, enumNames} = api;
/** @type {Record<string, {size: number, fields: Record<string, any>}>} */
const structs = api.structs;

/** Fields that C has as int and that are yes or no. */
const TRUTHS = new Set(['isFree', 'isAngle', 'isUpper', 'isPrismatic', 'met', 'counted', 'outside', 'disabled',
    'frozen', 'tracking', 'keepGoing', 'holdFeet', 'followIncludes', 'anatomicalLimits', 'body']);

/** Arrays of which all numbers are wanted: places, directions, rotations. */
const EXACT = new Set(['point', 'position', 'rotation', 'x', 'y', 'normal', 'axis', 'direction', 'along', 'from',
    'to']);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The memory of one instance, and how values lie in it. */
export class Heap {
    /** @param {WebAssembly.Memory} memory */
    constructor(memory) {
        this.memory = memory;
        /** @type {any} the module's functions, once it is there */
        this.c = null;
        this.bytes = new Uint8Array(memory.buffer);
        this.ints = new Int32Array(memory.buffer);
        this.doubles = new Float64Array(memory.buffer);
        this.view = new DataView(memory.buffer);
    }

    /** Views of the memory as it is now: to be called before looking, since memory that grows is another buffer. */
    now() {
        const {buffer} = this.memory;
        if (this.bytes.buffer !== buffer) {
            this.bytes = new Uint8Array(buffer);
            this.ints = new Int32Array(buffer);
            this.doubles = new Float64Array(buffer);
            this.view = new DataView(buffer);
        }
        return this;
    }

    /** @param {number} size bytes @returns {number} */
    alloc(size) {
        const pointer = this.c.malloc(size);
        if (!pointer) throw new LimberError(`out of memory (${size} bytes more)`, enums.lb_status.LB_ERROR_MEMORY);
        return pointer;
    }

    /** @param {number} pointer a text with a 0 behind it @returns {string} */
    text(pointer) {
        if (!pointer) return '';
        const {bytes} = this.now();
        let end = pointer;
        while (bytes[end]) end++;
        return decoder.decode(bytes.subarray(pointer, end));
    }

    /** A text of so many bytes. @param {number} pointer @param {number} size @returns {string} */
    textOf(pointer, size) {
        return decoder.decode(this.now().bytes.subarray(pointer, pointer + size));
    }

    /** A copy of bytes. @param {number} pointer @param {number} size @returns {Uint8Array} */
    copyBytes(pointer, size) {
        return this.now().bytes.slice(pointer, pointer + size);
    }

    /** A copy of doubles; the library's own arrays need not begin at a multiple of 8. @param {number} pointer
     * @param {number} count @returns {Float64Array} */
    copyDoubles(pointer, count) {
        if (pointer % 8 === 0) return this.now().doubles.slice(pointer / 8, pointer / 8 + count);
        return new Float64Array(this.copyBytes(pointer, 8 * count).buffer);
    }

    /** @param {number} pointer @param {number} count @returns {number[]} */
    listDoubles(pointer, count) {
        return Array.from(this.copyDoubles(pointer, count));
    }

    /** @param {number} pointer @param {number} count @returns {number[]} */
    listInts(pointer, count) {
        return Array.from(this.now().ints.subarray(pointer / 4, pointer / 4 + count));
    }

    /** @param {number} pointer @param {ArrayLike<number>} values */
    writeDoubles(pointer, values) {
        this.now().doubles.set(values, pointer / 8);
    }

    /** @param {number} pointer @param {ArrayLike<number>} values */
    writeInts(pointer, values) {
        this.now().ints.set(values, pointer / 4);
    }

    // --- Structs -----------------------------------------------------------------------------------------------------

    /**
     * A struct as a plain object; enums are words, strings are texts, pointers are numbers.
     * @param {string} name of the C struct @param {number} pointer @returns {any}
     */
    read(name, pointer) {
        /** @type {Record<string, any>} */
        const object = {};
        const {fields} = structs[name];
        for (const key in fields) {
            if (key === 'structSize') continue; /* is between C and the heap */
            object[key] = this.#readField(key, fields[key], pointer + fields[key].offset);
        }
        return object;
    }

    /**
     * Fills a struct by its defaults function, where there is one. @param {string} name @param {number} pointer
     * @returns {number} the pointer
     */
    setDefaults(name, pointer) {
        this.c[`${name}_defaults_sized`]?.(pointer, structs[name].size);
        this.c[`${name}_defaults`]?.(pointer);
        return pointer;
    }

    /** @param {string} key @param {any} field @param {number} at @returns {any} */
    #readField(key, field, at) {
        if (!field.count) return this.#readOne(key, field, at);
        if (field.type === 'f64') return this.listDoubles(at, field.count);
        const size = field.type === 'struct' ? structs[field.struct].size : 4;
        return Array.from({length: field.count}, (_, i) => this.#readOne(key, field, at + i * size));
    }

    /** @param {string} key @param {any} field @param {number} at @returns {any} */
    #readOne(key, field, at) {
        const {view} = this.now();
        switch (field.type) {
        case 'f64': return view.getFloat64(at, true);
        case 'u64': return view.getBigUint64(at, true);
        case 'u32': case 'pointer': return view.getUint32(at, true);
        case 'string': return view.getUint32(at, true) ? this.text(view.getUint32(at, true)) : null;
        case 'text': return this.text(at);
        case 'struct': return this.read(field.struct, at);
        default: break;
        }
        const value = view.getInt32(at, true);
        if (field.enum) return enumWord(field.enum, value);
        return TRUTHS.has(key) ? value !== 0 : value;
    }

    /**
     * Writes those fields that the object has; strings need a scope to live in. What the struct does not have is no
     * word of it: a slip of the keyboard is said, not passed over.
     * @param {string} name @param {number} pointer @param {Record<string, any>} object @param {Scope} scope
     */
    write(name, pointer, object, scope) {
        const {fields} = structs[name];
        for (const key in object) {
            if (object[key] === undefined) continue;
            const field = fields[key];
            if (!field) throw unknownKey(name, key, Object.keys(fields));
            this.#writeField(name, key, field, pointer + field.offset, object[key], scope);
        }
    }

    /**
     * @param {string} name
     * @param {string} key
     * @param {any} field
     * @param {number} at
     * @param {any} value
     * @param {Scope} scope
     */
    #writeField(name, key, field, at, value, scope) {
        if (!field.count) {
            this.#writeOne(`${name}.${key}`, field, at, value, scope);
            return;
        }
        const list = listOf(key, field, value);
        const size = field.type === 'struct' ? structs[field.struct].size : field.type === 'f64' ? 8 : 4;
        for (let i = 0; i < list.length; i++) this.#writeOne(`${name}.${key}`, field, at + i * size, list[i], scope);
    }

    /** @param {string} what @param {any} field @param {number} at @param {any} value @param {Scope} scope */
    #writeOne(what, field, at, value, scope) {
        switch (field.type) {
        case 'f64':
            if (typeof value !== 'number') throw wrong(what, 'a number', value);
            this.now().view.setFloat64(at, value, true);
            break;
        case 'u64': this.now().view.setBigUint64(at, BigInt(value), true); break;
        case 'u32': case 'pointer': this.now().view.setUint32(at, value, true); break;
        case 'string': {
            const text = value === null ? 0 : scope.text(value);
            this.now().view.setUint32(at, text, true);
            break;
        }
        case 'struct':
            if (typeof value !== 'object' || !value) throw wrong(what, 'an object', value);
            this.write(field.struct, at, value, scope);
            break;
        case 'i32':
            if (!field.enum && !['number', 'boolean'].includes(typeof value)) throw wrong(what, 'a number', value);
            this.now().view.setInt32(at, field.enum ? enumValue(field.enum, value) : Number(value), true);
            break;
        default: throw new TypeError(`${what} cannot be written`);
        }
    }

    /**
     * Writes a text into a struct's array of characters, cut at a character where it does not fit.
     * @param {string} name @param {number} pointer @param {string} key @param {string} text
     */
    writeText(name, pointer, key, text) {
        const {offset, size} = structs[name].fields[key];
        const at = pointer + offset;
        const {written} = encoder.encodeInto(text, this.now().bytes.subarray(at, at + size - 1));
        this.bytes[at + written] = 0;
    }

    /**
     * Memory for the time of a call: what the scope hands out is freed at its end.
     * @template T @param {(scope: Scope) => T} work @returns {T}
     */
    scope(work) {
        const scope = new Scope(this);
        try {
            return work(scope);
        } finally {
            scope.end();
        }
    }
}

/** Pieces of memory that go together. */
export class Scope {
    /** @type {number[]} */
    #pieces = [];

    /** @param {Heap} heap */
    constructor(heap) {
        this.heap = heap;
    }

    /** @param {number} size @returns {number} zeroed memory */
    alloc(size) {
        const pointer = this.heap.alloc(size || 1);
        this.#pieces.push(pointer);
        this.heap.now().bytes.fill(0, pointer, pointer + size);
        return pointer;
    }

    /** @param {string} text @returns {number} a copy with a 0 behind it */
    text(text) {
        const bytes = encoder.encode(text);
        const pointer = this.alloc(bytes.length + 1);
        this.heap.now().bytes.set(bytes, pointer);
        return pointer;
    }

    /** @param {Uint8Array} bytes @returns {number} */
    bytes(bytes) {
        const pointer = this.alloc(bytes.length);
        this.heap.now().bytes.set(bytes, pointer);
        return pointer;
    }

    /** @param {ArrayLike<number>} values @returns {number} */
    doubles(values) {
        const pointer = this.alloc(8 * values.length);
        this.heap.writeDoubles(pointer, values);
        return pointer;
    }

    /** @param {ArrayLike<number>} values @returns {number} */
    ints(values) {
        const pointer = this.alloc(4 * values.length);
        this.heap.writeInts(pointer, values);
        return pointer;
    }

    /**
     * A struct, zeroed, after its defaults function where there is one, and with what the object says.
     * @param {string} name @param {Record<string, any>} [object] @returns {number}
     */
    struct(name, object = {}) {
        const pointer = this.alloc(structs[name].size);
        this.heap.setDefaults(name, pointer);
        this.heap.write(name, pointer, object, this);
        return pointer;
    }

    end() {
        for (const pointer of this.#pieces) this.heap.c.free(pointer);
        this.#pieces = [];
    }
}

/** @param {string} what is wrong @returns {LimberError} */
const bad = (what) => new LimberError(what, enums.lb_status.LB_ERROR_ARGUMENT);

/** @param {any} value @returns {string} as somebody would type it, short */
function shown(value) {
    const text = typeof value === 'function' ? 'a function' : JSON.stringify(value) ?? String(value);
    return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

/** @param {string} what as 'lb_goal.point' @param {string} wanted @param {any} value @returns {LimberError} */
function wrong(what, wanted, value) {
    return bad(`${what.slice(what.indexOf('.') + 1)}: ${wanted} was expected, this is ${shown(value)}`);
}

/** @param {string} name of a struct @param {string} key @param {string[]} known @returns {LimberError} */
export function unknownKey(name, key, known) {
    const words = name.replace(/^lb_/, '').replace(/_/g, ' ');
    return bad(`there is no '${key}' in ${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}` +
        `${didYouMean(key, known.filter((word) => word !== 'structSize'))}`);
}

/**
 * What an array of a struct is given: as many numbers as it has, of a point also {x, y, z}; of sizes and texts as many
 * as there are.
 * @param {string} key @param {any} field @param {any} value @returns {ArrayLike<any>}
 */
function listOf(key, field, value) {
    if (field.count === 3 && typeof value === 'object' && value && ['x', 'y', 'z'].every((name) => name in value)) {
        return [value.x, value.y, value.z];
    }
    if (typeof value?.length !== 'number' || typeof value === 'string') {
        throw bad(`${key}: ${field.count} numbers [...] were expected, this is ${shown(value)}`);
    }
    if (value.length > field.count) throw bad(`${key} can have ${field.count} values at most, not ${value.length}`);
    if (value.length < field.count && EXACT.has(key)) {
        throw bad(`${key} has ${field.count} numbers, not ${value.length}`);
    }
    return value;
}

/** @param {string} name of the enum @param {number} value @returns {string} */
export function enumWord(name, value) {
    const names = enumNames[name];
    for (const word in names) {
        if (names[word] === value) return word;
    }
    return String(value);
}

/** @param {string} name of the enum @param {string | number} word or the number itself @returns {number} */
export function enumValue(name, word) {
    if (typeof word === 'number') return word;
    const value = enumNames[name][word];
    if (value === undefined) {
        throw new LimberError(`there is no ${name.slice(3).replace(/_/g, ' ')} '${word}'; there are ` +
            Object.keys(enumNames[name]).join(', '), enums.lb_status.LB_ERROR_NAME);
    }
    return value;
}
