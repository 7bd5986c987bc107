/* A figure from the nodes of a glTF file. Every joint's frame lies along Limber's world at rest (x ahead, y left, z
 * up), whatever roll the file's bones have, so that equal values mean equal turns on any character. */
#include "io/gltf/gltf.h"
#include "math/trig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int lbio_gltf_segment_above(const lbio_gltf *gltf, int node) {
    for (node = gltf->nodes[node].parent; node >= 0 && !gltf->nodes[node].is_segment;) {
        node = gltf->nodes[node].parent;
    }
    return node;
}

/* ---------------------------------------------------------------------------------------------------
 * Joints
 * ------------------------------------------------------------------------------------------------- */

void lbio_gltf_joint_values(const lb_joint *joint, const double shift[3], const double turn[4], double *values) {
    int dof = 0;
    for (int e = 0; e < joint->type.element_count; e++) {
        switch (joint->type.elements[e].kind) {
        case LB_ELEMENT_TRANSLATE: /* along x, y, z in this order */
            values[dof] = shift[dof];
            dof++;
            break;
        case LB_ELEMENT_SWING_TWIST:
            lbio_rotation_swing_twist(turn, values + dof);
            dof += 3;
            break;
        default:
            lbio_rotation_log(turn, values + dof);
            dof += 3;
            break;
        }
    }
}

/* The figure being made. */
typedef struct maker {
    lbio_gltf *gltf;
    lb_builder *builder;
    int world;          /* its segment */
    double to_world[4]; /* file to Limber */
    int has_limits;
    unsigned char has[LBIO_PART_COUNT];
    int holder[LBIO_PART_COUNT];
    int trunk_bones;        /* of the spine, with those between that have no name */
    unsigned char *between; /* [nodes] segments between two bones of the body: 1 in the trunk, 2 in a limb */
    double body[4];         /* the body's axes in the world at rest */
} maker;

static lb_status builder_failed(const maker *m) { return lbio_builder_fail(m->gltf->source, m->builder, 0); }

/* A node's frame at rest, in Limber's world. */
static void rest_frame(const maker *m, int node, lb_frame *frame) {
    lb_frame turn = {{0, 0, 0}, {0, 0, 0, 1}};
    memcpy(turn.rotation, m->to_world, sizeof turn.rotation);
    if (node < 0) {
        lb_frame_identity(frame);
    } else {
        lb_frame_multiply(&turn, &m->gltf->rest[node].frame, frame);
    }
}

static int add_site(const maker *m, int segment, const char *name, const lb_frame *frame) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame = *frame;
    return lb_builder_add_site(m->builder, &site);
}

/* A thin bone from the segment's origin to `tip`, thicker at its beginning; nothing where it would have no length. */
static int add_bone(const maker *m, int segment, const double tip[3]) {
    double length = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
    if (!(length > 1e-6 && length > 1e-6 * m->gltf->size && length < 1e100)) {
        return 0;
    }
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = LB_SHAPE_CAPSULE;
    shape.segment = segment;
    shape.size[0] = fmin(0.08 * length, 0.015 * m->gltf->size);
    shape.size[1] = length / 2;
    shape.size[2] = shape.size[0] / 2;
    double half[4] = {-tip[1] / length, tip[0] / length, 0,
                      1 + tip[2] / length}; /* the least turn from z to the bone */
    double size = sqrt(half[0] * half[0] + half[1] * half[1] + half[3] * half[3]);
    for (int i = 0; i < 4; i++) {
        shape.frame.rotation[i] = size > 1e-6 ? half[i] / size : i == 0;
    }
    for (int i = 0; i < 3; i++) {
        shape.frame.position[i] = tip[i] / 2;
    }
    return lb_builder_add_shape(m->builder, &shape);
}

/* A small ball where a chain ends. */
static int add_end(const maker *m, int segment) {
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = LB_SHAPE_SPHERE;
    shape.segment = segment;
    shape.size[0] = 0.01 * (m->gltf->size > 0 ? m->gltf->size : 1);
    return lb_builder_add_shape(m->builder, &shape);
}

