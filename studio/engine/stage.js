// The stage: which performance belongs to a document, and the files that are made for it - figures of a script, models
// that do what a clip does. Clips and scripts are read once and kept as long as their files are the same.
import {distance} from '../math/vector.js';
import {ClipShow, ScriptShow, Tracks} from './performance.js';
import {stemOf, textOf} from './files.js';
import {formatOf} from './world.js';

const ALIKE = 0.03; /* of a limb's distance from the head, by which its sides may differ at rest */

export class Stage {
    /** @param {Limber} limber @param {FileTable} files */
    constructor(limber, files) {
        this.limber = limber;
        this.files = files;
        /** @type {Map<string, {bytes: Uint8Array | undefined, value: any}>} by key; any: what once() made */
        this.read = new Map();
        /** @type {LimberWarning[]} */
        this.warnings = [];
        /** @type {Set<string>} */
        this.people = new Set(); /* files of characters that were opened as people: they stay so when posed plainly */
        files.make = (key) => this.make(key);
    }

    /**
     * What `make` makes of a file, kept until the file is another.
     * @template T @param {string} key @param {string} source @param {() => T} make
     * @returns {T}
     */
    once(key, source, make) {
        const bytes = this.limber.files.get(source);
        const known = this.read.get(key);
        if (known && known.bytes === bytes) return known.value;
        known?.value?.free?.();
        const value = make();
        this.read.set(key, {bytes, value});
        return value;
    }

    /**
     * A figure's file in the form that is read most quickly: others are written as .fig once, so that an edit of a
     * document need not read a character of megabytes again.
     * @param {string} file
     * @param {(warning: LimberWarning) => void} warn hears what the reader has to say, the first time
     * @param {boolean} [isPerson] whether it is asked for as a body: a character of whom the names of bones say
     *     that it is a person then gets one, and a human's limits where the file has none
     * @param {boolean} [stands] whether it is a legged robot that stands on its feet
     * @returns {string}
     */
    quick(file, warn, isPerson = false, stands = false) {
        if (formatOf(file) === 'fig' || !this.limber.files.has(file)) return file;
        if (isPerson && !stands) this.people.add(file);
        const how = stands ? {stand: true} : this.people.has(file) ? {body: true, limits: 'auto'} : {};
        return this.once(`quick ${file} ${JSON.stringify(how)}`, file, () => {
            const figure = this.limber.loadFigure(file, {warn, ...how});
            const key = `.quick/${how.body ? 'person/' : how.stand ? 'standing/' : ''}${file}.fig`;
            this.limber.files.set(key, figure.save('fig'));
            figure.free();
            return key;
        });
    }

    /**
     * A script.
     * @param {string} name
     */
    script(name) {
        return this.once(`script ${name}`, name, () => this.limber.loadScript(name, {models: 'models'}));
    }

    /**
     * {figure, clip, name, animations} of a motion file; null where it has no motion.
     * @param {string} name @param {string} [animation]
     * @returns {ClipSource | null}
     */
    clip(name, animation) {
        return this.once(`clip ${name} ${animation ?? ''}`, name, () => {
            const format = formatOf(name);
            if (format !== 'bvh' && format !== 'gltf') return null;
            try {
                const animations = format === 'gltf' ? this.limber.gltfAnimations(name) : [];
                const {figure, clip} = this.limber.loadClip(name, animation === undefined ? {} : {animation});
                return clip ? clipSource(figure, clip, stemOf(name), animations) : null;
            } catch (error) {
                const told = /** @type {LimberWarning} */ (error);
                if (!told.statusName || told.statusName === 'memory') throw error;
                this.warnings.push(told); /* the figure is there, it only does not move */
                return null;
            }
        });
    }

    /**
     * Whether a file is a character that does not move by itself and could be posed as a person.
     * @param {string} file
     */
    isPerson(file) {
        if (!['gltf', 'mjcf'].includes(formatOf(file)) || this.clip(file)) return false;
        return this.once(`person ${file}`, file, () => {
            const figure = this.limber.loadFigure(file, {body: true, limits: 'auto'});
            const isOne = Boolean(figure.body);
            figure.free();
            return isOne && this.isAtRest(file);
        });
    }

