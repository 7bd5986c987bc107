#include "closed/set.h"

#include <math.h>

#include "math/trig.h"

#define SAME 1e-6          /* radians: solutions nearer than this are one, */
#define SAME_SINGULAR 1e-5 /* and this where they are roots of a singular pose, good to half the digits only */
#define SINGULAR 1e-4      /* the smallest singular value relative to the largest, below which a pose counts so */
#define FEW_STEPS 12
#define MANY_STEPS 40

/* The largest difference of two solutions, whole turns apart; INFINITY where one is above SAME_SINGULAR. */
static double difference(const lbc_arm *arm, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < arm->n; i++) {
        double by = fabs(a[i] - b[i]);
        if (!arm->slides[i] && by > LBM_PI) {
            by = fabs(lbc_wrapped(by));
        }
        if (by > SAME_SINGULAR) {
            return INFINITY;
        }
        most = by > most ? by : most;
    }
    return most;
}

static void insert(lbc_set *set, const lbc_arm *arm, const double *q, double error, int is_free) {
    lbc_solution made = {{0}, 0, 0, 0, {0}, {0}};
    for (int i = 0; i < arm->n; i++) {
        made.q[i] = arm->slides[i] || fabs(q[i]) < LBM_PI ? q[i] : lbc_wrapped(q[i]);
    }
    made.error = error;
    made.is_free = is_free;
    for (int i = 0; i < set->count; i++) {
        const double apart = difference(arm, made.q, set->list[i].q);
        if (apart < SAME || (apart < SAME_SINGULAR && lbc_arm_condition(arm, made.q) * SINGULAR > 1)) {
            if (error < set->list[i].error) {
                set->list[i] = made;
            }
            set->merged++;
            return;
        }
    }
    if (set->count < LBC_SOLUTIONS) {
        set->list[set->count++] = made;
    } else {
        set->refused++; /* there may be more than there is room for */
    }
}

static void polish_and_insert(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, double *q, int is_free) {
    const double error = lbc_arm_polish(arm, goal, q, is_free < 0 ? MANY_STEPS : FEW_STEPS);
    if (error <= LBC_VERIFIED) {
        insert(set, arm, q, error, is_free > 0);
    } else {
        set->refused++;
    }
}

void lbc_set_offer(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const double *offer, double error,
                   int is_free) {
    double q[LBC_JOINTS];
    if (error <= LBC_GOOD) {
        insert(set, arm, offer, error, is_free);
        return;
    }
    memcpy(q, offer, (size_t)arm->n * sizeof *q);
    polish_and_insert(set, arm, goal, q, is_free);
}

void lbc_set_offer_rough(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const double *rough) {
    double q[LBC_JOINTS];
    memcpy(q, rough, (size_t)arm->n * sizeof *q);
    polish_and_insert(set, arm, goal, q, -1);
}
