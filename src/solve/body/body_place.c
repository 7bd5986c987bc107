/* Where everything of a body is, and how it moves: frames, the twists of spots by x, masses and what they weigh on. */
#include <string.h>

#include "figure/body.h"
#include "math/rotation.h"
#include "solve/body/body.h"

static const lbm_transform world = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};

const lbm_transform *lbs_body_frame(const lbs_body *b, int spot) {
    const int node = b->motion.spots[spot].node;
    return node < 0 ? &world : &b->kinematics->frames[node];
}

void lbs_rotate_back(const lbm_transform *t, const double v[3], double out[3]) {
    const double x = lbm_dot3(t->x, v), y = lbm_dot3(t->y, v), z = lbm_dot3(t->z, v);
    lbm_set3(out, x, y, z);
}

void lbs_body_place_point(const lbs_body *b, const lbs_body_point *point) {
    lbm_apply(lbs_body_frame(b, point->spot), point->local, point->world);
}

/* --- The root ---------------------------------------------------------------------------------------------------------------
 * The segment that has the body's axes, and the first six variables of the figure, which move it as a whole. In
 * models/human.fig both are one; in figures that were rooted elsewhere, or that a joint carries through the world,
 * not. */

void lbs_plan_root(lbs_body *b) {
    const lbf_draft *d = &b->figure->draft;
    lbs_body_root *root = &b->root;
    lbm_transform axes;
    root->segment = d->body_root;
    root->is_free = b->figure->root_coordinates == 6 || lbf_floating_joint(b->figure) >= 0;
    root->is_plain = b->figure->root_coordinates == 6 && d->root.segment == d->body_root;
    root->point = lbs_plan_point(b, d->body_root, d->body_axes.position);
    lbm_transform_from_frame(&d->body_axes, &axes);
    lbm_transform_multiply(&root->point.mount, &axes, &root->point.mount);
    lbs_body_place_point(b, &root->point);
}

static void columns_of(const double axes[3][3], const double at[3], lbm_transform *t) {
    lbm_copy3(t->x, axes[0]);
    lbm_copy3(t->y, axes[1]);
    lbm_copy3(t->z, axes[2]);
    lbm_copy3(t->p, at);
}

/* Where the axes of the body are, in the pose of the kinematics. */
static void find_root_axes(const lbs_body *b, lbm_transform *placed) {
    lbm_transform_multiply(lbs_body_frame(b, b->root.point.spot), &b->root.point.mount, placed);
}

/* What the first six variables carry, in the pose of the kinematics, and the frame in which they are counted. */
static void find_carried(const lbs_body *b, lb_frame *base, lb_frame *carried) {
    const lbf_draft *d = &b->figure->draft;
    const int joint = lbf_floating_joint(b->figure);
    if (joint >= 0) {
        lb_kinematics_site(b->kinematics, d->joints[joint].site_a, base);
        lb_kinematics_site(b->kinematics, d->joints[joint].site_b, carried);
        return;
    }
    lb_frame_identity(base);
    if (d->root.site >= 0) {
        lb_kinematics_site(b->kinematics, d->root.site, carried);
    } else {
        lb_kinematics_segment(b->kinematics, d->root.segment, carried);
    }
}

void lbs_settle_root(const lbs_body *b, double *pose) {
    const lbs_body_root *root = &b->root;
    double turn[4], log[3];
    lbm_transform was, wanted, about, inverse;
    lb_frame base, carried, moved, back, about_frame;
    if (!root->is_free || root->is_plain) {
        return;
    }
    const double at[3] = {root->rest_at[0] + pose[0], root->rest_at[1] + pose[1], root->rest_at[2] + pose[2]};
    columns_of(root->rest_axes, at, &wanted);
    lbm_exponential_quaternion(pose + 3, turn);
    memcpy(about_frame.rotation, turn, sizeof turn);
    memset(about_frame.position, 0, sizeof about_frame.position);
    lbm_transform_from_frame(&about_frame, &about);
    lbm_transform_multiply(&about, &wanted, &wanted);
    lbm_copy3(wanted.p, at);
    memcpy(pose, b->figure->rest, 6 * sizeof *pose);
    lbf_update(b->kinematics, pose, &b->figure->every_node);
    find_root_axes(b, &was);
    lbm_transform_invert(&was, &inverse);
    lbm_transform_multiply(&wanted, &inverse, &about); /* the motion of the whole */
    lbm_transform_to_frame(&about, &moved);
    find_carried(b, &base, &carried);
    lb_frame_multiply(&moved, &carried, &carried);
    if (b->figure->root_coordinates == 6) {
        lb_frame_invert(&b->figure->draft.root.placement, &back);
        lb_rotation_multiply(carried.rotation, back.rotation, turn);
        lbm_sub3(carried.position, b->figure->draft.root.placement.position, pose);
    } else {
        lb_frame_invert(&base, &back);
        lb_frame_multiply(&back, &carried, &carried);
        memcpy(turn, carried.rotation, sizeof turn);
        memcpy(pose, carried.position, 3 * sizeof *pose);
    }
    lbm_logarithm(turn, log);
    memcpy(pose + 3, log, sizeof log);
}

