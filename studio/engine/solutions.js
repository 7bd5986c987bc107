// Every solution of an arm: what closed forms find for one goal, or for where a part is now.
import {frameMultiply, rotationFromAxes} from '../math/vector.js';

const MOST = 32; /* ghosts: more say nothing to the eye */

/**
 * The segment that the chain begins at: `count` joints that move up from a segment, or the joint of a goal's chain.
 * @param {LimberFigure} figure @param {number} segment @param {{count: number, chainStart?: number}} how
 */
function baseOf(figure, segment, {count, chainStart = -1}) {
    const moving = new Set(figure.variables.map(({ref}) => ref.joint));
    let left = count;
    for (let s = segment; s >= 0 && figure.parentJoint(s) >= 0; s = figure.parentSegment(s)) {
        const joint = figure.parentJoint(s);
        if (joint === chainStart || (moving.has(joint) && --left === 0)) return figure.parentSegment(s);
    }
    return undefined;
}

/**
 * What of a constraint is to be met.
 * @param {World} world @param {string} name
 * @returns {ClosedWanted}
 */
function ofConstraint(world, name) {
    const constraint = world.constraints.find((other) => other.name === name);
    if (!constraint) throw new Error(`there is no goal "${name}"`);
    const {goal, effector, figure, chainStart} = constraint;
    if (effector.kind === 'com' || !['frame', 'position'].includes(goal.kind)) {
        throw new Error(`Closed forms answer a frame goal; ${name} is of another kind (${goal.kind}).`);
    }
    const own = {position: goal.point, rotation: goal.kind === 'frame' ? goal.rotation : [0, 0, 0, 1]};
    const carrier = goal.carrier && world.segmentFrame(goal.carrier.figure, goal.carrier.segment);
    return {figure, effector, chainStart, isPosition: goal.kind === 'position',
        goal: carrier ? frameMultiply(carrier, own) : own};
}

/**
 * The same of a part, which is to be where it is.
 * @param {World} world @param {number} figure @param {DocEffector} effector
 * @returns {ClosedWanted}
 */
function ofPart(world, figure, effector) {
    /** @param {string} name */
    const place = (name) => world.split(name)[1];
    const named = typeof effector === 'string' ? place(effector) : effector.site !== undefined ? place(effector.site)
        : {...effector, segment: place(effector.segment ?? '')};
    const whole = world.limber.effector(world.figures[figure], named);
    const at = world.kinematics[figure].effector(whole);
    return {figure, effector: whole, isPosition: false,
        goal: {position: at.slice(0, 3), rotation: rotationFromAxes(at.slice(3, 6), at.slice(6, 9))}};
}

/**
 * All solutions inside the limits, nearest to the present pose first. Where no closed form serves, thrown.
 * @param {World} world
 * @param {{name?: string, figure?: number, effector?: DocEffector, chain?: number}} wanted a goal by its name,
 *     or a part
 * @returns {Solved}
 */
export function solutions(world, {name, figure = 0, effector, chain = 0}) {
    world.place(world.pose);
    const wanted = name === undefined ? ofPart(world, figure, effector ?? '') : ofConstraint(world, name);
    const k = wanted.figure, start = Float64Array.from(world.part(world.pose, k));
    const base = baseOf(world.figures[k], wanted.effector.segment, {count: chain, chainStart: wanted.chainStart});
    const closed = world.figures[k].closed(wanted.effector,
        {pose: start, isPosition: wanted.isPosition, ...(base !== undefined && {base})});
    try {
        const {count, allCount, explanation, solutions: found} = closed.solve(wanted.goal, start);
        const list = found.slice(0, Math.min(count, MOST)).map(({isSingular}, i) => {
            const pose = Float64Array.from(world.pose);
            world.part(pose, k).set(closed.pose(i, start));
            return {pose, matrices: world.place(pose).matrices(), isSingular};
        });
        return {count, allCount, explanation, kind: closed.kind, figure: k, list,
            variables: closed.variables.map((v) => world.firstVariable[k] + v)};
    } finally {
        closed.free();
        world.place(world.pose);
    }
}
