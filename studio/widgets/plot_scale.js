// Axes of a plot: the range that shows all values, round ticks, and the way from values to places and back.

const LEAST = 1e-32; // on a logarithmic axis, what is less counts as nothing: it is shown at the lower end

/**
 * A round step by which about `count` ticks fill a range.
 * @param {number} range @param {number} count
 */
export function roundStep(range, count) {
    const raw = range / count, power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/**
 * @typedef {{low: number, high: number, isLog: boolean, floor: number}} Axis
 *     low and high are of the values, or of their logarithms to base 10; floor: where a log axis shows what is not
 *     above 0
 */

/**
 * An axis that shows all values.
 * @param {Iterable<number>} values
 * @param {boolean} isLog
 * @returns {Axis}
 */
export function fitAxis(values, isLog) {
    let low = Infinity, high = -Infinity, hasNone = false;
    for (const value of values) {
        if (!Number.isFinite(value)) continue;
        if (isLog && value < LEAST) {
            hasNone = true;
            continue;
        }
        const at = isLog ? Math.log10(value) : value;
        low = Math.min(low, at);
        high = Math.max(high, at);
    }
    if (low > high) [low, high] = isLog ? [-1, 0] : [0, 1];
    if (!isLog) return {low: Math.min(low, 0), high: high > Math.min(low, 0) ? high : low + 1, isLog, floor: -Infinity};
    low = Math.floor(low + 1e-9) - (hasNone ? 1 : 0);
    high = Math.max(low + 1, Math.ceil(high - 1e-9)) + 0; // no -0
    return {low, high, isLog, floor: 10 ** low};
}

/**
 * Where a value is on an axis, from 0 to 1; NaN where it cannot be shown.
 * @param {Axis} axis @param {number} value
 */
export function place(axis, value) {
    const at = axis.isLog ? Math.log10(Math.max(value, axis.floor)) : value;
    return (at - axis.low) / (axis.high - axis.low);
}

/**
 * The value at a place from 0 to 1.
 * @param {Axis} axis @param {number} where
 */
export function valueAt(axis, where) {
    const at = axis.low + where * (axis.high - axis.low);
    return axis.isLog ? 10 ** at : at;
}

/**
 * Round values on an axis, at most about `count`.
 * @param {Axis} axis @param {number} count
 */
export function ticks(axis, count) {
    const step = axis.isLog ? Math.max(1, Math.round(roundStep(axis.high - axis.low, count)))
        : roundStep(axis.high - axis.low, count);
    const list = [];
    for (let i = Math.ceil(axis.low / step - 1e-9); i * step <= axis.high + step * 1e-9; i++) {
        list.push(axis.isLog ? 10 ** (i * step) : Number((i * step).toPrecision(12)));
    }
    return list;
}

/** @type {Record<string, string>} */
const RAISED = {'-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹'};

/**
 * A tick's label: 10⁻⁶ on logarithmic axes.
 * @param {Axis} axis @param {number} value
 */
export function tickText(axis, value) {
    if (!axis.isLog) return Math.abs(value) >= 1e5 ? value.toExponential(0) : String(value);
    const power = Math.round(Math.log10(value));
    if (power >= -1 && power <= 3) return String(Number(value.toPrecision(3)));
    return `10${Array.from(String(power), (letter) => RAISED[letter]).join('')}`;
}

/**
 * A value for people: 0, 0.0123, 3.2e-9.
 * @param {number} value
 */
export function valueText(value) {
    if (value === 0) return '0';
    if (!Number.isFinite(value)) return '–';
    const size = Math.abs(value);
    if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(4)));
    return value.toExponential(2).replace('e+', 'e');
}

/**
 * The last index whose x is not beyond `x`, in a list in order; 0 where all are.
 * @param {Numbers} xs @param {number} x
 */
export function indexAt(xs, x) {
    let low = 0, high = xs.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (xs[middle] <= x) low = middle;
        else high = middle - 1;
    }
    return low;
}
