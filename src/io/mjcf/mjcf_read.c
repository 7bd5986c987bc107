/*
 * MJCF, MuJoCo's own format, as a figure: the kinematics of it. docs/mjcf.md says what becomes of what.
 *
 * MuJoCo places a body with joints 1 ... n at parent * frame * J1 * ... * Jn, where a hinge is T(anchor) R(axis, q -
 * ref) T(-anchor) and a slide T(axis (q - ref)). Each joint becomes one of the figure, between massless segments that
 * follow one another; its sites lie at the anchor, and the one of the parent side is turned (or shifted) back by ref,
 * so that the figure's variable is MuJoCo's q.
 */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CONE_SIDES 32
#define PI 3.14159265358979323846

/* ---------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------- */

/* A name for what has none, made of parts (third may be ""); never one that the file gives to something else. */
static const char *make_name(lbio_mjcf *m, lbio_names *names, const char *first, const char *second,
                             const char *third) {
    size_t size = strlen(first) + strlen(second) + strlen(third) + 1;
    char *text = lbio_resize(m->allocator, NULL, 0, size);
    if (!text) {
        return NULL;
    }
    snprintf(text, size, "%s%s%s", first, second, third);
    const char *name = lbio_names_unique(names, text, 0);
    lbio_resize(m->allocator, text, size, 0);
    return name;
}

static const char *make_numbered(lbio_names *names, const char *word, int number) {
    char text[32];
    snprintf(text, sizeof text, "%s%d", word, number);
    return lbio_names_unique(names, text, number);
}

