// The Engine and files: every kind opens, plays, is written and read again; hostile files leave all as it was.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import {test} from 'node:test';
import {distance, dragTo, filesBelow, makeEngine, pointOf, read, sameBits, shared, siteOf, top,
    withHuman} from './engine.mjs';

/** XML needs a DOMParser, which Node lacks; the page's tests open URDF and MJCF. */
const KINDS = /\.(fig|bvh|glb|gltf|vrm|vrma|scefo)$/;
const bytesOf = (path) => new Uint8Array(readFileSync(path));

/** A file with those beside it that it may need. */
function withNeighbours(path) {
    const folder = dirname(path);
    const beside = /\.(gltf|json)$/.test(path) ? filesBelow(folder).filter((file) => file !== path &&
        /\.(bin|fig)$/.test(file)) : [];
    return [{name: basename(path), bytes: bytesOf(path)}, ...beside.map((file) => ({name: relative(folder, file),
        bytes: bytesOf(file)}))];
}

/** Opens a file and looks whether what comes is whole. */
async function opens(engine, path) {
    const {doc, scene, frame} = await engine.open({files: withNeighbours(path)});
    assert.ok(scene.figures.length >= 1 && doc.figures.length === scene.figures.length);
    assert.equal(frame.pose.length, scene.variableCount);
    assert.equal(Object.keys(doc.start).length, scene.variableCount);
    assert.ok(frame.matrices.every(Number.isFinite));
    const again = await engine.set({doc});
    assert.ok(sameBits(again.frame.pose, frame.pose), 'the document is the same world');
    return {doc, scene, frame};
}

test('every model, problem and example opens', async (t) => {
    const engine = await makeEngine();
    for (const folder of ['models', 'problems', 'examples']) {
        for (const path of filesBelow(join(top, folder)).filter((file) => KINDS.test(file) || /\.json$/.test(file))) {
            await t.test(relative(top, path), () => opens(engine, path));
        }
    }
});

test('files of the wide world open', {skip: !shared('bvh') && 'no shared data'}, async (t) => {
    const engine = await makeEngine();
    const wanted = ['bvh', 'gltf', 'vrm'].flatMap((folder) => (shared(folder) ? filesBelow(shared(folder)) : []))
        .filter((file) => KINDS.test(file));
    /* the readers' own tests have them all */
    const some = wanted.filter((path, k) => !/Recursive/.test(path) && k % 4 === 0);
    for (const path of some) await t.test(basename(path), () => opens(engine, path));
});

test('a problem finds its figures among files that came along, by name', async () => {
    const engine = await makeEngine();
    const stool = {name: 'stool.fig', bytes: read('problems/props/stool.fig')};
    const problem = {name: 'sitting.json', bytes: read('problems/sitting.json')};
    const {doc, scene} = await engine.open({files: [stool, problem]});
    assert.equal(doc.figures[1].file, 'stool.fig');
    assert.equal(scene.figures[1].name, 'stool');
    assert.ok(doc.constraints.some(({name}) => name === 'pin right_heel'), '`keep` has become pins');
    assert.equal((await engine.solve({})).outcome, 'solved');
    const lonely = await makeEngine();
    await assert.rejects(lonely.open({files: [problem]}), (error) => /stool/.test(error.message) &&
        /sitting\.json$/.test(error.file) && error.line > 0);
});

test('documents have one spelling', async () => {
    const engine = await makeEngine();
    const text = `{"figure": "human", "start": {"right_elbow": "90deg"}, "constraints": [
        {"effector": "right_palm", "goal": {"kind": "position", "point": [0.4, "-30cm", 1.2]}, "tolerance": "1mm"},
        {"effector": "right_palm", "goal": {"kind": "plane", "point": [0, 0, 1], "normal": [0, 0, 1]}}],
        "keep": ["left_heel"], "balance": {"support": ["left_heel", "left_toe", "right_toe"], "margin": "1cm"}}`;
    const {doc} = await engine.open({files: [{name: 'a.json', bytes: new TextEncoder().encode(text)}]});
    assert.deepEqual(doc.figures, [{file: 'human', name: 'human'}]);
    const posed = '{"figure": "human", "start": {"right_elbow": "90deg"}}';
    const alone = await engine.open({files: [{name: 'b.json', bytes: new TextEncoder().encode(posed)}]});
    assert.ok(Math.abs(alone.doc.start.right_elbow - Math.PI / 2) < 1e-15);
    assert.deepEqual(doc.constraints.map(({name}) => name), ['right_palm', 'right_palm 2', 'pin left_heel']);
    assert.deepEqual(doc.constraints[0].goal.point, [0.4, -0.3, 1.2]);
    assert.equal(doc.constraints[0].tolerance, 0.001);
    assert.equal(doc.balance[0].margin, 0.01);
});

