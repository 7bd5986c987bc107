/*
 * Any figure as BVH. Where everything is in the rest pose gives the OFFSETs, and there all angles are 0: a segment's
 * frame in BVH is then the file's own. With B from BVH's axes to the world's, X(s) the world rotation of segment s and
 * X0(s) that at rest, the segment's rotation in BVH is
 *
 *     D(s) = B' X(s) X0(s)' B,    and a joint from p to c turns by L = D(p)' D(c)
 *
 * whatever its type. L is written as Euler angles: about the joint's own axes where these lie along BVH's (then a
 * joint of one or two rotations has one or two channels), else as Z, X, Y. A joint that translates has position
 * channels as well.
 */
#include "io/bvh/bvh_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct express {
    lbio_bvh_out *out;
    lb_frame *rest_w;  /* [segments] at rest */
    lb_frame *pose_w;  /* [segments] in the pose; the rotation is that of D */
    lb_frame *point_w; /* [segments] position: where the joint that carries it is, at rest; rotation unused */
} express;

static void rotate(const double rotation[4], const double v[3], double result[3]) {
    lb_frame turn, point;
    lb_frame_identity(&turn);
    lb_frame_identity(&point);
    memcpy(turn.rotation, rotation, sizeof turn.rotation);
    memcpy(point.position, v, sizeof point.position);
    lb_frame_multiply(&turn, &point, &point);
    memcpy(result, point.position, sizeof point.position);
}

static void inverse(const double rotation[4], double result[4]) {
    for (int i = 0; i < 4; i++) {
        result[i] = i < 3 ? -rotation[i] : rotation[i];
    }
}

