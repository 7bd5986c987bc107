/* The view without a pointer: arrow keys move the selected part, others the camera; what came of it is said aloud.
 *
 *   arrows               the selected part 1 cm left, right, up, down on the screen (with Shift 10 cm)
 *   PageUp, PageDown     the same away from and towards the viewer
 *   Alt + left, right    the elbow or knee of the selected limb goes round, its hand or foot stays
 *   Ctrl + arrows        orbit          + and -              zoom
 *   Shift + 1, 3, 7      front, side, top (also on the number pad, without Shift)
 *   Menu, Shift + F10    the menu of goals for the selected part
 *   Escape               lets go of what is held, as if it had not been
 */
import {StepHold} from './holds.js';
import {lengthText, plainName} from './labels.js';
import {swivelOf, swivelTo} from './swivel.js';
import {scale, unit} from '../math/vector.js';

const PAUSE_MS = 700;
const STEP_TURN = 5 * Math.PI / 180;
/** @type {Record<string, string>} */
const VIEWS = {Digit1: 'front', Digit3: 'right', Digit7: 'top', Numpad1: 'front', Numpad3: 'right', Numpad7: 'top'};

export class Keyboard {
    /** @param {View} view @param {HTMLElement} parent */
    constructor(view, parent) {
        this.view = view;
        /** @type {StepHold | null} the steps that are under way */
        this.hold = null;
        this.said = document.createElement('div');
        this.said.setAttribute('role', 'status');
        this.said.setAttribute('aria-live', 'polite');
        Object.assign(this.said.style, {
            position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)',
            whiteSpace: 'nowrap',
        });
        this.said.className = 'view-said';
        parent.append(this.said);
        view.canvas.addEventListener('keydown', (event) => this.key(event));
        view.canvas.addEventListener('blur', () => this.finish());
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (this.act(event)) {
            event.preventDefault();
            event.stopPropagation();
        } else if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) {
            this.finish(); /* a command: what was moved so far comes before it */
        }
    }

    /**
     * Returns whether the key was one of ours.
     * @param {KeyboardEvent} event
     */
    act(event) {
        const {view} = this, {orbit} = view;
        if (event.key === 'Escape') return this.escape();
        if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && view.pointer.isHolding) {
            return this.escape();
        }
        if (!this.isStep(event)) this.finish(); /* what follows comes after the steps */
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return this.menu();
        if (event.altKey && /^Arrow(Left|Right)$/.test(event.key)) return this.swivel(event.key === 'ArrowLeft' ? -1
            : 1);
        if (event.altKey || event.metaKey || !view.scene) return false;
        const isPad = event.code.startsWith('Numpad');
        if (VIEWS[event.code] && !event.ctrlKey && (isPad || event.shiftKey)) {
            orbit.look(VIEWS[event.code]);
            return true;
        }
        if (event.ctrlKey) return this.turnCamera(event.key);
        if (event.key === '+' || event.key === '=') orbit.zoom(0.9);
        else if (event.key === '-' && !event.shiftKey) orbit.zoom(1.1);
        else return this.stepPart(event);
        return true;
    }

    /** The menu of the selected part, where the part is. */
    menu() {
        const {view} = this, part = view.scene && view.selectedPart();
        if (!part) return false;
        const [x, y] = view.toScreen(new StepHold(/** @type {ShownView} */ (view), part).wanted) ?? [0, 0];
        view.store.emit('menu', {x, y, picked: view.store.picked});
        return true;
    }

    /**
     * The elbow or knee of the selected limb goes round by 5 degrees; hand or foot stay.
     * @param {number} way
     */
    swivel(way) {
        const found = swivelOf(this.view);
        if (!found || this.view.isReadOnly) return false;
        swivelTo(this.view.store, found.circle.angle + way * STEP_TURN).then((told) => told &&
            this.say(`${plainName(told.name)} at ${(told.angle * 180 / Math.PI).toFixed(0)} degrees`));
        return true;
    }

    /** @param {string} key */
    turnCamera(key) {
        /** @type {Record<string, number[]>} */
        const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}, way = ways[key];
        if (way) this.view.orbit.orbit(18 * way[0], 18 * way[1]);
        return Boolean(way);
    }

    escape() {
        if (this.hold) {
            this.finish(false);
        } else if (this.view.pointer.mode) {
            this.view.pointer.letGo(false);
        } else {
            return false;
        }
        return true;
    }

    /**
     * Directions of the screen, the upright ones kept upright in the world.
     * @param {string} key
     */
    direction(key) {
        const {right, up, back} = this.view.orbit.axes(), isSteep = Math.abs(back[2]) > 0.9;
        const level = unit([right[0], right[1], 0]), away = unit([-back[0], -back[1], 0]);
        /** @type {Record<string, Vec>} */
        const directions = {
            ArrowLeft: scale(level, -1), ArrowRight: level, ArrowUp: isSteep ? up : [0, 0, 1],
            ArrowDown: isSteep ? scale(up, -1) : [0, 0, -1], PageUp: isSteep ? scale(back, -1) : away,
            PageDown: isSteep ? back : scale(away, -1),
        };
        return directions[key] ?? null;
    }

    /** @param {KeyboardEvent} event */
    isStep(event) {
        const {key, ctrlKey, altKey, metaKey} = event;
        return key === 'Shift' || (!ctrlKey && !altKey && !metaKey && this.direction(key) !== null);
    }

    /** @param {KeyboardEvent} event */
    stepPart(event) {
        const direction = this.direction(event.key), part = direction && this.view.selectedPart();
        if (!part || this.view.isReadOnly) return false;
        if (!this.hold || this.hold.part.figure !== part.figure || this.hold.part.segment !== part.segment) {
            this.finish();
            this.hold = new StepHold(/** @type {ShownView} */ (this.view), part);
        }
        this.hold.step(direction, event.shiftKey ? 0.1 : 0.01);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.finish(), PAUSE_MS);
        return true;
    }

    /** Ends the steps that are under way and says where they led. */
    finish(commit = true) {
        clearTimeout(this.timer);
        const {hold} = this;
        this.hold = null;
        if (!hold) return;
        hold.end(commit).then(() => {
            const off = hold.shortfall > 1e-3 * this.view.size ? `; ${lengthText(hold.shortfall)} out of reach` : '';
            this.say(commit ? `${hold.name} moved${off}` : `${hold.name} as before`);
        });
    }

    /** @param {string} text */
    say(text) {
        this.said.textContent = text;
    }

    /**
     * What the selection is, for those who do not see it.
     * @param {Selected | null} selection
     */
    describe(selection) {
        if (!selection) return;
        this.say(`${selection.kind === 'segment' ? '' : `${selection.kind} `}${plainName(selection.name)} selected`);
    }
}
