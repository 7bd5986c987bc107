/* The figure of a person anew: joints in anatomical axes with a human's limits, masses where there are none, places to
 * reach and look with; and its body. */
#include "io/person/person.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rotation.h"

/* The figure that is made. */
typedef struct maker {
    lbio_person *p;
    lb_builder *builder;
    int *numbers; /* [joints] of joints in the new figure */
} maker;

/* --- Masses ---------------------------------------------------------------------------------------------- */

/* P. de Leva, J. Biomechanics 29(9), 1996, men: shares of the whole. Those of missing parts are the pelvis's. */
static double share_of(const lbio_person *p, int part) {
    static const struct {
        int part;
        double share;
    } shares[] = {{LBIO_NECK, 0.0130}, {LBIO_HEAD, 0.0564},  {LBIO_UPPER_ARM, 0.0271}, {LBIO_FOREARM, 0.0162},
                  {LBIO_HAND, 0.0061}, {LBIO_THIGH, 0.1416}, {LBIO_SHANK, 0.0433},     {LBIO_FOOT, 0.0137}};
    int left = part < LBIO_EYE ? part : part - (part - LBIO_EYE) % 2, spines = 0;
    for (int i = LBIO_SPINE_1; i <= LBIO_SPINE_5; i++) {
        spines += p->has[i];
    }
    if (part == LBIO_PELVIS) {
        return spines ? 0.1117 : 0.4346;
    }
    if (part >= LBIO_SPINE_1 && part <= LBIO_SPINE_5) {
        return 0.3229 / spines;
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (shares[i].part == left) {
            return shares[i].share;
        }
    }
    return 0;
}

/* A man of 175 cm has 75 kg; others by the square of their size, which keeps the body-mass index. */
static void weigh_segment(const lbio_person *p, int segment, lb_segment *made) {
    int part = p->parts[segment];
    double tip[3], middle[3];
    if (!p->is_body || part < 0 || lb_figure_mass(p->figure) > 0) {
        return;
    }
    made->mass = 75 * p->scale * p->scale * share_of(p, part);
    lbio_person_tip(p, part, tip);
    for (int c = 0; c < 3; c++) {
        middle[c] = (p->ease[segment].position[c] + tip[c]) / 2;
    }
    lbio_person_local(p, segment, middle, made->com);
}

/* --- Sites ----------------------------------------------------------------------------------------------- */

/* A site at a frame of the world, at ease or (is_eased 0) at rest. One that is there already is left as it is. */
static int add_site(const maker *m, int segment, const char *name, const lb_frame *world, int is_eased) {
    const lb_frame *own = is_eased ? &m->p->ease[segment] : &m->p->rest[segment];
    int found = lb_builder_find_site(m->builder, segment, name);
    lb_site site;
    lb_frame inverse;
    if (found >= 0) {
        return found;
    }
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    lb_frame_invert(own, &inverse);
    lb_frame_multiply(&inverse, world, &site.frame);
    return lb_builder_add_site(m->builder, &site);
}

/* Palms, whose x axis leaves them; the gaze, whose x axis looks. */
static int add_places(const maker *m) {
    static const double up[3] = {0, 0, 1}, eyes[3] = {0.1, 0, 0.03};
    const lbio_person *p = m->p;
    int added = 0;
    for (int side = 0; side < 2 && added >= 0; side++) {
        int hand = p->holder[LBIO_HAND + side];
        const double palm[3] = {0, side ? 0.015 : -0.015, -0.062};
        lb_frame frame;
        if (hand >= 0) {
            double turn[4];
            lbio_person_offset(p, p->ease[hand].position, palm, frame.position);
            lb_rotation_about(up, side ? 1.57079632679489662 : -1.57079632679489662, turn);
            lb_rotation_multiply(p->axes, turn, frame.rotation);
            added = add_site(m, hand, side ? "right_palm" : "left_palm", &frame, 1);
        }
    }
    if (p->holder[LBIO_HEAD] >= 0 && added >= 0) {
        lb_frame frame;
        lbio_person_offset(p, p->ease[p->holder[LBIO_HEAD]].position, eyes, frame.position);
        memcpy(frame.rotation, p->axes, sizeof frame.rotation);
        added = add_site(m, p->holder[LBIO_HEAD], "gaze", &frame, 1);
    }
    return added;
}

/* --- Joints ---------------------------------------------------------------------------------------------- */

static int add_joint_sites(const maker *m, int parent, int child, const lb_frame *above, const lb_frame *below,
                           lb_joint *joint) {
    char name[256];
    snprintf(name, sizeof name, "%.200s_axes", joint->name);
    joint->site_a = add_site(m, parent, name, above, 0);
    joint->site_b = joint->site_a < 0 ? joint->site_a : add_site(m, child, "axes", below, 0);
    return joint->site_b;
}

