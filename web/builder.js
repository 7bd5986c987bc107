// Building a figure part by part, or changing one: a builder holds the parts, finish() checks them and makes a figure.

import {structs} from './c_api.js';
import {Figure} from './figure.js';
import {Handle} from './handle.js';
import {enumValue} from './heap.js';

/**
 * @typedef {Partial<Omit<import('./figure.js').Joint, 'type' | 'name'>> &
 *     {name: string, siteA: number, siteB: number, type: string}} JointDescription type: "pin", "R(z)*R(x)", ...
 *
 * @typedef {object} DhRow Denavit-Hartenberg
 * @property {string} [name]
 * @property {number} [a]
 * @property {number} [alpha]
 * @property {number} [d]
 * @property {number} [theta]
 * @property {boolean} [isPrismatic]
 * @property {number} [lower]
 * @property {number} [upper]
 */

/** The parts of a figure to be. */
export class Builder extends Handle {
    /** @param {import('./limber.js').Limber} limber @param {Figure} [figure] to begin with all of */
    constructor(limber, figure) {
        const {c} = limber;
        super(limber,
            limber.make((error) => figure ? c.lb_builder_from(figure.pointer, error) : c.lb_builder_create(0, error)),
            c.lb_builder_destroy);
    }

    /** @param {number} status @returns {number} */
    #check(status) {
        if (status < 0) this.limber.check(status, this.limber.c.lb_builder_error(this.pointer));
        return status;
    }

    /**
     * @param {string} name of the C function
     * @param {(scope: import('./heap.js').Scope) => any[]} args
     * @returns {number}
     */
    #call(name, args) {
        return this.limber.heap.scope((scope) => this.#check(this.limber.c[name](this.pointer, ...args(scope))));
    }

    /** Names the figure. @param {string} name @returns {this} */
    setName(name) {
        this.#call('lb_builder_set_name', (scope) => [scope.text(name)]);
        return this;
    }

    /** How tall the figure is: readers scale a figure that says so. @param {number} stature metres @returns {this} */
    setStature(stature) {
        this.#check(this.limber.c.lb_builder_set_stature(this.pointer, stature));
        return this;
    }

    /** @param {Partial<import('./figure.js').Segment> & {name: string}} segment @returns {number} its index */
    addSegment(segment) {
        return this.#call('lb_builder_add_segment', (scope) => [scope.struct('lb_segment', segment)]);
    }

    /**
     * Adds a place on a segment, where joints and goals can be; gives its index.
     * @param {{name: string, segment: number, frame?: Partial<import('./figure.js').Frame>}} site @returns {number}
     */
    addSite(site) {
        return this.#call('lb_builder_add_site', (scope) => [scope.struct('lb_site', site)]);
    }

    /**
     * Adds a shape that is drawn and kept apart; gives its index.
     * @param {Partial<import('./figure.js').Shape>} shape @returns {number}
     */
    addShape(shape) {
        return this.#call('lb_builder_add_shape', (scope) => [scope.struct('lb_shape', shape)]);
    }

    /** @param {import('./heap.js').Scope} scope @param {JointDescription} joint @returns {number} */
    #joint(scope, joint) {
        const {limber} = this;
        const {type, swing, ...rest} = joint;
        const pointer = scope.struct('lb_joint', rest);
        const error = scope.alloc(structs.lb_error.size);
        const at = pointer + structs.lb_joint.fields.type.offset;
        limber.check(limber.c.lb_joint_type_parse(scope.text(type), at, error), error);
        if (swing?.length) {
            limber.heap.write(
                'lb_joint', pointer, {swingCount: swing.length, swing: scope.doubles(swing.flat())}, scope);
        }
        return pointer;
    }

    /**
     * Joins two sites by rotations and translations; gives the index of the joint.
     * @param {JointDescription} joint @returns {number}
     */
    addJoint(joint) {
        return this.#call('lb_builder_add_joint', (scope) => [this.#joint(scope, joint)]);
    }

    /**
     * Adds a joint group, whose parameters drive several dofs together; gives its index.
     * @param {string} name @returns {number}
     */
    addGroup(name) {
        return this.#call('lb_builder_add_group', (scope) => [scope.text(name)]);
    }

    /**
     * Adds a parameter to a joint group; gives its index.
     * @param {Partial<import('./figure.js').Parameter> & {name: string, group: number}} parameter @returns {number}
     */
    addParameter(parameter) {
        return this.#call('lb_builder_add_parameter', (scope) => [scope.struct('lb_parameter', parameter)]);
    }

    /**
     * Lets a dof follow another dof or a parameter along a curve; gives its index.
     * @param {{joint: number, dof?: number, source: Partial<import('./figure.js').DofRef>,
     *     curve?: Partial<import('./figure.js').Curve>}} drive
     * @returns {number}
     */
    addDrive({joint, dof = 0, source, curve = {}}) {
        const {x, y, ...rest} = curve;
        return this.#call('lb_builder_add_drive', (scope) => [scope.struct('lb_drive', {
            joint, dof, source: {joint: -1, dof: 0, parameter: -1, ...source},
            curve: {...rest, ...(x && y ? {count: x.length, x: scope.doubles(x), y: scope.doubles(y)} : {})},
        })]);
    }

    /**
     * Adds a limit on a sum of dofs, each by its coefficient; gives its index.
     * @param {Partial<import('./figure.js').Limit> &
     *     {terms: Partial<import('./figure.js').DofRef>[], coefficients: number[]}} limit
     * @returns {number}
     */
    addLimit({terms, coefficients, ...rest}) {
        const refs = terms.flatMap((term) => [term.joint ?? -1, term.dof ?? 0, term.parameter ?? -1]);
        return this.#call('lb_builder_add_limit', (scope) => [scope.struct('lb_limit',
            {...rest, count: terms.length, terms: scope.ints(refs), coefficients: scope.doubles(coefficients)})]);
    }

    /**
     * Says which segment the figure stands on, where that is, and whether it may move.
     * @param {Partial<import('./figure.js').Root>} root @returns {this}
     */
    setRoot(root) {
        this.#call('lb_builder_set_root', (scope) => [scope.struct('lb_root', root)]);
        return this;
    }

    /**
     * A chain from a site; the index of its last segment.
     * @param {number} baseSite @param {'standard' | 'modified'} convention @param {DhRow[]} rows @returns {number}
     */
    addDhChain(baseSite, convention, rows) {
        const {size} = structs.lb_dh_row;
        return this.#call('lb_builder_add_dh_chain', (scope) => {
            const list = scope.alloc(size * rows.length);
            rows.forEach((row, i) => this.limber.heap.write('lb_dh_row', list + size * i,
                {lower: -Infinity, upper: Infinity, ...row}, scope));
            return [baseSite, enumValue('lb_dh_convention', convention), rows.length, list];
        });
    }

    // --- Finding and changing ----------------------------------------------------------------------------------------

    /** @param {string} name @returns {number} negative where there is none */
    findSegment(name) {
        return this.limber.heap.scope((scope) => this.limber.c.lb_builder_find_segment(this.pointer, scope.text(name)));
    }

    /**
     * The index of a site of a segment; negative where there is none.
     * @param {number} segment @param {string} name @returns {number}
     */
    findSite(segment, name) {
        return this.limber.heap.scope(
            (scope) => this.limber.c.lb_builder_find_site(this.pointer, segment, scope.text(name)));
    }

    /** The index of a joint; negative where there is none. @param {string} name @returns {number} */
    findJoint(name) {
        return this.limber.heap.scope((scope) => this.limber.c.lb_builder_find_joint(this.pointer, scope.text(name)));
    }

    /** "hip.rx", "elbow", "spine.flexion". @param {string} name @returns {import('./figure.js').DofRef} */
    findDof(name) {
        const {c, heap} = this.limber;
        return heap.scope((scope) => {
            const ref = scope.alloc(structs.lb_dof_ref.size);
            this.#check(c.lb_builder_find_dof(this.pointer, scope.text(name), ref));
            return heap.read('lb_dof_ref', ref);
        });
    }

    /** Removes a joint, with the drives and limits that name one of its dofs. @param {number} joint */
    removeJoint(joint) {
        this.#check(this.limber.c.lb_builder_remove_joint(this.pointer, joint));
    }

    /** Removes a segment with its sites, shapes and joints. @param {number} segment */
    removeSegment(segment) {
        this.#check(this.limber.c.lb_builder_remove_segment(this.pointer, segment));
    }

    /** Removes all that is not connected to a segment. @param {number} segment */
    keepConnected(segment) {
        this.#check(this.limber.c.lb_builder_keep_connected(this.pointer, segment));
    }

    /** Holds a joint at these values; none: its rest. @param {number} joint @param {number[]} [values] */
    freezeJoint(joint, values) {
        this.#call('lb_builder_freeze_joint', (scope) => [joint, values ? scope.doubles(values) : 0]);
    }

    /** Lets a frozen joint move again. @param {number} joint */
    thawJoint(joint) {
        this.#check(this.limber.c.lb_builder_thaw_joint(this.pointer, joint));
    }

    /** Replaces everything of a joint but its index. @param {number} joint @param {JointDescription} changed */
    changeJoint(joint, changed) {
        this.#call('lb_builder_change_joint', (scope) => [joint, this.#joint(scope, changed)]);
    }

    /**
     * Adds all of a figure; the index of its first segment.
     * @param {Figure} figure
     * @param {string} [prefix]
     * @returns {number}
     */
    attach(figure, prefix = '') {
        return this.#call('lb_builder_attach', (scope) => [figure.pointer, scope.text(prefix)]);
    }

    /**
     * Multiplies all lengths and all masses by these factors, limits of translations included.
     * @param {number} lengthFactor @param {number} massFactor
     */
    scale(lengthFactor, massFactor) {
        this.#check(this.limber.c.lb_builder_scale(this.pointer, lengthFactor, massFactor));
    }

    /** Checks everything and makes the figure; the builder stays as it was. @returns {Figure} */
    finish() {
        const {limber} = this;
        return limber.heap.scope((scope) => {
            const out = scope.alloc(4);
            this.#check(limber.c.lb_builder_finish(this.pointer, out));
            return new Figure(limber, limber.heap.now().view.getUint32(out, true));
        });
    }
}
