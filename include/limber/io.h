/*
 * Limber's files: figures in and out, and pictures. Needs the io layer (LIMBER_IO=ON, the default).
 *
 * Readers never trust a file: sizes, depths and counts are capped, numbers are read in the C locale, and what is wrong
 * comes back as file:line: what is wrong, what to do. Folders, pipes and devices are refused, but for standard input and
 * a shell's <(...). Writers write beside the target and then rename, and remove what killed ones left there.
 */
#ifndef LIMBER_IO_H
#define LIMBER_IO_H

#include <limber/limber.h>
#include <limber/motion.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_format {
    LB_FORMAT_UNKNOWN,
    LB_FORMAT_FIG,  /* Peabody figures, Limber's own: docs/fig.md */
    LB_FORMAT_URDF, /* in and out */
    LB_FORMAT_MJCF, /* in */
    LB_FORMAT_BVH,  /* skeletons and motion, in and out */
    LB_FORMAT_GLTF  /* glTF 2.0: .glb, .gltf, .vrm, .vrma in, .glb and .gltf out; with motion: docs/gltf.md */
} lb_format;

typedef struct lb_load_options {
    lb_format format;      /* LB_FORMAT_UNKNOWN (default): from the file's name, then from its content */
    size_t max_bytes;      /* default 64 MiB */
    double stature;        /* metres; > 0: scale a figure that has a stature to this one (masses by its square) */
    double bvh_unit;       /* metres per length unit of a BVH file; default 0.01 */
    int anatomical_limits; /* glTF: 1: joints of a person, recognised by their bones' names, get a human's limits */
    const char *animation; /* glTF clips: its name, or its number as text; NULL: the first */
    double frame_time;     /* glTF clips: seconds; 0 (default): the least distance of the file's keys */
    int follow_includes;   /* MJCF: read <include> files inside the file's own folder; default 1 */
    const char *models; /* problem files: a folder whose .fig files may be named without path or ending; NULL: none */
    const lb_allocator *allocator;                        /* NULL: the C library's */
    void (*warn)(void *context, const lb_error *warning); /* called for what was understood but is odd; may be NULL */
    void *warn_context;
} lb_load_options;

LB_API void lb_load_options_defaults(lb_load_options *options);

/* Reads a figure. path "-" is standard input (then a format, or content that tells it). "chain:N" makes a chain of N
 * joints of 0.1 m without a file. options and error may be NULL. */
LB_API lb_status lb_figure_load(const char *path, const lb_load_options *options, lb_figure **figure, lb_error *error);
/* The same from memory; `name` stands for the file in messages. */
LB_API lb_status lb_figure_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                       lb_figure **figure, lb_error *error);

typedef struct lb_save_options {
    lb_format format;   /* LB_FORMAT_UNKNOWN (default): from the file's name */
    double bvh_unit;    /* metres per length unit written to BVH; default 0.01 */
    const double *pose; /* NULL: the rest pose; what a format without rest values is written in (BVH frame, GLB) */
    void (*warn)(void *context, const lb_error *warning); /* what the format cannot say and was left out */
    void *warn_context;
} lb_save_options;

LB_API void lb_save_options_defaults(lb_save_options *options);
/* Writes a figure. path "-" is standard output. */
LB_API lb_status lb_figure_save(const lb_figure *figure, const char *path, const lb_save_options *options,
                                lb_error *error);
/* The same to memory: *text is NUL-terminated, to be freed with lb_text_free. */
LB_API lb_status lb_figure_save_memory(const lb_figure *figure, const lb_save_options *options, char **text,
                                       size_t *size, lb_error *error);
LB_API void lb_text_free(char *text);

/* Reads a figure with its motion (BVH, glTF); *clip is NULL where the file has none, or its format cannot. Both belong to the
 * caller; the figure goes after the clip. */
LB_API lb_status lb_clip_load(const char *path, const lb_load_options *options, lb_figure **figure, lb_clip **clip,
                              lb_error *error);
LB_API lb_status lb_clip_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                     lb_figure **figure, lb_clip **clip, lb_error *error);
/* Writes a figure with its motion (BVH, or a GLB of its own). path "-" is standard output, then the options need a format. */
LB_API lb_status lb_clip_save(const lb_clip *clip, const char *path, const lb_save_options *options, lb_error *error);

/* --- glTF characters (docs/gltf.md) --------------------------------------------------------------- */

