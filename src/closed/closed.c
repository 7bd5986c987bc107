/* The public calls. */
#include "closed/closed.h"

#include <math.h>

#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "figure/sized.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "math/trig.h"

#define SWIVEL_SLACK 1e-9 /* radians */
#define SINGULAR 1e6      /* a condition number from which on a pose counts as singular */
#define ROUNDED 4e-15     /* of coordinates in arm lengths: more than forward kinematics rounds by */
#define LEVER 9         /* what a radian moves the end by, in arm lengths and radians together: seven joints at most */
#define NOT_MOVED 1e-14 /* radians: values that are what was found, but for whole turns */

static const lbf_sized options_kind = LBF_SIZED(lb_closed_options, cancel);
static const lbf_sized result_kind = LBF_SIZED(lb_closed_result, evaluations);
static const lbf_sized solution_kind = LBF_SIZED(lb_closed_solution, swivel_high_rad);

static const lb_closed_options option_defaults = {
    sizeof(lb_closed_options), -1, NULL, 0, LBC_MOST_EVALUATIONS, 0, NULL, NULL, NULL};

void lb_closed_options_defaults_sized(lb_closed_options *options, size_t struct_size) {
    lbf_default_sized(&options_kind, &option_defaults, options, struct_size);
}

void lb_closed_result_defaults_sized(lb_closed_result *result, size_t struct_size) {
    const lb_closed_result made = {sizeof made, 0, 0, 0, -1, 0, "", 0, 0, 0};
    lbf_default_sized(&result_kind, &made, result, struct_size);
}

void lb_closed_solution_defaults_sized(lb_closed_solution *solution, size_t struct_size) {
    const lb_closed_solution made = {sizeof made, {0}, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    lbf_default_sized(&solution_kind, &made, solution, struct_size);
}

const char *lb_closed_kind_name(lb_closed_kind kind) {
    static const char *const names[] = {"meeting", "parallel", "general", "planar", "limb", "seven", "grouped"};
    return (int)kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* --- Making one --------------------------------------------------------------------------------------------------------- */

static lb_status check_arguments(const lb_figure *f, const lb_effector *effector, const lb_closed_options *o,
                                 lb_error *error) {
    if (effector->kind != LB_EFFECTOR_FRAME) {
        return lbf_refuse(error, LB_ERROR_UNSUPPORTED,
                          "no closed form: the centre of mass is not carried by one chain");
    }
    if (effector->segment < 0 || effector->segment >= f->draft.segment_count) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the end-effector's segment is out of range");
    }
    if (o->base_segment < -1 || o->base_segment >= f->draft.segment_count) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the base segment is out of range");
    }
    const double off = lbm_dot3(effector->x, effector->y);
    if (!lbm_all_finite(effector->point, 3) || !(fabs(lbm_dot3(effector->x, effector->x) - 1) < 1e-9) ||
        !(fabs(lbm_dot3(effector->y, effector->y) - 1) < 1e-9) || !(fabs(off) < 1e-9)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "the end-effector's x and y must be unit vectors at right angles, and its point finite");
    }
    if (o->pose && !lbm_all_finite(o->pose, f->variable_count)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the pose has a number that is not finite");
    }
    if (o->max_evaluations < 0 || !(o->deadline_us >= 0) || (o->deadline_us > 0 && !o->now_us)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "max_evaluations and deadline_us must be 0 or more, and a deadline needs a clock (now_us)");
    }
    return LB_OK;
}

