/* What the caller states himself replaces the body's own rule. */
#include "solve/body/body.h"

#define IN_THE_AIR 0.02 /* metres above the floor: a foot that is higher and cannot come down is lifted */

int lbs_body_is_held(const lbs_body *b, const lbs_space *s) {
    for (int i = 0; i < 3 && b->root.is_free; i++) {
        if (s->variables.active_of[b->first_variable + i] >= 0) {
            return 0;
        }
    }
    return 1;
}

/* Whether a constraint keeps the centre of mass over an area. */
static int is_balance(const lbs_body *b, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    return item->enabled && c->figure == b->number && c->effector.kind == LB_EFFECTOR_COM &&
           (c->goal.kind == LB_GOAL_POLYHEDRON || c->goal.kind == LB_GOAL_HALF_SPACE);
}

int lbs_body_balances(const lbs_body *b, const lbs_space *s) {
    for (int i = 0; i < s->item_count; i++) {
        if (is_balance(b, &s->items[i])) {
            return 0;
        }
    }
    return b->options->balance && !lbs_body_is_held(b, s);
}

/* Metres that a foot was above its surface in the start pose. */
static double foot_height(const lbs_body *b, const lbs_foot *foot) {
    return foot->ball_count ? lbs_plane_height(&b->stand.contacts[foot->balls[0]].plane, foot->middle)
                            : foot->middle[2] - b->options->floor;
}

void lbs_body_leave_feet(lbs_body *b, const lbs_space *s) {
    for (int i = 0; i < b->stand.foot_count && lbs_body_is_held(b, s); i++) {
        lbs_foot *foot = &b->stand.feet[i];
        if (foot->is_free_to_step && foot->state == LBS_FOOT_PLANTED && foot_height(b, foot) > IN_THE_AIR) {
            foot->state = LBS_FOOT_LIFTED;
        }
        foot->is_free_to_step = 0;
    }
}
