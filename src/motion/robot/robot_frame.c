/* One frame of a robot: pelvis with both legs as one problem (robot_legs.c), then waist, neck and arms, each limb's
 * hinges for the directions of its parts. All are least squares with few unknowns, from the frame before. */
#include "math/rotation.h"
#include "motion/robot/robot.h"

/* Weights of squares: lengths in lengths of the leg, angles in radians. */
#define WEIGHT_STAY 2e-4 /* of what is between a value and that of the frame before, or the one that is wished */
#define WEIGHT_WISHED 0.02
#define WEIGHT_PUSHED 2.0 /* of hinges of an arm that is pushed, so that none turns far for little */
#define MOST_STEPS 20
#define FIRST_STEPS 100
#define LEAST_GAIN 1e-9
#define DAMPING 1e-7
#define LEAST_HIGH_DAMPING 1e-4 /* where a step without was too long */
#define MOST_DAMPING 1e6
#define LEAN 0.8  /* the share that the pelvis takes of what the waist lacks */
#define STARTS 12 /* of limbs in the first frame */

/* The bounds of a hinge's step: its range, and where limits of speed hold, what the frame before allows. */
static void bound_step(const lbt_robot *r, int chain, int i, double value, double *low, double *high) {
    const lbt_chain *c = &r->chains[chain];
    double least = c->low[i], most = c->high[i];
    if (r->is_bounded && r->before && c->variables[i] >= 0) {
        const double from = r->before->values[chain][i];
        least = from - c->most[i] > least ? from - c->most[i] : least;
        most = from + c->most[i] < most ? from + c->most[i] : most;
    }
    *low = least - value;
    *high = most - value;
}

/* Adds that a hinge stays near where it was, or is wished. */
void lbt_robot_stay(const lbt_robot *r, lbt_small *s, int chain, int i, int index, const lbt_state *state) {
    const double value = state->values[chain][i];
    const lbt_state *to = r->wished ? r->wished : r->before;
    const double off = to ? value - to->values[chain][i] : value - r->chains[chain].rest[i];
    lbt_small_stay(s, index, off, r->wished ? WEIGHT_WISHED : WEIGHT_STAY);
    bound_step(r, chain, i, value, &s->low[index], &s->high[index]);
}

/* --- Trunk and neck ---------------------------------------------------------------------------------------------------------- */

/* A chain that turns its end as a frame says; of the waist also the chain down to the pelvis. */
typedef struct aim {
    int chain, chain_down; /* -1: there is no such */
    const lbm_transform *base;
    lbm_transform should; /* of the end, seen from where base is given */
} aim;

static void set_turn(const lbt_robot *r, const aim *a, const lbt_state *state, lbt_small *s) {
    const lbt_chain *c = &r->chains[a->chain];
    lbm_transform frames[LBT_HINGES], down[LBT_HINGES], back, end, seen;
    int index[LBT_HINGES], count = 0;
    double columns[LBT_HINGES][3], value[3];
    lbt_chain_move(c, a->base, state->values[a->chain], frames);
    end = c->count ? frames[c->count - 1] : *a->base;
    for (int i = 0; i < c->count; i++) {
        const double sign = c->table[c->nodes[i]].sign;
        lbm_set3(columns[count++], sign * frames[i].z[0], sign * frames[i].z[1], sign * frames[i].z[2]);
    }
    seen = a->should;
    if (a->chain_down >= 0 && r->chains[a->chain_down].count) { /* the goal is seen from the pelvis */
        const lbt_chain *d = &r->chains[a->chain_down];
        lbt_chain_move(d, a->base, state->values[a->chain_down], down);
        for (int i = 0; i < d->count; i++) {
            const double sign = -d->table[d->nodes[i]].sign;
            lbm_set3(columns[count++], sign * down[i].z[0], sign * down[i].z[1], sign * down[i].z[2]);
        }
        back = a->should;
        lbm_transform_multiply(&down[d->count - 1], &back, &seen);
    }
    lbt_small_begin(s, count);
    lbt_turn_error(&end, &seen, value);
    for (int i = 0; i < count; i++) {
        index[i] = i;
    }
    lbt_small_add(s, count, index, (const double(*)[3])columns, value, 1);
    for (int i = 0; i < count; i++) {
        const int is_down = i >= c->count;
        lbt_robot_stay(r, s, is_down ? a->chain_down : a->chain, is_down ? i - c->count : i, i, state);
    }
}

