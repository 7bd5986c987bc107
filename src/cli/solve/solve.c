/* limber solve: a problem from a file, or from the command line, and its answer. */
#include "cli/output.h"
#include "cli/solve/solve_write.h"
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {
    {"goal", 'g', "GOAL", "what is asked, as in 'right_palm at 0.4,-0.3,1.2'; may come several times"},
    {"keep", 'k', "NAMES", "sites or segments that stay where they are, with commas; may come several times"},
    {"start", 's', "VALUES", "variables that differ from rest at the start, as in elbow=90deg,spine.flexion=20deg"},
    {"rigidity", 0, "VALUES", "0 (free) to 1 (fixed) by name or pattern, as in 'spine.*=0.5'"},
    {"active", 0, "NAMES", "only these variables may move: names or patterns, with commas"},
    {"inactive", 0, "NAMES", "these variables may not move"},
    {"posture", 0, "WEIGHT", "wish to be near the rest pose"},
    {"stay", 0, "WEIGHT", "wish to be near the start pose"},
    {"middle", 0, "WEIGHT", "wish to be in the middle of all ranges"},
    {"manipulability", 0, "WEIGHT", "wish that end-effectors can move well"},
    {"wish-level", 0, "LEVEL", "own: wishes cost no goal anything (default); goals: they are in its sum"},
    {"plain", 0, NULL, "pose a figure that has a body without it: the bare problem"},
    {"limits", 0, "WHICH", "of a person's joints: those of the file, anatomical, none, or auto (the default)"},
    {"load", 0, "LOADS", "what the body carries, by segment or site, as in right_hand=5kg"},
    {"foot", 0, "FEET", "what a foot may do: auto (the default), planted, step or lifted; left=step or left=step:box"},
    {"surface", 0, "SURFACE", "what something may rest on, as in table=0.8,0,0.75 or table=x,y,z,half_x,half_y"},
    {"obstacle", 0, "OBSTACLE", "what nothing goes through, as in 'box 0.6,0,0.35 half 0.3,0.5,0.35'"},
    {"swivel", 0, "SWIVEL", "where an elbow or knee points, as in right_elbow=down or right_elbow=0,-1,0"},
    {"support", 0, "SUPPORTS", "contacts that rest on a surface, or on the floor, as in left_palm=table"},
    {"body", 0, "WEIGHTS", "weights of the body's terms, and its rules, as in effort=0,balance=off"},
    {"floor", 0, "HEIGHT", "the height of the floor (default: 0)"},
    {"habit", 0, "FILE", "prefer poses that people were seen in: human, my.habit, human=0.5 (its weight), none"},
    {"stature", 0, "LENGTH", "scale a figure that has a stature to this one"},
    {"unit", 0, "LENGTH",
     "what one length unit of a BVH or glTF file is (default: 1cm and 1m, or what a person's legs tell)"},
    {"root", 0, "FOLDER", "an MJCF file may include others from anywhere in this folder"},
    {"packages", 0, "FOLDERS", "read meshes, and look for package://... in these folders, with colons between them"},
    {"stand", 0, NULL, "a legged robot gets a free root and stands on its feet"},
    {"base", 0, "BASE", "a base that drives: planar, or planar=2m,1m,90deg for how far either way"},
    {"avoid", 0, "LIST",
     "keep apart: self (a robot's own links), the solids of a file world.json, or both with a comma"},
    {"srdf", 0, "FILE", "links that may touch, for --avoid: the disable_collisions of a robot's SRDF"},
    {"method", 'm', "METHOD", "lm (the default), bfgs, ccd, jacobian, fabrik, closed or hierarchy"},
    {"bfgs-update", 0, "FORMULA", "how bfgs learns: switch (the default), bfgs or dfp"},
    {"ccd", 0, "BY", "what ccd turns at a time: dof (the default), or axis for a whole joint"},
    {"preferred", 0, "N", "how ccd and fabrik damp what leaves its preferred value, and jacobian pulls towards it"},
    {"restarts", 'r', "N", "further starts at random while it is not solved (default: 0)"},
    {"seed", 0, "N", "for them (default: 1)"},
    {"iterations", 'i', "N", "at most, from each start (default: 300)"},
    {"deadline", 'd', "MICROSECONDS", "the best pose found by then"},
    {"answers", 'n', "N|all", "as many distinct answers, or all there are, nearest to the start first"},
    {"apart", 0, "ANGLE", "what makes them distinct: how far some joint differs, as in 10deg (default: 0.1)"},
    {"batch", 'b', "TARGETS", "solve it for every line of a CSV file of goals; -o is a CSV file then, too"},
    {"threads", 't', "N", "for them (default: 1)"},
    {"compare", 'c', NULL, "solve it by every method, and print a table"},
    {"why", 'w', NULL, "what holds a body where it is: terms, contacts, efforts, limits"},
    {"all", 'a', NULL, "list the values that did not move, too, and how well the end-effectors can move"},
    {"output", 'o', "OUT",
     "by its ending: the result (.json), its values (.csv), a picture (.png, .svg, .pdf), or the figure's own file in "
     "the "
     "pose (.glb, .gltf, .vrm, .bvh, .fig, .urdf); - for the result on standard output"},
    {"json", 0, NULL, "the result as JSON on standard output, instead of words"},
    {"csv", 0, NULL, "the values as CSV on standard output, instead of words"},
    {"save", 0, "PROBLEM", "write what the command line asks as a problem file (.json), too"},
    {"png", 0, "OUT", "draw the answer: .png, .svg or .pdf"},
    {"trace", 0, "OUT", "write every iteration as CSV: iteration, restart, evaluations, G, pose"},
    CLI_FORCE_OPTION,
    {"quiet", 'q', NULL, "print nothing but errors; the exit code says whether it was solved"},
    {NULL, 0, NULL, NULL},
};

