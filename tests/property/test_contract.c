/*
 * The contract of docs/contract.md, for every method, on 100,000 random problems and more: finite, never worse, limits
 * at every iterate, the truth about what happened, the same bits again, no allocation.
 *
 * What is checked here is worked out anew from the library's forward kinematics and the formulas of
 * tests/goal_formulas.h. A failure prints its case and method; `test_property_contract CASE METHOD` runs that one
 * alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"
#include "random_problem.h"
#include "solve/solver.h"
#include "truth.h"

#define MOST_VARIABLES 256

/* --- Methods, and what became of them ----------------------------------------------------------------------------- */

typedef struct entry {
    const char *name;
    lb_method method;
    lb_jacobian_variant variant;
    int subgoals, max_iterations;
    double preferred;
    int every; /* solves every so manieth problem */
    long solves, refused, outcomes[4], reachable, reached;
    lb_bfgs_update update;
    lb_ccd_variant ccd;
} entry;

static entry entries[] = {
    {.name = "lm", .method = LB_METHOD_LM, .max_iterations = 300, .every = 1},
    {.name = "bfgs", .method = LB_METHOD_BFGS, .max_iterations = 300, .every = 3},
    {.name = "ccd", .method = LB_METHOD_CCD, .max_iterations = 30, .every = 6},
    {.name = "transpose",
     .method = LB_METHOD_JACOBIAN,
     .variant = LB_JACOBIAN_VARIANT_TRANSPOSE,
     .max_iterations = 40,
     .every = 12},
    {.name = "pseudo-inverse",
     .method = LB_METHOD_JACOBIAN,
     .variant = LB_JACOBIAN_VARIANT_PSEUDO_INVERSE,
     .max_iterations = 40,
     .every = 12},
    {.name = "damped",
     .method = LB_METHOD_JACOBIAN,
     .variant = LB_JACOBIAN_VARIANT_DAMPED,
     .subgoals = 4,
     .max_iterations = 40,
     .every = 12},
    {.name = "svd-damped",
     .method = LB_METHOD_JACOBIAN,
     .variant = LB_JACOBIAN_VARIANT_SVD_DAMPED,
     .max_iterations = 40,
     .preferred = 0.1,
     .every = 12},
    {.name = "fabrik", .method = LB_METHOD_FABRIK, .max_iterations = 40, .every = 6},
    {.name = "dfp", .method = LB_METHOD_BFGS, .max_iterations = 300, .every = 12, .update = LB_BFGS_UPDATE_DFP},
    {.name = "ccd-axis", .method = LB_METHOD_CCD, .max_iterations = 30, .every = 12, .ccd = LB_CCD_VARIANT_AXIS},
    {.name = "ccd-preferred", .method = LB_METHOD_CCD, .max_iterations = 30, .preferred = 3, .every = 12},
    {.name = "fabrik-preferred", .method = LB_METHOD_FABRIK, .max_iterations = 40, .preferred = 3, .every = 12},
};
#define ENTRIES ((int)(sizeof entries / sizeof *entries))

/* --- Failures: the first few of each kind are told, all are counted ------------------------------ */

typedef enum promise {
    WORKS,
    FINITE,
    NEVER_WORSE,
    LIMITS,
    LIMITS_ON_THE_WAY,
    UNTOUCHED,
    TRUE_VALUE,
    TRUE_SOLVED,
    TRUE_UNSOLVED,
    TRUE_MINIMUM,
    MULTIPLIERS,
    SAME_BITS,
    NO_ALLOCATION,
    STOPPED_NO_WORSE,
    GRADIENT,
    PROMISES
} promise;

static const char *const promises[PROMISES] = {"works",
                                               "finite",
                                               "never worse",
                                               "limits hold at the end",
                                               "limits hold on the way",
                                               "what may not move does not",
                                               "the value told is true",
                                               "solved is true",
                                               "not solved is true",
                                               "a minimum is a Kuhn-Tucker point",
                                               "multipliers push outward",
                                               "same bits again",
                                               "no allocation",
                                               "stopped: no worse",
                                               "gradient"};
static long failures[PROMISES];
static long present_case;
static const entry *present;
static int verbose;

