/* The camera: it looks at a target from a distance, an azimuth and an elevation (z is up; azimuth 0 looks at a figure's
 * face, from +x). Moves that the user did not make by hand are eased, unless the system asks for less motion. */
import * as THREE from './three.js';
import {clamp, cross, dot} from '../math/vector.js';

const FIELD = 28 * Math.PI / 180;
const LIMIT = Math.PI / 2 - 1e-3;
const EASE_MS = 260;

/** @type {Record<string, number[]>} azimuth and elevation */
const VIEWS = {
    front: [0, 0.05], back: [Math.PI, 0.05], right: [-Math.PI / 2, 0.05], left: [Math.PI / 2, 0.05],
    top: [0, LIMIT], start: [-0.6, 0.2],
};

export class OrbitCamera {
    /** @param {() => void} onChange called when a picture is due; @param {() => void} onHand when somebody moved it */
    constructor(onChange, onHand = () => {}) {
        this.onHand = onHand;
        this.camera = new THREE.PerspectiveCamera(FIELD * 180 / Math.PI, 1, 0.01, 100);
        this.camera.up.set(0, 0, 1);
        this.onChange = onChange;
        this.size = 1.8;
        /** @type {CameraState | null} where it is on its way to */
        this.goal = null;
        /** @type {CameraState} */
        this.state = {target: [0, 0, 0.9], distance: 4.6, azimuth: VIEWS.start[0], elevation: VIEWS.start[1]};
        this.place();
    }

    place() {
        const {target, distance, azimuth, elevation} = this.state, c = Math.cos(elevation);
        this.camera.position.set(target[0] + distance * c * Math.cos(azimuth),
            target[1] + distance * c * Math.sin(azimuth), target[2] + distance * Math.sin(elevation));
        this.camera.near = Math.max(0.004 * distance, 1e-3);
        this.camera.far = distance + 12 * Math.max(this.size, distance);
        this.camera.lookAt(target[0], target[1], target[2]);
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
    }

    /** @param {number} width @param {number} height */
    setSize(width, height) {
        this.height = height;
        this.camera.aspect = width / Math.max(1, height);
        this.place();
    }

    /** Metres that a pixel stands for at a distance from the camera. */
    pixel(distance = this.state.distance) {
        return 2 * distance * Math.tan(FIELD / 2) / Math.max(1, /** @type {number} */ (this.height));
    }

    /** Unit vectors of the screen in the world: right, up, and towards the viewer. */
    axes() {
        const m = this.camera.matrixWorld.elements;
        return {right: [m[0], m[1], m[2]], up: [m[4], m[5], m[6]], back: [m[8], m[9], m[10]]};
    }

    /** @param {number} dx @param {number} dy */
    orbit(dx, dy) {
        this.stop();
        this.state.azimuth -= 0.008 * dx;
        this.state.elevation = clamp(this.state.elevation + 0.008 * dy, -LIMIT, LIMIT);
        this.changed();
    }

    /** @param {number} dx @param {number} dy */
    pan(dx, dy) {
        this.stop();
        const {right, up} = this.axes(), k = this.pixel();
        this.state.target = this.state.target.map((v, i) => v - k * dx * right[i] + k * dy * up[i]);
        this.changed();
    }

    /**
     * Nearer (factor < 1) or farther, keeping the world point `about` where it is on the screen.
     * @param {number} factor @param {Vec | null} [about]
     */
    zoom(factor, about = null) {
        this.stop();
        const distance = clamp(this.state.distance * factor, 0.03 * this.size, 20 * this.size);
        const done = distance / this.state.distance;
        if (about) this.state.target = this.state.target.map((v, i) => about[i] + (v - about[i]) * done);
        this.state.distance = distance;
        this.changed();
    }

    /**
     * Goes along with what it looks at.
     * @param {Vec} by
     */
    shift(by) {
        for (const state of [this.state, this.from, this.goal]) {
            if (state) state.target = state.target.map((v, i) => v + by[i]);
        }
        this.place();
        this.onChange();
    }

    changed() {
        this.onHand();
        this.place();
        this.onChange();
    }

    /** What of the picture, in pixels, something else lies over: what is fitted stays clear of it. */
    setInsets({top = 0, bottom = 0, left = 0} = {}) {
        this.insets = {top, bottom, left};
    }

