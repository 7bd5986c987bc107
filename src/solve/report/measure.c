/* How well an answer lets each end-effector move: Yoshikawa's manipulability (1985), the condition number and the
 * distance to a singularity of its Jacobian, and the distance to the nearest limit.
 *
 * The rows are the velocity of the effector's point and its angular velocity, relative to what carries the goal, for a
 * unit of each variable's velocity, as far as the goal speaks of them. Their singular values are found by Hestenes's
 * method: rows are turned in pairs until all are orthogonal, and are then as long as the values. Nothing is squared on
 * the way, so that small values keep their digits. */
#include <string.h>

#include "math/rounding.h"
#include "solve/solver.h"

#define MOST_SWEEPS 40
#define ORTHOGONAL 1e-15 /* cosine of an angle that counts as right */

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Turns two rows within their plane so that they are orthogonal. Returns 0 where they were. */
static int turn_pair(int n, double *p, double *q) {
    const double pp = dot(n, p, p), qq = dot(n, q, q), pq = dot(n, p, q);
    if (!(fabs(pq) > ORTHOGONAL * sqrt(pp) * sqrt(qq))) {
        return 0;
    }
    const double zeta = (qq - pp) / (2 * pq), root = sqrt(1 + zeta * zeta);
    const double t = zeta < 0 ? -1 / (root - zeta) : 1 / (root + zeta), c = 1 / sqrt(1 + t * t), s = c * t;
    for (int i = 0; i < n; i++) {
        const double a = p[i], b = q[i];
        p[i] = c * a - s * b;
        q[i] = s * a + c * b;
    }
    return 1;
}

static void find_singular_values(int count, int n, int stride, double *rows, double *values) {
    for (int sweep = 0, turned = 1; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int a = 0; a < count; a++) {
            for (int b = a + 1; b < count; b++) {
                turned |= turn_pair(n, rows + (size_t)a * (size_t)stride, rows + (size_t)b * (size_t)stride);
            }
        }
    }
    for (int r = 0; r < count; r++) {
        const double *row = rows + (size_t)r * (size_t)stride;
        values[r] = sqrt(dot(n, row, row));
    }
}

/* The rows of a goal: unit forces at the effector's point where the goal speaks of that, then unit moments where it
 * speaks of directions. */
static int make_wrenches(const lbs_item *item, double wrenches[6][6]) {
    const int is_com = item->constraint->effector.kind == LB_EFFECTOR_COM;
    const lb_goal_kind kind = item->constraint->goal.kind;
    const int has_directions = !is_com && (kind == LB_GOAL_ORIENTATION || kind == LB_GOAL_FRAME || kind == LB_GOAL_AIM);
    int count = 0;
    memset(wrenches, 0, 36 * sizeof(double));
    for (int k = 0; k < 3 && kind != LB_GOAL_ORIENTATION; k++, count++) {
        wrenches[count][k] = 1;
        lbm_cross3(item->e_w, wrenches[count], wrenches[count] + 3);
    }
    for (int k = 0; k < 3 && has_directions; k++, count++) {
        wrenches[count][3 + k] = 1;
    }
    return count;
}

/* The nearest end of a range among the variables that move the effector. */
static void find_nearest_limit(const lbs_space *s, const double *z, int count, const double *rows,
                               lb_measure *measure) {
    for (int i = 0; i < s->n; i++) {
        int moves = 0;
        for (int r = 0; r < count; r++) {
            moves |= rows[(size_t)r * (size_t)s->stride + (size_t)i] != 0;
        }
        const double scale = s->variables.scale[i];
        const double below = (z[i] - s->variables.lower[i]) * scale, above = (s->variables.upper[i] - z[i]) * scale;
        const double room = below < above ? below : above;
        if (moves && room < measure->limit) {
            measure->limit = room > 0 ? room : 0;
            measure->limit_variable = s->variables.index[i];
        }
    }
}

static void measure_item(lb_solver *solver, const lbs_item *item, lb_measure *measure) {
    lbs_space *s = solver->space;
    double wrenches[6][6], values[6], *rows = solver->freedom.measure_rows;
    *measure = (lb_measure){.condition = INFINITY, .limit = INFINITY, .limit_variable = -1};
    if (!item->enabled || item->row_count == 0 || item->constraint->goal.kind == LB_GOAL_CUSTOM) {
        return;
    }
    const int count = make_wrenches(item, wrenches);
    lbs_item_rows(s, item, count, (const double(*)[6])wrenches, rows);
    find_nearest_limit(s, solver->z, count, rows, measure);
    for (int r = 0; r < count; r++) { /* by the variables themselves, whatever their rigidity */
        for (int i = 0; i < s->n; i++) {
            rows[(size_t)r * (size_t)s->stride + (size_t)i] /= s->variables.scale[i];
        }
    }
    find_singular_values(count, s->n, s->stride, rows, values);
    double most = 0, least = INFINITY;
    measure->rows = count;
    measure->manipulability = 1;
    for (int r = 0; r < count; r++) {
        most = values[r] > most ? values[r] : most;
        least = values[r] < least ? values[r] : least;
        measure->manipulability *= values[r];
    }
    measure->singularity = least;
    measure->condition = least > 0 ? most / least : INFINITY;
}

void lbs_measure(lb_solver *solver, lb_result *result) {
    const lb_problem *p = solver->problem;
    lbs_jacobian(solver->space, solver->z);
    for (int i = 0; i < p->constraint_count; i++) {
        measure_item(solver, &solver->space->items[lbs_item_of(p, i)], &solver->lists.measures[i]);
    }
    result->measure_count = p->constraint_count;
    result->measures = solver->lists.measures;
}

static lb_status measure(lb_solver *solver, const double *pose, lb_result *result) {
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_solve_options options;
    lb_error error;
    lb_solve_options_defaults(&options);
    lb_status status = lbs_prepare(solver, LB_METHOD_LM);
    status = status ? status : lbs_begin(solver->space, &options, pose, &error);
    if (!status) {
        solver->kkt.is_known = 0;
        lbs_from_pose(solver->space, solver->space->start, solver->z);
        lbs_measure(solver, result);
        solver->space->last.is_valid = 0;
    }
    return status;
}

lb_status lb_solver_measure(lb_solver *solver, const double *pose, lb_result *result) {
    lbs_call call;
    if (!solver || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_call_begin(&call, NULL, result);
    return status ? status : lbs_call_end(&call, measure(solver, pose, call.result));
}
