// The panels: goals of every kind with what can be said about them, joints, balance, vision, reach, methods side by
// side, poses, mirror and reset; turning with the gizmo; a character's skin. All of it is undone again at the end.

import {check, closeAll, distance, finish, open, part, say, shared} from './harness.mjs';

const KINDS = [
    'position', 'orientation', 'frame', 'aim', 'line', 'plane', 'half-space', 'box', 'sphere', 'capsule', 'circle',
    'disc', 'polyhedron'
];
const hands = await open();
const {page} = hands;
const first = await hands.doc();
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');
const tab = (name) => page.getByRole('tab', {name: new RegExp(`^${name}`)}).click();

/** Undoes until the document is what it was. */
async function back(to = first) {
    await page.locator('#view').focus();
    for (let k = 0; k < 40 && await hands.doc() !== to; k++) await hands.key('Control+z');
    check('undo goes all the way back', await hands.doc() === to);
}

/** Types into an entry of the goal's form. */
async function type(key, text) {
    const entry = page.locator(`#panel-goals .form [data-key="${key}"]`);
    await entry.fill(text);
    await entry.press('Enter');
    await hands.settle(80);
}

await part('goals of every kind', async () => {
    for (const kind of KINDS) {
        await hands.pick('right_hand')
            .catch(() => hands.read(({store}) => store.select({kind: 'segment', figure: 0, name: 'right_hand'})));
        const before = await hands.read(({store}) => store.doc.constraints.length);
        await hands.command('add-goal');
        await page.locator(`[data-goal="${kind}"]`).first().click();
        await hands.settle(80);
        const goal = await hands.read(({store}) => store.doc.constraints.at(-1));
        check(`${kind}: it is there`,
            await hands.read(({store}) => store.doc.constraints.length) === before + 1 && goal.goal.kind === kind,
            goal);
        check(`${kind}: it is drawn`,
            await hands.read(
                ({store}) => store.scene.constraints.some((one) => one.name === store.doc.constraints.at(-1).name
                        && one.goal.kind === store.doc.constraints.at(-1).goal.kind)));
        check(`${kind}: it is met`, await hands.read(({store}) => store.frame.constraints.find(({name}) =>
            name === store.doc.constraints.at(-1).name)?.met), goal);
        if (['box', 'circle', 'polyhedron'].includes(kind)) await hands.picture(`goal-${kind}`);
        await hands.key('Control+z');
        check(`${kind}: undone`, await hands.doc() === first);
    }
    await page.keyboard.press('Escape');
});

await part('what can be said about a goal', async () => {
    await tab('Goals');
    await hands.pick('right_hand');
    await hands.command('add-goal');
    await page.locator('[data-goal="position"]').first().click();
    await hands.settle();
    const goal = () => hands.read(({store}) => store.doc.constraints.at(-1));
    await type('weight', '3');
    check('a weight', (await goal()).weight === 3, await goal());
    await type('priority', '2');
    check('a priority', (await goal()).priority === 2, await goal());
    await type('tolerance', '5');
    check('a tolerance', Math.abs((await goal()).tolerance - 0.005) < 1e-9, await goal());
    const palm = await hands.site('right_palm');
    await type('point.z', '1.2');
    check('a place', (await goal()).goal.point[2] === 1.2, await goal());
    check('the hand goes there', distance(await hands.site('right_palm'), palm) > 0.05);
    await hands.picture('goal-form');
    const row = page.locator('#panel-goals li.goal').filter({has: page.locator('[aria-expanded="true"]')});
    await row.getByRole('switch').or(row.getByRole('checkbox')).first().click();
    await hands.settle();
    check('off', (await goal()).disabled === true, await goal());
    await hands.key('Control+z');
    // two goals of one name: a disjunction
    await page.locator('#panel-goals').getByText('More', {exact: true}).first().click();
    await hands.settle();
    await type('any_of', 'cups');
    check('a disjunction', (await goal()).any_of === 'cups', await goal());
    await page.locator('#view').focus();
    const name = (await goal()).name;
    await hands.key('Delete');
    check('Delete removes it',
        !(await hands.read(({store}) => store.doc.constraints.map((one) => one.name))).includes(name));
    await back();
});

await part('an obstacle', async () => {
    await hands.pick('right_hand');
    await hands.command('add-goal');
    await page.locator('[data-goal="avoid"]').click();
    await hands.settle();
    await page.getByRole('menuitem').filter({hasText: /sphere|ball/i}).first().click();
    await hands.settle(100);
    check('it is in the document', await hands.read(({store}) => [store.doc.avoid].flat().length) === 1,
        await hands.doc());
    check('and in the list', await page.locator('#panel-goals li.goal[data-from="avoid"]').count() === 1);
    await hands.picture('goal-avoid');
    await back();
});

