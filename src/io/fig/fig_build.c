/* The figure made of what a .fig file says: names are resolved here, when all of them are known. Order of work:
 * segments, sites, Denavit-Hartenberg chains, shapes, joints, groups, drives, limits, root, and of the finished figure
 * the body; within each kind the order of the file. */
#include "io/fig/fig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int lbio_fig_builder_fail(fig_maker *maker, int line) {
    if (maker->reader->status == LB_OK) {
        maker->reader->status = lbio_builder_fail(maker->reader->source, maker->builder, line);
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------
 * Names that are not there
 * ------------------------------------------------------------------------------------------------- */

#define MAX_SUGGESTED 20000 /* names compared to make a suggestion */

typedef struct name_list {
    const char **names;
    int count, capacity;
} name_list;

static void list_start(fig_maker *maker, name_list *list, int count) {
    list->capacity = count < MAX_SUGGESTED ? count : MAX_SUGGESTED;
    list->names = lbio_fig_take(maker->reader, (size_t)(list->capacity + 1) * sizeof *list->names);
    list->count = 0;
    list->capacity = list->names ? list->capacity : 0;
}

static void list_add(name_list *list, const char *name) {
    if (list->count < list->capacity) {
        list->names[list->count++] = name;
    }
}

static int no_such(fig_maker *maker, int line, const char *what, const char *name, const name_list *list) {
    const char *near = lbio_nearest(name, list->names, list->count);
    if (near) {
        return lbio_fig_fail(maker->reader, line, "there is no %s `%s`; did you mean `%s`?", what, name, near);
    }
    return lbio_fig_fail(maker->reader, line, "there is no %s `%s`; add it, or correct the name", what, name);
}

int lbio_fig_find_segment(fig_maker *maker, const char *name, int line, int *segment) {
    *segment = lb_builder_find_segment(maker->builder, name);
    if (*segment >= 0) {
        return 1;
    }
    name_list list;
    int count = lb_builder_segment_count(maker->builder);
    list_start(maker, &list, count);
    for (int i = 0; i < count; i++) {
        list_add(&list, lb_builder_segment(maker->builder, i)->name);
    }
    return no_such(maker, line, "segment", name, &list);
}

int lbio_fig_find_segment_site(fig_maker *maker, int segment, const char *name, int line, int *site) {
    *site = lb_builder_find_site(maker->builder, segment, name);
    if (*site >= 0) {
        return 1;
    }
    name_list list;
    char what[120];
    int count = lb_builder_site_count(maker->builder);
    list_start(maker, &list, count);
    for (int i = 0; i < count; i++) {
        const lb_site *other = lb_builder_site(maker->builder, i);
        if (other->segment == segment) {
            list_add(&list, other->name);
        }
    }
    snprintf(what, sizeof what, "site on segment `%.60s` named", lb_builder_segment(maker->builder, segment)->name);
    return no_such(maker, line, what, name, &list);
}

int lbio_fig_find_site(fig_maker *maker, const fig_ref *ref, int *site) {
    int segment;
    if (!lbio_fig_find_segment(maker, ref->first, ref->line, &segment)) {
        return 0;
    }
    if (!ref->second) {
        return lbio_fig_fail(maker->reader, ref->line, "`%s` is a segment; a site is wanted here: %s.site", ref->first,
                             ref->first);
    }
    return lbio_fig_find_segment_site(maker, segment, ref->second, ref->line, site);
}

/* Which dof of the joint the reference names; -1 if none. */
static int match_dof(const lb_joint *joint, const fig_ref *ref) {
    int count = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < count; i++) {
        if (ref->second ? strcmp(joint->dof_names[i], ref->second) == 0 : count == 1) {
            return i;
        }
    }
    return -1;
}

static int no_such_joint_dof(fig_maker *maker, const lb_joint *joint, const fig_ref *ref) {
    char dofs[200] = "";
    int count = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(dofs);
        snprintf(dofs + used, sizeof dofs - used, "%s%s", i ? ", " : "", joint->dof_names[i]);
    }
    if (count == 0) {
        return lbio_fig_fail(maker->reader, ref->line, "joint `%s` is fixed; it has no dof", ref->first);
    }
    if (!ref->second) {
        return lbio_fig_fail(maker->reader, ref->line, "joint `%s` has %d dofs; say which, e.g. `%s.%s` (it has %s)",
                             ref->first, count, ref->first, joint->dof_names[0], dofs);
    }
    return lbio_fig_fail(maker->reader, ref->line, "joint `%s` has no dof `%s`; it has %s", ref->first, ref->second,
                         dofs);
}

