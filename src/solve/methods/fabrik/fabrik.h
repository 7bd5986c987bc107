/* FABRIK in its parts: reaching (fabrik.c, which says what it is all about) and angles from positions
 * (fabrik_fit.c). */
#ifndef LIMBER_SOLVE_METHODS_FABRIK_FABRIK_H
#define LIMBER_SOLVE_METHODS_FABRIK_FABRIK_H

#include "solve/methods/classic.h"

typedef struct lbs_vertex {
    int parent; /* -1: it does not move */
    int node;   /* or -1: an item's end-effector */
    int item;
    int joint;        /* the first vertex, inwards, at the same place */
    int below;        /* links between it and the vertex that is turned now */
    double length;    /* to the parent; 0: at the same place */
    double weight;    /* of all goals that hang on it */
    double at[3];     /* where it is */
    double wanted[3]; /* where it should be */
    double sum[3];    /* of what its children ask for */
} lbs_vertex;

/* What joints are turned for: what they carry next, all that hangs on them, or the end-effectors' goals alone. */
typedef enum lbs_sake { LBS_FOR_NEXT, LBS_FOR_ALL, LBS_FOR_GOALS } lbs_sake;

typedef struct lbs_fabrik {
    lbs_space *s;
    double *z;
    lb_kinematics *kinematics;
    const lb_figure *figure;
    int count; /* of vertices, every parent before its children */
    lbs_vertex *vertices;
    int *vertex_of; /* [node] */
    int items;      /* with weight */
    lbs_sake sake;
    double *judge;
    lbs_incumbent best;
    lbs_damping damping;
} lbs_fabrik;

/* Puts every vertex where it is at z. */
void lbs_fabrik_place(lbs_fabrik *f);
/* Turns the joints, from the root to the tips, to bring vertices near to where they are wanted. */
void lbs_fabrik_fit(lbs_fabrik *f);

#endif
