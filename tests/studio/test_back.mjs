// limber.studio of Python opens the page on its problem, and has what was changed in it.

import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, finish, folder, open, part, scratch, skip, top} from './harness.mjs';

const lib = process.env.LIMBER_PYTHON || join(top, 'build/python/lib');
if (!existsSync(join(lib, 'limber'))) skip('the Python package is not built (./dev python)');

/** A program of Python that opens the studio: its address, and what it prints after that. */
async function python(lines) {
    mkdirSync(scratch, {recursive: true});
    const script = join(scratch, 'back.py');
    writeFileSync(script, lines.join('\n'));
    const child = spawn('/usr/bin/python3', [script], {env: {...process.env, PYTHONPATH: lib}});
    let told = '';
    const ended = new Promise((done) => {
        child.on('exit', (code) => done({code, told}));
    });
    const url = new Promise((done, fail) => {
        child.stdout.on('data', (data) => {
            told += data;
            const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(told);
            if (found) done(found[0]);
        });
        child.stderr.on('data', (data) => {
            told += data;
        });
        child.on('exit', () => fail(new Error(told)));
    });
    process.on('exit', () => child.kill());
    return {url: await url, ended};
}

await part('what is changed in the page comes back to Python', async () => {
    const {url, ended} = await python([
        'import limber',
        'arm = limber.load("panda")',
        'problem = limber.Problem(arm, {"link7": [0.4, 0.2, 0.5]})',
        `changed = limber.studio(problem, open=False, folder=${JSON.stringify(folder)})`,
        'print("CAME", len(changed), changed.start.round(6).tolist(), changed.solve().solved)',
    ]);
    const hands = await open({url});
    const {page} = hands;
    const button = page.getByRole('button', {name: 'Send the problem back to Python, and end'});
    check('the button is there', await button.isVisible());
    check('the problem is open', await hands.read(({store}) => store.doc.constraints.length) === 1);
    await page.keyboard.press('r');
    await hands.settle();
    const pose = await hands.read(({store}) => Object.values(store.doc.start));
    await page.screenshot({path: join(scratch, 'back.png')});
    // Python ends with the button: until then the page has fetched what comes with it, once for itself and once for the
    // worker.
    const shipped = () => hands.seen.requests.filter(({url: asked}) => asked.endsWith('/shipped.json')).length;
    while (shipped() < 2) await page.waitForTimeout(20);
    await page.waitForLoadState('networkidle');
    await button.click();
    const {code, told} = await ended;
    check('Python went on', code === 0 && told.includes('CAME 1'), told);
    const came = JSON.parse(/\[.*\]/.exec(told.slice(told.indexOf('CAME')))?.[0] ?? '[]');
    check('with the pose that was seen', came.length === pose.length
        && came.every((value, k) => Math.abs(value - pose[k]) < 1e-5), {came, pose});
    await page.getByText('Python has it: this page can be closed.').waitFor();
    await hands.close();
});

await part('the page as limber studio serves it has no such button', async () => {
    const hands = await open();
    check('no button', await hands.page.locator('[data-command="back"]').count() === 0);
    await hands.close();
});

await closeAll();
finish();
