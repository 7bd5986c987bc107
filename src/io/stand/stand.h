/* A legged figure on its feet: docs/legged.md.
 *
 *     stand_tree.c   which segments move as one, which ends are feet, which chains are legs
 *     stand_foot.c   where a foot touches the floor: from its shapes, or from where its links and masses are
 *     stand_bend.c   which joint of a leg is its knee, and how far it is bent in a sensible stance
 *     stand_body.c   the body: contacts, strengths, what moving costs
 *     stand.c        the figure anew, with a free root, in its stance
 */
#ifndef LIMBER_IO_STAND_H
#define LIMBER_IO_STAND_H

#include "io/text.h"

#define LBIO_MOST_LEGS LB_BODY_LIMBS
#define LBIO_MOST_POINTS 4 /* of a foot */

/* A point of a foot that stands. */
typedef struct lbio_foot_point {
    int segment;
    double at[3]; /* in the frame of the segment */
    double radius;
} lbio_foot_point;

typedef struct lbio_leg {
    int first;     /* the segment that it begins with: its origin is the hip */
    int end_count; /* that stand: one, or toes */
    int ends[LBIO_MOST_POINTS];
    int point_count;
    lbio_foot_point points[LBIO_MOST_POINTS];
    int has_heel; /* toes move: the heel is on the segment above */
    lbio_foot_point heel;
    int is_guessed; /* it has no shapes to stand on */
    double hip[3], sole[3];
    double reach; /* of the sole from the hip, stretched */
    int knee;     /* a variable; -1: none bends it */
    double straight, bent;
} lbio_leg;

typedef struct lbio_stander {
    const lb_figure *figure;
    lb_kinematics *kinematics;
    double *pose;              /* [variable] */
    int count;                 /* segments */
    lb_frame *frames;          /* [count] in the world with z up, in the pose */
    int *heads;                /* [count] the first segment of those that move as one with this one */
    int *dofs;                 /* [count] of a head: by how many it moves against what it hangs on */
    unsigned char *is_held_by; /* [count] of a head: others hang on it */
    int base;                  /* the segment that carries all others */
    int floating;              /* the joint that carries it through the world; -1: none, the root becomes free */
    double turn[4];            /* brings what is up to z */
    double floor, height;      /* of the lowest point, and of the highest above it */
    int leg_count;
    lbio_leg legs[LBIO_MOST_LEGS];
    const char *problem; /* why it cannot stand */
} lbio_stander;

/* Prepares for a figure; LB_ERROR_MEMORY. */
lb_status lbio_stander_begin(lbio_stander *s, const lb_figure *figure);
void lbio_stander_end(lbio_stander *s);
/* Places the frames by the pose. */
void lbio_stander_place(lbio_stander *s);

/* Finds the legs: their number, which is 0 where it cannot stand (s->problem says why), or a negative lb_status. */
int lbio_stand_find_legs(lbio_stander *s);
/* The segment that another one hangs on as seen by what moves; -1: none. */
int lbio_stand_above(const lbio_stander *s, int head);
/* The height of the lowest point of what moves with a head. */
double lbio_stand_lowest(const lbio_stander *s, int head);
/* Finds where a foot touches the floor. `biped`: its feet have soles. */
void lbio_stand_find_foot(lbio_stander *s, lbio_leg *leg, int is_biped);
/* Finds the knee. */
void lbio_stand_find_knee(lbio_stander *s, lbio_leg *leg);
/* A point of a segment in the world, with z up. */
void lbio_stand_world(const lbio_stander *s, int segment, const double at[3], double world[3]);

/* What a stance adds to a body. */
typedef struct lbio_stance {
    const double *crouch;         /* [variable] a pose to start from; NULL: none */
    const unsigned char *is_weak; /* [joint] 1: its effort is not known; NULL: all are */
} lbio_stance;

lb_status lbio_stand_set_body(const lbio_stander *s, const lbio_stance *stance, lb_figure *figure, lb_error *error);

/* The figure of a file as the options ask for it; *figure is replaced. */
lb_status lbio_make_stand(const lbio_source *source, lb_figure **figure);
/* The same of its base: plane.c. */
lb_status lbio_make_base(const lbio_source *source, lb_figure **figure);

#endif
