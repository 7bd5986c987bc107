/* What a body on a servo would like: its terms as a quadratic function of the variables, for the next few ticks.
 *
 * The terms are of the pose and of the forces at the contacts, which hold up the centre of mass where it is now, not at
 * the end of the way. So they are looked at with forces of their own. These are eliminated: with the balance J dz + A
 * df + r = 0 as squares of large weight, the minimum over df is a quadratic function of dz alone, and the program of
 * the tick knows nothing of these forces. */
#include <math.h>
#include <string.h>

#include "solve/servo/servo_body.h"

#define BALANCE_WEIGHT 1e6
#define LEAST_PIVOT 1e-6 /* of a force that no term is about */

/* Wishes of the problem and of the servo's options, which are about single variables. */
static void add_wishes(lb_servo *servo) {
    const struct lbs_servo_body *b = servo->body;
    lbs_bodies_task *t = &b->bodies->task;
    lbs_space *s = servo->space;
    double *curvature = t->iterate.half_curvature, *gradient = t->iterate.half_gradient;
    s->task.wishes = s->problem->wishes;
    lbs_wishes(s, b->x, gradient, curvature);
    memset(&s->task.wishes, 0, sizeof s->task.wishes);
    for (int k = 0; k < s->n && servo->options.middle > 0; k++) {
        const double lower = s->variables.lower[k], upper = s->variables.upper[k];
        if (lower > -INFINITY && upper < INFINITY) {
            gradient[k] += servo->options.middle * (b->x[k] - 0.5 * (lower + upper));
            curvature[k] += servo->options.middle;
        }
    }
}

static void add_squares(const lb_servo *servo, int count, const double *residuals, const double *rows, double weight) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    t->space->kernels->squares(t->size, count, rows, rows, weight, b->terms.matrix);
    for (int i = 0; i < count; i++) {
        t->space->kernels->add_scaled(t->stride, weight * residuals[i], rows + (size_t)i * (size_t)t->stride,
                                      b->terms.gradient);
    }
}

/* Takes a force out of the function: at its minimum, or where it is. */
static void eliminate(const lb_servo *servo, int force) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const size_t stride = (size_t)t->stride;
    double *row = b->terms.matrix + (size_t)force * stride;
    const double pivot = row[force] + LEAST_PIVOT;
    const int may_change = b->bodies->upper[force] > b->bodies->lower[force];
    for (int i = 0; i < force; i++) {
        const double share = may_change ? row[i] / pivot : 0;
        if (share != 0) {
            t->space->kernels->add_scaled((force + 7) & ~7, -share, row, b->terms.matrix + (size_t)i * stride);
            b->terms.gradient[i] -= share * b->terms.gradient[force];
        }
    }
    for (int i = 0; i < t->size; i++) {
        b->terms.matrix[(size_t)i * stride + (size_t)force] = 0;
    }
    memset(row, 0, stride * sizeof *row);
    row[force] = LBS_SERVO_FORCE_DAMPING;
    b->terms.gradient[force] = 0;
}

static void read_terms(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies_task *t = &b->bodies->task;
    const size_t stride = (size_t)t->stride;
    add_wishes(servo);
    memset(b->terms.matrix, 0, (size_t)t->size * stride * sizeof(double));
    memcpy(b->terms.gradient, t->iterate.half_gradient, stride * sizeof(double));
    add_squares(servo, t->wishes.count, t->iterate.wishes, t->wishes.jacobian, 1);
    for (int i = 0; i < b->bodies->count; i++) {
        const lbs_body *body = &b->bodies->bodies[i];
        const int first = body->state->balance_row, count = !body->stand.force_count ? 0
                                                            : body->state->is_tilted ? 6
                                                                                     : 3;
        add_squares(servo, count, t->iterate.rules + first, t->rules.jacobian + (size_t)first * stride, BALANCE_WEIGHT);
    }
    for (int i = 0; i < t->size; i++) {
        b->terms.matrix[(size_t)i * stride + (size_t)i] += t->iterate.half_curvature[i];
    }
    t->space->kernels->mirror(t->size, b->terms.matrix);
    for (int i = t->size - 1; i >= t->n; i--) {
        eliminate(servo, i);
    }
    for (int i = 0; i < t->n; i++) {
        b->terms.matrix[(size_t)i * stride + (size_t)i] += LBS_SERVO_BODY_DAMPING;
    }
    memcpy(b->terms.x, b->x, stride * sizeof(double));
}

void lbs_servo_body_terms(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies_task *t = &b->bodies->task;
    const size_t forces = (size_t)(t->size - t->n) * sizeof(double);
    if (b->terms.age++ < LBS_SERVO_TERMS_AGE) {
        return;
    }
    memcpy(b->solved, b->x + t->n, forces); /* those of the end of the way */
    lbs_share_to_balance(b->bodies, b->x);
    t->conditions.before = NULL;
    t->far = -1e9; /* no condition has a row */
    lbs_bodies_look(b->bodies, b->x, 1);
    read_terms(servo);
    memcpy(b->x + t->n, b->solved, forces);
    b->terms.age = 1;
}
