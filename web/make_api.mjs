// Reads include/limber/*.h through clang and writes what the package's generated layer is made of:
//
//     api.json      functions, enums, structs with offsets (wasm32) and what the headers say about each
//     c_api.js      the same as tables that run: enums, structs, names of functions
//     c_api.d.ts    the functions of `limber.c`, with types, for TypeScript
//     exports.rsp   what the linker has to export
//
// node make_api.mjs INCLUDE-FOLDER OUT-FOLDER [CLANG]

import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync} from 'node:fs';
import {join} from 'node:path';

/** Functions of the headers that need a library of the system that draws: no part of the module. */
const LEFT_OUT = new Set(['lb_figure_render', 'lb_scene_render']);

/** What the package's own layer needs besides the public functions. */
const OWN_EXPORTS = ['malloc', 'realloc', 'free', 'lbw_callback_pointer', 'lbio_xml_allocate'];

const SCALARS = {
    double: {type: 'f64', size: 8},
    int: {type: 'i32', size: 4},
    size_t: {type: 'u32', size: 4},
    uint64_t: {type: 'u64', size: 8},
};

// --- What clang says ------------------------------------------------------------------------------------------------

function runClang(clang, include, extra, source) {
    const args = ['--target=wasm32-wasi', '-I', include, '-x', 'c', '-std=c11', ...extra, '-'];
    return execFileSync(clang, args, {input: source, maxBuffer: 1 << 28, encoding: 'utf8'});
}

/** All text of a comment in the syntax tree, banners of sections left out. */
function commentText(node) {
    const comment = node.inner?.find((part) => part.kind === 'FullComment');
    const paragraphs = [];
    for (const paragraph of comment?.inner ?? []) {
        const lines = (paragraph.inner ?? []).map((part) => (part.text ?? '').trim().replace(/^\* ?/, ''));
        if (!lines.some((line) => line.startsWith('---'))) paragraphs.push(lines.join(' ').trim());
    }
    return paragraphs.filter(Boolean).join('\n').replace(/[ \t]+/g, ' ');
}

function enumValues(node) {
    let next = 0;
    const values = {};
    for (const constant of node.inner.filter((part) => part.kind === 'EnumConstantDecl')) {
        const given = findValue(constant);
        const value = given === undefined ? next : Number(given);
        values[constant.name] = {value, doc: commentText(constant)};
        next = value + 1;
    }
    return values;
}

/** The value of the first constant expression below a node. */
function findValue(node) {
    for (const part of node.inner ?? []) {
        if (part.kind === 'FullComment') continue;
        const value = part.kind === 'ConstantExpr' ? part.value : findValue(part);
        if (value !== undefined) return value;
    }
    return undefined;
}

/** A source that has all public headers. */
function allHeaders(include) {
    const names = readdirSync(join(include, 'limber')).filter((name) => name.endsWith('.h')).sort();
    return names.map((name) => `#include <limber/${name}>\n`).join('');
}

function readHeaders(clang, include) {
    const source = allHeaders(include);
    const tree = JSON.parse(
        runClang(clang, include, ['-fsyntax-only', '-fparse-all-comments', '-Xclang', '-ast-dump=json'], source));
    const found = {functions: [], enums: [], structs: [], opaque: []};
    for (const node of tree.inner.filter((part) => part.name?.startsWith('lb_'))) {
        const doc = commentText(node);
        if (node.kind === 'EnumDecl') found.enums.push({name: node.name, doc, values: enumValues(node)});
        if (node.kind === 'RecordDecl' && node.completeDefinition) {
            const fields = node.inner.filter((part) => part.kind === 'FieldDecl')
                .map((part) => ({name: part.name, c: part.type.qualType, doc: commentText(part)}));
            found.structs.push({name: node.name, doc, fields});
        }
        if (node.kind === 'RecordDecl' && !node.completeDefinition) found.opaque.push(node.name);
        if (node.kind === 'FunctionDecl' && node.storageClass !== 'static') {
            const parameters = (node.inner ?? []).filter((part) => part.kind === 'ParmVarDecl')
                .map((part) => ({name: part.name, c: part.type.qualType}));
            found.functions.push({name: node.name, doc, returns: node.type.qualType.split('(')[0].trim(), parameters});
        }
    }
    const macros = runClang(clang, include, ['-dM', '-E'], source);
    found.version = /LB_VERSION_TEXT "(.*)"/.exec(macros)[1];
    return found;
}

