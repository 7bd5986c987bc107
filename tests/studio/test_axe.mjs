// axe-core finds no violation: on the first visit, in every panel, with a part picked, a goal chosen, menus, the help,
// the timeline; light and dark, on a desktop and on a phone.

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, finish, open, part, skip, top} from './harness.mjs';

const file = join(top, 'build/npm/node_modules/axe-core/axe.min.js');
if (!existsSync(file)) skip('npm\'s axe-core is not in build/npm (./dev test installs it where there is a network)');
const axe = readFileSync(file, 'utf8');

/** What axe-core has to say about the page as it is. */
async function violations(hands) {
    await hands.settle(300);
    const found = await hands.page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
    return found.violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.slice(0, 3)
        .map(({html}) => html.slice(0, 120)).join(' ; ')}`);
}

for (const [width, height, touch, dark] of [[1280, 720, false, false], [1280, 720, false, true], [360, 640, true,
    false]]) {
    await part(`${width} x ${height}${dark ? ', dark' : ''}`, async () => {
        const hands = await open({width, height, touch, dark, first: true});
        const {page} = hands, isWhole = !dark && !touch;
        await page.evaluate(axe);
        const look = async (what) => {
            const found = await violations(hands);
            check(`${what}: nothing to say`, found.length === 0, found);
        };
        await look('a first visit');
        if (touch) await hands.command('side');
        for (const tab of isWhole ? ['Joints', 'Method', 'Poses', 'Show', 'Goals'] : ['Joints', 'Goals']) {
            await hands.press(tab, 'tab');
            await look(tab);
        }
        await hands.pick('right_hand');
        await hands.key('p');
        await look('a picked part with a pin');
        await page.locator('#panel-goals .choose').first().click();
        await look('a chosen goal');
        if (!isWhole) {
            await hands.close();
            return;
        }
        await page.locator('#view').focus();
        await hands.key('t');
        await look('the timeline');
        await hands.key('?');
        await look('the help');
        await hands.key('Escape');
        await hands.command('open');
        await look('the file menu');
        await hands.key('Escape');
        await hands.file(/PNG with words/);
        await look('the picture with words');
        await hands.key('Escape');
        await hands.press('Poses', 'tab');
        await page.locator('[data-compare="keep"]').click();
        await hands.read(({store}) => store.edit('Bend', (draft) => {
            draft.start[Object.keys(draft.start).find((name) => /left_elbow/.test(name))] = 1.2;
        }));
        await look('a pose beside its reference');
        await hands.read(({store}) => store.select({kind: 'segment', figure: 0, name: 'left_hand'}));
        await page.locator('#view').focus();
        await hands.key('v');
        check('the swivel is open', await page.locator('dialog[open]').count() === 1, await hands.messages());
        await look('the swivel by numbers');
        await hands.key('Escape');
        await page.locator('#view').focus();
        await hands.key('p');
        await hands.press('Goals', 'tab');
        await page.locator('[data-command="several-goals"]').click();
        await look('several goals');
        await hands.key('Escape');
        await page.locator('#timeline-body').getByRole('button', {name: /Trails/}).click();
        await look('the menu of trails');
        await hands.key('Escape');
        await hands.close();
    });
}

await closeAll();
finish();
