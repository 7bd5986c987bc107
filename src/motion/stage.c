/* From one problem to the next in the middle of a motion: nothing that is in both jumps. */
#include <string.h>

#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "motion/motion.h"
#include "motion/spline.h"

/* The problem that was, in its last pose, and the figure that is to be put into a pose. */
typedef struct before {
    const lb_problem *problem;
    const double *pose;
    lb_kinematics **kinematics; /* [figure] */
    const lb_figure *is;
    const unsigned char *active; /* [variable of `is`]: the solver may move it */
    int namesakes;               /* figures of its name before it in the problem that is */
} before;

/* "robot.arm" for the figure robot and its part arm, with any one character between. */
static int is_prefixed(const char *name, const char *figure, const char *part) {
    size_t size = strlen(figure);
    return size && strncmp(name, figure, size) == 0 && name[size] && strcmp(name + size + 1, part) == 0;
}

/* How many figures of a problem before number `figure` have its name. */
static int namesakes(const lb_problem *problem, int figure) {
    int count = 0;
    for (int i = 0; i < figure; i++) {
        count += strcmp(lb_figure_name(problem->figures[i]), lb_figure_name(problem->figures[figure])) == 0;
    }
    return count;
}

/* Whether a figure that was is the one that is: the same name, and as many of that name before it. */
static int is_same(const before *b, int figure) {
    return strcmp(lb_figure_name(b->problem->figures[figure]), lb_figure_name(b->is)) == 0 &&
           namesakes(b->problem, figure) == b->namesakes;
}

/* How well a part of a figure that was fits one of the figure that is: 0 not at all, then the more the better. */
static int fit(const before *b, int figure, const char *part, const char *name) {
    const lb_figure *was = b->problem->figures[figure], *is = b->is;
    if (strcmp(part, name) == 0) {
        return is_same(b, figure) ? 3 : 1;
    }
    if (is_prefixed(name, lb_figure_name(was), part)) {
        return 2;
    }
    return is_prefixed(part, lb_figure_name(is), name) ? 2 : 0;
}

typedef enum part_kind { SEGMENT, JOINT, VARIABLE } part_kind;

static int part_count(const lb_figure *f, part_kind kind) {
    return kind == SEGMENT ? lb_figure_segment_count(f) : kind == JOINT ? lb_figure_joint_count(f) : f->variable_count;
}

static const char *part_name(const lb_figure *f, part_kind kind, int part) {
    return kind == SEGMENT ? f->draft.segments[part].name
           : kind == JOINT ? f->draft.joints[part].name
                           : f->variables[part].name;
}

/* Where a part of a figure was; returns its index, or -1. */
static int find_part(const before *b, part_kind kind, const char *name, int *figure) {
    int best = 0, found = -1;
    for (int f = 0; f < b->problem->figure_count; f++) {
        const lb_figure *was = b->problem->figures[f];
        for (int i = 0; i < part_count(was, kind); i++) {
            int how = fit(b, f, part_name(was, kind, i), name);
            if (how <= best) {
                continue;
            }
            best = how;
            found = i;
            *figure = f;
        }
    }
    return found;
}

/* World frame, as it was, of a frame on a segment of a figure that is. */
static int frame_before(const before *b, int segment, const lb_frame *local, lb_frame *frame_w) {
    int figure = 0, was = find_part(b, SEGMENT, b->is->draft.segments[segment].name, &figure);
    if (was < 0) {
        return 0;
    }
    lb_kinematics_segment(b->kinematics[figure], was, frame_w);
    if (local) {
        lb_frame_multiply(frame_w, local, frame_w);
    }
    return 1;
}

static int site_before(const before *b, int site, lb_frame *frame_w) {
    const lb_site *s = &b->is->draft.sites[site];
    return frame_before(b, s->segment, &s->frame, frame_w);
}

