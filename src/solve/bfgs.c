/* Zhao and Badler's method: a variable metric with Rosen's gradient projection.
 *
 * Sources: X. Zhao and N. Badler 1989, section 4 (ZB89), and 1994, appendix A (ZB94), who follow D. Goldfarb (Extension of Davidon's
 * variable metric method to maximization under linear inequality and equality constraints, SIAM J. Appl. Math. 17, 1969), with the
 * line search of M. Powell (1976) and the switch between two updates of R. Fletcher (A new approach to variable metric algorithms, The
 * Computer Journal 13, 1970). The step numbers below are theirs.
 *
 * Minimise G(z) subject to a_j . z <= b_j, or = b_j, all a_j unit vectors. A holds the q active normals as columns, equalities first.
 * Three matrices say everything: N = (A'A)^-1; the projection P = 1 - A N A' onto the face that the active constraints leave; and H,
 * the inverse Hessian's estimate on this face: H A = 0, and H is positive definite on it. So s = -H g keeps all active constraints as
 * they are, and g . s < 0 unless P g = 0.
 *
 * Multipliers: the best A alpha ~ g in the sense of least squares is alpha = N A'g. At a Kuhn-Tucker point g = A alpha with
 * alpha_j <= 0 for the inequalities: -g points out of every limit that holds it. Where alpha_j > 0, leaving constraint j lets G fall,
 * and alpha_j / sqrt(N_jj) is how steeply: with P' the projection without j, P'a_j is as long as 1 / sqrt(N_jj), and alpha_j =
 * (a_j'P'g) N_jj, so that alpha_j / sqrt(N_jj) is the slope along the unit vector of P'a_j.
 *
 * What the papers leave open, and what is done here:
 * - They assume that active normals are linearly independent. A constraint whose normal is (nearly) in the span of the active ones is
 *   not added. Where that makes dropping and adding go round in circles, the exact projection of -g onto the cone of feasible
 *   directions (lbs_tangent) says which of the constraints at hand hold, and H starts anew as the projection onto their face.
 * - Bounds of no width are equalities. A variable that meets its bound is set to it, and the row and column of H that belong to it are
 *   set to zero, so that it stays there to the bit. Every trial point is moved inside the limits (which changes nothing, unless rounding
 *   errors have added up).
 * - H loses positive definiteness by rounding: where s does not go down, H starts anew.
 * - "|H g| = 0" is asked of lbs_tangent, so that all methods mean the same by a minimum; a saddle point is left along its negative
 *   curvature.
 * - H may start as any positive definite matrix (ZB89, step 0). It is a multiple of the identity; the multiple is the unit in which G
 *   is measured, and is settled by the first step (D. Shanno and K. Phua 1978): see first_curvature. */
#include <string.h>

#include "math/trig.h"
#include "solve/lm.h"

#define LARGEST_N 2000    /* H is dense */
#define SUFFICIENT 0.0001 /* Powell's d1: of the decrease that the slope foretells */
#define FLATTER 0.5       /* Powell's d2: of the slope */
#define DEPENDENT 1e-10   /* squared distance of a unit normal from the span of others that counts as none */
#define NOISE 1e-13       /* relative changes of G that rounding errors can make */

typedef struct bfgs {
    lbs_space *s;
    int n, q, equalities;
    double *z, *g, value;
    double *start;   /* [n]: where it began */
    double *h;       /* [n][n], symmetric */
    double *inverse; /* [q][q] in rows of n: (A'A)^-1 */
    double *alpha;   /* [q] */
    double *step;    /* [n]: s = -H g */
    double *trial, *trial_g, trial_value;
    double *normal, *products, *coefficients, *projected; /* scratch of add and drop */
    double *direction, *bounds, *limits;                  /* lbs_tangent's */
    double *newton;                                       /* newton.c's */
    int *active;              /* [q]: numbers of constraints, see normal_dot */
    unsigned char *is_active; /* [2 n + limits] */
    double unit;              /* of G: H starts as this times the identity */
    int fresh;                /* H has not seen any curvature yet */
    int hit;                  /* the constraint that ends the step, or -1 */
    double reach;             /* the longest step, in multiples of s */
} bfgs;

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double size_of(int n, const double *v) { return sqrt(dot(n, v, v)); }

