/* Problems as JSON: what reading gives back. Everything is spelled out by segments and numbers; nothing expands a
 * second time. */
#include "io/json/json_write.h"
#include "io/problem/problem.h"
#include "problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    lbio_json json;
    const lb_problem_file *file;
    char text[600]; /* of the last name */
} writer;

/* "segment", or "anna:segment": always with the prefix where there are several figures. */
static const char *full_name(writer *w, int figure, const char *name) {
    if (w->file->figure_count > 1) {
        snprintf(w->text, sizeof w->text, "%s:%s", w->file->names[figure], name);
    } else {
        snprintf(w->text, sizeof w->text, "%s", name);
    }
    return w->text;
}

static const char *segment_name(writer *w, int figure, int segment) {
    return full_name(w, figure, lb_figure_segment(w->file->figures[figure], segment)->name);
}

static void put_figures(writer *w) {
    lbio_json *json = &w->json;
    lbio_json_open(json, "figures", '[');
    for (int k = 0; k < w->file->figure_count; k++) {
        const char *spec = w->file->specs[k]; /* an object with a name at least */
        const lb_body_options *body = lb_problem_body(w->file->problem, k);
        lbio_text_format(&json->text, "%s\n    %.*s", k ? "," : "", (int)strlen(spec) - 1, spec);
        json->is_first = 0;
        if (body) {
            json->is_inline++;
            lbio_put_body(json, w->file->figures[k], body, w->file->habits[k]);
            json->is_inline--;
        }
        lbio_text_add(&json->text, "}");
    }
    lbio_json_close(json, ']');
}

static void put_start(writer *w, const double *start) {
    lbio_json_open(&w->json, "start", '{');
    for (int k = 0; k < w->file->figure_count; k++) {
        const lb_figure *figure = w->file->figures[k];
        int first = lb_problem_first_variable(w->file->problem, k);
        for (int i = 0; i < lb_figure_variable_count(figure); i++) {
            lbio_json_number(&w->json, full_name(w, k, lb_figure_variable(figure, i)->name), start[first + i]);
        }
    }
    lbio_json_close(&w->json, '}');
}

/* --- Constraints --------------------------------------------------------------------------------- */

static void put_effector(writer *w, const lb_constraint *c) {
    if (c->effector.kind == LB_EFFECTOR_COM) {
        lbio_json_string(&w->json, "effector", full_name(w, c->figure, "com"));
        return;
    }
    lbio_json_open(&w->json, "effector", '{');
    lbio_json_string(&w->json, "segment", segment_name(w, c->figure, c->effector.segment));
    lbio_json_numbers(&w->json, "point", c->effector.point, 3);
    lbio_json_numbers(&w->json, "x", c->effector.x, 3);
    lbio_json_numbers(&w->json, "y", c->effector.y, 3);
    lbio_json_close(&w->json, '}');
}

static void put_capsule(writer *w, const lb_goal *goal) {
    double m[9], from[3], to[3];
    lb_rotation_to_matrix(goal->rotation, m);
    for (int i = 0; i < 3; i++) {
        from[i] = goal->point[i] - goal->size[1] * m[3 * i + 2];
        to[i] = goal->point[i] + goal->size[1] * m[3 * i + 2];
    }
    lbio_json_numbers(&w->json, "point", from, 3);
    lbio_json_numbers(&w->json, "to", to, 3);
    lbio_json_number(&w->json, "radius", goal->size[0]);
}

static void put_faces(writer *w, const lb_goal *goal) {
    lbio_json_open(&w->json, "faces", '[');
    for (int k = 0; k < goal->face_count; k++) {
        lbio_json_numbers(&w->json, NULL, goal->faces[k], 4);
    }
    lbio_json_close(&w->json, ']');
}

static void put_directions(writer *w, const lb_goal *goal) {
    double degrees[2] = {goal->degrees_x, goal->degrees_y};
    lbio_json_numbers(&w->json, "x", goal->x, 3);
    lbio_json_numbers(&w->json, "y", goal->y, 3);
    lbio_json_numbers(&w->json, "degrees_per_metre", degrees, 2);
}

