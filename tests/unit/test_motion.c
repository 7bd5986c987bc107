/* Motions, tracks and clips at their ends: what is refused, with which reason, and what is there before and after. */
#include <limber/motion.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static lb_figure *box(const char *name, int is_free) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = is_free;
    REQUIRE(b && arm_segment(b, name, 1) == 0 && arm_site(b, 0, "handle", 0.05) == 0);
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK && lb_builder_set_name(b, name) == LB_OK);
    return arm_finish(b);
}

static lb_track *numbers(int width, double time, double value) {
    lb_track *track = lb_track_create(LB_TRACK_VALUES, width, NULL, NULL);
    const double values[3] = {value, value, value};
    REQUIRE(track && lb_track_set(track, 0, values, LB_INTERPOLATION_LINEAR) == LB_OK);
    REQUIRE(lb_track_set(track, time, values, LB_INTERPOLATION_LINEAR) == LB_OK);
    return track;
}

/* An arm whose elbow is frozen, a box that can be carried and one that stands; the arm's hand has a goal. */
typedef struct scene {
    lb_figure *arm, *loose, *fixed;
    lb_problem *problem;
    lb_motion *motion;
    lb_track *one, *two, *frames, *empty;
    int goal;
} scene;

static scene make_scene(void) {
    scene s;
    lb_builder *b = arm_builder("R(z)", "R(z)");
    const double start[16] = {0}, identity[7] = {0, 0, 0, 0, 0, 0, 1};
    lb_constraint reach;
    REQUIRE(lb_builder_freeze_joint(b, 1, NULL) == LB_OK);
    s.arm = arm_finish(b), s.loose = box("loose", 1), s.fixed = box("fixed", 0);
    s.problem = lb_problem_create(s.arm, NULL);
    REQUIRE(s.problem && lb_problem_add_figure(s.problem, s.loose) == 1);
    REQUIRE(lb_problem_add_figure(s.problem, s.fixed) == 2);
    REQUIRE(lb_constraint_at(s.arm, "hand", (double[]){0.4, 0.1, 0}, &reach) == LB_OK);
    s.goal = lb_problem_add(s.problem, &reach);
    s.motion = lb_motion_create(s.problem, start, NULL);
    s.one = numbers(1, 1, 0.1), s.two = numbers(2, 1, 0.1);
    s.frames = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL),
    s.empty = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    REQUIRE(s.goal > 0 && s.motion && s.frames && s.empty);
    REQUIRE(lb_track_set(s.frames, 0, identity, LB_INTERPOLATION_LINEAR) == LB_OK);
    return s;
}

static void end_scene(scene *s) {
    lb_track *const tracks[] = {s->one, s->two, s->frames, s->empty};
    lb_figure *const figures[] = {s->arm, s->loose, s->fixed};
    lb_motion_destroy(s->motion);
    lb_problem_destroy(s->problem);
    for (int i = 0; i < 4; i++) {
        lb_track_destroy(tracks[i]);
    }
    for (int i = 0; i < 3; i++) {
        lb_figure_destroy(figures[i]);
    }
}

static void refused(const lb_motion *m, int actual, lb_status expected, const char *reason) {
    CHECK_INT(actual, expected);
    CHECK_HAS(lb_motion_error(m)->message, reason);
    CHECK_INT(lb_motion_error(m)->status, expected);
}

