/* Method hierarchy: joints nearer to the root move only as far as they must. Of a person whose arm alone reaches the goal the
 * spine stays, and a clavicle with variables of its own moves less than by lm; of a planar chain the first joint turns by no more than the workspace of
 * the rest asks for. */
#include <limber/io.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define MOST_VARIABLES 128

static check_random source;

static lb_figure *load(const char *name) {
    char path[4096];
    lb_figure *figure;
    lb_error error;
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

/* One goal on a figure. */
typedef struct task {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_problem *problem;
    lb_solver *solver;
    lb_constraint constraint;
    int id;
    double rest[MOST_VARIABLES];
} task;

static void begin(task *t, lb_figure *figure, const char *effector, const char *base) {
    lb_error error;
    t->figure = figure;
    REQUIRE(lb_figure_variable_count(figure) <= MOST_VARIABLES);
    t->kinematics = lb_kinematics_create(figure, NULL);
    t->problem = lb_problem_create(figure, NULL);
    lb_constraint_defaults(&t->constraint);
    REQUIRE(lb_figure_find_effector(figure, effector, &t->constraint.effector, &error) == LB_OK);
    t->constraint.chain_start = lb_figure_find_segment(figure, base);
    REQUIRE(t->constraint.chain_start >= 0);
    t->id = lb_problem_add(t->problem, &t->constraint);
    REQUIRE(t->id > 0);
    t->solver = lb_solver_create(t->problem, NULL);
    REQUIRE(t->solver && t->kinematics);
    lb_figure_rest_pose(figure, t->rest);
}

static void end(task *t) {
    lb_solver_destroy(t->solver);
    lb_problem_destroy(t->problem);
    lb_kinematics_destroy(t->kinematics);
    lb_figure_destroy(t->figure);
}

static lb_outcome solve(task *t, lb_method method, const double point[3], double *pose) {
    lb_solve_options options;
    lb_result result;
    lb_frame goal = {{point[0], point[1], point[2]}, {0, 0, 0, 1}};
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.method = method;
    options.restarts = 50;
    memcpy(pose, t->rest, sizeof t->rest);
    REQUIRE(lb_problem_move_goal(t->problem, t->id, &goal) == LB_OK);
    const lb_status status = lb_solver_solve(t->solver, &options, pose, &result);
    if (status) {
        check_note("%s", result.explanation);
    }
    REQUIRE(status == LB_OK);
    CHECK(lb_figure_violation(t->figure, pose) < 1e-9);
    return result.outcome;
}

static int is_arm(const char *name) {
    return strncmp(name, "right_shoulder", 14) == 0 || strncmp(name, "right_elbow", 11) == 0 ||
           strncmp(name, "right_forearm", 13) == 0 || strncmp(name, "right_wrist", 11) == 0;
}

/* How far the clavicle turned from where it is at rest. */
static double clavicle(task *t, const double *pose) {
    const int joint = lb_figure_find_joint(t->figure, "right_clavicle");
    double sum = 0;
    REQUIRE(joint >= 0);
    for (int dof = 0; dof < 2; dof++) {
        REQUIRE(lb_kinematics_update(t->kinematics, t->rest) == LB_OK);
        const double rest = lb_kinematics_dof(t->kinematics, joint, dof);
        REQUIRE(lb_kinematics_update(t->kinematics, pose) == LB_OK);
        const double turn = lb_kinematics_dof(t->kinematics, joint, dof) - rest;
        sum += turn * turn;
    }
    return sqrt(sum);
}

static double moved(const task *t, const double *pose, const char *prefix) {
    double most = 0;
    for (int i = 0; i < lb_figure_variable_count(t->figure); i++) {
        const char *name = lb_figure_variable(t->figure, i)->name;
        if (strncmp(name, prefix, strlen(prefix)) == 0) {
            most = fmax(most, fabs(pose[i] - t->rest[i]));
        }
    }
    return most;
}

/* The human arm: points that random poses of the arm alone put the palm at. Its clavicle goes with the arm, by a group: without
 * the spine's help both turn more, so that the clavicle is judged against an lm that has no spine either. */
static void human_arm(int count) {
    task t, arm; /* of which the spine may move, and not */
    begin(&t, load("models/human.fig"), "right_palm", "pelvis");
    double clavicle_sum = 0, clavicle_lm = 0, clavicle_arm = 0, spine = 0, spine_lm = 0;
    int unsolved = 0;
    begin(&arm, load("models/human.fig"), "right_palm", "pelvis");
    for (int i = 0; i < lb_figure_variable_count(arm.figure); i++) {
        lb_problem_set_active(arm.problem, i, is_arm(lb_figure_variable(arm.figure, i)->name));
    }
    for (int n = 0; n < count; n++) {
        double pose[MOST_VARIABLES], e[9];
        uint64_t seed = check_random_bits(&source);
        check_note("goal %d", n);
        lb_figure_random_pose(t.figure, &seed, pose);
        for (int i = 0; i < lb_figure_variable_count(t.figure); i++) {
            pose[i] = is_arm(lb_figure_variable(t.figure, i)->name) ? pose[i] : t.rest[i];
        }
        REQUIRE(lb_kinematics_update(t.kinematics, pose) == LB_OK);
        REQUIRE(lb_kinematics_effector(t.kinematics, &t.constraint.effector, e) == LB_OK);
        if (lb_figure_violation(t.figure, pose) > 0) {
            continue;
        }
        unsolved += solve(&t, LB_METHOD_HIERARCHY, e, pose) != LB_OUTCOME_SOLVED;
        CHECK(moved(&t, pose, "spine") == 0);
        spine = fmax(spine, moved(&t, pose, "spine"));
        clavicle_sum += clavicle(&t, pose);
        CHECK_INT(solve(&t, LB_METHOD_LM, e, pose), LB_OUTCOME_SOLVED);
        spine_lm += moved(&t, pose, "spine");
        clavicle_lm += clavicle(&t, pose);
        CHECK_INT(solve(&arm, LB_METHOD_LM, e, pose), LB_OUTCOME_SOLVED);
        CHECK(moved(&arm, pose, "spine") == 0);
        clavicle_arm += clavicle(&arm, pose);
    }
    check_note("%s", "");
    const double degrees = 180 / 3.14159265358979 / count;
    printf(
        "human arm, %d points: spine by hierarchy at most %g deg, by lm %.2f deg in the mean; clavicle %.2f deg, by lm "
        "%.2f deg in the mean, of the arm alone %.2f deg; %d not solved\n",
        count, spine * degrees * count, spine_lm * degrees, clavicle_sum * degrees, clavicle_lm * degrees,
        clavicle_arm * degrees, unsolved);
    CHECK_INT(unsolved, 0);
    CHECK(spine_lm > 0);
    CHECK(clavicle_sum < clavicle_arm);
    end(&arm);
    end(&t);
}

/* A person whose clavicle has variables of its own: it moves less than by lm, with the spine there for both. */
static void free_clavicle(int count) {
    task t;
    begin(&t, load("models/en07-human.fig"), "right_palm", "pelvis");
    double by_hierarchy = 0, by_lm = 0, spine = 0, spine_lm = 0;
    for (int n = 0; n < count; n++) {
        double pose[MOST_VARIABLES], e[9];
        uint64_t seed = check_random_bits(&source);
        check_note("goal %d", n);
        lb_figure_random_pose(t.figure, &seed, pose);
        for (int i = 0; i < lb_figure_variable_count(t.figure); i++) {
            pose[i] = is_arm(lb_figure_variable(t.figure, i)->name) ? pose[i] : t.rest[i];
        }
        REQUIRE(lb_kinematics_update(t.kinematics, pose) == LB_OK);
        REQUIRE(lb_kinematics_effector(t.kinematics, &t.constraint.effector, e) == LB_OK);
        CHECK_INT(solve(&t, LB_METHOD_HIERARCHY, e, pose), LB_OUTCOME_SOLVED);
        spine = fmax(spine, moved(&t, pose, "spine"));
        by_hierarchy += clavicle(&t, pose);
        CHECK_INT(solve(&t, LB_METHOD_LM, e, pose), LB_OUTCOME_SOLVED);
        spine_lm += moved(&t, pose, "spine");
        by_lm += clavicle(&t, pose);
    }
    check_note("%s", "");
    const double degrees = 180 / 3.14159265358979 / count;
    printf("en07-human, %d points: spine by hierarchy at most %g deg, by lm %.2f deg in the mean; clavicle %.2f deg, "
           "by lm %.2f\n",
           count, spine * degrees * count, spine_lm * degrees, by_hierarchy * degrees, by_lm * degrees);
    CHECK(spine == 0);
    CHECK(by_hierarchy < by_lm);
    end(&t);
}

/* KB82's arm of three links: where the last two reach from where they are, the first joint stays; else it turns to the edge of
 * what they reach. */
static void planar_arm(void) {
    task t;
    begin(&t, load("models/kb82-arm.fig"), "c4", "ground");
    int stayed = 0, turned = 0;
    for (int n = 0; n < 200; n++) {
        double pose[MOST_VARIABLES], other[MOST_VARIABLES], e[9];
        uint64_t seed = check_random_bits(&source);
        lb_figure_random_pose(t.figure, &seed, pose);
        REQUIRE(lb_kinematics_update(t.kinematics, pose) == LB_OK);
        REQUIRE(lb_kinematics_effector(t.kinematics, &t.constraint.effector, e) == LB_OK);
        CHECK_INT(solve(&t, LB_METHOD_HIERARCHY, e, pose), LB_OUTCOME_SOLVED);
        CHECK_INT(solve(&t, LB_METHOD_LM, e, other), LB_OUTCOME_SOLVED);
        const double by = fabs(pose[0] - t.rest[0]);
        if (by > fabs(other[0] - t.rest[0]) + 1e-6)
            printf("%g %g\n", pose[0] - t.rest[0], other[0] - t.rest[0]);
        CHECK(by <= fabs(other[0] - t.rest[0]) + 1e-6);
        stayed += by == 0;
        turned += by > 0;
    }
    printf("planar arm: the first joint stayed for %d goals and turned for %d\n", stayed, turned);
    CHECK(stayed > 0 && turned > 0);
    end(&t);
}

/* Out of reach: given up at once, with the nearest pose as the answer and by how much. The arm is 0.7 m long. */
static void out_of_reach(void) {
    task t;
    double pose[MOST_VARIABLES];
    lb_solve_options options;
    lb_result result;
    const lb_frame goal = {{3, 0, 0}, {0, 0, 0, 1}};
    begin(&t, load("models/kb82-arm.fig"), "c4", "ground");
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.method = LB_METHOD_HIERARCHY;
    options.restarts = 50;
    memcpy(pose, t.rest, sizeof pose);
    REQUIRE(lb_problem_move_goal(t.problem, t.id, &goal) == LB_OK);
    REQUIRE(lb_solver_solve(t.solver, &options, pose, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_INT(result.restarts, 0);
    CHECK_HAS(result.explanation, "out of reach by at least 2.3 m; as near as it gets");
    end(&t);
}

static void refusals(void) {
    task t;
    double pose[MOST_VARIABLES];
    lb_solve_options options;
    lb_result result;
    begin(&t, load("models/kb82-arm.fig"), "c4", "ground");
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.method = LB_METHOD_HIERARCHY;
    REQUIRE(lb_problem_add(t.problem, &t.constraint) > 0);
    memcpy(pose, t.rest, sizeof pose);
    CHECK_INT(lb_solver_solve(t.solver, &options, pose, &result), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(result.explanation, "one goal alone");
    end(&t);
    CHECK_TEXT(lb_method_name(LB_METHOD_HIERARCHY), "hierarchy");
    CHECK_TEXT(lb_engine_name(LB_ENGINE_HIERARCHY), "hierarchy");
}

int main(void) {
    check_random_seed(&source, 29);
    planar_arm();
    out_of_reach();
    refusals();
    free_clavicle(check_is_sanitized() ? 5 : check_count(100, 1000));
    human_arm(check_is_sanitized() ? 5 : check_count(100, 1000));
    return check_done();
}
