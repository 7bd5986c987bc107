// The timeline's buttons: play, step, time and end, speed, loop, snap, keys, ghosts, zoom.

import {button, focused, h} from '../widgets/dom.js';
import {openMenu} from '../widgets/menu.js';
import {symbol} from './symbols.js';
import {SPEEDS, timeText} from './player.js';

const RATES = [12, 24, 25, 30, 50, 60, 120];

/**
 * A button with one of the timeline's own symbols.
 * @param {SymbolName} name @param {string} label @param {string | null} key @param {() => unknown} run
 */
function tool(name, label, key, run, properties = {}) {
    return button({label, key, class: 'small bare', onclick: run, ...properties}, symbol(name));
}

/** @param {string} label @param {...Child} children */
const group = (label, ...children) => h('div', {class: 'tl-group', role: 'group', 'aria-label': label}, ...children);

/**
 * A button that is on or off.
 * @param {SymbolName} name @param {string} text @param {string} label @param {() => unknown} run
 */
function toggle(name, text, label, run) {
    return button({label, class: 'small tl-toggle', onclick: run}, symbol(name), h('span', {class: 'tl-word'}, text));
}

/**
 * A number of seconds to be typed.
 * @param {string} label @param {string} key @param {(value: number) => unknown} change
 */
function seconds(label, key, change) {
    const input = h('input', {type: 'text', inputmode: 'decimal', class: 'entry number tl-seconds', 'aria-label': label,
        title: label, autocomplete: 'off', dataset: {key},
        onkeydown: (event) => {
            event.stopPropagation();
            if (event.key === 'Enter') input.blur();
            if (event.key === 'Escape') {
                input.value = input.dataset.was ?? '';
                input.blur();
            }
        },
        onchange: () => {
            const value = Number(input.value.replace(',', '.'));
            if (Number.isFinite(value) && value >= 0) change(value);
            else input.value = input.dataset.was ?? '';
        }});
    return input;
}

/** @param {HTMLInputElement} input @param {number} value */
function setSeconds(input, value) {
    if (focused() === input) return;
    const text = timeText(value);
    if (input.dataset.was !== text || input.value !== text) input.value = input.dataset.was = text;
}

/**
 * @param {string} label @param {number[]} values @param {(value: number) => string} text
 * @param {(value: number) => unknown} change
 */
function choice(label, values, text, change) {
    return h('select', {class: 'entry tl-select', 'aria-label': label, title: label,
        onchange: (event) => change(Number(event.target.value))},
    values.map((value) => h('option', {value: String(value)}, text(value))));
}

export class Transport {
    /**
     * @param {HTMLElement} element
     * @param {Timeline} timeline what it commands: timeline.js
     */
    constructor(element, timeline) {
        this.timeline = timeline;
        this.wasPlaying = false;
        this.animationNames = '';
        const {player} = timeline;
        this.play = tool('play', 'Play', 'Space', () => timeline.toggle(),
            {class: 'tl-play small bare', dataset: {timeline: 'play'}});
        this.time = seconds('Time (seconds)', 'tl-time', (value) => player.seek(value, {snap: false}));
        this.end = seconds('End (seconds)', 'tl-end', (value) => timeline.setEnd(value));
        this.speed = choice('Speed', SPEEDS, (value) => `${value}×`, (value) => timeline.change({speed: value}));
        this.rate = choice('Frames per second', RATES, (value) => `${value} fps`,
            (value) => timeline.change({fps: value}));
        this.rate.classList.add('tl-rate');
        this.loop = toggle('loop', 'Loop', 'Play again from the beginning at the end',
            () => timeline.change({isLooping: !player.isLooping}));
        this.snap = toggle('snap', 'Snap', 'Times snap to frames',
            () => timeline.change({isSnapping: !player.isSnapping}));
        this.auto = toggle('record', 'Auto-key', 'What you pose, move or switch at a time becomes a key there',
            () => timeline.change({autoKey: !timeline.settings.autoKey}));
        this.ghosts = toggle('ghosts', 'Ghosts', 'Ghosts: how many, and how far apart', () => this.openGhosts());
        this.trails = toggle('trails', 'Trails', 'Trails: the way of parts through the motion',
            () => timeline.trails.openMenu(this.trails));
        timeline.store.on('trails', () => {
            this.trails.setAttribute('aria-pressed', String(timeline.trails.list.length > 0));
        });
        this.key = button({text: 'Key', label: 'Add a key at this time', key: 'K', class: 'small framed tl-add',
            dataset: {timeline: 'key'}, onclick: () => timeline.keys.addKey()}, symbol('key'));
        this.keyMore = tool('caret', 'Which key?', null, () => timeline.keys.openKeyMenu(this.keyMore),
            {'aria-haspopup': 'menu', class: 'small framed bare tl-more'});
        this.keys = group('Keys', this.auto, h('span', {class: 'tl-split'}, this.key, this.keyMore));
        this.retarget = this.more('Retarget', 'Another figure does what this one does', 'retarget',
            (at) => timeline.played.openRetargetMenu(at));
        this.animation = h('select', {class: 'entry tl-select', 'aria-label': 'Animation', title: 'Animation',
            hidden: true, onchange: (event) => timeline.played.choose(event.target.value)});
        this.played = this.playedGroup(timeline.played);
        this.hint = h('span', {class: 'tl-hint', role: 'status'});
        element.append(
            group('Play',
                tool('first', 'To the beginning', 'Home', () => player.seek(0), {class: 'small bare tl-first'}),
                tool('back-key', 'To the key before', null, () => timeline.seekKey(-1), {class: 'small bare tl-jump'}),
                tool('back', 'One frame back', ',', () => player.step(-1), {dataset: {timeline: 'back'}}), this.play,
                tool('forth', 'One frame forth', '.', () => player.step(1), {dataset: {timeline: 'forth'}}),
                tool('forth-key', 'To the next key', null, () => timeline.seekKey(1), {class: 'small bare tl-jump'})),
            group('Time', this.time, h('span', {class: 'quiet'}, '/'), this.end, h('span', {class: 'quiet'}, 's'),
                this.speed, this.rate),
            group('Ways to play', this.loop, this.snap, this.ghosts, this.trails),
            this.hint,
            this.keys, this.played,
            group('Zoom',
                tool('minus', 'Show more time', null, () => timeline.zoom(1.5)),
                tool('fit', 'Show all', null, () => timeline.fit()),
                tool('plus', 'Show less time', null, () => timeline.zoom(1 / 1.5))));
    }

