/* Long arms: one start after the other, by the kernels of arm_kernel_long.h. */
#include <string.h>

#include "solve/arm/arm_start.h"

#define WITHOUT_END 1000 /* iterations: more than any start may take */

static lbs_arm_kernel *long_kernel_for(const lbs_arm *arm) {
#if LBM_WIDE
    if (arm->lanes >= 4) {
        return lbs_arm_kernel_long4;
    }
#endif
#if LBM_VECTORS && defined(__wasm__) /* always two lanes: the kernel of one need not be sent */
    (void)arm;
    return lbs_arm_kernel_long2;
#elif LBM_VECTORS
    return arm->lanes == 2 ? lbs_arm_kernel_long2 : lbs_arm_kernel_long1;
#else
    (void)arm;
    return lbs_arm_kernel_long1;
#endif
}

/* One start, whose joints are in q. Returns whether it met the tolerances; *stopped, if it was: else it is done. */
static int run_long(const lbs_arm *c, lbs_arm_lanes *l, const lbs_arm_job *job, int start, int (*stop)(void *context),
                    void *context, int *stopped) {
    lbs_arm_kernel *run = long_kernel_for(c);
    unsigned met = 0, ended = 0;
    for (int lane = 0; lane < LBS_ARM_LANES; lane++) {
        for (int k = 0; k < 12; k++) {
            l->goal[k][lane] = job->goal[k];
        }
        lbs_arm_set_limits(l, lane, job, start);
    }
    while (!ended && !*stopped) {
        ended = run(c, l, 1, stop || job->watch ? 1 : WITHOUT_END, &met);
        if (job->watch && lbs_arm_show(c, job, c->along.q, 1, start, (int)l->count[0])) {
            *stopped = !met;
        }
        if (!met && stop && stop(context)) {
            *stopped = 1;
        }
    }
    return (int)met;
}

/* One start after the other. */
void lbs_arm_solve_long(const lbs_arm *c, lbs_arm_job *job, int (*stop)(void *context), void *context,
                        lbs_arm_lanes *l) {
    const lbs_arm_long *g = &c->along;
    double nearest = INFINITY;
    int stopped = 0;
    job->start_index = job->last_start = job->iterations = job->evaluations = 0;
    for (int i = 0; i < c->n; i++) {
        g->nearest[i] = g->q[i] = lbs_arm_start_value(&c->joints[i], job->start[c->order[i]]);
    }
    for (int start = job->first_start; !stopped && start <= job->restarts && job->evaluations < job->max_evaluations;
         start++) {
        if (start > 0) {
            lbs_arm_random(c, job->seed, start, g->q, 1);
            lbs_arm_keep_idle(c, job, g->q, 1);
        }
        int met = run_long(c, l, job, start, stop, context, &stopped);
        job->evaluations += (int)l->count[0];
        job->iterations += (int)l->count[0] - !stopped;
        job->last_start = start;
        if (!met && !(l->error[0] < nearest)) {
            continue;
        }
        nearest = l->error[0];
        job->start_index = start;
        if (met) {
            job->end = LBS_ARM_SOLVED;
            lbs_arm_give(c, g->q, job);
            return;
        }
        memcpy(g->nearest, g->q, (size_t)c->n * sizeof *g->q);
    }
    job->end = stopped ? LBS_ARM_STOPPED : LBS_ARM_FAILED;
    lbs_arm_give(c, g->nearest, job);
}
