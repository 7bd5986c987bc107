/* The abilities of docs/together.md: how each is asked for. */
#include "cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

void cell_refuse(cell_case *c, const char *sentence) { snprintf(c->refusal, sizeof c->refusal, "%s", sentence); }

void cell_add_pose(cell_case *c, const double *pose) {
    const size_t size = (size_t)lb_problem_variable_count(c->problem) * sizeof *pose;
    REQUIRE(c->pose_count < CELL_POSES);
    memcpy(c->poses[c->pose_count++], pose, size);
}

/* A tray that moves as a whole. */
static lb_figure *make_tray(void) {
    lb_figure *tray = NULL;
    lb_segment segment;
    lb_root root;
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment_defaults(&segment);
    segment.name = "tray";
    REQUIRE(lb_builder_add_segment(b, &segment) == 0);
    lb_root_defaults(&root);
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK && lb_builder_finish(b, &tray) == LB_OK);
    lb_builder_destroy(b);
    return tray;
}

void cell_open(cell_case *c, const cell_actor *actor, cell_column column, int is_alone, int has_goal) {
    lb_constraint reach;
    memset(c, 0, sizeof *c);
    c->actor = actor;
    c->column = column;
    c->is_alone = is_alone;
    c->hand = -1;
    c->problem = lb_problem_create(actor->figure, NULL);
    lb_figure_rest_pose(actor->figure, c->start);
    if (has_goal) {
        REQUIRE(lb_constraint_at(actor->figure, actor->hand, actor->from, &reach) == LB_OK);
        c->hand = lb_problem_add(c->problem, &reach);
        REQUIRE(c->hand > 0);
    }
    if (actor->is_person) {
        REQUIRE(lb_problem_set_body(c->problem, 0, NULL) == LB_OK);
    }
}

void cell_close(cell_case *c) {
    lb_problem_destroy(c->problem);
    lb_figure_destroy(c->tray);
    c->problem = NULL, c->tray = NULL;
}

static void check_asked(cell_case *c, lb_status status) {
    if (status) {
        cell_refuse(c, lb_problem_error(c->problem)->message);
    }
}

/* A post where the lower arm would be. */
static lb_status ask_apart(cell_case *c, int itself) {
    lb_solid post = {"post", {0}};
    lb_collisions apart;
    lb_collisions_defaults(&apart);
    lb_shape_defaults(&post.shape);
    post.shape.kind = LB_SHAPE_CYLINDER;
    post.shape.size[0] = 0.04;
    post.shape.size[1] = 0.3;
    memcpy(post.shape.frame.position, c->actor->post, sizeof c->actor->post);
    apart.self = itself;
    apart.solid_count = !itself;
    apart.solids = &post;
    apart.samples = 100;
    return lb_problem_set_collisions(c->problem, &apart);
}

static lb_status ask_priorities(cell_case *c) {
    lb_constraint other;
    REQUIRE(lb_constraint_at(c->actor->figure, c->actor->hand, c->actor->elsewhere, &other) == LB_OK);
    other.priority = 1;
    const int id = lb_problem_add(c->problem, &other);
    return id < 0 ? (lb_status)id : LB_OK;
}

static lb_status ask_load(cell_case *c) {
    lb_effector hand;
    lb_load load;
    lb_body_options body;
    REQUIRE(lb_figure_find_effector(c->actor->figure, c->actor->hand, &hand, NULL) == LB_OK);
    memset(&load, 0, sizeof load);
    load.segment = hand.segment;
    load.mass = 8;
    lb_body_options_defaults(&body);
    body.load_count = 1;
    body.loads = &load;
    return lb_problem_set_body(c->problem, 0, &body);
}

