/* One figure's motion for another: the human for itself, and for a smaller one. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>

#define FRAMES 24

static lb_figure *load(const char *relative, double stature) {
    char path[1024];
    lb_figure *figure = NULL;
    lb_load_options options;
    lb_error error;
    lb_load_options_defaults(&options);
    options.stature = stature;
    REQUIRE(check_source(relative, path, sizeof path));
    if (lb_figure_load(path, &options, &figure, &error)) {
        check_note("%s", error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

static int variable(const lb_figure *figure, const char *name) {
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        if (strcmp(lb_figure_variable(figure, v)->name, name) == 0) {
            return v;
        }
    }
    check_note("no variable %s", name);
    REQUIRE(0);
    return -1;
}

/* Knees bend, elbows bend, the head turns; the root goes down by what the legs lose, so that feet stay
 * where they are. */
static lb_clip *make_motion(const lb_figure *figure) {
    lb_clip *clip = lb_clip_create(figure, FRAMES, 1.0 / 24, NULL);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    int foot = lb_figure_find_segment(figure, "left_foot");
    double level = 0;
    REQUIRE(clip && kinematics && foot >= 0);
    for (int f = 0; f < FRAMES; f++) {
        double *pose = lb_clip_pose(clip, f), bend = 0.1 * (1 - cos(6.28318530717959 * f / FRAMES));
        lb_frame frame;
        pose[variable(figure, "right_knee")] += 2 * bend;
        pose[variable(figure, "left_knee")] += 2 * bend;
        pose[variable(figure, "right_hip.flexion")] += bend;
        pose[variable(figure, "left_hip.flexion")] += bend;
        pose[variable(figure, "right_ankle.flexion")] += bend;
        pose[variable(figure, "left_ankle.flexion")] += bend;
        pose[variable(figure, "right_elbow")] += 3 * bend;
        pose[variable(figure, "left_elbow")] += 2 * bend;
        pose[variable(figure, "head.twist")] += bend;
        CHECK(lb_figure_violation(figure, pose) == 0);
        REQUIRE(lb_kinematics_update(kinematics, pose) == LB_OK);
        lb_kinematics_segment(kinematics, foot, &frame);
        level = f ? level : frame.position[2];
        pose[variable(figure, "root.z")] += level - frame.position[2];
    }
    lb_kinematics_destroy(kinematics);
    return clip;
}

/* Where a segment is, in all frames. */
static void path_of(const lb_clip *clip, const char *name, double path[FRAMES][3]) {
    const lb_figure *figure = lb_clip_figure(clip);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    int segment = lb_figure_find_segment(figure, name);
    REQUIRE(kinematics && segment >= 0);
    for (int f = 0; f < FRAMES; f++) {
        lb_frame frame;
        REQUIRE(lb_kinematics_update(kinematics, lb_clip_const_pose(clip, f)) == LB_OK);
        lb_kinematics_segment(kinematics, segment, &frame);
        memcpy(path[f], frame.position, sizeof path[f]);
    }
    lb_kinematics_destroy(kinematics);
}

static const char *const parts[] = {"pelvis",     "head",      "right_hand", "left_hand", "right_shank",
                                    "left_shank", "left_foot", "right_foot", "left_toes", "right_forearm"};

static void check_frames(const lb_clip *source, const lb_clip *out, const lb_figure *target) {
    REQUIRE(out != NULL);
    CHECK(lb_clip_figure(out) == target);
    CHECK_INT(lb_clip_frame_count(out), lb_clip_frame_count(source));
    CHECK(lb_clip_frame_time(out) == lb_clip_frame_time(source));
    for (int f = 0; f < lb_clip_frame_count(out); f++) {
        check_note("frame %d", f);
        CHECK(lb_figure_violation(target, lb_clip_const_pose(out, f)) < 1e-9);
    }
    check_note("%s", "");
}

static double farthest(const lb_clip *a, const lb_clip *b, const char *part, double ratio) {
    double at[2][FRAMES][3], most = 0;
    path_of(a, part, at[0]);
    path_of(b, part, at[1]);
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(ratio * at[0][f][i] - at[1][f][i]));
        }
    }
    return most;
}

