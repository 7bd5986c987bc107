/* How bodies stand: the bounds of the forces at contacts, forces to begin with, and whether a pose stands. */
#include <math.h>

#include "solve/body/body.h"

#define LEAST_PIVOT 1e-9 /* square metres */
#define LEAST_SHARE 0.1  /* of the weight, for all that stand together */
#define KEPT 1e-4        /* metres: a rule that is off by less is kept */

static int is_heel(const lbs_body *b, int contact) {
    const int foot = b->stand.contacts[contact].foot;
    return foot >= 0 && b->stand.feet[foot].heel == contact;
}

static int is_open_heel(const lbs_body *b, int contact) {
    return is_heel(b, contact) && b->state->feet[b->stand.contacts[contact].foot].heel_state == LBS_HEEL_OPEN;
}

static int can_carry(const lbs_body *b, int contact) {
    const int foot = b->stand.contacts[contact].foot;
    return foot < 0 || (b->state->feet[foot].state != LBS_FOOT_LIFTED &&
                        !(is_heel(b, contact) && b->state->feet[foot].heel_state == LBS_HEEL_UP));
}

/* The bounds of x. All that stands carries a little, so that the centre of mass is well inside of what stands. */
void lbs_bound_forces(lbs_bodies *all) {
    const lbs_bodies_task *t = &all->task;
    for (int i = 0; i < t->n; i++) {
        const double most = all->search.max_change / t->space->variables.scale[i];
        const double low = all->first[i] - most, high = all->first[i] + most;
        all->lower[i] = low > t->space->variables.lower[i] ? low : t->space->variables.lower[i];
        all->upper[i] = high < t->space->variables.upper[i] ? high : t->space->variables.upper[i];
    }
    for (int i = t->n; i < t->stride; i++) {
        all->lower[i] = all->upper[i] = 0;
    }
    for (int k = 0; k < all->count; k++) {
        const lbs_body *b = &all->bodies[k];
        int count = 0;
        for (int i = 0; i < b->stand.force_count; i++) {
            const int may_carry = can_carry(b, b->stand.force_contacts[i]);
            all->upper[b->stand.first_force + i] = may_carry;
            count += may_carry;
        }
        for (int i = 0; i < b->stand.force_count; i++) {
            if (can_carry(b, b->stand.force_contacts[i]) && !is_open_heel(b, b->stand.force_contacts[i])) {
                all->lower[b->stand.first_force + i] = LEAST_SHARE / count;
            }
        }
        for (int i = 0; i < 2 * b->state->grip_count; i++) { /* friction */
            const int may_carry = can_carry(b, b->state->grips[i / 2]);
            all->upper[b->stand.first_force + b->stand.contact_count + i] = may_carry;
            all->lower[b->stand.first_force + b->stand.contact_count + i] = -may_carry;
        }
    }
}

/* The weight is shared evenly by all that may carry it. */
void lbs_share_evenly(const lbs_bodies *all, double *x) {
    for (int k = 0; k < all->count; k++) {
        const lbs_body *b = &all->bodies[k];
        int count = 0;
        for (int i = 0; i < b->stand.force_count; i++) {
            count += all->upper[b->stand.first_force + i] > 0;
        }
        for (int i = 0; i < b->body->contact_count; i++) {
            x[b->stand.first_force + i] =
                i < b->stand.force_count && all->upper[b->stand.first_force + i] > 0 ? 1.0 / count : 0;
        }
        for (int i = 0; i < b->stand.grip_room; i++) {
            x[b->stand.first_force + b->stand.contact_count + i] = 0;
        }
    }
}

