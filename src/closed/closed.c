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

static const lbf_sized options_kind = LBF_SIZED(lb_closed_options, is_position);
static const lbf_sized result_kind = LBF_SIZED(lb_closed_result, is_proved);
static const lbf_sized solution_kind = LBF_SIZED(lb_closed_solution, swivel_high_rad);

static const lb_closed_options option_defaults = {sizeof(lb_closed_options), -1, NULL, 0};

void lb_closed_options_defaults_sized(lb_closed_options *options, size_t struct_size) {
    lbf_default_sized(&options_kind, &option_defaults, options, struct_size);
}

void lb_closed_result_defaults_sized(lb_closed_result *result, size_t struct_size) {
    const lb_closed_result made = {sizeof made, 0, 0, 0, -1, 0, "", 0};
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
    by.kinematics = lb_kinematics_create(f, error);
    if (by.kinematics) {
        status = lbc_prepare(closed, effector, base_segment, &by, error);
        lb_kinematics_destroy(by.kinematics);
    }
    lbf_delete(&f->draft.allocator, by.nodes, (size_t)f->node_count, sizeof(int));
    return status;
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
    form->set.count = form->set.refused = form->set.is_outside = 0;
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
            near[i] = start[chain->variable[i]];
        }
        form->by.seven.lower = chain->lower;
        form->by.seven.upper = chain->upper;
        form->by.seven.work = &form->work.seven;
        form->by.seven.stop = &form->stop;
        lbc_seven_solve(&form->arm, &form->by.seven, &goal, near, &form->set);
        break;
    case LB_CLOSED_GROUPED:
        for (int i = 0; i < form->arm.n; i++) {
            near[i] = start[chain->variable[i]];
        }
        form->by.grouped.lower = chain->lower;
        form->by.grouped.upper = chain->upper;
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

/* A family of which nothing keeps the limits: one stands for all of it. */
static void explain_family(const lb_closed *closed, lb_closed_result *result) {
    lb_error text;
    char by[32];
    const lb_variable *variable = &closed->figure->variables[result->worst_variable];
    lbf_decimal_text(variable->is_angle ? result->outside * (180 / LBM_PI) : result->outside * 1000, by);
    lbf_fail(&text, LB_OK,
             closed->form.kind == LB_CLOSED_LIMB ? "no solution: no swivel angle keeps all limits"
                                                 : "no solution was found inside the limits",
             "; the nearest breaks ", variable->name, " by ", by, variable->is_angle ? " deg" : " mm", (char *)0);
    memcpy(result->explanation, text.message, sizeof result->explanation);
}

static void explain(const lb_closed *closed, lb_closed_result *result) {
    lb_error text;
    char all[24], inside[24], by[32];
    const char *number = lbf_integer_text(result->all_count, all);
    const int is_one = result->all_count == 1;
    if (!result->all_count && closed->form.kind == LB_CLOSED_LIMB && closed->form.by.limb.elbow_count) {
        lbf_fail(&text, LB_OK, "no solution: no swivel angle keeps all limits", (char *)0);
    } else if (!result->all_count && closed->form.kind == LB_CLOSED_SEVEN) {
        lbf_fail(&text, LB_OK, "no solution was found inside the limits, at ",
                 lbf_integer_text(closed->form.by.seven.sample_count, all), " angles of ",
                 closed->figure->variables[closed->chain.variable[closed->form.by.seven.joint]].name, (char *)0);
    } else if (!result->all_count) {
        lbf_fail(&text, LB_OK,
                 closed->form.kind == LB_CLOSED_GROUPED ? "no solution was found: the goal is out of the limb's reach"
                                                        : "no solution: the goal is out of the arm's reach",
                 (char *)0);
    } else if (!result->count) {
        const int variable = result->worst_variable;
        const int is_angle = closed->figure->variables[variable].is_angle;
        lbf_decimal_text(is_angle ? result->outside * (180 / LBM_PI) : result->outside * 1000, by);
        lbf_fail(&text, LB_OK, "no solution: ",
                 is_one                   ? "the only one is"
                 : result->all_count == 2 ? "both are"
                                          : "all ",
                 result->all_count > 2 ? number : "", result->all_count > 2 ? " are" : "",
                 " outside the limits; the nearest breaks ", closed->figure->variables[variable].name, " by ", by,
                 is_angle ? " deg" : " mm", (char *)0);
    } else if (result->count == result->all_count) {
        lbf_fail(&text, LB_OK, number, is_one ? " solution" : " solutions", (char *)0);
    } else {
        lbf_fail(&text, LB_OK, lbf_integer_text(result->count, inside), result->count == 1 ? " solution" : " solutions",
                 " inside the limits, of ", number, (char *)0);
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
    lb_closed_result made = {sizeof made, 0, 0, 0, -1, 0, "", 0};
    lbm_transform goal_w;
    lbm_transform_from_frame(&unit, &goal_w);
    lbc_solve(&closed->form, &closed->chain, &goal_w, start);
    lbc_rank(&closed->form, &closed->chain, start, &closed->ranking);
    made.count = closed->ranking.inside_count;
    made.all_count = closed->form.set.count;
    for (int i = 0; i < closed->form.set.count; i++) {
        made.singular_count += closed->form.set.list[i].is_free;
    }
    if (made.all_count && !made.count) {
        made.worst_variable = closed->chain.variable[closed->ranking.list[0].worst];
        made.outside = closed->ranking.list[0].outside;
    }
    made.is_proved = !made.count && lbc_proves(&closed->form, &closed->chain);
    if (made.all_count && !made.count && closed->form.set.is_outside) {
        explain_family(closed, &made);
    } else {
        explain(closed, &made);
    }
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

lb_status lb_closed_swivel(const lb_closed *closed, int index, double swivel_rad, double values[LB_CLOSED_MAX_JOINTS]) {
    if (!is_index(closed, index) || !values || !lbm_is_finite(swivel_rad)) {
        return LB_ERROR_ARGUMENT;
    }
    const int is_limb = closed->form.kind == LB_CLOSED_LIMB, is_grouped = closed->form.kind == LB_CLOSED_GROUPED;
    if (!is_limb && !is_grouped && closed->form.kind != LB_CLOSED_SEVEN) {
        return LB_ERROR_UNSUPPORTED;
    }
    const lbc_ranked *r = &closed->ranking.list[index];
    const lbc_solution *found = &closed->form.set.list[r->at];
    double made[LBC_JOINTS] = {0};
    int is_inside = swivel_rad >= found->swivel[1] - SWIVEL_SLACK && swivel_rad <= found->swivel[2] + SWIVEL_SLACK;
    if (is_inside && is_limb) {
        is_inside = lbc_limb_at(&closed->form.arm, &closed->form.by.limb, found->branch, swivel_rad, made);
    } else if (is_inside && is_grouped) {
        is_inside = lbc_grouped_at(&closed->form.arm, &closed->form.by.grouped, found, swivel_rad, made);
    } else if (is_inside) {
        memcpy(made, found->anchor, sizeof made);
        is_inside = lbc_seven_at(&closed->form.arm, &closed->form.by.seven, swivel_rad, made);
    }
    for (int i = 0; i < closed->form.arm.n && is_inside; i++) {
        const double value = closed->form.arm.slides[i] ? made[i] : lbc_wrapped(made[i]); /* of a group: not wound */
        is_inside = wind_near(closed, i, value, r->values[i], &made[i]);
    }
    if (!is_inside) {
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
