// Writes a C program that calls every public function with valid arguments (recipes.mjs, world.h), and then with each
// of them, each field of each struct and each number of each array replaced by bad values in turn, and with two
// arguments bad at once. The functions are those of api.json, which web/make_api.mjs makes from the headers: a new one
// is covered as soon as its arguments are of known kinds, and else this says which are not.
//
// node make_arguments.mjs API.JSON OUT.C

import {readFileSync, writeFileSync} from 'node:fs';
import {
    arrays,
    byName,
    inAndOut,
    fixups,
    byParameter,
    byType,
    claims,
    data,
    lists,
    texts,
    welcome
} from './recipes.mjs';

const [from, to] = process.argv.slice(2);
const api = JSON.parse(readFileSync(from, 'utf8'));
const structs = new Map(api.structs.map((entry) => [entry.name, entry]));
const enums = new Set(api.enums.map((entry) => entry.name));
const missing = [];

const isClaim = (name) => claims.some((pattern) => pattern.test(name));
const isWelcome = (name) => welcome.some((pattern) => pattern.test(name));

/** Bits of the values that are no mistake: of an int the least and the largest, of others the first. */
function welcomeBits(f, {name, path, kind}) {
    const exact = path.split('.')[0] + name;
    if ([path, `${f.name}:${path}`, exact].some(isWelcome)) return '~0u';
    return kind === 'INT' ? (isWelcome(`${path}=least`) ? 1 : 0) + (isWelcome(`${path}=largest`) ? 2 : 0) : 0;
}

const bare = (c) => c.replace(/^const /, '').replace(/ \*$/, '');

/** The kind of a number, text or pointer; undefined: a struct or an array. */
function kindOf(c, name) {
    if (c === 'const char *') return 'TEXT';
    if (c.includes('*') || c === 'lb_potential') return 'POINTER';
    if (c === 'double') return 'DOUBLE';
    if (c === 'int') return isClaim(name) ? 'COUNT' : 'INT';
    if (c === 'size_t') return isClaim(name) ? 'SIZE_COUNT' : 'SIZE';
    if (c === 'uint64_t') return 'LONG';
    return enums.has(c) ? 'ENUM' : undefined;
}

/** All numbers, texts and pointers in a type, as {name, offset, kind}: offsets are C expressions. */
function leavesOf(c, struct, name, offset, label) {
    const array = /^(.*?)\s*\[(\d+)\]$/.exec(c);
    if (array && !array[1].endsWith(')')) {
        if (array[1] === 'char') return [];
        return Array.from({length: Number(array[2])}, (_, i) =>
            leavesOf(array[1], struct, name, `${offset} + ${i} * sizeof(${array[1]})`, `${label}[${i}]`)).flat();
    }
    const kind = kindOf(c, `${struct}.${name}`);
    if (kind) return [{name: label, path: `${struct}.${name}`, offset, kind}];
    const inner = structs.get(c);
    if (!inner) throw new Error(`make_arguments: what is the type '${c}' of ${struct}.${name}?`);
    return inner.fields.flatMap((field) => leavesOf(field.c, struct, `${name ? name + '.' : ''}${field.name}`,
        `${offset} + offsetof(${c}, ${field.name})`, `${label}.${field.name}`));
}

/** How many values of a pose a function looks at: the problem's, the walker's, the arm's or the problem file's. */
function poseLength(f) {
    const has = (pattern) => f.parameters.some((parameter) => pattern.test(parameter.c));
    if (has(/lb_closed /)) return 7;
    if (has(/lb_problem_file/)) return 3;
    if (f.name === 'lb_statics') return 22; // its solver is of the walker alone
    return has(/lb_(problem|solver|motion|player) /) ? 29 : 22;
}

