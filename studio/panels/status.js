// The status line: what came of the last solve, in words and figures.

import {h} from '../widgets/dom.js';
import {icon} from '../widgets/icons.js';
import {formatAngle, formatLength} from '../document/units.js';
import {worstGoal} from '../document/entries.js';

/**
 * Shows the frame's outcome in an element.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const sign = h('span', {class: 'state idle'}, icon('idle'));
    const said = h('span', {id: 'explanation'}, 'Ready');
    const worst = h('span', {id: 'worst'});
    const value = h('span', {class: 'optional', id: 'objective'});
    const time = h('span', {class: 'optional', id: 'solve-time'});
    element.append(h('div', {class: 'said'}, sign, said), h('div', {class: 'figures'}, worst, time, value));
    let due = null;
    const show = () => {
        due = null;
        const {frame, scene} = store;
        if (!frame || !scene) return;
        const state = stateOf(frame);
        const isPlayed = isPlayback(frame);
        // What is read out is what came of it.
        element.setAttribute('aria-live', frame.drag || isPlayed ? 'off' : 'polite');
        sign.className = `state ${state}`;
        sign.replaceChildren(icon(state));
        setText(said, sentenceOf(frame, scene));
        said.title = said.textContent;
        const bad = worstGoal(scene, frame);
        setParts(worst, bad ? ['worst ', h('b', {}, bad.name), ` ${residualText(bad)}`] : []);
        setParts(value, isPlayed ? [] : ['G ', h('b', {}, formatValue(frame.value))]);
        setParts(
            time,
            !isPlayed && Number.isFinite(frame.time_us) && frame.time_us > 0
                ? ['solved in ', h('b', {}, formatTime(frame.time_us)), ` · ${frame.iterations ?? 0} it.`]
                : [],
        );
    };
    // While something is dragged frames come faster than they can be read.
    store.on('frame', () => {
        due ??= setTimeout(show, 60);
    });
}

/** @param {HTMLSpanElement} element @param {string} text */
function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLSpanElement} element @param {(string | HTMLElement)[]} parts */
function setParts(element, parts) {
    element.replaceChildren(...parts);
}

/** @param {PoseFrame} frame */
function stateOf(frame) {
    if (frame.drag && frame.drag.distance > 1e-3) return 'unmet';
    const counted = frame.constraints.filter((constraint) => constraint.counted !== false);
    if (!counted.length) return 'idle';
    return counted.every((constraint) => constraint.met) ? 'met' : 'unmet';
}

/**
 * Whether a frame is of motion capture or a script, which play as they are and ask nobody.
 * @param {PoseFrame} frame
 */
export function isPlayback({time, drag, outcome, constraints}) {
    return time !== undefined && outcome === 'posed' && !drag && constraints.every(({counted}) => counted === false);
}

/** @param {PoseFrame} frame @param {Scene} scene */
function sentenceOf(frame, scene) {
    const counted = frame.constraints.filter((constraint) => constraint.counted !== false);
    const names = scene.figures.map((figure) => figure.name).join(', ');
    if (isPlayback(frame)) return frame.explanation;
    if (!counted.length && !frame.drag && frame.stance) return capital(frame.stance);
    if (!counted.length && !frame.drag) return `${names}: nothing is asked yet. Drag a part, or add a goal.`;
    if (frame.explanation) return capital(frame.explanation);
    const unmet = counted.filter((constraint) => !constraint.met);
    if (!unmet.length) return `All ${counted.length} goals are met`;
    return `${unmet.length} of ${counted.length} goals are not met`;
}

/** @param {string} text */
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * How far a constraint is from being met, as people read it: `12 mm`, `3.1°`, or both.
 * @param {{met?: boolean, distance: number, angle: number}} of @param {boolean} [isTurn]
 */
export function residualText({distance, angle, met = true}, isTurn = false) {
    const parts = [formatLength(distance || 0), formatAngle(angle || 0)].filter((text) => !/^-?0 ?(mm|°)$/.test(text));
    const least = met ? '0' : '< 0.1'; // of what is within its tolerance, and of what is not quite
    return parts.join(' · ') || (isTurn ? `${least}°` : `${least} mm`);
}

/** @param {number} value */
function formatValue(value) {
    if (!Number.isFinite(value)) return '–';
    if (value === 0) return '0';
    return value < 1e-3 ? value.toExponential(2) : value.toPrecision(3);
}

/** @param {number} us */
function formatTime(us) {
    return us < 1000 ? `${us.toFixed(0)} µs` : us < 1e6 ? `${(us / 1000).toFixed(2)} ms` : `${(us / 1e6).toFixed(2)} s`;
}