static int no_such_dof(fig_maker *maker, int group, const fig_ref *ref) {
    name_list list;
    int joints = lb_builder_joint_count(maker->builder);
    list_start(maker, &list, joints + maker->group_count + maker->parameter_count);
    const fig_file *file = maker->file;
    for (int i = 0; i < maker->parameter_count && !ref->second && group >= 0; i++) {
        if (lb_builder_find_group(maker->builder, maker->parameters[i]->group) == group) {
            list_add(&list, maker->parameters[i]->name);
        }
    }
    for (const fig_group *other = file->groups.first; other; other = other->next) {
        list_add(&list, other->name);
    }
    for (int i = 0; i < joints; i++) {
        list_add(&list, lb_builder_joint(maker->builder, i)->name);
    }
    size_t stem = strcspn(ref->first, "-");
    for (int i = 0; i < list.count && ref->first[stem]; i++) {
        if (strlen(list.names[i]) == stem && memcmp(list.names[i], ref->first, stem) == 0) {
            return lbio_fig_fail(maker->reader, ref->line,
                                 "there is no `%s`; if a minus is meant, put blanks around it", ref->first);
        }
    }
    return no_such(maker, ref->line,
                   ref->second  ? "joint or group"
                   : group >= 0 ? "parameter or joint"
                                : "joint",
                   ref->first, &list);
}

static int no_such_parameter(fig_maker *maker, const fig_ref *ref) {
    name_list list;
    char what[120];
    list_start(maker, &list, maker->parameter_count);
    for (int i = 0; i < maker->parameter_count; i++) {
        if (strcmp(maker->parameters[i]->group, ref->first) == 0) {
            list_add(&list, maker->parameters[i]->name);
        }
    }
    snprintf(what, sizeof what, "parameter of group `%.60s` named", ref->first);
    return no_such(maker, ref->line, what, ref->second, &list);
}

/* A parameter of the group that the statement stands in, joint.dof, joint (of one dof), or group.parameter. */
int lbio_fig_find_dof(fig_maker *maker, const char *group, const fig_ref *ref, lb_dof_ref *dof) {
    int own_group = group ? lb_builder_find_group(maker->builder, group) : -1;
    int other_group = ref->second ? lb_builder_find_group(maker->builder, ref->first) : -1;
    int parameter = ref->second ? -1 : lb_builder_find_parameter(maker->builder, own_group, ref->first);
    if (parameter >= 0) {
        *dof = (lb_dof_ref){-1, 0, parameter};
        return 1;
    }
    int joint = lb_builder_find_joint(maker->builder, ref->first);
    const lb_joint *found = lb_builder_joint(maker->builder, joint);
    int index = found ? match_dof(found, ref) : -1;
    if (index >= 0) {
        *dof = (lb_dof_ref){joint, index, -1};
        return 1;
    }
    parameter = ref->second ? lb_builder_find_parameter(maker->builder, other_group, ref->second) : -1;
    if (parameter >= 0) {
        *dof = (lb_dof_ref){-1, 0, parameter};
        return 1;
    }
    return found              ? no_such_joint_dof(maker, found, ref)
           : other_group >= 0 ? no_such_parameter(maker, ref)
                              : no_such_dof(maker, own_group, ref);
}

int lbio_fig_dof_is_angle(const fig_maker *maker, const lb_dof_ref *dof) {
    if (dof->joint >= 0) {
        return lb_joint_type_is_angle(&lb_builder_joint(maker->builder, dof->joint)->type, dof->dof);
    }
    return maker->parameters[dof->parameter]->kind == FIG_ANGLE;
}

/* ---------------------------------------------------------------------------------------------------
 * Segments, sites, chains
 * ------------------------------------------------------------------------------------------------- */

