/* Linkages that change during a motion: what BAGS (section 6) wished for. Nothing jumps at the change. */
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

enum { MOST = 40 };

/* A robot: base, upper, lower, hand; shoulder, elbow, wrist. */
static lb_builder *robot_builder(const char *name, int is_free, double x) {
    static const char *const segments[] = {"base", "upper", "lower", "hand"};
    static const char *const joints[] = {"shoulder", "elbow", "wrist"};
    static const char *const types[] = {"R(z)*R(y)", "R(y)", "R(y)*R(x)"};
    lb_builder *b = lb_builder_create(NULL, NULL);
    int end = -1;
    for (int i = 0; i < 4; i++) {
        CHECK_INT(arm_segment(b, segments[i], 1), i);
        int begin = i ? arm_site(b, i, "begin", 0) : -1;
        if (i) {
            CHECK_INT(arm_joint(b, joints[i - 1], end, begin, types[i - 1]), i - 1);
        }
        end = arm_site(b, i, i == 3 ? "palm" : "end", i == 0 ? 0 : i == 3 ? 0.1 : 0.4);
    }
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = is_free;
    root.placement.position[0] = x;
    lb_builder_set_root(b, &root);
    lb_builder_set_name(b, name);
    return b;
}

static lb_figure *robot(const char *name, int is_free, double x) { return arm_finish(robot_builder(name, is_free, x)); }

static const double ready[MOST] = {0.2, -0.7, 1.1, 0.4, 0.1};

/* World frames of all segments of a problem in a pose, by the figure's and the segment's name. */
typedef struct place {
    char name[64];
    lb_frame frame;
} place;

static int look(const lb_problem *problem, const double *pose, place *places) {
    int count = 0;
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_figure *figure = lb_problem_figure(problem, f);
        lb_kinematics *k = lb_kinematics_create(figure, NULL);
        CHECK_INT(lb_kinematics_update(k, pose + lb_problem_first_variable(problem, f)), LB_OK);
        for (int i = 0; i < lb_figure_segment_count(figure); i++) {
            const char *segment = lb_figure_segment(figure, i)->name;
            if (strchr(segment, '.')) {
                snprintf(places[count].name, 64, "%s", segment); /* of an attached figure */
            } else {
                snprintf(places[count].name, 64, "%s.%s", lb_figure_name(figure), segment);
            }
            lb_kinematics_segment(k, i, &places[count++].frame);
        }
        lb_kinematics_destroy(k);
    }
    return count;
}

/* All segments that are there before and after a time are in one place, to 1e-9. Returns how many they are. */
static int unbroken(lb_player *player, const lb_motion *motion, double time) {
    static place before[64], after[64];
    double pose[MOST], speed[MOST];
    int same = 0, stage = lb_player_stage(player, time);
    check_note("at %g", time);
    /* the pose at the change under the old rules: a moment before, and on from there at the speed it has */
    CHECK(stage > 0);
    const double h = 1e-8;
    CHECK_INT(lb_player_pose(player, time - h, pose, NULL), LB_OK);
    CHECK_INT(lb_player_rates(player, time - h, speed, NULL), LB_OK);
    const lb_problem *problem = lb_motion_problem(motion, stage - 1);
    for (int i = 0; i < lb_problem_variable_count(problem); i++) {
        pose[i] += h * speed[i];
    }
    int count = look(problem, pose, before);
    CHECK_INT(lb_player_pose(player, time, pose, NULL), LB_OK);
    int others = look(lb_motion_problem(motion, stage), pose, after);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < others; k++) {
            if (strcmp(before[i].name, after[k].name) != 0) {
                continue;
            }
            check_note("%s at %g", before[i].name, time);
            double dot = 0;
            for (int c = 0; c < 3; c++) {
                CHECK_NEAR(after[k].frame.position[c], before[i].frame.position[c], 1e-9);
            }
            for (int c = 0; c < 4; c++) {
                dot += after[k].frame.rotation[c] * before[i].frame.rotation[c];
            }
            CHECK_NEAR(fabs(dot), 1, 1e-9);
            same++;
        }
    }
    check_note("%s", "");
    return same;
}

