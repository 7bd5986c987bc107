/* The Jacobian methods: with r the residuals and J their derivatives, the step d that would make r + J d zero, or as
 * small as can be.
 *
 *     transpose       d = -alpha J'r, alpha = <JJ'r, r> / <JJ'r, JJ'r>, the best along J'r    (Buss 2004)
 *     pseudo-inverse  d = -J+ r                                                               (Whitney 1969; EN07 2.3)
 *     damped          d = -J'(JJ' + lambda^2)^-1 r                                            (Wampler 1986)
 *     SVD-damped      d = -sum over singular values s, with vectors u, v, of v (u'r) s / (s^2 + lambda(s)^2)
 *
 * SVD-damped is numerical filtering (Maciejewski & Klein 1988): singular values above epsilon are not damped at all;
 * below, lambda(s)^2 = (1 - s^2/epsilon^2) epsilon^2, which makes the denominator epsilon^2. epsilon is a part of the
 * largest singular value. The singular values and vectors come from the eigenvectors of the smaller of JJ' and J'J, by
 * Jacobi's rotations.
 *
 * The damping of `damped` follows the error, lambda^2 = f |r|^2 / 2 + a little (Sugihara 2011); f grows after a step
 * that made things worse and shrinks after one that made them better.
 *
 * Steps are taken plainly, better or worse, as in EN07: near goals out of reach the pseudo-inverse oscillates. What is
 * returned is the best pose on the way. No angle turns by more than a radian a step. Variables at a bound that the
 * gradient pushes against are left out of the step, and it keeps to the limits over several variables that hold it
 * back; what goes past a limit is then moved back inside.
 *
 * Subgoals (BAGS 3.3: the library of MIT's Media Laboratory): in the first K steps the residuals are approached in K
 * equal parts, r - (1 - k/K) r0: for a position goal, points on the straight line to it. Preferred angles: a pull p
 * towards the posture, as far as it does not move the goals, (1 - J+ J) p (Liegeois 1977). It fades, for it disturbs
 * the goals to second order.
 *
 * Wishes are residuals of one variable each: they join J'J as a diagonal. */
#include <string.h>

#include "math/dense/cholesky.h"
#include "math/trig.h"
#include "solve/methods/classic.h"

#define FILTER 0.05  /* epsilon of SVD-damped, as a part of the largest singular value */
#define CUTOFF 1e-6  /* of the pseudo-inverse: smaller singular values count as 0 */
#define PATIENCE 100 /* steps without anything better */
#define MOST_HELD 32 /* limits over several variables that a step keeps to; the rest by moving back inside */
#define FADE 0.95    /* of the pull towards preferred angles, a step */

typedef struct jacobian {
    lbs_space *s;
    double *z;
    double *r, *r0, *rows; /* [m]: residuals as the step sees them; at the start; scratch */
    double *slope, *bend;  /* [n]: wishes, half of what they add to gradient and Hessian */
    double *half, *gradient, *d, *pull, *bounds, *limits;
    double *own;              /* [m][n]: the Jacobian less what bounds and limits hold back */
    double *matrix, *vectors; /* [side][side] */
    double *y;                /* [side] */
    double *basis;            /* [held][n] */
    double *judge;
    int held;
    int primal; /* J'J (n x n) rather than JJ' (m x m) */
    int side;
    int iteration;
    double factor;
    double preferred; /* what is left of the pull */
    lbs_incumbent best;
} jacobian;

static int is_primal(const lbs_space *s, int n, int m) {
    const lbp_wishes *w = &s->task.wishes;
    return n <= m || lbp_are_wishes(w);
}

static size_t max_side(const lbs_space *s) {
    size_t n = s->max.n, m = s->max.rows;
    return n > m && lbp_has_wishes(s->problem) ? n : n < m ? n : m;
}

static size_t held_room(const lbs_space *s) {
    size_t limits = s->max.limits;
    return limits < MOST_HELD ? limits : MOST_HELD;
}

size_t lbs_jacobian_size(const lbs_space *s) {
    size_t n = s->max.n, m = s->max.rows, side = max_side(s);
    return 3 * m + 8 * n + m * n + s->max.limits + 2 * side * side + side + held_room(s) * n + lbs_judge_size(s);
}

/* --- Symmetric eigenvectors ---------------------------------------------------------------------------------- */