/** One argument: how it is declared, what it is, and the spots where bad values go. */
function planArgument(f, parameter, i) {
    const {name, c} = parameter;
    const full = `${f.name}.${name}`;
    const own = `a${i}`;
    const declare = (type, value) =>
        type.includes('(*)') ? `${type.replace('(*)', `(*${own})`)} = ${value};` : `${type} ${own} = ${value};`;
    const self = (kind) => ({label: name, base: `&${own}`, leaves: [{name: '', path: full, offset: '0', kind}]});
    const kind = kindOf(c, full);
    const given = byParameter[full];
    const isIn = c.startsWith('const ');
    if (kind === 'TEXT' || c === 'const void *') return planText(f, parameter, declare, self);
    if (given) return {code: [declare(c, given)], spots: [self(kind)]};
    if (kind !== 'POINTER') return planNumber(f, parameter, kind, declare, self);
    if (arrays[name] && (c === 'const double *' || (c === 'double *' && inAndOut.test(full)))) {
        const [values, all] = arrays[name];
        const count = all === 'pose' ? poseLength(f) : all;
        const leaves = Array.from({length: count}, (_, k) =>
            ({name: `[${k}]`, path: `${full}[]`, offset: `${k} * sizeof(double)`, kind: 'DOUBLE'}));
        const start = values === '{0}'
            ? [`double v${i}[WORLD_ROOM] = {0};`, `memcpy(v${i}, world_lists.starts, sizeof world_lists.starts);`]
            : [`double v${i}[16] = ${values};`];
        return {code: [...start, declare(c, `v${i}`)], spots: [self('POINTER'), {label: name, base: `v${i}`, leaves}]};
    }
    if (c === 'double *') return {code: [declare(c, `room(${i})`)], spots: [self('POINTER')]};
    if (byType[c]) return {code: [declare(c, byType[c])], spots: [self('POINTER')], object: true};
    if (/^(lb_\w+|char) \*\*$/.test(c)) {
        const type = c.replace(/ \*\*$/, '');
        const destroy = type === 'char' ? 'lb_text_free' : `${type}_destroy`;
        const known = type === 'char' || api.functions.some((entry) => entry.name === destroy);
        if (!known) missing.push(`${f.name}: what destroys the ${type} that comes back in '${name}'`);
        return {
            code: [`${type} *o${i} = NULL;`, declare(c, `&o${i}`)],
            spots: [self('POINTER')],
            after: [`${destroy}(o${i});`]
        };
    }
    return planStruct(f, parameter, i, isIn, declare, self);
}

function planText(f, {name, c}, declare, self) {
    if (c === 'const void *') {
        const found = data.find(([pattern]) => pattern.test(f.name));
        if (!found) missing.push(`${f.name}: data in memory (recipes.mjs: data)`);
        return {
            code: ['size_t data_size;', declare(c, `world_data("${found?.[1]}", &data_size)`)],
            spots: [self('POINTER')]
        };
    }
    const value =
        byParameter[`${f.name}.${name}`] ?? texts.find(([pattern, word]) => word === name && pattern.test(f.name))?.[2];
    if (!value) missing.push(`${f.name}: a text for '${name}' (recipes.mjs: texts)`);
    return {code: [declare(c, value)], spots: [self('TEXT')]};
}

function planNumber(f, {name, c}, kind, declare, self) {
    const isSize = c === 'size_t' && f.parameters.some((p) => p.c === 'const void *');
    const value = isSize ? 'data_size' : name === 'struct_size' ? `sizeof(${bare(f.parameters[0].c)})`
        : kind === 'ENUM' ? `(${c})0` : byName[name];
    if (!kind) missing.push(`${f.name}: the type '${c}' of '${name}'`);
    else if (!value) missing.push(`${f.name}: a number for '${name}' (recipes.mjs: byName)`);
    return {code: [declare(c, value)], spots: [self(kind)]};
}

function planStruct(f, {name, c}, i, isIn, declare, self) {
    const type = bare(c);
    if (!structs.has(type)) {
        missing.push(`${f.name}: the type '${c}' of '${name}' (recipes.mjs: byType)`);
        return {code: [], spots: []};
    }
    const spots = [self('POINTER')];
    const code = [`${type} s${i}[2];`, `memset(s${i}, 0, sizeof s${i});`];
    const isSized = structs.get(type).fields[0].name === 'struct_size';
    if (isSized && !isIn && !f.name.endsWith('_defaults_sized')) code.push(`${type}_defaults(&s${i}[0]);`);
    if (isIn) {
        code.push(`world_fill_${type.slice(3)}(&s${i}[0]);`,
            ...(fixups[`${f.name}.${name}`] ?? []).map((line) => `s${i}[0].${line}`), `s${i}[1] = s${i}[0];`);
        spots.push({label: name, base: `&s${i}[0]`, leaves: leavesOf(type, type, '', '0', '')});
        for (const spot of spots.slice(1)) for (const leaf of spot.leaves) leaf.path = leaf.path.replace('..', '.');
        for (const [base, element, count] of lists[type] ?? []) {
            spots.push({
                label: base.replace('world_lists.', `${name}->`),
                base,
                leaves: Array.from({length: count}, (_, k) => {
                    const offset = `${k} * sizeof(${element})`;
                    if (structs.has(element)) return leavesOf(element, element, '', offset, `[${k}]`);
                    const path = `${type}.${base.replace('world_lists.', '')}[${k}]`;
                    return {name: `[${k}]`, path, offset, kind: element.toUpperCase()};
                }).flat()
            });
        }
    }
    return {code: [...code, declare(c, `s${i}`)], spots};
}

