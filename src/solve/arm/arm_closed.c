#include "solve/arm/arm_closed.h"

#include <string.h>

#include "figure/kinematics/kinematics.h"
#include "solve/arm/arm.h"
#include "solve/route.h"
#include "solve/starts.h"

#define FEWEST 6           /* joints */
#define MOST_EVALUATIONS 3 /* of the start, the answer, and the answer polished */

lb_status lbs_closed_create(const lbs_space *s, lbs_closed **made) {
    *made = NULL;
    if (s->max.n < FEWEST || s->max.n > LBC_JOINTS) {
        return LB_OK;
    }
    const size_t size = sizeof(lbs_closed) + (size_t)s->problem->variable_count * sizeof(double);
    lbs_closed *closed = lbf_new(&s->problem->allocator, size, 1);
    if (!closed) {
        return LB_ERROR_MEMORY;
    }
    closed->size = size;
    closed->pose = (double *)(closed + 1);
    *made = closed;
    return LB_OK;
}

void lbs_closed_destroy(const lb_solver *solver) {
    if (solver->closed) {
        lbf_delete(&solver->problem->allocator, solver->closed, solver->closed->size, 1);
    }
}

/* The arm's axes, as they are where all its joints are 0. */
static void set_arm(const lb_solver *solver, const lb_constraint *c) {
    lbs_closed *closed = solver->closed;
    const lbs_space *s = solver->space;
    const lbs_arm *plan = solver->arm.plan;
    const int first = s->problem->first_variables[c->figure];
    lb_kinematics *k = s->kinematics[c->figure];
    const lb_figure *f = k->figure;
    lbc_arm *arm = &closed->form.arm;
    memcpy(closed->pose, s->start, (size_t)s->problem->variable_count * sizeof *closed->pose);
    for (int i = 0; i < plan->n; i++) {
        closed->chain.variable[i] = s->variables.index[plan->order[i]];
        closed->pose[closed->chain.variable[i]] = 0;
    }
    lb_kinematics_update(k, closed->pose + first);
    arm->n = plan->n;
    closed->form.isa = f->kernels->isa;
    int node = f->mounts[c->effector.segment].node;
    for (int i = plan->n - 1; i >= 0; i--) {
        while (f->coordinate_variable[f->nodes[node].coordinate] != closed->chain.variable[i] - first) {
            node = f->nodes[node].parent;
        }
        for (int j = 0; j < 3; j++) {
            arm->axis[i][j] = k->frames[node].z[j] * f->nodes[node].sign;
            arm->point[i][j] = k->frames[node].p[j];
        }
        arm->slides[i] = f->nodes[node].kind == LBF_NODE_TRANSLATE;
        node = f->nodes[node].parent;
    }
    lbm_transform segment, effector;
    lbm_transform_identity(&effector);
    lbm_copy3(effector.x, c->effector.x);
    lbm_copy3(effector.y, c->effector.y);
    lbm_cross3(effector.x, effector.y, effector.z);
    lbm_copy3(effector.p, c->effector.point);
    lbf_segment_transform(k, c->effector.segment, &segment);
    lbm_transform_multiply(&segment, &effector, &arm->home);
    lbc_arm_finish(arm);
    for (int i = 0; i < plan->n; i++) {
        closed->chain.lower[i] = plan->joints[i].lower;
        closed->chain.upper[i] = plan->joints[i].upper;
        closed->chain.unit[i] = arm->slides[i] ? arm->length : 1;
    }
    for (int i = 0; i < 6; i++) {
        closed->wanted.lower[i] = closed->chain.lower[i];
        closed->wanted.upper[i] = closed->chain.upper[i];
    }
}

/* Chooses the form for the arm engine's plan as it is now, if that was not done. Forms other than those of pieper.h
 * take longer to be chosen; where they are not asked for they are left for later. */
