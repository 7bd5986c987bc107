/* Figures from files: which reader, and what is the same for all of them. */
#include "io/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/sized.h"
#include "io/person/person.h"
#include "io/stand/stand.h"

#define CHAIN_MAX_JOINTS 100000

static const lbf_sized load_kind = LBF_SIZED(lb_load_options, warn_context);

void lb_load_options_defaults_sized(lb_load_options *options, size_t struct_size) {
    static const lb_load_options defaults = {
        .format = LB_FORMAT_UNKNOWN, .max_bytes = (size_t)64 << 20, .follow_includes = 1, .limits = LB_LIMITS_AS_POSED};
    lbf_default_sized(&load_kind, &defaults, options, struct_size);
}

/* ---------------------------------------------------------------------------------------------------
 * Formats
 * ------------------------------------------------------------------------------------------------- */

const char *lb_format_name(lb_format format) {
    switch (format) {
    case LB_FORMAT_FIG:
        return "fig";
    case LB_FORMAT_URDF:
        return "urdf";
    case LB_FORMAT_MJCF:
        return "mjcf";
    case LB_FORMAT_BVH:
        return "bvh";
    case LB_FORMAT_GLTF:
        return "gltf";
    default:
        return "unknown";
    }
}

lb_format lb_format_from_path(const char *path) {
    if (!path) {
        return LB_FORMAT_UNKNOWN;
    }
    if (lbio_ends_in(path, ".fig")) {
        return LB_FORMAT_FIG;
    }
    if (lbio_ends_in(path, ".urdf") || lbio_ends_in(path, ".xacro")) {
        return LB_FORMAT_URDF;
    }
    if (lbio_ends_in(path, ".mjcf")) {
        return LB_FORMAT_MJCF;
    }
    if (lbio_ends_in(path, ".glb") || lbio_ends_in(path, ".gltf") || lbio_ends_in(path, ".vrm") ||
        lbio_ends_in(path, ".vrma")) {
        return LB_FORMAT_GLTF;
    }
    return lbio_ends_in(path, ".bvh") ? LB_FORMAT_BVH : LB_FORMAT_UNKNOWN; /* .xml may be URDF or MJCF */
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
        at++;
    }
    return at;
}

/* Past blanks and whatever stands before the first element of an XML file, or the first word of another. */
static const char *skip_preamble(const char *at) {
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    for (;;) {
        at = skip_blanks(at);
        const char *end = NULL;
        size_t length = 0;
        if (strncmp(at, "<!--", 4) == 0) {
            end = strstr(at + 4, "-->");
            length = 3;
        } else if (strncmp(at, "<?", 2) == 0) {
            end = strstr(at + 2, "?>");
            length = 2;
        } else if (strncmp(at, "<!", 2) == 0) {
            end = strchr(at, '>');
            length = 1;
        } else if (strncmp(at, "/*", 2) == 0) {
            end = strstr(at + 2, "*/");
            length = 2;
        } else if (*at == '#' || strncmp(at, "//", 2) == 0) {
            end = strchr(at, '\n');
            length = 1;
        }
        if (!end) {
            return at;
        }
        at = end + length;
    }
}

static int has_word(const char *at, const char *word) {
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0) {
        return 0;
    }
    char next = at[length];
    return next == 0 || next == ' ' || next == '\t' || next == '\r' || next == '\n' || next == '>' || next == '/' ||
           next == '{' || next == '"' || next == '#';
}

static lb_format format_from_content(const char *text) {
    const char *at = skip_preamble(text);
    if (strncmp(text, "glTF", 4) == 0 || (*at == '{' && strstr(at, "\"asset\""))) {
        return LB_FORMAT_GLTF;
    }
    if (has_word(at, "<robot")) {
        return LB_FORMAT_URDF;
    }
    if (has_word(at, "<mujoco")) {
        return LB_FORMAT_MJCF;
    }
    if (has_word(at, "HIERARCHY")) {
        return LB_FORMAT_BVH;
    }
    return has_word(at, "figure") ? LB_FORMAT_FIG : LB_FORMAT_UNKNOWN;
}

lb_format lbio_format_of_file(const char *path) {
    lb_format format = lb_format_from_path(path);
    char *data = NULL;
    size_t size = 0;
    lb_error unseen;
    if (format == LB_FORMAT_UNKNOWN && lbio_is_file(path) &&
        lbio_read_reference(path, (size_t)1 << 30, &data, &size, &unseen) == LB_OK) {
        format = format_from_content(data);
    }
    free(data);
    return format;
}

