/* Obstacles: what the solids of a body stay out of. Boxes, capsules and balls that are fixed in the world, surfaces
 * that have a thickness, and the shapes of other figures of the problem.
 *
 * The distance of a point from a box, less than 0 inside, is convex along a line, so the point of a capsule's axis that
 * is nearest to a box is found by bisection of its slope. By the envelope theorem the gradient is the unit vector from
 * the box at that point, as if the point were fixed to the capsule. Outside of a box this gradient is continuous, and
 * the axis is outside wherever the capsule is not deeper in the box than its radius: so it is at every answer. Deeper
 * the nearest face pushes. A capsule that lies along a face has no single nearest point, and a row that jumps from end
 * to end would not converge; hence both ends have rows of their own, and the nearest point has one where it is between
 * them. */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "solve/body/body.h"

#define NEAR 0.06          /* metres: what is closer has rows */
#define BISECTIONS 30      /* of an axis: to a billionth of its length */
#define AT_AN_END 1e-3     /* of an axis: what is nearer to an end is left to that end's row */
#define FLESH 0.02         /* metres that what rests on a surface may be pressed into it */
#define SEAT_FLESH 0.05    /* the same of what one sits on */
#define ASKED 1e-6         /* metres of slack beyond what a goal asks for */
#define LEAST_LENGTH 1e-12 /* metres */

/* --- Distances -------------------------------------------------------------------------------------------------------------- */

double lbs_box_distance(const lbm_transform *frame, const double half[3], const double at[3], double normal[3]) {
    double off[3], q[3], out[3] = {0, 0, 0}, square = 0, most = -INFINITY;
    int face = 0;
    lbm_sub3(at, frame->p, off);
    lbs_rotate_back(frame, off, q);
    for (int c = 0; c < 3; c++) {
        const double beyond = fabs(q[c]) - half[c];
        if (beyond > most) {
            most = beyond;
            face = c;
        }
        if (beyond > 0) {
            out[c] = q[c] < 0 ? -beyond : beyond;
            square += beyond * beyond;
        }
    }
    double distance = most;
    if (square > LEAST_LENGTH * LEAST_LENGTH) {
        distance = sqrt(square);
        for (int c = 0; c < 3; c++) {
            out[c] /= distance;
        }
    } else {
        lbm_set3(out, 0, 0, 0);
        out[face] = q[face] < 0 ? -1 : 1;
    }
    lbm_rotate(frame, out, normal);
    return distance;
}

/* The slope of the distance along an axis. */
static double slope_at(const lbs_obstacle *o, const double from[3], const double axis[3], double t) {
    double at[3], normal[3];
    lbm_copy3(at, from);
    lbm_add_scaled3(at, axis, t);
    lbs_box_distance(o->frame, o->half_size, at, normal);
    return lbm_dot3(normal, axis);
}

