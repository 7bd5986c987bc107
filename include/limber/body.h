/*
 * Limber's bodies: what makes a figure stand, balance, look and reach as a person does.
 *
 * A figure may carry the description of a body (lb_figure_body): how dear it is to move each variable from rest, what
 * may touch the ground, how thick the limbs are, how strong the joints are, which segments look. The file
 * models/human.fig has one; docs/fig.md describes its statement `body`. A problem whose figure has a body is solved
 * naturally when it is asked for:
 *
 *     lb_problem_set_body(problem, 0, NULL);
 *
 * Then limits come first; floor, contacts, balance and self-avoidance come second; the goals of the problem come third,
 * by their priorities; and last the terms of the body, which choose the pose among all that remain. docs/body.md says
 * what the terms are, and why.
 */
#ifndef LIMBER_BODY_H
#define LIMBER_BODY_H

#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------
 * The description of a body: part of a figure
 * ------------------------------------------------------------------------------------------------- */

#define LB_BODY_LIMBS 8    /* limbs are numbered from 0; there are at most so many */
#define LB_BODY_PARTS 1000 /* a body has at most so many of each kind of part */

/* What it costs to move a variable. */
typedef struct lb_body_variable {
    double weight; /* of the distance from rest, per radian or metre: the term is (weight * distance)^2 */
    double huber;  /* > 0: from this distance on the cost grows linearly (pseudo-Huber); 0: it is a square throughout */
    double comfort; /* weight of the last 45% of the way from rest to an end of the range; 0: none */
} lb_body_variable;

/* A capsule, for keeping limbs apart and above the floor. */
typedef struct lb_body_solid {
    const char *name;
    int segment;
    double from[3], to[3]; /* in the frame of the segment, metres */
    double radius;
} lb_body_solid;

typedef enum lb_contact_kind {
    LB_CONTACT_HEEL,
    LB_CONTACT_BALL, /* of a foot: on the segment that stays on the ground when the heel rises */
    LB_CONTACT_TOE,  /* on the same segment */
    LB_CONTACT_KNEE,
    LB_CONTACT_SEAT,
    LB_CONTACT_PALM,
    LB_CONTACT_ELBOW
} lb_contact_kind;

LB_API const char *
lb_contact_kind_name(lb_contact_kind kind);        /* "heel", "ball", "toe", "knee", "seat", "palm", "elbow" */
LB_API int lb_contact_kind_find(const char *name); /* an lb_contact_kind; negative where there is none of that name */

/* A point of the body that may rest on a surface and carry weight. */
typedef struct lb_body_contact {
    const char *name;
    lb_contact_kind kind;
    int limb; /* points of one foot have the same number, and so has its knee; palms and elbows that of their arm; -1: none */
    int segment;
    double point[3]; /* in the frame of the segment, metres */
    double radius;   /* of a ball around the point that touches the surface: a round foot; 0: the point itself does */
} lb_body_contact;

/* The strength of a joint against gravity. */
typedef struct lb_body_strength {
    const char *name;
    int segment;   /* that the joint carries: the joint is at its origin */
    double moment; /* newton metres */
    int by_axis; /* 0: against all of the moment of gravity there; 1: of a drive: the joint that carries the segment has one
                      dof, and what counts is the torque about its axis, or the force along it (then moment is in newtons) */
} lb_body_strength;

/* A limb that hangs when it has nothing to do. */
typedef struct lb_body_arm {
    const char *name;
    int limb;
    int shoulder, hand;  /* segments: the line from the origin of one to that of the other hangs */
    int palm;            /* a site whose x axis leaves the palm; -1: none */
    int lap;             /* the segment that the hand rests on where the body sits; -1: none */
    double lap_point[3]; /* in the frame of that segment */
} lb_body_arm;

/* A soft limit over several variables: the term is (weight * max(0, sum - bound))^2. */
typedef struct lb_body_ease {
    const char *name;
    int count;
    const int *variables;
    const double *coefficients;
    double bound, weight;
} lb_body_ease;

/* A named pose to start from: these variables have these values, all others are at rest. */
typedef struct lb_body_start {
    const char *name;
    int count;
    const int *variables;
    const double *values;
} lb_body_start;

typedef struct lb_body {
    size_t struct_size; /* set by lb_body_defaults */
    int variable_count; /* 0, or that of the figure */
    const lb_body_variable *variables;
    int solid_count;
    const lb_body_solid *solids;
    int contact_count;
    const lb_body_contact *contacts;
    int strength_count;
    const lb_body_strength *strengths;
    int arm_count;
    const lb_body_arm *arms;
    int ease_count;
    const lb_body_ease *eases;
    int start_count;
    const lb_body_start *starts; /* the first is the one that is tried first */
    int head;                    /* the segment that is kept level; -1 (default): none */
    int gaze; /* the site by which a constraint aims the eyes, where there are any; -1 (default): none */
    int eye_count;
    const int *eyes; /* segments whose x axis looks */
} lb_body;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_body_defaults calls it. */
LB_API void lb_body_defaults_sized(lb_body *body, size_t struct_size);
static inline void lb_body_defaults(lb_body *body) { lb_body_defaults_sized(body, sizeof *body); }

