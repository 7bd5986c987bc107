/* Paths on ten robots: random lines that come through keep the limits of velocity, acceleration and range by the differences
 * of their poses, from rest to rest, never jump, and lie on the line; those that do not come through end where they say. The
 * checks share nothing with the path but forward kinematics. */
#include <limber/io.h>
#include <limber/path.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST 64
#define TOLERANCE 1e-9 /* relative */

static const char *const robots[] = {"panda",      "ur5",     "iiwa14", "fetch7",  "fetch8",
                                     "baxter_arm", "pr2_arm", "irb120", "puma560", "chain10"};

typedef struct rig {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_effector effector;
    int n;
} rig;

static int rig_open(rig *r, const char *name) {
    char relative[100], path[600];
    int order[256];
    memset(r, 0, sizeof *r);
    snprintf(relative, sizeof relative, "models/%s.fig", name);
    if (!check_source(relative, path, sizeof path) || lb_figure_load(path, NULL, &r->figure, NULL)) {
        return 0;
    }
    r->n = lb_figure_variable_count(r->figure);
    lb_figure_tree_order(r->figure, order);
    lb_effector_from_segment(r->figure, order[lb_figure_segment_count(r->figure) - 1], &r->effector);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    return r->kinematics != NULL;
}

static void rig_close(rig *r) {
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
}

static void frame_at(rig *r, const double *pose, lb_frame *frame) {
    lb_kinematics_update(r->kinematics, pose);
    lb_kinematics_segment(r->kinematics, r->effector.segment, frame);
}

/* The limits as docs/paths.md states them. */
static void limits_of(const rig *r, int k, double *velocity, double *acceleration) {
    const lb_variable *v = lb_figure_variable(r->figure, k);
    *velocity = isinf(v->velocity) ? (v->is_angle ? acos(-1) : 1) : v->velocity;
    *acceleration = isinf(v->acceleration) ? *velocity / 0.25 : v->acceleration;
}

static double off_line(const lb_frame *a, const lb_frame *b, const double *p) {
    double way = 0, dot = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        way += pow(b->position[k] - a->position[k], 2);
        dot += (b->position[k] - a->position[k]) * (p[k] - a->position[k]);
    }
    const double t = fmin(1, fmax(0, dot / way));
    for (int k = 0; k < 3; k++) {
        square += pow(a->position[k] + t * (b->position[k] - a->position[k]) - p[k], 2);
    }
    return sqrt(square);
}

/* Differences of the poses, and where the end-effector is. Returns the largest share of a limit. */
static double judge(rig *r, const lb_path *path, const lb_path_result *found, const lb_frame *ends, double period) {
    double q[MOST], before[MOST], v[MOST] = {0}, worst = 0, off = 0;
    CHECK_INT(lb_path_pose(path, 0, before, NULL), LB_OK);
    for (int i = 0; i <= found->pose_count; i++) {
        const int row = i < found->pose_count ? i : found->pose_count - 1;
        CHECK_INT(lb_path_pose(path, row, q, NULL), LB_OK);
        CHECK(lb_figure_violation(r->figure, q) <= 1e-9);
        for (int k = 0; k < r->n; k++) {
            double velocity, acceleration;
            limits_of(r, k, &velocity, &acceleration);
            const double now = (q[k] - before[k]) / period, change = (now - v[k]) / period;
            worst = fmax(worst, fmax(fabs(now) / velocity, fabs(change) / acceleration));
            before[k] = q[k], v[k] = now;
        }
        lb_frame frame;
        frame_at(r, q, &frame);
        off = fmax(off, off_line(&ends[0], &ends[1], frame.position));
    }
    CHECK(off <= found->deviation + 1e-9); /* it says how far it is off */
    return worst;
}

static void lines_keep_limits(void) {
    int through = 0, broken = 0, rough = 0; /* rough: off by more than 10 micrometres, next to singularities */
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        rig r;
        uint64_t seed = 500 + i;
        REQUIRE(rig_open(&r, robots[i]));
        for (int line = 0; line < check_count(4, 40); line++) {
            double a[MOST], b[MOST];
            lb_frame ends[2];
            lb_path_options options;
            lb_path_result found;
            lb_error error;
            lb_path_options_defaults(&options);
            lb_path_result_defaults(&found);
            options.ways = 8;
            lb_figure_random_pose(r.figure, &seed, a);
            lb_figure_random_pose(r.figure, &seed, b);
            frame_at(&r, a, &ends[0]);
            frame_at(&r, b, &ends[1]);
            for (int k = 0; k < 3; k++) { /* a fifth of the way, so that many come through */
                ends[1].position[k] = ends[0].position[k] + 0.2 * (ends[1].position[k] - ends[0].position[k]);
            }
            memcpy(ends[1].rotation, ends[0].rotation, sizeof ends[1].rotation);
            options.start = a;
            check_note("%s, line %d", robots[i], line);
            lb_path *path = lb_path_create(r.figure, &r.effector, 2, ends, &options, &error);
            check_note("%s, line %d: %s", robots[i], line, error.message);
            REQUIRE(path != NULL);
            lb_path_get(path, &found);
            if (found.end == LB_PATH_END_NONE) {
                through++;
                CHECK(judge(&r, path, &found, ends, options.period) <= 1 + TOLERANCE);
                CHECK(found.fraction == 1 && found.through_count > 0 && found.deviation < 1e-3);
                rough += found.deviation > 1e-5;
                CHECK(fmax(found.load_velocity, found.load_acceleration) > 0.3); /* it makes use of what there is */
            } else {
                broken++;
                CHECK(found.pose_count == 0 && found.fraction < 1 && found.way_count > 0);
                CHECK(found.end != LB_PATH_END_RANGE || found.variable >= 0);
            }
            lb_path_destroy(path);
        }
        rig_close(&r);
    }
    check_note("%s", "");
    printf("%d lines followed, %d end before\n", through, broken);
    CHECK(through > 10 && broken > 0 && 50 * rough <= through);
}

