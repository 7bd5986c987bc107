// The timeline: time, play, lanes of keys, ghosts. Everything that changes the document goes through store.edit.

import {h} from '../widgets/dom.js';
import {effectorFrame} from '../document/effectors.js';
import {goalFrame} from '../document/goal_frame.js';
import * as motion from '../document/motion_doc.js';
import {spoken} from '../document/names.js';
import {recall, remember} from '../store/storage.js';
import {changesOf, changesText, keyChanges, keyedChanges, withoutHeld} from './auto_key.js';
import {Ghosts} from './ghosts.js';
import {heldVariables, placesHeld} from './held.js';
import {KeyForm} from './key_form.js';
import {shownPose} from './key_actions.js';
import {KeyEditing} from './key_editing.js';
import {LaneView} from './lane_view.js';
import {lanesOf, motionText} from './lanes.js';
import {Played} from './played.js';
import {Player, counted, timeText} from './player.js';
import {Ruler} from './ruler.js';
import {Trails} from './trails.js';
import {Transport} from './transport.js';

const USUAL = {autoKey: true, ghosts: 0, ghostSpacing: 0.2, fps: 30, speed: 1, isLooping: true, isSnapping: true};
const END_LEAST = 2; // seconds shown where nothing moves yet

/** @param {HTMLElement} element @param {Store} store @param {Client} client */
export function mount(element, store, client) {
    const timeline = new Timeline(element, store, client);
    store.timeline = timeline; // for tests, and for panels that need the time
    return timeline;
}

/**
 * Where a constraint's goal is, as a key has it.
 * @param {Scene} scene @param {string} name
 */
function placeOfGoal(scene, name) {
    const constraint = scene.constraints.find((one) => one.name === name);
    if (!constraint) throw new Error(`there is no constraint "${name}"`);
    return goalFrame(constraint.goal);
}

export class Timeline {
    /** @param {HTMLElement} element @param {Store} store @param {Client} client */
    constructor(element, store, client) {
        this.element = element;
        this.store = store;
        this.client = client;
        /** @type {TimelineSettings} */
        this.settings = {...USUAL, ...recall('timeline', {})};
        /** @type {Set<string>} */
        this.opened = new Set();
        this.range = {from: 0, to: END_LEAST};
        /** @type {number | null} seconds, where the user said so */
        this.ownEnd = null;
        /** @type {{pose: Record<string, number>} | null} what was posed at this time and has no key */
        this.unkeyed = null;
        /** @type {Record<string, number>} the pose of time 0 */
        this.base = {};
        this.places = new Map(); // where parts are that constraints hold: placesHeld
        /** @type {Record<string, number>} */
        this.seen = {}; // the pose at this time as the document has it, by variable: changes are measured against it
        /** @type {Doc | null} the document that the timeline itself made last */
        this.own = null;
        /** @type {Doc | null} */
        this.doc = null;
        /** @type {Scene | null} */
        this.scene = null;
        /** @type {Lane[]} */
        this.lanes = [];
        this.isPlayed = false;
        /** @type {number | null} the time that was shown last */
        this.movedTo = null;
        /** @type {boolean | null} */
        this.wasOpen = null;
        this.marked = '';
        this.player = new Player({ask: (time) => this.ask(time), changed: (_, error) => this.moved(error)});
        this.keys = new KeyEditing(this);
        this.ghosts = new Ghosts({peek: (time) => client.call('play', {time, peek: true}),
            show: (list) => store.view?.setGhosts?.(list)});
        this.trails = new Trails(store, {peek: (time) => client.call('play', {time, peek: true}),
            span: () => ({end: this.hasMotion ? this.player.end : 0, fps: this.player.fps})});
        this.played = new Played(store, client, this);
        this.element.classList.add('tl');
        const bar = h('div', {class: 'tl-bar', role: 'toolbar', 'aria-label': 'Timeline'});
        const rulerElement = h('div', {class: 'tl-ruler'});
        const lanes = h('div', {class: 'tl-lanes', role: 'group', 'aria-label': 'Lanes'});
        this.about = h('div', {class: 'tl-about'});
        this.line = h('div', {class: 'tl-line', 'aria-hidden': 'true'});
        this.lanesElement = lanes;
        const form = h('div', {class: 'tl-form', role: 'group', 'aria-label': 'Picked keys', hidden: true});
        const head = h('div', {class: 'tl-top'}, this.about, h('div', {class: 'tl-area'}, rulerElement));
        this.body = h('div', {class: 'tl-body'}, head, lanes, this.line);
        this.element.append(bar, this.body, form);
        this.transport = new Transport(bar, this);
        this.ruler = new Ruler(rulerElement, this);
        this.laneView = new LaneView(lanes, this);
        this.form = new KeyForm(form, this);
        this.rulerElement = rulerElement;
        this.body.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
        this.element.addEventListener('keydown', (event) => this.keys.keydown(event));
        new ResizeObserver(() => this.moved()).observe(this.body);
        this.applySettings();
        this.listen();
        if (!store.doc) return;
        this.docChanged();
        if (store.cause === 'open') this.begin();
    }

