/* One interface to all methods: starts, restarts, several answers. */
#include "solve/solver.h"

#include <stddef.h>
#include <string.h>

#include "math/trig.h"
#include "solve/atlas.h"
#include "solve/lm.h"

static const struct {
    const char *name;
    lbs_method run;
    size_t (*size)(const lbs_space *);
} methods[LBS_METHODS] = {
    {"lm", lbs_lm, lbs_lm_size},
    {"bfgs", lbs_bfgs, lbs_bfgs_size},
    {"ccd", lbs_ccd, lbs_ccd_size},
    {"jacobian", lbs_jacobian_method, lbs_jacobian_size},
    {"fabrik", lbs_fabrik, lbs_fabrik_size},
};

const char *lb_method_name(lb_method method) {
    return (int)method >= 0 && method < LBS_METHODS ? methods[method].name : "unknown";
}

int lb_method_find(const char *name) {
    for (int i = 0; name && i < LBS_METHODS; i++)
        if (strcmp(methods[i].name, name) == 0) return i;
    return -1;
}

const char *lb_outcome_name(lb_outcome outcome) {
    static const char *const names[] = {"invalid", "solved", "minimum", "budget"};
    return (int)outcome >= 0 && outcome <= LB_OUTCOME_BUDGET ? names[outcome] : "unknown";
}

void lb_solve_options_defaults(lb_solve_options *o) {
    memset(o, 0, sizeof *o);
    o->jacobian = LB_JACOBIAN_DAMPED;
    o->subgoals = 1;
    o->max_iterations = 300;
    o->max_evaluations = 100000;
    o->gradient_tolerance = 1e-9;
    o->seed = 1;
}

/* --- Memory ------------------------------------------------------------------------------------------------- */

static void *aligned(void *block) { return (char *)block + (-(uintptr_t)block & 63); }

lb_solver *lb_solver_create(const lb_problem *problem) {
    if (!problem) return NULL;
    lb_solver *solver = lbf_new(&problem->allocator, 1, sizeof *solver);
    if (!solver) return NULL;
    solver->problem = problem;
    solver->allocator = problem->allocator;
    solver->chain = lbf_new(&solver->allocator, 1, sizeof *solver->chain);
    solver->chain_block = lbf_new(&solver->allocator, lbs_chain_size() + 64, 1);
    solver->chain_memory = aligned(solver->chain_block);
    if (solver->chain && solver->chain_block && lb_solver_prepare(solver, LB_METHOD_LM) == LB_OK) return solver;
    lb_solver_destroy(solver);
    return NULL;
}

static void free_space(lb_solver *solver) {
    lbs_space_destroy(solver->space, solver->space_size);
    solver->space = NULL;
    lbf_delete(&solver->allocator, solver->vectors, solver->vectors_size, 1);
    solver->vectors = NULL;
    lbf_delete(&solver->allocator, solver->chain_room, solver->chain_room_size, 1);
    solver->chain_room = NULL;
    solver->chain_tried = solver->has_chain = 0;
}

void lb_solver_destroy(lb_solver *solver) {
    if (!solver) return;
    lb_allocator a = solver->allocator;
    free_space(solver);
    if (solver->work) lbf_delete(&a, solver->work, solver->work_size, sizeof(double));
    lbf_delete(&a, solver->chain, 1, sizeof *solver->chain);
    lbf_delete(&a, solver->chain_block, lbs_chain_size() + 64, 1);
    lbf_delete(&a, solver, 1, sizeof *solver);
}

static int make_chain_room(lb_solver *solver) {
    int variables = solver->problem->variable_count, nodes = solver->space->node_count;
    solver->chain_room_size = lbs_chain_place(solver->chain, variables, nodes, NULL) + 64;
    solver->chain_room = lbf_new(&solver->allocator, solver->chain_room_size, 1);
    if (!solver->chain_room) return 0;
    lbs_chain_place(solver->chain, variables, nodes, aligned(solver->chain_room));
    return 1;
}

