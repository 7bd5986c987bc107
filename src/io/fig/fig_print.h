/* Names, numbers and frames as .fig text that reads back as the same bits. */
#ifndef LIMBER_IO_FIG_PRINT_H
#define LIMBER_IO_FIG_PRINT_H

#include "io/fig/fig.h"

void lbio_fig_print_name(lbio_text *text, const char *name);
/* unit: FIG_PLAIN, FIG_ANGLE, FIG_LENGTH or FIG_MASS; infinities are written `none`. */
void lbio_fig_print_value(lbio_text *text, fig_unit unit, double value);
void lbio_fig_print_triple(lbio_text *text, fig_unit unit, const double values[3]); /* (a, b, c) */
void lbio_fig_print_frame(lbio_text *text, const lb_frame *frame);
int lbio_fig_same_bits(const void *a, const void *b, size_t size);

#endif
