// Files that are dropped on the page: every kind that it opens, with what `limber info` says of the same file; hostile
// ones (the fuzz corpus), which give a message and leave the scene as it was.

import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {check, closeAll, finish, limber, open, part, say, scratch, shared, top} from './harness.mjs';

const work = join(scratch, 'files');
mkdirSync(work, {recursive: true});

/** One of the shipped models in another format. */
function converted(model, name) {
    const file = join(work, name);
    execFileSync(limber, ['convert', join(top, 'models', `${model}.fig`), file], {stdio: 'ignore'});
    return file;
}

/** The smallest model of MuJoCo with a bit of everything, where there is no other. */
function ownMjcf() {
    const file = join(work, 'arm.xml');
    writeFileSync(file, `<mujoco model="arm"><worldbody><body name="base"><geom type="box" size=".1 .1 .1"/>
        <body name="upper" pos="0 0 .1"><joint name="shoulder" axis="0 1 0" range="-90 90"/>
        <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
        <body name="lower" pos="0 0 .4"><joint name="elbow" axis="0 1 0" range="0 140"/>
        <geom type="capsule" fromto="0 0 0 0 0 .3" size=".03"/>
        <site name="tip" pos="0 0 .3"/></body></body></body></worldbody></mujoco>`);
    return file;
}

/** What the program counts in a figure. */
function counts(file, isPerson = false) {
    const words = isPerson ? ['--limits', 'auto'] : []; // a character is opened as a person
    const {status, stdout} = spawnSync(limber, ['info', file, '--json', ...words], {maxBuffer: 1 << 28});
    return status === 0 ? JSON.parse(stdout).counts : null;
}

const FIGURES = [
    ['a .fig', [join(top, 'models/panda.fig')]],
    ['a URDF robot', [shared('urdf/humanoids/nao_v40.urdf') ?? converted('panda', 'panda.urdf')]],
    ['a MuJoCo model', [shared('mjcf/humanoid.xml') ?? ownMjcf()]],
    ['BVH motion', [shared('bvh/cmu/02_01_walk.bvh') ?? converted('human', 'human.bvh')]],
    ['a GLB character', [shared('gltf/CesiumMan.glb') ?? converted('human', 'human.glb')]],
    ['a GLB of Limber', [converted('ur5', 'ur5.glb')]],
    ['a VRM character', [shared('vrm/basic_armature_vrm1.vrm') ?? join(top, 'fuzz/corpus/gltf/vrm1.vrm')]],
    ['a glTF in parts', [shared('gltf/quirks/Animation_Skin_00.gltf'), shared('gltf/quirks/Animation_Skin_00.bin')]],
];

const hands = await open();
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');
const closeMessages = () => hands.read(({store}) => store.messages.map(({id}) => store.closeMessage(id)));

for (const [what, files] of FIGURES) {
    if (files.includes(null)) continue;
    await part(`${what}: ${basename(files[0])}`, async () => {
        await hands.drop(files);
        check(`${what} is opened without an error`, (await errors()).length === 0, await errors());
        const wanted = counts(files[0], await hands.read(({store}) => store.doc.body !== undefined));
        const seen = await hands.read(({store}) => {
            const {segments, joints, variables, shapes} = store.scene.figures[0];
            return {
                figures: store.scene.figures.length,
                segments: segments.length,
                joints: joints.length,
                variables: variables.length,
                shapes: shapes.length,
                finite: store.frame.matrices.every(Number.isFinite)
            };
        });
        for (const key of ['segments', 'joints', 'variables']) {
            check(`${what}: as many ${key} as limber info says`, seen[key] === wanted[key],
                {page: seen[key], program: wanted[key]});
        }
        check(`${what}: every segment has a place`, seen.finite);
        await hands.picture(`file-${basename(files[0]).replace(/\W+/g, '-').toLowerCase()}`);
        await closeMessages();
    });
}

await part('a problem with the figures that it names', async () => {
    await hands.drop(['two-hands-one-box.json', 'props/box.fig'].map((name) => join(top, 'problems', name)));
    check('it is opened without an error', (await errors()).length === 0, await errors());
    const problem = JSON.parse(readFileSync(join(top, 'problems/two-hands-one-box.json')));
    const seen = await hands.read(({store}) => ({title: store.doc.title, figures: store.scene.figures.length,
        goals: store.doc.constraints.length}));
    check('its title is there', seen.title === problem.title, seen);
    check('its figures are there', seen.figures === (problem.figures ?? [problem.figure]).length, seen);
    check('its goals are there', seen.goals === problem.constraints.length, seen);
    await hands.key('Enter');
    await hands.settle(300);
    const unmet = await hands.read(
        ({store}) => store.frame.constraints.filter(({met, counted}) => counted && !met).map(({name}) => name));
    check('it is solved', unmet.length === 0, unmet);
    await hands.picture('file-problem');
});

await part('a problem without its figure', async () => {
    const before = await hands.doc();
    await hands.drop([{name: 'lonely.json', bytes: Buffer.from('{"figure": "nobody.fig"}')}]);
    check('the message names what is missing', (await errors()).some(({text}) => /nobody\.fig/.test(text)),
        await errors());
    check('and what to do', (await errors()).some(({text}) => /drop that file along/.test(text)), await errors());
    check('the scene is as it was', await hands.doc() === before);
    await closeMessages();
});

await part('through the file chooser', async () => {
    await hands.page.locator('#file-input').setInputFiles(join(top, 'models/ur5.fig'));
    await hands.settle(200);
    check('the robot is there', await hands.read(({store}) => store.scene.figures[0].joints.length) >= 6);
});

