// Several goals at once: chosen with Shift in the view or the list, moved by one gizmo as one body, the figure follows;
// by numbers, too; one step to undo; Escape takes it back.

import {check, closeAll, distance, finish, open, part} from './harness.mjs';

const POINTS = ({store}) => store.doc.constraints.map(({goal}) => goal.point);
const lengthOf = ([a, b]) => distance(a, b);

/** Pins both hands, a little before the body. */
async function withTwo() {
    const hands = await open({scale: 1});
    for (const side of ['right', 'left']) {
        const from = await hands.pixelOf(`${side}_hand`);
        await hands.drag(from, [from[0] + 20, from[1] - 70]);
        await hands.read(({store}, name) => store.select({kind: 'segment', figure: 0, name}), `${side}_hand`);
        await hands.page.locator('#view').focus();
        await hands.key('p');
    }
    return hands;
}

const near = (a, b, most) => a.every((value, k) => Math.abs(value - b[k]) < most);

await part('by the pointer', async () => {
    const hands = await withTwo();
    const {page} = hands;
    const before = await hands.read(POINTS);
    check('there are two goals', before.length === 2, before);
    const rows = page.locator('#panel-goals .choose');
    await rows.nth(0).click();
    await hands.settle();
    await rows.nth(1).click({modifiers: ['Shift']});
    await hands.settle();
    check('two are chosen together', await page.locator('.goal.together').count() === 2);
    await hands.picture('together');
    const steps = await hands.read(({store}) => store.past.length);
    const handle = await hands.read(({view}) => {
        view.draw();
        const stroke = view.gizmo.strokes.find(({name}) => name === 'move 2');
        return view.toScreen(stroke.points[1]);
    });
    await hands.drag(handle, [handle[0], handle[1] - 60]);
    const after = await hands.read(POINTS);
    const shifts = after.map((point, k) => point.map((value, i) => value - before[k][i]));
    check('both went up, by as much', shifts[0][2] > 0.05 && near(shifts[0], shifts[1], 1e-6)
        && Math.abs(shifts[0][0]) < 1e-6, shifts);
    check('it is one step', await hands.read(({store}) => store.past.length) === steps + 1);
    const off = await hands.read(({store}) => Math.max(...store.frame.constraints.map((one) => one.distance)));
    check('the hands are there', off < 0.005, off);
    check('they are still chosen together', await page.locator('.goal.together').count() === 2);
    await hands.picture('together-moved');
    await page.locator('#view').focus();
    await hands.key('Control+z');
    check('undo brings both back', near((await hands.read(POINTS)).flat(), before.flat(), 1e-9));
    await hands.close();
});

await part('by numbers', async () => {
    const hands = await withTwo();
    const {page} = hands, before = await hands.read(POINTS);
    await page.locator('[data-command="several-goals"]').click();
    await page.locator('dialog[open]').waitFor();
    check('all are chosen', await page.locator('dialog[open] input[type=checkbox]:checked').count() === 2);
    const fill = async (label, text) => {
        const input = page.getByLabel(label, {exact: true});
        await input.fill(text);
        await input.press('Tab');
    };
    await fill('Move along z', '5cm');
    await fill('Turn about z', '10');
    await page.locator('[data-command="several-go"]').click();
    await hands.settle();
    const after = await hands.read(POINTS);
    check('they stay as far apart', Math.abs(lengthOf(before) - lengthOf(after)) < 1e-9, [lengthOf(before),
        lengthOf(after)]);
    const middle = (points) => [0, 1, 2].map((i) => (points[0][i] + points[1][i]) / 2);
    check('their middle went up by 5 cm', near(middle(after).map((value, i) => value - middle(before)[i]), [0, 0, 0.05],
        1e-9), [middle(before), middle(after)]);
    const angle = ([a, b]) => Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI;
    const by = angle(after) - angle(before);
    check('they turned by 10 degrees', Math.abs(Math.atan2(Math.sin((by - 10) * Math.PI / 180),
        Math.cos((by - 10) * Math.PI / 180))) < 1e-6, by);
    await hands.picture('together-numbers');
    await page.keyboard.press('Escape');
    await hands.close();
});

await closeAll();
finish();
