// What plays: the tracks of a document, the clip of a motion file (its own, or carried over to a model), a script. All
// give the pose at any time, in any order, from the same call.
import {turnFromRpy} from '../algebra.js';
import {goalMoved} from './goal_edit.js';
import {World} from './world.js';

const STEP = 1 / 60; /* seconds between solves inside a player */
const FRAME_TIME = 1 / 30;

/** A pose of one figure as a pose of another, by the variables' names. */
function carrier(from, to) {
    const places = from.variables.map((variable) => to.findVariable(variable.name));
    return (pose, target) => places.forEach((place, v) => {
        if (place >= 0) target[place] = pose[v];
    });
}

/* --- Tracks ------------------------------------------------------------------------------------------------------ */

const KINDS = {goal: ['frame', 7], root: ['frame', 7], joint: ['rotation', 4], weight: ['values', 1],
    enabled: ['values', 1]};

/** A document's track as one of Limber's, to be sampled. */
function trackOf(limber, entry, kind) {
    const [type, width] = KINDS[kind];
    const track = new limber.Track(type, width);
    for (const key of entry.keys) {
        const turn = key.quaternion ?? (key.rpy ? turnFromRpy(key.rpy) : null) ?? [0, 0, 0, 1];
        track.set(key.time, type === 'frame' ? [...key.point, ...turn] : key.value, key.interpolation ?? 'linear');
    }
    if (entry.ends) track.ends = entry.ends;
    return track;
}

/** The tracks of a document's `motion`: the problem solved while they change it. */
export class Tracks {
    constructor(world) {
        this.world = world;
        this.kind = 'tracks';
        this.player = world.motion.player({step: STEP});
        this.end = world.motion.end;
        const entries = world.doc.motion.tracks ?? [];
        this.driven = ['goal', 'weight', 'enabled'].flatMap((kind) => entries.filter((entry) =>
            typeof entry[kind] === 'string')
            .map((entry) => ({kind, name: entry[kind], track: trackOf(world.limber, entry, kind)})));
    }

    free() {
        this.player.free();
        for (const {track} of this.driven) track.free();
    }

    about() {
        const {tracks = [], carry = []} = this.world.doc.motion;
        return {kind: this.kind, name: this.world.doc.title ?? '', end: this.end, frameTime: FRAME_TIME,
            frameCount: countOf(this.end, FRAME_TIME),
            tracks, carry, lanes: [], contacts: [], animations: []};
    }

    /** {world, pose, result, goals}: goals is what tracks drive of constraints at that time. */
    at(time) {
        const {pose, result} = this.player.pose(time);
        return {world: this.world, pose, result, goals: this.goalsAt(time)};
    }

    goalsAt(time) {
        const goals = new Map();
        for (const {kind, name, track} of this.driven) {
            const value = track.sample(time);
            const goal = goals.get(name) ?? {name};
            if (kind === 'goal') Object.assign(goal, {position: value.slice(0, 3), rotation: value.slice(3, 7)});
            if (kind === 'weight') goal.weight = value[0];
            if (kind === 'enabled') goal.enabled = value[0] >= 0.5;
            goals.set(name, goal);
        }
        return [...goals.values()];
    }

    /** The scene's goals as they are then, by id. */
    moved(goals) {
        const entries = goals.filter((goal) => goal.position).map((goal) => {
            const constraint = this.world.constraints.find(({name}) => name === goal.name);
            return constraint && [constraint.id, goalMoved(constraint.goal, goal)];
        });
        return new Map(entries.filter(Boolean));
    }

    clip(figure, frameTime = FRAME_TIME) {
        return this.player.clip({stage: 0, figure, frameTime});
    }
}

const countOf = (end, frameTime) => Math.floor(end / frameTime + 1e-9) + 1;

/* --- Clips ------------------------------------------------------------------------------------------------------- */

/** Feet of a body, which may stand: names and effectors. */
function feetOf(figure) {
    const names = figure.humanNames();
    return ['left_foot', 'left_toes', 'right_foot', 'right_toes'].map((name) => ({name, segment: names.indexOf(name)}))
        .filter(({segment}) => segment >= 0);
}

/** A motion file's frames, done by figure number `k` of a world. */
export class ClipShow {
    /** @param source {figure, clip, name, animations}: it stays the caller's */
    constructor(world, k, source) {
        Object.assign(this, {world, k, source});
        this.kind = 'clip';
        this.name = source.name;
        this.end = source.clip.duration;
        this.carry = carrier(source.clip.figure, world.figures[k]);
    }

    free() {}

    about() {
        const {clip, name, animations = []} = this.source;
        return {kind: this.kind, name, figure: this.k, end: this.end, frameTime: clip.frameTime,
            frameCount: clip.frameCount, tracks: [], lanes: [],
            contacts: this.contacts(), animations};
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

/** When things change, as the script's own text says: {name, keys: times}. */
function lanesOf(text) {
    const plain = text.replace(/\/\*[\s\S]*?\*\//g, ' ');
    const lanes = new Map();
    for (const [, name, body] of plain.matchAll(/change\s*\(\s*(\w+)\s*\)([^;]*);/g)) {
        const times = [...body.matchAll(/<\s*([\d.]+)\s*,/g)].map((match) => Number(match[1]));
        if (times.some((time) => time > 0)) {
            lanes.set(name, [...new Set([...(lanes.get(name) ?? []), ...times])].sort((a, b) => a - b));
        }
    }
    return [...lanes].map(([name, keys]) => ({name, keys, from: keys[0], to: keys.at(-1)}));
}

/** A script: its stages are problems of their own. */
export class ScriptShow {
    constructor(limber, script, name, text) {
        Object.assign(this, {limber, script, name, text});
        this.kind = 'script';
        this.player = script.motion.player({step: STEP});
        this.end = script.motion.end;
        this.worlds = [];
    }

    free() {
        for (const world of this.worlds) world?.free();
        this.player.free();
    }

    /** The world of a stage. */
    worldOf(stage, pose) {
        if (!this.worlds[stage]) {
            const problem = this.script.motion.problem(stage);
            this.worlds[stage] = new World(this.limber, {problem, start: pose, names: uniqueNames(problem.figures)});
        }
        return this.worlds[stage];
    }

    about() {
        return {kind: this.kind, name: this.name, end: this.end, frameTime: FRAME_TIME,
            frameCount: countOf(this.end, FRAME_TIME), tracks: [],
            lanes: lanesOf(this.text), contacts: [], animations: []};
    }

    at(time) {
        const {pose, result, stage} = this.player.pose(time);
        return {world: this.worldOf(stage, pose), pose, result, goals: [], stage};
    }

    moved() {
        return null;
    }

    clip(figure, frameTime = FRAME_TIME, time = 0) {
        return this.player.clip({stage: this.player.stage(time), figure, frameTime});
    }
}

function uniqueNames(figures) {
    const names = figures.map((figure) => figure.name);
    return names.map((name, k) => (names.indexOf(name) === k ? name : String(k)));
}
