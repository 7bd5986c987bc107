/* What the report of a retargeting says of slides, of steps of the hips and of where the motion begins, against places by forward
 * kinematics; and that a pose to begin with is left out by the library. */
#include "check.h"
#include "made_robot.h"
#include "person.h"
#include <math.h>
#include <string.h>

#define FRAMES 90

static lb_figure *human, *walker;
static lb_clip *walk;

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

/* The walk with `lead` in front of it. */
static lb_clip *begin_with(const double *lead) {
    const size_t size = (size_t)lb_figure_variable_count(walker) * sizeof *lead;
    lb_clip *clip = lb_clip_create(walker, FRAMES + 1, PERSON_FRAME_TIME, NULL);
    REQUIRE(clip != NULL);
    memcpy(lb_clip_pose(clip, 0), lead, size);
    for (int f = 0; f < FRAMES; f++) {
        memcpy(lb_clip_pose(clip, f + 1), lb_clip_const_pose(walk, f), size);
    }
    return clip;
}

static int are_same(const lb_clip *a, const lb_clip *b) {
    const size_t size = (size_t)lb_figure_variable_count(lb_clip_figure(a)) * sizeof(double);
    int same = lb_clip_frame_count(a) == lb_clip_frame_count(b);
    for (int f = 0; same && f < lb_clip_frame_count(a); f++) {
        same = memcmp(lb_clip_const_pose(a, f), lb_clip_const_pose(b, f), size) == 0;
    }
    return same;
}

static int first_told, told;

static int on_frame(void *context, int frame) {
    (void)context;
    first_told = told++ ? first_told : frame;
    return 0;
}

/* With a T-pose in front of it a motion comes out to the bit as without; kept, it is a frame more. */
static void check_begin(const lb_figure *target) {
    lb_retarget_options options;
    lb_retarget_report report, plain_report;
    lb_clip *posed, *plain = carry(walk, target, NULL, &plain_report), *out;
    double pose[256];
    REQUIRE(lb_figure_variable_count(walker) <= 256);
    lb_figure_rest_pose(walker, pose);
    for (int i = 6; i < lb_figure_variable_count(walker); i++) {
        pose[i] += i % 3 == 0;
    }
    posed = begin_with(pose);
    CHECK_INT(lb_clip_first_frame(posed), 1);
    CHECK_INT(lb_clip_first_frame(walk), 0);
    CHECK(lb_clip_first_frame(NULL) < 0);
    lb_retarget_options_defaults(&options);
    CHECK_INT(options.keep_first_frame, 0);
    options.on_frame = on_frame;
    told = 0;
    out = carry(posed, target, &options, &report);
    CHECK(are_same(out, plain));
    CHECK(told >= FRAMES);
    CHECK_INT(first_told, 1); /* frames are told as the source counts them */
    CHECK_INT(report.first_frame, 1);
    CHECK_INT(plain_report.first_frame, 0);
    CHECK_INT(report.hips_frame, plain_report.hips_frame);
    CHECK(report.hips_step == plain_report.hips_step && report.slide_speed == plain_report.slide_speed);
    lb_clip_destroy(out);
    /* a range is of the source's frames; the pose is left out of it where anything else is in it */
    lb_retarget_options_defaults(&options);
    options.first_frame = 0, options.frame_count = FRAMES + 1;
    out = carry(posed, target, &options, &report);
    CHECK(are_same(out, plain));
    lb_clip_destroy(out);
    options.first_frame = 1, options.frame_count = FRAMES;
    out = carry(posed, target, &options, &report);
    CHECK(are_same(out, plain));
    lb_clip_destroy(out);
    options.first_frame = 0, options.frame_count = 1;
    out = carry(posed, target, &options, &report);
    CHECK_INT(lb_clip_frame_count(out), 1);
    CHECK_INT(report.first_frame, 0);
    lb_clip_destroy(out);
    options.frame_count = 0, options.keep_first_frame = 1;
    out = carry(posed, target, &options, &report);
    CHECK_INT(lb_clip_frame_count(out), FRAMES + 1);
    CHECK_INT(report.first_frame, 0);
    lb_clip_destroy(out);
    lb_clip_destroy(posed);
    lb_clip_destroy(plain);
}