static void step_turn(const lbt_robot *r, const aim *a, const lbt_small *s, lbt_state *state) {
    const int count = r->chains[a->chain].count;
    for (int i = 0; i < s->count; i++) {
        state->values[i < count ? a->chain : a->chain_down][i < count ? i : i - count] += s->step[i];
    }
}

/* --- Arms ----------------------------------------------------------------------------------------------------------------- */

typedef struct reach {
    int side;
    const lbt_goal *goal;
    const lbt_pushes *pushes; /* NULL: there are none */
} reach;

static void set_arm(const lbt_robot *r, const reach *a, const lbt_state *state, lbt_small *s) {
    const int chain = LBT_ARMS + a->side;
    const lbt_chain *c = &r->chains[chain];
    lbm_transform frames[LBT_HINGES];
    int index[LBT_HINGES];
    double columns[LBT_HINGES][3], value[3];
    lbt_chain_move(c, &state->chest, state->values[chain], frames);
    lbt_small_begin(s, c->middle + 1);
    for (int i = 0; i <= c->middle; i++) {
        index[i] = i;
    }
    for (int k = 0; k < 2; k++) {
        double way[3];
        const double *to = a->goal->ways[chain][k];
        if (lbm_dot3(to, to) > 0) {
            lbm_rotate(&frames[c->middle - 1 + k], c->ways[k], way);
            for (int i = 0; i < c->middle + k; i++) {
                lbt_chain_column(c, frames, i, NULL, way, columns[i]);
            }
            lbm_sub3(way, to, value);
            if (a->pushes) { /* an arm that is pushed goes no farther than it must, in any direction */
                lbm_set3(value, 0, 0, 0);
            }
            lbt_small_add(s, c->middle + k, index, (const double(*)[3])columns, value, 1);
        }
    }
    for (int k = 0; a->pushes && k < a->pushes->count; k++) { /* a row each: along the way that the point is pushed */
        const lbt_push *push = &a->pushes->pushes[k];
        const int last = push->hinge < c->middle ? push->hinge : c->middle;
        for (int i = 0; i <= last; i++) {
            double column[3];
            lbt_chain_column(c, frames, i, push->at_w, NULL, column);
            lbm_set3(columns[i], lbm_dot3(column, push->way_w), 0, 0);
        }
        lbm_set3(value, -push->depth, 0, 0);
        lbt_small_add(s, last + 1, index, (const double(*)[3])columns, value, a->pushes->weight / (r->leg * r->leg));
    }
    for (int i = 0; i <= c->middle; i++) {
        if (a->pushes) {
            lbt_small_stay(s, i, 0, WEIGHT_PUSHED);
            bound_step(r, chain, i, state->values[chain][i], &s->low[i], &s->high[i]);
        } else {
            lbt_robot_stay(r, s, chain, i, i, state);
        }
    }
}

static void step_arm(const lbt_robot *r, const reach *a, const lbt_small *s, lbt_state *state) {
    (void)r;
    for (int i = 0; i < s->count; i++) {
        state->values[LBT_ARMS + a->side][i] += s->step[i];
    }
}

