/* Wishes never cost a goal its tolerance: what is solved without them is solved with them, from the same start, whatever
 * their weights; and every goal that counts is met then. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "kkt.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "what is solved without wishes is solved with them"},
                                {.name = "where the goals are met at the start, wishes do not get worse"}};

static int all_met(const answer *a) {
    for (int i = 0; i < a->constraint_count; i++) {
        if (a->constraints[i].counted && !a->constraints[i].met) {
            return 0;
        }
    }
    return 1;
}

static void check_both(const random_problem *p, const answer *plain, const answer *wishing, const char *method) {
    truth without, with;
    const char *outcome = lb_outcome_name(wishing->result.outcome);
    int is_end = wishing->result.outcome == LB_OUTCOME_SOLVED || wishing->result.outcome == LB_OUTCOME_MINIMUM;
    truth_at(p, plain->pose, &without);
    truth_at(p, wishing->pose, &with);
    if (plain->result.outcome == LB_OUTCOME_SOLVED) {
        property_expect(&properties[0], is_end && all_met(wishing),
                        "%s, posture %.2g, stay %.2g, margin %.2g: %s, goals %.3g, without wishes %.3g", method,
                        p->posture, p->stay, p->margin_weight, outcome, truth_sum(&with), truth_sum(&without));
    }
}

/* From the pose that the goals come from. */
static void check_from_target(const random_problem *p, const lb_solve_options *options, const char *method) {
    static answer a;
    unsigned char moves[RANDOM_MOST_VARIABLES];
    double inside[RANDOM_MOST_VARIABLES], unused[RANDOM_MOST_VARIABLES] = {0};
    truth before;
    start_inside(p, p->target, inside);
    truth_at(p, inside, &before);
    if (!before.met_well || !p->reachable) {
        return;
    }
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    answer_solve(solver, options, p->target, lb_problem_variable_count(p->problem), &a);
    lb_solver_destroy(solver);
    if (a.status) {
        return;
    }
    kkt_may_move(p, moves);
    double was = kkt_add_wishes(p, inside, inside, moves, unused),
           is = kkt_add_wishes(p, a.pose, inside, moves, unused);
    property_expect(&properties[1], is <= was * (1 + 1e-9) + 1e-15, "%s, %d restarts, %s: wishes %.9g -> %.9g", method,
                    options->restarts, lb_outcome_name(a.result.outcome), was, is);
}

static void run(long number, uint64_t seed) {
    static answer plain, wishing;
    trap memory;
    random_problem p;
    lb_solve_options options;
    int which = number % 3 ? 0 : (int)(number / 3 % SOLVING_METHODS);
    unsigned mix = RANDOM_ALL | RANDOM_ALWAYS_WISHES | (number % 5 < 3 ? RANDOM_WITHIN_REACH : 0) |
                   (number % 4 == 3 ? RANDOM_ARM : 0);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, mix);
    const char *method = solving_method(which, &options);
    options.max_evaluations = 100000;
    options.max_iterations = 300;
    if (number % 7 == 6) {
        options.restarts = random_below(&seed, 4);
    }
    int n = lb_problem_variable_count(p.problem);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    random_problem_wish(&p, 0);
    answer_solve(solver, &options, p.start, n, &plain);
    random_problem_wish(&p, 1);
    lb_solver_destroy(solver);
    solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, n, &wishing);
    if (plain.status == LB_OK && wishing.status == LB_OK) {
        check_both(&p, &plain, &wishing, method);
    }
    check_from_target(&p, &options, method);
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 2500, 25000, run, properties, 2); }
