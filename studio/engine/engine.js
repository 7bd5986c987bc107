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
import {subtract, turnFromAxes, turnInvert, turnMultiply, turnVector} from './algebra.js';
import {chainOf, defaultPins, placementFor, rerooted, supportSites} from './body.js';
import {compare} from './compare.js';
import {documentOf, figuresOf, inOrder, isPin} from './document.js';
import {exportFile} from './export.js';
import {chooseMain, FileTable, stemOf, textOf} from './files.js';
import {frameOf} from './frame.js';
import {documentGoal, goalFrame, goalMoved, moveGoal} from './goal_edit.js';
import {mirrorPose, mirrorTable} from './mirror.js';
import {Pull} from './pull.js';
import {reach} from './reach.js';
import {sceneOf} from './scene.js';
import {Stage} from './stage.js';
import {Task} from './slices.js';
import {World} from './world.js';

const WARM = 60; /* frames */
const DOCUMENT = 'document.json'; /* under which name the present document is compiled */

export class Engine {
    /**
     * @param limber the package, loaded
     * @param {{fetchModel?: (name: string) => Promise<Uint8Array | null>}} options
     */
    constructor(limber, {fetchModel} = {}) {
        this.limber = limber;
        this.files = new FileTable(limber, fetchModel);
        this.world = null;
        this.pull = null;
        this.known = null; /* the figures of the last scene, and what they were made from */
        this.isStale = false; /* a pull has changed the world's problem */
        this.tasks = new Set(); /* what runs beside */
        this.stage = new Stage(limber, this.files);
        this.show = null; /* what plays in the world */
        this.animation = undefined; /* which of a glTF file's; undefined: the first */
        this.shown = 'document'; /* whose scene was handed out last: a script's stages have scenes of their own */
    }

    /* --- Documents ------------------------------------------------------------------------------------------------- */

    /** Compiles a document whose figures are in the table. */
    compile(doc, pose = null) {
        const warnings = [];
        const text = JSON.stringify(doc);
        this.limber.files.set(DOCUMENT, text);
        const file = this.limber.loadProblem(DOCUMENT, {models: 'models', warn: warning => warnings.push(warning)});
        const world = new World(this.limber, {
            doc, file, problem: file.problem, start: file.start, names: file.figureNames, options: file.options, motion: file.motion,
        });
        if (pose && pose.length === world.pose.length) world.pose.set(pose);
        world.warnings = warnings;
        return world;
    }

    /** Takes a world as the present one, if it can be shown; what it is. */
    take(world, {solve = false} = {}) {
        let show = null;
        let answer;
        try {
            show = this.stage.showOf(world, this.animation);
            const frame = solve ? this.solveIn(world, {}) : frameOf(world, world.pose);
            answer = {scene: this.sceneIn(world, show), frame};
        } catch (error) {
            show?.free();
            world.free();
            throw error;
        }
        this.show?.free();
        this.world?.free();
        Object.assign(this, {world, show, pull: null, isStale: false, shown: 'document'});
        return answer;
    }

    /** A world's scene; figures that are the same as in the last one are not described anew. */
    sceneIn(world, show) {
        const files = world.figures.map((_, k) => this.limber.files.get(world.fileOf(k)) ?? this.limber.files.get(`models/${world.fileOf(k)}.fig`));
        const key = JSON.stringify([world.doc.figures, world.names]);
        const {known} = this;
        const isKnown = known?.key === key && known.files.every((bytes, k) => bytes === files[k]);
        const scene = sceneOf(world, show?.about() ?? null, isKnown ? known.figures : null);
        this.known = {key, files, figures: scene.figures};
        return scene;
    }

    /** The world as it is, perhaps in the middle of a pull. */
    present() {
        if (!this.world) throw new Error('nothing is open yet: open a figure or a problem first');
        return this.world;
    }

    /** The world as the document has it: a pull is over. */
    fresh() {
        this.present();
        if (this.isStale) {
            const {doc, pose, isPlayed, played} = this.world;
            this.take(Object.assign(this.compile(doc, pose), {isPlayed, played}));
        }
        return this.world;
    }

    async open({files}) {
        if (!files?.length) throw new Error('no file was given');
        const {main, kind} = chooseMain(files);
        const undo = this.files.add(files);
        const {animation} = this;
        try {
            this.animation = undefined;
            const world = await this.openMain(main, kind);
            return {doc: world.doc, ...this.take(world), warnings: [...world.warnings, ...this.stage.takeWarnings()].map(warningOf)};
        } catch (error) {
            this.animation = animation;
            this.stage.takeWarnings();
            undo();
            throw error;
        }
    }

