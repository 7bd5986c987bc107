/* limber compare: Engell-Norregard's comparison of 2007, with all of Limber's methods on the same problems. */
#include "cli/compare.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOLVE_DEADLINE_US 60e3 /* of one solve: the whole stays under half a minute whatever a method does */
#define GOALS 10
#define GOALS_MOST 10000

static const cli_option options[] = {
    {"output", 'o', "DIR", "write report.md with its plots (SVG and PNG) into this folder"},
    {"goals", 'g', "N", "how many goals for each length of chain (default: 10)"},
    {NULL, 0, NULL, NULL},
};

const contestant cli_contestants[CONTESTANTS] = {
    {"lm", LB_METHOD_LM, LB_JACOBIAN_DAMPED},
    {"bfgs", LB_METHOD_BFGS, LB_JACOBIAN_DAMPED},
    {"ccd", LB_METHOD_CCD, LB_JACOBIAN_DAMPED},
    {"jacobian transpose", LB_METHOD_JACOBIAN, LB_JACOBIAN_TRANSPOSE},
    {"jacobian inverse", LB_METHOD_JACOBIAN, LB_JACOBIAN_PSEUDO_INVERSE},
    {"jacobian damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_DAMPED},
    {"jacobian svd-damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_SVD_DAMPED},
    {"fabrik", LB_METHOD_FABRIK, LB_JACOBIAN_DAMPED},
};

/* --- One solve --------------------------------------------------------------------------------------------- */

static double clock_us(void *context) {
    (void)context;
    return cli_now_us();
}

/* The best so far: what every method would answer if it were stopped there. */
static int note_value(void *context, const lb_progress *p) {
    trial *t = context;
    if (t->curve_count < CURVE_MOST) {
        double best = t->curve_count ? t->y[t->curve_count - 1] : INFINITY;
        t->x[t->curve_count] = p->iteration;
        t->y[t->curve_count++] = fmin(best, p->value);
    }
    return 0;
}

static void race(lb_problem *problem, const double *start, const contestant *who, int iterations, int has_curve,
                 trial *t) {
    int count = lb_problem_variable_count(problem);
    lb_solver *solver = lb_solver_create(problem);
    double *pose = malloc(((size_t)count + 1) * sizeof *pose);
    lb_solve_options o;
    lb_result result;
    memset(t, 0, sizeof *t);
    lb_solve_options_defaults(&o);
    o.method = who->method, o.jacobian = who->variant;
    o.max_iterations = iterations;
    o.max_evaluations = 1000000;
    o.deadline_us = SOLVE_DEADLINE_US, o.now_us = clock_us;
    snprintf(t->why, sizeof t->why, "no memory");
    if (solver && pose && lb_solver_prepare(solver, o.method) == LB_OK) {
        t->us = INFINITY;
        for (int again = 0; again < 3 && (again == 0 || (t->can && t->us < 2e4));
             again++) { /* the quickest: others are at work, too */
            memcpy(pose, start, (size_t)count * sizeof *pose);
            double began = cli_now_us();
            t->can = lb_solver_solve(solver, &o, pose, &result) == LB_OK;
            t->us = fmin(t->us, cli_now_us() - began);
        }
        snprintf(t->why, sizeof t->why, "%.199s", result.explanation);
        t->outcome = result.outcome, t->value = result.value, t->iterations = result.iterations;
    }
    if (t->can && has_curve) { /* again, with the curve: noting it must not cost time above */
        t->x[0] = 0, t->y[0] = result.value_before, t->curve_count = 1;
        o.on_iteration = note_value, o.on_iteration_context = t;
        memcpy(pose, start, (size_t)count * sizeof *pose);
        lb_solver_solve(solver, &o, pose, &result);
    }
    lb_solver_destroy(solver);
    free(pose);
}

/* --- The problems ---------------------------------------------------------------------------------------------- */

typedef struct setting {
    const char *name, *what, *figure;
    const char *sites[6]; /* to where a pose at random has them; one with a point of its own first */
    int site_count, has_point;
    double point[3];
    double optimum;
} setting;

static const setting settings[MATCHES] = {
    {"out of reach",
     "EN07's chain of five ball joints, 15 dofs; the goal lies 10.4 units beyond what it can reach",
     "en07-chain",
     {"end"},
     1,
     1,
     {0.25, 0, 0.25},
     0.10355339059327378},
    {"in reach", "The same chain; a goal that it can reach", "en07-chain", {"end"}, 1, 1, {0.12, 0.05, 0.08}, 0},
    {"on its own axis",
     "Ten pins in a straight line, the goal on that line, halfway: every gradient is zero at the start",
     "chain:10",
     {"link10.tip"},
     1,
     1,
     {0, 0, 0.5},
     0},
    {"for each of five chains",
     "EN07's tree; every end to where a pose at random has it",
     "en07-tree",
     {"end2", "end3", "end4", "end5", "end6"},
     5,
     0,
     {0},
     0},
    {"for each hand and foot",
     "EN07's human of 32 joints and 78 dofs; hands and feet to where a pose at random has them",
     "en07-human",
     {"right_fingertip", "left_fingertip", "right_heel", "left_heel"},
     4,
     0,
     {0},
     0},
};

static int load_figure(const char *name, lb_figure **figure) {
    cli_source source = {.path = name};
    cli_warnings warnings = {0};
    int code = cli_load(&source, &warnings, figure, NULL);
    cli_warnings_free(&warnings);
    return code;
}

/* Position goals at the places that the sites have in a pose at random; half of the way there from rest, so that it is
 * no contortion. */
static lb_status add_random_goals(lb_problem *problem, const lb_figure *figure, const char *const *sites, int count,
                                  const double *rest, uint64_t *seed) {
    lb_kinematics *kinematics = lb_kinematics_create(figure);
    int variables = lb_figure_variable_count(figure);
    double *pose = malloc(((size_t)variables + 1) * sizeof *pose);
    lb_status status = kinematics && pose ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        lb_figure_random_pose(figure, seed, pose);
        for (int k = 0; k < variables; k++) {
            pose[k] = rest[k] + 0.5 * (pose[k] - rest[k]);
        }
        status = lb_kinematics_update(kinematics, pose);
    }
    for (int k = 0; k < count && !status; k++) {
        lb_frame frame;
        lb_constraint c;
        int site = lb_figure_find_site(figure, sites[k]);
        status = site < 0 ? LB_ERROR_NAME : lb_kinematics_site(kinematics, site, &frame);
        status = status ? status : lb_constraint_at(figure, sites[k], frame.position, &c);
        if (!status) {
            c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = 1e-4;
            int id = lb_problem_add(problem, &c);
            status = id < 0 ? (lb_status)id : LB_OK;
        }
    }
    lb_kinematics_destroy(kinematics);
    free(pose);
    return status;
}

static int run_match(const setting *s, match *m) {
    lb_figure *figure = NULL;
    int code = load_figure(s->figure, &figure);
    if (code) {
        return code;
    }
    int count = lb_figure_variable_count(figure);
    lb_problem *problem = lb_problem_create(figure);
    double *start = malloc(((size_t)count + 1) * sizeof *start);
    uint64_t seed = 7;
    lb_status status = problem && start ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        lb_figure_rest_pose(figure, start);
    }
    if (!status && s->has_point) {
        lb_constraint c;
        status = lb_constraint_at(figure, s->sites[0], s->point, &c);
        c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = 1e-4;
        int id = status ? (int)status : lb_problem_add(problem, &c);
        status = id < 0 ? (lb_status)id : LB_OK;
    } else if (!status) {
        status = add_random_goals(problem, figure, s->sites, s->site_count, start, &seed);
    }
    m->name = s->name, m->what = s->what, m->optimum = s->optimum, m->is_unreachable = s->optimum > 0, m->unit = 0.01;
    for (int k = 0; k < CONTESTANTS && !status; k++) {
        race(problem, start, &cli_contestants[k], 300, 1, &m->trials[k]);
    }
    free(start);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    return status ? cli_fail(CLI_BAD_INPUT, "`%s` cannot be set up: %s", s->figure, lb_status_text(status)) : CLI_OK;
}

