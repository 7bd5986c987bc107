#include "reach/inner.h"

#include <math.h>
#include <stdint.h>

#include "math/trig.h"

#define JOINTS 16     /* of a chain that this is tried for, at most */
#define SAMPLES 40000 /* poses: of arms of seven joints some ten to a cell */
#define AT_LIMIT 0.15 /* radians or metres: a joint this near to a limit may be left out */
#define SHRINK 1e-6f  /* radians: what rounding to float may add */
#define FINER 4       /* times as many cells along r and along z as the outer grid has: balls are small */
#define HALF_DIAGONAL 0.7072

/* A pose with its axes, in the frame of the first link where that is at 0. */
typedef struct sample {
    const lbr_chain *chain;
    const lbr_zone *zones;
    double values[JOINTS], margins[JOINTS]; /* how far each joint is from its limits; the first one's is not counted */
    double columns[JOINTS][3];              /* of the Jacobian */
    double at[3];
} sample;

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Draws the joints behind the first one; one in six is at a limit. */
static void draw(sample *s, uint64_t *state) {
    s->values[0] = 0;
    s->margins[0] = INFINITY;
    for (int i = 1; i < s->chain->count; i++) {
        const lbr_link *link = &s->chain->links[i];
        const double u = uniform(state), edge = uniform(state);
        if (lbr_turns_fully(link)) {
            s->values[i] = (2 * u - 1) * LBM_PI;
            s->margins[i] = INFINITY; /* beyond its limits it is itself, a turn away */
            continue;
        }
        s->values[i] = edge < 1.0 / 12   ? link->low[0]
                       : edge < 2.0 / 12 ? link->high[0]
                                         : link->low[0] + u * (link->high[0] - link->low[0]);
        s->margins[i] = lbr_min(s->values[i] - link->low[0], link->high[0] - s->values[i]);
    }
}

/* Forward kinematics, and the Jacobian of the point. */
static void place(sample *s, const double local[3]) {
    const lbr_chain *chain = s->chain;
    lbm_transform frame, moved;
    double origins[JOINTS][3];
    lbm_transform_identity(&frame);
    for (int i = 0; i < chain->count; i++) {
        const lbr_link *link = &chain->links[i];
        if (i) {
            lbm_transform_multiply(&frame, &link->constant, &moved);
            frame = moved;
        }
        lbm_copy3(s->columns[i], frame.z);
        if (link->kind == LBF_NODE_TRANSLATE) {
            lbm_add_scaled3(frame.p, frame.z, s->values[i]);
        } else {
            double sine, cosine;
            lbm_sincos(s->values[i], &sine, &cosine);
            for (int k = 0; k < 3; k++) {
                const double x = frame.x[k], y = frame.y[k];
                frame.x[k] = cosine * x + sine * y;
                frame.y[k] = cosine * y - sine * x;
            }
        }
        lbm_copy3(origins[i], frame.p);
    }
    lbm_apply(&frame, local, s->at);
    for (int i = 0; i < chain->count; i++) {
        if (chain->links[i].kind == LBF_NODE_ROTATE) {
            double arm[3], axis[3];
            lbm_copy3(axis, s->columns[i]);
            lbm_sub3(s->at, origins[i], arm);
            lbm_cross3(axis, arm, s->columns[i]);
        }
    }
}

/* The least eigenvalue of a symmetric matrix, by its characteristic polynomial (three real roots, as a cosine). */
static double least_eigenvalue(double m[3][3]) {
    const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
    const double off2 = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
    const double a = m[0][0] - mean, b = m[1][1] - mean, c = m[2][2] - mean;
    const double size = sqrt((a * a + b * b + c * c + 2 * off2) / 6);
    if (!(size > 1e-12 * mean)) {
        return mean;
    }
    const double determinant = a * (b * c - m[1][2] * m[1][2]) - m[0][1] * (m[0][1] * c - m[1][2] * m[0][2]) +
                               m[0][2] * (m[0][1] * m[1][2] - b * m[0][2]);
    const double cosine = lbr_max(-1, lbr_min(1, 0.5 * determinant / (size * size * size)));
    const double angle = lbm_acos(cosine) / 3;
    return mean + 2 * size * lbm_cos(angle + 2 * LBM_PI / 3) - 1e-7 * size; /* acos is good to 1e-8 at its ends */
}

/* The radius of the ball that is reached with the joints whose margins are not below `least`; *way is how far they
 * move. */