// --- Types and layout -----------------------------------------------------------------------------------------------

/** What a C type is: {type, size, align, count?, struct?, enum?}. */
function describeType(api, c) {
    const array = /^(.*?)\s*((?:\[\d+\])+)$/.exec(c);
    if (array && !array[1].endsWith(')')) {
        const count = array[2].match(/\d+/g).reduce((product, n) => product * Number(n), 1);
        if (array[1] === 'char') return {type: 'text', size: count, align: 1};
        const item = describeType(api, array[1]);
        return {...item, size: item.size * count, count};
    }
    const plain = c.replace(/^const /, '');
    if (c === 'const char *') return {type: 'string', size: 4, align: 4};
    if (c.includes('*') || c === 'lb_potential') return {type: 'pointer', size: 4, align: 4};
    if (SCALARS[plain]) return {...SCALARS[plain], align: SCALARS[plain].size};
    if (api.enums.some((entry) => entry.name === plain)) return {type: 'i32', size: 4, align: 4, enum: plain};
    const struct = api.structs.find((entry) => entry.name === plain);
    if (!struct) throw new Error(`make_api: what is the type '${c}'? Teach describeType about it.`);
    return {type: 'struct', size: struct.size, align: struct.align, struct: plain};
}

/** Offsets by the rules of the wasm32 ABI; clang checks them afterwards. */
function layOut(api) {
    for (const struct of api.structs) {
        let at = 0;
        struct.align = 1;
        for (const field of struct.fields) {
            Object.assign(field, describeType(api, field.c));
            at = Math.ceil(at / field.align) * field.align;
            field.offset = at;
            at += field.size;
            struct.align = Math.max(struct.align, field.align);
        }
        struct.size = Math.ceil(at / struct.align) * struct.align;
    }
}

function checkLayout(api, clang, include) {
    const lines = [allHeaders(include)];
    for (const {name, size, fields} of api.structs) {
        lines.push(`_Static_assert(sizeof(${name}) == ${size}, "${name}");`);
        for (const field of fields) {
            lines.push(`_Static_assert(offsetof(${name}, ${field.name}) == ${field.offset}, "${name}.${field.name}");`);
        }
    }
    runClang(clang, include, ['-fsyntax-only'], lines.join('\n') + '\n');
}

// --- What is written ------------------------------------------------------------------------------------------------

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** The class name of a struct or enum in TypeScript: lb_goal_kind is GoalKind. */
const typeName = (name) => camel('_' + name.replace(/^lb_/, ''));

/** LB_GOAL_HALF_SPACE is "half-space": without what all constants of an enum begin with. [short, whole] of each. */
function shortNames(names) {
    const words = names.map((name) => name.split('_'));
    let common = 0;
    while (words.every((list) => list.length > common + 1 && list[common] === words[0][common])) common++;
    return words.map((list, i) => [list.slice(common).join('-').toLowerCase().replace(/^error-/, ''), names[i]]);
}

function makeModule(api) {
    const enums = api.enums.map(({name, values}) => {
        const entries = Object.entries(values).map(([key, {value}]) => `        ${key}: ${value},`);
        return `    ${name}: {\n${entries.join('\n')}\n    },`;
    });
    const structs = api.structs.map(({name, size, fields}) => {
        const entries = fields.map((field) => {
            const parts = [`offset: ${field.offset}`, `type: '${field.type}'`];
            if (field.type === 'text') parts.push(`size: ${field.size}`);
            if (field.count) parts.push(`count: ${field.count}`);
            if (field.struct) parts.push(`struct: '${field.struct}'`);
            if (field.enum) parts.push(`enum: '${field.enum}'`);
            return `            ${camel(field.name)}: {${parts.join(', ')}},`;
        });
        return `    ${name}: {\n        size: ${size},\n        fields: {\n${entries.join('\n')}\n        },\n    },`;
    });
    const names = api.enums.map(({name, values}) => {
        const entries =
            shortNames(Object.keys(values)).map(([short, key]) => `        '${short}': ${values[key].value},`);
        return `    ${name}: {\n${entries.join('\n')}\n    },`;
    });
    const functions = api.functions.filter((entry) => entry.inModule).map((entry) => `    '${entry.name}',`);
    return `// Made from include/limber/*.h by web/make_api.mjs: the C interface as tables. Do not edit.

export const VERSION = '${api.version}';

/** The constants of each enum. */
export const enums = {
${enums.join('\n')}
};

/** The same by the names that the package uses for them, as problem files do. */
export const enumNames = {
${names.join('\n')}
};

/** Where each field of a struct is; names in camel case. */
export const structs = {
${structs.join('\n')}
};

/** All functions of the headers that the module has. */
export const functions = [
${functions.join('\n')}
];
`;
}

