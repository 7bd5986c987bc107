/* ./dev metrics counts a small sample as a person does, and refuses what is over each bar. */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const source = process.env.LIMBER_SOURCE_DIR ?? '.';
const scratch = join(process.env.LIMBER_SCRATCH ?? '.', 'metrics');
const repeat = (/** @type {number} */ count, /** @type {(i: number) => string} */ line) =>
    Array.from({length: count}, (_, i) => line(i)).join('');

/** Runs the tool on a tree of these files. @param {Record<string, string>} files @param {string[]} words */
function metrics(files, ...words) {
    rmSync(scratch, {recursive: true, force: true});
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(scratch, path, '..'), {recursive: true});
        writeFileSync(join(scratch, path), text);
    }
    const run = spawnSync(process.execPath, [join(source, 'tools/metrics.mjs'), ...words, scratch], {encoding: 'utf8'});
    assert.equal(run.stderr, '');
    return run;
}

/** The figures of a tree by name. @param {Record<string, string>} files */
const figures = (files) =>
    Object.fromEntries(metrics(files, '--record').stdout.trim().split('\n').map((line) => line.split(/:\s+/)));

/** That a tree is refused, and by this line. @param {Record<string, string>} files @param {string} line */
function refuses(files, line) {
    const run = metrics(files, '--check');
    assert.ok(run.stdout.includes(line), `${line} is not in\n${run.stdout}`);
    assert.ok(run.stdout.includes('Over a bar (1):'), run.stdout);
    assert.equal(run.status, 1);
    assert.equal(metrics(files).status, 0, 'without --check it only tells');
}

/** That a tree passes. @param {Record<string, string>} files */
function passes(files) {
    const run = metrics(files, '--check');
    assert.ok(run.stdout.includes('Nothing is over a bar.'), run.stdout);
    assert.equal(run.status, 0);
}

const sample = `/* int not_a_function(int a) { if (a) { } } */
#include "sample.h"
#define TWICE(x) ((x) + (x))
#define CLEAR(array, count)           \\
    for (int i = 0; i < count; i++) { \\
        array[i] = 0;                 \\
    }
#if WIDE
#define NAME(name) name##_wide
#else
#define NAME(name) name##_narrow
#endif
typedef struct {
    int a, b, *c;
    double d[3];
    union { int e; float f; };
    struct { int x, y; } inner;
    int (*call)(int, double);
} sample;
enum kind { ONE, TWO };
static const int table[] = {1, 2, 3};

int plain(void) { return 0; } // complexity 1

static void NAME(made)(const double a[3], int (*call)(int, int), int count) {
    for (int i = 0; i < count; i++)
        if (a[i] > 0 && call(i, 'a' ? 1 : 2) || count)
            while (0)
                call((int){3}, TWICE(i));
}

#ifdef WIDE
int either(int a) {
#else
int either(int a, int b) {
#endif
    switch (a) {
    case 1: return 1;
    case 2: { return "if (case && for)"[0]; }
    default: return 0;
    }
}
`;
const found = figures({'src/a/sample.c': sample, 'src/a/notes.txt': 'int f(void) { }'});
assert.equal(found.files, '1');
assert.equal(found.functions, '3');
assert.equal(found['lines a file'], `${sample.split('\n').length - 1} / 42 / 42`);
assert.equal(found['lines a function'], '6 / 10 / 10');
assert.equal(found.complexity, '3 / 7 / 7', 'for, if, &&, ?, ||, while: 7; two cases: 3');
assert.equal(found.nesting, '1 / 3 / 3');
assert.equal(found.parameters, '1 / 3 / 3');
assert.equal(found['macros of several lines'], '1');
assert.equal(found.structs, '2');
assert.equal(found['fields a struct'], '8 / 8 / 8', 'a b c d e f inner call; x y is a struct of its own');
assert.equal(found.duplicates, '0');

