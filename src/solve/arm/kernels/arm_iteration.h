/* The loop of the arm engine, for each kernel. Included last by the text of a kernel, which has defined KERNEL, the
 * function's name, and
 *
 *     look       what an evaluation finds: the last frame f and the error e, whose sizes are e.size (error_sizes);
 *     state      what a run keeps of the joints beside the lanes;
 *     begin      takes the joints over from the lanes;
 *     evaluate   the frame and the error at the present pose;
 *     improve    a step, for the lanes that are not done;
 *     keep_first keeps the first frame of a single lane, for the value at the start;
 *     finish     gives the joints back to the lanes. */

/* The counters of the lanes, in registers while a run lasts (lbs_arm_lanes says what they are); the error is that of
 * the last evaluation, of which there is at least one. */
typedef struct progress {
    lbm_lanes error, mark, left, count;
} progress;

static inline progress take_progress(const lbs_arm_lanes *l) {
    return (progress){lbm_all_lanes(0), lbm_load_lanes(l->mark), lbm_load_lanes(l->left), lbm_load_lanes(l->count)};
}

static inline void give_progress(const progress *p, lbs_arm_lanes *l) {
    lbm_store_lanes(l->error, p->error);
    lbm_store_lanes(l->mark, p->mark);
    lbm_store_lanes(l->left, p->left);
    lbm_store_lanes(l->count, p->count);
}

/* Which lanes met the tolerances (*met), and which are done: they met them, their error did not halve in time, or
 * they had all their evaluations. One lane has branches where several have masks. */
#if LBM_LANES == 1

LBM_INLINE int judge(const lbs_arm *c, const lbs_arm_lanes *l, const error_sizes *e, goal_parts parts, progress *p,
                     int *met) {
    p->error = half_square(e, parts);
    p->count += 1;
    p->left -= 1;
    *met = (!parts.point || e->point <= c->tolerance * c->tolerance) &&
           (!parts.rotation || (e->is_small && e->rotation <= c->tolerance_rad * c->tolerance_rad));
    int done = *met || l->limit[0] <= p->count;
    if (p->left < 1) {
        done |= !(p->error <= 0.5 * p->mark);
        p->mark = p->error;
        p->left = l->patience[0];
    }
    return done;
}

#else

LBM_INLINE lbm_truths judge(const lbs_arm *c, const lbs_arm_lanes *l, const error_sizes *e, goal_parts parts,
                            progress *p, lbm_truths *met) {
    const lbm_lanes one = lbm_all_lanes(1);
    lbm_truths in = lbm_at_most(lbm_all_lanes(0), one);
    if (parts.point) {
        in = in & lbm_at_most(e->point, lbm_all_lanes(c->tolerance * c->tolerance));
    }
    if (parts.rotation) {
        in = in & e->is_small & lbm_at_most(e->rotation, lbm_all_lanes(c->tolerance_rad * c->tolerance_rad));
    }
    p->error = half_square(e, parts);
    p->count = p->count + one;
    p->left = p->left - one;
    const lbm_truths due = lbm_less(p->left, one), spent = lbm_at_most(lbm_load_lanes(l->limit), p->count);
    const lbm_truths halved = lbm_at_most(p->error, 0.5 * p->mark);
    p->mark = lbm_choose(due, p->error, p->mark);
    p->left = lbm_choose(due, lbm_load_lanes(l->patience), p->left);
    *met = in;
    return in | spent | (due & ~halved);
}

#endif

LBM_INLINE unsigned iterate(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met,
                            goal_parts parts) {
    unsigned ended = 0, ended_well = 0;
    progress p = take_progress(l);
#if LBM_LANES == 1
    live = 1; /* which the compiler does not know: with it, a lane that is done ends the loop, and nothing else does */
#endif
    state s;
    begin(c, l, &s);
    for (int i = 0; i < iterations && !ended; i++) {
        look at;
        lbm_truths in;
        evaluate(c, l, &s, parts, &at);
#if LBM_LANES == 1
        if (p.count == 0) {
            keep_first(&at, l->first);
        }
#endif
        const lbm_truths done = judge(c, l, &at.e.size, parts, &p, &in);
        ended_well = lbm_truth_bits(in) & live;
        ended = lbm_truth_bits(done) & live;
        if (ended == live) {
            break;
        }
        improve(c, l, &s, &at, p.error, done, parts);
    }
    finish(c, l, &s);
    give_progress(&p, l);
    *met = ended_well;
    return ended;
}

#ifdef KERNEL_OF_TREE /* which has goals of all kinds together */

unsigned KERNEL(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    return iterate(c, l, live, iterations, met, (goal_parts){1, 1});
}

#else

/* One function for each kind of goal: registers are then allocated for it alone. */
LBM_APART unsigned run_point(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    return iterate(c, l, live, iterations, met, (goal_parts){1, 0});
}

LBM_APART unsigned run_rotation(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    return iterate(c, l, live, iterations, met, (goal_parts){0, 1});
}

LBM_APART unsigned run_frame(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    return iterate(c, l, live, iterations, met, (goal_parts){1, 1});
}

unsigned KERNEL(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    if (!c->has_rotation) {
        return run_point(c, l, live, iterations, met);
    }
    return c->has_point ? run_frame(c, l, live, iterations, met) : run_rotation(c, l, live, iterations, met);
}

#endif
