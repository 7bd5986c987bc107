/* The problems in problems/, by every method: time, iterations, evaluations, how it ended and at what value.
 *
 * Problems and methods are measured in turn, round after round, and the median is printed, so that noise from other
 * programs hits all alike. The target: the 70 dofs of zb94-tube-free in less than 2 ms with lm. */
#include "bench.h"

#include <dirent.h>
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 21
#define MAX_PROBLEMS 64
#define METHODS 5

typedef struct bench_case {
    char name[64];
    lb_problem_file *file;
    lb_solver *solver;
    int variables;
    double *pose;
    lb_result results[METHODS];
    lb_status status[METHODS];
    double us[METHODS][ROUNDS];
} bench_case;

static void open_case(bench_case *c, const char *name) {
    char relative[128], path[1024], models[1024];
    lb_load_options options;
    lb_error error;
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(relative, sizeof relative, "problems/%s.json", name);
    bench_source_path(relative, path);
    bench_source_path("models", models);
    lb_load_options_defaults(&options);
    options.models = models;
    if (lb_problem_load(path, &options, &c->file, &error)) bench_stop("%s", error.message);
    c->variables = lb_problem_variable_count(lb_problem_file_problem(c->file));
    c->solver = lb_solver_create(lb_problem_file_problem(c->file));
    c->pose = calloc((size_t)c->variables + 1, sizeof(double));
    if (!c->solver || !c->pose) bench_stop("no memory");
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const bench_case *)a)->name, ((const bench_case *)b)->name);
}

static int open_all(bench_case *cases) {
    char folder[1024], name[64];
    int count = 0;
    bench_source_path("problems", folder);
    DIR *directory = opendir(folder);
    if (!directory) bench_stop("there is no folder problems/");
    for (struct dirent *entry; (entry = readdir(directory)) && count < MAX_PROBLEMS;) {
        size_t length = strlen(entry->d_name);
        if (length <= 5 || length > sizeof name || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        open_case(&cases[count++], name);
    }
    closedir(directory);
    qsort(cases, (size_t)count, sizeof *cases, by_name);
    return count;
}

static void run(bench_case *c, int method, int round) {
    lb_solve_options options = *lb_problem_file_options(c->file);
    options.method = (lb_method)method;
    if (round > 0 && c->status[method]) return;
    memcpy(c->pose, lb_problem_file_start(c->file), (size_t)c->variables * sizeof(double));
    double begin = bench_now_us();
    c->status[method] = lb_solver_solve(c->solver, &options, c->pose, &c->results[method]);
    c->us[method][round] = bench_now_us() - begin;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(bench_case *c) {
    for (int m = 0; m < METHODS; m++) {
        const lb_result *r = &c->results[m];
        printf("%-20s %-9s", m == 0 ? c->name : "", lb_method_name((lb_method)m));
        if (c->status[m] || r->outcome == LB_OUTCOME_INVALID) {
            printf("%10s\n", "cannot");
            continue;
        }
        qsort(c->us[m], ROUNDS, sizeof(double), compare);
        printf("%10.1f %6d %7d  %-8s %.9g\n", c->us[m][ROUNDS / 2], r->iterations, r->evaluations,
               lb_outcome_name(r->outcome), r->value);
    }
}

int main(int argc, char **argv) {
    bench_begin("solve", argc, argv);
    bench_case *cases = calloc(MAX_PROBLEMS, sizeof *cases);
    if (!cases) bench_stop("no memory");
    int count = open_all(cases);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            for (int m = 0; m < METHODS; m++) run(&cases[i], m, round);
    printf("%-20s %-9s%10s %6s %7s  %-8s %s\n", "problem", "method", "us", "iter", "eval", "outcome", "value");
    for (int i = 0; i < count; i++) print(&cases[i]);
    for (int i = 0; i < count; i++) {
        lb_solver_destroy(cases[i].solver);
        lb_problem_file_destroy(cases[i].file);
        free(cases[i].pose);
    }
    free(cases);
    return bench_end();
}
