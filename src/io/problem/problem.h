/* Problem files from the inside: JSON with a memory of where it is, so that every message has a line.
 *
 *     json_read.c        values with units, vectors, keys that are allowed, messages with path and line
 *     problem_read.c     the whole file: names, start pose, options
 *     problem_figures.c  its figures
 *     problem_goal.c     constraints: end-effectors and goals
 *     problem_support.c  keep, balance, avoid, wishes, rigidity: what expands into constraints or settings
 *     problem_collisions.c  what is kept apart; problem_collisions_write.c writes it
 *     problem_body.c     figures that are posed as bodies, read and written
 *     problem_body_write.c  what became of them, in results
 *     problem_motion.c   what changes over time
 *     problem_clip.c     recorded frames among that
 *     problem_write.c    results
 *     problem_save.c     problems
 */
#ifndef LIMBER_IO_PROBLEM_H
#define LIMBER_IO_PROBLEM_H

#include "io/json/json_write.h"
#include "io/text.h"
#include "solve/call.h"
#include <jansson.h>
#include <limber/body.h>
#include <limber/solve.h>

#define LBIO_PATH_MOST 16
#define LBIO_FIGURES_MOST 64
#define LBIO_CONSTRAINTS_MOST 20000
#define LBIO_LIST_MOST 100000

/* One step into the document: a key, or an index where key is NULL. */
typedef struct lbio_step {
    const char *key;
    int index;
} lbio_step;

typedef struct lbio_reader {
    const lbio_source *source;
    const char *folder; /* where figures' paths start; NULL: no files */
    lbio_step path[LBIO_PATH_MOST];
    int depth;
    struct lb_problem_file *file;
    lb_kinematics *kinematics[LBIO_FIGURES_MOST]; /* in the start pose, once there is one */
    char (*groups)[64];                           /* names of any_of, by number - 1 */
    int group_count, group_capacity;
} lbio_reader;

struct lb_problem_file {
    lb_problem *problem;
    lb_figure *figures[LBIO_FIGURES_MOST];
    char *names[LBIO_FIGURES_MOST];  /* of the figures */
    char *specs[LBIO_FIGURES_MOST];  /* JSON that loads each again */
    char *paths[LBIO_FIGURES_MOST];  /* where each was read from */
    char *habits[LBIO_FIGURES_MOST]; /* as the file names them; NULL: none */
    int figure_count;
    double *start;
    lb_motion *motion; /* NULL: none */
    char *motion_spec; /* JSON that reads it again */
    lb_clip **clips;   /* that it plays */
    int clip_count;
    int has_collisions; /* the figures are read with their meshes */
    lb_solve_options options;
    lb_render_options picture;
    char *title;
    int expects;                               /* an lb_outcome, or -1: nothing */
    double expected_value, expected_tolerance; /* value NAN: none */
};

/* --- json_read.c ---------------------------------------------------------------------------------- */

