// Things: figures of one segment that are free - boxes, mugs, tools. They stay where they are put, hands hold them, and
// what is held goes along with the hand as it was taken.

import {fullName, spoken} from './names.js';
import {findSite, segmentFrame, siteFrame} from './places.js';
import {distance, frameWithin} from '../math/vector.js';

const PALMS = ['right_palm', 'left_palm'];
const GRIP = 0.02; // m between the surface of a thing and the palm
/** @param {string} name */
const holdName = (name) => `hold ${name}`;

/**
 * Whether a figure of the scene is a thing.
 * @param {SceneFigure} figure
 */
export const isThing = (figure) => figure.segments.length === 1 && Boolean(figure.root.isFree);

/**
 * The palms of people in the scene: {figure, site, name, at}.
 * @param {{scene: Scene, frame: PoseFrame}} of
 */
function palms({scene, frame}) {
    return scene.figures.flatMap((_, k) => PALMS.flatMap((name) => {
        const site = findSite(scene, k, name);
        if (!site) return [];
        return [{figure: k, site, name: fullName(scene, k, site.name), at: siteFrame(scene, frame, k, site)}];
    }));
}

/**
 * How far a palm is from the middle of a thing that it holds: over its smallest half width.
 * @param {{shapes: SceneShape[]}} of
 */
function gripRadius({shapes}) {
    const widths = [0, 1, 2].map((axis) => Math.max(...shapes.map(({kind, position, size}) =>
        Math.abs(position[axis]) + (kind === 'box' ? size[axis] : size[0]))));
    return Math.min(...widths) + GRIP;
}

/**
 * Whether a thing is held.
 * @param {{doc: Doc}} of @param {number} figure @param {Scene} scene
 */
export function isHeld({doc}, figure, scene) {
    return (doc.constraints ?? []).some(({name}) => name === holdName(scene.figures[figure].name));
}

/**
 * The thing that a chosen goal holds; -1 where it is another goal, or none.
 * @param {{scene: Scene}} of @param {Selected | null} selection
 */
export function heldBy({scene}, selection) {
    return selection?.kind === 'constraint' ? scene.figures.findIndex(({name}) =>
        holdName(name) === selection.name) : -1;
}

/** @param {string} name */
const lockOf = (name) => `${name}:root.*`;

/**
 * The nearest free hand goes to a thing and holds it from then on; or, where one holds it, puts it down.
 * @param {Store} store @param {number} figure
 */
export async function toggleHold(store, figure) {
    const {scene} = store;
    const {name} = scene.figures[figure];
    if (isHeld(store, figure, scene)) return release(store, name);
    const thing = segmentFrame(scene, store.frame, figure, 0);
    const taken = new Set((store.doc.constraints ?? []).filter((one) => one.name.startsWith('hold '))
        .map(({goal}) => goal.relative_to));
    const [hand] = palms(store).filter((one) => !taken.has(one.name))
        .sort((a, b) => distance(a.at.position, thing.position) - distance(b.at.position, thing.position));
    if (!hand) {
        store.message('info', 'Nobody here has a hand free to hold it.');
        return false;
    }
    const segment = fullName(scene, figure, scene.figures[figure].segments[0].name);
    const isThere = await store.edit(`Hold ${name}`, (draft) => {
        draft.constraints ??= [];
        draft.constraints.push({name: holdName(name), effector: hand.name,
            goal: {kind: 'sphere', point: thing.position, radius: gripRadius(scene.figures[figure])}});
    }, {solve: true});
    if (!isThere) return false;
    const isReached = store.frame.constraints.find((one) => one.name === holdName(name))?.met;
    if (!isReached) {
        store.message('info', `The ${spoken(hand.name)} does not reach the ${spoken(name)}: ` +
            'pull the thing nearer, or the person.');
        await store.undo();
        return false;
    }
    return store.edit(`Hold ${name}`, (draft) => {
        const palm = siteFrame(store.scene, store.frame, hand.figure, hand.site);
        const {position, rotation} = frameWithin(palm, segmentFrame(store.scene, store.frame, figure, 0));
        draft.constraints = draft.constraints.filter((one) => one.name !== holdName(name));
        draft.constraints.push({name: holdName(name), effector: {segment},
            goal: {kind: 'frame', point: position, quaternion: rotation, relative_to: hand.name}});
        draft.inactive = (draft.inactive ?? []).filter((pattern) => pattern !== lockOf(name));
        if (!draft.inactive.length) delete draft.inactive;
    }, {join: true});
}

/**
 * A thing that is put down stays where it is.
 * @param {Store} store @param {string} name
 */
function release(store, name) {
    return store.edit(`Put ${name} down`, (draft) => {
        draft.constraints = draft.constraints.filter((one) => one.name !== holdName(name));
        draft.inactive = [...(draft.inactive ?? []), lockOf(name)];
    });
}
