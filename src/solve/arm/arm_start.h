/* Starts of the arm engine: their values, what they may cost, and what becomes of their answers. */
#ifndef LIMBER_SOLVE_ARM_START_H
#define LIMBER_SOLVE_ARM_START_H

#include "solve/arm/arm_schedule.h"

/* How long a start may take: its error has to halve every lbs_arm_patience(start) evaluations, of which it has at
 * most lbs_arm_evaluations(start). The first starts are given up soon, which is what makes restarts worth it; the
 * later ones, of goals that are hard to reach, have more time. The first figures, 2 and 15, were tuned over 10,000
 * reachable poses of an arm (docs/methods.md, "The iteration"). */
static inline int lbs_arm_patience(int start) { return start < 16 ? 2 : start < 64 ? 3 : start < 256 ? 5 : 8; }

static inline int lbs_arm_evaluations(int start) {
    return start < 16 ? LBS_ARM_ITERATIONS : start < 64 ? 25 : start < 256 ? 50 : 100;
}

/* A joint's value, cut at its range. */
static inline double lbs_arm_inside(const lbs_arm_joint *j, double value) {
    value = value < j->lower ? j->lower : value; /* in two steps: without a branch */
    return value > j->upper ? j->upper : value;
}

/* The value of a joint in a kernel where the space has z. */
static inline double lbs_arm_start_value(const lbs_arm_joint *j, double z) { return lbs_arm_inside(j, z * j->scale); }

/* Sets the budget of a start in a lane, and clears its counters. */
static inline void lbs_arm_set_limits(lbs_arm_lanes *l, int lane, const lbs_arm_job *job, int start) {
    int limit = lbs_arm_evaluations(start);
    if (job->max_iterations < limit) {
        limit = job->max_iterations + 1;
    }
    l->mark[lane] = 1e300;
    l->left[lane] = 1;
    l->patience[lane] = lbs_arm_patience(start);
    l->count[lane] = 0;
    const int left = job->max_evaluations - job->evaluations;
    l->limit[lane] = limit < left ? limit : left;
}

/* Joints that do not move what the goal sees stay as the job's start has them. */
static inline void lbs_arm_keep_idle(const lbs_arm *c, const lbs_arm_job *job, double *q, int stride) {
    for (int i = 0; i < c->n && c->has_idle; i++) {
        if (c->joints[i].is_idle) {
            q[i * stride] = lbs_arm_start_value(&c->joints[i], job->start[c->order[i]]);
        }
    }
}

/* Writes the answer q of a start to the job. */
static inline void lbs_arm_give(const lbs_arm *c, const double *q, lbs_arm_job *job) {
    for (int i = 0; i < c->n; i++) {
        const double scale = c->joints[i].scale;
        job->answer[c->order[i]] = scale != 1 ? q[i] / scale : q[i];
    }
}

#endif
