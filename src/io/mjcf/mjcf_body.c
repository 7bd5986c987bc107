/* MJCF's bodies, with their joints, inertials and sites; those that are attached or repeated as well. */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Joints
 * ------------------------------------------------------------------------------------------------- */

/* Keeps a name, if there is one, for the element with this index. */
static lb_status read_name(lbio_mjcf *m, const lbio_xml *element, lbio_names *names, int index, const char **name) {
    const char *text = lbio_xml_get(element, "name");
    *name = NULL;
    if (!text || !*text) {
        return LB_OK;
    }
    text = lbio_mjcf_full_name(m, text);
    if (!text) {
        return lbio_mjcf_no_memory(m, element);
    }
    if (lbio_names_find(names, text) >= 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_NAME, "the name \"%s\" is given to two of <%s>; rename one", text,
                              element->name);
    }
    *name = lbio_names_add(names, text, index);
    return *name ? LB_OK : lbio_mjcf_no_memory(m, element);
}

static int joint_type(const char *text) {
    static const char *const types[] = {"hinge", "slide", "ball", "free"};
    for (int i = 0; i < 4; i++) {
        if (!text || strcmp(types[i], text) == 0) {
            return i; /* without a type it is a hinge */
        }
    }
    return -1;
}

static lb_status read_range(const lbio_mjcf *m, const lbio_mjcf_view *view, lbio_mjcf_joint *joint) {
    double range[2] = {0, 0};
    int count, limited = -1;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_RANGE, 2, 2, range, &count);
    if (status == LB_OK) {
        status = lbio_mjcf_flag(m, view->element, "limited", view->values[LBIO_MJCF_LIMITED], 1, &limited);
    }
    if (status != LB_OK || limited == 0 || joint->type == LBIO_MJCF_FREE) {
        return status;
    }
    if (limited < 0 && count && !m->model->autolimits) {
        lbio_mjcf_warn(m, view->element,
                       "a joint has a range but not limited=\"true\", and autolimits are off: unlimited");
        return LB_OK;
    }
    if (!(range[0] < range[1])) {
        if (limited > 0) {
            return lbio_mjcf_fail(m, view->element, LB_ERROR_LIMIT,
                                  "a limited joint needs range=\"lower upper\" with lower "
                                  "below upper");
        }
        if (count && range[0] > range[1]) {
            lbio_mjcf_warn(m, view->element, "a joint's range runs downwards, which MuJoCo takes for unlimited");
        }
        return LB_OK;
    }
    int is_angle = joint->type != LBIO_MJCF_SLIDE;
    joint->is_limited = 1;
    joint->lower = is_angle ? lbio_mjcf_angle(m, range[0]) : range[0];
    joint->upper = is_angle ? lbio_mjcf_angle(m, range[1]) : range[1];
    return LB_OK;
}

/* Where the joint turns or slides, in the body's frame; a <frame> around it moves both. */
static lb_status read_axis(const lbio_mjcf *m, const lbio_mjcf_view *view, const lb_frame *within,
                           lbio_mjcf_joint *joint) {
    lb_frame anchor, tip;
    lb_frame_identity(&anchor);
    lb_frame_identity(&tip);
    tip.position[2] = 1;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_POS, 3, 3, anchor.position, NULL);
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, view, LBIO_MJCF_AXIS, 3, 3, tip.position, NULL);
    }
    if (status != LB_OK) {
        return status;
    }
    double largest = fmax(fabs(tip.position[0]), fmax(fabs(tip.position[1]), fabs(tip.position[2])));
    if (!(largest > 1e-14)) {
        return lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "the axis of a joint must not be zero");
    }
    lb_frame turn = *within;
    memset(turn.position, 0, sizeof turn.position);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        tip.position[i] /= largest;
        sum += tip.position[i] * tip.position[i];
    }
    for (int i = 0; i < 3; i++) {
        tip.position[i] /= sqrt(sum);
    }
    lb_frame_multiply(within, &anchor, &anchor);
    lb_frame_multiply(&turn, &tip, &tip);
    memcpy(joint->anchor, anchor.position, sizeof joint->anchor);
    memcpy(joint->axis, tip.position, sizeof joint->axis);
    return LB_OK;
}

static lb_status check_place(const lbio_mjcf *m, const lbio_mjcf_joint *joint, const lbio_mjcf_body *body) {
    if (body->parent < 0) {
        return lbio_mjcf_fail(m, joint->element, LB_ERROR_SYNTAX,
                              "the world does not move: put the joint into a <body>");
    }
    int has_free = joint->type == LBIO_MJCF_FREE;
    if (has_free && body->parent != 0) {
        return lbio_mjcf_fail(m, joint->element, LB_ERROR_SYNTAX,
                              "a free joint belongs to a body directly in <worldbody>");
    }
    has_free |= body->joint_count > 0 && m->joints[body->first_joint].type == LBIO_MJCF_FREE;
    if (has_free && body->joint_count > 0) {
        return lbio_mjcf_fail(m, joint->element, LB_ERROR_SYNTAX, "a body with a free joint cannot have another one");
    }
    return LB_OK;
}

