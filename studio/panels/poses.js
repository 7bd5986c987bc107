// The pose library: named poses with a picture, applied whole, by a share, to chosen joints, or mirrored.

import {mount as mountCompare} from './compare_poses.js';
import {button, download, h, replace, switchOf} from '../widgets/dom.js';
import {openMenu} from '../widgets/menu.js';
import {PoseLibrary, blend, libraryKey, overlap, readPoses, writePoses} from '../poses/pose_library.js';
import {allVariables, startOf} from '../document/names.js';
import {HAND_SHAPES, READY_POSES, readyPictures, shapeHand, shapedHands, takeReadyPose} from '../poses/ready_poses.js';
import {selectedVariables, shownPose} from '../timeline/key_actions.js';

const PICTURE = {width: 480, height: 360, plain: true, transparent: true};
const THUMB = 128; // pixels
const FILE_MOST = 20e6; // bytes of a file of poses

/** @param {HTMLElement} element @param {Store} store @param {Client} client */
export function mount(element, store, client) {
    return new PosePanel(element, store, client);
}

/**
 * What of a picture is not transparent, as a square with a little room: {x, y, size}; null where nothing is.
 * @param {ImageData} of
 */
function insideOf({data, width, height}) {
    let left = width, right = -1, top = height, bottom = -1;
    for (let i = 3, x = 0, y = 0; i < data.length; i += 4) {
        if (data[i] > 16) {
            left = Math.min(left, x);
            right = Math.max(right, x);
            top = Math.min(top, y);
            bottom = Math.max(bottom, y);
        }
        if (++x === width) [x, y] = [0, y + 1];
    }
    if (right < 0) return null;
    const size = Math.max(right - left, bottom - top) * 1.08 + 2;
    return {x: (left + right - size) / 2, y: (top + bottom - size) / 2, size};
}

/**
 * The figure as it is seen, cut out, as a small picture: a data URL.
 * @param {View | null} view
 */
async function pictureOf(view) {
    const blob = await view?.picture?.(PICTURE);
    if (!blob) return '';
    const image = await createImageBitmap(blob), canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d', {willReadFrequently: true});
    if (!context) return '';
    context.drawImage(image, 0, 0);
    const inside = insideOf(context.getImageData(0, 0, image.width, image.height));
    if (!inside) return '';
    canvas.width = canvas.height = THUMB;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, inside.x, inside.y, inside.size, inside.size, 0, 0, THUMB, THUMB);
    return canvas.toDataURL('image/png');
}

/**
 * A pose's picture, or the first letters of its name.
 * @param {Pose} of
 */
function pictureIn({picture, name}) {
    return picture ? h('img', {src: picture, alt: '', width: '96', height: '96', draggable: 'false'})
        : h('span', {class: 'poses-blank', 'aria-hidden': 'true'}, name.slice(0, 2));
}

/**
 * A place for a picture, which comes when it is there.
 * @param {string} name
 */
function pictureOfReady(name) {
    const image = h('img', {alt: '', width: '72', height: '72', draggable: 'false'});
    readyPictures().then((pictures) => {
        if (pictures[name]) image.src = pictures[name];
    }, () => {});
    return image;
}

class PosePanel {
    /** @param {HTMLElement} element @param {Store} store @param {Client} client */
    constructor(element, store, client) {
        this.element = element;
        this.store = store;
        this.client = client;
        this.library = /** @type {PoseLibrary} */ (/** @type {unknown} */ (null)); // there once a document is
        /** @type {string | null} */
        this.readyKey = null;
        /** @type {{name: string, run: (() => void) | null} | null} */
        this.putBack = null;
        this.isStale = false;
        /** @type {Promise<void> | null} */
        this.pump = null;
        this.percent = h('span', {});
        this.amount = 1;
        this.onlySelected = false;
        this.moveRoot = true;
        /** @type {AppliedPose | null} */
        this.last = null; // what was applied last: the slider goes on with it
        this.head = h('div', {class: 'poses-head'});
        this.grid = h('ul', {class: 'poses-grid', 'aria-label': 'Poses'});
        this.foot = h('div', {class: 'poses-foot'});
        this.input = h('input', {type: 'file', accept: '.json,application/json', hidden: true,
            onchange: () => this.importFile()});
        this.ready = h('div', {class: 'poses-ready'});
        this.compare = h('div', {class: 'block compare'});
        element.append(this.ready, this.head, this.grid, this.foot, this.input, this.compare);
        mountCompare(this.compare, store);
        store.on('doc', () => this.docChanged());
        store.on('selection', () => this.updateHead());
        if (store.doc) this.docChanged();
    }

