#include "figure/build/draft.h"

#include <string.h>

#include "figure/body.h"

void lbf_draft_init(lbf_draft *draft, const lb_allocator *allocator) {
    memset(draft, 0, sizeof *draft);
    draft->allocator = lbf_allocator(allocator);
    draft->name = "figure";
    lb_root_defaults(&draft->root);
}

void lbf_draft_free(lbf_draft *draft) {
    const lb_allocator *a = &draft->allocator;
    lbf_names_free(&draft->names, a);
    lbf_arena_free(&draft->arena, a);
#define FREE(part)      \
    if (draft->part##s) \
    lbf_delete(a, draft->part##s, (size_t)draft->part##_capacity, sizeof *draft->part##s)
    FREE(segment);
    FREE(site);
    FREE(shape);
    FREE(joint);
    FREE(group);
    FREE(parameter);
    FREE(drive);
    FREE(limit);
#undef FREE
}

static const char *copy_text(lbf_draft *to, const char *text, int *ok) {
    if (!text) {
        return NULL;
    }
    const char *copy = lbf_arena_text(&to->arena, &to->allocator, text, NULL, NULL);
    if (!copy) {
        *ok = 0;
    }
    return copy;
}

static const void *copy_data(lbf_draft *to, const void *data, int count, size_t size, int *ok) {
    if (!data || count <= 0) {
        return NULL;
    }
    const void *copy = lbf_arena_copy(&to->arena, &to->allocator, data, (size_t)count * size);
    if (!copy) {
        *ok = 0;
    }
    return copy;
}

/* Gives every name and list that the draft points to a home in its own arena. */
static int own_everything(lbf_draft *d) {
    int ok = 1;
    d->name = copy_text(d, d->name, &ok);
    for (int i = 0; i < d->segment_count; i++) {
        d->segments[i].name = copy_text(d, d->segments[i].name, &ok);
    }
    for (int i = 0; i < d->site_count; i++) {
        d->sites[i].name = copy_text(d, d->sites[i].name, &ok);
    }
    for (int i = 0; i < d->shape_count; i++) {
        lb_shape *shape = &d->shapes[i];
        shape->vertices = copy_data(d, shape->vertices, shape->vertex_count, sizeof *shape->vertices, &ok);
        shape->triangles = copy_data(d, shape->triangles, shape->triangle_count, sizeof *shape->triangles, &ok);
    }
    for (int i = 0; i < d->group_count; i++) {
        d->groups[i].name = copy_text(d, d->groups[i].name, &ok);
    }
    for (int i = 0; i < d->parameter_count; i++) {
        d->parameters[i].name = copy_text(d, d->parameters[i].name, &ok);
    }
    for (int i = 0; i < d->joint_count; i++) {
        lb_joint *joint = &d->joints[i];
        joint->name = copy_text(d, joint->name, &ok);
        for (int k = 0; k < LB_JOINT_MAX_DOFS; k++) {
            joint->dof_names[k] = copy_text(d, joint->dof_names[k], &ok);
        }
        joint->swing = copy_data(d, joint->swing, joint->swing_count, sizeof *joint->swing, &ok);
    }
    for (int i = 0; i < d->drive_count; i++) {
        lb_curve *curve = &d->drives[i].curve;
        curve->x = copy_data(d, curve->x, curve->count, sizeof *curve->x, &ok);
        curve->y = copy_data(d, curve->y, curve->count, sizeof *curve->y, &ok);
    }
    for (int i = 0; i < d->limit_count; i++) {
        lb_limit *limit = &d->limits[i];
        limit->name = copy_text(d, limit->name, &ok);
        limit->terms = copy_data(d, limit->terms, limit->count, sizeof *limit->terms, &ok);
        limit->coefficients = copy_data(d, limit->coefficients, limit->count, sizeof *limit->coefficients, &ok);
    }
    return ok;
}

int lbf_draft_copy(lbf_draft *to, const lbf_draft *from) {
    to->name = from->name;
    to->stature = from->stature;
    to->root = from->root;
    to->has_root = from->has_root;
#define COPY(part)                                                                              \
    if (from->part##_count) {                                                                   \
        to->part##s = lbf_new(&to->allocator, (size_t)from->part##_count, sizeof *to->part##s); \
        if (!to->part##s)                                                                       \
            return 0;                                                                           \
        to->part##_count = to->part##_capacity = from->part##_count;                            \
        memcpy(to->part##s, from->part##s, (size_t)from->part##_count * sizeof *to->part##s);   \
    }
    COPY(segment)
    COPY(site)
    COPY(shape)
    COPY(joint)
    COPY(group)
    COPY(parameter)
    COPY(drive)
    COPY(limit)
#undef COPY
    to->body_root = from->body_root;
    to->body_axes = from->body_axes;
    to->body = from->body ? lbf_copy_body(to, from->body) : NULL;
    int ok = to->body || !from->body;
    if (to->body) {
        to->body_refs = copy_data(to, from->body_refs, to->body->variable_count, sizeof *from->body_refs, &ok);
    }
    return ok && own_everything(to) && lbf_draft_index(to);
}

int lbf_draft_index(lbf_draft *d) {
    int wanted = d->segment_count + d->site_count + d->joint_count + d->group_count + d->parameter_count;
    if (!lbf_names_reserve(&d->names, &d->allocator, wanted)) {
        return 0;
    }
    lbf_names_clear(&d->names);
    for (int i = 0; i < d->segment_count; i++) {
        lbf_names_set(&d->names, &d->allocator, LBF_SCOPE_SEGMENT, d->segments[i].name, i);
    }
    for (int i = 0; i < d->site_count; i++) {
        lbf_names_set(&d->names, &d->allocator, lbf_scope_of_site(d->sites[i].segment), d->sites[i].name, i);
    }
    for (int i = 0; i < d->joint_count; i++) {
        lbf_names_set(&d->names, &d->allocator, LBF_SCOPE_JOINT, d->joints[i].name, i);
    }
    for (int i = 0; i < d->group_count; i++) {
        lbf_names_set(&d->names, &d->allocator, LBF_SCOPE_GROUP, d->groups[i].name, i);
    }
    for (int i = 0; i < d->parameter_count; i++) {
        lbf_names_set(&d->names, &d->allocator, lbf_scope_of_parameter(d->parameters[i].group), d->parameters[i].name,
                      i);
    }
    return 1;
}

/* Old index -> new index, or -1, for each kind of part that others refer to. */
typedef struct renumbering {
    int *segment, *site, *joint, *group, *parameter;
} renumbering;

static int kept_dof(const lbf_draft *d, const renumbering *r, int joint, int dof) {
    return r->joint[joint] >= 0 && dof < lb_joint_type_dof_count(&d->joints[joint].type);
}

static int kept_ref(const lbf_draft *d, const renumbering *r, const lb_dof_ref *ref) {
    return ref->joint >= 0 ? kept_dof(d, r, ref->joint, ref->dof) : 1;
}

static int kept_drive(const lbf_draft *d, const renumbering *r, const lb_drive *drive) {
    return kept_dof(d, r, drive->joint, drive->dof) && kept_ref(d, r, &drive->source);
}

static int kept_limit(const lbf_draft *d, const renumbering *r, const lb_limit *limit) {
    for (int k = 0; k < limit->count; k++) {
        if (!kept_ref(d, r, &limit->terms[k])) {
            return 0;
        }
        if (limit->terms[k].joint < 0 && r->parameter[limit->terms[k].parameter] < 0) {
            return 0;
        }
    }
    return 1;
}

/* Which parameters stay: those that drive something that stays, and those that drove nothing before. */
static void renumber_parameters(const lbf_draft *d, renumbering *r) {
    for (int i = 0; i < d->parameter_count; i++) {
        r->parameter[i] = 0; /* bit 1: drove, bit 2: drives */
    }
    for (int i = 0; i < d->drive_count; i++) {
        const lb_drive *drive = &d->drives[i];
        if (drive->source.joint >= 0) {
            continue;
        }
        r->parameter[drive->source.parameter] |= kept_drive(d, r, drive) ? 3 : 1;
    }
    for (int i = 0; i < d->group_count; i++) {
        r->group[i] = 0; /* bit 1: had parameters, bit 2: has some */
    }
    int next = 0;
    for (int i = 0; i < d->parameter_count; i++) {
        r->group[d->parameters[i].group] |= r->parameter[i] == 1 ? 1 : 3;
        r->parameter[i] = r->parameter[i] == 1 ? -1 : next++;
    }
    next = 0;
    for (int i = 0; i < d->group_count; i++) {
        r->group[i] = r->group[i] == 1 ? -1 : next++;
    }
}

static void renumber_ref(const renumbering *r, lb_dof_ref *ref) {
    if (ref->joint >= 0) {
        ref->joint = r->joint[ref->joint];
    } else {
        ref->parameter = r->parameter[ref->parameter];
    }
}

static void compact(lbf_draft *d, const renumbering *r) {
    int n = 0;
    for (int i = 0; i < d->drive_count; i++) {
        if (!kept_drive(d, r, &d->drives[i])) {
            continue;
        }
        lb_drive drive = d->drives[i];
        drive.joint = r->joint[drive.joint];
        renumber_ref(r, &drive.source);
        d->drives[n++] = drive;
    }
    d->drive_count = n;
    n = 0;
    for (int i = 0; i < d->limit_count; i++) {
        lb_limit limit = d->limits[i];
        if (!kept_limit(d, r, &limit)) {
            continue;
        }
        for (int k = 0; k < limit.count; k++) {
            renumber_ref(r, (lb_dof_ref *)&limit.terms[k]); /* arena memory, ours */
        }
        d->limits[n++] = limit;
    }
    d->limit_count = n;
#define COMPACT(part, fix)                      \
    n = 0;                                      \
    for (int i = 0; i < d->part##_count; i++) { \
        if (r->part[i] < 0)                     \
            continue;                           \
        d->part##s[n] = d->part##s[i];          \
        fix;                                    \
        n++;                                    \
    }                                           \
    d->part##_count = n;
    COMPACT(parameter, d->parameters[n].group = r->group[d->parameters[n].group])
    COMPACT(group, (void)0)
    COMPACT(joint,
            (d->joints[n].site_a = r->site[d->joints[n].site_a], d->joints[n].site_b = r->site[d->joints[n].site_b]))
    COMPACT(site, d->sites[n].segment = r->segment[d->sites[n].segment])
    COMPACT(segment, (void)0)
#undef COMPACT
    n = 0;
    for (int i = 0; i < d->shape_count; i++) {
        lb_shape shape = d->shapes[i];
        shape.segment = r->segment[shape.segment];
        if (shape.segment >= 0) {
            d->shapes[n++] = shape;
        }
    }
    d->shape_count = n;
}

int lbf_draft_filter(lbf_draft *d, const unsigned char *keep_segment, const unsigned char *keep_joint) {
    size_t total = (size_t)d->segment_count + (size_t)d->site_count + (size_t)d->joint_count + (size_t)d->group_count +
                   (size_t)d->parameter_count;
    int *block = lbf_new(&d->allocator, total, sizeof *block);
    if (!block) {
        return 0;
    }
    renumbering r = {block, NULL, NULL, NULL, NULL};
    r.site = r.segment + d->segment_count;
    r.joint = r.site + d->site_count;
    r.group = r.joint + d->joint_count;
    r.parameter = r.group + d->group_count;
    int n = 0;
    for (int i = 0; i < d->segment_count; i++) {
        r.segment[i] = keep_segment[i] ? n++ : -1;
    }
    n = 0;
    for (int i = 0; i < d->site_count; i++) {
        r.site[i] = r.segment[d->sites[i].segment] >= 0 ? n++ : -1;
    }
    n = 0;
    for (int i = 0; i < d->joint_count; i++) {
        const lb_joint *joint = &d->joints[i];
        r.joint[i] = keep_joint[i] && r.site[joint->site_a] >= 0 && r.site[joint->site_b] >= 0 ? n++ : -1;
    }
    renumber_parameters(d, &r);
    compact(d, &r);
    d->body = NULL; /* it was that of the whole figure */
    if (d->has_root) {
        d->root.segment = r.segment[d->root.segment];
        if (d->root.site >= 0) {
            d->root.site = r.site[d->root.site];
        }
        if (d->root.segment < 0) { /* the root went: as if none had been chosen */
            d->has_root = 0;
            lb_root_defaults(&d->root);
        }
    }
    lbf_delete(&d->allocator, block, total, sizeof *block);
    lbf_draft_index(d);
    return 1;
}
