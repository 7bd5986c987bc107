// A world: a document (or a stage of a script) compiled - its figures, its problem, a solver, and the present pose.
import {frameMultiply, matrixFrame, matrixPoint, matrixVector, rotationFromAxes} from '../math/vector.js';
import {listOf} from './document.js';
import {nearestPoint} from './goals.js';
import {sceneConstraints} from './scene.js';

/** @type {Record<string, number>} */
const DOF_COUNTS = {rotate: 1, translate: 1, swing_twist: 3, rotation: 3};

/**
 * A pattern of a problem file, with * and ?, as a regular expression.
 * @param {string} text
 */
function pattern(text) {
    return new RegExp(`^${text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.')}$`, 's');
}

export class World {
    /**
     * @param {Limber} limber the package
     * @param {WorldParts} parts {doc, file, problem, start, names, options, motion}
     */
    constructor(limber, {doc = null, file = null, problem, start, names, options = {}, motion = null}) {
        this.limber = limber;
        this.doc = doc;
        this.file = file;
        this.problem = problem;
        this.options = options;
        this.motion = motion;
        this.figures = problem.figures;
        this.names = [...names];
        this.firstVariable = this.figures.map((_, k) => problem.firstVariable(k));
        this.firstSegment = firstOf(this.figures.map((figure) => figure.segments.length));
        this.firstDof = firstOf(this.figures.map((figure) => figure.joints.reduce((sum, joint) => sum + dofCount(joint),
            0)));
        this.segmentCount = this.figures.reduce((sum, figure) => sum + figure.segments.length, 0);
        this.kinematics = this.figures.map((figure) => figure.kinematics());
        this.solver = problem.solver();
        this.pose = Float64Array.from(start);
        /** @type {ReturnType<typeof import('./mirror.js').mirrorTable>[]} */
        this.mirrors = []; /* by figure, made when they are asked for */
        /** @type {Source[]} */
        this.sources = doc ? sourcesOf(this) : [];
        this.constraints = sceneConstraints(this);
        /** @type {LimberWarning[]} what the reader of its file said */
        this.warnings = [];
        /** @type {Pick<PoseFrame, 'body' | 'stance'> | null} of bodies that were solved for when it was opened */
        this.stands = null;
        this.isPlayed = false; /* its pose is that of a clip or a script */
        /** @type {PlayedGoal[] | undefined} what its tracks drove of goals when it was played last */
        this.played = undefined;
        /** @type {boolean | undefined} of a script's stage: its figures are those of the document */
        this.isDocuments = undefined;
        this.place(this.pose);
    }

    free() {
        for (const kinematics of this.kinematics) kinematics.free();
        this.solver.free();
        this.file?.free();
    }

    /* --- Bodies --------------------------------------------------------------------------------- */

    /** Whether a figure is posed as a body; without a number: whether any is. */
    isNatural(k = -1) {
        return this.figures.some((_, at) => (k < 0 || at === k) && this.problem.body(at) !== null);
    }

    /**
     * What became of the bodies at the solver's last answer, by figure; null for those that are posed plainly.
     * @param {boolean} [isPosed] nobody solved: forces are not known
     * @param {(k: number) => import('limber/body.js').BodyResult | null} [bodyOf] of another solver
     */
    bodies(isPosed = false, bodyOf = (k) => this.solver.body(k)) {
        return this.figures.map((_, k) => {
            const body = bodyOf(k);
            if (!body) return null;
            return {
                contacts: body.contacts.map(({name, kind, limb, stands, point, share}) =>
                    ({name, kind, limb, stands, point, share: isPosed ? null : share})),
                efforts: isPosed ? [] : body.efforts.map(({name, share, strength}) => ({name, share,
                    segment: this.figures[k].body?.strengths[strength].segment ?? -1})),
                steps: body.steps.map(({foot, distance}) => ({foot, distance})),
                com: body.com, margin: body.margin, overlap: body.overlap,
            };
        });
    }

    /* --- Names ---------------------------------------------------------------------------------- */

