/*
 * BVH out. BVH knows joints that are all turned alike when their angles are 0, each an OFFSET from the one before,
 * with Euler angles. A figure is written in one of two ways:
 *
 * - as it is, if it is made like that (all that came from a BVH file is): the same names, offsets, channels and order;
 * - else by the place of every joint in the rest pose, from which every angle then counts: see bvh_express.c.
 *
 * The motion is a clip's, or one frame: the pose.
 */
#include "io/bvh/bvh_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Numbers and names
 * ------------------------------------------------------------------------------------------------- */

/* Decimal with a point, whatever the locale. */
static void print_digits(double value, int digits, char text[40]) {
    char printed[40];
    int count = 0;
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    for (const char *at = printed; *at; at++) {
        int is_plain = (*at >= '0' && *at <= '9') || *at == 'e' || *at == '-' || *at == '+';
        if (is_plain || count == 0 || text[count - 1] != '.') {
            text[count++] = is_plain ? *at : '.';
        }
    }
    text[count] = 0;
}

void lbio_bvh_print(lbio_text *text, double value, double unit) {
    char printed[40];
    double quotient = value / unit, back;
    if (value == 0) {
        lbio_text_add(text, "0");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        print_digits(quotient, digits, printed);
        if (lbio_number(printed, printed + strlen(printed), &back) && back * unit == value) {
            lbio_text_number(text, back); /* the same digits, without an exponent where none is needed */
            return;
        }
    }
    /* Division and multiplication round, so the quotient's neighbour may be the one. */
    double neighbours[2] = {nextafter(quotient, -INFINITY), nextafter(quotient, INFINITY)};
    for (int i = 0; i < 2; i++) {
        quotient = neighbours[i] * unit == value ? neighbours[i] : quotient;
    }
    lbio_text_number(text, quotient);
}

/* A name as BVH can have it: one line, no braces. */
static void print_name(lbio_bvh_out *out, const char *name) {
    int changed = 0;
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        int is_bad =
            (unsigned char)c < 0x20 || c == '{' || c == '}' || c == 0x7f || (c == ' ' && (i == 0 || i + 1 == length));
        char kept[2] = {is_bad ? '_' : c, 0};
        changed |= is_bad;
        lbio_text_add(out->text, kept);
    }
    if (changed) {
        lbio_bvh_out_warn(out, "the name \"%s\" is written with _ for what BVH cannot have in it", name);
    }
}

void lbio_bvh_out_warn(const lbio_bvh_out *out, const char *format, ...) {
    if (!out->options->warn) {
        return;
    }
    lb_error warning;
    memset(&warning, 0, sizeof warning);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning.message, sizeof warning.message, format, arguments);
    va_end(arguments);
    out->options->warn(out->options->warn_context, &warning);
}

/* ---------------------------------------------------------------------------------------------------
 * Figures that are made like BVH
 * ------------------------------------------------------------------------------------------------- */

static int is_unturned(const lb_frame *frame) {
    const double *q = frame->rotation;
    return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1;
}

static int is_origin(const lb_frame *frame) {
    const double *p = frame->position;
    return is_unturned(frame) && p[0] == 0 && p[1] == 0 && p[2] == 0;
}

/* The axis (0, 1, 2) that a vector is; -1 if none. */
static int axis_of(const double v[3]) {
    for (int i = 0; i < 3; i++) {
        if (v[i] == 1 && v[(i + 1) % 3] == 0 && v[(i + 2) % 3] == 0) {
            return i;
        }
    }
    return -1;
}

/* The channels of a type of translations along and then rotations about the axes; 0 for other types. */
static int plain_channels(const lb_joint_type *type, lbio_bvh_node *node) {
    int used[3] = {0, 0, 0};
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *element = &type->elements[i];
        int axis = axis_of(element->axis), is_rotation = element->kind == LB_ELEMENT_ROTATE;
        int after_rotation = i > 0 && type->elements[i - 1].kind == LB_ELEMENT_ROTATE;
        if (axis < 0 || (!is_rotation && (element->kind != LB_ELEMENT_TRANSLATE || after_rotation || used[axis]++))) {
            return 0;
        }
        node->channels[i] = (lbio_bvh_channel)(axis + (is_rotation ? LBIO_BVH_X_ROTATION : 0));
        node->dofs[i] = i;
    }
    node->channel_count = type->element_count;
    return 1;
}