    /**
     * A button that opens a menu.
     * @param {string} text @param {string} about @param {string} name @param {(at: HTMLElement) => unknown} open
     */
    more(text, about, name, open) {
        const element = button({text, label: about, class: 'small framed', 'aria-haspopup': 'menu',
            dataset: {timeline: name}});
        element.addEventListener('click', () => open(element));
        return element;
    }

    /**
     * What can be done with a script or motion capture.
     * @param {import('./played.js').Played} played
     */
    playedGroup(played) {
        return group('What plays', this.animation,
            button({text: 'Take this frame', label: 'This frame becomes the start pose', class: 'small framed',
                dataset: {timeline: 'take'}, onclick: () => played.takeFrame()}),
            this.more('Make keys', 'Make keys of it, which can be changed', 'bake', (at) => played.openKeysMenu(at)),
            this.retarget);
    }

    /**
     * The names of a file's animations, where there are several.
     * @param {string[]} list
     */
    updateAnimations(list) {
        const names = list;
        this.animation.hidden = names.length < 2;
        if (names.join() === this.animationNames) return;
        this.animationNames = names.join();
        this.animation.replaceChildren(...names.map((name) => h('option', {value: name}, name)));
    }

    /** Shows the state as it is. */
    update() {
        const {player, settings, canEdit} = this.timeline;
        if (this.wasPlaying !== player.isPlaying) {
            this.wasPlaying = player.isPlaying;
            this.play.replaceChildren(symbol(player.isPlaying ? 'pause' : 'play'));
            this.play.setAttribute('aria-label', player.isPlaying ? 'Pause' : 'Play');
            this.play.title = `${player.isPlaying ? 'Pause' : 'Play'} (Space)`;
        }
        setSeconds(this.time, player.time);
        setSeconds(this.end, player.end);
        this.speed.value = String(player.speed);
        if (![...this.rate.options].some((option) => option.value === String(player.fps))) {
            this.rate.append(h('option', {value: String(player.fps)}, `${player.fps} fps`)); // a clip's own
        }
        this.rate.value = String(player.fps);
        this.loop.setAttribute('aria-pressed', String(player.isLooping));
        this.snap.setAttribute('aria-pressed', String(player.isSnapping));
        this.auto.setAttribute('aria-pressed', String(settings.autoKey));
        this.ghosts.setAttribute('aria-pressed', String(settings.ghosts > 0));
        const motion = this.timeline.store.scene?.motion;
        this.keys.hidden = !canEdit;
        this.played.hidden = canEdit;
        this.retarget.hidden = motion?.kind !== 'clip';
        this.updateAnimations(motion?.animations ?? []);
    }

    /**
     * A line beside the buttons: what is posed but not keyed, what plays.
     * @param {string} text
     */
    say(text) {
        if (this.hint.textContent !== text) this.hint.textContent = text;
    }

    openGhosts() {
        const {settings} = this.timeline;
        /** @param {Partial<TimelineSettings>} changes */
        const change = (changes) => () => this.timeline.change(changes);
        /** @param {number} a @param {number} b */
        const near = (a, b) => Math.abs(a - b) < 1e-9;
        openMenu([
            {heading: 'Before and after'},
            {text: 'None', checked: settings.ghosts === 0, run: change({ghosts: 0})},
            ...[1, 2, 3, 5].map((count) => ({text: count === 1 ? 'One each' : `${count} each`,
                checked: settings.ghosts === count, run: change({ghosts: count})})),
            {heading: 'Apart by'},
            ...[0.05, 0.1, 0.2, 0.5, 1].map((spacing) => ({text: `${spacing} s`,
                checked: near(settings.ghostSpacing, spacing),
                run: change({ghostSpacing: spacing, ghosts: settings.ghosts || 2})})),
        ], this.ghosts, 'Ghosts');
    }
}
