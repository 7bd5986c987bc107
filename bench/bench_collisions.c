/* Arms that keep clear of themselves and of a world: how many goals they reach, and how long it takes.
 *
 * The goals are made from random joint values in which nothing touches, so that each can be reached. Every answer is verified by
 * the bench's own forward kinematics, and by FCL, where it is installed: each pair that the problem looks at is measured there.
 * Times are CPU times of each solve. The robots and their meshes are not in the repository: ../shared/data. */
#include "arm.h"
#include "bench.h"
#include "peer_fcl.h"

#include <limber/collisions.h>
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64
#define RESTARTS 1000
#define OVERLAP 1e-4 /* metres that an answer may overlap by */

static const struct {
    const char *name, *file, *tip;
} robots[] = {{"panda", "../shared/data/urdf/arms/panda.urdf", "panda_hand"},
              {"ur5", "../shared/data/urdf/arms/ur5_robot.urdf", "tool0"},
              {"iiwa14", "../shared/data/urdf/arms/iiwa14.urdf", "iiwa_link_ee"}};

/* A table that the robot stands on, and three boxes around it. */
static void make_world(lb_solid world[4]) {
    static const char *const names[4] = {"table", "box", "post", "shelf"};
    static const double size[4][3] = {{1, 1, 0.02}, {0.1, 0.1, 0.2}, {0.05, 0.15, 0.3}, {0.1, 0.2, 0.1}};
    static const double at[4][3] = {{0, 0, -0.05}, {0.5, 0.3, 0.2}, {0.5, -0.3, 0.3}, {-0.4, 0, 0.4}};
    for (int i = 0; i < 4; i++) {
        world[i].name = names[i];
        lb_shape_defaults(&world[i].shape);
        world[i].shape.kind = LB_SHAPE_BOX;
        memcpy(world[i].shape.size, size[i], sizeof size[i]);
        memcpy(world[i].shape.frame.position, at[i], sizeof at[i]);
    }
}

typedef struct rig {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    lb_constraint goal;
    int id, n, pairs;
    void *judge;
} rig;

static int open_rig(rig *r, int robot, int solid_count, const lb_solid *solids) {
    char path[1024], packages[1024];
    lb_load_options options;
    lb_collisions apart;
    lb_error error;
    lb_frame frame;
    bench_source_path(robots[robot].file, path);
    bench_source_path("../shared/data/packages", packages);
    lb_load_options_defaults(&options);
    options.meshes = 1;
    options.packages = packages;
    memset(r, 0, sizeof *r);
    if (lb_figure_load(path, &options, &r->figure, &error)) {
        return 0;
    }
    lb_collisions_defaults(&apart);
    apart.solid_count = solid_count;
    apart.solids = solids;
    lb_frame_identity(&frame);
    r->problem = lb_problem_create(r->figure, &error);
    if (!r->problem || lb_problem_set_collisions(r->problem, &apart) ||
        lb_constraint_frame(r->figure, robots[robot].tip, &frame, &r->goal) ||
        (r->id = lb_problem_add(r->problem, &r->goal)) < 0 || !(r->solver = lb_solver_create(r->problem, &error))) {
        bench_stop("%s: no problem could be made of it", path);
    }
    r->n = lb_figure_variable_count(r->figure);
    r->pairs = lb_problem_pair_count(r->problem);
    r->judge = peer_fcl_create(r->figure, solid_count, solids);
    return 1;
}

static void close_rig(rig *r) {
    peer_fcl_destroy(r->judge);
    lb_solver_destroy(r->solver);
    lb_problem_destroy(r->problem);
    lb_figure_destroy(r->figure);
}

/* A frame of the tip that random joint values have which touch nothing: as e, and as the problem's goal. */
typedef struct target {
    double e[9];
    lb_frame frame;
} target;

