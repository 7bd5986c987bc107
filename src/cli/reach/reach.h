/* limber reach, from the inside: maps that are made, and questions to them. */
#ifndef LIMBER_CLI_REACH_H
#define LIMBER_CLI_REACH_H

#include "cli/cli.h"
#include "map/api.h"

/* Frames from a CSV file: x,y,z, with or without qx,qy,qz,qw. *frames is to be freed. */
int cli_reach_frames(const char *path, lb_frame **frames, int64_t *count, int *has_rotations);
/* A whole number, or a length above 0, of an option; the value stays as it is where the option is not given. */
int cli_reach_count(const cli_command *command, const cli_arguments *arguments, const char *name, double least,
                    double most, double *value);
int cli_reach_length(const cli_command *command, const cli_arguments *arguments, const char *name, double *value);
/* What is in a map, in a few lines. */
void cli_reach_summary(const lb_map_info *info);

/* limber reach query, compare and place: the operands behind the word. */
int cli_reach_query(const cli_command *command, const cli_arguments *arguments);
int cli_reach_compare(const cli_command *command, const cli_arguments *arguments);
int cli_reach_place(const cli_command *command, const cli_arguments *arguments);

#endif
