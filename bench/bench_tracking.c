/* Tracking: a whole body follows six frames (head, hands, feet, pelvis) through a motion, each frame started from the
 * answer of the one before. Targets are exact, noisy (2 mm and 0.5 degrees, each a standard deviation per axis), or 6%
 * too large: moved away from the pelvis.
 *
 * Motions: a figure of 51 dofs moved by motion capture (the clips of CMU, where the folder of shared data has them: its
 * Frame Time is 1/120 s, and every fourth frame gives 30 a second), and the human figure in a motion made of sines.
 *
 * Times are CPU times of the thread, the least of several passes. Every so many frames the answer is compared with the best optimum that lm and
 * bfgs find from three starts (the answer, the pose before, the source's pose), and all along the largest movement of
 * any joint between two frames with the source's own: a body that pops from one pose to another is seen there. */
#include "bench.h"

#include <dirent.h>
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOALS 6
#define PELVIS 5 /* the last goal */
#define MAX_CLIPS 32
#define CMU_METRES 0.056444 /* a unit of CMU's files */
#define RADIANS (3.14159265358979323846 / 180)

enum { EXACT, NOISY, LARGE, KINDS };
static const char *const kind_names[KINDS] = {"exact", "noisy", "6% too large"};

typedef struct motion {
    char name[64];
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver, *judge;
    lb_kinematics *kinematics;
    lb_effector effectors[GOALS];
    int ids[GOALS], variables, moving, frames;
    double rate;
    double *poses; /* the source, [frames][variables] */
} motion;

/* ---------------------------------------------------------------------------------------------------
 * Motions
 * ------------------------------------------------------------------------------------------------- */

