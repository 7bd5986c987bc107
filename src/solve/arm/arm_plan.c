/* The arm engine's plan: which figures and goals it can do, and their constants. */
#include "solve/arm/arm_schedule.h"

#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"

int lbs_arm_lane_count(lbm_isa isa) {
#if LBM_VECTORS
    return isa == LBM_ISA_AVX512 ? 8 : isa == LBM_ISA_AVX2 ? 4 : 2;
#else
    (void)isa;
    return 1;
#endif
}

#define FARTHEST 1000.0    /* radians, or metres: the kernels' sine is for angles below LBM_SINCOS_FAST */
#define REACH_IN_UNITS 4.0 /* the plan's unit of length makes the arm this long, which weighs lengths against radians */
/* Twists may be rounded by so many radians in all. */
#define LEAST_ROUNDED 1e-14
#define MOST_ROUNDED 1e-9
#define HIDDEN_SHARE 1e-3 /* of the tolerances: what rounded twists may change */
#define FAR 1e3           /* times as long as all else: such a slide brings the arm to where the goal is */

/* --- Which joints ----------------------------------------------------------------------------------------------- */

static int segment_fits(const lbs_space *s, int figure, int segment) {
    return segment < s->problem->figures[figure]->draft.segment_count;
}

int lbs_arm_goal_fits(const lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const lb_goal *g = &c->goal;
    if (item->index < 0 || c->effector.kind != LB_EFFECTOR_FRAME || !segment_fits(s, c->figure, c->effector.segment) ||
        (g->carrier_segment >= 0 && !segment_fits(s, g->carrier_figure, g->carrier_segment))) {
        return 0;
    }
    if (g->kind == LB_GOAL_POSITION) {
        return 1;
    }
    return (g->kind == LB_GOAL_FRAME || g->kind == LB_GOAL_ORIENTATION) && g->degrees_x > 0 && g->degrees_y > 0;
}

/* The space's variable that moves a node; -1 if none does, -2 if the node is not simply moved by one variable. */
static int mover_of(const lbs_space *s, int figure, const lbf_node *node) {
    const lb_figure *f = s->problem->figures[figure];
    int first = s->problem->first_variables[figure], count = lbf_node_coordinates(node->kind), mover = -1;
    for (int c = node->coordinate; c < node->coordinate + count; c++) {
        lbf_influence in = lbf_influence_of(f, c);
        for (int k = 0; k < in.count; k++) {
            int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable;
            int active = s->variables.active_of[first + variable];
            if (active < 0) {
                continue;
            }
            if (count > 1 || in.first_term >= 0) {
                return -2;
            }
            mover = active;
        }
    }
    return mover;
}

int lbs_arm_remember_fixed(const lbs_space *s, int figure, const lbf_node *node, lbs_arm *arm) {
    const lb_figure *f = s->problem->figures[figure];
    int first = s->problem->first_variables[figure], count = lbf_node_coordinates(node->kind);
    for (int c = node->coordinate; c < node->coordinate + count; c++) {
        lbf_influence in = lbf_influence_of(f, c);
        for (int k = 0; k < in.count; k++) {
            if (arm->fixed_count == arm->room) {
                return 0;
            }
            int at = first + (in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable);
            arm->fixed[arm->fixed_count] = at;
            arm->fixed_value[arm->fixed_count++] = s->start[at];
        }
    }
    return 1;
}

int lbs_arm_fits(const lbs_arm *arm, const lbs_space *s) {
    for (int i = 0; i < arm->fixed_count; i++) {
        if (s->start[arm->fixed[i]] != arm->fixed_value[i]) {
            return 0;
        }
    }
    return 1;
}

/* --- Constants -------------------------------------------------------------------------------------------------- */

static void append(lbm_transform *t, const lbm_transform *by) {
    lbm_transform before = *t;
    lbm_transform_multiply(&before, by, t);
}

void lbs_arm_motion(const lb_kinematics *k, const lbf_node *node, lbm_transform *motion) {
    lbm_transform_identity(motion);
    if (node->kind == LBF_NODE_TRANSLATE) {
        motion->p[2] = node->sign * k->values[node->coordinate];
    } else {
        double v[3] = {0, 0, 0}, rotation[3][3], jacobian[3][3];
        int count = lbf_node_coordinates(node->kind);
        if (node->kind == LBF_NODE_ROTATE) {
            v[2] = node->sign * k->values[node->coordinate];
        } else {
            for (int i = 0; i < count; i++) {
                v[i] = node->sign * k->values[node->coordinate + i];
            }
        }
        lbm_exponential e;
        lbm_exponential_at(v, &e);
        lbm_exponential_columns(v, &e, rotation, jacobian);
        lbm_copy3(motion->x, rotation[0]);
        lbm_copy3(motion->y, rotation[1]);
        lbm_copy3(motion->z, rotation[2]);
    }
}