/* The names of a glTF file's animations, each with a newline behind it ("" for one without a name), to be freed with
 * lb_text_free. */
LB_API lb_status lb_gltf_animations(const char *path, const lb_load_options *options, char **names, lb_error *error);
/* Writes the file `source` again, in a pose of the figure that was read from it: only the transforms of nodes that
 * turned or moved are changed, all else stays byte for byte. Nodes are found by the names of the figure's segments. */
LB_API lb_status lb_gltf_save_pose(const char *source, const lb_figure *figure, const double *pose, const char *path,
                                   const lb_save_options *options, lb_error *error);
/* The same with an animation added to those that the file has. name NULL: "limber". */
LB_API lb_status lb_gltf_save_animation(const char *source, const lb_clip *clip, const char *name, const char *path,
                                        const lb_save_options *options, lb_error *error);
/* The same in memory, for files without others beside them: *out is to be freed with lb_text_free. */
LB_API lb_status lb_gltf_pose_memory(const void *data, size_t size, const lb_figure *figure, const double *pose,
                                     char **out, size_t *out_size, lb_error *error);
LB_API lb_status lb_gltf_animation_memory(const void *data, size_t size, const lb_clip *clip, const char *name,
                                          char **out, size_t *out_size, lb_error *error);

/* The segment of models/human.fig that a bone of this name is ("mixamorig:LeftUpLeg" is "left_thigh"); NULL: none.
 * Bones that the model lacks are named in its manner: left_index_end, left_thumb_middle, neck_top, jaw. */
LB_API const char *lb_human_name(const char *name);
/* The same for all segments of a figure, each name given once: what a bone's name means follows from the others too.
 * names[segment_count]; returns how many are not NULL, or a negative status. */
LB_API int lb_figure_human_names(const lb_figure *figure, const char **names);
/* Which segments of two figures are the same parts of a body, by their names, for lb_retarget. */
LB_API lb_status lb_body_map_human(const lb_figure *source, const lb_figure *target, lb_body_map *map);

LB_API lb_format lb_format_from_path(const char *path);
LB_API const char *lb_format_name(lb_format format); /* "fig", "urdf", ... */

/* --- Pictures (PNG, SVG, PDF by the path's ending) ------------------------------------------------ */

typedef enum lb_picture_format {
    LB_PICTURE_FORMAT_BY_NAME, /* from the path's ending (default); "-" is PNG */
    LB_PICTURE_FORMAT_PNG,
    LB_PICTURE_FORMAT_SVG,
    LB_PICTURE_FORMAT_PDF
} lb_picture_format;

typedef enum lb_view { LB_VIEW_THREE_QUARTER, LB_VIEW_FRONT, LB_VIEW_SIDE, LB_VIEW_TOP, LB_VIEW_BACK } lb_view;

typedef struct lb_render_options {
    int width, height;    /* pixels (PNG), points (SVG, PDF), 32 to 16384 and 64 million in all; default 800 x 600 */
    int view_count;       /* 1 to 4, side by side; default 1 */
    lb_view views[4];     /* default three-quarter */
    int has_camera;       /* 1: azimuth, elevation below instead of views[0] */
    double azimuth_deg;   /* 0 looks along -x at the figure's front, 90 from its left (+y) */
    double elevation_deg; /* above the horizon */
    double zoom;          /* default 1: the figure fills the picture */
    int perspective;      /* default 1; 0: orthographic */
    int show_shapes;      /* default 1 */
    int show_joints;      /* default 1 */
    int show_sites;       /* default 0 */
    int show_labels;      /* default 0: names of joints (and sites, if shown) */
    int show_limits;      /* default 0: arcs, cones and polygons */
    int show_ground;      /* default 1 */
    int show_com;         /* default 0: the centre of mass and where it stands */
    int show_scale;       /* default 0: a bar of a round length */
    int dark;             /* default 0 */
    int has_bounds;       /* 1: the picture shows this box of the world, whatever is in it: frames of one film */
    double lower[3], upper[3];
    const char *title; /* NULL: none */
    lb_picture_format format;
} lb_render_options;

LB_API void lb_render_options_defaults(lb_render_options *options);
/* The format that a path's ending asks for; LB_PICTURE_FORMAT_BY_NAME where it asks for none of them. */
LB_API lb_picture_format lb_picture_format_from_path(const char *path);
/* Draws the figure in a pose (NULL: rest), which need not be inside the limits. path "-" is standard output. Segments
 * without shapes are drawn as sticks. The same input gives the same bytes. options and error may be NULL. */
