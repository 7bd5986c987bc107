/* A URDF file on its way to a figure: what urdf_parse.c reads out of the XML, urdf_tree.c puts in order and urdf_read.c
 * builds from. */
#ifndef LIMBER_IO_URDF_H
#define LIMBER_IO_URDF_H

#include "io/names.h"
#include "io/xml/xml.h"

typedef enum lbio_urdf_kind {
    LBIO_URDF_FIXED,
    LBIO_URDF_REVOLUTE,
    LBIO_URDF_CONTINUOUS,
    LBIO_URDF_PRISMATIC,
    LBIO_URDF_PLANAR,
    LBIO_URDF_FLOATING
} lbio_urdf_kind;

typedef struct lbio_urdf_link {
    const char *name;
    const lbio_xml *element; /* NULL: a `world` that no <link> describes */
    int line;
    int parent_joint; /* -1: a root */
} lbio_urdf_link;

typedef struct lbio_urdf_joint {
    const char *name;
    const lbio_xml *element; /* NULL: added, to fix one of several roots to `world` */
    int line;
    lbio_urdf_kind kind;
    lb_frame origin; /* of the joint, in the parent link's frame */
    double axis[3];  /* unit */
    double lower, upper, velocity, effort;
    double soft_lower, soft_upper; /* of its safety_controller */
    int bounds_by_default;         /* lower and upper are the 0 that the specification gives where they are missing */
    int parent, child;             /* links */
    int mimicked;                  /* joint that this one follows, or -1 */
    double multiplier, offset;
    double initial; /* in the pose that the file has; 0: it has none */
    int is_held;    /* 1: stays at `offset`, as what it mimics cannot move */
} lbio_urdf_joint;

/* Oddities that a file tends to have many times over: counted, and told once each. */
typedef enum lbio_urdf_oddity {
    LBIO_URDF_NO_LIMIT,
    LBIO_URDF_NO_BOUNDS,
    LBIO_URDF_ONE_BOUND,
    LBIO_URDF_TWO_LIMITS,
    LBIO_URDF_CONTINUOUS_BOUNDS,
    LBIO_URDF_PLANAR_BOUNDS,
    LBIO_URDF_LONG_AXIS,
    LBIO_URDF_MIMIC_LIMIT,
    LBIO_URDF_BAD_SHAPE,
    LBIO_URDF_NO_MASS,
    LBIO_URDF_ODDITY_COUNT
} lbio_urdf_oddity;

typedef struct lbio_urdf_tally {
    int count, line;
    const char *first;
} lbio_urdf_tally;

typedef struct lbio_urdf {
    const lbio_source *source;
    const char *folder;          /* of the file; NULL: it comes from none */
    lbio_xml_document *document; /* all memory but that of the names comes from it */
    const lbio_xml *robot;
    int link_count, link_capacity;
    lbio_urdf_link *links;
    int joint_count, joint_capacity;
    lbio_urdf_joint *joints;
    lbio_names link_names, joint_names; /* to their indices; a name space each, as in the specification */
    int root;
    int has_collisions;         /* a link has a <collision>; -1: not looked for yet */
    int material_count;         /* -1: not gathered yet */
    const lbio_xml **materials; /* those with a colour, by name */
    lbio_urdf_tally tallies[LBIO_URDF_ODDITY_COUNT];
    int lost_count, lost_line;               /* meshes that could not be read, and where the first stands */
    char lost_reason[LB_ERROR_MESSAGE_SIZE]; /* why the first could not */
} lbio_urdf;

/* urdf_parse.c: fills links and joints (not yet parents and children) and refuses what is not a finished URDF. */
lb_status lbio_urdf_parse(lbio_urdf *urdf);
/* lbio_xml_numbers, with a cap on how large they may be: lengths, angles, masses and multipliers that overflow when
 * they are put together make no robot. */
#define LBIO_URDF_MAX_NUMBER 1e9
lb_status lbio_urdf_numbers(const lbio_urdf *urdf, const lbio_xml *element, const char *attribute, int count,
                            double *values, int *present);
lb_status lbio_urdf_origin(const lbio_urdf *urdf, const lbio_xml *owner, lb_frame *frame);
void lbio_urdf_count(lbio_urdf *urdf, lbio_urdf_oddity oddity, const char *name, int line);
lb_status lbio_urdf_no_memory(const lbio_urdf *urdf);

/* urdf_tree.c: connects joints to links, finds the root (adding `world` where there are several), resolves mimics. */
lb_status lbio_urdf_connect(lbio_urdf *urdf);

/* urdf_shapes.c: the shapes of a link; colours by name are looked up in the whole file. */
/* The pose that the file has for its joints, into joints[].initial. */
void lbio_urdf_read_initial(lbio_urdf *urdf);
void lbio_urdf_tell_meshes(const lbio_urdf *urdf);
lb_status lbio_urdf_add_shapes(lbio_urdf *urdf, lb_builder *builder, const lbio_urdf_link *link, int segment);

/* urdf_read.c: two directions that with n make a right-handed frame; a planar joint's translations go along them. */
void lbio_urdf_plane(const double n[3], double a[3], double b[3]);

#endif