function jsDoc(text, indent) {
    if (!text) return '';
    const words = text.replace(/\*\//g, '* /').split('\n');
    const lines = [];
    for (const paragraph of words) {
        let line = '';
        for (const word of paragraph.split(' ')) {
            if (line && line.length + word.length > 108) {
                lines.push(line);
                line = '';
            }
            line += (line ? ' ' : '') + word;
        }
        lines.push(line);
    }
    if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
    return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`).join('\n')}\n${indent} */\n`;
}

function parameterType(api, c) {
    if (c.includes('*') || c.includes('[') || c === 'lb_potential') return 'Pointer';
    return 'number';
}

function makeDeclarations(api) {
    const functions = api.functions.filter((entry) => entry.inModule).map(({name, doc, returns, parameters}) => {
        const list = parameters.map((p) => `${p.name}: ${parameterType(api, p.c)}`).join(', ');
        const result = returns === 'void' ? 'void' : parameterType(api, returns);
        const signature = `${returns} ${name}(${parameters.map((p) => p.c).join(', ') || 'void'})`;
        return jsDoc(`${doc ? doc + '\n' : ''}C: ${signature}`, '    ') + `    ${name}(${list}): ${result};`;
    });
    const enums = api.enums.map(({name, doc, values}) => {
        const entries = Object.entries(values).map(([key, {value, doc: about}]) =>
            jsDoc(about, '        ') + `        ${key}: ${value};`);
        return jsDoc(doc, '    ') + `    ${name}: {\n${entries.join('\n')}\n    };`;
    });
    const structs = api.structs.map(({name, doc, fields}) => {
        const entries = fields.map((field) => jsDoc(`${field.doc ? field.doc + '\n' : ''}C: ${field.c}`, '            ')
                + `            ${camel(field.name)}: Field;`);
        return jsDoc(doc, '    ') + `    ${name}: {\n        size: number;\n        fields: {\n${entries.join('\n')}\n`
            +
            '        };\n    };';
    });
    return `// Made from include/limber/*.h by web/make_api.mjs. Do not edit.

/** An address in the module's memory; 0 is NULL. */
export type Pointer = number;

/** Where a field of a struct is. */
export interface Field {
    offset: number;
    type: 'f64' | 'i32' | 'u32' | 'u64' | 'string' | 'text' | 'pointer' | 'struct';
    size?: number;
    count?: number;
    struct?: string;
    enum?: string;
}

/** Every public function of the C library by its own name; pointers are numbers. */
export interface CFunctions {
${functions.join('\n')}
    malloc(size: number): Pointer;
    realloc(block: Pointer, size: number): Pointer;
    free(block: Pointer): void;
}

export const VERSION: string;
export const enums: {
${enums.join('\n')}
};
export const enumNames: Record<string, Record<string, number>>;
export const structs: {
${structs.join('\n')}
};
export const functions: string[];
`;
}

/** Writes only what changed, so that nothing is built again for nothing. */
function write(folder, name, text) {
    const path = join(folder, name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

const [include, out, clang = 'clang'] = process.argv.slice(2);
if (!out) {
    console.error('usage: node make_api.mjs INCLUDE-FOLDER OUT-FOLDER [CLANG]');
    process.exit(2);
}
mkdirSync(out, {recursive: true});
const api = readHeaders(clang, include);
layOut(api);
checkLayout(api, clang, include);
for (const entry of api.functions) entry.inModule = !LEFT_OUT.has(entry.name);
for (const entry of [...api.structs, ...api.enums]) entry.typescript = typeName(entry.name);
const exported = [...api.functions.filter((entry) => entry.inModule).map((entry) => entry.name), ...OWN_EXPORTS];
write(out, 'api.json', JSON.stringify(api, null, 1) + '\n');
write(out, 'c_api.js', makeModule(api));
write(out, 'c_api.d.ts', makeDeclarations(api));
write(out, 'exports.rsp', exported.map((name) => `--export=${name}\n`).join(''));
