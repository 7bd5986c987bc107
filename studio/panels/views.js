// Views: the usual directions, and views that are kept in this browser to come back to.

import {recall, remember} from '../store/storage.js';
import {button, h, replace} from '../widgets/dom.js';

const USUAL = [['front', 'Front'], ['left', 'Left'], ['back', 'Back'], ['top', 'Top']];
const MOST = 12; // views that are kept

/** @typedef {{name: string, camera: View['camera']}} KeptView */

/**
 * The block in the show panel.
 * @param {Store} store
 */
export function viewsBlock(store) {
    /** @type {(Partial<KeptView> | null)[]} */
    const found = recall('views', []);
    const kept = /** @type {KeptView[]} */ (found.filter((one) => one?.camera && typeof one.name === 'string'));
    const list = h('ul', {class: 'views', 'aria-label': 'Kept views'});
    const keep = button({
        icon: 'camera',
        text: 'Keep this view',
        class: 'small framed',
        dataset: {command: 'keep-view'},
        onclick: () => {
            if (!store.view) return;
            const numbers = kept.map(({name}) => Number(name.replace(/\D/g, '')) || 0);
            kept.push({name: `View ${Math.max(0, ...numbers) + 1}`, camera: store.view.camera});
            if (kept.length > MOST) kept.shift();
            show();
        },
    });
    const show = () => {
        remember('views', kept);
        replace(list, kept.map((one) => h('li', {}, goTo(store, one), removal(one))));
    };
    /** @param {KeptView} one */
    const removal = (one) => button({
        icon: 'trash',
        label: `Forget ${one.name}`,
        class: 'small bare',
        onclick: () => {
            kept.splice(kept.indexOf(one), 1);
            show();
        },
    });
    replace(list, kept.map((one) => h('li', {}, goTo(store, one), removal(one))));
    const usual = USUAL.map(([name, text]) => button({
        text,
        label: `Look from: ${text.toLowerCase()}`,
        class: 'small framed',
        dataset: {view: name},
        onclick: () => store.view?.look(name),
    }));
    return h('div', {class: 'block views-block'}, h('h3', {}, 'Views'), h('div', {class: 'views-row'}, usual,
        keep), list);
}

/** @param {Store} store @param {KeptView} of */
function goTo(store, {name, camera}) {
    return button({text: name, class: 'small framed', dataset: {kept: name}, onclick: () => {
        if (store.view) store.view.camera = camera;
    }});
}
