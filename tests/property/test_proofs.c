/* What is said to be proved, attacked: where forward kinematics takes an arm is never outside its workspace, never
 * out of its box, and never "no solution", of `lb_solve` or of a closed form. Arms of 1 to 12 joints, sliding,
 * tilted, flat, with offsets from 1e-12 to 1e-3 of their size, on bases that are moved and turned, from a micrometre
 * to a thousand kilometres; every end of every shipped figure, and of robots in ../shared. */
#include <dirent.h>
#include <limber/closed.h>
#include <limber/io.h>
#include <limber/reach.h>
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "random_arm.h"
#include "random_figure.h"

#define MOST_VARIABLES 512
#define MOST_FILES 400

static check_random source;

/* Questions that were asked, and of these the ones with a false answer, by what was claimed. */
typedef enum claim {
    CLAIM_POINT,
    CLAIM_FRAME,
    CLAIM_BOUNDS, /* without grids */
    CLAIM_BOX,
    CLAIM_SOLVE,
    CLAIM_CLOSED,
    CLAIMS
} claim;

static const char *const claim_names[CLAIMS] = {"point",      "frame",    "bounds without grids",
                                                "box of all", "lb_solve", "closed form"};

typedef struct tally {
    long asked[CLAIMS], wrong[CLAIMS];
    double worst[CLAIMS]; /* metres: how far a false answer was off */
} tally;

static tally total;

static void count(tally *t, claim which, int is_wrong, double by) {
    t->asked[which]++;
    t->wrong[which] += is_wrong;
    t->worst[which] = is_wrong && by > t->worst[which] ? by : t->worst[which];
}

/* Adds what came of one figure to the total, and says which one answered falsely. */
static void judge(const tally *t, const char *who) {
    for (int c = 0; c < CLAIMS; c++) {
        total.asked[c] += t->asked[c];
        total.wrong[c] += t->wrong[c];
        if (t->wrong[c]) {
            check_note("%s: %ld of %ld answers of the kind \"%s\" are false, by up to %g m", who, t->wrong[c],
                       t->asked[c], claim_names[c], t->worst[c]);
            CHECK(t->wrong[c] == 0);
        }
    }
    check_note("%s", "");
}

/* --- Questions --------------------------------------------------------------------------------------------- */

/* A figure, what of it is placed, and all that answers. */
typedef struct victim {
    const lb_figure *figure;
    lb_effector effector;
    lb_kinematics *kinematics;
    lb_reach *reach, *bounds;
    lb_closed *closed;
    double rest[MOST_VARIABLES];
} victim;

static void open_victim(victim *v, const lb_figure *figure, const lb_effector *effector, size_t memory) {
    lb_reach_options options;
    lb_error error = {0};
    REQUIRE(lb_figure_variable_count(figure) <= MOST_VARIABLES);
    *v = (victim){.figure = figure, .effector = *effector, .kinematics = lb_kinematics_create(figure, NULL)};
    lb_figure_rest_pose(figure, v->rest);
    lb_reach_options_defaults(&options);
    options.pose = v->rest;
    options.memory = memory;
    v->reach = lb_reach_create(figure, effector, &options, &error);
    options.spacing = -1;
    options.has_frames = 0;
    v->bounds = lb_reach_create(figure, effector, &options, NULL);
    v->closed = lb_closed_create(figure, effector, NULL, NULL);
    REQUIRE(v->kinematics && v->reach && v->bounds);
}

static void close_victim(victim *v) {
    lb_closed_destroy(v->closed);
    lb_reach_destroy(v->reach);
    lb_reach_destroy(v->bounds);
    lb_kinematics_destroy(v->kinematics);
}

/* A pose inside the limits, some joints of which are at an end of their range, or straight; what holds the root
 * stays. */
