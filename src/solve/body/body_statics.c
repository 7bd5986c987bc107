/* What holds a body in a pose that is given: no variable moves, and the forces of the contacts are those that hold it
 * up with the least effort, spread as evenly as that allows.
 *
 * With the variables fixed all rows are linear in the forces f, whose residuals and derivatives an evaluation gives:
 *
 *     minimise |w + W f|^2 + BALANCE |r + R f|^2   such that   0 <= f <= 1,
 *
 * w the terms and r the rules of balance: three where all surfaces that carry are level, else six, with friction as
 * conditions. */
#include <math.h>
#include <string.h>

#include "math/rounding.h"
#include "solve/body/body.h"

#define TOUCHES 5e-3 /* metres above its surface: a contact that is no higher carries */
#define BALANCE 1e9  /* weight of the rules of balance: where they can be kept they are, to a billionth */
#define FRICTION 1e7 /* of conditions */
#define DAMPING 1e-9

/* Feet that are off the ground are lifted, whatever is planned; heels are where they are. */
static void find_feet(const lbs_body *b) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        lbs_foothold *stood = &b->state->feet[i];
        double lowest = INFINITY;
        for (int k = 0; k < b->stand.contact_count; k++) {
            const double height = lbs_contact_height(&b->stand.contacts[k]);
            lowest = b->stand.contacts[k].foot == i && height < lowest ? height : lowest;
        }
        const int heel_is_down = foot->heel >= 0 && lbs_contact_height(&b->stand.contacts[foot->heel]) <= TOUCHES;
        stood->state = lowest > TOUCHES || foot->planned == LBS_FOOT_LIFTED ? LBS_FOOT_LIFTED : LBS_FOOT_PLANTED;
        stood->heel_state = heel_is_down ? LBS_HEEL_DOWN : LBS_HEEL_UP;
    }
}

/* What touches may carry anything from nothing to all of the weight. */
static void bound_forces(lbs_bodies *all) {
    lbs_bound_forces(all);
    for (int k = 0; k < all->count; k++) {
        const lbs_body_stand *stand = &all->bodies[k].stand;
        for (int i = 0; i < stand->force_count; i++) {
            const int touches = lbs_contact_height(&stand->contacts[stand->force_contacts[i]]) <= TOUCHES;
            all->lower[stand->first_force + i] = 0;
            all->upper[stand->first_force + i] = touches ? all->upper[stand->first_force + i] : 0;
        }
    }
}

/* Adds the square of a row to the quadratic function of the forces: half its Hessian, half its gradient. */
static void add_square(lbs_bodies *all, const double *row, double residual, double weight) {
    const lbs_bodies_task *t = &all->task;
    const size_t stride = (size_t)t->stride;
    for (int i = t->n; i < t->size; i++) {
        if (row[i] != 0) {
            for (int k = t->n; k < t->size; k++) {
                all->step.matrix[(size_t)i * stride + (size_t)k] += weight * row[i] * row[k];
            }
            all->step.gradient[i] += weight * residual * row[i];
        }
    }
}

/* The three rules of level ground tell where the middle of the forces is in the world: here how far it is from the
 * centre of mass, so that it does not matter where the body is if the forces cannot hold it. */
static void turn_about_centre(lbs_bodies *all, const lbs_body *b) {
    lbs_bodies_task *t = &all->task;
    const size_t stride = (size_t)t->stride, first = (size_t)b->state->balance_row;
    const double *sum = t->rules.jacobian + first * stride;
    for (size_t c = 0; c < 2 && lbs_balance_count(b) == 3; c++) {
        double *row = t->rules.jacobian + (first + 1 + c) * stride;
        for (int i = t->n; i < t->size; i++) {
            row[i] -= b->state->com[c] * sum[i];
        }
        t->iterate.rules[first + 1 + c] -= b->state->com[c] * t->iterate.rules[first];
    }
}

static void fill_model(lbs_bodies *all) {
    const lbs_bodies_task *t = &all->task;
    const size_t stride = (size_t)t->stride;
    memset(all->step.matrix, 0, (size_t)t->size * stride * sizeof *all->step.matrix);
    memset(all->step.gradient, 0, stride * sizeof *all->step.gradient);
    for (int i = 0; i < t->size; i++) {
        all->step.matrix[(size_t)i * stride + (size_t)i] = i < t->n ? 1 : DAMPING; /* variables stay */
    }
    for (int i = 0; i < t->wishes.count; i++) {
        add_square(all, t->wishes.jacobian + (size_t)i * stride, t->iterate.wishes[i], 1);
    }
    for (int k = 0; k < all->count; k++) {
        const int first = all->bodies[k].state->balance_row;
        turn_about_centre(all, &all->bodies[k]);
        for (int i = first; i < first + lbs_balance_count(&all->bodies[k]); i++) {
            add_square(all, t->rules.jacobian + (size_t)i * stride, t->iterate.rules[i], BALANCE);
        }
    }
}