static double largest(int n, const double *v) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (fabs(v[i]) > most) most = fabs(v[i]);
    return most;
}

/* --- Constraints ---------------------------------------------------------------------------------------------
 * Number c < n: -z[c] <= -lower[c]; c < 2 n: z[c - n] <= upper[c - n]; then the limits over several variables. */

static double normal_dot(const bfgs *b, int c, const double *v) {
    if (c < b->n) return -v[c];
    if (c < 2 * b->n) return v[c - b->n];
    const lb_limit_row *row = &b->s->limits[c - 2 * b->n];
    double sum = 0;
    for (int k = 0; k < row->count; k++) sum += row->coefficients[k] * v[row->variables[k]];
    return sum;
}

static void normal_add(const bfgs *b, int c, double scale, double *v) {
    if (c < b->n) v[c] -= scale;
    else if (c < 2 * b->n) v[c - b->n] += scale;
    else {
        const lb_limit_row *row = &b->s->limits[c - 2 * b->n];
        for (int k = 0; k < row->count; k++) v[row->variables[k]] += scale * row->coefficients[k];
    }
}

/* The variable whose bound a constraint is, or -1. */
static int bounded_variable(const bfgs *b, int c) { return c < b->n ? c : c < 2 * b->n ? c - b->n : -1; }

/* b_c - a_c . z; *size is what its rounding errors are proportional to. */
static double slack(const bfgs *b, int c, double *size) {
    const lbs_space *s = b->s;
    int i = bounded_variable(b, c);
    if (i >= 0) {
        *size = 1 + fabs(b->z[i]);
        return c < b->n ? b->z[i] - s->lower[i] : s->upper[i] - b->z[i];
    }
    const lb_limit_row *row = &s->limits[c - 2 * b->n];
    double left = row->bound;
    *size = 1 + fabs(row->bound);
    for (int k = 0; k < row->count; k++) {
        double term = row->coefficients[k] * b->z[row->variables[k]];
        left -= term;
        *size += fabs(term);
    }
    return left;
}

/* Whether z is on a constraint, as lbs_tangent sees it. */
static int is_on(const bfgs *b, int c) {
    double size, left = slack(b, c, &size);
    return left <= (c < 2 * b->n ? 1e-12 : 1e-10) * size;
}

static int is_equality(const bfgs *b, int c) {
    if (c >= 2 * b->n) return b->s->limits[c - 2 * b->n].kind == LB_LIMIT_EQUAL;
    int i = bounded_variable(b, c);
    return is_on(b, i) && is_on(b, b->n + i);
}

static int constraint_count(const bfgs *b) { return 2 * b->n + b->s->limit_count; }

/* --- The active set and H --------------------------------------------------------------------------------------- */

/* out = A'v */
static void active_dots(const bfgs *b, const double *v, double *out) {
    for (int k = 0; k < b->q; k++) out[k] = normal_dot(b, b->active[k], v);
}

/* out = N u */
static void inverse_times(const bfgs *b, const double *u, double *out) {
    for (int k = 0; k < b->q; k++) out[k] = dot(b->q, b->inverse + (size_t)k * (size_t)b->n, u);
}

/* out = P v; weights[q] are then N A'v. What is left over by rounding is taken off a second time. Variables on active bounds are zero. */
static void project(const bfgs *b, const double *v, double *out, double *weights) {
    double *rest = b->products, *again = b->coefficients;
    memcpy(out, v, (size_t)b->n * sizeof *out);
    for (int pass = 0; pass < 2; pass++) {
        active_dots(b, out, rest);
        inverse_times(b, rest, again);
        for (int k = 0; k < b->q; k++) {
            weights[k] = pass ? weights[k] + again[k] : again[k];
            normal_add(b, b->active[k], -again[k], out);
        }
    }
    for (int k = 0; k < b->q; k++) {
        int i = bounded_variable(b, b->active[k]);
        if (i >= 0) out[i] = 0;
    }
}

