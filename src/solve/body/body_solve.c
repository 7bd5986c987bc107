/* The choices around the continuous solve: from which named start, which heels are up, which foot steps. */
#include <math.h>
#include <string.h>

#include "math/trig.h"
#include "solve/body/body.h"

#define COARSE 1e-2 /* rad: how close the run comes that chooses the heels */
#define FINE 3e-7
#define FINE_ENOUGH 1e-5 /* where a motion is followed: a fine step more would be invisible */
#define ENOUGH_GAIN 1e-6 /* of the terms' value, half of it: the last step of a motion that is followed gains less */
#define MAX_COARSE 40
#define MAX_FINE 80
#define HABIT_TRIALS 4          /* iterations from each start of a habit */
#define HABIT_MISS 3.0          /* of the square of what is left of the goals then, against the terms' value */
#define HEEL_UP 0.003           /* metres: a heel that is higher carries nothing */
#define HEEL_TOUCHES 5e-4       /* metres: a heel that is lower is down, where a motion is followed */
#define HEEL_RISING 0.03        /* metres: a heel that rises may carry until it is as high */
#define HEEL_PULL 0.05          /* multiplier of a heel that is kept down: it would rise by HEEL_UP */
#define HEEL_FORCE 60.0         /* per metre and share of the weight: what is up carries nothing, */
#define HEEL_FORCE_BESIDE 300.0 /* the same where no variable may change by much, and heels rise over several poses */
#define HEEL_IDLE 0.05          /* share of the weight: a heel that carries more stays down */
#define MET 1e-6                /* norm of the goals' rows */
#define NEARLY_MET 1e-3         /* the same, after a rough run */
#define STEP_GAIN 0.3           /* of the terms' value: what a step must save */
#define WORTH_A_STEP 0.75       /* value of the terms from which a step is looked for */
#define WALKS 20.0              /* metres: to what is farther away nobody walks, nor steps */
#define ARM_LENGTH 0.45         /* metres before the target where whoever walks to it stops */
#define TURNS_AT 0.2            /* metres: to what is nearer nobody turns */
#define SOFT_GOALS 300.0        /* weight of goals that cannot be met, at first: the rest of the body can follow */
#define STIFF_GOALS 3e4         /* and at last, where they are missed by little */
#define NEAR_GAIN 1e-4   /* of the terms' value, half of it, where goals pull: that is less than a micrometre of them */
#define NEAR_ENOUGH 1e-3 /* of a miss: what a whole run brings it down by less is as near as it gets */
#define FOLLOWED_GOALS 1e3 /* weight of goals that cannot be met beside the start pose */
#define MISS_WEIGHT 1000.0 /* of goals that are not met, against the terms' value */

/* --- One start -------------------------------------------------------------------------------------------------------------- */

/* From x nearly to a minimum, with heels that may rise. */
static lbs_body_end approach(lbs_bodies *all, double *x, int most) {
    lbs_set_heels(all, LBS_HEEL_OPEN);
    lbs_bound_forces(all);
    lbs_share_evenly(all, x);
    lbs_bodies_forget(all);
    if (all->search.may_choose) {
        all->search.first_iteration = all->search.iterations;
    }
    all->search.is_best_last = 0;
    lbs_body_end end = lbs_bodies_run(all, x, most, COARSE);
    end.is_rough = 1;
    return end;
}

/* Takes up a rough run's end again: where the heels are is known after an evaluation. */
static void place_heels(lbs_bodies *all, const double *x) {
    lbs_set_heels(all, LBS_HEEL_OPEN);
    lbs_bodies_forget(all);
    lbs_bodies_evaluate(all, x, 0);
}

/* To a minimum, with heels as they are. */
static lbs_body_end run_to_end(lbs_bodies *all, double *x, double accuracy) {
    lbs_bound_forces(all);
    for (int i = all->task.n; i < all->task.size; i++) {
        x[i] = x[i] < all->upper[i] ? x[i] : all->upper[i];
        x[i] = x[i] > all->lower[i] ? x[i] : all->lower[i];
    }
    return lbs_bodies_run(all, x, MAX_FINE, accuracy);
}

