/* Arms at random, of the kinds that rounding is hard on. */
#include "random_arm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* 0, tiny, or of the arm's size. */
static double draw_length(check_random *source, double size) {
    switch (check_random_index(source, 4)) {
    case 0:
        return 0;
    case 1:
        return size * pow(10, check_random_range(source, -12, -3)) * (check_random_index(source, 2) ? 1 : -1);
    default:
        return size * check_random_range(source, -1, 1);
    }
}

/* Parallel, at right angles, or between; often off by a little. */
static double draw_twist(check_random *source, int is_flat) {
    const int which = is_flat ? check_random_index(source, 2) : check_random_index(source, 6);
    const double about = which == 0 ? 0 : which == 1 ? PI : which < 4 ? (which == 2 ? PI / 2 : -PI / 2) : 4;
    const double tilt = check_random_index(source, 3) ? 0 : pow(10, check_random_range(source, -12, -3));
    return (about > 3.5 ? check_random_range(source, -PI, PI) : about) + tilt;
}

static void draw_range(check_random *source, lb_dh_row *row, double size) {
    const int which = check_random_index(source, 4);
    if (row->is_prismatic) {
        row->lower = size * check_random_range(source, -1, 1);
        row->upper = row->lower + size * check_random_range(source, 0, which ? 1 : 100);
        return;
    }
    const double wide = which == 0 ? 4 : which == 1 ? PI : which == 2 ? 0.02 : 2;
    row->lower = which < 2 ? -wide : check_random_range(source, -PI, PI);
    row->upper = which < 2 ? wide : row->lower + check_random_range(source, 0, wide);
}

/* Where the base stands: at the origin, moved, turned, or far away. */
static void draw_base(check_random *source, lb_site *site, double size) {
    const int which = check_random_index(source, 4);
    double norm = 0, far = which == 3 ? 1000 : which ? 3 : 0;
    site->frame = (lb_frame){{0, 0, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        site->frame.position[i] = size * far * check_random_range(source, -1, 1);
    }
    for (int i = 0; i < 4 && which > 1; i++) {
        site->frame.rotation[i] = check_random_range(source, -1, 1);
    }
    for (int i = 0; i < 4; i++) {
        norm += site->frame.rotation[i] * site->frame.rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        site->frame.rotation[i] /= sqrt(norm);
    }
}

lb_figure *random_arm(check_random *source, int number, lb_effector *effector) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_dh_row rows[RANDOM_ARM_JOINTS];
    lb_segment base = {"base", 0, {0, 0, 0}};
    lb_site site = {"mount", 0, {{0, 0, 0}, {0, 0, 0, 1}}};
    lb_figure *figure = NULL;
    const int joints = 1 + number % RANDOM_ARM_JOINTS, is_flat = check_random_index(source, 3) == 0;
    const int slides = check_random_index(source, 3) == 0;
    const double size = pow(10, number % 3 ? check_random_range(source, -1, 1) : check_random_range(source, -6, 6));
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < joints; i++) {
        lb_dh_row *row = &rows[i];
        row->is_prismatic = slides && check_random_index(source, 3) == 0;
        row->alpha = draw_twist(source, is_flat);
        row->a = draw_length(source, size);
        row->d = is_flat ? 0 : draw_length(source, size);
        row->theta = check_random_index(source, 2) ? 0 : check_random_range(source, -PI, PI);
        draw_range(source, row, size);
    }
    draw_base(source, &site, size);
    REQUIRE(b && lb_builder_add_segment(b, &base) == 0 && lb_builder_add_site(b, &site) == 0);
    const int last =
        lb_builder_add_dh_chain(b, 0, number & 1 ? LB_DH_CONVENTION_STANDARD : LB_DH_CONVENTION_MODIFIED, joints, rows);
    REQUIRE(last >= 0 && lb_builder_finish(b, &figure) == LB_OK);
    REQUIRE(lb_effector_from_segment(figure, last, effector) == LB_OK);
    for (int k = 0; k < 3 && check_random_index(source, 2); k++) {
        effector->point[k] = draw_length(source, size);
    }
    lb_builder_destroy(b);
    return figure;
}