/* The body of a figure; NULL where it has none. It belongs to the figure. */
LB_API const lb_body *lb_figure_body(const lb_figure *figure);
/* Gives a figure that nobody uses yet a body, which is copied. Fails (LB_ERROR_ARGUMENT, with *error) where a number is
 * not finite, a weight or radius is negative, or an index is not one of the figure's. */
LB_API lb_status lb_figure_set_body(lb_figure *figure, const lb_body *body, lb_error *error);

/* ---------------------------------------------------------------------------------------------------
 * Habit: how people were seen to pose (docs/habit.md)
 * ------------------------------------------------------------------------------------------------- */

#define LB_HABIT_FEATURES 128 /* a habit has at most so many features, */
#define LB_HABIT_STARTS 64    /* and at most so many start poses */

/* What a habit sees of a pose. */
typedef enum lb_habit_kind {
    LB_HABIT_VARIABLE, /* a variable of the figure, by its name: radians or metres */
    LB_HABIT_UP,     /* a component of the world's up in the frame of the root segment, by its name: "x", "y" or "z" */
    LB_HABIT_HEIGHT, /* of the root segment's origin above the floor, metres; it has no name */
    LB_HABIT_CONTACT /* of a contact of the body above the floor, by its name: metres */
} lb_habit_kind;

LB_API const char *lb_habit_kind_name(lb_habit_kind kind); /* "variable", "up", "height", "contact" */

typedef struct lb_habit_feature {
    lb_habit_kind kind;
    const char *name;
    double mean;
} lb_habit_feature;

/* A habit is a Gaussian over features f of a pose: a pose costs half the square of U (f - mean). */
typedef struct lb_habit_data {
    size_t struct_size; /* set by lb_habit_data_defaults */
    int feature_count;
    const lb_habit_feature *features;
    const double *factor; /* the upper triangle of U, row by row: feature_count (feature_count + 1) / 2 numbers */
    int start_count;
    const double *starts; /* [start_count][feature_count]: poses to start from, as features; may be NULL where none */
    double root_height;   /* of the root in the rest pose of the figure that it was learned on, metres: heights of other
                             figures are scaled by theirs; 0 (default): they are not scaled */
    const char *source;   /* what it was learned from; NULL (default): not known */
    const char *credit;   /* what those who recorded it ask to be said; NULL (default): nothing */
} lb_habit_data;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_habit_data_defaults calls it. */
LB_API void lb_habit_data_defaults_sized(lb_habit_data *data, size_t struct_size);
static inline void lb_habit_data_defaults(lb_habit_data *data) { lb_habit_data_defaults_sized(data, sizeof *data); }

/* A habit does not change once it is made; threads may share it. */
typedef struct lb_habit lb_habit;
/* Makes a habit; all that data points to is copied. NULL on failure, with *error: where a number is not finite, the
 * diagonal of U is not above 0, a name is missing, or there are too many features or starts. allocator NULL: the C
 * library's. */
LB_API lb_habit *lb_habit_create(const lb_habit_data *data, const lb_allocator *allocator, lb_error *error);
LB_API void lb_habit_destroy(lb_habit *habit); /* NULL is fine */
/* What the habit was made of. It belongs to the habit. */
LB_API const lb_habit_data *lb_habit_contents(const lb_habit *habit);
/* The features of a pose above a floor of this height, written to features[feature_count]. The kinematics is left in
 * that pose. Fails (LB_ERROR_NAME, with *error) where the figure has no variable or contact of a feature's name. */
LB_API lb_status lb_habit_measure(const lb_habit *habit, lb_kinematics *kinematics, const double *pose, double floor,
                                  double *features, lb_error *error);
/* What a pose with these features [feature_count] costs: half the square of U (f - mean). */
LB_API double lb_habit_cost(const lb_habit *habit, const double *features);

/* ---------------------------------------------------------------------------------------------------
 * A body in a problem
 * ------------------------------------------------------------------------------------------------- */

/* A rectangle that something may rest on: a seat, a table, a step, a wall. The floor is one, too. It carries what
 * presses on it along its normal and, by friction, what is not steeper than a cone around that
 * (lb_body_options.friction). */
