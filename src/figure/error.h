/* Messages without stdio. */
#ifndef LIMBER_FIGURE_ERROR_H
#define LIMBER_FIGURE_ERROR_H

#include <limber/limber.h>

/* Sets the error to the texts one behind the other (the last is NULL) and returns the status. error may be NULL. */
lb_status lbf_fail(lb_error *error, lb_status status, ...);
/* The same with one text. */
lb_status lbf_refuse(lb_error *error, lb_status status, const char *text);
/* The same for functions that make an object: returns NULL. */
void *lbf_none(lb_error *error, lb_status status, const char *text);
void lbf_clear(lb_error *error);
/* A whole number, or a decimal with three places, as text. */
const char *lbf_integer_text(int64_t value, char text[24]);
const char *lbf_decimal_text(double value, char text[32]);

#endif
