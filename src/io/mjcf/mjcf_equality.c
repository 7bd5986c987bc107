/* MJCF's equalities: joints coupled by a polynomial become drives, connect and weld become joints that close a
 * loop. */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * <joint>: couplings
 * ------------------------------------------------------------------------------------------------- */

/* The set of joints that a joint is coupled with. Halving the path on the way keeps long chains quick. */
static int set_of(lbio_mjcf *m, int joint) {
    while (m->joints[joint].set != joint) {
        m->joints[joint].set = m->joints[m->joints[joint].set].set;
        joint = m->joints[joint].set;
    }
    return joint;
}

static double polynomial(const double c[5], double x) { return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4]))); }

/* The value of the full name that an attribute stands for; -1: there is none. */
static int look_up(const lbio_mjcf *m, const lbio_names *names, const lbio_xml *element, const char *attribute) {
    const char *name = lbio_xml_get(element, attribute), *full = name ? lbio_mjcf_full_name(m, name) : NULL;
    return full ? lbio_names_find(names, full) : -1;
}

static int find_joint(const lbio_mjcf *m, const lbio_xml *element, const char *attribute) {
    const char *name = lbio_xml_get(element, attribute);
    int joint = look_up(m, &m->joint_names, element, attribute);
    if (joint < 0) {
        lbio_mjcf_fail(m, element, LB_ERROR_NAME, "%s=\"%s\" of an equality: there is no joint of that name", attribute,
                       name ? name : "");
    } else if (m->joints[joint].type != LBIO_MJCF_HINGE && m->joints[joint].type != LBIO_MJCF_SLIDE) {
        lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "%s=\"%s\" of an equality should be a hinge or a slide", attribute,
                       name);
        joint = -1;
    }
    return joint;
}

/* The name of an equality; NULL: it has none. */
static const char *full_name_of(const lbio_mjcf *m, const lbio_xml *element) {
    const char *name = lbio_xml_get(element, "name");
    return name && *name ? lbio_mjcf_full_name(m, name) : NULL;
}

static lb_status add_coupling(lbio_mjcf *m, const lbio_mjcf_coupling *coupling) {
    lbio_mjcf_coupling *couplings =
        lbio_grow(m->allocator, m->couplings, &m->coupling_capacity, m->coupling_count, sizeof *m->couplings);
    if (!couplings) {
        return lbio_mjcf_no_memory(m, coupling->element);
    }
    m->couplings = couplings;
    couplings[m->coupling_count++] = *coupling;
    return LB_OK;
}

/* The first joint follows the second; where it follows another already, the second follows the first if the
 * polynomial is a line; where both do, a line is kept as a limit. Each coupling joins two sets of joints: one
 * inside a set would only repeat or contradict the others. */
static lb_status couple(lbio_mjcf *m, lbio_mjcf_coupling *coupling) {
    double *c = coupling->coefficients;
    lbio_mjcf_joint *y = &m->joints[coupling->y], *x = &m->joints[coupling->x];
    int is_line = c[2] == 0 && c[3] == 0 && c[4] == 0;
    int set_y = set_of(m, coupling->y), set_x = set_of(m, coupling->x);
    if (x->is_frozen && !y->is_driven && !y->is_frozen && set_y == coupling->y) {
        y->is_frozen = 1;
        y->frozen_at = y->ref + polynomial(c, x->frozen_at - x->ref);
        return LB_OK;
    }
    if (set_y == set_x || y->is_frozen || x->is_frozen) {
        lbio_mjcf_warn(m, coupling->element, "joints \"%s\" and \"%s\" are coupled already; this equality is left out",
                       y->name, x->name);
        return LB_OK;
    }
    m->joints[set_y].set = set_x;
    if (!y->is_driven) {
        y->is_driven = 1;
    } else if (is_line && c[1] != 0 && !x->is_driven) {
        int swapped = coupling->y;
        coupling->y = coupling->x;
        coupling->x = swapped;
        c[0] = -c[0] / c[1];
        c[1] = 1 / c[1];
        x->is_driven = 1;
    } else if (is_line) {
        coupling->as_limit = 1;
    } else {
        lbio_mjcf_warn(m, coupling->element, "joint \"%s\" follows another joint already; this equality is left out",
                       y->name);
        return LB_OK;
    }
    return add_coupling(m, coupling);
}

