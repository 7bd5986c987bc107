/* Goals among obstacles: robots with their meshes, a table and three boxes. Limber is told of them; the others here are not, and
 * what they claim is judged by FCL: an answer that is at its goal, but touches something, is none. */
#include "../peer_fcl.h"
#include "../rig.h"
#include "board.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEP 0.005 /* metres that the hand is in an obstacle by, where a goal is blocked */
#define RESTARTS 1000
#define TRIES 200000
#define EXPLAINED 10 /* blocked goals of a robot that Limber is asked to explain */

/* The bare chain that all are given, and the whole robot. */
typedef struct scene {
    bench_arm arm;
    rig rig;
    lb_solid world[RIG_SOLIDS];
    double rest[RIG_MOST];
    int map[BENCH_ARM_JOINTS]; /* variable of the robot, by variable of the chain */
} scene;

static void whole_pose(const scene *s, const double *chain, double *pose) {
    memcpy(pose, s->rest, (size_t)s->rig.n * sizeof *pose);
    for (int v = 0; v < s->arm.variables; v++) {
        pose[s->map[v]] = chain[v];
    }
}

/* Limber with the collisions; the chain's values alone move. */
static void solve(void *context, int instance, double *chain, bench_outcome *outcome) {
    scene *s = context;
    double pose[RIG_MOST];
    lb_solve_options options;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.restarts = RESTARTS;
    options.now_us = bench_cpu_clock; /* the time that everyone has */
    options.deadline_us = s->arm.limit_us;
    whole_pose(s, chain, pose);
    lb_problem_move_goal(s->rig.problem, s->rig.id, &s->arm.frames[instance]);
    lb_solver_solve(s->rig.solver, &options, pose, &result);
    for (int v = 0; v < s->arm.variables; v++) {
        chain[v] = pose[s->map[v]];
    }
    outcome->is_solved = result.outcome == LB_OUTCOME_SOLVED;
    outcome->iterations = result.iterations;
    outcome->restarts = result.restarts;
}

static int open_scene(scene *s, int robot) {
    char path[1024];
    memset(s, 0, sizeof *s);
    rig_make_world(s->world);
    bench_source_path(rig_robots[robot].file, path);
    if (!rig_open(&s->rig, robot, RIG_SOLIDS, s->world)) {
        return 0;
    }
    if (!bench_arm_from_urdf(&s->arm, path, rig_robots[robot].base, rig_robots[robot].tip) || !s->arm.joint_count) {
        bench_stop("%s: it has no chain to %s", path, rig_robots[robot].tip);
    }
    snprintf(s->arm.name, sizeof s->arm.name, "%s", rig_robots[robot].name);
    lb_figure_rest_pose(s->rig.figure, s->rest);
    for (int v = 0; v < s->rig.n; v++) {
        lb_problem_set_active(s->rig.problem, v, 0);
    }
    for (int v = 0; v < s->arm.variables; v++) {
        const int joint = lb_figure_variable(s->arm.figure, v)->ref.joint;
        const char *name = lb_figure_joint(s->arm.figure, joint)->name;
        const lb_dof_ref same = {lb_figure_find_joint(s->rig.figure, name), 0, -1};
        s->map[v] = same.joint < 0 ? -1 : lb_figure_variable_of(s->rig.figure, &same);
        if (s->map[v] < 0) {
            bench_stop("%s: there are two ideas of joint %s", path, name);
        }
        lb_problem_set_active(s->rig.problem, s->map[v], 1);
    }
    return 1;
}

static void close_scene(scene *s) {
    bench_arm_destroy(&s->arm);
    rig_close(&s->rig);
}

/* --- Goals ------------------------------------------------------------------------------------------------ */

/* Whether a segment moves with the tip in every pose. */
static int is_rigid_with_tip(const scene *s, int segment) {
    for (int at = s->rig.goal.effector.segment; at >= 0; at = lb_figure_parent_segment(s->rig.figure, at)) {
        const int joint = lb_figure_parent_joint(s->rig.figure, at);
        if (at == segment) {
            return 1;
        }
        if (joint < 0 || lb_figure_joint(s->rig.figure, joint)->type.element_count) {
            return 0;
        }
    }
    return 0;
}

/* Whether the hand itself is in an obstacle, by Limber's distances and by FCL's: the goal says where it is, so no pose helps. */
static int is_blocked(scene *s, const double *pose) {
    lb_contact_pair near[64];
    int found = lb_solver_near_pairs(s->rig.solver, pose, 0, 64, near);
    for (int i = 0; i < found && i < 64; i++) {
        if (near[i].figure_b < 0 && near[i].distance < -DEEP && is_rigid_with_tip(s, near[i].segment_a) &&
            peer_fcl_least(s->rig.judge, s->rig.solver, pose, s->rig.pairs) <= 0) {
            return 1;
        }
    }
    return 0;
}