static void test_drives_refused(void) {
    scene s = make_scene();
    lb_motion *m = s.motion;
    const int no_joints[] = {-1, 2, INT_MIN, INT_MAX};
    for (int i = 0; i < 4; i++) {
        refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_JOINT, no_joints[i], s.frames), LB_ERROR_ARGUMENT,
                "no such joint");
    }
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_JOINT, 1, s.frames), LB_ERROR_UNSUPPORTED, "'elbow' is frozen");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_JOINT, 0, s.one), LB_ERROR_ARGUMENT, "track of rotations");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, -1, s.frames), LB_ERROR_ARGUMENT, "no such figure");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, 3, s.frames), LB_ERROR_ARGUMENT, "no such figure");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, 2, s.frames), LB_ERROR_ARGUMENT, "root is not free");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_ROOT, 1, s.one), LB_ERROR_ARGUMENT, "track of frames");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, -1, s.one), LB_ERROR_ARGUMENT, "no such variable");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 7, s.one), LB_ERROR_ARGUMENT, "no such variable");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, s.frames), LB_ERROR_ARGUMENT, "track of numbers");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, s.two), LB_ERROR_ARGUMENT, "width 1");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_LIMITS, 0, s.one), LB_ERROR_ARGUMENT, "width 2");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, s.empty), LB_ERROR_ARGUMENT, "no keys");
    refused(m, lb_motion_drive(m, LB_DRIVE_TARGET_WEIGHT, 99, s.one), LB_ERROR_ARGUMENT, "no such constraint");
    refused(m, lb_motion_drive(m, (lb_drive_target)99, 0, s.one), LB_ERROR_ARGUMENT, "nothing of this kind");
    CHECK_NEAR(lb_motion_end(m), 0, 0); /* none of them was taken */
    CHECK_INT(lb_motion_drive(m, LB_DRIVE_TARGET_VARIABLE, 0, s.one), LB_OK);
    CHECK_NEAR(lb_motion_end(m), 1, 0);
    end_scene(&s);
}

