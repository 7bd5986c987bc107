/* instructions [NAME...]: solves a handful of fixed problems, for counting the instructions of a solve under callgrind:
 * tests/bench/test_instructions.sh runs it, collects inside measured(), and compares with bench/instructions.txt.
 *
 * Prints what it was built by and the vector instructions it sees, and then, in the order of the counts, each problem's
 * name and the number of solves counted. Before them each problem is solved once that is not counted, so that making
 * plans and room is not. */
#include "bench.h"
#include "tasks.h"

#include <stdio.h>
#include <string.h>

#define POSES 20
#define BATCH 256

typedef struct fixed_problem {
    const char *name;
    void (*open)(int instance);
    void (*solve)(void);
    void (*close)(void);
    int instances;
} fixed_problem;

static bench_task task;
static bench_reach reach;
static lb_result result;

/* The one function that callgrind collects in. */
void measured(void (*solve)(void));
__attribute__((noinline)) void measured(void (*solve)(void)) { solve(); }

static void solve_task(void) { bench_task_solve(&task, LB_METHOD_LM, &result); }

static void close_task(void) { bench_task_close(&task); }

static void open_tube(int instance) {
    bench_task_open(&task, "zb94-tube-free");
    bench_task_tube(&task, (uint64_t)instance + 1, 0);
}

static void open_tube_far(int instance) {
    bench_task_open(&task, "zb94-tube-free");
    bench_task_tube(&task, (uint64_t)instance + 1, 0.4);
}

static void open_four_goals(int instance) {
    bench_task_open(&task, "zb89-four-goals");
    bench_task_four_goals(&task, (uint64_t)instance + 1, 0);
}

static void open_bar(int instance) {
    bench_task_open(&task, "zb89-bar");
    bench_task_bar(&task, (uint64_t)instance + 1);
}

/* People who are posed as bodies. */
static void open_body_reach(int instance) {
    static const char *const names[] = {"body/r01_chest", "body/r05_cross", "body/r07_overhead"};
    bench_task_open(&task, names[instance]);
}

static void open_body_low(int instance) {
    static const char *const names[] = {"body/t36_squat", "body/r17_floorfront"};
    bench_task_open(&task, names[instance]);
}

/* Frames of a drag: the palm moves by 1 cm from the answer before. */
static double before[256];