/* The joint that carries the pelvis through the world: where it is, and how it is turned, in the body's axes. */
static int add_root_joint(const maker *m) {
    static const lb_element along[4] = {{LB_ELEMENT_TRANSLATE, {1, 0, 0}},
                                        {LB_ELEMENT_TRANSLATE, {0, 1, 0}},
                                        {LB_ELEMENT_TRANSLATE, {0, 0, 1}},
                                        {LB_ELEMENT_ROTATION, {0, 0, 0}}};
    const lbio_person *p = m->p;
    lb_joint joint;
    lb_frame above = {{0, 0, 0}, {0, 0, 0, 1}}, below = p->rest[p->pelvis];
    double back[4];
    lb_joint_defaults(&joint);
    joint.name = lb_figure_joint(p->figure, p->root_joint)->name;
    joint.type.element_count = 4;
    memcpy(joint.type.elements, along, sizeof along);
    memcpy(above.rotation, p->axes, sizeof p->axes);
    memcpy(below.rotation, p->axes, sizeof p->axes);
    lbio_rotation_conjugate(p->axes, back);
    lbio_rotation_apply(back, p->ease[p->pelvis].position, joint.rest);
    int site = add_joint_sites(m, p->world, p->pelvis, &above, &below, &joint);
    return site < 0 ? site : lb_builder_add_joint(m->builder, &joint);
}

static int child_of(const lbio_person *p, int joint) {
    for (int i = 0; i < p->count; i++) {
        if (p->joints[i] == joint) {
            return i;
        }
    }
    return -1;
}

static int add_joint(const maker *m, int number) {
    const lbio_person *p = m->p;
    int segment = child_of(p, number);
    double swing[24][2];
    lb_joint joint = *lb_figure_joint(p->figure, number);
    if (segment >= 0 && p->is_moved[number]) {
        lb_frame above, below;
        lbio_person_joint(p, segment, &joint, &above, &below, swing);
        int site = add_joint_sites(m, p->parents[segment], segment, &above, &below, &joint);
        return site < 0 ? site : lb_builder_add_joint(m->builder, &joint);
    }
    if (segment >= 0) {
        lbio_person_limit(p, segment, &joint);
    }
    for (int d = 0; d < LB_JOINT_MAX_DOFS && p->is_body && (segment < 0 || p->owners[segment] < 0); d++) {
        joint.rigidity[d] = 1; /* hair, tails, targets */
    }
    return lb_builder_add_joint(m->builder, &joint);
}

/* The joint that carries the pelvis comes first, so that a pose begins with where it is. */
static int add_joints(const maker *m) {
    const lbio_person *p = m->p;
    int is_floating = p->is_body && p->root_joint >= 0, added = is_floating ? add_root_joint(m) : 0;
    if (is_floating) {
        m->numbers[p->root_joint] = added;
    }
    for (int i = 0; i < lb_figure_joint_count(p->figure) && added >= 0; i++) {
        if (!is_floating || i != p->root_joint) {
            m->numbers[i] = added = add_joint(m, i);
        }
    }
    return added;
}

/* --- Everything else is as it was ------------------------------------------------------------------------ */

static lb_dof_ref renumber(const maker *m, lb_dof_ref ref) {
    ref.joint = ref.joint >= 0 ? m->numbers[ref.joint] : ref.joint;
    return ref;
}

static int add_couplings(const maker *m) {
    const lb_figure *f = m->p->figure;
    int added = 0;
    for (int i = 0; i < lb_figure_group_count(f) && added >= 0; i++) {
        added = lb_builder_add_group(m->builder, lb_figure_group(f, i)->name);
    }
    for (int i = 0; i < lb_figure_parameter_count(f) && added >= 0; i++) {
        added = lb_builder_add_parameter(m->builder, lb_figure_parameter(f, i));
    }
    for (int i = 0; i < lb_figure_drive_count(f) && added >= 0; i++) {
        lb_drive drive = *lb_figure_drive(f, i);
        drive.joint = m->numbers[drive.joint];
        drive.source = renumber(m, drive.source);
        added = lb_builder_add_drive(m->builder, &drive);
    }
    for (int i = 0; i < lb_figure_limit_count(f) && added >= 0; i++) {
        lb_limit limit = *lb_figure_limit(f, i);
        lb_dof_ref *terms = malloc(((size_t)limit.count + 1) * sizeof *terms);
        for (int k = 0; terms && k < limit.count; k++) {
            terms[k] = renumber(m, limit.terms[k]);
        }
        limit.terms = terms;
        added = terms ? lb_builder_add_limit(m->builder, &limit) : LB_ERROR_MEMORY;
        free(terms);
    }
    return added;
}

static int add_parts(const maker *m) {
    const lb_figure *f = m->p->figure;
    int added = lb_builder_set_name(m->builder, lb_figure_name(f));
    added = added < 0 || !(lb_figure_stature(f) > 0) ? added : lb_builder_set_stature(m->builder, lb_figure_stature(f));
    for (int i = 0; i < m->p->count && added >= 0; i++) {
        lb_segment segment = *lb_figure_segment(f, i);
        weigh_segment(m->p, i, &segment);
        added = lb_builder_add_segment(m->builder, &segment);
    }
    for (int i = 0; i < lb_figure_site_count(f) && added >= 0; i++) {
        added = lb_builder_add_site(m->builder, lb_figure_site(f, i));
    }
    for (int i = 0; i < lb_figure_shape_count(f) && added >= 0; i++) {
        added = lb_builder_add_shape(m->builder, lb_figure_shape(f, i));
    }
    added = added < 0 || !m->p->is_body ? added : add_places(m);
    added = added < 0 ? added : add_joints(m);
    return added < 0 ? added : add_couplings(m);
}