/* Makes a[p][q] zero by a turn of p and q (Golub & Van Loan 8.4.2). */
static void rotate(int n, double *a, double *v, int p, int q) {
    double apq = a[p * n + q];
    double tau = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
    double c = 1 / sqrt(1 + t * t), s = t * c, less = -s;
    if (!lbm_is_finite(tau)) {
        return;
    }
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x + less * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x + less * y;
        a[q * n + k] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = v[k * n + p], y = v[k * n + q];
        v[k * n + p] = c * x + less * y;
        v[k * n + q] = s * x + c * y;
    }
}

/* a (whole, symmetric) becomes diagonal: its eigenvalues; the columns of v are the eigenvectors. Returns the largest
 * eigenvalue. */
static double eigenvectors(int n, double *a, double *v) {
    memset(v, 0, (size_t)n * (size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) {
        v[i * n + i] = 1;
    }
    for (int sweep = 0; sweep < 30; sweep++) {
        double diagonal = 0, off = 0;
        for (int i = 0; i < n; i++) {
            diagonal += a[i * n + i] * a[i * n + i];
            for (int j = 0; j < i; j++) {
                off += a[i * n + j] * a[i * n + j];
            }
        }
        if (!(off > 1e-32 * diagonal)) {
            break;
        }
        double small = 1e-18 * sqrt(diagonal);
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (fabs(a[p * n + q]) > small) {
                    rotate(n, a, v, p, q);
                }
            }
        }
    }
    double largest = 0;
    for (int i = 0; i < n; i++) {
        if (a[i * n + i] > largest) {
            largest = a[i * n + i];
        }
    }
    return largest;
}

/* --- The step ------------------------------------------------------------------------------------------------ */

static double *row_of(const jacobian *j, int i) { return j->own + (size_t)i * (size_t)j->s->n; }

/* out[m] = J v. */
static void times(const jacobian *j, const double *v, double *out) {
    for (int i = 0; i < j->s->row_count; i++) {
        const double *row = row_of(j, i);
        double sum = 0;
        for (int k = 0; k < j->s->n; k++) {
            sum += row[k] * v[k];
        }
        out[i] = sum;
    }
}

/* out[n] += J' w. */
static void add_transposed(const jacobian *j, const double *w, double *out) {
    for (int i = 0; i < j->s->row_count; i++) {
        const double *row = row_of(j, i);
        for (int k = 0; k < j->s->n; k++) {
            out[k] += row[k] * w[i];
        }
    }
}

/* Takes off v what would break limits over several variables that are in force. */
static void keep_rows(const jacobian *j, double *v) {
    int n = j->s->n;
    for (int k = 0; k < j->held; k++) {
        const double *b = j->basis + (size_t)k * (size_t)n;
        double part = 0;
        for (int i = 0; i < n; i++) {
            part += b[i] * v[i];
        }
        for (int i = 0; i < n; i++) {
            v[i] -= part * b[i];
        }
    }
}

/* JJ', or J'J with the wishes' diagonal; whole. */
static void fill_matrix(jacobian *j) {
    int n = j->s->n, m = j->s->row_count, side = j->side;
    memset(j->matrix, 0, (size_t)side * (size_t)side * sizeof *j->matrix);
    if (!j->primal) {
        for (int a = 0; a < m; a++) {
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += row_of(j, a)[k] * row_of(j, b)[k];
                }
                j->matrix[a * m + b] = j->matrix[b * m + a] = sum;
            }
        }
        return;
    }
    for (int i = 0; i < m; i++) {
        const double *row = row_of(j, i);
        for (int a = 0; a < n; a++) {
            for (int b = 0; b <= a && row[a] != 0; b++) {
                j->matrix[a * n + b] += row[a] * row[b];
            }
        }
    }
    for (int a = 0; a < n; a++) {
        j->matrix[a * n + a] += j->bend[a];
        for (int b = 0; b < a; b++) {
            j->matrix[b * n + a] = j->matrix[a * n + b];
        }
    }
}

static double mean_diagonal(const jacobian *j) {
    double sum = 0;
    for (int i = 0; i < j->side; i++) {
        sum += j->matrix[i * j->side + i];
    }
    return j->side > 0 ? sum / j->side : 0;
}

/* d from y, the solution of (matrix + damping) y = r, or in the primal form of (matrix + damping) y = J'r + wishes. */
static void step_from(jacobian *j, const double *y) {
    memset(j->d, 0, (size_t)j->s->n * sizeof *j->d);
    if (j->primal) {
        for (int k = 0; k < j->s->n; k++) {
            j->d[k] = -y[k];
        }
    } else {
        add_transposed(j, y, j->d);
        for (int k = 0; k < j->s->n; k++) {
            j->d[k] = -j->d[k];
        }
    }
}

