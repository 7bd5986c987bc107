/* The reason given is the true one, on random problems: `test_property_explain [CASES [FIRST]]`. */
#include "random_figure.h"
#include "random_problem.h"
#include "reasons.h"

/* Solves, explains without allocating, and checks what was said. */
static void check_problem(lb_problem *problem, trap *memory, double *pose, const char *name, reasons_tally *tally) {
    double answer[REASONS_MOST_VARIABLES];
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(problem, NULL), *other = lb_solver_create(problem, NULL);
    REQUIRE(solver && other && lb_problem_variable_count(problem) <= REASONS_MOST_VARIABLES);
    lb_status status = lb_solver_solve(solver, NULL, pose, &result);
    /* where weights of 1e12 make every gradient a small one, a minimum need not be any */
    if (!status && result.outcome == LB_OUTCOME_MINIMUM && result.unmet >= 0 && result.gradient_norm < 1e-6) {
        memory->closed = 1;
        REQUIRE(lb_solver_explain(solver, NULL, pose, &result) == LB_OK);
        memory->closed = 0;
        CHECK_INT(memory->trapped, 0);
        reasons_case c = {problem, other, pose, answer, &result, tally, name};
        reasons_check(&c);
    }
    lb_solver_destroy(other);
    lb_solver_destroy(solver);
}

static void any_problem(long number, reasons_tally *tally) {
    trap memory;
    random_problem p;
    char name[32];
    double pose[REASONS_MOST_VARIABLES];
    trap_init(&memory);
    random_problem_make(&p, (uint64_t)number * 7919 + 13, &memory);
    memcpy(pose, p.start, (size_t)lb_problem_variable_count(p.problem) * sizeof *pose);
    snprintf(name, sizeof name, "case %ld", number);
    if (!(p.margin_weight > 0)) { /* a wish for a margin has the limits in G itself */
        check_problem(p.problem, &memory, pose, name, tally);
    }
    random_problem_free(&p);
}

static void random_point(uint64_t *seed, double size, double point[3]) {
    for (int i = 0; i < 3; i++) {
        point[i] = random_between(seed, -size, size);
    }
}

/* A chain whose tip and middle have goals, and a ball about the tip's that both have to keep out of: on one level with a
 * large weight, or on a higher one. */
static void obstacle_problem(long number, reasons_tally *tally) {
    trap memory;
    char name[32];
    double pose[REASONS_MOST_VARIABLES];
    uint64_t seed = (uint64_t)number * 104729 + 7;
    trap_init(&memory);
    random_chain shape = {.links = 3 + random_below(&seed, 4),
                          .type = random_below(&seed, 5),
                          .limits = random_below(&seed, 2) ? CHAIN_RANGES : CHAIN_FREE,
                          .placement = {{0, 0, 0}, {0, 0, 0, 1}},
                          .seed = seed};
    lb_figure *figure = random_chain_make(&shape, &memory.allocator);
    lb_problem *problem = lb_problem_create(figure, NULL);
    int is_level = random_below(&seed, 2), tip = shape.links, middle = 1 + random_below(&seed, shape.links - 1);
    lb_constraint c;
    lb_constraint_defaults(&c);
    c.name = "tip";
    c.priority = is_level;
    c.effector.segment = tip;
    random_point(&seed, 0.15 * shape.links, c.goal.point);
    REQUIRE(lb_problem_add(problem, &c) > 0);
    lb_constraint ball = c;
    ball.name = "ball";
    ball.priority = 0;
    ball.weight = is_level ? 1 : 100;
    ball.goal.kind = LB_GOAL_SPHERE;
    ball.goal.outside = 1;
    ball.goal.size[0] = random_between(&seed, 0.02, 0.15);
    for (int i = 0; i < 3; i++) {
        ball.goal.point[i] += random_between(&seed, -0.02, 0.02);
    }
    REQUIRE(lb_problem_add(problem, &ball) > 0);
    ball.effector.segment = middle;
    REQUIRE(lb_problem_add(problem, &ball) > 0);
    if (random_below(&seed, 2)) {
        c.name = "middle";
        c.effector.segment = middle;
        c.priority = random_below(&seed, 2);
        random_point(&seed, 0.15 * middle, c.goal.point);
        REQUIRE(lb_problem_add(problem, &c) > 0);
    }
    lb_figure_random_pose(figure, &seed, pose);
    snprintf(name, sizeof name, "obstacle %ld", number);
    check_problem(problem, &memory, pose, name, tally);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

int main(int argc, char **argv) {
    long usual = check_count(3000, 30000) / (check_is_sanitized() ? 3 : 1);
    long cases = argc > 1 ? atol(argv[1]) : usual, first = argc > 2 ? atol(argv[2]) : 0;
    reasons_tally tally = {.is_told = 1};
    for (long i = first; i < first + cases; i++) {
        any_problem(i, &tally);
        if (i % 3 == 0) {
            obstacle_problem(i, &tally);
        }
    }
    reasons_print(&tally);
    return check_done();
}
