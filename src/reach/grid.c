#include "reach/grid.h"

#include <math.h>

#include "math/outward.h"
#include "math/trig.h"

#define MOST_LINES 30000 /* of a grid, each way */
#define MOST_PIECES 4096 /* that an arc is cut into */
#define LEAST_PIECES 4   /* of a whole turn: each is less than a half turn */
#define NEAR_FULL 1e-6   /* radians: what a whole turn may lack, and be taken for one */
#define TURNED 1e-15     /* radians: more than rounding does where a whole turn is added */
#define FULL (LBM_TWO_PI - NEAR_FULL)

/* --- Cells ------------------------------------------------------------------------------------------------- */

void lbr_grid_lay(lbr_grid *grid, const lbr_zone *zone, double spacing, size_t most) {
    const double wide = zone->r[1] - zone->r[0], high = zone->z[1] - zone->z[0];
    grid->step = lbr_max(spacing, 1e-9 * lbr_max(zone->d[1], DBL_MIN / 1e-9));
    for (;;) {
        const double columns = floor(wide / grid->step) + 1, rows = floor(high / grid->step) + 1;
        if (columns * rows <= (double)most && columns <= MOST_LINES && rows <= MOST_LINES) {
            grid->columns = (int)columns;
            grid->rows = (int)rows;
            break;
        }
        grid->step *= 1.1;
    }
    grid->r = zone->r[0] - 0.5 * (grid->columns * grid->step - wide);
    grid->z = zone->z[0] - 0.5 * (grid->rows * grid->step - high);
}

void lbr_grid_clear(lbr_grid *grid) {
    static const lbr_cell none = {{1, 0}, {1, 0}, {{1, 0}, {1, 0}}};
    for (size_t i = 0; i < lbr_grid_cells(grid); i++) {
        grid->cells[i] = none;
    }
}

static int is_none(const float turn[2]) { return turn[0] > turn[1]; }
static int is_full(const float turn[2]) { return turn[1] - turn[0] >= (float)FULL; }

int lbr_cell_has_turn(const lbr_cell *cell, double turn) {
    for (int k = 0; k < LBR_TURNS; k++) {
        const double low = (double)cell->turns[k][0] - TURNED, high = (double)cell->turns[k][1] + TURNED;
        if ((turn >= low && turn <= high) || (turn + LBM_TWO_PI >= low && turn + LBM_TWO_PI <= high) ||
            (turn - LBM_TWO_PI >= low && turn - LBM_TWO_PI <= high)) {
            return 1;
        }
    }
    return 0;
}

static void set_full(lbr_cell *cell) {
    cell->turns[0][0] = -3.25f; /* a little more than a whole turn */
    cell->turns[0][1] = 3.25f;
    cell->turns[1][0] = 1;
    cell->turns[1][1] = 0;
}

/* The ends of an interval that is turned about by whole turns: outwards. */
static float low_turned(float x, int by) { return by ? lbm_float_below((double)x + by * LBM_TWO_PI - TURNED) : x; }
static float high_turned(float x, int by) { return by ? lbm_float_above((double)x + by * LBM_TWO_PI + TURNED) : x; }

/* Takes interval k of a cell into [low, high] where they overlap. */
static int take_in(lbr_cell *cell, int k, float *low, float *high) {
    float *t = cell->turns[k];
    for (int shift = -1; shift <= 1 && !is_none(t); shift++) {
        const float from = low_turned(*low, shift), to = high_turned(*high, shift);
        if (from <= t[1] && to >= t[0]) {
            *low = from < t[0] ? from : t[0];
            *high = to > t[1] ? to : t[1];
            t[0] = 1;
            t[1] = 0;
            return 1;
        }
    }
    return 0;
}

/* The width of what has both of two intervals, the way around that is shorter. */
static float hull_width(const float a[2], const float b[2], float hull[2]) {
    float best = 1e9f;
    for (int shift = -1; shift <= 1; shift++) {
        const float from = low_turned(b[0], shift), to = high_turned(b[1], shift);
        const float low = a[0] < from ? a[0] : from, high = a[1] > to ? a[1] : to;
        if (high - low < best) {
            best = high - low;
            hull[0] = low;
            hull[1] = high;
        }
    }
    return best;
}

