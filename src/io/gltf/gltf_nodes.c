/* The nodes of a glTF file: their tree, their transforms without and with scale. */
#include "io/gltf/gltf.h"
#include "math/trig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Where nodes are
 *
 * A frame without scale follows each node. A child's linear part is R_p N_p R_c S_c, where R_p is its parent's frame
 * and N_p what is left (the scales). Where N_p is a number times the half turn F_p that the signs of the parent's own
 * scale make, F_p R_c turns the child's frame, and what is left is that number times S_c: exact, whatever the pose.
 * Where scales differ by axis, what is left also depends on R_c.
 * ------------------------------------------------------------------------------------------------- */

static void multiply(const double a[9], const double b[9], double out[9]) {
    double product[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    memcpy(out, product, sizeof product);
}

static double determinant(const double m[9]) {
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static const lbio_gltf_state *state_above(const lbio_gltf *gltf, int node, const lbio_gltf_state *states) {
    int parent = gltf->nodes[node].parent;
    return parent < 0 ? &gltf->top : &states[parent];
}

static const double *flip_above(const lbio_gltf *gltf, int node) {
    static const double none[4] = {0, 0, 0, 1};
    int parent = gltf->nodes[node].parent;
    return parent < 0 ? none : gltf->nodes[parent].flip;
}

void lbio_gltf_step(const lbio_gltf *gltf, int node, const lbio_gltf_state *states, const double translation[3],
                    const double rotation[4], lbio_gltf_state *out) {
    const lbio_gltf_state *above = state_above(gltf, node, states);
    double turn[4], turn_back[4], m[9], offset[3], linear[9];
    for (int i = 0; i < 3; i++) {
        offset[i] = above->shape[3 * i] * translation[0] + above->shape[3 * i + 1] * translation[1] +
                    above->shape[3 * i + 2] * translation[2];
    }
    lb_rotation_multiply(flip_above(gltf, node), rotation, turn);
    lb_frame local;
    memcpy(local.position, offset, sizeof offset);
    memcpy(local.rotation, turn, sizeof turn);
    lbio_rotation_conjugate(turn, turn_back);
    lb_rotation_to_matrix(rotation, m);
    multiply(above->shape, m, linear);
    multiply(linear, gltf->nodes[node].stretch, linear);
    lb_rotation_to_matrix(turn_back, m);
    lb_frame_multiply(&above->frame, &local, &out->frame);
    multiply(m, linear, out->shape);
}

void lbio_gltf_step_back(const lbio_gltf *gltf, int node, const lbio_gltf_state *states, const lb_frame *frame,
                         double translation[3], double rotation[4]) {
    const lbio_gltf_state *above = state_above(gltf, node, states);
    lb_frame inverse, local;
    double unflip[4];
    lb_frame_invert(&above->frame, &inverse);
    lb_frame_multiply(&inverse, frame, &local);
    lbio_rotation_conjugate(flip_above(gltf, node), unflip);
    lb_rotation_multiply(unflip, local.rotation, rotation);
    const double *m = above->shape, *p = local.position;
    double det = determinant(m);
    memcpy(translation, gltf->nodes[node].translation, 3 * sizeof *translation);
    for (int i = 0; i < 3 && fabs(det) > 1e-30; i++) { /* Cramer */
        double replaced[9];
        memcpy(replaced, m, sizeof replaced);
        replaced[i] = p[0];
        replaced[3 + i] = p[1];
        replaced[6 + i] = p[2];
        translation[i] = determinant(replaced) / det;
    }
}

void lbio_gltf_to_world(const lbio_gltf *gltf, double rotation[4]) {
    static const double turn[4] = {0.5, 0.5, 0.5, 0.5}, about[4] = {0, 1, 0, 0};
    memcpy(rotation, turn, sizeof turn);
    if (gltf->faces_back) {
        lb_rotation_multiply(turn, about, rotation);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * One node
 * ------------------------------------------------------------------------------------------------- */

static void set_flip(lbio_gltf_node *node) {
    double product = node->scale[0] * node->scale[1] * node->scale[2], sign = product < 0 ? -1 : 1;
    node->flip[3] = 1; /* with all three turned round, the signs are a half turn about the one that is left alone */
    for (int i = 0; i < 3; i++) {
        int is_left = node->scale[i] * sign > 0;
        int others = node->scale[(i + 1) % 3] * sign < 0 && node->scale[(i + 2) % 3] * sign < 0;
        if (is_left && others) {
            node->flip[i] = 1;
            node->flip[3] = 0;
        }
    }
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Rotation from the columns, made square one after the other; scale from their lengths. */
static void take_matrix_apart(lbio_gltf_node *node) {
    double column[3][3], linear[9], m[9];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            column[c][i] = linear[3 * i + c] = node->matrix[4 * c + i];
        }
        node->scale[c] = length_of(column[c]);
        node->translation[c] = node->matrix[12 + c];
    }
    if (determinant(linear) < 0) {
        node->scale[0] = -node->scale[0];
    }
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            column[c][i] *= node->scale[c] < 0 ? -1 : 1;
        }
        for (int k = 0; k < c; k++) {
            double along = column[k][0] * column[c][0] + column[k][1] * column[c][1] + column[k][2] * column[c][2];
            for (int i = 0; i < 3; i++) {
                column[c][i] -= along * column[k][i];
            }
        }
        double length = length_of(column[c]);
        for (int i = 0; i < 3; i++) {
            column[c][i] = length > 1e-12 * fabs(node->scale[c]) && length > 1e-300 ? column[c][i] / length : NAN;
        }
    }
    for (int i = 0; i < 9; i++) {
        m[i] = column[i % 3][i / 3];
    }
    double norm = 0;
    lb_rotation_from_matrix(m, node->rotation);
    for (int i = 0; i < 4; i++) {
        norm += node->rotation[i] * node->rotation[i];
    }
    if (!(fabs(norm - 1) < 1e-3)) { /* flattened: no rotation can be told */
        memcpy(node->rotation, (double[4]){0, 0, 0, 1}, sizeof node->rotation);
    }
    double back[4];
    lbio_rotation_conjugate(node->rotation, back);
    lb_rotation_to_matrix(back, m);
    multiply(m, linear, node->stretch);
}

static lb_status read_transform(lbio_gltf *gltf, const json_t *json, lbio_gltf_node *node) {
    lbio_reader *r = &gltf->reader;
    node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
    lb_status status = lbio_get_vector(r, json, "matrix", LBIO_PLAIN, 16, node->matrix, &node->has_matrix);
    status = status ? status : lbio_get_vector(r, json, "translation", LBIO_PLAIN, 3, node->translation, NULL);
    status = status ? status : lbio_get_vector(r, json, "rotation", LBIO_PLAIN, 4, node->rotation, NULL);
    status = status ? status : lbio_get_vector(r, json, "scale", LBIO_PLAIN, 3, node->scale, NULL);
    if (status != LB_OK) {
        return status;
    }
    for (int i = 0; i < 16; i++) {
        double value = node->has_matrix ? node->matrix[i]
                       : i < 3          ? node->translation[i]
                       : i < 6          ? node->scale[i - 3]
                                        : 0;
        if (!(fabs(value) < 1e9)) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a number of %g is no place of a node", value);
        }
    }
    if (node->has_matrix) {
        take_matrix_apart(node);
    } else {
        double norm = 0;
        for (int i = 0; i < 4; i++) {
            norm += node->rotation[i] * node->rotation[i];
        }
        if (!(norm > 1e-12 && norm < 1e12)) {
            lbio_warn(gltf->source, 0, "%s: the rotation is none; the node is not turned", node->name);
            memcpy(node->rotation, (double[4]){0, 0, 0, 1}, sizeof node->rotation);
            norm = 1;
        } else if (fabs(norm - 1) > 1e-2) {
            lbio_warn(gltf->source, 0, "%s: the rotation's length is %g instead of 1", node->name, sqrt(norm));
        }
        for (int i = 0; i < 4; i++) {
            node->rotation[i] /= sqrt(norm);
        }
        for (int i = 0; i < 3; i++) {
            node->stretch[4 * i] = node->scale[i];
        }
    }
    set_flip(node);
    return LB_OK;
}

