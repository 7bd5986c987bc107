/* Pelvis and legs of a robot in a frame: soles in their places, the pelvis and the directions of thighs and shanks as
 * near to the source's as those allow. */
#include "math/rotation.h"
#include "motion/robot/robot.h"

/* Weights of squares: lengths in lengths of the leg, angles in radians. */
#define WEIGHT_PLANTED 1e5
#define WEIGHT_FLOOR 1e4 /* of corners of soles that are below it */
#define WEIGHT_IN_AIR 1.0
#define WEIGHT_HIPS 1.0
#define WEIGHT_HOLD 1e6 /* of hips that are held: more than of soles that stand */
#define WEIGHT_PELVIS 0.5
#define WEIGHT_WAYS 0.3   /* of thighs and shanks */
#define WEIGHT_ASIDE 0.05 /* of how feet are rolled: legs of five hinges cannot choose */
#define WEIGHT_STANDING_ASIDE 5.0
#define WEIGHT_PUSH 1e3 /* of segments that overlap: less than of soles that stand */

static const double units[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void turn_frame(lbm_transform *t, const double v[3]) {
    double q[4], *columns[3] = {t->x, t->y, t->z};
    lbm_exponential_quaternion(v, q);
    for (int i = 0; i < 3; i++) {
        lbm_quaternion_rotate(q, columns[i], columns[i]);
    }
    lbt_unit(t->x); /* what rounding has bent is made straight */
    lbm_add_scaled3(t->y, t->x, -lbm_dot3(t->x, t->y));
    lbt_unit(t->y);
    lbm_cross3(t->x, t->y, t->z);
}

static double point_weight(double held) {
    return WEIGHT_IN_AIR + (WEIGHT_PLANTED - WEIGHT_IN_AIR) * held * held * held;
}

/* A leg in the frame at hand: which unknowns move it, and where its hinges are. */
typedef struct leg {
    const lbt_chain *chain;
    lbm_transform frames[LBT_HINGES];
    int index[6 + LBT_HINGES];
    double columns[6 + LBT_HINGES][3];
} leg;

/* Columns of a point of the foot, or with at NULL of a direction that `count` hinges turn. */
static void set_columns(leg *l, const lbm_transform *pelvis, const double *at, const double *way, int count) {
    double arm[3];
    lbm_copy3(arm, at ? at : way);
    if (at) {
        lbm_add_scaled3(arm, pelvis->p, -1);
    }
    for (int i = 0; i < 3; i++) {
        lbm_cross3(units[i], arm, l->columns[3 + i]);
    }
    for (int i = 0; i < count; i++) {
        lbt_chain_column(l->chain, l->frames, i, at, way, l->columns[6 + i]);
    }
}

/* Toes and heel are to be in their places, and no corner of the sole is below the floor. */
static void add_sole(const lbt_robot *r, const lbt_goal *goal, const lbt_state *state, int side, leg *l, lbt_small *s) {
    const int count = l->chain->count;
    const double scale = 1 / (r->leg * r->leg);
    const lbm_transform *foot = &l->frames[count - 1];
    double at[3], value[3];
    for (int k = 0; k < 2; k++) {
        lbm_apply(foot, r->soles[side].points[k], at);
        memcpy(l->columns, units, sizeof units);
        set_columns(l, &state->pelvis, at, NULL, count);
        lbm_sub3(at, goal->points[side][k], value);
        lbt_small_add(s, 6 + count, l->index, (const double(*)[3])l->columns, value,
                      scale * point_weight(goal->held[side][k]));
    }
    const int stands = goal->held[side][0] >= 1 && goal->held[side][1] >= 1; /* then the floor is where it is */
    for (int k = 0; k < 4 && !stands; k++) {
        const unsigned bit = 1u << (4 * side + k);
        lbm_apply(foot, r->soles[side].corners[k], at);
        s->below |= at[2] < 0 ? bit : 0;
        if (at[2] < 0 || (s->touching & bit)) {
            memcpy(l->columns, units, sizeof units);
            set_columns(l, &state->pelvis, at, NULL, count);
            for (int i = 0; i < 6 + count; i++) {
                l->columns[i][0] = l->columns[i][1] = 0;
            }
            lbm_set3(value, 0, 0, at[2]);
            lbt_small_add(s, 6 + count, l->index, (const double(*)[3])l->columns, value, scale * WEIGHT_FLOOR);
        }
    }
}

static void add_leg(const lbt_robot *r, const lbt_goal *goal, const lbt_state *state, int side, lbt_small *s) {
    leg l;
    const lbt_chain *c = l.chain = &r->chains[LBT_LEGS + side];
    const int first = side ? 6 + r->chains[LBT_LEGS].count : 6;
    lbt_chain_move(c, &state->pelvis, state->values[LBT_LEGS + side], l.frames);
    for (int i = 0; i < 6 + c->count; i++) {
        l.index[i] = i < 6 ? i : first + i - 6;
    }
    add_sole(r, goal, state, side, &l, s);
    for (int k = 0; k < 3; k++) { /* thigh, shank, and the foot's left */
        const int count = k < 2 ? c->middle + k : c->count;
        double way[3], value[3];
        const double *to = k < 2 ? goal->ways[LBT_LEGS + side][k] : goal->asides[side];
        const double firm = goal->held[side][0] < goal->held[side][1] ? goal->held[side][0] : goal->held[side][1];
        lbm_rotate(&l.frames[k < 2 ? c->middle - 1 + k : c->count - 1], k < 2 ? c->ways[k] : r->soles[side].axes[1],
                   way);
        set_columns(&l, &state->pelvis, NULL, way, count);
        lbm_sub3(way, to, value);
        lbt_small_add(s, 3 + count, l.index + 3, (const double(*)[3])l.columns + 3, value,
                      k < 2 ? WEIGHT_WAYS : WEIGHT_ASIDE + firm * (WEIGHT_STANDING_ASIDE - WEIGHT_ASIDE));
    }
    for (int i = 0; i < c->count; i++) {
        lbt_robot_stay(r, s, LBT_LEGS + side, i, first + i, state);
    }
}

/* Adds a row for each push whose points are too near to each other. */
static void add_pushes(const lbt_robot *r, const lbt_state *state, lbt_small *s) {
    lbm_transform frames[LBT_SIDES][LBT_HINGES];
    int index[2 * LBT_HINGES];
    const int first[LBT_SIDES] = {0, r->chains[LBT_LEGS].count}, count = first[1] + r->chains[LBT_LEGS + 1].count;
    for (int side = 0; side < LBT_SIDES; side++) {
        lbt_chain_move(&r->chains[LBT_LEGS + side], &state->pelvis, state->values[LBT_LEGS + side], frames[side]);
    }
    for (int i = 0; i < count; i++) {
        index[i] = 6 + i;
    }
    for (int k = 0; k < r->pairs.leg_push_count; k++) {
        const lbt_leg_push *push = &r->pairs.leg_pushes[k];
        double columns[2 * LBT_HINGES][3] = {{0}}, value[3] = {-push->least, 0, 0};
        for (int end = 0; end < 2; end++) {
            const int side = push->sides[end];
            const double sign = end ? -1 : 1;
            double at[3], column[3];
            lbm_apply(side < 0 ? &state->pelvis : &frames[side][push->hinges[end]], push->points[end], at);
            value[0] += sign * lbm_dot3(at, push->way_w);
            for (int i = 0; side >= 0 && i <= push->hinges[end]; i++) {
                lbt_chain_column(&r->chains[LBT_LEGS + side], frames[side], i, at, NULL, column);
                columns[first[side] + i][0] += sign * lbm_dot3(column, push->way_w);
            }
        }
        if (value[0] < 0) {
            lbt_small_add(s, count, index, (const double(*)[3])columns, value, WEIGHT_PUSH / (r->leg * r->leg));
        }
    }
}

void lbt_robot_set_legs(const lbt_robot *r, const lbt_goal *goal, const lbt_state *state, lbt_small *s) {
    static const int index[6] = {0, 1, 2, 3, 4, 5};
    const double scale = 1 / (r->leg * r->leg);
    double at[3], arm[3], value[3], columns[6][3];
    lbm_transform should;
    lbt_small_begin(s, 6 + r->chains[LBT_LEGS].count + r->chains[LBT_LEGS + 1].count);
    s->below = 0;
    for (int i = 0; i < 6; i++) {
        s->low[i] = -INFINITY, s->high[i] = INFINITY;
    }
    memcpy(columns, units, sizeof units);
    lbm_apply(&state->pelvis, r->hips, at);
    lbm_sub3(at, state->pelvis.p, arm);
    for (int i = 0; i < 3; i++) {
        lbm_cross3(units[i], arm, columns[3 + i]);
    }
    lbm_sub3(at, goal->hips, value);
    lbt_small_add(s, 6, index, (const double(*)[3])columns, value, scale * WEIGHT_HIPS);
    if (goal->hips_held > 0) {
        lbm_sub3(at, goal->hold, value);
        lbt_small_add(s, 6, index, (const double(*)[3])columns, value,
                      scale * WEIGHT_HOLD * goal->hips_held * goal->hips_held * goal->hips_held);
    }
    lbt_turn_transform(goal->turns[0], &should);
    lbt_turn_error(&state->pelvis, &should, value);
    lbt_small_add(s, 3, index + 3, units, value, WEIGHT_PELVIS);
    for (int side = 0; side < LBT_SIDES; side++) {
        add_leg(r, goal, state, side, s);
    }
    if (r->pairs.leg_push_count) {
        add_pushes(r, state, s);
    }
}

void lbt_robot_step_legs(const lbt_robot *r, const lbt_small *s, lbt_state *state) {
    int index = 6;
    lbm_add_scaled3(state->pelvis.p, s->step, 1);
    turn_frame(&state->pelvis, s->step + 3);
    for (int side = 0; side < LBT_SIDES; side++) {
        for (int i = 0; i < r->chains[LBT_LEGS + side].count; i++) {
            state->values[LBT_LEGS + side][i] += s->step[index++];
        }
    }
}
