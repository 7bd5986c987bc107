/* ./dev walk: the way of one public call through the code, from what tools/walk_record.c recorded while a program ran.
 *
 *     node tools/walk.mjs PROGRAM RECORD TREE [--from FUNCTION] [--depth N] [--math N] [--counts] [--returns]
 *                         [--dot FILE]
 *
 * The walk is how a reader follows the call: depth first, callees in the order in which they were first called, each
 * function read once, where the walk first comes to it. Functions of src/math are read where another layer calls them;
 * what they call in src/math is left out (--math 2 goes one call deeper, --math 0 leaves all of it out). A function in
 * a header that several files compile is one function.
 *
 * The counts: `switches` are callers and callees of the walk in different files. `Returns` are the steps of the walk,
 * from one function to the next one read, that lead into another file which had been read in and left before:
 *
 *     - also back to the file of the caller, where its next callee stands (--counts says how many these are);
 *     - not from the end of a callee to its caller's body, which was read already, and on into a file that is new;
 *     - a header with inline functions is a file as any other;
 *     - what ran is counted: a function that was not called, or the kernel of another CPU, is not in the walk.
 *
 * --returns lists them, in order. Of release 0.1, examples/hello.c: 257 functions in 37 files, 103 switches, 102
 * returns; with --math 0: 219 functions in 28 files, 69 returns. */
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';

/** @typedef {{name: string, path: string, line: number}} Place a function, by where it is defined */
/** @typedef {{place: Place, depth: number, caller: Place | null, count: number, below: number}} Step */
/**
 * @typedef {{entry: Place, callees: Map<Place | null, Map<Place, number>>}} Calls of one public function: who calls
 *     whom
 */

/** Ends with a sentence. @param {string} sentence @returns {never} */
function fail(sentence) {
    console.error(`walk: ${sentence}`);
    process.exit(1);
}

/** The record: for each function that the program called, in order, what was called below it.
 * @param {string} program @param {string} record @param {string} tree @returns {Calls[]} */
function readCalls(program, record, tree) {
    const lines = readFileSync(record, 'utf8').trim().split('\n');
    if (lines.pop() !== 'end') {
        fail('the record is not whole: the program stopped early, or called too much.');
    }
    const rows = lines.map((line) => line.split(' '));
    const addresses = [...new Set(rows.flatMap((row) => row.slice(0, 3)))].filter((address) => address !== '0x0');
    const told =
        execFileSync('addr2line', ['-f', '-e', program], {input: addresses.join('\n'), encoding: 'utf8'}).split('\n');
    /** @type {Map<string, Place>} */
    const places = new Map(); // by name and line, so that copies of one function are one
    const placeOf = new Map(addresses.map((address, i) => {
        const [file, line] = told[2 * i + 1].split(':');
        const place = {name: told[2 * i], path: relative(resolve(tree), resolve(file)), line: parseInt(line)};
        const key = `${place.name} ${place.path} ${place.line}`;
        places.set(key, places.get(key) ?? place);
        return [address, /** @type {Place} */ (places.get(key))];
    }));
    /** @type {Map<Place, Calls>} */
    const entries = new Map();
    for (const [entryAddress, callerAddress, calleeAddress, count] of rows) {
        const entry = /** @type {Place} */ (placeOf.get(entryAddress));
        const callee = /** @type {Place} */ (placeOf.get(calleeAddress));
        const caller = placeOf.get(callerAddress) ?? null;
        const {callees} = entries.get(entry) ?? {callees: new Map()};
        entries.set(entry, {entry, callees});
        const called = callees.get(caller) ?? new Map();
        called.set(callee, (called.get(callee) ?? 0) + Number(count));
        callees.set(caller, called);
    }
    return [...entries.values()];
}

