/* What a solve found, into files: the result, its values, a picture, or the figure's own file in the pose. */
#ifndef LIMBER_CLI_SOLVE_WRITE_H
#define LIMBER_CLI_SOLVE_WRITE_H

#include "cli/output.h"

typedef struct cli_found {
    const lb_problem_file *file;
    lb_problem *problem;
    lb_method method;
    int several;         /* how many poses are listed; -1: one pose, without a list */
    const double *poses; /* one behind the other; the first is the result's */
    const lb_solver *solver;
    const lb_result *result;
    double time_us;
} cli_found;

/* Writes it as the output's kind says; nothing where it has no path. Returns an exit code. */
int cli_solve_write(const cli_found *found, const cli_output *output);

#endif
