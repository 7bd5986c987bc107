/* The colours of the viewport, read from the page's CSS variables, so that light and dark, and anybody's own style,
 * reach what is drawn by WebGL. */

/** @typedef {keyof typeof COLORS} ColorName */

/** Name of each colour, its CSS variable, and what it is where the page does not say: dark, light. */
const COLORS = {
    background: ['--stage-high', '#262c34', '#f3f5f8'],
    backgroundLow: ['--stage-low', '#15181d', '#d5dce4'],
    grid: ['--grid', '#4a5462', '#a9b5c1'],
    gridStrong: ['--grid-strong', '#6a7788', '#7d8c9b'],
    text: ['--text', '#e8ecf1', '#1b2129'],
    dim: ['--muted', '#9aa5b1', '#5b6672'],
    accent: ['--accent', '#4ea1ff', '#0b68d8'],
    met: ['--met', '#3fbf7f', '#128a50'],
    unmet: ['--unmet', '#ff7a59', '#d3421b'],
    pin: ['--pin', '#5aa9ff', '#1f6fd6'],
    disabled: ['--off', '#7d8894', '#8b95a1'],
    warn: ['--warn', '#f2b84b', '#b47a06'],
    figure1: ['--figure-1', '#a9b8c9', '#8ea3ba'],
    figure2: ['--figure-2', '#d3ab86', '#c79868'],
    figure3: ['--figure-3', '#9cc79f', '#7dae81'],
    figure4: ['--figure-4', '#c3a4d4', '#a685ba'],
    axisX: ['--axis-x', '#ff6b6b', '#d63a3a'],
    axisY: ['--axis-y', '#5fd07a', '#1f9a3f'],
    axisZ: ['--axis-z', '#5b9dff', '#2a68e0'],
};

/**
 * Any CSS colour as [r, g, b, a], 0 to 1, by asking a canvas.
 * @param {CanvasRenderingContext2D} context @param {string} text
 */
function parseColor(context, text) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#000';
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r / 255, g / 255, b / 255, a / 255];
}

/**
 * Whether it is dark where an element is: as what it is in says, or as the system does.
 * @param {HTMLElement} element
 */
function isDarkAt(element) {
    const said = /** @type {HTMLElement | null} */ (element.closest('[data-theme]'))?.dataset.theme;
    return said ? said === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/**
 * @param {HTMLElement} parent where the variables are looked up (by a probe: they may be light-dark() or mixed)
 * @returns {Theme}
 */
export function readTheme(parent) {
    const canvas = document.createElement('canvas'), probe = document.createElement('span');
    canvas.width = canvas.height = 1;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', {willReadFrequently: true}));
    probe.style.display = 'none';
    parent.append(probe);
    const isDark = isDarkAt(parent), theme = /** @type {Theme} */ ({isDark});
    for (const [name, [variable, dark, light]] of /** @type {[ColorName, string[]][]} */ (Object.entries(COLORS))) {
        probe.style.color = `var(${variable}, ${isDark ? dark : light})`;
        theme[name] = parseColor(context, getComputedStyle(probe).color);
    }
    probe.remove();
    return theme;
}

/**
 * The colour with another opacity.
 * @param {Rgba} color @param {number} alpha
 */
export const fade = (color, alpha) => [color[0], color[1], color[2], color[3] * alpha];

/**
 * Between two colours.
 * @param {Rgba} a @param {Rgba} b @param {number} t
 */
export const blend = (a, b, t) => [0, 1, 2, 3].map((i) => a[i] + (b[i] - a[i]) * t);

/**
 * As CSS, for labels.
 * @param {Rgba} c
 */
export const cssColor = (c) => `rgba(${c.slice(0, 3).map((v) => Math.round(255 * v)).join(', ')}, ${c[3]})`;
