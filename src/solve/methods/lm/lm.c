/* Levenberg-Marquardt under linear constraints, then Newton's method: the default.
 *
 * A step minimises the model of step.h, the residuals linearised, with mu |d|^2, within the limits. The trial is
 * moved to the closest point inside them and accepted only if it is better, so every iterate is feasible and none is
 * worse. For large mu the step is that of the projected gradient, which always gets better unless the point is a
 * Kuhn-Tucker point.
 *
 * The damping vanishes with the error (mu = lambda * G), which gives quadratic convergence where the goals can be
 * met. Where they cannot be met, Gauss-Newton crawls: then the model has the curvature of the residuals, too, and
 * the steps are Newton's within a trust radius. Where there are too many variables for the whole Hessian, and where
 * that fails, newton.c takes over.
 *
 * Priority levels are minimised one after the other. The rows of higher levels are equalities of the step, and are
 * restored after every step; a step that costs a higher level anything is refused. */
#include "solve/methods/lm/lm.h"

#include <string.h>

#include "solve/eval/level_tangent.h"
#include "solve/methods/lm/lm_state.h"
#include "solve/methods/lm/newton.h"
#include "solve/methods/numeric.h"

/* So many steps in a row that leave more than this share of the value are slow: time for Newton's. Both were tuned
 * for fewer steps in all. A minimum that moved a little, as in tracking, leaves less. */
#define SLOW_STEPS 3
#define SLOW_SHARE 0.9
#define SLOW_SHARE_OF_MANY 0.5 /* the same where there are further starts, and this one may be given up */
#define FIRST_LAMBDA 0.1       /* of the damping */
#define FIRST_RADIUS 0.3       /* of the trust region, rad or metres */
#define MAX_SADDLES 3          /* that are left, in one level */
#define LEAST_CURVATURE 0.5e-7 /* of half the Hessian: less negative curvature than this makes no saddle */
#define KINK 1e-8              /* of the value: a lower level whose last step gained less is at a kink */
#define MAX_ROUNDS 4           /* through all levels */
#define LEAST_HIGHER_GAIN 1e-6 /* of the value of a higher level: less is not worth another round */

/* --- The phases of one level -------------------------------------------------------------------------------------
 *
 * A level goes through phases, from LM_LOOK to one of the last three. Each phase ends with an event, and next_phase,
 * alone, decides by it which phase is next.
 *
 *     phase                event          next phase
 *     LM_LOOK              LM_GOALS_MET   LM_MET
 *                          LM_STATIONARY  LM_SADDLE
 *                          LM_DESCENDS    the step phase, which is LM_GAUSS_NEWTON at first
 *     LM_GAUSS_NEWTON      LM_MOVED       LM_LOOK
 *                          LM_CRAWLED     LM_LOOK; from now on the step phase is LM_NEWTON (1)
 *                          LM_STUCK       LM_LOOK; from now on the step phase is LM_NEWTON (2)
 *     LM_NEWTON            LM_MOVED       LM_LOOK
 *                          LM_CRAWLED     LM_LOOK
 *                          LM_STUCK       LM_TRUNCATED_NEWTON
 *     LM_TRUNCATED_NEWTON  LM_MOVED       LM_LOOK
 *                          LM_STATIONARY  LM_MINIMUM
 *                          LM_STUCK       LM_OUT
 *     LM_SADDLE            LM_MOVED       LM_LOOK
 *                          LM_STATIONARY  LM_MINIMUM
 *     any                  LM_SPENT       LM_OUT
 *
 * Where there are too many variables for the whole Hessian, (1) the step phase is LM_TRUNCATED_NEWTON instead, and
 * (2) the next phase is LM_TRUNCATED_NEWTON at once, while the step phase stays as it is.
 *
 * What ends with LM_OUT may be handed over to bfgs: see lbs_run_lm. */
typedef enum lm_phase {
    LM_LOOK,             /* at a new iterate: are the goals met, is it a Kuhn-Tucker point, is there budget left? */
    LM_GAUSS_NEWTON,     /* a damped Gauss-Newton step */
    LM_NEWTON,           /* a Newton step within the trust radius, by the whole Hessian */
    LM_TRUNCATED_NEWTON, /* Newton steps by conjugate gradients */
    LM_SADDLE,           /* at a Kuhn-Tucker point: along negative curvature, where there is any */
    LM_MET,              /* done: the goals are met */
    LM_MINIMUM,          /* done: a Kuhn-Tucker point that is no saddle, or one that cannot be left */
    LM_OUT               /* done: out of budget, or no further progress */
} lm_phase;

