/* Segments of a robot that must not overlap: arms are pushed out of what they are in. */
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "motion/robot/robot.h"
#include "problem/problem.h"

#define MARGIN 0.004       /* metres that pushed arms keep */
#define TOUCH 1e-4         /* metres of overlap from which on segments touch */
#define MOST_ROUNDS 8      /* pushes of a frame */
#define MOST_PUSHES 16     /* of an arm at once */
#define INWARD -0.5        /* cosine to the arm's own side, from which on a push leads through the body */
#define LEAST_WAY_OUT 0.01 /* metres of a push to the arm's own side instead */
#define SAMPLES 32         /* random poses: pairs that touch at rest and in more than half of these are made so */

static void place_masses(lbt_robot *r) {
    const lbp_apart *apart = r->pairs.problem->apart;
    for (int m = 0; m < apart->mass_count; m++) {
        lbf_segment_transform(r->kinematics, apart->masses[m].segment, &r->pairs.frames[m]);
    }
}

static int is_apart(lbt_robot *r, int pair, double least) {
    const lbp_apart *apart = r->pairs.problem->apart;
    const lbp_pair *p = &apart->pairs[pair];
    return lbp_pair_is_apart(p, &r->pairs.frames[p->a - apart->masses], &r->pairs.frames[p->b - apart->masses], least,
                             &r->pairs.memories[pair]);
}

/* Which arm moves a mass, and by which of its hinges. */
static void find_arm(lbt_robot *r, int mass) {
    int node = r->figure->mounts[r->pairs.problem->apart->masses[mass].segment].node;
    r->pairs.mass_arms[mass] = -1;
    for (; node >= 0; node = r->figure->nodes[node].parent) {
        for (int side = 0; side < LBT_SIDES; side++) {
            const lbt_chain *c = &r->chains[LBT_ARMS + side];
            for (int i = 0; i < c->count; i++) {
                if (c->nodes[i] == node) {
                    r->pairs.mass_arms[mass] = (signed char)side;
                    r->pairs.mass_hinges[mass] = (signed char)i;
                    return;
                }
            }
        }
    }
}

/* Pairs that touch at rest and most of the time are left out. */
static void sift_pairs(lbt_robot *r, int *touches) {
    const lbp_apart *apart = r->pairs.problem->apart;
    uint64_t seed = 1;
    for (int sample = -1; sample < SAMPLES; sample++) {
        if (sample >= 0) {
            lb_figure_random_pose(r->figure, &seed, r->pose);
        }
        lb_kinematics_update(r->kinematics, sample < 0 ? r->rest_pose : r->pose);
        place_masses(r);
        for (int i = 0; i < apart->pair_count; i++) {
            if ((sample < 0 || touches[i]) && !is_apart(r, i, -TOUCH)) {
                touches[i]++;
            }
        }
    }
    for (int i = 0; i < apart->pair_count; i++) {
        r->pairs.is_pair[i] = touches[i] <= SAMPLES / 2;
    }
    memcpy(r->pose, r->rest_pose, (size_t)r->w->variables * sizeof *r->pose);
    lb_kinematics_update(r->kinematics, r->rest_pose);
}

lb_status lbt_robot_find_pairs(lbt_robot *r) {
    lb_collisions collisions;
    const lb_allocator *al = &r->w->allocator;
    if (!r->w->options.keep_apart) {
        return LB_OK;
    }
    lb_collisions_defaults(&collisions);
    collisions.samples = 0;
    r->pairs.problem = lb_problem_create(r->figure, NULL);
    if (!r->pairs.problem) {
        return LB_ERROR_MEMORY;
    }
    lb_status status = lb_problem_set_collisions(r->pairs.problem, &collisions);
    if (status) {
        return status;
    }
    const size_t masses = (size_t)r->pairs.problem->apart->mass_count,
                 pairs = (size_t)r->pairs.problem->apart->pair_count;
    r->pairs.memories = lbf_new(al, pairs, sizeof *r->pairs.memories);
    r->pairs.is_pair = lbf_new(al, pairs, sizeof *r->pairs.is_pair);
    r->pairs.frames = lbf_new(al, masses, sizeof *r->pairs.frames);
    r->pairs.mass_arms = lbf_new(al, masses, sizeof *r->pairs.mass_arms);
    r->pairs.mass_hinges = lbf_new(al, masses, sizeof *r->pairs.mass_hinges);
    int *touches = lbf_new(al, pairs, sizeof *touches);
    if (r->pairs.memories && r->pairs.is_pair && r->pairs.frames && r->pairs.mass_arms && r->pairs.mass_hinges &&
        touches) {
        for (size_t m = 0; m < masses; m++) {
            find_arm(r, (int)m);
        }
        sift_pairs(r, touches);
    } else {
        status = LB_ERROR_MEMORY;
    }
    lbf_delete(al, touches, pairs, sizeof *touches);
    return status;
}

