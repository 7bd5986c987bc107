/* Other libraries as contestants on an arm's bare chain. Each is built in where it is installed. */
#ifndef LIMBER_BENCH_PEERS_H
#define LIMBER_BENCH_PEERS_H

#include "arm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_kind {
    const char *name;
    int part;                              /* it runs on one of so many of the instances */
    void *(*create)(const bench_arm *arm); /* NULL: it cannot do this one */
    void (*solve)(void *peer, int instance, double *pose, bench_outcome *outcome);
    void (*destroy)(void *peer);
} peer_kind;

extern const peer_kind peer_kdl, peer_lbfgs, peer_slsqp, peer_mujoco, peer_simbody;

/* Those that were built in, ended by NULL, and the names of those that were not ("" where all were). */
extern const peer_kind *const peers[];
extern const char peers_left_out[];

#ifdef __cplusplus
}
#endif

#endif
