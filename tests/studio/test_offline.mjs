// The page without a network: on a web server of static files, after one visit, it is loaded again with the server
// gone, and a hand is pulled; a new version waits until it is asked for, comes whole or not at all, and leaves nothing
// of the
// old one. On 127.0.0.1 and localhost no service worker is ever registered.

import {cp, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {mayKeep} from '../../studio/offline/offline.js';
import {writeServiceWorker} from '../../studio/offline/build.mjs';
import {browserWords, check, closeAll, distance, finish, folder, open, part, ready, scratch} from './harness.mjs';
import {serveStatic} from './static_server.mjs';

const HOST = 'studio.example';

for (const [hostname, isSo] of [['localhost', false], ['127.0.0.1', false], ['127.1.2.3', false], ['[::1]', false],
    ['me.localhost', false], ['example.org', true], ['192.168.1.7', true], ['127.0.0.1.example.org', true]]) {
    check(`${hostname} ${isSo ? 'may' : 'must not'} have a service worker`, mayKeep({hostname,
        protocol: 'https:'}) === isSo);
}

// A copy that the test may change: a second version of the page.
const copy = join(scratch, 'offline-studio');
await rm(copy, {recursive: true, force: true});
await cp(folder, copy, {recursive: true});
const server = await serveStatic(copy);
const origin = `http://${HOST}:${server.port}`, url = `${origin}/`;
browserWords.push(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
    `--unsafely-treat-insecure-origin-as-secure=${origin}`);

/** The version that answers, those that are kept, and the script that waits, of a page. */
const KEPT = async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return {names: await caches.keys(), active: registration?.active?.state ?? null, isControlled:
        Boolean(navigator.serviceWorker.controller), waiting: Boolean(registration?.waiting)};
};

const isActive = ({active, isControlled}) => active === 'activated' && isControlled;

/** Pulls the right hand up by some pixels, and says how far it went. */
async function pull(hands) {
    const before = await hands.site('right_palm');
    const [x, y] = await hands.pixelOf('right_hand');
    await hands.drag([x, y], [x, y - 90]);
    return distance(before, await hands.site('right_palm'));
}

await part('a page of a web server is there without it, after one visit', async () => {
    const hands = await open({url});
    await hands.until(async () => isActive(await hands.page.evaluate(KEPT)));
    const kept = await hands.page.evaluate(KEPT);
    check('one version is kept', kept.names.length === 1, kept);
    await server.stop();
    await hands.page.reload();
    await ready(hands.page);
    check('the page is there with the server gone',
        await hands.read((studio) => studio.store.scene.figures[0].name) !== '');
    const way = await pull(hands);
    check('a hand follows', way > 0.1, way);
    await hands.page.locator('#view').focus();
    await hands.file('Models');
    await hands.command('model-ur5');
    check('models come without it, too', await hands.read((studio) => studio.store.doc.figures[0].file) === 'ur5',
        await hands.messages());
    await server.start();
    await hands.picture('offline');
    hands.seen.errors = hands.seen.errors.filter((text) => !/ERR_CONNECTION_REFUSED/.test(text)); // the search for news
    await hands.close();
});

/** Another version of the page on the server; a half one is not what its own list says. */
async function upload(title, {isHalf = false} = {}) {
    const page = (await readFile(join(folder, 'index.html'), 'utf8')).replace(/<title>.*<\/title>/,
        `<title>${title}</title>`);
    await writeFile(join(copy, 'index.html'), page);
    const [, source] = (await readFile(join(folder, 'offline.js'), 'utf8')).split(/\n(.*)/s);
    const {version} = await writeServiceWorker(copy, source);
    if (isHalf) await cp(join(folder, 'index.html'), join(copy, 'index.html'));
    return version;
}

const NEWS = /A new version of the Studio is ready/;

await part('a new version waits until it is asked for, whole', async () => {
    const hands = await open({url});
    const {page} = hands;
    await hands.until(async () => isActive(await page.evaluate(KEPT)));
    const [first] = (await page.evaluate(KEPT)).names;
    const update = () => page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        const arriving = new Promise((done) => {
            registration.addEventListener('updatefound', () => {
                const {installing} = registration;
                installing.addEventListener('statechange', () => /installed|redundant/.test(installing.state)
                    && done(installing.state));
            }, {once: true});
        });
        await registration.update();
        return arriving;
    });
    await upload('Half', {isHalf: true});
    check('half of an upload is refused', await update() === 'redundant');
    check('nothing of it is kept', String((await page.evaluate(KEPT)).names) === first);
    const version = await upload('Second');
    check('the whole is taken', await update() === 'installed');
    await page.getByText(NEWS).waitFor();
    check('the page says so, and is still the old one', await page.title() === 'Limber Studio');
    await page.reload();
    await ready(page);
    check('loading it again is not asking', await page.title() === 'Limber Studio', await page.title());
    await page.getByText(NEWS).waitFor();
    await hands.picture('offline-news');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', {name: 'Load it'}).click()]);
    await ready(page);
    check('the new version is there', await page.title() === 'Second', await page.title());
    await hands.until(async () => (await page.evaluate(KEPT)).names.length === 1);
    const {names} = await page.evaluate(KEPT);
    check('nothing of the old one is kept', names[0].endsWith(version) && names[0] !== first, names);
    check('a hand follows', await pull(hands) > 0.1);
    await hands.close();
});

await part('no service worker where `limber studio` serves', async () => {
    for (const local of [undefined, `http://localhost:${server.port}/`, `http://127.0.0.1:${server.port}/`]) {
        const hands = await open({url: local});
        await hands.settle(1000); // later than it would be registered
        const count = await hands.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
        check(`${local ?? 'limber studio'} has none`, count === 0, count);
        await hands.close();
    }
});

await server.stop();
await closeAll();
finish();
