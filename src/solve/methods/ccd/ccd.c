/* Cyclic coordinate descent (BAGS 4.3.2; EN07 2.2; Wang & Chen 1991): one variable after the other, from the tips to
 * the root, is moved to where G is least while all others stay.
 *
 * Along one turn by theta about axis u through c every vector of an end-effector goes as a + b cos theta + c sin theta,
 * so that G is
 *
 *     constant + A1 cos theta + B1 sin theta + A2 cos 2 theta + B2 sin 2 theta,
 *
 * the second harmonics only for line and plane goals (for position and orientation |r - c| and |v| do not change, and
 * they cancel). Three samples a third of a turn apart give A1, B1 exactly, five a fifth apart all four. Along a
 * translation G is a parabola: three samples. Everything else - curved goals, alternatives, wishes, variables that
 * drive several joints - is searched by bracketing and parabolas.
 *
 * A turn moves only what hangs on it, and what hangs on it was dealt with before: so the axes still to come stay where
 * they are, and one evaluation of the figure serves a whole sweep; only end-effectors are turned on the way. Variables
 * that drive several joints, and goals on the centre of mass, need the figure evaluated at each sample.
 *
 * Rigidity and preferred angles shorten a variable's step (lbs_damping). G may have a bump between here and its least
 * value, so a damped variable goes for the nearest low point, and no farther than where G is lower.
 *
 * By axis (LB_CCD_VARIANT_AXIS) is EN07's own: with e the end-effector, g the goal and c the joint's centre, a joint of
 * several turns is turned about (e - c) x (g - c) until e lies on the ray from c to g. Its turns follow from that
 * (ccd_axis.c). What limits and missing axes do not let come true is not made up for: G may rise on the way, and the
 * best is kept.
 *
 * A variable moves within the room that its bounds and limit rows leave it. One coordinate alone cannot slide along a
 * row over several variables: where rows hold G back, the sweep ends with a step along the projected gradient. */
#include "solve/methods/ccd/ccd.h"

#include <string.h>

#include "math/arena.h"

#define PATIENCE 60      /* sweeps that gain next to nothing */
#define MOST_ESCAPES 3   /* from saddles */
#define FIRST_SLIDE 0.1  /* radians or metres */
#define LEAST_SLIDE 1e-6 /* the same */

/* Cuts all arrays, or counts them. */
static void cut_arrays(lbs_ccd *c, const lbs_space *s, lbm_arena *arena) {
    const size_t n = s->max.n, items = (size_t)s->item_count;
    double **vectors[] = {&c->trial, &c->gradient, &c->direction, &c->bound_multipliers, &c->best.z};
    c->items = lbm_cut(arena, items, sizeof *c->items);
    c->movers = lbm_cut(arena, n, sizeof *c->movers);
    c->order = lbm_cut(arena, n, sizeof *c->order);
    c->moves = lbm_cut(arena, n * items, 1);
    c->group_value = lbm_cut_doubles(arena, items);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    c->limit_multipliers = lbm_cut_doubles(arena, s->max.limits);
    c->judge = lbm_cut_doubles(arena, lbs_judge_size(s));
}

size_t lbs_ccd_size(const lbs_space *s) {
    lbs_ccd c;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_arrays(&c, s, &arena);
    return lbm_arena_doubles(&arena);
}

/* --- One variable ------------------------------------------------------------------------------------------------------- */

/* What damping makes of a step t, shorter still where G is not lower there. */
static double damped(lbs_ccd *c, int i, double t) {
    double step = lbs_damp(&c->damping, c->s, c->z, i, t);
    if (step == t) {
        return t;
    }
    double here = lbs_ccd_value(c, i, 0);
    for (int k = 0; k < 20; k++, step *= 0.5) {
        if (lbs_ccd_value(c, i, step) < here) {
            return step;
        }
    }
    return 0;
}

static void move_variable(lbs_ccd *c, int i) {
    lbs_space *s = c->s;
    double down, up;
    lbs_room(s, c->z, i, &down, &up);
    if (down == 0 && up == 0) {
        return;
    }
    if (lbs_ccd_is_light(c, i) && c->stale) {
        lbs_ccd_look(c);
    }
    int degree = lbs_ccd_degree(c, i);
    if (degree == 2 && lbs_is_damped(&c->damping, s, i)) {
        degree = 0;
    }
    double t = lbs_ccd_least(c, i, degree, down, up);
    t = damped(c, i, t);
    double next = c->z[i] + t;
    next = lbs_clamp(next, s->variables.lower[i], s->variables.upper[i]);
    t = next - c->z[i];
    if (t == 0 || !lbm_is_finite(t)) {
        return;
    }
    /* A search ends at something better, or at 0; what has a closed form is better where G no longer tells, too. */
    if (degree > 0 && !(lbs_ccd_value(c, i, t) <= lbs_ccd_value(c, i, 0) * (1 + 1e-15))) {
        return;
    }
    lbs_ccd_carry(c, i, next);
}