static lb_status make_space(lb_solver *solver) {
    const lb_problem *p = solver->problem;
    size_t n = (size_t)p->variable_count, limits = lbs_max_limits(p), constraints = (size_t)p->constraint_count;
    size_t held = (limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE) * n;
    free_space(solver);
    solver->space = lbs_space_create(p, &solver->space_size);
    size_t items = solver->space ? (size_t)solver->space->item_count : 0, spans = items * LBP_MAX_ROWS * LBP_MAX_ROWS;
    size_t numbers = (5 * n + limits + held + spans + 1) * sizeof(double);
    solver->vectors_size =
        numbers + constraints * sizeof(lb_constraint_result) + (n + limits) * sizeof(lb_active_limit);
    solver->vectors = lbf_new(&solver->allocator, solver->vectors_size, 1);
    if (!solver->space || !solver->vectors || !make_chain_room(solver)) {
        free_space(solver);
        return LB_ERROR_MEMORY;
    }
    double **parts[5] = {&solver->z, &solver->best, &solver->gradient, &solver->direction, &solver->bounds};
    for (size_t i = 0; i < 5; i++) *parts[i] = solver->vectors + i * n;
    solver->limits = solver->vectors + 5 * n;
    solver->held_rows = solver->limits + limits;
    solver->spans = solver->held_rows + held;
    solver->active = (lb_active_limit *)((char *)solver->vectors + numbers);
    solver->active_room = (int)(n + limits);
    solver->constraints = (lb_constraint_result *)(solver->active + n + limits);
    solver->chain_lanes = lbs_chain_lanes(solver->space->kernels->isa);
    solver->shape = p->shape;
    solver->ready = 0;
    return LB_OK;
}

lb_status lb_solver_prepare(lb_solver *solver, lb_method method) {
    if (!solver || (int)method < 0 || method >= LBS_METHODS) return LB_ERROR_ARGUMENT;
    if (!solver->space || solver->shape != solver->problem->shape) {
        lb_status status = make_space(solver);
        if (status) return status;
    }
    if (solver->ready & 1u << method) return LB_OK;
    size_t needed = methods[method].size(solver->space), report = lbs_newton_size(solver->space);
    if (needed < report) needed = report;
    if (needed > solver->work_size) {
        if (needed > (size_t)1 << 30) return LB_ERROR_TOO_LARGE;
        double *work = lbf_new(&solver->allocator, needed, sizeof *work);
        if (!work) return LB_ERROR_MEMORY;
        if (solver->work) lbf_delete(&solver->allocator, solver->work, solver->work_size, sizeof *work);
        solver->work = work;
        solver->work_size = needed;
    }
    solver->ready |= 1u << method;
    return LB_OK;
}

/* --- Solving -------------------------------------------------------------------------------------------------- */

/* Whether whole turns of a variable change nothing: an unlimited joint with one dof, that no limit, drive or preferred
 * posture knows of. */
static int turns_freely(const lb_problem *p, int figure, int variable) {
    const lb_figure *f = p->figures[figure];
    const lb_variable *v = &f->variables[variable];
    int joint = v->ref.joint;
    if (!v->is_angle || v->lower > -INFINITY || v->upper < INFINITY || joint < 0 || f->driven_count) return 0;
    if (p->wishes.posture_weight > 0 || lb_joint_type_dof_count(&f->draft.joints[joint].type) != 1) return 0;
    for (int r = 0; r < f->row_count; r++)
        for (int k = 0; k < f->rows[r].count; k++)
            if (f->rows[r].variables[k] == variable) return 0;
    return 1;
}

/* Whole turns towards the start: they are the same pose. Returns whether there were any. */
static int unwrap(const lbs_space *s, double *pose) {
    const lb_problem *p = s->problem;
    int unwrapped = 0;
    for (int i = 0; i < s->n && s->is_endless; i++) {
        int at = s->index[i];
        double way = pose[at] - s->start[at];
        if (fabs(way) < 3) continue; /* less than half a turn */
        double turns = floor(way / LBM_TWO_PI + 0.5);
        int f = lbp_figure_of(p, at);
        if (turns == 0 || !turns_freely(p, f, at - p->first_variables[f])) continue;
        pose[at] -= turns * LBM_TWO_PI;
        unwrapped = 1;
    }
    return unwrapped;
}

