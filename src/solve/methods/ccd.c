/* Cyclic coordinate descent (BAGS 4.3.2; EN07 2.2; Wang & Chen 1991): one variable after the other, from the tips to
 * the root, is moved to where G is least while all others stay.
 *
 * Along one turn by theta about axis u through c every vector of an end-effector goes as a + b cos theta + c sin theta,
 * so that G is
 *
 *     constant + A1 cos theta + B1 sin theta + A2 cos 2 theta + B2 sin 2 theta,
 *
 * the second harmonics only for line and plane goals (for position and orientation |r - c| and |v| do not change, and
 * they cancel). Three samples a third of a turn apart give A1, B1 exactly, five a fifth apart all four. Along a
 * translation G is a parabola: three samples. Everything else - curved goals, alternatives, wishes, variables that
 * drive several joints - is searched by bracketing and parabolas.
 *
 * A turn moves only what hangs on it, and what hangs on it was dealt with before: so the axes still to come stay where
 * they are, and one evaluation of the figure serves a whole sweep; only end-effectors are turned on the way. Variables
 * that drive several joints, and goals on the centre of mass, need the figure evaluated at each sample.
 *
 * Rigidity and preferred angles shorten a variable's step (lbs_damping). G may have a bump between here and its least
 * value, so a damped variable goes for the nearest low point, and no farther than where G is lower.
 *
 * By axis (LB_CCD_VARIANT_AXIS) is EN07's own: with e the end-effector, g the goal and c the joint's centre, a joint of several
 * turns is turned about (e - c) x (g - c) until e lies on the ray from c to g. Its turns follow from that (ccd_axis.c).
 * What limits and missing axes do not let come true is not made up for: G may rise on the way, and the best is kept.
 *
 * A variable moves within the room that its bounds and limit rows leave it. One coordinate alone cannot slide along a
 * row over several variables: where rows hold G back, the sweep ends with a step along the projected gradient. */
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "solve/methods/ccd_axis.h"
#include "solve/methods/classic.h"

#define PATIENCE 60 /* sweeps that gain next to nothing */

typedef enum move_kind { MOVE_TURN, MOVE_SHIFT, MOVE_BALL, MOVE_MANY } move_kind; /* a ball: of a rotation vector */

/* What a variable moves. */
typedef struct mover {
    move_kind kind;
    int figure, node, coordinate; /* the deepest */
    int coordinates;              /* how many */
    int listed;
    double step; /* where a search begins */
} mover;

/* An item's end-effector and carrier as the sweep has moved them. */
typedef struct carried {
    double e_w[9];
    lbm_transform carrier;
    double value; /* weighted */
} carried;

enum { MOVES_EFFECTOR = 1, MOVES_CARRIER = 2 };

typedef struct ccd {
    lbs_space *s;
    double *z;
    mover *movers;        /* [n] */
    int *order;           /* [n]: tips first */
    unsigned char *moves; /* [n][items] */
    carried *items;       /* [items] */
    double *group_value;  /* [items] */
    double *trial, *gradient, *direction, *bounds, *limits, *judge;
    lbs_best best;
    lbs_damping damping;
    int by_figure; /* a goal on the centre of mass: every sample needs the whole figure */
    int stale;     /* z is not where axes and items were looked at */
    double slide;
} ccd;

static size_t doubles_for(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

size_t lbs_ccd_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), items = (size_t)s->item_count;
    return doubles_for(n * sizeof(mover)) + doubles_for(n * sizeof(int)) + doubles_for(n * items) +
           doubles_for(items * sizeof(carried)) + items + 5 * n + lbs_max_limits(s->problem) + lbs_judge_size(s);
}

/* --- Who moves what ------------------------------------------------------------------------------------------ */

static void list_variable(ccd *c, int figure, int node, int coordinate, int variable, int is_own, int *count) {
    int i = c->s->active_of[c->s->problem->first_variables[figure] + variable];
    if (i < 0) {
        return;
    }
    mover *m = &c->movers[i];
    m->coordinates++;
    if (!is_own) {
        m->kind = MOVE_MANY;
    }
    if (m->listed) {
        return;
    }
    m->listed = 1;
    m->figure = figure;
    m->node = node;
    m->coordinate = coordinate;
    lbf_node_kind kind = c->s->problem->figures[figure]->nodes[node].kind;
    if (is_own) {
        m->kind = kind == LBF_NODE_ROTATE ? MOVE_TURN : kind == LBF_NODE_TRANSLATE ? MOVE_SHIFT : MOVE_BALL;
    }
    c->order[(*count)++] = i;
}