typedef enum lm_event {
    LM_GOALS_MET,  /* nothing is left to do for this level */
    LM_STATIONARY, /* the projected gradient is zero */
    LM_DESCENDS,   /* the projected gradient is not zero */
    LM_MOVED,      /* z has moved */
    LM_CRAWLED,    /* z has moved, but the last SLOW_STEPS steps gained little */
    LM_STUCK,      /* nothing better was found */
    LM_SPENT       /* the budget is spent, or other starts are worth more */
} lm_event;

/* Damping and trust radius as at the beginning. */
static void reset_damping(lbs_lm *l) {
    l->damping = (lbs_lm_damping){FIRST_LAMBDA, LBS_LM_FIRST_GROWTH};
    l->trust = (lbs_lm_trust){FIRST_RADIUS, 0};
}

static int is_crawling(const lbs_lm *l) { return l->progress.slow_steps >= SLOW_STEPS; }

/* Counts the iteration, too. */
static lm_event look(lbs_lm *l) {
    lbs_space *s = l->s;
    lbs_lm_progress *progress = &l->progress;
    if (++progress->iteration > s->options->max_iterations) {
        return LM_SPENT;
    }
    lbs_lm_evaluate(l);
    progress->value = s->last.level_values[l->level];
    if (!s->options->keep_going && lbs_is_content(s, l->z, l->level)) {
        return LM_GOALS_MET;
    }
    if (l->at != LBS_AT_ITERATE_JACOBIAN) {
        lbs_lm_differentiate(l);
    }
    progress->norm = lbs_lm_look(l, l->z);
    if (progress->norm <= progress->zero_norm) {
        return LM_STATIONARY;
    }
    if (progress->iteration == s->options->max_iterations || (s->budget.gives_up && is_crawling(l))) {
        return LM_SPENT;
    }
    return LM_DESCENDS;
}

/* Counts the steps in a row that gained little. While a lower level is tracked, a single one is enough for Newton's
 * steps. */
static void count_slow(lbs_lm *l) {
    const lbs_space *s = l->s;
    lbs_lm_progress *progress = &l->progress;
    const double share = s->budget.gives_up ? SLOW_SHARE_OF_MANY : SLOW_SHARE;
    progress->slow_steps = progress->better > share * progress->value ? progress->slow_steps + 1 : 0;
    if (l->level > 0 && s->options->tracking && progress->better > SLOW_SHARE * progress->value) {
        progress->slow_steps += SLOW_STEPS;
    }
    progress->last_reduction = progress->value - progress->better;
}

static lm_event take_step(lbs_lm *l, int is_newton) {
    lbs_space *s = l->s;
    if (lbs_spent(s)) {
        return LM_SPENT;
    }
    if (is_newton && lbs_step_fill_hessian(&l->step, l->level > 0 ? l->row_multipliers : NULL)) {
        return LM_SPENT;
    }
    lbs_lm_outcome outcome = lbs_lm_take_step(l, is_newton);
    if (outcome == LBS_STEP_NONE) {
        return s->budget.stopped ? LM_SPENT : LM_STUCK;
    }
    if (lbs_stop(s, l->z, lbs_total(s))) {
        return LM_SPENT;
    }
    if (outcome == LBS_STEP_BETTER) {
        count_slow(l);
    }
    return is_crawling(l) ? LM_CRAWLED : LM_MOVED;
}

static int restore_higher(void *context, double *z) {
    lbs_lm *l = context;
    return lbs_lm_higher_hold(l) || lbs_lm_restore(l, z);
}

/* Truncated Newton steps are tried once in a level. At a lower level they are not tried after Newton steps that
 * ended at a kink, nor while tracking, where the next frame comes soon. */
static lm_event take_truncated_steps(lbs_lm *l, lm_phase step_phase) {
    lbs_space *s = l->s;
    lbs_lm_progress *progress = &l->progress;
    const lbs_restoration restoration = {restore_higher, l};
    if (s->budget.stopped || progress->truncated_count++ || lbs_spent(s)) {
        return LM_STUCK;
    }
    if (l->level > 0 && step_phase == LM_NEWTON &&
        (progress->last_reduction < KINK * progress->value || s->options->tracking)) {
        return LM_STUCK;
    }
    l->at = LBS_AT_OTHER_POINT;
    lbs_truncated_newton(s, l->newton_workspace, l->z, l->level, &restoration, &progress->iteration);
    lbs_lm_differentiate(l);
    if (s->budget.stopped) {
        return LM_SPENT;
    }
    if (l->level > 0 && lbs_lm_look(l, l->z) <= progress->zero_norm) {
        return LM_STATIONARY;
    }
    reset_damping(l);
    return LM_MOVED;
}

/* Whether a Kuhn-Tucker point is taken for a minimum without a search for a direction of negative curvature: its
 * goals are met, it is not the highest level's, or the Hessian has no such direction. */
