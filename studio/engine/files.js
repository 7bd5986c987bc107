// Files: what kind each is, which of several that came together is to be opened, and where the figures are that a
// problem names.
//
// A document names its figures by the keys of one table of files. Keys with a file as their folder are made on demand:
// "arm.scefo/arm.fig" is the figure `arm` of a script, "walk.bvh/human.fig" the model `human` that does what walk.bvh
// does.
import {figuresOf} from './document.js';

const FIGURES = new Set(['fig', 'urdf', 'mjcf', 'xml', 'bvh', 'glb', 'gltf', 'vrm', 'vrma']);
const MADE = /^(.*\.(scefo|bvh|glb|gltf|vrm|vrma))\/([^/]+)\.fig$/i;
const MODEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** What a person is told when a file cannot be used. */
export class FileError extends Error {
    /** @param {string} file @param {number} line @param {string} message */
    constructor(file, line, message) {
        super(message);
        this.name = 'FileError';
        this.file = file;
        this.line = line;
    }
}

/** @param {string} path */
export const baseName = (path) => /** @type {string} */ (path.split('/').pop());
/** @param {string} path */
export const endingOf = (path) => (/\.([^./]+)$/.exec(path)?.[1] ?? '').toLowerCase();
/**
 * A file's name without folder and ending.
 * @param {string} path
 */
export const stemOf = (path) => baseName(path).replace(/\.[^.]+$/, '');

const decoder = new TextDecoder();
/** @param {Uint8Array} [bytes] */
export const textOf = (bytes) => decoder.decode(bytes);

/**
 * Whether there is nothing in a file but blanks.
 * @param {Uint8Array} bytes
 */
export const isBlank = (bytes) => bytes.length < 4096 && textOf(bytes).trim() === '';

/**
 * 'problem', 'script', 'figure' or 'other'.
 * @param {OpenFile} file
 */
export function kindOf({name, bytes}) {
    const ending = endingOf(name);
    if (ending === 'scefo') return 'script';
    if (ending === 'json') return looksLikeGltf(bytes) && !looksLikeProblem(bytes) ? 'figure' : 'problem';
    if (FIGURES.has(ending)) return 'figure';
    return kindOfContent(bytes);
}

/** @param {Uint8Array} bytes */
const looksLikeGltf = (bytes) => /"asset"\s*:/.test(textOf(bytes.subarray(0, 4096)));
/** @param {Uint8Array} bytes */
const looksLikeProblem = (bytes) => /"figures?"\s*:/.test(textOf(bytes.subarray(0, 65536)));

/**
 * For files whose name tells nothing.
 * @param {Uint8Array} bytes
 */
