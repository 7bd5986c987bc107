// The view under the hands: hovering, pulling along the ground, the chain by the wheel, rings, arrow keys, goals by
// their arrows, fingers, the camera, skins of characters, pictures; and that nothing is drawn while nothing changes.

import {check, closeAll, distance, finish, open, part, shared, top} from './harness.mjs';

const hands = await open({scale: 1});
const {page} = hands;

const steps = () => hands.read(({store}) => store.past.map(({label}) => label));
const camera = () => hands.read(({view}) => view.camera);
const labels = () => page.locator('.view-labels > div:visible').allInnerTexts();
const undo = async () => {
    await hands.key('Control+z');
    await hands.settle(150);
};
/** A place in the stage where nothing is. */
const empty = await hands.read(({view}) => {
    const box = view.canvas.getBoundingClientRect();
    for (let x = box.left + 30; x < box.right; x += 20) if (!view.pick(x, box.top + 60)) return [x, box.top + 60];
    return null;
});
/** A pixel on a handle of the gizmo. */
const handle = (name, end = 1) => hands.read(({view}, {name, end}) => {
    const strokes = view.gizmo.strokes.filter((stroke) => stroke.name === name);
    const at = view.project(strokes[strokes.length >> 1].points[end]);
    return [at.x, at.y];
}, {name, end});

await part('hover', async () => {
    await page.mouse.move(...await hands.pixelOf('head'));
    await hands.settle(100);
    check('the part is named', (await labels()).includes('head'), await labels());
    check('and can be seen to be one to take',
        await page.locator('#view').evaluate((canvas) => canvas.style.cursor) === 'grab');
    await page.mouse.move(...empty);
    await hands.settle(100);
    check('beside it there is no name', !(await labels()).includes('head'), await labels());
});

await part('nothing is drawn while nothing changes', async () => {
    const drawn = () => hands.read(({view}) => view.renderer.info.render.frame);
    await hands.settle(2000); // what hovering showed for a moment is gone
    let before = -1, now = await drawn();
    for (let round = 0; round < 100 && now !== before; round++) {
        before = now;
        await hands.frames(25);
        now = await drawn();
    }
    check('no picture', now === before, [before, now]);
});

await part('Shift pulls along the ground', async () => {
    const from = await hands.pixelOf('right_hand');
    await page.keyboard.down('Shift');
    await hands.drag(from, [from[0] + 30, from[1] + 25], {hold: true});
    const drag = await hands.read(({store}) => store.frame.drag);
    const height = await hands.read(({store}) => store.picked.point[2]);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await hands.settle(200);
    check('the target kept its height', Math.abs(drag.target[2] - height) < 1e-6, [drag.target, height]);
    check('one step', (await steps()).join() === 'Drag right hand', await steps());
    await undo();
});

await part('Escape puts everything back', async () => {
    const pose = await hands.pose(), from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] - 60, from[1] - 90], {hold: true});
    check('it moved', (await hands.pose()).some((value, k) => value !== pose[k]));
    await hands.key('Escape');
    await page.mouse.up();
    await hands.settle(200);
    check('the pose is what it was', (await hands.pose()).every((value, k) => value === pose[k]));
    check('no step', (await steps()).length === 0, await steps());
});

await part('undo at once', async () => {
    const pose = await hands.pose();
    for (let k = 0; k < 2; k++) {
        const from = await hands.pixelOf('right_hand');
        await hands.drag(from, [from[0] - 50, from[1] - 80], {hold: true});
        await page.mouse.up();
        await page.keyboard.press('Control+z');
        await hands.settle(300);
        check('it is undone', (await hands.pose()).every((value, i) => Math.abs(value - pose[i]) < 1e-9), k);
        check('with nothing left to undo', (await steps()).length === 0, await steps());
    }
});

await part('the wheel changes the chain', async () => {
    const from = await hands.pixelOf('right_hand');
    await hands.drag(from, [from[0] + 6, from[1] - 4], {hold: true});
    for (let k = 0; k < 12; k++) await page.mouse.wheel(0, 100);
    await hands.settle(150);
    check('shorter with every notch', await hands.read(({store}) => store.settings.chain) === 1);
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, -100);
    await hands.settle(150);
    const chain = await hands.read(({store}) => store.settings.chain);
    check('and longer the other way', chain === 3, chain);
    check('said at the figure', (await labels()).some((text) => /^3 joints, up to /.test(text)), await labels());
    const chest = await hands.site('vertebra_T1.top'), palm = await hands.site('right_palm');
    await page.mouse.move(from[0] - 30, from[1] - 30, {steps: 6});
    await hands.settle(200);
    await page.mouse.up();
    await hands.settle(200);
    check('the hand went', distance(await hands.site('right_palm'), palm) > 0.03);
    check('the chest stayed', distance(await hands.site('vertebra_T1.top'), chest) < 2e-3,
        [await hands.site('vertebra_T1.top'), chest]);
    await hands.read(({store}) => store.change({chain: 0}));
    await undo();
});

