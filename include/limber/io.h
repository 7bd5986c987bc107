/*
 * Limber's files: figures in and out, and pictures. Needs the io layer (LIMBER_IO=ON, the default).
 *
 * Readers never trust a file: sizes, depths and counts are capped, numbers are read in the C locale, and an error says
 * the file, the line, what is wrong and what to do. Folders, pipes and devices are refused, except standard input and
 * the pipes that a shell makes for <(command). Writers write to a file beside the target and then rename it; they
 * remove files that a writer left there when it was killed.
 *
 * All functions take an lb_error last; it and options may be NULL.
 */
#ifndef LIMBER_IO_H
#define LIMBER_IO_H

#include <limber/body.h>
#include <limber/limber.h>
#include <limber/motion.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_format {
    LB_FORMAT_UNKNOWN,
    LB_FORMAT_FIG,  /* Limber's own format, after Peabody's figures; read and written: docs/fig.md */
    LB_FORMAT_URDF, /* read and written: docs/urdf.md */
    LB_FORMAT_MJCF, /* read: docs/mjcf.md */
    LB_FORMAT_BVH,  /* skeletons and motion, read and written: docs/bvh.md */
    LB_FORMAT_GLTF  /* glTF 2.0 with motion; .glb, .gltf, .vrm and .vrma read, .glb and .gltf written: docs/gltf.md */
} lb_format;

typedef enum lb_bvh_up { LB_BVH_UP_AUTO, LB_BVH_UP_Y, LB_BVH_UP_Z } lb_bvh_up;

/* Which limits the joints of a figure get. */
typedef enum lb_limits {
    LB_LIMITS_FILE,       /* those of the file */
    LB_LIMITS_AUTO,       /* those of the file; joints of a person that have none get a human's */
    LB_LIMITS_ANATOMICAL, /* joints of a person get a human's, whatever the file says */
    LB_LIMITS_NONE,       /* joints of a person get none */
    LB_LIMITS_AS_POSED    /* LB_LIMITS_AUTO for a person who is posed as a body, else LB_LIMITS_FILE */
} lb_limits;

/* What carries the root of a figure. */
typedef enum lb_base {
    LB_BASE_FILE,  /* what the file says */
    LB_BASE_PLANAR /* a base that drives in the plane: lb_figure_on_plane */
} lb_base;

typedef struct lb_load_options {
    size_t struct_size; /* set by lb_load_options_defaults */
    lb_format format;   /* LB_FORMAT_UNKNOWN (default): from the file's name, then from its content */
    size_t max_bytes;   /* largest size of a file; default 64 MiB */
    double stature;     /* > 0: a figure with a stature is scaled to this one, in metres (masses by its square);
                              0 (default): it is not scaled. Of a problem file's figures the first is scaled. A figure that
                              is 1.2 to 2.2 m tall is a person's, whose numbers hold in this range alone: any other
                              stature is refused (LB_ERROR_ARGUMENT) */
    double unit;        /* metres per length unit of a BVH or glTF file; 0 (default): 0.01 of BVH, 1 of glTF, unless the
                              legs of a person in it tell that it is another, which is warned of: metres, decimetres,
                              centimetres, millimetres, inches, or that of the CMU database */
    int anatomical_limits; /* glTF, 1: joints of a person, recognised by the names of their bones, get human limits;
                              default 0 */
    const char *animation; /* glTF clips: name of the animation, or its number as text; NULL (default): the first */
    double frame_time;     /* glTF clips: seconds; 0 (default): the shortest time between two keys of the file */
    int follow_includes;   /* MJCF: read <include> files inside the file's own folder; default 1 */
    const char *models;    /* problem files: a folder whose .fig files may be named without path and ending;
                              NULL (default): none */
    const lb_allocator *allocator; /* of the figures; NULL (default): the C library's */
    /* Told of what was understood but is odd; NULL (default): none. */
    void (*warn)(void *context, const lb_error *warning);
    void *warn_context; /* given to warn */
    lb_bvh_up bvh_up; /* which axis of a BVH file is up; LB_BVH_UP_AUTO (default): y, unless a person stands along z */
    lb_limits limits; /* of a figure without motion whose names say that it is a person; default LB_LIMITS_AS_POSED */
    int body; /* 1: a figure without motion and without a body whose names say that it is a person who stands upright gets
                 one (limber/body.h), and stands at ease: with hanging arms, on a floor at height 0, with a human's limits
                 where the file has none (`limits`); this is what limber solve does of itself; default 0 */
    const char *root; /* MJCF: the folder that <include> and <model> files must lie in, by whatever way they are named;
                         NULL (default): the file's own, and names with ".." are refused */
    int meshes; /* URDF, MJCF, 1: meshes that links collide by are read, as hulls around them (LB_SHAPE_HULL); 2: and those
                   that are to be seen, as they are (LB_SHAPE_MESH); default 0: 1 where `packages` names folders, else they are
                   passed over */
    const char
        *packages; /* folders, with colons between them, that package://NAME/... is looked for in, and that meshes may
                             lie in beside the file's own; NULL (default): none */
    int stand; /* 1: a figure without motion and without a body that has legs stands on them, as lb_figure_stand has it; where
                  it has none, reading fails (LB_ERROR_UNSUPPORTED); default 0 */
    lb_base base; /* of a figure without motion; default LB_BASE_FILE */
    double base_half
        [3]; /* how far a base drives either way: x, y, metres, and its turn, radians; 0 (default): without end */
} lb_load_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_load_options_defaults calls it. */
LB_IO_API void lb_load_options_defaults_sized(lb_load_options *options, size_t struct_size);
static inline void lb_load_options_defaults(lb_load_options *options) {
    lb_load_options_defaults_sized(options, sizeof *options);
}