static void draw_pose(const victim *v, double *pose) {
    uint64_t seed = check_random_bits(&source);
    const int edges = check_random_index(&source, 3);
    lb_figure_random_pose(v->figure, &seed, pose);
    for (int i = 0; i < lb_figure_variable_count(v->figure); i++) {
        const lb_variable *variable = lb_figure_variable(v->figure, i);
        const int which = check_random_index(&source, 6);
        if ((variable->ref.joint < 0 && variable->ref.parameter < 0) || variable->rigidity >= 1) {
            pose[i] = v->rest[i];
        } else if (edges == 1 && which == 0 && lb_figure_limit_count(v->figure) == 0) {
            pose[i] = variable->lower > -1e6 ? variable->lower : pose[i];
        } else if (edges == 1 && which == 1 && lb_figure_limit_count(v->figure) == 0) {
            pose[i] = variable->upper < 1e6 ? variable->upper : pose[i];
        } else if (edges == 2 && which < 4 && lb_figure_limit_count(v->figure) == 0) {
            pose[i] = variable->lower <= 0 && variable->upper >= 0 ? 0 : pose[i];
        }
    }
}

static void place(const victim *v, const double *pose, lb_frame *frame) {
    double e[9], m[9];
    REQUIRE(lb_kinematics_update(v->kinematics, pose) == LB_OK);
    REQUIRE(lb_kinematics_effector(v->kinematics, &v->effector, e) == LB_OK);
    const double z[3] = {e[4] * e[8] - e[5] * e[7], e[5] * e[6] - e[3] * e[8], e[3] * e[7] - e[4] * e[6]};
    for (int i = 0; i < 3; i++) {
        m[3 * i] = e[3 + i];
        m[3 * i + 1] = e[6 + i];
        m[3 * i + 2] = z[i];
        frame->position[i] = e[i];
    }
    lb_rotation_from_matrix(m, frame->rotation);
}

static void ask_workspaces(const victim *v, const lb_frame *frame, tally *t) {
    lb_reach_answer answer;
    double low[3], high[3], off = 0;
    lb_reach_answer_defaults(&answer);
    REQUIRE(lb_reach_point(v->reach, frame->position, &answer) == LB_OK);
    count(t, CLAIM_POINT, answer.verdict == LB_REACH_OUTSIDE, answer.distance);
    REQUIRE(lb_reach_frame(v->reach, frame, &answer) == LB_OK);
    count(t, CLAIM_FRAME, answer.verdict == LB_REACH_OUTSIDE, answer.distance);
    REQUIRE(lb_reach_point(v->bounds, frame->position, &answer) == LB_OK);
    count(t, CLAIM_BOUNDS, answer.verdict == LB_REACH_OUTSIDE, answer.distance);
    REQUIRE(lb_reach_box(v->reach, low, high) == LB_OK);
    for (int i = 0; i < 3; i++) {
        off = fmax(off, fmax(low[i] - frame->position[i], frame->position[i] - high[i]));
    }
    count(t, CLAIM_BOX, off > 0, off);
}

static void ask_closed(const victim *v, const lb_frame *frame, tally *t) {
    lb_closed_result result;
    lb_closed_result_defaults(&result);
    REQUIRE(lb_closed_solve(v->closed, frame, v->rest, &result) == LB_OK);
    count(t, CLAIM_CLOSED, result.count == 0 && result.is_proved, result.all_count ? result.outside : 1e9);
}

/* Solves a goal that can be met, from the rest pose; whether it is met does not count, but what is said where it is
 * not. */
