// What the browser tests share: the page as `limber studio` serves it, in Debian's Chromium, and hands that do what a
// person's do - real pointer and keyboard events. window.studio is only read, to see what came of them.
//
// No test depends on how fast the machine is: what a page puts off, asks the worker for or reads is counted in the
// page, and settle() waits until none of it is left. Limits are against hanging alone: ten minutes a wait.
//
// While a page is open, every request, console message and layout shift is watched; close() checks that no request left
// the page's own origin, that nothing was wrong in the console, and that nothing jumped.

import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

export const top = process.env.LIMBER_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const scratch = process.env.LIMBER_SCRATCH ?? join(top, 'build/scratch');
export const limber = process.env.LIMBER || join(top, 'build/release/limber');
/** A file of the data that is shared by projects, or null. */
export function shared(path) {
    const file = join(process.env.LIMBER_SHARED || join(top, '../shared'), 'data', path);
    return existsSync(file) ? file : null;
}

export const pictures = join(top, 'out/studio');
export const folder = process.env.LIMBER_STUDIO_FOLDER ?? join(top, 'build/web/studio');
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const LONGEST_WAIT = 600_000; // ms: whatever waits longer hangs

// --- checks ----------------------------------------------------------------------------------------------------------

let checked = 0;
let failed = 0;

/** One thing that must be so; detail is said where it is not. */
export function check(what, isSo, detail = '') {
    checked++;
    if (isSo) return true;
    failed++;
    console.log(
        `WRONG: ${what}${detail === '' ? '' : `: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`}`);
    return false;
}

export function say(text) {
    console.log(text);
}

/** A part of a test: what is thrown in it is one thing that is wrong, and the next part follows. */
export async function part(name, fn) {
    say(name);
    try {
        await fn();
    } catch (error) {
        const lines =
            (error.stack ?? String(error)).split('\n').filter((line) => !/node_modules|UtilityScript/.test(line));
        check(name, false, lines.slice(0, 6).join('\n    '));
    }
}

export function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

/** The sum of the checks; the process ends with it. */
export function finish() {
    console.log(`${checked} checks, ${failed} wrong`);
    process.exit(failed ? 1 : 0);
}

// --- server and browser ----------------------------------------------------------------------------------------------

function findPlaywright() {
    const require = createRequire(join(top, 'build/npm/package.json'));
    try {
        return require('playwright-core');
    } catch {
        return skip('npm\'s playwright-core is not in build/npm (./dev test installs it where there is a network)');
    }
}

function needs() {
    if (!existsSync(chromium)) skip('there is no chromium (Debian: apt-get install chromium)');
    if (!existsSync(join(folder, 'index.html'))) skip('the studio is not built (./dev web builds it)');
    if (!existsSync(limber)) skip(`there is no ${limber}`);
}

/** Starts `limber studio` at any free port. */
export async function serve(words = []) {
    const server = spawn(limber, ['studio', '--port', '0', '--quiet', '--folder', folder, ...words],
        {stdio: ['ignore', 'pipe', 'pipe']});
    let told = '';
    server.stderr.on('data', (data) => {
        told += data;
    });
    const url = await new Promise((done, fail) => {
        server.stdout.on('data', (data) => done(String(data).trim()));
        server.on('exit', (code) => fail(new Error(`limber studio ended with ${code}: ${told}`)));
    }).catch((error) => (/libmicrohttpd/.test(error.message) ? skip('limber was built without libmicrohttpd')
        : Promise.reject(error)));
    process.on('exit', () => server.kill());
    return {url, stop: () => server.kill('SIGINT')};
}

let browser = null;
/** More words for the browser's command line, before the first page is opened. @type {string[]} */
export const browserWords = [];

async function launch() {
    needs();
    browser ??= await findPlaywright().chromium.launch({
        executablePath: chromium,
        timeout: LONGEST_WAIT,
        args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader', '--disable-gpu-compositing', // software draws the view: no more than that
            ...browserWords],
    });
    return browser;
}