/* A vector of the world in BVH's axes, without the rounding that a place on an axis comes with. */
static void from_world(const double v[3], double result[3]) {
    double back[4];
    inverse(lbio_bvh_to_world, back);
    rotate(back, v, result);
    for (int i = 0; i < 3; i++) {
        result[i] = fabs(result[i]) < 1e-14 ? 0 : result[i];
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Euler angles
 * ------------------------------------------------------------------------------------------------- */

/* The angles of q = R(axes[0]) R(axes[1]) R(axes[2]), three different axes. Renaming the axes z, y, x makes this
 * roll, pitch and yaw; where the renaming turns a right hand into a left one, angles change their sign. */
static void to_euler(const double q[4], const int axes[3], double angles[3]) {
    double renamed[4] = {q[axes[2]], q[axes[1]], q[axes[0]], q[3]}, rpy[3];
    int is_right_handed = (axes[2] + 1) % 3 == axes[1];
    for (int i = 0; i < 3 && !is_right_handed; i++) {
        renamed[i] = -renamed[i];
    }
    lb_rotation_to_rpy(renamed, rpy);
    for (int i = 0; i < 3; i++) {
        angles[i] = is_right_handed ? rpy[2 - i] : -rpy[2 - i];
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Channels
 * ------------------------------------------------------------------------------------------------- */

/* BVH's axis that a vector of the world lies along, either way; -1 if none. */
static int bvh_axis(const double v_w[3]) {
    double v[3];
    from_world(v_w, v);
    for (int i = 0; i < 3; i++) {
        if (fabs(v[(i + 1) % 3]) < 1e-9 && fabs(v[(i + 2) % 3]) < 1e-9) {
            return i;
        }
    }
    return -1;
}

/* The axes of a joint's rotations, in order from the parent, if they lie along different axes of BVH at rest; where
 * there are several, all must be 0 there for that to remain so. Returns how many; -1 if they do not. The kinematics
 * are at rest. */
static int own_axes(const express *e, int segment, int axes[3]) {
    const lb_figure *figure = e->out->figure;
    int index = lb_figure_parent_joint(figure, segment), count = 0, is_turned = 0;
    const lb_joint *joint = lb_figure_joint(figure, index);
    int elements = joint->type.element_count;
    const lb_site *a = lb_figure_site(figure, joint->site_a);
    int is_forward = a->segment == lb_figure_parent_segment(figure, segment);
    lb_frame site_w;
    lb_kinematics_site(e->out->kinematics, joint->site_a, &site_w);
    for (int i = 0; i < elements; i++) {
        int which = is_forward ? i : elements - 1 - i;
        const lb_element *element = &joint->type.elements[which];
        double axis_w[3];
        if (element->kind == LB_ELEMENT_TRANSLATE) {
            continue;
        }
        rotate(site_w.rotation, element->axis, axis_w);
        int axis = element->kind == LB_ELEMENT_ROTATE ? bvh_axis(axis_w) : -1;
        for (int k = 0; k < count; k++) {
            axis = axes[k] == axis ? -1 : axis;
        }
        if (axis < 0 || count == 3) {
            return -1;
        }
        axes[count++] = axis;
        is_turned |= lb_kinematics_dof(e->out->kinematics, index, which) != 0; /* here dofs and elements are the same */
    }
    return count > 1 && is_turned ? -1 : count;
}

static int has_translation(const lb_joint_type *type) {
    for (int i = 0; i < type->element_count; i++) {
        if (type->elements[i].kind == LB_ELEMENT_TRANSLATE) {
            return 1;
        }
    }
    return 0;
}

static void add_positions(lbio_bvh_node *node, const double values[3]) {
    for (int i = 0; i < 3; i++) {
        node->channels[node->channel_count] = (lbio_bvh_channel)i;
        node->values[node->channel_count++] = values[i];
    }
}

static void add_rotations(lbio_bvh_node *node, const double turn[4], const int axes[3], int count) {
    double angles[3];
    int all[3] = {axes[0], axes[1], axes[2]};
    if (count == 1) {
        all[1] = (all[0] + 1) % 3;
    }
    if (count > 0 && count < 3) {
        all[2] = 3 - all[0] - all[1];
    }
    if (count > 0) {
        to_euler(turn, all, angles);
    }
    for (int i = 0; i < count; i++) {
        node->channels[node->channel_count] = (lbio_bvh_channel)(LBIO_BVH_X_ROTATION + all[i]);
        node->values[node->channel_count++] = angles[i];
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Nodes
 * ------------------------------------------------------------------------------------------------- */

static const int z_x_y[3] = {2, 0, 1};

static void set_root(const express *e, int segment, const double point_w[3]) {
    lbio_bvh_node *node = &e->out->nodes[segment];
    double at[3];
    from_world(point_w, at);
    add_positions(node, at);
    add_rotations(node, e->pose_w[segment].rotation, z_x_y, 3);
}

/* Where the joint that carries a segment is in the pose. */
static void posed_point(const express *e, int segment, double point_w[3]) {
    const lb_figure *figure = e->out->figure;
    int index = lb_figure_parent_joint(figure, segment);
    lb_frame frame_w;
    if (index < 0) {
        lb_kinematics_segment(e->out->kinematics, segment, &frame_w);
    } else {
        const lb_joint *joint = lb_figure_joint(figure, index);
        int is_forward = lb_figure_site(figure, joint->site_b)->segment == segment;
        lb_kinematics_site(e->out->kinematics, is_forward ? joint->site_b : joint->site_a, &frame_w);
    }
    memcpy(point_w, frame_w.position, sizeof frame_w.position);
}

static void set_joint(const express *e, int segment) {
    lbio_bvh_out *out = e->out;
    lbio_bvh_node *node = &out->nodes[segment];
    int parent = lb_figure_parent_segment(out->figure, segment);
    const lb_joint *joint = lb_figure_joint(out->figure, lb_figure_parent_joint(out->figure, segment));
    double step_w[3], here_w[3], there_w[3], back[4], turn[4];
    for (int i = 0; i < 3; i++) {
        step_w[i] = e->point_w[segment].position[i] - e->point_w[parent].position[i];
    }
    from_world(step_w, node->offset);
    inverse(e->pose_w[parent].rotation, back);
    if (has_translation(&joint->type)) {
        posed_point(e, segment, here_w);
        posed_point(e, parent, there_w);
        for (int i = 0; i < 3; i++) {
            step_w[i] = here_w[i] - there_w[i];
        }
        double step[3];
        from_world(step_w, step);
        rotate(back, step, step);
        for (int i = 0; i < 3; i++) {
            step[i] -= node->offset[i];
        }
        add_positions(node, step);
    }
    lb_rotation_multiply(back, e->pose_w[segment].rotation, turn);
    add_rotations(node, turn, node->axis_count < 0 ? z_x_y : node->axes, node->axis_count < 0 ? 3 : node->axis_count);
}

/* The End Site of a segment that carries nothing: its farthest site, else the far end of what is drawn of it. */
static void set_tip(const express *e, int segment) {
    const lb_figure *figure = e->out->figure;
    lbio_bvh_node *node = &e->out->nodes[segment];
    double farthest = -1, tip_w[3] = {0, 0, 0};
    for (int i = e->out->nodes[segment].first_end; i >= 0; i = e->out->next_end[i]) {
        lb_frame site_w;
        double sum = 0;
        lb_frame_multiply(&e->rest_w[segment], &lb_figure_site(figure, i)->frame, &site_w);
        for (int k = 0; k < 3; k++) {
            double way = site_w.position[k] - e->point_w[segment].position[k];
            sum += way * way;
        }
        if (sum > farthest) {
            farthest = sum;
            for (int k = 0; k < 3; k++) {
                tip_w[k] = site_w.position[k] - e->point_w[segment].position[k];
            }
        }
    }
    if (farthest < 0) { /* no site: twice as far as the centre of mass, or nowhere */
        lb_frame com_w;
        lb_frame_identity(&com_w);
        memcpy(com_w.position, lb_figure_segment(figure, segment)->com, sizeof com_w.position);
        lb_frame_multiply(&e->rest_w[segment], &com_w, &com_w);
        for (int k = 0; k < 3; k++) {
            tip_w[k] = 2 * (com_w.position[k] - e->point_w[segment].position[k]);
        }
    }
    node->has_tip = 1;
    from_world(tip_w, node->tip);
}

/* World frames at rest and in the pose, the latter's rotation relative to rest and in BVH's axes. */
static void place_segments(express *e) {
    lbio_bvh_out *out = e->out;
    const lb_figure *figure = out->figure;
    double b_back[4], rest_back[4];
    inverse(lbio_bvh_to_world, b_back);
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        lb_kinematics_segment(out->kinematics, i, &e->pose_w[i]);
    }
    lb_kinematics *at_rest = out->kinematics;
    lb_kinematics_update(at_rest, out->pose);
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        lb_kinematics_segment(at_rest, i, &e->rest_w[i]);
        posed_point(e, i, e->point_w[i].position);
        if (lb_figure_parent_joint(figure, i) >= 0) {
            out->nodes[i].axis_count = own_axes(e, i, out->nodes[i].axes);
        }
        double *turn = e->pose_w[i].rotation;
        inverse(e->rest_w[i].rotation, rest_back);
        lb_rotation_multiply(turn, rest_back, turn);
        lb_rotation_multiply(b_back, turn, turn);
        lb_rotation_multiply(turn, lbio_bvh_to_world, turn);
    }
    lb_kinematics_update(at_rest, out->posed);
}

static void set_nodes(const express *e) {
    lbio_bvh_out *out = e->out;
    const lb_figure *figure = out->figure;
    int root = lb_figure_root(figure)->segment;
    for (int i = lb_figure_site_count(figure) - 1; i >= 0; i--) { /* sites that may be a segment's end */
        if (!out->is_joint_site[i]) {
            int segment = lb_figure_site(figure, i)->segment;
            out->next_end[i] = out->nodes[segment].first_end;
            out->nodes[segment].first_end = i;
        }
    }
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        int parent = lb_figure_parent_segment(figure, i);
        out->nodes[i].channel_count = 0;
        if (i == root || (out->skips_root && parent == root)) {
            double point_w[3];
            posed_point(e, i, point_w);
            set_root(e, i, point_w);
        } else {
            set_joint(e, i);
        }
        if (out->nodes[i].first_child < 0) {
            set_tip(e, i);
        }
        out->nodes[i].first_end = -1;
    }
}

/* Where the first frame would make a reader take added positions for absolute ones, all of each place goes into the
 * frames. */
static void settle_positions(lbio_bvh_out *out, int is_later_frame) {
    int root = lb_figure_root(out->figure)->segment, count = lb_figure_segment_count(out->figure);
    lbio_bvh_evidence evidence = {0, 0};
    for (int move = is_later_frame; move < 2; move++) {
        if (is_later_frame && !out->is_all_in_frame) {
            return;
        }
        out->is_all_in_frame = move;
        for (int i = 0; i < count; i++) {
            lbio_bvh_node *node = &out->nodes[i];
            int is_root = i == root || (out->skips_root && lb_figure_parent_segment(out->figure, i) == root);
            for (int c = 0; c < node->channel_count && !is_root && node->channels[c] < LBIO_BVH_X_ROTATION; c++) {
                double *offset = &node->offset[node->channels[c]];
                if (move) {
                    node->values[c] += *offset;
                    *offset = 0;
                }
                evidence.from_offset += fabs(node->values[c] - *offset);
                evidence.from_zero += fabs(node->values[c]);
            }
        }
        if (!lbio_bvh_is_absolute(&evidence)) {
            return;
        }
    }
}

/* Whole turns, and of the two ways to say a rotation by three angles the one that is nearer, so that a curve through
 * the frames is smooth. */
static void stay_near(lbio_bvh_node *node, const double *before) {
    const double turn = 360 * LBIO_BVH_DEGREE;
    double other[LB_JOINT_MAX_DOFS], way[2] = {0, 0};
    int first = 0, count = node->channel_count;
    while (first < count && node->channels[first] < LBIO_BVH_X_ROTATION) {
        first++;
    }
    memcpy(other, node->values, sizeof other);
    if (count - first == 3) { /* (a, b, c) is (a + 180, 180 - b, c + 180) */
        other[first] += turn / 2;
        other[first + 1] = turn / 2 - other[first + 1];
        other[first + 2] += turn / 2;
    }
    for (int c = first; c < count; c++) {
        node->values[c] -= turn * round((node->values[c] - before[c]) / turn);
        other[c] -= turn * round((other[c] - before[c]) / turn);
        way[0] += (node->values[c] - before[c]) * (node->values[c] - before[c]);
        way[1] += (other[c] - before[c]) * (other[c] - before[c]);
    }
    if (way[1] < way[0]) {
        memcpy(node->values, other, sizeof other);
    }
}

int lbio_bvh_express(lbio_bvh_out *out, int is_later_frame) {
    size_t count = (size_t)lb_figure_segment_count(out->figure);
    lb_frame *frames = calloc(count * 3, sizeof *frames);
    double(*before)[LB_JOINT_MAX_DOFS] = calloc(count, sizeof *before);
    int is_done = frames && before;
    for (size_t i = 0; i < count && is_done; i++) {
        memcpy(before[i], out->nodes[i].values, sizeof before[i]);
    }
    if (is_done) {
        express e = {out, frames, frames + count, frames + 2 * count};
        place_segments(&e);
        set_nodes(&e);
        settle_positions(out, is_later_frame);
    }
    for (size_t i = 0; i < count && is_done && is_later_frame; i++) {
        stay_near(&out->nodes[i], before[i]);
    }
    free(before);
    free(frames);
    return is_done;
}
