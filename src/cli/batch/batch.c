/* limber batch: a problem over a table, by threads, MPI ranks or shares: see batch.h. */
#include "cli/batch/batch.h"

#include "cli/output.h"
#include "cli/progress.h"
#include <limber/body.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_ROWS 1024    /* rows of a chunk: of arms some 10 ms, of chains that have to be searched some 100 */
#define CHUNK_BODY_ROWS 16 /* where bodies are posed */

static const cli_option options[] = {
    {"table", 't', "TABLE", "CSV file: its first line names columns, each further line is a row (see below)"},
    {"output", 'o', "OUT", "the answers: a .csv or .h5 file"},
    {"resume", 0, NULL, "go on with what an interrupted run left in OUT.part, or begin"},
    {"force", 'f', NULL, "replace OUT; without --resume also begin anew where OUT.part is there"},
    {"threads", 0, "N", "of this process (default: all cores; under mpirun 1)"},
    {"share", 0, "K/N", "solve the K-th of N parts of the table; `limber batch merge` puts them together"},
    {"chunk", 0, "ROWS", "rows that are handed out at a time (default: 1024, of bodies 16)"},
    {"ignore", 0, "COLUMNS", "columns that are not read, with commas"},
    {"goal", 'g', "GOAL", "what is asked of a figure, as for solve; may come several times"},
    {"keep", 'k', "NAMES", "sites or segments that stay where they are, with commas; may come several times"},
    {"start", 's', "VALUES", "variables that differ from rest at the start, as in elbow=90deg,spine.flexion=20deg"},
    {"rigidity", 0, "VALUES", "0 (free) to 1 (fixed) by name or pattern, as in 'spine.*=0.5'"},
    {"active", 0, "NAMES", "only these variables may move: names or patterns, with commas"},
    {"inactive", 0, "NAMES", "these variables may not move"},
    {"posture", 0, "WEIGHT", "wish to be near the rest pose"},
    {"stay", 0, "WEIGHT", "wish to be near the start pose"},
    {"plain", 0, NULL, "pose a figure that has a body without it: the bare problem"},
    {"foot", 0, "FEET", "what a foot may do: auto (the default), planted, step or lifted; left=step or left=step:box"},
    {"stature", 0, "LENGTH", "scale a figure that has a stature to this one"},
    {"method", 'm', "METHOD", "lm (the default), bfgs, ccd, jacobian, fabrik, closed or hierarchy"},
    {"restarts", 'r', "N", "further starts at random while it is not solved (default: 0)"},
    {"seed", 0, "N", "for them (default: 1)"},
    {"iterations", 'i', "N", "at most, from each start (default: 300)"},
    {"quiet", 'q', NULL, "print nothing but errors and bad rows; the exit code says whether all is solved"},
    {NULL, 0, NULL, NULL},
};

/* --- What is asked ------------------------------------------------------------------------------------------------- */

static int read_share(const cli_command *command, const char *text, batch_task *task) {
    int end = 0;
    if (text && (sscanf(text, "%d/%d%n", &task->share, &task->share_count, &end) != 2 || text[end] || task->share < 1 ||
                 task->share > task->share_count)) {
        return cli_usage(command, "`--share %s`: write it as 3/64, the third of 64 shares", text);
    }
    return CLI_OK;
}

static int read_count(const cli_command *command, const cli_arguments *arguments, const char *name, double most,
                      double *value) {
    const char *text = cli_value(command, arguments, name);
    if (text && (cli_read_numbers(text, 1, value) || !(*value >= 1 && *value <= most) || *value != floor(*value))) {
        return cli_usage(command, "`--%s %s` is no whole number between 1 and %g", name, text, most);
    }
    return CLI_OK;
}

static int read_output(const cli_command *command, batch_task *task) {
    if (!task->output) {
        return cli_usage(command, "where do the answers go? give `--output OUT.csv` or `OUT.h5`");
    }
    cli_output to;
    if (cli_read_output(command, "-o", task->output, CLI_KIND_CSV | CLI_KIND_HDF5, CLI_KIND_NONE, &to)) {
        return CLI_BAD_USAGE;
    }
    task->is_hdf5 = to.kind == CLI_KIND_HDF5;
    if (task->is_hdf5 && !batch_has_hdf5()) {
        return cli_fail(CLI_BAD_USAGE, "this program was built without HDF5 (Debian: libhdf5-dev); write a .csv");
    }
    return CLI_OK;
}

