// Ready-made poses: people of any stature take them where they stand and as they face; hands have shapes.

import {check, closeAll, finish, open, part} from './harness.mjs';

const degrees = (hands, name) => hands.read(({store}, own) => store.frame.pose[store.scene.figures[0].variables
    .find((one) => one.name === own).index] * 180 / Math.PI, name);
const take = async (hands, name) => {
    await hands.page.locator(`[data-ready="${name}"]`).click();
    await hands.settle(150);
};

await part('poses for whoever is there', async () => {
    const hands = await open({scale: 1});
    await hands.key('4');
    await hands.settle(150);
    check('eight with pictures', await hands.page.locator('[data-ready] img[src]').count() === 8);
    await take(hands, 'Sitting');
    await hands.picture('ready-sitting');
    check('sitting: knees are bent', await degrees(hands, 'left_knee') > 70, await degrees(hands, 'left_knee'));
    check('the seat carries', await hands.read(({store}) =>
        store.frame.body[0].contacts.filter(({kind, stands}) => kind === 'seat' && stands).length) === 2);
    check('in one step', await hands.read(({store}) => store.past.length) === 1);
    await take(hands, 'Kneeling');
    check('kneeling on a knee', (await hands.site('right_toe'))[2] > -0.01 && await degrees(hands, 'right_knee') > 70);
    await take(hands, 'Walking');
    await hands.picture('ready-walking');
    const [left, right] = [await hands.site('left_heel'), await hands.site('right_heel')];
    check('walking: one foot is ahead', left[0] - right[0] > 0.3, {left, right});
    check('nothing is asked any more', await hands.read(({store}) => store.doc.constraints.length) === 0);
    await hands.page.locator('[data-shape="right Fist"]').click();
    await hands.settle();
    const grip = await degrees(hands, 'right_hand.grip');
    await hands.page.locator('[data-shape="right Open"]').click();
    await hands.settle();
    check('a fist, and an open hand', grip - await degrees(hands, 'right_hand.grip') > 60, grip);
    await hands.page.locator('[data-shape="right Point"]').click();
    await hands.settle();
    const between = async (one, other) => {
        const [from, to] = await hands.sites([one, other]);
        return Math.hypot(...from.map((value, k) => value - to[k]));
    };
    const [index, middle] = [await between('right_index_fingertip', 'right_palm'),
        await between('right_fingertip', 'right_palm')];
    check('a finger points, the others are bent', index > 0.1 && middle < 0.07, {index, middle});
    await hands.page.locator('[data-shape="right Pinch"]').click();
    await hands.settle();
    const apart = await between('right_thumbtip', 'right_index_fingertip');
    check('thumb and index meet', apart < 0.02, apart);
    const before = await degrees(hands, 'right_hand.thumb');
    const pixel = await hands.pixelOf('right_forearm');
    await hands.drag(pixel, [pixel[0] + 60, pixel[1] - 60]);
    check('a hand that is pulled keeps its shape', await degrees(hands, 'right_hand.thumb') === before);
    await hands.page.locator('[data-shape="right Relaxed"]').click();
    await hands.settle();
    check('until it is relaxed', await hands.read(({store}) => !store.doc.inactive));
    await hands.key('1');
    const entry = hands.page.getByLabel('Stature, 1.40 to 2.05 m');
    await entry.fill('1.5');
    await entry.press('Enter');
    await hands.settle(150);
    await hands.press('Poses', 'tab');
    await take(hands, 'Sitting');
    check('a small person sits, too', await degrees(hands, 'left_knee') > 60 && await hands.read(({store}) =>
        store.frame.body[0].overlap < 1e-3), await degrees(hands, 'left_knee'));
    await hands.close();
});

await closeAll();
finish();
