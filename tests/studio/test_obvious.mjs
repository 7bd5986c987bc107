// The page does the obvious: reset brings pins along, an edit just before closing is kept whatever its size, goals are
// told apart and begin where the part is, a picked part is found in the list of joints, a figure can be removed, what
// moves plays at once, an empty file is said to be empty.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, distance, finish, open, part, ready, top} from './harness.mjs';

const KINDS = ['position', 'orientation', 'frame', 'aim', 'line', 'plane', 'half-space', 'box', 'sphere', 'capsule',
    'circle', 'disc', 'polyhedron'];

const TWO_BONES = `HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 40 0
    }
  }
}
MOTION
Frames: 60
Frame Time: 0.05
${Array.from({length: 60}, (_, k) => `0 ${k ? 90 : -90} ${k} 0 0 0 ${20 * Math.sin(k / 8)} 0 0`).join('\n')}
`;

const select = (hands, name, figure = 0) => hands.read(({store}, one) => store.select(one), {kind: 'segment',
    figure, name});

await part('reset puts pins back, and feet down', async () => {
    const hands = await open({});
    await select(hands, 'right_hand');
    await hands.page.locator('#view').focus();
    await hands.key('p');
    const up = await hands.pixelOf('left_foot');
    await hands.drag(up, [up[0], up[1] - 60]);
    check('the foot is in the air', await hands.read(({store}) => store.doc.body.foot?.left === 'lifted'),
        await hands.read(({store}) => store.doc.body));
    await hands.key('r');
    check('all pins hold what they pin', await hands.read(({store}) => store.frame.constraints.every(({met}) => met)),
        await hands.status());
    check('the hand is still pinned', await hands.read(({store}) => store.doc.constraints.map(({name}) => name).join())
        === 'pin right_palm', await hands.read(({store}) => store.doc.constraints.map(({name}) => name)));
    check('both feet stand', await hands.read(({store}) => !store.doc.body.foot
        && store.frame.body[0].contacts.filter(({stands}) => stands).length >= 6));
    await hands.close();
});

await part('new goals begin where the part is; those that would read alike are told apart', async () => {
    const hands = await open({});
    await select(hands, 'right_hand');
    const before = await hands.pose();
    for (const kind of KINDS) {
        await select(hands, 'right_hand');
        await hands.page.locator('#view').focus();
        await hands.key('a');
        await hands.page.getByRole('menuitem', {name: new RegExp(`^${kind}`, 'i')}).first().click();
        await hands.settle();
    }
    const pose = await hands.pose();
    check('nothing has moved', Math.max(...pose.map((value, k) => Math.abs(value - before[k]))) < 1e-12);
    check('all of them are met', await hands.read(({store}) => store.frame.constraints.every(({met}) => met)),
        await hands.read(({store}) => store.frame.constraints.filter(({met}) => !met).map(({name,
            distance: far}) => [name, far])));
    await select(hands, 'right_hand');
    await hands.page.locator('#view').focus();
    await hands.key('p');
    const titles = await hands.page.locator('#panel-goals .title').evaluateAll((all) =>
        all.map((one) => one.firstChild.textContent));
    check('no two have one title', new Set(titles).size === KINDS.length + 1, titles);
    await hands.picture('obvious-goals');
    await hands.close();
});

