// The joints panel: figures, their roots, groups and joints, with a slider per variable.

import * as actions from '../actions/actions.js';
import {allVariables, fullName, lockedNames, rigidities, setLocked, spoken} from '../document/names.js';
import {Slide} from '../actions/slide.js';
import {button, focused, h, replace, switchOf} from '../widgets/dom.js';
import {DofRow} from './dof_row.js';
import {menuButton} from '../widgets/menu.js';

/**
 * Builds the panel.
 * @param {HTMLElement} element @param {Store} store
 */
export function mount(element, store) {
    const panel = new Joints(element, store);
    store.on('doc', () => panel.rebuildWhenSeen());
    store.on('selection', () => panel.showSelection());
    store.on('frame', () => panel.later());
    store.on('settings', () => panel.seen());
    store.on('picked', () => panel.showSelection());
    if (store.doc) panel.rebuildWhenSeen();
}

class Joints {
    /** @param {HTMLElement} element @param {Store} store */
    constructor(element, store) {
        this.element = element;
        this.store = store;
        this.slide = new Slide(store);
        /** @type {DofRow[]} */
        this.rows = [];
        /** @type {JointSection[]} */
        this.sections = [];
        /** @type {{value: HTMLElement, first: number, dofs: SceneDof[]}[]} */
        this.driven = [];
        /** @type {{element: HTMLButtonElement, figure: number, at: string}[]} */
        this.rerootButtons = [];
        /** @type {ReturnType<typeof lockedNames>} */
        this.locked = new Set();
        /** @type {ReturnType<typeof rigidities>} */
        this.rigid = new Map();
        this.isStale = false;
        /** @type {HTMLElement['hidden']} */
        this.isHidden = false;
        this.due = 0;
        this.filter = '';
        /** @type {Set<string>} */
        this.openRows = new Set();
        /** @type {HTMLInputElement} */
        this.search = h('input', {
            type: 'search',
            class: 'entry search',
            placeholder: 'Find a joint',
            'aria-label': 'Find a joint',
            dataset: {key: 'search'},
            oninput: () => this.setFilter(this.search.value),
        });
        const more = menuButton(
            button({icon: 'more', label: 'All joints', class: 'framed bare'}),
            () => this.menu(),
            'All joints',
        );
        this.solveSwitch = switchOf({
            text: 'Then solve',
            label: 'Solve for pins and goals after each slide, the slid joint held',
            checked: store.settings.slideThenSolve,
            onchange: (isOn) => store.change({slideThenSolve: isOn}),
        });
        this.list = h('div', {});
        element.append(h('div', {class: 'tools'}, this.search, this.solveSwitch, more), this.list);
    }

    menu() {
        const {store} = this;
        const names = allVariables(store.scene).map(({name}) => name);
        /** @param {string} label @param {boolean} isLocked */
        const lock = (label, isLocked, which = names) =>
            store.edit(label, (draft) => setLocked(draft, store.scene, which, isLocked));
        const shown = this.rows.filter(({isShown}) => isShown).map(({name}) => name);
        return [
            {text: 'Lock all', icon: 'lock', run: () => lock('Lock all', true)},
            {text: 'Free all', icon: 'unlock', run: () => lock('Free all', false)},
            {
                text: 'Lock what is listed',
                icon: 'lock',
                disabled: !this.filter,
                run: () => lock('Lock listed', true, shown),
            },
            {
                text: 'Lock all but what is listed',
                icon: 'lock',
                disabled: !this.filter,
                run: () =>
                    lock(
                        'Lock others',
                        true,
                        names.filter((name) => !shown.includes(name)),
                    ),
            },
            {rule: true},
            {
                text: 'Forget preferred values',
                icon: 'close',
                disabled: !store.doc.wishes?.posture,
                run: () =>
                    store.edit('Forget preferred values', (draft) => {
                        delete draft.wishes?.posture;
                    }),
            },
            {
                text: 'Forget rigidities',
                icon: 'close',
                disabled: !store.doc.rigidity,
                run: () =>
                    store.edit('Forget rigidities', (draft) => {
                        delete draft.rigidity;
                    }),
            },
            {rule: true},
            {text: 'Reset to the rest pose', icon: 'reset', key: 'R', run: () => actions.resetPose(store)},
            {text: 'Reset to the pose as opened', icon: 'reset', run: () => actions.resetToOpened(store)},
        ];
    }

    // --- the list ----------------------------------------------------------------------------------------------------

    /** A hidden panel is built when it is shown. */
    rebuildWhenSeen() {
        this.isStale = true;
        this.seen();
    }

    seen() {
        const wasHidden = this.isHidden;
        this.isHidden = this.element.hidden;
        if (this.isStale && !this.element.hidden) this.rebuild();
        else this.later();
        if (wasHidden && !this.element.hidden) this.showSelection(); // what was picked meanwhile
    }

