/* The robot at rest: which hinges its limbs have, where hips, knees and soles are. */
#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "motion/humanoid/humanoid.h"
#include "motion/robot/robot.h"

/* Feet without shapes, in lengths of the leg. */
#define FOOT_HEIGHT 0.08
#define FOOT_AHEAD 0.18
#define FOOT_BEHIND 0.07
#define FOOT_HALF_WIDTH 0.05
#define LEAST_FOOT 0.01 /* of the leg: what is smaller is no sole */

static const double up[3] = {0, 0, 1};

static const lbm_transform *frame_of(const lbt_robot *r, int node) {
    static const lbm_transform world = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    return node < 0 ? &world : &r->kinematics->frames[node];
}

/* A point or a direction of the world at rest in the frame of a node. */
static void into(const lbt_robot *r, int node, const double point_w[3], double local[3]) {
    lbm_transform back;
    lbm_transform_invert(frame_of(r, node), &back);
    lbm_apply(&back, point_w, local);
}

static void turn_into(const lbt_robot *r, int node, const double way_w[3], double local[3]) {
    lbm_transform back;
    lbm_transform_invert(frame_of(r, node), &back);
    lbm_rotate(&back, way_w, local);
}

/* The point of a hinge's axis that is nearest to another. */
static void nearest_on_axis(const lbt_robot *r, int node, const double to[3], double point[3]) {
    double way[3];
    lbm_sub3(to, frame_of(r, node)->p, way);
    lbm_copy3(point, frame_of(r, node)->p);
    lbm_add_scaled3(point, frame_of(r, node)->z, lbm_dot3(way, frame_of(r, node)->z));
}

/* The point that is nearest to the axes of the three hinges above the elbow, and a little to another: where a shoulder
 * turns. */
static void meeting_point(const lbt_robot *r, const lbt_chain *c, const double near_w[3], double point[3]) {
    double m[3][3] = {{0}}, b[3];
    const double pull = 1e-3;
    for (int i = 0; i < 3; i++) {
        m[i][i] = pull;
        b[i] = pull * near_w[i];
    }
    for (int k = c->middle > 3 ? c->middle - 3 : 0; k < c->middle; k++) {
        const double *z = frame_of(r, c->nodes[k])->z, *p = frame_of(r, c->nodes[k])->p;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                const double entry = (i == j) - z[i] * z[j];
                m[i][j] += entry;
                b[i] += entry * p[j];
            }
        }
    }
    double rows[3][3], det;
    lbm_cross3(m[1], m[2], rows[0]);
    lbm_cross3(m[2], m[0], rows[1]);
    lbm_cross3(m[0], m[1], rows[2]);
    det = lbm_dot3(m[0], rows[0]);
    for (int i = 0; i < 3; i++) {
        point[i] = (rows[0][i] * b[0] + rows[1][i] * b[1] + rows[2][i] * b[2]) / det;
    }
}

/* Where a leg turns at the hip: on the axis of the hinge that is most along the knee's, beside the knee. */
static void hip_point(const lbt_robot *r, const lbt_chain *c, double point[3]) {
    const lbm_transform *knee = frame_of(r, c->nodes[c->middle]);
    int best = 0;
    for (int i = 1; i < c->middle; i++) {
        if (fabs(lbm_dot3(frame_of(r, c->nodes[i])->z, knee->z)) >
            fabs(lbm_dot3(frame_of(r, c->nodes[best])->z, knee->z)) + 1e-9) {
            best = i;
        }
    }
    nearest_on_axis(r, c->nodes[best], knee->p, point);
}

/* Where the lower part of a limb ends: at the first hinge behind the middle that is across it and not at its beginning,
 * else at the end of what it carries. */