static void random_start(lbs_space *s, uint64_t *seed, double *z) {
    const lb_problem *p = s->problem;
    for (int f = 0; f < p->figure_count; f++)
        lbf_random_pose(p->figures[f], seed, s->pose + p->first_variables[f], s->project_scratch);
    lbs_from_pose(s, s->pose, z);
    memcpy(s->pose, s->start, (size_t)p->variable_count * sizeof *z);
    /* what may not move kept its value, which may narrow the limits of what may */
    if (lbs_project(s, z)) lbs_from_pose(s, s->start, z);
}

/* Whether z is better than the best so far: by levels, the highest first. */
static int is_better(lb_solver *solver) {
    lbs_space *s = solver->space;
    for (int l = 0; l < s->level_count; l++) {
        lbs_value(s, solver->best);
        double best = s->level_value[l];
        lbs_value(s, solver->z);
        if (s->level_value[l] != best) return s->level_value[l] < best;
    }
    return 0;
}

static lb_outcome outcome_of(lbs_end end, const lbs_space *s) {
    if (end == LBS_CANNOT) return LB_OUTCOME_INVALID;
    if (lbs_met(s, s->level_count - 1)) return LB_OUTCOME_SOLVED;
    return end == LBS_MINIMUM || end == LBS_MET ? LB_OUTCOME_MINIMUM : LB_OUTCOME_BUDGET;
}

/* Whether the chain engine has a plan for this problem and these options. */
static int has_chain(lb_solver *solver, const lb_solve_options *o) {
    lbs_space *s = solver->space;
    unsigned revision = solver->problem->revision;
    if (o->method != LB_METHOD_LM || o->on_iteration || o->keep_going) return 0;
    if (o->max_iterations < LBS_CHAIN_ITERATIONS) return 0;
    if (!solver->chain_tried || solver->chain_revision != revision ||
        (solver->has_chain && !lbs_chain_fits(solver->chain, s))) {
        solver->has_chain = lbs_chain_plan(s, solver->chain_lanes, solver->chain);
        solver->chain_revision = revision;
        solver->chain_tried = 1;
    }
    return solver->has_chain && s->items[solver->chain->item].constraint->weight > 0;
}

static int is_time(void *space) { return lbs_late(space); }

static int chain_restarts(const lb_solve_options *o) { return o->tracking ? 0 : o->restarts; }

/* What the chain engine is to do. Returns 0 where it cannot. */
static int make_job(const lb_solver *solver, const lb_solve_options *o, const double *start, double *answer,
                    lbs_chain_job *job) {
    const lbs_space *s = solver->space;
    job->start = start;
    job->answer = answer;
    job->seed = o->seed;
    job->restarts = chain_restarts(o);
    job->atlas = o->atlas && lbs_atlas_fits(o->atlas, solver->chain) ? o->atlas : NULL;
    job->max_iterations = o->max_iterations;
    job->max_evaluations = o->max_evaluations - s->evaluations;
    return job->max_evaluations >= 1 && lbs_chain_aim(solver->chain, &s->items[solver->chain->item].goal.goal, job);
}

/* The chain engine alone, from z. Returns its job, or NULL where it cannot do it; the answer goes to `answer`. */
static const lbs_chain_job *run_chain(lb_solver *solver, const lb_solve_options *o, lbs_chain_job *job,
                                      double *answer) {
    lbs_space *s = solver->space;
    int is_timed = (o->deadline_us > 0 && o->now_us) || o->cancel, can;
    s->evaluations = 1; /* of the start: it comes first, whoever makes it */
    can = make_job(solver, o, solver->z, answer, job);
    if (can) lbs_chain_solve(solver->chain, 1, job, is_timed ? is_time : NULL, s, solver->chain_memory);
    s->evaluations = 0;
    return can ? job : NULL;
}

/* What the chain engine did, in the space's numbers. */
static void count_chain(lbs_space *s, const lb_solve_options *o, const lbs_chain_job *did) {
    s->evaluations += did->evaluations;
    s->iterations += did->iterations;
    s->restarts = did->end == LBS_CHAIN_FAILED ? chain_restarts(o) : did->start_index;
    s->late = did->end == LBS_CHAIN_STOPPED;
    s->stopped = s->late || s->evaluations >= o->max_evaluations;
}