static void test_itself(void) {
    lb_figure *human = load("models/human.fig", 0);
    lb_clip *source = make_motion(human);
    lb_body_map map;
    lb_retarget_options options;
    lb_retarget_report report;
    lb_retarget_options_defaults(&options);
    lb_retarget_report_defaults(&report);
    REQUIRE(lb_body_map_human(human, human, &map) == LB_OK);
    CHECK_INT(map.source[LB_BODY_PART_PELVIS], lb_figure_find_segment(human, "pelvis"));
    CHECK_INT(map.target[LB_BODY_PART_SHANK], lb_figure_find_segment(human, "left_shank"));
    CHECK_INT(map.target[LB_BODY_PART_HAND + 1], lb_figure_find_segment(human, "right_hand"));
    lb_clip *out = lb_retarget(source, human, &map, &options, &report, NULL);
    check_frames(source, out, human);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        check_note("%s", parts[i]);
        CHECK_NEAR(farthest(source, out, parts[i], 1), 0, 0.001);
    }
    check_note("%s", "");
    CHECK_INT(report.contact_count, 4);
    CHECK(report.slide < 1e-3);
    CHECK(report.feet_off < 1e-3);
    lb_clip_destroy(out);
    lb_clip_destroy(source);
    lb_figure_destroy(human);
}

/* Someone of the same build and another stature does the same, smaller. */
static void test_smaller(void) {
    lb_figure *human = load("models/human.fig", 0), *small = load("models/human.fig", 1.4);
    lb_clip *source = make_motion(human);
    lb_body_map map;
    REQUIRE(lb_body_map_human(human, small, &map) == LB_OK);
    lb_clip *out = lb_retarget(source, small, &map, NULL, NULL, NULL);
    check_frames(source, out, small);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        check_note("%s", parts[i]);
        CHECK_NEAR(farthest(source, out, parts[i], 1.4 / 1.75), 0, 0.015);
    }
    check_note("%s", "");
    lb_clip_destroy(out);
    lb_clip_destroy(source);
    lb_figure_destroy(small);
    lb_figure_destroy(human);
}

/* Metres that the left toes move from one frame to the next at most. */
static double most_slide(const lb_clip *clip) {
    double at[FRAMES][3], most = 0;
    path_of(clip, "left_toes", at);
    for (int f = 1; f < FRAMES; f++) {
        most = fmax(most, hypot(hypot(at[f][0] - at[f - 1][0], at[f][1] - at[f - 1][1]), at[f][2] - at[f - 1][2]));
    }
    return most;
}

/* A source whose feet slide by 3 mm a frame: held unless they need not be. */
static void test_sliding(void) {
    lb_figure *human = load("models/human.fig", 0);
    lb_clip *source = make_motion(human);
    lb_body_map map;
    lb_retarget_options options;
    lb_retarget_report report;
    lb_retarget_options_defaults(&options);
    lb_retarget_report_defaults(&report);
    REQUIRE(lb_body_map_human(human, human, &map) == LB_OK);
    for (int f = 0; f < FRAMES; f++) {
        lb_clip_pose(source, f)[variable(human, "root.x")] += 0.003 * f;
    }
    CHECK(most_slide(source) > 0.0029);
    lb_clip *out = lb_retarget(source, human, &map, &options, &report, NULL);
    check_frames(source, out, human);
    CHECK_INT(report.contact_count, 4);
    CHECK(report.slide < 1e-3);
    CHECK(most_slide(out) < 1e-3);
    lb_clip_destroy(out);
    options.hold_feet = 0;
    out = lb_retarget(source, human, &map, &options, &report, NULL);
    check_frames(source, out, human);
    CHECK_INT(report.contact_count, 0);
    CHECK(most_slide(out) > 0.002);
    lb_clip_destroy(out);
    lb_clip_destroy(source);
    lb_figure_destroy(human);
}

static int stop_at(void *context, int frame) { return frame == *(int *)context; }

