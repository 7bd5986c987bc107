/* Why an answer does not meet its goals: what could be in the way is taken out of it, one thing at a time, and the
 * problem solved again from the answer. So what is named is true by trial, and how much it gains is measured, not
 * foretold: multipliers tell the slope of G where a limit begins to give way, but neither how far that lasts nor how
 * much of it a goal gets. */
#include <string.h>

#include "math/project.h"
#include "math/rounding.h"
#include "solve/apart/apart.h"
#include "solve/methods/methods.h"
#include "solve/report/explain.h"
#include "solve/report/sentence.h"
#include "solve/solver.h"

#define WORTH_SAYING 0.1     /* share of the miss that is gained */
#define PART_THAT_COUNTS 0.3 /* of the miss: less of it in length, or in angle, is not looked at by itself */
#define MOST_TRIES 48        /* limits and other constraints that are tried, those that pull most first */
#define NO_PULL 1e-9         /* of the unmet goal's own: another goal on its level that pulls less is not tried */

/* --- Trials --------------------------------------------------------------------------------------------------------- */

/* The goal in question; of alternatives the one that counts. */
static const lbs_item *subject(const lbs_explainer *x) {
    const lbs_space *s = x->solver->space;
    const lbs_item *item = &s->items[x->item];
    return item->group >= 0 && s->last.group_best[item->group] >= 0 ? &s->items[s->last.group_best[item->group]] : item;
}

lbs_miss lbs_measure_miss(const lbs_explainer *x) {
    const lbs_item *item = subject(x);
    lbp_miss far;
    lbp_goal_miss(&item->goal, item->e, &far);
    double angle = far.angle_rad[0] > far.angle_rad[1] ? far.angle_rad[0] : far.angle_rad[1];
    int met = lbp_goal_met(&item->goal, &far, item->constraint->tolerance, item->constraint->tolerance_rad);
    return (lbs_miss){sqrt(item->value), far.distance, angle, met};
}

lbs_miss lbs_solve_again(lbs_explainer *x) {
    lb_solver *solver = x->solver;
    lbs_space *s = solver->space;
    lb_error error;
    s->last.is_valid = 0;
    if (solver->bodies) {
        lbs_bodies_solve_again(solver);
        return lbs_measure_miss(x);
    }
    memcpy(solver->z, solver->best.z, (size_t)s->n * sizeof *solver->z);
    lbs_run_lm(s, solver->work, solver->z, &error);
    lbs_value(s, solver->z);
    return lbs_measure_miss(x);
}

/* The share of the miss that is gained, into the reason with its other gains. Where length or angle is a good part of
 * the miss, what is gained in that alone counts, too. */
int lbs_is_worth_saying(const lbs_explainer *x, const lbs_miss *after, lb_reason *reason) {
    const lbs_miss *before = &x->before;
    const lbs_item *item = subject(x);
    double length = item->constraint->goal.kind == LB_GOAL_FRAME ? item->goal.scales.position * before->distance
                    : before->distance > 0                       ? before->root
                                                                 : 0;
    double rest = before->root * before->root - length * length, angle = rest > 0 ? sqrt(rest) : 0;
    reason->gain = before->distance - after->distance;
    reason->gain_rad = before->angle_rad - after->angle_rad;
    reason->reached = after->met;
    double share = after->met ? 1 : before->root > 0 ? 1 - after->root / before->root : 0;
    if (length > PART_THAT_COUNTS * before->root && reason->gain > share * before->distance) {
        share = reason->gain / before->distance;
    }
    if (angle > PART_THAT_COUNTS * before->root && reason->gain_rad > share * before->angle_rad) {
        share = reason->gain_rad / before->angle_rad;
    }
    reason->share = share;
    return share >= WORTH_SAYING;
}

/* Into the list, largest share first; the smallest falls out when there is no room. */
void lbs_add_reason(lbs_explainer *x, const lb_reason *reason) {
    lb_reason *list = x->solver->lists.reasons;
    int at = x->result->reason_count;
    if (at == LBS_MOST_REASONS && list[at - 1].share >= reason->share) {
        return;
    }
    at -= at == LBS_MOST_REASONS;
    x->result->reason_count = at + 1;
    for (; at > 0 && list[at - 1].share < reason->share; at--) {
        list[at] = list[at - 1];
    }
    list[at] = *reason;
}