await part('a picked part is found in the list of joints, a figure can be removed', async () => {
    const hands = await open({});
    await hands.pick('left_foot');
    await hands.key('2');
    const isSeen = () => hands.page.evaluate(() => {
        const one = document.querySelector('#panel-joints .joint.chosen'),
            list = document.getElementById('panel-joints');
        const [a, b] = [one?.getBoundingClientRect(), list.getBoundingClientRect()];
        return Boolean(a) && a.top >= b.top - 1 && a.bottom <= Math.min(b.bottom, innerHeight) + 1;
    });
    check('it is in sight when the panel is opened', await isSeen());
    await hands.pick('head');
    check('and when another is picked', await isSeen());
    await hands.command('open');
    await hands.page.getByRole('menuitem', {name: /^Add a model/}).click();
    await hands.page.locator('.menu [data-command="model-ur5"]').click();
    await hands.settle(200);
    await select(hands, await hands.read(({store}) => store.scene.figures[1].segments.at(-1).name), 1);
    await hands.page.locator('#view').focus();
    await hands.key('p');
    await hands.picture('obvious-two-figures');
    const own = await hands.read(({store}) => store.doc.constraints.length);
    await hands.page.getByRole('button', {name: 'Remove ur5'}).click();
    await hands.settle();
    check('one figure is left', await hands.read(({store}) => store.scene.figures.map(({name}) =>
        name).join()) === 'human',
        await hands.messages());
    check('without what was asked of the other', own === 1 && await hands.read(({store}) =>
        store.doc.constraints.length) === 0);
    check('and with names of its own', await hands.read(({store}) => 'right_elbow' in store.doc.start));
    await hands.key('Control+z');
    check('undo brings it back', await hands.read(({store}) => store.scene.figures.length) === 2);
    await hands.page.getByRole('button', {name: 'Remove human'}).click();
    await hands.settle();
    check('the first can go, too', await hands.read(({store}) => store.scene.figures.map(({name}) =>
        name).join()) === 'ur5'
        && await hands.read(({store}) => store.frame.constraints.length === 1 && store.frame.constraints[0].met),
            await hands.messages());
    await hands.close();
});

await part('an edit just before the page is closed is kept, whatever its size', async () => {
    const hands = await open({});
    const {page} = hands;
    const text = `${readFileSync(join(top, 'models/ur5.fig'), 'utf8')}\n${`// ${'x'.repeat(100)}\n`.repeat(40000)}`;
    await hands.drop([{name: 'large.fig', bytes: Buffer.from(text)}]); // 4 MB: no link holds it
    await select(hands, await hands.read(({store}) => store.scene.figures[0].segments.at(-1).name));
    await page.locator('#view').focus();
    await hands.key('p');
    await hands.settle(1800);
    await hands.kept();
    const joints = await hands.pose();
    await hands.atOnce(async () => { // no timer runs before the page is gone
        await page.keyboard.press('Shift+r');
        await page.keyboard.press('ArrowUp');
        await page.evaluate(() => window.studio.store.queue);
        await page.evaluate(() => window.studio.store.edit('Turn', (draft) => {
            const [name] = Object.keys(draft.start);
            draft.start[name] += 0.25;
        }));
        await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
    });
    const last = await hands.pose();
    check('something was done last', distance(last, joints) > 0.1);
    await page.reload();
    await ready(page);
    await page.getByRole('button', {name: 'Restore'}).click();
    await hands.settle(150);
    check('it is there again', distance(await hands.pose(), last) < 1e-9, await hands.messages());
    check('with its pin', await hands.read(({store}) => store.doc.constraints.length) === 1);
    await hands.close();
});

await part('work that cannot be kept is said', async () => {
    const hands = await open({});
    const {page} = hands;
    await page.evaluate(() => {
        IDBDatabase.prototype.transaction = () => { throw new Error('no room'); };
        Storage.prototype.setItem = () => { throw new Error('no room'); };
    });
    await select(hands, 'right_hand');
    await page.locator('#view').focus();
    await hands.key('p');
    await hands.settle(1800);
    check('once', (await hands.messages()).filter(({text}) =>
        /does not keep your work \(no room\)/.test(text)).length === 1,
        await hands.messages());
    await hands.close();
});

/** A dog: a trunk on four legs, whose root a URDF fixes. */
const DOG = `<robot name="dog"><link name="trunk"><inertial><mass value="10"/></inertial><visual><geometry>
<box size="0.6 0.2 0.1"/></geometry></visual></link>${[[0.25, 0.1], [0.25, -0.1], [-0.25, 0.1], [-0.25, -0.1]]
    .map(([x, y], k) => `
