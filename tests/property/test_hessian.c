/* The curvature of lbs_curvature, with J'J, against central differences of the gradient, on random problems with all kinds
 * of joints, goals, carriers, drives, loops and levels; for levels below the highest that of the Lagrangian. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_problem.h"
#include "solve/eval/hessian.h"
#include "solve/solver.h"

#define PROBLEMS 1500

/* Multipliers of an item's folded rows that pull as those of its plain rows do, where it is. */
static void fold(const lbs_item *item, const double *plain, double *folded) {
    double rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9], wrenches[LBP_MAX_ROWS][6], torque[3] = {0, 0, 0};
    int first = item->goal.goal.kind == LB_GOAL_FRAME ? 3 : 0;
    memcpy(folded, plain, (size_t)item->row_count * sizeof *folded);
    if (lbp_goal_plain_count(&item->goal.goal) == item->row_count) {
        return;
    }
    lbp_goal_rows(&item->goal, item->e, rows, derivatives);
    lbp_goal_wrenches(&item->goal, item->e, wrenches);
    for (int i = first; i < lbp_goal_plain_count(&item->goal.goal); i++) {
        for (int k = 3; k < 9; k += 3) {
            double part[3];
            lbm_cross3(item->e + k, derivatives[i] + k, part);
            lbm_add_scaled3(torque, part, plain[i]);
        }
    }
    for (int i = first; i < item->row_count; i++) {
        folded[i] = lbm_dot3(torque, wrenches[i] + 3) / lbm_dot3(wrenches[i] + 3, wrenches[i] + 3);
    }
}

/* Half the gradient of a level's value, and of half the pulls' sum over higher levels, plain[item][row] of the plain
 * rows. */
static void half_gradient(lbs_space *s, const double *z, int level, const double (*plain)[LBP_MAX_ROWS], double *pull,
                          double *g) {
    lbs_jacobian(s, z);
    memset(g, 0, (size_t)s->n * sizeof *g);
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            fold(&s->items[i], plain[i], pull + s->items[i].first_row);
        }
    }
    for (int i = 0; i < s->levels.first_rows[level + 1]; i++) {
        double multiplier = i >= s->levels.first_rows[level] ? s->last.residuals[i] : 0.5 * pull[i];
        for (int k = 0; k < s->n; k++) {
            g[k] += multiplier * lbs_jacobian_row(s, i)[k];
        }
    }
}

static int counted(const lbs_space *s) {
    int which = 0;
    for (int i = 0; i < s->item_count; i++) {
        which = 2 * which + (s->items[i].enabled && s->items[i].counted);
    }
    return which;
}

/* Returns how many entries there were to compare. */
static int compare(lbs_space *s, const double *z, int level) {
    size_t n = (size_t)s->n, stride = (size_t)s->stride;
    double *h = calloc(n * stride, sizeof *h), *scratch = calloc(lbs_curvature_size(s) + 1, sizeof *scratch);
    double *pull = calloc((size_t)s->row_count + 1, sizeof *pull), *g[4], *at = calloc(n, sizeof *at);
    int entries = 0;
    for (int i = 0; i < 4; i++) {
        g[i] = calloc(n, sizeof *g[i]);
    }
    for (int i = 0; i < s->row_count; i++) {
        pull[i] = 0.3 + 0.1 * (i % 5);
    }
    lbs_jacobian(s, z);
    int which = counted(s);
    lbs_curvature(s, level, pull, h, scratch);
    double(*plain)[LBP_MAX_ROWS] = calloc((size_t)s->item_count, sizeof *plain);
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            lbp_goal_unfold(&s->items[i].goal.goal, s->items[i].e, pull + s->items[i].first_row, plain[i]);
        }
    }
    double size = 1;
    for (int r = s->levels.first_rows[level]; r < s->levels.first_rows[level + 1]; r++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i; j < n; j++) {
                h[i * stride + j] += lbs_jacobian_row(s, r)[i] * lbs_jacobian_row(s, r)[j];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(h[i * stride + i]));
    }
    for (size_t i = 0; i < n; i++) {
        int same =
            s->variables.upper[i] - s->variables.lower[i] > 1e-3; /* narrower, and poses are held at the bounds */
        for (int k = 0; k < 4; k++) {                             /* two widths: where they differ there is a kink */
            memcpy(at, z, n * sizeof *at);
            at[i] += (k % 2 ? -1 : 1) * (k < 2 ? 1e-5 : 2e-5);
            half_gradient(s, at, level, plain, pull, g[k]);
            same &= counted(s) == which;
        }
        for (size_t j = 0; j < n && same; j++) {
            double narrow = (g[0][j] - g[1][j]) / 2e-5, wide = (g[2][j] - g[3][j]) / 4e-5;
            if (fabs(narrow - wide) > 1e-7 * size) {
                continue;
            }
            entries++;
            double mine = h[i * stride + j] + (i == j ? 0 : h[j * stride + i]);
            if (!CHECK_NEAR(mine, narrow, 2e-6 * size)) {
                printf("level %d, variables %d and %d\n", level, (int)i, (int)j);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        free(g[i]);
    }
    free(h), free(scratch), free(pull), free(at), free(plain);
    return entries;
}

int main(void) {
    long entries = 0, lower = 0;
    for (int seed = 1; seed <= PROBLEMS; seed++) {
        random_problem p;
        trap memory;
        lb_solve_options options;
        lb_error error;
        trap_init(&memory);
        random_problem_make(&p, (uint64_t)seed, &memory);
        check_note("seed %d", seed);
        lb_solver *solver = lb_solver_create(p.problem, NULL);
        REQUIRE(solver);
        lb_solve_options_defaults(&options);
        if (lbs_begin(solver->space, &options, p.start, &error) == LB_OK) {
            lbs_space *s = solver->space;
            lbs_from_pose(s, s->start, solver->z);
            for (int i = 0; i < s->n; i++) { /* clear of the bounds, at which poses are held */
                if (s->variables.upper[i] - s->variables.lower[i] > 1e-3) {
                    solver->z[i] = fmin(fmax(solver->z[i], s->variables.lower[i] + 1e-4), s->variables.upper[i] - 1e-4);
                }
            }
            for (int level = 0; level < s->task.level_count && s->n > 0; level++) {
                int count = compare(s, solver->z, level);
                entries += count;
                if (level > 0) {
                    lower += count;
                }
            }
        }
        lb_solver_destroy(solver);
        random_problem_free(&p);
    }
    printf("%ld entries, %ld of them of lower levels\n", entries, lower);
    CHECK(entries > 50000);
    CHECK(lower > 5000);
    return check_done();
}
