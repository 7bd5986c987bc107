// The Method panel's numbers: axes that show everything, ticks, series, tables.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as scale from '../../studio/widgets/plot_scale.js';
import * as runs from '../../studio/panels/method_runs.js';

test('a logarithmic axis has whole decades and room for nothing left', () => {
    const axis = scale.fitAxis([0.5, 3e-7, 0, NaN], true);
    assert.deepEqual([axis.low, axis.high], [-8, 0]);
    assert.equal(scale.place(axis, 1), 1);
    assert.equal(scale.place(axis, 1e-8), 0);
    assert.ok(scale.place(axis, 0) >= 0 && scale.place(axis, 0) < scale.place(axis, 3e-7));
    assert.ok(Math.abs(scale.valueAt(axis, 0.5) - 1e-4) < 1e-12);
    assert.deepEqual(
        scale.ticks(axis, 4).map((value) => scale.tickText(axis, value)), ['10⁻⁸', '10⁻⁶', '10⁻⁴', '10⁻²', '1']);
    assert.deepEqual(scale.fitAxis([], true), {low: -1, high: 0, isLog: true, floor: 0.1});
    const flat = scale.fitAxis([1e-3, 1e-3], true);
    assert.ok(flat.high > flat.low);
});

test('a linear axis starts at 0 and has round ticks', () => {
    const axis = scale.fitAxis([3, 47], false);
    assert.deepEqual([axis.low, axis.high], [0, 47]);
    assert.deepEqual(scale.ticks(axis, 5), [0, 10, 20, 30, 40]);
    assert.deepEqual(scale.ticks(scale.fitAxis([0, 0.3], false), 3), [0, 0.1, 0.2, 0.3]);
    assert.ok(scale.fitAxis([5], false).high > 0);
    assert.ok(scale.fitAxis([0], false).high > 0);
    assert.equal(scale.roundStep(9, 5), 2);
});

test('values for people', () => {
    assert.equal(scale.valueText(0), '0');
    assert.equal(scale.valueText(0.012345), '0.01235');
    assert.equal(scale.valueText(3.2e-9), '3.20e-9');
    assert.equal(scale.valueText(1.5e7), '1.50e7');
    assert.equal(scale.valueText(NaN), '–');
    assert.deepEqual([0, 1.5, 2, 99].map((x) => scale.indexAt([0, 1, 2, 5], x)), [0, 1, 2, 3]);
    assert.deepEqual([250, 2500, 25000, 2.5e6, NaN].map(runs.timeText), ['250 µs', '2.5 ms', '25 ms', '2.5 s', '–']);
});

test('progress becomes series', () => {
    const live = [];
    runs.addProgress(live, [{index: 1, label: 'CCD', value: 4, evaluations: 1, time_us: 10}]);
    runs.addProgress(live, {index: 1, label: 'CCD', value: 2, evaluations: 7, time_us: 3000});
    live[0] = {label: 'LM', values: [], outcome: 'invalid'};
    assert.deepEqual(runs.seriesOf(live, 'iterations'), [{label: 'CCD', index: 1, x: [0, 1], y: [4, 2]}]);
    assert.deepEqual(runs.seriesOf(live, 'evaluations')[0].x, [1, 7]);
    assert.deepEqual(runs.seriesOf(live, 'time')[0].x, [0.01, 3]);
    assert.deepEqual(runs.seriesOf([{label: 'a', values: [1]}], 'time'), [], 'no times, nothing to show');
});

test('outcomes, the best, and the table', () => {
    const list = [
        {label: 'A', outcome: 'minimum', value: 1e-9, evaluations: 3, values: [1, 1e-9]},
        {label: 'B', outcome: 'solved', value: 1e-7, evaluations: 9, values: [1], evaluationsAt: [1], timesAt: [2.5]},
        {label: 'C, "quick"', outcome: 'solved', value: 1e-6, evaluations: 5, values: [1]},
        {label: 'D', outcome: 'invalid', value: 0, evaluations: 0},
    ];
    assert.equal(runs.bestRun(list), 2);
    assert.equal(runs.bestRun([list[3]]), -1);
    assert.equal(runs.bestRun([list[0], {...list[0], value: 1e-10}]), 1);
    assert.equal(runs.runsToCsv(list),
        'method,iteration,evaluations,time_us,value\nA,0,,,1\nA,1,,,1e-9\nB,0,1,2.5,1\n"C, ""quick""",0,,,1\n');
    assert.deepEqual(list.map((run) => runs.outcomeOf(run).text), ['minimum', 'solved', 'solved', 'cannot do it']);
    assert.equal(runs.CONTESTANTS.length, 8);
    assert.equal(new Set(runs.CONTESTANTS.map((one) => one.id)).size, 8);
});

test('where a comparison begins', () => {
    const figures = [{variables: [{lower: -1, upper: 2, rest: 0.5}, {lower: -Infinity, upper: Infinity, rest: 3}]}];
    assert.equal(runs.startPose(figures, 'now', 1), null);
    assert.deepEqual([...runs.startPose(figures, 'rest', 1)], [0.5, 3]);
    const seen = new Set();
    for (let seed = 0; seed < 100; seed++) {
        const [a, b] = runs.startPose(figures, 'random', seed);
        assert.ok(a >= -1 && a <= 2);
        assert.equal(b, 3);
        seen.add(a);
    }
    assert.equal(seen.size, 100);
    assert.ok(Math.max(...seen) > 1.5 && Math.min(...seen) < -0.5);
    assert.deepEqual(runs.startPose(figures, 'random', 7), runs.startPose(figures, 'random', 7));
});
