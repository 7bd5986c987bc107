// The package in Debian's Chromium, without a server: requests are answered from the source tree.
// (Studio's own tests use ../studio/harness.mjs, with which this one takes turns.)

import {existsSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {extname, join} from 'node:path';
import {skip, top} from './setup.mjs';

const TYPES = {'.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html'};
const LONGEST_WAIT = 600_000; // ms: whatever waits longer hangs
const ORIGIN = 'http://limber.test';

/** A page in which `limber` is loaded, and `readHere(name, bytes)`, `files`; {page, close, problems}. */
export async function openPage() {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    if (!existsSync(executablePath)) skip('there is no chromium');
    let playwright;
    try {
        playwright = createRequire(join(top, 'build/npm/package.json'))('playwright-core');
    } catch {
        skip("npm's playwright-core is not installed (./dev test)");
    }
    const browser = await playwright.chromium.launch({
        executablePath,
        timeout: LONGEST_WAIT,
        args: [
            '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync'
        ]
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_WAIT);
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.route('**/*', (route) => {
        const {pathname} = new URL(route.request().url());
        if (pathname === '/page.html')
            return route.fulfill(
                {contentType: 'text/html', body: '<!doctype html><title>test</title><link rel=icon href=data:,>'});
        const path = pathname.startsWith('/shared/') ? join(top, '..', decodeURIComponent(pathname))
                                                     : join(top, decodeURIComponent(pathname));
        if (!existsSync(path) || !statSync(path).isFile()) return route.fulfill({status: 404, body: 'not there'});
        return route.fulfill(
            {contentType: TYPES[extname(path)] ?? 'application/octet-stream', body: readFileSync(path)});
    });
    await page.goto(`${ORIGIN}/page.html`);
    return {page, problems, close: () => browser.close()};
}

/** Where the page finds a file of the tree, or of the shared data. */
export const urlOf = (path) => (path.startsWith(top + '/') ? path.slice(top.length)
    : '/shared/' + path.split('/shared/').slice(1).join('/shared/'));
