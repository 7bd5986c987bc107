/* The memory of a solver: made when it is created, and again when the shape of the problem changes; a solve makes
 * none. */
#include <string.h>

#include "math/arena.h"
#include "solve/apart/apart.h"
#include "solve/arm/arm_closed.h"
#include "solve/methods/lm/newton.h"
#include "solve/methods/methods.h"
#include "solve/solver.h"

#define MOST_WORK ((size_t)1 << 30) /* doubles that a method may ask for */

#define SIZE(constant, name) [LB_METHOD_##constant] = lbs_##name##_size,
static size_t (*const method_sizes[])(const lbs_space *) = {LBS_METHOD_LIST(SIZE)};
#undef SIZE

static void free_space(lb_solver *solver) {
    lbs_space_destroy(solver->space, solver->space_size);
    solver->space = NULL;
    lbf_delete(&solver->allocator, solver->block, solver->block_size, 1);
    solver->block = NULL;
    lbf_delete(&solver->allocator, solver->arm.plan_block, solver->arm.plan_block_size, 1);
    solver->arm.plan_block = NULL;
    solver->arm.is_tried = solver->arm.has_plan = 0;
    lbs_closed_destroy(solver);
    solver->closed = NULL;
    lbs_apart_destroy(solver);
    solver->apart = NULL;
    if (solver->bodies) {
        lbs_bodies_destroy(solver->bodies);
        solver->bodies = NULL;
    }
}

/* Cuts all arrays of an arm's plan, or counts them. What does not move besides the joints is often little, but may be
 * driven by a variable more than once: hence more room than variables. */
static void cut_arm(lbs_arm *arm, size_t joints, size_t nodes, lbm_arena *arena) {
    const size_t room = joints + LBS_ARM_MAX, padded = joints > LBS_ARM_MAX ? joints + LBS_ARM_LONG_LANES : 0;
    lbs_arm_long *l = &arm->along;
    double **arrays[] = {&l->offset,    &l->lower,     &l->upper,     &l->factor,    &l->slide,
                         &l->q,         &l->sine,      &l->cosine,    &l->nearest,   &l->column[0],
                         &l->column[1], &l->column[2], &l->column[3], &l->column[4], &l->column[5]};
    arm->room = (int)room;
    arm->path_room = (int)nodes;
    arm->joints = lbm_cut(arena, room, sizeof *arm->joints);
    arm->order = lbm_cut(arena, room, sizeof *arm->order);
    arm->fixed = lbm_cut(arena, room, sizeof *arm->fixed);
    arm->fixed_value = lbm_cut(arena, room, sizeof *arm->fixed_value);
    arm->gaps = lbm_cut(arena, room + 1, sizeof *arm->gaps);
    arm->path = lbm_cut(arena, nodes, sizeof *arm->path);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = lbm_cut_doubles(arena, padded);
    }
}

static int has_drives(const lb_problem *p) {
    for (int f = 0; f < p->figure_count; f++) {
        if (p->figures[f]->driven_count > 0) {
            return 1;
        }
    }
    return 0;
}

/* Cuts the plans of all arms, or counts them: one that may be long, others for the arms beside it, and a tree. */
static void cut_arms(lb_solver *solver, lbm_arena *arena) {
    const lb_problem *p = solver->problem;
    const lbs_sizes *max = &solver->space->max;
    lbs_arm_engine *e = &solver->arm;
    const size_t short_arm = max->n < LBS_ARM_MAX ? max->n : LBS_ARM_MAX;
    const int arms = p->body_count > 0 ? 1 : p->constraint_count < LBS_ARMS ? p->constraint_count : LBS_ARMS;
    const int has_tree = p->body_count == 0 && (arms > 1 || has_drives(p));
    lbs_arm counted, *arm;
    e->room = arms > 1 ? arms : 1;
    e->plans[0] = e->plan;
    cut_arm(e->plan, max->n, max->nodes, arena);
    for (int i = 1; i < e->room; i++) {
        arm = e->plans[i] = lbm_cut(arena, 1, sizeof *arm);
        cut_arm(arm ? arm : &counted, short_arm, max->nodes, arena);
    }
    e->tree = has_tree ? lbm_cut(arena, 1, sizeof *e->tree) : NULL;
    double *work = has_tree ? lbm_cut_doubles(arena, LBS_TREE_WORK) : NULL;
    if (e->tree) {
        e->tree->work = work;
    }
}