lb_reason lbs_new_reason(lb_reason_kind kind, int figure, const char *name) {
    lb_reason reason = {.kind = kind, .variable = -1, .figure = figure, .row = -1, .constraint = -1, .name = name};
    return reason;
}

void lbs_add_start(lbs_explainer *x, const lb_reason *found) {
    lb_reason reason = lbs_new_reason(LB_REASON_START, -1, NULL);
    reason.gain = found->gain;
    reason.gain_rad = found->gain_rad;
    reason.share = found->share;
    reason.reached = found->reached;
    for (int i = 0; i < x->result->reason_count; i++) {
        lb_reason *other = &x->solver->lists.reasons[i];
        if (other->kind == LB_REASON_START) {
            if (other->share >= reason.share) {
                return;
            }
            memmove(other, other + 1, (size_t)(--x->result->reason_count - i) * sizeof *other);
        }
    }
    lbs_add_reason(x, &reason);
}

/* Whether there is budget for another trial. */
int lbs_may_try(lbs_explainer *x) {
    if (x->tries < MOST_TRIES && !lbs_spent(x->solver->space)) {
        x->tries++;
        return 1;
    }
    x->tried_all = 0;
    return 0;
}

/* --- Other goals ---------------------------------------------------------------------------------------------------- */

/* Whether two constraints keep out of the same thing: many parts of a body do. */
static int is_same_obstacle(const lb_goal *a, const lb_goal *b) {
    if (!a->outside || !b->outside || a->kind != b->kind || a->carrier_segment != b->carrier_segment) {
        return 0;
    }
    if (a->carrier_segment >= 0 && a->carrier_figure != b->carrier_figure) {
        return 0;
    }
    if (a->face_count != b->face_count) {
        return 0;
    }
    for (int i = 0; i < a->face_count; i++) {
        if (memcmp(a->faces[i], b->faces[i], sizeof a->faces[i]) != 0) {
            return 0;
        }
    }
    return memcmp(a->point, b->point, sizeof a->point) == 0 && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

/* Whether an item goes when another one is left out: itself, its alternatives, and others that keep out of the same
 * thing. */
static int goes_with(const lbs_item *item, const lbs_item *other) {
    return item == other || (item->group >= 0 && item->group == other->group) ||
           is_same_obstacle(&item->constraint->goal, &other->constraint->goal);
}

/* Leaves items out of the space, or takes them in again. What is left out keeps its rows, which are 0 then. */
static void leave_out(lbs_space *s, const lbs_item *gone, int is_out) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (item->constraint->disabled || item->index < 0 || !goes_with(item, gone)) {
            continue;
        }
        item->enabled = !is_out;
        item->counted = 0;
        for (int r = item->first_row; r < item->first_row + item->row_count; r++) {
            s->last.residuals[r] = 0;
            memset(lbs_jacobian_row(s, r), 0, (size_t)s->stride * sizeof *s->last.jacobian);
        }
    }
    s->last.is_valid = 0;
}

void lbs_set_range(lbs_space *s, int i, double least, double most) {
    s->variables.pose_lower[i] = least;
    s->variables.pose_upper[i] = most;
    s->variables.lower[i] = least / s->variables.scale[i];
    s->variables.upper[i] = most / s->variables.scale[i];
}

/* Variables that only what was left out may use stay where they are at solver->best: without it they would not move. */
static void hold_unused(lb_solver *solver) {
    lbs_space *s = solver->space;
    lbs_find_used(s, solver->used);
    lbs_to_pose(s, solver->best.z, s->last.pose);
    for (int i = 0; i < s->n; i++) {
        if (!solver->used[s->variables.index[i]]) {
            lbs_set_range(s, i, s->last.pose[s->variables.index[i]], s->last.pose[s->variables.index[i]]);
        }
    }
}

static void release_all(lbs_space *s) {
    const lb_problem *p = s->problem;
    for (int i = 0; i < s->n; i++) {
        int figure = lbp_figure_of(p, s->variables.index[i]), at = s->variables.index[i] - p->first_variables[figure];
        lbs_set_range(s, i, p->figures[figure]->lower[at], p->figures[figure]->upper[at]);
    }
}