    openMain(main, kind) {
        if (kind === 'script') return this.openScript(main);
        return kind === 'problem' ? this.openProblem(main) : this.openFigure(main);
    }

    /** A script: its figures as they are at the beginning. */
    async openScript({name}) {
        const doc = this.stage.scriptDocument(name);
        return this.compileMoving(await this.files.resolve(doc));
    }

    async openProblem({name, bytes}) {
        let read;
        try {
            read = JSON.parse(textOf(bytes).replace(/^\uFEFF/, ''));
        } catch {
            read = {}; /* Limber's reader says what is wrong, and where */
        }
        const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
        const isObject = read !== null && typeof read === 'object' && !Array.isArray(read);
        const resolved = await this.files.resolve(isObject ? read : {}, folder);
        this.readAsWritten(name, folder, read, resolved);
        const first = this.compile(resolved);
        try {
            const world = this.compile(documentOf(resolved, first));
            world.warnings.push(...first.warnings);
            return world;
        } finally {
            first.free();
        }
    }

    /** Reads the file itself, for messages with its own lines: its figures are put where it looks for them. */
    readAsWritten(name, folder, read, resolved) {
        const aliases = figuresOf(read ?? {}).map(({file}, k) => ({name: `${folder}/${file}`, key: resolved.figures[k]?.file}))
            .filter(alias => alias.key && this.limber.files.has(alias.key) && !this.limber.files.has(alias.name));
        const undo = this.files.add(aliases.map(alias => ({name: alias.name, bytes: this.limber.files.get(alias.key)})));
        try {
            this.limber.loadProblem(name, {models: 'models'}).free();
        } finally {
            undo();
        }
    }

    /** A figure alone: at rest, with pins for feet that would not stand by themselves, and balanced on them. */
    async openFigure({name}) {
        const figure = {file: name};
        const bare = this.compile({title: stemOf(name), figures: [figure]});
        try {
            if (bare.formatOf(0) === 'bvh') bare.pose.set(this.stage.firstPose(bare)); /* its rest is no pose of anyone */
            const doc = documentOf(bare.doc, bare.place(bare.pose));
            doc.constraints = defaultPins(bare, 0);
            const sites = doc.constraints.length > 1 && bare.figures[0].mass > 0 ? supportSites(bare, 0) : [];
            if (sites.length > 2) doc.balance = [{support: sites, margin: 0.01}];
            const world = this.compile(inOrder(doc));
            world.warnings.push(...bare.warnings);
            return world;
        } finally {
            bare.free();
        }
    }

    async set({doc, solve = false, files = []}) {
        const undo = this.files.add(files);
        try {
            const resolved = await this.files.resolve(doc);
            const isSame = JSON.stringify(figuresOf(doc)) === JSON.stringify(resolved.figures);
            return this.take(this.compile(isSame ? doc : resolved), {solve});
        } catch (error) {
            undo();
            throw error;
        }
    }

    /* --- Poses ----------------------------------------------------------------------------------------------------- */

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

    /** Goals as the tracks have them at the time that was played last. The world is stale then: its player wants its own. */
    asPlayed(world) {
        for (const {name, position, rotation, weight, enabled} of world.played ?? []) {
            const constraint = world.constraints.find(entry => entry.name === name);
            if (!constraint) continue;
            const {id} = constraint;
            if (position) {
                moveGoal(world.problem, id, constraint.goal, {position, rotation});
                constraint.goal = goalMoved(constraint.goal, {position, rotation});
            }
            if (weight !== undefined) world.problem.setWeight(id, constraint.weight = Math.max(0, weight));
            if (enabled !== undefined) world.problem.enable(id, !(constraint.disabled = !enabled));
        }
    }

    /** Solves from a world's pose, and notes how. */
    solveIn(world, options) {
        const trace = {values: [], evaluationsAt: [], timesAt: []};
        const begun = performance.now();
        const result = world.solver.solve(world.pose, {
            ...world.options, ...options,
            onIteration: progress => {
                trace.values.push(progress.value);
                trace.evaluationsAt.push(progress.evaluations);
                trace.timesAt.push((performance.now() - begun) * 1000);
                return false;
            },
        });
        const time = (performance.now() - begun) * 1000;
        return frameOf(world, world.pose, result, {time_us: time, trace: {before: result.valueBefore, ...trace}});
    }