/* A name that a figure can have: control characters are none. */
static lb_status read_name(lbio_gltf *gltf, const json_t *json, int index) {
    lbio_gltf_node *node = &gltf->nodes[index];
    const char *given = NULL;
    char plain[24];
    lb_status status = lbio_get_string(&gltf->reader, json, "name", &given);
    if (status != LB_OK) {
        return status;
    }
    node->has_name = given && *given;
    snprintf(plain, sizeof plain, "node%d", index);
    given = node->has_name ? given : plain;
    char *clean = lbio_gltf_new(gltf, strlen(given) + 1, 1);
    if (!clean) {
        return lbio_gltf_no_memory(gltf);
    }
    for (size_t i = 0; given[i]; i++) {
        clean[i] = (unsigned char)given[i] < 0x20 || given[i] == 0x7F ? '_' : given[i];
    }
    node->name = lbio_names_unique(&gltf->names, clean, index);
    return node->name ? LB_OK : lbio_gltf_no_memory(gltf);
}

/* ---------------------------------------------------------------------------------------------------
 * The tree
 * ------------------------------------------------------------------------------------------------- */

static lb_status read_children(lbio_gltf *gltf, const json_t *json, int index) {
    lbio_reader *r = &gltf->reader;
    const json_t *children = lbio_member(r, json, "children");
    if (!children) {
        return LB_OK;
    }
    lb_status status = lbio_check_list(r, children, 0, LBIO_GLTF_MAX_NODES);
    for (size_t i = 0; status == LB_OK && i < json_array_size(children); i++) {
        double number = -1;
        lbio_enter_index(r, (int)i);
        status = lbio_json_value(r, json_array_get(children, i), LBIO_PLAIN, &number);
        if (status == LB_OK && !(number >= 0 && number < gltf->node_count && number == floor(number))) {
            status =
                lbio_reader_fail(r, LB_ERROR_SYNTAX, "there is no node %g; there are %d", number, gltf->node_count);
        }
        lbio_gltf_node *child = status == LB_OK ? &gltf->nodes[(int)number] : NULL;
        if (child && child->parent >= 0) {
            status =
                lbio_reader_fail(r, LB_ERROR_SYNTAX, "node %d is already a child of node %d; a node has one parent",
                                 (int)number, child->parent);
        }
        if (status == LB_OK) {
            child->parent = index;
            lbio_leave(r);
        }
    }
    if (status == LB_OK) {
        lbio_leave(r);
    }
    return status;
}

