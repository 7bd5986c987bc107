/*
 * Out of memory while a motion is carried over: the N-th allocation fails, for N = 0, 1, 2, ... until none is left to fail. As a
 * whole and frame after frame, with a pose to begin with, and so that hips have to be held (motion/retarget/retarget_hips.c).
 */
#include <limber/io.h>
#include <string.h>

#include "check.h"
#include "failing.h"

#define FRAMES 40

static lb_clip *make_source(const lb_figure *figure) {
    lb_clip *clip = lb_clip_create(figure, FRAMES + 1, 1.0 / 30, NULL);
    int knee = -1;
    REQUIRE(clip != NULL);
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        knee = strcmp(lb_figure_variable(figure, v)->name, "left_knee") == 0 ? v : knee;
    }
    REQUIRE(knee >= 0);
    for (int f = 0; f <= FRAMES; f++) { /* creeping on feet that stand, then a step */
        double *pose = lb_clip_pose(clip, f);
        pose[0] += f < 30 ? 0.2 * f / 30 : 0.2 + 0.6 * (f - 30) / 30;
        pose[knee] += f ? 0 : 1.2;
    }
    return clip;
}

static void check_run(const lb_clip *source, int smooth, int *count) {
    char path[1024];
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    for (int n = 0, is_done = 0; !is_done; n++) {
        failing memory;
        lb_figure *target = NULL;
        lb_load_options load;
        lb_body_map map;
        lb_retarget_options options;
        lb_retarget_report report;
        lb_error error;
        failing_init(&memory, -1, smooth);
        lb_load_options_defaults(&load);
        load.allocator = &memory.allocator;
        load.stature = 1.5;
        REQUIRE(!lb_figure_load(path, &load, &target, NULL));
        REQUIRE(!lb_body_map_human(lb_clip_figure(source), target, &map));
        lb_retarget_options_defaults(&options);
        lb_retarget_report_defaults(&report);
        options.smooth = smooth;
        memory.fail_at = memory.count + n;
        lb_clip *out = lb_retarget(source, target, &map, &options, &report, &error);
        check_note("allocation %d, %s", n, smooth ? "as a whole" : "by frames");
        is_done = memory.failed == 0;
        CHECK_INT(out != NULL, is_done);
        CHECK_INT(out ? LB_OK : error.status, is_done ? LB_OK : LB_ERROR_MEMORY);
        if (is_done) {
            CHECK_INT(report.first_frame, 1);
            CHECK(report.hips_step <= 1.5); /* 1.9 and 2.2 where nothing holds them */
        }
        lb_clip_destroy(out);
        lb_figure_destroy(target);
        CHECK_INT(memory.blocks, 0);
        CHECK_INT(memory.mistakes, 0);
        *count = n;
    }
    check_note("%s", "");
}

int main(void) {
    char path[1024];
    lb_figure *figure = NULL;
    int counts[2] = {0, 0};
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(!lb_figure_load(path, NULL, &figure, NULL));
    lb_clip *source = make_source(figure);
    for (int smooth = 0; smooth < 2; smooth++) {
        check_run(source, smooth, &counts[smooth]);
        CHECK(counts[smooth] > 20);
    }
    printf("%d allocations by frames, %d as a whole\n", counts[0], counts[1]);
    lb_clip_destroy(source);
    lb_figure_destroy(figure);
    return check_done();
}
