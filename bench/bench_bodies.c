/* Bodies: the problems in problems/ by every method, and sets of instances of the body tasks at random, by lm, bfgs and
 * (--peers) NLopt's bounded L-BFGS and SLSQP on our G and its gradient.
 *
 * All stop where their set says. Goals within reach: as soon as all tolerances are met. Goals out of reach: lm and bfgs
 * at a Kuhn-Tucker point, by their own test; NLopt's, which has no test as sharp, at the first value within 1e-6
 * (relative) of the one it comes to when left alone. A run of each that is not timed finds out after how many
 * evaluations that is, and the timed ones end there: looking costs NLopt no time.
 *
 * Contestants and instances take turns, round after round; in its turn each solves the instance a few times in a row, unless
 * that takes long, and the time of an instance is the least of all, in CPU time of the thread, so that other programs do not
 * count. "first us" is the same of the first solve of each turn alone, whose caches are full of the others' work.
 * --quick leaves SLSQP out: it alone takes longer than all others. */
#include "bench.h"
#include "tasks.h"

#include <dirent.h>
#include <math.h>
#ifdef LIMBER_HAVE_NLOPT
#include <nlopt.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 21
#define MAX_PROBLEMS 64
#define METHODS 5
#define TURN 5        /* solves in a row, ... */
#define TURN_US 1000. /* ... as long as they took less than this */

/* ---------------------------------------------------------------------------------------------------
 * The problems that are shipped, by every method
 * ------------------------------------------------------------------------------------------------- */

typedef struct shipped {
    bench_task task;
    lb_result results[METHODS];
    double us[METHODS][MAX_ROUNDS];
} shipped;

static int by_name(const void *a, const void *b) {
    return strcmp(((const shipped *)a)->task.name, ((const shipped *)b)->task.name);
}

static int open_shipped(shipped *all) {
    char folder[1024], name[64];
    int count = 0;
    bench_source_path("problems", folder);
    DIR *directory = opendir(folder);
    if (!directory) {
        bench_stop("there is no folder problems/");
    }
    for (struct dirent *entry; (entry = readdir(directory)) && count < MAX_PROBLEMS;) {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || length > sizeof name || strcmp(entry->d_name + length - 5, ".json") != 0) {
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        if (bench_is_wanted(name)) {
            bench_task_open(&all[count++].task, name);
        }
    }
    closedir(directory);
    qsort(all, (size_t)count, sizeof *all, by_name);
    return count;
}

static void run_shipped(void) {
    shipped *all = bench_alloc(MAX_PROBLEMS, sizeof *all);
    int count = open_shipped(all), rounds = bench.is_quick ? 3 : MAX_ROUNDS;
    bench_table table;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            for (int m = 0; m < METHODS; m++) {
                lb_result *result = &all[i].results[m];
                if (round > 0 && result->outcome == LB_OUTCOME_INVALID) {
                    continue;
                }
                double begin = bench_cpu_us();
                bench_task_solve(&all[i].task, (lb_method)m, result);
                all[i].us[m][round] = bench_cpu_us() - begin;
            }
        }
    }
    bench_table_begin(&table, "bodies-problems", "problem|method|us|iterations|evaluations|outcome|G");
    for (int i = 0; i < count; i++) {
        for (int m = 0; m < METHODS; m++) {
            const lb_result *r = &all[i].results[m];
            if (r->outcome == LB_OUTCOME_INVALID) {
                bench_table_row(&table, "%s|%s||||cannot|", all[i].task.name, lb_method_name((lb_method)m));
            } else {
                bench_table_row(&table, "%s|%s|%.1f|%d|%d|%s|%.6g", all[i].task.name, lb_method_name((lb_method)m),
                                bench_statistics(rounds, all[i].us[m]).min, r->iterations, r->evaluations,
                                lb_outcome_name(r->outcome), r->value);
            }
        }
        bench_task_close(&all[i].task);
    }
    if (count) {
        bench_table_print(&table, 0);
    }
    bench_table_end(&table);
    free(all);
}

/* ---------------------------------------------------------------------------------------------------
 * Contestants
 * ------------------------------------------------------------------------------------------------- */

#define RESTARTS 200 /* of lm, once, where minima are many: the bar */

enum { LM, BFGS, STARTS, LBFGS, SLSQP, CONTESTANTS };
static const char *const contestant_names[CONTESTANTS] = {"lm", "bfgs", "lm, 200 restarts", "NLopt L-BFGS",
                                                          "NLopt SLSQP"};

