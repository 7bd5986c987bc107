/* The scoreboard: Limber and fifteen other solvers, on the same goals: reachable, out of reach, in the way of obstacles. Every
 * answer is verified by forward kinematics of the bench's own in long double, and by FCL; claims that are not true are counted.
 *
 * With --peers the page scoreboard.md is written; bench/run brings it to docs/. */
#include "board/board.h"

#include <limber/closed.h>
#include <limber/reach.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {"panda",  "iiwa14", "ur5",     "puma560",   "irb120",
                                     "fetch7", "fetch8", "pr2_arm", "baxter_arm"};
#define MODELS (int)(sizeof models / sizeof *models)

static board scores;

/* --- Goals out of reach ----------------------------------------------------------------------------------- */

/* No pose brings the tool farther from the first joint than this: the sum of all lengths, sliding joints at their longest. */
static double longest(const bench_arm *arm) {
    double sum = 0;
    for (int j = 0; j <= arm->joint_count; j++) {
        const double *m = j < arm->joint_count ? arm->joints[j].frame : arm->tool;
        sum += j > 0 ? sqrt(m[3] * m[3] + m[7] * m[7] + m[11] * m[11]) : 0;
        if (j < arm->joint_count && !arm->joints[j].is_angle) {
            sum += fmax(fabs(arm->joints[j].lower), fabs(arm->joints[j].upper));
        }
    }
    return sum;
}

/* Goals of the set before, turned as they are, moved outward until they are 1% to 50% farther than the arm is long. */
static void make_far(bench_arm *arm, uint64_t seed) {
    const double reach = longest(arm), *m = arm->joints[0].frame, base[3] = {m[3], m[7], m[11]};
    for (int i = 0; i < arm->instances; i++) {
        double e[9], away[3], length = 0;
        memcpy(e, arm->targets + 9 * (size_t)i, sizeof e);
        for (int k = 0; k < 3; k++) {
            away[k] = bench_normal(&seed);
            length += away[k] * away[k];
        }
        const double distance = reach * bench_uniform(&seed, 1.01, 1.5) / sqrt(length);
        for (int k = 0; k < 3; k++) {
            e[k] = base[k] + distance * away[k];
        }
        bench_arm_set_target(arm, i, e);
    }
}

/* Frames of joint values of which one to three are up to a radian (a tenth of a metre) outside their limits. */
static int make_beyond(bench_arm *arm, uint64_t seed) {
    double pose[BENCH_ARM_JOINTS], e[9];
    long double exact[9];
    for (int i = 0; i < arm->instances; i++) {
        int moved = 0;
        bench_arm_random_pose(arm, &seed, pose);
        for (int tries = 0; tries < 3 || (!moved && tries < 100); tries++) {
            const int v = (int)(bench_random(&seed) % (uint64_t)arm->variables);
            const double off = bench_uniform(&seed, 0.01, 1) * (arm->joints[v].is_angle ? 1 : 0.1);
            const int is_upper = (int)(bench_random(&seed) & 1);
            if (isfinite(arm->joints[v].upper) && arm->joints[v].upper - arm->joints[v].lower < 6) {
                pose[v] = is_upper ? arm->joints[v].upper + off : arm->joints[v].lower - off;
                moved++;
            }
        }
        if (!moved) {
            return 0;
        }
        bench_effector(arm->figure, pose, &arm->effector, exact);
        for (int k = 0; k < 9; k++) {
            e[k] = (double)exact[k];
        }
        bench_arm_set_target(arm, i, e);
    }
    return 1;
}

/* Which goals are proved to be out of reach, by the workspace or by all solutions. */
static void prove(const bench_arm *arm, char *is_proved) {
    lb_reach *reach = lb_reach_create(arm->figure, &arm->effector, NULL, NULL);
    lb_closed *closed = lb_closed_create(arm->figure, &arm->effector, NULL, NULL);
    for (int i = 0; i < arm->instances; i++) {
        lb_reach_answer answer;
        lb_closed_result result;
        lb_reach_answer_defaults(&answer);
        lb_closed_result_defaults(&result);
        is_proved[i] = reach && !lb_reach_frame(reach, &arm->frames[i], &answer) && answer.verdict == LB_REACH_OUTSIDE;
        if (closed && !is_proved[i] && !lb_closed_solve(closed, &arm->frames[i], arm->rest, &result)) {
            is_proved[i] = result.count == 0 && result.is_proved;
        }
    }
    lb_closed_destroy(closed);
    lb_reach_destroy(reach);
}