/* What only goals of some kinds have. */
static void put_shape(writer *w, const lb_goal *goal) {
    lbio_json *json = &w->json;
    double share = goal->weight_position + goal->weight_orientation;
    switch (goal->kind) {
    case LB_GOAL_FRAME:
        lbio_json_number(json, "position_weight", share > 0 ? goal->weight_position / share : 0.5); /* fall through */
    case LB_GOAL_ORIENTATION:
        put_directions(w, goal);
        break;
    case LB_GOAL_AIM:
        lbio_json_number(json, "degrees_per_metre", goal->degrees_x);
        break;
    case LB_GOAL_LINE:
        lbio_json_numbers(json, "direction", goal->normal, 3);
        break;
    case LB_GOAL_PLANE:
    case LB_GOAL_HALF_SPACE:
        lbio_json_numbers(json, "normal", goal->normal, 3);
        break;
    case LB_GOAL_BOX:
        lbio_json_numbers(json, "half_size", goal->size, 3);
        break;
    case LB_GOAL_CAPSULE:
        put_capsule(w, goal);
        break;
    case LB_GOAL_POLYHEDRON:
        put_faces(w, goal);
        break;
    case LB_GOAL_SPHERE:
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        lbio_json_number(json, "radius", goal->size[0]);
        break;
    default:
        break;
    }
}

static void put_goal(writer *w, const lb_goal *goal) {
    static const char *const kinds[] = {"position", "orientation", "frame",     "aim",    "line",
                                        "plane",    "half-space",  "box",       "sphere", "capsule",
                                        "circle",   "disc",        "polyhedron"};
    lbio_json *json = &w->json;
    lbio_json_open(json, "goal", '{');
    lbio_json_string(json, "kind", kinds[goal->kind]);
    if (goal->carrier_segment >= 0) {
        lbio_json_open(json, "relative_to", '{');
        lbio_json_string(json, "segment", segment_name(w, goal->carrier_figure, goal->carrier_segment));
        lbio_json_close(json, '}');
    }
    if (goal->kind != LB_GOAL_ORIENTATION && goal->kind != LB_GOAL_CAPSULE && goal->kind != LB_GOAL_POLYHEDRON) {
        lbio_json_numbers(json, "point", goal->point, 3);
    }
    put_shape(w, goal);
    if (goal->kind == LB_GOAL_BOX || goal->kind == LB_GOAL_CIRCLE || goal->kind == LB_GOAL_DISC) {
        lbio_json_numbers(json, "quaternion", goal->rotation, 4);
    }
    if (goal->outside) {
        lbio_json_truth(json, "outside", 1);
    }
    lbio_json_close(json, '}');
}

static void put_constraint(writer *w, const lb_constraint *c) {
    lbio_json *json = &w->json;
    double share = c->goal.kind == LB_GOAL_FRAME ? c->goal.weight_position + c->goal.weight_orientation : 1;
    lbio_json_open(json, NULL, '{');
    json->is_inline++;
    if (c->name) {
        lbio_json_string(json, "name", c->name);
    }
    put_effector(w, c);
    put_goal(w, &c->goal);
    lbio_json_number(json, "weight", c->weight * share);
    lbio_json_count(json, "priority", c->priority);
    if (c->any_of > 0) {
        lbio_json_count(json, "any_of", c->any_of);
    }
    if (c->chain_start >= 0) {
        const lb_joint *joint = lb_figure_joint(w->file->figures[c->figure], c->chain_start);
        lbio_json_string(json, "from", full_name(w, c->figure, joint->name));
    }
    lbio_json_numbers(json, "tolerance", c->tolerance, 3);
    lbio_json_number(json, "tolerance_angle", c->tolerance_rad);
    if (c->radius > 0 || c->half_length > 0) {
        lbio_json_number(json, "radius", c->radius);
        lbio_json_number(json, "half_length", c->half_length);
    }
    if (c->disabled) {
        lbio_json_truth(json, "disabled", 1);
    }
    lbio_json_close(json, '}');
    json->is_inline--;
}

