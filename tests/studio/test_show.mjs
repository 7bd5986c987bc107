// What the view can show of a body: efforts in colours, forces in newtons that add up to the weight; views that are
// kept.

import {check, closeAll, finish, open, part} from './harness.mjs';

await part('efforts, forces, views', async () => {
    const hands = await open({scale: 1});
    const {page} = hands;
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] + 60, from[1] + 60]);
    await hands.key('Enter');
    await hands.press('Show', 'tab');
    const isColoured = () => hands.read(({view}) => {
        const {data, count} = view.bodies.frames;
        return Array.from({length: count}, (_, k) => data[16 * k + 15]).filter((strength) => strength > 0).length;
    });
    const before = await isColoured();
    await page.locator('[data-show="effort"]').click();
    await page.locator('[data-show="forces"]').click();
    await hands.settle();
    check('every segment has a colour', await isColoured() > 50 && before < 5, [before, await isColoured()]);
    const texts = await page.locator('#overlay').innerText();
    check('forces are in newtons', /\d+ N/.test(texts), texts);
    const [sum, worst] = await hands.read(({store}) => [
        store.frame.body[0].contacts.reduce((all, {share}) => all + (share ?? 0), 0),
        store.frame.body[0].efforts[0].segment]);
    check('they carry all of the weight', Math.abs(sum - 1) < 1e-6, sum);
    check('an effort knows its segment', worst >= 0, worst);
    await hands.picture('show-effort');
    await page.locator('[data-command="keep-view"]').click();
    const camera = () => hands.read(({view}) => [view.camera.azimuth, view.camera.distance]);
    const kept = await camera();
    await page.locator('[data-view="top"]').click();
    await hands.until(async () => (await camera())[0] !== kept[0]);
    await page.locator('[data-kept="View 1"]').click();
    await hands.until(async () => Math.abs((await camera())[0] - kept[0]) < 1e-6);
    check('the view is back', Math.abs((await camera())[1] - kept[1]) < 1e-6);
    await page.getByRole('button', {name: 'Forget View 1'}).click();
    check('and forgotten', await page.locator('[data-kept]').count() === 0);
    await hands.close();
});

await part('a place in numbers', async () => {
    const hands = await open({});
    const {page} = hands;
    await hands.pick('right_hand');
    await hands.key('g');
    const entry = page.getByLabel(/^z of the/);
    await entry.fill('110cm');
    await entry.press('Tab');
    await page.locator('[data-command="place-go"]').click();
    await hands.until(async () => /It is there/.test(await page.locator('dialog[open]').innerText()));
    const before = await hands.read(({store}) => store.past.map(({label}) => label));
    check('one step', before.length === 1 && before[0] === 'Place right hand', before);
    await entry.fill('4');
    await entry.press('Tab');
    await page.locator('[data-command="place-go"]').click();
    await hands.until(async () => /short of it/.test(await page.locator('dialog[open]').innerText()));
    await hands.key('Escape');
    await hands.key('Control+z');
    await hands.picture('show-placed');
    await hands.close();
});

await closeAll();
finish();
