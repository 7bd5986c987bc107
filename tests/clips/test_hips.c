/* A stance that cannot be reached gives way: hips step at most 1.5 times as far in a frame as the source's, however feet stand. People
 * whose feet creep while they stand - so slowly that they count as standing, and for so long that the place between where they begin
 * and end is out of reach - with legs of unequal length, carried over to a person and to a robot. */
#include "check.h"
#include "made_robot.h"
#include <limber/io.h>
#include <math.h>
#include <string.h>

#define SECONDS 6

static const char *const legs[2][4] = {
    {"left_hip.flexion", "left_knee", "left_ankle.flexion", "left_hip.abduction"},
    {"right_hip.flexion", "right_knee", "right_ankle.flexion", "right_hip.abduction"}};

static int variable(const lb_figure *figure, const char *name) {
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        if (strcmp(lb_figure_variable(figure, v)->name, name) == 0) {
            return v;
        }
    }
    return -1;
}

/* A person whose joints in the legs hold still or sway, and who creeps and goes by turns. */
static lb_clip *creep(check_random *random, const lb_figure *figure, double frame_time) {
    const int frames = (int)(SECONDS / frame_time);
    lb_clip *clip = lb_clip_create(figure, frames, frame_time, NULL);
    double at[2] = {0, 0}, speed = 0, heading = 0, sway[2][4], left = 0;
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(clip && kinematics);
    for (int i = 0; i < 8; i++) {
        sway[i / 4][i % 4] = check_random_range(random, 0, i % 4 == 3 ? 0.5 : 0.02);
    }
    for (int f = 0; f < frames; f++) {
        double *pose = lb_clip_pose(clip, f);
        lb_figure_rest_pose(figure, pose);
        if (left <= 0) {
            speed = check_random_index(random, 4) ? check_random_range(random, 0.15, 0.24)
                                                  : check_random_range(random, 0.4, 0.8);
            heading = check_random_range(random, -3, 3);
            left = check_random_range(random, 0.5, 3);
        }
        left -= frame_time;
        at[0] += speed * cos(heading) * frame_time;
        at[1] += speed * sin(heading) * frame_time;
        pose[0] += at[0];
        pose[1] += at[1];
        for (int i = 0; i < 8; i++) {
            const int v = variable(figure, legs[i / 4][i % 4]);
            pose[v >= 0 ? v : 0] += v >= 0 ? sway[i / 4][i % 4] : 0;
        }
        REQUIRE(lb_kinematics_project(kinematics, pose) == LB_OK);
    }
    lb_kinematics_destroy(kinematics);
    return clip;
}

static void check_hips(const lb_clip *source, const lb_figure *target, int smooth, const char *what, double *worst) {
    lb_body_map map;
    lb_retarget_options options;
    lb_retarget_report report;
    lb_error error;
    lb_retarget_options_defaults(&options);
    lb_retarget_report_defaults(&report);
    options.smooth = smooth;
    REQUIRE(lb_body_map_human(lb_clip_figure(source), target, &map) == LB_OK);
    lb_clip *out = lb_retarget(source, target, &map, &options, &report, &error);
    check_note("%s", out ? "" : error.message);
    REQUIRE(out != NULL);
    for (int f = 0; f < lb_clip_frame_count(out); f++) {
        CHECK(lb_figure_violation(target, lb_clip_const_pose(out, f)) < 1e-9);
    }
    check_note("%s: hips step %.3f times the source's at frame %d", what, report.hips_step, report.hips_frame);
    CHECK(report.hips_step <= 1.5);
    *worst = report.hips_step > *worst ? report.hips_step : *worst;
    lb_clip_destroy(out);
}

int main(void) {
    static const double times[] = {1.0 / 30, 1.0 / 60, 1.0 / 120};
    lb_figure *human = NULL, *small = NULL;
    lb_load_options load;
    char path[1024], what[64];
    double worst[3] = {0};
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    lb_load_options_defaults(&load);
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    load.stature = 1.5;
    REQUIRE(lb_figure_load(path, &load, &small, NULL) == LB_OK);
    for (int i = 0; i < check_count(6, 60); i++) {
        check_random random;
        made_robot robot;
        check_random_seed(&random, (unsigned long long)i);
        lb_clip *clip = creep(&random, human, times[i % 3]);
        made_robot_make((unsigned long long)i, &robot);
        for (int smooth = 0; smooth < 2; smooth++) {
            snprintf(what, sizeof what, "case %d, %s", i, smooth ? "as a whole" : "by frames");
            check_hips(clip, small, smooth, what, &worst[smooth]);
        }
        snprintf(what, sizeof what, "case %d, a robot", i);
        check_hips(clip, robot.figure, 1, what, &worst[2]);
        check_note("%s", "");
        lb_figure_destroy(robot.figure);
        lb_clip_destroy(clip);
    }
    printf("hips step at most %.2f times the source's by frames, %.2f as a whole, %.2f of robots\n", worst[0], worst[1],
           worst[2]);
    lb_figure_destroy(small);
    lb_figure_destroy(human);
    return check_done();
}
