/* Contacts: when a point of a motion stands, and a motion in which it does. */
#include <limber/motion.h>
#include <math.h>

#include "arm.h"
#include "check.h"

#define FRAMES 90
#define HAND 4

/* The arm's hand is put to x, z. */
static void reach(lb_clip *clip, int frame, double x, double z) {
    double bend = acos((x * x + z * z - 0.3 * 0.3 - 0.2 * 0.2) / (2 * 0.3 * 0.2));
    double *pose = lb_clip_pose(clip, frame);
    pose[0] = atan2(-z, x) - atan2(0.2 * sin(bend), 0.3 + 0.2 * cos(bend));
    pose[1] = bend;
}

/* Three seconds: the hand stands but slides by 2 mm a frame, is lifted by 15 cm and put down further on, where it slides
 * by 1 mm a frame. */
static lb_clip *make_step(const lb_figure *figure) {
    lb_clip *clip = lb_clip_create(figure, FRAMES, 1.0 / 30, NULL);
    REQUIRE(clip != NULL);
    for (int f = 0; f < FRAMES; f++) {
        double t = f < 30 ? 0 : f < 60 ? (f - 29) / 30.0 : 1, s = sin(3.14159265358979 * t);
        double slide = f < 30 ? 0.002 * f : f < 60 ? 0.058 : 0.058 + 0.001 * (f - 59);
        reach(clip, f, 0.1 + slide + 0.13 * t * t * (3 - 2 * t), -0.3 + 0.15 * s * s);
    }
    return clip;
}

static void hand_at(lb_kinematics *kinematics, const lb_effector *hand, const double *pose, double point[9]) {
    REQUIRE(lb_kinematics_update(kinematics, pose) == LB_OK);
    REQUIRE(lb_kinematics_effector(kinematics, hand, point) == LB_OK);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Metres that the hand moves from one frame to the next at most while it stands. */
static double most_slide(const lb_clip *clip, const lb_effector *hand, int count, const lb_contact *contacts) {
    lb_kinematics *kinematics = lb_kinematics_create(lb_clip_figure(clip), NULL);
    double most = 0, before[9], now[9];
    for (int k = 0; k < count; k++) {
        hand_at(kinematics, hand, lb_clip_const_pose(clip, contacts[k].first), before);
        for (int f = contacts[k].first + 1; f <= contacts[k].last; f++) {
            hand_at(kinematics, hand, lb_clip_const_pose(clip, f), now);
            most = fmax(most, distance(before, now));
            for (int i = 0; i < 3; i++) {
                before[i] = now[i];
            }
        }
    }
    lb_kinematics_destroy(kinematics);
    return most;
}

static lb_contact_options metres(void) {
    lb_contact_options options;
    lb_contact_options_defaults(&options);
    options.scale = 1;
    return options;
}

static void test_found(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure);
    lb_contact_options options = metres();
    lb_contact contacts[4];
    lb_effector hand;
    REQUIRE(lb_effector_from_site(figure, HAND, &hand) == LB_OK);
    REQUIRE(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts) == 2);
    CHECK(contacts[0].point == 0 && contacts[1].point == 0);
    CHECK_INT(contacts[0].first, 0);
    CHECK(contacts[0].last >= 29 && contacts[0].last <= 35);
    CHECK(contacts[1].first >= 53 && contacts[1].first <= 60);
    CHECK_INT(contacts[1].last, FRAMES - 1);
    CHECK_NEAR(contacts[0].place_w[0], 0.13, 0.01);
    CHECK_NEAR(contacts[0].place_w[2], -0.3, 0.01);
    CHECK_NEAR(contacts[1].place_w[0], 0.1 + 0.058 + 0.13 + 0.015, 0.01);

    /* Only as many as there is room for, but all are counted. */
    contacts[1].point = 77;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 1, contacts), 2);
    CHECK_INT(contacts[1].point, 77);
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 0, NULL), 2);

    /* What slides faster than is allowed does not stand; nor does what stands for too short a time. */
    options.speed = 0.045 / options.release;
    REQUIRE(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts) >= 1);
    CHECK(contacts[0].first >= 53);
    options.speed = 0.01;
    options.least = 0.3;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts), 0);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

/* A jerk of one frame parts a contact, unless contacts are to last longer than it does. */
static void test_tremble(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure), *as_was = make_step(figure);
    lb_contact_options options = metres();
    lb_contact contacts[4];
    lb_effector hand;
    REQUIRE(lb_effector_from_site(figure, HAND, &hand) == LB_OK);
    reach(clip, 12, 0.124, -0.2);
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts), 3);
    options.least = 0.2;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts), 2);
    CHECK(contacts[0].first == 0 && contacts[0].last >= 29);
    options.least = 0.9; /* longer than the step, but that leads elsewhere */
    CHECK_INT(lb_clip_contacts(as_was, 1, &hand, &options, 4, contacts), 2);
    lb_clip_destroy(as_was);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