    rebuild() {
        this.isStale = false;
        const {store} = this;
        if (!store.scene || !store.doc) return;
        this.locked = lockedNames(store.doc, store.scene);
        this.rigid = rigidities(store.doc, store.scene);
        this.rows = [];
        this.sections = [];
        this.driven = [];
        replace(
            this.list,
            store.scene.figures.map((figure, f) => this.figureOf(figure, f)),
        );
        this.setFilter(this.filter);
        this.showSelection(false);
        this.update();
    }

    /** @param {SceneFigure} figure @param {number} f */
    figureOf(figure, f) {
        const roots = figure.variables.filter(({isRoot}) => isRoot);
        return h(
            'section',
            {'aria-label': figure.name},
            h(
                'div',
                {class: 'figure-head'},
                figure.name,
                h('small', {class: 'quiet'}, `${figure.variables.length} variables`),
                this.store.scene.figures.length > 1 ? this.removeOf(figure, f) : null,
            ),
            this.rootOf(figure, f, roots),
            (figure.groups ?? []).map((group) => this.groupOf(figure, f, group)),
            figure.joints.map((joint) => this.jointOf(figure, f, joint)),
        );
    }

    /** @param {SceneFigure} figure @param {number} f */
    removeOf(figure, f) {
        return button({
            icon: 'trash',
            label: `Remove ${figure.name}`,
            class: 'small bare push',
            dataset: {key: `remove ${f}`, command: 'remove-figure'},
            onclick: () => actions.removeFigure(this.store, f),
        });
    }

    /**
     * @param {SceneFigure} figure @param {number} f
     * @param {{title: string, kind: string, select: () => unknown, rows: DofRow[], after?: Child,
     *     joints?: string[]}} of
     */
    section(figure, f, {title, kind, select, rows, after = null, joints = []}) {
        const name = h(
            'button',
            {type: 'button', class: 'name', dataset: {key: `select ${f} ${title}`}, onclick: select},
            spoken(title),
            ' ',
            h('small', {}, kind),
        );
        const section = h(
            'div',
            {class: 'joint', dataset: {joint: title}},
            h('div', {class: 'joint-head'}, name),
            rows.map((row) => row.elements()),
            after,
        );
        this.sections.push({
            section,
            rows,
            text: [title, ...joints].join(' '),
            figure: f,
            joints: new Set([title, ...joints]),
        });
        this.rows.push(...rows);
        return section;
    }

    /** @param {number} f @param {SceneVariable} variable @param {string} label */
    rowFor(f, variable, label) {
        const {store} = this;
        const name = fullName(store.scene, f, variable.name);
        return new DofRow({
            store,
            slide: this.slide,
            variable,
            name,
            label,
            figure: f,
            isLocked: this.locked.has(name),
            rigidity: this.rigid.get(name) ?? 0,
            openRows: this.openRows,
            rebuild: () => this.rebuild(),
        });
    }

    /** @param {SceneFigure} figure @param {number} f @param {SceneJoint} joint */
    jointOf(figure, f, joint) {
        const rows = joint.dofs
            .filter(({variable}) => variable >= 0)
            .map((dof) => {
                const variable = figure.variables.find(({index}) => index === dof.variable);
                return variable && this.rowFor(f, variable, dof.name || joint.name);
            })
            .filter((row) => row !== undefined);
        if (!rows.length) return null;
        return this.section(figure, f, {
            title: joint.name,
            kind: joint.isFrozen ? 'frozen' : joint.dofs.length > 1 ? `${joint.dofs.length} dofs` : '',
            rows,
            select: () => this.store.select({kind: 'joint', figure: f, name: joint.name}),
        });
    }

    /** @param {SceneFigure} figure @param {number} f @param {SceneGroup} group */
    groupOf(figure, f, group) {
        const rows = group.parameters
            .map((parameter) => {
                const variable = figure.variables.find(({index}) => index === parameter.variable);
                return variable && this.rowFor(f, variable, parameter.name);
            })
            .filter((row) => row !== undefined);
        const list = h(
            'ul',
            {},
            group.joints.map((name) => this.drivenItem(figure, f, name)),
        );
        const after = h(
            'details',
            {class: 'group-joints'},
            h('summary', {dataset: {key: `group ${f} ${group.name}`}}, `moves ${group.joints.length} joints together`),
            list,
        );
        return this.section(figure, f, {
            title: group.name,
            kind: 'group',
            rows,
            after,
            joints: group.joints,
            select: () => this.store.select({kind: 'joint', figure: f, name: group.joints[0]}),
        });
    }

    /**
     * A joint that a group moves, with the values it has now.
     * @param {SceneFigure} figure @param {number} f @param {string} name
     */
    drivenItem(figure, f, name) {
        const index = figure.joints.findIndex((joint) => joint.name === name);
        const value = h('span', {});
        const first =
            figure.firstDof === undefined
                ? null
                : figure.firstDof + figure.joints.slice(0, index).reduce((sum, joint) => sum + joint.dofs.length, 0);
        if (first !== null) this.driven.push({value, first, dofs: figure.joints[index].dofs});
        return h(
            'li',
            {},
            h(
                'button',
                {
                    type: 'button',
                    class: 'button small',
                    onclick: () => this.store.select({kind: 'joint', figure: f, name}),
                },
                spoken(name),
                value,
            ),
        );
    }

