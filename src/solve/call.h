/* What a caller hands to a solve and gets back, which may be structs of an older header than the library. */
#ifndef LIMBER_SOLVE_CALL_H
#define LIMBER_SOLVE_CALL_H

#include <limber/solve.h>

#include "figure/sized.h"

/* What is known of the two structs: lbf_sized. */
#define LBS_SIZED_OPTIONS LBF_SIZED(lb_solve_options, ccd)
#define LBS_SIZED_RESULT LBF_SIZED(lb_result, explanation)

/* The options and the result of a call as this version has them. */
typedef struct lbs_call {
    const lb_solve_options *options; /* the caller's, or `taken` where they are shorter, or NULL */
    lb_solve_options taken;          /* the caller's, with defaults for what his header does not know */
    lb_result *result;               /* where the solve writes: the caller's struct, or `own` where that is shorter */
    lb_result *given;                /* the caller's struct */
    lb_result own;
} lbs_call;

/* Takes the caller's options (NULL: defaults) and result. LB_ERROR_STRUCT where one of them is of no known size; where
 * it is the options, the result says so. */
lb_status lbs_call_begin(lbs_call *call, const lb_solve_options *options, lb_result *result);
/* Copies the result to the caller's struct, which is shorter. */
void lbs_give_result(const lbs_call *call);
/* Hands the result back. Returns the status. */
static inline lb_status lbs_call_end(const lbs_call *call, lb_status status) {
    if (call->result != call->given) {
        lbs_give_result(call);
    }
    return status;
}

/* Whole options from the caller's; NULL: defaults. */
lb_status lbs_take_options(const lb_solve_options *given, lb_solve_options *options, lb_error *error);
/* LB_ERROR_ARGUMENT, with a sentence, where options make no sense. */
lb_status lbs_check_options(const lb_solve_options *options, lb_error *error);
/* Whether a result has a known size. */
lb_status lbs_check_result(const lb_result *result, lb_error *error);

/* Empties a result, but for its struct_size. */
void lbs_clear_result(lb_result *result);
/* Puts the reason why a call was refused into a result; returns the status. */
lb_status lbs_refuse(lb_result *result, const lb_error *error, lb_status status);

#endif
