/* Several arms: robots made at random, with a torso or without, two arms, and fingers that mimic each other. Goals for both
 * hands, for one hand seen from the other, and both kinds together are solved by the arm engine; what it says is judged by
 * forward kinematics. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "solve/solver.h"

#define PI 3.14159265358979323846
#define MOST 32
#define RESTARTS 400

static property properties[] = {{.name = "poses that can be reached are reached"},
                                {.name = "the arm engine answers"},
                                {.name = "the goals are met by forward kinematics"},
                                {.name = "limits hold"},
                                {.name = "chains by themselves: the bits of each arm alone"},
                                {.name = "one lane or four: the same bits"},
                                {.name = "watching changes nothing"},
                                {.name = "out of reach is no worse, and told"},
                                {.name = "what no goal sees stays"}};
enum { REACHED, ENGINE, MET, LIMITS, ALONE, LANES, WATCHING, BEYOND, IDLE };

typedef enum task { TWO, RELATIVE, HELD, RELATIVE_AND_POINT, TASKS } task;

typedef struct robot {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_effector hands[2]; /* left, right */
    int n, torso;         /* variables of the pose, and joints before both arms */
} robot;

/* --- Robots ------------------------------------------------------------------------------------------------------------ */

static int add_arm(lb_builder *b, int base, int side, int joints, check_random *r) {
    static const char *const names[2][7] = {{"l1", "l2", "l3", "l4", "l5", "l6", "l7"},
                                            {"r1", "r2", "r3", "r4", "r5", "r6", "r7"}};
    lb_dh_row rows[7];
    for (int i = 0; i < joints; i++) {
        const double twist = check_random_index(r, 3) ? (check_random_index(r, 2) ? PI / 2 : -PI / 2) : 0;
        rows[i] = (lb_dh_row){.name = names[side][i],
                              .a = check_random_range(r, -0.1, 0.3),
                              .alpha = twist,
                              .d = check_random_range(r, -0.1, 0.3),
                              .lower = -check_random_range(r, 1.5, 3),
                              .upper = check_random_range(r, 1.5, 3)};
    }
    return lb_builder_add_dh_chain(b, base, LB_DH_CONVENTION_STANDARD, joints, rows);
}

/* A joint follows an earlier one. */
static void add_mimic(lb_builder *b, int joint, int source, check_random *r) {
    lb_drive drive;
    memset(&drive, 0, sizeof drive);
    drive.joint = joint;
    drive.source = (lb_dof_ref){source, 0, -1};
    drive.curve.kind = LB_CURVE_LINEAR;
    drive.curve.slope = check_random_range(r, -0.8, 0.8);
    drive.curve.offset = check_random_range(r, -0.2, 0.2);
    REQUIRE(lb_builder_add_drive(b, &drive) >= 0);
}

static void make_robot(uint64_t seed, int has_mimics, robot *to) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    check_random r;
    check_random_seed(&r, seed);
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_site_defaults(&site);
    site.name = "out";
    site.segment = lb_builder_add_segment(b, &segment);
    int base = lb_builder_add_site(b, &site);
    to->torso = check_random_index(&r, 3);
    int chest = site.segment;
    if (to->torso) {
        lb_dh_row rows[2];
        for (int i = 0; i < to->torso; i++) {
            rows[i] = (lb_dh_row){
                .name = i ? "t2" : "t1", .a = 0.1, .alpha = i ? PI / 2 : 0, .d = 0.3, .lower = -1, .upper = 1.2};
        }
        chest = lb_builder_add_dh_chain(b, base, LB_DH_CONVENTION_STANDARD, to->torso, rows);
    }
    int tips[2], joints = to->torso;
    for (int side = 0; side < 2; side++) {
        const int count = 6 + check_random_index(&r, 2);
        site.name = side ? "right_shoulder" : "left_shoulder";
        site.segment = chest;
        site.frame.position[1] = side ? -0.2 : 0.2;
        tips[side] = add_arm(b, lb_builder_add_site(b, &site), side, count, &r);
        REQUIRE(tips[side] > 0);
        if (has_mimics) { /* the last joint but one follows the second, reversed or not */
            add_mimic(b, joints + count - 2, joints + 1, &r);
        }
        joints += count;
    }
    REQUIRE(lb_builder_finish(b, &to->figure) == LB_OK);
    lb_builder_destroy(b);
    to->kinematics = lb_kinematics_create(to->figure, NULL);
    to->n = lb_figure_variable_count(to->figure);
    REQUIRE(to->kinematics && to->n <= MOST);
    for (int side = 0; side < 2; side++) {
        REQUIRE(lb_effector_from_segment(to->figure, tips[side], &to->hands[side]) == LB_OK);
    }
}