/* The dofs that a joint had, if it was there and of the same type. */
static int own_dofs(const before *b, int joint, double *dofs) {
    const lb_joint *j = &b->is->draft.joints[joint];
    int figure = 0, was = find_part(b, JOINT, j->name, &figure);
    const lb_joint_type *type = was < 0 ? NULL : &b->problem->figures[figure]->draft.joints[was].type;
    int same = type && type->element_count == j->type.element_count;
    for (int i = 0; same && i < type->element_count; i++) {
        same = type->elements[i].kind == j->type.elements[i].kind &&
               (type->elements[i].kind == LB_ELEMENT_ROTATION ||
                memcmp(type->elements[i].axis, j->type.elements[i].axis, sizeof(double[3])) == 0);
    }
    for (int i = 0; same && i < lb_joint_type_dof_count(&j->type); i++) {
        dofs[i] = lb_kinematics_dof(b->kinematics[figure], was, i);
    }
    return same;
}

/* Whether a joint may be anywhere, and is not the solver's to move: it is there to hold what it connects as it was. */
static int is_hold(const before *b, int joint) {
    const lb_joint_type *type = &b->is->draft.joints[joint].type;
    int turns = 0, shifts = 0;
    for (int i = 0; i < type->element_count; i++) {
        turns += type->elements[i].kind == LB_ELEMENT_ROTATION;
        shifts += type->elements[i].kind == LB_ELEMENT_TRANSLATE;
    }
    for (int v = 0; v < b->is->variable_count; v++) {
        if (b->is->variables[v].ref.joint == joint && b->active[v]) {
            return 0;
        }
    }
    return turns == 1 && shifts == 3 && type->element_count == 4;
}

/* Where a joint's dofs take its site_b, seen from its site_a. */
static void joint_frame(const lb_joint_type *type, const double *dofs, lb_frame *frame) {
    lb_frame_identity(frame);
    for (int i = 0; i < type->element_count; i++) {
        const lb_joint_type one = {1, {type->elements[i]}};
        lb_frame step;
        lb_frame_identity(&step);
        if (one.elements[0].kind == LB_ELEMENT_TRANSLATE) {
            lbm_add_scaled3(step.position, one.elements[0].axis, dofs[0]);
        } else {
            lb_joint_type_rotation(&one, dofs, step.rotation);
        }
        lb_frame_multiply(frame, &step, frame);
        dofs += lb_joint_type_dof_count(&one);
    }
}

/* World frame of the site that a joint which holds goes out from: where the joint that moves this site's segment has
 * it, by its dofs as they were or, where it is new, as it begins. So what is new begins as the figure has it at rest,
 * and what a loop had left open is held as it is. */
static int held_before(const before *b, int hold, lb_frame *frame_w) {
    const lbf_draft *d = &b->is->draft;
    const lb_site *from = &d->sites[d->joints[hold].site_a];
    for (int k = 0; k < d->joint_count; k++) {
        const lb_joint *j = &d->joints[k];
        double dofs[LB_JOINT_MAX_DOFS];
        lb_frame step;
        if (k == hold || d->sites[j->site_b].segment != from->segment || !site_before(b, j->site_a, frame_w)) {
            continue;
        }
        if (!own_dofs(b, k, dofs)) {
            memcpy(dofs, j->rest, sizeof dofs);
        }
        joint_frame(&j->type, dofs, &step);
        lb_frame_multiply(frame_w, &step, frame_w);
        lb_frame_invert(&d->sites[j->site_b].frame, &step);
        lb_frame_multiply(frame_w, &step, frame_w);
        lb_frame_multiply(frame_w, &from->frame, frame_w);
        return 1;
    }
    return 0;
}

/* The shifts that bring a joint nearest to a position, its turns being what they are: linear least squares. */
static void fit_translations(const lb_joint_type *type, const double position[3], double *dofs) {
    double q[4] = {0, 0, 0, 1}, axes[3][3], normal[9], right[3];
    int at[3], count = 0, dof = 0;
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *element = &type->elements[i];
        if (element->kind == LB_ELEMENT_TRANSLATE) {
            if (count == 3) {
                return;
            }
            lbm_quaternion_rotate(q, element->axis, axes[count]);
            at[count++] = dof++;
            continue;
        }
        lb_joint_type one = {1, {*element}};
        double turn[4];
        lb_joint_type_rotation(&one, dofs + dof, turn);
        lb_rotation_multiply(q, turn, q);
        dof += lb_joint_type_dof_count(&one);
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            normal[i * count + k] = lbm_dot3(axes[i], axes[k]);
        }
        right[i] = lbm_dot3(axes[i], position);
    }
    lbt_solve_small(count, normal, right, 1);
    for (int i = 0; i < count; i++) {
        if (lbm_is_finite(right[i])) {
            dofs[at[i]] = right[i];
        }
    }
}