/* Reads a figure. The path "-" is standard input, whose format is that of the options or else found from its content.
 * The path "chain:N" makes a chain of N joints with segments of 0.1 m without a file. */
LB_IO_API lb_status lb_figure_load(const char *path, const lb_load_options *options, lb_figure **figure,
                                   lb_error *error);
/* Reads a figure from memory; `name` stands for the file in messages. */
LB_IO_API lb_status lb_figure_load_memory(const void *data, size_t size, const char *name,
                                          const lb_load_options *options, lb_figure **figure, lb_error *error);

/* --- Legged figures (docs/legged.md) --------------------------------------------------------------- */

/* A copy of a legged figure that stands: its root is free, its rest pose is a stance with its feet on a floor at height
 * 0, and it has a body (limber/body.h): its feet are contacts, the efforts of its joints are strengths. Legs are found
 * by where limbs lead, not by names. *standing belongs to the caller; its variables are six of the root before those of
 * the figure, or the same where a floating joint carries the figure already. Fails with LB_ERROR_UNSUPPORTED, and the
 * reason in *error, where there are no legs, where the root is called `world`, or where no stance was found. */
LB_IO_API lb_status lb_figure_stand(const lb_figure *figure, lb_figure **standing, lb_error *error);
/* How many legs it would stand on; 0: none, or something holds it; a negative lb_status. */
LB_IO_API int lb_figure_legs(const lb_figure *figure);

/* A copy of a figure whose root drives in the plane: a joint `base` with the variables base.x, base.y (metres, along
 * the world's axes) and base.yaw (radians) carries it, from a segment `floor`. half: how far either way, 0: without
 * end; NULL: all without end. The three have a rigidity of 0.9, so that an arm goes first. Fails with
 * LB_ERROR_UNSUPPORTED where the root is free. */
LB_IO_API lb_status lb_figure_on_plane(const lb_figure *figure, const double half[3], lb_figure **moving,
                                       lb_error *error);

typedef struct lb_save_options {
    size_t struct_size; /* set by lb_save_options_defaults */
    lb_format format;   /* LB_FORMAT_UNKNOWN (default): from the file's name */
    double bvh_unit;    /* metres per length unit written to BVH; default 0.01 */
    const double *pose; /* the pose that is written to formats without rest values (the frame of a BVH, GLB);
                           NULL (default): the rest pose */
    /* Told of what the format cannot express and was left out; NULL (default): none. */
    void (*warn)(void *context, const lb_error *warning);
    void *warn_context; /* given to warn */
} lb_save_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_save_options_defaults calls it. */
LB_IO_API void lb_save_options_defaults_sized(lb_save_options *options, size_t struct_size);
static inline void lb_save_options_defaults(lb_save_options *options) {
    lb_save_options_defaults_sized(options, sizeof *options);
}
/* Writes a figure. The path "-" is standard output. */
LB_IO_API lb_status lb_figure_save(const lb_figure *figure, const char *path, const lb_save_options *options,
                                   lb_error *error);
/* Writes a figure to memory: *text ends with a 0; the caller frees it with lb_text_free. */
LB_IO_API lb_status lb_figure_save_memory(const lb_figure *figure, const lb_save_options *options, char **text,
                                          size_t *size, lb_error *error);
