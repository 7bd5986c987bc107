// Dragging, as a person does it: a hand to a point while the feet stay, out of reach and what the page says of that;
// pins, goals, undo and redo.

import {check, closeAll, distance, finish, open, part, say} from './harness.mjs';

const FEET = ['right_toe', 'left_toe']; // heels may rise
const hands = await open();

/** The point that a pixel picks, and where that point of its segment is later. */
const PICKED = ({store, view}, pixel) => {
    const {figure, segment, point} = view.pick(...pixel);
    const index = store.scene.figures[figure].firstSegment + segment;
    const m = store.frame.matrices.subarray(12 * index, 12 * index + 12);
    const d = [point[0] - m[3], point[1] - m[7], point[2] - m[11]];
    return {index, point, local: [0, 1, 2].map((k) => m[k] * d[0] + m[k + 4] * d[1] + m[k + 8] * d[2])};
};
const PLACE = ({store, view}, {index, local: p}) => {
    const m = store.frame.matrices.subarray(12 * index, 12 * index + 12);
    const point = [0, 4, 8].map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]);
    return {point, pixel: view.toScreen(point)};
};

async function feetMoved(before) {
    return Math.max(...(await hands.sites(FEET)).map((foot, k) => distance(foot, before[k])));
}

// --- a hand to a point -----------------------------------------------------------------------------------------------

say('a hand to a point');
const stood = await hands.sites(FEET);
const first = await hands.doc();
{
    const from = await hands.pixelOf('right_hand');
    const grabbed = await hands.read(PICKED, from);
    const to = [from[0] - 40, from[1] - 140];
    await hands.drag(from, to, {hold: true});
    const held = await hands.read(PLACE, grabbed);
    check('the hand is at the pointer', distance(held.pixel, to) < 3, {held, to});
    check('the hand moved', distance(held.point, grabbed.point) > 0.1, held);
    check('the drag is met', await hands.read((studio) => studio.store.frame.drag?.distance < 0.002));
    await hands.picture('drag-hand');
    await hands.page.mouse.up();
    await hands.settle();
    const after = await hands.read(PLACE, grabbed);
    check('it stays there when let go', distance(after.point, held.point) < 0.002, {after, held});
    check('the feet stayed', await feetMoved(stood) < 0.001, await feetMoved(stood));
    const met = await hands.read((studio) => studio.store.frame.constraints.filter(({counted}) => counted !== false)
        .filter((one) => !one.met).map(({name}) => name));
    check('nothing is unmet', met.length === 0, met);
    const body = await hands.read(({store}) => store.frame.body[0]);
    check('it stands', body.margin > 0 && body.overlap < 1e-3, body);
    const inside = await hands.read(({store}) => store.scene.figures[0].variables.filter(({index, lower, upper}) =>
        store.frame.pose[index] < lower - 1e-9 || store.frame.pose[index] > upper + 1e-9).map(({name}) => name));
    check('the limits hold', inside.length === 0, inside);
}

// --- undo and redo ---------------------------------------------------------------------------------------------------

await part('undo and redo', async () => {
    const after = await hands.doc();
    const pose = await hands.pose();
    check('the drag is in the document', after !== first);
    await hands.key('Control+z');
    check('undo takes the drag back', await hands.doc() === first);
    check('the body is back', await feetMoved(stood) < 1e-9);
    await hands.key('Control+Shift+Z');
    check('redo brings it again', await hands.doc() === after);
    check('the pose is the same, to the bit', (await hands.pose()).every((value, k) => value === pose[k]));
    await hands.command('undo');
    check('undo by the button', await hands.doc() === first);
    check('nothing is left to undo', await hands.page.locator('[data-command="undo"]').isDisabled());
});

// --- out of reach ----------------------------------------------------------------------------------------------------

await part('out of reach, on feet that are to stay', async () => {
    for (const foot of ['right', 'left']) {
        await hands.page.getByLabel(`What the ${foot} foot may do`).selectOption('planted');
        await hands.settle();
    }
    check('the panel plants feet', await hands.read(({store}) => JSON.stringify(store.doc.body))
        === '{"foot":{"right":"planted","left":"planted"}}', await hands.read(({store}) => store.doc.body));
    const from = await hands.pixelOf('right_hand');
    const box = await hands.page.locator('#view').boundingBox();
    await hands.drag(from, [box.x + 30, box.y + 20], {hold: true, steps: 20});
    await hands.settle(250);
    const said = await hands.status();
    const far = await hands.read(({store}) => store.frame.drag.distance);
    say(`    "${said.replaceAll('\n', ' ')}"`);
    check('the hand is not there', far > 0.1, far);
    check('the status line says what a person would',
        /as near as it gets: right hand .*(too far|beyond reach)/i.test(said),
        said);
    check('and how it stands', /balance .* inside|balance at its edge/i.test(said), said);
    check('and how far the hand is away', /\d\s?(m|cm|mm)\b/.test(said), said);
    await hands.picture('drag-out-of-reach');
    check('the feet stayed even so', await feetMoved(stood) < 0.002, await feetMoved(stood));
    await hands.page.mouse.up();
    await hands.settle();
    for (let k = 0; k < 3; k++) await hands.key('Control+z');
    check('undo covers feet', await hands.doc() === first);
});

