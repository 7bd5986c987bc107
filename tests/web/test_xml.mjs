// The package in a browser: URDF and MJCF by its DOMParser give the same figures, and complaints at the same lines, as
// the native program with expat; also in a worker, where the page reads the XML; hostile files leave the module
// working.

import {readFileSync} from 'node:fs';
import {basename} from 'node:path';
import {check, finish, same} from './setup.mjs';
import {compareWithNative, robotCorpus, robotModels} from './compare.mjs';
import {openPage, urlOf} from './browser.mjs';

const {page, problems, close} = await openPage();
await page.evaluate(async () => {
    const library = await import('/build/web/limber/limber.js');
    window.library = library;
    window.limber = await library.load();
    /** Reads files of one folder, the first of which is the figure. */
    window.readFigure = async (names, urls, format) => {
        const bytes =
            await Promise.all(urls.map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())));
        names.forEach((name, i) => limber.files.set(name, bytes[i]));
        try {
            const figure = limber.loadFigure(names[0], {format});
            const fig = new TextDecoder().decode(figure.save('fig'));
            figure.free();
            return {fig, message: '', line: 0};
        } catch (error) {
            if (!(error instanceof library.LimberError)) {
                throw error;
            }
            return {fig: null, message: error.message, line: error.line};
        } finally {
            names.forEach((name) => limber.files.delete(name));
        }
    };
});

const models = robotModels();
for (const {path, files, names} of models) {
    const mine = await page.evaluate(([list, urls]) => readFigure(list, urls), [names, files.map(urlOf)]);
    compareWithNative(path, mine);
}

// The fuzzers' corpus, and afterwards the module still works.
const corpus = robotCorpus();
check(corpus.length > 10, 'there is a corpus');
for (const [path, format] of corpus) {
    const mine = await page.evaluate(
        ([name, url, kind]) => readFigure([name], [url], kind), [basename(path), urlOf(path), format]);
    check(mine.fig !== null || mine.message.length > 5, `${path}: ${JSON.stringify(mine).slice(0, 200)}`);
}
const again = await page.evaluate(() => readFigure(['models/human.fig'], ['/models/human.fig']));
check(again.fig !== null, 'after hostile files figures are read');

// Wrong XML: what is said, and where.
const wrong = {
    'doctype.urdf': ['<!DOCTYPE robot [<!ENTITY a "aaaa">]>\n<robot name="x"/>', /document type/, 1],
    'open.urdf': ['<robot name="x">\n<link name="a">\n', /ends before <link> of line 2/, 3],
    'mismatch.urdf': ['<robot name="x">\n<link name="a">\n</robot>', /mismatched tag: <link> of line 2/, 3],
    'attribute.urdf': ['<robot name="x">\n<link name=a/>\n</robot>', /not well-formed XML/, 2],
    'number.urdf': [
        '<robot name="x">\n\n<link name="a"><inertial><mass value="heavy"/></inertial></link></robot>',
        /must be one finite number/, 3
    ],
    'empty.urdf': ['', /empty|no XML element|no format|what format/i, 0],
};
for (const [name, [text, message, line]] of Object.entries(wrong)) {
    const told = await page.evaluate(([file, content]) => {
        limber.files.set(file, content);
        try {
            limber.loadFigure(file);
            return {message: 'read', line: 0};
        } catch (error) {
            return {message: error.message, line: error.line};
        }
    }, [name, text]);
    check(message.test(told.message) && (told.line === line || line === 0), `${name}: ${told.line}: ${told.message}`);
}

// Prefixes that nobody declared are none of the readers' business; entities and CDATA are text.
const prefixed = await page.evaluate(() => {
    limber.files.set(
        'p.urdf', '<?xml version="1.0"?>\n<robot name="a&amp;b"><gazebo:thing gz:x="1"/><link name="only"/></robot>');
    const figure = limber.loadFigure('p.urdf');
    return [figure.name, figure.segments.map((segment) => segment.name)];
});
same(prefixed, ['a&b', ['only']], 'undeclared prefixes, entities');

// In a worker there is no DOMParser: the page reads the XML and gives the tree along.
const inWorker = await page.evaluate(async () => {
    const source = `
        import {load} from '${location.origin}/build/web/limber/limber.js';
        onmessage = async ({data}) => {
            try {
                const limber = await load();
                limber.files.set('r.urdf', data.bytes, data.tree);
                postMessage([typeof DOMParser, limber.loadFigure('r.urdf').segments.length]);
            } catch (error) {
                postMessage(['error', String(error)]);
            }
        };`;
    const worker = new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})), {type: 'module'});
    const bytes =
        new TextEncoder().encode('<robot name="x"><link name="a"/><link name="b"/><joint name="j" type="fixed">' +
            '<parent link="a"/><child link="b"/></joint></robot>');
    const answer = new Promise((done) => worker.onmessage = (event) => done(event.data));
    worker.postMessage({bytes, tree: library.readXml(bytes)});
    const result = await answer;
    worker.terminate();
    return result;
});
same(inWorker, ['undefined', 2], 'in a worker');

// The same bits as in Node and natively.
const pose = await page.evaluate(async () => {
    for (const name of ['models/human.fig', 'problems/sitting.json', 'problems/props/stool.fig']) {
        const response = await fetch('/' + name);
        if (response.ok) limber.files.set(name, await response.arrayBuffer());
    }
    const file = limber.loadProblem('problems/sitting.json');
    const values = file.start.slice();
    file.problem.solver().solve(values, file.options);
    return Array.from(new BigUint64Array(values.buffer), String);
});
const {freshLimber} = await import('./setup.mjs');
const limber = await freshLimber(['models', 'problems']);
const file = limber.loadProblem('problems/sitting.json');
const values = file.start.slice();
file.problem.solver().solve(values, file.options);
same(pose, Array.from(new BigUint64Array(values.buffer), String), 'Chromium solves as Node does');
same(problems, [], 'nothing is wrong in the console');
await close();
finish(`${models.length} models, ${corpus.length} files of the corpus`);
