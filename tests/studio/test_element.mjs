// <limber-studio> in somebody's page: two of them under a strict policy, posed by a real pointer, each its own; events,
// properties and methods; what is wrong is said; sizes are the element's; files of another origin; and an element that
// is taken out leaves no worker, no listener and no memory behind.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {elementStyle, markupTree} from '../../studio/element/build.mjs';
import {isOfSize} from '../../studio/store/home.js';
import {blank, check, closeAll, distance, finish, folder, part, pictures, top} from './harness.mjs';
import {serveStatic} from './static_server.mjs';

// --- at build time ---------------------------------------------------------------------------------------------------

check('root and body are the frame', elementStyle(':root{a:b}html,body{height:100dvh}body.x #y{c:d}.somebody{e:f}')
    === '.studio{a:b}.studio{height:100cqh}.studio.x #y{c:d}.somebody{e:f}');
check('sizes are asked of the element', elementStyle('@media (pointer:coarse),(max-width:1000px){:root{a:b}}')
    === '@media (pointer:coarse){.studio{a:b}}@container limber-studio (max-width:1000px){.studio{a:b}}');
check('dialogs are measured by the window', elementStyle('dialog{width:100vw}') === 'dialog{width:100vw}');
const ids = (node) => (typeof node === 'string' ? [] : [node[1].id, ...node[2].flatMap(ids)].filter(Boolean));
const page = readFileSync(join(top, 'studio/index.html'), 'utf8');
check('the element has all of the page', String(ids(markupTree(page)))
    === String([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id).filter((id) => id !== 'noscript')));
for (const [query, width, height, isSo] of [['(max-width: 600px), (max-height: 500px)', 700, 400, true],
    ['(max-width: 600px) and (min-height: 501px)', 500, 500, false], ['(min-width: 1500px)', 1500, 1, true]]) {
    check(`${width} x ${height}: ${query}`, isOfSize(query, {width, height}) === isSo);
}

// --- in a page -------------------------------------------------------------------------------------------------------

