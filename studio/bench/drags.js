// What the benchmark drags, in the page and in Node, and what is said of many times.

/**
 * The drags: a part, and where the pointer is at each time from 0 to 1, from where the part is at the start.
 * @type {{name: string, segment: string, frames: number, path: (t: number) => number[]}[]}
 */
export const DRAGS = [
    {name: 'right hand, circles ahead', segment: 'right_hand', frames: 480,
        path: (t) => [0.25 + 0.1 * Math.sin(7 * t), 0.15 * Math.sin(19 * t), 0.35 + 0.2 * Math.cos(13 * t)]},
    {name: 'right hand, out of reach and back', segment: 'right_hand', frames: 480,
        path: (t) => [1.1 * Math.sin(Math.PI * t), -0.9 * Math.sin(5 * t), 0.9 * Math.sin(Math.PI * t)]},
    {name: 'left hand, down to the floor', segment: 'left_hand', frames: 480,
        path: (t) => [0.35 * Math.sin(Math.PI * t), -0.1 * Math.sin(6 * t), -0.75 * Math.sin(Math.PI * t)]},
    {name: 'pelvis, down and about', segment: 'pelvis', frames: 480,
        path: (t) => [0.06 * Math.sin(9 * t), 0.06 * Math.cos(11 * t) - 0.06, -0.3 * Math.sin(Math.PI * t)]},
    {name: 'head, bent aside', segment: 'head', frames: 480,
        path: (t) => [0.2 * Math.sin(8 * t), 0.3 * Math.sin(5 * t), -0.1 * Math.sin(Math.PI * t)]},
];

/** @param {number[]} sorted @param {number} part */
export const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
/** @param {number[]} list */
export const ascending = (list) => [...list].sort((a, b) => a - b);
