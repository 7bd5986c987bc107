#include "solve/starts.h"

#include <string.h>

#include "solve/methods/hierarchy.h"
#include "solve/route.h"

#define SAME 1e-12   /* of its value by which a level may differ for no reason */
#define UNMOVED 1e-9 /* of what the most mobile variable moves an end-effector by: less is rounding */

/* --- The best so far ------------------------------------------------------------------------------------------------- */

static int met_levels(const lbs_space *s) {
    int count = 0;
    while (count < s->levels.goal_count && lbs_met(s, count)) {
        count++;
    }
    return count;
}

void lbs_keep_best(lb_solver *solver) {
    const lbs_space *s = solver->space;
    memcpy(solver->best.z, solver->z, (size_t)s->n * sizeof(double));
    memcpy(solver->best.levels, s->last.level_values, (size_t)s->task.level_count * sizeof(double));
    solver->best.met = met_levels(s);
}

int lbs_is_better(const lb_solver *solver) {
    const lbs_space *s = solver->space;
    const int met = met_levels(s);
    for (int l = met < solver->best.met ? met : solver->best.met; l < s->task.level_count; l++) {
        const double value = s->last.level_values[l], best = solver->best.levels[l];
        if (l < met || l < solver->best.met) {
            return l < met; /* one of them meets it */
        }
        if (fabs(value - best) > SAME * best) {
            return value < best;
        }
    }
    return 0;
}

/* --- The starts ------------------------------------------------------------------------------------------------------ */

void lbs_starts_begin(lbs_starts *it, lb_solver *solver, const lb_solve_options *options, int restarts) {
    it->solver = solver;
    it->options = options;
    it->restarts = restarts;
    it->number = it->alternative = -1;
    it->has_usable = 0;
    it->best = LB_OUTCOME_BUDGET;
    solver->space->task.forced = -1;
}

/* Whether an item, and every alternative to it, is not met at the last evaluation. */
static int is_wanting(const lbs_space *s, const lbs_item *item) {
    return item->enabled && item->constraint->weight > 0 && !lbs_item_met(s, item);
}

static int has_alternatives(const lbs_space *s, const lbs_item *item) {
    for (int i = 0; i < s->item_count && item->enabled && item->group >= 0; i++) {
        if (&s->items[i] != item && s->items[i].enabled && s->items[i].group == item->group) {
            return 1;
        }
    }
    return 0;
}

/* The next alternative of a disjunction, where the first start did not meet all goals; from the caller's pose. */
static int next_alternative(lbs_starts *it) {
    lb_solver *solver = it->solver;
    lbs_space *s = solver->space;
    if (s->levels.group_count == 0 || it->options->tracking) {
        return 0;
    }
    for (it->alternative++; it->alternative < s->item_count; it->alternative++) {
        const lbs_item *item = &s->items[it->alternative];
        if (has_alternatives(s, item)) {
            s->task.forced = it->alternative;
            s->last.is_valid = 0;
            lbs_from_pose(s, s->start, solver->z);
            return 1;
        }
    }
    return 0;
}

/* What an item's goal sees of its effector's axes: bit 0 its x, bit 1 its y. */
static int axes_seen(const lbs_item *item) {
    const lb_goal *g = &item->constraint->goal;
    switch (g->kind) {
    case LB_GOAL_ORIENTATION:
    case LB_GOAL_FRAME:
        return (g->degrees_x > 0) | (g->degrees_y > 0) << 1;
    case LB_GOAL_AIM:
        return 1;
    case LB_GOAL_CUSTOM:
    case LB_GOAL_APART:
        return 3;
    default:
        return item->constraint->half_length > 0;
    }
}

/* The wrench whose power is how fast the effector's point, or the end of one of its axes, moves along a coordinate. */
static void unit_wrench(const lbs_item *item, int part, int coordinate, double wrench[6]) {
    double force[3] = {0, 0, 0};
    memset(wrench, 0, 6 * sizeof *wrench);
    force[coordinate] = 1;
    lbm_cross3(item->e_w + 3 * part, force, wrench + 3);
    if (part == 0) {
        lbm_copy3(wrench, force);
    }
}

/* Adds the variables that move what an item's goal sees of its effector, where the last evaluation was. */
static void mark_usable(lb_solver *solver, const lbs_item *item) {
    lbs_space *s = solver->space;
    double *row = solver->work;
    const int sees = (item->constraint->goal.kind != LB_GOAL_ORIENTATION) | axes_seen(item) << 1;
    for (int r = 0; r < 9; r++) {
        double most = 1, wrench[1][6];
        if (!(sees >> r / 3 & 1)) {
            continue;
        }
        unit_wrench(item, r / 3, r % 3, wrench[0]);
        lbs_item_rows(s, item, 1, (const double(*)[6])wrench, row);
        for (int i = 0; i < s->n; i++) {
            most = fabs(row[i]) > most ? fabs(row[i]) : most;
        }
        for (int i = 0; i < s->n; i++) {
            solver->usable[i] |= fabs(row[i]) > UNMOVED * most;
        }
    }
}

/* A pose that depends on the seed and the start's number alone. */
static void random_z(lbs_space *s, uint64_t seed, int number, double *z) {
    const lb_problem *p = s->problem;
    uint64_t state =
        seed + (uint64_t)number * 0xD1342543DE82EF95ull; /* a multiplier of good spectrum (Steele, Vigna) */
    for (int f = 0; f < p->figure_count; f++) {
        lbf_random_pose(p->figures[f], &state, s->last.pose + p->first_variables[f], s->limits.project_scratch);
    }
    lbs_from_pose(s, s->last.pose, z);
    memcpy(s->last.pose, s->start, (size_t)p->variable_count * sizeof *z);
}

