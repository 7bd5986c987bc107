// What plays: the tracks of a document, the clip of a motion file (its own, or carried over to a model), a script. All
// give the pose at any time, in any order, from the same call.
import {rotationFromRpy} from '../math/vector.js';
import {goalMoved} from './goal_edit.js';
import {World} from './world.js';

const STEP = 1 / 60; /* seconds between solves inside a player */
const FRAME_TIME = 1 / 30;
const SAMPLES = 9; /* of a clip, for how high it is */

/**
 * A pose of one figure as a pose of another, by the variables' names.
 * @param {LimberFigure} from @param {LimberFigure} to
 * @returns {(pose: Numbers, target: Float64Array) => void}
 */
function carrier(from, to) {
    const places = from.variables.map((variable) => to.findVariable(variable.name));
    return (pose, target) => places.forEach((place, v) => {
        if (place >= 0) target[place] = pose[v];
    });
}

/* --- Tracks ------------------------------------------------------------------------------------------------------ */

/** @type {Record<string, ['values' | 'rotation' | 'frame', number]>} */
const KINDS = {goal: ['frame', 7], root: ['frame', 7], joint: ['rotation', 4], weight: ['values', 1],
    enabled: ['values', 1]};

/**
 * A document's track as one of Limber's, to be sampled.
 * @param {Limber} limber @param {Track} entry @param {string} kind
 */
function trackOf(limber, entry, kind) {
    const [type, width] = KINDS[kind];
    const track = new limber.Track(type, width);
    for (const key of entry.keys) {
        const {point, rpy, value} = /** @type {Record<string, any>} */ (key); /* any: numbers, as documents are in SI */
        const turn = key.quaternion ?? (rpy ? rotationFromRpy(rpy) : null) ?? [0, 0, 0, 1];
        track.set(key.time, type === 'frame' ? [...point, ...turn] : value,
            /** @type {import('limber/clip.js').Interpolation} */ (key.interpolation ?? 'linear'));
    }
    if (entry.ends) track.ends = /** @type {typeof track.ends} */ (entry.ends);
    return track;
}

/** The tracks of a document's `motion`: the problem solved while they change it. */
export class Tracks {
    /** @param {DocWorld} world */
    constructor(world) {
        this.world = world;
        /** @type {'tracks'} */
        this.kind = 'tracks';
        const motion = /** @type {import('limber').Motion} */ (world.motion); /* whoever makes it has looked */
        this.player = motion.player({step: STEP});
        this.end = motion.end;
        const entries = world.doc.motion?.tracks ?? [];
        const kinds = /** @type {const} */ (['goal', 'weight', 'enabled']);
        this.driven = kinds.flatMap((kind) => entries.flatMap((entry) => {
            const name = entry[kind];
            return typeof name === 'string' ? [{kind, name, track: trackOf(world.limber, entry, kind)}] : [];
        }));
    }

    free() {
        this.player.free();
        for (const {track} of this.driven) track.free();
    }

    /** @returns {SceneMotion} */
    about() {
        const {tracks = [], carry = []} = this.world.doc.motion ?? {};
        return {kind: this.kind, name: this.world.doc.title ?? '', end: this.end, frameTime: FRAME_TIME,
            frameCount: countOf(this.end, FRAME_TIME),
            tracks, carry, lanes: [], contacts: [], animations: []};
    }

    /**
     * {world, pose, result, goals}: goals is what tracks drive of constraints at that time.
     * @param {number} time
     * @returns {Shot}
     */
    at(time) {
        const {pose, result} = this.player.pose(time);
        return {world: this.world, pose, result, goals: this.goalsAt(time)};
    }

    /** @param {number} time */
    goalsAt(time) {
        /** @type {Map<string, PlayedGoal>} */
        const goals = new Map();
        for (const {kind, name, track} of this.driven) {
            const value = track.sample(time);
            /** @type {PlayedGoal} */
            const goal = goals.get(name) ?? {name};
            if (kind === 'goal') Object.assign(goal, {position: value.slice(0, 3), rotation: value.slice(3, 7)});
            if (kind === 'weight') goal.weight = value[0];
            if (kind === 'enabled') goal.enabled = value[0] >= 0.5;
            goals.set(name, goal);
        }
        return [...goals.values()];
    }

    /**
     * The scene's goals as they are then, by id.
     * @param {PlayedGoal[]} goals
     */
    moved(goals) {
        /** @type {Map<number, SceneGoal>} */
        const moved = new Map();
        for (const {name, position, rotation} of goals) {
            const constraint = this.world.constraints.find((entry) => entry.name === name);
            if (constraint && position && rotation) {
                moved.set(constraint.id, goalMoved(constraint.goal, {position, rotation}));
            }
        }
        return moved;
    }

    /** @param {number} figure */
    clip(figure, frameTime = FRAME_TIME) {
        return this.player.clip({stage: 0, figure, frameTime});
    }
}

/** @param {number} end @param {number} frameTime */
const countOf = (end, frameTime) => Math.floor(end / frameTime + 1e-9) + 1;

/* --- Clips ------------------------------------------------------------------------------------------------------- */

/**
 * Feet of a body, which may stand: names and effectors.
 * @param {LimberFigure} figure
 */
function feetOf(figure) {
    const names = figure.humanNames();
    return ['left_foot', 'left_toes', 'right_foot', 'right_toes'].map((name) => ({name, segment: names.indexOf(name)}))
        .filter(({segment}) => segment >= 0);
}

