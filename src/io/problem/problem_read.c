/* Problem files: the whole, its figures, the start pose and the options. docs/problem-files.md tells the format. */
#include "figure/suggest.h"
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Names --------------------------------------------------------------------------------------- */

int lbio_matches(const char *pattern, const char *text) {
    const char *star = NULL, *mark = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            mark = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++, text++;
        } else if (star) {
            pattern = star + 1, text = ++mark; /* the last star takes one letter more */
        } else {
            return 0;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

static int is_known(const lb_figure *figure, const char *name) {
    return lb_figure_find_segment(figure, name) >= 0 || lb_figure_find_site(figure, name) >= 0 ||
           lb_figure_find_joint(figure, name) >= 0 || lb_figure_find_variable(figure, name) >= 0;
}

/* The figure that the first `length` letters name: by its name, or else by its number; -1: none. */
static int figure_called(const struct lb_problem_file *file, const char *prefix, size_t length) {
    char number[16];
    for (int k = 0; k < file->figure_count; k++) {
        if (strlen(file->names[k]) == length && strncmp(file->names[k], prefix, length) == 0) {
            return k;
        }
    }
    for (int k = 0; k < file->figure_count; k++) {
        snprintf(number, sizeof number, "%d", k);
        if (strlen(number) == length && strncmp(number, prefix, length) == 0) {
            return k;
        }
    }
    return -1;
}

int lbio_split_name(lbio_reader *r, const char *name, const char **rest) {
    const char *colon = strchr(name, ':');
    int figure = colon ? figure_called(r->file, name, (size_t)(colon - name)) : -1;
    *rest = figure >= 0 ? colon + 1 : name;
    if (figure < 0) {
        return 0; /* names of other programs may have a colon of their own: mixamorig:Hips */
    }
    if (!is_known(r->file->figures[figure], *rest) && is_known(r->file->figures[0], name)) {
        *rest = name;
        return 0;
    }
    return figure;
}

static const char *name_at(const lb_figure *figure, const char *kind, int index) {
    return strcmp(kind, "joint") == 0     ? lb_figure_joint(figure, index)->name
           : strcmp(kind, "segment") == 0 ? lb_figure_segment(figure, index)->name
                                          : lb_figure_variable(figure, index)->name;
}

lb_status lbio_no_such(lbio_reader *r, int figure, const char *kind, const char *name) {
    const lb_figure *f = r->file->figures[figure];
    int count = strcmp(kind, "joint") == 0     ? lb_figure_joint_count(f)
                : strcmp(kind, "segment") == 0 ? lb_figure_segment_count(f)
                                               : lb_figure_variable_count(f);
    int joint = lb_figure_find_joint(f, name);
    char text[LBF_SUGGESTION_TEXT];
    lbf_suggestions near_names;
    if (strcmp(kind, "variable") == 0 && joint >= 0 && lb_joint_type_dof_count(&lb_figure_joint(f, joint)->type) > 1) {
        return lbio_reader_fail(r, LB_ERROR_NAME, "`%.60s` has several dofs; name one, as in `%.60s.%s`", name, name,
                                lb_figure_joint(f, joint)->dof_names[0]);
    }
    lbf_suggest_begin(&near_names, name);
    for (int k = 0; k < count; k++) {
        lbf_suggest_offer(&near_names, name_at(f, kind, k), name_at(f, kind, k));
    }
    lbf_suggest_text(&near_names, text);
    return lbio_reader_fail(r, LB_ERROR_NAME, "figure `%.40s` has no %s `%.60s`; %s", r->file->names[figure], kind,
                            name, *text ? text : "`limber info` lists them");
}

/* "anna:palm" where there is no figure called anna. */
static lb_status no_such_figure(lbio_reader *r, const char *name) {
    char list[300] = "";
    for (int k = 0; k < r->file->figure_count && strlen(list) < 200; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s`%.60s`", k ? ", " : "", r->file->names[k]);
    }
    return lbio_reader_fail(r, LB_ERROR_NAME, "`%.60s`: there is no figure `%.*s`; the figures are %s", name,
                            (int)strcspn(name, ":") < 60 ? (int)strcspn(name, ":") : 60, name, list);
}

lb_status lbio_find_place(lbio_reader *r, const char *name, lbio_place *place) {
    const char *rest;
    lb_error reason;
    place->figure = lbio_split_name(r, name, &rest);
    const lb_figure *figure = r->file->figures[place->figure];
    lb_status status = lb_figure_find_place(figure, rest, &place->segment, &place->site, &reason);
    if (status) {
        return rest == name && strchr(name, ':') && r->file->figure_count > 1
                   ? no_such_figure(r, name)
                   : lbio_reader_fail(r, status, "%s", reason.message);
    }
    if (place->site >= 0) {
        place->frame = lb_figure_site(figure, place->site)->frame;
    } else {
        lb_frame_identity(&place->frame);
    }
    return LB_OK;
}

lb_status lbio_read_values(lbio_reader *r, const json_t *object, double *pose) {
    const char *name, *rest;
    json_t *value;
    lb_status status = LB_OK;
    if (!json_is_object(object)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "values by variable were expected, as {\"elbow\": \"90deg\"}");
    }
    json_object_foreach((json_t *)object, name, value) {
        lbio_enter(r, name);
        int figure = lbio_split_name(r, name, &rest);
        int variable = lb_figure_find_variable(r->file->figures[figure], rest);
        if (variable < 0) {
            status = lbio_no_such(r, figure, "variable", rest);
        } else {
            const lb_variable *v = lb_figure_variable(r->file->figures[figure], variable);
            status = lbio_json_value(r, value, v->is_angle ? LBIO_ANGLE : LBIO_LENGTH,
                                     &pose[lb_problem_first_variable(r->file->problem, figure) + variable]);
        }
        lbio_leave(r);
        if (status) {
            break;
        }
    }
    return status;
}

