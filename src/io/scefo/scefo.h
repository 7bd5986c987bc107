/* SCEFO, the animation language of BAGS: what its reader's parts share. docs/scefo.md has the grammar.
 *
 * scefo_lex.c      words, memory, errors
 * scefo_parse.c    statements, into objects with their change operations
 * scefo_place.c    where an object is at a time
 * scefo_web.c      which joints hold what together, and what it hangs on
 * scefo_build.c    linkages and other objects, into figures and problems
 * scefo_fields.c   which fields there are
 * scefo_joint.c    what is asked of a joint at a time
 * scefo_track.c    what changes an object, as a track
 * scefo_motion.c   what moves, into a motion; scefo_reach.c its reaches
 */
#ifndef LIMBER_IO_SCEFO_H
#define LIMBER_IO_SCEFO_H

#include "io/text.h"

#define LBIO_SCEFO_MAX_OBJECTS 2000
#define LBIO_SCEFO_MAX_DEPTH 64      /* of braces, groups in groups, files in files */
#define LBIO_SCEFO_MAX_COPIES 100000 /* change operations, with those that templates and groups copy */

typedef enum lbio_scefo_kind { SCEFO_NUMBER, SCEFO_STRING, SCEFO_NAME, SCEFO_FIELD, SCEFO_LIST } lbio_scefo_kind;

typedef struct lbio_scefo_value {
    lbio_scefo_kind kind;
    int line;
    const char *file;
    double number;
    const char *text;  /* a string, a name, or the object of a field */
    const char *field; /* object:field */
    struct lbio_scefo_value *first, *next;
    int count; /* of a list */
} lbio_scefo_value;

typedef struct lbio_scefo_point {
    double time;
    const lbio_scefo_value *value;
    lb_interpolation interpolation; /* of the stretch that begins here */
    struct lbio_scefo_point *next;
} lbio_scefo_point;

typedef enum lbio_scefo_op_kind { SCEFO_ROTATE, SCEFO_TRANSLATE, SCEFO_SCALE, SCEFO_SET_FIELD } lbio_scefo_op_kind;

typedef struct lbio_scefo_op {
    lbio_scefo_op_kind kind;
    int line;
    const char *file;
    int is_of_group;   /* came through a group */
    const char *field; /* of set_field */
    lbio_scefo_point *points;
    struct lbio_scefo_op *next; /* in script order */
} lbio_scefo_op;

typedef enum lbio_scefo_class {
    SCEFO_CUBE,
    SCEFO_SPHERE,
    SCEFO_CYLINDER,
    SCEFO_POINT,
    SCEFO_JOINT,
    SCEFO_LINKAGE,
    SCEFO_GROUP
} lbio_scefo_class;

typedef struct lbio_scefo_object {
    const char *name;
    int line;
    const char *file;
    lbio_scefo_class class_;
    int is_class;   /* made by read, not by template: nothing to be seen */
    int is_pattern; /* others were made like it; by itself it is not shown */
    lbio_scefo_op *ops, *last_op;
    int *members, member_count; /* of a group */
} lbio_scefo_object;

typedef struct lbio_scefo_block lbio_scefo_block;

typedef struct lbio_scefo {
    const lbio_source *source;
    const char *folder; /* of the script; NULL: nothing can be included */
    const char *file;   /* being read: the script or an included one */
    const char *at, *end;
    int line, depth;
    lb_status status;
    lbio_scefo_block *blocks;
    lbio_scefo_object *objects;
    int object_count, object_capacity, op_count;
    /* What has come about by the stage that is being built, [object] each: it was led by another link, or held, so it
     * is no longer where its own operations alone would have it; and, of a linkage, its root does not hold now.
     * [reach]: it has ended, for its chain broke. */
    unsigned char *is_led, *is_root_dropped, *has_ended;
} lbio_scefo;

/* --- scefo_lex.c ----------------------------------------------------------------------------------- */