/* Puts an interval that overlaps none into a cell; where there is no room, the two that are nearest become one. */
static void put(lbr_cell *cell, float low, float high) {
    while (low < -3.15f) {
        low = low_turned(low, 1);
        high = high_turned(high, 1);
    }
    while (low >= 3.15f) {
        low = low_turned(low, -1);
        high = high_turned(high, -1);
    }
    const int free_slot = is_none(cell->turns[0]) ? 0 : is_none(cell->turns[1]) ? 1 : -1;
    if (free_slot >= 0) {
        cell->turns[free_slot][0] = low;
        cell->turns[free_slot][1] = high;
        return;
    }
    const float added[2] = {low, high};
    float with[3][2];
    const float widths[3] = {hull_width(cell->turns[0], added, with[0]) - (cell->turns[0][1] - cell->turns[0][0]),
                             hull_width(cell->turns[1], added, with[1]) - (cell->turns[1][1] - cell->turns[1][0]),
                             hull_width(cell->turns[0], cell->turns[1], with[2]) -
                                 (cell->turns[0][1] - cell->turns[0][0]) - (cell->turns[1][1] - cell->turns[1][0]) +
                                 (high - low)};
    const int least = widths[0] <= widths[1] ? (widths[0] <= widths[2] ? 0 : 2) : (widths[1] <= widths[2] ? 1 : 2);
    cell->turns[least == 1][0] = 1;
    cell->turns[least == 1][1] = 0;
    if (least == 2) {
        cell->turns[1][0] = 1;
        cell->turns[1][1] = 0;
        put(cell, low, high);
    }
    /* what was joined may overlap the other one: it is taken in as any interval is */
    float low2 = with[least][0], high2 = with[least][1];
    for (int k = 0; k < LBR_TURNS; k++) {
        k = take_in(cell, k, &low2, &high2) ? -1 : k;
    }
    if (high2 - low2 >= (float)FULL) {
        set_full(cell);
    } else {
        put(cell, low2, high2);
    }
}

/* Turns of a patch as those of cells are, with what rounding may lose. Returns 0 where it has all. */
static int take_turns(const double turn[2], double taken[2]) {
    const double whole = LBM_TWO_PI * floor((turn[0] + LBM_PI) / LBM_TWO_PI);
    const double rounding = TURNED * (LBM_TWO_PI + fabs(turn[0]) + fabs(turn[1]));
    taken[0] = turn[0] - whole - rounding;
    taken[1] = turn[1] - whole + rounding;
    return turn[1] - turn[0] < FULL;
}

/* Adds turns to a cell; NULL: all. */
static void add_turn(lbr_cell *cell, const double *turn) {
    if (is_full(cell->turns[0])) {
        return;
    }
    if (!turn) {
        set_full(cell);
        return;
    }
    for (int k = 0; k < LBR_TURNS; k++) {
        if (turn[0] >= (double)cell->turns[k][0] && turn[1] <= (double)cell->turns[k][1]) {
            return; /* as is most often so */
        }
    }
    float low = lbm_float_below(turn[0]), high = lbm_float_above(turn[1]);
    for (int k = 0; k < LBR_TURNS; k++) {
        k = take_in(cell, k, &low, &high) ? -1 : k;
    }
    if (high - low >= (float)FULL) {
        set_full(cell);
    } else {
        put(cell, low, high);
    }
}

static void add_box(lbr_cell *cell, const double r[2], const double z[2]) {
    const int is_empty = cell->r[0] > cell->r[1];
    cell->r[0] = is_empty || r[0] < (double)cell->r[0] ? lbm_float_below(r[0]) : cell->r[0];
    cell->r[1] = is_empty || r[1] > (double)cell->r[1] ? lbm_float_above(r[1]) : cell->r[1];
    cell->z[0] = is_empty || z[0] < (double)cell->z[0] ? lbm_float_below(z[0]) : cell->z[0];
    cell->z[1] = is_empty || z[1] > (double)cell->z[1] ? lbm_float_above(z[1]) : cell->z[1];
}

