// The form of a goal: its end-effector, its kind, where it is, how big, and how much it matters.

import * as actions from '../actions.js';
import {effectorFrame, effectorText} from '../effectors.js';
import {freshName, fullName, splitName} from '../names.js';
import {fromAxes, fromRpy, inverse, segmentIndex, toRpy, turned, unit, cross, findSite} from '../space.js';
import {button, field, h, switchOf} from './dom.js';
import {asList, entryIn, isPin, renameInMotion} from './entries.js';
import {choiceEntry, numberEntry, textEntry, vectorEntry} from './entry.js';
import {GOAL_KINDS, OBSTACLE_KINDS, changedKind, kindNamed} from './goal_kinds.js';
import {valueOf, vectorOf} from './units.js';

/** The form of an entry of the list. */
export function formOf(entry, store) {
    const form = new Form(entry, store);
    return h('div', {class: 'form', role: 'group', 'aria-label': `${entry.name}: settings`}, form.content());
}

class Form {
    constructor(entry, store) {
        this.entry = entry;
        this.store = store;
        this.value = typeof entry.value === 'string' ? {site: entry.value} : entry.value;
    }

    /** Changes the entry's object; typing into one field is one step to undo. */
    set(label, fn, {merge = null} = {}) {
        return this.store.edit(`${label} of ${this.entry.name}`, (draft) => fn(entryIn(draft, this.entry), draft),
            {solve: true, merge: merge && `${this.entry.key} ${merge}`});
    }

    content() {
        const {from} = this.entry;
        const own = {constraints: () => this.constraint(), keep: () => this.keep(), balance: () => this.balance(), avoid: () => this.avoid()}[from]();
        return [...own, this.matters(), this.tolerances(), ...(from === 'constraints' ? this.more() : []), this.actions()];
    }

    // --- constraints ---------------------------------------------------------------------------------------------------

    constraint() {
        const {goal, effector} = this.value;
        return [
            field('Name', textEntry({value: this.entry.name, label: 'Name', key: 'name', onset: (name) => this.rename(name)})),
            field('Part', choiceEntry({value: JSON.stringify(effector), label: 'Point of the part', key: 'effector', options: this.effectorOptions(),
                onset: (text) => this.set('Part', (entry) => {
                    entry.effector = JSON.parse(text);
                })})),
            field('Goal', choiceEntry({value: goal.kind, label: 'Kind of goal', key: 'kind', options: GOAL_KINDS.map(({kind, title}) => [kind, title]),
                onset: (kind) => this.set('Kind', (entry) => {
                    entry.goal = changedKind(entry.goal, kind, this.at());
                })})),
            ...goalFields(this, goal, (entry) => entry.goal),
        ];
    }

    at() {
        return effectorFrame(this.store.scene, this.store.frame, this.value.effector) ?? {position: [0, 0, 1], rotation: [0, 0, 0, 1]};
    }

    rename(name) {
        const old = this.entry.name;
        if (!name || name === old) return;
        let fresh = name;
        this.store.edit(`Rename ${old}`, (draft) => {
            const entry = entryIn(draft, this.entry);
            entry.name = '';
            fresh = freshName(draft, name);
            entry.name = fresh;
            renameInMotion(draft, old, fresh);
        }).then((isDone) => isDone && this.store.select({kind: 'constraint', figure: 0, name: fresh}));
    }

    /** The sites of the part that the effector is on, and the effector as it is. */
    effectorOptions() {
        const {effector} = this.value;
        const options = [[JSON.stringify(effector), typeof effector === 'string' ? effectorText(effector) : `${effectorText(effector)}, a point of it`]];
        const {scene} = this.store;
        const [constraint] = this.entry.constraints;
        if (!constraint || constraint.segment < 0) return options;
        const figure = scene.figures[constraint.figure];
        for (const site of figure.sites.filter(({segment}) => segment === constraint.segment)) {
            const name = fullName(scene, constraint.figure, site.name);
            if (name !== effector) options.push([JSON.stringify(name), name]);
        }
        const origin = {segment: fullName(scene, constraint.figure, figure.segments[constraint.segment].name), point: [0, 0, 0]};
        if (JSON.stringify(origin) !== JSON.stringify(effector)) options.push([JSON.stringify(origin), `${origin.segment}, its origin`]);
        return options;
    }

