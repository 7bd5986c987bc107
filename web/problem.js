// Problems: figures, and what is asked of them.

import {readBodyOptions, writeBodyOptions} from './body.js';
import {enums, structs} from './c_api.js';
import {keepApart} from './collisions.js';
import {LimberError} from './errors.js';
import {checkLength, Figure, segmentOf} from './figure.js';
import {Handle} from './handle.js';
import {Servo} from './servo.js';
import {Drag} from './drag.js';
import {Solver} from './solver.js';

/**
 * @typedef {object} Goal where an end-effector should be: docs/goals.md
 * @property {'position' | 'orientation' | 'frame' | 'aim' | 'line' | 'plane' | 'half-space' | 'box' | 'sphere' |
 *     'capsule' | 'circle' | 'disc' | 'polyhedron' | 'custom'} kind
 * @property {boolean} [outside] keep out instead of in
 * @property {number} [carrierFigure]
 * @property {number | string} [carrierSegment] by number or name; -1: fixed in the world
 * @property {number[]} [point]
 * @property {number[]} [x] unit vectors
 * @property {number[]} [y]
 * @property {number[]} [normal]
 * @property {number[]} [rotation] quaternion
 * @property {number[]} [size]
 * @property {number} [degreesX] how many degrees count as much as a metre; 0: that direction is free
 * @property {number} [degreesY]
 * @property {number} [weightPosition]
 * @property {number} [weightOrientation]
 * @property {number[][]} [faces] of a polyhedron: a, b, c, d of a x + b y + c z <= d
 * @property {(e: Float64Array) => {value: number, gradient: ArrayLike<number>}} [potential] of a custom goal
 *
 * @typedef {object} Constraint an end-effector, a goal, how much it counts
 * @property {string | null} [name] in sentences; where it is not given, the name that the end-effector is given by
 * @property {number} [figure] which of the problem's
 * @property {string | number} [site] the end-effector is this site, or by name a segment (or give `effector`)
 * @property {string | number} [segment] ... is this segment's frame
 * @property {string | Partial<import('./kinematics.js').Effector>} [effector] a site's or segment's name, 'com', the
 *     centre of mass, or all of it
 * @property {number} [radius]
 * @property {number} [halfLength]
 * @property {Goal} goal
 * @property {number} [weight]
 * @property {number} [priority] 0 is the highest
 * @property {number} [anyOf]
 * @property {number} [chainStart] a joint; -1: from the root
 * @property {number | number[]} [tolerance] metres
 * @property {number} [toleranceRad]
 * @property {boolean} [disabled]
 *
 * @typedef {Omit<Constraint, 'site' | 'segment' | 'effector'> & {id: number, figure: number,
 *     effector: import('./kinematics.js').Effector, weight: number, priority: number, tolerance: number[],
 *     disabled: boolean}} AddedConstraint
 */

/** What is asked. Constraints stay until they are removed. */
export class Problem extends Handle {
    /** @type {Figure[]} */
    #figures;
    /** @type {Map<number, number>} contexts of custom goals by constraint */
    #potentials = new Map();
    #frame;
    /** @type {Figure[]} figures that belong to what the problem belongs to: freed with it */
    #borrowed = [];

    /**
     * @param {Figure} figure number 0
     * @param {{pointer: number, owner: Handle}} [borrowed] a problem that belongs to another object
     */
    constructor(figure, borrowed) {
        const {limber} = figure;
        const {c, heap} = limber;
        const frame = heap.alloc(structs.lb_frame.size);
        const destroy = (/** @type {number} */ pointer) => {
            c.free(frame);
            if (!borrowed) c.lb_problem_destroy(pointer);
        };
        super(limber,
            borrowed ? borrowed.pointer : limber.make((error) => c.lb_problem_create(figure.pointer, error)), destroy,
            borrowed ? [borrowed.owner] : [figure]);
        this.#frame = frame;
        this.#figures = [figure];
        if (borrowed) {
            this.#borrowed = this.#figures;
            for (let i = 1; i < c.lb_problem_figure_count(this.pointer); i++) {
                this.#figures.push(new Figure(limber, c.lb_problem_figure(this.pointer, i), borrowed.owner));
            }
        }
    }