/* Nodes come after their parents, so backwards is from the tips to the root; a variable has the place of the deepest
 * node it moves. */
static void list_movers(ccd *c) {
    const lb_problem *p = c->s->problem;
    int count = 0;
    memset(c->movers, 0, (size_t)c->s->n * sizeof *c->movers);
    for (int figure = p->figure_count - 1; figure >= 0; figure--) {
        const lb_figure *f = p->figures[figure];
        for (int node = f->node_count - 1; node >= 0; node--) {
            for (int k = lbf_node_coordinates(f->nodes[node].kind) - 1; k >= 0; k--) {
                int coordinate = f->nodes[node].coordinate + k;
                lbf_influence in = lbf_influence_of(f, coordinate);
                for (int t = 0; t < in.count; t++) {
                    list_variable(c, figure, node, coordinate,
                                  in.first_term < 0 ? in.own : f->terms[in.first_term + t].variable, in.first_term < 0,
                                  &count);
                }
            }
        }
    }
    for (int i = 0; i < c->s->n; i++) {
        c->movers[i].step = 0.1 / c->s->scale[i];
        if (c->movers[i].coordinates > 1) {
            c->movers[i].kind = MOVE_MANY;
        }
        if (!c->movers[i].listed) {
            c->movers[i].kind = MOVE_MANY, c->order[count++] = i;
        }
    }
}

static void mark_chain(ccd *c, int figure, int segment, int item, unsigned char what) {
    const lb_figure *f = c->s->problem->figures[figure];
    int first = c->s->problem->first_variables[figure];
    for (int node = f->mounts[segment].node; node >= 0; node = f->nodes[node].parent) {
        for (int k = 0; k < lbf_node_coordinates(f->nodes[node].kind); k++) {
            int own = f->coordinate_variable[f->nodes[node].coordinate + k];
            int i = own < 0 ? -1 : c->s->active_of[first + own];
            if (i >= 0) {
                c->moves[(size_t)i * (size_t)c->s->item_count + (size_t)item] |= what;
            }
        }
    }
}

static void mark_items(ccd *c) {
    const lbs_space *s = c->s;
    memset(c->moves, 0, (size_t)s->n * (size_t)s->item_count);
    c->by_figure = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *k = s->items[i].constraint;
        if (!s->items[i].enabled) {
            continue;
        }
        if (k->effector.kind == LB_EFFECTOR_COM) {
            c->by_figure = 1;
        } else {
            mark_chain(c, k->figure, k->effector.segment, i, MOVES_EFFECTOR);
        }
        if (k->goal.carrier_segment >= 0) {
            mark_chain(c, k->goal.carrier_figure, k->goal.carrier_segment, i, MOVES_CARRIER);
        }
    }
}

static int is_light(const ccd *c, int i) { return c->movers[i].kind != MOVE_MANY && !c->by_figure; }

/* --- G along one variable ------------------------------------------------------------------------------------ */

/* A turn or shift in the world. */
typedef struct motion {
    move_kind kind;
    double axis[3], centre[3], sine, cosine, shift;
    double columns[3][3]; /* of a ball's rotation */
} motion;

/* A ball moves by B exp(v') exp(v)^-1 B', where B is its frame before the motion, v its rotation vector and v' the one
 * with coordinate i changed. */
