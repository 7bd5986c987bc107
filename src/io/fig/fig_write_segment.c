/* Segments, sites and shapes as .fig text. */
#include "io/fig/fig_write.h"

#include <math.h>

#define MAX_SEARCHED 64 /* sites of a segment tried as the place of a shape */

static void write_site(fig_writer *writer, const lb_site *site, int inside) {
    add(writer, inside ? "        site " : "    site ");
    if (!inside) {
        add_name(writer, lb_figure_segment(writer->figure, site->segment)->name);
        add(writer, ".");
    }
    add_name(writer, site->name);
    add(writer, "->location = ");
    lbio_fig_print_frame(writer->text, &site->frame);
    add(writer, ";\n");
}

/* The site of the segment whose frame is this one to the bit; -1 if none. */
static int site_at(const fig_writer *writer, int segment, const lb_frame *frame) {
    int tried = 0;
    for (int i = writer->first_site[segment]; i >= 0 && tried < MAX_SEARCHED; i = writer->next_site[i], tried++) {
        if (lbio_fig_same_bits(&lb_figure_site(writer->figure, i)->frame, frame, sizeof *frame)) {
            return i;
        }
    }
    return -1;
}

/* A site's name, a point, or a frame. */
static void add_place(fig_writer *writer, const lb_shape *shape) {
    lb_frame identity;
    int site = site_at(writer, shape->segment, &shape->frame);
    lb_frame_identity(&identity);
    if (site >= 0) {
        add_name(writer, lb_figure_site(writer->figure, site)->name);
    } else if (lbio_fig_same_bits(shape->frame.rotation, identity.rotation, sizeof identity.rotation)) {
        lbio_fig_print_triple(writer->text, FIG_LENGTH, shape->frame.position);
    } else {
        lbio_fig_print_frame(writer->text, &shape->frame);
    }
}

/* A site near this point, or -1. */
static int site_near(const fig_writer *writer, int segment, const double point[3]) {
    int tried = 0;
    for (int i = writer->first_site[segment]; i >= 0 && tried < MAX_SEARCHED; i = writer->next_site[i], tried++) {
        const double *p = lb_figure_site(writer->figure, i)->frame.position;
        double away = fabs(p[0] - point[0]) + fabs(p[1] - point[1]) + fabs(p[2] - point[2]);
        if (away < 1e-9) {
            return i;
        }
    }
    return -1;
}

static int ends_give_shape(const lb_shape *shape, const double from[3], const double to[3]) {
    lb_frame frame;
    double half;
    return lbio_fig_frame_between(from, to, &frame, &half) && lbio_fig_same_bits(&frame, &shape->frame, sizeof frame) &&
           half == shape->size[1];
}

/* The ends of a capsule or cylinder, if the shape follows from them: sites, or points to a tenth of a micrometre. */
static int add_ends(fig_writer *writer, const lb_shape *shape) {
    double matrix[9], ends[2][3];
    int sites[2];
    lb_rotation_to_matrix(shape->frame.rotation, matrix);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 3; i++) {
            double along = matrix[3 * i + 2] * shape->size[1];
            ends[end][i] = shape->frame.position[i] + (end ? along : -along);
        }
        sites[end] = site_near(writer, shape->segment, ends[end]);
        for (int i = 0; i < 3; i++) {
            ends[end][i] = sites[end] >= 0 ? lb_figure_site(writer->figure, sites[end])->frame.position[i]
                                           : round(ends[end][i] * 1e7) / 1e7 + 0.0;
        }
    }
    if (!ends_give_shape(shape, ends[0], ends[1])) {
        return 0;
    }
    for (int end = 0; end < 2; end++) {
        add(writer, end ? ", " : "");
        if (sites[end] >= 0) {
            add_name(writer, lb_figure_site(writer->figure, sites[end])->name);
        } else {
            lbio_fig_print_triple(writer->text, FIG_LENGTH, ends[end]);
        }
    }
    return 1;
}