static lb_status read_coupling(lbio_mjcf *m, const lbio_xml *element) {
    lbio_mjcf_coupling coupling = {element, -1, -1, {0, 1, 0, 0, 0}, 0, NULL};
    coupling.name = full_name_of(m, element);
    lb_status status = lbio_mjcf_own_numbers(m, element, "polycoef", 1, 5, coupling.coefficients, NULL);
    if (status != LB_OK) {
        return status;
    }
    coupling.y = find_joint(m, element, "joint1");
    if (coupling.y < 0) {
        return m->source->error->status;
    }
    if (lbio_xml_get(element, "joint2")) {
        coupling.x = find_joint(m, element, "joint2");
        if (coupling.x < 0) {
            return m->source->error->status;
        }
        return couple(m, &coupling);
    }
    lbio_mjcf_joint *held = &m->joints[coupling.y];
    if (held->is_driven || held->is_frozen || set_of(m, coupling.y) != coupling.y) {
        lbio_mjcf_warn(m, element, "joint \"%s\" is coupled already; this equality is left out", held->name);
        return LB_OK;
    }
    held->is_frozen = 1;
    held->frozen_at = held->ref + coupling.coefficients[0];
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * <connect> and <weld>: closures
 * ------------------------------------------------------------------------------------------------- */

static int find_body(const lbio_mjcf *m, const lbio_xml *element, const char *attribute, int is_needed) {
    const char *name = lbio_xml_get(element, attribute);
    if (!name && !is_needed) {
        return 0;
    }
    int body = name && strcmp(name, "world") == 0 ? 0 : look_up(m, &m->body_names, element, attribute);
    if (body < 0) {
        lbio_mjcf_fail(m, element, LB_ERROR_NAME, "%s=\"%s\" of an equality: there is no body of that name", attribute,
                       name ? name : "");
    }
    return body;
}

static int find_site(const lbio_mjcf *m, const lbio_xml *element, const char *attribute) {
    const char *name = lbio_xml_get(element, attribute);
    int site = look_up(m, &m->site_names, element, attribute);
    if (site < 0) {
        lbio_mjcf_fail(m, element, LB_ERROR_NAME, "%s=\"%s\" of an equality: there is no site of that name", attribute,
                       name ? name : "");
    }
    return site;
}

/* frame_b with the orientation that frame_a has where all joints are at their refs: there the closing ball joint is
 * at 0. */
static void align(const lbio_mjcf *m, lbio_mjcf_closure *closure) {
    lb_frame a_w, b;
    lb_frame_multiply(&m->bodies[closure->body_a].frame_w, &closure->frame_a, &a_w);
    lb_frame_invert(&m->bodies[closure->body_b].frame_w, &b);
    lb_frame_multiply(&b, &a_w, &b);
    memcpy(closure->frame_b.rotation, b.rotation, sizeof b.rotation);
}

/* Where frame_a is in body_b's frame, all joints at their refs. */
static void meet(const lbio_mjcf *m, lbio_mjcf_closure *closure) {
    lb_frame to_b;
    lb_frame_invert(&m->bodies[closure->body_b].frame_w, &to_b);
    lb_frame_multiply(&to_b, &m->bodies[closure->body_a].frame_w, &to_b);
    lb_frame_multiply(&to_b, &closure->frame_a, &closure->frame_b);
}

static lb_status read_sites(const lbio_mjcf *m, lbio_mjcf_closure *closure) {
    int a = find_site(m, closure->element, "site1");
    int b = a < 0 ? -1 : find_site(m, closure->element, "site2");
    if (b < 0) {
        return m->source->error->status;
    }
    closure->body_a = m->sites[a].body;
    closure->body_b = m->sites[b].body;
    closure->frame_a = m->sites[a].frame;
    closure->frame_b = m->sites[b].frame;
    if (!closure->is_weld) {
        align(m, closure);
    }
    return LB_OK;
}

static lb_status read_connect(const lbio_mjcf *m, lbio_mjcf_closure *closure) {
    int has_anchor;
    lb_status status =
        lbio_mjcf_own_numbers(m, closure->element, "anchor", 3, 3, closure->frame_a.position, &has_anchor);
    if (status == LB_OK && !has_anchor) {
        status = lbio_mjcf_fail(m, closure->element, LB_ERROR_SYNTAX, "<connect> of two bodies needs anchor=\"x y z\"");
    }
    meet(m, closure);
    return status;
}

/* relpose is where body2's anchor is in body1, and how body2 is turned there; without it, as at the refs. */
static lb_status read_weld(const lbio_mjcf *m, lbio_mjcf_closure *closure) {
    double pose[7] = {0, 1, 0, 0, 0, 0, 0};
    lb_frame *b = &closure->frame_b, *a = &closure->frame_a;
    lb_status status = lbio_mjcf_own_numbers(m, closure->element, "relpose", 7, 7, pose, NULL);
    if (status == LB_OK) {
        status = lbio_mjcf_own_numbers(m, closure->element, "anchor", 3, 3, b->position, NULL);
    }
    if (status != LB_OK) {
        return status;
    }
    double length = sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]);
    if (length - length != 0) {
        return lbio_mjcf_fail(m, closure->element, LB_ERROR_SYNTAX, "relpose of <weld> is no place and quaternion");
    }
    if (!(length > 1e-100)) {
        lb_frame_invert(&m->bodies[closure->body_a].frame_w, a);
        lb_frame_multiply(a, &m->bodies[closure->body_b].frame_w, a);
        lb_frame_multiply(a, b, a);
        return LB_OK;
    }
    for (int i = 0; i < 3; i++) {
        a->position[i] = pose[i];
        a->rotation[i] = pose[4 + i] / length;
    }
    a->rotation[3] = pose[3] / length;
    return LB_OK;
}