static void ball_motion(const ccd *c, int i, motion *m) {
    const lbs_space *s = c->s;
    const mover *ball = &c->movers[i];
    const lb_kinematics *k = s->kinematics[ball->figure];
    const lb_figure *f = k->figure;
    const lbf_node *node = &f->nodes[ball->node];
    double old[3] = {0, 0, 0}, changed[3] = {0, 0, 0}, before[3][3], after[3][3], unused[3][3];
    for (int a = 0; a < lbf_node_coordinates(node->kind); a++) {
        int coordinate = node->coordinate + a, own = f->coordinate_variable[coordinate];
        int at = own < 0 ? -1 : s->active_of[s->problem->first_variables[ball->figure] + own];
        old[a] = node->sign * (at < 0 ? k->values[coordinate] : c->z[at] * s->scale[at]);
        changed[a] = old[a] + (at == i ? node->sign * m->shift : 0);
    }
    lbm_exponential e;
    lbm_exponential_at(old, &e);
    lbm_exponential_columns(old, &e, before, unused);
    lbm_exponential_at(changed, &e);
    lbm_exponential_columns(changed, &e, after, unused);
    lbm_transform base = node->constant;
    if (node->parent >= 0) {
        lbm_transform_multiply(&k->frames[node->parent], &node->constant, &base);
    }
    for (int a = 0; a < 3; a++) { /* what becomes of the world's axis a */
        double local[3] = {base.x[a], base.y[a], base.z[a]}, turned[3] = {0, 0, 0};
        for (int b = 0; b < 3; b++) {
            lbm_add_scaled3(turned, after[b], lbm_dot3(before[b], local));
        }
        lbm_rotate(&base, turned, m->columns[a]);
    }
}

static void motion_of(const ccd *c, int i, double t, motion *m) {
    const mover *v = &c->movers[i];
    const lb_kinematics *k = c->s->kinematics[v->figure];
    m->kind = v->kind;
    lbm_copy3(m->axis, k->axes[v->coordinate]);
    lbm_copy3(m->centre, k->frames[v->node].p);
    m->shift = t * c->s->scale[i];
    if (m->kind == MOVE_TURN) {
        lbm_sincos(m->shift, &m->sine, &m->cosine);
    }
    if (m->kind == MOVE_BALL) {
        ball_motion(c, i, m);
    }
}

static void move_vector(const motion *m, double v[3]) {
    if (m->kind == MOVE_TURN) {
        lbs_turn_vector(m->axis, m->sine, m->cosine, v);
    }
    if (m->kind != MOVE_BALL) {
        return;
    }
    double out[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        lbm_add_scaled3(out, m->columns[a], v[a]);
    }
    lbm_copy3(v, out);
}

static void move_point(const motion *m, double p[3]) {
    if (m->kind == MOVE_SHIFT) {
        lbm_add_scaled3(p, m->axis, m->shift);
        return;
    }
    double from[3];
    lbm_sub3(p, m->centre, from);
    move_vector(m, from);
    for (int i = 0; i < 3; i++) {
        p[i] = m->centre[i] + from[i];
    }
}

static void move_carried(const motion *m, int moves, carried *item) {
    double *vectors[5] = {item->e_w + 3, item->e_w + 6, item->carrier.x, item->carrier.y, item->carrier.z};
    if (moves & MOVES_EFFECTOR) {
        move_point(m, item->e_w);
    }
    if (moves & MOVES_CARRIER) {
        move_point(m, item->carrier.p);
    }
    for (int i = 0; i < 5; i++) {
        if (moves & (i < 2 ? MOVES_EFFECTOR : MOVES_CARRIER)) {
            move_vector(m, vectors[i]);
        }
    }
}

static double value_of(const lbs_item *item, const carried *at) {
    double e[9], rows[LBP_MAX_ROWS];
    memcpy(e, at->e_w, sizeof e);
    if (item->constraint->goal.carrier_segment >= 0) {
        for (int part = 0; part < 3; part++) {
            double v[3];
            lbm_copy3(v, at->e_w + 3 * part);
            if (part == 0) {
                lbm_sub3(v, at->carrier.p, v);
            }
            lbm_set3(e + 3 * part, lbm_dot3(at->carrier.x, v), lbm_dot3(at->carrier.y, v), lbm_dot3(at->carrier.z, v));
        }
    }
    return item->constraint->weight * lbp_goal_rows(&item->goal, e, rows, NULL);
}

