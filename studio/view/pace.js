/* Keeps the view fluid where drawing is slow (software rendering, small tablets): while pictures follow each other and
 * take too long, they are drawn with fewer pixels; once nothing moves, one is drawn with all of them. */

const SLOW_MS = 42; /* between pictures, on average */
const STEPS = [1, 0.75, 0.55];
const REST_MS = 260;

export class Pace {
    /** @param {(part: number) => void} setPart draws with this part of the pixels in each direction, from now on */
    constructor(setPart) {
        this.setPart = setPart;
        this.step = 0;
        this.last = 0;
        /** @type {number[]} */
        this.gaps = [];
    }

    /** Called after each picture. */
    drawn() {
        const now = performance.now(), gap = now - this.last;
        this.last = now;
        clearTimeout(this.timer);
        if (this.step) this.timer = setTimeout(() => this.rest(), REST_MS);
        if (gap > 400) {
            this.gaps = [];
            return;
        }
        this.gaps.push(gap);
        if (this.gaps.length < 5) return;
        const mean = this.gaps.reduce((sum, g) => sum + g, 0) / this.gaps.length;
        this.gaps = [];
        if (mean > SLOW_MS && this.step + 1 < STEPS.length) this.go(this.step + 1);
    }

    rest() {
        this.gaps = [];
        this.go(0);
    }

    /** @param {number} step */
    go(step) {
        this.step = step;
        this.setPart(STEPS[step]);
    }
}
