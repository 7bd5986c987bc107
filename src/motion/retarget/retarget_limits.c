/* Limits in the problem of a window. A guess of what ends at a limit is held while the system is solved; the slots
 * whose steps limits stop, by the guess or by what they would cross, then get the best step inside their limits, one by
 * one, the steps of their neighbours being what they are: frames are coupled far more weakly than the joints of a
 * frame. */
#include "math/active_set.h"
#include "math/box.h"
#include "motion/retarget/retarget_window.h"

#define STIFF 1e7     /* weight that holds a variable at its limit */
#define CROSSED 1e-9  /* beyond a limit, radians or metres */
#define CORRECTIONS 8 /* passes in which further limits of a step are found */

/* Adds STIFF * (a limit's row . d - aim)^2 to a block, both of its triangles, and to its right side. */
static void add_row(const lbt_window *s, const lb_limit_row *row, double aim, double *block, double *right) {
    for (int a = 0; a < row->count; a++) {
        const int i = row->variables[a];
        right[i] += STIFF * row->coefficients[a] * aim;
        for (int b = 0; b < row->count; b++) {
            block[(size_t)i * (size_t)s->stride + (size_t)row->variables[b]] +=
                STIFF * row->coefficients[a] * row->coefficients[b];
        }
    }
}

/* Holds what is at a limit and is pushed outward: a guess of what ends there. Returns how many are held. */
static int hold_limits(const lbt_window *s, int slot, int index) {
    const lbs_space *space = s->space;
    const double *z = lbt_window_row(s, s->z, slot);
    double *own = s->system.own + (size_t)index * (size_t)s->n * (size_t)s->stride;
    double *right = lbt_window_row(s, s->system.right, index);
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        const int side = lbm_side_of(z[i], space->variables.lower[i], space->variables.upper[i]);
        if (side == 2 || (side != 0 && side * right[i] > 0)) {
            own[(size_t)i * (size_t)s->stride + (size_t)i] += STIFF;
            right[i] = 0;
            count++;
        }
    }
    for (int k = 0; k < space->limits.count; k++) {
        const lb_limit_row *row = &space->limits.rows[k];
        double push = 0;
        for (int a = 0; a < row->count; a++) {
            push += row->coefficients[a] * right[row->variables[a]];
        }
        if (lbm_row_is_on(row, z) && (push > 0 || row->kind == LB_LIMIT_EQUAL)) {
            add_row(s, row, 0, own, right);
            count++;
        }
    }
    return count;
}

/* Whether a step takes a slot beyond a bound. */
static int crosses_bounds(const lbt_window *s, int slot, const double *d) {
    const double *z = lbt_window_row(s, s->z, slot), *lower = s->space->variables.lower,
                 *upper = s->space->variables.upper;
    int crosses = 0;
    for (int i = 0; i < s->n; i++) {
        crosses |= z[i] + d[i] < lower[i] - CROSSED || z[i] + d[i] > upper[i] + CROSSED;
    }
    return crosses;
}

/* Adds the rows that a step of a slot would violate to its block and right side, if `block` is not NULL. Returns how
 * many. */
static int add_crossed_rows(const lbt_window *s, int slot, const double *d, double *block, double *right) {
    const double *z = lbt_window_row(s, s->z, slot);
    int count = 0;
    for (int k = 0; k < s->space->limits.count; k++) {
        const lb_limit_row *row = &s->space->limits.rows[k];
        double excess = lbm_row_excess(row, z, NULL), way = 0;
        for (int a = 0; a < row->count; a++) {
            way += row->coefficients[a] * d[row->variables[a]];
        }
        if (excess + way > CROSSED) {
            if (block) {
                add_row(s, row, -excess, block, right);
            }
            count++;
        }
    }
    return count;
}

/* The right side of a slot by itself, the steps of its neighbours being known. */
static void find_right(const lbt_window *s, int slot, int from, int to, double *right) {
    const int index = slot - from;
    memcpy(right, lbt_window_row(s, s->stopped.rights, index), (size_t)s->stride * sizeof *right);
    for (int reach = 1; reach <= 2; reach++) {
        double *coupling = s->stopped.couplings + (size_t)((reach - 1) * s->capacity) * (size_t)s->stride;
        for (int i = 0; i < s->n; i++) {
            right[i] -= index >= reach ? lbt_window_row(s, coupling, index - reach)[i] *
                                             lbt_window_row(s, s->system.right, index - reach)[i]
                                       : 0;
            right[i] -= slot + reach < to ? lbt_window_row(s, coupling, index)[i] *
                                                lbt_window_row(s, s->system.right, index + reach)[i]
                                          : 0;
        }
    }
}

