// Trails: the way of a point of a figure through the motion, a curve with a dot for each frame. The poses are asked for
// one after the other while nobody waits; what is known of a trail is seen at once.

import {effectorsOf} from '../document/effectors.js';
import {spoken} from '../document/names.js';
import {distance, matrixPoint, matrixPointWithin, segmentMatrix} from '../math/vector.js';
import {openMenu} from '../widgets/menu.js';

/** @typedef {{figure: number, segment: string, local: number[], name: string, points: (number[]|null)[]}} Trail */

const MOST = 600; // points of a trail; a longer motion has a dot for every second frame, or third

/** The times of a trail's points, and how many frames lie between two of them. */
export function trailTimes(/** @type {number} */ end, /** @type {number} */ fps) {
    const frames = Math.max(0, Math.floor(end * fps + 1e-6)), every = Math.max(1, Math.ceil(frames / MOST));
    return {every, times: Array.from({length: Math.floor(frames / every) + 1}, (_, k) => k * every / fps)};
}

/** How long a trail is, in metres; where points are missing, nothing is added. */
export function trailLength(/** @type {(number[]|null)[]} */ points) {
    return points.reduce((sum, point, k) => {
        const before = points[k - 1];
        return point && before ? sum + distance(before, point) : sum;
    }, 0);
}

export class Trails {
    /**
     * @param {Store} store
     * @param {{peek: (time: number) => Promise<PoseFrame>, span: () => {end: number, fps: number}}} world
     */
    constructor(store, world) {
        this.store = store;
        this.world = world;
        /** @type {Trail[]} */
        this.list = [];
        this.times = /** @type {number[]} */ ([]);
        this.every = 1;
        this.revision = 0;
        this.isAsking = false;
    }

    /** The motion is another one: trails are drawn anew. */
    changed() {
        this.revision++;
        Object.assign(this, trailTimes(this.world.span().end, this.world.span().fps));
        for (const trail of this.list) trail.points = this.times.map(() => null);
        this.show();
        this.ask();
    }

    /** Nothing is left of another document. */
    clear() {
        this.list = [];
        this.changed();
    }

    /** What would be followed: the picked point, or the nearest named place of the picked part. */
    wanted() {
        const {scene, frame, selection, picked} = this.store, {view} = this.store;
        const part = selection && selection.kind !== 'constraint' && view?.selectedPart();
        if (!part) return null;
        const {figure, segment} = part, {name} = scene.figures[figure].segments[segment];
        const [{label, at}] = effectorsOf(scene, frame, {figure, segment, name}, picked);
        const matrix = segmentMatrix(frame.matrices, scene.figures[figure].firstSegment + segment);
        return {figure, segment: name, local: matrixPointWithin(matrix, at.position),
            name: spoken(label.replace(/ itself.*/, ''))};
    }

    /** Follows the picked part, or no longer. */
    toggle() {
        const wanted = this.wanted();
        if (!wanted) {
            this.store.message('info', 'Pick a part first: its trail is the way it takes through the motion.');
            return;
        }
        const known = this.list.findIndex(({figure, segment, local}) => figure === wanted.figure
            && segment === wanted.segment
            && distance(local, wanted.local) < 0.005);
        if (known >= 0) this.remove(known);
        else {
            this.list.push({...wanted, points: []});
            this.changed();
        }
    }

    remove(/** @type {number} */ index) {
        this.list.splice(index, 1);
        this.show();
    }

    show() {
        const trails = this.list.map(({name, points}) => ({name, points}));
        this.store.view?.setTrails?.(trails.length ? {trails, times: this.times} : null);
        this.store.emit('trails');
    }

    /** Asks for all poses that are missing, in the order of time. */
    async ask() {
        if (this.isAsking) return;
        this.isAsking = true;
        try {
            for (;;) {
                const at = this.times.findIndex((_, k) => this.list.some(({points}) => points[k] === null));
                if (at < 0 || !this.list.length) break;
                const {revision} = this, frame = await this.world.peek(this.times[at]);
                if (revision !== this.revision) continue;
                for (const trail of this.list) trail.points[at] ??= this.pointOf(trail, frame) ?? [NaN, NaN, NaN];
                if (at % 8 === 0 || at === this.times.length - 1) this.show();
            }
        } catch {
            for (const trail of this.list) trail.points = trail.points.map((point) => point ?? [NaN, NaN,
                NaN]); // the playhead says why
        }
        this.isAsking = false;
        this.show();
    }

    /** Where a trail's point is in a frame; null where its part is not there (a script's figures may change). */
    pointOf(/** @type {Trail} */ {figure, segment, local}, /** @type {PoseFrame} */ frame) {
        const scene = frame.scene ?? this.store.scene, owner = scene.figures[figure];
        const index = owner?.segments.findIndex(({name}) => name === segment) ?? -1;
        if (index < 0 || frame.matrices.length < 12 * (owner.firstSegment + index + 1)) return null;
        return matrixPoint(segmentMatrix(frame.matrices, owner.firstSegment + index), local);
    }

    /** What a trail is, in words. */
    told(/** @type {Trail} */ {points}) {
        const known = points.filter((point) => point && Number.isFinite(point[0]));
        const step = this.every > 1 ? `, a dot every ${this.every} frames` : '';
        return `${known.length} of ${points.length} frames, ${trailLength(known).toFixed(2)} m${step}`;
    }

    openMenu(/** @type {HTMLElement} */ at) {
        const wanted = this.wanted();
        openMenu([
            {text: wanted ? `Trail of the ${wanted.name}` : 'Trail of the picked part', about: wanted
                ? 'its way through the motion'
                : 'pick a part first', key: 'Shift+T', disabled: !wanted, command: 'trail-add',
                    run: () => this.toggle()},
            ...(this.list.length ? [{heading: 'Trails'}] : []),
            ...this.list.map((trail, k) => ({text: `Remove that of the ${trail.name}`, about: this.told(trail),
                icon: 'close',
                command: `trail-remove-${k}`, run: () => this.remove(k)})),
            ...(this.list.length > 1 ? [{text: 'Remove all', icon: 'close', run: () => this.clear()}] : []),
        ], at, 'Trails');
    }
}
