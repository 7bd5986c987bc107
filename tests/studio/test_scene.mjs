// A first visit: a person at a table, hints where they can be tried, which go for good; things that hands hold and
// bodies keep out of; people of any stature.

import {check, closeAll, distance, finish, open, part, ready} from './harness.mjs';

const SIZES = [[1280, 720, false, false], [1920, 1080, false, true], [820, 1180, true, false], [360, 640, true, true]];
const hint = (hands) => hands.page.locator('.hint');
const figureOf = (hands, name) => hands.read(({store}, own) =>
    store.scene.figures.findIndex((figure) => figure.name === own), name);

/** Where the middle of a thing is. */
const place = async (hands, name) => hands.read(({store}, k) => {
    const at = 12 * store.scene.figures[k].firstSegment, m = store.frame.matrices;
    return [m[at + 3], m[at + 7], m[at + 11]];
}, await figureOf(hands, name));

/** Where the hint's line ends, in the window. */
const leadsTo = (hands) => hands.page.locator('.hint-lead').evaluate((line) => {
    const stage = line.offsetParent.getBoundingClientRect();
    const end = new DOMMatrix(getComputedStyle(line).transform).transformPoint({x: line.offsetWidth, y: 0});
    return [stage.x + end.x, stage.y + end.y];
});

for (const [width, height, touch, dark] of SIZES) {
    await part(`the scene at ${width} x ${height}${dark ? ', dark' : ''}`, async () => {
        const hands = await open({width, height, touch, dark, first: true, scale: 1});
        await hands.settle(300);
        await hands.picture(`scene-${width}x${height}-${dark ? 'dark' : 'light'}`);
        const names = await hands.read(({store}) => store.scene.figures.map(({name}) => name).join());
        check('a person, a table, a mug, a shelf, a box, a robot', names === 'human,table,mug,shelf,box,robot',
            names);
        check('no dialog', await hands.page.locator('dialog[open]').count() === 0);
        const box = await hint(hands).boundingBox();
        check('the hint is in sight', box && box.x >= 0 && box.x + box.width <= width && box.y >= 0, box);
        for (const site of ['viewpoint', 'right_palm', 'left_palm', 'left_toe']) {
            const [x, y] = await hands.toScreen(await hands.site(site));
            check(`and not over the ${site}`, x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height,
                {box, x, y});
        }
        await hands.close();
    });
}

await part('three hints, one after the other, for good', async () => {
    const hands = await open({first: true});
    const {page} = hands;
    await hands.settle(300);
    const palm = await hands.toScreen(await hands.site('right_palm'));
    const end = await leadsTo(hands);
    check('the first leads to the hand', Math.hypot(end[0] - palm[0], end[1] - palm[1]) < 4, {palm, end});
    check('and says what to do', /Pull this hand/.test(await hint(hands).innerText()), await hint(hands).innerText());
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] + 40, from[1] - 40]);
    check('then the next', /press P/.test(await hint(hands).innerText()), await hint(hands).innerText());
    await hands.pick('left_hand');
    await hands.key('p');
    check('then the last', /turn the view/.test(await hint(hands).innerText()), await hint(hands).innerText());
    await hands.drag([40, 600], [160, 590]);
    await hands.settle(300);
    check('then none', await hint(hands).count() === 0);
    await page.reload();
    await ready(page);
    await hands.settle(300);
    check('they do not come again', await hint(hands).count() === 0);
    await hands.key('?');
    await page.getByRole('button', {name: 'Show the hints'}).click();
    await hands.settle(300);
    check('unless they are asked for', await hint(hands).isVisible());
    await page.getByRole('button', {name: 'No more hints'}).click();
    check('and can be closed', await hint(hands).count() === 0);
    await hands.close();
});

await part('hands hold things, which go along; things that are pulled stay upright', async () => {
    const hands = await open({first: true});
    const mug = await figureOf(hands, 'mug');
    await hands.pick('mug', mug);
    await hands.key('h');
    await hands.settle(200);
    check('the mug is held', await hands.read(({store}) => store.frame.constraints.find(({name}) =>
        name === 'hold mug')?.met),
        await hands.messages());
    check('in one step', await hands.read(({store}) => store.past.length) === 1,
        await hands.read(({store}) => store.past.map(({label}) => label)));
    await hands.picture('scene-held');
    const before = await place(hands, 'mug');
    const from = await hands.pixelOf('right_forearm');
    await hands.drag(from, [from[0], from[1] - 50]);
    const after = await place(hands, 'mug');
    check('it goes along', distance(before, after) > 0.02, {before, after});
    check('in the hand', await hands.read(({store}) => store.frame.constraints.find(({name}) =>
        name === 'hold mug').met));
    await hands.picture('scene-carried');
    await hands.pick('mug', mug);
    await hands.key('h');
    check('put down', await hands.read(({store}) => store.doc.constraints.length) === 0,
        [await hands.messages(), await hands.read(({store}) => [store.selection, store.doc.constraints,
            store.doc.inactive])]);
    const box = await figureOf(hands, 'box');
    const upright = () => hands.read(({store}, k) =>
        store.frame.matrices[12 * store.scene.figures[k].firstSegment + 10], box);
    const [was, pixel] = [await place(hands, 'box'), await hands.pixelOf('box', box)];
    await hands.drag(pixel, [pixel[0] - 60, pixel[1] - 20]);
    check('the box is moved', distance(was, await place(hands, 'box')) > 0.05);
    check('and stays upright', Math.abs(await upright() - 1) < 1e-4, await upright());
    await hands.close();
});

await part('a thing more, and a body that keeps out of it', async () => {
    const hands = await open({});
    const {page} = hands;
    await hands.command('open');
    await page.getByRole('menuitem', {name: /^Add a thing/}).click();
    await page.locator('.menu [data-command="prop-table"]').click();
    await hands.settle(200);
    check('a table', (await hands.read(({store}) => store.scene.figures.map(({name}) =>
        name).join())) === 'human,table',
        await hands.messages());
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] + 130, from[1] + 40]);
    const {overlap} = await hands.read(({store}) => store.frame.body[0]);
    check('nothing of the body is in it', overlap < 1e-3, overlap);
    check('it stays where it is', distance(await place(hands, 'table'), [0.75, 0, 0]) < 1e-6, await place(hands,
        'table'));
    await hands.close();
});

await part('people of any stature', async () => {
    const hands = await open({});
    const entry = hands.page.getByLabel('Stature, 1.40 to 2.05 m');
    await entry.fill('1.5');
    await entry.press('Enter');
    await hands.settle(200);
    const {head, toe, stature} = {head: await hands.site('viewpoint'), toe: await hands.site('left_toe'),
        stature: await hands.read(({store}) => store.doc.figures[0].stature)};
    check('is 1.50 m', stature === 1.5, stature);
    check('as tall', head[2] > 1.3 && head[2] < 1.48, head);
    check('on the ground', Math.abs(toe[2]) < 2e-3, toe);
    await entry.fill('3');
    await entry.press('Enter');
    check('nobody is 3 m tall', await entry.getAttribute('aria-invalid') === 'true');
    await hands.close();
});

await closeAll();
finish();
