#include "made_robot.h"
#include "check.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct maker {
    check_random random;
    lb_builder *builder;
    lb_frame frames[80]; /* of segments, in the world at zero values */
    lb_frame facing;     /* where the robot looks */
    int count;
    double bend; /* of knees at rest */
} maker;

static double draw(maker *m, double low, double high) { return check_random_range(&m->random, low, high); }

/* A name that says nothing. */
static void name_it(maker *m, char text[24]) {
    for (int i = 0; i < 8; i++) {
        text[i] = (char)('a' + check_random_index(&m->random, 26));
    }
    snprintf(text + 8, 16, "%d", m->count);
}

/* A point of the robot, ahead, left and up, in the world. */
static void to_world(const maker *m, double ahead, double left, double up, double out[3]) {
    lb_frame local, world;
    lb_frame_identity(&local);
    local.position[0] = ahead, local.position[1] = left, local.position[2] = up;
    lb_frame_multiply(&m->facing, &local, &world);
    memcpy(out, world.position, sizeof world.position);
}

static void place_in(const maker *m, int segment, const double point_w[3], double local[3]) {
    lb_frame back, point, seen;
    lb_frame_identity(&point);
    memcpy(point.position, point_w, sizeof point.position);
    lb_frame_invert(&m->frames[segment], &back);
    lb_frame_multiply(&back, &point, &seen);
    memcpy(local, seen.position, sizeof seen.position);
}

/* A link whose frame is anywhere near a point, turned anyhow. */
static int add_link(maker *m, const double at_w[3]) {
    lb_segment segment;
    char name[24];
    const double axis[3] = {draw(m, -1, 1), draw(m, -1, 1), draw(m, 0.1, 1)};
    lb_segment_defaults(&segment);
    name_it(m, name);
    segment.name = name;
    segment.mass = draw(m, 0.1, 5);
    int index = lb_builder_add_segment(m->builder, &segment);
    REQUIRE(index == m->count && index < 80);
    lb_frame *frame = &m->frames[m->count++];
    lb_frame_identity(frame);
    for (int i = 0; i < 3; i++) {
        frame->position[i] = at_w[i] + draw(m, -0.02, 0.02);
    }
    REQUIRE(!lb_rotation_about(axis, draw(m, -3, 3), frame->rotation));
    return index;
}

static int add_site(maker *m, int segment, const lb_frame *frame_w) {
    lb_site site;
    lb_frame back;
    char name[24];
    lb_site_defaults(&site);
    snprintf(name, sizeof name, "s%d", lb_builder_site_count(m->builder));
    site.name = name;
    site.segment = segment;
    lb_frame_invert(&m->frames[segment], &back);
    lb_frame_multiply(&back, frame_w, &site.frame);
    return lb_builder_add_site(m->builder, &site);
}

typedef struct hinge {
    int axis; /* 0: about ahead, 1: about left, 2: about up */
    double low, high, rest;
} hinge;

/* Hangs a new link on another by a hinge at a point; its axis may point either way. */
static int add_hinge(maker *m, int parent, const double at_w[3], hinge h, int *joint_index) {
    static const char *const spellings[2][3] = {{"R(x)", "R(y)", "R(z)"}, {"R(-x)", "R(-y)", "R(-z)"}};
    lb_joint joint;
    lb_frame at = m->facing;
    char name[24];
    lb_error error;
    const int is_turned = check_random_index(&m->random, 2), child = add_link(m, at_w);
    memcpy(at.position, at_w, sizeof at.position);
    lb_joint_defaults(&joint);
    name_it(m, name);
    joint.name = name;
    joint.site_a = add_site(m, parent, &at);
    joint.site_b = add_site(m, child, &at);
    REQUIRE(!lb_joint_type_parse(spellings[is_turned][h.axis], &joint.type, &error));
    joint.lower[0] = is_turned ? -h.high : h.low;
    joint.upper[0] = is_turned ? -h.low : h.high;
    joint.rest[0] = is_turned ? -h.rest : h.rest;
    joint.velocity[0] = draw(m, 6, 30);
    *joint_index = lb_builder_add_joint(m->builder, &joint);
    REQUIRE(*joint_index >= 0);
    return child;
}

static void add_shape(maker *m, int segment, lb_shape_kind kind, const double at_w[3], double a, double b, double c) {
    lb_shape shape;
    lb_frame at = m->facing, back;
    lb_shape_defaults(&shape);
    memcpy(at.position, at_w, sizeof at.position);
    shape.kind = kind;
    shape.segment = segment;
    shape.size[0] = a, shape.size[1] = b, shape.size[2] = c;
    lb_frame_invert(&m->frames[segment], &back);
    lb_frame_multiply(&back, &at, &shape.frame);
    REQUIRE(lb_builder_add_shape(m->builder, &shape) >= 0);
}

