/* Contacts and feet: which points of a body may stand, on what, and which feet stay, step or are lifted. */
#include <math.h>

#include "solve/body/body.h"

#define LIFTED 0.02       /* metres: a goal so much higher than where its foot stands lifts it */
#define LIFTED_SMALL 0.03 /* the same of small bodies, as a share of the height of their root */

int lbs_foot_tip(const lbs_foot *foot) {
    return foot->toe >= 0 ? foot->toe : foot->ball_count > 1 ? foot->balls[0] : -1;
}

static lbs_foot *foot_of(lbs_body *b, int limb) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        if (b->stand.feet[i].limb == limb) {
            return &b->stand.feet[i];
        }
    }
    return NULL;
}

static void add_to_foot(lbs_body *b, int contact) {
    const lb_body_contact *c = &b->body->contacts[contact];
    lbs_foot *foot = foot_of(b, c->limb);
    if (!foot) {
        if (b->stand.foot_count == LBS_MAX_FEET) {
            return;
        }
        foot = &b->stand.feet[b->stand.foot_count++];
        *foot = (lbs_foot){.limb = c->limb, .heel = -1, .toe = -1, .told = LBS_NOT_TOLD};
    }
    b->stand.contacts[contact].foot = (int)(foot - b->stand.feet);
    if (c->kind == LB_CONTACT_HEEL) {
        foot->heel = contact;
    } else if (c->kind == LB_CONTACT_TOE) {
        foot->toe = contact;
    } else if (foot->ball_count < LBS_MAX_BALLS) {
        foot->balls[foot->ball_count++] = contact;
    }
}

void lbs_plan_contacts(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    b->stand.contact_count = body->contact_count;
    b->stand.foot_count = b->stand.force_count = b->stand.is_seated = 0;
    for (int i = 0; i < body->contact_count; i++) {
        lbs_contact *contact = &b->stand.contacts[i];
        const lb_contact_kind kind = body->contacts[i].kind;
        *contact = (lbs_contact){.point = lbs_plan_point(b, body->contacts[i].segment, body->contacts[i].point),
                                 .force = -1,
                                 .foot = -1,
                                 .surface = -1,
                                 .plane = &b->state->planes[i],
                                 .radius = body->contacts[i].radius};
        if (kind == LB_CONTACT_HEEL || kind == LB_CONTACT_BALL || kind == LB_CONTACT_TOE) {
            add_to_foot(b, i);
        }
    }
    for (int i = 0; i < b->options->support_count; i++) {
        const lb_support *support = &b->options->supports[i];
        lbs_contact *contact = &b->stand.contacts[support->contact];
        if (contact->foot >= 0) {
            b->stand.feet[contact->foot].told = support->surface;
            continue;
        }
        contact->is_support = 1;
        b->stand.is_seated |= body->contacts[support->contact].kind == LB_CONTACT_SEAT;
        contact->surface = support->surface;
    }
    const int balances = lbs_body_balances(b, s);
    for (int i = 0; i < b->stand.contact_count && balances; i++) {
        if (b->stand.contacts[i].foot >= 0 || b->stand.contacts[i].is_support) {
            b->stand.contacts[i].force = b->stand.force_count;
            b->stand.force_contacts[b->stand.force_count++] = i;
        }
    }
}
/* How a constraint on a foot moves it, with the body as it is at rest. */
static lbs_foot_state moved_foot(lbs_body *b, const lb_constraint *c, double rest_height) {
    const int is_in_world = c->goal.carrier_segment < 0;
    const int has_point =
        c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME || c->goal.kind == LB_GOAL_PLANE;
    lbs_body_place_point(b, &b->root.point);
    const double small = LIFTED_SMALL * b->root.point.world[2];
    const double least = small > 0 && small < LIFTED ? small : LIFTED;
    return is_in_world && has_point && c->goal.point[2] > rest_height + least ? LBS_FOOT_LIFTED : LBS_FOOT_STEPS;
}

void lbs_plan_feet(lbs_body *b, const lbs_space *s) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        lbs_foot *foot = &b->stand.feet[i];
        const lb_foot_mode mode = foot->limb >= 0 ? b->options->feet_modes[foot->limb] : LB_FOOT_MODE_AUTO;
        foot->planned = mode == LB_FOOT_MODE_STEP     ? LBS_FOOT_STEPS
                        : mode == LB_FOOT_MODE_LIFTED ? LBS_FOOT_LIFTED
                                                      : LBS_FOOT_PLANTED;
        foot->is_free_to_step = mode == LB_FOOT_MODE_AUTO;
        for (int k = 0; k < s->item_count && mode == LB_FOOT_MODE_AUTO; k++) {
            const lb_constraint *c = s->items[k].constraint;
            if (!s->items[k].enabled || c->figure != b->number || c->effector.kind != LB_EFFECTOR_FRAME) {
                continue;
            }
            const int heel = foot->heel >= 0 ? b->body->contacts[foot->heel].segment : -1;
            const int ball = foot->ball_count ? b->body->contacts[foot->balls[0]].segment : -1;
            if (c->effector.segment == heel || c->effector.segment == ball) {
                const lbs_body_point at = lbs_body_point_of(b, c->effector.segment, c->effector.point);
                double world[3];
                lbm_apply(lbs_body_frame(b, at.spot), at.local, world);
                foot->planned = moved_foot(b, c, world[2]);
                foot->is_free_to_step = 0;
            }
        }
        for (int k = 0; k < b->stand.contact_count && mode == LB_FOOT_MODE_AUTO; k++) {
            if (b->stand.contacts[k].is_support && b->body->contacts[k].limb == foot->limb) {
                foot->planned = LBS_FOOT_STEPS;
                foot->is_free_to_step = 0;
            }
        }
        foot->is_asked = foot->told != LBS_NOT_TOLD && mode == LB_FOOT_MODE_AUTO && foot->planned != LBS_FOOT_LIFTED;
        foot->is_free_to_step &= foot->told == LBS_NOT_TOLD;
    }
}