/* Wrists: what is behind the elbow bends as the source's hand does against its forearm. */
static void set_wrist(const lbt_robot *r, const reach *a, const lbt_state *state, lbt_small *s) {
    const int chain = LBT_ARMS + a->side;
    const lbt_chain *c = &r->chains[chain];
    const int first = c->middle + 1, count = c->count - first;
    lbm_transform frames[LBT_HINGES], straight[LBT_HINGES], bend, should;
    double values[LBT_HINGES], columns[LBT_HINGES][3], value[3];
    int index[LBT_HINGES];
    lbt_chain_move(c, &state->chest, state->values[chain], frames);
    memcpy(values, state->values[chain], sizeof values);
    for (int i = first; i < c->count; i++) {
        values[i] = c->rest[i];
    }
    lbt_chain_move(c, &state->chest, values, straight);
    lbt_turn_transform(a->goal->bends[a->side], &bend);
    lbm_transform_multiply(&bend, &straight[c->count - 1], &should);
    lbt_small_begin(s, count);
    for (int i = 0; i < count; i++) {
        const lbm_transform *frame = &frames[first + i];
        const double sign = c->table[c->nodes[first + i]].sign;
        index[i] = i;
        lbm_set3(columns[i], sign * frame->z[0], sign * frame->z[1], sign * frame->z[2]);
    }
    lbt_turn_error(&frames[c->count - 1], &should, value);
    lbt_small_add(s, count, index, (const double(*)[3])columns, value, 1);
    for (int i = 0; i < count; i++) {
        lbt_robot_stay(r, s, chain, first + i, i, state);
    }
}

static void step_wrist(const lbt_robot *r, const reach *a, const lbt_small *s, lbt_state *state) {
    const int chain = LBT_ARMS + a->side, first = r->chains[chain].middle + 1;
    for (int i = 0; i < s->count; i++) {
        state->values[chain][first + i] += s->step[i];
    }
}

/* --- Steps ---------------------------------------------------------------------------------------------------------------- */

enum { PART_LOWER, PART_TURN, PART_ARM, PART_WRIST };

typedef struct part {
    int kind;
    const lbt_goal *goal;
    const aim *aim;
    const reach *reach;
} part;

static void set_part(const lbt_robot *r, const part *p, const lbt_state *state, lbt_small *s) {
    switch (p->kind) {
    case PART_LOWER:
        lbt_robot_set_legs(r, p->goal, state, s);
        break;
    case PART_TURN:
        set_turn(r, p->aim, state, s);
        break;
    case PART_ARM:
        set_arm(r, p->reach, state, s);
        break;
    default:
        set_wrist(r, p->reach, state, s);
    }
}

static void step_part(const lbt_robot *r, const part *p, const lbt_small *s, lbt_state *state) {
    switch (p->kind) {
    case PART_LOWER:
        lbt_robot_step_legs(r, s, state);
        break;
    case PART_TURN:
        step_turn(r, p->aim, s, state);
        break;
    case PART_ARM:
        step_arm(r, p->reach, s, state);
        break;
    default:
        step_wrist(r, p->reach, s, state);
    }
}

/* Levenberg's and Marquardt's steps from the state, which becomes the best that was found. Returns the cost. Where a
 * step takes corners of soles below the floor, which nothing kept above before, it is taken again with these on the
 * floor. */
static double descend(const lbt_robot *r, const part *p, int most, lbt_state *state) {
    lbt_small systems[2], *now = &systems[0], *then = &systems[1];
    double damping = DAMPING;
    now->touching = now->below = then->touching = then->below = 0;
    set_part(r, p, state, now);
    double cost = now->cost;
    for (int step = 0; step < most && damping < MOST_DAMPING; step++) {
        lbt_state tried = *state;
        const double gain = lbt_small_solve(now, damping);
        if (!(gain > LEAST_GAIN)) {
            break;
        }
        step_part(r, p, now, &tried);
        then->touching = 0;
        set_part(r, p, &tried, then);
        if (then->cost <= cost) {
            lbt_small *spare = now;
            *state = tried;
            now = then, then = spare;
            cost = now->cost;
            damping = damping * 0.1 > DAMPING ? damping * 0.1 : DAMPING;
        } else if (then->below & ~(now->touching | now->below)) {
            now->touching |= then->below;
            set_part(r, p, state, now);
        } else {
            damping = damping * 100 > LEAST_HIGH_DAMPING ? damping * 100 : LEAST_HIGH_DAMPING;
        }
    }
    return cost;
}