static void lower_end(const lbt_robot *r, const lbt_chain *c, double point[3]) {
    const double *middle = frame_of(r, c->nodes[c->middle])->p;
    double whole[3], way[3];
    lbt_node_middle(r->kinematics, c->nodes[c->count - 1], whole);
    lbm_sub3(whole, middle, way);
    const double length = lbm_norm3(way);
    for (int i = c->middle + 1; i < c->count; i++) {
        double off[3];
        lbm_sub3(frame_of(r, c->nodes[i])->p, middle, off);
        const double far = lbm_norm3(off);
        if (far > 0.25 * length && fabs(lbm_dot3(off, frame_of(r, c->nodes[i])->z)) < 0.7 * far) {
            lbm_copy3(point, frame_of(r, c->nodes[i])->p);
            return;
        }
    }
    if (c->count - 1 > c->middle) {
        lbm_copy3(point, frame_of(r, c->nodes[c->count - 1])->p);
        lbm_sub3(point, middle, way);
        if (lbm_norm3(way) > 0.25 * length) {
            return;
        }
    }
    /* twice the way to the middle of it */
    lbm_copy3(point, whole);
    if (c->count - 1 == c->middle) {
        lbm_add_scaled3(point, way, 1);
    }
}

static lb_status measure_limb(lbt_robot *r, int limb, lb_error *error) {
    lbt_chain *c = &r->chains[limb];
    const int is_leg = limb < LBT_ARMS;
    double points[3][3], ways[2][3];
    lbm_copy3(points[1], frame_of(r, c->nodes[c->middle])->p);
    lower_end(r, c, points[2]);
    if (is_leg) {
        hip_point(r, c, points[0]);
    } else {
        meeting_point(r, c, points[1], points[0]);
    }
    nearest_on_axis(r, c->nodes[c->middle], points[2],
                    points[1]); /* beside the ankle, not where the file has its origin */
    lbm_sub3(points[1], points[0], ways[0]);
    lbm_sub3(points[2], points[1], ways[1]);
    c->length = lbm_norm3(ways[0]) + lbm_norm3(ways[1]);
    if (!lbt_unit(ways[0]) || !lbt_unit(ways[1])) {
        return is_leg ? lbf_fail(error, LB_ERROR_FIGURE, "a leg of the target has no length", NULL) : LB_OK;
    }
    turn_into(r, c->nodes[c->middle - 1], ways[0], c->ways[0]);
    turn_into(r, c->nodes[c->middle], ways[1], c->ways[1]);
    into(r, c->base, points[0], c->ends[0]);
    into(r, c->nodes[c->middle], points[1], c->ends[1]);
    into(r, c->nodes[c->middle], points[2], c->ends[2]);
    return LB_OK;
}

/* How far a body and all that hangs on it reaches. */
static double reach_below(const lbt_robot *r, int node, const double way[3], int is_shape) {
    double most = is_shape ? lbt_node_shapes_reach(r->kinematics, node, way) : lbt_node_reach(r->kinematics, node, way);
    for (int n = node + 1; n < r->figure->node_count; n++) {
        if (r->figure->nodes[n].parent == node) {
            const double other = reach_below(r, n, way, is_shape);
            most = other > most ? other : most;
        }
    }
    return most;
}