await part('out of reach, a body that may step', async () => {
    const from = await hands.pixelOf('right_hand');
    const box = await hands.page.locator('#view').boundingBox();
    await hands.drag(from, [box.x + 60, box.y + 200], {hold: true, steps: 20});
    await hands.settle(250);
    const said = await hands.status();
    say(`    "${said.replaceAll('\n', ' ')}"`);
    check('it steps there, and says so', /right hand is there; the (right|left) foot steps/i.test(said), said);
    await hands.picture('drag-step');
    await hands.page.mouse.up();
    await hands.settle();
    await hands.key('Control+z');
    check('undo takes the steps back', await hands.doc() === first);
});

await part('natural and plain', async () => {
    const natural = hands.page.locator('[data-command="natural"]');
    check('people are natural', await natural.isChecked());
    await hands.page.getByText('Natural', {exact: true}).click();
    await hands.settle();
    const plain = JSON.parse(await hands.doc());
    check('the switch makes it the bare problem, in the document',
        plain.body === undefined && plain.constraints.length === 2 && plain.balance.length === 1, plain.constraints);
    check('feet are pinned, and the balance kept', await hands.read(({store}) =>
        store.frame.constraints.every(({met}) => met)));
    check('the body has gone from the panel', await hands.page.locator('[data-body]').count() === 0);
    await hands.key('Control+z');
    check('undo covers it', await hands.doc() === first && await natural.isChecked());
});

// --- the chain -------------------------------------------------------------------------------------------------------

await part('the wheel says how far up the body the chain goes', async () => {
    const from = await hands.pixelOf('right_hand');
    const head = await hands.site('head_top').catch(() => hands.site('gaze'));
    await hands.drag(from, [from[0] + 25, from[1] - 20], {hold: true});
    const whole = await hands.read((studio) => studio.store.settings.chain);
    for (let k = 0; k < 4; k++) {
        await hands.page.mouse.wheel(0, k % 2 ? 100 : 100);
        await hands.settle();
    }
    const one = await hands.read((studio) => studio.store.settings.chain);
    for (let k = 0; k < 3; k++) {
        await hands.page.mouse.wheel(0, -100);
        await hands.settle();
    }
    const other = await hands.read((studio) => studio.store.settings.chain);
    check('the wheel changes the chain', one !== whole || other !== one, {whole, one, other});
    await hands.page.mouse.up();
    await hands.settle();
    await hands.key('Control+z');
    // three joints up from the hand the head has no part in it
    await hands.read(({store}) => store.change({chain: 3}));
    await hands.drag(await hands.pixelOf('right_hand'), [from[0] - 50, from[1] - 90]);
    const moved = distance(await hands.site('head_top').catch(() => hands.site('gaze')), head);
    check('with a chain of three the head stays', moved < 1e-6, moved);
    await hands.read(({store}) => store.change({chain: 0}));
    await hands.key('Control+z');
    check('all is as it was', await hands.doc() === first);
});

// --- pins ------------------------------------------------------------------------------------------------------------

await part('pins', async () => {
    await hands.pick('left_hand');
    check('a click picks', await hands.read(({store}) => store.selection?.name) === 'left_hand',
        await hands.read(({store}) => store.selection));
    await hands.key('p');
    const pins = await hands.read(
        ({store}) => store.doc.constraints.filter(({name}) => name.startsWith('pin ')).map(({name}) => name));
    check('P pins it', pins.length === 1, pins);
    const pinned = await hands.site('left_palm');
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] - 60, from[1] - 60]);
    check(
        'what is pinned stays while another part is dragged', distance(await hands.site('left_palm'), pinned) < 0.002);
    const pelvis = await hands.pixelOf('pelvis').catch(() => hands.pixelOf('right_thigh'));
    await hands.drag(pelvis, [pelvis[0] + 10, pelvis[1] + 40]);
    check('also when the body is pulled down', distance(await hands.site('left_palm'), pinned) < 0.002,
        distance(await hands.site('left_palm'), pinned));
    await hands.picture('pins');
    await hands.pick('left_hand');
    await hands.key('p');
    const left =
        await hands.read(({store}) => store.doc.constraints.filter(({name}) => name.startsWith('pin ')).length);
    check('P again lets it go', left === 0, left);
    for (let k = 0; k < 4; k++) await hands.key('Control+z');
    check('undo covers pins', await hands.doc() === first);
});

// --- an aim goal from the menu ---------------------------------------------------------------------------------------

await part('an aim goal', async () => {
    await hands.pick('head');
    await hands.command('add-goal');
    await hands.picture('goal-menu');
    await hands.page.locator('[data-goal="aim"]').click();
    await hands.settle(200);
    const goal = await hands.read(({store}) => store.doc.constraints.find((one) => one.goal.kind === 'aim'));
    check('the goal is in the document', Boolean(goal), goal);
    check('the list shows it',
        await hands.page.locator('#panel-goals').getByText(goal.name.split(' ').at(-1)).first().isVisible());
    check('it is chosen', await hands.read(({store}) => store.selection?.kind) === 'constraint');
    await hands.picture('aim-goal');
    // the goal itself can be dragged: the head follows it
    const at = await hands.toScreen(goal.goal.point);
    await hands.drag(at, [at[0] + 40, at[1] + 60]);
    const moved =
        await hands.read(({store}) => store.doc.constraints.find((one) => one.goal.kind === 'aim').goal.point);
    check('the goal moved with the pointer', distance(moved, goal.goal.point) > 0.02, {moved, was: goal.goal.point});
    const met = await hands.read(({store}) => store.frame.constraints.find(({name}) =>
        name === store.doc.constraints.find((one) => one.goal.kind === 'aim').name));
    check('the head looks there', met?.met, met);
    await hands.key('Control+z');
    await hands.key('Control+z');
    check('undo covers goals', await hands.doc() === first);
});

await hands.close();
await closeAll();
finish();