/* Parents before children. What cannot be reached from a node without parent goes round in a circle. */
static lb_status order_nodes(lbio_gltf *gltf) {
    lbio_reader *r = &gltf->reader;
    int count = gltf->node_count, used = 0;
    int *first = lbio_gltf_new(gltf, (size_t)count + 1, sizeof *first); /* child, then its siblings by `next` */
    int *next = lbio_gltf_new(gltf, (size_t)count + 1, sizeof *next);
    gltf->order = lbio_gltf_new(gltf, (size_t)count + 1, sizeof *gltf->order);
    if (!first || !next || !gltf->order) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = count; i >= 0; i--) {
        first[i] = -1;
    }
    for (int i = count - 1; i >= 0; i--) {
        int parent = gltf->nodes[i].parent;
        if (parent >= 0) {
            next[i] = first[parent];
            first[parent] = i;
        }
    }
    for (int i = 0; i < count; i++) {
        if (gltf->nodes[i].parent < 0) {
            gltf->order[used++] = i;
        }
    }
    for (int k = 0; k < used; k++) {
        for (int child = first[gltf->order[k]]; child >= 0; child = next[child]) {
            gltf->nodes[child].depth = gltf->nodes[gltf->order[k]].depth + 1;
            gltf->order[used++] = child;
        }
        if (gltf->nodes[gltf->order[k]].depth > LBIO_GLTF_MAX_DEPTH) {
            return lbio_fail(gltf->source, LB_ERROR_TOO_LARGE, 0, "more than %d nodes inside one another",
                             LBIO_GLTF_MAX_DEPTH);
        }
    }
    if (used == count) {
        return LB_OK;
    }
    char *seen = lbio_gltf_new(gltf, (size_t)count, 1);
    if (!seen) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int k = 0; k < used; k++) {
        seen[gltf->order[k]] = 1;
    }
    int lost = 0;
    while (seen[lost]) {
        lost++;
    }
    for (; !seen[lost]; lost = gltf->nodes[lost].parent) { /* up, until one comes again: it is in the circle */
        seen[lost] = 1;
    }
    lbio_enter(r, "nodes");
    lbio_enter_index(r, lost);
    return lbio_reader_fail(r, LB_ERROR_SYNTAX, "node %d (%.60s) is inside itself: its children lead back to it", lost,
                            gltf->nodes[lost].name);
}

