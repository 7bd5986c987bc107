/* URDF into a figure: parse (urdf_parse.c), put in order (urdf_tree.c), build.
 *
 * A link becomes a segment with the same frame and a site `origin` there. A joint becomes a joint from a site of its
 * own name on the parent, which is its <origin>, to the child's `origin`, so that joint values are those of URDF. */
#include "io/urdf/urdf.h"

#include <math.h>
#include <string.h>

#define LINK_SITE "origin"

static lb_status read_mass(lbio_urdf *urdf, const lbio_urdf_link *link, lb_segment *segment) {
    const lbio_xml *inertial = link->element ? lbio_xml_child(link->element, "inertial") : NULL;
    if (!inertial) {
        return LB_OK;
    }
    const lbio_xml *mass = lbio_xml_child(inertial, "mass"), *origin = lbio_xml_child(inertial, "origin");
    int present = 0;
    lb_status status = mass ? lbio_urdf_numbers(urdf, mass, "value", 1, &segment->mass, &present) : LB_OK;
    if (status == LB_OK && !present) {
        lbio_urdf_count(urdf, LBIO_URDF_NO_MASS, link->name, inertial->line);
    }
    if (status == LB_OK && segment->mass < 0.0) {
        char shown[LBIO_XML_SHOWN_SIZE];
        return lbio_fail(urdf->source, LB_ERROR_ARGUMENT, mass->line, "the mass of link \"%s\" is negative",
                         lbio_xml_show(link->name, shown));
    }
    if (status == LB_OK && origin) {
        status = lbio_urdf_numbers(urdf, origin, "xyz", 3, segment->com, NULL);
    }
    return status;
}

/* Segments have the indices of their links, and their sites `origin` too. */
static lb_status add_links(lbio_urdf *urdf, lb_builder *builder) {
    for (int i = 0; i < urdf->link_count; ++i) {
        const lbio_urdf_link *link = &urdf->links[i];
        lb_segment segment;
        lb_segment_defaults(&segment);
        segment.name = link->name;
        lb_status status = read_mass(urdf, link, &segment);
        if (status != LB_OK) {
            return status;
        }
        lb_site site;
        lb_site_defaults(&site);
        site.name = LINK_SITE;
        site.segment = lb_builder_add_segment(builder, &segment);
        if (site.segment < 0 || lb_builder_add_site(builder, &site) < 0) {
            return lbio_builder_fail(urdf->source, builder, link->line);
        }
    }
    for (int i = 0; i < urdf->link_count; ++i) {
        if (urdf->links[i].element) {
            lb_status status = lbio_urdf_add_shapes(urdf, builder, &urdf->links[i], i);
            if (status != LB_OK) {
                return status;
            }
        }
    }
    return LB_OK;
}

/* The joint's frame on its parent, under the joint's name; only a joint called "origin..." can find that taken. */
static int add_joint_site(const lbio_urdf *urdf, lb_builder *builder, const lbio_urdf_joint *joint) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = joint->name;
    site.segment = joint->parent;
    site.frame = joint->origin;
    if (strncmp(joint->name, LINK_SITE, strlen(LINK_SITE)) == 0) {
        size_t size = strlen(joint->name) + 64;
        char *name = lbio_xml_allocate(urdf->document, size);
        if (!name) {
            return LB_ERROR_MEMORY;
        }
        strcpy(name, joint->name);
        while (strlen(name) + 2 < size && lb_builder_find_site(builder, joint->parent, name) >= 0) {
            strcat(name, "_");
        }
        site.name = name;
    }
    return lb_builder_add_site(builder, &site);
}

/* Two directions that with n make a right-handed frame: for z they are x and y, for x: y and z, for y: z and x. */
void lbio_urdf_plane(const double n[3], double a[3], double b[3]) {
    double helper[3] = {0.0, 0.0, 0.0}, length = 0.0;
    int largest = 0;
    for (int i = 1; i < 3; ++i) {
        largest = n[i] * n[i] > n[largest] * n[largest] ? i : largest;
    }
    helper[(largest + 2) % 3] = 1.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        a[i] = helper[j] * n[k] - helper[k] * n[j];
        length += a[i] * a[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; ++i) {
        a[i] /= length;
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        b[i] = n[j] * a[k] - n[k] * a[j];
    }
}