static void open_body_drag(int instance) {
    static const double ways[4][3] = {{0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {0, 0, -0.01}};
    bench_task_open(&task, "body/r01_chest");
    bench_task_solve(&task, LB_METHOD_LM, &result);
    memcpy(before, task.pose, (size_t)task.variables * sizeof(double));
    const double *at = lb_problem_constraint(task.problem, 0)->goal.point;
    lb_frame frame = {{0, 0, 0}, {0, 0, 0, 1}};
    for (int c = 0; c < 3; c++) {
        frame.position[c] = at[c] + ways[instance][c];
    }
    if (lb_problem_move_goal(task.problem, lb_problem_constraint_id(task.problem, 0), &frame)) {
        bench_stop("a goal could not be moved");
    }
    task.options.tracking = 1;
}

static void solve_body_drag(void) {
    memcpy(task.pose, before, (size_t)task.variables * sizeof(double));
    if (lb_solver_solve(task.solver, &task.options, task.pose, &result)) {
        bench_stop("a frame could not be solved");
    }
}

static void solve_reach(void) {
    memcpy(reach.pose, reach.start, (size_t)reach.variables * sizeof(double));
    if (lb_solver_solve(reach.solver, &reach.options, reach.pose, &result)) {
        bench_stop("a chain could not be solved");
    }
}

static void close_reach(void) { bench_reach_close(&reach); }

static void open_arm(const char *model, int instance) {
    uint64_t seed = (uint64_t)instance + 1;
    bench_reach_open(&reach, model, 100);
    lb_figure_random_pose(reach.figure, &seed, reach.goal);
    bench_reach_aim(&reach);
}

static void open_panda(int instance) { open_arm("panda", instance); }

static void open_ur5(int instance) { open_arm("ur5", instance); }

/* Started within 0.1 rad of the answer. */
static void open_panda_warm(int instance) {
    uint64_t seed = (uint64_t)instance + 1;
    open_arm("panda", instance);
    for (int i = 0; i < reach.variables; i++) {
        reach.start[i] = reach.goal[i] + bench_uniform(&seed, -0.1, 0.1);
    }
    lb_kinematics_project(reach.kinematics, reach.start);
}

/* A smooth bend of a long chain. */
static void open_chain(int instance) {
    bench_reach_open(&reach, "chain:1000", 0);
    for (int i = 0; i < reach.variables; i++) {
        double part = (double)i / reach.variables, turn = i % 2 ? 3 * part + instance : 4 - 6 * part;
        reach.goal[i] = turn / reach.variables;
        reach.start[i] = (i % 2 ? 0.3 : 0.5) / reach.variables;
    }
    bench_reach_aim(&reach);
}

/* Many Pandas at once; the count is of them all. */
static lb_frame goals[BATCH];
static double answers[BATCH * 7];

static void open_batch(int instance) {
    uint64_t seed = (uint64_t)instance + 1;
    bench_reach_open(&reach, "panda", 100);
    for (int i = 0; i < BATCH; i++) {
        lb_figure_random_pose(reach.figure, &seed, reach.goal);
        lb_kinematics_update(reach.kinematics, reach.goal);
        lb_kinematics_segment(reach.kinematics, reach.effector.segment, &goals[i]);
    }
}

static void solve_batch(void) {
    lb_many many;
    lb_answer each[BATCH];
    lb_many_defaults(&many);
    many.count = BATCH;
    many.goal_count = 1;
    many.ids = &reach.constraint;
    many.goals = goals;
    many.starts = reach.start;
    many.one_start = 1;
    if (lb_solve_many(reach.problem, &reach.options, &many, answers, each, NULL)) {
        bench_stop("a batch could not be solved");
    }
    result.outcome = each[0].outcome;
}

static const fixed_problem problems[] = {
    {"panda-cold", open_panda, solve_reach, close_reach, POSES},
    {"panda-warm", open_panda_warm, solve_reach, close_reach, POSES},
    {"ur5-cold", open_ur5, solve_reach, close_reach, POSES},
    {"tube-70", open_tube, solve_task, close_task, 4},
    {"tube-70-out-of-reach", open_tube_far, solve_task, close_task, 2},
    {"four-goals", open_four_goals, solve_task, close_task, 4},
    {"bar-out-of-reach", open_bar, solve_task, close_task, 3},
    {"body-reach-cold", open_body_reach, solve_task, close_task, 3},
    {"body-low-cold", open_body_low, solve_task, close_task, 2},
    {"body-drag-warm", open_body_drag, solve_body_drag, close_task, 4},
    {"chain-1000", open_chain, solve_reach, close_reach, 1},
    {"panda-batch-of-256", open_batch, solve_batch, close_reach, 1},
};

/* What makes counts comparable, in one line. */
static void print_build(void) {
    const char *vectors = "none";
#if defined(__x86_64__)
    vectors = __builtin_cpu_supports("avx512f") ? "avx512f" : __builtin_cpu_supports("avx2") ? "avx2" : "sse2";
#endif
#if defined(__clang__)
    printf("build clang %d", __clang_major__);
#elif defined(__GNUC__)
    printf("build gcc %d", __GNUC__);
#else
    printf("build unknown");
#endif
#if defined(__OPTIMIZE__) && defined(NDEBUG)
    printf(" release");
#else
    printf(" debug");
#endif
    printf(" %s\n", vectors);
}

static int is_wanted(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return 1;
        }
    }
    return count == 0;
}

int main(int argc, char **argv) {
    print_build();
    lb_result_defaults(&result);
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        if (!is_wanted(problems[p].name, argc - 1, argv + 1)) {
            continue;
        }
        for (int i = 0; i < problems[p].instances; i++) {
            problems[p].open(i);
            problems[p].solve();
            measured(problems[p].solve);
            printf("%s %s\n", problems[p].name, lb_outcome_name(result.outcome));
            problems[p].close();
        }
    }
    return 0;
}