/* Values inside what the frame before allows. */
static void clip_values(const lbt_robot *r, lbt_state *state) {
    for (int chain = 0; chain < LBT_CARRIER; chain++) {
        for (int i = 0; i < r->chains[chain].count; i++) {
            double low, high, *value = &state->values[chain][i];
            bound_step(r, chain, i, *value, &low, &high);
            *value += low > 0 ? low : high < 0 ? high : 0;
        }
    }
}

static void solve_waist(const lbt_robot *r, const lbt_goal *goal, int most, lbt_state *state) {
    static const lbm_transform here = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    const lbt_chain *up = &r->chains[LBT_WAIST], *down = &r->chains[LBT_WAIST_DOWN];
    lbm_transform should, back, end, pelvis;
    if (up->count + down->count > 0) {
        aim a = {.chain = LBT_WAIST, .chain_down = LBT_WAIST_DOWN, .base = &here};
        lbt_turn_transform(goal->turns[1], &should);
        lbm_transform_invert(&state->pelvis, &back);
        lbm_transform_multiply(&back, &should, &a.should); /* the chest seen from the pelvis */
        if (!down->count && up->count) {
            a.base = &state->pelvis;
            a.should = should;
        }
        const part p = {.kind = PART_TURN, .aim = &a};
        descend(r, &p, most, state);
    }
    if (down->count) {
        lbt_chain_end(down, &here, state->values[LBT_WAIST_DOWN], &pelvis);
        lbm_transform_invert(&pelvis, &back);
        lbm_transform_multiply(&state->pelvis, &back, &pelvis); /* where both part */
        lbt_chain_end(up, &pelvis, state->values[LBT_WAIST], &end);
    } else {
        lbt_chain_end(up, &state->pelvis, state->values[LBT_WAIST], &end);
    }
    state->chest = end;
}

/* A trunk that cannot bend as the source's is to lean as that does from hips to shoulders, which is not how its pelvis
 * is turned: the pelvis takes a share of what hinges of the waist lack. */
void lbt_robot_lean(lbt_robot *r, lbt_goal *goal, const lbt_state *near_state) {
    lbt_state tried = *near_state;
    lbm_transform back, seen, should, pelvis;
    lb_frame frame;
    if (!r->chains[LBT_ARMS].count) {
        return;
    }
    lbt_goal one = *goal; /* whose chest is that of a trunk of one piece */
    memcpy(one.turns[1], goal->lean, sizeof goal->lean);
    lbt_turn_transform(goal->turns[0], &tried.pelvis);
    solve_waist(r, &one, MOST_STEPS, &tried);
    lbm_transform_invert(&tried.chest, &back);
    lbm_transform_multiply(&back, &tried.pelvis, &seen); /* the pelvis seen from the chest */
    lbt_turn_transform(goal->lean, &should);
    lbm_transform_multiply(&should, &seen, &pelvis);
    lbm_transform_to_frame(&pelvis, &frame);
    lbt_turn_between(goal->turns[0], frame.rotation, LEAN, goal->turns[0]);
}

static void solve_neck(const lbt_robot *r, const lbt_goal *goal, int most, lbt_state *state) {
    aim a = {.chain = LBT_NECK, .chain_down = -1, .base = &state->chest};
    const lbm_transform chest = state->chest; /* the base must stay while states are tried */
    a.base = &chest;
    if (r->chains[LBT_NECK].count) {
        lbt_turn_transform(goal->turns[2], &a.should);
        const part p = {.kind = PART_TURN, .aim = &a};
        descend(r, &p, most, state);
    }
}

static double solve_arm(const lbt_robot *r, const reach *a, int most, lbt_state *state) {
    const lbt_chain *c = &r->chains[LBT_ARMS + a->side];
    double cost = 0;
    if (c->count) {
        const part arm = {.kind = PART_ARM, .reach = a}, wrist = {.kind = PART_WRIST, .reach = a};
        cost = descend(r, &arm, most, state);
        if (c->count > c->middle + 1) {
            descend(r, &wrist, most, state);
        }
    }
    return cost;
}

