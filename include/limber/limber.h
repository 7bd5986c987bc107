/*
 * Limber: poses articulated figures from what they should touch, face, hold, avoid and balance on.
 *
 * This header is a ladder. To look at a figure you need the first rung only:
 *
 *     lb_figure *figure;                                   (limber/io.h has lb_figure_load)
 *     lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
 *     double *pose = calloc(lb_figure_variable_count(figure), sizeof *pose);
 *     lb_figure_rest_pose(figure, pose);
 *     lb_kinematics_update(kinematics, pose);              forward kinematics
 *     lb_kinematics_site(kinematics, site, &frame);        where is it?
 *
 * Further down this header describes what a figure is made of, how one is built and changed, derivatives and limits.
 *
 * Units are SI: metres, kilograms, radians. Frames are right-handed, Z is up, quaternions are x, y, z, w.
 * A figure never changes once it is made, so any number of threads may share it; an lb_kinematics belongs
 * to one thread. The library has no global state. A pose is the caller's array of doubles, one per variable.
 *
 * Failure. A function that can fail returns an lb_status (LB_OK is 0; a negative status means that the call failed and
 * changed nothing), or an index, which is then a negative lb_status. A function that makes an object and returns it
 * (lb_..._create and a few others) returns NULL on failure. These functions, and all that read or write files, take an
 * `lb_error *error` as their last parameter: it may be NULL, and otherwise is told why the call failed. Every function
 * refuses NULL where an object is needed, an index out of range, and a number that is not finite.
 *
 * Memory. Pointers that the library hands out stay valid as long as the object that they came from. Names are UTF-8.
 *
 * Structs that grow. Options and results that the caller allocates (lb_solve_options, lb_result and the like) begin
 * with `size_t struct_size` and get new fields at their end in later versions. Such a struct must be filled by its
 * lb_..._defaults function before it is used: the function stores sizeof of the struct as the caller's header has it.
 * From struct_size the library knows which fields the caller has: it takes the defaults for newer options, and writes
 * no results beyond the caller's struct. A struct whose struct_size is 0, or that no version of the library had, or
 * that is of a newer header than the library, is refused with LB_ERROR_STRUCT. All other structs stay as they are until
 * the library's major version (before 1.0: the minor version) changes.
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_VERSION_MAJOR 0
#define LB_VERSION_MINOR 2
#define LB_VERSION_PATCH 0
#define LB_VERSION_TEXT "0.2.0"

/* LB_API marks the functions of the core, LB_IO_API those of limber/io.h, which are in a library of their own. Define
 * LIMBER_SHARED before including a header to use the libraries as Windows DLLs; the CMake package and the pkg-config
 * files do so. LIMBER_BUILD and LIMBER_IO_BUILD are defined only while the libraries themselves are compiled. */
#if defined(_WIN32) && defined(LIMBER_SHARED)
#define LB_EXPORT __declspec(dllexport)
#define LB_IMPORT __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define LB_EXPORT __attribute__((visibility("default")))
#define LB_IMPORT LB_EXPORT
#else
#define LB_EXPORT
#define LB_IMPORT
#endif
#if defined(LIMBER_BUILD)
#define LB_API LB_EXPORT
#else
#define LB_API LB_IMPORT
#endif
#if defined(LIMBER_IO_BUILD)
#define LB_IO_API LB_EXPORT
#else
#define LB_IO_API LB_IMPORT
#endif

/* ---------------------------------------------------------------------------------------------------
 * Status and errors
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_status {
    LB_OK = 0,
    LB_ERROR_ARGUMENT = -1, /* a null pointer, an index out of range, a number that is not finite */
    LB_ERROR_MEMORY = -2,   /* the allocator returned NULL */
    LB_ERROR_NAME = -3,     /* a name that is unknown, empty, or used twice */
    LB_ERROR_FIGURE = -4,   /* the parts do not make a figure: they are not connected, or mimic each other in a ring */
    LB_ERROR_LIMIT = -5,    /* limits that contradict each other, or cannot be kept */
    LB_ERROR_FILE = -6,     /* a file cannot be opened, read or written */
    LB_ERROR_SYNTAX = -7,   /* a file or text that cannot be understood */
    LB_ERROR_UNSUPPORTED = -8, /* understood, but not something Limber does */
    LB_ERROR_TOO_LARGE = -9,   /* over a cap on size, depth or count */
    LB_ERROR_STRUCT = -10      /* a struct that its lb_..._defaults function has not filled, or of a newer header */
} lb_status;

#define LB_ERROR_MESSAGE_SIZE 512
#define LB_ERROR_FILE_SIZE 256

