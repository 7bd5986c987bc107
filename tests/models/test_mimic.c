/* Joints that mimic others, on every robot of the shared data that has them: grippers, hands, an industrial arm's linkage. They move
 * as the file says; goals for what they carry are met, seen from the world and from the other finger, by the arm engine where
 * drives are straight lines; limits of the joint that follows hold through its factor. And an arm's goal that has nothing to
 * do with its gripper is solved as if there were none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include <limber/io.h>
#include <limber/solve.h>

#define MOST 256 /* variables */
#define TURN 6.28318530717958647692

static const char *const files[] = {"data/urdf/arms/abb_irb6640_mimic.urdf",
                                    "data/urdf/arms/panda.urdf",
                                    "data/urdf/arms/widowx.urdf",
                                    "data/urdf/dual_mobile/pr2_tracik.urdf",
                                    "data/urdf/dual_mobile/yumi.urdf",
                                    "data/urdf/hands/robotiq_2f85_mimic.urdf",
                                    "data/urdf/humanoids/nao_v40.urdf",
                                    "data/urdf/humanoids/pepper.urdf",
                                    "data/urdf/humanoids/romeo.urdf",
                                    "data/urdf/quirks/curobo_simple_mimic.urdf",
                                    "data/urdf/quirks/g1_inspire_ftp_left_hand.urdf"};

/* The value of a joint with one dof, by the file's factors alone. */
static double joint_value(const lb_figure *f, int joint, const double *pose) {
    double sum = 0;
    int is_driven = 0;
    for (int d = 0; d < lb_figure_drive_count(f); d++) {
        const lb_drive *drive = lb_figure_drive(f, d);
        if (drive->joint == joint && drive->source.joint >= 0) {
            REQUIRE(drive->curve.kind == LB_CURVE_LINEAR);
            sum += drive->curve.slope * joint_value(f, drive->source.joint, pose) + drive->curve.offset;
            is_driven = 1;
        }
    }
    const int variable = is_driven ? -1 : lb_figure_variable_of(f, &(lb_dof_ref){joint, 0, -1});
    return is_driven ? sum : variable >= 0 ? pose[variable] : lb_figure_joint(f, joint)->rest[0];
}

/* How far a joint has turned or slid between two poses, by the frames of both its sides. */
static double moved(lb_kinematics *k, const lb_joint *j, const double *a, const double *b) {
    double turn[2][4], way[2][3];
    const double *poses[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        lb_frame at, to;
        lb_kinematics_update(k, poses[i]);
        lb_kinematics_site(k, j->site_a, &at);
        lb_kinematics_site(k, j->site_b, &to);
        const double *p = at.rotation, *q = to.rotation, t[4] = {-p[0], -p[1], -p[2], p[3]};
        turn[i][0] = t[3] * q[0] + t[0] * q[3] + t[1] * q[2] - t[2] * q[1];
        turn[i][1] = t[3] * q[1] - t[0] * q[2] + t[1] * q[3] + t[2] * q[0];
        turn[i][2] = t[3] * q[2] + t[0] * q[1] - t[1] * q[0] + t[2] * q[3];
        turn[i][3] = t[3] * q[3] - t[0] * q[0] - t[1] * q[1] - t[2] * q[2];
        for (int c = 0; c < 3; c++) {
            way[i][c] = to.position[c] - at.position[c];
        }
    }
    if (j->type.elements[0].kind != LB_ELEMENT_ROTATE) {
        return fabs(sqrt(way[1][0] * way[1][0] + way[1][1] * way[1][1] + way[1][2] * way[1][2]) -
                    sqrt(way[0][0] * way[0][0] + way[0][1] * way[0][1] + way[0][2] * way[0][2]));
    }
    double dot = 0;
    for (int c = 0; c < 4; c++) {
        dot += turn[0][c] * turn[1][c];
    }
    return 2 * acos(fmin(1, fabs(dot)));
}

static lb_outcome solve(lb_problem *p, double *pose, lb_engine *engine) {
    lb_solve_options o;
    lb_result result;
    lb_solve_options_defaults(&o);
    lb_result_defaults(&result);
    o.restarts = 50;
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver && lb_solver_solve(solver, &o, pose, &result) == LB_OK);
    *engine = result.engine;
    lb_solver_destroy(solver);
    return result.outcome;
}

/* The frame of a segment, as another sees it (-1: as the world does), is a goal. */
static void add_goal(lb_problem *p, lb_kinematics *k, int segment, int carrier) {
    lb_constraint c;
    lb_frame at = {{0, 0, 0}, {0, 0, 0, 1}};
    double e[9];
    lb_constraint_defaults(&c);
    REQUIRE(lb_effector_from_segment(lb_kinematics_figure(k), segment, &c.effector) == LB_OK);
    lb_kinematics_effector(k, &c.effector, e);
    if (carrier >= 0) {
        lb_kinematics_segment(k, carrier, &at);
    }
    c.goal.kind = LB_GOAL_FRAME;
    c.goal.carrier_segment = carrier;
    for (int part = 0; part < 3; part++) { /* turned back by the carrier's rotation */
        double v[3], *to[] = {c.goal.point, c.goal.x, c.goal.y};
        const double *q = at.rotation;
        for (int i = 0; i < 3; i++) {
            v[i] = e[3 * part + i] - (part ? 0 : at.position[i]);
        }
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            const double cross_a = q[b] * v[i] - q[i] * v[b] + q[3] * v[a] * -1,
                         cross_b = q[i] * v[a] - q[a] * v[i] - q[3] * v[b];
            to[part][i] = v[i] + 2 * (q[a] * cross_b - q[b] * cross_a);
        }
    }
    REQUIRE(lb_problem_add(p, &c) >= 0);
}

