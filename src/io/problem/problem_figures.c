/* The figures of a problem file: where they are, what they are called, where they stand. */
#include "io/problem/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a figure is: chain:N, a file from the problem's folder, a model. */
static lb_status find_figure(lbio_reader *r, const char *name, char *path, size_t size) {
    const char *models = r->source->options->models;
    int is_given = strlen(name) < 1024;
    if (strncmp(name, "chain:", 6) == 0 && is_given) {
        snprintf(path, size, "%s", name);
        return LB_OK;
    }
    if (r->folder && is_given) {
        snprintf(path, size, "%s%s%s", name[0] == '/' ? "" : r->folder, name[0] == '/' ? "" : "/", name);
        if (lbio_is_file(path)) {
            return LB_OK;
        }
    }
    if (models && is_given && !strchr(name, '/')) {
        size_t length = strlen(name);
        int has_ending = length > 4 && strcmp(name + length - 4, ".fig") == 0;
        snprintf(path, size, "%s/%s%s", models, name, has_ending ? "" : ".fig");
        if (lbio_is_file(path)) {
            return LB_OK;
        }
    }
    return lbio_reader_fail(
        r, LB_ERROR_FILE,
        "there is no figure `%.100s`: neither a file (folders, pipes and devices are none), seen from "
        "this one's folder, nor a model",
        name);
}

/* The root moved by `place`, and freed or fixed (free -1: as it is). */
static lb_status place_figure(lbio_reader *r, const lb_frame *place, int free_root, lb_figure **figure) {
    lb_builder *builder = lb_builder_from(*figure, NULL);
    lb_root root = *lb_figure_root(*figure);
    lb_figure *moved = NULL;
    lb_frame_multiply(place, &root.placement, &root.placement);
    root.is_free = free_root >= 0 ? free_root : root.is_free;
    lb_status status = builder ? lb_builder_set_root(builder, &root) : LB_ERROR_MEMORY;
    status = status ? status : lb_builder_finish(builder, &moved);
    if (status) {
        status = lbio_reader_fail(r, status, "%s", builder ? lb_builder_error(builder)->message : "out of memory");
    } else {
        lb_figure_destroy(*figure);
        *figure = moved;
    }
    lb_builder_destroy(builder);
    return status;
}

static lb_status root_figure(lbio_reader *r, const char *name, int free_root, lb_figure **figure) {
    lb_figure *rooted = NULL;
    lb_error error = {0};
    lb_root root = *lb_figure_root(*figure);
    root.site = -1, root.segment = lb_figure_find_segment(*figure, name);
    root.is_free = free_root >= 0 ? free_root : root.is_free;
    double *pose = malloc(((size_t)lb_figure_variable_count(*figure) * 2 + 8) * sizeof *pose);
    if (!pose) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    /* Rooting names a segment first: it is the segment that stands still. */
    lb_status status =
        root.segment >= 0 ? LB_OK : lb_figure_find_place(*figure, name, &root.segment, &root.site, &error);
    if (!status) {
        lb_figure_rest_pose(*figure, pose);
        status = lb_figure_reroot(*figure, pose, &root, &rooted, pose + lb_figure_variable_count(*figure), &error);
    }
    free(pose);
    if (status) {
        lbio_enter(r, "root");
        lbio_reader_fail(r, status, "%s", error.message);
        lbio_leave(r);
    } else {
        lb_figure_destroy(*figure);
        *figure = rooted;
    }
    return status;
}

/* How a figure is read. */
typedef struct manner {
    double stature, unit; /* 0: not said */
    const char *limits;   /* which; NULL: not said */
    int has_body;         /* it is posed as a body */
    int stand;            /* it stands on its legs */
    lb_base base;
    double base_half[3];
    const json_t *told; /* the object that says it; NULL: none */
} manner;

/* `stand` and `base`. */
static lb_status read_legs(lbio_reader *r, const json_t *object, manner *how) {
    const json_t *base = json_object_get(object, "base");
    int has_half = 0;
    how->told = object;
    lb_status status = lbio_get_truth(r, object, "stand", &how->stand);
    if (status || !base) {
        return status;
    }
    how->base = LB_BASE_PLANAR;
    if (json_is_string(base) && strcmp(json_string_value(base), "planar") == 0) {
        return LB_OK;
    }
    if (!json_is_array(base)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "`base` is \"planar\", or how far it drives either way: [x, y, yaw]");
    }
    status = lbio_get_vector(r, object, "base", LBIO_EITHER, 3, how->base_half, &has_half);
    for (int i = 0; i < 3 && !status; i++) {
        if (!(how->base_half[i] >= 0)) {
            status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "how far a base drives must not be negative");
        }
    }
    return status;
}