/* What of G variable i can change, with the variable moved by t, from the items as they are carried. */
static double light_value(const ccd *c, int i, double t) {
    const lbs_space *s = c->s;
    const unsigned char *moves = c->moves + (size_t)i * (size_t)s->item_count;
    motion m;
    motion_of(c, i, t, &m);
    for (int g = 0; g < s->group_count; g++) {
        c->group_value[g] = INFINITY;
    }
    double sum = 0;
    for (int k = 0; k < s->item_count; k++) {
        const lbs_item *item = &s->items[k];
        int relative = moves[k] == MOVES_EFFECTOR || moves[k] == MOVES_CARRIER;
        if (!item->enabled || (!relative && item->group < 0)) {
            continue;
        }
        double value = c->items[k].value;
        if (relative && t != 0) {
            carried moved = c->items[k];
            move_carried(&m, moves[k], &moved);
            value = value_of(item, &moved);
        }
        if (item->group < 0) {
            sum += value;
        } else if (value < c->group_value[item->group] || value != value) {
            c->group_value[item->group] = value;
        }
    }
    for (int g = 0; g < s->group_count; g++) {
        sum += c->group_value[g];
    }
    double keep = c->z[i];
    c->z[i] = keep + t;
    sum += lbs_wishes(s, c->z, NULL, NULL);
    c->z[i] = keep;
    return sum;
}

static double value_along(ccd *c, int i, double t) {
    if (is_light(c, i)) {
        return light_value(c, i, t);
    }
    double keep = c->z[i];
    c->z[i] = keep + t;
    double value = lbs_value(c->s, c->z);
    c->z[i] = keep;
    c->stale = 1;
    return value;
}

/* Axes, end-effectors and values at z. */
static void look(ccd *c) {
    lbs_space *s = c->s;
    lbs_value(s, c->z);
    for (int k = 0; k < s->item_count; k++) {
        const lbs_item *item = &s->items[k];
        if (!item->enabled) {
            continue;
        }
        memcpy(c->items[k].e_w, item->e_w, sizeof item->e_w);
        c->items[k].value = item->constraint->weight * item->value;
        const lb_goal *goal = &item->constraint->goal;
        if (goal->carrier_segment >= 0) {
            lbf_segment_transform(s->kinematics[goal->carrier_figure], goal->carrier_segment, &c->items[k].carrier);
        }
    }
    c->stale = 0;
}

/* --- The least of G along one variable ----------------------------------------------------------------------- */

/* 0: of no simple form; 1, 2: harmonics of a turn, or a parabola. */
static int degree_of(const ccd *c, int i) {
    const lbs_space *s = c->s;
    const lbp_wishes *w = &s->wishes;
    int degree = 1;
    if (!is_light(c, i) || c->movers[i].kind == MOVE_BALL || w->margin_weight > 0) {
        return 0;
    }
    if (c->movers[i].kind == MOVE_TURN && (w->posture_weight > 0 || w->stay_weight > 0)) {
        return 0;
    }
    for (int k = 0; k < s->item_count; k++) {
        const lbs_item *item = &s->items[k];
        if (!item->enabled || !c->moves[(size_t)i * (size_t)s->item_count + (size_t)k]) {
            continue;
        }
        lb_goal_kind kind = item->constraint->goal.kind;
        if (item->group >= 0 || kind == LB_GOAL_AIM || kind > LB_GOAL_PLANE) {
            return 0;
        }
        if (kind == LB_GOAL_LINE || kind == LB_GOAL_PLANE) {
            degree = 2;
        }
    }
    return degree;
}

/* The turn that is theta but for whole turns and lies in the room, nearest to 0; if there is none, *inside is 0. */
static double turn_inside(double theta, double down, double up, int *inside) {
    const double turns[3] = {0, theta > 0 ? -LBM_TWO_PI : LBM_TWO_PI, theta > 0 ? LBM_TWO_PI : -LBM_TWO_PI};
    for (int k = 0; k < 3; k++) {
        double at = theta + turns[k];
        if (at < down || at > up) {
            continue;
        }
        *inside = 1;
        return at;
    }
    *inside = 0;
    return 0;
}

static double better_end(ccd *c, int i, double down, double up) {
    return value_along(c, i, down) < value_along(c, i, up) ? down : up;
}

static double first_harmonic(ccd *c, int i, double down, double up) {
    double scale = c->s->scale[i], third = LBM_TWO_PI / 3 / scale;
    double here = value_along(c, i, 0), ahead = value_along(c, i, third), behind = value_along(c, i, -third);
    double a = ((here - ahead) + (here - behind)) / 3, b = (ahead - behind) * 0.57735026918962576451;
    if (a == 0 && b == 0) {
        return 0;
    }
    int inside;
    double theta = turn_inside(lbm_atan2(-b, -a), down * scale, up * scale, &inside);
    return inside ? theta / scale : better_end(c, i, down, up);
}

