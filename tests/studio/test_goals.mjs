// Goals and joints: every kind of goal from the menu, its form, the joints' sliders, locks and rigidities, switches
// that are remembered, and that undo takes all of it back.

import {check, closeAll, distance, finish, open, say} from './harness.mjs';

const KINDS = [
    'position',
    'orientation',
    'frame',
    'aim',
    'line',
    'plane',
    'half-space',
    'box',
    'sphere',
    'capsule',
    'circle',
    'disc',
    'polyhedron',
];

const hands = await open();
const {page} = hands;
const goals = page.locator('#panel-goals');
const joints = page.locator('#panel-joints');
const constraint = (name) =>
    hands.read(({store}, wanted) => store.doc.constraints.find((one) => one.name === wanted) ?? null, name);
const choose = (name) =>
    hands.read(({store}, wanted) => store.select({kind: 'segment', figure: 0, name: wanted}), name);
const row = (name) => goals.locator(`[data-goal="${name}"]`);
const type = async (label, text, where = goals) => {
    await where.getByLabel(label, {exact: true}).fill(text);
    await page.keyboard.press('Tab');
    await hands.settle();
};
const original = await hands.doc();
const steps = () => hands.read(({store}) => store.past.length);
async function undoAll() {
    while (await steps()) await hands.key('Control+z');
}

// --- goals -----------------------------------------------------------------------------------------------------------

say('goals');
for (const kind of KINDS) {
    await choose('right_hand');
    await page.locator('#view').focus();
    await hands.key('a');
    await page.locator(`.menu [data-goal="${kind}"]`).click();
    await hands.settle();
    const name = kind === 'position' ? 'right_palm' : `right_palm ${kind}`;
    check(`${kind}: a goal is added and chosen`, (await hands.read(({store}) => store.selection?.name)) === name);
    check(
        `${kind}: it is met where it starts`,
        (await row(name).getAttribute('data-state')) === 'met',
        await hands.status(),
    );
    check(`${kind}: the form fits the panel`, await goals.evaluate((panel) => panel.scrollWidth <= panel.clientWidth));
    await hands.key('Control+z');
    check(`${kind}: undo takes it back`, (await hands.doc()) === original && (await row(name).count()) === 0);
}
check('no message complains', (await hands.messages()).length === 0, await hands.messages());

say('the form of a goal');
await choose('right_hand');
await page.locator('#view').focus();
await hands.key('a');
await page.locator('.menu [data-goal="position"]').click();
await hands.settle();
const palm = await hands.site('right_palm');
await type('Point x', '25cm');
await type('Point z', '1.1');
check('units are read', (await constraint('right_palm')).goal.point[0] === 0.25, await constraint('right_palm'));
check(
    'and the hand goes there',
    distance(await hands.site('right_palm'), [0.25, palm[1], 1.1]) < 0.002,
    await hands.site('right_palm'),
);
await goals.getByLabel('Point z', {exact: true}).focus();
await page.keyboard.press('Shift+ArrowUp');
await hands.settle();
check('arrows step', Math.abs((await constraint('right_palm')).goal.point[2] - 1.2) < 1e-9);
await goals.getByLabel('Point y', {exact: true}).fill('five');
await page.keyboard.press('Tab');
check('what is no number is marked, and not taken', (await goals.locator('[aria-invalid="true"]').count()) === 1);
await page.keyboard.press('Shift+Tab');
await page.keyboard.press('Escape');
await type('Point z', '3'); // to what is far a person walks, but nobody is so tall
check('out of reach is not met', (await row('right_palm').getAttribute('data-state')) === 'unmet');
check('and says how far', /\d (m|cm)/.test(await row('right_palm').innerText()), await row('right_palm').innerText());
check(
    'the status line names the worst',
    /right_palm/.test(await page.locator('#worst').innerText()),
    await hands.status(),
);
await type('Weight', '2.5');
await type(/^Priority/, '1');
await type('Tolerance', '2mm');
const changed = await constraint('right_palm');
check(
    'weight, priority and tolerance',
    changed.weight === 2.5 && changed.priority === 1 && changed.tolerance === 0.002,
    changed,
);
await goals.getByLabel('Kind of goal').selectOption('plane');
await hands.settle();
check(
    'another kind keeps the place',
    (await constraint('right_palm')).goal.kind === 'plane' && (await constraint('right_palm')).goal.point[2] === 3,
);
await type('Normal x', '1');
await goals.getByLabel('Kind of goal').selectOption('sphere');
await hands.settle();
await goals.getByText('Stay outside of it').click();
await hands.settle();
check(
    'outside',
    (await constraint('right_palm')).goal.outside === true &&
        (await row('right_palm').getAttribute('data-state')) === 'met',
);
await type('Name', 'ball');
check('a new name', (await constraint('ball'))?.goal.kind === 'sphere' && (await row('ball').count()) === 1);
await row('ball').getByRole('switch').first().click();
await hands.settle();
check('off', (await constraint('ball')).disabled === true && (await row('ball').getAttribute('data-state')) === 'off');
await row('ball')
    .getByRole('button', {name: /^Delete/})
    .click();