/* ---------------------------------------------------------------------------------------------------
 * The body
 * ------------------------------------------------------------------------------------------------- */

static int direction_between(const maker *m, int from, int to, double direction[3]) {
    lb_frame a, b;
    rest_frame(m, from, &a);
    rest_frame(m, to, &b);
    double length = 0;
    for (int i = 0; i < 3; i++) {
        direction[i] = b.position[i] - a.position[i];
        length += direction[i] * direction[i];
    }
    for (int i = 0; i < 3; i++) {
        direction[i] /= sqrt(length);
    }
    return length > 1e-18 * (1 + m->gltf->size * m->gltf->size);
}

/* The body's axes, from the hips; and whether it is a person who stands upright. */
static int find_body(maker *m) {
    const int *holder = m->holder;
    int top = holder[LBIO_HEAD] >= 0 ? holder[LBIO_HEAD] : holder[LBIO_NECK];
    double up[3], left[3];
    if (holder[LBIO_PELVIS] < 0 || top < 0 || holder[LBIO_THIGH] < 0 || holder[LBIO_THIGH + 1] < 0 ||
        !direction_between(m, holder[LBIO_PELVIS], top, up) || up[2] < 0.7 ||
        !direction_between(m, holder[LBIO_THIGH + 1], holder[LBIO_THIGH], left) || fabs(left[2]) > 0.7) {
        return 0;
    }
    static const double z[3] = {0, 0, 1};
    return lb_rotation_about(z, lbm_atan2(-left[0], left[1]), m->body) == LB_OK;
}

/* The anatomical frame of a bone at rest, in the world: turned so that the bone, once it points where it does on a body
 * that stands with hanging arms, has the body's axes. */
static void anatomical(const maker *m, int node, double rotation[4]) {
    int part = node < 0 ? -1 : m->gltf->nodes[node].part;
    double wanted[3], is[3], turn[4];
    memcpy(rotation, m->body, 4 * sizeof *rotation);
    if (part < 0 && node >= 0) { /* between bones: as the one above */
        anatomical(m, lbio_gltf_segment_above(m->gltf, node), rotation);
        return;
    }
    if (part < 0 || !lbio_part_direction(part, wanted)) {
        return;
    }
    int next = lbio_part_next(part, m->has), from = node;
    if (next < 0) { /* the last bone of a chain goes on as the one before */
        from = lbio_gltf_segment_above(m->gltf, node);
        next = part;
    }
    if (from < 0 || !direction_between(m, from, m->holder[next], is)) {
        return;
    }
    lbio_rotation_apply(m->body, wanted, wanted);
    lbio_rotation_least(wanted, is, turn);
    lb_rotation_multiply(turn, m->body, rotation);
}

/* ---------------------------------------------------------------------------------------------------
 * Parts of the figure
 * ------------------------------------------------------------------------------------------------- */

static void add_element(lb_joint_type *type, lb_element_kind kind, int axis) {
    lb_element *element = &type->elements[type->element_count++];
    memset(element, 0, sizeof *element);
    element->kind = kind;
    if (axis >= 0) {
        element->axis[axis] = 1;
    }
}

/* What a node's joint may do; 0: anything. */
static int find_limits(const maker *m, int node, lbio_part_limits *limits) {
    int part = m->gltf->nodes[node].part, between = m->between[node];
    if (part >= 0) {
        return lbio_part_limits_of(part, m->has, m->trunk_bones, limits);
    }
    if (between) {
        lbio_between_limits(between == 1 ? m->trunk_bones : 0, limits);
    }
    return between;
}