    /** @param {SceneFigure} figure @param {number} f @param {SceneVariable[]} roots */
    rootOf(figure, f, roots) {
        const {store} = this;
        const at = figure.segments[figure.root.segment]?.name ?? '';
        const isFree = switchOf({
            text: 'free',
            label: `The root of ${figure.name} may move`,
            checked: figure.root.isFree,
            dataset: {key: `free ${f}`, command: 'root-free'},
            onchange: (isOn) => actions.rerootHere(store, {figure: f, segment: at, isFree: isOn}),
        });
        const part = actions.pickedPart(store);
        const here = button({
            icon: 'root',
            text: 'Re-root at the picked part',
            class: 'small framed',
            dataset: {key: `reroot ${f}`, command: 'reroot'},
            disabled: !part || part.figure !== f || part.name === at,
            onclick: () => {
                const picked = actions.pickedPart(store);
                if (picked) actions.rerootHere(store, {figure: f, segment: picked.name, isFree: figure.root.isFree});
            },
        });
        this.rerootButtons = [
            ...this.rerootButtons.filter(({element}) => element.isConnected),
            {element: here, figure: f, at},
        ];
        const line = h('div', {class: 'root-line'}, h('span', {class: 'quiet'}, 'Root:'), spoken(at), isFree, here);
        const rows = roots.map((variable) => this.rowFor(f, variable, variable.name.replace(/^.*\./, '')));
        return h(
            'div',
            {},
            line,
            rows.length
                ? this.section(figure, f, {
                      title: 'root',
                      kind: 'place of the whole figure',
                      rows,
                      select: () => store.select({kind: 'segment', figure: f, name: at}),
                  })
                : null,
        );
    }

    // --- what changes ------------------------------------------------------------------------------------------------

    /** @param {string} text */
    setFilter(text) {
        this.filter = text.trim().toLowerCase();
        const words = this.filter.split(/[\s_.]+/).filter(Boolean);
        /** @param {string} name */
        const has = (name) => words.every((word) => name.toLowerCase().includes(word));
        for (const {section, rows, text: all} of this.sections) {
            for (const row of rows) row.show(!words.length || has(`${all} ${row.name}`));
            section.hidden = !rows.some(({isShown}) => isShown);
        }
    }

    /**
     * The joint that moves a segment: its own, or the next one up that is listed.
     * @param {number} f @param {number} segment
     */
    jointAbove(f, segment) {
        const {segments, joints} = this.store.scene.figures[f];
        /** @param {SceneJoint} joint */
        const isListed = (joint) => this.sections.some((one) => one.figure === f && one.joints.has(joint.name));
        for (let s = segment; s >= 0; s = segments[s].parent) {
            const joint = joints[segments[s].joint];
            if (joint && isListed(joint)) return joint;
        }
        return null;
    }

    showSelection(doesScroll = true) {
        const {store} = this;
        const part = actions.pickedPart(store);
        const figure = part && store.scene.figures[part.figure];
        const joint = part && (part.joint ?? this.jointAbove(part.figure, part.segment));
        const isRoot = part && !joint;
        let chosen = null;
        for (const {section, figure: f, joints} of this.sections) {
            const isChosen = Boolean(
                part && part.figure === f && (joint ? joints.has(joint.name) : isRoot && joints.has('root')),
            );
            section.classList.toggle('chosen', isChosen);
            if (isChosen) chosen ??= section;
        }
        for (const {element, figure: f, at} of this.rerootButtons)
            element.disabled = !part || part.figure !== f || part.name === at;
        if (doesScroll && chosen && !this.element.hidden && !this.element.contains(focused()))
            chosen.scrollIntoView({block: 'center'});
    }

    later() {
        this.due ||= requestAnimationFrame(() => {
            this.due = 0;
            this.update();
        });
    }

    update() {
        const {frame, settings} = this.store;
        this.solveSwitch.input.checked = settings.slideThenSolve;
        if (!frame || this.element.hidden) return;
        const blocking = new Map(frame.limits.map((limit) => [limit.variable, limit]));
        for (const row of this.rows) row.update(frame.pose, blocking.get(row.variable.index));
        if (!frame.dofs) return;
        for (const {value, first, dofs} of this.driven) {
            if (!value.closest('details')?.open) continue;
            value.textContent = dofs
                .map(({isAngle}, i) =>
                    isAngle
                        ? `${((frame.dofs[first + i] * 180) / Math.PI).toFixed(0)}°`
                        : `${(frame.dofs[first + i] * 1000).toFixed(0)} mm`,
                )
                .join(' ');
        }
    }
}