/* --- Variables, wishes, options ------------------------------------------------------------------ */

static void put_variables(writer *w) {
    const lb_problem *p = w->file->problem;
    lbio_json_open(&w->json, "rigidity", '{');
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < w->file->figure_count; k++) {
            for (int i = 0; i < lb_figure_variable_count(w->file->figures[k]); i++) {
                const lb_variable *v = lb_figure_variable(w->file->figures[k], i);
                int at = p->first_variables[k] + i;
                if (pass == 0 && p->rigidity[at] != v->rigidity) {
                    lbio_json_number(&w->json, full_name(w, k, v->name), p->rigidity[at]);
                } else if (pass == 1 && !p->active[at]) {
                    lbio_json_string(&w->json, NULL, full_name(w, k, v->name));
                }
            }
        }
        lbio_json_close(&w->json, pass ? ']' : '}');
        if (!pass) {
            lbio_json_open(&w->json, "inactive", '[');
        }
    }
}

static void put_wishes(writer *w) {
    const lb_problem *p = w->file->problem;
    lbio_json *json = &w->json;
    lbio_json_open(json, "wishes", '{');
    lbio_json_string(json, "level", p->wishes.level == LB_WISH_LEVEL_GOALS ? "goals" : "own");
    lbio_json_number(json, "stay", p->wishes.stay_weight);
    lbio_json_number(json, "middle", p->wishes.middle_weight);
    lbio_json_number(json, "manipulability", p->wishes.manipulability_weight);
    lbio_json_open(json, "margin", '{');
    lbio_json_number(json, "distance", p->wishes.margin);
    lbio_json_number(json, "weight", p->wishes.margin_weight);
    lbio_json_close(json, '}');
    lbio_json_open(json, "posture", '{');
    lbio_json_number(json, "weight", p->wishes.posture_weight);
    lbio_json_open(json, "pose", '{');
    for (int k = 0; k < w->file->figure_count && p->wishes.posture_weight > 0; k++) {
        for (int i = 0; i < lb_figure_variable_count(w->file->figures[k]); i++) {
            const lb_variable *v = lb_figure_variable(w->file->figures[k], i);
            lbio_json_number(json, full_name(w, k, v->name), p->posture[p->first_variables[k] + i]);
        }
    }
    lbio_json_close(json, '}');
    lbio_json_close(json, '}');
    lbio_json_close(json, '}');
}

/* A choice that is none of the words, which only a program can make, is saved as the first. */
static const char *word_of(const char *const *words, unsigned count, unsigned choice) {
    return words[choice < count ? choice : 0];
}

static void put_options(writer *w, const lb_solve_options *o) {
    static const char *const variants[] = {"transpose", "pseudo-inverse", "damped", "svd-damped"};
    static const char *const updates[] = {"switch", "bfgs", "dfp"}, *const ccds[] = {"dof", "axis"};
    lbio_json *json = &w->json;
    lbio_json_open(json, "options", '{');
    lbio_json_string(json, "method", lb_method_name(o->method));
    lbio_json_string(json, "jacobian", word_of(variants, 4, (unsigned)o->jacobian));
    lbio_json_string(json, "bfgs_update", word_of(updates, 3, (unsigned)o->bfgs_update));
    lbio_json_string(json, "ccd", word_of(ccds, 2, (unsigned)o->ccd));
    lbio_json_count(json, "subgoals", o->subgoals);
    lbio_json_number(json, "preferred", o->preferred);
    lbio_json_count(json, "iterations", o->max_iterations);
    lbio_json_count(json, "evaluations", o->max_evaluations);
    lbio_json_number(json, "gradient_tolerance", o->gradient_tolerance);
    lbio_json_count(json, "restarts", o->restarts);
    lbio_json_number(json, "seed", (double)o->seed);
    lbio_json_truth(json, "tracking", o->tracking);
    lbio_json_truth(json, "keep_going", o->keep_going);
    lbio_json_number(json, "max_change", o->max_change);
    lbio_json_close(json, '}');
}

