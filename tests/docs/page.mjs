// node page.mjs SITE: the manual's pages in Chromium, as a reader uses them: questions typed into the field, answers
// below it by keys, colours, contents on a phone, code that is copied, tabs that are kept, paper. Nothing but the
// site's own files is asked for, and no script fails. Exit code 77: what it needs is not there.
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const modules = join(process.env.LIMBER_SOURCE_DIR, 'build/npm/node_modules');
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(join(modules, 'playwright-core/package.json')) || !existsSync(chromium)) {
    console.log('skipped: there is no playwright-core or no Chromium (./dev test installs them, with a network)');
    process.exit(77);
}
const playwright = createRequire(import.meta.url)(join(modules, 'playwright-core'));
const site = resolve(process.argv[2]);
const url = (name) => String(pathToFileURL(join(site, name)));
const top = url('');

let failed = 0;
const check = (holds, what) => {
    if (holds) return;
    console.log(`FAILED: ${what}`);
    failed++;
};
/** The page and place that an address ends with. */
const place = (address) => address.slice(address.lastIndexOf('/') + 1).replace(/\?.*?(?=#|$)/, '');

const browser = await playwright.chromium.launch({executablePath: chromium, args: ['--no-sandbox', '--disable-gpu']});
const open = async (options) => {
    const context = await browser.newContext({reducedMotion: 'reduce', ...options});
    const page = await context.newPage();
    page.on('pageerror', (error) => check(false, `a script of ${place(page.url())} fails: ${error.message}`));
    page.on('console', (message) => check(message.type() !== 'error', `${place(page.url())} says: ${message.text()}`));
    page.on('request', (request) => check(/^(data:|blob:)/.test(request.url()) || request.url().startsWith(top),
        `${place(page.url())} asks for ${request.url()}`));
    return page;
};

// The five questions, typed on the first page: the first answer below the field, and the first on the page of answers.
const QUESTIONS = {
    balance: 'body.html',
    'tool axis': 'goals.html#orientation',
    'why not reached': 'contract.html#what-would-have-to-give-way',
    'foot sliding': 'retarget.html#contacts',
    'all solutions': 'closed.html',
};
const page = await open({viewport: {width: 1280, height: 900}, permissions: ['clipboard-read', 'clipboard-write']});
for (const [question, answer] of Object.entries(QUESTIONS)) {
    await page.goto(url('index.html'));
    await page.keyboard.press('/');
    await page.keyboard.type(question);
    await page.locator('#suggestions li').first().waitFor();
    await page.waitForFunction((typed) => document.querySelector('.bar input').value === typed, question);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => !String(address).endsWith('/index.html'));
    const opened = place(page.url());
    check(opened === answer, `'${question}' and Enter on the first answer opens ${opened}, not ${answer}`);
    await page.goto(url('index.html'));
    await page.locator('.bar input').fill(question);
    await page.locator('.bar input').press('Enter');
    await page.waitForURL(/search\.html/);
    const first = await page.locator('#search-results a').first().getAttribute('href');
    check(first === answer, `the page of answers for '${question}' begins with ${first}, not ${answer}`);
    check(await page.locator('.bar input').inputValue() === question, 'the page of answers keeps the question');
}

// A word that is not finished finds what it may become.
await page.goto(url('index.html'));
await page.locator('.bar input').fill('joint lim');
await page.waitForFunction(() => [...document.querySelectorAll('#suggestions a')].slice(0, 3)
    .some((link) => /figure\.html#limits|servo\.html#limits/.test(link.href)));

// Escape closes; a page below a folder finds the same.
await page.goto(url('index.html'));
await page.locator('.bar input').pressSequentially('servo');
await page.locator('#suggestions li').first().waitFor();
await page.keyboard.press('Escape');
check(await page.locator('#suggestions').isHidden(), 'Escape closes the answers');
check(await page.locator('.bar input').getAttribute('aria-expanded') === 'false', 'and says so');
await page.goto(url('files/examples-hello-c.html'));
await page.locator('.bar input').pressSequentially('balance');
await page.locator('#suggestions a').first().click();
await page.waitForURL(/body\.html/);

// Tabs: a language that is chosen once is chosen in all of a page's; code is copied as it stands.
await page.goto(url('tutorial.html'));
await page.locator('.tab-set').first().locator('label', {hasText: 'Python'}).click();
const chosen = await page.locator('.tab-set input:checked + label').allInnerTexts();
const areAll = chosen.length >= 5 && chosen.every((name) => name === 'Python');
check(areAll, `after Python is chosen the tabs show ${chosen}`);
const block = page.locator('#pose-a-person .tab-content:visible .highlight').first();
await block.hover();
await block.locator('button.copybtn').click();
const copied = await page.evaluate(() => navigator.clipboard.readText());
const shown = await block.locator('pre').innerText();
check(copied.trim() === shown.trim() && copied.includes('import limber'), `copied: ${copied.slice(0, 80)}`);
await page.goto(url('index.html'));
const kept = await page.locator('.tab-set input:checked + label').innerText();
check(kept === 'Python', 'the language is kept on another page');
await page.goto(url('tutorial.html'));
check(await page.locator('footer a[rel="next"]').count() === 1, 'there is a next page');

// The heading that is read is marked at the right.
await page.evaluate(() => document.getElementById('solve-a-robot').scrollIntoView());
await page.locator('nav.page a[href="#solve-a-robot"][aria-current]').waitFor();

// Colours: light, dark, and as the system has them; kept on the next page.
const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
await page.emulateMedia({colorScheme: 'dark'});
const dark = await ground();
await page.locator('#theme').click(); // light
const light = await ground();
check(dark !== light && light === 'rgb(255, 255, 255)', `dark is ${dark}, light ${light}`);
await page.goto(url('goals.html'));
check(await ground() === light, 'the choice is kept');
// Paper is white, has all tabs, and no bars.
await page.emulateMedia({media: 'print'});
await page.goto(url('tutorial.html'));
check(await page.locator('.bar').isHidden() && await page.locator('#contents').isHidden(), 'bars are not printed');
const arePrinted = await page.locator('.tab-content').evaluateAll((all) => all.every((one) => one.offsetHeight > 0));
check(arePrinted, 'all tabs are printed');
check(await ground() === 'rgb(255, 255, 255)', 'paper is white');

// A phone: contents behind a button, headings behind another, nothing wider than the screen.
const phone = await open({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true});
await phone.goto(url('goals.html'));
check(await phone.locator('#contents').isHidden(), 'the contents are closed on a phone');
await phone.locator('#menu').tap();
check(await phone.locator('#contents').isVisible(), 'the button opens the contents');
await phone.locator('#menu').tap();
await phone.locator('details.here summary').tap();
await phone.locator('details.here a[href="#orientation"]').tap();
check(place(phone.url()) === 'goals.html#orientation', `the headings of a page lead to ${phone.url()}`);

await browser.close();
console.log(`the manual in Chromium: ${failed} failures`);
process.exit(failed ? 1 : 0);
