/* A problem once more, of the same figures: for whoever solves it with more constraints, as a path does. */
#include <string.h>

#include "figure/figure.h"
#include "problem/apart.h"
#include "problem/problem.h"

static lb_status copy_constraints(const lb_problem *from, lb_problem *to) {
    for (int i = 0; i < from->constraint_count; i++) {
        const int id = lb_problem_add(to, &from->constraints[i].constraint);
        if (id < 0) {
            return (lb_status)id;
        }
    }
    return LB_OK;
}

static lb_status copy_bodies(const lb_problem *from, lb_problem *to) {
    lb_status status = LB_OK;
    for (int f = 0; f < from->figure_count && !status; f++) {
        const lb_body_options *options = lb_problem_body(from, f);
        status = options ? lb_problem_set_body(to, f, options) : LB_OK;
        status = status ? status : lb_problem_set_habit(to, f, lb_problem_habit(from, f));
    }
    return status;
}

lb_problem *lbp_copy_problem(const lb_problem *from, lb_error *error) {
    lb_problem *to = lb_problem_create(from->figures[0], error);
    if (!to) {
        return NULL;
    }
    lb_status status = LB_OK;
    for (int f = 1; f < from->figure_count && !status; f++) {
        const int number = lb_problem_add_figure(to, from->figures[f]);
        status = number < 0 ? (lb_status)number : LB_OK;
    }
    status = status ? status : copy_constraints(from, to);
    if (!status) {
        const size_t count = (size_t)from->variable_count;
        memcpy(to->active, from->active, count * sizeof *to->active);
        memcpy(to->rigidity, from->rigidity, count * sizeof *to->rigidity);
        memcpy(to->posture, from->posture, count * sizeof *to->posture);
        to->wishes = from->wishes;
        status = copy_bodies(from, to);
    }
    if (status) {
        *error = *lb_problem_error(to);
        lb_problem_destroy(to);
        return NULL;
    }
    return to;
}
