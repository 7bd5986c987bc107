/* What lm knows at a point: the value, the Jacobian, the projected gradient and the multipliers of what blocks it. */
#include "solve/eval/level_tangent.h"
#include "solve/methods/lm/lm_state.h"

void lbs_lm_differentiate(lbs_lm *l) {
    lbs_lm_evaluate(l);
    if (l->at == LBS_AT_ITERATE) {
        lbs_differentiate(l->s);
    }
    l->at = LBS_AT_ITERATE_JACOBIAN;
    l->has_moved_jacobian = 0;
}

double lbs_lm_look(lbs_lm *l, const double *z) {
    lbs_space *s = l->s;
    lbs_step_model *model = &l->step.model;
    lbs_step_begin(&l->step, z, l->level);
    for (int i = 0; i < s->n; i++) {
        l->gradient[i] = 2 * model->half_gradient[i];
    }
    if (l->level == 0) {
        return lbs_tangent(s, z, l->gradient, l->projected, model->bound_multipliers, model->limit_multipliers);
    }
    const lbs_projection projection = {l->gradient, l->projected, l->row_multipliers, model->bound_multipliers,
                                       model->limit_multipliers};
    double norm = lbs_level_tangent(s, l->projection_scratch, z, l->level, &projection);
    for (int i = 0; i < s->n; i++) {
        model->lagrangian_half_gradient[i] = 0.5 * l->gradient[i];
    }
    model->row_multipliers = l->row_multipliers;
    return norm;
}
