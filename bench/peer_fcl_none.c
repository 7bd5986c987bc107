/* Where FCL is not installed: nobody judges. */
#include <math.h>
#include <stddef.h>

#include "peer_fcl.h"

void *peer_fcl_create(const lb_figure *figure, int solid_count, const lb_solid *solids) {
    (void)figure, (void)solid_count, (void)solids;
    return NULL;
}

void peer_fcl_destroy(void *judge) { (void)judge; }

double peer_fcl_least(void *judge, lb_solver *solver, const double *pose, int pair_count) {
    (void)judge, (void)solver, (void)pose, (void)pair_count;
    return NAN;
}
