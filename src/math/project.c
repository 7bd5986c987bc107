#include "math/project.h"

#include "math/active_set.h"
#include "math/arena.h"

#include <math.h>
#include <string.h>

#define KEPT 1e-12       /* a row holds if it is exceeded by at most this times the size of its terms */
#define KEPT_BARELY 1e-9 /* the same where limits almost contradict each other */
#define PASSES 4         /* from a far start one pass leaves errors of the start's size; the next goes on from there */
#define SWEEPS 20000

/* ---------------------------------------------------------------------------------------------------
 * Scratch
 * ------------------------------------------------------------------------------------------------- */

#define BUCKETS 4096

static int bucket_root(uint16_t *parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* How many variables the largest component has; somewhat more if there are over BUCKETS variables: then neighbours
 * share a bucket, and components that meet in one are taken for one. This needs no memory but the stack's. */
static size_t largest_component(int n, int row_count, const lb_limit_row *rows) {
    const int width = n / BUCKETS + 1, buckets = (n + width - 1) / width;
    uint16_t parent[BUCKETS], members[BUCKETS];
    unsigned char is_touched[BUCKETS];
    for (int i = 0; i < buckets; i++) {
        parent[i] = (uint16_t)i;
        members[i] = 0;
        is_touched[i] = 0;
    }
    for (int r = 0; r < row_count; r++) {
        for (int i = 0; i < rows[r].count; i++) {
            const int bucket = rows[r].variables[i] / width;
            const int a = bucket_root(parent, bucket), b = bucket_root(parent, rows[r].variables[0] / width);
            is_touched[bucket] = 1;
            parent[a > b ? a : b] = (uint16_t)(a > b ? b : a);
        }
    }
    size_t largest = 0;
    for (int i = 0; i < buckets; i++) {
        if (is_touched[i]) {
            const size_t count = ++members[bucket_root(parent, i)];
            largest = count > largest ? count : largest;
        }
    }
    largest *= (size_t)width;
    return largest > (size_t)n ? (size_t)n : largest;
}

/* The scratch, cut into arrays. What depends on the largest component comes last, so that only the size does. */
typedef struct work {
    double *x;                                                                                /* [n] */
    lbm_active *active;                                                                       /* [n] */
    int *root, *place, *variables, *first_variable, *next_variable, *first_row, *bound_state; /* [n] each */
    int *next_row, *row_state;                                                                /* [row_count] each */
    double *numbers; /* see lbm_component; [n + row_count] for the slow way */
} work;

/* Cuts the scratch into arrays; what is left of it is for `numbers`. */
static void cut_work(int n, int row_count, lbm_arena *arena, work *w) {
    int **const arrays[] = {&w->root,      &w->place,       &w->variables, &w->first_variable, &w->next_variable,
                            &w->first_row, &w->bound_state, &w->next_row,  &w->row_state};
    w->x = lbm_cut_doubles(arena, (size_t)n);
    w->active = lbm_cut(arena, (size_t)n, sizeof *w->active);
    for (int i = 0; i < 9; i++) {
        *arrays[i] = lbm_cut(arena, (size_t)(i < 7 ? n : row_count), sizeof(int));
    }
    w->numbers = lbm_cut_doubles(arena, 0);
}

static void lay_out(int n, int row_count, void *scratch, work *w) {
    lbm_arena arena = lbm_arena_on(scratch, LBM_ARENA_DOUBLE);
    cut_work(n, row_count, &arena, w);
}

size_t lbm_project_scratch_size(int n, const double *lower, const double *upper, int row_count,
                                const lb_limit_row *rows) {
    (void)lower, (void)upper;
    if (row_count == 0) {
        return 0;
    }
    work w;
    const size_t m = largest_component(n, row_count, rows), slow = (size_t)n + (size_t)row_count;
    const size_t matrix = m > SIZE_MAX / 4 / (m + 1) ? SIZE_MAX / 2 : (2 * m + LBM_ACTIVE_SET_VECTORS) * m;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_work(n, row_count, &arena, &w);
    lbm_cut_doubles(&arena, matrix > slow ? matrix : slow);
    return arena.used;
}

/* ---------------------------------------------------------------------------------------------------
 * What both ways use
 * ------------------------------------------------------------------------------------------------- */

static double clamp(double x, double lower, double upper) {
    const double above = x < lower ? lower : x; /* in two steps: without a branch */
    return above > upper ? upper : above;
}

/* 0 if some variable can have no value at all. */
static int bounds_agree(int n, const double *lower, const double *upper) {
    int agree = 1;
    for (int i = 0; i < n; i++) {
        agree &= lower[i] <= upper[i];
    }
    return agree;
}

static int row_is_kept(const lb_limit_row *row, const double *x, double tolerance) {
    double size;
    const double excess = lbm_row_excess(row, x, &size);
    return (row->kind == LB_LIMIT_EQUAL ? fabs(excess) : excess) <= tolerance * size;
}

static int rows_are_kept(int row_count, const lb_limit_row *rows, const double *x, double tolerance) {
    for (const lb_limit_row *row = rows; row < rows + row_count; row++) {
        if (row->kind != LB_LIMIT_EQUAL && lbm_row_sum(row, x) <= row->bound) {
            continue; /* as most often */
        }
        if (!row_is_kept(row, x, tolerance)) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * The slow way
 * ------------------------------------------------------------------------------------------------- */

/*
 * C. Hildreth, A quadratic programming procedure (1957): the point is projected onto one limit after the other, each
 * time first moved back by what that limit has moved it so far (its multiplier times its normal). For the box, a set
 * of its own, this is R. L. Dykstra's form of it (1983).
 */
int lbm_project_slowly(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows,
                       double *x, void *scratch) {
    if (!bounds_agree(n, lower, upper)) {
        return 1;
    }
    if (row_count == 0) {
        return lbm_project(n, lower, upper, row_count, rows, x, scratch);
    }
    work w;
    lay_out(n, row_count, scratch, &w);
    double *moved = w.numbers, *multiplier = moved + n;
    memcpy(w.x, x, (size_t)n * sizeof *x);
    memset(moved, 0, ((size_t)n + (size_t)row_count) * sizeof *moved);
    double change = 1.0;
    for (int sweep = 0; sweep < SWEEPS && change > 0.0; sweep++) {
        change = 0.0;
        for (int r = 0; r < row_count; r++) {
            const double excess = lbm_row_excess(rows + r, w.x, NULL);
            const double rise = rows[r].kind == LB_LIMIT_EQUAL || excess > -multiplier[r] ? excess : -multiplier[r];
            multiplier[r] += rise;
            for (int i = 0; i < rows[r].count; i++) {
                w.x[rows[r].variables[i]] -= rise * rows[r].coefficients[i];
            }
            change = fabs(rise) > change ? fabs(rise) : change;
        }
        for (int i = 0; i < n; i++) {
            const double before = w.x[i] + moved[i], after = clamp(before, lower[i], upper[i]);
            change = fabs(after - w.x[i]) > change ? fabs(after - w.x[i]) : change;
            moved[i] = before - after;
            w.x[i] = after;
        }
        change = change > 1e-15 ? change : 0.0;
    }
    if (!rows_are_kept(row_count, rows, w.x, KEPT_BARELY)) {
        return 1;
    }
    memcpy(x, w.x, (size_t)n * sizeof *x);
    return 0;
}

/* ---------------------------------------------------------------------------------------------------
 * The exact way: component by component
 * ------------------------------------------------------------------------------------------------- */

static int root_of(int *root, int i) {
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

/* Joins variables that share a row; then chains up each component's variables and rows, in increasing order, from its
 * root: the least of its variables. */
static void find_components(int n, int row_count, const lb_limit_row *rows, const work *w) {
    for (int i = 0; i < n; i++) {
        w->root[i] = i;
        w->first_variable[i] = w->first_row[i] = -1;
    }
    for (int r = 0; r < row_count; r++) {
        for (int i = 1; i < rows[r].count; i++) {
            const int a = root_of(w->root, rows[r].variables[0]), b = root_of(w->root, rows[r].variables[i]);
            w->root[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        const int root = root_of(w->root, i);
        w->next_variable[i] = w->first_variable[root];
        w->first_variable[root] = i;
    }
    for (int r = row_count - 1; r >= 0; r--) {
        if (rows[r].count > 0) {
            const int root = root_of(w->root, rows[r].variables[0]);
            w->next_row[r] = w->first_row[root];
            w->first_row[root] = r;
        }
    }
}

static int component_is_kept(const lbm_component *part, double tolerance) {
    for (int r = part->first_row; r >= 0; r = part->next_row[r]) {
        if (!row_is_kept(part->rows + r, part->x, tolerance)) {
            return 0;
        }
    }
    return 1;
}

/* w->x holds the clamped point; where that breaks a row of the component, the closest point to x takes its place. */
static lbm_active_set_result solve_component(const lb_limit_row *rows, const double *lower, const double *upper,
                                             const double *x, const work *w, int root) {
    lbm_component part = {.variables = w->variables,
                          .place = w->place,
                          .lower = lower,
                          .upper = upper,
                          .rows = rows,
                          .first_row = w->first_row[root],
                          .next_row = w->next_row,
                          .x = w->x,
                          .numbers = w->numbers,
                          .active = w->active,
                          .row_state = w->row_state,
                          .bound_state = w->bound_state};
    if (component_is_kept(&part, KEPT)) {
        return LBM_ACTIVE_SET_DONE;
    }
    for (int i = w->first_variable[root]; i >= 0; i = w->next_variable[i]) {
        w->x[i] = x[i];
        w->place[i] = part.count;
        w->variables[part.count++] = i;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        const lbm_active_set_result result = lbm_active_set_solve(&part);
        if (result != LBM_ACTIVE_SET_DONE || component_is_kept(&part, KEPT)) {
            return result;
        }
    }
    return component_is_kept(&part, KEPT_BARELY) ? LBM_ACTIVE_SET_DONE : LBM_ACTIVE_SET_GAVE_UP;
}

int lbm_project(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows, double *x,
                void *scratch) {
    if (!bounds_agree(n, lower, upper)) {
        return 1;
    }
    if (row_count == 0) {
        for (int i = 0; i < n; i++) {
            x[i] = clamp(x[i], lower[i], upper[i]);
        }
        return 0;
    }
    double *inside = scratch; /* where w.x is */
    for (int i = 0; i < n; i++) {
        inside[i] = clamp(x[i], lower[i], upper[i]);
    }
    /* The closest point of the box is the closest of all where it keeps the rows too. */
    if (!rows_are_kept(row_count, rows, inside, KEPT)) {
        work w;
        lay_out(n, row_count, scratch, &w);
        find_components(n, row_count, rows, &w);
        for (int r = 0; r < row_count; r++) {
            if (rows[r].count == 0 && !row_is_kept(rows + r, w.x, KEPT_BARELY)) {
                return 1; /* 0 <= a negative bound */
            }
        }
        for (int i = 0; i < n; i++) {
            if (w.first_row[i] >= 0) {
                const lbm_active_set_result result = solve_component(rows, lower, upper, x, &w, i);
                if (result == LBM_ACTIVE_SET_GAVE_UP) {
                    return lbm_project_slowly(n, lower, upper, row_count, rows, x, scratch);
                }
                if (result == LBM_ACTIVE_SET_CONTRADICTION) {
                    return 1;
                }
            }
        }
    }
    memcpy(x, inside, (size_t)n * sizeof *x);
    return 0;
}
