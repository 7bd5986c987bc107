// The page on phones, tablets and desktops: nothing lies outside the screen, bars do not overlap, the bar of the picked
// part is not over the
// head and nothing is over it, what a finger presses is at least 40 pixels wide and high. Pictures go to out/studio/.

import {check, closeAll, finish, open, part} from './harness.mjs';

const SIZES = [[360, 640], [640, 360], [390, 844], [820, 1180], [1280, 720], [1920, 1080]];
const FINGER = 40; // pixels
const LONG = 'right_upper_arm';

/** Controls that are seen: those outside the window, and those that are too small for a finger. */
const CONTROLS = (least) => {
    const {clientWidth: width, clientHeight: height} = document.documentElement;
    const outside = [], small = [];
    if (document.documentElement.scrollWidth > width) outside.push(`the page, ${document.documentElement.scrollWidth}`);
    for (const id of ['bar', 'side', 'timeline', 'status', 'pick', 'stage']) {
        const element = document.getElementById(id);
        if (!element.checkVisibility({checkVisibilityCSS: true})) continue;
        const {scrollWidth, clientWidth} = element;
        if (scrollWidth > clientWidth + 1) outside.push(`#${id} ${scrollWidth} in ${clientWidth}`);
    }
    const boxes = ['bar', 'stage', 'side', 'timeline', 'status'].map((id) => document.getElementById(id))
        .filter((one) => one.checkVisibility({checkVisibilityCSS: true}))
        .map((one) => ({id: one.id, box: one.getBoundingClientRect(),
            isOver: getComputedStyle(one).position === 'fixed'}))
        .filter(({box}) => box.width > 0 && box.height > 0);
    for (const [k, a] of boxes.entries()) { // a drawer lies over the view, and over nothing else
        for (const b of boxes.slice(k + 1)) {
            if ((a.isOver && b.id === 'stage') || (b.isOver && a.id === 'stage')) continue;
            if ((a.isOver && b.id === 'timeline') || (b.isOver && a.id === 'timeline')) continue;
            const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (wide > 1 && high > 1) outside.push(`#${a.id} and #${b.id} overlap`);
        }
        const {left, right, top, bottom} = a.box;
        if (left < -1 || top < -1 || right > width + 1 || bottom > height + 1) outside.push(`#${a.id} ends outside`);
    }
    const scrolls = (element, way) => /auto|scroll/.test(getComputedStyle(element)[`overflow${way}`]);
    for (const control of document.querySelectorAll('button, input, select, summary, [role=tab]')) {
        if (!control.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
        const target = control.closest('label.switch, label.check') ?? control;
        const box = target.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const name = `${control.id || control.dataset.command || control.dataset.key || control.className} "${
            (control.getAttribute('aria-label') ?? control.textContent).trim().slice(0, 24)}" ${
            [box.left, box.top, box.right, box.bottom].map(Math.round)}`;
        let isScrolledX = false, isScrolledY = false;
        for (let up = control.parentElement; up; up = up.parentElement) {
            isScrolledX ||= scrolls(up, 'X');
            isScrolledY ||= scrolls(up, 'Y');
        }
        if (!isScrolledX && (box.left < -1 || box.right > width + 1)) outside.push(name);
        if (!isScrolledY && (box.top < -1 || box.bottom > height + 1)) outside.push(name);
        if (box.width < least - 0.5 || box.height < least - 0.5) small.push(name);
    }
    return {outside, small};
};

/** Where the head is seen, and what lies over the bar of the picked part. */
const PICKED = () => {
    const {store, view} = window.studio, {segments, firstSegment, shapes} = store.scene.figures[0];
    const head = segments.findIndex(({name}) => /head/.test(name));
    const m = store.frame.matrices.subarray(12 * (firstSegment + head), 12 * (firstSegment + head) + 12);
    const at = (p) => [0, 4, 8].map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]);
    const seen = shapes.filter(({segment}) => segment === head).map(({position}) => view.toScreen(at(position)));
    const bar = document.getElementById('pick'), box = bar.getBoundingClientRect();
    const isIn = ([x, y]) => x > box.left - 8 && x < box.right + 8 && y > box.top - 8 && y < box.bottom + 8;
    const covered = [...bar.querySelectorAll('button')].filter((one) => {
        const {left, top, width, height} = one.getBoundingClientRect();
        return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    return {isHeadCovered: !seen.length || seen.some(isIn), seen, box: [box.left, box.top, box.right, box.bottom],
        covered: covered.map((one) => one.dataset.key)};
};

async function look(hands, name, isTouch) {
    await hands.settle(300);
    await hands.picture(`phone-${name}`);
    const {outside, small} = await hands.page.evaluate(CONTROLS, FINGER);
    check(`${name}: nothing is outside the screen`, outside.length === 0, outside);
    if (isTouch) check(`${name}: a finger can press everything`, small.length === 0, small);
}

async function lookAtPicked(hands, name) {
    const picked = await hands.page.evaluate(PICKED);
    check(`${name}: the bar of the picked part is not over the head`, !picked.isHeadCovered, picked);
    check(`${name}: nothing is over the bar of the picked part`, picked.covered.length === 0, picked);
}

for (const [width, height] of SIZES) {
    for (const dark of [false, true]) {
        const isTouch = width < 1000, name = `${width}x${height}-${dark ? 'dark' : 'light'}`;
        await part(name, async () => {
            const hands = await open({width, height, dark, touch: isTouch, scale: 1});
            if (isTouch) await hands.page.touchscreen.tap(...await hands.pixelOf(LONG));
            else await hands.pick(LONG);
            await look(hands, `${name}-picked`, isTouch);
            check(`${name}: a part is picked`, await hands.page.locator('#pick').isVisible());
            await lookAtPicked(hands, name);
            if (width < 1000) {
                await hands.command('side');
                for (const tab of ['Joints', 'Goals']) {
                    await hands.page.getByRole('tab', {name: tab}).click();
                    await look(hands, `${name}-${tab.toLowerCase()}`, isTouch);
                }
                if (width < 700) {
                    await lookAtPicked(hands, `${name} with panels`);
                    await hands.key('t');
                    const [isSide, isTimeline] = await Promise.all(
                        ['#side', '#timeline-body'].map((id) => hands.page.locator(id).isVisible()));
                    check(`${name}: the timeline takes the place of the panels`, !isSide && isTimeline);
                }
                await look(hands, `${name}-timeline`, isTouch);
                if (await hands.page.locator('[data-command="more"]').isVisible()) {
                    await hands.command('more');
                    await look(hands, `${name}-more`, isTouch);
                    await hands.page.keyboard.press('Escape');
                }
            }
            await hands.close();
        });
    }
}

await part('what is not in the bar of a phone is in its menu', async () => {
    const hands = await open({width: 360, height: 640, touch: true});
    await hands.command('more');
    const texts = await hands.page.locator('[role=menu] [role^=menuitem]').allInnerTexts();
    for (const word of ['Pin', 'goal', 'Natural', 'Theme', 'Timeline', 'Mirror', 'Reset', 'link']) {
        check(`the menu has ${word}`, texts.some((text) => text.includes(word)), texts);
    }
    await hands.page.getByRole('menuitemcheckbox', {name: /Natural/}).click();
    await hands.settle();
    check('Natural is off', await hands.read((studio) => !studio.store.scene.figures[0].body.isPosed));
    await hands.close();
});

await part('a link opens into its scene, with no dialog over it', async () => {
    const first = await open({});
    const hash = await first.page.evaluate(async () => {
        await window.studio.shell.link();
        return new URL(document.querySelector('.link-text').value).hash;
    });
    await first.close();
    const hands = await open({hash, first: true});
    await hands.settle(300);
    check('there is nothing over it', await hands.page.locator('dialog[open], .hint').count() === 0);
    await hands.close();
});

await closeAll();
finish();
