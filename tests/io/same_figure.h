/* Whether two figures are the same, field by field and bit by bit; what differs first is noted as a failed check. */
#ifndef LIMBER_TESTS_SAME_FIGURE_H
#define LIMBER_TESTS_SAME_FIGURE_H

#include <limber/body.h>

int same_figure(const lb_figure *a, const lb_figure *b);

#endif
