// Draws docs/pictures/studio.png anew, a hand pulled to the floor, as README.md and docs/studio.md show it, and
// studio-scene.png, what the page begins with. No test:
//
//     node tests/studio/pictures.mjs

import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {closeAll, open, pictures, top} from './harness.mjs';

const hands = await open({scale: 1});
const from = await hands.pixelOf('right_hand');
await hands.drag(from, [from[0] + 130, from[1] + 190], {hold: true, steps: 30});
await hands.settle(200);
await hands.picture('studio');
copyFileSync(join(pictures, 'studio.png'), join(top, 'docs/pictures/studio.png'));
console.log(await hands.status());
await hands.page.mouse.up();
await hands.settle();
await hands.close();

const first = await open({scale: 1, first: true});
await first.settle(300);
await first.picture('studio-scene');
copyFileSync(join(pictures, 'studio-scene.png'), join(top, 'docs/pictures/studio-scene.png'));
await first.close();
await closeAll();
