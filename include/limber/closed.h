/*
 * Limber's closed forms: every solution of an arm, by algebra.
 *
 *     lb_closed *closed = lb_closed_create(figure, &effector, NULL, &error);      made once for each arm
 *     lb_closed_result result;
 *     lb_closed_result_defaults(&result);
 *     lb_closed_solve(closed, &goal, start, &result);                             no memory is taken
 *     for (int i = 0; i < result.count; i++) {                                    nearest to the start first
 *         lb_closed_solution solution;
 *         lb_closed_solution_defaults(&solution);
 *         lb_closed_get(closed, i, &solution);
 *     }
 *
 * Which arms have a closed form is decided by their geometry, never by a name: docs/closed.md has the list, the
 * equations and their sources. A solution is verified by forward kinematics, and good to 1e-12 of the arm's longest
 * link and to 1e-12 radians. An lb_closed belongs to one thread.
 */
#ifndef LIMBER_CLOSED_H
#define LIMBER_CLOSED_H

#include <limber/limber.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_CLOSED_MAX_JOINTS 7

typedef enum lb_closed_kind {
    LB_CLOSED_MEETING,  /* six revolute joints; three consecutive axes meet in a point */
    LB_CLOSED_PARALLEL, /* six revolute joints; three consecutive axes are parallel */
    LB_CLOSED_GENERAL,  /* six joints as they come; one may slide */
    LB_CLOSED_PLANAR,   /* two or three revolute joints whose axes are parallel */
    LB_CLOSED_LIMB,     /* seven revolute joints: three axes meet, one turns, three meet */
    LB_CLOSED_SEVEN,    /* seven others, of which the last or the first is the free one: six are left while it stands */
    LB_CLOSED_GROUPED /* a limb of which two variables of a group move clavicle and shoulder together, as in models/human.fig */
} lb_closed_kind;

/* "meeting", "parallel", "general", "planar", "limb", "seven", "grouped"; never NULL. */
LB_API const char *lb_closed_kind_name(lb_closed_kind kind);

typedef struct lb_closed_options {
    size_t struct_size; /* set by lb_closed_options_defaults */
    int base_segment;   /* the chain begins at this segment; -1 (default): at the root */
    const double
        *pose; /* values of the variables that are not on the chain; NULL (default): the rest pose. It is copied */
    int is_position; /* 1: the goal's rotation does not count (planar arms of two links only); default 0 */
    /* What a goal may cost, of arms whose answers are intervals (seven, grouped); the others take microseconds.
     * Evaluations are looks at where the other joints can be while one stands; default 300000, 0: any number. The same
     * number gives the same answer everywhere. */
    int max_evaluations;
    double deadline_us;              /* microseconds after a call begins; 0 (default): no deadline; needs now_us */
    double (*now_us)(void *context); /* the caller's clock, in microseconds; NULL (default): none */
    void *now_context;               /* given to now_us */
    const lb_cancel
        *cancel; /* lb_cancel_request on it, by another thread, ends a call; NULL (default): none. It must live as
                                long as the closed form */
} lb_closed_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_closed_options_defaults calls it. */
LB_API void lb_closed_options_defaults_sized(lb_closed_options *options, size_t struct_size);
static inline void lb_closed_options_defaults(lb_closed_options *options) {
    lb_closed_options_defaults_sized(options, sizeof *options);
}

typedef struct lb_closed lb_closed;

/* Makes what finds the solutions for one end-effector, with memory from the figure's allocator. The figure must outlive
 * it. NULL where no closed form covers the chain: LB_ERROR_UNSUPPORTED, and *error names what stands in the way.
 * options may be NULL. */
LB_API lb_closed *lb_closed_create(const lb_figure *figure, const lb_effector *effector,
                                   const lb_closed_options *options, lb_error *error);
LB_API void lb_closed_destroy(lb_closed *closed);
LB_API lb_closed_kind lb_closed_kind_of(const lb_closed *closed); /* the algebra that serves */
/* The chain's variables from the base to the end-effector. */
LB_API int lb_closed_variable_count(const lb_closed *closed);
LB_API int lb_closed_variable(const lb_closed *closed, int index);

