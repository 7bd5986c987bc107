/* The description of a body that a figure may carry. */
#ifndef LIMBER_FIGURE_BODY_H
#define LIMBER_FIGURE_BODY_H

#include <limber/body.h>

#include "figure/build/draft.h"

/* A deep copy in the draft's arena; NULL if there is no memory. */
lb_body *lbf_copy_body(lbf_draft *draft, const lb_body *body);
/* Lengths by one factor; strengths by that of masses and that of lengths; weights so that costs are the same. */
void lbf_scale_body(lbf_draft *draft, double length_factor, double mass_factor);
/* Forgets the body of a figure whose variables are not those that it was made for. */
void lbf_check_body(lb_figure *figure);

#endif