/* Three hinges at a point, or nearly, in any order. */
static int add_ball(maker *m, int parent, const double at_w[3], const hinge hinges[3], int *joint) {
    int order[3] = {0, 1, 2};
    for (int i = 2; i > 0; i--) {
        const int k = check_random_index(&m->random, i + 1), kept = order[i];
        order[i] = order[k], order[k] = kept;
    }
    for (int i = 0; i < 3; i++) {
        parent = add_hinge(m, parent, at_w, hinges[order[i]], joint);
    }
    return parent;
}

typedef struct size {
    double thigh, shank, ankle, foot, hips, trunk, shoulders, upper, fore;
    int wrists;
} size;

static void add_leg(maker *m, made_robot *made, int pelvis, int side, size s) {
    const double y = (side ? -1 : 1) * s.hips, wide = 0.05 * (s.thigh + s.shank);
    const hinge hips[3] = {{0, -1.2, 1.2, 0}, {1, -2.4, 1.2, -m->bend}, {2, -1.2, 1.2, 0}};
    const double foot = s.foot;
    double at[3];
    const double hip_z = s.ankle + s.shank + s.thigh;
    to_world(m, 0, y, hip_z, at);
    int link = add_ball(m, pelvis, at, hips, &made->joints[side][3]);
    made->segments[LB_BODY_PART_THIGH + side] = link;
    to_world(m, 0, y, s.ankle + s.shank + 0.5 * s.thigh, at);
    add_shape(m, link, LB_SHAPE_CAPSULE, at, wide, 0.3 * s.thigh, wide);
    to_world(m, 0, y, s.ankle + s.shank, at);
    link = add_hinge(m, link, at, (hinge){1, 0, 2.5, 2 * m->bend}, &made->joints[side][4]);
    made->segments[LB_BODY_PART_SHANK + side] = link;
    to_world(m, 0, y, s.ankle + 0.5 * s.shank, at);
    add_shape(m, link, LB_SHAPE_CAPSULE, at, 0.8 * wide, 0.3 * s.shank, 0.8 * wide);
    to_world(m, 0, y, s.ankle, at);
    link = add_hinge(m, link, at, (hinge){1, -1.2, 1, -m->bend}, &made->joints[side][5]);
    if (made->ankle_hinges == 2) {
        int roll;
        link = add_hinge(m, link, at, (hinge){0, -0.6, 0.6, 0}, &roll);
    }
    made->segments[LB_BODY_PART_FOOT + side] = link;
    to_world(m, 0.2 * foot, y, 0.5 * s.ankle, at);
    add_shape(m, link, LB_SHAPE_BOX, at, 0.5 * foot, 0.2 * foot, 0.5 * s.ankle);
    for (int k = 0; k < 4; k++) {
        to_world(m, (k % 2 ? 0.7 : -0.3) * foot, y + (k / 2 ? 0.2 : -0.2) * foot, 0, at);
        place_in(m, link, at, made->sole[side][k]);
    }
    to_world(m, 0.7 * foot, y, 0, at);
    place_in(m, link, at, made->toes[side]);
    to_world(m, -0.3 * foot, y, 0, at);
    place_in(m, link, at, made->heel[side]);
}

static void add_arm(maker *m, made_robot *made, int chest, int side, size s, double shoulder_z) {
    const double sign = side ? -1 : 1, y = sign * s.shoulders, wide = 0.12 * s.upper;
    const hinge shoulders[3] = {{0, side ? -3 : -0.5, side ? 0.5 : 3, 0}, {1, -3, 1.5, 0}, {2, -2.5, 2.5, 0}};
    const int wrists = s.wrists;
    double at[3];
    int unused;
    to_world(m, 0, y, shoulder_z, at);
    int link = add_ball(m, chest, at, shoulders, &made->joints[side][0]);
    made->segments[LB_BODY_PART_UPPER_ARM + side] = link;
    to_world(m, 0, y, shoulder_z - 0.5 * s.upper, at);
    add_shape(m, link, LB_SHAPE_CAPSULE, at, wide, 0.3 * s.upper, wide);
    to_world(m, 0, y, shoulder_z - s.upper, at);
    link = add_hinge(m, link, at, (hinge){1, -2.6, 0, 0}, &made->joints[side][1]);
    made->segments[LB_BODY_PART_FOREARM + side] = link;
    to_world(m, 0, y, shoulder_z - s.upper - 0.5 * s.fore, at);
    add_shape(m, link, LB_SHAPE_CAPSULE, at, wide, 0.5 * s.fore - wide, wide);
    made->joints[side][2] = -1;
    to_world(m, 0, y, shoulder_z - s.upper - s.fore, at);
    for (int k = 0; k < wrists; k++) {
        static const int axes[3] = {2, 1, 0};
        link = add_hinge(m, link, at, (hinge){axes[k], -1.2, 1.2, 0}, k == 1 ? &made->joints[side][2] : &unused);
        made->segments[LB_BODY_PART_HAND + side] = link;
    }
    if (wrists) {
        to_world(m, 0, y, shoulder_z - s.upper - s.fore - 0.07 * s.upper, at);
        add_shape(m, link, LB_SHAPE_SPHERE, at, 0.1 * s.upper, 0, 0);
    }
}

