#include "solving.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"

/* --- Options ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    lb_method method;
    lb_jacobian_variant variant;
} methods[SOLVING_METHODS] = {
    {"lm", LB_METHOD_LM, LB_JACOBIAN_VARIANT_DAMPED},
    {"bfgs", LB_METHOD_BFGS, LB_JACOBIAN_VARIANT_DAMPED},
    {"ccd", LB_METHOD_CCD, LB_JACOBIAN_VARIANT_DAMPED},
    {"fabrik", LB_METHOD_FABRIK, LB_JACOBIAN_VARIANT_DAMPED},
    {"damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_DAMPED},
    {"transpose", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_TRANSPOSE},
    {"pseudo-inverse", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_PSEUDO_INVERSE},
    {"svd-damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_SVD_DAMPED},
};

const char *solving_method(int which, lb_solve_options *o) {
    lb_solve_options_defaults(o);
    o->method = methods[which].method;
    o->jacobian = methods[which].variant;
    if (which > 0) {
        o->max_iterations = which == 1 ? 100 : 30;
    }
    o->max_evaluations = 2000;
    return methods[which].name;
}

void solving_options(uint64_t *seed, int which, lb_solve_options *o) {
    static const int iterations[4] = {1, 3, 15, 60};
    solving_method(which, o);
    if (random_below(seed, 3) == 0) {
        o->max_iterations = iterations[random_below(seed, 4)];
    }
    if (random_below(seed, 8) == 0) {
        o->max_evaluations = 1 + random_below(seed, 60);
    }
    if (random_below(seed, 3) == 0) {
        o->restarts = random_below(seed, 9);
    }
    o->tracking = random_below(seed, 8) == 0;
    o->keep_going = random_below(seed, 8) == 0;
    o->seed = 1 + (uint64_t)random_below(seed, 1000);
    if (o->method != LB_METHOD_JACOBIAN) {
        return;
    }
    if (random_below(seed, 3) == 0) {
        o->subgoals = 2 + random_below(seed, 3);
    }
    if (random_below(seed, 4) == 0) {
        o->preferred = random_between(seed, 0, 0.3);
    }
}

/* --- Being stopped ------------------------------------------------------------------------------------------------- */

void stop_random(uint64_t *seed, stop *s) {
    memset(s, 0, sizeof *s);
    s->kind = (stop_kind)random_below(seed, STOPS);
    s->at = 1 + random_below(seed, random_below(seed, 2) ? 4 : 60);
}

/* Microseconds: one more with each look. */
static double look(void *context) {
    stop *s = context;
    s->looks++;
    if (s->kind == STOP_CANCEL_BY_CLOCK && s->looks >= s->at) {
        lb_cancel_request(&s->cancel);
    }
    return 1e6 + s->looks;
}

static int call(void *context, const lb_progress *progress) {
    stop *s = context;
    (void)progress;
    s->calls++;
    if (s->kind == STOP_CANCEL_BY_CALL && s->calls >= s->at) {
        lb_cancel_request(&s->cancel);
    }
    return s->kind == STOP_BY_CALL && s->calls >= s->at;
}

void stop_set(stop *s, lb_solve_options *o) {
    s->looks = s->calls = 0;
    lb_cancel_clear(&s->cancel);
    if (s->kind == STOP_DEADLINE || s->kind == STOP_CANCEL_BY_CLOCK) {
        o->deadline_us = s->kind == STOP_DEADLINE ? s->at : 1e15;
        o->now_us = look;
        o->now_context = s;
    }
    if (s->kind == STOP_CANCEL_BY_CALL || s->kind == STOP_BY_CALL) {
        o->on_iteration = call;
        o->on_iteration_context = s;
    }
    if (s->kind == STOP_CANCEL_BY_CALL || s->kind == STOP_CANCEL_BY_CLOCK) {
        o->cancel = &s->cancel;
    }
}

/* --- Answers ------------------------------------------------------------------------------------------------------- */

void answer_solve(lb_solver *solver, const lb_solve_options *options, const double *start, int variables, answer *a) {
    memset(a, 0, sizeof *a);
    a->variables = variables;
    memcpy(a->pose, start, (size_t)variables * sizeof *start);
    lb_result_defaults(&a->result);
    a->status = lb_solver_solve(solver, options, a->pose, &a->result);
    a->constraint_count = a->result.constraint_count;
    a->limit_count = a->result.limit_count;
    REQUIRE(a->constraint_count <= RANDOM_MOST_CONSTRAINTS && a->limit_count <= 2 * RANDOM_MOST_VARIABLES);
    if (a->constraint_count) {
        memcpy(a->constraints, a->result.constraints, (size_t)a->constraint_count * sizeof *a->constraints);
    }
    if (a->limit_count) {
        memcpy(a->limits, a->result.limits, (size_t)a->limit_count * sizeof *a->limits);
    }
}

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

const char *answer_numbers_differ(const answer *a, const answer *b) {
    const lb_result *x = &a->result, *y = &b->result;
    if (a->status != b->status) {
        return "status";
    }
    if (x->outcome != y->outcome) {
        return "outcome";
    }
    if (memcmp(a->pose, b->pose, (size_t)a->variables * sizeof *a->pose) != 0) {
        return "pose";
    }
    if (!same(x->value_before, y->value_before)) {
        return "value_before";
    }
    if (!same(x->value, y->value)) {
        return "value";
    }
    if (!same(x->gradient_norm, y->gradient_norm)) {
        return "gradient_norm";
    }
    if (x->iterations != y->iterations) {
        return "iterations";
    }
    if (x->evaluations != y->evaluations) {
        return "evaluations";
    }
    if (x->restarts != y->restarts) {
        return "restarts";
    }
    return strcmp(x->explanation, y->explanation) ? "explanation" : NULL;
}

static int same_constraint(const lb_constraint_result *a, const lb_constraint_result *b) {
    return a->id == b->id && a->met == b->met && a->counted == b->counted && same(a->value, b->value) &&
           same(a->distance, b->distance) && same(a->angle_rad, b->angle_rad);
}

static int same_limit(const lb_active_limit *a, const lb_active_limit *b) {
    return a->variable == b->variable && a->figure == b->figure && a->row == b->row && a->is_upper == b->is_upper &&
           same(a->value, b->value) && same(a->multiplier, b->multiplier) && a->name == b->name;
}

const char *answer_differs(const answer *a, const answer *b) {
    const char *numbers = answer_numbers_differ(a, b);
    if (numbers) {
        return numbers;
    }
    if (a->constraint_count != b->constraint_count) {
        return "count of constraints";
    }
    if (a->limit_count != b->limit_count) {
        return "count of limits";
    }
    for (int i = 0; i < a->constraint_count; i++) {
        if (!same_constraint(&a->constraints[i], &b->constraints[i])) {
            return "a constraint's result";
        }
    }
    for (int i = 0; i < a->limit_count; i++) {
        if (!same_limit(&a->limits[i], &b->limits[i])) {
            return "a limit";
        }
    }
    return NULL;
}

void start_inside(const random_problem *p, const double *start, double *inside) {
    memcpy(inside, start, (size_t)lb_problem_variable_count(p->problem) * sizeof *inside);
    for (int f = 0; f < p->figure_count; f++) {
        REQUIRE(lb_kinematics_project(p->kinematics[f], inside + lb_problem_first_variable(p->problem, f)) == LB_OK);
    }
}
