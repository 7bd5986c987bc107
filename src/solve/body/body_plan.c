/* The plan of bodies: all that depends on the problem alone, and where a body is in the rest pose and in the start
 * pose. */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "solve/body/body.h"

/* --- Spots and movers ------------------------------------------------------------------------------------------------------- */

int lbs_body_node(const lbs_body *b, int segment) { return b->figure->mounts[segment].node; }

static void mark(lbs_body *b, int segment) {
    if (segment >= 0 && lbs_body_node(b, segment) >= 0) {
        b->motion.spot_of_node[lbs_body_node(b, segment)] = 0;
    }
}

static void mark_segments(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    for (int i = 0; i < b->figure->node_count; i++) {
        b->motion.spot_of_node[i] = -1;
    }
    mark(b, b->figure->draft.body_root);
    mark(b, body->head);
    for (int i = 0; i < body->solid_count; i++) {
        mark(b, body->solids[i].segment);
    }
    for (int i = 0; i < body->contact_count; i++) {
        mark(b, body->contacts[i].segment);
    }
    for (int i = 0; i < body->strength_count; i++) {
        mark(b, body->strengths[i].segment);
    }
    for (int i = 0; i < body->arm_count; i++) {
        mark(b, body->arms[i].shoulder);
        mark(b, body->arms[i].hand);
        mark(b, body->arms[i].lap);
        mark(b, body->arms[i].palm >= 0 ? b->figure->draft.sites[body->arms[i].palm].segment : -1);
    }
    for (int i = 0; i < body->eye_count; i++) {
        mark(b, body->eyes[i]);
    }
    mark(b, body->gaze >= 0 ? b->figure->draft.sites[body->gaze].segment : -1);
    for (int i = 0; i < b->options->load_count; i++) {
        mark(b, b->options->loads[i].segment);
    }
    for (int i = 0; i < b->options->swivel_count; i++) {
        const lb_swivel *swivel = &b->options->swivels[i];
        mark(b, swivel->upper);
        mark(b, swivel->middle);
        mark(b, swivel->lower);
        mark(b, swivel->segment);
    }
    lbs_mark_pairs(b, s->problem, mark);
    int faces = 0;
    for (int i = 0; i < s->item_count && faces < LBS_MAX_FACES; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (c->goal.carrier_segment >= 0 && c->goal.carrier_figure == b->number &&
            c->goal.carrier_segment < b->figure->draft.segment_count) {
            mark(b, c->goal.carrier_segment);
            faces++;
        }
    }
}

/* The spot 0 is the world. */
static void make_spots(lbs_body *b, const lbs_space *s, int stride) {
    mark_segments(b, s);
    b->motion.spots[0] = (lbs_spot){-1, -1, b->motion.panels, 0};
    b->motion.spot_count = 1;
    for (int node = 0; node < b->figure->node_count; node++) {
        if (b->motion.spot_of_node[node] < 0) {
            continue;
        }
        int above = b->figure->nodes[node].parent;
        while (above >= 0 && b->motion.spot_of_node[above] < 0) {
            above = b->figure->nodes[above].parent;
        }
        b->motion.spot_of_node[node] = b->motion.spot_count;
        b->motion.spots[b->motion.spot_count] =
            (lbs_spot){node, above < 0 ? -1 : b->motion.spot_of_node[above],
                       b->motion.panels + (size_t)b->motion.spot_count * 6 * (size_t)stride, 0};
        b->motion.spot_count++;
    }
}

static void make_movers(lbs_body *b, const lbs_space *s) {
    const lb_figure *f = b->figure;
    b->motion.mover_count = 0;
    for (int node = 0; node < f->node_count; node++) {
        const lbf_node *n = &f->nodes[node];
        b->motion.first_movers[node] = b->motion.mover_count;
        for (int c = n->coordinate; c < n->coordinate + lbf_node_coordinates(n->kind); c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            for (int i = 0; i < in.count; i++) {
                const int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
                const int column = s->variables.active_of[b->first_variable + variable];
                if (column >= 0) {
                    b->motion.movers[b->motion.mover_count++] =
                        (lbs_body_mover){node,
                                         c,
                                         column,
                                         in.first_term < 0 ? -1 : in.first_term + i,
                                         s->variables.scale[column],
                                         n->kind != LBF_NODE_TRANSLATE};
                }
            }
        }
        b->motion.mover_counts[node] = b->motion.mover_count - b->motion.first_movers[node];
    }
}

lbs_body_point lbs_body_point_of(const lbs_body *b, int segment, const double at[3]) {
    const lbf_mount *mount = &b->figure->mounts[segment];
    lbs_body_point point = {.spot = mount->node < 0 ? 0 : b->motion.spot_of_node[mount->node], .mount = mount->offset};
    lbm_apply(&mount->offset, at, point.local);
    return point;
}

