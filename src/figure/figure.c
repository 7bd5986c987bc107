/* Looking at a figure: parts, names, the tree. */
#include "figure/figure.h"

#include <string.h>

const char *lb_figure_name(const lb_figure *figure) { return figure ? figure->draft.name : NULL; }
double lb_figure_stature(const lb_figure *figure) { return figure ? figure->draft.stature : 0; }

int lb_figure_segment_count(const lb_figure *figure) { return figure ? figure->draft.segment_count : 0; }
int lb_figure_site_count(const lb_figure *figure) { return figure ? figure->draft.site_count : 0; }
int lb_figure_shape_count(const lb_figure *figure) { return figure ? figure->draft.shape_count : 0; }
int lb_figure_joint_count(const lb_figure *figure) { return figure ? figure->draft.joint_count : 0; }
int lb_figure_group_count(const lb_figure *figure) { return figure ? figure->draft.group_count : 0; }
int lb_figure_parameter_count(const lb_figure *figure) { return figure ? figure->draft.parameter_count : 0; }
int lb_figure_drive_count(const lb_figure *figure) { return figure ? figure->draft.drive_count : 0; }
int lb_figure_limit_count(const lb_figure *figure) { return figure ? figure->draft.limit_count : 0; }
int lb_figure_loop_count(const lb_figure *figure) { return figure ? figure->loop_count : 0; }
int lb_figure_variable_count(const lb_figure *figure) { return figure ? figure->variable_count : 0; }
int lb_figure_row_count(const lb_figure *figure) { return figure ? figure->row_count : 0; }
double lb_figure_mass(const lb_figure *figure) { return figure ? figure->mass : 0; }

#define PART(array, count, index) (figure && (index) >= 0 && (index) < figure->count ? &figure->array[index] : NULL)

const lb_segment *lb_figure_segment(const lb_figure *figure, int segment) {
    return PART(draft.segments, draft.segment_count, segment);
}

const lb_site *lb_figure_site(const lb_figure *figure, int site) { return PART(draft.sites, draft.site_count, site); }

const lb_shape *lb_figure_shape(const lb_figure *figure, int shape) {
    return PART(draft.shapes, draft.shape_count, shape);
}

const lb_joint *lb_figure_joint(const lb_figure *figure, int joint) {
    return PART(draft.joints, draft.joint_count, joint);
}

const lb_group *lb_figure_group(const lb_figure *figure, int group) {
    return PART(draft.groups, draft.group_count, group);
}

const lb_parameter *lb_figure_parameter(const lb_figure *figure, int parameter) {
    return PART(draft.parameters, draft.parameter_count, parameter);
}

const lb_drive *lb_figure_drive(const lb_figure *figure, int drive) {
    return PART(draft.drives, draft.drive_count, drive);
}

const lb_limit *lb_figure_limit(const lb_figure *figure, int limit) {
    return PART(draft.limits, draft.limit_count, limit);
}

const lb_variable *lb_figure_variable(const lb_figure *figure, int variable) {
    return PART(variables, variable_count, variable);
}

const lb_limit_row *lb_figure_row(const lb_figure *figure, int row) { return PART(rows, row_count, row); }

const lb_root *lb_figure_root(const lb_figure *figure) { return figure ? &figure->draft.root : NULL; }

int lb_figure_loop_joint(const lb_figure *figure, int loop) {
    if (!figure) {
        return LB_ERROR_ARGUMENT;
    }
    return loop >= 0 && loop < figure->loop_count ? figure->loop_joints[loop] : -1;
}

/* --- Names ----------------------------------------------------------------------------------------- */

int lb_figure_find_segment(const lb_figure *figure, const char *name) {
    if (!figure || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_SEGMENT, name);
}

int lb_figure_find_joint(const lb_figure *figure, const char *name) {
    if (!figure || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_JOINT, name);
}

int lb_figure_find_group(const lb_figure *figure, const char *name) {
    if (!figure || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_GROUP, name);
}

int lb_figure_find_variable(const lb_figure *figure, const char *name) {
    if (!figure || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&figure->names, 0, name);
}

int lb_figure_find_site(const lb_figure *figure, const char *name) {
    if (!figure || !name) {
        return LB_ERROR_ARGUMENT;
    }
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) { /* names may hold dots themselves */
        char segment_name[256];
        size_t size = (size_t)(dot - name);
        if (size >= sizeof segment_name) {
            break;
        }
        memcpy(segment_name, name, size);
        segment_name[size] = 0;
        int segment = lb_figure_find_segment(figure, segment_name);
        int site = segment < 0 ? -1 : lbf_names_find(&figure->draft.names, lbf_scope_of_site(segment), dot + 1);
        if (site >= 0) {
            return site;
        }
    }
    return lbf_names_find(&figure->names, 1, name);
}

int lb_figure_variable_of(const lb_figure *figure, const lb_dof_ref *ref) {
    if (!figure || !ref) {
        return LB_ERROR_ARGUMENT;
    }
    if (ref->joint >= 0) {
        const lb_joint *joint = lb_figure_joint(figure, ref->joint);
        if (!joint || ref->dof < 0 || ref->dof >= lb_joint_type_dof_count(&joint->type)) {
            return -1;
        }
        return figure->coordinate_variable[lbf_coordinate(figure, ref->joint, ref->dof)];
    }
    if (ref->parameter >= 0) {
        if (ref->parameter >= figure->draft.parameter_count) {
            return -1;
        }
        return figure->variable_count - figure->draft.parameter_count + ref->parameter;
    }
    return ref->dof >= 0 && ref->dof < figure->root_coordinates ? ref->dof : -1;
}

/* --- The tree -------------------------------------------------------------------------------------- */

int lb_figure_parent_joint(const lb_figure *figure, int segment) {
    if (!figure) {
        return LB_ERROR_ARGUMENT;
    }
    return segment >= 0 && segment < figure->draft.segment_count ? figure->parent_joint[segment] : -1;
}

int lb_figure_parent_segment(const lb_figure *figure, int segment) {
    if (!figure) {
        return LB_ERROR_ARGUMENT;
    }
    int joint = lb_figure_parent_joint(figure, segment);
    if (joint < 0) {
        return -1;
    }
    const lb_joint *j = &figure->draft.joints[joint];
    int a = figure->draft.sites[j->site_a].segment, b = figure->draft.sites[j->site_b].segment;
    return a == segment ? b : a;
}

void lb_figure_tree_order(const lb_figure *figure, int *order) {
    if (!figure || !order) {
        return;
    }
    memcpy(order, figure->tree_order, (size_t)figure->draft.segment_count * sizeof *order);
}