LB_IO_API void lb_text_free(char *text); /* what the library allocated; NULL is ignored */
/* Writes a figure in a pose as the path's ending says (or options->format): a copy of `source`, the file that it was
 * read from, in which nothing but the pose is changed, where that has the same format - glTF, fig and URDF; else a new
 * file of the figure (BVH has one frame). The pose is that of lb_save_options' `pose` too, which is not looked at. In a
 * fig it becomes the rest pose, in a URDF the initial values of its joints (docs/urdf.md). What the file cannot say is
 * told to options->warn. */
LB_IO_API lb_status lb_figure_save_pose(const char *source, const lb_figure *figure, const double *pose,
                                        const char *path, const lb_save_options *options, lb_error *error);

/* Reads a figure with its motion (BVH, glTF). *clip is NULL where the file has no motion, or its format has none. Both
 * belong to the caller, who destroys the clip before the figure. */
LB_IO_API lb_status lb_clip_load(const char *path, const lb_load_options *options, lb_figure **figure, lb_clip **clip,
                                 lb_error *error);
LB_IO_API lb_status lb_clip_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                        lb_figure **figure, lb_clip **clip, lb_error *error);
/* Writes a figure with its motion (BVH, or a GLB of its own), or, to a name that ends in .csv, a table of the motion:
 * the time and every variable, of a robot the time, where its root is, and a value a joint. The path "-" is standard
 * output; the options need a format then. */
LB_IO_API lb_status lb_clip_save(const lb_clip *clip, const char *path, const lb_save_options *options,
                                 lb_error *error);

/* --- glTF characters (docs/gltf.md) --------------------------------------------------------------- */

/* Lists the names of a glTF file's animations, each with a newline behind it; the name of one without a name is empty.
 * The caller frees *names with lb_text_free. */
LB_IO_API lb_status lb_gltf_animations(const char *path, const lb_load_options *options, char **names, lb_error *error);
/* Writes a copy of the file `source` in a pose of the figure that was read from it: only the transforms of nodes that
 * turned or moved are changed, all else stays byte for byte. Nodes are found by the names of the figure's segments. */
LB_IO_API lb_status lb_gltf_save_pose(const char *source, const lb_figure *figure, const double *pose, const char *path,
                                      const lb_save_options *options, lb_error *error);
/* Writes a copy of the file `source` with an animation added to those that it has. name NULL: "limber". */
LB_IO_API lb_status lb_gltf_save_animation(const char *source, const lb_clip *clip, const char *name, const char *path,
                                           const lb_save_options *options, lb_error *error);
/* The two functions above in memory, for files that refer to no other files. The caller frees *out with lb_text_free.
 */
LB_IO_API lb_status lb_gltf_pose_memory(const void *data, size_t size, const lb_figure *figure, const double *pose,
                                        char **out, size_t *out_size, lb_error *error);
LB_IO_API lb_status lb_gltf_animation_memory(const void *data, size_t size, const lb_clip *clip, const char *name,
                                             char **out, size_t *out_size, lb_error *error);

/* The name that models/human.fig has for the segment that a bone of this name is: "left_thigh" for
 * "mixamorig:LeftUpLeg". Bones that the model lacks are named in the same way, as left_index_end or jaw. NULL where the
 * name means no bone. */
LB_IO_API const char *lb_human_name(const char *name);
/* These names for all segments of a figure, written to names[segment_count]. Each name is given once, because the
 * meaning of a bone's name depends on those of the others. Returns the number of names that are not NULL, or a negative
 * lb_status. */
LB_IO_API int lb_figure_human_names(const lb_figure *figure, const char **names);
/* Finds the segments of two figures that are the same parts of a body, by their names, for lb_retarget. */
LB_IO_API lb_status lb_body_map_human(const lb_figure *source, const lb_figure *target, lb_body_map *map);

LB_IO_API lb_format lb_format_from_path(const char *path); /* by the ending; or LB_FORMAT_UNKNOWN */
LB_IO_API const char *lb_format_name(lb_format format);    /* "fig", "urdf", "mjcf", "bvh", "gltf", "unknown" */

/* --- Pictures (PNG, SVG, PDF by the path's ending) ------------------------------------------------ */

typedef enum lb_picture_format {
    LB_PICTURE_FORMAT_BY_NAME, /* from the path's ending; the path "-" is PNG; the default */
    LB_PICTURE_FORMAT_PNG,
    LB_PICTURE_FORMAT_SVG,
    LB_PICTURE_FORMAT_PDF
} lb_picture_format;

