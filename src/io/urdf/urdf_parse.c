/* Links and joints out of a URDF's XML, one at a time; how they hang together is urdf_tree.c's matter.
 *
 * Where the specification (wiki.ros.org/urdf/XML) leaves room, or files in use are looser than it, docs/urdf.md says
 * what is done. */
#include "io/urdf/urdf.h"

#include <math.h>
#include <string.h>

#define MAX_XACRO 2000

lb_status lbio_urdf_no_memory(const lbio_urdf *urdf) {
    return lbio_fail(urdf->source, LB_ERROR_MEMORY, 0, "out of memory");
}

void lbio_urdf_count(lbio_urdf *urdf, lbio_urdf_oddity oddity, const char *name, int line) {
    lbio_urdf_tally *tally = &urdf->tallies[oddity];
    if (tally->count++ == 0) {
        tally->first = name;
        tally->line = line;
    }
}

static lb_status fail_xacro(const lbio_urdf *urdf, int line, const char *what) {
    char shown[LBIO_XML_SHOWN_SIZE];
    return lbio_fail(
        urdf->source, LB_ERROR_UNSUPPORTED, line,
        "this is a xacro file that was not expanded (%s); run `xacro FILE > robot.urdf` and load the result",
        lbio_xml_show(what, shown));
}

/* ---------------------------------------------------------------------------------------------------
 * Is it a finished URDF at all?
 * ------------------------------------------------------------------------------------------------- */

