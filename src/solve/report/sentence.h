/* Sentences for people: what a solve found, and why. */
#ifndef LIMBER_SOLVE_SENTENCE_H
#define LIMBER_SOLVE_SENTENCE_H

#include "solve/solver.h"

/* Writes result->explanation from the lists of the result. `tried`: lb_solver_explain tried all that could be in the
 * way, so that where there is no reason none is worth naming. */
void lbs_write_explanation(const lb_solver *solver, lb_result *result, int tried);

/* A sentence while it is written: `size` characters of room, of which `used` are taken. What has no room is left out.
 * Every word belongs to a part; between parts there are only signs, blanks, and what joins a list. */
typedef struct lbs_sentence {
    char *text;
    size_t size, used;
    lb_result *result; /* whose parts are listed */
} lbs_sentence;

/* The sentence of a result from its `used` characters on; its first parts stay. */
lbs_sentence lbs_sentence_of(lb_result *result, size_t used);
/* A part that is about nothing in particular. */
lb_say lbs_part_of(lb_say_kind kind);
/* What is said from here until lbs_end_part is the words of a part. Parts do not nest. */
void lbs_begin_part(lbs_sentence *s, lb_say part);
void lbs_end_part(lbs_sentence *s);

void lbs_say(lbs_sentence *s, const char *text);
/* A part whose words are all the same. */
void lbs_say_part(lbs_sentence *s, lb_say_kind kind, const char *text);
void lbs_say_number(lbs_sentence *s, double value, const char *unit);
void lbs_say_distance(lbs_sentence *s, double metres);
/* A name with blanks for its underscores and dots. */
void lbs_say_name(lbs_sentence *s, const char *name);
/* The part that says how far the unmet goal of a result is missed, and that of one of its reasons. */
lb_say lbs_miss_part(const lb_result *result);
lb_say lbs_reason_part(const lb_result *result, int reason);
/* How far a constraint is from being met. */
void lbs_say_miss(lbs_sentence *s, const lb_constraint *constraint, const lb_constraint_result *result);
/* What a reason would gain: "bring it 3 cm closer". */
void lbs_say_gain(lbs_sentence *s, const lb_reason *reason);
void lbs_say_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *reason);

/* --- sentence_body.c: of figures that are posed as bodies
 * ------------------------------------------------------------- */

void lbs_write_body_explanation(const lb_solver *solver, lb_result *result);
/* A rule of the body that is in the way. */
void lbs_say_body_reason(lbs_sentence *s, const lb_solver *solver, const lb_result *result, const lb_reason *reason);

#endif