/* What went wrong, for a person: "file:line: what is wrong, what to do". The caller need not initialise it. */
typedef struct lb_error {
    lb_status status;
    int line;                            /* counted from 1; 0 where there is no line */
    char file[LB_ERROR_FILE_SIZE];       /* empty where there is no file; of a path that is too long, its end */
    char message[LB_ERROR_MESSAGE_SIZE]; /* one sentence without a newline; cut between characters if it is too long */
} lb_error;

/* A short English text for a status; never NULL. */
LB_API const char *lb_status_text(lb_status status);

/* The version of the library that runs, as "0.2.0"; LB_VERSION_TEXT is the version of the header. */
LB_API const char *lb_version(void);

/* The one function that all memory comes from. With new_size 0 it frees the block; with block NULL it allocates; else
 * it resizes the block and keeps the contents. It may return NULL, and then leaves the old block as it is. old_size is
 * the size that the block was last given. context is handed to every call. */
typedef struct lb_allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} lb_allocator;

/* A request to stop that one thread makes and others see. Use it through the functions below only: they are atomic, so
 * any thread and any signal handler may call them at any time. An lb_cancel begins cleared, by lb_cancel_clear or as
 * `lb_cancel cancel = {0}`, and must live as long as a solve looks at it. One lb_cancel may stop any number of solves.
 */
typedef struct lb_cancel {
    int requested;
} lb_cancel;

/* With NULL the first two functions do nothing and the third returns 0. */
LB_API void lb_cancel_clear(lb_cancel *cancel);
LB_API void lb_cancel_request(lb_cancel *cancel);
LB_API int lb_cancel_is_requested(const lb_cancel *cancel); /* 1 or 0 */

/* ---------------------------------------------------------------------------------------------------
 * The parts of a figure. The same structs describe what goes into a builder and what comes out of a figure.
 * Each lb_..._defaults function fills one, so that the caller sets only the fields that matter.
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_frame {
    double position[3];
    double rotation[4]; /* unit quaternion x, y, z, w */
} lb_frame;

LB_API void lb_frame_identity(lb_frame *frame); /* at the origin, not turned */
/* out = a * b: the frame b, which is given relative to a, in the frame that a is given in. out may be a or b. */
LB_API void lb_frame_multiply(const lb_frame *a, const lb_frame *b, lb_frame *out);
LB_API void lb_frame_invert(const lb_frame *frame, lb_frame *out); /* out may be the frame */
/* The rotation by angle_rad about an axis, as a quaternion. The axis may have any length but 0. */
LB_API lb_status lb_rotation_about(const double axis[3], double angle_rad, double rotation[4]);
/* out = a * b as a unit quaternion: the rotation b followed by the rotation a, both about fixed axes. out may be a or
 * b. */
LB_API void lb_rotation_multiply(const double a[4], const double b[4], double out[4]);
/* A quaternion from and to roll, pitch and yaw about fixed axes, as URDF has them: Rz(yaw) Ry(pitch) Rx(roll). */
LB_API void lb_rotation_from_rpy(const double rpy_rad[3], double rotation[4]);
LB_API void lb_rotation_to_rpy(const double rotation[4], double rpy_rad[3]);
/* A row-major 3x3 matrix from and to a quaternion. */
LB_API void lb_rotation_to_matrix(const double rotation[4], double matrix[9]);
LB_API void lb_rotation_from_matrix(const double matrix[9], double rotation[4]);

typedef struct lb_segment {
    const char *name; /* unique among segments */
    double mass;      /* kg, >= 0 */
    double com[3];    /* centre of mass in the segment's frame, metres */
} lb_segment;

typedef struct lb_site {
    const char *name; /* unique on its segment */
    int segment;      /* index of the segment that the site is fixed to */
    lb_frame frame;   /* relative to the segment's frame */
} lb_site;

typedef enum lb_shape_kind {
    LB_SHAPE_SPHERE,     /* size[0] is the radius */
    LB_SHAPE_CAPSULE,    /* along z, centred: size[0] is the radius at -z, size[1] half the distance of the two centres,
                           size[2] the radius at +z (equal to size[0] unless the capsule is tapered) */
    LB_SHAPE_BOX,        /* size has the half extents along x, y, z */
    LB_SHAPE_CYLINDER,   /* along z, centred: size[0] is the radius, size[1] half the length */
    LB_SHAPE_ELLIPSOID,  /* size has the semi-axes along x, y, z */
    LB_SHAPE_HULL,       /* the convex hull of `vertices`, rounded by size[0] */
    LB_SHAPE_HALF_SPACE, /* all points whose z is at most 0: of what stands around (lb_solid) alone */
    LB_SHAPE_MESH        /* `triangles` between `vertices`, as they are: drawn only, so its use is LB_SHAPE_USE_DRAWN */
} lb_shape_kind;

