/* ./dev metrics: the shape of the C code in figures, beside those of the release before, and what is over a bar.
 *
 *     node tools/metrics.mjs [--check] [--duplicates] [--record] [--before FILE] [TREE]
 *
 * --check ends with 1 where anything is over a bar; --duplicates lists them, too; --record prints the figures alone, as
 * tools/metrics-0.1.txt has them: a release before, taken from its tree, since a shallow clone has no history.
 * A TREE has src/ or include/; it is the repository unless told.
 *
 * Ratchets are counts that may only fall: tools/ratchets.txt has them, where the tree has that file. --check ends with 1 where one
 * has grown. Where one has fallen, write the lower number there.
 *
 * What is counted: functions are definitions in .c and .h files, and macros with statements on several lines are held
 * to the same bars. Lines of a function go from the line of its name to its closing brace. Complexity is 1 and one more
 * for each if, for, while, case, &&, || and ?. Nesting is how deep statements stand inside the bodies of if, else, for,
 * while, do and switch. A duplicate is a run of lines of functions that stands in the code twice, word for word but for
 * comments and spaces, and has at least 8 lines or 60 tokens. */
import {readdirSync, readFileSync, existsSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {measure} from './c_source.mjs';

const bars = {
    complexity: 20,
    parameters: 7,
    fields: 30,
    fileLines: 600, // told, not held: a file is one concept, however long
    folderFiles: 25 // the same of folders
};

/* Structs that are data: a list of values that only stand beside each other, which no code must keep in step. */
const dataStructs = {
    lb_retarget_report: 'what came of a retargeting: measures, each with its frame',
    lbf_draft: 'a figure as it was described: eight lists of parts, each with its count and capacity',
    lb_figure: 'a figure as it is used: made once by lbf_compile, constant after it',
    lbio_mjcf: 'an MJCF file as it was read: its settings, and six lists of elements, each with its count and capacity',
};

/* Functions whose parameters someone else has chosen. */
const givenParameters = {
    answer: 'libmicrohttpd calls it with these',
};

const duplicateLines = 8;
const duplicateTokens = 60;

/** @typedef {import("./c_source.mjs").Func & {path: string}} Function */
/** @typedef {import("./c_source.mjs").Struct & {path: string}} Struct */

/** All .c and .h files below a folder, sorted. @param {string} folder @returns {string[]} */
function cFiles(folder) {
    if (!existsSync(folder)) {
        return [];
    }
    return readdirSync(folder, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? cFiles(path) : /\.[ch]$/.test(entry.name) ? [path] : [];
    });
}

/** @param {string} tree */
function readTree(tree) {
    const files = [], functions = [], macros = [], structs = [], folders = new Map();
    for (const full of ['include', 'src'].flatMap((folder) => cFiles(join(tree, folder)))) {
        const path = relative(tree, full);
        const found = measure(readFileSync(full, 'utf8'));
        files.push({path, lines: found.lines});
        functions.push(...found.functions.map((f) => ({...f, path})));
        macros.push(...found.macros.map((f) => ({...f, path})));
        structs.push(...found.structs.map((s) => ({...s, path})));
        folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
    }
    return {files, functions, macros, structs, folders};
}

/** A function's lines of code as text, without comments and spaces. @param {Function} f */
function codeLines(f) {
    const lines = new Map();
    for (const {text, line} of f.tokens) {
        const entry = lines.get(line) ?? {path: f.path, line, text: '', tokens: 0};
        entry.text += (entry.text ? ' ' : '') + text;
        entry.tokens++;
        lines.set(line, entry);
    }
    return [...lines.values()];
}

/** Runs of lines that stand in the code more than once, each named at its later place. @param {Function[]} functions */
function findDuplicates(functions) {
    /** @type {{path: string, line: number, text: string, tokens: number}[]} */
    const lines = [];
    for (const f of functions) {
        lines.push(...codeLines(f), {path: f.path, line: 0, text: `end of ${f.path}:${f.line}`, tokens: 0});
    }
    const places = new Map(); // of each pair of lines: where it was seen before
    const duplicates = [];
    for (let i = 0; i + 1 < lines.length; i++) {
        const key = `${lines[i].text}\n${lines[i + 1].text}`;
        let best = {from: -1, length: 0, tokens: 0};
        for (const from of places.get(key) ?? []) {
            let length = 0, tokens = 0;
            while (i + length < lines.length && from + length < i
                && lines[from + length].text === lines[i + length].text) {
                tokens += lines[i + length++].tokens;
            }
            if (tokens > best.tokens) {
                best = {from, length, tokens};
            }
        }
        const found = best.length >= duplicateLines || best.tokens >= duplicateTokens;
        if (found) {
            duplicates.push({...best, at: lines[i], first: lines[best.from]});
        }
        for (let end = found ? i + best.length : i + 1; i < end; i++) {
            const pair = `${lines[i].text}\n${lines[i + 1]?.text}`;
            places.set(pair, [...(places.get(pair) ?? []), i]);
        }
        i--;
    }
    return duplicates;
}

