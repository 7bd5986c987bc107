/* limber compare: Engell-Norregard's comparison of 2007, with all of Limber's methods on the same problems. */
#include "cli/compare/compare.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOALS 10
#define GOALS_MOST 10000
#define NEAR 1e-4 /* metres: what counts as there */

static const cli_option options[] = {
    {"output", 'o', "DIR", "write report.md with its plots (SVG and PNG) and numbers (CSV) into this folder"},
    {"goals", 'g', "N", "how many goals for each length of chain (default: 10)"},
    {NULL, 0, NULL, NULL},
};

const contestant cli_contestants[CONTESTANTS] = {
    {"lm", LB_METHOD_LM, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 0},
    {"bfgs", LB_METHOD_BFGS, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 0},
    {"bfgs, dfp alone", LB_METHOD_BFGS, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_DFP, LB_CCD_VARIANT_DOF, 1},
    {"ccd by dof", LB_METHOD_CCD, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 0},
    {"ccd by axis", LB_METHOD_CCD, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_AXIS, 1},
    {"jacobian transpose", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_TRANSPOSE, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF,
     1},
    {"jacobian inverse", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_PSEUDO_INVERSE, LB_BFGS_UPDATE_SWITCH,
     LB_CCD_VARIANT_DOF, 1},
    {"jacobian damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 1},
    {"jacobian svd-damped", LB_METHOD_JACOBIAN, LB_JACOBIAN_VARIANT_SVD_DAMPED, LB_BFGS_UPDATE_SWITCH,
     LB_CCD_VARIANT_DOF, 1},
    {"fabrik", LB_METHOD_FABRIK, LB_JACOBIAN_VARIANT_DAMPED, LB_BFGS_UPDATE_SWITCH, LB_CCD_VARIANT_DOF, 0},
};

/* --- One solve --------------------------------------------------------------------------------------------- */

/* G of every iteration's pose as it is: rises are seen. */
static int note_value(void *context, const lb_progress *p) {
    trial *t = context;
    if (t->curve_count < CURVE_MOST) {
        t->rises += p->value > t->y[t->curve_count - 1] * (1 + 1e-12);
        t->x[t->curve_count] = p->iteration;
        t->y[t->curve_count++] = p->value;
    }
    return 0;
}

double cli_compare_after(const trial *t, int iterations) {
    double value = NAN;
    for (int k = 0; k < t->curve_count && t->x[k] <= iterations; k++) {
        value = t->y[k];
    }
    return value;
}

static void race(lb_problem *problem, const double *start, const contestant *who, int has_curve, trial *t) {
    int count = lb_problem_variable_count(problem);
    lb_solver *solver = lb_solver_create(problem, NULL);
    double *pose = malloc(((size_t)count + 1) * sizeof *pose);
    lb_solve_options o;
    lb_result result;
    lb_result_defaults(&result);
    memset(t, 0, sizeof *t);
    lb_solve_options_defaults(&o);
    o.method = who->method, o.jacobian = who->variant, o.bfgs_update = who->update, o.ccd = who->ccd;
    o.max_iterations = ITERATIONS;
    o.max_evaluations = 1000000;
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
    const char *name, *file, *what, *figure;
    const char *sites[6]; /* to where a pose at random has them; one with a point of its own first */
    int site_count, has_point;
    double point[3];
    double optimum;
} setting;

static const setting settings[MATCHES] = {
    {"out of reach",
     "out-of-reach",
     "EN07's chain of five ball joints, 15 dofs, 25 units long, a unit being 1 cm; the goal is 25 units from its end, "
     "where "
     "the best\nthat can be had is 2",
     "en07-chain",
     {"end"},
     1,
     1,
     {0.22724955445500877, 0, 0.1458},
     0.02},
    {"in reach",
     "in-reach",
     "The same chain; a goal that it can reach",
     "en07-chain",
     {"end"},
     1,
     1,
     {0.12, 0.05, 0.08},
     0},
    {"on its own axis",
     "on-axis",
     "Ten pins in a straight line, the goal on that line, halfway: every gradient is zero at the start",
     "chain:10",
     {"link10.tip"},
     1,
     1,
     {0, 0, 0.5},
     0},
    {"for each of five chains",
     "tree",
     "EN07's tree; every end to where a pose at random has it",
     "en07-tree",
     {"end2", "end3", "end4", "end5", "end6"},
     5,
     0,
     {0},
     0},
    {"for each hand and foot",
     "human",
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
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
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
            c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = NEAR;
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
    lb_problem *problem = lb_problem_create(figure, NULL);
    double *start = malloc(((size_t)count + 1) * sizeof *start);
    uint64_t seed = 7;
    lb_status status = problem && start ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        lb_figure_rest_pose(figure, start);
    }
    if (!status && s->has_point) {
        lb_constraint c;
        status = lb_constraint_at(figure, s->sites[0], s->point, &c);
        c.tolerance[0] = c.tolerance[1] = c.tolerance[2] = NEAR;
        int id = status ? (int)status : lb_problem_add(problem, &c);
        status = id < 0 ? (lb_status)id : LB_OK;
    } else if (!status) {
        status = add_random_goals(problem, figure, s->sites, s->site_count, start, &seed);
    }
    m->name = s->name, m->file = s->file, m->what = s->what, m->unit = 0.01;
    m->optimum = s->optimum, m->is_unreachable = s->optimum > 0;
    for (int k = 0; k < CONTESTANTS && !status; k++) {
        race(problem, start, &cli_contestants[k], 1, &m->trials[k]);
    }
    free(start);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    return status ? cli_fail(CLI_BAD_INPUT, "`%s` cannot be set up: %s", s->figure, lb_status_text(status)) : CLI_OK;
}

/* --- Longer and longer chains ------------------------------------------------------------------------------------ */

/* The chains of one set: a figure and an end for each number of joints. */
typedef struct chains {
    const char *name;
    const char *figure, *site; /* with %d for the number of joints */
    double link;               /* metres: so much longer is the reach with every joint */
    double beyond;             /* metres that goals lie out of reach; 0: in reach */
    int count, joints[SIZES_MOST];
} chains;

static const chains sets[GROWTHS] = {
    {"tree, in reach", "en07-tree", "end%d", 0.05, 0, 5, {2, 3, 4, 5, 6}},
    {"tree, out of reach", "en07-tree", "end%d", 0.05, 0.02, 5, {2, 3, 4, 5, 6}},
    {"chains", "chain:%d", "link%d.tip", 0.1, 0, 6, {5, 10, 20, 40, 80, 160}},
};

/* A goal in a random direction, a little farther from the root than the chain is long. */
static lb_status add_far_goal(lb_problem *problem, const lb_figure *figure, const char *site, double distance,
                              uint64_t *seed) {
    double way[3], size = 0, point[3];
    lb_constraint c;
    do {
        size = 0;
        for (int k = 0; k < 3; k++) { /* Marsaglia's xorshift */
            *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
            way[k] = (double)(*seed >> 11) * 0x1p-52 - 1;
            size += way[k] * way[k];
        }
    } while (!(size > 0.01 && size <= 1));
    for (int k = 0; k < 3; k++) {
        point[k] = distance * way[k] / sqrt(size);
    }
    lb_status status = lb_constraint_at(figure, site, point, &c);
    if (status) {
        return status;
    }
    int id = lb_problem_add(problem, &c);
    return id < 0 ? (lb_status)id : LB_OK;
}

static void count_trial(const trial *t, growth *g, int who, int column) {
    double left = fmax(sqrt(fmax(t->value, 0)) - g->beyond, 0); /* below 0 by rounding errors */
    int done = g->beyond > 0 ? left <= NEAR : t->outcome == LB_OUTCOME_SOLVED;
    g->cells[who][column].can += t->can;
    if (!t->can) {
        return;
    }
    g->cells[who][column].us_per_iteration += t->us / fmax(t->iterations, 1);
    g->cells[who][column].left += left;
    g->cells[who][column].done += done;
    if (done || g->beyond > 0) {
        g->cells[who][column].iterations += t->iterations;
        g->cells[who][column].us += t->us;
    }
}

/* Sums to means. */
static void take_means(growth *g, int column) {
    for (int k = 0; k < CONTESTANTS; k++) {
        int can = g->cells[k][column].can, ended = g->beyond > 0 ? can : g->cells[k][column].done;
        g->cells[k][column].us_per_iteration = can ? g->cells[k][column].us_per_iteration / can : NAN;
        g->cells[k][column].left = can ? g->cells[k][column].left / can : NAN;
        g->cells[k][column].iterations = ended ? g->cells[k][column].iterations / ended : NAN;
        g->cells[k][column].us = ended ? g->cells[k][column].us / ended : NAN;
    }
}

static int run_chain(const chains *set, growth *g, int column) {
    char name[32], site[32];
    const char *sites[1] = {site};
    int joints = set->joints[column];
    lb_figure *figure = NULL;
    snprintf(name, sizeof name, set->figure, joints);
    snprintf(site, sizeof site, set->site, joints);
    int code = load_figure(name, &figure), variables = code ? 0 : lb_figure_variable_count(figure);
    double *start = code ? NULL : malloc(((size_t)variables + 1) * sizeof *start);
    trial *t = malloc(sizeof *t);
    uint64_t seed = 1;
    lb_status status = code || (start && t) ? LB_OK : LB_ERROR_MEMORY;
    for (int goal = 0; goal < g->goals && !code && !status; goal++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        for (int k = 0; k < variables; k++) {
            start[k] = 0.3 * (k % 3 - 1) + 0.05; /* slightly bent: a straight one has a match of its own */
        }
        status = !problem          ? LB_ERROR_MEMORY
                 : set->beyond > 0 ? add_far_goal(problem, figure, site, set->link * joints + set->beyond, &seed)
                                   : add_random_goals(problem, figure, sites, 1, start, &seed);
        for (int k = 0; k < CONTESTANTS && !status; k++) {
            race(problem, start, &cli_contestants[k], 0, t);
            count_trial(t, g, k, column);
        }
        lb_problem_destroy(problem);
    }
    take_means(g, column);
    free(start);
    free(t);
    lb_figure_destroy(figure);
    return code     ? code
           : status ? cli_fail(CLI_BAD_INPUT, "`%s` cannot be set up: %s", name, lb_status_text(status))
                    : CLI_OK;
}

/* --- All of it ----------------------------------------------------------------------------------- */

static void show_progress(int done, int all) {
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, done < all ? "\r[%.*s%*s] comparing" : "\r%.*s%*s%52s\r", done < all ? 30 * done / all : 0,
                "##############################", done < all ? 30 - 30 * done / all : 0, "", "");
    }
}

