/* The nodes: every joint taken apart into elementary motions about z, everything constant folded in between. */
#include <string.h>

#include "figure/build/builder.h"
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "math/trig.h"

void lbf_align(const double axis[3], lbm_transform *t) {
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 3; i++) {
        if ((axis[i] != 1 && axis[i] != -1) || axis[(i + 1) % 3] != 0 || axis[(i + 2) % 3] != 0) {
            continue;
        }
        t->z[i] = axis[i];
        t->x[(i + 1) % 3] = 1;
        t->y[(i + 2) % 3] = axis[i];
        return;
    }
    int small = fabs(axis[0]) <= fabs(axis[1]) ? 0 : 1; /* the axis that is farthest from `axis` */
    if (fabs(axis[2]) < fabs(axis[small])) {
        small = 2;
    }
    double helper[3] = {0, 0, 0}, norm = lbm_norm3(axis);
    helper[small] = 1;
    for (int i = 0; i < 3; i++) {
        t->z[i] = axis[i] / norm;
    }
    lbm_cross3(helper, t->z, t->y);
    norm = lbm_norm3(t->y);
    for (int i = 0; i < 3; i++) {
        t->y[i] /= norm;
    }
    lbm_cross3(t->y, t->z, t->x);
}

/* Where the walk along a joint stands: the last node, and the constant transform since. */
typedef struct walker {
    lb_figure *figure;
    int node;
    lbm_transform constant;
} walker;

static void append(walker *w, const lbm_transform *t) {
    lbm_transform before = w->constant;
    lbm_transform_multiply(&before, t, &w->constant);
}

/* The motion of a frozen joint, as a constant. */
static void append_frozen(walker *w, lbf_node_kind kind, const double *values, double sign) {
    lbm_transform t;
    lbm_transform_identity(&t);
    double v[3] = {0, 0, 0};
    if (kind == LBF_NODE_TRANSLATE) {
        t.p[2] = sign * values[0];
    } else {
        if (kind == LBF_NODE_ROTATE) {
            v[2] = sign * values[0];
        } else {
            for (int i = 0; i < (kind == LBF_NODE_SWING ? 2 : 3); i++) {
                v[i] = sign * values[i];
            }
        }
        lbm_exponential e;
        double rotation[3][3], jacobian[3][3];
        lbm_exponential_at(v, &e);
        lbm_exponential_columns(v, &e, rotation, jacobian);
        lbm_copy3(t.x, rotation[0]);
        lbm_copy3(t.y, rotation[1]);
        lbm_copy3(t.z, rotation[2]);
    }
    append(w, &t);
}

/* Whether a rotation is the axes in another order or turned round, to the rounding of the angles that it was made of;
 * then it is made so exactly, and order[3] says which of them x, y, z are. */
static int square_up(lbm_transform *t, unsigned char order[3]) {
    const double rounding = 1e-15;
    double *columns[3] = {t->x, t->y, t->z}, flips[3];
    for (int i = 0; i < 3; i++) {
        int ones = 0, zeros = 0;
        for (int k = 0; k < 3; k++) {
            double size = fabs(columns[i][k]);
            if (fabs(size - 1) < rounding) {
                ones++;
                order[i] = (unsigned char)k;
                flips[i] = columns[i][k] > 0 ? 1 : -1;
            }
            zeros += size < rounding;
        }
        if (ones != 1 || zeros != 2) {
            return 0;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            columns[i][k] = k == order[i] ? flips[i] : 0;
        }
    }
    return 1;
}

void lbf_select(const lb_figure *f, int node, lbf_selection *s) {
    const lbf_node *n = &f->nodes[node];
    s->nodes[s->node_count++] = node;
    if (n->kind == LBF_NODE_ROTATE) {
        s->turns[s->turn_count++] = n->coordinate;
    }
    for (int c = n->coordinate; c < n->coordinate + lbf_node_coordinates(n->kind); c++) {
        if (f->coordinate_variable[c] >= 0) {
            s->owns[s->own_count++] = c;
        } else if (f->coordinate_driven[c] >= 0) {
            s->driven[s->driven_count++] = f->coordinate_driven[c];
        }
    }
}

/* Before a turn about z: what else the constant turns about z, or z over, comes after it as well (the other way round
 * where z is turned over). What is left are the axes in a cyclic order. */
