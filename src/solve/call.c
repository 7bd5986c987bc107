#include "solve/call.h"

#include <string.h>

#include "figure/error.h"
#include "math/vec.h"
#include "solve/methods/methods.h"

static const lbf_sized options_kind = LBS_SIZED_OPTIONS;
static const lbf_sized result_kind = LBS_SIZED_RESULT;

void lb_solve_options_defaults_sized(lb_solve_options *options, size_t struct_size) {
    static const lb_solve_options defaults = {.jacobian = LB_JACOBIAN_VARIANT_DAMPED,
                                              .subgoals = 1,
                                              .max_iterations = 300,
                                              .max_evaluations = 100000,
                                              .gradient_tolerance = 1e-9,
                                              .seed = 1};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

void lb_result_defaults_sized(lb_result *result, size_t struct_size) {
    static const lb_result defaults = {.unmet = -1};
    lbf_default_sized(&result_kind, &defaults, result, struct_size);
}

lb_status lbs_take_options(const lb_solve_options *given, lb_solve_options *options, lb_error *error) {
    lb_solve_options_defaults_sized(options, sizeof *options);
    return lbf_take_sized(&options_kind, given, options, error);
}

/* Infinite tolerances, budgets and deadlines are none; what is not a number is a mistake. */
static int is_number(double value) { return value == value; }

lb_status lbs_check_options(const lb_solve_options *o, lb_error *error) {
    if ((int)o->jacobian < 0 || o->jacobian > LB_JACOBIAN_VARIANT_SVD_DAMPED) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such variant of the Jacobian method", (char *)0);
    }
    if ((int)o->bfgs_update < 0 || o->bfgs_update > LB_BFGS_UPDATE_DFP || (int)o->ccd < 0 ||
        o->ccd > LB_CCD_VARIANT_AXIS) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such variant of bfgs or ccd", (char *)0);
    }
    if (!is_number(o->gradient_tolerance) || !is_number(o->deadline_us) || !lbm_is_finite(o->preferred) ||
        !is_number(o->max_change)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "an option of the solve is not a number", (char *)0);
    }
    if (o->max_change < 0) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "max_change is negative: give 0 for none", (char *)0);
    }
    if (!lbs_is_method(o->method)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such method", (char *)0);
    }
    return LB_OK;
}

lb_status lbs_check_result(const lb_result *result, lb_error *error) {
    return lbf_check_sized(&result_kind, result, error);
}

void lbs_clear_result(lb_result *result) {
    /* Of the explanation only the first character needs to be cleared, and of what it says only the count. */
    memset((char *)result + sizeof result->struct_size, 0,
           offsetof(lb_result, explanation) - sizeof result->struct_size);
    result->explanation[0] = 0;
    result->said_count = 0;
    result->unmet = -1;
}

lb_status lbs_refuse(lb_result *result, const lb_error *error, lb_status status) {
    size_t size = strlen(error->message);
    result->said_count = 0;
    memcpy(result->explanation, error->message,
           size < sizeof result->explanation ? size + 1 : sizeof result->explanation);
    result->explanation[sizeof result->explanation - 1] = 0;
    return status;
}

/* Options of another version, or none. */
static lb_status take_call_options(lbs_call *call) {
    lb_error error;
    lb_status status = lbs_take_options(call->options, &call->taken, &error);
    call->options = &call->taken;
    if (status) {
        lbs_clear_result(call->result);
        lbs_refuse(call->result, &error, status);
        return lbs_call_end(call, status);
    }
    return LB_OK;
}

lb_status lbs_call_begin(lbs_call *call, const lb_solve_options *options, lb_result *result) {
    call->given = call->result = result;
    call->options = options;
    if (result->struct_size != sizeof *result) {
        lb_status status = lbs_check_result(result, NULL);
        if (status) {
            return status;
        }
        lb_result_defaults(&call->own);
        lbf_take_sized(&result_kind, result, &call->own, NULL);
        call->result = &call->own;
    }
    return options && options->struct_size == sizeof *options ? LB_OK : take_call_options(call);
}

void lbs_give_result(const lbs_call *call) { lbf_give_sized(&result_kind, call->result, call->given); }