static lb_status read_closure(lbio_mjcf *m, const lbio_xml *element) {
    lbio_mjcf_closure closure;
    memset(&closure, 0, sizeof closure);
    closure.element = element;
    closure.name = full_name_of(m, element);
    closure.is_weld = strcmp(element->name, "weld") == 0;
    lb_frame_identity(&closure.frame_a);
    lb_frame_identity(&closure.frame_b);
    lb_status status;
    if (lbio_xml_get(element, "site1") || lbio_xml_get(element, "site2")) {
        status = read_sites(m, &closure);
    } else {
        closure.body_a = find_body(m, element, "body1", 1);
        closure.body_b = closure.body_a < 0 ? -1 : find_body(m, element, "body2", 0);
        if (closure.body_b < 0) {
            return m->source->error->status;
        }
        status = closure.is_weld ? read_weld(m, &closure) : read_connect(m, &closure);
    }
    if (status != LB_OK) {
        return status;
    }
    if (closure.body_a == closure.body_b) {
        lbio_mjcf_warn(m, element, "<%s> of a body with itself is left out", element->name);
        return LB_OK;
    }
    lbio_mjcf_closure *closures =
        lbio_grow(m->allocator, m->closures, &m->closure_capacity, m->closure_count, sizeof *m->closures);
    if (!closures) {
        return lbio_mjcf_no_memory(m, element);
    }
    m->closures = closures;
    closures[m->closure_count++] = closure;
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * Ranges of joints that follow others
 *
 * MuJoCo's equalities and ranges are springs that may pull against each other; a figure has no pose at all where they
 * do. The coupling wins, and the range of the joint that follows gives way as far as it must.
 * ------------------------------------------------------------------------------------------------- */

/* Steps in which the values of a polynomial are looked at; degree 4 has three turning points at most. */
enum { RANGE_STEPS = 4096 };

/* Between which values the joint y goes while x goes through its range. */
static void driven_range(const lbio_mjcf_joint *x, const lbio_mjcf_joint *y, const double c[5], double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int i = 0; i <= RANGE_STEPS; i++) {
        double value = y->ref + polynomial(c, x->lower + (x->upper - x->lower) * i / RANGE_STEPS - x->ref);
        range[0] = fmin(range[0], value);
        range[1] = fmax(range[1], value);
    }
}

