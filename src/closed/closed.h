/* What the public calls and the solver share. */
#ifndef LIMBER_CLOSED_CLOSED_H
#define LIMBER_CLOSED_CLOSED_H

#include <limber/closed.h>

#include "closed/general.h"
#include "closed/pieper.h"
#include "closed/planar.h"
#include "figure/figure.h"

#define LBC_TURNS 5 /* windings of one joint, at most: -2 to 2 whole turns */

/* The chain of an arm in its figure. */
typedef struct lbc_chain {
    int variable[LBC_JOINTS];
    double lower[LBC_JOINTS], upper[LBC_JOINTS]; /* radians or metres */
    double unit[LBC_JOINTS];                     /* metres, or 1 for radians, in the arm's unit */
} lbc_chain;

/* A solution with its place among the others. */
typedef struct lbc_ranked {
    int at; /* in the set */
    int is_inside;
    int worst; /* joint of the chain, or -1 */
    double outside;
    double distance2; /* from the start; of those outside, the sum of what they are out by comes first */
    double values[LBC_JOINTS];
} lbc_ranked;

struct lb_closed {
    const lb_figure *figure;
    lb_closed_kind kind;
    int is_position;
    lbc_arm arm;
    lbc_chain chain;
    lbm_transform effector; /* in the end segment's frame */
    double *pose;           /* [variable]: of those that are not on the chain */
    union {
        lbc_pieper pieper;
        lbc_general general;
        lbc_planar planar;
    } form;
    lbc_general_work work;
    lbc_set set;
    lbc_ranked ranked[LBC_SOLUTIONS];
    int inside_count;
};

/* The chain from the base to the effector as an arm. Returns the status, with the reason in *error. */
lb_status lbc_find_chain(lb_closed *closed, const lb_effector *effector, int base_segment, lb_error *error);
/* Chooses the closed form. */
lb_status lbc_choose_form(lb_closed *closed, lb_error *error);
/* Solves for a goal in the world, and ranks what is found by a whole pose. */
void lbc_solve(lb_closed *closed, const lbm_transform *goal_w, const double *start);

/* Fills closed->ranked from closed->set. */
void lbc_rank(lb_closed *closed, const double *start);
/* How many windings joint i of a solution has inside its limits, and the values; the one nearest to `near` first. */
int lbc_windings(const lb_closed *closed, int joint, double value, double near, double values[LBC_TURNS]);

#endif
