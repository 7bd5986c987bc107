/* One figure's motion for another where parts are missing in one of them, and options that switch goals off. */
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "arm.h"

#define FRAMES 6

/* A person of few parts: each hangs on another by a joint at a place in metres, all upright at rest. */
typedef struct part {
    int part;
    const char *name;
    int parent; /* a row above */
    double at[3];
} part;

static const part parts[] = {
    {LB_BODY_PART_PELVIS, "pelvis", -1, {0, 0, 0.9}},
    {LB_BODY_PART_CHEST, "chest", 0, {0, 0, 0.3}},
    {LB_BODY_PART_NECK, "neck", 1, {0, 0, 0.2}},
    {LB_BODY_PART_HEAD, "head", 2, {0, 0, 0.1}},
    {LB_BODY_PART_CLAVICLE, "l_clavicle", 1, {0, 0.05, 0.18}},
    {LB_BODY_PART_CLAVICLE + 1, "r_clavicle", 1, {0, -0.05, 0.18}},
    {LB_BODY_PART_UPPER_ARM, "l_arm", 4, {0, 0.15, 0}},
    {LB_BODY_PART_UPPER_ARM + 1, "r_arm", 5, {0, -0.15, 0}},
    {LB_BODY_PART_FOREARM, "l_forearm", 6, {0, 0, -0.3}},
    {LB_BODY_PART_FOREARM + 1, "r_forearm", 7, {0, 0, -0.3}},
    {LB_BODY_PART_HAND, "l_hand", 8, {0, 0, -0.25}},
    {LB_BODY_PART_HAND + 1, "r_hand", 9, {0, 0, -0.25}},
    {LB_BODY_PART_THUMB, "l_thumb", 10, {0.05, 0, -0.05}},
    {LB_BODY_PART_THUMB + 1, "r_thumb", 11, {0.05, 0, -0.05}},
    {LB_BODY_PART_THIGH, "l_thigh", 0, {0, 0.1, -0.05}},
    {LB_BODY_PART_THIGH + 1, "r_thigh", 0, {0, -0.1, -0.05}},
    {LB_BODY_PART_SHANK, "l_shank", 14, {0, 0, -0.4}},
    {LB_BODY_PART_SHANK + 1, "r_shank", 15, {0, 0, -0.4}},
    {LB_BODY_PART_FOOT, "l_foot", 16, {0, 0, -0.38}},
    {LB_BODY_PART_FOOT + 1, "r_foot", 17, {0, 0, -0.38}},
    {LB_BODY_PART_TOES, "l_toes", 18, {0.15, 0, -0.05}},
    {LB_BODY_PART_TOES + 1, "r_toes", 19, {0.15, 0, -0.05}},
};
enum { PARTS = sizeof parts / sizeof *parts };

typedef struct person {
    lb_figure *figure;
    int segments[LB_BODY_PART_COUNT]; /* -1: none */
} person;

static void add_part(lb_builder *b, int row, const char *type, double scale) {
    const part *p = &parts[row];
    lb_site a, base;
    lb_site_defaults(&a);
    lb_site_defaults(&base);
    a.name = p->name, base.name = "base";
    REQUIRE(arm_segment(b, p->name, 1) == row);
    if (p->parent < 0) {
        lb_root root;
        lb_root_defaults(&root);
        root.is_free = 1;
        root.placement.position[2] = scale * p->at[2];
        REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
        return;
    }
    a.segment = p->parent, base.segment = row;
    for (int i = 0; i < 3; i++) {
        a.frame.position[i] = scale * p->at[i];
    }
    int site_a = lb_builder_add_site(b, &a), site_b = lb_builder_add_site(b, &base);
    REQUIRE(arm_joint(b, p->name, site_a, site_b, type) == row - 1);
}

static person make_person(const char *type, double scale) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    person made;
    REQUIRE(b != NULL);
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        made.segments[p] = -1;
    }
    for (int row = 0; row < PARTS; row++) {
        int is_knee = parts[row].part == LB_BODY_PART_SHANK || parts[row].part == LB_BODY_PART_SHANK + 1;
        add_part(b, row, is_knee ? "R(y)" : type, scale);
        made.segments[parts[row].part] = row;
    }
    made.figure = arm_finish(b);
    return made;
}

