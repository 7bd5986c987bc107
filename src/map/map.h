/* Maps, from the inside.
 *
 *     map_options.c  what is asked, checked; as text; where cells and chunks are
 *     map_orient.c   rotations that are spread evenly
 *     map_setup.c    the problem of one thread: what moves, from which pose, which constraints
 *     map_prove.c    what can be said without a search: out of reach
 *     map_cell.c     one chunk: sweeps of solves from neighbour to neighbour
 *     map_measure.c  what a pose is worth: margin, manipulability, effort
 *     map_make.c     all chunks, and the file
 *     map_write.c    the HDF5 file, written
 *     map_read.c     the HDF5 file, read and not trusted
 *     map_query.c    questions to a map
 *     map_place.c    where the base should stand
 */
#ifndef LIMBER_MAP_MAP_H
#define LIMBER_MAP_MAP_H

#include "io/text.h"
#include "map/api.h"
#include <limber/reach.h>

/* The largest number of cells and of frames of a map that is read or made; counts of chunks and frames fit into 64
 * bits. */
#define LBMAP_MOST_CELLS ((int64_t)1 << 40)
#define LBMAP_MOST_SIDE 1000000

/* --- Where cells and chunks are ------------------------------------------------------------------------ */

/* Cells are numbered with x fastest. A chunk is a cube of `block` cells a side, or `block` points of a list, cut off at
 * the end of the map; chunks are numbered as cells are. */
typedef struct lbmap_layout {
    int is_grid;
    int64_t shape[3]; /* cells along x, y, z; of a list: count, 1, 1 */
    double origin[3]; /* middle of the first cell */
    double spacing;
    int64_t cell_count;
    int orientation_count; /* frames of a cell, at least 1 */
    int block;
    int64_t blocks[3];
    int64_t chunk_count;
} lbmap_layout;

/* The cells of a chunk: from first to first + size along each axis. */
typedef struct lbmap_block {
    int64_t first[3];
    int size[3];
    int count; /* cells */
} lbmap_block;

void lbmap_chunk_block(const lbmap_layout *layout, int64_t chunk, lbmap_block *block);
/* The number of cell (x, y, z) of a block in the map. */
int64_t lbmap_block_cell(const lbmap_layout *layout, const lbmap_block *block, int cell);

/* --- What is asked ---------------------------------------------------------------------------------------- */

/* How long a frame takes: microseconds (the arm engine), milliseconds (method lm), or a tenth of a second (bodies). */
typedef enum lbmap_pace { LBMAP_PACE_ARM, LBMAP_PACE_GENERAL, LBMAP_PACE_BODY } lbmap_pace;

/* A map that is made: shared by all threads, which do not change it. */
typedef struct lbmap_plan {
    lb_map_options options; /* whole; its texts are the caller's */
    const char *figure;     /* path */
    const char *problem;    /* members of a problem as JSON, or NULL */
    lbmap_layout layout;
    double (*rotations)[4]; /* [orientation_count]; NULL: the position alone, or those of the list */
    int has_orientations;
    const char *sites[LB_MAP_MOST_SITES];
    int site_count;
    char *site_text; /* their names, with commas */
    char *figure_name;
    char *figure_text; /* FIG */
    size_t figure_size;
    uint64_t figure_hash;
    lbio_text description; /* the options as JSON */
    uint64_t identity;
    int variable_count;
    char *variable_names; /* each with a 0 behind it */
    size_t names_size;
    double *base_pose;
    lb_reach *reaches[LB_MAP_MOST_SITES]; /* workspaces of the sites; NULL: none */
} lbmap_plan;

lb_status lbmap_take_options(const lb_map_options *given, lb_map_options *options, lb_error *error);
/* The grid or list of the options, whose region is not LB_MAP_REGION_AUTO any more. */
lb_status lbmap_lay_out(const lb_map_options *options, lbmap_pace pace, lbmap_layout *layout, lb_error *error);
/* The options as JSON. */
void lbmap_describe_options(const lbmap_plan *plan, lbio_text *text);
/* The frame that site number `site` is asked to be at. Returns 0 where the cell is not asked about. */
int lbmap_goal(const lbmap_plan *plan, int64_t cell, int orientation, int site, lb_frame *goal);
/* The middle of a cell. */
void lbmap_cell_middle(const lbmap_plan *plan, int64_t cell, double middle[3]);

/* Writes `count` rotations that are spread evenly; axis >= 0: their x axes are directions that are spread evenly. */
void lbmap_spread(int count, int axis, double (*rotations)[4]);

/* --- The problem of one thread ------------------------------------------------------------------------------ */

typedef struct lbmap_setup {
    lb_problem_file *file;
    lb_problem *problem;
    const lb_figure *figure;
    int variable_count; /* of the figure, which is the problem's only one */
    int is_body;        /* it is posed as a body */
    int is_arm;         /* the arm engine serves it: some microseconds a frame */
    int site_count;
    const char *sites[LB_MAP_MOST_SITES]; /* names */
    char site_name[256];                  /* of a site that was chosen by itself */
    lb_effector effectors[LB_MAP_MOST_SITES];
    int ids[LB_MAP_MOST_SITES];
    unsigned char *moves; /* [variable]: whether it may move */
    double *start;        /* the base pose */
} lbmap_setup;

