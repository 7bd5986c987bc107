/* Words over the picture: small DOM elements that follow points of the world. They are laid out absolutely in a layer
 * of their own, so nothing on the page moves, and are hidden from screen readers (what matters is said elsewhere). */
import {cssColor} from './theme.js';

const BASE = {
    position: 'absolute', left: '0', top: '0', whiteSpace: 'nowrap', padding: '1px 6px', borderRadius: '4px',
    font: '12px/1.45 system-ui, sans-serif', fontVariantNumeric: 'tabular-nums', pointerEvents: 'none',
    willChange: 'transform',
};

const HIGH = 20;

/**
 * Where a label can be without covering others: beside its point, or a line or two above or below; null: nowhere.
 * @param {Label} label @param {Spot} at @param {number[][]} placed @param {number} width @param {number} height
 */
function freeBox({text, dx, dy, rank}, at, placed, width, height) {
    const wide = 14 + 6.6 * text.length, x = Math.round(Math.min(Math.max(2, at.x + dx), width - wide - 2));
    for (const step of rank <= 2 ? [0, 1, -1, 2, -2, 3] : [0]) {
        const y = Math.round(Math.min(Math.max(2, at.y + dy + step * (HIGH + 2)), height - HIGH - 2));
        const box = [x, y, x + wide, y + HIGH];
        const isFree = placed.every((b) => box[0] >= b[2] || b[0] >= box[2] || box[1] >= b[3] || b[1] >= box[3]);
        if (isFree || rank === 0) return box;
    }
    return null;
}

export class Labels {
    /** @param {HTMLElement} parent an element with a position of its own */
    constructor(parent) {
        this.layer = document.createElement('div');
        Object.assign(this.layer.style, {
            position: 'absolute', inset: '0', overflow: 'hidden', pointerEvents: 'none', contain: 'strict',
        });
        this.layer.setAttribute('aria-hidden', 'true');
        this.layer.className = 'view-labels';
        parent.append(this.layer);
        /** @type {HTMLElement[]} */
        this.pool = [];
        /** @type {Label[]} */
        this.wanted = [];
    }

    clear() {
        this.wanted = [];
    }

    /**
     * @param {Vec} point in the world
     * @param {string} text
     * @param {LabelLook} [look]
     */
    add(point, text, look = {}) {
        this.wanted.push({point, text, rank: 5, dx: 10, dy: -9, ...look});
    }

    /**
     * Puts them on the screen; those that would cover one of a better rank step aside, or are left out.
     * @param {Project} project @param {Theme} theme @param {number} width @param {number} height
     */
    commit(project, theme, width, height) {
        const placed = [], background = theme.isDark ? [0.07, 0.085, 0.1, 0.82] : [1, 1, 1, 0.86];
        let used = 0;
        for (const label of [...this.wanted].sort((a, b) => a.rank - b.rank)) {
            const at = project(label.point);
            if (!at || at.x < -50 || at.y < -20 || at.x > width + 50 || at.y > height + 20) continue;
            const box = freeBox(label, at, placed, width, height);
            if (!box) continue;
            placed.push(box);
            this.show(used++, label, box[0], box[1], label.color ?? theme.text, background);
        }
        for (let i = used; i < this.pool.length; i++) this.pool[i].style.display = 'none';
    }

    /**
     * @param {number} i @param {Label} label @param {number} x @param {number} y @param {Rgba} color
     * @param {Rgba} background
     */
    show(i, label, x, y, color, background) {
        let element = this.pool[i];
        if (!element) {
            element = document.createElement('div');
            Object.assign(element.style, BASE);
            this.layer.append(element);
            this.pool.push(element);
        }
        if (element.textContent !== label.text) element.textContent = label.text;
        Object.assign(element.style, {
            display: '', transform: `translate(${x}px, ${y}px)`, color: cssColor(color),
            background: cssColor(background),
            fontWeight: label.strong ? '600' : '400',
        });
    }
}

/**
 * "right_upper_arm" as people say it: "right upper arm".
 * @param {string} name
 */
export const plainName = (name) => name.replace(/^mixamorig:?/, '').replace(/_/g, ' ');

/**
 * Metres for people: "38 mm", "12.4 cm", "1.20 m".
 * @param {number} metres
 */
export function lengthText(metres) {
    const size = Math.abs(metres);
    if (size < 0.0995) return `${(1000 * metres).toFixed(size < 0.00995 ? 1 : 0)} mm`;
    return size < 0.995 ? `${(100 * metres).toFixed(1)} cm` : `${metres.toFixed(2)} m`;
}

/**
 * Radians as degrees: "12.4°".
 * @param {number} radians
 */
export const angleText = (radians) => `${(radians * 180 / Math.PI).toFixed(Math.abs(radians) < 0.1745 ? 1 : 0)}°`;
