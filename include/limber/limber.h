/*
 * Limber: poses articulated figures from what they should touch, face, hold, avoid and balance on.
 *
 * This header is a ladder. To look at a figure you need the first rung only:
 *
 *     lb_figure *figure;                                   (limber/io.h has lb_figure_load)
 *     lb_kinematics *kinematics = lb_kinematics_create(figure);
 *     double *pose = ...lb_figure_variable_count(figure) values...;
 *     lb_figure_rest_pose(figure, pose);
 *     lb_kinematics_update(kinematics, pose);              forward kinematics
 *     lb_kinematics_site(kinematics, site, &frame);        where is it?
 *
 * Further down: what a figure is made of, building one, changing one, derivatives, limits.
 *
 * Units are SI: metres, kilograms, radians. Frames are right-handed, Z is up, quaternions are x, y, z, w.
 * A figure never changes once it is made, so any number of threads may share it; an lb_kinematics belongs
 * to one thread. Nothing is global. A pose is the caller's array of doubles, one per variable.
 *
 * Functions that can fail return an lb_status (0 is well, negative means: failed, nothing was changed), or an index
 * that is negative for the same reasons. NULL, an index out of range or a number that is not finite is refused by every
 * function so, or with NULL or 0. Pointers handed out stay valid as long as the object they came from; names are UTF-8.
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_VERSION_MAJOR 0
#define LB_VERSION_MINOR 1
#define LB_VERSION_PATCH 0
#define LB_VERSION_TEXT "0.1.0"

#if defined(_WIN32)
#define LB_API
#else
#define LB_API __attribute__((visibility("default")))
#endif

/* ---------------------------------------------------------------------------------------------------
 * Status and errors
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_status {
    LB_OK = 0,
    LB_ERROR_ARGUMENT = -1,    /* a null pointer, an index out of range, a number that is not finite */
    LB_ERROR_MEMORY = -2,      /* the allocator returned NULL */
    LB_ERROR_NAME = -3,        /* a name that is unknown, empty, or used twice */
    LB_ERROR_FIGURE = -4,      /* the parts do not make a figure (unconnected, cyclic mimic, ...) */
    LB_ERROR_LIMIT = -5,       /* limits that contradict each other, or cannot be kept */
    LB_ERROR_FILE = -6,        /* a file cannot be opened, read or written */
    LB_ERROR_SYNTAX = -7,      /* a file or text that cannot be understood */
    LB_ERROR_UNSUPPORTED = -8, /* understood, but not something Limber does */
    LB_ERROR_TOO_LARGE = -9    /* over a cap on size, depth or count */
} lb_status;

#define LB_ERROR_MESSAGE_SIZE 512
#define LB_ERROR_FILE_SIZE 256

/* What went wrong, for a person: "file:line: what is wrong, what to do". */
typedef struct lb_error {
    lb_status status;
    int line;                            /* 1-based; 0 where there is no line */
    char file[LB_ERROR_FILE_SIZE];       /* empty where there is no file; long paths keep their end */
    char message[LB_ERROR_MESSAGE_SIZE]; /* one sentence, no newline, cut at a character if too long */
} lb_error;

/* A short English text for a status; never NULL. */
LB_API const char *lb_status_text(lb_status status);

/* The version of the library that runs (LB_VERSION_TEXT is the header's). */
LB_API const char *lb_version(void);

/* The one function all memory comes from. new_size 0 frees; block NULL allocates; otherwise resizes, keeping
 * the contents. May return NULL (then the old block stays). old_size is what was asked for last time. */
typedef struct lb_allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} lb_allocator;

/* ---------------------------------------------------------------------------------------------------
 * The parts of a figure. The same structs describe what goes into a builder and what comes out of a figure.
 * Each lb_..._defaults() fills one so that only what matters need be set.
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_frame {
    double position[3];
    double rotation[4]; /* unit quaternion x, y, z, w */
} lb_frame;