static void tell_past(const lbio_mjcf *m, const lbio_mjcf_coupling *coupling, double value, const char *what) {
    const lbio_mjcf_joint *y = &m->joints[coupling->y];
    double past = fmax(y->lower - value, value - y->upper);
    int is_angle = y->type == LBIO_MJCF_HINGE;
    lbio_mjcf_warn(m, coupling->element, "joint \"%s\" is taken to %.4g %s by \"%s\", %.3g %s past its range, which %s",
                   y->name, is_angle ? value / lbio_mjcf_angle(m, 1) : value,
                   !is_angle             ? "m"
                   : m->model->is_radian ? "rad"
                                         : "degrees",
                   m->joints[coupling->x].name,
                   is_angle ? past / lbio_mjcf_angle(m, 1) * (m->model->is_radian ? 1e3 : 1) : past * 1e3,
                   !is_angle             ? "mm"
                   : m->model->is_radian ? "mrad"
                                         : "degrees",
                   what);
}

/* A line narrows the range of what drives it, unless nothing would be left of that. */
static void fit_line(lbio_mjcf *m, const lbio_mjcf_coupling *coupling) {
    lbio_mjcf_joint *x = &m->joints[coupling->x], *y = &m->joints[coupling->y];
    const double *c = coupling->coefficients;
    double zero = y->ref + c[0] - c[1] * x->ref; /* y where x is 0 */
    double x_lower = x->is_limited ? x->lower : -INFINITY, x_upper = x->is_limited ? x->upper : INFINITY;
    double a = (y->lower - zero) / c[1], b = (y->upper - zero) / c[1];
    int is_empty =
        c[1] == 0 ? zero < y->lower || zero > y->upper : fmax(x_lower, fmin(a, b)) > fmin(x_upper, fmax(a, b));
    if (is_empty) {
        double nearest = fmin(a, b) > x_upper ? x_upper : x_lower;
        tell_past(m, coupling, c[1] == 0 ? zero : zero + c[1] * nearest, "is not used");
        y->is_limited = 0;
    }
}

static void fit_curve(lbio_mjcf *m, const lbio_mjcf_coupling *coupling) {
    lbio_mjcf_joint *x = &m->joints[coupling->x], *y = &m->joints[coupling->y];
    double range[2];
    if (!x->is_limited) {
        lbio_mjcf_warn(m, coupling->element,
                       "joint \"%s\" follows \"%s\", which has no range, by a curve; its own range is not used",
                       y->name, x->name);
        y->is_limited = 0;
        return;
    }
    driven_range(x, y, coupling->coefficients, range);
    double past = fmax(y->lower - range[0], range[1] - y->upper), slack = 1e-6 * (1 + range[1] - range[0]);
    if (past > slack) {
        tell_past(m, coupling, y->lower - range[0] > range[1] - y->upper ? range[0] : range[1], "is widened to it");
    }
    if (past > -slack) { /* the spline through points of the curve may be past it by as much as that */
        y->lower = fmin(y->lower, range[0] - slack);
        y->upper = fmax(y->upper, range[1] + slack);
    }
}