/* Zeroed memory that lives as long as the reader; NULL with the status set. */
void *lbio_scefo_take(lbio_scefo *s, size_t size);
void lbio_scefo_free(lbio_scefo *s);
/* The first failure counts; returns its status. */
lb_status lbio_scefo_fail(lbio_scefo *s, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lbio_scefo_warn(const lbio_scefo *s, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

typedef enum lbio_scefo_word_kind { SCEFO_END, SCEFO_WORD, SCEFO_TEXT, SCEFO_VALUE, SCEFO_MARK } lbio_scefo_word_kind;

typedef struct lbio_scefo_word {
    lbio_scefo_word_kind kind;
    const char *text; /* of a word or text */
    double number;
    char mark;
    int line;
} lbio_scefo_word;

lbio_scefo_word lbio_scefo_next(lbio_scefo *s);
/* The next word without taking it. */
lbio_scefo_word lbio_scefo_peek(lbio_scefo *s);

/* --- scefo_parse.c --------------------------------------------------------------------------------- */

lb_status lbio_scefo_parse(lbio_scefo *s);
/* Appends a copy of an operation to an object; control points are shared. */
void lbio_scefo_add_op(lbio_scefo *s, lbio_scefo_object *object, const lbio_scefo_op *op, int is_of_group);
/* -1 where there is none. */
int lbio_scefo_find(const lbio_scefo *s, const char *name);
/* "; did you mean ...?" or "", for a name that is none of the objects (of one class, or any: -1). */
void lbio_scefo_suggest(const lbio_scefo *s, const char *name, int class_, char *text, size_t size);

/* Adds an object at the end; its number, or -1 with the status set. */
int lbio_scefo_add_object(lbio_scefo *s, const char *name, int line, lbio_scefo_class class_);
/* Joints with one link connect it with the world: scefo_ground.c. */
lb_status lbio_scefo_ground(lbio_scefo *s);

/* --- scefo_place.c --------------------------------------------------------------------------------- */

/* Reads `count` numbers of a list; fails with what was expected. */
lb_status lbio_scefo_numbers(lbio_scefo *s, const lbio_scefo_value *value, int count, const char *expected,
                             double *numbers);
/* {{x, y, z}, degrees}: the axis and radians. */
lb_status lbio_scefo_turn(lbio_scefo *s, const lbio_scefo_value *value, double axis[3], double *angle);
/* Where an object is at a time, in the script's axes, and its half extents. A joint that no translation of its own puts
 * anywhere is halfway between its links. */
lb_status lbio_scefo_place(lbio_scefo *s, const lbio_scefo_object *object, double time, lb_frame *frame,
                           double size[3]);
/* The object that a joint's field names, link1 or link2. */
int lbio_scefo_link(lbio_scefo *s, const lbio_scefo_object *joint, const char *field);
/* Whether its operations leave it where it is after time 0. */
int lbio_scefo_is_still(const lbio_scefo_object *object);
/* A script's direction or point in the world. */
void lbio_scefo_world(const double v[3], double v_w[3]);
/* A frame of the script in the world. */
void lbio_scefo_world_frame(const lb_frame *frame, lb_frame *frame_w);
/* What an operation of numbers amounts to at a time ({x, y, z}: 3; a turn, {{x, y, z}, degrees}: a quaternion). Returns
 * 0 before the first control point. value: where the numbers begin in a control point. */
typedef const lbio_scefo_value *(*lbio_scefo_pick)(const lbio_scefo_value *value);
int lbio_scefo_sample(lbio_scefo *s, const lbio_scefo_op *op, lbio_scefo_pick pick, int is_turn, double time,
                      double *result);

/* scefo_fields.c: refuses fields that there are not. */
lb_status lbio_scefo_check_fields(lbio_scefo *s);

/* --- scefo_build.c, scefo_motion.c, scefo_reach.c ----------------------------------------------------------------- */

/* From a time on: a figure for each linkage, and one for each other object. */
typedef struct lbio_scefo_stage {
    double from, until; /* until: the next stage's begin; INFINITY for the last */
    lb_figure **figures;
    int figure_count;
    lb_problem *problem;
    int *segment_figure, *segment_index; /* [object]: where it is in this stage; -1: nowhere */
    int *joint_figure, *joint_index;     /* [object] */
    int *reach_ids;                      /* [reach] */
} lbio_scefo_stage;

/* Which joints hold what together from a time on. */
typedef struct lbio_scefo_web {
    lbio_scefo *s;
    double time;
    int *linkage;       /* [object]: of a joint, the linkage that has it now; -1: none */
    int *part;          /* [object]: of a link, its component, the least object in it; -1: none */
    int *link1, *link2; /* [object]: of a joint */
    int *root;          /* [part]: the link that it hangs on */
    int *root_linkage;  /* [object]: of such a link, the linkage that says so; -1: none does */
    double *since;      /* [object]: of a joint, when its linkage got it */
} lbio_scefo_web;

/* Of stages in the order of time: it keeps what has come about in the reader. */
lb_status lbio_scefo_weave(lbio_scefo *s, double time, lbio_scefo_web *web);

/* Sites of every segment: where it itself is; then those of joints and of reaches. */
#define LBIO_SCEFO_CENTRE "centre"
/* Follows the name of a joint that was added later than at 0, in those of a segment between it and its link2, and of
 * the joint which holds that link there as it was at that time: no script can name these. */
#define LBIO_SCEFO_HELD ":held"

struct lb_script {
    lbio_scefo_stage *stages;
    int stage_count;
    lb_motion *motion;
    int object_count;
};

/* The last operation that sets a field, up to a time; NULL: none. */
const lbio_scefo_op *lbio_scefo_field(const lbio_scefo_object *object, const char *field, double time);
/* What follows the field's name in a control point. */
const lbio_scefo_value *lbio_scefo_field_value(const lbio_scefo_value *value);
/* Figures and the problem of a stage, whose `from` is set. */
lb_status lbio_scefo_build(lbio_scefo *s, lbio_scefo_stage *stage);
/* scefo_whole.c: what is done to a whole linkage, done to its links and joints. */
lb_status lbio_scefo_spread(lbio_scefo *s);
/* The number that a field of an object has at a time, straight between control points, the first one's before it. */
double lbio_scefo_number(lbio_scefo *s, const lbio_scefo_object *object, const char *field, double time,
                         double otherwise);
/* Whether a joint of a linkage holds, at a time, something that it was added for later than at 0: a FIXED one, whose
 * other link is by itself. The object is then carried, as it lies when the joint is added. */
int lbio_scefo_grips(lbio_scefo *s, int joint, double time, int *carrier, int *object);
/* Stages, each built, and the motion. */
lb_status lbio_scefo_animate(lbio_scefo *s, lb_script *script);

/* A reach: an operation of a joint whose control points are goals. */
typedef struct lbio_scefo_reach {
    int joint; /* the object that starts the chain */
    const lbio_scefo_op *op;
    int effector; /* the object that reaches */
    int has_site;
    double site[3]; /* in its own axes */
} lbio_scefo_reach;

/* The reaches of the script in its order, at most `room`; returns how many there are, or -1 with the status set. */
int lbio_scefo_reaches(lbio_scefo *s, lbio_scefo_reach *reaches, int room);
/* The goal of a reach's control point: an object (returned), or -1 and a point. */
int lbio_scefo_goal(lbio_scefo *s, const lbio_scefo_point *point, double position[3]);
/* The method by which a stage that begins at a time is solved: that of the joint whose reach began last, by then. -1
 * where no joint names one. */
int lbio_scefo_method(lbio_scefo *s, const lbio_scefo_reach *reaches, int count, double from);
/* Of an object's motion: does this operation turn or shift a joint? */
int lbio_scefo_is_drive(const lbio_scefo_op *op);
int lbio_scefo_is_turn(const lbio_scefo_op *op);
int lbio_scefo_is_shift(const lbio_scefo_op *op);
/* Turns of a joint (`what` is the object), one after another, as one rotation. */
void lbio_scefo_rotation_at(lbio_scefo *s, const void *what, double time, double *value);
/* One dof: the sum of what operations say about its axis. */
typedef struct lbio_scefo_dof {
    const lbio_scefo_object *joint;
    double axis[3];
    int is_turn;
} lbio_scefo_dof;
void lbio_scefo_dof_at(lbio_scefo *s, const void *what, double time, double *value);
/* When something changes. */
typedef struct lbio_scefo_times {
    double *at; /* to be freed */
    int count, room;
    int has_failed; /* for want of memory */
} lbio_scefo_times;
void lbio_scefo_add_time(lbio_scefo_times *t, double time);
void lbio_scefo_sort_times(lbio_scefo_times *t);
#define LBIO_SCEFO_STEP (1.0 / 120)
typedef int (*lbio_scefo_filter)(const lbio_scefo_op *op);
/* When the last of these operations of an object ends; -1: it has none. */
double lbio_scefo_last_time(const lbio_scefo_object *object, lbio_scefo_filter filter);
/* The value of something at any time, and its track, which has keys where such operations change the object. The caller
 * destroys the track, which may be NULL or not whole with the status set. */
typedef void (*lbio_scefo_value_at)(lbio_scefo *s, const void *what, double time, double *value);
lb_track *lbio_scefo_track(lbio_scefo *s, lb_track_kind kind, const lbio_scefo_object *object, lbio_scefo_filter filter,
                           lbio_scefo_value_at value, const void *what);
/* What a joint that a stage adds begins with: what its operations ask for then, else 0, inside the limits of that
 * time. */
void lbio_scefo_begin_joint(lbio_scefo *s, const lbio_scefo_object *object, double time, lb_joint *joint);

/* The script's axes in the world: y is up, as in BVH. */
extern const double lbio_scefo_to_world[4];

#endif
