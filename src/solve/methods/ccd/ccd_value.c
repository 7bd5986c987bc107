/* G along one variable. A turn moves only what hangs on it, so end-effectors are turned and the figure is not
 * evaluated. */
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "solve/methods/ccd/ccd.h"

/* A turn or shift in the world. */
typedef struct motion {
    lbs_move_kind kind;
    double axis[3], centre[3], sine, cosine, shift;
    double columns[3][3]; /* of a ball's rotation */
} motion;

/* A ball moves by B exp(v') exp(v)^-1 B', where B is its frame before the motion, v its rotation vector and v' the one
 * with coordinate i changed. */
static void ball_motion(const lbs_ccd *c, int i, motion *m) {
    const lbs_space *s = c->s;
    const lbs_ccd_mover *ball = &c->movers[i];
    const lb_kinematics *k = s->kinematics[ball->figure];
    const lb_figure *f = k->figure;
    const lbf_node *node = &f->nodes[ball->node];
    double old[3] = {0, 0, 0}, changed[3] = {0, 0, 0}, before[3][3], after[3][3], unused[3][3];
    for (int a = 0; a < lbf_node_coordinates(node->kind); a++) {
        int coordinate = node->coordinate + a, own = f->coordinate_variable[coordinate];
        int at = own < 0 ? -1 : s->variables.active_of[s->problem->first_variables[ball->figure] + own];
        old[a] = node->sign * (at < 0 ? k->values[coordinate] : c->z[at] * s->variables.scale[at]);
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

static void motion_of(const lbs_ccd *c, int i, double t, motion *m) {
    const lbs_ccd_mover *v = &c->movers[i];
    const lb_kinematics *k = c->s->kinematics[v->figure];
    m->kind = v->kind;
    lbm_copy3(m->axis, k->axes[v->coordinate]);
    lbm_copy3(m->centre, k->frames[v->node].p);
    m->shift = t * c->s->variables.scale[i];
    if (m->kind == LBS_MOVE_TURN) {
        lbm_sincos(m->shift, &m->sine, &m->cosine);
    }
    if (m->kind == LBS_MOVE_BALL) {
        ball_motion(c, i, m);
    }
}

static void move_vector(const motion *m, double v[3]) {
    if (m->kind == LBS_MOVE_TURN) {
        lbs_turn_vector(m->axis, m->sine, m->cosine, v);
    }
    if (m->kind != LBS_MOVE_BALL) {
        return;
    }
    double out[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        lbm_add_scaled3(out, m->columns[a], v[a]);
    }
    lbm_copy3(v, out);
}

static void move_point(const motion *m, double p[3]) {
    if (m->kind == LBS_MOVE_SHIFT) {
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

static void move_carried(const motion *m, int moves, lbs_ccd_carried *item) {
    double *vectors[5] = {item->e_w + 3, item->e_w + 6, item->carrier.x, item->carrier.y, item->carrier.z};
    if (moves & LBS_MOVES_EFFECTOR) {
        move_point(m, item->e_w);
    }
    if (moves & LBS_MOVES_CARRIER) {
        move_point(m, item->carrier.p);
    }
    for (int i = 0; i < 5; i++) {
        if (moves & (i < 2 ? LBS_MOVES_EFFECTOR : LBS_MOVES_CARRIER)) {
            move_vector(m, vectors[i]);
        }
    }
}

static double value_of(const lbs_item *item, const lbs_ccd_carried *at) {
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
static double light_value(const lbs_ccd *c, int i, double t) {
    const lbs_space *s = c->s;
    const unsigned char *moves = c->moves + (size_t)i * (size_t)s->item_count;
    motion m;
    motion_of(c, i, t, &m);
    for (int g = 0; g < s->levels.group_count; g++) {
        c->group_value[g] = INFINITY;
    }
    double sum = 0;
    for (int k = 0; k < s->item_count; k++) {
        const lbs_item *item = &s->items[k];
        int relative = moves[k] == LBS_MOVES_EFFECTOR || moves[k] == LBS_MOVES_CARRIER;
        if (!item->enabled || (!relative && item->group < 0)) {
            continue;
        }
        double value = c->items[k].value;
        if (relative && t != 0) {
            lbs_ccd_carried moved = c->items[k];
            move_carried(&m, moves[k], &moved);
            value = value_of(item, &moved);
        }
        if (item->group < 0) {
            sum += value;
        } else if (value < c->group_value[item->group] || value != value) {
            c->group_value[item->group] = value;
        }
    }
    for (int g = 0; g < s->levels.group_count; g++) {
        sum += c->group_value[g];
    }
    double keep = c->z[i];
    c->z[i] = keep + t;
    sum += lbs_wishes(s, c->z, NULL, NULL);
    c->z[i] = keep;
    return sum;
}

double lbs_ccd_value(lbs_ccd *c, int i, double t) {
    if (lbs_ccd_is_light(c, i)) {
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
void lbs_ccd_look(lbs_ccd *c) {
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

/* Moves the variable to `next`, and what hangs on it along. */
void lbs_ccd_carry(lbs_ccd *c, int i, double next) {
    const lbs_space *s = c->s;
    if (lbs_ccd_is_light(c, i)) {
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
