/* Motions played: the same pose at a time whatever was asked before; drives of all kinds; goals that follow; things
 * taken up, carried and put down; limits that clip; rates. */
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

#define DEGREE 0.017453292519943295

/* --- The stage: an arm of seven dofs, and a ball and a box that lie about ------------------------- */

static lb_figure *arm(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    static const char *const names[] = {"base", "upper", "lower", "hand"};
    static const char *const joints[] = {"shoulder", "elbow", "wrist"};
    static const char *const types[] = {"R(z)*R(y)*R(x)", "R(y)", "R(z)*R(y)*R(x)"};
    int ends[4];
    for (int i = 0; i < 4; i++) {
        CHECK_INT(arm_segment(b, names[i], 1), i);
        int begin = i ? arm_site(b, i, "begin", 0) : -1;
        ends[i] = arm_site(b, i, i == 3 ? "palm" : "end", i == 0 ? 0 : i == 3 ? 0.1 : 0.4);
        if (i) {
            CHECK(arm_joint(b, joints[i - 1], ends[i - 1], begin, types[i - 1]) == i - 1);
        }
    }
    lb_joint elbow = *lb_builder_joint(b, 1);
    elbow.lower[0] = -150 * DEGREE;
    elbow.upper[0] = 150 * DEGREE;
    CHECK_INT(lb_builder_change_joint(b, 1, &elbow), LB_OK);
    lb_builder_set_name(b, "arm");
    return arm_finish(b);
}

static lb_figure *thing(const char *name) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_root root;
    CHECK_INT(arm_segment(b, name, 0.5), 0);
    arm_site(b, 0, "handle", 0.05);
    lb_root_defaults(&root);
    root.is_free = 1;
    root.placement.position[0] = 0.5;
    root.placement.rotation[2] = root.placement.rotation[3] = sqrt(0.5);
    lb_builder_set_root(b, &root);
    lb_builder_set_name(b, name);
    return arm_finish(b);
}

enum { ELBOW = 3, VARIABLES = 7 };
static const double ready[VARIABLES + 12] = {0.2, -0.4, 0, 1.1, 0, 0.3, 0};

static lb_track *frame_track(const double (*points)[3], const double *times, int count, lb_interpolation how) {
    lb_track *track = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    for (int i = 0; i < count; i++) {
        double value[7] = {points[i][0], points[i][1], points[i][2], 0, 0, 0, 1};
        CHECK_INT(lb_track_set(track, times[i], value, how), LB_OK);
    }
    return track;
}

static lb_track *number_track(int width, const double *values, const double *times, int count, lb_interpolation how) {
    lb_track *track = lb_track_create(LB_TRACK_VALUES, width, NULL, NULL);
    for (int i = 0; i < count; i++) {
        CHECK_INT(lb_track_set(track, times[i], values + i * width, how), LB_OK);
    }
    return track;
}

static const double path[4][3] = {{0.5, 0.2, 0.2}, {0.4, -0.2, 0.4}, {0.3, 0.3, 0.1}, {0.6, 0, 0.2}};
static const double path_times[4] = {0, 0.7, 1.1, 2};

/* The palm reaches along the path. */
static lb_problem *reach(const lb_figure *figure, int *id) {
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_constraint c;
    CHECK_INT(lb_constraint_at(figure, "palm", path[0], &c), LB_OK);
    *id = lb_problem_add(problem, &c);
    CHECK(*id > 0);
    return problem;
}