lbs_body_point lbs_plan_point(lbs_body *b, int segment, const double at[3]) {
    lbs_body_point point = lbs_body_point_of(b, segment, at);
    point.world = b->places[b->place_count++];
    return point;
}

static const double ahead[3] = {1, 0, 0};

int lbs_is_in(const lb_figure *f, int segment, int limb) {
    while (segment >= 0 && segment != limb) {
        segment = segment < f->draft.segment_count ? lb_figure_parent_segment(f, segment) : -1;
    }
    return segment >= 0;
}

/* --- All of it -------------------------------------------------------------------------------------------------------------- */

/* The head has the axes of the gaze, where that is one of its sites. */
static void turn_head(lbs_body *b) {
    const int gaze = b->body->gaze;
    if (gaze >= 0 && b->figure->draft.sites[gaze].segment == b->body->head) {
        lb_frame frame = b->figure->draft.sites[gaze].frame;
        lbm_transform turn;
        memset(frame.position, 0, sizeof frame.position);
        lbm_transform_from_frame(&frame, &turn);
        lbm_transform_multiply(&b->gaze.head_mount, &turn, &b->gaze.head_mount);
    }
}

static void plan_body(lbs_bodies *all, lbs_body *b, lbs_space *s) {
    const lb_problem *p = s->problem;
    b->options = lb_problem_body(p, b->number);
    b->first_variable = p->first_variables[b->number];
    b->weight.mass = b->figure->mass;
    b->place_count = 0;
    make_spots(b, s, all->task.stride);
    make_movers(b, s);
    b->weight.load_count = b->options->load_count;
    for (int i = 0; i < b->weight.load_count; i++) {
        b->weight.loads[i] = lbs_plan_point(b, b->options->loads[i].segment, b->options->loads[i].point);
        b->weight.mass += b->options->loads[i].mass;
    }
    lbf_update(b->kinematics, b->figure->rest, &b->figure->every_node);
    lbs_plan_root(b);
    b->gaze.head_spot = b->body->head >= 0 && lbs_body_node(b, b->body->head) >= 0
                            ? b->motion.spot_of_node[lbs_body_node(b, b->body->head)]
                            : -1;
    if (b->gaze.head_spot >= 0) {
        b->gaze.head_mount = b->figure->mounts[b->body->head].offset;
        turn_head(b);
    }
    lbs_plan_contacts(b, s);
    lbs_plan_feet(b, s);
    lbs_plan_solids(b);
    lbs_plan_levers(b);
    lbs_plan_arms(b, s);
    lbs_plan_faces(b, s);
    lbs_plan_looks(b, s);
    lbs_plan_obstacles(b, s);
    lbs_plan_swivels(b);
    lbs_plan_habit(b, p);
}

static void find_foot(const lbs_body *b, const lbs_foot *foot, double middle[3], double tip[3], double along[3]) {
    lbm_set3(middle, 0, 0, 0);
    for (int i = 0; i < foot->ball_count; i++) {
        lbs_body_place_point(b, &b->stand.contacts[foot->balls[i]].point);
        lbm_add_scaled3(middle, b->stand.contacts[foot->balls[i]].point.world, 1.0 / foot->ball_count);
    }
    lbm_copy3(tip, middle);
    lbm_copy3(along, ahead);
    const int pointer = lbs_foot_tip(foot);
    if (pointer >= 0) {
        lbs_body_place_point(b, &b->stand.contacts[pointer].point);
        lbm_copy3(tip, b->stand.contacts[pointer].point.world);
        lbm_sub3(tip, middle, along);
        along[2] = 0;
        const double length = lbm_norm3(along);
        for (int c = 0; c < 3; c++) {
            along[c] = length > 0 ? along[c] / length : ahead[c];
        }
    }
}

/* Where the feet are in the rest pose, and how they point there as toes and root see it. */
static void find_rest(lbs_body *b) {
    lbf_update(b->kinematics, b->figure->rest, &b->figure->every_node);
    for (int i = 0; i < b->stand.foot_count; i++) {
        lbs_foot *foot = &b->stand.feet[i];
        double tip[3];
        find_foot(b, foot, foot->rest_middle, tip, foot->rest_ahead);
        if (foot->ball_count) {
            lbs_rotate_back(lbs_body_frame(b, b->stand.contacts[foot->balls[0]].point.spot), foot->rest_ahead,
                            foot->ahead_in_toes);
        }
        lbs_rotate_back(lbs_body_frame(b, b->root.point.spot), foot->rest_ahead, foot->ahead_in_root);
    }
    lbs_body_place_point(b, &b->root.point);
    lbm_copy3(b->root.rest_at, b->root.point.world);
    lbm_transform placed;
    lbm_transform_multiply(lbs_body_frame(b, b->root.point.spot), &b->root.point.mount, &placed);
    lbm_copy3(b->root.rest_axes[0], placed.x);
    lbm_copy3(b->root.rest_axes[1], placed.y);
    lbm_copy3(b->root.rest_axes[2], placed.z);
}