/* --- Sweeps -------------------------------------------------------------------------------------------------- */

/* Along the projected gradient, if limits over several variables hold it back. */
static void slide_along_rows(lbs_ccd *c) {
    lbs_space *s = c->s;
    double value = lbs_gradient(s, c->z, -1, c->gradient);
    double norm = lbs_tangent(s, c->z, c->gradient, c->direction, c->bound_multipliers, c->limit_multipliers);
    int held = 0;
    for (int k = 0; k < s->limits.count; k++) {
        held |= c->limit_multipliers[k] != 0;
    }
    if (!held || !(norm > 0)) {
        return;
    }
    for (int attempt = 0; attempt < 24; attempt++) {
        for (int i = 0; i < s->n; i++) {
            c->trial[i] = c->z[i] + c->slide / norm * c->direction[i];
        }
        if (!lbm_all_finite(c->trial, s->n) || lbs_project(s, c->trial)) {
            return;
        }
        double next = lbs_value(s, c->trial);
        c->stale = 1;
        if (next < value) {
            memcpy(c->z, c->trial, (size_t)s->n * sizeof *c->z);
            c->slide *= 2;
            return;
        }
        c->slide *= 0.25;
    }
    c->slide = LEAST_SLIDE; /* as low as it gets this way; after other moves it may go on */
}

static lbs_end sweep_until_done(lbs_ccd *c) {
    lbs_space *s = c->s;
    int escapes = 0, stalled = 0;
    for (int sweep = 0; sweep < s->options->max_iterations; sweep++) {
        lbs_ccd_look(c);
        for (int k = 0, moved; k < s->n; k += moved) {
            moved = s->options->ccd == LB_CCD_VARIANT_AXIS ? lbs_ccd_move_joint(c, k) : 0;
            if (moved == 0) {
                move_variable(c, c->order[k]);
                moved = 1;
            }
            if (lbs_spent(s)) {
                break;
            }
        }
        if (s->limits.count > 0) {
            slide_along_rows(c);
        }
        double value = lbs_value(s, c->z);
        int done = lbs_done(s, c->z);
        double part = lbs_incumbent_keep(&c->best, s, c->z, value);
        lbs_damping_yield(&c->damping, part);
        if (lbs_stop(s, c->z, value)) {
            return LBS_OUT;
        }
        if (done && part > 0) {
            return LBS_MET;
        }
        if (part > 1e-12 && c->best.value > 0) {
            stalled = 0;
            continue;
        }
        int escaped;
        lbs_end end = lbs_judge(s, c->judge, c->z, &escaped);
        if (end != LBS_OUT) {
            return lbs_incumbent_settle(&c->best, s, c->z, value) ? end : LBS_OUT;
        }
        if (escaped) {
            lbs_incumbent_keep(&c->best, s, c->z, lbs_value(s, c->z));
        }
        if (escaped ? escapes++ == MOST_ESCAPES : stalled++ == PATIENCE) {
            return LBS_OUT;
        }
    }
    return LBS_OUT;
}

lbs_end lbs_run_ccd(lbs_space *s, double *work, double *z, lb_error *error) {
    lbs_ccd c;
    if (lbs_has_levels(s, "ccd", error)) {
        return LBS_CANNOT;
    }
    memset(&c, 0, sizeof c);
    c.s = s;
    c.z = z;
    lbm_arena arena = lbm_arena_on(work, LBM_ARENA_DOUBLE);
    cut_arrays(&c, s, &arena);
    c.slide = FIRST_SLIDE;
    lbs_damping_begin(&c.damping, s);
    lbs_ccd_list_movers(&c);
    lbs_ccd_mark_items(&c);
    lbs_incumbent_begin(&c.best, s, z);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    lbs_end end = sweep_until_done(&c);
    memcpy(z, c.best.z, (size_t)s->n * sizeof *z);
    if (end == LBS_OUT && !s->budget.stopped) {
        int escaped;
        end = lbs_judge(s, c.judge, z, &escaped);
    }
    return end;
}