/* --- Start pose ----------------------------------------------------------------------------------- */

/* A figure's part of the start pose into the limits: what these clip goes as far as it may, which is said. */
static lb_status clip_start(lbio_reader *r, int figure, double *part) {
    const lb_figure *f = r->file->figures[figure];
    const size_t size = ((size_t)lb_figure_variable_count(f) + 1) * sizeof *part;
    double *asked = malloc(size);
    if (!asked) {
        return LB_ERROR_MEMORY;
    }
    memcpy(asked, part, size - sizeof *part);
    lb_status status = lb_kinematics_project(r->kinematics[figure], part);
    for (int v = 0; v < lb_figure_variable_count(f) && !status; v++) {
        const lb_variable *own = lb_figure_variable(f, v);
        const double unit = own->is_angle ? 180 / 3.14159265358979323846 : 1;
        const char *name = own->is_angle ? " deg" : "";
        if (fabs(part[v] - asked[v]) > 1e-9) {
            lbio_warn(r->source, 0, "start: a limit clips %s: asked for %.4g%s, it stays at %.4g%s", own->name,
                      unit * asked[v], name, unit * part[v], name);
        }
    }
    free(asked);
    return status;
}

static lb_status read_start(lbio_reader *r, const json_t *root) {
    struct lb_problem_file *file = r->file;
    int count = lb_problem_variable_count(file->problem);
    file->start = malloc(((size_t)count + 1) * sizeof *file->start);
    if (!file->start) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    for (int k = 0; k < file->figure_count; k++) {
        lb_figure_rest_pose(file->figures[k], file->start + lb_problem_first_variable(file->problem, k));
    }
    const json_t *values = lbio_member(r, root, "start");
    lb_status status = values ? lbio_read_values(r, values, file->start) : LB_OK;
    if (values) {
        lbio_leave(r);
    }
    /* Where sites are in it: for what is kept, and for balance. Seen inside the limits, as a solve starts there. */
    for (int k = 0; k < file->figure_count && !status; k++) {
        double *part = file->start + lb_problem_first_variable(file->problem, k);
        r->kinematics[k] = lb_kinematics_create(file->figures[k], NULL);
        status = r->kinematics[k] ? LB_OK : LB_ERROR_MEMORY;
        if (!status && lb_figure_violation(file->figures[k], part) > 1e-9) {
            status = clip_start(r, k, part);
        }
        status = status ? status : lb_kinematics_update(r->kinematics[k], part);
        if (status) {
            lbio_enter(r, "start");
            status = lbio_reader_fail(r, status, "the start pose cannot be used: %s", lb_status_text(status));
            lbio_leave(r);
        }
    }
    return status;
}

