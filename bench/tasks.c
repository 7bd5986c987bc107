#include "tasks.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIANS (3.14159265358979323846 / 180)

/* ---------------------------------------------------------------------------------------------------
 * Problems and their instances
 * ------------------------------------------------------------------------------------------------- */

void bench_task_open(bench_task *task, const char *name) {
    char relative[128], path[1024], models[1024];
    lb_load_options options;
    lb_error error;
    snprintf(task->name, sizeof task->name, "%s", name);
    snprintf(relative, sizeof relative, "problems/%s.json", name);
    bench_source_path(relative, path);
    bench_source_path("models", models);
    lb_load_options_defaults(&options);
    options.models = models;
    if (lb_problem_load(path, &options, &task->file, &error)) {
        bench_stop("%s", error.message);
    }
    task->problem = lb_problem_file_problem(task->file);
    lb_solve_options_defaults(&task->options);
    lb_problem_file_options(task->file, &task->options);
    task->variables = lb_problem_variable_count(task->problem);
    task->start = lb_problem_file_start(task->file);
    task->solver = lb_solver_create(task->problem, NULL);
    task->pose = bench_alloc((size_t)task->variables + 1, sizeof(double));
    if (!task->solver) {
        bench_stop("no memory");
    }
}

void bench_task_close(bench_task *task) {
    lb_solver_destroy(task->solver);
    lb_problem_file_destroy(task->file);
    free(task->pose);
}

void bench_task_solve(bench_task *task, lb_method method, lb_result *result) {
    task->options.method = method;
    lb_result_defaults(result);
    memcpy(task->pose, task->start, (size_t)task->variables * sizeof(double));
    if (lb_solver_solve(task->solver, &task->options, task->pose, result)) {
        result->outcome = LB_OUTCOME_INVALID;
    }
}

/* Ranges of a person who handles something ahead of them, in degrees; those of the rest are a part of their limits. */
static const struct {
    const char *ending;
    double low, high;
} ahead[] = {{"shoulder.elevation", 15, 100},
             {"shoulder.abduction", -20, 45},
             {"shoulder.twist", -40, 40},
             {"elbow", 20, 120},
             {"forearm", -60, 60},
             {"wrist.flexion", -35, 35},
             {"wrist.deviation", -17, 17}};

static int ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* Flexion, lateral and axial of the spine, whether one group or seventeen joints, else -1. */
static int spine_direction(const char *name) {
    static const char *const directions[] = {"flexion", "lateral", "axial"};
    int is_spine = strncmp(name, "spine.", 6) == 0 || ((*name == 'L' || *name == 'T') && name[1] <= '9');
    for (int i = 0; is_spine && i < 3; i++) {
        if (ends_with(name, directions[i])) {
            return i;
        }
    }
    return -1;
}

/* A part (-1 to 1) of the way from the rest value to a limit. */
static double part_of_range(const lb_variable *v, double part) {
    return v->rest + (part > 0 ? part * (v->upper - v->rest) : part * (v->rest - v->lower));
}

/* A posture at random: the arms ahead, or (is_wide) anywhere in four fifths of their range; the head within two fifths of
 * its own; the spine bent in one direction, each level a little differently. The root and the legs stay. */
static void random_posture(const lb_figure *figure, uint64_t *state, int is_wide, double *pose) {
    double bend[3] = {bench_uniform(state, -0.3, 0.8), bench_uniform(state, -0.7, 0.7),
                      bench_uniform(state, -0.7, 0.7)};
    lb_figure_rest_pose(figure, pose);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        const lb_variable *v = lb_figure_variable(figure, i);
        int direction = spine_direction(v->name);
        double chance = v->rigidity < 1 ? bench_uniform(state, -1, 1) : 0;
        if (direction >= 0) {
            pose[i] = part_of_range(v, 0.8 * bend[direction] + 0.2 * chance);
        }
        if (strncmp(v->name, "neck", 4) == 0 || strncmp(v->name, "head", 4) == 0) {
            pose[i] = part_of_range(v, 0.4 * chance);
        }
        if (is_wide && ends_with(v->name, "hand.grip")) {
            pose[i] = part_of_range(v, 0.5 + 0.4 * chance);
        }
        for (size_t k = 0; k < sizeof ahead / sizeof *ahead; k++) {
            if (!ends_with(v->name, ahead[k].ending)) {
                continue;
            }
            pose[i] = is_wide ? part_of_range(v, 0.8 * chance)
                              : RADIANS * (ahead[k].low + (ahead[k].high - ahead[k].low) * (0.5 + 0.5 * chance));
        }
    }
}

