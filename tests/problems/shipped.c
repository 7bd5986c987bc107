#include "shipped.h"

#include "check.h"

#include <string.h>

const shipped shipped_problems[] = {
    {"en07-chain", 15, 1, LB_OUTCOME_MINIMUM, 0},
    {"handshake", 30, 3, LB_OUTCOME_SOLVED, 0},
    {"kb82-arm", 3, 1, LB_OUTCOME_SOLVED, 0},
    {"kb82-box", 8, 1, LB_OUTCOME_SOLVED, 0},
    {"kb82-circle", 8, 1, LB_OUTCOME_SOLVED, 0},
    {"sitting", 48, 7, LB_OUTCOME_SOLVED, 0},
    {"stewart", 36, 1, LB_OUTCOME_SOLVED, 0},
    {"two-hands-one-box", 23, 3, LB_OUTCOME_SOLVED, 0},
    {"zb89-bar", 31, 2, LB_OUTCOME_MINIMUM, 1},
    {"zb89-box", 10, 1, LB_OUTCOME_SOLVED, 0},
    {"zb89-four-goals", 16, 4, LB_OUTCOME_SOLVED, 0},
    {"zb94-cup", 12, 2, LB_OUTCOME_SOLVED, 0},
    {"zb94-polyhedron", 7, 7, LB_OUTCOME_SOLVED, 0},
    {"zb94-reach-arm", 7, 1, LB_OUTCOME_MINIMUM, 0},
    {"zb94-reach-natural", 22, 1, LB_OUTCOME_SOLVED, 0},
    {"zb94-reach-torso", 22, 1, LB_OUTCOME_SOLVED, 0},
    {"zb94-tube-free", 70, 6, LB_OUTCOME_SOLVED, 0},
    {"zb94-tube-grouped", 22, 6, LB_OUTCOME_SOLVED, 0},
};
const int shipped_count = sizeof shipped_problems / sizeof shipped_problems[0];

opened open_shipped(const char *name) {
    opened o;
    lb_load_options options;
    lb_error error;
    char relative[128], path[1024], models[1024];
    memset(&o, 0, sizeof o);
    memset(&error, 0, sizeof error);
    snprintf(relative, sizeof relative, "problems/%s.json", name);
    check_note("%s", relative);
    REQUIRE(check_source(relative, path, sizeof path));
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    if (!CHECK_INT(lb_problem_load(path, &options, &o.file, &error), LB_OK)) {
        printf("%s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    o.problem = lb_problem_file_problem(o.file);
    REQUIRE(lb_problem_variable_count(o.problem) <= SHIPPED_MAX_VARIABLES);
    o.solver = lb_solver_create(o.problem, NULL);
    REQUIRE(o.solver);
    return o;
}

void solve_shipped(opened *o, lb_method method) {
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    lb_result_defaults(&o->result);
    REQUIRE(lb_problem_file_options(o->file, &options) == LB_OK);
    options.method = method;
    memcpy(o->pose, lb_problem_file_start(o->file), (size_t)lb_problem_variable_count(o->problem) * sizeof(double));
    REQUIRE(lb_solver_solve(o->solver, &options, o->pose, &o->result) == LB_OK);
}

void close_shipped(opened *o) {
    lb_solver_destroy(o->solver);
    lb_problem_file_destroy(o->file);
    check_note("%s", "");
}
