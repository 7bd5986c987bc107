// Several goals that are moved together: the document with each of them at its frame, solved from the present pose.
import {documentGoal} from './goal_edit.js';

/**
 * @param {import('./session.js').Session} session
 * @param {(goal: DocGoal) => Frame | null} carrierSite the frame that a document's numbers are seen from: see Hands
 * @param {{moves: {name: string, frame: {position: number[], rotation: number[]}}[]}} wanted frames as goalMove has
 *     them
 */
export function moveGoals(session, carrierSite, {moves}) {
    const world = session.fresh(), doc = structuredClone(world.doc);
    doc.start = world.values(world.pose);
    for (const {name, frame} of moves) {
        const constraint = world.constraints.find((entry) => entry.name === name);
        if (!constraint) throw new Error(`there is no constraint "${name}"`);
        const isAvoid = constraint.from === 'avoid', key = isAvoid ? 'obstacle' : 'goal';
        /** @type {{goal?: DocGoal, obstacle?: DocGoal} | undefined} */
        const entry = (isAvoid ? doc.avoid : doc.constraints)?.[constraint.index];
        const old = entry?.[key];
        if (!['constraints', 'avoid'].includes(constraint.from) || !entry || !old) {
            throw new Error(`"${name}" cannot be moved: it follows from a site`);
        }
        entry[key] = documentGoal(old, constraint.goal, frame, carrierSite(old));
    }
    const next = session.compile(doc, world.pose), answer = session.take(next, {solve: true});
    doc.start = next.values(next.pose);
    next.doc = doc;
    return {doc, ...answer};
}