static int make_arm_block(lb_solver *solver) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_arms(solver, &arena);
    solver->arm.plan_block_size = arena.used + LBM_ARENA_LINE;
    solver->arm.plan_block = lbf_new(&solver->allocator, solver->arm.plan_block_size, 1);
    if (!solver->arm.plan_block) {
        return 0;
    }
    arena = lbm_arena_on(lbm_align(solver->arm.plan_block), LBM_ARENA_LINE);
    cut_arms(solver, &arena);
    return 1;
}

/* Cuts all arrays of a solver, or counts them. */
static void cut_arrays(lb_solver *solver, lbm_arena *arena) {
    const lb_problem *p = solver->problem;
    const lbs_sizes *max = &solver->space->max;
    const size_t n = max->n, items = max->items, levels = max->levels, limits = max->limits;
    const size_t in_force = limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
    double **vectors[] = {&solver->z,
                          &solver->first,
                          &solver->caller_start,
                          &solver->answer,
                          &solver->arm.answer,
                          &solver->arm.watched,
                          &solver->best.z,
                          &solver->kkt.gradient,
                          &solver->kkt.direction,
                          &solver->kkt.bound_multipliers,
                          &solver->freedom.sample};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    solver->best.levels = lbm_cut_doubles(arena, levels);
    solver->kkt.norms = lbm_cut_doubles(arena, levels);
    solver->kkt.limit_multipliers = lbm_cut_doubles(arena, limits);
    solver->lists.limits = lbm_cut(arena, n + limits, sizeof *solver->lists.limits);
    solver->lists.constraints = lbm_cut(arena, (size_t)p->constraint_count, sizeof *solver->lists.constraints);
    solver->lists.levels = lbm_cut(arena, levels, sizeof *solver->lists.levels);
    solver->lists.measures = lbm_cut(arena, (size_t)p->constraint_count, sizeof *solver->lists.measures);
    solver->freedom.limit_rows = lbm_cut_doubles(arena, in_force * n);
    solver->freedom.goal_rows = lbm_cut_doubles(arena, items * LBP_MAX_ROWS * n);
    solver->freedom.spans = lbm_cut_doubles(arena, items * LBP_MAX_ROWS * LBP_MAX_ROWS);
    lbs_bounds_cut(&solver->bounds, solver->space, arena);
    lbs_climb_cut(&solver->climb, solver->space, arena);
    solver->freedom.measure_rows = lbm_cut_doubles(arena, 6 * max->stride);
    solver->used = lbm_cut(arena, n, sizeof *solver->used);
    solver->usable = lbm_cut(arena, n, sizeof *solver->usable);
}

static int make_arrays(lb_solver *solver) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_arrays(solver, &arena);
    solver->block_size = arena.used;
    solver->block = lbf_new(&solver->allocator, solver->block_size, 1);
    arena = lbm_arena_on(solver->block, LBM_ARENA_DOUBLE);
    cut_arrays(solver, &arena);
    return solver->block != NULL;
}

static lb_status make_space(lb_solver *solver) {
    free_space(solver);
    solver->space = lbs_space_create(solver->problem, solver->sees_pairs, &solver->space_size);
    if (!solver->space || !make_arrays(solver) || !make_arm_block(solver) ||
        lbs_closed_create(solver->space, &solver->closed) ||
        (lb_problem_pair_count(solver->problem) && !solver->sees_pairs && lbs_apart_create(solver, &solver->apart)) ||
        (solver->problem->body_count > 0 && lbs_bodies_create(solver->space, solver->apart, &solver->bodies))) {
        free_space(solver);
        return LB_ERROR_MEMORY;
    }
    solver->shape = solver->problem->shape;
    solver->ready = 0;
    return LB_OK;
}

