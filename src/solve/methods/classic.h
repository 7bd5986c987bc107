/* What the classic methods - ccd, jacobian, fabrik - share: how far a variable may move alone, and what to say at the
 * end. */
#ifndef LIMBER_SOLVE_CLASSIC_H
#define LIMBER_SOLVE_CLASSIC_H

#include "solve/methods/methods.h"

/* Doubles of scratch for lbs_judge. */
size_t lbs_judge_size(const lbs_space *space);
/* What may be said of z: that all is met; that it is a minimum, if the projected gradient is zero and no direction of
 * negative curvature leads down from there (a straight chain whose goal lies on its own axis is no minimum); else that
 * the method is out of means. Where a direction does lead down, z is moved along it to a better point and *escaped is
 * 1: a method may go on from there. */
lbs_end lbs_judge(lbs_space *space, double *work, double *z, int *escaped);

/* Returns 1, with the reason in *error, where there are several priority levels (loops are one of their own). */
int lbs_has_levels(const lbs_space *space, const char *method, lb_error *error);
/* How far z[i] may move if all others stay: *down <= 0 <= *up; both 0 where an equality holds it. */
void lbs_room(const lbs_space *space, const double *z, int i, double *down, double *up);
/* Whether there is nothing left to do: all is met, and nobody asked to go on. Of the last evaluation, at z. */
int lbs_done(const lbs_space *space, const double *z);

/* Damping of methods that move one variable at a time (ccd, fabrik), whose full step would not feel the scale of the
 * variable. A step counts relative to that of the most limber variable: times (1 - rigidity) over the largest 1 -
 * rigidity (ZB94 section 11; BAGS: the weight of a joint). On top of that a variable that moves away from its
 * preferred value is damped the more the farther off it is (BAGS 3.3). Damping is a preference of the path: where
 * headway stops it gives way, so that what can be met is met. */
typedef struct lbs_damping {
    double limber;    /* the largest 1 - rigidity */
    double preferred; /* 1/rad or 1/m */
    double left;      /* 1: all of it; 0: none */
} lbs_damping;

void lbs_damping_begin(lbs_damping *damping, const lbs_space *space);
/* What is made of a step t of z[i]. It is t itself, to the bit, where nothing damps. */
double lbs_damp(const lbs_damping *damping, const lbs_space *space, const double *z, int i, double t);
/* Whether the step of variable i may be shortened. */
int lbs_is_damped(const lbs_damping *damping, const lbs_space *space, int i);
/* After an iteration that lowered the best G by this part of it. */
void lbs_damping_yield(lbs_damping *damping, double part);

/* Turns v about the unit vector u (Rodrigues): v cos + (u x v) sin + u (u . v) (1 - cos). */
static inline void lbs_turn_vector(const double u[3], double sine, double cosine, double v[3]) {
    double across[3], along = lbm_dot3(u, v) * (1 - cosine);
    lbm_cross3(u, v, across);
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] * cosine + across[i] * sine + u[i] * along;
    }
}

/* The best point so far, and G where it all began. */
typedef struct lbs_incumbent {
    double *z;
    double value, first;
} lbs_incumbent;

void lbs_incumbent_begin(lbs_incumbent *best, lbs_space *space, const double *z);

/* Keeps z if it is better; returns by what part of the best value so far (0: it is not better). */
double lbs_incumbent_keep(lbs_incumbent *best, const lbs_space *space, const double *z, double value);
/* Keeps z, where the gradient vanishes, although it may be worse than the best in its last digits: but not than the
 * first. Returns 1 if so. */
int lbs_incumbent_settle(lbs_incumbent *best, const lbs_space *space, const double *z, double value);

#endif
