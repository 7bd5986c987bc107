/* Levers: joints with what hangs on them; and drives: what the motor of a joint bears.
 *
 * With u the unit axis of the joint, a a point of it, and W = sum of w (p - a) over all masses that hang on the joint,
 * less what contacts below it carry, gravity asks of the motor
 *
 *     tau = g u . (W x down) = g (u_y W_x - u_x W_y)      of a turn,
 *     tau = g u_z sum of w                                of a shift.
 *
 * tau over the strength is a wish, and no more than 1 by a condition. A mover above the joint turns u and W alike, the
 * joint's own turns W, those below it turn what hangs on them. */
#include <math.h>

#include "solve/body/body.h"

#define GRAVITY 9.81
#define WISH 0.3 /* of a drive's share: motors do not tire as muscles do, and would rather have arms up than at rest */
#define MARGIN 0.05     /* metres that stand for the whole strength, among conditions */
#define NEAR_STRENGTH 2 /* of MARGIN: all drives that bear anything have rows */

int lbs_hangs_on(const lb_figure *f, int node, int above) {
    while (node > above) {
        node = f->nodes[node].parent;
    }
    return node == above;
}

void lbs_plan_levers(lbs_body *b) {
    const lb_figure *f = b->figure;
    b->weight.lever_count = 0;
    for (int i = 0; i < b->body->strength_count; i++) {
        const lb_body_strength *strength = &b->body->strengths[i];
        lbs_lever *lever = &b->weight.levers[b->weight.lever_count];
        int *below = lever->below;
        double *moment = lever->moment;
        *lever = (lbs_lever){.joint = lbs_plan_point(b, strength->segment, lbs_origin),
                             .node = lbs_body_node(b, strength->segment),
                             .scale = GRAVITY / strength->moment,
                             .below = below,
                             .moment = moment,
                             .strength = i,
                             .is_drive = strength->by_axis};
        if (lever->node < 0) {
            continue;
        }
        for (int node = lever->node + 1; node < f->node_count; node++) {
            int above = f->nodes[node].parent;
            while (above > lever->node) {
                above = f->nodes[above].parent;
            }
            if (above == lever->node) {
                below[lever->below_count++] = node;
            }
        }
        b->weight.lever_count++;
    }
}

/* --- Drives ----------------------------------------------------------------------------------------------------------------- */

typedef struct drive {
    const lbs_body *b;
    const lbs_lever *lever;
    int is_turn;
    double axis[3], at[3], whole[3]; /* u, a, W */
    double mass;                     /* sum of w */
} drive;

static double torque(const double axis[3], const double arm[3]) { return axis[1] * arm[0] - axis[0] * arm[1]; }

/* The derivative of tau / g by a mover at the joint or above it. */
static double change_above(const drive *d, const lbs_body_mover *m) {
    const double *about = d->b->kinematics->axes[m->coordinate];
    double turned[3], arm[3];
    if (!m->is_turn) {
        return 0;
    }
    lbm_cross3(about, d->axis, turned);
    if (!d->is_turn) {
        return turned[2] * d->mass;
    }
    lbm_cross3(about, d->whole, arm);
    return torque(d->axis, arm) + (m->node == d->lever->node ? 0 : torque(turned, d->whole));
}

static double change_below(const drive *d, const lbs_body_mover *m) {
    const lb_kinematics *k = d->b->kinematics;
    const double *about = k->axes[m->coordinate], *moments = d->b->weight.loaded[m->node], *at = k->frames[m->node].p;
    double arm[3];
    if (!d->is_turn) {
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        arm[c] = m->is_turn ? moments[c] - moments[3] * at[c] : moments[3] * about[c];
    }
    if (m->is_turn) {
        lbm_cross3(about, arm, arm);
    }
    return torque(d->axis, arm);
}

static void fill_node(const drive *d, int node, int is_above, double factor, double *row) {
    const lbs_body_motion *motion = &d->b->motion;
    for (int i = 0; i < motion->mover_counts[node]; i++) {
        const lbs_body_mover *m = &motion->movers[motion->first_movers[node] + i];
        const double slope = (m->term < 0 ? 1 : d->b->kinematics->slopes[m->term]) * m->scale;
        row[m->column] += factor * slope * (is_above ? change_above(d, m) : change_below(d, m));
    }
}

/* The derivatives of factor * tau / g. */
static void fill_row(const drive *d, double factor, double *row) {
    const lbs_body *b = d->b;
    const lb_figure *f = b->figure;
    for (int node = d->lever->node; node >= 0; node = f->nodes[node].parent) {
        fill_node(d, node, 1, factor, row);
    }
    for (int k = 0; k < d->lever->below_count; k++) {
        fill_node(d, d->lever->below[k], 0, factor, row);
    }
    for (int i = 0; i < lbs_push_count(b); i++) {
        const lbs_push push = lbs_push_of(b, i);
        const lbs_body_point *point = &b->stand.contacts[push.contact].point;
        if (lbs_hangs_on(f, b->motion.spots[point->spot].node, d->lever->node)) {
            const double rate = factor * b->weight.mass * push.direction[2];
            double arm[3];
            lbm_sub3(point->world, d->at, arm);
            row[b->stand.first_force + push.force] -= rate * (d->is_turn ? torque(d->axis, arm) : d->axis[2]);
        }
    }
}

void lbs_body_drive(const lbs_body *b, lbs_bodies_task *t, const lbs_lever *lever) {
    const lbf_node *node = &b->figure->nodes[lever->node];
    const double *moments = b->weight.loaded[lever->node];
    const double factor = WISH * sqrt(b->options->effort) * lever->scale;
    drive d = {.b = b, .lever = lever, .is_turn = node->kind != LBF_NODE_TRANSLATE, .mass = moments[3]};
    lbm_copy3(d.axis, b->kinematics->axes[node->coordinate]);
    lbm_copy3(d.at, b->kinematics->frames[lever->node].p);
    for (int c = 0; c < 3; c++) {
        d.whole[c] = moments[c] - moments[3] * d.at[c];
    }
    const double asked = d.is_turn ? torque(d.axis, d.whole) : d.axis[2] * d.mass;
    const double share = lever->scale * asked, sign = share < 0 ? -1 : 1;
    lever->moment[0] = share;
    lever->moment[1] = 0;
    double *row = lbs_add_wish(t, factor * asked);
    if (row) {
        fill_row(&d, factor, row);
    }
    row = b->options->drives ? lbs_add_condition(t, MARGIN * (sign * share - 1), NEAR_STRENGTH * MARGIN) : NULL;
    if (row) {
        fill_row(&d, MARGIN * sign * lever->scale, row);
    }
}