typedef struct lb_surface {
    const char *name;
    double point[3];     /* its middle, metres in the world */
    double half_size[2]; /* along `along` and across it; INFINITY: without end */
    double normal[3];    /* leaves the surface; of any length; all 0: up */
    double along[3]; /* the first axis of the rectangle, made square to the normal; the second is normal x along. All 0:
                            x of the world where the normal is vertical, else horizontal (up x normal) */
    double thickness; /* > 0: a board, box or wall that ends so far behind the surface, and is an obstacle; 0: none */
} lb_surface;

/* A contact point that rests on a surface. Of a foot any point stands for the whole foot: it stands on that surface,
 * where it is if it is there already, else wherever a short step takes it. */
typedef struct lb_support {
    int contact; /* of the figure's lb_body */
    int surface; /* of the options; -1: the floor */
} lb_support;

/* Something that no solid of the body goes through. What a limb is told to be in, by a goal, may be as deep in it as
 * the goal is. */
typedef struct lb_obstacle {
    const char *name;    /* or NULL */
    lb_shape_kind kind;  /* LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE or LB_SHAPE_BOX */
    double point[3];     /* the middle of a sphere or box, an end of a capsule's axis, metres in the world */
    double to[3];        /* the other end of a capsule's axis */
    double radius;       /* of a sphere or capsule */
    double half_size[3]; /* of a box, along its axes; INFINITY: without end, in two directions at most */
    double rotation[4];  /* of a box, quaternion x, y, z, w; all 0: none */
} lb_obstacle;

/* Where an elbow or a knee points: the middle joint of a limb is on that side of the line from the joint above to the
 * one below. It is a strong wish, below all goals. */
typedef struct lb_swivel {
    int upper, middle, lower; /* segments whose origins are the three joints, as shoulder, elbow and wrist */
    double direction[3];      /* of any length but 0 */
    int segment;              /* in whose frame the direction is given; -1: the world */
} lb_swivel;

typedef enum lb_side { LB_SIDE_UP, LB_SIDE_DOWN, LB_SIDE_OUT, LB_SIDE_IN, LB_SIDE_FORWARD, LB_SIDE_BACK } lb_side;

/* Something that the body carries. */
typedef struct lb_load {
    int segment;
    double point[3]; /* in the frame of the segment, metres */
    double mass;     /* kilograms */
} lb_load;

typedef enum lb_foot_mode {
    LB_FOOT_MODE_AUTO, /* default: the foot stays where it is, or steps where a constraint moves it or a step helps */
    LB_FOOT_MODE_PLANTED, /* its toes stay where they are; the heel may rise */
    LB_FOOT_MODE_STEP,    /* it stands on the floor, anywhere */
    LB_FOOT_MODE_LIFTED   /* it may be in the air, and carries nothing */
} lb_foot_mode;

/* The factors multiply the weights of the body's terms; 0 switches a term off; default 1. */
typedef struct lb_body_options {
    size_t struct_size;                     /* set by lb_body_options_defaults */
    double posture;                         /* variables near rest */
    double comfort;                         /* variables away from the ends of their ranges, and soft limits */
    double effort;                          /* joints carry little of what they could */
    double hang;                            /* idle arms hang, or lie in the lap */
    double head;                            /* the head is level */
    double look;                            /* the eyes follow the working hand, palms face what they touch */
    double feet;                            /* heels stay down, steps are short */
    double habit;                           /* poses that people were seen in (lb_habit) */
    int balance;                            /* 1 (default): the contacts hold up the centre of mass */
    int above_floor;                        /* 1 (default): no solid goes through the floor */
    int apart;                              /* 1 (default): no solid goes through another one */
    int eyes;                               /* 1 (default): the eyes aim for the gaze; 0: the head alone */
    double floor;                           /* height of the floor, metres; default 0 */
    lb_foot_mode feet_modes[LB_BODY_LIMBS]; /* [limb] */
    int surface_count;
    const lb_surface *surfaces;
    int support_count;
    const lb_support *supports;
    int load_count;
    const lb_load *loads;
    int props; /* 1 (default): shapes (spheres, capsules, boxes) of the problem's other figures that are no bodies are obstacles */
    int obstacle_count;
    const lb_obstacle *obstacles;
    int swivel_count;
    const lb_swivel *swivels;
    double friction; /* tangent of the steepest force against a surface's normal; default 0.5 */
    int drives;      /* 1 (default): no drive (lb_body_strength.by_axis) bears more than its strength */
} lb_body_options;

LB_API void lb_body_options_defaults_sized(lb_body_options *options, size_t struct_size);
static inline void lb_body_options_defaults(lb_body_options *options) {
    lb_body_options_defaults_sized(options, sizeof *options);
}

/* The swivel of a limb: `joint` names the joint in its middle ("right_elbow"), direction is in the world.
 * lb_swivel_side: a side of the body; up and down are the world's, the others those of the figure's root segment. Both
 * fail with LB_ERROR_NAME where there is no such joint, with LB_ERROR_UNSUPPORTED where it is not the middle of a
 * limb. */