static void put_behind(lbf_node *node, lbm_transform *behind) {
    lbm_transform *t = &node->constant, back;
    unsigned char z = node->order[2];
    if (t->z[z] < 0) {
        node->sign = -node->sign;
    }
    lbm_transform_identity(&back);
    double *columns[3] = {back.x, back.y, back.z};
    for (unsigned i = 0; i < 3; i++) {
        unsigned axis = (z + 1 + i) % 3;
        node->order[i] = (unsigned char)(4 * axis);
        for (unsigned k = 0; k < 3; k++) {
            columns[k][i] = k == axis; /* the inverse */
        }
    }
    lbm_transform turn = *t;
    lbm_set3(turn.p, 0, 0, 0);
    lbm_transform_multiply(&back, &turn, behind);
    lbm_transform_invert(&back, &turn);
    lbm_copy3(turn.p, t->p);
    *t = turn;
}

static void note_offset(lbf_node *node) {
    node->offset_count = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (node->constant.p[i] == 0) {
            continue;
        }
        node->offset_count++;
        node->offset_axis = (unsigned char)(4 * i);
        node->offset = node->constant.p[i];
    }
}

void lbf_change_constant(lbf_node *node, const lbm_transform *constant) {
    node->constant = *constant;
    node->is_permutation = 0;
    note_offset(node);
}

static void append_motion(walker *w, lbf_node_kind kind, int coordinate, double sign, int frozen) {
    if (frozen) {
        append_frozen(w, kind, &w->figure->coordinate_rest[coordinate], sign);
        return;
    }
    lbf_node *node = &w->figure->nodes[w->figure->node_count];
    node->constant = w->constant;
    node->sign = sign;
    node->parent = w->node;
    node->kind = kind;
    node->coordinate = coordinate;
    node->is_permutation = (unsigned char)square_up(&node->constant, node->order);
    note_offset(node);
    w->node = w->figure->node_count++;
    lbm_transform_identity(&w->constant);
    if (kind == LBF_NODE_ROTATE && node->is_permutation) {
        put_behind(node, &w->constant);
    }
}

static void append_element(walker *w, const lb_element *element, int coordinate, int backwards, int frozen) {
    double sign = backwards ? -1 : 1;
    if (element->kind == LB_ELEMENT_ROTATION) {
        append_motion(w, LBF_NODE_ROTATION, coordinate, sign, frozen);
        return;
    }
    lbm_transform aligned, back;
    lbf_align(element->axis, &aligned);
    lbm_transform_invert(&aligned, &back);
    append(w, &aligned);
    if (element->kind == LB_ELEMENT_ROTATE) {
        append_motion(w, LBF_NODE_ROTATE, coordinate, sign, frozen);
    } else if (element->kind == LB_ELEMENT_TRANSLATE) {
        append_motion(w, LBF_NODE_TRANSLATE, coordinate, sign, frozen);
    } else { /* swing, then twist; backwards the twist comes first */
        if (backwards) {
            append_motion(w, LBF_NODE_ROTATE, coordinate + 2, sign, frozen);
        }
        append_motion(w, LBF_NODE_SWING, coordinate, sign, frozen);
        if (!backwards) {
            append_motion(w, LBF_NODE_ROTATE, coordinate + 2, sign, frozen);
        }
    }
    append(w, &back);
}

static void append_site(walker *w, int site, int inverted) {
    lbm_transform t;
    lbm_transform_from_frame(&w->figure->draft.sites[site].frame, &t);
    if (inverted) {
        lbm_transform_invert(&t, &t);
    }
    append(w, &t);
}

/* From the parent's frame through a joint to its other site. */
static void walk_joint(walker *w, int joint_index, int backwards) {
    const lb_joint *joint = &w->figure->draft.joints[joint_index];
    append_site(w, backwards ? joint->site_b : joint->site_a, 0);
    int first = w->figure->first_coordinate[joint_index], count = joint->type.element_count;
    int offsets[LB_JOINT_MAX_DOFS];
    for (int i = 0, dof = 0; i < count; i++) {
        offsets[i] = dof;
        dof += joint->type.elements[i].kind >= LB_ELEMENT_SWING_TWIST ? 3 : 1;
    }
    for (int i = 0; i < count; i++) {
        int k = backwards ? count - 1 - i : i;
        append_element(w, &joint->type.elements[k], first + offsets[k], backwards, joint->frozen);
    }
}

static void set_mount(lb_figure *f, int at, const walker *w) {
    f->mounts[at].node = w->node;
    f->mounts[at].offset = w->constant;
}