/* --- Longer and longer chains ------------------------------------------------------------------------------------ */

static int run_chain(int joints, growth *g, int column) {
    char name[32], site[32];
    const char *sites[1] = {site};
    lb_figure *figure = NULL;
    snprintf(name, sizeof name, "chain:%d", joints);
    snprintf(site, sizeof site, "link%d.tip", joints);
    int code = load_figure(name, &figure);
    double *start = code ? NULL : malloc(((size_t)joints + 1) * sizeof *start);
    trial *t = malloc(sizeof *t);
    uint64_t seed = 1;
    lb_status status = code || (start && t) ? LB_OK : LB_ERROR_MEMORY;
    for (int goal = 0; goal < g->goals && !code && !status; goal++) {
        lb_problem *problem = lb_problem_create(figure);
        for (int k = 0; k < joints; k++) {
            start[k] = 0.3 * (k % 3 - 1) + 0.05; /* slightly bent: a straight one has a match of its own */
        }
        status = problem ? add_random_goals(problem, figure, sites, 1, start, &seed) : LB_ERROR_MEMORY;
        for (int k = 0; k < CONTESTANTS && !status; k++) {
            race(problem, start, &cli_contestants[k], 1000, 0, t);
            g->cells[k][column].can += t->can;
            if (t->can) {
                g->cells[k][column].us_per_iteration += t->us / fmax(t->iterations, 1);
            }
            if (t->can && t->outcome == LB_OUTCOME_SOLVED) {
                g->cells[k][column].solved++;
                g->cells[k][column].iterations += t->iterations;
                g->cells[k][column].us += t->us;
            }
        }
        lb_problem_destroy(problem);
    }
    for (int k = 0; k < CONTESTANTS; k++) {
        int solved = g->cells[k][column].solved, can = g->cells[k][column].can;
        g->cells[k][column].us_per_iteration = can ? g->cells[k][column].us_per_iteration / can : NAN;
        g->cells[k][column].iterations = solved ? g->cells[k][column].iterations / solved : NAN;
        g->cells[k][column].us = solved ? g->cells[k][column].us / solved : NAN;
    }
    free(start);
    free(t);
    lb_figure_destroy(figure);
    return code     ? code
           : status ? cli_fail(CLI_BAD_INPUT, "chain:%d cannot be set up: %s", joints, lb_status_text(status))
                    : CLI_OK;
}

