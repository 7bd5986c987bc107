/* A servo: its memory, and the steps of a tick. */
#ifndef LIMBER_SOLVE_SERVO_SERVO_H
#define LIMBER_SOLVE_SERVO_SERVO_H

#include <limber/servo.h>

#include "math/box.h"
#include "math/dense/qp.h"
#include "solve/plan/space.h"
#include "solve/servo/brake.h"

/* What a servo remembers of an item from tick to tick. */
typedef struct lbs_servo_item {
    int id;                      /* of the constraint; -1: a loop's closure */
    int has_twist;               /* the end-effector follows `twist`, not its goal */
    double twist[6];             /* metres and radians a second */
    int has_last;                /* the item counted in the last tick, and `last` was its goal */
    lb_goal last;                /* what it points to is not looked at */
    double follow[LBP_MAX_ROWS]; /* of this tick: the part of the rows by which the goal has moved since */
    double chase[LBP_MAX_ROWS];  /* of this tick: the rest, the error that there was before */
} lbs_servo_item;

/* One end of the box of speeds of a variable, and why it is there. */
typedef struct lbs_servo_bound {
    double speed;
    lb_servo_hold hold;
} lbs_servo_bound;

/* What was found to hold the servo back, the strongest so far. */
typedef struct lbs_servo_blame {
    lb_servo_hold hold;
    int variable; /* of the pose; -1: none */
    int is_upper;
    double amount; /* by how much, relative to the velocity limit; 0: nothing yet */
    int pair;      /* that would touch; -1: none */
} lbs_servo_blame;

/* By variables of the pose, [variable_count] each, in one block. */
typedef struct lbs_servo_drive {
    void *block;
    size_t size;
    double *q, *v;                   /* the last pose, and its speeds */
    double *next, *next_v;           /* the same of this tick; while it is started, of the new start */
    lbs_rate *rates;                 /* limits less what rounding of poses may add */
    double *velocity, *acceleration; /* limits as they were given */
    lbs_servo_bound *low, *high;     /* the box of this tick */
    double *braking;                 /* of a start: speeds of the tick after it, braking */
    double *slope;                   /* of the manipulability, by variable, as it was last looked at */
    int looked_at;                   /* the variable of z whose slope is found next */
} lbs_servo_drive;

/* What a step is found with, by the problem's shape, in one block. */
typedef struct lbs_servo_work {
    void *block;
    size_t size;
    lbs_servo_item *items; /* [item] */
    double *follow_speeds; /* [level][variable of the pose]: speeds that follow the goals' motion, of the last tick */
    double *z;             /* [n] */
    /* [stride] each */
    double *d;                           /* the step of the levels so far, in z, for one period */
    double *wanted;                      /* the step that the present level would like */
    double *step, *base;                 /* a step on its own; `wanted` cut to the box */
    double *low_d, *high_d;              /* the box about base */
    double *diagonal, *slope_d, *active; /* of lbm_box_rows */
    double *inverse;                     /* of the damping */
    double *stack;                       /* [row][stride]: rows of higher levels, weighed, and of the present one */
    double *gram, *factor;               /* [row][stride of rows] */
    double *rhs, *multipliers;           /* [stride of rows] */
    double *last_multipliers;            /* [row]: of the highest level, where the box cut it in the last tick */
    int has_last_multipliers;            /* that was so */
    double *scratch;                     /* of the kernels and of the box */
    uint64_t *blocks;                    /* of rows of the stack */
    int *place;                          /* [row]: its place in the stack; -1: it is not there */
    lbm_qp qp;                           /* for boxes whose rounds end before the minimum: with */
    double *qp_matrix, *qp_gradient;     /* [n][stride], [stride] */
    uint64_t exact_tick;                 /* when that was last, */
    int exact_rows; /* and with how many rows: one that is as long the next tick begins with its active set */
} lbs_servo_work;

/* How the steps of a servo were found, since it was made. */
typedef struct lbs_servo_counts {
    long boxes;    /* least squares in a box */
    long exact;    /* of these, those whose rounds ended before the minimum: another method found it, */
    long unsolved; /* or it did not */
} lbs_servo_counts;

