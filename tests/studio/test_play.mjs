// What moves: scripts, motion capture, keys of one's own; playing, scrubbing, undo.

import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, finish, open, part, say, shared, top} from './harness.mjs';

const hands = await open();
const {page} = hands;
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');
const matrices = () => hands.read(({store}) => [...store.frame.matrices]);
const differ = (a, b) => a.length !== b.length || a.some((value, k) => Math.abs(value - b[k]) > 1e-6);

/** Plays until some pictures are drawn, over and over where it is short; how many different poses were seen. */
async function play(pictures = 15) {
    await page.locator('#view').focus();
    await page.keyboard.press('Space');
    const seen = new Set();
    for (let k = 0; k < pictures || (seen.size < 6 && k < 1000); k++) {
        seen.add(JSON.stringify((await matrices()).map((value) => Math.round(1e5 * value))));
        await hands.frames();
    }
    await page.keyboard.press('Space');
    await hands.settle(100);
    return seen.size;
}

await part('a script', async () => {
    await hands.drop([join(top, 'examples/arm.scefo')]);
    check('it is opened', (await errors()).length === 0, await errors());
    const motion = await hands.read(({store}) => ({...store.scene.motion, tracks: undefined, lanes: undefined}));
    check('it has a motion', motion?.end > 0, motion);
    if (!await hands.read(({store}) => store.settings.timelineOpen)) await hands.key('t');
    check('the timeline is open', await page.locator('#timeline-body').isVisible());
    const poses = await play();
    say(`    ${poses} poses seen, of ${motion.end} s`);
    check('it plays', poses > 4, poses);
    await hands.picture('play-script');
    const stopped = await matrices();
    await hands.frames(20);
    check('and stops', !differ(stopped, await matrices()));
    await hands.key('.');
    check('a frame further', differ(stopped, await matrices()));
    await hands.key(',');
    check('and back', !differ(stopped, await matrices()));
});

const walk = shared('bvh/cmu/02_01_walk.bvh');
if (walk && existsSync(walk)) {
    say('motion capture');
    await hands.drop([walk]);
    check('it is opened', (await errors()).length === 0, await errors());
    const motion =
        await hands.read(({store}) => ({kind: store.scene.motion?.kind, count: store.scene.motion?.frameCount}));
    check('it is a clip', motion.kind === 'clip' && motion.count > 100, motion);
    check('it plays', await play() > 4);
    await hands.picture('play-mocap');
}

await part('keys of one\'s own', async () => {
    await hands.file('Models');
    await page.getByRole('menuitem', {name: /^human/}).first().click();
    await hands.settle(300);
    const before = await hands.doc();
    if (!await hands.read(({store}) => store.settings.timelineOpen)) await hands.key('t');
    await page.locator('#view').focus();
    await hands.key('k');
    const tracks = await hands.read(({store}) => store.doc.motion?.tracks?.length ?? 0);
    check('K makes a key', tracks > 0, await hands.read(({store}) => store.doc.motion));
    // later, in another pose, another key
    const slider = page.locator('#timeline').getByRole('slider').first();
    await slider.focus();
    for (let k = 0; k < 5; k++) await hands.key('PageUp');
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] - 40, from[1] - 140]);
    await page.locator('#view').focus();
    await hands.key('k');
    const times = await hands.read(({store}) => Math.max(...store.doc.motion.tracks.map((track) =>
        (track.keys ?? track.times ?? []).length)));
    check('the second is another', times >= 2,
        await hands.read(({store}) => JSON.stringify(store.doc.motion).slice(0, 500)));
    await hands.key('Home');
    check('it plays', await play() > 4);
    await hands.picture('play-keys');
    for (let k = 0; k < 6 && await hands.doc() !== before; k++) await hands.key('Control+z');
    check('undo covers keys', await hands.doc() === before);
});
check('no error was told', (await errors()).length === 0, await errors());

await hands.close();
await closeAll();
finish();
