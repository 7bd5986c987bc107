/* Looking at a figure: parts, names, the tree. */
#include "figure/figure.h"

#include <string.h>

const char *lb_figure_name(const lb_figure *figure) { return figure->draft.name; }
double lb_figure_stature(const lb_figure *figure) { return figure->draft.stature; }

int lb_figure_segment_count(const lb_figure *figure) { return figure->draft.segment_count; }
int lb_figure_site_count(const lb_figure *figure) { return figure->draft.site_count; }
int lb_figure_shape_count(const lb_figure *figure) { return figure->draft.shape_count; }
int lb_figure_joint_count(const lb_figure *figure) { return figure->draft.joint_count; }
int lb_figure_group_count(const lb_figure *figure) { return figure->draft.group_count; }
int lb_figure_parameter_count(const lb_figure *figure) { return figure->draft.parameter_count; }
int lb_figure_drive_count(const lb_figure *figure) { return figure->draft.drive_count; }
int lb_figure_limit_count(const lb_figure *figure) { return figure->draft.limit_count; }
int lb_figure_loop_count(const lb_figure *figure) { return figure->loop_count; }
int lb_figure_variable_count(const lb_figure *figure) { return figure->variable_count; }
int lb_figure_row_count(const lb_figure *figure) { return figure->row_count; }
double lb_figure_mass(const lb_figure *figure) { return figure->mass; }

#define PART(array, count, index) ((index) >= 0 && (index) < (count) ? &(array)[index] : NULL)

const lb_segment *lb_figure_segment(const lb_figure *figure, int segment) {
    return PART(figure->draft.segments, figure->draft.segment_count, segment);
}

const lb_site *lb_figure_site(const lb_figure *figure, int site) {
    return PART(figure->draft.sites, figure->draft.site_count, site);
}

const lb_shape *lb_figure_shape(const lb_figure *figure, int shape) {
    return PART(figure->draft.shapes, figure->draft.shape_count, shape);
}

const lb_joint *lb_figure_joint(const lb_figure *figure, int joint) {
    return PART(figure->draft.joints, figure->draft.joint_count, joint);
}

const lb_group *lb_figure_group(const lb_figure *figure, int group) {
    return PART(figure->draft.groups, figure->draft.group_count, group);
}

const lb_parameter *lb_figure_parameter(const lb_figure *figure, int parameter) {
    return PART(figure->draft.parameters, figure->draft.parameter_count, parameter);
}

const lb_drive *lb_figure_drive(const lb_figure *figure, int drive) {
    return PART(figure->draft.drives, figure->draft.drive_count, drive);
}

const lb_limit *lb_figure_limit(const lb_figure *figure, int limit) {
    return PART(figure->draft.limits, figure->draft.limit_count, limit);
}

const lb_variable *lb_figure_variable(const lb_figure *figure, int variable) {
    return PART(figure->variables, figure->variable_count, variable);
}

const lb_limit_row *lb_figure_row(const lb_figure *figure, int row) {
    return PART(figure->rows, figure->row_count, row);
}

const lb_root *lb_figure_root(const lb_figure *figure) { return &figure->draft.root; }

int lb_figure_loop_joint(const lb_figure *figure, int loop) {
    return loop >= 0 && loop < figure->loop_count ? figure->loop_joints[loop] : -1;
}

/* --- Names ----------------------------------------------------------------------------------------- */

int lb_figure_find_segment(const lb_figure *figure, const char *name) {
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_SEGMENT, name);
}

int lb_figure_find_joint(const lb_figure *figure, const char *name) {
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_JOINT, name);
}

int lb_figure_find_group(const lb_figure *figure, const char *name) {
    return lbf_names_find(&figure->draft.names, LBF_SCOPE_GROUP, name);
}

int lb_figure_find_variable(const lb_figure *figure, const char *name) {
    return lbf_names_find(&figure->names, 0, name);
}

int lb_figure_find_site(const lb_figure *figure, const char *name) {
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) { /* names may hold dots themselves */
        char segment_name[256];
        size_t size = (size_t)(dot - name);
        if (size >= sizeof segment_name) break;
        memcpy(segment_name, name, size);
        segment_name[size] = 0;
        int segment = lb_figure_find_segment(figure, segment_name);
        int site = segment < 0 ? -1 : lbf_names_find(&figure->draft.names, lbf_scope_of_site(segment), dot + 1);
        if (site >= 0) return site;
    }
    return lbf_names_find(&figure->names, 1, name);
}

int lb_figure_variable_of(const lb_figure *figure, const lb_dof_ref *ref) {
    if (ref->joint >= 0) {
        const lb_joint *joint = lb_figure_joint(figure, ref->joint);
        if (!joint || ref->dof < 0 || ref->dof >= lb_joint_type_dof_count(&joint->type)) return -1;
        return figure->coordinate_variable[lbf_coordinate(figure, ref->joint, ref->dof)];
    }
    if (ref->parameter >= 0) {
        if (ref->parameter >= figure->draft.parameter_count) return -1;
        return figure->variable_count - figure->draft.parameter_count + ref->parameter;
    }
    return ref->dof >= 0 && ref->dof < figure->root_coordinates ? ref->dof : -1;
}

/* --- The tree -------------------------------------------------------------------------------------- */

int lb_figure_parent_joint(const lb_figure *figure, int segment) {
    return segment >= 0 && segment < figure->draft.segment_count ? figure->parent_joint[segment] : -1;
}

int lb_figure_parent_segment(const lb_figure *figure, int segment) {
    int joint = lb_figure_parent_joint(figure, segment);
    if (joint < 0) return -1;
    const lb_joint *j = &figure->draft.joints[joint];
    int a = figure->draft.sites[j->site_a].segment, b = figure->draft.sites[j->site_b].segment;
    return a == segment ? b : a;
}

void lb_figure_tree_order(const lb_figure *figure, int *order) {
    memcpy(order, figure->tree_order, (size_t)figure->draft.segment_count * sizeof *order);
}