static void free_robot(robot *r) {
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
}

/* --- Truth ------------------------------------------------------------------------------------------------------------- */

/* The frames of both hands; then the right one as the left one sees it. */
static void find_frames(const robot *r, const double *pose, double hands[2][9], double seen[9]) {
    double z[3];
    lb_kinematics_update(r->kinematics, pose);
    for (int side = 0; side < 2; side++) {
        lb_kinematics_effector(r->kinematics, &r->hands[side], hands[side]);
    }
    const double *a = hands[0], *b = hands[1];
    for (int k = 0; k < 3; k++) {
        z[k] = a[3 + (k + 1) % 3] * a[6 + (k + 2) % 3] - a[3 + (k + 2) % 3] * a[6 + (k + 1) % 3];
    }
    for (int part = 0; part < 3; part++) {
        double v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = b[3 * part + k] - (part ? 0 : a[k]);
        }
        seen[3 * part] = a[3] * v[0] + a[4] * v[1] + a[5] * v[2];
        seen[3 * part + 1] = a[6] * v[0] + a[7] * v[1] + a[8] * v[2];
        seen[3 * part + 2] = z[0] * v[0] + z[1] * v[1] + z[2] * v[2];
    }
}

static double distance(const double *a, const double *b, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

/* --- Problems ---------------------------------------------------------------------------------------------------------- */

static void add_goal(lb_problem *p, const robot *r, int side, int is_carried, int is_point, const double e[9]) {
    lb_constraint c;
    lb_constraint_defaults(&c);
    c.effector = r->hands[side];
    c.goal.kind = is_point ? LB_GOAL_POSITION : LB_GOAL_FRAME;
    memcpy(c.goal.point, e, 3 * sizeof *e);
    memcpy(c.goal.x, e + 3, 3 * sizeof *e);
    memcpy(c.goal.y, e + 6, 3 * sizeof *e);
    c.goal.carrier_segment = is_carried ? r->hands[0].segment : -1;
    REQUIRE(lb_problem_add(p, &c) >= 0);
}

static lb_problem *make_problem(const robot *r, task t, double hands[2][9], const double seen[9]) {
    lb_problem *p = lb_problem_create(r->figure, NULL);
    REQUIRE(p);
    if (t != RELATIVE) {
        add_goal(p, r, 0, 0, t == RELATIVE_AND_POINT, hands[0]);
    }
    add_goal(p, r, 1, t != TWO, 0, t != TWO ? seen : hands[1]);
    return p;
}

static lb_result solve(lb_solver *solver, const lb_solve_options *o, double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve(solver, o, pose, &result) == LB_OK);
    return result;
}

static int count_iteration(void *context, const lb_progress *progress) {
    (void)progress;
    ++*(int *)context;
    return 0;
}