static int is_minimum(lbs_lm *l) {
    const lbs_space *s = l->s;
    if (l->level > 0 || lbs_met(s, l->level) || s->last.level_values[l->level] == 0) {
        return 1;
    }
    if (++l->progress.saddle_count > MAX_SADDLES || l->progress.is_convex) {
        return 1;
    }
    return l->step.has_matrix &&
           (lbs_step_fill_hessian(&l->step, NULL) || lbs_step_is_convex(&l->step, LEAST_CURVATURE));
}

static lm_event leave_saddle(lbs_lm *l) {
    if (is_minimum(l)) {
        return LM_STATIONARY;
    }
    l->at = LBS_AT_OTHER_POINT;
    if (!lbs_newton_escape(l->s, l->newton_workspace, l->z, l->level)) {
        return LM_STATIONARY;
    }
    lbs_lm_evaluate(l);
    reset_damping(l);
    return LM_MOVED;
}

static lm_event run_phase(lbs_lm *l, lm_phase phase, lm_phase step_phase) {
    switch (phase) {
    case LM_LOOK:
        return look(l);
    case LM_GAUSS_NEWTON:
        return take_step(l, 0);
    case LM_NEWTON:
        return take_step(l, 1);
    case LM_TRUNCATED_NEWTON:
        return take_truncated_steps(l, step_phase);
    case LM_SADDLE:
        return leave_saddle(l);
    default:
        return LM_SPENT;
    }
}

/* The transitions of the table above. *step_phase is the phase of the next step; it changes once, at most. */
static lm_phase next_phase(const lbs_lm *l, lm_phase phase, lm_event event, lm_phase *step_phase) {
    const int has_hessian = l->step.has_matrix;
    switch (event) {
    case LM_GOALS_MET:
        return LM_MET;
    case LM_STATIONARY:
        return phase == LM_LOOK ? LM_SADDLE : LM_MINIMUM;
    case LM_DESCENDS:
        return *step_phase;
    case LM_MOVED:
        return LM_LOOK;
    case LM_CRAWLED:
        *step_phase = has_hessian ? LM_NEWTON : LM_TRUNCATED_NEWTON;
        return LM_LOOK;
    case LM_STUCK:
        if (phase == LM_GAUSS_NEWTON && has_hessian) {
            *step_phase = LM_NEWTON;
            return LM_LOOK;
        }
        return phase == LM_TRUNCATED_NEWTON ? LM_OUT : LM_TRUNCATED_NEWTON;
    case LM_SPENT:
        break;
    }
    return LM_OUT;
}

static void begin_level(lbs_lm *l) {
    lbs_space *s = l->s;
    reset_damping(l);
    l->progress = (lbs_lm_progress){.iteration = -1,
                                    .zero_norm = s->options->gradient_tolerance * lbs_level_unit(s, l->level),
                                    .last_reduction = INFINITY};
    l->has_moved_jacobian = 0;
    l->higher.is_met = lbs_met(s, l->level - 1);
    l->step.model.row_multipliers = NULL;
    s->task.guard_level = l->level;
    if (l->at == LBS_AT_ITERATE_JACOBIAN) {
        l->at = LBS_AT_ITERATE; /* The Jacobian is without the guards of this level. */
    }
}

static lbs_end minimise_level(lbs_lm *l) {
    lm_phase phase = LM_LOOK, step_phase = LM_GAUSS_NEWTON;
    begin_level(l);
    while (phase < LM_MET) {
        lm_event event = run_phase(l, phase, step_phase);
        phase = next_phase(l, phase, event, &step_phase);
    }
    return phase == LM_MET ? LBS_MET : phase == LM_MINIMUM ? LBS_MINIMUM : LBS_OUT;
}

/* --- Levels --------------------------------------------------------------------------------------------------- */

/* Minimises the levels from `first` on, one after the other, from z, at which the last evaluation was. */
static lbs_end minimise_levels(lbs_lm *l, int first) {
    lbs_space *s = l->s;
    lbs_end end = LBS_MET;
    lbs_lm_hold_levels(l, first - 1);
    for (l->level = first; l->level < s->task.level_count && end != LBS_OUT; l->level++) {
        end = minimise_level(l);
        lbs_lm_evaluate(l);
        lbs_lm_hold_levels(l, l->level);
    }
    return end;
}

/* On its way a lower level may come to where a higher one, which could not be met, has a lower minimum: then all
 * levels go on from there, and 1 is returned. Otherwise z stays. */