static lb_status make_type(const lbio_urdf_joint *joint, lb_joint_type *type) {
    memset(type, 0, sizeof *type);
    lb_element *elements = type->elements;
    switch (joint->kind) {
    case LBIO_URDF_FIXED:
        return LB_OK;
    case LBIO_URDF_FLOATING:
        return lb_joint_type_parse("floating", type, NULL);
    case LBIO_URDF_PLANAR:
        type->element_count = 3;
        elements[0].kind = elements[1].kind = LB_ELEMENT_TRANSLATE;
        lbio_urdf_plane(joint->axis, elements[0].axis, elements[1].axis);
        elements[2].kind = LB_ELEMENT_ROTATE;
        memcpy(elements[2].axis, joint->axis, sizeof joint->axis);
        return LB_OK;
    default:
        type->element_count = 1;
        elements[0].kind = joint->kind == LBIO_URDF_PRISMATIC ? LB_ELEMENT_TRANSLATE : LB_ELEMENT_ROTATE;
        memcpy(elements[0].axis, joint->axis, sizeof joint->axis);
        return LB_OK;
    }
}

/* Joints have the indices they have in the file. */
static lb_status add_joints(lbio_urdf *urdf, lb_builder *builder) {
    lbio_urdf_read_initial(urdf);
    for (int i = 0; i < urdf->joint_count; ++i) {
        const lbio_urdf_joint *from = &urdf->joints[i];
        lb_joint joint;
        lb_joint_defaults(&joint);
        joint.name = from->name;
        joint.site_b = from->child;
        joint.site_a = add_joint_site(urdf, builder, from);
        if (joint.site_a == LB_ERROR_MEMORY) {
            return lbio_urdf_no_memory(urdf);
        }
        if (from->kind == LBIO_URDF_REVOLUTE || from->kind == LBIO_URDF_PRISMATIC) {
            joint.lower[0] = from->lower;
            joint.upper[0] = from->upper;
        }
        joint.velocity[0] = from->velocity;
        joint.effort[0] = from->effort;
        joint.soft_lower[0] = from->soft_lower;
        joint.soft_upper[0] = from->soft_upper;
        joint.rest[0] = from->initial;
        if (from->is_held) {
            joint.frozen = 1;
            joint.rest[0] = from->offset;
        }
        if (joint.site_a < 0 || make_type(from, &joint.type) != LB_OK || lb_builder_add_joint(builder, &joint) < 0) {
            return lbio_builder_fail(urdf->source, builder, from->line);
        }
    }
    return LB_OK;
}

static lb_status add_mimics(const lbio_urdf *urdf, lb_builder *builder) {
    for (int i = 0; i < urdf->joint_count; ++i) {
        const lbio_urdf_joint *joint = &urdf->joints[i];
        if (joint->mimicked < 0) {
            continue;
        }
        lb_drive drive;
        lb_drive_defaults(&drive);
        drive.joint = i;
        drive.source.joint = joint->mimicked;
        drive.curve.kind = LB_CURVE_LINEAR;
        drive.curve.slope = joint->multiplier;
        drive.curve.offset = joint->offset;
        if (lb_builder_add_drive(builder, &drive) < 0) {
            return lbio_builder_fail(urdf->source, builder, joint->line);
        }
    }
    return LB_OK;
}

/* Drake's <frame name link xyz rpy/> is just what a site is. */
static lb_status add_frames(const lbio_urdf *urdf, lb_builder *builder) {
    for (const lbio_xml *e = lbio_xml_child(urdf->robot, "frame"); e; e = lbio_xml_next(e, "frame")) {
        const char *name = lbio_xml_get(e, "name"), *link = lbio_xml_get(e, "link");
        int segment = link ? lbio_names_find(&urdf->link_names, link) : -1;
        if (!name || !*name || segment < 0 || lb_builder_find_site(builder, segment, name) >= 0) {
            continue;
        }
        lb_site site;
        double rpy_rad[3] = {0.0, 0.0, 0.0};
        lb_site_defaults(&site);
        site.name = name;
        site.segment = segment;
        lb_status status = lbio_urdf_numbers(urdf, e, "xyz", 3, site.frame.position, NULL);
        if (status == LB_OK) {
            status = lbio_urdf_numbers(urdf, e, "rpy", 3, rpy_rad, NULL);
        }
        if (status != LB_OK) {
            return status;
        }
        lb_rotation_from_rpy(rpy_rad, site.frame.rotation);
        if (lb_builder_add_site(builder, &site) < 0) {
            return lbio_builder_fail(urdf->source, builder, e->line);
        }
    }
    return LB_OK;
}

/* ------------------------------------------------------------------------------------------------- */

