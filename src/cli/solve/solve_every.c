/* limber solve --answers all: every solution by a closed form. Where none covers the chain from the root on, the
 * longest chain before the end-effector that one covers moves, and all else is held as at the start. */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a shorter chain than the whole must have at least: fewer joints reach hardly any frame, or a curve of points. */
#define FRAME_JOINTS 6
#define POSITION_JOINTS 2

static int is_position(const lb_constraint *c) { return c->goal.kind == LB_GOAL_POSITION; }

/* The closed form of the chain from a segment on, -1 the root's; NULL where there is none. */
static lb_closed *make_from(const lb_figure *figure, const lb_constraint *c, int base, const double *start,
                            const lb_solve_options *limits, lb_error *error) {
    lb_closed_options o;
    lb_closed_options_defaults(&o);
    o.base_segment = base;
    o.pose = start;
    o.is_position = is_position(c);
    o.deadline_us = limits ? limits->deadline_us : 0;
    o.now_us = limits ? limits->now_us : NULL;
    o.now_context = limits ? limits->now_context : NULL;
    return lb_closed_create(figure, &c->effector, &o, error);
}

/* The longest chain that a closed form covers, by the segment that it begins at; -1: there is none. */
static int find_base(const lb_figure *figure, const lb_constraint *c, const double *start) {
    int best = -1, most = (is_position(c) ? POSITION_JOINTS : FRAME_JOINTS) - 1;
    for (int s = 0; s < lb_figure_segment_count(figure); s++) {
        lb_error error;
        lb_closed *closed = make_from(figure, c, s, start, NULL, &error);
        if (lb_closed_variable_count(closed) > most) {
            most = lb_closed_variable_count(closed);
            best = s;
        }
        lb_closed_destroy(closed);
    }
    return best;
}

/* Holds all variables that are not on the chain. */
static void hold_others(lb_problem *problem, const lb_closed *closed) {
    for (int v = 0; v < lb_problem_variable_count(problem); v++) {
        int is_on = 0;
        for (int k = 0; k < lb_closed_variable_count(closed); k++) {
            is_on |= lb_closed_variable(closed, k) == v;
        }
        if (!is_on) {
            lb_problem_set_active(problem, v, 0);
        }
    }
}

int cli_solve_every(lb_problem *problem, const double *start, const lb_solve_options *options, cli_every *every) {
    const lb_constraint *c = lb_problem_constraint(problem, 0);
    const lb_figure *figure = lb_problem_figure(problem, 0);
    lb_error error = {0}, none;
    if (lb_problem_constraint_count(problem) != 1 || lb_problem_figure_count(problem) != 1 || c->disabled ||
        (c->goal.kind != LB_GOAL_FRAME && !is_position(c)) || c->goal.carrier_segment >= 0) {
        return cli_fail(
            CLI_BAD_INPUT,
            "`--answers all` is for one goal that places a frame (NAME like X,Y,Z rpy R,P,Y), or of arms in "
            "a plane a point (NAME at X,Y,Z)");
    }
    every->problem = problem;
    every->held_before = -1;
    every->closed = make_from(figure, c, -1, start, options, &error);
    if (!every->closed) {
        every->held_before = find_base(figure, c, start);
        if (every->held_before < 0) {
            return cli_fail(CLI_BAD_INPUT, "`--answers all`: %s (%s)", error.message,
                            is_position(c) ? "of other arms a goal that places a frame has finitely many answers: NAME "
                                             "like X,Y,Z rpy R,P,Y"
                                           : "no chain of six or seven joints behind it has one");
        }
        every->closed = make_from(figure, c, every->held_before, start, options, &none);
        if (!every->closed) {
            return cli_fail(CLI_BAD_INPUT, "`--answers all`: %s", none.message);
        }
    } else if (lb_figure_root(figure)->is_free) {
        every->held_before = lb_figure_root(figure)->segment;
    }
    if (every->held_before >= 0) {
        hold_others(problem, every->closed);
    }
    every->is_direct = every->held_before >= 0 || lb_closed_variable_count(every->closed) != FRAME_JOINTS;
    return CLI_OK;
}

lb_status cli_solve_every_pose(cli_every *every, const double *start, int most, double *poses, int *count) {
    const size_t variables = (size_t)lb_problem_variable_count(every->problem);
    lb_closed_result found;
    lb_frame goal;
    lb_closed_result_defaults(&found);
    cli_goal_frame(&lb_problem_constraint(every->problem, 0)->goal, &goal);
    lb_status status = lb_closed_solve(every->closed, &goal, start, &found);
    memcpy(every->sentence, found.explanation, sizeof every->sentence);
    *count = found.count < most ? found.count : most;
    for (int i = 0; i < *count && !status; i++) {
        memcpy(poses + (size_t)i * variables, start, variables * sizeof *poses);
        status = lb_closed_pose(every->closed, i, poses + (size_t)i * variables);
    }
    return status;
}

/* Whether the sentence says already that there is no solution. */
static int has_proof(const lb_result *result) {
    for (int i = 0; i < result->said_count; i++) {
        if (result->said[i].kind == LB_SAY_PROOF && result->said[i].value == 0) {
            return 1;
        }
    }
    return 0;
}

int cli_solve_every_explain(const cli_every *every, int count, lb_result *result) {
    const size_t size = sizeof result->explanation;
    const lb_closed_kind kind = lb_closed_kind_of(every->closed);
    size_t used = strlen(result->explanation);
    if (!every->is_direct) {
        return CLI_OK;
    }
    if (result->freedom.variables != lb_closed_variable_count(every->closed)) {
        return cli_fail(CLI_BAD_INPUT, "`--answers all` needs all %d joints of the chain free to move",
                        lb_closed_variable_count(every->closed));
    }
    if (count == 0 && !has_proof(result)) {
        char old[sizeof result->explanation];
        memcpy(old, result->explanation, size);
        snprintf(result->explanation, size, "%.*s; %.*s", (int)(size / 2 - 2), every->sentence, (int)(size / 2 - 2),
                 old);
        used = strlen(result->explanation);
    }
    if (count > 0 && (kind == LB_CLOSED_LIMB || kind == LB_CLOSED_SEVEN || kind == LB_CLOSED_GROUPED)) {
        snprintf(result->explanation + used, size - used, "; each answer stands for an interval of %s",
                 kind == LB_CLOSED_SEVEN ? "one joint's angle" : "the swivel angle");
        used = strlen(result->explanation);
    }
    if (every->held_before >= 0) {
        snprintf(result->explanation + used, size - used,
                 "; only the %d joints behind %s may move, all others are held",
                 lb_closed_variable_count(every->closed),
                 lb_figure_segment(lb_problem_figure(every->problem, 0), every->held_before)->name);
    }
    return CLI_OK;
}
