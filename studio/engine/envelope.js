// The envelope of a part: the surface beyond which nothing of it can go, whatever the pose. Its prepared workspace
// tells which points are proved to be out of reach (docs/reach.md); around the others a surface is laid by surface nets
// (S. Gibson, 1998): a corner in each cell of the grid that the surface goes through, a face across each edge.

const LINES = 40; /* of the grid, along its longest side */
const SMOOTHINGS = 2;
const MOST_EXTENT = 100; /* metres: what reaches farther goes anywhere */
const EDGES = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

/**
 * A grid around all that may be within reach, with a margin of a cell; null where that is everywhere.
 * @param {{low: Vec, high: Vec}} box
 * @returns {Grid | null}
 */
function gridAround({low, high}) {
    const extent = Math.max(...high.map((value, k) => value - low[k]));
    if (!(extent < MOST_EXTENT)) return null;
    const step = Math.max(extent, 1e-3) / LINES;
    const size = low.map((value, k) => Math.ceil((high[k] - value) / step) + 4);
    return {step, size, low: low.map((value) => value - 1.5 * step), strides: [1, size[0], size[0] * size[1]]};
}

/** @param {Grid} grid @param {number} i @param {number} j @param {number} k */
const placeAt = ({low, step}, i, j, k) => [low[0] + step * i, low[1] + step * j, low[2] + step * k];

/**
 * Metres out of reach at each point of the grid; minus half a step where that is not proved.
 * @param {import('limber').Reach} workspace @param {Grid} grid @param {Task} task
 */
async function sample(workspace, grid, task) {
    const [nx, ny, nz] = grid.size, values = new Float32Array(nx * ny * nz);
    for (let k = 0, at = 0; k < nz; k++) {
        for (let j = 0; j < ny; j++) {
            for (let i = 0; i < nx; i++, at++) {
                const {verdict, distance} = workspace.point(placeAt(grid, i, j, k));
                values[at] = verdict === 'outside' ? Math.max(distance, 1e-6) : -0.5 * grid.step;
            }
        }
        await task.pause();
    }
    return values;
}

/**
 * Where the surface crosses the edges of a cell, in the mean; null where it does not.
 * @param {Float32Array} values @param {Grid} grid @param {number} i @param {number} j @param {number} k
 */
function cornerOf(values, grid, i, j, k) {
    const [sx, sy, sz] = grid.strides, at = i * sx + j * sy + k * sz;
    const v = Array.from({length: 8}, (_, n) => values[at + (n & 1) * sx + (n >> 1 & 1) * sy + (n >> 2) * sz]);
    if (v.every((value) => value > 0) || v.every((value) => value <= 0)) return null;
    const sum = [0, 0, 0];
    let count = 0;
    for (const [a, b] of EDGES) {
        if (v[a] > 0 === v[b] > 0) continue;
        const part = v[a] / (v[a] - v[b]);
        for (let n = 0; n < 3; n++) sum[n] += (a >> n & 1) + part * ((b >> n & 1) - (a >> n & 1));
        count++;
    }
    return placeAt(grid, i + sum[0] / count, j + sum[1] / count, k + sum[2] / count);
}

/**
 * A corner for each cell that the surface goes through, and which cells they are of.
 * @param {Float32Array} values @param {Grid} grid
 */
function corners(values, grid) {
    const [nx, ny, nz] = grid.size, places = [], ofCell = new Int32Array(nx * ny * nz).fill(-1);
    for (let k = 0; k < nz - 1; k++) {
        for (let j = 0; j < ny - 1; j++) {
            for (let i = 0; i < nx - 1; i++) {
                const place = cornerOf(values, grid, i, j, k);
                if (place) ofCell[i + j * nx + k * nx * ny] = places.push(place) - 1;
            }
        }
    }
    return {places, ofCell};
}

/**
 * Two triangles for each edge of the grid that the surface crosses, by the four cells around it, facing outwards.
 * @param {Float32Array} values @param {Grid} grid @param {Int32Array} ofCell
 */
function triangles(values, grid, ofCell) {
    const {strides} = grid, list = [];
    for (let at = 0; at < values.length; at++) {
        for (let axis = 0; axis < 3; axis++) {
            const u = strides[(axis + 1) % 3], w = strides[(axis + 2) % 3], next = values[at + strides[axis]];
            if (next === undefined || values[at] > 0 === next > 0) continue;
            const [a, b, c, d] = [at - u - w, at - w, at, at - u].map((cell) => ofCell[cell] ?? -1);
            if (Math.min(a, b, c, d) < 0) continue;
            list.push(...(next > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
    }
    return list;
}

/**
 * Each corner into the middle of its neighbours, which takes off the steps of the grid.
 * @param {Vec[]} places @param {number[]} faces
 */
function smooth(places, faces) {
    const sums = places.map((place) => [...place, 1]);
    /** @param {number} to @param {number} from */
    const add = (to, from) => {
        for (let n = 0; n < 3; n++) sums[to][n] += places[from][n];
        sums[to][3]++;
    };
    for (let t = 0; t < faces.length; t += 3) {
        for (let n = 0; n < 3; n++) {
            add(faces[t + n], faces[t + (n + 1) % 3]);
            add(faces[t + n], faces[t + (n + 2) % 3]);
        }
    }
    return sums.map(([x, y, z, count]) => [x / count, y / count, z / count]);
}

/**
 * @param {World} world the figures as they stand
 * @param {Task} task
 * @param {{figure: number, segment: number, point: Vec, moving: number[]}} wanted the part's point, and the variables
 *     of the world that may move
 * @returns {Promise<ReachCloud['envelope']>} null where the part can go anywhere, as it can with a root that is free
 */
export async function envelope(world, task, {figure, segment, point, moving}) {
    const first = world.firstVariable[figure], may = new Set(moving);
    if (moving.some((v) => /^root\./.test(world.variable(v).name))) return null;
    const moves = Array.from(world.figures[figure].variables, (_, v) => may.has(first + v));
    const workspace = world.figures[figure].reach({kind: 'frame', segment, point},
        {pose: world.part(world.pose, figure), moves, hasFrames: false});
    try {
        const grid = gridAround(workspace.box());
        if (!grid) return null;
        const values = await sample(workspace, grid, task);
        const {places, ofCell} = corners(values, grid), faces = triangles(values, grid, ofCell);
        let smoothed = places;
        for (let n = 0; n < SMOOTHINGS; n++) smoothed = smooth(smoothed, faces);
        return {positions: Float32Array.from(smoothed.flat()), index: Uint32Array.from(faces)};
    } finally {
        workspace.free();
    }
}
