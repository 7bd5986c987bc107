// The methods of solving, and what several of them made of one problem: for the plot, the legend and the table.

/** Every method, with what it is in a few words (docs/methods.md). */
export const METHODS = [
    {method: 'lm', label: 'Levenberg–Marquardt', about: 'The default: everything, quickly and exactly.'},
    {method: 'bfgs', label: 'BFGS', about: 'Zhao and Badler’s variable metric; anything smooth.'},
    {method: 'ccd', label: 'CCD', about: 'One joint at a time: simple chains, cheap steps.'},
    {method: 'jacobian', label: 'Jacobian', about: 'The robot’s inverse, in four variants.'},
    {method: 'fabrik', label: 'FABRIK', about: 'Reaching forwards and backwards: long chains, positions.'},
];

export const VARIANTS = [
    {jacobian: 'damped', label: 'Damped', short: 'J. damped'},
    {jacobian: 'transpose', label: 'Transpose', short: 'J. transpose'},
    {jacobian: 'pseudo-inverse', label: 'Pseudo-inverse', short: 'Pseudo-inverse'},
    {jacobian: 'svd-damped', label: 'SVD-damped', short: 'SVD-damped'},
];

/** What can run side by side: the methods, the Jacobian's in all variants. */
export const CONTESTANTS = METHODS.flatMap((one) => one.method !== 'jacobian'
    ? [{id: one.method, method: one.method, label: one.method === 'lm' ? 'LM' : one.label}]
    : VARIANTS.map((variant) => ({id: `jacobian/${variant.jacobian}`, method: 'jacobian', jacobian: variant.jacobian,
        label: variant.short})));

/** Where a comparison can begin. */
export const STARTS = [
    {id: 'rest', label: 'From the rest pose'},
    {id: 'now', label: 'From the present pose'},
    {id: 'random', label: 'From a random pose'},
];

/**
 * A generator of numbers from 0 to 1 that gives the same ones for the same seed (a mixed counter, after Weyl).
 * @param {number} seed
 */
function randomOf(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
        mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
        return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
    };
}

/**
 * The pose that a comparison begins with; null: the document's own.
 * @param {{variables: {lower: number, upper: number, rest: number}[]}[]} figures the scene's
 * @param {string} id @param {number} seed
 */
export function startPose(figures, id, seed) {
    if (id === 'now') return null;
    const random = randomOf(seed), variables = figures.flatMap((figure) => figure.variables);
    return Float64Array.from(variables, ({lower, upper, rest}) => {
        const isBounded = Number.isFinite(lower) && Number.isFinite(upper), share = random();
        return id === 'random' && isBounded ? lower + (upper - lower) * share : rest;
    });
}

/** What the x axis can count, and where a run has it. @typedef {Omit<Run, 'label'>} Curve */
export const AXES = [
    {id: 'iterations', label: 'Iteration', of: (/** @type {Curve} */ run) => run.values.map((_, i) => i)},
    {id: 'evaluations', label: 'Evaluations', of: (/** @type {Curve} */ run) => run.evaluationsAt},
    {id: 'time', label: 'Time (ms)', of: (/** @type {Curve} */ run) => run.timesAt?.map((us) => us / 1000)},
];

/**
 * What of a run has been heard so far while it is under way: progress entries are added as they come.
 * @param {Run[]} runs @param {RunStep[] | RunStep} entries
 */
export function addProgress(runs, entries) {
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
        const run = (runs[entry.index] ??= {label: entry.label ?? '', values: [], evaluationsAt: [], timesAt: []});
        run.values.push(entry.value);
        run.evaluationsAt.push(entry.evaluations);
        run.timesAt.push(entry.time_us);
    }
    return runs;
}

/**
 * Runs as series of a plot over the chosen axis; runs that have nothing to show are left out.
 * @param {Run[]} runs @param {string} axisId
 */
export function seriesOf(runs, axisId) {
    const axis = AXES.find((one) => one.id === axisId) ?? AXES[0];
    /** @param {Run} of @param {number} index */
    const one = ({label, values = [], ...run}, index) =>
        ({label, index, x: values.length ? axis.of({values, ...run}) ?? [] : [], y: values});
    return runs.map(one).filter((series) => series.x.length > 0);
}

/**
 * How an outcome is said and shown: a mark that differs by shape, and a colour's name.
 * @param {{outcome?: string}} run
 */
export function outcomeOf(run) {
    switch (run.outcome) {
    case 'solved': return {mark: '✓', tone: 'met', text: 'solved'};
    case 'minimum': return {mark: '◆', tone: 'unmet', text: 'minimum'};
    case 'budget': return {mark: '…', tone: 'warn', text: 'out of budget'};
    case 'cancelled': case 'stopped': return {mark: '■', tone: 'off', text: 'stopped'};
    case undefined: return {mark: '', tone: 'off', text: 'running'};
    default: return {mark: '✕', tone: 'off', text: 'cannot do it'};
    }
}

/**
 * The best run: solved and with the fewest evaluations, else the least value; -1 where none ran.
 * @param {Run[]} runs
 */
export function bestRun(runs) {
    let best = -1;
    /** @param {Run} run */
    const rank = ({outcome, evaluations = NaN, value = NaN}) =>
        (outcome === 'solved' ? [0, evaluations] : [1, value]);
    runs.forEach((run, i) => {
        if (!['solved', 'minimum', 'budget'].includes(run.outcome ?? '')) return;
        const [a, b] = rank(run), [c, d] = best < 0 ? [2, 0] : rank(runs[best]);
        if (a < c || (a === c && b < d)) best = i;
    });
    return best;
}

/**
 * A value as a cell of a table: quoted where it has to be.
 * @param {string | number | undefined} value
 */
function cell(value) {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * All runs as comma-separated values: a row an iteration.
 * @param {Run[]} runs
 */
export function runsToCsv(runs) {
    const rows = ['method,iteration,evaluations,time_us,value'];
    for (const run of runs) {
        (run.values ?? []).forEach((value, i) =>
            rows.push([run.label, i, run.evaluationsAt?.[i], run.timesAt?.[i], value].map(cell).join(',')));
    }
    return `${rows.join('\n')}\n`;
}

/**
 * Microseconds for people.
 * @param {number} [us]
 */
export function timeText(us = NaN) {
    if (!(us >= 0)) return '–';
    if (us < 1000) return `${Math.round(us)} µs`;
    return us < 1e6 ? `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms` : `${(us / 1e6).toFixed(1)} s`;
}
