// Figures: segments, sites, joints, limits. A figure never changes once it is made.

import {enums, structs} from './c_api.js';
import {readBody} from './body.js';
import {Builder} from './builder.js';
import {Clip} from './clip.js';
import {Closed} from './closed.js';
import {LimberError} from './errors.js';
import {Handle} from './handle.js';
import {enumValue} from './heap.js';
import {Kinematics} from './kinematics.js';
import {followPath} from './path.js';
import {didYouMean} from './nearest.js';
import {Reach} from './reach.js';

/**
 * @typedef {object} Frame
 * @property {number[]} position metres
 * @property {number[]} rotation unit quaternion x, y, z, w
 *
 * @typedef {object} Segment
 * @property {string} name
 * @property {number} mass kilograms
 * @property {number[]} com centre of mass in its frame
 *
 * @typedef {object} Site
 * @property {string} name
 * @property {number} segment
 * @property {Frame} frame in the segment's frame
 *
 * @typedef {object} Shape
 * @property {'sphere' | 'capsule' | 'box' | 'cylinder' | 'ellipsoid'} kind
 * @property {number} segment
 * @property {Frame} frame
 * @property {number[]} size
 * @property {number} color 0xRRGGBB, or -1
 *
 * @typedef {object} Element
 * @property {'rotate' | 'translate' | 'swing-twist' | 'rotation'} kind
 * @property {number[]} axis
 *
 * @typedef {object} JointType
 * @property {Element[]} elements applied left to right
 * @property {string} text as it is spelled: "R(z)*R(x)*T(y)"
 *
 * @typedef {object} Joint
 * @property {string} name
 * @property {number} siteA
 * @property {number} siteB
 * @property {JointType} type
 * @property {number} dofCount
 * @property {string[]} dofNames
 * @property {boolean[]} isAngle of each dof
 * @property {number[]} lower
 * @property {number[]} upper
 * @property {number[]} rest
 * @property {number[]} rigidity
 * @property {number[]} velocity largest speed of each dof, a second
 * @property {number[]} acceleration largest acceleration of each dof, a second squared
 * @property {number[]} effort largest torque or force of each dof's drive
 * @property {number[]} softLower where the drive's own controller begins to hold back
 * @property {number[]} softUpper
 * @property {number[][]} swing vertices of the polygon that limits the swing
 * @property {boolean} frozen
 *
 * @typedef {object} Group
 * @property {string} name
 *
 * @typedef {object} Parameter
 * @property {string} name
 * @property {number} group
 * @property {boolean} isAngle
 * @property {number} lower
 * @property {number} upper
 * @property {number} rest
 * @property {number} rigidity
 *
 * @typedef {object} DofRef
 * @property {number} joint -1: a parameter
 * @property {number} dof
 * @property {number} parameter
 *
 * @typedef {object} Curve
 * @property {'linear' | 'polyline' | 'spline'} kind
 * @property {number} offset
 * @property {number} slope
 * @property {number[]} x
 * @property {number[]} y
 *
 * @typedef {object} Drive
 * @property {number} joint
 * @property {number} dof
 * @property {DofRef} source
 * @property {Curve} curve
 *
 * @typedef {object} Limit
 * @property {string | null} name
 * @property {'at-most' | 'equal'} kind
 * @property {DofRef[]} terms
 * @property {number[]} coefficients
 * @property {number} bound
 *
 * @typedef {object} LimitRow
 * @property {string | null} name
 * @property {'at-most' | 'equal'} kind
 * @property {number[]} variables
 * @property {number[]} coefficients
 * @property {number} bound
 *
 * @typedef {object} Root
 * @property {number} segment
 * @property {number} site -1: the segment's own frame
 * @property {boolean} isFree
 * @property {Frame} placement
 *
 * @typedef {object} Variable
 * @property {string} name
 * @property {DofRef} ref
 * @property {boolean} isAngle
 * @property {number} lower
 * @property {number} upper
 * @property {number} rest
 * @property {number} rigidity
 * @property {number} velocity largest speed, a second; Infinity: unlimited
 * @property {number} acceleration largest acceleration, a second squared
 *
 * @typedef {Float64Array | number[]} Pose one number for each variable
 */

