/* The arm engine's schedule: which start of which job runs in which lane. None of it changes an answer. */
#include <string.h>

#include "math/simd.h"
#include "solve/arm/arm_start.h"
#include "solve/arm/arm_tree.h"

#define WINDOW 32        /* starts of a job that may be under way or done out of order */
#define NEVER 0x7fffffff /* as the number of a start: none */
#define WITHOUT_END 1000 /* iterations: more than any start may take */
#define BETWEEN_STOPS 4  /* iterations of many jobs between two questions whether to stop */
#define TRIES 1          /* of a start of a tree: how often goals that are not met begin anew, others kept */
#define WANTING 0.1      /* of the largest error of any goal: such goals begin anew */
#define AHEAD (LBS_ARM_JOBS - LBS_ARM_LANES) /* jobs that are opened before a lane is free for them */

/* A slot holds a job that is under way. */
typedef struct slot {
    lbs_arm_job *job; /* NULL: the slot is free */
    int next;         /* the start to begin next */
    int first;        /* the first start that is not done */
    int running;      /* lanes that run its starts */
    int solved;       /* the first start that solved, so far */
    int nearest;      /* the start that came nearest, of those that failed */
    double nearest_error;
    int counts[WINDOW];           /* [start % WINDOW]: evaluations, once it is done; else, and in free slots, 0 */
    double answer[LBS_ARM_MAX];   /* of `solved` */
    double approach[LBS_ARM_MAX]; /* of `nearest` */
} slot;

typedef struct run_memory {
    lbs_arm_lanes lanes;
    slot slots[LBS_ARM_JOBS];
} run_memory;

typedef struct engine {
    const lbs_arm *arm;
    run_memory *m;
    const lbs_arm_feed *feed;
    slot *of_lane[LBS_ARM_LANES]; /* NULL: idle */
    int start_of_lane[LBS_ARM_LANES];
    int tries[LBS_ARM_LANES]; /* of that start, besides its first */
    int lanes;
    int used;                 /* lanes that have ever been filled */
    unsigned live;            /* bit i: lane i runs a start */
    unsigned free_slots;      /* bit i: slot i is free */
    int slots;                /* slots in use */
    slot *waiting[AHEAD + 1]; /* jobs that were opened and wait for a lane, in order */
    int waiting_count;
} engine;

const size_t lbs_arm_memory_size = sizeof(run_memory);

/* --- Starts ---------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

/* splitmix64 (Steele, Lea, Flood 2014), from a place in its sequence that the seed and the start's number decide. */
void lbs_arm_random(const lbs_arm *c, uint64_t seed, int number, double *q, int stride) {
    const uint64_t step = 0x9E3779B97F4A7C15ull;
    uint64_t state = mix(seed + step) + mix((uint64_t)number * step);
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        state += step;
        double value = j->random_lower + (double)(mix(state) >> 11) * 0x1p-53 * (j->random_upper - j->random_lower);
        q[i * stride] = lbs_arm_inside(j, value);
    }
}

int lbs_arm_show(const lbs_arm *c, const lbs_arm_job *job, const double *q, int stride, int start, int count) {
    for (int i = 0; i < c->n; i++) {
        job->watch_z[c->order[i]] = q[i * stride] / c->joints[i].scale;
    }
    return job->watch(job->watch_context, job->watch_z, start, job->evaluations + count);
}

static void fill(engine *e, int lane, slot *s) {
    const lbs_arm_job *job = s->job;
    lbs_arm_lanes *l = &e->m->lanes;
    int start = s->next++;
    if (e->of_lane[lane] != s) {
        for (int k = 0; k < 12 * e->arm->goal_count; k++) {
            l->goal[k][lane] = job->goal[k];
        }
    }
    if (start > 0) {
        lbs_arm_random(e->arm, job->seed, start, &l->q[0][lane], LBS_ARM_LANES);
        lbs_arm_keep_idle(e->arm, job, &l->q[0][lane], LBS_ARM_LANES);
    } else {
        for (int i = 0; i < e->arm->n; i++) {
            l->q[i][lane] = s->approach[i];
        }
    }
    if (e->arm->far) {
        lbs_arm_approach(e->arm, job, &l->q[0][lane], LBS_ARM_LANES);
    }
    lbs_arm_set_limits(l, lane, job, start);
    s->running++;
    e->of_lane[lane] = s;
    e->start_of_lane[lane] = start;
    e->tries[lane] = 0;
    e->live |= 1u << lane;
}

/* Where a start of a tree has brought some goals near but not all, joints that move none of those begin anew from
 * random values, and the start goes on. Returns whether it does. */
