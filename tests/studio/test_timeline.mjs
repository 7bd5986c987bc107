// The timeline by hand: keys that are added, dragged, boxed in, copied, changed and undone; auto-key; ghosts; motion
// capture that is taken apart.

import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, distance, finish, open, say, shared, top} from './harness.mjs';

const hands = await open();
const {page} = hands;
const state = () => hands.read(({store}) => ({
    time: store.timeline.player.time,
    end: store.timeline.player.end,
    picked: store.timeline.keys.picked,
    tracks: store.doc.motion?.tracks ?? [],
    past: store.past.map((step) => step.label)
}));
const track = async (target, name) => (await state()).tracks.find((one) => one[target] === name);
const timesOf = async (target, name) => (await track(target, name))?.keys.map((key) => Number(key.time.toFixed(3)));
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');
const keyOf = (lane, index) => page.locator(`.tl-row[data-lane="${lane}"] .tl-key`).nth(index);
const settled = async () => {
    await hands.settle();
    await page.evaluate(() => window.studio.store.timeline.player.settled());
    await hands.settle();
};

/** Where a time is on the ruler. */
async function atTime(time) {
    const box = await page.locator('[data-timeline=ruler]').boundingBox();
    const {from, to} = await hands.read(({store}) => store.timeline.range);
    return [box.x + ((time - from) / (to - from)) * box.width, box.y + box.height / 2];
}

async function seek(time) {
    await page.mouse.click(...await atTime(time));
    await settled();
}

async function pressIn(lane, index, keys) {
    await keyOf(lane, index).focus();
    await page.keyboard.press(keys);
    await settled();
}

say('a reach in two gestures: go to a time, pull');
{
    if (!await hands.read(({store}) => store.settings.timelineOpen)) await hands.key('t');
    const feet = ['left_toe', 'right_toe'], before = await hands.sites(feet); /* heels may rise */
    const palm = await hands.site('right_palm');
    await seek(1);
    const [x, y] = await hands.pixelOf('right_hand');
    await hands.drag([x, y], [x + 30, y - 60]); /* so near that nobody would step */
    await settled();
    const reached = await hands.site('right_palm'), {tracks} = await state();
    check('keys of what moved', tracks.length > 5 && tracks.every((one) => one.keys.length === 2), tracks.length);
    const slid = [];
    for (const time of [0, 0.4, 0.8, 1]) {
        await seek(time);
        const now = await hands.sites(feet);
        slid.push(Math.max(...now.map((place, k) => distance(place, before[k]))));
    }
    check('the toes stand in the keys', Math.max(slid[0], slid[3]) < 1e-4, slid);
    check('and nearly so between them, where joints are interpolated', Math.max(...slid) < 5e-3, slid);
    check('the hand is there at the end', distance(await hands.site('right_palm'), reached) < 2e-3);
    await seek(0);
    check('and was not at the beginning', distance(await hands.site('right_palm'), palm) < 2e-3);
    await hands.picture('timeline-reach');
}

say('a goal that moves');
{
    await hands.drop([join(top, 'examples/reach_over_time.json')]);
    if (!await hands.read(({store}) => store.settings.timelineOpen)) await hands.key('t');
    check('its tracks are lanes', await page.locator('.tl-row').count() === 2, await page.locator('.tl-row').count());
    await seek(2);
    const palm = await hands.site('right_palm');
    check('the hand is where the goal is at 2 s', distance(palm, [0.4, 0.1, 1.45]) < 2e-3, palm);
    const shown = await hands.read(({store}) => store.frame.goals?.find(({name}) => name === 'hand')?.position);
    check('and the goal is shown there', shown && distance(shown, [0.4, 0.1, 1.45]) < 1e-6, shown);
    await hands.picture('timeline-goal');
}