static double ball(const sample *s, double least, double *way) {
    double m[3][3] = {{0}}, bend2 = 0, margin = INFINITY;
    int turning = 0;
    for (int i = 0; i < s->chain->count; i++) {
        if (s->margins[i] < least) {
            continue;
        }
        const int turns = s->chain->links[i].kind == LBF_NODE_ROTATE;
        const double far = turns ? s->zones[i].r[1] : 1;
        bend2 += (2 * turning + turns) * far * far;
        turning += turns;
        margin = lbr_min(margin, s->margins[i]);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                m[a][b] += s->columns[i][a] * s->columns[i][b];
            }
        }
    }
    const double value = least_eigenvalue(m);
    if (!(value > 0) || !(bend2 > 0)) {
        return 0;
    }
    const double singular = sqrt(value), bend = sqrt(bend2) * (1 + 1e-9);
    *way = lbr_min(0.5 * singular / bend, margin);
    return (singular - bend * *way) * *way;
}

/* --- Cells ------------------------------------------------------------------------------------------------- */

static int is_full(const lbr_cell *cell) { return cell->turns[0][1] - cell->turns[0][0] >= (float)LBM_TWO_PI; }

/* Joins an interval with those of a cell that it overlaps; of what is left over the longest stay. */
static void add_turns(lbr_cell *cell, double from, double to) {
    const double whole = LBM_TWO_PI * floor((from + LBM_PI) / LBM_TWO_PI);
    float low = (float)(from - whole) + SHRINK, high = (float)(to - whole) - SHRINK;
    for (int k = 0; k < LBR_TURNS && low < high; k++) {
        float *t = cell->turns[k];
        for (int shift = -1; shift <= 1 && t[0] <= t[1]; shift++) {
            const float by = (float)(shift * LBM_TWO_PI);
            if (low + by <= t[1] && high + by >= t[0]) {
                low = low + by < t[0] ? low + by : t[0];
                high = high + by > t[1] ? high + by : t[1];
                t[0] = 1;
                t[1] = 0;
                k = -1;
                break;
            }
        }
    }
    while (low < (float)-LBM_PI) {
        low += (float)LBM_TWO_PI;
        high += (float)LBM_TWO_PI;
    }
    while (low >= (float)LBM_PI) {
        low -= (float)LBM_TWO_PI;
        high -= (float)LBM_TWO_PI;
    }
    int slot = 0;
    for (int k = 1; k < LBR_TURNS; k++) {
        slot = cell->turns[k][1] - cell->turns[k][0] < cell->turns[slot][1] - cell->turns[slot][0] ? k : slot;
    }
    if (high - low > cell->turns[slot][1] - cell->turns[slot][0]) {
        cell->turns[slot][0] = low;
        cell->turns[slot][1] = high;
    }
}

/* Takes the cells that lie in a disc as a whole. */
static void add_disc(lbr_inner *inner, const lbr_link *first, const sample *s, double radius, double way) {
    lbr_grid *g = &inner->grid;
    const double r = sqrt(s->at[0] * s->at[0] + s->at[1] * s->at[1]), z = s->at[2];
    const double turn = lbm_atan2(s->at[1], s->at[0]);
    const int turns_fully = lbr_turns_fully(first);
    const double room = radius - HALF_DIAGONAL * g->step - s->chain->slack;
    if (room <= 0 || (!turns_fully && first->high[0] - first->low[0] <= 2 * way)) {
        return;
    }
    const int left = (int)lbr_max(0, -floor(0.5 - (r - room - g->r) / g->step));
    const int bottom = (int)lbr_max(0, -floor(0.5 - (z - room - g->z) / g->step));
    for (int row = bottom; row < g->rows; row++) {
        const double dz = g->z + (row + 0.5) * g->step - z;
        if (dz > room) {
            break;
        }
        for (int column = left; column < g->columns; column++) {
            const double dr = g->r + (column + 0.5) * g->step - r;
            if (dr > room) {
                break;
            }
            lbr_cell *cell = &g->cells[(size_t)row * (size_t)g->columns + (size_t)column];
            if (dr * dr + dz * dz > room * room || is_full(cell)) {
                continue;
            }
            cell->r[0] = cell->r[1] = 0;
            if (turns_fully) {
                cell->turns[0][0] = -4;
                cell->turns[0][1] = 4;
            } else {
                add_turns(cell, turn + first->low[0] + way, turn + first->high[0] - way);
            }
        }
    }
}

