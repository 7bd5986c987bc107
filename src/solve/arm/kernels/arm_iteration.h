/* The loop of the arm engine, for each kernel. Included last by the text of a kernel, which has defined KERNEL, the function's
 * name, and
 *
 *     look       what an evaluation finds: the last frame f and the error e, whose sizes are e.size (error_sizes);
 *     state      what a run keeps of the joints beside the lanes;
 *     begin      takes the joints over from the lanes;
 *     evaluate   the frame and the error at the present pose;
 *     improve    a step, for the lanes that are not done;
 *     finish     gives the joints back to the lanes. */

/* Which lanes met the tolerances (*met), and which are done: they met them, their error did not halve in time, or they had all
 * their evaluations. */
LBM_INLINE lbm_truths judge(const lbs_arm *c, lbs_arm_lanes *l, const error_sizes *e, lbm_lanes error, goal_parts parts,
                            lbm_truths *met) {
    const lbm_lanes one = lbm_all_lanes(1), count = lbm_load_lanes(l->count) + one;
    lbm_lanes left = lbm_load_lanes(l->left) - one, mark = lbm_load_lanes(l->mark);
    lbm_truths in = lbm_at_most(lbm_all_lanes(0), one);
    if (parts.point) {
        in = in & lbm_at_most(e->point, lbm_all_lanes(c->tolerance * c->tolerance));
    }
    if (parts.rotation) {
        in = in & e->is_small & lbm_at_most(e->rotation, lbm_all_lanes(c->tolerance_rad * c->tolerance_rad));
    }
    const lbm_truths due = lbm_less(left, one), spent = lbm_at_most(lbm_load_lanes(l->limit), count);
    const lbm_truths halved = lbm_at_most(error, 0.5 * mark);
    lbm_store_lanes(l->error, error);
    lbm_store_lanes(l->count, count);
    lbm_store_lanes(l->mark, lbm_choose(due, error, mark));
    lbm_store_lanes(l->left, lbm_choose(due, lbm_load_lanes(l->patience), left));
    *met = in;
    return in | spent | (due & ~halved);
}

LBM_INLINE unsigned iterate(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met,
                            goal_parts parts) {
    unsigned ended = 0;
    state s;
    look at;
    begin(c, l, &s);
    for (int i = 0; i < iterations && !ended; i++) {
        lbm_truths in;
        evaluate(c, l, &s, &at, parts);
        const lbm_lanes error = half_square(&at.e.size, parts);
        const lbm_truths done = judge(c, l, &at.e.size, error, parts, &in);
        *met = lbm_truth_bits(in) & live;
        ended = lbm_truth_bits(done) & live;
        if (ended == live) {
            break;
        }
        improve(c, l, &s, &at, error, done, parts);
    }
    finish(c, l, &s);
    return ended;
}

unsigned KERNEL(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    const goal_parts point = {1, 0}, rotation = {0, 1}, both = {1, 1};
    if (!c->has_rotation) {
        return iterate(c, l, live, iterations, met, point);
    }
    return c->has_point ? iterate(c, l, live, iterations, met, both) : iterate(c, l, live, iterations, met, rotation);
}
