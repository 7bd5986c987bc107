/*
 * Limber's servo: the next pose, every tick.
 *
 *     lb_servo *servo = lb_servo_create(problem, NULL, NULL);         a problem with goals; 1000 ticks a second
 *     lb_servo_start(servo, pose, NULL, NULL);                        at rest in this pose
 *     for (;;) {
 *         lb_problem_move_goal(problem, id, &frame);                  where the hand should be now
 *         lb_servo_tick(servo, pose, &state);                         where the joints should be by the next tick
 *     }
 *
 * Of the poses that come out one tick after the other, the differences over the period keep every variable's velocity
 * limit, the differences of these its acceleration limit, and every pose its limits: from the first tick on, to the
 * last, whatever the goals do. A goal may jump, be out of reach, lead through a singularity or against a stop, or be
 * lost (lb_problem_enable): the servo follows as fast as its limits allow, brakes in time, and says how far it lags and
 * what holds it back. Without a goal it comes to rest. docs/servo.md says how, and proves it.
 *
 * Limits of speed are those of the figures (lb_joint.velocity and acceleration, `velocity` of a URDF) or of the
 * options. A tick allocates no memory, unless constraints were added or removed since the last one. The same calls give
 * the same bits on every machine.
 */
#ifndef LIMBER_SERVO_H
#define LIMBER_SERVO_H

#include <limber/body.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_servo lb_servo;

typedef struct lb_servo_options {
    size_t struct_size; /* set by lb_servo_options_defaults */
    double period;      /* seconds from tick to tick; default 0.001 */
    /* [variables of the problem's pose]: the largest speed, and the largest acceleration, of each variable, > 0, in
     * radians or metres a second (squared). INFINITY: see below. NULL (default): those of the figures. Read by
     * lb_servo_create only. */
    const double *velocity, *acceleration;
    /* For variables that have no velocity limit; defaults pi rad/s and 1 m/s. */
    double usual_velocity_rad, usual_velocity_m;
    /* Variables that have no acceleration limit reach their largest speed in this time, seconds; default 0.25. */
    double rise_time;
    /* In (0, 1]: the share of the largest speeds that is used; accelerations stay as they are. Default 1. */
    double speed;
    /* Wishes, each >= 0, 0 (default): none. They use what freedom the goals leave, beside those of the problem
     * (posture, stay, margin). `middle` draws variables with two ends towards the middle of their ranges,
     * `manipulability` away from singularities of the goals. The weights count relative to each other. */
    double middle, manipulability;
} lb_servo_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_servo_options_defaults calls it. */
LB_API void lb_servo_options_defaults_sized(lb_servo_options *options, size_t struct_size);
static inline void lb_servo_options_defaults(lb_servo_options *options) {
    lb_servo_options_defaults_sized(options, sizeof *options);
}

/* What holds a servo back. */
typedef enum lb_servo_hold {
    LB_SERVO_HOLD_NONE,         /* nothing: the goals are followed */
    LB_SERVO_HOLD_VELOCITY,     /* the velocity limit of a variable */
    LB_SERVO_HOLD_ACCELERATION, /* the acceleration limit of a variable: it speeds up, or has to brake in time */
    LB_SERVO_HOLD_STOP,         /* an end of a variable's range, or the distance that braking before it needs */
    LB_SERVO_HOLD_ROW,          /* a limit over several variables */
    LB_SERVO_HOLD_REACH,        /* no variable: the goal is out of reach, or of this direction's (a singularity) */
    LB_SERVO_HOLD_COLLISION,    /* what is kept apart (limber/collisions.h) would touch */
    LB_SERVO_HOLD_BALANCE,      /* of a body: its centre of mass would leave what it stands on */
    LB_SERVO_HOLD_BODY          /* of a body: limbs, the floor, what is in its way, or the strength of a drive */
} lb_servo_hold;

/* "none", "velocity", "acceleration", "stop", "row", "reach", "collision", "balance", "body". */
LB_API const char *lb_servo_hold_name(lb_servo_hold hold);

