/* One joint of a figure as URDF joints with one dof each and empty links between them.
 *
 * The child segment C hangs on its parent P by sites: C = P Sp M(q) Sc^-1. With Sc = T(p) Q (shift, then turn)
 *
 *     Sp M(q) Sc^-1  =  (Sp Q^-1) (Q M(q) Q^-1) T(-p)
 *
 * so that turning the axes by Q leaves a last shift only. URDF has no place for it behind the motion: unless p is 0, or
 * M only shifts (then it goes in front), one more link with a fixed joint takes it. Where the figure's root lies on the
 * other side than the joint was written from, M is inverted: the elements in reverse order about the opposite axes. */
#include "io/urdf/urdf.h"
#include "io/urdf/urdf_out.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS LB_JOINT_MAX_DOFS
/* URDF asks for two bounds where a figure may have one or none. */
#define FAR_AWAY 1000.0
#define NO_LIMIT LBIO_URDF_MAX_NUMBER

typedef struct step {
    int dof, is_angle;
    double axis[3];
    double lower, upper;
    lbio_urdf_drive drive;
} step;

typedef struct chain {
    int joint;
    const char *name; /* of the figure's joint */
    const char *parent, *child;
    int is_reversed;
    lb_frame near_site, far_site;
    int step_count;
    step steps[MAX_STEPS];
} chain;

/* ---------------------------------------------------------------------------------------------------
 * Writing one URDF joint
 * ------------------------------------------------------------------------------------------------- */

void lbio_urdf_open_joint(lbio_urdf_out *out, const char *name, const char *type, const char *parent, const char *child,
                          const lb_frame *origin) {
    lbio_text *text = out->text;
    lbio_text_add(text, "  <joint name=\"");
    lbio_urdf_write_escaped(text, name);
    lbio_text_format(text, "\" type=\"%s\">\n    <parent link=\"", type);
    lbio_urdf_write_escaped(text, parent);
    lbio_text_add(text, "\"/>\n    <child link=\"");
    lbio_urdf_write_escaped(text, child);
    lbio_text_add(text, "\"/>\n");
    lbio_urdf_write_origin(text, "    ", origin);
}

void lbio_urdf_close_joint(lbio_urdf_out *out) { lbio_text_add(out->text, "  </joint>\n"); }

const char *lbio_urdf_type_name(double lower, double upper, int is_angle) {
    if (!is_angle) {
        return "prismatic";
    }
    return lower == -INFINITY && upper == INFINITY ? "continuous" : "revolute";
}

/* URDF asks for an effort and a velocity; this one is beyond what any reader takes for a limit. */
static void write_drive(lbio_urdf_out *out, const lbio_urdf_drive *drive) {
    lbio_text_add(out->text, "effort=\"");
    lbio_text_number(out->text, isfinite(drive->effort) ? drive->effort : NO_LIMIT);
    lbio_text_add(out->text, "\" velocity=\"");
    lbio_text_number(out->text, isfinite(drive->velocity) ? drive->velocity : NO_LIMIT);
    lbio_text_add(out->text, "\"/>\n");
}

/* Soft limits. k_velocity is required, and 0 asks for nothing. */
static void write_safety(lbio_urdf_out *out, const lbio_urdf_drive *drive) {
    if (!isfinite(drive->soft_lower) || !isfinite(drive->soft_upper)) {
        return;
    }
    lbio_text_add(out->text, "    <safety_controller soft_lower_limit=\"");
    lbio_text_number(out->text, drive->soft_lower);
    lbio_text_add(out->text, "\" soft_upper_limit=\"");
    lbio_text_number(out->text, drive->soft_upper);
    lbio_text_add(out->text, "\" k_position=\"0\" k_velocity=\"0\"/>\n");
}

void lbio_urdf_write_range(lbio_urdf_out *out, const char *name, const double range[2], const lbio_urdf_drive *drive,
                           int is_angle) {
    double lower = range[0], upper = range[1];
    if (is_angle && lower == -INFINITY && upper == INFINITY) {
        if (isfinite(drive->velocity) || isfinite(drive->effort)) {
            lbio_text_add(out->text, "    <limit ");
            write_drive(out, drive);
        }
        write_safety(out, drive);
        return;
    }
    if (!isfinite(lower) || !isfinite(upper)) {
        lbio_urdf_lose(out, LBIO_URDF_LOSS_BOUND, name);
        lower = isfinite(lower) ? lower : fmin(-FAR_AWAY, upper - FAR_AWAY);
        upper = isfinite(upper) ? upper : fmax(FAR_AWAY, lower + FAR_AWAY);
    }
    lbio_text_add(out->text, "    <limit lower=\"");
    lbio_text_number(out->text, lower);
    lbio_text_add(out->text, "\" upper=\"");
    lbio_text_number(out->text, upper);
    lbio_text_add(out->text, "\" ");
    write_drive(out, drive);
    write_safety(out, drive);
}