static double apart(const double *a, const double *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* --- The pose at a time is the pose at that time -------------------------------------------------- */

static void any_order(void) {
    int id;
    lb_figure *figure = arm();
    lb_problem *problem = reach(figure, &id);
    lb_track *track = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    REQUIRE(motion != NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    lb_track_destroy(track);
    CHECK_NEAR(lb_motion_end(motion), 2, 0);
    static const int rates[] = {24, 30, 60};
    static double expected[3][130][VARIABLES];
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (int r = 0; r < 3; r++) {
        for (int f = 0; f <= 2 * rates[r]; f++) {
            CHECK_INT(lb_player_pose(player, (double)f / rates[r], expected[r][f], NULL), LB_OK);
        }
    }
    lb_player_destroy(player);
    /* the rates agree where they meet, however the time was computed */
    for (int f = 0; f <= 12; f++) {
        CHECK_NEAR(apart(expected[0][4 * f], expected[1][5 * f], VARIABLES), 0, 1e-9);
        CHECK_NEAR(apart(expected[0][4 * f], expected[2][10 * f], VARIABLES), 0, 1e-9);
    }
    check_random random;
    check_random_seed(&random, 2);
    for (int order = 0; order < 3; order++) {
        player = lb_player_create(motion, NULL, NULL);
        for (int i = 0; i <= 300; i++) {
            int r = check_random_index(&random, 3), f = check_random_index(&random, 2 * rates[r] + 1);
            if (order == 0) {
                r = 1, f = i % 61;
            }
            if (order == 1) {
                r = 2, f = 120 - i % 121;
            }
            double pose[VARIABLES], time = (double)f / rates[r];
            lb_result result;
            lb_result_defaults(&result);
            if (order == 2) {
                time += 1e-10 * check_random_range(&random, -1, 1);
            }
            CHECK_INT(lb_player_pose(player, time, pose, i % 3 ? NULL : &result), LB_OK);
            CHECK_NEAR(apart(pose, expected[r][f], VARIABLES), 0, 0);
            if (i % 3 == 0) {
                CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
                CHECK_INT(result.constraints[0].id, id);
                CHECK_NEAR(result.constraints[0].distance, 0, 1e-5);
            }
            /* odd times in between disturb nothing */
            CHECK_INT(lb_player_pose(player, check_random_range(&random, 0, 2.5), pose, NULL), LB_OK);
        }
        lb_player_destroy(player);
    }
    lb_motion_destroy(motion);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- Drives --------------------------------------------------------------------------------------- */

typedef struct notes {
    int count;
    double time;
    char text[256];
} notes;

static void note(void *context, double time, const char *message) {
    notes *n = context;
    if (n->count++) {
        return;
    }
    n->time = time;
    strncpy(n->text, message, sizeof n->text - 1);
}

/* A turn beyond the limit is clipped there, with a warning when it begins; all else goes on. */
static void clipped(void) {
    int id;
    lb_figure *figure = arm();
    lb_problem *problem = reach(figure, &id);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    const double values[] = {0, 200 * DEGREE, 0, 200 * DEGREE}, times[] = {0, 1, 2, 3};
    lb_track *track = number_track(1, values, times, 4, LB_INTERPOLATION_LINEAR);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_VARIABLE, ELBOW, track), LB_OK);
    CHECK_INT(lb_problem_enable(problem, id, 0), LB_OK);
    lb_player_options options;
    notes said = {0, 0, ""};
    lb_player_options_defaults(&options);
    options.warn = note;
    options.warn_context = &said;
    lb_player *player = lb_player_create(motion, &options, NULL);
    double pose[VARIABLES];
    CHECK_INT(lb_player_pose(player, 0.5, pose, NULL), LB_OK);
    CHECK_NEAR(pose[ELBOW], 100 * DEGREE, 1e-12);
    CHECK_NEAR(pose[0], ready[0], 0);
    CHECK_INT(said.count, 0);
    CHECK_INT(lb_player_pose(player, 1, pose, NULL), LB_OK);
    CHECK_NEAR(pose[ELBOW], 150 * DEGREE, 1e-12);
    CHECK_INT(said.count, 1);
    CHECK_NEAR(said.time, 0.75, 0.01);
    CHECK_HAS(said.text, "a limit clips elbow");
    CHECK_HAS(said.text, "it stays at 150 deg");
    CHECK_INT(lb_player_pose(player, 2, pose, NULL), LB_OK);
    CHECK_NEAR(pose[ELBOW], 0, 1e-12);
    CHECK_INT(lb_player_pose(player, 3, pose, NULL), LB_OK);
    CHECK_INT(said.count, 2); /* once each time it begins */
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* A ball joint asked to swing out of its cone stays on the cone's edge. */
static void clipped_swing(void) {
    lb_builder *b = arm_builder("swing_twist(x)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    double cone[8][2];
    lb_swing_cone(40 * DEGREE, 8, cone);
    joint.swing_count = 8;
    joint.swing = (const double(*)[2])cone;
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    lb_figure *figure = arm_finish(b);
    lb_problem *problem = lb_problem_create(figure, NULL);
    double pose[4] = {0};
    lb_motion *motion = lb_motion_create(problem, pose, NULL);
    lb_track *turn = lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL);
    const double axis[3] = {0, 1, 0};
    for (int i = 0; i < 2; i++) {
        double q[4];
        lb_rotation_about(axis, 80 * DEGREE * i, q);
        lb_track_set(turn, i, q, LB_INTERPOLATION_LINEAR);
    }
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_JOINT, 0, turn), LB_OK);
    lb_player_options options;
    notes said = {0, 0, ""};
    lb_player_options_defaults(&options);
    options.warn = note;
    options.warn_context = &said;
    lb_player *player = lb_player_create(motion, &options, NULL);
    CHECK_INT(lb_player_pose(player, 0.25, pose, NULL), LB_OK);
    CHECK_NEAR(pose[0], 20 * DEGREE, 1e-12);
    CHECK_INT(said.count, 0);
    CHECK_INT(lb_player_pose(player, 1, pose, NULL), LB_OK);
    CHECK_NEAR(lb_figure_violation(figure, pose), 0, 1e-9);
    CHECK(pose[0] > 35 * DEGREE && pose[0] < 40.001 * DEGREE);
    CHECK(said.count >= 1);
    CHECK_HAS(said.text, "a limit clips shoulder.");
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(turn);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* A driven joint's rotation is the track's; the rest of the arm makes up for it. */
static void driven_joint(void) {
    int id;
    lb_figure *figure = arm();
    lb_problem *problem = reach(figure, &id);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    lb_track *turn = lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL),
             *goal = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    const double axis[3] = {1, 2, -1};
    for (int i = 0; i < 4; i++) {
        double q[4];
        lb_rotation_about(axis, 0.6 * i, q);
        lb_track_set(turn, 0.6 * i, q, LB_INTERPOLATION_CUBIC);
    }
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_JOINT, lb_motion_joint_index(motion, 0, 2), turn), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, goal), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (int i = 0; i <= 40; i++) {
        double pose[VARIABLES], q[4], expected[4];
        lb_result result;
        lb_result_defaults(&result);
        CHECK_INT(lb_player_pose(player, 0.05 * i, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        lb_joint_type_rotation(&lb_figure_joint(figure, 2)->type, pose + 4, q);
        lb_track_sample(turn, 0.05 * i, expected, NULL, NULL);
        double dot = q[0] * expected[0] + q[1] * expected[1] + q[2] * expected[2] + q[3] * expected[3];
        CHECK_NEAR(fabs(dot), 1, 1e-14);
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(turn);
    lb_track_destroy(goal);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* A weight that fades, a pin that lets go, a joint that stiffens, a limit that closes. */
static void settings(void) {
    lb_figure *figure = arm();
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_constraint c;
    static const double here[3] = {0.5, 0.3, 0.1}, there[3] = {0.5, -0.3, 0.1};
    lb_constraint_at(figure, "palm", here, &c);
    int first = lb_problem_add(problem, &c);
    lb_constraint_at(figure, "palm", there, &c);
    int second = lb_problem_add(problem, &c);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    const double times[] = {0, 1}, fade[] = {1, 0}, off[] = {1, 0}, range[] = {-3, 3, 0.2, 0.4};
    lb_track *weight = number_track(1, fade, times, 2, LB_INTERPOLATION_LINEAR),
             *pin = number_track(1, off, times, 2, LB_INTERPOLATION_LINEAR);
    lb_track *limits = number_track(2, range, times, 2, LB_INTERPOLATION_LINEAR);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_WEIGHT, first, weight), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, second, pin), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_LIMITS, ELBOW, limits), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ACTIVE, 2, pin), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    double pose[VARIABLES], before[VARIABLES] = {0};
    lb_frame frame;
    CHECK_INT(lb_player_pose(player, 0, pose, NULL), LB_OK);
    lb_player_site(player, 0, 0, lb_figure_find_site(figure, "palm"), &frame, NULL, NULL);
    CHECK_NEAR(frame.position[1], 0, 1e-6); /* both pull alike */
    CHECK_INT(lb_player_pose(player, 0.25, pose, NULL), LB_OK);
    lb_player_site(player, 0.25, 0, lb_figure_find_site(figure, "palm"), &frame, NULL, NULL);
    CHECK_NEAR(frame.position[1], 0.3 * (0.75 - 1) / 1.75, 1e-6);
    for (int i = 0; i <= 30; i++) {
        double t = i / 30.0, lower = -3 + 3.2 * t, upper = 3 - 2.6 * t;
        CHECK_INT(lb_player_pose(player, t, pose, NULL), LB_OK);
        CHECK(pose[ELBOW] >= lower - 1e-9 && pose[ELBOW] <= upper + 1e-9);
        if (i > 0 && i != 16) {
            CHECK(apart(pose, before, VARIABLES) < 0.5); /* at 16 the pin is gone */
        }
        if (t > 0.52) {
            CHECK_NEAR(pose[2], before[2], 0); /* the solver may not move it any more */
        }
        memcpy(before, pose, sizeof pose);
    }
    CHECK(pose[ELBOW] >= 0.2 - 1e-9 && pose[ELBOW] <= 0.4 + 1e-9);
    CHECK_NEAR(lb_figure_variable(figure, ELBOW)->upper, 150 * DEGREE, 0); /* the figure itself is as it was */
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(weight);
    lb_track_destroy(pin);
    lb_track_destroy(limits);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- Things --------------------------------------------------------------------------------------- */

