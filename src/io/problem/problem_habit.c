/* The habit of a body in a problem file: a file, by its path or as a model's name, and what it weighs. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".habit"

/* Where a habit is: a file, seen from the problem's folder, or a model's. */
static lb_status find_habit(lbio_reader *r, const char *name, char *path, size_t size) {
    const char *models = r->source->options->models;
    const size_t length = strlen(name), end = strlen(ENDING);
    const int is_given = length > 0 && length < 1024;
    if (r->folder && is_given) {
        snprintf(path, size, "%s%s%s", name[0] == '/' ? "" : r->folder, name[0] == '/' ? "" : "/", name);
        if (lbio_is_file(path)) {
            return LB_OK;
        }
    }
    if (models && is_given && !strchr(name, '/')) {
        const int has_ending = length > end && strcmp(name + length - end, ENDING) == 0;
        snprintf(path, size, "%s/%s%s", models, name, has_ending ? "" : ENDING);
        if (lbio_is_file(path)) {
            return LB_OK;
        }
    }
    return lbio_reader_fail(
        r, LB_ERROR_FILE, "there is no habit `%.100s`: neither a file, seen from this one's folder, nor one of a model",
        name);
}

static lb_status load_habit(lbio_reader *r, int figure, const char *name) {
    char path[4096];
    lb_habit *habit = NULL;
    lb_problem *problem = r->file->problem;
    lb_status status = find_habit(r, name, path, sizeof path);
    status =
        status ? status : lb_habit_load(path, r->file->figures[figure], r->source->options, &habit, r->source->error);
    if (!status && lb_problem_set_habit(problem, figure, habit)) {
        status = lbio_reader_fail(r, lb_problem_error(problem)->status, "%s", lb_problem_error(problem)->message);
    }
    lb_habit_destroy(habit);
    free(r->file->habits[figure]);
    r->file->habits[figure] = status ? NULL : lbio_copy_text(name);
    return status || r->file->habits[figure] ? status : lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
}

static lb_status read_object(lbio_reader *r, const json_t *object, int figure, double *weight) {
    static const char *const keys[] = {"file", "weight", NULL};
    const char *name = NULL;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "file", &name);
    status = status ? status : lbio_get_value(r, object, "weight", LBIO_PLAIN, 0, INFINITY, weight);
    return status || !name ? status : load_habit(r, figure, name);
}

lb_status lbio_read_habit(lbio_reader *r, const json_t *body, int figure, double *weight) {
    const json_t *member = json_object_get(body, "habit");
    lb_status status = LB_OK;
    if (json_is_boolean(member)) {
        *weight = json_is_true(member);
    } else if (json_is_string(member) || json_is_object(member)) {
        lbio_enter(r, "habit");
        status = json_is_string(member) ? load_habit(r, figure, json_string_value(member))
                                        : read_object(r, member, figure, weight);
        lbio_leave(r);
    } else if (member) {
        status = lbio_get_value(r, body, "habit", LBIO_PLAIN, 0, INFINITY, weight);
    }
    return status;
}

void lbio_put_habit(lbio_json *json, const char *file, double weight) {
    if (!file) {
        lbio_json_number(json, "habit", weight);
        return;
    }
    lbio_json_open(json, "habit", '{');
    lbio_json_string(json, "file", file);
    lbio_json_number(json, "weight", weight);
    lbio_json_close(json, '}');
}
