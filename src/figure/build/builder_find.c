/* What a figure that is being built has: its parts by number and by name. */
#include <string.h>

#include "figure/build/builder.h"
#include "figure/figure.h"

int lb_builder_segment_count(const lb_builder *builder) { return builder ? builder->draft.segment_count : 0; }
int lb_builder_site_count(const lb_builder *builder) { return builder ? builder->draft.site_count : 0; }
int lb_builder_joint_count(const lb_builder *builder) { return builder ? builder->draft.joint_count : 0; }

const lb_segment *lb_builder_segment(const lb_builder *b, int segment) {
    if (!b) {
        return NULL;
    }
    return segment >= 0 && segment < b->draft.segment_count ? &b->draft.segments[segment] : NULL;
}

const lb_site *lb_builder_site(const lb_builder *b, int site) {
    if (!b) {
        return NULL;
    }
    return site >= 0 && site < b->draft.site_count ? &b->draft.sites[site] : NULL;
}

const lb_joint *lb_builder_joint(const lb_builder *b, int joint) {
    if (!b) {
        return NULL;
    }
    return joint >= 0 && joint < b->draft.joint_count ? &b->draft.joints[joint] : NULL;
}

int lb_builder_find_segment(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_SEGMENT, name);
}

int lb_builder_find_site(const lb_builder *b, int segment, const char *name) {
    if (!b || !name || segment < 0 || segment >= b->draft.segment_count) {
        return LB_ERROR_ARGUMENT;
    }
    return segment < 0 ? -1 : lbf_names_find(&b->draft.names, lbf_scope_of_site(segment), name);
}

int lb_builder_find_joint(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_JOINT, name);
}

int lb_builder_find_group(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_GROUP, name);
}

int lb_builder_find_parameter(const lb_builder *b, int group, const char *name) {
    if (!b || !name || group < 0 || group >= b->draft.group_count) {
        return LB_ERROR_ARGUMENT;
    }
    return group < 0 ? -1 : lbf_names_find(&b->draft.names, lbf_scope_of_parameter(group), name);
}

/* A name in a scope of which only the first `size` characters count. */
static int find_prefix(const lb_builder *b, int scope, const char *name, size_t size) {
    char text[256];
    if (size >= sizeof text) {
        return -1;
    }
    memcpy(text, name, size);
    text[size] = 0;
    return lbf_names_find(&b->draft.names, scope, text);
}

lb_status lb_builder_find_dof(const lb_builder *b, const char *name, lb_dof_ref *ref) {
    if (!b || !name || !ref) {
        return LB_ERROR_ARGUMENT;
    }
    int joint = lb_builder_find_joint(b, name);
    if (joint >= 0 && lb_joint_type_dof_count(&b->draft.joints[joint].type) == 1) {
        *ref = (lb_dof_ref){joint, 0, -1};
        return LB_OK;
    }
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) { /* names may hold dots themselves */
        size_t size = (size_t)(dot - name);
        joint = find_prefix(b, LBF_SCOPE_JOINT, name, size);
        int dofs = joint < 0 ? 0 : lb_joint_type_dof_count(&b->draft.joints[joint].type);
        for (int i = 0; i < dofs; i++) {
            if (strcmp(b->draft.joints[joint].dof_names[i], dot + 1) == 0) {
                *ref = (lb_dof_ref){joint, i, -1};
                return LB_OK;
            }
        }
        int parameter = lb_builder_find_parameter(b, find_prefix(b, LBF_SCOPE_GROUP, name, size), dot + 1);
        if (parameter >= 0) {
            *ref = (lb_dof_ref){-1, 0, parameter};
            return LB_OK;
        }
    }
    return LB_ERROR_NAME;
}