say('keys by pointer');
{
    const from = await keyOf('goal:hand', 1).boundingBox(), to = await atTime(1.5);
    await hands.drag([from.x + from.width / 2, from.y + from.height / 2], [to[0], from.y + from.height / 2]);
    check('a key is dragged', JSON.stringify(await timesOf('goal', 'hand')) === '[0,1.5,2,3]',
        await timesOf('goal', 'hand'));
    await hands.key('Control+z');
    check('and back by undo', JSON.stringify(await timesOf('goal', 'hand')) === '[0,1,2,3]',
        await timesOf('goal', 'hand'));
    await keyOf('goal:hand', 2).click({button: 'right'});
    check('a right click opens the menu of keys', await page.getByRole('menu', {name: 'Keys'}).isVisible());
    await page.keyboard.press('Escape');
    const first = await keyOf('goal:eyes', 1).boundingBox(), last = await keyOf('goal:hand', 2).boundingBox();
    await hands.drag([first.x - 12, first.y + 2], [last.x + last.width + 12, last.y + last.height - 2]);
    check('a box picks keys', (await state()).picked.length === 4, (await state()).picked);
    await keyOf('goal:hand', 1).focus();
    await page.keyboard.press('Control+c');
    await seek(2.5);
    await keyOf('goal:hand', 1).focus();
    await page.keyboard.press('Control+v');
    await settled();
    check('they are pasted at the playhead', JSON.stringify(await timesOf('goal', 'eyes')) === '[0,1,2,2.5,3,3.5]',
        await timesOf('goal', 'eyes'));
    check('the end is the last key\'s', (await state()).end === 3.5, (await state()).end);
    await page.keyboard.press('Delete');
    await settled();
    check('and deleted', JSON.stringify(await timesOf('goal', 'hand')) === '[0,1,2,3]', await timesOf('goal', 'hand'));
    await hands.key('Control+z');
    await hands.key('Control+z');
    check('undo brings back what was there', JSON.stringify(await timesOf('goal', 'eyes')) === '[0,1,2,3]');
}

say('keys by keyboard');
{
    await pressIn('goal:hand', 1, 'Enter');
    check('Enter picks', (await state()).picked.length === 1, (await state()).picked);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    check('arrows walk', /eyes goal, key at 2\.00 seconds, cubic/.test(label), label);
    await pressIn('goal:hand', 2, 'Alt+ArrowRight');
    check('with Alt they move a key by a frame', (await timesOf('goal', 'hand'))[2] === 2.033,
        await timesOf('goal', 'hand'));
    await hands.key('Control+z');
    await pressIn('goal:hand', 1, 'Enter');
    await page.locator('.tl-form select').selectOption('step');
    await settled();
    check('the way to the next key', (await track('goal', 'hand')).keys[1].interpolation === 'step');
    await page.locator('.tl-form .triple input').nth(2).fill('1.25');
    await page.keyboard.press('Enter');
    await settled();
    check('a number of a key', (await track('goal', 'hand')).keys[1].point[2] === 1.25, await track('goal', 'hand'));
    await seek(1);
    const palm = await hands.site('right_palm');
    check('and the hand follows', Math.abs(palm[2] - 1.25) < 2e-3, palm);
    await hands.key('Control+z');
    await hands.key('Control+z');
    check('both undone', (await track('goal', 'hand')).keys[1].interpolation === 'cubic');
}

say('auto-key');
{
    await seek(2.5);
    const before = (await state()).past.length, [x, y] = await hands.pixelOf('left_hand');
    await hands.drag([x, y], [x + 60, y - 90]);
    await settled();
    const palm = await hands.site('left_palm'), now = await state();
    check('what is posed at a time is keyed there',
        now.tracks.some((one) => one.variable && one.keys.at(-1).time === 2.5), now.tracks.map((one) => one.variable));
    check('as one step of the history', now.past.length === before + 1, now.past);
    await seek(0);
    check('at the beginning it is as it was', distance(await hands.site('left_palm'), palm) > 0.02);
    await seek(2.5);
    check('and there as it was posed', distance(await hands.site('left_palm'), palm) < 5e-3,
        await hands.site('left_palm'));
    await hands.picture('timeline-keys');
    await hands.key('Control+z');
    await settled();
    check('one undo takes all of it', !(await state()).tracks.some((one) => one.variable));
}