/* A planar arm of two links of 1 m: where its reach ends is known, and so is which joint's range ends it. */
static lb_figure *planar(double elbow_low) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_joint joint;
    int last = -1;
    static const char *const names[] = {"base", "upper", "lower"};
    for (int i = 0; i < 3; i++) {
        lb_segment_defaults(&segment);
        segment.name = names[i];
        const int s = lb_builder_add_segment(b, &segment);
        lb_site_defaults(&site);
        site.segment = s;
        site.name = "near";
        const int near_site = lb_builder_add_site(b, &site);
        site.name = "far";
        site.frame.position[0] = i ? 1 : 0;
        const int far_site = lb_builder_add_site(b, &site);
        if (i > 0) {
            lb_joint_defaults(&joint);
            joint.name = i == 1 ? "shoulder" : "elbow";
            joint.site_a = last, joint.site_b = near_site;
            CHECK_INT(lb_joint_type_parse("R(z)", &joint.type, NULL), LB_OK);
            joint.lower[0] = i == 1 ? -3 : elbow_low, joint.upper[0] = 3;
            joint.rest[0] = i == 1 ? 0 : 1;
            lb_builder_add_joint(b, &joint);
        }
        last = far_site;
    }
    lb_figure *figure = NULL;
    CHECK_INT(lb_builder_finish(b, &figure), LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static void ends_are_named(void) {
    const lb_frame line[2] = {{{1, 0.5, 0}, {0, 0, 0, 1}}, {{1, 3.5, 0}, {0, 0, 0, 1}}};
    for (int is_held = 0; is_held < 2; is_held++) {
        lb_figure *figure = planar(is_held ? 1.0 : -3);
        lb_effector effector;
        lb_path_options options;
        lb_path_result found;
        REQUIRE(figure != NULL);
        REQUIRE(lb_figure_find_effector(figure, "lower.far", &effector, NULL) == LB_OK);
        lb_path_options_defaults(&options);
        lb_path_result_defaults(&found);
        options.is_position = 1;
        lb_path *path = lb_path_create(figure, &effector, 2, line, &options, NULL);
        REQUIRE(path != NULL);
        lb_path_get(path, &found);
        /* |p| = 2 where it is stretched, and 2 cos(1 / 2) where the elbow is at 1 rad */
        const double reach = is_held ? 2 * cos(0.5) : 2, y = sqrt(reach * reach - 1);
        check_note("%s", found.explanation);
        CHECK_INT(found.end, is_held ? LB_PATH_END_RANGE : LB_PATH_END_REACH);
        CHECK(fabs(found.fraction - (y - 0.5) / 3) < 1e-3);
        CHECK(!is_held || (found.variable == 1 && !found.is_upper));
        CHECK(strstr(found.explanation, is_held ? "'elbow' is at its lower limit" : "out of reach") != NULL);
        CHECK_INT(found.pose_count, 0);
        CHECK_INT(lb_path_pose(path, 0, (double[2]){0}, NULL), LB_ERROR_ARGUMENT);
        lb_path_destroy(path);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* The speed of the end-effector, corners, and what is refused. */
static void options_hold(void) {
    rig r;
    lb_path_options options;
    lb_path_result found;
    lb_error error;
    const lb_frame frames[3] = {
        {{0.4, -0.2, 0.4}, {1, 0, 0, 0}}, {{0.4, 0.2, 0.4}, {1, 0, 0, 0}}, {{0.5, 0.2, 0.4}, {1, 0, 0, 0}}};
    double pose[MOST], worst = 0, corner = 1;
    lb_frame last, now;
    REQUIRE(rig_open(&r, "panda"));
    lb_path_options_defaults(&options);
    lb_path_result_defaults(&found);
    options.speed = 0.1;
    lb_path *path = lb_path_create(r.figure, &r.effector, 3, frames, &options, &error);
    REQUIRE(path != NULL);
    lb_path_get(path, &found);
    REQUIRE(found.end == LB_PATH_END_NONE);
    for (int i = 0; i < found.pose_count; i++) {
        lb_path_pose(path, i, pose, NULL);
        frame_at(&r, pose, &now);
        if (i > 0) {
            double square = 0, far = 0;
            for (int k = 0; k < 3; k++) {
                square += pow(now.position[k] - last.position[k], 2);
                far += pow(now.position[k] - frames[1].position[k], 2);
            }
            worst = fmax(worst, sqrt(square) / options.period);
            corner = fmin(corner, sqrt(far));
        }
        last = now;
    }
    CHECK(worst <= 0.1 * (1 + 1e-6) && worst > 0.099);
    CHECK(corner < 1e-6); /* a corner of 90 degrees is gone through, not round */
    CHECK(found.duration >= 5 && found.duration < 7);
    lb_path_destroy(path);
    options.period = -1;
    CHECK(lb_path_create(r.figure, &r.effector, 3, frames, &options, &error) == NULL && error.message[0]);
    lb_path_options_defaults(&options);
    options.is_from_start = 1;
    CHECK(lb_path_create(r.figure, &r.effector, 3, frames, &options, &error) == NULL);
    CHECK(strstr(error.message, "not at the first frame") != NULL);
    options.is_from_start = 0;
    CHECK(lb_path_create(r.figure, &r.effector, 2, (lb_frame[]){frames[0], frames[0]}, &options, &error) == NULL);
    CHECK(strstr(error.message, "the same") != NULL);
    rig_close(&r);
}

int main(void) {
    lines_keep_limits();
    ends_are_named();
    options_hold();
    return check_done();
}
