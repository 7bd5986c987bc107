/* Zhao and Badler's method: a variable metric with Rosen's gradient projection.
 *
 * Sources: J. Zhao and N. Badler 1989, section 4 (ZB89), and 1994, appendix A (ZB94), who follow D. Goldfarb
 * (Extension of Davidon's variable metric method to maximization under linear inequality and equality constraints,
 * SIAM J. Appl. Math. 17, 1969), with the line search of M. Powell (Some global convergence properties of a variable
 * metric algorithm for minimization without exact line searches, 1976) and the switch between two updates of R.
 * Fletcher (A new approach to variable metric algorithms, The Computer Journal 13, 1970). The step numbers are
 * theirs; steps 0, 4 and 5 are in metric.c, which says what A, N, P and H are.
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
 * - There may be no step up to 1 that meets Powell's conditions: see line_search.
 * - H may start as any positive definite matrix. Here it is a multiple of the identity, which has to know the unit of
 *   length: -g is longer by L^2 for a figure that is L times as large. It starts as 2 G / |P g|^2, the step to the
 *   bottom of the parabola that touches zero, or less (first_unit), and is scaled by the first step that it learns from
 *   (Shanno and Phua 1978). So iterations do not depend on the unit of length, nor on the weights'. |H g| and the slopes
 *   alpha_j / sqrt(N_jj) are compared in this unit. EN07's choice, the product of the gradient with itself, is of rank
 *   one.
 * - "|H g| = 0" is asked of lbs_tangent, so that all methods mean the same by a minimum; a saddle point is left along
 *   its negative curvature; and near a minimum, where G is too flat to be seen falling, the slope alone decides: see
 *   last_digits. */
#include <string.h>

#include "math/trig.h"
#include "solve/methods/bfgs/metric.h"
#include "solve/methods/lm/newton.h"
#include "solve/methods/methods.h"

#define LARGEST_N 2000    /* H is dense */
#define SUFFICIENT 0.0001 /* Powell's d1: of the decrease that the slope foretells */
#define FLATTER 0.5       /* Powell's d2: of the slope */
#define PROBE 1e-3        /* rad, of the step that measures a first curvature */

typedef struct bfgs {
    lbs_space *s;
    int n;
    lbs_metric m;
    double *z, *g, value; /* where it is */
    double *alpha;        /* [q] */
    double *step;         /* [n]: s = -H g */
    int hit;              /* the constraint that ends the step, or -1 */
    double reach;         /* how far that is, in multiples of s */
    double *trial, *trial_g, trial_value;
    double *direction, *bounds, *limits; /* lbs_tangent's */
    double *held;                        /* [level]: values at the start pose */
    double *start;                       /* [n]: where last_digits did */
    double *newton;                      /* newton.c's */
    double lever; /* the largest |g| / (2 sqrt G) so far: how far residuals move for a unit of z */
    int flat;     /* the last step changed G by no more than rounding errors do */
    int tries;    /* of last_digits */
} bfgs;

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double size_of(int n, const double *v) { return sqrt(dot(n, v, v)); }

static double largest(int n, const double *v) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        if (fabs(v[i]) > most) {
            most = fabs(v[i]);
        }
    }
    return most;
}

/* --- The direction (steps 1 to 3) ------------------------------------------------------------------------------- */

/* The longest step before a constraint that is not active is met; b->hit is this one. */
static void measure_reach(bfgs *b) {
    double size = size_of(b->n, b->step), tiny = 1e-13 * size + 1e-15 * b->m.unit * largest(b->n, b->g);
    int all = lbs_constraint_count(&b->m);
    b->reach = INFINITY;
    b->hit = -1;
    for (int c = 0; c < all; c++) {
        if (b->m.is_active[c]) {
            continue;
        }
        double along = lbs_normal_dot(&b->m, c, b->step), scale;
        if (!(along > tiny)) {
            continue;
        }
        double left = lbs_slack(&b->m, c, &scale);
        double t = left > 0 ? left / along : 0;
        if (t >= b->reach) {
            continue;
        }
        b->reach = t;
        b->hit = c;
    }
}

/* Where leaving a constraint lets G fall most steeply: its place among the active ones, or -1; the slope in
 * *steepest. */
static int steepest_constraint(const bfgs *b, double *steepest) {
    int worst = -1;
    *steepest = 0;
    for (int k = b->m.equalities; k < b->m.q; k++) {
        double slope = b->alpha[k] / sqrt(b->m.inverse[(size_t)k * (size_t)b->n + (size_t)k]);
        if (!(slope > *steepest)) {
            continue;
        }
        *steepest = slope;
        worst = k;
    }
    return worst;
}

