/* Verbs of docs/together.md that need no file: solve, several answers, play, path, batch. */
#include "cells.h"

#include <limber/motion.h>
#include <limber/path.h>
#include <string.h>

#include "check.h"

static lb_frame frame_at(const double at[3]) {
    lb_frame frame;
    lb_frame_identity(&frame);
    memcpy(frame.position, at, sizeof frame.position);
    return frame;
}

/* The options that every verb hands to its solves. */
static lb_solve_options options_of(const cell_case *c) {
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.cancel = c->column == COLUMN_deadline && !c->is_alone ? &c->cancel : NULL;
    return options;
}

static void note_stop(cell_case *c, const lb_result *result) { c->is_stopped |= result->outcome == LB_OUTCOME_BUDGET; }

/* Of a goal that is carried the carrier's is moved: it is the last constraint but the hand's own. */
static void move(cell_case *c, const double at[3]) {
    const lb_frame frame = frame_at(at);
    if (!c->tray) {
        REQUIRE(lb_problem_move_goal(c->problem, c->hand, &frame) == LB_OK);
        return;
    }
    for (int i = 0; i < lb_problem_constraint_count(c->problem); i++) {
        if (lb_problem_constraint(c->problem, i)->figure == 1) {
            REQUIRE(lb_problem_move_goal(c->problem, lb_problem_constraint_id(c->problem, i), &frame) == LB_OK);
        }
    }
}

void row_solve(cell_case *c, const cell_actor *actor, cell_column column, int is_alone) {
    cell_open(c, actor, column, is_alone, 1);
    cell_ask(c);
    const lb_solve_options options = options_of(c);
    lb_solver *solver = c->refusal[0] ? NULL : lb_solver_create(c->problem, NULL);
    for (int i = 0; i < 2 && solver; i++) {
        lb_result result;
        lb_result_defaults(&result);
        move(c, i && column == COLUMN_moving ? actor->to : actor->from);
        REQUIRE(lb_solver_solve(solver, &options, c->start, &result) == LB_OK);
        note_stop(c, &result);
        cell_add_pose(c, c->start);
    }
    lb_solver_destroy(solver);
}

void row_answers(cell_case *c, const cell_actor *actor, cell_column column, int is_alone) {
    double poses[4][CELL_MOST];
    cell_open(c, actor, column, is_alone, 1);
    cell_ask(c);
    lb_solve_options options = options_of(c);
    options.restarts = 30;
    if (column == COLUMN_priorities && !is_alone) { /* an answer meets every level, so these must agree */
        const lb_frame here = frame_at(actor->from);
        const int last = lb_problem_constraint_count(c->problem) - 1;
        REQUIRE(lb_problem_move_goal(c->problem, lb_problem_constraint_id(c->problem, last), &here) == LB_OK);
    }
    lb_solver *solver = c->refusal[0] ? NULL : lb_solver_create(c->problem, NULL);
    for (int i = 0; i < 2 && solver; i++) {
        lb_result result;
        lb_result_defaults(&result);
        move(c, i && column == COLUMN_moving ? actor->to : actor->from);
        if (lb_solver_solve_all(solver, &options, c->start, 0.1, 4, poses[0], &result)) {
            cell_refuse(c, result.explanation);
            break;
        }
        note_stop(c, &result);
        const size_t n = (size_t)lb_problem_variable_count(c->problem);
        for (int k = 0; k < result.answer_count; k++) {
            cell_add_pose(c, poses[0] + (size_t)k * n);
        }
    }
    lb_solver_destroy(solver);
}

