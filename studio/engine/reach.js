// Reach: where a part of a figure can go, as a cloud of points. A part of them are poses at random, which fill the
// inside; the others are pulled as far as they go in directions all around, which finds the boundary that random poses
// hardly meet. Around it stands the envelope, beyond which it is proved that nothing goes.
import {add, distance, dot, framePoint, scale} from '../math/vector.js';
import {chainOf} from './body.js';
import {envelope} from './envelope.js';

const BOUNDARY = 0.4; /* the share of points that are pulled outwards */
const BOUNDARY_MOST = 400;
const ROUNDS = 12;
const STEPS = [0.4, 0.2, 0.1, 0.05]; /* metres that the pull is ahead, round by round (the last from then on) */
const PULL = {tracking: true, maxIterations: 12, maxEvaluations: 40, gradientTolerance: 1e-6};

/**
 * Directions all around, evenly: the Fibonacci sphere.
 * @param {number} k @param {number} count
 */
function direction(k, count) {
    const z = 1 - (2 * k + 1) / count;
    const around = k * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(Math.max(0, 1 - z * z));
    return [r * Math.cos(around), r * Math.sin(around), z];
}

class Reach {
    /** @param {World} world @param {ReachWanted} wanted */
    constructor(world, {figure = 0, segment, point, chain = 0, pins = true, seed = 1}) {
        this.world = world;
        this.figure = figure;
        this.segment = segment;
        this.point = point;
        this.pins = pins;
        this.figures = world.figures;
        const links = chainOf(world, figure, segment);
        const isWhole = !(chain > 0) || chain >= links.length;
        /* Without pins a root that is free would take the part anywhere. */
        const free = (isWhole ? links.filter((link) => pins || link.kind !== 'root') : links.slice(0, chain))
            .flatMap((link) => link.variables);
        this.free = new Set(pins && isWhole ? world.pose.keys() : free);
        this.moving = free;
        for (let v = 0; v < world.pose.length; v++) if (!this.free.has(v)) world.problem.setActive(v, false);
        /** @type {number[]} */
        this.held = [];
        for (const constraint of world.constraints) {
            const holds = pins && !constraint.disabled && (constraint.from !== 'constraints' ||
                constraint.name.startsWith('pin ')) &&
                !(constraint.figure === figure && constraint.segment === segment);
            if (holds) this.held.push(constraint.id);
            else world.problem.enable(constraint.id, false);
            if (holds) world.problem.setWeight(constraint.id, constraint.weight * 1e3);
        }
        this.id = world.problem.add({
            name: 'reach', figure, effector: {kind: 'frame', segment, point, x: [1, 0, 0], y: [0, 1, 0]},
                goal: {kind: 'position', point: [0, 0, 0]},
        });
        this.seed = BigInt(seed);
        this.loose = this.looseVariables();
        this.start = Float64Array.from(world.pose);
    }

    /** @param {Float64Array} pose */
    where(pose) {
        const {world, figure, segment} = this;
        world.kinematics[figure].update(world.part(pose, figure));
        return framePoint(world.segmentFrame(figure, segment), this.point);
    }

    /** Of those that move the part, the variables that move nothing that is pinned: they can have any value. */
    looseVariables() {
        const {world, held} = this;
        const bound = new Set(world.constraints.filter(({id, segment}) => held.includes(id) && segment >= 0)
            .flatMap(({figure, segment}) => chainOf(world, figure, segment).flatMap((link) => link.variables)));
        return this.moving.filter((v) => !bound.has(v) && !/^root\./.test(world.variable(v).name));
    }

    /**
     * A known pose with the loose variables at random; null where what is held does not hold in it.
     * @param {Float64Array} known
     */
    randomPose(known) {
        const {world, figure} = this;
        const pose = Float64Array.from(known);
        const random = world.figures[figure].randomPose(this.seed++);
        const first = world.firstVariable[figure];
        for (const v of this.loose) pose[v] = random[v - first];
        world.project(pose);
        if (!this.held.length) return pose;
        world.problem.enable(this.id, false);
        return this.holds(world.solver.solve(pose, PULL)) ? pose : null;
    }

    /**
     * Whether what is held is where it was, to a millimetre and a tenth of a degree.
     * @param {SolveResult} result
     */
    holds(result) {
        return result.constraints.every((entry) => !entry.counted || entry.id === this.id ||
            (entry.distance < 1e-3 && entry.angleRad < 2e-3));
    }

    /**
     * Pulled from a pose towards a direction as far as it goes; null where that fails.
     * @param {Float64Array} from @param {Vec} towards
     */
    boundaryPose(from, towards) {
        const {world} = this;
        const pose = Float64Array.from(from);
        world.problem.enable(this.id, true);
        let far = -Infinity;
        for (let round = 0; round < ROUNDS; round++) {
            const here = this.where(pose);
            const along = dot(here, towards);
            if (along < far + 2e-3) break;
            far = along;
            const step = STEPS[Math.min(round, STEPS.length - 1)];
            world.problem.moveGoal(this.id, {position: add(here, scale(towards, step)), rotation: [0, 0, 0, 1]});
            world.solver.solve(pose, PULL);
        }
        if (!this.held.length) return pose;
        world.problem.enable(this.id, false);
        return this.holds(world.solver.solve(pose, {...PULL, maxIterations: 30})) ? pose : null;
    }
}

/**
 * The middle of a cloud.
 * @param {Vec[]} points
 */
const middleOf = (points) => scale(points.reduce((sum, point) => add(sum, point), [0, 0, 0]),
    1 / Math.max(1, points.length));

/**
 * @param {World} world a world of its own; it is changed
 * @param {Task} task
 * @param {ReachWanted & {count?: number}} wanted
 * @param {OnProgress} [onProgress]
 * @returns {Promise<EngineAnswers['reach']>}
 */
export async function reach(world, task, {count = 2000, ...wanted}, onProgress) {
    const search = new Reach(world, wanted);
    const shell = await envelope(world, task, search);
    const points = [search.where(search.start)];
    const known = [{pose: search.start, at: points[0]}]; /* where to begin from when pulling outwards */
    const outward = Math.min(BOUNDARY_MOST, Math.round(count * BOUNDARY));
    let told = performance.now();
    /** @param {number} fraction */
    const tell = (fraction) => {
        if (performance.now() - told < 60) return;
        told = performance.now();
        onProgress?.({done: points.length, count, fraction});
    };
    for (let k = 0; k < outward; k++) {
        const towards = direction(k, outward);
        const best = known.reduce((a, b) => (dot(b.at, towards) > dot(a.at, towards) ? b : a));
        const pose = search.boundaryPose(best.pose, towards);
        if (pose) {
            points.push(search.where(pose));
            known.push({pose, at: points[points.length - 1]});
        }
        tell(0.7 * k / outward);
        await task.pause();
    }
    for (let tries = 0; points.length < count && tries < 2 * count; tries++) {
        const pose = search.randomPose(known[tries % known.length].pose);
        if (pose) points.push(search.where(pose));
        tell(0.7 + 0.3 * Math.min(1, points.length / count));
        await task.pause();
    }
    const center = middleOf(points);
    onProgress?.({done: count, count, fraction: 1});
    const radius = Math.max(...points.map((point) => distance(point, center)));
    return {points: Float32Array.from(points.flat()), center, radius, envelope: shell};
}