static int has_prefix(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

static int is_link_or_joint(const lbio_xml *element) {
    return strcmp(element->name, "link") == 0 || strcmp(element->name, "joint") == 0;
}

/* The next element of a subtree in the order of the file; NULL after the last. */
static const lbio_xml *next_in(const lbio_xml *subtree, const lbio_xml *element) {
    if (element->first_child) {
        return element->first_child;
    }
    while (element != subtree && !element->next) {
        element = element->parent;
    }
    return element == subtree ? NULL : element->next;
}

/* Whether expanding what is inside could give links or joints. A <joint> in a <transmission> is only a reference. */
static int makes_parts(const lbio_xml *element) {
    for (const lbio_xml *e = element->first_child ? next_in(element, element) : NULL; e; e = next_in(element, e)) {
        if (is_link_or_joint(e) && strcmp(e->parent->name, "transmission") != 0) {
            return 1;
        }
    }
    return 0;
}

static const lbio_xml *find_macro(const lbio_xml *robot, const char *name) {
    for (const lbio_xml *e = lbio_xml_child(robot, "xacro:macro"); e; e = lbio_xml_next(e, "xacro:macro")) {
        const char *own = lbio_xml_get(e, "name");
        if (own && strcmp(own, name) == 0) {
            return e;
        }
    }
    return NULL;
}

/* What a xacro element at the top of the file can be. */
typedef enum xacro_kind {
    XACRO_HARMLESS, /* makes no links or joints, whatever is done with it */
    XACRO_UNKNOWN,  /* calls a macro that is not in the file */
    XACRO_PARTS     /* makes links or joints, as far as can be seen */
} xacro_kind;

static xacro_kind kind_of_xacro(const lbio_urdf *urdf, const lbio_xml *element) {
    static const char *const harmless[] = {"include", "property", "arg", "macro"};
    const char *what = element->name + strlen("xacro:");
    if (makes_parts(element)) {
        return XACRO_PARTS;
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; ++i) {
        if (strcmp(what, harmless[i]) == 0) {
            return XACRO_HARMLESS;
        }
    }
    return find_macro(urdf->robot, what) ? XACRO_HARMLESS : XACRO_UNKNOWN;
}

/* Whether the rest of the file is a robot without it: links and joints are there, and nothing is to be included. A call
 * in such a file was forgotten when xacro wrote it, and makes nothing any more (Valkyrie's has one). */
static int is_expanded(const lbio_urdf *urdf) {
    return lbio_xml_child(urdf->robot, "link") && lbio_xml_child(urdf->robot, "joint") &&
           !lbio_xml_child(urdf->robot, "xacro:include");
}

/* Files are about in which xacro was forgotten around things that do not matter here (colours, transmissions). Those
 * are read; a xacro element that could make links or joints is not guessed at. */
static lb_status check_xacro(const lbio_urdf *urdf) {
    const lbio_xml *first[XACRO_PARTS] = {NULL, NULL};
    int counts[XACRO_PARTS] = {0, 0};
    for (const lbio_xml *e = urdf->robot->first_child; e; e = e->next) {
        if (!has_prefix(e->name, "xacro:")) {
            continue;
        }
        xacro_kind kind = kind_of_xacro(urdf, e);
        if (kind == XACRO_PARTS || (kind == XACRO_UNKNOWN && !is_expanded(urdf))) {
            return fail_xacro(urdf, e->line, e->name);
        }
        first[kind] = first[kind] ? first[kind] : e;
        if (++counts[kind] > MAX_XACRO) { /* each is looked up among all */
            return fail_xacro(urdf, e->line, e->name);
        }
    }
    static const char *const texts[XACRO_PARTS] = {"make no links or joints", "were left over by xacro"};
    static const char *const text_of_one[XACRO_PARTS] = {"makes no links or joints", "was left over by xacro"};
    for (int kind = 0; kind < XACRO_PARTS; ++kind) {
        char shown[LBIO_XML_SHOWN_SIZE];
        int count = counts[kind];
        if (count) {
            lbio_warn(urdf->source, first[kind]->line,
                      "%d element%s of xacro (first <%s>) %s and %s ignored; run xacro to be sure", count,
                      count == 1 ? "" : "s", lbio_xml_show(first[kind]->name, shown),
                      count == 1 ? text_of_one[kind] : texts[kind], count == 1 ? "is" : "are");
        }
    }
    return LB_OK;
}

static lb_status fail_without_links(const lbio_urdf *urdf) {
    for (const lbio_xml *e = urdf->robot->first_child; e; e = e->next) {
        if (has_prefix(e->name, "xacro:") || strcmp(e->name, "macro") == 0 || strcmp(e->name, "include") == 0) {
            return fail_xacro(urdf, e->line, e->name);
        }
    }
    return lbio_fail(urdf->source, LB_ERROR_SYNTAX, urdf->robot->line, "there is no <link> in <robot>");
}

static lb_status check_document(const lbio_urdf *urdf) {
    const lbio_xml *robot = urdf->robot;
    char shown[LBIO_XML_SHOWN_SIZE];
    if (strcmp(robot->name, "robot") != 0) {
        const char *hint = "a URDF begins with <robot>";
        if (strcmp(robot->name, "mujoco") == 0) {
            hint = "this is MJCF: give the file the ending .xml or name the format";
        } else if (strcmp(robot->name, "sdf") == 0) {
            hint = "this is SDF, which is not read; convert it to URDF";
        }
        return lbio_fail(urdf->source, LB_ERROR_SYNTAX, robot->line, "the outermost element is <%s>; %s",
                         lbio_xml_show(robot->name, shown), hint);
    }
    const lbio_xml *include = lbio_xml_child(robot, "xi:include");
    if (include) {
        const char *href = lbio_xml_get(include, "href");
        return lbio_fail(
            urdf->source, LB_ERROR_UNSUPPORTED, include->line,
            "parts of the robot are in other files by XInclude (\"%s\"); join them first: `xmllint --xinclude`",
            lbio_xml_show(href ? href : "", shown));
    }
    return check_xacro(urdf);
}

/* ---------------------------------------------------------------------------------------------------
 * Joints
 * ------------------------------------------------------------------------------------------------- */

static lb_status need_name(const lbio_urdf *urdf, const lbio_xml *element, const char *attribute, const char **name) {
    *name = lbio_xml_get(element, attribute);
    if (!*name || !**name) {
        const char *owner = element->parent ? lbio_xml_get(element->parent, "name") : NULL;
        char shown[LBIO_XML_SHOWN_SIZE], shown_owner[LBIO_XML_SHOWN_SIZE];
        lbio_xml_show(element->name, shown);
        if (owner && element->parent != urdf->robot) {
            return lbio_fail(urdf->source, LB_ERROR_NAME, element->line, "<%s> of %s \"%s\" has no %s", shown,
                             element->parent->name, lbio_xml_show(owner, shown_owner), attribute);
        }
        return lbio_fail(urdf->source, LB_ERROR_NAME, element->line, "a <%s> has no %s", shown, attribute);
    }
    return lbio_xml_is_xacro(*name) ? fail_xacro(urdf, element->line, *name) : LB_OK;
}

lb_status lbio_urdf_numbers(const lbio_urdf *urdf, const lbio_xml *element, const char *attribute, int count,
                            double *values, int *present) {
    int is_there;
    lb_status status = lbio_xml_numbers(urdf->source, element, attribute, count, values, &is_there);
    for (int i = 0; i < count && status == LB_OK && is_there; ++i) {
        if (!(fabs(values[i]) <= LBIO_URDF_MAX_NUMBER)) {
            char number[32];
            lbio_print_number(values[i], number);
            return lbio_fail(urdf->source, LB_ERROR_TOO_LARGE, element->line,
                             "%s in <%s> of line %d is beyond the largest number accepted, 1e9 (units are m, rad, kg)",
                             number, element->name, element->line);
        }
    }
    if (present) {
        *present = is_there;
    }
    return status;
}

lb_status lbio_urdf_origin(const lbio_urdf *urdf, const lbio_xml *owner, lb_frame *frame) {
    lb_frame_identity(frame);
    const lbio_xml *origin = lbio_xml_child(owner, "origin");
    if (!origin) {
        return LB_OK;
    }
    double rpy_rad[3] = {0.0, 0.0, 0.0};
    lb_status status = lbio_urdf_numbers(urdf, origin, "xyz", 3, frame->position, NULL);
    if (status == LB_OK) {
        status = lbio_urdf_numbers(urdf, origin, "rpy", 3, rpy_rad, NULL);
    }
    lb_rotation_from_rpy(rpy_rad, frame->rotation);
    return status;
}

static lb_status read_kind(const lbio_urdf *urdf, lbio_urdf_joint *joint) {
    static const char *const names[] = {"fixed", "revolute", "continuous", "prismatic", "planar", "floating"};
    char shown[LBIO_XML_SHOWN_SIZE], shown_name[LBIO_XML_SHOWN_SIZE];
    lbio_xml_show(joint->name, shown_name);
    const char *type = lbio_xml_get(joint->element, "type");
    if (!type) {
        return lbio_fail(urdf->source, LB_ERROR_SYNTAX, joint->line, "joint \"%s\" has no type", shown_name);
    }
    for (int kind = LBIO_URDF_FIXED; kind <= LBIO_URDF_FLOATING; ++kind) {
        if (strcmp(type, names[kind]) == 0) {
            joint->kind = (lbio_urdf_kind)kind;
            return LB_OK;
        }
    }
    if (lbio_xml_is_xacro(type)) {
        return fail_xacro(urdf, joint->line, type);
    }
    const char *hint = "";
    if (strcmp(type, "spherical") == 0 || strcmp(type, "ball") == 0) {
        hint = " (an extension of some simulators: write three revolute joints, or a .fig with type = rotation)";
    }
    return lbio_fail(
        urdf->source, LB_ERROR_UNSUPPORTED, joint->line,
        "joint \"%s\" has the type \"%s\", which URDF does not have%s; it has fixed, revolute, continuous, "
        "prismatic, planar and floating",
        shown_name, lbio_xml_show(type, shown), hint);
}

static lb_status read_axis(lbio_urdf *urdf, lbio_urdf_joint *joint) {
    double *axis = joint->axis;
    axis[0] = 1.0, axis[1] = 0.0, axis[2] = 0.0;
    const lbio_xml *element = lbio_xml_child(joint->element, "axis");
    if (!element || joint->kind == LBIO_URDF_FIXED || joint->kind == LBIO_URDF_FLOATING) {
        return LB_OK;
    }
    lb_status status = lbio_xml_numbers(urdf->source, element, "xyz", 3, axis, NULL);
    if (status != LB_OK) {
        return status;
    }
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (largest == 0.0) {
        char shown[LBIO_XML_SHOWN_SIZE];
        return lbio_fail(urdf->source, LB_ERROR_ARGUMENT, element->line,
                         "the axis of joint \"%s\" is 0 0 0, which is no direction; give one, such as 0 0 1",
                         lbio_xml_show(joint->name, shown));
    }
    double unit[3] = {axis[0] / largest, axis[1] / largest, axis[2] / largest}; /* no overflow in the squares */
    double length = sqrt(unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2]);
    if (fabs(length * largest - 1.0) > 1e-3) { /* beyond what rounding to four digits does */
        lbio_urdf_count(urdf, LBIO_URDF_LONG_AXIS, joint->name, element->line);
    }
    for (int i = 0; i < 3; ++i) {
        axis[i] = unit[i] / length;
    }
    return LB_OK;
}

