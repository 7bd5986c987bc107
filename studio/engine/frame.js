// Frames: the world in one pose, as the page draws it.

/**
 * A sentence of Limber's for each outcome of a pose that nobody solved for.
 * @param {Reached[]} unmet
 */
function posedExplanation(unmet) {
    if (!unmet.length) return 'every goal is met';
    const [worst] = unmet;
    return `${worst.name.replaceAll('_', ' ')} ${missText(worst)}`;
}

/**
 * "3.1 cm short", "4 deg off"
 * @param {{distance?: number, angle?: number}} miss
 */
export function missText({distance = 0, angle = 0}) {
    /** @type {string[]} */
    const parts = [];
    if (distance >= 1e-5) parts.push(`${lengthText(distance)} short`);
    if (angle >= 1e-4) parts.push(`${Number((angle * 180 / Math.PI).toPrecision(3))} deg off`);
    return parts.join(' and ') || 'unmet';
}

/**
 * A length as Limber says it.
 * @param {number} metres
 */
export function lengthText(metres) {
    if (metres >= 1) return `${Number(metres.toFixed(2))} m`;
    return metres >= 0.01 ? `${Number((metres * 100).toFixed(1))} cm` : `${Number((metres * 1000).toFixed(2))} mm`;
}

const OF_BODIES = new Set(['figure', 'step', 'support', 'balance', 'effort']);

/**
 * What a sentence of the solver says of the body, without what it says of goals: "balance 6 cm inside; ..."
 * @param {Pick<Found, 'explanation' | 'said'> | null} found
 */
export function bodySentence(found) {
    const parts = found?.said.filter(({kind}) => OF_BODIES.has(kind)) ?? [];
    const last = parts.at(-1);
    if (!found || !last) return '';
    const told = found.explanation.slice(parts[0].begin, last.begin + last.text.length);
    return told.charAt(0).toLowerCase() + told.slice(1);
}

/**
 * @param {World} world @param {number} k @param {Found['constraints'][number]} result @param {Float64Array} matrices
 * @param {(Vec | null)[]} coms @param {Map<number, SceneGoal> | null} goals
 * @returns {Reached}
 */
function constraintOf(world, k, result, matrices, coms, goals) {
    const constraint = world.constraints[k];
    const {at, target} = world.reachOf(constraint, matrices, coms, goals?.get(constraint.id) ?? constraint.goal);
    return {
        id: constraint.id, name: constraint.name, index: k, met: Boolean(result.met), counted: Boolean(result.counted),
        distance: result.distance, angle: result.angleRad, value: result.value, at, target,
    };
}

/** @param {Found['limits'][number]} limit */
function limitOf(limit) {
    return {name: limit.name, upper: Boolean(limit.isUpper), value: limit.value, multiplier: limit.multiplier,
        variable: limit.variable};
}

/**
 * The frame of a pose.
 * @param {World} world @param {Float64Array} pose
 * @param {Found | null} [result] what a solve found, or null: the constraints are evaluated only
 * @param {FrameMore} [more] {time_us, trace, drag, goals: Map id -> goal, ...} added to it
 * @returns {PoseFrame}
 */
export function frameOf(world, pose, result = null, {goals = null, ...more} = {}) {
    const isPosed = !result;
    const found = result ?? evaluate(world, pose);
    world.place(pose);
    const matrices = world.matrices();
    const coms = world.coms();
    const constraints = found.constraints.slice(0, world.constraints.length)
        .map((entry, k) => constraintOf(world, k, entry, matrices, coms, goals));
    const unmet = constraints.filter((entry) => entry.counted && !entry.met).sort((a, b) => b.value - a.value);
    return {
        pose: Float64Array.from(pose),
        matrices,
        com: coms,
        dofs: world.dofs(),
        constraints,
        limits: isPosed ? [] : found.limits.map(limitOf),
        outcome: isPosed ? (unmet.length ? 'posed' : 'solved') : found.outcome,
        explanation: isPosed ? posedExplanation(unmet) : found.explanation,
        value: found.value,
        iterations: found.iterations,
        reasons: found.reasons ?? [],
        freedom: found.freedom ?? null,
        evaluations: found.evaluations,
        time_us: 0,
        drag: null,
        stance: isPosed || !world.isNatural() ? '' : bodySentence(found),
        body: world.isNatural() ? world.bodies(isPosed) : null,
        ...more,
    };
}

/**
 * How far every constraint is from being met in a pose, which stays as it is.
 * @param {World} world @param {Numbers} pose
 */
export function evaluate(world, pose) {
    return world.solver.solve(Float64Array.from(pose), {maxIterations: 0});
}