/** Freezes what is inside too. @template T @param {T} value @returns {T} */
function freeze(value) {
    if (value && typeof value === 'object' && !Object.isFrozen(value)) {
        Object.freeze(value);
        Object.values(value).forEach(freeze);
    }
    return value;
}

/** A person, a robot, a mechanism. */
export class Figure extends Handle {
    /** @type {Map<string, any>} parts that were read once */
    #parts = new Map();

    /**
     * @param {import('./limber.js').Limber} limber @param {number} pointer
     * @param {Handle} [owner] whose figure it is; none: it is freed with this object
     */
    constructor(limber, pointer, owner) {
        super(limber, pointer, owner ? () => {} : limber.c.lb_figure_destroy, owner ? [owner] : []);
    }

    /** @template T @param {string} key @param {() => T} read @returns {T} */
    #once(key, read) {
        if (!this.#parts.has(key)) this.#parts.set(key, freeze(read()));
        return this.#parts.get(key);
    }

    /**
     * @param {string} word as in lb_figure_WORD and lb_WORD
     * @param {(pointer: number) => any} [read]
     * @returns {any[]}
     */
    #list(word, read) {
        const {limber, pointer} = this;
        const {c, heap} = limber;
        return this.#once(word, () => {
            const count = c[`lb_figure_${word}_count`](pointer);
            return Array.from({length: count}, (_, i) => {
                const at = c[`lb_figure_${word}`](pointer, i);
                return read ? read(at) : heap.read(`lb_${word}`, at);
            });
        });
    }

    /** The figure's name. @returns {string} */
    get name() {
        return this.#once('name', () => this.limber.heap.text(this.limber.c.lb_figure_name(this.pointer)));
    }

    /** Metres; 0 where it has none. @returns {number} */
    get stature() {
        return this.limber.c.lb_figure_stature(this.pointer);
    }

    /** Kilograms. @returns {number} */
    get mass() {
        return this.limber.c.lb_figure_mass(this.pointer);
    }

    /** The rigid parts, in the order of their indices. @returns {readonly Segment[]} */
    get segments() {
        return this.#list('segment');
    }

    /** Named places on segments, where joints and goals can be. @returns {readonly Site[]} */
    get sites() {
        return this.#list('site');
    }

    /** What is drawn of the segments, and kept apart. @returns {readonly Shape[]} */
    get shapes() {
        return this.#list('shape');
    }

    /** The joints with their dofs, limits and rest values. @returns {readonly Joint[]} */
    get joints() {
        return this.#list('joint', (pointer) => readJoint(this.limber, pointer));
    }

    /** Stands and reaches as a person does; null: it does not. @returns {import('./body.js').Body | null} */
    get body() {
        return this.#once('body', () => readBody(this));
    }

    /** Joint groups: joints that are driven together, as a spine is. @returns {readonly Group[]} */
    get groups() {
        return this.#list('group');
    }

    /** What drives joint groups, such as the flexion of a spine. @returns {readonly Parameter[]} */
    get parameters() {
        return this.#list('parameter');
    }

    /** Dofs that follow another dof or a parameter. @returns {readonly Drive[]} */
    get drives() {
        const {heap} = this.limber;
        return this.#list('drive', (pointer) => {
            const drive = heap.read('lb_drive', pointer);
            const {kind, offset, slope, count, x, y} = drive.curve;
            return {
                ...drive,
                curve: {kind, offset, slope, x: heap.listDoubles(x, count), y: heap.listDoubles(y, count)}
            };
        });
    }

    /** Limits over several dofs, as they were given. @returns {readonly Limit[]} */
    get limits() {
        const {heap} = this.limber;
        return this.#list('limit', (pointer) => {
            const {name, kind, count, terms, coefficients, bound} = heap.read('lb_limit', pointer);
            const {size} = structs.lb_dof_ref;
            const refs = Array.from({length: count}, (_, i) => heap.read('lb_dof_ref', terms + i * size));
            return {name, kind, terms: refs, coefficients: heap.listDoubles(coefficients, count), bound};
        });
    }

    /** Limits over several variables, as the solver uses them. @returns {readonly LimitRow[]} */
    get rows() {
        const {limber, pointer} = this;
        const {c, heap} = limber;
        return this.#once('row', () => Array.from({length: c.lb_figure_row_count(pointer)}, (_, i) => {
            const {name, kind, count, variables, coefficients, bound} =
                heap.read('lb_limit_row', c.lb_figure_row(pointer, i));
            return {name, kind, variables: heap.listInts(variables, count),
                coefficients: heap.listDoubles(coefficients, count), bound};
        }));
    }

    /** What a pose has one value of. @returns {readonly Variable[]} */
    get variables() {
        return this.#list('variable');
    }

    /** How many values a pose has. @returns {number} */
    get variableCount() {
        return this.limber.c.lb_figure_variable_count(this.pointer);
    }

    /** The segment that the figure stands on, where that is, and whether it may move. @returns {Readonly<Root>} */
    get root() {
        return this.#once('root', () => this.limber.heap.read('lb_root', this.limber.c.lb_figure_root(this.pointer)));
    }

    /** Joints that close a cycle. @returns {readonly number[]} */
    get loops() {
        const {c} = this.limber;
        return this.#once('loops', () => Array.from({length: c.lb_figure_loop_count(this.pointer)},
            (_, i) => c.lb_figure_loop_joint(this.pointer, i)));
    }

    /** Segments, parents before children. @returns {readonly number[]} */
    get treeOrder() {
        const {c, heap} = this.limber;
        return this.#once('order', () => heap.scope((scope) => {
            const count = this.segments.length;
            const order = scope.alloc(4 * count);
            c.lb_figure_tree_order(this.pointer, order);
            return heap.listInts(order, count);
        }));
    }

    /** The joint that leads to a segment from the root; -1 for the root. @param {number} segment @returns {number} */
    parentJoint(segment) {
        return this.limber.c.lb_figure_parent_joint(this.pointer, segment);
    }

    /** @param {number} segment @returns {number} -1 for the root */
    parentSegment(segment) {
        return this.limber.c.lb_figure_parent_segment(this.pointer, segment);
    }

    /** @param {string} word @param {string} name @returns {number} */
    #find(word, name) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => c[`lb_figure_find_${word}`](this.pointer, scope.text(name)));
    }

    /** @param {string} name @returns {number} negative where there is none */
    findSegment(name) {
        return this.#find('segment', name);
    }

    /** "segment.site", or its own name where only one segment has it. @param {string} name @returns {number} */
    findSite(name) {
        return this.#find('site', name);
    }

    /**
     * Where a name is: a site, or else a segment, whose own frame is meant then (site -1). A site wins over a segment
     * of the same name, unless a joint sits at it. What is not there is thrown, with the nearest names.
     * @param {string} name @returns {{segment: number, site: number}}
     */
    findPlace(name) {
        const {limber} = this;
        const {c, heap} = limber;
        return heap.scope((scope) => {
            const [segment, site] = [scope.alloc(4), scope.alloc(4)];
            const error = scope.alloc(structs.lb_error.size);
            limber.check(c.lb_figure_find_place(this.pointer, scope.text(name), segment, site, error), error);
            const {view} = heap.now();
            return {segment: view.getInt32(segment, true), site: view.getInt32(site, true)};
        });
    }

    /** The index of a joint; negative where there is none. @param {string} name @returns {number} */
    findJoint(name) {
        return this.#find('joint', name);
    }

    /** The index of a joint group; negative where there is none. @param {string} name @returns {number} */
    findGroup(name) {
        return this.#find('group', name);
    }

    /** "elbow", "hip.rx", "spine.flexion", "root.x". @param {string} name @returns {number} */
    findVariable(name) {
        return this.#find('variable', name);
    }

    /** The variable of a dof or parameter; -1 where it is driven or frozen. @param {Partial<DofRef>} ref */
    variableOf(ref) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => c.lb_figure_variable_of(this.pointer,
            scope.struct('lb_dof_ref', {joint: -1, dof: 0, parameter: -1, ...ref})));
    }

    /** The pose with every variable at rest: where to start from. @returns {Float64Array} */
    restPose() {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const pose = scope.alloc(8 * this.variableCount);
            c.lb_figure_rest_pose(this.pointer, pose);
            return heap.copyDoubles(pose, this.variableCount);
        });
    }

    /** A pose inside the limits, the same for the same seed. @param {number | bigint} [seed] @returns {Float64Array} */
    randomPose(seed = 1) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const state = scope.alloc(8);
            const pose = scope.alloc(8 * this.variableCount);
            heap.now().view.setBigUint64(state, BigInt(seed), true);
            c.lb_figure_random_pose(this.pointer, state, pose);
            return heap.copyDoubles(pose, this.variableCount);
        });
    }

    /** A pose checked for its length, in memory. @param {import('./heap.js').Scope} scope @param {Pose} pose */
    #pose(scope, pose) {
        checkLength(pose, this.variableCount);
        return scope.doubles(pose);
    }

    /** By how much a pose breaks its limits; 0 inside. @param {Pose} pose @returns {number} */
    violation(pose) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => c.lb_figure_violation(this.pointer, this.#pose(scope, pose)));
    }

    /** Values by variable name. @param {Pose} pose @returns {Record<string, number>} */
    poseByName(pose) {
        checkLength(pose, this.variableCount);
        return Object.fromEntries(this.variables.map((variable, i) => [variable.name, pose[i]]));
    }

    /**
     * A pose from values by variable name; what is not named is at rest.
     * @param {Record<string, number>} values @returns {Float64Array}
     */
    poseFromNames(values) {
        const pose = this.restPose();
        for (const [name, value] of Object.entries(values)) {
            const variable = this.findVariable(name);
            if (variable < 0) {
                const near = didYouMean(name, this.variables.map((one) => one.name));
                throw new LimberError(`there is no variable '${name}'${near}`, enums.lb_status.LB_ERROR_NAME);
            }
            pose[variable] = value;
        }
        return pose;
    }

    /**
     * Values carried over by name from another figure's pose; what that lacks stays.
     * @param {Figure} from @param {Pose} poseFrom @param {Pose} pose of this figure @returns {Float64Array}
     */
    carryPose(from, poseFrom, pose) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const to = this.#pose(scope, pose);
            c.lb_pose_carry(from.pointer, from.#pose(scope, poseFrom), this.pointer, to);
            return heap.copyDoubles(to, this.variableCount);
        });
    }

    /** Makes what tells where everything is in a pose. @returns {Kinematics} */
    kinematics() {
        return new Kinematics(this);
    }

    /**
     * An end-effector through frames, on one branch of solutions, as fast as the joints' limits of speed allow; or
     * where that ends, and which limit ends it.
     * @param {number | string | Partial<import('./kinematics.js').Effector>} effector
     * @param {{position: number[], rotation?: number[]}[]} frames
     * @param {import('./path.js').PathOptions} [options] @returns {import('./path.js').Path}
     */
    path(effector, frames, options) {
        return followPath(this, effector, frames, options);
    }

    /**
     * What finds every solution for an end-effector, by algebra; throws where no closed form serves.
     * @param {number | string | Partial<import('./kinematics.js').Effector>} effector
     * @param {import('./closed.js').ClosedOptions} [options] @returns {Closed}
     */
    closed(effector, options) {
        return new Closed(this, effector, options);
    }

    /**
     * The workspace of an end-effector: what is within reach, and what is proved not to be.
     * @param {number | string | Partial<import('./kinematics.js').Effector>} effector
     * @param {import('./reach.js').ReachOptions} [options] @returns {Reach}
     */
    reach(effector, options) {
        return new Reach(this, effector, options);
    }

    /**
     * The same figure rooted elsewhere, standing where it stands in the pose.
     * @param {Pose} pose
     * @param {{segment?: number, site?: number, free?: boolean}} where site: -1 or none: the segment's own frame
     * @returns {{figure: Figure, pose: Float64Array}}
     */
    reroot(pose, {segment, site = -1, free = this.root.isFree}) {
        const {limber} = this;
        const {c, heap} = limber;
        const at = segment ?? (site >= 0 ? this.sites[site].segment : this.root.segment);
        return heap.scope((scope) => {
            const out = scope.alloc(4);
            const poseOut = scope.alloc(8 * (this.variableCount + 6));
            const error = scope.alloc(structs.lb_error.size);
            const values = this.#pose(scope, pose);
            const root = scope.struct('lb_root', {segment: at, site, isFree: Number(free)});
            limber.check(c.lb_figure_reroot(this.pointer, values, root, out, poseOut, error), error);
            const figure = new Figure(limber, heap.now().view.getUint32(out, true));
            return {figure, pose: heap.copyDoubles(poseOut, figure.variableCount)};
        });
    }

    /** How many legs it could stand on; 0: none, or something holds it. @returns {number} */
    legs() {
        const count = this.limber.c.lb_figure_legs(this.pointer);
        this.limber.check(count);
        return count;
    }

    /**
     * A legged figure on its feet: with a free root, in a stance on a floor at height 0, with a body. Throws where
     * it has no legs, or something holds it.
     * @returns {Figure}
     */
    stand() {
        return this.#made((out, error) => this.limber.c.lb_figure_stand(this.pointer, out, error));
    }

    /**
     * The figure on a base that drives in the plane, by the variables base.x, base.y and base.yaw.
     * @param {number[]} [half] how far either way: x, y, metres, and yaw, radians; 0: without end
     * @returns {Figure}
     */
    onPlane(half) {
        return this.#made((out, error, scope) => {
            const room = half ? scope.doubles([...half, 0, 0, 0].slice(0, 3)) : 0;
            return this.limber.c.lb_figure_on_plane(this.pointer, room, out, error);
        });
    }

    /** @param {(out: number, error: number, scope: any) => number} make @returns {Figure} */
    #made(make) {
        const {limber} = this;
        return limber.heap.scope((scope) => {
            const out = scope.alloc(4);
            const error = scope.alloc(structs.lb_error.size);
            limber.check(make(out, error, scope), error);
            return new Figure(limber, limber.heap.now().view.getUint32(out, true));
        });
    }

    /**
     * Breaks it in two at a joint: the part with the root, and the rest.
     * @param {Pose} pose @param {number} joint @returns {[Figure, Figure]}
     */
    split(pose, joint) {
        const {limber} = this;
        const {c, heap} = limber;
        return heap.scope((scope) => {
            const [near, far] = [scope.alloc(4), scope.alloc(4)];
            const error = scope.alloc(structs.lb_error.size);
            limber.check(c.lb_figure_split(this.pointer, this.#pose(scope, pose), joint, near, far, error), error);
            const {view} = heap.now();
            const pointers = [view.getUint32(near, true), view.getUint32(far, true)];
            return [new Figure(limber, pointers[0]), new Figure(limber, pointers[1])];
        });
    }

    /**
     * The bytes of a file: 'fig', 'urdf', 'bvh', 'gltf' (a GLB).
     * @param {string} format
     * @param {{pose?: Pose, bvhUnit?: number, warn?: (warning: LimberError) => void}} [options]
     * @returns {Uint8Array}
     */
    save(format, options = {}) {
        const {limber} = this;
        const {c, heap} = limber;
        return heap.scope((scope) => limber.withCallbacks((callbacks) => {
            const saveOptions = limber.saveOptions(scope, callbacks, {
                ...options,
                format: enumValue('lb_format', format === 'glb' ? 'gltf' : format),
                pose: options.pose ? this.#pose(scope, options.pose) : 0,
            });
            const [text, size] = [scope.alloc(4), scope.alloc(4)];
            const error = scope.alloc(structs.lb_error.size);
            limber.run(() => c.lb_figure_save_memory(this.pointer, saveOptions, text, size, error), error);
            return limber.takeBytes(text, size);
        }));
    }

    /** A builder that holds all of it, to make a changed one. @returns {Builder} */
    builder() {
        return new Builder(this.limber, this);
    }

    /** A clip of it, all at rest. @param {number} frameCount @param {number} frameTime seconds @returns {Clip} */
    clip(frameCount, frameTime) {
        return new Clip(this, frameCount, frameTime);
    }

    /** Which segments are which parts of a body, by their names as models/human.fig has them; null: none. */
    humanNames() {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const names = scope.alloc(4 * this.segments.length);
            this.limber.check(Math.min(0, c.lb_figure_human_names(this.pointer, names)));
            return heap.listInts(names, this.segments.length).map((at) => (at ? heap.text(at) : null));
        });
    }

    /**
     * Which segments are the parts of a humanoid robot (by lb_body_part; -1: none), found by the structure of its
     * hinges, not by names.
     * @returns {number[]}
     */
    humanoidParts() {
        const {limber} = this;
        const count = enums.lb_body_part.LB_BODY_PART_COUNT;
        return limber.heap.scope((scope) => {
            const segments = scope.alloc(4 * count), error = scope.alloc(structs.lb_error.size);
            limber.check(limber.c.lb_humanoid_find(this.pointer, segments, error), error);
            return limber.heap.listInts(segments, count).map((at) => at | 0);
        });
    }
}

