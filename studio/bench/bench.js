// The benchmark page: drags parts of the human along paths through the studio's own worker, and says how long the
// frames took. window.benchmark has the numbers when it is done.

import {Client} from '../store/client.js';
import {DRAGS, ascending, quantile} from './drags.js';

const PACE = 1000 / 60; // ms between frames, as a display asks for them
const BAR = 2; // ms a frame, at the median,
const BAR_99 = 6; // and at 99%
const WARM_UP = 1; // rounds that do not count: the browser compiles what is hot

/**
 * How long the frames of a drag took to solve and to be answered, in ms; how far the part was from the pointer, and how
 * far the feet slid, in metres.
 * @typedef {{solve: number[], answer: number[], far: number[], slid: number}} Drag
 * @typedef {ReturnType<typeof summary>} Summary
 */

/** @param {Vec} a @param {Vec} b */
const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));

/**
 * A point of a segment in the world.
 * @param {PoseFrame} frame @param {number} segment
 */
function place(frame, segment, point = [0, 0, 0]) {
    const m = frame.matrices.subarray(12 * segment, 12 * segment + 12);
    return [0, 4, 8].map((row) => m[row] * point[0] + m[row + 1] * point[1] + m[row + 2] * point[2] + m[row + 3]);
}

/**
 * Where the toes are: heels may rise.
 * @param {Scene} scene @param {PoseFrame} frame
 */
function feet(scene, frame) {
    return scene.figures[0].sites.filter(({name}) => /_toe$/.test(name))
        .map(({segment, position}) => place(frame, segment, position));
}

/**
 * Drags once along a path, a frame at a time as a display would ask for them.
 * @param {Client} client @param {{doc: Doc, scene: Scene, pace: boolean}} setting @param {typeof DRAGS[0]} of
 */
async function drag(client, {doc, scene, pace}, {segment, frames, path}) {
    const {frame: start} = await client.call('set', {doc, solve: true});
    const index = scene.figures[0].segments.findIndex(({name}) => name === segment);
    const at = place(start, index);
    const stood = feet(scene, start);
    /** @type {Drag} */
    const run = {solve: [], answer: [], far: [], slid: 0};
    await client.call('dragBegin', {figure: 0, segment: index, point: [0, 0, 0], turn: false});
    for (let k = 1; k <= frames; k++) {
        const point = path(k / frames).map((value, axis) => at[axis] + value - path(0)[axis]);
        const before = performance.now();
        const frame = await client.call('dragMove', {point, rotation: null});
        run.answer.push(performance.now() - before);
        run.solve.push(frame.time_us / 1000);
        run.far.push(distance(place(frame, index), point));
        feet(scene, frame).forEach((foot, n) => {
            run.slid = Math.max(run.slid, distance(foot, stood[n]));
        });
        if (pace) await new Promise((done) => setTimeout(done, Math.max(0, PACE - (performance.now() - before))));
    }
    await client.call('dragEnd', {commit: false});
    return run;
}

/**
 * Rounds of a drag give the same poses, to the bit: the least of a frame's times is what it takes, the rest is what
 * other programs of the machine took.
 * @param {Drag[]} runs
 * @returns {Drag}
 */
function leastOf(runs) {
    /** @param {'solve' | 'answer'} of */
    const least = (of) => runs[0][of].map((_, k) => Math.min(...runs.map((run) => run[of][k])));
    return {solve: least('solve'), answer: least('answer'), far: runs[0].far, slid: runs[0].slid};
}

/** @param {string} name @param {Drag} run */
function summary(name, run) {
    const solve = ascending(run.solve);
    return {
        name,
        frames: solve.length,
        median: quantile(solve, 0.5),
        p95: quantile(solve, 0.95),
        p99: quantile(solve, 0.99),
        longest: solve[solve.length - 1],
        answer: quantile(ascending(run.answer), 0.5),
        far: quantile(ascending(run.far), 0.5),
        slid: run.slid,
        all: run.solve
    };
}