/* Three equations, each with its right side last. Returns 0 where they are as good as dependent. */
static int solve_three(double rows[3][4], double y[3]) {
    for (int k = 0; k < 3; k++) {
        if (!(rows[k][k] > LEAST_PIVOT)) {
            return 0;
        }
        for (int r = 0; r < 3; r++) {
            const double factor = rows[r][k] / rows[k][k];
            for (int c = k; c < 4 && r != k; c++) {
                rows[r][c] -= factor * rows[k][c];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        y[k] = rows[k][3] / rows[k][k];
    }
    return 1;
}

/* The weight is shared as evenly as holds up the centre of mass of the last evaluation: the forces of least norm with
 * the sum 1 and that centre, f = A'y with A A'y = (1, com). */
void lbs_share_to_balance(const lbs_bodies *all, double *x) {
    for (int k = 0; k < all->count; k++) {
        const lbs_body_stand *stand = &all->bodies[k].stand;
        const double *com = all->bodies[k].state->com;
        double rows[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}, y[3]; /* moments about the centre */
        for (int i = 0; i < stand->force_count; i++) {
            const double *at = stand->contacts[stand->force_contacts[i]].point.world;
            const double a[3] = {1, at[0] - com[0], at[1] - com[1]};
            for (int r = 0; r < 3 && all->upper[stand->first_force + i] > 0; r++) {
                for (int c = 0; c < 3; c++) {
                    rows[r][c] += a[r] * a[c];
                }
            }
        }
        if (!solve_three(rows, y)) {
            continue;
        }
        for (int i = 0; i < stand->force_count; i++) {
            const double *at = stand->contacts[stand->force_contacts[i]].point.world;
            const double force = y[0] + y[1] * (at[0] - com[0]) + y[2] * (at[1] - com[1]);
            const double low = all->lower[stand->first_force + i], high = all->upper[stand->first_force + i];
            x[stand->first_force + i] = force < low ? low : force > high ? high : force;
        }
    }
}

int lbs_balance_count(const lbs_body *b) { return !b->stand.force_count ? 0 : b->state->is_tilted ? 6 : 3; }

/* Whether a rule is one of those by which the forces hold up a body. */
static int is_balance_row(const lbs_bodies *all, int row) {
    for (int i = 0; i < all->count; i++) {
        const lbs_body_stand *stand = &all->bodies[i].stand;
        const int first = all->bodies[i].state->balance_row;
        if (stand->force_count && row >= first && row < first + 3) {
            return 1;
        }
    }
    return 0;
}

/* Feet as the solve began; heels may be where they are. */
static void plant_feet(lbs_bodies *all) {
    for (int i = 0; i < all->count; i++) {
        const lbs_body_stand *stand = &all->bodies[i].stand;
        for (int k = 0; k < stand->foot_count; k++) {
            lbs_foothold *stood = &all->bodies[i].state->feet[k];
            stood->state = stood->first;
            stood->heel_state = LBS_HEEL_UP;
        }
    }
}

int lbs_bodies_stand(lbs_bodies *all, const double *x) {
    const lbs_bodies_task *t = &all->task;
    plant_feet(all);
    lbs_bodies_evaluate(all, x, 1);
    lbs_bodies_report(all, x, LBS_STANDS);
    for (int i = 0; i < t->rules.count; i++) {
        if (!is_balance_row(all, i) && !(fabs(t->rules.residuals[i]) <= KEPT)) {
            return 0;
        }
    }
    for (int i = 0; i < all->count; i++) {
        const lbs_body *b = &all->bodies[i];
        const int is_held_up =
            !b->stand.force_count || !lbs_body_balances(b, t->space) || b->report->result.margin >= 0;
        if (!is_held_up || !(b->report->result.overlap <= KEPT)) {
            return 0;
        }
    }
    return 1;
}

void lbs_set_heels(lbs_bodies *all, lbs_heel_state state) {
    for (int k = 0; k < all->count; k++) {
        for (int i = 0; i < all->bodies[k].stand.foot_count; i++) {
            all->bodies[k].state->feet[i].heel_state = state;
        }
    }
}

void lbs_choose_heels(lbs_bodies *all, double height) {
    for (int k = 0; k < all->count; k++) {
        const lbs_body *b = &all->bodies[k];
        for (int i = 0; i < b->stand.foot_count; i++) {
            const lbs_foot *foot = &b->stand.feet[i];
            if (foot->heel >= 0) {
                const lbs_contact *heel = &b->stand.contacts[foot->heel];
                b->state->feet[i].heel_state = lbs_contact_height(heel) > height ? LBS_HEEL_UP : LBS_HEEL_DOWN;
            }
        }
    }
}

/* --- What the caller states
 * ------------------------------------------------------------------------------------------------- */

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
    if (!foot->ball_count) {
        return lbs_foothold_of(b, foot)->middle[2] - b->options->floor;
    }
    const lbs_contact *ball = &b->stand.contacts[foot->balls[0]];
    return lbs_plane_height(ball->plane, lbs_foothold_of(b, foot)->middle) - ball->radius;
}

void lbs_body_begin_feet(const lbs_body *b, const lbs_space *s) {
    const int is_held = lbs_body_is_held(b, s);
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        lbs_foothold *stood = &b->state->feet[i];
        const int is_free = foot->is_free_to_step;
        if (is_held && is_free && stood->state == LBS_FOOT_PLANTED && foot_height(b, foot) > IN_THE_AIR) {
            stood->state = LBS_FOOT_LIFTED;
        }
        stood->may_step = is_free && !is_held;
        stood->first = stood->state;
    }
}