static lb_body_map map_of(const person *source, const person *target) {
    lb_body_map map;
    memcpy(map.source, source->segments, sizeof map.source);
    memcpy(map.target, target->segments, sizeof map.target);
    return map;
}

/* The whole figure walks ahead, and its arms swing. */
static lb_clip *make_motion(const person *p, double ahead) {
    lb_clip *clip = lb_clip_create(p->figure, FRAMES, 0.04, NULL);
    REQUIRE(clip != NULL);
    int arm = lb_figure_variable_of(p->figure, &(lb_dof_ref){lb_figure_find_joint(p->figure, "l_arm"), 0, -1});
    REQUIRE(arm >= 0);
    for (int f = 0; f < FRAMES; f++) {
        lb_clip_pose(clip, f)[0] = ahead * f;
        lb_clip_pose(clip, f)[arm] = 0.05 * f;
    }
    return clip;
}

/* Where a segment is in the last frame, and in the first. */
static double went(const lb_clip *clip, int segment, int axis) {
    lb_kinematics *k = lb_kinematics_create(lb_clip_figure(clip), NULL);
    lb_frame frame[2];
    REQUIRE(k != NULL);
    for (int i = 0; i < 2; i++) {
        REQUIRE(lb_kinematics_update(k, lb_clip_const_pose(clip, i ? FRAMES - 1 : 0)) == LB_OK);
        REQUIRE(lb_kinematics_segment(k, segment, &frame[i]) == LB_OK);
    }
    lb_kinematics_destroy(k);
    return frame[1].position[axis] - frame[0].position[axis];
}

static const int groups[][4] = {{LB_BODY_PART_CHEST, -1, -1, -1},
                                {LB_BODY_PART_HEAD, LB_BODY_PART_NECK, -1, -1},
                                {LB_BODY_PART_CLAVICLE, LB_BODY_PART_CLAVICLE + 1, -1, -1},
                                {LB_BODY_PART_UPPER_ARM, LB_BODY_PART_UPPER_ARM + 1, -1, -1},
                                {LB_BODY_PART_FOREARM, LB_BODY_PART_FOREARM + 1, -1, -1},
                                {LB_BODY_PART_HAND, LB_BODY_PART_HAND + 1, -1, -1},
                                {LB_BODY_PART_TOES, LB_BODY_PART_TOES + 1, -1, -1},
                                {LB_BODY_PART_THUMB, LB_BODY_PART_THUMB + 1, -1, -1},
                                {LB_BODY_PART_CHEST, LB_BODY_PART_NECK, LB_BODY_PART_CLAVICLE, LB_BODY_PART_THUMB}};

/* What one of them lacks stays at rest; the feet go where they should all the same: half as far for half the size. */
static void test_missing_parts(void) {
    person large = make_person("ball", 1), small = make_person("rotation", 0.5);
    lb_clip *source = make_motion(&large, 0.05);
    for (int i = 0; i < (int)(2 * (sizeof groups / sizeof *groups)); i++) {
        lb_body_map map = map_of(&large, &small);
        lb_retarget_options options;
        lb_retarget_report report;
        lb_retarget_options_defaults(&options);
        lb_retarget_report_defaults(&report);
        for (int k = 0; k < 4 && groups[i / 2][k] >= 0; k++) {
            (i % 2 ? map.source : map.target)[groups[i / 2][k]] = -1;
        }
        check_note("group %d missing in the %s", i / 2, i % 2 ? "source" : "target");
        lb_clip *out = lb_retarget(source, small.figure, &map, &options, &report, NULL);
        REQUIRE(out != NULL);
        CHECK_NEAR(went(out, small.segments[LB_BODY_PART_FOOT], 0), 0.5 * 0.05 * (FRAMES - 1), 2e-3);
        CHECK_NEAR(went(out, small.segments[LB_BODY_PART_PELVIS], 0), 0.5 * 0.05 * (FRAMES - 1), 5e-3);
        CHECK(report.feet_off < 2e-3);
        CHECK_INT(report.contact_count, 0); /* nothing stands: feet go at 1.25 m/s */
        lb_clip_destroy(out);
    }
    check_note("%s", "");
    lb_clip_destroy(source);
    lb_figure_destroy(small.figure);
    lb_figure_destroy(large.figure);
}