typedef struct hall {
    lb_figure *arm, *ball, *box;
    lb_problem *problem;
    int reach; /* the palm at the ball's handle */
} hall;

static void open_hall(hall *h) {
    lb_constraint c;
    static const double zero[3];
    h->arm = arm();
    h->ball = thing("ball");
    h->box = thing("box");
    h->problem = lb_problem_create(h->arm, NULL);
    CHECK_INT(lb_problem_add_figure(h->problem, h->ball), 1);
    CHECK_INT(lb_problem_add_figure(h->problem, h->box), 2);
    lb_constraint_at(h->arm, "palm", zero, &c);
    c.goal.carrier_figure = 1;
    c.goal.carrier_segment = 0;
    c.goal.point[0] = 0.05;
    h->reach = lb_problem_add(h->problem, &c);
    CHECK(h->reach > 0);
}

static void close_hall(hall *h) {
    lb_problem_destroy(h->problem);
    lb_figure_destroy(h->arm);
    lb_figure_destroy(h->ball);
    lb_figure_destroy(h->box);
}

static void site_of(lb_player *player, double time, int figure, int site, lb_frame *frame) {
    CHECK_INT(lb_player_site(player, time, figure, site, frame, NULL, NULL), LB_OK);
}

static double distance(const lb_frame *a, const lb_frame *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a->position[i] - b->position[i]) * (a->position[i] - b->position[i]);
    }
    return sqrt(sum);
}

