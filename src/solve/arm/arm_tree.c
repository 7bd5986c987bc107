/* The plan of arms that share joints: their tree, and its goals. */
#include "solve/arm/arm_tree.h"

#include <string.h>

#define REACH_IN_UNITS 4.0 /* as for one arm: the tree's unit of length weighs lengths against radians */
#define ROUNDING 1e-14     /* of a unit vector's coordinate */
#define HIDDEN_SHARE 1e-3  /* of the tolerances: what kernel and general evaluation may differ by, and more */

/* --- Joints -------------------------------------------------------------------------------------------------------- */

/* The number of a variable of the space in the plan; it is added where it is new. -1: there is no room. */
static int variable_of(const lbs_space *s, lbs_arm *arm, int mover, int slides) {
    for (int i = 0; i < arm->n; i++) {
        if (arm->order[i] == mover) {
            return i;
        }
    }
    if (arm->n == LBS_ARM_MAX || arm->n == arm->room || !lbs_arm_set_range(s, mover, slides, &arm->joints[arm->n])) {
        return -1;
    }
    arm->order[arm->n] = mover;
    return arm->n++;
}

/* What one variable does to a node. */
typedef struct drive {
    int mover; /* of the space; -1: nothing moves the node, -2: more than a straight line of one variable does */
    double factor, offset;
} drive;

static drive drive_of(const lbs_space *s, int figure, const lbf_node *node) {
    const lb_figure *f = s->problem->figures[figure];
    const int first = s->problem->first_variables[figure], count = lbf_node_coordinates(node->kind);
    drive d = {-1, 1, 0};
    for (int c = node->coordinate; c < node->coordinate + count; c++) {
        const lbf_influence in = lbf_influence_of(f, c);
        for (int k = 0; k < in.count; k++) {
            const lbf_term *term = in.first_term < 0 ? NULL : &f->terms[in.first_term + k];
            const int mover = s->variables.active_of[first + (term ? term->variable : in.own)];
            if (mover < 0) {
                continue;
            }
            if (count > 1 || in.count > 1 || (term && term->curve.kind != LB_CURVE_LINEAR)) {
                return (drive){-2, 0, 0};
            }
            d.mover = mover;
            if (term) {
                d.factor = term->curve.slope;
                d.offset = f->driven[f->coordinate_driven[c]].constant + term->curve.offset;
            }
        }
    }
    d.factor *= node->sign;
    d.offset *= node->sign;
    return d;
}

/* The joint of a node that moves; -1 where it is not in the tree yet. */
static int find_joint(const lbs_tree *t, int figure, int node) {
    for (int i = 0; i < t->joint_count; i++) {
        if (t->joints[i].figure == figure && t->joints[i].node == node) {
            return i;
        }
    }
    return -1;
}

static void append(lbm_transform *t, const lbm_transform *by) {
    const lbm_transform before = *t;
    lbm_transform_multiply(&before, by, t);
}

/* Whether a column of a rotation is an axis but for rounding; it is that exactly then. */
static int round_axis(double axis[3], int *from, double *sign) {
    for (int k = 0; k < 3; k++) {
        if (fabs(axis[k]) > 1 - ROUNDING && fabs(axis[(k + 1) % 3]) < ROUNDING && fabs(axis[(k + 2) % 3]) < ROUNDING) {
            *from = 3 * k;
            *sign = axis[k] < 0 ? -1 : 1;
            axis[(k + 1) % 3] = axis[(k + 2) % 3] = 0;
            axis[k] = *sign;
            return 1;
        }
    }
    return 0;
}

static void find_order(lbs_tree_joint *j) {
    double *axes[3] = {j->gap.x, j->gap.y, j->gap.z};
    j->is_permuted = 1;
    for (int a = 0; a < 3; a++) {
        j->is_permuted &= round_axis(axes[a], &j->from[a], &j->signs[a]);
    }
}

/* Goes through a node: the mount, a joint and the gap behind it, becomes the one behind the node. */
static int pass_node(lbs_space *s, int figure, int index, lbs_tree *t, lbs_arm *arm, lbs_tree_mount *at) {
    const lb_kinematics *k = s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    const drive d = drive_of(s, figure, node);
    append(&at->frame, &node->constant);
    if (d.mover == -1) {
        lbm_transform motion;
        lbs_arm_motion(k, node, &motion);
        append(&at->frame, &motion);
        return lbs_arm_remember_fixed(s, figure, node, arm);
    }
    int joint = d.mover < 0 ? -1 : find_joint(t, figure, index);
    if (d.mover >= 0 && joint < 0 && t->joint_count < LBS_TREE_JOINTS) {
        const int slides = node->kind == LBF_NODE_TRANSLATE, variable = variable_of(s, arm, d.mover, slides);
        if (variable >= 0) {
            joint = t->joint_count++;
            t->joints[joint] = (lbs_tree_joint){.gap = at->frame,
                                                .parent = at->joint,
                                                .slides = slides,
                                                .variable = variable,
                                                .factor = d.factor,
                                                .offset = d.offset,
                                                .figure = figure,
                                                .node = index};
            find_order(&t->joints[joint]);
        }
    }
    at->joint = joint;
    lbm_transform_identity(&at->frame);
    return joint >= 0;
}