    /* --- Pulling --------------------------------------------------------------------------------------------------- */

    async dragBegin({figure = 0, segment, point = [0, 0, 0], turn = false, chain = 0}) {
        if (this.pull) this.world.pose.set(this.pull.pose);
        const world = this.fresh();
        const s = typeof segment === 'number' ? segment : world.figures[figure].findSegment(segment);
        if (!(s >= 0 && s < world.figures[figure].segments.length)) throw new Error(`there is no part "${segment}" to drag`);
        this.isStale = true;
        if (world.isPlayed) this.pinHere(world);
        this.asPlayed(world);
        this.limitChain(figure, s, chain);
        for (const constraint of world.constraints) {
            const isOwn = constraint.figure === figure && constraint.segment === s && constraint.from !== 'avoid';
            if (isOwn && !constraint.disabled) {
                world.problem.enable(constraint.id, false);
                constraint.disabled = true;
                constraint.isDragged = true;
            }
        }
        const effector = {kind: 'frame', segment: s, point: [...point], x: [1, 0, 0], y: [0, 1, 0]};
        const lowest = Math.max(0, ...world.constraints.map(constraint => constraint.priority));
        const id = world.problem.add({
            name: world.figures[figure].segments[s].name, figure, effector, priority: lowest,
            goal: {kind: turn ? 'frame' : 'position'}, tolerance: [5e-5, 5e-5, 5e-5], toleranceRad: 5e-5,
        });
        const subject = {
            ids: [id], figure, segment: s, point: [...point], name: world.figures[figure].segments[s].name,
            move: frame => world.problem.moveGoal(id, frame),
        };
        this.pull = new Pull(world, subject, turn);
        this.pull.held = this.pull.here();
        return this.pull.move(this.pull.held);
    }

    /** Pins hold where a clip has brought what they pin, not where it was at rest. */
    pinHere(world) {
        world.place(world.pose);
        for (const constraint of world.constraints) {
            if (!isPin(constraint) || constraint.goal.carrier || constraint.effector.kind === 'com') continue;
            world.problem.moveGoal(constraint.id, world.effectorFrame(constraint));
            constraint.isDragged = true;
        }
    }

    /** Only the first `count` entries of a segment's chain may move. */
    limitChain(figure, segment, count) {
        const {world} = this;
        const links = chainOf(world, figure, segment);
        if (!(count > 0) || count >= links.length) return;
        const free = new Set(links.slice(0, count).flatMap(link => link.variables));
        for (let v = 0; v < world.pose.length; v++) if (!free.has(v)) world.problem.setActive(v, false);
    }

    async dragMove({point, rotation = null}) {
        if (!this.pull?.held) throw new Error('nothing is being dragged');
        const {held} = this.pull;
        return this.pull.move({position: [...(point ?? held.position)], rotation: [...(rotation ?? held.rotation)]});
    }

    async dragEnd({commit = true} = {}) {
        if (!this.pull?.held) throw new Error('nothing is being dragged');
        return this.endPull(commit, doc => this.movePins(doc));
    }

    /** Lets go; `edit` changes the document where that is asked for, and says whether it did. */
    endPull(commit, edit) {
        const {pull, world: pulled} = this;
        if (commit) pulled.pose.set(pull.pose);
        this.pull = null;
        let {doc} = pulled;
        let isEdited = false;
        if (commit) {
            doc = structuredClone(doc);
            doc.start = pulled.values(pulled.pose);
            isEdited = edit(doc);
        }
        pulled.doc = doc; /* compiled anew when it is needed; where goals have moved, now */
        const frame = isEdited ? frameOf(this.fresh(), pulled.pose) : pull.plainFrame(pulled.pose);
        return {start: doc.start, doc, frame};
    }

    /** Goals of the part that was dragged that kept it where it was: they go along. */
    movePins(doc) {
        const {world} = this;
        let isMoved = false;
        world.place(world.pose);
        for (const constraint of world.constraints) {
            if (!constraint.isDragged || constraint.from !== 'constraints' || constraint.goal.carrier) continue;
            const {kind} = constraint.goal;
            if (kind !== 'position' && kind !== 'frame' && kind !== 'orientation') continue;
            const entry = doc.constraints[constraint.index];
            entry.goal = documentGoal(entry.goal, constraint.goal, world.effectorFrame(constraint));
            isMoved = true;
        }
        return isMoved;
    }

