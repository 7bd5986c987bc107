/* Any bytes as a problem file; what loads must solve (a few iterations) to a pose inside its limits, and be written. Figures
 * may be those of models/. */
#include <limber/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* chain:99999 is no error, only slow. */
static int is_slow(const uint8_t *data, size_t size) {
    for (size_t k = 0; k + 9 < size; k++) {
        if (memcmp(data + k, "chain:", 6) == 0 && data[k + 7] >= '0' && data[k + 7] <= '9' && data[k + 8] >= '0' &&
            data[k + 8] <= '9') {
            return 1;
        }
    }
    return 0;
}

static void solve(lb_problem_file *file) {
    lb_problem *problem = lb_problem_file_problem(file);
    size_t count = (size_t)lb_problem_variable_count(problem);
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    lb_problem_file_options(file, &options);
    lb_solver *solver = lb_solver_create(problem, NULL);
    double *pose = malloc((count + 1) * sizeof *pose);
    lb_result result;
    lb_result_defaults(&result);
    options.max_iterations = options.max_iterations < 3 ? options.max_iterations : 3;
    options.max_evaluations = 50;
    options.restarts = 0;
    if (solver && pose) {
        memcpy(pose, lb_problem_file_start(file), count * sizeof *pose);
        if (lb_solver_solve(solver, &options, pose, &result) == LB_OK) {
            for (size_t k = 0; k < count; k++) {
                if (!isfinite(pose[k])) {
                    abort();
                }
            }
            for (int k = 0; k < lb_problem_figure_count(problem); k++) {
                if (!(lb_figure_violation(lb_problem_figure(problem, k),
                                          pose + lb_problem_first_variable(problem, k)) <= 1e-6)) {
                    abort();
                }
            }
            lb_error error;
            if (lb_result_save(file, options.method, pose, &result, -1, "/dev/null/none", &error) != LB_ERROR_FILE) {
                abort();
            }
        }
    }
    lb_solver_destroy(solver);
    free(pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_problem_file *file = NULL;
    lb_load_options options;
    lb_error error;
    memset(&error, 0, sizeof error);
    lb_load_options_defaults(&options);
    options.models = LIMBER_SOURCE_DIR "/models"; /* bodies need one that has a body */
    if (is_slow(data, size)) {
        return 0;
    }
    lb_status status = lb_problem_load_memory(data, size, "input", &options, &file, &error);
    if (status == LB_OK ? !file : file != NULL || !error.message[0]) {
        abort();
    }
    if (file) {
        solve(file);
    }
    lb_problem_file_destroy(file);
    return 0;
}
