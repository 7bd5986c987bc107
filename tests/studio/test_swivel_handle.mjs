// The swivel handle in the page: the elbow is turned by the pointer, by keys and by a number, while the hand stays;
// each
// is one step to undo; Escape takes it back.

import {check, closeAll, distance, finish, open, part} from './harness.mjs';

/** Where the handle is seen, and the angle of the limb. */
const HANDLE = ({view}) => {
    view.draw();
    const stroke = view.gizmo.strokes.find(({name}) => name === 'swivel');
    return stroke && {at: view.toScreen(stroke.points[0]), angle: view.swivel.circle.angle * 180 / Math.PI,
        axis: view.toScreen(view.swivel.circle.center)};
};

/** Lifts the hand before the body, and picks it. */
async function bend(hands) {
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] + 40, from[1] - 90]);
    await hands.read(({store}) => store.select({kind: 'segment', figure: 0, name: 'right_hand'}));
    await hands.frames(3);
    return hands.site('right_palm');
}

await part('by a mouse', async () => {
    const hands = await open({scale: 1});
    check('nothing is picked: no handle', !await hands.read(HANDLE));
    const palm = await bend(hands), first = await hands.read(HANDLE);
    check('a picked hand has a handle at its elbow', Boolean(first));
    await hands.picture('swivel');
    const steps = await hands.read(({store}) => store.past.length);
    const out = [first.at[0] - first.axis[0], first.at[1] - first.axis[1]];
    const across = [-out[1], out[0]];
    await hands.drag(first.at, [first.at[0] + 0.5 * across[0], first.at[1] + 0.5 * across[1]]);
    const second = await hands.read(HANDLE);
    check('the elbow went round', Math.abs(second.angle - first.angle) > 5, [first.angle, second.angle]);
    check('the hand stays', distance(palm, await hands.site('right_palm')) < 1e-4, distance(palm,
        await hands.site('right_palm')));
    check('it is one step', await hands.read(({store}) => store.past.length) === steps + 1);
    await hands.picture('swivel-turned');
    await hands.key('Control+z');
    check('undo brings it back', Math.abs((await hands.read(HANDLE)).angle - first.angle) < 0.1);
    const now = await hands.read(HANDLE);
    await hands.drag(now.at, [now.at[0] + 0.5 * across[0], now.at[1] + 0.5 * across[1]], {hold: true});
    await hands.page.locator('#view').focus();
    await hands.page.keyboard.press('Escape');
    await hands.page.mouse.up();
    await hands.settle();
    check('Escape takes it back', Math.abs((await hands.read(HANDLE)).angle - first.angle) < 0.1);
    await hands.close();
});

await part('by keys and numbers', async () => {
    const hands = await open();
    const palm = await bend(hands), first = await hands.read(HANDLE);
    await hands.page.locator('#view').focus();
    await hands.key('Alt+ArrowRight');
    const second = await hands.read(HANDLE);
    const by = second.angle - first.angle;
    await hands.key('Alt+ArrowLeft');
    const third = await hands.read(HANDLE);
    check('Alt and an arrow turn it by 5 degrees, or to a limit', Math.abs(by - 5) < 0.1
        || Math.abs(third.angle - second.angle + 5) < 0.1,
        [first.angle, second.angle, third.angle]);
    await hands.key('v');
    await hands.page.locator('dialog[open]').waitFor();
    const input = hands.page.locator('dialog[open] input');
    const wanted = third.angle - 3;
    await input.fill(wanted.toFixed(2));
    await input.press('Enter');
    await hands.page.locator('[data-command="swivel-go"]').click();
    await hands.settle();
    const fourth = await hands.read(HANDLE);
    check('a number is where it goes', Math.abs(fourth.angle - wanted) < 0.2, [wanted, fourth.angle]);
    check('what came of it is said',
        /is there/.test(await hands.page.locator('dialog[open] [role=status]').innerText()));
    check('the hand stays', distance(palm, await hands.site('right_palm')) < 1e-4);
    await hands.picture('swivel-number');
    await hands.key('Escape');
    await hands.close();
});

await closeAll();
finish();