/* Which limits, by their name. */
static lb_status find_limits(lbio_reader *r, const manner *how, lb_load_options *options) {
    static const char *const names[] = {"file", "auto", "anatomical", "none"}; /* as lb_limits */
    if (how->has_body) {
        options->body = 1;
        options->limits = options->limits == LB_LIMITS_FILE ? LB_LIMITS_AUTO : options->limits;
    }
    for (int i = 0; how->limits && i < 4; i++) {
        if (strcmp(names[i], how->limits) == 0) {
            options->limits = (lb_limits)i;
            return LB_OK;
        }
    }
    return how->limits
               ? lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                  "there are no limits `%.40s`; there are file, anatomical, none and auto", how->limits)
               : LB_OK;
}

static lb_status load_figure(lbio_reader *r, const char *name, const manner *how, lb_figure **figure) {
    char path[4096];
    lb_load_options options = *r->source->options;
    options.format = LB_FORMAT_UNKNOWN;
    options.meshes = options.meshes ? options.meshes : r->file->has_collisions;
    options.stand |= how->stand;
    if (how->base != LB_BASE_FILE) {
        options.base = how->base;
        memcpy(options.base_half, how->base_half, sizeof options.base_half);
    }
    options.stature = r->file->figure_count == 0 && options.stature > 0 ? options.stature : how->stature;
    options.unit = how->unit > 0 ? how->unit : options.unit;
    lb_status found = find_limits(r, how, &options);
    if (found) {
        return found;
    }
    lb_status status = find_figure(r, name, path, sizeof path);
    status = status ? status : lb_figure_load(path, &options, figure, r->source->error);
    if (status) {
        return status;
    }
    char **noted = &r->file->paths[r->file->figure_count]; /* again where the one before it was refused */
    free(*noted);
    *noted = lbio_copy_text(path);
    if (!*noted) {
        lb_figure_destroy(*figure);
        *figure = NULL;
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    return LB_OK;
}

const char *lbio_problem_figure_path(const lb_problem_file *file, int figure) { return file->paths[figure]; }

char *lbio_copy_text(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* A name for prefixes: what was asked for must be free, what is made up becomes so. */
static lb_status name_figure(lbio_reader *r, const char *asked, const lb_figure *figure) {
    struct lb_problem_file *file = r->file;
    char name[80];
    snprintf(name, sizeof name, "%.70s", asked ? asked : lb_figure_name(figure));
    for (int k = 0; k < file->figure_count; k++) {
        if (strcmp(file->names[k], name) != 0) {
            continue;
        }
        if (asked) {
            return lbio_reader_fail(r, LB_ERROR_NAME, "there are two figures `%s`; give one another name", name);
        }
        snprintf(name, sizeof name, "%d", file->figure_count);
    }
    file->names[file->figure_count] = lbio_copy_text(name);
    return file->names[file->figure_count] ? LB_OK : lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
}

static lb_status take_figure(lbio_reader *r, const char *name, lb_figure *figure) {
    struct lb_problem_file *file = r->file;
    lb_status status = name_figure(r, name, figure);
    if (status) {
        lb_figure_destroy(figure);
        return status;
    }
    file->figures[file->figure_count++] = figure;
    if (!file->problem) {
        file->problem = lb_problem_create(figure, NULL);
        return file->problem ? LB_OK : lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    int number = lb_problem_add_figure(file->problem, figure);
    return number >= 0 ? LB_OK : lbio_reader_fail(r, (lb_status)number, "%s", lb_problem_error(file->problem)->message);
}

/* Where a figure stands: `at`, and `turn` about the vertical or any rotation. is_placed: any of them is there. */
static lb_status read_place(lbio_reader *r, const json_t *object, lb_frame *place, int *is_placed) {
    const double up[3] = {0, 0, 1};
    double turn = 0;
    int has_at = 0, has_rotation = 0, has_turn = json_object_get(object, "turn") != NULL;
    lb_frame_identity(place);
    lb_status status = lbio_get_vector(r, object, "at", LBIO_LENGTH, 3, place->position, &has_at);
    status = status ? status : lbio_get_value(r, object, "turn", LBIO_ANGLE, -1e6, 1e6, &turn);
    status = status ? status : lbio_get_rotation(r, object, place->rotation, &has_rotation);
    if (!status && has_turn && has_rotation) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "give `turn`, or `rpy` or `quaternion`, not both");
    }
    if (!status && has_turn) {
        lb_rotation_about(up, turn, place->rotation);
    }
    *is_placed = has_at || has_turn || has_rotation;
    return status;
}

static lb_status read_placed_figure(lbio_reader *r, const json_t *object, const manner *of_problem) {
    static const char *const keys[] = {"file", "name", "at",     "turn",  "rpy",  "quaternion", "stature", "root",
                                       "free", "body", "limits", "stand", "base", "unit",       NULL};
    const char *path = NULL, *name = NULL, *root = NULL;
    manner how = *of_problem;
    how.has_body |= json_object_get(object, "body") != NULL;
    how.stature = how.unit = 0;
    int is_placed = 0, is_free = -1;
    lb_frame place;
    lb_figure *figure = NULL;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "file", &path);
    status = status ? status : lbio_get_string(r, object, "name", &name);
    status = status ? status : lbio_get_string(r, object, "root", &root);
    status = status ? status : lbio_get_truth(r, object, "free", &is_free);
    status = status ? status : lbio_get_string(r, object, "limits", &how.limits);
    status = status ? status : read_legs(r, object, &how);
    status = status ? status : lbio_get_value(r, object, "stature", LBIO_LENGTH, 1e-3, 1e3, &how.stature);
    status = status ? status : lbio_get_value(r, object, "unit", LBIO_LENGTH, 1e-9, 1e6, &how.unit);
    status = status ? status : read_place(r, object, &place, &is_placed);
    if (!status && !path) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "which figure? `file` is missing");
    }
    status = status ? status : load_figure(r, path, &how, &figure);
    status = status || !root ? status : root_figure(r, root, is_free, &figure);
    if (!status && (is_placed || is_free >= 0)) {
        status = place_figure(r, &place, is_free, &figure);
    }
    if (status) {
        lb_figure_destroy(figure);
        return status;
    }
    return take_figure(r, name, figure);
}