/* H += scale v v' */
static void rank_one(bfgs *b, double scale, const double *v) {
    for (int i = 0; i < b->n; i++) {
        if (v[i] == 0) continue;
        double *row = b->h + (size_t)i * (size_t)b->n, factor = scale * v[i];
        for (int k = 0; k < b->n; k++) row[k] += factor * v[k];
    }
}

static void metric_times(const bfgs *b, const double *v, double *out) {
    for (int i = 0; i < b->n; i++) out[i] = dot(b->n, b->h + (size_t)i * (size_t)b->n, v);
}

/* N grows by a column: with u = A'a, r = N u and d = 1 - u'r = a'P a, the inverse of the bordered matrix (Goldfarb) is
 *     N + r r'/d   -r/d
 *     -r'/d         1/d
 * Returns 0, and changes nothing, if a depends on what is there. */
static int grow_inverse(bfgs *b, const double *a) {
    size_t n = (size_t)b->n, q = (size_t)b->q;
    double *u = b->products, *r = b->coefficients;
    if (b->q == b->n) return 0;
    active_dots(b, a, u);
    inverse_times(b, u, r);
    double d = 1 - dot(b->q, u, r);
    if (!(d > DEPENDENT)) return 0;
    for (size_t i = 0; i < q; i++) {
        if (r[i] != 0)
            for (size_t k = 0; k < q; k++) b->inverse[i * n + k] += r[i] * r[k] / d;
        b->inverse[i * n + q] = b->inverse[q * n + i] = -r[i] / d;
    }
    b->inverse[q * n + q] = 1 / d;
    return 1;
}

static void mark(bfgs *b, int c, int on) {
    int i = bounded_variable(b, c);
    b->is_active[c] = (unsigned char)on;
    if (i >= 0 && is_equality(b, c)) b->is_active[i] = b->is_active[b->n + i] = (unsigned char)on;
}

/* Step 4: H - H a a'H / (a'H a), the variable metric of the smaller face: (H a) is taken out, so that H_(q+1) a = 0. Returns 0 if a
 * depends on the active normals. */
static int add(bfgs *b, int c) {
    double *a = b->normal, *ha = b->projected;
    int i = bounded_variable(b, c);
    memset(a, 0, (size_t)b->n * sizeof *a);
    normal_add(b, c, 1, a);
    if (!grow_inverse(b, a)) return 0;
    b->active[b->q++] = c;
    mark(b, c, 1);
    metric_times(b, a, ha);
    double bend = dot(b->n, a, ha);
    if (bend > 0) rank_one(b, -1 / bend, ha);
    for (int k = 0; i >= 0 && k < b->n; k++) b->h[(size_t)i * (size_t)b->n + (size_t)k] = b->h[(size_t)k * (size_t)b->n + (size_t)i] = 0;
    return 1;
}

/* Step 2: constraint number k of the active ones goes: N shrinks (the inverse of what grow_inverse does, with k moved to the end), and
 * H + P a a'P / (a'P a) lets H see the direction that is free again. */
static void drop(bfgs *b, int k) {
    size_t n = (size_t)b->n, last = (size_t)b->q - 1;
    int c = b->active[k];
    for (size_t i = 0; i <= last; i++) {
        double swap = b->inverse[(size_t)k * n + i];
        b->inverse[(size_t)k * n + i] = b->inverse[last * n + i];
        b->inverse[last * n + i] = swap;
    }
    for (size_t i = 0; i <= last; i++) {
        double swap = b->inverse[i * n + (size_t)k];
        b->inverse[i * n + (size_t)k] = b->inverse[i * n + last];
        b->inverse[i * n + last] = swap;
    }
    const double *border = b->inverse + last * n;
    for (size_t i = 0; i < last; i++)
        if (border[i] != 0)
            for (size_t j = 0; j < last; j++) b->inverse[i * n + j] -= border[i] * border[j] / border[last];
    b->active[k] = b->active[last];
    b->q--;
    mark(b, c, 0);
    memset(b->normal, 0, n * sizeof *b->normal);
    normal_add(b, c, 1, b->normal);
    project(b, b->normal, b->projected, b->alpha);
    rank_one(b, b->unit / dot(b->n, b->normal, b->projected), b->projected);
}