/** How a function says no; undefined: it cannot. */
function refusal(f) {
    if (f.returns === 'lb_status') return 'result < 0';
    if (f.returns.includes('*')) return 'result == NULL';
    if (f.returns !== 'int') return undefined;
    return /(_count|_width|_is_angle|_is_requested|_pose_carry|_human_names|_clip_contacts)$/.test(f.name)
        ? 'result <= 0'
        : 'result < 0';
}

/** Objects that a function hands to the caller. */
function takeBack(f) {
    if (!/(_create|_from|_resample|_free_root|^lb_retarget|^lb_player_clip)$/.test(f.name)) return [];
    const type = f.returns.replace(/ \*$/, '');
    return structs.has(type) || !f.returns.includes('*') ? [] : [`${type}_destroy(result);`];
}

function writeFunction(f, number) {
    const plans = f.parameters.map((parameter, i) => planArgument(f, parameter, i));
    const spots = plans.flatMap((plan, i) => plan.spots.map((spot) => ({...spot, argument: i})));
    const lines = [];
    const refuses = refusal(f);
    spots.forEach((spot, k) => {
        lines.push(`static const leaf leaves_${number}_${k}[] = {`);
        for (const leaf of spot.leaves) {
            lines.push(`    {"${leaf.name}", "${leaf.path}", ${leaf.offset}, ${leaf.kind}, ${welcomeBits(f, leaf)}},`);
        }
        lines.push('};');
    });
    lines.push(`static const spot spots_${number}[] = {`);
    spots.forEach((spot, k) => lines.push(
                      `    {"${spot.label}", leaves_${number}_${k}, ${spot.leaves.length}, ${spot.argument}},`));
    lines.push('    {0}};', '', `static void run_${number}(outcome *out) {`);
    for (const plan of plans) lines.push(...plan.code.map((line) => `    ${line}`));
    lines.push(`    void *const bases[] = {${[...spots.map((spot) => `(void *)${spot.base}`), 'NULL'].join(', ')}};`);
    lines.push(`    put_bad(bases, spots_${number});`);
    const call = `${f.name}(${plans.map((_, i) => `a${i}`).join(', ')})`;
    lines.push(f.returns === 'void' ? `    ${call};`
                                    : `    ${f.returns.endsWith('*') ? f.returns : f.returns + ' '}result = ${call};`);
    lines.push(`    out->can_refuse = ${refuses ? 1 : 0};`, `    out->refused = ${refuses ?? '1'};`);
    if (f.returns === 'double') lines.push('    (void)result;');
    if (/_(destroy|free)$/.test(f.name) && f.returns === 'void') lines.push('    world_destroyed(a0);');
    if (f.returns !== 'void') lines.push('    (void)result;', ...takeBack(f).map((line) => `    ${line}`));
    for (const plan of [...plans].reverse()) lines.push(...(plan.after ?? []).map((line) => `    ${line}`));
    lines.push('}', '');
    return {
        lines,
        spotCount: spots.length,
        changes: plans.some((plan, i) => plan.object && !f.parameters[i].c.startsWith('const '))
    };
}

const written = api.functions.map((f, number) => ({f, ...writeFunction(f, number)}));
if (missing.length) {
    console.error('These functions cannot be called without a recipe for (tests/arguments/recipes.mjs):');
    for (const line of missing) console.error(`    ${line}`);
    process.exit(1);
}
const table = written.map(({f, spotCount, changes}, number) =>
    `    {"${f.name}", run_${number}, spots_${number}, ${spotCount}, ${changes ? 1 : 0}},`);
writeFileSync(to, [
    '/* Made by tests/arguments/make_arguments.mjs. */',
    '#include "driver.h"',
    '',
    ...written.flatMap((entry) => entry.lines),
    'const function functions[] = {',
    ...table,
    '};',
    'const int function_count = sizeof functions / sizeof functions[0];',
    '',
].join('\n'));