/* Counts what is proved, and whether anyone reached one of those. */
static void count_proofs(const bench_arm *arm, const board_team *team, board_set set) {
    char *is_proved = bench_alloc((size_t)arm->instances, 1);
    prove(arm, is_proved);
    for (int i = 0; i < arm->instances; i++) {
        int is_reached = 0;
        for (int c = 0; c < team->count; c++) {
            is_reached |= i < team->all[c].count && team->all[c].is_right[i];
        }
        scores.proved[set] += is_proved[i];
        scores.disproved[set] += is_proved[i] && is_reached;
    }
    free(is_proved);
}

/* What Limber says of the first goal that it does not reach. */
static void quote(bench_arm *arm, const bench_contestant *limber, board_set set, const double *start) {
    double *pose = bench_alloc((size_t)arm->variables, sizeof *pose);
    for (int i = 0; i < arm->instances && !scores.sentences[set][0]; i++) {
        lb_result result;
        if (limber->is_claimed[i]) {
            continue;
        }
        lb_result_defaults(&result);
        memcpy(pose, start, (size_t)arm->variables * sizeof *pose);
        lb_problem_move_goal(arm->problem, arm->constraint, &arm->frames[i]);
        lb_solver_solve(arm->solver, &arm->options, pose, &result);
        lb_solver_explain(arm->solver, &arm->options, pose, &result);
        snprintf(scores.sentences[set], sizeof scores.sentences[set], "%s", result.explanation);
    }
    free(pose);
}

/* --- Races ------------------------------------------------------------------------------------------------ */

/* An answer after the time is none; others look at the clock themselves. */
static void fail_late(const bench_arm *arm, board_entry *entry, bench_contestant *limber, board_set set) {
    for (int i = 0; i < limber->count; i++) {
        if (limber->us[i] > arm->limit_us && limber->is_right[i]) {
            entry->sums[set].right--;
        }
    }
}

static void race(bench_arm *arm, board_team *team, board_set set) {
    double *starts = bench_alloc((size_t)arm->instances * (size_t)arm->variables, sizeof *starts);
    bench_race r = {.instances = arm->instances,
                    .variables = arm->variables,
                    .repeats = 3,
                    .has_cpu_times = 1, /* as contestants in processes of their own tell */
                    .starts = starts,
                    .context = arm,
                    .verify = bench_arm_verify};
    bench_arm_starts_mid(arm, starts);
    board_team_race(&scores, team, set, &r);
    fail_late(arm, team->entries[0], &team->all[0], set);
    if (set != BOARD_REACHABLE) {
        count_proofs(arm, team, set);
        quote(arm, &team->all[0], set, starts);
    }
    bench_race_free(team->count, team->all);
    free(starts);
}

static void run_model(int m) {
    bench_arm arm;
    board_team team;
    bench_arm_from_model(&arm, models[m]);
    if (!arm.joint_count) {
        bench_stop("%s has no bare chain", models[m]);
    }
    arm.options.now_us = bench_cpu_clock; /* the same time as everyone has */
    arm.options.deadline_us = arm.limit_us;
    bench_arm_make_targets(&arm, bench_count(1000, 100), (uint64_t)m + 1);
    board_team_open(&scores, &arm, NULL, &team);
    race(&arm, &team, BOARD_REACHABLE);
    const int others = bench_count(200, 20);
    bench_arm_make_targets(&arm, others, (uint64_t)m + 101);
    make_far(&arm, (uint64_t)m + 201);
    race(&arm, &team, BOARD_FAR);
    if (make_beyond(&arm, (uint64_t)m + 301)) {
        race(&arm, &team, BOARD_BEYOND);
    }
    board_team_close(&team);
    scores.arms[scores.arm_count++] = models[m];
    bench_arm_destroy(&arm);
}