/* Chessboard distances to cells that are not full, in two passes; the axis is no edge. */
static void measure_depth(lbr_inner *inner) {
    const lbr_grid *g = &inner->grid;
    const int reaches_axis = g->r <= 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t n = 0; n < lbr_grid_cells(g); n++) {
            const size_t at = pass ? lbr_grid_cells(g) - 1 - n : n;
            const int row = (int)(at / (size_t)g->columns), column = (int)(at % (size_t)g->columns);
            float least = pass ? inner->depth[at] : 1e9f;
            for (int k = 0; k < 4; k++) {
                static const int rows[4] = {0, -1, -1, -1}, columns[4] = {-1, -1, 0, 1};
                const int r = row + (pass ? -rows[k] : rows[k]), c = column + (pass ? -columns[k] : columns[k]);
                const int is_off = r < 0 || r >= g->rows || c >= g->columns || (c < 0 && !reaches_axis);
                if (is_off) {
                    least = least > 1 ? 1 : least;
                } else if (c >= 0) {
                    const float there = inner->depth[(size_t)r * (size_t)g->columns + (size_t)c] + 1;
                    least = least > there ? there : least;
                }
            }
            inner->depth[at] = is_full(&g->cells[at]) ? least : 0;
        }
    }
}

static int applies(const lbr_chain *chain) {
    if (!chain->is_free || chain->has_loops || chain->count < 3 || chain->count > JOINTS ||
        chain->links[0].kind != LBF_NODE_ROTATE) {
        return 0;
    }
    for (int i = 0; i < chain->count; i++) {
        const lbr_link *link = &chain->links[i];
        const int is_bounded = lbm_is_finite(link->low[0]) && lbm_is_finite(link->high[0]);
        if (link->kind != LBF_NODE_ROTATE && (link->kind != LBF_NODE_TRANSLATE || !is_bounded)) {
            return 0;
        }
    }
    return 1;
}

lb_status lbr_inner_make(lbr_inner **made, const lbr_chain *chain, const double local[3], const lbr_zone *zones,
                         const lbr_grid *outer) {
    *made = NULL;
    if (!applies(chain)) {
        return LB_OK;
    }
    lbr_inner *inner = lbf_new(chain->allocator, 1, sizeof *inner);
    if (!inner) {
        return LB_ERROR_MEMORY;
    }
    inner->grid = *outer;
    inner->grid.step = outer->step / FINER;
    inner->grid.columns = outer->columns * FINER;
    inner->grid.rows = outer->rows * FINER;
    inner->grid.cells = lbf_new(chain->allocator, lbr_grid_cells(&inner->grid), sizeof *inner->grid.cells);
    inner->depth = lbf_new(chain->allocator, lbr_grid_cells(&inner->grid), sizeof *inner->depth);
    if (!inner->grid.cells || !inner->depth) {
        lbr_inner_free(inner, chain->allocator);
        return LB_ERROR_MEMORY;
    }
    lbr_grid_clear(&inner->grid);
    sample s;
    s.chain = chain;
    s.zones = zones;
    uint64_t state = 1982;
    for (int i = 0; i < SAMPLES; i++) {
        double way = 0, other_way = 0;
        draw(&s, &state);
        place(&s, local);
        const double radius = ball(&s, 0, &way), other = ball(&s, AT_LIMIT, &other_way);
        add_disc(inner, &chain->links[0], &s, lbr_max(radius, other), radius > other ? way : other_way);
    }
    measure_depth(inner);
    *made = inner;
    return LB_OK;
}

void lbr_inner_free(lbr_inner *inner, const lb_allocator *allocator) {
    if (inner) {
        lbf_delete(allocator, inner->grid.cells, lbr_grid_cells(&inner->grid), sizeof *inner->grid.cells);
        lbf_delete(allocator, inner->depth, lbr_grid_cells(&inner->grid), sizeof *inner->depth);
        lbf_delete(allocator, inner, 1, sizeof *inner);
    }
}

int lbr_inner_has(const lbr_inner *inner, const double point[3], double *depth) {
    const lbr_grid *g = &inner->grid;
    const double r = sqrt(point[0] * point[0] + point[1] * point[1]);
    const double x = (r - g->r) / g->step, y = (point[2] - g->z) / g->step;
    if (!(x >= 0 && y >= 0 && x < g->columns && y < g->rows)) {
        return 0;
    }
    const int column = (int)x, row = (int)y;
    const size_t at = (size_t)row * (size_t)g->columns + (size_t)column;
    if (!lbr_cell_has_turn(&g->cells[at], lbm_atan2(point[1], point[0]))) {
        return 0;
    }
    const double dx = x - column - 0.5, dy = y - row - 0.5;
    const double by_cells = (double)inner->depth[at] - 0.5 - sqrt(dx * dx + dy * dy);
    *depth = is_full(&g->cells[at]) ? lbr_max(0, by_cells) * g->step : 0;
    return 1;
}
