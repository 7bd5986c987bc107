// The benchmark page: drags parts of the human along paths through the studio's own worker, and says how long the
// frames took. window.benchmark has the numbers when it is done.

import {Client} from '../store/client.js';

const PACE = 1000 / 60; // ms between frames, as a display asks for them
const BAR = 2; // ms a frame, at the median
const WARM_UP = 1; // rounds that do not count: the browser compiles what is hot

/**
 * How long the frames of a drag took to solve and to be answered, in ms; how far the part was from the pointer, and how
 * far the feet slid, in metres.
 * @typedef {{solve: number[], answer: number[], far: number[], slid: number}} Drag
 * @typedef {ReturnType<typeof summary>} Summary
 */

/**
 * The drags: a part, and where the pointer is at each time from 0 to 1, from where the part is at the start.
 * @type {{name: string, segment: string, frames: number, path: (t: number) => number[]}[]}
 */
const DRAGS = [
    {name: 'right hand, circles ahead', segment: 'right_hand', frames: 480,
        path: (t) => [0.25 + 0.1 * Math.sin(7 * t), 0.15 * Math.sin(19 * t), 0.35 + 0.2 * Math.cos(13 * t)]},
    {name: 'right hand, out of reach and back', segment: 'right_hand', frames: 480,
        path: (t) => [1.1 * Math.sin(Math.PI * t), -0.9 * Math.sin(5 * t), 0.9 * Math.sin(Math.PI * t)]},
    {name: 'left hand, down to the floor', segment: 'left_hand', frames: 480,
        path: (t) => [0.35 * Math.sin(Math.PI * t), -0.1 * Math.sin(6 * t), -0.75 * Math.sin(Math.PI * t)]},
    {name: 'pelvis, down and about', segment: 'pelvis', frames: 480,
        path: (t) => [0.06 * Math.sin(9 * t), 0.06 * Math.cos(11 * t) - 0.06, -0.3 * Math.sin(Math.PI * t)]},
    {name: 'head, bent aside', segment: 'head', frames: 480,
        path: (t) => [0.2 * Math.sin(8 * t), 0.3 * Math.sin(5 * t), -0.1 * Math.sin(Math.PI * t)]},
];

/** @param {number[]} sorted @param {number} part */
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
/** @param {number[]} list */
const ascending = (list) => [...list].sort((a, b) => a - b);
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
 * Where the feet's sites are.
 * @param {Scene} scene @param {PoseFrame} frame
 */
function feet(scene, frame) {
    return scene.figures[0].sites.filter(({name}) => /_(heel|toe)$/.test(name))
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
const SHOWN = 4; // ms, the width of the histogram

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
        /** @type {Drag} */
        const whole = {solve: [], answer: [], far: [], slid: 0};
        for (let round = -WARM_UP; round < rounds; round++) {
            say(`${one.name} …`);
            const run = await drag(client, setting, one);
            if (round < 0) continue;
            for (const list of /** @type {const} */ (['solve', 'answer', 'far'])) whole[list].push(...run[list]);
            whole.slid = Math.max(whole.slid, run.slid);
        }
        const told = summary(one.name, whole);
        drags.push(told);
        show(told);
    }
    const all = ascending(drags.flatMap((one) => one.all));
    const total = {frames: all.length, median: quantile(all, 0.5), p95: quantile(all, 0.95), p99: quantile(all, 0.99)};
    drawHistogram(all);
    $('verdict').textContent = `All: ${ms(total.median)} at the median, ${ms(total.p95)} at 95%, `
        + `${ms(total.p99)} at 99% of ${total.frames} frames; at most ${BAR} ms at the median are wanted.`;
    say('Done.');
    const dofs = scene.figures.reduce((sum, {variables}) => sum + variables.length, 0);
    window.benchmark = {drags: drags.map(({all: _, ...one}) => one), total, bar: BAR, dofs};
}

main().catch((error) => {
    $('state').textContent = error.message;
    window.benchmark = {error: error.message};
});
