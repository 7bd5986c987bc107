/* Changing a figure: parts removed, joints frozen, another figure attached, everything scaled (BAGS section 6). */
#include <string.h>

#include "figure/body.h"
#include "figure/build/builder.h"
#include "figure/figure.h"
#include "math/vec.h"

#define FAIL(builder, status, ...) lbf_fail(&(builder)->error, status, __VA_ARGS__, (char *)0)

/* Flags for every segment and joint, all set. */
typedef struct keep_flags {
    size_t size;
    unsigned char *segments, *joints;
} keep_flags;

static int begin_filter(const lbf_draft *d, keep_flags *keep) {
    keep->size = (size_t)d->segment_count + (size_t)d->joint_count;
    keep->segments = lbf_new(&d->allocator, keep->size, 1);
    if (!keep->segments) {
        return 0;
    }
    memset(keep->segments, 1, keep->size);
    keep->joints = keep->segments + d->segment_count;
    return 1;
}

static lb_status end_filter(lb_builder *b, const keep_flags *keep) {
    int done = lbf_draft_filter(&b->draft, keep->segments, keep->joints);
    lbf_delete(&b->draft.allocator, keep->segments, keep->size, 1);
    return done ? LB_OK : lbf_no_memory(&b->error);
}

static lb_status check_joint(lb_builder *b, int joint) {
    if (joint >= 0 && joint < b->draft.joint_count) {
        return LB_OK;
    }
    char number[24];
    return FAIL(b, LB_ERROR_ARGUMENT, "there is no joint number ", lbf_integer_text(joint, number));
}

lb_status lb_builder_remove_joint(lb_builder *b, int joint) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    keep_flags keep;
    lb_status status = check_joint(b, joint);
    if (status) {
        return status;
    }
    if (!begin_filter(&b->draft, &keep)) {
        return lbf_no_memory(&b->error);
    }
    keep.joints[joint] = 0;
    return end_filter(b, &keep);
}

lb_status lb_builder_remove_segment(lb_builder *b, int segment) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    keep_flags keep;
    if (segment < 0 || segment >= b->draft.segment_count) {
        return FAIL(b, LB_ERROR_ARGUMENT, "there is no such segment");
    }
    if (b->draft.has_root && b->draft.root.segment == segment) {
        return FAIL(b, LB_ERROR_FIGURE, "segment '", b->draft.segments[segment].name,
                    "' is the root; choose another root before removing it");
    }
    if (!begin_filter(&b->draft, &keep)) {
        return lbf_no_memory(&b->error);
    }
    keep.segments[segment] = 0;
    return end_filter(b, &keep);
}

lb_status lb_builder_keep_connected(lb_builder *b, int segment) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    const lbf_draft *d = &b->draft;
    keep_flags keep;
    if (segment < 0 || segment >= d->segment_count) {
        return FAIL(b, LB_ERROR_ARGUMENT, "there is no such segment");
    }
    int *set = lbf_new(&d->allocator, (size_t)d->segment_count, sizeof *set);
    if (!set || !begin_filter(d, &keep)) {
        lbf_delete(&d->allocator, set, (size_t)d->segment_count, sizeof *set);
        return lbf_no_memory(&b->error);
    }
    lbf_find_loops(d, set, keep.joints); /* which of them close loops does not matter here */
    memset(keep.joints, 1, (size_t)d->joint_count);
    for (int i = 0; i < d->segment_count; i++) {
        keep.segments[i] = lbf_set_of(set, i) == lbf_set_of(set, segment);
    }
    lbf_delete(&d->allocator, set, (size_t)d->segment_count, sizeof *set);
    return end_filter(b, &keep);
}

lb_status lb_builder_freeze_joint(lb_builder *b, int joint, const double *values) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_joint(b, joint);
    if (status) {
        return status;
    }
    lb_joint *j = &b->draft.joints[joint];
    int dofs = lb_joint_type_dof_count(&j->type);
    if (values && !lbm_all_finite(values, dofs)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a value to freeze joint '", j->name, "' at is not finite");
    }
    for (int i = 0; values && i < dofs; i++) {
        if (fabs(values[i]) > 1e100) {
            return FAIL(b, LB_ERROR_TOO_LARGE, "a value to freeze joint '", j->name,
                        "' at is too large to compute with");
        }
    }
    if (values) {
        memcpy(j->rest, values, (size_t)dofs * sizeof *values);
    }
    j->frozen = 1;
    return LB_OK;
}