/* From there to a minimum, with each heel where it is. */
static lbs_body_end settle(lbs_bodies *all, double *x) {
    lbs_choose_heels(all, HEEL_UP);
    return run_to_end(all, x, FINE);
}

/* Heels that are down, carry next to nothing and would rather be up may rise: the multiplier of the rule that keeps
 * them down says so. Returns how many there are. */
static int release_heels(lbs_bodies *all, const double *x) {
    int count = 0;
    for (int k = 0; k < all->count; k++) {
        const lbs_body_stand *stand = &all->bodies[k].stand;
        for (int i = 0; i < stand->foot_count; i++) {
            const lbs_foot *foot = &stand->feet[i];
            lbs_foothold *stood = &all->bodies[k].state->feet[i];
            if (foot->heel < 0 || stood->state == LBS_FOOT_LIFTED || stood->heel_state != LBS_HEEL_DOWN) {
                continue;
            }
            const int force = stand->contacts[foot->heel].force;
            if (all->rule_multipliers[stood->heel_row] > HEEL_PULL &&
                (force < 0 || x[stand->first_force + force] < HEEL_IDLE)) {
                stood->heel_state = LBS_HEEL_UP;
                count++;
            }
        }
    }
    return count;
}

/* Heels and forces as a pose has them. */
static void find_stand(lbs_bodies *all, double *x) {
    lbs_set_heels(all, LBS_HEEL_OPEN);
    lbs_bound_forces(all);
    lbs_share_evenly(all, x);
    lbs_bodies_forget(all);
    lbs_bodies_evaluate(all, x, 0);
    lbs_choose_heels(all, HEEL_TOUCHES);
    lbs_bound_forces(all);
    lbs_share_evenly(all, x);
    lbs_share_to_balance(all, x);
}

/* Follows a goal that moved a little: from a pose to the minimum beside it. Heels are where the pose has them, and the
 * start pose is all that is known of the time before. */
static lbs_body_end follow(lbs_bodies *all, double *x) {
    find_stand(all, x);
    all->search.enough_gain = ENOUGH_GAIN;
    lbs_body_end end = run_to_end(all, x, FINE_ENOUGH);
    if (release_heels(all, x)) {
        lbs_bodies_forget(all); /* the rules have other numbers */
        end = run_to_end(all, x, FINE_ENOUGH);
    }
    all->search.enough_gain = 0;
    return end;
}

/* Whether a heel that is well above the ground carries more than a little: a body that stands so would fall. */
static int carries_on_raised_heel(const lbs_bodies *all, const double *x) {
    int count = 0;
    for (int k = 0; k < all->count; k++) {
        const lbs_body_stand *stand = &all->bodies[k].stand;
        for (int i = 0; i < stand->foot_count; i++) {
            const lbs_contact *heel = stand->feet[i].heel >= 0 ? &stand->contacts[stand->feet[i].heel] : NULL;
            count += heel && heel->force >= 0 && lbs_contact_height(heel) > HEEL_RISING &&
                     x[stand->first_force + heel->force] > HEEL_IDLE;
        }
    }
    return count > 0;
}

/* The same where heels rise or come down: they may do so while they carry, so that the weight shifts over several
 * poses. */
static lbs_body_end follow_on_open_heels(lbs_bodies *all, double *x) {
    lbs_set_heels(all, LBS_HEEL_OPEN);
    lbs_bound_forces(all);
    lbs_share_evenly(all, x);
    lbs_bodies_forget(all);
    all->search.enough_gain = ENOUGH_GAIN;
    lbs_body_end end = run_to_end(all, x, FINE_ENOUGH);
    all->search.enough_gain = 0;
    end.converged &= !carries_on_raised_heel(all, x);
    return end;
}

/* --- Which one ---------------------------------------------------------------------------------------------------------------- */

