// Links in the page's address: the whole problem with its motion comes back; hostile ones give a message and leave the
// scene as it was.

import {join} from 'node:path';
import {deflateRawSync} from 'node:zlib';
import {check, closeAll, finish, open, say, top} from './harness.mjs';
import {MARK, toBase64url} from '../../studio/files/link.js';

const pack = (content) => `#${MARK}${toBase64url(deflateRawSync(Buffer.from(content)))}`;
const HOSTILE = {
    'cut off': pack('{"doc": {}}').slice(0, 20),
    'no base64': `#${MARK}%%%`,
    'no JSON': pack('{"doc"'),
    'no problem': pack('[1, 2]'),
    'of the future': '#limber99=AAAA',
    'a bomb': pack(Buffer.alloc(50e6)),
    'deep': pack(`{"doc": ${'['.repeat(100000)}${']'.repeat(100000)}}`),
    'no figure': pack('{"doc": {"figures": [{"file": "nobody"}]}}'),
    'no numbers': pack('{"doc": {"figures": [{"file": "human", "name": "human"}], "start": {"root.x": "far"}}}'),
    'an unknown key':
        pack('{"doc": {"figures": [{"file": "human", "name": "human"}], "evil": "<img src=x onerror=alert(1)>"}}'),
    'a bad file': pack('{"doc": {"figures": [{"file": "a.fig"}]}, "files": {"a.fig": "figure {"}}'),
    'a script in a name': pack('{"doc": {"figures": [{"file": "<script>alert(1)</script>"}]}}'),
};

say('at the start');
{
    const hands = await open({hash: HOSTILE['no JSON']});
    const [message] = await hands.messages();
    check('a damaged link is told', message?.kind === 'error' && /damaged/.test(message.text), message);
    check('and the human is there', await hands.read(({store}) => store.scene.figures[0].name) === 'human');
    await hands.close();
}

const hands = await open();
const {page} = hands;
await hands.drop([join(top, 'examples/reach_over_time.json')]);
const before = JSON.parse(await hands.doc());

say('hostile links');
for (const [what, hash] of Object.entries(HOSTILE)) {
    await hands.read(({store}) => { for (const {id} of [...store.messages]) store.closeMessage(id); });
    await page.evaluate((fragment) => { window.location.hash = fragment; }, hash);
    await page.waitForFunction(() => window.studio.store.messages.length > 0);
    await hands.settle();
    const messages = await hands.messages();
    check(`${what}: it is told`, messages.length === 1 && messages[0].kind === 'error' && messages[0].text.length > 10,
        messages);
    check(`${what}: the scene stays`, JSON.stringify(JSON.parse(await hands.doc())) === JSON.stringify(before));
    say(`    ${what}: ${messages[0]?.text}`);
}
await hands.picture('link-hostile');

say('a link with a motion');
{
    await hands.command('link');
    const address = await page.locator('dialog[open] input, dialog[open] textarea').first().inputValue();
    const fragment = address.slice(address.indexOf('#'));
    await page.keyboard.press('Escape');
    const other = await open({hash: fragment});
    const doc = JSON.parse(await other.doc());
    check('the tracks are in it', JSON.stringify(doc.motion) === JSON.stringify(before.motion), doc.motion);
    check('and the goals', JSON.stringify(doc.constraints) === JSON.stringify(before.constraints), doc.constraints);
    check('it is short', fragment.length < 4000, fragment.length);
    say(`    ${fragment.length} characters`);
    await other.close();
}
await hands.close();
await closeAll();
finish();