/* Down the gradient half, as far as the linear model says. */
static int transpose_step(jacobian *j) {
    int n = j->s->n;
    double above = 0, below = 0;
    times(j, j->half, j->rows);
    for (int i = 0; i < j->s->row_count; i++) {
        below += j->rows[i] * j->rows[i];
    }
    for (int k = 0; k < n; k++) {
        above += j->half[k] * j->half[k];
        below += j->bend[k] * j->half[k] * j->half[k];
    }
    for (int k = 0; k < n; k++) {
        j->d[k] = above > 0 ? -(above / below) * j->half[k] : 0;
    }
    return 0;
}

static int damped_step(jacobian *j) {
    double error = 0;
    fill_matrix(j);
    for (int i = 0; i < j->s->row_count; i++) {
        error += j->r[i] * j->r[i];
    }
    double damping = 0.5 * j->factor * error + 1e-6 * mean_diagonal(j);
    for (int i = 0; i < j->side; i++) {
        j->matrix[i * j->side + i] += damping;
        j->y[i] = j->primal ? j->half[i] : j->r[i];
    }
    if (!(damping > 0) || lbm_cholesky(j->side, j->matrix)) {
        return 1;
    }
    lbm_cholesky_solve(j->side, j->matrix, j->y);
    step_from(j, j->y);
    return 0;
}

/* Pseudo-inverse or SVD-damped: with U the eigenvectors, y = U f(eigenvalues) U' right. */
static void filtered_step(jacobian *j, int is_damped) {
    int side = j->side;
    fill_matrix(j);
    double largest = eigenvectors(side, j->matrix, j->vectors);
    const double *right = j->primal ? j->half : j->r;
    memset(j->y, 0, (size_t)side * sizeof *j->y);
    for (int i = 0; i < side; i++) {
        double square = j->matrix[i * side + i], part = 0;
        if (!(square > CUTOFF * CUTOFF * largest)) {
            continue;
        }
        if (is_damped && square < FILTER * FILTER * largest) {
            square = FILTER * FILTER * largest;
        }
        for (int k = 0; k < side; k++) {
            part += j->vectors[k * side + i] * right[k];
        }
        for (int k = 0; k < side; k++) {
            j->y[k] += j->vectors[k * side + i] * (part / square);
        }
    }
    step_from(j, j->y);
}

/* Adds the pull p towards the posture, less what of it would move the goals: p - J'(JJ')^-1 J p, or p - (J'J)^-1 (J'J)
 * p, with damping that only makes them regular. */
static void add_preferred(jacobian *j) {
    lbs_space *s = j->s;
    int n = s->n, side = j->side;
    for (int k = 0; k < n; k++) {
        double wanted = s->problem->posture[s->variables.index[k]] / s->variables.scale[k];
        j->pull[k] = j->bounds[k] > 0 ? 0 : j->preferred * (wanted - j->z[k]);
    }
    j->preferred *= FADE;
    keep_rows(j, j->pull);
    fill_matrix(j);
    double damping = 1e-10 * mean_diagonal(j) + 1e-300;
    for (int i = 0; i < side; i++) {
        j->matrix[i * side + i] += damping;
    }
    times(j, j->pull, j->rows);
    if (j->primal) {
        for (int k = 0; k < n; k++) {
            j->y[k] = j->bend[k] * j->pull[k];
        }
        add_transposed(j, j->rows, j->y);
    } else {
        memcpy(j->y, j->rows, (size_t)side * sizeof *j->y);
    }
    if (lbm_cholesky(side, j->matrix)) {
        return;
    }
    lbm_cholesky_solve(side, j->matrix, j->y);
    if (!j->primal) {
        for (int i = 0; i < side; i++) {
            j->y[i] = -j->y[i];
        }
    }
    if (!j->primal) {
        add_transposed(j, j->y, j->pull);
    }
    for (int k = 0; k < n; k++) {
        j->d[k] += j->primal ? j->pull[k] - j->y[k] : j->pull[k];
    }
}

/* --- Iterating ----------------------------------------------------------------------------------------------- */

/* An orthonormal basis of the limits over several variables that push back, or are equalities; J without what is along
 * it. */