/* A direction that goes down and is not blocked at once, in b->step. Returns 0 if there is none, or if constraints
 * that depend on each other are dropped and added in circles. */
static int find_direction(bfgs *b) {
    int n = b->n, most = 2 * (n + b->s->limits.count) + 10;
    for (int change = 0; change < most; change++) {
        double *free_g = b->trial, steepest; /* P g; scratch until the line search */
        lbs_metric_project(&b->m, b->g, free_g, b->alpha);
        lbs_metric_times(&b->m, free_g, b->direction);
        lbs_metric_project(&b->m, b->direction, b->step, b->m.weights); /* against drift */
        for (int i = 0; i < n; i++) {
            b->step[i] = -b->step[i];
        }
        int worst = steepest_constraint(b, &steepest);
        double size = size_of(n, b->step);
        if (worst >= 0 && size <= 0.5 * b->m.unit * steepest) {
            lbs_metric_drop(&b->m, worst);
            continue;
        }
        double slope = dot(n, b->g, b->step);
        if (!(slope < -1e-12 * size * size_of(n, free_g)) || !lbm_is_finite(slope)) {
            return 0;
        }
        measure_reach(b);
        if (b->hit < 0 || !lbs_is_on(&b->m, b->hit)) {
            return 1;
        }
        if (!lbs_metric_add(&b->m, b->hit)) {
            return 0;
        }
    }
    return 0;
}

/* --- The line search (step 3) ------------------------------------------------------------------------------------ */

typedef struct end_point {
    double t, value, slope;
} end_point;

/* Where the cubic that has these values and slopes at both ends is least; kept away from the ends. */
static double cubic_minimum(const end_point *low, const end_point *high) {
    double width = high->t - low->t, t = low->t + 0.5 * width;
    if (lbm_is_finite(high->value) && lbm_is_finite(high->slope)) {
        double c = low->slope + high->slope - 3 * (high->value - low->value) / width;
        double square = c * c + -low->slope * high->slope;
        if (square >= 0) {
            double root = sqrt(square), below = high->slope - low->slope + 2 * root;
            if (below != 0) {
                t = high->t - width * (high->slope + root - c) / below;
            }
        }
    } else {
        t = low->t + 0.1 * width;
    }
    double least = low->t + 0.05 * width, most = high->t - 0.05 * width;
    return t >= least && t <= most ? t : t < least ? least : t > most ? most : low->t + 0.5 * width;
}

/* G and its gradient at z + t s; a step as far as a constraint ends on it. */
static void evaluate(bfgs *b, end_point *at) {
    for (int i = 0; i < b->n; i++) {
        double moved = b->z[i] + at->t * b->step[i];
        b->trial[i] = moved < b->s->variables.lower[i]   ? b->s->variables.lower[i]
                      : moved > b->s->variables.upper[i] ? b->s->variables.upper[i]
                                                         : moved;
    }
    int i = b->hit >= 0 && at->t == b->reach ? lbs_bounded_variable(&b->m, b->hit) : -1;
    if (i >= 0) {
        b->trial[i] = b->hit < b->n ? b->s->variables.lower[i] : b->s->variables.upper[i];
    }
    if (b->s->limits.count > 0) {
        lbs_project(b->s, b->trial); /* limits that do not contradict: they have a solution */
    }
    at->value = b->trial_value = lbs_gradient(b->s, b->trial, -1, b->trial_g);
    at->slope = dot(b->n, b->trial_g, b->step);
}

/* What rounding errors can change G by: residuals r have errors of about 1e-16 of the figure's size, which the lever
 * stands for, so that r^2 has errors of 2e-16 r (lever + r). */
static double noise(const bfgs *b) { return 1e-13 * b->value + 1e-15 * sqrt(b->value) * b->lever; }

static void measure_lever(bfgs *b) {
    double lever = b->value > 0 ? size_of(b->n, b->g) / (2 * sqrt(b->value)) : 0;
    if (lever > b->lever && lbm_is_finite(lever)) {
        b->lever = lever;
    }
}

/* The longest step up to min(1, reach) that meets Powell's two conditions, G low enough and the slope flat enough,
 * searched from the far end; the very first trial is at most half a turn. If there is none because the slope is still
 * steep at the end, H is too small along s: then longer steps are tried, up to reach, for without the second
 * condition H would not learn (the papers do not say what to do). Returns 0 if there is no step; else the point is in
 * b->trial, and *hit says whether it is on b->hit. */