/** The walk. @param {Calls} calls @param {Place} from @param {number} math_depth @returns {Step[]} */
function walk(calls, from, mathDepth) {
    /** @type {Step[]} */
    const steps = [];
    const seen = new Set();
    const isMath = (/** @type {Place} */ place) => place.path.startsWith('src/math/');
    const visit = (/** @type {Place} */ place, /** @type {Place | null} */ caller, /** @type {number} */ depth,
        /** @type {number} */ math) => {
        seen.add(place);
        const step = {place, caller, depth, below: 0, count: calls.callees.get(caller)?.get(place) ?? 1};
        const first = steps.push(step);
        for (const callee of calls.callees.get(place)?.keys() ?? []) {
            const inside = isMath(callee) ? math + 1 : 0;
            if (!seen.has(callee) && inside <= mathDepth) {
                visit(callee, place, depth + 1, inside);
            }
        }
        step.below = steps.length - first;
    };
    visit(from, null, 0, 0);
    return steps;
}

/** What the walk costs its reader. @param {Step[]} steps */
function count(steps) {
    const files = new Set(), returned = new Map(), returning = [];
    let switches = 0, last = '';
    for (const step of steps) {
        const {place, caller} = step;
        switches += caller && caller.path !== place.path ? 1 : 0;
        if (place.path !== last && files.has(place.path)) {
            returning.push({step, last});
            returned.set(place.path, (returned.get(place.path) ?? 0) + 1);
        }
        files.add(place.path);
        last = place.path;
    }
    return {functions: steps.length, files: files.size, switches, returns: returning.length, returned, returning};
}

/** The comment that ends on the line before this one. @param {string[]} lines @param {number} line from 1 on */
function commentAbove(lines, line) {
    let from = line - 2;
    if (from < 0 || !lines[from]?.trimEnd().endsWith('*/')) {
        return '';
    }
    while (from > 0 && !lines[from].includes('/*')) {
        from--;
    }
    if (!/^\s*\/\*/.test(lines[from])) {
        return ''; // behind code: of that line, not of the function
    }
    const text = lines.slice(from, line - 1).map((each) => each.replace(/^\s*\/?\*+ ?/, '').replace(/\s*\*\/\s*$/, ''));
    return text.join(' ').trim();
}

/** The headers below a folder, each as its lines. @param {string} folder @returns {string[][]} */
function readHeaders(folder) {
    return readdirSync(folder, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? readHeaders(path)
            : entry.name.endsWith('.h') ? [readFileSync(path, 'utf8').split('\n')]
            : [];
    });
}

/** What functions are: the first sentence of the comment above the definition, else above the declaration in a header.
 * @param {string} tree */
function describer(tree) {
    const texts = new Map();
    const headers = [join(tree, 'src'), join(tree, 'include')].flatMap(readHeaders);
    return (/** @type {Place} */ {name, path, line}) => {
        const lines = texts.get(path) ?? readFileSync(join(tree, path), 'utf8').split('\n');
        texts.set(path, lines);
        let comment = commentAbove(lines, line);
        const declares = new RegExp(`^[A-Za-z_].*\\b${name}\\(`);
        for (const header of comment ? [] : headers) {
            const at = header.findIndex((each) => declares.test(each));
            comment = at < 0 ? '' : commentAbove(header, at + 1);
            if (comment) {
                break;
            }
        }
        return (/^.*?\.(?=\s|$)/.exec(comment)?.[0] ?? comment).replace(/\.$/, '');
    };
}

/** The walk as a picture: a box a file, an arrow a first call. @param {Step[]} steps @param {string} title */
function dot(steps, title) {
    const node = (/** @type {Place} */ {name, path, line}) => `"${path}:${line} ${name}"`;
    const files = new Map();
    for (const {place} of steps) {
        files.set(place.path, [...(files.get(place.path) ?? []), `        ${node(place)} [label="${place.name}"];`]);
    }
    const lines = [
        'digraph walk {',
        `    label="${title}"; labelloc=t; rankdir=LR; nodesep=0.08; ranksep=0.6; fontname=Helvetica;`,
        '    node [shape=box, style="filled,rounded", fillcolor=white, fontname=Helvetica, fontsize=10, height=0.2];',
        '    edge [color="#707070"];',
    ];
    for (const [path, nodes] of files) {
        lines.push(`    subgraph "cluster_${path}" {`,
            `        label="${path}"; style=filled; color="#e8eef4"; fontname=Helvetica;`, ...nodes, '    }');
    }
    for (const {place, caller} of steps) {
        if (caller) {
            const color = caller.path === place.path ? '' : ' [color="#c03020"]';
            lines.push(`    ${node(caller)} -> ${node(place)}${color};`);
        }
    }
    return [...lines, '}', ''].join('\n');
}