LB_API void lb_frame_identity(lb_frame *frame);
/* out = a * b: b's frame seen from where a's is. out may be a or b. */
LB_API void lb_frame_multiply(const lb_frame *a, const lb_frame *b, lb_frame *out);
LB_API void lb_frame_invert(const lb_frame *frame, lb_frame *out);
/* A turn of angle_rad about axis (any length but 0) as a quaternion. */
LB_API lb_status lb_rotation_about(const double axis[3], double angle_rad, double rotation[4]);
/* out = a * b: first b, then a, seen from outside; a unit quaternion. out may be a or b. */
LB_API void lb_rotation_multiply(const double a[4], const double b[4], double out[4]);
/* Fixed-axis roll, pitch, yaw as URDF has them: Rz(yaw) Ry(pitch) Rx(roll). */
LB_API void lb_rotation_from_rpy(const double rpy_rad[3], double rotation[4]);
LB_API void lb_rotation_to_rpy(const double rotation[4], double rpy_rad[3]);
/* Row-major 3x3 matrix from and to a quaternion. */
LB_API void lb_rotation_to_matrix(const double rotation[4], double matrix[9]);
LB_API void lb_rotation_from_matrix(const double matrix[9], double rotation[4]);

typedef struct lb_segment {
    const char *name; /* unique among segments */
    double mass;      /* kg, >= 0 */
    double com[3];    /* centre of mass in the segment's frame */
} lb_segment;

typedef struct lb_site {
    const char *name; /* unique on its segment */
    int segment;
    lb_frame frame; /* in the segment's frame */
} lb_site;

typedef enum lb_shape_kind {
    LB_SHAPE_SPHERE,   /* size[0]: radius */
    LB_SHAPE_CAPSULE,  /* along z, centred: size[0] radius at -z, size[1] half the distance of the two centres,
                          size[2] radius at +z (equal to size[0] unless tapered) */
    LB_SHAPE_BOX,      /* size: half extents */
    LB_SHAPE_CYLINDER, /* along z, centred: size[0] radius, size[1] half length */
    LB_SHAPE_ELLIPSOID /* size: semi-axes */
} lb_shape_kind;

typedef struct lb_shape {
    lb_shape_kind kind;
    int segment;
    lb_frame frame; /* in the segment's frame */
    double size[3];
    int color; /* 0xRRGGBB, or -1: whoever draws chooses */
} lb_shape;

#define LB_JOINT_MAX_DOFS 6