static int line_search(bfgs *b, int *hit) {
    lbs_space *s = b->s;
    double slope = dot(b->n, b->g, b->step), most = b->reach, size = largest(b->n, b->step),
           first = most < 1 ? most : 1;
    end_point low = {0, b->value, slope}, high = {0, 0, 0}, at = {first * size > LBM_PI ? LBM_PI / size : first, 0, 0};
    for (int attempt = 0; attempt < 40 && !lbs_spent(s); attempt++) {
        evaluate(b, &at);
        *hit = b->hit >= 0 && at.t == b->reach;
        double promise = SUFFICIENT * at.t * slope;
        int enough = at.value <= b->value + promise && at.value < b->value;
        if (enough && (at.slope >= FLATTER * slope || at.t == most)) {
            return 1;
        }
        if (!enough && at.t * -slope <= noise(b)) {
            return 0;
        }
        end_point before = low;
        if (enough) {
            low = at;
        } else {
            high = at;
        }
        if (high.t == 0) {
            double secant =
                at.slope > before.slope ? at.t + (at.t - before.t) * -at.slope / (at.slope - before.slope) : 10 * at.t;
            secant = secant < 1.5 * at.t ? 1.5 * at.t : secant > 10 * at.t ? 10 * at.t : secant;
            at.t = secant < most ? secant : most;
        } else {
            at.t = cubic_minimum(&low, &high);
        }
        if (high.t > 0 && !(high.t - low.t > 1e-12 * high.t)) {
            break;
        }
    }
    if (low.t == 0) {
        return 0;
    }
    at.t = low.t; /* it is better, and that is something */
    *hit = 0;
    evaluate(b, &at);
    return b->trial_value < b->value;
}

/* Goes to b->trial; steps 4 and 5. */
static void take(bfgs *b, int hit) {
    for (int i = 0; i < b->n; i++) {
        double sigma = b->trial[i] - b->z[i], y = b->trial_g[i] - b->g[i];
        b->z[i] = b->trial[i];
        b->g[i] = b->trial_g[i];
        b->trial[i] = sigma;
        b->trial_g[i] = y;
    }
    b->value = b->trial_value;
    measure_lever(b);
    if (hit) {
        lbs_metric_add(&b->m, b->hit);
    } else {
        lbs_metric_update(&b->m, b->trial, b->trial_g);
    }
}

/* One iteration; if H does not lead down, with H as the projection onto the face, then onto that which lbs_tangent
 * sees. */
static int advance(bfgs *b) {
    int hit;
    for (int attempt = 0; attempt < 3; attempt++) {
        if (attempt == 1) {
            lbs_metric_restart(&b->m);
        }
        if (attempt == 2) {
            lbs_metric_start(&b->m, b->bounds, b->limits);
        }
        if (find_direction(b)) {
            if (line_search(b, &hit)) {
                take(b, hit);
                return 1;
            }
            if (-dot(b->n, b->g, b->step) <= noise(b)) {
                return 0; /* another H would not see more */
            }
        }
        if (lbs_spent(b->s)) {
            return 0;
        }
    }
    return 0;
}

/* --- The last digits ----------------------------------------------------------------------------- */

/* Near a minimum that is not zero, G stops changing visibly (it is flat: a change of G of 1e-16 is one of z of 1e-8)
 * long before its gradient, which has no such trouble, is as small as a Kuhn-Tucker point asks. There the same
 * iteration goes on with the slope alone to tell what a good step is (as in W. Hager and H. Zhang 2005), aside, on
 * trial. Since no accepted step may make G worse, not even by its last bit, which is as good as random here, points
 * around the end are tried until G is not worse. */

static double tangent_norm(const bfgs *b, const double *z, const double *g) {
    return lbs_tangent(b->s, z, g, b->direction, b->bounds, b->limits);
}

/* A step that brings the slope nearer to zero, whatever G's last digits say. */
static int creep(bfgs *b) {
    if (!find_direction(b)) {
        return 0;
    }
    double slope = dot(b->n, b->g, b->step), low = 0, low_slope = slope, high = 0, high_slope = 0, allowed = noise(b);
    end_point at = {b->reach < 1 ? b->reach : 1, 0, 0};
    for (int attempt = 0; attempt < 12; attempt++) {
        evaluate(b, &at);
        int hit = b->hit >= 0 && at.t == b->reach;
        if (!(at.value <= b->value + allowed)) {
            return 0;
        }
        if (fabs(at.slope) <= FLATTER * -slope || (hit && at.slope < 0)) {
            take(b, hit);
            return 1;
        }
        if (at.slope < 0) {
            low = at.t, low_slope = at.slope;
        } else {
            high = at.t, high_slope = at.slope;
        }
        at.t = high > 0              ? low + (high - low) * low_slope / (low_slope - high_slope)
               : 4 * at.t < b->reach ? 4 * at.t
                                     : b->reach;
    }
    return 0;
}

