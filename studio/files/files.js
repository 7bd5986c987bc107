// Files in and out: what comes with the page, what is opened or dropped, what is saved and exported.

import {markMeshes, readAll} from './folder.js';
import {leftText, makeLink} from './link.js';
import {download} from '../widgets/dom.js';
import {addressOf, fetchShipped} from './shipped.js';

export const OPENS = ['.fig', '.urdf', '.xml', '.mjcf', '.bvh', '.glb', '.gltf', '.vrm', '.json', '.scefo', '.stl',
    '.obj', '.dae', '.bin'];
export const EXPORTS = [
    {format: 'glb', title: 'GLB', about: 'the figure as it is posed, for engines and viewers'},
    {format: 'bvh', title: 'BVH', about: 'skeleton and motion'},
    {format: 'urdf', title: 'URDF', about: 'for robot software'},
    {format: 'fig', title: 'Figure', about: "Limber's own format"},
    {format: 'result', title: 'Result', about: 'what the last solve found, as JSON'},
];
/** @type {Record<string, string>} */
const TYPES = {glb: 'model/gltf-binary', problem: 'application/json', result: 'application/json'};

/** @param {string} url */
async function fetchBytes(url) {
    const bytes = await fetchShipped(url);
    if (!bytes) throw new Error(`${url} could not be loaded`);
    return bytes;
}

const indexes = new Map();

/**
 * The index of models, problems or examples that come with the page.
 * @param {string} folder
 */
export async function indexOf(folder) {
    if (!indexes.has(folder)) {
        const answer = fetchBytes(`${folder}/index.json`).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
        indexes.set(folder, answer);
        answer.catch(() => indexes.delete(folder));
    }
    return indexes.get(folder);
}

/**
 * Opens a model that comes with Limber.
 * @param {Store} store @param {string} name
 */
