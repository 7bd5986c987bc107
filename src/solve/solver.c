/* The public calls of a solve. */
#include "solve/solver.h"

#include <string.h>

#include "math/rounding.h"
#include "solve/apart/apart.h"

const char *lb_outcome_name(lb_outcome outcome) {
    static const char *const names[] = {"invalid", "solved", "minimum", "budget"};
    return (int)outcome >= 0 && outcome <= LB_OUTCOME_BUDGET ? names[outcome] : "unknown";
}

lb_status lbs_refuse_rounding(lb_result *result) {
    lb_error error;
    lbf_clear(&error);
    lbs_clear_result(result);
    lb_status status = lbf_fail(&error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST, (char *)0);
    return lbs_refuse(result, &error, status);
}

static lb_status solve_and_report(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result) {
    lb_error error;
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbs_refuse_rounding(result);
    }
    lb_status status = lbs_solve(solver, options, NULL, NULL, pose, result, &error);
    if (status) {
        return lbs_refuse(result, &error, status);
    }
    lbs_report(lbs_reporter(solver), result);
    return LB_OK;
}

lb_status lb_solver_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result) {
    lbs_call call;
    if (!solver || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_call_begin(&call, options, result);
    return status ? status : lbs_call_end(&call, solve_and_report(solver, call.options, pose, call.result));
}

lb_status lb_solve(const lb_problem *problem, const lb_solve_options *options, double *pose, lb_result *result) {
    lbs_call call;
    lb_error error;
    if (!problem || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_call_begin(&call, options, result);
    if (status) {
        return status;
    }
    lb_result *r = call.result;
    lb_solver *solver = lb_solver_create(problem, &error);
    if (!solver) {
        lbs_clear_result(r);
        return lbs_call_end(&call, lbs_refuse(r, &error, error.status));
    }
    status = solve_and_report(solver, call.options, pose, r);
    const int is_minimum = r->outcome == LB_OUTCOME_MINIMUM || (solver->bodies && r->outcome == LB_OUTCOME_BUDGET);
    if (!status && is_minimum && !(call.options->deadline_us > 0)) {
        status = lb_solver_explain(solver, call.options, pose, r);
    }
    r->constraints = NULL; /* the lists are the solver's, which is destroyed */
    r->limits = NULL;
    r->levels = NULL;
    r->reasons = NULL;
    r->constraint_count = r->limit_count = r->level_count = r->reason_count = 0;
    lb_solver_destroy(solver);
    return lbs_call_end(&call, status);
}

lb_status lb_solver_value(lb_solver *solver, const double *pose, double *value, double *gradient) {
    if (!solver || !pose || !value) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_solve_options options;
    lb_error error;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_status status = lbs_begin_solver(solver, &options, pose, &result, &error);
    if (status) {
        return status;
    }
    lbs_space *s = solver->space;
    memcpy(s->start, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    memcpy(s->last.pose, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    lbs_place_still(s);
    lbs_from_pose(s, pose, solver->z);
    *value = lbs_gradient(s, solver->z, -1, solver->kkt.gradient);
    if (!gradient) {
        return LB_OK;
    }
    memset(gradient, 0, (size_t)solver->problem->variable_count * sizeof *gradient);
    for (int i = 0; i < s->n; i++) {
        gradient[s->variables.index[i]] = solver->kkt.gradient[i] / s->variables.scale[i];
    }
    return LB_OK;
}
