// Writes the generated layer of the Python package, src/api.c, from the description of the public headers that
// web/make_api.mjs makes for JavaScript (api.json): a wrapper for each function, a table for each struct and enum.
//
// node make_api.mjs API.JSON OUT.C

import {readFileSync, writeFileSync} from 'node:fs';

/** Functions that Python does without: objects free themselves, structs are born filled, solving is in solving.c. */
const LEFT_OUT = new Set(['lb_text_free', 'lb_solve', 'lb_solve_many', 'lb_solver_solve', 'lb_solver_solve_all',
    'lb_solver_explain', 'lb_clip_pose', 'lb_clip_const_pose', 'lb_problem_file_start', 'lb_figure_human_names',
    'lb_cancel_clear', 'lb_cancel_request', 'lb_cancel_is_requested', 'lb_builder_error', 'lb_problem_error',
    'lb_motion_error', 'lb_player_error']);

/** Functions that may take long: they run without the interpreter's lock. */
const LONG = new RegExp('^lb_(figure_load|figure_save|clip_|gltf_|figure_render|scene_render|problem_load|' +
    'problem_save|script_load|retarget|player_|result_save)');

const PLAIN = {int: 'int', double: 'double', size_t: 'size', uint64_t: 'u64'};

/** LB_GOAL_HALF_SPACE is "half-space", as problem files and the JavaScript package have it. */
function shortNames(names) {
    const words = names.map((name) => name.split('_'));
    let common = 0;
    while (words.every((list) => list.length > common + 1 && list[common] === words[0][common])) common++;
    return words.map((list) => list.slice(common).join('-').toLowerCase().replace(/^error-/, ''));
}

/** The opaque type or struct that a pointer type is about: 'const lb_figure *' is lb_figure. */
const pointed = (c) => /^(?:const )?(lb_\w+) \*$/.exec(c)?.[1];

function makeTables(api) {
    const lines = [];
    for (const {name, values} of api.enums) {
        const keys = Object.keys(values);
        const shorts = shortNames(keys);
        lines.push(`static const lbpy_word ${name}_words[] = {`);
        keys.forEach((key, i) => lines.push(`    {"${shorts[i]}", ${key}},`));
        lines.push('    {NULL, 0}};', '');
    }
    lines.push('const lbpy_enum lbpy_enums[] = {');
    for (const {name} of api.enums) lines.push(`    {"${name}", ${name}_words},`);
    lines.push('    {NULL, NULL}};', '');
    for (const struct of api.structs) {
        lines.push(`static const lbpy_field ${struct.name}_fields[] = {`);
        for (const field of struct.fields) lines.push('    ' + makeField(api, struct, field));
        lines.push('    {NULL, LBPY_INT, 0, 0, 0, -1}};', '');
    }
    const functions = new Set(api.functions.map((entry) => entry.name));
    for (const {name} of api.structs) {
        if (functions.has(`${name}_defaults_sized`)) {
            lines.push(`static void ${name}_fill(void *at) {`, `    ${name}_defaults_sized(at, sizeof(${name}));`, '}',
                '');
        } else if (functions.has(`${name}_defaults`)) {
            lines.push(`static void ${name}_fill(void *at) {`, `    ${name}_defaults(at);`, '}', '');
        } else if (name === 'lb_frame') {
            lines.push('static void lb_frame_fill(void *at) {', '    lb_frame_identity(at);', '}', '');
        }
    }
    lines.push('const lbpy_struct_kind lbpy_structs[] = {');
    for (const {name} of api.structs) {
        const fills =
            functions.has(`${name}_defaults_sized`) || functions.has(`${name}_defaults`) || name === 'lb_frame';
        lines.push(`    {"${name}", sizeof(${name}), ${name}_fields, ${fills ? `${name}_fill` : 'NULL'}},`);
    }
    lines.push('    {NULL, 0, NULL, NULL}};', '');
    for (const name of api.opaque) {
        lines.push(`static void ${name}_free(void *at) {`, `    ${name}_destroy(at);`, '}', '');
    }
    lines.push('const lbpy_handle_kind lbpy_handles[] = {');
    for (const name of api.opaque) lines.push(`    {"${name}", ${name}_free},`);
    lines.push('    {NULL, NULL}};', '');
    return lines;
}