    listen() {
        const {store} = this;
        store.on('doc', () => this.docChanged());
        store.on('opened', () => this.begin());
        store.on('hold', () => this.player.stop());
        store.on('play-toggle', () => this.toggle());
        store.on('play-step', (frames) => this.player.step(frames));
        store.on('trail-toggle', () => this.trails.toggle());
        store.on('key-add', () => this.keys.addKey());
        store.on('settings', () => this.settingsChanged());
    }

    get canEdit() {
        return !this.store.scene?.motion || this.store.scene.motion.kind === 'tracks';
    }

    get hasMotion() {
        return Boolean(this.store.scene?.motion);
    }

    // --- playing ----------------------------------------------------------------------------------------------------

    /**
     * Shows the pose at a time.
     * @param {number} time
     */
    async ask(time) {
        if (!this.hasMotion) return;
        const {scene: before} = this.store, frame = await this.client.call('play', {time});
        if (this.store.scene !== before) return; // another document was opened meanwhile
        if (frame.scene) this.store.setScene(frame.scene, frame); // a script's figures may change
        else this.store.setFrame(frame);
        this.isPlayed = true;
        this.note();
    }

    /** What moves by itself plays as soon as it is opened, for those who like motion; its timeline is open. */
    begin() {
        if (!this.hasMotion || this.canEdit) return;
        this.store.change({timelineOpen: true});
        if (!globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) this.player.start();
    }

    toggle() {
        if (!this.hasMotion && !this.player.isPlaying) {
            this.say('Nothing moves yet: go to a time, pose, and press K.');
            return;
        }
        if (!this.store.settings.timelineOpen) this.store.change({timelineOpen: true});
        this.player.toggle();
    }

    /**
     * The playhead, or what plays, is another.
     * @param {any} [error] whatever was thrown
     */
    moved(error = null) {
        if (error) this.store.message('error', error.message ?? String(error));
        if (this.player.time !== this.movedTo) {
            this.movedTo = this.player.time;
            this.unkeyed = null;
        }
        this.transport.update();
        this.follow();
        this.ruler.move();
        this.placeLine();
        if (!this.player.isPlaying) this.laneDots();
        this.updateGhosts();
        this.updateHint();
    }

    /** Keeps the playhead in sight. */
    follow() {
        const {time} = this.player, {from, to} = this.range;
        if (time >= from && time <= to) return;
        const span = to - from, next = Math.max(0, time > to ? time - span * 0.1 : time - span * 0.9);
        this.setRange(next, next + span);
    }

    placeLine() {
        const {from, to} = this.range, where = (this.player.time - from) / (to - from), {left, width} = this.areaBox();
        this.line.hidden = where < 0 || where > 1 || !width;
        this.line.style.transform = `translateX(${left + where * width}px)`;
    }

    /** Where the first and last time that are shown are, in pixels from the body's left. */
    areaBox() {
        const {left, width} = this.rulerElement.getBoundingClientRect();
        return {left: left - this.body.getBoundingClientRect().left, width};
    }

    updateGhosts() {
        const {ghosts: count, ghostSpacing: spacing} = this.settings, {timelineOpen, show} = this.store.settings;
        const isShown = this.hasMotion && count > 0 && timelineOpen && show.ghosts;
        if (isShown) this.ghosts.around(this.player.time, this.player.end, {count, spacing});
        else if (this.ghosts.wanted.length) this.ghosts.hide();
    }

    /** @param {string} text */
    say(text) {
        this.transport.say(text);
    }

    updateHint() {
        const {scene} = this.store, count = Object.keys(this.unkeyed?.pose ?? {}).length;
        if (count) this.say(`Posed at ${timeText(this.player.time)} s, not keyed: press K.`);
        else this.say(scene ? motionText(scene.motion) : '');
    }

    // --- settings and range -----------------------------------------------------------------------------------------

    /** @param {Partial<TimelineSettings>} changes */
    change(changes) {
        this.settings = {...this.settings, ...changes};
        remember('timeline', this.settings);
        this.applySettings();
        this.moved();
        this.ruler.update();
    }

