/* A figure on its way to URDF: shared by urdf_write.c (the tree), urdf_chain.c (one joint) and urdf_link.c (one link).
 */
#ifndef LIMBER_IO_URDF_OUT_H
#define LIMBER_IO_URDF_OUT_H

#include "io/names.h"
#include "io/text.h"

/* What URDF cannot say: counted, and told once each. */
typedef enum lbio_urdf_loss {
    LBIO_URDF_LOSS_BALL,
    LBIO_URDF_LOSS_SWING,
    LBIO_URDF_LOSS_DRIVE,
    LBIO_URDF_LOSS_LOOP,
    LBIO_URDF_LOSS_ROWS,
    LBIO_URDF_LOSS_BOUND,
    LBIO_URDF_LOSS_REST,
    LBIO_URDF_LOSS_SHAPE,
    LBIO_URDF_LOSS_HULL,
    LBIO_URDF_LOSS_NAME,
    LBIO_URDF_LOSS_COUNT
} lbio_urdf_loss;

/* How a dof is written. */
typedef enum lbio_urdf_way { LBIO_URDF_FREE, LBIO_URDF_MIMIC, LBIO_URDF_HELD } lbio_urdf_way;

typedef struct lbio_urdf_dof {
    const char *name; /* of the URDF joint; NULL: not written as one of its own */
    int drive;        /* the one that drives it; -1: none; -2: several */
    lbio_urdf_way way;
    const char *source;        /* what a mimic follows */
    double multiplier, offset; /* of a mimic; where it is held: at offset */
} lbio_urdf_dof;

/* What a joint's drive can do; infinite: not said. */
typedef struct lbio_urdf_drive {
    double velocity, effort, soft_lower, soft_upper;
} lbio_urdf_drive;

typedef struct lbio_urdf_out {
    const lb_figure *figure;
    lbio_text *text;
    lb_kinematics *rest;           /* in the rest pose */
    lbio_names links, joints;      /* names taken */
    const char **link_names;       /* [segment_count] */
    const char **joint_names;      /* [joint_count] of those written as one URDF joint; else NULL */
    const char **parameter_names;  /* [parameter_count] joints that stand for group parameters */
    lbio_urdf_dof *dofs;           /* [joint_count * LB_JOINT_MAX_DOFS] */
    char *is_loop;                 /* [joint_count] */
    int *first_shape, *next_shape; /* [segment_count], [shape_count]: shapes of a segment; -1 ends */
    int failed;                    /* out of memory */
    struct {
        int count;
        char first[64];
    } losses[LBIO_URDF_LOSS_COUNT];
} lbio_urdf_out;

void lbio_urdf_lose(lbio_urdf_out *out, lbio_urdf_loss loss, const char *name);
/* A name that is free among links or joints, fit for XML: `first`, or `first_second` (NULL: none). "" if out of memory.
 */
const char *lbio_urdf_name(lbio_urdf_out *out, lbio_names *names, const char *first, const char *second);

void lbio_urdf_write_escaped(lbio_text *text, const char *string);
void lbio_urdf_write_vector(lbio_text *text, const char *attribute, const double v[3]);
/* <origin xyz rpy/> on a line of its own, or nothing for the identity. */
void lbio_urdf_write_origin(lbio_text *text, const char *indent, const lb_frame *frame);
void lbio_urdf_write_fixed(lbio_urdf_out *out, const char *name, const char *parent, const char *child,
                           const lb_frame *origin);
void lbio_urdf_write_empty_link(lbio_urdf_out *out, const char *name);
int lbio_urdf_is_identity(const lb_frame *frame);

/* urdf_chain.c: "planar" or "floating" where the joint that carries a segment is just that, else NULL. */
const char *lbio_urdf_block_type(const lbio_urdf_out *out, int joint, int segment);
/* The URDF joints (and links between) that carry a segment from its parent. */
void lbio_urdf_write_chain(lbio_urdf_out *out, int joint, int segment);
/* The first lines and the range of a URDF joint with one dof; the caller adds what else it has and closes it. */
void lbio_urdf_open_joint(lbio_urdf_out *out, const char *name, const char *type, const char *parent, const char *child,
                          const lb_frame *origin);
const char *lbio_urdf_type_name(double lower, double upper, int is_angle);
void lbio_urdf_write_range(lbio_urdf_out *out, const char *name, const double range[2], const lbio_urdf_drive *drive,
                           int is_angle);
void lbio_urdf_close_joint(lbio_urdf_out *out);

/* urdf_link.c */
void lbio_urdf_write_link(lbio_urdf_out *out, int segment);

#endif