/* H = unit times the identity, nothing active. */
static void clear_metric(bfgs *b) {
    size_t n = (size_t)b->n;
    memset(b->h, 0, n * n * sizeof *b->h);
    memset(b->is_active, 0, (size_t)constraint_count(b));
    for (size_t i = 0; i < n; i++) b->h[i * n + i] = b->unit;
    b->q = b->equalities = 0;
    b->fresh = 1;
}

/* Step 0: H is the projection onto the face of the equalities and of the inequalities that z is on: of all of them, or of those that hold
 * -g back (after lbs_tangent). */
static void start_metric(bfgs *b, int only_holding) {
    int all = constraint_count(b);
    clear_metric(b);
    for (int c = b->n; c < all; c++)
        if (is_equality(b, c)) add(b, c);
    b->equalities = b->q;
    for (int c = 0; c < all; c++) {
        int i = bounded_variable(b, c);
        double held = i >= 0 ? b->bounds[i] : b->limits[c - 2 * b->n];
        if (b->is_active[c] || is_equality(b, c) || !is_on(b, c) || (only_holding && held == 0)) continue;
        add(b, c);
    }
}

/* H anew on the present face. */
static void restart_metric(bfgs *b) {
    int count = b->q, equalities = b->equalities;
    clear_metric(b);
    for (int k = 0; k < count; k++) { /* b->active fills up behind what is read */
        add(b, b->active[k]);
        if (k < equalities) b->equalities = b->q;
    }
}

/* --- The direction (steps 1 to 3) ------------------------------------------------------------------------------- */

/* The longest step before a constraint that is not active is met; b->hit is this one. */
static void measure_reach(bfgs *b) {
    double size = size_of(b->n, b->step), tiny = 1e-13 * size + 1e-15 * b->unit * largest(b->n, b->g);
    int all = constraint_count(b);
    b->reach = INFINITY;
    b->hit = -1;
    for (int c = 0; c < all; c++) {
        if (b->is_active[c]) continue;
        double along = normal_dot(b, c, b->step), scale;
        if (!(along > tiny)) continue;
        double left = slack(b, c, &scale);
        double t = left > 0 ? left / along : 0;
        if (t >= b->reach) continue;
        b->reach = t;
        b->hit = c;
    }
}

/* Where leaving a constraint lets G fall most steeply: its place among the active ones, or -1; the slope in *steepest. */
static int steepest_constraint(const bfgs *b, double *steepest) {
    int worst = -1;
    *steepest = 0;
    for (int k = b->equalities; k < b->q; k++) {
        double slope = b->alpha[k] / sqrt(b->inverse[(size_t)k * (size_t)b->n + (size_t)k]);
        if (!(slope > *steepest)) continue;
        *steepest = slope;
        worst = k;
    }
    return worst;
}

/* A direction that goes down and is not blocked at once, in b->step. Returns 0 if there is none, or if constraints that depend on each
 * other are dropped and added in circles. */