static void fail(promise what, double a, double b) {
    if (failures[what]++ < 5 || verbose) {
        printf("case %ld, %s: not kept: %s (%.17g, %.17g)\n", present_case, present->name, promises[what], a, b);
    }
}

static void expect(promise what, int kept, double a, double b) {
    if (!kept) {
        fail(what, a, b);
    }
}

/* --- One solve ----------------------------------------------------------------------------------- */

typedef struct watcher {
    const random_problem *p;
    double most; /* violation */
    int stop_at;
} watcher;

static int watch(void *context, const lb_progress *progress) {
    watcher *w = context;
    double v = truth_violation(w->p, progress->pose);
    if (!(v <= w->most)) {
        w->most = v;
    }
    if (!isfinite(progress->value)) {
        w->most = INFINITY;
    }
    return progress->iteration >= w->stop_at;
}

static void options_of(const entry *m, lb_solve_options *o) {
    lb_solve_options_defaults(o);
    o->method = m->method;
    o->jacobian = m->variant;
    o->subgoals = m->subgoals ? m->subgoals : 1;
    o->preferred = m->preferred;
    o->bfgs_update = m->update;
    o->ccd = m->ccd;
    o->max_iterations = m->max_iterations;
    o->max_evaluations = 3000;
    if (present_case % 32 == 5) {
        o->restarts = 2;
    }
    if (present_case % 64 == 7) {
        o->keep_going = 1;
    }
}

/* Switches all but the highest level off, or on again. */
static void only_highest(const random_problem *p, const truth *t, int only, unsigned char *off) {
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (only) {
            off[i] = !c->disabled && c->priority != t->priority[0];
        }
        if (off[i]) {
            lb_problem_enable(p->problem, lb_problem_constraint_id(p->problem, i), !only);
        }
    }
}

/* Of several levels the highest is held by its value (a lower one uses what rounding leaves of it, so that its gradient
 * is the root of that): going on with that level alone gains nothing, unless it is flat there. */
static void check_highest(const random_problem *p, lb_solver *solver, const truth *t, const double *pose,
                          double gradient_norm) {
    unsigned char off[RANDOM_MOST_CONSTRAINTS];
    double more[MOST_VARIABLES];
    lb_result result;
    lb_result_defaults(&result);
    truth after;
    if (t->first_unmet > 0 || p->wishes) {
        return;
    }
    memcpy(more, pose, (size_t)lb_problem_variable_count(p->problem) * sizeof *more);
    only_highest(p, t, 1, off);
    lb_status status = lb_solver_solve(solver, NULL, more, &result);
    only_highest(p, t, 0, off);
    truth_at(p, more, &after);
    expect(WORKS, status == LB_OK, status, 0);
    int gained = after.level[0] < t->level[0] * (1 - 1e-6) - 1e-6 * t->unit,
        flat = gradient_norm <= 1e-5 * t->unit; /* flat: a saddle */
    expect(TRUE_MINIMUM, !gained || flat, t->level[0], after.level[0]);
}

/* gradient + sum of multipliers * outward normals = 0, each of a limit that is in force. `limits` are those of the
 * result. */
static void check_minimum(const random_problem *p, lb_solver *solver, const truth *t, const double *pose,
                          int limit_count, const lb_active_limit *limits) {
    double g[MOST_VARIABLES], most = 0, value;
    double moves[MOST_VARIABLES]; /* 0, or how much the pose moves for a unit of what the solver moves (rigidity) */
    int n = lb_problem_variable_count(p->problem);
    for (int i = 0; i < n; i++) {
        moves[i] = solver->space->variables.active_of[i] >= 0
                       ? solver->space->variables.scale[solver->space->variables.active_of[i]]
                       : 0;
    }
    if (lb_solver_value(solver, pose, &value, g)) {
        return;
    }
    for (int i = 0; i < limit_count; i++) {
        const lb_active_limit *a = &limits[i];
        int first = lb_problem_first_variable(p->problem, a->figure);
        if (a->variable >= 0) {
            const lb_variable *v = lb_figure_variable(p->figures[a->figure], a->variable - first);
            expect(MULTIPLIERS, a->multiplier >= 0, a->multiplier, a->value);
            expect(MULTIPLIERS, fabs(pose[a->variable] - a->value) <= 1e-9, pose[a->variable], a->value);
            expect(MULTIPLIERS, a->value == (a->is_upper ? v->upper : v->lower), a->value, a->is_upper);
            g[a->variable] += a->is_upper ? a->multiplier : -a->multiplier;
            if (v->lower == v->upper) {
                moves[a->variable] = 0; /* both ends at once */
            }
            continue;
        }
        const lb_limit_row *row = lb_figure_row(p->figures[a->figure], a->row);
        double sum = -row->bound;
        for (int k = 0; k < row->count; k++) {
            sum += row->coefficients[k] * pose[first + row->variables[k]];
            g[first + row->variables[k]] += a->multiplier * row->coefficients[k];
        }
        if (row->kind == LB_LIMIT_AT_MOST) {
            expect(MULTIPLIERS, a->multiplier >= -1e-12 * t->unit, a->multiplier, 0);
        }
        expect(MULTIPLIERS, fabs(sum) <= 1e-9, sum, row->bound);
    }
    for (int i = 0; i < n; i++) {
        most = fmax(most, moves[i] * fabs(g[i]));
    }
    double size =
        t->unit * (1 + sqrt(t->level[0] / t->unit)); /* weights times distances: what the gradient is a sum of */
    expect(TRUE_MINIMUM, most <= 1e-7 * size, most, size);
}

