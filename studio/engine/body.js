// What the page knows of bodies: feet to pin, what they stand on, the chain from a part up to the root, and a root
// elsewhere.
import {distance, frameInvert, frameMultiply, framePoint} from '../math/vector.js';
import {isPin, listOf, pinAt} from './document.js';
import {siteName} from './scene.js';

const FOOT_SITES = ['heel', 'ball', 'toe', 'foot', 'sole'];
const SIDE = /(^|[^a-z])(left|right|l|r)([^a-z]|$)|left|right/i;

/**
 * Segments that are feet: by the names of a human body, or by their own.
 * @param {Limber} limber @param {LimberFigure} figure
 */
function feetOf(limber, figure) {
    const names = figure.humanNames?.() ?? [];
    const feet = figure.segments.map((segment, s) => ({s, human: names[s] ?? segment.name}))
        .filter(({human}) => human === 'left_foot' || human === 'right_foot').map(({s}) => s);
    if (feet.length) return feet;
    return figure.segments.map((segment, s) => ({s, name: segment.name}))
        .filter(({name}) => /foot$|_foot_link$|ankle_roll_link$/i.test(name) && SIDE.test(name)).map(({s}) => s)
            .slice(0, 4);
}

/**
 * Whether something of the figure floats: its root, or a joint with three shifts.
 * @param {LimberFigure} figure
 */
function floats(figure) {
    return Boolean(figure.root.isFree) || figure.joints.some((joint) => joint.type.elements.filter(({kind}) =>
        kind === 'translate').length === 3);
}

/**
 * The lowest site of a segment, a heel before others; -1 where there is none.
 * @param {World} world @param {number} k @param {number} segment
 */
function footSite(world, k, segment) {
    const figure = world.figures[k];
    const sites = figure.sites.map((site, s) => ({s, name: site.name, segment: site.segment}))
        .filter((site) => site.segment === segment);
    for (const part of FOOT_SITES) {
        const found = sites.find(({name}) => name.toLowerCase().includes(part) && name.toLowerCase() !== 'toes');
        if (found) return found.s;
    }
    return -1;
}

/**
 * Pins for the feet of a figure that would float away without.
 * @param {World} world @param {number} k
 * @returns {DocConstraint[]}
 */
function defaultPins(world, k) {
    const figure = world.figures[k];
    if (!floats(figure)) return [];
    return feetOf(world.limber, figure).map((segment) => {
        const site = footSite(world, k, segment);
        if (site >= 0) return pinAt(world.prefixed(k, siteName(figure, site)), world.siteFrame(k, site));
        return pinAt({segment: world.prefixed(k, figure.segments[segment].name)}, world.segmentFrame(k, segment));
    });
}

/**
 * Points on the ground that a figure stands on: sites of its feet (or of whatever is lowest), around them all.
 * @param {World} world @param {number} k
 * @param {number} [lifted] a segment whose foot carries nothing; -1: none
 */
export function supportSites(world, k, lifted = -1) {
    const figure = world.figures[k];
    const feet = new Set(feetOf(world.limber, figure));
    for (const [s] of figure.segments.entries()) if (feet.has(figure.parentSegment(s))) feet.add(s);
    /** @param {number} segment */
    const isLifted = (segment) => lifted >= 0 && footOf(figure, feet, segment) === footOf(figure, feet, lifted);
    const sites = figure.sites.map((site, s) => ({s, segment: site.segment, at: world.siteFrame(k, s).position}))
        .filter(({segment}) => !isLifted(segment))
        .sort((a, b) => a.at[2] - b.at[2]);
    const ofFeet = sites.filter((site) => feet.has(site.segment));
    const ofSoles = ofFeet.filter(({s}) => /heel|ball|toe(?!s)|sole/i.test(figure.sites[s].name));
    const candidates = ofSoles.length > 2 ? ofSoles : ofFeet.length ? ofFeet : sites;
    const lowest = Math.min(...candidates.map(({at}) => at[2]));
    const standing = candidates.filter(({at}) => at[2] < lowest + (feet.size ? 0.03 : 0.01));
    return onHull(standing).map(({s}) => world.prefixed(k, siteName(figure, s)));
}

