/* Whether a constraint can be one: its end-effector, its numbers, its goal. */
#include "problem/problem.h"

#include <math.h>

#include "figure/figure.h"
#include "math/project.h"
#include "math/rotation.h"

static int is_unit(const double v[3]) { return lbm_all_finite(v, 3) && fabs(lbm_dot3(v, v) - 1) < 1e-6; }

static void make_unit(double v[3]) {
    double norm = lbm_norm3(v);
    if (fabs(norm - 1) > 1e-15) {
        for (int i = 0; i < 3; i++) {
            v[i] /= norm;
        }
    }
}

/* Whether a joint is on the way from a frame effector's segment to the root. The joint that closes a loop is not: an
 * effector that it carries begins at the joint's other side. */
static int is_on_way(const lb_figure *f, int segment, int joint) {
    if (segment >= f->draft.segment_count) {
        int closing = f->loop_joints[segment - f->draft.segment_count];
        segment = f->draft.sites[f->draft.joints[closing].site_a].segment;
    }
    for (; f->parent_joint[segment] >= 0; segment = lb_figure_parent_segment(f, segment)) {
        if (f->parent_joint[segment] == joint) {
            return 1;
        }
    }
    return 0;
}

/* The centre of mass uses all joints, wherever its chain is said to start. */
static lb_status check_chain(lb_problem *p, lb_constraint *c, const lb_figure *f) {
    if (c->chain_start < 0) {
        c->chain_start = -1;
        return LB_OK;
    }
    if (c->chain_start >= lb_figure_joint_count(f)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the chain starts at a joint that does not exist");
    }
    if (c->effector.kind == LB_EFFECTOR_FRAME && !is_on_way(f, c->effector.segment, c->chain_start)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the chain starts at the joint ", f->draft.joints[c->chain_start].name,
                        ", which is not on the way from the end-effector to the root");
    }
    return LB_OK;
}

/* A constraint whose name was not found has its segment at -1: the reason is looked up again, for its text. */
static lb_status refuse_effector(lb_problem *p, const lb_figure *f, const lb_constraint *c) {
    lb_error reason;
    int segment = -1, site = -1;
    if (c->effector.segment == -1 && c->name && lb_figure_find_place(f, c->name, &segment, &site, &reason)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the constraint has no end-effector: ", reason.message);
    }
    return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the end-effector's segment does not exist");
}

static lb_status check_effector(lb_problem *p, lb_constraint *c) {
    const lb_figure *f = lb_problem_figure(p, c->figure);
    if (!f) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the constraint's figure is not in the problem");
    }
    lb_effector *e = &c->effector;
    if (e->kind == LB_EFFECTOR_COM) {
        if (c->goal.kind == LB_GOAL_ORIENTATION || c->goal.kind == LB_GOAL_FRAME || c->goal.kind == LB_GOAL_AIM) {
            return LBP_FAIL(p, LB_ERROR_UNSUPPORTED, "the centre of mass has a position, but no direction to turn");
        }
        if (lb_figure_mass(f) <= 0) {
            return LBP_FAIL(p, LB_ERROR_UNSUPPORTED, "the figure has no mass, so no centre of mass to place");
        }
    } else {
        if (e->kind != LB_EFFECTOR_FRAME || e->segment < 0 ||
            e->segment >= lb_figure_segment_count(f) + lb_figure_loop_count(f)) {
            return refuse_effector(p, f, c);
        }
        if (!lbm_all_finite(e->point, 3) || !is_unit(e->x) || !is_unit(e->y) || fabs(lbm_dot3(e->x, e->y)) > 1e-6) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT,
                            "the end-effector needs a finite point and two unit vectors at right angles");
        }
        make_unit(e->x);
        make_unit(e->y);
    }
    return check_chain(p, c, f);
}

static lb_status check_numbers(lb_problem *p, const lb_constraint *c) {
    if (!(c->weight >= 0) || !lbm_is_finite(c->weight)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a constraint's weight is negative or not finite");
    }
    for (int i = 0; i < 3; i++) {
        if (!(c->tolerance[i] >= 0)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a constraint's tolerance is negative or not a number");
        }
    }
    if (!(c->tolerance_rad >= 0)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a constraint's tolerance is negative or not a number");
    }
    if (c->priority < 0 || c->priority > 1000) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a constraint's priority is not 0 to 1000");
    }
    if (c->any_of < 0) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a constraint's any_of number is negative");
    }
    if (!(c->radius >= 0) || !(c->half_length >= 0) || !lbm_is_finite(c->radius + c->half_length)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the end-effector's radius or half length is negative or not finite");
    }
    if ((c->radius > 0 || c->half_length > 0) && !c->goal.outside && c->goal.kind != LB_GOAL_HALF_SPACE) {
        return LBP_FAIL(p, LB_ERROR_UNSUPPORTED,
                        "an end-effector with a radius is for half-spaces and goals to keep out of only");
    }
    if (c->half_length > 0 && c->goal.kind == LB_GOAL_DISC) {
        return LBP_FAIL(p, LB_ERROR_UNSUPPORTED, "a capsule cannot be kept out of a disc; use a flat box instead");
    }
    return LB_OK;
}