/* lb_solver_value's gradient against central differences of G worked out anew. */
static void check_gradient(const random_problem *p, lb_solver *solver, const double *pose) {
    double g[MOST_VARIABLES], at[MOST_VARIABLES], value;
    int n = lb_problem_variable_count(p->problem);
    truth here;
    if (p->wishes || lb_solver_value(solver, pose, &value, g)) {
        return;
    }
    truth_at(p, pose, &here);
    for (int i = 0; i < n; i++) {
        if (g[i] == 0) {
            continue; /* not in any chain, or switched off */
        }
        double slope[2];
        for (int k = 0; k < 2; k++) {
            double h = k ? 1e-5 : 2e-5;
            truth low, high;
            memcpy(at, pose, (size_t)n * sizeof *at);
            at[i] = pose[i] + h;
            truth_at(p, at, &high);
            at[i] = pose[i] - h;
            truth_at(p, at, &low);
            slope[k] = (truth_sum(&high) - truth_sum(&low)) / (2 * h);
        }
        double size = 1e-5 * (here.unit + fabs(g[i]) + truth_sum(&here));
        if (fabs(slope[0] - slope[1]) > 0.1 * size) {
            continue; /* a kink */
        }
        expect(GRADIENT, fabs(slope[1] - g[i]) <= size, g[i], slope[1]);
    }
}

static void check_again(const random_problem *p, const lb_solve_options *options, const double *answer,
                        const lb_result *result) {
    double pose[MOST_VARIABLES];
    lb_result second;
    lb_result_defaults(&second);
    int n = lb_problem_variable_count(p->problem);
    memcpy(pose, p->start, (size_t)n * sizeof *pose);
    expect(WORKS, lb_solve(p->problem, options, pose, &second) == LB_OK, 0, 0);
    expect(SAME_BITS, memcmp(pose, answer, (size_t)n * sizeof *pose) == 0, pose[0], answer[0]);
    expect(SAME_BITS,
           second.value == result->value && second.iterations == result->iterations &&
               second.outcome == result->outcome,
           second.value, result->value);
}

static void check_stopped(const random_problem *p, lb_solver *solver, lb_solve_options *options, const truth *before,
                          watcher *w) {
    double pose[MOST_VARIABLES];
    lb_result result;
    lb_result_defaults(&result);
    truth after;
    int n = lb_problem_variable_count(p->problem);
    memcpy(pose, p->start, (size_t)n * sizeof *pose);
    w->stop_at = 1 + (int)(present_case / 7 % 5);
    if (lb_solver_solve(solver, options, pose, &result)) {
        return;
    }
    truth_at(p, pose, &after);
    expect(STOPPED_NO_WORSE, !truth_worse(&after, before, after.level_count), truth_sum(&after), truth_sum(before));
    expect(LIMITS, truth_violation(p, pose) <= 1e-9, truth_violation(p, pose), 0);
}