/**
 * The foot that a segment of it (its toes) belongs to; the segment itself where it is of no foot.
 * @param {LimberFigure} figure @param {Set<number>} feet @param {number} segment
 */
function footOf(figure, feet, segment) {
    const parent = figure.parentSegment(segment);
    return feet.has(segment) && feet.has(parent) ? parent : segment;
}

/**
 * What a figure stands on while a foot is in the air: the points of the other soles that a body describes, or sites.
 * @param {World} world @param {number} k
 * @param {number} lifted a segment of the foot; -1: none
 * @returns {(string | Vec)[]}
 */
function supportNow(world, k, lifted) {
    const sites = supportSites(world, k, lifted);
    const {body} = world.figures[k];
    if (!body || sites.length > 3) return sites; /* those of one foot lie nearly on a line */
    const limb = body.contacts.find(({segment}) => segment === lifted)?.limb ?? -1;
    const soles = body.contacts.filter((contact) => ['heel', 'ball', 'toe'].includes(contact.kind) &&
        contact.limb !== limb)
        .map(({segment, point}) => ({at: framePoint(world.segmentFrame(k, segment), point)}));
    const lowest = Math.min(...soles.map(({at}) => at[2]));
    return onHull(soles.filter(({at}) => at[2] < lowest + 0.03)).map(({at}) => at);
}

/**
 * The balance of a document by what a figure stands on now: entries that are about its soles alone lose the foot that
 * is in the air, and get back the one that was put down.
 * @param {Doc} doc @param {World} world @param {number} k
 * @param {number} [lifted] a segment whose foot is about to leave the ground; -1: none
 * @returns {DocBalance[] | null} null where nothing changes
 */
export function balanceNow(doc, world, k, lifted = -1) {
    const figure = world.figures[k];
    const feet = new Set(feetOf(world.limber, figure));
    /** @param {number} segment */
    const isOfFoot = (segment) => feet.has(segment) || feet.has(figure.parentSegment(segment));
    if (feet.size < 2 || bodyIn(doc, k) || (lifted >= 0 && !isOfFoot(lifted))) return null;
    /** @param {string | Vec} name */
    const isSole = (name) => {
        if (Array.isArray(name)) return true;
        const place = world.findPlace(name);
        return place.figure === k && isOfFoot(place.segment);
    };
    const support = supportNow(world, k, lifted);
    /** @param {DocBalance} entry */
    const isOwn = ({figure: of = 0, support: on}) => (of === k || of === world.names[k] || of === 0) &&
        listOf(on).every(isSole);
    const before = listOf(doc.balance);
    const balance = before.map((entry) => (support.length > 2 && isOwn(entry) ? {...entry, support} : entry));
    return JSON.stringify(balance) === JSON.stringify(before) ? null : balance;
}

/**
 * Those on the convex hull, seen from above, counter-clockwise; none where they do not enclose an area.
 * @template {{at: Vec}} T @param {T[]} points
 * @returns {T[]}
 */
