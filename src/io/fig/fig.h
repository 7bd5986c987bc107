/* The reader of .fig files in three steps: words (fig_lex.c), what the file says (lbio_fig_parse*.c), the figure made
 * of it (fig_build*.c). The middle is the tree below; names in it are resolved only when all of it is known, so that
 * the parts of a figure may come in any order. */
#ifndef LIMBER_IO_FIG_H
#define LIMBER_IO_FIG_H

#include <limber/body.h>

#include "io/text.h"

/* ---------------------------------------------------------------------------------------------------
 * Words
 * ------------------------------------------------------------------------------------------------- */

typedef enum fig_word {
    FIG_END,    /* of the file */
    FIG_NAME,   /* upper */
    FIG_QUOTED, /* "any text" */
    FIG_NUMBER, /* 30, without sign and unit */
    FIG_COLOR,  /* #c08060, only where one is asked for */
    FIG_MARK    /* { } ( ) [ ] ; : , . * + - / = and the pairs -> <= >= += */
} fig_word;

typedef enum fig_unit { FIG_PLAIN, FIG_ANGLE, FIG_LENGTH, FIG_MASS, FIG_NONE } fig_unit;

/* A number in SI units with the unit it was written in; FIG_NONE is the word `none`. */
typedef struct fig_value {
    double number;
    fig_unit unit;
    int line;
    const char *text; /* as written, for messages; not NUL-terminated */
    int length;
    const char *digits; /* behind the sign */
} fig_value;

typedef struct fig_block fig_block;

typedef struct fig_reader {
    const lbio_source *source;
    lb_status status; /* the first failure; nothing is read after it */
    /* where we are, and the present word */
    const char *at, *end;
    int line;
    fig_word word;
    const char *start; /* of the word */
    int length;
    int word_line;
    double number; /* of FIG_NUMBER */
    int color;     /* of FIG_COLOR */
    /* memory of the tree, all freed at once */
    lb_allocator allocator;
    fig_block *blocks;
} fig_reader;

/* Memory that lives as long as the reader, zeroed; NULL (and a failure noted) if there is none. */
void *lbio_fig_take(fig_reader *reader, size_t size);
void lbio_fig_reader_free(fig_reader *reader);