test('messages have file, line and what to do', async () => {
    const {engine, doc} = await withHuman();
    const before = await engine.pose({values: engine.world.pose});
    const open = (name, text) => engine.open({files: [{name, bytes: new TextEncoder().encode(text)}]});
    await assert.rejects(open('a.json', '{\n"figure": "human",\n"constraint": []}'),
        (error) => error.file.endsWith('a.json') && error.line === 3);
    await assert.rejects(open('a.json', '{"figure": '), (error) => error.line === 1 && /JSON/.test(error.message));
    await assert.rejects(open('b.fig', 'figure x {\n  segment }'), (error) => error.file.endsWith('b.fig') &&
        error.line === 2);
    await assert.rejects(open('c.txt', 'hello'), /is a figure, a problem or a script/);
    const after = await engine.pose({values: engine.world.pose});
    assert.ok(sameBits(after.matrices, before.matrices));
    assert.deepEqual(engine.world.doc, doc);
    assert.ok(!engine.session.limber.files.has('b.fig'), 'no trace of it');
});

test('hostile files leave the scene as it was', async () => {
    const {engine, doc, frame} = await withHuman();
    let refused = 0;
    for (const path of filesBelow(join(top, 'fuzz/corpus'))) {
        const kind = basename(dirname(path));
        const name = /\.\w+$/.test(path) ? basename(path) : `hostile.${{problem: 'json', gltf: 'glb'}[kind] ?? kind}`;
        try {
            await engine.open({files: [{name, bytes: bytesOf(path)}]});
            await engine.set({doc}); /* it was harmless: back to the human */
        } catch (error) {
            refused++;
            assert.ok(error.message.length > 8, path);
            assert.ok(!(error instanceof TypeError) && !(error instanceof WebAssembly.RuntimeError),
                `${path}: ${error.stack}`);
            assert.equal(engine.world.doc.title, doc.title, path);
        }
    }
    assert.ok(refused > 10, `${refused} refused`);
    const now = await engine.set({doc});
    assert.ok(sameBits(now.frame.pose, frame.pose));
});

test('what is exported and opened again has the same pose', async () => {
    const {engine, scene} = await withHuman();
    const {drag} = await engine.dragBegin({segment: 'right_hand'});
    await dragTo(engine, [drag.at[0] + 0.3, drag.at[1], drag.at[2] + 0.4]);
    const {frame} = await engine.dragEnd({});
    const hand = pointOf(scene, frame, 'right_hand');
    const foot = pointOf(scene, frame, 'left_foot');
    const reopen = async (format) => {
        const {name, bytes} = await engine.export({format, name: 'posed', motion: false});
        const other = await makeEngine();
        return {name, ...await other.open({files: [{name, bytes}]})};
    };
    const problem = await reopen('problem');
    assert.equal(problem.name, 'posed.json');
    assert.ok(sameBits(problem.frame.pose, frame.pose));
    for (const format of ['glb', 'bvh']) {
        const {scene: again, frame: pose, name} = await reopen(format);
        assert.equal(name, `posed.${format}`);
        const shift = format === 'bvh' ? 1e-4 : 1e-5;
        assert.ok(distance(pointOf(again, pose, 'right_hand'), pointOf(again, pose, 'left_foot')) -
            distance(hand, foot) < shift, format);
        assert.ok(distance(pointOf(again, pose, 'right_hand'), hand) < shift,
            `${format}: ${pointOf(again, pose, 'right_hand')} ${hand}`);
    }
    const fig = await reopen('fig');
    assert.equal(fig.scene.variableCount, scene.variableCount);
    const {bytes} = await engine.export({format: 'result', name: 'posed'});
    const result = JSON.parse(new TextDecoder().decode(bytes));
    assert.equal(result.status, 'solved');
    assert.equal(Object.keys(result.pose).length, scene.variableCount);
    const urdf = new TextDecoder().decode((await engine.export({format: 'urdf'})).bytes);
    assert.match(urdf, /<robot/);
});

test('a character\'s own GLB comes back posed, everything else kept', {skip: !shared('gltf') && 'no shared data'},
    async () => {
    const engine = await makeEngine();
    const path = filesBelow(shared('gltf')).find((file) => /RiggedFigure\.glb$/.test(file));
    const {scene} = await engine.open({files: [{name: 'rigged.glb', bytes: bytesOf(path)}]});
    const segment = scene.figures[0].segments.findIndex(({name}) => /arm_joint_L_?_*3/.test(name));
    const {drag} = await engine.dragBegin({segment, chain: 2});
    await dragTo(engine, [drag.at[0], drag.at[1] - 0.1, drag.at[2] - 0.2]);
    const {frame} = await engine.dragEnd({});
    const {name, bytes} = await engine.export({format: 'glb', name: 'again', motion: false});
    const jsonOf = (file) => JSON.parse(new TextDecoder().decode(file.subarray(20, 20 +
        new DataView(file.buffer, file.byteOffset).getUint32(12, true))));
    assert.deepEqual(jsonOf(bytes).skins, jsonOf(bytesOf(path)).skins);
    assert.deepEqual(jsonOf(bytes).meshes, jsonOf(bytesOf(path)).meshes);
    const other = await makeEngine();
    const again = await other.open({files: [{name, bytes}]});
    const part = scene.figures[0].segments[segment].name;
    assert.ok(distance(pointOf(again.scene, again.frame, part), pointOf(scene, frame, part)) < 1e-5);
});

