/* EN07's turn of a joint, for ccd.c: one rotation, shared out to the joint's own axes. */
#ifndef LIMBER_SOLVE_CCD_AXIS_H
#define LIMBER_SOLVE_CCD_AXIS_H

#define LBS_AXIS_MOST 3

/* The turns (rad) of a joint at `centre` that take `effector` onto the ray towards `goal` by the least rotation, or as
 * near to that rotation as the axes allow. axes: unit vectors in the world at the present pose, the outermost first; at
 * most LBS_AXIS_MOST. */
void lbs_axis_turns(const double centre[3], const double effector[3], const double goal[3], int count,
                    const double (*axes)[3], double *turns);

#endif