/* The order that the name of the child-side site keeps, if it does (see LBIO_BVH_BASE). */
static void restore_order(const char *base, lbio_bvh_node *node) {
    int taken[LB_JOINT_MAX_DOFS] = {0}, count = 0;
    lbio_bvh_node ordered = *node;
    const char *at = base + strlen(LBIO_BVH_BASE);
    if (strncmp(base, LBIO_BVH_BASE, strlen(LBIO_BVH_BASE)) != 0) {
        return;
    }
    for (; at[0] == '_' && count < node->channel_count; at += 3) {
        int found = -1;
        for (int i = node->channel_count - 1; i >= 0; i--) {
            found = !taken[i] && strncmp(at + 1, lbio_bvh_dof_names[node->channels[i]], 2) == 0 ? i : found;
        }
        if (found < 0) {
            return;
        }
        taken[found] = 1;
        ordered.channels[count] = node->channels[found];
        ordered.dofs[count++] = node->dofs[found];
    }
    if (*at == 0 && count == node->channel_count) {
        *node = ordered;
    }
}

static int is_plain_joint(const lbio_bvh_out *out, int segment) {
    const lb_figure *figure = out->figure;
    lbio_bvh_node *node = &out->nodes[segment];
    int index = lb_figure_parent_joint(figure, segment);
    const lb_joint *joint = lb_figure_joint(figure, index);
    const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
    if (b->segment != segment || !is_unturned(&a->frame) || !is_origin(&b->frame) || joint->frozen ||
        !plain_channels(&joint->type, node)) {
        return 0;
    }
    restore_order(b->name, node);
    return 1;
}

