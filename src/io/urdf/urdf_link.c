/* One URDF link: mass, an inertia that fits its shapes, and the shapes as <visual> and <collision>. */
#include "io/urdf/urdf_out.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---------------------------------------------------------------------------------------------------
 * Inertia. Figures have none, but programs that read URDF want one: that of the shapes, filled evenly with the
 * segment's mass, about its centre of mass (parallel axes: Goldstein, Classical Mechanics, section 5.3).
 * ------------------------------------------------------------------------------------------------- */

static double volume_of(const lb_shape *shape) {
    const double *s = shape->size;
    switch (shape->kind) {
    case LB_SHAPE_HULL:
    case LB_SHAPE_MESH:
        return 0.0; /* its mesh is not written, and so does not weigh */
    case LB_SHAPE_SPHERE:
        return 4.0 / 3.0 * PI * s[0] * s[0] * s[0];
    case LB_SHAPE_BOX:
        return 8.0 * s[0] * s[1] * s[2];
    case LB_SHAPE_ELLIPSOID:
        return 4.0 / 3.0 * PI * s[0] * s[1] * s[2];
    case LB_SHAPE_CAPSULE: { /* as a cylinder of its mean radius and whole length; near enough for an inertia */
        double radius = 0.5 * (s[0] + s[2]);
        return PI * radius * radius * (2.0 * s[1] + s[0] + s[2]);
    }
    default:
        return 2.0 * PI * s[0] * s[0] * s[1];
    }
}

/* Moments about the shape's own axes for a mass of 1. */
static void moments_of(const lb_shape *shape, double moments[3]) {
    const double *s = shape->size;
    double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        moments[0] = moments[1] = moments[2] = 0.4 * x2;
        return;
    case LB_SHAPE_BOX:
        moments[0] = (y2 + z2) / 3.0, moments[1] = (x2 + z2) / 3.0, moments[2] = (x2 + y2) / 3.0;
        return;
    case LB_SHAPE_ELLIPSOID:
        moments[0] = (y2 + z2) / 5.0, moments[1] = (x2 + z2) / 5.0, moments[2] = (x2 + y2) / 5.0;
        return;
    default: {
        int is_capsule = shape->kind == LB_SHAPE_CAPSULE;
        double radius = is_capsule ? 0.5 * (s[0] + s[2]) : s[0];
        double half = is_capsule ? s[1] + 0.5 * (s[0] + s[2]) : s[1];
        moments[0] = moments[1] = radius * radius / 4.0 + half * half / 3.0;
        moments[2] = 0.5 * radius * radius;
    }
    }
}

/* inertia: xx xy xz yy yz zz about the centre of mass. */
static void add_inertia(const lb_shape *shape, double mass, const double com[3], double inertia[6]) {
    double m[9], moments[3], d[3];
    lb_rotation_to_matrix(shape->frame.rotation, m);
    moments_of(shape, moments);
    for (int i = 0; i < 3; ++i) {
        d[i] = shape->frame.position[i] - com[i];
    }
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0, at = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++at) {
            double turned = 0.0;
            for (int k = 0; k < 3; ++k) {
                turned += m[3 * i + k] * moments[k] * m[3 * j + k];
            }
            inertia[at] += mass * (turned + (i == j ? square : 0.0) - d[i] * d[j]);
        }
    }
}

/* By Newton's method from above, in operations that are rounded in one way only: C libraries differ. */
static double cube_root(double x) {
    double y = x > 1.0 ? x : 1.0, next = y;
    do {
        y = next;
        next = (2.0 * y + x / (y * y)) / 3.0;
    } while (next < y);
    return x > 0.0 ? y : 0.0;
}

static void inertia_of(const lbio_urdf_out *out, int index, double inertia[6]) {
    const lb_segment *segment = lb_figure_segment(out->figure, index);
    double volume = 0.0;
    memset(inertia, 0, 6 * sizeof *inertia);
    for (int i = out->first_shape[index]; i >= 0; i = out->next_shape[i]) {
        volume += volume_of(lb_figure_shape(out->figure, i));
    }
    if (!(volume > 0.0)) { /* a sphere of the density of water */
        lb_shape sphere;
        lb_shape_defaults(&sphere);
        memcpy(sphere.frame.position, segment->com, sizeof segment->com);
        sphere.size[0] = cube_root(segment->mass / 1000.0 * 0.75 / PI);
        add_inertia(&sphere, segment->mass, segment->com, inertia);
        return;
    }
    for (int i = out->first_shape[index]; i >= 0; i = out->next_shape[i]) {
        const lb_shape *shape = lb_figure_shape(out->figure, i);
        add_inertia(shape, segment->mass * (volume_of(shape) / volume), segment->com, inertia);
    }
}

static void write_inertial(lbio_urdf_out *out, int index) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const lb_segment *segment = lb_figure_segment(out->figure, index);
    lbio_text *text = out->text;
    lb_frame com;
    double inertia[6];
    lb_frame_identity(&com);
    memcpy(com.position, segment->com, sizeof segment->com);
    inertia_of(out, index, inertia);
    lbio_text_add(text, "    <inertial>\n");
    lbio_urdf_write_origin(text, "      ", &com);
    lbio_text_add(text, "      <mass value=\"");
    lbio_text_number(text, segment->mass);
    lbio_text_add(text, "\"/>\n      <inertia");
    for (int i = 0; i < 6; ++i) {
        lbio_text_format(text, " %s=\"", names[i]);
        lbio_text_number(text, isfinite(inertia[i]) ? inertia[i] : 0.0);
        lbio_text_add(text, "\"");
    }
    lbio_text_add(text, "/>\n    </inertial>\n");
}

