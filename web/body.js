// Bodies: what makes a figure stand, balance, look and reach as a person does (docs/body.md).

import {enums, structs} from './c_api.js';
import {LimberError} from './errors.js';
import {enumValue} from './heap.js';
import {didYouMean} from './nearest.js';

/**
 * @typedef {object} BodyContact a point that may rest on a surface and carry weight
 * @property {string} name
 * @property {'heel' | 'ball' | 'toe' | 'knee' | 'seat' | 'palm' | 'elbow'} kind
 * @property {number} limb points of one foot have the same number; -1: none
 * @property {number} segment
 * @property {number[]} point in the frame of the segment
 *
 * @typedef {object} Body the description that a figure carries
 * @property {BodyContact[]} contacts
 * @property {{name: string, segment: number, moment: number}[]} strengths newton metres of the joint at a segment's
 *     origin
 * @property {{name: string, segment: number, from: number[], to: number[], radius: number}[]} solids capsules that keep
 *     apart
 * @property {{name: string, limb: number}[]} feet by the names that `foot` takes
 * @property {string[]} starts names of poses that a solve may start from
 * @property {number} head a segment; -1: none
 * @property {number} gaze a site; -1: none
 *
 * @typedef {'auto' | 'planted' | 'step' | 'lifted'} FootMode
 *
 * @typedef {object} BodyOptions factors multiply the weights of the terms: 0 (or false) switches one off, default 1
 * @property {number | boolean} [posture] variables near rest
 * @property {number | boolean} [comfort] variables away from the ends of their ranges
 * @property {number | boolean} [effort] joints carry little of what they could
 * @property {number | boolean} [hang] idle arms hang, or lie in the lap
 * @property {number | boolean} [head] the head is level
 * @property {number | boolean} [look] the eyes follow the working hand, palms face what they touch
 * @property {number | boolean} [feet] heels stay down, steps are short
 * @property {number | boolean} [habit] poses that people were seen in
 * @property {boolean} [balance] the contacts hold up the centre of mass
 * @property {boolean} [aboveFloor] no solid goes through the floor
 * @property {boolean} [apart] no solid goes through another one
 * @property {boolean} [eyes] the eyes aim for the gaze
 * @property {boolean} [drives] no motor bears more than its strength
 * @property {number} [floor] its height, metres
 * @property {Record<string, FootMode>} [foot] by the names of the body's feet: {left: 'planted'}
 * @property {{name: string, point: number[], halfSize?: number[]}[]} [surfaces] horizontal rectangles; without a size:
 *     without end
 * @property {Record<string, string>} [supports] contacts that rest on a surface, or on the 'floor'
 * @property {Record<string, number> | {place: string, point?: number[], mass: number}[]} [loads] kilograms that a site
 *     or segment carries; `point` is in the frame of the segment
 *
 * @typedef {object} BodyResult a body at the last answer of a solver
 * @property {(BodyContact & {contact: number, stands: boolean, share: number})[]} contacts `point` in the world;
 *     `share` of the weight
 * @property {{name: string, strength: number, share: number}[]} efforts shares of strengths, the largest first
 * @property {{limb: number, foot: string, distance: number}[]} steps metres that feet moved
 * @property {number[]} com centre of mass, loads included
 * @property {number} margin metres that it is inside the contacts that stand, seen from above; < 0: outside
 * @property {Record<string, number>} terms the value of each
 * @property {number} overlap metres that solids are in each other or in the floor
 * @property {string | null} start the start pose that led here
 * @property {number} imbalance how far the contacts' forces are from holding it up, metres or shares of the weight; 0:
 *     they do
 */

/** @typedef {import('./figure.js').Figure} Figure */

/** @param {import('./heap.js').Heap} heap @param {string} name @param {number} at @param {number} count */
const readList = (heap, name, at, count) =>
    Array.from({length: count}, (_, k) => heap.read(name, at + k * structs[/** @type {'lb_body'} */ (name)].size));

/** The body of a figure; null where it has none. @param {Figure} figure @returns {Body | null} */
export function readBody(figure) {
    const {c, heap} = figure.limber;
    const at = c.lb_figure_body(figure.pointer);
    if (!at) return null;
    const body = heap.read('lb_body', at);
    /** @type {BodyContact[]} */
    const contacts = readList(heap, 'lb_body_contact', body.contacts, body.contactCount);
    const strengths = readList(heap, 'lb_body_strength', body.strengths, body.strengthCount);
    const solids = readList(heap, 'lb_body_solid', body.solids, body.solidCount);
    const starts = readList(heap, 'lb_body_start', body.starts, body.startCount).map(({name}) => name);
    return {contacts, strengths, solids, feet: feetOf(contacts), starts, head: body.head, gaze: body.gaze};
}

/** Feet by the shortest names of their own: "left" of a heel "left_heel". @param {BodyContact[]} contacts */
function feetOf(contacts) {
    const heels = contacts.filter(({kind, limb}, k) => limb >= 0 && (kind === 'heel' || (kind === 'ball' &&
        !contacts.some((other, i) =>
            other.limb === limb && (other.kind === 'heel' || (other.kind === 'ball' && i < k))))));
    return heels.map(({name, limb}) => {
        const short = name.includes('_') ? name.slice(0, name.lastIndexOf('_')) : name;
        const isOnly = heels.every((heel) => heel.limb === limb || !`${heel.name}_`.startsWith(`${short}_`));
        return {name: isOnly ? short : name, limb};
    });
}

