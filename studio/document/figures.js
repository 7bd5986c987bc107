// Several figures in a document: one is taken out again, with all that is about it.

import {splitName} from './names.js';
import {listOf} from './entries.js';

/** @type {Target[]} */
const OF_CONSTRAINTS = ['goal', 'weight', 'enabled']; // tracks that name a constraint, not a part
/** @type {Target[]} */
const OF_PARTS = ['variable', 'joint', 'root', 'active', 'limits'];

/**
 * Takes a figure out of a draft: its variables, what is asked of it, what is relative to it. What is left of several
 * figures keeps its names; of one figure names have no prefix.
 * @param {Doc} draft
 * @param {Scene} scene as it is with the figure
 * @param {number} gone
 */
export function takeOut(draft, scene, gone) {
    const isOne = scene.figures.length === 2;
    /** @param {string} name */
    const isGone = (name) => typeof name === 'string' && splitName(scene, name).figure === gone;
    /** @param {string} name */
    const renamed = (name) => {
        const {figure, name: own} = splitName(scene, name);
        return isOne ? own : `${scene.figures[figure].name}:${own}`;
    };
    /** @param {any} value */
    const place = (value) => {
        if (typeof value === 'string') return value === 'com' ? value : renamed(value);
        const key = value?.site === undefined ? 'segment' : 'site';
        return value?.[key] === undefined ? value : {...value, [key]: renamed(value[key])};
    };
    /** @param {any} value */
    const names = (value) => (value?.site ?? value?.segment ?? value);
    /** @param {any[] | undefined} list */
    const kept = (list) => list?.filter((value) => !isGone(names(value))).map(place);
    /** @param {Record<string, any> | undefined} object */
    const keyed = (object) => object && Object.fromEntries(Object.entries(object).filter(([name]) => !isGone(name))
        .map(([name, value]) => [renamed(name), value]));
    /** @param {DocGoal} goal */
    const goalOf = (goal) => (goal?.relative_to === undefined ? goal
        : {...goal, relative_to: place(goal.relative_to)});
    /** @param {DocConstraint} of */
    const isAbout = ({effector, goal}) => isGone(names(effector)) || isGone(names(goal?.relative_to))
        || (effector === 'com' && gone === 0);

    /** @type {Set<string>} */
    const lost = new Set();
    draft.constraints = (draft.constraints ?? []).filter((one) => {
        if (isAbout(one)) lost.add(one.name);
        return !isAbout(one);
    }).map((one) => ({...one, effector: place(one.effector), goal: goalOf(one.goal)}));
    if (draft.keep) draft.keep = kept(listOf(draft, 'keep'));
    draft.balance = listOf(draft, 'balance')
        .filter(({figure = 0, support}) => figure !== gone && figure !== scene.figures[gone].name
            && !listOf({support}, 'support').some(isGone))
        .map((entry) => ({...entry, support: listOf(entry, 'support').map(place)}));
    draft.avoid = listOf(draft, 'avoid').map((entry) => ({...entry, segments: kept(listOf(entry, 'segments')),
        ...(entry.others && {others: kept(listOf(entry, 'others'))}),
        ...(entry.obstacle && {obstacle: goalOf(entry.obstacle)})}))
        .filter(({segments, others, obstacle}) => segments.length && (others?.length || obstacle)
            && !isGone(names(obstacle?.relative_to)));
    draft.start = keyed(draft.start) ?? {};
    draft.rigidity = keyed(draft.rigidity);
    for (const key of /** @type {const} */ (['active', 'inactive'])) draft[key] = kept(draft[key]);
    if (draft.wishes?.posture?.pose) draft.wishes.posture.pose = keyed(draft.wishes.posture.pose);
    if (draft.motion?.tracks) draft.motion.tracks = tracksLeft(draft.motion.tracks, {lost, isGone, renamed});
    takeFigure(draft, gone);
    for (const key of /** @type {const} */ (['keep', 'balance', 'avoid', 'active', 'inactive', 'rigidity'])) {
        const value = draft[key];
        if (value === undefined || !(Array.isArray(value)
            ? value.length : Object.keys(value).length)) delete draft[key];
    }
}

/**
 * @param {Track[]} tracks
 * @param {{lost: Set<string>, isGone: (name: any) => boolean, renamed: (name: string) => string}} of
 */
function tracksLeft(tracks, {lost, isGone, renamed}) {
    /** @param {Track} track */
    const isLost = (track) => OF_CONSTRAINTS.some((key) => lost.has(track[key] ?? ''))
        || OF_PARTS.some((key) => isGone(track[key]));
    return tracks.filter((track) => !isLost(track)).map((track) => {
        const key = OF_PARTS.find((one) => typeof track[one] === 'string');
        return key ? {...track, [key]: renamed(track[key] ?? '')} : track;
    });
}

/**
 * The entry itself; `body` at the top is the first figure's.
 * @param {Doc} draft @param {number} gone
 */
function takeFigure(draft, gone) {
    if (gone === 0) {
        delete draft.body;
        const {body} = draft.figures[1];
        delete draft.figures[1].body;
        if (body) draft.body = body;
    }
    draft.figures.splice(gone, 1);
}
