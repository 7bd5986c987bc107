/* What a solve found, into files: see solve_write.h. */
#include "cli/solve/solve_write.h"
#include "io/problem/problem.h"
#include <stdio.h>
#include <string.h>

/* The figure's own file in the pose; a problem of several figures has none that is meant. */
static int write_figure(const cli_found *f, const char *path) {
    cli_warnings warnings = {.is_loud = 1};
    lb_save_options options;
    lb_error error = {0};
    const int count = lb_problem_figure_count(f->problem);
    if (count > 1) {
        return cli_fail(CLI_BAD_INPUT, "%s: the problem has %d figures, and the file one; write .json or .csv", path,
                        count);
    }
    lb_save_options_defaults(&options);
    options.warn = cli_warn, options.warn_context = &warnings;
    int code = cli_written(lb_figure_save_pose(lbio_problem_figure_path(f->file, 0), lb_problem_figure(f->problem, 0),
                                               f->poses, path, &options, &error),
                           &error);
    cli_warnings_free(&warnings);
    return code;
}

int cli_solve_write(const cli_found *f, const cli_output *output) {
    lb_error error = {0};
    lbio_text csv = {0};
    if (!output->path) {
        return CLI_OK;
    }
    if (strcmp(output->path, "-") == 0) {
        fflush(stdout);
    }
    switch (output->kind) {
    case CLI_KIND_CSV:
        cli_solve_csv(f->file, f->problem, f->several, f->poses, &csv);
        return cli_write_text(output->path, &csv, "the values");
    case CLI_KIND_PICTURE:
        return cli_solve_draw(f->file, f->problem, f->poses, f->result, output->path);
    case CLI_KIND_JSON:
        return cli_written(lbio_write_results(f->file, f->method, &(lbio_answers){f->several, f->poses, f->solver},
                                              f->result, f->time_us, output->path, &error),
                           &error);
    default:
        return write_figure(f, output->path);
    }
}
