/* What bodies meet: the axes of surfaces, and the limbs that swivels are about. */
#include <math.h>

#include "figure/figure.h"
#include "problem/problem.h"

#define LEAST_SINE 1e-9 /* of the angle between two axes that are no line */

/* Makes a vector unit. Returns 1 where it has no direction. */
static int make_unit(double v[3]) {
    const double length = lbm_norm3(v);
    if (!lbm_all_finite(v, 3) || !(length > 0) || !lbm_is_finite(length)) {
        return 1;
    }
    for (int c = 0; c < 3; c++) {
        v[c] /= length;
    }
    return 0;
}

static int is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

int lbp_frame_surface(const lb_surface *s, lbp_surface_frame *frame) {
    static const double up[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    lbm_copy3(frame->normal, is_zero(s->normal) ? up : s->normal);
    if (make_unit(frame->normal)) {
        return 1;
    }
    const double *n = frame->normal;
    lbm_copy3(frame->along, s->along);
    if (is_zero(s->along)) {
        lbm_cross3(up, n, frame->along);
        if (lbm_norm3(frame->along) < LEAST_SINE) {
            lbm_copy3(frame->along, x);
        }
    }
    if (make_unit(frame->along)) {
        return 1;
    }
    lbm_add_scaled3(frame->along, n, -lbm_dot3(frame->along, n));
    if (lbm_norm3(frame->along) < LEAST_SINE || make_unit(frame->along)) {
        return 1;
    }
    lbm_cross3(n, frame->along, frame->across);
    return 0;
}

/* --- Swivels --------------------------------------------------------------------------------------------------------------- */

static const char *const side_names[] = {"up", "down", "out", "in", "forward", "back"};

const char *lb_side_name(lb_side side) {
    return (int)side >= LB_SIDE_UP && side <= LB_SIDE_BACK ? side_names[side] : "";
}

static int is_in(const lb_figure *f, int segment, int limb) {
    while (segment >= 0 && segment != limb) {
        segment = lb_figure_parent_segment(f, segment);
    }
    return segment >= 0;
}

/* The segment at the end of a limb that a segment is in: the hand of an arm, or what has a heel. */
static int end_of(const lb_figure *f, int middle) {
    const lb_body *body = f->draft.body;
    for (int i = 0; body && i < body->arm_count; i++) {
        if (body->arms[i].hand != middle && is_in(f, body->arms[i].hand, middle)) {
            return body->arms[i].hand;
        }
    }
    for (int i = 0; body && i < body->contact_count; i++) {
        const lb_body_contact *contact = &body->contacts[i];
        if (contact->kind == LB_CONTACT_HEEL && contact->segment != middle && is_in(f, contact->segment, middle)) {
            return contact->segment;
        }
    }
    return -1;
}

lb_status lb_swivel_at(const lb_figure *f, const char *joint, const double direction[3], lb_swivel *swivel) {
    if (!f || !joint || !direction || !swivel || !lbm_all_finite(direction, 3) || is_zero(direction)) {
        return LB_ERROR_ARGUMENT;
    }
    const int index = lb_figure_find_joint(f, joint);
    if (index < 0) {
        return LB_ERROR_NAME;
    }
    const lb_joint *j = lb_figure_joint(f, index);
    const int a = f->draft.sites[j->site_a].segment, b = f->draft.sites[j->site_b].segment;
    const int middle = lb_figure_parent_segment(f, b) == a ? b : a, upper = lb_figure_parent_segment(f, middle);
    const int lower = end_of(f, middle);
    /* The line of one leg or arm: what has both legs beyond it is no limb. */
    if (upper < 0 || lower < 0 || is_in(f, f->draft.root.segment, middle) || lb_figure_parent_segment(f, upper) < 0) {
        return LB_ERROR_UNSUPPORTED;
    }
    *swivel = (lb_swivel){.upper = upper, .middle = middle, .lower = lower, .segment = -1};
    lbm_copy3(swivel->direction, direction);
    return LB_OK;
}

/* Where the upper end of a swivel's limb is at rest, along y of the root segment: its left. */
static lb_status place_left(const lb_figure *f, const lb_swivel *swivel, double *left) {
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_frame root, upper, back;
    if (!k) {
        return LB_ERROR_MEMORY;
    }
    lb_kinematics_update(k, f->rest);
    lb_kinematics_segment(k, f->draft.root.segment, &root);
    lb_kinematics_segment(k, swivel->upper, &upper);
    lb_kinematics_destroy(k);
    lb_frame_invert(&root, &back);
    lb_frame_multiply(&back, &upper, &upper);
    *left = upper.position[1];
    return LB_OK;
}

lb_status lb_swivel_side(const lb_figure *f, const char *joint, lb_side side, lb_swivel *swivel) {
    static const double directions[][3] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}};
    if ((int)side < LB_SIDE_UP || side > LB_SIDE_BACK || !swivel) {
        return LB_ERROR_ARGUMENT;
    }
    lb_swivel made;
    lb_status status = lb_swivel_at(f, joint, directions[side], &made);
    double left = 0;
    if (!status && (side == LB_SIDE_OUT || side == LB_SIDE_IN)) {
        status = place_left(f, &made, &left);
        made.direction[1] = left < 0 ? -made.direction[1] : made.direction[1];
    }
    if (status) {
        return status;
    }
    made.segment = side == LB_SIDE_UP || side == LB_SIDE_DOWN ? -1 : f->draft.root.segment;
    *swivel = made;
    return LB_OK;
}