void lbio_urdf_write_fixed(lbio_urdf_out *out, const char *name, const char *parent, const char *child,
                           const lb_frame *origin) {
    lbio_urdf_open_joint(out, name, "fixed", parent, child, origin);
    lbio_urdf_close_joint(out);
}

static void write_axis(lbio_text *text, const double axis[3]) {
    lbio_text_add(text, "    <axis");
    lbio_urdf_write_vector(text, "xyz", axis);
    lbio_text_add(text, "/>\n");
}

static void write_step(lbio_urdf_out *out, const chain *c, const step *s, const char *parent, const char *child,
                       const lb_frame *origin) {
    const lbio_urdf_dof *dof = &out->dofs[c->joint * LB_JOINT_MAX_DOFS + s->dof];
    lbio_urdf_open_joint(out, dof->name, lbio_urdf_type_name(s->lower, s->upper, s->is_angle), parent, child, origin);
    write_axis(out->text, s->axis);
    lbio_urdf_write_range(out, dof->name, (const double[2]){s->lower, s->upper}, &s->drive, s->is_angle);
    if (dof->way == LBIO_URDF_MIMIC) {
        lbio_text_add(out->text, "    <mimic joint=\"");
        lbio_urdf_write_escaped(out->text, dof->source);
        lbio_text_add(out->text, "\" multiplier=\"");
        lbio_text_number(out->text, dof->multiplier);
        lbio_text_add(out->text, "\" offset=\"");
        lbio_text_number(out->text, dof->offset);
        lbio_text_add(out->text, "\"/>\n");
    }
    lbio_urdf_close_joint(out);
}

/* ---------------------------------------------------------------------------------------------------
 * From elements to steps
 * ------------------------------------------------------------------------------------------------- */

static void add_step(chain *c, const lb_joint *joint, int dof, int is_angle, const double axis[3]) {
    step *s = &c->steps[c->step_count++];
    s->dof = dof;
    s->is_angle = is_angle;
    s->lower = joint->lower[dof];
    s->upper = joint->upper[dof];
    s->drive =
        (lbio_urdf_drive){joint->velocity[dof], joint->effort[dof], joint->soft_lower[dof], joint->soft_upper[dof]};
    memcpy(s->axis, axis, sizeof s->axis);
}

/* A swing polygon as the box around it, on the two steps of the swing. */
static void bound_swing(const lb_joint *joint, step *swing) {
    for (int i = 0; i < 2 && joint->swing_count > 0; ++i) {
        double low = joint->swing[0][i], high = low;
        for (int k = 1; k < joint->swing_count; ++k) {
            low = fmin(low, joint->swing[k][i]);
            high = fmax(high, joint->swing[k][i]);
        }
        swing[i].lower = fmax(swing[i].lower, low);
        swing[i].upper = fmin(swing[i].upper, high);
        if (swing[i].lower > swing[i].upper) {
            swing[i].lower = swing[i].upper;
        }
    }
}

static void make_steps(lbio_urdf_out *out, chain *c, const lb_joint *joint) {
    static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int dof = 0, has_swing = 0;
    for (int i = 0; i < joint->type.element_count; ++i) {
        const lb_element *element = &joint->type.elements[i];
        double a[3], b[3];
        switch (element->kind) {
        case LB_ELEMENT_ROTATE:
        case LB_ELEMENT_TRANSLATE:
            add_step(c, joint, dof++, element->kind == LB_ELEMENT_ROTATE, element->axis);
            break;
        case LB_ELEMENT_SWING_TWIST:
            lbio_urdf_lose(out, LBIO_URDF_LOSS_BALL, joint->name);
            lbio_urdf_plane(element->axis, a, b);
            add_step(c, joint, dof++, 1, a);
            add_step(c, joint, dof++, 1, b);
            add_step(c, joint, dof++, 1, element->axis);
            if (!has_swing && joint->swing_count > 0) {
                lbio_urdf_lose(out, LBIO_URDF_LOSS_SWING, joint->name);
                bound_swing(joint, &c->steps[c->step_count - 3]);
            }
            has_swing = 1;
            break;
        case LB_ELEMENT_ROTATION:
            lbio_urdf_lose(out, LBIO_URDF_LOSS_BALL, joint->name);
            for (int k = 0; k < 3; ++k) {
                add_step(c, joint, dof++, 1, axes[k]);
            }
            break;
        }
    }
}