    /** @param {number} status negative: thrown with the problem's own message @returns {number} */
    #check(status) {
        if (status < 0) this.limber.check(status, this.limber.c.lb_problem_error(this.pointer));
        return status;
    }

    /** The figures that are posed together. @returns {readonly Figure[]} */
    get figures() {
        return this.#figures;
    }

    /** Another figure; its number. @param {Figure} figure @returns {number} */
    addFigure(figure) {
        const number = this.#check(this.limber.c.lb_problem_add_figure(this.pointer, figure.pointer));
        this.keepAlive(figure);
        this.#figures.push(figure);
        return number;
    }

    /** Numbers in a pose of the problem: those of its figures one behind the other. @returns {number} */
    get variableCount() {
        return this.limber.c.lb_problem_variable_count(this.pointer);
    }

    /** Where a figure's variables begin. @param {number} figure @returns {number} */
    firstVariable(figure) {
        return this.limber.c.lb_problem_first_variable(this.pointer, figure);
    }

    /** "elbow", or "1:elbow" where there are several figures. @param {number} variable @returns {string} */
    variableName(variable) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const text = scope.alloc(256);
            c.lb_problem_variable_name(this.pointer, variable, text, 256);
            return heap.text(text);
        });
    }

    /** The rest pose of all figures. @returns {Float64Array} */
    restPose() {
        const pose = new Float64Array(this.variableCount);
        this.#figures.forEach((figure, i) => pose.set(figure.restPose(), this.firstVariable(i)));
        return pose;
    }

    // --- Constraints -------------------------------------------------------------------------------------------------

    /** @param {Constraint} constraint @param {(pointer: number, context: number) => number} use @returns {number} */
    #with(constraint, use) {
        const {limber} = this;
        return limber.heap.scope((scope) => {
            const {pointer, context} = writeConstraint(this, scope, constraint);
            try {
                return this.#check(use(pointer, context));
            } catch (error) {
                if (context) limber.host.forget(context);
                throw error;
            }
        });
    }

    /** @param {number} id @param {number} context of its custom goal; 0: none */
    #notePotential(id, context) {
        const old = this.#potentials.get(id);
        if (old) this.limber.host.forget(old);
        if (context) this.#potentials.set(id, context);
        else this.#potentials.delete(id);
    }

    /**
     * Adds a constraint and returns its id. One that has no name is called as its end-effector is.
     * @param {Constraint} constraint @returns {number}
     */
    add(constraint) {
        const {effector, site, segment} = constraint;
        const called = [effector, site, segment].find((word) => typeof word === 'string');
        const named = constraint.name === undefined && called ? {...constraint, name: called} : constraint;
        return this.#with(named, (pointer, context) => {
            const id = this.limber.c.lb_problem_add(this.pointer, pointer);
            if (id >= 0) this.#notePotential(id, context);
            return id;
        });
    }

    /**
     * Changes what of a constraint is given; the rest stays.
     * @param {number} id
     * @param {Partial<Constraint>} changes
     */
    change(id, changes) {
        const {id: own, effector, ...rest} = this.constraint(id);
        const asked = changes.goal && turned(this.limber, {...changes.goal, kind: changes.goal.kind ?? rest.goal.kind});
        const goal = asked && asked.kind !== rest.goal.kind ? asked : {...rest.goal, ...asked};
        const isPlaced = changes.effector !== undefined || changes.site !== undefined || changes.segment !== undefined;
        const whole = {...rest, ...(isPlaced ? {} : {effector}), ...changes, goal};
        this.#with(whole, (pointer, context) => {
            const status = this.limber.c.lb_problem_change(this.pointer, id, pointer);
            if (status >= 0) this.#notePotential(id, context);
            return status;
        });
    }

    /** Takes a constraint out of the problem. @param {number} id */
    remove(id) {
        this.#check(this.limber.c.lb_problem_remove(this.pointer, id));
        this.#notePotential(id, 0);
    }

    /**
     * Moves a goal, quickly.
     * @param {number} id
     * @param {{position: ArrayLike<number>, rotation?: ArrayLike<number>}} frame
     */
    moveGoal(id, {position, rotation}) {
        const {c, heap} = this.limber;
        this.check();
        heap.writeDoubles(this.#frame, position);
        heap.writeDoubles(this.#frame + 24, rotation ?? [0, 0, 0, 1]);
        this.#check(c.lb_problem_move_goal(this.pointer, id, this.#frame));
    }

    /** How much a constraint counts. @param {number} id @param {number} weight */
    setWeight(id, weight) {
        this.#check(this.limber.c.lb_problem_set_weight(this.pointer, id, weight));
    }

    /** Switches a constraint on or off, without removing it. @param {number} id @param {boolean} [enabled] */
    enable(id, enabled = true) {
        this.#check(this.limber.c.lb_problem_enable(this.pointer, id, Number(enabled)));
    }

    /** @param {number} index in order of adding @returns {AddedConstraint} */
    #read(index) {
        const {c, heap} = this.limber;
        const {swing, goal, ...constraint} = heap.read('lb_constraint', c.lb_problem_constraint(this.pointer, index));
        const {faceCount, faces, potential, context, ...rest} = goal;
        if (faceCount) rest.faces = Array.from({length: faceCount}, (_, i) => heap.listDoubles(faces + 32 * i, 4));
        const id = c.lb_problem_constraint_id(this.pointer, index);
        if (rest.kind === 'custom') rest.potential = this.limber.host.get(context);
        return {id, ...constraint, goal: rest};
    }

    /** All of them, in order of adding. @returns {AddedConstraint[]} */
    constraints() {
        const count = this.limber.c.lb_problem_constraint_count(this.pointer);
        return Array.from({length: count}, (_, i) => this.#read(i));
    }

    /** A constraint as it stands. @param {number} id @returns {AddedConstraint} */
    constraint(id) {
        const {c} = this.limber;
        for (let i = 0; i < c.lb_problem_constraint_count(this.pointer); i++) {
            if (c.lb_problem_constraint_id(this.pointer, i) === id) return this.#read(i);
        }
        throw new LimberError(`there is no constraint ${id}`, enums.lb_status.LB_ERROR_ARGUMENT);
    }

    /**
     * A constraint that holds a site, or a segment, where it is in a pose of its figure: a pin, to be added.
     * @param {string} name @param {import('./figure.js').Pose} pose of the figure @param {number} [figure]
     * @returns {Constraint}
     */
    keep(name, pose, figure = 0) {
        const {segment, site} = this.#figures[figure].findPlace(name);
        const kinematics = this.#figures[figure].kinematics().update(pose);
        const {position, rotation} = site >= 0 ? kinematics.site(site) : kinematics.segment(segment);
        kinematics.free();
        const {x, y} = this.limber.axes(rotation);
        return {name, figure, site: name, goal: {kind: 'frame', point: position, x, y}};
    }

    /**
     * A constraint that keeps a figure's centre of mass over the convex hull of points (x, y; z is ignored).
     * @param {number[][]} points @param {number} [margin] metres inside @param {number} [figure] @returns {Constraint}
     */
    balance(points, margin = 0, figure = 0) {
        const {limber} = this;
        const {c, heap} = limber;
        return heap.scope((scope) => {
            const corners = scope.doubles(points.flatMap((point) => [point[0], point[1], point[2] ?? 0]));
            const faces = scope.alloc(32 * points.length);
            const at = scope.struct('lb_constraint');
            limber.check(c.lb_constraint_balance(points.length, corners, margin, faces, at));
            const {goal, name} = heap.read('lb_constraint', at);
            const list = Array.from({length: goal.faceCount}, (_, i) => heap.listDoubles(faces + 32 * i, 4));
            return {name, figure, effector: 'com', goal: {kind: goal.kind, faces: list}};
        });
    }

    // --- Variables and wishes ----------------------------------------------------------------------------------------

    /** Switches a variable off (it keeps its value) or on. @param {number} variable @param {boolean} active */
    setActive(variable, active) {
        this.#check(this.limber.c.lb_problem_set_active(this.pointer, variable, Number(active)));
    }

    /** All variables of a joint. @param {number} figure @param {number} joint @param {boolean} active */
    setJointActive(figure, joint, active) {
        this.#check(this.limber.c.lb_problem_set_joint_active(this.pointer, figure, joint, Number(active)));
    }

    /** A free root: off, it stays. @param {number} figure @param {boolean} active */
    setRootActive(figure, active) {
        this.#check(this.limber.c.lb_problem_set_root_active(this.pointer, figure, Number(active)));
    }

    /** 0 (free) to 1 (fixed). @param {number} variable @param {number} rigidity */
    setRigidity(variable, rigidity) {
        this.#check(this.limber.c.lb_problem_set_rigidity(this.pointer, variable, rigidity));
    }

    /** A wish to be near a pose (null: rest). @param {import('./figure.js').Pose | null} pose @param {number} weight */
    setPosture(pose, weight) {
        if (pose) checkLength(pose, this.variableCount);
        this.limber.heap.scope((scope) =>
            this.#check(this.limber.c.lb_problem_set_posture(this.pointer, pose ? scope.doubles(pose) : 0, weight)));
    }

    /** A wish to stay near the start. @param {number} weight */
    setStay(weight) {
        this.#check(this.limber.c.lb_problem_set_stay(this.pointer, weight));
    }

    /** A wish to be in the middle of all ranges, by shares of half the range. @param {number} weight */
    setMiddle(weight) {
        this.#check(this.limber.c.lb_problem_set_middle(this.pointer, weight));
    }

    /**
     * A wish that end-effectors can move well: weight times the sum of 1 / manipulability, below all goals.
     * @param {number} weight
     */
    setManipulability(weight) {
        this.#check(this.limber.c.lb_problem_set_manipulability(this.pointer, weight));
    }

    /** A wish to be this far (radians, metres) from limits. @param {number} margin @param {number} weight */
    setMargin(margin, weight) {
        this.#check(this.limber.c.lb_problem_set_margin(this.pointer, margin, weight));
    }

    /**
     * Where wishes stand: below all goals ('own', the default), or in the sum of the lowest priority's.
     * @param {'own' | 'goals'} level
     */
    setWishLevel(level) {
        this.#check(this.limber.c.lb_problem_set_wish_level(this.pointer, level === 'goals' ? 1 : 0));
    }

    // --- Bodies ------------------------------------------------------------------------------------------------------

    /**
     * Has a figure posed as a body: it stands, balances, looks and reaches as a person does.
     * @param {number} [figure] @param {import('./body.js').BodyOptions} [options] @returns {this}
     */
    setBody(figure = 0, options = {}) {
        const {limber} = this;
        const posed = this.#figures[figure];
        const body = posed?.body;
        limber.heap.scope((scope) => {
            const pointer = posed && body ? writeBodyOptions(posed, body, scope, options) : 0;
            this.#check(limber.c.lb_problem_set_body(this.pointer, figure, pointer));
        });
        return this;
    }

    /** Takes that back. @param {number} [figure] */
    clearBody(figure = 0) {
        this.#check(this.limber.c.lb_problem_clear_body(this.pointer, figure));
    }

    /**
     * The options of a figure's body; null where it is not posed as one.
     * @param {number} [figure] @returns {Required<import('./body.js').BodyOptions> | null}
     */
    body(figure = 0) {
        const at = this.limber.c.lb_problem_body(this.pointer, figure);
        const body = this.#figures[figure]?.body;
        return at && body ? readBodyOptions(this.#figures[figure], body, at) : null;
    }

    /**
     * Keeps figures apart from themselves and each other, and from solids around them, in every solve from now on;
     * null: nothing. `Solver.near` has the distances.
     * @param {import('./collisions.js').CollisionOptions | null} [options] @returns {this}
     */
    avoid(options = {}) {
        this.check();
        if (options) keepApart(this, options);
        else this.#check(this.limber.c.lb_problem_set_collisions(this.pointer, 0));
        return this;
    }

    /** Makes the memory to solve the problem with. @returns {Solver} */
    solver() {
        return new Solver(this);
    }

    /**
     * What follows the goals one pose every period, within the limits of speed of every joint.
     * @param {import('./servo.js').ServoOptions} [options] @returns {Servo}
     */
    servo(options) {
        return new Servo(this, options);
    }

    /**
     * Takes hold of a part, or of a goal, in a pose: the figure follows frame by frame. The problem is changed until
     * the drag ends.
     * @param {import('./figure.js').Pose} pose @param {import('./drag.js').DragOptions} [options] @returns {Drag}
     */
    drag(pose, options) {
        return new Drag(this, pose, options);
    }

    /** Frees it now; the functions of its custom goals too. */
    free() {
        for (const figure of this.#borrowed) figure.free();
        this.#borrowed = [];
        for (const context of this.#potentials.values()) this.limber.host.forget(context);
        this.#potentials.clear();
        super.free();
    }
}

/**
 * A frame's or an orientation's directions may be given as a rotation.
 * @template {Partial<Goal>} T @param {import('./limber.js').Limber} limber @param {T} goal @returns {T}
 */
function turned(limber, goal) {
    const {kind, rotation, x, y} = goal;
    if (!rotation || x || y || (kind !== 'frame' && kind !== 'orientation')) return goal;
    if (rotation.length !== 4 || !(Math.abs(Math.hypot(...rotation) - 1) < 1e-3)) {
        throw new LimberError(`rotation: a unit quaternion [x, y, z, w] was expected, this is [${[...rotation]}]`,
            enums.lb_status.LB_ERROR_ARGUMENT);
    }
    const axes = limber.axes(rotation);
    return {...goal, x: axes.x, y: axes.y};
}

/** @param {Problem} problem @param {import('./heap.js').Scope} scope @param {Constraint} constraint */
function writeConstraint(problem, scope, constraint) {
    const {limber} = problem;
    const {id, site, segment, effector, goal, tolerance, ...rest} =
        /** @type {Constraint & {id?: number}} */ (constraint); // one that was read may be added again: with a new id
    const figure = problem.figures[constraint.figure ?? 0];
    if (!figure) {
        throw new LimberError(`there is no figure ${constraint.figure}`, enums.lb_status.LB_ERROR_ARGUMENT);
    }
    const {faces, potential, z, ...place} =
        /** @type {Goal & {z?: number[]}} */ (turned(limber, goal)); // z, as limber.axes gives it, follows from x and y
    if (typeof place.carrierSegment === 'string') {
        const carrier = problem.figures[place.carrierFigure ?? 0];
        place.carrierSegment = segmentOf(carrier ?? figure, place.carrierSegment);
    }
    const own = potential ? limber.host.callback('potential', potential) : {pointer: 0, context: 0};
    const pointer = scope.struct('lb_constraint', {
        ...rest,
        effector: limber.effector(figure, effector ?? site ?? {segment}),
        goal: {
            ...place,
            faceCount: faces?.length ?? 0,
            faces: faces ? scope.doubles(faces.flat()) : 0,
            potential: own.pointer,
            context: own.context,
        },
        tolerance: typeof tolerance === 'number' ? [tolerance, tolerance, tolerance] : tolerance,
    });
    return {pointer, context: own.context};
}