static lb_closed *make(const lb_figure *f, lb_error *error) {
    lb_closed *closed = lbf_new(&f->draft.allocator, 1, sizeof *closed);
    if (closed) {
        closed->figure = f;
        closed->pose = lbf_new(&f->draft.allocator, (size_t)f->variable_count, sizeof *closed->pose);
    }
    if (!closed || !closed->pose) {
        lb_closed_destroy(closed);
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    return closed;
}

/* The arm, with scratch of its own. */
static lb_status prepare(lb_closed *closed, const lb_effector *effector, int base_segment, lb_error *error) {
    const lb_figure *f = closed->figure;
    lb_status status = LB_ERROR_MEMORY;
    lbc_making by = {lbf_new(&f->draft.allocator, (size_t)f->node_count, sizeof(int)), NULL, NULL};
    if (!by.nodes) {
        return lbf_refuse(error, status, "out of memory");
    }
    by.kinematics = closed->kinematics = lb_kinematics_create(f, error);
    if (by.kinematics) {
        status = lbc_prepare(closed, effector, base_segment, &by, error);
    }
    lbf_delete(&f->draft.allocator, by.nodes, (size_t)f->node_count, sizeof(int));
    return status;
}

/* Whether a call is cancelled, or its deadline past. */
static int is_late(void *context) {
    const lb_closed *closed = context;
    const lb_closed_options *o = &closed->options;
    return lb_cancel_is_requested(o->cancel) || (o->deadline_us > 0 && o->now_us(o->now_context) >= closed->until_us);
}

/* A call begins: its budget is whole. Returns 0 where it is cancelled already. */
static int begin(lb_closed *closed) {
    const lb_closed_options *o = &closed->options;
    closed->until_us = o->deadline_us > 0 ? o->now_us(o->now_context) + o->deadline_us : INFINITY;
    closed->form.budget.used = 0;
    closed->form.budget.is_spent = is_late(closed);
    return !closed->form.budget.is_spent;
}

lb_closed *lb_closed_create(const lb_figure *f, const lb_effector *effector, const lb_closed_options *options,
                            lb_error *error) {
    lb_closed_options o = option_defaults;
    if (!f || !effector) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a figure and an end-effector are needed");
    }
    if (lbf_take_sized(&options_kind, options, &o, error) || check_arguments(f, effector, &o, error)) {
        return NULL;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_none(error, LB_ERROR_UNSUPPORTED, "the processor does not round to nearest");
    }
    lb_closed *closed = make(f, error);
    if (!closed) {
        return NULL;
    }
    memcpy(closed->pose, o.pose ? o.pose : f->rest, (size_t)f->variable_count * sizeof *closed->pose);
    closed->form.is_position = o.is_position;
    closed->form.isa = f->kernels->isa;
    closed->chain.figure = f;
    closed->chain.pose = closed->pose;
    closed->effector = *effector;
    closed->options = o;
    closed->form.budget = (lbc_budget){{is_late, closed}, o.max_evaluations, 0, 0};
    if (prepare(closed, effector, o.base_segment, error)) {
        lb_closed_destroy(closed);
        return NULL;
    }
    lbf_clear(error);
    return closed;
}

void lb_closed_destroy(lb_closed *closed) {
    if (!closed) {
        return;
    }
    const lb_allocator *allocator = &closed->figure->draft.allocator;
    lb_kinematics_destroy(closed->kinematics);
    lbf_delete(allocator, closed->pose, (size_t)closed->figure->variable_count, sizeof *closed->pose);
    lbf_delete(allocator, closed, 1, sizeof *closed);
}

lb_closed_kind lb_closed_kind_of(const lb_closed *closed) { return closed ? closed->form.kind : LB_CLOSED_GENERAL; }

int lb_closed_variable_count(const lb_closed *closed) { return closed ? closed->form.arm.n : 0; }

int lb_closed_variable(const lb_closed *closed, int index) {
    return closed && index >= 0 && index < closed->form.arm.n ? closed->chain.variable[index] : -1;
}

/* --- Solving ------------------------------------------------------------------------------------------------------------- */

