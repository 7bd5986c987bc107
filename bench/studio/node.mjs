// ./dev bench studio --node: the drags of the benchmark page by the same Engine and the same WebAssembly, in Node,
// timed by the clock of the process, which does not run while other programs do. A drag gives the same poses each time,
// to the bit: each frame is timed once a round, and the least of its times counts.

import v8 from 'node:v8';
import vm from 'node:vm';
import {DRAGS, ascending, quantile} from '../../studio/bench/drags.js';
import {pointOf, withHuman} from '../../tests/studio/engine.mjs';

/** Milliseconds that this process has worked. */
function worked() {
    const {user, system} = process.cpuUsage();
    return (user + system) / 1000;
}

/** Drags once along a path; `seen` hears of each frame's time, and of that of what bodies ask themselves after it. */
async function dragOnce({engine, doc, scene}, {segment, frames, path}, seen) {
    const {frame: start} = await engine.set({doc, solve: true});
    const at = pointOf(scene, start, segment);
    await engine.dragBegin({segment, point: [0, 0, 0]});
    for (let k = 0; k < frames; k++) {
        const point = path((k + 1) / frames).map((value, axis) => at[axis] + value - path(0)[axis]);
        const begun = worked();
        await engine.dragMove({point});
        const shown = worked();
        engine.think();
        seen(k, shown - begun, worked() - shown);
    }
    await engine.dragEnd({commit: false});
}

function summary(times) {
    const sorted = ascending(times);
    return {frames: sorted.length, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95),
        p99: quantile(sorted, 0.99), longest: sorted.at(-1)};
}

/** What came of each drag, and of all, in ms; `thought` is the longest that the body asked itself between frames. */
export async function measureInNode(rounds) {
    const opened = await withHuman();
    const all = [];
    const drags = [];
    for (const drag of DRAGS) {
        const [times, thoughts] = [0, 1].map(() => new Array(drag.frames).fill(Infinity));
        for (let round = 0; round < rounds; round++) {
            await dragOnce(opened, drag, (k, time, thought) => {
                times[k] = Math.min(times[k], time);
                thoughts[k] = Math.min(thoughts[k], thought);
            });
        }
        all.push(...times);
        drags.push({name: drag.name, ...summary(times), thought: Math.max(...thoughts)});
    }
    const {variables} = opened.scene.figures[0];
    const where = `Node ${process.version}, by the process's clock`;
    return {drags, total: summary(all), dofs: variables.length, where};
}

/**
 * By how many bytes the module's memory, and the script's, have grown after so many frames. Short drags come first:
 * each makes its problem anew, and the allocator's holes find their sizes in some fifty of them.
 */
export async function measureMemory(frames) {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc');
    const opened = await withHuman();
    const bytes = () => {
        collect();
        const {memory} = opened.engine.session.limber.heap;
        return {module: memory.buffer.byteLength, script: process.memoryUsage().heapUsed};
    };
    for (let k = 0; k < 100; k++) await dragOnce(opened, {...DRAGS[k % DRAGS.length], frames: 12}, () => {});
    const before = bytes();
    let count = 0;
    for (let k = 0; count < frames; k++, count += DRAGS[0].frames) {
        await dragOnce(opened, DRAGS[k % DRAGS.length], () => {});
    }
    const after = bytes();
    return {frames: count, module: after.module - before.module, script: after.script - before.script};
}
