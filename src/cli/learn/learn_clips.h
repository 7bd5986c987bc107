/* The clips that a habit is learned from. */
#ifndef LIMBER_CLI_LEARN_CLIPS_H
#define LIMBER_CLI_LEARN_CLIPS_H

#include "cli/cli.h"

typedef struct learn_paths {
    char **items;
    int count, capacity;
} learn_paths;

/* The files that the command line names, and those of the folders that it names; errors are printed. */
int learn_find(const cli_arguments *arguments, learn_paths *paths);
void learn_forget(learn_paths *paths);
/* Reads a clip as motion of the figure. `how` has the unit of BVH files. The clip is to be destroyed. */
int learn_read(const char *path, const cli_source *how, const lb_figure *figure, lb_clip **clip);

#endif
