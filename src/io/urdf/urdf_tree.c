/* How a URDF's links and joints hang together: names, the tree, its root, and who mimics whom. */
#include "io/urdf/urdf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------- */

static const char *link_name(const lbio_urdf *urdf, int index) { return urdf->links[index].name; }

static const char *joint_name(const lbio_urdf *urdf, int index) { return urdf->joints[index].name; }

static lb_status fail_twice(const lbio_urdf *urdf, const char *what, const char *name, int first_line, int line) {
    char shown[LBIO_XML_SHOWN_SIZE];
    return lbio_fail(urdf->source, LB_ERROR_NAME, line, "%s \"%s\" is there twice: lines %d and %d; rename one", what,
                     lbio_xml_show(name, shown), first_line, line);
}

static lb_status enter_names(lbio_urdf *urdf) {
    for (int i = 0; i < urdf->link_count; ++i) {
        int other = lbio_names_find(&urdf->link_names, link_name(urdf, i));
        if (other >= 0) {
            return fail_twice(urdf, "link", link_name(urdf, i), urdf->links[other].line, urdf->links[i].line);
        }
        if (!lbio_names_add(&urdf->link_names, link_name(urdf, i), i)) {
            return lbio_urdf_no_memory(urdf);
        }
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        int other = lbio_names_find(&urdf->joint_names, joint_name(urdf, i));
        if (other >= 0) {
            return fail_twice(urdf, "joint", joint_name(urdf, i), urdf->joints[other].line, urdf->joints[i].line);
        }
        if (!lbio_names_add(&urdf->joint_names, joint_name(urdf, i), i)) {
            return lbio_urdf_no_memory(urdf);
        }
    }
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * The tree
 * ------------------------------------------------------------------------------------------------- */

/* `world`, or `world_2`, ... where that is taken. */
static lb_status add_world(lbio_urdf *urdf, int line, int *link) {
    *link = urdf->link_count;
    const char *name = lbio_names_unique(&urdf->link_names, "world", *link);
    if (!name) {
        return lbio_urdf_no_memory(urdf);
    }
    urdf->links[urdf->link_count++] = (lbio_urdf_link){.name = name, .line = line, .parent_joint = -1};
    return LB_OK;
}

/* The link that <parent link="..."> or <child link="..."> names. */
static lb_status find_end(lbio_urdf *urdf, const lbio_urdf_joint *joint, const char *side, int *link) {
    char shown[LBIO_XML_SHOWN_SIZE], shown_link[LBIO_XML_SHOWN_SIZE];
    lbio_xml_show(joint->name, shown);
    const lbio_xml *element = lbio_xml_child(joint->element, side);
    const char *name = element ? lbio_xml_get(element, "link") : NULL;
    if (!name) {
        return lbio_fail(urdf->source, LB_ERROR_SYNTAX, element ? element->line : joint->line,
                         "joint \"%s\" does not say its %s: <%s link=\"...\"/> is missing", shown, side, side);
    }
    *link = lbio_names_find(&urdf->link_names, name);
    if (*link >= 0) {
        return LB_OK;
    }
    if (strcmp(side, "parent") == 0 && strcmp(name, "world") == 0) { /* as Drake and Gazebo have it */
        return add_world(urdf, element->line, link);
    }
    if (lbio_xml_is_xacro(name)) {
        return lbio_fail(
            urdf->source, LB_ERROR_UNSUPPORTED, element->line,
            "the %s of joint \"%s\" is an unexpanded xacro expression, \"%s\"; run xacro on the file first", side,
            shown, lbio_xml_show(name, shown_link));
    }
    return lbio_fail(urdf->source, LB_ERROR_NAME, element->line,
                     "the %s link \"%s\" of joint \"%s\" is not defined; add <link name=\"%s\"/>%s", side,
                     lbio_xml_show(name, shown_link), shown, shown_link,
                     strcmp(side, "parent") == 0 ? " or join the file with the one that has it" : "");
}

static lb_status connect_joint(lbio_urdf *urdf, int index) {
    lbio_urdf_joint *joint = &urdf->joints[index];
    lb_status status = find_end(urdf, joint, "parent", &joint->parent);
    if (status == LB_OK) {
        status = find_end(urdf, joint, "child", &joint->child);
    }
    if (status != LB_OK) {
        return status;
    }
    lbio_urdf_link *child = &urdf->links[joint->child];
    char shown[LBIO_XML_SHOWN_SIZE], shown_link[LBIO_XML_SHOWN_SIZE], shown_other[LBIO_XML_SHOWN_SIZE];
    lbio_xml_show(joint->name, shown);
    lbio_xml_show(child->name, shown_link);
    if (joint->parent == joint->child) {
        return lbio_fail(urdf->source, LB_ERROR_FIGURE, joint->line, "joint \"%s\" connects link \"%s\" to itself",
                         shown, shown_link);
    }
    if (child->parent_joint >= 0) {
        const lbio_urdf_joint *other = &urdf->joints[child->parent_joint];
        return lbio_fail(
            urdf->source, LB_ERROR_FIGURE, joint->line,
            "link \"%s\" is the child of two joints, \"%s\" (line %d) and \"%s\" (line %d); URDF has trees "
            "only: leave one out, or close the loop in a .fig",
            shown_link, lbio_xml_show(other->name, shown_other), other->line, shown, joint->line);
    }
    child->parent_joint = index;
    return LB_OK;
}

static lb_status fail_circle(const lbio_urdf *urdf, int link) {
    char circle[256] = "", shown[LBIO_XML_SHOWN_SIZE];
    int at = link, named = 0;
    do {
        at = urdf->joints[urdf->links[at].parent_joint].parent;
        if (named < 4) {
            size_t used = strlen(circle);
            snprintf(circle + used, sizeof circle - used, "%s\"%s\"", named ? ", " : "",
                     lbio_xml_show(link_name(urdf, at), shown));
        }
        ++named;
    } while (at != link);
    return lbio_fail(urdf->source, LB_ERROR_FIGURE, urdf->joints[urdf->links[link].parent_joint].line,
                     "links %s%s are each other's parents in a circle; URDF needs a root: take one joint out", circle,
                     named > 4 ? ", ..." : "");
}

/* Every link has at most one parent by now, so that a link which does not come to a root going up is in, or under, a
 * circle. Each link is walked over once: `seen` keeps the number of the walk. */
static lb_status check_circles(const lbio_urdf *urdf) {
    int *seen = lbio_xml_allocate(urdf->document, (size_t)urdf->link_count * sizeof *seen);
    if (!seen) {
        return lbio_urdf_no_memory(urdf);
    }
    for (int i = 0; i < urdf->link_count; ++i) {
        int at = i;
        while (!seen[at]) {
            seen[at] = i + 1;
            if (urdf->links[at].parent_joint < 0) {
                break;
            }
            at = urdf->joints[urdf->links[at].parent_joint].parent;
            if (seen[at] == i + 1) {
                return fail_circle(urdf, at);
            }
        }
    }
    return LB_OK;
}

static lb_status fix_to_world(lbio_urdf *urdf, int world, int link) {
    size_t size = strlen(link_name(urdf, link)) + sizeof "world_";
    char *wish = lbio_xml_allocate(urdf->document, size);
    if (!wish) {
        return lbio_urdf_no_memory(urdf);
    }
    snprintf(wish, size, "world_%s", link_name(urdf, link));
    const char *name = lbio_names_unique(&urdf->joint_names, wish, urdf->joint_count);
    if (!name) {
        return lbio_urdf_no_memory(urdf);
    }
    lbio_urdf_joint *joint = &urdf->joints[urdf->joint_count];
    *joint = (lbio_urdf_joint){.name = name, .line = urdf->links[link].line, .mimicked = -1};
    lb_frame_identity(&joint->origin);
    joint->axis[0] = 1.0;
    joint->parent = world;
    joint->child = link;
    urdf->links[link].parent_joint = urdf->joint_count++;
    return LB_OK;
}

/* Several roots are several things that stand in one world: each is fixed where the world's origin is. */
static lb_status join_roots(lbio_urdf *urdf, int root_count) {
    int world = lbio_names_find(&urdf->link_names, "world");
    if (world < 0 || urdf->links[world].parent_joint >= 0) {
        lb_status status = add_world(urdf, 0, &world);
        if (status != LB_OK) {
            return status;
        }
    }
    char names[256] = "", shown[LBIO_XML_SHOWN_SIZE];
    int fixed = 0, first_line = 0;
    for (int i = 0; i < urdf->link_count; ++i) {
        if (i == world || urdf->links[i].parent_joint >= 0) {
            continue;
        }
        if (fixed < 4) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s\"%s\"", fixed ? ", " : "",
                     lbio_xml_show(link_name(urdf, i), shown));
        }
        first_line = fixed++ ? first_line : urdf->links[i].line;
        lb_status status = fix_to_world(urdf, world, i);
        if (status != LB_OK) {
            return status;
        }
    }
    lbio_warn(urdf->source, first_line, "there are %d root links; %s%s %s fixed to the segment \"%s\" at its origin",
              root_count, names, fixed > 4 ? ", ..." : "", fixed == 1 ? "is" : "are", link_name(urdf, world));
    urdf->root = world;
    return LB_OK;
}