await hands.settle();
check('deleted', (await constraint('ball')) === null && (await row('ball').count()) === 0);
await undoAll();
check('undo takes it all back', (await hands.doc()) === original);

say('disjunction, avoid, keep, look');
for (const x of ['0.3', '0.9']) {
    await choose('right_hand');
    await page.locator('#view').focus();
    await hands.key('a');
    await page.locator('.menu [data-goal="position"]').click();
    await hands.settle();
    await type('Point x', x);
    await type('Point z', '1.1');
    if (!(await goals.getByLabel(/^Disjunction/).isVisible())) await goals.getByText('More', {exact: true}).click();
    await type(/^Disjunction/, 'cups');
}
check(
    'the two stand in one group',
    (await goals.locator('li.in-group').count()) === 2 && (await goals.getByText('Any of “cups”').count()) === 1,
);
const states = await goals
    .locator('li.in-group')
    .evaluateAll((items) => items.map((item) => item.dataset.state).sort());
check('one is met, the other does not count', JSON.stringify(states) === '["idle","met"]', states);
await choose('right_hand');
await page.locator('#view').focus();
await hands.key('a');
await page.locator('.menu [data-goal="avoid"]').click();
await page.locator('.menu [data-goal="avoid-box"]').click();
await hands.settle();
check('an obstacle', (await goals.locator('[data-from="avoid"]').count()) === 1, await hands.messages());
await goals.locator('[data-from="avoid"] .choose').click();
await hands.settle();
check('its form has a margin', await goals.getByLabel('Distance kept').isVisible());
await choose('left_hand');
await page.locator('#view').focus();
await hands.key('a');
await page.locator('.menu [data-goal="keep"]').click();
await hands.settle();
check('kept', (await goals.locator('[data-from="keep"]').count()) === 1);
await hands.key('l');
check(
    'look',
    (await constraint('look'))?.goal.kind === 'aim' && (await row('look').getAttribute('data-state')) === 'met',
);
check(
    'no message complains here',
    (await hands.messages()).every(({kind}) => kind !== 'error'),
    await hands.messages(),
);
await hands.picture('goals-list');
await undoAll();
check('undo takes these back', (await hands.doc()) === original);

// --- joints ----------------------------------------------------------------------------------------------------------

say('joints');
await hands.key('2');
const elbow = joints.locator('input[type="range"][data-variable="right_elbow"]');
await elbow.scrollIntoViewIfNeeded();
const box = await elbow.boundingBox();
await hands.drag([box.x + 8, box.y + box.height / 2], [box.x + box.width * 0.6, box.y + box.height / 2], {hold: true});
const held = await hands.read(
    ({store}) => store.frame.pose[store.scene.figures[0].variables.find(({name}) => name === 'right_elbow').index],
);
check('the pose follows while one slides', held > 0.5, held);
check('nothing is done yet', (await steps()) === 0);
await page.mouse.up();
await hands.settle();
check(
    'one slide is one step',
    (await steps()) === 1 && Math.abs(JSON.parse(await hands.doc()).start.right_elbow - held) < 0.05,
);
await joints.getByLabel('right elbow, degrees').fill('90');
await page.keyboard.press('Tab');
await hands.settle();
check('a typed angle', Math.abs(JSON.parse(await hands.doc()).start.right_elbow - Math.PI / 2) < 1e-9);
await joints.getByLabel('Find a joint').fill('left knee');
check('the search leaves one', (await joints.locator('.dof:visible').count()) === 1);
await joints.getByLabel('Find a joint').fill('');
await joints.getByRole('button', {name: 'Lock right elbow', exact: true}).click();
await hands.settle();
check('locked', JSON.parse(await hands.doc()).inactive.join() === 'right_elbow' && (await elbow.isDisabled()));
await joints.getByRole('button', {name: 'Rigidity and preferred value of spine flexion'}).click();
await joints.getByLabel('Rigidity of spine flexion').focus();
await page.keyboard.press('End');
await hands.settle();
check('rigid', JSON.parse(await hands.doc()).rigidity['spine.flexion'] === 1);
await type('Preferred spine flexion', '20', joints);
check(
    'preferred',
    Math.abs(JSON.parse(await hands.doc()).wishes.posture.pose['spine.flexion'] - (20 * Math.PI) / 180) < 1e-9,
);
check('and marked on the slider', (await joints.locator('.preferred').count()) === 1);
check('groups are shown as groups', (await joints.getByText('moves 17 joints together').count()) === 1);
await hands.picture('goals-joints');
const feet = await hands.site('left_heel');
await choose('left_foot');
await hands.settle();
await joints.locator('[data-command="reroot"]').click();
await hands.settle(150);
check(
    'rooted at the foot',
    (await hands.read(({store}) => store.scene.figures[0].segments[store.scene.figures[0].root.segment].name)) ===
        'left_foot',
    await hands.messages(),
);
check('and nothing moves', distance(await hands.site('left_heel'), feet) < 1e-9);
await undoAll();
check('undo takes the joints back', (await hands.doc()) === original);
check(
    'and the root',
    (await hands.read(({store}) => store.scene.figures[0].segments[store.scene.figures[0].root.segment].name)) ===
        'pelvis',
);