static int build_segments(fig_maker *maker) {
    for (const fig_segment *said = maker->file->segments.first; said; said = said->next) {
        lb_segment segment;
        lb_segment_defaults(&segment);
        segment.name = said->name;
        segment.mass = said->mass;
        memcpy(segment.com, said->com, sizeof segment.com);
        if (lb_builder_add_segment(maker->builder, &segment) < 0) {
            return lbio_fig_builder_fail(maker, said->line);
        }
    }
    return maker->file->segments.count > 0 ||
           lbio_fig_fail(maker->reader, maker->file->line, "figure `%s` has no segment; add `segment name { }`",
                         maker->file->name);
}

static int build_site(fig_maker *maker, const fig_site *said, int segment) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = said->name;
    site.segment = segment;
    site.frame = said->frame;
    return lb_builder_add_site(maker->builder, &site) >= 0 || lbio_fig_builder_fail(maker, said->line);
}

static int build_chain(fig_maker *maker, const fig_chain *chain) {
    int base, count = 0;
    lb_dh_row *rows = lbio_fig_take(maker->reader, (size_t)chain->link_count * sizeof *rows);
    if (!rows || !lbio_fig_find_site(maker, &chain->base, &base)) {
        return 0;
    }
    for (const fig_link *link = chain->links; link; link = link->next, count++) {
        double lower = link->has_range && link->lower.unit != FIG_NONE ? link->lower.number : -INFINITY;
        double upper = link->has_range && link->upper.unit != FIG_NONE ? link->upper.number : INFINITY;
        rows[count] =
            (lb_dh_row){link->name, link->a, link->alpha, link->d, link->theta, link->is_prismatic, lower, upper};
    }
    return lb_builder_add_dh_chain(maker->builder, base, chain->convention, count, rows) >= 0 ||
           lbio_fig_builder_fail(maker, chain->line);
}

/* Sites on written segments first: chains stand on them. Then chains, and the sites on segments that chains made, as
 * they come in the file. */