static int clamp_index(double x, int count) { return x < 0 ? 0 : x >= count ? count - 1 : (int)x; }

void lbr_grid_add(lbr_grid *grid, const lbr_patch *p) {
    const double per = 1 / grid->step;
    double taken[2];
    const double *turn = take_turns(p->turn, taken) ? taken : NULL;
    const int left = clamp_index((p->r[0] - grid->r) * per, grid->columns);
    const int right = clamp_index((p->r[1] - grid->r) * per, grid->columns);
    const int bottom = clamp_index((p->z[0] - grid->z) * per, grid->rows);
    const int top = clamp_index((p->z[1] - grid->z) * per, grid->rows);
    for (int row = bottom; row <= top; row++) {
        const double low_z = grid->z + row * grid->step;
        const double z[2] = {row == bottom ? p->z[0] : low_z, row == top ? p->z[1] : low_z + grid->step};
        for (int column = left; column <= right; column++) {
            const double low_r = grid->r + column * grid->step;
            const double r[2] = {column == left ? p->r[0] : low_r, column == right ? p->r[1] : low_r + grid->step};
            lbr_cell *cell = &grid->cells[(size_t)row * (size_t)grid->columns + (size_t)column];
            add_box(cell, r, z);
            add_turn(cell, turn);
        }
    }
}

/* --- Questions --------------------------------------------------------------------------------------------- */

/* A lower bound of the distance to what is in a cell. */
static double to_cell(const lbr_cell *cell, double r, double z, double turn) {
    if (cell->r[0] > cell->r[1]) {
        return INFINITY;
    }
    const double dr = lbr_max(0, lbr_max((double)cell->r[0] - r, r - (double)cell->r[1]));
    const double dz = lbr_max(0, lbr_max((double)cell->z[0] - z, z - (double)cell->z[1]));
    const double box2 = dr * dr + dz * dz;
    if (lbr_cell_has_turn(cell, turn)) {
        return sqrt(box2);
    }
    double least = LBM_PI;
    for (int k = 0; k < LBR_TURNS; k++) {
        for (int end = 0; end < 2 && !is_none(cell->turns[k]); end++) {
            const double off = fabs(turn - (double)cell->turns[k][end]), other = fabs(off - LBM_TWO_PI);
            least = lbr_min(least, lbr_min(off, other));
        }
    }
    const double side = least < LBM_HALF_PI ? r * (least * (1 - least * least * (1.0 / 6))) : r; /* at most r sin */
    return sqrt(lbr_max(box2, side * side + dz * dz));
}

double lbr_grid_missing(const lbr_grid *grid, double r, double z, double turn) {
    const double x = (r - grid->r) / grid->step, y = (z - grid->z) / grid->step;
    if (!(x >= -1 && y >= -1 && x <= grid->columns + 1 && y <= grid->rows + 1)) {
        return 0; /* the zone says more */
    }
    const int column = clamp_index(x, grid->columns), row = clamp_index(y, grid->rows);
    double missing = INFINITY;
    for (int i = row > 0 ? row - 1 : 0; i <= row + 1 && i < grid->rows; i++) {
        for (int k = column > 0 ? column - 1 : 0; k <= column + 1 && k < grid->columns; k++) {
            missing =
                lbr_min(missing, to_cell(&grid->cells[(size_t)i * (size_t)grid->columns + (size_t)k], r, z, turn));
        }
    }
    /* Beyond the cells about the point there may be others. */
    const double left = x - (column - 1), right = column + 2 - x, down = y - (row - 1), up = row + 2 - y;
    const double edge = lbr_min(lbr_min(left, right), lbr_min(down, up)) * grid->step;
    missing = lbr_min(missing, lbr_max(0, edge));
    return missing;
}

/* --- Sweeping ---------------------------------------------------------------------------------------------- */

/* What is under way. */
typedef struct sweep {
    lbr_grid *grid;
    const lbm_transform *t;
    const lbr_link *link;
    const lbr_zone *bounds;
    int is_full; /* all turns are reached */
    double step; /* along arcs */
} sweep;

