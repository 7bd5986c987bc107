/* Results as JSON: what happened, each constraint in metres and degrees, the limits that hold, the pose by name. */
#include "io/json/json_write.h"
#include "io/problem/problem.h"
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
        if (result->wish_value > 0) {
            lbio_json_numbers(json, "force", c->force, 3);
            lbio_json_numbers(json, "moment", c->moment, 3);
        }
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

static void put_reasons(lbio_json *json, const lb_problem_file *file, const lb_result *result) {
    char name[512];
    lbio_json_open(json, "reasons", '[');
    for (int k = 0; k < result->reason_count; k++) {
        const lb_reason *r = &result->reasons[k];
        int is_limit = r->kind == LB_REASON_LIMIT, has_unit = is_limit || r->kind == LB_REASON_REGION;
        int at = has_unit ? r->variable - lb_problem_first_variable(file->problem, r->figure) : 0;
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_string(json, "kind", lb_reason_name(r->kind));
        if (has_unit || r->kind == LB_REASON_ROW) {
            variable_name(file, r->figure, r->name ? r->name : "a limit", name, sizeof name);
            lbio_json_string(json, "name", name);
            lbio_json_string(json, "end",
                             r->kind == LB_REASON_REGION ? "region"
                             : !is_limit                 ? "row"
                             : r->is_upper               ? "upper"
                                                         : "lower");
        } else if (r->constraint >= 0) {
            lbio_json_string(json, "name", r->name);
            lbio_json_count(json, "constraint", lb_problem_constraint_id(file->problem, r->constraint));
        } else if (r->kind == LB_REASON_OBSTACLE) {
            lbio_json_string(json, "name", r->name);
        }
        if (r->give - r->give == 0) { /* finite: taking a limit away altogether has no number */
            lbio_json_number(json, "give", r->give);
        }
        if (has_unit) {
            lbio_json_string(json, "unit", lb_figure_variable(file->figures[r->figure], at)->is_angle ? "rad" : "m");
        }
        lbio_json_number(json, "gain_m", r->gain);
        lbio_json_number(json, "gain_deg", r->gain_rad * DEGREES);
        lbio_json_number(json, "share", r->share);
        lbio_json_truth(json, "reached", r->reached);
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

/* Each value with its range, how far it may move by itself to the nearer limit, and at which one it is. */
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
        lb_room room;
        lb_figure_room(file->figures[figure], pose + first, k - first, &room);
        double below = pose[k] - room.lower, above = room.upper - pose[k], margin = fmax(0, fmin(below, above));
        const lb_limit_row *row = lb_figure_row(file->figures[figure], above < below ? room.upper_row : room.lower_row);
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
                         : row                   ? "row"
                         : above < below         ? "upper"
                                                 : "lower");
        if (row && margin < LBIO_AT_LIMIT) {
            lbio_json_string(json, "row", row->name);
        }
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

static void put_levels(lbio_json *json, const lb_result *result) {
    lbio_json_open(json, "levels", '[');
    for (int k = 0; k < result->level_count; k++) {
        const lb_level_result *l = &result->levels[k];
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        if (l->is_wishes) {
            lbio_json_string(json, "priority", "wishes");
        } else {
            lbio_json_number(json, "priority", l->priority);
        }
        lbio_json_truth(json, "met", l->met);
        lbio_json_number(json, "value", l->value);
        lbio_json_number(json, "gradient_norm", l->gradient_norm);
        lbio_json_close(json, '}');
        json->is_inline--;
    }
    lbio_json_close(json, ']');
}

static void put_freedom(lbio_json *json, const lb_freedom *f) {
    if (f->determinacy == LB_DETERMINACY_UNKNOWN) {
        return;
    }
    lbio_json_open(json, "freedom", '{');
    json->is_inline++;
    lbio_json_string(json, "determinacy", lb_determinacy_name(f->determinacy));
    lbio_json_count(json, "variables", f->variables);
    lbio_json_count(json, "freedoms", f->freedoms);
    lbio_json_count(json, "equations", f->equations);
    lbio_json_count(json, "rank", f->rank);
    lbio_json_count(json, "redundancy", f->redundancy);
    lbio_json_close(json, '}');
    json->is_inline--;
}

/* How well each end-effector can move. */
static void put_measures(lbio_json *json, const lb_problem_file *file, const lb_result *result) {
    if (!result->measure_count) {
        return;
    }
    lbio_json_open(json, "measures", '[');
    for (int k = 0; k < result->measure_count; k++) {
        const lb_measure *m = &result->measures[k];
        const lb_constraint *c = lb_problem_constraint(file->problem, k);
        char name[512];
        if (m->rows == 0 || !c) {
            continue;
        }
        lbio_json_open(json, NULL, '{');
        json->is_inline++;
        lbio_json_count(json, "id", lb_problem_constraint_id(file->problem, k));
        lbio_json_string(json, "name", c->name);
        lbio_json_count(json, "rows", m->rows);
        lbio_json_number(json, "manipulability", m->manipulability);
        lbio_json_number(json, "condition", m->condition);
        lbio_json_number(json, "singularity", m->singularity);
        lbio_json_number(json, "limit", m->limit);
        if (m->limit_variable >= 0) {
            lb_problem_variable_name(file->problem, m->limit_variable, name, sizeof name);
        }
        lbio_json_string(json, "limit_variable", m->limit_variable >= 0 ? name : NULL);
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

/* Whether a result's lists are there, and as long as it says. */
static int has_lists(const lb_result *r) {
    const int counts[] = {r->constraint_count, r->limit_count, r->level_count, r->reason_count, r->measure_count};
    const void *const lists[] = {r->constraints, r->limits, r->levels, r->reasons, r->measures};
    for (int i = 0; i < 5; i++) {
        if (counts[i] < 0 || (counts[i] > 0 && !lists[i])) {
            return 0;
        }
    }
    if ((int)r->freedom.determinacy < 0 || r->freedom.determinacy > LB_DETERMINACY_OVER) {
        return 0;
    }
    return r->unmet >= -1 && r->unmet < (r->constraint_count > 0 ? r->constraint_count : 1) &&
           r->wish_value - r->wish_value == 0;
}

lb_status lb_result_save(const lb_problem_file *file, lb_method method, const double *pose, const lb_result *given,
                         double time_us, const char *path, lb_error *error) {
    static const lbf_sized kind = LBS_SIZED_RESULT;
    lb_result taken;
    const lb_result *result = &taken;
    lb_error unseen, reason;
    error = error ? error : &unseen;
    if (!file || !pose || !given || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "a result needs its problem, a pose and a path");
    }
    lb_result_defaults(&taken);
    if (lbf_take_sized(&kind, given, &taken, &reason)) {
        return lbio_error(error, reason.status, path, 0, "%s", reason.message);
    }
    if ((int)method < 0 || method > LB_METHOD_HIERARCHY || (int)result->outcome < 0 ||
        result->outcome > LB_OUTCOME_BUDGET || (int)result->engine < 0 || result->engine > LB_ENGINE_HIERARCHY) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the result's method, engine or outcome does not exist");
    }
    if (!has_lists(result)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the result's lists or numbers are not what they can be");
    }
    if (!lbio_are_finite(pose, lb_problem_variable_count(file->problem))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "the pose has a number that is not finite");
    }
    return lbio_write_results(file, method, &(lbio_answers){-1, pose, NULL}, result, time_us, path, error);
}