static lb_status read_joint(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index) {
    lbio_mjcf_joint *joints = lbio_grow(m->allocator, m->joints, &m->joint_capacity, m->joint_count, sizeof *m->joints);
    if (!joints) {
        return lbio_mjcf_no_memory(m, element);
    }
    m->joints = joints;
    lbio_mjcf_joint *joint = &joints[m->joint_count];
    memset(joint, 0, sizeof *joint);
    joint->element = element;
    joint->body = body;
    joint->set = m->joint_count;
    int is_freejoint = strcmp(element->name, "freejoint") == 0;
    lbio_mjcf_view view;
    lb_status status = lbio_mjcf_see(m, element, is_freejoint ? LBIO_MJCF_KINDS : LBIO_MJCF_JOINT, class_index, &view);
    if (status != LB_OK) {
        return status;
    }
    int type = is_freejoint ? LBIO_MJCF_FREE : joint_type(view.values[LBIO_MJCF_TYPE]);
    if (type < 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "type=\"%.60s\" should be hinge, slide, ball or free",
                              view.values[LBIO_MJCF_TYPE]);
    }
    joint->type = (lbio_mjcf_joint_type)type;
    status = check_place(m, joint, &m->bodies[body]);
    if (status == LB_OK) {
        status = read_name(m, element, &m->joint_names, m->joint_count, &joint->name);
    }
    if (status == LB_OK && !is_freejoint) {
        status = read_axis(m, &view, within, joint);
    }
    if (status == LB_OK) {
        status = read_range(m, &view, joint);
    }
    if (status == LB_OK && (type == LBIO_MJCF_HINGE || type == LBIO_MJCF_SLIDE)) {
        status = lbio_mjcf_numbers(m, &view, LBIO_MJCF_REF, 1, 1, &joint->ref, NULL);
        joint->ref = type == LBIO_MJCF_HINGE ? lbio_mjcf_angle(m, joint->ref) : joint->ref;
    }
    m->bodies[body].joint_count++;
    m->joint_count++;
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * The rest of a body
 * ------------------------------------------------------------------------------------------------- */

static lb_status read_inertial(lbio_mjcf *m, const lbio_xml *element, lbio_mjcf_body *body, const lb_frame *within) {
    int has_mass = 0, has_pos = 0;
    lb_frame com;
    lb_frame_identity(&com);
    lb_status status = lbio_mjcf_own_numbers(m, element, "mass", 1, 1, &body->mass, &has_mass);
    if (status == LB_OK) {
        status = lbio_mjcf_own_numbers(m, element, "pos", 3, 3, com.position, &has_pos);
    }
    if (status == LB_OK && (!has_mass || !has_pos || !(body->mass >= 0))) {
        status = lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX,
                                "<inertial> needs mass=\"...\", not below 0, and pos=\"x y z\"");
    }
    lb_frame_multiply(within, &com, &com);
    memcpy(body->com, com.position, sizeof body->com);
    body->has_inertial = 1;
    return status;
}

static lb_status read_site(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index) {
    lbio_mjcf_site *sites = lbio_grow(m->allocator, m->sites, &m->site_capacity, m->site_count, sizeof *m->sites);
    if (!sites) {
        return lbio_mjcf_no_memory(m, element);
    }
    m->sites = sites;
    lbio_mjcf_site *site = &sites[m->site_count];
    memset(site, 0, sizeof *site);
    site->element = element;
    site->body = body;
    lbio_mjcf_view view;
    double length;
    int has_ends;
    lb_status status = lbio_mjcf_see(m, element, LBIO_MJCF_SITE, class_index, &view);
    if (status == LB_OK) {
        status = lbio_mjcf_frame(m, &view, &site->frame);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_fromto(m, &view, &site->frame, &length, &has_ends);
    }
    if (status == LB_OK) {
        status = read_name(m, element, &m->site_names, m->site_count, &site->name);
    }
    lb_frame_multiply(within, &site->frame, &site->frame);
    m->site_count++;
    return status;
}

