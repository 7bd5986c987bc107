/* Bodies at rest and in motion, as retargeting sees them: parts' joints and turns, measures, and how the parts of one
 * body turn when those of another do. */
#ifndef LIMBER_MOTION_BODY_H
#define LIMBER_MOTION_BODY_H

#include <limber/motion.h>

typedef struct lbt_body {
    const lb_figure *figure;
    lb_kinematics *kinematics;
    const int *segments;                    /* [part] */
    lb_effector joints[LB_BODY_PART_COUNT]; /* where a part is joined to what it hangs on */
    double rest_w[LB_BODY_PART_COUNT][3];   /* these at rest */
    double rest_turn_w[LB_BODY_PART_COUNT][4];
    double facing_w[4]; /* turns x ahead, y left, z up to where the body has them at rest */
    double leg, arm[2]; /* lengths; 0: no arm */
    /* The axis about which a knee or elbow bends, upper part x lower part, of both parts; where motion tells it. */
    int has_hinge[LB_BODY_PART_COUNT];
    double hinge_w[LB_BODY_PART_COUNT][3];
    double thumb_w[2][3]; /* where thumbs are at rest, seen from the wrist: their ends */
    /* Where a finger's bone points at rest, ahead, left, up of the body. */
    int has_bone[LB_BODY_PART_COUNT];
    double bone[LB_BODY_PART_COUNT][3];
} lbt_body;

/* At rest, or in whatever pose the kinematics has that stands in for it. The reason for a failure goes to *error. */
lb_status lbt_body_measure(const lb_figure *figure, lb_kinematics *kinematics, const int *segments, const char *which,
                           lbt_body *body, lb_error *error);
/* Whether trunk and legs are upright in that pose, and the hips level. */
int lbt_body_stands(const lbt_body *body);
/* Where a part's joint is, and the turn of its segment, in the pose last given to the kinematics. */
lb_status lbt_body_part(const lbt_body *body, int part, double point_w[3], double turn_w[4]);
/* carry: a target's part turns as source's turn * carry. From the source's rest pose a target's part points where the
 * source's does: rest poses may differ. */
void lbt_body_carry(const lbt_body *source, const lbt_body *target, int part, double carry[4]);

/* Where a limb points at rest, ahead, left, up of the body; 0 where that says nothing of its turn. */
int lbt_body_rest_direction(const lbt_body *body, int part, double direction[3]);

/* body_hand.c. Measures fingers, after all joints are known and where the body faces. */
void lbt_body_measure_hands(lbt_body *body);
/* The turn from a target's hand at rest to the source's, ahead, left, up of the bodies; 0 where it is not known. */
int lbt_body_turn_hand(const lbt_body *source, const lbt_body *target, int side, double turn[4]);
/* Makes of the turn of the hand that of a finger's bone. */
void lbt_body_turn_finger(const lbt_body *source, const lbt_body *target, int part, double turn[4]);

void lbt_turn_back(const double turn[4], double back[4]);
/* Makes a vector's length 1; 0 where it has none. */
int lbt_unit(double v[3]);
/* The shortest turn that takes one direction to another. */
void lbt_turn_from_to(const double from[3], const double to[3], double turn[4]);
/* The turn whose axes are a direction and what of another is across it. 0 where they are along each other. */
int lbt_turn_of_axes(const double along[3], const double aside[3], double turn[4]);
/* On the shortest way from a (t = 0) to b (t = 1). */
void lbt_turn_between(const double a[4], const double b[4], double t, double out[4]);

#endif