typedef enum lb_view { LB_VIEW_THREE_QUARTER, LB_VIEW_FRONT, LB_VIEW_SIDE, LB_VIEW_TOP, LB_VIEW_BACK } lb_view;

typedef struct lb_render_options {
    size_t struct_size; /* set by lb_render_options_defaults */
    int width, height;  /* pixels (PNG) or points (SVG, PDF), each 32 to 16384, together at most 64 million; default 800
                             and 600 */
    int view_count;     /* number of views, 1 to 4, side by side; default 1 */
    lb_view views[4];   /* default LB_VIEW_THREE_QUARTER */
    int has_camera;     /* 1: azimuth_deg and elevation_deg are used instead of views[0]; default 0 */
    double azimuth_deg; /* of the camera: 0 is in front of the figure (+x), 90 at its left (+y) */
    double elevation_deg; /* of the camera above the horizon */
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
    int has_bounds; /* 1: the picture shows the box below, whatever is in it, as for frames of one film; default 0 */
    double lower[3], upper[3]; /* the box in the world, metres */
    const char *title;         /* NULL (default): none */
    lb_picture_format format;
} lb_render_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_render_options_defaults calls it. */
LB_IO_API void lb_render_options_defaults_sized(lb_render_options *options, size_t struct_size);
static inline void lb_render_options_defaults(lb_render_options *options) {
    lb_render_options_defaults_sized(options, sizeof *options);
}
/* The format that a path's ending stands for; LB_PICTURE_FORMAT_BY_NAME where it stands for none. */
LB_IO_API lb_picture_format lb_picture_format_from_path(const char *path);
/* Draws a figure in a pose (NULL: the rest pose), which need not be inside the limits. The path "-" is standard output.
 * Segments without shapes are drawn as sticks. The same input gives the same bytes. */
LB_IO_API lb_status lb_figure_render(const lb_figure *figure, const double *pose, const char *path,
                                     const lb_render_options *options, lb_error *error);

/* A mark in a picture of several figures, for what is asked of them. */
typedef enum lb_marker_kind {
    LB_MARKER_POINT, /* a target at frame.position */
    LB_MARKER_FRAME, /* a target with three axes */
    LB_MARKER_LINE,  /* from frame.position to `to` */
    LB_MARKER_SHAPE, /* a solid at frame, with the kind, size and color of `shape` */
    LB_MARKER_SOLID /* what stands around: `shape` (hulls with their triangles, and half-spaces, too) at frame, translucent. What is near
                        the figures is drawn of it, and the picture's frame contains that */
} lb_marker_kind;

typedef struct lb_marker {
    lb_marker_kind kind;
    lb_frame frame;   /* in the world */
    double to[3];     /* end of a line, in the world */
    lb_shape shape;   /* of a solid; its segment and frame are not used */
    int is_met;       /* of a target, 1: green; 0: red */
    const char *name; /* shown with the labels; may be NULL */
} lb_marker;

/* What a picture of several figures shows. */
typedef struct lb_scene {
    int figure_count;                /* at least 1 */
    const lb_figure *const *figures; /* [figure_count] */
    const double *const *poses;      /* [figure_count]; where poses[i] is NULL, figure i is drawn in its rest pose */
    int marker_count;                /* may be 0 */
    const lb_marker *markers;        /* [marker_count]; may be NULL where marker_count is 0 */
} lb_scene;

/* Draws several figures with marks in one picture. */
LB_IO_API lb_status lb_scene_render(const lb_scene *scene, const char *path, const lb_render_options *options,
                                    lb_error *error);

/* --- Problems and results (docs/problem-files.md) ------------------------------------------------- */

typedef struct lb_problem_file lb_problem_file;

/* Reads a problem with its figures. The path "-" is standard input. Paths of figures are relative to the problem file's
 * folder. */
LB_IO_API lb_status lb_problem_load(const char *path, const lb_load_options *options, lb_problem_file **file,
                                    lb_error *error);
/* Reads a problem from memory; its figures can only be those of options->models and chain:N. */
LB_IO_API lb_status lb_problem_load_memory(const void *data, size_t size, const char *name,
                                           const lb_load_options *options, lb_problem_file **file, lb_error *error);