await part('the rings turn a part', async () => {
    await hands.key('w');
    await hands.pick('head');
    const before = await hands.read(({store}) => [store.doc.start['head.twist'], store.doc.start['neck.twist']]);
    const at = await handle('turn 2', 0);
    await hands.drag(at, [at[0] + 70, at[1]]);
    await hands.settle(300);
    const after = await hands.read(({store}) => [store.doc.start['head.twist'], store.doc.start['neck.twist']]);
    check('the head turned', Math.abs(after[0] + after[1] - before[0] - before[1]) > 0.1, [before, after]);
    check('as one step', (await steps()).join() === 'Turn head', await steps());
    await undo();
    await hands.key('q');
});

await part('arrow keys', async () => {
    await hands.pick('right_hand');
    const place = () => hands.read(({store, view}) => {
        const {local, figure, segment} = store.picked, {firstSegment, segments} = store.scene.figures[figure];
        const index = firstSegment + segments.findIndex(({name}) => name === segment),
            m = store.frame.matrices.subarray(12 * index);
        return [0, 4, 8].map((row) => m[row] * local[0] + m[row + 1] * local[1] + m[row + 2] * local[2] + m[row + 3]);
    });
    await page.locator('#view').focus();
    const before = await place();
    await hands.atOnce(async () => { // else it would be several steps
        for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Shift+ArrowUp');
    });
    await hands.settle(1200);
    const after = await place();
    check('13 cm up', Math.abs(after[2] - before[2] - 0.13) < 2e-3 && distance(after, before) < 0.14, [before, after]);
    check('said aloud', await page.locator('.view-said').innerText() === 'right hand moved',
        await page.locator('.view-said').innerText());
    check('one step', (await steps()).join() === 'Drag right hand', await steps());
    await undo();
});

await part('a goal by its arrows', async () => {
    await hands.pick('right_hand');
    await hands.key('a');
    await page.locator('[data-goal="box"]').first().click();
    await hands.settle(300);
    const goal = () => hands.read(({store}) => store.doc.constraints.find(({goal: {kind}}) => kind === 'box').goal);
    const before = await goal(), tip = await handle('move 2');
    await hands.drag(tip, [tip[0], tip[1] - 40]);
    await hands.settle(300);
    const after = await goal();
    check('it went up', after.point[2] > before.point[2] + 0.03, [before, after]);
    check('and nowhere else', Math.hypot(after.point[0] - before.point[0], after.point[1] - before.point[1]) < 1e-9,
        [before, after]);
    check('the hand is in it',
        await hands.read(({store}) => store.frame.constraints.every(({met, counted}) => met || !counted)));
    const ring = await handle('turn 2', 0);
    await hands.drag(ring, [ring[0] + 40, ring[1] + 5]);
    await hands.settle(300);
    check('its ring turns it', Math.abs((await goal()).quaternion[2]) > 0.05, await goal());
    const square = await hands.read(({view}) =>
        view.toScreen(view.goalHandles.find(({constraint}) => constraint.goal.kind === 'box').place));
    await hands.drag(square, [square[0] - 50, square[1]]);
    await hands.settle(300);
    const dragged = await goal();
    check('its middle moves it across the screen', distance(dragged.point, after.point) > 0.05, [after, dragged]);
    await hands.picture('view-goal');
    for (let k = 0; k < 4; k++) await undo();
    check('all undone', (await steps()).length === 0, await steps());
});

await part('limits are drawn where they act', async () => {
    const lines = () => hands.read(({view}) => view.painter.batches['over line'].streams.start.count);
    await hands.key('Escape');
    await hands.settle(150);
    const none = await lines();
    await hands.pick('right_forearm');
    await page.mouse.move(...empty);
    await hands.settle(150);
    const one = await lines();
    check('of the picked part\'s joint', one > none + 20, [none, one]);
    check('with the value and its range', (await labels()).some((text) => /° +\(0.0° to \d+°\)$/.test(text)),
        await labels());
    await hands.read(({store}) =>
        store.change({show: {allLimits: true, vision: true, joints: true, sites: true, labels: true}}));
    await hands.settle(200);
    check('of all', await lines() > one + 300, [one, await lines()]);
    await hands.picture('view-limits');
    await hands.read(({store}) =>
        store.change({show: {allLimits: false, vision: false, joints: false, sites: false, labels: false}}));
});