/* Half a turn about x. Where a joint turns backwards, its axis is reversed instead. */
static const lbm_transform half_turn = {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 0}};

/* A walk along the joints of an arm: the gap since the last one that moves. */
typedef struct walk {
    lbs_space *s;
    lbs_arm *arm;
    lbm_transform gap;
} walk;

static void append_inverse(lbm_transform *t, const lbm_transform *by) {
    lbm_transform inverse;
    lbm_transform_invert(by, &inverse);
    append(t, &inverse);
}

/* Adds a joint, and begins the gap behind it. */
static int add_joint(walk *w, const lbf_node *node, int mover, double sign) {
    lbs_arm *arm = w->arm;
    if (arm->n == arm->room) {
        return 0;
    }
    if (sign < 0) {
        append(&w->gap, &half_turn);
    }
    arm->joints[arm->n].slides = node->kind == LBF_NODE_TRANSLATE;
    arm->order[arm->n] = mover;
    arm->gaps[arm->n++] = w->gap;
    lbm_transform_identity(&w->gap);
    if (sign < 0) {
        append(&w->gap, &half_turn);
    }
    return 1;
}

/* Goes through a node, away from the root or towards it. */
static int pass_node(walk *w, int figure, int index, int is_backwards) {
    const lb_kinematics *k = w->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    const int mover = mover_of(w->s, figure, node);
    int ok = mover != -2;
    if (!is_backwards) {
        append(&w->gap, &node->constant);
    }
    if (mover >= 0) {
        ok = add_joint(w, node, mover, is_backwards ? -node->sign : node->sign);
    } else if (ok) {
        lbm_transform motion;
        lbs_arm_motion(k, node, &motion);
        (is_backwards ? append_inverse : append)(&w->gap, &motion);
        ok = lbs_arm_remember_fixed(w->s, figure, node, w->arm);
    }
    if (is_backwards) {
        append_inverse(&w->gap, &node->constant);
    }
    return ok;
}

/* Whether a node is on the way from another one to the root. */
static int is_above(const lb_figure *f, int node, int other) {
    while (other > node) { /* parents have smaller numbers */
        other = f->nodes[other].parent;
    }
    return other == node;
}

/* The transforms between the axes that move: gaps[i] leads from joint i - 1 to joint i, gaps[n] to the effector's
 * segment. The walk begins in the world or, where a segment carries the goal, in that segment, towards the root as far
 * as both ways have in common. Returns 0 where a joint does not fit. */
static int walk_along(lbs_space *s, const lb_constraint *c, lbs_arm *arm) {
    const lb_figure *f = s->problem->figures[c->figure];
    const int tip = f->mounts[c->effector.segment].node;
    walk w = {s, arm, {{0}, {0}, {0}, {0}}};
    int meet = -1, length = 0;
    lbm_transform_identity(&w.gap);
    arm->n = 0;
    lb_kinematics_update(s->kinematics[c->figure], s->start + s->problem->first_variables[c->figure]);
    if (arm->base == LBS_ARM_OF_CARRIER) {
        const int figure = c->goal.carrier_figure;
        const lb_figure *g = s->problem->figures[figure];
        const lbf_mount *mount = &g->mounts[c->goal.carrier_segment];
        if (figure != c->figure) {
            lb_kinematics_update(s->kinematics[figure], s->start + s->problem->first_variables[figure]);
        }
        append_inverse(&w.gap, &mount->offset);
        int node = mount->node;
        for (; node >= 0 && !(figure == c->figure && is_above(f, node, tip)); node = g->nodes[node].parent) {
            if (!pass_node(&w, figure, node, 1)) {
                return 0;
            }
        }
        meet = node;
    }
    for (int node = tip; node != meet; node = f->nodes[node].parent) {
        if (length == arm->path_room) {
            return 0;
        }
        arm->path[length++] = node;
    }
    while (length-- > 0) {
        if (!pass_node(&w, c->figure, arm->path[length], 0)) {
            return 0;
        }
    }
    append(&w.gap, &f->mounts[c->effector.segment].offset);
    arm->gaps[arm->n] = w.gap;
    return arm->n > 0;
}