static int find_direction(bfgs *b) {
    int n = b->n, most = 2 * (n + b->s->limit_count) + 10;
    for (int change = 0; change < most; change++) {
        double *free_g = b->trial, steepest; /* P g; scratch until the line search */
        project(b, b->g, free_g, b->alpha);
        metric_times(b, free_g, b->direction);
        project(b, b->direction, b->step, b->normal); /* against drift */
        for (int i = 0; i < n; i++) b->step[i] = -b->step[i];
        int worst = steepest_constraint(b, &steepest);
        double size = size_of(n, b->step);
        if (worst >= 0 && size <= 0.5 * b->unit * steepest) {
            drop(b, worst);
            continue;
        }
        double slope = dot(n, b->g, b->step);
        if (!(slope < -1e-12 * size * size_of(n, free_g)) || !lbm_is_finite(slope)) return 0;
        measure_reach(b);
        if (b->hit < 0 || !is_on(b, b->hit)) return 1;
        if (!add(b, b->hit)) return 0;
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
            if (below != 0) t = high->t - width * (high->slope + root - c) / below;
        }
    } else t = low->t + 0.1 * width;
    double least = low->t + 0.05 * width, most = high->t - 0.05 * width;
    return t >= least && t <= most ? t : t < least ? least : t > most ? most : low->t + 0.5 * width;
}

/* G and its gradient at z + t s; a step as far as a constraint ends on it. */
static void evaluate(bfgs *b, end_point *at) {
    for (int i = 0; i < b->n; i++) {
        double moved = b->z[i] + at->t * b->step[i];
        b->trial[i] = moved < b->s->lower[i] ? b->s->lower[i] : moved > b->s->upper[i] ? b->s->upper[i] : moved;
    }
    int i = b->hit >= 0 && at->t == b->reach ? bounded_variable(b, b->hit) : -1;
    if (i >= 0) b->trial[i] = b->hit < b->n ? b->s->lower[i] : b->s->upper[i];
    if (b->s->limit_count > 0) lbs_project(b->s, b->trial); /* limits that do not contradict: they have a solution */
    at->value = b->trial_value = lbs_gradient(b->s, b->trial, -1, b->trial_g);
    at->slope = dot(b->n, b->trial_g, b->step);
}

/* Near a minimum that is not zero, G changes by less than its rounding errors long before the slope is small. Then the slope tells what
 * G cannot (W. Hager and H. Zhang 2005): G must not be worse to the bit, and the slope be nearer to zero. G is tried at several steps,
 * since its last bit is as good as random. */
static int search_in_noise(bfgs *b, double t, double slope) {
    for (int attempt = 0; attempt < 16; attempt++) {
        end_point at = {t * (1 - 0.03 * attempt), 0, 0};
        evaluate(b, &at);
        if (at.value <= b->value && fabs(at.slope) <= 0.9 * -slope) return 1;
    }
    return 0;
}

/* The longest step up to min(1, reach) that meets Powell's two conditions, G low enough and the slope flat enough, searched from the far
 * end. The very first trial is at most half a turn, and longer ones follow if the slope asks for them. A step of full length counts
 * although the slope is still steep. Returns 0 if there is none; else the point is in b->trial and *hit says whether it is on b->hit. */
static int line_search(bfgs *b, int *hit) {
    lbs_space *s = b->s;
    double slope = dot(b->n, b->g, b->step), most = b->reach < 1 ? b->reach : 1, size = largest(b->n, b->step);
    end_point low = {0, b->value, slope}, high = {0, 0, 0}, at = {most * size > LBM_PI ? LBM_PI / size : most, 0, 0};
    for (int attempt = 0; attempt < 40 && s->evaluations < s->options->max_evaluations; attempt++) {
        evaluate(b, &at);
        *hit = b->hit >= 0 && at.t == b->reach;
        double promise = SUFFICIENT * at.t * slope;
        int enough = at.value <= b->value + promise && at.value < b->value;
        if (enough && (at.slope >= FLATTER * slope || at.t == most)) return 1;
        if (!enough && at.t * -slope <= NOISE * fabs(b->value)) {
            *hit = 0;
            if (at.value <= b->value && fabs(at.slope) <= 0.9 * -slope) return 1;
            return search_in_noise(b, at.t * 0.97, slope);
        }
        if (enough) low = at;
        else high = at;
        if (high.t == 0) at.t = 4 * at.t < most ? 4 * at.t : most;
        else at.t = cubic_minimum(&low, &high);
        if (high.t > 0 && !(high.t - low.t > 1e-12 * high.t)) break;
    }
    if (low.t == 0) return 0;
    at.t = low.t; /* it is better, and that is something */
    *hit = 0;
    evaluate(b, &at);
    return b->trial_value < b->value;
}