/* Feet that are points do not point anywhere: how they have turned about each other, from rest (about `from`) to now
 * (about `to`), is how the body has. */
static void turn_of_points(const lbs_body *b, const double from[2], const double to[2], double *cosine, double *sine) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const double *middle = b->state->feet[i].middle;
        if (lbs_foot_tip(foot) < 0) {
            const double was[2] = {foot->rest_middle[0] - from[0], foot->rest_middle[1] - from[1]};
            const double is[2] = {middle[0] - to[0], middle[1] - to[1]};
            *cosine += was[0] * is[0] + was[1] * is[1];
            *sine += was[0] * is[1] - was[1] * is[0];
        }
    }
}

/* The state of a solve that has not begun: nothing of the one before it is left. */
static void clear(const lbs_body *b) {
    lbs_body_state *s = b->state;
    *s = (lbs_body_state){.planes = s->planes, .grips = s->grips, .slacks = s->slacks};
    for (int i = 0; i < b->stand.contact_count; i++) {
        s->planes[i] = lbs_plane_of(b, b->stand.contacts[i].surface);
        s->grips[i] = 0;
    }
    for (int i = 0; i < b->scene.obstacle_count * b->solid_count; i++) {
        s->slacks[i] = 0;
    }
}

/* Where the root is wished to be: as at rest, but over the feet as they stand now. */
static void begin_body(const lbs_body *b, const lbs_space *s, const double *start) {
    double from[2] = {0, 0}, to[2] = {0, 0}, cosine = 0, sine = 0;
    lbs_body_place_obstacles(b, s, start, 1);
    lbs_body_allow(b, s);
    lbf_update(b->kinematics, start + b->first_variable, &b->figure->every_node);
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        lbs_foothold *stood = &b->state->feet[i];
        stood->state = foot->planned;
        find_foot(b, foot, stood->middle, stood->tip, stood->ahead);
        for (int c = 0; c < 2; c++) {
            from[c] += foot->rest_middle[c] / b->stand.foot_count;
            to[c] += stood->middle[c] / b->stand.foot_count;
        }
        if (lbs_foot_tip(foot) >= 0) {
            cosine += foot->rest_ahead[0] * stood->ahead[0] + foot->rest_ahead[1] * stood->ahead[1];
            sine += foot->rest_ahead[0] * stood->ahead[1] - foot->rest_ahead[1] * stood->ahead[0];
        }
    }
    turn_of_points(b, from, to, &cosine, &sine);
    lbs_body_choose_planes(b);
    if (!b->stand.foot_count) {
        lbs_body_place_point(b, &b->root.point);
        lbm_copy3(b->state->wished_at, b->root.point.world);
        memcpy(b->state->wished_axes, b->root.rest_axes, sizeof b->state->wished_axes);
        b->state->heading[0] = 1;
        b->state->heading[1] = 0;
        return;
    }
    const double length = sqrt(cosine * cosine + sine * sine);
    cosine = length > 0 ? cosine / length : 1;
    sine = length > 0 ? sine / length : 0;
    b->state->heading[0] = cosine;
    b->state->heading[1] = sine;
    const double off[2] = {b->root.rest_at[0] - from[0], b->root.rest_at[1] - from[1]};
    lbm_set3(b->state->wished_at, to[0] + cosine * off[0] - sine * off[1], to[1] + sine * off[0] + cosine * off[1],
             b->root.rest_at[2] + lbs_body_lowest(b));
    for (int i = 0; i < 3; i++) {
        const double *axis = b->root.rest_axes[i];
        lbm_set3(b->state->wished_axes[i], cosine * axis[0] - sine * axis[1], sine * axis[0] + cosine * axis[1],
                 axis[2]);
    }
}

void lbs_bodies_begin(lbs_bodies *all, lbs_space *s, const double *start) {
    if (all->revision != s->revision || all->task.space != s) {
        all->task.space = s;
        all->task.n = s->n;
        int size = s->n;
        for (int i = 0; i < all->count; i++) {
            all->plans[i].stand.first_force = size;
            all->plans[i].stand.grip_room =
                lbs_grip_room(all->bodies[i].body, lb_problem_body(s->problem, all->bodies[i].number));
            size += all->bodies[i].body->contact_count + all->bodies[i].stand.grip_room;
        }
        all->task.size = size;
        all->task.stride = lbm_stride(size);
        for (int i = 0; i < all->count; i++) {
            plan_body(all, &all->plans[i], s);
            find_rest(&all->plans[i]);
        }
        all->revision = s->revision;
    }
    all->task.levels.first = 0;
    all->task.levels.last = s->levels.goal_count - 1;
    for (int i = 0; i < all->count; i++) {
        clear(&all->bodies[i]);
        begin_body(&all->bodies[i], s, start);
        lbs_body_begin_feet(&all->bodies[i], s);
    }
}