void row_batch(cell_case *c, const cell_actor *actor, cell_column column, int is_alone) {
    double poses[2 * CELL_MOST];
    lb_answer answers[2];
    lb_error error;
    cell_open(c, actor, column, is_alone, 1);
    cell_ask(c);
    if (c->refusal[0]) {
        return;
    }
    const lb_solve_options options = options_of(c);
    const lb_frame goals[2] = {frame_at(actor->from), frame_at(column == COLUMN_moving ? actor->to : actor->from)};
    int id = c->hand;
    for (int i = 0; i < lb_problem_constraint_count(c->problem) && c->tray; i++) {
        id = lb_problem_constraint(c->problem, i)->figure == 1 ? lb_problem_constraint_id(c->problem, i) : id;
    }
    lb_many many;
    lb_many_defaults(&many);
    many.count = 2;
    many.goal_count = 1;
    many.ids = &id;
    many.goals = goals;
    many.starts = c->start;
    many.one_start = 1;
    if (lb_solve_many(c->problem, &options, &many, poses, answers, &error)) {
        cell_refuse(c, error.message);
        return;
    }
    for (int i = 0; i < 2; i++) {
        c->is_stopped |= answers[i].outcome == LB_OUTCOME_BUDGET;
        cell_add_pose(c, poses + (size_t)i * (size_t)lb_problem_variable_count(c->problem));
    }
}

void row_play(cell_case *c, const cell_actor *actor, cell_column column, int is_alone) {
    double value[7] = {0, 0, 0, 0, 0, 0, 1}, pose[CELL_MOST];
    lb_error error;
    cell_open(c, actor, column, is_alone, 1);
    cell_ask(c);
    if (c->refusal[0]) {
        return;
    }
    lb_motion *motion = lb_motion_create(c->problem, c->start, &error);
    lb_track *track = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    memcpy(value, actor->from, sizeof actor->from);
    lb_track_set(track, 0, value, LB_INTERPOLATION_LINEAR);
    memcpy(value, actor->to, sizeof actor->to);
    lb_track_set(track, 1.5, value, LB_INTERPOLATION_LINEAR);
    int id = c->hand;
    for (int i = 0; i < lb_problem_constraint_count(c->problem) && c->tray; i++) {
        id = lb_problem_constraint(c->problem, i)->figure == 1 ? lb_problem_constraint_id(c->problem, i) : id;
    }
    REQUIRE(motion && lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, id, track) == LB_OK);
    lb_player_options options;
    lb_solve_options how = options_of(c);
    lb_player_options_defaults(&options);
    how.tracking = how.keep_going = 1;
    options.step = 1.0 / 20;
    options.options = &how;
    lb_player *player = lb_player_create(motion, &options, &error);
    REQUIRE(player != NULL);
    for (int i = 0; i <= 6 && !c->refusal[0]; i++) {
        lb_result result;
        lb_result_defaults(&result);
        if (lb_player_pose(player, 0.25 * i, pose, &result)) {
            cell_refuse(c, lb_player_error(player)->message);
        } else {
            note_stop(c, &result);
            cell_add_pose(c, pose);
        }
    }
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_track_destroy(track);
}

void row_path(cell_case *c, const cell_actor *actor, cell_column column, int is_alone) {
    const lb_frame line[2] = {frame_at(actor->from), frame_at(actor->to)};
    lb_path_options options;
    lb_path_result result;
    lb_effector hand;
    lb_error error;
    cell_open(c, actor, column, is_alone, 0);
    cell_ask(c);
    if (c->refusal[0]) {
        return;
    }
    const lb_solve_options how = options_of(c);
    REQUIRE(lb_figure_find_effector(actor->figure, actor->hand, &hand, &error) == LB_OK);
    lb_path_options_defaults(&options);
    lb_path_result_defaults(&result);
    options.is_position = 1;
    options.problem = c->problem;
    options.ways = 8;
    options.cancel = how.cancel;
    lb_path *path = lb_path_create(actor->figure, &hand, 2, line, &options, &error);
    if (!path) {
        cell_refuse(c, error.message);
        return;
    }
    REQUIRE(lb_path_get(path, &result) == LB_OK);
    check_note("path %s, column %d: %s", actor->name, column, result.explanation);
    c->is_stopped = result.end == LB_PATH_END_CANCELLED;
    CHECK(c->is_stopped || result.end == LB_PATH_END_NONE);
    for (int i = 0; i < 10 && result.pose_count > 0; i++) {
        double pose[CELL_MOST];
        lb_path_pose(path, (result.pose_count - 1) * i / 9, pose, NULL);
        cell_add_pose(c, pose);
    }
    check_note("%s", "");
    lb_path_destroy(path);
}
