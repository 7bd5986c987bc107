/* Batches on the robots: the bits of one by one, whatever the number of threads, and every pose that a robot has can be
 * found again. */
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "model.h"

enum { PROBLEMS = 400, MOST = 8 };

typedef struct robot {
    model model;
    lb_problem *problem;
    int id, n;
    lb_frame goals[PROBLEMS];
    double starts[PROBLEMS * MOST], alone[PROBLEMS * MOST], together[PROBLEMS * MOST];
    lb_answer alone_answers[PROBLEMS], answers[PROBLEMS];
} robot;

/* Random poses, where they have the tool, and other random poses to start from; `held` >= 0: one variable that is only
 * sometimes the same, and does not move. */
static void set_up(robot *r, const char *name, int held) {
    uint64_t seed = 5;
    memset(r, 0, sizeof *r);
    r->model = open_model(name, NULL);
    const lb_figure *figure = r->model.figure;
    r->n = lb_figure_variable_count(figure);
    REQUIRE(r->n <= MOST);
    for (int i = 0; i < PROBLEMS; i++) {
        double pose[MOST], *start = r->starts + (size_t)i * (size_t)r->n;
        lb_figure_random_pose(figure, &seed, pose);
        lb_figure_random_pose(figure, &seed, start);
        if (held >= 0) {
            double value = 0.1 * (i / 30);
            start[held] = i % 7 ? value : pose[held];
            if (i % 5) {
                pose[held] = start[held];
            }
        }
        CHECK_INT(lb_kinematics_update(r->model.kinematics, pose), LB_OK);
        r->goals[i] = site_frame(&r->model, "tool");
    }
    lb_constraint c;
    r->problem = lb_problem_create(figure, NULL);
    REQUIRE(r->problem && lb_constraint_frame(figure, "tool", &r->goals[0], &c) == LB_OK);
    r->id = lb_problem_add(r->problem, &c);
    if (held >= 0) {
        CHECK_INT(lb_problem_set_active(r->problem, held, 0), LB_OK);
    }
}

static void one_by_one(robot *r, const lb_solve_options *options) {
    lb_solver *solver = lb_solver_create(r->problem, NULL);
    lb_frame first;
    REQUIRE(solver != NULL);
    memcpy(&first, &r->goals[0], sizeof first);
    memcpy(r->alone, r->starts, sizeof r->alone);
    for (int i = 0; i < PROBLEMS; i++) {
        lb_result result;
        lb_result_defaults(&result);
        lb_answer *a = &r->alone_answers[i];
        memset(a, 0, sizeof *a);
        CHECK_INT(lb_problem_move_goal(r->problem, r->id, &r->goals[i]), LB_OK);
        a->status = lb_solver_solve(solver, options, r->alone + (size_t)i * (size_t)r->n, &result);
        a->outcome = result.outcome;
        a->value = result.value;
        a->iterations = result.iterations;
        a->evaluations = result.evaluations;
        a->restarts = result.restarts;
    }
    CHECK_INT(lb_problem_move_goal(r->problem, r->id, &first), LB_OK);
    lb_solver_destroy(solver);
}

static int count_different(const robot *r) {
    int count = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        const lb_answer *a = &r->alone_answers[i], *b = &r->answers[i];
        size_t at = (size_t)i * (size_t)r->n, size = (size_t)r->n * sizeof(double);
        count += a->status != b->status || a->outcome != b->outcome || a->value != b->value ||
                 a->iterations != b->iterations || a->evaluations != b->evaluations || a->restarts != b->restarts ||
                 memcmp(r->alone + at, r->together + at, size) != 0;
    }
    return count;
}

static int count_solved(const robot *r) {
    int count = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        count += r->alone_answers[i].outcome == LB_OUTCOME_SOLVED;
    }
    return count;
}

/* Returns how many are solved. */
static int compare(const char *name, int held, const lb_solve_options *options) {
    static robot r;
    lb_many many;
    set_up(&r, name, held);
    one_by_one(&r, options);
    lb_many_defaults(&many);
    many.count = PROBLEMS;
    many.goal_count = 1;
    many.ids = &r.id;
    many.goals = r.goals;
    many.starts = r.starts;
    for (many.threads = 1; many.threads <= 3; many.threads++) {
        memset(r.together, 0, sizeof r.together);
        check_note("%s, %d threads", name, many.threads);
        CHECK_INT(lb_solve_many(r.problem, options, &many, r.together, r.answers, NULL), LB_OK);
        CHECK_INT(count_different(&r), 0);
    }
    lb_problem_destroy(r.problem);
    close_model(&r.model);
    return count_solved(&r);
}

int main(void) {
    static const char *const robots[] = {"panda", "ur5", "fetch8", "puma560"};
    static const int has_closed_form[] = {1, 1, 0, 1};
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    for (int i = 0; i < 4; i++) {
        options.restarts = 200;
        CHECK_INT(compare(robots[i], -1, &options), PROBLEMS);
        options.restarts = 0; /* some fail, and go on by closed forms, or by the general method */
        int solved = compare(robots[i], -1, &options);
        CHECK(solved > 0 && (has_closed_form[i] ? solved == PROBLEMS : solved < PROBLEMS));
    }
    options.restarts = 3;
    options.max_evaluations = 12; /* which some use up */
    compare("panda", -1, &options);
    options.max_evaluations = 100000;
    compare("panda", 2, &options);
    compare("fetch8", 0, &options);
    return check_done();
}
