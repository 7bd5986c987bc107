/* Denavit-Hartenberg chains (KB82 section 2), and cones of swing. */
#include <string.h>

#include "figure/build/builder.h"
#include "math/rotation.h"
#include "math/trig.h"

void lb_swing_cone(double half_angle_rad, int sides, double (*swing)[2]) {
    if (!swing) {
        return;
    }
    for (int i = 0; i < sides; i++) {
        double s, c;
        lbm_sincos(LBM_TWO_PI * i / sides, &s, &c);
        swing[i][0] = half_angle_rad * c;
        swing[i][1] = half_angle_rad * s;
    }
}

/* Rz(theta) Tz(d), and Tx(a) Rx(alpha): each pair commutes. */
static void about_z(double theta, double d, lb_frame *frame) {
    const double z[3] = {0, 0, 1};
    lb_frame_identity(frame);
    lb_rotation_about(z, theta, frame->rotation);
    frame->position[2] = d;
}

static void about_x(double alpha, double a, lb_frame *frame) {
    const double x[3] = {1, 0, 0};
    lb_frame_identity(frame);
    lb_rotation_about(x, alpha, frame->rotation);
    frame->position[0] = a;
}

static int add_named_site(lb_builder *b, int segment, const char *name, const lb_frame *frame) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame = *frame;
    return lb_builder_add_site(b, &site);
}

/* One joint and the link behind it. `at` is the DH frame before it, on `segment`. Standard: link = at * joint(q) * Rz
 * Tz * Tx Rx, so the joint's far site stands in the link's frame at the inverse of the constant part; modified: link =
 * at * Rx Tx * Rz Tz * joint(q). */
static int add_dh_joint(lb_builder *b, int segment, const lb_frame *at, lb_dh_convention convention,
                        const lb_dh_row *row, const char *joint_name, const char *link_name) {
    lb_frame turn, tilt, before = *at, after;
    about_z(row->theta, row->d, &turn);
    about_x(row->alpha, row->a, &tilt);
    lb_frame_identity(&after);
    if (convention == LB_DH_CONVENTION_STANDARD) {
        lb_frame_multiply(&turn, &tilt, &after);
        lb_frame_invert(&after, &after);
    } else {
        lb_frame_multiply(&before, &tilt, &before);
        lb_frame_multiply(&before, &turn, &before);
    }
    lb_segment link;
    lb_segment_defaults(&link);
    link.name = link_name;
    int index = lb_builder_add_segment(b, &link);
    if (index < 0) {
        return index;
    }
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = joint_name;
    joint.site_a = add_named_site(b, segment, joint_name, &before);
    if (joint.site_a < 0) {
        return joint.site_a;
    }
    joint.site_b = add_named_site(b, index, "base", &after);
    if (joint.site_b < 0) {
        return joint.site_b;
    }
    lb_joint_type_parse(row->is_prismatic ? "T(z)" : "R(z)", &joint.type, NULL);
    joint.lower[0] = row->lower;
    joint.upper[0] = row->upper;
    int added = lb_builder_add_joint(b, &joint);
    return added < 0 ? added : index;
}

static int add_dh_row(lb_builder *b, int segment, const lb_frame *at, lb_dh_convention convention, const lb_dh_row *row,
                      int number) {
    char digits[24];
    const lb_allocator *a = &b->draft.allocator;
    lbf_integer_text(number, digits);
    const char *joint = row->name ? row->name : lbf_arena_text(&b->draft.arena, a, "joint", digits, NULL);
    const char *link = row->name ? lbf_arena_text(&b->draft.arena, a, row->name, "_link", NULL)
                                 : lbf_arena_text(&b->draft.arena, a, "link", digits, NULL);
    if (!joint || !link) {
        return lbf_no_memory(&b->error);
    }
    const double numbers[4] = {row->a, row->alpha, row->d, row->theta};
    if (!lbm_all_finite(numbers, 4)) {
        return lbf_fail(&b->error, LB_ERROR_ARGUMENT, "a Denavit-Hartenberg parameter of joint '", joint,
                        "' is not finite", (char *)0);
    }
    return add_dh_joint(b, segment, at, convention, row, joint, link);
}

int lb_builder_add_dh_chain(lb_builder *b, int base_site, lb_dh_convention convention, int count,
                            const lb_dh_row *rows) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (convention != LB_DH_CONVENTION_STANDARD && convention != LB_DH_CONVENTION_MODIFIED) {
        return lbf_fail(&b->error, LB_ERROR_ARGUMENT, "there is no such Denavit-Hartenberg convention", (char *)0);
    }
    const lb_site *base = lb_builder_site(b, base_site);
    if (!base || count < 1 || !rows) {
        return lbf_fail(&b->error, LB_ERROR_ARGUMENT,
                        "a Denavit-Hartenberg chain needs a base site and at least one row", (char *)0);
    }
    int segments = b->draft.segment_count, sites = b->draft.site_count, joints = b->draft.joint_count;
    lb_frame at = base->frame;
    int segment = base->segment;
    for (int i = 0; i < count; i++) {
        segment = add_dh_row(b, segment, &at, convention, &rows[i], i + 1);
        if (segment < 0) { /* leave nothing half done */
            b->draft.segment_count = segments;
            b->draft.site_count = sites;
            b->draft.joint_count = joints;
            lbf_draft_index(&b->draft);
            return segment;
        }
        lb_frame_identity(&at);
    }
    return segment;
}
