/* Robots with meshes (../shared/data) that keep clear of themselves and of a world, with FCL as the judge where it is installed. */
#ifndef LIMBER_BENCH_RIG_H
#define LIMBER_BENCH_RIG_H

#include "bench.h"

#include <limber/collisions.h>

#define RIG_MOST 64 /* variables */
#define RIG_ROBOTS 3
#define RIG_SOLIDS 4
#define RIG_OVERLAP 1e-4 /* metres that an answer may overlap by */

typedef struct rig_robot {
    const char *name, *file, *base, *tip;
} rig_robot;

extern const rig_robot rig_robots[RIG_ROBOTS];

typedef struct rig {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    lb_constraint goal;
    int id, n, pairs;
    void *judge; /* FCL's; NULL where it was not there */
} rig;

/* A table that the robot stands on, and three boxes around it. */
void rig_make_world(lb_solid world[RIG_SOLIDS]);
/* 0 where the robot's file is not there. The solids must stay while it is open. */
int rig_open(rig *r, int robot, int solid_count, const lb_solid *solids);
void rig_close(rig *r);

/* A frame of the tip: as position, x and y, and as the problem's goal. */
typedef struct rig_target {
    double e[9];
    lb_frame frame;
} rig_target;

/* One that random joint values have which touch nothing. */
void rig_draw_target(rig *r, uint64_t *seed, rig_target *t);
/* Where a pose has the tip, by the bench's own kinematics. */
void rig_frame_of(const rig *r, const double *pose, double e[9]);

#endif