typedef enum lb_shape_use {
    LB_SHAPE_USE_BOTH,  /* drawn, and solid: nothing else should be where it is */
    LB_SHAPE_USE_DRAWN, /* to be seen only */
    LB_SHAPE_USE_SOLID  /* in the way of others, and not drawn */
} lb_shape_use;

typedef struct lb_shape {
    lb_shape_kind kind;
    int segment;                 /* index of the segment that the shape is fixed to */
    lb_frame frame;              /* relative to the segment's frame */
    double size[3];              /* metres; the kind says what each number is */
    int color;                   /* 0xRRGGBB; -1 (default): the renderer chooses */
    lb_shape_use use;            /* default LB_SHAPE_USE_BOTH */
    int vertex_count;            /* of a hull or a mesh, at least 1: the points that it is made of; 0 of other kinds */
    const double (*vertices)[3]; /* [vertex_count], in the shape's frame. A builder takes any finite points; a figure's
                                       hull has the corners of their hull */
    int triangle_count;          /* of a mesh, and of a figure's hull; of a hull not looked at where a shape is added */
    const int (*triangles)[3];   /* [triangle_count]: indices of vertices; a hull's: counter-clockwise from outside */
} lb_shape;

#define LB_JOINT_MAX_DOFS 6

typedef enum lb_element_kind {
    LB_ELEMENT_ROTATE,      /* 1 dof: a rotation about axis */
    LB_ELEMENT_TRANSLATE,   /* 1 dof: a translation along axis */
    LB_ELEMENT_SWING_TWIST, /* 3 dofs: a true ball. Swing (a rotation vector a, b in the plane normal to axis), then
                               twist t about axis: exp(a A + b B) * R(axis, t), where A, B, axis is right-handed:
                               for axis z they are x and y, for x: y and z, for y: z and x. Singular only at a swing
                               of a half turn. */
    LB_ELEMENT_ROTATION     /* 3 dofs: a rotation vector, exp(x, y, z): any orientation, singular at a whole turn */
} lb_element_kind;

typedef struct lb_element {
    lb_element_kind kind;
    double axis[3]; /* unit; unused for LB_ELEMENT_ROTATION */
} lb_element;

/* What a joint can do: the product of its elements from left to right, as in Peabody's R(z)*R(x)*T(y). */
typedef struct lb_joint_type {
    int element_count; /* 0 (fixed) and up; at most 6 dofs: 3 of rotation, 3 of translation */
    lb_element elements[LB_JOINT_MAX_DOFS];
} lb_joint_type;

/* Reads a joint type: one of BAGS's sixteen names (fixed pin universal ball sliding cylindrical
 * sliding-universal sliding-ball planar cube-on-plane cylinder-on-plane ball-on-plane cartesian
 * cartesian-pin cartesian-universal flying; or P0R0 to P3R3), `floating` (three translations and a
 * free rotation), or a spelling such as R(z)*R(x)*T(y), R(0.6,0,0.8), swing_twist(z), rotation. */
LB_API lb_status lb_joint_type_parse(const char *text, lb_joint_type *type, lb_error *error);
/* Spells a type so that lb_joint_type_parse gives it back bit for bit. Returns the length without the closing 0, as
 * snprintf does: what does not fit into `size` characters is cut. 512 characters always suffice. */
LB_API int lb_joint_type_spell(const lb_joint_type *type, char *text, size_t size);
LB_API int lb_joint_type_dof_count(const lb_joint_type *type); /* how many dofs it has */
/* Whether dof number `dof` of the type is an angle (radians) rather than a length (metres). */
LB_API int lb_joint_type_is_angle(const lb_joint_type *type, int dof);
/* The rotation that a joint of the type makes with these dof values [dof_count], without its translations. */
LB_API lb_status lb_joint_type_rotation(const lb_joint_type *type, const double *dofs, double rotation[4]);
/* Finds dof values that make a rotation. Of all such values, with whole turns added and equivalent solutions included,
 * the function chooses those nearest to what is in dofs on entry. Values of translations stay as they are. A type with
 * fewer than three dofs of rotation, or with three about axes that are not at right angles, comes as near to the
 * rotation as it can. LB_ERROR_UNSUPPORTED for a type with more than three dofs of rotation. */
LB_API lb_status lb_joint_type_dofs(const lb_joint_type *type, const double rotation[4], double *dofs);