await part('joints', async () => {
    await tab('Joints');
    await page.getByLabel('Find a joint').fill('right elbow');
    await hands.settle();
    const slider = page.locator('[data-variable="right_elbow"]');
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    const value = () => hands.read(
        ({store}) => store.frame.pose[store.scene.figures[0].variables.find(({name}) => name === 'right_elbow').index]);
    const was = await value();
    await hands.drag([box.x + 8, box.y + box.height / 2], [box.x + 0.6 * box.width, box.y + box.height / 2]);
    const limits =
        await hands.read(({store}) => store.scene.figures[0].variables.find(({name}) => name === 'right_elbow'));
    check('a slider bends the elbow', await value() > was + 0.5, {was, is: await value()});
    check('within its limits', await value() <= limits.upper && await value() >= limits.lower);
    await hands.picture('joints');
    const bent = await value();
    await page.locator('[data-key="lock right_elbow"]').click();
    await hands.settle();
    check('a lock is in the document',
        await hands.read(({store}) => JSON.stringify(store.doc.inactive ?? []).includes('right_elbow')),
        await hands.doc());
    const hand = await hands.pixelOf('right_hand');
    await hands.drag(hand, [hand[0] - 30, hand[1] - 60]);
    check('what is locked keeps its value', Math.abs(await value() - bent) < 1e-9, {bent, is: await value()});
    await page.locator('[data-key="more right_elbow"]').click();
    await hands.settle();
    await page.getByText('Prefer the present value').first().click();
    await hands.settle();
    check('a preferred value',
        await hands.read(({store}) => Math.abs(store.doc.wishes?.posture?.pose?.right_elbow)) > 0.5, await hands.doc());
    const rigid = page.locator('[data-key="rigidity right_elbow"]');
    await rigid.focus();
    await hands.key('ArrowRight');
    check('a rigidity', await hands.read(({store}) => store.doc.rigidity?.right_elbow > 0), await hands.doc());
    await page.getByLabel('Find a joint').fill('');
    check('groups are groups', await page.getByText(/moves 17 joints together/).count() > 0);
    await back();
});

await part('limits on the figure', async () => {
    await hands.pick('right_forearm').catch(() => hands.pick('right_hand'));
    await hands.settle(150);
    await hands.picture('limits');
    check('limits are shown', await hands.read(({store}) => store.settings.show.limits) !== false);
    await page.keyboard.press('Escape');
});

await part('another root', async () => {
    await hands.pick('right_hand');
    const places = await hands.sites(['left_palm', 'gaze', 'right_heel']);
    await tab('Joints');
    await page.locator('[data-command="reroot"]').first().click();
    await hands.settle(200);
    const root =
        await hands.read(({store}) => store.scene.figures[0].segments[store.scene.figures[0].root.segment].name);
    check('the hand is the root', root === 'right_hand', root);
    const moved = Math.max(
        ...(await hands.sites(['left_palm', 'gaze', 'right_heel'])).map((place, k) => distance(place, places[k])));
    check('nothing moved', moved < 1e-6, moved);
    await back();
});

await part('balance', async () => {
    const margin = await hands.read(({store}) => store.frame.body[0].margin);
    check('it stands on its feet', margin > 0, margin);
    await page.getByText('Natural', {exact: true}).first().click();
    await hands.settle();
    const support = await hands.read(({store}) => [store.doc.balance].flat()[0]?.support);
    check('so it does as the bare problem', support?.length >= 3, support);
    await hands.key('b');
    await hands.settle();
    check('B turns it off',
        await hands.read(({store}) => [store.doc.balance].flat().every((one) => !one || one.disabled)));
    await back();
});

await part('vision', async () => {
    await hands.pick('right_hand');
    await hands.key('l');
    await hands.settle(150);
    const look = await hands.read(({store}) => store.doc.constraints.find((one) => one.goal.kind === 'aim'));
    check('L looks at what is picked', Boolean(look), await hands.doc());
    check('the eyes look there',
        await hands.read(({store}) => store.frame.constraints.find((one) => one.name === 'look')?.met), look);
    await hands.picture('vision');
    await back();
});

await part('reach', async () => {
    await hands.pick('right_hand');
    await page.keyboard.press('e');
    await page.waitForFunction(() => window.studio.store.reach);
    await hands.settle(200);
    const points = await hands.read(({store}) => [...store.reach.points]);
    say(`    ${points.length / 3} points`);
    check('a cloud of places', points.length > 3000 && points.every(Number.isFinite), points.length);
    const far = await hands.read(({store}) => {
        const {points: all} = store.reach;
        let most = 0;
        for (let k = 0; k < all.length; k += 3) most = Math.max(most, Math.hypot(all[k], all[k + 1], all[k + 2] - 1.3));
        return most;
    });
    check('none farther than an arm and a lean', far < 2.2, far);
    await hands.picture('reach');
    check('the document is as it was', await hands.doc() === first);
    await page.keyboard.press('Escape');
});

