/* The description of a body that a figure may carry. */
#ifndef LIMBER_FIGURE_BODY_H
#define LIMBER_FIGURE_BODY_H

#include <limber/body.h>

#include "figure/build/draft.h"

/* A deep copy in the draft's arena; NULL if there is no memory. */
lb_body *lbf_copy_body(lbf_draft *draft, const lb_body *body);
/* Lengths by one factor; strengths by that of masses and that of lengths. */
void lbf_scale_body(lb_body *body, double length_factor, double mass_factor);

#endif