/* What cannot be said in a file. */
static lb_status check_problem(const lb_problem_file *file, const char *path, lb_error *error) {
    for (int k = 0; k < lb_problem_constraint_count(file->problem); k++) {
        const lb_constraint *c = lb_problem_constraint(file->problem, k);
        int segments = lb_figure_segment_count(file->figures[c->figure]);
        if (c->goal.kind == LB_GOAL_CUSTOM ||
            (c->effector.kind == LB_EFFECTOR_FRAME && c->effector.segment >= segments)) {
            return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0,
                              "constraint `%.60s` has a goal or an end-effector that only a program has",
                              c->name ? c->name : "without a name");
        }
    }
    if (lbio_collisions_trouble(file->problem)) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0, "%s", lbio_collisions_trouble(file->problem));
    }
    if (lb_problem_figure_count(file->problem) != file->figure_count) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0, "a figure was added that came from no file");
    }
    for (int k = 0; k < file->figure_count; k++) {
        const lb_body_options *body = lb_problem_body(file->problem, k);
        if (body && !lbio_can_write_body(file->figures[k], body)) {
            return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0,
                              "the body of figure `%.60s` has two supports of one contact, or two parts of one name",
                              file->names[k]);
        }
    }
    return LB_OK;
}

static int is_one_of(int choice, int last) { return choice >= 0 && choice <= last; }

static int can_be_written(const lb_solve_options *options) {
    return is_one_of((int)options->method, LB_METHOD_HIERARCHY) &&
           is_one_of((int)options->jacobian, LB_JACOBIAN_VARIANT_SVD_DAMPED) &&
           is_one_of((int)options->bfgs_update, LB_BFGS_UPDATE_DFP) &&
           is_one_of((int)options->ccd, LB_CCD_VARIANT_AXIS) &&
           lbio_are_finite((double[]){options->preferred, options->gradient_tolerance, options->max_change}, 3);
}

/* The text of a problem, to be freed by lbio_text_free; path is for messages. */
static lb_status write_problem(const lb_problem_file *file, const double *start, const lb_solve_options *options,
                               const char *path, lbio_text *text, lb_error *error) {
    static const lbf_sized kind = LBS_SIZED_OPTIONS;
    lb_solve_options taken = file->options;
    lb_error reason;
    if (lbf_take_sized(&kind, options, &taken, &reason)) {
        return lbio_error(error, reason.status, path, 0, "%s", reason.message);
    }
    if (start && !lbio_are_finite(start, lb_problem_variable_count(file->problem))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the start pose has a number that is not finite");
    }
    if (!can_be_written(&taken)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "an option of the solve does not exist, or is not finite");
    }
    lb_status status = check_problem(file, path, error);
    if (status) {
        return status;
    }
    writer w = {.json = {.is_first = 1}, .file = file};
    lbio_json_open(&w.json, NULL, '{');
    lbio_json_string(&w.json, "title", file->title);
    put_figures(&w);
    put_start(&w, start ? start : file->start);
    lbio_json_open(&w.json, "constraints", '[');
    for (int k = 0; k < lb_problem_constraint_count(file->problem); k++) {
        put_constraint(&w, lb_problem_constraint(file->problem, k));
    }
    lbio_json_close(&w.json, ']');
    put_variables(&w);
    put_wishes(&w);
    put_options(&w, &taken);
    lbio_put_collisions(&w.json, file);
    if (file->motion_spec) {
        lbio_text_format(&w.json.text, ",\n  \"motion\": %s", file->motion_spec);
    }
    lbio_json_close(&w.json, '}');
    lbio_text_add(&w.json.text, "\n");
    *text = w.json.text;
    return text->failed ? lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory") : LB_OK;
}

lb_status lb_problem_save(const lb_problem_file *file, const double *start, const lb_solve_options *options,
                          const char *path, lb_error *error) {
    lb_error unseen;
    lbio_text text = {0};
    error = error ? error : &unseen;
    if (!file || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "no problem, or no path, was given");
    }
    lb_status status = write_problem(file, start, options, path, &text, error);
    status = status ? status : lbio_write_file(path, text.data, text.size, error);
    lbio_text_free(&text);
    return status;
}