/* A root that is no world's is the pelvis, and free. */
static int set_root(const maker *m) {
    const lbio_person *p = m->p;
    lb_root root = *lb_figure_root(p->figure);
    if (p->is_body && p->root_joint < 0) {
        lb_frame axes = p->rest[p->pelvis];
        memcpy(axes.rotation, p->axes, sizeof axes.rotation);
        root.segment = p->pelvis;
        root.is_free = 1;
        root.site = add_site(m, p->pelvis, "axes", &axes, 0);
        root.placement = p->ease[p->pelvis];
        memcpy(root.placement.rotation, p->axes, sizeof axes.rotation);
    }
    return p->is_body && root.site < 0 && p->root_joint < 0 ? root.site : (int)lb_builder_set_root(m->builder, &root);
}

/* --- The whole ------------------------------------------------------------------------------------------- */

static lb_status build(const lbio_source *source, lbio_person *p, lb_figure **made) {
    maker m = {.p = p, .builder = lb_builder_create(source->options->allocator, NULL)};
    m.numbers = malloc(((size_t)lb_figure_joint_count(p->figure) + 1) * sizeof *m.numbers);
    if (!m.builder || !m.numbers) {
        lb_builder_destroy(m.builder);
        free(m.numbers);
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    int added = add_parts(&m);
    added = added < 0 ? added : set_root(&m);
    lb_status status =
        added < 0 || lb_builder_finish(m.builder, made) ? lbio_builder_fail(source, m.builder, 0) : LB_OK;
    lb_builder_destroy(m.builder);
    free(m.numbers);
    return status;
}

static void *take(size_t count, size_t size, int *is_missing) {
    void *made = calloc(count + 1, size);
    *is_missing |= made == NULL;
    return made;
}

static int take_memory(lbio_person *p) {
    size_t count = (size_t)p->count;
    int is_missing = 0;
    p->rest = take(count, sizeof *p->rest, &is_missing);
    p->ease = take(count, sizeof *p->ease, &is_missing);
    p->parts = take(count, sizeof *p->parts, &is_missing);
    p->owners = take(count, sizeof *p->owners, &is_missing);
    p->parents = take(count, sizeof *p->parents, &is_missing);
    p->joints = take(count, sizeof *p->joints, &is_missing);
    p->order = take(count, sizeof *p->order, &is_missing);
    p->between = take(count, 1, &is_missing);
    p->is_moved = take((size_t)lb_figure_joint_count(p->figure), 1, &is_missing);
    p->scratch = take(5 * count, sizeof *p->scratch, &is_missing);
    return !is_missing;
}

static void free_memory(lbio_person *p) {
    void *const blocks[] = {p->rest,   p->ease,  p->parts,   p->owners,   p->parents,
                            p->joints, p->order, p->between, p->is_moved, p->scratch};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
}

static lb_status place(lbio_person *p) {
    lb_kinematics *kinematics = lb_kinematics_create(p->figure, NULL);
    for (int i = 0; i < p->count && kinematics; i++) {
        lb_kinematics_segment(kinematics, i, &p->rest[i]);
    }
    lb_kinematics_destroy(kinematics);
    return kinematics ? LB_OK : LB_ERROR_MEMORY;
}

static void choose_joints(lbio_person *p) {
    for (int i = 0; i < p->count; i++) {
        if (lbio_person_replaces(p, i)) {
            p->is_moved[p->joints[i]] = 1;
        }
    }
}

lb_status lbio_make_person(const lbio_source *source, lb_figure **figure) {
    const lb_load_options *o = source->options;
    lbio_person p = {.figure = *figure, .options = o, .count = lb_figure_segment_count(*figure), .is_body = o->body};
    lb_figure *made = NULL;
    if ((!o->body && o->limits == LB_LIMITS_FILE) || lb_figure_body(*figure)) {
        return LB_OK;
    }
    if (!take_memory(&p) || place(&p)) {
        free_memory(&p);
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    int found = lbio_person_find(&p);
    lb_status status = found < 0 ? lbio_fail(source, (lb_status)found, 0, "out of memory") : LB_OK;
    if (found > 0) {
        choose_joints(&p);
        lbio_person_stand(&p);
        status = build(source, &p, &made);
    } else if (!status && (o->limits == LB_LIMITS_ANATOMICAL || o->limits == LB_LIMITS_NONE)) {
        lbio_warn(source, 0,
                  "no person who stands upright was recognised by the names of the bones: limits are the file's");
    }
    if (made && o->body) {
        status = lbio_person_set_body(&p, made, source->error);
    }
    free_memory(&p);
    if (made && !status) {
        lb_figure_destroy(*figure);
        *figure = made;
    } else {
        lb_figure_destroy(made);
    }
    return status;
}
