// The kinds of goals: what each means, the fields it has, and where a new one starts: around the end-effector as it is
// now, so that it is met and nothing jumps.

import {add, rotate, rotationToRpy, scale} from '../math/vector.js';
import {vectorOf} from './units.js';

const RIM = 0.18; // m, the radius of a new circle, which the effector is on
const AHEAD = 0.2; // m that obstacles start before the effector

/** @param {number} value */
const round = (value) => Math.round(value * 1e4) / 1e4;
/** @param {number[]} list */
const rounded = (list) => list.map(round);
/** @param {Quat} rotation */
const rpyOf = (rotation) => rotationToRpy(rotation).map((angle) => Math.round(angle * 1e5) / 1e5);
/** @param {Frame} at */
const here = (at) => rounded(at.position);

/**
 * In the order of the menu.
 * @typedef {{kind: string, title: string, about: string, fields: string[], isRegion?: boolean,
 *     make: (at: Frame) => Partial<DocGoal>}} GoalKind isRegion: may be turned outside; make: a new one at a place
 * @type {GoalKind[]}
 */
export const GOAL_KINDS = [
    {
        kind: 'position',
        title: 'Position',
        about: 'the point is at a point',
        fields: ['point'],
        make: (at) => ({point: here(at)}),
    },
    {
        kind: 'orientation',
        title: 'Orientation',
        about: 'faces a given way, wherever it is',
        fields: ['rotation', 'degrees'],
        make: (at) => ({rpy: rpyOf(at.rotation)}),
    },
    {
        kind: 'frame',
        title: 'Frame',
        about: 'position and orientation together',
        fields: ['point', 'rotation', 'position_weight', 'degrees'],
        make: (at) => ({point: here(at), rpy: rpyOf(at.rotation)}),
    },
    {
        kind: 'aim',
        title: 'Aim',
        about: 'its x axis points at a point',
        fields: ['point', 'degrees'],
        make: (at) => ({point: rounded(add(at.position, scale(rotate(at.rotation, [1, 0, 0]), 0.6)))}),
    },
    {
        kind: 'line',
        title: 'Line',
        about: 'anywhere along a line',
        fields: ['point', 'direction'],
        make: (at) => ({point: here(at), direction: [0, 1, 0]}),
    },
    {
        kind: 'plane',
        title: 'Plane',
        about: 'anywhere on a plane',
        fields: ['point', 'normal'],
        make: (at) => ({point: here(at), normal: [0, 0, 1]}),
    },
    {
        kind: 'half-space',
        title: 'Half-space',
        about: 'on one side of a plane',
        fields: ['point', 'normal'],
        make: (at) => ({point: rounded(add(at.position, [0, 0, -0.05])), normal: [0, 0, 1]}),
    },
    {
        kind: 'box',
        title: 'Box',
        about: 'inside a box',
        fields: ['point', 'half_size', 'rotation'],
        isRegion: true,
        make: (at) => ({point: here(at), half_size: [0.06, 0.1, 0.06]}),
    },
    {
        kind: 'sphere',
        title: 'Sphere',
        about: 'inside a ball',
        fields: ['point', 'radius'],
        isRegion: true,
        make: (at) => ({point: here(at), radius: 0.08}),
    },
    {
        kind: 'capsule',
        title: 'Capsule',
        about: 'near a stretch between two points',
        fields: ['point', 'to', 'radius'],
        isRegion: true,
        make: (at) => ({point: here(at), to: rounded(add(at.position, [0, 0, 0.25])), radius: 0.04}),
    },
    {
        kind: 'circle',
        title: 'Circle',
        about: 'on the rim of a circle, like a wheel',
        fields: ['point', 'radius', 'normal'],
        make: (at) => ({point: rounded(add(at.position, [0, 0, -RIM])), radius: RIM, normal: [1, 0, 0]}),
    },
    {
        kind: 'disc',
        title: 'Disc',
        about: 'anywhere on a disc',
        fields: ['point', 'radius', 'normal'],
        isRegion: true,
        make: (at) => ({point: here(at), radius: 0.12, normal: [1, 0, 0]}),
    },
    {
        kind: 'polyhedron',
        title: 'Polyhedron',
        about: 'inside a convex shape given by its faces',
        fields: ['faces'],
        isRegion: true,
        make: (at) => ({faces: roof(here(at), 0.1)}),
    },
];

/** What may be kept out of: obstacles. */
export const OBSTACLE_KINDS = ['half-space', 'box', 'sphere', 'capsule', 'polyhedron'];

/** @param {string} kind */
export const kindNamed = (kind) => GOAL_KINDS.find((other) => other.kind === kind) ?? GOAL_KINDS[0];

/**
 * A goal of a kind for an end-effector that is `at` {position, rotation}.
 * @param {string} kind @param {Frame} at
 */
export function newGoal(kind, at) {
    return {kind, ...kindNamed(kind).make(at)};
}

/**
 * An obstacle of a kind, in front of what is `at` {position, rotation}.
 * @param {string} kind @param {Frame} at
 */
export function newObstacle(kind, at) {
    const ahead = kind === 'half-space' ? at.position : add(at.position, [AHEAD, 0, 0]);
    return newGoal(kind, {...at, position: ahead});
}

/**
 * A small tent with a floor: five faces n . r <= d about a point.
 * @param {Vec} centre @param {number} size
 */
function roof(centre, size) {
    const slope = Math.SQRT1_2;
    const normals = [
        [0, 0, -1],
        [slope, 0, slope],
        [-slope, 0, slope],
        [0, 1, 0],
        [0, -1, 0],
    ];
    return normals.map((n) => rounded([...n, n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2] + size]));
}

/**
 * Another kind for a goal, with what the two have in common: place, size, directions.
 * @param {DocGoal} goal @param {string} kind @param {Frame} at
 */
export function changedKind(goal, kind, at) {
    /** @type {DocGoal} */
    const fresh = newGoal(kind, at);
    const own = Object.entries(goal).filter(([key, value]) => key !== 'kind' && key in fresh && value !== undefined);
    Object.assign(fresh, Object.fromEntries(own));
    const direction = goal.normal ?? goal.direction;
    if (direction && 'normal' in fresh) fresh.normal = direction;
    if (direction && 'direction' in fresh) fresh.direction = direction;
    if (goal.quaternion && 'rpy' in fresh) fresh.rpy = rpyOf(vectorOf(goal.quaternion));
    if (goal.relative_to !== undefined) fresh.relative_to = goal.relative_to;
    if (goal.outside && kindNamed(kind).isRegion) fresh.outside = true;
    return fresh;
}