/* Two points of one segment, both said to stand all the time: their places are as far apart as they are. */
static void test_one_segment(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure);
    lb_contact_options options = metres();
    lb_contact contacts[2];
    lb_effector ends[2];
    REQUIRE(lb_effector_from_site(figure, HAND, &ends[0]) == LB_OK);
    REQUIRE(lb_effector_from_site(figure, HAND - 1, &ends[1]) == LB_OK);
    options.height = 1, options.speed = 100;
    REQUIRE(lb_clip_contacts(clip, 2, ends, &options, 2, contacts) == 2);
    CHECK(contacts[0].point == 0 && contacts[1].point == 1);
    CHECK_NEAR(distance(contacts[0].place_w, contacts[1].place_w), 0.2, 1e-9);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void test_held(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure), *as_was = make_step(figure);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_contact_options options = metres();
    lb_contact contacts[4];
    lb_effector hand;
    REQUIRE(kinematics && lb_effector_from_site(figure, HAND, &hand) == LB_OK);
    REQUIRE(lb_clip_contacts(clip, 1, &hand, &options, 4, contacts) == 2);
    CHECK(most_slide(clip, &hand, 2, contacts) > 0.0019);
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_OK);
    CHECK(most_slide(clip, &hand, 2, contacts) < 1e-4);
    for (int k = 0; k < 2; k++) {
        double at[9];
        hand_at(kinematics, &hand, lb_clip_const_pose(clip, contacts[k].first), at);
        CHECK_NEAR(distance(at, contacts[k].place_w), 0, 1e-3);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(lb_clip_const_pose(clip, 45)[i] == lb_clip_const_pose(as_was, 45)[i]);
    }
    for (int f = 1; f < FRAMES; f++) { /* faded in and out: nothing jumps */
        double at[4][9];
        check_note("frame %d", f);
        for (int i = 0; i < 4; i++) {
            hand_at(kinematics, &hand, lb_clip_const_pose(i < 2 ? as_was : clip, f - 1 + i % 2), at[i]);
        }
        CHECK(distance(at[2], at[3]) < distance(at[0], at[1]) + 0.011);
    }
    check_note("%s", "");
    lb_kinematics_destroy(kinematics);
    lb_clip_destroy(as_was);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void test_bad_arguments(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure);
    lb_contact_options options = metres();
    lb_contact contacts[2] = {{.first = 0, .last = 20}, {.first = 60, .last = 80}};
    lb_effector hand;
    REQUIRE(lb_effector_from_site(figure, HAND, &hand) == LB_OK);
    CHECK_INT(lb_clip_contacts(NULL, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_contacts(clip, 0, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_contacts(clip, 1, NULL, &options, 2, contacts), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, -1, contacts), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 2, NULL), LB_ERROR_ARGUMENT);
    options.height = -1;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    options = metres();
    options.release = 0.5;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    options = metres();
    options.ease = NAN;
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    options = metres();
    CHECK_INT(lb_clip_hold_contacts(NULL, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, NULL), LB_ERROR_ARGUMENT);
    contacts[1].first = 20; /* overlaps */
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    contacts[1].first = 60, contacts[1].last = FRAMES;
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    contacts[1].last = 80, contacts[1].point = 1;
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    contacts[1].point = 0, contacts[1].place_w[2] = NAN;
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, &options, 2, contacts), LB_ERROR_ARGUMENT);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

/* Contacts that no clip has, options out of range, a clip of one frame, and a pose that is not finite. */
static void test_corners(void) {
    lb_figure *figure = arm_finish(arm_builder("R(y)", "R(y)"));
    lb_clip *clip = make_step(figure), *single = lb_clip_create(figure, 1, 10, NULL);
    const lb_contact bad[] = {
        {.point = -1, .last = 5}, {.first = -1, .last = 5}, {.first = 6, .last = 5}, {.last = FRAMES}};
    lb_contact_options options[5];
    lb_contact contacts[4];
    lb_effector hand;
    REQUIRE(single && lb_effector_from_site(figure, HAND, &hand) == LB_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, NULL, 1, &bad[i]), LB_ERROR_ARGUMENT);
    }
    for (int i = 0; i < 5; i++) {
        options[i] = metres();
    }
    options[0].scale = NAN, options[1].scale = 1e7, options[2].height = 1e4, options[3].speed = NAN;
    options[4].least = 1e9;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(lb_clip_contacts(clip, 1, &hand, &options[i], 4, contacts), LB_ERROR_ARGUMENT);
    }
    CHECK_INT(lb_clip_contacts(single, 1, &hand, NULL, 4, contacts), 1); /* what does not move stands */
    CHECK(contacts[0].first == 0 && contacts[0].last == 0);
    CHECK_INT(lb_clip_hold_contacts(single, 1, &hand, NULL, 1, contacts), LB_OK);
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, NULL, 0, NULL), LB_OK);
    CHECK_INT(lb_clip_hold_contacts(clip, 0, &hand, NULL, 0, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_hold_contacts(clip, 1, NULL, NULL, 0, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_clip_hold_contacts(clip, 1, &hand, NULL, -1, contacts), LB_ERROR_ARGUMENT);
    lb_clip_pose(clip, 7)[1] = NAN;
    CHECK_INT(lb_clip_contacts(clip, 1, &hand, NULL, 4, contacts), LB_ERROR_ARGUMENT);
    lb_clip_destroy(single);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

int main(void) {
    test_found();
    test_tremble();
    test_one_segment();
    test_held();
    test_bad_arguments();
    test_corners();
    return check_done();
}
