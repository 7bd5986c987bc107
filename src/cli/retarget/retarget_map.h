/* Which bones of two figures are the same parts of a body: what the command line and files say beside names. */
#ifndef LIMBER_CLI_RETARGET_MAP_H
#define LIMBER_CLI_RETARGET_MAP_H

#include "cli/cli.h"

typedef struct cli_bones {
    const cli_command *command;
    const lb_figure *figures[2]; /* source, target */
    const char *paths[2];
    lb_body_map *map;
} cli_bones;

/* "A=B": bone A of the source is bone B of the target. Errors are printed. */
int cli_map_bone(const cli_bones *bones, const char *text);
/* A file with a line for each: "A = B", or "part = A = B", "-" for none; "#" begins a comment. */
int cli_map_file(const cli_bones *bones, const char *path);
/* Writes such a file: all parts, with what is known. */
int cli_save_map(const cli_bones *bones, const char *path);

#endif