/** @param {string} what @param {string} name @param {string[]} names @returns {never} */
function unknown(what, name, names) {
    throw new LimberError(`the body has no ${what} '${name}'${didYouMean(name, names)}`, enums.lb_status.LB_ERROR_NAME);
}

/** @param {string} what @param {string} name @param {{name: string}[]} list @returns {number} */
function indexOf(what, name, list) {
    const index = list.findIndex((entry) => entry.name === name);
    return index >= 0 ? index : unknown(what, name, list.map((entry) => entry.name));
}

/** @param {Figure} figure @param {BodyOptions['loads']} loads */
function loadsOf(figure, loads) {
    const list = Array.isArray(loads) ? loads
        : Object.entries(loads ?? {}).map(([place, mass]) => ({place, mass, point: undefined}));
    return list.map(({place, point, mass}) => {
        const {segment, site} = figure.findPlace(place);
        return {segment, mass, point: point ?? (site >= 0 ? figure.sites[site].frame.position : [0, 0, 0])};
    });
}

/**
 * Options in memory.
 * @param {Figure} figure @param {Body} body @param {import('./heap.js').Scope} scope @param {BodyOptions} options
 * @returns {number}
 */
export function writeBodyOptions(figure, body, scope, options) {
    const {foot = {}, surfaces = [], supports = {}, loads, ...rest} = options;
    /** @param {string} name @param {any[]} list @returns {number} */
    const array = (name, list) => {
        const {size} = structs[/** @type {'lb_body'} */ (name)];
        const at = scope.alloc(size * list.length);
        list.forEach((entry, k) => scope.heap.write(name, at + k * size, entry, scope));
        return at;
    };
    const modes = Array(structs.lb_body_options.fields.feetModes.count).fill(0);
    for (const [name, mode] of Object.entries(foot)) {
        modes[body.feet[indexOf('foot', name, body.feet)].limb] = enumValue('lb_foot_mode', mode);
    }
    const rested = Object.entries(supports).map(([contact, on]) => ({
        contact: indexOf('contact', contact, body.contacts),
        surface: on === 'floor' ? -1 : indexOf('surface', on, surfaces),
    }));
    const carried = loadsOf(figure, loads);
    const sized = surfaces.map((surface) => ({halfSize: [Infinity, Infinity], ...surface}));
    return scope.struct('lb_body_options', {
        ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, value === undefined ? value
            : Number(value)])),
        feetModes: modes,
        surfaceCount: sized.length,
        surfaces: array('lb_surface', sized),
        supportCount: rested.length,
        supports: array('lb_support', rested),
        loadCount: carried.length,
        loads: array('lb_load', carried),
    });
}

const TERMS = ['posture', 'comfort', 'effort', 'hang', 'head', 'look', 'feet', 'habit'];

/** The options that a problem has for a figure. @param {Figure} figure @param {Body} body @param {number} at */
export function readBodyOptions(figure, body, at) {
    const {heap} = figure.limber;
    const read = heap.read('lb_body_options', at);
    const surfaces = readList(heap, 'lb_surface', read.surfaces, read.surfaceCount);
    /** @type {Required<BodyOptions>} */
    const options = {
        ...read,
        ...Object.fromEntries(['balance', 'aboveFloor', 'apart', 'eyes', 'drives'].map((key) =>
            [key, Boolean(read[key])])),
        foot: Object.fromEntries(body.feet.map(({name, limb}) => [name, read.feetModes[limb]])),
        surfaces,
        supports: Object.fromEntries(readList(heap, 'lb_support', read.supports, read.supportCount)
            .map(({contact, surface}) => [body.contacts[contact].name,
                surface < 0 ? 'floor' : surfaces[surface].name])),
        loads: readList(heap, 'lb_load', read.loads, read.loadCount)
            .map(({segment, point, mass}) => ({place: figure.segments[segment].name, point, mass})),
    };
    for (const key of ['feetModes', 'surfaceCount', 'supportCount', 'loadCount']) {
        delete /** @type {any} */ (options)[key];
    }
    return options;
}

/** @param {Body} body @param {import('./heap.js').Heap} heap @param {number} at @returns {BodyResult} */
export function readBodyResult(body, heap, at) {
    const {contacts, contactCount, efforts, effortCount, steps, stepCount, terms, ...rest} =
        heap.read('lb_body_result', at);
    return {
        ...rest,
        contacts: readList(heap, 'lb_contact_result', contacts, contactCount).map((entry) =>
            ({...body.contacts[entry.contact], ...entry, stands: Boolean(entry.stands)})),
        efforts: readList(heap, 'lb_effort_result', efforts, effortCount).map((entry) =>
            ({name: body.strengths[entry.strength].name, ...entry})),
        steps: readList(heap, 'lb_step_result', steps, stepCount).map((entry) =>
            ({...entry, foot: body.feet.find(({limb}) => limb === entry.limb)?.name ?? ''})),
        terms: Object.fromEntries(TERMS.map((name, k) => [name, terms[k]])),
    };
}