static int read_count(const cli_command *command, const cli_arguments *arguments, const char *name, double least,
                      double most, double *value) {
    const char *text = cli_value(command, arguments, name);
    if (text && (cli_read_numbers(text, 1, value) || !(*value >= least && *value <= most) || *value != floor(*value))) {
        return cli_usage(command, "`--%s %s` is no whole number between %g and %g", name, text, least, most);
    }
    return CLI_OK;
}

static double clock_us(void *context) {
    (void)context;
    return cli_now_us();
}

/* One of a few words into *choice, its place among them. */
static int read_choice(const cli_command *command, const cli_arguments *arguments, const char *name,
                       const char *const *words, int count, int *choice) {
    const char *text = cli_value(command, arguments, name);
    if (!text) {
        return CLI_OK;
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(words[k], text) == 0) {
            *choice = k;
            return CLI_OK;
        }
    }
    return cli_usage(command, "`--%s %s`: there are %s, %s%s%s", name, text, words[0], words[1],
                     count > 2 ? " and " : "", count > 2 ? words[2] : "");
}

/* What concerns single methods. */
static int read_method_options(const cli_command *command, const cli_arguments *arguments, lb_solve_options *o) {
    static const char *const updates[] = {"switch", "bfgs", "dfp"}, *const ccds[] = {"dof", "axis"};
    int update = (int)o->bfgs_update, ccd = (int)o->ccd;
    const char *preferred = cli_value(command, arguments, "preferred");
    int code = read_choice(command, arguments, "bfgs-update", updates, 3, &update);
    code = code ? code : read_choice(command, arguments, "ccd", ccds, 2, &ccd);
    if (!code && preferred &&
        (cli_read_numbers(preferred, 1, &o->preferred) || !(o->preferred >= 0 && o->preferred <= 1e6))) {
        code = cli_usage(command, "`--preferred %s` is no number between 0 and 1e6", preferred);
    }
    o->bfgs_update = (lb_bfgs_update)update, o->ccd = (lb_ccd_variant)ccd;
    return code;
}

