/* How far a goal is beyond the length of the chain that is to reach it.
 *
 * A chain of joints is a sequence of pivots: a joint that turns about an axis turns about every point of it, a ball
 * joint about one point. Of two neighbouring pivots the points stay where they are on the segment between them, so
 * their distance is the same in every pose, and the sum of these distances up to the effector's point is an upper bound
 * on how far that can be from the first pivot, whatever the angles and their limits. It holds for any choice of points
 * on the axes; the sum is a convex function of them, and is made small one point at a time: between its neighbours the
 * shortest way over a line meets it where a light ray would be reflected. A slide between two pivots counts by the end
 * of its range that puts them farthest apart. */
#include <string.h>

#include "math/outward.h"
#include "solve/solver.h"

#define MOST_PIVOTS 128
#define MOST_SLIDES 8 /* in a chain */
#define SWEEPS 30

typedef struct slide {
    double axis_w[3];
    double shorter, longer; /* metres from where it is to the ends of its range: <= 0, >= 0 */
} slide;

typedef struct pivot {
    double point_w[3], axis_w[3];
    int is_line;                  /* else a point */
    int first_slide, slide_count; /* between it and the next one */
} pivot;

typedef struct chain {
    int count; /* pivots; the last stands for the effector's point */
    int slide_count;
    slide slides[MOST_SLIDES];
    pivot pivots[MOST_PIVOTS];
} chain;

/* Whether a coordinate can move at all. */
static int may_move(const lbs_space *s, int figure, int coordinate) {
    lbf_influence in = lbf_influence_of(s->problem->figures[figure], coordinate);
    for (int i = 0; i < in.count; i++) {
        if (lbs_column_of(s, figure, in, i) >= 0) {
            return 1;
        }
    }
    return 0;
}

/* A shift. Returns 0 where its range is not known. */
static int add_slide(const lbs_space *s, int figure, int coordinate, chain *c) {
    const lb_figure *f = s->problem->figures[figure];
    lbf_influence in = lbf_influence_of(f, coordinate);
    if (in.first_term >= 0 || c->slide_count == MOST_SLIDES) {
        return 0;
    }
    double value = s->last.pose[s->problem->first_variables[figure] + in.own];
    slide *to = &c->slides[c->slide_count++];
    lbm_copy3(to->axis_w, s->kinematics[figure]->axes[coordinate]);
    to->shorter = f->lower[in.own] - value;
    to->longer = f->upper[in.own] - value;
    return lbm_is_finite(to->shorter) && lbm_is_finite(to->longer);
}

/* Whether a variable that may move moves a node. */
static int node_moves(const lbs_space *s, int figure, const lbf_node *node) {
    int moves = 0;
    for (int i = 0; i < lbf_node_coordinates(node->kind); i++) {
        moves |= may_move(s, figure, node->coordinate + i);
    }
    return moves;
}

/* A pivot before those that there are, from the slides that were met since: its gap to the next one. */
static pivot *put_before(chain *c, int *first, const double point_w[3]) {
    pivot *p = &c->pivots[--*first];
    memset(p, 0, sizeof *p);
    lbm_copy3(p->point_w, point_w);
    for (int i = *first + 1; i < MOST_PIVOTS; i++) {
        p->first_slide += c->pivots[i].slide_count;
    }
    p->slide_count = c->slide_count - p->first_slide;
    return p;
}

/* The pivots from the root outwards, found from the effector inwards. Returns 0 where the chain has no known length. */
static int find_chain(const lbs_space *s, const lbs_item *item, chain *c) {
    int figure = item->constraint->figure, first = MOST_PIVOTS;
    const lb_figure *f = s->problem->figures[figure];
    const lb_kinematics *k = s->kinematics[figure];
    c->slide_count = 0;
    put_before(c, &first, item->e_w);
    for (int i = f->mounts[item->constraint->effector.segment].node; i >= 0; i = f->nodes[i].parent) {
        const lbf_node *node = &f->nodes[i];
        if (!node_moves(s, figure, node)) {
            continue;
        }
        if (node->kind == LBF_NODE_TRANSLATE) {
            if (!add_slide(s, figure, node->coordinate, c)) {
                return 0;
            }
            continue;
        }
        if (first <= 1) {
            return 0;
        }
        pivot *p = put_before(c, &first, k->frames[i].p);
        lbm_copy3(p->axis_w, k->frames[i].z);
        p->is_line = node->kind == LBF_NODE_ROTATE;
    }
    put_before(c, &first,
               c->pivots[first].point_w); /* what stands before slides at the base; else the same point again */
    c->count = MOST_PIVOTS - first;
    memmove(c->pivots, c->pivots + first, (size_t)c->count * sizeof *c->pivots);
    return 1;
}