await part('without a network', async () => {
    const other = await open();
    const {seen} = other;
    await other.until(() => seen.requests.filter(({url}) => url.endsWith('/shipped.json')).length >= 2);
    await other.until(() => seen.requests.some(({url}) => /parts\/xml-/.test(url)));
    await other.settle(500);
    await other.context.setOffline(true);
    const count = seen.requests.length;
    await other.file('Models');
    await other.page.getByRole('menuitem', {name: /^panda/}).first().click();
    await other.settle(300);
    check('another model opens', await other.read(({store}) => store.scene.figures[0].name) === 'panda');
    await other.file('Problems');
    await other.page.getByRole('menuitem', {name: /box/i}).first().click();
    await other.settle(300);
    check('a problem with its props opens', await other.read(({store}) => store.scene.figures.length) > 1,
        await other.messages());
    const download = await other.file(/^GLB/, {downloads: true});
    check('it exports', (await download.failure()) === null);
    const urdf = '<robot name="two"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/>'
        + '<child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>';
    await other.page.locator('#file-input').setInputFiles({name: 'two.urdf', mimeType: 'text/xml',
        buffer: Buffer.from(urdf)});
    await other.settle(300);
    check('what the browser parses opens', await other.read(({store}) => store.scene.figures[0].name) === 'two',
        await other.messages());
    const abroad = seen.requests.slice(count).filter(({url}) => !/^(blob|data):/.test(url));
    check('nothing was asked of anyone', abroad.length === 0, abroad);
    await other.close();
});

await part('where a part of the page cannot be fetched', async () => {
    const page = await hands.context.newPage();
    await page.route('**/parts/later*', (route) => route.abort());
    await page.goto(hands.server.url);
    const said = page.getByText('could not be fetched');
    await said.waitFor();
    check('the page is there without it', await page.evaluate(() => Boolean(window.studio.store.frame)));
    await page.unroute('**/parts/later*');
    await page.getByRole('button', {name: 'Try again'}).click();
    await page.waitForFunction(() => window.studio.store.timeline);
    check('it comes when asked for again', await page.locator('#panel-method .method-form').count() === 1);
    await page.close();
});

// --- hostile files ---------------------------------------------------------------------------------------------------

/** What a file includes has to be dropped with it. */
function partsOf(kind, name) {
    const folder = join(top, 'fuzz/corpus', kind, 'parts');
    return name === 'including.xml' ? readdirSync(folder).map((part) => join(folder, part)) : [];
}

say('the fuzz corpus');
await hands.key('Home');
let refused = 0;
let opened = 0;
for (const kind of readdirSync(join(top, 'fuzz/corpus')).sort()) {
    for (const name of readdirSync(join(top, 'fuzz/corpus', kind)).sort()) {
        const file = join(top, 'fuzz/corpus', kind, name);
        if (!/\.\w+$/.test(name)) continue;
        if (/\.(stl|obj|dae)$/i.test(name)) continue; // meshes are parts of robots: studio.meshes
        const before = await hands.read(
            ({store}) => JSON.stringify([store.doc, [...store.frame.pose], store.scene.figures.length]));
        await closeMessages();
        await hands.drop([file, ...partsOf(kind, name)]);
        const wrong = await errors();
        const after = await hands.read(
            ({store}) => JSON.stringify([store.doc, [...store.frame.pose], store.scene.figures.length]));
        if (wrong.length) {
            refused++;
            check(`${kind}/${name}: the scene is as it was`, after === before);
            check(`${kind}/${name}: the message says something`, wrong.every(({text}) => text.length > 8), wrong);
        } else {
            opened++;
            check(`${kind}/${name}: without a message the file is open`, after !== before);
        }
        if (!['problem', 'scefo'].includes(kind)) {
            const told = counts(file) === null ? await hands.messages()
                                               : wrong; // a bad animation may be left out with a warning
            check(`${kind}/${name}: refused as limber info refuses it`, (counts(file) === null) === (told.length > 0),
                told);
        }
    }
}
say(`    ${refused} refused, ${opened} opened`);
check('some are refused, some are not', refused > 20 && opened > 10, {refused, opened});
for (const bytes of [Buffer.alloc(0), Buffer.from([0xff, 0xfe, 0, 1, 2]), Buffer.from('hello')]) {
    for (const name
             of ['a.fig', 'a.urdf', 'a.xml', 'a.bvh', 'a.glb', 'a.gltf', 'a.vrm', 'a.json', 'a.scefo', 'a.txt', 'a']) {
        const before = await hands.doc();
        await closeMessages();
        await hands.drop([{name, bytes}]);
        check(`${name} of ${bytes.length} bytes gives a message`, (await errors()).length > 0);
        check(`${name} of ${bytes.length} bytes leaves the scene`, await hands.doc() === before);
    }
}

// After all this the page works.
await closeMessages();
await hands.picture('after-hostile-files');
await hands.file('Models');
await hands.page.getByRole('menuitem', {name: /^human/}).first().click();
await hands.settle(300);
const from = await hands.pixelOf('right_hand');
const was = await hands.site('right_palm');
await hands.drag(from, [from[0] - 30, from[1] - 80]);
const is = await hands.site('right_palm');
check('a hand can be dragged after all that', Math.hypot(...is.map((value, k) => value - was[k])) > 0.03, {was, is});

await hands.close();
await closeAll();
finish();
