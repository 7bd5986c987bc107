// Trails and compared poses: the way of a picked part through a motion is a curve with a dot a frame, where the part is
// at each time, also while it plays and in pictures; a reference pose is a ghost, and what lies between is in tables.

import {trailLength, trailTimes} from '../../studio/timeline/trails.js';
import {partDifferences, variableDifferences} from '../../studio/document/pose_difference.js';
import {check, closeAll, distance, finish, open, part} from './harness.mjs';

check('a dot for each frame', trailTimes(2, 30).times.length === 61 && trailTimes(2, 30).every === 1);
check('long motions have fewer', trailTimes(100, 60).times.length <= 601 && trailTimes(100, 60).every === 10);
check('nothing moves: one point', trailTimes(0, 30).times.length === 1);
check('lengths add up', trailLength([[0, 0, 0], [3, 4, 0], null, [9, 9, 9], [9, 9, 10]]) === 6);
const same = {figures: [{firstSegment: 0, firstVariable: 0, segments: [], shapes: [], variables: []}]};
check('a pose is like itself', partDifferences(same, new Float64Array(0), new Float64Array(0)).length === 0
    && variableDifferences(same, [], []).length === 0);

await part('trails', async () => {
    const hands = await open({scale: 1});
    const {page} = hands;
    await hands.file('Motions');
    await page.locator('[data-command="motion-reach_over_time.json"]').first().click();
    await hands.settle(300);
    await hands.read(({store}) => store.select({kind: 'segment', figure: 0, name: 'right_hand'}));
    if (!await page.locator('#timeline-body').isVisible()) await hands.key('t');
    await page.locator('#view').focus();
    await hands.key('Shift+T');
    await hands.until(() => hands.read(({view}) => view.trails?.trails[0]?.points.every((point) => point !== null)));
    const {points, times, name} = await hands.read(({view}) => ({...view.trails.trails[0], times: view.trails.times}));
    check('it has a dot for each frame', points.length === times.length && points.length > 10, points.length);
    check('the part moves', trailLength(points) > 0.05, trailLength(points));
    check('it is named', name.length > 0, name);
    const middle = times.length >> 1;
    const field = page.getByLabel('Time (seconds)');
    await field.fill(String(times[middle]));
    await field.press('Enter');
    await hands.settle(200);
    const here = await hands.read(({store, view}) => {
        const trail = document.querySelector('#timeline-body') && view.trails.trails[0];
        return {time: store.frame.time, trail: trail.points.length};
    });
    check('the playhead is there', Math.abs(here.time - times[middle]) < 0.02, here);
    const near = await hands.read(({store, view}, at) => {
        const hand = store.scene.figures[0].segments.findIndex(({name: one}) => one === 'right_hand');
        const m = store.frame.matrices.subarray(12 * hand, 12 * hand + 12);
        const point = view.trails.trails[0].points[at];
        return Math.hypot(m[3] - point[0], m[7] - point[1], m[11] - point[2]);
    }, middle);
    check('the trail is where the part is at that time', near < 0.25, near);
    await hands.picture('trails');
    const size = await page.evaluate(async () => {
        const take = async () => {
            const bitmap = await createImageBitmap(await window.studio.view.picture({width: 300, height: 200}));
            const canvas = new OffscreenCanvas(300, 200), context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            return context.getImageData(0, 0, 300, 200).data;
        };
        const {view} = window.studio, shown = view.trails, a = await take();
        view.trails = null;
        const b = await take();
        view.trails = shown;
        return a.filter((value, k) => value !== b[k]).length;
    });
    check('pictures have it', size > 50, size);
    await page.locator('#timeline-body').getByRole('button', {name: /Trails/}).click();
    check('the menu says how long it is', /frames, \d+\.\d\d m/.test(await page.locator('[role=menu]').innerText()));
    await page.locator('[data-command="trail-remove-0"]').click();
    await hands.settle();
    check('it can be removed', await hands.read(({view}) => view.trails === null));
    await hands.close();
});

await part('two poses', async () => {
    const hands = await open({scale: 1});
    const {page} = hands;
    await hands.press('Poses', 'tab');
    await page.locator('[data-compare="keep"]').click();
    await hands.settle(200);
    check('nothing lies between', /is the reference/.test(await page.locator('.compare').innerText()));
    const first = await hands.pose();
    await hands.drag(await hands.pixelOf('right_hand'), [640, 200]);
    await hands.settle(200);
    const text = await page.locator('[data-compare="joints"]').innerText();
    check('the table has joints in degrees', /right (shoulder|elbow)[\s\S]*°/.test(text), text.slice(0, 200));
    check('and parts in millimetres',
        /right hand[\s\S]*mm/.test(await page.locator('[data-compare="parts"]').innerText()));
    check('there is a ghost', await hands.read(({view}) => view.bodies.ghosts.length) === 1);
    const second = await hands.pose();
    const expected = await hands.read(({store},
        before) => Math.max(...store.scene.figures[0].variables.filter(({isAngle}) => isAngle)
        .map(({index}) => Math.abs(store.frame.pose[index] - before[index]))) * 180 / Math.PI, first);
    const numbers = [...text.matchAll(/([+−][\d.]+) °/g)].map(([, one]) => Math.abs(Number(one.replace('−', '-'))));
    check('the largest difference is the largest', Math.abs(Math.max(...numbers) - expected) < 0.06, [numbers[0],
        expected]);
    await hands.picture('compare');
    await page.locator('[data-compare="swap"]').click();
    await hands.settle(200);
    check('swapped: the pose is the reference', distance(await hands.pose(), first) < 1e-6);
    await page.locator('[data-compare="swap"]').click();
    await hands.settle(200);
    check('and back', distance(await hands.pose(), second) < 1e-6);
    await page.locator('[data-compare="remove"]').click();
    await hands.settle(200);
    check('removed', await hands.read(({view}) => view.bodies.ghosts.length) === 0
        && await page.locator('.compare-table').count() === 0);
    await hands.close();
});

await closeAll();
finish();