/* What a tick found. The caller allocates it and calls lb_servo_state_defaults once. */
typedef struct lb_servo_state {
    size_t struct_size; /* set by lb_servo_state_defaults */
    /* How far the pose is from its goals, the largest over all constraints that are enabled and have no twist, in
     * metres and radians. */
    double lag, lag_rad;
    int constraint;     /* index in the problem's list of the one that lags most; -1: none lags beyond its tolerance */
    lb_servo_hold hold; /* what holds it back; LB_SERVO_HOLD_NONE where constraint is -1 */
    int variable;       /* of the problem's pose: the one whose limit that is; -1 where there is none */
    int is_upper;       /* of a stop: 1 the upper end, 0 the lower; else the direction: 1 up, 0 down */
    double load;        /* the largest share of its velocity limit that a variable uses, 0 to 1 */
    int is_at_rest;     /* 1: no variable moves */
    uint64_t tick;      /* number of ticks since lb_servo_start */
    int pair; /* of LB_SERVO_HOLD_COLLISION: which pair is in the way (lb_problem_pair); else -1. Where a pair is, `hold` says so
                 also while no constraint lags */
} lb_servo_state;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_servo_state_defaults calls it. */
LB_API void lb_servo_state_defaults_sized(lb_servo_state *state, size_t struct_size);
static inline void lb_servo_state_defaults(lb_servo_state *state) {
    lb_servo_state_defaults_sized(state, sizeof *state);
}

/* Makes a servo for a problem, which must outlive it. Its constraints may be moved, weighed, enabled, added and removed
 * between ticks. options NULL: defaults. LB_ERROR_LIMIT where a limit of speed is not above 0, LB_ERROR_ARGUMENT where
 * the period is so short that the rounding of poses would exceed an acceleration limit, LB_ERROR_UNSUPPORTED where a
 * figure has equalities over several variables, which joints that brake by themselves do not keep. */
LB_API lb_servo *lb_servo_create(const lb_problem *problem, const lb_servo_options *options, lb_error *error);
LB_API void lb_servo_destroy(lb_servo *servo); /* NULL is fine */

/* Begins at a pose with these velocities [variables] (NULL: at rest). A servo at work may be started again.
 * LB_ERROR_LIMIT where that start cannot obey: a value outside of its range, a speed above its limit, or one that
 * cannot be braked before a stop; *error names the variable and the numbers, and the servo goes on as before. */
LB_API lb_status lb_servo_start(lb_servo *servo, const double *pose, const double *velocity, lb_error *error);

/* Goes on from where the figure was measured to be, with the velocities that it was measured to have (NULL: at rest),
 * as after a push. Goals go on, and feet of bodies stand where they stood when the servo was started: it goes back
 * there, and into balance, as fast as limits allow. What is beyond limits is taken as the nearest that is not: a value
 * at the end of its range, a speed that can be braked in time. */
LB_API lb_status lb_servo_correct(lb_servo *servo, const double *pose, const double *velocity, lb_error *error);

/* What became of the body of a figure (limber/body.h) by the last tick: contacts and what they carry, balance, efforts.
 * NULL where the figure is not posed as a body, or there was no tick. Valid until the next call about this servo. */
LB_API const lb_body_result *lb_servo_body(lb_servo *servo, int figure);

/* Lets the end-effector of a constraint go at this velocity instead of to its goal: metres a second of its point, then
 * radians a second, along and about the axes of the world (or of the segment that carries the goal). What the goal's
 * kind does not ask for is free: a position goal takes the first three numbers. NULL: back to the goal. A twist stays
 * until it is changed; a lost joystick must send zeros, or disable the constraint. */
LB_API lb_status lb_servo_set_twist(lb_servo *servo, int id, const double twist[6]);

/* The next pose. The goals are those where the end-effectors should be at that pose. state may be NULL. LB_ERROR_MEMORY
 * where constraints were added and there is no memory for them, LB_ERROR_ARGUMENT where the servo was not started, or
 * the problem has got another figure since: pose and servo are then as before. */
LB_API lb_status lb_servo_tick(lb_servo *servo, double *pose, lb_servo_state *state);

/* The velocities [variables] that the last tick had, and the limits in use [variables]. */
LB_API lb_status lb_servo_velocity(const lb_servo *servo, double *velocity);
LB_API lb_status lb_servo_limits(const lb_servo *servo, double *velocity, double *acceleration);

#ifdef __cplusplus
}
#endif

#endif