int lbs_arm_set_range(const lbs_space *s, int variable, int slides, lbs_arm_joint *j) {
    const double reach = slides ? 1 : LBM_PI;
    j->lower = s->variables.pose_lower[variable];
    j->upper = s->variables.pose_upper[variable];
    j->scale = s->variables.scale[variable];
    j->random_lower = j->lower > -INFINITY ? j->lower : j->upper < INFINITY ? j->upper - 2 * reach : -reach;
    j->random_upper = j->upper < INFINITY ? j->upper : j->random_lower + 2 * reach;
    if (slides) {
        return 1;
    }
    if (j->random_lower <= -FARTHEST && j->random_upper >= FARTHEST) { /* as good as no limits */
        j->random_lower = -LBM_PI;
        j->random_upper = LBM_PI;
    }
    return fabs(j->random_lower) <= FARTHEST && fabs(j->random_upper) <= FARTHEST;
}

static int set_ranges(const lbs_space *s, lbs_arm *arm) {
    for (int i = 0; i < arm->n; i++) {
        if (!lbs_arm_set_range(s, arm->order[i], arm->joints[i].slides, &arm->joints[i])) {
            return 0;
        }
    }
    return 1;
}

/* --- The plan --------------------------------------------------------------------------------------------------- */

/* How far a joint slides at most. */
static double slide_of(const lbs_arm_joint *j) {
    const double low = fabs(j->random_lower), high = fabs(j->random_upper);
    return !j->slides ? 0 : low > high ? low : high;
}

/* The length of the arm; slides that are far longer than all else are not of it. */
static double reach_of(lbs_arm *arm) {
    double reach = 0, longest = 0;
    arm->far = 0;
    for (int i = 0; i < arm->n; i++) {
        const double slide = slide_of(&arm->joints[i]);
        reach += lbm_norm3(arm->gaps[i + 1].p);
        longest = slide > longest ? slide : longest;
        reach += slide;
    }
    if (arm->n > LBS_ARM_MAX || !(reach - longest > 0) || !(longest > FAR * (reach - longest))) {
        return reach;
    }
    for (int i = 0; i < arm->n; i++) {
        arm->far = slide_of(&arm->joints[i]) == longest ? i + 1 : arm->far;
    }
    return reach - longest;
}

static double least3(const double v[3]) {
    double least = v[0] < v[1] ? v[0] : v[1];
    return v[2] < least ? v[2] : least;
}

static void lay_out_long(lbs_arm *arm) {
    const lbs_arm_long *l = &arm->along;
    double *all[] = {l->offset, l->lower, l->upper, l->factor, l->slide, l->q};
    for (int i = 0; i < arm->n; i++) {
        const lbs_arm_joint *j = &arm->joints[i];
        l->offset[i] = j->offset;
        l->lower[i] = j->lower;
        l->upper[i] = j->upper;
        l->factor[i] = j->flipped ? -j->scale : j->scale;
        l->slide[i] = j->slides ? arm->unit : 0;
    }
    for (int i = arm->n; i < arm->n + LBS_ARM_LONG_LANES; i++) { /* of a longer plan before, perhaps */
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            all[k][i] = 0;
        }
        for (int k = 0; k < 6; k++) {
            l->column[k][i] = 0;
        }
    }
}

static void lay_out_one(lbs_arm *arm) {
    lbs_arm_one *to = &arm->one;
    for (int i = 0; i < LBS_ARM_MAX; i++) {
        const lbs_arm_joint *j = i < arm->n ? &arm->joints[i] : NULL;
        to->offset[i] = j && !j->slides ? j->offset : 0;
        to->lower[i] = j ? j->lower : -INFINITY;
        to->upper[i] = j ? j->upper : INFINITY;
        to->factor[i] = !j ? 0 : j->flipped ? -j->scale : j->scale;
    }
}

/* Marks joints that move nothing that the goal sees: of a point's goal those at the end whose axes pass through the
 * point, of an orientation's those that slide. */
static void mark_idle(lbs_arm *arm) {
    double point[3] = {arm->end_x, 0, arm->end_z}; /* as the last frame has it */
    arm->has_idle = 0;
    for (int i = arm->n - 1; i >= 0 && !arm->has_rotation; i--) {
        lbs_arm_joint *j = &arm->joints[i];
        if (j->slides || point[0] != 0 || point[1] != 0) {
            break;
        }
        j->is_idle = arm->has_idle = 1;
        if (j->twist != LBS_ARM_TWIST_NONE) {
            break; /* off the axis of the one before */
        }
        lbm_set3(point, j->x, j->y, 0);
    }
    for (int i = 0; i < arm->n && !arm->has_point; i++) {
        arm->joints[i].is_idle = arm->joints[i].slides;
        arm->has_idle |= arm->joints[i].slides;
    }
}