/* Notes a failure, unless there was one, and returns 0. */
int lbio_fig_fail(fig_reader *reader, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
int lbio_fig_fail_status(fig_reader *reader, lb_status status, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "expected ..., found ..." at the present word. */
int lbio_fig_unexpected(fig_reader *reader, const char *expected);

/* All below return 0 after a failure. */
int lbio_fig_start(fig_reader *reader);
int lbio_fig_next(fig_reader *reader);
int lbio_fig_next_color(fig_reader *reader);                 /* instead of lbio_fig_next, where a color must follow */
int lbio_fig_is(const fig_reader *reader, const char *word); /* a mark or an unquoted name; no failure */
int lbio_fig_accept(fig_reader *reader, const char *word);   /* the same, and moves past it */
int lbio_fig_expect(fig_reader *reader, const char *word);
int lbio_fig_expect_end(fig_reader *reader, const char *what); /* the `;` that ends `what` */
int lbio_fig_name(fig_reader *reader, const char *what, const char **name);

/* [sign] number [unit] */
int lbio_fig_read_value(fig_reader *reader, const char *what, fig_value *value);
/* A number that must have no unit. */
int lbio_fig_read_plain(fig_reader *reader, const char *what, double *number);
/* A value that must be of this unit, or bare. e.g. what = "the radius of a sphere" */
int lbio_fig_read_unit(fig_reader *reader, fig_unit unit, const char *what, double *number);
/* [sign] number [unit], and a word that is no unit may follow: it is left for the caller. */
int lbio_fig_read_leading(fig_reader *reader, const char *what, fig_value *value);
int lbio_fig_check_unit(fig_reader *reader, const fig_value *value, fig_unit unit, const char *what);
double lbio_fig_degrees(double degrees); /* in radians */
/* Length of the UTF-8 sequence at `at`, 0 if it is none. */
int lbio_fig_utf8_length(const char *at, const char *end);

/* ---------------------------------------------------------------------------------------------------
 * What the file says
 * ------------------------------------------------------------------------------------------------- */

#define FIG_MAX_PARTS 1000000 /* of any kind */

typedef struct fig_ref {        /* a, or a.b */
    const char *first, *second; /* second NULL where there is none */
    int line;
} fig_ref;

typedef struct fig_segment {
    struct fig_segment *next;
    const char *name;
    int line;
    double mass, com[3];
} fig_segment;

typedef struct fig_site {
    struct fig_site *next;
    const char *segment, *name;
    int line, order; /* order: among sites and DH chains, as written */
    lb_frame frame;
} fig_site;

typedef struct fig_place { /* a site, a point or a frame */
    const char *site;
    lb_frame frame;
    int line;
} fig_place;

typedef struct fig_shape {
    struct fig_shape *next;
    const char *segment;
    int line, color;
    lb_shape_kind kind;
    lb_shape_use use;
    int place_count;
    fig_place places[2];
    double size[3]; /* as lb_shape; where there are two places, size[1] follows from them */
} fig_shape;

typedef struct fig_values { /* one per dof */
    int count, line;
    fig_value values[LB_JOINT_MAX_DOFS];
} fig_values;

typedef struct fig_point {
    struct fig_point *next;
    fig_value x, y;
} fig_point;

typedef struct fig_term {
    struct fig_term *next;
    fig_ref ref;
    fig_value coefficient; /* length 0 where none was written: 1 or -1 */
    lb_curve_kind curve;
    int point_count;
    fig_point *points;
    int has_offset;
    fig_value offset; /* constants are kept with the term before them, a leading one with the first */
} fig_term;

typedef struct fig_sum {
    fig_term *terms;
    int term_count;
    int has_constant; /* a constant that no linear term follows or precedes */
    fig_value constant;
} fig_sum;

typedef struct fig_joint {
    struct fig_joint *next;
    const char *name;
    int line;
    fig_ref a, b;
    int type_line;
    lb_joint_type type;
    int name_count, names_line;
    const char *names[LB_JOINT_MAX_DOFS];
    fig_values lower, upper, rest, rigidity, velocity, acceleration, effort, soft_lower, soft_upper;
    int swing_line, swing_count; /* of the polygon */
    double cone;
    int cone_sides; /* 0: no cone */
    fig_point *swing;
    int frozen;
} fig_joint;

typedef struct fig_parameter {
    struct fig_parameter *next;
    const char *group, *name;
    int line, kind_line;
    fig_unit kind; /* FIG_ANGLE, FIG_LENGTH, or FIG_PLAIN: not said */
    int has_lower, has_upper, has_rest;
    fig_value lower, upper, rest;
    double rigidity;
} fig_parameter;

typedef struct fig_group {
    struct fig_group *next;
    const char *name;
    int line;
} fig_group;

typedef struct fig_drive { /* also mimic */
    struct fig_drive *next;
    const char *group; /* whose parameters may be named without it; NULL: none */
    fig_ref target;
    int is_mimic, adds; /* adds: written += */
    fig_sum sum;
} fig_drive;

typedef struct fig_limit {
    struct fig_limit *next;
    const char *name; /* may be NULL */
    int line;
    char relation; /* '<', '>' or '=' */
    fig_sum sum;
    fig_value bound;
} fig_limit;

typedef struct fig_link {
    struct fig_link *next;
    const char *name;
    int line, has_range, is_prismatic;
    double a, alpha, d, theta;
    fig_value lower, upper;
} fig_link;

typedef struct fig_chain { /* Denavit-Hartenberg */
    struct fig_chain *next;
    const char *name;
    int line, order;
    fig_ref base;
    lb_dh_convention convention;
    int link_count;
    fig_link *links, *last_link;
} fig_chain;

/* A list in the order of the file. */
#define FIG_LIST(type)      \
    struct {                \
        type *first, *last; \
        int count;          \
    }

typedef struct fig_posture { /* of a variable */
    struct fig_posture *next;
    fig_ref variable;
    double weight, comfort;
    fig_value huber;
} fig_posture;

typedef struct fig_solid {
    struct fig_solid *next;
    const char *name;
    int line;
    fig_ref segment;
    double from[3], to[3], radius;
} fig_solid;

typedef struct fig_contact {
    struct fig_contact *next;
    const char *name;
    int line, kind, limb;
    fig_ref segment;
    double point[3], radius;
} fig_contact;

typedef struct fig_strength {
    struct fig_strength *next;
    const char *name;
    int line;
    fig_ref segment;
    double moment;
    int by_axis;
} fig_strength;

typedef struct fig_ease {
    struct fig_ease *next;
    const char *name;
    int line;
    double sign; /* -1: written >= */
    fig_sum sum;
    fig_value bound;
    double weight;
} fig_ease;

typedef struct fig_arm {
    struct fig_arm *next;
    const char *name;
    int line, limb;
    int limb_line, shoulder_line, hand_line, palm_line, lap_line; /* 0: not said */
    fig_ref shoulder, hand, palm, lap;
    double lap_point[3];
} fig_arm;

typedef struct fig_setting { /* variable = value */
    struct fig_setting *next;
    fig_ref variable;
    fig_value value;
} fig_setting;

typedef struct fig_start {
    struct fig_start *next;
    const char *name;
    int line;
    FIG_LIST(fig_setting) settings;
} fig_start;

typedef struct fig_eye {
    struct fig_eye *next;
    fig_ref segment;
} fig_eye;

/* The mesh that a segment is drawn by. */
typedef struct fig_mesh {
    struct fig_mesh *next;
    const char *segment, *file;
    int line;
    double scale[3];
    lb_frame frame;
} fig_mesh;

typedef struct fig_body {
    int line; /* 0: there is none */
    int head_line, gaze_line, eyes_line;
    fig_ref head, gaze;
    FIG_LIST(fig_posture) postures;
    FIG_LIST(fig_solid) solids;
    FIG_LIST(fig_contact) contacts;
    FIG_LIST(fig_strength) strengths;
    FIG_LIST(fig_ease) eases;
    FIG_LIST(fig_arm) arms;
    FIG_LIST(fig_start) starts;
    FIG_LIST(fig_eye) eyes;
} fig_body;

typedef struct fig_file {
    const char *name;
    int line; /* of the figure */
    int stature_line, root_line, place_line;
    double stature;
    fig_ref root;
    int root_is_free, has_placement;
    lb_frame placement;
    int order; /* counts sites and chains */
    FIG_LIST(fig_segment) segments;
    FIG_LIST(fig_site) sites;
    FIG_LIST(fig_shape) shapes;
    FIG_LIST(fig_mesh) meshes;
    FIG_LIST(fig_joint) joints;
    FIG_LIST(fig_group) groups;
    FIG_LIST(fig_parameter) parameters;
    FIG_LIST(fig_drive) drives;
    FIG_LIST(fig_limit) limits;
    FIG_LIST(fig_chain) chains;
    FIG_LIST(fig_setting) rests; /* values of `rest { }`, in place of those of joints and parameters */
    int rests_line, at_line;     /* 0: there is none */
    lb_frame at;                 /* where the root is, in place of what the root says */
    fig_body body;
    const char *rests_begin, *rests_end; /* the statement's text, and */
    const char *close;                   /* the brace that ends the figure */
} fig_file;

/* Takes a zeroed part and hangs it at the list's end; `part` is then NULL if that failed. */
#define FIG_ADD(reader, list, part)                                                                           \
    do {                                                                                                      \
        (part) = lbio_fig_add_check((reader), (list).count) ? lbio_fig_take((reader), sizeof *(part)) : NULL; \
        if (part) {                                                                                           \
            if ((list).last) {                                                                                \
                (list).last->next = (part);                                                                   \
            } else {                                                                                          \
                (list).first = (part);                                                                        \
            }                                                                                                 \
            (list).last = (part);                                                                             \
            (list).count++;                                                                                   \
        }                                                                                                     \
    } while (0)

int lbio_fig_add_check(fig_reader *reader, int count);

int lbio_fig_parse(fig_reader *reader, fig_file *file);

/* A statement word that is unknown: suggests the nearest of `known`. */
int lbio_fig_unknown(fig_reader *reader, const char *where, const char *const *known, int count);
/* `word` given a second time in one block (*line says where first); notes where it is now. */
int lbio_fig_once(fig_reader *reader, int *line, const char *word);
int lbio_fig_parse_ref(fig_reader *reader, const char *what, fig_ref *ref);
int lbio_fig_parse_frame(fig_reader *reader, lb_frame *frame);
int lbio_fig_is_frame(const fig_reader *reader); /* the present word is trans, rot, ... */
int lbio_fig_parse_triple(fig_reader *reader, fig_unit unit, const char *what, double values[3]);
int lbio_fig_parse_sum(fig_reader *reader, fig_sum *sum);
int lbio_fig_close(fig_reader *reader, const char *what, const char *name,
                   int line); /* past `}`? then 1; fails at the end */

int lbio_fig_parse_segment(fig_reader *reader, fig_file *file);
/* A statement of Jack's own files that says nothing to us, up to its `;` or the block that it has. */
int lbio_fig_skip_old(fig_reader *reader);
int lbio_fig_parse_site(fig_reader *reader, fig_file *file, const char *segment); /* NULL: named in the statement */
int lbio_fig_parse_shape(fig_reader *reader, fig_file *file, const char *segment);
int lbio_fig_parse_joint(fig_reader *reader, fig_file *file);
int lbio_fig_parse_group(fig_reader *reader, fig_file *file);
int lbio_fig_parse_parameter(fig_reader *reader, fig_file *file, const char *group);
int lbio_fig_parse_drive(fig_reader *reader, fig_file *file, const char *group);
int lbio_fig_parse_limit(fig_reader *reader, fig_file *file);
int lbio_fig_parse_chain(fig_reader *reader, fig_file *file);
int lbio_fig_parse_rests(fig_reader *reader, fig_file *file);
int lbio_fig_parse_body(fig_reader *reader, fig_file *file);
/* `sum` of a limit or an ease: linear, and without a number of its own. */
int lbio_fig_check_linear(fig_reader *reader, const fig_sum *sum, const char *what);

/* ---------------------------------------------------------------------------------------------------
 * The figure made of it
 * ------------------------------------------------------------------------------------------------- */

typedef struct fig_maker {
    fig_reader *reader;
    const fig_file *file;
    lb_builder *builder;
    int group_count, parameter_count;
    const fig_parameter **parameters; /* by index */
} fig_maker;

int lbio_fig_builder_fail(fig_maker *maker, int line);
int lbio_fig_find_segment(fig_maker *maker, const char *name, int line, int *segment);
int lbio_fig_find_site(fig_maker *maker, const fig_ref *ref, int *site);
int lbio_fig_find_segment_site(fig_maker *maker, int segment, const char *name, int line, int *site);
int lbio_fig_find_dof(fig_maker *maker, const char *group, const fig_ref *ref, lb_dof_ref *dof);
int lbio_fig_dof_is_angle(const fig_maker *maker, const lb_dof_ref *dof);
/* The values of `rest { }`: of parameters, before groups are made; of joints, after all. */
int lbio_fig_rest_parameters(fig_reader *reader, fig_file *file);
int lbio_fig_rest_joints(fig_maker *maker);
int lbio_fig_build_shapes(fig_maker *maker);
/* Shapes of the meshes that segments name, where they are asked for and found. folder NULL: the figure comes from no
 * file. */
int lbio_fig_build_meshes(fig_maker *maker, const char *folder); /* fig_mesh.c */
int lbio_fig_build_joints(fig_maker *maker);
int lbio_fig_build_groups(fig_maker *maker);
int lbio_fig_build_drives(fig_maker *maker);
int lbio_fig_build_limits(fig_maker *maker);
/* Gives the finished figure its body, if the file describes one. */
int lbio_fig_build_body(fig_maker *maker, lb_figure *figure);

/* The frame of a capsule or cylinder between two points, and half their distance: also what the writer checks by. */
int lbio_fig_frame_between(const double from[3], const double to[3], lb_frame *frame, double *half);

#endif
