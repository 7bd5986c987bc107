/* Limbs whose shoulder is a group: two variables move any number of joints together (the clavicle, and where the upper
 * arm points), then five joints turn by a variable each: a twist along the upper part, an elbow across it, and a wrist
 * of three axes. */
#ifndef LIMBER_CLOSED_GROUPED_H
#define LIMBER_CLOSED_GROUPED_H

#include "closed/budget.h"
#include "closed/set.h"
#include "figure/figure.h"

#define LBC_GROUP_JOINTS 8
#define LBC_GROUP_ROWS 16     /* limits over several variables of the limb, at most */
#define LBC_GROUP_GRID 52     /* points of the grid along a variable, at most */
#define LBC_CURVE_POINTS 1024 /* of all curves of a goal, */
#define LBC_CURVES 16         /* and their number */

/* A joint that the group moves, where both variables are 0. */
typedef struct lbc_group_joint {
    double axis[3], point[3];
    double zero;              /* its angle there */
    int own;                  /* the variable that it is, or -1: */
    const lbf_driven *driven; /* what drives it */
} lbc_group_joint;

/* Pairs of the group's variables for which the forearm reaches from the elbow to the wrist. */
typedef struct lbc_curve {
    int first, count, is_closed; /* points of it */
} lbc_curve;

typedef struct lbc_grouped {
    const lb_figure *figure;
    int joint_count;
    lbc_group_joint joints[LBC_GROUP_JOINTS];
    int variables[LBC_JOINTS];              /* of the figure */
    double shoulder[3], elbow[3], wrist[3]; /* where the axes meet, joints at 0, arm lengths */
    double across[3];                       /* where the elbow bends to: a unit vector across the twist's axis */
    double forearm, bend;                   /* its length, and the angle to the twist's axis where the elbow is at 0 */
    const double *lower, *upper;            /* [7] */
    const double *pose;                     /* [variable]: of those that are not on the limb */
    int row_count;
    const lb_limit_row *rows[LBC_GROUP_ROWS];
    lbc_budget *budget;   /* asked at each branch of a curve */
    lbm_transform goal;   /* the last one, without the end's own frame */
    double goal_wrist[3]; /* where it has the wrist */
    int is_cut;           /* there was no room for all of its curves */
    int point_count, curve_count;
    double points[LBC_CURVE_POINTS][2];
    lbc_curve curves[LBC_CURVES];
} lbc_grouped;

/* Memory for one goal. */
typedef struct lbc_grouped_work {
    int n[2]; /* points along either variable */
    double from[2], cell[2];
    double height[LBC_GROUP_GRID][LBC_GROUP_GRID];
    unsigned char is_seen[2][LBC_GROUP_GRID][LBC_GROUP_GRID]; /* edges along the first, along the second variable */
} lbc_grouped_work;

/* Whether joints 2 to 6 of the arm are a twist, an elbow and a wrist as they must be, joints of the group being
 * known. */
int lbc_grouped_find(const lbc_arm *arm, lbc_grouped *grouped);
/* One solution for each interval of the swivel angle that the limits leave; where there is none, the one that breaks
 * them least. */
void lbc_grouped_solve(const lbc_arm *arm, lbc_grouped *grouped, const lbm_transform *goal, const double *near,
                       lbc_set *set, lbc_grouped_work *work);
/* The values at a swivel angle of the interval of a solution of the last goal. Returns 0 where there are none. */
int lbc_grouped_at(const lbc_arm *arm, const lbc_grouped *grouped, const lbc_solution *solution, double swivel,
                   double q[LBC_JOINTS]);
/* The condition number of the Jacobian. */
double lbc_grouped_condition(const lbc_arm *arm, const lbc_grouped *grouped, const double *q);

/* --- grouped_curve.c ------------------------------------------------------------------------------------------------------- */

/* How the first `count` joints of the group move what comes after them, at values of its variables. */
void lbc_grouped_move(const lbc_grouped *grouped, int count, const double x[2], lbm_transform *motion);
/* All curves of grouped->goal_wrist: grouped->curves and their points. */
void lbc_grouped_trace(lbc_grouped *grouped, lbc_grouped_work *work);
/* The point of a curve at s, from 0 to its number of points (a closed one) or one less. Returns 0 where it is lost. */
int lbc_grouped_point(const lbc_grouped *grouped, const lbc_curve *curve, double s, double x[2]);
/* The rates of a joint of the group, by its variables. */
double lbc_grouped_angle(const lbc_grouped *grouped, int joint, const double x[2], double rate[2]);

#endif
