/* The plan of a problem, and the beginning of a solve. */
#include <string.h>

#include "solve/plan/space.h"

#define WELL_INSIDE 0.25 /* of a tolerance, where pairs are kept apart */

/* --- Planning ---------------------------------------------------------------------------------------------------------- */

/* The length of all figures' segments, one behind the other; at most 1 m. */
static double total_length(const lb_problem *p) {
    double sum = 0;
    for (int f = 0; f < p->figure_count && sum < 1; f++) {
        for (int i = 0; i < p->figures[f]->node_count; i++) {
            sum += lbm_norm3(p->figures[f]->nodes[i].constant.p);
        }
        for (int i = 0; i < p->figures[f]->draft.segment_count; i++) {
            sum += lbm_norm3(p->figures[f]->mounts[i].offset.p);
        }
    }
    return sum < 1 ? sum : 1;
}

/* The constraint of an item: the problem's, or where eyes look for it one of its own. */
static void take_constraint(const lbs_space *s, lbs_item *item) {
    const lb_constraint *c = &s->problem->constraints[item->index].constraint;
    item->constraint = c;
    item->is_gaze = s->problem->body_count > 0 && lbs_gaze_of(s->problem, c) == LBS_GAZE_EYES;
    if (item->is_gaze) {
        item->closure = *c;
        lbs_redirect_gaze(s->problem, &item->closure);
        item->constraint = &item->closure;
    } else if (s->pair_count) { /* steps along faces end where the goal is just met: that is to be well inside */
        item->closure = *c;
        item->constraint = &item->closure;
        for (int i = 0; i < 3; i++) {
            item->closure.tolerance[i] *= WELL_INSIDE;
        }
        item->closure.tolerance_rad *= WELL_INSIDE;
    }
}

static void copy_goals(lbs_space *s) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (item->is_gaze || (s->pair_count && item->index >= 0)) {
            take_constraint(s, item);
        }
        item->goal.goal = item->constraint->goal;
        lbp_goal_scale(&item->goal);
        item->root_weight = sqrt(item->constraint->weight);
    }
    s->moves = s->problem->moves;
}

/* All that depends on the problem alone. */
static lb_status plan(lbs_space *s, lb_error *error) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (item->index >= 0) {
            take_constraint(s, item);
        }
        item->enabled = !item->constraint->disabled;
        item->goal.radius = item->constraint->radius;
        item->goal.half_length = item->constraint->half_length;
        item->level = 0;
    }
    s->task.wishes = s->problem->wishes;
    s->length = total_length(s->problem);
    copy_goals(s);
    lbs_lay_out_levels(s);
    lb_status status = lbs_choose_variables(s, error);
    if (status) {
        return status;
    }
    lbs_bound_variables(s);
    lbs_scale_limits(s);
    lbs_lay_out_columns(s);
    s->columns.is_placed = 0;
    s->revision = s->problem->revision;
    return LB_OK;
}

/* --- Beginning a solve
 * --------------------------------------------------------------------------------------------------- */

static lb_status move_into_limits(lbs_space *s, const double *pose, lb_error *error) {
    const lb_problem *p = s->problem;
    if (!lbm_all_finite(pose, p->variable_count)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the start pose has a value that is not finite", (char *)0);
    }
    memcpy(s->start, pose, (size_t)p->variable_count * sizeof *pose);
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        double *part = s->start + p->first_variables[f];
        if (figure->row_count && lb_kinematics_project(s->kinematics[f], part)) {
            return lbf_fail(error, LB_ERROR_LIMIT, "the limits of a figure contradict each other", (char *)0);
        }
        for (int i = 0; i < figure->variable_count; i++) {
            part[i] = lbs_clamp(part[i], figure->lower[i], figure->upper[i]);
        }
    }
    memcpy(s->last.pose, s->start, (size_t)p->variable_count * sizeof *pose);
    return LB_OK;
}

static void begin_task(lbs_space *s, const lb_solve_options *options) {
    s->options = options;
    lbs_budget_begin(&s->budget);
    s->last.is_valid = s->task.guard_level = 0;
    s->task.forced = -1;
}

lb_status lbs_begin(lbs_space *s, const lb_solve_options *options, const double *pose, lb_error *error) {
    begin_task(s, options);
    if (lbs_has_deadline(options)) {
        lbs_budget_start_clock(&s->budget, options);
    }
    lb_status status = move_into_limits(s, pose, error);
    if (!status && s->revision != s->problem->revision) {
        status = plan(s, error);
    }
    if (status) {
        return status;
    }
    if (s->moves != s->problem->moves) {
        copy_goals(s);
    }
    lbs_place_start(s);
    return LB_OK;
}

void lbs_resume(lbs_space *s, const lb_solve_options *options, const double *start) {
    size_t size = (size_t)s->problem->variable_count * sizeof *start;
    begin_task(s, options);
    memcpy(s->start, start, size);
    memcpy(s->last.pose, start, size);
    lbs_place_start(s);
}
