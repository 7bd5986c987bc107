/* What the BVH reader and writer share. docs/bvh.md says what becomes of what. */
#ifndef LIMBER_IO_BVH_H
#define LIMBER_IO_BVH_H

#include "io/names.h"
#include "io/text.h"

#define LBIO_BVH_MAX_JOINTS 100000
#define LBIO_BVH_MAX_DEPTH 1000

typedef enum lbio_bvh_channel { /* positions before rotations, each x, y, z */
                                LBIO_BVH_X_POSITION,
                                LBIO_BVH_Y_POSITION,
                                LBIO_BVH_Z_POSITION,
                                LBIO_BVH_X_ROTATION,
                                LBIO_BVH_Y_ROTATION,
                                LBIO_BVH_Z_ROTATION,
                                LBIO_BVH_CHANNELS
} lbio_bvh_channel;

extern const char *const lbio_bvh_channel_names[LBIO_BVH_CHANNELS]; /* "Xposition", ... */

/* How the child-side site of a joint is called; where the file mixes rotations and positions, which a joint type
 * cannot (positions come first in it), the file's order follows: "base_rz_rx_ry_tx_ty_tz". */
#define LBIO_BVH_BASE "base"
extern const char *const lbio_bvh_dof_names[LBIO_BVH_CHANNELS]; /* "tx", ... */

/* BVH has y up and characters face z; here z is up and they face x: x -> y, y -> z, z -> x, a third of a turn. */
extern const double lbio_bvh_to_world[4];
/* Of a file with z up: what faces -y there, with the left hand towards x, faces x: x -> y, y -> -x. */
extern const double lbio_bvh_from_z_up[4];

/* A text being read, word by word. */
typedef struct lbio_bvh_scanner {
    const lbio_source *source;
    const char *at, *end;
    int line;
} lbio_bvh_scanner;

typedef struct lbio_bvh_word {
    const char *text; /* not terminated */
    int length;       /* 0 at the end of the file */
    int line;
} lbio_bvh_word;

/* The next word; braces are words of their own. */
lbio_bvh_word lbio_bvh_next(lbio_bvh_scanner *scanner);
/* Whether a word is this one, whatever the case. */
int lbio_bvh_is(const lbio_bvh_word *word, const char *text);
/* The word as a number; fails with file and line. `what` says what was expected. */
lb_status lbio_bvh_number(const lbio_bvh_scanner *scanner, const lbio_bvh_word *word, const char *what, double *value);

typedef struct lbio_bvh_joint {
    const char *name; /* unique */
    int line;
    int parent; /* -1: a ROOT */
    int has_offset;
    double offset[3]; /* as in the file */
    int channel_count;
    lbio_bvh_channel channels[LB_JOINT_MAX_DOFS];
    int first_value; /* of a row of the motion */
    int end_count;   /* End Sites made so far */
    int segment;
    int is_held; /* its positions stay where they are in solving: a bone keeps its length */
} lbio_bvh_joint;

/* An End Site. */
typedef struct lbio_bvh_end {
    int line, joint;
    int has_offset;
    double offset[3];
} lbio_bvh_end;

typedef struct lbio_bvh {
    const lb_allocator *allocator;
    lbio_bvh_joint *joints;
    int joint_count, joint_capacity;
    lbio_bvh_end *ends;
    int end_count, end_capacity;
    lbio_names names;
    const char *world; /* the name of the world's segment, once it has one */
    int value_count;   /* channels of all joints */
    double *first;     /* [value_count] the first frame, 0 where there is none */
    double unit;       /* metres */
    int is_z_up;       /* instead of y */
    int keeps_motion;
    double *values; /* all of the motion that was read, if it is kept */
    size_t kept_count, kept_capacity;
    int frame_count; /* whole rows among them, at most as many as the file says */
    double frame_time;
    int is_absolute; /* position channels of joints that are no roots say where the joint is, OFFSET included */
} lbio_bvh;

/* bvh_build.c: the figure; finds the unit and which way is up where options leave that to the file. */
lb_status lbio_bvh_build(const lbio_source *source, lbio_bvh *bvh, lb_figure **figure);
/* bvh_motion.c: what follows MOTION, checked; keeps the first frame, and all of them where keeps_motion. */
lb_status lbio_bvh_read_motion(lbio_bvh *bvh, lbio_bvh_scanner *scanner);
/* The pose of the first frame. */
void lbio_bvh_first_pose(const lbio_bvh *bvh, const lb_figure *figure, double *pose);
/* The clip of a figure that was built from bvh, which has frames. */
lb_status lbio_bvh_make_clip(const lbio_source *source, const lbio_bvh *bvh, const lb_figure *figure, lb_clip **clip);

/* Which of the two readings of position channels the values of a frame speak for. Sums over all position channels
 * of joints that are no roots: how far values are from the OFFSETs, and how far from 0. */
typedef struct lbio_bvh_evidence {
    double from_offset, from_zero;
} lbio_bvh_evidence;

int lbio_bvh_is_absolute(const lbio_bvh_evidence *evidence);

/* bvh_write.c: a number for a file in which it will be multiplied by `unit`: the shortest that gives `value` again. */
void lbio_bvh_print(lbio_text *text, double value, double unit);

#define LBIO_BVH_DEGREE (3.14159265358979323846 / 180)

#endif
