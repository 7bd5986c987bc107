/* A robot that is watched moves as one that is not: a callback that does nothing changes neither the answer's bits nor
 * its counts, with and without restarts. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

typedef struct seen {
    int calls, restarts;
} seen;

static int watch(void *context, const lb_progress *progress) {
    seen *s = context;
    s->calls++;
    if (progress->restart > s->restarts) {
        s->restarts = progress->restart;
    }
    return 0;
}

static int same_result(const lb_result *a, const lb_result *b) {
    return a->outcome == b->outcome && a->iterations == b->iterations && a->evaluations == b->evaluations &&
           a->restarts == b->restarts && memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* Returns whether the two answers differ. */
static int differs(const model *m, const lb_problem *problem, const double *start, int restarts, const char *name) {
    int n = lb_figure_variable_count(m->figure);
    double alone[MAX_VARIABLES], watched[MAX_VARIABLES];
    lb_solve_options options;
    lb_result first, second;
    lb_result_defaults(&first);
    lb_result_defaults(&second);
    seen s = {0, 0};
    lb_solve_options_defaults(&options);
    options.restarts = restarts;
    memcpy(alone, start, sizeof alone);
    memcpy(watched, start, sizeof watched);
    CHECK(lb_solve(problem, &options, alone, &first) == LB_OK);
    options.on_iteration = watch;
    options.on_iteration_context = &s;
    CHECK(lb_solve(problem, &options, watched, &second) == LB_OK);
    check_note("%s, %d restarts", name, restarts);
    CHECK(s.calls >= second.restarts + 1 && s.restarts == second.restarts);
    return !same_result(&first, &second) || memcmp(alone, watched, (size_t)n * sizeof *alone) != 0;
}

static void robot(const char *name, const char *site, int count) {
    model m = open_model(name, NULL);
    uint64_t seed = 7;
    int different = 0;
    for (int i = 0; i < count; i++) {
        lb_constraint c;
        double start[MAX_VARIABLES] = {0};
        lb_figure_random_pose(m.figure, &seed, m.pose);
        lb_kinematics_update(m.kinematics, m.pose);
        lb_frame goal = site_frame(&m, site);
        lb_figure_random_pose(m.figure, &seed, start);
        if (i % 4 == 3) {
            goal.position[0] += 3; /* out of reach */
        }
        REQUIRE(lb_constraint_frame(m.figure, site, &goal, &c) == LB_OK);
        lb_problem *problem = lb_problem_create(m.figure, NULL);
        REQUIRE(problem && lb_problem_add(problem, &c) > 0);
        different += differs(&m, problem, start, i % 3 * 4, name);
        lb_problem_destroy(problem);
    }
    check_note("%s: of %d answers these differ when they are watched", name, count);
    CHECK_INT(different, 0);
    check_note("%s", "");
    close_model(&m);
}

int main(void) {
    int count = check_count(60, 600);
    robot("puma560", "wrist", count);
    robot("ur5", "flange", count);
    robot("panda", "flange", count);
    robot("iiwa14", "flange", count);
    return check_done();
}
