/* Several answers to one problem. */
#include <string.h>

#include "math/rounding.h"
#include "solve/apart/apart.h"
#include "solve/arm/arm.h"
#include "solve/arm/arm_closed.h"
#include "solve/starts.h"
#include "solve/turns.h"

#define RESTARTS_EACH 20 /* random starts for each answer that is wanted, unless told */

/* Answers as they are found, those nearer to the start first. */
typedef struct answers {
    lb_solver *solver;
    double apart;
    int wanted, found;
    double *poses; /* [wanted][variable] */
    double *pose;  /* [variable] */
} answers;

static double *pose_at(const answers *a, int i) {
    return a->poses + (size_t)i * (size_t)a->solver->problem->variable_count;
}

/* Squared distance from the start. */
static double distance_of(const answers *a, const double *pose) {
    const double *start = a->solver->space->start;
    double sum = 0;
    for (int i = 0; i < a->solver->problem->variable_count; i++) {
        sum += (pose[i] - start[i]) * (pose[i] - start[i]);
    }
    return sum;
}

/* Whether a pose is another form of an answer. */
static int is_same(const answers *a, int i, const double *pose) {
    return lbs_pose_difference(a->solver->problem, pose_at(a, i), pose) <= a->apart;
}

static void take_out(answers *a, int i) {
    const size_t n = (size_t)a->solver->problem->variable_count;
    memmove(pose_at(a, i), pose_at(a, i + 1), (size_t)(a->found - 1 - i) * n * sizeof(double));
    a->found--;
}

/* Puts a pose where its distance from the start belongs; the farthest falls out when there is no room. */
static void insert(answers *a, const double *pose) {
    const size_t n = (size_t)a->solver->problem->variable_count;
    const double mine = distance_of(a, pose);
    int at = a->found;
    while (at > 0 && distance_of(a, pose_at(a, at - 1)) > mine) {
        at--;
    }
    if (at == a->wanted) {
        return;
    }
    if (a->found < a->wanted) {
        a->found++;
    }
    memmove(pose_at(a, at + 1), pose_at(a, at), (size_t)(a->found - 1 - at) * n * sizeof(double));
    memcpy(pose_at(a, at), pose, n * sizeof *pose);
}

/* Takes in z, the point of the last evaluation, which solves the problem. Of two forms of one answer the nearer
 * stays. */
static void add_answer(answers *a) {
    lbs_space *s = a->solver->space;
    double *pose = s->last.pose;
    lbs_to_pose(s, a->solver->z, pose);
    lbs_unwrap(s, pose);
    if (s->levels.has_wishes) {
        memcpy(a->pose, pose, (size_t)a->solver->problem->variable_count * sizeof *pose);
        pose = a->pose;
        lbs_grant_wishes(a->solver, pose, 1);
        lbs_hide_wishes(s);
    }
    if (a->solver->apart && !lbs_is_free(a->solver->apart, a->solver->problem, pose)) {
        return;
    }
    const double mine = distance_of(a, pose);
    for (int i = 0; i < a->found; i++) {
        if (is_same(a, i, pose) && !(mine < distance_of(a, pose_at(a, i)))) {
            return;
        }
    }
    for (int i = a->found - 1; i >= 0; i--) {
        if (is_same(a, i, pose)) {
            take_out(a, i);
        }
    }
    insert(a, pose);
}

/* Every solution, where a closed form has them all. Returns whether there are others only where a joint may stand
 * anywhere. */
static int collect_by_closed_form(answers *a, const lb_solve_options *o) {
    lb_solver *solver = a->solver;
    int is_whole = 1;
    if (o->keep_going || !lbs_arm_applies(solver, o) || !lbs_closed_covers(solver) ||
        solver->closed->form.kind == LB_CLOSED_LIMB ||
        solver->closed->form.kind == LB_CLOSED_SEVEN || /* which has one for each interval of its swivel angle */
        !lbs_closed_find(solver)) {
        return 0;
    }
    for (int i = 0; i < solver->closed->ranking.inside_count; i++) {
        if (lbs_closed_take(solver, i)) {
            add_answer(a);
        }
        is_whole &= !solver->closed->form.set.list[solver->closed->ranking.list[i].at].is_free;
    }
    solver->closed->has_proof = lbs_closed_proves(solver->closed);
    solver->engine = a->found ? LB_ENGINE_CLOSED : solver->engine;
    lbs_from_pose(solver->space, solver->space->start, solver->z);
    lbs_value(solver->space, solver->z);
    return a->found > 0 && is_whole;
}

/* Every start of the arm engine by itself. Returns whether it applies. */
static int collect_by_arm(answers *a, const lb_solve_options *o) {
    lb_solver *solver = a->solver;
    lbs_space *s = solver->space;
    if (!lbs_arm_applies(solver, o)) {
        return 0;
    }
    for (int number = 0; number <= o->restarts && !s->budget.stopped; number++) {
        lbs_arm_job job;
        lbs_from_pose(s, s->start, solver->z);
        const lbs_arm_job *did = lbs_arm_run(solver, o, number, number, &job, solver->arm.answer);
        if (!did) {
            return 1;
        }
        lbs_arm_count(solver, o, did);
        memcpy(solver->z, solver->arm.answer, (size_t)s->n * sizeof(double));
        lbs_value(s, solver->z);
        if (lbs_met(s, s->task.level_count - 1)) {
            add_answer(a);
        }
    }
    return 1;
}