static void choose_form(lb_solver *solver, int among_all) {
    lbs_closed *closed = solver->closed;
    lbs_space *s = solver->space;
    const lbs_item *item = &s->items[solver->arm.plan->item];
    if (closed->planned != solver->arm.made) {
        set_arm(solver, item->constraint);
        closed->has_form = closed->is_pieper = closed->is_chosen = lbc_choose_pieper(&closed->form);
        closed->planned = solver->arm.made;
        if (s->last.is_valid) { /* what was evaluated stays so: a solver that has a form already evaluates no less */
            const int figure = item->constraint->figure;
            lb_kinematics_update(s->kinematics[figure], s->last.pose + s->problem->first_variables[figure]);
        }
    }
    if (among_all && !closed->is_chosen) {
        closed->has_form = lbc_choose(&closed->form) == LBC_HAS_FORM && !lbc_is_slow(&closed->form);
        closed->is_chosen = 1;
    }
}

/* Whether the arm engine's plan is one that a closed form may cover. */
static int has_frame_goal(const lb_solver *solver) {
    if (!solver->closed || !solver->arm.has_plan || !lbs_arm_is_plain(&solver->arm)) {
        return 0;
    }
    const lbs_arm *plan = solver->arm.plan;
    return plan->has_point && plan->has_rotation && plan->n >= FEWEST && plan->n <= LBC_JOINTS;
}

/* The goal as a frame. Returns 0 where its directions are not at right angles: no pose meets it. */
static int take_goal(const lb_solver *solver, lbm_transform *goal_w) {
    const lb_goal *goal = &solver->space->items[solver->arm.plan->item].goal.goal;
    lbm_transform_identity(goal_w);
    lbm_copy3(goal_w->x, goal->x);
    lbm_copy3(goal_w->y, goal->y);
    lbm_cross3(goal->x, goal->y, goal_w->z);
    lbm_copy3(goal_w->p, goal->point);
    return fabs(lbm_dot3(goal->x, goal->y)) < 1e-12;
}

int lbs_closed_is_first(lb_solver *solver, const lb_solve_options *o) {
    if (!solver->closed || o->tracking || o->max_evaluations < MOST_EVALUATIONS || !lbs_arm_applies(solver, o) ||
        !has_frame_goal(solver) || solver->arm.plan->n != 6) {
        return 0;
    }
    choose_form(solver, 0);
    return solver->closed->is_pieper;
}

/* Puts values of the arm's joints into z, the others as in the start, and evaluates it. Returns how far the effector is
 * from the goal: arm lengths and the lengths of what unit vectors differ by, together. */
static double evaluate(lb_solver *solver, const double values[6], const lbm_transform *goal) {
    lbs_closed *closed = solver->closed;
    lbs_space *s = solver->space;
    const double *e = s->items[solver->arm.plan->item].e, *goals[3] = {goal->p, goal->x, goal->y};
    memcpy(closed->pose, s->start, (size_t)s->problem->variable_count * sizeof *closed->pose);
    for (int i = 0; i < 6; i++) {
        closed->pose[closed->chain.variable[i]] = values[i];
    }
    lbs_from_pose(s, closed->pose, solver->z);
    lbs_value(s, solver->z);
    double sum = 0;
    for (int part = 0; part < 3; part++) {
        double off[3];
        lbm_sub3(e + 3 * part, goals[part], off);
        sum += lbm_dot3(off, off) * (part == 0 ? 1 / (closed->form.arm.length * closed->form.arm.length) : 1);
    }
    return sqrt(sum);
}