void lbc_solve(lbc_form *form, const lbc_chain *chain, const lbm_transform *goal_w, const double *start) {
    double near[LBC_JOINTS];
    lbm_transform goal = *goal_w;
    for (int k = 0; k < 3; k++) {
        goal.p[k] /= form->arm.length;
    }
    form->goal = goal;
    form->budget.used = form->budget.is_spent = 0;
    form->set.count = form->set.refused = form->set.merged = form->set.is_outside = 0;
    switch (form->kind) {
    case LB_CLOSED_PLANAR:
        lbc_planar_solve(&form->arm, &form->by.planar, &goal, &form->set);
        break;
    case LB_CLOSED_LIMB:
        for (int i = 0; i < form->arm.n; i++) {
            near[i] = start[chain->variable[i]];
        }
        form->by.limb.lower = chain->lower;
        form->by.limb.upper = chain->upper;
        lbc_limb_solve(&form->arm, &form->by.limb, &goal, near, &form->set);
        break;
    case LB_CLOSED_SEVEN:
        for (int i = 0; i < form->arm.n; i++) {
            const double metres = chain->unit[i];
            near[i] = start[chain->variable[i]] / metres;
            form->by.seven.lower[i] = chain->lower[i] / metres;
            form->by.seven.upper[i] = chain->upper[i] / metres;
            form->by.seven.metres[i] = metres;
        }
        form->by.seven.work = &form->work.seven;
        form->by.seven.budget = &form->budget;
        lbc_seven_solve(&form->arm, &form->by.seven, &goal, near, &form->set);
        break;
    case LB_CLOSED_GROUPED:
        for (int i = 0; i < form->arm.n; i++) {
            near[i] = start[chain->variable[i]];
        }
        form->by.grouped.lower = chain->lower;
        form->by.grouped.upper = chain->upper;
        form->by.grouped.budget = &form->budget;
        form->by.grouped.pose = chain->pose;
        lbc_grouped_solve(&form->arm, &form->by.grouped, &goal, near, &form->set, &form->work.grouped);
        break;
    case LB_CLOSED_GENERAL:
        lbc_general_solve(&form->arm, &form->by.general, &goal, &form->set, &form->work.general);
        break;
    default:
        lbc_pieper_solve(&form->arm, &form->by.pieper, &goal, &form->set);
        break;
    }
}

/* --- Verifying what is handed out
 * ---------------------------------------------------------------------------------------- */

/* By the figure's own forward kinematics: how far the end-effector is from the last goal, in arm lengths and radians
 * together. */
static double error_of(const lb_closed *closed, const double *values) {
    const lbc_form *form = &closed->form;
    double e[9], off[6];
    lbm_transform end;
    for (int i = 0; i < form->arm.n; i++) {
        closed->pose[closed->chain.variable[i]] = values[i];
    }
    lb_kinematics_update(closed->kinematics, closed->pose);
    lb_kinematics_effector(closed->kinematics, &closed->effector, e);
    lbm_copy3(end.x, e + 3);
    lbm_copy3(end.y, e + 6);
    lbm_cross3(end.x, end.y, end.z);
    for (int k = 0; k < 3; k++) {
        end.p[k] = e[k] / form->arm.length;
    }
    const double error = lbc_arm_error(&end, &form->goal, off);
    return form->is_position ? lbm_norm3(off) : error;
}

/* Whether values bring the end-effector to the goal, as near as `moved`, the sum of what was moved on to limits, lets
 * them. */
static int is_verified(const lb_closed *closed, const double *values, double moved, double *error) {
    const lbc_form *form = &closed->form;
    const double rounded = ROUNDED * (lbm_norm3(form->goal.p) + lbm_norm3(form->arm.point[0]) + LBC_JOINTS);
    *error = error_of(closed, values);
    return *error <= LBC_VERIFIED + rounded + LEVER * moved;
}

/* How far values are from those that were verified when they were found, whole turns apart; by what was moved on to
 * limits. */
static double moved_by(const lb_closed *closed, const lbc_ranked *r) {
    const lbc_solution *found = &closed->form.set.list[r->at];
    double sum = 0;
    for (int i = 0; i < closed->form.arm.n; i++) {
        double by = r->values[i] / closed->chain.unit[i] - found->q[i];
        by = closed->form.arm.slides[i] ? by : by - LBM_TWO_PI * floor(by / LBM_TWO_PI + 0.5);
        sum += fabs(by);
    }
    return sum;
}

/* Verifies the values as they are handed out, and drops what is no solution. What has whole turns added at most, of six
 * joints that turn, or two or three, is what was verified when it was found. */