static int is_same(const double *a, const double *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

static void check_answer(const robot *r, task t, const double *pose, double hands[2][9], const double seen[9]) {
    double at[2][9], now[9];
    find_frames(r, pose, at, now);
    const double off = t == TWO ? distance(at[1], hands[1], 9) : distance(now, seen, 9);
    const double left = t == RELATIVE ? 0 : distance(at[0], hands[0], t == RELATIVE_AND_POINT ? 3 : 9);
    property_expect(&properties[MET], off < 1.1e-5 && left < 1.1e-5, "task %d: off by %g and %g", t, off, left);
    property_expect(&properties[LIMITS], lb_figure_violation(r->figure, pose) <= 1e-9, "task %d", t);
}

/* The same with one lane, and watched. */
static void check_again(const robot *r, lb_solver *solver, const lb_solve_options *o, const double *start,
                        const double *answer, const lb_result *before) {
    double pose[MOST];
    int seen = 0;
    lb_solve_options watched = *o;
    watched.on_iteration = count_iteration;
    watched.on_iteration_context = &seen;
    memcpy(pose, start, sizeof pose);
    lb_result result = solve(solver, &watched, pose);
    property_expect(&properties[WATCHING],
                    is_same(pose, answer, r->n) && seen > 0 && result.iterations == before->iterations &&
                        result.evaluations == before->evaluations && result.restarts == before->restarts,
                    "%d for %d evaluations", result.evaluations, before->evaluations);
    for (int i = 0; i < solver->arm.count; i++) {
        solver->arm.plans[i]->lanes = 1;
    }
    memcpy(pose, start, sizeof pose);
    result = solve(solver, o, pose);
    property_expect(&properties[LANES],
                    is_same(pose, answer, r->n) && result.evaluations == before->evaluations &&
                        result.restarts == before->restarts,
                    "%d for %d evaluations", result.evaluations, before->evaluations);
}

/* Two arms that share nothing: each is as it would be without the other. */
static void check_alone(const robot *r, const lb_solve_options *o, const double *start, const double *answer,
                        double hands[2][9]) {
    double both[MOST];
    memcpy(both, start, sizeof both);
    for (int side = 0; side < 2; side++) {
        lb_problem *p = lb_problem_create(r->figure, NULL);
        double pose[MOST];
        REQUIRE(p);
        add_goal(p, r, side, 0, 0, hands[side]);
        lb_solve_options arm_engine = *o;
        arm_engine.tracking = 1; /* no closed form */
        lb_solver *solver = lb_solver_create(p, NULL);
        memcpy(pose, start, sizeof pose);
        const lb_result result = solve(solver, &arm_engine, pose);
        if (result.outcome != LB_OUTCOME_SOLVED) {
            lb_solver_destroy(solver);
            lb_problem_destroy(p);
            return; /* it takes another start: then a closed form may have been first */
        }
        for (int v = 0; v < r->n; v++) {
            both[v] = pose[v] != start[v] ? pose[v] : both[v];
        }
        lb_solver_destroy(solver);
        lb_problem_destroy(p);
    }
    property_expect(&properties[ALONE], is_same(both, answer, r->n), "%s", "");
}

/* A goal for a hand that is far beyond reach, beside one that is not. */
static void check_beyond(const robot *r, lb_problem *p, const lb_solve_options *o, const double *start) {
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[MOST];
    const lb_frame far = {{50, 0, 0}, {0, 0, 0, 1}};
    REQUIRE(solver && lb_problem_move_goal(p, lb_problem_constraint_id(p, 0), &far) == LB_OK);
    lb_solve_options few = *o;
    few.restarts = 2;
    memcpy(pose, start, sizeof pose);
    const lb_result result = solve(solver, &few, pose);
    property_expect(&properties[BEYOND],
                    result.outcome != LB_OUTCOME_SOLVED && result.value <= result.value_before &&
                        lb_figure_violation(r->figure, pose) <= 1e-9,
                    "%s: %g from %g", lb_outcome_name(result.outcome), result.value, result.value_before);
    lb_solver_destroy(solver);
}

static void run(long number, uint64_t seed) {
    const task t = (task)(number % TASKS);
    const int has_mimics = number / TASKS % 3 == 2;
    robot r;
    double start[MOST], wanted[MOST], pose[MOST], hands[2][9], seen[9];
    uint64_t state = seed;
    lb_solve_options o;
    make_robot(seed, has_mimics, &r);
    lb_figure_random_pose(r.figure, &state, wanted);
    lb_figure_random_pose(r.figure, &state, start);
    if (number % 7 == 0) { /* near */
        for (int v = 0; v < r.n; v++) {
            start[v] = 0.9 * wanted[v] + 0.1 * start[v];
        }
    }
    find_frames(&r, wanted, hands, seen);
    lb_problem *p = make_problem(&r, t, hands, seen);
    const int is_still = number % 2 && r.torso; /* the torso is held where it has to be */
    for (int v = 0; v < r.torso && is_still; v++) {
        lb_problem_set_active(p, v, 0);
        start[v] = wanted[v];
    }
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver);
    lb_solve_options_defaults(&o);
    o.restarts = RESTARTS;
    o.seed = 1 + (uint64_t)number;
    memcpy(pose, start, sizeof pose);
    const lb_result result = solve(solver, &o, pose);
    if (property_expect(&properties[REACHED], result.outcome == LB_OUTCOME_SOLVED, "task %d, %d joints: %s", t, r.n,
                        result.explanation)) {
        property_expect(&properties[ENGINE], result.engine == LB_ENGINE_ARM, "task %d: %s", t,
                        lb_engine_name(result.engine));
        check_answer(&r, t, pose, hands, seen);
        check_again(&r, solver, &o, start, pose, &result);
        if (t == TWO && !has_mimics && (is_still || !r.torso) && result.restarts == 0) {
            check_alone(&r, &o, start, pose, hands);
        }
        for (int v = 0; v < r.torso && t == RELATIVE; v++) {
            property_expect(&properties[IDLE], pose[v] == start[v], "joint %d of the torso", v);
        }
    }
    lb_solver_destroy(solver);
    check_beyond(&r, p, &o, start);
    lb_problem_destroy(p);
    free_robot(&r);
}

int main(int argc, char **argv) {
    return property_main(argc, argv, 2400, 50000, run, properties, sizeof properties / sizeof *properties);
}