function onHull(points) {
    const sorted = [...points].sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
    /** @param {T} a @param {T} b @param {T} c */
    const turns = (a, b, c) => (b.at[0] - a.at[0]) * (c.at[1] - a.at[1]) - (b.at[1] - a.at[1]) * (c.at[0] - a.at[0]);
    /** @param {T[]} list */
    const half = (list) => list.reduce((hull, point) => {
        while (hull.length > 1 && turns(hull[hull.length - 2], hull[hull.length - 1], point) <= 1e-9) hull.pop();
        return [...hull, point];
    }, /** @type {T[]} */ ([]));
    const hull = [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
    return hull.length > 2 ? hull : [];
}

/* --- Natural or plain --------------------------------------------------------------------------------- */

/**
 * The body of a figure in a document: that of the first stands at the top, or in its entry.
 * @param {Doc | RawDoc} doc @param {number} k
 * @returns {DocBody | null}
 */
export function bodyIn(doc, k) {
    return (k === 0 ? doc.body : undefined) ?? doc.figures?.[k]?.body ?? null;
}

/**
 * Gives a figure of a document a body, or (null) takes it away.
 * @param {Doc} doc @param {number} k @param {DocBody | null} body
 */
export function setBodyIn(doc, k, body) {
    if (k === 0) delete doc.body;
    delete doc.figures[k].body;
    if (!body) return;
    if (k === 0) doc.body = body;
    else doc.figures[k].body = body;
}

/**
 * The document with its figures posed naturally: bodies stand by themselves, without pins of feet or a balance.
 * @param {DocWorld} world
 */
export function naturalDocument(world) {
    const doc = structuredClone(world.doc);
    world.figures.forEach((figure, k) => {
        if (!figure.body || bodyIn(doc, k)) return;
        setBodyIn(doc, k, {});
        const feet = new Set(feetOf(world.limber, figure));
        /** @param {SceneConstraint} constraint */
        const isOfFoot = ({figure: of, segment}) => of === k &&
            (feet.has(segment) || feet.has(figure.parentSegment(segment)));
        const gone = new Set(world.constraints.filter((constraint) => isPin(constraint) && isOfFoot(constraint))
            .map(({name}) => name));
        doc.constraints = (doc.constraints ?? []).filter(({name}) => !gone.has(name));
        /** @param {DocBalance} entry */
        const isOwn = ({figure: of = 0}) => of === k || of === world.names[k];
        const others = listOf(doc.balance).filter((entry) => !isOwn(entry));
        if (others.length) doc.balance = others;
        else delete doc.balance;
    });
    return doc;
}

/**
 * The document as the bare problem, with feet pinned where they are and (unless told) the balance kept over them.
 * @param {DocWorld} world
 */
export function plainDocument(world, hasBalance = true) {
    const doc = structuredClone(world.doc);
    world.place(world.pose);
    world.figures.forEach((_, k) => {
        if (!bodyIn(doc, k)) return;
        setBodyIn(doc, k, null);
        const {constraints, balance} = withFeet(doc, world, k);
        doc.constraints = constraints;
        if (hasBalance && balance) doc.balance = balance;
    });
    return doc;
}

/**
 * What has a figure that would float away stand: pins of its feet, and the balance on them.
 * @param {Doc} doc @param {World} world @param {number} k
 * @returns {{constraints: DocConstraint[], balance?: DocBalance[]}}
 */
export function withFeet(doc, world, k) {
    const taken = new Set((doc.constraints ?? []).map(({name}) => name));
    const pins = defaultPins(world, k).filter(({name}) => !taken.has(name));
    const sites = pins.length > 1 && world.figures[k].mass > 0 ? supportSites(world, k) : [];
    const balance = sites.length > 2 ? {balance: [...listOf(doc.balance), {support: sites, margin: 0.01}]} : {};
    return {constraints: [...(doc.constraints ?? []), ...pins], ...balance};
}

/* --- Chains ------------------------------------------------------------------------------------------- */

/**
 * What moves a segment, from the segment up to the root: joints, or the groups that drive them (once each), and `root`
 * where it is free. Joints that cannot move are left out.
 * @param {World} world @param {number} k @param {number} segment
 * @returns {{name: string, kind: 'joint'|'group'|'root', variables: number[]}[]} variables are of the problem's pose
 */
export function chainOf(world, k, segment) {
    const figure = world.figures[k];
    const first = world.firstVariable[k];
    /** @type {Link[]} */
    const links = [];
    /** @param {string} name @param {Link['kind']} kind @param {number[]} variables */
    const add = (name, kind, variables) => {
        if (variables.length && !links.some((link) => link.name === name)) links.push({name, kind,
            variables: variables.map((v) => first + v)});
    };
    /** @param {(ref: DofRef) => boolean} test */
    const variablesWhere = (test) => figure.variables.map((variable, v) => (test(variable.ref) ? v : -1))
        .filter((v) => v >= 0);
    /** @param {number} g @returns {(ref: DofRef) => boolean} */
    const isOfGroup = (g) => (ref) =>
        ref.joint < 0 && ref.parameter >= 0 && figure.parameters[ref.parameter].group === g;
    for (let s = segment; s >= 0 && figure.parentJoint(s) >= 0; s = figure.parentSegment(s)) {
        const joint = figure.parentJoint(s);
        add(figure.joints[joint].name, 'joint', variablesWhere((ref) => ref.joint === joint));
        for (const source of drivesOf(figure, joint)) {
            if (source.joint >= 0) add(figure.joints[source.joint].name, 'joint',
                variablesWhere((ref) => ref.joint === source.joint));
            else {
                const g = figure.parameters[source.parameter].group;
                add(figure.groups[g].name, 'group', variablesWhere(isOfGroup(g)));
            }
        }
    }
    add('root', 'root', variablesWhere((ref) => ref.joint < 0 && ref.parameter < 0));
    return links;
}

/**
 * What drives a joint's dofs in the end.
 * @param {LimberFigure} figure @param {number} joint
 * @returns {DofRef[]}
 */
function drivesOf(figure, joint, depth = 0) {
    return figure.drives.filter((drive) => drive.joint === joint).flatMap(({source}) => {
        const further = source.joint >= 0 && depth < 8 ? drivesOf(figure, source.joint, depth + 1) : [];
        return further.length ? further : [source];
    });
}

/* --- Another root ------------------------------------------------------------------------------------- */

/**
 * The document with a figure rooted elsewhere, in which nothing has moved.
 * @param {DocWorld} world @param {number} k
 * @param {{segment?: string, site?: string}} where by name
 * @param {boolean} [free] whether the new root may move; absent: as before
 */
export function rerooted(world, k, where, free) {
    const figure = world.figures[k];
    const site = where.site === undefined ? -1 : figure.findSite(where.site);
    const name = where.site ?? where.segment ?? '';
    const named = site >= 0 ? figure.sites[site].segment : figure.findSegment(where.segment ?? '');
    const segment = named < 0 ? figure.findPlace(name).segment : named; // what is not there is thrown
    const isFree = free ?? Boolean(figure.root.isFree);
    const doc = plainDocument(world, false); // a body stands on its own root
    const old = doc.figures[k];
    /** @type {DocFigure} */
    const spec = {file: old.file, name: old.name, root: where.site ?? where.segment, free: isFree};
    if (old.stature !== undefined) spec.stature = old.stature;
    doc.figures[k] = spec;
    const now = site >= 0 ? world.siteFrame(k, site) : world.segmentFrame(k, segment);
    doc.start = Object.fromEntries(Object.entries(world.values(world.pose))
        .filter(([name]) => !isRootVariable(world, k, name)));
    return {doc, now, isFree};
}

/** @param {World} world @param {number} k @param {string} name */
function isRootVariable(world, k, name) {
    const [figure, rest] = world.split(name);
    return figure === k && /^root\.(x|y|z|rx|ry|rz)$/.test(rest);
}

/**
 * Where a fixed root has to be put (`at`, `quaternion`) so that its frame is `now`, seen from where the file has it.
 * @param {Frame} now @param {Frame} rest
 * @returns {{at?: Vec, quaternion?: Quat}}
 */
export function placementFor(now, rest) {
    const place = frameMultiply(now, frameInvert(rest));
    const isHome = distance(place.position, [0, 0, 0]) < 1e-12 && Math.abs(place.rotation[3]) > 1 - 1e-14;
    return isHome ? {} : {at: place.position, quaternion: place.rotation};
}