/* --- The problem --------------------------------------------------------------------------------------------------- */

static int load_problem(batch_task *task, lb_problem_file **file) {
    cli_manner manner;
    lb_error error = {0};
    int code = cli_solve_manner(task->command, task->arguments, &manner);
    manner.is_quiet = lbj_rank() > 0;
    if (!code && strcmp(task->arguments->operands[0], "-") == 0) {
        code = cli_usage(task->command, "the problem is read by every worker: write it to a file first");
    }
    code = code ? code : cli_solve_load(task->command, task->arguments, &manner, file);
    if (code) {
        return code;
    }
    lb_problem *problem = lb_problem_file_problem(*file);
    lb_problem_file_options(*file, &task->options);
    code = cli_solve_options(task->command, task->arguments, &task->options);
    task->base = (batch_base){problem, lb_problem_file_start(*file), lb_problem_variable_count(problem),
                              lb_problem_constraint_count(problem)};
    if (!code && batch_hash_figures(problem, &task->figures, &error)) {
        code = cli_report(CLI_BAD_INPUT, &error);
    }
    if (task->table.chunk_rows == 0) {
        task->table.chunk_rows = CHUNK_ROWS;
        for (int k = 0; k < lb_problem_figure_count(problem); k++) {
            task->table.chunk_rows = lb_problem_body(problem, k) ? CHUNK_BODY_ROWS : task->table.chunk_rows;
        }
    }
    return code;
}

/* Rank 0 looks for the chunks; the others learn from it. */
static int read_table(batch_task *task) {
    lb_error error = {0};
    lbio_text bytes = {0};
    lb_status status = LB_OK;
    if (lbj_rank() == 0) {
        status = batch_table_scan(&task->table, &error);
        status = status ? status : batch_columns_read(&task->table, &task->base, &error);
        if (!status) {
            batch_table_give(&task->table, &bytes);
            status = lbj_share(&bytes, &error);
        }
    } else {
        status = lbj_share(&bytes, &error);
        status = status ? status : batch_table_take(&task->table, &bytes, &error);
        status = status ? status : batch_columns_read(&task->table, &task->base, &error);
    }
    lbio_text_free(&bytes);
    return status ? cli_report(CLI_BAD_INPUT, &error) : CLI_OK;
}

/* --- The job ------------------------------------------------------------------------------------------------------- */

static int run_task(batch_task *task, lbj_job *job) {
    lb_error error = {0};
    lbj_results *results = NULL;
    lbio_text description = {0};
    cli_progress progress = {.unit = "rows", .is_quiet = task->is_quiet};
    double began = cli_now_us();
    progress.count = (double)batch_share_rows(task, &job->chunk_count);
    task->first_chunk = task->share_count > 0 ? task->table.chunk_count * (task->share - 1) / task->share_count : 0;
    lbio_text_format(&description, "batch of %s over %s", task->arguments->operands[0], task->table.path);
    job->description = description.failed ? "batch" : description.data;
    job->identity = batch_identity(task, 1);
    job->context = task;
    job->worker_create = batch_worker_create, job->worker_destroy = batch_worker_destroy;
    job->run_chunk = batch_run_chunk;
    job->on_progress = cli_progress_show, job->progress_context = &progress;
    lbj_outcome outcome = lbj_run(job, &results, &error);
    int code = CLI_OK;
    if (outcome == LBJ_FAILED) {
        code = cli_report(error.status == LB_ERROR_FILE ? CLI_CANNOT_WRITE : CLI_BAD_INPUT, &error);
    } else if (outcome == LBJ_INTERRUPTED) {
        code =
            cli_fail(CLI_INTERRUPTED, "interrupted; what was solved is in %s.part: go on with --resume", task->output);
    } else if (outcome == LBJ_DONE) {
        code = batch_finish(task, results, (cli_now_us() - began) / 1e6);
    }
    lbj_results_close(results);
    lbio_text_free(&description);
    return code;
}