/* The joint's type and limits; `a` and `b` are its frames in the world at rest. */
static void shape_joint(const maker *m, int node, lb_joint *joint, double a[4], double b[4], lbio_part_limits *limits) {
    const lbio_gltf_node *n = &m->gltf->nodes[node];
    for (int i = 0; i < 3 && n->is_floating; i++) {
        add_element(&joint->type, LB_ELEMENT_TRANSLATE, i);
        joint->rigidity[i] = n->is_held ? 1 : 0;
    }
    for (int i = 0; i < 4; i++) {
        a[i] = b[i] = i == 3;
    }
    if (n->is_fixed) {
        return;
    }
    if (!m->has_limits || !find_limits(m, node, limits)) {
        add_element(&joint->type, LB_ELEMENT_ROTATION, -1);
        return;
    }
    double back[4], turn[4], rest[3];
    add_element(&joint->type, LB_ELEMENT_SWING_TWIST, 2);
    anatomical(m, lbio_gltf_segment_above(m->gltf, node), a);
    lb_rotation_multiply(a, limits->zero, a);
    anatomical(m, node, b);
    lbio_rotation_conjugate(a, back);
    lb_rotation_multiply(back, b, turn);
    lbio_rotation_swing_twist(turn, rest);
    lbio_swing_include(limits, rest[0], rest[1]); /* the character as it came is inside its limits */
    limits->twist[0] = fmin(limits->twist[0], rest[2]);
    limits->twist[1] = fmax(limits->twist[1], rest[2]);
    int first = n->is_floating ? 3 : 0;
    memcpy(joint->rest + first, rest, sizeof rest);
    joint->swing_count = limits->swing_count;
    joint->swing = (const double(*)[2])limits->swing;
    joint->lower[first + 2] = limits->twist[0];
    joint->upper[first + 2] = limits->twist[1];
}

static int add_connection(const maker *m, int node, int parent_segment) {
    lbio_gltf *gltf = m->gltf;
    const lbio_gltf_node *n = &gltf->nodes[node];
    lb_joint joint;
    lbio_part_limits limits;
    double a[4], b[4];
    lb_frame above, own, inverse, site_a, site_b;
    int is_bone = lbio_gltf_segment_above(gltf, node) >= 0;
    lb_joint_defaults(&joint);
    joint.name = n->name;
    shape_joint(m, node, &joint, a, b, &limits);
    rest_frame(m, lbio_gltf_segment_above(gltf, node), &above);
    rest_frame(m, node, &own);
    memcpy(site_a.position, own.position, sizeof site_a.position);
    memcpy(site_a.rotation, a, sizeof a);
    if (n->is_floating && !is_bone) { /* what floats in the world says where it is, and not how far it came */
        double back[4];
        memset(site_a.position, 0, sizeof site_a.position);
        lbio_rotation_conjugate(a, back);
        lbio_rotation_apply(back, own.position, joint.rest);
    }
    memcpy(site_b.position, own.position, sizeof site_b.position);
    memcpy(site_b.rotation, b, sizeof b);
    lb_frame_invert(&above, &inverse);
    lb_frame_multiply(&inverse, &site_a, &site_a);
    lb_frame_invert(&own, &inverse);
    lb_frame_multiply(&inverse, &site_b, &site_b);
    memset(site_b.position, 0, sizeof site_b.position);
    char *name = lbio_gltf_new(gltf, strlen(n->name) + 8, 1); /* apart from sites that are called base or as a node */
    if (!name) {
        return LB_ERROR_MEMORY;
    }
    sprintf(name, "%s_joint", n->name);
    joint.site_a = add_site(m, parent_segment, name, &site_a);
    joint.site_b = joint.site_a < 0 ? joint.site_a : add_site(m, n->segment, "base", &site_b);
    int added = joint.site_b < 0 ? joint.site_b : lb_builder_add_joint(m->builder, &joint);
    /* A bone from the ground to hips, or to targets of feet, would lead nowhere once these have moved. */
    int is_led = is_bone && (!n->is_floating || n->is_held);
    return added < 0 || !is_led ? added : add_bone(m, parent_segment, site_a.position);
}

static lb_status add_segment(const maker *m, int node) {
    lbio_gltf_node *n = &m->gltf->nodes[node];
    int above = lbio_gltf_segment_above(m->gltf, node);
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = n->name;
    n->segment = lb_builder_add_segment(m->builder, &segment);
    int added = n->segment;
    if (added >= 0) {
        added = add_connection(m, node, above < 0 ? m->world : m->gltf->nodes[above].segment);
    }
    return added < 0 ? builder_failed(m) : LB_OK;
}