static void ask_solve(const victim *v, const lb_frame *frame, lb_method method, tally *t) {
    lb_constraint goal;
    lb_solve_options options;
    lb_result result;
    double pose[MOST_VARIABLES];
    lb_constraint_defaults(&goal);
    goal.effector = v->effector;
    goal.goal.kind = check_random_index(&source, 2) || method == LB_METHOD_CLOSED ? LB_GOAL_FRAME : LB_GOAL_POSITION;
    lb_solve_options_defaults(&options);
    options.method = method;
    options.restarts = method == LB_METHOD_CLOSED ? 0 : 1;
    options.max_evaluations = 3000;
    lb_result_defaults(&result);
    lb_problem *problem = lb_problem_create(v->figure, NULL);
    REQUIRE(problem != NULL);
    const int id = lb_problem_add(problem, &goal);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(id >= 0 && solver && lb_problem_move_goal(problem, id, frame) == LB_OK);
    memcpy(pose, v->rest, sizeof pose);
    const lb_status status = lb_solver_solve(solver, &options, pose, &result);
    int is_wrong = 0;
    double by = 0;
    if (status == LB_OK && result.outcome != LB_OUTCOME_SOLVED) {
        for (int i = 0; i < result.said_count; i++) {
            is_wrong |= result.said[i].kind == LB_SAY_PROOF;
            by = result.said[i].kind == LB_SAY_PROOF ? result.said[i].value : by;
        }
        REQUIRE(lb_solver_explain(solver, &options, pose, &result) == LB_OK);
        for (int i = 0; i < result.reason_count; i++) {
            is_wrong |= result.reasons[i].kind == LB_REASON_DISTANCE;
            by = result.reasons[i].kind == LB_REASON_DISTANCE ? result.reasons[i].give : by;
        }
    }
    count(t, CLAIM_SOLVE, is_wrong, by);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
}

static void attack(victim *v, int poses, int solves, tally *t) {
    static const lb_method methods[] = {LB_METHOD_LM, LB_METHOD_HIERARCHY, LB_METHOD_CLOSED};
    double pose[MOST_VARIABLES];
    lb_frame frame;
    const lb_closed_kind kind = v->closed ? lb_closed_kind_of(v->closed) : LB_CLOSED_GENERAL;
    const int slow = kind >= LB_CLOSED_LIMB;
    for (int i = 0; i < poses; i++) {
        draw_pose(v, pose);
        place(v, pose, &frame);
        ask_workspaces(v, &frame, t);
        if (v->closed && (!slow || i < solves)) {
            ask_closed(v, &frame, t);
        }
        if (i < solves && lb_figure_variable_count(v->figure) > 0) {
            ask_solve(v, &frame, methods[i % (v->closed && !slow ? 3 : 2)], t);
        }
    }
}

/* --- Random arms ------------------------------------------------------------------------------------------- */

static void random_arms(int first, int arms, int poses, int solves) {
    for (int i = first; i < first + arms; i++) {
        lb_effector effector;
        victim v;
        tally t = {{0}, {0}, {0}};
        char name[64];
        check_random_seed(&source, 1000 + (unsigned long long)i);
        lb_figure *figure = random_arm(&source, i, &effector);
        snprintf(name, sizeof name, "random arm %d, of %d joints", i, 1 + i % RANDOM_ARM_JOINTS);
        check_note("%s", name);
        open_victim(&v, figure, &effector, (size_t)(i % 16 ? 32 << i % 4 : 4096) << 10);
        attack(&v, poses, solves, &t);
        close_victim(&v);
        lb_figure_destroy(figure);
        judge(&t, name);
    }
}

/* Joints of every kind, groups, rows, rigidity, loops (which random poses do not close: workspaces leave them out). */
static void random_figures(int figures, int poses) {
    for (int i = 0; i < figures; i++) {
        random_options options = {.segments = 2 + i % 8, .first_kind = i % RANDOM_KINDS};
        lb_effector effector;
        victim v;
        tally t = {{0}, {0}, {0}};
        char name[64];
        uint64_t seed = 3000 + (uint64_t)i;
        check_random_seed(&source, seed);
        options.with_loops = i % 8 == 5;
        options.with_groups = i % 3 == 0;
        options.with_frozen = i % 4 == 0;
        options.with_limits = i % 5 != 0;
        options.with_rows = i % 7 == 0;
        options.with_rigidity = i % 6 == 0;
        options.scale = pow(10, check_random_range(&source, -6, 6));
        lb_figure *figure = random_figure(&seed, &options);
        REQUIRE(lb_effector_from_segment(figure, lb_figure_segment_count(figure) - 1, &effector) == LB_OK);
        snprintf(name, sizeof name, "random figure %d, of size %g m", i, options.scale);
        check_note("%s", name);
        open_victim(&v, figure, &effector, (size_t)64 << 10);
        attack(&v, poses, 1, &t);
        close_victim(&v);
        lb_figure_destroy(figure);
        judge(&t, name);
    }
}