/* ---------------------------------------------------------------------------------------------------
 * Loading
 * ------------------------------------------------------------------------------------------------- */

/* clip NULL: the figure alone. */
static lb_status read_with(const lbio_source *source, lb_format format, const char *folder, lb_figure **figure,
                           lb_clip **clip) {
    switch (format) {
    case LB_FORMAT_FIG:
        return lbio_read_fig(source, folder, figure);
    case LB_FORMAT_URDF:
        return lbio_read_urdf(source, folder, figure);
    case LB_FORMAT_MJCF:
        return lbio_read_mjcf(source, folder, figure);
    case LB_FORMAT_BVH:
        return lbio_read_bvh(source, figure, clip);
    case LB_FORMAT_GLTF:
        return lbio_read_gltf(source, folder, figure, clip);
    default:
        break;
    }
    const char *at = skip_preamble(source->text);
    if (*at == 0) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0, "is empty; a figure was expected");
    }
    return lbio_fail(source, LB_ERROR_UNSUPPORTED, 0,
                     "is not a figure in a format Limber reads; it should begin with `figure` (fig), `<robot` (URDF), "
                     "`<mujoco` (MJCF), `HIERARCHY` (BVH) or `glTF` (GLB)");
}

/* The numbers of a person - ranges, strengths, masses, proportions - hold for adults; so large and so small are
 * some. */
#define STATURE_LEAST 1.2
#define STATURE_MOST 2.2

static int is_of_person(double stature) { return stature > STATURE_LEAST - 1e-9 && stature < STATURE_MOST + 1e-9; }

int lbio_can_be_of_stature(double own, double asked) { return !is_of_person(own) || is_of_person(asked); }

/* Lengths by the ratio of statures; masses by its square, which keeps the body-mass index. */
static lb_status scale_to_stature(const lbio_source *source, lb_figure **figure) {
    double from = lb_figure_stature(*figure), to = source->options->stature;
    if (!(from > 0)) {
        lbio_warn(source, 0, "the figure has no stature, so it was not scaled; add `stature = ...;` to it");
        return LB_OK;
    }
    if (from == to) {
        return LB_OK;
    }
    if (!lbio_can_be_of_stature(from, to)) {
        return lbio_fail(source, LB_ERROR_ARGUMENT, 0, "people are %g to %g m tall; a stature of %g m was asked for",
                         STATURE_LEAST, STATURE_MOST, to);
    }
    double ratio = to / from;
    lb_builder *builder = lb_builder_from(*figure, NULL);
    lb_figure *scaled = NULL;
    lb_status status = builder ? lb_builder_scale(builder, ratio, ratio * ratio) : LB_ERROR_MEMORY;
    if (status == LB_OK) {
        status = lb_builder_set_stature(builder, to);
    }
    if (status == LB_OK) {
        status = lb_builder_finish(builder, &scaled);
    }
    if (status != LB_OK) {
        status = lbio_builder_fail(source, builder, 0);
    } else {
        lb_figure_destroy(*figure);
        *figure = scaled;
    }
    lb_builder_destroy(builder);
    return status;
}

/* The common way: text is NUL-terminated. */
static lb_status load_text(const lbio_source *source, const char *path, const char *folder, lb_figure **figure,
                           lb_clip **clip) {
    lb_format format = source->options->format;
    if (format == LB_FORMAT_UNKNOWN) {
        format = lb_format_from_path(path);
    }
    if (format == LB_FORMAT_UNKNOWN) {
        format = format_from_content(source->text);
    }
    lb_figure *made = NULL;
    lb_status status = read_with(source, format, folder, &made, clip);
    if (status == LB_OK && source->options->stature > 0 && !(clip && *clip)) { /* a figure that moves has none */
        status = scale_to_stature(source, &made);
    }
    if (status == LB_OK && !(clip && *clip)) {
        status = lbio_make_base(source, &made);
        status = status ? status : lbio_make_stand(source, &made);
        status = status ? status : lbio_make_person(source, &made);
    }
    if (status != LB_OK) {
        if (clip) {
            lb_clip_destroy(*clip);
            *clip = NULL;
        }
        lb_figure_destroy(made);
        return status;
    }
    *figure = made;
    return LB_OK;
}

static int is_flag(int value) { return value == 0 || value == 1; }

static lb_status check_base(const lb_load_options *options, const char *name, lb_error *error) {
    const double *half = options->base_half;
    const int is_known = (int)options->base >= 0 && options->base <= LB_BASE_PLANAR;
    if (is_known && half[0] >= 0 && half[1] >= 0 && half[2] >= 0) {
        return LB_OK;
    }
    return lbio_error(error, LB_ERROR_ARGUMENT, name, 0,
                      "a base was asked for that does not exist, or whose way is negative");
}

