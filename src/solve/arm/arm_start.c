/* Starts of the arm engine: where they begin, what they may cost, and what is handed to the job and shown of them. */
#include <string.h>

#include "solve/arm/arm_schedule.h"

/* How long a start may take: its error has to halve in so many evaluations, again and again. The first ones are
 * given up soon, which is what makes restarts worth it; the later ones, of goals that are hard to reach, have more
 * time. */
static int patience_of(int start) { return start < 16 ? 2 : start < 64 ? 3 : start < 256 ? 5 : 8; }
int lbs_arm_evaluations(int start) {
    return start < 16 ? LBS_ARM_ITERATIONS : start < 64 ? 25 : start < 256 ? 50 : 100;
}

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static double inside(const lbs_arm_joint *j, double value) {
    value = value < j->lower ? j->lower : value; /* in two steps: without a branch */
    return value > j->upper ? j->upper : value;
}

/* splitmix64 (Steele, Lea, Flood 2014), from a place in its sequence that the seed and the start's number decide. */
void lbs_arm_random(const lbs_arm *c, uint64_t seed, int number, double *q, int stride) {
    const uint64_t step = 0x9E3779B97F4A7C15ull;
    uint64_t state = mix(seed + step) + mix((uint64_t)number * step);
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        state += step;
        double value = j->random_lower + (double)(mix(state) >> 11) * 0x1p-53 * (j->random_upper - j->random_lower);
        q[i * stride] = inside(j, value);
    }
}

double lbs_arm_start_value(const lbs_arm_joint *j, double z) { return inside(j, z * j->scale); }

static int least(int a, int b) { return a < b ? a : b; }

void lbs_arm_set_limits(lbs_arm_lanes *l, int lane, const lbs_arm_job *job, int start) {
    int limit = lbs_arm_evaluations(start);
    if (job->max_iterations < limit) {
        limit = job->max_iterations + 1;
    }
    l->mark[lane] = start == 0 && job->atlas && job->restarts > 0 ? 2 * LBS_ARM_NEAR : 1e300;
    l->left[lane] = 1;
    l->patience[lane] = patience_of(start);
    l->count[lane] = 0;
    l->limit[lane] = least(limit, job->max_evaluations - job->evaluations);
}

/* What does not move what the goal sees stays as the caller's start has it. */
void lbs_arm_keep_idle(const lbs_arm *c, const lbs_arm_job *job, double *q, int stride) {
    for (int i = 0; i < c->n && c->has_idle; i++) {
        if (c->joints[i].is_idle) {
            q[i * stride] = lbs_arm_start_value(&c->joints[i], job->start[c->order[i]]);
        }
    }
}

void lbs_arm_give(const lbs_arm *c, const double *q, lbs_arm_job *job) {
    for (int i = 0; i < c->n; i++) {
        const double scale = c->joints[i].scale;
        job->answer[c->order[i]] = scale != 1 ? q[i] / scale : q[i];
    }
}

/* Shows where a start is to who watches. Returns whether to stop. */
int lbs_arm_show(const lbs_arm *c, const lbs_arm_job *job, const double *q, int stride, int start, int count) {
    for (int i = 0; i < c->n; i++) {
        job->watch_z[c->order[i]] = q[i * stride] / c->joints[i].scale;
    }
    return job->watch(job->watch_context, job->watch_z, start, job->evaluations + count);
}
