// The Engine: everything in the Studio that needs computing. It runs in a worker (worker.js) and in Node alike, holds
// one document at a time, and answers calls with plain data. This head is the contract with those who draw and list.
//
// THE DOCUMENT is a problem file (docs/problem-files.md) in one spelling: `figures` a list of {file, name, ...},
// `start` with every variable by name, numbers in SI units, constraints each with a name of its own. A pin is a
// constraint called "pin SITE". `keep` of files that are opened becomes pins; `balance` is a list.
//
// Every call takes an object and returns a promise. One that fails throws an Error with `message`, `file`, `line`, and
// nothing has changed.
//
//   open({files: [{name, bytes, xml}]}) -> {doc, scene, frame, warnings}
//       A figure, problem, script or motion file; of several, a problem finds its figures among the others.
//       xml: the tree by readXml() of the package, for XML files where there is no DOMParser.
//   set({doc, solve, files}) -> {scene, frame}
//       solve: from doc.start, by doc.options.
//   pose({values}) -> frame
//       Moved into the limits; constraints are evaluated, nothing is solved.
//   solve({options}) -> frame
//       From the present pose.
//   dragBegin({figure, segment, point, turn, chain}) -> frame
//       The segment by index or name, the point in its frame. turn: targets have rotations. chain: how many entries of
//       chain() may move; 0: all. While a drag is under way: goes on from its pose.
//   dragMove({point, rotation}) -> frame
//       In the world. frame.settled false: call again, and it comes nearer.
//   dragEnd({commit}) -> {start, doc, frame}
//       doc: the document in the new pose, pins and goals of the part moved along.
//   goalMove({name, frame}) -> frame
//       frame {position, rotation}: as scene's goal has it, in its carrier's frame where it has one.
//   goalEnd({commit}) -> {start, doc, frame}
//   moveGoals({moves: [{name, frame}]}) -> {doc, scene, frame}
//       Several goals at once, frames as goalMove has them; solved. It is the document from then on.
//   swivel({figure, segment, angle}) -> frame with swivel {angle, isThere, turned, name}
//       The hinge of the limb that the segment is part of goes to an angle about its line (document/limb.js); hand or
//       foot stay.
//   play({time, peek, animation}) -> frame
//       peek: the present pose stays. frame.scene is there where the scene is another than the last.
//   bake({frameTime, from, to}, onProgress) -> {times, poses, frameTime}
//   retarget({model}) -> as open
//       What the clip does, done by a model.
//   compare({methods, start, options}, onProgress) -> {runs}
//       Each from the pose `start`, or from doc.start.
//   reach({figure, site | segment | effector, count, chain, pins}, onProgress) -> {points, center, radius, envelope}
//       points: Float32Array.
//   solutions({name | figure, effector, chain}) -> {count, allCount, explanation, kind, figure, variables, list}
//       All that closed forms find for a goal, or for where a part is: list of {pose, matrices, isSingular}.
//   mirror({values}) -> {values}
//       Left for right.
//   support({figure}) -> {sites}
//       What the figure could balance on.
//   manner({natural}) -> {doc}
//       The document with its people posed as people, or (false) as the bare problem, feet pinned.
//   chain({figure, segment}) -> {chain: [names]}
//       Joints and groups from the segment up to the root.
//   reroot({figure, segment | site, free}) -> {doc, scene, frame}
//       Nothing moves.
//   export({format, name, figure, motion}) -> {name, bytes, warnings}
//       format: 'glb', 'bvh', 'urdf', 'fig', 'problem', 'result'.
//   cancel() -> {}
//       Ends compare, reach and bake, which then throw {cancelled: true}.
//
//   frame = {
//     pose: Float64Array,
//     matrices: Float64Array,      row-major 3x4 a segment, all figures one behind the other
//     dofs: Float64Array,          every dof of every joint, driven and frozen ones too
//     com: [[x, y, z] | null],     of each figure
//     constraints: [{id, name, index, met, counted, distance, angle, value, at: [3], target: [3] | null}],
//     limits: [{name, upper, value, multiplier, variable}],      largest multiplier first
//     reasons: [{kind, variable, figure, row, isUpper, constraint, give, gain, gainRad, share, reached, name}],
//     freedom: null | {determinacy, variables, freedoms, equations, rank, redundancy},      of solves
//     outcome: 'solved' | 'minimum' | 'budget' | 'posed',        posed: nobody solved
//     explanation, value, iterations, evaluations, time_us,
//     settled,                                                   of drags
//     drag: null | {at, target, distance, angle, name},
//     stance: '' | 'balance 6 cm inside; ...',                   of bodies that were solved for
//     body: null | [null | {                                     by figure; null: posed plainly
//       contacts: [{name, kind, limb, stands, point, share}],    share null: nobody solved
//       efforts: [{name, share, segment}], steps: [{foot, distance}], com, margin, overlap}],
//     trace?: {before, values, evaluationsAt, timesAt},          of solves
//     time?, goals?: [{name, position, rotation, weight, enabled}], scene?      of play
//   }
//   scene = {
//     title, variableCount,
//     figures: [{
//       name, file, format, mass, stature, eyes: [site names], root: {segment, site, isFree},
//       body: null | {feet: [names], isPosed},       isPosed: it is posed as a body
//       segments: [{name, parent, joint, mass, com}],
//       shapes: [{segment, kind, position, rotation, size, color}],
//       sites: [{name, segment, position, rotation}],
//       joints: [{name, segmentA, segmentB, siteA, siteB, type, isFrozen, swing: [[a, b]],
//         dofs: [{name, variable, driven, isAngle, axis, element, part, lower, upper, rest}]}],
//       groups: [{name, parameters: [{name, variable, isAngle, lower, upper, rest}], joints: [names]}],
//       variables: [{name, index, joint, group, isRoot, dof, isAngle, lower, upper, rest, rigidity}],
//       firstVariable, firstSegment, firstDof}],
//     constraints: [{
//       id, name, from: 'constraints' | 'keep' | 'balance' | 'avoid', index, figure, segment, effector,
//       goal: {kind, outside, point, x, y, normal, rotation, size, faces, carrier: null | {figure, segment}},
//       weight, priority, anyOf, tolerance, toleranceAngle, chainStart, disabled, radius, halfLength}],
//     motion: null | {kind: 'tracks' | 'script' | 'clip', name, end, frameTime, frameCount, tracks, lanes, contacts,
//       animations}
//   }
// Indices of segments, sites and joints are the figure's; those of variables the problem's.
import {rotationInvert, rotationMultiply, rotationVector, subtract} from '../math/vector.js';
import {chainOf, naturalDocument, placementFor, plainDocument, rerooted, supportSites} from './body.js';
import {compare} from './compare.js';
import {exportFile} from './export.js';
import {frameOf} from './frame.js';
import {asPlayed} from './goal_edit.js';
import {moveGoals} from './many_goals.js';
import {mirrorPose, mirrorTable} from './mirror.js';
import {Hands} from './hands.js';
import {Opening} from './opening.js';
import {Playing} from './playing.js';
import {reach} from './reach.js';
import {Session} from './session.js';
import {solutions} from './solutions.js';
import {swivel} from './swivel.js';

