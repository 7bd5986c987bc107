/* limber play: a motion, to files that animators use, or to pictures. */
#include "cli/film.h"
#include "cli/output.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"output", 'o', "OUT",
     "motion: .bvh, .glb or .csv; pictures: a name with a number in it, as in frames/%04d.png (needed)"},
    {"fps", 0, "N", "frames a second (default: those of the file, else 30)"},
    {"from", 0, "SECONDS", "where to begin (default: 0)"},
    {"until", 0, "SECONDS", "where to end (default: the end of the motion)"},
    {"to", 0, "SECONDS", "another name of --until"},
    {"figure", 0, "NAME", "whose motion is written, where there are several (default: the first)"},
    CLI_FILM_OPTIONS,
    {"unit", 'u', "LENGTH",
     "what one length unit of the file is: of BVH, read or written (1cm), or glTF (1m); default: or what a person's "
     "legs tell"},
    {"up", 0, "AXIS", "which axis of a BVH file is up: y, z or auto (default: auto, by how a person stands in it)"},
    {"animation", 0, "NAME", "which animation of a glTF file: a name or a number (default: the first)"},
    {"format", 'f', "FORMAT", "read the file as bvh or gltf, whatever its name"},
    {"allow-short", 0, NULL, "scripts: a reach that does not get there is no failure"},
    CLI_FORCE_OPTION,
    {"quiet", 'q', NULL, "print nothing but errors"},
    {NULL, 0, NULL, NULL},
};

typedef enum target { TO_CLIP, TO_CSV, TO_PICTURES } target;

typedef struct play {
    cli_film film;
    target target;
    const char *out;
    cli_frames frames;
    int figure;
    double bvh_unit;
    const char *character; /* the glTF file that the motion is of: it gets another animation; NULL: none */
    lb_render_options picture;
    int is_quiet;
} play;

/* --- The command line -------------------------------------------------------------------------------- */

static int read_target(const cli_command *command, const cli_arguments *arguments, play *p) {
    cli_output to;
    int code = cli_read_output(command, "-o", p->out, CLI_KIND_CSV | CLI_KIND_BVH | CLI_KIND_GLTF | CLI_KIND_PICTURE,
                               CLI_KIND_CSV, &to);
    if (code) {
        return code;
    }
    p->target = to.kind == CLI_KIND_CSV ? TO_CSV : to.kind == CLI_KIND_PICTURE ? TO_PICTURES : TO_CLIP;
    return cli_read_film(command, arguments, &to, &p->picture);
}

static int read_figure(const cli_command *command, const cli_arguments *arguments, play *p) {
    const char *name = cli_value(command, arguments, "figure"), *names[64];
    const cli_cast *cast = &p->film.casts[0];
    int count = cast->figure_count < 64 ? cast->figure_count : 64;
    for (int i = 0; i < count; i++) {
        names[i] = cast->names[i];
        if (name && strcmp(name, names[i]) == 0) {
            p->figure = i;
            return CLI_OK;
        }
    }
    if (!name) {
        return CLI_OK;
    }
    const char *near_name = cli_nearest(name, names, count);
    return near_name ? cli_usage(command, "there is no figure `%s`; did you mean `%s`", name, near_name)
                     : cli_usage(command, "there is no figure `%s`; the first is `%s`", name, names[0]);
}

/* --- Writing ----------------------------------------------------------------------------------------- */

static void show_bar(const play *p, int done) {
    if (!p->is_quiet) {
        cli_show_bar(done, p->frames.count);
    }
}

static int pose_at(play *p, int frame) { return cli_film_pose(&p->film, p->frames.from + frame * p->frames.step); }

/* Whether two figures are the same linkage: the same segments on the same joints, of the same variables. */
static int is_same_linkage(const lb_figure *a, const lb_figure *b) {
    int variables = lb_figure_variable_count(a), segments = lb_figure_segment_count(a);
    if (a == b) {
        return 1;
    }
    if (variables != lb_figure_variable_count(b) || segments != lb_figure_segment_count(b)) {
        return 0;
    }
    for (int v = 0; v < variables; v++) {
        if (strcmp(lb_figure_variable(a, v)->name, lb_figure_variable(b, v)->name) != 0) {
            return 0;
        }
    }
    for (int s = 0; s < segments; s++) {
        if (strcmp(lb_figure_segment(a, s)->name, lb_figure_segment(b, s)->name) != 0 ||
            lb_figure_parent_segment(a, s) != lb_figure_parent_segment(b, s)) {
            return 0;
        }
    }
    return 1;
}

