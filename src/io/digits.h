/* The decimal digits of doubles, by whole numbers alone. */
#ifndef LIMBER_IO_DIGITS_H
#define LIMBER_IO_DIGITS_H

/* Writes what lbio_print_number is to write, where value is neither zero nor infinite nor NaN. Returns 0, with nothing
 * written, where its arithmetic does not reach: sizes below 1.5e-11 or above 9e15, and machines without 128-bit
 * integers. */
int lbio_print_digits(double value, char text[32]);

#endif
