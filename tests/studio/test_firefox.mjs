// The page in Debian's Firefox: it opens, a hand is pulled and the body follows, a pin is set by its key, undo takes it
// back, and the console has no error. It is skipped, with the reason, where there is no Firefox, or one without WebGL
// 2.

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Firefox, frameOf, framesOf} from './bidi.mjs';
import {check, distance, finish, folder, limber, part, pictures, say, serve, skip} from './harness.mjs';

const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

for (const length of [0, 5, 125, 126, 65535, 65536, 200_000]) { // the WebSocket itself: what a server would read
    const text = 'x'.repeat(length), frame = frameOf(text), at = length < 126 ? 2 : length < 65536 ? 4 : 10;
    const mask = frame.subarray(at, at + 4), body = frame.subarray(at + 4).map((byte, k) => byte ^ mask[k % 4]);
    check(`a frame of ${length} bytes`, Buffer.from(body).toString() === text);
    const answer = Buffer.concat([frame.subarray(0, 1), Buffer.from([frame[1] & 127]), frame.subarray(2, at),
        Buffer.from(text)]);
    const {frames, rest} = framesOf(Buffer.concat([answer, answer.subarray(0, 1)]));
    check(`an answer of ${length} bytes`, frames.length === 1 && frames[0].bytes.length === length
        && rest.length === 1);
}

if (!existsSync(program)) skip('there is no Firefox (Debian: apt-get install firefox-esr)');
if (!existsSync(join(folder, 'index.html'))) skip('the studio is not built (./dev web builds it)');
if (!existsSync(limber)) skip(`there is no ${limber}`);

const firefox = await Firefox.start(program, {'webgl.force-enabled': true, 'ui.prefersReducedMotion': 1})
    .catch((error) => skip(`Firefox could not be driven: ${error.message}`));
say(`Firefox ${firefox.version}`);
const server = await serve();
const tab = await firefox.open(server.url);
const hasView = await tab.evaluate(() => Boolean(document.createElement('canvas').getContext('webgl2')));
if (!hasView) {
    await firefox.close();
    skip('this Firefox draws no WebGL 2 here (Debian: apt-get install xvfb libgl1-mesa-dri)');
}

const QUIET = async () => {
    const {store, client} = window.studio ?? {};
    if (document.documentElement.dataset.ready !== 'true' || !store.frame) return false;
    await store.queue;
    return !client.waiting.size && !store.tasks.size;
};
const PALM = () => {
    const {store} = window.studio, {sites, firstSegment} = store.scene.figures[0];
    const {segment, position: p} = sites.find(({name}) => name === 'right_palm');
    const m = store.frame.matrices.subarray(12 * (firstSegment + segment), 12 * (firstSegment + segment) + 12);
    return [0, 4, 8].map((r) => m[r] * p[0] + m[r + 1] * p[1] + m[r + 2] * p[2] + m[r + 3]);
};
const shot = async (name) => {
    mkdirSync(pictures, {recursive: true});
    writeFileSync(join(pictures, `${name}.png`), await tab.picture());
};

await part('a hand is pulled', async () => {
    await tab.until(QUIET);
    const before = await tab.evaluate(PALM);
    const [x, y] = await tab.evaluate((palm) => window.studio.view.toScreen(palm), before);
    await tab.drag([x, y], [x + 60, y - 90]);
    await tab.until(QUIET);
    const after = await tab.evaluate(PALM);
    check('the hand went along', distance(before, after) > 0.15, [before, after]);
    await shot('firefox');
    check('it is a step', await tab.evaluate(() => window.studio.store.past.length) === 1);
    await tab.evaluate(() => document.getElementById('view').focus());
    await tab.press('p');
    await tab.until(QUIET);
    check('P pins it', await tab.evaluate(() => (window.studio.store.doc.constraints ?? []).length) === 1);
    await tab.evaluate(() => window.studio.store.travel(-2));
    check('undo takes it back', distance(before, await tab.evaluate(PALM)) < 1e-6);
});

await part('every panel opens', async () => {
    for (const name of ['joints', 'method', 'poses', 'show', 'goals']) {
        const isSeen = await tab.evaluate(async (tabName) => {
            document.getElementById(`tab-${tabName}`).click();
            await new Promise((done) => { requestAnimationFrame(done); });
            return document.getElementById(`panel-${tabName}`).checkVisibility();
        }, name);
        check(`${name} is seen`, isSeen);
    }
    await tab.press('t');
    await tab.until(() => document.getElementById('timeline-body').checkVisibility());
    await shot('firefox-timeline');
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check('nothing is wider than the window', wide <= 0, wide);
});

const errors = firefox.log.filter(({level}) => level === 'error').map(({text}) => text);
check('the console has no error', errors.length === 0, errors.slice(0, 5));
await firefox.close();
server.stop();
finish();
