/* Zhao and Badler's method: a variable metric with Rosen's gradient projection.
 *
 * Sources: J. Zhao and N. Badler 1989, section 4 (ZB89), and 1994, appendix A (ZB94), who follow D. Goldfarb
 * (Extension of Davidon's variable metric method to maximization under linear inequality and equality constraints,
 * SIAM J. Appl. Math. 17, 1969), with the line search of M. Powell (Some global convergence properties of a variable
 * metric algorithm for minimization without exact line searches, 1976) and the switch between two updates of R.
 * Fletcher (A new approach to variable metric algorithms, The Computer Journal 13, 1970). The step numbers are
 * theirs; metric.h says what A, N, P and H are. bfgs_state.h tells which step is in which file.
 *
 * Multipliers: the best A alpha ~ g in the sense of least squares is alpha = N A'g. At a Kuhn-Tucker point g = A
 * alpha with alpha_j <= 0 for the inequalities: -g points out of every limit that holds it. Where alpha_j > 0,
 * leaving constraint j lets G fall, and alpha_j / sqrt(N_jj) is how steeply: with P' the projection without j,
 * |P'a_j|^2 = 1 / N_jj and a_j'P'g = alpha_j / N_jj, so that the slope along the unit vector of P'a_j is alpha_j /
 * sqrt(N_jj).
 *
 * What the papers leave open, and what is done here:
 * - They assume that active normals are linearly independent. A constraint whose normal is (nearly) in the span of
 *   the active ones is not added. Where that makes dropping and adding go round in circles, the exact projection of
 *   -g onto the cone of feasible directions (lbs_tangent) says which of the constraints at hand hold, and H starts
 *   anew as the projection onto their face.
 * - A variable that meets its bound is set to it, and stays there to the bit. Every trial point is moved inside the
 *   limits, which changes nothing unless rounding errors have added up.
 * - H loses positive definiteness by rounding: where s does not go down, H starts anew.
 * - There may be no step up to 1 that meets Powell's conditions: see line_search.c.
 * - H may start as any positive definite matrix. Here it is a multiple of the identity, which has to know the unit of
 *   length: -g is longer by L^2 for a figure that is L times as large. It starts as 2 G / |P g|^2, the step to the
 *   bottom of the parabola that touches zero, or less (first_unit), and is scaled by the first step that it learns from
 *   (Shanno and Phua 1978). So iterations do not depend on the unit of length, nor on the weights'. |H g| and the
 *   slopes alpha_j / sqrt(N_jj) are compared in this unit. EN07's choice, the product of the gradient with itself, is of
 *   rank one.
 * - "|H g| = 0" is asked of lbs_tangent, so that all methods mean the same by a minimum; a saddle point is left along
 *   its negative curvature; and near a minimum, where G is too flat to be seen falling, the slope alone decides: see
 *   last_digits.c. */
#include <string.h>

#include "math/trig.h"
#include "solve/methods/bfgs/bfgs_state.h"
#include "solve/methods/lm/newton.h"
#include "solve/methods/methods.h"
#include "solve/methods/numeric.h"

#define LARGEST_N 2000   /* variables: H is dense */
#define PROBE 1e-3       /* rad, of the step that measures a first curvature */
#define MAX_ESCAPES 3    /* from saddle points */
#define MAX_FLAT_TRIES 3 /* of the last digits */

/* --- Iterations ----------------------------------------------------------------------------------------------- */

/* An ordinary iteration. Where H does not lead down, it is tried again with H as the projection onto the face, and
 * then onto the face of the constraints that lbs_tangent finds active. Returns 0 if nothing leads down. */
static int advance(lbs_bfgs *b) {
    int is_blocked;
    for (int attempt = 0; attempt < 3; attempt++) {
        if (attempt == 1) {
            lbs_metric_restart(&b->metric);
        }
        if (attempt == 2) {
            lbs_metric_start(&b->metric, b->bound_multipliers, b->limit_multipliers);
        }
        if (lbs_bfgs_find_direction(b)) {
            if (lbs_bfgs_line_search(b, &is_blocked)) {
                lbs_bfgs_accept(b, is_blocked);
                return 1;
            }
            if (-lbs_dot(b->n, b->gradient, b->step) <= lbs_bfgs_noise(b)) {
                return 0; /* Another H would not see more. */
            }
        }
        if (lbs_spent(b->s)) {
            return 0;
        }
    }
    return 0;
}

