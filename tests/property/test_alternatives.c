/* A disjunction is solved where one of its members alone is: if the problem with this member and without the others is
 * solved from the same start, so is the problem with all of them, and it is never worse than its best member. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

/* With alternatives beside it a problem has more rows, so that steps are found another way and may lead to another minimum. */
static property properties[] = {{.name = "a disjunction is solved where a member alone is", .share = 2e-3},
                                {.name = "a disjunction is not worse than a member alone", .share = 2e-3}};
enum { SOLVED, WORSE };

/* Makes the first few constraints alternatives: goals of one end-effector, by one chain, so that an alternative may move
 * what it may move alone. What has no weight is given one, so that no goal is met by chance; what
 * has all of it too, since steps to another minimum are a matter of chance there. */
static int make_alternatives(const random_problem *p, uint64_t *seed, int *ids) {
    int count = lb_problem_constraint_count(p->problem), members = 0, most = 2 + random_below(seed, 3), at = 0;
    for (int i = 0; i < count; i++) {
        lb_constraint c = *lb_problem_constraint(p->problem, i);
        if ((c.weight == 0 || c.weight > 1e6)) {
            REQUIRE(lb_problem_set_weight(p->problem, lb_problem_constraint_id(p->problem, i), 1) == LB_OK);
        }
        if (c.disabled || members == most) {
            continue;
        }
        if ((c.weight == 0 || c.weight > 1e6)) {
            c.weight = 1;
        }
        c.any_of = 9;
        ids[members] = lb_problem_constraint_id(p->problem, i);
        if (members > 0) {
            const lb_constraint *first = lb_problem_constraint(p->problem, at);
            c.figure = first->figure;
            c.effector = first->effector;
            c.chain_start = first->chain_start;
            c.goal.carrier_figure = first->goal.carrier_figure;
            c.goal.carrier_segment = first->goal.carrier_segment;
            if (lb_problem_change(p->problem, ids[members], &c)) {
                continue; /* a centre of mass has no directions */
            }
        } else {
            at = i;
            REQUIRE(lb_problem_change(p->problem, ids[members], &c) == LB_OK);
        }
        members++;
    }
    return members;
}

static void only(const random_problem *p, const int *ids, int members, int member) {
    for (int i = 0; i < members; i++) {
        REQUIRE(lb_problem_enable(p->problem, ids[i], member < 0 || i == member) == LB_OK);
    }
}

static void solve_anew(const random_problem *p, const lb_solve_options *options, answer *a) {
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    REQUIRE(solver != NULL);
    answer_solve(solver, options, p->start, lb_problem_variable_count(p->problem), a);
    lb_solver_destroy(solver);
}

/* One member alone, against all of them together. */
static void compare(const random_problem *p, const answer *all, const answer *one, int member, const char *method) {
    truth of_all, of_one;
    int solved = one->result.outcome == LB_OUTCOME_SOLVED, solved_all = all->result.outcome == LB_OUTCOME_SOLVED;
    const char *outcome = lb_outcome_name(all->result.outcome);
    if (all->result.outcome == LB_OUTCOME_BUDGET) {
        return; /* it does not say that there is nothing better */
    }
    truth_at(p, all->pose, &of_all);
    truth_at(p, one->pose, &of_one);
    double value = truth_sum(&of_all), alone = truth_sum(&of_one);
    property_expect(&properties[SOLVED], !solved || solved_all,
                    "%s: member %d alone is solved, all together end in %s, G %.17g", method, member, outcome, value);
    property_expect(
        &properties[WORSE],
        one->result.outcome != LB_OUTCOME_MINIMUM || solved_all || value <= alone * (1 + 1e-6) + of_all.slack,
        "%s: G %.17g at member %d's minimum, %.17g told of all (%s)", method, alone, member, value, outcome);
}

static void run(long number, uint64_t seed) {
    static answer all, one;
    trap memory;
    random_problem p;
    lb_solve_options options;
    int ids[RANDOM_MOST_CONSTRAINTS], which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | RANDOM_NO_WISHES | RANDOM_NO_ALTERNATIVES | RANDOM_ONE_LEVEL);
    int members = make_alternatives(&p, &seed, ids);
    const char *method = solving_method(which, &options);
    options.max_evaluations = 100000;
    if (number % 3 == 0) {
        options.restarts = random_below(&seed, 4);
    }
    solve_anew(&p, &options, &all);
    for (int i = 0; i < members && members > 1 && all.status == LB_OK; i++) {
        only(&p, ids, members, i);
        solve_anew(&p, &options, &one);
        only(&p, ids, members, -1);
        if (one.status == LB_OK) {
            compare(&p, &all, &one, i, method);
        }
    }
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 3000, 30000, run, properties, 2); }