/* Doubles of work that a method needs, its wishes, the starts and the report included. */
static size_t work_size(const lbs_space *s, lb_method method) {
    const size_t sizes[] = {method_sizes[method](s), lbs_newton_size(s), s->max.stride + s->max.items,
                            lbp_has_wish_level(s->problem) ? lbs_lm_size(s) : 0};
    size_t most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        most = sizes[i] > most ? sizes[i] : most;
    }
    return most;
}

/* Work memory of the methods, which only grows. */
static lb_status grow_work(lb_solver *solver, lb_method method) {
    const size_t needed = work_size(solver->space, method);
    if (needed <= solver->work_size) {
        return LB_OK;
    }
    if (needed > MOST_WORK) {
        return LB_ERROR_TOO_LARGE;
    }
    double *work = lbf_new(&solver->allocator, needed, sizeof *work);
    if (!work) {
        return LB_ERROR_MEMORY;
    }
    if (solver->work) {
        lbf_delete(&solver->allocator, solver->work, solver->work_size, sizeof *work);
    }
    solver->work = work;
    solver->work_size = needed;
    return LB_OK;
}

lb_status lbs_prepare(lb_solver *solver, lb_method method) {
    lb_status status = LB_OK;
    if (!solver->space || solver->shape != solver->problem->shape) {
        status = make_space(solver);
    }
    if (!status && !(solver->ready & 1u << method)) {
        status = grow_work(solver, method);
        solver->ready |= status ? 0 : 1u << method;
    }
    return status;
}

lb_status lb_solver_prepare(lb_solver *solver, lb_method method) {
    return solver && lbs_is_method(method) ? lbs_prepare(solver, method) : LB_ERROR_ARGUMENT;
}

lb_solver *lb_solver_create(const lb_problem *problem, lb_error *error) { return lbs_solver_create(problem, 0, error); }

lb_solver *lbs_solver_create(const lb_problem *problem, int sees_pairs, lb_error *error) {
    if (!problem) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a solver needs a problem");
    }
    lb_solver *solver = lbf_new(&problem->allocator, 1, sizeof *solver);
    if (!solver) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    solver->problem = problem;
    solver->sees_pairs = sees_pairs;
    solver->allocator = problem->allocator;
    solver->arm.plan = lbf_new(&solver->allocator, 1, sizeof *solver->arm.plan);
    solver->arm.run_block = lbf_new(&solver->allocator, lbs_arm_memory_size + LBM_ARENA_LINE, 1);
    solver->arm.run_memory = lbm_align(solver->arm.run_block);
    lb_status status = solver->arm.plan && solver->arm.run_block ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        status = lbs_prepare(solver, LB_METHOD_LM);
    }
    if (!status) {
        lbf_clear(error);
        return solver;
    }
    lbf_fail(error, status,
             status == LB_ERROR_TOO_LARGE ? "the problem has too many variables and constraints" : "out of memory",
             (char *)0);
    lb_solver_destroy(solver);
    return NULL;
}

void lb_solver_destroy(lb_solver *solver) {
    if (!solver) {
        return;
    }
    lb_allocator a = solver->allocator;
    free_space(solver);
    if (solver->work) {
        lbf_delete(&a, solver->work, solver->work_size, sizeof(double));
    }
    lbf_delete(&a, solver->arm.plan, 1, sizeof *solver->arm.plan);
    lbf_delete(&a, solver->arm.run_block, lbs_arm_memory_size + LBM_ARENA_LINE, 1);
    lbf_delete(&a, solver, 1, sizeof *solver);
}
