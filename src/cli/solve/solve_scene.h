/* What a body meets, as options of `limber solve`. Each function writes one member of a list or object; where it is not
 * understood it says so and returns CLI_USAGE. */
#ifndef LIMBER_CLI_SOLVE_SOLVE_SCENE_H
#define LIMBER_CLI_SOLVE_SOLVE_SCENE_H

#include "cli/cli.h"

#define CLI_SURFACE_FORM "table=0.8,0,0.75 or table=0.8,0,0.75,0.4,0.6"
#define CLI_OBSTACLE_FORM "'box 0.6,0,0.35 half 0.3,0.5,0.35'"
#define CLI_SWIVEL_FORM "right_elbow=down or right_elbow=0,-1,0"

/* NAME=x,y,z[,half_x,half_y] [half a,b] [normal d] [along d] [thick LENGTH] */
int cli_put_surface(const cli_command *command, lbio_text *json, const char *name, char *value);
/* [NAME=]box p half x,y,z, capsule p to p radius r, or sphere p radius r */
int cli_put_obstacle(const cli_command *command, lbio_text *json, char *text);
/* JOINT=side or JOINT=x,y,z */
int cli_put_swivel(const cli_command *command, lbio_text *json, const char *joint, char *value);

#endif
