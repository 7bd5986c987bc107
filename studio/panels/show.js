// The show panel: what the view draws.

import {h, switchOf} from './dom.js';

const WHAT = [
    ['shapes', 'Bodies', 'the shapes of the segments'],
    ['skin', 'Skin', 'the mesh of a GLB or VRM character'],
    ['joints', 'Joints', 'where segments meet'],
    ['sites', 'Sites', 'named places on segments'],
    ['labels', 'Names', 'of parts and goals'],
    ['limits', 'Limits', 'arcs, cones and polygons at the picked joint'],
    ['allLimits', 'All limits', 'those of every joint'],
    ['goals', 'Goals', 'and the lines to them'],
    ['com', 'Balance', 'centre of mass and support'],
    ['vision', 'Vision', 'what the eyes look at'],
    ['reach', 'Reach', 'the cloud, once computed'],
    ['ghosts', 'Ghosts', 'poses before and after'],
    ['ground', 'Ground', 'the grid'],
];

/** Switches for settings.show. */
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
    element.append(
        h(
            'div',
            {class: 'checks'},
            rows.map(({row}) => row),
        ),
    );
    store.on('settings', ({show}) => {
        for (const {name, row} of rows) row.input.checked = show[name];
    });
}
