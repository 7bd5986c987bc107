#include "drags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

const char *const drags_names[] = {"hand-up",    "hand-jump", "hand-circle",  "hand-far",        "hand-floor",
                                   "pelvis",     "head-turn", "hand-chain",   "foot-lift",       "chest",
                                   "plain-hand", "plain-far", "plain-pelvis", "panda-way",       "panda-far",
                                   "panda-turn", "goal-look", "goal-touch",   "hand-with-goals", NULL};

static int read_numbers(char *text, double *numbers, int most) {
    int count = 0;
    for (char *at = strtok(text, " \n"); at && count < most; at = strtok(NULL, " \n")) {
        numbers[count++] = strtod(at, NULL);
    }
    return count;
}

static void take_line(drags_case *c, const char *word, const double *n, int count) {
    lb_drag_options *o = &c->options;
    if (strcmp(word, "figure") == 0) {
        o->figure = (int)n[0];
    } else if (strcmp(word, "goal") == 0) {
        o->constraint = lb_problem_constraint_id(c->problem, (int)n[0]);
    } else if (strcmp(word, "segment") == 0) {
        o->effector.segment = (int)n[0];
    } else if (strcmp(word, "point") == 0) {
        memcpy(o->effector.point, n, sizeof o->effector.point);
    } else if (strcmp(word, "turns") == 0) {
        o->turns = (int)n[0];
    } else if (strcmp(word, "free") == 0) {
        o->is_free = (int)n[0];
    } else if (strcmp(word, "settled") == 0) {
        c->settled = (int)n[0];
    } else if (strcmp(word, "hold") == 0) {
        REQUIRE(count <= DRAGS_HOLDS);
        for (int i = 0; i < count; i++) {
            c->holds[i] = lb_problem_constraint_id(c->problem, (int)n[i]);
        }
        o->hold_count = count;
        o->holds = c->holds;
    } else if (strcmp(word, "fixed") == 0) {
        for (int i = 0; i < count; i++) {
            REQUIRE(lb_problem_set_active(c->problem, (int)n[i], 0) == LB_OK);
        }
    } else {
        REQUIRE(strcmp(word, "off") == 0);
        for (int i = 0; i < count; i++) {
            lb_problem_enable(c->problem, lb_problem_constraint_id(c->problem, (int)n[i]), 0);
        }
    }
}

static void take_frame(drags_case *c, const char *word, const double *n, int count) {
    if (strcmp(word, "pose") == 0) {
        REQUIRE(count == c->variables && c->count > 0);
        c->frames[c->count - 1].has_pose = 1;
        memcpy(c->frames[c->count - 1].pose, n, (size_t)count * sizeof *n);
        return;
    }
    REQUIRE(c->count < DRAGS_MOST);
    drags_frame *frame = &c->frames[c->count++];
    frame->has_pose = 0;
    if (strcmp(word, "again") == 0) {
        REQUIRE(c->count > 1);
        frame->target = frame[-1].target;
        return;
    }
    REQUIRE(count == 7);
    memcpy(frame->target.position, n, sizeof frame->target.position);
    memcpy(frame->target.rotation, n + 3, sizeof frame->target.rotation);
}

void drags_read(drags_case *c, const char *name) {
    static char line[32768];
    char relative[256], path[512], models[512];
    lb_load_options options;
    lb_error error;
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    check_source("models", models, sizeof models);
    lb_load_options_defaults(&options);
    options.models = models;
    snprintf(relative, sizeof relative, "tests/drags/recorded/%s.json", name);
    check_source(relative, path, sizeof path);
    if (lb_problem_load(path, &options, &c->file, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        REQUIRE(0);
    }
    c->problem = lb_problem_file_problem(c->file);
    c->variables = lb_problem_variable_count(c->problem);
    REQUIRE(c->variables <= DRAGS_VARIABLES);
    lb_drag_options_defaults(&c->options);
    snprintf(relative, sizeof relative, "tests/drags/recorded/%s.drag", name);
    check_source(relative, path, sizeof path);
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    while (fgets(line, sizeof line, file)) {
        double numbers[DRAGS_VARIABLES];
        char *rest = line + strcspn(line, " \n");
        const int is_last = *rest == 0;
        *rest = 0;
        if (strcmp(line, "problem") == 0) {
            continue;
        }
        const int count = is_last ? 0 : read_numbers(rest + 1, numbers, DRAGS_VARIABLES);
        const int is_frame = strcmp(line, "move") == 0 || strcmp(line, "again") == 0 || strcmp(line, "pose") == 0;
        (is_frame ? take_frame : take_line)(c, line, numbers, count);
    }
    fclose(file);
}

void drags_free(drags_case *c) { lb_problem_file_destroy(c->file); }
