// Drags as they were recorded when the Engine did them in JavaScript (tests/drags): through the Engine and the library
// the same targets give the same poses to 1e-9.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {makeEngine, top} from './engine.mjs';

const folder = join(top, 'tests/drags/recorded');

/** The lines of a recorded drag: [word, numbers]. */
function linesOf(name) {
    return readFileSync(join(folder, `${name}.drag`), 'utf8').trim().split('\n').map((line) => {
        const [word, ...rest] = line.split(' ');
        return [word, rest.map(Number)];
    });
}

async function openIn(engine, name) {
    const doc = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const [{file}] = doc.figures;
    await engine.open({files: [{name: file, bytes: new Uint8Array(readFileSync(join(top, 'models', file)))}]});
    await engine.set({doc});
}

/** Takes hold as the recording did; what moves it one frame to a target. */
async function hold(engine, name, lines) {
    const word = (wanted) => lines.find(([one]) => one === wanted)?.[1];
    const {world} = engine;
    if (word('goal')) {
        const goal = world.constraints[word('goal')[0]].name;
        return (position, rotation) => engine.goalMove({name: goal, frame: {position, rotation}});
    }
    const segment = word('segment')[0];
    const fixed = new Set(word('fixed') ?? []);
    const {chain} = await engine.chain({figure: 0, segment});
    const links = word('fixed') ? chain.length - 1 : 0;
    await engine.dragBegin({segment, point: word('point'), turn: word('turns')[0] === 1,
        chain: fixed.size ? Math.min(4, links) : 0});
    return (position, rotation) => engine.dragMove({point: position, rotation});
}

for (const name of readdirSync(folder).filter((file) => file.endsWith('.drag')).map((file) => file.slice(0, -5))) {
    test(name, async () => {
        const engine = await makeEngine();
        const lines = linesOf(name);
        await openIn(engine, name);
        const move = await hold(engine, name, lines);
        let last = null, frame = null, worst = 0, compared = 0, isFirst = true;
        for (const [word, numbers] of lines) {
            if (word === 'move') last = numbers;
            if (word === 'move' || word === 'again') {
                // dragBegin has been at the first one already
                if (!isFirst || lines.some(([one]) => one === 'goal')) {
                    frame = await move(last.slice(0, 3), last.slice(3));
                }
                isFirst = false;
            }
            if (word === 'pose' && frame) {
                worst = Math.max(worst, ...numbers.map((value, k) => Math.abs(value - frame.pose[k])));
                compared++;
            }
        }
        assert.ok(compared > 1 && worst <= 1e-9, `${compared} poses, ${worst} apart`);
        assert.equal(Number(frame.settled), lines.find(([one]) => one === 'settled')[1][0]);
    });
}