/* What is better is less. What a rough run misses by little will be met. */
static double score(const lbs_body_end *end) {
    const double met = end->is_rough ? NEARLY_MET : MET;
    return end->value + MISS_WEIGHT * (end->miss > met ? end->miss : 0) +
           10 * MISS_WEIGHT * (end->violation > met ? end->violation : 0);
}

static int is_good(const lbs_body_end *end) {
    const double met = end->is_rough ? NEARLY_MET : MET;
    return end->miss <= met && end->violation <= met;
}

/* What an answer has besides x. */
typedef struct choice {
    lbs_body_end end;
    const char *name;
    lbs_foot_state feet[LBS_MAX_FEET];
    lbs_heel_state heels[LBS_MAX_FEET];
} choice;

static void keep(lbs_bodies *all, const double *x, const lbs_body_end *end, const char *name, choice *best) {
    const lbs_body *b = &all->bodies[0];
    best->end = *end;
    best->name = name;
    memcpy(all->best, x, (size_t)all->task.size * sizeof *x);
    all->search.is_best_last = 1;
    for (int i = 0; i < b->stand.foot_count; i++) {
        best->feet[i] = b->state->feet[i].state;
        best->heels[i] = b->state->feet[i].heel_state;
    }
}

static void restore(lbs_bodies *all, const choice *best) {
    const lbs_body *b = &all->bodies[0];
    for (int i = 0; i < b->stand.foot_count; i++) {
        b->state->feet[i].state = best->feet[i];
        b->state->feet[i].heel_state = best->heels[i];
    }
}

/* Turns the first six values of a start, which say where the body is and how it is turned, into those of the figure. */
static void settle_roots(lbs_bodies *all) {
    for (int k = 0; k < all->count; k++) {
        lbs_settle_root(&all->bodies[k], all->start_pose + all->bodies[k].first_variable);
    }
}

/* A named start of the first body: its values, all else at rest, and the root over the feet. The poses of roots that
 * are not the body's own are to be settled. */
static void name_start(lbs_bodies *all, int number, const double *start) {
    const lbs_space *s = all->task.space;
    memcpy(all->start_pose, start, (size_t)s->problem->variable_count * sizeof *start);
    for (int k = 0; k < all->count; k++) {
        const lbs_body *b = &all->bodies[k];
        double *pose = all->start_pose + b->first_variable;
        for (int i = b->root.is_free ? 6 : 0; i < b->figure->variable_count; i++) {
            pose[i] = b->figure->rest[i];
        }
        if (b->root.is_free) {
            const double angle = lbm_atan2(b->state->heading[1], b->state->heading[0]);
            for (int c = 0; c < 3; c++) {
                pose[c] = b->state->wished_at[c] - b->root.rest_at[c];
                pose[3 + c] = c == 2 ? angle : 0;
            }
        }
        if (number >= 0 && number < b->body->start_count) {
            const lb_body_start *named = &b->body->starts[number];
            for (int i = 0; i < named->count; i++) {
                const int v = named->variables[i];
                pose[v] = named->values[i] + (v < 3 && b->root.is_free ? pose[v] : 0);
            }
        }
    }
}

/* A named start as a pose of the figures. */
static void begin_at(lbs_bodies *all, int number, const double *start) {
    name_start(all, number, start);
    settle_roots(all);
}

static int is_rest(const lbs_bodies *all, const double *start) {
    for (int k = 0; k < all->count; k++) {
        const lbs_body *b = &all->bodies[k];
        for (int i = b->root.is_free ? 6 : 0; i < b->figure->variable_count; i++) {
            if (fabs(start[b->first_variable + i] - b->figure->rest[i]) > 1e-9) {
                return 0;
            }
        }
    }
    return 1;
}

/* From a pose, with the feet as they are. `is_rough`: nearly to a minimum. */
static void try_start(lbs_bodies *all, const double *pose, const char *name, int is_rough, choice *best) {
    double *x = all->work;
    lbs_from_pose(all->task.space, pose, x);
    lbs_project(all->task.space, x);
    memcpy(all->first, x, (size_t)all->task.size * sizeof *x);
    lbs_body_end end = approach(all, x, MAX_COARSE);
    if (!is_rough) {
        end = settle(all, x);
    }
    if (score(&end) < score(&best->end)) {
        keep(all, x, &end, name, best);
    }
}