function makeField(api, struct, field) {
    const array = /^(.*?)\s*((?:\[\d+\])+)$/.exec(field.c);
    const item = array && !array[1].endsWith(')') ? array[1] : field.c;
    const count = array && item !== field.c
        ? array[2].match(/\d+/g).reduce((product, n) => product * Number(n), 1) : 0;
    const [kind, about] = fieldKind(api, item);
    const size = `sizeof(((${struct.name} *)0)->${field.name})`;
    return `{"${field.name}", ${kind}, offsetof(${struct.name}, ${field.name}), ${size}, ${count}, ${about}},`;
}

function fieldKind(api, c) {
    const enumAt = api.enums.findIndex((entry) => entry.name === c);
    const structAt = api.structs.findIndex((entry) => entry.name === c);
    if (enumAt >= 0) return ['LBPY_ENUM', enumAt];
    if (structAt >= 0) return ['LBPY_STRUCT', structAt];
    if (PLAIN[c]) return [`LBPY_${PLAIN[c].toUpperCase()}`, -1];
    if (c === 'char') return ['LBPY_TEXT', -1];
    if (c === 'const char *') return ['LBPY_STRING', -1];
    if (c.includes('(*)(') || c === 'lb_potential') return ['LBPY_CALLBACK', -1];
    const of = pointed(c);
    if (api.opaque.includes(of)) return ['LBPY_HANDLE', api.opaque.indexOf(of)];
    const target = api.structs.findIndex((entry) => entry.name === of);
    return ['LBPY_POINTER', target];
}

// --- Functions ------------------------------------------------------------------------------------------------------

/** What a parameter is in Python: {in: how it is read} or {out: what it adds to the return} or {hidden: its value}. */
function parameterOf(api, entry, index) {
    const {name, c} = entry.parameters[index];
    const isConst = c.startsWith('const ');
    if (c === 'lb_error *') return {hidden: '&c.error'};
    if (c === 'const lb_allocator *') return {hidden: 'NULL'};
    const enumAt = api.enums.findIndex((item) => item.name === c);
    if (enumAt >= 0) return {in: `(${c})lbpy_take_enum(&c, ${enumAt})`};
    if (PLAIN[c]) {
        const before = entry.parameters[index - 1]?.c;
        if (c === 'size_t' && before === 'const void *') return {hidden: 'c.size'};
        return {in: `lbpy_take_${PLAIN[c]}(&c)`};
    }
    if (c === 'const char *') return {in: 'lbpy_take_string(&c)'};
    const double = /^(lb_\w+) \*\*$/.exec(c)?.[1];
    if (double) return {out: 'handle', of: api.opaque.indexOf(double), c: double};
    if (c === 'char **') return {out: 'text', c: 'char *', sized: entry.parameters[index + 1]?.c === 'size_t *'};
    if (c === 'size_t *') return {out: 'size', c: 'size_t'};
    const of = pointed(c);
    if (api.opaque.includes(of)) {
        return {in: `lbpy_take_handle(&c, ${api.opaque.indexOf(of)}, ${isConst ? 0 : 1})`, self: of};
    }
    const struct = api.structs.findIndex((item) => item.name === of);
    if (struct >= 0) return {in: `lbpy_take_struct(&c, ${struct}, ${isConst ? 0 : 1})`};
    if (c.includes('*')) return {in: `lbpy_take_buffer(&c, ${isConst ? 0 : 1})`};
    throw new Error(`make_api: what is the parameter '${c} ${name}' of ${entry.name}? Teach parameterOf about it.`);
}

