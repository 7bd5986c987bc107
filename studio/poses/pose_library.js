// Named poses: kept per figure, blended with the present pose, written to and read from JSON. Pure but for where they
// are kept (storage.js, which may keep nothing).

import {recall, remember} from '../store/storage.js';

const VERSION = 1;
const POSES_MOST = 500;
const NAME_MOST = 80;
const PICTURE_MOST = 200000; // characters of a data URL

/**
 * @typedef {{id: number, name: string, values: Object<string, number>, picture: string}} Pose
 *     values by variable, as a document's start; picture: a data URL, or ''
 */

/**
 * What a scene's poses are kept under: the figures it has.
 * @param {Scene} scene
 */
export function libraryKey(scene) {
    return `poses.${scene.figures.map((figure) => figure.file ?? figure.name).join('+')}`;
}

/**
 * A pose between two: the values of `from`, moved by `amount` (0 to 1) to those that `to` has. Limits are linear, so
 * between two poses inside them all poses are.
 * @param {Object<string, number>} from
 * @param {Object<string, number>} to what it does not have stays
 * @param {number} amount
 * @param {(name: string) => boolean} [wanted] which variables
 */
export function blend(from, to, amount, wanted = () => true) {
    return Object.fromEntries(Object.entries(from).map(([name, value]) =>
        [name, name in to && wanted(name) ? value + (to[name] - value) * amount : value]));
}

/**
 * How many of the present variables a pose has.
 * @param {Record<string, number>} values @param {Record<string, number>} start
 */
export function overlap(values, start) {
    return Object.keys(start).filter((name) => name in values).length;
}

/** @param {unknown} value @returns {value is Record<string, any>} of what JSON has */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
/** @param {unknown} value */
const isPicture = (value) => typeof value === 'string' && value.length < PICTURE_MOST
    && /^data:image\/(png|jpeg|webp);base64,/.test(value);

/**
 * A pose as a file has it, checked; null where it is none.
 * @param {unknown} entry
 */
function readPose(entry) {
    if (!isObject(entry) || typeof entry.name !== 'string' || !isObject(entry.values)) return null;
    const values = Object.entries(entry.values);
    if (!values.length || values.length > 10000 || values.some(([, value]) => !Number.isFinite(value))) return null;
    return {name: entry.name.trim().slice(0, NAME_MOST) || 'Pose', values: Object.fromEntries(values),
        picture: isPicture(entry.picture) ? entry.picture : ''};
}

/**
 * Poses that a file holds.
 * @param {string} text JSON
 * @throws {Error} with a sentence where it is no file of poses
 */
export function readPoses(text) {
    let content;
    try {
        content = JSON.parse(text);
    } catch {
        throw new Error('This file is not JSON.');
    }
    if (!isObject(content) || !Array.isArray(content.poses)) throw new Error('This file holds no list of poses.');
    if (content.limber_poses !== VERSION) throw new Error('This file of poses was made by another version.');
    if (content.poses.length > POSES_MOST) throw new Error(`This file has more than ${POSES_MOST} poses.`);
    const poses = content.poses.map(readPose);
    const bad = poses.indexOf(null) + 1;
    if (bad) throw new Error(`Pose ${bad} of this file has no name, or values that are no numbers.`);
    return poses;
}

/**
 * @param {number} figure @param {Pose[]} poses
 * @returns {string} JSON that readPoses reads
 */
export function writePoses(figure, poses) {
    const list = poses.map(({name, values, picture}) => ({name, values, picture}));
    return `${JSON.stringify({limber_poses: VERSION, figure, poses: list}, null, 1)}\n`;
}

export class PoseLibrary {
    /** @param {string} key libraryKey(scene) */
    constructor(key) {
        this.key = key;
        this.isKept = true; // whether the browser keeps them beyond this visit
        this.count = 0;
        this.poses = /** @type {Pose[]} */ ([]);
        const kept = recall(key, null);
        for (const entry of Array.isArray(kept) ? kept.slice(0, POSES_MOST) : []) {
            const pose = readPose(entry);
            if (pose) this.poses.push({id: ++this.count, ...pose});
        }
    }

    keep() {
        this.isKept = remember(this.key, this.poses.map(({name, values, picture}) => ({name, values, picture})));
    }

    /** A name that no pose has yet. */
    freshName(word = 'Pose') {
        for (let i = this.poses.length + 1; ; i++) {
            if (!this.poses.some((pose) => pose.name === `${word} ${i}`)) return `${word} ${i}`;
        }
    }

    /** @param {{name: string, values: Numbers, picture?: string}} of */
    add({name, values, picture = ''}) {
        const own = name.trim().slice(0, NAME_MOST) || this.freshName();
        const pose = {id: ++this.count, name: own, values: {...values}, picture};
        this.poses.push(pose);
        this.keep();
        return pose;
    }

    /** @param {number} id @param {string} name */
    rename(id, name) {
        const pose = this.find(id), text = name.trim().slice(0, NAME_MOST);
        if (!pose || !text) return false;
        pose.name = text;
        this.keep();
        return true;
    }

    /** @param {number} id */
    find(id) {
        return this.poses.find((pose) => pose.id === id);
    }

    /**
     * Removes a pose; returns how to put it back where it was.
     * @param {number} id
     */
    remove(id) {
        const index = this.poses.findIndex((pose) => pose.id === id);
        if (index < 0) return null;
        const [pose] = this.poses.splice(index, 1);
        this.keep();
        return () => {
            this.poses.splice(index, 0, pose);
            this.keep();
        };
    }
}