static void hold_rows(jacobian *j) {
    lbs_space *s = j->s;
    int n = s->n, room = (int)held_room(s);
    j->held = 0;
    for (int k = 0; k < s->limits.count && j->held < room; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        if (j->limits[k] == 0 && limit->kind != LB_LIMIT_EQUAL) {
            continue;
        }
        double *b = j->basis + (size_t)j->held * (size_t)n, square = 0;
        memset(b, 0, (size_t)n * sizeof *b);
        for (int i = 0; i < limit->count; i++) {
            if (!(j->bounds[limit->variables[i]] > 0)) {
                b[limit->variables[i]] = limit->coefficients[i];
            }
        }
        keep_rows(j, b);
        keep_rows(j, b); /* twice is enough (Kahan) */
        for (int i = 0; i < n; i++) {
            square += b[i] * b[i];
        }
        if (square < 1e-16) {
            continue;
        }
        double norm = sqrt(square);
        for (int i = 0; i < n; i++) {
            b[i] /= norm;
        }
        j->held++;
    }
    for (int i = 0; i < s->row_count && j->held; i++) {
        keep_rows(j, row_of(j, i));
    }
    if (j->held) {
        keep_rows(j, j->slope);
    }
}

/* Residuals, Jacobian and wishes at z, without the variables that a bound holds back. Returns the norm of the projected
 * gradient. */
static double look(jacobian *j) {
    lbs_space *s = j->s;
    int n = s->n;
    lbs_jacobian(s, j->z);
    /* a copy: the space's own is known to be 0 in some blocks, which nothing else may fill */
    for (int i = 0; i < s->row_count; i++) {
        memcpy(row_of(j, i), lbs_jacobian_row(s, i), (size_t)n * sizeof *j->own);
    }
    memset(j->slope, 0, (size_t)n * sizeof *j->slope);
    memset(j->bend, 0, (size_t)n * sizeof *j->bend);
    lbs_wishes(s, j->z, j->slope, j->bend);
    memcpy(j->half, j->slope, (size_t)n * sizeof *j->half);
    add_transposed(j, s->last.residuals, j->half);
    for (int k = 0; k < n; k++) {
        j->gradient[k] = 2 * j->half[k];
    }
    double norm = lbs_tangent(s, j->z, j->gradient, j->d, j->bounds, j->limits);
    for (int k = 0; k < n; k++) {
        if (!(j->bounds[k] > 0)) {
            continue;
        }
        j->slope[k] = j->bend[k] = 0;
        for (int i = 0; i < s->row_count; i++) {
            row_of(j, i)[k] = 0;
        }
    }
    hold_rows(j);
    return norm;
}

/* The residuals of the present subgoal, and half the gradient for them. */
static void aim(jacobian *j, int iteration) {
    lbs_space *s = j->s;
    int parts = s->options->subgoals, m = s->row_count;
    if (iteration == 0) {
        memcpy(j->r0, s->last.residuals, (size_t)m * sizeof *j->r0);
    }
    double left = iteration + 1 < parts ? 1 - (iteration + 1.0) / parts : 0;
    for (int i = 0; i < m; i++) {
        j->r[i] = s->last.residuals[i] - left * j->r0[i];
    }
    memcpy(j->half, j->slope, (size_t)s->n * sizeof *j->half);
    add_transposed(j, j->r, j->half);
}

/* No angle by more than a radian: the linear model is no good farther out. */
static void clamp(jacobian *j) {
    const lbs_space *s = j->s;
    const lb_problem *p = s->problem;
    double largest = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            int k = s->variables.active_of[p->first_variables[f] + i];
            if (k < 0 || !p->figures[f]->variables[i].is_angle) {
                continue;
            }
            double turn = fabs(j->d[k] * s->variables.scale[k]);
            if (turn > largest) {
                largest = turn;
            }
        }
    }
    for (int k = 0; k < s->n && largest > 1; k++) {
        j->d[k] /= largest;
    }
}

