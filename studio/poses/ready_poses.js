// Ready-made poses of people: each is a small problem - what the body rests on, where hands and feet are - that is
// solved for whoever is there, of any stature, where he stands and as he faces. Pictures come with the page.

import POSES from './poses.json';
import {bodyOf} from '../actions/actions.js';
import {fetchShipped} from '../files/shipped.js';
import {allVariables, fullName, setLocked, startOf} from '../document/names.js';

const STATURE = 1.75; // m, of the human that the places in the list are for
const HEELS = -0.075; // m, where the heels of that human are at rest
const NAME = 'ready pose'; // of the goals, while it is solved

/** [{name, body, constraints}] */
export const READY_POSES = POSES;

/** @type {Promise<Record<string, string>>|null} */
let pictures = null;

/** Their pictures by name, as data URLs: fetched when they are wanted. */
export function readyPictures() {
    pictures ??= fetchShipped('poses.json').then((bytes) => (bytes ? JSON.parse(new TextDecoder().decode(bytes)) : {}));
    return pictures;
}

/** @param {Vec[]} points */
const mean = (points) => [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);

/**
 * Where a person stands and how he faces, as what brings points of the list there.
 * @param {{kind: string, point: Vec}[]} contacts @param {number} stature
 */
function placeOf(contacts, stature) {
    /** @param {string} kind */
    const pointsOf = (kind) => contacts.filter((one) => one.kind === kind).map(({point}) => point);
    const [heel, toe] = [mean(pointsOf('heel')), mean(pointsOf('toe'))];
    const angle = Math.atan2(toe[1] - heel[1], toe[0] - heel[0]);
    const [c, s, size] = [Math.cos(angle), Math.sin(angle), stature / STATURE];
    /** @param {Vec} of */
    const turn = ([x, y, z = 0]) => [c * x - s * y, s * x + c * y, z];
    return {
        turn,
        point: (/** @type {Vec} */ [x, y, z]) => {
            const [dx, dy] = turn([size * (x - HEELS), size * y]);
            return [heel[0] + dx, heel[1] + dy, size * z];
        },
    };
}

/**
 * The figure's own variables at rest; where it stands, how it faces, and the shapes of its hands stay.
 * @param {Store} store @param {number} figure
 */
function upright(store, figure) {
    const {scene, frame} = store;
    const pose = Float64Array.from(frame.pose);
    for (const {figure: of, variable} of allVariables(scene)) {
        const isPlace = variable.isRoot && /\.(x|y|rz)$/.test(variable.name);
        if (of === figure && !isPlace && !isOfHand(variable.name)) pose[variable.index] = variable.rest;
    }
    return pose;
}

/**
 * Poses a person of the scene: one step to undo.
 * @param {Store} store @param {ReadyPose} of @param {number} [figure]
 */
export async function takeReadyPose(store, {name, body, constraints}, figure = 0) {
    const {scene} = store;
    const {stature} = scene.figures[figure];
    /** @param {Doc} draft */
    const goalsOf = (draft) => (draft.constraints ?? []).filter((one) => !one.name.startsWith(NAME));
    /** @param {Doc} draft @param {DocBody} value */
    const setBody = (draft, value) => {
        if (figure === 0 && !draft.figures[0].body) draft.body = value;
        else draft.figures[figure].body = value;
    };
    const isDone = await store.edit(`Pose ${name}`, async (draft) => {
        const pose = upright(store, figure);
        const standing = await store.client.call('pose', {values: pose});
        const place = placeOf(standing.body?.[figure]?.contacts ?? [], stature > 0 ? stature : STATURE);
        draft.start = startOf(scene, pose);
        const {loads, obstacles, floor} = bodyOf(draft, figure) ?? {};
        const surfaces = body.surfaces?.map((/** @type {any} */ one) => ({...one, point: place.point(one.point)}));
        setBody(draft, {...structuredClone(body), ...(surfaces && {surfaces}), ...(loads && {loads}),
            ...(obstacles && {obstacles}), ...(floor !== undefined && {floor})});
        draft.constraints = [...goalsOf(draft), ...constraints.map(({effector, goal}, k) => ({
            name: `${NAME} ${k}`,
            effector: typeof effector === 'string' ? fullName(scene, figure, effector)
                : {segment: fullName(scene, figure, effector.segment)},
            goal: {...goal, point: place.point(goal.point), ...(goal.normal && {normal: place.turn(goal.normal)})},
        }))];
    }, {solve: true});
    if (!isDone) return false;
    return store.edit(`Pose ${name}`, (draft) => {
        draft.constraints = goalsOf(draft);
        const {foot: _, ...rest} = bodyOf(draft, figure) ?? {};
        setBody(draft, rest);
    }, {join: true});
}

/**
 * Shapes of a human's hand, in degrees: grip closes all fingers, index is what the index finger has beside that; null:
 * as at rest, and fingers may move again.
 * @type {{name: string, grip: number | null, thumb?: number, index?: number}[]}
 */
export const HAND_SHAPES = [
    {name: 'Open', grip: 0},
    {name: 'Relaxed', grip: null},
    {name: 'Point', grip: 90, thumb: 60, index: -90},
    {name: 'Pinch', grip: 20, thumb: 45, index: 46},
    {name: 'Hook', grip: 54},
    {name: 'Round a mug', grip: 45, thumb: 42},
    {name: 'Fist', grip: 90, thumb: 60},
];

/**
 * The sides whose hand can be shaped.
 * @param {Scene} scene
 */
export function shapedHands(scene, figure = 0) {
    return ['right', 'left'].filter((side) =>
        scene.figures[figure]?.variables.some(({name}) => name === `${side}_hand.grip`));
}

/**
 * Shapes a hand, which keeps the shape whatever is pulled: its fingers are locked. One step to undo.
 * @param {Store} store @param {string} side @param {typeof HAND_SHAPES[number]} shape
 */
export function shapeHand(store, side, {name: called, grip, thumb = 0, index = 0}, figure = 0) {
    const {scene} = store;
    /** @type {Record<string, number>} */
    const degrees = {grip: grip ?? 0, thumb, index};
    const own = scene.figures[figure].variables.filter(({name}) => isOfHand(name, side));
    return store.edit(`${called}, ${side} hand`, (draft) => {
        const pose = Float64Array.from(store.frame.pose);
        for (const {name, rest, index: at} of own) {
            pose[at] = grip === null ? rest : degrees[name.split('.')[1]] * Math.PI / 180;
        }
        draft.start = startOf(scene, pose);
        setLocked(draft, scene, own.map(({name}) => fullName(scene, figure, name)), grip !== null);
    });
}

/**
 * Whether a variable shapes a hand.
 * @param {string} name
 */
function isOfHand(name, side = '(right|left)') {
    return new RegExp(`^${side}_hand\\.(grip|thumb|index)$`).test(name);
}
