// The file menu: what comes with the page, opening, saving, exporting; and dropping files anywhere.

import {
    EXPORTS,
    OPENS,
    PROPS,
    addModel,
    addProp,
    exportAs,
    indexOf,
    openFiles,
    openModel,
    openShipped,
    savePicture,
    saveProblem,
} from '../files/files.js';
import {chosenFiles, filesOfEntries} from '../files/folder.js';
import {h} from '../widgets/dom.js';
import {openMenu} from '../widgets/menu.js';

/**
 * The items of the file menu.
 * @param {Store} store @param {Shell} shell
 */
export function fileMenu(store, shell) {
    const anchor = /** @type {HTMLElement} */ (store.home.root.querySelector('#bar [data-command="open"]'));
    /** @param {() => MenuItem[] | Promise<MenuItem[]>} items @param {string} label */
    const sub = (items, label) => async () => openMenu(await items(), anchor, label);
    return [
        {
            text: 'Open file …',
            about: 'figure, problem, script or motion; or drop it on the page',
            icon: 'open',
            key: 'Ctrl+O',
            run: () => chooseFiles(store),
        },
        {
            text: 'Open folder …',
            about: 'a robot with its meshes; or drop it on the page',
            icon: 'open',
            run: () => store.home.$('folder-input').click(),
        },
        {
            text: 'Models …',
            about: 'the human, robots, chains',
            icon: 'human',
            run: sub(() => modelMenu(store, openModel), 'Models'),
        },
        {
            text: 'Problems …',
            about: 'reaches, two people, a platform',
            icon: 'goal',
            run: sub(() => problemMenu(store), 'Problems'),
        },
        {
            text: 'Motions …',
            about: 'scripts and problems that change over time',
            icon: 'timeline',
            run: sub(() => motionMenu(store), 'Motions'),
        },
        {
            text: 'Add a model …',
            about: 'beside what is there',
            icon: 'plus',
            run: sub(() => modelMenu(store, addModel), 'Add a model'),
        },
        {
            text: 'Add a thing …',
            about: 'a box, a chair, a table, a tool',
            icon: 'plus',
            run: sub(() => propMenu(store), 'Add a thing'),
        },
        {rule: true},
        {
            text: 'Save problem',
            about: 'everything, as a problem file',
            icon: 'save',
            key: 'Ctrl+S',
            run: () => saveProblem(store),
        },
        {text: 'Copy link …', about: 'an address that holds the whole problem', icon: 'link', run: shell.link},
        {rule: true},
        {heading: 'Export'},
        ...EXPORTS.map(({format, title, about}) => ({
            text: title,
            about,
            icon: 'down',
            command: `export-${format}`,
            run: () => exportAs(store, format),
        })),
        {
            text: 'PNG',
            about: 'a picture of the view',
            icon: 'camera',
            command: 'export-png',
            run: () => savePicture(store, /** @type {View} */ (shell.view)), // that says so where there is none
        },
        {
            text: 'PNG with words …',
            about: 'names of parts and goals, sizes',
            icon: 'camera',
            command: 'export-png-words',
            run: async () => (await import('./picture_dialog.js')).openPicture(store),
        },
    ];
}

/**
 * @template T what index.json of the folder lists
 * @param {Store} store @param {string} folder @param {(list: T[]) => MenuItem[]} items
 */
async function indexed(store, folder, items) {
    try {
        return items(await indexOf(folder));
    } catch (error) {
        store.fail(error);
        return [{text: 'They could not be loaded', disabled: true, run: () => {}}];
    }
}

/** Under which heading a model stands. @type {[string, RegExp][]} */
const MODEL_GROUPS = [
    ['People', /human/],
    ['Chains, loops, things', /chain|tree|kb82|stewart|table/],
    ['Robots', /./],
];