/* --- Masses --------------------------------------------------------------------------------------------------------------- */

static void add_mass(double (*moments)[4], int node, const double at[3], double mass) {
    for (int c = 0; c < 3; c++) {
        moments[node][c] += mass * at[c];
    }
    moments[node][3] += mass;
}

/* Sums from the tips to the root. */
static void sum_to_root(const lb_figure *f, double (*moments)[4]) {
    for (int i = f->node_count - 1; i > 0; i--) {
        const int parent = f->nodes[i].parent;
        if (parent < 0) {
            continue;
        }
        for (int c = 0; c < 4; c++) {
            moments[parent][c] += moments[i][c];
        }
    }
}

static void weigh(const lbs_body *b, const double *forces) {
    const lb_figure *f = b->figure;
    const lb_kinematics *k = b->kinematics;
    double whole[4] = {f->world_lump.moment[0], f->world_lump.moment[1], f->world_lump.moment[2], f->world_lump.mass};
    for (int i = 0; i < f->node_count; i++) {
        const lbf_lump *lump = &f->lumps[i];
        lbm_rotate(&k->frames[i], lump->moment, b->weight.moments[i]);
        for (int c = 0; c < 3; c++) {
            b->weight.moments[i][c] += lump->mass * k->frames[i].p[c];
        }
        b->weight.moments[i][3] = lump->mass;
    }
    for (int i = 0; i < b->weight.load_count; i++) {
        const int node = b->motion.spots[b->weight.loads[i].spot].node;
        lbs_body_place_point(b, &b->weight.loads[i]);
        if (node >= 0) {
            add_mass(b->weight.moments, node, b->weight.loads[i].world, b->options->loads[i].mass);
        }
    }
    memcpy(b->weight.loaded, b->weight.moments, (size_t)f->node_count * sizeof *b->weight.loaded);
    for (int i = 0; i < lbs_push_count(b); i++) { /* the vertical parts of the forces */
        const lbs_push push = lbs_push_of(b, i);
        const lbs_body_point *point = &b->stand.contacts[push.contact].point;
        const int node = b->motion.spots[point->spot].node;
        if (node >= 0) {
            add_mass(b->weight.loaded, node, point->world, -forces[push.force] * push.direction[2] * b->weight.mass);
        }
    }
    sum_to_root(f, b->weight.moments);
    sum_to_root(f, b->weight.loaded);
    for (int i = 0; i < f->node_count; i++) {
        for (int c = 0; c < 4 && f->nodes[i].parent < 0; c++) {
            whole[c] += b->weight.moments[i][c];
        }
    }
    for (int c = 0; c < 3; c++) {
        b->state->com[c] = whole[c] / b->weight.mass;
    }
}

void lbs_body_place(const lbs_body *b, const double *pose, const double *forces) {
    lbf_update(b->kinematics, pose + b->first_variable, &b->figure->every_node);
    for (int i = 0; i < b->stand.contact_count; i++) {
        lbs_body_place_point(b, &b->stand.contacts[i].point);
    }
    for (int i = 0; i < b->solid_count; i++) {
        lbs_body_place_point(b, &b->solids[i].from);
        lbs_body_place_point(b, &b->solids[i].to);
    }
    for (int i = 0; i < b->weight.lever_count; i++) {
        lbs_body_place_point(b, &b->weight.levers[i].joint);
    }
    for (int i = 0; i < b->arm_count; i++) {
        lbs_body_place_point(b, &b->arms[i].shoulder);
        lbs_body_place_point(b, &b->arms[i].hand);
        lbs_body_place_point(b, &b->arms[i].palm);
        lbs_body_place_point(b, &b->arms[i].lap);
    }
    for (int i = 0; i < b->gaze.look_count; i++) {
        lbs_body_place_point(b, &b->gaze.looks[i].eye);
    }
    lbs_body_place_point(b, &b->root.point);
    weigh(b, forces);
}

/* --- Twists --------------------------------------------------------------------------------------------------------------- */

static void add_mover(const lbs_body *b, const lbs_body_mover *m, double *panel, int stride) {
    const lb_kinematics *k = b->kinematics;
    const double f = (m->term < 0 ? 1 : k->slopes[m->term]) * m->scale, *axis = k->axes[m->coordinate];
    const double u[3] = {f * axis[0], f * axis[1], f * axis[2]};
    double *at = panel + m->column;
    if (!m->is_turn) {
        for (int c = 0; c < 3; c++) {
            at[c * stride] += u[c];
        }
        return;
    }
    double v[3];
    lbm_cross3(k->frames[m->node].p, u, v);
    for (int c = 0; c < 3; c++) {
        at[c * stride] += v[c];
        at[(3 + c) * stride] += u[c];
    }
}