static void reverse_steps(chain *c) {
    for (int i = 0, j = c->step_count - 1; i < j; ++i, --j) {
        step kept = c->steps[i];
        c->steps[i] = c->steps[j];
        c->steps[j] = kept;
    }
    for (int i = 0; i < c->step_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            c->steps[i].axis[k] = 0.0 - c->steps[i].axis[k]; /* not -0 */
        }
    }
}

static int is_unit_rotation(const double q[4]) { return q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0; }

/* Turns all axes by the far site's rotation and returns what is left in front of and behind the motion. */
static void fold_far_site(chain *c, lb_frame *front, lb_frame *behind) {
    int all_shift = 1;
    *front = c->near_site;
    lb_frame_identity(behind);
    for (int i = 0; i < 3; ++i) {
        behind->position[i] = 0.0 - c->far_site.position[i];
    }
    for (int i = 0; i < c->step_count; ++i) {
        all_shift &= !c->steps[i].is_angle;
    }
    if (!is_unit_rotation(c->far_site.rotation)) {
        lb_frame turn = c->far_site, back;
        memset(turn.position, 0, sizeof turn.position);
        lb_frame_invert(&turn, &back);
        lb_frame_multiply(front, &back, front);
        double m[9];
        lb_rotation_to_matrix(turn.rotation, m);
        for (int i = 0; i < c->step_count; ++i) {
            double *axis = c->steps[i].axis, x = axis[0], y = axis[1], z = axis[2];
            for (int k = 0; k < 3; ++k) {
                axis[k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z;
            }
        }
    }
    if (all_shift) {
        lb_frame_multiply(front, behind, front);
        lb_frame_identity(behind);
    }
}

static void multiply_by_step(const step *s, double value, lb_frame *frame) {
    lb_frame motion;
    lb_frame_identity(&motion);
    if (s->is_angle) {
        lb_rotation_about(s->axis, value, motion.rotation);
    } else {
        for (int k = 0; k < 3; ++k) {
            motion.position[k] = value * s->axis[k];
        }
    }
    lb_frame_multiply(frame, &motion, frame);
}

/* ---------------------------------------------------------------------------------------------------
 * The chain
 * ------------------------------------------------------------------------------------------------- */

static void start_chain(const lbio_urdf_out *out, int index, int segment, chain *c) {
    const lb_figure *figure = out->figure;
    const lb_joint *joint = lb_figure_joint(figure, index);
    const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
    memset(c, 0, sizeof *c);
    c->joint = index;
    c->name = joint->name;
    c->child = out->link_names[segment];
    c->parent = out->link_names[lb_figure_parent_segment(figure, segment)];
    c->is_reversed = a->segment == segment;
    c->near_site = c->is_reversed ? b->frame : a->frame;
    c->far_site = c->is_reversed ? a->frame : b->frame;
}

/* Whether two unit vectors are one direction, up to the last digits. */
static int is_same(const double a[3], const double b[3]) {
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-12;
}

/* Whether no dof of a joint has limits or is driven. */
static int moves_freely(const lbio_urdf_out *out, int index) {
    const lb_joint *joint = lb_figure_joint(out->figure, index);
    for (int i = 0; i < lb_joint_type_dof_count(&joint->type); ++i) {
        int is_limited = joint->lower[i] != -INFINITY || joint->upper[i] != INFINITY;
        if (is_limited || out->dofs[index * LB_JOINT_MAX_DOFS + i].drive != -1) {
            return 0;
        }
    }
    return 1;
}

const char *lbio_urdf_block_type(const lbio_urdf_out *out, int index, int segment) {
    const lb_joint *joint = lb_figure_joint(out->figure, index);
    const lb_element *e = joint->type.elements;
    int count = joint->type.element_count;
    chain c;
    start_chain(out, index, segment, &c);
    if (joint->frozen || c.is_reversed || count < 3 || count > 4) {
        return NULL;
    }
    if (!moves_freely(out, index) || e[0].kind != LB_ELEMENT_TRANSLATE || e[1].kind != LB_ELEMENT_TRANSLATE) {
        return NULL;
    }
    if (count == 3 && e[2].kind == LB_ELEMENT_ROTATE) {
        double a[3], b[3];
        lbio_urdf_plane(e[2].axis, a, b);
        return is_same(e[0].axis, a) && is_same(e[1].axis, b) ? "planar" : NULL;
    }
    static const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    int is_floating = count == 4 && e[2].kind == LB_ELEMENT_TRANSLATE && e[3].kind == LB_ELEMENT_ROTATION &&
                      is_same(e[0].axis, x) && is_same(e[1].axis, y) && is_same(e[2].axis, z);
    return is_floating ? "floating" : NULL;
}

/* The link that the last moving joint carries: the segment itself, or one more that the segment is fixed to. */
static const char *last_link(lbio_urdf_out *out, const chain *c, const lb_frame *behind) {
    if (lbio_urdf_is_identity(behind)) {
        return c->child;
    }
    const char *link = lbio_urdf_name(out, &out->links, c->name, "link");
    lbio_urdf_write_empty_link(out, link);
    lbio_urdf_write_fixed(out, lbio_urdf_name(out, &out->joints, c->name, "end"), link, c->child, behind);
    return link;
}

static void write_block(lbio_urdf_out *out, const chain *c, const char *type) {
    const lb_joint *joint = lb_figure_joint(out->figure, c->joint);
    lb_frame behind;
    lb_frame_invert(&c->far_site, &behind);
    lbio_urdf_open_joint(out, out->joint_names[c->joint], type, c->parent, last_link(out, c, &behind), &c->near_site);
    if (strcmp(type, "planar") == 0) {
        write_axis(out->text, joint->type.elements[2].axis);
    }
    lbio_urdf_close_joint(out);
}

/* A joint that does not move: where the rest pose has it. */
static void write_still(lbio_urdf_out *out, const chain *c, int segment) {
    const lb_joint *joint = lb_figure_joint(out->figure, c->joint);
    lb_frame origin, back, far;
    if (joint->type.element_count == 0) {
        lb_frame_invert(&c->far_site, &back);
        lb_frame_multiply(&c->near_site, &back, &origin);
    } else {
        lb_kinematics_segment(out->rest, lb_figure_parent_segment(out->figure, segment), &origin);
        lb_kinematics_segment(out->rest, segment, &far);
        lb_frame_invert(&origin, &back);
        lb_frame_multiply(&back, &far, &origin);
    }
    lbio_urdf_write_fixed(out, out->joint_names[c->joint], c->parent, c->child, &origin);
}

static void write_steps(lbio_urdf_out *out, chain *c) {
    const lbio_urdf_dof *dofs = &out->dofs[c->joint * LB_JOINT_MAX_DOFS];
    const lb_joint *joint = lb_figure_joint(out->figure, c->joint);
    lb_frame front, behind, trailing;
    fold_far_site(c, &front, &behind);
    int last = c->step_count - 1;
    while (last >= 0 && dofs[c->steps[last].dof].way == LBIO_URDF_HELD) {
        --last;
    }
    lb_frame_identity(&trailing); /* what does not move any more behind the last joint that does */
    for (int i = last + 1; i < c->step_count; ++i) {
        multiply_by_step(&c->steps[i], dofs[c->steps[i].dof].offset, last < 0 ? &front : &trailing);
    }
    if (last < 0) {
        lb_frame_multiply(&front, &behind, &front);
        const char *name = c->step_count > 1 ? lbio_urdf_name(out, &out->joints, c->name, "end") : dofs[0].name;
        lbio_urdf_write_fixed(out, name, c->parent, c->child, &front);
        return;
    }
    lb_frame_multiply(&trailing, &behind, &trailing);
    const char *end = last_link(out, c, &trailing), *parent = c->parent;
    for (int i = 0; i <= last; ++i) {
        const step *s = &c->steps[i];
        if (dofs[s->dof].way == LBIO_URDF_HELD) {
            multiply_by_step(s, dofs[s->dof].offset, &front);
            continue;
        }
        const char *child = end;
        if (i < last) {
            child = lbio_urdf_name(out, &out->links, dofs[s->dof].name, "link");
            lbio_urdf_write_empty_link(out, child);
        }
        write_step(out, c, s, parent, child, &front);
        lb_frame_identity(&front);
        parent = child;
    }
    for (int i = 0; i < c->step_count; ++i) {
        int dof = c->steps[i].dof;
        double usual = fmin(fmax(0.0, joint->lower[dof]), joint->upper[dof]);
        if (dofs[dof].way != LBIO_URDF_HELD && (joint->rest[dof] != usual || joint->rigidity[dof] != 0.0)) {
            lbio_urdf_lose(out, LBIO_URDF_LOSS_REST, joint->name);
            break;
        }
    }
}

void lbio_urdf_write_chain(lbio_urdf_out *out, int index, int segment) {
    const lb_joint *joint = lb_figure_joint(out->figure, index);
    const char *block = lbio_urdf_block_type(out, index, segment);
    chain c;
    start_chain(out, index, segment, &c);
    if (joint->frozen || joint->type.element_count == 0) {
        write_still(out, &c, segment);
    } else if (block) {
        write_block(out, &c, block);
    } else {
        make_steps(out, &c, joint);
        if (c.is_reversed) {
            reverse_steps(&c);
        }
        write_steps(out, &c);
    }
}