static int is_same_cast(const cli_cast *a, const cli_cast *b) {
    int is_same = a->figure_count == b->figure_count;
    for (int i = 0; is_same && i < a->figure_count; i++) {
        is_same = strcmp(a->names[i], b->names[i]) == 0 && is_same_linkage(a->figures[i], b->figures[i]);
    }
    return is_same;
}

/* Frames of one cast, that go into one file. */
typedef struct part {
    int first, count;     /* frames */
    const cli_cast *cast; /* that they begin with */
    char path[4096];
} part;

/* The part that begins at a frame: up to where linkages change. The first is written to the name that was given, the
 * others with a number before its ending. */
static int find_part(play *p, int first, int number, part *out) {
    const char *dot = strrchr(p->out, '.');
    int code = CLI_OK;
    *out = (part){.first = first};
    for (int f = first; f < p->frames.count && !code; f++) {
        show_bar(p, f);
        code = pose_at(p, f);
        if (!code && out->cast && !is_same_cast(out->cast, p->film.now)) {
            break;
        }
        out->cast = out->cast ? out->cast : p->film.now;
        out->count++;
    }
    if (number == 1 || !dot) {
        snprintf(out->path, sizeof out->path, "%s", p->out);
    } else {
        snprintf(out->path, sizeof out->path, "%.*s-%d%s", (int)(dot - p->out), p->out, number, dot);
    }
    if (number > 1 && !code) {
        cli_note("linkages change at %g s: what follows is in %s", p->frames.from + first * p->frames.step, out->path);
    }
    return code;
}

static int write_clip(play *p, const part *wanted) {
    lb_save_options save;
    lb_error error;
    cli_warnings warnings = {.is_loud = 1};
    if (p->figure >= wanted->cast->figure_count) {
        return cli_fail(CLI_BAD_INPUT, "the figure whose motion is written is not there any more at %g s",
                        p->frames.from + wanted->first * p->frames.step);
    }
    const lb_figure *figure = wanted->cast->figures[p->figure];
    lb_clip *clip = lb_clip_create(figure, wanted->count, p->frames.step, NULL);
    int code = clip ? CLI_OK : cli_fail(CLI_BAD_INPUT, "no memory for %d frames", wanted->count);
    for (int f = 0; f < wanted->count && !code; f++) {
        code = pose_at(p, wanted->first + f);
        if (!code) {
            memcpy(lb_clip_pose(clip, f), p->film.now->poses[p->figure],
                   (size_t)lb_figure_variable_count(figure) * sizeof(double));
        }
    }
    lb_save_options_defaults(&save);
    save.bvh_unit = p->bvh_unit > 0 ? p->bvh_unit : save.bvh_unit;
    save.warn = cli_warn, save.warn_context = &warnings;
    int is_rewritten = p->character && lb_format_from_path(p->out) == LB_FORMAT_GLTF;
    if (!code) {
        code = cli_written(is_rewritten ? lb_gltf_save_animation(p->character, clip, NULL, wanted->path, &save, &error)
                                        : lb_clip_save(clip, wanted->path, &save, &error),
                           &error);
    }
    cli_warnings_free(&warnings);
    lb_clip_destroy(clip);
    return code;
}

static void put_name(lbio_text *text, const char *figure, const char *name) {
    lbio_text_add(text, ",");
    if (figure) {
        lbio_text_format(text, "%s:", figure);
    }
    lbio_text_add(text, name); /* names have no comma, quote or newline that CSV would mind */
}

