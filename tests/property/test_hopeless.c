/* Further starts where the goal is proved to be out of reach: none can solve, so that none is searched from before all are taken to
 * their ends. The residual is the same to the bit, for fewer iterations. */
#include <limber/io.h>
#include <limber/solve.h>

#include "check.h"

#define RESTARTS 12
#define MOST_VARIABLES 128

static check_random source;

typedef struct run {
    double value, distance;
    int iterations, is_solved;
} run;

/* The same goal as the only alternative of a set is not looked at by bounds: every start goes to its end, twice. */
static run solve(const lb_figure *figure, const lb_constraint *goal, int restarts, int is_alternative) {
    double pose[MOST_VARIABLES];
    lb_result result;
    lb_solve_options options;
    lb_constraint c = *goal;
    c.any_of = is_alternative;
    lb_problem *problem = lb_problem_create(figure, NULL);
    CHECK(problem && lb_problem_add(problem, &c) >= 0);
    lb_problem_set_root_active(problem, 0, 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.restarts = restarts;
    lb_figure_rest_pose(figure, pose);
    CHECK(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    const run made = {result.value, result.constraints[0].distance, result.iterations,
                      result.outcome == LB_OUTCOME_SOLVED};
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return made;
}

/* Goals in a box about the figure, half as large again as its reach. */
static void draw_goal(double size, int is_frame, lb_constraint *c) {
    for (int i = 0; i < 3; i++) {
        c->goal.point[i] = size * check_random_range(&source, -1.5, 1.5);
    }
    if (is_frame) {
        c->goal.kind = LB_GOAL_FRAME;
    }
}

static void compare(const char *file, const char *site, double size, int is_frame) {
    char path[4096];
    lb_figure *figure;
    lb_constraint goal;
    long with = 0, without = 0;
    int hopeless = 0;
    REQUIRE(check_source(file, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    for (int i = 0; i < check_count(60, 1000); i++) {
        check_note("%s, frame %d, goal %d", file, is_frame, i);
        CHECK(lb_constraint_at(figure, site, (double[]){0, 0, 0}, &goal) == LB_OK);
        draw_goal(size, is_frame, &goal);
        const run all = solve(figure, &goal, RESTARTS, 1), left = solve(figure, &goal, RESTARTS, 0);
        const run fewer = solve(figure, &goal, RESTARTS / 2, 0), none = solve(figure, &goal, 0, 0);
        CHECK(left.is_solved == all.is_solved);
        CHECK(left.is_solved || left.value == all.value);
        CHECK(left.is_solved || left.value <= fewer.value * (1 + 1e-12));
        CHECK(fewer.is_solved || fewer.value <= none.value * (1 + 1e-12));
        if (!all.is_solved && left.iterations != all.iterations) {
            hopeless++;
            with += left.iterations;
            without += all.iterations;
        }
    }
    printf("%s%s: %d goals proved out of reach, %.1f iterations each instead of %.1f\n", file,
           is_frame ? ", frames" : "", hopeless, (double)with / hopeless, (double)without / hopeless);
    CHECK(hopeless >= 10);
    CHECK(with < without);
    lb_figure_destroy(figure);
}

int main(void) {
    check_random_seed(&source, 15);
    compare("models/human.fig", "right_palm", 1.5, 0);
    compare("models/human.fig", "right_palm", 1.5, 1);
    return check_done();
}