/* From the end of the trial, b->z, towards b->start, where it began, as far as the gradient allows: the first point
 * where G is not worse than `value`. */
static int not_worse_nearby(bfgs *b, double value, double size, double goal) {
    for (int k = 0; k < 400; k++) {
        double part = size > 0 ? k / 500.0 * goal / size : 0;
        for (int i = 0; i < b->n; i++) {
            b->trial[i] = b->z[i] + part * (b->start[i] - b->z[i]);
        }
        if (b->s->limits.count > 0) {
            lbs_project(b->s, b->trial);
        }
        b->trial_value = lbs_gradient(b->s, b->trial, -1, b->trial_g);
        if (b->trial_value <= value && tangent_norm(b, b->trial, b->trial_g) <= goal) {
            return 1;
        }
        if (lbs_spent(b->s)) {
            return 0;
        }
    }
    return 0;
}

/* Returns 1 at a Kuhn-Tucker point where G is not worse; else 0, and z is where it was. */
static int last_digits(bfgs *b, double goal) {
    lbs_space *s = b->s;
    double value = b->value, begin = tangent_norm(b, b->z, b->g), norm = begin;
    memcpy(b->start, b->z, (size_t)b->n * sizeof *b->z);
    for (int k = 0; k < 80 && norm > 0.01 * goal && !lbs_spent(s); k++) {
        if (!creep(b)) {
            break;
        }
        norm = tangent_norm(b, b->z, b->g);
    }
    if (norm <= goal && not_worse_nearby(b, value, begin, goal)) {
        memcpy(b->z, b->trial, (size_t)b->n * sizeof *b->z);
        memcpy(b->g, b->trial_g, (size_t)b->n * sizeof *b->g);
        b->value = b->trial_value;
        return 1;
    }
    memcpy(b->z, b->start, (size_t)b->n * sizeof *b->z);
    b->value = lbs_gradient(s, b->z, -1, b->g);
    tangent_norm(b, b->z, b->g);
    return 0;
}

/* --- The method -------------------------------------------------------------------------------------------------- */

/* One iteration: an ordinary one, or where G has become flat, the last ones. */
static int iterate(bfgs *b, double zero) {
    if (b->flat && b->tries < 3) {
        b->tries++;
        if (last_digits(b, zero)) {
            return 1;
        }
        lbs_metric_start(&b->m, b->bounds, b->limits);
    }
    double before = b->value;
    if (!advance(b)) {
        return last_digits(b, zero);
    }
    b->flat = before - b->value <= noise(b);
    return 1;
}

/* Whether the levels at the last evaluation are no worse, by their ranks, than at the start pose. */
static int ranks_hold(const bfgs *b) {
    for (int l = 0; l < b->s->task.level_count; l++) {
        double value = b->s->last.level_values[l];
        if (value > b->held[l] * (1 + 1e-12) + 1e-18) {
            return 0;
        }
        if (value < b->held[l]) {
            return 1;
        }
    }
    return 1;
}

/* The inverse of G's curvature along the projected gradient d, by a short step; 0 where G bends the wrong way. */
static double probe_unit(bfgs *b, double norm) {
    double step = PROBE / norm, slope = 0, moved = 0;
    for (int i = 0; i < b->n; i++) {
        b->trial[i] = b->z[i] + step * b->direction[i];
    }
    if (lbs_project(b->s, b->trial)) {
        return 0;
    }
    lbs_gradient(b->s, b->trial, -1, b->trial_g);
    for (int i = 0; i < b->n; i++) {
        double sigma = b->trial[i] - b->z[i];
        slope += sigma * (b->trial_g[i] - b->g[i]);
        moved += sigma * sigma;
    }
    return slope > 0 ? moved / slope : 0;
}

/* What H starts as: 2 G / |d|^2, or where that is a step of more than a radian, as near a minimum that is not zero, what
 * the curvature says; but no more than that radian. Where G does not tell, the weights do. */
