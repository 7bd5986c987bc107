// The swivel by numbers: for who uses no pointer, or wants an exact angle.

import {spoken} from '../document/names.js';
import {circleOf} from '../document/limb.js';
import {swivelOf, swivelTo} from '../view/swivel.js';
import {button, field, h} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {openDialog} from './dialogs.js';

const DEGREE = Math.PI / 180;

/**
 * Where the elbow or knee of the picked limb points, as an angle that can be changed; hand or foot stay.
 * @param {Store} store
 */
export function openSwivel(store) {
    const found = store.view && swivelOf(store.view);
    if (!found) {
        store.message('info', 'Pick a part of a bent arm or leg first: then its elbow or knee can be turned.');
        return;
    }
    const name = spoken(found.limb.name), said = h('span', {class: 'quiet', role: 'status'});
    let wanted = circleOf(found.limb).angle;
    /** @param {number} angle */
    const go = async (angle) => {
        /** @typedef {EngineAnswers['swivel']['swivel']} Swivelled */
        const told = /** @type {Swivelled | null} */ (await swivelTo(store, angle));
        if (!told) return;
        wanted = told.angle;
        input.value = (wanted / DEGREE).toFixed(1);
        said.textContent = told.isThere ? `The ${name} is there.`
            : `As far as it goes: ${(wanted / DEGREE).toFixed(1)} deg.`;
    };
    const input = numberEntry({value: wanted, kind: 'angle', label: `Angle of the ${name} about its limb, in degrees`,
        key: 'swivel angle', onset: (value) => { wanted = value; }});
    const entry = field('angle', input, 'deg');
    /** @param {number} by */
    const step = (by) => button({text: `${by > 0 ? '+' : '−'}${Math.abs(by)}°`, label: `Turn by ${by} degrees`,
        class: 'framed',
        onclick: () => go(wanted + by * DEGREE)});
    openDialog(store.home, `Swivel of the ${name}`, {
        kind: 'narrow',
        footer: [said, step(-5), step(5), button({text: 'Turn', class: 'strong', dataset: {command: 'swivel-go'},
            onclick: () => go(wanted)})],
        body: h('div', {class: 'stack'}, h('p', {class: 'quiet'},
            `Where the ${name} is on its way round: 0 points down, or ahead where the limb is upright. `
            + 'The end of the limb stays where it is.'),
        entry),
    });
    input.focus();
}
