// What takes long, and what may break: comparing methods, reach, cancelling; the worker's messages, the client that
// keeps only the newest move, and a worker that breaks down.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Client, EngineError} from '../../studio/store/client.js';
import {distance, dragTo, makeEngine, read, sameBits, siteOf, withHuman} from './engine.mjs';

test('methods side by side, from one start, iteration by iteration', async () => {
    const engine = await makeEngine();
    await engine.open({files: [{name: 'en07-chain.json', bytes: read('problems/en07-chain.json')},
        {name: 'spot.fig', bytes: read('problems/props/spot.fig')}]});
    const heard = [];
    const {runs} = await engine.compare({}, (batch) => heard.push(...batch));
    assert.equal(runs.length, 8);
    assert.equal(new Set(runs.map(({label}) => label)).size, 8);
    for (const run of runs) {
        if (run.outcome === 'invalid') {
            assert.ok(run.explanation.length > 10);
            continue;
        }
        assert.equal(run.values[0], runs[0].values[0], `${run.label}: the same start`);
        assert.equal(run.values.length, run.evaluationsAt.length);
        assert.equal(run.values.length, run.timesAt.length);
        assert.ok(run.value <= run.values[0]);
    }
    const lm = runs.find(({method}) => method === 'lm');
    assert.equal(lm.outcome, 'minimum'); /* as the problem's own `expect` has it: out of reach */
    assert.ok(heard.filter(({index}) => index === 0).length === lm.values.length - 1);
    const chosen = await engine.compare({methods: ['bfgs', {method: 'jacobian', jacobian: 'transpose', label: 'mine'}],
        options: {maxIterations: 5}});
    assert.deepEqual(chosen.runs.map(({label}) => label), ['BFGS, gradient projection', 'mine']);
    assert.ok(chosen.runs[1].iterations <= 5);
});

test('a method that cannot do a problem says so', async () => {
    const {engine} = await withHuman();
    const {runs} = await engine.compare({methods: ['fabrik']});
    assert.equal(runs[0].outcome, 'invalid');
});

test('reach: of an arm a shell, of a body with pinned feet all that it can', async () => {
    const engine = await makeEngine();
    const {scene, frame} = await engine.open({files: [{name: 'human.fig', bytes: read('models/human.fig')}]});
    const progress = [];
    const arm = await engine.reach({site: 'right_palm', count: 300, chain: 4}, (step) => progress.push(step.fraction));
    assert.ok(arm.points.length / 3 >= 250);
    assert.ok(progress.every((value, k) => k === 0 || value >= progress[k - 1]) && progress.at(-1) === 1);
    const shoulder = siteOf(scene, frame, 'right_clavicle.shoulder');
    const far = (cloud) => Math.max(...Array.from({length: cloud.length / 3},
        (_, k) => distance(cloud.subarray(3 * k, 3 * k + 3), shoulder)));
    assert.ok(far(arm.points) > 0.55 && far(arm.points) < 0.9, `${far(arm.points)} m`);
    const body = await engine.reach({site: 'right_palm', count: 60});
    assert.ok(far(body.points) > far(arm.points));
    assert.ok(sameBits((await engine.pose({values: frame.pose})).matrices, frame.matrices), 'nobody has moved');
});

test('reach: the envelope has all of the cloud in it, and stands close around a robot\'s', async () => {
    const engine = await makeEngine();
    await engine.open({files: [{name: 'panda.fig', bytes: read('models/panda.fig')}]});
    const {points, envelope} = await engine.reach({site: 'tool', count: 300});
    const {positions, index} = envelope;
    const list = (array) => Array.from({length: array.length / 3}, (_, k) => array.subarray(3 * k, 3 * k + 3));
    const corners = list(positions);
    /* Each edge of a closed surface has two faces, one on either side. */
    const edges = new Map();
    for (let t = 0; t < index.length; t += 3) {
        for (let n = 0; n < 3; n++) {
            const [a, b] = [index[t + n], index[t + (n + 1) % 3]], key = `${Math.min(a, b)} ${Math.max(a, b)}`;
            edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
        }
    }
    assert.ok(index.length > 3000 && [...edges.values()].every((sum) => sum === 0), 'the surface is closed');
    /* Along each of many directions the cloud ends before the envelope does, but not long before. */
    const most = (places, d) => Math.max(...places.map((p) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2]));
    for (let k = 0; k < 60; k++) {
        const z = 1 - (2 * k + 1) / 60, r = Math.sqrt(1 - z * z), d = [r * Math.cos(2.4 * k), r * Math.sin(2.4 * k), z];
        const gap = most(corners, d) - most(list(points), d);
        assert.ok(gap > -0.05 && gap < 0.25, `${gap} m along ${d}`);
    }
    await engine.open({files: [{name: 'human.fig', bytes: read('models/human.fig')}]});
    assert.ok((await engine.reach({site: 'right_palm', count: 30, chain: 4})).envelope, 'an arm has one');
    assert.equal((await engine.reach({site: 'right_palm', count: 30})).envelope, null, 'who may step goes anywhere');
});