    /**
     * "anna:right_palm", or "1:right_palm" -> [1, "right_palm"]; a colon may also be part of a name: mixamorig:Hips
     * @param {string} name
     * @returns {[figure: number, name: string]}
     */
    split(name) {
        const colon = name.indexOf(':');
        const prefix = colon > 0 ? name.slice(0, colon) : '';
        const rest = name.slice(colon + 1);
        const named = this.names.indexOf(prefix);
        const figure = named < 0 ? this.figures.findIndex((_, k) => String(k) === prefix) : named;
        if (figure < 0 || (!isKnown(this.figures[figure], rest) && isKnown(this.figures[0], name))) return [0, name];
        return [figure, rest];
    }

    /**
     * A name with the prefix that it needs in a problem of several figures.
     * @param {number} figure @param {string} name
     */
    prefixed(figure, name) {
        return this.figures.length > 1 ? `${this.names[figure]}:${name}` : name;
    }

    /**
     * A site, or a segment's own frame (site -1); thrown, with the nearest names, where it is neither.
     * @param {string} name
     * @returns {Place}
     */
    findPlace(name) {
        const [figure, rest] = this.split(name);
        return {figure, ...this.figures[figure].findPlace(rest)};
    }

    /**
     * Where such a place is in the world.
     * @param {Place} place
     */
    placeFrame({figure, segment, site}) {
        return site >= 0 ? this.siteFrame(figure, site) : this.segmentFrame(figure, segment);
    }

    /** @param {number} k */
    fileOf(k) {
        return this.doc?.figures?.[k]?.file ?? '';
    }

    /** @param {number} k */
    formatOf(k) {
        return formatOf(this.fileOf(k));
    }

    /**
     * A pose as values by the variables' names.
     * @param {Numbers} pose
     */
    values(pose) {
        /** @type {Record<string, number>} */
        const values = {};
        this.figures.forEach((figure, k) => figure.variables.forEach((variable, v) => {
            values[this.prefixed(k, variable.name)] = pose[this.firstVariable[k] + v];
        }));
        return values;
    }

    /**
     * A variable of the problem's pose.
     * @param {number} index
     */
    variable(index) {
        const k = this.firstVariable.findLastIndex((first) => first <= index);
        return this.figures[k].variables[index - this.firstVariable[k]];
    }

    /* --- Poses ---------------------------------------------------------------------------------- */

    /**
     * The part of a pose that is a figure's.
     * @param {Float64Array} pose @param {number} k
     */
    part(pose, k) {
        const first = this.firstVariable[k];
        return pose.subarray(first, first + this.figures[k].variables.length);
    }

    /**
     * Forward kinematics: `matrices`, `coms` and `dofs` are then those of this pose.
     * @param {Float64Array} pose
     */
    place(pose) {
        this.kinematics.forEach((kinematics, k) => kinematics.update(this.part(pose, k)));
        return this;
    }

    /**
     * Moves a pose into its limits, in place.
     * @param {Float64Array} pose
     */
    project(pose) {
        this.kinematics.forEach((kinematics, k) => {
            const part = this.part(pose, k);
            if (this.figures[k].violation(part) > 1e-9) part.set(kinematics.project(part));
        });
        return pose;
    }

    matrices() {
        const all = new Float64Array(12 * this.segmentCount);
        this.kinematics.forEach((kinematics, k) => {
            const first = 12 * this.firstSegment[k];
            kinematics.matrices(all.subarray(first, first + 12 * this.figures[k].segments.length));
        });
        return all;
    }

    coms() {
        return this.kinematics.map((kinematics, k) => (this.figures[k].mass > 0 ? Array.from(kinematics.com()) : null));
    }

    dofs() {
        /** @type {number[]} */
        const values = [];
        this.figures.forEach((figure, k) => figure.joints.forEach((joint, j) => {
            for (let dof = 0; dof < dofCount(joint); dof++) values.push(this.kinematics[k].dof(j, dof));
        }));
        return Float64Array.from(values);
    }

    /** @param {number} figure @param {number} site @returns {Frame} */
    siteFrame(figure, site) {
        const frame = this.kinematics[figure].site(site);
        return {position: Array.from(frame.position), rotation: Array.from(frame.rotation)};
    }

    /** @param {number} figure @param {number} segment @returns {Frame} */
    segmentFrame(figure, segment) {
        const frame = this.kinematics[figure].segment(segment);
        return {position: Array.from(frame.position), rotation: Array.from(frame.rotation)};
    }

