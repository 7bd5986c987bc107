#include "reach/chain.h"

#include <math.h>

#include "figure/error.h"
#include "math/outward.h"
#include "math/trig.h"

#define PARALLEL 1e-12 /* the sine of an angle between axes that counts as 0: a micrometre in a thousand kilometres */
#define COAXIAL 1e-13  /* of the chain's lengths: between lines, or points, that count as one */

int lbr_turns_fully(const lbr_link *link) {
    return link->kind == LBF_NODE_ROTATE && link->high[0] - link->low[0] >= LBM_TWO_PI;
}

double lbr_swing_of(const lbr_link *link) {
    double sum = 0;
    for (int i = 0; i < lbf_node_coordinates(link->kind); i++) {
        const double most = lbr_max(fabs(link->low[i]), fabs(link->high[i]));
        sum += most * most;
    }
    return sum < LBM_PI * LBM_PI ? sqrt(sum) : LBM_PI;
}

double lbr_slack_at(const lbr_chain *chain, const double point[3]) {
    return chain->slack + lbm_motion_slack(2, lbm_norm3(point));
}

/* --- Ranges ------------------------------------------------------------------------------------------------ */

static int may_move(const lbr_request *r, int variable) {
    const lb_variable *v = &r->figure->variables[variable];
    return r->moves ? r->moves[variable] != 0 : v->rigidity < 1;
}

/* The range of a variable: one value where it stands. */
static void range_of_variable(const lbr_request *r, const double *pose, int variable, double range[2]) {
    const int moves = may_move(r, variable);
    range[0] = moves ? r->figure->lower[variable] : pose[variable];
    range[1] = moves ? r->figure->upper[variable] : pose[variable];
}

/* The range of a coordinate. */
static void range_of(const lbr_request *r, const lb_kinematics *k, const double *pose, int coordinate,
                     double range[2]) {
    const lb_figure *f = r->figure;
    const lbf_influence in = lbf_influence_of(f, coordinate);
    range[0] = range[1] = k->values[coordinate];
    if (in.count && in.first_term < 0) {
        range_of_variable(r, pose, in.own, range);
        return;
    }
    int moves = 0;
    for (int t = 0; t < in.count; t++) {
        moves |= may_move(r, f->terms[in.first_term + t].variable);
    }
    if (!moves) {
        return;
    }
    range[0] = range[1] = f->driven[f->coordinate_driven[coordinate]].constant;
    double size = fabs(range[0]);
    for (int t = 0; t < in.count; t++) {
        const lbf_term *term = &f->terms[in.first_term + t];
        double by[2], least, most;
        range_of_variable(r, pose, term->variable, by);
        lbm_curve_range(&term->curve, term->second, by[0], by[1], &least, &most);
        range[0] += least;
        range[1] += most;
        size += lbr_max(fabs(least), fabs(most));
    }
    lbm_widen(range, LBM_ANGLE_SLACK * size);
}

/* --- Links ------------------------------------------------------------------------------------------------- */

/* Whether a variable of the chain moves one coordinate alone, and no limit is on it and another variable. */
static int is_alone(const lb_figure *f, int coordinate) {
    const int variable = f->coordinate_variable[coordinate];
    if (variable < 0) {
        return 0;
    }
    for (int t = 0; t < f->term_count; t++) {
        if (f->terms[t].variable == variable) {
            return 0;
        }
    }
    for (int i = 0; i < f->row_count; i++) {
        for (int j = 0; j < f->rows[i].count; j++) {
            if (f->rows[i].variables[j] == variable) {
                return 0;
            }
        }
    }
    return 1;
}