/* All above the legs. */
static void solve_upper(const lbt_robot *r, const lbt_goal *goal, int most, lbt_state *state) {
    solve_waist(r, goal, most, state);
    solve_neck(r, goal, most, state);
    for (int side = 0; side < LBT_SIDES; side++) {
        const reach a = {.side = side, .goal = goal};
        solve_arm(r, &a, most, state);
    }
}

void lbt_robot_solve(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    const part lower = {.kind = PART_LOWER, .goal = goal};
    clip_values(r, state);
    descend(r, &lower, MOST_STEPS, state);
    solve_upper(r, goal, MOST_STEPS, state);
}

void lbt_robot_solve_legs(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    const part lower = {.kind = PART_LOWER, .goal = goal};
    clip_values(r, state);
    descend(r, &lower, MOST_STEPS, state);
    solve_waist(r, goal, 0, state);
}

void lbt_robot_push_arm(lbt_robot *r, const lbt_goal *goal, const lbt_pushes *pushes, lbt_state *state) {
    const reach a = {.side = pushes->side, .goal = goal, .pushes = pushes};
    lbt_small s;
    set_arm(r, &a, state, &s); /* a step without trial: what is pushed is found anew after it */
    lbt_small_solve(&s, DAMPING);
    step_arm(r, &a, &s, state);
}

void lbt_robot_push_legs(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    const part lower = {.kind = PART_LOWER, .goal = goal};
    descend(r, &lower, MOST_STEPS, state);
    if (r->wished) {
        solve_waist(r, goal, 0, state);
    } else {
        solve_upper(r, goal, MOST_STEPS, state);
    }
}

/* A value between a hinge's ends, by a number in [0, 1); of a hinge without ends, within a quarter turn of rest. */
static double between(const lbt_chain *c, int i, double share) {
    const double low = c->low[i] > c->rest[i] - 1.57 ? c->low[i] : c->rest[i] - 1.57,
                 high = c->high[i] < c->rest[i] + 1.57 ? c->high[i] : c->rest[i] + 1.57;
    return low < high ? low + share * (high - low) : c->rest[i];
}

/* The first frame begins where the source is, with limbs from several starts: the best of them counts. */
void lbt_robot_solve_first(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    uint64_t seed = 1;
    lbt_state best;
    double least = INFINITY;
    for (int start = 0; start < STARTS; start++) {
        const part lower = {.kind = PART_LOWER, .goal = goal};
        lbt_state tried;
        double offset[3];
        memset(&tried, 0, sizeof tried);
        for (int chain = 0; chain < LBT_CHAINS; chain++) {
            const lbt_chain *c = &r->chains[chain];
            for (int i = 0; i < c->count; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const double share = (double)(seed >> 40) / (double)(1 << 24);
                tried.values[chain][i] = start && chain < LBT_ARMS ? between(c, i, share) : c->rest[i];
            }
        }
        lbt_turn_transform(goal->turns[0], &tried.pelvis);
        lbm_rotate(&tried.pelvis, r->hips, offset);
        lbm_sub3(goal->hips, offset, tried.pelvis.p);
        clip_values(r, &tried);
        const double cost = descend(r, &lower, FIRST_STEPS, &tried);
        if (cost < least - 1e-6) {
            least = cost;
            best = tried;
        }
    }
    *state = best;
    solve_waist(r, goal, FIRST_STEPS, state);
    solve_neck(r, goal, FIRST_STEPS, state);
    for (int side = 0; side < LBT_SIDES; side++) {
        const reach a = {.side = side, .goal = goal};
        const lbt_chain *c = &r->chains[LBT_ARMS + side];
        least = INFINITY;
        best = *state;
        for (int start = 0; start < STARTS && c->count; start++) {
            lbt_state tried = *state;
            for (int i = 0; i < c->count && start; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                tried.values[LBT_ARMS + side][i] = between(c, i, (double)(seed >> 40) / (double)(1 << 24));
            }
            const double cost = solve_arm(r, &a, FIRST_STEPS, &tried);
            if (cost < least - 1e-6) {
                least = cost;
                best = tried;
            }
        }
        *state = best;
    }
}