/* --- Options -------------------------------------------------------------------------------------- */

static lb_status read_options(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"method",      "jacobian",           "subgoals", "preferred",  "iterations",
                                       "evaluations", "gradient_tolerance", "restarts", "seed",       "tracking",
                                       "keep_going",  "bfgs_update",        "ccd",      "max_change", NULL};
    static const char *const methods[] = {"lm", "bfgs", "ccd", "jacobian", "fabrik", "closed", "hierarchy"};
    static const char *const variants[] = {"transpose", "pseudo-inverse", "damped", "svd-damped"};
    static const char *const updates[] = {"switch", "bfgs", "dfp"}, *const ccds[] = {"dof", "axis"};
    lb_solve_options *o = &r->file->options;
    int method = (int)o->method, variant = (int)o->jacobian, update = (int)o->bfgs_update, ccd = (int)o->ccd;
    double seed = (double)o->seed;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_choice(r, object, "method", methods, 7, &method);
    status = status ? status : lbio_get_choice(r, object, "jacobian", variants, 4, &variant);
    status = status ? status : lbio_get_choice(r, object, "bfgs_update", updates, 3, &update);
    status = status ? status : lbio_get_choice(r, object, "ccd", ccds, 2, &ccd);
    status = status ? status : lbio_get_integer(r, object, "subgoals", 1, 10000, &o->subgoals);
    status = status ? status : lbio_get_value(r, object, "preferred", LBIO_PLAIN, 0, 1e6, &o->preferred);
    status = status ? status : lbio_get_integer(r, object, "iterations", 0, 1e9, &o->max_iterations);
    status = status ? status : lbio_get_integer(r, object, "evaluations", 1, 1e9, &o->max_evaluations);
    status =
        status ? status : lbio_get_value(r, object, "gradient_tolerance", LBIO_PLAIN, 0, 1e6, &o->gradient_tolerance);
    status = status ? status : lbio_get_integer(r, object, "restarts", 0, 1e6, &o->restarts);
    status = status ? status : lbio_get_value(r, object, "seed", LBIO_PLAIN, 0, 9e15, &seed);
    status = status ? status : lbio_get_truth(r, object, "tracking", &o->tracking);
    status = status ? status : lbio_get_truth(r, object, "keep_going", &o->keep_going);
    status = status ? status : lbio_get_value(r, object, "max_change", LBIO_PLAIN, 0, 1e6, &o->max_change);
    o->method = (lb_method)method, o->jacobian = (lb_jacobian_variant)variant, o->seed = (uint64_t)seed;
    o->bfgs_update = (lb_bfgs_update)update, o->ccd = (lb_ccd_variant)ccd;
    return status;
}

static lb_status read_picture(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"azimuth", "elevation", "zoom", "views", NULL};
    static const char *const views[] = {"three-quarter", "front", "side", "top", "back"};
    lb_render_options *p = &r->file->picture;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_value(r, object, "azimuth", LBIO_PLAIN, -360, 360, &p->azimuth_deg);
    status = status ? status : lbio_get_value(r, object, "elevation", LBIO_PLAIN, -90, 90, &p->elevation_deg);
    p->has_camera |= json_object_get(object, "azimuth") || json_object_get(object, "elevation");
    status = status ? status : lbio_get_value(r, object, "zoom", LBIO_PLAIN, 0.01, 100, &p->zoom);
    const json_t *list = status ? NULL : lbio_member(r, object, "views");
    if (!list) {
        return status;
    }
    status = lbio_check_list(r, list, 1, 4);
    p->view_count = status ? 1 : (int)json_array_size(list);
    for (int k = 0; k < p->view_count && !status; k++) {
        const char *text = json_string_value(json_array_get(list, (size_t)k));
        int found = -1;
        for (int v = 0; text && v < 5; v++) {
            found = strcmp(text, views[v]) == 0 ? v : found;
        }
        p->views[k] = (lb_view)(found < 0 ? 0 : found);
        status = found >= 0 ? LB_OK
                            : lbio_reader_fail(r, LB_ERROR_NAME, "views are three-quarter, front, side, top and back");
    }
    lbio_leave(r);
    return status;
}