static void fit_ranges(lbio_mjcf *m) {
    for (int i = 0; i < m->coupling_count; i++) {
        const lbio_mjcf_coupling *coupling = &m->couplings[i];
        const double *c = coupling->coefficients;
        if (coupling->as_limit || m->joints[coupling->x].is_driven || !m->joints[coupling->y].is_limited) {
            continue;
        }
        if (c[2] == 0 && c[3] == 0 && c[4] == 0) {
            fit_line(m, coupling);
        } else {
            fit_curve(m, coupling);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * All of them
 * ------------------------------------------------------------------------------------------------- */

static lb_status read_equality(lbio_mjcf *m, const lbio_xml *element) {
    int class_index = lbio_mjcf_class_of(m, element, "class", LBIO_MJCF_MAIN), is_active = 1;
    if (class_index < 0) {
        return m->source->error->status;
    }
    lbio_mjcf_view view;
    lb_status status = lbio_mjcf_see(m, element, LBIO_MJCF_EQUALITY, class_index, &view);
    if (status == LB_OK) {
        status = lbio_mjcf_flag(m, element, "active", view.values[LBIO_MJCF_ACTIVE], 0, &is_active);
    }
    if (status != LB_OK || !is_active) {
        return status;
    }
    if (strcmp(element->name, "joint") == 0) {
        return read_coupling(m, element);
    }
    if (strcmp(element->name, "connect") == 0 || strcmp(element->name, "weld") == 0) {
        return read_closure(m, element);
    }
    lbio_mjcf_warn(m, element, "an equality of kind <%.60s> is left out: Limber has joints, but no %ss", element->name,
                   element->name);
    return LB_OK;
}

/* Whether all that an equality names is there, by the names of this instance. */
static int is_whole(const lbio_mjcf *m, const lbio_xml *element) {
    const struct {
        const char *attributes[2];
        const lbio_names *names;
    } parts[] = {{{"joint1", "joint2"}, &m->joint_names},
                 {{"body1", "body2"}, &m->body_names},
                 {{"site1", "site2"}, &m->site_names}};
    int named = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            const char *name = lbio_xml_get(element, parts[i].attributes[k]);
            const int is_world = i == 1 && name && strcmp(name, "world") == 0;
            if (name && !is_world && look_up(m, parts[i].names, element, parts[i].attributes[k]) < 0) {
                return 0;
            }
            named += name && !is_world;
        }
    }
    return named > 0;
}

/* An equality of a model, as often as what it names is there. One of the main model that names what is not is an error;
 * of an attached one, it is about parts that were not attached. */
static lb_status read_everywhere(lbio_mjcf *m, const lbio_xml *element) {
    const lbio_mjcf_instance before = lbio_mjcf_here(m);
    const int is_known = strcmp(element->name, "joint") == 0 || strcmp(element->name, "connect") == 0 ||
                         strcmp(element->name, "weld") == 0;
    int count = 0;
    lb_status status = LB_OK;
    for (int i = -1; i < m->instance_count && status == LB_OK && is_known; i++) {
        const lbio_mjcf_instance instance = i < 0 ? before : m->instances[i];
        if (instance.model != before.model || (i < 0 && before.model != 0)) {
            continue;
        }
        lbio_mjcf_leave(m, &instance);
        if (++m->part_count > LBIO_MJCF_MAX_PARTS) {
            status = lbio_mjcf_fail(m, element, LB_ERROR_TOO_LARGE, "more than %d equalities, with their copies",
                                    LBIO_MJCF_MAX_PARTS);
        } else if (is_whole(m, element)) {
            status = read_equality(m, element);
            count++;
        }
    }
    lbio_mjcf_leave(m, &before);
    return status == LB_OK && !count && (before.model == 0 || !is_known) ? read_equality(m, element) : status;
}

static lb_status read_model(lbio_mjcf *m, const lbio_xml *root) {
    lb_status status = LB_OK;
    for (lbio_xml *section = lbio_mjcf_first(root); section && status == LB_OK;
         section = lbio_mjcf_next(root, section)) {
        if (strcmp(section->name, "equality") != 0) {
            continue;
        }
        for (lbio_xml *child = lbio_mjcf_first(section); child && status == LB_OK;
             child = lbio_mjcf_next(section, child)) {
            status = read_everywhere(m, child);
        }
    }
    return status;
}

lb_status lbio_mjcf_read_equalities(lbio_mjcf *m) {
    lb_status status = LB_OK;
    for (int i = 0; i < m->model_count && status == LB_OK; i++) {
        m->model = &m->models[i];
        status = read_model(m, m->model->root);
    }
    m->model = m->models;
    if (status == LB_OK) {
        fit_ranges(m);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Couplings in the figure
 * ------------------------------------------------------------------------------------------------- */

/* A polynomial of degree 2 to 4 as a natural spline through points of it: INNER intervals over the range of x (a
 * whole turn or two metres around ref where it has none), and OUTER more on either side. What the spline's ends get
 * wrong (its second derivative is 0 there) fades by 2 - sqrt(3) a point, to 1e-7 of it inside the range; what
 * remains there of degree 4 is at most h^4 / 16 times its coefficient, h the interval; degrees 2 and 3 are exact. */
enum { INNER = 32, OUTER = 12, POINTS = INNER + 2 * OUTER + 1 };

static void sample(const lbio_mjcf_joint *x, const lbio_mjcf_joint *y, const double c[5], double xs[POINTS],
                   double ys[POINTS]) {
    double around = x->type == LBIO_MJCF_HINGE ? 3.14159265358979323846 : 1;
    double lower = x->is_limited ? x->lower : x->ref - around, upper = x->is_limited ? x->upper : x->ref + around;
    for (int i = 0; i < POINTS; i++) {
        xs[i] = lower + (upper - lower) * (i - OUTER) / INNER;
        ys[i] = y->ref + polynomial(c, xs[i] - x->ref);
    }
}

static int add_drive(const lbio_mjcf *m, lb_builder *builder, const lbio_mjcf_coupling *coupling) {
    const lbio_mjcf_joint *x = &m->joints[coupling->x], *y = &m->joints[coupling->y];
    const double *c = coupling->coefficients;
    double xs[POINTS], ys[POINTS];
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = y->index;
    drive.source.joint = x->index;
    if (c[2] == 0 && c[3] == 0 && c[4] == 0) {
        drive.curve.kind = LB_CURVE_LINEAR;
        drive.curve.slope = c[1];
        drive.curve.offset = y->ref + c[0] - c[1] * x->ref;
    } else {
        sample(x, y, c, xs, ys);
        drive.curve.kind = LB_CURVE_SPLINE;
        drive.curve.count = POINTS;
        drive.curve.x = xs;
        drive.curve.y = ys;
    }
    return lb_builder_add_drive(builder, &drive);
}

static int add_limit(const lbio_mjcf *m, lb_builder *builder, const lbio_mjcf_coupling *coupling) {
    const lbio_mjcf_joint *x = &m->joints[coupling->x], *y = &m->joints[coupling->y];
    const double *c = coupling->coefficients;
    lb_dof_ref terms[2] = {{y->index, 0, -1}, {x->index, 0, -1}};
    double coefficients[2] = {1, -c[1]};
    lb_limit limit;
    lb_limit_defaults(&limit);
    limit.name = coupling->name;
    limit.kind = LB_LIMIT_EQUAL;
    limit.count = 2;
    limit.terms = terms;
    limit.coefficients = coefficients;
    limit.bound = y->ref + c[0] - c[1] * x->ref;
    return lb_builder_add_limit(builder, &limit);
}

lb_status lbio_mjcf_add_couplings(lbio_mjcf *m, lb_builder *builder) {
    for (int i = 0; i < m->coupling_count; i++) {
        const lbio_mjcf_coupling *coupling = &m->couplings[i];
        int added = coupling->as_limit ? add_limit(m, builder, coupling) : add_drive(m, builder, coupling);
        if (added < 0) {
            return lbio_builder_fail(lbio_mjcf_source(m, coupling->element), builder, coupling->element->line);
        }
    }
    return LB_OK;
}