lb_status lb_builder_thaw_joint(lb_builder *b, int joint) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check_joint(b, joint);
    if (!status) {
        b->draft.joints[joint].frozen = 0;
    }
    return status;
}

/* --- Attaching --------------------------------------------------------------------------------------- */

/* How many of each part there were, to go back to when something fails half way. */
typedef struct part_counts {
    int segment, site, shape, joint, group, parameter, drive, limit;
} part_counts;

static part_counts count_parts(const lbf_draft *d) {
    return (part_counts){d->segment_count, d->site_count,      d->shape_count, d->joint_count,
                         d->group_count,   d->parameter_count, d->drive_count, d->limit_count};
}

static void cut_back(lbf_draft *d, const part_counts *to) {
    d->segment_count = to->segment;
    d->site_count = to->site;
    d->shape_count = to->shape;
    d->joint_count = to->joint;
    d->group_count = to->group;
    d->parameter_count = to->parameter;
    d->drive_count = to->drive;
    d->limit_count = to->limit;
    lbf_draft_index(d); /* fewer names than before: needs no memory */
}

static const char *prefixed(lb_builder *b, const char *prefix, const char *name) {
    return lbf_arena_text(&b->draft.arena, &b->draft.allocator, prefix, name, NULL);
}

static lb_dof_ref shifted(const part_counts *by, lb_dof_ref ref) {
    if (ref.joint >= 0) {
        ref.joint += by->joint;
    } else {
        ref.parameter += by->parameter;
    }
    return ref;
}

static int attach_bodies(lb_builder *b, const lbf_draft *from, const part_counts *by, const char *prefix) {
    int index = 0;
    for (int i = 0; i < from->segment_count && index >= 0; i++) {
        lb_segment segment = from->segments[i];
        if (!(segment.name = prefixed(b, prefix, segment.name))) {
            return lbf_no_memory(&b->error);
        }
        index = lb_builder_add_segment(b, &segment);
    }
    for (int i = 0; i < from->site_count && index >= 0; i++) {
        lb_site site = from->sites[i];
        site.segment += by->segment;
        index = lb_builder_add_site(b, &site);
    }
    for (int i = 0; i < from->shape_count && index >= 0; i++) {
        lb_shape shape = from->shapes[i];
        shape.segment += by->segment;
        index = lb_builder_add_shape(b, &shape);
    }
    for (int i = 0; i < from->joint_count && index >= 0; i++) {
        lb_joint joint = from->joints[i];
        joint.site_a += by->site;
        joint.site_b += by->site;
        if (!(joint.name = prefixed(b, prefix, joint.name))) {
            return lbf_no_memory(&b->error);
        }
        index = lb_builder_add_joint(b, &joint);
    }
    return index;
}

static int attach_couplings(lb_builder *b, const lbf_draft *from, const part_counts *by, const char *prefix) {
    int index = 0;
    for (int i = 0; i < from->group_count && index >= 0; i++) {
        const char *name = prefixed(b, prefix, from->groups[i].name);
        index = name ? lb_builder_add_group(b, name) : (int)lbf_no_memory(&b->error);
    }
    for (int i = 0; i < from->parameter_count && index >= 0; i++) {
        lb_parameter parameter = from->parameters[i];
        parameter.group += by->group;
        index = lb_builder_add_parameter(b, &parameter);
    }
    for (int i = 0; i < from->drive_count && index >= 0; i++) {
        lb_drive drive = from->drives[i];
        drive.joint += by->joint;
        drive.source = shifted(by, drive.source);
        index = lb_builder_add_drive(b, &drive);
    }
    for (int i = 0; i < from->limit_count && index >= 0; i++) {
        lb_limit limit = from->limits[i];
        lb_dof_ref *terms =
            lbf_arena_copy(&b->draft.arena, &b->draft.allocator, limit.terms, (size_t)limit.count * sizeof *terms);
        if (!terms) {
            return lbf_no_memory(&b->error);
        }
        for (int k = 0; k < limit.count; k++) {
            terms[k] = shifted(by, terms[k]);
        }
        limit.terms = terms;
        if (limit.name && !(limit.name = prefixed(b, prefix, limit.name))) {
            return lbf_no_memory(&b->error);
        }
        index = lb_builder_add_limit(b, &limit);
    }
    return index;
}

