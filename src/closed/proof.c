/* Where no solution inside the limits was found: whether that is proved.
 *
 * What algebra finds is verified; what it does not find may be missing because digits were. So a proof is given only
 * where nothing of what decided is near to having gone the other way:
 *
 *     the length   whatever the form: a goal farther from the first joint than all ways from joint to joint, and what slides slide, is
 *                  out of reach. No pose changes a way, so that the sum bounds the distance; slack covers rounding
 *     outside      every solution that was found breaks a limit by more than two solutions that count as one may differ by, and
 *                  stands for no other
 *     complete     no equation is near to having a root more: lbc_pieper_is_clear, lbc_general_is_clear, lbc_limb_is_clear, and of
 *                  planar arms the plane itself */
#include <math.h>

#include "closed/closed.h"
#include "math/trig.h"

#define OUTSIDE 1e-5    /* radians and arm lengths that a solution must break a limit by */
#define FAR 1e2         /* times what errors move it by */
#define SURE 1e-2       /* radians: where it may be off by more, it stands for others */
#define WIDER 1e-4      /* radians: a limb's limits may be wider by this, and nothing keeps them */
#define SUM_SLACK 1e-12 /* of lengths */
#define ROUNDED 4e-15   /* of coordinates: more than forward kinematics of seven joints rounds by, 7 * 8 * 2^-53 */

/* Whether the goal is farther away than the arm is long. */
static int is_too_far(const lbc_form *form, const lbc_chain *chain) {
    const lbc_arm *arm = &form->arm;
    double sum = 0, way[3];
    for (int i = 0; i < arm->n; i++) {
        lbm_sub3(i + 1 < arm->n ? arm->point[i + 1] : arm->home.p, arm->point[i], way);
        sum += lbm_norm3(way);
        if (arm->slides[i]) {
            const double low = fabs(chain->lower[i]), high = fabs(chain->upper[i]);
            sum += (low > high ? low : high) / chain->unit[i];
        }
    }
    lbm_sub3(form->goal.p, arm->point[0], way);
    const double rounded = ROUNDED * (lbm_norm3(form->goal.p) + lbm_norm3(arm->point[0]) + sum);
    return form->kind != LB_CLOSED_GROUPED && lbm_norm3(way) > sum + SUM_SLACK * (1 + sum) + rounded;
}

/* Whether a solution outside the limits is so for certain, and alone. */
static int is_outside(const lbc_form *form, const lbc_chain *chain, const lbc_ranked *r) {
    const lbc_solution *s = &form->set.list[r->at];
    if (s->is_free || r->worst < 0) {
        return 0;
    }
    const double by = r->outside / chain->unit[r->worst];
    const int is_pieper = form->kind == LB_CLOSED_MEETING || form->kind == LB_CLOSED_PARALLEL;
    const double condition = form->kind == LB_CLOSED_PLANAR ? lbc_planar_condition(&form->by.planar, s->q)
                                                            : lbc_arm_condition(&form->arm, s->q);
    const double off = FAR * condition * (LBC_VERIFIED + (is_pieper ? form->by.pieper.off : 0));
    return by > OUTSIDE && by > off && off < SURE;
}

static int is_complete(lbc_form *form) {
    const lbc_set *set = &form->set;
    switch (form->kind) {
    case LB_CLOSED_PLANAR:
        return !set->refused;
    case LB_CLOSED_MEETING:
    case LB_CLOSED_PARALLEL:
        return !set->refused && !set->merged &&
               lbc_pieper_is_clear(&form->arm, &form->by.pieper, &form->goal, set->count);
    case LB_CLOSED_GENERAL:
        return lbc_general_is_clear(set, &form->work.general);
    default:
        return 0;
    }
}

int lbc_proves(lbc_form *form, const lbc_chain *chain, const lbc_ranking *ranking) {
    const lbc_set *set = &form->set;
    if (ranking->inside_count > 0 || form->budget.is_spent) {
        return 0;
    }
    if (is_too_far(form, chain)) {
        return 1;
    }
    if (form->kind == LB_CLOSED_LIMB) {
        /* Of a limb's interval one pose stands for all, which a limit over several joints may divide. */
        const int has_rows = chain->figure && chain->figure->row_count > 0;
        return !set->refused && !(has_rows && set->count > 0 && !set->is_outside) &&
               lbc_limb_is_clear(&form->arm, &form->by.limb, &form->goal, WIDER);
    }
    for (int i = 0; i < set->count; i++) {
        if (!is_outside(form, chain, &ranking->list[i])) {
            return 0;
        }
    }
    return is_complete(form);
}