static void draw_target(rig *r, uint64_t *seed, target *t) {
    double pose[MOST], m[9];
    long double exact[9];
    do {
        lb_figure_random_pose(r->figure, seed, pose);
    } while (lb_solver_near_pairs(r->solver, pose, 0, 0, NULL) > 0);
    bench_effector(r->figure, pose, &r->goal.effector, exact);
    for (int i = 0; i < 9; i++) {
        t->e[i] = (double)exact[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t->frame.position[i] = t->e[i];
        m[3 * i] = t->e[3 + i], m[3 * i + 1] = t->e[6 + i];
        m[3 * i + 2] = t->e[3 + j] * t->e[6 + k] - t->e[3 + k] * t->e[6 + j];
    }
    lb_rotation_from_matrix(m, t->frame.rotation);
}

typedef struct tally {
    double mean, percent, least;
} tally;

/* What came of the goals of a robot. */
typedef struct answers {
    int count;
    target *targets;
    double *us, *poses; /* [count], [count][n] */
    char *is_solved;
} answers;

/* All solves one behind the other, so that nothing else is in the caches. */
static void solve_all(rig *r, answers *a) {
    double rest[MOST];
    lb_solve_options options;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.restarts = RESTARTS;
    lb_figure_rest_pose(r->figure, rest);
    for (int i = 0; i < a->count; i++) {
        double *pose = a->poses + (size_t)i * (size_t)r->n;
        memcpy(pose, rest, (size_t)r->n * sizeof *pose);
        const double begun = bench_cpu_us();
        lb_problem_move_goal(r->problem, r->id, &a->targets[i].frame);
        lb_solver_solve(r->solver, &options, pose, &result);
        a->us[i] = bench_cpu_us() - begun;
        a->is_solved[i] = result.outcome == LB_OUTCOME_SOLVED;
    }
}

static tally run(int robot, int has_world, bench_table *table) {
    lb_solid world[4];
    rig r;
    tally t = {NAN, NAN, NAN};
    make_world(world);
    if (!open_rig(&r, robot, has_world ? 4 : 0, world)) {
        printf("%s: ../shared/data is not there\n", robots[robot].name);
        return t;
    }
    const int count = bench_count(10000, 500);
    answers a = {count, bench_alloc((size_t)count, sizeof *a.targets), bench_alloc((size_t)count, sizeof *a.us),
                 bench_alloc((size_t)count * (size_t)r.n, sizeof *a.poses), bench_alloc((size_t)count, 1)};
    int solved = 0, wrong = 0;
    double least = INFINITY;
    uint64_t seed = 1800 + (uint64_t)robot;
    for (int i = 0; i < count; i++) {
        draw_target(&r, &seed, &a.targets[i]);
    }
    solve_all(&r, &a);
    for (int i = 0; i < count; i++) {
        const double *pose = a.poses + (size_t)i * (size_t)r.n;
        const int is_right = bench_is_at(r.figure, pose, &r.goal.effector, a.targets[i].e);
        solved += a.is_solved[i] && is_right;
        wrong += a.is_solved[i] && !is_right;
        if (r.judge && a.is_solved[i]) {
            least = fmin(least, peer_fcl_least(r.judge, r.solver, pose, r.pairs));
        }
    }
    const bench_stats s = bench_statistics(count, a.us);
    t = (tally){s.mean, 100.0 * solved / count, r.judge ? least : NAN};
    bench_table_row(table, "%s|%s|%d|%d|%d|%d|%.3f|%.2f|%.2f|%.1f|%.0f", robots[robot].name,
                    has_world ? "self, world" : "self", r.pairs, count, solved, wrong, 1e3 * t.least, s.mean, s.p50,
                    s.p99, s.max);
    free(a.targets);
    free(a.us);
    free(a.poses);
    free(a.is_solved);
    close_rig(&r);
    return t;
}

int main(int argc, char **argv) {
    bench_table table;
    bench_begin("collisions", argc, argv);
    bench_table_begin(
        &table, "collisions",
        "robot|keeps apart from|pairs|goals|solved|wrong|least distance by FCL mm|mean us|median us|p99 us|max us");
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        for (int world = 0; world < 2 && bench_is_wanted(robots[i].name); world++) {
            char what[128];
            const tally t = run((int)i, world, &table);
            const char *where = world ? " in a world" : "";
            snprintf(what, sizeof what, "%s%s: goals reached", robots[i].name, where);
            bench_bar(what, t.percent, 1, world ? 99.9 : 100, "%");
            snprintf(what, sizeof what, "%s%s: mean", robots[i].name, where);
            bench_bar(what, t.mean, 0, world ? 40 : 12, "us");
            snprintf(what, sizeof what, "%s%s: overlap by FCL", robots[i].name, where);
            bench_bar(what, isnan(t.least) ? NAN : fmax(0, -1e3 * t.least), 0, 1e3 * OVERLAP, "mm");
        }
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    return bench_end();
}