int cli_solve_options(const cli_command *command, const cli_arguments *arguments, lb_solve_options *o) {
    static const char *const names[] = {"lm", "bfgs", "ccd", "jacobian", "fabrik", "closed", "hierarchy"};
    const char *method = cli_value(command, arguments, "method");
    double restarts = o->restarts, seed = (double)o->seed, iterations = o->max_iterations;
    if (method && lb_method_find(method) < 0) {
        const char *near_name = cli_nearest(method, names, (int)(sizeof names / sizeof *names));
        return near_name
                   ? cli_usage(command, "there is no method `%s`; did you mean `%s`", method, near_name)
                   : cli_usage(
                         command,
                         "there is no method `%s`; there are lm, bfgs, ccd, jacobian, fabrik, closed and hierarchy",
                         method);
    }
    o->method = method ? (lb_method)lb_method_find(method) : o->method;
    int code = read_count(command, arguments, "restarts", 0, 1e6, &restarts);
    code = code ? code : read_count(command, arguments, "seed", 0, 9e15, &seed);
    code = code ? code : read_count(command, arguments, "iterations", 0, 1e9, &iterations);
    o->restarts = (int)restarts, o->seed = (uint64_t)seed, o->max_iterations = (int)iterations;
    const char *deadline = cli_value(command, arguments, "deadline");
    if (!code && deadline && (cli_read_numbers(deadline, 1, &o->deadline_us) || !(o->deadline_us > 0))) {
        code = cli_usage(command, "`--deadline %s` is no time; write it in microseconds, as in 500", deadline);
    }
    o->now_us = deadline ? clock_us : NULL;
    return code ? code : read_method_options(command, arguments, o);
}

/* --- While it solves ----------------------------------------------------------------------------------- */

typedef struct watch {
    lb_problem *problem;
    lbio_text *trace; /* NULL: none */
    double began, shown;
} watch;

/* The solver's clock, asked between iterations: what takes long shows how long. (A callback of every iteration would
 * keep the quickest way of solving from being taken.) */
static double beat(void *context) {
    static const char wheel[] = "|/-\\";
    watch *w = context;
    double now = cli_now_us();
    if (now - w->began > 4e5 && now - w->shown > 1e5) {
        fprintf(stderr, "\r%c solving, %.1f s ", wheel[(int)((now - w->began) / 1e5) % 4], (now - w->began) / 1e6);
        fflush(stderr);
        w->shown = now;
    }
    return now;
}

static int on_iteration(void *context, const lb_progress *p) {
    watch *w = context;
    lbio_text_format(w->trace, "%d,%d,%d,", p->iteration, p->restart, p->evaluations);
    lbio_text_number(w->trace, p->value);
    for (int k = 0; k < lb_problem_variable_count(w->problem); k++) {
        lbio_text_add(w->trace, ",");
        lbio_text_number(w->trace, p->pose[k]);
    }
    lbio_text_add(w->trace, "\n");
    return 0;
}

static void begin_trace(const lb_problem *problem, lbio_text *trace) {
    lbio_text_add(trace, "iteration,restart,evaluations,value");
    for (int k = 0; k < lb_problem_variable_count(problem); k++) {
        char name[300];
        lb_problem_variable_name(problem, k, name, sizeof name);
        lbio_text_add(trace, ",");
        cli_csv_name(trace, name);
    }
    lbio_text_add(trace, "\n");
}

/* --- Comparing the methods ------------------------------------------------------------------------------- */

/* The quickest of a few runs; a slow one is run once. */
static lb_status solve_timed(lb_solver *solver, const lb_solve_options *o, const double *start, double *pose, int count,
                             lb_result *result, double *us) {
    lb_status status = LB_OK;
    *us = INFINITY;
    for (int run = 0; run < 5 && !status && (run == 0 || *us < 5e4); run++) {
        memcpy(pose, start, (size_t)count * sizeof *pose);
        double began = cli_now_us();
        status = lb_solver_solve(solver, o, pose, result);
        *us = fmin(*us, cli_now_us() - began);
    }
    return status;
}

static int compare(lb_solver *solver, lb_problem *problem, const double *start, const lb_solve_options *o) {
    int count = lb_problem_variable_count(problem);
    double *pose = malloc(((size_t)count + 1) * sizeof *pose);
    if (!pose) {
        return cli_fail(CLI_BAD_INPUT, "no memory to compare the methods");
    }
    printf("\n%-9s %-9s %12s %11s %12s %10s\n", "method", "status", "G", "iterations", "evaluations", "time");
    for (int method = 0; method <= LB_METHOD_HIERARCHY; method++) {
        lb_solve_options mine = *o;
        lb_result result;
        double us;
        char time[32];
        lb_result_defaults(&result);
        mine.method = (lb_method)method;
        mine.on_iteration = NULL;
        if (solve_timed(solver, &mine, start, pose, count, &result, &us)) {
            printf("%-9s cannot: %s\n", lb_method_name(mine.method), result.explanation);
            continue;
        }
        cli_print_time(us, time);
        printf("%-9s %-9s %12.6g %11d %12d %10s\n", lb_method_name(mine.method), lb_outcome_name(result.outcome),
               result.value, result.iterations, result.evaluations, time);
    }
    free(pose);
    return CLI_OK;
}