typedef struct lb_joint {
    const char *name; /* unique among joints */
    int site_a;       /* one side of the joint; which side is the parent follows from where the root is */
    int site_b;       /* frame(site_b) = frame(site_a) * type(dof values) */
    lb_joint_type type;
    const char *dof_names[LB_JOINT_MAX_DOFS]; /* NULL (default): made from the type, as rx, ty, sx, tw, vx or r1 */
    double lower[LB_JOINT_MAX_DOFS];          /* default -INFINITY */
    double upper[LB_JOINT_MAX_DOFS];          /* default +INFINITY */
    double rest[LB_JOINT_MAX_DOFS];           /* preferred value; default 0, or the limit nearest to 0 */
    double rigidity[LB_JOINT_MAX_DOFS];       /* 0 (free, default) to 1 (does not move) */
    double velocity[LB_JOINT_MAX_DOFS];     /* largest speed, > 0: radians or metres a second; default INFINITY. A pose
                                                 alone has no speed: limber/servo.h keeps this limit */
    double acceleration[LB_JOINT_MAX_DOFS]; /* largest acceleration, > 0, a second squared; default INFINITY */
    double effort[LB_JOINT_MAX_DOFS];     /* largest torque or force of a drive, > 0: newton metres or newtons; default
                                             INFINITY. lb_figure_stand makes it a strength; else it limits nothing */
    double soft_lower[LB_JOINT_MAX_DOFS]; /* where a drive's own controller begins to hold back (safety_controller of a
                                             URDF): kept and shown, and limits nothing; default -INFINITY */
    double soft_upper[LB_JOINT_MAX_DOFS]; /* the same of the upper end; default INFINITY */
    int swing_count;          /* number of vertices of a convex polygon that limits the swing of the type's first
                                 swing_twist; 0 (default): no limit; 1 and 2 are refused */
    const double (*swing)[2]; /* [swing_count]: swing components (a, b), radians, clockwise or counter-clockwise */
    int frozen;               /* 1: the joint is held at its rest values and contributes no variable; default 0 */
} lb_joint;

/* A joint group: parameters that drive dofs of many joints. */
typedef struct lb_group {
    const char *name; /* unique among groups */
} lb_group;

typedef struct lb_parameter {
    const char *name;    /* unique in its group */
    int group;           /* index of the group */
    int is_angle;        /* 1 (default): radians; 0: metres or a plain number */
    double lower, upper; /* range; default -INFINITY and +INFINITY */
    double rest;         /* preferred value; default 0 */
    double rigidity;     /* 0 (free, default) to 1 (does not move) */
} lb_parameter;

/* A dof of a joint, or a parameter of a group. */
typedef struct lb_dof_ref {
    int joint;     /* -1: it is a parameter */
    int dof;       /* number of the joint's dof, from 0 */
    int parameter; /* index of the parameter where joint is -1 */
} lb_dof_ref;

typedef enum lb_curve_kind {
    LB_CURVE_LINEAR,   /* f(x) = offset + slope x */
    LB_CURVE_POLYLINE, /* through the points; straight between them and beyond the ends */
    LB_CURVE_SPLINE    /* through the points, natural cubic (C2), straight beyond the ends */
} lb_curve_kind;

typedef struct lb_curve {
    lb_curve_kind kind;
    double offset, slope;
    int count;       /* points, >= 2; x strictly increasing */
    const double *x; /* [count] */
    const double *y; /* [count] */
} lb_curve;

/* A driven dof is the sum of the curves of all drives that name it, and is no variable of its own. A mimic joint is a
 * linear drive whose source is another joint's dof; the source may be driven itself. */
typedef struct lb_drive {
    int joint, dof;    /* the dof that is driven */
    lb_dof_ref source; /* the dof or parameter that drives it */
    lb_curve curve;
} lb_drive;

typedef enum lb_limit_kind { LB_LIMIT_AT_MOST, LB_LIMIT_EQUAL } lb_limit_kind;

/* A limit on several dofs: sum over i of coefficients[i] * terms[i] <= bound, or = bound. The range of a single dof
 * belongs into lower and upper of its joint. */
typedef struct lb_limit {
    const char *name;           /* for messages; may be NULL */
    lb_limit_kind kind;         /* default LB_LIMIT_AT_MOST */
    int count;                  /* number of terms */
    const lb_dof_ref *terms;    /* [count] */
    const double *coefficients; /* [count] */
    double bound;               /* in the unit that coefficients times terms have */
} lb_limit;

typedef struct lb_root {
    int segment;        /* index of the root segment; default 0 */
    int site;           /* index of the root site on that segment; -1 (default): the segment's own frame */
    int is_free;        /* 1: six variables root.x root.y root.z root.rx root.ry root.rz move the root: its position is
                           placement.position + (x, y, z), its rotation exp(rx, ry, rz) * placement.rotation;
                           0 (default): the root is fixed */
    lb_frame placement; /* world frame of the root site; of a free root, while its six variables are 0 */
} lb_root;