/* Goals that cannot be met: as near as can be, first by a weight that lets the rest of the body follow, then in steps
 * that converge, by pulls that rules can bear (body_step.c). It has converged at the minimum of a pull, or where a run
 * more gains nothing. */
static lbs_body_end come_near(lbs_bodies *all, double *x) {
    static const double pulls[] = {300, 1000, 1000}; /* tuned on 200 reaches */
    all->elastic = SOFT_GOALS;
    lbs_body_end end = approach(all, x, MAX_COARSE);
    all->search.enough_gain = NEAR_GAIN;
    for (int k = 0; k < 3 && !(k == 2 && end.converged); k++) {
        const lbs_body_end last = end;
        all->elastic = STIFF_GOALS * last.miss > pulls[k] ? pulls[k] / last.miss : STIFF_GOALS;
        end = k > 0 ? run_to_end(all, x, FINE) : settle(all, x);
        end.converged |= k > 0 && (last.converged || (k == 2 && last.miss - end.miss < NEAR_ENOUGH * last.miss));
    }
    all->search.enough_gain = all->elastic = 0;
    end.converged &= !lbs_bodies_are_over(all);
    return end;
}

/* The goals that are asked for: met, or missed by as little as can be. */
static lbs_body_end meet_or_come_near(lbs_bodies *all, double *x) {
    memcpy(all->planted, x, (size_t)all->task.size * sizeof *x);
    approach(all, x, MAX_COARSE);
    const lbs_body_end end = settle(all, x);
    if (is_good(&end)) {
        return end;
    }
    memcpy(x, all->planted, (size_t)all->task.size * sizeof *x);
    return come_near(all, x);
}

/* Level by level from one on: each is brought as near as can be and then held there, so that no lower one costs it
 * anything. *met is how many levels, from the first on, are met. */
static lbs_body_end come_near_by_levels(lbs_bodies *all, double *x, int from, int *met) {
    lbs_body_levels *levels = &all->task.levels;
    const int count = all->task.space->levels.goal_count;
    lbs_body_end end = {0};
    double miss = 0;
    *met = from;
    for (int level = from; level < count && !lbs_spent(all->task.space); level++) {
        levels->first = levels->last = level;
        end = meet_or_come_near(all, x);
        miss = end.miss > miss ? end.miss : miss;
        *met += *met == level && is_good(&end);
        lbs_bodies_evaluate(all, x, 0);
        memcpy(levels->held, levels->residuals, (size_t)levels->count * sizeof *levels->held);
    }
    levels->first = 0;
    levels->last = count - 1;
    lbs_bodies_forget(all); /* the rows have other numbers */
    end.miss = miss;
    return end;
}

/* As near as can be from the best so far. Returns how many levels, from the first on, are met; of one level 0. */
static int compromise(lbs_bodies *all, choice *best) {
    double *x = all->work;
    int met = 0;
    memcpy(x, all->best, (size_t)all->task.size * sizeof *x);
    const lbs_body_end end =
        all->task.space->levels.goal_count > 1 ? come_near_by_levels(all, x, 0, &met) : come_near(all, x);
    if (end.violation <= MET || !(best->end.violation <= MET)) {
        keep(all, x, &end, best->name, best);
    }
    return met;
}

/* Feet as the solve began. */
static void plant(lbs_bodies *all) {
    for (int k = 0; k < all->count; k++) {
        for (int i = 0; i < all->bodies[k].stand.foot_count; i++) {
            all->bodies[k].state->feet[i].state = all->bodies[k].state->feet[i].first;
        }
    }
}