static void add_long_shape(fig_writer *writer, const lb_shape *shape) {
    if (!add_ends(writer, shape)) {
        add_place(writer, shape);
        add(writer, ", ");
        add_value(writer, FIG_LENGTH, shape->size[1] * 2);
    }
    add(writer, ", ");
    add_value(writer, FIG_LENGTH, shape->size[0]);
    if (shape->kind == LB_SHAPE_CAPSULE && shape->size[2] != shape->size[0]) {
        add(writer, ", ");
        add_value(writer, FIG_LENGTH, shape->size[2]);
    }
}

static void write_shape(fig_writer *writer, const lb_shape *shape, int inside) {
    static const char *const kinds[] = {"sphere(", "capsule(", "box(", "cylinder(", "ellipsoid("};
    if (shape->kind >= LB_SHAPE_HULL) { /* kept in memory alone */
        return;
    }
    add(writer, inside ? "        shape" : "    shape ");
    if (!inside) {
        add_name(writer, lb_figure_segment(writer->figure, shape->segment)->name);
    }
    add(writer, " = ");
    add(writer, kinds[shape->kind]);
    if (shape->kind == LB_SHAPE_CAPSULE || shape->kind == LB_SHAPE_CYLINDER) {
        add_long_shape(writer, shape);
    } else {
        add_place(writer, shape);
        add(writer, ", ");
        if (shape->kind == LB_SHAPE_SPHERE) {
            add_value(writer, FIG_LENGTH, shape->size[0]);
        } else {
            double factor = shape->kind == LB_SHAPE_BOX ? 2 : 1;
            double size[3] = {shape->size[0] * factor, shape->size[1] * factor, shape->size[2] * factor};
            lbio_fig_print_triple(writer->text, FIG_LENGTH, size);
        }
    }
    add(writer, ")");
    if (shape->color >= 0) {
        lbio_text_format(writer->text, " color #%06x", (unsigned)shape->color & 0xFFFFFF);
    }
    if (shape->use != LB_SHAPE_USE_BOTH) {
        add(writer, shape->use == LB_SHAPE_USE_DRAWN ? " drawn" : " solid");
    }
    add(writer, ";\n");
}

void lbio_fig_write_sites(fig_writer *writer, int last) {
    const lb_site *site;
    while (writer->site <= last && (site = lb_figure_site(writer->figure, writer->site))) {
        write_site(writer, site, 0);
        writer->site++;
    }
}

void lbio_fig_write_shapes(fig_writer *writer, int segment) {
    const lb_shape *shape;
    while ((shape = lb_figure_shape(writer->figure, writer->shape)) && shape->segment < segment) {
        write_shape(writer, shape, 0);
        writer->shape++;
    }
}

/* What must come before segment number `segment` to keep the order of sites and shapes. */
static void write_left_behind(fig_writer *writer, int segment) {
    const lb_site *site;
    while ((site = lb_figure_site(writer->figure, writer->site)) && site->segment < segment) {
        lbio_fig_write_sites(writer, writer->site);
    }
    lbio_fig_write_shapes(writer, segment);
}

void lbio_fig_write_segment(fig_writer *writer, int index) {
    static const double zero[3] = {0, 0, 0};
    const lb_segment *segment = lb_figure_segment(writer->figure, index);
    write_left_behind(writer, index);
    add(writer, "    segment ");
    add_name(writer, segment->name);
    add(writer, " {\n");
    if (segment->mass != 0 || signbit(segment->mass)) {
        add(writer, "        mass = ");
        add_value(writer, FIG_MASS, segment->mass);
        add(writer, ";\n");
    }
    if (!lbio_fig_same_bits(segment->com, zero, sizeof zero)) {
        add(writer, "        com = ");
        lbio_fig_print_triple(writer->text, FIG_LENGTH, segment->com);
        add(writer, ";\n");
    }
    const lb_site *site;
    while ((site = lb_figure_site(writer->figure, writer->site)) && site->segment == index) {
        write_site(writer, site, 1);
        writer->site++;
    }
    const lb_shape *shape;
    while ((shape = lb_figure_shape(writer->figure, writer->shape)) && shape->segment == index) {
        write_shape(writer, shape, 1);
        writer->shape++;
    }
    add(writer, "    }\n\n");
}
