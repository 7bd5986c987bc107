/* What the public calls and the solver share. */
#ifndef LIMBER_CLOSED_CLOSED_H
#define LIMBER_CLOSED_CLOSED_H

#include <limber/closed.h>

#include "closed/budget.h"
#include "closed/general/general.h"
#include "closed/limb/grouped.h"
#include "closed/limb/limb.h"
#include "closed/pieper.h"
#include "closed/planar.h"
#include "closed/seven/seven.h"
#include "figure/figure.h"

#define LBC_TURNS 5 /* windings of one joint, at most: -2 to 2 whole turns */

/* The variables of an arm in its figure. */
typedef struct lbc_chain {
    int variable[LBC_JOINTS];
    double lower[LBC_JOINTS], upper[LBC_JOINTS]; /* radians or metres */
    double unit[LBC_JOINTS];                     /* metres, or 1 for radians, in the arm's unit */
    const lb_figure *figure;                     /* whose limits over several variables count; NULL: there are none */
    const double *pose;                          /* [variable]: of those that are not on the chain */
} lbc_chain;

/* A solution with its place among the others. */
typedef struct lbc_ranked {
    int at; /* in the set */
    int is_inside;
    int worst; /* joint of the chain, or -1 */
    double outside;
    double distance2; /* from the start */
    double values[LBC_JOINTS];
} lbc_ranked;

typedef struct lbc_ranking {
    int inside_count;
    lbc_ranked list[LBC_SOLUTIONS]; /* as many as the set has */
} lbc_ranking;

/* An arm with its closed form, and what was found last. */
typedef struct lbc_form {
    lb_closed_kind kind;
    int is_position;
    lbm_isa isa; /* the vector instructions at hand */
    lbc_arm arm;
    union {
        lbc_pieper pieper;
        lbc_general general;
        lbc_planar planar;
        lbc_limb limb;
        lbc_seven seven;
        lbc_grouped grouped;
    } by;
    union {
        lbc_general_work general;
        lbc_grouped_work grouped;
        lbc_seven_work seven;
    } work;
    lbc_set set;
    lbc_budget budget;  /* of goals that take long; nothing, where nobody set it */
    lbm_transform goal; /* the last one, in arm lengths */
} lbc_form;

struct lb_closed {
    const lb_figure *figure;
    lbc_form form;
    lbc_chain chain;
    lbc_ranking ranking;
    double *pose; /* [variable]: of those that are not on the chain */
    lb_effector effector;
    lb_kinematics *kinematics; /* NULL: nobody verifies by it */
    double until_us;           /* of the caller's clock; INFINITY */
    lb_closed_options options;
};

/* What an arm is made with. */
typedef struct lbc_making {
    int *nodes;                /* [node of the figure]: scratch */
    lb_kinematics *kinematics; /* of the figure: scratch */
    const int *active_of; /* [variable]: below 0 for those that stand as in the pose; NULL: those that are rigid do */
} lbc_making;

/* Makes the chain from the base to the effector an arm, and chooses its form. closed has a figure, its pose, and as its
 * chain's figure the one whose limits over several variables count; all else is 0. Where it fails, *error has the
 * reason. */
lb_status lbc_prepare(lb_closed *closed, const lb_effector *effector, int base_segment, const lbc_making *by,
                      lb_error *error);

/* Why an arm has no closed form. */
typedef enum lbc_lack {
    LBC_HAS_FORM,
    LBC_LACKS_JOINTS,   /* it has another number of joints, or they are of other kinds */
    LBC_LACKS_ROTATION, /* a position alone */
    LBC_LACKS_RANK      /* it is singular in every pose */
} lbc_lack;

/* Whether it is proved that the last goal has no solution inside the limits, the solutions found being ranked:
 * proof.c. */
int lbc_proves(lbc_form *form, const lbc_chain *chain, const lbc_ranking *ranking);
/* Whether a goal takes tens of milliseconds, which a search should not be kept waiting for. */
int lbc_is_slow(const lbc_form *form);
/* Chooses the closed form of form->arm. */
lbc_lack lbc_choose(lbc_form *form);
/* The same among those of pieper.h alone, which takes a few microseconds. Returns whether the arm has one. */
int lbc_choose_pieper(lbc_form *form);
/* Finds all solutions for a goal in the world: form->set. Of those of a limb the ones nearest to a whole pose. */
void lbc_solve(lbc_form *form, const lbc_chain *chain, const lbm_transform *goal_w, const double *start);
/* Ranks them by a whole pose: those inside their limits first, then those nearer to it. */
void lbc_rank(const lbc_form *form, const lbc_chain *chain, const double *start, lbc_ranking *ranking);
/* How many windings a value of joint i has inside its limits, and these; the one nearest to `near` first. */
int lbc_windings(const lbc_form *form, const lbc_chain *chain, int joint, const double value_and_near[2],
                 double values[LBC_TURNS]);

#endif