/* A node that ends a bone becomes a site of the node above it, which is a segment, with a bone that leads there. */
static lb_status add_end_site(const maker *m, int above, int node) {
    lbio_gltf *gltf = m->gltf;
    const char *own = gltf->nodes[node].name;
    size_t length = strlen(own);
    lb_frame frame, inverse;
    lb_frame_invert(&gltf->rest[above].frame, &inverse);
    lb_frame_multiply(&inverse, &gltf->rest[node].frame, &frame);
    char *name = lbio_gltf_new(gltf, length + 8, 1);
    if (!name) {
        return lbio_gltf_no_memory(gltf);
    }
    int is_taken = strcmp(own, "base") == 0 || (length > 6 && strcmp(own + length - 6, "_joint") == 0);
    sprintf(name, "%s%s", own, is_taken ? "_end" : "");
    int added = add_site(m, gltf->nodes[above].segment, name, &frame);
    added = added < 0 ? added : add_bone(m, gltf->nodes[above].segment, frame.position);
    return added < 0 ? builder_failed(m) : LB_OK;
}

/* Ends of bones: nodes that carry nothing and show nothing, below a segment, are sites of it. */
static lb_status add_ends(const maker *m) {
    lbio_gltf *gltf = m->gltf;
    char *carries = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, 1); /* 1: any node, 2: a segment or an end */
    if (!carries) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = 0; i < gltf->node_count; i++) {
        if (gltf->nodes[i].parent >= 0) {
            carries[gltf->nodes[i].parent] |= 1;
        }
    }
    for (int i = 0; i < gltf->node_count; i++) {
        const lbio_gltf_node *n = &gltf->nodes[i];
        int above = lbio_gltf_segment_above(gltf, i);
        if (above >= 0 && n->is_segment) {
            carries[above] |= 2;
        }
        if (above < 0 || n->is_segment || n->has_mesh || (carries[i] & 1)) {
            continue;
        }
        lb_status status = add_end_site(m, above, i);
        if (status) {
            return status;
        }
        carries[above] |= 2;
    }
    for (int i = 0; i < gltf->node_count; i++) {
        if (gltf->nodes[i].is_segment && !(carries[i] & 2) && add_end(m, gltf->nodes[i].segment) < 0) {
            return builder_failed(m);
        }
    }
    return LB_OK;
}

/* A humanoid's own map of its bones, where their names do not tell it: a site on each says which part it is. */
static lb_status add_part_sites(const maker *m) {
    lb_frame frame;
    lb_frame_identity(&frame);
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        char name[64];
        if (m->holder[part] < 0) {
            continue;
        }
        snprintf(name, sizeof name, "%s%s", LBIO_PART_SITE, lbio_part_name(part));
        if (add_site(m, m->gltf->nodes[m->holder[part]].segment, name, &frame) < 0) {
            return builder_failed(m);
        }
    }
    return LB_OK;
}

/* The figure's name: the file's, without folder and ending. */
static lb_status set_name(const maker *m) {
    char name[128];
    const char *start = strrchr(m->gltf->source->name, '/');
    start = start ? start + 1 : m->gltf->source->name;
    const char *dot = strrchr(start, '.');
    int length = dot && dot > start ? (int)(dot - start) : (int)strlen(start);
    while (length > 100 && ((unsigned char)start[length] & 0xC0) == 0x80) {
        length--;
    }
    snprintf(name, sizeof name, "%.*s", length < 120 ? length : 100, start);
    return lb_builder_set_name(m->builder, name[0] && name[0] != '<' ? name : "character");
}