/**
 * How high the lowest of some segments is.
 * @param {Float64Array} matrices @param {number} first @param {number} last that is no more of them
 */
function lowestOf(matrices, first, last) {
    let low = Infinity;
    for (let at = first; at < last; at++) low = Math.min(low, matrices[12 * at + 11]);
    return low;
}

/** A motion file's frames, done by figure number `k` of a world. */
export class ClipShow {
    /**
     * @param {World} world @param {number} k
     * @param {Omit<ClipSource, 'free'>} source {figure, clip, name, animations}: it stays the caller's
     */
    constructor(world, k, source) {
        this.world = world;
        this.k = k;
        this.source = source;
        /** @type {'clip'} */
        this.kind = 'clip';
        this.name = source.name;
        this.end = source.clip.duration;
        this.carry = carrier(source.clip.figure, world.figures[k]);
    }

    free() {}

    /** @returns {SceneMotion} */
    about() {
        const {clip, name, animations = []} = this.source;
        return {kind: this.kind, name, figure: this.k, end: this.end, frameTime: clip.frameTime,
            frameCount: clip.frameCount, tracks: [], lanes: [], lowest: this.lowest(),
            contacts: this.contacts(), animations};
    }

    /**
     * How high the lowest segment is for most of the time: many clips begin with a pose that floats, or is sunk. The
     * root does not count: of many files it is the frame of the world.
     */
    lowest() {
        const {world, end, k} = this;
        const first = world.figures.slice(0, k).reduce((sum, {segments}) => sum + segments.length, 1);
        const last = first + world.figures[k].segments.length - 1;
        const heights = Array.from({length: SAMPLES}, (_, sample) => {
            const matrices = world.place(this.at(end * sample / (SAMPLES - 1)).pose).matrices();
            return lowestOf(matrices, first, last);
        });
        world.place(world.pose);
        return heights.sort((a, b) => a - b)[SAMPLES >> 1];
    }

    /** When feet stand; none where the figure is no body. */
    contacts() {
        const {clip} = this.source;
        const feet = feetOf(clip.figure);
        if (feet.length < 2 || clip.frameCount < 8) return [];
        try {
            return clip.contacts(feet.map(({segment}) => ({segment})))
                .map(({point, first, last}) => ({name: feet[point].name, from: first * clip.frameTime,
                    to: last * clip.frameTime}));
        } catch {
            return []; /* a body that does not stand upright at rest */
        }
    }

    /** @param {number} time @returns {Shot} */
    at(time) {
        const pose = Float64Array.from(this.world.pose);
        this.carry(this.source.clip.sample(time), this.world.part(pose, this.k));
        return {world: this.world, pose, result: null, goals: []};
    }

    moved() {
        return null;
    }

    clip() {
        return this.source.clip;
    }
}

/* --- Scripts ----------------------------------------------------------------------------------------------------- */

/**
 * When things change, as the script's own text says: {name, keys: times}.
 * @param {string} text
 */
function lanesOf(text) {
    const plain = text.replace(/\/\*[\s\S]*?\*\//g, ' ');
    /** @type {Map<string, number[]>} */
    const lanes = new Map();
    for (const [, name, body] of plain.matchAll(/change\s*\(\s*(\w+)\s*\)([^;]*);/g)) {
        const times = [...body.matchAll(/<\s*([\d.]+)\s*,/g)].map((match) => Number(match[1]));
        if (times.some((time) => time > 0)) {
            lanes.set(name, [...new Set([...(lanes.get(name) ?? []), ...times])].sort((a, b) => a - b));
        }
    }
    return [...lanes].map(([name, keys]) => ({name, keys, from: keys[0], to: keys[keys.length - 1]}));
}

/** A script: its stages are problems of their own. */
export class ScriptShow {
    /** @param {Limber} limber @param {LimberScript} script @param {string} name @param {string} text */
    constructor(limber, script, name, text) {
        this.limber = limber;
        this.script = script;
        this.name = name;
        this.text = text;
        /** @type {'script'} */
        this.kind = 'script';
        this.player = script.motion.player({step: STEP});
        this.end = script.motion.end;
        /** @type {World[]} */
        this.worlds = [];
    }

    free() {
        for (const world of this.worlds) world?.free();
        this.player.free();
    }

    /**
     * The world of a stage.
     * @param {number} stage @param {Float64Array} pose
     */
    worldOf(stage, pose) {
        if (!this.worlds[stage]) {
            const problem = this.script.motion.problem(stage);
            this.worlds[stage] = new World(this.limber, {problem, start: pose, names: uniqueNames(problem.figures)});
        }
        return this.worlds[stage];
    }

    /** @returns {SceneMotion} */
    about() {
        return {kind: this.kind, name: this.name, end: this.end, frameTime: FRAME_TIME,
            frameCount: countOf(this.end, FRAME_TIME), tracks: [],
            lanes: lanesOf(this.text), contacts: [], animations: []};
    }

    /** @param {number} time @returns {Shot} */
    at(time) {
        const {pose, result, stage} = this.player.pose(time);
        return {world: this.worldOf(stage, pose), pose, result, goals: [], stage};
    }

    moved() {
        return null;
    }

    /** @param {number} figure */
    clip(figure, frameTime = FRAME_TIME, time = 0) {
        return this.player.clip({stage: this.player.stage(time), figure, frameTime});
    }
}

/** @param {readonly LimberFigure[]} figures */
function uniqueNames(figures) {
    const names = figures.map((figure) => figure.name);
    return names.map((name, k) => (names.indexOf(name) === k ? name : String(k)));
}
