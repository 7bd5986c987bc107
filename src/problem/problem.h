#ifndef LIMBER_PROBLEM_PROBLEM_H
#define LIMBER_PROBLEM_PROBLEM_H

#include <limber/body.h>

#include "figure/error.h"
#include "figure/memory.h"
#include "problem/goal.h"

typedef struct lbp_constraint {
    lb_constraint constraint; /* its name and faces are in own memory */
    int id;
    char *name;
    size_t name_size;
    double (*faces)[4];
    lb_limit_row *face_rows; /* [face_count] */
    int face_capacity;
} lbp_constraint;

/* Soft wishes over all variables. */
typedef struct lbp_wishes {
    double posture_weight, stay_weight, margin_weight, margin, middle_weight;
    double manipulability_weight; /* served by itself, once goals and the other wishes are (solve/wish/) */
    lb_wish_level level;
} lbp_wishes;

/* A figure that is posed as a body. */
typedef struct lbp_body {
    lb_body_options options; /* what they point to is in the block */
    char *block;             /* NULL: the figure is not posed as a body */
    size_t size;
    lb_habit *habit; /* or NULL */
} lbp_body;

struct lb_problem {
    lb_allocator allocator;
    lb_error error;
    int figure_count, figure_capacity;
    const lb_figure **figures;
    int first_capacity;
    int *first_variables; /* [figure_count] */
    int variable_count;
    int constraint_count, constraint_capacity;
    lbp_constraint *constraints;
    int next_id;
    int variable_capacity, rigidity_capacity, posture_capacity;
    unsigned char *active; /* [variable] */
    double *rigidity;      /* [variable] */
    double *posture;       /* [variable] */
    lbp_wishes wishes;
    int body_count; /* figures that are posed as bodies */
    int body_capacity;
    lbp_body *bodies;        /* [body_capacity], by figure */
    struct lbp_apart *apart; /* what is kept apart; NULL: nothing */
    unsigned shape;          /* changes whenever a solver needs other memory */
    unsigned revision; /* changes whenever a solver has to plan anew: with everything but goals' places and weights */
    unsigned moves;    /* changes whenever the place or the weight of a goal changes */
};

/* Fails with a sentence made of the texts that follow the status. */
#define LBP_FAIL(problem, status, ...) lbf_fail(&(problem)->error, status, __VA_ARGS__, (char *)0)

/* Whether a constraint can be one of the problem's; directions are made unit. The faces of a polyhedron are not looked
 * at. */
lb_status lbp_check_constraint(lb_problem *problem, lb_constraint *constraint);
/* Sets a goal's point and rotation, x and y to the frame's, normal to its z. LB_ERROR_ARGUMENT, and the goal as it was,
 * where the frame is not finite or its rotation is zero. */
lb_status lbp_move_goal(lb_goal *goal, const lb_frame *frame);
void lbp_free_bodies(lb_problem *problem);
/* Makes room for the body of a figure. Returns 0 if there is no memory. */
int lbp_make_room_for_body(lb_problem *problem, int figure);
/* --- problem_surface.c --- */
/* The axes of a surface, unit and square to each other. */
typedef struct lbp_surface_frame {
    double normal[3], along[3], across[3];
} lbp_surface_frame;

/* Returns 1 where the surface has no such axes. */
int lbp_frame_surface(const lb_surface *surface, lbp_surface_frame *frame);
/* Whether wishes have any weight. */
int lbp_are_wishes(const lbp_wishes *wishes);
/* Whether there is any wish. */
int lbp_has_wishes(const lb_problem *problem);
/* Whether wishes are a level of their own, below all goals. */
int lbp_has_wish_level(const lb_problem *problem);
/* Whether constraints of several priorities, loops beside constraints, or wishes below them make more than one
 * level. */
int lbp_has_levels(const lb_problem *problem);
/* The figure that a variable of the pose belongs to. */
int lbp_figure_of(const lb_problem *problem, int variable);
/* The same figures, constraints - with other ids -, bodies, habits, wishes and what may move; nothing is kept apart.
 * NULL: *error says why. */
lb_problem *lbp_copy_problem(const lb_problem *problem, lb_error *error);
/* Of a constraint in the problem's list; -1 where there is none with this id. */
int lbp_index_of(const lb_problem *problem, int id);

#endif
