// Numbers as C's printf writes them. JavaScript's are the same but for ties, which C rounds to even, and the look.

/**
 * The digits of a positive number, rounded as C does, and its power of ten: 12.5 to 2 digits is ['12', 1].
 * @param {number} value @param {number} count of digits, 1 to 70 @returns {[string, number]}
 */
function roundedDigits(value, count) {
    const split = (/** @type {string} */ text) => {
        const [digits, exponent] = text.split('e');
        return /** @type {[string, number]} */ ([digits.replace('.', ''), Number(exponent)]);
    };
    const [exact, power] = split(value.toExponential(Math.min(100, count + 30)));
    const isTie = /^50*$/.test(exact.slice(count));
    const isEven = Number(exact[count - 1]) % 2 === 0;
    return isTie && isEven ? [exact.slice(0, count), power] : split(value.toExponential(count - 1));
}

/** @param {number} value positive @param {number} places behind the point @returns {string} */
function fixed(value, places) {
    if (value >= 1e21) return BigInt(value).toString() + (places ? '.' + '0'.repeat(places) : '');
    const plain = value.toFixed(places);
    const beyond = value.toFixed(Math.min(100, places + 30));
    const rest = beyond.slice(beyond.indexOf('.') + 1 + places);
    if (!/^50*$/.test(rest)) return plain;
    const cut = beyond.slice(0, beyond.indexOf('.') + (places ? 1 + places : 0));
    return Number(cut[cut.length - 1]) % 2 === 0 ? cut : plain;
}

/** @param {number} value positive @param {number} precision @returns {string} */
function general(value, precision) {
    const count = Math.max(1, precision);
    const [digits, power] = roundedDigits(value, count);
    const kept = digits.replace(/0+$/, '') || '0';
    if (power < -4 || power >= count) {
        const sign = power < 0 ? '-' : '+';
        const point = kept.length > 1 ? '.' + kept.slice(1) : '';
        return `${kept[0]}${point}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
    }
    if (power < 0) return '0.' + '0'.repeat(-power - 1) + kept;
    const whole = kept.slice(0, power + 1).padEnd(power + 1, '0');
    return kept.length > power + 1 ? `${whole}.${kept.slice(power + 1)}` : whole;
}

/**
 * As printf's %.*g and %.*f.
 * @param {number} value @param {string} style 'g' or 'f' @param {number} precision @returns {string}
 */
export function printNumber(value, style, precision) {
    const sign = value < 0 || Object.is(value, -0) ? '-' : '';
    const size = Math.abs(value);
    if (Number.isNaN(value)) return 'nan';
    if (size === Infinity) return sign + 'inf';
    if (style === 'f') return sign + fixed(size, precision);
    return sign + (size === 0 ? '0' : general(size, precision));
}