/** @param {Store} store @param {(store: Store, name: string) => unknown} take */
function modelMenu(store, take) {
    return indexed(store, 'models', (/** @type {ShippedModel[]} */ models) => {
        /** @param {{name: string}} of */
        const groupOf = ({name}) => MODEL_GROUPS.find(([, pattern]) => pattern.test(name))?.[0];
        return ['People', 'Robots', 'Chains, loops, things'].flatMap((group) => [
            {heading: group},
            ...models
                .filter((model) => groupOf(model) === group)
                .map(({name, about, variables}) => ({
                    text: name,
                    about: `${about.split(';')[0]}; ${variables} variables`,
                    icon: group === 'People' ? 'human' : 'robot',
                    command: `model-${name}`,
                    run: () => take(store, name),
                })),
        ]);
    });
}

/** @param {Store} store */
function propMenu(store) {
    return PROPS.map(([name, about]) => ({
        text: name,
        about,
        icon: 'box',
        command: `prop-${name}`,
        run: () => addProp(store, name),
    }));
}

/** @param {Store} store */
function problemMenu(store) {
    return indexed(store, 'problems', (/** @type {ShippedProblem[]} */ problems) =>
        problems.map((problem) => ({
            text: problem.title,
            about: problem.about,
            icon: 'goal',
            command: `problem-${problem.file}`,
            run: () => openShipped(store, 'problems', problem),
        })),
    );
}

/** @param {Store} store */
function motionMenu(store) {
    return indexed(store, 'examples', (/** @type {ShippedProblem[]} */ motions) =>
        motions.map((motion) => ({
            text: motion.title,
            about: motion.file,
            icon: 'play',
            command: `motion-${motion.file}`,
            run: () => openShipped(store, 'examples', motion),
        })),
    );
}

/**
 * Opens the browser's chooser.
 * @param {Store} of
 */
export function chooseFiles({home}) {
    home.$('file-input').click();
}

/**
 * Folders have to be asked for at once: after the event there is nothing left of them.
 * @param {Store} store @param {DataTransfer} transfer
 */
async function openDropped(store, transfer) {
    const entries = [...(transfer.items ?? [])]
        .map((item) => item.webkitGetAsEntry?.())
        .filter((entry) => entry !== null && entry !== undefined);
    const files = [...transfer.files];
    if (!entries.some((entry) => entry.isDirectory)) return openFiles(store, files);
    return openFiles(store, await filesOfEntries(entries));
}

/**
 * The hidden input that the chooser needs, and the overlay while files are dragged over the page.
 * @param {HTMLElement} overlay @param {Store} store
 */
export function mountDrop(overlay, store) {
    const input = h('input', {
        type: 'file',
        id: 'file-input',
        multiple: true,
        hidden: true,
        accept: OPENS.join(','),
        'aria-label': 'Open files',
        onchange: () => {
            openFiles(store, input.files ?? []);
            input.value = '';
        },
    });
    const folder = h('input', {
        type: 'file',
        id: 'folder-input',
        webkitdirectory: true,
        hidden: true,
        'aria-label': 'Open a folder',
        onchange: () => {
            const chosen = [...(folder.files ?? [])];
            folder.value = '';
            openFiles(store, chosenFiles(chosen));
        },
    });
    const {home} = store;
    home.frame.append(input, folder);
    overlay.append(
        h('strong', {}, 'Drop to open'),
        h('p', {class: 'quiet'}, 'Figures: .fig, URDF, MJCF, BVH, GLB, VRM; folders of robots, with their meshes'),
        h('p', {class: 'quiet'}, 'Problems and scripts: .json, .scefo, together with the figures that they name'),
    );
    let depth = 0;
    /** @param {DragEvent} event */
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
    /** @param {DragEvent} event @param {number} by */
    const show = (event, by) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = Math.max(0, depth + by);
        overlay.hidden = depth === 0;
    };
    home.listen(home.reach, 'dragenter', (event) => show(event, 1));
    home.listen(home.reach, 'dragleave', (event) => show(event, -1));
    home.listen(home.reach, 'dragover', (event) => show(event, 0));
    home.listen(home.reach, 'drop', (event) => {
        show(event, -depth);
        if (hasFiles(event)) openDropped(store, event.dataTransfer);
    });
}