await part('the camera', async () => {
    const first = await camera();
    await hands.drag(empty, [empty[0] + 80, empty[1] + 30]);
    const turned = await camera();
    check('a drag beside the figure orbits', turned.azimuth !== first.azimuth && turned.elevation !== first.elevation
        && turned.distance === first.distance);
    await hands.drag(empty, [empty[0] + 50, empty[1] + 30], {button: 'right'});
    const shifted = await camera();
    check('the right button pans', distance(shifted.target, turned.target) > 0.01 && shifted.azimuth === turned.azimuth,
        [turned, shifted]);
    await page.mouse.move(...empty);
    await page.mouse.wheel(0, -300);
    await hands.settle(100);
    check('the wheel zooms', (await camera()).distance < shifted.distance);
    await page.locator('#view').focus();
    for (const [key, azimuth, elevation] of [['Shift+Digit1', 0, 0.05], ['Shift+Digit3', -Math.PI / 2, 0.05],
        ['Shift+Digit7', 0, Math.PI / 2]]) {
        await hands.key(key);
        await page.waitForFunction(() => !window.studio.view.orbit.goal);
        const now = await camera();
        check(key, Math.abs(Math.sin((now.azimuth - azimuth) / 2)) < 1e-3 && Math.abs(now.elevation - elevation) < 0.01,
            now);
    }
    await page.mouse.dblclick(...empty);
    await hands.settle(100);
    await page.waitForFunction(() => !window.studio.view.orbit.goal);
    const all = await camera();
    const seen = await hands.read(({store, view}) =>
        ['gaze', 'right_toe', 'left_toe', 'right_fingertip'].every((name) => {
        const {sites, firstSegment} = store.scene.figures[0], site = sites.find((one) => one.name === name),
            p = site.position;
        const m = store.frame.matrices.subarray(12 * (firstSegment + site.segment));
        const at = view.projectLocal([0, 4, 8]
            .map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]));
        return at.x > 0 && at.y > 0 && at.x < view.width && at.y < view.height;
    }));
    check('a double click beside the figure shows all of it', seen, all);
    await hands.read(({view}, state) => { view.camera = state; }, first);
    check('the camera can be set', distance((await camera()).target, first.target) < 1e-12
        && (await camera()).azimuth === first.azimuth);
});

await part('pictures', async () => {
    const made = await hands.read(async ({view}) => {
        const results = [];
        for (const options of [{width: 320, height: 200, transparent: true}, {width: 200, height: 320, plain: true}]) {
            const bitmap = await createImageBitmap(await view.picture(options));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
            context.drawImage(bitmap, 0, 0);
            const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
            const solid = data.filter((value, i) => i % 4 === 3 && value === 255).length;
            results.push({width: bitmap.width, height: bitmap.height, corner: data[3], solid});
        }
        const ratio = view.renderer.getPixelRatio(); // which follows how fast the machine draws
        return {results, size: [view.canvas.width, view.canvas.height],
            page: [Math.floor(view.width * ratio), Math.floor(view.height * ratio)]};
    });
    const [clear, plain] = made.results;
    check('as large as asked', clear.width === 320 && clear.height === 200 && plain.width === 200
        && plain.height === 320, made);
    check('transparent around the figure', clear.corner === 0 && clear.solid > 1000 && clear.solid < 320 * 200 / 2,
        clear);
    check('or with a background', plain.corner === 255, plain);
    const dots = await hands.read(async ({store, view}) => {
        const counts = [];
        for (const points of [null,
            Float32Array.from({length: 3000}, (_, i) => Math.sin(i * i) + (i % 3 === 2 ? 1 : 0))]) {
            store.reach = points && {figure: 0, site: 'right_palm', points};
            store.emit('reach', store.reach);
            const bitmap = await createImageBitmap(await view.picture({width: 200, height: 200, plain: true,
                transparent: true}));
            const context = new OffscreenCanvas(200, 200).getContext('2d');
            context.drawImage(bitmap, 0, 0);
            counts.push(context.getImageData(0, 0, 200, 200).data
                .filter((value, i) => i % 4 === 3 && value > 0).length);
        }
        store.reach = null;
        store.emit('reach', null);
        return counts;
    });
    check('a plain one has the figure only, no cloud', dots[0] > 500 && dots[0] === dots[1], dots);
    check('the view is as before', made.size[0] === made.page[0] && made.size[1] === made.page[1], made);
});