static lb_status add_parts(maker *m) {
    lb_segment world;
    lb_root root;
    lb_segment_defaults(&world);
    lb_root_defaults(&root);
    world.name = lbio_names_unique(&m->gltf->names, "world", -1);
    if (!world.name) {
        return lbio_gltf_no_memory(m->gltf);
    }
    m->world = root.segment = lb_builder_add_segment(m->builder, &world);
    root.site = -1;
    if (root.segment < 0 || set_name(m) != LB_OK || lb_builder_set_root(m->builder, &root) != LB_OK) {
        return builder_failed(m);
    }
    for (int k = 0; k < m->gltf->node_count; k++) {
        int node = m->gltf->order[k];
        lb_status status = m->gltf->nodes[node].is_segment ? add_segment(m, node) : LB_OK;
        if (status != LB_OK) {
            return status;
        }
    }
    lb_status status = add_ends(m);
    return status || !m->gltf->has_own_parts ? status : add_part_sites(m);
}

/* Segments that are no bone of the body but lie between two: twist bones, further vertebrae. */
static void mark_between(maker *m) {
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        int is_trunk = part >= LBIO_SPINE_1 && part <= LBIO_HEAD;
        int top = m->holder[part] < 0 ? -1 : lbio_gltf_segment_above(m->gltf, m->holder[part]);
        while (top >= 0 && m->gltf->nodes[top].part < 0) {
            top = lbio_gltf_segment_above(m->gltf, top);
        }
        for (int at = m->holder[part]; top >= 0 && at != top; at = lbio_gltf_segment_above(m->gltf, at)) {
            if (m->gltf->nodes[at].part < 0 && !m->between[at]) {
                m->between[at] = is_trunk ? 1 : 2;
                m->trunk_bones += is_trunk;
            }
        }
        m->trunk_bones += part >= LBIO_SPINE_1 && part <= LBIO_SPINE_5 && m->has[part];
    }
}

static void find_human(maker *m) {
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        m->holder[part] = -1;
    }
    for (int i = 0; i < m->gltf->node_count; i++) {
        int part = m->gltf->nodes[i].part;
        if (m->gltf->nodes[i].is_segment && part >= 0) {
            m->has[part] = 1;
            m->holder[part] = i;
        }
    }
    mark_between(m);
    m->has_limits = m->gltf->source->options->anatomical_limits != 0;
    if (m->has_limits && !find_body(m)) {
        m->has_limits = 0;
        lbio_warn(m->gltf->source, 0,
                  "no person who stands upright was recognised by the names of the bones, so there are no limits");
    }
}

lb_status lbio_gltf_build(lbio_gltf *gltf, lb_figure **figure) {
    maker m;
    memset(&m, 0, sizeof m);
    m.gltf = gltf;
    m.builder = lb_builder_create(gltf->source->options->allocator, NULL);
    if (!m.builder) {
        return lbio_gltf_no_memory(gltf);
    }
    m.between = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, 1);
    lb_status status = m.between ? LB_OK : lbio_gltf_no_memory(gltf);
    if (status == LB_OK) {
        lbio_gltf_to_world(gltf, m.to_world);
        find_human(&m);
        status = add_parts(&m);
    }
    if (status == LB_OK && lb_builder_finish(m.builder, figure) != LB_OK) {
        status = builder_failed(&m);
    }
    lb_builder_destroy(m.builder);
    return status;
}

/* A clip where it is asked for and there is one. */
static lb_status read_clip(lbio_gltf *gltf, const lb_figure *figure, lb_clip **clip) {
    const char *wanted = gltf->source->options->animation;
    int has_any = json_array_size(json_object_get(gltf->json, "animations")) > 0;
    return clip && (has_any || (wanted && *wanted)) ? lbio_gltf_read_clip(gltf, figure, clip) : LB_OK;
}

lb_status lbio_read_gltf(const lbio_source *source, const char *folder, lb_figure **figure, lb_clip **clip) {
    lbio_gltf gltf;
    lb_status status = lbio_gltf_open(&gltf, source, folder);
    status = status ? status : lbio_gltf_read_nodes(&gltf);
    if (status == LB_OK) {
        lbio_gltf_find_unit(&gltf);
    }
    status = status ? status : lbio_gltf_build(&gltf, figure);
    status = status ? status : read_clip(&gltf, *figure, clip);
    lbio_gltf_close(&gltf);
    return status;
}
