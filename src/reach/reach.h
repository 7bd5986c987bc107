/* What the public calls share. */
#ifndef LIMBER_REACH_REACH_H
#define LIMBER_REACH_REACH_H

#include <limber/reach.h>

#include "reach/space.h"

struct lb_reach {
    lb_allocator allocator;
    lbr_chain chain;
    lbr_space tip; /* of the end-effector's point */
    lbr_space
        wrist; /* of the point farthest down the chain that a frame of the end-effector settles: it lies on the last
                        axes; count is that of tip where there is none */
    double
        wrist_slack; /* metres: the chain's, and what axes may be off the wrist's point that count as meeting in it */
    int has_frames;
};

#endif