test('a script plays, at any time', async () => {
    const engine = await makeEngine();
    const {doc, scene} = await engine.open({files: [{name: 'arm.scefo', bytes: read('examples/arm.scefo')}]});
    assert.equal(scene.motion.kind, 'script');
    assert.equal(scene.motion.end, 3);
    assert.ok(scene.motion.lanes.some(({name, keys}) => name === 'ball' && keys.includes(2)));
    const at = async (time) => engine.play({time});
    const [late, early] = [await at(2.5), await at(1.5)];
    assert.ok(distance(pointOf(scene, late, 'hand'), pointOf(scene, early, 'hand')) > 0.1);
    assert.ok(distance(pointOf(scene, late, 'hand'), pointOf(scene, late, 'ball', [0, 0, 0], 1)) < 1e-3,
        'the hand follows the ball');
    assert.ok(sameBits((await at(2.5)).pose, late.pose), 'the same time, the same pose');
    /* the document alone, with the script among the files, is enough */
    const other = await makeEngine();
    const again = await other.set({doc, files: [{name: 'arm.scefo', bytes: read('examples/arm.scefo')}]});
    assert.equal(again.scene.motion.kind, 'script');
    assert.ok(sameBits((await other.play({time: 2.5})).pose, late.pose));
});

test('tracks play: the goal moves, the body follows, peeking leaves the pose', async () => {
    const engine = await makeEngine();
    const {scene, doc} = await engine.open({files: [{name: 'reach.json',
        bytes: read('examples/reach_over_time.json')}]});
    assert.deepEqual([scene.motion.kind, scene.motion.end], ['tracks', 3]);
    const frame = await engine.play({time: 1});
    assert.ok(distance(siteOf(scene, frame, 'right_palm'), [0.45, -0.45, 1.35]) < 1e-3);
    assert.deepEqual(frame.goals.find(({name}) => name === 'hand').position, [0.45, -0.45, 1.35]);
    await engine.play({time: 2, peek: true});
    assert.ok(sameBits(engine.world.pose, frame.pose));
    const {times, poses} = await engine.bake({frameTime: 0.5});
    assert.equal(times.length, 7);
    assert.ok(sameBits(poses.subarray(2 * scene.variableCount, 3 * scene.variableCount), frame.pose));
    const {bytes} = await engine.export({format: 'bvh'});
    const other = await makeEngine();
    const clip = await other.open({files: [{name: 'reach.bvh', bytes}]});
    assert.equal(clip.scene.motion.frameCount, 91);
    const shown = await other.play({time: 1});
    assert.ok(distance(pointOf(clip.scene, shown, 'right_hand'), pointOf(scene, frame, 'right_hand')) < 1e-3);
    /* keys that the page makes */
    doc.motion = {tracks: [{variable: 'right_elbow', keys: [{time: 0, value: 0}, {time: 1, value: 1}]}]};
    const keyed = await engine.set({doc});
    const elbow = keyed.scene.figures[0].variables.find(({name}) => name === 'right_elbow').index;
    assert.ok(Math.abs((await engine.play({time: 0.5})).pose[elbow] - 0.5) < 1e-9);
});

test('motion capture plays, stands on its feet, and is carried over to the human',
    {skip: !shared('bvh') && 'no shared data'}, async () => {
    const engine = await makeEngine();
    const path = filesBelow(shared('bvh')).find((file) => /02_01_walk\.bvh$/.test(file));
    const {scene} = await engine.open({files: [{name: 'walk.bvh', bytes: bytesOf(path)}]});
    assert.equal(scene.motion.kind, 'clip');
    assert.ok(scene.motion.frameCount > 100);
    assert.ok(scene.motion.contacts.some(({name}) => /left/.test(name)) &&
        scene.motion.contacts.some(({name}) => /right/.test(name)));
    const middle = scene.motion.end / 2;
    const [a, b] = [await engine.play({time: 0}), await engine.play({time: middle})];
    assert.ok(distance(pointOf(scene, a, 'Head'), pointOf(scene, b, 'Head')) > 0.1);
    /* from there one drags: pins hold where the feet are now */
    const {drag} = await engine.dragBegin({segment: 'Head'});
    const pulled = await engine.dragMove({point: drag.at});
    assert.ok(distance(pointOf(scene, pulled, 'LeftFoot'), pointOf(scene, b, 'LeftFoot')) < 1e-4);
    await engine.dragEnd({commit: false});
    const {doc, scene: human} = await engine.retarget({model: 'human'});
    assert.equal(doc.figures[0].file, 'walk.bvh/human.fig');
    assert.equal(human.motion.kind, 'clip');
    const [c, d] = [await engine.play({time: 0}), await engine.play({time: middle})];
    assert.ok(distance(pointOf(human, c, 'head'), pointOf(human, d, 'head')) > 0.3);
    const again = await engine.set({doc});
    assert.equal(again.scene.motion.kind, 'clip');
    const {engine: other} = await withHuman();
    await assert.rejects(other.retarget({}), /no motion capture/);
});
