/* Closed forms against the general solver: of every arm at hand, and of random six-joint geometries, no solution is missed that
 * starts of lm find, and none is wrong. */
#include <limber/io.h>

#include "closed_case.h"

#define MOST_ANSWERS 32
#define TOLERANCE 1e-9 /* of lm: metres and radians */
#define SAME 1e-4      /* radians: lm's answers are within their tolerances only */

static check_random source;

static uint64_t seed_of(void) { return check_random_bits(&source); }

typedef struct tally {
    int poses, solutions, found_by_lm, missed;
} tally;

/* What lm finds from so many starts is among the solutions. */
static void compare_with_lm(closed_case *c, const lb_frame *goal, const double *start, int starts, tally *t) {
    lb_constraint constraint;
    lb_solve_options options;
    lb_result result;
    double poses[MOST_ANSWERS * CLOSED_VARIABLES];
    lb_problem *problem = lb_problem_create(c->figure, NULL);
    REQUIRE(problem != NULL);
    lb_constraint_defaults(&constraint);
    constraint.effector = c->effector;
    constraint.goal.kind = LB_GOAL_FRAME;
    for (int k = 0; k < 3;
         k++) { /* near a singular pose the usual tolerances admit curves of poses that are no solutions */
        constraint.tolerance[k] = TOLERANCE;
    }
    constraint.tolerance_rad = TOLERANCE;
    const int id = lb_problem_add(problem, &constraint);
    REQUIRE(id > 0 && lb_problem_move_goal(problem, id, goal) == LB_OK);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    lb_solve_options_defaults(&options);
    options.keep_going = 1; /* by starts of lm alone: otherwise it would ask the closed form itself */
    options.restarts = starts;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve_all(solver, &options, start, 0.01, MOST_ANSWERS, poses, &result) == LB_OK);
    for (int i = 0; i < result.answer_count; i++) {
        double values[LB_CLOSED_MAX_JOINTS];
        for (int k = 0; k < lb_closed_variable_count(c->closed); k++) {
            values[k] = poses[i * c->n + lb_closed_variable(c->closed, k)];
        }
        t->found_by_lm++;
        t->missed += closed_find(c, values, SAME) < 0;
        CHECK(closed_find(c, values, SAME) >= 0);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

/* A pose drawn inside the limits is found again, and every solution is where it should be. */
static void one_pose(closed_case *c, int starts, tally *t) {
    double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES], values[LB_CLOSED_MAX_JOINTS];
    lb_frame goal;
    uint64_t seed = seed_of();
    lb_figure_random_pose(c->figure, &seed, pose);
    memcpy(start, pose, sizeof start);
    for (int k = 0; k < lb_closed_variable_count(c->closed); k++) {
        const int v = lb_closed_variable(c->closed, k);
        values[k] = pose[v];
        start[v] = lb_figure_variable(c->figure, v)->rest;
    }
    for (int v = 0; v < c->n; v++) { /* those that are not on the chain stand at rest */
        int is_on = 0;
        for (int k = 0; k < lb_closed_variable_count(c->closed); k++) {
            is_on |= lb_closed_variable(c->closed, k) == v;
        }
        pose[v] = is_on ? pose[v] : lb_figure_variable(c->figure, v)->rest;
        start[v] = is_on ? start[v] : pose[v];
    }
    closed_goal(c, pose, &goal);
    REQUIRE(lb_closed_solve(c->closed, &goal, start, &c->result) == LB_OK);
    t->poses++;
    t->solutions += c->result.all_count;
    const int at = closed_find(c, values, 1e-5);
    CHECK(at >= 0 && at < c->result.count);
    double before = 0;
    for (int i = 0; i < c->result.all_count; i++) {
        lb_closed_solution s;
        double distance = 0;
        lb_closed_solution_defaults(&s);
        REQUIRE(lb_closed_get(c->closed, i, &s) == LB_OK);
        CHECK_NEAR(closed_miss(c, i, pose, &goal), 0, 1e-11);
        CHECK_INT(s.is_inside, i < c->result.count);
        for (int k = 0; k < lb_closed_variable_count(c->closed); k++) {
            const int v = lb_closed_variable(c->closed, k);
            const lb_variable *variable = lb_figure_variable(c->figure, v);
            distance += (s.values[k] - start[v]) * (s.values[k] - start[v]);
            CHECK(!s.is_inside || (s.values[k] >= variable->lower && s.values[k] <= variable->upper));
        }
        CHECK(!s.is_inside || distance >= before - 1e-9);
        before = distance;
    }
    if (starts) {
        compare_with_lm(c, &goal, start, starts, t);
    }
}