/* --- The update (step 5) ------------------------------------------------------------------------------------------ */

/* H's first curvature, before its first update: H *= sigma'y / y'H y makes its size that of the inverse Hessian along the step (Shanno
 * and Phua). With it goes the unit in which G is measured. */
static void first_curvature(bfgs *b, double sigma_y, double y_h_y) {
    double factor = sigma_y / y_h_y;
    size_t count = (size_t)b->n * (size_t)b->n;
    for (size_t i = 0; i < count; i++) b->h[i] *= factor;
    b->unit *= factor;
    b->fresh = 0;
}

/* With sigma the step and y the change of the gradient. Both updates make H y = sigma; sigma'y > 0 keeps H positive definite. BFGS where
 * H is too small along y, DFP where it is too large (Fletcher). */
static void update(bfgs *b, const double *sigma, const double *y) {
    double *hy = b->projected;
    int n = b->n;
    double sigma_y = dot(n, sigma, y);
    metric_times(b, y, hy);
    double y_h_y = dot(n, y, hy);
    if (!(sigma_y > 1e-14 * size_of(n, sigma) * size_of(n, y)) || !(y_h_y > 0)) return;
    if (b->fresh) {
        double factor = sigma_y / y_h_y;
        first_curvature(b, sigma_y, y_h_y);
        for (int i = 0; i < n; i++) hy[i] *= factor;
        y_h_y = sigma_y;
    }
    if (sigma_y < y_h_y) {
        rank_one(b, 1 / sigma_y, sigma);
        rank_one(b, -1 / y_h_y, hy);
        return;
    }
    double both = (1 + y_h_y / sigma_y) / sigma_y;
    for (int i = 0; i < n; i++) {
        double *row = b->h + (size_t)i * (size_t)n, first = both * sigma[i], second = sigma[i] / sigma_y, third = hy[i] / sigma_y;
        if (sigma[i] == 0 && hy[i] == 0) continue;
        for (int k = 0; k < n; k++) row[k] += first * sigma[k] - (second * hy[k] + third * sigma[k]);
    }
}

/* One iteration along b->step. Returns 0 if it does not get better. */
static int move(bfgs *b) {
    int hit;
    if (!line_search(b, &hit)) return 0;
    for (int i = 0; i < b->n; i++) {
        double sigma = b->trial[i] - b->z[i], y = b->trial_g[i] - b->g[i];
        b->z[i] = b->trial[i];
        b->g[i] = b->trial_g[i];
        b->trial[i] = sigma;
        b->trial_g[i] = y;
    }
    b->value = b->trial_value;
    if (hit) add(b, b->hit);
    else update(b, b->trial, b->trial_g);
    return 1;
}

/* One iteration; if H does not lead down, with H as the projection onto the face, then onto that which lbs_tangent sees. */
static int advance(bfgs *b) {
    for (int attempt = 0; attempt < 3; attempt++) {
        if (attempt == 1) restart_metric(b);
        if (attempt == 2) start_metric(b, 1);
        if (find_direction(b) && move(b)) return 1;
        if (b->s->evaluations >= b->s->options->max_evaluations) return 0;
    }
    return 0;
}

/* --- The method ----------------------------------------------------------------------------------------------------- */