typedef enum lb_element_kind {
    LB_ELEMENT_ROTATE,      /* 1 dof: a turn about axis */
    LB_ELEMENT_TRANSLATE,   /* 1 dof: a shift along axis */
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

/* What a joint can do: its elements, applied left to right, as in Peabody's R(z)*R(x)*T(y). */
typedef struct lb_joint_type {
    int element_count; /* 0 (fixed) and up; at most 6 dofs: 3 of rotation, 3 of translation */
    lb_element elements[LB_JOINT_MAX_DOFS];
} lb_joint_type;

/* Reads a joint type: one of BAGS's sixteen names (fixed pin universal ball sliding cylindrical
 * sliding-universal sliding-ball planar cube-on-plane cylinder-on-plane ball-on-plane cartesian
 * cartesian-pin cartesian-universal flying; or P0R0 ... P3R3), `floating` (three translations and a
 * free rotation), or a spelling such as R(z)*R(x)*T(y), R(0.6,0,0.8), swing_twist(z), rotation.
 * On failure the reason goes to *error (may be NULL). */
LB_API lb_status lb_joint_type_parse(const char *text, lb_joint_type *type, lb_error *error);
/* Spells a type so that parsing gives it back bit for bit. Returns the length without the closing 0, as
 * snprintf does (what does not fit is cut); fixed is spelled "fixed". 512 characters always suffice. */
LB_API int lb_joint_type_spell(const lb_joint_type *type, char *text, size_t size);
LB_API int lb_joint_type_dof_count(const lb_joint_type *type);
/* Whether dof number `dof` of the type is an angle (radians) rather than a length (metres). */
LB_API int lb_joint_type_is_angle(const lb_joint_type *type, int dof);
/* The rotation that these dofs [dof_count] make, without the translations. */
LB_API lb_status lb_joint_type_rotation(const lb_joint_type *type, const double *dofs, double rotation[4]);
/* The dofs that make a rotation: of all that do, those nearest to what is in dofs, whole turns and other ways round
 * included. Translations stay. A type with fewer than three dofs of rotation, or with three about axes that are not at
 * right angles, comes as near as it can. LB_ERROR_UNSUPPORTED for types with more than three. */
LB_API lb_status lb_joint_type_dofs(const lb_joint_type *type, const double rotation[4], double *dofs);

typedef struct lb_joint {
    const char *name; /* unique among joints */
    int site_a;       /* the proximal side, as written; which side is the parent follows from the root */
    int site_b;       /* frame(site_b) = frame(site_a) * type(dof values) */
    lb_joint_type type;
    const char *dof_names[LB_JOINT_MAX_DOFS]; /* NULL: made from the type: rx, ty, sx, sy, tw, vx, r1, ... */
    double lower[LB_JOINT_MAX_DOFS];          /* default -INFINITY */
    double upper[LB_JOINT_MAX_DOFS];          /* default +INFINITY */
    double rest[LB_JOINT_MAX_DOFS];           /* preferred value, default 0 (moved into the limits) */
    double rigidity[LB_JOINT_MAX_DOFS];       /* 0 (free, default) to 1 (does not move) */
    int swing_count;          /* vertices of a convex polygon that limits the swing of the type's first swing_twist;
                                  0: no limit, 1 or 2 are refused. Any orientation; the builder orders them. */
    const double (*swing)[2]; /* the vertices: swing components (a, b), radians */
    int frozen;               /* 1: held at rest; contributes no variable */
} lb_joint;

/* A joint group: parameters that drive dofs of many joints. */
typedef struct lb_group {
    const char *name; /* unique among groups */
} lb_group;

typedef struct lb_parameter {
    const char *name; /* unique in its group */
    int group;
    int is_angle; /* default 1: radians; 0: metres or a plain number */
    double lower, upper, rest, rigidity;
} lb_parameter;

/* A dof of a joint, or a parameter of a group. */
typedef struct lb_dof_ref {
    int joint;     /* -1: it is a parameter */
    int dof;       /* which dof of the joint */
    int parameter; /* index of the parameter where joint is -1 */
} lb_dof_ref;

typedef enum lb_curve_kind {
    LB_CURVE_LINEAR,   /* f(x) = offset + slope x */
    LB_CURVE_POLYLINE, /* through the points, straight between and beyond them */
    LB_CURVE_SPLINE    /* through the points, natural cubic (C2), straight beyond the ends */
} lb_curve_kind;

typedef struct lb_curve {
    lb_curve_kind kind;
    double offset, slope;
    int count;       /* points, >= 2; x strictly increasing */
    const double *x; /* [count] */
    const double *y; /* [count] */
} lb_curve;

/* dof = sum of the curves of all drives that name it. A dof with a drive is no variable of its own. A mimic
 * joint is a linear drive whose source is another joint's dof; mimics of mimics are resolved. */
typedef struct lb_drive {
    int joint, dof;    /* what is driven */
    lb_dof_ref source; /* by what */
    lb_curve curve;
} lb_drive;

typedef enum lb_limit_kind { LB_LIMIT_AT_MOST, LB_LIMIT_EQUAL } lb_limit_kind;

/* sum coefficient[i] * term[i] <= bound (or = bound). Ranges of single dofs belong into lower and upper. */
typedef struct lb_limit {
    const char *name; /* for messages; may be NULL */
    lb_limit_kind kind;
    int count;
    const lb_dof_ref *terms;    /* [count] */
    const double *coefficients; /* [count] */
    double bound;
} lb_limit;

typedef struct lb_root {
    int segment;
    int site;           /* -1: the segment's own frame */
    int is_free;        /* 1: six variables root.x root.y root.z root.rx root.ry root.rz move it: its position is
                           placement.position + (x, y, z), its rotation exp(rx, ry, rz) * placement.rotation */
    lb_frame placement; /* world frame of the root site (at zero root variables if free) */
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
/* Standing height that the figure was written for, metres; 0 where it has none. */
LB_API double lb_figure_stature(const lb_figure *figure);

LB_API int lb_figure_segment_count(const lb_figure *figure);
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
/* Where a name is: a site, or else a segment, whose own frame is meant then (*site is -1). A site wins over a segment
 * of the same name, unless a joint sits at that site: readers name such sites after joints. LB_ERROR_NAME where there
 * is neither; then *error (may be NULL) says so, with the names that are nearest. lb_figure_find_effector makes an
 * end-effector of it. */
LB_API lb_status lb_figure_find_place(const lb_figure *figure, const char *name, int *segment, int *site,
                                      lb_error *error);

/* The tree as seen from the root. */
LB_API int lb_figure_parent_joint(const lb_figure *figure, int segment);   /* -1 for the root segment */
LB_API int lb_figure_parent_segment(const lb_figure *figure, int segment); /* -1 for the root segment */
/* Segments in an order in which every parent comes before its children: order[segment_count]. */
LB_API void lb_figure_tree_order(const lb_figure *figure, int *order);

/* Joints that close a cycle. Their dofs are variables too; the frame that such a joint carries (its site_b as
 * reached through the joint) must coincide with site_b where the tree has it: see lb_kinematics_loop. */
LB_API int lb_figure_loop_count(const lb_figure *figure);
LB_API int lb_figure_loop_joint(const lb_figure *figure, int loop);

/* The variables: what a pose has one value of. Order: root, then undriven dofs in order of their joints, then
 * parameters. Neither re-rooting nor the tree's shape changes the order of joints and parameters. */
typedef struct lb_variable {
    const char *name;
    lb_dof_ref ref;                      /* joint -1 and parameter -1: a root variable, ref.dof says which (0..5) */
    int is_angle;                        /* radians, else metres */
    double lower, upper, rest, rigidity; /* lower and upper already tightened by limits on what it drives */
} lb_variable;

LB_API int lb_figure_variable_count(const lb_figure *figure);
LB_API const lb_variable *lb_figure_variable(const lb_figure *figure, int variable);
/* The variable of a dof or parameter; -1 where it is driven, frozen or unknown. */
LB_API int lb_figure_variable_of(const lb_figure *figure, const lb_dof_ref *ref);
LB_API double lb_figure_mass(const lb_figure *figure);

/* ---------------------------------------------------------------------------------------------------
 * Poses and limits
 * ------------------------------------------------------------------------------------------------- */

/* All limits of the variables beyond lower and upper, as rows: sum coefficients[i] pose[variables[i]] <= bound. */
typedef struct lb_limit_row {
    const char *name;
    lb_limit_kind kind;
    int count;
    const int *variables;       /* [count], increasing */
    const double *coefficients; /* [count], a unit vector */
    double bound;
} lb_limit_row;

LB_API int lb_figure_row_count(const lb_figure *figure);
LB_API const lb_limit_row *lb_figure_row(const lb_figure *figure, int row);

/* The rest pose, inside all limits. */
LB_API void lb_figure_rest_pose(const lb_figure *figure, double *pose);
/* A pose at random inside the limits (unlimited angles: a whole turn; unlimited lengths: +-1 m), advancing *seed. */
LB_API void lb_figure_random_pose(const lb_figure *figure, uint64_t *seed, double *pose);
/* By how much a pose breaks its limits: the largest violation, 0 inside. */
LB_API double lb_figure_violation(const lb_figure *figure, const double *pose);
/* Carries the values of variables by name from one figure's pose to another's; what the other has more keeps its value
 * in pose_to, which must hold a pose. The result is not moved into the limits. Returns how many were carried. */
LB_API int lb_pose_carry(const lb_figure *from, const double *pose_from, const lb_figure *to, double *pose_to);

/* ---------------------------------------------------------------------------------------------------
 * Kinematics: one thread's view of a figure in a pose
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_kinematics lb_kinematics;

/* Memory for one thread, from the figure's allocator; NULL if there is none. The figure must outlive it. */
LB_API lb_kinematics *lb_kinematics_create(const lb_figure *figure);
LB_API void lb_kinematics_destroy(lb_kinematics *kinematics);
LB_API const lb_figure *lb_kinematics_figure(const lb_kinematics *kinematics);

/* Forward kinematics: everything below speaks of the pose given here last (at first: the rest pose). */
LB_API lb_status lb_kinematics_update(lb_kinematics *kinematics, const double *pose);
/* World frames. */
LB_API lb_status lb_kinematics_segment(const lb_kinematics *kinematics, int segment, lb_frame *frame_w);
LB_API lb_status lb_kinematics_site(const lb_kinematics *kinematics, int site, lb_frame *frame_w);
/* World frame of a segment as a row-major 3x4 matrix: rotation and position. */
LB_API lb_status lb_kinematics_matrix(const lb_kinematics *kinematics, int segment, double matrix_w[12]);
LB_API void lb_kinematics_com(const lb_kinematics *kinematics, double com_w[3]);
/* The value of any dof, driven, frozen or not. */
LB_API double lb_kinematics_dof(const lb_kinematics *kinematics, int joint, int dof);
/* A loop's two frames, which coincide where it is closed: site_b as its closing joint carries it, and where the tree
 * has it. */
LB_API lb_status lb_kinematics_loop(const lb_kinematics *kinematics, int loop, lb_frame *carried_w, lb_frame *tree_w);
/* The closest pose inside the limits (Euclidean distance over the variables), exactly; pose in and out. */
LB_API lb_status lb_kinematics_project(lb_kinematics *kinematics, double *pose);

/* What of the figure is placed: e = (r, x, y), a point and two unit vectors; or the centre of mass (r alone). */
typedef enum lb_effector_kind { LB_EFFECTOR_FRAME, LB_EFFECTOR_COM } lb_effector_kind;

typedef struct lb_effector {
    lb_effector_kind kind;
    int segment;                 /* segment_count + loop stands for the frame that a loop's closing joint carries */
    double point[3], x[3], y[3]; /* in the segment's frame */
} lb_effector;

LB_API lb_status lb_effector_from_site(const lb_figure *figure, int site, lb_effector *effector);
LB_API lb_status lb_effector_from_segment(const lb_figure *figure, int segment, lb_effector *effector);
LB_API void lb_effector_from_com(lb_effector *effector);
/* By name: a site, a segment (its own frame), as lb_figure_find_place finds them, or "com", the centre of mass, where
 * nothing else has that name. On failure *error (may be NULL) says why and names what is nearest. */
LB_API lb_status lb_figure_find_effector(const lb_figure *figure, const char *name, lb_effector *effector,
                                         lb_error *error);

/* e: r, x, y in the world (for the centre of mass x and y are 0). */
LB_API lb_status lb_kinematics_effector(const lb_kinematics *kinematics, const lb_effector *effector, double e_w[9]);
/* de/dpose, row-major [9][variable_count]. */
LB_API lb_status lb_kinematics_jacobian(lb_kinematics *kinematics, const lb_effector *effector, double *jacobian);
/* Velocity of the effector's point (rows 0-2) and angular velocity of its segment (rows 3-5) per unit of each
 * variable's velocity, world axes, row-major [6][variable_count]. Not for the centre of mass. */
LB_API lb_status lb_kinematics_twist(lb_kinematics *kinematics, const lb_effector *effector, double *jacobian);
/* Second derivatives: the Hessian of weights . e, row-major [variable_count][variable_count]. */
LB_API lb_status lb_kinematics_hessian(lb_kinematics *kinematics, const lb_effector *effector, const double weights[9],
                                       double *hessian);

/* ---------------------------------------------------------------------------------------------------
 * Building a figure
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_builder lb_builder;

/* allocator NULL: the C library's. NULL if there is no memory. */
LB_API lb_builder *lb_builder_create(const lb_allocator *allocator);
/* A builder that holds all of a figure, to change it and finish a new one. */
LB_API lb_builder *lb_builder_from(const lb_figure *figure);
LB_API void lb_builder_destroy(lb_builder *builder);
/* Why the last call on this builder failed. */
LB_API const lb_error *lb_builder_error(const lb_builder *builder);

LB_API lb_status lb_builder_set_name(lb_builder *builder, const char *name);
LB_API lb_status lb_builder_set_stature(lb_builder *builder, double stature_m);
/* Each copies what it is given and returns the new part's index, or a negative lb_status. */
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
/* "hip.rx", or "elbow" for a joint of one dof, or "spine.flexion". */
LB_API lb_status lb_builder_find_dof(const lb_builder *builder, const char *name, lb_dof_ref *ref);

/* A regular polygon of `sides` vertices inscribed in a cone of the half angle, for lb_joint.swing. */
LB_API void lb_swing_cone(double half_angle_rad, int sides, double (*swing)[2]);

typedef enum lb_dh_convention { LB_DH_CONVENTION_STANDARD, LB_DH_CONVENTION_MODIFIED } lb_dh_convention;

/* One Denavit-Hartenberg row. Standard: Rz(theta) Tz(d) Tx(a) Rx(alpha); modified (Craig): Rx(alpha) Tx(a) Rz(theta)
 * Tz(d). The joint's value is added to theta (revolute) or d (prismatic). */
typedef struct lb_dh_row {
    const char *name; /* of the joint; NULL: joint1, joint2, ... */
    double a, alpha, d, theta;
    int is_prismatic;
    double lower, upper;
} lb_dh_row;

/* Adds a chain of `count` joints and segments (link1, link2, ... or the joint's name + "_link") that starts at site
 * `base` (of a segment already there). Returns the index of the last segment; its frame is the last DH frame. */
LB_API int lb_builder_add_dh_chain(lb_builder *builder, int base_site, lb_dh_convention convention, int count,
                                   const lb_dh_row *rows);

/* Checks everything and makes the figure. The builder stays as it was. */
LB_API lb_status lb_builder_finish(lb_builder *builder, lb_figure **figure);

/* ---------------------------------------------------------------------------------------------------
 * Changing a figure: make a builder from it, change that, finish; poses carry over by name (lb_pose_carry).
 * ------------------------------------------------------------------------------------------------- */

/* What a removed joint drove, was driven by, or had limits on, goes with it. */
LB_API lb_status lb_builder_remove_joint(lb_builder *builder, int joint);
/* Removes a segment with its sites, shapes and joints. */
LB_API lb_status lb_builder_remove_segment(lb_builder *builder, int segment);
/* Removes all that is not connected to the segment. */
LB_API lb_status lb_builder_keep_connected(lb_builder *builder, int segment);
/* Holds a joint at these values (NULL: its rest) or lets it go again. */
LB_API lb_status lb_builder_freeze_joint(lb_builder *builder, int joint, const double *values);
LB_API lb_status lb_builder_thaw_joint(lb_builder *builder, int joint);
/* Replaces name, type, limits, ... of a joint: everything but its place in the order. Drives and limits that
 * name dofs the new type lacks are removed. */
LB_API lb_status lb_builder_change_joint(lb_builder *builder, int joint, const lb_joint *changed);
/* Adds all of a figure, its names behind `prefix` (may be ""); its indices follow those present. The caller then
 * connects the two with a joint. Returns the index of the first segment added. */
LB_API int lb_builder_attach(lb_builder *builder, const lb_figure *figure, const char *prefix);
/* Multiplies all lengths (also limits, rests and drives of translations) and all masses. */
LB_API lb_status lb_builder_scale(lb_builder *builder, double length_factor, double mass_factor);

/* Breaks a figure in two at a joint (which must not lie in a loop): the part that holds the root, and the rest, rooted
 * at the segment that the joint carried, where it is in `pose`. */
LB_API lb_status lb_figure_split(const lb_figure *figure, const double *pose, int joint, lb_figure **near_part,
                                 lb_figure **far_part, lb_error *error);
/* The same figure rooted elsewhere; in pose_out every segment is where it is in pose. pose_out has the new figure's
 * variable_count: that of `figure`, less 6 if its root was free, plus 6 if is_free. Joint and group values are the
 * same bits. Re-rooting back with the same joint values restores the first root's placement and variables to the bit.
 * `site` -1: the segment's own frame. */
LB_API lb_status lb_figure_reroot(const lb_figure *figure, const double *pose, int segment, int site, int is_free,
                                  lb_figure **rerooted, double *pose_out, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
