/* A picture that is drawn into PNG, SVG or PDF. */
#ifndef LIMBER_MAP_CANVAS_H
#define LIMBER_MAP_CANVAS_H

#include "io/render/render.h"
#include "map/surface.h"

typedef struct lbmap_canvas {
    const char *path;
    int width, height;
    lb_picture_format format; /* LB_PICTURE_FORMAT_BY_NAME: from the path's ending */
    /* Puts pixels below what is painted, of a PNG; may be NULL. */
    lb_status (*raster)(void *context, unsigned char *pixels, int stride);
    /* Paints the rest; of SVG and PDF all of it (is_vector). */
    lb_status (*paint)(void *context, lbio_painter *painter, int is_vector);
    void *context;
} lbmap_canvas;

lb_status lbmap_canvas_write(const lbmap_canvas *canvas, lb_error *error);

/* What maps are painted with. */
void lbmap_fill(lbio_painter *painter, double x, double y, double w, double h, const double rgb[3]);
/* anchor as lbio_lettering has it; size < 0: bold. */
void lbmap_write_text(lbio_painter *painter, double x, double y, double size, int anchor, const char *text);
void lbmap_frame_box(lbio_painter *painter, lbio_rect rect);
/* A bar with the colours of 0 to 1 and what they mean. */
void lbmap_legend_bar(lbio_painter *painter, double x, double y, double width, const char *low, const char *high);
void lbmap_legend_swatch(lbio_painter *painter, double x, double y, const double rgb[3], const char *text);

extern const double lbmap_outside_color[3], lbmap_unfound_color[3], lbmap_paper[3];

#endif
