/* The swivel handle: a ring about the line from shoulder to wrist, or from hip to ankle, with a grip beside the elbow
 * or
 * knee of the picked limb. Pulled, it turns the limb, and hand or foot stay where they are. */
import {circleOf, limbOf, onCircle} from '../document/limb.js';
import {along, cross, dot, rotateAbout, subtract, unit} from '../math/vector.js';
import {meetPlane} from './gizmo.js';
import {Hold} from './holds.js';
import {plainName} from './labels.js';
import {DISC} from './strokes.js';
import {fade} from './theme.js';

export const SWIVEL = 'swivel';
const GRIP = 30; /* pixels from the hinge to the grip */
const ARC = 1.1; /* radians of the ring to either side that are seen */
const LEAST = 0.08; /* of the upper bone's length: a straighter limb has no handle */

/**
 * The limb of the picked part with its circle; null where there is none, or it is straight.
 * @param {View} view
 */
export function swivelOf(view) {
    const part = view.scene && view.frame && view.selectedPart();
    if (!view.scene || !view.frame || !part || view.store.selection?.kind === 'constraint') return null;
    const limb = limbOf(view.scene, view.frame.matrices, part);
    if (!limb) return null;
    const circle = circleOf(limb), long = Math.hypot(...subtract(limb.middle, limb.base));
    return circle.radius < LEAST * long ? null : {part, limb, circle};
}

/**
 * Draws it, and lets the gizmo know of it.
 * @param {Drawing} d @param {View} view
 */
export function drawSwivel(d, view) {
    const {mode} = view.pointer, isHeld = mode?.hold instanceof SwivelHold && mode.hasMoved;
    view.swivel = null;
    if (view.isReadOnly || view.isPlain || view.isPicture || (mode?.hasMoved && mode.hold && !isHeld)) return;
    const found = swivelOf(view);
    if (!found) return;
    const {circle, limb} = found, {gizmo} = view, reach = circle.radius + GRIP * d.pixel(limb.middle);
    /** @param {number} angle */
    const at = (angle) => along(circle.center, reach, rotateAbout(circle.axis, angle, circle.out));
    const isBright = gizmo.hover === SWIVEL || isHeld, color = isBright ? d.theme.warn : d.theme.accent;
    const ring = Array.from({length: 33}, (_, k) => at(ARC * (k / 16 - 1)));
    d.painter.over(() => {
        d.painter.polyline(ring, fade(color, 0.75), isBright ? 3 : 2);
        d.painter.line(limb.middle, at(0), fade(color, 0.6), 1.5);
        d.painter.dot(at(0), color, 15, DISC);
    });
    gizmo.strokes.push({name: SWIVEL, points: [at(0), at(0)]});
    if (isBright) d.labels.add(at(0), `${plainName(limb.name)} ${(circle.angle * 180 / Math.PI).toFixed(0)}°`, {rank: 0,
        dy: -22});
    view.swivel = found;
}

/** The grip on the end of the pointer. */
export class SwivelHold extends Hold {
    /** @param {ShownView} view @param {Ray} ray */
    constructor(view, ray) {
        super(view);
        const {part, limb, circle} = /** @type {Swivel} */ (view.swivel);
        this.part = part;
        this.limb = limb;
        this.circle = circle;
        /** @type {Hold['moveMethod']} */
        this.moveMethod = 'swivel';
        this.before = Float64Array.from(view.frame.pose);
        this.first = this.angleAt(ray);
    }

    get label() {
        return `Swivel ${plainName(this.limb.name)}`;
    }

    take() {}

    /**
     * The angle about the limb's line at which a ray passes; seen from the side, by how far it goes across.
     * @param {Ray} ray
     */
    angleAt(ray) {
        const {axis, center, radius, zero, angle} = this.circle, {back} = this.view.orbit.axes();
        const isFlat = Math.abs(dot(axis, back)) < 0.2;
        if (!isFlat) {
            const hit = meetPlane(ray, center, axis), to = hit && unit(subtract(hit, center));
            return to ? Math.atan2(dot(axis, cross(zero, to)), dot(zero, to)) : angle;
        }
        const hit = meetPlane(ray, center, back), side = unit(cross(axis, back));
        const isFront = dot(onCircle(this.circle, angle).map((v, k) => v - center[k]), back) >= 0;
        return hit ? (isFront ? 1 : -1) * dot(subtract(hit, center), side) / Math.max(radius, 0.05) : angle;
    }

    /** @param {Ray} ray */
    move(ray) {
        const {figure, segment} = this.part, by = this.angleAt(ray) - this.first;
        const angle = this.circle.angle + Math.atan2(Math.sin(by), Math.cos(by));
        this.send({figure, segment, angle});
    }

    /** @param {boolean} commit */
    async end(commit) {
        if (!this.close()) return;
        if (!this.target) return;
        const {store} = this.view, {target, before} = this;
        if (!commit) {
            await store.inTurn(async () => Boolean(await this.view.ask('pose', {values: before})));
            return;
        }
        await store.setPose(async () => (await this.view.client.call('swivel', target)).pose, this.label);
    }
}

/**
 * Turns the picked limb to an angle: one step to undo. Answers where it is, or null where it has none.
 * @param {Store} store @param {number} angle
 */
export async function swivelTo(store, angle) {
    const {view} = store, found = view && swivelOf(view);
    if (!found) {
        store.message('info', 'Pick a part of a bent arm or leg first: then its elbow or knee can be turned.');
        return null;
    }
    const {figure, segment} = found.part;
    let told = /** @type {EngineAnswers['swivel']['swivel'] | null} */ (null);
    await store.setPose(async () => {
        const frame = await store.client.call('swivel', {figure, segment, angle});
        told = frame.swivel;
        return frame.pose;
    }, `Swivel ${plainName(found.limb.name)}`, {merge: `swivel ${figure} ${found.limb.name}`});
    return told;
}
