// The Method panel and the pose library: options in the document, methods side by side, poses kept, blended, mirrored.

import {readFileSync} from 'node:fs';
import {check, closeAll, distance, finish, open, say} from './harness.mjs';

const hands = await open({height: 900});
const {page} = hands;
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');
const options = () => hands.read(({store}) => store.doc.options ?? null);
const start = () => hands.read(({store}) => store.doc.start);

await hands.context.grantPermissions(['clipboard-read', 'clipboard-write']);
await page.locator('#view').focus();

say('method');
{
    await hands.key('3');
    await page.getByRole('radio', {name: /CCD/}).check();
    await hands.settle();
    check('the method is the document\'s', (await options())?.method === 'ccd', await options());
    await page.getByRole('radio', {name: /Jacobian/}).check();
    await hands.settle();
    await page.locator('.method-form select').selectOption('transpose');
    await hands.settle();
    check('and its variant', (await options()).jacobian === 'transpose', await options());
    await page.locator('.method-more summary').click();
    await page.getByRole('textbox', {name: 'Iterations'}).fill('40');
    await page.keyboard.press('Enter');
    await hands.settle();
    check('and its options', (await options()).iterations === 40, await options());
    await page.getByRole('textbox', {name: 'Restarts'}).fill('-1');
    await page.keyboard.press('Enter');
    await hands.settle();
    check('what is no number of restarts is marked',
        await page.getByRole('textbox', {name: 'Restarts'}).getAttribute('aria-invalid') === 'true');
    check('and not taken', (await options()).restarts === undefined);
    await page.getByRole('button', {name: 'As usual'}).click();
    await hands.settle();
    check('all as usual', await options() === null, await options());
    await hands.key('Control+z');
    check('undo', (await options())?.iterations === 40, await options());
    await hands.key('Control+y');
}

say('the last solve');
{
    await page.locator('#view').focus();
    const [x, y] = await hands.pixelOf('right_hand');
    await page.mouse.click(x, y);
    await hands.key('a');
    await page.locator('[data-goal="position"]').first().click();
    await hands.settle(200);
    await hands.read(({store}) => store.edit('Move', (draft) => {
        draft.constraints.at(-1).goal.point = [0.45, -0.2, 1.4];
    }, {solve: true}));
    await hands.settle(200);
    await hands.key('3');
    await page.waitForFunction(() => document.querySelectorAll('.plot-box.is-low .plot-curve').length === 1);
    const text = await page.locator('.method-last').innerText();
    check('it is told', /^Solved: .* iterations?, .* evaluations?, /.test(text), text);
}

say('side by side');
{
    for (const box of await page.locator('.method-contestants input').all()) await box.check();
    await page.locator('[data-compare=run]').click();
    await page.locator('[data-compare=run]').waitFor();
    await hands.settle(200);
    const rows = await page.locator('.method-legend tbody tr:not(.method-why)').allInnerTexts();
    check('all eight have run', rows.length === 8, rows);
    check('some solve it', rows.filter((row) => /solved/.test(row)).length >= 3, rows);
    check('one that cannot says so', rows.some((row) => /cannot do it/.test(row)), rows);
    const why = await page.locator('.method-why').allInnerTexts();
    check('and why', why.length > 0 && why.every((text) => text.trim().length > 10), why);
    say(`    ${why.join(' ')}`);
    const curves = await page.locator('.plot-box:not(.is-low) .plot-curve').count();
    check('their curves are drawn', curves >= 5 && curves <= 8, curves);
    const plot = page.locator('.plot-box:not(.is-low) svg');
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    const read = await page.locator('.plot-box:not(.is-low) .plot-readout').innerText();
    check('arrows read values', /^Iteration 1/.test(read) && /LM/.test(read), read);
    await page.keyboard.press('Escape');
    await page.locator('.method-run select').nth(1).selectOption('time');
    await hands.settle();
    check('against time', /Time \(ms\)/.test(await plot.innerHTML()));
    await page.locator('[data-compare=csv]').click();
    await hands.settle();
    const csv = await page.evaluate(() => navigator.clipboard.readText());
    check('as CSV', csv.startsWith('method,iteration,evaluations,time_us,value\nLM,0,') && csv.split('\n').length > 50,
        csv.slice(0, 100));
    await page.locator('.method-legend').scrollIntoViewIfNeeded();
    await hands.picture('method-compare');
}