/* The best step of a slot inside its limits, the steps of its neighbours being what they are. */
static void correct_step(const lbt_window *s, int slot, int from, int to) {
    const int index = slot - from;
    const size_t size = (size_t)s->n * (size_t)s->stride, row = (size_t)s->stride;
    const double *z = lbt_window_row(s, s->z, slot), *lower = s->space->variables.lower,
                 *upper = s->space->variables.upper;
    double *right = s->stopped.box, *gradient = right + row, *low = gradient + row, *high = low + row, *d = high + row;
    double *step = lbt_window_row(s, s->system.right, index);
    find_right(s, slot, from, to, right);
    memcpy(s->stopped.corrected, s->stopped.blocks + (size_t)index * size, size * sizeof *s->stopped.corrected);
    s->space->kernels->mirror(s->n, s->stopped.corrected);
    for (int i = 0; i < s->n; i++) {
        low[i] = lower[i] - z[i] < 0 ? lower[i] - z[i] : 0;
        high[i] = upper[i] - z[i] > 0 ? upper[i] - z[i] : 0;
        s->stopped.state[i] = 0;
    }
    for (int pass = 0; pass < CORRECTIONS; pass++) {
        double lack;
        for (int i = 0; i < s->n; i++) {
            gradient[i] = -right[i];
        }
        const lbm_box_matrix box = {.kernels = s->space->kernels,
                                    .n = s->n,
                                    .stride = s->stride,
                                    .matrix = s->stopped.corrected,
                                    .gradient = gradient,
                                    .low = low,
                                    .high = high,
                                    .state = s->stopped.state,
                                    .d = d,
                                    .scratch = d + row};
        if (lbm_box_matrix_solve(&box, &lack)) {
            memset(step, 0, row * sizeof *step);
            return;
        }
        if (!add_crossed_rows(s, slot, d, s->stopped.corrected, right)) {
            break;
        }
    }
    memcpy(step, d, row * sizeof *step);
}

/* Remembers the system, which its solution overwrites. */
static void keep_system(const lbt_window *s, int count) {
    const size_t size = (size_t)s->n * (size_t)s->stride;
    memcpy(s->stopped.blocks, s->system.own, (size_t)count * size * sizeof *s->stopped.blocks);
    memcpy(s->stopped.rights, s->system.right, (size_t)count * (size_t)s->stride * sizeof *s->stopped.rights);
    for (int reach = 0; reach < 2; reach++) {
        const double *from = reach ? s->system.second : s->system.next;
        for (int index = 0; index < count; index++) {
            double *to = s->stopped.couplings + (size_t)(reach * s->capacity + index) * (size_t)s->stride;
            for (int i = 0; i < s->n; i++) {
                to[i] = from[(size_t)index * size + (size_t)i * (size_t)(s->stride + 1)];
            }
        }
    }
}

void lbt_window_correct_steps(lbt_window *s, int from, int to) {
    for (int slot = from; slot < to; slot++) {
        const double *d = lbt_window_row(s, s->system.right, slot - from);
        s->stopped.is_stopped[slot] |= crosses_bounds(s, slot, d) || add_crossed_rows(s, slot, d, NULL, NULL);
    }
    for (int slot = from; slot < to; slot++) {
        if (s->stopped.is_stopped[slot]) {
            correct_step(s, slot, from, to);
        }
    }
    for (int slot = to - 2; slot >= from; slot--) {
        if (s->stopped.is_stopped[slot]) {
            correct_step(s, slot, from, to);
        }
    }
}

void lbt_window_hold_limits(lbt_window *s, int from, int to) {
    keep_system(s, to - from);
    for (int slot = from; slot < to; slot++) {
        s->stopped.is_stopped[slot] = hold_limits(s, slot, slot - from) > 0;
    }
}