static void verify_all(lb_closed *closed) {
    const lbc_form *form = &closed->form;
    int is_plain = form->arm.n < 7, kept = 0, inside = 0;
    for (int i = 0; i < form->arm.n; i++) {
        is_plain &= !form->arm.slides[i];
    }
    for (int i = 0; i < form->set.count; i++) {
        lbc_ranked *r = &closed->ranking.list[i];
        lbc_solution *s = &closed->form.set.list[r->at];
        const double moved = moved_by(closed, r);
        if ((is_plain && moved < NOT_MOVED) || is_verified(closed, r->values, moved, &s->error)) {
            inside += r->is_inside;
            closed->ranking.list[kept++] = *r;
        } else {
            closed->form.set.refused++;
        }
    }
    closed->ranking.inside_count = inside;
    closed->form.set.count = kept;
}

/* Why nothing is proved where nothing was found. */
static const char near_text[] =
    "so near to a singularity, a limit or the border of the reach this does not prove that there is none";

/* Nothing was found, not even outside the limits. */
static void explain_none(const lb_closed *closed, const lb_closed_result *result, lb_error *text) {
    const lbc_form *form = &closed->form;
    char all[24];
    if (result->is_stopped) {
        lbf_fail(text, LB_OK, "no solution was found before the budget was spent, or the call cancelled", (char *)0);
    } else if (!result->is_proved && form->kind == LB_CLOSED_SEVEN) {
        lbf_fail(text, LB_OK, "no solution was found inside the limits, at ",
                 lbf_integer_text(form->by.seven.sample_count, all), " angles of ",
                 closed->figure->variables[closed->chain.variable[form->by.seven.joint]].name, (char *)0);
    } else if (form->kind == LB_CLOSED_GROUPED) {
        lbf_fail(text, LB_OK, "no solution was found: the goal is out of the limb's reach", (char *)0);
    } else if (!result->is_proved) {
        lbf_fail(text, LB_OK, "no solution was found; ", near_text, (char *)0);
    } else if (form->kind == LB_CLOSED_LIMB && form->by.limb.elbow_count) {
        lbf_fail(text, LB_OK, "no solution: no swivel angle keeps all limits", (char *)0);
    } else {
        lbf_fail(text, LB_OK, "no solution: the goal is out of the arm's reach", (char *)0);
    }
}

/* All that were found are outside. */
static void explain_outside(const lb_closed *closed, const lb_closed_result *result, lb_error *text) {
    const lb_variable *variable = &closed->figure->variables[result->worst_variable];
    const int count = result->all_count, is_family = closed->form.set.is_outside;
    char number[24], by[32];
    lbf_integer_text(count, number);
    lbf_decimal_text(variable->is_angle ? result->outside * (180 / LBM_PI) : result->outside * 1000, by);
    const char *const which = is_family && result->is_proved ? "no swivel angle keeps all limits"
                              : is_family                    ? ""
                              : count == 1                   ? "the only one is"
                              : count == 2                   ? "both are"
                                                             : "all ";
    const int is_many = !is_family && count > 2;
    lbf_fail(text, LB_OK, result->is_proved ? "no solution: " : "no solution was found inside the limits",
             result->is_proved || is_family ? "" : ": ", which, is_many ? number : "", is_many ? " are" : "",
             is_family ? "" : " outside the limits", "; the nearest breaks ", variable->name, " by ", by,
             variable->is_angle ? " deg" : " mm", result->is_proved || is_family ? "" : "; ",
             result->is_proved || is_family ? "" : near_text, (char *)0);
}

static void explain(const lb_closed *closed, lb_closed_result *result) {
    lb_error text;
    char all[24], inside[24];
    const char *number = lbf_integer_text(result->all_count, all);
    const char *const until = result->is_stopped ? ", until the budget was spent or the call cancelled" : "";
    if (!result->all_count) {
        explain_none(closed, result, &text);
    } else if (!result->count) {
        explain_outside(closed, result, &text);
    } else if (result->count == result->all_count) {
        lbf_fail(&text, LB_OK, number, result->all_count == 1 ? " solution" : " solutions", until, (char *)0);
    } else {
        lbf_fail(&text, LB_OK, lbf_integer_text(result->count, inside), result->count == 1 ? " solution" : " solutions",
                 " inside the limits, of ", number, until, (char *)0);
    }
    memcpy(result->explanation, text.message, sizeof result->explanation);
}