#define MOST_ANSWERS 64 /* of `--answers all`: no arm that has finitely many has more */
#define DIFFERENT 1e-5  /* radians by which its answers differ: closer ones are one */

/* --- Solving ---------------------------------------------------------------------------------------------- */

typedef struct answers {
    cli_output output, png, save, trace;
    int has_json, has_csv, is_quiet, compares;
    int shows_all;            /* the values that did not move, too */
    int shows_why;            /* what holds a body where it is, too */
    int wanted;               /* > 0: several answers */
    int wants_all;            /* every solution there is: a closed form has them */
    double apart;             /* radians, metres */
    const char *plain_option; /* for whose sake a figure that has a body was posed without */
} answers;

/* What came of it: the first pose, and others that do as well. */
typedef struct found {
    int count;
    double *poses; /* [count][variables] */
    lb_result result;
    double us;
    lbio_text trace;
    const lb_solver *solver;
    cli_every every; /* of `--answers all`: what finds them */
} found;

static int write_answers(const lb_problem_file *file, lb_problem *problem, const lb_solve_options *o, const answers *a,
                         found *f) {
    int is_list = a->wanted > 0 && f->count > 0;
    if (!a->is_quiet && !a->has_json && !a->has_csv && !(a->output.path && strcmp(a->output.path, "-") == 0)) {
        cli_outcome outcome = {.method = o->method,
                               .pose = is_list ? NULL : f->poses,
                               .result = &f->result,
                               .time_us = f->us,
                               .shows_all = a->shows_all,
                               .shows_why = a->shows_why,
                               .solver = f->solver,
                               .plain_option = a->plain_option};
        cli_solve_report(file, problem, &outcome);
        if (a->wanted > 0) {
            cli_solve_list(problem, lb_problem_file_start(file), f->count, f->poses);
        }
    }
    const cli_found all = {file,     problem,   o->method,  a->wanted > 0 ? f->count : -1,
                           f->poses, f->solver, &f->result, f->us};
    const cli_output shown = {a->has_json || a->has_csv ? "-" : NULL, a->has_csv ? CLI_KIND_CSV : CLI_KIND_JSON};
    int code = cli_solve_write(&all, &shown);
    code = code ? code : cli_solve_write(&all, &a->output);
    code = code || !a->trace.path ? code : cli_write_text(a->trace.path, &f->trace, "the trace");
    return code ? code : cli_solve_write(&all, &a->png);
}

/* All answers by the closed form itself; the result is about the nearest or, where there is none, says why. */
static lb_status find_directly(lb_solver *solver, const lb_solve_options *o, const double *start, const answers *a,
                               found *f) {
    int count = 0;
    lb_status status = cli_solve_every_pose(&f->every, start, a->wanted, f->poses, &count);
    lb_solve_options mine = *o;
    mine.method = count > 0 ? LB_METHOD_LM : o->method; /* which leaves an answer as it is, and reports on it */
    status = status ? status : lb_solver_solve(solver, &mine, f->poses, &f->result);
    f->result.engine = count > 0 ? LB_ENGINE_CLOSED : f->result.engine;
    f->count = f->result.answer_count = count;
    return status;
}

/* One answer, or several: the nearest is what the result is about. */
static lb_status find_answers(lb_solver *solver, const lb_solve_options *o, const double *start, int variables,
                              const answers *a, found *f) {
    memcpy(f->poses, start, (size_t)variables * sizeof *f->poses);
    if (a->wanted == 0) {
        f->count = 1;
        return lb_solver_solve(solver, o, f->poses, &f->result);
    }
    if (f->every.is_direct) {
        return find_directly(solver, o, start, a, f);
    }
    lb_status status = lb_solver_solve_all(solver, o, start, a->apart, a->wanted, f->poses, &f->result);
    f->count = f->result.answer_count;
    if (status || f->count > 0) {
        return status;
    }
    return lb_solver_solve(solver, o, f->poses, &f->result); /* none: the best pose there is */
}

