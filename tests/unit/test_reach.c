/* Workspaces that are known exactly, and what the calls refuse. */
#include <limber/reach.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define PI 3.14159265358979323846

/* A planar chain of joints about z, with these lengths and ranges. */
static lb_figure *planar(int count, const double *lengths, const double (*ranges)[2]) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_dh_row rows[8];
    lb_segment base = {"base", 0, {0, 0, 0}};
    lb_site site = {"mount", 0, {{0, 0, 0}, {0, 0, 0, 1}}};
    lb_figure *figure = NULL;
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < count; i++) {
        rows[i].a = lengths[i];
        rows[i].lower = ranges[i][0];
        rows[i].upper = ranges[i][1];
    }
    REQUIRE(lb_builder_add_segment(b, &base) == 0 && lb_builder_add_site(b, &site) == 0);
    REQUIRE(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, count, rows) == count);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static lb_reach *workspace_of(const lb_figure *figure, int segment) {
    lb_effector effector;
    REQUIRE(lb_effector_from_segment(figure, segment, &effector) == LB_OK);
    lb_reach *reach = lb_reach_create(figure, &effector, NULL, NULL);
    REQUIRE(reach != NULL);
    return reach;
}

static lb_reach_answer ask(const lb_reach *reach, double x, double y, double z) {
    lb_reach_answer answer;
    lb_reach_answer_defaults(&answer);
    REQUIRE(lb_reach_point(reach, (const double[3]){x, y, z}, &answer) == LB_OK);
    return answer;
}

/* KB82: three links of 0.5, 0.3 and 0.1 reach an annulus from 0.1 to 0.9, two that are equal a disc. */
static void annuli(void) {
    static const double free_turn[3][2] = {{-PI, PI}, {-PI, PI}, {-4, 4}};
    lb_figure *figure = planar(3, (const double[]){0.5, 0.3, 0.1}, free_turn);
    lb_reach *reach = workspace_of(figure, 3);
    for (int i = 0; i < 1000; i++) {
        const double r = i * 0.001 + 0.0005, angle = i * 0.7;
        const double out = fmax(r - 0.9, 0.1 - r);
        const lb_reach_answer answer = ask(reach, r * cos(angle), r * sin(angle), 0);
        CHECK_INT(answer.is_exact, 1);
        CHECK_INT(answer.verdict, out > 0 ? LB_REACH_OUTSIDE : LB_REACH_INSIDE);
        CHECK_NEAR(answer.distance, fabs(out), 1e-11);
    }
    CHECK_INT(ask(reach, 0.5, 0, 0.25).verdict, LB_REACH_OUTSIDE);
    CHECK_NEAR(ask(reach, 0.5, 0, 0.25).distance, 0.25, 1e-11);
    CHECK_NEAR(ask(reach, 0, 0, 0).distance, 0.1, 1e-11);
    lb_reach_destroy(reach);
    lb_figure_destroy(figure);
    figure = planar(2, (const double[]){0.4, 0.4}, free_turn);
    reach = workspace_of(figure, 2);
    CHECK_INT(ask(reach, 0, 0, 0).verdict, LB_REACH_INSIDE);
    CHECK_NEAR(ask(reach, 0, 0, 0).distance, 0.8, 1e-11);
    CHECK_INT(ask(reach, 0.8, 0, 0).verdict, LB_REACH_INSIDE); /* its edge is within reach */
    lb_figure_destroy(figure);                                 /* before the workspace */
    CHECK_NEAR(ask(reach, 0.9, 0, 0).distance, 0.1, 1e-11);
    double low[3], high[3];
    CHECK_INT(lb_reach_box(reach, low, high), LB_OK);
    CHECK_NEAR(low[0], -0.8, 1e-11);
    CHECK_NEAR(high[1], 0.8, 1e-11);
    CHECK_NEAR(high[2], 0, 1e-11);
    lb_reach_destroy(reach);
}

