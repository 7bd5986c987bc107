#include "solve/arm/arm.h"

#include <string.h>

#include "solve/arm/arm_closed.h"
#include "solve/route.h"
#include "solve/turns.h"

int lbs_arm_applies(lb_solver *solver, const lb_solve_options *o) {
    lbs_space *s = solver->space;
    const unsigned revision = solver->problem->revision;
    if (o->method != LB_METHOD_LM || o->keep_going || o->max_iterations < LBS_ARM_ITERATIONS) {
        return 0;
    }
    if (!solver->arm.is_tried || solver->arm.revision != revision ||
        (solver->arm.has_plan && !lbs_arm_fits(solver->arm.plan, s))) {
        solver->arm.has_plan = lbs_arm_plan(s, solver->arm.plan);
        solver->arm.revision = revision;
        solver->arm.is_tried = 1;
        solver->arm.made++;
    }
    return solver->arm.has_plan && s->items[solver->arm.plan->item].constraint->weight > 0;
}

static int is_time(void *space) { return lbs_late(space); }

static int restarts_of(const lb_solve_options *o) { return o->tracking ? 0 : o->restarts; }

/* What the engine is to do. Returns 0 where it cannot. */
static int make_job(const lb_solver *solver, const lb_solve_options *o, const double *start, double *answer,
                    lbs_arm_job *job) {
    const lbs_space *s = solver->space;
    job->start = start;
    job->answer = answer;
    job->seed = o->seed;
    job->first_start = 0;
    job->restarts = restarts_of(o);
    job->max_iterations = o->max_iterations;
    job->max_evaluations = o->max_evaluations - s->budget.evaluations;
    job->watch = NULL;
    return job->max_evaluations >= 1 && lbs_arm_aim(solver->arm.plan, &s->items[solver->arm.plan->item].goal.goal, job);
}

/* Shows a caller who watches where a start is. The space is left as it would be without him. */
static int watch(void *context, const double *z, int start, int evaluations) {
    lb_solver *solver = context;
    lbs_space *s = solver->space;
    const int counted = s->budget.evaluations, restarts = s->budget.restarts;
    const double value = lbs_value(s, z);
    s->budget.evaluations = evaluations;
    s->budget.restarts = start;
    s->budget.iterations++;
    lbs_tell(s, z, value);
    s->budget.evaluations = counted;
    s->budget.restarts = restarts;
    s->last.is_valid = 0;
    return s->budget.stopped;
}

const lbs_arm_job *lbs_arm_run(lb_solver *solver, const lb_solve_options *o, int first, int last, lbs_arm_job *job,
                               double *answer) {
    lbs_space *s = solver->space;
    const int is_timed = (o->deadline_us > 0 && o->now_us) || o->cancel, iterations = s->budget.iterations;
    s->budget.evaluations++; /* of the start: it comes first, whoever makes it */
    const int can = make_job(solver, o, solver->z, answer, job);
    s->budget.evaluations--;
    if (!can) {
        return NULL;
    }
    job->first_start = first;
    job->restarts = last;
    if (o->on_iteration) {
        job->watch = watch;
        job->watch_context = solver;
        job->watch_z = solver->arm.watched;
    }
    lbs_arm_solve_jobs(solver->arm.plan, 1, job, is_timed ? is_time : NULL, s, solver->arm.run_memory);
    s->budget.iterations = iterations;
    return job;
}

lbs_arm_work lbs_arm_ask(lb_solver *solver, const lb_solve_options *o, const lbs_part *part, lbs_arm_job *job) {
    lbs_arm_work work = {1, NULL, solver->arm.answer, 0};
    if (part) {
        work.did = &part->job;
        work.answer = part->z;
    } else {
        work.applies = lbs_arm_applies(solver, o);
        work.did = work.applies ? lbs_arm_run(solver, o, 0, restarts_of(o), job, solver->arm.answer) : NULL;
    }
    work.is_quick = work.did && work.did->end == LBS_ARM_SOLVED && solver->space->n <= LBS_ARM_MAX;
    return work;
}