static void tell_oddities(const lbio_urdf *urdf) {
    static const struct {
        const char *what, *one, *many;
    } texts[LBIO_URDF_ODDITY_COUNT] = {
        [LBIO_URDF_NO_LIMIT] = {"joint", "has no <limit> and is taken as unlimited",
                                "have no <limit> and are taken as unlimited"},
        [LBIO_URDF_NO_BOUNDS] = {"joint",
                                 "has a <limit> without lower and upper: both are 0 by default, so it cannot move",
                                 "have a <limit> without lower and upper: both are 0 by default, so they cannot move"},
        [LBIO_URDF_ONE_BOUND] = {"joint", "lacks one of lower and upper, which is 0 by default",
                                 "lack one of lower and upper, which is 0 by default"},
        [LBIO_URDF_TWO_LIMITS] = {"joint", "has several <limit>s, of which the first counts",
                                  "have several <limit>s, of which the first counts"},
        [LBIO_URDF_CONTINUOUS_BOUNDS] = {"joint", "is continuous, so that its lower and upper are ignored",
                                         "are continuous, so that their lower and upper are ignored"},
        [LBIO_URDF_PLANAR_BOUNDS] = {"joint", "is planar or floating, so that its lower and upper are ignored",
                                     "are planar or floating, so that their lower and upper are ignored"},
        [LBIO_URDF_LONG_AXIS] = {"joint", "has an axis that is not of length 1; its direction is used",
                                 "have axes that are not of length 1; their directions are used"},
        [LBIO_URDF_MIMIC_LIMIT] = {"joint", "mimics, and its own limits, which leave the other no room, are ignored",
                                   "mimic, and their own limits, which leave the other no room, are ignored"},
        [LBIO_URDF_BAD_SHAPE] = {"link", "has a shape of no extent, which is left out",
                                 "have shapes of no extent, which are left out"},
        [LBIO_URDF_NO_MASS] = {"link", "has an <inertial> without mass and is taken as massless",
                               "have an <inertial> without mass and are taken as massless"},
    };
    for (int i = 0; i < LBIO_URDF_ODDITY_COUNT; ++i) {
        const lbio_urdf_tally *tally = &urdf->tallies[i];
        char shown[LBIO_XML_SHOWN_SIZE];
        if (tally->count == 1) {
            lbio_warn(urdf->source, tally->line, "%s \"%s\" %s", texts[i].what, lbio_xml_show(tally->first, shown),
                      texts[i].one);
        } else if (tally->count > 1) {
            lbio_warn(urdf->source, tally->line, "%d %ss (first: \"%s\") %s", tally->count, texts[i].what,
                      lbio_xml_show(tally->first, shown), texts[i].many);
        }
    }
}

static lb_status build(lbio_urdf *urdf, lb_builder *builder, lb_figure **figure) {
    const char *name = lbio_xml_get(urdf->robot, "name");
    lb_root root;
    lb_root_defaults(&root);
    root.segment = urdf->root;
    lb_status status = add_links(urdf, builder);
    if (status == LB_OK) {
        status = add_joints(urdf, builder);
    }
    if (status == LB_OK) {
        status = add_frames(urdf, builder);
    }
    if (status == LB_OK) {
        status = add_mimics(urdf, builder);
    }
    if (status != LB_OK) {
        return status;
    }
    if (lb_builder_set_name(builder, name && *name ? name : "robot") != LB_OK ||
        lb_builder_set_root(builder, &root) != LB_OK || lb_builder_finish(builder, figure) != LB_OK) {
        return lbio_builder_fail(urdf->source, builder, 0);
    }
    tell_oddities(urdf);
    lbio_urdf_tell_meshes(urdf);
    return LB_OK;
}

lb_status lbio_read_urdf(const lbio_source *source, const char *folder, lb_figure **figure) {
    lbio_xml *robot;
    lbio_urdf urdf = {.source = source, .folder = folder, .has_collisions = -1, .material_count = -1};
    *figure = NULL;
    lb_status status = lbio_xml_parse(source, &urdf.document, &robot);
    if (status != LB_OK) {
        return status;
    }
    urdf.robot = robot;
    urdf.link_names.allocator = urdf.joint_names.allocator = source->options->allocator;
    status = lbio_urdf_parse(&urdf);
    if (status == LB_OK) {
        status = lbio_urdf_connect(&urdf);
    }
    if (status == LB_OK) {
        lb_builder *builder = lb_builder_create(source->options->allocator, NULL);
        status = builder ? build(&urdf, builder, figure) : lbio_urdf_no_memory(&urdf);
        lb_builder_destroy(builder);
    }
    lbio_names_free(&urdf.link_names);
    lbio_names_free(&urdf.joint_names);
    lbio_xml_free(urdf.document);
    return status;
}
