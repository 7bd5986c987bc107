/*
 * Limber's maps: where a site of a figure can go (docs/maps.md).
 *
 * A map has cells, on a grid or in a list, and asks at each of them, in one or more orientations: can the site be
 * there? The answer is one of three, and they are never mixed up: reached (a pose was found and verified), outside (it
 * is proved that there is none), unfound (no pose was found from so many starts, which proves nothing). Maps are HDF5
 * files (docs/map-files.md). A library that was built without HDF5 refuses all calls that need a file with
 * LB_ERROR_UNSUPPORTED.
 *
 *     lb_map_options options;
 *     lb_map_options_defaults(&options);
 *     options.spacing = 0.05;
 *     lb_map_make("models/panda.fig", NULL, &options, "panda.h5", &error);
 *     lb_map *map = lb_map_load("panda.h5", &error);
 *     lb_map_cell cell;
 *     lb_map_query(map, (double[]){0.4, 0, 0.4}, &cell, &error);
 */
#ifndef LIMBER_MAP_API_H
#define LIMBER_MAP_API_H

#include <limber/io.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_MAP_VERSION 1 /* of the files that are written; later ones are refused */
#define LB_MAP_MOST_ORIENTATIONS 4096
#define LB_MAP_MOST_SITES 4

/* What is known of a frame, and of a cell. Of a cell with several orientations: reached where one of them is, outside
 * where all of them are, else unfound. */
typedef enum lb_map_state {
    LB_MAP_STATE_NONE,    /* not asked: a cell of the grid outside of the sphere */
    LB_MAP_STATE_REACHED, /* a pose inside the limits was found, and verified by forward kinematics */
    LB_MAP_STATE_OUTSIDE, /* proved out of reach */
    LB_MAP_STATE_UNFOUND  /* no pose was found from the map's number of starts */
} lb_map_state;

const char *lb_map_state_name(lb_map_state state); /* "none", "reached", "outside", "unfound" */

/* Where cells are. */
typedef enum lb_map_region {
    LB_MAP_REGION_AUTO,   /* a box around all that the chain's length allows; the default */
    LB_MAP_REGION_BOX,    /* lower to upper */
    LB_MAP_REGION_SPHERE, /* the cells of a grid whose middles are within radius of center */
    LB_MAP_REGION_POINTS  /* a list of frames, or of points */
} lb_map_region;

typedef struct lb_map_progress {
    int64_t done, before, count; /* chunks: computed, of these by earlier runs, all */
    double seconds;              /* since this run began */
    int64_t frames;              /* goals in all chunks */
    int is_last;                 /* 1: the last call */
} lb_map_progress;

/* What can be asked of a map. */
typedef struct lb_map_options {
    size_t struct_size;       /* set by lb_map_options_defaults */
    int site_count;           /* default 0: the site `tool`, or that of the only leaf */
    const char *const *sites; /* [site_count]: sites or segments that are to be at the cell together, as two hands */
    double gap;               /* metres between several sites, which are side by side along y; default 0.2 */
    const char
        *with; /* names or patterns of joints, groups and variables that may move besides the site's own limb, with
                         commas; "all": everything. NULL (default): the limb alone where the root is free, else everything */
    lb_map_region region;
    double lower[3], upper[3]; /* of the box */
    double center[3], radius;  /* of the sphere */
    int64_t point_count;       /* of the list */
    const lb_frame *points;    /* [point_count] */
    int has_rotations;         /* the rotations of the list count; default 0 */
    double spacing;            /* of cells, metres; default 0.05 */
    int orientations; /* number of rotations that are asked for at each cell, spread evenly; 0 (default): the position alone */
    int axis;         /* 0, 1 or 2: only the direction of this axis of the site counts, and the turn about it is free;
                         -1 (default): whole rotations */
    int starts;       /* after so many without an answer a frame is unfound; 0 (default): 80 of arms that the arm engine
                         serves, else 16, of bodies 1 */
    uint64_t seed;    /* of random starts; default 1 */
    double tolerance; /* metres; default 1e-5 */
    double tolerance_rad; /* default 1e-5 */
    int has_poses;        /* 1: the map keeps a pose for each cell that is reached; default 0 */
    int has_effort;     /* 1: the norm of the torques that gravity asks for; default 0. Bodies have their term of effort
                             anyway */
    int has_no_proofs;  /* 1: search also where it is proved to be in vain, which checks the proofs; default 0 */
    int threads;        /* default 1 */
    int is_resumed;     /* 1: go on with what an interrupted run has left, or begin; default 0 */
    int is_forced;      /* 1: an existing file is replaced; default 0 */
    double stature;     /* > 0: a figure that has a stature is scaled to this one, metres; default 0 */
    const char *models; /* folder whose .fig files may be named without path and ending; NULL (default): none */
    void (*on_progress)(void *context, const lb_map_progress *progress); /* NULL (default): none */
    void *progress_context;                                              /* given to on_progress */
} lb_map_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_map_options_defaults calls it. */
void lb_map_options_defaults_sized(lb_map_options *options, size_t struct_size);
static inline void lb_map_options_defaults(lb_map_options *options) {
    lb_map_options_defaults_sized(options, sizeof *options);
}