struct lb_servo {
    const lb_problem *problem;
    lb_allocator allocator;
    lb_servo_options options;
    lb_solve_options solve_options;
    int variable_count;
    int is_started;
    uint64_t tick;
    lbs_servo_drive drive;
    unsigned shape; /* of the problem, that the rest is made for */
    lbs_space *space;
    size_t space_size;
    lbs_servo_work work;
    struct lbs_servo_apart *apart; /* NULL: nothing is kept apart */
    struct lbs_servo_body *body;   /* NULL: no figure is posed as a body */
    lbs_servo_blame blame;
    lbs_servo_counts counts;
};

/* servo_apart.c: keeping clear of what is in the way. *made is NULL where the problem keeps nothing apart. */
lb_status lbs_servo_apart_create(const lb_servo *servo, struct lbs_servo_apart **made);
void lbs_servo_apart_destroy(const lb_allocator *allocator, struct lbs_servo_apart *apart);
void lbs_servo_apart_begin(lb_servo *servo); /* forgets what was seen: the servo starts anew */
/* Finds the pairs that are near, and takes from the speeds what goes into them (drive.next_v). */
void lbs_servo_limit_approach(lb_servo *servo);
/* Takes speeds back towards braking until all pairs stay apart in this tick and while braking after it. */
void lbs_servo_keep_apart(lb_servo *servo);

/* The same as conditions of a step, for servos with bodies: rows [most][stride] and values, at most so many, of step
 * and speed as in servo_body.h; the key of a pair is its number behind all conditions of the bodies. Returns how
 * many. */
int lbs_servo_pair_rows(lb_servo *servo, int most, double *rows, double *values, int *keys);
/* Speeds that braking as a whole has (servo_body.h). */
double lbs_servo_body_brake(const lb_servo *servo, int variable);

/* servo_bounds.c: the box of speeds of every variable. */
void lbs_servo_bound_speeds(lb_servo *servo);
/* Takes speeds back towards braking until all limits over several variables can be kept. Returns 1 where it had to. */
int lbs_servo_keep_rows(lb_servo *servo);
/* Whether braking from these speeds at this pose keeps every limit over several variables of every figure. */
int lbs_servo_rows_viable(const lb_servo *servo, const double *q, const double *v);

/* servo_goals.c: the rows of this tick, split into what follows the goals' motion and what chases the error. */
void lbs_servo_read_goals(lb_servo *servo);
/* How far the new pose is from the goals. */
void lbs_servo_measure(lb_servo *servo, lb_servo_state *state);

/* servo_step.c: the step in z of all levels of goals, inside the box. */
void lbs_servo_step(lb_servo *servo);
/* The step changed by wishes, as far as the goals leave freedom (servo_wish.c). */
void lbs_servo_wish(lb_servo *servo);
/* Finds the slope of the manipulability by one variable. Leaves the space to be evaluated anew. */
void lbs_servo_look_around(lb_servo *servo);

/* Whether an item of this level has an error that is chased, and which part of the step to its end (work.step) a tick
 * may go where so many are chased at once (servo_step.c). */
int lbs_servo_is_chased(const lb_servo *servo, int item, int level);
double lbs_servo_share_of(lb_servo *servo, int chased);
/* d = base + the x in the box that minimises |rhs + rows x|^2 + diagonal x^2 + 2 slope_d x. Returns 0, and leaves d, where
 * there is none (servo_step.c). */
int lbs_servo_solve_box(lb_servo *servo, const lbm_matrix *rows);
/* Keeps what holds the servo back, if it does so by more than what was noted before. */
void lbs_servo_note(lb_servo *servo, lb_servo_hold hold, int variable, int is_upper, double amount);

/* Braking is planned with an acceleration that is less by this share, so that what poses are rounded by on the way can
 * be made up for before the stop. */
#define LBS_SERVO_RESERVE 1e-6
/* How much a fit in the box would rather leave a variable where it was wanted, in the units of the rows squared. As
 * 1 / LBS_SERVO_FIT_DAMPING is below LARGE_WEIGHT (math/box.c), its Gram matrix is updated from round to round, which
 * takes two fifths off the instructions of a tick of a person; what the rows lose by it is 1e-6 of a tick's cut. */
#define LBS_SERVO_FIT_DAMPING 2e-6
#define LBS_SERVO_PAIR_ROWS 8  /* pairs whose approach a step is fitted to; others take from it afterwards */
#define LBS_SERVO_STIFF 1e3    /* weight of rows of higher levels, which a step must not change */
#define LBS_SERVO_DAMPING 1e-7 /* of every variable, in the units of the rows squared */

#endif
