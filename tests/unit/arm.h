/* A small arm for the unit tests: upper (0.3 m) and lower (0.2 m) along x, shoulder and elbow as asked for. */
#ifndef LIMBER_TESTS_ARM_H
#define LIMBER_TESTS_ARM_H

#include <limber/limber.h>

#include "check.h"

static inline int arm_segment(lb_builder *b, const char *name, double mass) {
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = name;
    segment.mass = mass;
    return lb_builder_add_segment(b, &segment);
}

static inline int arm_site(lb_builder *b, int segment, const char *name, double x) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame.position[0] = x;
    return lb_builder_add_site(b, &site);
}

static inline int arm_joint(lb_builder *b, const char *name, int a, int c, const char *type) {
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = name;
    joint.site_a = a;
    joint.site_b = c;
    REQUIRE(lb_joint_type_parse(type, &joint.type, NULL) == LB_OK);
    return lb_builder_add_joint(b, &joint);
}

/* Segments 0 base, 1 upper, 2 lower; sites 0 base.shoulder, 1 upper.base, 2 upper.tip, 3 lower.base, 4 lower.hand;
 * joints 0 shoulder, 1 elbow. */
static inline lb_builder *arm_builder(const char *shoulder, const char *elbow) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL);
    REQUIRE(arm_segment(b, "base", 0) == 0 && arm_segment(b, "upper", 2) == 1 && arm_segment(b, "lower", 1) == 2);
    REQUIRE(arm_site(b, 0, "shoulder", 0) == 0 && arm_site(b, 1, "base", 0) == 1 && arm_site(b, 1, "tip", 0.3) == 2);
    REQUIRE(arm_site(b, 2, "base", 0) == 3 && arm_site(b, 2, "hand", 0.2) == 4);
    REQUIRE(arm_joint(b, "shoulder", 0, 1, shoulder) == 0 && arm_joint(b, "elbow", 2, 3, elbow) == 1);
    return b;
}

static inline lb_figure *arm_finish(lb_builder *b) {
    lb_figure *figure = NULL;
    lb_status status = lb_builder_finish(b, &figure);
    if (status) {
        check_note("%s", lb_builder_error(b)->message);
    }
    REQUIRE(status == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

#endif