/* What a goal's solutions are like. */
typedef struct lb_closed_result {
    size_t struct_size; /* set by lb_closed_result_defaults */
    int count;          /* solutions inside their limits */
    int all_count;      /* those outside included; 0 where it is_proved: the goal is out of the arm's reach */
    int singular_count; /* of all: those at a singular pose, where one stands for many */
    int worst_variable; /* where count is 0: the variable that the nearest of all breaks most, else -1 */
    double outside;     /* by so much: radians or metres */
    char explanation[LB_ERROR_MESSAGE_SIZE]; /* a sentence */
    int is_proved; /* where count is 0: 1, there is no solution inside the limits; 0, none was found, which proves nothing: seven and
                      grouped are searched, and near a singularity, a limit or the border of the reach digits do not suffice */
    int is_stopped;  /* 1: the budget was spent, or the call cancelled: what was found until then is what there is */
    int evaluations; /* so many were made */
} lb_closed_result;

LB_API void lb_closed_result_defaults_sized(lb_closed_result *result, size_t struct_size);
static inline void lb_closed_result_defaults(lb_closed_result *result) {
    lb_closed_result_defaults_sized(result, sizeof *result);
}

/* Finds all solutions for a goal, which is where the end-effector (its point, x, y and x cross y) should be in the
 * world. start is a whole pose of the figure. The solutions are ordered: those inside their limits first, those nearer
 * to the start first (Euclidean distance over the chain's variables). No solution is no failure: the result says so. */
LB_API lb_status lb_closed_solve(lb_closed *closed, const lb_frame *goal, const double *start,
                                 lb_closed_result *result);

typedef struct lb_closed_solution {
    size_t struct_size; /* set by lb_closed_solution_defaults */
    double
        values[LB_CLOSED_MAX_JOINTS]; /* of the chain's variables, radians or metres; of all windings the nearest to the
                                            start inside the limits */
    int is_inside;                    /* all values are inside their limits */
    int worst_variable;               /* the variable farthest outside, else -1 */
    double outside;                   /* by so much: radians or metres */
    int winding_count; /* how many ways there are to add whole turns inside the limits, and within +-360 degrees */
    int is_singular;   /* a singular pose, or a joint that may stand anywhere: this one stands for many */
    double condition;  /* of the Jacobian, with lengths in units of the longest link; INFINITY where it is singular */
    double error;      /* by forward kinematics: longest links and radians together */
    double
        swivel_rad; /* of a limb, grouped or not: the turn about the line from shoulder to wrist, 0 where the elbow hangs down (of a limb
                          that hangs down itself: where it points along x); of kind seven: the free joint's angle */
    double swivel_low_rad, swivel_high_rad; /* the limits hold for all swivel angles between these two */
} lb_closed_solution;

LB_API void lb_closed_solution_defaults_sized(lb_closed_solution *solution, size_t struct_size);
static inline void lb_closed_solution_defaults(lb_closed_solution *solution) {
    lb_closed_solution_defaults_sized(solution, sizeof *solution);
}

/* Solution number `index` of the last lb_closed_solve, from 0 to all_count - 1. */
LB_API lb_status lb_closed_get(const lb_closed *closed, int index, lb_closed_solution *solution);
/* The values of one of the solution's windings, from 0 to winding_count - 1. */
LB_API lb_status lb_closed_winding(const lb_closed *closed, int index, int winding,
                                   double values[LB_CLOSED_MAX_JOINTS]);
/* The values of an arm of seven joints at another swivel angle of the solution's interval. LB_ERROR_UNSUPPORTED for
 * other arms, LB_ERROR_LIMIT where the angle is outside the interval, LB_ERROR_TOO_LARGE where the budget was spent on
 * the way there or the call is cancelled. */
LB_API lb_status lb_closed_swivel(lb_closed *closed, int index, double swivel_rad, double values[LB_CLOSED_MAX_JOINTS]);
/* The solution as a whole pose of the figure: other variables stay as they are in pose. */
LB_API lb_status lb_closed_pose(const lb_closed *closed, int index, double *pose);

#ifdef __cplusplus
}
#endif

#endif
