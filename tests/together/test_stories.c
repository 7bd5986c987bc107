/* The problems of problems/together: people, robots and things in one problem. Each is what it expects to be, and where it is solved a
 * judge of its own - a problem without bodies, with the same solids - finds no overlap, and everybody stands. */
#include <dirent.h>
#include <math.h>
#include <string.h>

#include <limber/body.h>
#include <limber/collisions.h>
#include <limber/io.h>

#include "check.h"

#define MOST 512
#define OVERLAP 1e-4 /* metres: docs/collisions.md */

/* The deepest overlap of two figures, or of a figure and a solid. */
static double deepest(const lb_problem *problem, const double *pose) {
    lb_contact_pair near[128];
    double depth = 0;
    lb_problem *judged = lb_problem_create(lb_problem_figure(problem, 0), NULL);
    for (int f = 1; f < lb_problem_figure_count(problem); f++) {
        REQUIRE(lb_problem_add_figure(judged, lb_problem_figure(problem, f)) == f);
    }
    lb_collisions all = *lb_problem_collisions(problem);
    all.samples = 0;
    REQUIRE(lb_problem_set_collisions(judged, &all) == LB_OK);
    lb_solver *judge = lb_solver_create(judged, NULL);
    REQUIRE(judge);
    const int count = lb_solver_near_pairs(judge, pose, 0, 128, near);
    for (int i = 0; i < count && i < 128; i++) {
        if (near[i].figure_a != near[i].figure_b) {
            depth = fmax(depth, -near[i].distance);
        }
    }
    lb_solver_destroy(judge);
    lb_problem_destroy(judged);
    return depth;
}

static void tell(const char *path) {
    char models[1024];
    double pose[MOST];
    lb_load_options options;
    lb_solve_options how;
    lb_error error = {0};
    lb_problem_file *file;
    lb_result result;
    REQUIRE(check_source("models", models, sizeof models));
    lb_load_options_defaults(&options);
    options.models = models;
    if (!CHECK_INT(lb_problem_load(path, &options, &file, &error), LB_OK)) {
        printf("%s:%d: %s\n", error.file, error.line, error.message);
        return;
    }
    lb_problem *problem = lb_problem_file_problem(file);
    REQUIRE(lb_problem_variable_count(problem) <= MOST);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options_defaults(&how);
    lb_result_defaults(&result);
    REQUIRE(lb_problem_file_options(file, &how) == LB_OK);
    memcpy(pose, lb_problem_file_start(file), (size_t)lb_problem_variable_count(problem) * sizeof *pose);
    REQUIRE(solver && lb_solver_solve(solver, &how, pose, &result) == LB_OK);
    printf("%s: %s\n", lb_problem_file_title(file), result.explanation);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(lb_problem_collisions(problem) && deepest(problem, pose) <= OVERLAP);
    for (int f = 0; f < lb_problem_figure_count(problem); f++) {
        const lb_body_result *body = lb_solver_body(solver, f);
        CHECK(!body || body->margin > -1e-6);
        CHECK(lb_figure_violation(lb_problem_figure(problem, f), pose + lb_problem_first_variable(problem, f)) <= 1e-9);
    }
    lb_solver_destroy(solver);
    lb_problem_file_destroy(file);
}

int main(void) {
    char folder[1024], path[2048];
    int count = 0;
    REQUIRE(check_source("problems/together", folder, sizeof folder));
    DIR *directory = opendir(folder);
    REQUIRE(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        const size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            check_note("%s", entry->d_name);
            tell(path);
            count++;
        }
    }
    closedir(directory);
    CHECK(count >= 3);
    return check_done();
}
