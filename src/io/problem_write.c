/* Results as JSON: what happened, each constraint in metres and degrees, the limits that hold, the pose by name. */
#include "io/json_write.h"
#include "io/problem.h"
#include <math.h>
#include <stdio.h>

#define DEGREES (180 / 3.14159265358979323846)

/* "elbow", or "anna:elbow" where there are several figures. */
static void variable_name(const lb_problem_file *file, int figure, const char *name, char *text, size_t size) {
    if (file->figure_count > 1) {
        snprintf(text, size, "%s:%s", file->names[figure], name);
    } else {
        snprintf(text, size, "%s", name);
    }
}

static void put_constraints(lbio_json *json, const lb_problem_file *file, const lb_result *result) {
    lbio_json_open(json, "constraints", '[');
    for (int k = 0; k < result->constraint_count; k++) {
        const lb_constraint_result *c = &result->constraints[k];
        const lb_constraint *asked = lb_problem_constraint(file->problem, k);
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_count(json, "id", c->id);
        lbio_json_string(json, "name", asked->name);
        lbio_json_truth(json, "met", c->met);
        lbio_json_truth(json, "counted", c->counted);
        lbio_json_number(json, "value", c->value);
        lbio_json_number(json, "weight", asked->weight);
        lbio_json_count(json, "priority", asked->priority);
        lbio_json_number(json, "distance_m", c->distance);
        lbio_json_number(json, "angle_deg", c->angle_rad * DEGREES);
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

static void put_limits(lbio_json *json, const lb_problem_file *file, const lb_result *result) {
    char name[512];
    lbio_json_open(json, "limits", '[');
    for (int k = 0; k < result->limit_count; k++) {
        const lb_active_limit *limit = &result->limits[k];
        int is_row = limit->variable < 0;
        int at = is_row ? 0 : limit->variable - lb_problem_first_variable(file->problem, limit->figure);
        variable_name(file, limit->figure, limit->name ? limit->name : "a limit", name, sizeof name);
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_string(json, "name", name);
        lbio_json_string(json, "end", is_row ? "row" : limit->is_upper ? "upper" : "lower");
        lbio_json_number(json, "value", limit->value);
        if (!is_row) {
            lbio_json_string(json, "unit",
                             lb_figure_variable(file->figures[limit->figure], at)->is_angle ? "rad" : "m");
        }
        lbio_json_number(json, "multiplier", limit->multiplier);
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

/* Each value with its range, how far it is from the nearer limit, and at which one it is. */
static void put_variables(lbio_json *json, const lb_problem_file *file, const double *pose) {
    char name[512];
    lbio_json_open(json, "variables", '[');
    for (int k = 0; k < lb_problem_variable_count(file->problem); k++) {
        int figure = file->figure_count - 1;
        while (lb_problem_first_variable(file->problem, figure) > k) {
            figure--;
        }
        int first = lb_problem_first_variable(file->problem, figure);
        const lb_variable *v = lb_figure_variable(file->figures[figure], k - first);
        double below = pose[k] - v->lower, above = v->upper - pose[k], margin = fmax(0, fmin(below, above));
        variable_name(file, figure, v->name, name, sizeof name);
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_string(json, "name", name);
        lbio_json_number(json, "value", pose[k]);
        lbio_json_string(json, "unit", v->is_angle ? "rad" : "m");
        lbio_json_number(json, "lower", v->lower);
        lbio_json_number(json, "upper", v->upper);
        lbio_json_number(json, "margin", margin);
        lbio_json_string(json, "limit",
                         margin >= LBIO_AT_LIMIT ? NULL
                         : v->lower == v->upper  ? "fixed"
                         : above < below         ? "upper"
                                                 : "lower");
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

static void put_pose(lbio_json *json, const lb_problem_file *file, const char *key, const double *pose) {
    char name[512];
    lbio_json_open(json, key, '{');
    for (int k = 0; k < file->figure_count; k++) {
        int first = lb_problem_first_variable(file->problem, k);
        for (int i = 0; i < lb_figure_variable_count(file->figures[k]); i++) {
            variable_name(file, k, lb_figure_variable(file->figures[k], i)->name, name, sizeof name);
            lbio_json_number(json, name, pose[first + i]);
        }
    }
    lbio_json_close(json, '}');
}

lb_status lb_result_save(const lb_problem_file *file, lb_method method, const double *pose, const lb_result *result,
                         double time_us, const char *path, lb_error *error) {
    lb_error unseen;
    error = error ? error : &unseen;
    if (!file || !pose || !result || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "a result needs its problem, a pose and a path");
    }
    return lbio_write_results(file, method, -1, pose, result, time_us, path, error);
}

lb_status lbio_write_results(const lb_problem_file *file, lb_method method, int count, const double *poses,
                             const lb_result *result, double time_us, const char *path, lb_error *error) {
    lbio_json json = {.is_first = 1};
    lbio_json_open(&json, NULL, '{');
    lbio_json_string(&json, "limber", lb_version());
    lbio_json_string(&json, "title", file->title);
    lbio_json_string(&json, "status", lb_outcome_name(result->outcome));
    lbio_json_string(&json, "explanation", result->explanation);
    lbio_json_string(&json, "method", lb_method_name(method));
    lbio_json_number(&json, "value_before", result->value_before);
    lbio_json_number(&json, "value", result->value);
    lbio_json_number(&json, "gradient_norm", result->gradient_norm);
    lbio_json_count(&json, "iterations", result->iterations);
    lbio_json_count(&json, "evaluations", result->evaluations);
    lbio_json_count(&json, "restarts", result->restarts);
    if (time_us >= 0) {
        lbio_json_number(&json, "time_us", time_us);
    }
    put_constraints(&json, file, result);
    put_limits(&json, file, result);
    put_variables(&json, file, poses);
    put_pose(&json, file, "pose", poses);
    if (count >= 0) {
        lbio_json_open(&json, "answers", '[');
        for (int k = 0; k < count; k++) {
            put_pose(&json, file, NULL, poses + (size_t)k * (size_t)lb_problem_variable_count(file->problem));
        }
        lbio_json_close(&json, ']');
    }
    lbio_json_close(&json, '}');
    lbio_text_add(&json.text, "\n");
    lb_status status = json.text.failed ? lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory")
                                        : lbio_write_file(path, json.text.data, json.text.size, error);
    lbio_text_free(&json.text);
    return status;
}