static int higher_gains(lbs_lm *l) {
    lbs_space *s = l->s;
    size_t size = (size_t)s->n * sizeof *l->z;
    for (l->level = 0; l->level < s->task.level_count - 1 && lbs_met(s, l->level); l->level++) {
    }
    if (l->level == s->task.level_count - 1) {
        return 0;
    }
    double value = s->last.level_values[l->level];
    memcpy(l->kept, l->z, size);
    minimise_level(l);
    lbs_lm_evaluate(l);
    if (s->last.level_values[l->level] < value * (1 - LEAST_HIGHER_GAIN) && lbs_lm_higher_hold(l)) {
        return 1;
    }
    memcpy(l->z, l->kept, size);
    l->at = LBS_AT_OTHER_POINT;
    return 0;
}

/* Goes through all levels until no higher one gains by what the lower ones did. */
static lbs_end minimise_in_rounds(lbs_lm *l) {
    lbs_end end = LBS_MET;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        end = minimise_levels(l, 0);
        if (end == LBS_OUT || !higher_gains(l)) {
            return end;
        }
    }
    return LBS_OUT;
}

/* --- The method ----------------------------------------------------------------------------------------------- */

/* Begins at z and evaluates there. Returns G. */
static double begin(lbs_lm *l, lbs_space *s, double *workspace, double *z) {
    lbm_arena arena = lbm_arena_on(workspace, LBM_ARENA_DOUBLE);
    lbs_lm_cut(l, s, &arena);
    l->s = l->step.s = s;
    l->step.level = -1;
    l->z = z;
    double value = lbs_value(s, z);
    l->at = LBS_AT_ITERATE;
    memcpy(l->start_level_values, s->last.level_values, (size_t)s->task.level_count * sizeof *l->start_level_values);
    memcpy(l->start, z, (size_t)s->n * sizeof *z);
    return value;
}

static void go_back_to_start(lbs_lm *l) {
    memcpy(l->z, l->start, (size_t)l->s->n * sizeof *l->z);
    lbs_value(l->s, l->z);
}

/* Whether the last evaluation's values are worse than the start's, the highest level first. Rounding errors can make
 * them so. */
static int is_worse_than_start(const lbs_lm *l) {
    for (int i = 0; i < l->s->task.level_count; i++) {
        double is = l->s->last.level_values[i], was = l->start_level_values[i];
        if (is > lbs_not_worse_than(was)) {
            return 1;
        }
        if (is < was * (1 - LBS_RELATIVE_ROUNDING)) {
            return 0;
        }
    }
    return 0;
}

/* Some points defeat Gauss-Newton and Newton alike, such as a goal to look at that is all but in the eye. They are
 * left to bfgs, which needs no curvature but what it meets; not with levels, nor where its dense matrix would be
 * large. */
static int hands_over(const lbs_space *s) { return s->task.level_count == 1 && s->max.n <= LBS_LM_MAX_HAND_OVER; }

/* Runs bfgs from z with the iterations that are left. */
static lbs_end hand_over(lbs_lm *l, int used_iterations) {
    lbs_space *s = l->s;
    const lb_solve_options *options = s->options;
    lb_solve_options rest = *options;
    lb_error error;
    lbs_end end = LBS_OUT;
    rest.max_iterations -= used_iterations;
    if (rest.max_iterations > 0 && !s->budget.stopped) {
        s->options = &rest;
        end = lbs_run_bfgs(s, l->bfgs_workspace, l->z, &error);
        s->options = options;
    }
    /* At a kink G may depend on the last digit of z, which a pose may not keep. */
    lbs_to_pose(s, l->z, s->last.pose);
    lbs_from_pose(s, s->last.pose, l->z);
    l->at = LBS_AT_OTHER_POINT;
    return end == LBS_CANNOT ? LBS_OUT : end;
}

lbs_end lbs_run_lm(lbs_space *s, double *workspace, double *z, lb_error *error) {
    (void)error;
    lbs_lm l;
    const int first = s->budget.iterations;
    const double before = begin(&l, s, workspace, z);
    lbs_end end = minimise_in_rounds(&l);
    if (end == LBS_OUT && !s->budget.gives_up && hands_over(s)) {
        end = hand_over(&l, s->budget.iterations - first);
    }
    lbs_lm_evaluate(&l);
    s->task.guard_level = 0;
    if (s->task.level_count == 1 ? lbs_total(s) > before : is_worse_than_start(&l)) {
        go_back_to_start(&l);
    }
    if (end == LBS_OUT) {
        return LBS_OUT;
    }
    return lbs_met(s, s->task.level_count - 1) ? LBS_MET : LBS_MINIMUM;
}

lbs_end lbs_lm_wishes(lbs_space *s, double *workspace, double *z) {
    lbs_lm l;
    begin(&l, s, workspace, z);
    lbs_end end = minimise_levels(&l, s->levels.goal_count);
    s->task.guard_level = 0;
    lbs_lm_evaluate(&l);
    if (is_worse_than_start(&l)) {
        go_back_to_start(&l);
    }
    return end;
}