typedef struct peer peer;

typedef struct trial {
    double us[MAX_ROUNDS], first_us[MAX_ROUNDS];
    lb_outcome outcome; /* of the answer, by the library's own test of its constraints and limits */
    double value;       /* of G */
    int iterations, evaluations, is_inside;
} trial;

typedef struct instance {
    bench_task task;
    int is_reachable, has_starts;
    double best; /* the least value inside the limits that any contestant found */
    trial trials[CONTESTANTS];
    peer *peers[CONTESTANTS];
} instance;

/* Whether a pose meets all tolerances, and its value: a solve that may not take a step. */
static int is_met(bench_task *task, const double *pose, double *value) {
    lb_solve_options options = task->options;
    lb_result result;
    lb_result_defaults(&result);
    options.method = LB_METHOD_LM;
    options.max_iterations = 0;
    options.restarts = 0;
    memcpy(task->pose, pose, (size_t)task->variables * sizeof(double));
    if (lb_solver_solve(task->solver, &options, task->pose, &result)) {
        bench_stop("a pose could not be tested");
    }
    *value = result.value;
    return result.outcome == LB_OUTCOME_SOLVED;
}

#ifdef LIMBER_HAVE_NLOPT

/* A limit over several variables, for SLSQP; L-BFGS knows bounds only and is spared them. */
typedef struct peer_row {
    const peer *p;
    const lb_limit_row *row;
} peer_row;

/* Between the solver's G, over all variables, and NLopt, over those that move. */
struct peer {
    bench_task *task;
    nlopt_opt opt;
    int moving, *variables; /* [moving] */
    double *x, *pose, *gradient;
    peer_row *rows; /* [rows of the figure] */
    double *values; /* of every evaluation of the run that is not timed; else NULL */
    int evaluations, first_met;
};

#define PEER_EVALUATIONS 20000

static double peer_objective(unsigned n, const double *x, double *gradient, void *context) {
    peer *p = context;
    double value;
    for (unsigned i = 0; i < n; i++) {
        p->pose[p->variables[i]] = x[i];
    }
    lb_solver_value(p->task->solver, p->pose, &value, gradient ? p->gradient : NULL);
    for (unsigned i = 0; gradient && i < n; i++) {
        gradient[i] = p->gradient[p->variables[i]];
    }
    if (p->values) {
        double projected;
        if (p->evaluations < PEER_EVALUATIONS) {
            p->values[p->evaluations] = value;
        }
        if (p->first_met < 0 && is_met(p->task, p->pose, &projected)) {
            p->first_met = p->evaluations;
        }
    }
    p->evaluations++;
    return value;
}

static double peer_limit(unsigned n, const double *x, double *gradient, void *context) {
    const peer_row *r = context;
    double sum = -r->row->bound;
    for (unsigned i = 0; i < n; i++) {
        if (gradient) {
            gradient[i] = 0;
        }
        for (int k = 0; k < r->row->count; k++) {
            if (r->row->variables[k] == r->p->variables[i]) {
                sum += r->row->coefficients[k] * x[i];
                if (gradient) {
                    gradient[i] = r->row->coefficients[k];
                }
            }
        }
    }
    return sum;
}

/* The variables that move are those that some pose has a derivative by. */
static void find_moving(peer *p) {
    const bench_task *task = p->task;
    const lb_figure *figure = lb_problem_figure(task->problem, 0);
    char *moves = bench_alloc((size_t)task->variables, 1);
    uint64_t seed = 5;
    double value;
    memcpy(p->pose, task->start, (size_t)task->variables * sizeof(double));
    for (int k = 0; k < 8; k++) {
        lb_figure_random_pose(figure, &seed, p->pose);
        lb_solver_value(task->solver, p->pose, &value, p->gradient);
        for (int i = 0; i < task->variables; i++) {
            moves[i] |= p->gradient[i] != 0;
        }
    }
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        if (moves[i]) {
            p->variables[p->moving++] = i;
        }
    }
    memcpy(p->pose, task->start, (size_t)task->variables * sizeof(double));
    free(moves);
}

