// What goes out of the page and comes back: figures and poses in every format that it writes, problem files, links,
// pictures. What it wrote is also read by the program.

import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, distance, finish, limber, open, part, say, scratch, top} from './harness.mjs';

const work = join(scratch, 'export');
mkdirSync(work, {recursive: true});
const SITES = ['right_palm', 'left_palm', 'right_heel', 'left_toe'];

/** Where all segments are, by name: what has to come back. */
const PLACES = ({store}) => Object.fromEntries(store.scene.figures[0].segments.map(({name}, k) => {
    const at = 12 * (store.scene.figures[0].firstSegment + k);
    return [name, [3, 7, 11].map((offset) => store.frame.matrices[at + offset])];
}));

/** The farthest that a segment which both have is from where it was. */
function farthest(a, b) {
    const both = Object.keys(a).filter((name) => name in b);
    return {count: both.length, most: Math.max(...both.map((name) => distance(a[name], b[name])))};
}

const hands = await open();
const errors = async () => (await hands.messages()).filter(({kind}) => kind === 'error');

/** Downloads by the file menu. */
async function save(entry) {
    const download = await hands.file(entry, {downloads: true});
    const file = join(work, download.suggestedFilename());
    await download.saveAs(file);
    check(`${entry}: no error`, (await errors()).length === 0, await errors());
    return file;
}

// A pose that is not the rest pose.
const from = await hands.pixelOf('right_hand');
await hands.drag(from, [from[0] - 40, from[1] - 150]);
const document = await hands.doc();
const places = await hands.read(PLACES);
const pose = await hands.pose();
const palm = await hands.site('right_palm');

await part('a problem file', async () => {
    const file = await save('Save problem');
    await hands.key('r'); // something else meanwhile
    check('the pose was reset', distance(await hands.site('right_palm'), palm) > 0.05);
    await hands.drop([file]);
    const back = await hands.pose();
    check('the pose is back, to the bit', back.length === pose.length && back.every((value, k) => value === pose[k]));
    const [is, was] = [JSON.parse(await hands.doc()), JSON.parse(document)];
    check('the goals are back', JSON.stringify(is.constraints) === JSON.stringify(was.constraints), is.constraints);
    check('the balance is back', JSON.stringify(is.balance) === JSON.stringify(was.balance));
    const {status, stdout, stderr} = spawnSync(limber, ['solve', file], {encoding: 'utf8'});
    check('the program solves it', status === 0, stdout + stderr);
});

await part('a link', async () => {
    await hands.command('link');
    const address = await hands.page.locator('dialog[open] textarea').inputValue();
    await hands.picture('link');
    await hands.key('Escape');
    const hash = new URL(address).hash;
    say(`    ${address.length} characters`);
    check('the problem is behind the #', hash.length > 20 && new URL(address).search === '');
    const other = await open({hash: hash.slice(0)});
    const back = await other.pose();
    check('the pose is in the link', back.every((value, k) => Math.abs(value - pose[k]) < 1e-6), distance(back, pose));
    const [is, was] = [JSON.parse(await other.doc()), JSON.parse(document)];
    const isSame = is.constraints.length === was.constraints.length
        && is.constraints.every(({name}, k) => name === was.constraints[k].name);
    check('the goals are in the link', isSame, is.constraints.map(({name}) => name));
    const told = other.seen.requests.filter(({url}) => url.includes(hash.slice(1, 40)));
    check('nothing of it is sent', told.length === 0, told);
    await other.close();
});

// What comes back is the same figure in the same pose; formats without a pose of their own have it as their rest pose
// or first frame.
for (const [entry, ending] of [['GLB', 'glb'], ['BVH', 'bvh'], ['URDF', 'urdf'], ['Figure', 'fig']]) {
    await part(entry, async () => {
        const file = await save(new RegExp(`^${entry}`));
        check(`${entry}: the name ends in .${ending}`, file.endsWith(`.${ending}`), file);
        const {status, stdout, stderr} =
            spawnSync(limber, ['info', file, '--json'], {encoding: 'utf8', maxBuffer: 1 << 28});
        check(`${entry}: the program reads it`, status === 0, stderr);
        const before = await hands.read(({store}) => store.scene.figures[0].segments.length);
        await hands.drop([file]);
        check(`${entry}: the page reads it`, (await errors()).length === 0, await errors());
        const back = await hands.read(PLACES);
        const {count, most} = farthest(places, back);
        say(`    ${count} of ${before} segments, at most ${(1000 * most).toFixed(3)} mm away`);
        check(`${entry}: its segments are back`, count > before / 2,
            {count, before, counts: JSON.parse(stdout || '{}').counts});
        if (['glb', 'bvh'].includes(ending)) check(`${entry}: in the pose that was written`, most < 2e-3, most);
        await hands.picture(`export-${ending}`);
        await hands.key('Control+z');
        check(`${entry}: undo brings the human back`, (await hands.pose()).every((value, k) => value === pose[k]));
    });
}

await part('a picture', async () => {
    const file = await save(/^PNG/);
    const bytes = readFileSync(file);
    check('it is a PNG', bytes.subarray(1, 4).toString() === 'PNG');
    check('of 1920 x 1080', bytes.readUInt32BE(16) === 1920 && bytes.readUInt32BE(20) === 1080);
    check('with something in it', bytes.length > 20000, bytes.length);
});

await part('a result', async () => {
    const file = await save(/^Result/);
    const result = JSON.parse(readFileSync(file));
    check('it says what came of the solve', typeof (result.status ?? result.outcome) === 'string', result);
});
check(
    'sites are where they were', distance((await hands.sites(SITES)).flat(), (await hands.sites(SITES)).flat()) === 0);

// The file that `limber studio` was given is what the page begins with.
await part('limber studio FILE', async () => {
    const given = await open({words: [join(top, 'problems/sitting.json')]});
    const title = JSON.parse(readFileSync(join(top, 'problems/sitting.json'))).title;
    check('the problem is open', await given.read(({store}) => store.doc.title) === title, title);
    check('with the stool that it names', await given.read(({store}) => store.scene.figures.length) === 2);
    await given.picture('given');
    await given.close();
});

await hands.close();
await closeAll();
finish();
