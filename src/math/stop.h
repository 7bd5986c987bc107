/* A question that work which may take long asks now and then: whether to give up. */
#ifndef LIMBER_MATH_STOP_H
#define LIMBER_MATH_STOP_H

typedef struct lbm_stop {
    int (*is_late)(void *context); /* NULL: it never gives up */
    void *context;
} lbm_stop;

static inline int lbm_is_stopped(const lbm_stop *stop) { return stop->is_late && stop->is_late(stop->context); }

#endif
