#ifndef LIMBER_MOTION_TRACK_H
#define LIMBER_MOTION_TRACK_H

#include <limber/motion.h>

/* A copy, ready to be sampled by any number of threads; NULL if there is no memory. */
lb_track *lbt_track_copy(const lb_track *track, const lb_allocator *allocator);
/* The value at a time; one within `near` of a key is the key's. before: as it is when the time comes, so that a step
 * that happens then has not happened yet. */
lb_status lbt_track_at(lb_track *track, double time, double near, int before, double *value);
double lbt_track_end(const lb_track *track); /* time of the last key */

#endif
