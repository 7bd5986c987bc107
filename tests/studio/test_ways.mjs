// Other ways than a mouse: the keyboard alone, fingers, and what a screen reader is told.

import {check, closeAll, distance, finish, open, part, say} from './harness.mjs';

const FEET = ['right_toe', 'left_toe']; // heels may rise

// --- the keyboard alone ----------------------------------------------------------------------------------------------

await part('the keyboard alone', async () => {
    const hands = await open({});
    const {page} = hands;
    const focused = () => page.evaluate(() => {
        const {activeElement: one} = document;
        return one && (one.getAttribute('aria-label') ?? one.textContent).trim();
    });

    // Tab goes through everything and comes back; nothing is a trap.
    const stops = [];
    for (let k = 0; k < 80; k++) {
        await page.keyboard.press('Tab');
        stops.push(await page.evaluate(() => document.activeElement.id || document.activeElement.dataset.command
            || document.activeElement.getAttribute('aria-label') || document.activeElement.nodeName));
    }
    check('Tab reaches the view', stops.includes('view'), stops);
    check('Tab reaches the tabs', stops.some((stop) => /tab-goals/.test(stop)), stops);
    check('every stop can be seen', await page.evaluate(() => {
        const style = getComputedStyle(document.activeElement, ':focus-visible');
        return style.outlineStyle !== 'none' || style.boxShadow !== 'none';
    }) || stops.at(-1) === 'BODY', stops.at(-1));

    // Pick a part by the joints' list, pin it, move it.
    await page.locator('#view').focus(); // in a field a 2 would be a number
    await hands.key('2');
    check('2 shows the joints', await page.locator('#panel-joints').isVisible());
    await page.locator('#panel-joints').getByRole('slider').first().focus();
    const before = await hands.pose();
    await hands.key('ArrowRight');
    await hands.key('ArrowRight');
    check('arrows move a joint', (await hands.pose()).some((value, k) => value !== before[k]));
    await hands.key('Control+z');
    check('Ctrl+Z takes it back', (await hands.pose()).every((value, k) => Math.abs(value - before[k]) < 1e-12));

    await page.locator('#view').focus();
    for (let k = 0; k < 30 && await hands.read(({store}) => store.selection?.name) !== 'right_hand'; k++) {
        await hands.key('n');
    }
    const picked = await hands.read(({store}) => store.selection?.name);
    check('N goes from part to part', Boolean(picked), picked);
    if (picked) {
        const stood = await hands.sites(FEET);
        const pose = await hands.pose();
        await page.locator('#view').focus();
        await hands.key('Shift+ArrowUp');
        await hands.settle(200);
        check('arrows move the picked part', (await hands.pose()).some((value, k) => value !== pose[k]));
        check(
            'the feet stay', Math.max(...(await hands.sites(FEET)).map((foot, k) => distance(foot, stood[k]))) < 0.002);
        const count = await hands.read(({store}) => store.doc.constraints.length);
        await hands.key('p');
        check('P pins it', await hands.read(({store}) => store.doc.constraints.length) === count + 1);
        await hands.key('a');
        check('A opens the menu of goals', await page.getByRole('menu').isVisible());
        await hands.key('Escape');
        check('Escape closes it', await page.getByRole('menu').count() === 0);
    }
    await hands.key('m');
    await hands.key('r');
    await hands.key('b');
    check('B switches the balance',
        await hands.read(({store}) => store.doc.body.balance === false));
    check('no message complains', (await hands.messages()).every(({kind}) => kind !== 'error'), await hands.messages());
    await hands.close();
});

// --- fingers ---------------------------------------------------------------------------------------------------------

await part('fingers', async () => {
    const hands = await open({width: 1024, height: 768, touch: true});
    const touch = await hands.context.newCDPSession(hands.page);
    const send = (type, points) => touch.send('Input.dispatchTouchEvent', {type,
        touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    const stroke = async (froms, tos, steps = 10) => {
        await hands.atOnce(async () => { // else it would be a long press
            await send('touchStart', froms);
            for (let k = 1; k <= steps; k++) {
                await send('touchMove',
                    froms.map((from, n) => from.map((value, axis) => value + (tos[n][axis] - value) * k / steps)));
                await hands.frames();
            }
        });
        await hands.settle(120);
        await send('touchEnd', []);
        await hands.settle();
    };
    const stood = await hands.sites(FEET);
    const from = await hands.pixelOf('right_hand');
    const palm = await hands.site('right_palm');
    const to = [from[0] - 30, from[1] - 100];
    await stroke([from], [to]);
    check(
        'a finger drags a hand', distance(await hands.site('right_palm'), palm) > 0.05, await hands.site('right_palm'));
    check('the feet stay', Math.max(...(await hands.sites(FEET)).map((foot, k) => distance(foot, stood[k]))) < 0.002);
    await hands.picture('touch-drag');
    const document = await hands.doc();
    const seen = await hands.toScreen([0, 0, 1]);
    const box = await hands.page.locator('#view').boundingBox();
    const beside = [box.x + 40, box.y + 60];
    await stroke([beside], [[beside[0] + 80, beside[1]]]);
    check('a finger beside it turns the view', distance(await hands.toScreen([0.5, 0, 1]), seen) > 1);
    check('and changes nothing else', await hands.doc() === document);
    const apart = async () => distance(await hands.toScreen([0, 0, 0]), await hands.toScreen([0, 0, 1.5]));
    const height = await apart();
    const center = [box.x + box.width - 120, box.y + 120];
    await stroke([[center[0] - 20, center[1]], [center[0] + 20, center[1]]],
        [[center[0] - 70, center[1]], [center[0] + 70, center[1]]]);
    check('two fingers bring it nearer', await apart() > 1.1 * height, {was: height, is: await apart()});
    const hand = await hands.pixelOf('right_hand').catch(() => null);
    if (hand) {
        await hands.page.touchscreen.tap(...hand);
        await hands.settle(200);
        check('a tap picks', await hands.read(({store}) => store.selection?.name) === 'right_hand');
    }
    await hands.close();
});

// --- a screen reader -------------------------------------------------------------------------------------------------

await part('what a screen reader is told', async () => {
    const hands = await open();
    const roles = await hands.page.evaluate(() => ['#status', '#messages', '#progress'].map((id) =>
        document.querySelector(id).getAttribute('aria-live')));
    check('what happens is said', roles.every(Boolean), roles);
    const view = await hands.page.locator('#view').getAttribute('aria-label');
    check('the view says what it is', view?.length > 10, view);
    await hands.drop([{name: 'broken.fig', bytes: Buffer.from('figure {')}]);
    check('an error is an alert', await hands.page.getByRole('alert').count() > 0);
    await hands.close();
});

await closeAll();
finish();
