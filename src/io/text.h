/* What all readers and writers share: whole files, errors with a line, numbers in the C locale, growing text. */
#ifndef LIMBER_IO_TEXT_H
#define LIMBER_IO_TEXT_H

#include <limber/io.h>
#include <stdarg.h>

/* Where a reader is: passed down so that every message carries file and line. */
typedef struct lbio_source {
    const char *name; /* file, for messages */
    const char *text; /* NUL-terminated copy is guaranteed by the loaders */
    size_t size;
    const lb_load_options *options; /* never NULL */
    lb_error *error;                /* never NULL */
} lbio_source;

/* Fills source->error and returns status. line 0: none. */
lb_status lbio_fail(const lbio_source *source, lb_status status, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same where there is no source: name is the file ("" or NULL: none). */
lb_status lbio_error(lb_error *error, lb_status status, const char *name, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Calls the options' warn, if any. */
void lbio_warn(const lbio_source *source, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Turns a builder's error into the source's, with a line. */
lb_status lbio_builder_fail(const lbio_source *source, const lb_builder *builder, int line);

/* Reads one number in the C locale from text (not beyond end); decimal only, no inf, nan or hex. Returns the position
 * after it, or NULL if there is none or it is not finite. */
const char *lbio_number(const char *text, const char *end, double *value);
/* The same times 10^power, rounded once: 33.3 cm is the double nearest to 0.333 m. */
const char *lbio_number_scaled(const char *text, const char *end, int power, double *value);
/* Writes the shortest decimal that reads back as the same double; at most 32 characters. -0 is written as 0. */
void lbio_print_number(double value, char text[32]);

/* What printf wrote for a number, with a point wherever the locale has something else. */
void lbio_to_c_locale(const char *printed, char text[32]);

/* Text that grows; all writers build their output in one of these. */
typedef struct lbio_text {
    char *data; /* NUL-terminated */
    size_t size, capacity;
    int failed; /* out of memory: all later calls do nothing */
} lbio_text;

void lbio_text_add(lbio_text *text, const char *string);
void lbio_text_bytes(lbio_text *text, const char *bytes, size_t size);
void lbio_text_format(lbio_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lbio_text_number(lbio_text *text, double value);
void lbio_text_free(lbio_text *text);

/* Whether all numbers are finite. */
int lbio_are_finite(const double *values, int count);
/* Whole options from the caller's, which may be NULL or of an older header; what does not make sense in them is told in
 * *error. */
lb_status lbio_take_load_options(const lb_load_options *given, lb_load_options *options, const char *name,
                                 lb_error *error);
lb_status lbio_take_save_options(const lb_save_options *given, lb_save_options *options, const char *name,
                                 lb_error *error);
lb_status lbio_take_render_options(const lb_render_options *given, lb_render_options *options, const char *name,
                                   lb_error *error);
/* Copies options to a struct of the caller's, which may be of an older header. */
lb_status lbio_give_render_options(const lb_render_options *made, lb_render_options *given);

/* Whole file that the caller named, with a cap; "-" is stdin. *data is NUL-terminated, freed with free(). Folders,
 * pipes and devices are refused at once, but for those that the process was started with: /dev/stdin, a shell's
 * <(...). */
lb_status lbio_read_file(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error);
/* The same for what a file names: a regular file, without exception; "-" is a name like any other. */
lb_status lbio_read_reference(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error);
/* Writes beside path and renames; "-" is stdout. Removes what killed writers of the same path left beside it. */
lb_status lbio_write_file(const char *path, const void *data, size_t size, lb_error *error);
/* What keeps a program from writing over the files that it reads. on_input is told of each file that was read, and of
 * each that one names though it is not read; may_write is asked before a file is written, and refuses by a status that
 * is not LB_OK, with the reason in *error. */
typedef struct lbio_watch {
    void (*on_input)(void *context, const char *path);
    lb_status (*may_write)(void *context, const char *path, lb_error *error);
    void *context;
} lbio_watch;
/* For a program whose files all go through here, before it has threads; NULL (at first): nobody watches. *watch stays
 * the caller's. */
void lbio_watch_files(const lbio_watch *watch);
/* Tells of a file that is named, and not read. */
void lbio_name_file(const char *path);
/* Whether lbio_write_file will be allowed to write there. */
lb_status lbio_may_write(const char *path, lb_error *error);
/* Whether a name ends in `ending`, which is in small letters; the name may have capitals. */
int lbio_ends_in(const char *name, const char *ending);
/* Whether a path stands for what the process was started with: standard input and output, or a shell's <(...) and
 * >(...). */
int lbio_is_handed_over(const char *path);
/* Whether a path is that of a file (no folder, no device). */
int lbio_is_file(const char *path);
/* The path with all links followed, to be freed with free(); NULL where there is nothing, or no memory. */
char *lbio_real_path(const char *path);
/* The name among count that is nearest to `name` by edit distance, if near enough to suggest; else NULL. */
const char *lbio_nearest(const char *name, const char *const *names, int count);

/* Quantities with units: "90deg", "5cm", "3kg", all of text; without a unit: radians, metres or kilograms. 0, or -1. */
typedef enum lbio_unit { LBIO_PLAIN, LBIO_LENGTH, LBIO_ANGLE, LBIO_EITHER, LBIO_MASS } lbio_unit;
int lbio_read_quantity(const char *text, lbio_unit unit, double *value);

/* What counts as being at a limit, in radians or metres, where values are listed. */
#define LBIO_AT_LIMIT 1e-6

/* Poses that answer a problem, one behind the other; the first is the result's. count -1: that one alone, without a
 * list. */
typedef struct lbio_answers {
    int count;
    const double *poses;
    const lb_solver *solver; /* that has what became of bodies; NULL: that is not written */
} lbio_answers;

/* A result as lb_result_save has it, and its answers. */
lb_status lbio_write_results(const lb_problem_file *file, lb_method method, const lbio_answers *answers,
                             const lb_result *result, double time_us, const char *path, lb_error *error);
/* Where a figure of a problem was read from: a file, or chain:N. */
const char *lbio_problem_figure_path(const lb_problem_file *file, int figure);
/* The format of a file by its name, or else its content; standard input, chain:N and what is no file have none. */
lb_format lbio_format_of_file(const char *path);
/* Whether a figure made for one stature can be had in another one: people (1.2 to 2.2 m) as people alone. */
int lbio_can_be_of_stature(double own, double asked);
/* A problem; folder is where its figures' paths start (NULL: none from files). */
lb_status lbio_read_problem(const lbio_source *source, const char *folder, lb_problem_file **file);

/* The readers and writers; load.c and save.c choose among them. */
lb_status lbio_read_fig(const lbio_source *source, const char *folder, lb_figure **figure);
/* folder NULL: no other files are read. */
lb_status lbio_read_urdf(const lbio_source *source, const char *folder, lb_figure **figure);
lb_status lbio_read_mjcf(const lbio_source *source, const char *folder, lb_figure **figure);
/* clip NULL: the figure alone. */
lb_status lbio_read_bvh(const lbio_source *source, lb_figure **figure, lb_clip **clip);
lb_status lbio_read_gltf(const lbio_source *source, const char *folder, lb_figure **figure, lb_clip **clip);
lb_status lbio_write_fig(const lb_figure *figure, const lb_save_options *options, lbio_text *text, lb_error *error);
lb_status lbio_write_urdf(const lb_figure *figure, const lb_save_options *options, lbio_text *text, lb_error *error);
/* clip NULL: one frame, the options' pose. */
lb_status lbio_write_bvh(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options, lbio_text *text,
                         lb_error *error);
/* is_text: a .gltf with all in it, else a GLB. */
lb_status lbio_write_gltf(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options, int is_text,
                          lbio_text *text, lb_error *error);

#endif
