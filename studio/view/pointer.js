/* Pointer, wheel and touch: what is under the cursor, what a press takes hold of, and how the camera moves.
 *
 *   on a part            press and pull: the body follows; Shift: along the ground; wheel: how many joints take part
 *   on a goal or gizmo   pull it
 *   beside everything    orbit; with Shift, the middle or the right button: pan; wheel or two fingers: zoom
 *   click                selects; double click centres; right click or long press asks for a menu
 */
import {GoalHold, PartHold, TurnHold} from './holds.js';
import {localPoint} from './pick.js';
import {ManyHold} from './many_hold.js';
import {toggleTogether} from '../actions/together.js';
import {SWIVEL, SwivelHold} from './swivel.js';

const CLICK = 4; /* pixels that a press may move and still be a click */
const LONG_PRESS_MS = 550;

export class Pointer {
    /** @param {View} view */
    constructor(view) {
        this.view = view;
        /** @type {Map<number, Spot>} */
        this.pressed = new Map();
        /** @type {PointerMode | null} */
        this.mode = null;
        /** @type {(ClientPlace & {altKey: boolean}) | null} where it was last */
        this.last = null;
        const {canvas} = view, on = canvas.addEventListener.bind(canvas);
        canvas.style.touchAction = 'none';
        on('pointerdown', (e) => this.down(e));
        on('pointermove', (e) => this.move(e));
        on('pointerup', (e) => this.up(e, true));
        on('pointercancel', (e) => this.up(e, false));
        on('pointerleave', () => { if (!this.mode) this.setHover(null); });
        on('wheel', (e) => this.wheel(e), {passive: false});
        on('dblclick', (e) => this.center(e));
        on('contextmenu', (e) => e.preventDefault());
    }

    get isHolding() {
        return Boolean(this.mode?.hold);
    }

    /* --- Press, move, let go -------------------------------------------------------------------------------------- */

    /** @param {PointerEvent} event */
    down(event) {
        this.pressed.set(event.pointerId, {x: event.clientX, y: event.clientY});
        this.view.canvas.setPointerCapture?.(event.pointerId);
        if (this.pressed.size === 2) {
            this.letGo(false);
            this.mode = {kind: 'pinch', ...this.pinch()};
            return;
        }
        if (this.pressed.size > 2 || this.mode) return;
        const start = {x: event.clientX, y: event.clientY}, button = event.button;
        this.mode = {start, last: start, button, hasMoved: false, ...this.modeFor(event)};
        if (event.pointerType === 'touch') this.armLongPress(event);
        this.view.stopSteps();
    }

    /**
     * What a press at this place begins.
     * @param {PointerEvent} event
     * @returns {PressKind}
     */
    modeFor(event) {
        const {view} = this;
        if (event.button === 1 || event.button === 2) return {kind: 'pan'};
        if (view.isReadOnly) return {kind: event.shiftKey ? 'pan' : 'orbit'};
        if (view.choices) return {kind: event.shiftKey ? 'pan' : 'orbit', choice: view.choiceAt(event)};
        const shown = /** @type {ShownView} */ (view); /* nothing can be hit where nothing is shown */
        const at = view.localPoint2(event), ray = view.ray(event.clientX, event.clientY);
        const slack = event.pointerType === 'touch' ? 18 : 8;
        const handle = view.gizmo.hit(at, view.project2, slack);
        if (handle === SWIVEL) return {kind: 'gizmo', hold: new SwivelHold(shown, ray)};
        if (handle) return this.gizmoMode(handle, ray);
        const goal = view.goalAt(at, slack + 2);
        if (goal) return this.goalMode(goal, ray);
        const part = view.pickAt(event.clientX, event.clientY, event.pointerType === 'touch' ? 14 : 6);
        if (part) {
            const index = shown.scene.figures[part.figure].firstSegment + part.segment;
            const local = localPoint(shown.frame.matrices, index, part.point);
            return {kind: 'part', part: {...part, local}, hold: new PartHold(shown, {...part, local}, ray)};
        }
        return {kind: event.shiftKey ? 'pan' : 'orbit'};
    }

