/* The reason given is the true one, on random problems: `test_property_explain [CASES [FIRST]]`. */
#include "random_figure.h"
#include "random_problem.h"
#include "reasons.h"

static void explain_case(long number, reasons_tally *tally) {
    trap memory;
    random_problem p;
    lb_result result;
    double pose[REASONS_MOST_VARIABLES], answer[REASONS_MOST_VARIABLES];
    char name[32];
    trap_init(&memory);
    random_problem_make(&p, (uint64_t)number * 7919 + 13, &memory);
    int n = lb_problem_variable_count(p.problem);
    lb_solver *solver = lb_solver_create(p.problem), *other = lb_solver_create(p.problem);
    REQUIRE(solver && other && n <= REASONS_MOST_VARIABLES);
    memcpy(pose, p.start, (size_t)n * sizeof *pose);
    snprintf(name, sizeof name, "case %ld", number);
    lb_status status = lb_solver_solve(solver, NULL, pose, &result);
    /* no Kuhn-Tucker point: weights of 1e12 make gradients small; a wish for a margin has the limits in G itself */
    int is_sure = result.gradient_norm < 1e-6 && !(p.margin_weight > 0);
    if (!status && result.outcome == LB_OUTCOME_MINIMUM && result.unmet >= 0 && is_sure) {
        memory.closed = 1;
        REQUIRE(lb_solver_explain(solver, NULL, pose, &result) == LB_OK);
        memory.closed = 0;
        CHECK_INT(memory.trapped, 0);
        reasons_case c = {p.problem, other, pose, answer, &result, tally, name};
        reasons_check(&c);
    }
    lb_solver_destroy(other);
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) {
    long cases = argc > 1 ? atol(argv[1]) : 3000, first = argc > 2 ? atol(argv[2]) : 0;
    reasons_tally tally = {.is_told = 1};
    for (long i = first; i < first + cases; i++) {
        explain_case(i, &tally);
    }
    reasons_print(&tally);
    return check_done();
}