    more() {
        const {value, store} = this;
        const [constraint] = this.entry.constraints;
        const goal = value.goal;
        const hasBody = goal.kind === 'half-space' || goal.outside;
        const joints = constraint ? jointsUp(store.scene, constraint) : [];
        const optional = (name, number) => (entry) => {
            if (number === null || number === 0) delete entry[name];
            else entry[name] = number;
        };
        return [h('details', {class: 'block', open: isOpen(this.entry)}, h('summary', {dataset: {key: 'more'}, onclick: () => toggleOpen(this.entry)}, 'More'), h('div', {class: 'content'},
            field('Any of', textEntry({value: value.any_of === undefined ? '' : String(value.any_of), label: 'Disjunction: of goals with the same word the nearest counts', key: 'any_of',
                list: disjunctions(store.doc), placeholder: 'a word: the nearest counts', onset: (word) => this.set('Disjunction', optional('any_of', /^\d+$/.test(word) ? Number(word) : word || null))})),
            field('Chain from', choiceEntry({value: value.from ?? '', label: 'First joint of its chain', key: 'from', options: [['', 'the root'], ...joints.map((name) => [name, name])],
                onset: (name) => this.set('Chain', optional('from', name || null))})),
            field('Carried by', textEntry({value: carrierText(goal), label: 'Carried by a site, or segment', key: 'carrier', list: siteNames(store.scene),
                placeholder: 'the world', onset: (name) => this.carry(name)})),
            hasBody ? field('Ball radius', numberEntry({value: valueOf(value.radius, 0), kind: 'length', min: 0, label: 'Radius of the effector', key: 'radius',
                onset: (number) => this.set('Radius', optional('radius', number))}), 'm') : null,
            hasBody ? field('Half length', numberEntry({value: valueOf(value.half_length, 0), kind: 'length', min: 0, label: 'Half length of the effector', key: 'half_length',
                onset: (number) => this.set('Half length', optional('half_length', number))}), 'm') : null,
            kindNamed(goal.kind)?.fields.includes('degrees') ? this.degrees(goal) : null,
            goal.kind === 'frame' ? field('Position share', numberEntry({value: valueOf(goal.position_weight, 0.5), min: 0, max: 1, label: 'Share of the position, 0 to 1', key: 'share',
                onset: (number) => this.set('Share', (entry) => {
                    entry.goal.position_weight = number;
                })})) : null))];
    }

    degrees(goal) {
        const list = Array.isArray(goal.degrees_per_metre) ? goal.degrees_per_metre.map((one) => valueOf(one)) : null;
        const one = list ? list[0] : valueOf(goal.degrees_per_metre, 180);
        return field('Degrees / m', numberEntry({value: one, min: 0, label: 'Degrees that count as much as a metre', key: 'degrees', step: 10,
            onset: (number) => this.set('Degrees', (entry) => {
                entry.goal.degrees_per_metre = list ? [number, list[1]] : number;
            })}));
    }

    /** Another carrier; the goal's place stays where it is in the world. */
    carry(name) {
        const {scene, frame} = this.store;
        const carrier = name ? carrierFrame(scene, frame, name) : null;
        if (name && !carrier) {
            this.store.message('error', `There is no site or segment called ${name}.`);
            this.store.emit('doc', this.store.doc);
            return;
        }
        const world = (point) => {
            const old = this.value.goal.relative_to === undefined ? null : carrierFrame(scene, frame, this.value.goal.relative_to);
            return old ? turned(old.rotation, point).map((part, i) => part + old.position[i]) : point;
        };
        const local = (point) => (carrier ? turned(inverse(carrier.rotation), point.map((part, i) => part - carrier.position[i])) : point);
        this.set('Carrier', (entry) => {
            const {goal} = entry;
            for (const key of ['point', 'to']) if (goal[key] || key === 'point') goal[key] = local(world(vectorOf(goal[key])));
            if (name) goal.relative_to = segmentIndex(scene, splitName(scene, name).figure, splitName(scene, name).name) >= 0
                && !findSite(scene, splitName(scene, name).figure, splitName(scene, name).name) ? {segment: name} : name;
            else delete goal.relative_to;
        });
    }

    // --- keep, balance, avoid ------------------------------------------------------------------------------------------