/* What the chain engine has done of a solve, if it can do it. */
typedef struct chain_work {
    int applies;
    const lbs_chain_job *did; /* NULL: nothing */
    const double *answer;     /* solved, stopped (the nearest so far), or failed (the start that came nearest) */
} chain_work;

/* Takes over what the chain engine solved, if the general evaluation agrees: to z, which is evaluated, and the pose. */
static int accept(lb_solver *solver, const lb_solve_options *o, const chain_work *chain, double *pose) {
    lbs_space *s = solver->space;
    int evaluations = s->evaluations;
    count_chain(s, o, chain->did);
    memcpy(solver->z, chain->answer, (size_t)s->n * sizeof(double));
    lbs_value(s, solver->z);
    if (lbs_met(s, 0)) {
        memcpy(pose, s->pose, (size_t)s->problem->variable_count * sizeof *pose);
        if (!unwrap(s, pose) && !s->is_scaled) return 1;
        if (s->problem->wishes.stay_weight == 0) {
            lbs_from_pose(s, pose, solver->z);
            return 1;
        }
    }
    lbs_from_pose(s, s->start, solver->z);
    s->evaluations = evaluations;
    s->iterations = s->restarts = s->late = s->stopped = s->is_here = 0;
    return 0;
}

/* From z, and then from random starts while it is not solved; the best in solver->best. Where the chain engine can do
 * it, it had all these starts; if none of them solved, there is the start, and the one that came nearest, to do better
 * from. */
static lb_outcome run_starts(lb_solver *solver, const lb_solve_options *o, const chain_work *chain, lb_error *error) {
    lbs_space *s = solver->space;
    uint64_t seed = o->seed;
    lb_outcome best = LB_OUTCOME_BUDGET;
    int restarts = chain_restarts(o), by_chain = chain->applies;
    double *nearest = solver->gradient; /* which the report has no use for yet */
    if (by_chain) {
        lbs_chain_end end = chain->did ? chain->did->end : LBS_CHAIN_FAILED;
        if (chain->did) {
            count_chain(s, o, chain->did);
            memcpy(solver->z, chain->answer, (size_t)s->n * sizeof(double));
        }
        lbs_value(s, solver->z);
        int met = end != LBS_CHAIN_FAILED && lbs_met(s, 0);
        if (met || (s->stopped && is_better(solver))) {
            memcpy(solver->best, solver->z, (size_t)s->n * sizeof(double));
            return met ? LB_OUTCOME_SOLVED : LB_OUTCOME_BUDGET;
        }
        memcpy(nearest, solver->z, (size_t)s->n * sizeof(double));
        lbs_from_pose(s, s->start, solver->z);
        if (restarts > 1) restarts = 1;
    }
    for (int start = 0; start <= restarts && !s->stopped; start++) {
        if (start > 0 && by_chain) memcpy(solver->z, nearest, (size_t)s->n * sizeof(double));
        else if (start > 0) random_start(s, &seed, solver->z);
        if (!by_chain) s->restarts = start;
        s->give_up = restarts > 0;
        lbs_end end = methods[o->method].run(s, solver->work, solver->z, error);
        lbs_value(s, solver->z);
        lb_outcome outcome = outcome_of(end, s);
        if (outcome == LB_OUTCOME_INVALID) return outcome;
        int better = start == 0 || outcome == LB_OUTCOME_SOLVED || is_better(solver);
        if (better) {
            memcpy(solver->best, solver->z, (size_t)s->n * sizeof(double));
            best = outcome;
        }
        if (outcome == LB_OUTCOME_SOLVED) break;
    }
    if (!s->give_up || best == LB_OUTCOME_SOLVED || s->stopped) return best;
    s->give_up = 0; /* none of them got there: to the end of the best */
    memcpy(solver->z, solver->best, (size_t)s->n * sizeof(double));
    lbs_end end = methods[o->method].run(s, solver->work, solver->z, error);
    int better = is_better(solver); /* the run is never worse, but another start's levels may be: then as it was */
    memcpy(better ? solver->best : solver->z, better ? solver->z : solver->best, (size_t)s->n * sizeof(double));
    lbs_value(s, solver->best);
    return outcome_of(end, s);
}

