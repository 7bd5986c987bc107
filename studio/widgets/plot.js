// A plot of curves over a common axis, in SVG: live, in both themes (colours are CSS's), read by pointer or arrow keys.

import {fitAxis, indexAt, place, tickText, ticks, valueAt, valueText} from './plot_scale.js';

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = {left: 58, right: 16, top: 10, bottom: 34};
export const COLORS = 8; // classes plot-0 to plot-7 of timeline.css

/**
 * An SVG element.
 * @param {string} tag @param {Record<string, any>} attributes @param {...(Node | string)} children
 */
function shape(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/**
 * A tick's number, or an axis's label.
 * @param {string} what @param {number} x @param {number} y @param {string} anchor @param {string} text
 */
const words = (what, x, y, anchor, text) => shape('text', {class: `plot-${what}`, x, y, 'text-anchor': anchor}, text);

/**
 * The points of a curve as a path, each pixel column once: long runs have far more iterations than there is room.
 * @param {Series} series @param {(value: number) => number} x @param {(value: number) => number} y
 */
function pathOf(series, x, y) {
    let path = '', lastX = -Infinity, lastY = NaN;
    for (let i = 0; i < series.x.length; i++) {
        const px = x(series.x[i]), py = y(series.y[i]);
        const isLast = i === series.x.length - 1;
        const isNear = px - lastX < 0.4 && Math.abs(py - lastY) < 0.4;
        if (!Number.isFinite(px) || !Number.isFinite(py) || (isNear && !isLast)) continue;
        path += `${path ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`;
        [lastX, lastY] = [px, py];
    }
    return path;
}

/**
 * @typedef {{label: string, index: number, x: number[], y: number[]}} Series index: which colour
 */
export class Plot {
    /**
     * @param {HTMLElement} element takes its width; its height is the style's
     * @param {{label: string, yLabel?: string}} options
     */
    constructor(element, {label, yLabel = 'Objective'}) {
        this.element = element;
        this.yLabel = yLabel;
        this.series = /** @type {Series[]} */ ([]);
        this.xLabel = 'Iteration';
        /** @type {number | null} */
        this.cursor = null;
        this.isLogX = false;
        /** @type {number | null} */
        this.pending = null;
        this.box = {left: 0, right: 0, top: 0, bottom: 0}; // once it is drawn
        this.axisX = fitAxis([], false);
        this.axisY = fitAxis([], true);
        /** @type {Element | null} */
        this.marks = null;
        element.classList.add('plot');
        this.svg = shape('svg', {role: 'img', 'aria-label': label, tabindex: '0'});
        this.readout = document.createElement('div');
        this.readout.className = 'plot-readout';
        this.readout.setAttribute('role', 'status');
        this.readout.hidden = true;
        element.append(this.svg, this.readout);
        this.svg.addEventListener('pointermove', (event) => this.point(/** @type {PointerEvent} */ (event)));
        this.svg.addEventListener('pointerleave', () => this.read(null));
        this.svg.addEventListener('blur', () => this.read(null));
        this.svg.addEventListener('keydown', (event) => this.step(/** @type {KeyboardEvent} */ (event)));
        new ResizeObserver(() => this.draw()).observe(element);
    }

    /**
     * Shows these curves from the next frame on.
     * @param {Series[]} series @param {string} xLabel
     */
    show(series, xLabel, {isLogX = false} = {}) {
        this.series = series;
        this.xLabel = xLabel;
        this.isLogX = isLogX;
        this.draw();
    }

    /** Draws in the next animation frame; many calls are one. */
    draw() {
        this.pending ??= requestAnimationFrame(() => {
            this.pending = null;
            this.drawNow();
        });
    }

    drawNow() {
        const width = this.element.clientWidth, height = this.element.clientHeight;
        if (width < 80 || height < 60) return;
        this.box = {left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom};
        this.axisX = fitAxis(this.series.flatMap((one) => one.x), this.isLogX);
        this.axisY = fitAxis(this.series.flatMap((one) => one.y), true);
        this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
        this.svg.replaceChildren(...this.drawAxes(), ...this.series.map((one) => this.drawCurve(one)));
        this.marks = shape('g', {class: 'plot-marks'});
        this.svg.append(this.marks);
        this.read(this.cursor);
    }

    /** @param {number} value */
    toX(value) {
        return this.box.left + place(this.axisX, value) * (this.box.right - this.box.left);
    }

    /** @param {number} value */
    toY(value) {
        return this.box.bottom - place(this.axisY, value) * (this.box.bottom - this.box.top);
    }

    drawAxes() {
        const {left, right, top, bottom} = this.box, parts = [];
        for (const value of ticks(this.axisY, 5)) {
            const y = this.toY(value);
            parts.push(shape('line', {class: 'plot-grid', x1: left, x2: right, y1: y, y2: y}),
                words('tick', left - 6, y + 4, 'end', tickText(this.axisY, value)));
        }
        for (const value of ticks(this.axisX, 5)) {
            const x = this.toX(value);
            parts.push(shape('line', {class: 'plot-grid', x1: x, x2: x, y1: top, y2: bottom}),
                words('tick', x, bottom + 14, 'middle', tickText(this.axisX, value)));
        }
        parts.push(
            shape('line', {class: 'plot-axis', x1: left, x2: right, y1: bottom, y2: bottom}),
            shape('line', {class: 'plot-axis', x1: left, x2: left, y1: top, y2: bottom}),
            words('label', (left + right) / 2, bottom + 29, 'middle', this.xLabel),
            shape('text', {class: 'plot-label', 'text-anchor': 'middle',
                transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)`}, this.yLabel));
        return parts;
    }

    /** @param {Series} series */
    drawCurve(series) {
        const path = pathOf(series, (value) => this.toX(value), (value) => this.toY(value));
        const last = series.x.length - 1, color = `plot-${series.index % COLORS}`;
        return shape('g', {class: `plot-curve ${color}`}, shape('path', {d: path}),
            shape('circle', {cx: this.toX(series.x[last]), cy: this.toY(series.y[last]), r: 3}));
    }

    /**
     * The pointer is somewhere: its x is read.
     * @param {PointerEvent} event
     */
    point(event) {
        if (!this.marks || !this.series.length) return;
        const bounds = this.svg.getBoundingClientRect();
        const where = (event.clientX - bounds.left - this.box.left) / (this.box.right - this.box.left);
        this.read(where < -0.03 || where > 1.03 ? null : valueAt(this.axisX, Math.min(1, Math.max(0, where))));
    }

    /**
     * Arrow keys read on: by one iteration, or by a hundredth of what is shown.
     * @param {KeyboardEvent} event
     */
    step(event) {
        /** @type {Record<string, number>} */
        const ways = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity}, way = ways[event.key];
        if (!way || !this.series.length || !this.marks) return;
        event.preventDefault();
        const low = valueAt(this.axisX, 0), high = valueAt(this.axisX, 1);
        const step = this.xLabel === 'Iteration' ? 1 : (high - low) / 100;
        const next = way === -Infinity ? low : way === Infinity ? high : (this.cursor ?? low) + way * step;
        this.read(Math.min(high, Math.max(low, next)));
    }

    /**
     * Says what all curves have at x; null: nothing.
     * @param {number | null} x
     */
    read(x) {
        this.cursor = x;
        this.readout.hidden = x === null;
        this.marks?.replaceChildren();
        if (x === null || !this.marks) return;
        const px = this.toX(x);
        this.marks.append(shape('line', {class: 'plot-cursor', x1: px, x2: px, y1: this.box.top, y2: this.box.bottom}));
        const head = document.createElement('b');
        head.textContent = `${this.xLabel} ${this.xLabel === 'Iteration' ? Math.round(x) : valueText(x)}`;
        this.readout.replaceChildren(head, ...this.series.map((series) => this.readSeries(series, x)));
        const isRight = px > (this.box.left + this.box.right) / 2;
        this.readout.classList.toggle('is-left', isRight);
    }

    /** @param {Series} series @param {number} x */
    readSeries(series, x) {
        const at = indexAt(series.x, x + 1e-9), line = document.createElement('div');
        this.marks?.append(shape('circle', {class: `plot-${series.index % COLORS}`, cx: this.toX(series.x[at]),
            cy: this.toY(series.y[at]), r: 3.5}));
        const swatch = document.createElement('i'), name = document.createElement('span');
        swatch.className = `plot-swatch plot-${series.index % COLORS}`;
        name.textContent = series.label;
        line.append(swatch, name, valueText(series.y[at]));
        return line;
    }
}