lb_status lbio_write_results(const lb_problem_file *file, lb_method method, const lbio_answers *answers,
                             const lb_result *result, double time_us, const char *path, lb_error *error) {
    const int count = answers->count;
    const double *poses = answers->poses;
    lbio_json json = {.is_first = 1};
    lbio_json_open(&json, NULL, '{');
    lbio_json_string(&json, "limber", lb_version());
    lbio_json_string(&json, "title", file->title);
    lbio_json_string(&json, "status", lb_outcome_name(result->outcome));
    lbio_json_string(&json, "explanation", result->explanation);
    lbio_json_string(&json, "method", lb_method_name(method));
    lbio_json_string(&json, "engine", lb_engine_name(result->engine));
    lbio_json_number(&json, "value_before", result->value_before);
    lbio_json_number(&json, "value", result->value);
    lbio_json_number(&json, "wish_value", result->wish_value);
    lbio_json_number(&json, "gradient_norm", result->gradient_norm);
    lbio_json_count(&json, "iterations", result->iterations);
    lbio_json_count(&json, "evaluations", result->evaluations);
    lbio_json_count(&json, "restarts", result->restarts);
    if (time_us >= 0) {
        lbio_json_number(&json, "time_us", time_us);
    }
    put_constraints(&json, file, result);
    put_levels(&json, result);
    put_limits(&json, file, result);
    if (result->unmet >= 0 && result->unmet < result->constraint_count) {
        lbio_json_count(&json, "unmet", result->constraints[result->unmet].id);
    }
    put_reasons(&json, file, result);
    put_freedom(&json, &result->freedom);
    put_measures(&json, file, result);
    lbio_put_body_results(&json, file, answers->solver);
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