static int is_plain(const lbio_bvh_out *out) {
    const lb_figure *figure = out->figure;
    const lb_root *root = lb_figure_root(figure);
    if (!out->skips_root || root->site >= 0 ||
        (memcmp(root->placement.rotation, lbio_bvh_to_world, sizeof lbio_bvh_to_world) != 0 &&
         memcmp(root->placement.rotation, lbio_bvh_from_z_up, sizeof lbio_bvh_from_z_up) != 0) ||
        root->placement.position[0] != 0 || root->placement.position[1] != 0 || root->placement.position[2] != 0 ||
        lb_figure_drive_count(figure) || lb_figure_loop_count(figure)) {
        return 0;
    }
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        if (i != root->segment && !is_plain_joint(out, i)) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Writing such a figure: the numbers of each joint
 * ------------------------------------------------------------------------------------------------- */

/* How the position channels of joints that are no roots are written (see judge_positions in bvh_read.c). */
typedef enum positions { ADDED, ABSOLUTE, ALL_IN_FRAME } positions;

static void set_joint(const lbio_bvh_out *out, int segment, positions how, lbio_bvh_evidence *evidence) {
    lbio_bvh_node *node = &out->nodes[segment];
    int index = lb_figure_parent_joint(out->figure, segment);
    int is_root = lb_figure_parent_segment(out->figure, segment) == lb_figure_root(out->figure)->segment;
    const lb_joint *joint = lb_figure_joint(out->figure, index);
    const double *at = lb_figure_site(out->figure, joint->site_a)->frame.position;
    memcpy(node->offset, at, sizeof node->offset);
    for (int c = 0; c < node->channel_count; c++) {
        int axis = node->channels[c] % 3, dof = node->dofs[c];
        node->values[c] = lb_kinematics_dof(out->kinematics, index, dof);
        if (node->channels[c] >= LBIO_BVH_X_ROTATION) {
            continue;
        }
        if (is_root || how == ABSOLUTE) {
            node->offset[axis] += joint->rest[dof];
            node->values[c] += at[axis];
        } else if (how == ALL_IN_FRAME) {
            node->offset[axis] = 0;
            node->values[c] += at[axis];
        }
        if (!is_root) {
            evidence->from_offset += fabs(node->values[c] - node->offset[axis]);
            evidence->from_zero += fabs(node->values[c]);
        }
    }
}

static int set_joints(const lbio_bvh_out *out, positions how) {
    lbio_bvh_evidence evidence = {0, 0};
    for (int i = 0; i < lb_figure_segment_count(out->figure); i++) {
        if (i != lb_figure_root(out->figure)->segment) {
            set_joint(out, i, how, &evidence);
        }
    }
    return lbio_bvh_is_absolute(&evidence);
}

/* Whether joints other than roots have their offsets as rest values of position channels, as if read as absolute. */
static int has_absolute_joints(const lbio_bvh_out *out) {
    int rests = 0, offsets = 0;
    for (int i = 0; i < lb_figure_segment_count(out->figure); i++) {
        int index = lb_figure_parent_joint(out->figure, i);
        int is_root = index < 0 || lb_figure_parent_segment(out->figure, i) == lb_figure_root(out->figure)->segment;
        const lb_joint *joint = lb_figure_joint(out->figure, index);
        for (int c = 0; !is_root && c < out->nodes[i].channel_count; c++) {
            int axis = out->nodes[i].channels[c];
            if (axis < LBIO_BVH_X_ROTATION) {
                rests |= joint->rest[out->nodes[i].dofs[c]] != 0;
                offsets |= lb_figure_site(out->figure, joint->site_a)->frame.position[axis] != 0;
            }
        }
    }
    return rests && !offsets;
}

/* A reader judges by the frame; where this pose would mislead it, all of each place goes into the frame, which every
 * reader understands. */
static positions set_plain(const lbio_bvh_out *out) {
    positions how = has_absolute_joints(out) ? ABSOLUTE : ADDED;
    if (set_joints(out, how) != (how == ABSOLUTE)) {
        how = ALL_IN_FRAME;
        set_joints(out, how);
        lbio_bvh_out_warn(
            out, "in this pose positions are far from the joints' offsets; they are written as values, offsets 0");
    }
    /* A site that no joint uses is an End Site. */
    for (int i = lb_figure_site_count(out->figure) - 1; i >= 0; i--) {
        int segment = lb_figure_site(out->figure, i)->segment;
        if (!out->is_joint_site[i] && segment != lb_figure_root(out->figure)->segment) {
            out->next_end[i] = out->nodes[segment].first_end;
            out->nodes[segment].first_end = i;
        }
    }
    return how;
}

/* ---------------------------------------------------------------------------------------------------
 * The file
 * ------------------------------------------------------------------------------------------------- */

static void print_indent(lbio_text *text, int depth) {
    for (int i = 0; i < depth; i++) {
        lbio_text_add(text, "\t");
    }
}

static void print_offset(lbio_bvh_out *out, int depth, const double offset[3]) {
    print_indent(out->text, depth);
    lbio_text_add(out->text, "OFFSET");
    for (int i = 0; i < 3; i++) {
        lbio_text_add(out->text, " ");
        lbio_bvh_print(out->text, offset[i], out->options->bvh_unit);
    }
    lbio_text_add(out->text, "\n");
}

static void print_end(lbio_bvh_out *out, int depth, const double offset[3]) {
    print_indent(out->text, depth);
    lbio_text_add(out->text, "End Site\n");
    print_indent(out->text, depth);
    lbio_text_add(out->text, "{\n");
    print_offset(out, depth + 1, offset);
    print_indent(out->text, depth);
    lbio_text_add(out->text, "}\n");
}

static void open_node(lbio_bvh_out *out, int segment, int depth) {
    const lbio_bvh_node *node = &out->nodes[segment];
    print_indent(out->text, depth);
    lbio_text_add(out->text, depth ? "JOINT " : "ROOT ");
    print_name(out, lb_figure_segment(out->figure, segment)->name);
    lbio_text_add(out->text, "\n");
    print_indent(out->text, depth);
    lbio_text_add(out->text, "{\n");
    print_offset(out, depth + 1, node->offset);
    print_indent(out->text, depth + 1);
    lbio_text_format(out->text, "CHANNELS %d", node->channel_count);
    for (int c = 0; c < node->channel_count; c++) {
        lbio_text_format(out->text, " %s", lbio_bvh_channel_names[node->channels[c]]);
    }
    lbio_text_add(out->text, "\n");
    out->order[out->order_count++] = segment;
}

static void close_node(lbio_bvh_out *out, int segment, int depth) {
    const lbio_bvh_node *node = &out->nodes[segment];
    for (int site = node->first_end; site >= 0; site = out->next_end[site]) {
        print_end(out, depth + 1, lb_figure_site(out->figure, site)->frame.position);
    }
    if (node->has_tip) {
        print_end(out, depth + 1, node->tip);
    }
    print_indent(out->text, depth);
    lbio_text_add(out->text, "}\n");
}

/* Depth first, without recursion. */
static void print_tree(lbio_bvh_out *out, int top) {
    int segment = top, depth = 0;
    for (;;) {
        if (depth >= LBIO_BVH_MAX_DEPTH) {
            out->is_too_deep = 1;
            return;
        }
        open_node(out, segment, depth);
        if (out->nodes[segment].first_child >= 0) {
            segment = out->nodes[segment].first_child;
            depth++;
            continue;
        }
        for (;;) {
            close_node(out, segment, depth);
            if (segment == top) {
                return;
            }
            if (out->nodes[segment].next_sibling >= 0) {
                segment = out->nodes[segment].next_sibling;
                break;
            }
            segment = lb_figure_parent_segment(out->figure, segment);
            depth--;
        }
    }
}

static void print_hierarchy(lbio_bvh_out *out) {
    int root = lb_figure_root(out->figure)->segment;
    lbio_text_add(out->text, "HIERARCHY\n");
    if (!out->skips_root) {
        print_tree(out, root);
    }
    for (int top = out->nodes[root].first_child; out->skips_root && top >= 0; top = out->nodes[top].next_sibling) {
        print_tree(out, top);
    }
}

static void print_frame(lbio_bvh_out *out) {
    const char *blank = "";
    for (int i = 0; i < out->order_count; i++) {
        const lbio_bvh_node *node = &out->nodes[out->order[i]];
        for (int c = 0; c < node->channel_count; c++) {
            int is_angle = node->channels[c] >= LBIO_BVH_X_ROTATION;
            lbio_text_add(out->text, blank);
            lbio_bvh_print(out->text, node->values[c], is_angle ? LBIO_BVH_DEGREE : out->options->bvh_unit);
            blank = " ";
        }
    }
    lbio_text_add(out->text, "\n");
}

/* ---------------------------------------------------------------------------------------------------
 * The writer
 * ------------------------------------------------------------------------------------------------- */

/* A root that is only a place to stand on: it does not move, weighs nothing, shows nothing, and carries something. */
static int is_only_ground(const lb_figure *figure) {
    const lb_root *root = lb_figure_root(figure);
    int carries = 0;
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        carries |= lb_figure_parent_segment(figure, i) == root->segment;
    }
    for (int i = 0; i < lb_figure_shape_count(figure); i++) {
        carries &= lb_figure_shape(figure, i)->segment != root->segment;
    }
    return carries && !root->is_free && lb_figure_segment(figure, root->segment)->mass == 0;
}