export async function openModel(store, name) {
    if (name === 'human') return openStart(store);
    try {
        const file = {name: `${name}.fig`, bytes: await fetchBytes(`models/${name}.fig`)};
        return await store.open([file], {label: `Open ${name}`, model: name});
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/**
 * Puts another model into the scene, beside those that are there.
 * @param {Store} store @param {string} name
 */
export function addModel(store, name) {
    const taken = new Set(store.doc.figures.map((figure) => figure.name));
    let own = name;
    for (let i = 2; taken.has(own); i++) own = `${name}${i}`;
    return store.edit(`Add ${name}`, (draft) => {
        draft.figures.push({file: name, name: own, at: [0, -0.9 * draft.figures.length, 0]});
    });
}

/** The human alone, standing. */
async function humanFiles() {
    return [{name: 'start.json', bytes: await fetchBytes('start.json')}];
}

/** What the page begins with: a person at a table, with things to take hold of; or, where that was asked for, alone. */
export async function startFiles(begin = 'scene') {
    if (begin !== 'scene') return humanFiles();
    const texts = JSON.parse(new TextDecoder().decode(await fetchBytes('scene.json')));
    return Object.entries(texts).map(([name, text]) => ({name, bytes: new TextEncoder().encode(text)}));
}

/** Things that can be put beside figures: bodies avoid what has boxes and capsules, hands hold any. */
export const PROPS = [
    ['box', 'a parcel of 30 cm'],
    ['mug', 'to drink from'],
    ['hammer', 'a tool'],
    ['chair', 'a seat 45 cm high'],
    ['stool', 'a seat 45 cm high'],
    ['table', '160 x 65 cm, 74 cm high'],
    ['shelf', 'boards at 40, 80, 120 and 160 cm'],
    ['crate', '116 cm high'],
];

/**
 * Puts a thing into the scene, in front of the first figure. It stays where it is put, until it is pulled or held.
 * @param {Store} store @param {string} name
 */
export async function addProp(store, name) {
    try {
        const file = `${name}.fig`;
        const bytes = await fetchBytes(`problems/props/${file}`);
        const taken = new Set(store.doc.figures.map((figure) => figure.name));
        let own = name;
        for (let i = 2; taken.has(own); i++) own = `${name}${i}`;
        const side = 0.35 * store.doc.figures.filter((figure) => figure.file === file).length;
        const isDone = await store.edit(`Add ${name}`, (draft) => {
            draft.figures.push({file, name: own, at: [0.75, side, PUT[name] ?? 0], free: true});
            draft.inactive = [...(draft.inactive ?? []), `${own}:root.*`];
        }, {files: [{name: file, bytes}]});
        if (isDone) store.files.set(file, bytes);
        return isDone;
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/** @type {Record<string, number>} */
const PUT = {box: 0.1, mug: 0.9, hammer: 0.9, stool: 0, crate: 0.58}; // m above the floor, of roots that are not on it

/** @param {Store} store */
export async function openStart(store) {
    try {
        return await store.open(await humanFiles(), {label: 'Open human'});
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/**
 * Opens a problem or motion that comes with Limber, with the props it names.
 * @param {Store} store @param {string} folder @param {{file: string, files?: string[], title: string}} of
 */
export async function openShipped(store, folder, {file, files = [], title}) {
    try {
        const names = [file, ...files];
        const all = await Promise.all(
            names.map(async (name) => ({name, bytes: await fetchBytes(`${folder}/${name}`)})),
        );
        return await store.open(all, {label: `Open ${title}`, title});
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/**
 * @param {ArrayLike<File> | {file: File, path: string}[]} list
 * @returns {{file: File, path: string}[]}
 */
function foundOf(list) {
    return Array.from(/** @type {ArrayLike<any>} */ (list),
        (one) => (one instanceof File ? {file: one, path: one.name} : one));
}

/**
 * Opens files that the user gave: files or, of folders, files with their paths. Meshes alone are for the robots that
 * are there.
 * @param {Store} store @param {ArrayLike<File> | {file: File, path: string}[]} list
 */
export async function openFiles(store, list) {
    try {
        const files = markMeshes(await readAll(foundOf(list)));
        const isForRobot = files.length && files.every((file) => file.isMesh) &&
            store.doc?.figures.some(({file}) => /\.(urdf|xml|mjcf)$/i.test(file));
        if (isForRobot) return store.addMeshes(files);
        return files.length ? await store.open(ordered(files)) : false;
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/**
 * What is opened stands first: a problem or script before the figures that it names.
 * @param {OpenFile[]} files
 */
function ordered(files) {
    /** @param {{name: string, isMesh?: boolean}} of */
    const rank = ({name, isMesh}) => (isMesh ? 2 : /\.(json|scefo)$/i.test(name) ? 0 : 1);
    return [...files].sort((a, b) => rank(a) - rank(b));
}

/**
 * What the page was given by who serves it: files to open, and where to send the problem back to; nothing elsewhere.
 */
export async function given() {
    try {
        const {files, back = null} = JSON.parse(new TextDecoder().decode(await fetchBytes('given.json')));
        /** @param {{url: string, name: string}} of */
        const read = async ({name, url}) => ({name, bytes: await fetchBytes(url)});
        const all = await Promise.all(files.map(read));
        const isRobot = all.some(({name}) => /\.(urdf|xml|mjcf)$/i.test(name));
        return {files: isRobot ? markMeshes(all) : all, back};
    } catch {
        return {files: [], back: null};
    }
}

// --- out -------------------------------------------------------------------------------------------------------------

/**
 * A file's name from the document's title.
 * @param {Store} store
 */
export function baseName(store) {
    const word = (store.doc.title || store.scene.figures[0]?.name || 'pose').trim();
    return (
        word
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, '-')
            .replace(/^-|-$/g, '')
            .slice(0, 60) || 'pose'
    );
}

/**
 * Writes the scene in a format and hands it to the browser's downloads.
 * @param {Store} store @param {string} format
 */
export async function exportAs(store, format) {
    const done = store.busy(`Writing ${format} …`);
    try {
        const {name, bytes, warnings = []} = await store.client.call('export', {format, name: baseName(store)});
        download(
            name ?? `${baseName(store)}.${format}`,
            new Blob([/** @type {BlobPart} */ (bytes)], {type: TYPES[format] ?? 'application/octet-stream'}),
        );
        if (warnings.length)
            store.message(
                'warning',
                `${warnings.length} ${warnings.length === 1 ? 'remark' : 'remarks'} on what was written`,
                {list: warnings},
            );
        return true;
    } catch (error) {
        store.fail(error);
        return false;
    } finally {
        done();
    }
}

/**
 * Saves the document as a problem file.
 * @param {Store} store
 */
export function saveProblem(store) {
    download(`${baseName(store)}.json`, new Blob([`${JSON.stringify(store.doc, null, 2)}\n`], {type: TYPES.problem}));
    store.saved = store.doc;
    const own = store.doc.figures.map((figure) => figure.file).filter((name) => store.files.has(name));
    if (own.length) store.message('info', `The problem names ${own.join(', ')}: keep it beside the problem file.`);
}

/**
 * Saves what the view shows as a PNG.
 * @param {Store} store @param {View} view
 */
export async function savePicture(store, view) {
    try {
        const blob = await view.picture({width: 1920, height: 1080});
        download(`${baseName(store)}.png`, blob);
        return true;
    } catch (error) {
        store.fail(error);
        return false;
    }
}

/**
 * The address that holds the whole problem, and what to say of it.
 * @param {Store} store
 */
export async function linkOf(store) {
    const used = new Map(
        store.doc.figures
            .map((figure) => figure.file)
            .flatMap((name) => {
                const bytes = store.files.get(name);
                return bytes ? [/** @type {const} */ ([name, bytes])] : [];
            }),
    );
    const {fragment, left, isLong} = await makeLink({doc: store.doc, files: used});
    const {origin, pathname} = store.home?.isPage === false ? addressOf('.') : globalThis.location;
    return {
        address: `${origin === 'null' ? '' : origin}${pathname}${fragment}`,
        fragment,
        isLong,
        remark: leftText(left),
    };
}
