/* Where a command's output goes, in which form, and whether it may: the one place that knows. What is written takes its
 * place only when it is complete (lbio_write_file), and a file that the command reads is written over with --force
 * alone. */
#ifndef LIMBER_CLI_OUTPUT_H
#define LIMBER_CLI_OUTPUT_H

#include "cli/cli.h"

/* What a file can be, by the ending of its name; a command says which of them it writes. */
typedef enum cli_kind {
    CLI_KIND_NONE = 0,
    CLI_KIND_JSON = 1 << 0,
    CLI_KIND_CSV = 1 << 1,
    CLI_KIND_PICTURE = 1 << 2, /* .png, .svg, .pdf */
    CLI_KIND_FIG = 1 << 3,
    CLI_KIND_URDF = 1 << 4,
    CLI_KIND_BVH = 1 << 5,
    CLI_KIND_GLTF = 1 << 6, /* .glb, .gltf, .vrm, .vrma */
    CLI_KIND_MESH = 1 << 7, /* .ply */
    CLI_KIND_HDF5 = 1 << 8,
    CLI_KIND_HABIT = 1 << 9,
    CLI_KIND_FIGURE = CLI_KIND_FIG | CLI_KIND_URDF | CLI_KIND_BVH | CLI_KIND_GLTF
} cli_kind;

typedef struct cli_output {
    const char *path; /* NULL: nothing is written; "-": standard output */
    cli_kind kind;
} cli_output;

/* The option that every command has that writes files. */
#define CLI_FORCE_OPTION \
    { "force", 0, NULL, "write over a file that is read, too" }

/* Begins to note which files are read, for a command that is about to run. */
void cli_outputs_begin(const cli_command *command, const cli_arguments *arguments);

/* What a path is to be written as: one of `kinds`, by its ending. "-", a pipe and a device have none: `otherwise`.
 * Endings that are not among `kinds` are a usage error that lists those that are, and so is what another output goes
 * to. option is for messages: "-o". */
int cli_read_output(const cli_command *command, const char *option, const char *path, int kinds, cli_kind otherwise,
                    cli_output *output);
/* The same for what has no kind: no other output of the command goes there. path NULL: nothing. */
int cli_claim_output(const cli_command *command, const char *path);
/* Whether it may be written, once all inputs are read and before long work; an error is printed, as it would be then.
 * path NULL: nothing is. */
int cli_check_output(const char *path);
/* The exit code of a call that wrote; its error is printed. */
int cli_written(lb_status status, const lb_error *error);
/* Writes a text and frees it. what: for messages where there is no memory for it, as in "the table". */
int cli_write_text(const char *path, lbio_text *text, const char *what);

#endif
