/* Limbs of a robot are pushed out of what they overlap: legs out of each other and out of the trunk, with their soles
 * where they stand; then arms out of everything. */
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "motion/robot/robot.h"
#include "problem/problem.h"

#define MARGIN 0.004       /* metres that arms keep */
#define LEAST_MARGIN 0.003 /* metres that are enough where a push was not exact */
#define LEG_MARGIN 0.001   /* metres that legs keep */
#define MOST_ROUNDS 8      /* pushes of a frame */
#define MOST_PUSHES 16     /* of an arm, or of both legs, at once */
#define INWARD -0.5        /* cosine to the arm's own side, from which on a push leads through the body */
#define LEAST_WAY_OUT 0.01 /* metres of a push to the arm's own side instead */
#define WEIGHT_PUSH 1e3    /* of squares of lengths, in lengths of the leg */
#define WEIGHT_GROWTH 4.0  /* from round to round: links near the shoulder have short levers */

static void place(lbt_robot *r, const lbt_state *state) {
    lbt_robot_pose(r, state, r->pose);
    lb_kinematics_update(r->kinematics, r->pose);
    lbt_robot_place_masses(r);
}

/* How a pair of masses lies, where it is not farther apart than `margin`; 0 where it is. */
static int is_near(lbt_robot *r, int pair, double margin, lbm_gap *gap) {
    const lbp_apart *apart = r->pairs.problem->apart;
    const lbp_pair *p = &apart->pairs[pair];
    if (lbt_robot_is_apart(r, pair, margin)) {
        return 0;
    }
    lbp_pair_gap(p, &r->pairs.frames[p->a - apart->masses], &r->pairs.frames[p->b - apart->masses], margin, gap);
    return !gap->is_bound && gap->distance < margin;
}

/* The limbs that move a pair. Returns whether the pair is looked at. */
static int limbs_of(const lbt_robot *r, int pair, int masses[2], int limbs[2]) {
    const lbp_apart *apart = r->pairs.problem->apart;
    masses[0] = (int)(apart->pairs[pair].a - apart->masses);
    masses[1] = (int)(apart->pairs[pair].b - apart->masses);
    limbs[0] = r->pairs.mass_limbs[masses[0]];
    limbs[1] = r->pairs.mass_limbs[masses[1]];
    return r->pairs.is_pair[pair];
}

/* --- Legs ------------------------------------------------------------------------------------------------------------------ */

/* The push of a pair that lies like this. Where segments touch, gap->normal points from b to a. */
static void set_leg_push(const lbt_robot *r, const lbt_state *state, const int masses[2], const lbm_gap *gap,
                         lbt_leg_push *push) {
    const double *at[2] = {gap->at_a, gap->at_b};
    double between[3];
    for (int k = 0; k < 2; k++) {
        lbm_transform frames[LBT_HINGES], back;
        const int limb = r->pairs.mass_limbs[masses[k]];
        const lbm_transform *frame = &state->pelvis;
        push->sides[k] = limb < 0 ? -1 : limb - LBT_LEGS;
        push->hinges[k] = limb < 0 ? -1 : r->pairs.mass_hinges[masses[k]];
        if (limb >= 0) {
            lbt_chain_move(&r->chains[limb], &state->pelvis, state->values[limb], frames);
            frame = &frames[push->hinges[k]];
        }
        lbm_transform_invert(frame, &back);
        lbm_apply(&back, at[k], push->points[k]);
    }
    lbm_copy3(push->way_w, gap->normal);
    lbm_sub3(gap->at_a, gap->at_b, between);
    push->least = lbm_dot3(between, gap->normal) + LEG_MARGIN - gap->distance;
}

/* Adds the pushes that a pose needs behind `count` others. Returns how many there are then. */
static int find_leg_pushes(lbt_robot *r, const lbt_state *state, int count, lbt_leg_push *pushes) {
    for (int i = 0; i < r->pairs.problem->apart->pair_count && count < MOST_PUSHES; i++) {
        int masses[2], limbs[2];
        lbm_gap gap;
        const int is_pair = limbs_of(r, i, masses, limbs);
        if (is_pair && limbs[0] < LBT_ARMS && limbs[1] < LBT_ARMS && (limbs[0] >= 0 || limbs[1] >= 0) &&
            is_near(r, i, 0, &gap)) {
            set_leg_push(r, state, masses, &gap, &pushes[count++]);
        }
    }
    return count;
}

