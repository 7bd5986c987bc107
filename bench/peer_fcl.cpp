#include "peer_fcl.h"

#include "../tests/peers/fcl_shapes.hpp"

void *peer_fcl_create(const lb_figure *figure, int solid_count, const lb_solid *solids) {
    return new fcl_scene(figure, solid_count, solids);
}

void peer_fcl_destroy(void *judge) { delete static_cast<fcl_scene *>(judge); }

double peer_fcl_least(void *judge, lb_solver *solver, const double *pose, int pair_count) {
    auto scene = static_cast<fcl_scene *>(judge);
    double least = INFINITY;
    scene->place(pose);
    for (int i = 0; i < pair_count; i++) {
        lb_contact_pair pair;
        lb_solver_pair(solver, pose, i, &pair);
        least = std::min(least, scene->distance(pair.segment_a, pair.figure_b < 0, pair.segment_b));
    }
    return least;
}
