/* Sentences for people: what a solve found, and why. */
#ifndef LIMBER_SOLVE_SENTENCE_H
#define LIMBER_SOLVE_SENTENCE_H

#include "solve/solver.h"

/* Writes result->explanation from the lists of the result. `tried`: lb_solver_explain tried all that could be in the way, so
 * that where there is no reason none is worth naming. */
void lbs_write_explanation(const lb_solver *solver, lb_result *result, int tried);

#endif