/* Where a segment sits in the tree, which is made as far as it is needed. */
static int mount_segment(lbs_space *s, int figure, int segment, lbs_tree *t, lbs_arm *arm, lbs_tree_mount *at) {
    const lb_figure *f = s->problem->figures[figure];
    int length = 0;
    at->joint = -1;
    lbm_transform_identity(&at->frame);
    for (int node = f->mounts[segment].node; node >= 0; node = f->nodes[node].parent) {
        if (length == arm->path_room) {
            return 0;
        }
        arm->path[length++] = node;
    }
    while (length-- > 0) {
        if (!pass_node(s, figure, arm->path[length], t, arm, at)) {
            return 0;
        }
    }
    append(&at->frame, &f->mounts[segment].offset);
    return 1;
}

/* --- Goals --------------------------------------------------------------------------------------------------------- */

static void mark_side(const lbs_tree *t, int joint, int side, lbs_tree_goal *g) {
    for (; joint >= 0; joint = t->joints[joint].parent) {
        g->side[joint] = (signed char)(g->side[joint] + side);
    }
}

/* The effector's axes and its point, in its segment. */
static void tool_of(const lb_constraint *c, lbm_transform *tool) {
    memset(tool, 0, sizeof *tool);
    lbm_copy3(tool->x, c->effector.x);
    lbm_copy3(tool->y, c->effector.y);
    lbm_cross3(tool->x, tool->y, tool->z);
    lbm_copy3(tool->p, c->effector.point);
}

static int add_goal(lbs_space *s, int number, int leader, lbs_tree *t, lbs_arm *arm) {
    const lb_constraint *c = s->items[number].constraint;
    lbs_tree_goal *g = &t->goals[t->goal_count++];
    memset(g, 0, sizeof *g);
    g->item = number;
    g->leader = leader;
    g->has_point = c->goal.kind != LB_GOAL_ORIENTATION;
    g->has_rotation = c->goal.kind != LB_GOAL_POSITION;
    lbm_transform tool;
    tool_of(c, &tool);
    if (g->has_rotation && fabs(lbm_dot3(tool.x, tool.y)) > HIDDEN_SHARE * c->tolerance_rad) {
        return 0;
    }
    if (!mount_segment(s, c->figure, c->effector.segment, t, arm, &g->effector)) {
        return 0;
    }
    append(&g->effector.frame, &tool);
    g->carrier.joint = -1;
    lbm_transform_identity(&g->carrier.frame);
    return c->goal.carrier_segment < 0 || leader >= 0 ||
           mount_segment(s, c->goal.carrier_figure, c->goal.carrier_segment, t, arm, &g->carrier);
}

/* Which joints are on whose way, and which variables move which goal. Returns 0 where nothing moves one. */
static int find_movers(lbs_tree *t, int variables) {
    unsigned moved = 0;
    memset(t->moves, 0, sizeof t->moves);
    for (int i = 0; i < t->goal_count; i++) {
        lbs_tree_goal *g = &t->goals[i];
        mark_side(t, g->effector.joint, 1, g);
        mark_side(t, g->carrier.joint, -1, g);
        for (int j = 0; j < t->joint_count; j++) {
            if (g->side[j]) {
                t->moves[t->joints[j].variable] |= 1u << i;
                moved |= 1u << i;
            }
        }
    }
    memset(t->counts, 0, sizeof t->counts);
    for (int a = 0; a < t->goal_count; a++) {
        for (int b = 0; b <= a; b++) {
            for (int v = 0; v < variables; v++) {
                if (t->moves[v] >> a & t->moves[v] >> b & 1) {
                    t->lists[a][b][t->counts[a][b]++] = (unsigned char)v;
                }
            }
        }
    }
    for (int j = 0; j < t->joint_count; j++) {
        t->joints[j].is_alone = 1;
        for (int k = 0; k < t->joint_count; k++) {
            t->joints[j].is_alone &= k == j || t->joints[k].variable != t->joints[j].variable;
        }
    }
    return moved == (1u << t->goal_count) - 1;
}

/* --- The plan ------------------------------------------------------------------------------------------------------ */

/* How far it is from the world to the farthest end, at most. */
static double reach_of(const lbs_tree *t, const lbs_arm *arm) {
    double most = 0, reach[LBS_TREE_JOINTS];
    for (int i = 0; i < t->joint_count; i++) {
        const lbs_tree_joint *j = &t->joints[i];
        const lbs_arm_joint *range = &arm->joints[j->variable];
        const double ends[2] = {fabs(j->factor * range->random_lower + j->offset),
                                fabs(j->factor * range->random_upper + j->offset)};
        reach[i] = j->parent < 0 ? 0 : reach[j->parent] + lbm_norm3(j->gap.p); /* the way to the first does not bend */
        reach[i] += !j->slides ? 0 : ends[0] > ends[1] ? ends[0] : ends[1];
    }
    for (int i = 0; i < t->goal_count; i++) {
        const lbs_tree_mount *end = &t->goals[i].effector;
        const double to_end = end->joint < 0 ? 0 : reach[end->joint] + lbm_norm3(end->frame.p);
        most = to_end > most ? to_end : most;
    }
    return most;
}