    applySettings() {
        const {fps, speed, isLooping, isSnapping} = this.settings;
        Object.assign(this.player, {fps, isLooping, isSnapping});
        if (this.player.speed !== speed) this.player.setSpeed(speed);
    }

    settingsChanged() {
        if (!this.store.settings.timelineOpen) this.player.stop();
        if (this.wasOpen !== this.store.settings.timelineOpen) {
            this.wasOpen = this.store.settings.timelineOpen;
            this.update();
        }
        this.updateGhosts();
    }

    /** @param {number} end */
    setEnd(end) {
        this.ownEnd = end > 0 ? Math.min(end, motion.LATEST) : null;
        this.fitEnd();
        this.fit();
    }

    /** The end: what the user said, else what the motion has. */
    fitEnd() {
        const own = this.store.scene?.motion?.end ?? 0, keys = this.store.doc ? motion.motionEnd(this.store.doc) : 0;
        this.player.end = this.ownEnd ?? (Math.max(own, keys) || END_LEAST);
    }

    fit() {
        this.setRange(0, Math.max(this.player.end * 1.02, 2 / this.player.fps));
    }

    /** @param {number} from @param {number} to */
    setRange(from, to) {
        const span = Math.min(motion.LATEST, Math.max(to - from, 4 / this.player.fps)), begin = Math.max(0, from);
        this.range = {from: begin, to: begin + span};
        this.update();
    }

