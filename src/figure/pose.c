/* Poses: rest, random, how far outside the limits, carried from one figure to another. */
#include <string.h>

#include "figure/figure.h"
#include "math/project.h"
#include "math/trig.h"

void lb_figure_rest_pose(const lb_figure *figure, double *pose) {
    if (!figure || !pose) {
        return;
    }
    memcpy(pose, figure->rest, (size_t)figure->variable_count * sizeof *pose);
}

/* Steele, Lea, Flood 2014: splitmix64. */
static double random_unit(uint64_t *seed) {
    uint64_t z = *seed += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double random_value(const lb_variable *v, uint64_t *seed) {
    double reach = v->is_angle ? LBM_PI : 1, t = random_unit(seed);
    double lower = v->lower, upper = v->upper;
    if (lower == -INFINITY && upper == INFINITY) {
        lower = -reach, upper = reach;
    } else if (lower == -INFINITY) {
        lower = upper - 2 * reach;
    } else if (upper == INFINITY) {
        upper = lower + 2 * reach;
    }
    double value = lower + t * (upper - lower);
    return value < lower ? lower : value > upper ? upper : value;
}

/* Limits over several variables: a few tries. */
static int try_random(const lb_figure *f, uint64_t *seed, double *pose) {
    for (int attempt = 0; attempt < 20; attempt++) {
        for (int i = 0; i < f->variable_count; i++) {
            const lb_variable *v = &f->variables[i];
            pose[i] = v->rigidity < 1 ? random_value(v, seed) : v->rest;
        }
        if (f->row_count == 0 || lb_figure_violation(f, pose) <= 0) {
            return 1;
        }
    }
    return 0;
}

/* Then the nearest pose inside. */
static void move_inside(const lb_figure *f, double *pose, void *scratch) {
    if (!scratch || lbm_project(f->variable_count, f->lower, f->upper, f->row_count, f->rows, pose, scratch)) {
        lb_figure_rest_pose(f, pose);
    }
}

void lbf_random_pose(const lb_figure *f, uint64_t *seed, double *pose, void *scratch) {
    if (!try_random(f, seed, pose)) {
        move_inside(f, pose, scratch);
    }
}

/* The nearest pose inside needs memory; without it, the rest pose. */
void lb_figure_random_pose(const lb_figure *f, uint64_t *seed, double *pose) {
    if (!f || !seed || !pose) {
        return;
    }
    if (try_random(f, seed, pose)) {
        return;
    }
    void *scratch = lbf_new(&f->draft.allocator, f->project_size, 1);
    move_inside(f, pose, scratch);
    lbf_delete(&f->draft.allocator, scratch, f->project_size, 1);
}

double lb_figure_violation(const lb_figure *f, const double *pose) {
    if (!f || !pose) {
        return 0;
    }
    double worst = 0;
    for (int i = 0; i < f->variable_count; i++) {
        if (pose[i] != pose[i]) {
            return INFINITY;
        }
        if (f->lower[i] - pose[i] > worst) {
            worst = f->lower[i] - pose[i];
        }
        if (pose[i] - f->upper[i] > worst) {
            worst = pose[i] - f->upper[i];
        }
    }
    for (int i = 0; i < f->row_count; i++) {
        const lb_limit_row *row = &f->rows[i];
        double sum = -row->bound;
        for (int j = 0; j < row->count; j++) {
            sum += row->coefficients[j] * pose[row->variables[j]];
        }
        if (row->kind == LB_LIMIT_EQUAL) {
            sum = fabs(sum);
        }
        if (sum > worst) {
            worst = sum;
        }
    }
    return worst;
}

int lb_pose_carry(const lb_figure *from, const double *pose_from, const lb_figure *to, double *pose_to) {
    if (!from || !pose_from || !to || !pose_to) {
        return 0;
    }
    int carried = 0;
    for (int i = 0; i < to->variable_count; i++) {
        int source = lb_figure_find_variable(from, to->variables[i].name);
        if (source < 0) {
            continue;
        }
        pose_to[i] = pose_from[source];
        carried++;
    }
    return carried;
}
