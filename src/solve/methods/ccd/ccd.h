/* Cyclic coordinate descent in its parts: what a variable moves (ccd_movers.c), G along one variable (ccd_value.c), its
 * least value there (ccd_line.c), turns of whole joints (ccd_joint.c), and sweeps (ccd.c, which says what it is all
 * about). */
#ifndef LIMBER_SOLVE_METHODS_CCD_CCD_H
#define LIMBER_SOLVE_METHODS_CCD_CCD_H

#include "solve/methods/classic.h"

typedef enum lbs_move_kind {
    LBS_MOVE_TURN,
    LBS_MOVE_SHIFT,
    LBS_MOVE_BALL, /* a component of a rotation vector */
    LBS_MOVE_MANY  /* several coordinates */
} lbs_move_kind;

/* What a variable moves. */
typedef struct lbs_ccd_mover {
    lbs_move_kind kind;
    int figure, node, coordinate; /* the deepest */
    int coordinates;              /* how many */
    int listed;
    double step; /* where a search begins */
} lbs_ccd_mover;

/* An item's end-effector and carrier as the sweep has moved them. */
typedef struct lbs_ccd_carried {
    double e_w[9];
    lbm_transform carrier;
    double value; /* weighted */
} lbs_ccd_carried;

enum { LBS_MOVES_EFFECTOR = 1, LBS_MOVES_CARRIER = 2 };

typedef struct lbs_ccd {
    lbs_space *s;
    double *z;
    lbs_ccd_mover *movers;  /* [n] */
    int *order;             /* [n]: tips first */
    unsigned char *moves;   /* [n][items]: LBS_MOVES_EFFECTOR, LBS_MOVES_CARRIER, or both */
    lbs_ccd_carried *items; /* [items] */
    double *group_value;    /* [items] */
    double *trial, *gradient, *direction, *bound_multipliers, *limit_multipliers, *judge;
    lbs_incumbent best;
    lbs_damping damping;
    int by_figure; /* a goal on the centre of mass: every sample needs the whole figure */
    int stale;     /* z is not where axes and items were looked at */
    double slide;  /* the length of the next step along limits */
} lbs_ccd;

/* Lists what each variable moves, tips first. */
void lbs_ccd_list_movers(lbs_ccd *c);
/* Marks which items each variable moves. */
void lbs_ccd_mark_items(lbs_ccd *c);

/* Whether G along a variable needs no evaluation of the figure. */
static inline int lbs_ccd_is_light(const lbs_ccd *c, int i) {
    return c->movers[i].kind != LBS_MOVE_MANY && !c->by_figure;
}
/* Takes axes, end-effectors and values at z. */
void lbs_ccd_look(lbs_ccd *c);
/* What of G variable i can change, with the variable moved by t. */
double lbs_ccd_value(lbs_ccd *c, int i, double t);
/* Moves the variable to `next`, and what hangs on it along. */
void lbs_ccd_carry(lbs_ccd *c, int i, double next);

/* What form G has along a variable: 0: no simple one; 1, 2: harmonics of a turn, or a parabola. */
int lbs_ccd_degree(const lbs_ccd *c, int i);
/* The step of variable i between `down` and `up` to where G is least, for a form of G. */
double lbs_ccd_least(lbs_ccd *c, int i, int degree, double down, double up);

/* Turns the joint at place k of the order about one axis. Returns the number of its variables, or 0 where this is not
 * the way. */
int lbs_ccd_move_joint(lbs_ccd *c, int k);

#endif