/* Which variables goals that the first start did not meet can use: found where they are in general position. */
static void find_usable(lbs_starts *it) {
    lb_solver *solver = it->solver;
    lbs_space *s = solver->space;
    unsigned char *wanting = (unsigned char *)(solver->work + s->stride);
    memset(solver->usable, 0, (size_t)s->n);
    lbs_value(s, solver->first);
    for (int i = 0; i < s->item_count; i++) {
        wanting[i] = (unsigned char)is_wanting(s, &s->items[i]);
    }
    random_z(s, it->options->seed, 1, solver->z);
    if (lbs_project(s, solver->z)) {
        lbs_from_pose(s, s->start, solver->z);
    }
    lbs_jacobian(s, solver->z);
    for (int i = 0; i < s->item_count; i++) {
        if (wanting[i]) {
            mark_usable(solver, &s->items[i]);
        }
    }
    it->has_usable = 1;
}

static void random_start(lbs_starts *it) {
    lb_solver *solver = it->solver;
    lbs_space *s = solver->space;
    if (!it->has_usable) {
        find_usable(it);
    }
    random_z(s, it->options->seed, it->number, solver->z);
    double *start = solver->caller_start;
    lbs_from_pose(s, s->start, start);
    for (int i = 0; i < s->n; i++) {
        solver->z[i] = solver->usable[i] ? solver->z[i] : start[i];
    }
    /* what kept its value may narrow the limits of what did not */
    if (lbs_project(s, solver->z)) {
        memcpy(solver->z, start, (size_t)s->n * sizeof *start);
    }
}

int lbs_starts_next(lbs_starts *it) {
    lbs_space *s = it->solver->space;
    if (it->number < 0) {
        it->number = 0;
        lbs_from_pose(s, s->start, it->solver->z);
        return !s->budget.stopped;
    }
    if (lbs_spent(s)) {
        return 0;
    }
    if (it->number == 0 && next_alternative(it)) {
        return 1;
    }
    if (s->task.forced >= 0) {
        s->task.forced = -1;
        s->last.is_valid = 0;
    }
    if (it->number >= it->restarts) {
        return 0;
    }
    it->number++;
    random_start(it);
    s->budget.restarts = it->number > s->budget.restarts ? it->number : s->budget.restarts;
    return 1;
}

lb_outcome lbs_starts_run(lbs_starts *it, lb_error *error) {
    lb_solver *solver = it->solver;
    lbs_space *s = solver->space;
    const int is_first = it->number == 0 && s->task.forced < 0;
    lb_outcome outcome = lbs_run(solver, it->options, error);
    if (is_first) {
        memcpy(solver->first, solver->z, (size_t)s->n * sizeof(double));
    }
    if (s->task.forced >= 0) { /* what counts is the best of all alternatives */
        s->task.forced = -1;
        s->last.is_valid = 0;
        lbs_value(s, solver->z);
        const int is_solved = outcome != LB_OUTCOME_INVALID && lbs_met(s, s->task.level_count - 1);
        outcome = is_solved ? LB_OUTCOME_SOLVED : outcome;
    }
    if (outcome != LB_OUTCOME_INVALID && (is_first || lbs_is_better(solver))) {
        lbs_keep_best(solver);
        it->best = outcome;
    }
    return outcome;
}

/* --- Running them ---------------------------------------------------------------------------------------------------- */

/* From one start to the next, until one solves. A search, in which starts that stall are given up, ends after the first
 * start where it is proved that none can solve. */
static lb_outcome run_all(lb_solver *solver, const lb_solve_options *o, int restarts, lb_error *error) {
    lbs_space *s = solver->space;
    lbs_starts it;
    int is_asked = !s->budget.gives_up;
    lbs_starts_begin(&it, solver, o, restarts);
    while (lbs_starts_next(&it)) {
        const lb_outcome outcome = lbs_starts_run(&it, error);
        if (outcome == LB_OUTCOME_INVALID || outcome == LB_OUTCOME_SOLVED) {
            return outcome;
        }
        if (!is_asked && !s->budget.stopped && lbs_bounds_prove(&solver->bounds, s, solver->z)) {
            break;
        }
        is_asked = 1;
    }
    return it.best;
}

lb_outcome lbs_run_starts(lb_solver *solver, const lb_solve_options *o, int is_searched, lb_error *error) {
    lbs_space *s = solver->space;
    const int is_given_up = o->method == LB_METHOD_HIERARCHY && lbs_hierarchy_missing(s, solver->work) > 0;
    const int restarts =
        o->tracking || is_given_up || o->method == LB_METHOD_CLOSED ? 0 : o->restarts; /* that one needs no other */
    lb_outcome outcome = LB_OUTCOME_BUDGET;
    if (restarts > 0 && !is_searched) { /* a start that stalls is given up for the next */
        s->budget.gives_up = 1;
        outcome = run_all(solver, o, restarts, error);
        s->budget.gives_up = 0;
        if (outcome == LB_OUTCOME_SOLVED || outcome == LB_OUTCOME_INVALID || s->budget.stopped) {
            return outcome;
        }
    }
    return run_all(solver, o, restarts, error);
}