/* What the figure was read from, with its name, so that the problem can be written again. Its body is written as the
 * problem has it. */
static lb_status note_spec(lbio_reader *r, const json_t *value, const manner *of_problem) {
    struct lb_problem_file *file = r->file;
    int k = file->figure_count - 1;
    json_t *spec = json_is_string(value) ? json_pack("{s:O}", "file", value) : json_copy((json_t *)value);
    json_object_del(spec, "body");
    json_object_set_new(spec, "name", json_string(file->names[k]));
    if (of_problem->limits && !json_object_get(spec, "limits")) {
        json_object_set_new(spec, "limits", json_string(of_problem->limits));
    }
    static const char *const members[] = {"stand", "base"};
    for (int i = 0; i < 2; i++) {
        json_t *said = of_problem->told ? json_object_get(of_problem->told, members[i]) : NULL;
        if (said && !json_object_get(spec, members[i])) {
            json_object_set_new(spec, members[i], json_copy(said));
        }
    }
    char *text = spec ? json_dumps(spec, 0) : NULL;
    file->specs[k] = text ? lbio_copy_text(text) : NULL;
    free(text);
    json_decref(spec);
    return file->specs[k] ? LB_OK : lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
}

/* of_problem: what the problem itself says of its first figure. */
static lb_status read_figure(lbio_reader *r, const json_t *value, const manner *of_problem) {
    lb_figure *figure = NULL;
    lb_status status = LB_OK;
    if (json_is_string(value)) {
        status = load_figure(r, json_string_value(value), of_problem, &figure);
        status = status ? status : take_figure(r, NULL, figure);
    } else {
        status = read_placed_figure(r, value, of_problem);
    }
    return status ? status : note_spec(r, value, of_problem);
}

lb_status lbio_read_figures(lbio_reader *r, const json_t *root) {
    const json_t *one = json_object_get(root, "figure"), *many = json_object_get(root, "figures");
    if (!one == !many) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                one ? "give `figure` or `figures`, not both"
                                    : "which figure? `figure` is missing, as in \"figure\": \"human\"");
    }
    manner first = {.has_body = json_object_get(root, "body") != NULL}, other = {0};
    lb_status status = lbio_get_string(r, root, "limits", &first.limits);
    status = status ? status : read_legs(r, root, &first);
    if (status) {
        return status;
    }
    lbio_enter(r, one ? "figure" : "figures");
    status = one ? read_figure(r, one, &first) : lbio_check_list(r, many, 1, LBIO_FIGURES_MOST);
    for (size_t k = 0; many && !status && k < json_array_size(many); k++) {
        lbio_enter_index(r, (int)k);
        status = read_figure(r, json_array_get(many, k), k == 0 ? &first : &other);
        lbio_leave(r);
    }
    lbio_leave(r);
    return status;
}