    docChanged() {
        const key = libraryKey(this.store.scene);
        if (this.last && this.store.doc !== this.last.doc) this.last = null;
        if (this.library?.key !== key) {
            this.library = new PoseLibrary(key);
            this.putBack = null;
            this.update();
        }
        this.showReady();
        this.updateHead();
    }

    /** Ready-made poses and shapes of hands, for the first person that is posed as one. */
    showReady() {
        const {store} = this, figure = store.scene.figures.findIndex(({body}) => body?.isPosed);
        const key = `${figure} ${store.scene.figures[figure]?.file}`;
        if (key === this.readyKey) return;
        this.readyKey = key;
        /** @param {ReadyPose} pose */
        const card = (pose) => h('li', {class: 'ready-card'},
            h('button', {type: 'button', 'aria-label': pose.name, title: pose.name, dataset: {ready: pose.name},
                onclick: () => takeReadyPose(store, pose, figure)}, pictureOfReady(pose.name),
            h('span', {}, pose.name)));
        /** @param {string} side */
        const hand = (side) => h('div', {class: 'poses-hands', role: 'group', 'aria-label': `The ${side} hand`},
            h('span', {class: 'quiet'}, `${side} hand`),
            HAND_SHAPES.map((shape) => button({text: shape.name, label: `${shape.name}, ${side} hand`,
                class: 'small framed', dataset: {shape: `${side} ${shape.name}`},
                onclick: () => shapeHand(store, side, shape, figure)})));
        replace(this.ready, figure < 0 ? [] : [
            h('h3', {}, 'Ready-made'),
            h('ul', {class: 'ready-grid', 'aria-label': 'Ready-made poses'}, READY_POSES.map(card)),
            shapedHands(store.scene, figure).map(hand),
            h('h3', {}, 'Your own'),
        ]);
    }

    update() {
        const {poses} = this.library;
        replace(this.grid, poses.length ? poses.map((pose) => this.card(pose)) : h('li', {class: 'quiet poses-none'},
            'No poses yet. Pose the figure, then keep the pose here: it stays in this browser.'));
        /** @param {string} text @param {() => unknown} run */
        const tool = (text, run, properties = {}) => button({text, class: 'small framed',
            dataset: {key: `poses ${text}`}, onclick: run, ...properties});
        replace(this.foot, tool('Import', () => this.input.click()),
            tool('Export', () => this.exportFile(), {disabled: !poses.length}),
            this.putBack ? tool(`Put back ${this.putBack.name}`, () => this.restore()) : null,
            this.library.isKept ? null : h('span', {class: 'quiet'}, 'This browser keeps them for this visit only.'));
        this.updateHead();
    }

    updateHead() {
        if (!this.store.scene) return;
        const count = selectedVariables(this.store.scene, this.store.selection).length;
        const share = Math.round(this.amount * 100);
        const slider = h('input', {type: 'range', min: '0', max: '100', step: '1', value: String(share),
            'aria-label': 'How much of the pose', 'aria-valuetext': `${share} per cent`, dataset: {key: 'poses amount'},
            oninput: (event) => this.slide(Number(event.target.value) / 100), onchange: () => this.settle()});
        this.percent = h('span', {class: 'unit poses-percent'}, `${share} %`);
        replace(this.head,
            button({text: 'Keep this pose', class: 'strong', dataset: {key: 'poses keep', poses: 'keep'},
                onclick: () => this.keep()}),
            h('label', {class: 'field poses-blend'}, h('span', {}, 'Blend'), slider, this.percent),
            h('p', {class: 'quiet poses-last'}, this.last ? `Slide to take less or more of ${this.last.pose.name}.`
                : 'How much of a pose is applied.'),
            switchOf({text: count ? `Only the picked joint (${count})` : 'Only the picked joint',
                label: 'Only the picked joint is posed', checked: this.onlySelected, dataset: {key: 'poses selected'},
                onchange: (isOn) => { this.onlySelected = isOn; }}),
            switchOf({text: 'Move the root too', label: 'Move the root too: where the figure stands, not only how',
                checked: this.moveRoot, dataset: {key: 'poses root'}, onchange: (isOn) => { this.moveRoot = isOn; }}));
    }

