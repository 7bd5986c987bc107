#ifndef LIMBER_FIGURE_BUILDER_H
#define LIMBER_FIGURE_BUILDER_H

#include "figure/build/draft.h"

struct lb_builder {
    lbf_draft draft;
    lb_error error;
};

/* Fails for want of memory. */
lb_status lbf_no_memory(lb_error *error);
/* Makes the figure that a draft describes. */
lb_status lbf_compile(const lbf_draft *draft, lb_figure **figure, lb_error *error);

#endif