LB_API lb_status lb_swivel_at(const lb_figure *figure, const char *joint, const double direction[3], lb_swivel *swivel);
LB_API lb_status lb_swivel_side(const lb_figure *figure, const char *joint, lb_side side, lb_swivel *swivel);
LB_API const char *lb_side_name(lb_side side); /* "up", "down", "out", "in", "forward", "back" */

/* Has a figure of the problem posed as a body. NULL: default options. All that the options point to is copied. Fails
 * with LB_ERROR_UNSUPPORTED where the figure has no body. */
LB_API lb_status lb_problem_set_body(lb_problem *problem, int figure, const lb_body_options *options);
/* Takes that back. */
LB_API lb_status lb_problem_clear_body(lb_problem *problem, int figure);
/* Gives the body of a figure a habit, which is copied: a term beside the others, with the weight `habit` of the
 * options. It has no effect while the figure is not posed as a body. NULL takes it back. Fails with LB_ERROR_NAME where
 * the figure has no variable or contact of a feature's name, with LB_ERROR_UNSUPPORTED where it has no body. */
LB_API lb_status lb_problem_set_habit(lb_problem *problem, int figure, const lb_habit *habit);
/* The habit of a figure's body; NULL where it has none. It belongs to the problem. */
LB_API const lb_habit *lb_problem_habit(const lb_problem *problem, int figure);
/* The options of a figure's body; NULL where it is not posed as one. They belong to the problem. */
LB_API const lb_body_options *lb_problem_body(const lb_problem *problem, int figure);

/* ---------------------------------------------------------------------------------------------------
 * What became of it
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_body_term {
    LB_BODY_TERM_POSTURE,
    LB_BODY_TERM_COMFORT,
    LB_BODY_TERM_EFFORT,
    LB_BODY_TERM_HANG,
    LB_BODY_TERM_HEAD,
    LB_BODY_TERM_LOOK,
    LB_BODY_TERM_FEET,
    LB_BODY_TERM_HABIT,
    LB_BODY_TERM_SWIVEL, /* elbows and knees point where they are told to; it has no factor of its own */
    LB_BODY_TERM_COUNT
} lb_body_term;

LB_API const char *lb_body_term_name(lb_body_term term); /* "posture", "comfort", ... */

typedef struct lb_contact_result {
    int contact;     /* of the figure's lb_body */
    int stands;      /* 1: it rests on a surface */
    double point[3]; /* in the world */
    double share;    /* of the body's weight that it carries, 0 to 1; below 0 where friction at a wall pulls down */
    int surface;     /* of the options that it is told to rest on; -1: the floor */
    double force[3]; /* of the surface on it, in the world, as a share of the body's weight; force[2] is share */
} lb_contact_result;

typedef struct lb_effort_result {
    int strength; /* of the figure's lb_body */
    double share; /* of the strength that gravity asks for */
} lb_effort_result;

typedef struct lb_step_result {
    int limb;
    double distance; /* metres that the foot moved */
} lb_step_result;

typedef struct lb_body_result {
    int contact_count;
    const lb_contact_result *contacts;
    int effort_count;
    const lb_effort_result *efforts; /* the largest first */
    int step_count;
    const lb_step_result *steps;
    double com[3]; /* centre of mass, loads included */
    double
        margin; /* metres by which it is inside the convex hull of the contacts that stand, seen from above; < 0: outside.
                   What presses against a wall is not one of them: whoever leans on a wall may be outside */
    double terms[LB_BODY_TERM_COUNT]; /* the value of each term */
    double
        overlap; /* metres by which solids are in each other, in the floor or in obstacles more than they may be; 0: not at all */
    const char *start; /* the name of the start pose that led here, or NULL for the caller's */
    double
        imbalance; /* how far the forces of the contacts are from holding the body up: metres that their middle is from the centre
                      of mass, or a share of the weight; 0 (less than a millionth): they hold it. A body whose root is held has no
                      such forces, and hangs */
} lb_body_result;

/* The body of a figure at the last answer of a solver; NULL where there is none. It is valid until the next solve. */
LB_API const lb_body_result *lb_solver_body(const lb_solver *solver, int figure);
/* What holds a pose [variables of the problem] that is given: nothing is solved and no variable moves, and
 * lb_solver_body then has the forces of the contacts, the balance and each joint's share of its strength there. What is
 * no higher than 5 mm above its surface stands and may carry; of all forces that hold the pose up those are taken that
 * the body's terms like best: weight is spread, joints bear little. Where none do, imbalance says by how much. The pose
 * may be outside of its limits; goals do not matter. Fails with LB_ERROR_UNSUPPORTED where no figure of the problem is
 * posed as a body. The error may be NULL. */
LB_API lb_status lb_statics(lb_solver *solver, const double *pose, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
