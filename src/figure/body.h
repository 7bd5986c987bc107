/* The description of a body that a figure may carry. */
#ifndef LIMBER_FIGURE_BODY_H
#define LIMBER_FIGURE_BODY_H

#include <limber/body.h>

#include "figure/build/draft.h"

/* A deep copy in the draft's arena; NULL if there is no memory. */
lb_body *lbf_copy_body(lbf_draft *draft, const lb_body *body);
/* Lengths by one factor; strengths by that of masses and that of lengths; weights so that costs are the same. */
void lbf_scale_body(lbf_draft *draft, double length_factor, double mass_factor);
/* Fits the body to the variables of a figure that was made from the one which it was set for. Where the figure has lost
 * variables, as by another root or a frozen joint, they are left out; where it has others, the body is forgotten. */
lb_status lbf_fit_body(lb_figure *figure, lb_error *error);
/* The joint whose six dofs are the first variables and carry a segment through the world; -1: there is none. */
int lbf_floating_joint(const lb_figure *figure);
/* Moves the figure as a whole by v, in the world, where it is free to; 0 where it is not. */
int lbf_move_whole(const lb_figure *figure, const double v[3], double *pose);

#endif