function kindOfContent(bytes) {
    const head = textOf(bytes.subarray(0, 65536)).trimStart();
    if (head.startsWith('{')) return looksLikeProblem(bytes) ? 'problem' : 'figure';
    if (/^(glTF|<|HIERARCHY)/.test(head) || /^(#[^\n]*\n|\/\/[^\n]*\n|\s)*figure\s/.test(head)) return 'figure';
    return 'other';
}

/**
 * Which of files that came together is the one to open: a problem before a script before a figure.
 * @param {OpenFile[]} files
 */
export function chooseMain(files) {
    const kinds = files.map((file) => ({file, kind: kindOf(file)}));
    for (const kind of ['problem', 'script', 'figure']) {
        const found = kinds.filter((entry) => entry.kind === kind);
        if (found.length) return {main: bestOf(found.map((entry) => entry.file)), kind};
    }
    const [first] = files;
    const what = files.length > 1 ? 'none of these files' : 'this file';
    throw new FileError(first?.name ?? '', 0,
        `${what} is a figure, a problem or a script; ` +
        'give .fig, .urdf, .xml (MJCF), .bvh, .glb, .gltf, .vrm, .json or .scefo');
}

/**
 * A whole robot rather than a part that it includes: the one with most of a model in it.
 * @param {OpenFile[]} files
 */
function bestOf(files) {
    /** @param {OpenFile} file */
    const isWhole = (file) => endingOf(file.name) !== 'xml' || /<(mujoco|robot)[\s>]/.test(textOf(file.bytes.subarray(0,
        65536)));
    /** @param {OpenFile} file */
    const isNamed = (file) => files.some((other) => other !== file && /\.(xml|urdf|gltf|json)$/i.test(other.name) &&
        textOf(other.bytes.subarray(0, 1 << 20)).includes(baseName(file.name)));
    return files.find((file) => isWhole(file) && !isNamed(file)) ?? files[0];
}

/**
 * Files that were dropped have no folder: those that another names with one ("parts/joint.xml") are there under that
 * name, too. Problems need it not, as their figures are found by their last names.
 * @param {OpenFile[]} files
 */
export function inFolders(files) {
    /** @type {OpenFile[]} */
    const extra = [];
    for (const {name: from, bytes} of files) {
        if (!/\.(xml|urdf|gltf|scefo)$/i.test(from)) continue;
        const text = textOf(bytes.subarray(0, 1 << 22));
        for (const file of files) {
            const last = file.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
            const path = new RegExp(`["'<]((?:[^"'<>/\n]{1,100}/){1,8}${last})["'>]`).exec(text)?.[1];
            if (path && !files.some((other) => other.name === path)) extra.push({...file, name: path});
        }
    }
    return extra.length ? [...files, ...extra] : files;
}

/** Names in the table, and what can be made or fetched. */
export class FileTable {
    /**
     * @param {Limber} limber the package
     * @param {(name: string) => Promise<Uint8Array | null>} [fetchModel] the bytes of a model that comes with
     *     Limber, or null
     */
    constructor(limber, fetchModel) {
        this.limber = limber;
        this.fetchModel = fetchModel ?? (async () => null);
        /** @type {(key: string) => Promise<void>} */
        this.make = async () => {}; /* puts a made file into the table */
        this.table = limber.files;
    }

    /**
     * Puts files in; the function that it returns takes them out again.
     * @param {OpenFile[]} files xml: what readXml of the package makes of them on the page, as workers have no XML
     *     parser
     */
    add(files) {
        /** @type {[string, Uint8Array | undefined][]} */
        const before = files.map(({name}) => [name, this.table.get(name)]);
        for (const {name, bytes, xml} of files) {
            this.table.set(name, bytes, /** @type {import('limber/xml.js').XmlTree | undefined} */ (xml));
        }
        return () => {
            for (const [name, bytes] of before.reverse()) {
                if (bytes) this.table.set(name, bytes);
                else this.table.delete(name);
            }
        };
    }

    /**
     * Of a key such as "walk.bvh/human.fig": {source, kind, name}; null for all others.
     * @param {string} key
     * @returns {{source: string, kind: 'script' | 'clip', name: string} | null}
     */
    madeOf(key) {
        const match = MADE.exec(key);
        return match && this.table.has(match[1])
            ? {source: match[1], kind: match[2].toLowerCase() === 'scefo' ? 'script' : 'clip', name: match[3]} : null;
    }

    /**
     * The key of a figure that a problem names: the file itself, one of that name elsewhere, or a model, fetched now.
     * @param {string} name @param {string} [folder]
     */
    async keyOf(name, folder) {
        if (this.madeOf(name)) await this.make(name);
        if (name.startsWith('chain:') || this.table.has(name)) return name;
        if (folder && this.table.has(`${folder}/${name}`)) return `${folder}/${name}`;
        const near = this.table.names().find((key) => baseName(key).toLowerCase() === baseName(name).toLowerCase());
        if (near && name.includes('.')) return near;
        return (await this.model(stemOf(name) === baseName(name) ? name : baseName(name))) ? nameOfModel(name) : name;
    }

    /**
     * Whether there is such a model; its bytes are then in the table.
     * @param {string} name
     */
    async model(name) {
        const model = nameOfModel(name);
        if (!MODEL.test(model)) return false;
        if (!this.table.has(`models/${model}.fig`)) {
            const bytes = await this.fetchModel(model);
            if (!bytes) return false;
            this.table.set(`models/${model}.fig`, bytes);
        }
        return true;
    }

    /**
     * The same problem with its figures by their keys; what was fetched is in the table.
     * @param {Doc | RawDoc} problem @param {string} [folder]
     * @returns {Promise<RawDoc & {figures: DocFigure[]}>}
     */
    async resolve(problem, folder = '') {
        const figures = figuresOf(problem);
        for (const figure of figures) {
            if (typeof figure.file === 'string') figure.file = await this.keyOf(figure.file, folder);
        }
        const {figure, ...rest} = /** @type {RawDoc} */ (problem);
        return {...rest, figures};
    }
}

/** @param {string} name */
const nameOfModel = (name) => baseName(name).replace(/\.fig$/i, '');