/* Has the solve write its trace and, on a terminal, show how long it takes. */
static void begin_watch(const answers *a, found *f, watch *w, lb_solve_options *o) {
    if (a->trace.path) {
        w->trace = &f->trace;
        begin_trace(w->problem, &f->trace);
        o->on_iteration = on_iteration, o->on_iteration_context = w;
    }
    if (isatty(STDERR_FILENO) && !a->is_quiet) {
        o->now_us = beat, o->now_context = w;
        o->deadline_us = o->deadline_us > 0 ? o->deadline_us : 1e18;
    }
}

static int solve(lb_problem_file *file, const lb_solve_options *asked, const answers *a) {
    lb_problem *problem = lb_problem_file_problem(file);
    const double *start = lb_problem_file_start(file);
    size_t variables = (size_t)lb_problem_variable_count(problem), room = a->wanted > 0 ? (size_t)a->wanted : 1;
    lb_solve_options o = *asked;
    watch w = {.problem = problem};
    found f = {.poses = malloc((room * variables + 1) * sizeof *f.poses)};
    lb_result_defaults(&f.result);
    int code = a->wants_all ? cli_solve_every(problem, start, asked, &f.every) : CLI_OK;
    lb_solver *solver = code ? NULL : lb_solver_create(problem, NULL);
    f.solver = solver;
    if (!code && (!solver || !f.poses)) {
        code = cli_fail(CLI_BAD_INPUT, "no memory to solve the problem");
    }
    o.method = f.every.is_direct ? LB_METHOD_CLOSED : o.method;
    if (!code) {
        begin_watch(a, &f, &w, &o);
        lb_solver_prepare(solver, o.method); /* outside what is timed; where it fails, so does solving */
        w.began = cli_now_us();
        lb_status status = find_answers(solver, &o, start, (int)variables, a, &f);
        f.us = cli_now_us() - w.began;
        if (!status) {
            status = lb_solver_explain(solver, &o, f.poses, &f.result);
        }
        if (w.shown > 0) {
            fprintf(stderr, "\r%40s\r", "");
        }
        code = status ? cli_fail(CLI_BAD_INPUT, "%s: %s", lb_method_name(o.method), f.result.explanation)
                      : cli_solve_every_explain(&f.every, f.count, &f.result);
        code = code ? code : write_answers(file, problem, &o, a, &f);
        lb_outcome outcome = f.result.outcome;
        code = code ? code : a->compares ? compare(solver, problem, start, asked) : CLI_OK;
        code = code ? code : outcome == LB_OUTCOME_SOLVED ? CLI_OK : CLI_NOT_SOLVED;
    }
    lb_solver_destroy(solver);
    lb_closed_destroy(f.every.closed);
    lbio_text_free(&f.trace);
    free(f.poses);
    return code;
}

/* --- The command ------------------------------------------------------------------------------------------ */