typedef enum lb_map_ending {
    LB_MAP_ENDING_DONE,        /* the file is written */
    LB_MAP_ENDING_HELPED,      /* another rank of mpirun writes it */
    LB_MAP_ENDING_INTERRUPTED, /* by a signal: is_resumed goes on */
    LB_MAP_ENDING_FAILED
} lb_map_ending;

/* Makes a map of a figure's file, or of a model. problem NULL, or members of a problem file as JSON text, as in
 * "\"start\": {\"joint1\": 1}" (docs/problem-files.md): where the figure stands, its body. */
lb_map_ending lb_map_make(const char *figure, const char *problem, const lb_map_options *options, const char *path,
                          lb_error *error);

/* A map in memory. It does not change; threads may share it. */
typedef struct lb_map lb_map;

lb_map *lb_map_load(const char *path, lb_error *error);
void lb_map_destroy(lb_map *map); /* NULL is fine */

/* What a map is of. Texts belong to the map. */
typedef struct lb_map_info {
    size_t struct_size;    /* set by lb_map_info_defaults */
    const char *figure;    /* name of the figure */
    uint64_t figure_hash;  /* of its text */
    const char *sites;     /* names, with commas */
    const char *options;   /* as JSON text */
    int is_grid;           /* 0: a list of points */
    int64_t shape[3];      /* of a grid: number of cells along x, y and z; of a list shape[0] alone counts */
    double origin[3];      /* middle of the first cell */
    double spacing;        /* metres */
    int orientation_count; /* at each cell; 1 where the position alone was asked for */
    int has_orientations;  /* 0: the position alone */
    int starts;            /* that a frame was tried from before it was unfound */
    int variable_count;
    int has_poses;
    int64_t cell_count;      /* all */
    int64_t states[4];       /* number of cells by lb_map_state */
    int64_t frame_states[4]; /* number of frames by lb_map_state */
} lb_map_info;

void lb_map_info_defaults_sized(lb_map_info *info, size_t struct_size);
static inline void lb_map_info_defaults(lb_map_info *info) { lb_map_info_defaults_sized(info, sizeof *info); }
lb_status lb_map_describe(const lb_map *map, lb_map_info *info);
/* The figure that the map is of, and the pose that it stood in; both belong to the map. */
const lb_figure *lb_map_figure(const lb_map *map);
const double *lb_map_base_pose(const lb_map *map);

typedef struct lb_map_cell {
    int64_t index;
    double position[3]; /* its middle */
    lb_map_state state;
    int reached, outside, unfound; /* orientations by state */
    double
        missing; /* metres: of a cell that is reached 0; that is outside: at least this far; that is unfound: of the nearest
                       pose that was found */
    double missing_rad; /* the same for the rotation */
    double
        margin; /* of the best pose: distance of the nearest limit as a part of half the range, 0 to 1; NAN where none */
    double manipulability; /* of the best pose: square root of det(J J'); NAN where none */
    double effort;         /* of the best pose; NAN where none or not asked for */
} lb_map_cell;

/* A cell by its number, from 0 to cell_count - 1: x runs fastest. */
lb_status lb_map_get(const lb_map *map, int64_t index, lb_map_cell *cell);
/* The cell that a point is in (of a list: the nearest point). LB_ERROR_ARGUMENT where the point is outside of the
 * grid. */