/* Conditions are friction: they count where a surface is not level. */
static int condition_count(const lbs_bodies *all) {
    int is_tilted = 0;
    for (int k = 0; k < all->count; k++) {
        is_tilted |= all->bodies[k].state->is_tilted && all->bodies[k].stand.force_count;
    }
    return is_tilted ? all->task.conditions.near.count : 0;
}

/* Moves the forces of x to those that hold the pose. */
static void find_forces(lbs_bodies *all, double *x) {
    const lbs_bodies_task *t = &all->task;
    lbs_body_step *s = &all->step;
    lbm_qp *q = &s->qp;
    fill_model(all);
    for (int i = 0; i < t->stride; i++) {
        s->low[i] = i < t->n || i >= t->size ? 0 : all->lower[i] - x[i];
        s->high[i] = i < t->n || i >= t->size ? 0 : all->upper[i] - x[i];
        s->low[i] = s->low[i] < 0 ? s->low[i] : 0;
        s->high[i] = s->high[i] > 0 ? s->high[i] : 0;
    }
    for (int i = 0; i < t->conditions.near.count; i++) {
        s->condition_values[i] = t->iterate.conditions[t->conditions.ids[i]];
    }
    q->kernels = t->space->kernels;
    q->n = t->size, q->stride = t->stride;
    q->matrix = s->matrix, q->gradient = s->gradient;
    q->low = s->low, q->high = s->high;
    q->condition_count = condition_count(all);
    q->rows = t->conditions.near.jacobian, q->values = s->condition_values;
    q->weight = FRICTION;
    q->count = q->hard_count = q->is_factored = 0;
    q->d = s->d;
    if (lbm_qp_solve(q)) {
        return;
    }
    for (int i = t->n; i < t->size; i++) {
        const double moved = x[i] + s->d[i];
        x[i] = moved < all->lower[i] ? all->lower[i] : moved > all->upper[i] ? all->upper[i] : moved;
    }
}

static void hold(lbs_bodies *all, lbs_space *s, double *x) {
    all->elastic = 0;
    all->start_name = NULL;
    all->search.keeps_clear = 0;
    all->search.max_change = INFINITY;
    all->task.heel_force = 0;
    lbs_bodies_begin(all, s, s->start);
    lbs_from_pose(s, s->start, x);
    for (int i = s->n; i < all->task.stride; i++) {
        x[i] = 0;
    }
    memcpy(all->first, x, (size_t)all->task.size * sizeof *x);
    lbs_bodies_forget(all);
    lbs_bodies_evaluate(all, x, 0); /* where the contacts are */
    for (int k = 0; k < all->count; k++) {
        find_feet(&all->bodies[k]);
    }
    bound_forces(all);
    lbs_share_evenly(all, x);
    lbs_share_to_balance(all, x);
    lbs_bodies_evaluate(all, x, 1);
    find_forces(all, x);
    lbs_bodies_evaluate(all, x, 1);
    lbs_bodies_report(all, x, TOUCHES);
}

lb_status lb_statics(lb_solver *solver, const double *pose, lb_error *error) {
    lb_error unseen;
    error = error ? error : &unseen;
    lbf_clear(error);
    if (!solver || !pose) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a solver and a pose are needed", (char *)0);
    }
    if (!solver->problem->body_count) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED,
                        "no figure of the problem is posed as a body (lb_problem_set_body)", (char *)0);
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST, (char *)0);
    }
    lb_solve_options options;
    lb_result result;
    lb_solve_options_defaults(&options);
    const lb_status status = lbs_begin_solver(solver, &options, pose, &result, error);
    if (status) {
        return status;
    }
    lbs_space *s = solver->space;
    const size_t size = (size_t)solver->problem->variable_count * sizeof *pose;
    memcpy(s->start, pose, size); /* as it is given, also where it is outside of its limits */
    memcpy(s->last.pose, pose, size);
    lbs_place_still(s);
    hold(solver->bodies, s, solver->bodies->work);
    return LB_OK;
}
