/* Arms that keep clear of themselves and of a world: how many goals they reach, and how long it takes.
 *
 * The goals are made from random joint values in which nothing touches, so that each can be reached. Every answer is verified by
 * the bench's own forward kinematics, and by FCL, where it is installed: each pair that the problem looks at is measured there.
 * Times are CPU times of each solve. The robots and their meshes are not in the repository: ../shared/data. */
#include "bench.h"
#include "peer_fcl.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESTARTS 1000

typedef struct tally {
    double mean, percent, least;
} tally;

/* What came of the goals of a robot. */
typedef struct answers {
    int count;
    rig_target *targets;
    double *us, *poses; /* [count], [count][n] */
    char *is_solved;
} answers;

/* All solves one behind the other, so that nothing else is in the caches. */
static void solve_all(rig *r, answers *a) {
    double rest[RIG_MOST];
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
    lb_solid world[RIG_SOLIDS];
    rig r;
    tally t = {NAN, NAN, NAN};
    rig_make_world(world);
    if (!rig_open(&r, robot, has_world ? RIG_SOLIDS : 0, world)) {
        printf("%s: ../shared/data is not there\n", rig_robots[robot].name);
        return t;
    }
    const int count = bench_count(10000, 500);
    answers a = {count, bench_alloc((size_t)count, sizeof *a.targets), bench_alloc((size_t)count, sizeof *a.us),
                 bench_alloc((size_t)count * (size_t)r.n, sizeof *a.poses), bench_alloc((size_t)count, 1)};
    int solved = 0, wrong = 0;
    double least = INFINITY;
    uint64_t seed = 1800 + (uint64_t)robot;
    for (int i = 0; i < count; i++) {
        rig_draw_target(&r, &seed, &a.targets[i]);
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
    bench_table_row(table, "%s|%s|%d|%d|%d|%d|%.3f|%.2f|%.2f|%.1f|%.0f", rig_robots[robot].name,
                    has_world ? "self, world" : "self", r.pairs, count, solved, wrong, 1e3 * t.least, s.mean, s.p50,
                    s.p99, s.max);
    free(a.targets);
    free(a.us);
    free(a.poses);
    free(a.is_solved);
    rig_close(&r);
    return t;
}

int main(int argc, char **argv) {
    bench_table table;
    bench_begin("collisions", argc, argv);
    bench_table_begin(
        &table, "collisions",
        "robot|keeps apart from|pairs|goals|solved|wrong|least distance by FCL mm|mean us|median us|p99 us|max us");
    for (int i = 0; i < RIG_ROBOTS; i++) {
        for (int world = 0; world < 2 && bench_is_wanted(rig_robots[i].name); world++) {
            char what[128];
            const tally t = run(i, world, &table);
            const char *where = world ? " in a world" : "";
            snprintf(what, sizeof what, "%s%s: goals reached", rig_robots[i].name, where);
            bench_bar(what, t.percent, 1, world ? 99.9 : 100, "%");
            snprintf(what, sizeof what, "%s%s: mean", rig_robots[i].name, where);
            bench_bar(what, t.mean, 0, world ? 40 : 12, "us");
            snprintf(what, sizeof what, "%s%s: overlap by FCL", rig_robots[i].name, where);
            bench_bar(what, isnan(t.least) ? NAN : fmax(0, -1e3 * t.least), 0, 1e3 * RIG_OVERLAP, "mm");
        }
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    return bench_end();
}
