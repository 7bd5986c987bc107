/* Method closed: the solution nearest to the start by a closed form (src/closed), or the proof that there is none. */
#include <string.h>

#include "figure/error.h"
#include "solve/methods/closed.h"

/* --- Memory -------------------------------------------------------------------------------------------------------------- */

static size_t doubles_for(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

/* The most that a figure of the problem needs. */
static void most_of(const lb_problem *p, int *variables, int *nodes) {
    *variables = *nodes = 0;
    for (int f = 0; f < p->figure_count; f++) {
        *variables = p->figures[f]->variable_count > *variables ? p->figures[f]->variable_count : *variables;
        *nodes = p->figures[f]->node_count > *nodes ? p->figures[f]->node_count : *nodes;
    }
}

size_t lbs_closed_size(const lbs_space *s) {
    int variables, nodes;
    most_of(s->problem, &variables, &nodes);
    return doubles_for(sizeof(lbs_closed_run)) + (size_t)variables + doubles_for((size_t)nodes * sizeof(int));
}

/* --- What it cannot do
 * ------------------------------------------------------------------------------------------------------- */

static const char *goal_problem(const lb_constraint *c) {
    const lb_goal *g = &c->goal;
    if (c->effector.kind != LB_EFFECTOR_FRAME) {
        return "places the centre of mass";
    }
    if (g->carrier_segment >= 0) {
        return "is carried by a segment";
    }
    if (g->kind != LB_GOAL_FRAME && g->kind != LB_GOAL_POSITION) {
        return "is neither a frame nor a position";
    }
    if (g->kind == LB_GOAL_FRAME && !(g->degrees_x > 0 && g->degrees_y > 0)) {
        return "leaves a part of the rotation open";
    }
    if (c->radius > 0 || c->half_length > 0) {
        return "is for a ball or a capsule";
    }
    return NULL;
}

/* The one goal that a closed form may answer, or NULL with the reason. */
static lbs_item *only_goal(lbs_space *s, lb_error *error) {
    const lbp_wishes *w = &s->task.wishes;
    lbs_item *only = NULL;
    int count = 0;
    char number[24];
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            only = &s->items[i];
            count++;
        }
    }
    if (count != 1 || only->index < 0) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "method closed answers one goal alone; this problem has ",
                 lbf_integer_text(count, number), " with its loops", (char *)0);
        return NULL;
    }
    if (lbp_are_wishes(w)) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "method closed has no place for wishes", (char *)0);
        return NULL;
    }
    const char *why = goal_problem(only->constraint);
    if (why) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "method closed cannot do this problem: the goal ", why, (char *)0);
        return NULL;
    }
    return only;
}

/* --- The run ----------------------------------------------------------------------------------------------------------------- */

/* The arm that carries the goal's effector, what does not move as in the start. */
static lb_status make_arm(lbs_space *s, const lbs_item *item, double *work, lb_error *error) {
    const lb_constraint *c = item->constraint;
    lb_closed *closed = &((lbs_closed_run *)work)->closed;
    const lb_figure *f = s->problem->figures[c->figure];
    const int first = s->problem->first_variables[c->figure];
    int variables, nodes;
    most_of(s->problem, &variables, &nodes);
    memset(work, 0, sizeof(lbs_closed_run));
    closed->figure = closed->chain.figure = f;
    closed->pose = work + doubles_for(sizeof(lbs_closed_run));
    closed->chain.pose = closed->pose;
    closed->form.isa = f->kernels->isa;
    closed->form.is_position = c->goal.kind == LB_GOAL_POSITION;
    memcpy(closed->pose, s->start + first, (size_t)f->variable_count * sizeof *closed->pose);
    const lbc_making by = {(int *)(closed->pose + variables), s->kinematics[c->figure], s->variables.active_of + first};
    const lb_status status = lbc_prepare(closed, &c->effector, -1, &by, error);
    s->last.is_valid = 0;
    return status;
}

/* The goal as a frame of the world. */
static void set_goal(const lb_goal *g, lbm_transform *goal) {
    lbm_transform_identity(goal);
    if (g->kind == LB_GOAL_FRAME) {
        lbm_copy3(goal->x, g->x);
        lbm_copy3(goal->y, g->y);
        lbm_cross3(g->x, g->y, goal->z);
    }
    lbm_copy3(goal->p, g->point);
}

/* Puts solution i into z, and evaluates it. Returns whether it meets the goal. */
static int take(lbs_space *s, const lb_closed *closed, int first, int i, double *z) {
    memcpy(s->last.pose, s->start, (size_t)s->problem->variable_count * sizeof(double));
    for (int k = 0; k < closed->form.arm.n; k++) {
        s->last.pose[first + closed->chain.variable[k]] = closed->ranking.list[i].values[k];
    }
    lbs_from_pose(s, s->last.pose, z);
    s->last.is_valid = 0;
    lbs_value(s, z);
    return lbs_met(s, 0);
}

static int is_spent(void *context) { return lbs_spent(context); }

lbs_end lbs_run_closed(lbs_space *s, double *work, double *z, lb_error *error) {
    lbs_closed_run *run = (lbs_closed_run *)work;
    const lbs_item *item = only_goal(s, error);
    lbm_transform goal;
    if (!item || make_arm(s, item, work, error)) {
        return LBS_CANNOT;
    }
    lb_closed *closed = &run->closed;
    const int first = s->problem->first_variables[item->constraint->figure];
    const double *start = s->start + first;
    set_goal(&item->goal.goal, &goal);
    closed->form.budget = (lbc_budget){{is_spent, s}, LBC_MOST_EVALUATIONS, 0, 0};
    lbc_solve(&closed->form, &closed->chain, &goal, start);
    lbc_rank(&closed->form, &closed->chain, start, &closed->ranking);
    for (int i = 0; i < closed->ranking.inside_count; i++) {
        if (take(s, closed, first, i, z)) {
            return LBS_MET;
        }
    }
    run->has_proof = lbc_proves(&closed->form, &closed->chain, &closed->ranking);
    lbs_from_pose(s, s->start, z);
    return LBS_OUT;
}