static lb_status read_expect(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"status", "value", "value_tolerance", NULL};
    static const char *const names[] = {"invalid", "solved", "minimum", "budget"};
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_choice(r, object, "status", names, 4, &r->file->expects);
    status = status ? status : lbio_get_value(r, object, "value", LBIO_PLAIN, 0, 1e300, &r->file->expected_value);
    return status ? status
                  : lbio_get_value(r, object, "value_tolerance", LBIO_PLAIN, 0, 1e300, &r->file->expected_tolerance);
}

static lb_status read_member(lbio_reader *r, const json_t *root, const char *key,
                             lb_status (*read)(lbio_reader *, const json_t *)) {
    const json_t *member = lbio_member(r, root, key);
    if (!member) {
        return LB_OK;
    }
    lb_status status = read(r, member);
    lbio_leave(r);
    return status;
}

/* --- The whole ------------------------------------------------------------------------------------- */

static lb_status read_root(lbio_reader *r, const json_t *root) {
    static const char *const keys[] = {
        "$schema", "title", "description", "source",     "figure",   "figures",  "start",   "constraints", "keep",
        "balance", "avoid", "wishes",      "active",     "inactive", "rigidity", "options", "picture",     "expect",
        "motion",  "body",  "limits",      "collisions", "stand",    "base",     NULL};
    const char *title = "", *unused = NULL;
    lb_status status = lbio_check_keys(r, root, keys);
    status = status ? status : lbio_get_string(r, root, "title", &title);
    status = status ? status : lbio_get_string(r, root, "description", &unused);
    status = status ? status : lbio_get_string(r, root, "source", &unused);
    r->file->has_collisions = json_object_get(root, "collisions") != NULL;
    status = status ? status : lbio_read_figures(r, root);
    status = status ? status : read_start(r, root);
    status = status ? status : lbio_read_bodies(r, root);
    status = status ? status : read_member(r, root, "options", read_options);
    status = status ? status : read_member(r, root, "picture", read_picture);
    status = status ? status : read_member(r, root, "expect", read_expect);
    status = status ? status : read_member(r, root, "constraints", lbio_read_constraints);
    status = status ? status : lbio_read_support(r, root);
    status = status ? status : read_member(r, root, "collisions", lbio_read_collisions);
    status = status ? status : read_member(r, root, "motion", lbio_read_motion);
    if (!status && !(r->file->title = lbio_copy_text(title))) {
        status = lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    return status;
}

static lb_status parse(const lbio_source *source, json_t **root) {
    json_error_t where;
    size_t mark = strncmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* some editors begin a file with it */
    *root = json_loadb(source->text + mark, source->size - mark, JSON_REJECT_DUPLICATES, &where);
    if (*root) {
        return LB_OK;
    }
    enum json_error_code code = json_error_code(&where);
    if (code == json_error_out_of_memory) {
        return lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    return lbio_fail(source, LB_ERROR_SYNTAX, where.line > 0 ? where.line : 0, "not JSON: %s%s", where.text,
                     code == json_error_duplicate_key ? "; keep one of them" : "");
}

lb_status lbio_read_problem(const lbio_source *source, const char *folder, lb_problem_file **file) {
    json_t *root = NULL;
    lb_status status = parse(source, &root);
    if (status) {
        return status;
    }
    lbio_reader r = {.source = source, .folder = folder, .file = calloc(1, sizeof **file)};
    if (r.file) {
        lb_solve_options_defaults(&r.file->options);
        lb_render_options_defaults(&r.file->picture);
        r.file->expects = -1, r.file->expected_value = NAN, r.file->expected_tolerance = 1e-6;
        status = read_root(&r, root);
    } else {
        status = lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    for (int k = 0; k < LBIO_FIGURES_MOST; k++) {
        lb_kinematics_destroy(r.kinematics[k]);
    }
    free(r.groups);
    json_decref(root);
    if (status) {
        lb_problem_file_destroy(r.file);
        return status;
    }
    *file = r.file;
    return LB_OK;
}

static lb_status check_arguments(const void *data, lb_problem_file **file, const char *name, lb_error *error) {
    if (!data || !file) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "no problem, or no place for it, was given");
    }
    *file = NULL;
    return LB_OK;
}

lb_status lb_problem_load_memory(const void *data, size_t size, const char *name, const lb_load_options *given,
                                 lb_problem_file **file, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    lbio_text text = {0};
    error = error ? error : &unseen;
    name = name ? name : "<memory>";
    lb_status status = check_arguments(data, file, name, error);
    if (status) {
        return status;
    }
    status = lbio_take_load_options(given, &options, name, error);
    if (status) {
        return status;
    }
    if (size > options.max_bytes) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0, "larger than the allowed %zu bytes", options.max_bytes);
    }
    lbio_text_bytes(&text, data, size);
    if (text.failed) {
        return lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory");
    }
    lbio_source source = {name, text.data, text.size, &options, error};
    status = lbio_read_problem(&source, NULL, file);
    lbio_text_free(&text);
    return status;
}

