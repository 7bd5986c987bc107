/* Limits hold to 1e-9 of the size of the variables, at the answer and at every callback, from starts up to 1e9 away; what
 * is too large for that is refused, and nothing is changed then. `solved` with a limit broken is never told. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "goal_formulas.h"
#include "property.h"
#include "random_figure.h"
#include "solving.h"
#include "truth.h"

static property properties[] = {{.name = "limits hold at the answer"},
                                {.name = "limits hold at every callback"},
                                {.name = "an equality holds where it is called solved"},
                                {.name = "what is refused changes nothing"},
                                {.name = "what is told of values up to 1e9 is finite"},
                                {.name = "what is called solved is met, far away, too"}};
enum { ANSWER, WAY, EQUALITY, REFUSED, FINITE, MET };

/* The largest violation in units of max(1, the largest |variable| that the limit speaks of); rows are unit vectors. */
static double broken(const random_problem *p, const double *pose, int only_equalities) {
    double most = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        const double *q = pose + lb_problem_first_variable(p->problem, f);
        for (int i = 0; i < lb_figure_variable_count(figure) && !only_equalities; i++) {
            const lb_variable *v = lb_figure_variable(figure, i);
            if (!(q[i] - q[i] == 0)) {
                return INFINITY;
            }
            most = fmax(most, fmax(v->lower - q[i], q[i] - v->upper) / fmax(1, fabs(q[i])));
        }
        for (int r = 0; r < lb_figure_row_count(figure); r++) {
            const lb_limit_row *row = lb_figure_row(figure, r);
            double off = -row->bound, size = 1;
            for (int k = 0; k < row->count; k++) {
                off += row->coefficients[k] * q[row->variables[k]];
                size = fmax(size, fabs(q[row->variables[k]]));
            }
            if (row->kind == LB_LIMIT_EQUAL) {
                off = fabs(off);
            } else if (only_equalities) {
                continue;
            }
            most = fmax(most, off / size);
        }
    }
    return most;
}

typedef struct watcher {
    const random_problem *p;
    double most;
} watcher;

static int watch(void *context, const lb_progress *progress) {
    watcher *w = context;
    w->most = fmax(w->most, broken(w->p, progress->pose, 0));
    return 0;
}

/* Starts far away, in some variables or in all. */
static double move_start_away(random_problem *p, uint64_t *seed) {
    double far = pow(10, random_between(seed, 0, 9.3));
    int n = lb_problem_variable_count(p->problem), all = random_below(seed, 2);
    for (int i = 0; i < n; i++) {
        if (all || random_below(seed, n) == 0) {
            p->start[i] += far * random_between(seed, -1, 1);
        }
    }
    return far;
}

/* Every goal that counts is met by the formulas, but for what rounding makes of variables of this size. */
static void check_met(const random_problem *p, const answer *a, double far, const char *method) {
    double size = 1 + p->scale;
    for (int i = 0; i < a->variables; i++) {
        size = fmax(size, fabs(a->pose[i]));
    }
    for (int f = 0; f < p->figure_count; f++) {
        lb_kinematics_update(p->kinematics[f], a->pose + lb_problem_first_variable(p->problem, f));
    }
    for (int i = 0; i < a->constraint_count; i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        double e[9];
        if (c->disabled || !a->constraints[i].counted) {
            continue;
        }
        if (c->goal.kind == LB_GOAL_POLYHEDRON && size > 1e3) {
            continue; /* the formula's feet are too coarse there */
        }
        truth_seen(p, c, e);
        property_expect(&properties[MET], formula_met(c, e, 1e-9 + 1e-13 * size),
                        "%s, start %.1g away, scale %.1g, largest variable %.1g: constraint %d is off by %.3g", method,
                        far, p->scale, size, i, sqrt(formula_potential(c, e)));
    }
}

static void check_answer(const random_problem *p, const answer *a, const watcher *w, double far, const char *method) {
    const char *outcome = lb_outcome_name(a->result.outcome);
    double off = broken(p, a->pose, 0), equal = broken(p, a->pose, 1);
    property_expect(&properties[ANSWER], off <= 1e-9, "%s, %s, start %.1g away, scale %.1g: broken by %.3g of the size",
                    method, outcome, far, p->scale, off);
    property_expect(&properties[WAY], w->most <= 1e-9,
                    "%s, %s, start %.1g away, scale %.1g: broken by %.3g of the size", method, outcome, far, p->scale,
                    w->most);
    property_expect(&properties[EQUALITY], a->result.outcome != LB_OUTCOME_SOLVED || equal <= 1e-9,
                    "%s, start %.1g away: off by %.3g of the size", method, far, equal);
    if (a->result.outcome == LB_OUTCOME_SOLVED) {
        check_met(p, a, far, method);
    }
    int finite = isfinite(a->result.value) && isfinite(a->result.value_before) && isfinite(a->result.gradient_norm);
    for (int i = 0; i < a->constraint_count; i++) {
        finite &= isfinite(a->constraints[i].distance) != 0;
    }
    property_expect(&properties[FINITE], finite, "%s: value %g, gradient %g", method, a->result.value,
                    a->result.gradient_norm);
}

static void run(long number, uint64_t seed) {
    static answer a;
    trap memory;
    random_problem p;
    lb_solve_options options;
    int which = number % 2 ? 0 : (int)(number / 2 % SOLVING_METHODS);
    double far = 0;
    trap_init(&memory);
    random_problem_mix(&p, seed, &memory, RANDOM_ALL | (number % 5 == 4 ? RANDOM_LARGE : 0));
    solving_options(&seed, which, &options);
    if (number % 3) {
        far = move_start_away(&p, &seed);
    }
    int n = lb_problem_variable_count(p.problem);
    watcher w = {&p, 0};
    if (number % 4) {
        options.on_iteration = watch;
        options.on_iteration_context = &w;
    }
    lb_solver *solver = lb_solver_create(p.problem, NULL);
    answer_solve(solver, &options, p.start, n, &a);
    const char *method = solving_method(which, &options);
    if (a.status == LB_OK) {
        check_answer(&p, &a, &w, far, method);
    } else {
        property_expect(&properties[REFUSED],
                        memcmp(a.pose, p.start, (size_t)n * sizeof *a.pose) == 0 &&
                            a.result.outcome == LB_OUTCOME_INVALID && a.result.explanation[0],
                        "%s: status %d", method, a.status);
    }
    lb_solver_destroy(solver);
    random_problem_free(&p);
}

int main(int argc, char **argv) { return property_main(argc, argv, 3000, 30000, run, properties, 6); }