static void random_whole(scene *s, uint64_t *seed, double *chain, double *pose) {
    bench_arm_random_pose(&s->arm, seed, chain);
    whole_pose(s, chain, pose);
}

static void make_goals(scene *s, board_set set, int count, uint64_t seed) {
    double chain[BENCH_ARM_JOINTS], pose[RIG_MOST], e[9];
    int tries = 0;
    bench_arm_make_room(&s->arm, count);
    for (int i = 0; i < count;) {
        random_whole(s, &seed, chain, pose);
        const int is_wanted =
            set == BOARD_BLOCKED ? is_blocked(s, pose) : lb_solver_near_pairs(s->rig.solver, pose, 0, 0, NULL) == 0;
        if (is_wanted) {
            rig_frame_of(&s->rig, pose, e);
            bench_arm_set_target(&s->arm, i++, e);
        }
        if (++tries > TRIES) {
            bench_stop("%s: too few goals are found", s->arm.name);
        }
    }
}

/* --- Races ------------------------------------------------------------------------------------------------ */

/* Answers that are at their goal, but touch something, by FCL. */
static void judge(scene *s, board_set set, board_team *team) {
    for (int c = 0; c < team->count; c++) {
        const bench_contestant *one = &team->all[c];
        for (int i = 0; i < one->count; i++) {
            double pose[RIG_MOST];
            if (!one->is_right[i] || isnan(one->us[i])) {
                continue;
            }
            whole_pose(s, one->poses + (size_t)i * (size_t)s->arm.variables, pose);
            const double least = peer_fcl_least(s->rig.judge, s->rig.solver, pose, s->rig.pairs);
            team->entries[c]->sums[set].touching += least < -RIG_OVERLAP;
        }
    }
}

/* What Limber says of goals that are blocked. */
static void explain(board *b, scene *s) {
    double pose[RIG_MOST], chain[BENCH_ARM_JOINTS];
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.restarts = 2;
    for (int i = 0; i < s->arm.instances && i < EXPLAINED; i++) {
        lb_result result;
        lb_result_defaults(&result);
        for (int v = 0; v < s->arm.variables; v++) {
            chain[v] = s->arm.rest[v];
        }
        whole_pose(s, chain, pose);
        lb_problem_move_goal(s->rig.problem, s->rig.id, &s->arm.frames[i]);
        lb_solver_solve(s->rig.solver, &options, pose, &result);
        lb_solver_explain(s->rig.solver, &options, pose, &result);
        int names = 0;
        for (int k = 0; k < RIG_SOLIDS; k++) {
            names |= strstr(result.explanation, s->world[k].name) != NULL;
        }
        b->explained += names;
        b->asked++;
        if (!b->sentences[BOARD_BLOCKED][0]) {
            snprintf(b->sentences[BOARD_BLOCKED], sizeof b->sentences[0], "%s", result.explanation);
        }
    }
}

static void race_scene(board *b, scene *s, board_set set, int count) {
    const bench_contestant limber = {.context = s, .solve = solve};
    board_team team;
    make_goals(s, set, count, 1900 + (uint64_t)set);
    double *starts = bench_alloc((size_t)count * (size_t)s->arm.variables, sizeof *starts);
    bench_arm_starts_mid(&s->arm, starts);
    bench_race race = {.instances = count,
                       .variables = s->arm.variables,
                       .repeats = 1,
                       .has_cpu_times = 1,
                       .starts = starts,
                       .context = &s->arm,
                       .verify = bench_arm_verify};
    board_team_open(b, &s->arm, &limber, &team);
    board_team_race(b, &team, set, &race);
    judge(s, set, &team);
    bench_race_free(team.count, team.all);
    board_team_close(&team);
    free(starts);
}

void board_run_occluded(board *b) {
    for (int r = 0; r < RIG_ROBOTS; r++) {
        scene *s = bench_alloc(1, sizeof *s);
        if (!bench_is_wanted(rig_robots[r].name)) {
            free(s);
            continue;
        }
        if (!open_scene(s, r)) {
            printf("%s: ../shared/data is not there, so no goals among obstacles\n", rig_robots[r].name);
            free(s);
            return;
        }
        if (!s->rig.judge) {
            printf("FCL is not installed, which judges goals among obstacles: they are left out\n");
        } else {
            race_scene(b, s, BOARD_CLEAR, bench_count(300, 60));
            race_scene(b, s, BOARD_BLOCKED, bench_count(100, 20));
            explain(b, s);
        }
        close_scene(s);
        free(s);
    }
}