await part('methods side by side', async () => {
    await tab('Method');
    await page.locator('[data-compare="run"]').click();
    await page.locator('[data-compare="run"]').waitFor();
    await hands.settle(200);
    const rows = await page.locator('.method-legend tbody tr').allInnerTexts();
    say(`    ${rows.map((row) => row.replaceAll(/\s+/g, ' ')).join('; ')}`);
    check('several methods have a result', rows.length >= 4 && rows.filter((row) => /\d/.test(row)).length >= 4, rows);
    await hands.picture('methods');
    await page.getByRole('radio', {name: /bfgs/i}).first().click();
    await hands.settle();
    check('another method', await hands.read(({store}) => store.doc.options?.method) === 'bfgs', await hands.doc());
    check('the document but for that is as it was', (await errors()).length === 0, await errors());
    await back();
});

await part('poses, mirror, reset', async () => {
    const hand = await hands.pixelOf('right_hand');
    await hands.drag(hand, [hand[0] - 30, hand[1] - 130]);
    const [right, left] = await hands.sites(['right_palm', 'left_palm']);
    const raised = await hands.pose();
    await tab('Poses');
    await page.locator('[data-poses="keep"]').click();
    await hands.settle(400);
    await page.keyboard.press('Enter');
    await hands.settle();
    check('the pose is kept', await page.locator('.poses-card').count() === 1);
    await page.locator('#view').focus();
    await hands.key('m');
    const [mirroredRight, mirroredLeft] = await hands.sites(['right_palm', 'left_palm']);
    const flip = ([x, y, z]) => [x, -y, z];
    check('M mirrors the pose',
        distance(mirroredLeft, flip(right)) < 0.02 && distance(mirroredRight, flip(left)) < 0.02,
        {right, left, mirroredRight, mirroredLeft});
    await hands.key('r');
    check('R resets', distance(await hands.site('right_palm'), right) > 0.1);
    await page.locator('.poses-apply').first().click();
    await hands.settle(150);
    check('the kept pose comes back', (await hands.pose()).every((value, k) => Math.abs(value - raised[k]) < 1e-6));
    await hands.picture('poses');
    await back();
});

await part('turning with the gizmo', async () => {
    await hands.pick('right_hand');
    await hands.key('w');
    await hands.settle(150);
    await hands.picture('gizmo');
    const rotation = () => hands.read(({store}) => {
        const {firstSegment, segments} = store.scene.figures[0];
        const at = 12 * (firstSegment + segments.findIndex(({name}) => name === 'right_hand'));
        return [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => store.frame.matrices[at + k]);
    });
    const was = await rotation();
    // along the ring that is seen best, a sixth of it
    const [from, to] = await hands.read(({view}) => {
        const rings = ['turn 0', 'turn 1', 'turn 2'].map((ring) => view.gizmo.strokes.filter(({name}) => name === ring)
            .map(({points}) => view.toScreen(points[0])));
        const area = (ring) => (Math.max(...ring.map(([x]) => x)) - Math.min(...ring.map(([x]) => x)))
            * (Math.max(...ring.map(([, y]) => y)) - Math.min(...ring.map(([, y]) => y)));
        const [best] = rings.sort((a, b) => area(b) - area(a));
        return [best[Math.floor(best.length / 6)], best[Math.floor(best.length / 2)]];
    });
    await hands.drag(from, to);
    const is = await rotation();
    const trace = was.reduce((sum, value, k) => sum + value * is[k], 0);
    const angle = Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2)));
    say(`    turned by ${(angle * 57.3).toFixed(1)} deg`);
    check('a ring turns the hand', angle > 0.05, angle);
    await hands.key('q');
    await back();
});

await part('a character keeps its skin', async () => {
    const file = shared('gltf/CesiumMan.glb');
    if (!file) return;
    await hands.drop([file]);
    await hands.settle(500);
    check('the skin is drawn', await hands.read(({view}) => view.skins.byFigure.size > 0));
    const segment = await hands.read(
        ({store}) => store.scene.figures[0].segments.find(({name}) => /hand|arm_joint_R__3|wrist/i.test(name))?.name
            ?? store.scene.figures[0].segments.at(-1).name);
    const hand = await hands.pixelOf(segment).catch(() => null);
    if (check('a part of it can be seen', hand !== null, segment)) {
        const pose = await hands.pose();
        await hands.drag(hand, [hand[0] + 30, hand[1] - 90]);
        check('it can be posed', (await hands.pose()).some((value, k) => Math.abs(value - pose[k]) > 0.01));
        await hands.picture('skin-posed');
    }
    check('no error was told', (await errors()).length === 0, await errors());
});

await hands.close();
await closeAll();
finish();
