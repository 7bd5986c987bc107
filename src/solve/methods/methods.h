/* The methods that minimise G from a start. route.c lists them. */
#ifndef LIMBER_SOLVE_METHODS_METHODS_H
#define LIMBER_SOLVE_METHODS_METHODS_H

#include "solve/plan/space.h"

/* How a method ended. */
typedef enum lbs_end {
    LBS_MET,     /* every item is within its tolerance */
    LBS_MINIMUM, /* a Kuhn-Tucker point */
    LBS_OUT,     /* out of budget, or no further progress */
    LBS_CANNOT   /* the method cannot do this problem: the error says why */
} lbs_end;

/* The methods: a new one is added here, in lb_method and in lb_engine, and has the two functions that are declared
 * below for each. */
#define LBS_METHOD_LIST(X) \
    X(LM, lm)              \
    X(BFGS, bfgs)          \
    X(CCD, ccd)            \
    X(JACOBIAN, jacobian)  \
    X(FABRIK, fabrik)      \
    X(CLOSED, closed)      \
    X(HIERARCHY, hierarchy)

/* A method runs from z, which is inside its limits before and after, and is never worse at the end. `work` has as many
 * doubles as the method's size function says for the largest n and m that the space can have. */
typedef lbs_end (*lbs_method)(lbs_space *space, double *work, double *z, lb_error *error);

#define LBS_COUNT_METHOD(constant, name) +1
enum { LBS_METHOD_COUNT = 0 LBS_METHOD_LIST(LBS_COUNT_METHOD) };

static inline int lbs_is_method(lb_method method) { return (int)method >= 0 && (int)method < LBS_METHOD_COUNT; }

#define LBS_DECLARE_METHOD(constant, name)            \
    size_t lbs_##name##_size(const lbs_space *space); \
    lbs_end lbs_run_##name(lbs_space *space, double *work, double *z, lb_error *error);
LBS_METHOD_LIST(LBS_DECLARE_METHOD)

#endif