/* Where along the axis of a solid a box is nearest, 0 to 1; -1: at an end. */
static double nearest_on(const lbs_obstacle *o, const lbs_solid *solid) {
    double axis[3], low = 0, high = 1;
    lbm_sub3(solid->to.world, solid->from.world, axis);
    if (slope_at(o, solid->from.world, axis, 0) >= 0 || slope_at(o, solid->from.world, axis, 1) <= 0) {
        return -1;
    }
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (slope_at(o, solid->from.world, axis, middle) > 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    const double t = 0.5 * (low + high);
    return t < AT_AN_END || t > 1 - AT_AN_END ? -1 : t;
}

/* --- Rows ------------------------------------------------------------------------------------------------------------------- */

void lbs_add_other(const lbs_bodies_task *t, const lbs_other *other, double *row, const double at[3],
                   const double normal[3], double sign) {
    const lbs_space *s = t->space;
    const lb_kinematics *k = other->kinematics;
    const lb_figure *f = s->problem->figures[other->figure];
    const int first = s->problem->first_variables[other->figure];
    for (int node = other->node; node >= 0; node = f->nodes[node].parent) {
        const lbf_node *n = &f->nodes[node];
        for (int c = n->coordinate; c < n->coordinate + lbf_node_coordinates(n->kind); c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            double arm[3], moved[3];
            lbm_sub3(at, k->frames[node].p, arm);
            lbm_cross3(k->axes[c], arm, moved);
            const double rate = lbm_dot3(normal, n->kind == LBF_NODE_TRANSLATE ? k->axes[c] : moved);
            for (int i = 0; i < in.count; i++) {
                const int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
                const int column = s->variables.active_of[first + variable];
                if (column >= 0) {
                    row[column] += sign * rate * (in.first_term < 0 ? 1 : k->slopes[in.first_term + i]) *
                                   s->variables.scale[column];
                }
            }
        }
    }
}

static void add_prop(const lbs_bodies_task *t, const lbs_obstacle *o, double *row, const double at[3],
                     const double normal[3], double sign) {
    const lbs_other prop = {o->figure, o->node, o->prop};
    lbs_add_other(t, &prop, row, at, normal, sign);
}

static void add_point(const lbs_body *b, lbs_bodies_task *t, const lbs_obstacle *o, const lbs_solid *solid,
                      const double at[3], double slack) {
    double normal[3];
    const double distance = lbs_box_distance(o->frame, o->half_size, at, normal) - solid->radius;
    double *row = lbs_add_condition(t, -(distance + slack), NEAR);
    if (row) {
        lbs_add_at(b, t, row, solid->from.spot, at, normal, -1);
        if (o->moves) {
            add_prop(t, o, row, at, normal, 1);
        }
    }
}

static void add_box(const lbs_body *b, lbs_bodies_task *t, const lbs_obstacle *o, const lbs_solid *solid,
                    double slack) {
    double at[3], normal[3];
    for (int c = 0; c < 3; c++) {
        at[c] = 0.5 * (solid->from.world[c] + solid->to.world[c]);
    }
    const double least = lbs_box_distance(o->frame, o->half_size, at, normal) - solid->half_length - solid->radius;
    if (least > NEAR * t->far) {
        for (int i = 0; i < 3; i++) {
            lbs_add_condition(t, -least, NEAR);
        }
        return;
    }
    add_point(b, t, o, solid, solid->from.world, slack);
    add_point(b, t, o, solid, solid->to.world, slack);
    const double share = nearest_on(o, solid);
    if (share < 0) {
        lbs_add_condition(t, -INFINITY, NEAR);
        return;
    }
    for (int c = 0; c < 3; c++) {
        at[c] = solid->from.world[c] + share * (solid->to.world[c] - solid->from.world[c]);
    }
    add_point(b, t, o, solid, at, slack);
}

static void add_round(const lbs_body *b, lbs_bodies_task *t, const lbs_obstacle *o, const lbs_solid *solid,
                      double slack) {
    double p[3], q[3], normal[3];
    const double distance = lbs_solid_distance(solid, &o->round, p, q, normal);
    double *row = lbs_add_condition(t, -(distance + slack), NEAR);
    if (row) {
        lbs_add_at(b, t, row, solid->from.spot, p, normal, -1);
        if (o->moves) {
            add_prop(t, o, row, q, normal, 1);
        }
    }
}

void lbs_body_obstacles(const lbs_body *b, lbs_bodies_task *t) {
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const lbs_obstacle *o = &b->scene.obstacles[i];
        for (int k = 0; k < b->solid_count; k++) {
            const double slack = lbs_is_left_out(b, i) ? INFINITY : b->state->slacks[i * b->solid_count + k];
            if (o->is_box) {
                add_box(b, t, o, &b->solids[k], slack);
            } else {
                add_round(b, t, o, &b->solids[k], slack);
            }
        }
    }
}

/* --- One of them ------------------------------------------------------------------------------------------------------------- */

int lbs_is_left_out(const lbs_body *b, int obstacle) {
    const lbs_body_scene *scene = &b->scene;
    const int out = scene->left_out - 1;
    return out >= 0 && (out == obstacle || (scene->obstacles[out].figure >= 0 &&
                                            scene->obstacles[out].figure == scene->obstacles[obstacle].figure));
}

double lbs_obstacle_depth(const lbs_body *b, int obstacle) {
    const lbs_obstacle *o = &b->scene.obstacles[obstacle];
    double most = -INFINITY, p[3], q[3], normal[3];
    for (int k = 0; k < b->solid_count; k++) {
        const lbs_solid *solid = &b->solids[k];
        double nearest = o->is_box ? INFINITY : lbs_solid_distance(solid, &o->round, p, q, normal);
        const double inside = o->is_box ? nearest_on(o, solid) : -1, shares[3] = {0, 1, inside > 0 ? inside : 0};
        for (int i = 0; i < 3 && o->is_box; i++) {
            for (int c = 0; c < 3; c++) {
                p[c] = solid->from.world[c] + shares[i] * (solid->to.world[c] - solid->from.world[c]);
            }
            const double distance = lbs_box_distance(o->frame, o->half_size, p, normal) - solid->radius;
            nearest = distance < nearest ? distance : nearest;
        }
        most = -nearest > most ? -nearest : most;
    }
    return most;
}