static lb_status name_parts(lbio_mjcf *m) {
    if (lbio_names_find(&m->body_names, "world") >= 0) {
        const lbio_mjcf_body *body = &m->bodies[lbio_names_find(&m->body_names, "world")];
        return lbio_mjcf_fail(m, body->element, LB_ERROR_NAME,
                              "\"world\" is the name of <worldbody>; rename this body");
    }
    m->bodies[0].name = lbio_names_add(&m->body_names, "world", 0);
    int failed = !m->bodies[0].name;
    for (int i = 1; i < m->body_count && !failed; i++) {
        lbio_mjcf_body *body = &m->bodies[i];
        body->name = body->name ? body->name : make_numbered(&m->body_names, "body", i);
        failed = !body->name;
    }
    for (int i = 0; i < m->joint_count && !failed; i++) {
        lbio_mjcf_joint *joint = &m->joints[i];
        joint->name =
            joint->name ? joint->name : make_name(m, &m->joint_names, m->bodies[joint->body].name, "_joint", "");
        failed = !joint->name;
    }
    for (int i = 0; i < m->site_count && !failed; i++) {
        lbio_mjcf_site *site = &m->sites[i];
        site->name = site->name ? site->name : make_numbered(&m->site_names, "site", i + 1);
        failed = !site->name;
    }
    return failed ? lbio_mjcf_no_memory(m, NULL) : LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * Masses
 * ------------------------------------------------------------------------------------------------- */

static void weigh_body(const lbio_mjcf *m, lbio_mjcf_body *body) {
    int from_geom = body->weighs_geoms < 0 ? !body->has_inertial : body->weighs_geoms;
    if (from_geom) {
        body->mass = body->geom_mass;
        for (int i = 0; i < 3; i++) {
            body->com[i] = body->geom_mass > 0 ? body->geom_sum[i] / body->geom_mass : 0;
        }
    }
    body->has_unknown_mass = from_geom && body->has_unknown_mass;
    if (body->mass < m->bound_mass) {
        body->mass = m->bound_mass;
    }
}

/* The masses as MuJoCo's compiler has them; the world has none. */
static void weigh_bodies(lbio_mjcf *m) {
    double sum = 0;
    int unknown = 0;
    for (int i = 1; i < m->body_count; i++) {
        weigh_body(m, &m->bodies[i]);
        sum += m->bodies[i].mass;
        unknown += m->bodies[i].has_unknown_mass;
    }
    for (int i = 1; i < m->body_count && m->total_mass > 0 && sum > 0; i++) {
        m->bodies[i].mass *= m->total_mass / sum;
    }
    if (unknown) {
        lbio_mjcf_warn(m, NULL, "%d bod%s mass from meshes, which are not read: it counts as 0", unknown,
                       unknown == 1 ? "y has its" : "ies have their");
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Building
 * ------------------------------------------------------------------------------------------------- */

static int add_segment(lb_builder *builder, const char *name, double mass, const double com[3]) {
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = name;
    segment.mass = mass;
    memcpy(segment.com, com, sizeof segment.com);
    return lb_builder_add_segment(builder, &segment);
}

/* A site by this name, or with a number behind it where the segment has one of the name. */
static int add_site(lb_builder *builder, int segment, const char *name, const lb_frame *frame) {
    char numbered[300];
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame = *frame;
    for (int number = 2; lb_builder_find_site(builder, segment, site.name) >= 0; number++) {
        snprintf(numbered, sizeof numbered, "%.280s_%d", name, number);
        site.name = numbered;
    }
    return lb_builder_add_site(builder, &site);
}

static void set_one_dof(lb_joint *joint, lb_element_kind kind, const lbio_mjcf_joint *from) {
    joint->type.element_count = 1;
    joint->type.elements[0].kind = kind;
    memcpy(joint->type.elements[0].axis, from->axis, sizeof from->axis);
    joint->rest[0] = from->ref;
    if (from->is_limited) {
        joint->lower[0] = from->lower;
        joint->upper[0] = from->upper;
    }
    if (from->is_frozen) {
        joint->frozen = 1;
        joint->rest[0] = from->frozen_at;
        joint->lower[0] = fmin(joint->lower[0], from->frozen_at);
        joint->upper[0] = fmax(joint->upper[0], from->frozen_at);
    }
}

/* MuJoCo limits the whole angle of a ball's rotation. Swing and twist are each at most that angle, so a cone and a
 * range of it hold all that MuJoCo allows (but for the polygon's cut corners), and some more. */
static void set_ball(lb_joint *joint, const lbio_mjcf_joint *from, double cone[CONE_SIDES][2]) {
    joint->type.element_count = 1;
    joint->type.elements[0] = (lb_element){LB_ELEMENT_SWING_TWIST, {0, 0, 1}};
    if (from && from->is_limited && from->upper < PI) {
        lb_swing_cone(from->upper, CONE_SIDES, cone);
        joint->swing = (const double(*)[2])cone;
        joint->swing_count = CONE_SIDES;
        joint->lower[2] = -from->upper;
        joint->upper[2] = from->upper;
    }
}

/* The rotation vector of a quaternion, at most half a turn long. The angle is the yaw of the turn about z by as
 * much. */
static void rotation_vector(const double rotation[4], double v[3]) {
    double sign = rotation[3] < 0 ? -1 : 1;
    double sine = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]), rpy[3];
    double about_z[4] = {0, 0, sine, sign * rotation[3]};
    lb_rotation_to_rpy(about_z, rpy);
    for (int i = 0; i < 3; i++) {
        v[i] = sine > 0 ? sign * rotation[i] / sine * fabs(rpy[2]) : 0;
    }
}

/* Three translations and a rotation from the world: the values are MuJoCo's position and the logarithm of its
 * quaternion. */
static lb_status set_free(lb_joint *joint, const lbio_mjcf_body *body) {
    lb_status status = lb_joint_type_parse("floating", &joint->type, NULL);
    memcpy(joint->rest, body->frame.position, sizeof body->frame.position);
    rotation_vector(body->frame.rotation, joint->rest + 3);
    return status;
}

/* The frames of a joint's two sites: at its anchor, with ref taken back on the first side. */
static void place_joint(const lbio_mjcf_joint *joint, const lb_frame *before, lb_frame *a, lb_frame *b) {
    lb_frame_identity(a);
    lb_frame_identity(b);
    if (joint->type == LBIO_MJCF_FREE) {
        return;
    }
    if (joint->type == LBIO_MJCF_SLIDE) {
        for (int i = 0; i < 3; i++) {
            a->position[i] = joint->ref == 0 ? 0 : -joint->axis[i] * joint->ref;
        }
    } else {
        memcpy(a->position, joint->anchor, sizeof a->position);
        memcpy(b->position, joint->anchor, sizeof b->position);
        if (joint->ref != 0) {
            lb_rotation_about(joint->axis, -joint->ref, a->rotation);
        }
    }
    lb_frame_multiply(before, a, a);
}

static int add_joint(lb_builder *builder, lbio_mjcf_joint *from, const lbio_mjcf_body *body, int parent, int child,
                     const lb_frame *before) {
    lb_joint joint;
    lb_frame a, b;
    double cone[CONE_SIDES][2];
    lb_joint_defaults(&joint);
    joint.name = from->name;
    if (from->type == LBIO_MJCF_FREE) {
        set_free(&joint, body);
    } else if (from->type == LBIO_MJCF_BALL) {
        set_ball(&joint, from, cone);
    } else {
        set_one_dof(&joint, from->type == LBIO_MJCF_HINGE ? LB_ELEMENT_ROTATE : LB_ELEMENT_TRANSLATE, from);
    }
    place_joint(from, before, &a, &b);
    joint.site_a = add_site(builder, parent, from->name, &a);
    joint.site_b = joint.site_a < 0 ? joint.site_a : add_site(builder, child, "base", &b);
    from->index = joint.site_b < 0 ? joint.site_b : lb_builder_add_joint(builder, &joint);
    return from->index;
}

static int add_fixed(lbio_mjcf *m, lb_builder *builder, const lbio_mjcf_body *body) {
    lb_joint joint;
    lb_frame own;
    lb_frame_identity(&own);
    lb_joint_defaults(&joint);
    joint.name = make_name(m, &m->joint_names, body->name, "_fixed", "");
    if (!joint.name) {
        return LB_ERROR_MEMORY;
    }
    joint.site_a = add_site(builder, m->bodies[body->parent].segment, joint.name, &body->frame);
    joint.site_b = joint.site_a < 0 ? joint.site_a : add_site(builder, body->segment, "base", &own);
    return joint.site_b < 0 ? joint.site_b : lb_builder_add_joint(builder, &joint);
}

/* A body's joints, with a massless segment between each two of them: "body/joint" is where that joint leads. */
static int add_joints(lbio_mjcf *m, lb_builder *builder, const lbio_mjcf_body *body) {
    static const double none[3] = {0, 0, 0};
    lb_frame own;
    lb_frame_identity(&own);
    if (body->joint_count == 0) {
        return add_fixed(m, builder, body);
    }
    int parent = m->bodies[body->parent].segment, added = 0;
    for (int i = 0; i < body->joint_count && added >= 0; i++) {
        lbio_mjcf_joint *joint = &m->joints[body->first_joint + i];
        int child = body->segment;
        if (i + 1 < body->joint_count) {
            const char *name = make_name(m, &m->body_names, body->name, "/", joint->name);
            child = name ? add_segment(builder, name, 0, none) : LB_ERROR_MEMORY;
        }
        added = child < 0 ? child : add_joint(builder, joint, body, parent, child, i == 0 ? &body->frame : &own);
        parent = child;
    }
    return added;
}

static int add_closure(lbio_mjcf *m, lb_builder *builder, const lbio_mjcf_closure *closure) {
    const lbio_mjcf_body *a = &m->bodies[closure->body_a], *b = &m->bodies[closure->body_b];
    const char *name = closure->name;
    double cone[CONE_SIDES][2];
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = name && *name ? make_name(m, &m->joint_names, name, "", "")
                               : make_name(m, &m->joint_names, a->name, closure->is_weld ? "_weld" : "_connect", "");
    if (!joint.name) {
        return LB_ERROR_MEMORY;
    }
    if (!closure->is_weld) {
        set_ball(&joint, NULL, cone);
    }
    joint.site_a = add_site(builder, a->segment, joint.name, &closure->frame_a);
    joint.site_b = joint.site_a < 0 ? joint.site_a : add_site(builder, b->segment, joint.name, &closure->frame_b);
    return joint.site_b < 0 ? joint.site_b : lb_builder_add_joint(builder, &joint);
}

/* Where meshes are drawn as they are, what stands in for them in collisions is not drawn over them: in a body that
 * shows something of the groups that MuJoCo's viewer shows, those of the others are not seen. */
static void hide_backstage(lbio_mjcf *m) {
    for (int i = 0; i < m->shape_count; i++) {
        lbio_mjcf_shape *shape = &m->shapes[i];
        if (!shape->is_backstage && shape->shape.use != LB_SHAPE_USE_SOLID) {
            m->bodies[shape->shape.segment].shows_more = 1;
        }
    }
    for (int i = 0; i < m->shape_count; i++) {
        lbio_mjcf_shape *shape = &m->shapes[i];
        shape->is_backstage &= m->source->options->meshes > 1 && m->bodies[shape->shape.segment].shows_more;
        if (shape->is_backstage && shape->shape.use == LB_SHAPE_USE_BOTH) {
            shape->shape.use = LB_SHAPE_USE_SOLID;
        }
    }
}

/* The element of the shape that could not be added; NULL: all were. */
static const lbio_xml *add_shapes(lbio_mjcf *m, lb_builder *builder) {
    hide_backstage(m);
    for (int i = 0; i < m->shape_count; i++) {
        lb_shape shape = m->shapes[i].shape;
        if (m->shapes[i].is_backstage && shape.use == LB_SHAPE_USE_DRAWN) {
            continue;
        }
        shape.segment = m->bodies[shape.segment].segment;
        if (lb_builder_add_shape(builder, &shape) < 0) {
            return m->shapes[i].element;
        }
    }
    return NULL;
}

static lb_status add_parts(lbio_mjcf *m, lb_builder *builder) {
    const lbio_xml *root = m->files[0].root, *failed = NULL;
    const char *model = lbio_xml_get(root, "model");
    if (lb_builder_set_name(builder, model && *model ? model : "mujoco") != LB_OK) {
        return lbio_builder_fail(m->source, builder, root->line);
    }
    for (int i = 0; i < m->body_count && !failed; i++) {
        lbio_mjcf_body *body = &m->bodies[i];
        body->segment = add_segment(builder, body->name, body->mass, body->com);
        failed = body->segment < 0 ? body->element : NULL;
    }
    /* The file's own sites before those of joints, which give way where the names are the same. */
    for (int i = 0; i < m->site_count && !failed; i++) {
        lbio_mjcf_site *site = &m->sites[i];
        site->index = add_site(builder, m->bodies[site->body].segment, site->name, &site->frame);
        failed = site->index < 0 ? site->element : NULL;
    }
    for (int i = 1; i < m->body_count && !failed; i++) {
        failed = add_joints(m, builder, &m->bodies[i]) < 0 ? m->bodies[i].element : NULL;
    }
    failed = failed ? failed : add_shapes(m, builder);
    for (int i = 0; i < m->closure_count && !failed; i++) {
        failed = add_closure(m, builder, &m->closures[i]) < 0 ? m->closures[i].element : NULL;
    }
    return failed ? lbio_builder_fail(lbio_mjcf_source(m, failed), builder, failed->line)
                  : lbio_mjcf_add_couplings(m, builder);
}

static lb_status build(lbio_mjcf *m, lb_figure **figure) {
    lb_builder *builder = lb_builder_create(m->allocator, NULL);
    lb_status status = builder ? add_parts(m, builder) : lbio_mjcf_no_memory(m, NULL);
    if (status == LB_OK && lb_builder_finish(builder, figure) != LB_OK) {
        status = lbio_builder_fail(m->source, builder, 0);
    }
    lb_builder_destroy(builder);
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * The reader
 * ------------------------------------------------------------------------------------------------- */

static void free_model(lbio_mjcf *m) {
    lbio_release(m->allocator, m->bodies, m->body_capacity, sizeof *m->bodies);
    lbio_release(m->allocator, m->joints, m->joint_capacity, sizeof *m->joints);
    lbio_release(m->allocator, m->sites, m->site_capacity, sizeof *m->sites);
    for (int i = 0; i < m->shape_count; i++) {
        lbio_mesh_release(&m->shapes[i].shape);
    }
    lbio_release(m->allocator, m->shapes, m->shape_capacity, sizeof *m->shapes);
    lbio_release(m->allocator, m->couplings, m->coupling_capacity, sizeof *m->couplings);
    lbio_release(m->allocator, m->closures, m->closure_capacity, sizeof *m->closures);
    lbio_mjcf_free_models(m);
    lbio_names_free(&m->body_names);
    lbio_names_free(&m->joint_names);
    lbio_names_free(&m->site_names);
    lbio_mjcf_close(m);
}

lb_status lbio_read_mjcf(const lbio_source *source, const char *folder, lb_figure **figure) {
    lbio_mjcf model;
    memset(&model, 0, sizeof model);
    model.source = source;
    model.folder = folder;
    model.allocator = source->options->allocator;
    model.body_names.allocator = model.joint_names.allocator = model.site_names.allocator = model.allocator;
    lb_status status = lbio_mjcf_open(&model);
    model.total_mass = -1;
    if (status == LB_OK) {
        status = lbio_mjcf_read_models(&model);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_read_bodies(&model);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_read_equalities(&model);
    }
    if (status == LB_OK) {
        status = name_parts(&model);
    }
    if (status == LB_OK) {
        weigh_bodies(&model);
        status = build(&model, figure);
    }
    if (status == LB_OK) {
        lbio_mjcf_tell_meshes(&model);
    }
    free_model(&model);
    return status;
}
