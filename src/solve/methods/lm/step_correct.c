/* Corrections of a trial by the factor of the step that led to it: the second-order correction of the level's own
 * rows, and the restoration of higher levels' rows and of guards. Neither makes a new Jacobian. */
#include "solve/methods/lm/step_parts.h"

void lbs_step_second_order(lbs_step *p, double *correction) {
    const lbs_space *s = p->s;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p);
    const lbm_matrix rows = lbs_matrix(s, first, own);
    s->kernels->times(&rows, p->d, p->row_products);
    for (int i = 0; i < own; i++) {
        p->correction_rhs[i] = s->last.residuals[first + i] - p->model.residuals[first + i] - p->row_products[i];
    }
    if (!p->is_dual) {
        s->kernels->transpose_times(&rows, p->correction_rhs, p->correction_gradient);
        lbm_box_matrix box = lbs_step_primal_box(p, p->damping);
        lbm_box_matrix_again(&box, p->correction_gradient, correction);
        return;
    }
    for (int i = own; i < own + first + p->active.count; i++) {
        p->correction_rhs[i] = 0;
    }
    lbm_box_rows box = lbs_step_dual_box(p);
    lbm_box_rows_again(&box, p->correction_rhs, correction);
}

/* How far a guard is from where it should be: on its face, or as far beyond the face as it was at z. */
static double face_error(const lbs_step *p, int guard) {
    double before = p->s->last.guards[guard].value;
    return lbs_guard_value(p->s, guard) - (before > 0 ? before : 0);
}

double lbs_step_face_error(const lbs_step *p) {
    double most = 0;
    for (int i = 0; i < p->active.count; i++) {
        if (!lbs_step_is_guard(p, p->active.numbers[i])) {
            continue;
        }
        double error = fabs(face_error(p, p->active.numbers[i] - p->s->limits.count));
        if (error > most) {
            most = error;
        }
    }
    return most;
}

/* The weighted errors of the higher levels' rows and of the active set; the level's own rows may change. */
static void fill_restoration_rhs(lbs_step *p, int is_met) {
    const lbs_space *s = p->s;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p);
    double *rhs = p->correction_rhs;
    for (int i = 0; i < own; i++) {
        rhs[i] = 0;
    }
    for (int i = 0; i < first; i++) {
        rhs[own + i] = LBS_EQUALITY_WEIGHT * (s->last.residuals[i] - (is_met ? 0 : p->model.residuals[i]));
    }
    for (int i = 0; i < p->active.count; i++) {
        int number = p->active.numbers[i];
        rhs[own + first + i] =
            lbs_step_is_guard(p, number) ? LBS_EQUALITY_WEIGHT * face_error(p, number - s->limits.count) : 0;
    }
}

void lbs_step_chord(lbs_step *p, int is_met, double *correction) {
    const lbs_space *s = p->s;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p);
    const double *rhs = p->correction_rhs;
    fill_restoration_rhs(p, is_met);
    if (p->is_dual) {
        lbm_box_rows box = lbs_step_dual_box(p);
        lbm_box_rows_again(&box, rhs, correction);
        return;
    }
    const lbm_matrix rows = lbs_matrix(s, 0, first);
    for (int i = 0; i < first; i++) {
        p->weighted_errors[i] = LBS_EQUALITY_WEIGHT * rhs[own + i];
    }
    s->kernels->transpose_times(&rows, p->weighted_errors, p->correction_gradient);
    for (int i = 0; i < p->active.count; i++) {
        if (!lbs_step_is_guard(p, p->active.numbers[i])) {
            continue;
        }
        const double *row = lbs_step_guard_row(p, p->active.numbers[i]);
        for (int k = 0; k < s->n; k++) {
            p->correction_gradient[k] += LBS_EQUALITY_WEIGHT * rhs[own + first + i] * row[k];
        }
    }
    lbm_box_matrix box = lbs_step_primal_box(p, p->damping);
    lbm_box_matrix_again(&box, p->correction_gradient, correction);
}
