/* A pose written into the file that a figure was read from, which stays as it is otherwise: pose.c has what formats
 * share. */
#ifndef LIMBER_IO_POSE_H
#define LIMBER_IO_POSE_H

#include "io/text.h"

/* Copies the source's text with the pose in it. own: the figure that is read from the text alone; pose: of that; at:
 * where a free root is, NULL: it is not free. */
lb_status lbio_fig_put_pose(const lbio_source *source, const lb_figure *own, const double *pose, const lb_frame *at,
                            lbio_text *out);
lb_status lbio_urdf_put_pose(const lbio_source *source, const lb_figure *own, const double *pose, lbio_text *out);

#endif