/* A wish to stay does know of turns: nearer to the start by some of them the answer is better, but no minimum yet. */
static lb_outcome settle(lb_solver *solver, const lb_solve_options *o, double *pose, lb_outcome outcome,
                         lb_error *error) {
    lbs_space *s = solver->space;
    for (int pass = 0; pass < 4 && !s->stopped; pass++) {
        lbs_from_pose(s, pose, solver->z);
        lbs_end end = methods[o->method].run(s, solver->work, solver->z, error);
        lbs_value(s, solver->z);
        outcome = outcome_of(end, s);
        lbs_to_pose(s, solver->z, pose);
        if (!unwrap(s, pose)) return outcome;
    }
    return LB_OUTCOME_BUDGET;
}

static void clear_result(lb_result *result, lb_error *error) {
    memset(result, 0, offsetof(lb_result, explanation));
    result->explanation[0] = 0;
    result->unmet = -1;
    lbf_clear(error);
}

static lb_status begin(lb_solver *solver, const lb_solve_options *o, const double *pose, lb_result *result,
                       lb_error *error) {
    clear_result(result, error);
    lb_status status = lb_solver_prepare(solver, o->method);
    if (status) {
        lbf_fail(error, status, lb_status_text(status), (char *)0);
        return status;
    }
    return lbs_begin(solver->space, o, pose, error);
}

static lb_status place_goals(lbs_space *s, const lbs_goals *goals, lb_error *error) {
    for (int i = 0; goals && i < goals->count; i++)
        if (lbp_move_goal(&s->items[goals->items[i]].goal.goal, &goals->frames[i]))
            return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal is not finite, or its rotation is zero", (char *)0);
    return LB_OK;
}

static void say(lb_result *result, const lb_error *error) {
    size_t size = strlen(error->message);
    memcpy(result->explanation, error->message,
           size < sizeof result->explanation ? size + 1 : sizeof result->explanation);
    result->explanation[sizeof result->explanation - 1] = 0;
}

/* The numbers of an answer, which is z. */
static void finish(lb_solver *solver, lb_result *result) {
    lbs_space *s = solver->space;
    result->value = lbs_value(s, solver->z);
    result->iterations = s->iterations;
    result->evaluations = s->evaluations;
    result->restarts = s->restarts;
}

lb_status lbs_solve(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                    double *pose, lb_result *result, lb_error *error) {
    lb_status status = LB_OK;
    if (part) {
        clear_result(result, error);
        lbs_resume(solver->space, o, part->start);
        solver->space->items[solver->chain->item].goal.goal = part->goal;
    } else {
        status = begin(solver, o, pose, result, error);
        if (!status) status = place_goals(solver->space, goals, error);
    }
    if (status) return status;
    lbs_space *s = solver->space;
    lbs_from_pose(s, s->start, solver->z);
    lbs_chain_job job;
    chain_work chain = {part || has_chain(solver, o), part ? &part->job : NULL, part ? part->z : solver->direction};
    if (chain.applies && !part) chain.did = run_chain(solver, o, &job, solver->direction);
    int is_quick = chain.did && chain.did->end == LBS_CHAIN_SOLVED && s->n <= LBS_CHAIN_MAX, stays = 0;
    if (is_quick) { /* the same count as with an evaluation of the start: the answer's, if that is the start */
        stays = chain.did->iterations == 0 && memcmp(chain.answer, solver->z, (size_t)s->n * sizeof(double)) == 0;
        s->evaluations = !stays;
        if (!part) result->value_before = lbs_chain_value(solver->chain, &s->items[solver->chain->item], job.first);
    } else {
        result->value_before = lbs_value(s, solver->z);
    }
    if (!lbm_is_finite(result->value_before))
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal's value is not finite at the start pose", (char *)0);
    if (is_quick && accept(solver, o, &chain, pose)) {
        result->outcome = LB_OUTCOME_SOLVED;
        finish(solver, result);
        if (stays) result->value_before = result->value;
        return LB_OK;
    }
    memcpy(solver->best, solver->z, (size_t)s->n * sizeof(double));
    result->outcome = run_starts(solver, o, &chain, error);
    if (result->outcome == LB_OUTCOME_INVALID) return LB_ERROR_UNSUPPORTED;
    lbs_to_pose(s, solver->best, pose);
    if (unwrap(s, pose) && s->problem->wishes.stay_weight > 0)
        result->outcome = settle(solver, o, pose, result->outcome, error);
    lbs_from_pose(s, pose, solver->z);
    if (result->outcome != LB_OUTCOME_SOLVED && s->level_count == 1 && lbs_value(s, solver->z) > result->value_before) {
        /* where G depends on the last digit (in the very point to be aimed at) the pose may not have kept it */
        memcpy(pose, s->start, (size_t)s->problem->variable_count * sizeof *pose);
        lbs_from_pose(s, pose, solver->z);
        result->outcome = LB_OUTCOME_BUDGET;
    }
    finish(solver, result);
    if (stays) result->value_before = result->value;
    return LB_OK;
}

