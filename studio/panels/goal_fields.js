// The fields that each kind of goal has in its form: place, direction, size, rotation, faces.

import {cross, rotate, rotationFromAxes, rotationFromRpy, rotationToRpy, unit} from '../math/vector.js';
import {button, h, switchOf} from '../widgets/dom.js';
import {numberEntry} from '../widgets/entry.js';
import {assign, assignUnlessEmpty} from '../widgets/form.js';
import {kindNamed} from '../document/goal_kinds.js';
import {valueOf, vectorOf} from '../document/units.js';

/** @type {Partial<Row>} */
const METRES = {kind: 'length', unit: 'm'};

/**
 * Finds the goal in an entry of a draft; any: a constraint has it as its goal, what is avoided as its obstacle.
 * @typedef {(entry: any) => DocGoal} GoalIn
 */

/**
 * The rows that a goal's kind has. `goalIn` finds the goal in an entry of a draft.
 * @param {Form} form @param {DocGoal} goal @param {GoalIn} goalIn
 */
export function goalFields(form, goal, goalIn) {
    const kind = kindNamed(goal.kind);
    /** @type {OnGoal} */
    const onGoal = (apply) => (entry, value) => apply(goalIn(entry), value);
    /** @type {RowMaker} */
    const row = (title, key, more) => ({
        title,
        key,
        value: vectorOf(goal[/** @type {keyof DocGoal} */ (key)]),
        apply: onGoal(assign(key)),
        ...more,
    });
    /** @type {Record<string, () => HTMLElement | HTMLElement[]>} */
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

/** @param {DocGoal} of */
const isTurned = ({kind}) => kind === 'orientation' || kind === 'frame';

/**
 * A goal's rotation as a quaternion, however it is written; any that fits where one direction is free.
 * @param {DocGoal} goal
 */
function rotationOf(goal) {
    if (goal.quaternion) return vectorOf(goal.quaternion);
    if (goal.rpy) return rotationFromRpy(vectorOf(goal.rpy));
    if (!goal.x && !goal.y) return [0, 0, 0, 1];
    const y = goal.y ? unit(vectorOf(goal.y), [0, 1, 0]) : null;
    const free = y ? unit(cross(y, besides(y))) : [1, 0, 0];
    const x = goal.x ? unit(vectorOf(goal.x), [1, 0, 0]) : free;
    const z = unit(cross(x, y ?? cross(besides(x), x)), [0, 0, 1]);
    return rotationFromAxes(x, cross(z, x), z);
}

/**
 * An axis that is not along a direction.
 * @param {Vec} direction
 */
const besides = (direction) => (Math.abs(direction[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);

/** @param {Form} form @param {DocGoal} goal @param {OnGoal} onGoal */
function rotationRow(form, goal, onGoal) {
    const apply = onGoal((one, rpy) => {
        for (const key of /** @type {const} */ (['quaternion', 'x', 'y', 'normal'])) delete one[key];
        one.rpy = rpy;
    });
    const names = ['roll', 'pitch', 'yaw'];
    return form.vector({
        title: 'Rotation',
        key: 'rotation',
        kind: 'angle',
        unit: '°',
        names,
        value: rotationToRpy(rotationOf(goal)),
        apply,
    });
}

/**
 * Circles and discs have a normal, or a rotation whose z it is.
 * @param {Form} form @param {DocGoal} goal @param {RowMaker} row @param {OnGoal} onGoal
 */
function normalRow(form, goal, row, onGoal) {
    if (goal.rpy || goal.quaternion) return rotationRow(form, goal, onGoal);
    return form.vector(row('Normal', 'normal', {kind: 'plain', value: vectorOf(goal.normal, [0, 0, 1])}));
}

/**
 * Orientations may leave a direction free: both, x alone, or y alone.
 * @param {Form} form @param {DocGoal} goal @param {OnGoal} onGoal
 */
function directionRows(form, goal, onGoal) {
    const which = goal.x && !goal.y ? 'x' : goal.y && !goal.x ? 'y' : 'both';
    const apply = onGoal((one, /** @type {'both' | 'x' | 'y'} */ wanted) => {
        const q = rotationOf(one);
        for (const key of /** @type {const} */ (['rpy', 'quaternion', 'x', 'y'])) delete one[key];
        if (wanted === 'both') one.quaternion = q;
        else one[wanted] = rotate(q, wanted === 'x' ? [1, 0, 0] : [0, 1, 0]);
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
    /** @type {Row} */
    const axis = {
        title: `Its ${which}`,
        label: `Direction of ${which}`,
        key: 'axis',
        kind: 'plain',
        value: vectorOf(goal[which]),
    };
    return [choice, form.vector({...axis, apply: onGoal(assign(which))})];
}

/** @param {Form} form @param {DocGoal} goal @param {OnGoal} onGoal */
function outsideRow(form, goal, onGoal) {
    const apply = onGoal(assignUnlessEmpty('outside'));
    return switchOf({
        text: 'Stay outside of it',
        checked: Boolean(goal.outside),
        dataset: {key: 'outside'},
        onchange: (isOn) => form.edit('Side', (entry) => apply(entry, isOn)),
    });
}

/**
 * Faces of a polyhedron: n . r <= d.
 * @param {Form} form @param {DocGoal} goal @param {GoalIn} goalIn
 */
function facesRows(form, goal, goalIn) {
    const {faces: all = []} = goal;
    /** @param {(faces: Measure[][]) => unknown} fn @param {string} [merge] */
    const change = (fn, merge) =>
        form.edit('Faces', (entry) => fn(/** @type {Measure[][]} */ (goalIn(entry).faces)), merge);
    /** @param {Measure} value @param {number} i @param {string} name @param {number} k */
    const number = (value, i, name, k) =>
        numberEntry({
            value: valueOf(value),
            label: `Face ${i + 1} ${name}`,
            key: `face ${i} ${name}`,
            onset: (to) => change((faces) => assign(String(k))(faces[i], to), `face ${i}`),
        });
    /** @param {Measure[]} values @param {number} i */
    const face = (values, i) =>
        h(
            'div',
            {class: 'face', role: 'group', 'aria-label': `Face ${i + 1}`},
            ['nx', 'ny', 'nz', 'd'].map((name, k) => number(values[k], i, name, k)),
            button({
                icon: 'close',
                label: `Delete face ${i + 1}`,
                class: 'small bare',
                disabled: all.length < 2,
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
        all.map(face),
        h('div', {}, button(more)),
    );
}