static int other_side(const lb_figure *f, const lb_joint *j) {
    const int a = lb_figure_site(f, j->site_a)->segment, b = lb_figure_site(f, j->site_b)->segment;
    return lb_figure_parent_segment(f, b) == a ? b : a;
}

static void check_drive(const lb_figure *f, lb_kinematics *k, const lb_drive *drive, uint64_t *seed) {
    static double wanted[MOST], start[MOST], pose[MOST];
    const lb_joint *j = lb_figure_joint(f, drive->joint), *source = lb_figure_joint(f, drive->source.joint);
    const int n = lb_figure_variable_count(f), segment = other_side(f, j), other = other_side(f, source);
    lb_figure_random_pose(f, seed, wanted);
    lb_figure_random_pose(f, seed, start);
    const double value = joint_value(f, drive->joint, wanted), before = joint_value(f, drive->joint, start);
    const int turns = j->type.elements[0].kind == LB_ELEMENT_ROTATE;
    CHECK_NEAR(moved(k, j, start, wanted), fabs(turns ? remainder(value - before, TURN) : value - before), 1e-7);
    for (int is_carried = 0; is_carried < 2; is_carried++) {
        lb_problem *p = lb_problem_create(f, NULL);
        lb_engine engine;
        lb_frame at[2];
        lb_kinematics_update(k, wanted);
        lb_kinematics_segment(k, segment, &at[0]);
        add_goal(p, k, segment, is_carried ? other : -1);
        memcpy(pose, start, (size_t)n * sizeof *pose);
        CHECK_INT(solve(p, pose, &engine), LB_OUTCOME_SOLVED);
        CHECK(lb_figure_violation(f, pose) <= 1e-9);
        const double now = joint_value(f, drive->joint, pose);
        CHECK(now >= j->lower[0] - 1e-9 && now <= j->upper[0] + 1e-9);
        lb_kinematics_update(k, pose);
        lb_kinematics_segment(k, segment, &at[1]);
        for (int c = 0; c < 3 && !is_carried; c++) {
            CHECK_NEAR(at[1].position[c], at[0].position[c], 1.1e-5);
        }
        lb_problem_destroy(p);
    }
}

/* The hand of an arm, its gripper left alone: the arm engine, or algebra, and the gripper stays. */
static void check_arm(const char *file, const char *hand, const char *finger) {
    static double wanted[MOST], pose[MOST], start[MOST];
    char path[1024];
    lb_figure *f;
    lb_engine engine;
    uint64_t seed = 3;
    if (!check_shared(file, path, sizeof path) || lb_figure_load(path, NULL, &f, NULL)) {
        return;
    }
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_problem *p = lb_problem_create(f, NULL);
    lb_figure_random_pose(f, &seed, wanted);
    lb_figure_random_pose(f, &seed, start);
    lb_kinematics_update(k, wanted);
    check_note("%s", file);
    const int segment = lb_figure_find_segment(f, hand);
    REQUIRE(segment >= 0);
    add_goal(p, k, segment, -1);
    memcpy(pose, start, sizeof pose);
    CHECK_INT(solve(p, pose, &engine), LB_OUTCOME_SOLVED);
    CHECK_INT(engine, LB_ENGINE_ARM);
    const int variable = lb_figure_find_variable(f, finger);
    REQUIRE(variable >= 0);
    CHECK(pose[variable] == start[variable]);
    lb_problem_destroy(p);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

int main(void) {
    int robots = 0;
    uint64_t seed = 11;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        lb_figure *f;
        if (!check_shared(files[i], path, sizeof path) || lb_figure_load(path, NULL, &f, NULL)) {
            continue;
        }
        lb_kinematics *k = lb_kinematics_create(f, NULL);
        REQUIRE(k && lb_figure_variable_count(f) <= MOST);
        for (int d = 0; d < lb_figure_drive_count(f); d++) {
            const lb_drive *drive = lb_figure_drive(f, d);
            for (int round = 0; round < check_count(3, 30) && drive->source.joint >= 0; round++) {
                check_note("%s, %s, round %d", files[i], lb_figure_joint(f, drive->joint)->name, round);
                check_drive(f, k, drive, &seed);
            }
        }
        robots += lb_figure_drive_count(f) > 0;
        lb_kinematics_destroy(k);
        lb_figure_destroy(f);
    }
    if (!robots) {
        SKIP("the robots of ../shared/data/urdf are not there");
    }
    check_arm("data/urdf/arms/panda.urdf", "panda_hand", "panda_finger_joint1");
    check_arm("data/urdf/dual_mobile/yumi.urdf", "gripper_l_base", "gripper_l_joint");
    check_note("%s", "");
    return check_done();
}