const char *lbs_obstacle_name(const lbs_body *b, const lbs_space *s, int obstacle) {
    const lbs_obstacle *o = &b->scene.obstacles[obstacle];
    int boards = 0;
    for (int i = 0; i < obstacle; i++) {
        boards += b->scene.obstacles[i].surface >= 0;
    }
    const char *name = o->surface >= 0  ? b->options->surfaces[o->surface].name
                       : o->figure >= 0 ? lb_figure_name(s->problem->figures[o->figure])
                                        : b->options->obstacles[obstacle - boards].name;
    return name && *name ? name : NULL;
}

/* --- Places ----------------------------------------------------------------------------------------------------------------- */

static void place(const lbs_obstacle *o) {
    lbm_transform frame = o->mount;
    if (o->node >= 0) {
        lbm_transform_multiply(&o->prop->frames[o->node], &o->mount, &frame);
    }
    if (o->is_box) {
        *o->frame = frame;
        return;
    }
    for (int c = 0; c < 3; c++) {
        o->round.from.world[c] = o->figure < 0 ? o->ends[0][c] : frame.p[c] - o->half_size[2] * frame.z[c];
        o->round.to.world[c] = o->figure < 0 ? o->ends[1][c] : frame.p[c] + o->half_size[2] * frame.z[c];
    }
}

void lbs_body_place_obstacles(const lbs_body *b, const lbs_space *s, const double *pose, int all) {
    int last = -1;
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const lbs_obstacle *o = &b->scene.obstacles[i];
        if (!(all || o->moves)) {
            continue;
        }
        if (o->figure >= 0 && o->figure != last) {
            lbf_update(o->prop, pose + s->problem->first_variables[o->figure],
                       &s->problem->figures[o->figure]->every_node);
            last = o->figure;
        }
        place(o);
    }
}

/* --- The plan --------------------------------------------------------------------------------------------------------------- */

/* Whether a surface is something that is in the way: what has a thickness, or has no end. */
static int is_solid(const lb_surface *surface) {
    return surface->thickness > 0 || (!lbm_is_finite(surface->half_size[0]) && !lbm_is_finite(surface->half_size[1]));
}

/* Whether a shape of a figure is one that solids can be kept out of. */
static int is_known(const lb_shape *shape) {
    return shape->kind == LB_SHAPE_BOX || shape->kind == LB_SHAPE_CAPSULE || shape->kind == LB_SHAPE_SPHERE;
}

/* Whether a figure's shapes are obstacles to a body. */
int lbs_is_prop(const lb_problem *p, int body, int figure) {
    return figure != body && lb_problem_body(p, body)->props && !lb_problem_body(p, figure);
}

size_t lbs_count_obstacles(const lb_problem *p, int figure) {
    const lb_body_options *o = lb_problem_body(p, figure);
    size_t count = (size_t)o->obstacle_count;
    for (int i = 0; i < o->surface_count; i++) {
        count += (size_t)is_solid(&o->surfaces[i]);
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; lbs_is_prop(p, figure, f) && i < lb_figure_shape_count(p->figures[f]); i++) {
            count += (size_t)is_known(lb_figure_shape(p->figures[f], i));
        }
    }
    return count;
}

/* A board, box or wall behind a surface. */
static void make_board(const lb_surface *surface, int index, lbs_obstacle *made) {
    lbp_surface_frame axes;
    const double half = surface->thickness > 0 ? 0.5 * surface->thickness : INFINITY;
    lbp_frame_surface(surface, &axes);
    *made = (lbs_obstacle){.is_box = 1,
                           .figure = -1,
                           .node = -1,
                           .surface = index,
                           .half_size = {surface->half_size[0], surface->half_size[1], half}};
    lbm_copy3(made->mount.x, axes.along);
    lbm_copy3(made->mount.y, axes.across);
    lbm_copy3(made->mount.z, axes.normal);
    lbm_copy3(made->mount.p, surface->point);
    if (lbm_is_finite(half)) {
        lbm_add_scaled3(made->mount.p, axes.normal, -half);
    } else { /* without end behind the surface: a half space */
        made->half_size[2] = LBS_ENDLESS;
        lbm_add_scaled3(made->mount.p, axes.normal, -LBS_ENDLESS);
    }
}

