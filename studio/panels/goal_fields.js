// The fields that each kind of goal has in its form: place, direction, size, rotation, faces.

import {cross, fromAxes, fromRpy, toRpy, turned, unit} from '../space.js';
import {button, h, switchOf} from './dom.js';
import {numberEntry} from './entry.js';
import {assign, assignUnlessEmpty} from './form.js';
import {kindNamed} from './goal_kinds.js';
import {valueOf, vectorOf} from './units.js';

const METRES = {kind: 'length', unit: 'm'};

/** The rows that a goal's kind has. `goalIn` finds the goal in an entry of a draft. */
export function goalFields(form, goal, goalIn) {
    const kind = kindNamed(goal.kind);
    const onGoal = (apply) => (entry, value) => apply(goalIn(entry), value);
    const row = (title, key, more) => ({title, key, value: vectorOf(goal[key]), apply: onGoal(assign(key)), ...more});
    const rows = {
        point: () => form.vector(row('Point', 'point', METRES)),
        to: () => form.vector(row('To', 'to', {...METRES, label: 'Other end'})),
        direction: () => form.vector(row('Direction', 'direction', {kind: 'plain'})),
        normal: () => normalRow(form, goal, row, onGoal),
        half_size: () => form.vector(row('Half size', 'half_size', {...METRES, min: 0})),
        radius: () => form.number(row('Radius', 'radius', {...METRES, min: 0, value: valueOf(goal.radius)})),
        rotation: () => (isTurned(goal) ? directionRows(form, goal, onGoal) : rotationRow(form, goal, onGoal)),
        faces: () => facesRows(form, goal, goalIn),
    };
    const own = kind.fields.filter((name) => name in rows).flatMap((name) => rows[name]());
    return kind.isRegion && form.entry.from !== 'avoid' ? [...own, outsideRow(form, goal, onGoal)] : own;
}

const isTurned = ({kind}) => kind === 'orientation' || kind === 'frame';

/** A goal's rotation as a quaternion, however it is written; any that fits where one direction is free. */
function rotationOf(goal) {
    if (goal.quaternion) return vectorOf(goal.quaternion);
    if (goal.rpy) return fromRpy(vectorOf(goal.rpy));
    if (!goal.x && !goal.y) return [0, 0, 0, 1];
    const y = goal.y ? unit(vectorOf(goal.y)) : null;
    const x = goal.x ? unit(vectorOf(goal.x)) : unit(cross(y, besides(y)));
    const z = unit(cross(x, y ?? cross(besides(x), x)));
    return fromAxes(x, cross(z, x), z);
}

/** An axis that is not along a direction. */
const besides = (direction) => (Math.abs(direction[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);

function rotationRow(form, goal, onGoal) {
    const apply = onGoal((one, rpy) => {
        for (const key of ['quaternion', 'x', 'y', 'normal']) delete one[key];
        one.rpy = rpy;
    });
    const names = ['roll', 'pitch', 'yaw'];
    return form.vector({
        title: 'Rotation',
        key: 'rotation',
        kind: 'angle',
        unit: '°',
        names,
        value: toRpy(rotationOf(goal)),
        apply,
    });
}

/** Circles and discs have a normal, or a rotation whose z it is. */
function normalRow(form, goal, row, onGoal) {
    if (goal.rpy || goal.quaternion) return rotationRow(form, goal, onGoal);
    return form.vector(row('Normal', 'normal', {kind: 'plain', value: vectorOf(goal.normal, [0, 0, 1])}));
}

/** Orientations may leave a direction free: both, x alone, or y alone. */
function directionRows(form, goal, onGoal) {
    const which = goal.x && !goal.y ? 'x' : goal.y && !goal.x ? 'y' : 'both';
    const apply = onGoal((one, wanted) => {
        const q = rotationOf(one);
        for (const key of ['rpy', 'quaternion', 'x', 'y']) delete one[key];
        if (wanted === 'both') one.quaternion = q;
        else one[wanted] = turned(q, wanted === 'x' ? [1, 0, 0] : [0, 1, 0]);
    });
    const options = [
        ['both', 'x and y: all of it'],
        ['x', 'x alone'],
        ['y', 'y alone'],
    ];
    const choice = form.choice({
        title: 'Directions',
        label: 'Directions that matter',
        key: 'directions',
        value: which,
        options,
        apply,
    });
    if (which === 'both') return [choice, rotationRow(form, goal, onGoal)];
    const axis = {
        title: `Its ${which}`,
        label: `Direction of ${which}`,
        key: 'axis',
        kind: 'plain',
        value: vectorOf(goal[which]),
    };
    return [choice, form.vector({...axis, apply: onGoal(assign(which))})];
}

function outsideRow(form, goal, onGoal) {
    const apply = onGoal(assignUnlessEmpty('outside'));
    return switchOf({
        text: 'Stay outside of it',
        checked: Boolean(goal.outside),
        dataset: {key: 'outside'},
        onchange: (isOn) => form.edit('Side', (entry) => apply(entry, isOn)),
    });
}

/** Faces of a polyhedron: n . r <= d. */
function facesRows(form, goal, goalIn) {
    const change = (fn, merge) => form.edit('Faces', (entry) => fn(goalIn(entry).faces), merge);
    const number = (value, i, name, k) =>
        numberEntry({
            value: valueOf(value),
            label: `Face ${i + 1} ${name}`,
            key: `face ${i} ${name}`,
            onset: (to) => change((faces) => assign(k)(faces[i], to), `face ${i}`),
        });
    const face = (values, i) =>
        h(
            'div',
            {class: 'face', role: 'group', 'aria-label': `Face ${i + 1}`},
            ['nx', 'ny', 'nz', 'd'].map((name, k) => number(values[k], i, name, k)),
            button({
                icon: 'close',
                label: `Delete face ${i + 1}`,
                class: 'small bare',
                disabled: goal.faces.length < 2,
                onclick: () => change((faces) => faces.splice(i, 1)),
            }),
        );
    const more = {
        icon: 'plus',
        text: 'Face',
        class: 'small framed',
        onclick: () => change((faces) => faces.push([1, 0, 0, 2])),
    };
    const about = 'Faces: direction outwards, and distance from the origin';
    return h(
        'div',
        {class: 'faces'},
        h('span', {class: 'quiet'}, about),
        goal.faces.map(face),
        h('div', {}, button(more)),
    );
}