int lb_builder_attach(lb_builder *b, const lb_figure *figure, const char *prefix) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!figure || !prefix) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    part_counts before = count_parts(&b->draft);
    int index = attach_bodies(b, &figure->draft, &before, prefix);
    if (index >= 0) {
        index = attach_couplings(b, &figure->draft, &before, prefix);
    }
    if (index < 0) {
        cut_back(&b->draft, &before);
        return index;
    }
    return before.segment;
}

/* --- Scaling ------------------------------------------------------------------------------------------ */

static void scale3(double v[3], double factor) {
    for (int i = 0; i < 3; i++) {
        v[i] *= factor;
    }
}

static int is_length(const lbf_draft *d, int joint, int dof) {
    return !lb_joint_type_is_angle(&d->joints[joint].type, dof);
}

static void scale_joint(lb_joint *joint, double factor) {
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        if (lb_joint_type_is_angle(&joint->type, i)) {
            continue;
        }
        joint->lower[i] *= factor;
        joint->upper[i] *= factor;
        joint->rest[i] *= factor;
        joint->velocity[i] *= factor;
        joint->acceleration[i] *= factor;
        joint->soft_lower[i] *= factor;
        joint->soft_upper[i] *= factor;
    }
}

/* y = f(x) becomes y = a f(x / b) where y is a length scaled by a, x one scaled by b. The points are arena memory,
 * ours. */
static void scale_curve(lb_curve *curve, double a, double b) {
    curve->offset *= a;
    curve->slope *= a / b;
    for (int i = 0; i < curve->count; i++) {
        ((double *)curve->x)[i] *= b;
        ((double *)curve->y)[i] *= a;
    }
}

lb_status lb_builder_scale(lb_builder *b, double length_factor, double mass_factor) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    lbf_draft *d = &b->draft;
    if (!lbm_is_finite(length_factor) || length_factor <= 0 || !lbm_is_finite(mass_factor) || mass_factor < 0) {
        return FAIL(b, LB_ERROR_ARGUMENT,
                    "a figure is scaled by a length factor above 0 and a mass factor of at least 0");
    }
    d->stature *= length_factor;
    lbf_scale_body(d, length_factor, mass_factor);
    scale3(d->root.placement.position, length_factor);
    for (int i = 0; i < d->segment_count; i++) {
        scale3(d->segments[i].com, length_factor);
        d->segments[i].mass *= mass_factor;
    }
    for (int i = 0; i < d->site_count; i++) {
        scale3(d->sites[i].frame.position, length_factor);
    }
    for (int i = 0; i < d->shape_count; i++) {
        scale3(d->shapes[i].frame.position, length_factor);
        scale3(d->shapes[i].size, length_factor);
        double(*vertices)[3] = (double(*)[3])d->shapes[i].vertices; /* in the draft's own arena */
        for (int k = 0; k < d->shapes[i].vertex_count; k++) {
            scale3(vertices[k], length_factor);
        }
    }
    for (int i = 0; i < d->joint_count; i++) {
        scale_joint(&d->joints[i], length_factor);
    }
    for (int i = 0; i < d->drive_count; i++) {
        lb_drive *drive = &d->drives[i];
        double a = is_length(d, drive->joint, drive->dof) ? length_factor : 1;
        double c = drive->source.joint >= 0 && is_length(d, drive->source.joint, drive->source.dof) ? length_factor : 1;
        scale_curve(&drive->curve, a, c);
    }
    for (int i = 0; i < d->limit_count; i++) {
        for (int k = 0; k < d->limits[i].count; k++) {
            const lb_dof_ref *ref = &d->limits[i].terms[k];
            if (ref->joint >= 0 && is_length(d, ref->joint, ref->dof)) {
                ((double *)d->limits[i].coefficients)[k] /= length_factor;
            }
        }
    }
    return LB_OK;
}