/* Adds a node if it moves. `before` is the frame of the link before, where the pose has it. */
static void add_node(lbr_chain *chain, const lbr_request *r, const lb_kinematics *k, const double *pose, int at,
                     lbm_transform *before) {
    const lbf_node *node = &r->figure->nodes[at];
    lbr_link *link = &chain->links[chain->count];
    int moves = 0;
    const int count = lbf_node_coordinates(node->kind);
    for (int i = 0; i < count; i++) {
        double range[2];
        range_of(r, k, pose, node->coordinate + i, range);
        link->low[i] = node->sign < 0 ? -range[1] : range[0];
        link->high[i] = node->sign < 0 ? -range[0] : range[1];
        moves |= range[1] > range[0];
    }
    if (!moves) {
        return;
    }
    lbm_transform inverse, here = node->constant;
    if (node->parent >= 0) {
        lbm_transform_multiply(&k->frames[node->parent], &node->constant, &here);
    }
    lbm_transform_invert(before, &inverse);
    lbm_transform_multiply(&inverse, &here, &link->constant);
    link->kind = node->kind;
    link->node = at;
    for (int i = 0; i < count; i++) {
        chain->is_free &= is_alone(r->figure, node->coordinate + i);
    }
    *before = k->frames[at];
    chain->count++;
}

/* The nodes from the base to the effector, the last first. Returns how many, or -1 where the base is not on the way. */
static int walk_back(const lbr_request *r, int *nodes) {
    const lb_figure *f = r->figure;
    const int stop = r->base_segment < 0 ? -1 : f->mounts[r->base_segment].node;
    int count = 0, node = f->mounts[r->effector->segment].node;
    for (; node >= 0 && node != stop; node = f->nodes[node].parent) {
        nodes[count++] = node;
    }
    return node == stop ? count : -1;
}

/* Makes axes that are parallel, or lie on one line, but for rounding exactly so, which lets a workspace be known
 * exactly; by how much that may move what the chain carries goes to its slack. */
static void straighten(lbr_chain *chain, lbm_transform *t, double size) {
    const double tilt = sqrt(t->z[0] * t->z[0] + t->z[1] * t->z[1]);
    if (tilt > 0 && tilt < PARALLEL) {
        const double x[3] = {t->x[0], t->x[1], 0}, norm = lbm_norm3(x), up = t->z[2] < 0 ? -1 : 1;
        lbm_set3(t->z, 0, 0, up);
        lbm_set3(t->x, x[0] / norm, x[1] / norm, 0);
        lbm_set3(t->y, -up * t->x[1], up * t->x[0], 0);
        chain->slack += 2 * tilt * size;
    }
    const double along = lbm_dot3(t->z, t->p);
    double off[3];
    lbm_copy3(off, t->p);
    lbm_add_scaled3(off, t->z, -along);
    if (lbm_norm3(off) < COAXIAL * size) {
        const double left = fabs(along) < COAXIAL * size ? 0 : along;
        chain->slack += lbm_norm3(off) + fabs(along - left);
        lbm_set3(t->p, t->z[0] * left, t->z[1] * left, t->z[2] * left);
    }
}

/* By how much the axes of a frame are not unit vectors at right angles. */
static double skew_of(const lbm_transform *t) {
    const double x = fabs(lbm_dot3(t->x, t->x) - 1), y = fabs(lbm_dot3(t->y, t->y) - 1),
                 off = fabs(lbm_dot3(t->x, t->y));
    return x + y + 2 * off;
}

/* What may be lost on the way from the world to the end-effector: all lengths that kinematics go through, and all
 * motions. */
