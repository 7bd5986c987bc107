/* Limits as people see them: which of them are one thing, and how far a variable may move in a pose. */
#include <math.h>

#include "figure/build/draft.h"
#include "figure/figure.h"
#include "math/project.h"

/* A swing that a cone or a polygon limits, apart from its twist; the other variables of a joint; those of a group. */
int lbf_limit_owner(const lb_figure *f, int variable) {
    const lb_dof_ref *ref = &f->variables[variable].ref;
    if (ref->joint < 0) {
        return ref->parameter < 0 ? -1 : 2 * (f->draft.joint_count + f->draft.parameters[ref->parameter].group);
    }
    return 2 * ref->joint + lbf_is_in_swing(f, variable);
}

int lbf_is_in_swing(const lb_figure *f, int variable) {
    const lb_dof_ref *ref = &f->variables[variable].ref;
    const lb_joint *joint = ref->joint < 0 ? NULL : &f->draft.joints[ref->joint];
    const int first = joint && joint->swing_count ? lbf_first_swing_dof(&joint->type) : -1;
    return first >= 0 && (ref->dof == first || ref->dof == first + 1);
}

int lbf_row_owner(const lb_figure *f, const lb_limit_row *row) {
    const int owner = lbf_limit_owner(f, row->variables[0]);
    for (int i = 1; i < row->count; i++) {
        if (lbf_limit_owner(f, row->variables[i]) != owner) {
            return -1;
        }
    }
    return row->kind == LB_LIMIT_AT_MOST ? owner : -1;
}

const char *lbf_owner_name(const lb_figure *f, int variable) {
    const lb_dof_ref *ref = &f->variables[variable].ref;
    const int owner = lbf_limit_owner(f, variable);
    for (int i = 0; i < f->row_count && lbf_is_in_swing(f, variable); i++) {
        if (lbf_row_owner(f, &f->rows[i]) == owner) {
            return f->rows[i].name;
        }
    }
    return ref->joint >= 0       ? f->draft.joints[ref->joint].name
           : ref->parameter >= 0 ? f->draft.groups[f->draft.parameters[ref->parameter].group].name
                                 : NULL;
}

#define NO_PART \
    1e-6 /* of a row, which is a unit vector: where a variable has less, where it ends the way is rounding */

/* The coefficient of a variable in a row; 0: it has no part in it. */
static double coefficient_of(const lb_limit_row *row, int variable) {
    for (int i = 0; i < row->count; i++) {
        if (row->variables[i] == variable) {
            return fabs(row->coefficients[i]) > NO_PART ? row->coefficients[i] : 0;
        }
    }
    return 0;
}

void lb_figure_room(const lb_figure *f, const double *pose, int variable, lb_room *room) {
    if (!room) {
        return;
    }
    *room = (lb_room){-INFINITY, INFINITY, -1, -1};
    if (!f || !pose || variable < 0 || variable >= f->variable_count) {
        return;
    }
    room->lower = f->lower[variable];
    room->upper = f->upper[variable];
    for (int i = 0; i < f->row_count; i++) {
        const lb_limit_row *row = &f->rows[i];
        const double c = coefficient_of(row, variable);
        const double end = c == 0 ? 0 : pose[variable] + (row->bound - lbm_row_sum(row, pose)) / c;
        const int is_equal = row->kind == LB_LIMIT_EQUAL;
        if ((c > 0 || (c != 0 && is_equal)) && end < room->upper) {
            room->upper = end;
            room->upper_row = i;
        }
        if ((c < 0 || (c != 0 && is_equal)) && end > room->lower) {
            room->lower = end;
            room->lower_row = i;
        }
    }
}