/** @implements {EngineContract} */
export class Engine {
    /**
     * @param {Limber} limber the package, loaded
     * @param {{fetchModel?: (name: string) => Promise<Uint8Array | null>}} options
     */
    constructor(limber, options = {}) {
        this.session = new Session(limber, options);
        this.opening = new Opening(this.session);
        this.hands = new Hands(this.session);
        this.playing = new Playing(this.session, this.opening);
    }

    get world() {
        return this.session.world;
    }

    /** @param {Parameters<Opening['open']>[0]} wanted */
    async open(wanted) {
        return this.opening.open(wanted);
    }

    /** @param {Parameters<Opening['set']>[0]} wanted */
    async set(wanted) {
        return this.opening.set(wanted);
    }

    /** @param {Parameters<Hands['dragBegin']>[0]} wanted */
    async dragBegin(wanted) {
        return this.hands.dragBegin(wanted);
    }

    /** @param {Parameters<Hands['dragMove']>[0]} wanted */
    async dragMove(wanted) {
        return this.hands.dragMove(wanted);
    }

    /** @param {Parameters<Hands['dragEnd']>[0]} [wanted] */
    async dragEnd(wanted) {
        return this.hands.dragEnd(wanted);
    }

    /** @param {Parameters<Hands['goalMove']>[0]} wanted */
    async goalMove(wanted) {
        return this.hands.goalMove(wanted);
    }