    keep() {
        return [
            field('Site', textEntry({value: this.value.site, label: 'Site', key: 'site', list: siteNames(this.store.scene), onset: (name) => this.set('Site', (entry) => {
                entry.site = name;
            })})),
            field('Keep', choiceEntry({value: this.value.what ?? 'frame', label: 'What is kept', key: 'what', options: [['frame', 'Place and direction'], ['position', 'Place'], ['orientation', 'Direction']],
                onset: (what) => this.set('What', (entry) => {
                    entry.what = what;
                })})),
        ];
    }

    balance() {
        return [
            field('Support', textEntry({value: asList(this.value.support).join(', '), label: 'Sites of the support, with commas', key: 'support', onset: (text) => this.set('Support', (entry) => {
                entry.support = text.split(/[,\s]+/).filter(Boolean);
            })})),
            field('Margin', numberEntry({value: valueOf(this.value.margin, 0), kind: 'length', label: 'Margin inside the support', key: 'margin', onset: (number) => this.set('Margin', (entry) => {
                entry.margin = number;
            }, {merge: 'margin'})}), 'm'),
        ];
    }

    avoid() {
        const {value} = this;
        const listField = (label, key) => field(label, textEntry({value: asList(value[key]).join(', '), label: `${label}: names or patterns, with commas`, key,
            onset: (text) => this.set(label, (entry) => {
                entry[key] = text.split(/[,\s]+/).filter(Boolean);
            })}));
        return [
            listField('Parts', 'segments'),
            value.others ? listField('Stay out of', 'others') : field('Obstacle', choiceEntry({value: value.obstacle.kind, label: 'Kind of obstacle', key: 'obstacle',
                options: OBSTACLE_KINDS.map((kind) => [kind, kindNamed(kind).title]),
                onset: (kind) => this.set('Obstacle', (entry) => {
                    entry.obstacle = changedKind(entry.obstacle, kind, {position: vectorOf(entry.obstacle.point, [0.4, 0, 1]), rotation: [0, 0, 0, 1]});
                })})),
            ...(value.obstacle ? goalFields(this, value.obstacle, (entry) => entry.obstacle) : []),
            field('Margin', numberEntry({value: valueOf(value.margin, 0), kind: 'length', label: 'Distance kept', key: 'margin', onset: (number) => this.set('Margin', (entry) => {
                entry.margin = number;
            }, {merge: 'margin'})}), 'm'),
        ];
    }

    // --- what all have -------------------------------------------------------------------------------------------------

    matters() {
        const {value} = this;
        return h('div', {class: 'pair'},
            field('Weight', numberEntry({value: valueOf(value.weight, 1), min: 0, label: 'Weight', key: 'weight', onset: (number) => this.set('Weight', (entry) => {
                entry.weight = number;
            }, {merge: 'weight'})})),
            field('Priority', numberEntry({value: valueOf(value.priority, 0), min: 0, max: 7, step: 1, whole: true, label: 'Priority: 0 is the highest', key: 'priority',
                onset: (number) => this.set('Priority', (entry) => {
                    entry.priority = number;
                }, {merge: 'priority'})})));
    }

    tolerances() {
        const {value} = this;
        const length = Array.isArray(value.tolerance) ? valueOf(value.tolerance[0]) : valueOf(value.tolerance, 1e-5);
        const set = (name) => (number) => this.set('Tolerance', (entry) => {
            entry[name] = number;
        }, {merge: name});
        const hasAngle = this.entry.from === 'constraints' || this.entry.from === 'keep';
        return h('div', {class: 'pair'},
            field('Tolerance', numberEntry({value: length, kind: 'mm', min: 0, label: 'Tolerance', key: 'tolerance', onset: set('tolerance')}), 'mm'),
            hasAngle ? field('and', numberEntry({value: valueOf(value.tolerance_angle, 1e-5), kind: 'angle', min: 0, label: 'Tolerance of directions', key: 'tolerance_angle', onset: set('tolerance_angle')}), 'deg') : h('span'));
    }