typedef struct harmonics {
    double a[2], b[2];
} harmonics;

static double harmonic_value(const harmonics *h, double theta, double *slope, double *bend) {
    double s1, c1, s2, c2;
    lbm_sincos(theta, &s1, &c1);
    lbm_sincos(2 * theta, &s2, &c2);
    *slope = h->b[0] * c1 + -h->a[0] * s1 + 2 * (h->b[1] * c2 + -h->a[1] * s2);
    *bend = -(h->a[0] * c1 + h->b[0] * s1) - 4 * (h->a[1] * c2 + h->b[1] * s2);
    return h->a[0] * c1 + h->b[0] * s1 + h->a[1] * c2 + h->b[1] * s2;
}

/* From a point near a least value to it, by Newton steps while they get lower. */
static double settle(const harmonics *h, double theta) {
    double slope, bend, value = harmonic_value(h, theta, &slope, &bend);
    for (int k = 0; k < 12 && bend > 0; k++) {
        double next = theta - slope / bend, lower = harmonic_value(h, next, &slope, &bend);
        if (next == theta || !(lower <= value)) {
            break;
        }
        theta = next;
        value = lower;
    }
    return theta;
}

typedef struct choice {
    double at, value, slack;
} choice;

/* Of values that are the same but for rounding the nearest counts: both ways round may be as good. */
static void consider(choice *best, const harmonics *h, double theta) {
    double slope, bend, value = harmonic_value(h, theta, &slope, &bend);
    if (!lbm_is_finite(theta) || !(value < best->value + best->slack)) {
        return;
    }
    if (value > best->value - best->slack && fabs(theta) >= fabs(best->at)) {
        return;
    }
    best->at = theta;
    best->value = value;
}

/* The least value in the room: of the ends, and of what the low points of a ring settle to. There are two at most. */
static double second_harmonic(ccd *c, int i, double down, double up) {
    enum { RING = 24 };
    double scale = c->s->scale[i], slope, bend, ring[RING];
    harmonics h = {{0, 0}, {0, 0}};
    for (int k = 0; k < 5; k++) {
        double theta = k * (LBM_TWO_PI / 5), value = 0.4 * value_along(c, i, theta / scale);
        for (int j = 0; j < 2; j++) {
            h.a[j] += value * lbm_cos((j + 1) * theta);
            h.b[j] += value * lbm_sin((j + 1) * theta);
        }
    }
    down *= scale;
    up *= scale;
    for (int k = 0; k < RING; k++) {
        ring[k] = harmonic_value(&h, (k - RING / 2) * (LBM_TWO_PI / RING), &slope, &bend);
    }
    choice best = {0, ring[RING / 2], 1e-13 * (fabs(h.a[0]) + fabs(h.b[0]) + fabs(h.a[1]) + fabs(h.b[1]))};
    for (int k = 0; k < RING; k++) {
        if (!(ring[k] <= ring[(k + RING - 1) % RING] && ring[k] < ring[(k + 1) % RING])) {
            continue;
        }
        int inside;
        double theta = turn_inside(settle(&h, (k - RING / 2) * (LBM_TWO_PI / RING)), down, up, &inside);
        if (inside) {
            consider(&best, &h, theta);
        }
    }
    if (down > -LBM_TWO_PI) {
        consider(&best, &h, down);
    }
    if (up < LBM_TWO_PI) {
        consider(&best, &h, up);
    }
    return best.at / scale;
}

static double parabola(ccd *c, int i, double down, double up) {
    double unit = 1 / c->s->scale[i];
    double here = value_along(c, i, 0), ahead = value_along(c, i, unit), behind = value_along(c, i, -unit);
    double bend = (ahead - here) + (behind - here);
    if (!(bend > 1e-14 * (ahead + behind))) {
        return 0;
    }
    double t = -0.5 * (ahead - behind) / bend * unit;
    return t < down ? down : t > up ? up : t;
}