/* The message gets the path ("constraints[2].goal.point") and the line. Returns status. */
lb_status lbio_reader_fail(lbio_reader *r, lb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lbio_enter(lbio_reader *r, const char *key);
void lbio_enter_index(lbio_reader *r, int index);
void lbio_leave(lbio_reader *r);

/* A member, entered: NULL (and not entered) where there is none. */
json_t *lbio_member(lbio_reader *r, const json_t *object, const char *key);
/* Fails unless value is an object with no keys but those in `keys` (ended by NULL). */
lb_status lbio_check_keys(lbio_reader *r, const json_t *value, const char *const *keys);
lb_status lbio_check_list(lbio_reader *r, const json_t *value, int least, int most);

lb_status lbio_json_value(lbio_reader *r, const json_t *value, lbio_unit unit, double *out);
lb_status lbio_json_vector(lbio_reader *r, const json_t *value, lbio_unit unit, int count, double *out);

/* Members that may be missing (then *out stays; *has, if not NULL, is set). */
lb_status lbio_get_value(lbio_reader *r, const json_t *object, const char *key, lbio_unit unit, double least,
                         double most, double *out);
lb_status lbio_get_vector(lbio_reader *r, const json_t *object, const char *key, lbio_unit unit, int count, double *out,
                          int *has);
/* A vector of any length but 0, made a unit vector. */
lb_status lbio_get_direction(lbio_reader *r, const json_t *object, const char *key, double out[3], int *has);
lb_status lbio_get_integer(lbio_reader *r, const json_t *object, const char *key, double least, double most, int *out);
lb_status lbio_get_truth(lbio_reader *r, const json_t *object, const char *key, int *out);
lb_status lbio_get_string(lbio_reader *r, const json_t *object, const char *key, const char **out);
/* One of the names: its index. */
lb_status lbio_get_choice(lbio_reader *r, const json_t *object, const char *key, const char *const *names, int count,
                          int *out);
/* "rpy" or "quaternion" into a rotation. */
lb_status lbio_get_rotation(lbio_reader *r, const json_t *object, double rotation[4], int *has);

/* --- problem_figures.c ----------------------------------------------------------------------------- */

/* The file's figures, from `figure` or `figures`, into the problem. */
lb_status lbio_read_figures(lbio_reader *r, const json_t *root);
/* A copy to be freed; NULL where there is no memory. */
char *lbio_copy_text(const char *text);

/* --- problem_read.c -------------------------------------------------------------------------------- */

/* Splits "anna:right_palm", or "1:right_palm": the figure's number, and the rest. The first figure and all of the name
 * where there is no such figure, or where only the first figure knows the name, colon and all. */
int lbio_split_name(lbio_reader *r, const char *name, const char **rest);
/* A name of a kind that the figure does not have: suggests one. */
lb_status lbio_no_such(lbio_reader *r, int figure, const char *kind, const char *name);
/* A site, or a segment's own frame, of one of the figures. */
typedef struct lbio_place {
    int figure, segment, site; /* site -1: the segment itself */
    lb_frame frame;            /* in the segment's frame */
} lbio_place;
/* By name, as lb_figure_find_place finds it; where it is not found the message has the nearest names. */
lb_status lbio_find_place(lbio_reader *r, const char *name, lbio_place *place);
/* Values by variable over what is in pose. */
lb_status lbio_read_values(lbio_reader *r, const json_t *object, double *pose);
/* Whether text matches a pattern with * and ?. */
int lbio_matches(const char *pattern, const char *text);

/* --- problem_goal.c, problem_support.c ------------------------------------------------------------- */

lb_status lbio_read_constraints(lbio_reader *r, const json_t *list);
/* Weight, priority, tolerances, any_of, from, disabled. */
lb_status lbio_read_manner(lbio_reader *r, const json_t *object, lb_constraint *constraint);
/* faces: room for a polyhedron's, to be freed with free(). */
lb_status lbio_read_goal(lbio_reader *r, const json_t *object, lb_goal *goal, double (**faces)[4]);
lb_status lbio_add(lbio_reader *r, const lb_constraint *constraint);
lb_status lbio_read_support(lbio_reader *r, const json_t *root);
/* problem_collisions.c, problem_collisions_write.c */
lb_status lbio_read_collisions(lbio_reader *r, const json_t *object);
void lbio_put_collisions(lbio_json *json, const lb_problem_file *file);
const char *lbio_collisions_trouble(const lb_problem *problem); /* what cannot be written; NULL: all can */

/* --- problem_body.c --------------------------------------------------------------------------------- */

/* The bodies of all figures: that of the first figure at the top, and those in the entries of figures. */
lb_status lbio_read_bodies(lbio_reader *r, const json_t *root);
/* One `body`. */
lb_status lbio_read_body(lbio_reader *r, int figure, const json_t *object);
/* Whether a file can say it: not two supports of one contact, nor surfaces or contacts that share a name. */
int lbio_can_write_body(const lb_figure *figure, const lb_body_options *options);
void lbio_put_body(lbio_json *json, const lb_figure *figure, const lb_body_options *options, const char *habit);
/* `habit` of a body: a weight, a file, or both. */
lb_status lbio_read_habit(lbio_reader *r, const json_t *body, int figure, double *weight);
void lbio_put_habit(lbio_json *json, const char *file, double weight);

/* How files call an lb_foot_mode. */
extern const char *const lbio_foot_modes[4];
/* The index that a track of a foot or a support takes (lb_drive_target), by its name; -1, with a message, where there
 * is none. */
int lbio_find_foot(lbio_reader *r, const char *name);
int lbio_find_support(lbio_reader *r, const char *name);

/* What became of the bodies at the last answer of a solver: `body`, or where there are several figures `bodies` by
 * their names. Nothing is written where the solver is NULL. */
/* One body under a key: contacts, balance, efforts, terms. */
void lbio_put_body_result(lbio_json *json, const char *key, const lb_body *body, const lb_body_result *result);
void lbio_put_body_results(lbio_json *json, const lb_problem_file *file, const lb_solver *solver);

/* --- problem_motion.c -------------------------------------------------------------------------------- */

lb_status lbio_read_motion(lbio_reader *r, const json_t *object);
/* A figure by its name; -1 where there is none, with the status set. */
int lbio_find_figure(lbio_reader *r, const char *name);
/* problem_clip.c: one of the motion's clips. */
lb_status lbio_read_clip(lbio_reader *r, const json_t *object);

#endif