/* Whether what hands or eyes want is near enough to go there. */
static int is_in_walking_distance(const lbs_body *b) {
    const double x = b->state->target[0] - b->state->wished_at[0], y = b->state->target[1] - b->state->wished_at[1];
    return !(b->gaze.has_target || b->gaze.has_gaze) || x * x + y * y <= WALKS * WALKS;
}

/* Whether a step can bring anything nearer: some goal is in the world, and not far away. */
static int can_step_to(const lbs_bodies *all) {
    const lbs_space *s = all->task.space;
    if (!is_in_walking_distance(&all->bodies[0])) {
        return 0;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->enabled && item->constraint->figure == all->bodies[0].number &&
            (item->constraint->goal.carrier_segment < 0 ||
             item->constraint->goal.carrier_figure != all->bodies[0].number)) {
            return 1;
        }
    }
    return 0;
}

/* Has these feet step: bit i is foot i. Returns 0 where one of them may not. */
static int let_step(const lbs_body *b, const choice *first, unsigned feet) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        b->state->feet[i].state = first->feet[i];
        if (feet >> i & 1u) {
            if (!b->state->feet[i].may_step || first->feet[i] != LBS_FOOT_PLANTED) {
                return 0;
            }
            b->state->feet[i].state = LBS_FOOT_STEPS;
        }
    }
    return 1;
}

/* Tries each foot that may step, roughly: from the pose without a step, or, where that is not as it should be, from
 * where it began. A step is taken where it saves enough. */
static void try_steps(lbs_bodies *all, choice *best) {
    const lbs_body *b = &all->bodies[0];
    const choice first = *best;
    const size_t size = (size_t)all->task.size * sizeof(double);
    memcpy(all->planted, is_good(&first.end) ? all->best : all->first, size);
    all->search.enough = is_good(&first.end) ? first.end.value - STEP_GAIN : INFINITY;
    for (int i = 0; i < b->stand.foot_count && !lbs_bodies_are_over(all); i++) {
        if (!let_step(b, &first, 1u << i)) {
            continue;
        }
        memcpy(all->work, all->planted, size);
        const lbs_body_end end = approach(all, all->work, MAX_COARSE);
        if (score(&end) < score(&best->end) && score(&end) < score(&first.end) - STEP_GAIN) {
            keep(all, all->work, &end, first.name, best);
        }
    }
    all->search.enough = INFINITY;
    restore(all, best);
}

/* Walks: the body turns to what its hands or eyes want and goes near; all feet step. */
static void try_walking(lbs_bodies *all, const double *start, int is_rough, choice *best) {
    const lbs_body *b = &all->bodies[0];
    choice planted = *best;
    for (int i = 0; i < b->stand.foot_count; i++) {
        planted.feet[i] = b->state->feet[i].first;
    }
    if (!b->root.is_free || !(b->gaze.has_target || b->gaze.has_gaze) ||
        !let_step(b, &planted, (1u << b->stand.foot_count) - 1)) {
        restore(all, best);
        return;
    }
    name_start(all, 0, start);
    double *pose = all->start_pose + b->first_variable;
    const double to[2] = {b->state->target[0] - b->state->wished_at[0], b->state->target[1] - b->state->wished_at[1]};
    const double away = sqrt(to[0] * to[0] + to[1] * to[1]),
                 way = away > ARM_LENGTH && b->gaze.has_target ? 1 - ARM_LENGTH / away : 0;
    const double rest = lbm_atan2(b->root.rest_axes[0][1], b->root.rest_axes[0][0]);
    pose[0] += way * to[0];
    pose[1] += way * to[1];
    pose[5] = away > TURNS_AT ? lbm_atan2(to[1], to[0]) - rest : pose[5];
    pose[5] += pose[5] > (0.5 * LBM_TWO_PI) ? -LBM_TWO_PI : pose[5] < -(0.5 * LBM_TWO_PI) ? LBM_TWO_PI : 0;
    settle_roots(all);
    try_start(all, all->start_pose, "walking", is_rough, best);
    restore(all, best);
}