static int go_on(engine *e, int lane) {
    const lbs_arm *arm = e->arm;
    const lbs_arm_job *job = e->of_lane[lane]->job;
    lbs_arm_lanes *l = &e->m->lanes;
    const int start = e->start_of_lane[lane], left = job->max_evaluations - job->evaluations;
    double most = 0, q[LBS_ARM_MAX];
    unsigned near = 0;
    for (int g = 0; g < arm->goal_count; g++) {
        most = l->goal_error[g][lane] > most ? l->goal_error[g][lane] : most;
    }
    for (int g = 0; g < arm->goal_count; g++) {
        near |= (unsigned)!(l->goal_error[g][lane] > WANTING * most) << g;
    }
    if (!near || job->restarts == 0 || e->tries[lane] == TRIES || (int)l->count[lane] >= left) {
        return 0;
    }
    lbs_arm_random(arm, job->seed + (uint64_t)++e->tries[lane], -start - 1, q, 1);
    for (int v = 0; v < arm->n; v++) {
        l->q[v][lane] = arm->tree->moves[v] & near ? l->q[v][lane] : q[v];
    }
    const int limit = (int)l->count[lane] + lbs_arm_evaluations(start);
    l->mark[lane] = 1e300;
    l->left[lane] = 1;
    l->limit[lane] = limit < left ? limit : left;
    return 1;
}

/* --- Jobs ------------------------------------------------------------------------------------------------------- */

static void open_slot(engine *e, slot *s, lbs_arm_job *job) {
    const lbs_arm *c = e->arm;
    s->job = job;
    s->running = 0;
    s->next = s->first = job->first_start;
    s->solved = NEVER;
    s->nearest = 0; /* the caller's, until another comes nearer */
    s->nearest_error = INFINITY;
    for (int i = 0; i < c->n; i++) {
        s->approach[i] = lbs_arm_start_value(&c->joints[i], job->start[c->order[i]]);
    }
    job->iterations = job->evaluations = 0;
}

/* Ahead of others only where all of them have their evaluations for sure: where the budget may cut in, one start comes
 * after the other, so that it does at the same place for every number of lanes. */
static int may_begin(const lbs_arm *arm, const slot *s) {
    if (!s->job || s->next > s->job->restarts || s->next >= s->solved) {
        return 0;
    }
    const int ahead = s->next - s->first, tries = arm->tree ? 1 + TRIES : 1;
    return ahead == 0 || (ahead < WINDOW && (ahead + 1) * tries * lbs_arm_evaluations(s->next) <=
                                                s->job->max_evaluations - s->job->evaluations);
}

static void close_slot(engine *e, slot *s, lbs_arm_end end) {
    lbs_arm_job *job = s->job;
    job->end = end;
    job->start_index = end == LBS_ARM_SOLVED ? s->solved : s->nearest;
    job->last_start = s->first - 1;
    lbs_arm_give(e->arm, end == LBS_ARM_SOLVED ? s->answer : s->approach, job);
    for (int start = s->first; start < s->next; start++) {
        s->counts[start % WINDOW] = 0;
    }
    s->job = NULL;
    e->free_slots |= 1u << (s - e->m->slots);
    for (int lane = 0; lane < e->used; lane++) {
        if (e->of_lane[lane] != s) {
            continue;
        }
        e->of_lane[lane] = NULL;
        e->live &= ~(1u << lane);
    }
    e->feed->done(e->feed->context, job);
}

static void take_lane(const engine *e, int lane, double *q) {
    for (int i = 0; i < e->arm->n; i++) {
        q[i] = e->m->lanes.q[i][lane];
    }
}

/* A start is done: keeps what it found, and closes the job as soon as all starts before the answer are done. */
static void finish_start(engine *e, int lane, int met) {
    slot *s = e->of_lane[lane];
    const lbs_arm_lanes *l = &e->m->lanes;
    int start = e->start_of_lane[lane];
    double error = l->error[lane];
    if (start == 0 && e->lanes == 1) {
        memcpy(s->job->first, l->first, sizeof s->job->first);
    }
    s->running--;
    s->counts[start % WINDOW] = (int)l->count[lane];
    if (met && start < s->solved) {
        s->solved = start;
        take_lane(e, lane, s->answer);
    } else if (!met && (error < s->nearest_error || (error == s->nearest_error && start < s->nearest))) {
        s->nearest = start;
        s->nearest_error = error;
        take_lane(e, lane, s->approach);
    }
    lbs_arm_job *job = s->job;
    while (s->counts[s->first % WINDOW]) {
        job->evaluations += s->counts[s->first % WINDOW];
        job->iterations += s->counts[s->first % WINDOW] - 1;
        s->counts[s->first % WINDOW] = 0;
        if (s->first == s->solved) {
            close_slot(e, s, LBS_ARM_SOLVED);
            return;
        }
        s->first++;
        if (s->first > job->restarts || job->evaluations >= job->max_evaluations) {
            close_slot(e, s, LBS_ARM_FAILED);
            return;
        }
    }
}