lb_status lb_problem_load(const char *path, const lb_load_options *given, lb_problem_file **file, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    char *data = NULL;
    size_t size = 0;
    error = error ? error : &unseen;
    lb_status status = check_arguments(path, file, path, error);
    status = status ? status : lbio_take_load_options(given, &options, path, error);
    status = status ? status : lbio_read_file(path, options.max_bytes, &data, &size, error);
    if (status) {
        return status;
    }
    const char *slash = strrchr(path, '/');
    lbio_text folder = {0};
    lbio_text_bytes(&folder, slash ? path : ".", slash == path ? 1 : slash ? (size_t)(slash - path) : 1);
    lbio_source source = {strcmp(path, "-") == 0 ? "<stdin>" : path, data, size, &options, error};
    status = folder.failed ? lbio_fail(&source, LB_ERROR_MEMORY, 0, "out of memory")
                           : lbio_read_problem(&source, folder.data, file);
    lbio_text_free(&folder);
    free(data);
    return status;
}

void lb_problem_file_destroy(lb_problem_file *file) {
    if (!file) {
        return;
    }
    lb_motion_destroy(file->motion);
    for (int i = 0; i < file->clip_count; i++) {
        lb_clip_destroy(file->clips[i]);
    }
    free(file->clips);
    free(file->motion_spec);
    lb_problem_destroy(file->problem);
    for (int k = 0; k < LBIO_FIGURES_MOST; k++) {
        lb_figure_destroy(file->figures[k]);
        free(file->names[k]);
        free(file->specs[k]);
        free(file->paths[k]);
        free(file->habits[k]);
    }
    free(file->start);
    free(file->title);
    free(file);
}

lb_problem *lb_problem_file_problem(lb_problem_file *file) { return file ? file->problem : NULL; }

const lb_motion *lb_problem_file_motion(const lb_problem_file *file) { return file ? file->motion : NULL; }
const double *lb_problem_file_start(const lb_problem_file *file) { return file ? file->start : NULL; }

lb_status lb_problem_file_options(const lb_problem_file *file, lb_solve_options *options) {
    static const lbf_sized kind = LBS_SIZED_OPTIONS;
    if (!file || !options) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbf_check_sized(&kind, options, NULL);
    if (!status) {
        lbf_give_sized(&kind, &file->options, options);
    }
    return status;
}

lb_status lb_problem_file_picture(const lb_problem_file *file, lb_render_options *options) {
    return file && options ? lbio_give_render_options(&file->picture, options) : LB_ERROR_ARGUMENT;
}

const char *lb_problem_file_title(const lb_problem_file *file) { return file ? file->title : NULL; }

const char *lb_problem_file_figure_name(const lb_problem_file *file, int figure) {
    return file && figure >= 0 && figure < file->figure_count ? file->names[figure] : NULL;
}

int lb_problem_file_expects(const lb_problem_file *file, double *value, double *tolerance) {
    if (!file) {
        return LB_ERROR_ARGUMENT;
    }
    if (value) {
        *value = file->expected_value;
    }
    if (tolerance) {
        *tolerance = file->expected_tolerance;
    }
    return file->expects;
}