/* The frame's masses are placed, before and after. */
static int part_legs(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    lbt_leg_push pushes[MOST_PUSHES];
    int round = 0;
    r->pairs.leg_pushes = pushes;
    for (; round < MOST_ROUNDS; round++) {
        const int count = find_leg_pushes(r, state, r->pairs.leg_push_count, pushes);
        if (count == r->pairs.leg_push_count) {
            break;
        }
        r->pairs.leg_push_count = count;
        lbt_robot_push_legs(r, goal, state);
        place(r, state);
    }
    r->pairs.leg_pushes = NULL;
    r->pairs.leg_push_count = 0;
    return round > 0;
}

/* --- Arms ------------------------------------------------------------------------------------------------------------------ */

/* Adds a push of a mass, where an arm moves it. */
static void add_push(const lbt_robot *r, int mass, const double at[3], const double way[3], double depth,
                     lbt_push pushes[LBT_SIDES][MOST_PUSHES], lbt_pushes *sets) {
    const int side = r->pairs.mass_limbs[mass] - LBT_ARMS;
    if (side < 0 || sets[side].count == MOST_PUSHES) {
        return;
    }
    lbt_push *push = &pushes[side][sets[side].count++];
    push->hinge = r->pairs.mass_hinges[mass];
    lbm_copy3(push->at_w, at);
    lbm_copy3(push->way_w, way);
    push->depth = depth;
    /* what is deep in the trunk or a leg comes out on its own side, not where the other side happens to be nearer */
    double outward[3] = {0, side ? -1 : 1, 0};
    lbm_quaternion_rotate(r->facing, outward, outward);
    lbm_rotate(&r->pairs.turned, outward, outward);
    if (lbm_dot3(outward, way) < INWARD) {
        lbm_copy3(push->way_w, outward);
        push->depth = depth > LEAST_WAY_OUT ? depth : LEAST_WAY_OUT;
    }
}

/* The pushes of all that is nearer than `margin`, of arms that have moved. Returns how many there are. */
static int find_pushes(lbt_robot *r, double margin, lbt_push pushes[LBT_SIDES][MOST_PUSHES], lbt_pushes *sets) {
    const int is_moved[LBT_LIMBS] = {[LBT_ARMS] = sets[0].count > 0, [LBT_ARMS + 1] = sets[1].count > 0};
    sets[0].count = sets[1].count = 0;
    for (int i = 0; i < r->pairs.problem->apart->pair_count; i++) {
        int masses[2], limbs[2];
        lbm_gap gap;
        const int is_pair = limbs_of(r, i, masses, limbs);
        if (is_pair && ((limbs[0] >= 0 && is_moved[limbs[0]]) || (limbs[1] >= 0 && is_moved[limbs[1]])) &&
            is_near(r, i, margin, &gap)) {
            const double share = limbs[0] >= LBT_ARMS && limbs[1] >= LBT_ARMS ? 0.5 : 1,
                         depth = share * (MARGIN - gap.distance);
            const double other[3] = {-gap.normal[0], -gap.normal[1], -gap.normal[2]};
            add_push(r, masses[0], gap.at_a, gap.normal, depth, pushes, sets);
            add_push(r, masses[1], gap.at_b, other, depth, pushes, sets);
        }
    }
    return sets[0].count + sets[1].count;
}

static int part_arms(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    lbt_push pushes[LBT_SIDES][MOST_PUSHES];
    lbt_pushes sets[LBT_SIDES] = {{.side = 0, .count = 1}, {.side = 1, .count = 1}}; /* both have moved */
    double weight = WEIGHT_PUSH;
    int round = 0;
    lbm_transform back;
    lbm_transform_invert(&r->rest_chest, &back);
    lbm_transform_multiply(&state->chest, &back, &r->pairs.turned);
    for (; round < MOST_ROUNDS && find_pushes(r, round ? LEAST_MARGIN : MARGIN, pushes, sets); round++) {
        for (int side = 0; side < LBT_SIDES; side++) {
            sets[side].weight = weight;
            sets[side].pushes = pushes[side];
            if (sets[side].count) {
                lbt_robot_push_arm(r, goal, &sets[side], state);
            }
        }
        weight *= WEIGHT_GROWTH;
        place(r, state);
    }
    return round > 0;
}

static int has_pairs(const lbt_robot *r) { return r->pairs.problem && r->pairs.problem->apart->pair_count > 0; }

int lbt_robot_part_arms(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    if (!has_pairs(r)) {
        return 0;
    }
    place(r, state);
    return part_arms(r, goal, state);
}

int lbt_robot_part(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    if (!has_pairs(r)) {
        return 0;
    }
    place(r, state);
    const int is_leg_pushed = part_legs(r, goal, state), is_arm_pushed = part_arms(r, goal, state);
    return is_leg_pushed || is_arm_pushed;
}
