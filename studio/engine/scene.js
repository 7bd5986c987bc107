// The scene: what the figures and constraints of a problem are, for those who draw and list them. Made once for each
// document.
import {rotationFromAxes, rotationTo} from '../math/vector.js';

const SHAPES = ['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid'];
const ELEMENTS = ['rotate', 'translate', 'swing_twist', 'rotation'];
const GOALS = ['position', 'orientation', 'frame', 'aim', 'line', 'plane', 'half-space', 'box', 'sphere', 'capsule',
    'circle', 'disc',
    'polyhedron', 'custom'];
/** @type {Record<string, number>} */
const WIDTHS = {rotate: 1, translate: 1, swing_twist: 3, rotation: 3};

/** @param {string[]} names @param {string | number} kind */
const named = (names, kind) => (typeof kind === 'number' ? names[kind] : String(kind).replace(/-(?=twist)/, '_'));
/** @param {Numbers} list */
const numbers = (list) => Array.from(list);

/**
 * For each dof of a joint type, the element that it belongs to.
 * @param {LimberFigure['joints'][number]['type']} type
 */
function dofElements(type) {
    return type.elements.flatMap((element) => {
        const kind = named(ELEMENTS, element.kind);
        return Array.from({length: WIDTHS[kind]}, (_, part) => ({kind, part, axis: numbers(element.axis)}));
    });
}

/**
 * The axis that a dof turns about, or slides along, before the dofs behind it.
 * @param {{kind: string, part: number, axis: Vec}} element
 */
function dofAxis({kind, part, axis}) {
    if (kind === 'rotation') return [0, 1, 2].map((i) => (i === part ? 1 : 0));
    if (kind !== 'swing_twist' || part === 2) return axis;
    const main = axis.findIndex((value) => Math.abs(value) > 0.999);
    if (main >= 0) return [0, 1, 2].map((i) => (i === (main + 1 + part) % 3 ? Math.sign(axis[main]) || 1 : 0));
    return axis;
}

/**
 * @param {LimberFigure} figure @param {LimberFigure['joints'][number]} joint @param {number} index
 * @param {number} first
 * @returns {SceneJoint}
 */
function jointOf(figure, joint, index, first) {
    const elements = dofElements(joint.type);
    const driven = new Set(figure.drives.filter((drive) => drive.joint === index).map((drive) => drive.dof));
    const dofs = elements.map((element, dof) => {
        const variable = figure.variableOf({joint: index, dof, parameter: -1});
        return {
            name: joint.dofNames[dof], variable: variable < 0 ? -1 : first + variable, driven: driven.has(dof),
            isAngle: element.kind !== 'translate', axis: dofAxis(element), element: element.kind, part: element.part,
            lower: joint.lower[dof], upper: joint.upper[dof], rest: joint.rest[dof],
        };
    });
    return {
        name: joint.name,
        segmentA: figure.sites[joint.siteA].segment,
        segmentB: figure.sites[joint.siteB].segment,
        siteA: joint.siteA,
        siteB: joint.siteB,
        type:
            joint.type.elements.map((element) => ({kind: named(ELEMENTS, element.kind), axis: numbers(element.axis)})),
        isFrozen: Boolean(joint.frozen),
        dofs,
        swing: Array.from(joint.swing ?? [], numbers),
    };
}

/**
 * @param {LimberFigure} figure @param {LimberFigure['groups'][number]} group @param {number} index
 * @param {number} first
 * @returns {SceneGroup}
 */
function groupOf(figure, group, index, first) {
    const parameters = figure.parameters.map((parameter, k) => ({parameter, k}))
        .filter(({parameter}) => parameter.group === index);
    const numbersOf = new Set(parameters.map(({k}) => k));
    const joints = figure.drives.filter((drive) => drive.source.joint < 0 && numbersOf.has(drive.source.parameter))
        .map((drive) => figure.joints[drive.joint].name);
    return {
        name: group.name,
        parameters: parameters.map(({parameter, k}) => ({
            name: parameter.name, variable: first + figure.variableOf({joint: -1, dof: 0, parameter: k}),
                isAngle: Boolean(parameter.isAngle),
            lower: parameter.lower, upper: parameter.upper, rest: parameter.rest,
        })),
        joints: [...new Set(joints)],
    };
}

/**
 * @param {LimberFigure} figure @param {LimberFigure['variables'][number]} variable @param {number} index
 * @param {number} first
 * @returns {SceneVariable}
 */
function variableOf(figure, variable, index, first) {
    const {joint, parameter} = variable.ref;
    const group = joint < 0 && parameter >= 0 ? figure.parameters[parameter].group : -1;
    return {
        name: variable.name, index: first + index, joint: joint < 0 ? null : figure.joints[joint].name,
        group: group < 0 ? null : figure.groups[group].name, isRoot: joint < 0 && parameter < 0, dof: variable.ref.dof,
        isAngle: Boolean(variable.isAngle), lower: variable.lower, upper: variable.upper, rest: variable.rest,
        rigidity: variable.rigidity,
    };
}

/**
 * Sites that look: the gaze first, then eyes of their own.
 * @param {LimberFigure} figure
 */
function eyesOf(figure) {
    const looking = /^(gaze|viewpoint|look|camera)$|pupil|eye(?!_?socket)|gaze/i;
    const names = figure.sites.map((site) => site.name).filter((name) => looking.test(name));
    return names.sort((a, b) => (a === 'gaze' ? -1 : 0) - (b === 'gaze' ? -1 : 0));
}

