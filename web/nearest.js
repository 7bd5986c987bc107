// The names that a person probably meant, for messages: as src/figure/suggest.c has it.

const SLIP = 3, BEGINNING = 4, PART = 6, SPREAD = 3;

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn a into b. @param {string} a @param {string} b
 */
function editDistance(a, b) {
    let before = /** @type {number[]} */ ([]);
    let last = Array.from({length: b.length + 1}, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            row[j] = Math.min(last[j - 1] + Number(a[i - 1] !== b[j - 1]), last[j] + 1, row[j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
                row[j] = Math.min(row[j], before[j - 2] + 1);
            }
        }
        [before, last] = [last, row];
    }
    return last[b.length];
}

/**
 * How far a name is from what was wanted; Infinity: too far to be meant. @param {string} wanted @param {string} name
 */
function score(wanted, name) {
    const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
    const [bareA, bareB] = [a, b].map((text) => text.replace(/[_\-. :/]/g, ''));
    if (!bareA || !bareB) return Infinity;
    const most = a.length <= 2 ? 1 : 1 + Math.floor(a.length / 3);
    const isAlike = Math.abs(a.length - b.length) <= most && a.length <= 64 && b.length <= 64;
    const edits = isAlike ? editDistance(a, b) : Infinity;
    const kinship = (a.length >= 2 && bareB.startsWith(bareA)) || (b.length >= 3 && bareA.startsWith(bareB)) ? BEGINNING
        : a.length >= 3 && bareB.includes(bareA) ? PART : Infinity;
    return Math.min(edits <= most && edits < b.length ? SLIP * edits : Infinity, kinship);
}

/**
 * The nearest of some names, the nearest first; none where nothing is near.
 * @param {string} wanted @param {readonly string[]} names @param {number} [most] @returns {string[]}
 */
export function nearestNames(wanted, names, most = 4) {
    const near = [...new Set(names)].map((name) => ({name, cost: score(wanted, name)}))
        .filter(({cost}) => cost < Infinity).sort((a, b) => a.cost - b.cost);
    return near.filter(({cost}) => cost < near[0].cost + SPREAD).slice(0, most).map(({name}) => name);
}

/**
 * "; did you mean 'a', 'b' or 'c'?", to be put behind a message; '' where nothing is near.
 * @param {string} wanted @param {readonly string[]} names @returns {string}
 */
export function didYouMean(wanted, names) {
    const near = nearestNames(wanted, names).map((name) => `'${name}'`);
    const last = near.pop();
    return last === undefined ? '' : `; did you mean ${near.length ? `${near.join(', ')} or ` : ''}${last}?`;
}
