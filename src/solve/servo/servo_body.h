/* Figures that are posed as bodies, on a servo: feet that stand stay where they stand, the centre of mass over them,
 * limbs and drives within what they may, and what the goals leave free goes to where the body's terms are least.
 *
 * Rows. The rules and conditions of the bodies are those of a solve (solve/body), at the pose of the tick: rules are
 * rows that a step keeps at zero, conditions are rows that it does not take above zero. With them each tick is a
 * quadratic program,
 *
 *     minimise  the squares of rules, of goals and of the body's terms, each weighing far less than the one before,
 *     such that speeds are in their boxes (servo_bounds.c) and no condition is above zero at the end of the way.
 *
 * The end of the way. Joints that brake each by themselves do not keep feet where they are. A servo with bodies brakes
 * as a whole instead: all speeds fall by the same share 1 / k of themselves each tick, so that every linear rule holds
 * on, and the whole comes to rest after a way of k ticks at the present speed, on a straight line. Each condition, the
 * ends of all ranges and the centre of mass are asked for at the end of that line:
 *
 *     c + k a . d <= 0,     q + k d within its range,     com + k J d = sum of f p,   f >= 0,
 *
 * d being the step of one tick. One tick of such braking later c is c + a . d, d is (1 - 1 / k) d, and c + k a . d is
 * what it was: so where the rows hold once, braking keeps them, and the program has a feasible point. The time k T is
 * HORIZON; a speed v falls by v / k a tick, which its acceleration limit lets it where v <= a HORIZON. SHARE of that is
 * used, and the rest is for what is not linear: feet that stay while legs turn need accelerations of the order of the
 * speeds squared.
 *
 * The forces f at the contacts are unknowns of the program; they are those at the end of the way, so that the centre of
 * mass, which is over what stands now and at the end, is so on the line between. */
#ifndef LIMBER_SOLVE_SERVO_SERVO_BODY_H
#define LIMBER_SOLVE_SERVO_SERVO_BODY_H

#include "solve/body/body.h"
#include "solve/servo/servo.h"

#define LBS_SERVO_RULE_WEIGHT 1e9
#define LBS_SERVO_LIMIT_ROOM 1e-9    /* that limits over several variables are not used up by, in their units */
#define LBS_SERVO_BODY_DAMPING 1e-4  /* of every variable, in the units of the terms */
#define LBS_SERVO_FORCE_DAMPING 1e-7 /* of every force at the end of the way */
#define LBS_SERVO_TERMS_AGE 32       /* ticks for which the terms of a body are as they were */
#define LBS_SERVO_HORIZON 0.4        /* seconds */
#define LBS_SERVO_SHARE 0.6          /* of accelerations, for braking as a whole */

/* What conditions of a tick are about, and by which they are known from tick to tick: a condition of the bodies, or
 * behind these a pair of the problem. */
typedef struct lbs_servo_rows {
    int count, hard, most;
    double *rows, *values; /* [most][stride], [most] */
    int *keys;             /* [most] */
} lbs_servo_rows;

/* The terms as they were looked at last: half their Hessian and gradient, there. */
typedef struct lbs_servo_terms {
    double *matrix, *gradient, *x; /* [size][stride], [stride] */
    int age;                       /* ticks since */
} lbs_servo_terms;

struct lbs_servo_body {
    void *block;
    size_t size;
    lbs_bodies *bodies;
    double *stood; /* [variable]: the pose that says where feet stand */
    int has_stood;
    int levels, most; /* that there is room for; active constraints */
    double *x;        /* [stride]: z of the tick, and the forces at the end of the way */
    lbs_servo_terms terms;
    int has_brake;                  /* drive.braking is of this tick */
    double (*places)[3];            /* of all contacts of all bodies, one after the other: where they stood */
    double error;                   /* of the goals of the last level */
    double *base, *matrix, *damped; /* [size][stride]: terms and rules; with goals; for goals that are far */
    double *gradient, *low, *high, *wanted, *above, *d, *solved; /* [stride] */
    double *goals;                                               /* [row][stride]: goals, with the stride of x */
    double *before;                                              /* [condition]: their values in the last tick */
    lbs_servo_rows rows;
    lbm_qp qp;
    int *guesses;      /* [level][most]: active constraints of the last tick, by bound or behind these by key */
    int *guess_counts; /* [level] */
};

/* servo_body.c */
lb_status lbs_servo_body_create(const lb_servo *servo, struct lbs_servo_body **made);
void lbs_servo_body_destroy(const lb_allocator *allocator, struct lbs_servo_body *body);
/* What the old one knows of where feet stand goes to the new one. */
void lbs_servo_body_carry(const lb_servo *servo, struct lbs_servo_body *to, const struct lbs_servo_body *from);
/* Plans anew where the problem has changed. The space is planned; the forces are those of this pose. */
void lbs_servo_body_plan(lb_servo *servo, const double *pose);
/* Refuses what a servo does not do with bodies. */
lb_status lbs_servo_body_check(const lb_problem *problem, const lb_servo_options *options, lb_error *error);
/* Feet stand where this pose has them. Refuses one that is out of balance, and then nothing has changed. */
lb_status lbs_servo_body_start(lb_servo *servo, const double *pose, lb_error *error);

/* How far a point is inside the convex hull of the contacts that may carry, seen from above; -INFINITY: they have no
 * area. */
double lbs_servo_body_inside(const lbs_bodies *all, const lbs_body *body, const double at[3]);

/* Adds rules: what stands does not slide, beside those of feet that the body has itself. */
void lbs_servo_body_hold(lb_servo *servo);

/* servo_body_terms.c: looks at the terms anew, every so many ticks. */
void lbs_servo_body_terms(lb_servo *servo);

/* servo_body_step.c: the step in z: work.d. */
void lbs_servo_body_step(lb_servo *servo);

/* servo_body_brake.c: the box of speeds made as small as braking as a whole needs. */
void lbs_servo_body_bound(lb_servo *servo);
/* Takes speeds back towards braking until all limits over several variables hold at the end of the way. Returns 1 where
 * it had to. */
int lbs_servo_body_keep_rows(lb_servo *servo);

#endif