/* ---------------------------------------------------------------------------------------------------
 * Shapes
 * ------------------------------------------------------------------------------------------------- */

/* One primitive that all readers of URDF know: a sphere (size: radius), box (half extents) or cylinder. */
static void write_primitive(lbio_urdf_out *out, const char *element, lb_shape_kind kind, const lb_frame *frame,
                            const double size[3], int color) {
    lbio_text *text = out->text;
    lbio_text_format(text, "    <%s>\n", element);
    lbio_urdf_write_origin(text, "      ", frame);
    lbio_text_add(text, "      <geometry>\n        ");
    if (kind == LB_SHAPE_BOX) {
        double whole[3] = {2.0 * size[0], 2.0 * size[1], 2.0 * size[2]};
        lbio_text_add(text, "<box");
        lbio_urdf_write_vector(text, "size", whole);
    } else {
        lbio_text_add(text, kind == LB_SHAPE_SPHERE ? "<sphere radius=\"" : "<cylinder radius=\"");
        lbio_text_number(text, size[0]);
        if (kind == LB_SHAPE_CYLINDER) {
            lbio_text_add(text, "\" length=\"");
            lbio_text_number(text, 2.0 * size[1]);
        }
        lbio_text_add(text, "\"");
    }
    lbio_text_add(text, "/>\n      </geometry>\n");
    if (color >= 0 && strcmp(element, "visual") == 0) {
        lbio_text_format(text, "      <material name=\"color_%06x\">\n        <color rgba=\"",
                         (unsigned)color & 0xffffffu);
        for (int shift = 16; shift >= 0; shift -= 8) {
            lbio_text_number(text, (color >> shift & 255) / 255.0);
            lbio_text_add(text, " ");
        }
        lbio_text_add(text, "1\"/>\n      </material>\n");
    }
    lbio_text_format(text, "    </%s>\n", element);
}

/* A capsule is a cylinder and two spheres: <capsule> is an extension at which urdfdom refuses the whole file. */
static void write_capsule(lbio_urdf_out *out, const char *element, const lb_shape *shape) {
    double cylinder[3] = {0.5 * (shape->size[0] + shape->size[2]), shape->size[1], 0.0};
    if (shape->size[1] > 0.0) {
        write_primitive(out, element, LB_SHAPE_CYLINDER, &shape->frame, cylinder, shape->color);
    }
    for (int end = 0; end < (shape->size[1] > 0.0 ? 2 : 1); ++end) {
        lb_frame at;
        lb_frame_identity(&at);
        at.position[2] = end ? shape->size[1] : -shape->size[1];
        lb_frame_multiply(&shape->frame, &at, &at);
        write_primitive(out, element, LB_SHAPE_SPHERE, &at, &shape->size[end ? 2 : 0], shape->color);
    }
}

static void write_shape(lbio_urdf_out *out, const char *element, const lb_shape *shape) {
    double box[3];
    switch (shape->kind) {
    case LB_SHAPE_HULL: /* kept in memory alone */
    case LB_SHAPE_MESH:
        return;
    case LB_SHAPE_CAPSULE:
        write_capsule(out, element, shape);
        return;
    case LB_SHAPE_ELLIPSOID: /* a box of the same volume */
        for (int i = 0; i < 3; ++i) {
            box[i] = shape->size[i] * cube_root(PI / 6.0);
        }
        write_primitive(out, element, LB_SHAPE_BOX, &shape->frame, box, shape->color);
        return;
    default:
        write_primitive(out, element, shape->kind, &shape->frame, shape->size, shape->color);
    }
}

void lbio_urdf_write_link(lbio_urdf_out *out, int index) {
    const lb_segment *segment = lb_figure_segment(out->figure, index);
    if (!(segment->mass > 0.0) && out->first_shape[index] < 0) {
        lbio_urdf_write_empty_link(out, out->link_names[index]);
        return;
    }
    lbio_text_add(out->text, "  <link name=\"");
    lbio_urdf_write_escaped(out->text, out->link_names[index]);
    lbio_text_add(out->text, "\">\n");
    if (segment->mass > 0.0) {
        write_inertial(out, index);
    }
    for (int i = out->first_shape[index]; i >= 0; i = out->next_shape[i]) {
        const lb_shape *shape = lb_figure_shape(out->figure, i);
        int is_tapered = shape->kind == LB_SHAPE_CAPSULE && shape->size[0] != shape->size[2];
        if (is_tapered || shape->kind == LB_SHAPE_ELLIPSOID) {
            lbio_urdf_lose(out, LBIO_URDF_LOSS_SHAPE, segment->name);
        } else if (shape->kind >= LB_SHAPE_HULL) {
            lbio_urdf_lose(out, LBIO_URDF_LOSS_HULL, segment->name);
        }
        if (shape->use != LB_SHAPE_USE_SOLID) {
            write_shape(out, "visual", shape);
        }
    }
    for (int i = out->first_shape[index]; i >= 0; i = out->next_shape[i]) {
        if (lb_figure_shape(out->figure, i)->use != LB_SHAPE_USE_DRAWN) {
            write_shape(out, "collision", lb_figure_shape(out->figure, i));
        }
    }
    lbio_text_add(out->text, "  </link>\n");
}