/** Groups of folders of src that include each other, in a circle. @param {{path: string, text: string}[]} sources */
function folderCycles(sources) {
    const paths = new Set(sources.map(({path}) => path)), uses = new Map();
    for (const {path, text} of sources) {
        for (const [, name] of text.matchAll(/#include "([^"]+)"/g)) {
            if (paths.has(`src/${name}`) && dirname(`src/${name}`) !== dirname(path)) {
                uses.set(dirname(path), (uses.get(dirname(path)) ?? new Set()).add(dirname(`src/${name}`)));
            }
        }
    }
    /** All that a folder includes, directly or not. @param {string} folder @returns {Set<string>} */
    const reached = (folder) => {
        const found = new Set(), open = [folder];
        while (open.length) {
            for (const next of uses.get(/** @type {string} */ (open.pop())) ?? []) {
                if (!found.has(next)) {
                    found.add(next);
                    open.push(next);
                }
            }
        }
        return found;
    };
    const below = new Map([...uses.keys()].map((folder) => [folder, reached(folder)]));
    const circles = [...below].filter(([folder, found]) => found.has(folder))
        .map(([folder, found]) => [...found].filter((other) => below.get(other)?.has(folder)).sort().join(' '));
    return [...new Set(circles)];
}

/** Counts that may only fall, by name. @param {string} tree */
function ratchetsOf(tree) {
    const sources = ['include', 'src'].flatMap((folder) => cFiles(join(tree, folder)))
        .map((full) => ({path: relative(tree, full), text: readFileSync(full, 'utf8')}));
    const inSource = sources.filter(({path}) => path.startsWith('src/'));
    const count = (/** @type {RegExp} */ what, list = inSource) =>
        list.reduce((sum, {text}) => sum + (text.match(what) ?? []).length, 0);
    const headers = sources.filter(({path}) => path.startsWith('include/'));
    return {
        'circles of folders': folderCycles(inSource).length,
        'files that name a kind of goal': inSource.filter(({text}) => /\bLB_GOAL_[A-Z]/.test(text)).length,
        'writes of is_valid': count(/\bis_valid\s*=[^=]/g),
        'mentions of the last evaluation': count(/last evaluation/g),
        'uses of last.': count(/(->|\.)last\./g),
        'functions that are exported': count(/^LB_\w*API\b/gm, headers),
        'lines over 120 columns': sources.reduce(
            (sum, {text}) => sum + text.split('\n').filter((line) => line.length > 120).length, 0),
    };
}

/** Which counts have grown, and which are lower than recorded. @param {string} tree */
function overRatchets(tree) {
    const path = join(tree, 'tools/ratchets.txt');
    if (!existsSync(path)) {
        return {grown: [], fallen: []};
    }
    const recorded = readRecord(path).figures, grown = [], fallen = [];
    for (const [name, now] of Object.entries(ratchetsOf(tree))) {
        const line = `${name}: ${now}, recorded ${recorded[name]}`;
        if (!(now <= Number(recorded[name]))) {
            grown.push(line);
        } else if (now < Number(recorded[name])) {
            fallen.push(line);
        }
    }
    return {grown, fallen};
}

/** Median, 90th percentile and maximum. @param {number[]} values */
function spread(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (/** @type {number} */ share) =>
        sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return `${at(0.5)} / ${at(0.9)} / ${at(1)}`;
}

/** What is over a bar, as lines that name it. @param {ReturnType<typeof readTree>} tree */
function overBars({functions, macros, structs}) {
    const over = [];
    for (const f of [...functions, ...macros]) {
        if (f.complexity > bars.complexity) {
            over.push(`${f.path}:${f.line}: ${f.name} has complexity ${f.complexity} (at most ${bars.complexity})`);
        }
        if (f.parameters > bars.parameters && !(f.name in givenParameters)) {
            over.push(`${f.path}:${f.line}: ${f.name} has ${f.parameters} parameters (at most ${bars.parameters})`);
        }
    }
    for (const s of structs) {
        if (s.fields > bars.fields && !(s.name in dataStructs)) {
            over.push(`${s.path}:${s.line}: struct ${s.name} has ${s.fields} fields (at most ${bars.fields})`);
        }
    }
    return over;
}

/**
 * The figures by name. @param {ReturnType<typeof readTree>} tree
 * @param {ReturnType<typeof findDuplicates>} duplicates
 */
function figuresOf({files, functions, macros, structs, folders}, duplicates) {
    const of = (/** @type {any[]} */ list, /** @type {string} */ key) => list.map((one) => one[key]);
    const beyond = (/** @type {number[]} */ values, /** @type {number} */ bar) =>
        String(values.filter((v) => v > bar).length);
    return {
        'files': String(files.length),
        'lines': String(files.reduce((sum, {lines}) => sum + lines, 0)),
        'lines a file': spread(of(files, 'lines')),
        [`files over ${bars.fileLines} lines`]: beyond(of(files, 'lines'), bars.fileLines),
        'files a folder': spread([...folders.values()]),
        [`folders over ${bars.folderFiles} files`]: beyond([...folders.values()], bars.folderFiles),
        'functions': String(functions.length),
        'lines a function': spread(of(functions, 'lines')),
        'complexity': spread(of(functions, 'complexity')),
        [`functions over complexity ${bars.complexity}`]: beyond(of(functions, 'complexity'), bars.complexity),
        'nesting': spread(of(functions, 'nesting')),
        'parameters': spread(of(functions, 'parameters')),
        [`functions over ${bars.parameters} parameters`]: beyond(of(functions, 'parameters'), bars.parameters),
        'macros of several lines': String(macros.length),
        'lines a macro': spread(of(macros, 'lines')),
        'structs': String(structs.length),
        'fields a struct': spread(of(structs, 'fields')),
        [`structs over ${bars.fields} fields`]: beyond(of(structs, 'fields'), bars.fields),
        'duplicates': String(duplicates.length),
        'duplicated lines': String(duplicates.reduce((sum, {length}) => sum + length, 0)),
    };
}

/** Figures that --record wrote: a title, then "name: value" a line. @param {string} path */
function readRecord(path) {
    const [title, ...lines] = readFileSync(path, 'utf8').trim().split('\n').filter((line) => !line.startsWith('#'));
    return {title, figures: Object.fromEntries(lines.map((line) => line.split(/:\s+/)))};
}

const here = dirname(fileURLToPath(import.meta.url));
const options = {
    check: false,
    record: false,
    duplicates: false,
    before: join(here, 'metrics-0.1.txt'),
    tree: dirname(here)
};
for (let words = process.argv.slice(2), i = 0; i < words.length; i++) {
    if (words[i] === '--check' || words[i] === '--record' || words[i] === '--duplicates') {
        options[words[i].slice(2)] = true;
    } else if (words[i] === '--before' && i + 1 < words.length) {
        options.before = words[++i];
    } else if (!words[i].startsWith('-') && existsSync(words[i])) {
        options.tree = words[i];
    } else {
        console.error(
            `metrics: '${words[i]}' is neither a folder nor --check, --record, --duplicates or --before FILE.`);
        process.exit(2);
    }
}
const tree = readTree(options.tree);
if (tree.files.length === 0) {
    console.error(`metrics: there are no C files in ${options.tree}/src or ${options.tree}/include.`);
    process.exit(2);
}
const duplicates = findDuplicates(tree.functions);
const figures = figuresOf(tree, duplicates);
if (options.record) {
    for (const [name, value] of Object.entries(figures)) {
        console.log(`${name}: ${value}`);
    }
    process.exit(0);
}
const before = readRecord(options.before);
const row = (/** @type {string[]} */...cells) =>
    console.log(`  ${cells[0].padEnd(32)} ${cells[1].padStart(16)} ${cells[2].padStart(16)}`);
row('median / p90 / maximum', before.title, 'now');
for (const [name, value] of Object.entries(figures)) {
    row(name, before.figures[name] ?? '-', value);
}
if (options.duplicates) {
    console.log('\nDuplicates:');
    for (const {at, first, length, tokens} of duplicates) {
        console.log(`  ${at.path}:${at.line}: ${length} lines (${tokens} tokens) also at ${first.path}:${first.line}`);
    }
}
const over = overBars(tree);
console.log(over.length ? `\nOver a bar (${over.length}):` : '\nNothing is over a bar.');
for (const line of over) {
    console.log(`  ${line}`);
}
const {grown, fallen} = overRatchets(options.tree);
for (const [title, lines] of /** @type {[string, string[]][]} */ ([
    ['These counts may only fall, and have grown', grown],
    ['These counts have fallen: write them into tools/ratchets.txt', fallen]])) {
    if (lines.length) {
        console.log(`\n${title}:\n  ${lines.join('\n  ')}`);
    }
}
process.exit(options.check && over.length + grown.length ? 1 : 0);
