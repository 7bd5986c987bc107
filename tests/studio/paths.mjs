// Drags replayed through the Engine, and what is measured of them: pops (a segment that turns far in a small step of
// the
// pointer), whether closed loops end where they began, how deep hands are in the body, feet that slide.
import {withHuman} from './engine.mjs';

const DEGREES = 180 / Math.PI;
const MOST = 60; // frames that a step may take
export const POP = 12; // degrees in a step of 1 cm

const copy = (list) => Float64Array.from(list);

/** The rotation of each segment between two frames' matrices, in degrees. */
export function turns(before, after) {
    const angles = [];
    for (let at = 0; at < before.length; at += 12) {
        let trace = 0;
        for (const row of [0, 4, 8]) {
            for (let k = 0; k < 3; k++) trace += before[at + row + k] * after[at + row + k];
        }
        angles.push(Math.acos(Math.max(-1, Math.min(1, (trace - 1) / 2))) * DEGREES);
    }
    return angles;
}

/** Goes to a point as the page does: frame by frame, until the figure has arrived. `seen` hears of each frame. */
async function go(engine, point, seen = () => {}) {
    let frame;
    for (let k = 0; k < MOST && !frame?.settled; k++) seen(frame = await engine.dragMove({point}));
    return frame;
}

/**
 * How far a segment turns where the way from one point to another is gone in steps of 1 mm, by an Engine of its own
 * that is there.
 */
async function turnInSmallSteps(fine, {before, from, to, segment}) {
    let after = before;
    for (let k = 1; k <= 10; k++) {
        after = (await go(fine, from.map((value, i) => value + (to[i] - value) * k / 10))).matrices;
    }
    await fine.dragEnd({commit: false});
    return turns(before, after)[segment];
}

/** Whether steps of 1 mm from a pose turn the segment as far: then the turn belongs to the place, and is no pop. */
async function isSteep(fine, {doc, pose, part, from, to, segment, angle}) {
    await fine.set({doc});
    await fine.pose({values: pose});
    const {matrices} = await fine.dragBegin({segment: part});
    return await turnInSmallSteps(fine, {before: copy(matrices), from, to, segment}) > 0.8 * angle;
}

/** The same for a body that remembers how it came there: that way is gone again first. */
async function isSteepOnTheWay(fine, {doc, part, way, to, segment, angle}) {
    await fine.set({doc});
    await fine.dragBegin({segment: part});
    let before = null;
    for (const point of way) before = copy((await go(fine, point)).matrices);
    return await turnInSmallSteps(fine, {before, from: way.at(-1), to, segment}) > 0.8 * angle;
}

/**
 * Drags a part of the human along points given from where it is at first.
 * @param {{engine: any, doc: any, scene: any, frame: any}} opened @param {any} fine an Engine of its own for small
 * steps
 * @param {{part: string, moves: number[][], loopFrom?: number}} path loopFrom: the move that a loop begins after
 * @returns what was measured: pops [{step, segment, angle}]; steep: turns that belong to the place; glides: how often
 *     the body chose another way to stand; chosen: where it turned by more than a pop with that; fastest: degrees in a
 *     frame, eyes apart; loop: degrees from where it began; overlap: metres that solids are in each other; last: the
 *     last frame
 */
export async function replay({engine, doc, scene}, fine, {part, moves, loopFrom = -1}) {
    await engine.set({doc});
    const origin = (await engine.dragBegin({segment: part})).drag.at;
    const begun = await go(engine, origin); // a foot that is taken hold of: the weight shifts first
    const names = scene.figures[0].segments.map(({name}) => name);
    const found = {pops: [], steep: 0, glides: 0, chosen: 0, overlap: 0, worst: 0, fastest: 0};
    let [before, pose, from] = [copy(begun.matrices), copy(begun.pose), origin];
    let first = copy(before);
    let frame = begun;
    const way = [origin];
    for (const [step, move] of moves.entries()) {
        const to = origin.map((value, k) => value + move[k]);
        let shown = before;
        frame = await go(engine, to, ({matrices, body}) => {
            found.fastest = Math.max(found.fastest, ...turns(shown, matrices).filter((_, k) => !/eye/.test(names[k])));
            found.overlap = Math.max(found.overlap, body?.[0]?.overlap ?? 0);
            shown = copy(matrices);
        });
        const all = turns(before, frame.matrices);
        const angle = Math.max(...all);
        found.worst = Math.max(found.worst, angle);
        // The body stands otherwise from here on, which frames show.
        const isChoice = engine.session.pull.glides > found.glides;
        found.glides = engine.session.pull.glides;
        if (angle > POP) {
            const segment = all.indexOf(angle);
            const turn = {doc, part, from, to, segment, angle};
            if (await isSteep(fine, {...turn, pose}) || await isSteepOnTheWay(fine, {...turn, way})) found.steep++;
            else if (isChoice) found.chosen++;
            else found.pops.push({step, segment: names[segment], angle});
        }
        [before, pose, from] = [copy(frame.matrices), copy(frame.pose), to];
        way.push(to);
        if (step === loopFrom) first = before;
    }
    const off = turns(first, before).map((angle, k) => (/eye/.test(names[k]) ? 0 : angle)); // eyes go with the hand
    found.loop = Math.max(...off);
    found.looper = names[off.indexOf(found.loop)];
    found.last = frame;
    await engine.dragEnd({commit: false});
    return found;
}

export async function makeOpened() {
    const [opened, {engine: fine}] = [await withHuman(), await withHuman()];
    return {opened, fine};
}

/** A fixed sequence of numbers in [0, 1). */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** A walk in steps of 1 cm within a ball about where it begins. */
export function walk(count, seed, radius = 0.3) {
    const next = random(seed);
    const moves = [];
    let [at, way] = [[0, 0, 0], [1, 0, 0]];
    while (moves.length < count) {
        const turn = [0, 1, 2].map((k) => way[k] + 1.4 * (next() - 0.5));
        const length = Math.hypot(...turn);
        way = turn.map((value) => value / length);
        const to = at.map((value, k) => value + 0.01 * way[k]);
        if (Math.hypot(...to) > radius) way = way.map((value) => -value);
        else moves.push(at = to);
    }
    return moves;
}

/** A circle of the pointer in steps of about 1 cm, back to where it began. */
export function circle(radius, a, b) {
    const count = Math.ceil(2 * Math.PI * radius / 0.01);
    return Array.from({length: count}, (_, k) => {
        const angle = 2 * Math.PI * (k + 1) / count;
        return [0, 1, 2].map((i) => radius * (a[i] * (Math.cos(angle) - 1) + b[i] * Math.sin(angle)));
    });
}