static lbs_end minimise(bfgs *b) {
    lbs_space *s = b->s;
    const lb_solve_options *o = s->options;
    int escapes = 0, levels = s->level_count;
    b->unit = 1 / lbs_gradient_unit(s);
    b->value = lbs_gradient(s, b->z, -1, b->g);
    start_metric(b, 0);
    for (int iteration = 0;; iteration++) {
        if (!o->keep_going && lbs_met(s, levels - 1) && lbs_wishes(s, b->z, NULL, NULL) == 0) return LBS_MET;
        double norm = lbs_tangent(s, b->z, b->g, b->direction, b->bounds, b->limits);
        int done = norm <= o->gradient_tolerance * lbs_gradient_unit(s);
        if (done && (b->value == 0 || levels > 1 || escapes == 3 || lbs_met(s, levels - 1))) return LBS_MINIMUM;
        if (iteration == o->max_iterations) return LBS_OUT;
        if (done) {
            escapes++;
            if (!lbs_newton_escape(s, b->newton, b->z, 0)) return LBS_MINIMUM;
            b->value = lbs_gradient(s, b->z, -1, b->g);
            start_metric(b, 0);
        } else if (!advance(b)) return LBS_OUT;
        if (lbs_stop(s, b->z, b->value)) return LBS_OUT;
    }
}

static size_t room(const lbs_space *s) {
    int n = lbs_max_n(s);
    return (size_t)(n < LARGEST_N ? n : LARGEST_N);
}

static size_t limit_room(const lbs_space *s) {
    size_t count = 0;
    for (int f = 0; f < s->problem->figure_count; f++) count += (size_t)s->problem->figures[f]->row_count;
    return count;
}

/* Two n x n matrices, fifteen vectors of n and one of the limits, of which the last vectors hold smaller types. */
size_t lbs_bfgs_size(const lbs_space *s) {
    size_t n = room(s), limits = limit_room(s);
    return 2 * n * n + 15 * n + 2 * limits + 2 + lbs_newton_size(s);
}

static void lay_out(bfgs *b, lbs_space *s, double *work, double *z) {
    size_t n = room(s), limits = limit_room(s);
    double **vectors[] = {&b->g,        &b->alpha,        &b->step,      &b->trial,     &b->trial_g, &b->normal,
                          &b->products, &b->coefficients, &b->projected, &b->direction, &b->bounds, &b->start};
    memset(b, 0, sizeof *b);
    b->s = s;
    b->n = s->n;
    b->z = z;
    b->h = work;
    b->inverse = b->h + n * n;
    work = b->inverse + n * n;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, work += n) *vectors[i] = work;
    b->active = (int *)work;
    work += n;
    b->limits = work;
    work += limits;
    b->is_active = (unsigned char *)work;
    work += 2 * n + limits + 1;
    b->newton = work;
}

/* Several levels: bfgs has one sum to minimise. Where it meets every constraint of every level, that is an answer whatever their ranks;
 * where it does not, the ranks would decide, and it says that it cannot. */
static lbs_end weigh_levels(lbs_space *s, lbs_end end, double *z, const double *start, lb_error *error) {
    const lb_solve_options *o = s->options;
    lbs_value(s, z);
    if (lbs_met(s, s->level_count - 1)) return LBS_MET;
    memcpy(z, start, (size_t)s->n * sizeof *z);
    if (end == LBS_OUT && s->stopped) return LBS_OUT;
    if (!o->tracking && s->restarts < o->restarts) return LBS_OUT; /* another start may meet all */
    lbf_fail(error, LB_ERROR_UNSUPPORTED,
             s->levels[0] < 0 ? "bfgs cannot rank the closing of loops above goals that cannot be met with it: use lm"
                              : "bfgs cannot rank constraints by priority where not all can be met: use lm",
             (char *)0);
    return LBS_CANNOT;
}

lbs_end lbs_bfgs(lbs_space *s, double *work, double *z, lb_error *error) {
    bfgs b;
    if (s->n > LARGEST_N) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "bfgs keeps a dense matrix and takes at most 2000 variables: use lm", (char *)0);
        return LBS_CANNOT;
    }
    lay_out(&b, s, work, z);
    memcpy(b.start, z, (size_t)s->n * sizeof *z);
    lbs_end end = minimise(&b);
    return s->level_count > 1 ? weigh_levels(s, end, z, b.start, error) : end;
}