/* From the start pose by a way of following. Returns 0 where it leads to nothing good. */
static int try_to_follow(lbs_bodies *all, const double *start, lbs_body_end (*follows)(lbs_bodies *, double *),
                         choice *best) {
    lbs_from_pose(all->task.space, start, all->work);
    lbs_project(all->task.space, all->work);
    memcpy(all->first, all->work, (size_t)all->task.size * sizeof *all->first);
    const lbs_body_end end = follows(all, all->work);
    if ((is_good(&end) || (all->elastic > 0 && end.violation <= MET)) && end.converged) {
        keep(all, all->work, &end, NULL, best);
        return 1;
    }
    return 0;
}

/* A pose beside the start pose, where no variable may change by much: with heels as they are, with heels that rise or
 * come down while they carry weight, or as near to the goals as a moderate weight brings it. Else the start pose is the
 * answer. */
static void stay_beside(lbs_bodies *all, const double *start, choice *best) {
    const lbs_body_end nothing = {.value = INFINITY, .violation = INFINITY, .miss = INFINITY};
    if (try_to_follow(all, start, follow, best) || try_to_follow(all, start, follow_on_open_heels, best)) {
        return;
    }
    all->elastic = FOLLOWED_GOALS;
    const int is_near = try_to_follow(all, start, follow, best); /* a weight would lift heels that carry */
    all->elastic = 0;
    if (!is_near) {
        memcpy(all->work, all->first, (size_t)all->task.size * sizeof *all->work);
        find_stand(all, all->work);
        keep(all, all->work, &nothing, NULL, best);
    }
}

/* --- Starts of a habit
 * -------------------------------------------------------------------------------------------------------- */

/* The pose of a start: over the feet where one of them stands, else where the goals are. -1: the first named start. */
static void place_start(lbs_bodies *all, int number, const double *start) {
    const lbs_body *b = &all->bodies[0];
    int stands = 0;
    name_start(all, 0, start);
    if (number >= 0) {
        lbs_habit_start(b, number, all->start_pose + b->first_variable);
    }
    settle_roots(all);
    for (int i = 0; i < b->stand.foot_count; i++) {
        stands |= b->state->feet[i].state != LBS_FOOT_LIFTED;
    }
    if (!stands) {
        lbs_habit_align(b, all->task.space, all->work, all->start_pose);
    }
}

