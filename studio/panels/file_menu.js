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
} from '../files.js';
import {h} from './dom.js';
import {openMenu} from './menu.js';

/** The items of the file menu. */
export function fileMenu(store, shell) {
    const anchor = document.querySelector('#bar [data-command="open"]');
    const sub = (items, label) => async () => openMenu(await items(), anchor, label);
    return [
        {
            text: 'Open file …',
            about: 'figure, problem, script or motion; or drop it on the page',
            icon: 'open',
            key: 'Ctrl+O',
            run: chooseFiles,
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
            run: () => savePicture(store, shell.view),
        },
    ];
}

async function indexed(store, folder, items) {
    try {
        return items(await indexOf(folder));
    } catch (error) {
        store.fail(error);
        return [{text: 'They could not be loaded', disabled: true, run: () => {}}];
    }
}

/** Under which heading a model stands. */
const MODEL_GROUPS = [
    ['People', /human/],
    ['Chains, loops, things', /chain|tree|kb82|stewart|table/],
    ['Robots', /./],
];

function modelMenu(store, take) {
    return indexed(store, 'models', (models) => {
        const groupOf = ({name}) => MODEL_GROUPS.find(([, pattern]) => pattern.test(name))[0];
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

function propMenu(store) {
    return PROPS.map(([name, about]) => ({
        text: name,
        about,
        icon: 'box',
        command: `prop-${name}`,
        run: () => addProp(store, name),
    }));
}

function problemMenu(store) {
    return indexed(store, 'problems', (problems) =>
        problems.map((problem) => ({
            text: problem.title,
            about: problem.about,
            icon: 'goal',
            command: `problem-${problem.file}`,
            run: () => openShipped(store, 'problems', problem),
        })),
    );
}

function motionMenu(store) {
    return indexed(store, 'examples', (motions) =>
        motions.map((motion) => ({
            text: motion.title,
            about: motion.file,
            icon: 'play',
            command: `motion-${motion.file}`,
            run: () => openShipped(store, 'examples', motion),
        })),
    );
}

/** Opens the browser's chooser. */
export function chooseFiles() {
    document.getElementById('file-input').click();
}

/** The hidden input that the chooser needs, and the overlay while files are dragged over the page. */
export function mountDrop(overlay, store) {
    const input = h('input', {
        type: 'file',
        id: 'file-input',
        multiple: true,
        hidden: true,
        accept: OPENS.join(','),
        'aria-label': 'Open files',
        onchange: () => {
            openFiles(store, input.files);
            input.value = '';
        },
    });
    document.body.append(input);
    overlay.append(
        h('strong', {}, 'Drop to open'),
        h('p', {class: 'quiet'}, 'Figures: .fig, URDF, MJCF, BVH, GLB, VRM'),
        h('p', {class: 'quiet'}, 'Problems and scripts: .json, .scefo, together with the figures that they name'),
    );
    let depth = 0;
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
    const show = (event, by) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth = Math.max(0, depth + by);
        overlay.hidden = depth === 0;
    };
    document.addEventListener('dragenter', (event) => show(event, 1));
    document.addEventListener('dragleave', (event) => show(event, -1));
    document.addEventListener('dragover', (event) => show(event, 0));
    document.addEventListener('drop', (event) => {
        show(event, -depth);
        if (hasFiles(event)) openFiles(store, event.dataTransfer.files);
    });
}
