// Pictures with words: names and sizes are written into the PNG as chosen, none over another, each within the picture.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {placeWords, sizeText} from '../../studio/view/labelled_picture.js';
import {check, closeAll, finish, open, part, pictures} from './harness.mjs';
import {copyFile, mkdir} from 'node:fs/promises';

let seed = 3;
const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
};
const size = {width: 640, height: 480, line: 12};
for (let round = 0; round < 20; round++) { // words at random places
    const words = Array.from({length: 40}, (_, k) => ({text: 'x'.repeat(1 + Math.floor(12 * random())), rank: k % 3,
        at: {x: 640 * random(), y: 480 * random()}, color: [0, 0, 0, 1]}));
    const placed = placeWords(words, (text) => 7 * text.length, size).map(({box}) => box);
    const isClear = placed.every((a, k) => placed.every((b, j) => j <= k || a.x + a.w <= b.x || b.x + b.w <= a.x || a.y
        + a.h <= b.y || b.y + b.h <= a.y));
    check('no word is over another', isClear);
    check('all are within the picture', placed.every(({x, y, w, h}) => x >= 0 && y >= 0 && x + w <= 640 && y
        + h <= 480));
    check('most find a place', placed.length >= 25, placed.length);
}
check('sizes are said as people do', sizeText(1.754) === '1.75 m' && sizeText(0.423) === '42 cm'
    && sizeText(0.034) === '3.4 cm');

await part('a picture with words is saved', async () => {
    const hands = await open({scale: 1});
    const {page} = hands;
    await hands.pick('right_hand');
    await hands.key('p');
    await hands.file(/PNG with words/);
    await page.locator('dialog[open]').waitFor();
    await hands.picture('picture-dialog');
    const take = async () => {
        const [download] = await Promise.all([page.waitForEvent('download'),
            page.locator('[data-command="picture-save"]').click()]);
        return download.path();
    };
    const whole = await take();
    await mkdir(pictures, {recursive: true});
    await copyFile(whole, join(pictures, 'picture-words.png'));
    const bytes = readFileSync(whole);
    check('it is a PNG of that size', bytes.toString('latin1', 1, 4) === 'PNG' && bytes.readUInt32BE(16) === 1920
        && bytes.readUInt32BE(20) === 1080);
    for (const name of ['Parts', 'Goals', 'Sizes']) await page.locator('dialog[open]').getByRole('switch',
        {name: new RegExp(name)}).uncheck();
    const bare = readFileSync(await take());
    check('without words it is another', !bare.equals(bytes));
    await page.keyboard.press('Escape');
    await hands.close();
});

await closeAll();
finish();