/* Bounds of a revolute or prismatic joint. */
static lb_status read_bounds(lbio_urdf *urdf, lbio_urdf_joint *joint, const lbio_xml *limit) {
    int has_lower, has_upper;
    joint->lower = joint->upper = 0.0;
    lb_status status = lbio_xml_numbers(urdf->source, limit, "lower", 1, &joint->lower, &has_lower);
    if (status == LB_OK) {
        status = lbio_xml_numbers(urdf->source, limit, "upper", 1, &joint->upper, &has_upper);
    }
    if (status != LB_OK) {
        return status;
    }
    if (joint->lower <= -LBIO_URDF_MAX_NUMBER) { /* some exporters write "unlimited" so */
        joint->lower = -INFINITY;
    }
    if (joint->upper >= LBIO_URDF_MAX_NUMBER) {
        joint->upper = INFINITY;
    }
    if ((isfinite(joint->lower) && joint->lower > LBIO_URDF_MAX_NUMBER) ||
        (isfinite(joint->upper) && joint->upper < -LBIO_URDF_MAX_NUMBER)) {
        return lbio_fail(urdf->source, LB_ERROR_TOO_LARGE, limit->line, "a bound beyond 1e9 in <limit> leaves no room");
    }
    if (!has_lower && !has_upper) {
        joint->bounds_by_default = 1; /* told of by urdf_tree.c, unless it mimics */
    } else if (!has_lower || !has_upper) {
        lbio_urdf_count(urdf, LBIO_URDF_ONE_BOUND, joint->name, limit->line);
    }
    if (joint->lower > joint->upper) {
        char shown[LBIO_XML_SHOWN_SIZE], lower[32], upper[32];
        lbio_print_number(joint->lower, lower);
        lbio_print_number(joint->upper, upper);
        return lbio_fail(
            urdf->source, LB_ERROR_LIMIT, limit->line,
            "joint \"%s\" has its lower limit %s above its upper limit %s%s; exchange them, or, where no limit "
            "is meant (as Bullet takes it), make the joint continuous",
            lbio_xml_show(joint->name, shown), lower, upper, has_lower && has_upper ? "" : " (the missing one is 0)");
    }
    return LB_OK;
}

