/* limber retarget: a motion as a table. */
#ifndef LIMBER_CLI_RETARGET_CSV_H
#define LIMBER_CLI_RETARGET_CSV_H

#include "cli/cli.h"

/* A row a frame: the time and every variable; of a robot the time, where its root is, and a value a joint. */
int cli_write_motion_csv(const lb_clip *clip, int is_robot, const char *path);

#endif
