/* What a servo that keeps clear remembers: servo_apart.c finds the pairs that are near and bounds how fast they come
 * nearer, servo_apart_way.c sees to it that braking stays free. */
#ifndef LIMBER_SOLVE_SERVO_SERVO_APART_H
#define LIMBER_SOLVE_SERVO_SERVO_APART_H

#include "problem/apart.h"
#include "solve/servo/servo.h"

/* A pair that could touch. */
typedef struct near_pair {
    int pair;
    double least;    /* metres to be kept on the way */
    double distance; /* less the margin */
    lbm_gap gap;
    double *levers; /* [variable] */
} near_pair;

typedef struct lbs_servo_apart {
    const lbp_apart *all;
    int figure_count, variable_count;
    size_t size;
    lb_kinematics **kinematics; /* [figure] */
    lbm_transform *frames;      /* [mass] */
    int *first_twists;          /* [mass]; into twists; -1: it does not move */
    double *twists;             /* of every mass [6][variable of its figure]: of its middle, in this tick's pose */
    double (*centres)[3];       /* [mass] */
    double *sweeps;             /* [mass]: metres that it can move until all stands */
    double *ways;               /* [variable]: how far it can go until then */
    double *pose, *x, *lower, *upper;
    lbp_memory *memories; /* [pair] */
    double *floors; /* [pair]: distance, less the margin, below which it does not come; -INFINITY: not known yet */
    int near_count;
    near_pair *near;      /* [pair] */
    int *order;           /* [pair]: of near, as the way is looked at */
    int looks;            /* how many more poses of the way are looked at, at most */
    double *levers;       /* [pair][variable] */
    lb_limit_row *rows;   /* [pair] */
    double *coefficients; /* [pair][variable] */
    int *variables;       /* [pair][variable] */
    void *scratch;        /* of lbm_project */
} lbs_servo_apart;

void lbs_servo_place_masses(lbs_servo_apart *apart, const lb_problem *problem, const double *pose);

#endif
