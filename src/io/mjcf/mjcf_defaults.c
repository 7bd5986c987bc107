/* MJCF's default classes, and attributes seen through them: numbers, flags, frames. */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const attribute_names[LBIO_MJCF_ATTRIBUTES] = {
    "quat",    "axisangle",    "xyaxes", "zaxis",   "euler",       "pos",      "type",   "axis",   "range",
    "limited", "ref",          "size",   "fromto",  "rgba",        "material", "mesh",   "mass",   "density",
    "group",   "shellinertia", "active", "contype", "conaffinity", "scale",    "refpos", "refquat"};

static const char *const kind_names[LBIO_MJCF_KINDS] = {"joint", "geom", "site", "equality", "material", "mesh"};

/* ---------------------------------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------------------------------- */

/* Lays an element's own attributes over those it inherits. As MuJoCo has it, axisangle, xyaxes, zaxis and euler
 * replace one another and quat, and a quat does not replace an inherited one of them. */
static lb_status overlay(const lbio_mjcf *m, const lbio_xml *element, const char *values[LBIO_MJCF_ATTRIBUTES]) {
    int orientations = 0;
    for (int i = 0; i < element->attribute_count; i++) {
        for (int a = 0; a < LBIO_MJCF_ATTRIBUTES; a++) {
            if (strcmp(element->attributes[i].name, attribute_names[a]) != 0) {
                continue;
            }
            if (a < LBIO_MJCF_ORIENTATIONS && orientations++ == 0 && a != LBIO_MJCF_QUAT) {
                memset(values, 0, LBIO_MJCF_ORIENTATIONS * sizeof *values);
            }
            values[a] = element->attributes[i].value;
        }
    }
    if (orientations > 1) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX,
                              "<%s> has several orientations; keep one of quat, axisangle, "
                              "xyaxes, zaxis, euler",
                              element->name);
    }
    return LB_OK;
}

static int add_class(lbio_mjcf *m, const lbio_xml *element, const char *name, int parent) {
    lbio_mjcf_class *classes = lbio_grow(m->allocator, m->model->classes, &m->model->class_capacity,
                                         m->model->class_count, sizeof *m->model->classes);
    if (!classes) {
        lbio_mjcf_no_memory(m, element);
        return -1;
    }
    m->model->classes = classes;
    if (m->model->class_count == LBIO_MJCF_MAX_CLASSES) {
        lbio_mjcf_fail(m, element, LB_ERROR_TOO_LARGE, "more than %d default classes", LBIO_MJCF_MAX_CLASSES);
        return -1;
    }
    if (parent >= 0) {
        classes[m->model->class_count] = classes[parent];
    } else {
        memset(&classes[m->model->class_count], 0, sizeof *classes);
    }
    if (!lbio_names_add(&m->model->class_names, name, m->model->class_count)) {
        lbio_mjcf_no_memory(m, element);
        return -1;
    }
    return m->model->class_count++;
}

/* What a <default> says of its own class first, then the classes inside, which inherit all of it wherever it
 * stands. */
static lb_status read_class(lbio_mjcf *m, const lbio_xml *element, int class_index) {
    for (lbio_xml *child = lbio_mjcf_first(element); child; child = lbio_mjcf_next(element, child)) {
        for (int kind = 0; kind < LBIO_MJCF_KINDS; kind++) {
            if (strcmp(child->name, kind_names[kind]) == 0) {
                lb_status status = overlay(m, child, m->model->classes[class_index].values[kind]);
                if (status != LB_OK) {
                    return status;
                }
            }
        }
    }
    for (lbio_xml *child = lbio_mjcf_first(element); child; child = lbio_mjcf_next(element, child)) {
        if (strcmp(child->name, "default") != 0) {
            continue;
        }
        const char *name = lbio_xml_get(child, "class");
        if (!name || !*name) {
            return lbio_mjcf_fail(m, child, LB_ERROR_SYNTAX, "a <default> inside another needs class=\"...\"");
        }
        if (lbio_names_find(&m->model->class_names, name) >= 0) {
            return lbio_mjcf_fail(m, child, LB_ERROR_NAME, "default class \"%s\" is given twice; rename one", name);
        }
        int inner = add_class(m, child, name, class_index);
        lb_status status = inner < 0 ? m->source->error->status : read_class(m, child, inner);
        if (status != LB_OK) {
            return status;
        }
    }
    return LB_OK;
}