LB_API void lb_segment_defaults(lb_segment *segment);
LB_API void lb_site_defaults(lb_site *site);
LB_API void lb_shape_defaults(lb_shape *shape);
LB_API void lb_joint_defaults(lb_joint *joint);
LB_API void lb_parameter_defaults(lb_parameter *parameter);
LB_API void lb_drive_defaults(lb_drive *drive);
LB_API void lb_limit_defaults(lb_limit *limit);
LB_API void lb_root_defaults(lb_root *root);

/* ---------------------------------------------------------------------------------------------------
 * Looking at a figure
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_figure lb_figure;

LB_API void lb_figure_destroy(lb_figure *figure); /* NULL is fine */
LB_API const char *lb_figure_name(const lb_figure *figure);
/* The standing height that the figure was written for, metres; 0 where it has none. */
LB_API double lb_figure_stature(const lb_figure *figure);

LB_API int lb_figure_segment_count(const lb_figure *figure); /* so many of each kind of part a figure has */
LB_API int lb_figure_site_count(const lb_figure *figure);
LB_API int lb_figure_shape_count(const lb_figure *figure);
LB_API int lb_figure_joint_count(const lb_figure *figure);
LB_API int lb_figure_group_count(const lb_figure *figure);
LB_API int lb_figure_parameter_count(const lb_figure *figure);
LB_API int lb_figure_drive_count(const lb_figure *figure);
LB_API int lb_figure_limit_count(const lb_figure *figure);

/* NULL where the index is out of range. Joints handed out have all dof_names set. */
LB_API const lb_segment *lb_figure_segment(const lb_figure *figure, int segment);
LB_API const lb_site *lb_figure_site(const lb_figure *figure, int site);
LB_API const lb_shape *lb_figure_shape(const lb_figure *figure, int shape);
LB_API const lb_joint *lb_figure_joint(const lb_figure *figure, int joint);
LB_API const lb_group *lb_figure_group(const lb_figure *figure, int group);
LB_API const lb_parameter *lb_figure_parameter(const lb_figure *figure, int parameter);
LB_API const lb_drive *lb_figure_drive(const lb_figure *figure, int drive);
LB_API const lb_limit *lb_figure_limit(const lb_figure *figure, int limit);
LB_API const lb_root *lb_figure_root(const lb_figure *figure);

/* Look-ups by name; negative where there is none. A site is "segment.site", or its own name where only one
 * segment has a site of that name. A variable is "elbow" (a joint with one dof), "hip.rx", "spine.flexion"
 * or "root.x". */
LB_API int lb_figure_find_segment(const lb_figure *figure, const char *name);
LB_API int lb_figure_find_site(const lb_figure *figure, const char *name);
LB_API int lb_figure_find_joint(const lb_figure *figure, const char *name);
LB_API int lb_figure_find_group(const lb_figure *figure, const char *name);
LB_API int lb_figure_find_variable(const lb_figure *figure, const char *name);
/* Finds the site, or else the segment, of a name. Of a segment its own frame is meant, and *site is -1. A site wins
 * over a segment of the same name, unless a joint sits at that site, because readers name such sites after joints.
 * LB_ERROR_NAME where there is neither; *error then has the most similar names. See also lb_figure_find_effector. */
LB_API lb_status lb_figure_find_place(const lb_figure *figure, const char *name, int *segment, int *site,
                                      lb_error *error);

/* The tree as seen from the root. */
LB_API int lb_figure_parent_joint(const lb_figure *figure, int segment);   /* -1 for the root segment */
LB_API int lb_figure_parent_segment(const lb_figure *figure, int segment); /* -1 for the root segment */
/* Segments in an order in which every parent comes before its children: order[segment_count]. */
LB_API void lb_figure_tree_order(const lb_figure *figure, int *order);

/* Joints that close a cycle. Their dofs are variables too. The loop is closed where the frame that the joint carries
 * (its site_b as reached through the joint) coincides with site_b as reached through the tree: see lb_kinematics_loop.
 */
LB_API int lb_figure_loop_count(const lb_figure *figure);
LB_API int lb_figure_loop_joint(const lb_figure *figure, int loop);

/* The variables: a pose has one value for each of them. Their order is: the root's, then dofs that are not driven in
 * the order of their joints, then parameters. Neither re-rooting nor the tree's shape changes the order of joints and
 * parameters. */
typedef struct lb_variable {
    const char *name;
    lb_dof_ref ref; /* the dof or parameter; joint -1 and parameter -1: number ref.dof (0 to 5) of the root's six */
    int is_angle;   /* 1: radians; 0: metres, or the plain number of a parameter */
    double lower, upper; /* range; limits on dofs that the variable drives are already taken into account */
    double rest;         /* preferred value */
    double rigidity;     /* 0 (free) to 1 (does not move) */
    double velocity; /* largest speed, a second; INFINITY: unlimited. Limits of dofs that follow this variable alone,
                            by a line (mimic joints), are taken into account */
    double acceleration; /* largest acceleration, a second squared, in the same way */
} lb_variable;