/* The hand follows a ball that flies. */
static void follows(void) {
    hall h;
    open_hall(&h);
    lb_motion *motion = lb_motion_create(h.problem, ready, NULL);
    lb_track *flight = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ROOT, 1, flight), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ROOT, 2, flight), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (double t = 0; t <= 2; t += 0.0731) {
        lb_frame palm, handle;
        double value[7];
        site_of(player, t, 0, lb_figure_find_site(h.arm, "palm"), &palm);
        site_of(player, t, 1, 0, &handle);
        CHECK_NEAR(distance(&palm, &handle), 0, 1e-5);
        lb_track_sample(flight, t, value, NULL, NULL);
        CHECK_NEAR(handle.position[0], value[0] + 0.05, 1e-9); /* the frame asked for, whatever the placement */
        CHECK_NEAR(handle.position[1], value[1], 1e-9);
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(flight);
    close_hall(&h);
}

/* A goal that goes over from a point to the ball, as BAGS's reaches do. */
static void goes_over(void) {
    hall h;
    open_hall(&h);
    lb_constraint c;
    lb_constraint_at(h.arm, "palm", path[0], &c);
    int id = lb_problem_add(h.problem, &c);
    lb_problem_enable(h.problem, h.reach, 0);
    lb_motion *motion = lb_motion_create(h.problem, ready, NULL);
    lb_track *flight = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    const double times[] = {0.5, 1.5}, weights[] = {0, 1};
    lb_track *weight = number_track(1, weights, times, 2, LB_INTERPOLATION_LINEAR);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ROOT, 1, flight), LB_OK);
    CHECK_INT(lb_motion_follow(motion, id, 1, 0, weight), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (int i = 8; i >= 0; i--) {
        lb_frame palm, ball;
        double t = 0.25 * i, w = fmin(1, fmax(0, t - 0.5));
        site_of(player, t, 0, lb_figure_find_site(h.arm, "palm"), &palm);
        site_of(player, t, 1, 0, &ball);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(palm.position[k], path[0][k] + w * (ball.position[k] - path[0][k]), 2e-5);
        }
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(flight);
    lb_track_destroy(weight);
    close_hall(&h);
}

