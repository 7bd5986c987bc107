/* Plots of a few curves, for reports: PNG, SVG or PDF by the path's ending. */
#ifndef LIMBER_IO_PLOT_H
#define LIMBER_IO_PLOT_H

#include "io/text.h"

typedef struct lbio_series {
    const char *name;
    const double *x, *y; /* [count]; points that are not finite (or not positive on a log axis) are left out */
    int count;
    int is_dashed;
} lbio_series;

typedef struct lbio_plot {
    const char *title, *x_label, *y_label;
    int is_log_x, is_log_y;
    int width, height; /* pixels; 0: 860 x 520 */
    const lbio_series *series;
    int series_count; /* at most LBIO_PLOT_SERIES */
} lbio_plot;

#define LBIO_PLOT_SERIES 12

lb_status lbio_plot_write(const lbio_plot *plot, const char *path, lb_error *error);

#endif