/** @param {Step[]} steps @param {number} depth @param {string} tree */
function printTree(steps, depth, tree) {
    const describe = describer(tree);
    const width = Math.max(100, Number(process.env.COLUMNS) || 160);
    for (const {place, depth: at, below, count: times} of steps.filter((step) => step.depth <= depth)) {
        const name = '  '.repeat(at) + place.name + (at === depth && below ? ` (and ${below} below)` : '');
        const where = `${place.path.replace(/^src\//, '')}:${place.line}`;
        const line =
            `${name.padEnd(52)} ${where.padEnd(36)} ${times > 1 ? `x${times}` : ''}`.padEnd(96) + ` ${describe(place)}`;
        console.log(line.length > width ? line.slice(0, width - 3).trimEnd() + '...' : line.trimEnd());
    }
}

const [program, record, tree, ...words] = process.argv.slice(2);
const options = {from: '', depth: Infinity, math: 1, counts: false, returns: false, dot: ''};
for (let i = 0; i < words.length; i++) {
    const word = words[i].replace(/^--/, '');
    if (words[i] === '--counts' || words[i] === '--returns') {
        options[word] = true;
    } else if (/^--(from|depth|math|dot)$/.test(words[i]) && i + 1 < words.length) {
        const value = words[++i];
        options[word] = word === 'depth' || word === 'math' ? Number(value) : value;
        if (Number.isNaN(options[word])) {
            fail(`${words[i - 1]} takes a number, not '${value}'.`);
        }
    } else {
        const known = '--from FUNCTION, --depth N, --math N, --counts, --returns or --dot';
        fail(`there is no option '${words[i]}': use ${known}.`);
    }
}
const entries = readCalls(program, record, tree);
/* From the function that was named, else the program's first call that solves, else the one that has most below. */
const places = (/** @type {Calls} */ calls) => [...calls.callees.values()].flatMap((called) => [...called.keys()]);
const named = entries.flatMap((calls) =>
    places(calls).filter(({name}) => name === options.from).map((place) => ({calls, place})))[0];
if (options.from && !named) {
    fail(`the program did not come to '${options.from}'.`);
}
const size = (/** @type {Calls} */ calls) => calls.callees.size;
const largest = entries.reduce((most, calls) => (size(calls) > size(most) ? calls : most), entries[0]);
const solving = entries.find(({entry}) => /^lb_.*solve(_all|_many)?$/.test(entry.name)) ?? largest;
const {calls, place} = named ?? {calls: solving, place: solving.entry};
const steps = walk(calls, place, options.math);
if (options.dot) {
    writeFileSync(options.dot, dot(steps.filter((step) => step.depth <= options.depth), place.name));
}
if (!options.counts && !options.returns) {
    printTree(steps, options.depth, tree);
    console.log('');
}
const counts = count(steps);
const short = (/** @type {string} */ path) => path.replace(/^src\//, '');
for (const {step: {place, caller}, last} of options.returns ? counts.returning : []) {
    const why = caller?.path === place.path ? `, which ${caller.name} goes on in` : '';
    console.log(`${place.name.padEnd(32)} from ${short(last)} back to ${short(place.path)}${why}`);
}
console.log(
    `${place.name}: ${counts.functions} functions in ${counts.files} files, ${counts.switches} switches of file, ` +
    `${counts.returns} returns to a file already left`);
const most =
    [...counts.returned].sort((a, b) => b[1] - a[1]).map(([path, times]) => `${short(path)} ${times}`);
if (options.counts && most.length) {
    const own = counts.returning.filter(({step}) => step.caller?.path === step.place.path).length;
    console.log(`Returns to: ${most.join(', ')}; ${own} of them to the file of the caller`);
}
const others = entries.filter((each) => each !== calls).map(({entry}) => entry.name);
if (options.counts && others.length) {
    console.log(`The program's other calls (--from NAME): ${others.join(', ')}`);
}