/* --- Problems that a program made ------------------------------------------------------------------ */

/* A figure's name for prefixes: its own, or its number where another has it. */
static char *made_name(const lb_problem_file *file, int figure) {
    char number[16];
    const char *own = lb_figure_name(file->figures[figure]);
    for (int k = 0; k < figure; k++) {
        if (strcmp(file->names[k], own) == 0) {
            snprintf(number, sizeof number, "%d", figure);
            return lbio_copy_text(number);
        }
    }
    return lbio_copy_text(own);
}

/* {"file": ..., "name": ...}; the path is the first `length` bytes. NULL where there is no memory. */
static char *made_spec(const char *path, size_t length, const char *name) {
    lbio_json json = {.is_first = 1, .is_inline = 1};
    lbio_text file = {0};
    lbio_text_bytes(&file, path, length);
    lbio_json_open(&json, NULL, '{');
    lbio_json_string(&json, "file", file.data);
    lbio_json_string(&json, "name", name);
    lbio_json_close(&json, '}');
    int failed = file.failed || json.text.failed;
    lbio_text_free(&file);
    if (failed) {
        lbio_text_free(&json.text);
    }
    return failed ? NULL : json.text.data;
}

/* The parts of a problem file that a problem alone has; what was taken is freed by free_made. */
static lb_status make_file(const lb_problem *problem, const char *files, lb_problem_file *file, lb_error *error) {
    const char *line = files;
    file->problem = (lb_problem *)problem;
    lb_solve_options_defaults(&file->options);
    for (int k = 0; k < lb_problem_figure_count(problem); k++) {
        size_t length = line ? strcspn(line, "\n") : 0;
        const lb_body_options *body = lb_problem_body(problem, k);
        if (length == 0) {
            return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "figure %d has no file: one line is needed for each",
                              k);
        }
        if (body && lb_problem_habit(problem, k)) {
            return lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0,
                              "the habit of a body that a program made comes from no file: save it without");
        }
        file->figures[k] = (lb_figure *)lb_problem_figure(problem, k);
        file->figure_count = k + 1;
        file->names[k] = made_name(file, k);
        file->specs[k] = file->names[k] ? made_spec(line, length, file->names[k]) : NULL;
        if (!file->specs[k]) {
            return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
        }
        line = line[length] ? line + length + 1 : NULL;
    }
    return LB_OK;
}

static void free_made(lb_problem_file *file) {
    for (int k = 0; k < file->figure_count; k++) {
        free(file->names[k]);
        free(file->specs[k]);
    }
    free(file->start);
}

lb_status lb_problem_save_memory(const lb_problem *problem, const char *files, const double *start,
                                 const lb_solve_options *options, char **text, size_t *size, lb_error *error) {
    lb_error unseen;
    lb_problem_file file = {.title = ""};
    lbio_text written = {0};
    error = error ? error : &unseen;
    if (!problem || !files || !text || !size) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0,
                          "a problem, its files and a place for the text are needed");
    }
    if (lb_problem_figure_count(problem) > LBIO_FIGURES_MOST) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, NULL, 0, "a file has at most %d figures", LBIO_FIGURES_MOST);
    }
    lb_status status = make_file(problem, files, &file, error);
    if (!status) {
        file.start = malloc((size_t)lb_problem_variable_count(problem) * sizeof *file.start + 1);
        status = file.start ? LB_OK : lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    for (int k = 0; !status && k < file.figure_count; k++) {
        lb_figure_rest_pose(file.figures[k], file.start + lb_problem_first_variable(problem, k));
    }
    status = status ? status : write_problem(&file, start, options, "a problem", &written, error);
    free_made(&file);
    if (status) {
        lbio_text_free(&written);
        return status;
    }
    *text = written.data;
    *size = written.size;
    return LB_OK;
}