/* A row a frame: the time, and all variables of all figures. */
static int write_csv(play *p, const part *wanted) {
    lbio_text text = {0};
    int code = CLI_OK;
    const cli_cast *cast = wanted->cast;
    lbio_text_add(&text, "time");
    for (int i = 0; i < cast->figure_count; i++) {
        for (int v = 0; v < lb_figure_variable_count(cast->figures[i]); v++) {
            put_name(&text, cast->figure_count > 1 ? cast->names[i] : NULL,
                     lb_figure_variable(cast->figures[i], v)->name);
        }
    }
    lbio_text_add(&text, "\n");
    for (int f = wanted->first; f < wanted->first + wanted->count && !code; f++) {
        code = pose_at(p, f);
        lbio_text_number(&text, p->frames.from + f * p->frames.step);
        for (int i = 0; i < cast->figure_count && !code; i++) {
            for (int v = 0; v < lb_figure_variable_count(cast->figures[i]); v++) {
                lbio_text_add(&text, ",");
                lbio_text_number(&text, p->film.now->poses[i][v]);
            }
        }
        lbio_text_add(&text, "\n");
    }
    if (code) {
        lbio_text_free(&text);
        return code;
    }
    return cli_write_text(wanted->path, &text, "the frames");
}

/* Motion or a table: one file, or one for each set of linkages. */
static int write_parts(play *p) {
    int code = CLI_OK, first = 0;
    for (int number = 1; !code && first < p->frames.count; number++) {
        part wanted;
        code = find_part(p, first, number, &wanted);
        if (!code) {
            code = p->target == TO_CLIP ? write_clip(p, &wanted) : write_csv(p, &wanted);
        }
        first += wanted.count;
    }
    show_bar(p, p->frames.count);
    return code;
}

static void report(const play *p) {
    char seconds[32], rate[32];
    if (p->is_quiet || strcmp(p->out, "-") == 0) {
        return;
    }
    cli_print_number((p->frames.count - 1) * p->frames.step, seconds);
    cli_print_number(floor(10 / p->frames.step + 0.5) / 10, rate);
    printf("%d frame%s, %s s, %s a second: %s\n", p->frames.count, p->frames.count == 1 ? "" : "s", seconds, rate,
           p->out);
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    cli_source source;
    play p = {.out = cli_value(command, arguments, "output"), .is_quiet = cli_has(command, arguments, "quiet")};
    if (!p.out) {
        return cli_usage(command, "needs `-o OUT`: where does the motion go");
    }
    int code = cli_read_source(command, arguments, "format", &source);
    code = code ? code : read_target(command, arguments, &p);
    p.bvh_unit = source.unit;
    code = code ? code : cli_film_load(&p.film, &source);
    p.character =
        (source.format ? source.format : lb_format_from_path(source.found)) == LB_FORMAT_GLTF ? source.found : NULL;
    code = code ? code : cli_read_frames(command, arguments, p.film.end, p.film.frame_time, &p.frames);
    code = code ? code : read_figure(command, arguments, &p);
    code = code || p.target == TO_PICTURES ? code : cli_check_output(p.out);
    if (!code) {
        code = p.target == TO_PICTURES ? cli_film_draw(&p.film, &p.frames, p.out, &p.picture, p.is_quiet)
                                       : write_parts(&p);
    }
    if (!code) {
        report(&p);
        code = cli_film_judge(&p.film) && !cli_has(command, arguments, "allow-short") ? CLI_NOT_SOLVED : CLI_OK;
    }
    cli_film_free(&p.film);
    return code;
}

const cli_command cli_play = {
    .name = "play",
    .synopsis = "FILE -o OUT",
    .summary = "play a motion into BVH, GLB, CSV or pictures",
    .text = "FILE is motion capture (BVH), an animated character (glTF), a script (.scefo), or\n"
            "a problem with a motion (.json). Times are seconds; joints that turn about\n"
            "several axes are interpolated as rotations; a reach is solved frame by frame, and\n"
            "what limits clip is said on standard error. Pictures of one film are all taken\n"
            "from the same place. A character's motion in a .glb is one more animation in a\n"
            "copy of its own file.\n\n"
            "  limber play arm.scefo -o frames/%04d.png\n"
            "  limber play walk.bvh -o frames/%04d.png --fps 12\n"
            "  limber play walk.bvh -o slow.bvh --fps 30 --from 1 --until 2.5\n"
            "  limber play walk.bvh -o walk.csv",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