static void link_tree(lbio_bvh_out *out) {
    const lb_figure *figure = out->figure;
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        out->nodes[i].first_child = out->nodes[i].next_sibling = out->nodes[i].first_end = -1;
    }
    for (int i = 0; i < lb_figure_joint_count(figure); i++) { /* which segment each joint carries */
        out->carried[i] = -1;
    }
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        int joint = lb_figure_parent_joint(figure, i);
        if (joint >= 0) {
            out->carried[joint] = i;
        }
    }
    for (int i = lb_figure_joint_count(figure) - 1; i >= 0;
         i--) { /* so that children come in the order of their joints */
        const lb_joint *joint = lb_figure_joint(figure, i);
        out->is_joint_site[joint->site_a] = out->is_joint_site[joint->site_b] = 1;
        if (out->carried[i] >= 0) {
            lbio_bvh_node *parent = &out->nodes[lb_figure_parent_segment(figure, out->carried[i])];
            out->nodes[out->carried[i]].next_sibling = parent->first_child;
            parent->first_child = out->carried[i];
        }
    }
    out->skips_root = is_only_ground(figure);
}

static void warn_of_losses(const lbio_bvh_out *out) {
    const lb_figure *figure = out->figure;
    int limits = lb_figure_limit_count(figure), masses = 0;
    for (int i = 0; i < lb_figure_joint_count(figure); i++) {
        const lb_joint *joint = lb_figure_joint(figure, i);
        limits += joint->swing_count > 0;
        for (int d = 0; d < lb_joint_type_dof_count(&joint->type); d++) {
            limits += joint->lower[d] > -INFINITY || joint->upper[d] < INFINITY;
        }
    }
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        masses += lb_figure_segment(figure, i)->mass > 0;
    }
    if (limits || masses || lb_figure_drive_count(figure)) {
        lbio_bvh_out_warn(out, "BVH has no limits, masses, groups or mimic joints: left out");
    }
    if (lb_figure_loop_count(figure)) {
        lbio_bvh_out_warn(out, "BVH has no loops: %d joint%s left open", lb_figure_loop_count(figure),
                          lb_figure_loop_count(figure) == 1 ? " is" : "s are");
    }
}