/** @param {ArrayLike<number>} pose @param {number} count */
export function checkLength(pose, count) {
    if (pose.length !== count) {
        throw new LimberError(`the pose has ${pose.length} values where the variables are ${count}`,
            enums.lb_status.LB_ERROR_ARGUMENT);
    }
}

/** @param {import('./limber.js').Limber} limber @param {number} pointer @returns {Joint} */
export function readJoint({c, heap}, pointer) {
    const joint = heap.read('lb_joint', pointer);
    const {offset} = structs.lb_joint.fields.type;
    const dofCount = c.lb_joint_type_dof_count(pointer + offset);
    const text = heap.scope((scope) => {
        const spelled = scope.alloc(512);
        c.lb_joint_type_spell(pointer + offset, spelled, 512);
        return heap.text(spelled);
    });
    const swing = Array.from({length: joint.swingCount}, (_, i) => heap.listDoubles(joint.swing + 16 * i, 2));
    const cut = (/** @type {any[]} */ list) => list.slice(0, dofCount);
    return {
        name: joint.name,
        siteA: joint.siteA,
        siteB: joint.siteB,
        type: {elements: joint.type.elements.slice(0, joint.type.elementCount), text},
        dofCount,
        dofNames: cut(joint.dofNames),
        isAngle: Array.from({length: dofCount}, (_, i) => c.lb_joint_type_is_angle(pointer + offset, i) !== 0),
        lower: cut(joint.lower),
        upper: cut(joint.upper),
        rest: cut(joint.rest),
        rigidity: cut(joint.rigidity),
        velocity: cut(joint.velocity),
        acceleration: cut(joint.acceleration),
        effort: cut(joint.effort),
        softLower: cut(joint.softLower),
        softUpper: cut(joint.softUpper),
        swing,
        frozen: joint.frozen,
    };
}

/**
 * A segment by its number or name; thrown with the nearest names where there is none.
 * @param {Figure} figure @param {number | string | undefined} given @returns {number}
 */
export function segmentOf(figure, given) {
    const segment = typeof given === 'string' ? figure.findSegment(given) : given;
    if (segment !== undefined && segment >= 0) return segment;
    const near = typeof given === 'string' ? didYouMean(given, figure.segments.map((one) => one.name)) : '';
    throw new LimberError(`there is no segment '${given}'${near}`, enums.lb_status.LB_ERROR_NAME);
}
