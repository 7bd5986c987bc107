/* What became of a body: contacts, forces, efforts, steps, and how firmly it stands. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"

#define UNDER 0.5     /* cosine of a slope: what is steeper is leant on, not stood on */
#define STEPPED 0.005 /* metres: a foot that moved less did not step */

static double cross(const double o[3], const double a[3], const double b[3]) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* Whether a contact stands on something that it could stand on by itself. */
static int is_under(const lbs_body *b, int contact) {
    return b->report->contacts[contact].stands && b->stand.contacts[contact].plane->axes.normal[2] > UNDER;
}

/* How far a point is inside the convex hull of those that stand, seen from above: the least over all lines through two
 * of them that have all others on one side. */
static double margin_of(const lbs_body *b, const double at[3]) {
    double least = INFINITY;
    int count = 0;
    for (int i = 0; i < b->stand.contact_count; i++) {
        count += is_under(b, i);
        for (int k = 0; k < b->stand.contact_count; k++) {
            const double *p = b->report->contacts[i].point, *q = b->report->contacts[k].point;
            const double length = sqrt((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]));
            int is_edge = i != k && is_under(b, i) && is_under(b, k) && length > 1e-9;
            for (int j = 0; j < b->stand.contact_count && is_edge; j++) {
                is_edge = !is_under(b, j) || cross(p, q, b->report->contacts[j].point) >= -1e-12;
            }
            if (is_edge && cross(p, q, at) / length < least) {
                least = cross(p, q, at) / length;
            }
        }
    }
    return count >= 3 && least < INFINITY ? least : -INFINITY;
}

static void sort_efforts(lb_effort_result *efforts, int count) {
    for (int i = 1; i < count; i++) {
        const lb_effort_result moved = efforts[i];
        int k = i;
        for (; k > 0 && efforts[k - 1].share < moved.share; k--) {
            efforts[k] = efforts[k - 1];
        }
        efforts[k] = moved;
    }
}

static void report_feet(const lbs_body *b) {
    lb_body_result *r = &b->report->result;
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const lbs_foothold *stood = &b->state->feet[i];
        double middle[3] = {0, 0, 0};
        for (int k = 0; k < foot->ball_count; k++) {
            lbm_add_scaled3(middle, b->stand.contacts[foot->balls[k]].point.world, 1.0 / foot->ball_count);
        }
        const double x = middle[0] - stood->middle[0], y = middle[1] - stood->middle[1], way = sqrt(x * x + y * y);
        if (stood->state == LBS_FOOT_STEPS && way > STEPPED) {
            b->report->steps[r->step_count++] = (lb_step_result){foot->limb, way};
        }
    }
}

/* The forces of the surfaces. What the ball of a foot has of friction its points share as they share the weight. */
static void report_forces(const lbs_body *b, const double *forces) {
    for (int i = 0; i < lbs_push_count(b); i++) {
        const lbs_push push = lbs_push_of(b, i);
        const int foot = i < b->stand.force_count ? -1 : b->stand.contacts[push.contact].foot;
        double sum = 0;
        for (int k = 0; k < b->stand.force_count && foot >= 0; k++) {
            sum += b->stand.contacts[b->stand.force_contacts[k]].foot == foot ? forces[k] : 0;
        }
        if (foot < 0) {
            lbm_add_scaled3(b->report->contacts[push.contact].force, push.direction, forces[push.force]);
        }
        for (int k = 0; k < b->stand.force_count && foot >= 0 && sum > 0; k++) {
            const int contact = b->stand.force_contacts[k];
            if (b->stand.contacts[contact].foot == foot) {
                lbm_add_scaled3(b->report->contacts[contact].force, push.direction,
                                forces[push.force] * forces[k] / sum);
            }
        }
    }
    for (int i = 0; i < b->stand.contact_count; i++) {
        b->report->contacts[i].share = b->report->contacts[i].force[2];
    }
}

/* What the rules of balance miss. */
static double imbalance_of(const lbs_bodies *all, const lbs_body *b) {
    const double *missed = all->task.rules.residuals + b->state->balance_row;
    const int count = lbs_balance_count(b);
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double from_centre =
            count == 3 && i > 0 ? b->state->com[i - 1] * missed[0] : 0; /* not from the world's origin */
        const double off = fabs(missed[i] - from_centre);
        most = off > most ? off : most;
    }
    return most;
}

static void report_body(lbs_bodies *all, const lbs_body *b, const double *x, double stands) {
    lb_body_result *r = &b->report->result;
    *r = (lb_body_result){.contact_count = b->stand.contact_count,
                          .contacts = b->report->contacts,
                          .effort_count = b->weight.lever_count,
                          .efforts = b->report->efforts,
                          .steps = b->report->steps,
                          .start = all->start_name};
    for (int i = 0; i < b->stand.contact_count; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        const int may_stand =
            contact->is_support || (contact->foot >= 0 && b->state->feet[contact->foot].state != LBS_FOOT_LIFTED);
        lb_contact_result *made = &b->report->contacts[i];
        *made = (lb_contact_result){.contact = i,
                                    .stands = may_stand && lbs_contact_height(contact) <= stands,
                                    .surface = contact->plane->surface};
        lbs_contact_place(contact, made->point);
    }
    report_forces(b, x + b->stand.first_force);
    for (int i = 0; i < b->weight.lever_count; i++) {
        const double *m = b->weight.levers[i].moment;
        b->report->efforts[i] = (lb_effort_result){b->weight.levers[i].strength, sqrt(m[0] * m[0] + m[1] * m[1])};
    }
    sort_efforts(b->report->efforts, b->weight.lever_count);
    report_feet(b);
    lbm_copy3(r->com, b->state->com);
    r->margin = margin_of(b, b->state->com);
    memcpy(r->terms, all->task.values->terms, sizeof r->terms);
    for (int i = 0; i < all->task.conditions.count; i++) {
        const double off = all->task.conditions.values[i];
        r->overlap = off > r->overlap ? off : r->overlap;
    }
    r->imbalance = imbalance_of(all, b);
}

void lbs_bodies_report(lbs_bodies *all, const double *x, double stands) {
    for (int i = 0; i < all->count; i++) {
        report_body(all, &all->bodies[i], x, stands);
    }
}

const lb_body_result *lb_solver_body(const lb_solver *solver, int figure) {
    for (int i = 0; solver && solver->bodies && i < solver->bodies->count; i++) {
        if (solver->bodies->bodies[i].number == figure) {
            return &solver->bodies->bodies[i].report->result;
        }
    }
    return NULL;
}
