/* What ./dev lint says of the form of modules: long lines, bare arrows; nothing of what only looks so. */
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const {remarks} = await import(pathToFileURL(join(process.env.LIMBER_SOURCE_DIR ?? '.', 'tools/check_form.mjs')).href);
const lines = (/** @type {string} */ text) => remarks(text).map(({line}) => line);

assert.deepEqual(lines('x'.repeat(120)), []);
assert.deepEqual(lines(`a\n${'x'.repeat(121)}\n`), [2]);
assert.deepEqual(lines('é'.repeat(120)), [], 'characters, not bytes');
const bare = ['list.map(x =', '> x)'].join('');
assert.deepEqual(lines(bare), [1]);
assert.deepEqual(lines(['const f = async one =', '> one;'].join('')), [1]);
assert.deepEqual(lines('list.map((x) => x);\nconst g = async (one, {two}) => one;\nconst h = () => 0;'), []);
assert.deepEqual(lines(`// ${bare}\n * ${bare}\n'${bare}'\nx >= y`), []);
console.log('Long lines and bare arrows are found.');
