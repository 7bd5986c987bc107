// Folders that are dropped or chosen: their files with their paths; which of them are meshes of a robot.

const READ = /\.(fig|urdf|xml|mjcf|bvh|glb|gltf|bin|vrm|vrma|json|scefo|stl|obj|dae)$/i;
const MESH = /\.(stl|obj|dae)$/i;
const SCENE = /\.(glb|gltf|bin)$/i;
const MOST_FILES = 5000;
const MOST_BYTES = 1 << 30;

/** @typedef {{file: File, path: string}} FoundFile */

/** @param {FileSystemDirectoryReader} reader @returns {Promise<FileSystemEntry[]>} */
const readEntries = (reader) => new Promise((done, fail) => reader.readEntries(done, fail));
/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
const readEntry = (entry) => new Promise((done, fail) => entry.file(done, fail));

/**
 * The files of an entry and, where it is a folder, of all that is in it.
 * @param {FileSystemEntry} entry @param {string} path @param {FoundFile[]} found
 */
async function filesIn(entry, path, found) {
    if (found.length > MOST_FILES) return;
    if (entry.isFile) {
        if (!path || READ.test(entry.name)) found.push({file: await readEntry(
            /** @type {FileSystemFileEntry} */ (entry)), path: path + entry.name});
        return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (let some = await readEntries(reader); some.length; some = await readEntries(reader)) {
        for (const child of some) if (!child.name.startsWith('.')) await filesIn(child, `${path}${entry.name}/`, found);
    }
}

/**
 * What was dropped, folders with what is in them.
 * @param {FileSystemEntry[]} entries
 * @returns {Promise<FoundFile[]>}
 */
export async function filesOfEntries(entries) {
    /** @type {FoundFile[]} */
    const found = [];
    for (const entry of entries) await filesIn(entry, '', found);
    return found;
}

/**
 * What was chosen: of a folder, the files that Limber reads.
 * @param {File[]} list
 */
export function chosenFiles(list) {
    return [...list].map((file) => ({file, path: file.webkitRelativePath || file.name}))
        .filter(({file, path}) => !path.includes('/') || (READ.test(file.name) && !/(^|\/)\./.test(path)));
}

/**
 * Whether a file is a robot, which may name meshes.
 * @param {{name: string, bytes: Uint8Array}} file
 */
function isRobot({name, bytes}) {
    return /\.(urdf|xml|mjcf)$/i.test(name)
        && /<(robot|mujoco)[\s>]/.test(new TextDecoder().decode(bytes.subarray(0, 65536)));
}

/**
 * The same files with those marked that are only to be looked at: they are not sent to the solver. Meshes keep their
 * paths, by which robots name them; others are known by their names.
 * @param {{name: string, path?: string, bytes: Uint8Array}[]} files
 */
export function markMeshes(files) {
    const hasRobot = files.some(isRobot);
    return files.map(({name, path = name, bytes}) => {
        const isMesh = MESH.test(name) || (hasRobot && SCENE.test(name));
        return {name: isMesh ? path : name, bytes, isMesh};
    });
}

/**
 * The bytes of files, with a limit to how many.
 * @param {FoundFile[]} list
 */
export async function readAll(list) {
    const sum = list.reduce((bytes, {file}) => bytes + file.size, 0);
    if (list.length > MOST_FILES || sum > MOST_BYTES) {
        throw new Error(`this is too much to open at once: ${list.length} files, ${Math.round(sum / 1e6)} MB ` +
            `(at most ${MOST_FILES} files, ${MOST_BYTES >> 20} MB); drop the robot's own folder`);
    }
    return Promise.all(list.map(async ({file, path}) => ({name: file.name, path,
        bytes: new Uint8Array(await file.arrayBuffer())})));
}
