/* Solves a problem file once, as it says, for ./dev walk to record: walk_problem PROBLEM MODELS, a folder of figures. */
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    lb_problem_file *file = NULL;
    lb_error error = {0};
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.models = count == 3 ? words[2] : NULL;
    if (count != 3 || lb_problem_load(words[1], &options, &file, &error)) {
        fprintf(stderr, "%s\n", count == 3 ? error.message : "name a problem file and a folder of figures");
        return 1;
    }
    lb_problem *problem = lb_problem_file_problem(file);
    size_t size = (size_t)lb_problem_variable_count(problem) * sizeof(double);
    double *pose = malloc(size + 1);
    lb_solve_options solving;
    lb_result result;
    lb_solve_options_defaults(&solving);
    lb_result_defaults(&result);
    if (!pose || lb_problem_file_options(file, &solving)) {
        return 1;
    }
    memcpy(pose, lb_problem_file_start(file), size);
    if (lb_solve(problem, &solving, pose, &result)) {
        fprintf(stderr, "it cannot be solved\n");
        return 1;
    }
    printf("%s\n", result.explanation);
    free(pose);
    lb_problem_file_destroy(file);
    return 0;
}