static lb_status read_all(lbio_gltf *gltf, const json_t *list) {
    lbio_reader *r = &gltf->reader;
    lb_status status = LB_OK;
    for (int i = 0; i < gltf->node_count && status == LB_OK; i++) {
        const json_t *json = json_array_get(list, (size_t)i);
        lbio_gltf_node *node = &gltf->nodes[i];
        lbio_enter(r, "nodes");
        lbio_enter_index(r, i);
        node->has_mesh = json_object_get(json, "mesh") != NULL;
        status = read_name(gltf, json, i);
        status = status ? status : read_transform(gltf, json, node);
        status = status ? status : read_children(gltf, json, i);
        r->depth = status == LB_OK ? 0 : r->depth;
    }
    return status;
}

static void place_at_rest(lbio_gltf *gltf) {
    double least[3] = {1e300, 1e300, 1e300}, most[3] = {-1e300, -1e300, -1e300};
    for (int k = 0; k < gltf->node_count; k++) {
        lbio_gltf_node *node = &gltf->nodes[gltf->order[k]];
        lbio_gltf_step(gltf, gltf->order[k], gltf->rest, node->translation, node->rotation,
                       &gltf->rest[gltf->order[k]]);
        for (int i = 0; i < 3; i++) {
            double at = gltf->rest[gltf->order[k]].frame.position[i];
            least[i] = fmin(least[i], at);
            most[i] = fmax(most[i], at);
        }
    }
    gltf->size = 0;
    for (int i = 0; i < 3 && gltf->node_count > 0; i++) {
        gltf->size = fmax(gltf->size, most[i] - least[i]);
    }
}

void lbio_gltf_set_unit(lbio_gltf *gltf, double unit) {
    memset(&gltf->top, 0, sizeof gltf->top);
    gltf->top.frame.rotation[3] = 1;
    gltf->top.shape[0] = gltf->top.shape[4] = gltf->top.shape[8] = unit;
    place_at_rest(gltf);
}

lb_status lbio_gltf_read_nodes(lbio_gltf *gltf) {
    json_t *list = NULL;
    lb_status status = lbio_gltf_list(gltf, "nodes", &list);
    if (status != LB_OK) {
        return status;
    }
    gltf->node_count = (int)json_array_size(list);
    if (gltf->node_count > LBIO_GLTF_MAX_NODES) {
        return lbio_fail(gltf->source, LB_ERROR_TOO_LARGE, 0, "more than %d nodes", LBIO_GLTF_MAX_NODES);
    }
    gltf->nodes = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *gltf->nodes);
    gltf->rest = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *gltf->rest);
    if (!gltf->nodes || !gltf->rest) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = 0; i < gltf->node_count; i++) {
        gltf->nodes[i].parent = gltf->nodes[i].segment = gltf->nodes[i].part = -1;
    }
    status = read_all(gltf, list);
    status = status ? status : order_nodes(gltf);
    if (status != LB_OK) {
        return status;
    }
    lbio_gltf_set_unit(gltf, 1);
    return lbio_gltf_choose_segments(gltf);
}