/* The start, moved into its limits. */
static void begin_inside(const random_problem *p, double *pose) {
    memcpy(pose, p->start, (size_t)lb_problem_variable_count(p->problem) * sizeof *pose);
    for (int f = 0; f < p->figure_count; f++) {
        expect(WORKS, lb_kinematics_project(p->kinematics[f], pose + lb_problem_first_variable(p->problem, f)) == LB_OK,
               f, 0);
    }
}

static void check_result(const random_problem *p, const lb_solver *solver, const truth *before, const double *inside,
                         const double *pose, const lb_result *r) {
    truth after;
    int n = lb_problem_variable_count(p->problem);
    truth_at(p, pose, &after);
    for (int i = 0; i < n; i++) {
        expect(FINITE, isfinite(pose[i]), pose[i], i);
        if (solver->space->variables.active_of[i] < 0) {
            expect(UNTOUCHED, pose[i] == inside[i], pose[i], inside[i]);
        }
    }
    expect(FINITE, isfinite(r->value) && isfinite(r->value_before) && isfinite(r->gradient_norm), r->value,
           r->gradient_norm);
    expect(LIMITS, truth_violation(p, pose) <= 1e-9, truth_violation(p, pose), 0);
    expect(NEVER_WORSE, !truth_worse(&after, before, after.level_count), truth_sum(&after), truth_sum(before));
    if (after.level_count == 1 && !(p->wishes && after.met)) { /* wishes use what tolerances leave */
        expect(NEVER_WORSE, r->value <= r->value_before, r->value, r->value_before);
    }
    {
        double size = truth_sum(&after) + 1e-7 * after.unit;
        expect(TRUE_VALUE, fabs(r->value - truth_sum(&after)) <= 1e-9 * size, r->value, truth_sum(&after));
        size = truth_sum(before) + 1e-7 * after.unit;
        expect(TRUE_VALUE, fabs(r->value_before - truth_sum(before)) <= 1e-9 * size, r->value_before,
               truth_sum(before));
    }
    expect(TRUE_SOLVED, r->outcome != LB_OUTCOME_SOLVED || after.met, r->value, after.unit);
    expect(TRUE_UNSOLVED, r->outcome == LB_OUTCOME_SOLVED || !after.met_well, r->value, after.unit);
    for (int i = 0; i < r->constraint_count; i++) {
        const lb_constraint_result *c = &r->constraints[i];
        expect(FINITE, isfinite(c->value) && isfinite(c->distance) && isfinite(c->angle_rad), c->value, c->distance);
        expect(TRUE_SOLVED, r->outcome != LB_OUTCOME_SOLVED || !c->counted || c->met, i, c->distance);
    }
}

static void run(const random_problem *p, lb_solver *solver, entry *m, trap *memory) {
    double pose[MOST_VARIABLES], inside[MOST_VARIABLES];
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    watcher w = {p, 0, 1 << 30};
    truth before, after;
    int n = lb_problem_variable_count(p->problem);
    present = m;
    if (n > MOST_VARIABLES) {
        return;
    }
    options_of(m, &options);
    options.on_iteration = watch;
    options.on_iteration_context = &w;
    begin_inside(p, inside);
    truth_at(p, inside, &before);
    memcpy(pose, p->start, (size_t)n * sizeof *pose);
    expect(WORKS, lb_solver_prepare(solver, m->method) == LB_OK, 0, 0);
    memory->closed = 1;
    memory->trapped = 0;
    lb_status status = lb_solver_solve(solver, &options, pose, &result);
    memory->closed = 0;
    expect(NO_ALLOCATION, memory->trapped == 0, (double)memory->trapped, 0);
    m->solves++;
    if (status == LB_ERROR_UNSUPPORTED) {
        m->refused++;
        expect(WORKS, m->method != LB_METHOD_LM && result.explanation[0] && result.outcome == LB_OUTCOME_INVALID,
               status, 0);
        expect(UNTOUCHED, memcmp(pose, p->start, (size_t)n * sizeof *pose) == 0, 0, 0);
        return;
    }
    expect(WORKS, status == LB_OK, status, 0);
    if (status) {
        return;
    }
    m->outcomes[result.outcome]++;
    m->reachable += p->reachable;
    m->reached += p->reachable && result.outcome == LB_OUTCOME_SOLVED;
    if (verbose) {
        printf("%s: %s, %g -> %g, gradient %g, %d iterations, %d evaluations: %s\n", m->name,
               lb_outcome_name(result.outcome), result.value_before, result.value, result.gradient_norm,
               result.iterations, result.evaluations, result.explanation);
    }
    expect(LIMITS_ON_THE_WAY, w.most <= 1e-9, w.most, 0);
    check_result(p, solver, &before, inside, pose, &result);
    truth_at(p, pose, &after);
    if (result.outcome == LB_OUTCOME_MINIMUM && result.limit_count <= 64) {
        lb_active_limit limits[65]; /* the solver's own are gone with its next call */
        memcpy(limits, result.limits, (size_t)result.limit_count * sizeof *limits);
        if (after.level_count == 1) {
            check_minimum(p, solver, &after, pose, result.limit_count, limits);
        } else {
            check_highest(p, solver, &after, pose, result.gradient_norm);
        }
    }
    if (present_case % 16 == 0) {
        check_again(p, &options, pose, &result);
    }
    if (present_case % 8 == 1) {
        check_stopped(p, solver, &options, &before, &w);
    }
    if (present_case % 64 == 2 && m == entries) {
        check_gradient(p, solver, p->target);
    }
}

