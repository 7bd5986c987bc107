/* The way of points through a motion: curves with a dot for each frame, and a large one for the present time. */
import {DISC, RING} from './strokes.js';
import {fade} from './theme.js';

/** @type {ColorName[]} */
const COLORS = ['accent', 'unmet', 'met', 'warn', 'axisX', 'axisZ'];
/** @param {Vec | null} point @returns {point is Vec} */
const isThere = (point) => point !== null && Number.isFinite(point[0]);

/**
 * @param {Drawing} d @param {ShownTrails | null} shown
 */
export function drawTrails(d, shown) {
    if (!shown) return;
    const {times} = shown, {time} = d.frame;
    const now = time === undefined ? -1 : times.reduce((best, t,
        k) => (Math.abs(t - time) < Math.abs(times[best] - time) ? k : best), 0);
    for (const [k, {name, points}] of shown.trails.entries()) {
        const color = d.theme[COLORS[k % COLORS.length]];
        let run = [];
        for (const point of [...points, null]) {
            if (point && isThere(point)) run.push(point);
            else {
                if (run.length > 1) d.painter.polyline(run, fade(color, 0.85), 2.2);
                run = [];
            }
        }
        for (const point of points) if (isThere(point)) d.painter.dot(point, color, 5, DISC);
        const here = points[now], label = here ?? points.find(isThere);
        if (here && isThere(here)) d.painter.over(() => d.painter.dot(here, color, 15, RING));
        if (label && isThere(label)) d.labels.add(label, name, {rank: 2, dy: -20, color});
    }
}