    /** @param {Parameters<Hands['goalEnd']>[0]} [wanted] */
    async goalEnd(wanted) {
        return this.hands.goalEnd(wanted);
    }

    /** @param {Parameters<typeof moveGoals>[2]} wanted */
    async moveGoals(wanted) {
        return moveGoals(this.session, (goal) => this.hands.carrierSite(goal), wanted);
    }

    /** @param {Parameters<typeof swivel>[1]} wanted */
    async swivel(wanted) {
        return swivel(this.session, wanted);
    }

    /** Between frames of a drag: what the next one would begin with. */
    think() {
        this.hands.think();
    }

    async warmUp() {
        return this.hands.warmUp();
    }

    /** @param {Parameters<Playing['play']>[0]} wanted */
    async play(wanted) {
        return this.playing.play(wanted);
    }

    /** @param {Parameters<Playing['bake']>[0]} wanted @param {OnProgress} [onProgress] */
    async bake(wanted, onProgress) {
        return this.playing.bake(wanted, onProgress);
    }

    /** @param {Parameters<Playing['retarget']>[0]} [wanted] */
    async retarget(wanted) {
        return this.playing.retarget(wanted);
    }

    async cancel() {
        return this.session.cancel();
    }

    /** @param {{values: Numbers}} wanted */
    async pose({values}) {
        const world = this.session.fresh();
        const {length} = world.pose;
        if (values.length !== length) throw new Error(`a pose of this document has ${length} values`);
        world.pose.set(world.project(Float64Array.from(values)));
        return frameOf(world, world.pose);
    }

    /** @param {{options?: LimberOptions}} [wanted] */
    async solve({options = {}} = {}) {
        const world = this.session.fresh();
        this.session.isStale = Boolean(world.played?.length);
        asPlayed(world);
        return this.session.solveIn(world, options);
    }

    /** @param {{figure?: number}} [wanted] */
    async support({figure = 0} = {}) {
        const world = this.session.present();
        return {sites: supportSites(world.place(world.pose), figure)};
    }

    /** @param {{natural: boolean}} wanted */
    async manner({natural}) {
        const world = this.session.fresh();
        return {doc: natural ? naturalDocument(world) : plainDocument(world)};
    }

    /** @param {{figure?: number, segment: number | string}} wanted */
    async chain({figure = 0, segment}) {
        const world = this.session.present();
        const s = typeof segment === 'number' ? segment : world.figures[figure].findSegment(segment);
        return {chain: s < 0 ? [] : chainOf(world, figure, s).map((link) => link.name)};
    }

    /**
     * The document with another root, and nothing moved.
     * @param {{figure?: number, segment?: string, site?: string, free?: boolean}} wanted
     */
    async reroot({figure = 0, segment, site, free}) {
        const world = this.session.fresh();
        const {doc, now, isFree} = rerooted(world.place(world.pose), figure, site === undefined ? {segment} : {site},
            free);
        if (!isFree) {
            const trial = this.session.compile(doc);
            doc.figures[figure] = {...doc.figures[figure], ...placementFor(now, trial.figures[figure].root.placement)};
            trial.free();
        } else {
            Object.assign(doc.start, this.rootValues(doc, figure, now));
        }
        const next = this.session.compile(doc);
        next.doc.start = next.values(next.pose);
        return {doc: next.doc, ...this.session.take(next)};
    }