/* The dofs of a joint, so that what it connects is where it was; those of a joint that was there to the bit. */
static void joint_dofs(const before *b, int joint, double *dofs) {
    const lb_joint *j = &b->is->draft.joints[joint];
    lb_frame a, c;
    memcpy(dofs, j->rest, sizeof j->rest);
    const int holds = is_hold(b, joint) && held_before(b, joint, &a);
    if (!holds && (own_dofs(b, joint, dofs) || !site_before(b, j->site_a, &a))) {
        return;
    }
    if (!site_before(b, j->site_b, &c)) {
        return;
    }
    lb_frame_invert(&a, &a);
    lb_frame_multiply(&a, &c, &a);
    lb_joint_type_dofs(&j->type, a.rotation, dofs);
    fit_translations(&j->type, a.position, dofs);
}

static void root_values(const before *b, double *values) {
    const lb_figure *is = b->is;
    const lb_root *root = lb_figure_root(is);
    lb_frame frame_w;
    for (int f = 0; f < b->problem->figure_count; f++) { /* the same root: to the bit */
        const lb_figure *was = b->problem->figures[f];
        const lb_root *old = lb_figure_root(was);
        if (!is_same(b, f) || !old->is_free || (old->site < 0) != (root->site < 0)) {
            continue;
        }
        if (strcmp(was->draft.segments[old->segment].name, is->draft.segments[root->segment].name) != 0) {
            continue;
        }
        if (old->site >= 0 &&
            memcmp(&was->draft.sites[old->site].frame, &is->draft.sites[root->site].frame, sizeof(lb_frame)) != 0) {
            continue;
        }
        if (memcmp(&old->placement, &root->placement, sizeof(lb_frame)) != 0) {
            continue;
        }
        memcpy(values, b->pose + b->problem->first_variables[f], 6 * sizeof *values);
        return;
    }
    if (frame_before(b, root->segment, root->site >= 0 ? &is->draft.sites[root->site].frame : NULL, &frame_w)) {
        lbt_root_values(is, &frame_w, values);
    }
}

static void carry_figure(const before *b, double *pose) {
    const lb_figure *is = b->is;
    double dofs[LB_JOINT_MAX_DOFS];
    int joint = -1, figure = 0;
    lb_figure_rest_pose(is, pose);
    if (is->root_coordinates) {
        root_values(b, pose);
    }
    for (int i = is->root_coordinates; i < is->variable_count; i++) {
        const lb_dof_ref *ref = &is->variables[i].ref;
        if (ref->joint >= 0) { /* variables of a joint lie together */
            if (ref->joint != joint) {
                joint_dofs(b, ref->joint, dofs);
            }
            joint = ref->joint;
            pose[i] = dofs[ref->dof];
            continue;
        }
        int was = find_part(b, VARIABLE, is->variables[i].name, &figure);
        if (was >= 0) {
            pose[i] = b->pose[b->problem->first_variables[figure] + was];
        }
    }
}

int lbt_carry_over(const lb_problem *from, const double *pose_from, const lb_problem *to, double *pose_to) {
    size_t count = (size_t)from->figure_count;
    before b = {from, pose_from, lbf_new(&from->allocator, count, sizeof *b.kinematics), NULL, NULL, 0};
    int ok = b.kinematics != NULL;
    for (int f = 0; ok && f < from->figure_count; f++) {
        b.kinematics[f] = lb_kinematics_create(from->figures[f], NULL);
        ok = b.kinematics[f] && lb_kinematics_update(b.kinematics[f], pose_from + from->first_variables[f]) == LB_OK;
    }
    for (int f = 0; ok && f < to->figure_count; f++) {
        b.is = to->figures[f];
        b.active = to->active + to->first_variables[f];
        b.namesakes = namesakes(to, f);
        carry_figure(&b, pose_to + to->first_variables[f]);
    }
    for (int f = 0; b.kinematics && f < from->figure_count; f++) {
        lb_kinematics_destroy(b.kinematics[f]);
    }
    lbf_delete(&from->allocator, b.kinematics, count, sizeof *b.kinematics);
    return ok;
}