static int allocate(lbio_bvh_out *out) {
    size_t segments = (size_t)lb_figure_segment_count(out->figure), sites = (size_t)lb_figure_site_count(out->figure);
    out->nodes = calloc(segments, sizeof *out->nodes);
    out->order = calloc(segments, sizeof *out->order);
    out->carried = calloc((size_t)lb_figure_joint_count(out->figure) + 1, sizeof *out->carried);
    out->next_end = calloc(sites + 1, sizeof *out->next_end);
    out->is_joint_site = calloc(sites + 1, sizeof *out->is_joint_site);
    out->pose = calloc((size_t)lb_figure_variable_count(out->figure) + 1, sizeof *out->pose);
    out->kinematics = lb_kinematics_create(out->figure, NULL);
    return out->nodes && out->order && out->carried && out->next_end && out->is_joint_site && out->pose &&
           out->kinematics;
}

static lb_status take_pose(lbio_bvh_out *out, const double *pose, int frame, lb_error *error) {
    out->posed = pose;
    if (lb_kinematics_update(out->kinematics, pose) == LB_OK) {
        return LB_OK;
    }
    return lbio_error(error, LB_ERROR_ARGUMENT, "", 0,
                      "frame %d of what is to be written has a value that is not finite", frame + 1);
}

static lb_status write_file(lbio_bvh_out *out, const lb_clip *clip, lb_error *error) {
    int frames = clip ? lb_clip_frame_count(clip) : 1;
    const double *first = clip ? lb_clip_const_pose(clip, 0) : out->options->pose ? out->options->pose : out->pose;
    positions how = ADDED;
    lb_figure_rest_pose(out->figure, out->pose);
    lb_status status = take_pose(out, first, 0, error);
    if (status != LB_OK) {
        return status;
    }
    link_tree(out);
    int plain = is_plain(out);
    if (plain) {
        how = set_plain(out);
    } else if (!lbio_bvh_express(out, 0)) {
        return lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
    }
    warn_of_losses(out);
    print_hierarchy(out);
    if (out->is_too_deep) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, "", 0, "more than %d joints one after another, too many for BVH",
                          LBIO_BVH_MAX_DEPTH);
    }
    lbio_text_format(out->text, "MOTION\nFrames: %d\nFrame Time: ", frames);
    lbio_text_number(out->text, clip ? lb_clip_frame_time(clip) : 0.0333333);
    lbio_text_add(out->text, "\n");
    print_frame(out);
    for (int f = 1; f < frames && status == LB_OK; f++) {
        status = take_pose(out, lb_clip_const_pose(clip, f), f, error);
        if (status == LB_OK && plain) {
            set_joints(out, how);
        } else if (status == LB_OK && !lbio_bvh_express(out, 1)) {
            status = lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
        }
        print_frame(out);
    }
    return status;
}

lb_status lbio_write_bvh(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options, lbio_text *text,
                         lb_error *error) {
    lbio_bvh_out out;
    memset(&out, 0, sizeof out);
    out.figure = figure;
    out.options = options;
    out.text = text;
    if (!(options->bvh_unit > 1e-12)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "the length unit of BVH files is too small");
    }
    lb_status status =
        allocate(&out) ? write_file(&out, clip, error) : lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
    lb_kinematics_destroy(out.kinematics);
    free(out.nodes);
    free(out.order);
    free(out.carried);
    free(out.next_end);
    free(out.is_joint_site);
    free(out.pose);
    return status;
}
