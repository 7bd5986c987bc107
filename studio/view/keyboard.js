/* The view without a pointer: arrow keys move the selected part, others the camera; what came of it is said aloud.
 *
 *   arrows               the selected part 1 cm left, right, up, down on the screen (with Shift 10 cm)
 *   PageUp, PageDown     the same away from and towards the viewer
 *   Ctrl + arrows        orbit          + and -              zoom
 *   Shift + 1, 3, 7      front, side, top (also on the number pad, without Shift)
 *   Menu, Shift + F10    the menu of goals for the selected part
 *   Escape               lets go of what is held, as if it had not been
 */
import {StepHold} from './holds.js';
import {lengthText, plainName} from './labels.js';
import {normalize, scale} from './vec.js';

const PAUSE_MS = 700;
const VIEWS = {Digit1: 'front', Digit3: 'right', Digit7: 'top', Numpad1: 'front', Numpad3: 'right', Numpad7: 'top'};

export class Keyboard {
    constructor(view, parent) {
        this.view = view;
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

    key(event) {
        if (this.act(event)) {
            event.preventDefault();
            event.stopPropagation();
        } else if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) {
            this.finish(); /* a command: what was moved so far comes before it */
        }
    }

    /** Returns whether the key was one of ours. */
    act(event) {
        const {view} = this, {orbit} = view;
        if (event.key === 'Escape') return this.escape();
        if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && view.pointer.isHolding) {
            return this.escape();
        }
        if (!this.isStep(event)) this.finish(); /* what follows comes after the steps */
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return this.menu();
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
        const [x, y] = view.toScreen(new StepHold(view, part).wanted) ?? [0, 0];
        view.store.emit('menu', {x, y, picked: view.store.picked});
        return true;
    }

    turnCamera(key) {
        const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
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

    /** Directions of the screen, the upright ones kept upright in the world. */
    direction(key) {
        const {right, up, back} = this.view.orbit.axes(), isSteep = Math.abs(back[2]) > 0.9;
        const level = normalize([right[0], right[1], 0]), away = normalize([-back[0], -back[1], 0]);
        const directions = {
            ArrowLeft: scale(level, -1), ArrowRight: level, ArrowUp: isSteep ? up : [0, 0, 1],
            ArrowDown: isSteep ? scale(up, -1) : [0, 0, -1], PageUp: isSteep ? scale(back, -1) : away,
            PageDown: isSteep ? back : scale(away, -1),
        };
        return directions[key] ?? null;
    }

    isStep(event) {
        const {key, ctrlKey, altKey, metaKey} = event;
        return key === 'Shift' || (!ctrlKey && !altKey && !metaKey && this.direction(key) !== null);
    }

    stepPart(event) {
        const direction = this.direction(event.key), part = direction && this.view.selectedPart();
        if (!part) return false;
        if (!this.hold || this.hold.part.figure !== part.figure || this.hold.part.segment !== part.segment) {
            this.finish();
            this.hold = new StepHold(this.view, part);
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

    say(text) {
        this.said.textContent = text;
    }

    /** What the selection is, for those who do not see it. */
    describe(selection) {
        if (!selection) return;
        this.say(`${selection.kind === 'segment' ? '' : `${selection.kind} `}${plainName(selection.name)} selected`);
    }
}