/* Narrows low < at < high, f(at) least, by parabolas through the three; by the golden section where those fail. */
static double narrow(ccd *c, int i, double low, double f_low, double at, double f_at, double high, double f_high) {
    int most = is_light(c, i) ? 14 : 6; /* where each sample needs the whole figure, the next sweep may do the rest */
    for (int k = 0; k < most && high - low > 1e-9 * (fabs(at) + 1e-3); k++) {
        double p = (at - low) * (at - low) * (f_at - f_high) - (at - high) * (at - high) * (f_at - f_low);
        double q = (at - low) * (f_at - f_high) - (at - high) * (f_at - f_low);
        double next = at - 0.5 * p / q, least = 1e-3 * (high - low);
        if (k % 4 == 3 || !(next > low && next < high)) {
            next = high - at > at - low ? at + 0.382 * (high - at) : at - 0.382 * (at - low);
        }
        if (fabs(next - at) < least) {
            next = high - at > at - low ? at + least : at - least;
        }
        double f_next = value_along(c, i, next);
        if (f_next < f_at) {
            if (next > at) {
                low = at, f_low = f_at;
            } else {
                high = at, f_high = f_at;
            }
            at = next;
            f_at = f_next;
        } else {
            if (next > at) {
                high = next, f_high = f_next;
            } else {
                low = next, f_low = f_next;
            }
        }
    }
    return at;
}

/* Downhill from 0 in steps that double, then between the last three. */
static double search(ccd *c, int i, double down, double up) {
    mover *m = &c->movers[i];
    double here = value_along(c, i, 0);
    if (here == 0) {
        return 0;
    }
    double right = m->step < up ? m->step : up, left = -m->step > down ? -m->step : down;
    double f_right = right > 0 ? value_along(c, i, right) : here, f_left = here;
    double before = 0, f_before = here, at = right, f_at = f_right;
    if (!(f_right < here)) {
        f_left = left < 0 ? value_along(c, i, left) : here;
        if (!(f_left < here)) {
            double t = narrow(c, i, left, f_left, 0, here, right, f_right);
            m->step = fabs(t) * 4 > 1e-6 ? fabs(t) * 4 : m->step > 1e-5 ? m->step * 0.25 : 1e-5;
            return t;
        }
        at = left;
        f_at = f_left;
    }
    for (int k = 0; k < 16; k++) {
        double next = 2 * at;
        next = next < down ? down : next > up ? up : next;
        if (next == at) {
            break; /* at the end of its room */
        }
        double f_next = value_along(c, i, next);
        if (!(f_next < f_at)) {
            at = next > before ? narrow(c, i, before, f_before, at, f_at, next, f_next)
                               : narrow(c, i, next, f_next, at, f_at, before, f_before);
            break;
        }
        before = at;
        f_before = f_at;
        at = next;
        f_at = f_next;
    }
    m->step = fabs(at);
    return at;
}

/* What damping makes of a step t, shorter still where G is not lower there. */
static double damped(ccd *c, int i, double t) {
    double step = lbs_damp(&c->damping, c->s, c->z, i, t);
    if (step == t) {
        return t;
    }
    double here = value_along(c, i, 0);
    for (int k = 0; k < 20; k++, step *= 0.5) {
        if (value_along(c, i, step) < here) {
            return step;
        }
    }
    return 0;
}

/* Moves the variable to `next`, and what hangs on it along. */
static void carry(ccd *c, int i, double next) {
    const lbs_space *s = c->s;
    if (is_light(c, i)) {
        motion m;
        motion_of(c, i, next - c->z[i], &m);
        for (int k = 0; k < s->item_count; k++) {
            int moves = c->moves[(size_t)i * (size_t)s->item_count + (size_t)k];
            if (!s->items[k].enabled || !moves) {
                continue;
            }
            move_carried(&m, moves, &c->items[k]);
            c->items[k].value = value_of(&s->items[k], &c->items[k]);
        }
    }
    c->z[i] = next;
}