static const double path[4][3] = {{0.6, 0.2, 0.2}, {0.5, -0.2, 0.4}, {0.4, 0.3, 0.1}, {0.6, 0, 0.2}};

static lb_track *path_track(void) {
    static const double times[4] = {0, 0.7, 1.1, 2};
    lb_track *track = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        double value[7] = {path[i][0], path[i][1], path[i][2], 0, 0, 0, 1};
        CHECK_INT(lb_track_set(track, times[i], value, LB_INTERPOLATION_CUBIC), LB_OK);
    }
    return track;
}

/* The palm of figure 0 at the path; the goal is driven in the stage added last. */
static int add_reach(lb_problem *problem, const char *site) {
    lb_constraint c;
    CHECK_INT(lb_constraint_at(lb_problem_figure(problem, 0), site, path[0], &c), LB_OK);
    int id = lb_problem_add(problem, &c);
    CHECK(id > 0);
    return id;
}

static void palm_at(lb_player *player, double time, int figure, int site, lb_frame *frame) {
    CHECK_INT(lb_player_site(player, time, figure, site, frame, NULL, NULL), LB_OK);
}

/* --- Gradual restriction of freedom at a joint ---------------------------------------------------- */

static void tightened(void) {
    lb_figure *figure = robot("robot", 0, 0);
    lb_problem *problem = lb_problem_create(figure, NULL);
    int id = add_reach(problem, "palm"), elbow = lb_figure_find_variable(figure, "elbow");
    lb_track *track = path_track(), *limits = lb_track_create(LB_TRACK_VALUES, 2, NULL, NULL);
    static const double ranges[2][2] = {{-3, 3}, {0.3, 0.5}};
    lb_track_set(limits, 0.2, ranges[0], LB_INTERPOLATION_LINEAR);
    lb_track_set(limits, 1.8, ranges[1], LB_INTERPOLATION_LINEAR);
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_LIMITS, elbow, limits), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    double pose[MOST], before[MOST] = {0}, range[2], fastest = 0;
    int met = 0;
    for (int i = 0; i <= 240; i++) {
        double t = i / 120.0;
        lb_result result;
        lb_result_defaults(&result);
        CHECK_INT(lb_player_pose(player, t, pose, &result), LB_OK);
        lb_track_sample(limits, t, range, NULL, NULL);
        CHECK(pose[elbow] >= range[0] - 1e-9 && pose[elbow] <= range[1] + 1e-9);
        for (int v = 0; i && v < lb_figure_variable_count(figure); v++) {
            fastest = fmax(fastest, fabs(pose[v] - before[v]));
        }
        memcpy(before, pose, sizeof pose);
        met += result.outcome == LB_OUTCOME_SOLVED;
    }
    CHECK(fastest < 0.2);          /* a step's: it goes on smoothly */
    CHECK(met > 120 && met < 240); /* as long as the elbow lets it */
    CHECK(pose[elbow] >= 0.3 - 1e-9 && pose[elbow] <= 0.5 + 1e-9);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_track_destroy(limits);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
}

/* --- Joints frozen, let go, added, removed, of another type --------------------------------------- */

typedef enum change { FREEZE, THAW, ADD, RETYPE } change;

/* The figure with one thing changed, as it stands in a pose. */
static lb_figure *changed(const lb_figure *figure, const double *pose, change what) {
    lb_builder *b = lb_builder_from(figure, NULL);
    int elbow = lb_builder_find_joint(b, "elbow");
    lb_joint joint = *lb_builder_joint(b, elbow);
    if (what == FREEZE) {
        CHECK_INT(lb_builder_freeze_joint(b, elbow, &pose[lb_figure_find_variable(figure, "elbow")]), LB_OK);
    }
    if (what == THAW) {
        CHECK_INT(lb_builder_thaw_joint(b, elbow), LB_OK);
    }
    if (what == RETYPE) {
        lb_joint_type_parse("swing_twist(x)", &joint.type, NULL);
        memset(joint.dof_names, 0, sizeof joint.dof_names);
        for (int i = 0; i < 3; i++) {
            joint.lower[i] = -2.9, joint.upper[i] = 2.9;
        }
        CHECK_INT(lb_builder_change_joint(b, elbow, &joint), LB_OK);
    }
    if (what == ADD) { /* a finger */
        int finger = arm_segment(b, "finger", 0.1), palm = lb_builder_find_site(b, 3, "palm");
        int begin = arm_site(b, finger, "begin", 0);
        arm_site(b, finger, "tip", 0.08);
        CHECK(arm_joint(b, "knuckle", palm, begin, "R(y)") >= 0);
    }
    return arm_finish(b);
}

