// Every solution of a goal as ghosts: how many, going through them, taking one by key and by pointer, leaving, undo.

import {check, closeAll, finish, open, part} from './harness.mjs';

const PROBLEM = {
    figures: [{file: 'ur5'}],
    start: {shoulder_pan: 0.4, shoulder_lift: -1.1, elbow: 1.3, wrist1: -0.6, wrist2: 0.9, wrist3: 0.2},
    constraints: [{name: 'grip', effector: 'tool',
        goal: {kind: 'frame', point: [0.4, 0.2, 0.4], rpy: [Math.PI, 0, 0.3]}, tolerance: 0.001}],
};
const hands = await open({scale: 1});
const {page} = hands;
const bar = page.locator('#solutions');
const ghosts = () => hands.read(({view}) => view.bodies.ghosts.length);
const steps = () => hands.read(({store}) => store.past.length);
const told = async () => (await hands.messages()).map(({text}) => text).join('\n');
const met = () => hands.read(({store}) => store.frame.constraints[0].met);
const choices = () => hands.read(({store}) => store.solutions.found?.list.map(({pose}) => [...pose]) ?? []);
const near = (a, b) => a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) < 1e-9);
const choose = (at) => hands.read(({store}, index) => store.select({kind: 'segment', figure: 0,
    name: store.scene.figures[0].segments.at(index).name}), at);
const focus = () => page.locator('#view').focus();

await hands.drop([{name: 'grip.json', bytes: Buffer.from(JSON.stringify(PROBLEM))}]);
const original = await hands.doc();
const opened = await steps();

await part('eight ghosts, the third taken', async () => {
    await focus();
    await hands.key('s');
    check('eight ghosts', await ghosts() === 8, `${await ghosts()} ${await told()}`);
    check('the number is said', /Solution 1 of 8/.test(await bar.innerText()), await bar.innerText());
    const poses = await choices();
    check('they all differ', poses.every((a, i) => poses.every((b, k) => i === k || !near(a, b))));
    await hands.key('ArrowRight');
    await hands.key('ArrowRight');
    check('the third', /Solution 3 of 8/.test(await bar.innerText()), await bar.innerText());
    check('nothing is done yet', await hands.doc() === original && await steps() === opened);
    await hands.picture('solutions');
    await hands.key('Enter');
    check('it is taken', near(await hands.pose(), poses[2]), await hands.pose());
    check('the goal is met', await met());
    check('no ghost is left', await ghosts() === 0 && await bar.isHidden());
    check('it is one step', await steps() === opened + 1);
    await hands.key('Control+z');
    check('undo', await hands.doc() === original && await steps() === opened);
    await hands.key('Control+Shift+z');
    check('redo', near(await hands.pose(), poses[2]));
    await hands.key('Control+z');
});

await part('arrows go round, Escape leaves', async () => {
    await hands.key('s');
    await hands.key('ArrowUp');
    check('the last', /Solution 8 of 8/.test(await bar.innerText()), await bar.innerText());
    await hands.key('Escape');
    check('all is as before', await ghosts() === 0 && await bar.isHidden() && await hands.doc() === original);
    await hands.key('s');
    await hands.key('s');
    check('the key itself leaves, too', await ghosts() === 0 && await bar.isHidden());
});

await part('by the pointer', async () => {
    await hands.key('s');
    check('the key shows them', await ghosts() === 8);
    const poses = await choices();
    const place = await hands.read(({view}) => { // where a ghost other than the first is the foremost
        const box = view.canvas.getBoundingClientRect();
        for (let y = box.top + 90; y < box.bottom; y += 6) {
            for (let x = box.left + 10; x < box.right; x += 6) {
                const index = view.choiceAt({clientX: x, clientY: y});
                if (index > 0) return {x, y, index};
            }
        }
        return null;
    });
    await page.mouse.move(place.x, place.y);
    await hands.settle();
    const words = await bar.innerText();
    check('what is pointed at is shown', words.includes(`Solution ${place.index + 1} of 8`), words);
    await page.mouse.click(place.x, place.y);
    await hands.settle();
    check('a click takes it', near(await hands.pose(), poses[place.index]) && await ghosts() === 0, place);
    await hands.key('Control+z');
    check('undo takes it back', await hands.doc() === original);
});

await part('a part where it is', async () => {
    await hands.read(({store}) => store.edit('Without', (draft) => { draft.constraints = []; }));
    await hands.settle();
    await choose(-1);
    const before = await hands.pose();
    const tool = await hands.site('tool');
    await focus();
    await hands.key('s');
    check('eight for where it is', await ghosts() === 8, await told());
    check('the present pose is the nearest', near((await choices())[0], before));
    await bar.getByRole('button', {name: 'The next one'}).click();
    await bar.getByRole('button', {name: 'Take this solution'}).click();
    await hands.settle();
    const moved = await hands.site('tool');
    check('another pose, the tool where it was', !near(await hands.pose(), before) &&
        Math.hypot(...moved.map((x, i) => x - tool[i])) < 1e-9, moved);
});

await part('a locked joint, and what algebra does not serve', async () => {
    await focus();
    await hands.key('x');
    await hands.key('s');
    check('a locked joint is named', /is locked/.test(await told()) && await ghosts() === 0, await told());
    await hands.key('x');
    await choose(2);
    await hands.key('s');
    check('the library\'s sentence', /No closed form: /.test(await told()) && await ghosts() === 0, await told());
    await hands.key('Escape');
    await hands.key('s');
    check('with nothing picked, what to do', /Pick a part first/.test(await told()), await told());
});

await hands.close();
await closeAll();
finish();