/**
 * How a site is named in a problem: by its own name where that is enough, and means no segment.
 * @param {LimberFigure} figure @param {number} index
 */
export function siteName(figure, index) {
    const {name, segment} = figure.sites[index];
    const isOnly = figure.findSite(name) === index;
    const isHidden = isOnly && figure.findSegment(name) >= 0 && figure.findPlace(name).site !== index;
    return isOnly && !isHidden ? name : `${figure.segments[segment].name}.${name}`;
}

/** @param {World} world @param {number} k @returns {Omit<SceneFigure, 'body'>} */
function sceneFigure(world, k) {
    const figure = world.figures[k];
    const first = world.firstVariable[k];
    return {
        name: world.names[k], file: world.fileOf(k), format: world.formatOf(k),
        segments: figure.segments.map((segment, s) => ({
            name: segment.name, parent: figure.parentSegment(s), joint: figure.parentJoint(s), mass: segment.mass,
                com: numbers(segment.com),
        })),
        shapes: figure.shapes.map((shape) => ({
            segment: shape.segment, kind: named(SHAPES, shape.kind), position: numbers(shape.frame.position),
            rotation: numbers(shape.frame.rotation), size: numbers(shape.size), color: shape.color,
        })),
        sites: figure.sites.map((site, s) => ({
            name: siteName(figure, s), segment: site.segment, position: numbers(site.frame.position),
                rotation: numbers(site.frame.rotation),
        })),
        joints: figure.joints.map((joint, j) => jointOf(figure, joint, j, first)),
        groups: figure.groups.map((group, g) => groupOf(figure, group, g, first)),
        variables: figure.variables.map((variable, v) => variableOf(figure, variable, v, first)),
        firstVariable: first, firstSegment: world.firstSegment[k], firstDof: world.firstDof[k],
        root: {segment: figure.root.segment, site: figure.root.site, isFree: Boolean(figure.root.isFree)},
        mass: figure.mass, stature: figure.stature, eyes: eyesOf(figure),
    };
}

/**
 * A goal as the problem has it, with its kind by name.
 * @param {WholeGoal} goal
 * @returns {SceneGoal}
 */
function sceneGoal(goal) {
    const kind = named(GOALS, goal.kind);
    const rotation = kind === 'frame' || kind === 'orientation' ? rotationFromAxes(goal.x, goal.y)
        : ['line', 'plane', 'half-space'].includes(kind) ? rotationTo(goal.normal) : numbers(goal.rotation);
    return {
        kind, outside: Boolean(goal.outside), point: numbers(goal.point), x: numbers(goal.x), y: numbers(goal.y),
        normal: numbers(goal.normal), rotation, size: numbers(goal.size), degreesX: goal.degreesX,
            degreesY: goal.degreesY,
        faces: Array.from(goal.faces ?? [], numbers),
        carrier: goal.carrierSegment >= 0 ? {figure: goal.carrierFigure, segment: goal.carrierSegment} : null,
    };
}

/**
 * The constraints of a world's problem with where each comes from in its document.
 * @param {World} world
 * @returns {SceneConstraint[]}
 */
export function sceneConstraints(world) {
    const constraints = /** @type {WholeConstraint[]} */ (world.problem.constraints());
    return constraints.map((constraint, k) => ({
        id: constraint.id, name: world.sources[k]?.name ?? constraint.name ?? `constraint ${k + 1}`,
        from: world.sources[k]?.from ?? 'constraints', index: world.sources[k]?.index ?? k, figure: constraint.figure,
        segment: isCom(constraint.effector) ? -1 : constraint.effector.segment,
        effector: {
            kind: isCom(constraint.effector) ? 'com' : 'frame', segment: constraint.effector.segment,
            point: numbers(constraint.effector.point), x: numbers(constraint.effector.x),
                y: numbers(constraint.effector.y),
        },
        goal: sceneGoal(constraint.goal), weight: constraint.weight, priority: constraint.priority,
            anyOf: constraint.anyOf,
        chainStart: constraint.chainStart, tolerance: numbers(constraint.tolerance),
            toleranceAngle: constraint.toleranceRad,
        disabled: Boolean(constraint.disabled), radius: constraint.radius, halfLength: constraint.halfLength,
    }));
}

/** @param {{kind: string | number}} effector */
const isCom = (effector) => effector.kind === 1 || effector.kind === 'com';

/**
 * Whether a figure has a body, and is posed as one.
 * @param {World} world @param {number} k
 * @returns {SceneFigure['body']}
 */
function bodyOf(world, k) {
    const {body} = world.figures[k];
    return body && {feet: body.feet.map(({name}) => name), isPosed: world.isNatural(k)};
}

/**
 * @param {World} world
 * @returns {Scene}
 * @param {SceneMotion | null} [motion] what plays, or null
 * @param {SceneFigure[] | null} [figures] those of an earlier scene of the same figures, which are then taken
 */
export function sceneOf(world, motion = null, figures = null) {
    return {
        title: world.doc?.title ?? '',
        figures: (figures ?? world.figures.map((_, k) => sceneFigure(world, k))).map((figure, k) =>
            ({...figure, body: bodyOf(world, k)})),
        constraints: world.constraints, variableCount: world.problem.variableCount, motion,
    };
}