lb_status lb_closed_solve(lb_closed *closed, const lb_frame *goal, const double *start, lb_closed_result *result) {
    if (!closed || !goal || !start || !result) {
        return LB_ERROR_ARGUMENT;
    }
    if (lbf_check_sized(&result_kind, result, NULL)) {
        return LB_ERROR_STRUCT;
    }
    lb_frame unit = *goal;
    if (!lbm_all_finite(goal->position, 3) || !lbm_quaternion_normalise(unit.rotation) ||
        !lbm_all_finite(start, closed->figure->variable_count)) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_closed_result made = {sizeof made, 0, 0, 0, -1, 0, "", 0, 0, 0};
    lbm_transform goal_w;
    lbm_transform_from_frame(&unit, &goal_w);
    if (begin(closed)) {
        lbc_solve(&closed->form, &closed->chain, &goal_w, start);
    } else {
        closed->form.set.count = 0;
    }
    lbc_rank(&closed->form, &closed->chain, start, &closed->ranking);
    verify_all(closed);
    made.count = closed->ranking.inside_count;
    made.all_count = closed->form.set.count;
    made.is_stopped = closed->form.budget.is_spent;
    made.evaluations = closed->form.budget.used;
    for (int i = 0; i < closed->form.set.count; i++) {
        made.singular_count += closed->form.set.list[closed->ranking.list[i].at].is_free;
    }
    if (made.all_count && !made.count) {
        made.worst_variable = closed->chain.variable[closed->ranking.list[0].worst];
        made.outside = closed->ranking.list[0].outside;
    }
    made.is_proved = lbc_proves(&closed->form, &closed->chain, &closed->ranking);
    explain(closed, &made);
    lbf_give_sized(&result_kind, &made, result);
    return LB_OK;
}

/* --- What was found --------------------------------------------------------------------------------------------------------- */

static int is_index(const lb_closed *closed, int index) {
    return closed && index >= 0 && index < closed->form.set.count;
}

lb_status lb_closed_get(const lb_closed *closed, int index, lb_closed_solution *solution) {
    if (!is_index(closed, index) || !solution) {
        return LB_ERROR_ARGUMENT;
    }
    if (lbf_check_sized(&solution_kind, solution, NULL)) {
        return LB_ERROR_STRUCT;
    }
    const lbc_ranked *r = &closed->ranking.list[index];
    const lbc_solution *found = &closed->form.set.list[r->at];
    lb_closed_solution made = {sizeof made,      {0},
                               r->is_inside,     -1,
                               r->outside,       r->is_inside,
                               found->is_free,   0,
                               found->error,     found->swivel[0],
                               found->swivel[1], found->swivel[2]};
    if (r->worst >= 0) {
        made.worst_variable = closed->chain.variable[r->worst];
    }
    for (int i = 0; i < closed->form.arm.n; i++) {
        double wound[LBC_TURNS];
        made.values[i] = r->values[i];
        made.winding_count *=
            lbc_windings(&closed->form, &closed->chain, i, (const double[2]){r->values[i], r->values[i]}, wound);
    }
    made.condition = closed->form.kind == LB_CLOSED_PLANAR ? 1
                     : closed->form.kind == LB_CLOSED_GROUPED
                         ? lbc_grouped_condition(&closed->form.arm, &closed->form.by.grouped, found->q)
                         : lbc_arm_condition(&closed->form.arm, found->q);
    made.is_singular |= made.condition > SINGULAR;
    lbf_give_sized(&solution_kind, &made, solution);
    return LB_OK;
}