static lb_status find_root(lbio_urdf *urdf) {
    int root_count = 0;
    for (int i = 0; i < urdf->link_count; ++i) {
        if (urdf->links[i].parent_joint < 0) {
            urdf->root = i;
            ++root_count;
        }
    }
    return root_count > 1 ? join_roots(urdf, root_count) : LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * Mimics
 * ------------------------------------------------------------------------------------------------- */

static int has_one_dof(const lbio_urdf_joint *joint) {
    return joint->kind == LBIO_URDF_REVOLUTE || joint->kind == LBIO_URDF_CONTINUOUS ||
           joint->kind == LBIO_URDF_PRISMATIC;
}

static lb_status connect_mimic(lbio_urdf *urdf, int index) {
    lbio_urdf_joint *joint = &urdf->joints[index];
    const lbio_xml *mimic = joint->element ? lbio_xml_child(joint->element, "mimic") : NULL;
    if (!mimic) {
        return LB_OK;
    }
    char shown[LBIO_XML_SHOWN_SIZE], shown_other[LBIO_XML_SHOWN_SIZE];
    lbio_xml_show(joint->name, shown);
    const char *name = lbio_xml_get(mimic, "joint");
    if (!name) {
        return lbio_fail(urdf->source, LB_ERROR_SYNTAX, mimic->line, "<mimic> of joint \"%s\" does not say which joint",
                         shown);
    }
    lbio_xml_show(name, shown_other);
    int source = lbio_names_find(&urdf->joint_names, name);
    if (!has_one_dof(joint)) {
        lbio_warn(urdf->source, mimic->line, "joint \"%s\" does not have one dof, so that its <mimic> is ignored",
                  shown);
    } else if (source < 0) {
        lbio_warn(urdf->source, mimic->line,
                  "joint \"%s\" mimics \"%s\", which does not exist; it is left to move by itself", shown, shown_other);
    } else if (urdf->joints[source].kind == LBIO_URDF_FIXED) {
        lbio_warn(urdf->source, mimic->line, "joint \"%s\" mimics \"%s\", which is fixed; it is held at its offset",
                  shown, shown_other);
        joint->is_held = 1;
    } else if (!has_one_dof(&urdf->joints[source])) {
        lbio_warn(urdf->source, mimic->line,
                  "joint \"%s\" mimics \"%s\", which has more than one dof; it is left to move by itself", shown,
                  shown_other);
    } else {
        joint->mimicked = source;
    }
    return LB_OK;
}

/* What a joint follows in the end, through all mimics between: q = multiplier * q(source) + offset. */
typedef struct resolved {
    int source; /* -1: not known yet */
    double multiplier, offset;
} resolved;

/* Follows the mimics of one joint up to one that is known, then fills in those passed on the way back. */
static lb_status resolve_mimic(const lbio_urdf *urdf, int index, resolved *all, int *path) {
    int length = 0, at = index;
    while (all[at].source < 0 && urdf->joints[at].mimicked >= 0) {
        if (length > urdf->joint_count) {
            char shown[LBIO_XML_SHOWN_SIZE], shown_other[LBIO_XML_SHOWN_SIZE];
            return lbio_fail(urdf->source, LB_ERROR_FIGURE, urdf->joints[at].line,
                             "joint \"%s\" mimics \"%s\" and, in the end, itself; take one <mimic> out",
                             lbio_xml_show(joint_name(urdf, at), shown),
                             lbio_xml_show(joint_name(urdf, urdf->joints[at].mimicked), shown_other));
        }
        path[length++] = at;
        at = urdf->joints[at].mimicked;
    }
    if (all[at].source < 0) {
        all[at] = (resolved){.source = at, .multiplier = 1.0};
    }
    while (length > 0) {
        const resolved *above = &all[at];
        at = path[--length];
        const lbio_urdf_joint *joint = &urdf->joints[at];
        all[at].source = above->source;
        all[at].multiplier = joint->multiplier * above->multiplier;
        all[at].offset = joint->multiplier * above->offset + joint->offset;
        if (!(fabs(all[at].multiplier) + fabs(all[at].offset) <= LBIO_URDF_MAX_NUMBER)) {
            char shown[LBIO_XML_SHOWN_SIZE];
            return lbio_fail(urdf->source, LB_ERROR_TOO_LARGE, joint->line,
                             "joint \"%s\" mimics through others to a multiplier or offset beyond 1e9",
                             lbio_xml_show(joint->name, shown));
        }
    }
    return LB_OK;
}

/* Limits of a mimicking joint hold back the joint it follows. Files are often careless with them, so those that would
 * leave the other no room at all - also the 0 and 0 that are there by default - are dropped. */
static void tighten(lbio_urdf *urdf, int index, const resolved *way, double (*range)[2]) {
    lbio_urdf_joint *joint = &urdf->joints[index];
    if (joint->lower == -INFINITY && joint->upper == INFINITY) {
        return;
    }
    double *old = range[way->source];
    /* Here one bound may be infinite; (inf - offset) / multiplier is again. */
    double a = (joint->lower - way->offset) / way->multiplier, b = (joint->upper - way->offset) / way->multiplier;
    double lower = fmax(old[0], fmin(a, b)), upper = fmin(old[1], fmax(a, b));
    int is_usable = way->multiplier != 0.0 && lower <= upper && (lower < upper || old[0] == old[1]);
    if (!is_usable) {
        lbio_urdf_count(urdf, LBIO_URDF_MIMIC_LIMIT, joint->name, joint->line);
        joint->lower = -INFINITY;
        joint->upper = INFINITY;
        return;
    }
    old[0] = lower;
    old[1] = upper;
}

static lb_status resolve_mimics(lbio_urdf *urdf) {
    size_t count = (size_t)urdf->joint_count + 1;
    resolved *all = lbio_xml_allocate(urdf->document, count * sizeof *all);
    int *path = lbio_xml_allocate(urdf->document, (count + 1) * sizeof *path);
    double(*range)[2] = lbio_xml_allocate(urdf->document, count * sizeof *range);
    if (!all || !path || !range) {
        return lbio_urdf_no_memory(urdf);
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        all[i].source = -1;
        range[i][0] = urdf->joints[i].lower;
        range[i][1] = urdf->joints[i].upper;
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        lb_status status = resolve_mimic(urdf, i, all, path);
        if (status != LB_OK) {
            return status;
        }
        lbio_urdf_joint *joint = &urdf->joints[i];
        if (joint->mimicked >= 0) {
            tighten(urdf, i, &all[i], range);
        } else if (joint->is_held) {
            joint->lower = -INFINITY;
            joint->upper = INFINITY;
        } else if (joint->bounds_by_default) {
            lbio_urdf_count(urdf, LBIO_URDF_NO_BOUNDS, joint->name, joint->line);
        }
    }
    return LB_OK;
}

lb_status lbio_urdf_connect(lbio_urdf *urdf) {
    int written = urdf->joint_count; /* in the file; those to `world` are added behind */
    lb_status status = enter_names(urdf);
    for (int i = 0; i < written && status == LB_OK; ++i) {
        status = connect_joint(urdf, i);
    }
    if (status == LB_OK) {
        status = check_circles(urdf);
    }
    for (int i = 0; i < written && status == LB_OK; ++i) {
        status = connect_mimic(urdf, i);
    }
    if (status == LB_OK) {
        status = resolve_mimics(urdf);
    }
    return status == LB_OK ? find_root(urdf) : status;
}