static lb_status check_region(lb_problem *p, lb_goal *g) {
    static const int sizes[] = {3, 1, 2, 1, 1};
    if (g->kind >= LB_GOAL_BOX && g->kind <= LB_GOAL_DISC) {
        for (int i = 0; i < sizes[g->kind - LB_GOAL_BOX]; i++) {
            if (!(g->size[i] >= 0) || !lbm_is_finite(g->size[i])) {
                return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the size of a goal's region is negative or not finite");
            }
        }
    }
    if (g->outside && (g->kind < LB_GOAL_BOX || g->kind == LB_GOAL_CIRCLE || g->kind == LB_GOAL_CUSTOM)) {
        return LBP_FAIL(p, LB_ERROR_UNSUPPORTED,
                        "only boxes, spheres, capsules, discs and polyhedra have an outside to keep to");
    }
    if (g->kind == LB_GOAL_POLYHEDRON && (g->face_count < 1 || g->face_count > 10000 || !g->faces)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a polyhedron needs 1 to 10000 faces");
    }
    if (!lbm_quaternion_normalise(g->rotation)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal's rotation is not finite or zero");
    }
    return LB_OK;
}

/* Numbers that the goal's kind does not use are finite too: they may be used when the kind is changed, or written. */
static lb_status check_finite(lb_problem *p, const lb_effector *e, const lb_goal *g) {
    if (!lbm_all_finite(g->x, 3) || !lbm_all_finite(g->y, 3) || !lbm_all_finite(g->normal, 3) ||
        !lbm_all_finite(g->size, 3) || !lbm_is_finite(g->weight_position) || !lbm_is_finite(g->weight_orientation)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT,
                        "a goal has a number that is not finite, though its kind does not use it");
    }
    if (!lbm_all_finite(e->point, 3) || !lbm_all_finite(e->x, 3) || !lbm_all_finite(e->y, 3)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "an end-effector has a number that is not finite");
    }
    return LB_OK;
}

static lb_status check_carrier(lb_problem *p, lb_goal *g) {
    if (g->carrier_segment >= 0) {
        const lb_figure *carrier = lb_problem_figure(p, g->carrier_figure);
        if (!carrier || g->carrier_segment >= lb_figure_segment_count(carrier)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, "the segment that carries a goal does not exist");
        }
    } else {
        g->carrier_segment = -1;
        g->carrier_figure = 0; /* not used, but it may be looked at: it has to exist */
    }
    return LB_OK;
}

/* The directions and the normal that the goal's kind has. */
static lb_status check_directions(lb_problem *p, lb_goal *g) {
    if (g->kind == LB_GOAL_ORIENTATION || g->kind == LB_GOAL_FRAME) {
        if (!is_unit(g->x) || !is_unit(g->y)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal's directions are not unit vectors");
        }
        make_unit(g->x);
        make_unit(g->y);
    }
    if (g->kind == LB_GOAL_LINE || g->kind == LB_GOAL_PLANE || g->kind == LB_GOAL_HALF_SPACE) {
        if (!is_unit(g->normal)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal's normal is not a unit vector");
        }
        make_unit(g->normal);
    }
    return LB_OK;
}

static lb_status check_goal(lb_problem *p, lb_goal *g) {
    if ((int)g->kind < 0 || g->kind > LB_GOAL_CUSTOM) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal of no known kind");
    }
    if (!lbm_all_finite(g->point, 3)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal's point is not finite");
    }
    lb_status status = check_carrier(p, g);
    if (!status) {
        status = check_directions(p, g);
    }
    if (status) {
        return status;
    }
    if (!(g->degrees_x >= 0) || !(g->degrees_y >= 0) || !lbm_is_finite(g->degrees_x + g->degrees_y)) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a goal's degrees per metre are negative or not finite");
    }
    if (g->kind == LB_GOAL_FRAME && !(g->weight_position >= 0 && g->weight_orientation >= 0 &&
                                      lbm_is_finite(g->weight_position + g->weight_orientation))) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT,
                        "a goal's weights of position and orientation are negative or not finite");
    }
    if (g->kind == LB_GOAL_CUSTOM && !g->potential) {
        return LBP_FAIL(p, LB_ERROR_ARGUMENT, "a custom goal without its potential");
    }
    return check_region(p, g);
}

lb_status lbp_check_constraint(lb_problem *p, lb_constraint *c) {
    lb_status status = check_effector(p, c);
    if (!status) {
        status = check_numbers(p, c);
    }
    if (!status) {
        status = check_goal(p, &c->goal);
    }
    return status ? status : check_finite(p, &c->effector, &c->goal);
}