/* Moves z by a step; 0 if there is none. */
static int step(jacobian *j) {
    lbs_space *s = j->s;
    int failed = 0;
    switch (s->options->jacobian) {
    case LB_JACOBIAN_VARIANT_TRANSPOSE:
        failed = transpose_step(j);
        break;
    case LB_JACOBIAN_VARIANT_PSEUDO_INVERSE:
        filtered_step(j, 0);
        break;
    case LB_JACOBIAN_VARIANT_SVD_DAMPED:
        filtered_step(j, 1);
        break;
    default:
        failed = damped_step(j);
        break;
    }
    if (failed) {
        return 0;
    }
    if (j->preferred > 0) {
        add_preferred(j);
    }
    clamp(j);
    double moved = 0;
    for (int k = 0; k < s->n; k++) {
        double next = j->z[k] + j->d[k];
        j->d[k] = j->z[k];
        j->z[k] = next;
    }
    if (!lbm_all_finite(j->z, s->n) || lbs_project(s, j->z)) {
        memcpy(j->z, j->d, (size_t)s->n * sizeof *j->z);
        return 0;
    }
    for (int k = 0; k < s->n; k++) {
        moved += (j->z[k] - j->d[k]) * (j->z[k] - j->d[k]);
    }
    return moved > 1e-30;
}

/* More damping after a step for the worse, less after one for the better; what rounding does is neither. */
static void adapt(jacobian *j, double before, double value) {
    if (value > before * (1 + 1e-14)) {
        j->factor *= 4;
    } else if (value < before * (1 - 1e-9)) {
        j->factor *= 0.7;
    }
    j->factor = j->factor < 1e-3 ? 1e-3 : j->factor > 1e9 ? 1e9 : j->factor;
}

static lbs_end iterate(jacobian *j) {
    lbs_space *s = j->s;
    int without = 0;
    double before = j->best.value;
    for (; j->iteration < s->options->max_iterations; j->iteration++) {
        double norm = look(j);
        if (norm <= s->options->gradient_tolerance * lbs_gradient_unit(s)) {
            lbs_incumbent_settle(&j->best, s, j->z, before);
            return LBS_OUT; /* what it is, is judged of the best */
        }
        aim(j, j->iteration);
        if (!step(j)) {
            return LBS_OUT;
        }
        double value = lbs_value(s, j->z);
        int done = lbs_done(s, j->z);
        double part = lbs_incumbent_keep(&j->best, s, j->z, value);
        if (lbs_stop(s, j->z, value)) {
            return LBS_OUT;
        }
        if (done && part > 0) {
            return LBS_MET;
        }
        without = part > 1e-12 ? 0 : without + 1;
        if (without >= PATIENCE && j->iteration >= s->options->subgoals) {
            return LBS_OUT;
        }
        adapt(j, before, value);
        before = value;
    }
    return LBS_OUT;
}

static void lay_out(jacobian *j, lbs_space *s, double *work, double *z) {
    size_t n = s->max.n, m = s->max.rows, side = max_side(s);
    memset(j, 0, sizeof *j);
    j->s = s;
    j->z = z;
    double **of_n[] = {&j->slope, &j->bend, &j->half, &j->gradient, &j->d, &j->pull, &j->bounds, &j->best.z};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++, work += n) {
        *of_n[i] = work;
    }
    double **of_m[] = {&j->r, &j->r0, &j->rows};
    for (size_t i = 0; i < sizeof of_m / sizeof *of_m; i++, work += m) {
        *of_m[i] = work;
    }
    j->own = work;
    j->matrix = j->own + m * n;
    j->vectors = j->matrix + side * side;
    j->y = j->vectors + side * side;
    j->limits = j->y + side;
    j->basis = j->limits + s->max.limits;
    j->judge = j->basis + held_room(s) * n;
    j->primal = is_primal(s, s->n, s->row_count);
    j->side = j->primal ? s->n : s->row_count;
    j->factor = 1;
    j->preferred = s->options->preferred;
}

lbs_end lbs_run_jacobian(lbs_space *s, double *work, double *z, lb_error *error) {
    jacobian j;
    if (lbs_has_levels(s, "jacobian", error)) {
        return LBS_CANNOT;
    }
    lay_out(&j, s, work, z);
    lbs_incumbent_begin(&j.best, s, z);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    lbs_end end = LBS_OUT;
    for (int attempt = 0; attempt < 4 && !s->budget.stopped; attempt++) {
        int escaped;
        end = iterate(&j);
        memcpy(z, j.best.z, (size_t)s->n * sizeof *z);
        if (end == LBS_MET || s->budget.stopped) {
            break;
        }
        end = lbs_judge(s, j.judge, z, &escaped);
        if (!escaped) {
            break;
        }
        lbs_incumbent_keep(&j.best, s, z, lbs_value(s, z));
    }
    return end;
}
