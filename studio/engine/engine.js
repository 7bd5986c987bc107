// The Engine: everything in the Studio that needs computing. It runs in a worker (worker.js) and in Node alike, holds one
// document at a time, and answers calls with plain data. This head is the contract with those who draw and list.
//
// THE DOCUMENT is a problem file (docs/problem-files.md) in one spelling: `figures` a list of {file, name, ...}, `start` with
// every variable by name, numbers in SI units, constraints each with a name of its own. A pin is a constraint called
// "pin SITE". `keep` of files that are opened becomes pins; `balance` is a list.
//
// Every call takes an object and returns a promise. One that fails throws an Error with `message`, `file`, `line`, and
// nothing has changed.
//
//   open({files: [{name, bytes}]})     -> {doc, scene, frame, warnings}    figure, problem, script or motion file; several:
//                                         a problem finds its figures among them
//   set({doc, solve})                  -> {scene, frame}    solve: from doc.start, by doc.options
//   pose({values})                     -> frame             moved into the limits; constraints evaluated, nothing solved
//   solve({options})                   -> frame             from the present pose
//   dragBegin({figure, segment, point, turn, chain})  -> frame    point in the segment's frame; segment by index or name;
//                                         turn: targets have rotations; chain: how many entries of chain() may move (0: all).
//                                         While a drag is under way: goes on from its pose
//   dragMove({point, rotation})        -> frame             in the world; frame.settled false: call again to come nearer
//   dragEnd({commit})                  -> {start, doc, frame}   doc: the document in the new pose, pins of the part moved along
//   goalMove({name, frame})            -> frame             frame {position, rotation} where scene's goal is: in the carrier's
//   goalEnd({commit})                  -> {start, doc, frame}
//   play({time, peek})                 -> frame             peek: the present pose stays. frame.scene where the scene differs
//   bake({frameTime, from, to})        -> {times, poses, frameTime}
//   retarget({model})                  -> as open           the clip's motion done by a model
//   compare({methods, options, start}, onProgress) -> {runs}   each from doc.start, or from the values of `start`
//   reach({figure, site, count, chain, pins}, onProgress) -> {points: Float32Array, center, boundary}
//   mirror({values})                   -> {values}          left for right
//   support({figure})                  -> {sites}           what the figure could balance on
//   chain({figure, segment})           -> {chain: [names]}  joints and groups from the segment up to the root
//   reroot({figure, segment|site, free}) -> {doc, scene, frame}   nothing moves
//   export({format, ...})              -> {name, bytes, warnings}  'glb' 'bvh' 'urdf' 'fig' 'problem' 'result'
//   cancel()                           -> {}                ends compare, reach and bake, which then throw {cancelled: true}
//
//   frame = {
//     pose: Float64Array, matrices: Float64Array (row-major 3x4 a segment, all figures one behind the other),
//     dofs: Float64Array (every dof of every joint, driven and frozen too), com: [[x, y, z] | null a figure],
//     constraints: [{id, name, index, met, counted, distance, angle, value, at: [3], target: [3] | null}],
//     limits: [{name, upper, value, multiplier, variable}] largest multiplier first, outcome: 'solved' | 'minimum' | 'budget' |
//     'posed' (nobody solved), explanation, value, iterations, evaluations, time_us,
//     settled (drags), drag: null | {at, target, distance, angle, name}, trace?: {values, evaluationsAt, timesAt} (solves),
//     time?, goals?: [{name, position, rotation, weight, enabled}] (play), scene? (play, where a script's stage differs)
//   }
//   scene = {
//     title, variableCount,
//     figures: [{name, file, format, segments: [{name, parent, joint, mass, com}], shapes: [{segment, kind, position, rotation,
//       size, color}], sites: [{name, segment, position, rotation}], joints: [{name, segmentA, segmentB, siteA, siteB, type,
//       isFrozen, dofs: [{name, variable, driven, isAngle, axis, element, part, lower, upper, rest}], swing}],
//       groups: [{name, parameters: [{name, variable, isAngle, lower, upper, rest}], joints: [names]}],
//       variables: [{name, index, joint, group, isRoot, dof, isAngle, lower, upper, rest, rigidity}],
//       firstVariable, firstSegment, firstDof, root: {segment, site, isFree}, mass, stature, eyes: [site names]}],
//     constraints: [{id, name, from: 'constraints' | 'keep' | 'balance' | 'avoid', index, figure, segment, effector, goal: {kind,
//       outside, point, x, y, normal, rotation, size, faces, carrier: null | {figure, segment}}, weight, priority, anyOf, tolerance,
//       toleranceAngle, chainStart, disabled, radius, halfLength}],
//     motion: null | {kind: 'tracks' | 'script' | 'clip', name, end, frameTime, frameCount, tracks, lanes, contacts, animations}
//   }
// Indices of segments, sites and joints are the figure's; those of variables the problem's.
import {subtract, turnInvert, turnMultiply, turnVector} from './algebra.js';
import {chainOf, placementFor, rerooted, supportSites} from './body.js';
import {compare} from './compare.js';
import {exportFile} from './export.js';
import {frameOf} from './frame.js';
import {mirrorPose, mirrorTable} from './mirror.js';
import {Playing} from './playing.js';
import {reach} from './reach.js';

