/* A builder, and what its files share: builder.c, builder_joint.c and builder_find.c. */
#ifndef LIMBER_FIGURE_BUILDER_H
#define LIMBER_FIGURE_BUILDER_H

#include "figure/build/draft.h"

struct lb_builder {
    lbf_draft draft;
    lb_error error;
};

/* Fails with a sentence made of the texts that follow the status. */
#define LBF_FAIL(builder, status, ...) lbf_fail(&(builder)->error, status, __VA_ARGS__, (char *)0)

/* Room for one more part; the name index gets room too, so that adding to it cannot fail. */
#define LBF_ROOM(b, part)                                                                                          \
    ((b)->draft.part##_count >= LBF_MAX_PARTS ? LBF_FAIL(b, LB_ERROR_TOO_LARGE, "more than 10 million " #part "s") \
     : lbf_grow(&(b)->draft.allocator, (void **)&(b)->draft.part##s, &(b)->draft.part##_capacity,                  \
                (b)->draft.part##_count + 1, sizeof *(b)->draft.part##s) &&                                        \
             lbf_names_reserve(&(b)->draft.names, &(b)->draft.allocator, (b)->draft.names.count + 1)               \
         ? LB_OK                                                                                                   \
         : lbf_no_memory(&(b)->error))

/* A copy of a name in *copy, if it can be one: not empty, without control characters, and new in its scope. */
lb_status lbf_take_name(lb_builder *builder, const char *kind, int scope, const char *name, const char **copy);
/* Adds a name to the index, which has room for it: LBF_ROOM came before. */
void lbf_index_name(lb_builder *builder, int scope, const char *name, int value);
/* Whether a frame is one, its rotation made a unit quaternion. */
lb_status lbf_check_frame(lb_builder *builder, const char *kind, const char *name, lb_frame *frame);
/* Whether the limits, rest value and rigidity of a dof (NULL: of a parameter) can be such. */
lb_status lbf_check_range(lb_builder *b, const char *name, const char *dof, double lower, double upper, double rest,
                          double rigidity);
/* Fails for want of memory. */
lb_status lbf_no_memory(lb_error *error);
/* Makes the figure that a draft describes. */
lb_status lbf_compile(const lbf_draft *draft, lb_figure **figure, lb_error *error);

#endif