say('poses');
{
    await hands.key('4');
    await page.locator('[data-poses=keep]').click();
    await page.keyboard.type('Reach');
    await page.keyboard.press('Enter');
    await hands.settle(200);
    const reach = await start();
    check('it has a picture', await page.locator('.poses-card img').count() === 1);
    await page.locator('#view').focus();
    await hands.key('r');
    const rest = await start();
    check('reset', JSON.stringify(rest) !== JSON.stringify(reach));
    await page.getByRole('button', {name: 'Apply Reach'}).click();
    await hands.settle(200);
    const close = (a, b) => distance(Object.values(a), Object.values(b));
    check('applied whole', close(await start(), reach) < 1e-9, close(await start(), reach));
    const steps = await hands.read(({store}) => store.past.length);
    const slider = page.getByLabel('How much of the pose');
    await slider.focus();
    for (let k = 0; k < 5; k++) await page.keyboard.press('PageDown');
    await hands.settle(200);
    const share = Number(await slider.inputValue()) / 100;
    const half =
        Object.fromEntries(Object.keys(rest).map((name) => [name, rest[name] + (reach[name] - rest[name]) * share]));
    check('the slider takes less of it', share < 0.8 && close(await start(), half) < 1e-6,
        [share, close(await start(), half)]);
    check('in the same step', await hands.read(({store}) => store.past.length) === steps);
    await hands.key('Control+z');
    check('which undo takes back', close(await start(), rest) < 1e-9);

    await page.evaluate(() => { document.querySelector('.poses-blend input').value = 100; });
    await slider.fill('100');
    await page.getByRole('button', {name: 'More of Reach'}).click();
    await page.getByRole('menuitem', {name: 'Apply mirrored'}).click();
    await hands.settle(200);
    const mirrored = await start();
    const elbow = (pose, side) => pose[`${side}_elbow`] ?? pose[`${side}_elbow.flexion`];
    check('mirrored: the left elbow has what the right had',
        Math.abs(elbow(mirrored, 'left') - elbow(reach, 'right')) < 1e-6,
        [elbow(mirrored, 'left'), elbow(reach, 'right')]);
    check('and the elbows differ', Math.abs(elbow(reach, 'left') - elbow(reach, 'right')) > 0.1);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Export', exact: true}).click();
    const file = JSON.parse(readFileSync(await (await waiting).path(), 'utf8'));
    check('exported', file.limber_poses === 1 && file.poses[0].name === 'Reach', file.poses?.map(({name}) => name));
    await page.getByRole('button', {name: 'More of Reach'}).click();
    await page.getByRole('menuitem', {name: 'Delete'}).click();
    await hands.settle();
    check('deleted', await page.locator('.poses-card').count() === 0);
    await page.getByRole('button', {name: 'Put back Reach'}).click();
    check('and put back', await page.locator('.poses-card').count() === 1);
    const poses = page.locator('#panel-poses input[type=file]');
    await poses.setInputFiles(
        {name: 'more.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file))});
    await hands.settle(200);
    check('imported', await page.locator('.poses-card').count() === 2);
    await poses.setInputFiles({name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"poses": 3}')});
    await hands.settle(200);
    check('a file that is none is told', (await errors()).some(({text}) => /no list of poses/.test(text)),
        await errors());
    await hands.picture('poses');
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    check('they are kept', await page.locator('.poses-card').count() === 2, await page.locator('.poses-card').count());
}
await hands.close({mayShift: 0.05});
await closeAll();
finish();