static void try_without(lbs_explainer *x, const lbs_item *other) {
    lb_solver *solver = x->solver;
    lbs_space *s = solver->space;
    const lb_constraint *c = other->constraint;
    lb_reason reason = lbs_new_reason(c->goal.outside ? LB_REASON_OBSTACLE : LB_REASON_GOAL, c->figure, c->name);
    reason.constraint = other->index;
    leave_out(s, other, 1);
    if (!solver->bodies) { /* a body moves all that it has */
        hold_unused(solver);
    }
    lbs_miss after = lbs_solve_again(x);
    int is_worth = lbs_is_worth_saying(x, &after, &reason);
    leave_out(s, other, 0);
    release_all(s);
    if (!is_worth) {
        return;
    }
    lbp_miss far;
    lbs_value(s, solver->z);
    lbp_goal_miss(&other->goal, other->e, &far);
    reason.give = far.distance;
    if (c->goal.kind == LB_GOAL_ORIENTATION || c->goal.kind == LB_GOAL_AIM) {
        reason.give = far.angle_rad[0] > far.angle_rad[1] ? far.angle_rad[0] : far.angle_rad[1];
    }
    lbs_add_reason(x, &reason);
}

/* How hard an item pulls at the variables: the norm of its part of the gradient at solver->best, by the Jacobian
 * there. */
static double pull_of(const lbs_explainer *x, const lbs_item *item) {
    const lbs_space *s = x->solver->space;
    double square = 0;
    for (int c = 0; c < s->n; c++) {
        double sum = 0;
        for (int r = item->first_row; r < item->first_row + item->row_count; r++) {
            sum += s->last.residuals[r] * lbs_jacobian_row(s, r)[c];
        }
        square += sum * sum;
    }
    return sqrt(square);
}

/* Whether another item could be in the way of the unmet goal. On the same level it has to pull; a higher one may hold
 * without being missed. Of several that go together the first one that counts stands for all. */
static int may_block(const lbs_explainer *x, const lbs_item *other) {
    const lbs_space *s = x->solver->space;
    const lbs_item *mine = subject(x);
    if (!other->enabled || !other->counted || other->index < 0 || goes_with(other, mine) ||
        other->level > mine->level) {
        return 0;
    }
    for (const lbs_item *before = s->items; before < other; before++) {
        if (before->enabled && before->counted && goes_with(before, other)) {
            return 0;
        }
    }
    return 1;
}

/* Whether any item that goes with this one pulls. */
static int pulls(const lbs_explainer *x, const lbs_item *other, double least) {
    const lbs_space *s = x->solver->space;
    if (other->level < subject(x)->level) {
        return 1;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->enabled && item->counted && goes_with(item, other) && pull_of(x, item) > least) {
            return 1;
        }
    }
    return 0;
}