int lbs_arm_plan(lbs_space *s, const lbs_item *item, int follows, lbs_arm *arm) {
    const lb_constraint *c = item->constraint;
    memset(arm->joints, 0, (size_t)arm->room * sizeof *arm->joints);
    arm->fixed_count = 0;
    arm->tree = NULL;
    arm->goal_count = 1;
    arm->base = follows ? LBS_ARM_FOLLOWS : c->goal.carrier_segment >= 0 ? LBS_ARM_OF_CARRIER : LBS_ARM_OF_WORLD;
    if (!walk_along(s, c, arm) || !set_ranges(s, arm)) {
        return 0;
    }
    arm->item = (int)(item - s->items);
    arm->lanes = lbs_arm_lane_count(s->kernels->isa);
    arm->has_point = c->goal.kind != LB_GOAL_ORIENTATION;
    arm->has_rotation = c->goal.kind != LB_GOAL_POSITION;
    /* the last gap to the effector's own frame */
    lbm_transform tool;
    memset(&tool, 0, sizeof tool);
    lbm_copy3(tool.x, c->effector.x);
    lbm_copy3(tool.y, c->effector.y);
    lbm_cross3(tool.x, tool.y, tool.z);
    lbm_copy3(tool.p, c->effector.point);
    if (arm->has_rotation && fabs(lbm_dot3(tool.x, tool.y)) > HIDDEN_SHARE * c->tolerance_rad) {
        return 0;
    }
    append(&arm->gaps[arm->n], &tool);
    double reach = reach_of(arm), least = least3(c->tolerance);
    arm->unit = reach > 0 ? REACH_IN_UNITS / reach : 1;
    double hidden = HIDDEN_SHARE * (arm->has_point && reach > 0 ? least / reach : c->tolerance_rad);
    if (arm->has_rotation && hidden > HIDDEN_SHARE * c->tolerance_rad) {
        hidden = HIDDEN_SHARE * c->tolerance_rad;
    }
    if (hidden > MOST_ROUNDED) {
        hidden = MOST_ROUNDED;
    }
    lbs_arm_align(arm, reach, hidden > LEAST_ROUNDED ? hidden : LEAST_ROUNDED);
    arm->tool = arm->gaps[arm->n];
    if (arm->n > LBS_ARM_MAX) {
        lay_out_long(arm);
    } else {
        lay_out_one(arm);
    }
    arm->tolerance = least * (1 - 3 * HIDDEN_SHARE) * arm->unit;
    double sine, cosine, angle = c->tolerance_rad < 2 ? c->tolerance_rad : 2;
    lbm_sincos(0.5 * angle * (1 - 3 * HIDDEN_SHARE), &sine, &cosine);
    arm->tolerance_rad = 2 * sine;
    mark_idle(arm);
    return lbm_is_finite(arm->unit) && lbm_is_finite(reach);
}

int lbs_arm_aim(const lbs_arm *arm, const lb_goal *goal, lbs_arm_job *job) {
    const lbm_transform *base = &arm->to_base, *tool = &arm->tool;
    double point[3], axes[3][3], z[3];
    for (int k = 0; k < 9 && !arm->has_rotation; k++) {
        job->goal[k] = 0;
    }
    lbm_apply(base, goal->point, point);
    for (int k = 0; k < 3; k++) {
        job->goal[9 + k] = arm->has_point ? point[k] * arm->unit : 0;
    }
    if (!arm->has_rotation) {
        return 1;
    }
    if (fabs(lbm_dot3(goal->x, goal->y)) > HIDDEN_SHARE * arm->tolerance_rad) {
        return 0;
    }
    lbm_cross3(goal->x, goal->y, z);
    lbm_rotate(base, goal->x, axes[0]);
    lbm_rotate(base, goal->y, axes[1]);
    lbm_rotate(base, z, axes[2]);
    for (int column = 0; column < 3; column++) {
        double sign = column == 2 && arm->end_flipped ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            job->goal[3 * column + k] =
                sign * (axes[0][k] * tool->x[column] + axes[1][k] * tool->y[column] + axes[2][k] * tool->z[column]);
        }
    }
    return 1;
}

double lbs_arm_value(const lbs_arm *arm, const lbs_item *item, const double frame[12]) {
    const double *x = frame, *y = frame + 3, *n = frame + 6, sign = arm->end_flipped ? -1 : 1;
    const double *tool[2] = {arm->tool.x, arm->tool.y};
    double point[3], axis[3], e[9], rows[LBP_MAX_ROWS];
    for (int k = 0; k < 3; k++) {
        point[k] = frame[9 + k] / arm->unit;
    }
    lbm_apply(&arm->from_base, point, e);
    for (int a = 0; a < 2; a++) {
        for (int k = 0; k < 3; k++) {
            axis[k] = x[k] * tool[a][0] + y[k] * tool[a][1] + n[k] * (sign * tool[a][2]);
        }
        lbm_rotate(&arm->from_base, axis, e + 3 + 3 * a);
    }
    return item->constraint->weight * lbp_goal_rows(&item->goal, e, rows, NULL);
}
