/* Another root for the same figure, and a figure broken in two. */
#include <string.h>

#include "figure/build/builder.h"
#include "figure/figure.h"
#include "figure/kinematics/kinematics.h"

#define FAIL(error, status, ...) lbf_fail(error, status, __VA_ARGS__, (char *)0)

/* World frame of a segment or of a site on it, in a pose. */
static lb_status frame_in_pose(const lb_figure *f, const double *pose, int segment, int site, lb_frame *frame_w,
                               lb_error *error) {
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    if (!k) {
        return lbf_no_memory(error);
    }
    lb_status status = lb_kinematics_update(k, pose);
    if (!status) {
        status = site >= 0 ? lb_kinematics_site(k, site, frame_w) : lb_kinematics_segment(k, segment, frame_w);
    }
    lb_kinematics_destroy(k);
    return status ? FAIL(error, status, "the pose has a value that is not finite") : LB_OK;
}

static int same_bits(const double *a, const double *b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Whether re-rooting goes back to where this figure was re-rooted from, nothing having moved since. */
static int undoes(const lb_figure *f, const double *pose, const lb_root *to) {
    const lbf_origin *o = f->origin;
    if (!o || o->root.segment != to->segment || o->root.site != to->site || o->root.is_free != to->is_free) {
        return 0;
    }
    static const double zeros[6];
    int root = f->root_coordinates;
    return same_bits(pose, zeros, root) && same_bits(pose + root, o->values, f->variable_count - root);
}

/* Remembers in `made` how to get back to `f` in `pose`. */
static lb_status remember(lb_figure *made, const lb_figure *f, const double *pose, lb_error *error) {
    int root = f->root_coordinates, count = f->variable_count - root;
    lbf_origin *o = lbf_figure_take(made, 1, sizeof *o);
    double *values = lbf_figure_take(made, (size_t)count, sizeof *values);
    if (!o || !values) {
        return lbf_no_memory(error);
    }
    o->root = f->draft.root;
    memcpy(o->root_values, pose, (size_t)root * sizeof *pose);
    memcpy(values, pose + root, (size_t)count * sizeof *pose);
    o->values = values;
    made->origin = o;
    return LB_OK;
}

static lb_status build_rerooted(const lb_figure *f, const lb_root *root, lb_figure **made, lb_error *error) {
    lb_builder *b = lb_builder_from(f, NULL);
    if (!b) {
        return lbf_no_memory(error);
    }
    lb_status status = lb_builder_set_root(b, root);
    if (!status) {
        status = lb_builder_finish(b, made);
    }
    if (status && error) {
        *error = *lb_builder_error(b);
    }
    lb_builder_destroy(b);
    return status;
}

lb_status lb_figure_reroot(const lb_figure *f, const double *pose, const lb_root *to, lb_figure **rerooted,
                           double *pose_out, lb_error *error) {
    if (!f || !pose || !to || !rerooted || !pose_out) {
        return LB_ERROR_ARGUMENT;
    }
    int segment = to->segment, site = to->site < 0 ? -1 : to->site;
    if (segment < 0 || segment >= f->draft.segment_count) {
        return FAIL(error, LB_ERROR_ARGUMENT, "no such segment to root at");
    }
    if (site >= f->draft.site_count || (site >= 0 && f->draft.sites[site].segment != segment)) {
        return FAIL(error, LB_ERROR_ARGUMENT, "the site to root at is not on the segment");
    }
    lb_root root = {segment, site, to->is_free != 0, {{0, 0, 0}, {0, 0, 0, 1}}};
    int back = undoes(f, pose, &root);
    if (back) {
        root = f->origin->root;
    } else {
        lb_status status = frame_in_pose(f, pose, segment, site, &root.placement, error);
        if (status) {
            return status;
        }
    }
    lb_figure *made = NULL;
    lb_status status = build_rerooted(f, &root, &made, error);
    if (!status) {
        status = remember(made, f, pose, error);
    }
    if (status) {
        lb_figure_destroy(made);
        return status;
    }
    memset(pose_out, 0, (size_t)made->root_coordinates * sizeof *pose_out);
    if (back) {
        memcpy(pose_out, f->origin->root_values, (size_t)made->root_coordinates * sizeof *pose_out);
    }
    memcpy(pose_out + made->root_coordinates, pose + f->root_coordinates,
           (size_t)(f->variable_count - f->root_coordinates) * sizeof *pose_out);
    *rerooted = made;
    return LB_OK;
}

/* --- Splitting ------------------------------------------------------------------------------------------ */

/* The part of the figure that holds `segment` once the joint is gone. root NULL: keeps its own. */
static lb_status build_part(const lb_figure *f, int joint, int segment, const lb_root *root, lb_figure **part,
                            lb_error *error) {
    lb_builder *b = lb_builder_from(f, NULL);
    if (!b) {
        return lbf_no_memory(error);
    }
    lb_status status = root ? lb_builder_set_root(b, root) : LB_OK;
    if (!status) {
        status = lb_builder_remove_joint(b, joint); /* segments keep their numbers */
    }
    if (!status) {
        status = lb_builder_keep_connected(b, segment);
    }
    if (!status) {
        status = lb_builder_finish(b, part);
    }
    if (status && error) {
        *error = *lb_builder_error(b);
    }
    lb_builder_destroy(b);
    return status;
}

/* The segment on the far side of a joint that is in no loop; -1 if it is in one. */
static int far_segment(const lb_figure *f, int joint, lb_status *status) {
    const lbf_draft *d = &f->draft;
    int far = -1;
    for (int i = 0; i < d->segment_count; i++) {
        if (f->parent_joint[i] == joint) {
            far = i;
        }
    }
    if (far < 0) {
        return -1;
    }
    int *set = lbf_new(&d->allocator, (size_t)d->segment_count, sizeof *set);
    if (!set) {
        *status = LB_ERROR_MEMORY;
        return -1;
    }
    for (int i = 0; i < d->segment_count; i++) {
        set[i] = i;
    }
    for (int i = 0; i < d->joint_count; i++) {
        if (i == joint) {
            continue;
        }
        int a = lbf_set_of(set, d->sites[d->joints[i].site_a].segment);
        set[lbf_set_of(set, d->sites[d->joints[i].site_b].segment)] = a;
    }
    if (lbf_set_of(set, far) == lbf_set_of(set, d->root.segment)) {
        far = -1;
    }
    lbf_delete(&d->allocator, set, (size_t)d->segment_count, sizeof *set);
    return far;
}

lb_status lb_figure_split(const lb_figure *f, const double *pose, int joint, lb_figure **near_part,
                          lb_figure **far_part, lb_error *error) {
    if (!f || !pose || !near_part || !far_part) {
        return LB_ERROR_ARGUMENT;
    }
    if (joint < 0 || joint >= f->draft.joint_count) {
        return FAIL(error, LB_ERROR_ARGUMENT, "there is no such joint to split at");
    }
    lb_status status = LB_OK;
    int far = far_segment(f, joint, &status);
    if (status) {
        return lbf_no_memory(error);
    }
    if (far < 0) {
        return FAIL(error, LB_ERROR_FIGURE, "joint '", f->draft.joints[joint].name,
                    "' lies in a loop, so removing it leaves one part; remove another joint of the loop first");
    }
    lb_root root = {far, -1, f->draft.root.is_free, {{0, 0, 0}, {0, 0, 0, 1}}};
    status = frame_in_pose(f, pose, far, -1, &root.placement, error);
    lb_figure *near_made = NULL, *far_made = NULL;
    if (!status) {
        status = build_part(f, joint, f->draft.root.segment, NULL, &near_made, error);
    }
    if (!status) {
        status = build_part(f, joint, far, &root, &far_made, error);
    }
    if (status) {
        lb_figure_destroy(near_made);
        return status;
    }
    *near_part = near_made;
    *far_part = far_made;
    return LB_OK;
}