/** The lines that turn what the function returned into a Python object, in `value`. */
function makeReturn(api, entry, parameters, selfError) {
    const {returns, name} = entry;
    const enumAt = api.enums.findIndex((item) => item.name === returns);
    if (returns === 'lb_status') return [`    PyObject *value = lbpy_give_status(&c, r, ${selfError});`];
    if (returns === 'void') return ['    PyObject *value = lbpy_give_nothing();'];
    if (enumAt >= 0) return [`    PyObject *value = lbpy_give_enum(${enumAt}, (int)r);`];
    if (returns === 'int' && selfError !== 'NULL') {
        return [`    PyObject *value = lbpy_give_index(&c, r, ${selfError});`];
    }
    if (returns === 'int') return ['    PyObject *value = PyLong_FromLong(r);'];
    if (returns === 'size_t') return ['    PyObject *value = PyLong_FromSize_t(r);'];
    if (returns === 'double') return ['    PyObject *value = PyFloat_FromDouble(r);'];
    if (returns === 'const char *') return ['    PyObject *value = lbpy_give_string(r);'];
    const of = pointed(returns);
    if (api.opaque.includes(of)) {
        const isOwned = parameters.some((item) => item.hidden === '&c.error') || name === 'lb_player_clip';
        const kind = api.opaque.indexOf(of);
        return [`    PyObject *value = lbpy_give_handle(&c, ${kind}, (void *)(uintptr_t)r, ${isOwned ? 1 : 0}, `
            + `${selfError});`];
    }
    const struct = api.structs.findIndex((item) => item.name === of);
    if (struct >= 0) return [`    PyObject *value = lbpy_give_struct(&c, ${struct}, r);`];
    throw new Error(`make_api: what is the return type '${returns}' of ${name}? Teach makeReturn about it.`);
}

function makeFunction(api, entry) {
    const parameters = entry.parameters.map((_, i) => parameterOf(api, entry, i));
    const count = parameters.filter((item) => item.in).length;
    const lines = [`static PyObject *w_${entry.name}(PyObject *m, PyObject *const *a, Py_ssize_t n) {`,
        '    (void)m;', '    lbpy_call c;', `    lbpy_begin(&c, "${entry.name}", a, n, ${count});`];
    const names = parameters.map((item, i) => {
        if (item.hidden) return item.hidden;
        if (item.out) {
            const star = item.out === 'text' ? '' : '*';
            lines.push(item.out === 'size' ? `    size_t p${i} = 0;` : `    ${item.c} ${star}p${i} = NULL;`);
            return `&p${i}`;
        }
        const {c} = entry.parameters[i];
        const type = c.includes('(*)') ? c.replace('(*)', `(*p${i})`) : `${c}${c.endsWith('*') ? '' : ' '}p${i}`;
        lines.push(`    ${type} = ${item.in};`);
        return `p${i}`;
    });
    const isLong = LONG.test(entry.name);
    lines.push(`    if (!lbpy_ready(&c, ${isLong ? 1 : 0})) {`, '        return NULL;', '    }');
    const selfType = parameters[0]?.self;
    const teller = selfType && !entry.parameters[0].c.startsWith('const ') && `${selfType}_error`;
    const hasTeller = teller && api.functions.some((item) => item.name === teller) &&
        !parameters.some((item) => item.hidden === '&c.error');
    const call = `${entry.name}(${names.join(', ')})`;
    const result = entry.returns === 'void' ? '' : `${entry.returns}${entry.returns.endsWith('*') ? '' : ' '}r = `;
    lines.push(`    ${result}${call};`);
    lines.push('    lbpy_done(&c);');
    lines.push(...makeReturn(api, entry, parameters, hasTeller ? `${teller}(p0)` : 'NULL'));
    parameters.forEach((item, i) => {
        if (item.out === 'handle') lines.push(`    value = lbpy_add_handle(&c, value, ${item.of}, p${i});`);
        const size = item.sized ? `p${i + 1}` : '0';
        if (item.out === 'text') lines.push(`    value = lbpy_add_text(value, p${i}, ${size}, ${item.sized ? 1 : 0});`);
    });
    lines.push('    return lbpy_end(&c, value);', '}', '');
    return lines;
}

const [description, out] = process.argv.slice(2);
if (!out) {
    console.error('usage: node make_api.mjs API.JSON OUT.C');
    process.exit(2);
}
const api = JSON.parse(readFileSync(description, 'utf8'));
const isWanted = ({name}) => !LEFT_OUT.has(name) && !/_(destroy|defaults|defaults_sized)$/.test(name);
const functions = api.functions.filter(isWanted);
const lines = ['/* Made from include/limber/ by python/make_api.mjs: the C interface for Python. Do not edit. */',
    '#include "lbpy.h"', '', ...makeTables(api),
    ...functions.flatMap((entry) => makeFunction(api, entry)), 'PyMethodDef lbpy_api[] = {'];
for (const {name} of functions) {
    lines.push(`    {"${name}", (PyCFunction)(void (*)(void))w_${name}, METH_FASTCALL, NULL},`);
}
lines.push('    {NULL, NULL, 0, NULL}};', '');
writeFileSync(out, '/* clang-format off */\n' + lines.join('\n'));
