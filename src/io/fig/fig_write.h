/* The writer of .fig files: fig_write.c begins, fig_write_segment.c writes segments, sites and shapes, fig_write_body.c
 * writes the body. */
#ifndef LIMBER_IO_FIG_WRITE_H
#define LIMBER_IO_FIG_WRITE_H

#include "io/fig/fig_print.h"

typedef struct fig_writer {
    const lb_figure *figure;
    lbio_text *text;
    int site, shape, parameter, drive; /* what is not written yet begins here */
    int *first_site, *next_site;       /* the sites of each segment, as lists; -1 ends one */
    unsigned char *driven;             /* dofs driven so far: one bit each, by joint */
    lb_builder *names;                 /* where default names of dofs are asked for */
    int name_sites[2];
} fig_writer;

static inline void add(fig_writer *writer, const char *string) { lbio_text_add(writer->text, string); }

static inline void add_name(fig_writer *writer, const char *name) { lbio_fig_print_name(writer->text, name); }

static inline void add_value(fig_writer *writer, fig_unit unit, double value) {
    lbio_fig_print_value(writer->text, unit, value);
}

/* A blank, or a new line where this one is full. */
void lbio_fig_write_break(fig_writer *writer, const char *indent);
/* joint, joint.dof or group.parameter */
void lbio_fig_write_dof_ref(fig_writer *writer, const lb_dof_ref *ref);
void lbio_fig_write_body(fig_writer *writer);
void lbio_fig_write_segment(fig_writer *writer, int index);
/* Sites that stand in the figure itself, up to and with number `last`. */
void lbio_fig_write_sites(fig_writer *writer, int last);
/* Shapes that stand in the figure itself: those left of segments before number `segment`. */
void lbio_fig_write_shapes(fig_writer *writer, int segment);

#endif