static void describe(const random_problem *p) {
    for (int f = 0; f < p->figure_count; f++) {
        printf("figure %d: %d segments, %d variables, %d rows, %d loops\n", f, lb_figure_segment_count(p->figures[f]),
               lb_figure_variable_count(p->figures[f]), lb_figure_row_count(p->figures[f]),
               lb_figure_loop_count(p->figures[f]));
    }
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        printf("constraint %d: kind %d%s, effector %d of figure %d segment %d, carrier %d, weight %g, priority %d, any "
               "of %d, chain %d%s\n",
               i, c->goal.kind, c->goal.outside ? " outside" : "", c->effector.kind, c->figure, c->effector.segment,
               c->goal.carrier_segment, c->weight, c->priority, c->any_of, c->chain_start,
               c->disabled ? ", disabled" : "");
    }
    printf("%s%s\n", p->wishes ? "wishes " : "", p->reachable ? "reachable" : "");
}

static void run_case(long number, int only) {
    trap memory;
    random_problem p;
    trap_init(&memory);
    present_case = number;
    random_problem_mix(&p, 0x9e3779b97f4a7c15ull * (uint64_t)(number + 1), &memory, number % 2 ? RANDOM_WIDE : 0);
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    REQUIRE(solver != NULL);
    if (verbose) {
        describe(&p);
    }
    for (int i = 0; i < ENTRIES; i++) {
        if (only >= 0 ? i == only : (number + i) % entries[i].every == 0) {
            run(&p, solver, &entries[i], &memory);
        }
    }
    lb_solver_destroy(solver);
    random_problem_free(&p);
    expect(WORKS, memory.blocks == 0, (double)memory.blocks, 0);
}

int main(int argc, char **argv) {
    long usual = check_is_sanitized() ? check_count(4000, 40000) : check_count(20000, 200000);
    long cases = argc == 2 ? atol(argv[1]) : usual;
    long solves = 0;
    if (argc > 2) {
        int only = -1;
        for (int i = 0; i < ENTRIES; i++) {
            if (strcmp(argv[2], entries[i].name) == 0) {
                only = i;
            }
        }
        verbose = 1;
        run_case(atol(argv[1]), only);
    } else {
        for (long i = 0; i < cases; i++) {
            run_case(i, -1);
        }
    }
    for (int i = 0; i < ENTRIES; i++) {
        const entry *m = &entries[i];
        printf("%-14s %6ld problems: %6ld refused, %6ld solved, %6ld minimum, %6ld budget; %ld of %ld reachable ones "
               "solved\n",
               m->name, m->solves, m->refused, m->outcomes[LB_OUTCOME_SOLVED], m->outcomes[LB_OUTCOME_MINIMUM],
               m->outcomes[LB_OUTCOME_BUDGET], m->reached, m->reachable);
        solves += m->solves;
    }
    printf("%ld problems in all\n", solves);
    for (int i = 0; i < PROMISES; i++) {
        check_note("%s", promises[i]);
        CHECK_INT(failures[i], 0);
    }
    if (argc == 1) {
        CHECK(solves >= 3 * cases / 2);
    }
    return check_done();
}
