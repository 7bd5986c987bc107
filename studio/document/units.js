// Lengths and angles as people write them: `5cm`, `90deg`, `1.2`; and as problem files may hold them.

/** @type {Record<string, number>} */
const LENGTHS = {m: 1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048};
/** @type {Record<string, number>} */
const ANGLES = {rad: 1, deg: Math.PI / 180, '°': Math.PI / 180};

/**
 * Reads a number with or without a unit. `kind`: 'length' (a bare number is metres), 'mm' (millimetres), 'angle'
 * (degrees) or 'plain'. Returns SI, or NaN for what is none.
 * @param {string | number} text @param {Measured} kind
 */
export function parse(text, kind) {
    const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z°]*)\s*$/i.exec(
        String(text).replace(',', '.').replace('−', '-'),
    );
    if (!match) return NaN;
    const units = kind === 'angle' ? ANGLES : kind === 'plain' ? {} : LENGTHS;
    const unit = match[2].toLowerCase() || ({length: 'm', mm: 'mm', angle: 'deg', plain: ''}[kind] ?? '');
    if (unit === '' && kind === 'plain') return Number(match[1]);
    return unit in units ? Number(match[1]) * units[unit] : NaN;
}

/**
 * A value of a document (a number in SI, or text with a unit) in SI.
 * @param {unknown} value
 */
export function valueOf(value, otherwise = 0) {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string') return otherwise;
    const match = /^\s*([-+\d.e]+)\s*([a-z]*)\s*$/i.exec(value);
    if (!match) return otherwise;
    return Number(match[1]) * (LENGTHS[match[2]] ?? ANGLES[match[2]] ?? 1);
}

/** @param {unknown} value */
export function vectorOf(value, otherwise = [0, 0, 0]) {
    return Array.isArray(value) ? value.map((part) => valueOf(part)) : otherwise;
}

/** @param {number} radians */
export const degrees = (radians) => (radians * 180) / Math.PI;
/** @param {number} angle */
export const radians = (angle) => (angle * Math.PI) / 180;

/**
 * For an entry: at most `digits` after the point, no idle zeros.
 * @param {number} value
 */
export function plain(value, digits = 4) {
    if (!Number.isFinite(value)) return '';
    const text = value.toFixed(digits).replace(/\.?0+$/, '');
    return text === '-0' ? '0' : text;
}

/**
 * SI to what an entry shows: metres, millimetres, degrees.
 * @param {number} value @param {string} kind
 */
export function shown(value, kind) {
    if (kind === 'mm') return plain(value * 1000, 2);
    if (kind === 'angle') return plain(degrees(value), 2);
    return plain(value, kind === 'length' ? 4 : 6);
}

/**
 * A length for reading: mm below 10 cm, cm below a metre.
 * @param {number} value
 */
export function formatLength(value) {
    const size = Math.abs(value);
    if (size < 0.00005) return '0 mm';
    if (size < 0.01) return `${(value * 1000).toFixed(1)} mm`;
    if (size < 0.1) return `${(value * 1000).toFixed(0)} mm`;
    return size < 1 ? `${(value * 100).toFixed(1)} cm` : `${value.toFixed(2)} m`;
}

/** @param {number} value */
export function formatAngle(value) {
    const angle = degrees(value);
    return Math.abs(angle) < 0.05 ? '0°' : `${angle.toFixed(1)}°`;
}