static void one_arm(lb_figure *figure, const char *effector, const char *name, int poses, int compared) {
    closed_case c;
    tally t = {0};
    check_note("%s", name);
    closed_begin(&c, figure, effector, NULL);
    for (int i = 0; i < poses; i++) {
        check_note("%s, pose %d", name, i);
        one_pose(&c, i < compared ? check_count(200, 1000) : 0, &t);
    }
    CHECK(compared == 0 || t.found_by_lm > 0);
    printf("%s (%s): %d poses, %.2f solutions each; starts found %d, of which %d were missed\n", name,
           lb_closed_kind_name(lb_closed_kind_of(c.closed)), t.poses, (double)t.solutions / t.poses, t.found_by_lm,
           t.missed);
    closed_end(&c);
    check_note("%s", "");
}

static void shared_arm(const char *file, const char *effector, int poses, int compared) {
    char path[4096], relative[256];
    lb_figure *figure = NULL;
    lb_error error;
    snprintf(relative, sizeof relative, "data/urdf/arms/%s", file);
    if (!check_shared(relative, path, sizeof path)) {
        printf("%s is not there: left out\n", file);
        return;
    }
    const lb_status status = lb_figure_load(path, NULL, &figure, &error);
    check_note("%s", error.message);
    REQUIRE(status == LB_OK);
    one_arm(figure, effector, file, poses, compared);
}

/* Random axes: every pose has at least the one that it was made of, and an even number of them. */
static void random_arms(int arms, int poses, int sliding, int compares) {
    tally t = {0};
    for (int a = 0; a < arms; a++) {
        double rows[6][3];
        closed_case c;
        for (int i = 0; i < 6; i++) {
            rows[i][0] = check_random_range(&source, -0.5, 0.5);
            rows[i][1] = check_random_range(&source, -3.1, 3.1);
            rows[i][2] = check_random_range(&source, -0.5, 0.5);
        }
        check_note("random arm %d", a);
        closed_begin(&c, closed_dh((const double(*)[3])rows, 6, 3.1, sliding < 0 ? -1 : a % 6), "link6", NULL);
        for (int i = 0; i < poses; i++) {
            check_note("random arm %d, pose %d", a, i);
            one_pose(&c, i == 0 && compares ? check_count(200, 1000) : 0, &t);
            CHECK_INT(c.result.all_count % 2, 0);
        }
        closed_end(&c);
    }
    check_note("%s", "");
    printf("%d random arms%s: %d poses, %.2f solutions each; starts found %d, of which %d were missed\n", arms,
           sliding < 0 ? "" : " with a joint that slides", t.poses, (double)t.solutions / t.poses, t.found_by_lm,
           t.missed);
}

int main(void) {
    const int poses = check_is_sanitized() ? 20 : check_count(300, 10000),
              compared = check_is_sanitized() ? 0 : check_count(20, 100);
    check_random_seed(&source, 15);
    one_arm(closed_load("models/puma560.fig"), "tool", "puma560", poses, compared);
    one_arm(closed_load("models/ur5.fig"), "tool", "ur5", poses, compared);
    one_arm(closed_load("models/irb120.fig"), "tool", "irb120", poses, compared);
    static const double ur3[6][3] = {
        {0, 1.57079632679489661923, .1519},   {-.24365, 0, 0}, {-.21325, 0, 0}, {0, 1.57079632679489661923, .11235},
        {0, -1.57079632679489661923, .08535}, {0, 0, .0819}};
    one_arm(closed_dh(ur3, 6, 6.28318530717958647692, -1), "link6", "ur3", poses, compared);
    shared_arm("ur5_robot.urdf", "tool0", poses, compared);
    shared_arm("ur10e.urdf", "tool0", poses, compared);
    shared_arm("abb_irb120.urdf", "tool0", poses, compared);
    shared_arm("puma560.urdf", "link7", poses, compared);
    shared_arm("xarm6.urdf", "link6", poses, compared);
    shared_arm("unitree_z1.urdf", "link06", poses, compared);
    shared_arm("jaco_j2n6s300.urdf", "j2n6s300_link_6", poses, compared);
    random_arms(check_is_sanitized() ? 3 : check_count(40, 1000), 3, -1, compared);
    random_arms(check_is_sanitized() ? 2 : check_count(12, 300), 3, 0, 0);
    return check_done();
}
