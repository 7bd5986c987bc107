/* Arms for the benchmarks: a figure with one end-effector, poses that it has to reach, and the bare chain of it that
 * other libraries are given. */
#ifndef LIMBER_BENCH_ARM_H
#define LIMBER_BENCH_ARM_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_ARM_JOINTS 16

/* A joint of a bare chain: frame of the joint (row-major 3x4: rotation and position) in the moved frame of the one
 * before, and then a turn about axis or a shift along it. */
typedef struct bench_joint {
    double frame[12];
    double axis[3];
    int is_angle;
    double lower, upper; /* infinite: unlimited */
} bench_joint;

typedef struct bench_arm {
    char name[96];
    lb_figure *figure;
    lb_effector effector;
    int variables, dofs; /* dofs: variables that may move */
    char *is_active;     /* [variables] */
    double *rest;        /* [variables] */
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    int constraint;
    double limit_us; /* an answer that comes later is none */
    /* the poses to reach */
    int instances;
    double *answers;  /* [instances][variables]: a pose that reaches it */
    double *targets;  /* [instances][9]: r, x, y */
    lb_frame *frames; /* the same */
    /* the bare chain; joint_count 0: it has none (a joint that moves with another) */
    int joint_count;
    bench_joint joints[BENCH_ARM_JOINTS];
    double tool[12]; /* frame of the effector in the last joint's moved frame */
} bench_arm;

/* From models/MODEL.fig, effector at its site "tool". */
void bench_arm_from_model(bench_arm *arm, const char *model);
/* The joints from one link of a URDF file to another; all else stands still, and is removed where nothing depends on it.
 * Returns 0 where the file or the links are not there. */
int bench_arm_from_urdf(bench_arm *arm, const char *path, const char *base, const char *tip);
void bench_arm_destroy(bench_arm *arm);

/* Poses to reach: forward kinematics of random poses inside the limits. */
void bench_arm_make_targets(bench_arm *arm, int count, uint64_t seed);
/* Room for goals of other kinds, which take the place of those before; and one of them: position, x and y. */
void bench_arm_make_room(bench_arm *arm, int count);
void bench_arm_set_target(bench_arm *arm, int instance, const double e[9]);
/* Starts, [instances][variables]. */
void bench_arm_starts_mid(const bench_arm *arm, double *starts);
void bench_arm_starts_random(const bench_arm *arm, uint64_t seed, double *starts);
/* Each variable at most so far from a pose that reaches the target. */
void bench_arm_starts_near(const bench_arm *arm, double distance, uint64_t seed, double *starts);

/* A random value of each moving variable inside its limits (a whole turn where there are none). */
void bench_arm_random_pose(const bench_arm *arm, uint64_t *state, double *pose);
/* Brings angles into their limits by whole turns; whether all are inside then. */
int bench_arm_fit(const bench_arm *arm, double *pose);

/* For a race: context is the arm. */
void bench_arm_solve(void *arm, int instance, double *pose, bench_outcome *outcome);
int bench_arm_verify(void *arm, int instance, const double *pose);

#ifdef __cplusplus
}
#endif

#endif