/* Both feet on a stage, 5 cm above the floor. */
static lb_status ask_contacts(cell_case *c) {
    lb_surface stage;
    lb_support supports[16];
    lb_body_options options;
    const lb_body *body = lb_figure_body(c->actor->figure);
    memset(&stage, 0, sizeof stage);
    stage.name = "stage";
    stage.point[2] = 0.05;
    stage.half_size[0] = stage.half_size[1] = 2;
    lb_body_options_defaults(&options);
    options.surface_count = 1;
    options.surfaces = &stage;
    options.supports = supports;
    for (int i = 0; body && i < body->contact_count && options.support_count < 16; i++) {
        if (body->contacts[i].kind == LB_CONTACT_BALL) {
            supports[options.support_count++] = (lb_support){i, 0};
        }
    }
    return lb_problem_set_body(c->problem, 0, &options);
}

/* The hand goes where a tray has it, which is told to be somewhere. */
static lb_status ask_carried(cell_case *c) {
    lb_constraint place;
    lb_frame at;
    c->tray = make_tray();
    const int count = lb_problem_variable_count(c->problem);
    if (lb_problem_add_figure(c->problem, c->tray) != 1) {
        return LB_ERROR_ARGUMENT;
    }
    memset(c->start + count, 0, 6 * sizeof *c->start);
    lb_frame_identity(&at);
    memcpy(at.position, c->actor->from, sizeof at.position);
    REQUIRE(lb_constraint_frame(c->tray, "tray", &at, &place) == LB_OK);
    place.figure = 1;
    REQUIRE(lb_problem_add(c->problem, &place) > 0);
    if (c->hand > 0) {
        lb_constraint reach = *lb_problem_constraint(c->problem, 0);
        reach.goal.carrier_figure = 1;
        reach.goal.carrier_segment = 0;
        memset(reach.goal.point, 0, sizeof reach.goal.point);
        const int old = c->hand; /* goes after the other is there, which takes its name */
        c->hand = lb_problem_add(c->problem, &reach);
        if (c->hand < 0) {
            return (lb_status)c->hand;
        }
        REQUIRE(lb_problem_remove(c->problem, old) == LB_OK);
    }
    return LB_OK;
}

/* Who has it bends the left elbow by a radian. */
static lb_status ask_habit(cell_case *c) {
    static const double factor = 30;
    lb_habit_feature feature = {LB_HABIT_VARIABLE, NULL, 1.0};
    lb_habit_data data;
    lb_error error;
    for (int v = 6; v < lb_figure_variable_count(c->actor->figure) && !feature.name; v++) {
        const lb_variable *variable = lb_figure_variable(c->actor->figure, v);
        if (strstr(variable->name, "left_elbow") || strstr(variable->name, "left_forearm") || !c->actor->is_person) {
            feature.name = variable->name;
        }
    }
    lb_habit_data_defaults(&data);
    data.feature_count = 1;
    data.features = &feature;
    data.factor = &factor;
    lb_habit *habit = lb_habit_create(&data, NULL, &error);
    REQUIRE(habit != NULL);
    const lb_status status = lb_problem_set_habit(c->problem, 0, habit);
    lb_habit_destroy(habit);
    return status;
}

void cell_ask(cell_case *c) {
    if (c->is_alone) {
        return;
    }
    switch (c->column) {
    case COLUMN_body:
        check_asked(c, lb_problem_set_body(c->problem, 0, NULL));
        break;
    case COLUMN_itself:
    case COLUMN_surroundings:
        check_asked(c, ask_apart(c, c->column == COLUMN_itself));
        break;
    case COLUMN_priorities:
        check_asked(c, ask_priorities(c));
        break;
    case COLUMN_strength:
        check_asked(c, ask_load(c));
        break;
    case COLUMN_contacts:
        check_asked(c, ask_contacts(c));
        break;
    case COLUMN_carried:
        check_asked(c, ask_carried(c));
        break;
    case COLUMN_habit:
        check_asked(c, ask_habit(c));
        break;
    case COLUMN_deadline:
        lb_cancel_request(&c->cancel);
        break;
    case COLUMN_moving:
    case COLUMNS:
        break;
    }
}