static void add_limits(peer *p, int contestant) {
    const lb_figure *figure = lb_problem_figure(p->task->problem, 0);
    for (int i = 0; i < p->moving; i++) {
        const lb_variable *v = lb_figure_variable(figure, p->variables[i]);
        nlopt_set_lower_bound(p->opt, i, v->lower);
        nlopt_set_upper_bound(p->opt, i, v->upper);
    }
    for (int r = 0; contestant == SLSQP && r < lb_figure_row_count(figure); r++) {
        const lb_limit_row *row = lb_figure_row(figure, r);
        int moves = 0;
        for (int k = 0; k < row->count; k++) {
            for (int i = 0; i < p->moving; i++) {
                moves |= row->variables[k] == p->variables[i];
            }
        }
        if (!moves) {
            continue;
        }
        p->rows[r] = (peer_row){p, row};
        nlopt_add_inequality_constraint(p->opt, peer_limit, &p->rows[r], 0);
    }
}

static void peer_run(peer *p, trial *t) {
    double value;
    for (int i = 0; i < p->moving; i++) {
        p->x[i] = p->task->start[p->variables[i]];
    }
    p->evaluations = 0;
    nlopt_optimize(p->opt, p->x, &value);
    t->evaluations = t->iterations = p->evaluations;
    for (int i = 0; i < p->moving; i++) {
        p->pose[p->variables[i]] = p->x[i];
    }
}

/* Runs it to its end, and has later runs stop where the set's rule is first met. */
static void peer_prepare(instance *one, int contestant) {
    trial *t = &one->trials[contestant];
    peer *p = one->peers[contestant] = bench_alloc(1, sizeof *p);
    size_t n = (size_t)one->task.variables;
    double least = INFINITY;
    int stop = 0;
    p->task = &one->task;
    p->variables = bench_alloc(n, sizeof *p->variables);
    p->x = bench_alloc(3 * n, sizeof(double));
    p->pose = p->x + n;
    p->gradient = p->x + 2 * n;
    p->values = bench_alloc(PEER_EVALUATIONS, sizeof(double));
    p->first_met = -1;
    p->rows = bench_alloc((size_t)lb_figure_row_count(lb_problem_figure(p->task->problem, 0)), sizeof *p->rows);
    find_moving(p);
    p->opt = nlopt_create(contestant == LBFGS ? NLOPT_LD_LBFGS : NLOPT_LD_SLSQP, (unsigned)p->moving);
    if (!p->opt) {
        bench_stop("NLopt has no memory");
    }
    add_limits(p, contestant);
    nlopt_set_min_objective(p->opt, peer_objective, p);
    nlopt_set_maxeval(p->opt, PEER_EVALUATIONS);
    nlopt_set_ftol_rel(p->opt, 1e-15);
    nlopt_set_xtol_rel(p->opt, 1e-15);
    if (one->is_reachable) {
        nlopt_set_stopval(p->opt, 1e-14);
    }
    peer_run(p, t);
    for (int i = 0; i < p->evaluations; i++) {
        least = fmin(least, p->values[i]);
    }
    while (stop < p->evaluations - 1 && p->values[stop] > least * (1 + 1e-6)) {
        stop++;
    }
    if (one->is_reachable) {
        stop = p->first_met >= 0 ? p->first_met : p->evaluations - 1;
    }
    nlopt_set_maxeval(p->opt, stop + 1);
    free(p->values);
    p->values = NULL;
}

static void peer_close(peer *p) {
    if (!p) {
        return;
    }
    nlopt_destroy(p->opt);
    free(p->rows);
    free(p->variables);
    free(p->x);
    free(p);
}

static const double *peer_pose(const peer *p) { return p->pose; }

#else

static void peer_prepare(instance *one, int contestant) { (void)one, (void)contestant; }
static void peer_run(peer *p, trial *t) { (void)p, (void)t; }
static void peer_close(peer *p) { (void)p; }
static const double *peer_pose(const peer *p) {
    (void)p;
    return NULL;
}

#endif

static void run_trial(instance *one, int contestant, int round) {
    trial *t = &one->trials[contestant];
    const double *pose = one->task.pose;
    lb_result result;
    lb_result_defaults(&result);
    t->us[round] = t->first_us[round] = NAN;
    if (contestant > STARTS && !one->peers[contestant]) {
        return;
    }
    if (contestant == STARTS && (round > 0 || !one->has_starts)) {
        return;
    }
    double spent = 0;
    one->task.options.restarts = contestant == STARTS ? RESTARTS : 0;
    for (int i = 0; i < TURN && spent < TURN_US; i++) {
        double begin = bench_cpu_us();
        if (contestant <= STARTS) {
            bench_task_solve(&one->task, contestant == BFGS ? LB_METHOD_BFGS : LB_METHOD_LM, &result);
        } else {
            peer_run(one->peers[contestant], t);
        }
        double us = bench_cpu_us() - begin;
        if (i == 0) {
            t->first_us[round] = us;
        }
        t->us[round] = fmin(us, t->us[round]); /* fmin passes over NaN */
        spent += us;
    }
    if (round > 0) {
        return;
    }
    if (contestant <= STARTS) {
        t->iterations = result.iterations;
        t->evaluations = result.evaluations;
    } else {
        pose = peer_pose(one->peers[contestant]);
    }
    t->is_inside = lb_figure_violation(lb_problem_figure(one->task.problem, 0), pose) <= 1e-9;
    t->outcome = is_met(&one->task, pose, &t->value) ? LB_OUTCOME_SOLVED
                 : contestant <= STARTS              ? result.outcome
                                                     : LB_OUTCOME_MINIMUM;
}