LB_API int lb_figure_variable_count(const lb_figure *figure);                        /* how many values a pose has */
LB_API const lb_variable *lb_figure_variable(const lb_figure *figure, int variable); /* NULL: there is none */
/* The variable of a dof or parameter; -1 where it is driven, frozen or unknown. */
LB_API int lb_figure_variable_of(const lb_figure *figure, const lb_dof_ref *ref);
LB_API double lb_figure_mass(const lb_figure *figure); /* of all segments, kg */

/* ---------------------------------------------------------------------------------------------------
 * Poses and limits
 * ------------------------------------------------------------------------------------------------- */

/* All limits of the variables besides lower and upper, as rows of a linear system: sum over i of coefficients[i] *
 * pose[variables[i]] <= bound, or = bound. */
typedef struct lb_limit_row {
    const char *name; /* for messages; may be NULL */
    lb_limit_kind kind;
    int count;                  /* number of variables in the row */
    const int *variables;       /* [count], increasing */
    const double *coefficients; /* [count], a unit vector */
    double bound;
} lb_limit_row;

LB_API int lb_figure_row_count(const lb_figure *figure);                    /* limits over several variables */
LB_API const lb_limit_row *lb_figure_row(const lb_figure *figure, int row); /* NULL: there is none */

/* How far a variable may move in a pose while all others stay where they are. */
typedef struct lb_room {
    double lower, upper; /* its values then, radians or metres: the ends of its range, or nearer ones where a row ends
                                 the way; infinite where nothing does */
    int lower_row,
        upper_row; /* the row that ends the way (lb_figure_row); -1: the variable's own range does, or nothing */
} lb_room;

/* Fills the room of a variable. The pose [variables] need not be inside the limits: where it is outside of one, an end
 * is on the other side of the variable's value. Rows in which the variable has a coefficient of less than a millionth
 * end no way. */
LB_API void lb_figure_room(const lb_figure *figure, const double *pose, int variable, lb_room *room);

/* The rest pose, inside all limits. */
LB_API void lb_figure_rest_pose(const lb_figure *figure, double *pose);
/* A random pose inside the limits, from the state *seed, which moves on. An angle without limits is drawn from a whole
 * turn, a length without limits from -1 m to 1 m; what does not move (rigidity 1) is at rest. */
LB_API void lb_figure_random_pose(const lb_figure *figure, uint64_t *seed, double *pose);
/* The largest violation of a limit by a pose, in radians or metres; 0 for a pose inside its limits. */
LB_API double lb_figure_violation(const lb_figure *figure, const double *pose);
/* Copies the values of variables from one figure's pose to the variables of the same names of another. Variables that
 * only `to` has keep their values in pose_to, which must hold a pose on entry. The result is not moved into the limits.
 * Returns the number of values that were copied. */
LB_API int lb_pose_carry(const lb_figure *from, const double *pose_from, const lb_figure *to, double *pose_to);

/* ---------------------------------------------------------------------------------------------------
 * Kinematics: one thread's view of a figure in a pose
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_kinematics lb_kinematics;

/* Makes one thread's view, with memory from the figure's allocator. The figure must outlive it. */
LB_API lb_kinematics *lb_kinematics_create(const lb_figure *figure, lb_error *error);
LB_API void lb_kinematics_destroy(lb_kinematics *kinematics);
LB_API const lb_figure *lb_kinematics_figure(const lb_kinematics *kinematics); /* whose view it is */

/* Forward kinematics. All functions below refer to the pose that this function was last given, at first the rest pose.
 */
LB_API lb_status lb_kinematics_update(lb_kinematics *kinematics, const double *pose);
/* World frames. */
LB_API lb_status lb_kinematics_segment(const lb_kinematics *kinematics, int segment, lb_frame *frame_w);
LB_API lb_status lb_kinematics_site(const lb_kinematics *kinematics, int site, lb_frame *frame_w);
/* World frame of a segment as a row-major 3x4 matrix: rotation and position. */
LB_API lb_status lb_kinematics_matrix(const lb_kinematics *kinematics, int segment, double matrix_w[12]);
LB_API void lb_kinematics_com(const lb_kinematics *kinematics, double com_w[3]);
/* The value of any dof of a joint, also of a driven or frozen one. */
LB_API double lb_kinematics_dof(const lb_kinematics *kinematics, int joint, int dof);
/* The two frames of a loop, which coincide where the loop is closed: site_b of its closing joint as reached through
 * that joint, and as reached through the tree. */
LB_API lb_status lb_kinematics_loop(const lb_kinematics *kinematics, int loop, lb_frame *carried_w, lb_frame *tree_w);
/* Replaces the pose by the closest one inside the limits: exactly, by Euclidean distance over the variables. */
LB_API lb_status lb_kinematics_project(lb_kinematics *kinematics, double *pose);