    /** @param {Pose} pose */
    card(pose) {
        return h('li', {class: 'poses-card', dataset: {pose: String(pose.id)}},
            h('button', {type: 'button', class: 'poses-apply', 'aria-label': `Apply ${pose.name}`,
                title: `Apply ${pose.name}`, dataset: {key: `pose ${pose.id}`}, onclick: () => this.apply(pose)},
            pictureIn(pose)),
            h('span', {class: 'poses-name', title: pose.name, ondblclick: () => this.rename(pose)}, pose.name),
            button({icon: 'more', label: `More of ${pose.name}`, class: 'poses-more', 'aria-haspopup': 'menu',
                dataset: {key: `pose more ${pose.id}`}, onclick: (event) => this.openMenu(pose, event.currentTarget)}));
    }

    /** @param {Pose} pose @param {MenuPlace} at */
    openMenu(pose, at) {
        openMenu([
            {text: 'Apply', run: () => this.apply(pose)},
            {text: 'Apply mirrored', icon: 'mirror', run: () => this.apply(pose, {isMirrored: true})},
            {text: 'Prefer it', about: 'the pose that solves are drawn to, gently', run: () => this.prefer(pose)},
            {rule: true},
            {text: 'Rename', run: () => this.rename(pose)},
            {text: 'Take the present pose instead', run: () => this.replacePose(pose)},
            {text: 'Delete', icon: 'trash', run: () => this.remove(pose)},
        ], at, pose.name);
    }

    // --- keeping ----------------------------------------------------------------------------------------------------

    async keep() {
        const values = /** @type {any} */ (shownPose(this.store)); // any: by name, where add() says numbers in a row
        const pose = this.library.add({name: '', values});
        this.update();
        this.rename(pose);
        await this.takePicture(pose);
    }

    /**
     * The picture comes when it is there; the name may be under way meanwhile.
     * @param {Pose} pose
     */
    async takePicture(pose) {
        pose.picture = await this.picture();
        this.library.keep();
        this.grid.querySelector(`[data-pose="${pose.id}"] .poses-apply`)?.replaceChildren(pictureIn(pose));
    }

    async picture() {
        try {
            return await pictureOf(this.store.view);
        } catch {
            return '';
        }
    }

    /** @param {Pose} pose */
    async replacePose(pose) {
        pose.values = shownPose(this.store);
        await this.takePicture(pose);
    }

    /**
     * The name becomes an entry until it is left.
     * @param {Pose} pose
     */
    rename(pose) {
        const name = this.grid.querySelector(`[data-pose="${pose.id}"] .poses-name`);
        if (!name) return;
        let isDone = false;
        /** @param {boolean} isTaken */
        const finish = (isTaken) => {
            if (isDone) return;
            isDone = true;
            if (isTaken) this.library.rename(pose.id, input.value);
            this.update();
        };
        const input = h('input', {type: 'text', class: 'entry', value: pose.name, 'aria-label': 'Name of the pose',
            maxlength: '80', onblur: () => finish(true),
            onkeydown: (event) => {
                event.stopPropagation();
                if (event.key === 'Enter') finish(true);
                if (event.key === 'Escape') finish(false);
            }});
        name.replaceChildren(input);
        input.focus();
        input.select();
    }

    /** @param {Pose} pose */
    remove(pose) {
        this.putBack = {name: pose.name, run: this.library.remove(pose.id)};
        this.update();
    }

    restore() {
        this.putBack?.run?.();
        this.putBack = null;
        this.update();
    }

