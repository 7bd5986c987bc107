/* FCL as the judge of answers: the least distance of all pairs that a problem keeps apart. */
#ifndef LIMBER_BENCH_PEER_FCL_H
#define LIMBER_BENCH_PEER_FCL_H

#include <limber/collisions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL where FCL was not there when the bench was built. */
void *peer_fcl_create(const lb_figure *figure, int solid_count, const lb_solid *solids);
void peer_fcl_destroy(void *judge);
/* The pairs are those of the solver's problem. */
double peer_fcl_least(void *judge, lb_solver *solver, const double *pose, int pair_count);

#ifdef __cplusplus
}
#endif

#endif