/* An end-effector is what of a figure is to be placed: e = (r, x, y), a point and two unit vectors of a segment; or the
 * centre of mass, which has r alone. */
typedef enum lb_effector_kind { LB_EFFECTOR_FRAME, LB_EFFECTOR_COM } lb_effector_kind;

typedef struct lb_effector {
    lb_effector_kind kind;
    int segment;                 /* segment_count + loop stands for the frame that the loop's closing joint carries */
    double point[3], x[3], y[3]; /* r, x and y in the segment's frame */
} lb_effector;

LB_API lb_status lb_effector_from_site(const lb_figure *figure, int site, lb_effector *effector); /* as a site has it */
LB_API lb_status lb_effector_from_segment(const lb_figure *figure, int segment, lb_effector *effector);
LB_API void lb_effector_from_com(lb_effector *effector); /* the centre of mass */
/* The end-effector of a name: a site or a segment's own frame, as lb_figure_find_place finds them; or "com", the centre
 * of mass, where no site or segment has that name. On failure *error has the most similar names. */
LB_API lb_status lb_figure_find_effector(const lb_figure *figure, const char *name, lb_effector *effector,
                                         lb_error *error);

/* e_w: r, x and y in the world. Of the centre of mass x and y are 0. */
LB_API lb_status lb_kinematics_effector(const lb_kinematics *kinematics, const lb_effector *effector, double e_w[9]);
/* The derivative of e by the pose, row-major [9][variable_count]. */
LB_API lb_status lb_kinematics_jacobian(lb_kinematics *kinematics, const lb_effector *effector, double *jacobian);
/* Velocity of the effector's point (rows 0-2) and angular velocity of its segment (rows 3-5) per unit of each
 * variable's velocity, world axes, row-major [6][variable_count]. Not for the centre of mass. */
LB_API lb_status lb_kinematics_twist(lb_kinematics *kinematics, const lb_effector *effector, double *jacobian);
/* Second derivatives: the Hessian of the sum of weights[i] * e[i], row-major [variable_count][variable_count]. */
LB_API lb_status lb_kinematics_hessian(lb_kinematics *kinematics, const lb_effector *effector, const double weights[9],
                                       double *hessian);

/* ---------------------------------------------------------------------------------------------------
 * Building a figure
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_builder lb_builder;

/* Makes an empty builder. allocator NULL: the C library's. */
LB_API lb_builder *lb_builder_create(const lb_allocator *allocator, lb_error *error);
/* Makes a builder that holds all of a figure, so that it can be changed and finished as a new figure. */
LB_API lb_builder *lb_builder_from(const lb_figure *figure, lb_error *error);
LB_API void lb_builder_destroy(lb_builder *builder);
/* The reason why the last call on this builder failed. */
LB_API const lb_error *lb_builder_error(const lb_builder *builder);

LB_API lb_status lb_builder_set_name(lb_builder *builder, const char *name);
LB_API lb_status lb_builder_set_stature(lb_builder *builder, double stature_m); /* that it is made for */
/* Each of these functions copies the part that it is given and returns the part's index, or a negative lb_status. */
LB_API int lb_builder_add_segment(lb_builder *builder, const lb_segment *segment);
LB_API int lb_builder_add_site(lb_builder *builder, const lb_site *site);
LB_API int lb_builder_add_shape(lb_builder *builder, const lb_shape *shape);
LB_API int lb_builder_add_joint(lb_builder *builder, const lb_joint *joint);
LB_API int lb_builder_add_group(lb_builder *builder, const char *name);
LB_API int lb_builder_add_parameter(lb_builder *builder, const lb_parameter *parameter);
LB_API int lb_builder_add_drive(lb_builder *builder, const lb_drive *drive);
LB_API int lb_builder_add_limit(lb_builder *builder, const lb_limit *limit);
/* Without this call the root is the first segment, fixed at the world's origin. */
LB_API lb_status lb_builder_set_root(lb_builder *builder, const lb_root *root);

/* Parts already in the builder; NULL or negative where there is none. */
LB_API int lb_builder_segment_count(const lb_builder *builder);
LB_API int lb_builder_site_count(const lb_builder *builder);
LB_API int lb_builder_joint_count(const lb_builder *builder);
LB_API const lb_segment *lb_builder_segment(const lb_builder *builder, int segment);
LB_API const lb_site *lb_builder_site(const lb_builder *builder, int site);
LB_API const lb_joint *lb_builder_joint(const lb_builder *builder, int joint);
LB_API int lb_builder_find_segment(const lb_builder *builder, const char *name);
LB_API int lb_builder_find_site(const lb_builder *builder, int segment, const char *name);
LB_API int lb_builder_find_joint(const lb_builder *builder, const char *name);
LB_API int lb_builder_find_group(const lb_builder *builder, const char *name);
LB_API int lb_builder_find_parameter(const lb_builder *builder, int group, const char *name);
/* The dof or parameter of a name: "hip.rx", "elbow" (a joint with one dof) or "spine.flexion". */
LB_API lb_status lb_builder_find_dof(const lb_builder *builder, const char *name, lb_dof_ref *ref);