static void place_of(const lb_kinematics *k, const lb_figure *figure, const char *segment, double place[3]) {
    const int s = lb_figure_find_segment(figure, segment);
    lb_frame frame;
    REQUIRE(s >= 0);
    const lb_joint *joint = lb_figure_joint(figure, lb_figure_parent_joint(figure, s));
    REQUIRE(lb_kinematics_site(k, lb_figure_site(figure, joint->site_b)->segment == s ? joint->site_b : joint->site_a,
                               &frame) == LB_OK);
    memcpy(place, frame.position, sizeof frame.position);
}

/* The largest step of the middle between two joints. */
static double largest_step(const lb_clip *clip, const char *left, const char *right, int *at) {
    const lb_figure *figure = lb_clip_figure(clip);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    double before[3] = {0}, most = 0;
    REQUIRE(k != NULL);
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        double places[2][3], square = 0;
        REQUIRE(lb_kinematics_update(k, lb_clip_const_pose(clip, f)) == LB_OK);
        place_of(k, figure, left, places[0]);
        place_of(k, figure, right, places[1]);
        for (int i = 0; i < 3; i++) {
            const double middle = 0.5 * (places[0][i] + places[1][i]);
            square += (middle - before[i]) * (middle - before[i]);
            before[i] = middle;
        }
        if (f && sqrt(square) > most) {
            most = sqrt(square);
            *at = f;
        }
    }
    lb_kinematics_destroy(k);
    return most;
}

/* Whoever is carried over at half the rate steps twice as far a frame, and slides as fast. */
static void check_measures(double size) {
    lb_retarget_report report;
    lb_load_options load;
    lb_figure *target;
    char path[1024];
    int at[2] = {-1, -1};
    lb_load_options_defaults(&load);
    load.stature = 1.75 * size;
    REQUIRE(check_source("models/human.fig", path, sizeof path) && !lb_figure_load(path, &load, &target, NULL));
    lb_retarget_options options;
    lb_retarget_options_defaults(&options);
    options.weight_feet = 0.01; /* feet that give way slide */
    lb_clip *out = carry(walk, target, &options, &report);
    const double steps[2] = {largest_step(walk, person_mixamo[PERSON_THIGH], person_mixamo[PERSON_THIGH + 1], &at[0]),
                             largest_step(out, "left_thigh", "right_thigh", &at[1])};
    check_note("size %g", size);
    CHECK_NEAR(report.size, size, 0.1 * size);
    CHECK_INT(report.hips_frame, at[1]);
    CHECK(report.slide > 1e-6 && report.slide_frame > 0 && report.slide_part >= LB_BODY_PART_FOOT);
    CHECK_NEAR(report.slide_speed * PERSON_FRAME_TIME, report.slide, 1e-15);
    /* lengths by the legs: those of the made person are 0.9 times a person's, more or less; a still one counts as 0.1 m/s */
    const double least = 0.1 * report.size * PERSON_FRAME_TIME;
    CHECK(report.hips_step <= steps[1] / least * (1 + 1e-12));
    CHECK(report.hips_step * steps[0] < 2 * steps[1] / size && report.hips_step > 0);
    check_note("%s", "");
    lb_clip_destroy(out);
    lb_figure_destroy(target);
}

int main(void) {
    const person_style style = {.rest = PERSON_A, .unit = 0.01, .frames = FRAMES};
    char path[1024];
    made_robot robot;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    person_load(&style, 1, &walker, &walk);
    check_begin(human);
    made_robot_make(1, &robot);
    check_begin(robot.figure);
    check_measures(1);
    check_measures(0.7);
    lb_figure_destroy(robot.figure);
    lb_clip_destroy(walk);
    lb_figure_destroy(walker);
    lb_figure_destroy(human);
    return check_done();
}