export class Engine extends Playing {
    async pose({values}) {
        const world = this.fresh();
        if (values.length !== world.pose.length) throw new Error(`a pose of this document has ${world.pose.length} values`);
        world.pose.set(world.project(Float64Array.from(values)));
        return frameOf(world, world.pose);
    }

    async solve({options = {}} = {}) {
        const world = this.fresh();
        this.isStale = Boolean(world.played?.length);
        this.asPlayed(world);
        return this.solveIn(world, options);
    }

    async support({figure = 0} = {}) {
        const world = this.present();
        return {sites: supportSites(world.place(world.pose), figure)};
    }

    async chain({figure = 0, segment}) {
        const world = this.present();
        const s = typeof segment === 'number' ? segment : world.figures[figure].findSegment(segment);
        return {chain: s < 0 ? [] : chainOf(world, figure, s).map(link => link.name)};
    }

    /** The document with another root, and nothing moved. */
    async reroot({figure = 0, segment, site, free}) {
        const world = this.fresh();
        const {doc, now, isFree} = rerooted(world.place(world.pose), figure, site === undefined ? {segment} : {site}, free);
        if (!isFree) {
            const trial = this.compile(doc);
            doc.figures[figure] = {...doc.figures[figure], ...placementFor(now, trial.figures[figure].root.placement)};
            trial.free();
        } else {
            Object.assign(doc.start, this.rootValues(doc, figure, now));
        }
        const next = this.compile(doc);
        next.doc.start = next.values(next.pose);
        return {doc: next.doc, ...this.take(next)};
    }

    /** The variables of a free root that bring it to a frame. */
    rootValues(doc, figure, now) {
        const trial = this.compile(doc);
        const {placement} = trial.figures[figure].root;
        const position = subtract(now.position, placement.position);
        const turned = turnVector(turnMultiply(now.rotation, turnInvert(placement.rotation)));
        const values = ['x', 'y', 'z', 'rx', 'ry', 'rz'].map((name, k) => [trial.prefixed(figure, `root.${name}`), [...position, ...turned][k]]);
        trial.free();
        return Object.fromEntries(values);
    }

    async mirror({values}) {
        const world = this.present();
        const mirrored = Float64Array.from(values);
        world.figures.forEach((figure, k) => {
            world.mirrors[k] ??= mirrorTable(figure, world.kinematics[k]);
            world.part(mirrored, k).set(mirrorPose(world.mirrors[k], world.part(Float64Array.from(values), k)));
        });
        return {values: world.project(mirrored)};
    }

    async compare({start = null, ...wanted}, onProgress) {
        return this.beside((world, task) => compare(world, task, wanted, onProgress), start && Float64Array.from(start));
    }

    async reach({figure = 0, segment, site, effector, ...wanted}, onProgress) {
        const present = this.pull ? this.pull.pose : this.present().pose;
        return this.beside((world, task) => {
            const where = reachPoint(world, figure, {segment, site, effector});
            return reach(world, task, {figure, ...where, ...wanted}, onProgress);
        }, Float64Array.from(present));
    }

    async export(wanted) {
        const world = this.fresh();
        return exportFile({limber: this.limber, world: world.place(world.pose), show: this.show}, wanted);
    }
}

/** The segment and point that a reach is asked for: of a site, or of a segment's point. */
function reachPoint(world, k, {segment, site, effector}) {
    const figure = world.figures[k];
    const name = site ?? (typeof effector === 'string' ? effector : effector?.site);
    const s = name ? figure.findSite(world.split(name)[1]) : -1;
    if (s >= 0) return {segment: figure.sites[s].segment, point: [...figure.sites[s].frame.position]};
    const part = effector?.segment ?? segment;
    const index = typeof part === 'number' ? part : figure.findSegment(world.split(part ?? '')[1]);
    if (index < 0) throw new Error(`there is no part "${part ?? name}"`);
    return {segment: index, point: [...(effector?.point ?? [0, 0, 0])]};
}

/** What can be called from outside. */
Engine.METHODS = new Set(['open', 'set', 'pose', 'solve', 'dragBegin', 'dragMove', 'dragEnd', 'goalMove', 'goalEnd', 'play', 'bake', 'retarget',
    'compare', 'reach', 'mirror', 'support', 'chain', 'reroot', 'export', 'cancel']);
