/* How far the parts of a figure reach: support functions of shapes. */
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "motion/humanoid/humanoid.h"

/* The farthest that a shape reaches along a direction of its own frame, which is of length 1. */
static double support(const lb_shape *s, const double d[3]) {
    const double flat = sqrt(d[0] * d[0] + d[1] * d[1]);
    double most = -INFINITY, a, b;
    switch (s->kind) {
    case LB_SHAPE_SPHERE:
        return s->size[0];
    case LB_SHAPE_CAPSULE:
        a = s->size[0] - s->size[1] * d[2], b = s->size[2] + s->size[1] * d[2];
        return a > b ? a : b;
    case LB_SHAPE_BOX:
        return s->size[0] * fabs(d[0]) + s->size[1] * fabs(d[1]) + s->size[2] * fabs(d[2]);
    case LB_SHAPE_CYLINDER:
        return s->size[0] * flat + s->size[1] * fabs(d[2]);
    case LB_SHAPE_ELLIPSOID: {
        const double v[3] = {s->size[0] * d[0], s->size[1] * d[1], s->size[2] * d[2]};
        return lbm_norm3(v);
    }
    default:
        for (int i = 0; i < s->vertex_count; i++) {
            const double along = lbm_dot3(s->vertices[i], d);
            most = along > most ? along : most;
        }
        return most + s->size[0];
    }
}

double lbt_node_shapes_reach(const lb_kinematics *k, int node, const double direction_w[3]) {
    const lb_figure *f = k->figure;
    double most = -INFINITY;
    for (int i = 0; i < lb_figure_shape_count(f); i++) {
        const lb_shape *shape = lb_figure_shape(f, i);
        if (f->mounts[shape->segment].node != node) {
            continue;
        }
        lbm_transform segment, own, world, back;
        double d[3];
        lbf_segment_transform(k, shape->segment, &segment);
        lbm_transform_from_frame(&shape->frame, &own);
        lbm_transform_multiply(&segment, &own, &world);
        lbm_transform_invert(&world, &back);
        lbm_rotate(&back, direction_w, d);
        const double reach = lbm_dot3(world.p, direction_w) + support(shape, d);
        most = reach > most ? reach : most;
    }
    return most;
}

double lbt_node_reach(const lb_kinematics *k, int node, const double direction_w[3]) {
    const lb_figure *f = k->figure;
    double most = lbt_node_shapes_reach(k, node, direction_w);
    for (int s = 0; s < lb_figure_segment_count(f); s++) {
        lbm_transform t;
        if (f->mounts[s].node == node) {
            lbf_segment_transform(k, s, &t);
            most = lbm_dot3(t.p, direction_w) > most ? lbm_dot3(t.p, direction_w) : most;
        }
    }
    for (int s = 0; s < lb_figure_site_count(f); s++) {
        const lb_site *site = lb_figure_site(f, s);
        if (f->mounts[site->segment].node == node) {
            lbm_transform t;
            double at[3];
            lbf_segment_transform(k, site->segment, &t);
            lbm_apply(&t, site->frame.position, at);
            most = lbm_dot3(at, direction_w) > most ? lbm_dot3(at, direction_w) : most;
        }
    }
    return most;
}

void lbt_node_middle(const lb_kinematics *k, int node, double point[3]) {
    const lb_figure *f = k->figure;
    double mass = 0, sum[3] = {0, 0, 0};
    int has_shapes = 1;
    for (int s = 0; s < lb_figure_segment_count(f); s++) {
        const lb_segment *segment = lb_figure_segment(f, s);
        if (f->mounts[s].node == node && segment->mass > 0) {
            lbm_transform t;
            double at[3];
            lbf_segment_transform(k, s, &t);
            lbm_apply(&t, segment->com, at);
            lbm_add_scaled3(sum, at, segment->mass);
            mass += segment->mass;
        }
    }
    for (int i = 0; i < 3; i++) {
        const double ahead[3] = {i == 0, i == 1, i == 2}, back[3] = {-ahead[0], -ahead[1], -ahead[2]};
        double high = lbt_node_shapes_reach(k, node, ahead), low = -lbt_node_shapes_reach(k, node, back);
        has_shapes = has_shapes && high >= low;
        if (!has_shapes) {
            high = lbt_node_reach(k, node, ahead), low = -lbt_node_reach(k, node, back);
        }
        point[i] = high >= low ? 0.5 * (high + low) : k->frames[node].p[i];
    }
    if (!has_shapes && mass > 0) {
        lbm_set3(point, sum[0] / mass, sum[1] / mass, sum[2] / mass);
    }
}