/* A few iterations from each start of the habit, and from the first named one; on from the best two. */
static void try_habit(lbs_bodies *all, const double *start, int is_rough, choice *best) {
    const int count = all->bodies[0].habit.data->start_count;
    int chosen[2] = {-1, -1};
    double scores[2] = {INFINITY, INFINITY};
    for (int i = -1; i < count; i++) {
        place_start(all, i, start);
        lbs_from_pose(all->task.space, all->start_pose, all->work);
        lbs_project(all->task.space, all->work);
        const lbs_body_end end = approach(all, all->work, HABIT_TRIALS);
        const double found = end.value + HABIT_MISS * end.miss * end.miss;
        const int place = found < scores[0] ? 0 : found < scores[1] ? 1 : 2;
        if (place == 0) {
            scores[1] = scores[0];
            chosen[1] = chosen[0];
        }
        if (place < 2) {
            scores[place] = found;
            chosen[place] = i;
        }
    }
    for (int i = 0; i < 2 && (i == 0 || chosen[i] != chosen[0]); i++) {
        place_start(all, chosen[i], start);
        try_start(all, all->start_pose, chosen[i] < 0 ? all->bodies[0].body->starts[0].name : "habit", is_rough, best);
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------------------------ */

/* From the start pose: itself, or the named start that stands for the rest pose. */
static void try_first(lbs_bodies *all, const double *start, int is_rough, choice *best) {
    const lb_body *body = all->bodies[0].body;
    const int is_cold = all->search.may_choose && body->start_count > 0 && is_rest(all, start);
    if (is_cold && all->bodies[0].habit.data) {
        try_habit(all, start, is_rough, best);
    } else if (is_cold) {
        begin_at(all, 0, start);
        try_start(all, all->start_pose, body->starts[0].name, is_rough, best);
    } else {
        try_start(all, start, NULL, is_rough, best);
    }
}

/* What is tried where the first start did not do: walking, and the other named starts. */
static void try_others(lbs_bodies *all, const double *start, int is_rough, choice *best) {
    const lb_body *body = all->bodies[0].body;
    if (!is_good(&best->end) && can_step_to(all) && !lbs_bodies_are_over(all)) {
        try_walking(all, start, is_rough, best);
    }
    for (int i = is_rest(all, start); i < body->start_count && !is_good(&best->end) && !lbs_bodies_are_over(all); i++) {
        begin_at(all, i, start);
        plant(all);
        try_start(all, all->start_pose, body->starts[i].name, is_rough, best);
    }
    restore(all, best);
}

/* The best of the rough runs, to a minimum. */
static void finish(lbs_bodies *all, choice *best) {
    restore(all, best);
    memcpy(all->work, all->best, (size_t)all->task.size * sizeof *all->best);
    if (!all->search.is_best_last) {
        place_heels(all, all->work);
    }
    const lbs_body_end end = settle(all, all->work);
    keep(all, all->work, &end, best->name, best);
}

/* All choices are made by rough runs, and one is settled. Where that comes to nothing, they are made again by whole
 * runs. */
static void make_choices(lbs_bodies *all, const double *start, choice *best) {
    try_first(all, start, 1, best);
    if (all->search.may_choose && score(&best->end) > WORTH_A_STEP && can_step_to(all)) {
        try_steps(all, best);
    }
    if (all->search.may_choose) {
        try_others(all, start, 1, best);
    }
    finish(all, best);
    if (all->search.may_choose && !all->search.keeps_clear && !is_good(&best->end) && !lbs_bodies_are_over(all)) {
        plant(all);
        try_first(all, start, 0, best);
        try_others(all, start, 0, best);
    }
}

/* Goals of a level that is missed may be within reach of choices - starts, steps - that were not made because lower
 * goals wanted others: the choices are made again without the lower levels, which then come as near as they can from
 * there. */
static void choose_without_lower(lbs_bodies *all, const double *start, int level, choice *best) {
    lbs_body_levels *levels = &all->task.levels;
    const size_t size = (size_t)all->task.size * sizeof *all->best;
    choice alone = {{INFINITY, INFINITY, INFINITY, 0, 0}, NULL, {0}, {0}};
    memcpy(all->spare, all->best, size);
    levels->last = level;
    plant(all);
    lbs_bodies_forget(all); /* the rows have other numbers */
    make_choices(all, start, &alone);
    restore(all, &alone);
    if (!is_good(&alone.end)) {
        levels->last = all->task.space->levels.goal_count - 1;
        lbs_bodies_forget(all);
        memcpy(all->best, all->spare, size);
        return;
    }
    int met;
    memcpy(all->work, all->best, size);
    lbs_bodies_evaluate(all, all->work, 0);
    memcpy(levels->held, levels->residuals, (size_t)levels->count * sizeof *levels->held);
    const lbs_body_end end = come_near_by_levels(all, all->work, level + 1, &met);
    keep(all, all->work, &end, alone.name, best);
}

/* The best of all choices. A motion is followed without choices, as long as that does. */
static void choose(lbs_bodies *all, const double *start, choice *best) {
    if (all->search.max_change < INFINITY) {
        stay_beside(all, start, best);
        return;
    }
    if (!all->search.may_choose && try_to_follow(all, start, follow, best)) {
        return;
    }
    make_choices(all, start, best);
    if (!is_good(&best->end) && !lbs_bodies_are_over(all)) {
        restore(all, best);
        const int met = compromise(all, best);
        if (met < all->task.space->levels.goal_count - 1 && all->search.may_choose && !lbs_bodies_are_over(all)) {
            choose_without_lower(all, start, met, best);
        }
    }
    restore(all, best);
}

/* Chooses as if nothing were in the way. Where that answer touches, the pairs have rows from there on: first from that
 * answer, then in all choices. A motion that is followed has these rows from the beginning, since it does not jump. */
static void choose_clear(lbs_bodies *all, const double *start, choice *best) {
    lbs_space *s = all->task.space;
    all->search.keeps_clear = all->apart && !all->search.may_choose;
    choose(all, start, best);
    if (!all->apart || !all->search.may_choose) {
        return;
    }
    lbs_to_pose(s, all->best, s->last.pose);
    if (lbs_bodies_are_clear(all, s->last.pose) || lbs_bodies_are_over(all)) {
        return;
    }
    const int is_met = is_good(&best->end);
    const choice nothing = {{INFINITY, INFINITY, INFINITY, 0, 0}, NULL, {0}, {0}};
    all->search.keeps_clear = 1;
    memcpy(all->work, all->best, (size_t)all->task.size * sizeof *all->work);
    memcpy(all->first, all->work, (size_t)all->task.size * sizeof *all->first);
    approach(all, all->work, MAX_COARSE);
    const lbs_body_end parted = settle(all, all->work);
    if (is_good(&parted) || !is_met) {
        keep(all, all->work, &parted, best->name, best);
        if (is_good(&parted)) {
            return;
        }
    }
    lbs_bodies_begin(all, s, start);
    *best = nothing;
    choose(all, start, best);
}

/* An answer that misses goals by more than a start pose does that stands: then the start pose is the answer. */
static void be_no_worse(lbs_bodies *all, lbs_space *s, double value_before, choice *best) {
    memcpy(all->work, all->best, (size_t)all->task.size * sizeof *all->work);
    lbs_project(s, all->work);
    if (is_good(&best->end) || s->levels.goal_count > 1 || !(lbs_value(s, all->work) > value_before)) {
        return;
    }
    lbs_from_pose(s, s->start, all->work);
    lbs_project(s, all->work);
    lbs_share_evenly(all, all->work);
    if (lbs_bodies_stand(all, all->work)) {
        const lbs_body_end end = {.value = INFINITY, .miss = INFINITY};
        keep(all, all->work, &end, NULL, best);
    }
    restore(all, best);
}

lb_status lbs_bodies_solve(lb_solver *solver, const lb_solve_options *o, double *pose, lb_result *result,
                           lb_error *error) {
    lbs_bodies *all = solver->bodies;
    lbs_space *s = solver->space;
    (void)error;
    choice best = {{INFINITY, INFINITY, INFINITY, 0, 0}, NULL, {0}, {0}};
    all->search.iterations = all->search.first_iteration = 0;
    all->search.may_choose = !o->tracking && o->max_iterations > 0;
    all->search.enough = INFINITY;
    all->search.enough_gain = 0;
    all->search.max_change = o->tracking && o->max_change > 0 ? o->max_change : INFINITY;
    all->task.heel_force = all->search.max_change < INFINITY ? HEEL_FORCE_BESIDE : HEEL_FORCE;
    lbs_bodies_begin(all, s, s->start);
    choose_clear(all, s->start, &best);
    be_no_worse(all, s, result->value_before, &best);
    memcpy(solver->z, all->best, (size_t)s->n * sizeof *solver->z);
    lbs_project(s, solver->z);
    memcpy(all->best, solver->z, (size_t)s->n * sizeof *solver->z);
    lbs_to_pose(s, solver->z, pose);
    lbs_bodies_evaluate(all, all->best, 1);
    s->budget.iterations = all->search.iterations;
    all->start_name = best.name;
    lbs_bodies_report(all, all->best, LBS_STANDS);
    const int is_met =
        lbs_met(s, s->levels.goal_count - 1) && best.end.violation <= MET && lbs_bodies_are_clear(all, pose);
    result->outcome = is_met ? LB_OUTCOME_SOLVED : best.end.converged ? LB_OUTCOME_MINIMUM : LB_OUTCOME_BUDGET;
    solver->engine = LB_ENGINE_LM;
    return LB_OK;
}