/* Goals in the world for the first figure, from what a pose of it does. */
static void aim_at_pose(bench_task *task, double *pose, double push) {
    const lb_figure *figure = lb_problem_figure(task->problem, 0);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double gaze[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    if (!kinematics || lb_kinematics_project(kinematics, pose) || lb_kinematics_update(kinematics, pose)) {
        bench_stop("no posture");
    }
    for (int round = 0; round < 2; round++) { /* the aim first: the line runs along it */
        for (int i = 0; i < lb_problem_constraint_count(task->problem); i++) {
            lb_constraint c = *lb_problem_constraint(task->problem, i);
            double e[9];
            if ((c.goal.kind == LB_GOAL_AIM) != (round == 0)) {
                continue;
            }
            lb_kinematics_effector(kinematics, &c.effector, e);
            if (round == 0) {
                memcpy(gaze, e, sizeof gaze);
            }
            c.goal.carrier_segment = -1;
            for (int k = 0; k < 3; k++) {
                c.goal.point[k] = e[k] + (c.goal.kind == LB_GOAL_AIM ? 0.9 * e[3 + k] : 0);
                c.goal.x[k] = e[3 + k];
                c.goal.y[k] = e[6 + k];
                if (c.goal.kind == LB_GOAL_LINE) {
                    c.goal.normal[k] = gaze[3 + k];
                }
            }
            if (c.goal.kind == LB_GOAL_FRAME) {
                c.goal.point[0] += push;
            }
            if (lb_problem_change(task->problem, lb_problem_constraint_id(task->problem, i), &c)) {
                bench_stop("%s", lb_problem_error(task->problem)->message);
            }
        }
    }
    lb_kinematics_destroy(kinematics);
}

void bench_task_tube(bench_task *task, uint64_t seed, double push) {
    random_posture(lb_problem_figure(task->problem, 0), &seed, 0, task->pose);
    aim_at_pose(task, task->pose, push);
}

void bench_task_four_goals(bench_task *task, uint64_t seed, int is_wide) {
    const lb_figure *figure = lb_problem_figure(task->problem, 0);
    double *posture = task->pose;
    random_posture(figure, &seed, is_wide, posture);
    for (int i = 0; i < lb_figure_variable_count(figure); i++) { /* what the task does not move stays where it starts */
        if (spine_direction(lb_figure_variable(figure, i)->name) >= 0) {
            posture[i] = task->start[i];
        }
    }
    aim_at_pose(task, posture, 0);
}

void bench_task_bar(bench_task *task, uint64_t seed) {
    double yaw = bench_uniform(&seed, -20, 20) * RADIANS, y = bench_uniform(&seed, -0.25, 0.25),
           z = bench_uniform(&seed, 0.5, 1.2);
    double x = bench_uniform(&seed, 1.0, 1.25);
    for (int i = 0; i < lb_problem_constraint_count(task->problem); i++) {
        lb_constraint c = *lb_problem_constraint(task->problem, i);
        double side = strncmp(c.name, "left", 4) == 0 ? 0.22 : -0.22;
        c.goal.carrier_segment = -1;
        c.goal.point[0] = x - sin(yaw) * side;
        c.goal.point[1] = y + cos(yaw) * side;
        c.goal.point[2] = z;
        if (lb_problem_change(task->problem, lb_problem_constraint_id(task->problem, i), &c)) {
            bench_stop("%s", lb_problem_error(task->problem)->message);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Chains
 * ------------------------------------------------------------------------------------------------- */

void bench_reach_open(bench_reach *reach, const char *model, int restarts) {
    char relative[128], path[1024];
    lb_error error;
    lb_constraint constraint;
    snprintf(relative, sizeof relative, "models/%s.fig", model);
    bench_source_path(relative, path);
    if (lb_figure_load(strncmp(model, "chain:", 6) == 0 ? model : path, NULL, &reach->figure, &error)) {
        bench_stop("%s", error.message);
    }
    int n = reach->variables = lb_figure_variable_count(reach->figure);
    lb_effector_from_segment(reach->figure, lb_figure_segment_count(reach->figure) - 1, &reach->effector);
    lb_constraint_defaults(&constraint);
    constraint.effector = reach->effector;
    constraint.goal.kind = LB_GOAL_FRAME;
    reach->kinematics = lb_kinematics_create(reach->figure, NULL);
    reach->problem = lb_problem_create(reach->figure, NULL);
    reach->start = bench_alloc(3 * (size_t)n, sizeof(double));
    if (!reach->kinematics || !reach->problem) {
        bench_stop("no memory");
    }
    reach->goal = reach->start + n;
    reach->pose = reach->start + 2 * n;
    reach->constraint = lb_problem_add(reach->problem, &constraint);
    reach->solver = lb_solver_create(reach->problem, NULL);
    if (reach->constraint < 0 || !reach->solver) {
        bench_stop("no memory");
    }
    for (int i = 0; i < n; i++) {
        const lb_variable *v = lb_figure_variable(reach->figure, i);
        reach->start[i] = isfinite(v->lower) && isfinite(v->upper) ? 0.5 * (v->lower + v->upper) : v->rest;
    }
    lb_solve_options_defaults(&reach->options);
    reach->options.restarts = restarts;
}

void bench_reach_close(bench_reach *reach) {
    lb_solver_destroy(reach->solver);
    lb_problem_destroy(reach->problem);
    lb_kinematics_destroy(reach->kinematics);
    lb_figure_destroy(reach->figure);
    free(reach->start);
}

void bench_reach_aim(bench_reach *reach) {
    lb_constraint constraint = *lb_problem_constraint(reach->problem, 0);
    double e[9];
    lb_kinematics_update(reach->kinematics, reach->goal);
    lb_kinematics_effector(reach->kinematics, &reach->effector, e);
    memcpy(constraint.goal.point, e, sizeof constraint.goal.point);
    memcpy(constraint.goal.x, e + 3, sizeof constraint.goal.x);
    memcpy(constraint.goal.y, e + 6, sizeof constraint.goal.y);
    if (lb_problem_change(reach->problem, reach->constraint, &constraint)) {
        bench_stop("%s", lb_problem_error(reach->problem)->message);
    }
}