/* --- Figures ----------------------------------------------------------------------------------------------- */

typedef struct file_list {
    char paths[MOST_FILES][1024];
    int count;
} file_list;

static int compare_paths(const void *a, const void *b) { return strcmp(a, b); }

static void list_folder(const char *folder, const char *ending, file_list *list) {
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        const size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (length > tail && !strcmp(entry->d_name + length - tail, ending) && list->count < MOST_FILES) {
            snprintf(list->paths[list->count++], sizeof list->paths[0], "%s/%s", folder, entry->d_name);
        }
    }
    if (dir) {
        closedir(dir);
    }
}

/* Whether nothing hangs on a segment. */
static int is_leaf(const lb_figure *f, int segment) {
    int is_base = 0;
    for (int i = 0; i < lb_figure_segment_count(f); i++) {
        is_base |= lb_figure_parent_segment(f, i) == segment;
    }
    return !is_base;
}

/* The ends of a figure: the sites of what nothing hangs on, and its frame. One of `every` is attacked. */
static void attack_ends(const char *path, int every, int *number, int poses) {
    lb_figure *figure;
    if (lb_figure_load(path, NULL, &figure, NULL)) {
        return; /* what is not to be read is the readers' to say */
    }
    const int segments = lb_figure_segment_count(figure);
    for (int i = 0; i < segments + lb_figure_site_count(figure); i++) {
        lb_effector effector;
        char name[1200];
        tally t = {{0}, {0}, {0}};
        victim v;
        const int is_site = i >= segments;
        const int segment = is_site ? lb_figure_site(figure, i - segments)->segment : i;
        if (!is_leaf(figure, segment) || (*number)++ % every || lb_figure_variable_count(figure) > MOST_VARIABLES ||
            (is_site ? lb_effector_from_site(figure, i - segments, &effector)
                     : lb_effector_from_segment(figure, segment, &effector))) {
            continue;
        }
        snprintf(name, sizeof name, "%s, %s %s", path, is_site ? "site" : "segment",
                 is_site ? lb_figure_site(figure, i - segments)->name : lb_figure_segment(figure, segment)->name);
        check_note("%s", name);
        check_random_seed(&source, 7);
        open_victim(&v, figure, &effector, 256 << 10);
        attack(&v, poses, 1, &t);
        close_victim(&v);
        judge(&t, name);
    }
    lb_figure_destroy(figure);
}

static void figures(int every, int poses) {
    static const char *const folders[] = {
        "data/urdf/arms",   "data/urdf/dual_mobile",           "data/urdf/hands", "data/urdf/humanoids",
        "data/urdf/legged", "data/urdf/parallel/5bar_linkage", "data/urdf/quirks"};
    static file_list list;
    char folder[1000];
    int number = 0;
    REQUIRE(check_source("models", folder, sizeof folder));
    list_folder(folder, ".fig", &list);
    CHECK(list.count > 10);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (check_shared(folders[i], folder, sizeof folder)) {
            list_folder(folder, ".urdf", &list);
        } else {
            printf("skipped: shared %s is not there\n", folders[i]);
        }
    }
    qsort(list.paths, (size_t)list.count, sizeof list.paths[0], compare_paths);
    for (int i = 0; i < list.count; i++) {
        attack_ends(list.paths[i], every, &number, poses);
    }
}

int main(void) {
    const int is_short = check_is_sanitized();
    random_arms(0, is_short ? 12 : check_count(120, 600), is_short ? 20 : check_count(60, 450), 3);
    random_arms(566, 1, is_short ? 20 : 450,
                3); /* links so short that a limit is nearer than rounding: proved no solution */
    random_figures(is_short ? 22 : check_count(88, 880), is_short ? 10 : check_count(40, 100));
    figures(is_short ? 100 : check_count(12, 1), is_short ? 20 : check_count(60, 300));
    long asked = 0;
    for (int c = 0; c < CLAIMS; c++) {
        printf("%s: %ld asked, %ld false\n", claim_names[c], total.asked[c], total.wrong[c]);
        asked += total.asked[c];
    }
    printf("%ld questions\n", asked);
    return check_done();
}