/* What does not go together. */
static int refuse_together(const cli_command *command, const cli_arguments *arguments) {
    static const char *const pairs[][2] = {{"batch", "answers"}, {"batch", "json"},    {"batch", "png"},
                                           {"batch", "trace"},   {"batch", "compare"}, {"answers", "compare"},
                                           {"batch", "csv"},     {"json", "csv"}};
    static const char *const needs[][2] = {{"apart", "answers"}, {"threads", "batch"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        if (cli_has(command, arguments, pairs[k][0]) && cli_has(command, arguments, pairs[k][1])) {
            return cli_usage(command, "`--%s` and `--%s` do not go together", pairs[k][0], pairs[k][1]);
        }
    }
    for (size_t k = 0; k < sizeof needs / sizeof needs[0]; k++) {
        if (cli_has(command, arguments, needs[k][0]) && !cli_has(command, arguments, needs[k][1])) {
            return cli_usage(command, "`--%s` is for `--%s`", needs[k][0], needs[k][1]);
        }
    }
    return CLI_OK;
}

/* Where what is found goes. */
static int read_outputs(const cli_command *command, const cli_arguments *arguments, answers *a) {
    const int has_one_pose = !cli_has(command, arguments, "answers");
    const int kinds = cli_has(command, arguments, "batch") ? CLI_KIND_CSV
                      : has_one_pose ? CLI_KIND_JSON | CLI_KIND_CSV | CLI_KIND_PICTURE | CLI_KIND_FIGURE
                                     : CLI_KIND_JSON | CLI_KIND_CSV | CLI_KIND_PICTURE;
    const cli_kind otherwise = cli_has(command, arguments, "batch") ? CLI_KIND_CSV : CLI_KIND_JSON;
    int code = cli_read_output(command, "-o", cli_value(command, arguments, "output"), kinds, otherwise, &a->output);
    code = code ? code
                : cli_read_output(command, "--png", cli_value(command, arguments, "png"), CLI_KIND_PICTURE,
                                  CLI_KIND_PICTURE, &a->png);
    code = code ? code
                : cli_read_output(command, "--save", cli_value(command, arguments, "save"), CLI_KIND_JSON,
                                  CLI_KIND_JSON, &a->save);
    code = code ? code
                : cli_read_output(command, "--trace", cli_value(command, arguments, "trace"), CLI_KIND_CSV,
                                  CLI_KIND_CSV, &a->trace);
    return code || a->output.kind == CLI_KIND_NONE || !(a->output.kind & CLI_KIND_FIGURE) ||
                   !cli_has(command, arguments, "stature")
               ? code
               : cli_usage(command,
                           "`-o %s` is the figure's own file in the pose, of the size that it has; leave "
                           "--stature out, or let `limber convert --stature` scale it first",
                           a->output.path);
}

static int check_outputs(const answers *a) {
    int code = cli_check_output(a->output.path);
    code = code ? code : cli_check_output(a->png.path);
    code = code ? code : cli_check_output(a->save.path);
    return code ? code : cli_check_output(a->trace.path);
}

static int read_answers(const cli_command *command, const cli_arguments *arguments, answers *a, cli_batch *batch) {
    double wanted = 0, threads = 1;
    const char *apart = cli_value(command, arguments, "apart");
    int code = refuse_together(command, arguments);
    code = code ? code : read_outputs(command, arguments, a);
    const char *answers_text = cli_value(command, arguments, "answers");
    a->wants_all = answers_text && strcmp(answers_text, "all") == 0;
    if (a->wants_all) {
        wanted = MOST_ANSWERS;
        a->apart = DIFFERENT;
    } else {
        code = code ? code : read_count(command, arguments, "answers", 1, 1e5, &wanted);
    }
    code = code ? code : read_count(command, arguments, "threads", 1, 256, &threads);
    if (!code && apart && (lbio_read_quantity(apart, LBIO_EITHER, &a->apart) || !(a->apart >= 0))) {
        code = cli_usage(command, "`--apart %s` is no angle; write it as 10deg or 0.1", apart);
    }
    a->wanted = (int)wanted;
    batch->threads = (int)threads;
    return code;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    lb_problem_file *file = NULL;
    lb_solve_options o;
    answers a = {.has_json = cli_has(command, arguments, "json"),
                 .has_csv = cli_has(command, arguments, "csv"),
                 .shows_all = cli_has(command, arguments, "all"),
                 .shows_why = cli_has(command, arguments, "why"),
                 .is_quiet = cli_has(command, arguments, "quiet"),
                 .compares = cli_has(command, arguments, "compare"),
                 .apart = 0.1};
    cli_manner manner;
    cli_batch batch = {.path = cli_value(command, arguments, "batch"), .is_quiet = a.is_quiet};
    lb_solve_options_defaults(&o);
    int code = read_answers(command, arguments, &a, &batch); /* wrong usage is said before files are looked at */
    code = code ? code : cli_solve_options(command, arguments, &o);
    code = code ? code : cli_solve_manner(command, arguments, &manner);
    batch.output = a.output.path;
    code = code ? code : cli_solve_load(command, arguments, &manner, &file);
    code = code ? code : check_outputs(&a);
    if (!code) {
        a.plain_option = manner.is_plain_body ? manner.plain_option : NULL;
        lb_problem_file_options(file, &o);
        code = cli_solve_options(command, arguments, &o);
    }
    code = code ? code : batch.path ? cli_solve_batch(file, &o, &batch) : solve(file, &o, &a);
    lb_problem_file_destroy(file);
    return code;
}

const cli_command cli_solve = {
    .name = "solve",
    .synopsis = "PROBLEM.json | FILE --goal GOAL",
    .summary = "find a pose that meets goals, and say what happened",
    .text = "Solves a problem file (docs/problem-files.md), or what is asked of a figure right here:\n\n"
            "  limber solve human --goal 'right_palm at 0.4,-0.3,1.2' \\\n"
            "      --goal 'gaze aims-at 0.4,-0.3,1.2' --keep left_palm --png reach.png\n\n"
            "A figure that has a body - human - stands, balances, looks and reaches as a person does:\n"
            "--load, --foot, --surface, --support, --obstacle, --swivel, --body and --floor say more\n"
            "of it, --why tells what holds the pose, --plain solves the bare problem. So do --posture,\n"
            "--stay, --answers, --compare, --trace and other methods than lm, which know no bodies. In\n"
            "a problem file a figure is posed as a body where the file says \"body\". A surface is\n"
            "'wall=0.7,0,1.2 half 1,1.2 normal -1,0,0 thick 10cm': up is its normal unless told, and\n"
            "what is thick is an obstacle, too. Obstacles are a box, 'sphere p radius r', or\n"
            "'capsule p to p radius r'. Swivels are up, down, out, in, forward, back or x,y,z.\n\n"
            "It prints the values it found with their ranges; of a figure with more than 20 variables\n"
            "only those that moved. What is at a limit is marked. --json and --csv have radians.\n\n"
            "Goals, where NAME is a site, a segment (a robot's link: its own frame) or com, the centre\n"
            "of mass; p a point (x,y,z; lengths may have units), or for at, like and aims-at a site or\n"
            "segment that carries the goal; d a direction (x,y,z):\n"
            "  NAME at p                  NAME like p rpy r,p,y     NAME turned rpy r,p,y\n"
            "  NAME at p z-along d        NAME z-along d            (also x, y, -x, -y, -z)\n"
            "  NAME aims-at p (by its x)  NAME z-aims-at p          (also y, -x, -y, -z)\n"
            "  NAME on-line p d           NAME on-plane p d         NAME on-side p d\n"
            "  NAME above HEIGHT          NAME below HEIGHT         NAME in-faces x,y,z,d ...\n"
            "  NAME in-box p half-sizes   NAME in-sphere p radius   NAME in-capsule p p radius\n"
            "  NAME on-circle p radius d  NAME on-disc p radius d   NAME outside box|sphere|...\n"
            "  com over NAME,NAME,NAME [margin LENGTH]\n"
            "A rotation may be `quaternion x,y,z,w` instead of rpy. After each goal may come\n"
            "  within 1mm | 1mm,1mm,5mm | 2deg     what counts as met (tolerance is the same word)\n"
            "  weight W, priority P                how much it counts, and when\n"
            "  from JOINT                          or a segment: what moves begins behind it\n"
            "  relative-to NAME                    the goal is in this one's frame, and goes with it\n"
            "  offset p                            not NAME's origin but this point in its frame\n"
            "  any-of WORD, named WORD             alternatives; the constraint's own name\n"
            "  degrees-per-metre D, position-weight W, radius R, half-length L\n"
            "A site wins over a segment of the same name (unless a joint sits there); `segment NAME at`\n"
            "means the segment. Names with blanks or commas stand in quotes: '\"Left Arm\" at 0,0,1'.\n\n"
            "The first line of TARGETS names its columns: x,y,z and for a rotation qx,qy,qz,qw of the\n"
            "only constraint, or reach.x,reach.y,... of the one named reach. Each further line is a\n"
            "target, and has its line in the answers: line,status,value,iterations,restarts and the\n"
            "pose. All start from the same pose.\n\n"
            "Exit codes: 0 solved, 4 not solved (a minimum, or out of budget: the best pose found is\n"
            "still printed and written), 1 a bad file or problem, 2 wrong usage, 3 cannot write.",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