    actions() {
        const {entry, store, value} = this;
        const isFree = entry.from === 'constraints' && value.goal.relative_to === undefined && !['aim', 'polyhedron'].includes(value.goal.kind);
        const [constraint] = entry.constraints;
        return h('div', {class: 'actions'},
            isFree ? button({text: 'Move here', label: 'Move the goal to where the part is now', class: 'small framed', dataset: {key: 'here'}, onclick: () => actions.goalHere(store, entry)}) : null,
            constraint && constraint.segment >= 0 ? button({text: 'Pick its part', class: 'small framed', dataset: {key: 'pick'},
                onclick: () => store.select({kind: 'segment', figure: constraint.figure, name: store.scene.figures[constraint.figure].segments[constraint.segment].name})}) : null,
            isPin(entry) ? null : button({text: 'Duplicate', class: 'small framed', dataset: {key: 'copy'}, onclick: () => this.duplicate()}));
    }

    duplicate() {
        const {from, index} = this.entry;
        this.store.edit(`Duplicate ${this.entry.name}`, (draft) => {
            const copy = structuredClone(entryIn(draft, this.entry));
            if (copy.name) copy.name = freshName(draft, copy.name.replace(/ \d+$/, ''));
            if (Array.isArray(draft[from])) draft[from].splice(index + 1, 0, copy);
            else draft[from] = [draft[from], copy];
        });
    }
}

// --- the fields of goals -------------------------------------------------------------------------------------------------

/** The fields that a kind of goal has. `goalIn` finds the goal in an entry of a draft. */
function goalFields(form, goal, goalIn) {
    const kind = kindNamed(goal.kind);
    const set = (label, key, merge = key) => (value) => form.set(label, (entry) => {
        goalIn(entry)[key] = value;
    }, {merge});
    const makers = {
        point: () => field('Point', vectorEntry({value: vectorOf(goal.point), label: 'Point', key: 'point', onset: set('Point', 'point')}), 'm'),
        to: () => field('To', vectorEntry({value: vectorOf(goal.to), label: 'Other end', key: 'to', onset: set('End', 'to')}), 'm'),
        direction: () => field('Direction', vectorEntry({value: vectorOf(goal.direction), kind: 'plain', label: 'Direction', key: 'direction', onset: set('Direction', 'direction')})),
        normal: () => (goal.normal || !hasRotation(goal) ? field('Normal', vectorEntry({value: vectorOf(goal.normal, [0, 0, 1]), kind: 'plain', label: 'Normal', key: 'normal', onset: set('Normal', 'normal')}))
            : rotationField(form, goal, goalIn)),
        half_size: () => field('Half size', vectorEntry({value: vectorOf(goal.half_size), min: 0, label: 'Half size', key: 'half_size', onset: set('Size', 'half_size')}), 'm'),
        radius: () => field('Radius', numberEntry({value: valueOf(goal.radius), kind: 'length', min: 0, label: 'Radius', key: 'goal-radius', onset: set('Radius', 'radius')}), 'm'),
        rotation: () => (isTurned(goal) ? directionFields(form, goal, goalIn) : rotationField(form, goal, goalIn)),
        faces: () => facesField(form, goal, goalIn),
        degrees: () => null, position_weight: () => null,
    };
    const outside = kind.isRegion && form.entry.from !== 'avoid' ? switchOf({text: 'Stay outside of it', checked: Boolean(goal.outside), dataset: {key: 'outside'},
        onchange: (isOn) => form.set('Side', (entry) => {
            if (isOn) goalIn(entry).outside = true;
            else delete goalIn(entry).outside;
        })}) : null;
    return [...kind.fields.map((name) => makers[name]()), outside].flat().filter(Boolean);
}

const isTurned = (goal) => goal.kind === 'orientation' || goal.kind === 'frame';
const hasRotation = (goal) => goal.rpy !== undefined || goal.quaternion !== undefined;