    /**
     * Shows `factor` as much time, about the playhead or a point of it.
     * @param {number} factor
     */
    zoom(factor, about = this.player.time) {
        const {from, to} = this.range, fixed = Math.min(to, Math.max(from, about));
        this.setRange(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        const isZoom = event.ctrlKey || event.metaKey;
        const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
        if (!isZoom && !along) return;
        event.preventDefault();
        const {from, to} = this.range;
        if (isZoom) this.zoom(Math.exp(Math.max(-50, Math.min(50, event.deltaY)) * 0.01), this.timeAt(event.clientX));
        else this.setRange(from + this.secondsOf(along), Math.max(0, from + this.secondsOf(along)) + to - from);
    }

    /** @param {number} pixels */
    secondsOf(pixels) {
        return (pixels / Math.max(1, this.rulerElement.clientWidth)) * (this.range.to - this.range.from);
    }

    /** @param {number} clientX */
    timeAt(clientX) {
        return Math.max(0, this.range.from + this.secondsOf(clientX - this.rulerElement.getBoundingClientRect().left));
    }

    /** @param {number} way */
    seekKey(way) {
        const times = motion.keyTimes(motion.tracksOf(this.store.doc)), {time} = this.player;
        const next = way > 0 ? times.find((one) => one > time + 1e-6) : times.findLast((one) => one < time - 1e-6);
        if (next !== undefined) this.player.seek(next, {snap: false});
    }

    // --- the document -----------------------------------------------------------------------------------------------

    /** @param {string} id */
    toggleLane(id) {
        if (!this.opened.delete(id)) this.opened.add(id);
        this.update();
    }

    /** Draws what depends on document and range; only while it is seen. */
    update() {
        if (!this.store.doc || !this.store.settings.timelineOpen) return;
        const {doc, scene} = this.store, shown = {opened: this.opened, end: this.player.end};
        this.lanes = lanesOf(doc, scene?.motion ?? null, shown);
        this.laneView.update(this.lanes);
        this.ruler.update();
        this.form.update();
        this.about.textContent = this.lanes.length ? counted(this.lanes.length, 'lane') : '';
        this.placeLine();
        this.transport.update();
    }

    /** The dots that say whether there is a key at this time. */
    laneDots() {
        /** @param {LaneKey} key */
        const isHere = (key) => motion.sameTime(key.time, this.player.time);
        const marked = (this.lanes ?? []).map((lane) => lane.keys.some(isHere)).join();
        if (marked !== this.marked) {
            this.marked = marked;
            this.update();
        }
    }

    docChanged() {
        const {doc, scene, cause} = this.store, before = this.doc;
        this.doc = doc;
        const {scene: sceneBefore} = this;
        this.scene = scene;
        this.ghosts.clear();
        this.keys.picked = this.keys.picked.filter((ref) => motion.resolveKeys(doc, [ref]).length);
        if (cause === 'open') this.reset();
        const wasEnd = this.player.end;
        this.fitEnd();
        if (cause === 'open' || this.player.end > wasEnd + 1e-9 && this.range.to < this.player.end) this.fit();
        if (cause === 'edit' && doc !== this.own && before && sceneBefore) this.edited(before, sceneBefore);
        else {
            this.unkeyed = null;
            this.base = {...doc.start};
            this.note();
            this.replay();
        }
        if (cause === 'open') this.trails.clear();
        else if (this.trails.list.length) this.trails.changed();
        this.update();
        this.moved();
    }

    /** Another document: from the beginning. */
    reset() {
        this.player.stop();
        this.player.time = 0;
        this.ownEnd = null;
        this.keys.picked = [];
        this.opened.clear();
        // What moves is shown as it is at time 0, solved; a clip's file has a pose of its own (a GLB that was posed).
        const moving = this.store.scene?.motion;
        this.isPlayed = Boolean(moving) && moving?.kind !== 'clip';
        if (moving && moving.frameTime > 0 && moving.kind === 'clip') {
            this.player.fps = Math.round(1 / moving.frameTime) || 30;
        }
    }

    /** Another animation of the same file plays. */
    another() {
        this.reset();
        this.fitEnd();
        this.fit();
        this.ghosts.clear();
        this.trails.changed();
        this.moved();
    }

    /**
     * Somebody else changed the document: what that means at this time.
     * @param {Doc} before @param {Scene} sceneBefore
     */
    edited(before, sceneBefore) {
        const {doc} = this.store, {time} = this.player;
        const changes = withoutHeld(changesOf(before, doc, this.seen), this.held());
        const what = time > 0 ? changes : keyedChanges(doc, changes);
        const isWanted = this.canEdit && this.store.settings.timelineOpen && !what.isEmpty;
        if (isWanted && this.settings.autoKey) {
            this.autoKey(before, sceneBefore, time, what);
        } else if (isWanted && Object.keys(what.pose).length) {
            this.unkeyed = {pose: what.pose};
        } else {
            this.note();
            if (time === 0 || !this.hasMotion) this.base = {...doc.start};
            if (changes.isEmpty) this.replay();
        }
    }

    /** What is seen is the pose at this time, as the document has it. */
    note() {
        this.seen = shownPose(this.store);
        this.places = placesHeld(this.store.scene, this.store.frame);
    }

    /** Variables that keys of a pose leave to the solver. */
    held() {
        const {doc, scene, frame} = this.store;
        return heldVariables(doc, scene, frame, this.places, this.player.time);
    }

    /** @param {Doc} before @param {Scene} sceneBefore @param {number} time @param {Changes} changes */
    autoKey(before, sceneBefore, time, changes) {
        /** @param {string} name */
        const frames = (name) => placeOfGoal(this.store.scene, name);
        /** @param {string} name */
        const framesBefore = (name) => placeOfGoal(sceneBefore, name);
        const base = time > 0 ? this.base : {};
        const places = {base, frames, framesBefore};
        /** @param {Doc} draft */
        const make = (draft) => keyChanges(draft, before, time, changes, places);
        this.edit(`Key ${changesText(changes)}`, make, {join: true});
    }

    /** Whether what is changed now becomes a key. */
    get isKeying() {
        return this.canEdit && this.settings.autoKey && this.store.settings.timelineOpen && this.player.time > 0;
    }

    /**
     * A pin, at a time of the motion, lets go of its part from here on, or takes hold of it again where it is now;
     * null where that is not what pinning means: the timeline is closed, or at its beginning.
     * @param {string} name
     */
    togglePin(name) {
        if (!this.isKeying) return null;
        const {doc, scene, frame} = this.store, {time} = this.player;
        const pin = doc.constraints.find((one) => one.name === name);
        const part = pin && effectorFrame(scene, frame, pin.effector);
        if (!part) return null;
        if (motion.isEnabledAt(doc, name, time)) {
            return this.edit(`Let go of ${spoken(name.slice(4))}`, (draft) => motion.keyPinOff(draft, name, time));
        }
        const place = {point: [...part.position], quaternion: [...part.rotation]};
        const before = placeOfGoal(scene, name);
        return this.edit(`Hold ${spoken(name.slice(4))}`, (draft) => motion.keyPinOn(draft, name, time, place, before));
    }

    /** The pose at the present time, again: the motion changed. */
    replay() {
        if (this.hasMotion && (this.player.time > 0 || this.isPlayed)) this.player.refresh();
    }

    /**
     * Edits the document as the timeline; fn may return references to the keys that it made: they are picked.
     * @param {string} label @param {(draft: Doc) => unknown} fn
     */
    async edit(label, fn, options = {}) {
        /** @type {unknown} */
        let made = null;
        const isDone = await this.store.edit(label, (draft) => {
            this.own = draft;
            made = fn(draft);
            return made === false ? false : undefined;
        }, options);
        if (isDone && Array.isArray(made)) this.keys.pick(made);
        return isDone;
    }
}