static void try_others(lbs_explainer *x) {
    lbs_space *s = x->solver->space;
    for (int i = 0; i < s->item_count; i++) {
        if (!may_block(x, &s->items[i])) {
            continue;
        }
        lbs_jacobian(s, x->solver->best.z);
        if (pulls(x, &s->items[i], NO_PULL * pull_of(x, subject(x))) && lbs_may_try(x)) {
            try_without(x, &s->items[i]);
        }
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------------ */

/* Goes on from the answer with nothing changed: what that gains was a matter of budget, or of the method, and trials
 * begin where it ends. Where it gains nothing, they begin at the answer itself, as anyone's solve with that limit
 * loosened would. */
static void go_on(lbs_explainer *x) {
    lb_solver *solver = x->solver;
    size_t size = (size_t)solver->space->n * sizeof *solver->z;
    lb_reason reason = lbs_new_reason(LB_REASON_BUDGET, -1, NULL);
    memcpy(solver->best.z, solver->z, size);
    x->before = lbs_measure_miss(x);
    lbs_miss after = lbs_solve_again(x);
    if (lbs_is_worth_saying(x, &after, &reason)) {
        lbs_add_reason(x, &reason);
        memcpy(solver->best.z, solver->z, size);
        x->before = after;
    }
}

static void measure_distance(lbs_explainer *x) {
    lb_solver *solver = x->solver;
    lbs_space *s = solver->space;
    lbs_value(s, solver->best.z);
    const lbs_item *item = subject(x);
    if (item->group >= 0) {
        return; /* another one may be nearer */
    }
    lb_reason reason = lbs_new_reason(LB_REASON_DISTANCE, item->constraint->figure, item->constraint->name);
    reason.give = lbs_beyond(s, item);
    if (reason.give > x->before.distance) { /* by rounding: no pose is nearer than that */
        reason.give = x->before.distance;
    }
    reason.gain = reason.give;
    reason.share = x->before.distance > 0 ? reason.give / x->before.distance : 0;
    reason.reached = reason.share > 1 - 1e-6 && x->before.angle_rad <= item->constraint->tolerance_rad;
    if (reason.share >= WORTH_SAYING && x->before.distance > item->constraint->tolerance[0]) {
        lbs_add_reason(x, &reason);
    }
}

/* At the unmet answer solver->z, with the lists of the result. */
static void find_reasons(lbs_explainer *x) {
    go_on(x);
    if (x->before.met) {
        return;
    }
    lbs_try_listed_limits(x);
    try_others(x);
    lbs_try_touched_limits(x);
    lbs_try_regions(x);
    measure_distance(x);
}

/* The same where figures are posed as bodies: rules and other goals are tried. */
static void find_body_reasons(lbs_explainer *x) {
    lb_solver *solver = x->solver;
    memcpy(solver->best.z, solver->z, (size_t)solver->space->n * sizeof *solver->z);
    x->before = lbs_measure_miss(x);
    if (x->before.met || !lbs_bodies_begin_trials(solver)) {
        return;
    }
    if (!lbs_try_going_on(x)) {
        lbs_try_body_rules(x);
        try_others(x);
        measure_distance(x);
    }
    lbs_bodies_end_trials(solver);
}

static lb_status begin(lb_solver *solver, const lb_solve_options *options, const double *pose) {
    lb_error error;
    lb_status status = lbs_prepare(solver, LB_METHOD_LM);
    solver->kkt.is_known = 0;
    if (!status) {
        status = lbs_begin(solver->space, options, pose, &error);
    }
    if (!status) {
        lbs_from_pose(solver->space, solver->space->start, solver->z);
        lbs_value(solver->space, solver->z);
    }
    return status;
}

static lb_status explain(lb_solver *solver, lb_solve_options o, const double *pose, lb_result *result) {
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_error error;
    lb_status wrong = lbs_check_options(&o, &error);
    if (wrong) {
        return wrong;
    }
    int is_proved = o.method == LB_METHOD_CLOSED; /* that method speaks of all poses, not of limits here */
    o.method = LB_METHOD_LM;
    o.on_iteration = NULL;
    o.restarts = o.tracking = o.keep_going = 0;
    lb_status status = begin(solver, &o, pose);
    if (status) {
        return status;
    }
    lbs_explainer x = {.solver = solver, .result = result, .tried_all = 1};
    result->reason_count = 0;
    result->reasons = solver->lists.reasons;
    if (result->outcome != LB_OUTCOME_SOLVED) { /* else they are as the solve left them, wishes and all */
        lbs_report_lists(solver, result);
    }
    lbs_count_freedom(solver, result->outcome != LB_OUTCOME_SOLVED, &result->freedom);
    lbs_measure(solver, result);
    if (result->unmet >= 0 && !is_proved) {
        x.item = lbs_item_of(solver->problem, result->unmet);
        lbs_value(solver->space, solver->z);
        (solver->bodies ? find_body_reasons : find_reasons)(&x);
    }
    if (!is_proved) {
        lbs_write_explanation(solver, result, x.tried_all);
    }
    solver->space->last.is_valid = 0;
    return LB_OK;
}

lb_status lb_solver_explain(lb_solver *solver, const lb_solve_options *options, const double *pose, lb_result *result) {
    lbs_call call;
    if (!solver || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_take_options(options, &call.taken, NULL); /* before the result is touched */
    status = status ? status : lbs_call_begin(&call, options, result);
    return status ? status : lbs_call_end(&call, explain(lbs_reporter(solver), *call.options, pose, call.result));
}

const char *lb_reason_name(lb_reason_kind kind) {
    static const char *const names[] = {"limit", "row",  "goal",    "obstacle", "distance", "budget",
                                        "start", "step", "balance", "apart",    "floor",    "region"};
    return (int)kind >= 0 && kind <= LB_REASON_REGION ? names[kind] : "unknown";
}