lb_status lbio_mjcf_read_classes(lbio_mjcf *m, const lbio_xml *root) {
    if (add_class(m, root, "main", -1) < 0) {
        return m->source->error->status;
    }
    /* The outermost <default> may come several times (often by includes); all of them speak of "main". */
    for (lbio_xml *child = lbio_mjcf_first(root); child; child = lbio_mjcf_next(root, child)) {
        if (strcmp(child->name, "default") != 0) {
            continue;
        }
        const char *name = lbio_xml_get(child, "class");
        if (name && strcmp(name, "main") != 0) {
            return lbio_mjcf_fail(m, child, LB_ERROR_NAME,
                                  "the outermost <default> is class \"main\" and cannot be \"%s\"; "
                                  "put that class inside it",
                                  name);
        }
        lb_status status = read_class(m, child, LBIO_MJCF_MAIN);
        if (status != LB_OK) {
            return status;
        }
    }
    return LB_OK;
}

int lbio_mjcf_class_of(const lbio_mjcf *m, const lbio_xml *element, const char *attribute, int otherwise) {
    const char *name = lbio_xml_get(element, attribute);
    int found = name ? lbio_names_find(&m->model->class_names, name) : otherwise;
    if (found < 0) {
        lbio_mjcf_fail(m, element, LB_ERROR_NAME, "%s=\"%s\": there is no default class of that name", attribute, name);
    }
    return found;
}

lb_status lbio_mjcf_see(const lbio_mjcf *m, const lbio_xml *element, lbio_mjcf_kind kind, int class_index,
                        lbio_mjcf_view *view) {
    view->element = element;
    if (kind < LBIO_MJCF_KINDS) {
        memcpy(view->values, m->model->classes[class_index].values[kind], sizeof view->values);
    } else {
        memset(view->values, 0, sizeof view->values);
    }
    return overlay(m, element, view->values);
}

/* ---------------------------------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
        at++;
    }
    return at;
}

/* An attribute, wherever its text stands. */
typedef struct attribute_text {
    const lbio_xml *element;
    const char *name, *text; /* text NULL: there is none */
} attribute_text;

static lb_status read_numbers(const lbio_mjcf *m, const attribute_text *attribute, int least, int most, double *values,
                              int *count) {
    int read = 0;
    const char *text = attribute->text;
    if (!text) {
        return LB_OK;
    }
    const char *at = skip_blanks(text), *end = text + strlen(text);
    while (*at && read < most) {
        double value;
        const char *after = lbio_number(at, end, &value);
        if (!after || (*after && skip_blanks(after) == after) || !(fabs(value) < 1e15)) {
            break;
        }
        values[read++] = value;
        at = skip_blanks(after);
    }
    if (*at || read < least) {
        char shown[LBIO_XML_SHOWN_SIZE], wanted[32];
        snprintf(wanted, sizeof wanted, least == most ? "%d" : "%d to %d", least, most);
        return lbio_mjcf_fail(m, attribute->element, LB_ERROR_SYNTAX,
                              "%s=\"%s\" of <%s> should be %s number%s below 1e15", attribute->name,
                              lbio_xml_show(text, shown), attribute->element->name, wanted, most == 1 ? "" : "s");
    }
    if (count) {
        *count = read;
    }
    return LB_OK;
}

lb_status lbio_mjcf_numbers(const lbio_mjcf *m, const lbio_mjcf_view *view, lbio_mjcf_attribute attribute, int least,
                            int most, double *values, int *count) {
    if (count) {
        *count = 0;
    }
    const attribute_text own = {view->element, attribute_names[attribute], view->values[attribute]};
    return read_numbers(m, &own, least, most, values, count);
}

lb_status lbio_mjcf_own_numbers(const lbio_mjcf *m, const lbio_xml *element, const char *name, int least, int most,
                                double *values, int *count) {
    if (count) {
        *count = 0;
    }
    const attribute_text own = {element, name, lbio_xml_get(element, name)};
    return read_numbers(m, &own, least, most, values, count);
}

lb_status lbio_mjcf_flag(const lbio_mjcf *m, const lbio_xml *element, const char *name, const char *text,
                         int allow_auto, int *value) {
    if (!text) {
        return LB_OK;
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = text[0] == 't';
        return LB_OK;
    }
    if (allow_auto && strcmp(text, "auto") == 0) {
        *value = -1;
        return LB_OK;
    }
    char shown[LBIO_XML_SHOWN_SIZE];
    return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "%s=\"%s\" of <%s> should be true%s or false", name,
                          lbio_xml_show(text, shown), element->name, allow_auto ? ", auto" : "");
}

/* Half a turn's radians over its degrees, rounded as MuJoCo's mjPI / 180. */
double lbio_mjcf_angle(const lbio_mjcf *m, double angle) {
    return m->model->is_radian ? angle : angle / 180 * 3.14159265358979323846;
}

/* ---------------------------------------------------------------------------------------------------
 * Frames
 * ------------------------------------------------------------------------------------------------- */

/* Scales to unit length without overflow; returns 0 for what has no direction. */
static int normalise(double *v, int count) {
    double largest = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    }
    if (!(largest > 1e-100)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        v[i] /= largest;
        sum += v[i] * v[i];
    }
    double length = sqrt(sum);
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
    return 1;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The least turn that takes z to the unit vector v: half-way between them lies the quaternion (z x v, 1 + z.v).
 * Straight down it turns about x, as MuJoCo does. */
