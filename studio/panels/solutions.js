// The solutions of a goal as ghosts to choose from: a small bar says how many there are, arrows and the pointer go
// through them, Enter or a click takes one, Escape leaves. Whatever changes the document or the scene ends it.

import {pickedPart} from '../actions/actions.js';
import {effectorsOf} from '../document/effectors.js';
import {allVariables, lockedNames, spoken} from '../document/names.js';
import {button, h, replace} from '../widgets/dom.js';

const FIRM = 0.95; // how much is seen of the chosen one, and of the others
const FAINT = 0.3;

/**
 * What the selection asks for: a goal by name, or a part where it is; null, with a message, where it is nothing.
 * @param {Store} store
 */
function wantedOf(store) {
    const {scene, frame, selection} = store;
    /** @param {SceneConstraint} of */
    const isFrame = ({goal, disabled, from}) => goal.kind === 'frame' && !disabled && from === 'constraints';
    if (selection?.kind === 'constraint') return {args: {name: selection.name}, label: selection.name};
    const part = pickedPart(store);
    const goals = scene.constraints.filter((constraint) => isFrame(constraint) &&
        (!part || (constraint.figure === part.figure && constraint.segment === part.segment)));
    if (goals.length === 1) return {args: {name: goals[0].name}, label: goals[0].name};
    if (part) {
        const [{effector, label}] = effectorsOf(scene, frame, part);
        return {args: {figure: part.figure, effector}, label};
    }
    store.message('info', goals.length ? 'There are several frame goals: choose one first.'
        : 'Pick a part first, or add a frame goal: its solutions are shown then.');
    return null;
}

export class Solutions {
    /**
     * @param {HTMLElement} element the bar in the view
     * @param {Store} store
     */
    constructor(element, store) {
        this.element = element;
        this.store = store;
        /** @type {Solved | null} */
        this.found = null;
        this.label = '';
        this.at = 0;
        for (const event of /** @type {const} */ (['doc', 'scene', 'opened'])) store.on(event, () => this.leave());
        store.on('frame', ({drag, time}) => (drag || time !== undefined) && this.leave());
        store.on('choice', ({index, isTaken}) => (isTaken ? this.take(index) : this.show(index)));
        store.home.listen(store.home.reach, 'keydown', (event) => this.key(event), {capture: true});
    }

    /** Finds the solutions and shows them; once more: leaves. */
    async toggle() {
        const {store} = this;
        if (this.found) return this.leave();
        const wanted = store.scene && wantedOf(store);
        if (!wanted) return null;
        try {
            await store.queue;
            const found = await store.client.call('solutions', {...wanted.args, chain: store.settings.chain});
            const why = this.obstacle(found);
            if (why) return store.message('info', why);
            Object.assign(this, {found, label: wanted.label});
            store.home.frame.classList.add('choosing');
            store.view?.canvas.focus({preventScroll: true});
            return this.show(0);
        } catch (error) {
            return store.message('info', sentence(/** @type {Error} */ (error).message));
        }
    }

    /**
     * Why there is nothing to choose from; '' where there is.
     * @param {Solved} of
     */
    obstacle({list, explanation, variables}) {
        if (!list.length) return sentence(explanation);
        const {doc, scene} = this.store, locked = lockedNames(doc, scene);
        const held = allVariables(scene)
            .find(({name, variable}) => variables.includes(variable.index) && locked.has(name))?.name;
        return held ? `${spoken(held)} is locked: closed forms move every joint of the arm. Free it first (X).` : '';
    }

    /**
     * Shows one of them firmly, the others faintly.
     * @param {number} index
     */
    show(index) {
        if (!this.found) return;
        const {list} = this.found;
        this.at = (index + list.length) % list.length;
        this.store.view?.setChoices(list.map(({matrices}, i) =>
            ({matrices, alpha: i === this.at ? FIRM : FAINT, before: i === this.at,
                rank: i === this.at ? 3 : (2 * (i + 1)) / list.length})), this.at);
        this.element.hidden = false;
        replace(this.element, this.content(this.found));
    }

    /** @param {Solved} of */
    content({list, count, allCount, explanation}) {
        const {at} = this;
        const beyond = allCount > count ? `, ${allCount - count} outside limits` : '';
        const more = list[at].isSingular ? 'a singular pose: one of many' : `${count} found for ${spoken(this.label)}`;
        /** @param {string} name @param {string} label @param {number} by @param {string} key */
        const step = (name, label, by, key) => button({icon: name, label, key, class: 'small bare',
            dataset: {key: name}, onclick: () => this.show(this.at + by)});
        return [
            h('span', {class: 'name', role: 'status', 'aria-live': 'polite', title: sentence(explanation)},
                `Solution ${at + 1} of ${list.length}`, h('small', {}, `${more}${beyond}`)),
            step('before', 'The one before', -1, 'Left'),
            step('after', 'The next one', 1, 'Right'),
            button({text: 'Take', label: 'Take this solution', key: 'Enter', class: 'small', dataset: {key: 'take'},
                onclick: () => this.take(this.at)}),
            button({icon: 'close', label: 'Leave', key: 'Esc', class: 'small bare', dataset: {key: 'leave'},
                onclick: () => this.leave()}),
        ];
    }

    /**
     * Takes one as the pose: one step to undo.
     * @param {number} index
     */
    take(index) {
        const {list} = this.found ?? {};
        if (!list) return null;
        const {pose} = list[index];
        this.leave();
        return this.store.setPose(pose, `Take solution ${index + 1} of ${list.length}`);
    }

    leave() {
        if (!this.found) return;
        this.found = null;
        this.store.view?.setChoices(null);
        this.element.hidden = true;
        this.store.home.frame.classList.remove('choosing');
    }

    /**
     * Keys while there is a choice, unless they are for typing or for a control.
     * @param {KeyboardEvent} event
     */
    key(event) {
        if (!this.found || event.altKey || event.ctrlKey || event.metaKey) return;
        const {key} = event, target = /** @type {Element} */ (event.target); // or the document, which has no closest()
        if (target.closest?.('input, textarea, select, [contenteditable="true"], dialog, [role="menu"]')) return;
        if (key !== 'Escape' && target.closest?.('button, [role="tab"], [role="slider"]')) return;
        const run = {
            ArrowLeft: () => this.show(this.at - 1), ArrowUp: () => this.show(this.at - 1),
            ArrowRight: () => this.show(this.at + 1), ArrowDown: () => this.show(this.at + 1),
            Enter: () => this.take(this.at), Escape: () => this.leave(),
        }[key];
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
    }
}

/**
 * As a sentence: the library's begin small, and have no full stop.
 * @param {string} text
 */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
