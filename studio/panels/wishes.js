// Wishes over the whole pose: near a preferred posture, near the start, away from limits. Softer than goals.

import {field, h} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {valueOf} from '../document/units.js';

let isOpen = false;

/**
 * The block at the foot of the goals panel.
 * @param {Store} store
 */
export function wishesBlock(store) {
    const wishes = store.doc?.wishes ?? {};
    const posture = typeof wishes.posture === 'object' ? wishes.posture.weight : wishes.posture;
    /** @param {string} label @param {(wishes: NonNullable<Doc['wishes']>) => unknown} fn */
    const set = (label, fn) =>
        store.edit(
            label,
            (draft) => {
                draft.wishes ??= {};
                fn(draft.wishes);
                for (const [key, value] of Object.entries(draft.wishes))
                    if (value === undefined) delete draft.wishes[key];
                if (!Object.keys(draft.wishes).length) delete draft.wishes;
            },
            {merge: label},
        );
    /**
     * @param {string} label @param {Measure | undefined} value @param {string} key
     * @param {(weight: number) => unknown} onset
     */
    const weight = (label, value, key, onset) =>
        field(
            label,
            numberEntry({value: valueOf(value, 0), min: 0, step: 0.001, label: `${label}: weight`, key, onset}),
        );
    return h(
        'details',
        {class: 'block', open: isOpen},
        h(
            'summary',
            {
                dataset: {key: 'wishes'},
                onclick: () => {
                    isOpen = !isOpen;
                },
            },
            'Wishes',
        ),
        h(
            'div',
            {class: 'content'},
            h('p', {class: 'quiet'}, 'Softer than goals, and paid for by the lowest of them: small weights suffice.'),
            weight('Posture', posture, 'wish-posture', (number) =>
                set('Posture wish', (all) => {
                    const pose = typeof all.posture === 'object' ? all.posture.pose : undefined;
                    all.posture = number === 0 && !pose ? undefined : pose ? {weight: number, pose} : number;
                }),
            ),
            weight('Stay', wishes.stay, 'wish-stay', (number) =>
                set('Stay wish', (all) => {
                    all.stay = number || undefined;
                }),
            ),
            weight('Off limits', wishes.margin?.weight, 'wish-margin', (number) =>
                set('Margin wish', (all) => {
                    all.margin = number ? {distance: valueOf(all.margin?.distance, 0.0873), weight: number} : undefined;
                }),
            ),
            wishes.margin
                ? field(
                      'by',
                      numberEntry({
                          value: valueOf(wishes.margin.distance, 0.0873),
                          kind: 'angle',
                          min: 0,
                          label: 'Distance from limits',
                          key: 'wish-distance',
                          onset: (number) =>
                              set('Margin wish', (all) => {
                                  all.margin.distance = number;
                              }),
                      }),
                      '°',
                  )
                : null,
        ),
    );
}