await part('light and dark', async () => {
    const corner = () => hands.read(async ({view}) => {
        const bitmap = await createImageBitmap(await view.picture({width: 64, height: 64})),
            context = new OffscreenCanvas(64, 64).getContext('2d');
        context.drawImage(bitmap, 0, 0);
        return [...context.getImageData(2, 2, 1, 1).data];
    });
    await hands.read(({store}) => store.change({theme: 'light'}));
    await hands.settle(150);
    const light = await corner();
    await hands.read(({store}) => store.change({theme: 'dark'}));
    await hands.settle(150);
    const dark = await corner();
    check('the background follows the theme', light[0] > 180 && dark[0] < 80, [light, dark]);
});

// --- characters ------------------------------------------------------------------------------------------------------

await part('a character keeps its skin', async () => {
    const file = shared('gltf/CesiumMan.glb') ?? `${top}/fuzz/corpus/gltf/person.glb`;
    await hands.drop([file]);
    await hands.settle(1500);
    const skins = await hands.read(({view}) => [...view.skins.byFigure.values()].map((skin) => skin.meshes.length));
    if (!shared('gltf/CesiumMan.glb')) {
        check('a file without a mesh shows its bones', skins.length === 0
            && await hands.read(({view}) => view.bodies.mesh.visible));
        return;
    }
    check('the skin is there', skins.length === 1 && skins[0] > 0, skins);
    const spot = await hands.read(({view}) => {
        const box = view.canvas.getBoundingClientRect();
        for (let y = box.top; y < box.bottom; y += 6) {
            for (let x = box.left; x < box.right; x += 6) {
                const hit = view.pick(x, y);
                if (hit && /arm_joint_R__4_|arm_joint_R__3_/.test(hit.name)) return {pixel: [x, y], hit};
            }
        }
        return null;
    });
    check('its hand can be picked on the skin', spot !== null);
    const to = [spot.pixel[0] + 10, spot.pixel[1] - 90];
    await hands.drag(spot.pixel, to, {hold: true});
    await hands.settle(400);
    const held = await hands.read(({view}, pixel) => view.pick(...pixel)?.name, to);
    check('the skin is where the pointer took it', held === spot.hit.name, [held, spot.hit.name]);
    await hands.picture('view-skin');
    await page.mouse.up();
    await hands.settle(200);
    await hands.read(({store}) => store.change({show: {skin: false}}));
    await hands.settle(200);
    check('and can be put off',
        await hands.read(({view}) => view.bodies.mesh.visible && ![...view.skins.byFigure.values()][0].group.visible));
});
await hands.close({mayShift: 0.01});

// --- fingers ---------------------------------------------------------------------------------------------------------

await part('fingers', async () => {
    const tablet = await open({width: 1024, height: 768, touch: true, dark: true});
    const session = await tablet.context.newCDPSession(tablet.page);
    const touch = (type, points) =>
        session.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
    const slide = async (from, to) => {
        await tablet.atOnce(async () => { // else it would be a long press
            await touch('touchStart', from);
            for (let k = 1; k <= 10; k++) {
                await touch('touchMove',
                    from.map(([x, y], i) => [x + (to[i][0] - x) * k / 10, y + (to[i][1] - y) * k / 10]));
                await tablet.frames();
            }
        });
        await tablet.settle(250);
        await touch('touchEnd', []);
        await tablet.settle(250);
    };
    const read = () => tablet.read(({view}) => view.camera);
    const beside = await tablet.read(({view}) => {
        const box = view.canvas.getBoundingClientRect();
        return [box.left + 60, box.top + 80];
    });
    const before = await read(), hand = await tablet.pixelOf('right_hand'), place = await tablet.site('right_palm');
    await slide([hand], [[hand[0] - 30, hand[1] - 120]]);
    check('one finger on a part pulls it', distance(await tablet.site('right_palm'), place) > 0.1);
    check('as a step', await tablet.read(({store}) => store.past.map(({label}) => label).join()) === 'Drag right hand');
    check('the camera stayed', JSON.stringify(await read()) === JSON.stringify(before));
    await slide([beside], [[beside[0] + 90, beside[1] + 20]]);
    const turned = await read();
    check('one finger beside it orbits', turned.azimuth !== before.azimuth && turned.distance === before.distance,
        turned);
    await slide([[beside[0], beside[1] + 100], [beside[0] + 100, beside[1] + 100]],
        [[beside[0] - 20, beside[1] + 100], [beside[0] + 180, beside[1] + 100]]);
    const zoomed = await read();
    check('two fingers apart come nearer', zoomed.distance < 0.7 * turned.distance && zoomed.azimuth === turned.azimuth,
        zoomed);
    await tablet.picture('view-touch');
    await tablet.close({mayShift: 0.01});
});

await closeAll();
finish();
