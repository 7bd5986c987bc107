// The picture to be saved: its size, what is behind the figures, and which words are written into it.

import {baseName} from '../files/files.js';
import {WORDS, takeLabelledPicture} from '../view/labelled_picture.js';
import {button, download, field, h, switchOf} from '../widgets/dom.js';
import {choiceEntry} from '../widgets/entry.js';
import {openDialog} from './dialogs.js';

const SIZES = [['1280x720', '1280 x 720'], ['1920x1080', '1920 x 1080'], ['1080x1080', '1080 x 1080'], ['3840x2160',
    '3840 x 2160']];
const ABOUT = {parts: ['Parts', 'names of segments'], goals: ['Goals', 'names, and how far unmet ones are off'],
    sizes: ['Sizes', 'height and width of each figure']};

const chosen = {size: '1920x1080', transparent: false, words: new Set(WORDS)};

/**
 * Asks for it, and hands it to the browser's downloads.
 * @param {Store} store
 */
export function openPicture(store) {
    const {view} = store;
    if (!view) return;
    const rows = WORDS.map((name) => {
        const row = switchOf({text: ABOUT[name][0], label: `${ABOUT[name][0]}: ${ABOUT[name][1]}`,
            checked: chosen.words.has(name),
            dataset: {key: `picture ${name}`}, onchange: (isOn) => (isOn ? chosen.words.add(name)
                : chosen.words.delete(name))});
        row.append(h('span', {class: 'quiet'}, ABOUT[name][1]));
        return row;
    });
    const said = h('span', {class: 'quiet', role: 'status'});
    const save = button({text: 'Save', class: 'strong', dataset: {command: 'picture-save'}, onclick: async () => {
        const [width, height] = chosen.size.split('x').map(Number);
        try {
            download(`${baseName(store)}.png`, await takeLabelledPicture(view,
                {width, height, transparent: chosen.transparent, words: [...chosen.words]}));
            said.textContent = 'Saved';
        } catch (error) {
            said.textContent = /** @type {Error} */ (error).message;
        }
    }});
    openDialog(store.home, 'Picture', {
        kind: 'narrow',
        footer: [said, save],
        body: h('div', {class: 'stack'}, field('Size in pixels', choiceEntry({value: chosen.size, options: SIZES,
            label: 'Size in pixels',
            key: 'picture size', onset: (value) => { chosen.size = value; }})),
        switchOf({text: 'Nothing behind the figures', checked: chosen.transparent,
            onchange: (isOn) => { chosen.transparent = isOn; }}),
        h('h3', {}, 'Words'), h('div', {class: 'checks'}, rows)),
    });
    save.focus();
}