/* Each bar: what stands at it passes, what is one over is refused. */
const decisions = (/** @type {number} */ count) =>
    ({'src/a.c': `\nint deep(int a) {\n${repeat(count, (i) => `    if (a > ${i}) { a--; }\n`)}    return a;\n}\n`});
passes(decisions(19));
refuses(decisions(20), 'src/a.c:2: deep has complexity 21 (at most 20)');

const parameters = (/** @type {number} */ count) =>
    ({'src/a.c': `int many(int a${repeat(count - 1, (i) => `, int b${i}`)}) { return a; }\n`});
passes(parameters(7));
refuses(parameters(8), 'src/a.c:1: many has 8 parameters (at most 7)');

const fields = (/** @type {number} */ count) =>
    ({'include/limber/a.h': `struct wide {\n${repeat(count, (i) => `    int f${i};\n`)}};\n`});
passes(fields(30));
refuses(fields(31), 'include/limber/a.h:1: struct wide has 31 fields (at most 30)');

passes({'src/a.c': '\n'.repeat(600)});
passes({'src/a.c': '\n'.repeat(601)});
assert.equal(figures({'src/a.c': '\n'.repeat(601)})['files over 600 lines'], '1');

const folder = (/** @type {number} */ count) =>
    Object.fromEntries(Array.from({length: count}, (_, i) => [`src/a/f${i}.c`, '\n']));
passes(folder(25));
passes(folder(26));
assert.equal(figures(folder(26))['folders over 25 files'], '1');

const macro = (/** @type {number} */ count) =>
    ({'src/a.h': `#define M(a) \\\n${repeat(count, () => '    if (a) { a--; } \\\n')}    a = 0\n`});
passes(macro(19));
refuses(macro(20), 'src/a.h:1: M has complexity 21 (at most 20)');

/* Eight lines that stand twice are a duplicate, whatever their comments; seven short ones are none. */
const twice = (/** @type {number} */ count) => {
    const body = repeat(count, (i) => `    a += ${i};\n`);
    return {
        'src/a.c': `void f(int a) {\n    a = 1;\n${body}    a = 2;\n}\n`,
        'src/b.c': `void g(int a) {\n    a = 3;\n${body.replace(';', '; /* again */')}    a = 4;\n}\n`
    };
};
assert.equal(figures(twice(7)).duplicates, '0');
assert.equal(figures(twice(8)).duplicates, '1');
assert.equal(figures(twice(8))['duplicated lines'], '8');
assert.ok(metrics(twice(8), '--duplicates').stdout.includes('src/b.c:3: 8 lines (32 tokens) also at src/a.c:3'));

/* Counts that may only fall: red where one grows, told where one has fallen. */
const ratchets = (/** @type {number} */ circles, /** @type {number} */ kinds) => ({
    'src/a/a.h': '#include "b/b.h"\n',
    'src/b/b.h': '#include "c/c.h"\n',
    'src/c/c.h': '#include "a/a.h"\nint f = LB_GOAL_POINT; /* a line that names a kind */\n',
    'tools/ratchets.txt': `ratchets\ncircles of folders: ${circles}\nfiles that name a kind of goal: ${kinds}\n`
        + 'writes of is_valid: 0\nmentions of the last evaluation: 0\nuses of last.: 0\n'
        + 'functions that are exported: 0\nlines over 120 columns: 0\n'
});
passes(ratchets(1, 1));
const grown = metrics(ratchets(0, 1), '--check');
assert.equal(grown.status, 1);
assert.ok(grown.stdout.includes('have grown:\n  circles of folders: 1, recorded 0'), grown.stdout);
const fallen = metrics(ratchets(1, 2), '--check');
assert.equal(fallen.status, 0);
assert.ok(fallen.stdout.includes('files that name a kind of goal: 1, recorded 2'), fallen.stdout);
const whole = spawnSync(process.execPath, [join(source, 'tools/metrics.mjs')], {encoding: 'utf8'});
assert.ok(!whole.stdout.includes('have grown'), `the repository: ${whole.stdout}`);
console.log('metrics counts as it says.');