/* The ball flies in, is caught, carried to a goal of its own, with the box on top, and put down. */
static void carries(void) {
    hall h;
    open_hall(&h);
    lb_constraint c;
    static const double shelf[3] = {0.3, -0.4, 0.3};
    lb_constraint_at(h.ball, "handle", shelf, &c);
    c.figure = 1;
    int bring = lb_problem_add(h.problem, &c);
    CHECK(bring > 0);
    const double times[] = {0, 1.004, 2.5}, reach_on[] = {1, 0, 0}, bring_on[] = {0, 1, 0};
    lb_track *on = number_track(1, reach_on, times, 3, LB_INTERPOLATION_STEP),
             *then = number_track(1, bring_on, times, 3, LB_INTERPOLATION_STEP);
    lb_track *flight = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    lb_motion *motion = lb_motion_create(h.problem, ready, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ROOT, 1, flight), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, h.reach, on), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, bring, then), LB_OK);
    CHECK_INT(lb_motion_carry(motion, 1, 0, 3, 1.003, 2), LB_OK); /* not on a step */
    CHECK_INT(lb_motion_carry(motion, 2, 1, 0, 1.5, 3), LB_OK);   /* the box by the ball, from 1.5 on */
    CHECK_INT(lb_motion_carry(motion, 1, 0, 3, 1.9, 2.5), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_motion_error(motion)->message, "carried already");
    lb_player *player = lb_player_create(motion, NULL, NULL);
    int palm_site = lb_figure_find_site(h.arm, "palm");
    lb_frame palm, ball, box, relative, first = {{0}, {0}}, last;
    double pose[VARIABLES + 12], before[VARIABLES + 12];
    /* while it is held it does not move in the hand */
    for (int i = 0; i <= 20; i++) {
        double t = 1.003 + i * (2 - 1.003) / 20 - (i == 20 ? 1e-7 : 0);
        site_of(player, t, 0, palm_site, &palm);
        site_of(player, t, 1, 0, &ball);
        lb_frame_invert(&palm, &palm);
        lb_frame_multiply(&palm, &ball, &relative);
        if (i == 0) {
            first = relative;
        }
        CHECK_NEAR(distance(&first, &relative), 0, 1e-12);
    }
    site_of(player, 1.9, 1, 0, &ball);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(ball.position[k], shelf[k], 1e-5); /* the ball's own goal moved the arm */
    }
    site_of(player, 1.5, 2, 0, &box);
    site_of(player, 1.5, 1, 0, &ball);
    double gap = distance(&box, &ball);
    site_of(player, 2.6, 2, 0, &box);
    site_of(player, 2.6, 1, 0, &ball);
    CHECK_NEAR(distance(&box, &ball), gap, 1e-12); /* the box lay on it */
    site_of(player, 1.999999, 1, 0, &last);
    CHECK_NEAR(distance(&ball, &last), 0, 1e-4); /* put down: it stays, its track is over */
    /* nothing jumps anywhere */
    static const double events[] = {1.003, 1.5, 2, 3};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(lb_player_pose(player, events[i] - 2e-9, before, NULL), LB_OK);
        CHECK_INT(lb_player_pose(player, events[i], pose, NULL), LB_OK);
        CHECK_NEAR(apart(pose, before, VARIABLES + 12), 0, 1e-6);
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(on);
    lb_track_destroy(then);
    lb_track_destroy(flight);
    close_hall(&h);
}