    exportFile() {
        const name = this.store.scene.figures.map((figure) => figure.name).join('-');
        const text = writePoses(/** @type {any} */ (name), this.library.poses); // any: it says that names are numbers
        download(`${name}-poses.json`, new Blob([text], {type: 'application/json'}));
    }

    async importFile() {
        const [file] = this.input.files ?? [];
        this.input.value = '';
        if (!file) return;
        try {
            if (file.size > FILE_MOST) throw new Error('This file is too large for a file of poses.');
            /** @type {any[]} any: poses by name, as keep() has them */
            const poses = readPoses(await file.text());
            for (const pose of poses) this.library.add(pose);
            this.update();
        } catch (error) {
            this.store.message('error', /** @type {Error} */ (error).message, {file: file.name});
        }
    }

    // --- applying ---------------------------------------------------------------------------------------------------

    /** Which variables a pose is applied to, as the switches say. */
    wanted() {
        const {scene, selection} = this.store;
        const picked = this.onlySelected ? new Set(selectedVariables(scene, selection)) : null;
        const roots = new Set(allVariables(scene).filter(({variable}) => variable.isRoot).map(({name}) => name));
        return (/** @type {string} */ name) => (!picked || picked.has(name)) && (this.moveRoot || !roots.has(name));
    }

    /** @param {Pose} pose */
    async apply(pose, {isMirrored = false} = {}) {
        const {doc} = this.store;
        if (!overlap(pose.values, doc.start)) {
            return this.store.message('warning', `${pose.name} is of another figure.`);
        }
        if (this.onlySelected && !selectedVariables(this.store.scene, this.store.selection).length) {
            return this.store.message('warning', 'Pick a part first: only its joint is to be posed.');
        }
        const from = shownPose(this.store), label = `Pose ${pose.name}${isMirrored ? ', mirrored' : ''}`;
        const values = isMirrored ? await this.mirrored({...from, ...pose.values}) : pose.values;
        this.last = {pose, from, values, wanted: this.wanted(), label};
        return this.settle();
    }

    /** @param {Record<string, number>} values */
    async mirrored(values) {
        const {scene} = this.store, names = allVariables(scene);
        const pose = Float64Array.from(names, ({name}) => values[name]);
        const answer = await this.client.call('mirror', {values: pose});
        return startOf(scene, answer.values ?? answer);
    }

    /** @param {AppliedPose} of */
    blended({from, values, wanted}) {
        return blend(from, values, this.amount, wanted);
    }

    /**
     * The slider moves: the pose follows at once; the document when it is let go.
     * @param {number} amount
     */
    slide(amount) {
        this.amount = amount;
        this.percent.textContent = `${Math.round(amount * 100)} %`;
        if (!this.last) return;
        this.isStale = true;
        this.pump ??= this.preview().finally(() => { this.pump = null; });
    }

    async preview() {
        while (this.isStale && this.last) {
            this.isStale = false;
            const pose = this.blended(this.last);
            const values = Float64Array.from(allVariables(this.store.scene), ({name}) => pose[name]);
            this.store.setFrame(await this.client.call('pose', {values}));
        }
    }

    /** The blended pose becomes the document's; sliding on changes the same step of the history. */
    async settle() {
        if (!this.last) return false;
        await this.pump;
        const {last} = this, start = this.blended(last);
        last.merge ??= `pose ${++this.library.count}`;
        /** @param {Doc} draft */
        const pose = (draft) => { draft.start = {...draft.start, ...start}; };
        const isDone = await this.store.edit(last.label, pose, {merge: last.merge});
        last.doc = this.store.doc;
        this.last = isDone ? last : null;
        this.updateHead();
        return isDone;
    }

    /** @param {Pose} pose */
    prefer(pose) {
        return this.store.edit(`Prefer ${pose.name}`, (draft) => {
            const posture = draft.wishes?.posture, weight = typeof posture === 'object' ? posture.weight : posture;
            const known = Object.entries(pose.values).filter(([name]) => name in draft.start);
            draft.wishes = {...draft.wishes, posture: {weight: weight || 0.001, pose: Object.fromEntries(known)}};
        });
    }
}
