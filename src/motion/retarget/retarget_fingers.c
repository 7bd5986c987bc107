/* Fingers in retargeting. No goal is about them: their joints take the values that the source wishes. Where a group's
 * parameter drives several of them (the grip of a hand), it takes the value that fits all of them best. */
#include "figure/figure.h"
#include "motion/retarget/retarget.h"

#define SWEEPS 12 /* over the parameters that fingers hang on: the error halves in each, or better */

/* Whether a joint moves a bone of a finger that both figures have. */
static int is_of_finger(const lbt_retarget *w, int joint) {
    for (int p = LB_BODY_PART_THUMB; p < LB_BODY_PART_COUNT; p++) {
        if (w->has[p] && lb_figure_parent_joint(w->target.figure, w->target.segments[p]) == joint) {
            return 1;
        }
    }
    return 0;
}

/* The wished value of a dof of a joint whose dofs are driven: that of the turn from its parent's wish to its own. */
static int wished_dofs(const lbt_retarget *w, int j, double *dofs) {
    const lb_figure *figure = w->target.figure;
    const lb_joint *joint = lb_figure_joint(figure, j);
    double turn[4];
    for (int d = 0; d < LB_JOINT_MAX_DOFS; d++) {
        dofs[d] = 0;
    }
    lbt_retarget_joint_turn(w, j, turn);
    return !lb_joint_type_dofs(&joint->type, turn, dofs);
}

void lbt_retarget_find_fingers(lbt_retarget *w) {
    const lb_figure *figure = w->target.figure;
    for (int v = 0; v < w->variables; v++) {
        const lb_dof_ref ref = lb_figure_variable(figure, v)->ref;
        w->wishes.is_finger[v] = ref.parameter < 0 && ref.joint >= 0 && is_of_finger(w, ref.joint);
    }
    for (int i = 0; i < lb_figure_drive_count(figure); i++) {
        const lb_drive *drive = lb_figure_drive(figure, i);
        const int v = drive->source.joint < 0 ? lb_figure_variable_of(figure, &drive->source) : -1;
        if (v >= 0 && drive->curve.kind == LB_CURVE_LINEAR && is_of_finger(w, drive->joint)) {
            w->wishes.is_finger[v] = 1;
        }
    }
}

/* What the parameters but one make of a driven dof, by their present wishes. */
static double driven_by_others(const lbt_retarget *w, const lb_drive *of, int v) {
    const lb_figure *figure = w->target.figure;
    double sum = 0;
    for (int i = 0; i < lb_figure_drive_count(figure); i++) {
        const lb_drive *drive = lb_figure_drive(figure, i);
        const int other = drive->source.joint < 0 ? lb_figure_variable_of(figure, &drive->source) : -1;
        if (drive->joint != of->joint || drive->dof != of->dof || drive->curve.kind != LB_CURVE_LINEAR || other < 0) {
            continue;
        }
        sum += drive->curve.offset + (other == v ? 0 : drive->curve.slope * w->wishes.wish[other]);
    }
    return sum;
}

/* The value of a parameter that fits the dofs that it drives best, where the others have their wishes. */
static void fit_parameter(lbt_retarget *w, int v) {
    const lb_figure *figure = w->target.figure;
    double sum = 0, weight = 0, dofs[LB_JOINT_MAX_DOFS];
    for (int i = 0; i < lb_figure_drive_count(figure); i++) {
        const lb_drive *drive = lb_figure_drive(figure, i);
        if (drive->source.joint >= 0 || lb_figure_variable_of(figure, &drive->source) != v ||
            drive->curve.kind != LB_CURVE_LINEAR || !is_of_finger(w, drive->joint) ||
            !wished_dofs(w, drive->joint, dofs)) {
            continue;
        }
        sum += drive->curve.slope * (dofs[drive->dof] - driven_by_others(w, drive, v));
        weight += drive->curve.slope * drive->curve.slope;
    }
    if (weight > 0) {
        w->wishes.wish[v] = sum / weight;
    }
}

/* Parameters that drive the same dof - the grip, and what the index adds to it - are fitted in turn: coordinate descent
 * of the least squares. */
void lbt_retarget_wish_fingers(lbt_retarget *w) {
    const lb_figure *figure = w->target.figure;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int v = 0; v < w->variables; v++) {
            if (w->wishes.is_finger[v] && lb_figure_variable(figure, v)->ref.parameter >= 0) {
                fit_parameter(w, v);
            }
        }
    }
}
