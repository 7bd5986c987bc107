/* Pictures with words: the view as a PNG, with the names of parts and goals and the sizes of figures written into it,
 * as
 * chosen. Words keep clear of each other, and a thin line leads from each to what it is about. */
import {plainName} from './labels.js';
import {partOutline} from './pick.js';
import {takePicture} from './picture.js';
import {cssColor} from './theme.js';
import {segmentMatrix} from '../math/vector.js';

/** @typedef {{text: string, at: Spot, color: Rgba, rank: number}} Word */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {Word & {box: Box}} PlacedWord */
/** @typedef {{from: Spot, to: Spot, text: string}} Measurement */

const SMALL = 0.045; // of the figure's size: smaller parts (fingers) are named only where they are picked
const CENTIMETRE = 0.01;
const MANY = 4; // joints that a group moves together, as a spine's: they have one name

export const WORDS = /** @type {const} */ (['parts', 'goals', 'sizes']);

/** A length as a drawing has it: 1.75 m, 42 cm. */
export function sizeText(/** @type {number} */ metres) {
    return metres >= 1 ? `${metres.toFixed(2)} m` : `${(metres / CENTIMETRE).toFixed(metres < 0.1 ? 1 : 0)} cm`;
}

/**
 * Low and high corners of a figure.
 * @param {ShownView} view @param {number} f
 */
function cornersOf(view, f) {
    const balls = view.picker.parts.filter(({figure}) => figure === f)
        .flatMap((part) => partOutline(part, segmentMatrix(view.frame.matrices, part.index)))
        .filter(({center}) => center.every(Number.isFinite));
    if (!balls.length) return null;
    /** @param {number} sign */
    const side = (sign) => [0, 1, 2].map((i) => sign * Math.max(...balls.map(({center, radius}) => sign * center[i]
        + radius)));
    return {low: side(-1), high: side(1)};
}

/**
 * The name of a part; of many that a group moves together the middle one has the group's, the others none.
 * @param {SceneFigure} figure @param {number} segment
 */
function nameOf({groups = [], joints, segments}, segment) {
    const joint = joints[segments[segment].joint]?.name, group = groups.find((one) => one.joints.length > MANY
        && one.joints.includes(joint));
    if (!group) return plainName(segments[segment].name);
    return group.joints[group.joints.length >> 1] === joint ? plainName(group.name) : '';
}

/**
 * @param {ShownView} view @param {Project} project
 * @returns {Word[]}
 */
function partWords(view, project) {
    const chosen = view.selectedPart();
    return view.picker.parts.filter(({figure, segment}, k, all) => all.findIndex((one) => one.figure === figure
        && one.segment === segment) === k)
        .flatMap(({figure, segment, index}) => {
            const outline = view.picker.parts.filter((one) => one.index === index)
                .flatMap((one) => partOutline(one, segmentMatrix(view.frame.matrices, one.index)));
            const center = [0, 1, 2].map((i) => outline.reduce((sum, ball) => sum + ball.center[i],
                0) / outline.length);
            const reach = Math.max(...outline.map((ball) => ball.radius + Math.hypot(...ball.center.map((v,
                i) => v - center[i]))));
            const isChosen = chosen?.figure === figure && chosen?.segment === segment, at = project(center);
            const own = view.scene.figures[figure], text = isChosen ? plainName(own.segments[segment].name)
                : nameOf(own, segment);
            if (!at || !text || (reach < SMALL * view.size && !isChosen)) return [];
            return [{text, at, color: view.theme.text, rank: isChosen ? 0 : 3 - reach / view.size}];
        });
}

/**
 * @param {ShownView} view @param {Project} project
 * @returns {Word[]}
 */
function goalWords(view, project) {
    return view.goalHandles.flatMap(({constraint, place}) => {
        const at = project(place), found = view.frame.constraints.find(({id}) => id === constraint.id);
        if (!at) return [];
        const isOff = found?.counted && !found.met, off = isOff && found.distance > 1e-4
            ? `, ${sizeText(found.distance)} off` : '';
        return [{text: `${plainName(constraint.name)}${off}`, at, color: isOff ? view.theme.unmet : view.theme.met,
            rank: 1}];
    });
}

/**
 * Lines beside each figure: how high and how wide it is.
 * @param {ShownView} view @param {Project} project
 */
function measures(view, project) {
    const {right} = view.orbit.axes();
    return view.scene.figures.flatMap((_, f) => {
        const corners = cornersOf(view, f);
        if (!corners) return [];
        const {low, high} = corners, middle = low.map((value, i) => (value + high[i]) / 2), beside = 0.12 * view.size;
        const half = (Math.abs(right[0]) * (high[0] - low[0]) + Math.abs(right[1]) * (high[1] - low[1])) / 2;
        /** @param {number} sign @param {number} far */
        const side = (sign, far) => [middle[0] + sign * far * right[0], middle[1] + sign * far * right[1]];
        const upright = [[...side(1, half + beside), low[2]], [...side(1, half + beside), high[2]]];
        const across = [[...side(-1, half), low[2]], [...side(1, half), low[2]]];
        /** @type {[Vec[], number][]} */
        const lines = [[upright, high[2] - low[2]], [across, 2 * half]];
        return lines.flatMap(([line, size]) => {
            const [from, to] = line.map(project);
            return from && to && size > 1e-3 ? [{from, to, text: sizeText(size)}] : [];
        });
    });
}

