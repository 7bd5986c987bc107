/* Rules of a body that are equal to zero: feet stand where they stand, supports rest on their surfaces, and the forces
 * at the contacts hold up the centre of mass. */
#include "solve/body/body.h"

/* A contact on its surface. */
static void add_height(const lbs_body *b, lbs_bodies_task *t, const lbs_contact *contact) {
    double *row = lbs_add_row(t, &t->rules, lbs_contact_height(contact));
    if (row) {
        lbs_add_point(b, t, row, &contact->point, contact->plane->axes.normal, 1);
    }
}

/* A planted foot: the middle of its balls stays, and its toe does not turn aside. Both are told along the foot, so that
 * it does not matter how it stands in the world. */
static void add_plant(const lbs_body *b, lbs_bodies_task *t, const lbs_foot *foot) {
    const lbs_foothold *stood = lbs_foothold_of(b, foot);
    const double aside[3] = {-stood->ahead[1], stood->ahead[0], 0};
    double middle[3] = {0, 0, 0}, off[3];
    for (int i = 0; i < foot->ball_count; i++) {
        lbm_add_scaled3(middle, b->stand.contacts[foot->balls[i]].point.world, 1.0 / foot->ball_count);
    }
    lbm_sub3(middle, stood->middle, off);
    for (int c = 0; c < 2; c++) {
        const double *along = c ? aside : stood->ahead;
        double *row = lbs_add_row(t, &t->rules, lbm_dot3(along, off));
        for (int i = 0; row && i < foot->ball_count; i++) {
            lbs_add_point(b, t, row, &b->stand.contacts[foot->balls[i]].point, along, 1.0 / foot->ball_count);
        }
    }
    if (lbs_foot_tip(foot) >= 0) {
        const lbs_body_point *toe = &b->stand.contacts[lbs_foot_tip(foot)].point;
        lbm_sub3(toe->world, stood->tip, off);
        double *row = lbs_add_row(t, &t->rules, lbm_dot3(aside, off));
        if (row) {
            lbs_add_point(b, t, row, toe, aside, 1);
        }
    }
}

static void add_foot(const lbs_body *b, lbs_bodies_task *t, const lbs_foot *foot) {
    const lbs_foot_state state = lbs_foothold_of(b, foot)->state;
    if (state == LBS_FOOT_LIFTED) {
        return;
    }
    for (int i = 0; i < foot->ball_count; i++) {
        add_height(b, t, &b->stand.contacts[foot->balls[i]]);
    }
    if (foot->toe >= 0) {
        add_height(b, t, &b->stand.contacts[foot->toe]);
    }
    if (state == LBS_FOOT_PLANTED) {
        add_plant(b, t, foot);
    }
}

void lbs_add_com(const lbs_body *b, double *row, int axis, double sign) {
    const lb_kinematics *k = b->kinematics;
    for (int i = 0; i < b->motion.mover_count; i++) {
        const lbs_body_mover *m = &b->motion.movers[i];
        const double f = sign * (m->term < 0 ? 1 : k->slopes[m->term]) * m->scale / b->weight.mass;
        const double *u = k->axes[m->coordinate], *moments = b->weight.moments[m->node], *at = k->frames[m->node].p;
        if (!m->is_turn) {
            row[m->column] += f * moments[3] * u[axis];
            continue;
        }
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        row[m->column] +=
            f * (u[next] * (moments[last] - moments[3] * at[last]) - u[last] * (moments[next] - moments[3] * at[next]));
    }
}

static void add_balance(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    double sum = -1, centre[2] = {-b->state->com[0], -b->state->com[1]};
    for (int i = 0; i < b->stand.force_count; i++) {
        const double *at = b->stand.contacts[b->stand.force_contacts[i]].point.world;
        sum += forces[i];
        centre[0] += forces[i] * at[0];
        centre[1] += forces[i] * at[1];
    }
    b->state->balance_row = t->rules.count;
    double *row = lbs_add_row(t, &t->rules, sum);
    for (int i = 0; row && i < b->stand.force_count; i++) {
        row[b->stand.first_force + i] = 1;
    }
    for (int c = 0; c < 2; c++) {
        const double along[3] = {c == 0, c == 1, 0};
        row = lbs_add_row(t, &t->rules, centre[c]);
        if (!row) {
            continue;
        }
        for (int i = 0; i < b->stand.force_count; i++) {
            const lbs_body_point *point = &b->stand.contacts[b->stand.force_contacts[i]].point;
            row[b->stand.first_force + i] += point->world[c];
            if (forces[i] != 0) {
                lbs_add_point(b, t, row, point, along, forces[i]);
            }
        }
        lbs_add_com(b, row, c, -1);
    }
}

void lbs_body_rules(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        add_foot(b, t, &b->stand.feet[i]);
    }
    for (int i = 0; i < b->stand.contact_count; i++) {
        if (b->stand.contacts[i].is_support) {
            add_height(b, t, &b->stand.contacts[i]);
        }
    }
    if (b->stand.force_count && b->state->is_tilted) {
        lbs_add_statics(b, t, forces);
    } else if (b->stand.force_count) {
        add_balance(b, t, forces);
    }
    for (int i = 0; i < b->stand.foot_count;
         i++) { /* last, so that the rows of all others have their numbers in any case */
        const lbs_foot *foot = &b->stand.feet[i];
        lbs_foothold *stood = &b->state->feet[i];
        if (foot->heel >= 0 && stood->state != LBS_FOOT_LIFTED && stood->heel_state == LBS_HEEL_DOWN) {
            stood->heel_row = t->rules.count;
            add_height(b, t, &b->stand.contacts[foot->heel]);
        }
    }
}
