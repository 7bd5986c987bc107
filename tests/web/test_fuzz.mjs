// Hostile files: the fuzzers' corpus through the package, whole, cut short and with bytes changed, never crashes or
// hangs it, and after each error the same module goes on working. (URDF and MJCF: test_xml.mjs, in a browser.)

import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {check, filesBelow, finish, freshLimber, library, sameBits, top} from './setup.mjs';

const READERS = {
    fig: (limber, name) => limber.loadFigure(name, {format: 'fig'}),
    bvh: (limber, name) => limber.loadClip(name, {format: 'bvh'}),
    gltf: (limber, name) => limber.loadClip(name, {format: 'gltf'}),
    scefo: (limber, name) => limber.loadScript(name),
    problem: (limber, name) => limber.loadProblem(name),
};

/** A generator of numbers below `most` that is the same each time. */
function makeRandom(seed) {
    let state = seed >>> 0;
    return (most) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 4294967296 * most);
    };
}

const limber = await freshLimber(['models', 'problems']);
const random = makeRandom(7);
const human = limber.loadFigure('models/human.fig');
const rest = human.restPose();
let read = 0;
let refused = 0;

function tryOne(reader, name, bytes) {
    limber.files.set('hostile', bytes);
    try {
        const made = READERS[reader](limber, 'hostile');
        read++;
        (made.clip ?? made).free?.();
        made.figure?.free();
    } catch (error) {
        refused++;
        check(error instanceof library.LimberError, `${name}: ${error?.stack ?? error}`);
        check(!/broke down/.test(error.message), `${name}: ${error.message}`);
        check(error.message.length > 3, `${name} has a message`);
    }
}

for (const reader of Object.keys(READERS)) {
    const corpus = filesBelow(join(top, 'fuzz/corpus', reader));
    check(corpus.length > 0, `there is a corpus of ${reader}`);
    for (const path of corpus) {
        const bytes = new Uint8Array(readFileSync(path));
        tryOne(reader, basename(path), bytes);
        for (let i = 0; i < 12; i++) tryOne(reader, `${basename(path)} cut`, bytes.slice(0, random(bytes.length + 1)));
        for (let i = 0; i < 12; i++) {
            const changed = bytes.slice();
            for (let k = 0; k <= random(4); k++) changed[random(changed.length)] = random(256);
            tryOne(reader, `${basename(path)} changed`, changed);
        }
    }
}
check(sameBits(human.restPose(), rest), 'a figure from before is as it was');
check(limber.loadFigure('models/panda.fig').joints.length > 6, 'figures are read afterwards');
check(refused > 300 && read > 50, `${refused} refused, ${read} read`);
finish(`${read} read, ${refused} refused`);