static void one_after_the_other(void) {
    enum { CHANGES = 4 };
    static const change changes[CHANGES] = {FREEZE, THAW, RETYPE, ADD};
    static const double times[CHANGES] = {0.3, 0.71, 1.1, 1.503};
    lb_figure *figures[CHANGES + 1] = {robot("robot", 0, 0)};
    lb_problem *problems[CHANGES + 1] = {lb_problem_create(figures[0], NULL)};
    lb_track *track = path_track();
    lb_motion *motion = lb_motion_create(problems[0], ready, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, add_reach(problems[0], "palm"), track), LB_OK);
    double pose[MOST], frozen = 0;
    for (int i = 0; i < CHANGES; i++) {
        /* what is to be changed is known from playing so far */
        lb_player *player = lb_player_create(motion, NULL, NULL);
        CHECK_INT(lb_player_pose(player, times[i], pose, NULL), LB_OK);
        lb_player_destroy(player);
        if (i == 0) {
            frozen = pose[lb_figure_find_variable(figures[0], "elbow")];
        }
        figures[i + 1] = changed(figures[i], pose, changes[i]);
        problems[i + 1] = lb_problem_create(figures[i + 1], NULL);
        int id = add_reach(problems[i + 1], "palm");
        CHECK_INT(lb_motion_stage(motion, times[i], problems[i + 1]), i + 1);
        CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    }
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (int i = CHANGES - 1; i >= 0; i--) {
        CHECK_INT(unbroken(player, motion, times[i]), 4);
    }
    for (double t = 0; t <= 2; t += 0.05) {
        lb_result result;
        lb_result_defaults(&result);
        CHECK_INT(lb_player_pose(player, t, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        int stage = lb_player_stage(player, t);
        lb_kinematics *k = lb_kinematics_create(figures[stage], NULL);
        lb_kinematics_update(k, pose);
        if (stage == 1) {
            CHECK_NEAR(lb_kinematics_dof(k, 1, 0), frozen, 0);
        }
        lb_kinematics_destroy(k);
    }
    CHECK_INT(lb_figure_variable_count(figures[1]), 4);
    CHECK_INT(lb_figure_variable_count(figures[2]), 5);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    for (int i = 0; i <= CHANGES; i++) {
        lb_problem_destroy(problems[i]);
        lb_figure_destroy(figures[i]);
    }
}

/* --- Two robots clasp hands, and the first drags the second along --------------------------------- */

/* The hand of the second at the hand of the first. */
static void clasp(lb_problem *problem) {
    lb_constraint c;
    static const double zero[3];
    CHECK_INT(lb_constraint_at(lb_problem_figure(problem, 1), "palm", zero, &c), LB_OK);
    c.figure = 1;
    c.goal.carrier_figure = 0;
    c.goal.carrier_segment = 3;
    c.goal.point[0] = 0.1;
    c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = 1e-12; /* hands that meet, so that joining them moves nothing */
    CHECK(lb_problem_add(problem, &c) > 0);
}

static lb_figure *joined(const lb_figure *first, const lb_figure *second) {
    lb_builder *b = lb_builder_from(first, NULL);
    int sites = lb_builder_site_count(b);
    CHECK(lb_builder_attach(b, second, "second.") == 4);
    CHECK(arm_joint(b, "grip", lb_figure_find_site(first, "palm"), sites + lb_figure_find_site(second, "palm"),
                    "R(z)*R(y)*R(x)") >= 0);
    return arm_finish(b);
}

static void dragged(int is_free) {
    lb_figure *first = robot("first", 0, 0), *second = robot("second", is_free, 1.1);
    lb_problem *apart = lb_problem_create(first, NULL);
    CHECK_INT(lb_problem_add_figure(apart, second), 1);
    int id = add_reach(apart, "palm");
    clasp(apart);
    lb_problem_set_root_active(apart, 1, 0);
    double start[MOST] = {0};
    memcpy(start, ready, 5 * sizeof *start);
    int arm = lb_problem_first_variable(apart, 1) + (is_free ? 6 : 0);
    start[arm] = 3.0;
    start[arm + 1] = -0.6;
    start[arm + 2] = 1.2;
    lb_track *track = path_track();
    lb_motion *motion = lb_motion_create(apart, start, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    lb_figure *both = joined(first, second);
    CHECK_INT(lb_figure_loop_count(both), 0); /* the second's base is held by nothing but its arm now */
    lb_problem *together = lb_problem_create(both, NULL);
    id = add_reach(together, "hand.palm");
    CHECK_INT(lb_motion_stage(motion, 0.7, together), 1);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    CHECK_INT(unbroken(player, motion, 0.7), 8);
    lb_frame one, other, base_before, base_after;
    int palm = lb_figure_find_site(both, "hand.palm"), other_palm = lb_figure_find_site(both, "second.hand.palm");
    int base = lb_figure_find_site(both, "second.base.end");
    palm_at(player, 0.7, 0, base, &base_before);
    for (double t = 0.7; t <= 2; t += 0.13) {
        palm_at(player, t, 0, palm, &one);
        palm_at(player, t, 0, other_palm, &other);
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(one.position[c], other.position[c], 1e-11);
        }
    }
    palm_at(player, 2, 0, base, &base_after);
    double moved = 0;
    for (int c = 0; c < 3; c++) {
        moved += fabs(base_after.position[c] - base_before.position[c]);
    }
    CHECK(moved > 0.1); /* dragged along */
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_problem_destroy(together);
    lb_problem_destroy(apart);
    lb_figure_destroy(both);
    lb_figure_destroy(second);
    lb_figure_destroy(first);
}

/* --- A part broken off ---------------------------------------------------------------------------- */

static void broken(void) {
    lb_figure *whole = robot("robot", 0, 0), *near_part = NULL, *far_part = NULL;
    lb_problem *problem = lb_problem_create(whole, NULL);
    lb_track *track = path_track();
    lb_motion *motion = lb_motion_create(problem, ready, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, add_reach(problem, "palm"), track), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    double pose[MOST];
    CHECK_INT(lb_player_pose(player, 1.01, pose, NULL), LB_OK);
    lb_player_destroy(player);
    CHECK_INT(lb_figure_split(whole, pose, lb_figure_find_joint(whole, "elbow"), &near_part, &far_part, NULL), LB_OK);
    lb_problem *parts = lb_problem_create(near_part, NULL);
    CHECK_INT(lb_problem_add_figure(parts, far_part), 1);
    int id = add_reach(parts, "upper.end");
    CHECK_INT(lb_motion_stage(motion, 1.01, parts), 1);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    /* the stump has a goal of its own, a little later */
    lb_track *on = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    const double zero = 0, one = 1;
    lb_track_set(on, 1.01, &zero, LB_INTERPOLATION_STEP);
    lb_track_set(on, 1.2, &one, LB_INTERPOLATION_STEP);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_ENABLED, id, on), LB_OK);
    player = lb_player_create(motion, NULL, NULL);
    CHECK_INT(unbroken(player, motion, 1.01), 4);
    lb_frame before, after, stump, later;
    int hand = lb_figure_find_site(far_part, "palm"), end = lb_figure_find_site(near_part, "upper.end");
    palm_at(player, 1.01, 1, hand, &before);
    palm_at(player, 2, 1, hand, &after);
    palm_at(player, 1.1, 0, end, &stump);
    palm_at(player, 2, 0, end, &later);
    double moved = 0, left = 0;
    for (int c = 0; c < 3; c++) {
        moved += fabs(stump.position[c] - later.position[c]);
        left += fabs(after.position[c] - before.position[c]);
    }
    CHECK(moved > 0.05);       /* the arm goes on */
    CHECK_NEAR(left, 0, 1e-9); /* without what broke off */
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_track_destroy(on);
    lb_problem_destroy(parts);
    lb_problem_destroy(problem);
    lb_figure_destroy(near_part);
    lb_figure_destroy(far_part);
    lb_figure_destroy(whole);
}