    /**
     * Whether a file is a legged robot that could stand on its feet.
     * @param {string} file
     */
    isLegged(file) {
        if (!['urdf', 'mjcf'].includes(formatOf(file))) return false;
        return this.once(`legged ${file}`, file, () => {
            try {
                this.limber.loadFigure(file, {stand: true}).free();
                return true;
            } catch (error) {
                const {statusName} = /** @type {LimberWarning} */ (error);
                if (!statusName || statusName === 'memory') throw error;
                return false; /* no legs, or something holds it */
            }
        });
    }

    /**
     * Whether hands and feet are alike on both sides, as where a character was made; someone has posed it, otherwise.
     * @param {string} file
     */
    isAtRest(file) {
        const figure = this.limber.loadFigure(file);
        const kinematics = figure.kinematics();
        const pose = figure.restPose();
        kinematics.update(pose);
        const names = figure.humanNames() ?? [];
        /** @param {string} name */
        const at = (name) => (names.includes(name)
            ? Array.from(kinematics.segment(names.indexOf(name)).position) : null);
        const head = at('head') ?? at('pelvis');
        const isAlike = ['hand', 'foot'].every((part) => {
            const [left, right] = [at(`left_${part}`), at(`right_${part}`)];
            if (!left || !right || !head) return true;
            const size = distance(head, left);
            return Math.abs(distance(head, right) - size) < ALIKE * size && Math.abs(left[2] - right[2]) < ALIKE * size;
        });
        kinematics.free();
        figure.free();
        return isAlike;
    }

    takeWarnings() {
        return this.warnings.splice(0);
    }

    /**
     * The pose that a world's motion begins with; its own where nothing moves.
     * @param {DocWorld} world
     */
    firstPose(world) {
        const show = this.showOf(world);
        const pose = show ? show.at(0).pose : world.pose;
        show?.free();
        return pose;
    }

    /**
     * The clip of a file as a model does it.
     * @param {string} key @param {string} source @param {string} [animation]
     */
    retargeted(key, source, animation) {
        return this.once(`retarget ${key} ${animation ?? ''}`, source, () => {
            const from = this.clip(source, animation);
            if (!from) throw new Error(`${source} has no motion to carry over`);
            const figure = this.limber.loadFigure(key);
            const {clip, verdict} = this.limber.retarget(from.clip, figure);
            if (verdict.explanation) this.warnings.push(new this.limber.LimberError(verdict.explanation, 0, key));
            return clipSource(figure, clip, from.name, from.animations);
        });
    }

    /**
     * Makes the file of a key such as "arm.scefo/arm.fig".
     * @param {string} key
     */
    async make(key) {
        const made = this.files.madeOf(key);
        if (!made) return;
        const {source, kind, name} = made;
        if (kind === 'script') {
            const {figures} = this.script(source).motion.problem(0);
            const figure = figures.find((candidate) => candidate.name === name);
            if (!figure) throw new Error(`${source} has no object "${name}"`);
            this.limber.files.set(key, figure.save('fig'));
        } else {
            if (!await this.files.model(name)) throw new Error(`there is no model "${name}"`);
            this.limber.files.set(key, /** @type {Uint8Array} */ (this.limber.files.get(`models/${name}.fig`)));
        }
    }

    /**
     * What plays in a world; null where nothing does.
     * @param {DocWorld} world @param {string} [animation]
     * @returns {Show | null}
     */
    showOf(world, animation) {
        if (world.motion) return new Tracks(world);
        for (let k = 0; k < world.figures.length; k++) {
            const key = world.fileOf(k);
            const made = this.files.madeOf(key);
            if (made?.kind === 'script') {
                return new ScriptShow(this.limber, this.script(made.source), stemOf(made.source),
                    textOf(this.limber.files.get(made.source)));
            }
            const source = made ? this.retargeted(key, made.source, animation)
                : this.limber.files.has(key) ? this.clip(key, animation) : null;
            if (source) return new ClipShow(world, k, source);
        }
        return null;
    }

    /**
     * A document of a script's first stage, whose figures are files that are made.
     * @param {string} name
     */
    scriptDocument(name) {
        const {figures} = this.script(name).motion.problem(0);
        return {title: stemOf(name), figures: figures.map((figure) => ({file: `${name}/${figure.name}.fig`,
            name: figure.name}))};
    }
}

/**
 * @param {LimberFigure} figure @param {LimberClip} clip @param {string} name @param {string[]} animations
 * @returns {ClipSource}
 */
function clipSource(figure, clip, name, animations) {
    return {
        figure, clip, name, animations,
        free() {
            clip.free();
            figure.free();
        },
    };
}
