// Firefox as Debian has it, driven by WebDriver BiDi: a WebSocket, of which this is all that is needed, and a few
// commands. (Drivers of npm want a Firefox of their own, or commands that this one does not have yet.)

import {spawn} from 'node:child_process';
import {createHash, randomBytes} from 'node:crypto';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const LONGEST_WAIT = 600_000; // ms: whatever waits longer hangs

/** A client's frame of text: masked, as the protocol wants it. */
export function frameOf(text) {
    const bytes = Buffer.from(text), mask = randomBytes(4), {length} = bytes;
    const head = length < 126 ? Buffer.from([0x81, 0x80 | length])
        : length < 65536 ? Buffer.from([0x81, 0x80 | 126, length >> 8, length & 255])
            : Buffer.concat([Buffer.from([0x81, 0x80 | 127]), Buffer.from(BigInt(length).toString(16).padStart(16, '0'),
                'hex')]);
    return Buffer.concat([head, mask, bytes.map((byte, k) => byte ^ mask[k % 4])]);
}

/** Takes whole frames off the front of what has arrived: {frames: [{opcode, isLast, bytes}], rest}. */
export function framesOf(buffer) {
    const frames = [];
    for (let rest = buffer; ;) {
        if (rest.length < 2) return {frames, rest};
        const short = rest[1] & 127, at = short === 126 ? 4 : short === 127 ? 10 : 2;
        if (rest.length < at) return {frames, rest};
        const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
        if (rest.length < at + length) return {frames, rest};
        frames.push({opcode: rest[0] & 15, isLast: Boolean(rest[0] & 128), bytes: rest.subarray(at, at + length)});
        rest = rest.subarray(at + length);
    }
}

/** Opens a WebSocket: {send(text), close()}; `heard` gets each text. */
function connect(url, heard) {
    const {hostname, port, pathname} = new URL(url), key = randomBytes(16).toString('base64');
    return new Promise((done, fail) => {
        const asking = request({hostname, port, path: pathname, headers: {connection: 'Upgrade', upgrade: 'websocket',
            'sec-websocket-version': 13, 'sec-websocket-key': key}});
        asking.on('error', fail);
        asking.on('response', ({statusCode}) => fail(new Error(`the browser answers ${statusCode} to a WebSocket`)));
        asking.on('upgrade', (response, socket, head) => {
            const wanted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
            if (response.headers['sec-websocket-accept'] !== wanted) fail(new Error('this is no WebSocket'));
            let left = Buffer.alloc(0), parts = [];
            const take = (data) => {
                const {frames, rest} = framesOf(Buffer.concat([left, data]));
                left = rest;
                for (const {opcode, isLast, bytes} of frames) {
                    if (opcode === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])); // a pong
                    if (opcode > 2) continue;
                    parts.push(bytes);
                    if (!isLast) continue;
                    heard(Buffer.concat(parts).toString());
                    parts = [];
                }
            };
            socket.on('data', take);
            socket.on('error', () => {});
            take(head);
            done({send: (text) => socket.write(frameOf(text)), close: () => socket.destroy()});
        });
        asking.end();
    });
}

const SCREEN = '/usr/bin/Xvfb';

/** A screen that nobody sees, which a Firefox that draws by software needs for WebGL; null where there is none. */
async function startScreen() {
    if (!existsSync(SCREEN)) return null;
    const child = spawn(SCREEN, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
        {stdio: ['ignore', 'ignore', 'ignore', 'pipe']});
    process.on('exit', () => child.kill());
    const number = await new Promise((done) => {
        child.stdio[3].on('data', (data) => done(String(data).trim()));
        child.on('exit', () => done(null));
        child.on('error', () => done(null));
    });
    return number === null ? null : {name: `:${number}`, end: () => child.kill()};
}