say('slide, then solve');
const floor = (await hands.site('right_toe'))[2];
await joints.getByText('Then solve').click();
await joints.getByLabel('right knee, degrees').fill('40');
await page.keyboard.press('Tab');
await hands.settle(150);
const onFloor = async () => Math.abs((await hands.site('right_toe'))[2] - floor);
check('the feet are solved for', (await onFloor()) < 0.002, await onFloor());
check(
    'the knee stays',
    Math.abs(JSON.parse(await hands.doc()).start.right_knee - (40 * Math.PI) / 180) < 1e-9,
    JSON.parse(await hands.doc()).start.right_knee,
);
await joints.getByText('Then solve').click();
await undoAll();

// --- at once -------------------------------------------------------------------------------------------------------

say('undo at once');
await hands.key('1');
for (let k = 0; k < 2; k++) {
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] - 60, from[1] - 90], {hold: true});
    await page.mouse.up();
    await page.keyboard.press('Control+z'); // before the drag has become a step
    await hands.settle(200);
    check('undo right after letting go undoes the drag', (await hands.doc()) === original && (await steps()) === 0);
}
await page.locator('#view').focus();
await choose('right_hand');
await page.keyboard.press('ArrowUp');
await page.keyboard.press('p'); // before the step has become one
await hands.settle(900);
const pinned = await constraint('pin right_palm');
check(
    'a pin right after a step is where the step led',
    distance(pinned.goal.point, await hands.site('right_palm')) < 1e-6,
);
check('both are steps', (await steps()) === 2, await hands.read(({store}) => store.past.map(({label}) => label)));
check('nothing complains', (await hands.messages()).length === 0, await hands.messages());
await undoAll();

// --- the page remembers ----------------------------------------------------------------------------------------------

say('what is remembered');
await hands.command('theme');
await page.getByRole('menuitemradio', {name: 'Dark'}).click();
await hands.key('5');
await page.locator('[data-show="sites"]').click();
await choose('right_hand');
await hands.key('p');
await hands.settle(1800); // the document is kept a while after the last change
await hands.kept();
await page.reload();
await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
await hands.settle();
check('the theme', (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
check(
    'what is shown',
    (await hands.read(({store}) => store.settings.show.sites)) && (await page.locator('#panel-show').isVisible()),
);
check('the work itself only when asked for', (await hands.read(({store}) => store.doc.constraints.length)) === 0);
await page.getByRole('button', {name: 'Restore'}).click();
await hands.settle(150);
check('restored', (await hands.read(({store}) => store.doc.constraints.length)) === 1, await hands.messages());

say('another figure beside it');
await hands.command('open');
await page.getByRole('menuitem', {name: /^Add a model/}).click();
await page.locator('.menu [data-command="model-ur5"]').click();
await hands.settle(200);
check(
    'two figures',
    (await hands.read(({store}) => store.scene.figures.map(({name}) => name).join())) === 'human,ur5',
    await hands.messages(),
);
await hands.read(({store}) =>
    store.select({kind: 'segment', figure: 1, name: store.scene.figures[1].segments.at(-1).name}),
);
await page.locator('#view').focus();
await hands.key('p');
check(
    'a pin of the second has its prefix',
    /^pin ur5:/.test(await hands.read(({store}) => store.doc.constraints.at(-1).name)),
    await hands.messages(),
);
await hands.picture('goals-two');
await hands.close();
await closeAll();
finish();
