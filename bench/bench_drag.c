/* Dragging: a person stands with both feet kept and the centre of mass over them (priority 0), and what is dragged follows a path
 * in steps of 1 cm (priority 1), each step started from the answer of the one before, with a small wish to stay: what an
 * interactive program asks for with every move of the mouse. All variables may move, the root too.
 *
 * Times are CPU times of the thread, the least of several passes. Feet that slide, and a centre of mass that leaves its place, are
 * seen in the columns "feet" and "balance"; a body that pops in "move", the largest movement of a segment in a step. */
#include "bench.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.01 /* metres */
#define MOST_DRAGGED 3
#define MOST_CORNERS 8

/* What is dragged, from where it is at rest through these corners (offsets from there, metres), all by the same. */
typedef struct drag {
    const char *name;
    const char *sites[MOST_DRAGGED];
    double corners[MOST_CORNERS][3];
    int corner_count;
} drag;

static const drag drags[] = {
    {"hand within reach", {"right_palm"}, {{0.3, 0, 0.5}, {0.3, 0.4, 0.4}, {0.4, -0.3, 0.7}, {0, -0.1, 0.1}}, 4},
    {"hand to the floor and up", {"right_palm"}, {{0.4, 0.1, -0.6}, {0.3, 0.3, -0.5}, {0.2, 0, 1.3}, {0, 0, 0}}, 4},
    {"hand far out of reach", {"right_palm"}, {{1.5, -0.5, 0.5}, {1.5, 0.8, 1.0}, {-0.5, -1.2, 0.6}, {0, 0, 0}}, 4},
    {"both hands far", {"right_palm", "left_palm"}, {{1.2, 0.3, 0.6}, {0.8, -0.4, 1.6}, {0, 0, 0}}, 3},
    {"head and a hand", {"head.base", "left_palm"}, {{0.3, 0.1, -0.3}, {0.2, 0.4, 0.3}, {0, 0, 0}}, 3},
};

typedef struct scene {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_problem *problem;
    lb_solver *solver;
    int variables, segments, ids[MOST_DRAGGED], dragged, feet[2], balance;
    double from[MOST_DRAGGED][3];
} scene;

static void site_position(const scene *s, const char *name, double at[3]) {
    lb_frame frame;
    lb_kinematics_site(s->kinematics, lb_figure_find_site(s->figure, name), &frame);
    memcpy(at, frame.position, 3 * sizeof *at);
}

static int add(scene *s, const lb_constraint *constraint) {
    int id = lb_problem_add(s->problem, constraint);
    if (id < 0) {
        bench_stop("%s", lb_problem_error(s->problem)->message);
    }
    return id;
}

static void open_scene(scene *s, const drag *d) {
    static const char *const soles[4] = {"right_heel", "right_toe", "left_toe", "left_heel"};
    char path[1024];
    double rest[128], corners[4][3], faces[4][4];
    lb_constraint constraint;
    lb_error error;
    memset(s, 0, sizeof *s);
    bench_source_path("models/human.fig", path);
    if (lb_figure_load(path, NULL, &s->figure, &error)) {
        bench_stop("%s", error.message);
    }
    s->variables = lb_figure_variable_count(s->figure);
    s->segments = lb_figure_segment_count(s->figure);
    s->kinematics = lb_kinematics_create(s->figure, NULL);
    s->problem = lb_problem_create(s->figure, NULL);
    if (!s->kinematics || !s->problem) {
        bench_stop("no memory");
    }
    lb_figure_rest_pose(s->figure, rest);
    lb_kinematics_update(s->kinematics, rest);
    for (int i = 0; i < 2; i++) {
        if (lb_constraint_keep(s->figure, i ? "left_heel" : "right_heel", rest, &constraint)) {
            bench_stop("no heel");
        }
        s->feet[i] = add(s, &constraint);
    }
    for (int i = 0; i < 4; i++) {
        site_position(s, soles[i], corners[i]);
    }
    if (lb_constraint_balance(4, (const double(*)[3])corners, 0.01, faces, &constraint)) {
        bench_stop("no balance");
    }
    s->balance = add(s, &constraint);
    for (; s->dragged < MOST_DRAGGED && d->sites[s->dragged]; s->dragged++) {
        double *from = s->from[s->dragged];
        site_position(s, d->sites[s->dragged], from);
        if (lb_constraint_at(s->figure, d->sites[s->dragged], from, &constraint)) {
            bench_stop("no %s", d->sites[s->dragged]);
        }
        constraint.priority = 1;
        s->ids[s->dragged] = add(s, &constraint);
    }
    if (lb_problem_set_stay(s->problem, 1e-4)) {
        bench_stop("no wish to stay");
    }
    s->solver = lb_solver_create(s->problem, NULL);
    if (!s->solver) {
        bench_stop("no memory");
    }
}

static void close_scene(scene *s) {
    lb_solver_destroy(s->solver);
    lb_problem_destroy(s->problem);
    lb_kinematics_destroy(s->kinematics);
    lb_figure_destroy(s->figure);
}