    /**
     * The variables of a free root that bring it to a frame.
     * @param {Doc} doc @param {number} figure @param {Frame} now
     * @returns {Record<string, number>}
     */
    rootValues(doc, figure, now) {
        const trial = this.session.compile(doc);
        const {placement} = trial.figures[figure].root;
        const position = subtract(now.position, placement.position);
        const turned = rotationVector(rotationMultiply(now.rotation, rotationInvert(placement.rotation)));
        const values = ['x', 'y', 'z', 'rx', 'ry', 'rz'].map((name, k) => [trial.prefixed(figure, `root.${name}`),
            [...position, ...turned][k]]);
        trial.free();
        return Object.fromEntries(values);
    }

    /** @param {{values: Numbers}} wanted */
    async mirror({values}) {
        const world = this.session.present();
        const mirrored = Float64Array.from(values);
        world.figures.forEach((figure, k) => {
            world.mirrors[k] ??= mirrorTable(figure, world.kinematics[k]);
            world.part(mirrored, k).set(mirrorPose(world.mirrors[k], world.part(Float64Array.from(values), k)));
        });
        return {values: world.project(mirrored)};
    }

    /**
     * Of the bare problem, with feet pinned: methods other than lm know no bodies.
     * @param {{start?: Numbers | null} & Parameters<typeof compare>[2]} wanted
     * @param {Parameters<typeof compare>[3]} [onProgress]
     */
    async compare({start = null, ...wanted}, onProgress) {
        return this.session.beside((world, task) => compare(world, task, wanted, onProgress), start &&
            Float64Array.from(start), {doc: plainDocument(this.session.present())});
    }

    /**
     * @param {{figure?: number, count?: number} & PartWanted & Pick<ReachWanted, 'chain' | 'pins' | 'seed'>} wanted
     * @param {OnProgress} [onProgress]
     */
    async reach({figure = 0, segment, site, effector, ...wanted}, onProgress) {
        const present = this.session.pull ? this.session.pull.pose : this.session.present().pose;
        return this.session.beside((world, task) => {
            const where = reachPoint(world, figure, {segment, site, effector});
            return reach(world, task, {figure, ...where, ...wanted}, onProgress);
        }, Float64Array.from(present), {doc: plainDocument(this.session.present())});
    }

    /** @param {Parameters<typeof solutions>[1]} wanted */
    async solutions(wanted) {
        return solutions(this.session.fresh(), wanted);
    }

    /** @param {Parameters<typeof exportFile>[1]} wanted */
    async export(wanted) {
        const world = this.session.fresh(), {limber, show} = this.session;
        return exportFile({limber, world: world.place(world.pose), show}, wanted);
    }
}

/**
 * The segment and point that a reach is asked for: of a site or segment by name, or of a segment's point.
 * @param {World} world @param {number} k @param {PartWanted} part
 */
function reachPoint(world, k, {segment, site, effector}) {
    const figure = world.figures[k];
    const name = site ?? (typeof effector === 'string' ? effector : effector?.site);
    if (name) {
        const place = figure.findPlace(world.split(name)[1]);
        const origin = place.site >= 0 ? [...figure.sites[place.site].frame.position] : [0, 0, 0];
        return {segment: place.segment, point: origin};
    }
    const {segment: of = segment ?? '', point = [0, 0, 0]} = typeof effector === 'object' ? effector : {};
    const own = typeof of === 'number' ? '' : world.split(of)[1];
    const index = typeof of === 'number' ? of : figure.findSegment(own);
    return {segment: index < 0 ? figure.findPlace(own).segment : index, point: /** @type {Vec} */ ([...point])};
}

/** What can be called from outside. */
Engine.METHODS = new Set(['open', 'set', 'pose', 'solve', 'dragBegin', 'dragMove', 'dragEnd', 'goalMove', 'goalEnd',
    'swivel', 'moveGoals',
    'play', 'bake', 'retarget',
    'compare', 'reach', 'solutions', 'mirror', 'support', 'manner', 'chain', 'reroot', 'export', 'cancel']);