/* --- Lanes ------------------------------------------------------------------------------------------------------ */

/* Takes the job that has waited longest, and opens further jobs to wait behind it. */
static slot *next_slot(engine *e) {
    slot *first = e->waiting_count ? e->waiting[0] : NULL;
    for (int i = 1; i < e->waiting_count; i++) {
        e->waiting[i - 1] = e->waiting[i];
    }
    e->waiting_count -= first != NULL;
    while (e->free_slots && e->waiting_count <= e->slots - e->lanes) {
        lbs_arm_job *job = e->feed->next(e->feed->context);
        if (!job) {
            break;
        }
        slot *s = &e->m->slots[lbm_lowest_bit(e->free_slots)];
        e->free_slots &= e->free_slots - 1;
        open_slot(e, s, job);
        if (first) {
            e->waiting[e->waiting_count++] = s;
        } else {
            first = s;
        }
    }
    return first;
}

/* The job for an idle lane: the job it had, unless other lanes run its starts; else a new job; else any job with
 * starts left. */
static slot *choose_work(engine *e, int lane) {
    slot *own = e->of_lane[lane];
    if (own && may_begin(e->arm, own) && own->running == 0) {
        return own;
    }
    slot *next = next_slot(e);
    if (next) {
        return next;
    }
    if (own && may_begin(e->arm, own)) {
        return own;
    }
    for (int i = 0; i < e->slots; i++) {
        if (may_begin(e->arm, &e->m->slots[i])) {
            return &e->m->slots[i];
        }
    }
    return NULL;
}

/* Lanes that have never been filled compute, too: they get the numbers of the first lane. */
static void copy_first_lane(engine *e) {
    lbs_arm_lanes *l = &e->m->lanes;
    double *all[] = {l->mark, l->left, l->patience, l->count, l->limit};
    for (int lane = e->used; lane < e->lanes && e->live; lane++) {
        for (int k = 0; k < 12 * e->arm->goal_count; k++) {
            l->goal[k][lane] = l->goal[k][0];
        }
        for (int i = 0; i < e->arm->n; i++) {
            l->q[i][lane] = l->q[i][0];
        }
        for (int i = 0; i < 5; i++) {
            all[i][lane] = all[i][0];
        }
    }
}

static void fill_idle(engine *e) {
    for (unsigned idle = ~e->live & ((1u << e->lanes) - 1); idle; idle &= idle - 1) {
        int lane = lbm_lowest_bit(idle);
        slot *s = choose_work(e, lane);
        if (!s) {
            continue;
        }
        fill(e, lane, s);
        if (lane >= e->used) {
            e->used = lane + 1;
        }
    }
    copy_first_lane(e);
}

static void stop_all(engine *e) {
    for (int lane = 0; lane < e->used; lane++) {
        slot *s = e->of_lane[lane];
        if (!s || !(e->live >> lane & 1)) {
            continue;
        }
        const lbs_arm_lanes *l = &e->m->lanes;
        s->job->evaluations += (int)l->count[lane];
        s->job->iterations += (int)l->count[lane];
        if (!(l->error[lane] < s->nearest_error)) {
            continue;
        }
        s->nearest = e->start_of_lane[lane];
        s->nearest_error = l->error[lane];
        take_lane(e, lane, s->approach);
    }
    for (int i = 0; i < e->slots; i++) {
        if (e->m->slots[i].job) {
            close_slot(e, &e->m->slots[i], LBS_ARM_STOPPED);
        }
    }
}

static lbs_arm_kernel *kernel_for(const lbs_arm *arm, int lanes) {
#if LBM_WIDE
    if (arm->tree && lanes == 4) {
        return lbs_arm_kernel_tree4;
    }
#endif
    if (arm->tree) {
        return lbs_arm_kernel_tree1;
    }
#if LBM_VECTORS
#if LBM_WIDE
    if (lanes == 8) {
        return lbs_arm_kernel8;
    }
    if (lanes == 4) {
        return lbs_arm_kernel4;
    }
#endif
    if (lanes == 2) {
        return lbs_arm_kernel2;
    }
#if LBM_X86
    if (arm->lanes >= 4) {
        return lbs_arm_kernel_one;
    }
#endif
#endif
    (void)arm, (void)lanes;
    return lbs_arm_kernel1;
}

static void set_lanes(engine *e, int lanes, int slots) {
    for (int i = e->lanes; i < lanes; i++) {
        e->of_lane[i] = NULL;
    }
    for (int i = e->slots; i < slots; i++) {
        slot *s = &e->m->slots[i];
        s->job = NULL;
        e->free_slots |= 1u << i;
    }
    e->lanes = lanes;
    e->slots = slots;
}

/* One job's first start is most often the last: it runs alone, faster. For the others four lanes are as fast as one;
 * eight would wait for what the first few have already. */