const PAGE = (script, body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<script type="module" src="${script}"></script></head>
<body><main><h1 id="stage">Somebody's page</h1>${body}</main></body></html>`;
const BODY = '<limber-studio id="a" src="problems/sitting.json"></limber-studio>'
    + '<limber-studio id="b" controls theme="dark"></limber-studio>';

const strict = ['default-src \'none\'', 'script-src \'self\' \'wasm-unsafe-eval\'', 'connect-src \'self\'',
    'worker-src \'self\'',
    'img-src blob: data:', 'style-src \'none\'', 'require-trusted-types-for \'script\'',
        'trusted-types limber-studio'].join('; ');

/** Opens a page and waits for its elements. */
async function visit(url, count) {
    const seen = {errors: []};
    const tab = await blank({width: 1200, height: 1000});
    tab.on('console', (message) => {
        if (message.type() === 'error'
            || /Too many active WebGL/.test(message.text())) seen.errors.push(message.text());
    });
    tab.on('pageerror', (error) => seen.errors.push(error.stack ?? error.message));
    await tab.addInitScript(() => {
        window.told = [];
        for (const type of ['ready', 'change', 'solve', 'error', 'pose']) {
            document.addEventListener(type, (event) => {
                if (event.target.localName !== 'limber-studio') return;
                window.told.push({type, id: event.target.id, ...event.detail});
            }, true);
        }
    });
    await tab.goto(url);
    await tab.waitForFunction((most) => window.told.filter(({type}) => type === 'ready').length >= most, count);
    return {tab, seen};
}

const told = (tab, type) => tab.evaluate((wanted) => window.told.filter((one) => one.type === wanted), type);

/** Where a part of a figure is seen in an element, at the window. */
const PIXEL = ({id, segment}) => {
    const {store, view} = document.getElementById(id).embedded.studio;
    const index = store.scene.figures[0].segments.findIndex(({name}) => name === segment);
    const box = view.canvas.getBoundingClientRect();
    for (let y = box.top + 2; y < box.bottom; y += 4) {
        for (let x = box.left + 2; x < box.right; x += 4) {
            if (view.pick(x, y)?.segment === index) return [x + 2, y + 2];
        }
    }
    throw new Error(`${segment} is not seen`);
};

/** Pulls a part by some pixels. */
async function pull(tab, id, segment, by) {
    const [x, y] = await tab.evaluate(PIXEL, {id, segment});
    await tab.mouse.move(x, y);
    await tab.mouse.down();
    for (let k = 1; k <= 8; k++) {
        await tab.mouse.move(x + by[0] * k / 8, y + by[1] * k / 8);
        await tab.evaluate(() => new Promise((done) => { requestAnimationFrame(done); }));
    }
    await tab.mouse.up();
    await tab.evaluate(async (name) => {
        const {store, client} = document.getElementById(name).embedded.studio;
        do {
            await new Promise((done) => { requestAnimationFrame(done); });
            await store.queue;
        } while (client.waiting.size);
    }, id);
}

const poses = (tab) => tab.evaluate(() => ['a', 'b'].map((id) => document.getElementById(id).pose));
const apart = (a, b) => distance(Object.values(a), Object.values(b));

const server = await serveStatic(folder, {headers: {'content-security-policy': strict},
    pages: {'/page.html': PAGE('element.js', BODY)}});
const here = `http://127.0.0.1:${server.port}`;

await part('two elements under a strict policy', async () => {
    const {tab, seen} = await visit(`${here}/page.html`, 2);
    const [first, second] = await poses(tab);
    check('both have figures', Object.keys(first).length > 20 && Object.keys(second).length > 20);
    check('the page keeps its own ids', await tab.evaluate(() => document.getElementById('stage').localName) === 'h1');
    check('the page\'s own look is as it was',
        await tab.evaluate(() => getComputedStyle(document.body).display) === 'block');
    await tab.screenshot({path: join(pictures, 'element.png')});
    const axe = join(top, 'build/npm/node_modules/axe-core/axe.min.js');
    if (existsSync(axe)) {
        await tab.evaluate(readFileSync(axe, 'utf8'));
        const found = await tab.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
        const isInside = ({target}) => Array.isArray(target[0]);
        const inside = found.violations.map(({id, nodes}) => `${id}: ${nodes.filter(isInside)
            .map(({html}) => html.slice(0, 100)).join(' ; ')}`).filter((text) => /</.test(text));
        check('axe-core has nothing to say of what is in them', inside.length === 0, inside);
    }
    await pull(tab, 'b', 'right_hand', [20, -60]);
    const [now, moved] = await poses(tab);
    check('the one that is pulled follows', apart(second, moved) > 0.1, apart(second, moved));
    check('the other one does not', apart(first, now) === 0);
    const changes = await told(tab, 'change');
    check('a change is told, with pose and document', changes.length === 1 && changes[0].id === 'b'
        && apart(changes[0].pose, moved) === 0 && Array.isArray(changes[0].document.figures), changes.length);
    check('poses are told while it is pulled', (await told(tab, 'pose')).filter(({isDragged}) => isDragged).length > 2);
    await tab.evaluate(() => document.getElementById('b').undo());
    check('undo brings it back', apart((await poses(tab))[1], second) < 1e-9);
    check('only one of them has controls', await tab.evaluate(() => ['a', 'b'].map((id) =>
        document.getElementById(id).shadowRoot.getElementById('bar').checkVisibility())).then(String) === 'false,true');
    check('one is dark', await tab.evaluate(() => ['a', 'b'].map((id) => document.getElementById(id).shadowRoot
        .querySelector('.studio').dataset.theme)).then(String) === 'light,dark');
    check('nothing is kept in the page\'s storage', await tab.evaluate(() => localStorage.length) === 0);
    check('no error in the console', seen.errors.length === 0, seen.errors);
    await tab.close();
});

await part('properties, methods, and what is wrong', async () => {
    const {tab, seen} = await visit(`${here}/page.html`, 2);
    const posed = await tab.evaluate(async () => {
        const element = document.getElementById('b');
        const isSet = await element.setPose({no_such_joint: 1}).catch((error) => error.message);
        const name = Object.keys(element.pose).find((one) => /elbow/.test(one));
        const isPosed = await element.setPose({[name]: 0.7});
        return {isSet, isPosed, value: element.pose[name], name};
    });
    check('a variable is set by name', posed.isPosed && Math.abs(posed.value - 0.7) < 1e-9, posed);
    check('an unknown one is an error', posed.isSet === false
        && (await told(tab, 'error')).some(({message}) => /no variable "no_such_joint"/.test(message)), await told(tab,
            'error'));
    const opened = await tab.evaluate(async () => {
        const element = document.getElementById('b'), kept = element.document;
        const robot = await element.load({figure: 'ur5', constraints: []});
        const figure = element.document.figures[0].file, count = Object.keys(element.pose).length;
        element.document = kept;
        await element.whenReady().then(({studio}) => studio.store.queue);
        while (element.document.figures[0].file !== kept.figures[0].file) {
            await new Promise((done) => { setTimeout(done, 20); });
        }
        return {robot, figure, count, back: element.document.figures[0].file, was: kept.figures[0].file};
    });
    check('a problem is opened from an object', opened.robot && opened.figure === 'ur5' && opened.count === 6, opened);
    check('a document is opened again', opened.back === opened.was, opened);
    const bad = await tab.evaluate(() => document.getElementById('b').load('problems/there-is-none.json'));
    check('what is not there is an error with its name', bad === false
        && (await told(tab, 'error')).some(({file}) => file === 'there-is-none.json'), await told(tab, 'error'));
    await tab.evaluate(() => document.getElementById('b').load({figure: 'human', constraints: [{effector: 'right_palm',
        goal: {kind: 'position', point: [0.4, -0.2, 1.3]}}]}));
    await tab.evaluate(() => document.getElementById('b').solve());
    check('a solve is told', (await told(tab, 'solve')).some(({outcome}) => outcome === 'solved'), (await told(tab,
        'solve')).length);
    const size = await tab.evaluate(async () => (await createImageBitmap(await document.getElementById('b')
        .picture({width: 320, height: 200}))).width);
    check('a picture is taken', size === 320);
    await tab.evaluate(() => { document.getElementById('b').readOnly = true; });
    const before = (await poses(tab))[1];
    await pull(tab, 'b', 'right_hand', [20, -60]);
    check('read only: nothing is posed', apart((await poses(tab))[1], before) === 0);
    seen.errors = seen.errors.filter((text) => !/404/.test(text));
    check('no error in the console', seen.errors.length === 0, seen.errors);
    await tab.close();
});

await part('sizes are the element\'s; menus open where they belong; keys go to the one with the focus', async () => {
    const {tab, seen} = await visit(`${here}/page.html`, 2);
    await tab.evaluate(() => {
        const [a, b] = ['a', 'b'].map((id) => document.getElementById(id));
        Object.assign(b.style, {width: '400px', height: '600px', marginLeft: '500px'});
        a.style.height = '200px';
    });
    await tab.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    const outside = await tab.evaluate(() => {
        const b = document.getElementById('b'), host = b.getBoundingClientRect();
        return [...b.shadowRoot.querySelectorAll('button')]
            .filter((one) => one.checkVisibility({checkVisibilityCSS: true}))
            .filter((one) => one.getBoundingClientRect().right > host.right + 1).map((one) => one.title);
    });
    check('a narrow element is laid out as a phone is', outside.length === 0, outside);
    await tab.locator('#b [data-command="open"]').click();
    const box = await tab.locator('#b .menu').boundingBox();
    check('a menu is at its button', box.x >= 495 && box.x < 620 && box.width > 100, box);
    await tab.screenshot({path: join(pictures, 'element-narrow.png')});
    await tab.locator('#b .menu').getByRole('menuitem', {name: /Models/}).click();
    await tab.locator('#b .menu [data-command="model-ur5"]').click();
    await tab.waitForFunction(() => document.getElementById('b').document.figures[0].file === 'ur5');
    await tab.locator('#b canvas').focus();
    await tab.keyboard.press('?');
    check('the help is of one of them', await tab.locator('#b dialog[open]').count() === 1
        && await tab.locator('#a dialog[open]').count() === 0);
    await tab.screenshot({path: join(pictures, 'element-help.png')});
    await tab.keyboard.press('Escape');
    check('no error in the console', seen.errors.length === 0, seen.errors);
    await tab.close();
});

await part('files of another origin', async () => {
    const cdn = await serveStatic(folder, {headers: {'access-control-allow-origin': '*'}});
    const far = `http://127.0.0.1:${cdn.port}`;
    const policy = `default-src 'none'; script-src ${far} 'wasm-unsafe-eval'; connect-src 'self' ${far}; `
        + `worker-src blob: ${far}; `
        + 'img-src blob: data:';
    const own = await serveStatic(folder, {headers: {'content-security-policy': policy}, pages: {
        '/page.html': PAGE(`${far}/element.js`,
            '<limber-studio id="b" src="problems/sitting.json"></limber-studio>')}});
    const {tab, seen} = await visit(`http://localhost:${own.port}/page.html`, 1);
    const before = await tab.evaluate(() => document.getElementById('b').pose);
    await pull(tab, 'b', 'right_hand', [10, -40]);
    const after = await tab.evaluate(() => document.getElementById('b').pose);
    check('a hand is pulled', apart(before, after) > 0.05, apart(before, after));
    check('no error in the console', seen.errors.length === 0, seen.errors);
    await tab.close();
    await own.stop();
    await cdn.stop();
});

await part('taken out, it is gone', async () => {
    const {tab, seen} = await visit(`${here}/page.html`, 2);
    const trace = await tab.evaluate(async () => {
        const refs = [];
        for (let k = 0; k < 15; k++) { // a browser has room for some 16 views at a time
            const element = document.createElement('limber-studio');
            document.body.append(element);
            const {studio} = await element.whenReady();
            refs.push(new WeakRef(studio.store), new WeakRef(studio.view), new WeakRef(element));
            element.remove();
            await new Promise((done) => { setTimeout(done, 0); });
        }
        window.refs = refs;
        window.told.length = 0;
        return refs.length;
    });
    check('fifteen came and went', trace === 45);
    const until = async (fn) => {
        while (!await fn()) await tab.waitForTimeout(20);
        return true;
    };
    check('their workers are gone', await until(() => tab.workers().length === 2), tab.workers().length);
    const session = await tab.context().newCDPSession(tab);
    const alive = async () => {
        await session.send('HeapProfiler.collectGarbage');
        return tab.evaluate(() => window.refs.filter((ref) => ref.deref()).length);
    };
    check('their memory is free', await until(async () => await alive() === 0), await alive());
    check('no error in the console', seen.errors.length === 0, seen.errors);
    const again = await tab.evaluate(async () => {
        const element = document.getElementById('a'), before = JSON.stringify(element.document);
        const {parentNode} = element;
        element.remove();
        await new Promise((done) => { setTimeout(done, 0); });
        const isOut = element.embedded === null && JSON.stringify(element.document) === before;
        parentNode.append(element);
        await element.whenReady();
        return {isOut, isSame: JSON.stringify(element.document) === before};
    });
    check('put in again, it shows what it showed', again.isOut && again.isSame, again);
    await tab.close();
});

await server.stop();
await closeAll();
finish();