/* The panel of a spot: that of the spot above it, and what moves between the two. */
static const double *panel_of(const lbs_body *b, const lbs_bodies_task *t, int number) {
    lbs_spot *spot = &b->motion.spots[number];
    const size_t size = 6 * (size_t)t->stride * sizeof(double);
    if (spot->is_made) {
        return spot->panel;
    }
    if (spot->above >= 0) {
        memcpy(spot->panel, panel_of(b, t, spot->above), size);
    } else {
        memset(spot->panel, 0, size);
    }
    const int stop = spot->above >= 0 ? b->motion.spots[spot->above].node : -1;
    for (int node = spot->node; node >= 0 && node != stop; node = b->figure->nodes[node].parent) {
        for (int m = 0; m < b->motion.mover_counts[node]; m++) {
            add_mover(b, &b->motion.movers[b->motion.first_movers[node] + m], spot->panel, t->stride);
        }
    }
    spot->is_made = 1;
    return spot->panel;
}

void lbs_body_panels(const lbs_body *b) {
    for (int i = 0; i < b->motion.spot_count; i++) {
        b->motion.spots[i].is_made = 0;
    }
}

/* --- Rows ----------------------------------------------------------------------------------------------------------------- */

double *lbs_add_row(lbs_bodies_task *t, lbs_rows *rows, double residual) {
    if (rows->count >= rows->most) {
        return NULL; /* body_plan.c counts them, so that this cannot be */
    }
    rows->residuals[rows->count] = residual;
    const int index = rows->count++;
    double *row = rows->jacobian + (size_t)index * (size_t)t->stride;
    t->pull = rows == &t->wishes  ? residual
              : rows == &t->rules ? t->rule_multipliers[index]
              : rows == &t->goals ? (t->elastic > 0 ? t->elastic * residual : t->goal_multipliers[index])
                                  : t->condition_multipliers[t->conditions.ids[index]];
    if (!t->wants_rows) {
        return NULL;
    }
    memset(row, 0, (size_t)t->stride * sizeof *row);
    return row;
}

double *lbs_add_goal(lbs_bodies_task *t, int level, double residual) {
    const int number = t->levels.count++;
    t->levels.residuals[number] = residual;
    if (level > t->levels.last) {
        return NULL;
    }
    if (level < t->levels.first) {
        return lbs_add_row(t, &t->rules, residual - t->levels.held[number]);
    }
    return lbs_add_row(t, &t->goals, residual);
}

double *lbs_add_wish(lbs_bodies_task *t, double residual) {
    t->values->terms[t->term] += residual * residual;
    return lbs_add_row(t, &t->wishes, residual);
}

/* Whether a condition that goes on changing as it did since it was looked at last stays far below zero. */
static int is_going_nowhere(const lbs_conditions *c, int id, double value) {
    return c->before && value < -c->room && value + c->ahead * (value - c->before[id]) < -c->room;
}

double *lbs_add_condition(lbs_bodies_task *t, double value, double near) {
    lbs_conditions *c = &t->conditions;
    if (c->count >= c->most) {
        return NULL;
    }
    const int id = c->count++;
    c->values[id] = value;
    if (!t->wants_rows) {
        return NULL;
    }
    c->rows[id] = -1;
    if (value < -near * t->far || c->near.count >= c->near.most || is_going_nowhere(c, id, value)) {
        return NULL;
    }
    c->rows[id] = c->near.count;
    c->ids[c->near.count] = id;
    return lbs_add_row(t, &c->near, value);
}

static void add_wrench(const lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double w[6]) {
    const double *panel = panel_of(b, t, spot);
    t->space->kernels->add_three(t->stride, w, panel, row);
    t->space->kernels->add_three(t->stride, w + 3, panel + 3 * (size_t)t->stride, row);
}

void lbs_add_force(const lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3]) {
    double w[6];
    lbm_copy3(w, force);
    lbm_cross3(point->world, force, w + 3);
    add_wrench(b, t, row, point->spot, w);
}

void lbs_add_at(const lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double at[3],
                const double force[3], double sign) {
    double w[6] = {sign * force[0], sign * force[1], sign * force[2]};
    lbm_cross3(at, w, w + 3);
    add_wrench(b, t, row, spot, w);
    lbs_pull_point(b, spot, at, force, sign * t->pull);
}

void lbs_add_point(const lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3], double sign) {
    lbs_add_at(b, t, row, point->spot, point->world, force, sign);
}

void lbs_add_direction(const lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double direction[3],
                       const double h[3], double sign) {
    double w[6] = {0, 0, 0};
    lbm_cross3(direction, h, w + 3);
    for (int c = 3; c < 6; c++) {
        w[c] *= sign;
    }
    add_wrench(b, t, row, spot, w);
    lbs_pull_direction(b, spot, direction, h, sign * t->pull);
}