static void z_to(const double v[3], double rotation[4]) {
    rotation[0] = -v[1];
    rotation[1] = v[0];
    rotation[2] = 0;
    rotation[3] = 1 + v[2];
    if (v[2] < 0) { /* 1 + z.v by its other form, which does not cancel */
        rotation[3] = (v[0] * v[0] + v[1] * v[1]) / (1 - v[2]);
    }
    if (!normalise(rotation, 4)) {
        rotation[0] = 1;
        rotation[1] = rotation[2] = rotation[3] = 0;
    }
}

/* eulerseq: lower case turns about the axes that moved along, upper case about those that stayed. */
void lbio_mjcf_from_euler(const lbio_mjcf *m, const double angles[3], double rotation[4]) {
    rotation[0] = rotation[1] = rotation[2] = 0;
    rotation[3] = 1;
    for (int i = 0; i < 3; i++) {
        int moves = m->model->eulerseq[i] >= 'a';
        double axis[3] = {0, 0, 0}, turn[4];
        axis[m->model->eulerseq[i] - (moves ? 'x' : 'X')] = 1;
        lb_rotation_about(axis, lbio_mjcf_angle(m, angles[i]), turn);
        lb_rotation_multiply(moves ? rotation : turn, moves ? turn : rotation, rotation);
    }
}

static int from_xyaxes(const double axes[6], double rotation[4]) {
    double x[3] = {axes[0], axes[1], axes[2]}, y[3] = {axes[3], axes[4], axes[5]}, z[3];
    if (!normalise(x, 3) || !normalise(y, 3)) {
        return 0;
    }
    double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int i = 0; i < 3; i++) {
        y[i] -= along * x[i];
    }
    if (!(fabs(along) < 1 - 1e-14) || !normalise(y, 3)) {
        return 0;
    }
    cross(x, y, z);
    double matrix[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    lb_rotation_from_matrix(matrix, rotation);
    return 1;
}

/* The numbers of an orientation as a quaternion; 0 if they have no direction. */
static int from_numbers(const lbio_mjcf *m, int which, double v[6], double rotation[4]) {
    switch (which) {
    case LBIO_MJCF_QUAT: /* MJCF has w first */
        rotation[0] = v[1];
        rotation[1] = v[2];
        rotation[2] = v[3];
        rotation[3] = v[0];
        return normalise(rotation, 4);
    case LBIO_MJCF_AXISANGLE:
        return normalise(v, 3) && lb_rotation_about(v, lbio_mjcf_angle(m, v[3]), rotation) == LB_OK;
    case LBIO_MJCF_XYAXES:
        return from_xyaxes(v, rotation);
    case LBIO_MJCF_ZAXIS:
        if (!normalise(v, 3)) {
            return 0;
        }
        z_to(v, rotation);
        return 1;
    default:
        lbio_mjcf_from_euler(m, v, rotation);
        return 1;
    }
}

lb_status lbio_mjcf_frame(const lbio_mjcf *m, const lbio_mjcf_view *view, lb_frame *frame) {
    static const int counts[LBIO_MJCF_ORIENTATIONS] = {4, 4, 6, 3, 3};
    lb_frame_identity(frame);
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_POS, 3, 3, frame->position, NULL);
    for (int which = 0; which < LBIO_MJCF_ORIENTATIONS && status == LB_OK; which++) {
        double values[6];
        int count;
        status = lbio_mjcf_numbers(m, view, (lbio_mjcf_attribute)which, counts[which], counts[which], values, &count);
        if (status == LB_OK && count && !from_numbers(m, which, values, frame->rotation)) {
            status = lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "%s=\"%.60s\" of <%s> is no orientation",
                                    attribute_names[which], view->values[which], view->element->name);
        }
    }
    return status;
}

lb_status lbio_mjcf_fromto(const lbio_mjcf *m, const lbio_mjcf_view *view, lb_frame *frame, double *length,
                           int *present) {
    double ends[6], direction[3];
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_FROMTO, 6, 6, ends, present);
    if (status != LB_OK || !*present) {
        return status;
    }
    double sum = 0;
    lb_frame_identity(frame);
    for (int i = 0; i < 3; i++) {
        /* MuJoCo's z points from the second point to the first. */
        direction[i] = ends[i] - ends[i + 3];
        frame->position[i] = ends[i] / 2 + ends[i + 3] / 2;
        sum += direction[i] * direction[i];
    }
    *length = sqrt(sum);
    if (!normalise(direction, 3) || !(*length > 0) || *length - *length != 0) {
        return lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "fromto=\"%.60s\" of <%s> should be two points apart",
                              view->values[LBIO_MJCF_FROMTO], view->element->name);
    }
    z_to(direction, frame->rotation);
    return LB_OK;
}