static double first_unit(bfgs *b) {
    double norm = tangent_norm(b, b->z, b->g), unit = 2 * b->value / (norm * norm), size = largest(b->n, b->direction);
    if (!(unit > 0) || !lbm_is_finite(unit)) {
        return 1 / lbs_gradient_unit(b->s);
    }
    if (!(unit * size > 1)) {
        return unit;
    }
    double probed = probe_unit(b, norm);
    return probed > 0 && probed * size < 1 ? probed : 1 / size;
}

/* H before it has learned anything. */
static void begin_metric(bfgs *b) {
    b->m.choice = b->s->options->bfgs_update;
    b->m.unit = first_unit(b);
    measure_lever(b);
    lbs_metric_start(&b->m, NULL, NULL);
}

static lbs_end minimise(bfgs *b) {
    lbs_space *s = b->s;
    const lb_solve_options *o = s->options;
    int escapes = 0, levels = s->task.level_count;
    double zero = o->gradient_tolerance * lbs_gradient_unit(s);
    b->value = lbs_gradient(s, b->z, -1, b->g);
    begin_metric(b);
    for (int iteration = 0;; iteration++) {
        int met = lbs_met(s, levels - 1) && (levels == 1 || ranks_hold(b));
        if (met && !o->keep_going && lbs_wishes(s, b->z, NULL, NULL) == 0) {
            return LBS_MET;
        }
        int done = tangent_norm(b, b->z, b->g) <= zero;
        if (done && (b->value == 0 || levels > 1 || escapes == 3 || met)) {
            return LBS_MINIMUM;
        }
        if (iteration == o->max_iterations) {
            return LBS_OUT;
        }
        if (done) {
            escapes++;
            if (!lbs_newton_escape(s, b->newton, b->z, 0)) {
                return LBS_MINIMUM;
            }
            b->value = lbs_gradient(s, b->z, -1, b->g);
            begin_metric(b);
        } else if (!iterate(b, zero)) {
            return LBS_OUT;
        }
        if (lbs_stop(s, b->z, b->value)) {
            return LBS_OUT;
        }
    }
}

static size_t room(const lbs_space *s) {
    int n = lbs_max_n(s);
    return (size_t)(n < LARGEST_N ? n : LARGEST_N);
}

size_t lbs_bfgs_size(const lbs_space *s) {
    return lbs_metric_size(room(s), lbs_max_limits(s->problem)) + 8 * room(s) + lbs_max_limits(s->problem) +
           (size_t)s->item_count + 1 + lbs_newton_size(s);
}

static void lay_out(bfgs *b, lbs_space *s, double *work, double *z) {
    size_t n = room(s), limits = lbs_max_limits(s->problem);
    double **vectors[] = {&b->g, &b->alpha, &b->step, &b->trial, &b->trial_g, &b->direction, &b->bounds, &b->start};
    memset(b, 0, sizeof *b);
    b->s = s;
    b->n = s->n;
    b->z = z;
    lbs_metric_lay_out(&b->m, s, work, z, 1 / lbs_gradient_unit(s));
    work += lbs_metric_size(n, limits);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, work += n) {
        *vectors[i] = work;
    }
    b->limits = work;
    b->held = work + limits;
    b->newton = b->held + s->item_count + 1;
}

/* Several levels: bfgs has one sum to minimise. Where it meets every constraint of every level, and no level costs a
 * higher one anything, that is an answer. Where it does not, the ranks would decide: it says that it cannot, and
 * stays where it began. */
static lbs_end weigh_levels(bfgs *b, lbs_end end, lb_error *error) {
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
        return LBS_OUT; /* another start may meet all */
    }
    lbf_fail(error, LB_ERROR_UNSUPPORTED,
             s->levels.priorities[0] < 0
                 ? "bfgs cannot rank the closing of loops above goals that cannot be met with it: use lm"
                 : "bfgs cannot rank constraints by priority where not all can be met: use lm",
             (char *)0);
    return LBS_CANNOT;
}

lbs_end lbs_run_bfgs(lbs_space *s, double *work, double *z, lb_error *error) {
    bfgs b;
    if (s->n > LARGEST_N) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "bfgs keeps a dense matrix and takes at most 2000 variables: use lm",
                 (char *)0);
        return LBS_CANNOT;
    }
    lay_out(&b, s, work, z);
    if (s->task.level_count == 1) {
        return minimise(&b);
    }
    lbs_from_pose(s, s->start, b.start);
    lbs_value(s, b.start);
    memcpy(b.held, s->last.level_values, (size_t)s->task.level_count * sizeof *b.held);
    return weigh_levels(&b, minimise(&b), error);
}
