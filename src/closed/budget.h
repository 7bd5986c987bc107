/* How long a goal may take: a number of evaluations, which is the same everywhere, and a question that is asked at each
 * of them. */
#ifndef LIMBER_CLOSED_BUDGET_H
#define LIMBER_CLOSED_BUDGET_H

#include "math/stop.h"

/* What a goal may cost where nobody says: four times what the dearest of known arms take. */
#define LBC_MOST_EVALUATIONS 300000

typedef struct lbc_budget {
    lbm_stop stop; /* asked at each evaluation: what was found until then is what there is */
    int most;      /* evaluations of a goal; 0: any number */
    int used;      /* of the last goal: looks at where the joints beside a free one, or of a group, can be */
    int is_spent;  /* the last goal was left before its end: there may be other solutions */
} lbc_budget;

/* Counts one evaluation. Returns whether there is none left. */
static inline int lbc_spend(lbc_budget *b) {
    b->is_spent |= (b->most > 0 && b->used >= b->most) || lbm_is_stopped(&b->stop);
    b->used += !b->is_spent;
    return b->is_spent;
}

#endif