static void move_variable(ccd *c, int i) {
    lbs_space *s = c->s;
    double down, up;
    lbs_room(s, c->z, i, &down, &up);
    if (down == 0 && up == 0) {
        return;
    }
    if (is_light(c, i) && c->stale) {
        look(c);
    }
    int degree = degree_of(c, i);
    if (degree == 2 && lbs_is_damped(&c->damping, s, i)) {
        degree = 0;
    }
    double t = degree == 0                       ? search(c, i, down, up)
               : c->movers[i].kind == MOVE_SHIFT ? parabola(c, i, down, up)
               : degree == 1                     ? first_harmonic(c, i, down, up)
                                                 : second_harmonic(c, i, down, up);
    t = damped(c, i, t);
    double next = c->z[i] + t;
    next = next < s->lower[i] ? s->lower[i] : next > s->upper[i] ? s->upper[i] : next;
    t = next - c->z[i];
    if (t == 0 || !lbm_is_finite(t)) {
        return;
    }
    /* A search ends at something better, or at 0; what has a closed form is better where G no longer tells, too. */
    if (degree > 0 && !(value_along(c, i, t) <= value_along(c, i, 0) * (1 + 1e-15))) {
        return;
    }
    carry(c, i, next);
}

/* --- By axis ------------------------------------------------------------------------------------------------ */

/* How many variables, from place k of the order on, turn one joint about one point; the deepest comes first. */
static int joint_turns(const ccd *c, int k) {
    int count = 1;
    for (; count < LBS_AXIS_MOST && k + count < c->s->n; count++) {
        const mover *inner = &c->movers[c->order[k + count - 1]], *outer = &c->movers[c->order[k + count]];
        if (inner->kind != MOVE_TURN || outer->kind != MOVE_TURN || inner->figure != outer->figure) {
            break;
        }
        const lbf_node *node = &c->s->problem->figures[inner->figure]->nodes[inner->node];
        if (node->parent != outer->node || lbm_dot3(node->constant.p, node->constant.p) != 0) {
            break;
        }
    }
    return count;
}

/* The only goal that hangs on variable i, if it is a position in the world, or on what the variable does not move; else
 * -1. */
static int lone_position(const ccd *c, int i) {
    const lbs_space *s = c->s;
    int found = -1;
    for (int k = 0; k < s->item_count; k++) {
        int moves = c->moves[(size_t)i * (size_t)s->item_count + (size_t)k];
        if (!s->items[k].enabled || !moves) {
            continue;
        }
        if (found >= 0 || moves != MOVES_EFFECTOR || s->items[k].group >= 0) {
            return -1;
        }
        if (s->items[k].constraint->goal.kind != LB_GOAL_POSITION) {
            return -1;
        }
        found = k;
    }
    return found;
}

/* Turns a joint about one axis. Returns the number of its variables, or 0 where this is not the way. */
static int move_joint(ccd *c, int k) {
    const lbs_space *s = c->s;
    int count = joint_turns(c, k), item = count > 1 ? lone_position(c, c->order[k]) : -1;
    if (item < 0 || c->by_figure) {
        return 0;
    }
    if (c->stale) {
        look(c);
    }
    const mover *deepest = &c->movers[c->order[k]];
    const lb_kinematics *at = s->kinematics[deepest->figure];
    double goal[3], axes[LBS_AXIS_MOST][3], turns[LBS_AXIS_MOST];
    lbm_copy3(goal, s->items[item].goal.goal.point);
    if (s->items[item].constraint->goal.carrier_segment >= 0) {
        lbm_apply(&c->items[item].carrier, s->items[item].goal.goal.point, goal);
    }
    for (int j = 0; j < count; j++) { /* the outermost first */
        lbm_copy3(axes[count - 1 - j], at->axes[c->movers[c->order[k + j]].coordinate]);
    }
    lbs_axis_turns(at->frames[deepest->node].p, c->items[item].e_w, goal, count, axes, turns);
    for (int j = 0; j < count; j++) {
        int i = c->order[k + j];
        double down, up, t = lbs_damp(&c->damping, s, c->z, i, turns[count - 1 - j] / s->scale[i]);
        lbs_room(s, c->z, i, &down, &up);
        t = t < down ? down : t > up ? up : t;
        double next = c->z[i] + t;
        if (lbm_is_finite(next)) {
            carry(c, i, next < s->lower[i] ? s->lower[i] : next > s->upper[i] ? s->upper[i] : next);
        }
    }
    return count;
}

/* --- Sweeps -------------------------------------------------------------------------------------------------- */