// Counts what a page has put off or under way: timers by their delay, and what is read or fetched. Timers can be held
// back, for what a person does within a moment: a machine may take longer over it.
const WATCH_WORK = () => {
    const due = new Map(); // a timer's id -> its delay in ms
    const {setTimeout: set, clearTimeout: clear} = window;
    let held = null, underWay = 0;
    window.setTimeout = (fn, delay = 0, ...words) => {
        const run = () => {
            if (!due.delete(id)) return;
            if (typeof fn === 'function') fn(...words);
        };
        const id = set(() => (held ? held.push(run) : run()), delay);
        due.set(id, delay);
        return id;
    };
    window.clearTimeout = (id) => {
        due.delete(id);
        clear(id);
    };
    const count = (owner, name) => {
        const original = owner?.[name];
        if (!original) return;
        owner[name] = function counted(...words) {
            underWay++;
            const answer = original.apply(this, words);
            const done = () => { underWay--; };
            answer.then(done, done);
            return answer;
        };
    };
    for (const name of ['fetch', 'createImageBitmap']) count(window, name);
    for (const name of ['text', 'arrayBuffer', 'json', 'blob']) count(Response.prototype, name);
    for (const name of ['text', 'arrayBuffer']) count(Blob.prototype, name);
    for (const name of ['readText', 'writeText']) count(window.Clipboard?.prototype, name);
    count(HTMLImageElement.prototype, 'decode');
    const {toBlob} = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function counted(fn, ...words) {
        underWay++;
        toBlob.call(this, (blob) => {
            underWay--;
            fn(blob);
        }, ...words);
    };
    window.work = {
        isLookedAt: false,
        isQuiet: (most) => {
            const {store, client} = window.studio;
            return !underWay && !store.tasks?.size && !client.waiting.size
                && ![...due.values()].some((delay) => delay <= most);
        },
        hold: () => { held ??= []; },
        release: () => {
            const late = held ?? [];
            held = null;
            for (const run of late) {
                run();
            }
        },
    };
};

// Where software draws, the triangles take most of a test's time (test_view: four fifths): of the pictures that follow
// each other one in DRAWN_EVERY is drawn, and every one that somebody looks at (work.isLookedAt, view.picture). Of the
// others everything is done but the triangles.
const DRAWN_EVERY = 16;
const DRAW_SELDOM = (every) => {
    const {prototype} = WebGL2RenderingContext, {clear} = prototype;
    let count = 0, isDrawn = true;
    prototype.clear = function counted(mask) { // each picture begins with it
        isDrawn = count++ % every === 0 || window.work.isLookedAt || window.studio?.view?.isPicture;
        clear.call(this, mask);
    };
    const names = ['drawArrays', 'drawElements', 'drawRangeElements', 'drawArraysInstanced', 'drawElementsInstanced'];
    for (const name of names) {
        const original = prototype[name];
        prototype[name] = function seldom(...words) {
            if (isDrawn) original.apply(this, words);
        };
    }
};

// Notes what moves by itself. What follows upon an input is the user's own doing: all until the page has
// settled, and 4 s.
const WATCH_SHIFTS = () => {
    window.layoutShifts = [];
    window.settledAt = 0;
    let lastInput = -Infinity;
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'wheel', 'drop', 'input', 'change']) {
        window.addEventListener(type, () => {
            lastInput = performance.now();
        }, {capture: true, passive: true});
    }
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            const isAnswer = lastInput > window.settledAt || entry.startTime <= window.settledAt;
            if (entry.hadRecentInput || (isAnswer && lastInput > 0) || entry.startTime - lastInput < 4000) continue;
            const what = entry.sources?.map(({node}) => node?.id || node?.className || node?.nodeName).join(' ');
            window.layoutShifts.push({value: entry.value, what});
        }
    }).observe({type: 'layout-shift', buffered: true});
};

/** Somebody who knows the page, and begins with the human alone. */
const KNOWN = () => {
    if (localStorage.getItem('limber.settings')) return;
    localStorage.setItem('limber.settings', JSON.stringify({begin: 'human'}));
    localStorage.setItem('limber.hints', '3');
};

