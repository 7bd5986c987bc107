// Goals that are chosen together: moved and turned as one, about their middle. The selection is the one that was chosen
// last; choosing without Shift chooses that one alone.

import {carrierFrame, handleFrame} from '../view/goals.js';
import {canMove, engineFrame, movedGoal} from '../view/goal_motion.js';
import {add, matrixInvert, matrixMultiply, matrixOf, matrixOrigin, rotationFromRpy, scale} from '../math/vector.js';

/** @typedef {Pick<Store, 'scene' | 'frame'>} Seen where goals are: the store's, or what it had when a move began */
/** @typedef {{name: string, frame: Frame}} GoalMove a goal's name, and its frame for the engine */

/** The goals that can be moved. */
export function movable(/** @type {Pick<Store, 'scene'>} */ {scene}) {
    return (scene?.constraints ?? []).filter((constraint) => canMove(constraint) && constraint.goal.carrier === null);
}

/** Those that are chosen together; none where it is one alone. */
export function together(/** @type {Store} */ store) {
    const names = store.together, name = store.selection?.name;
    if (names.length < 2 || name === undefined || !names.includes(name)) return [];
    const chosen = movable(store).filter((one) => names.includes(one.name));
    return chosen.length > 1 ? chosen : [];
}

/** Chooses several. */
export function chooseTogether(/** @type {Store} */ store, /** @type {string[]} */ names) {
    store.together = names;
    const last = movable(store).find(({name}) => name === names.at(-1));
    if (!last) return;
    const isSame = store.selection?.kind === 'constraint' && store.selection.name === last.name;
    if (isSame) store.emit('selection', store.selection);
    else store.select({kind: 'constraint', figure: last.figure, name: last.name});
}

/** One more, or one less, with those that are chosen. */
export function toggleTogether(/** @type {Store} */ store, /** @type {string} */ name) {
    const {selection} = store, alone = selection?.kind === 'constraint' ? [selection.name] : [];
    const now = together(store).map((one) => one.name), names = now.length ? now : alone;
    chooseTogether(store, names.includes(name) ? names.filter((one) => one !== name) : [...names, name]);
}

/** Where they are, each with its frame in the world. */
function handles(/** @type {Seen} */ {scene, frame}, /** @type {SceneConstraint[]} */ constraints) {
    return constraints.map((constraint) => {
        const at = frame.constraints.find((one) => one.id === constraint.id)?.at;
        return {constraint, handle: handleFrame(constraint, scene, frame, at)};
    });
}

/** Their middle, with the world's directions. */
export function middleOf(/** @type {Seen} */ store, /** @type {SceneConstraint[]} */ constraints) {
    const places = handles(store, constraints).map(({handle}) => matrixOrigin(handle));
    return matrixOf(scale(places.reduce(add, [0, 0, 0]), 1 / places.length), [0, 0, 0, 1]);
}

/** What moves them by a motion of the world: for the engine, and what is seen meanwhile, by id. */
export function movedTogether(/** @type {Seen} */ store, /** @type {SceneConstraint[]} */ constraints,
    /** @type {Matrix} */ motion) {
    const goals = new Map(handles(store, constraints).map(({constraint, handle}) => {
        const toCarrier = matrixInvert(carrierFrame(constraint.goal, store.scene, store.frame));
        const before = matrixMultiply(toCarrier, handle), after = matrixMultiply(toCarrier, matrixMultiply(motion,
            handle));
        return [constraint.id, movedGoal(constraint.goal, before, after)];
    }));
    const moves = constraints.map(({id, name}) => {
        const goal = /** @type {SceneGoal} */ (goals.get(id));
        return {name, frame: engineFrame(goal)};
    });
    return {goals, moves};
}

/** Ends a move of several as one step to undo. @returns {Promise<boolean>} */
export function commitTogether(/** @type {Store} */ store, /** @type {GoalMove[]} */ moves) {
    return store.edit(`Move ${moves.length} goals`, async (draft) => {
        const {doc} = await store.client.call('moveGoals', {moves});
        const {constraints = draft.constraints, avoid = draft.avoid, start = draft.start} = doc;
        Object.assign(draft, {constraints, start, ...(avoid && {avoid})});
    });
}

/**
 * Moves them by numbers: a shift in metres, and turns about the world's x, y and z through their middle, in radians.
 */
export function moveBy(/** @type {Store} */ store, /** @type {SceneConstraint[]} */ constraints,
    /** @type {Vec} */ shift, /** @type {number[]} */ turn) {
    const middle = middleOf(store, constraints), [x, y, z] = matrixOrigin(middle);
    const there = matrixOf([x + shift[0], y + shift[1], z + shift[2]], rotationFromRpy(turn));
    return commitTogether(store, movedTogether(store, constraints, matrixMultiply(there, matrixInvert(middle))).moves);
}
