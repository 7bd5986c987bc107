/* From a description to a figure, step by step: the tree, the nodes, the variables, the limits. */
#include <string.h>

#include "figure/body.h"
#include "figure/build/builder.h"
#include "figure/figure.h"
#include "math/rotation.h"

#define FAIL(error, status, ...) lbf_fail(error, status, __VA_ARGS__, (char *)0)

void *lbf_figure_take(lb_figure *figure, size_t count, size_t size) {
    if (size && count > (size_t)-1 / 2 / size) {
        return NULL;
    }
    void *block = lbf_arena_take(&figure->draft.arena, &figure->draft.allocator, count * size + 1);
    if (block) {
        memset(block, 0, count * size);
    }
    return block;
}

void lb_figure_destroy(lb_figure *figure) {
    if (!figure) {
        return;
    }
    lb_allocator a = figure->draft.allocator;
    lbf_names_free(&figure->names, &a);
    lbf_draft_free(&figure->draft);
    lbf_delete(&a, figure, 1, sizeof *figure);
}

lb_status lbf_compile(const lbf_draft *draft, lb_figure **figure, lb_error *error) {
    if (draft->segment_count == 0) {
        return FAIL(error, LB_ERROR_FIGURE, "the figure has no segments; add at least one");
    }
    lb_figure *made = lbf_new(&draft->allocator, 1, sizeof *made);
    if (!made) {
        return lbf_no_memory(error);
    }
    lbf_draft_init(&made->draft, &draft->allocator);
    lb_status status = lbf_draft_copy(&made->draft, draft) ? LB_OK : lbf_no_memory(error);
    made->draft.has_root = 1;
    made->kernels = lbm_kernels_best();
    if (!status) {
        status = lbf_compile_tree(made, error);
    }
    if (!status) {
        status = lbf_compile_nodes(made, error);
    }
    if (!status) {
        status = lbf_compile_variables(made, error);
    }
    if (!status) {
        status = lbf_compile_limits(made, error);
    }
    if (!status) {
        status = lbf_fit_body(made, error);
    }
    if (status) {
        lb_figure_destroy(made);
        return status;
    }
    *figure = made;
    return LB_OK;
}

/* --- The tree ------------------------------------------------------------------------------------- */

int lbf_set_of(int *parent, int i) {
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

/* Joints that close a cycle, in order of joints: a joint between segments that earlier joints connect already. So which
 * ones they are does not depend on the root. */
void lbf_find_loops(const lbf_draft *d, int *set, unsigned char *closes) {
    for (int i = 0; i < d->segment_count; i++) {
        set[i] = i;
    }
    for (int i = 0; i < d->joint_count; i++) {
        int a = lbf_set_of(set, d->sites[d->joints[i].site_a].segment);
        int b = lbf_set_of(set, d->sites[d->joints[i].site_b].segment);
        closes[i] = a == b;
        set[b] = a;
    }
}

static int other_segment(const lbf_draft *d, int joint, int segment) {
    int a = d->sites[d->joints[joint].site_a].segment, b = d->sites[d->joints[joint].site_b].segment;
    return a == segment ? b : a;
}

/* BAGS 4.1.1: from the root outwards every joint gets a direction. Depth first, joints in their order, so that the
 * segments of a chain stand one behind the other. first[s] .. first[s+1] are the entries of `edges` at segment s. */
static int walk_tree(lb_figure *f, const int *first, const int *edges, int *stack, int *next) {
    const lbf_draft *d = &f->draft;
    int depth = 0, visited = 0, root = d->root.segment;
    for (int i = 0; i < d->segment_count; i++) {
        f->parent_joint[i] = -2; /* not seen */
    }
    f->parent_joint[root] = -1;
    f->tree_order[visited++] = root;
    stack[depth++] = root;
    next[root] = first[root];
    while (depth) {
        int segment = stack[depth - 1];
        if (next[segment] == first[segment + 1]) {
            depth--;
            continue;
        }
        int joint = edges[next[segment]++], child = other_segment(d, joint, segment);
        if (f->parent_joint[child] != -2) {
            continue;
        }
        f->parent_joint[child] = joint;
        f->tree_order[visited++] = child;
        next[child] = first[child];
        stack[depth++] = child;
    }
    return visited;
}

static lb_status report_unconnected(const lb_figure *f, lb_error *error) {
    const lbf_draft *d = &f->draft;
    for (int i = 0; i < d->segment_count; i++) {
        if (f->parent_joint[i] == -2) {
            return FAIL(error, LB_ERROR_FIGURE, "segment '", d->segments[i].name,
                        "' is not connected to the root segment '", d->segments[d->root.segment].name,
                        "'; connect it with a joint (type fixed, if it does not move)");
        }
    }
    return LB_ERROR_FIGURE;
}

lb_status lbf_compile_tree(lb_figure *f, lb_error *error) {
    const lbf_draft *d = &f->draft;
    size_t segments = (size_t)d->segment_count, joints = (size_t)d->joint_count;
    f->parent_joint = lbf_figure_take(f, segments, sizeof(int));
    f->tree_order = lbf_figure_take(f, segments, sizeof(int));
    size_t scratch_size = (3 * segments + 1 + 2 * joints) * sizeof(int) + joints;
    int *scratch = lbf_new(&d->allocator, scratch_size, 1);
    if (!f->parent_joint || !f->tree_order || !scratch) {
        lbf_delete(&d->allocator, scratch, scratch_size, 1);
        return lbf_no_memory(error);
    }
    int *first = scratch, *stack = first + segments + 1, *next = stack + segments, *edges = next + segments;
    unsigned char *closes = (unsigned char *)(edges + 2 * joints);
    lbf_find_loops(d, next, closes);
    for (int i = 0; i < d->joint_count; i++) {
        if (closes[i]) {
            continue;
        }
        first[d->sites[d->joints[i].site_a].segment + 1]++;
        first[d->sites[d->joints[i].site_b].segment + 1]++;
    }
    for (int i = 0; i < d->segment_count; i++) {
        first[i + 1] += first[i];
    }
    for (int i = 0; i < d->segment_count; i++) {
        next[i] = first[i];
    }
    for (int i = 0; i < d->joint_count; i++) {
        if (closes[i]) {
            continue;
        }
        edges[next[d->sites[d->joints[i].site_a].segment]++] = i;
        edges[next[d->sites[d->joints[i].site_b].segment]++] = i;
    }
    lb_status status = LB_OK;
    if (walk_tree(f, first, edges, stack, next) < d->segment_count) {
        status = report_unconnected(f, error);
    }
    for (int i = 0; i < d->joint_count; i++) {
        f->loop_count += closes[i];
    }
    f->loop_joints = lbf_figure_take(f, (size_t)f->loop_count, sizeof(int));
    if (!status && !f->loop_joints) {
        status = lbf_no_memory(error);
    }
    for (int i = 0, n = 0; !status && i < d->joint_count; i++) {
        if (closes[i]) {
            f->loop_joints[n++] = i;
        }
    }
    lbf_delete(&d->allocator, scratch, scratch_size, 1);
    return status;
}