/**
 * Opens the page, and waits until it can be used.
 * @param {{words?: string[], width?: number, height?: number, dark?: boolean, touch?: boolean, first?: boolean,
 *     hash?: string, scale?: number, url?: string, moving?: boolean}} options moving: what moves by itself plays;
 *     words: for limber studio; url: of who else serves the page;
 *     first: a first visit, with the scene at the table and hints; else the human is alone; scale: pixels of the
 *     screen for one of the page, half of them unless the
 *     test looks at pictures, since software draws them
 */
export async function open({words = [], width = 1280, height = 720, dark = false, touch = false, first = false,
    hash = '', scale = 0.5, url = null, moving = false} = {}) {
    const server = url ? {url, stop() {}} : await serveOnce(words);
    const context = await (await launch()).newContext({viewport: {width, height}, hasTouch: touch, isMobile: touch,
        colorScheme: dark ? 'dark' : 'light', reducedMotion: moving ? 'no-preference' : 'reduce',
            deviceScaleFactor: scale, acceptDownloads: true});
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_WAIT);
    const seen = watch(page, context, server.url);
    if (!first) await page.addInitScript(KNOWN);
    await page.addInitScript(WATCH_WORK);
    await page.addInitScript(DRAW_SELDOM, DRAWN_EVERY);
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto(server.url + hash);
    await ready(page);
    return new Hands(page, context, server, seen);
}

/** Another page of the studio's folder, as it is. */
export async function openPlain(path) {
    const server = await serveOnce([]);
    const page = await (await launch()).newPage();
    page.setDefaultTimeout(LONGEST_WAIT);
    await page.goto(server.url + path);
    return page;
}

/** A page of the browser with nothing in it: somebody else's. */
export async function blank({width = 1280, height = 720} = {}) {
    const context = await (await launch()).newContext({viewport: {width, height}, colorScheme: 'light',
        reducedMotion: 'reduce'});
    const page = await context.newPage();
    page.setDefaultTimeout(LONGEST_WAIT);
    mkdirSync(pictures, {recursive: true});
    return page;
}

const servers = new Map();

async function serveOnce(words) {
    const key = JSON.stringify(words);
    if (!servers.has(key)) {
        needs();
        servers.set(key, await serve(words));
    }
    return servers.get(key);
}

/** Ends browser and servers. */
export async function closeAll() {
    await browser?.close();
    browser = null;
    for (const server of servers.values()) server.stop();
    servers.clear();
}

