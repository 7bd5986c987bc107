#ifndef LIMBER_MOTION_TRACK_H
#define LIMBER_MOTION_TRACK_H

#include <limber/motion.h>

/* A copy, ready to be sampled by any number of threads; NULL if there is no memory. */
lb_track *lbt_track_copy(const lb_track *track, const lb_allocator *allocator);
double lbt_track_end(const lb_track *track); /* time of the last key */

#endif