/* --- Rates ---------------------------------------------------------------------------------------- */

static void rates(void) {
    int id;
    lb_figure *figure = arm();
    lb_problem *problem = reach(figure, &id);
    lb_track *track = frame_track(path, path_times, 4, LB_INTERPOLATION_CUBIC);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_effector palm;
    int site = lb_figure_find_site(figure, "palm");
    lb_effector_from_site(figure, site, &palm);
    for (double t = 0; t <= 2; t += 0.0817) {
        double value[7], rate[6], acceleration[6], velocity[6], change[6], pose[VARIABLES], dq[VARIABLES],
            ddq[VARIABLES];
        double by_pose[6], by_pose_change[6];
        lb_frame frame;
        lb_track_sample(track, t, value, rate, acceleration);
        CHECK_INT(lb_player_site(player, t, 0, site, &frame, velocity, change), LB_OK);
        CHECK_INT(lb_player_pose(player, t, pose, NULL), LB_OK);
        CHECK_INT(lb_player_rates(player, t, dq, ddq), LB_OK);
        CHECK_INT(lb_effector_motion(k, &palm, pose, dq, ddq, by_pose, by_pose_change), LB_OK);
        for (int i = 0; i < 3; i++) { /* the palm moves as its goal does */
            CHECK_NEAR(velocity[i], rate[i], 2e-3);
            if (t > 0.02) {
                CHECK_NEAR(change[i], acceleration[i], 0.15);
            }
        }
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(by_pose[i], velocity[i], 5e-3);
        }
    }
    lb_clip *clip = lb_player_clip(player, 0, 0, 1.0 / 30);
    REQUIRE(clip != NULL);
    CHECK_INT(lb_clip_frame_count(clip), 61);
    for (int f = 0; f < 61; f++) {
        double pose[VARIABLES];
        lb_player_pose(player, f / 30.0, pose, NULL);
        CHECK_NEAR(apart(pose, lb_clip_pose(clip, f), VARIABLES), 0, 0);
    }
    /* and the clip can drive the figure */
    lb_problem *other = lb_problem_create(figure, NULL);
    lb_motion *again = lb_motion_create(other, ready, NULL);
    CHECK_INT(lb_motion_drive_clip(again, 0, clip, 0.5, LB_INTERPOLATION_CUBIC), LB_OK);
    CHECK_NEAR(lb_motion_end(again), 2.5, 1e-12);
    lb_player *second = lb_player_create(again, NULL, NULL);
    for (int f = 0; f < 61; f += 7) {
        double pose[VARIABLES];
        CHECK_INT(lb_player_pose(second, 0.5 + f / 30.0, pose, NULL), LB_OK);
        CHECK_NEAR(apart(pose, lb_clip_pose(clip, f), VARIABLES), 0, 1e-9);
    }
    lb_player_destroy(second);
    lb_motion_destroy(again);
    lb_problem_destroy(other);
    lb_clip_destroy(clip);
    lb_kinematics_destroy(k);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- Refusals ------------------------------------------------------------------------------------- */