/* The greatest distance that a pivot's point and the next one's can have. */
static double length_between(const chain *c, const pivot *a, const pivot *b) {
    double most = 0;
    for (int corner = 0; corner < 1 << a->slide_count; corner++) {
        double way[3];
        lbm_sub3(b->point_w, a->point_w, way);
        for (int i = 0; i < a->slide_count; i++) {
            const slide *s = &c->slides[a->first_slide + i];
            lbm_add_scaled3(way, s->axis_w, corner & 1 << i ? s->longer : s->shorter);
        }
        double length = lbm_norm3(way);
        most = length > most ? length : most;
    }
    return most;
}

/* Where a point is beside a line: along it, and off it. */
static double along(const pivot *line, const double point[3], double *off) {
    double way[3];
    lbm_sub3(point, line->point_w, way);
    double t = lbm_dot3(way, line->axis_w);
    lbm_add_scaled3(way, line->axis_w, -t);
    *off = lbm_norm3(way);
    return t;
}

/* Moves the points along their axes to make the sum small. The first stays where it
 * is in the world. */
static void shorten(chain *c) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i + 1 < c->count; i++) {
            pivot *p = &c->pivots[i];
            if (!p->is_line || p->slide_count || p[-1].slide_count) {
                continue;
            }
            double off_a, off_b, a = along(p, p[-1].point_w, &off_a), b = along(p, p[1].point_w, &off_b);
            double both = off_a + off_b;
            lbm_add_scaled3(p->point_w, p->axis_w, both > 0 ? (a * off_b + b * off_a) / both : a);
        }
    }
}

static double length_of(const chain *c) {
    double sum = 0;
    for (int i = 0; i + 1 < c->count; i++) {
        sum += length_between(c, &c->pivots[i], &c->pivots[i + 1]);
    }
    return sum;
}

/* The goal's distance from a point in the world. */
static double distance_from(const lbs_item *item, const double point_w[3]) {
    double e[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    lbp_miss miss;
    lbm_copy3(e, point_w);
    if (item->constraint->goal.carrier_segment >= 0) {
        const lbm_transform *carrier = &item->carrier;
        double way[3];
        lbm_sub3(point_w, carrier->p, way);
        lbm_set3(e, lbm_dot3(carrier->x, way), lbm_dot3(carrier->y, way), lbm_dot3(carrier->z, way));
    }
    lbp_goal_miss(&item->goal, e, &miss);
    return miss.distance;
}

static double beyond_from(const lbs_item *item, chain *c) {
    shorten(c);
    const double length = length_of(c), distance = distance_from(item, c->pivots[0].point_w);
    const double lengths = 2 * (length + distance + lbm_norm3(c->pivots[0].point_w)); /* that kinematics go through */
    return lbm_proved(distance - length, lbm_motion_slack(4 + c->count + c->slide_count, lengths));
}

/* Goals that have a distance, which the effector's point alone decides. */
static int has_distance(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    switch (c->goal.kind) {
    case LB_GOAL_ORIENTATION:
    case LB_GOAL_AIM:
    case LB_GOAL_CUSTOM:
    case LB_GOAL_APART:
        return 0;
    default:
        return c->effector.kind == LB_EFFECTOR_FRAME && !c->goal.outside && c->radius == 0 && !item->carrier_moves;
    }
}

/* The first two pivots together on the first one's axis, where the next one is nearest: another base, another bound. */
static void move_base(chain *c) {
    pivot *base = &c->pivots[1];
    double off;
    if (c->count < 3 || !base->is_line || base->slide_count || base[-1].slide_count) {
        return;
    }
    lbm_add_scaled3(base->point_w, base->axis_w, along(base, base[1].point_w, &off));
    lbm_copy3(base[-1].point_w, base->point_w);
}

double lbs_beyond(lbs_space *s, const lbs_item *item) {
    const lb_problem *p = s->problem;
    int figure = item->constraint->figure;
    chain c;
    if (!has_distance(item)) {
        return 0;
    }
    lb_kinematics_update(s->kinematics[figure], s->last.pose + p->first_variables[figure]);
    int is_known = find_chain(s, item, &c);
    s->columns.is_placed = s->last.is_valid = 0; /* all nodes were moved, also those that a solve has in other frames */
    lbs_place_still(s);
    if (!is_known) {
        return 0;
    }
    double beyond = beyond_from(item, &c);
    move_base(&c);
    double other = beyond_from(item, &c);
    return other > beyond ? other : beyond;
}