say('pins and goals on and off');
{
    await hands.read(({store}) => store.select({kind: 'constraint', figure: 0, name: 'hand'}));
    await seek(1.5);
    await page.locator('.tl-more').click();
    await page.getByRole('menuitem', {name: /on or off here/}).click();
    await settled();
    const keys = (await track('enabled', 'hand'))?.keys.map(({time, value}) => [time, value]);
    check('off from there on', JSON.stringify(keys) === '[[0,1],[1.5,0]]', keys);
    check('shown as stretches', await page.locator('.tl-row[data-lane="enabled:hand"] .tl-span').count() === 2);
    await hands.key('Control+z');
    const pin = 'pin left_toe', before = await hands.doc();
    await hands.read(({store}, name) => store.select({kind: 'constraint', figure: 0, name}), pin);
    await page.locator('#view').focus();
    await hands.key('p');
    await settled();
    const on = async () => (await track('enabled', pin))?.keys.map(({time, value}) => [time, value]);
    check('P at a time lets go from there on', JSON.stringify(await on()) === '[[0,1],[1.5,0]]', await on());
    await seek(2);
    await page.locator('#view').focus();
    await hands.key('p');
    await settled();
    check('and holds again', JSON.stringify(await on()) === '[[0,1],[1.5,0],[2,1]]', await on());
    const places = (await track('goal', pin)).keys.map(({time, point}) => [time, point]);
    const toe = await hands.site('left_toe');
    check('where it is then', places.length === 2 && places[1][0] === 2 && distance(places[1][1], toe) < 1e-3,
        [places, toe]);
    await page.locator('#view').focus();
    for (let k = 0; k < 4 && await hands.doc() !== before; k++) await hands.key('Control+z');
    check('undone', await hands.doc() === before);
}

say('ghosts');
{
    await page.getByRole('button', {name: /^Ghosts/}).click();
    await page.getByRole('menuitemradio', {name: '2 each'}).click();
    await seek(1.5);
    await page.waitForFunction(() => window.studio.store.timeline.ghosts.kept.size >= 4);
    const count = await hands.read(({store}) => store.timeline.ghosts.wanted.length);
    check('two before and two after', count === 4, count);
    const pose = await hands.pose();
    await hands.settle(200);
    check('the pose itself stays', (await hands.pose()).every((value, k) => value === pose[k]));
    await hands.picture('timeline-ghosts');
    await page.getByRole('button', {name: /^Ghosts/}).click();
    await page.getByRole('menuitemradio', {name: 'None'}).click();
    check('and gone', await hands.read(({store}) => store.timeline.ghosts.wanted.length) === 0);
}

const walk = shared('bvh/cmu/02_01_walk.bvh');
if (walk && existsSync(walk)) {
    say('motion capture');
    await hands.drop([walk]);
    await seek(1);
    const pose = await hands.pose();
    check('feet that stand are lanes', await page.locator('.tl-span.is-contact').count() > 2,
        await page.locator('.tl-span.is-contact').count());
    await page.locator('[data-timeline=take]').click();
    await settled();
    const start = await hands.read(({store}) => Object.values(store.doc.start));
    check('a frame is taken as start', start.every((value, k) => Math.abs(value - pose[k]) < 1e-9));
    const offs = await hands.read(
        ({store}) => store.frame.constraints.filter(({name}) => /^pin/.test(name)).map(({distance}) => distance));
    check('and pins hold the parts there', offs.length > 0 && offs.every((off) => off < 1e-6), offs);
    await hands.picture('timeline-mocap');
    await page.locator('[data-timeline=bake]').click();
    await page.getByRole('menuitem', {name: '10 keys a second'}).click();
    await page.waitForFunction(() => window.studio.store.doc.motion?.tracks?.length > 10);
    await settled();
    await seek(1);
    const baked = await hands.pose(), off = Math.max(...baked.map((value, k) => Math.abs(value - pose[k])));
    check('its keys are the motion', off < 1e-4, off);
    await hands.key('Control+z');
    check('undone', !(await hands.read(({store}) => store.doc.motion)));
    await page.locator('[data-timeline=retarget]').click();
    await page.getByRole('menuitem', {name: /Human/}).click();
    await page.waitForFunction(() => window.studio.store.scene.figures[0].name === 'human');
    await settled();
    await seek(1);
    check('the human does it', await hands.read(({store}) => store.scene.motion?.kind) === 'clip');
    await hands.picture('timeline-retarget');
}
check('no error was told', (await errors()).length === 0, await errors());
await hands.close({mayShift: 0.1});
await closeAll();
finish();