/* Goals of no weight are not there: without any nothing moves, with the hips' alone the pelvis goes. */
static void test_weights(void) {
    person p = make_person("ball", 1);
    lb_clip *source = make_motion(&p, 0.05);
    lb_body_map map = map_of(&p, &p);
    lb_retarget_options options;
    lb_error error;
    lb_retarget_options_defaults(&options);
    options.weight_feet = options.weight_hands = options.weight_head = options.weight_turns = 0;
    lb_clip *out = lb_retarget(source, p.figure, &map, &options, NULL, &error);
    REQUIRE(out != NULL);
    CHECK_NEAR(went(out, p.segments[LB_BODY_PART_PELVIS], 0), 0.25, 1e-3);
    lb_clip_destroy(out);
    options.weight_hips = 0;
    out = lb_retarget(source, p.figure, &map, &options, NULL, &error);
    REQUIRE(out != NULL);
    CHECK_NEAR(went(out, p.segments[LB_BODY_PART_PELVIS], 0), 0, 1e-9);
    lb_clip_destroy(out);
    options.weight_turns = INFINITY;
    CHECK(lb_retarget(source, p.figure, &map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, "weight is not finite");
    lb_clip_destroy(source);
    lb_figure_destroy(p.figure);
}

/* A whole turn on the spot: the target's root is a rotation vector, which comes round without a jump. */
static void test_turning(void) {
    person p = make_person("rotation", 1);
    lb_clip *source = lb_clip_create(p.figure, 40, 0.04, NULL);
    lb_body_map map = map_of(&p, &p);
    REQUIRE(source != NULL);
    for (int f = 0; f < 40; f++) {
        lb_clip_pose(source, f)[5] = 0.17 * f;
    }
    lb_clip *out = lb_retarget(source, p.figure, &map, NULL, NULL, NULL);
    REQUIRE(out != NULL);
    for (int f = 0; f < 40; f++) {
        double angle = lb_clip_const_pose(out, f)[5], turns = (angle - 0.17 * f) / 6.283185307179586;
        check_note("frame %d", f);
        CHECK_NEAR(turns, floor(turns + 0.5), 2e-3);
        CHECK(fabs(angle) < 4.2);
    }
    check_note("%s", "");
    lb_clip_destroy(out);
    lb_clip_destroy(source);
    lb_figure_destroy(p.figure);
}

static void refused(const person *p, const lb_clip *source, const lb_body_map *map, const char *reason) {
    lb_retarget_options options;
    lb_error error;
    lb_retarget_options_defaults(&options);
    CHECK(lb_retarget(source, p->figure, map, &options, NULL, &error) == NULL);
    CHECK_HAS(error.message, reason);
}

/* Bodies whose legs say nothing: no length, or both in one place. */
static void test_bad_bodies(void) {
    person p = make_person("ball", 1);
    lb_clip *source = make_motion(&p, 0);
    lb_body_map map = map_of(&p, &p);
    for (int side = 0; side < 2; side++) {
        map.target[LB_BODY_PART_SHANK + side] = map.target[LB_BODY_PART_FOOT + side] =
            map.target[LB_BODY_PART_THIGH + side];
    }
    refused(&p, source, &map, "the target's legs have no length");
    map = map_of(&p, &p);
    map.source[LB_BODY_PART_THIGH] = map.source[LB_BODY_PART_THIGH + 1];
    refused(&p, source, &map, "the source's legs have no length, or no place of their own");
    map = map_of(&p, &p);
    map.source[LB_BODY_PART_FOOT + 1] = -1;
    refused(&p, source, &map, "the source has no right foot");
    lb_clip_destroy(source);
    lb_figure_destroy(p.figure);
}

int main(void) {
    test_missing_parts();
    test_weights();
    test_turning();
    test_bad_bodies();
    return check_done();
}