lb_status lbs_plan_chain(lb_solver *solver, const double *pose) {
    lbs_space *s = solver->space;
    lb_solve_options options;
    lb_error error;
    lb_solve_options_defaults(&options);
    if (!pose) {
        for (int f = 0; f < s->figure_count; f++)
            lb_figure_rest_pose(s->problem->figures[f], solver->vectors + s->problem->first_variables[f]);
        pose = solver->vectors;
    }
    lb_status status = lbs_begin(s, &options, pose, &error);
    if (status) return status;
    return has_chain(solver, &options) ? LB_OK : LB_ERROR_UNSUPPORTED;
}

int lbs_offer(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const double *pose, int others,
              lbs_part *part) {
    lbs_space *s = solver->space;
    lb_error error;
    if (lb_solver_prepare(solver, o->method) || lbs_begin(s, o, pose, &error)) return 0;
    if (place_goals(s, goals, &error)) return 0;
    if (others ? !lbs_chain_fits(solver->chain, s) : !has_chain(solver, o)) return 0;
    if (solver->chain->n > LBS_CHAIN_MAX) return 0;
    lbs_from_pose(s, s->start, part->z);
    memcpy(part->start, s->start, (size_t)s->problem->variable_count * sizeof *part->start);
    part->goal = s->items[solver->chain->item].goal.goal;
    s->evaluations = 1; /* of the start: lbs_solve has it */
    return make_job(solver, o, part->z, part->z, &part->job);
}

lb_status lb_solver_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result) {
    lb_solve_options defaults;
    lb_error error;
    if (!solver || !pose || !result) return LB_ERROR_ARGUMENT;
    if (!options) {
        lb_solve_options_defaults(&defaults);
        options = &defaults;
    }
    lb_status status = lbs_solve(solver, options, NULL, NULL, pose, result, &error);
    if (status) {
        say(result, &error);
        return status;
    }
    lbs_report(solver, result);
    lbs_note_end(solver->space);
    return LB_OK;
}

lb_status lb_solve(const lb_problem *problem, const lb_solve_options *options, double *pose, lb_result *result) {
    if (!problem || !pose || !result) return LB_ERROR_ARGUMENT;
    lb_solver *solver = lb_solver_create(problem);
    if (!solver) return LB_ERROR_MEMORY;
    lb_status status = lb_solver_solve(solver, options, pose, result);
    if (!status && result->outcome == LB_OUTCOME_MINIMUM && !(options && options->deadline_us > 0)) {
        status = lb_solver_explain(solver, options, pose, result);
    }
    result->constraints = NULL;
    result->limits = NULL;
    result->reasons = NULL;
    result->constraint_count = result->limit_count = result->reason_count = 0;
    lb_solver_destroy(solver);
    return status;
}