void lbs_arm_count(lb_solver *solver, const lb_solve_options *o, const lbs_arm_job *did) {
    lbs_space *s = solver->space;
    const int is_stopped = s->budget.stopped; /* by a caller who watches */
    s->budget.evaluations += did->evaluations;
    s->budget.iterations += did->iterations;
    s->budget.restarts = did->end == LBS_ARM_FAILED ? did->last_start : did->start_index;
    s->budget.late = did->end == LBS_ARM_STOPPED && !is_stopped;
    s->budget.stopped = is_stopped || s->budget.late || s->budget.evaluations >= o->max_evaluations;
    solver->engine = LB_ENGINE_ARM;
}

int lbs_arm_accept(lb_solver *solver, const lb_solve_options *o, const lbs_arm_work *work, double *pose) {
    lbs_space *s = solver->space;
    const int evaluations = s->budget.evaluations, is_stopped = s->budget.stopped;
    lbs_arm_count(solver, o, work->did);
    memcpy(solver->z, work->answer, (size_t)s->n * sizeof(double));
    lbs_value(s, solver->z);
    if (lbs_met(s, 0)) {
        memcpy(pose, s->last.pose, (size_t)s->problem->variable_count * sizeof *pose);
        const int turned = s->variables.turning_count ? lbs_unwrap(s, pose) : 0;
        if (!turned && !s->variables.is_scaled) {
            return 1;
        }
        lbs_from_pose(s, pose, solver->z);
        if (turned == 1 && !s->variables.is_scaled) { /* the same pose: nothing to evaluate */
            memcpy(s->last.z, solver->z, (size_t)s->n * sizeof(double));
            return 1;
        }
        lbs_value(s, solver->z);
        if (lbs_met(s, 0)) {
            return 1;
        }
    }
    lbs_from_pose(s, s->start, solver->z);
    s->budget.evaluations = evaluations;
    s->budget.stopped = is_stopped;
    s->budget.iterations = s->budget.restarts = s->budget.late = s->last.is_valid = 0;
    return 0;
}

/* --- For others ------------------------------------------------------------------------------------------------ */

lb_status lbs_arm_prepare(lb_solver *solver, const double *pose) {
    lbs_space *s = solver->space;
    lb_solve_options options;
    lb_error error;
    lb_solve_options_defaults(&options);
    if (!pose) {
        for (int f = 0; f < s->figure_count; f++) {
            lb_figure_rest_pose(s->problem->figures[f], solver->answer + s->problem->first_variables[f]);
        }
        pose = solver->answer;
    }
    const lb_status status = lbs_begin(s, &options, pose, &error);
    if (status) {
        return status;
    }
    return lbs_arm_applies(solver, &options) ? LB_OK : LB_ERROR_UNSUPPORTED;
}

int lbs_offer(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const double *pose, int others,
              lbs_part *part) {
    lbs_space *s = solver->space;
    lb_error error;
    if (lbs_prepare(solver, o->method) || solver->apart || lbs_begin(s, o, pose, &error) || lbs_place_goals(s, goals, &error)) {
        return 0;
    }
    if (others ? !lbs_arm_fits(solver->arm.plan, s) : !lbs_arm_applies(solver, o)) {
        return 0;
    }
    if (solver->arm.plan->n > LBS_ARM_MAX || lbs_closed_is_first(solver, o)) {
        return 0;
    }
    lbs_from_pose(s, s->start, part->z);
    memcpy(part->start, s->start, (size_t)s->problem->variable_count * sizeof *part->start);
    part->goal = s->items[solver->arm.plan->item].goal.goal;
    s->budget.evaluations = 1; /* of the start: lbs_solve has it */
    return make_job(solver, o, part->z, part->z, &part->job);
}