/* Clips a patch to the bounds, which are as far out as rounding may have them: of a flat workspace both are at one
 * height, which a patch misses by one rounding. Returns 0 where nothing is left. */
static int clip(const lbr_zone *bounds, lbr_patch *p) {
    const double slack = bounds->slack, most = bounds->d[1] + slack, least = lbr_max(0, bounds->d[0] - slack);
    p->r[0] = lbr_max(p->r[0], bounds->r[0] - slack);
    p->r[1] = lbr_min(p->r[1], bounds->r[1] + slack);
    p->z[0] = lbr_max(p->z[0], bounds->z[0] - slack);
    p->z[1] = lbr_min(p->z[1], bounds->z[1] + slack);
    if (p->r[0] > p->r[1] || p->z[0] > p->z[1]) {
        return 0;
    }
    const double near = p->z[0] > 0 ? p->z[0] : p->z[1] < 0 ? -p->z[1] : 0, far = lbr_max(fabs(p->z[0]), fabs(p->z[1]));
    return p->r[0] * p->r[0] + near * near <= most * most * (1 + 0x1p-49) &&
           p->r[1] * p->r[1] + far * far >= least * least * (1 - 0x1p-49);
}

/* The greatest extent along `way` of a box with half sides `half` along three axes. */
static double extent(double axes[3][3], const double half[3], const double way[3]) {
    return half[0] * fabs(lbm_dot3(axes[0], way)) + half[1] * fabs(lbm_dot3(axes[1], way)) +
           half[2] * fabs(lbm_dot3(axes[2], way));
}

/* A box with these axes and half sides about a point, in the new frame: its distances from the axis, its heights and
 * its turns. The distance from an axis is convex: it lies above its tangent, r + v_r, and below sqrt((r + v_r)^2 +
 * v_t^2). The slack is more than the box is off by rounding. */
static void add_piece(const sweep *s, const double at[3], double axes[3][3], const double half[3]) {
    const double r = sqrt(at[0] * at[0] + at[1] * at[1]), per = r > 0 ? 1 / r : 0;
    const double out[3] = {r > 0 ? at[0] * per : 1, at[1] * per, 0}, side[3] = {-out[1], out[0], 0}, up[3] = {0, 0, 1};
    const double slack = s->bounds->slack, dr = extent(axes, half, out) + slack, dt = extent(axes, half, side) + slack;
    const double dz = extent(axes, half, up) + slack, far = r + dr;
    lbr_patch p = {
        {lbr_max(0, r - dr), sqrt(far * far + dt * dt) + slack}, {at[2] - dz, at[2] + dz}, {-LBM_PI, LBM_PI}};
    const double along = r - dr; /* at least, in the direction of the point */
    const int is_about = !(along > 0) || dt >= 3 * along;
    if (s->link->kind == LBF_NODE_TRANSLATE) {
        p.z[0] += s->link->low[0];
        p.z[1] += s->link->high[0];
    }
    if (!clip(s->bounds, &p)) {
        return;
    }
    if (!s->is_full && !is_about) {
        const double turn = lbm_atan2(at[1], at[0]), wide = dt / along; /* at least its arc tangent */
        const int is_turning = s->link->kind == LBF_NODE_ROTATE;
        p.turn[0] = turn - wide + (is_turning ? s->link->low[0] : 0);
        p.turn[1] = turn + wide + (is_turning ? s->link->high[0] : 0);
    }
    lbr_grid_add(s->grid, &p);
}

