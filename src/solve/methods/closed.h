/* What method closed leaves in its memory. */
#ifndef LIMBER_SOLVE_METHODS_CLOSED_H
#define LIMBER_SOLVE_METHODS_CLOSED_H

#include "closed/closed.h"
#include "solve/methods/methods.h"

typedef struct lbs_closed_run {
    lb_closed closed;
    int has_proof; /* there is no solution */
} lbs_closed_run;

#endif