static int add_body(lbio_mjcf *m, const lbio_xml *element, int parent) {
    lbio_mjcf_body *bodies = lbio_grow(m->allocator, m->bodies, &m->body_capacity, m->body_count, sizeof *m->bodies);
    if (!bodies) {
        lbio_mjcf_no_memory(m, element);
        return -1;
    }
    m->bodies = bodies;
    lbio_mjcf_body *body = &bodies[m->body_count];
    memset(body, 0, sizeof *body);
    body->element = element;
    body->parent = parent;
    body->first_joint = m->joint_count;
    body->weighs_geoms =
        m->model->inertia_from_geom == LBIO_MJCF_AUTO ? -1 : m->model->inertia_from_geom == LBIO_MJCF_ALWAYS;
    lb_frame_identity(&body->frame);
    lb_frame_identity(&body->frame_w);
    return m->body_count++;
}

/* Reads what is in a body or a <frame>: first all but bodies, then these, so that a body's joints follow one
 * another. */
static lb_status read_content(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index,
                              int bodies);

static lb_status read_body(lbio_mjcf *m, const lbio_xml *element, int parent, const lb_frame *within, int class_index) {
    int index = add_body(m, element, parent);
    class_index = index < 0 ? -1 : lbio_mjcf_class_of(m, element, "childclass", class_index);
    if (class_index < 0) {
        return m->source->error->status;
    }
    lbio_mjcf_body *body = &m->bodies[index];
    lb_status status = read_name(m, element, &m->body_names, index, &body->name);
    lbio_mjcf_view view;
    if (status == LB_OK) {
        status = lbio_mjcf_see(m, element, LBIO_MJCF_KINDS, 0, &view);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_frame(m, &view, &body->frame);
    }
    if (status != LB_OK) {
        return status;
    }
    lb_frame_multiply(within, &body->frame, &body->frame);
    lb_frame_multiply(&m->bodies[parent].frame_w, &body->frame, &body->frame_w);
    lb_frame own;
    lb_frame_identity(&own);
    status = read_content(m, element, index, &own, class_index, 0);
    return status == LB_OK ? read_content(m, element, index, &own, class_index, 1) : status;
}

static lb_status read_frame(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index,
                            int bodies) {
    class_index = lbio_mjcf_class_of(m, element, "childclass", class_index);
    if (class_index < 0) {
        return m->source->error->status;
    }
    lbio_mjcf_view view;
    lb_frame frame;
    lb_status status = lbio_mjcf_see(m, element, LBIO_MJCF_KINDS, 0, &view);
    if (status == LB_OK) {
        status = lbio_mjcf_frame(m, &view, &frame);
    }
    if (status != LB_OK) {
        return status;
    }
    lb_frame_multiply(within, &frame, &frame);
    return read_content(m, element, body, &frame, class_index, bodies);
}

/* What in a body has no bearing on a figure, or what Limber cannot do. */
static lb_status read_other(const lbio_mjcf *m, const lbio_xml *element) {
    static const char *const ignored[] = {"camera", "light", "plugin", "user"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        if (strcmp(element->name, ignored[i]) == 0) {
            return LB_OK;
        }
    }
    if (strcmp(element->name, "composite") == 0) {
        return lbio_mjcf_fail(m, element, LB_ERROR_UNSUPPORTED,
                              "<%s> is not read; load the model in MuJoCo and save it "
                              "(mj_saveLastXML), which writes out what it makes",
                              element->name);
    }
    lbio_mjcf_warn(m, element, "<%.60s> is left out: it is no part of a figure that Limber knows", element->name);
    return LB_OK;
}

static lb_status read_part(lbio_mjcf *m, const lbio_xml *part, int body, const lb_frame *within, int class_index) {
    if (strcmp(part->name, "inertial") == 0) {
        return read_inertial(m, part, &m->bodies[body], within);
    }
    int is_joint = strcmp(part->name, "joint") == 0 || strcmp(part->name, "freejoint") == 0;
    int is_geom = strcmp(part->name, "geom") == 0;
    if (!is_joint && !is_geom && strcmp(part->name, "site") != 0) {
        return read_other(m, part);
    }
    class_index = lbio_mjcf_class_of(m, part, "class", class_index);
    if (class_index < 0) {
        return m->source->error->status;
    }
    return is_joint  ? read_joint(m, part, body, within, class_index)
           : is_geom ? lbio_mjcf_read_geom(m, part, body, within, class_index)
                     : read_site(m, part, body, within, class_index);
}