    /**
     * @param {string} handle @param {Ray} ray
     * @returns {PressKind}
     */
    gizmoMode(handle, ray) {
        const view = /** @type {ShownView} */ (this.view), {back} = view.orbit.axes();
        const {frame, constraint, part, many} = /** @type {GizmoTarget} */ (view.gizmoTarget);
        const follow = view.gizmo.take(handle, frame, ray, back);
        view.gizmo.hover = handle;
        if (many) return {kind: 'gizmo', hold: new ManyHold(view, many, frame, follow)};
        const hold = constraint ? new GoalHold(view, constraint, follow)
            : new TurnHold(view, /** @type {HeldPart} */ (part), follow);
        return {kind: 'gizmo', hold};
    }

    /**
     * @param {GoalHandle} handle @param {Ray} ray
     * @returns {PressKind}
     */
    goalMode({constraint, frame}, ray) {
        const view = /** @type {ShownView} */ (this.view);
        const follow = view.gizmo.take('move screen', frame, ray, view.orbit.axes().back);
        const hold = view.canMove(constraint) ? new GoalHold(view, constraint, follow) : null;
        return {kind: 'goal', constraint, hold};
    }

    /** @param {PointerEvent} event */
    move(event) {
        const known = this.pressed.get(event.pointerId);
        if (known) Object.assign(known, {x: event.clientX, y: event.clientY});
        if (!this.mode) {
            if (event.pointerType !== 'touch') this.hover(event);
            return;
        }
        if (this.mode.kind === 'pinch') {
            this.movePinch();
            return;
        }
        const {mode} = this, dx = event.clientX - mode.last.x, dy = event.clientY - mode.last.y;
        const far = Math.hypot(event.clientX - mode.start.x, event.clientY - mode.start.y);
        if (!mode.hasMoved && far < (event.pointerType === 'touch' ? 2 * CLICK : CLICK)) return;
        mode.hasMoved = true;
        mode.last = {x: event.clientX, y: event.clientY};
        this.disarmLongPress();
        if (mode.hold) {
            this.view.beginHold(mode);
            mode.hold.move(this.view.ray(event.clientX, event.clientY), event);
        } else if (mode.kind === 'pan') {
            this.view.orbit.pan(dx, dy);
        } else if (mode.kind === 'orbit') {
            this.view.orbit.orbit(dx, dy);
        }
    }

    /** @param {PointerEvent} event @param {boolean} commit */
    up(event, commit) {
        this.pressed.delete(event.pointerId);
        this.disarmLongPress();
        if (this.mode?.kind === 'pinch') {
            if (this.pressed.size === 0) this.mode = null;
            return;
        }
        if (!this.mode) return;
        if (commit && !this.mode.hasMoved) this.click(event);
        this.letGo(commit);
    }

    /**
     * Ends what is held: as a step to undo, or as if it had not been.
     * @param {boolean} commit
     */
    letGo(commit) {
        const {mode} = this;
        this.mode = null;
        this.disarmLongPress();
        if (mode?.hold && mode.hasMoved) this.view.endHold(mode, commit);
        this.view.requestDraw();
    }

    /** @param {PointerEvent} event */
    click(event) {
        const {view} = this, mode = /** @type {PressMode} */ (this.mode);
        if (mode.isDone) return;
        if (view.choices) {
            const {choice = -1} = mode;
            if (choice >= 0) view.store.emit('choice', {index: choice, isTaken: true});
            return;
        }
        if (mode.button === 2) view.askMenu(event.clientX, event.clientY);
        else if (mode.kind === 'part' && mode.part) view.selectPart(mode.part);
        else if (mode.constraint && event.shiftKey) toggleTogether(view.store, mode.constraint.name);
        else if (mode.constraint) view.selectGoal(mode.constraint);
        else if (mode.kind === 'orbit' || mode.kind === 'pan') view.selectNothing(event.clientX, event.clientY);
    }