static void test_clips_refused(void) {
    scene s = make_scene();
    lb_motion *m = s.motion;
    lb_clip *clip = lb_clip_create(s.arm, 5, 0.5, NULL);
    REQUIRE(clip != NULL);
    refused(m, lb_motion_drive_clip(m, 1, clip, 0, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT, "another figure");
    refused(m, lb_motion_drive_clip(m, 0, clip, NAN, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT, "finite time");
    refused(m, lb_motion_drive_clip(m, 0, clip, 1e9, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT, "finite time");
    refused(m, lb_motion_drive_clip(m, 0, clip, 0, (lb_interpolation)-1), LB_ERROR_ARGUMENT, "known way");
    refused(m, lb_motion_drive_clip(m, 0, clip, 0, (lb_interpolation)(LB_INTERPOLATION_CUBIC + 1)), LB_ERROR_ARGUMENT,
            "known way");
    CHECK_INT(lb_motion_drive_clip(m, 0, clip, 3, LB_INTERPOLATION_LINEAR), LB_OK);
    CHECK_NEAR(lb_motion_end(m), 5, 0);
    lb_clip_destroy(clip);
    end_scene(&s);
}

static void test_carries_and_follows_refused(void) {
    scene s = make_scene();
    lb_motion *m = s.motion;
    const int pairs[][2] = {{1, 1}, {2, 0}, {3, 0}, {1, 3}, {-1, 0}};
    for (int i = 0; i < 5; i++) {
        refused(m, lb_motion_carry(m, pairs[i][0], pairs[i][1], 0, 0, 1), LB_ERROR_ARGUMENT, "can be carried");
    }
    refused(m, lb_motion_carry(m, 1, 0, 3, 0, 1), LB_ERROR_ARGUMENT, "no such segment");
    refused(m, lb_motion_carry(m, 1, 0, 2, -1, 1), LB_ERROR_ARGUMENT, "put down after");
    refused(m, lb_motion_carry(m, 1, 0, 2, 1e9, 2e9), LB_ERROR_ARGUMENT, "put down after");
    refused(m, lb_motion_carry(m, 1, 0, 2, 1, 1), LB_ERROR_ARGUMENT, "put down after");
    CHECK_INT(lb_motion_carry(m, 1, 0, 2, 1, 2), LB_OK);
    CHECK_INT(lb_motion_carry(m, 1, 0, 2, 0, 1), LB_OK); /* up to when the other begins */
    CHECK_INT(lb_motion_carry(m, 1, 0, 2, 3, INFINITY), LB_OK);
    CHECK_NEAR(lb_motion_end(m), 3, 0); /* what is never put down has no end */
    refused(m, lb_motion_carry(m, 1, 0, 2, 1.5, 2.5), LB_ERROR_ARGUMENT, "carried already");
    refused(m, lb_motion_carry(m, 1, 0, 2, 4, 5), LB_ERROR_ARGUMENT, "carried already");
    refused(m, lb_motion_follow(m, 99, 1, 0, s.one), LB_ERROR_ARGUMENT, "no such constraint");
    refused(m, lb_motion_follow(m, s.goal, 3, 0, s.one), LB_ERROR_ARGUMENT, "no such site");
    refused(m, lb_motion_follow(m, s.goal, 1, 1, s.one), LB_ERROR_ARGUMENT, "no such site");
    refused(m, lb_motion_follow(m, s.goal, 1, 0, s.two), LB_ERROR_ARGUMENT, "width 1");
    end_scene(&s);
}

static void test_stages_and_players_refused(void) {
    scene s = make_scene();
    lb_motion *m = s.motion;
    refused(m, lb_motion_stage(m, 1, NULL), LB_ERROR_ARGUMENT, "no problem");
    refused(m, lb_motion_stage(m, 0, s.problem), LB_ERROR_ARGUMENT, "after that of the one before");
    refused(m, lb_motion_stage(m, -1, s.problem), LB_ERROR_ARGUMENT, "after that of the one before");
    refused(m, lb_motion_stage(m, NAN, s.problem), LB_ERROR_ARGUMENT, "after that of the one before");
    refused(m, lb_motion_stage(m, 1e9, s.problem), LB_ERROR_ARGUMENT, "after that of the one before");
    refused(m, lb_motion_set_method(m, (lb_method)-1), LB_ERROR_ARGUMENT, "no such method");
    refused(m, lb_motion_set_method(m, (lb_method)(LB_METHOD_HIERARCHY + 1)), LB_ERROR_ARGUMENT, "no such method");
    CHECK_INT(lb_motion_set_method(NULL, LB_METHOD_LM), LB_ERROR_ARGUMENT);
    CHECK(lb_motion_problem(m, -1) == NULL && lb_motion_problem(m, 1) == NULL && lb_motion_problem(m, 0) == s.problem);
    CHECK_INT(lb_motion_joint_index(m, -1, 0), -1);
    CHECK_INT(lb_motion_joint_index(m, 3, 0), -1);
    CHECK_INT(lb_motion_joint_index(m, 0, 2), -1);
    CHECK_INT(lb_motion_joint_index(m, 0, 1), 1);
    lb_player_options options;
    lb_player_options_defaults(&options);
    const double steps[] = {0, -1, NAN, 1e7};
    for (int i = 0; i < 4; i++) {
        options.step = steps[i];
        CHECK(lb_player_create(m, &options, NULL) == NULL);
    }
    lb_player *p = lb_player_create(m, NULL, NULL);
    double pose[16];
    lb_frame frame;
    REQUIRE(p != NULL);
    CHECK_INT(lb_player_pose(p, 1e9, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_player_error(p)->message, "no such time");
    CHECK_INT(lb_player_pose(p, NAN, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_rates(p, NAN, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_stage(p, NAN), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_stage(p, -5), 0);
    CHECK_INT(lb_player_site(p, NAN, 0, 4, &frame, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_site(p, 0, 0, 5, &frame, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_player_site(p, 0, 3, 0, &frame, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_player_error(p)->message, "no such site");
    CHECK_INT(lb_player_pose(p, 9e7, pose, NULL), LB_ERROR_TOO_LARGE);
    CHECK_HAS(lb_player_error(p)->message, "so late");
    CHECK_INT(lb_player_rates(p, 9e7, pose, NULL), LB_ERROR_TOO_LARGE);
    CHECK_INT(lb_player_site(p, 9e7, 0, 4, &frame, NULL, NULL), LB_ERROR_TOO_LARGE);
    CHECK(lb_player_clip(p, -1, 0, 0.1) == NULL && lb_player_clip(p, 1, 0, 0.1) == NULL);
    CHECK(lb_player_clip(p, 0, 3, 0.1) == NULL && lb_player_clip(p, 0, 0, 0) == NULL);
    CHECK(lb_player_clip(p, 0, 0, INFINITY) == NULL);
    lb_clip *clip = lb_player_clip(p, 0, 0, 0.1);
    REQUIRE(clip != NULL);
    CHECK_INT(lb_clip_frame_count(clip), 1);
    lb_clip_destroy(clip);
    lb_player_destroy(p);
    end_scene(&s);
}

/* A motion whose last key is later than any time that is played: no clip of it can be made. */
static void test_end_beyond_time(void) {
    scene s = make_scene();
    lb_track *late = numbers(1, 1e300, 0);
    REQUIRE(lb_motion_drive(s.motion, LB_DRIVE_TARGET_VARIABLE, 0, late) == LB_OK);
    lb_player *p = lb_player_create(s.motion, NULL, NULL);
    REQUIRE(p != NULL);
    CHECK(lb_player_clip(p, 0, 0, 0.1) == NULL);
    CHECK(lb_player_clip(p, 0, 0, 0.75e300) == NULL);
    lb_player_destroy(p);
    lb_track_destroy(late);
    end_scene(&s);
}

static void test_tracks(void) {
    lb_interpolation how = LB_INTERPOLATION_CUBIC;
    double time = 9, value = 9;
    CHECK(lb_track_create(LB_TRACK_VALUES, 0, NULL, NULL) == NULL);
    CHECK(lb_track_create(LB_TRACK_VALUES, 1 << 30, NULL, NULL) == NULL);
    CHECK(lb_track_create((lb_track_kind)99, 1, NULL, NULL) == NULL);
    lb_track *t = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    REQUIRE(t != NULL);
    CHECK_INT(lb_track_sample(t, 0, &value, NULL, NULL), LB_ERROR_ARGUMENT); /* no keys */
    CHECK_INT(lb_track_set(t, NAN, &value, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(t, 0, &value, (lb_interpolation)-1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(t, 0, &value, (lb_interpolation)(LB_INTERPOLATION_CUBIC + 1)), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(t, 0, (double[]){NAN}, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set_ends(t, (lb_track_ends)-1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set_ends(t, (lb_track_ends)(LB_TRACK_ENDS_PERIODIC + 1)), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_key_count(t), 0);
    CHECK_INT(lb_track_set(t, 1, (double[]){5}, LB_INTERPOLATION_STEP), LB_OK);
    CHECK_INT(lb_track_set(t, 3, (double[]){7}, LB_INTERPOLATION_LINEAR), LB_OK);
    for (int key = -1; key <= 2; key += 3) {
        CHECK_INT(lb_track_key(t, key, &time, &value, &how), LB_ERROR_ARGUMENT);
        CHECK_INT(lb_track_remove(t, key), LB_ERROR_ARGUMENT);
    }
    CHECK_INT(lb_track_key(t, 1, NULL, NULL, NULL), LB_OK);
    CHECK_INT(lb_track_key(t, 0, &time, &value, &how), LB_OK);
    CHECK(time == 1 && value == 5 && how == LB_INTERPOLATION_STEP);
    CHECK_INT(lb_track_sample(t, NAN, &value, NULL, NULL), LB_ERROR_ARGUMENT);
    const double times[] = {-1e9, 1, 2.9, 3, 1e9}, values[] = {5, 5, 5, 7, 7};
    for (int i = 0; i < 5; i++) {
        double rate = 9;
        CHECK_INT(lb_track_sample(t, times[i], &value, &rate, NULL), LB_OK);
        CHECK_NEAR(value, values[i], 0);
        CHECK_NEAR(rate, 0, 0);
    }
    /* Repeated without end: 1 and 3 are one time, and times far away are inside the period all the same. */
    CHECK_INT(lb_track_set(t, 1, (double[]){5}, LB_INTERPOLATION_LINEAR), LB_OK);
    CHECK_INT(lb_track_set_ends(t, LB_TRACK_ENDS_PERIODIC), LB_OK);
    const double again[] = {-1e18, -1, 2, 3, 4.5, 1e300};
    for (int i = 0; i < 6; i++) {
        CHECK_INT(lb_track_sample(t, again[i], &value, NULL, NULL), LB_OK);
        CHECK(value >= 5 && value <= 7);
    }
    lb_track_destroy(t);
}

static void test_clips(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_clip *clip = lb_clip_create(figure, 3, 0.5, NULL), *still = lb_clip_create(figure, 1, 0.5, NULL);
    double pose[2], rate[2], acceleration[2];
    REQUIRE(clip && still);
    for (int f = 0; f < 3; f++) {
        lb_clip_pose(clip, f)[0] = f;
    }
    CHECK_INT(lb_clip_sample(clip, NAN, LB_INTERPOLATION_LINEAR, pose, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_sample(clip, 0, (lb_interpolation)-1, pose, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_sample(clip, 0, (lb_interpolation)(LB_INTERPOLATION_CUBIC + 1), pose, NULL, NULL),
              LB_ERROR_ARGUMENT);
    const double times[] = {-1, 0.25, 1, 7}, linear[] = {0, 0.5, 2, 2}, step[] = {0, 0, 2, 2};
    for (int i = 0; i < 4; i++) {
        check_note("at %g s", times[i]);
        CHECK_INT(lb_clip_sample(clip, times[i], LB_INTERPOLATION_LINEAR, pose, rate, acceleration), LB_OK);
        CHECK_NEAR(pose[0], linear[i], 1e-15);
        CHECK_NEAR(acceleration[0], 0, 1e-12);
        CHECK_INT(lb_clip_sample(clip, times[i], LB_INTERPOLATION_STEP, pose, rate, NULL), LB_OK);
        CHECK_NEAR(pose[0], step[i], 0);
        CHECK_NEAR(rate[0], 0, 0);
        CHECK_INT(lb_clip_sample(still, times[i], LB_INTERPOLATION_CUBIC, pose, NULL, acceleration), LB_OK);
        CHECK_NEAR(pose[0], 0, 0);
        CHECK_NEAR(acceleration[0], 0, 0);
    }
    check_note("%s", "");
    CHECK(lb_clip_resample(clip, 0, LB_INTERPOLATION_LINEAR, NULL) == NULL &&
          lb_clip_resample(clip, INFINITY, LB_INTERPOLATION_LINEAR, NULL) == NULL);
    CHECK(lb_clip_resample(clip, 0.1, (lb_interpolation)-1, NULL) == NULL);
    CHECK(lb_clip_resample(clip, 0.1, (lb_interpolation)(LB_INTERPOLATION_CUBIC + 1), NULL) == NULL);
    CHECK(lb_clip_resample(clip, 1e-9, LB_INTERPOLATION_LINEAR, NULL) == NULL); /* more frames than a clip has */
    lb_clip_destroy(still);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void test_site_rates(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_effector hand;
    double velocity[6], acceleration[6];
    const double pose[2] = {0, 0}, rate[2] = {2, 0}, none[2] = {0, 0}, bad[2] = {NAN, 0};
    REQUIRE(k && lb_effector_from_site(figure, 4, &hand) == LB_OK);
    CHECK_INT(lb_effector_motion(k, &hand, pose, rate, none, velocity, acceleration), LB_OK);
    CHECK_NEAR(velocity[1], 1, 1e-12); /* 0.5 m out, 2 rad/s */
    CHECK_NEAR(velocity[5], 2, 1e-12);
    CHECK_NEAR(acceleration[0], -2, 1e-6);
    CHECK_INT(lb_effector_motion(k, &hand, pose, rate, NULL, velocity, NULL), LB_OK);
    CHECK_INT(lb_effector_motion(k, &hand, pose, rate, NULL, velocity, acceleration), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_effector_motion(k, &hand, bad, rate, none, velocity, acceleration), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_effector_motion(k, &hand, bad, rate, none, velocity, NULL), LB_ERROR_ARGUMENT);
    hand.segment = 9;
    CHECK_INT(lb_effector_motion(k, &hand, pose, rate, none, velocity, acceleration), LB_ERROR_ARGUMENT);
    lb_kinematics_destroy(k);
    lb_figure_destroy(figure);
}

int main(void) {
    test_drives_refused();
    test_clips_refused();
    test_carries_and_follows_refused();
    test_stages_and_players_refused();
    test_end_beyond_time();
    test_tracks();
    test_clips();
    test_site_rates();
    return check_done();
}