/* A box of the half-plane over an interval of turns, in pieces. */
static void add_arc(const sweep *s, const double r[2], const double z[2], double low, double high) {
    const double wide = high - low, middle = 0.5 * (r[0] + r[1]), height = 0.5 * (z[0] + z[1]);
    const double wanted = lbr_max(wide * r[1] / s->step, wide * (LEAST_PIECES / LBM_TWO_PI));
    const int count = 1 + (wanted < MOST_PIECES ? (int)wanted : MOST_PIECES);
    const double part = wide / count, flat = 1 - lbm_cos(0.5 * part); /* at most a quarter turn, and rounding */
    const double half[3] = {0.5 * (r[1] - r[0]) + r[1] * flat, r[1] * lbm_sin(0.5 * part), 0.5 * (z[1] - z[0])};
    for (int k = 0; k < count; k++) {
        double sine, cosine, axes[3][3], at[3];
        lbm_sincos(low + (k + 0.5) * part, &sine, &cosine);
        for (int i = 0; i < 3; i++) {
            axes[0][i] = cosine * s->t->x[i] + sine * s->t->y[i];
            axes[1][i] = cosine * s->t->y[i] - sine * s->t->x[i];
            axes[2][i] = s->t->z[i];
            at[i] = s->t->p[i] + middle * axes[0][i] + height * axes[2][i];
        }
        add_piece(s, at, axes, half);
    }
}

/* An arc or an annulus, in strips. */
static void sweep_zone(sweep *s, const lbr_zone *zone) {
    s->step = 0.25 * s->grid->step;
    const int strips = 1 + (int)((zone->r[1] - zone->r[0]) / s->grid->step);
    const double wide = (zone->r[1] - zone->r[0]) / strips;
    for (int i = 0; i < strips; i++) {
        const double r[2] = {zone->r[0] + i * wide, i + 1 < strips ? zone->r[0] + (i + 1) * wide : zone->r[1]};
        add_arc(s, r, zone->z, zone->turn - zone->half, zone->turn + zone->half);
    }
}

void lbr_grid_sweep(lbr_grid *grid, const lbr_source *source, const lbm_transform *t, const lbr_link *link,
                    const lbr_zone *bounds) {
    sweep s = {grid, t, link, bounds, lbr_turns_fully(link), 0};
    lbr_grid_clear(grid);
    if (!source->grid) {
        sweep_zone(&s, source->zone);
        return;
    }
    s.step = grid->step;
    for (size_t i = 0; i < lbr_grid_cells(source->grid); i++) {
        const lbr_cell *cell = &source->grid->cells[i];
        if (cell->r[0] > cell->r[1]) {
            continue;
        }
        const double r[2] = {(double)cell->r[0], (double)cell->r[1]}, z[2] = {(double)cell->z[0], (double)cell->z[1]};
        for (int k = 0; k < LBR_TURNS; k++) {
            if (!is_none(cell->turns[k])) {
                add_arc(&s, r, z, (double)cell->turns[k][0],
                        lbr_min((double)cell->turns[k][1], (double)cell->turns[k][0] + LBM_TWO_PI));
            }
        }
    }
}

int lbr_grid_tighten(const lbr_grid *grid, lbr_zone *zone) {
    double r[2] = {INFINITY, -INFINITY}, z[2] = {INFINITY, -INFINITY}, d[2] = {INFINITY, 0};
    for (size_t i = 0; i < lbr_grid_cells(grid); i++) {
        const lbr_cell *cell = &grid->cells[i];
        if (cell->r[0] > cell->r[1]) {
            continue;
        }
        const double low = (double)cell->z[0], high = (double)cell->z[1];
        const double near = low > 0 ? low : high < 0 ? -high : 0, far = lbr_max(fabs(low), fabs(high));
        const double in = (double)cell->r[0], out = (double)cell->r[1];
        r[0] = lbr_min(r[0], in);
        r[1] = lbr_max(r[1], out);
        z[0] = lbr_min(z[0], low);
        z[1] = lbr_max(z[1], high);
        d[0] = lbr_min(d[0], sqrt(in * in + near * near));
        d[1] = lbr_max(d[1], sqrt(out * out + far * far));
    }
    if (!(r[0] <= r[1])) {
        return 0;
    }
    zone->r[0] = lbr_max(zone->r[0], r[0]);
    zone->r[1] = lbr_min(zone->r[1], r[1]);
    zone->z[0] = lbr_max(zone->z[0], z[0]);
    zone->z[1] = lbr_min(zone->z[1], z[1]);
    zone->d[0] = lbr_max(zone->d[0], d[0] - zone->slack);
    zone->d[1] = lbr_min(zone->d[1], d[1] + zone->slack);
    return 1;
}