static void find_slack(lbr_chain *chain, const lbr_request *r, const lb_kinematics *k) {
    const lb_figure *f = r->figure;
    const lbf_mount *mount = &f->mounts[r->effector->segment];
    double lengths = lbm_norm3(mount->offset.p) + lbm_norm3(r->effector->point), motions = 4;
    for (int node = mount->node; node >= 0; node = f->nodes[node].parent) {
        const lbf_node *n = &f->nodes[node];
        lengths += lbm_norm3(n->constant.p);
        lengths += n->kind == LBF_NODE_TRANSLATE ? fabs(k->values[n->coordinate]) : 0;
        motions++;
    }
    for (int i = 0; i < chain->count; i++) {
        const lbr_link *link = &chain->links[i];
        const double most = lbr_max(fabs(link->low[0]), fabs(link->high[0]));
        if (lbm_is_finite(most)) {
            lengths += link->kind == LBF_NODE_TRANSLATE ? most : 0;
            motions += link->kind == LBF_NODE_ROTATE ? 1 + most : 1; /* angles of many turns are rounded, too */
        }
    }
    chain->turn_slack = lbm_motion_slack(motions, 1) + skew_of(&chain->tip);
    chain->slack = chain->turn_slack * lengths;
    for (int i = 1; i < chain->count; i++) {
        straighten(chain, &chain->links[i].constant, lengths);
    }
}

static void set_links(lbr_chain *chain, const lbr_request *r, const lb_kinematics *k, const double *pose,
                      const int *nodes, int count) {
    lbm_transform before, inverse, end, *e = &end;
    double local[9];
    lbm_transform_identity(&before);
    chain->is_free = 1;
    while (count-- > 0) {
        add_node(chain, r, k, pose, nodes[count], &before);
    }
    const int mount = lbf_mount_effector(r->figure, r->effector, local);
    double e_w[9];
    lbf_place_effector(k, mount, local, e_w);
    lbm_transform_identity(e);
    lbm_copy3(e->p, e_w);
    lbm_copy3(e->x, e_w + 3);
    lbm_copy3(e->y, e_w + 6);
    lbm_cross3(e->x, e->y, e->z);
    lbm_transform_invert(&before, &inverse);
    lbm_transform_multiply(&inverse, e, &chain->tip);
    chain->length = lbm_norm3(chain->tip.p);
    for (int i = 1; i < chain->count; i++) {
        chain->length += lbm_norm3(chain->links[i].constant.p);
    }
    chain->length = chain->length > 0 ? chain->length : 1;
    find_slack(chain, r, k);
}

int lbr_chain_fill(lbr_chain *chain, const lbr_request *r, const lb_kinematics *k, const double *pose, int *way) {
    const int count = walk_back(r, way);
    chain->count = 0;
    chain->has_loops = r->figure->loop_count > 0;
    if (count >= 0) {
        set_links(chain, r, k, pose, way, count);
    }
    return count >= 0;
}

lb_status lbr_chain_make(lbr_chain *chain, const lbr_request *r, lb_error *error) {
    const lb_figure *f = r->figure;
    const lb_allocator *a = chain->allocator;
    const size_t nodes = (size_t)f->node_count, variables = (size_t)f->variable_count;
    lb_kinematics *k = lb_kinematics_create(f, error);
    int *way = lbf_new(a, nodes, sizeof *way);
    double *pose = lbf_new(a, variables, sizeof *pose);
    chain->capacity = f->node_count;
    chain->links = lbf_new(a, nodes, sizeof *chain->links);
    lb_status status = k && way && pose && chain->links ? LB_OK : LB_ERROR_MEMORY;
    if (status) {
        lbf_refuse(error, status, "out of memory");
    } else {
        for (int i = 0; i < f->variable_count; i++) {
            pose[i] = r->pose ? r->pose[i] : f->rest[i];
            pose[i] = may_move(r, i) ? lbr_min(lbr_max(pose[i], f->lower[i]), f->upper[i]) : pose[i];
        }
        lb_kinematics_update(k, pose);
        if (!lbr_chain_fill(chain, r, k, pose, way)) {
            status =
                lbf_refuse(error, LB_ERROR_ARGUMENT, "the base segment is not between the root and the end-effector");
        }
    }
    lbf_delete(a, pose, variables, sizeof *pose);
    lbf_delete(a, way, nodes, sizeof *way);
    lb_kinematics_destroy(k);
    return status;
}

void lbr_chain_free(lbr_chain *chain) {
    lbf_delete(chain->allocator, chain->links, (size_t)chain->capacity, sizeof *chain->links);
}
