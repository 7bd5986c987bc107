/* Clips that are solved as a whole: long ones go through several windows without a seam, a part of a clip comes out as in
 * the whole, and what contacts change comes and goes smoothly. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 330

static const char *const joints[] = {"pelvis",      "left_hand", "right_hand", "left_forearm", "left_shank",
                                     "right_shank", "left_foot", "right_foot", "head"};
#define JOINTS (int)(sizeof joints / sizeof joints[0])

typedef struct paths {
    double at[FRAMES][JOINTS][3];
} paths;

static paths whole, part, single;

static void find_paths(const lb_clip *clip, paths *p) {
    const lb_figure *figure = lb_clip_figure(clip);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(kinematics != NULL);
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        REQUIRE(lb_kinematics_update(kinematics, lb_clip_const_pose(clip, f)) == LB_OK);
        for (int j = 0; j < JOINTS; j++) {
            lb_frame frame;
            lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, joints[j]), &frame);
            memcpy(p->at[f][j], frame.position, sizeof frame.position);
        }
    }
    lb_kinematics_destroy(kinematics);
}

static double apart(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* The largest second difference of a joint's place, over all joints and frames. */
static double largest_acceleration(const paths *p, int frames) {
    double most = 0;
    for (int f = 1; f + 1 < frames; f++) {
        for (int j = 0; j < JOINTS; j++) {
            double middle[3];
            for (int i = 0; i < 3; i++) {
                middle[i] = 0.5 * (p->at[f - 1][j][i] + p->at[f + 1][j][i]);
            }
            most = fmax(most, 2 * apart(middle, p->at[f][j]));
        }
    }
    return most;
}

static lb_clip *carry(const lb_clip *source, const lb_figure *target, const lb_retarget_options *options,
                      lb_retarget_report *report) {
    lb_body_map map;
    lb_error error;
    lb_retarget_report_defaults(report);
    REQUIRE(lb_body_map_human(lb_clip_figure(source), target, &map) == LB_OK);
    lb_clip *out = lb_retarget(source, target, &map, options, report, &error);
    check_note("%s", out ? "" : error.message);
    REQUIRE(out != NULL);
    return out;
}

/* Frames of a part, at its ends too, are those of the whole to 2 mm. */
static void check_part(const lb_clip *source, const lb_figure *human) {
    lb_retarget_options options;
    lb_retarget_report report;
    double most = 0;
    lb_retarget_options_defaults(&options);
    options.first_frame = 100, options.frame_count = 77;
    lb_clip *out = carry(source, human, &options, &report);
    REQUIRE(lb_clip_frame_count(out) == 77);
    find_paths(out, &part);
    for (int f = 0; f < 77; f++) {
        for (int j = 0; j < JOINTS; j++) {
            most = fmax(most, apart(part.at[f][j], whole.at[100 + f][j]));
        }
    }
    printf("a part differs from the whole by at most %.3g mm\n", 1000 * most);
    CHECK(most < 2e-3);
    CHECK(report.worst_frame >= 0 && report.worst_frame < 77);
    lb_clip_destroy(out);
}

static int stop(void *context, int frame) {
    (void)context;
    return frame == 5;
}

static void check_refusals(const lb_clip *source, const lb_figure *human) {
    static const int ranges[][2] = {{-1, 0}, {FRAMES, 0}, {0, FRAMES + 1}, {FRAMES - 1, 2}, {3, -1}};
    lb_body_map map;
    lb_retarget_options options;
    lb_error error;
    REQUIRE(lb_body_map_human(lb_clip_figure(source), human, &map) == LB_OK);
    lb_retarget_options_defaults(&options);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        options.first_frame = ranges[i][0], options.frame_count = ranges[i][1];
        CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
        CHECK_HAS(error.message, "no such frames");
    }
    lb_retarget_options_defaults(&options);
    options.on_frame = stop;
    CHECK(lb_retarget(source, human, &map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, "stopped");
}

/* Feet that slip while they stand, quickly now and then, so that contacts begin and end: frame after frame they jerk at
 * the ends of contacts, as a whole they do not. */
static void slip(lb_clip *clip) {
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        const double turn = 6.283185307179586 * f / 40;
        lb_clip_pose(clip, f)[0] += 0.1 * sin(turn);
    }
}

/* A giant and a dwarf, as files in a wrong unit have them, move as a person does: joints turn as much, places are in proportion. */
static void check_sizes(const lb_clip *source) {
    static const double units[] = {0.01, 1, 0.0002};
    lb_figure *figures[3];
    lb_clip *clips[3];
    lb_retarget_report report;
    for (int k = 0; k < 3; k++) {
        const person_style style = {.rest = PERSON_A, .unit = 0.01, .frames = 1};
        char *text = person_bvh(&style);
        lb_load_options options;
        lb_load_options_defaults(&options);
        options.format = LB_FORMAT_BVH;
        options.unit = units[k];
        REQUIRE(lb_figure_load_memory(text, strlen(text), "person.bvh", &options, &figures[k], NULL) == LB_OK);
        free(text);
        clips[k] = carry(source, figures[k], NULL, &report);
    }
    for (int k = 1; k < 3; k++) {
        double most = 0;
        for (int f = 0; f < FRAMES; f++) {
            for (int v = 0; v < lb_figure_variable_count(figures[0]); v++) {
                double size = lb_figure_variable(figures[0], v)->is_angle ? 1 : units[k] / units[0];
                most = fmax(most, fabs(lb_clip_const_pose(clips[k], f)[v] / size - lb_clip_const_pose(clips[0], f)[v]));
            }
        }
        check_note("a unit of %g m: %g rad or m", units[k], most);
        printf("a unit of %g m: %g rad or m off\n", units[k], most);
        CHECK(most < 1e-6);
        check_note("%s", "");
    }
    for (int k = 0; k < 3; k++) {
        lb_clip_destroy(clips[k]);
        lb_figure_destroy(figures[k]);
    }
}

int main(void) {
    const person_style style = {.rest = PERSON_T, .unit = 0.01, .frames = FRAMES};
    char path[1024];
    lb_figure *human = NULL, *figure;
    lb_clip *source;
    lb_retarget_options options;
    lb_retarget_report report;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    person_load(&style, 1, &figure, &source);
    slip(source);
    lb_retarget_options_defaults(&options);
    CHECK_INT(options.smooth, 1);
    lb_clip *out = carry(source, human, NULL, &report);
    REQUIRE(lb_clip_frame_count(out) == FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        CHECK(lb_figure_violation(human, lb_clip_const_pose(out, f)) < 1e-9);
    }
    CHECK(report.contact_count > 4);
    CHECK(report.slide < 1e-3);
    CHECK(report.jump < 1.2);
    find_paths(out, &whole);
    lb_clip_destroy(out);
    options.smooth = 0;
    out = carry(source, human, &options, &report);
    find_paths(out, &single);
    lb_clip_destroy(out);
    printf("largest acceleration: %.2f mm a frame squared, frame after frame %.2f; slide %.3g mm\n",
           1000 * largest_acceleration(&whole, FRAMES), 1000 * largest_acceleration(&single, FRAMES),
           1000 * report.slide);
    CHECK(largest_acceleration(&whole, FRAMES) < 0.8 * largest_acceleration(&single, FRAMES));
    check_part(source, human);
    check_sizes(source);
    check_refusals(source, human);
    lb_clip_destroy(source);
    lb_figure_destroy(figure);
    lb_figure_destroy(human);
    return check_done();
}