void made_robot_make(unsigned long long seed, made_robot *made) {
    maker m;
    memset(&m, 0, sizeof m);
    memset(made, 0, sizeof *made);
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        made->segments[p] = -1;
    }
    check_random_seed(&m.random, seed);
    m.builder = lb_builder_create(NULL, NULL);
    REQUIRE(m.builder != NULL);
    const double up[3] = {0, 0, 1}, scale = draw(&m, 0.4, 1.6), leg = draw(&m, 0.7, 0.95) * scale;
    size s = {
        .ankle = draw(&m, 0.05, 0.1) * leg, .hips = draw(&m, 0.09, 0.2) * leg, .trunk = draw(&m, 0.5, 0.65) * scale};
    s.thigh = draw(&m, 0.42, 0.56) * leg, s.shank = leg - s.thigh;
    s.shoulders = draw(&m, 0.17, 0.25) * scale;
    s.foot = draw(&m, 0.16, 0.25) * leg;
    s.wrists = 3 * check_random_index(&m.random, 2);
    s.upper = draw(&m, 0.22, 0.32) * scale, s.fore = draw(&m, 0.2, 0.3) * scale;
    lb_frame_identity(&m.facing);
    REQUIRE(!lb_rotation_about(up, draw(&m, -3.1, 3.1), m.facing.rotation));
    m.bend = check_random_index(&m.random, 2) * draw(&m, 0, 0.6);
    made->ankle_hinges = 1 + check_random_index(&m.random, 2);
    const double hip_z = s.ankle + leg, shoulder_z = hip_z + s.trunk;
    double at[3];
    int joint;
    to_world(&m, 0, 0, hip_z + 0.05 * leg, at);
    const int pelvis = add_link(&m, at);
    add_shape(&m, pelvis, LB_SHAPE_BOX, at, 0.08 * scale, 0.7 * s.hips, 0.04 * scale);
    made->segments[LB_BODY_PART_PELVIS] = pelvis;
    int chest = pelvis;
    static const int waists[] = {2, 0, 1};
    for (int k = 0, count = check_random_index(&m.random, 4); k < count; k++) {
        to_world(&m, 0, 0, hip_z + 0.15 * leg, at);
        chest = add_hinge(&m, chest, at, (hinge){waists[k], -0.8, 0.8, 0}, &joint);
    }
    made->segments[LB_BODY_PART_CHEST] = chest != pelvis ? chest : -1;
    to_world(&m, 0, 0, hip_z + 0.6 * s.trunk, at);
    add_shape(&m, chest, LB_SHAPE_BOX, at, 0.1 * scale, 0.55 * s.shoulders, 0.35 * s.trunk);
    const int arms_first = check_random_index(&m.random, 2);
    for (int k = 0; k < 4; k++) { /* in any order */
        if ((k < 2) == arms_first) {
            add_arm(&m, made, chest, k % 2, s, shoulder_z);
        } else {
            add_leg(&m, made, pelvis, k % 2, s);
        }
    }
    if (check_random_index(&m.random, 2)) {
        to_world(&m, 0, 0, shoulder_z + 0.08 * scale, at);
        int neck = add_hinge(&m, chest, at, (hinge){2, -1, 1, 0}, &joint);
        int head = add_hinge(&m, neck, at, (hinge){1, -0.7, 0.7, 0}, &joint);
        to_world(&m, 0, 0, shoulder_z + 0.2 * scale, at);
        add_shape(&m, head, LB_SHAPE_SPHERE, at, 0.1 * scale, 0, 0);
        made->segments[LB_BODY_PART_NECK] = neck;
        made->segments[LB_BODY_PART_HEAD] = head;
    }
    lb_root root;
    lb_root_defaults(&root);
    root.segment = check_random_index(&m.random, 2) ? chest : pelvis;
    root.is_free = check_random_index(&m.random, 2);
    root.placement = m.frames[root.segment];
    REQUIRE(!lb_builder_set_root(m.builder, &root));
    REQUIRE(!lb_builder_finish(m.builder, &made->figure));
    lb_builder_destroy(m.builder);
}
