// The show panel: what the view draws.

import {field, h, switchOf} from '../widgets/dom.js';
import {choiceEntry} from '../widgets/entry.js';
import {viewsBlock} from './views.js';

const WHAT = [
    ['shapes', 'Bodies', 'the shapes of the segments'],
    ['skin', 'Skin', 'the meshes of characters and robots'],
    ['joints', 'Joints', 'where segments meet'],
    ['sites', 'Sites', 'named places on segments'],
    ['labels', 'Names', 'of parts and goals'],
    ['limits', 'Limits', 'arcs, cones and polygons at the picked joint'],
    ['allLimits', 'All limits', 'those of every joint'],
    ['goals', 'Goals', 'and the lines to them'],
    ['com', 'Balance', 'centre of mass and support'],
    ['vision', 'Vision', 'what the eyes look at'],
    ['effort', 'Effort', 'how hard the joints of a body work, by colours'],
    ['forces', 'Forces', 'what carries the body, in newtons'],
    ['reach', 'Reach', 'the cloud, once computed'],
    ['ghosts', 'Ghosts', 'poses before and after'],
    ['trails', 'Trails', 'the way of parts through the motion'],
    ['ground', 'Ground', 'the grid'],
];

/**
 * Switches for settings.show.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const rows = WHAT.map(([name, text, about]) => {
        const row = switchOf({
            text,
            label: `${text}: ${about}`,
            checked: store.settings.show[name],
            dataset: {show: name},
            onchange: (isOn) => store.change({show: {[name]: isOn}}),
        });
        row.append(h('span', {class: 'quiet'}, about));
        return {name, row};
    });
    const begin = choiceEntry({
        value: store.settings.begin,
        options: [['scene', 'a person at a table'], ['human', 'a person alone']],
        label: 'What the page begins with',
        key: 'begin',
        onset: (value) => store.change({begin: value}),
    });
    element.append(
        h(
            'div',
            {class: 'checks'},
            rows.map(({row}) => row),
        ),
        viewsBlock(store),
        h('div', {class: 'block begin'}, field('The page begins with', begin)),
    );
    store.on('settings', ({show}) => {
        for (const {name, row} of rows) row.input.checked = show[name];
    });
}