static int build_sites_and_chains(fig_maker *maker) {
    const fig_site *said;
    const fig_chain *chain = maker->file->chains.first;
    int written = lb_builder_segment_count(maker->builder);
    for (said = maker->file->sites.first; said; said = said->next) {
        int segment = lb_builder_find_segment(maker->builder, said->segment);
        if (segment < 0 && !chain) {
            return lbio_fig_find_segment(maker, said->segment, said->line, &segment);
        }
        if (segment >= 0 && !build_site(maker, said, segment)) {
            return 0;
        }
    }
    for (said = maker->file->sites.first; chain || said;) {
        if (chain && (!said || chain->order < said->order)) {
            if (!build_chain(maker, chain)) {
                return 0;
            }
            chain = chain->next;
            continue;
        }
        int segment = lb_builder_find_segment(maker->builder, said->segment);
        if (segment < 0) {
            return lbio_fig_find_segment(maker, said->segment, said->line, &segment);
        }
        if (segment >= written && !build_site(maker, said, segment)) {
            return 0;
        }
        said = said->next;
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Shapes
 * ------------------------------------------------------------------------------------------------- */

/* The shortest rotation that takes z to the direction d from one point to the other is (z x d, 1 + z.d), normalised;
 * where d is nearly -z, 1 + dz = (dx^2 + dy^2) / (1 - dz) keeps its digits. */
int lbio_fig_frame_between(const double from[3], const double to[3], lb_frame *frame, double *half) {
    double d[3], length = 0;
    lb_frame_identity(frame);
    for (int i = 0; i < 3; i++) {
        d[i] = to[i] - from[i];
        frame->position[i] = (from[i] + to[i]) / 2;
        length += d[i] * d[i];
    }
    length = sqrt(length);
    *half = length / 2;
    if (!(length > 0) || length - length != 0) {
        return length == 0;
    }
    for (int i = 0; i < 3; i++) {
        d[i] /= length;
    }
    double across = d[0] * d[0] + d[1] * d[1];
    if (across == 0 && d[2] < 0) {
        frame->rotation[0] = 1;
        frame->rotation[3] = 0;
        return 1;
    }
    double w = d[2] < 0 ? across / (1 - d[2]) : 1 + d[2];
    double norm = sqrt(across + w * w);
    frame->rotation[0] = (0 - d[1]) / norm;
    frame->rotation[1] = d[0] / norm;
    frame->rotation[3] = w / norm;
    return 1;
}

static int resolve_place(fig_maker *maker, const fig_place *place, int segment, lb_frame *frame) {
    *frame = place->frame;
    int site;
    if (place->site) {
        if (!lbio_fig_find_segment_site(maker, segment, place->site, place->line, &site)) {
            return 0;
        }
        *frame = lb_builder_site(maker->builder, site)->frame;
    }
    return 1;
}

int lbio_fig_build_shapes(fig_maker *maker) {
    for (const fig_shape *said = maker->file->shapes.first; said; said = said->next) {
        lb_shape shape;
        lb_frame other;
        lb_shape_defaults(&shape);
        shape.kind = said->kind;
        shape.color = said->color;
        shape.use = said->use;
        memcpy(shape.size, said->size, sizeof shape.size);
        if (!lbio_fig_find_segment(maker, said->segment, said->line, &shape.segment) ||
            !resolve_place(maker, &said->places[0], shape.segment, &shape.frame)) {
            return 0;
        }
        if (said->place_count == 2) {
            lb_frame first = shape.frame;
            if (!resolve_place(maker, &said->places[1], shape.segment, &other)) {
                return 0;
            }
            if (!lbio_fig_frame_between(first.position, other.position, &shape.frame, &shape.size[1])) {
                return lbio_fig_fail(maker->reader, said->line,
                                     "the ends of this shape lie too far apart to compute with");
            }
        }
        if (lb_builder_add_shape(maker->builder, &shape) < 0) {
            return lbio_fig_builder_fail(maker, said->line);
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * All of it
 * ------------------------------------------------------------------------------------------------- */

static int build_root(fig_maker *maker) {
    const fig_file *file = maker->file;
    lb_root root;
    lb_root_defaults(&root);
    root.segment = 0;
    root.site = -1;
    root.is_free = file->root_is_free;
    root.placement = file->at_line ? file->at : file->placement;
    int line = file->root_line ? file->root_line : file->place_line ? file->place_line : file->at_line;
    if (line == 0) {
        return 1; /* the builder's own default */
    }
    if (file->root_line && !lbio_fig_find_segment(maker, file->root.first, file->root.line, &root.segment)) {
        return 0;
    }
    if (file->root_line && file->root.second && !lbio_fig_find_site(maker, &file->root, &root.site)) {
        return 0;
    }
    return lb_builder_set_root(maker->builder, &root) == LB_OK || lbio_fig_builder_fail(maker, line);
}

static int build_all(fig_maker *maker) {
    const fig_file *file = maker->file;
    if (lb_builder_set_name(maker->builder, file->name) != LB_OK) {
        return lbio_fig_builder_fail(maker, file->line);
    }
    if (file->stature_line && lb_builder_set_stature(maker->builder, file->stature) != LB_OK) {
        return lbio_fig_builder_fail(maker, file->stature_line);
    }
    return build_segments(maker) && build_sites_and_chains(maker) && lbio_fig_build_shapes(maker) &&
           lbio_fig_build_joints(maker) && lbio_fig_build_groups(maker) && lbio_fig_build_drives(maker) &&
           lbio_fig_build_limits(maker) && build_root(maker) && lbio_fig_rest_joints(maker);
}

lb_status lbio_read_fig(const lbio_source *source, const char *folder, lb_figure **figure) {
    fig_reader reader;
    fig_file file;
    memset(&reader, 0, sizeof reader);
    memset(&file, 0, sizeof file);
    reader.source = source;
    if (source->options->allocator) {
        reader.allocator = *source->options->allocator;
    }
    if (lbio_fig_parse(&reader, &file) && lbio_fig_rest_parameters(&reader, &file)) {
        fig_maker maker = {&reader, &file, lb_builder_create(source->options->allocator, NULL), 0, 0, NULL};
        if (!maker.builder) {
            lbio_fig_fail_status(&reader, LB_ERROR_MEMORY, 0, "out of memory");
        } else if (build_all(&maker) && lbio_fig_build_meshes(&maker, folder) &&
                   lb_builder_finish(maker.builder, figure) != LB_OK) {
            lbio_fig_builder_fail(&maker, file.line);
        }
        if (reader.status == LB_OK && !lbio_fig_build_body(&maker, *figure)) {
            lb_figure_destroy(*figure);
            *figure = NULL;
        }
        lb_builder_destroy(maker.builder);
    }
    lbio_fig_reader_free(&reader);
    return reader.status;
}