export class Firefox {
    /**
     * Starts one on a screen that nobody sees, or without one. @param {string} program @param {Record<string, unknown>}
     * preferences
     */
    static async start(program, preferences = {}) {
        const profile = mkdtempSync(join(tmpdir(), 'limber-firefox-'));
        const lines = Object.entries({'browser.shell.checkDefaultBrowser': false,
            'datareporting.policy.dataSubmissionEnabled': false,
            'toolkit.telemetry.enabled': false, 'app.update.enabled': false, 'browser.startup.page': 0,
            'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
            'extensions.update.enabled': false, 'services.settings.server': 'data:,', ...preferences})
            .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
        writeFileSync(join(profile, 'user.js'), lines.join('\n'));
        const screen = await startScreen(), words = screen ? [] : ['--headless'], display = screen
            ? {DISPLAY: screen.name} : {};
        const child = spawn(program, [...words, '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
            {stdio: ['ignore', 'ignore', 'pipe'], env: {...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1',
                ...display}});
        let told = '';
        const url = await new Promise((done, fail) => {
            const timer = setTimeout(() => fail(new Error(`it does not listen: ${told.slice(-300)}`)), LONGEST_WAIT);
            child.on('error', fail);
            child.on('exit', (code) => fail(new Error(`it ended with ${code}: ${told.slice(-300)}`)));
            child.stderr.on('data', (data) => {
                told += data;
                const said = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(told);
                if (!said) return;
                clearTimeout(timer);
                done(said[1]);
            });
        });
        const firefox = new Firefox(child, profile, screen);
        firefox.socket = await connect(`${url}/session`, (text) => firefox.heard(JSON.parse(text)));
        const {capabilities} = await firefox.call('session.new', {capabilities: {}});
        firefox.version = capabilities.browserVersion;
        await firefox.call('session.subscribe', {events: ['log.entryAdded']});
        return firefox;
    }

    constructor(child, profile, screen) {
        Object.assign(this, {child, profile, screen, last: 0, waiting: new Map(), log: []});
        process.on('exit', () => child.kill());
    }

    heard({id, type, result, error, message, method, params}) {
        if (method === 'log.entryAdded') this.log.push({level: params.level, text: params.text});
        const waiter = this.waiting.get(id);
        if (!waiter) return;
        this.waiting.delete(id);
        if (type === 'error') waiter.fail(new Error(`${error}: ${message}`));
        else waiter.done(result);
    }

    /** One command; what the browser refuses is thrown. */
    call(method, params = {}) {
        const id = ++this.last;
        return new Promise((done, fail) => {
            this.waiting.set(id, {done, fail});
            this.socket.send(JSON.stringify({id, method, params}));
        });
    }

    /** A new tab of a size, at an address. */
    async open(url, {width = 1280, height = 720} = {}) {
        const {context} = await this.call('browsingContext.create', {type: 'tab'});
        await this.call('browsingContext.setViewport', {context, viewport: {width, height}});
        await this.call('browsingContext.navigate', {context, url, wait: 'complete'});
        return new Tab(this, context);
    }

    async close() {
        const ended = new Promise((done) => { this.child.on('exit', done); });
        await this.call('browser.close').catch(() => this.child.kill());
        this.socket.close();
        await ended;
        this.screen?.end();
        rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
    }
}

export class Tab {
    constructor(firefox, context) {
        Object.assign(this, {firefox, context});
    }

    /** What a function of the page answers; it may be a promise, its answer goes through JSON. */
    async evaluate(fn, argument) {
        const {type, result, exceptionDetails} = await this.firefox.call('script.evaluate',
            {target: {context: this.context},
            awaitPromise: true, expression: `Promise.resolve((${fn})(${JSON.stringify(argument) ?? ''}))
                .then((value) => JSON.stringify(value ?? null))`});
        if (type === 'exception') throw new Error(exceptionDetails.text);
        return JSON.parse(result.value);
    }

    /** Until something is so. */
    async until(fn, argument) {
        const end = Date.now() + LONGEST_WAIT;
        while (!await this.evaluate(fn, argument)) {
            if (Date.now() > end) throw new Error(`it never was so: ${fn}`);
            await new Promise((done) => { setTimeout(done, 30); });
        }
    }

    /** Presses at a place, moves to another in steps as a mouse does, and lets go. */
    async drag([x, y], [toX, toY], steps = 12) {
        const moves = Array.from({length: steps}, (_, k) => ({type: 'pointerMove', duration: 30,
            x: Math.round(x + (toX - x) * (k + 1) / steps), y: Math.round(y + (toY - y) * (k + 1) / steps)}));
        await this.firefox.call('input.performActions', {context: this.context, actions: [{type: 'pointer', id: 'mouse',
            actions: [
            {type: 'pointerMove', x: Math.round(x), y: Math.round(y)}, {type: 'pointerDown', button: 0}, ...moves,
                {type: 'pause', duration: 200},
            {type: 'pointerUp', button: 0}]}]});
    }

    async press(key) {
        await this.firefox.call('input.performActions', {context: this.context, actions: [{type: 'key', id: 'keys',
            actions: [
            {type: 'keyDown', value: key}, {type: 'keyUp', value: key}]}]});
    }

    /** A picture of what is seen, as bytes of a PNG. */
    async picture() {
        const {data} = await this.firefox.call('browsingContext.captureScreenshot', {context: this.context});
        return Buffer.from(data, 'base64');
    }
}
