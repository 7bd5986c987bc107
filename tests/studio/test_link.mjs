// Links: what goes in comes out, and what a hostile one holds is refused with a sentence.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {deflateRawSync} from 'node:zlib';
import * as link from '../../studio/files/link.js';

const doc = {
    title: 'Größe, "quotes" and a \u{1F9BE}',
    figures: [{file: 'arm.fig', name: 'arm'}],
    start: {'elbow.flexion': 0.1 + 0.2},
    constraints: [{name: 'hand', effector: 'tip', goal: {kind: 'position', point: [0.4, -1e-9, 1.2]}}],
};
const text = 'figure arm {\n}\n';
const raw = (content) => `#${link.MARK}${link.toBase64url(deflateRawSync(Buffer.from(content)))}`;
const refuses = (fragment, pattern) => assert.rejects(link.readLink(fragment), (error) => {
    assert.ok(error instanceof link.LinkError, `${error}`);
    assert.match(error.message, pattern);
    return true;
});

test('a problem and its files come back to the bit', async () => {
    const bytes = Uint8Array.from({length: 256}, (_, i) => i);
    const files =
        new Map([['arm.fig', new TextEncoder().encode(text)], ['skin.bin', bytes], ['note.txt', '\ufeffbom']]);
    const {fragment, left, isLong} = await link.makeLink({doc, files});
    assert.match(fragment, /^#limber1=[-_A-Za-z0-9]+$/);
    assert.deepEqual(left, []);
    assert.equal(isLong, false);
    const back = await link.readLink(fragment);
    assert.deepEqual(back.doc, doc);
    assert.deepEqual([...back.files.keys()], ['arm.fig', 'skin.bin', 'note.txt']);
    assert.equal(new TextDecoder().decode(back.files.get('arm.fig')), text);
    assert.deepEqual(back.files.get('skin.bin'), bytes);
    assert.equal(back.files.get('note.txt').length, 6);
    assert.ok(fragment.length < JSON.stringify(doc).length + 600, 'it is compressed');
});

test('base64url of all lengths', () => {
    for (let n = 0; n < 70; n++) {
        const bytes = Uint8Array.from({length: n}, (_, i) => (i * 73 + n) & 255);
        assert.deepEqual(link.fromBase64url(link.toBase64url(bytes)), bytes);
    }
    const large = new Uint8Array(100001).fill(251);
    assert.deepEqual(link.fromBase64url(link.toBase64url(large)), large);
});

test('files that are too large are left out, and said', async () => {
    const big = new Uint8Array(link.FILE_MOST + 1);
    const {fragment, left} = await link.makeLink({doc, files: new Map([['arm.fig', big], ['other.glb', big]])});
    assert.deepEqual(left.map((one) => [one.name, one.needed]), [['arm.fig', true], ['other.glb', false]]);
    assert.match(link.leftText(left), /^arm\.fig \(262 kB\) is too large/);
    assert.equal(link.leftText([]), '');
    const made = {figures: [{file: 'walk.bvh/human.fig'}]};
    assert.equal((await link.makeLink({doc: made, files: new Map([['walk.bvh', big]])})).left[0].needed, true);
    assert.equal((await link.readLink(fragment)).files.size, 0);
});

test('a problem that is too large is refused, a long link is marked', async () => {
    const noise = Array.from({length: 4000}, (_, i) => Math.sin(i * i + 1));
    assert.equal((await link.makeLink({doc: {noise}, files: new Map()})).isLong, true);
    const title = 'x'.repeat(link.INFLATED_MOST);
    await assert.rejects(link.makeLink({doc: {title}, files: new Map()}), /too large for a link/);
});

test('what is no link, or of another version', async () => {
    for (const other of ['', '#', '#top', '#limber=', '#xlimber1=AA']) {
        assert.equal(link.isLink(other), false);
        await refuses(other, /no problem/);
    }
    assert.equal(link.isLink('#limber27=AA'), true);
    await refuses('#limber2=AA', /newer Limber/);
});

test('damaged links', async () => {
    const {fragment} = await link.makeLink({doc, files: new Map()});
    await refuses(`${fragment}!`, /damaged/);
    for (let cut = link.MARK.length + 1; cut < fragment.length; cut += 3) {
        await refuses(fragment.slice(0, cut), /damaged/);
    }
    let survived = 0;
    for (let i = link.MARK.length + 1; i < fragment.length; i++) {
        const other = fragment.slice(0, i) + (fragment[i] === 'A' ? 'B' : 'A') + fragment.slice(i + 1);
        await link.readLink(other).then(
            () => survived++, (error) => assert.ok(error instanceof link.LinkError, `${error}`));
    }
    assert.ok(survived < fragment.length / 2);
});

test('hostile content', async () => {
    await refuses(raw('null'), /no problem/);
    await refuses(raw('[]'), /no problem/);
    await refuses(raw('{"doc": []}'), /no problem/);
    await refuses(raw('{"doc": '), /not JSON/);
    await refuses(raw(Buffer.from([0x22, 0xff, 0x22])), /not JSON/);
    await refuses(raw('{"doc": {"__proto__": {"polluted": 1}}}'), /no problem/);
    assert.equal({}.polluted, undefined);
    await refuses(raw(`{"doc": {"a": ${'['.repeat(5000)}${']'.repeat(5000)}}}`), /lists within lists/);
    await refuses(raw('{"doc": {}, "files": []}'), /list of files/);
    await refuses(raw('{"doc": {}, "files": {"a": 1}}'), /neither text nor bytes/);
    await refuses(raw('{"doc": {}, "files": {"a": {"base64": "?"}}}'), /damaged/);
    await refuses(raw('{"doc": {}, "files": {"\\u0000": "x"}}'), /proper name/);
    await refuses(raw(JSON.stringify({doc: {}, files: {a: 'x'.repeat(link.FILE_MOST + 1)}})), /larger than/);
    const many = Object.fromEntries(Array.from({length: 65}, (_, i) => [`f${i}`, '']));
    await refuses(raw(JSON.stringify({doc: {}, files: many})), /more than 64 files/);
});

test('a bomb is stopped while it unpacks', async () => {
    const bomb = raw(Buffer.alloc(200e6));
    assert.ok(bomb.length < 400000);
    const before = process.memoryUsage().arrayBuffers;
    await refuses(bomb, /more than 4\.2 MB/);
    assert.ok(process.memoryUsage().arrayBuffers - before < 100e6);
    await refuses(`#${link.MARK}${'A'.repeat(link.FRAGMENT_MOST)}`, /longer than any/);
});

test('opening leaves the scene and says why', async () => {
    const said = [], opened = [];
    const store = {message: (kind, words) => said.push([kind, words]), open: async (files) => opened.push(files)};
    assert.equal(await link.openLink(store, '#limber1=%%%'), false);
    assert.deepEqual(opened, []);
    assert.equal(said[0][0], 'error');
    const {fragment} = await link.makeLink({doc, files: new Map([['arm.fig', text]])});
    assert.equal(await link.openLink(store, fragment), true);
    assert.deepEqual(opened[0].map((one) => one.name), ['link.json', 'arm.fig']);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(opened[0][0].bytes)), doc);
    store.open = async () => { throw new Error('link.json:1: there is no figure "x"'); };
    assert.equal(await link.openLink(store, fragment), false);
    assert.match(said[1][1], /not opened: link\.json:1/);
});