/* An elbow with limits makes the annulus narrower: by the law of cosines. */
static void limited_elbow(void) {
    static const double ranges[2][2] = {{-PI, PI}, {0.5, 2}};
    lb_figure *figure = planar(2, (const double[]){0.5, 0.3}, ranges);
    lb_reach *reach = workspace_of(figure, 2);
    const double far = sqrt(0.34 + 0.3 * cos(0.5)), near = sqrt(0.34 + 0.3 * cos(2.0));
    CHECK_NEAR(ask(reach, 0.8, 0, 0).distance, 0.8 - far, 1e-11);
    CHECK_NEAR(ask(reach, 0, near - 0.1, 0).distance, 0.1, 1e-11);
    CHECK_INT(ask(reach, 0, far - 1e-9, 0).verdict, LB_REACH_INSIDE);
    CHECK_INT(ask(reach, 0, far + 1e-9, 0).verdict, LB_REACH_OUTSIDE);
    CHECK_INT(ask(reach, near + 1e-9, 0, 0).verdict, LB_REACH_INSIDE);
    CHECK_INT(ask(reach, near - 1e-9, 0, 0).verdict, LB_REACH_OUTSIDE);
    lb_reach_destroy(reach);
    lb_figure_destroy(figure);
}

/* One joint alone reaches an arc. */
static void arc(void) {
    static const double ranges[1][2] = {{0, 1}};
    lb_figure *figure = planar(1, (const double[]){2}, ranges);
    lb_reach *reach = workspace_of(figure, 1);
    CHECK_INT(ask(reach, 2 * cos(0.3), 2 * sin(0.3), 0).verdict, LB_REACH_INSIDE);
    CHECK_NEAR(ask(reach, 2 * cos(-0.5), 2 * sin(-0.5), 0).distance, 4 * sin(0.25), 1e-11);
    CHECK_NEAR(ask(reach, -1, -1, 0).distance, sqrt(9 + 1), 1e-11);
    CHECK_NEAR(ask(reach, 1.5, 0, 0).distance, 0.5, 1e-11);
    lb_reach_destroy(reach);
    lb_figure_destroy(figure);
}

static void refusals(void) {
    static const double ranges[2][2] = {{-PI, PI}, {0.5, 2}};
    lb_figure *figure = planar(2, (const double[]){0.5, 0.3}, ranges);
    lb_effector effector;
    lb_error error;
    lb_reach_options options;
    lb_reach_answer answer;
    double low[3], high[3];
    const lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
    lb_effector_from_com(&effector);
    CHECK(!lb_reach_create(figure, &effector, NULL, &error));
    CHECK_INT(error.status, LB_ERROR_UNSUPPORTED);
    REQUIRE(lb_effector_from_segment(figure, 2, &effector) == LB_OK);
    CHECK(!lb_reach_create(NULL, &effector, NULL, &error));
    CHECK(!lb_reach_create(figure, NULL, NULL, &error));
    lb_reach_options_defaults(&options);
    options.base_segment = 9;
    CHECK(!lb_reach_create(figure, &effector, &options, &error));
    CHECK_HAS(error.message, "base segment");
    options.base_segment = -1;
    options.spacing = NAN;
    CHECK(!lb_reach_create(figure, &effector, &options, &error));
    options.spacing = 0;
    options.has_frames = 0;
    lb_reach *reach = lb_reach_create(figure, &effector, &options, &error);
    REQUIRE(reach != NULL);
    lb_reach_answer_defaults(&answer);
    CHECK_INT(lb_reach_frame(reach, &frame, &answer), LB_ERROR_UNSUPPORTED);
    CHECK_INT(lb_reach_point(reach, (const double[3]){0, INFINITY, 0}, &answer), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_reach_point(NULL, frame.position, &answer), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_reach_box(reach, NULL, high), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_reach_box(reach, low, high), LB_OK);
    answer.struct_size = 0;
    CHECK_INT(lb_reach_point(reach, frame.position, &answer), LB_ERROR_STRUCT);
    CHECK_TEXT(lb_reach_kind_name(LB_REACH_OUTSIDE), "outside");
    CHECK_TEXT(lb_reach_kind_name((lb_reach_kind)7), "unknown");
    lb_reach_destroy(reach);
    lb_reach_destroy(NULL);
    lb_figure_destroy(figure);
}

int main(void) {
    annuli();
    limited_elbow();
    arc();
    refusals();
    return check_done();
}