/* What is a length or a time; 0: not given. */
static lb_status check_sizes(const lb_load_options *options, const char *name, lb_error *error) {
    const struct {
        double value;
        const char *wrong;
    } sizes[] = {{options->stature, "the stature to scale to must be a length in metres"},
                 {options->unit, "the length unit of a file must be above 0 metres"},
                 {options->frame_time, "the time between frames must be above 0 seconds"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!(sizes[i].value >= 0 && sizes[i].value < 1e6)) {
            return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "%s", sizes[i].wrong);
        }
    }
    return LB_OK;
}

lb_status lbio_take_load_options(const lb_load_options *given, lb_load_options *options, const char *name,
                                 lb_error *error) {
    lb_load_options_defaults(options);
    lb_error reason;
    lb_status status = lbf_take_sized(&load_kind, given, options, &reason);
    if (status) {
        return lbio_error(error, status, name, 0, "%s", reason.message);
    }
    if ((int)options->format < 0 || options->format > LB_FORMAT_GLTF) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "a format that does not exist was asked for");
    }
    if ((int)options->bvh_up < 0 || options->bvh_up > LB_BVH_UP_Z) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "what is up in BVH files is y or z");
    }
    if (!is_flag(options->body) || options->meshes < 0 || options->meshes > 2 || !is_flag(options->stand) ||
        (int)options->limits < 0 || options->limits > LB_LIMITS_AS_POSED) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0,
                          "limits, a body or meshes that do not exist were asked for");
    }
    status = check_sizes(options, name, error);
    if (status) {
        return status;
    }
    if (options->limits == LB_LIMITS_AS_POSED) {
        options->limits = options->body ? LB_LIMITS_AUTO : LB_LIMITS_FILE;
    }
    if (options->packages && *options->packages && !options->meshes) {
        options->meshes = 1; /* who says where they are wants them */
    }
    return check_base(options, name, error);
}

static lb_status load_memory(const void *data, size_t size, const char *name, const lb_load_options *given,
                             lb_figure **figure, lb_clip **clip, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    error = error ? error : &unseen;
    name = name ? name : "<memory>";
    if (!figure || (!data && size > 0)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "no data or no place for the figure was given");
    }
    *figure = NULL;
    lb_status status = lbio_take_load_options(given, &options, name, error);
    if (status != LB_OK) {
        return status;
    }
    if (size > options.max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0,
                          "larger than the allowed %zu bytes; is this the right file?", options.max_bytes);
    }
    lbio_text text = {0};
    lbio_text_bytes(&text, size ? data : "", size);
    if (text.failed) {
        return lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory");
    }
    lbio_source source = {name, text.data, text.size, &options, error};
    status = load_text(&source, name, NULL, figure, clip);
    lbio_text_free(&text);
    return status;
}

lb_status lb_figure_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                                lb_figure **figure, lb_error *error) {
    return load_memory(data, size, name, options, figure, NULL, error);
}

lb_status lb_clip_load_memory(const void *data, size_t size, const char *name, const lb_load_options *options,
                              lb_figure **figure, lb_clip **clip, lb_error *error) {
    lb_error unseen;
    if (!clip) {
        return lbio_error(error ? error : &unseen, LB_ERROR_ARGUMENT, name ? name : "<memory>", 0,
                          "no place for the clip was given");
    }
    *clip = NULL;
    return load_memory(data, size, name, options, figure, clip, error);
}

static lb_status load_file(const char *path, const lb_load_options *options, lb_figure **figure, lb_clip **clip,
                           lb_error *error) {
    char *data = NULL;
    size_t size = 0;
    lb_status status = lbio_read_file(path, options->max_bytes, &data, &size, error);
    if (status != LB_OK) {
        return status;
    }
    int is_stdin = strcmp(path, "-") == 0;
    const char *slash = strrchr(path, '/');
    lbio_text folder = {0};
    lbio_text_bytes(&folder, slash ? path : ".", slash == path ? 1 : slash ? (size_t)(slash - path) : 1);
    if (folder.failed) {
        status = lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    } else {
        lbio_source source = {is_stdin ? "<stdin>" : path, data, size, options, error};
        status = load_text(&source, path, is_stdin ? NULL : folder.data, figure, clip);
    }
    lbio_text_free(&folder);
    free(data);
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * chain:N
 * ------------------------------------------------------------------------------------------------- */

static int add_chain_site(lb_builder *builder, int segment, const char *name, double height) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame.position[2] = height;
    return lb_builder_add_site(builder, &site);
}