static int solve_rows(const cli_command *command, const cli_arguments *arguments) {
    static batch_task blank;
    batch_task *task = malloc(sizeof *task);
    lb_problem_file *file = NULL;
    lb_error error = {0};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double threads = lbj_world_size() > 1 || cores < 1 ? 1 : (double)cores, chunk = 0;
    if (!task) {
        return cli_fail(CLI_BAD_INPUT, "out of memory");
    }
    *task = blank;
    task->command = command, task->arguments = arguments;
    task->output = cli_value(command, arguments, "output");
    task->is_quiet = cli_has(command, arguments, "quiet");
    task->table.path = cli_value(command, arguments, "table");
    task->table.file = -1;
    task->table.columns.ignored = cli_value(command, arguments, "ignore");
    lb_solve_options_defaults(&task->options);
    int code = arguments->operand_count == 1 ? CLI_OK : cli_usage(command, "give one problem or figure");
    code = code ? code : task->table.path ? CLI_OK : cli_usage(command, "give `--table` with the rows to solve");
    code = code ? code : read_output(command, task);
    code = code ? code : read_share(command, cli_value(command, arguments, "share"), task);
    code = code ? code : read_count(command, arguments, "threads", 1024, &threads);
    code = code ? code : read_count(command, arguments, "chunk", 1e6, &chunk);
    code = code ? code : cli_solve_options(command, arguments, &task->options);
    task->table.chunk_rows = (int64_t)chunk;
    lbj_job job = {.output = task->output,
                   .threads = (int)threads,
                   .is_resumed = cli_has(command, arguments, "resume"),
                   .is_forced = cli_has(command, arguments, "force")};
    if (!code && lbj_rank() == 0 && lbj_check_output(&job, &error)) {
        code = cli_report(CLI_CANNOT_WRITE, &error);
    }
    code = code ? code : load_problem(task, &file);
    code = code ? code : read_table(task);
    code = code ? code : run_task(task, &job);
    batch_table_close(&task->table);
    lb_problem_file_destroy(file);
    free(task);
    return code;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    return strcmp(arguments->operands[0], "merge") == 0 ? batch_merge(command, arguments)
                                                        : solve_rows(command, arguments);
}

const cli_command cli_batch_command = {
    .name = "batch",
    .synopsis = "PROBLEM.json --table TABLE.csv -o OUT | FILE --goal GOAL --table ... | merge -o OUT SHARES",
    .summary = "solve a problem for every row of a table, however long",
    .text = "Solves one problem for each row of a table of goals, start poses, weights and statures:\n\n"
            "  limber batch panda --goal 'tool at 0.4,0,0.4' --table goals.csv -o out.csv\n\n"
            "The first line of TABLE names its columns:\n"
            "  x,y,z, qx,qy,qz,qw, weight       of the goal, where the problem has one\n"
            "  NAME.x, ..., NAME.weight         of the constraint called NAME\n"
            "  VARIABLE or start:VARIABLE       a value of the start pose (limber info --variables)\n"
            "  stature                          of the first figure\n"
            "Numbers are metres and radians, or have a unit (90deg, 5cm). What no column says is as the\n"
            "problem has it. Empty lines and lines that begin with # are passed over. A row that cannot\n"
            "be read is skipped, reported with its line, and has its row in the output with the reason.\n\n"
            "OUT has for each row: line, status (solved, minimum, budget, bad), reason, value (G),\n"
            "iterations, restarts, and the pose in radians and metres. It appears when all is done; until\n"
            "then OUT.part has what was solved, and --resume goes on with it after an interruption, a\n"
            "kill or a full disk. The bytes are the same for any number of threads, ranks and shares:\n\n"
            "  mpirun -n 64 limber batch panda --goal '...' --table goals.csv -o out.csv\n"
            "  limber batch panda --goal '...' --table goals.csv -o part-3.csv --share 3/64\n"
            "  limber batch merge -o out.csv part-*.csv\n\n"
            "docs/cluster.md has more. Exit codes: 0 all rows solved, 4 some are not or could not be\n"
            "read, 1 a bad problem or table, 2 wrong usage, 3 cannot write, 130 interrupted.",
    .options = options,
    .least_operands = 1,
    .most_operands = CLI_MAX_OPERANDS,
    .runs_jobs = 1,
    .run = run,
};
