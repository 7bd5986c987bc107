// ./dev bench studio [--quick] [--node]: what the Studio takes. Opens the benchmark page in Chromium, which drags the
// human, and the Studio itself, for how soon it can be used; --node drags by the same Engine in Node instead, timed by
// the processor's clock, and looks at memory. The numbers go to out/bench/studio.csv. Ends with 1 where a bar is
// missed.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {closeAll, openPlain, top} from '../../tests/studio/harness.mjs';
import {measureInNode, measureMemory} from './node.mjs';

const quick = process.argv.includes('--quick');
const inNode = process.argv.includes('--node');
const USABLE = 1500; // ms
// Bytes that memory may grow by in 20,000 frames: less than a frame in a hundred keeps anything of itself.
const GROWTH = 1e6;

const ms = (value) => value.toFixed(3).padStart(8);
let isAllMet = true;

function bar(isMet, text) {
    isAllMet &&= isMet;
    console.log(`${isMet ? 'met' : 'MISSED'}: ${text}`);
}

/** The benchmark page's numbers. */
async function measureInPage() {
    const page = await openPlain(`bench.html?rounds=${quick ? 1 : 5}`);
    let result = null;
    while (!result) {
        await page.waitForTimeout(250);
        result = await page.evaluate(() => window.benchmark ?? null);
    }
    if (result.error) throw new Error(`the benchmark page: ${result.error}`);
    return {...result, where: await page.evaluate(() => navigator.userAgent.match(/Chrom\w*\/[\d.]+/)?.[0])};
}

/** How soon the Studio can be used, in ms: the least of some loads with an empty cache. */
async function measureLoad() {
    const times = [];
    for (let k = 0; k < (quick ? 1 : 5); k++) {
        const page = await openPlain('index.html');
        await page.waitForFunction(() => performance.getEntriesByName('studio-interactive').length > 0);
        times.push(await page.evaluate(() => performance.getEntriesByName('studio-interactive')[0].startTime));
        await page.close();
    }
    return Math.min(...times);
}

function show({drags, total, where, dofs}) {
    console.log(`human, ${dofs} variables, as a body; ${where}; ms a frame, of each the least of all rounds\n`);
    console.log(`${'drag'.padEnd(34)} frames   median      95%      99%  longest`);
    for (const one of [...drags, {name: 'all', ...total}]) {
        console.log(`${one.name.padEnd(34)} ${String(one.frames).padStart(6)} ` +
            `${ms(one.median)} ${ms(one.p95)} ${ms(one.p99)} ` +
            `${one.longest === undefined ? '' : ms(one.longest)}${one.slid === undefined ? '' : `  feet moved ${
                (1000 * one.slid).toFixed(2)} mm`}${one.thought ? `  between frames at most ${ms(one.thought)}` : ''}`);
    }
    console.log('');
}

const result = inNode ? await measureInNode(quick ? 2 : 5) : await measureInPage();
show(result);
const {total} = result;
bar(total.median <= 2, `a frame of a drag in 2 ms at the median (${total.median.toFixed(2)} ms)`);
bar(total.p99 <= 6, `and in 6 ms at 99% (${total.p99.toFixed(2)} ms)`);
if (inNode) {
    const {frames, module, script} = await measureMemory(quick ? 2000 : 20000);
    bar(module <= 0 && script < GROWTH, `memory stays over ${frames} frames (the module's grew by ${module} bytes, ` +
        `the script's by ${Math.round(script / 1000)} kB)`);
} else {
    const load = await measureLoad();
    bar(load <= USABLE, `the page can be used after ${USABLE} ms (${Math.round(load)} ms)`);
}
await closeAll();

mkdirSync(join(top, 'out/bench'), {recursive: true});
const rows = result.drags.map(({name, frames, median, p95, p99, longest}) =>
    [`"${name}"`, frames, median, p95, p99, longest].join(','));
writeFileSync(join(top, `out/bench/studio${inNode ? '-node' : ''}.csv`),
    ['drag,frames,median_ms,p95_ms,p99_ms,longest_ms', ...rows, ''].join('\n'));
process.exit(isAllMet ? 0 : 1);