    /**
     * Shows all of some balls, from where the camera looks (or is on its way to look).
     * @param {{center: number[], radius: number}[]} balls
     * @param {number} size of what is looked at, for how near and far the camera may go
     */
    fit(balls, size = this.size, margin = 1.1) {
        this.size = size;
        const {azimuth, elevation} = this.goal ?? this.state;
        const back = [Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth),
            Math.sin(elevation)];
        const right = [-Math.sin(azimuth), Math.cos(azimuth), 0], up = cross(back, right);
        const {top = 0, bottom = 0, left = 0} = this.insets ?? {};
        const {height = 1} = this, width = height * this.camera.aspect, slope = Math.tan(FIELD / 2) / margin;
        const tall = slope * Math.max(0.3, 1 - (top + bottom) / height);
        const wide = slope * this.camera.aspect * Math.max(0.3, 1 - left / width);
        const seen = balls.map(({center, radius}) =>
            ({x: dot(center, right), y: dot(center, up), z: dot(center, back), r: radius}));
        /** @param {'x' | 'y' | 'z'} k */
        const middle = (k) => (Math.min(...seen.map((s) => s[k] - s.r)) + Math.max(...seen.map((s) => s[k] + s.r))) / 2;
        const [x, y, z] = [middle('x'), middle('y'), middle('z')];
        const distance = Math.max(...seen.map((s) => s.z - z
            + Math.max((Math.abs(s.x - x) + s.r) / wide, (Math.abs(s.y - y) + s.r) / tall)));
        const aside = this.pixel(distance) * left / 2, above = this.pixel(distance) * (top - bottom) / 2;
        const target = [0, 1, 2].map((i) => (x - aside) * right[i] + (y + above) * up[i] + z * back[i]);
        if (Number.isFinite(distance)) this.ease({target, distance: Math.max(distance, 1e-3)});
    }

    /**
     * front, back, left, right, top or start.
     * @param {string} name
     */
    look(name) {
        const [azimuth, elevation] = VIEWS[name] ?? VIEWS.start;
        const turns = Math.round((this.state.azimuth - azimuth) / (2 * Math.PI));
        this.ease({azimuth: azimuth + 2 * Math.PI * turns, elevation});
    }

    /** @param {Vec} point */
    center(point) {
        this.ease({target: [...point]});
    }

    /** @returns {CameraState} */
    get() {
        return {...(this.goal ?? this.state), target: [...(this.goal ?? this.state).target]};
    }

    /** @param {CameraState} state */
    set(state) {
        const ok = state && Array.isArray(state.target) && state.target.length === 3
            && [...state.target, state.distance, state.azimuth, state.elevation].every(Number.isFinite);
        if (!ok) return;
        this.stop();
        this.state = {target: [...state.target], distance: Math.max(1e-3, state.distance), azimuth: state.azimuth,
            elevation: clamp(state.elevation, -LIMIT, LIMIT)};
        this.place();
        this.onChange();
    }

    stop() {
        this.goal = null;
    }

    /**
     * Goes to another state smoothly; the view calls step() before each picture.
     * @param {Partial<CameraState>} change
     */
    ease(change) {
        const goal = {...this.get(), ...change};
        if (this.isFirst !== false || matchMedia('(prefers-reduced-motion: reduce)').matches) {
            this.isFirst = false;
            this.set(goal);
            return;
        }
        /** @type {CameraState | undefined} */
        this.from = {...this.state, target: [...this.state.target]};
        this.goal = goal;
        this.startTime = performance.now();
        this.onChange();
    }

    /** Returns whether it still moves. */
    step() {
        if (!this.goal) return false;
        const {from, goal, startTime} = /** @type {{from: CameraState, goal: CameraState, startTime: number}} */ (this);
        const t = clamp((performance.now() - startTime) / EASE_MS, 0, 1), s = t * t * (3 - 2 * t);
        /** @param {number} a @param {number} b */
        const between = (a, b) => a + (b - a) * s;
        this.state = {
            target: from.target.map((v, i) => between(v, goal.target[i])),
            distance: from.distance * (goal.distance / from.distance) ** s,
            azimuth: between(from.azimuth, goal.azimuth), elevation: between(from.elevation, goal.elevation),
        };
        if (t >= 1) this.goal = null;
        this.place();
        return t < 1;
    }
}