static int measure(comparison *c, int goals) {
    int done = 0, all = MATCHES, code = CLI_OK;
    for (int s = 0; s < GROWTHS; s++) {
        all += sets[s].count;
    }
    for (int k = 0; k < MATCHES && !code; k++) {
        show_progress(done++, all);
        code = run_match(&settings[k], &c->matches[k]);
    }
    for (int s = 0; s < GROWTHS && !code; s++) {
        growth *g = &c->growths[s];
        g->name = sets[s].name, g->beyond = sets[s].beyond, g->count = sets[s].count, g->goals = goals;
        memcpy(g->joints, sets[s].joints, sizeof g->joints);
        for (int k = 0; k < g->count && !code; k++) {
            show_progress(done++, all);
            code = run_chain(&sets[s], g, k);
        }
    }
    show_progress(1, 1);
    return code;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    const char *folder = cli_value(command, arguments, "output"), *goals = cli_value(command, arguments, "goals");
    double goal_count = GOALS;
    if (goals && (cli_read_numbers(goals, 1, &goal_count) || !(goal_count >= 1 && goal_count <= GOALS_MOST) ||
                  goal_count != floor(goal_count))) {
        return cli_usage(command, "`--goals %s` is no whole number between 1 and %d", goals, GOALS_MOST);
    }
    int made = folder ? cli_compare_make_folder(folder) : CLI_OK;
    if (made) {
        return made;
    }
    comparison *c = calloc(1, sizeof *c);
    if (!c) {
        return cli_fail(CLI_BAD_INPUT, "no memory to compare the methods");
    }
    double began = cli_now_us();
    int code = measure(c, (int)goal_count);
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
            "of a chain, the distance to a goal out of reach, and which of its conclusions hold.\n"
            "Tables on standard output; with -o also a report with plots, and all numbers as CSV.\n\n"
            "  limber compare -o comparison",
    .options = options,
    .least_operands = 0,
    .most_operands = 0,
    .run = run,
};