/* A number of a drive that may be missing, or no number. Returns whether it is one. */
static int read_drive_number(const lbio_xml *element, const char *attribute, double *value) {
    const char *text = lbio_xml_get(element, attribute);
    while (text && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')) {
        ++text;
    }
    return text && lbio_number(text, text + strlen(text), value) && fabs(*value) < LBIO_URDF_MAX_NUMBER;
}

/* The largest speed or effort of a joint of one dof. Exporters that know none write 0, "inf", nothing, or a number
 * beyond all use: what is no speed limits nothing. */
static double read_most(const lbio_xml *limit, const char *attribute) {
    double most = 0;
    return read_drive_number(limit, attribute, &most) && fabs(most) > 0 ? fabs(most) : INFINITY;
}

/* Soft limits, where there is a safety_controller: both 0 where neither is given, which means none. */
static void read_safety(lbio_urdf_joint *joint) {
    const lbio_xml *safety = lbio_xml_child(joint->element, "safety_controller");
    double lower = 0, upper = 0;
    joint->soft_lower = -INFINITY, joint->soft_upper = INFINITY;
    if (safety &&
        (read_drive_number(safety, "soft_lower_limit", &lower) |
         read_drive_number(safety, "soft_upper_limit", &upper)) &&
        lower < upper) {
        joint->soft_lower = lower, joint->soft_upper = upper;
    }
}

static lb_status read_limit(lbio_urdf *urdf, lbio_urdf_joint *joint) {
    joint->lower = -INFINITY;
    joint->upper = joint->velocity = joint->effort = joint->soft_upper = INFINITY;
    joint->soft_lower = -INFINITY;
    const lbio_xml *limit = lbio_xml_child(joint->element, "limit");
    if (limit && lbio_xml_next(limit, "limit")) {
        lbio_urdf_count(urdf, LBIO_URDF_TWO_LIMITS, joint->name, joint->line);
    }
    const int is_single = joint->kind == LBIO_URDF_REVOLUTE || joint->kind == LBIO_URDF_PRISMATIC;
    if (limit && (is_single || joint->kind == LBIO_URDF_CONTINUOUS)) {
        joint->velocity = read_most(limit, "velocity");
        joint->effort = read_most(limit, "effort");
    }
    if (is_single || joint->kind == LBIO_URDF_CONTINUOUS) {
        read_safety(joint);
    }
    if (is_single) {
        if (limit) {
            return read_bounds(urdf, joint, limit);
        }
        lbio_urdf_count(urdf, LBIO_URDF_NO_LIMIT, joint->name, joint->line);
    } else if (limit && joint->kind != LBIO_URDF_FIXED) {
        double bounds[2] = {0.0, 0.0};
        lb_status status = lbio_xml_numbers(urdf->source, limit, "lower", 1, &bounds[0], NULL);
        if (status == LB_OK) {
            status = lbio_xml_numbers(urdf->source, limit, "upper", 1, &bounds[1], NULL);
        }
        if (status == LB_OK && (bounds[0] != 0.0 || bounds[1] != 0.0)) {
            lbio_urdf_count(urdf,
                            joint->kind == LBIO_URDF_CONTINUOUS ? LBIO_URDF_CONTINUOUS_BOUNDS : LBIO_URDF_PLANAR_BOUNDS,
                            joint->name, limit->line);
        }
        return status;
    }
    return LB_OK;
}

