/* Clips between their frames: on the group, as smooth as asked for, rates as derivatives. */
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

enum { FRAMES = 60 };

/* A ball shoulder that turns far, an elbow, and a free root that tumbles. */
static lb_figure *figure_of(const char *shoulder) {
    lb_builder *b = arm_builder(shoulder, "R(z)");
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = 1;
    CHECK_INT(lb_builder_set_root(b, &root), LB_OK);
    return arm_finish(b);
}

static lb_clip *clip_of(const lb_figure *figure) {
    lb_clip *clip = lb_clip_create(figure, FRAMES, 0.04, NULL);
    REQUIRE(clip != NULL);
    int count = lb_figure_variable_count(figure);
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < count; i++) {
            lb_clip_pose(clip, f)[i] = (0.5 + 0.07 * i) * sin(0.03 * (i + 2) * f + i) * (i == 7 ? 0.5 : 1);
        }
    }
    return clip;
}

static void hand(lb_kinematics *k, const double *pose, lb_frame *frame) {
    CHECK_INT(lb_kinematics_update(k, pose), LB_OK);
    lb_kinematics_site(k, 4, frame);
}

static void meets_frames(const lb_clip *clip, int count) {
    double pose[16];
    for (int how = LB_INTERPOLATION_STEP; how <= LB_INTERPOLATION_CUBIC; how++) {
        for (int f = 0; f < FRAMES; f++) {
            CHECK_INT(lb_clip_sample(clip, f * 0.04, (lb_interpolation)how, pose, NULL, NULL), LB_OK);
            CHECK(memcmp(pose, lb_clip_const_pose(clip, f), (size_t)count * sizeof *pose) == 0);
        }
    }
    double rate[16];
    lb_clip_sample(clip, -3, LB_INTERPOLATION_CUBIC, pose, rate, NULL);
    CHECK(memcmp(pose, lb_clip_const_pose(clip, 0), (size_t)count * sizeof *pose) == 0);
    CHECK_NEAR(rate[2], 0, 0);
    lb_clip_sample(clip, 99, LB_INTERPOLATION_CUBIC, pose, rate, NULL);
    CHECK(memcmp(pose, lb_clip_const_pose(clip, FRAMES - 1), (size_t)count * sizeof *pose) == 0);
    lb_clip_sample(clip, 0.06, LB_INTERPOLATION_STEP, pose, rate, NULL);
    CHECK(memcmp(pose, lb_clip_const_pose(clip, 1), (size_t)count * sizeof *pose) == 0);
}

/* Rates and accelerations are those of the sampled pose. */
static void derivatives(const lb_clip *clip, int count) {
    const double h = 1e-6;
    double pose[16], rate[16], acceleration[16], left[16], right[16], ignore[16];
    for (int how = LB_INTERPOLATION_LINEAR; how <= LB_INTERPOLATION_CUBIC; how++) {
        for (double t = 0.013; t < 2.3; t += 0.0731) {
            check_note("interpolation %d at %g", how, t);
            lb_clip_sample(clip, t, (lb_interpolation)how, pose, rate, acceleration);
            lb_clip_sample(clip, t - h, (lb_interpolation)how, left, NULL, NULL);
            lb_clip_sample(clip, t + h, (lb_interpolation)how, right, NULL, NULL);
            for (int i = 0; i < count; i++) {
                CHECK_NEAR((right[i] - left[i]) / (2 * h), rate[i], 2e-6 * (1 + fabs(rate[i])));
            }
            lb_clip_sample(clip, t - h, (lb_interpolation)how, ignore, left, NULL);
            lb_clip_sample(clip, t + h, (lb_interpolation)how, ignore, right, NULL);
            for (int i = 0; i < count; i++) {
                CHECK_NEAR((right[i] - left[i]) / (2 * h), acceleration[i], 1e-3 * (1 + fabs(acceleration[i])));
            }
        }
    }
    check_note("%s", "");
}

/* At the frames: velocities agree from both sides, for cubic accelerations too - in the world, where the hand is. */
static void joins(const lb_figure *figure, const lb_clip *clip) {
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_effector effector;
    lb_effector_from_site(figure, 4, &effector);
    double pose[16], rate[16], acceleration[16], velocity[2][6], change[2][6];
    for (int how = LB_INTERPOLATION_CATMULL_ROM; how <= LB_INTERPOLATION_CUBIC; how++) {
        for (int f = 1; f < FRAMES - 1; f++) {
            for (int side = 0; side < 2; side++) {
                lb_clip_sample(clip, f * 0.04 - (side ? 1e-8 : 0), (lb_interpolation)how, pose, rate, acceleration);
                CHECK_INT(lb_effector_motion(k, &effector, pose, rate, acceleration, velocity[side], change[side]),
                          LB_OK);
            }
            for (int i = 0; i < 6; i++) {
                CHECK_NEAR(velocity[0][i], velocity[1][i], 1e-5);
                if (how == LB_INTERPOLATION_CUBIC) {
                    CHECK_NEAR(change[0][i], change[1][i], 2e-3);
                }
            }
        }
    }
    lb_kinematics_destroy(k);
}

