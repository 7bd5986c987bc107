/* Limits, windings and the order of solutions. */
#include <math.h>

#include "closed/closed.h"
#include "math/trig.h"

int lbc_windings(const lbc_form *form, const lbc_chain *chain, int joint, const double value_and_near[2],
                 double values[LBC_TURNS]) {
    const double lower = chain->lower[joint], upper = chain->upper[joint];
    const double value = value_and_near[0], near = value_and_near[1];
    int count = 0;
    values[0] = value;
    if (form->arm.slides[joint]) {
        values[0] = value < lower ? lower : value > upper ? upper : value;
        return fabs(values[0] - value) <= LBC_ON_LIMIT;
    }
    const double widest =
        upper - lower < INFINITY ? INFINITY : LBM_TWO_PI; /* of a joint without limits: +-360 degrees */
    const int turns =
        widest == INFINITY && lower >= -3 * LBM_PI && upper <= 3 * LBM_PI && fabs(value) <= LBM_PI ? 1 : 2;
    const double about = lbc_far_turn(lower, upper);
    for (int turn = -turns; turn <= turns; turn++) {
        double wound = value + (about + turn) * LBM_TWO_PI;
        if (!(wound >= lower - LBC_ON_LIMIT && wound <= upper + LBC_ON_LIMIT) || fabs(wound) > widest) {
            continue;
        }
        wound = wound < lower ? lower : wound > upper ? upper : wound;
        int at = count++;
        for (; at > 0 && fabs(values[at - 1] - near) > fabs(wound - near); at--) {
            values[at] = values[at - 1];
        }
        values[at] = wound;
    }
    return count;
}

/* The winding nearest to `near` inside the limits: the first of lbc_windings, in most cases without making the
 * others. */
static int nearest_winding(const lbc_form *form, const lbc_chain *chain, int joint, const double value_and_near[2],
                           double *nearest) {
    const double lower = chain->lower[joint], upper = chain->upper[joint], to_integer = 0x1.8p52;
    const double turns = ((value_and_near[0] - value_and_near[1]) / LBM_TWO_PI + to_integer) - to_integer;
    const double wound = value_and_near[0] - turns * LBM_TWO_PI;
    if (wound >= lower && wound <= upper && turns * turns <= 1 && upper - lower < INFINITY &&
        !form->arm.slides[joint]) {
        *nearest = wound;
        return 1;
    }
    double all[LBC_TURNS];
    const int count = lbc_windings(form, chain, joint, value_and_near, all);
    *nearest = all[0];
    return count > 0;
}

/* The winding that is least outside, and by how much. */
static double outside_by(const lbc_form *form, const lbc_chain *chain, int joint, double value, double *nearest) {
    const double lower = chain->lower[joint], upper = chain->upper[joint];
    const int slides = form->arm.slides[joint], turns = slides ? 0 : 2;
    const double about = slides ? 0 : lbc_far_turn(lower, upper);
    double least = INFINITY;
    for (int turn = -turns; turn <= turns; turn++) {
        const double wound = value + (about + turn) * LBM_TWO_PI;
        const double out = wound < lower ? lower - wound : wound > upper ? wound - upper : 0;
        if (out < least) {
            least = out;
            *nearest = wound;
        }
    }
    return least;
}

/* Limits over several variables, those off the chain as the arm was made with. */
static void check_rows(const lbc_chain *chain, int n, lbc_ranked *r) {
    const lb_figure *f = chain->figure;
    for (int row = 0; row < f->row_count; row++) {
        const lb_limit_row *limit = &f->rows[row];
        double sum = -limit->bound;
        int joint = -1;
        for (int k = 0; k < limit->count; k++) {
            double value = chain->pose[limit->variables[k]];
            for (int i = 0; i < n; i++) {
                if (chain->variable[i] == limit->variables[k]) {
                    value = r->values[i];
                    joint = i;
                }
            }
            sum += limit->coefficients[k] * value;
        }
        const double out = limit->kind == LB_LIMIT_EQUAL ? fabs(sum) : sum;
        if (joint >= 0 && out > LBC_ON_LIMIT && out > r->outside) {
            r->is_inside = 0;
            r->worst = joint;
            r->outside = out;
        }
    }
}

static void rank_one(const lbc_form *form, const lbc_chain *chain, int at, const double *start, lbc_ranked *r) {
    const lbc_solution *solution = &form->set.list[at];
    *r = (lbc_ranked){at, 1, -1, 0, 0, {0}};
    for (int i = 0; i < form->arm.n; i++) {
        const double value = solution->q[i] * chain->unit[i], near = start[chain->variable[i]];
        if (!nearest_winding(form, chain, i, (const double[2]){value, near}, &r->values[i])) {
            const double out = outside_by(form, chain, i, value, &r->values[i]);
            r->is_inside = 0;
            if (out > r->outside) {
                r->outside = out;
                r->worst = i;
            }
        }
        r->distance2 += (r->values[i] - near) * (r->values[i] - near);
    }
    if (chain->figure && chain->figure->row_count) {
        check_rows(chain, form->arm.n, r);
    }
}

/* Whether a comes before b: inside before outside, those by the distance from the start, these by what they break. */
static int comes_before(const lbc_ranked *a, const lbc_ranked *b) {
    if (a->is_inside != b->is_inside) {
        return a->is_inside;
    }
    if (!a->is_inside && a->outside != b->outside) {
        return a->outside < b->outside;
    }
    return a->distance2 < b->distance2;
}

void lbc_rank(const lbc_form *form, const lbc_chain *chain, const double *start, lbc_ranking *ranking) {
    ranking->inside_count = 0;
    for (int i = 0; i < form->set.count; i++) {
        lbc_ranked r;
        rank_one(form, chain, i, start, &r);
        ranking->inside_count += r.is_inside;
        int at = i;
        for (; at > 0 && comes_before(&r, &ranking->list[at - 1]); at--) {
            ranking->list[at] = ranking->list[at - 1];
        }
        ranking->list[at] = r;
    }
}