static void measure_sole(lbt_robot *r, int side) {
    const lbt_chain *c = &r->chains[LBT_LEGS + side];
    const int foot = c->nodes[c->count - 1];
    lbt_sole *s = &r->soles[side];
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, ankle[3], extents[3][2];
    lbm_apply(frame_of(r, c->nodes[c->middle]), c->ends[2], ankle);
    for (int i = 0; i < 3; i++) {
        lbm_quaternion_rotate(r->facing, axes[i], axes[i]);
        turn_into(r, foot, axes[i], s->axes[i]);
        const double back[3] = {-axes[i][0], -axes[i][1], -axes[i][2]};
        extents[i][1] = reach_below(r, foot, axes[i], 1) - lbm_dot3(ankle, axes[i]);
        extents[i][0] = -reach_below(r, foot, back, 1) - lbm_dot3(ankle, axes[i]);
    }
    if (!(extents[2][0] < -LEAST_FOOT * r->leg)) { /* no shape below the ankle: a segment or site may be the sole */
        const double down[3] = {0, 0, -1};
        const double low = -reach_below(r, foot, down, 0) - ankle[2];
        extents[2][0] = low < -LEAST_FOOT * r->leg ? low : -FOOT_HEIGHT * r->leg;
    }
    if (!(extents[0][1] - extents[0][0] > LEAST_FOOT * r->leg && extents[0][1] > 0)) {
        extents[0][1] = FOOT_AHEAD * r->leg, extents[0][0] = -FOOT_BEHIND * r->leg;
    }
    if (!(extents[1][1] - extents[1][0] > LEAST_FOOT * r->leg)) {
        extents[1][1] = FOOT_HALF_WIDTH * r->leg, extents[1][0] = -FOOT_HALF_WIDTH * r->leg;
    }
    if (c->count - 1 == c->middle) { /* no ankle: it stands on a point */
        for (int i = 0; i < 2; i++) {
            extents[i][0] = extents[i][1] = 0.5 * (extents[i][0] + extents[i][1]);
        }
    }
    into(r, foot, ankle, s->ankle);
    for (int k = 0; k < 6; k++) { /* toes, heel, corners */
        const double ahead = extents[0][k < 2 ? k == 0 : k % 2],
                     left = k < 2 ? 0.5 * (extents[1][0] + extents[1][1]) : extents[1][k / 2 % 2];
        double *point = k < 2 ? s->points[k] : s->corners[k - 2];
        for (int i = 0; i < 3; i++) {
            point[i] = s->ankle[i] + ahead * s->axes[0][i] + left * s->axes[1][i] + extents[2][0] * s->axes[2][i];
        }
    }
    r->ankle_height -= 0.5 * extents[2][0];
}

static int node_of(const lbt_robot *r, int segment) { return segment < 0 ? -2 : r->figure->mounts[segment].node; }

static int index_in(const lbt_chain *c, int node) {
    for (int i = 0; i < c->count; i++) {
        if (c->nodes[i] == node) {
            return i;
        }
    }
    return -1;
}

static lb_status make_leg(lbt_robot *r, const lb_body_map *map, int side) {
    lbt_chain *c = &r->chains[LBT_LEGS + side];
    const int knee = node_of(r, map->target[LB_BODY_PART_SHANK + side]);
    if (!lbt_chain_make(r, r->pelvis, node_of(r, map->target[LB_BODY_PART_FOOT + side]), c) ||
        (c->middle = index_in(c, knee)) < 1) {
        return lbf_fail(r->w->error, LB_ERROR_FIGURE, "the target's ", side ? "right" : "left",
                        " leg is no chain of at most 12 hinges from the pelvis by the shank to the foot", NULL);
    }
    return LB_OK;
}

/* An arm that is none of hinges stays at rest. */
static void make_arm(lbt_robot *r, const lb_body_map *map, int side) {
    lbt_chain *c = &r->chains[LBT_ARMS + side];
    const int fore = map->target[LB_BODY_PART_FOREARM + side], hand = map->target[LB_BODY_PART_HAND + side];
    if (fore < 0 || !lbt_chain_make(r, r->chest, node_of(r, hand >= 0 ? hand : fore), c) ||
        (c->middle = index_in(c, node_of(r, fore))) < 1) {
        c->count = 0;
    }
    for (int i = 0; i < c->middle - 3 && c->count; i++) { /* of a clavicle: a direction needs no more than three */
        c->variables[i] = -1;
        c->low[i] = c->high[i] = c->rest[i];
    }
}

/* The node that two nodes hang on. */
static int common_node(const lbt_robot *r, int a, int b) {
    while (a != b) {
        int *later = a > b ? &a : &b;
        *later = r->figure->nodes[*later].parent;
    }
    return a;
}

static const int needed[] = {LB_BODY_PART_PELVIS,    LB_BODY_PART_THIGH, LB_BODY_PART_THIGH + 1, LB_BODY_PART_SHANK,
                             LB_BODY_PART_SHANK + 1, LB_BODY_PART_FOOT,  LB_BODY_PART_FOOT + 1};
static const char *const names[] = {"pelvis",      "left thigh", "right thigh", "left shank",
                                    "right shank", "left foot",  "right foot"};