static void widen(engine *e, lbs_arm_kernel **run) {
    int lanes = e->arm->lanes < 4 ? e->arm->lanes : 4;
    const slot *only = &e->m->slots[0];
    if (only->job && only->job->watch) {
        return;
    }
    if (e->lanes >= lanes || e->live) {
        return;
    }
    set_lanes(e, lanes, e->slots);
    *run = kernel_for(e->arm, lanes);
}

/* Lanes whose starts are done; `met`: those that met the tolerances. */
static void finish_starts(engine *e, unsigned ended, unsigned met) {
    for (unsigned left = ended; left; left &= left - 1) {
        const int lane = lbm_lowest_bit(left);
        if (!(e->live >> lane & 1)) {
            continue; /* closed by another lane meanwhile */
        }
        const int is_met = met >> lane & 1;
        if (e->arm->tree && !is_met && go_on(e, lane)) {
            continue;
        }
        e->live &= ~(1u << lane);
        finish_start(e, lane, is_met);
    }
}

static int iterations_at_once(const lbs_arm_feed *feed, int is_alone) {
    return !feed->stop ? WITHOUT_END : is_alone ? 1 : BETWEEN_STOPS;
}

/* A single job begins in one lane, unless it is a tree's, which takes most often more starts than one. */
static void run_engine(const lbs_arm *arm, const lbs_arm_feed *feed, int is_alone, int is_broad, void *memory) {
    engine e;
    const int lanes = is_alone ? 1 : arm->lanes;
    lbs_arm_kernel *run = kernel_for(arm, lanes);
    e.arm = arm;
    e.m = memory;
    e.feed = feed;
    e.live = e.free_slots = 0;
    e.lanes = e.slots = e.used = e.waiting_count = 0;
    set_lanes(&e, lanes, is_alone ? 1 : lanes + AHEAD);
    fill_idle(&e);
    if (is_broad && e.live) {
        set_lanes(&e, arm->lanes, e.slots);
        run = kernel_for(arm, arm->lanes);
        fill_idle(&e);
    }
    const lbs_arm_job *watched = is_alone && e.live && e.m->slots[0].job->watch ? e.m->slots[0].job : NULL;
    const int at_once = watched ? 1 : iterations_at_once(feed, is_alone);
    while (e.live) {
        unsigned met = 0, ended = run(arm, &e.m->lanes, e.live, at_once, &met);
        const int enough = watched && lbs_arm_show(arm, watched, &e.m->lanes.q[0][0], LBS_ARM_LANES, e.start_of_lane[0],
                                                   (int)e.m->lanes.count[0]);
        finish_starts(&e, ended, met);
        const int is_done = is_alone && e.free_slots;
        if (is_done && watched) {
            return;
        }
        if (enough || (feed->stop && feed->stop(feed->context))) {
            stop_all(&e);
            return;
        }
        if (!ended) {
            continue;
        }
        if (is_done) {
            return;
        }
        if (is_alone) {
            widen(&e, &run);
        }
        fill_idle(&e);
    }
}

void lbs_arm_stream_jobs(const lbs_arm *arm, const lbs_arm_feed *feed, void *memory) {
    run_engine(arm, feed, 0, 0, memory);
}

/* An array of jobs as a feed. */
typedef struct row_of_jobs {
    lbs_arm_job *next, *end;
    int (*stop)(void *context);
    void *context;
} row_of_jobs;

static lbs_arm_job *next_in_row(void *context) {
    row_of_jobs *row = context;
    return row->next < row->end ? row->next++ : NULL;
}

static void done_in_row(void *context, lbs_arm_job *job) {
    (void)context;
    (void)job;
}

static int stop_row(void *context) {
    const row_of_jobs *row = context;
    return row->stop(row->context);
}

void lbs_arm_solve_jobs(const lbs_arm *arm, int count, lbs_arm_job *jobs, int (*stop)(void *context), void *context,
                        void *memory) {
    run_memory *m = memory;
    if (arm->n > LBS_ARM_MAX) {
        for (int i = 0; i < count; i++) {
            lbs_arm_solve_long(arm, &jobs[i], stop, context, &m->lanes);
        }
        return;
    }
    row_of_jobs row = {jobs, jobs + count, stop, context};
    const lbs_arm_feed feed = {next_in_row, done_in_row, stop ? stop_row : NULL, &row};
    run_engine(arm, &feed, count == 1, arm->tree && !jobs->watch && jobs->restarts > jobs->first_start, memory);
    for (lbs_arm_job *job = row.next; job < row.end; job++) { /* stopped */
        job->end = LBS_ARM_STOPPED;
        job->start_index = job->iterations = job->evaluations = 0;
        for (int i = 0; i < arm->n; i++) {
            job->answer[arm->order[i]] = job->start[arm->order[i]];
        }
    }
}