/* Puts the nearest solution into z, evaluated. Returns 0 where there is none. */
static int find_nearest(lb_solver *solver) {
    lbs_closed *closed = solver->closed;
    const lbs_space *s = solver->space;
    lbm_transform goal_w, goal;
    double values[6];
    if (!take_goal(solver, &goal_w)) {
        return 0;
    }
    goal = goal_w;
    for (int k = 0; k < 3; k++) {
        goal.p[k] /= closed->form.arm.length;
    }
    for (int i = 0; i < 6; i++) {
        closed->wanted.near[i] = s->start[closed->chain.variable[i]];
    }
    if (!lbc_pieper_nearest(&closed->form.arm, &closed->form.by.pieper, &goal, &closed->wanted, values)) {
        return 0;
    }
    if (evaluate(solver, values, &goal_w) <= LBC_GOOD) {
        return 1;
    }
    if (!lbc_pieper_polish(&closed->form.arm, &goal, &closed->wanted, values)) {
        return 0;
    }
    evaluate(solver, values, &goal_w);
    return 1;
}

int lbs_closed_first(lb_solver *solver, const lb_solve_options *o, double *pose, lb_result *result) {
    lbs_space *s = solver->space;
    if (!lbs_closed_is_first(solver, o) || lbs_late(s)) {
        return 0;
    }
    result->value_before = lbs_value(s, solver->z);
    if (lbm_is_finite(result->value_before) && !lbs_met(s, 0)) {
        if (find_nearest(solver) && lbs_met(s, 0)) {
            memcpy(pose, s->last.pose, (size_t)s->problem->variable_count * sizeof *pose);
            solver->engine = LB_ENGINE_CLOSED;
            if (o->on_iteration) {
                lbs_tell(s, solver->z, lbs_total(s));
            }
            return 1;
        }
        lbs_from_pose(s, s->start, solver->z);
    }
    s->budget.evaluations = s->last.is_valid = 0; /* as if nothing had been tried */
    return 0;
}

int lbs_closed_covers(lb_solver *solver) {
    if (!has_frame_goal(solver)) {
        return 0;
    }
    choose_form(solver, 1);
    return solver->closed->has_form;
}

static int is_half_over(void *context) {
    const lb_solver *solver = context;
    return lbs_is_past(solver->space, solver->closed->until_us);
}

int lbs_closed_find(lb_solver *solver) {
    lbs_closed *closed = solver->closed;
    const lbs_space *s = solver->space;
    lbm_transform goal_w;
    if (!lbs_closed_covers(solver) || !take_goal(solver, &goal_w)) {
        return 0;
    }
    closed->until_us = lbs_half_time(s);
    closed->form.budget.most = LBC_MOST_EVALUATIONS;
    closed->form.budget.stop =
        (lbm_stop){lbs_has_deadline(s->options) || s->options->cancel ? is_half_over : NULL, solver};
    lbc_solve(&closed->form, &closed->chain, &goal_w, s->start);
    lbc_rank(&closed->form, &closed->chain, s->start, &closed->ranking);
    return 1;
}

int lbs_closed_proves(lbs_closed *closed) { return lbc_proves(&closed->form, &closed->chain, &closed->ranking); }

int lbs_closed_take(lb_solver *solver, int i) {
    lbs_closed *closed = solver->closed;
    lbs_space *s = solver->space;
    memcpy(closed->pose, s->start, (size_t)s->problem->variable_count * sizeof *closed->pose);
    for (int k = 0; k < closed->form.arm.n; k++) {
        closed->pose[closed->chain.variable[k]] = closed->ranking.list[i].values[k];
    }
    lbs_from_pose(s, closed->pose, solver->z);
    lbs_value(s, solver->z);
    return lbs_met(s, s->task.level_count - 1);
}

int lbs_closed_answer(lb_solver *solver, const lb_solve_options *o) {
    if (o->tracking || o->keep_going || !lbs_closed_find(solver)) {
        return 0;
    }
    for (int i = 0; i < solver->closed->ranking.inside_count; i++) {
        if (lbs_closed_take(solver, i)) {
            solver->engine = LB_ENGINE_CLOSED;
            lbs_keep_best(solver);
            return 1;
        }
    }
    solver->closed->has_proof = lbs_closed_proves(solver->closed);
    lbs_from_pose(solver->space, solver->space->start, solver->z);
    lbs_value(solver->space, solver->z);
    return 0;
}
