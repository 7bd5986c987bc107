// What the page's style and markup become in an element's shadow root, at build time.
//
// Style: `:root` and `body` are the frame inside the shadow root; sizes are asked of the element (container queries),
// not of the window; what lies over the whole window - dialogs, menus - is measured by it as before.

/** A style sheet as a list of [prelude, body], where the body of an at-rule is a list again. */
function parse(/** @type {string} */ text) {
    const rules = [];
    for (let at = 0; at < text.length;) {
        const open = text.indexOf('{', at);
        if (open < 0) break;
        let depth = 1, end = open + 1;
        for (; depth; end++) depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
        const prelude = text.slice(at, open).replace(/\/\*.*?\*\//gs, '').trim(), body = text.slice(open + 1, end - 1);
        rules.push([prelude, prelude.startsWith('@media') ? parse(body) : body]);
        at = end;
    }
    return rules;
}

/** Parts of a list, at commas outside of brackets. */
function parts(/** @type {string} */ list) {
    const found = [''];
    let depth = 0;
    for (const letter of list) {
        depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
        if (letter === ',' && !depth) found.push('');
        else found[found.length - 1] += letter;
    }
    return found.map((one) => one.trim());
}

const OVER_ALL = /dialog|\.menu/; // these are measured by the window

function styleRule(/** @type {string} */ prelude, /** @type {string} */ body) {
    const selectors = parts(prelude).map((one) => one.replace(/:root|(?<![\w.#-])(?:html|body)(?![\w-])/g, '.studio'));
    const words = OVER_ALL.test(prelude) ? body : body.replace(/([\d.])d?vh\b/g, '$1cqh').replace(/([\d.])vw\b/g,
        '$1cqw');
    return `${[...new Set(selectors)].join(',')}{${words}}`;
}

/** Each query of the list on its own: those about sizes are asked of the element. */
function mediaRule(/** @type {string} */ prelude, /** @type {any[]} */ rules) {
    const inner = rules.map(([one, body]) => styleRule(one, body)).join('');
    return parts(prelude.slice('@media'.length)).map((query) => {
        const isSize = /\b(width|height)\b/.test(query);
        if (isSize && /pointer|prefers/.test(query)) {
            throw new Error(`element/build.mjs: "${query}" asks for two things`);
        }
        return `${isSize ? '@container limber-studio' : '@media'} ${query}{${inner}}`;
    }).join('');
}

/** The page's style for a shadow root. */
export function elementStyle(/** @type {string} */ text) {
    return parse(text).map(([prelude, body]) => (Array.isArray(body) ? mediaRule(prelude, body) : styleRule(prelude,
        body)))
        .join('');
}

// An element is no landmark of somebody's page, and its headings are not that page's.
const LANDMARKS = new Set(['header', 'main', 'aside', 'footer']);
const EMPTY = new Set(['br', 'hr', 'input']);

/** The page's body as a tree of [tag, attributes, children]: a page may forbid to make elements of text. */
export function markupTree(/** @type {string} */ page) {
    const [, body] = /<body>([\s\S]*)<\/body>/.exec(page) ?? [];
    const text = body.replace(/<noscript>[\s\S]*?<\/noscript>|<h[12][^>]*>[\s\S]*?<\/h[12]>/g, '');
    const root = ['div', {class: 'studio'}, []], open = [root];
    for (const [, close, tag, words, said] of text.matchAll(/<(\/?)([\w-]+)([^>]*)>|([^<]+)/g)) {
        const [, , children] = open.at(-1);
        if (said !== undefined) {
            if (said.trim()) children.push(said.trim());
        } else if (close) {
            open.pop();
        } else {
            const attributes = Object.fromEntries([...words.matchAll(/([\w-]+)(?:="([^"]*)")?/g)]
                .map(([, name, value = '']) => [name, value.replace(/\s+/g, ' ')]));
            const isLandmark = LANDMARKS.has(tag), group = isLandmark && attributes['aria-label'] ? {role: 'group'}
                : {};
            const node = [isLandmark ? 'div' : tag, {...attributes, ...group}, []];
            children.push(node);
            if (!EMPTY.has(tag)) open.push(node);
        }
    }
    if (open.length !== 1) throw new Error('index.html: an element is not closed');
    return root;
}