static void refused(lb_motion *motion, lb_status status, lb_status expected, const char *why) {
    check_note("%s", why);
    CHECK_INT(status, expected);
    CHECK_HAS(lb_motion_error(motion)->message, why);
    check_note("%s", "");
}

static void refusals(void) {
    hall h;
    open_hall(&h);
    double bad[VARIABLES + 12] = {NAN};
    CHECK(lb_motion_create(h.problem, bad, NULL) == NULL);
    CHECK(lb_motion_create(NULL, ready, NULL) == NULL);
    lb_motion *m = lb_motion_create(h.problem, ready, NULL);
    lb_track *empty = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL),
             *frames = frame_track(path, path_times, 2, LB_INTERPOLATION_LINEAR);
    const double zero[2] = {0, 0}, time = 0;
    lb_track *number = number_track(1, zero, &time, 1, LB_INTERPOLATION_STEP),
             *two = number_track(2, zero, &time, 1, LB_INTERPOLATION_STEP);
    const lb_status bad_argument = LB_ERROR_ARGUMENT;
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, empty), bad_argument, "no keys");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 99, number), bad_argument, "no such variable");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, frames), bad_argument, "a track of numbers");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, two), bad_argument, "width 1");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_LIMITS, 0, number), bad_argument, "width 2");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, 0, frames), bad_argument, "root is not free");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, 1, number), bad_argument, "a track of frames");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_GOAL, 77, frames), bad_argument, "no such constraint");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_JOINT, 77, frames), bad_argument, "no such joint");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_JOINT, 0, frames), bad_argument, "a track of rotations");
    refused(m, lb_motion_drive(m, (lb_drive_target)99, 0, number), bad_argument, "nothing of this kind");
    refused(m, lb_motion_carry(m, 0, 1, 0, 0, 1), bad_argument, "a figure with a free root");
    refused(m, lb_motion_carry(m, 1, 0, 9, 0, 1), bad_argument, "no such segment");
    refused(m, lb_motion_carry(m, 1, 0, 0, 1, 1), bad_argument, "put down after");
    refused(m, lb_motion_follow(m, h.reach, 1, 9, number), bad_argument, "no such site");
    refused(m, (lb_status)lb_motion_stage(m, 0, h.problem), bad_argument, "after that of the one before");
    CHECK_INT(lb_motion_joint_index(m, 1, 0), -1);
    /* two that carry each other */
    CHECK_INT(lb_motion_carry(m, 1, 2, 0, 0, 1), LB_OK);
    CHECK_INT(lb_motion_carry(m, 2, 1, 0, 0, 1), LB_OK);
    lb_player *player = lb_player_create(m, NULL, NULL);
    double pose[VARIABLES + 12];
    CHECK_INT(lb_player_pose(player, 0, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_player_error(player)->message, "in a circle");
    CHECK_INT(lb_player_pose(player, NAN, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_pose(player, 1e12, pose, NULL), LB_ERROR_ARGUMENT);
    lb_player_destroy(player);
    lb_player_options options;
    lb_player_options_defaults(&options);
    options.step = 0;
    CHECK(lb_player_create(m, &options, NULL) == NULL);
    lb_motion_destroy(m);
    lb_motion_destroy(NULL);
    lb_player_destroy(NULL);
    lb_track_destroy(empty);
    lb_track_destroy(frames);
    lb_track_destroy(number);
    lb_track_destroy(two);
    close_hall(&h);
}

int main(void) {
    any_order();
    clipped();
    clipped_swing();
    driven_joint();
    settings();
    follows();
    goes_over();
    carries();
    rates();
    refusals();
    return check_done();
}