static const char *const cmu_goals[GOALS] = {"Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "Hips"};
static const char *const human_goals[GOALS] = {"head", "left_hand", "right_hand", "left_foot", "right_foot", "pelvis"};
static const char *const cmu_joints[] = {
    "Hips",     "LowerBack", "Neck",    "Head",        "LeftUpLeg", "LeftLeg",  "LeftFoot",     "RightUpLeg",
    "RightLeg", "RightFoot", "LeftArm", "LeftForeArm", "LeftHand",  "RightArm", "RightForeArm", "RightHand"};

static int is_cmu_joint(const char *name) {
    for (size_t i = 0; i < sizeof cmu_joints / sizeof *cmu_joints; i++) {
        if (strcmp(cmu_joints[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void set_goals(motion *m, const char *const *names) {
    m->variables = lb_figure_variable_count(m->figure);
    m->problem = lb_problem_create(m->figure, NULL);
    m->kinematics = lb_kinematics_create(m->figure, NULL);
    if (!m->problem || !m->kinematics) {
        bench_stop("no memory");
    }
    for (int g = 0; g < GOALS; g++) {
        lb_constraint constraint;
        lb_constraint_defaults(&constraint);
        if (lb_effector_from_segment(m->figure, lb_figure_find_segment(m->figure, names[g]), &constraint.effector)) {
            bench_stop("%s has no segment %s", m->name, names[g]);
        }
        m->effectors[g] = constraint.effector;
        constraint.goal.kind = LB_GOAL_FRAME;
        m->ids[g] = lb_problem_add(m->problem, &constraint);
    }
    m->solver = lb_solver_create(m->problem, NULL);
    m->judge = lb_solver_create(m->problem, NULL);
    if (!m->solver || !m->judge) {
        bench_stop("no memory");
    }
}

/* Every so many frames of a clip, the joints that are held at rest. The first frame, in which CMU's actors stand as their
 * skeleton does, is left out. */
static void take_frames(motion *m, const lb_clip *clip, int step) {
    int all = lb_clip_frame_count(clip), most = bench.is_quick ? 200 : all;
    m->poses = bench_alloc((size_t)all * (size_t)m->variables, sizeof(double));
    for (int f = 1; f < all && m->frames < most; f += step) {
        double *pose = m->poses + (size_t)m->frames++ * (size_t)m->variables;
        memcpy(pose, lb_clip_const_pose(clip, f), (size_t)m->variables * sizeof *pose);
        for (int v = 0; v < m->variables; v++) {
            const lb_variable *variable = lb_figure_variable(m->figure, v);
            if (!is_cmu_joint(lb_figure_joint(m->figure, variable->ref.joint)->name)) {
                pose[v] = variable->rest;
            }
        }
    }
    m->rate = 1 / (lb_clip_frame_time(clip) * step);
}

static void open_clip(motion *m, const char *path, const char *name, int step) {
    lb_load_options options;
    lb_error error;
    lb_clip *clip;
    lb_load_options_defaults(&options);
    options.unit = CMU_METRES;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%.*s", (int)strcspn(name, "."), name);
    if (lb_clip_load(path, &options, &m->figure, &clip, &error)) {
        bench_stop("%s", error.message);
    }
    if (!clip) {
        bench_stop("%s has no motion", path);
    }
    set_goals(m, cmu_goals);
    for (int j = 0; j < lb_figure_joint_count(m->figure); j++) {
        const lb_joint *joint = lb_figure_joint(m->figure, j);
        if (!is_cmu_joint(joint->name)) {
            lb_problem_set_joint_active(m->problem, 0, j, 0);
        } else {
            m->moving += lb_joint_type_dof_count(&joint->type);
        }
    }
    take_frames(m, clip, step);
    lb_clip_destroy(clip);
}

/* Every variable of trunk, neck, arms and legs swings inside a third of its range, at its own pace; the root walks. */
static void open_sines(motion *m) {
    char path[1024];
    lb_error error;
    uint64_t seed = 11;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "sines");
    bench_source_path("models/human.fig", path);
    if (lb_figure_load(path, NULL, &m->figure, &error)) {
        bench_stop("%s", error.message);
    }
    set_goals(m, human_goals);
    m->frames = bench.is_quick ? 200 : 600;
    m->rate = 60;
    m->poses = bench_alloc((size_t)m->frames * (size_t)m->variables, sizeof(double));
    for (int v = 0; v < m->variables; v++) {
        const lb_variable *variable = lb_figure_variable(m->figure, v);
        double middle = variable->rest, swing = 0.15, pace = bench_uniform(&seed, 1, 4);
        double phase = bench_uniform(&seed, 0, 6.28);
        int is_still =
            strstr(variable->name, "eye") || strstr(variable->name, "hand.") || strstr(variable->name, "toes");
        if (isfinite(variable->lower)) {
            middle = 0.5 * (variable->lower + variable->upper);
            swing = (variable->upper - variable->lower) / 6;
        }
        m->moving += !is_still;
        for (int f = 0; f < m->frames; f++) {
            m->poses[(size_t)f * (size_t)m->variables + (size_t)v] =
                is_still ? variable->rest : middle + swing * sin(pace * f / m->rate + phase);
        }
    }
    for (int f = 0; f < m->frames; f++) {
        if (lb_kinematics_project(m->kinematics, m->poses + (size_t)f * (size_t)m->variables)) {
            bench_stop("no motion inside the limits");
        }
    }
}

static void close_motion(motion *m) {
    lb_solver_destroy(m->solver);
    lb_solver_destroy(m->judge);
    lb_problem_destroy(m->problem);
    lb_kinematics_destroy(m->kinematics);
    lb_figure_destroy(m->figure);
    free(m->poses);
}

/* ---------------------------------------------------------------------------------------------------
 * Targets
 * ------------------------------------------------------------------------------------------------- */

static const double *source_pose(const motion *m, int frame) { return m->poses + (size_t)frame * (size_t)m->variables; }

static void make_targets(motion *m, int kind, lb_frame *targets) {
    uint64_t seed = 3;
    for (int f = 0; f < m->frames; f++) {
        lb_frame *at = targets + (size_t)f * GOALS;
        lb_kinematics_update(m->kinematics, source_pose(m, f));
        for (int g = 0; g < GOALS; g++) {
            lb_kinematics_segment(m->kinematics, m->effectors[g].segment, &at[g]);
        }
        for (int g = 0; g < GOALS; g++) {
            double turn[3] = {0, 0, 0}, angle = 0, rotation[4];
            for (int k = 0; k < 3; k++) {
                if (kind == LARGE) {
                    at[g].position[k] += 0.06 * (at[g].position[k] - at[PELVIS].position[k]);
                }
                if (kind != NOISY) {
                    continue;
                }
                at[g].position[k] += 0.002 * bench_normal(&seed);
                turn[k] = 0.5 * RADIANS * bench_normal(&seed);
                angle += turn[k] * turn[k];
            }
            if (kind == NOISY && !lb_rotation_about(turn, sqrt(angle), rotation)) {
                lb_rotation_multiply(rotation, at[g].rotation, at[g].rotation);
            }
        }
    }
}

static void move_goals(motion *m, const lb_frame *targets) {
    for (int g = 0; g < GOALS; g++) {
        lb_problem_move_goal(m->problem, m->ids[g], &targets[g]);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Tracking
 * ------------------------------------------------------------------------------------------------- */

typedef struct track {
    double *poses;                           /* the answers, [frames][variables] */
    double *us, *iterations, *values, *gaps; /* [frames]; gaps: metres of sqrt(G), NAN where not looked at */
    int solved, minima;
    double residual;           /* the largest distance of any goal, metres */
    double turn, move;         /* the largest change between two frames: of a variable, radians; of a joint, metres */
    double own_turn, own_move; /* the source's */
    int pops;
} track;

static double wrapped(double angle) { return angle - 6.283185307179586 * floor(angle / 6.283185307179586 + 0.5); }

/* Where all segments are. */
static void places(motion *m, const double *pose, double (*at)[3]) {
    lb_frame frame;
    lb_kinematics_update(m->kinematics, pose);
    for (int s = 0; s < lb_figure_segment_count(m->figure); s++) {
        lb_kinematics_segment(m->kinematics, s, &frame);
        memcpy(at[s], frame.position, sizeof at[s]);
    }
}

/* The largest change of an angle and the largest movement of a segment from one frame to the next. */
static void change(motion *m, const double *from, const double *to, double (*at)[3], double *turn, double *move) {
    int segments = lb_figure_segment_count(m->figure);
    double(*before)[3] = at, (*after)[3] = at + segments;
    *turn = *move = 0;
    places(m, from, before);
    places(m, to, after);
    for (int s = 0; s < segments; s++) {
        *move = fmax(*move, sqrt(pow(after[s][0] - before[s][0], 2) + pow(after[s][1] - before[s][1], 2) +
                                 pow(after[s][2] - before[s][2], 2)));
    }
    for (int v = 0; v < m->variables; v++) {
        if (lb_figure_variable(m->figure, v)->is_angle) {
            *turn = fmax(*turn, fabs(wrapped(to[v] - from[v])));
        }
    }
}

static void measure_jumps(motion *m, track *t) {
    double(*at)[3] = bench_alloc(2 * (size_t)lb_figure_segment_count(m->figure), sizeof *at), turn, move;
    for (int f = 1; f < m->frames; f++) {
        change(m, source_pose(m, f - 1), source_pose(m, f), at, &turn, &move);
        t->own_turn = fmax(t->own_turn, turn);
        t->own_move = fmax(t->own_move, move);
    }
    for (int f = 1; f < m->frames; f++) {
        change(m, t->poses + (size_t)(f - 1) * (size_t)m->variables, t->poses + (size_t)f * (size_t)m->variables, at,
               &turn, &move);
        t->turn = fmax(t->turn, turn);
        t->move = fmax(t->move, move);
        t->pops += move > 2 * t->own_move;
    }
    free(at);
}

static void pass(motion *m, const lb_frame *targets, int is_first, track *t) {
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    double *pose = bench_alloc((size_t)m->variables, sizeof *pose);
    size_t size = (size_t)m->variables * sizeof *pose;
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    memcpy(pose, source_pose(m, 0), size);
    for (int f = 0; f < m->frames; f++) {
        double begin = bench_cpu_us();
        move_goals(m, targets + (size_t)f * GOALS);
        if (lb_solver_solve(m->solver, &options, pose, &result)) {
            bench_stop("a frame could not be solved");
        }
        t->us[f] = fmin(t->us[f], bench_cpu_us() - begin);
        if (!is_first) {
            continue;
        }
        memcpy(t->poses + (size_t)f * (size_t)m->variables, pose, size);
        t->iterations[f] = result.iterations;
        t->values[f] = result.value;
        t->solved += result.outcome == LB_OUTCOME_SOLVED;
        t->minima += result.outcome == LB_OUTCOME_MINIMUM;
        for (int i = 0; i < result.constraint_count; i++) {
            t->residual = fmax(t->residual, result.constraints[i].distance);
        }
    }
    free(pose);
}

/* How much the answers' sqrt(G) is above that of the best optimum found. */
static void measure_gaps(motion *m, const lb_frame *targets, int every, track *t) {
    static const lb_method methods[] = {LB_METHOD_LM, LB_METHOD_BFGS};
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    double *pose = bench_alloc((size_t)m->variables, sizeof *pose);
    lb_solve_options_defaults(&options);
    options.keep_going = 1;
    options.max_iterations = 1000;
    for (int f = 1; f < m->frames; f++) {
        const double *answer = t->poses + (size_t)f * (size_t)m->variables;
        const double *starts[] = {answer, answer - m->variables, source_pose(m, f)};
        double best = INFINITY;
        t->gaps[f] = NAN;
        if (f % every) {
            continue;
        }
        move_goals(m, targets + (size_t)f * GOALS);
        for (int s = 0; s < 6; s++) {
            options.method = methods[s % 2];
            memcpy(pose, starts[s / 2], (size_t)m->variables * sizeof *pose);
            if (lb_solver_solve(m->judge, &options, pose, &result)) {
                bench_stop("a frame could not be solved");
            }
            best = fmin(best, result.value);
        }
        t->gaps[f] = fmax(0, sqrt(t->values[f]) - sqrt(best));
    }
    t->gaps[0] = NAN;
    free(pose);
}

typedef struct totals {
    double us, frames, gap;
    int pops;
} totals;

static void run_kind(motion *m, int kind, bench_table *table, totals *sum) {
    size_t frames = (size_t)m->frames;
    lb_frame *targets = bench_alloc(frames * GOALS, sizeof *targets);
    track t = {0};
    t.poses = bench_alloc(frames * (size_t)m->variables, sizeof(double));
    t.us = bench_alloc(4 * frames, sizeof(double));
    t.iterations = t.us + frames;
    t.values = t.us + 2 * frames;
    t.gaps = t.us + 3 * frames;
    for (size_t f = 0; f < frames; f++) {
        t.us[f] = INFINITY;
    }
    make_targets(m, kind, targets);
    for (int p = 0; p < (bench.is_quick ? 2 : 3); p++) {
        pass(m, targets, p == 0, &t);
    }
    measure_gaps(m, targets, bench.is_quick ? 40 : 20, &t);
    measure_jumps(m, &t);
    bench_stats us = bench_statistics(m->frames, t.us), gaps = bench_statistics(m->frames, t.gaps);
    bench_table_row(table, "%s|%s|%d|%.0f|%d|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%.2f|%.4f|%.1f|%.1f|%.1f|%.1f|%d",
                    m->name, kind_names[kind], m->moving, m->rate, m->frames, us.mean, us.p50, us.p99, us.max,
                    bench_statistics(m->frames, t.iterations).mean, 100.0 * t.solved / m->frames,
                    100.0 * t.minima / m->frames, 1e3 * t.residual, 1e3 * gaps.max, t.turn / RADIANS,
                    t.own_turn / RADIANS, 1e3 * t.move, 1e3 * t.own_move, t.pops);
    if (sum) {
        sum[kind].us += us.mean * m->frames;
        sum[kind].frames += m->frames;
        sum[kind].gap = fmax(sum[kind].gap, gaps.max);
        sum[kind].pops += t.pops;
    }
    free(targets);
    free(t.poses);
    free(t.us);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

/* The names of the clips that the shared data has; none where it is not there. */
static int list_clips(char (*names)[256], char folder[1024]) {
    const char *shared = getenv("LIMBER_SHARED");
    int count = 0;
    if (shared) {
        snprintf(folder, 1024, "%s/data/bvh/cmu", shared);
    } else {
        bench_source_path("../shared/data/bvh/cmu", folder);
    }
    DIR *directory = opendir(folder);
    if (!directory) {
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(directory)) && count < MAX_CLIPS;) {
        if (strstr(entry->d_name, ".bvh")) {
            snprintf(names[count++], sizeof *names, "%s", entry->d_name);
        }
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

int main(int argc, char **argv) {
    static char names[MAX_CLIPS][256];
    char folder[1024], path[1400];
    totals sum[KINDS] = {{0, 0, 0, 0}};
    bench_table table;
    motion m;
    bench_begin("tracking", argc, argv);
    bench_table_begin(
        &table, "tracking",
        "motion|targets|dofs|frames a s|frames|mean us|median us|p99 us|max us|iterations|solved %|minimum %|"
        "farthest mm|above best mm|turn deg|source's|move mm|source's|pops");
    int count = list_clips(names, folder), step_count = bench.is_quick ? 1 : 2;
    if (count == 0) {
        printf("No clips of motion capture in %s: sines alone.\n", folder);
    }
    if (bench.is_quick && count > 3) {
        count = 3;
    }
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < step_count; s++) {
            if (!bench_is_wanted(names[i])) {
                continue;
            }
            snprintf(path, sizeof path, "%s/%.255s", folder, names[i]);
            open_clip(&m, path, names[i], s == 0 ? 1 : 4);
            for (int k = 0; k < KINDS; k++) {
                run_kind(&m, k, &table, s == 0 ? sum : NULL);
            }
            close_motion(&m);
        }
    }
    if (bench_is_wanted("sines")) {
        open_sines(&m);
        for (int k = 0; k < KINDS; k++) {
            run_kind(&m, k, &table, NULL);
        }
        close_motion(&m);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("51 dofs, exact targets: mean a frame", sum[EXACT].us / sum[EXACT].frames, 0, 60, "us");
    bench_bar("51 dofs, 6% too large: mean a frame", sum[LARGE].us / sum[LARGE].frames, 0, 400, "us");
    bench_bar("51 dofs, 6% too large: above the best optimum", sum[LARGE].frames ? 1e3 * sum[LARGE].gap : NAN, 0, 0.1,
              "mm");
    bench_bar("51 dofs, 6% too large: pops", sum[LARGE].frames ? sum[LARGE].pops : NAN, 0, 0, "");
    return bench_end();
}