/* The root: position = placement + shift, rotation = exp(v) * placement. */
static void mount_root(lb_figure *f) {
    const lb_root *root = &f->draft.root;
    walker w = {f, -1, {{0}, {0}, {0}, {0}}};
    lbm_transform_identity(&w.constant);
    lbm_transform placement;
    lbm_transform_from_frame(&root->placement, &placement);
    if (root->is_free) {
        lbm_transform shift, turn = placement;
        lbm_transform_identity(&shift);
        for (int i = 0; i < 3; i++) {
            shift.p[i] = placement.p[i];
            turn.p[i] = 0;
        }
        append(&w, &shift);
        for (int i = 0; i < 3; i++) {
            lb_element element = {LB_ELEMENT_TRANSLATE, {i == 0, i == 1, i == 2}};
            append_element(&w, &element, i, 0, 0);
        }
        append_motion(&w, LBF_NODE_ROTATION, 3, 1, 0);
        append(&w, &turn);
    } else {
        append(&w, &placement);
    }
    if (root->site >= 0) {
        append_site(&w, root->site, 1);
    }
    set_mount(f, root->segment, &w);
}

static void mount_segments(lb_figure *f) {
    const lbf_draft *d = &f->draft;
    mount_root(f);
    for (int i = 1; i < d->segment_count; i++) {
        int segment = f->tree_order[i], joint = f->parent_joint[segment];
        int backwards = d->sites[d->joints[joint].site_a].segment == segment;
        int parent = d->sites[backwards ? d->joints[joint].site_b : d->joints[joint].site_a].segment;
        walker w = {f, f->mounts[parent].node, f->mounts[parent].offset};
        walk_joint(&w, joint, backwards);
        append_site(&w, backwards ? d->joints[joint].site_a : d->joints[joint].site_b, 1);
        set_mount(f, segment, &w);
    }
    for (int i = 0; i < f->loop_count; i++) {
        int joint = f->loop_joints[i], parent = d->sites[d->joints[joint].site_a].segment;
        walker w = {f, f->mounts[parent].node, f->mounts[parent].offset};
        walk_joint(&w, joint, 0);
        set_mount(f, d->segment_count + i, &w);
    }
}

static void lump_masses(lb_figure *f) {
    const lbf_draft *d = &f->draft;
    for (int i = 0; i < d->segment_count; i++) {
        double mass = d->segments[i].mass, centre[3];
        if (mass == 0) {
            continue;
        }
        lbf_lump *lump = f->mounts[i].node < 0 ? &f->world_lump : &f->lumps[f->mounts[i].node];
        lbm_apply(&f->mounts[i].offset, d->segments[i].com, centre);
        lump->mass += mass;
        lbm_add_scaled3(lump->moment, centre, mass);
        f->mass += mass;
    }
    for (int i = f->node_count - 1; i >= 0; i--) {
        f->lumps[i].subtree_mass += f->lumps[i].mass;
        if (f->nodes[i].parent >= 0) {
            f->lumps[f->nodes[i].parent].subtree_mass += f->lumps[i].subtree_mass;
        }
    }
}

lb_status lbf_compile_nodes(lb_figure *f, lb_error *error) {
    const lbf_draft *d = &f->draft;
    f->root_coordinates = d->root.is_free ? 6 : 0;
    f->coordinate_count = f->root_coordinates;
    f->first_coordinate = lbf_figure_take(f, (size_t)d->joint_count, sizeof(int));
    if (!f->first_coordinate) {
        return lbf_no_memory(error);
    }
    for (int i = 0; i < d->joint_count; i++) {
        f->first_coordinate[i] = f->coordinate_count;
        f->coordinate_count += lb_joint_type_dof_count(&d->joints[i].type);
    }
    size_t coordinates = (size_t)f->coordinate_count; /* at most one node each */
    f->coordinate_rest = lbf_figure_take(f, coordinates, sizeof(double));
    f->nodes = lbf_figure_take(f, coordinates, sizeof *f->nodes);
    f->lumps = lbf_figure_take(f, coordinates, sizeof *f->lumps);
    f->mounts = lbf_figure_take(f, (size_t)d->segment_count + (size_t)f->loop_count, sizeof *f->mounts);
    f->every_node.nodes = lbf_figure_take(f, coordinates, sizeof(int));
    f->every_node.turns = lbf_figure_take(f, coordinates, sizeof(int));
    f->every_node.owns = lbf_figure_take(f, coordinates, sizeof(int));
    f->every_node.driven = lbf_figure_take(f, coordinates, sizeof(int));
    if (!f->coordinate_rest || !f->nodes || !f->lumps || !f->mounts || !f->every_node.nodes || !f->every_node.turns ||
        !f->every_node.owns || !f->every_node.driven) {
        return lbf_no_memory(error);
    }
    for (int i = 0; i < d->joint_count; i++) {
        memcpy(&f->coordinate_rest[f->first_coordinate[i]], d->joints[i].rest,
               (size_t)lb_joint_type_dof_count(&d->joints[i].type) * sizeof(double));
    }
    mount_segments(f);
    lump_masses(f);
    return LB_OK;
}