void lbt_robot_free_pairs(lbt_robot *r) {
    const lb_allocator *al = &r->w->allocator;
    if (r->pairs.problem && r->pairs.problem->apart) {
        const size_t masses = (size_t)r->pairs.problem->apart->mass_count,
                     pairs = (size_t)r->pairs.problem->apart->pair_count;
        lbf_delete(al, r->pairs.memories, pairs, sizeof *r->pairs.memories);
        lbf_delete(al, r->pairs.is_pair, pairs, sizeof *r->pairs.is_pair);
        lbf_delete(al, r->pairs.frames, masses, sizeof *r->pairs.frames);
        lbf_delete(al, r->pairs.mass_arms, masses, sizeof *r->pairs.mass_arms);
        lbf_delete(al, r->pairs.mass_hinges, masses, sizeof *r->pairs.mass_hinges);
    }
    lb_problem_destroy(r->pairs.problem);
}

/* Adds a push of a mass, where an arm moves it. */
static void add_push(const lbt_robot *r, int mass, const double at[3], const double way[3], double depth,
                     lbt_push pushes[LBT_SIDES][MOST_PUSHES], int counts[LBT_SIDES]) {
    const int side = r->pairs.mass_arms[mass];
    if (side < 0 || counts[side] == MOST_PUSHES) {
        return;
    }
    lbt_push *push = &pushes[side][counts[side]++];
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

/* The pushes that a pose needs. Returns how many there are. */
static int find_pushes(lbt_robot *r, lbt_push pushes[LBT_SIDES][MOST_PUSHES], int counts[LBT_SIDES]) {
    const lbp_apart *apart = r->pairs.problem->apart;
    counts[0] = counts[1] = 0;
    for (int i = 0; i < apart->pair_count; i++) {
        const lbp_pair *p = &apart->pairs[i];
        const int a = (int)(p->a - apart->masses), b = (int)(p->b - apart->masses);
        if (!r->pairs.is_pair[i] || (r->pairs.mass_arms[a] < 0 && r->pairs.mass_arms[b] < 0) || is_apart(r, i, 0)) {
            continue;
        }
        lbm_gap gap;
        lbp_pair_gap(p, &r->pairs.frames[a], &r->pairs.frames[b], MARGIN, &gap);
        if (!gap.is_bound) {
            const double depth = MARGIN - gap.distance,
                         share = r->pairs.mass_arms[a] >= 0 && r->pairs.mass_arms[b] >= 0 ? 0.5 : 1;
            const double other[3] = {-gap.normal[0], -gap.normal[1], -gap.normal[2]};
            add_push(r, a, gap.at_a, gap.normal, share * depth, pushes, counts);
            add_push(r, b, gap.at_b, other, share * depth, pushes, counts);
        }
    }
    return counts[0] + counts[1];
}

void lbt_robot_part(lbt_robot *r, const lbt_goal *goal, lbt_state *state) {
    lbt_push pushes[LBT_SIDES][MOST_PUSHES];
    int counts[LBT_SIDES];
    lbm_transform back;
    lbm_transform_invert(&r->rest_chest, &back);
    lbm_transform_multiply(&state->chest, &back, &r->pairs.turned);
    for (int round = 0; r->pairs.problem && r->pairs.problem->apart->pair_count > 0 && round < MOST_ROUNDS; round++) {
        lbt_robot_pose(r, state, r->pose);
        lb_kinematics_update(r->kinematics, r->pose);
        place_masses(r);
        if (!find_pushes(r, pushes, counts)) {
            return;
        }
        for (int side = 0; side < LBT_SIDES; side++) {
            if (counts[side]) {
                lbt_robot_push_arm(r, goal, state, side, counts[side], pushes[side]);
            }
        }
    }
}

double lbt_robot_overlap(lbt_robot *r, int segments[2]) {
    double most = 0;
    segments[0] = segments[1] = -1;
    if (!r->pairs.problem) {
        return 0;
    }
    const lbp_apart *apart = r->pairs.problem->apart;
    place_masses(r);
    for (int i = 0; i < apart->pair_count; i++) {
        const lbp_pair *p = &apart->pairs[i];
        lbm_gap gap;
        if (!r->pairs.is_pair[i] || is_apart(r, i, -most)) {
            continue;
        }
        lbp_pair_gap(p, &r->pairs.frames[p->a - apart->masses], &r->pairs.frames[p->b - apart->masses], 0, &gap);
        if (!gap.is_bound && -gap.distance > most) {
            most = -gap.distance;
            segments[0] = p->a->segment, segments[1] = p->b->segment;
        }
    }
    return most;
}