LB_API lb_status lb_figure_render(const lb_figure *figure, const double *pose, const char *path,
                                  const lb_render_options *options, lb_error *error);

/* Several figures in one picture, with marks for what is asked of them. */
typedef enum lb_marker_kind {
    LB_MARKER_POINT, /* a target at frame.position */
    LB_MARKER_FRAME, /* a target with three axes */
    LB_MARKER_LINE,  /* from frame.position to `to` */
    LB_MARKER_SHAPE  /* a solid: shape's kind and size, at frame */
} lb_marker_kind;

typedef struct lb_marker {
    lb_marker_kind kind;
    lb_frame frame; /* in the world */
    double to[3];
    lb_shape shape;   /* its segment and frame are not used */
    int is_met;       /* targets: green instead of red */
    const char *name; /* shown with the labels; may be NULL */
} lb_marker;

/* poses[i] may be NULL: rest. */
LB_API lb_status lb_scene_render(int figure_count, const lb_figure *const *figures, const double *const *poses,
                                 int marker_count, const lb_marker *markers, const char *path,
                                 const lb_render_options *options, lb_error *error);

/* --- Problems and results (docs/problem-files.md) ------------------------------------------------- */

typedef struct lb_problem_file lb_problem_file;

/* Reads a problem with its figures. path "-" is standard input. Figures' paths start at the problem file's folder. */
LB_API lb_status lb_problem_load(const char *path, const lb_load_options *options, lb_problem_file **file,
                                 lb_error *error);
/* The same from memory; figures can be options->models and chain:N only. */
LB_API lb_status lb_problem_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                        lb_problem_file **file, lb_error *error);
LB_API void lb_problem_file_destroy(lb_problem_file *file); /* with its problem and figures; NULL is fine */
/* What was read; it belongs to the file. The problem may be changed. */
LB_API lb_problem *lb_problem_file_problem(lb_problem_file *file);
LB_API const double *lb_problem_file_start(const lb_problem_file *file); /* inside the limits */
/* What changes over time, from the start pose on; NULL where the file has no `motion`. */
LB_API const lb_motion *lb_problem_file_motion(const lb_problem_file *file);
LB_API const lb_solve_options *lb_problem_file_options(const lb_problem_file *file);
LB_API const lb_render_options *lb_problem_file_picture(const lb_problem_file *file);
LB_API const char *lb_problem_file_title(const lb_problem_file *file);                   /* "" where it has none */
LB_API const char *lb_problem_file_figure_name(const lb_problem_file *file, int figure); /* as in prefixes */
/* What the file's `expect` says: an lb_outcome, or -1 where it says nothing; *value is NAN where it has none. */
LB_API int lb_problem_file_expects(const lb_problem_file *file, double *value, double *tolerance);

/* Writes the problem as it is now, with this start pose (NULL: the file's own) and options (NULL: likewise), so that
 * reading gives it back: figures by the paths they were read from. Goals of the caller's own (LB_GOAL_CUSTOM) cannot be
 * written. */
LB_API lb_status lb_problem_save(const lb_problem_file *file, const double *start, const lb_solve_options *options,
                                 const char *path, lb_error *error);
/* Writes a result as JSON. path "-" is standard output. time_us < 0: not known. The pose is the answer. */
LB_API lb_status lb_result_save(const lb_problem_file *file, lb_method method, const double *pose,
                                const lb_result *result, double time_us, const char *path, lb_error *error);

/* --- Scripts: SCEFO, the language of BAGS (docs/scefo.md) ------------------------------------------- */

typedef struct lb_script lb_script;

/* Reads a script with all that it includes; path "-" is standard input, from where nothing can be included. */
LB_API lb_status lb_script_load(const char *path, const lb_load_options *options, lb_script **script, lb_error *error);
LB_API lb_status lb_script_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                       lb_script **script, lb_error *error);
LB_API void lb_script_destroy(lb_script *script); /* with its figures, problems and motion; NULL is fine */
/* What it plays: each stage's problem has a figure for each linkage, named after it, and one for each other object. */
LB_API const lb_motion *lb_script_motion(const lb_script *script);

#ifdef __cplusplus
}
#endif

#endif
