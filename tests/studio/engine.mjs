// What the tests of the Engine share: an Engine on the built package, in Node, with the models beside it.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {Engine} from '../../studio/engine/engine.js';

export const top = process.env.LIMBER_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const entry = join(top, 'build/web/limber/limber.js');
if (!existsSync(entry)) {
    console.log('skipped: the package is not built (./dev web builds it into build/web/limber)');
    process.exit(77);
}
const {load} = await import(pathToFileURL(entry));

export const read = (path) => new Uint8Array(readFileSync(join(top, path)));
/** A folder of the data that projects share; null where it is not there. */
export function shared(path) {
    const folder = join(process.env.LIMBER_SHARED ?? join(top, '../shared'), 'data', path);
    return existsSync(folder) ? folder : null;
}

/** All files below a folder. */
export function filesBelow(folder) {
    return readdirSync(folder, {withFileTypes: true}).flatMap((item) => {
        const path = join(folder, item.name);
        return item.isDirectory() ? filesBelow(path) : [path];
    }).sort();
}

export async function makeEngine() {
    const fetchModel = async (name) => {
        const path = join(top, 'models', `${name}.fig`);
        return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
    };
    return new Engine(await load(), {fetchModel});
}

/** An Engine with the human as the bare problem: standing on pinned feet, balanced, at rest. */
export async function withPlainHuman() {
    const {engine, doc} = await withHuman();
    const plain = {...(await engine.manner({natural: false})).doc, start: {}};
    const opened = await engine.set({doc: plain});
    const start = engine.world.values(engine.world.pose);
    const whole = {...plain, start};
    return {engine, natural: doc, doc: whole, ...opened, ...await engine.set({doc: whole})};
}

/** An Engine with the human, who stands as a person does. */
export async function withHuman() {
    const engine = await makeEngine();
    return {engine, ...await engine.open({files: [{name: 'human.fig', bytes: read('models/human.fig')}]})};
}

export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** A point of a segment in a frame, by the segment's name. */
export function pointOf(scene, frame, name, point = [0, 0, 0], figure = 0) {
    const {segments, firstSegment} = scene.figures[figure];
    const at = 12 * (firstSegment + segments.findIndex((segment) => segment.name === name));
    const m = frame.matrices.subarray(at, at + 12);
    return [0, 4, 8].map((row) => m[row] * point[0] + m[row + 1] * point[1] + m[row + 2] * point[2] + m[row + 3]);
}

/** Where a site is. */
export function siteOf(scene, frame, name, figure = 0) {
    const {segments, sites} = scene.figures[figure];
    const site = sites.find((entry) => entry.name === name);
    return pointOf(scene, frame, segments[site.segment].name, site.position, figure);
}

export const feetOf = (scene, frame) => ['left_heel', 'left_toe', 'right_heel', 'right_toe'].map((name) =>
    siteOf(scene, frame, name));

/** Points of the soles that stay where heels rise. */
export const toesOf = (scene, frame) => ['left_toe', 'right_toe'].map((name) => siteOf(scene, frame, name));

/** Drags until it is settled; the last frame. */
export async function dragTo(engine, point, most = 200) {
    let frame;
    for (let k = 0; k < most; k++) {
        frame = await engine.dragMove({point});
        if (frame.settled) break;
    }
    return frame;
}

export const sameBits = (a, b) => a.length === b.length && a.every((value, k) => Object.is(value, b[k]));
