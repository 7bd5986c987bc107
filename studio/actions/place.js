// A part is brought to a place in numbers: what a pull does, without a pointer.

import {effectorsOf} from '../document/effectors.js';
import {spoken} from '../document/names.js';
import {segmentFrame} from '../document/places.js';
import {frameWithin} from '../math/vector.js';

const FRAMES = 300; // of the pull, until the figure has arrived or is as near as it gets

/**
 * Where the picked part is: {label, point}: of its first site, or of its origin.
 * @param {Store} of @param {PartChoice} part
 */
export function placeOf({scene, frame, picked}, part) {
    const [{label, at}] = effectorsOf(scene, frame, part, picked);
    return {label, point: at.position};
}

/**
 * Pulls the part so that this point of it is there: one step to undo. Resolves to how far it falls short, in metres.
 * @param {Store} store @param {PartChoice} part @param {number[] | Vec} from @param {number[]} to
 */
export async function bringTo(store, part, from, to) {
    const {scene, client} = store;
    const point = frameWithin(segmentFrame(scene, store.frame, part.figure, part.segment), {position: from}).position;
    let far = 0;
    await store.edit(`Place ${spoken(part.name)}`, async (draft) => {
        await client.call('dragBegin', {figure: part.figure, segment: part.segment, point,
            chain: store.settings.chain});
        for (let k = 0, frame = null; k < FRAMES && !frame?.settled; k++) {
            frame = await client.call('dragMove', {point: to});
            far = frame.drag?.distance ?? 0;
            store.setFrame(frame);
        }
        const {doc} = await client.call('dragEnd', {commit: true});
        const {start, constraints, avoid, balance, body, figures} = doc;
        const kept = Object.entries({start, constraints, avoid, balance, body, figures});
        Object.assign(draft, Object.fromEntries(kept.filter(([, value]) => value !== undefined)));
    });
    return far;
}