static void make_given(const lb_obstacle *given, lbs_obstacle *made) {
    static const double none[4] = {0, 0, 0, 1};
    lb_frame frame;
    *made = (lbs_obstacle){.is_box = given->kind == LB_SHAPE_BOX, .figure = -1, .node = -1, .surface = -1};
    if (made->is_box) {
        const double *r = given->rotation;
        memcpy(frame.rotation, r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0 ? none : r, sizeof frame.rotation);
        lbm_copy3(frame.position, given->point);
        lbm_transform_from_frame(&frame, &made->mount);
        lbm_copy3(made->half_size, given->half_size);
        return;
    }
    lbm_copy3(made->ends[0], given->point);
    lbm_copy3(made->ends[1], given->kind == LB_SHAPE_CAPSULE ? given->to : given->point);
    made->round.radius = given->radius;
}

static void make_shape(const lbs_body *b, const lbs_space *s, int figure, const lb_shape *shape, lbs_obstacle *made) {
    const lb_figure *f = s->problem->figures[figure];
    const lbf_mount *mount = &f->mounts[shape->segment];
    lbm_transform frame;
    *made = (lbs_obstacle){.is_box = shape->kind == LB_SHAPE_BOX,
                           .figure = figure,
                           .node = mount->node,
                           .prop = b->scene.props[figure],
                           .surface = -1};
    for (int v = 0; v < f->variable_count; v++) {
        made->moves |= s->variables.active_of[s->problem->first_variables[figure] + v] >= 0;
    }
    lbm_transform_from_frame(&shape->frame, &frame);
    lbm_transform_multiply(&mount->offset, &frame, &made->mount);
    if (made->is_box) {
        lbm_copy3(made->half_size, shape->size);
        return;
    }
    made->round.radius = shape->size[0];
    if (shape->kind == LB_SHAPE_CAPSULE) {
        made->round.radius = shape->size[2] > shape->size[0] ? shape->size[2] : shape->size[0];
        made->half_size[2] = shape->size[1];
    }
}

void lbs_plan_obstacles(lbs_body *b, const lbs_space *s) {
    const lb_problem *p = s->problem;
    lbs_body_scene *scene = &b->scene;
    scene->obstacle_count = 0;
    for (int i = 0; i < b->options->surface_count; i++) {
        if (is_solid(&b->options->surfaces[i])) {
            make_board(&b->options->surfaces[i], i, &scene->obstacles[scene->obstacle_count++]);
        }
    }
    for (int i = 0; i < b->options->obstacle_count; i++) {
        make_given(&b->options->obstacles[i], &scene->obstacles[scene->obstacle_count++]);
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; lbs_is_prop(p, b->number, f) && i < lb_figure_shape_count(p->figures[f]); i++) {
            if (is_known(lb_figure_shape(p->figures[f], i))) {
                make_shape(b, s, f, lb_figure_shape(p->figures[f], i), &scene->obstacles[scene->obstacle_count++]);
            }
        }
    }
    for (int i = 0; i < scene->obstacle_count; i++) {
        lbs_obstacle *made = &scene->obstacles[i];
        made->frame = &scene->frames[i];
        made->round.from.world = scene->ends[i][0];
        made->round.to.world = scene->ends[i][1];
    }
}

/* --- How deep solids may be
 * -------------------------------------------------------------------------------------------------- */

static double distance_from(const lbs_obstacle *o, const double at[3]) {
    double place[3], p[3], q[3], normal[3];
    if (o->is_box) {
        return lbs_box_distance(o->frame, o->half_size, at, normal);
    }
    const lbs_solid dot = lbs_solid_at(at, place);
    return lbs_solid_distance(&dot, &o->round, p, q, normal);
}

static void allow(const lbs_body *b, int obstacle, int solid, double depth) {
    double *slack = &b->state->slacks[obstacle * b->solid_count + solid];
    *slack = depth > *slack ? depth : *slack;
}

