/*
 * Limber's motion: figures over time.
 *
 * Times are seconds.
 */
#ifndef LIMBER_MOTION_H
#define LIMBER_MOTION_H

#include <limber/limber.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------
 * Clips: a figure's poses at even times, as motion capture has them
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_clip lb_clip;

/* All poses at rest. The figure must outlive the clip. frame_time > 0. NULL if there is no memory or on bad numbers. */
LB_API lb_clip *lb_clip_create(const lb_figure *figure, int frame_count, double frame_time);
LB_API void lb_clip_destroy(lb_clip *clip);
LB_API const lb_figure *lb_clip_figure(const lb_clip *clip);
LB_API int lb_clip_frame_count(const lb_clip *clip);
LB_API double lb_clip_frame_time(const lb_clip *clip);
LB_API double lb_clip_duration(const lb_clip *clip); /* of the frames but one */
/* [variables of the figure]: to read and to write. They need not be inside the limits. */
LB_API double *lb_clip_pose(lb_clip *clip, int frame);
LB_API const double *lb_clip_const_pose(const lb_clip *clip, int frame);

#ifdef __cplusplus
}
#endif

#endif