/* --- What came out ---------------------------------------------------------------------------------------- */

static void print_scores(void) {
    bench_table table;
    bench_table_begin(&table, "scoreboard",
                      "solver|version|robots|goals|solved %|false claims|mean us|p50|p99|x limber|far: claims|"
                      "beyond limits: goals|reached|false claims|among obstacles: goals|reached|of them touching|"
                      "blocked: goals|claims");
    for (int c = 0; c < scores.entry_count; c++) {
        const board_entry *e = &scores.entries[c];
        const board_sum *s = e->sums, *near = &s[BOARD_REACHABLE];
        const bench_stats t = bench_statistics(near->us_count, near->us);
        bench_table_row(
            &table, "%s|%s|%d|%d|%.2f|%d|%.2f|%.2f|%.1f|%.1f|%d|%d|%d|%d|%d|%d|%d|%d|%d", e->name, e->version,
            near->ratios, near->goals, near->goals ? 100.0 * near->right / near->goals : 0, near->false_claims, t.mean,
            t.p50, t.p99, exp(near->log_ratio / (near->ratios ? near->ratios : 1)), s[BOARD_FAR].claims,
            s[BOARD_BEYOND].goals, s[BOARD_BEYOND].right, s[BOARD_BEYOND].false_claims, s[BOARD_CLEAR].goals,
            s[BOARD_CLEAR].right, s[BOARD_CLEAR].touching, s[BOARD_BLOCKED].goals, s[BOARD_BLOCKED].claims);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
}

static void set_bars(void) {
    const board_sum *s = scores.entries[0].sums;
    const board_sum *clear = &s[BOARD_CLEAR];
    int false_claims = 0;
    for (int set = 0; set < BOARD_SETS; set++) {
        false_claims += s[set].false_claims + (set >= BOARD_CLEAR ? s[set].touching : 0);
    }
    bench_bar("scoreboard: reachable goals, solved", 100.0 * s->right / s->goals, 1, 100, "%");
    bench_bar("scoreboard: false claims of Limber", false_claims, 0, 0, "claims");
    bench_bar("scoreboard: goals that are too far, proved to be", 100.0 * scores.proved[BOARD_FAR] / s[BOARD_FAR].goals,
              1, 100, "%");
    bench_bar("scoreboard: the longest of Limber's goals out of reach, deadline 5 ms",
              1e-3 * board_longest_us(&scores.entries[0]), 0, 5.1, "ms");
    bench_bar("scoreboard: proved out of reach, but reached by someone",
              scores.disproved[BOARD_FAR] + scores.disproved[BOARD_BEYOND], 0, 0, "goals");
    bench_bar("scoreboard: goals among obstacles, reached and clear",
              clear->goals ? 100.0 * (clear->right - clear->touching) / clear->goals : NAN, 1, 99.9, "%");
    bench_bar("scoreboard: blocked goals, claims", clear->goals ? s[BOARD_BLOCKED].claims : NAN, 0, 0, "claims");
}

int main(int argc, char **argv) {
    char path[1024];
    bench_begin("scoreboard", argc, argv);
    if (bench.with_peers && peers_left_out[0]) {
        printf("Not installed and left out:%s\n", peers_left_out);
    }
    for (int m = 0; m < MODELS; m++) {
        if (bench_is_wanted(models[m])) {
            run_model(m);
        }
    }
    board_run_occluded(&scores);
    if (!scores.arm_count) {
        bench_stop("no robot is called like \"%s\"", bench.only ? bench.only : "");
    }
    print_scores();
    set_bars();
    bench_out_path("scoreboard.md", path);
    board_write_page(&scores, path);
    for (int c = 0; c < scores.entry_count; c++) {
        for (int set = 0; set < BOARD_SETS; set++) {
            free(scores.entries[c].sums[set].us);
        }
    }
    return bench_end();
}