lb_status lb_solver_value(lb_solver *solver, const double *pose, double *value, double *gradient) {
    if (!solver || !pose || !value) return LB_ERROR_ARGUMENT;
    lb_solve_options options;
    lb_error error;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_status status = begin(solver, &options, pose, &result, &error);
    if (status) return status;
    lbs_space *s = solver->space;
    memcpy(s->start, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    memcpy(s->pose, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    lbs_place_still(s);
    lbs_from_pose(s, pose, solver->z);
    *value = lbs_gradient(s, solver->z, -1, solver->gradient);
    if (!gradient) return LB_OK;
    memset(gradient, 0, (size_t)solver->problem->variable_count * sizeof *gradient);
    for (int i = 0; i < s->n; i++) gradient[s->index[i]] = solver->gradient[i] / s->scale[i];
    return LB_OK;
}

/* --- Several answers --------------------------------------------------------------------------------------------- */

static double distance_squared(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* The largest difference of a variable; whole turns do not count. */
static double difference(const lb_problem *p, const double *a, const double *b) {
    double most = 0;
    for (int f = 0; f < p->figure_count; f++)
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            int at = p->first_variables[f] + i;
            double off = fabs(a[at] - b[at]);
            if (off > LBM_PI && turns_freely(p, f, i)) off = fabs(off - LBM_TWO_PI * floor(off / LBM_TWO_PI + 0.5));
            if (off > most) most = off;
        }
    return most;
}

static int is_new(const lb_solver *solver, const double *poses, int found, const double *pose, double apart) {
    for (int i = 0; i < found; i++)
        if (difference(solver->problem, poses + (size_t)i * (size_t)solver->problem->variable_count, pose) <= apart)
            return 0;
    return 1;
}

/* Puts a pose where its distance from the start belongs; the farthest falls out when there is no room. */
static void insert(const lb_solver *solver, double *poses, int wanted, int *found, const double *pose) {
    size_t n = (size_t)solver->problem->variable_count;
    const double *start = solver->space->start;
    double mine = distance_squared(pose, start, (int)n);
    int at = *found;
    while (at > 0 && distance_squared(poses + (size_t)(at - 1) * n, start, (int)n) > mine) at--;
    if (at == wanted) return;
    if (*found < wanted) ++*found;
    memmove(poses + (size_t)(at + 1) * n, poses + (size_t)at * n, (size_t)(*found - 1 - at) * n * sizeof *poses);
    memcpy(poses + (size_t)at * n, pose, n * sizeof *pose);
}

lb_status lb_solver_solve_all(lb_solver *solver, const lb_solve_options *options, const double *start, double apart,
                              int wanted, double *poses, int *found, lb_result *result) {
    lb_solve_options o;
    lb_error error;
    if (!solver || !start || !poses || !found || !result || wanted < 1 || !(apart >= 0)) return LB_ERROR_ARGUMENT;
    if (options) o = *options;
    else lb_solve_options_defaults(&o);
    if (o.restarts < 1) o.restarts = 20 * wanted;
    *found = 0;
    lb_status status = begin(solver, &o, start, result, &error);
    if (status) {
        say(result, &error);
        return status;
    }
    lbs_space *s = solver->space;
    uint64_t seed = o.seed;
    double least = INFINITY;
    lb_outcome best = LB_OUTCOME_BUDGET;
    lbs_from_pose(s, s->start, solver->z);
    result->value_before = lbs_value(s, solver->z);
    for (int attempt = 0; attempt <= o.restarts && !s->stopped; attempt++) {
        if (attempt > 0) random_start(s, &seed, solver->z);
        s->restarts = attempt;
        s->give_up = attempt < o.restarts;
        lbs_end end = methods[o.method].run(s, solver->work, solver->z, &error);
        if (end == LBS_CANNOT) {
            say(result, &error);
            return LB_ERROR_UNSUPPORTED;
        }
        double value = lbs_value(s, solver->z);
        lb_outcome outcome = outcome_of(end, s);
        if (value < least && !(best == LB_OUTCOME_SOLVED && outcome != LB_OUTCOME_SOLVED)) {
            least = value;
            best = outcome;
            memcpy(solver->best, solver->z, (size_t)s->n * sizeof(double));
        }
        if (outcome != LB_OUTCOME_SOLVED) continue;
        lbs_to_pose(s, solver->z, s->pose);
        unwrap(s, s->pose);
        if (is_new(solver, poses, *found, s->pose, apart)) insert(solver, poses, wanted, found, s->pose);
    }
    result->outcome = best;
    lbs_to_pose(s, solver->best, s->pose);
    if (*found) memcpy(s->pose, poses, (size_t)solver->problem->variable_count * sizeof *poses);
    lbs_from_pose(s, s->pose, solver->z);
    finish(solver, result);
    lbs_report(solver, result);
    return LB_OK;
}