lb_status lb_closed_winding(const lb_closed *closed, int index, int winding, double values[LB_CLOSED_MAX_JOINTS]) {
    if (!is_index(closed, index) || !values || winding < 0 || !closed->ranking.list[index].is_inside) {
        return LB_ERROR_ARGUMENT;
    }
    const lbc_ranked *r = &closed->ranking.list[index];
    double made[LBC_JOINTS] = {0};
    for (int i = 0; i < closed->form.arm.n; i++) {
        double wound[LBC_TURNS];
        const int count =
            lbc_windings(&closed->form, &closed->chain, i, (const double[2]){r->values[i], r->values[i]}, wound);
        made[i] = wound[winding % count];
        winding /= count;
    }
    if (winding) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(values, made, sizeof made);
    return LB_OK;
}

/* The winding of an angle that is nearest to another one, inside its limits. */
static int wind_near(const lb_closed *closed, int joint, double value, double near, double *wound) {
    double all[LBC_TURNS];
    const int count = lbc_windings(&closed->form, &closed->chain, joint, (const double[2]){value, near}, all);
    *wound = count ? all[0] : value;
    return count > 0;
}

/* The joints of an arm of seven at a swivel angle, on the interval of a solution. Returns 0 where there are none. */
static int find_at(const lb_closed *closed, const lbc_solution *found, double swivel_rad, double made[LBC_JOINTS]) {
    const lbc_form *form = &closed->form;
    if (form->kind == LB_CLOSED_LIMB) {
        return lbc_limb_at(&form->arm, &form->by.limb, &form->goal, found->branch, swivel_rad, made);
    }
    if (form->kind == LB_CLOSED_GROUPED) {
        return lbc_grouped_at(&form->arm, &form->by.grouped, found, swivel_rad, made);
    }
    memcpy(made, found->anchor, LBC_JOINTS * sizeof *made);
    return lbc_seven_at(&form->arm, &form->by.seven, swivel_rad, made);
}

lb_status lb_closed_swivel(lb_closed *closed, int index, double swivel_rad, double values[LB_CLOSED_MAX_JOINTS]) {
    if (!is_index(closed, index) || !values || !lbm_is_finite(swivel_rad)) {
        return LB_ERROR_ARGUMENT;
    }
    if (closed->form.kind != LB_CLOSED_LIMB && closed->form.kind != LB_CLOSED_GROUPED &&
        closed->form.kind != LB_CLOSED_SEVEN) {
        return LB_ERROR_UNSUPPORTED;
    }
    const lbc_ranked *r = &closed->ranking.list[index];
    const lbc_solution *found = &closed->form.set.list[r->at];
    double made[LBC_JOINTS] = {0}, moved = 0, error;
    int is_inside = swivel_rad >= found->swivel[1] - SWIVEL_SLACK && swivel_rad <= found->swivel[2] + SWIVEL_SLACK;
    is_inside = begin(closed) && is_inside && find_at(closed, found, swivel_rad, made);
    if (closed->form.budget.is_spent) {
        return LB_ERROR_TOO_LARGE;
    }
    for (int i = 0; i < closed->form.arm.n && is_inside; i++) {
        /* of a group: not wound */
        const double value = closed->form.arm.slides[i] ? made[i] * closed->chain.unit[i] : lbc_wrapped(made[i]);
        is_inside = wind_near(closed, i, value, r->values[i], &made[i]);
        const double by = (made[i] - value) / closed->chain.unit[i];
        moved += fabs(closed->form.arm.slides[i] ? by : by - LBM_TWO_PI * floor(by / LBM_TWO_PI + 0.5));
    }
    if (!is_inside || !is_verified(closed, made, moved, &error)) {
        return LB_ERROR_LIMIT;
    }
    memcpy(values, made, sizeof made);
    return LB_OK;
}

lb_status lb_closed_pose(const lb_closed *closed, int index, double *pose) {
    if (!is_index(closed, index) || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    for (int i = 0; i < closed->form.arm.n; i++) {
        pose[closed->chain.variable[i]] = closed->ranking.list[index].values[i];
    }
    return LB_OK;
}