/** @param {number} value */
const ms = (value) => `${value.toFixed(2)} ms`;
/** @param {number} value */
const cm = (value) => `${(100 * value).toFixed(2)} cm`;

/** The page's element with an id. */
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {Summary} of */
function show({name, frames, median, p95, p99, longest, answer, far, slid}) {
    const row = /** @type {HTMLTableElement} */ ($('results')).tBodies[0].insertRow();
    [name, frames, ms(median), ms(p95), ms(p99), ms(longest), ms(answer), cm(far), cm(slid)].forEach((text) => {
        row.insertCell().textContent = String(text);
    });
    $('results').hidden = false;
}

const SVG = 'http://www.w3.org/2000/svg';
const SHOWN = 8; // ms, the width of the histogram

/**
 * How many frames took how long, with the bar that is wanted.
 * @param {number[]} all
 */
function drawHistogram(all) {
    const svg = /** @type {SVGElement} */ (document.querySelector('#histogram'));
    /** @param {string} name @param {Record<string, string | number>} attributes */
    const add = (name, attributes, text = '') => {
        const element = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
        element.textContent = text;
        svg.append(element);
    };
    const bins = new Array(80).fill(0);
    for (const value of all) bins[Math.min(bins.length - 1, Math.floor(value / SHOWN * bins.length))]++;
    const most = Math.max(...bins), x = (/** @type {number} */ value) => 16 + 1000 * value / SHOWN;
    bins.forEach((count, k) => {
        const height = 130 * count / most;
        add('rect',
            {class: 'bar', x: x(SHOWN * k / bins.length), y: 150 - height, width: 1000 / bins.length - 1.5, height});
    });
    add('path', {class: 'limit', d: `M${x(BAR)} 12V150`});
    for (let value = 0; value <= SHOWN; value++) {
        add('text', {x: x(value), y: 168, 'text-anchor': 'middle'}, `${value} ms`);
    }
    svg.removeAttribute('hidden');
}

async function main() {
    /** @param {string} text */
    const say = (text) => {
        $('state').textContent = text;
    };
    // ?rounds=N: each drag so often; ?pace: a frame each 1/60 s, as a hand moves, instead of one after the other
    const asked = new URLSearchParams(location.search);
    const rounds = Number(asked.get('rounds') ?? 1);
    const client = new Client(new Worker(new URL('worker.js', import.meta.url), {type: 'module'}));
    const start = new Uint8Array(await (await fetch('start.json')).arrayBuffer());
    const {doc, scene} = await client.call('open', {files: [{name: 'start.json', bytes: start}]});
    const setting = {doc, scene, pace: asked.has('pace')};
    const drags = [];
    for (const one of DRAGS) {
        /** @type {Drag[]} */
        const runs = [];
        for (let round = -WARM_UP; round < rounds; round++) {
            say(`${one.name} …`);
            const run = await drag(client, setting, one);
            if (round >= 0) runs.push(run);
        }
        const told = summary(one.name, leastOf(runs));
        drags.push(told);
        show(told);
    }
    const all = ascending(drags.flatMap((one) => one.all));
    const total = {frames: all.length, median: quantile(all, 0.5), p95: quantile(all, 0.95), p99: quantile(all, 0.99)};
    drawHistogram(all);
    $('verdict').textContent = `All: ${ms(total.median)} at the median, ${ms(total.p95)} at 95%, `
        + `${ms(total.p99)} at 99% of ${total.frames} frames; `
        + `at most ${BAR} ms at the median are wanted, and ${BAR_99} at 99%.`;
    say('Done.');
    const dofs = scene.figures.reduce((sum, {variables}) => sum + variables.length, 0);
    window.benchmark = {drags: drags.map(({all: _, ...one}) => one), total, bar: BAR, bar99: BAR_99, dofs};
}

main().catch((error) => {
    $('state').textContent = error.message;
    window.benchmark = {error: error.message};
});