/** @param {Box} a @param {Box} b */
const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/**
 * Finds a place for each word, the most important first: beside what it is about, else farther away; or none.
 * @param {Word[]} words @param {(text: string) => number} measure
 * @param {{width: number, height: number, line: number}} page
 */
export function placeWords(words, measure, {width, height, line}) {
    /** @type {Box[]} */
    const taken = [];
    /** @type {PlacedWord[]} */
    const placed = [];
    for (const word of [...words].sort((a, b) => a.rank - b.rank)) {
        const w = measure(word.text) + line * 0.8, h = line * 1.3;
        const spots = [0, 1, 2, 3, 4, 5, 6].flatMap((step) => [1, -1].flatMap((up) => [1, -1].map((across) => ({
            x: across > 0 ? word.at.x + line * (0.9 + 0.5 * step) : word.at.x - line * (0.9 + 0.5 * step) - w,
            y: word.at.y - h / 2 + up * step * h, w, h}))));
        const box = spots.find((spot) => spot.x >= 2 && spot.y >= 2 && spot.x + w <= width - 2 && spot.y
            + h <= height - 2
            && !taken.some((other) => overlap(spot, other)));
        if (!box) continue;
        taken.push(box);
        placed.push({...word, box});
    }
    return placed;
}

/** @param {CanvasRenderingContext2D} context @param {PlacedWord[]} placed @param {number} line @param {Theme} theme */
function write(context, placed, line, theme) {
    for (const {at, box, color} of placed) {
        const isRight = box.x > at.x, edge = {x: isRight ? box.x : box.x + box.w, y: box.y + box.h / 2};
        context.strokeStyle = cssColor(color);
        context.lineWidth = Math.max(1, line / 12);
        context.beginPath();
        context.moveTo(at.x, at.y);
        context.lineTo(edge.x, edge.y);
        context.stroke();
    }
    for (const {box, color, text} of placed) {
        context.fillStyle = theme.isDark ? 'rgba(20, 24, 29, 0.86)' : 'rgba(255, 255, 255, 0.9)';
        context.beginPath();
        context.roundRect(box.x, box.y, box.w, box.h, line / 4);
        context.fill();
        context.fillStyle = cssColor(color);
        context.fillText(text, box.x + line * 0.4, box.y + box.h / 2);
    }
}

/** @param {CanvasRenderingContext2D} context @param {Measurement[]} list @param {number} line @param {Theme} theme */
function drawMeasures(context, list, line, theme) {
    context.strokeStyle = cssColor(theme.dim);
    context.lineWidth = Math.max(1, line / 10);
    for (const {from, to} of list) {
        const long = Math.hypot(to.x - from.x, to.y - from.y) || 1, [nx, ny] = [-(to.y - from.y) / long,
            (to.x - from.x) / long];
        context.beginPath();
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
        for (const {x, y} of [from, to]) {
            context.moveTo(x - nx * line * 0.4, y - ny * line * 0.4);
            context.lineTo(x + nx * line * 0.4, y + ny * line * 0.4);
        }
        context.stroke();
    }
}

/**
 * @param {View} view
 * @param {{width?: number, height?: number, transparent?: boolean, plain?: boolean, words?: string[]}} options words:
 *     some of WORDS
 * @returns {Promise<Blob>} a PNG
 */
export async function takeLabelledPicture(view, {words = [], ...options} = {}) {
    const {width = view.width, height = view.height} = options, line = Math.max(11, Math.round(height / 48));
    let said = /** @type {Word[]} */ ([]), lines = /** @type {Measurement[]} */ ([]);
    const blob = await takePicture(view, {...options, during: () => {
        /** @param {Vec} point */
        const project = (point) => view.projectLocal(point), shown = /** @type {ShownView} */ (view);
        said = [...(words.includes('goals') ? goalWords(shown, project) : []), ...(words.includes('parts')
            ? partWords(shown, project) : [])];
        lines = words.includes('sizes') ? measures(shown, project) : [];
        said.push(...lines.map(({from, to, text}) => ({text, rank: 0, color: view.theme.dim, at: {x: (from.x
            + to.x) / 2, y: (from.y + to.y) / 2}})));
    }});
    if (!words.length) return blob;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, {width, height});
    const context = canvas.getContext('2d');
    if (!context) throw new Error('this browser cannot write into a picture');
    context.drawImage(await createImageBitmap(blob), 0, 0);
    context.font = `${line}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    drawMeasures(context, lines, line, view.theme);
    write(context, placeWords(said, (text) => context.measureText(text).width, {width, height, line}), line,
        view.theme);
    return new Promise((done, fail) => {
        canvas.toBlob((made) => (made ? done(made) : fail(new Error('the picture could not be made'))), 'image/png');
    });
}
