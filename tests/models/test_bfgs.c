/* Zhao and Badler's method on the figure it was made for: tasks like theirs, and the shoulder's polygon. */
#include <limber/solve.h>

#include <math.h>
#include <string.h>

#include "check.h"
#include "model.h"

typedef struct watch {
    const lb_figure *figure;
    double last;
    int kept; /* never worse, always inside */
} watch;

static int look(void *context, const lb_progress *progress) {
    watch *w = context;
    if (!(progress->value <= w->last) || !(lb_figure_violation(w->figure, progress->pose) <= 1e-9)) {
        w->kept = 0;
    }
    w->last = progress->value;
    return 0;
}

static void solve(lb_solver *solver, const lb_figure *figure, lb_method method, double *pose, lb_result *result) {
    lb_solve_options options;
    watch w = {figure, INFINITY, 1};
    lb_solve_options_defaults(&options);
    options.method = method;
    if (method == LB_METHOD_BFGS) {
        options.on_iteration = look;
        options.on_iteration_context = &w;
    }
    CHECK_INT(lb_solver_solve(solver, &options, pose, result), LB_OK);
    CHECK(w.kept);
    CHECK(lb_figure_violation(figure, pose) <= 1e-9);
    CHECK(result->value <= result->value_before);
}

static void at(lb_problem *problem, model *m, const char *site, double x, double y, double z) {
    lb_constraint c;
    REQUIRE(lb_constraint_at(m->figure, site, (double[]){x, y, z}, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
}

/* Looking down a tube held in both hands: palms where the tube is, and along it, elbows out, the eyes on its axis,
 * the gaze to its bottom. */
static void tube(lb_problem *problem, model *m) {
    const double axis[3] = {0.8, 0, -0.6}, top[3] = {0.35, 0, 1.5};
    const char *const palms[2] = {"right_palm", "left_palm"}, *const elbows[2] = {"right_elbow", "left_elbow"};
    lb_constraint c;
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1;
        at(problem, m, palms[i], top[0] + 0.15 * axis[0], 0.04 * side, top[2] + 0.15 * axis[2]);
        REQUIRE(lb_constraint_at(m->figure, elbows[i], (double[]){0, 0.3 * side, 0}, &c) == LB_OK);
        c.goal.kind = LB_GOAL_PLANE;
        memcpy(c.goal.normal, (double[]){0, 1, 0}, sizeof c.goal.normal);
        REQUIRE(lb_problem_add(problem, &c) >= 0);
    }
    REQUIRE(lb_constraint_at(m->figure, "viewpoint", top, &c) == LB_OK);
    c.goal.kind = LB_GOAL_LINE;
    memcpy(c.goal.normal, axis, sizeof axis);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    REQUIRE(lb_constraint_aim(m->figure, "gaze", (double[]){top[0] + 0.5 * axis[0], 0, top[2] + 0.5 * axis[2]}, &c) ==
            LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
}

static void check_tube(const char *name) {
    model m = open_model(name, NULL);
    lb_problem *problem = lb_problem_create(m.figure, NULL);
    REQUIRE(problem != NULL);
    tube(problem, &m);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    check_note("%s", name);
    for (int method = LB_METHOD_LM; method <= LB_METHOD_BFGS; method++) {
        double pose[MAX_VARIABLES];
        lb_result result;
        lb_result_defaults(&result);
        lb_figure_rest_pose(m.figure, pose);
        solve(solver, m.figure, (lb_method)method, pose, &result);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        for (int i = 0; i < result.constraint_count; i++) {
            CHECK(result.constraints[i].met);
        }
        printf("%s, %s: %d iterations, %d evaluations\n", name, lb_method_name((lb_method)method), result.iterations,
               result.evaluations);
    }
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    close_model(&m);
}

/* Places that the arm alone cannot reach, behind the back and overhead: the shoulder's polygon holds it. The same
 * least value as lm's where both end in one minimum. */
static void check_shoulder(void) {
    const double points[9][3] = {{-0.6, 0, 1.4},    {-0.3, 0.3, 2.2},  {-0.5, -0.6, 1.0},
                                 {-0.4, 0.6, 1.5},  {0.1, 0.6, 2.1},   {-0.7, -0.3, 1.9},
                                 {-0.2, -0.5, 2.2}, {-0.5, -0.3, 1.2}, {0.3, 0.7, 1.4}};
    model m = open_model("human", NULL);
    int rows = 0, same = 0;
    for (int i = 0; i < 9; i++) {
        lb_problem *problem = lb_problem_create(m.figure, NULL);
        lb_constraint c;
        lb_result result[2];
        lb_result_defaults(&result[0]);
        lb_result_defaults(&result[1]);
        double pose[2][MAX_VARIABLES];
        REQUIRE(lb_constraint_at(m.figure, "right_palm", points[i], &c) == LB_OK);
        c.chain_start = lb_figure_find_joint(m.figure, "right_clavicle");
        if (c.chain_start < 0) {
            c.chain_start = lb_figure_find_joint(m.figure, "right_shoulder");
        }
        REQUIRE(c.chain_start >= 0 && lb_problem_add(problem, &c) >= 0);
        lb_solver *solver = lb_solver_create(problem, NULL);
        REQUIRE(solver != NULL);
        check_note("point %d", i);
        for (int k = 0; k < 2; k++) {
            lb_figure_rest_pose(m.figure, pose[k]);
            solve(solver, m.figure, k ? LB_METHOD_BFGS : LB_METHOD_LM, pose[k], &result[k]);
        }
        CHECK_INT(result[1].outcome, LB_OUTCOME_MINIMUM);
        CHECK(result[1].gradient_norm <= 1e-9);
        for (int k = 0; k < result[1].limit_count; k++) {
            if (result[1].limits[k].variable >= 0 || result[1].limits[k].multiplier < 1e-6) {
                continue;
            }
            rows++;
            CHECK_HAS(result[1].limits[k].name, "shoulder");
        }
        /* poses may differ where the wrist does not matter, and neighbouring minima by as little as 4e-5 (point 6) */
        double ratio = result[1].value / result[0].value;
        if (result[0].outcome == LB_OUTCOME_MINIMUM && fabs(ratio - 1) < 1e-5) {
            same++;
            CHECK_NEAR(ratio, 1, 1e-6);
        }
        lb_solver_destroy(solver);
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
    printf("%d rows of the polygon in force, %d ends the same as lm's\n", rows, same);
    CHECK(rows >= 2);
    CHECK(same >= 3);
    close_model(&m);
}

/* Loops: the Stewart platform is closed by constraints of a level of their own. Where the goal can be met with them,
 * it is. */
static void check_loops(void) {
    model m = open_model("stewart", NULL);
    REQUIRE(lb_figure_loop_count(m.figure) > 0);
    int n = lb_figure_variable_count(m.figure);
    lb_problem *problem = lb_problem_create(m.figure, NULL);
    lb_constraint c;
    lb_result result;
    double pose[MAX_VARIABLES];
    lb_effector effector;
    double e[9];
    lb_result_defaults(&result);
    REQUIRE(n <= MAX_VARIABLES);
    lb_figure_rest_pose(m.figure, pose);
    int top = lb_figure_find_segment(m.figure, "plate");
    REQUIRE(top >= 0 && lb_effector_from_segment(m.figure, top, &effector) == LB_OK);
    lb_kinematics_effector(m.kinematics, &effector, e);
    lb_constraint_defaults(&c);
    c.effector = effector;
    c.goal.kind = LB_GOAL_POSITION;
    for (int i = 0; i < 3; i++) {
        c.goal.point[i] = e[i] + 0.02;
    }
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.method = LB_METHOD_BFGS;
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    close_model(&m);
}

int main(void) {
    check_tube("human");
    check_tube("human-spine-free");
    check_shoulder();
    check_loops();
    return check_done();
}