/** Notes what a page says and asks for. */
function watch(page, context, origin) {
    const seen = {errors: [], abroad: [], requests: []};
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isOfTheDriver(message.text())) {
            seen.errors.push(`${message.type()}: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => seen.errors.push(error.stack ?? error.message));
    page.on('crash', () => seen.errors.push('the page crashed'));
    context.on('request', (request) => {
        const url = request.url();
        seen.requests.push({url, method: request.method()});
        if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) seen.abroad.push(url);
    });
    return seen;
}

// Software drawing is slow at reading pixels back, and says so.
function isOfTheDriver(text) {
    return /GPU stall due to ReadPixels|GroupMarkerNotSet|Automatic fallback to software WebGL/.test(text);
}

/** The page has a figure, and the worker an answer. */
export async function ready(page) {
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true' && window.studio.store.frame);
}

// --- hands -----------------------------------------------------------------------------------------------------------

/** What a person does with a page, and what is to be seen in it. */
export class Hands {
    constructor(page, context, server, seen) {
        Object.assign(this, {page, context, server, seen});
    }

    /** Reads something of window.studio: fn(studio, argument) runs in the page. */
    read(fn, argument) {
        return this.page.evaluate(`(${fn})(window.studio, ${JSON.stringify(argument) ?? 'undefined'})`);
    }

    /** Some pictures later: as many turns of the page's own loop. */
    frames(count = 1) {
        return this.page.evaluate(async (most) => {
            for (let k = 0; k < most; k++) await new Promise((done) => { requestAnimationFrame(done); });
        }, count);
    }

    /**
     * With nothing under way: no task, no call to the worker, nothing being read, no timer that the page has set to run
     * after at most this time.
     */
    async settle(milliseconds = 60) {
        const isQuiet = () => this.page.evaluate((most) => window.work.isQuiet(most), milliseconds);
        do {
            await this.page.waitForFunction((most) => window.work.isQuiet(most), milliseconds);
            await this.frames(3);
            await this.page.evaluate(() => window.studio.store.queue);
        } while (!await isQuiet());
        await this.page.evaluate(() => { window.settledAt = performance.now(); });
    }

    /** Does something that a person does in a moment: no timer of the page runs before it is done. */
    async atOnce(fn) {
        await this.page.evaluate(() => window.work.hold());
        try {
            await fn();
        } finally {
            await this.page.evaluate(() => window.work.release());
        }
    }

    /** Until something is so; what never is meets the test's own limit against hanging. */
    async until(fn) {
        while (!await fn()) await this.frames(2);
    }

    /** Where a site is in the world. */
    site(name, figure = 0) {
        return this.read(SITE, {name, figure});
    }

    /** All sites that are named, in the world. */
    async sites(names) {
        const places = [];
        for (const name of names) places.push(await this.site(name));
        return places;
    }

    /** Where a point of the world is in the window. */
    toScreen(point) {
        return this.read((studio, at) => studio.view.toScreen(at), point);
    }

    /** A pixel at which a segment can be picked, near where one of its points is seen. */
    async pixelOf(segment, figure = 0) {
        return this.read(PIXEL, {segment, figure});
    }

    /** Presses at a pixel, moves to another in steps as a mouse does, and lets go unless told. */
    async drag(from, to, {steps = 12, hold = false, button = 'left'} = {}) {
        const {mouse} = this.page;
        await mouse.move(...from);
        await mouse.down({button});
        for (let k = 1; k <= steps; k++) {
            await mouse.move(from[0] + (to[0] - from[0]) * k / steps, from[1] + (to[1] - from[1]) * k / steps);
            await this.frames();
        }
        await this.settle(120);
        if (!hold) {
            await mouse.up({button});
            await this.settle();
        }
    }

    /** Drops files on the stage, as from a file manager. */
    async drop(files) {
        const list =
            files.map((file) => (typeof file === 'string' ? {name: basename(file), bytes: readFileSync(file)} : file))
                .map(({name, bytes}) => ({name, data: Buffer.from(bytes).toString('base64')}));
        await this.page.evaluate(async (given) => {
            const transfer = new DataTransfer();
            for (const {name, data} of given) {
                const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
                transfer.items.add(new File([bytes], name));
            }
            const {store} = window.studio, stops = [];
            const answer = new Promise((done) => { // opened, or refused with a message
                stops.push(
                    store.on('opened', done), store.on('message', (message) => message?.kind === 'error' && done()));
            });
            for (const type of ['dragenter', 'dragover', 'drop']) {
                document.querySelector('#view')
                    .dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
            }
            await answer;
            for (const stop of stops) stop();
        }, list);
        await this.settle(20);
    }

    /** Clicks a part of a figure, which picks it. */
    async pick(segment, figure = 0) {
        const pixel = await this.pixelOf(segment, figure);
        await this.page.mouse.click(...pixel);
        await this.settle();
        return pixel;
    }

    /** A command of the bar, or an entry of a menu that is open. */
    async command(name) {
        await this.page.locator(`[data-command="${name}"]`).first().click();
        await this.settle();
    }

    /** Chooses in the file menu; returns what is downloaded, if that is what it does. */
    async file(entry, {downloads = false} = {}) {
        await this.command('open');
        const waiting = downloads ? this.page.waitForEvent('download') : null;
        await this.page.getByRole('menuitem', {name: entry}).first().click();
        const download = await waiting;
        await this.settle();
        return download;
    }

    /** The document, as text: what undo, saving and links are about. */
    doc() {
        return this.read((studio) => JSON.stringify(studio.store.doc));
    }

    /** Until the browser's database has the document as it is. */
    async kept() {
        await this.until(() => this.page.evaluate(() => new Promise((done) => {
            const request = indexedDB.open('limber', 1);
            request.onsuccess = () => {
                const base = request.result;
                const get = base.objectStoreNames.contains('kept')
                    && base.transaction('kept').objectStore('kept').get('last');
                if (!get) done(false);
                else get.onsuccess = () =>
                    done(JSON.stringify(get.result?.doc) === JSON.stringify(window.studio.store.doc));
                base.close();
            };
        })));
    }

    pose() {
        return this.read((studio) => [...studio.store.frame.pose]);
    }

    /** Presses what has a name: a button, a tab, a menu's entry. */
    async press(name, role = 'button') {
        await this.page.getByRole(role, {name}).first().click();
        await this.settle();
    }

    async key(keys) {
        await this.page.keyboard.press(keys);
        await this.settle();
    }

    status() {
        return this.page.locator('#status').innerText();
    }

    messages() {
        return this.read(
            (studio) => studio.store.messages.map(({kind, text, file, line}) => ({kind, text, file, line})));
    }

    /** From now on every picture of the view is drawn, beginning with the one that is to be seen; or no longer. */
    async look(isLookedAt) {
        await this.page.evaluate((isSo) => {
            window.work.isLookedAt = isSo;
            if (isSo) window.studio.view.requestDraw();
        }, isLookedAt);
        if (isLookedAt) await this.frames(2);
    }

    /** A picture to look at, in out/studio/. */
    async picture(name) {
        mkdirSync(pictures, {recursive: true});
        await this.look(true);
        await this.page.screenshot({path: join(pictures, `${name}.png`)});
        await this.look(false);
    }

    /** Ends the page; nothing may have gone wrong in it that nobody looked at. */
    async close() {
        const shifts = await this.page.evaluate(() => window.layoutShifts);
        const sum = shifts.reduce((total, {value}) => total + value, 0);
        check('nothing jumps in the page', sum <= 0.001, shifts);
        check('the console has no error', this.seen.errors.length === 0, this.seen.errors.slice(0, 5));
        check('no request leaves the page', this.seen.abroad.length === 0, this.seen.abroad);
        await this.context.close();
    }
}

// --- what runs in the page -------------------------------------------------------------------------------------------

// A site's place from the frame's matrices: rows of 3x4, a segment after the other.
const SITE = ({store}, {name, figure}) => {
    const {firstSegment, sites} = store.scene.figures[figure];
    const site = sites.find((one) => one.name === name);
    if (!site) throw new Error(`there is no site ${name}`);
    const m =
        store.frame.matrices.subarray(12 * (firstSegment + site.segment), 12 * (firstSegment + site.segment) + 12);
    const p = site.position;
    return [0, 4, 8].map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]);
};

// Looks around where the segment's own parts are seen for a pixel at which it is on top.
const PIXEL = ({store, view}, {segment, figure}) => {
    const {firstSegment, segments, sites, shapes} = store.scene.figures[figure];
    const index = segments.findIndex((one) => one.name === segment);
    if (index < 0) throw new Error(`there is no segment ${segment}`);
    const m = store.frame.matrices.subarray(12 * (firstSegment + index), 12 * (firstSegment + index) + 12);
    const at = (p) => [0, 4, 8].map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]);
    const points = [...shapes, ...sites].filter((one) => one.segment === index).map((one) => at(one.position));
    points.push(at([0, 0, 0]));
    for (const spread of [0, 3, 6, 10, 16, 24]) {
        for (const point of points) {
            const center = view.toScreen(point);
            for (let k = 0; center && k < 8; k++) {
                const pixel = [center[0] + spread * Math.cos(k * 0.785), center[1] + spread * Math.sin(k * 0.785)];
                const hit = view.pick(...pixel);
                if (hit && hit.figure === figure && hit.segment === index) return pixel;
            }
        }
    }
    throw new Error(`the segment ${segment} cannot be seen`);
};

/** The distance of two points. */
export function distance(a, b) {
    return Math.hypot(...a.map((value, k) => value - b[k]));
}