/* ---------------------------------------------------------------------------------------------------
 * Sets of instances
 * ------------------------------------------------------------------------------------------------- */

typedef enum set_kind { TUBE, TUBE_FAR, FOUR_GOALS, FOUR_WIDE, BAR } set_kind;

static const struct set {
    const char *name, *problem;
    set_kind kind;
    int is_reachable;
} sets[] = {{"tube, 70 dofs", "zb94-tube-free", TUBE, 1},
            {"tube, 70 dofs, hands out of reach", "zb94-tube-free", TUBE_FAR, 0},
            {"tube, 22 dofs", "zb94-tube-grouped", TUBE, 1},
            {"tube, 22 dofs, hands out of reach", "zb94-tube-grouped", TUBE_FAR, 0},
            {"four goals, 16 dofs", "zb89-four-goals", FOUR_GOALS, 1},
            {"four goals, 16 dofs, arms anywhere", "zb89-four-goals", FOUR_WIDE, 1},
            {"bar out of reach, 31 dofs", "zb89-bar", BAR, 0}};

static void open_instance(instance *one, const struct set *set, uint64_t seed) {
    uint64_t push = seed ^ 0x5bd1e995;
    bench_task_open(&one->task, set->problem);
    one->is_reachable = set->is_reachable;
    one->has_starts = set->kind == BAR;
    if (set->kind == TUBE) {
        bench_task_tube(&one->task, seed, 0);
    }
    if (set->kind == TUBE_FAR) {
        bench_task_tube(&one->task, seed, bench_uniform(&push, 0.3, 0.6));
    }
    if (set->kind == FOUR_GOALS) {
        bench_task_four_goals(&one->task, seed, 0);
    }
    if (set->kind == FOUR_WIDE) {
        bench_task_four_goals(&one->task, seed, 1);
    }
    if (set->kind == BAR) {
        bench_task_bar(&one->task, seed);
    }
    for (int c = LBFGS; bench.with_peers && c <= (bench.is_quick ? LBFGS : SLSQP); c++) {
        peer_prepare(one, c);
    }
}

static void find_best(instance *one) {
    one->best = INFINITY;
    for (int c = 0; c < CONTESTANTS; c++) {
        if (!isnan(one->trials[c].us[0]) && one->trials[c].is_inside) {
            one->best = fmin(one->best, one->trials[c].value);
        }
    }
}

typedef struct summary {
    bench_stats us, first_us;
    double right, best, iterations, evaluations, gap; /* gap: sqrt(G) above the best's, metres, the largest */
} summary;

static summary summarise(int count, const instance *all, int contestant, int rounds) {
    summary s = {0};
    double *us = bench_alloc((size_t)count, 4 * sizeof(double)), *iterations = us + count,
           *evaluations = us + 2 * count, *first_us = us + 3 * count;
    for (int i = 0; i < count; i++) {
        const trial *t = &all[i].trials[contestant];
        /* a goal that was pushed away may still be in reach: solved is right there, too */
        int is_right = t->outcome == LB_OUTCOME_SOLVED || (!all[i].is_reachable && t->outcome == LB_OUTCOME_MINIMUM);
        us[i] = bench_statistics(rounds, t->us).min;
        first_us[i] = bench_statistics(rounds, t->first_us).min;
        iterations[i] = t->iterations;
        evaluations[i] = t->evaluations;
        s.right += 100.0 / count * (is_right && t->is_inside);
        s.best +=
            100.0 / count * (t->is_inside && (t->outcome == LB_OUTCOME_SOLVED || t->value <= all[i].best * (1 + 1e-6)));
        if (t->outcome != LB_OUTCOME_SOLVED) {
            s.gap = fmax(s.gap, sqrt(t->value) - sqrt(all[i].best));
        }
    }
    s.us = bench_statistics(count, us);
    s.first_us = bench_statistics(count, first_us);
    s.iterations = bench_statistics(count, iterations).p50;
    s.evaluations = bench_statistics(count, evaluations).p50;
    free(us);
    return s;
}