    /**
     * Where a constraint's effector is, and its x direction, in the world.
     * @param {SceneConstraint} constraint @param {Float64Array} matrices @param {(Vec | null)[]} coms
     * @returns {{at: Vec, x: Vec | null}}
     */
    effectorAt(constraint, matrices, coms) {
        const {effector, figure} = constraint;
        if (effector.kind === 'com') return {at: coms[figure] ?? [0, 0, 0], x: null};
        if (effector.segment >= this.figures[figure].segments.length) return {at: [0, 0, 0], x: null};
        const first = 12 * (this.firstSegment[figure] + effector.segment);
        return {at: matrixPoint(matrices, effector.point, first), x: matrixVector(matrices, effector.x, first)};
    }

    /**
     * The frame of a constraint's effector.
     * @param {SceneConstraint} constraint
     */
    effectorFrame({figure, effector}) {
        const frame = this.segmentFrame(figure, effector.segment);
        return frameMultiply(frame, {position: effector.point, rotation: rotationFromAxes(effector.x, effector.y)});
    }

    /**
     * Where a constraint's effector is and the nearest point of its goal.
     * @param {SceneConstraint} constraint @param {Float64Array} matrices @param {(Vec | null)[]} coms
     */
    reachOf(constraint, matrices, coms, goal = constraint.goal) {
        const {at, x} = this.effectorAt(constraint, matrices, coms);
        const carrier = goal.carrier &&
            matrixFrame(matrices, 12 * (this.firstSegment[goal.carrier.figure] + goal.carrier.segment));
        return {at, target: nearestPoint(goal, carrier, at, x)};
    }
}

/**
 * Where each begins when they stand one behind the other.
 * @param {number[]} counts
 */
function firstOf(counts) {
    let sum = 0;
    return counts.map((count) => (sum += count) - count);
}

/** @param {{type: {elements: {kind: string | number}[]}}} joint */
function dofCount(joint) {
    return joint.type.elements.reduce((sum, {kind}) =>
        sum + (typeof kind === 'number' ? [1, 1, 3, 3][kind] : DOF_COUNTS[String(kind).replace('-', '_')]), 0);
}

/**
 * The format that a file's name says.
 * @param {string} name
 */
export function formatOf(name) {
    const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase() ?? '';
    /** @type {Record<string, string>} */
    const formats = {fig: 'fig', urdf: 'urdf', xml: 'mjcf', mjcf: 'mjcf', bvh: 'bvh', glb: 'gltf', gltf: 'gltf',
        vrm: 'gltf', vrma: 'gltf'};
    return formats[ending] ?? 'fig';
}

/**
 * How many constraints an entry of `avoid` becomes.
 * @param {World} world @param {DocAvoid} entry
 */
function avoidCount(world, entry) {
    /** @param {string | string[]} names */
    const balls = (names) => listOf(names).flatMap((name) => {
        const [k, rest] = world.split(name);
        const matches = pattern(rest);
        const figure = world.figures[k];
        return figure.shapes.filter((shape) => matches.test(figure.segments[shape.segment].name))
            .map((shape) => `${k} ${shape.segment}`);
    });
    const mine = balls(entry.segments);
    if (entry.others === undefined) return mine.length;
    const others = balls(entry.others);
    return mine.reduce((sum, ball) => sum + others.filter((other) => other !== ball).length, 0);
}

/**
 * Where in the document each constraint of the problem comes from; the order is the reader's.
 * @param {World} world
 */
function sourcesOf(world) {
    const doc = /** @type {Doc} */ (world.doc);
    /** @type {Source[]} */
    const sources = listOf(doc.constraints).map((constraint, index) => ({name: constraint.name, from: 'constraints',
        index}));
    listOf(doc.keep).forEach((entry, index) => sources.push({name: typeof entry === 'string' ? entry : entry.site,
        from: 'keep', index}));
    listOf(doc.balance).forEach((_, index) => sources.push({name: index ? `balance ${index + 1}` : 'balance',
        from: 'balance', index}));
    listOf(doc.avoid).forEach((entry, index) => {
        for (let k = avoidCount(world, entry); k > 0; k--) sources.push({name: undefined, from: 'avoid', index});
    });
    return sources;
}

/**
 * Whether a figure has something of this name.
 * @param {LimberFigure} figure @param {string} name
 */
function isKnown(figure, name) {
    return figure.findSegment(name) >= 0 || figure.findSite(name) >= 0 || figure.findJoint(name) >= 0
        || figure.findVariable(name) >= 0;
}