/* One iteration: an ordinary one, or, where G has become flat, the last ones. Returns 0 if there is no progress. */
static int iterate(lbs_bfgs *b, double zero_norm) {
    if (b->is_flat && b->flat_tries < MAX_FLAT_TRIES) {
        b->flat_tries++;
        if (lbs_bfgs_last_digits(b, zero_norm)) {
            return 1;
        }
        lbs_metric_start(&b->metric, b->bound_multipliers, b->limit_multipliers);
    }
    double before = b->value;
    if (!advance(b)) {
        return lbs_bfgs_last_digits(b, zero_norm);
    }
    b->is_flat = before - b->value <= lbs_bfgs_noise(b);
    return 1;
}

/* --- The first H ---------------------------------------------------------------------------------------------- */

/* The inverse of G's curvature along the projected gradient, measured by a short step; 0 where the curvature is
 * negative. */
static double probe_unit(lbs_bfgs *b, double norm) {
    double step = PROBE / norm, slope = 0, moved = 0;
    for (int i = 0; i < b->n; i++) {
        b->trial[i] = b->z[i] + step * b->tangent[i];
    }
    if (lbs_project(b->s, b->trial)) {
        return 0;
    }
    lbs_gradient(b->s, b->trial, -1, b->trial_gradient);
    for (int i = 0; i < b->n; i++) {
        double sigma = b->trial[i] - b->z[i];
        slope += sigma * (b->trial_gradient[i] - b->gradient[i]);
        moved += sigma * sigma;
    }
    return slope > 0 ? moved / slope : 0;
}

/* The unit that H starts as: 2 G / |d|^2, with d the projected gradient. Where that is a step of more than a radian,
 * as near a minimum that is not zero, the unit is what the curvature says, but no more than that radian. Where G
 * does not tell, the weights of the goals do. */
static double first_unit(lbs_bfgs *b) {
    const double norm = lbs_bfgs_tangent_norm(b, b->z, b->gradient), unit = 2 * b->value / (norm * norm);
    const double size = lbs_largest(b->n, b->tangent);
    if (!(unit > 0) || !lbm_is_finite(unit)) {
        return 1 / lbs_gradient_unit(b->s);
    }
    if (!(unit * size > 1)) {
        return unit;
    }
    double probed = probe_unit(b, norm);
    return probed > 0 && probed * size < 1 ? probed : 1 / size;
}

/* Makes H what it is before it has learned anything. */
static void begin_metric(lbs_bfgs *b) {
    b->metric.choice = b->s->options->bfgs_update;
    b->metric.unit = first_unit(b);
    lbs_bfgs_measure_lever(b);
    lbs_metric_start(&b->metric, NULL, NULL);
}

/* --- The method ----------------------------------------------------------------------------------------------- */

/* Whether the levels at the last evaluation are no worse, by their ranks, than at the start pose. */
static int ranks_hold(const lbs_bfgs *b) {
    for (int l = 0; l < b->s->task.level_count; l++) {
        double value = b->s->last.level_values[l];
        if (value > lbs_not_worse_than(b->start_level_values[l])) {
            return 0;
        }
        if (value < b->start_level_values[l]) {
            return 1;
        }
    }
    return 1;
}

/* Leaves a saddle point; H starts anew. Returns 0 if there is no negative curvature. */
static int leave_saddle(lbs_bfgs *b) {
    if (!lbs_newton_escape(b->s, b->newton_workspace, b->z, 0)) {
        return 0;
    }
    b->value = lbs_gradient(b->s, b->z, -1, b->gradient);
    begin_metric(b);
    return 1;
}