/** A goal's rotation as a quaternion, however it is written. */
function rotationOf(goal) {
    if (goal.quaternion) return vectorOf(goal.quaternion);
    if (goal.rpy) return fromRpy(vectorOf(goal.rpy));
    if (!goal.x && !goal.y) return [0, 0, 0, 1];
    const x = goal.x ? unit(vectorOf(goal.x)) : null;
    const y = goal.y ? unit(vectorOf(goal.y)) : null;
    const first = x ?? unit(cross(y, Math.abs(y[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
    const third = unit(cross(first, y ?? (Math.abs(first[2]) < 0.9 ? cross([0, 0, 1], first) : [0, 1, 0])));
    return fromAxes(first, cross(third, first), third);
}

function rotationField(form, goal, goalIn) {
    return field('Rotation', vectorEntry({value: toRpy(rotationOf(goal)), kind: 'angle', label: 'Rotation', key: 'rotation', names: ['roll', 'pitch', 'yaw'],
        onset: (rpy) => form.set('Rotation', (entry) => {
            const one = goalIn(entry);
            for (const key of ['quaternion', 'x', 'y', 'normal']) delete one[key];
            one.rpy = rpy;
        }, {merge: 'rotation'})}), '°');
}

/** Orientations may leave a direction free: both, x alone, or y alone. */
function directionFields(form, goal, goalIn) {
    const free = goal.x && !goal.y ? 'x' : goal.y && !goal.x ? 'y' : 'both';
    const choose = choiceEntry({value: free, label: 'Directions that matter', key: 'directions', options: [['both', 'x and y: all of it'], ['x', 'x alone'], ['y', 'y alone']],
        onset: (which) => form.set('Directions', (entry) => {
            const one = goalIn(entry);
            const q = rotationOf(one);
            for (const key of ['rpy', 'quaternion', 'x', 'y']) delete one[key];
            if (which === 'both') one.quaternion = q;
            else one[which] = turned(q, which === 'x' ? [1, 0, 0] : [0, 1, 0]);
        })});
    const value = free === 'both' ? rotationField(form, goal, goalIn) : field(`Its ${free}`, vectorEntry({value: vectorOf(goal[free]), kind: 'plain', label: `Direction of ${free}`, key: 'axis',
        onset: (vector) => form.set('Direction', (entry) => {
            goalIn(entry)[free] = vector;
        }, {merge: 'axis'})}));
    return [field('Directions', choose), value];
}

/** Faces of a polyhedron: n . r <= d. */
function facesField(form, goal, goalIn) {
    const face = (values, i) => h('div', {class: 'face', role: 'group', 'aria-label': `Face ${i + 1}`},
        ['nx', 'ny', 'nz', 'd'].map((name, k) => numberEntry({value: valueOf(values[k]), kind: 'plain', label: `Face ${i + 1} ${name}`, key: `face ${i} ${name}`,
            onset: (number) => form.set('Faces', (entry) => {
                goalIn(entry).faces[i][k] = number;
            }, {merge: `face ${i}`})})),
        button({icon: 'close', label: `Delete face ${i + 1}`, class: 'small bare', disabled: goal.faces.length < 2, onclick: () => form.set('Faces', (entry) => {
            goalIn(entry).faces.splice(i, 1);
        })}));
    return h('div', {class: 'faces'}, h('span', {class: 'quiet'}, 'Faces: direction outwards, and distance from the origin'), goal.faces.map(face),
        h('div', {}, button({icon: 'plus', text: 'Face', class: 'small framed', onclick: () => form.set('Faces', (entry) => {
            goalIn(entry).faces.push([1, 0, 0, 2]);
        })})));
}

// --- names to choose from --------------------------------------------------------------------------------------------------

function siteNames(scene) {
    return scene.figures.flatMap((figure, f) => figure.sites.map(({name}) => fullName(scene, f, name)));
}

function disjunctions(doc) {
    return [...new Set((doc.constraints ?? []).map(({any_of: word}) => word).filter((word) => word !== undefined).map(String))];
}

function carrierText({relative_to: carrier}) {
    return carrier === undefined ? '' : typeof carrier === 'string' ? carrier : carrier.segment ?? carrier.site ?? '';
}

function carrierFrame(scene, frame, carrier) {
    if (typeof carrier !== 'string') return effectorFrame(scene, frame, {...carrier, point: [0, 0, 0]});
    return effectorFrame(scene, frame, carrier) ?? effectorFrame(scene, frame, {segment: carrier, point: [0, 0, 0]});
}

/** The joints from a constraint's segment up to the root, which its chain may start at. */
function jointsUp(scene, constraint) {
    const figure = scene.figures[constraint.figure];
    const names = [];
    for (let segment = constraint.segment; segment >= 0 && names.length < 100; segment = figure.segments[segment].parent) {
        const joint = figure.joints[figure.segments[segment].joint];
        if (!joint) break;
        names.push(joint.name);
    }
    return names;
}

const open = new Set();
const isOpen = (entry) => open.has(entry.name);
function toggleOpen(entry) {
    if (!open.delete(entry.name)) open.add(entry.name);
}