/* One segment of the chain, a bar of `length` upwards; returns its tip's site, and its base's in *base. */
static int add_chain_segment(lb_builder *builder, const char *name, double length, int *base) {
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = name;
    segment.mass = length > 0 ? 0.1 : 0;
    segment.com[2] = length / 2;
    int index = lb_builder_add_segment(builder, &segment);
    *base = index < 0 ? index : add_chain_site(builder, index, "base", 0);
    int tip = *base < 0 ? *base : add_chain_site(builder, index, "tip", length);
    if (tip < 0 || !(length > 0)) {
        return tip;
    }
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.kind = LB_SHAPE_CAPSULE;
    shape.segment = index;
    shape.frame.position[2] = length / 2;
    shape.size[0] = shape.size[2] = 0.012;
    shape.size[1] = length / 2;
    int added = lb_builder_add_shape(builder, &shape);
    return added < 0 ? added : tip;
}

/* Pins about y and x in turn, so that the chain leaves the plane. */
static int add_chain_joint(lb_builder *builder, int number, int tip) {
    char name[32];
    int base;
    snprintf(name, sizeof name, "link%d", number);
    int next_tip = add_chain_segment(builder, name, 0.1, &base);
    if (next_tip < 0) {
        return next_tip;
    }
    lb_joint joint;
    lb_joint_defaults(&joint);
    snprintf(name, sizeof name, "joint%d", number);
    joint.name = name;
    joint.site_a = tip;
    joint.site_b = base;
    joint.type.element_count = 1;
    joint.type.elements[0] = (lb_element){LB_ELEMENT_ROTATE, {number % 2 ? 0 : 1, number % 2 ? 1 : 0, 0}};
    int added = lb_builder_add_joint(builder, &joint);
    return added < 0 ? added : next_tip;
}

static lb_status build_chain(const lbio_source *source, int count, lb_figure **figure) {
    lb_builder *builder = lb_builder_create(source->options->allocator, NULL);
    int base, tip = -1;
    if (builder && lb_builder_set_name(builder, "chain") == LB_OK) {
        tip = add_chain_segment(builder, "base", 0, &base);
    }
    for (int i = 1; i <= count && tip >= 0; i++) {
        tip = add_chain_joint(builder, i, tip);
    }
    lb_status status = LB_OK;
    if (tip < 0 || lb_builder_finish(builder, figure) != LB_OK) {
        status = lbio_builder_fail(source, builder, 0);
    }
    lb_builder_destroy(builder);
    return status;
}

static lb_status load_chain(const char *path, const lb_load_options *options, lb_figure **figure, lb_error *error) {
    lbio_source source = {path, "", 0, options, error};
    const char *digits = path + strlen("chain:");
    long count = 0;
    for (const char *at = digits; *at; at++) {
        count = *at < '0' || *at > '9' || count > CHAIN_MAX_JOINTS ? -1 : count * 10 + (*at - '0');
        if (count < 0) {
            break;
        }
    }
    if (count < 1 || count > CHAIN_MAX_JOINTS) {
        return lbio_fail(&source, LB_ERROR_ARGUMENT, 0,
                         "`chain:N` wants a number of joints from 1 to %d, e.g. chain:20", CHAIN_MAX_JOINTS);
    }
    return build_chain(&source, (int)count, figure);
}

/* clip NULL: the figure alone. */
static lb_status load(const char *path, const lb_load_options *given, lb_figure **figure, lb_clip **clip,
                      lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    error = error ? error : &unseen;
    if (!path || !figure) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "no path or no place for the figure was given");
    }
    *figure = NULL;
    lb_status status = lbio_take_load_options(given, &options, path, error);
    if (status != LB_OK) {
        return status;
    }
    if (strncmp(path, "chain:", 6) == 0) {
        return load_chain(path, &options, figure, error);
    }
    return load_file(path, &options, figure, clip, error);
}

lb_status lb_figure_load(const char *path, const lb_load_options *options, lb_figure **figure, lb_error *error) {
    return load(path, options, figure, NULL, error);
}

lb_status lb_clip_load(const char *path, const lb_load_options *options, lb_figure **figure, lb_clip **clip,
                       lb_error *error) {
    lb_error unseen;
    if (!clip) {
        return lbio_error(error ? error : &unseen, LB_ERROR_ARGUMENT, path, 0, "no place for the clip was given");
    }
    *clip = NULL;
    return load(path, options, figure, clip, error);
}