static void bars_of(const struct set *set, const summary *s) {
    int is_70 = strcmp(set->problem, "zb94-tube-free") == 0;
    if (is_70 && set->kind == TUBE) {
        bench_bar("tube, 70 dofs: median", s[LM].us.p50, 0, 70, "us");
        bench_bar("tube, 70 dofs: faster than bounded L-BFGS", s[LBFGS].us.p50 / s[LM].us.p50, 1, 20, "x");
    }
    if (is_70 && set->kind == TUBE_FAR) {
        bench_bar("tube, 70 dofs, out of reach: median", s[LM].us.p50, 0, 700, "us");
        bench_bar("tube, 70 dofs, out of reach: p95", s[LM].us.p95, 0, 2000, "us");
        bench_bar("tube, 70 dofs, out of reach: at a Kuhn-Tucker point", s[LM].right, 1, 100, "%");
    }
    if (set->kind == FOUR_GOALS) {
        bench_bar("four goals: median", s[LM].us.p50, 0, 20, "us");
    }
    if (set->kind == BAR) {
        bench_bar("bar: median", s[LM].us.p50, 0, 150, "us");
        bench_bar("bar: at a Kuhn-Tucker point", s[LM].right, 1, 100, "%");
        bench_bar("bar: above the best optimum of any method with 200 restarts, at most", 1e6 * s[STARTS].gap, 0, 1,
                  "um");
    }
}

static void run_set(const struct set *set, bench_table *table, bench_table *each) {
    int count = bench_count(100, 24), rounds = bench.is_quick ? 5 : 9, first = table->rows;
    instance *all = bench_alloc((size_t)count, sizeof *all);
    summary s[CONTESTANTS];
    for (int i = 0; i < count; i++) {
        open_instance(&all[i], set, (uint64_t)i + 1);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < CONTESTANTS; c++) {
                if (c == SLSQP && round > 0) { /* slow: once is enough */
                    all[i].trials[c].us[round] = all[i].trials[c].first_us[round] = NAN;
                } else {
                    run_trial(&all[i], c, round);
                }
            }
        }
    }
    for (int i = 0; i < count; i++) {
        find_best(&all[i]);
    }
    for (int c = 0; c < CONTESTANTS; c++) {
        s[c] = summarise(count, all, c, rounds);
        if (s[c].us.count == 0) {
            continue;
        }
        bench_table_row(table, "%s|%s|%d|%.0f|%.0f|%.1f|%.1f|%.1f|%.1f|%.1f|%.0f|%.0f|%.2f|%.3g", set->name,
                        contestant_names[c], count, s[c].right, s[c].best, s[c].us.mean, s[c].us.p50, s[c].us.p95,
                        s[c].us.max, s[c].first_us.p50, s[c].iterations, s[c].evaluations, s[c].us.p50 / s[LM].us.p50,
                        s[c].gap);
        for (int i = 0; i < count; i++) {
            bench_table_row(each, "%s|%s|%d|%s|%d|%.3f|%d|%d|%.12g|%.12g", set->name, contestant_names[c], i,
                            lb_outcome_name(all[i].trials[c].outcome), all[i].trials[c].is_inside,
                            bench_statistics(rounds, all[i].trials[c].us).min, all[i].trials[c].iterations,
                            all[i].trials[c].evaluations, all[i].trials[c].value, all[i].best);
        }
    }
    printf("\n");
    bench_table_print(table, first);
    bars_of(set, s);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < CONTESTANTS; c++) {
            peer_close(all[i].peers[c]);
        }
        bench_task_close(&all[i].task);
    }
    free(all);
}

int main(int argc, char **argv) {
    bench_table table, each;
    bench_begin("bodies", argc, argv);
    run_shipped();
    bench_table_begin(
        &table, "bodies",
        "set|contestant|instances|right %|best %|mean us|median us|p95 us|max us|first us|iterations|evaluations|"
        "x lm|above best m");
    bench_table_begin(&each, "bodies-instances",
                      "set|contestant|instance|outcome|inside|us|iterations|evaluations|G|best G");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (bench_is_wanted(sets[i].name)) {
            run_set(&sets[i], &table, &each);
        }
    }
    bench_table_end(&table);
    bench_table_end(&each);
    return bench_end();
}