static lb_status make_chains(lbt_robot *r, const lb_body_map *map) {
    const int *t = map->target;
    for (int i = 0; i < 7; i++) {
        if (t[needed[i]] < 0 || t[needed[i]] >= lb_figure_segment_count(r->figure)) {
            return lbf_fail(r->w->error, LB_ERROR_FIGURE, "the target has no ", names[i],
                            " that is known; say which segment it is", NULL);
        }
    }
    r->base = lbt_base_node(r->figure);
    r->pelvis = node_of(r, t[LB_BODY_PART_PELVIS]);
    r->chest = t[LB_BODY_PART_CHEST] >= 0 ? node_of(r, t[LB_BODY_PART_CHEST]) : r->pelvis;
    lb_status status = make_leg(r, map, 0);
    status = status ? status : make_leg(r, map, 1);
    if (status) {
        return status;
    }
    const int fork = common_node(r, r->pelvis, r->chest);
    if (!lbt_chain_make(r, fork, r->chest, &r->chains[LBT_WAIST]) ||
        !lbt_chain_make(r, fork, r->pelvis, &r->chains[LBT_WAIST_DOWN]) ||
        r->chains[LBT_WAIST].count + r->chains[LBT_WAIST_DOWN].count > LBT_HINGES ||
        !lbt_chain_make(r, r->base, r->pelvis, &r->chains[LBT_CARRIER])) {
        return lbf_fail(r->w->error, LB_ERROR_FIGURE, "the target's pelvis and chest are not connected by hinges",
                        NULL);
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        make_arm(r, map, side);
    }
    const int head = t[LB_BODY_PART_HEAD];
    if (head < 0 || !lbt_chain_make(r, r->chest, node_of(r, head), &r->chains[LBT_NECK])) {
        r->chains[LBT_NECK].count = 0;
    }
    return LB_OK;
}

/* Where the robot looks at rest: from hip to hip. */
static lb_status find_facing(lbt_robot *r) {
    double hips[2][3], left[3];
    for (int side = 0; side < LBT_SIDES; side++) {
        lbm_apply(frame_of(r, r->pelvis), r->chains[LBT_LEGS + side].ends[0], hips[side]);
    }
    lbm_sub3(hips[0], hips[1], left);
    if (!(sqrt(left[0] * left[0] + left[1] * left[1]) > 1e-9)) {
        return lbf_fail(r->w->error, LB_ERROR_FIGURE, "the target's hips are in one place", NULL);
    }
    for (int i = 0; i < 3; i++) {
        hips[0][i] = 0.5 * (hips[0][i] + hips[1][i]);
    }
    into(r, r->pelvis, hips[0], r->hips);
    return lb_rotation_about(up, lbm_atan2(-left[0], left[1]), r->facing);
}

lb_status lbt_robot_measure(lbt_robot *r, const lb_body_map *map) {
    lb_status status = make_chains(r, map);
    for (int limb = 0; limb < LBT_LIMBS && !status; limb++) {
        if (r->chains[limb].count > 0) {
            status = measure_limb(r, limb, r->w->error);
        }
    }
    status = status ? status : find_facing(r);
    if (status) {
        return status;
    }
    r->leg = 0.5 * (r->chains[LBT_LEGS].length + r->chains[LBT_LEGS + 1].length);
    r->ratio = r->leg / r->w->source.leg;
    double hips[2][3], left[3] = {0, 1, 0}, way[3];
    for (int side = 0; side < LBT_SIDES; side++) {
        measure_sole(r, side);
        lbm_apply(frame_of(r, r->pelvis), r->chains[LBT_LEGS + side].ends[0], hips[side]);
    }
    lbm_quaternion_rotate(r->facing, left, left);
    lbm_sub3(hips[0], hips[1], way);
    r->half_width = 0.5 * lbm_dot3(way, left);
    r->rest_pelvis = *frame_of(r, r->pelvis);
    r->rest_chest = *frame_of(r, r->chest);
    const lbt_chain *neck = &r->chains[LBT_NECK];
    r->rest_head = neck->count ? *frame_of(r, neck->nodes[neck->count - 1]) : r->rest_chest;
    return LB_OK;
}