static double lesser(double a, double b) { return a < b ? a : b; }

/* The least tolerances of all goals hold for each of them. */
static void set_tolerances(const lbs_space *s, const lbs_tree *t, lbs_arm *arm) {
    double length = INFINITY, angle = 2;
    for (int i = 0; i < t->goal_count; i++) {
        const lb_constraint *c = s->items[t->goals[i].item].constraint;
        for (int k = 0; k < 3 && t->goals[i].has_point; k++) {
            length = lesser(length, c->tolerance[k]);
        }
        angle = t->goals[i].has_rotation ? lesser(angle, c->tolerance_rad) : angle;
    }
    for (int i = 0; i < t->goal_count;
         i++) { /* what a leader misses by, its followers miss by, too, and by a lever more */
        if (t->goals[i].leader >= 0) {
            const double part = 0.25;
            angle = lesser(part * angle, part * length / (arm->unit > 0 ? REACH_IN_UNITS / arm->unit : 1));
            length *= part;
            break;
        }
    }
    double sine, cosine;
    lbm_sincos(0.5 * angle * (1 - 3 * HIDDEN_SHARE), &sine, &cosine);
    arm->tolerance = length * (1 - 3 * HIDDEN_SHARE) * arm->unit;
    arm->tolerance_rad = 2 * sine;
}

int lbs_tree_plan(lbs_space *s, int count, const int *items, const int *leaders, lbs_tree *t, lbs_arm *arm) {
    if (!t || count > LBS_ARM_GOALS) {
        return 0;
    }
    memset(arm->joints, 0, (size_t)arm->room * sizeof *arm->joints);
    arm->n = arm->fixed_count = arm->has_idle = arm->far = 0;
    arm->base = LBS_ARM_OF_WORLD;
    arm->tree = t;
    arm->item = items[0];
    arm->goal_count = count;
    t->joint_count = t->goal_count = 0;
    for (int f = 0; f < s->figure_count; f++) {
        lb_kinematics_update(s->kinematics[f], s->start + s->problem->first_variables[f]);
    }
    for (int i = 0; i < count; i++) {
        if (!add_goal(s, items[i], leaders[i], t, arm)) {
            return 0;
        }
    }
    const double reach = reach_of(t, arm);
    arm->has_point = arm->has_rotation = 1;
    arm->lanes = lbs_arm_lane_count(s->kernels->isa) >= LBS_TREE_LANES ? LBS_TREE_LANES : 1;
    arm->unit = reach > 0 ? REACH_IN_UNITS / reach : 1;
    set_tolerances(s, t, arm);
    return find_movers(t, arm->n) && lbm_is_finite(arm->unit) && lbm_is_finite(reach);
}

/* A goal as a frame; 0 where its directions are not at right angles. */
static int goal_frame(const lbs_arm *arm, const lbs_space *s, int item, lbm_transform *frame) {
    const lb_goal *goal = &s->items[item].goal.goal;
    memset(frame, 0, sizeof *frame);
    lbm_copy3(frame->x, goal->x);
    lbm_copy3(frame->y, goal->y);
    lbm_cross3(goal->x, goal->y, frame->z);
    lbm_copy3(frame->p, goal->point);
    return goal->kind == LB_GOAL_POSITION || !(fabs(lbm_dot3(goal->x, goal->y)) > HIDDEN_SHARE * arm->tolerance_rad);
}

int lbs_tree_aim(const lbs_arm *arm, const lbs_space *s, lbs_arm_job *job) {
    for (int i = 0; i < arm->goal_count; i++) {
        const lbs_tree_goal *g = &arm->tree->goals[i];
        lbm_transform frame;
        double *to = job->goal + 12 * i;
        if (!goal_frame(arm, s, g->item, &frame)) {
            return 0;
        }
        if (g->leader >= 0) { /* in the world: the leader's goal, back to its segment, then on to this one */
            lbm_transform place, tool, back, segment;
            const lbm_transform local = frame;
            if (!goal_frame(arm, s, g->leader, &place)) {
                return 0;
            }
            tool_of(s->items[g->leader].constraint, &tool);
            lbm_transform_invert(&tool, &back);
            lbm_transform_multiply(&place, &back, &segment);
            lbm_transform_multiply(&segment, &local, &frame);
        }
        lbm_copy3(to, frame.x);
        lbm_copy3(to + 3, frame.y);
        lbm_copy3(to + 6, frame.z);
        lbm_copy3(to + 9, frame.p);
    }
    return 1;
}