/* Every start by the method; the best is kept. */
static lb_outcome collect(answers *a, const lb_solve_options *o, lb_error *error) {
    lbs_starts it;
    lbs_starts_begin(&it, a->solver, o, o->restarts);
    while (lbs_starts_next(&it)) {
        const lb_outcome outcome = lbs_starts_run(&it, error);
        if (outcome == LB_OUTCOME_INVALID) {
            return outcome;
        }
        if (outcome == LB_OUTCOME_SOLVED) {
            add_answer(a);
        }
    }
    return it.best;
}

/* As one solve goes about it: the arm engine; starts that are given up when they stall; all starts to their end. */
static lb_outcome find_answers(answers *a, const lb_solve_options *o, lb_error *error) {
    lbs_space *s = a->solver->space;
    lb_outcome outcome = LB_OUTCOME_BUDGET;
    lbs_keep_best(a->solver);
    if (collect_by_closed_form(a, o)) {
        return LB_OUTCOME_SOLVED;
    }
    const int is_arm = collect_by_arm(a, o);
    if (a->found) {
        return LB_OUTCOME_SOLVED;
    }
    for (s->budget.gives_up = is_arm ? 0 : 1; s->budget.gives_up >= 0 && !a->found && !s->budget.stopped;
         s->budget.gives_up--) {
        outcome = collect(a, o, error);
        if (outcome == LB_OUTCOME_INVALID) {
            break;
        }
    }
    s->budget.gives_up = 0;
    return a->found ? LB_OUTCOME_SOLVED : outcome;
}

/* The answer that a solve by itself gives where things are kept apart. */
static lb_status solve_apart(answers *a, const lb_solve_options *o, const double *start, lb_result *result) {
    lb_solver *solver = a->solver;
    lb_error error;
    double *pose = solver->apart->answer;
    memcpy(pose, start, (size_t)solver->problem->variable_count * sizeof *pose);
    const lb_status status = lbs_solve(solver, o, NULL, NULL, pose, result, &error);
    if (status) {
        return lbs_refuse(result, &error, status);
    }
    if (result->outcome == LB_OUTCOME_SOLVED) {
        insert(a, pose);
    }
    lbs_report(lbs_reporter(solver), result);
    return LB_OK;
}

/* Solves from `start` on and fills a->poses. */
static lb_status solve_all(answers *a, const lb_solve_options *o, const double *start, lb_result *result) {
    lb_error error;
    lb_solver *solver = a->solver;
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbs_refuse_rounding(result);
    }
    lbs_closed_forget(solver);
    lb_status status = lbs_open(solver, o, start, result, &error);
    if (status) {
        return lbs_refuse(result, &error, status);
    }
    if (solver->bodies) {
        status = lbf_fail(&error, LB_ERROR_UNSUPPORTED, "a figure that is posed as a body has one answer", (char *)0);
        return lbs_refuse(result, &error, status);
    }
    lbs_space *s = solver->space;
    a->pose = solver->answer;
    result->value_before = lbs_value(s, solver->z);
    result->outcome = find_answers(a, o, &error);
    if (result->outcome == LB_OUTCOME_INVALID) {
        return lbs_refuse(result, &error, LB_ERROR_UNSUPPORTED);
    }
    if (solver->apart && !a->found) { /* what was found touches: one answer that does not, or what is in the way */
        return solve_apart(a, o, start, result);
    }
    lbs_to_pose(s, solver->best.z, s->last.pose);
    if (a->found) {
        memcpy(s->last.pose, a->poses, (size_t)solver->problem->variable_count * sizeof *a->poses);
    }
    memcpy(solver->answer, s->last.pose, (size_t)solver->problem->variable_count * sizeof *a->poses);
    if (s->levels.has_wishes) {
        lbs_grant_wishes(solver, solver->answer, !a->found && result->outcome != LB_OUTCOME_BUDGET);
    }
    lbs_decide(solver, solver->answer, result);
    if (!a->found && result->outcome == LB_OUTCOME_SOLVED) { /* by a hair */
        insert(a, solver->answer);
    }
    lbs_report(solver, result);
    return LB_OK;
}

lb_status lb_solver_solve_all(lb_solver *solver, const lb_solve_options *options, const double *start, double apart,
                              int wanted, double *poses, lb_result *result) {
    lbs_call call;
    if (!solver || !start || !poses || !result || wanted < 1 || !(apart >= 0)) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_call_begin(&call, options, result);
    if (status) {
        return status;
    }
    lb_solve_options o = *call.options;
    o.restarts = o.restarts < 1 ? RESTARTS_EACH * wanted : o.restarts;
    answers a = {solver, apart, wanted, 0, poses, NULL};
    status = solve_all(&a, &o, start, call.result);
    call.result->answer_count = a.found;
    return lbs_call_end(&call, status);
}
