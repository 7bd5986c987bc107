/* Never worse: no answer's goals are worse than the start's, level by level - with restarts, wishes, tracking, however
 * the solve is stopped - and the value that is told is the true one. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "no goal is worse than at the start"},
                                {.name = "the value told is not above value_before"},
                                {.name = "the value told is that of lb_solver_value"},
                                {.name = "the values told are true"},
                                {.name = "all is finite"}};
enum { WORSE, TOLD, VALUE, TRUE_VALUE, FINITE };

static int is_near(double a, double b, double unit) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + unit; }

static void check_value(lb_solver *solver, const answer *a, double slack, const char *method) {
    double value = 0;
    lb_status status = lb_solver_value(solver, a->pose, &value, NULL);
    property_expect(&properties[VALUE], status == LB_OK && is_near(value, a->result.value, slack),
                    "%s, %s: status %d, %.17g told, %.17g by lb_solver_value", method,
                    lb_outcome_name(a->result.outcome), status, a->result.value, value);
}

static void check_answer(const random_problem *p, lb_solver *solver, const answer *a, const lb_solve_options *options,
                         const char *method) {
    double inside[RANDOM_MOST_VARIABLES];
    truth before, after;
    const lb_result *r = &a->result;
    const char *outcome = lb_outcome_name(r->outcome);
    start_inside(p, p->start, inside);
    truth_at(p, inside, &before);
    truth_at(p, a->pose, &after);
    double sum = truth_sum(&after), sum_before = truth_sum(&before), slack = 1e-16 * before.unit * p->scale * p->scale;
    property_expect(&properties[FINITE], isfinite(r->value) && isfinite(r->gradient_norm), "%s: value %g, gradient %g",
                    method, r->value, r->gradient_norm);
    int is_within = p->wishes && after.met; /* within their tolerances goals may make room for wishes */
    property_expect(&properties[WORSE], is_within || !truth_worse(&after, &before, after.level_count),
                    "%s, %s, %d restarts%s: goals %.17g, at the start %.17g", method, outcome, options->restarts,
                    p->wishes ? ", wishes" : "", sum, sum_before);
    if (after.level_count == 1 && !p->wishes) {
        property_expect(&properties[TOLD], r->value <= r->value_before * (1 + 1e-12) + slack,
                        "%s, %s: %.17g, before %.17g", method, outcome, r->value, r->value_before);
    }
    if (!p->wishes) {
        property_expect(&properties[TRUE_VALUE],
                        is_near(r->value, sum, slack) && is_near(r->value_before, sum_before, slack),
                        "%s: %.17g told, %.17g true; before %.17g told, %.17g true", method, r->value, sum,
                        r->value_before, sum_before);
    }
    check_value(solver, a, slack, method);
}

static void run(long number, uint64_t seed) {
    static answer a;
    trap memory;
    random_problem p;
    lb_solve_options options;
    stop s;
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | (number % 5 == 4 ? RANDOM_ARM : 0));
    solving_options(&seed, which, &options);
    stop_random(&seed, &s);
    if (number % 4) {
        s.kind = STOP_NOT;
    }
    stop_set(&s, &options);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, lb_problem_variable_count(p.problem), &a);
    if (a.status == LB_OK) {
        check_answer(&p, solver, &a, &options, solving_method(which, &(lb_solve_options){0}));
    }
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 4000, 40000, run, properties, 5); }
