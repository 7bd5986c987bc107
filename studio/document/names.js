// Names as problem files write them: a figure's prefix where there are several, patterns, joints that stand for all
// their variables.

/**
 * A name of a figure's thing as the document has it: `anna:right_palm` where there are several figures.
 * @param {Scene} scene @param {number} figure @param {string} name
 */
export function fullName(scene, figure, name) {
    return scene.figures.length > 1 ? `${scene.figures[figure].name}:${name}` : name;
}

const colons = new WeakMap();

/**
 * The names of a figure's things that have a colon of their own, as programs write them: mixamorig:Hips.
 * @param {SceneFigure} figure
 */
function colonNames(figure) {
    if (!colons.has(figure)) {
        const sites = figure.sites.map(({name, segment}) => ({name: `${figure.segments[segment]?.name}.${name}`}));
        const things =
            [figure.segments, figure.sites, sites, figure.joints, figure.variables].flatMap((list) => list ?? []);
        colons.set(figure, new Set(things.map(({name}) => name).filter((name) => name.includes(':'))));
    }
    return colons.get(figure);
}

/**
 * The figure and own name of `anna:right_palm`, or `1:right_palm`; without a prefix the first figure is meant. A name
 * that has the colon itself is the first figure's.
 * @param {Scene} scene @param {string} full
 */
export function splitName(scene, full) {
    const colon = full.indexOf(':');
    const prefix = full.slice(0, Math.max(colon, 0));
    const named = colon < 0 ? -1 : scene.figures.findIndex((other) => other.name === prefix);
    const figure = named < 0 && colon > 0 ? scene.figures.findIndex((_, k) => String(k) === prefix) : named;
    if (figure < 0 || colonNames(scene.figures[0]).has(full)) return {figure: 0, name: full};
    return {figure, name: full.slice(colon + 1)};
}

/**
 * All variables of all figures: {name (full), figure, variable}.
 * @param {Scene} scene
 */
export function allVariables(scene) {
    return scene.figures.flatMap((figure, f) =>
        figure.variables.map((variable) => ({name: fullName(scene, f, variable.name), figure: f, variable})),
    );
}

/**
 * A pose as a problem's `start`: every variable by name.
 * @param {Scene} scene @param {Numbers} pose
 */
export function startOf(scene, pose) {
    return Object.fromEntries(allVariables(scene).map(({name, variable}) => [name, pose[variable.index]]));
}

/**
 * Whether a pattern of `active`, `inactive`, `rigidity` means this variable: by its own name, or its owner's.
 * @param {Scene} scene @param {string} pattern @param {{figure: number, variable: SceneVariable}} of
 */
export function patternMeans(scene, pattern, {figure, variable}) {
    const own = splitName(scene, pattern);
    if (own.figure !== figure) return false;
    const expression = new RegExp(
        `^${[...own.name]
            .map((letter) =>
                letter === '*' ? '.*' : letter === '?' ? '.' : letter.replace(/[.+^${}()|[\]\\]/, '\\$&'),
            )
            .join('')}$`,
    );
    const owner = variable.name.includes('.') ? variable.name.slice(0, variable.name.lastIndexOf('.')) : null;
    return expression.test(variable.name) || (owner !== null && expression.test(owner));
}

/**
 * The full names of the variables that a document's `active` and `inactive` hold fast.
 * @param {Doc} doc @param {Scene} scene
 */
export function lockedNames(doc, scene) {
    const locked = new Set();
    for (const entry of allVariables(scene)) {
        /** @param {string} pattern */
        const isMeant = (pattern) => patternMeans(scene, pattern, entry);
        if ((doc.active && !doc.active.some(isMeant)) || doc.inactive?.some(isMeant)) locked.add(entry.name);
    }
    return locked;
}

/**
 * Locks or frees variables in a draft. Patterns are spelled out, for some of what they meant may change.
 * @param {Doc} draft @param {Scene} scene @param {Iterable<string>} names @param {boolean} isLocked
 */
export function setLocked(draft, scene, names, isLocked) {
    const locked = lockedNames(draft, scene);
    for (const name of names) {
        if (isLocked) locked.add(name);
        else locked.delete(name);
    }
    delete draft.active;
    draft.inactive = [...locked];
    if (!locked.size) delete draft.inactive;
}

/**
 * Rigidity by full name: what the document says over what the figure has.
 * @param {Doc} doc @param {Scene} scene
 */
export function rigidities(doc, scene) {
    const values = new Map(allVariables(scene).map(({name, variable}) => [name, variable.rigidity ?? 0]));
    for (const [pattern, value] of Object.entries(doc.rigidity ?? {})) {
        for (const entry of allVariables(scene)) {
            if (patternMeans(scene, pattern, entry)) values.set(entry.name, Number(value));
        }
    }
    return values;
}

/**
 * Sets one variable's rigidity in a draft: written last, so it wins over patterns.
 * @param {Doc} draft @param {string} name @param {number} value
 */
export function setRigidity(draft, name, value) {
    const others = Object.fromEntries(Object.entries(draft.rigidity ?? {}).filter(([key]) => key !== name));
    draft.rigidity = {...others, [name]: value};
}

/**
 * A name that no constraint of the document has yet: `word`, `word 2`, ...
 * @param {Doc} doc @param {string} word
 */
export function freshName(doc, word) {
    const taken = new Set((doc.constraints ?? []).map((constraint) => constraint.name));
    for (let i = 1; ; i++) {
        const name = i === 1 ? word : `${word} ${i}`;
        if (!taken.has(name)) return name;
    }
}

/**
 * A name for people: `right_elbow.flexion` reads `right elbow flexion`.
 * @param {string} name
 */
export function spoken(name) {
    return name.replace(/[_.]/g, ' ');
}
