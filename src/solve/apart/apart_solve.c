/* A solve that keeps pairs apart: apart.h says how. */
#include <string.h>

#include "figure/error.h"
#include "solve/apart/apart.h"
#include "solve/arm/arm.h"
#include "solve/arm/arm_closed.h"
#include "solve/report/sentence.h"
#include "solve/turns.h"

#define FIRST_PARTING 8       /* answers that touch, after which the keeper tries to part one of them; */
#define NEXT_PARTING 4        /* it tries again after so many times as many */
#define PARTING_ITERATIONS 30 /* that it has for it: starts of the arm engine are quicker */
#define MOST_NAMED 3          /* pairs in a sentence */
#define IN_THE_WAY 1e-3       /* metres: pairs that are nearer may be what holds an answer back */

/* A solve on its way. */
typedef struct keeping {
    lb_solver *solver;
    const lb_solve_options *o;
    const lbs_goals *goals;
    lb_result *result;
    lb_error *error;
    double *pose; /* the caller's: the answer */
} keeping;

static size_t pose_size(const keeping *k) { return (size_t)k->solver->problem->variable_count * sizeof(double); }

static int is_free(const keeping *k, const double *pose) {
    return lbs_is_free(k->solver->apart, k->solver->problem, pose);
}

static int accept(keeping *k, const double *pose) {
    memcpy(k->pose, pose, pose_size(k));
    k->result->outcome = LB_OUTCOME_SOLVED;
    lbs_finish(k->solver, k->result);
    return 1;
}

/* --- Other solutions ------------------------------------------------------------------------------------------------------- */

/* All solutions that a closed form lists, the nearest first. Returns -1 where none is free, and there are no others. */
static int try_closed_form(keeping *k) {
    lb_solver *solver = k->solver;
    lbs_space *s = solver->space;
    if (!lbs_arm_applies(solver, k->o) || !lbs_arm_is_plain(&solver->arm) || solver->arm.plan->n != 6 ||
        !lbs_closed_find(solver)) {
        return 0;
    }
    int is_whole = 1;
    for (int i = 0; i < solver->closed->ranking.inside_count; i++) {
        is_whole &= !solver->closed->form.set.list[solver->closed->ranking.list[i].at].is_free;
        if (lbs_closed_take(solver, i) && is_free(k, s->last.pose)) {
            solver->engine = LB_ENGINE_CLOSED;
            return accept(k, s->last.pose);
        }
    }
    return is_whole && solver->closed->ranking.inside_count > 0 ? -1 : 0;
}

/* Lets the keeper part what touches at a pose, without restarts. */
static int part(keeping *k, const double *pose) {
    lbs_apart *a = k->solver->apart;
    lb_solve_options o = *k->o;
    lb_result result;
    lb_result_defaults(&result);
    o.restarts = 0;
    o.max_iterations = o.max_iterations < PARTING_ITERATIONS ? o.max_iterations : PARTING_ITERATIONS;
    memcpy(a->pose, pose, pose_size(k));
    if (lbs_solve(a->keeper, &o, k->goals, NULL, a->pose, &result, k->error) || result.outcome != LB_OUTCOME_SOLVED) {
        return 0;
    }
    lbs_space *s = k->solver->space;
    s->budget.evaluations += result.evaluations;
    s->budget.iterations += result.iterations;
    lbs_from_pose(s, a->pose, k->solver->z);
    lbs_value(s, k->solver->z);
    if (!lbs_met(s, s->task.level_count - 1) || !is_free(k, a->pose)) {
        return 0;
    }
    k->solver->engine = LB_ENGINE_LM;
    return accept(k, a->pose);
}

/* The answers of further starts of the arm engine. */
static int try_starts(keeping *k) {
    lb_solver *solver = k->solver;
    lbs_space *s = solver->space;
    const int last = k->o->restarts;
    if (!lbs_arm_applies(solver, k->o)) {
        return 0;
    }
    int parting = FIRST_PARTING;
    for (int first = k->result->restarts + 1, touching = 1; first <= last && !s->budget.stopped; touching++) {
        lbs_arm_job job;
        lbs_arm_work work = {1, NULL, solver->arm.answer, 0};
        lbs_from_pose(s, s->start, solver->z);
        work.did = lbs_arm_run(solver, k->o, first, last, &job, solver->arm.answer);
        if (!work.did || job.end != LBS_ARM_SOLVED) {
            return 0;
        }
        first = job.start_index + 1;
        if (!lbs_arm_accept(solver, k->o, &work, solver->answer)) {
            continue;
        }
        if (is_free(k, solver->answer)) {
            return accept(k, solver->answer);
        }
        if (touching == parting) {
            parting *= NEXT_PARTING;
            if (part(k, solver->answer)) {
                return 1;
            }
        }
    }
    return 0;
}