    /** @param {PointerEvent} event */
    armLongPress(event) {
        const {clientX, clientY} = event;
        this.timer = setTimeout(() => {
            if (!this.mode || this.mode.hasMoved || this.mode.kind === 'pinch' || this.view.choices) return;
            this.mode.isDone = true;
            this.view.askMenu(clientX, clientY);
        }, LONG_PRESS_MS);
    }

    disarmLongPress() {
        clearTimeout(this.timer);
    }

    /* --- Two fingers ---------------------------------------------------------------------------------------------- */

    pinch() {
        const [a, b] = [...this.pressed.values()];
        return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y))};
    }

    movePinch() {
        if (this.pressed.size < 2) return;
        const now = this.pinch(), {view} = this, mode = /** @type {PinchMode} */ (this.mode);
        view.orbit.pan(now.x - mode.x, now.y - mode.y);
        view.orbit.zoom(mode.spread / now.spread, view.zoomPoint(now.x, now.y));
        Object.assign(mode, now);
    }

    /* --- Hover, wheel --------------------------------------------------------------------------------------------- */

    /** @param {PointerEvent} event */
    hover(event) {
        this.last = {clientX: event.clientX, clientY: event.clientY, altKey: event.altKey};
        if (this.isHoverDue) return;
        this.isHoverDue = true;
        requestAnimationFrame(() => {
            this.isHoverDue = false;
            if (!this.mode && this.last && this.view.scene) this.setHover(this.last);
        });
    }

    /** @param {ClientPlace | null} at */
    setHover(at) {
        const {view} = this;
        if (view.choices) {
            this.hoverChoice(at);
            return;
        }
        const what = () => `${view.hover?.figure} ${view.hover?.segment} ${view.hoverGoal} ${view.gizmo.hover}`;
        const before = what();
        view.hover = view.hoverGoal = view.gizmo.hover = null;
        if (at && !view.isReadOnly) {
            const local = view.localPoint2(at), handle = view.gizmo.hit(local, view.project2);
            const goal = handle ? null : view.goalAt(local, 9);
            view.gizmo.hover = handle;
            view.hoverGoal = goal?.constraint.name ?? null;
            if (!handle && !goal) view.hover = view.pickAt(at.clientX, at.clientY, 5);
        } else {
            this.last = null;
        }
        view.canvas.style.cursor = view.gizmo.hover || view.hoverGoal ? 'move' : view.hover ? 'grab' : '';
        if (before !== what() || view.hover) view.requestDraw();
    }

    /**
     * The choice under the pointer is the one that is shown.
     * @param {ClientPlace | null} at
     */
    hoverChoice(at) {
        const {view} = this, index = at ? view.choiceAt(at) : -1;
        view.canvas.style.cursor = index >= 0 ? 'pointer' : '';
        if (index >= 0 && index !== view.choices?.at) view.store.emit('choice', {index, isTaken: false});
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        event.preventDefault();
        const {view} = this, held = this.mode?.part ?? (event.altKey ? view.hover : null);
        const amount = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1) || event.deltaX;
        if (held && view.scene) {
            this.changeChain(held, Math.sign(amount));
        } else if (!this.isHolding) {
            view.orbit.zoom(Math.exp(0.0012 * Math.max(-240, Math.min(240, amount))),
                view.zoomPoint(event.clientX, event.clientY));
        }
    }

    /**
     * One joint more (wheel up) or less; all of them are the whole body, 0.
     * @param {PlacedPart} held @param {number} sign
     */
    changeChain(held, sign) {
        const {view} = this, {store} = view, count = view.chainOf(held).length;
        view.showChain(held);
        if (!count) return;
        const now = store.settings.chain > 0 ? Math.min(store.settings.chain, count) : count;
        const next = Math.min(count, Math.max(1, now - sign)), chain = next === count ? 0 : next;
        if (chain === store.settings.chain) return;
        store.change({chain});
        this.mode?.hold?.changeChain?.();
    }

    /** @param {MouseEvent} event */
    center(event) {
        const hit = this.view.pickAt(event.clientX, event.clientY, 5);
        if (hit) this.view.orbit.center(hit.point);
        else this.view.frameAll();
    }
}