lb_status lb_map_query(const lb_map *map, const double point[3], lb_map_cell *cell, lb_error *error);
/* The state of a frame: orientation number `orientation` of a cell. */
lb_map_state lb_map_frame(const lb_map *map, int64_t index, int orientation);
/* The rotation that an orientation's number stands for, as a quaternion. */
lb_status lb_map_orientation(const lb_map *map, int orientation, double rotation[4]);
/* The pose of a cell that is reached, to pose[variable_count]. LB_ERROR_UNSUPPORTED where the map has none. */
lb_status lb_map_pose(const lb_map *map, int64_t index, double *pose);

/* How two maps of the same cells differ. */
typedef struct lb_map_difference {
    int64_t counts[4][4];          /* cells by their lb_map_state in the first and in the second map */
    int64_t frames[4][4];          /* the same of frames */
    double volume[2];              /* cubic metres that are reached; of lists 0 */
    double margin, manipulability; /* mean of the second less that of the first, over cells that both reach */
    int64_t contradictions;        /* frames that one map reaches and the other proves to be out of reach */
} lb_map_difference;

/* LB_ERROR_ARGUMENT where the maps have other cells or orientations. */
lb_status lb_map_compare(const lb_map *first, const lb_map *second, lb_map_difference *difference, lb_error *error);

/* A place for the base: where it stands on the floor, and which way it looks. */
typedef struct lb_map_placement {
    double position[3]; /* of the base, as the frames are given */
    double heading_rad; /* turn about z */
    int reached;        /* number of the frames that are reached */
    double score;       /* reached + mean of the cells' share of orientations, below 1 */
} lb_map_placement;

typedef struct lb_map_place_options {
    size_t struct_size; /* set by lb_map_place_options_defaults */
    double spacing;     /* of places, metres; 0 (default): that of the map */
    int headings;       /* number of turns about z that are tried; default 24 */
    double height;      /* of the base above the frames' origin; default 0 */
    int has_rotations;  /* the frames' rotations count; default 0 */
    int wanted;         /* number of placements in the ranked list; default 10 */
    double apart;       /* metres between two of the list; 0 (default): 4 spacings */
} lb_map_place_options;

void lb_map_place_options_defaults_sized(lb_map_place_options *options, size_t struct_size);
static inline void lb_map_place_options_defaults(lb_map_place_options *options) {
    lb_map_place_options_defaults_sized(options, sizeof *options);
}

/* The best place at each point of a grid on the floor: placements[shape[1]][shape[0]]. */
typedef struct lb_map_places {
    int shape[2];
    double origin[2], spacing;
    lb_map_placement *placements; /* freed by lb_map_places_free */
    int ranked_count;
    lb_map_placement *ranked; /* the best first; part of the same memory */
} lb_map_places;

/* Where the base should stand so that these frames are reached best. */
lb_status lb_map_place(const lb_map *map, const lb_frame *frames, int count, const lb_map_place_options *options,
                       lb_map_places *places, lb_error *error);
void lb_map_places_free(lb_map_places *places);

/* How a map is drawn. */
typedef struct lb_map_picture {
    int width, height; /* pixels; default 1200 and 960 */
    int has_at;        /* 1: the slices go through `at`; default 0: through the middle of what is reached */
    double at[3];
    int has_camera; /* 1: azimuth_deg and elevation_deg count; default 0 */
    double azimuth_deg, elevation_deg;
    const char *title;        /* NULL (default): made of the figure's and the site's name */
    lb_picture_format format; /* default: by the path's ending */
} lb_map_picture;

void lb_map_picture_defaults(lb_map_picture *options);
/* Draws a map: the figure with the surface around what it reaches, and three slices. options may be NULL. */
lb_status lb_map_render(const lb_map *map, const lb_map_picture *options, const char *path, lb_error *error);
/* Writes the surface around what is reached as a mesh: .ply, its vertices coloured by the cells, or .glb, with the
 * figure in it. */
lb_status lb_map_save_mesh(const lb_map *map, const char *path, lb_error *error);
/* The same to memory, as GLB; *data is freed with lb_text_free. */
lb_status lb_map_save_glb(const lb_map *map, char **data, size_t *size, lb_error *error);
int lb_map_is_mesh(const char *path); /* whether the ending is that of a mesh */
/* Draws places as a map of the floor, the frames and the ranked list in it: PNG, SVG or PDF by the path's ending. */
lb_status lb_map_draw_places(const lb_map *map, const lb_map_places *places, const lb_frame *frames, int count,
                             const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