/* The limb of an effector: an arm from its shoulder, else the segment's parent. */
static int limb_of(const lbs_body *b, int segment) {
    for (int i = 0; i < b->body->arm_count; i++) {
        if (lbs_is_in(b->figure, segment, b->body->arms[i].shoulder)) {
            return b->body->arms[i].shoulder;
        }
    }
    const int parent = lb_figure_parent_segment(b->figure, segment);
    return parent >= 0 ? parent : segment;
}

/* How deep a point of a segment is in a solid in the rest pose; the body is placed there. */
static double depth_in_solid(const lbs_body *b, const double at[3], int solid) {
    double place[3], p[3], q[3], normal[3];
    const lbs_solid dot = lbs_solid_at(at, place);
    return -lbs_solid_distance(&dot, &b->solids[solid], p, q, normal);
}

/* What a goal asks a limb to be in. */
static void allow_goal(const lbs_body *b, const lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const int has_point = c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME;
    double goal[3], own[3];
    if (c->figure != b->number || c->effector.kind != LB_EFFECTOR_FRAME || !has_point) {
        return;
    }
    lbm_copy3(goal, item->goal.goal.point);
    const int carrier = c->goal.carrier_segment, figure = c->goal.carrier_figure;
    if (carrier >= 0 && (figure == b->number || !b->scene.props[figure])) {
        return;
    }
    if (carrier >= 0) {
        const lbf_mount *mount = &s->problem->figures[figure]->mounts[carrier];
        lbm_apply(&mount->offset, goal, goal);
        if (mount->node >= 0) {
            lbm_apply(&b->scene.props[figure]->frames[mount->node], goal, goal);
        }
    }
    const lbs_body_point effector = lbs_body_point_of(b, c->effector.segment, c->effector.point);
    lbm_apply(lbs_body_frame(b, effector.spot), effector.local, own);
    const int limb = limb_of(b, c->effector.segment);
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        const double depth = -distance_from(&b->scene.obstacles[i], goal);
        for (int k = 0; k < b->solid_count; k++) {
            if (lbs_is_in(b->figure, b->body->solids[k].segment, limb)) {
                const double inside = depth_in_solid(b, own, k);
                allow(b, i, k, depth + (inside > 0 ? inside : 0) + ASKED);
            }
        }
    }
}

/* Whether a segment has a contact of a foot. */
static int is_of_foot(const lbs_body *b, int segment, int limb) {
    for (int i = 0; i < b->stand.contact_count; i++) {
        if (b->stand.contacts[i].foot >= 0 && b->body->contacts[i].segment == segment &&
            b->body->contacts[i].limb == limb) {
            return 1;
        }
    }
    return 0;
}

/* What rests on a surface presses into it. A foot that is told to stand on it is kept above it by its contacts: on its
 * way there nothing keeps it out. */
static void allow_support(const lbs_body *b, int contact, int surface) {
    const lb_body_contact *c = &b->body->contacts[contact];
    const int is_foot = b->stand.contacts[contact].foot >= 0;
    for (int i = 0; i < b->scene.obstacle_count; i++) {
        for (int k = 0; k < b->solid_count && b->scene.obstacles[i].surface == surface; k++) {
            const int segment = b->body->solids[k].segment;
            if (is_foot && is_of_foot(b, segment, c->limb)) {
                allow(b, i, k, LBS_ENDLESS);
            } else if (segment == c->segment || lb_figure_parent_segment(b->figure, segment) == c->segment ||
                       lb_figure_parent_segment(b->figure, c->segment) == segment) {
                allow(b, i, k, c->kind == LB_CONTACT_SEAT ? SEAT_FLESH : FLESH);
            }
        }
    }
}

void lbs_body_allow(const lbs_body *b, const lbs_space *s) {
    if (!b->scene.obstacle_count) {
        return;
    }
    lbf_update(b->kinematics, b->figure->rest, &b->figure->every_node);
    for (int k = 0; k < b->solid_count; k++) {
        lbs_body_place_point(b, &b->solids[k].from);
        lbs_body_place_point(b, &b->solids[k].to);
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            allow_goal(b, s, &s->items[i]);
        }
    }
    for (int i = 0; i < b->options->support_count; i++) {
        if (b->options->supports[i].surface >= 0) {
            allow_support(b, b->options->supports[i].contact, b->options->supports[i].surface);
        }
    }
}
