// The timeline's buttons: play, step, time and end, speed, loop, snap, keys, ghosts, zoom.

import {button, h} from '../panels/dom.js';
import {openMenu} from '../panels/menu.js';
import {symbol} from './symbols.js';
import {SPEEDS, timeText} from './player.js';

const RATES = [12, 24, 25, 30, 50, 60, 120];

/** A button with one of the timeline's own symbols. */
function tool(name, label, key, run, properties = {}) {
    return button({label, key, class: 'small bare', onclick: run, ...properties}, symbol(name));
}

const group = (label, ...children) => h('div', {class: 'tl-group', role: 'group', 'aria-label': label}, ...children);

/** A button that is on or off. */
function toggle(name, text, label, run) {
    return button({label, class: 'small tl-toggle', onclick: run}, symbol(name), h('span', {class: 'tl-word'}, text));
}

/** A number of seconds to be typed. */
function seconds(label, key, change) {
    const input = h('input', {type: 'text', inputmode: 'decimal', class: 'entry number tl-seconds', 'aria-label': label,
        title: label, autocomplete: 'off', dataset: {key},
        onkeydown: (event) => {
            event.stopPropagation();
            if (event.key === 'Enter') input.blur();
            if (event.key === 'Escape') {
                input.value = input.dataset.was;
                input.blur();
            }
        },
        onchange: () => {
            const value = Number(input.value.replace(',', '.'));
            if (Number.isFinite(value) && value >= 0) change(value);
            else input.value = input.dataset.was;
        }});
    return input;
}

function setSeconds(input, value) {
    if (document.activeElement === input) return;
    const text = timeText(value);
    if (input.dataset.was !== text || input.value !== text) input.value = input.dataset.was = text;
}

function choice(label, values, text, change) {
    return h('select', {class: 'entry tl-select', 'aria-label': label, title: label,
        onchange: (event) => change(Number(event.target.value))},
    values.map((value) => h('option', {value: String(value)}, text(value))));
}

export class Transport {
    /**
     * @param {HTMLElement} element
     * @param {object} timeline what it commands: timeline.js
     */
    constructor(element, timeline) {
        this.timeline = timeline;
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
        this.key = button({text: 'Key', label: 'Add a key at this time', key: 'K', class: 'small framed tl-add',
            dataset: {timeline: 'key'}, onclick: () => timeline.addKey()}, symbol('key'));
        this.keyMore = tool('caret', 'Which key?', null, () => timeline.openKeyMenu(this.keyMore),
            {'aria-haspopup': 'menu', class: 'small framed bare tl-more'});
        this.keys = group('Keys', this.auto, h('span', {class: 'tl-split'}, this.key, this.keyMore));
        this.played = this.playedGroup(timeline.played);
        this.hint = h('span', {class: 'tl-hint', role: 'status'});
        element.append(
            group('Play',
                tool('first', 'To the beginning', 'Home', () => player.seek(0)),
                tool('back-key', 'To the key before', null, () => timeline.seekKey(-1), {class: 'small bare tl-jump'}),
                tool('back', 'One frame back', ',', () => player.step(-1), {dataset: {timeline: 'back'}}), this.play,
                tool('forth', 'One frame forth', '.', () => player.step(1), {dataset: {timeline: 'forth'}}),
                tool('forth-key', 'To the next key', null, () => timeline.seekKey(1), {class: 'small bare tl-jump'})),
            group('Time', this.time, h('span', {class: 'quiet'}, '/'), this.end, h('span', {class: 'quiet'}, 's'),
                this.speed, this.rate),
            group('Ways to play', this.loop, this.snap, this.ghosts),
            this.hint,
            this.keys, this.played,
            group('Zoom',
                tool('minus', 'Show more time', null, () => timeline.zoom(1.5)),
                tool('fit', 'Show all', null, () => timeline.fit()),
                tool('plus', 'Show less time', null, () => timeline.zoom(1 / 1.5))));
    }

    /** What can be done with a script or motion capture. */
    playedGroup(played) {
        const more = (text, about, name, open) => {
            const element = button({text, label: about, class: 'small framed', 'aria-haspopup': 'menu',
                dataset: {timeline: name}, onclick: () => open(element)});
            return element;
        };
        this.retarget = more('Retarget', 'Another figure does what this one does', 'retarget',
            (at) => played.openRetargetMenu(at));
        this.animation = h('select', {class: 'entry tl-select', 'aria-label': 'Animation', title: 'Animation',
            hidden: true, onchange: (event) => played.choose(event.target.value)});
        return group('What plays', this.animation,
            button({text: 'Take this frame', label: 'This frame becomes the start pose', class: 'small framed',
                dataset: {timeline: 'take'}, onclick: () => played.takeFrame()}),
            more('Make keys', 'Make keys of it, which can be changed', 'bake', (at) => played.openKeysMenu(at)),
            this.retarget);
    }

    /** The names of a file's animations, where there are several. */
    updateAnimations(list) {
        const names = list.map((one) => one.name ?? one);
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

    /** A line beside the buttons: what is posed but not keyed, what plays. */
    say(text) {
        if (this.hint.textContent !== text) this.hint.textContent = text;
    }

    openGhosts() {
        const {settings} = this.timeline, change = (changes) => () => this.timeline.change(changes);
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
