/* What a solve is asked to do: whether it makes sense. */
#include "figure/error.h"
#include "math/vec.h"
#include "solve/route.h"
#include "solve/solver.h"

/* Infinite tolerances, budgets and deadlines are none; what is not a number is a mistake. */
static int is_number(double value) { return value == value; }

lb_status lbs_check_options(const lb_solve_options *o, lb_error *error) {
    if (!lbs_is_method(o->method)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such method", (char *)0);
    }
    if ((int)o->jacobian < 0 || o->jacobian > LB_JACOBIAN_VARIANT_SVD_DAMPED) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such variant of the Jacobian method", (char *)0);
    }
    if ((int)o->bfgs_update < 0 || o->bfgs_update > LB_BFGS_UPDATE_DFP || (int)o->ccd < 0 ||
        o->ccd > LB_CCD_VARIANT_AXIS) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no such variant of bfgs or ccd", (char *)0);
    }
    if (!is_number(o->gradient_tolerance) || !is_number(o->deadline_us) || !lbm_is_finite(o->preferred)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "an option of the solve is not a number", (char *)0);
    }
    return LB_OK;
}
