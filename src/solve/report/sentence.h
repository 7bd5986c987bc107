/* Sentences for people: what a solve found, and why. */
#ifndef LIMBER_SOLVE_SENTENCE_H
#define LIMBER_SOLVE_SENTENCE_H

#include "solve/solver.h"

/* Writes result->explanation from the lists of the result. `tried`: lb_solver_explain tried all that could be in the way, so
 * that where there is no reason none is worth naming. */
void lbs_write_explanation(const lb_solver *solver, lb_result *result, int tried);

/* A sentence while it is written: `size` characters of room, of which `used` are taken. What has no room is left out. */
typedef struct lbs_sentence {
    char *text;
    size_t size, used;
} lbs_sentence;

void lbs_say(lbs_sentence *s, const char *text);
void lbs_say_number(lbs_sentence *s, double value, const char *unit);
void lbs_say_distance(lbs_sentence *s, double metres);
/* A name with blanks for its underscores and dots. */
void lbs_say_name(lbs_sentence *s, const char *name);
/* How far a constraint is from being met. */
void lbs_say_miss(lbs_sentence *s, const lb_constraint *constraint, const lb_constraint_result *result);
/* What a reason would gain: "bring it 3 cm closer". */
void lbs_say_gain(lbs_sentence *s, const lb_reason *reason);
void lbs_say_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *reason);

/* --- sentence_body.c: of figures that are posed as bodies ------------------------------------------------------------- */

void lbs_write_body_explanation(const lb_solver *solver, lb_result *result);
/* A rule of the body that is in the way. */
void lbs_say_body_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *reason);

#endif