    async goalMove({name, frame}) {
        if (this.pull?.goal !== name) this.goalBegin(name);
        return this.pull.move({position: [...frame.position], rotation: [...(frame.rotation ?? this.pull.first.rotation)]});
    }

    /** Takes hold of a constraint's goal (of all that share it, where it is an obstacle). */
    goalBegin(name) {
        if (this.pull) this.world.pose.set(this.pull.pose);
        const world = this.fresh();
        const constraint = world.constraints.find(entry => entry.name === name);
        if (!constraint) throw new Error(`there is no constraint "${name}"`);
        this.isStale = true;
        this.asPlayed(world);
        const {goal, effector} = constraint;
        const shared = constraint.from === 'avoid'
            ? world.constraints.filter(entry => entry.from === 'avoid' && entry.index === constraint.index) : [constraint];
        const isPlace = effector.kind === 'frame' && (goal.kind === 'position' || goal.kind === 'frame') && !goal.carrier &&
            !constraint.disabled && effector.segment < world.figures[constraint.figure].segments.length;
        const subject = {
            name, ids: shared.map(entry => entry.id), figure: constraint.figure, segment: isPlace ? effector.segment : -1, point: effector.point,
            rotation: turnFromAxes(effector.x, effector.y),
            move: frame => shared.forEach(entry => moveGoal(world.problem, entry.id, entry.goal, frame)),
            goals: frame => new Map(shared.map(entry => [entry.id, goalMoved(entry.goal, frame)])),
        };
        this.pull = new Pull(world, subject, isPlace && goal.kind === 'frame');
        Object.assign(this.pull, {goal: name, constraint, first: goalFrame(goal)});
    }

    async goalEnd({commit = true} = {}) {
        if (!this.pull?.goal) throw new Error('no goal is being moved');
        const {constraint, target} = this.pull;
        return this.endPull(commit, doc => {
            const entry = constraint.from === 'avoid' ? doc.avoid[constraint.index] : doc.constraints?.[constraint.index];
            const key = constraint.from === 'avoid' ? 'obstacle' : 'goal';
            if (!entry?.[key] || !target || !['constraints', 'avoid'].includes(constraint.from)) return false;
            entry[key] = documentGoal(entry[key], constraint.goal, target, this.carrierSite(entry[key]));
            return true;
        });
    }

    /** The frame in its segment of the site that a document's goal is relative to; null where it is no site. */
    carrierSite(goal) {
        if (typeof goal.relative_to !== 'string') return null;
        const {figure, site} = this.world.findSite(goal.relative_to);
        return site < 0 ? null : this.world.figures[figure].sites[site].frame;
    }

    /* --- Bodies ---------------------------------------------------------------------------------------------------- */