/* --- The keeper -------------------------------------------------------------------------------------------------------------- */

/* All of it by the keeper, from the caller's start on. */
static lb_status keep_apart(keeping *k) {
    lbs_apart *a = k->solver->apart;
    memcpy(k->pose, a->start, pose_size(k));
    a->is_answered_by_keeper = 1;
    return lbs_solve(a->keeper, k->o, k->goals, NULL, k->pose, k->result, k->error);
}

lb_status lbs_solve_apart(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, double *pose,
                          lb_result *result, lb_error *error) {
    lbs_clear_result(result);
    lb_status status = lbs_check_options(o, error);
    if (status) {
        return status;
    }
    status = lbs_prepare(solver, o->method);
    if (status) {
        return lbf_fail(error, status, lb_status_text(status), (char *)0);
    }
    lbs_apart *a = solver->apart;
    keeping k = {solver, o, goals, result, error, pose};
    memcpy(a->start, pose, pose_size(&k));
    a->is_answered_by_keeper = 0;
    status = lbs_solve_plainly(solver, o, goals, NULL, pose, result, error);
    if (status) {
        memcpy(pose, a->start, pose_size(&k));
        return status;
    }
    if (result->outcome != LB_OUTCOME_SOLVED) {
        return keep_apart(&k);
    }
    if (is_free(&k, pose)) {
        return LB_OK;
    }
    memcpy(a->pose, pose, pose_size(&k));
    const int found = o->tracking ? 0 : try_closed_form(&k);
    if (found == 1 || (found == 0 && !o->tracking && try_starts(&k))) {
        return LB_OK;
    }
    return keep_apart(&k);
}

lb_solver *lbs_reporter(lb_solver *solver) {
    return solver->apart && solver->apart->is_answered_by_keeper ? solver->apart->keeper : solver;
}

/* --- Words --------------------------------------------------------------------------------------------------------------------- */

/* One pair that is in the way, unless as many are named as a sentence has room for. `joint` stands before the first. */
static void say_pair(lbs_sentence *sentence, const char *joint, const lbp_pair *pair, double overlap, int *said) {
    if (overlap < -IN_THE_WAY || *said == MOST_NAMED) {
        return;
    }
    lb_say part = lbs_part_of(LB_SAY_OVERLAP);
    part.figure = pair->a->figure;
    part.value = overlap;
    lbs_say(sentence, *said ? ", " : joint);
    lbs_begin_part(sentence, part);
    lbs_say(sentence, (*said)++ ? "" : joint[0] == ';' ? "in the way: " : "In the way: ");
    lbs_say(sentence, pair->a->name);
    lbs_say(sentence, " and ");
    lbs_say(sentence, pair->b->name);
    if (overlap > LBP_OVERLAP) {
        lbs_say(sentence, " (");
        lbs_say_distance(sentence, overlap);
        lbs_say(sentence, " into each other)");
    }
    lbs_end_part(sentence);
}

void lbs_say_pairs(const lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    lbs_sentence sentence = lbs_sentence_of(result, strlen(result->explanation));
    int said = 0;
    for (int i = s->item_count - s->pair_count; i < s->item_count; i++) {
        const lbp_pair *pair = s->items[i].goal.goal.context;
        say_pair(&sentence, "; ", pair, lbp_apart_row(pair, s->items[i].e, 1, NULL), &said);
    }
    if (!solver->bodies || !solver->apart) {
        return;
    }
    const lbp_apart *all = solver->problem->apart;
    lbs_to_pose(s, solver->z, solver->apart->pose);
    lbs_place_masses(solver->apart, solver->problem, solver->apart->pose);
    for (int i = 0; i < all->pair_count; i++) {
        const double margin = all->pairs[i].margin;
        lbm_gap gap;
        lbs_find_gap(solver->apart, all, i, margin + 2 * IN_THE_WAY, &gap);
        say_pair(&sentence, " ", &all->pairs[i], margin - gap.distance, &said);
    }
    lbs_say(&sentence, said ? "." : "");
}
