// Methods side by side: each solves the same problem from the same start, and tells its objective iteration by
// iteration.

const LONGEST = 3e6; /* microseconds for a method */

/** @type {Method[]} */
const METHODS = [
    {method: 'lm', label: 'Levenberg-Marquardt'}, {method: 'bfgs', label: 'BFGS, gradient projection'},
        {method: 'ccd', label: 'Cyclic coordinate descent'},
    {method: 'jacobian', jacobian: 'transpose', label: 'Jacobian transpose'},
    {method: 'jacobian', jacobian: 'pseudo-inverse', label: 'Jacobian pseudo-inverse'},
    {method: 'jacobian', jacobian: 'damped', label: 'Damped least squares'},
    {method: 'jacobian', jacobian: 'svd-damped', label: 'SVD-damped least squares'},
        {method: 'fabrik', label: 'FABRIK'},
];

/**
 * What the caller wants run: names of methods ("jacobian transpose"), or {method, jacobian, label}.
 * @param {(string | Partial<Method>)[]} [wanted]
 * @returns {Method[]}
 */
function methodsOf(wanted) {
    if (!wanted?.length) return METHODS;
    return wanted.map((entry) => {
        const [method, jacobian] = typeof entry === 'string' ? entry.split(/[ :]/) : [entry.method, entry.jacobian];
        const known = METHODS.find((other) => other.method === method &&
            (method !== 'jacobian' || other.jacobian === (jacobian ?? 'damped')));
        return /** @type {Method} */ ({...known, ...(typeof entry === 'string' ? {} : entry), method,
            ...(method === 'jacobian' ? {jacobian: jacobian ?? 'damped'} : {})});
    });
}

/**
 * One method, from the start pose.
 * @param {World} world @param {Float64Array} start @param {Method} entry @param {LimberOptions} options
 * @param {(progress: Omit<RunProgress, 'index'>) => boolean} tell
 * @returns {Run}
 */
function runOne(world, start, entry, options, tell) {
    /** @type {Run} */
    const run = {...entry, values: [], evaluationsAt: [], timesAt: []};
    const pose = Float64Array.from(start);
    const begun = performance.now();
    /** @param {import('limber/solver.js').Progress} progress */
    const note = ({value, evaluations, iteration}) => {
        const time = (performance.now() - begun) * 1000;
        run.values.push(value);
        run.evaluationsAt.push(evaluations);
        run.timesAt.push(time);
        return tell({label: run.label, iteration, value, evaluations, time_us: time});
    };
    try {
        const result = world.solver.solve(pose, {
            ...world.options, deadlineUs: LONGEST, ...options, method: entry.method,
                ...(entry.jacobian ? {jacobian: entry.jacobian} : {}), onIteration: note,
        });
        const time = (performance.now() - begun) * 1000;
        run.values.unshift(result.valueBefore);
        run.evaluationsAt.unshift(1);
        run.timesAt.unshift(0);
        return {
            ...run, outcome: result.outcome, value: result.value, valueBefore: result.valueBefore,
                iterations: result.iterations,
            evaluations: result.evaluations, time_us: time, explanation: result.explanation, pose,
        };
    } catch (error) {
        const {message, statusName} = /** @type {LimberWarning} */ (error);
        if (error instanceof WebAssembly.RuntimeError || statusName === 'memory') throw error;
        return {...run, outcome: 'invalid', value: NaN, iterations: 0, evaluations: 0, time_us: 0,
            explanation: message, error: message};
    }
}

/**
 * @param {World} world a world of its own, in the start pose
 * @param {Task} task
 * @param {{methods?: (string | Partial<Method>)[], options?: LimberOptions}} wanted methods: as methodsOf takes them
 * @param {(progress: RunProgress[]) => void} [onProgress] hears of iterations, some at a time
 */
export async function compare(world, task, {methods, options = {}}, onProgress) {
    /** @type {Run[]} */
    const runs = [];
    for (const [index, entry] of methodsOf(methods).entries()) {
        /** @type {RunProgress[]} */
        let batch = [];
        const send = () => {
            if (batch.length) onProgress?.(batch);
            batch = [];
        };
        let sent = performance.now();
        runs.push(runOne(world, world.pose, entry, options, (progress) => {
            batch.push({index, ...progress});
            if (performance.now() - sent > 30) {
                send();
                sent = performance.now();
            }
            return false;
        }));
        send();
        await task.pause();
    }
    return {runs};
}