<link name="${k}a"><inertial><mass value="0.4"/></inertial></link>\
<link name="${k}b"><inertial><mass value="0.4"/></inertial>
<collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.02"/></geometry></collision></link>
<joint name="hip${k}" type="revolute"><parent link="trunk"/><child link="${k}a"/>\
<origin xyz="${x} ${y} 0"/><axis xyz="0 1 0"/>
<limit lower="-1.5" upper="1.5" effort="50" velocity="1"/></joint>
<joint name="knee${k}" type="revolute"><parent link="${k}a"/><child link="${k}b"/>\
<origin xyz="0 0 -0.2"/><axis xyz="0 1 0"/>
<limit lower="-2.2" upper="0" effort="50" velocity="1"/></joint>`).join('')}</robot>`;

await part('a legged robot stands on its feet', async () => {
    const hands = await open({});
    await hands.drop([{name: 'dog.urdf', bytes: Buffer.from(DOG)}]);
    await hands.until(() => hands.read(({store}) => store.doc.figures[0]?.file === 'dog.urdf'));
    const doc = await hands.read(({store}) => store.doc);
    check('with a free root and a body', doc.figures[0].stand === true && doc.body && 'root.z' in doc.start, doc);
    const contacts = await hands.read(({store}) => store.frame.body?.[0]?.contacts?.map(({stands}) => stands));
    check('all four feet stand', contacts?.length === 4 && contacts.every(Boolean), contacts);
    await hands.picture('obvious-legged');
    await hands.close();
});

await part('an empty file is said to be empty', async () => {
    const hands = await open({});
    await hands.drop([{name: 'robot.urdf', bytes: Buffer.from('')}]);
    const [message] = await hands.messages();
    check('in a sentence', message?.file === 'robot.urdf' && /this file is empty/.test(message.text), message);
    await hands.close();
});

await part('what moves plays at once, with its timeline; a pull stops it', async () => {
    const hands = await open({moving: true});
    const {page} = hands;
    await hands.page.evaluate((data) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], 'walk.bvh'));
        for (const type of ['dragenter', 'dragover', 'drop']) {
            document.querySelector('#view')
                .dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
        }
    }, Buffer.from(TWO_BONES).toString('base64'));
    await hands.until(() => hands.read(({store}) => store.scene.motion?.kind === 'clip'));
    await hands.until(() => hands.read(({store}) => store.frame.time > 0));
    check('the timeline is open', await page.locator('#timeline-body').isVisible());
    await hands.until(() => hands.read(({store}) => store.frame.time > 0.2));
    const {top: above, bottom: below} = await page.locator('#view').evaluate((view) =>
        (({top, bottom}) => ({top, bottom}))(view.getBoundingClientRect()));
    const places = await hands.read(({store, view}) => [1, 2].map((k) => view.toScreen([3, 7, 11].map((i) =>
        store.frame.matrices[12 * k + i]))[1]));
    check('the figure is in sight, though its first pose is elsewhere', places.every((y) => y > above && y < below),
        {places, above, below});
    check('what is said is what plays', /^walk at [\d.]+ s/.test(await hands.status()), await hands.status());
    check('nothing of it is said to be far off', await page.locator('#panel-goals .residual').evaluateAll((all) =>
        all.every(({textContent}) => textContent === '')));
    await page.getByRole('button', {name: 'Pause'}).click();
    await hands.settle();
    await hands.picture('obvious-plays');
    await page.locator('#view').focus();
    await page.keyboard.press('Space');
    await hands.until(() => hands.read(({store}) => store.timeline.player.isPlaying));
    await hands.read(({store}) => store.emit('hold', 'part'));
    await hands.settle();
    check('it stops for a hand', await hands.read(({store}) => !store.timeline.player.isPlaying));
    await hands.close();
});

await closeAll();
finish();