static lb_status read_mimic(const lbio_urdf *urdf, lbio_urdf_joint *joint) {
    joint->mimicked = -1;
    joint->multiplier = 1.0;
    const lbio_xml *mimic = lbio_xml_child(joint->element, "mimic");
    if (!mimic) {
        return LB_OK;
    }
    lb_status status = lbio_urdf_numbers(urdf, mimic, "multiplier", 1, &joint->multiplier, NULL);
    return status == LB_OK ? lbio_urdf_numbers(urdf, mimic, "offset", 1, &joint->offset, NULL) : status;
}

static lb_status read_joint(lbio_urdf *urdf, const lbio_xml *element) {
    lbio_urdf_joint *joint = &urdf->joints[urdf->joint_count];
    joint->element = element;
    joint->line = element->line;
    lb_status status = need_name(urdf, element, "name", &joint->name);
    if (status == LB_OK) {
        status = read_kind(urdf, joint);
    }
    if (status == LB_OK) {
        status = lbio_urdf_origin(urdf, element, &joint->origin);
    }
    if (status == LB_OK) {
        status = read_axis(urdf, joint);
    }
    if (status == LB_OK) {
        status = read_limit(urdf, joint);
    }
    if (status == LB_OK) {
        status = read_mimic(urdf, joint);
    }
    ++urdf->joint_count;
    return status;
}

static void warn_of_drake_joint(const lbio_urdf *urdf, const lbio_xml *element) {
    const char *name = lbio_xml_get(element, "name"), *type = lbio_xml_get(element, "type");
    char shown[LBIO_XML_SHOWN_SIZE], shown_type[LBIO_XML_SHOWN_SIZE];
    lbio_warn(
        urdf->source, element->line,
        "<drake:joint> \"%s\" of type \"%s\" is an extension of Drake and is left out: what it carries comes loose",
        lbio_xml_show(name ? name : "", shown), lbio_xml_show(type ? type : "", shown_type));
}

/* ------------------------------------------------------------------------------------------------- */

static lb_status make_room(lbio_urdf *urdf) {
    /* Room for a `world` that the file implies, one that joins several roots, and a joint from that to each link. */
    for (const lbio_xml *e = urdf->robot->first_child; e; e = e->next) {
        urdf->link_capacity += strcmp(e->name, "link") == 0;
        urdf->joint_capacity += strcmp(e->name, "joint") == 0;
    }
    if (urdf->link_capacity == 0) {
        return fail_without_links(urdf);
    }
    urdf->link_capacity += 2;
    urdf->joint_capacity += urdf->link_capacity;
    urdf->links = lbio_xml_allocate(urdf->document, (size_t)urdf->link_capacity * sizeof *urdf->links);
    urdf->joints = lbio_xml_allocate(urdf->document, (size_t)urdf->joint_capacity * sizeof *urdf->joints);
    return urdf->links && urdf->joints ? LB_OK : lbio_urdf_no_memory(urdf);
}

lb_status lbio_urdf_parse(lbio_urdf *urdf) {
    lb_status status = check_document(urdf);
    if (status == LB_OK) {
        status = make_room(urdf);
    }
    for (const lbio_xml *e = urdf->robot->first_child; e && status == LB_OK; e = e->next) {
        if (strcmp(e->name, "link") == 0) {
            lbio_urdf_link *link = &urdf->links[urdf->link_count++];
            link->element = e;
            link->line = e->line;
            link->parent_joint = -1;
            status = need_name(urdf, e, "name", &link->name);
        } else if (strcmp(e->name, "joint") == 0) {
            status = read_joint(urdf, e);
        } else if (strcmp(e->name, "drake:joint") == 0) {
            warn_of_drake_joint(urdf, e);
        }
    }
    return status;
}