LB_IO_API void lb_problem_file_destroy(lb_problem_file *file); /* with its problem and figures; NULL is fine */
/* The problem, which belongs to the file and may be changed. */
LB_IO_API lb_problem *lb_problem_file_problem(lb_problem_file *file);
LB_IO_API const double *lb_problem_file_start(const lb_problem_file *file); /* the start pose, inside the limits */
/* The motion that the file describes, from the start pose on; NULL where the file has no `motion`. */
LB_IO_API const lb_motion *lb_problem_file_motion(const lb_problem_file *file);
/* What the file says of solving and of the picture, written to structs that lb_solve_options_defaults and
 * lb_render_options_defaults have filled. Texts in them belong to the file. */
LB_IO_API lb_status lb_problem_file_options(const lb_problem_file *file, lb_solve_options *options);
LB_IO_API lb_status lb_problem_file_picture(const lb_problem_file *file, lb_render_options *options);
LB_IO_API const char *lb_problem_file_title(const lb_problem_file *file);                   /* "" where it has none */
LB_IO_API const char *lb_problem_file_figure_name(const lb_problem_file *file, int figure); /* as prefixes have it */
/* What the file's `expect` says: an lb_outcome, or -1 where it says nothing. *value and *tolerance are the value of G
 * that is expected; *value is NAN where the file has none. */
LB_IO_API int lb_problem_file_expects(const lb_problem_file *file, double *value, double *tolerance);

/* Writes the problem as it is now, so that reading gives it back. start and options may be NULL: those of the file.
 * Figures are written as the paths that they were read from. Goals of the caller's own (LB_GOAL_CUSTOM) cannot be
 * written. */
LB_IO_API lb_status lb_problem_save(const lb_problem_file *file, const double *start, const lb_solve_options *options,
                                    const char *path, lb_error *error);
/* The same of a problem that a program made, as text: *text is freed by lb_text_free. files has a line for each figure:
 * the path, or the model's name, that it will be read from (lb_figure_save writes one). start may be NULL: the rest
 * poses. */
LB_IO_API lb_status lb_problem_save_memory(const lb_problem *problem, const char *files, const double *start,
                                           const lb_solve_options *options, char **text, size_t *size, lb_error *error);
/* Keeps segments apart by a text as the member `collisions` of a problem file is (docs/collisions.md): self, world,
 * solids, srdf, touching, margin. Paths in it begin in `folder`; NULL: it may name no files. On failure the problem is
 * as it was. */
LB_IO_API lb_status lb_problem_read_collisions(lb_problem *problem, const void *data, size_t size, const char *folder,
                                               const lb_load_options *options, lb_error *error);
/* Writes a result as JSON. pose is the answer, time_us the microseconds that the solve took (< 0: not known). The path
 * "-" is standard output. */
LB_IO_API lb_status lb_result_save(const lb_problem_file *file, lb_method method, const double *pose,
                                   const lb_result *result, double time_us, const char *path, lb_error *error);

/* --- Habits (docs/habit.md) ------------------------------------------------------------------------ */

/* Reads a habit. The path "-" is standard input. figure may be NULL; else a feature of a name that the figure lacks is
 * an error with its line. */
LB_IO_API lb_status lb_habit_load(const char *path, const lb_figure *figure, const lb_load_options *options,
                                  lb_habit **habit, lb_error *error);
/* Reads a habit from memory; `name` stands for the file in messages. */
LB_IO_API lb_status lb_habit_load_memory(const void *data, size_t size, const char *name, const lb_figure *figure,
                                         const lb_load_options *options, lb_habit **habit, lb_error *error);
/* Writes a habit. The path "-" is standard output. */
LB_IO_API lb_status lb_habit_save(const lb_habit *habit, const char *path, lb_error *error);
/* Writes a habit to memory: *text ends with a 0; the caller frees it with lb_text_free. */
LB_IO_API lb_status lb_habit_save_memory(const lb_habit *habit, char **text, size_t *size, lb_error *error);

/* --- Scripts: SCEFO, the language of BAGS (docs/scefo.md) ------------------------------------------- */

typedef struct lb_script lb_script;

/* Reads a script with all that it includes. The path "-" is standard input, which can include nothing. */
LB_IO_API lb_status lb_script_load(const char *path, const lb_load_options *options, lb_script **script,
                                   lb_error *error);
LB_IO_API lb_status lb_script_load_memory(const void *data, size_t size, const char *name,
                                          const lb_load_options *options, lb_script **script, lb_error *error);
LB_IO_API void lb_script_destroy(lb_script *script); /* with its figures, problems and motion; NULL is fine */
/* The motion of the script: the problem of each stage has a figure for each linkage, named after it, and a figure for
 * each other object. */
LB_IO_API const lb_motion *lb_script_motion(const lb_script *script);

#ifdef __cplusplus
}
#endif

#endif