test('what takes long lets a drag through, and ends when it is told to', async () => {
    const {engine} = await withHuman();
    const reach = engine.reach({site: 'right_palm', count: 100000}).then(() => 'done', (error) => error);
    const {drag} = await engine.dragBegin({segment: 'right_hand'});
    const frame = await dragTo(engine, drag.at);
    assert.ok(frame.settled);
    await engine.cancel();
    const error = await reach;
    assert.equal(error.cancelled, true);
    assert.ok((await engine.dragMove({point: drag.at})).settled, 'the drag is still under way');
});

/* --- The client -------------------------------------------------------------------------------------------------- */

/** A worker that answers when it is told to. */
class FakeWorker {
    constructor() {
        this.sent = [];
        this.isEnded = false;
    }

    postMessage(message) {
        this.sent.push(message);
    }

    answer(result, id = this.sent.at(-1).id) {
        this.onmessage({data: {id, result}});
    }

    fail(error, id = this.sent.at(-1).id) {
        this.onmessage({data: {id, error}});
    }

    terminate() {
        this.isEnded = true;
    }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('of moves that wait only the newest is sent; an end comes after it', async () => {
    const worker = new FakeWorker();
    const client = new Client(worker);
    const moves = [1, 2, 3].map((x) => client.call('dragMove', {point: [x, 0, 0]}));
    assert.deepEqual(worker.sent.map(({args}) => args.point[0]), [1]);
    worker.answer('first');
    assert.equal(await moves[0], 'first');
    await settle();
    assert.deepEqual(worker.sent.map(({args}) => args.point[0]), [1, 3]);
    worker.answer('third');
    assert.deepEqual(await Promise.all(moves.slice(1)), ['third', 'third']);
    client.call('dragMove', {point: [4, 0, 0]});
    const last = client.call('dragMove', {point: [5, 0, 0]});
    const end = client.call('dragEnd', {commit: true});
    assert.deepEqual(worker.sent.slice(2).map(({method}) => method), ['dragMove', 'dragMove', 'dragEnd']);
    worker.answer('fifth', worker.sent[3].id);
    worker.answer('end', worker.sent[4].id);
    assert.equal(await last, 'fifth');
    assert.equal(await end, 'end');
});

test('progress and errors come back', async () => {
    const worker = new FakeWorker();
    const client = new Client(worker);
    const heard = [];
    const call = client.call('reach', {}, {onProgress: (value) => heard.push(value)});
    worker.onmessage({data: {id: worker.sent[0].id, progress: 0.5}});
    worker.fail({message: 'no such part', file: 'a.fig', line: 3});
    await assert.rejects(call, (error) => error instanceof EngineError && error.file === 'a.fig' && error.line === 3);
    assert.deepEqual(heard, [0.5]);
});

test('a worker that breaks down is replaced, with the last document that worked', async () => {
    const workers = [];
    const client = new Client(() => {
        workers.push(new FakeWorker());
        return workers.at(-1);
    });
    let told = null;
    client.onRestart = (message, result) => { told = {message, result}; };
    const files = [{name: 'human.fig', bytes: new Uint8Array(1)}];
    const open = client.call('open', {files});
    workers[0].answer({doc: {title: 'one'}});
    await open;
    const good = client.call('set', {doc: {title: 'two'}});
    workers[0].answer({});
    await good;
    const bad = client.call('set', {doc: {title: 'three'}});
    const waiting = client.call('pose', {values: []});
    workers[0].fail({message: 'memory access out of bounds', fatal: true}, workers[0].sent[2].id);
    await assert.rejects(bad, /out of bounds/);
    await assert.rejects(waiting, /stopped/);
    assert.ok(workers[0].isEnded);
    assert.equal(workers.length, 2);
    assert.deepEqual(workers[1].sent[0].args, {doc: {title: 'two'}, files});
    workers[1].answer({frame: 1});
    await settle();
    assert.match(told.message, /started again/);
    assert.deepEqual(told.result, {frame: 1});
    const next = client.call('pose', {values: []});
    workers[1].answer('well');
    assert.equal(await next, 'well');
});

test('a worker that never comes up is given up', async () => {
    const workers = [];
    const told = [];
    const client = new Client(() => {
        workers.push(new FakeWorker());
        return workers.at(-1);
    });
    client.onRestart = (message) => told.push(message);
    for (let k = 0; k < 6; k++) {
        workers.at(-1).onerror?.({message: 'no such file'});
        await settle();
    }
    assert.equal(workers.length, 4, 'the first, and three more');
    assert.match(told.at(-1), /Load the page again/);
    await assert.rejects(client.call('pose', {}), /Load the page again/);
});