/* Along the path: offsets [count][3], or their number where that is NULL. */
static int make_path(const drag *d, double (*path)[3]) {
    double at[3] = {0, 0, 0};
    int count = 0;
    for (int c = 0; c < d->corner_count; c++) {
        const double *to = d->corners[c];
        double way[3] = {to[0] - at[0], to[1] - at[1], to[2] - at[2]};
        int steps = (int)ceil(sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / STEP);
        for (int i = 1; i <= steps; i++, count++) {
            for (int k = 0; path && k < 3; k++) {
                path[count][k] = at[k] + way[k] * i / steps;
            }
        }
        memcpy(at, to, sizeof at);
    }
    return count;
}

typedef struct track {
    double *us, *iterations;
    int solved, minima;
    double feet, balance, far, move; /* metres, the largest */
} track;

/* The largest movement of a segment; `at` has room for all of them and is where they were. */
static double movement(const scene *s, const double *pose, double (*at)[3]) {
    double most = 0;
    lb_frame frame;
    lb_kinematics_update(s->kinematics, pose);
    for (int i = 0; i < s->segments; i++) {
        lb_kinematics_segment(s->kinematics, i, &frame);
        const double *p = frame.position;
        double way = sqrt(pow(p[0] - at[i][0], 2) + pow(p[1] - at[i][1], 2) + pow(p[2] - at[i][2], 2));
        most = fmax(most, way);
        memcpy(at[i], p, sizeof at[i]);
    }
    return most;
}

static void look_at(const scene *s, const lb_result *result, track *t) {
    t->solved += result->outcome == LB_OUTCOME_SOLVED;
    t->minima += result->outcome == LB_OUTCOME_MINIMUM;
    for (int i = 0; i < result->constraint_count; i++) {
        const lb_constraint_result *c = &result->constraints[i];
        if (c->id == s->balance) {
            t->balance = fmax(t->balance, c->distance);
        } else if (c->id == s->feet[0] || c->id == s->feet[1]) {
            t->feet = fmax(t->feet, c->distance);
        } else {
            t->far = fmax(t->far, c->distance);
        }
    }
}

static void pass(scene *s, int count, double (*path)[3], int is_first, track *t) {
    double pose[128], (*at)[3] = bench_alloc((size_t)s->segments, sizeof *at);
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    lb_figure_rest_pose(s->figure, pose);
    movement(s, pose, at);
    for (int f = 0; f < count; f++) {
        double begin = bench_cpu_us();
        for (int g = 0; g < s->dragged; g++) {
            lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
            for (int k = 0; k < 3; k++) {
                frame.position[k] = s->from[g][k] + path[f][k];
            }
            lb_problem_move_goal(s->problem, s->ids[g], &frame);
        }
        if (lb_solver_solve(s->solver, &options, pose, &result)) {
            bench_stop("a step could not be solved");
        }
        t->us[f] = fmin(t->us[f], bench_cpu_us() - begin);
        if (!is_first) {
            continue;
        }
        t->iterations[f] = result.iterations;
        look_at(s, &result, t);
        t->move = fmax(t->move, movement(s, pose, at));
    }
    free(at);
}

static bench_stats run_drag(const drag *d, bench_table *table) {
    scene s;
    track t = {0};
    int count = make_path(d, NULL);
    double(*path)[3] = bench_alloc((size_t)count, sizeof *path);
    t.us = bench_alloc(2 * (size_t)count, sizeof *t.us);
    t.iterations = t.us + count;
    for (int f = 0; f < count; f++) {
        t.us[f] = INFINITY;
    }
    open_scene(&s, d);
    make_path(d, path);
    for (int p = 0; p < (bench.is_quick ? 2 : 5); p++) {
        pass(&s, count, path, p == 0, &t);
    }
    bench_stats us = bench_statistics(count, t.us), iterations = bench_statistics(count, t.iterations);
    bench_table_row(table, "%s|%d|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%.0f|%.1f|%.1f|%.1f|%.4f|%.4f|%.1f", d->name, count,
                    us.mean, us.p50, us.p95, us.p99, us.max, iterations.mean, iterations.max, 100.0 * t.solved / count,
                    100.0 * t.minima / count, 1e3 * t.far, 1e3 * t.feet, 1e3 * t.balance, 1e3 * t.move);
    close_scene(&s);
    free(path);
    free(t.us);
    return us;
}

int main(int argc, char **argv) {
    bench_table table;
    double median = NAN, p99 = NAN;
    bench_begin("drag", argc, argv);
    bench_table_begin(&table, "drag",
                      "what|steps|mean us|median us|p95 us|p99 us|max us|iterations|at most|solved %|minimum %|"
                      "farthest mm|feet mm|balance mm|move mm");
    for (size_t i = 0; i < sizeof drags / sizeof *drags; i++) {
        if (!bench_is_wanted(drags[i].name)) {
            continue;
        }
        bench_stats us = run_drag(&drags[i], &table);
        median = fmax(isnan(median) ? 0 : median, us.p50);
        p99 = fmax(isnan(p99) ? 0 : p99, us.p99);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("dragging a person: worst median of a step", median, 0, 700, "us");
    bench_bar("dragging a person: worst p99 of a step", p99, 0, 4000, "us");
    return bench_end();
}
