/* Which variables of a problem may move and how easily, and what is wished of all of them. */
#include "problem/problem.h"

#include <math.h>
#include <string.h>

#include "figure/figure.h"

static lb_status check_variable(lb_problem *p, int variable) {
    char number[24];
    if (variable >= 0 && variable < p->variable_count) {
        return LB_OK;
    }
    return LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no variable number ", lbf_integer_text(variable, number));
}

lb_status lb_problem_set_active(lb_problem *p, int variable, int active) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_variable(p, variable);
    if (status) {
        return status;
    }
    p->active[variable] = active != 0;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_set_rigidity(lb_problem *p, int variable, double rigidity) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_variable(p, variable);
    if (status) {
        return status;
    }
    if (!(rigidity >= 0 && rigidity <= 1)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a rigidity that is not between 0 and 1");
    }
    p->rigidity[variable] = rigidity;
    p->revision++;
    return LB_OK;
}

lb_status lb_problem_set_joint_active(lb_problem *p, int figure, int joint, int active) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = lb_problem_figure(p, figure);
    const lb_joint *j = f ? lb_figure_joint(f, joint) : NULL;
    if (!j) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no such joint to switch");
    }
    int dofs = lb_joint_type_dof_count(&j->type), first = p->first_variables[figure];
    p->revision++;
    for (int i = 0; i < dofs; i++) {
        int coordinate = lbf_coordinate(f, joint, i), own = f->coordinate_variable[coordinate];
        int driven = f->coordinate_driven[coordinate];
        if (own >= 0) {
            p->active[first + own] = active != 0;
        }
        for (int t = 0; driven >= 0 && t < f->driven[driven].term_count; t++) {
            p->active[first + f->terms[f->driven[driven].first_term + t].variable] = active != 0;
        }
    }
    return LB_OK;
}

lb_status lb_problem_set_root_active(lb_problem *p, int figure, int active) {
    const lb_figure *f = p ? lb_problem_figure(p, figure) : NULL;
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (!f) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "there is no such figure in the problem");
    }
    for (int i = 0; i < f->root_coordinates; i++) {
        p->active[p->first_variables[figure] + i] = active != 0;
    }
    p->revision++;
    return LB_OK;
}

/* Whether there are wishes, and on which level, decides about memory; what they weigh does not. */
static void change_wishes(lb_problem *p, const lbp_wishes *wishes) {
    int had = lbp_has_wishes(p), had_level = lbp_has_wish_level(p);
    p->wishes = *wishes;
    p->shape += lbp_has_wishes(p) != had || lbp_has_wish_level(p) != had_level;
    p->revision++;
}

static lb_status check_weight(lb_problem *p, double weight) {
    if (weight >= 0 && lbm_is_finite(weight)) {
        return LB_OK;
    }
    return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a wish's weight is negative or not finite");
}

lb_status lb_problem_set_posture(lb_problem *p, const double *pose, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    if (pose && !lbm_all_finite(pose, p->variable_count)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the preferred posture is not finite");
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            int v = p->first_variables[f] + i;
            p->posture[v] = pose ? pose[v] : p->figures[f]->rest[i];
        }
    }
    lbp_wishes wishes = p->wishes;
    wishes.posture_weight = weight;
    change_wishes(p, &wishes);
    return LB_OK;
}

/* The weight of a wish that has nothing else to it: `field` is its place in lbp_wishes. */
static lb_status set_weight(lb_problem *p, size_t field, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    lbp_wishes wishes = p->wishes;
    memcpy((char *)&wishes + field, &weight, sizeof weight);
    change_wishes(p, &wishes);
    return LB_OK;
}

lb_status lb_problem_set_stay(lb_problem *p, double weight) {
    return set_weight(p, offsetof(lbp_wishes, stay_weight), weight);
}

lb_status lb_problem_set_margin(lb_problem *p, double margin, double weight) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_weight(p, weight);
    if (status) {
        return status;
    }
    if (!(margin >= 0) || !lbm_is_finite(margin)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a margin that is negative or not finite");
    }
    lbp_wishes wishes = p->wishes;
    wishes.margin = margin;
    wishes.margin_weight = weight;
    change_wishes(p, &wishes);
    return LB_OK;
}

lb_status lb_problem_set_middle(lb_problem *p, double weight) {
    return set_weight(p, offsetof(lbp_wishes, middle_weight), weight);
}

lb_status lb_problem_set_manipulability(lb_problem *p, double weight) {
    return set_weight(p, offsetof(lbp_wishes, manipulability_weight), weight);
}

lb_status lb_problem_set_wish_level(lb_problem *p, lb_wish_level level) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    if (level != LB_WISH_LEVEL_OWN && level != LB_WISH_LEVEL_GOALS) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "wishes are on no known level");
    }
    lbp_wishes wishes = p->wishes;
    wishes.level = level;
    change_wishes(p, &wishes);
    return LB_OK;
}
