/* Segments of a robot that are kept apart: which pairs of them, and how far they overlap. */
#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "motion/robot/robot.h"
#include "problem/problem.h"

#define TOUCH 1e-4 /* metres of overlap from which on segments touch */
#define SAMPLES 32 /* random poses: pairs that touch at rest and in more than half of these are made so */

void lbt_robot_place_masses(lbt_robot *r) {
    const lbp_apart *apart = r->pairs.problem->apart;
    for (int m = 0; m < apart->mass_count; m++) {
        lbf_segment_transform(r->kinematics, apart->masses[m].segment, &r->pairs.frames[m]);
        lbm_apply(&r->pairs.frames[m], apart->masses[m].centre, r->pairs.centres[m]);
    }
}

int lbt_robot_is_apart(lbt_robot *r, int pair, double least) {
    const lbp_apart *apart = r->pairs.problem->apart;
    const lbp_pair *p = &apart->pairs[pair];
    const int a = (int)(p->a - apart->masses), b = (int)(p->b - apart->masses);
    const double room = p->a->reach + p->b->reach + least;
    double way[3];
    lbm_sub3(r->pairs.centres[a], r->pairs.centres[b], way);
    return room < 0 || lbm_dot3(way, way) > room * room ||
           lbp_pair_is_apart(p, &r->pairs.frames[a], &r->pairs.frames[b], least, &r->pairs.memories[pair]);
}

/* Which limb moves a mass, and by which of its hinges. */
static void find_limb(lbt_robot *r, int mass) {
    int node = r->figure->mounts[r->pairs.problem->apart->masses[mass].segment].node;
    r->pairs.mass_limbs[mass] = -1;
    for (; node >= 0; node = r->figure->nodes[node].parent) {
        for (int limb = 0; limb < LBT_LIMBS; limb++) {
            const lbt_chain *c = &r->chains[limb];
            for (int i = 0; i < c->count; i++) {
                if (c->nodes[i] == node) {
                    r->pairs.mass_limbs[mass] = (short)limb;
                    r->pairs.mass_hinges[mass] = (short)i;
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
        lbt_robot_place_masses(r);
        for (int i = 0; i < apart->pair_count; i++) {
            if ((sample < 0 || touches[i]) && !lbt_robot_is_apart(r, i, -TOUCH)) {
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
    if (status == LB_ERROR_UNSUPPORTED) { /* nothing of it is solid */
        lb_problem_destroy(r->pairs.problem);
        r->pairs.problem = NULL;
        return LB_OK;
    }
    if (status) {
        return lbf_refuse(r->w->error, status, lb_problem_error(r->pairs.problem)->message);
    }
    const size_t masses = (size_t)r->pairs.problem->apart->mass_count,
                 pairs = (size_t)r->pairs.problem->apart->pair_count;
    r->pairs.memories = lbf_new(al, pairs, sizeof *r->pairs.memories);
    r->pairs.is_pair = lbf_new(al, pairs, sizeof *r->pairs.is_pair);
    r->pairs.frames = lbf_new(al, masses, sizeof *r->pairs.frames);
    r->pairs.centres = lbf_new(al, masses, sizeof *r->pairs.centres);
    r->pairs.mass_limbs = lbf_new(al, masses, sizeof *r->pairs.mass_limbs);
    r->pairs.mass_hinges = lbf_new(al, masses, sizeof *r->pairs.mass_hinges);
    int *touches = lbf_new(al, pairs, sizeof *touches);
    if (r->pairs.memories && r->pairs.is_pair && r->pairs.frames && r->pairs.centres && r->pairs.mass_limbs &&
        r->pairs.mass_hinges && touches) {
        for (size_t m = 0; m < masses; m++) {
            find_limb(r, (int)m);
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
        lbf_delete(al, r->pairs.centres, masses, sizeof *r->pairs.centres);
        lbf_delete(al, r->pairs.mass_limbs, masses, sizeof *r->pairs.mass_limbs);
        lbf_delete(al, r->pairs.mass_hinges, masses, sizeof *r->pairs.mass_hinges);
    }
    lb_problem_destroy(r->pairs.problem);
}

double lbt_robot_overlap(lbt_robot *r, int segments[2]) {
    double most = 0;
    segments[0] = segments[1] = -1;
    if (!r->pairs.problem) {
        return 0;
    }
    const lbp_apart *apart = r->pairs.problem->apart;
    lbt_robot_place_masses(r);
    for (int i = 0; i < apart->pair_count; i++) {
        const lbp_pair *p = &apart->pairs[i];
        lbm_gap gap;
        if (!r->pairs.is_pair[i] || lbt_robot_is_apart(r, i, -most)) {
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
