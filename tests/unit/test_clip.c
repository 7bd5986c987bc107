/* Clips: poses at even times. */
#include <limber/motion.h>
#include <math.h>

#include "arm.h"
#include "check.h"

static void test_frames(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_clip *clip = lb_clip_create(figure, 3, 0.5, NULL);
    CHECK(clip != NULL);
    CHECK(lb_clip_figure(clip) == figure);
    CHECK_INT(lb_clip_frame_count(clip), 3);
    CHECK(lb_clip_frame_time(clip) == 0.5);
    CHECK(lb_clip_duration(clip) == 1);
    double rest[16];
    lb_figure_rest_pose(figure, rest);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        CHECK(lb_clip_pose(clip, 2)[i] == rest[i]);
    }
    lb_clip_pose(clip, 1)[0] = 0.25;
    CHECK(lb_clip_const_pose(clip, 1)[0] == 0.25);
    CHECK(lb_clip_const_pose(clip, 0)[0] == rest[0] && lb_clip_const_pose(clip, 2)[0] == rest[0]);
    CHECK(lb_clip_pose(clip, 3) == NULL && lb_clip_pose(clip, -1) == NULL);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void test_bad_numbers(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    CHECK(lb_clip_create(NULL, 3, 0.5, NULL) == NULL);
    CHECK(lb_clip_create(figure, 0, 0.5, NULL) == NULL);
    CHECK(lb_clip_create(figure, 3, 0, NULL) == NULL);
    CHECK(lb_clip_create(figure, 3, INFINITY, NULL) == NULL);
    CHECK(lb_clip_create(figure, 3, NAN, NULL) == NULL);
    lb_clip_destroy(NULL);
    lb_figure_destroy(figure);
}

int main(void) {
    test_frames();
    test_bad_numbers();
    return check_done();
}
