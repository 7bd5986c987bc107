// Mirror: left for right. Which variable is which other's mirror image follows from names (left_elbow, right_elbow);
// with which sign, from the figure itself: how the variable moves its part at rest, reflected in the plane of symmetry,
// against how the other moves the other part. So it is right whatever axes a figure's author chose.
import {add, distance, dot, length, scale, subtract, unit} from '../math/vector.js';

/** Pairs of words, from the surest to the least sure. */
/** @type {[side: RegExp, other: string][]} */
const SIDES = [
    [/left/g, 'right'], [/right/g, 'left'], [/Left/g, 'Right'], [/Right/g, 'Left'], [/LEFT/g, 'RIGHT'],
        [/RIGHT/g, 'LEFT'],
    [/(^|[_.\-:\s])l(?=$|[_.\-\s])/g, '$1r'], [/(^|[_.\-:\s])r(?=$|[_.\-\s])/g, '$1l'],
    [/(^|[_.\-:\s])L(?=$|[_.\-\s])/g, '$1R'], [/(^|[_.\-:\s])R(?=$|[_.\-\s])/g, '$1L'],
    [/(^|[_:])l(?=[A-Z])/g, '$1r'], [/(^|[_:])r(?=[A-Z])/g, '$1l'], [/(^|[_:])L(?=[A-Z][a-z])/g, '$1R'],
        [/(^|[_:])R(?=[A-Z][a-z])/g, '$1L'],
    [/(^|_)([FHM])L(?=_|$)/g, '$1$2R'], [/(^|_)([FHM])R(?=_|$)/g, '$1$2L'],
];

/**
 * The index of the name on the other side; the same index where there is none.
 * @param {string[]} names
 * @returns {number[]}
 */
function otherSide(names) {
    const index = new Map(names.map((name, k) => [name, k]));
    return names.map((name, k) => {
        for (const [side, other] of SIDES) {
            const swapped = name.replace(side, other);
            const found = index.get(swapped);
            if (swapped !== name && found !== undefined) return found;
        }
        return k;
    });
}

/**
 * The plane of symmetry at rest: {normal, point}, from where pairs of segments are; across y where there are none.
 * @param {LimberFigure} figure @param {LimberKinematics} kinematics @param {number[]} partners
 */
function planeOf(figure, kinematics, partners) {
    const at = figure.segments.map((_, s) => kinematics.segment(s).position);
    const pairs = partners.map((other, s) => [s, other]).filter(([s, other]) => other > s &&
        distance(at[s], at[other]) > 1e-9);
    if (!pairs.length) return {normal: [0, 1, 0], point: at[figure.root.segment]};
    let normal = [0, 0, 0];
    for (const [a, b] of pairs) {
        const across = subtract(at[a], at[b]);
        normal = add(normal, scale(across, dot(across, normal) < 0 ? -1 : 1));
    }
    const middle = pairs.reduce((sum, [a, b]) => add(sum, scale(add(at[a], at[b]), 0.5 / pairs.length)), [0, 0, 0]);
    return {normal: snapped(unit(normal, [0, 1, 0])), point: middle};
}

/**
 * A direction that is all but an axis is that axis.
 * @param {Vec} direction
 */
function snapped(direction) {
    const axis = direction.findIndex((value) => Math.abs(value) > 1 - 1e-6);
    return axis < 0 ? direction : direction.map((_, k) => (k === axis ? 1 : 0));
}

/** @param {Vec} v @param {Vec} normal */
const reflect = (v, normal) => subtract(v, scale(normal, 2 * dot(v, normal)));
/** @param {number} value */
const positive = (value) => value + 0; /* no -0 */

/**
 * How each variable moves each segment at rest: [segment] -> twists, row-major [6][variables].
 * @param {LimberFigure} figure @param {LimberKinematics} kinematics
 */
function twistsOf(figure, kinematics) {
    return figure.segments.map((_, s) => kinematics.twist({kind: 'frame', segment: s, point: [0, 0, 0], x: [1, 0, 0],
        y: [0, 1, 0]}));
}

/**
 * The twist of a variable at a segment: velocity of its origin, angular velocity.
 * @param {Float64Array[]} twists @param {number} count @param {number} segment @param {number} variable
 */
function twistOf(twists, count, segment, variable) {
    /** @param {number} k */
    const row = (k) => twists[segment][k * count + variable];
    return {velocity: [row(0), row(1), row(2)], spin: [row(3), row(4), row(5)]};
}

/**
 * What the mirror image of each variable is: {from, sign} - its value is sign times that of `from` - and for a free
 * root the reflection of its two vectors.
 * @param {LimberFigure} figure @param {LimberKinematics} kinematics
 */
export function mirrorTable(figure, kinematics) {
    kinematics.update(figure.restPose());
    const count = figure.variables.length;
    const partners = otherSide(figure.segments.map((segment) => segment.name));
    const others = otherSide(figure.variables.map((variable) => variable.name));
    const {normal} = planeOf(figure, kinematics, partners);
    const twists = twistsOf(figure, kinematics);
    const table = others.map((from, v) => ({from, sign: signOf(figure, twists, count, partners, normal, v, from)}));
    return {normal, table, isRoot: figure.variables.map(({ref}) => ref.joint < 0 && ref.parameter < 0)};
}

/**
 * +1 or -1: whether variable `from`, reflected, does what variable `v` does.
 * @param {LimberFigure} figure @param {Float64Array[]} twists @param {number} count @param {number[]} partners
 * @param {Vec} normal @param {number} v @param {number} from
 */
function signOf(figure, twists, count, partners, normal, v, from) {
    let agreement = 0;
    let size = 0;
    for (let s = 0; s < figure.segments.length; s++) {
        const there = twistOf(twists, count, s, from);
        const here = twistOf(twists, count, partners[s], v);
        const spin = scale(reflect(there.spin, normal), -1); /* a spin is an axial vector */
        const velocity = reflect(there.velocity, normal);
        agreement += dot(spin, here.spin) + dot(velocity, here.velocity);
        size += length(here.spin) + length(here.velocity);
    }
    return size > 0 && agreement < 0 ? -1 : 1;
}

/**
 * A figure's pose mirrored.
 * @param {ReturnType<typeof mirrorTable>} mirror @param {Float64Array} pose
 */
export function mirrorPose({normal, table, isRoot}, pose) {
    const mirrored = Float64Array.from(table, ({from, sign}) => positive(sign * pose[from]));
    const first = isRoot.indexOf(true);
    if (first >= 0) {
        mirrored.set(reflect(Array.from(pose.slice(first, first + 3)), normal).map(positive), first);
        mirrored.set(scale(reflect(Array.from(pose.slice(first + 3, first + 6)), normal), -1).map(positive), first + 3);
    }
    return mirrored;
}