/* Reads the figure, finds the base pose, and adds a constraint for each site. */
lb_status lbmap_setup_create(const char *figure, const char *problem, const lb_map_options *options, lbmap_setup *setup,
                             lb_error *error);
void lbmap_setup_destroy(lbmap_setup *setup);

/* --- A thread's work ------------------------------------------------------------------------------------------ */

/* What a pose is worth. */
typedef struct lbmap_worth {
    double distance, angle; /* by which the goals are missed: metres, radians */
    double margin, manipulability, effort;
} lbmap_worth;

typedef struct lbmap_measure lbmap_measure;
lbmap_measure *lbmap_measure_create(const lbmap_plan *plan, const lbmap_setup *setup, lb_error *error);
void lbmap_measure_destroy(lbmap_measure *measure);
/* By how much a pose misses goals [site_count], by forward kinematics. */
void lbmap_measure_miss(lbmap_measure *measure, const double *pose, const lb_frame *goals, lbmap_worth *worth);
/* The distance of the nearest end of a range, as a part of half the range. */
double lbmap_measure_margin(const lbmap_measure *measure, const double *pose);
/* The rest, of the pose that was given last. */
void lbmap_measure_worth(lbmap_measure *measure, lbmap_worth *worth);

typedef struct lbmap_prover lbmap_prover;
lbmap_prover *lbmap_prover_create(const lbmap_plan *plan, const lbmap_setup *setup, lb_error *error);
void lbmap_prover_destroy(lbmap_prover *prover);
/* Whether it is proved that goals [site_count] cannot be met; *distance is a lower bound of the metres that are
 * missing. */
int lbmap_prove_outside(lbmap_prover *prover, const lb_frame *goals, double *distance);
/* Whether a closed form decides frames by itself; then lbmap_prove_closed finds a pose (1), or proves that there is
 * none (-1), or cannot tell (0). */
int lbmap_prover_is_closed(const lbmap_prover *prover);
int lbmap_prove_closed(lbmap_prover *prover, const lb_frame *goal, double *pose);

typedef struct lbmap_worker lbmap_worker;
lbmap_worker *lbmap_worker_create(const lbmap_plan *plan, lb_error *error);
void lbmap_worker_destroy(lbmap_worker *worker);
/* Appends the record of a chunk. */
lb_status lbmap_run_chunk(lbmap_worker *worker, int64_t chunk, lbio_text *record, lb_error *error);

/* --- Records: what a chunk of `count` cells has found, one array behind the other ------------------------------ */

typedef enum lbmap_field {
    LBMAP_FIELD_MISSING,
    LBMAP_FIELD_MISSING_RAD,
    LBMAP_FIELD_MARGIN,
    LBMAP_FIELD_MANIPULABILITY,
    LBMAP_FIELD_EFFORT,
    LBMAP_FIELDS
} lbmap_field;

extern const char *const lbmap_field_names[LBMAP_FIELDS];

typedef struct lbmap_record {
    unsigned char *frames; /* [count][orientation_count]: lb_map_state */
    float *fields;         /* [LBMAP_FIELDS][count] */
    double *poses;         /* [count][variable_count]; NULL where none are kept */
} lbmap_record;

/* The size of the record of a chunk of so many cells, and its arrays in memory of that size, which is aligned as
 * doubles. */
size_t lbmap_record_size(const lbmap_plan *plan, int count);
void lbmap_record_at(const lbmap_plan *plan, int count, void *memory, lbmap_record *record);

/* --- Files --------------------------------------------------------------------------------------------------------- */

/* Where records of chunks come from. */
typedef lb_status (*lbmap_read_chunk)(void *context, int64_t chunk, lbio_text *record, lb_error *error);

/* Writes the file at `path`, at which there is nothing yet; `name` stands for it in messages. */
lb_status lbmap_write(const lbmap_plan *plan, const char *path, const char *name, lbmap_read_chunk read, void *context,
                      lb_error *error);

struct lb_map {
    lbmap_layout layout;
    int has_orientations;
    int starts;
    char *path;
    char *figure_name, *site_text, *options;
    uint64_t figure_hash;
    lb_figure *figure;
    int variable_count;
    double *base_pose;
    double (*points)[3];    /* of a list */
    double (*rotations)[4]; /* [orientation_count], or of a list with rotations [cell_count]; NULL: none */
    unsigned char *frames;  /* [cell_count][orientation_count] */
    unsigned char *states;  /* [cell_count] */
    float *fields;          /* [LBMAP_FIELDS][cell_count] */
    double *poses;          /* [cell_count][variable_count]; NULL: none */
    int64_t state_counts[4], frame_counts[4];
};

/* The cell of a grid that a point is in; -1: none. */
int64_t lbmap_find_cell(const lb_map *map, const double point[3]);
/* The state of a cell with frames in these states. */
lb_map_state lbmap_cell_state(const unsigned char *frames, int count, int counts[4]);

#endif