/* --- A loop closed: both robots stand, hand in hand ----------------------------------------------- */

static void closed(void) {
    lb_figure *first = robot("first", 0, 0), *second = robot("second", 0, 1.1);
    lb_problem *apart = lb_problem_create(first, NULL);
    CHECK_INT(lb_problem_add_figure(apart, second), 1);
    int id = add_reach(apart, "palm");
    clasp(apart);
    double start[MOST] = {0};
    memcpy(start, ready, 5 * sizeof *start);
    start[5] = 3.0;
    start[6] = -0.6;
    start[7] = 1.2;
    lb_track *track = path_track();
    lb_motion *motion = lb_motion_create(apart, start, NULL);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    /* the second's base is bolted to the first's, where it stands */
    lb_builder *b = lb_builder_from(first, NULL);
    int sites = lb_builder_site_count(b);
    CHECK(lb_builder_attach(b, second, "second.") == 4);
    int bolt = arm_site(b, 0, "bolt", 1.1);
    CHECK(arm_joint(b, "bolt", bolt, sites + lb_figure_find_site(second, "base.end"), "fixed") >= 0);
    CHECK(arm_joint(b, "grip", lb_figure_find_site(first, "palm"), sites + lb_figure_find_site(second, "palm"),
                    "swing_twist(x)") >= 0);
    lb_figure *both = arm_finish(b);
    CHECK_INT(lb_figure_loop_count(both), 1);
    lb_problem *together = lb_problem_create(both, NULL);
    id = add_reach(together, "hand.palm");
    CHECK_INT(lb_motion_stage(motion, 0.7, together), 1);
    CHECK_INT(lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track), LB_OK);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    CHECK_INT(unbroken(player, motion, 0.7), 8);
    int palm = lb_figure_find_site(both, "hand.palm"), other_palm = lb_figure_find_site(both, "second.hand.palm");
    for (double t = 0.7; t <= 2; t += 0.13) {
        lb_frame one, other;
        palm_at(player, t, 0, palm, &one);
        palm_at(player, t, 0, other_palm, &other);
        for (int c = 0; c < 3; c++) {
            CHECK_NEAR(one.position[c], other.position[c], 2e-5);
        }
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
    lb_problem_destroy(together);
    lb_problem_destroy(apart);
    lb_figure_destroy(both);
    lb_figure_destroy(second);
    lb_figure_destroy(first);
}

/* --- Two of one name: each keeps its own pose ----------------------------------------------------- */

static void twins(void) {
    lb_figure *one = robot("robot", 1, 0);
    lb_problem *problem = lb_problem_create(one, NULL), *same = lb_problem_create(one, NULL);
    lb_problem_add_figure(problem, one);
    lb_problem_add_figure(same, one);
    double start[MOST], pose[MOST];
    for (int i = 0; i < 22; i++) {
        start[i] = 0.03 * i + (i > 10);
    }
    lb_motion *motion = lb_motion_create(problem, start, NULL);
    CHECK_INT(lb_motion_stage(motion, 0.1, same), 1);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    CHECK_INT(lb_player_pose(player, 0.2, pose, NULL), LB_OK);
    CHECK(memcmp(pose, start, 22 * sizeof *pose) == 0);
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_problem_destroy(same);
    lb_problem_destroy(problem);
    lb_figure_destroy(one);
}

int main(void) {
    tightened();
    one_after_the_other();
    dragged(1);
    dragged(0);
    broken();
    closed();
    twins();
    return check_done();
}
