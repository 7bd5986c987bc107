/* A figure whose names say that it is a person, made a body: docs/body.md.
 *
 *     person_find.c   which segments are which parts, how they hang together, how the person stands at ease
 *     person_joint.c  joints in anatomical axes, with a human's limits
 *     person_body.c   what may touch the ground, how thick and strong the limbs are; person_weights.c what moving costs
 *     person.c        the figure anew, with its body
 */
#ifndef LIMBER_IO_PERSON_H
#define LIMBER_IO_PERSON_H

#include "io/human/human.h"
#include "io/text.h"

/* What lies between two parts of a body. */
typedef enum lbio_between { LBIO_BETWEEN_NONE, LBIO_BETWEEN_TRUNK, LBIO_BETWEEN_LIMB } lbio_between;

typedef struct lbio_person {
    const lb_figure *figure; /* as the file has it */
    const lb_load_options *options;
    int is_body;    /* it gets a body, and stands at ease; else it gets limits alone */
    int count;      /* segments */
    lb_frame *rest; /* [count] in the world, in the figure's rest pose */
    lb_frame *ease; /* [count] in the world, at ease on a floor at height 0 */
    int *parts;     /* [count] lbio_part; -1: none */
    int *owners;    /* [count] the part that a segment is, or lies above in a limb; -1: none */
    int *parents;   /* [count] the tree as seen from the pelvis; -1: none */
    int *joints;    /* [count] the joint to the parent; -1: none */
    int *order;     /* [count] parents before children; those that hang on the pelvis alone */
    int order_count;
    unsigned char *between;  /* [count] lbio_between */
    unsigned char *is_moved; /* [joints] 1: replaced by a joint in anatomical axes */
    int *scratch;            /* [5 count] */
    int holder[LBIO_PART_COUNT];
    unsigned char has[LBIO_PART_COUNT];
    int pelvis, world; /* world: the segment that stands for it; -1: none, the root is free */
    int root_joint;    /* from the world to the pelvis or what is above it; -1: none */
    int trunk_bones;   /* that share the ranges of the spine */
    double axes[4];    /* of the body in the world at rest: x ahead, y left, z up */
    double scale;      /* lengths over those of models/human.fig */
} lbio_person;

/* Finds the person. Returns 1 where there is one who stands upright, 0 where not, or a negative lb_status. */
int lbio_person_find(lbio_person *p);
/* Where the person stands at ease, once it is known which joints are replaced. */
void lbio_person_stand(lbio_person *p);
/* The anatomical frame of a segment at rest, in the world: a bone that is turned to where it points on a body which
 * stands with hanging arms has the body's axes in this frame. */
void lbio_person_axes(const lbio_person *p, int segment, double rotation[4]);
/* Where the bone of a part ends at ease, in the world. */
void lbio_person_tip(const lbio_person *p, int part, double tip[3]);
/* The point of the world, at ease, in the frame of a segment. */
void lbio_person_local(const lbio_person *p, int segment, const double point[3], double local[3]);
/* point + s (x ahead, y left, z up), in the body's axes and a human's lengths. */
void lbio_person_offset(const lbio_person *p, const double point[3], const double offset[3], double out[3]);
/* Where a foot is, at ease, in the world: the ball, and the tip of the toes. toes: the segment that stays on the
 * ground. */
void lbio_person_foot(const lbio_person *p, int side, double ball[3], double tip[3], int *toes);

/* Whether the joint of a segment is replaced by one in anatomical axes. */
int lbio_person_replaces(const lbio_person *p, int segment);
/* The new joint of a segment: its type, limits and rest, and its frames in the world at rest. swing: [24]. */
void lbio_person_joint(const lbio_person *p, int segment, lb_joint *joint, lb_frame *above, lb_frame *below,
                       double swing[24][2]);
/* Limits for a joint that keeps its own axes, where it has none. */
void lbio_person_limit(const lbio_person *p, int segment, lb_joint *joint);
/* The three values of a replaced joint whose bone is turned by this from where it is at ease. */
void lbio_person_values(const lbio_person *p, int segment, const double turn[4], double values[3]);

/* The body of the finished figure. */
lb_status lbio_person_set_body(const lbio_person *p, lb_figure *figure, lb_error *error);
/* Which segment each variable moves, [variable_count] (-1: none), and about which axis of the body it turns it at
 * ease. */
lb_status lbio_person_variables(const lbio_person *p, const lb_figure *figure, int *segments, double (*axes)[3]);
/* What moving each variable costs, [variable_count]. */
void lbio_person_weigh(const lbio_person *p, const lb_figure *figure, const int *segments, double (*axes)[3],
                       lb_body_variable *weights);

/* The figure of a file as the options ask for it, with other limits or with a body; *figure is replaced. */
lb_status lbio_make_person(const lbio_source *source, lb_figure **figure);

#endif