/* --- All of it ----------------------------------------------------------------------------------- */

static void show_progress(int done, int all) {
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, done < all ? "\r[%.*s%*s] comparing" : "\r%.*s%*s%52s\r", done < all ? 30 * done / all : 0,
                "##############################", done < all ? 30 - 30 * done / all : 0, "", "");
    }
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    static const int sizes[] = {5, 10, 20, 40, 80, 160};
    int size_count = (int)(sizeof sizes / sizeof sizes[0]), code = CLI_OK;
    const char *folder = cli_value(command, arguments, "output"), *goals = cli_value(command, arguments, "goals");
    double goal_count = GOALS;
    if (goals && (cli_read_numbers(goals, 1, &goal_count) || !(goal_count >= 1 && goal_count <= GOALS_MOST) ||
                  goal_count != floor(goal_count))) {
        return cli_usage(command, "`--goals %s` is no whole number between 1 and %d", goals, GOALS_MOST);
    }
    comparison *c = calloc(1, sizeof *c);
    double began = cli_now_us();
    if (!c) {
        return cli_fail(CLI_BAD_INPUT, "no memory to compare the methods");
    }
    c->growth.count = size_count, c->growth.goals = (int)goal_count;
    for (int k = 0; k < MATCHES && !code; k++) {
        show_progress(k, MATCHES + size_count);
        code = run_match(&settings[k], &c->matches[k]);
    }
    for (int k = 0; k < size_count && !code; k++) {
        show_progress(MATCHES + k, MATCHES + size_count);
        c->growth.joints[k] = sizes[k];
        code = run_chain(sizes[k], &c->growth, k);
    }
    show_progress(1, 1);
    c->seconds = (cli_now_us() - began) / 1e6;
    if (!code) {
        cli_compare_print(c);
        code = folder ? cli_compare_write(c, folder) : CLI_OK;
    }
    free(c);
    return code;
}

const cli_command cli_compare = {
    .name = "compare",
    .synopsis = "",
    .summary = "compare the methods on one set of problems",
    .text = "Engell-Norregard's comparison (2007) over all methods: what is left after how many\n"
            "iterations, time per iteration against joints, iterations and time against the length\n"
            "of a chain, and the distance to a goal out of reach. Tables on standard output; with\n"
            "-o also a report with plots.\n\n"
            "  limber compare -o comparison",
    .options = options,
    .least_operands = 0,
    .most_operands = 0,
    .run = run,
};
