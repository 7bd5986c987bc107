#include "solve/arm/arm.h"

#include <string.h>

#include "solve/arm/arm_closed.h"
#include "solve/arm/arm_plans.h"
#include "solve/route.h"
#include "solve/turns.h"

/* Whether all plans hold for the start pose. */
static int fits(const lb_solver *solver) {
    for (int i = 0; i < solver->arm.count; i++) {
        if (!lbs_arm_fits(solver->arm.plans[i], solver->space)) {
            return 0;
        }
    }
    return 1;
}

static int has_weights(const lb_solver *solver) {
    const lbs_space *s = solver->space;
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled && !(s->items[i].constraint->weight > 0)) {
            return 0;
        }
    }
    return 1;
}

int lbs_arm_applies(lb_solver *solver, const lb_solve_options *o) {
    const unsigned revision = solver->problem->revision;
    if (o->method != LB_METHOD_LM || o->keep_going || o->max_iterations < LBS_ARM_ITERATIONS) {
        return 0;
    }
    if (!solver->arm.is_tried || solver->arm.revision != revision || (solver->arm.has_plan && !fits(solver))) {
        solver->arm.has_plan = lbs_arm_plan_all(solver);
        solver->arm.revision = revision;
        solver->arm.is_tried = 1;
        solver->arm.made++;
    }
    return solver->arm.has_plan && has_weights(solver);
}

static int is_time(void *space) { return lbs_late(space); }

static int restarts_of(const lb_solve_options *o) { return o->tracking ? 0 : o->restarts; }

/* The goal of a plan's only item, as the plan needs it. Returns 0 where no frame can meet it. */
static int aim(const lb_solver *solver, const lbs_arm *plan, lbs_arm_job *job) {
    const lbs_space *s = solver->space;
    const lbs_item *item = &s->items[plan->item];
    if (plan->tree) {
        return lbs_tree_aim(plan, s, job);
    }
    if (plan->base != LBS_ARM_FOLLOWS) {
        return lbs_arm_aim(plan, &item->goal.goal, job);
    }
    lb_goal goal = item->goal.goal;
    lbm_apply(&item->carrier, goal.point, goal.point);
    lbm_rotate(&item->carrier, goal.x, goal.x);
    lbm_rotate(&item->carrier, goal.y, goal.y);
    return lbs_arm_aim(plan, &goal, job);
}

/* What the engine is to do of a plan. Returns 0 where it cannot. */
static int make_job(const lb_solver *solver, const lbs_arm *plan, const lb_solve_options *o, const double *start,
                    double *answer, lbs_arm_job *job) {
    const lbs_space *s = solver->space;
    job->start = start;
    job->answer = answer;
    job->seed = o->seed;
    job->first_start = 0;
    job->restarts = restarts_of(o);
    job->max_iterations = o->max_iterations;
    job->max_evaluations = o->max_evaluations - s->budget.evaluations;
    job->watch = NULL;
    return job->max_evaluations >= 1 && aim(solver, plan, job);
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

/* Runs the starts of one plan. Returns 0 where the engine cannot. */
static int run_plan(lb_solver *solver, const lbs_arm *plan, const lb_solve_options *o, int first, int last,
                    lbs_arm_job *job, double *answer) {
    lbs_space *s = solver->space;
    const int is_timed = (o->deadline_us > 0 && o->now_us) || o->cancel, iterations = s->budget.iterations;
    if (!make_job(solver, plan, o, solver->z, answer, job)) {
        return 0;
    }
    job->first_start = first;
    job->restarts = last;
    if (o->on_iteration) {
        job->watch = watch;
        job->watch_context = solver;
        job->watch_z = solver->arm.watched;
        memcpy(solver->arm.watched, answer, (size_t)s->n * sizeof *answer);
    }
    lbs_arm_solve_jobs(plan, 1, job, is_timed ? is_time : NULL, s, solver->arm.run_memory);
    s->budget.iterations = iterations;
    return 1;
}

/* One plan after the other, until one is not solved. The job has the sums of all. */
static int run_plans(lb_solver *solver, const lb_solve_options *o, int first, int last, lbs_arm_job *job,
                     double *answer) {
    lbs_space *s = solver->space;
    const int evaluations = s->budget.evaluations;
    job->end = LBS_ARM_SOLVED;
    job->start_index = job->last_start = job->iterations = job->evaluations = 0;
    for (int i = 0; i < solver->arm.count && job->end == LBS_ARM_SOLVED; i++) {
        lbs_arm_job one;
        if (solver->arm.plans[i]->base == LBS_ARM_FOLLOWS) { /* what carries the goal is in its place */
            lbs_value(s, answer);
            job->evaluations++;
        }
        s->budget.evaluations = evaluations + job->evaluations;
        if (!run_plan(solver, solver->arm.plans[i], o, first, last, &one, answer)) {
            s->budget.evaluations = evaluations;
            job->end = LBS_ARM_FAILED;
            return i > 0;
        }
        job->end = one.end;
        job->iterations += one.iterations;
        job->evaluations += one.evaluations;
        job->start_index = one.start_index > job->start_index ? one.start_index : job->start_index;
        const int last_start = one.end == LBS_ARM_FAILED ? one.last_start : one.start_index;
        job->last_start = last_start > job->last_start ? last_start : job->last_start;
    }
    s->budget.evaluations = evaluations;
    return 1;
}

const lbs_arm_job *lbs_arm_run(lb_solver *solver, const lb_solve_options *o, int first, int last, lbs_arm_job *job,
                               double *answer) {
    lbs_space *s = solver->space;
    memcpy(answer, solver->z, (size_t)s->n * sizeof *answer);
    s->budget.evaluations++; /* of the start: it comes first, whoever makes it */
    const int can = solver->arm.count == 1 ? run_plan(solver, solver->arm.plan, o, first, last, job, answer)
                                           : run_plans(solver, o, first, last, job, answer);
    s->budget.evaluations--;
    return can ? job : NULL;
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
    work.is_quick = work.did && work.did->end == LBS_ARM_SOLVED && solver->arm.plan->n <= LBS_ARM_MAX;
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
        if (turned) { /* thousands of turns off, where angles have too few digits: as it was found, then */
            memcpy(solver->z, work->answer, (size_t)s->n * sizeof(double));
            lbs_value(s, solver->z);
            memcpy(pose, s->last.pose, (size_t)s->problem->variable_count * sizeof *pose);
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
    if (lbs_prepare(solver, o->method) || solver->apart || lbs_begin(s, o, pose, &error) ||
        lbs_place_goals(s, goals, &error)) {
        return 0;
    }
    if (others ? !fits(solver) : !lbs_arm_applies(solver, o)) {
        return 0;
    }
    if (!lbs_arm_is_single(&solver->arm) || s->n > LBS_ARM_MAX || lbs_closed_is_first(solver, o)) {
        return 0;
    }
    lbs_from_pose(s, s->start, part->z);
    memcpy(part->start, s->start, (size_t)s->problem->variable_count * sizeof *part->start);
    part->goal = s->items[solver->arm.plan->item].goal.goal;
    s->budget.evaluations = 1; /* of the start: lbs_solve has it */
    return make_job(solver, solver->arm.plan, o, part->z, part->z, &part->job);
}