/* Along the projected gradient, if limits over several variables hold it back. */
static void slide_along_rows(ccd *c) {
    lbs_space *s = c->s;
    double value = lbs_gradient(s, c->z, -1, c->gradient);
    double norm = lbs_tangent(s, c->z, c->gradient, c->direction, c->bounds, c->limits);
    int held = 0;
    for (int k = 0; k < s->limit_count; k++) {
        held |= c->limits[k] != 0;
    }
    if (!held || !(norm > 0)) {
        return;
    }
    for (int attempt = 0; attempt < 24; attempt++) {
        for (int i = 0; i < s->n; i++) {
            c->trial[i] = c->z[i] + c->slide / norm * c->direction[i];
        }
        if (!lbm_all_finite(c->trial, s->n) || lbs_project(s, c->trial)) {
            return;
        }
        double next = lbs_value(s, c->trial);
        c->stale = 1;
        if (next < value) {
            memcpy(c->z, c->trial, (size_t)s->n * sizeof *c->z);
            c->slide *= 2;
            return;
        }
        c->slide *= 0.25;
    }
    c->slide = 1e-6; /* as low as it gets this way; after other moves it may go on */
}

static lbs_end sweep_until_done(ccd *c) {
    lbs_space *s = c->s;
    int escapes = 0, stalled = 0;
    for (int sweep = 0; sweep < s->options->max_iterations; sweep++) {
        look(c);
        for (int k = 0, moved; k < s->n; k += moved) {
            moved = s->options->ccd == LB_CCD_VARIANT_AXIS ? move_joint(c, k) : 0;
            if (moved == 0) {
                move_variable(c, c->order[k]);
                moved = 1;
            }
            if (lbs_spent(s)) {
                break;
            }
        }
        if (s->limit_count > 0) {
            slide_along_rows(c);
        }
        double value = lbs_value(s, c->z);
        int done = lbs_done(s, c->z);
        double part = lbs_best_keep(&c->best, s, c->z, value);
        lbs_damping_yield(&c->damping, part);
        if (lbs_stop(s, c->z, value)) {
            return LBS_OUT;
        }
        if (done && part > 0) {
            return LBS_MET;
        }
        if (part > 1e-12 && c->best.value > 0) {
            stalled = 0;
            continue;
        }
        int escaped;
        lbs_end end = lbs_judge(s, c->judge, c->z, &escaped);
        if (end != LBS_OUT) {
            return lbs_best_settle(&c->best, s, c->z, value) ? end : LBS_OUT;
        }
        if (escaped) {
            lbs_best_keep(&c->best, s, c->z, lbs_value(s, c->z));
        }
        if (escaped ? escapes++ == 3 : stalled++ == PATIENCE) {
            return LBS_OUT;
        }
    }
    return LBS_OUT;
}

lbs_end lbs_ccd(lbs_space *s, double *work, double *z, lb_error *error) {
    ccd c;
    size_t n = (size_t)lbs_max_n(s), items = (size_t)s->item_count;
    if (lbs_has_levels(s, "ccd", error)) {
        return LBS_CANNOT;
    }
    memset(&c, 0, sizeof c);
    c.s = s;
    c.z = z;
    c.items = (carried *)work;
    c.movers = (mover *)(work += doubles_for(items * sizeof(carried)));
    c.order = (int *)(work += doubles_for(n * sizeof(mover)));
    c.moves = (unsigned char *)(work += doubles_for(n * sizeof(int)));
    c.group_value = work += doubles_for(n * items);
    work += items;
    double **vectors[] = {&c.trial, &c.gradient, &c.direction, &c.bounds, &c.best.z};
    for (size_t i = 0; i < 5; i++, work += n) {
        *vectors[i] = work;
    }
    c.limits = work;
    c.judge = work + lbs_max_limits(s->problem);
    c.slide = 0.1;
    lbs_damping_begin(&c.damping, s);
    list_movers(&c);
    mark_items(&c);
    lbs_best_begin(&c.best, s, z);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    lbs_end end = sweep_until_done(&c);
    memcpy(z, c.best.z, (size_t)s->n * sizeof *z);
    if (end == LBS_OUT && !s->stopped) {
        int escaped;
        end = lbs_judge(s, c.judge, z, &escaped);
    }
    return end;
}