/* The hand's way between frames does not depend on how the joint's dofs are written. */
static void same_for_all_types(void) {
    static const char *const types[] = {"R(z)*R(x)*R(y)", "R(z)*R(x)*R(z)", "swing_twist(x)", "rotation"};
    lb_figure *first = figure_of(types[0]), *figures[4];
    lb_clip *clip = clip_of(first), *clips[4];
    lb_kinematics *k = lb_kinematics_create(first, NULL);
    for (int i = 0; i < 4; i++) {
        figures[i] = figure_of(types[i]);
        clips[i] = lb_clip_create(figures[i], FRAMES, 0.04, NULL);
        double dofs[3] = {0.2, 0.3, 0.1}, q[4];
        for (int f = 0; f < FRAMES; f++) {
            double *pose = lb_clip_pose(clips[i], f);
            memcpy(pose, lb_clip_const_pose(clip, f), 10 * sizeof *pose);
            lb_joint_type_rotation(&lb_figure_joint(first, 0)->type, pose + 6, q);
            lb_joint_type_dofs(&lb_figure_joint(figures[i], 0)->type, q, dofs);
            memcpy(pose + 6, dofs, sizeof dofs);
        }
    }
    for (int how = LB_INTERPOLATION_LINEAR; how <= LB_INTERPOLATION_CUBIC; how++) {
        for (double t = 0.01; t < 2.3; t += 0.057) {
            double pose[16];
            lb_frame expected, frame;
            lb_clip_sample(clip, t, (lb_interpolation)how, pose, NULL, NULL);
            hand(k, pose, &expected);
            for (int i = 0; i < 4; i++) {
                lb_kinematics *other = lb_kinematics_create(figures[i], NULL);
                lb_clip_sample(clips[i], t, (lb_interpolation)how, pose, NULL, NULL);
                hand(other, pose, &frame);
                for (int c = 0; c < 3; c++) {
                    CHECK_NEAR(frame.position[c], expected.position[c], 1e-12);
                }
                lb_kinematics_destroy(other);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        lb_clip_destroy(clips[i]);
        lb_figure_destroy(figures[i]);
    }
    lb_kinematics_destroy(k);
    lb_clip_destroy(clip);
    lb_figure_destroy(first);
}

static void resampled(const lb_clip *clip, int count) {
    for (int how = LB_INTERPOLATION_STEP; how <= LB_INTERPOLATION_CUBIC; how++) {
        lb_clip *other = lb_clip_resample(clip, 1.0 / 60, (lb_interpolation)how, NULL);
        REQUIRE(other != NULL);
        CHECK_INT(lb_clip_frame_count(other), 142);
        for (int f = 0; f < lb_clip_frame_count(other); f++) {
            double pose[16];
            lb_clip_sample(clip, f / 60.0, (lb_interpolation)how, pose, NULL, NULL);
            for (int i = 0; i < count; i++) {
                CHECK_NEAR(lb_clip_pose(other, f)[i], pose[i], 1e-12);
            }
        }
        lb_clip_destroy(other);
    }
    lb_clip *same = lb_clip_resample(clip, 0.04, LB_INTERPOLATION_CUBIC, NULL);
    CHECK_INT(lb_clip_frame_count(same), FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        CHECK(memcmp(lb_clip_pose(same, f), lb_clip_const_pose(clip, f), (size_t)count * sizeof(double)) == 0);
    }
    lb_clip_destroy(same);
    CHECK(lb_clip_resample(clip, 0, LB_INTERPOLATION_CUBIC, NULL) == NULL);
    CHECK(lb_clip_resample(clip, NAN, LB_INTERPOLATION_CUBIC, NULL) == NULL);
    CHECK(lb_clip_resample(clip, 1e-12, LB_INTERPOLATION_CUBIC, NULL) == NULL);
}

/* One frame has no way to go: at any time and rate it is that frame. (Slopes would be read beside the memory.) */
static void single(const lb_figure *figure, const lb_clip *clip, int count) {
    lb_clip *one = lb_clip_create(figure, 1, 0.04, NULL);
    REQUIRE(one != NULL);
    memcpy(lb_clip_pose(one, 0), lb_clip_const_pose(clip, 3), (size_t)count * sizeof(double));
    for (int how = LB_INTERPOLATION_STEP; how <= LB_INTERPOLATION_CUBIC; how++) {
        double pose[16];
        lb_clip *other = lb_clip_resample(one, 0.01, (lb_interpolation)how, NULL);
        REQUIRE(other != NULL);
        CHECK_INT(lb_clip_frame_count(other), 1);
        CHECK(memcmp(lb_clip_pose(other, 0), lb_clip_const_pose(clip, 3), (size_t)count * sizeof(double)) == 0);
        CHECK_INT(lb_clip_sample(one, 0.5, (lb_interpolation)how, pose, NULL, NULL), LB_OK);
        CHECK(memcmp(pose, lb_clip_const_pose(clip, 3), (size_t)count * sizeof(double)) == 0);
        lb_clip_destroy(other);
    }
    lb_clip_destroy(one);
}

int main(void) {
    static const char *const types[] = {"R(z)*R(x)*R(y)", "swing_twist(x)", "rotation"};
    for (int i = 0; i < 3; i++) {
        lb_figure *figure = figure_of(types[i]);
        lb_clip *clip = clip_of(figure);
        int count = lb_figure_variable_count(figure);
        check_note("%s", types[i]);
        meets_frames(clip, count);
        derivatives(clip, count);
        joins(figure, clip);
        resampled(clip, count);
        single(figure, clip, count);
        lb_clip_destroy(clip);
        lb_figure_destroy(figure);
    }
    same_for_all_types();
    return check_done();
}