    async support({figure = 0} = {}) {
        const world = this.present();
        return {sites: supportSites(world.place(world.pose), figure)};
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

    /* --- Motion ---------------------------------------------------------------------------------------------------- */

    /** The pose at a time of what plays. */
    async play({time = 0, peek = false, animation}) {
        if (this.pull) this.world.pose.set(this.pull.pose);
        const world = this.fresh();
        const show = this.theShow(animation);
        const begun = performance.now();
        const shot = show.at(Math.max(0, time));
        const stage = this.stageOf(shot, world);
        if (!peek && stage === world) {
            world.pose.set(shot.pose);
            world.isPlayed = show.kind !== 'tracks';
            world.played = shot.goals;
        }
        const result = stage === shot.world ? shot.result : null;
        const frame = frameOf(stage, shot.pose, result, {goals: show.moved(shot.goals)});
        Object.assign(frame, {time, time_us: (performance.now() - begun) * 1000});
        if (shot.goals.length) frame.goals = shot.goals;
        if (show.kind !== 'tracks') for (const entry of frame.constraints) entry.counted = false; /* what plays asks nobody */
        return peek ? frame : this.withScene(frame, stage, shot.stage);
    }

    theShow(animation) {
        if (animation !== undefined && animation !== this.animation) {
            const show = this.stage.showOf(this.world, animation);
            this.show?.free();
            Object.assign(this, {show, animation, shown: 'another animation'});
        }
        if (!this.show) throw new Error('nothing plays here: add keys to the timeline, or open a motion file or a script');
        return this.show;
    }

    /** The world to show a shot in: the document's, where its figures are the same. */
    stageOf(shot, world) {
        const spell = ({figures}) => JSON.stringify(figures.map(figure => [figure.name, figure.variables.map(variable => variable.name)]));
        if (shot.world === world || shot.world.isDocuments === undefined) shot.world.isDocuments = shot.world === world || spell(shot.world) === spell(world);
        return shot.world.isDocuments ? world : shot.world;
    }

    /** Adds the scene where it is another than the last one handed out. */
    withScene(frame, world, stage) {
        const shown = world === this.world ? 'document' : `stage ${stage}`;
        if (shown !== this.shown) frame.scene = world === this.world ? this.sceneIn(world, this.show) : sceneOf(world, this.show.about());
        this.shown = shown;
        return frame;
    }

    /** Poses at even times: [count][variables] in one array. */
    async bake({frameTime = 1 / 30, from = 0, to}, onProgress) {
        const world = this.fresh();
        const show = this.theShow();
        const task = new Task();
        this.tasks.add(task);
        try {
            const count = Math.floor(((to ?? show.end) - from) / frameTime + 1e-9) + 1;
            const times = Float64Array.from({length: count}, (_, k) => from + k * frameTime);
            const poses = new Float64Array(count * world.pose.length);
            for (const [k, time] of times.entries()) {
                const shot = show.at(time);
                if (shot.pose.length !== world.pose.length) throw new Error('the figures change in this script: it cannot be baked as one');
                poses.set(shot.pose, k * world.pose.length);
                onProgress?.({done: k + 1, count, fraction: (k + 1) / count});
                await task.pause();
            }
            return {times, poses, frameTime};
        } finally {
            this.tasks.delete(task);
        }
    }

    /** What the clip does, done by a model. */
    async retarget({model = 'human', figure} = {}) {
        const world = this.fresh();
        const k = figure ?? this.show?.k ?? -1;
        if (this.show?.kind !== 'clip') throw new Error('there is no motion capture to carry over: open a BVH or an animated glTF file');
        const made = this.files.madeOf(world.fileOf(k));
        const source = made ? made.source : world.fileOf(k);
        const doc = {title: `${stemOf(source)} by ${model}`, figures: [{file: `${source}/${model}.fig`, name: model}]};
        const next = this.compileMoving(await this.files.resolve(doc));
        return {doc: next.doc, ...this.take(next), warnings: []};
    }

    /** A document of figures alone, tidied, in the first pose of what plays. */
    compileMoving(doc) {
        const bare = this.compile(doc);
        const show = this.stage.showOf(bare);
        try {
            if (show) bare.pose.set(show.at(0).pose);
            return this.compile(documentOf(bare.doc, bare.place(bare.pose)));
        } finally {
            show?.free();
            bare.free();
        }
    }

    async export(wanted) {
        const world = this.fresh();
        return exportFile({limber: this.limber, world: world.place(world.pose), show: this.show}, wanted);
    }

    /** Drags for nobody, so that the first drag of a person finds everything compiled. */
    async warmUp() {
        await this.beside(async (world, task) => {
            const segment = world.figures[0].segments.length - 1;
            const name = 'warm';
            const id = world.problem.add({name, effector: {kind: 'frame', segment, point: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]}, goal: {kind: 'position'}});
            const pull = new Pull(world, {ids: [id], figure: 0, segment, point: [0, 0, 0], name, move: frame => world.problem.moveGoal(id, frame)}, false);
            const {position, rotation} = pull.here();
            for (let k = 0; k < WARM; k++) {
                const far = 0.6 * Math.sin(k / 8);
                pull.move({position: [position[0] + far, position[1] + far / 2, position[2] + far], rotation});
                await task.pause();
            }
        });
    }

    /* --- What takes long ------------------------------------------------------------------------------------------- */

    /** Runs work on a world of its own; cancel() ends it. */
    async beside(work, pose = null) {
        const {doc} = this.present();
        const task = new Task();
        const world = this.compile(doc, pose);
        this.tasks.add(task);
        try {
            return await work(world, task);
        } finally {
            this.tasks.delete(task);
            world.free();
        }
    }

    async cancel() {
        for (const task of this.tasks) task.cancel();
        return {};
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

    async chain({figure = 0, segment}) {
        const world = this.present();
        const s = typeof segment === 'number' ? segment : world.figures[figure].findSegment(segment);
        return {chain: s < 0 ? [] : chainOf(world, figure, s).map(link => link.name)};
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

const warningOf = warning => ({message: warning.message, file: warning.file ?? '', line: warning.line ?? 0});
