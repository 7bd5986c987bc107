// node axe.mjs SITE: axe-core finds no violation on the manual's pages, light and dark, on a phone and on a desktop. By
// default one page of each kind, in one of these looks (two pages for each look); with LIMBER_TEST_LONG all pages in all
// looks. Exit code 77: what it needs is not there.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const modules = join(process.env.LIMBER_SOURCE_DIR, 'build/npm/node_modules');
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const needs = [['axe-core', existsSync(join(modules, 'axe-core/axe.min.js'))],
    ['playwright-core', existsSync(join(modules, 'playwright-core/package.json'))], ['Chromium', existsSync(chromium)]];
for (const [what, is] of needs) {
    if (!is) {
        console.log(`skipped: there is no ${what} (./dev test installs it where there is a network)`);
        process.exit(77);
    }
}
const playwright = createRequire(import.meta.url)(join(modules, 'playwright-core'));
const axe = readFileSync(join(modules, 'axe-core/axe.min.js'), 'utf8');
const site = resolve(process.argv[2]);

// The first page, a guide with tabs, the scoreboard's wide tables (on a phone), a guide with tables and pictures, references, the
// search.
const KINDS = ['index', 'tutorial', 'scoreboard', 'goals', 'c-reach', 'cli-reference', 'schema-reference', 'search'];
const isLong = Boolean(process.env.LIMBER_TEST_LONG);
const pages = isLong
    ? readdirSync(site).filter((name) => name.endsWith('.html')).map((name) => name.slice(0, -5)) : KINDS;

let failed = 0;
const browser = await playwright.chromium.launch({executablePath: chromium, args: ['--no-sandbox', '--disable-gpu']});
const looks = ['light', 'dark'].flatMap((colorScheme) => [390, 1280].map((width) => ({colorScheme, width})));
let looked = 0;
for (const [k, {colorScheme, width}] of looks.entries()) {
    const context = await browser.newContext({colorScheme, viewport: {width, height: 844}, reducedMotion: 'reduce'});
    const page = await context.newPage();
    for (const name of isLong ? pages : pages.filter((_, n) => n % looks.length === k)) {
        const query = name === 'search' ? '?q=balance' : '';
        await page.goto(`${pathToFileURL(join(site, `${name}.html`))}${query}`);
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        looked++;
        for (const {id, help, nodes} of violations) {
            const shown = nodes.slice(0, 3).map(({html}) => html.slice(0, 120)).join(' ; ');
            console.log(`FAILED: ${name}, ${colorScheme}, ${width}: ${id}: ${help}: ${shown}`);
            failed++;
        }
        if (wide > 0) {
            console.log(`FAILED: ${name}, ${colorScheme}, ${width}: the page is ${wide} px wider than the window`);
            failed++;
        }
    }
    await context.close();
}
await browser.close();
console.log(`${pages.length} pages, ${looked} looks at them, light and dark, 390 and 1280 px: ${failed} violations`);
process.exit(failed ? 1 : 0);