static lbs_end minimise(lbs_bfgs *b) {
    lbs_space *s = b->s;
    const lb_solve_options *o = s->options;
    const int levels = s->task.level_count;
    int escapes = 0;
    const double zero_norm = o->gradient_tolerance * lbs_gradient_unit(s);
    b->value = lbs_gradient(s, b->z, -1, b->gradient);
    begin_metric(b);
    for (int iteration = 0;; iteration++) {
        int met = lbs_met(s, levels - 1) && (levels == 1 || ranks_hold(b));
        if (met && !o->keep_going && lbs_wishes(s, b->z, NULL, NULL) == 0) {
            return LBS_MET;
        }
        int is_stationary = lbs_bfgs_tangent_norm(b, b->z, b->gradient) <= zero_norm;
        if (is_stationary && (b->value == 0 || levels > 1 || escapes == MAX_ESCAPES || met)) {
            return LBS_MINIMUM;
        }
        if (iteration == o->max_iterations) {
            return LBS_OUT;
        }
        if (is_stationary) {
            escapes++;
            if (!leave_saddle(b)) {
                return LBS_MINIMUM;
            }
        } else if (!iterate(b, zero_norm)) {
            return LBS_OUT;
        }
        if (lbs_stop(s, b->z, b->value)) {
            return LBS_OUT;
        }
    }
}

static void cut_workspace(lbs_bfgs *b, const lbs_space *s, lbm_arena *arena) {
    const size_t n = s->max.n < LARGEST_N ? s->max.n : LARGEST_N, limits = s->max.limits;
    double **vectors[] = {&b->gradient,
                          &b->multipliers,
                          &b->step,
                          &b->projected_gradient,
                          &b->unprojected_step,
                          &b->drift_multipliers,
                          &b->trial,
                          &b->trial_gradient,
                          &b->sigma,
                          &b->y,
                          &b->tangent,
                          &b->bound_multipliers,
                          &b->caller_start,
                          &b->flat_start};
    lbs_metric_cut(&b->metric, n, limits, arena);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    b->limit_multipliers = lbm_cut_doubles(arena, limits);
    b->start_level_values = lbm_cut_doubles(arena, (size_t)s->item_count + 1);
    b->newton_workspace = lbm_cut_doubles(arena, lbs_newton_size(s));
}

size_t lbs_bfgs_size(const lbs_space *s) {
    lbs_bfgs b;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_workspace(&b, s, &arena);
    return lbm_arena_doubles(&arena);
}

static void begin(lbs_bfgs *b, lbs_space *s, double *workspace, double *z) {
    lbm_arena arena = lbm_arena_on(workspace, LBM_ARENA_DOUBLE);
    memset(b, 0, sizeof *b);
    cut_workspace(b, s, &arena);
    b->s = s;
    b->n = s->n;
    b->z = z;
    lbs_metric_reset(&b->metric, s, z, 1 / lbs_gradient_unit(s));
}

/* The end where there are several levels. bfgs has one sum to minimise. Where it meets every constraint of every
 * level, and no level costs a higher one anything, that is an answer. Otherwise the ranks would decide, which bfgs
 * does not know: it fails, and z stays where it began. */
static lbs_end weigh_levels(lbs_bfgs *b, lbs_end end, lb_error *error) {
    lbs_space *s = b->s;
    const lb_solve_options *o = s->options;
    lbs_value(s, b->z);
    if (lbs_met(s, s->task.level_count - 1) && ranks_hold(b)) {
        return LBS_MET;
    }
    lbs_from_pose(s, s->start, b->z);
    if (end == LBS_OUT && s->budget.stopped) {
        return LBS_OUT;
    }
    if (!o->tracking && s->budget.restarts < o->restarts) {
        return LBS_OUT; /* Another start may meet all. */
    }
    lbf_fail(error, LB_ERROR_UNSUPPORTED,
             s->levels.priorities[0] < 0
                 ? "bfgs cannot rank the closing of loops above goals that cannot be met with it: use lm"
                 : "bfgs cannot rank constraints by priority where not all can be met: use lm",
             (char *)0);
    return LBS_CANNOT;
}

lbs_end lbs_run_bfgs(lbs_space *s, double *workspace, double *z, lb_error *error) {
    lbs_bfgs b;
    if (s->n > LARGEST_N) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "bfgs keeps a dense matrix and takes at most 2000 variables: use lm",
                 (char *)0);
        return LBS_CANNOT;
    }
    begin(&b, s, workspace, z);
    if (s->task.level_count == 1) {
        return minimise(&b);
    }
    lbs_from_pose(s, s->start, b.caller_start);
    lbs_value(s, b.caller_start);
    memcpy(b.start_level_values, s->last.level_values, (size_t)s->task.level_count * sizeof *b.start_level_values);
    return weigh_levels(&b, minimise(&b), error);
}