/* A part of another model, in its own settings and with a prefix to its names. */
static lb_status read_attach(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int bodies) {
    const lbio_mjcf_instance before = lbio_mjcf_here(m);
    const lbio_xml *part = NULL;
    int model = 0, class_index = LBIO_MJCF_MAIN;
    lb_status status = lbio_mjcf_find_attached(m, element, &model, &part, &class_index);
    const char *prefix = status ? "" : lbio_mjcf_join(m, m->prefix, lbio_xml_get(element, "prefix"), "");
    const int is_world = part && strcmp(part->name, "worldbody") == 0;
    if (status || (!is_world && !bodies)) {
        return status;
    }
    status = prefix ? lbio_mjcf_enter(m, bodies ? element : NULL, model, prefix, m->suffix)
                    : lbio_mjcf_no_memory(m, element);
    if (status == LB_OK) {
        status = is_world ? read_content(m, part, body, within, class_index, bodies)
                          : read_body(m, part, body, within, class_index);
    }
    lbio_mjcf_leave(m, &before);
    return status;
}

/* The copies of what is in a <replicate>. As MuJoCo has it, copy i is turned by i times the angles, and lies the offset
 * on from the one before, as that one is turned. */
static lb_status read_replicate(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within,
                                int class_index, int bodies) {
    const lbio_mjcf_instance before = lbio_mjcf_here(m);
    const char *between = lbio_xml_get(element, "sep");
    double count = 0, euler[3] = {0, 0, 0};
    int width = 1;
    lb_frame step, at;
    lb_frame_identity(&step);
    lb_frame_identity(&at);
    lb_status status = lbio_mjcf_own_numbers(m, element, "count", 1, 1, &count, NULL);
    if (status == LB_OK && !(count >= 1 && count <= LBIO_MJCF_MAX_INSTANCES && count == (double)(int)count)) {
        status =
            lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "<replicate> needs count=\"...\", a whole number from 1 to %d",
                           LBIO_MJCF_MAX_INSTANCES);
    }
    status = status ? status : lbio_mjcf_own_numbers(m, element, "euler", 3, 3, euler, NULL);
    status = status ? status : lbio_mjcf_own_numbers(m, element, "offset", 3, 3, step.position, NULL);
    for (int most = (int)count - 1; most >= 10; most /= 10) {
        width++;
    }
    for (int i = 0; i < (int)count && status == LB_OK; i++) {
        char number[32];
        snprintf(number, sizeof number, "%0*d", width > 9 ? 9 : width, i);
        const char *suffix = lbio_mjcf_join(m, between ? between : "", number, before.suffix);
        status = suffix ? lbio_mjcf_enter(m, bodies ? element : NULL, before.model, before.prefix, suffix)
                        : lbio_mjcf_no_memory(m, element);
        const double angles[3] = {i * euler[0], i * euler[1], i * euler[2]};
        lb_frame placed;
        lbio_mjcf_from_euler(m, angles, at.rotation);
        lb_frame_multiply(within, &at, &placed);
        status = status ? status : read_content(m, element, body, &placed, class_index, bodies);
        lb_frame_multiply(&at, &step, &at);
        lbio_mjcf_leave(m, &before);
    }
    return status;
}

static lb_status read_content(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within, int class_index,
                              int bodies) {
    lb_status status = LB_OK;
    for (lbio_xml *part = lbio_mjcf_first(element); part && status == LB_OK; part = lbio_mjcf_next(element, part)) {
        if (++m->part_count > LBIO_MJCF_MAX_PARTS) {
            status = lbio_mjcf_fail(m, part, LB_ERROR_TOO_LARGE, "more than %d elements of bodies, with their copies",
                                    LBIO_MJCF_MAX_PARTS);
        } else if (strcmp(part->name, "frame") == 0) {
            status = read_frame(m, part, body, within, class_index, bodies);
        } else if (strcmp(part->name, "attach") == 0) {
            status = read_attach(m, part, body, within, bodies);
        } else if (strcmp(part->name, "replicate") == 0) {
            status = read_replicate(m, part, body, within, class_index, bodies);
        } else if (strcmp(part->name, "body") == 0) {
            status = bodies ? read_body(m, part, body, within, class_index) : LB_OK;
        } else if (!bodies) {
            status = read_part(m, part, body, within, class_index);
        }
    }
    return status;
}

lb_status lbio_mjcf_read_bodies(lbio_mjcf *m) {
    const lbio_xml *root = m->model->root;
    lb_frame origin;
    lb_frame_identity(&origin);
    lb_status status = add_body(m, root, -1) < 0 ? m->source->error->status : LB_OK;
    for (lbio_xml *child = lbio_mjcf_first(root); child && status == LB_OK; child = lbio_mjcf_next(root, child)) {
        if (strcmp(child->name, "worldbody") == 0) {
            int class_index = lbio_mjcf_class_of(m, child, "childclass", LBIO_MJCF_MAIN);
            status = class_index < 0 ? m->source->error->status : read_content(m, child, 0, &origin, class_index, 0);
            status = status == LB_OK ? read_content(m, child, 0, &origin, class_index, 1) : status;
        }
    }
    return status;
}