/* Writes the vertices of a regular polygon, inscribed in a cone of this half angle, to swing[sides], for
 * lb_joint.swing. */
LB_API void lb_swing_cone(double half_angle_rad, int sides, double (*swing)[2]);

typedef enum lb_dh_convention { LB_DH_CONVENTION_STANDARD, LB_DH_CONVENTION_MODIFIED } lb_dh_convention;

/* One Denavit-Hartenberg row. Standard: Rz(theta) Tz(d) Tx(a) Rx(alpha); modified (Craig): Rx(alpha) Tx(a) Rz(theta)
 * Tz(d). The joint's value is added to theta (revolute) or d (prismatic). */
typedef struct lb_dh_row {
    const char *name;    /* of the joint; NULL: joint1, joint2 and so on */
    double a;            /* metres */
    double alpha;        /* radians */
    double d;            /* metres */
    double theta;        /* radians */
    int is_prismatic;    /* 1: the joint's value is added to d; 0: to theta */
    double lower, upper; /* range of the joint's value */
} lb_dh_row;

/* Adds a chain of `count` joints and as many segments (link1, link2 and so on, or the joint's name with "_link" behind
 * it), which starts at base_site of a segment that is already there. Returns the index of the last segment, whose frame
 * is the last DH frame, or a negative lb_status. */
LB_API int lb_builder_add_dh_chain(lb_builder *builder, int base_site, lb_dh_convention convention, int count,
                                   const lb_dh_row *rows);

/* Checks everything and makes the figure. The builder stays as it was. */
LB_API lb_status lb_builder_finish(lb_builder *builder, lb_figure **figure);

/* ---------------------------------------------------------------------------------------------------
 * Changing a figure: make a builder from it, change that, finish; poses carry over by name (lb_pose_carry).
 * ------------------------------------------------------------------------------------------------- */

/* Removes a joint with all drives and limits that name one of its dofs. */
LB_API lb_status lb_builder_remove_joint(lb_builder *builder, int joint);
/* Removes a segment with its sites, shapes and joints. */
LB_API lb_status lb_builder_remove_segment(lb_builder *builder, int segment);
/* Removes every segment that is not connected to this one by joints, with its sites, shapes and joints. */
LB_API lb_status lb_builder_keep_connected(lb_builder *builder, int segment);
/* Freezes a joint at these values (NULL: its rest values), so that it contributes no variable; thawing undoes this. */
LB_API lb_status lb_builder_freeze_joint(lb_builder *builder, int joint, const double *values);
LB_API lb_status lb_builder_thaw_joint(lb_builder *builder, int joint);
/* Replaces everything of a joint but its index. Drives and limits that name dofs which the new type lacks are removed.
 */
LB_API lb_status lb_builder_change_joint(lb_builder *builder, int joint, const lb_joint *changed);
/* Adds all parts of a figure, their names with `prefix` (may be "") in front; their indices follow those of the parts
 * that are there. The caller then connects the two with a joint. Returns the index of the first segment added, or a
 * negative lb_status. */
LB_API int lb_builder_attach(lb_builder *builder, const lb_figure *figure, const char *prefix);
/* Multiplies all lengths (also limits, rests and drives of translations) and all masses. */
LB_API lb_status lb_builder_scale(lb_builder *builder, double length_factor, double mass_factor);

/* Breaks a figure in two at a joint, which must not lie in a loop. near_part holds the root; far_part is rooted at the
 * segment that the joint carried, where that segment is in `pose`. */
LB_API lb_status lb_figure_split(const lb_figure *figure, const double *pose, int joint, lb_figure **near_part,
                                 lb_figure **far_part, lb_error *error);
/* Makes the same figure with another root: a site of a segment, or with root->site -1 the segment's own frame.
 * root->placement is not looked at: in pose_out every segment is where it is in pose. pose_out has the new figure's
 * variable_count: that of `figure`, less 6 if its root was free, plus 6 if root->is_free. Values of joints and groups
 * are the same bits. Re-rooting back with the same joint values restores the first root's placement and variables to
 * the bit. */
LB_API lb_status lb_figure_reroot(const lb_figure *figure, const double *pose, const lb_root *root,
                                  lb_figure **rerooted, double *pose_out, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