static void test_errors(void) {
    lb_figure *human = load("models/human.fig", 0), *robot = load("models/panda.fig", 0);
    lb_clip *source = make_motion(human);
    lb_body_map map;
    lb_error error;
    lb_retarget_options options;
    int last = 5;
    lb_retarget_options_defaults(&options);
    CHECK_INT(lb_body_map_human(NULL, human, &map), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_body_map_human(human, human, NULL), LB_ERROR_ARGUMENT);
    REQUIRE(lb_body_map_human(human, robot, &map) == LB_OK);
    CHECK_INT(map.target[LB_BODY_PART_PELVIS], -1);
    CHECK(lb_retarget(source, robot, &map, &options, NULL, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_FIGURE);
    CHECK_HAS(error.message, "the target has no pelvis");
    REQUIRE(lb_body_map_human(human, human, &map) == LB_OK);
    CHECK(lb_retarget(NULL, human, &map, &options, NULL, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    CHECK(lb_retarget(source, NULL, &map, NULL, NULL, &error) == NULL);
    CHECK(lb_retarget(source, human, NULL, NULL, NULL, &error) == NULL);
    lb_contact_options contacts;
    lb_contact_options_defaults(&contacts);
    contacts.speed = -1;
    options.contacts = &contacts;
    CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "contacts");
    lb_retarget_options_defaults(&options);
    options.on_frame = stop_at, options.on_frame_context = &last;
    CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, "stopped");
    options.on_frame = NULL;
    lb_clip_pose(source, 3)[2] = NAN;
    CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, "not finite");
    map.target[LB_BODY_PART_HEAD] = lb_figure_segment_count(human);
    CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, "no such segment");
    lb_clip_destroy(source);
    lb_figure_destroy(robot);
    lb_figure_destroy(human);
}

/* Fingers and vertebrae come out as they went in. */
static void test_small_bones(const char *model, const char *bone, const char *const *variables, double range,
                             double tolerance, int is_smooth) {
    lb_figure *human = load(model, 0);
    lb_clip *source = make_motion(human);
    lb_body_map map;
    lb_retarget_options options;
    lb_error error;
    lb_retarget_options_defaults(&options);
    options.smooth = is_smooth;
    REQUIRE(lb_body_map_human(human, human, &map) == LB_OK);
    CHECK_INT(map.target[LB_BODY_PART_INDEX + 1], lb_figure_find_segment(human, bone));
    for (int i = 0; variables[i]; i++) {
        const int v = lb_figure_find_variable(human, variables[i]);
        check_note("%s of %s", variables[i], model);
        REQUIRE(v >= 0);
        for (int f = 0; f < FRAMES; f++) {
            lb_clip_pose(source, f)[v] = (0.1 + 0.9 * f / FRAMES) * range;
        }
    }
    lb_clip *out = lb_retarget(source, human, &map, &options, NULL, &error);
    check_frames(source, out, human);
    for (int i = 0; variables[i]; i++) {
        const int v = lb_figure_find_variable(human, variables[i]);
        check_note("%s of %s", variables[i], model);
        for (int f = 0; f < FRAMES; f++) {
            CHECK_NEAR(lb_clip_const_pose(out, f)[v], lb_clip_const_pose(source, f)[v], tolerance);
        }
    }
    check_note("%s", "");
    lb_clip_destroy(out);
    lb_clip_destroy(source);
    lb_figure_destroy(human);
}

static void test_fingers_and_spine(void) {
    static const char *const grips[] = {"right_hand.grip", "right_hand.index", "left_hand.grip", "left_hand.thumb",
                                        NULL};
    static const char *const vertebra[] = {"L3.flexion", NULL}; /* alone of all of the spine */
    for (int is_smooth = 0; is_smooth < 2; is_smooth++) {
        test_small_bones("models/human.fig", "right_index", grips, 0.75, 1e-6, is_smooth);
    }
    test_small_bones("models/human-spine-free.fig", "right_index", vertebra, 0.05, 2e-3, 1);
}

int main(void) {
    test_itself();
    test_fingers_and_spine();
    test_smaller();
    test_sliding();
    test_errors();
    return check_done();
}
