/* Two arms at once: pairs of poses that are known to be reachable, from mid-range and random starts.
 *
 *     one        the right hand alone: what a single arm takes;
 *     two        both hands, each at a frame of its own;
 *     relative   the right hand at a frame that the left hand carries;
 *     held       the same, and the left hand at a frame.
 *
 * Each answer is verified by forward kinematics of its own in long double. Robots of ../shared/data/urdf, where that is
 * there. */
#include "bench.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586
#define LATE_US 5000 /* an answer that comes later is none */

typedef struct robot {
    const char *name, *path, *left, *right;
    const char *held; /* the joint before both arms that stands still; NULL: none does */
} robot;

static const robot robots[] = {
    {"baxter", "../shared/data/urdf/dual_mobile/baxter.urdf", "left_gripper", "right_gripper", NULL},
    {"yumi", "../shared/data/urdf/dual_mobile/yumi.urdf", "gripper_l_base", "gripper_r_base", NULL},
    {"pr2", "../shared/data/urdf/dual_mobile/pr2_tracik.urdf", "l_gripper_palm_link", "r_gripper_palm_link", NULL},
    {"pr2, torso still", "../shared/data/urdf/dual_mobile/pr2_tracik.urdf", "l_gripper_palm_link",
     "r_gripper_palm_link", "torso_lift_joint"},
    {"nextage", "../shared/data/urdf/dual_mobile/nextage_open.urdf", "LARM_JOINT5_Link", "RARM_JOINT5_Link", NULL},
    {"nextage, chest still", "../shared/data/urdf/dual_mobile/nextage_open.urdf", "LARM_JOINT5_Link",
     "RARM_JOINT5_Link", "CHEST_JOINT0"},
};
#define ROBOTS (int)(sizeof robots / sizeof *robots)

typedef enum task_kind { TASK_ONE, TASK_TWO, TASK_RELATIVE, TASK_HELD, TASKS } task_kind;
static const char *const task_names[TASKS] = {"one", "two", "relative", "held"};

/* Where the right hand is: in the world, or seen from the left. */
typedef struct pair {
    const lb_figure *figure;
    lb_effector left, right;
    task_kind task;
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    int left_id, right_id, variables;
    char *is_active;
    double *rest;
    int instances;
    lb_frame *left_frames, *right_frames;
    long double (*left_e)[9], (*right_e)[9]; /* the same: r, x, y */
} pair;

static bench_table table;

/* b seen from a: r, x, y each. */
static void see_from(const long double a[9], const long double b[9], long double out[9]) {
    long double z[3];
    for (int k = 0; k < 3; k++) {
        z[k] = a[3 + (k + 1) % 3] * a[6 + (k + 2) % 3] - a[3 + (k + 2) % 3] * a[6 + (k + 1) % 3];
    }
    for (int part = 0; part < 3; part++) {
        long double v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = b[3 * part + k] - (part == 0 ? a[k] : 0);
        }
        out[3 * part] = a[3] * v[0] + a[4] * v[1] + a[5] * v[2];
        out[3 * part + 1] = a[6] * v[0] + a[7] * v[1] + a[8] * v[2];
        out[3 * part + 2] = z[0] * v[0] + z[1] * v[1] + z[2] * v[2];
    }
}

static void frame_of(const long double e[9], lb_frame *frame) {
    double m[9];
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        m[3 * k] = (double)e[3 + k], m[3 * k + 1] = (double)e[6 + k];
        m[3 * k + 2] = (double)(e[3 + a] * e[6 + b] - e[3 + b] * e[6 + a]);
        frame->position[k] = (double)e[k];
    }
    lb_rotation_from_matrix(m, frame->rotation);
}

/* Whether two frames are less than 1e-5 m and 1e-5 rad apart. */
static int is_near(const long double a[9], const long double b[9]) {
    long double distance = 0, turned = 0, cross[3], za[3], zb[3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        distance += (a[k] - b[k]) * (a[k] - b[k]);
        za[k] = a[3 + i] * a[6 + j] - a[3 + j] * a[6 + i];
        zb[k] = b[3 + i] * b[6 + j] - b[3 + j] * b[6 + i];
    }
    for (int k = 0; k < 3; k++) { /* twice the sine of the angle, along the axis */
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        cross[k] = a[3 + i] * b[3 + j] - a[3 + j] * b[3 + i] + a[6 + i] * b[6 + j] - a[6 + j] * b[6 + i] +
                   za[i] * zb[j] - za[j] * zb[i];
        turned += cross[k] * cross[k];
    }
    const long double trace = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7] + a[8] * b[8];
    return sqrtl(distance) < 1e-5L && 0.5L * sqrtl(turned) < 1e-5L && trace > 0;
}

static void random_pose(const pair *p, uint64_t *state, double *pose) {
    for (int v = 0; v < p->variables; v++) {
        const lb_variable *variable = lb_figure_variable(p->figure, v);
        const double whole = variable->is_angle ? TURN / 2 : 1;
        const double lower = isfinite(variable->lower) ? variable->lower : -whole;
        const double upper = isfinite(variable->upper) ? variable->upper : whole;
        pose[v] = p->is_active[v] ? bench_uniform(state, lower, upper) : p->rest[v];
    }
}

static void make_targets(pair *p, int count, uint64_t seed) {
    double *pose = bench_alloc((size_t)p->variables, sizeof *pose);
    p->instances = count;
    p->left_frames = bench_alloc((size_t)count, sizeof *p->left_frames);
    p->right_frames = bench_alloc((size_t)count, sizeof *p->right_frames);
    p->left_e = bench_alloc((size_t)count, sizeof *p->left_e);
    p->right_e = bench_alloc((size_t)count, sizeof *p->right_e);
    for (int i = 0; i < count; i++) {
        long double right[9];
        random_pose(p, &seed, pose);
        bench_effector(p->figure, pose, &p->left, p->left_e[i]);
        bench_effector(p->figure, pose, &p->right, right);
        memcpy(p->right_e[i], right, sizeof right);
        if (p->task >= TASK_RELATIVE) {
            see_from(p->left_e[i], right, p->right_e[i]);
        }
        frame_of(p->left_e[i], &p->left_frames[i]);
        frame_of(p->right_e[i], &p->right_frames[i]);
    }
    free(pose);
}

static int add_goal(pair *p, const lb_effector *effector, int is_carried) {
    lb_constraint c;
    lb_constraint_defaults(&c);
    c.effector = *effector;
    c.goal.kind = LB_GOAL_FRAME;
    c.goal.x[0] = c.goal.y[1] = 1;
    if (is_carried) {
        c.goal.carrier_figure = 0;
        c.goal.carrier_segment = p->left.segment;
    }
    for (int i = 0; i < 3; i++) { /* what is inside them has a distance and an angle under 1e-5 */
        c.tolerance[i] = 1e-5 / sqrt(3.0);
    }
    c.tolerance_rad = 1e-5 / sqrt(2.0);
    const int id = lb_problem_add(p->problem, &c);
    if (id < 0) {
        bench_stop("%s", lb_problem_error(p->problem)->message);
    }
    return id;
}

/* Variables that move one of the hands. */
static void mark_active(pair *p, const lb_effector *effector) {
    for (int s = effector->segment; lb_figure_parent_joint(p->figure, s) >= 0;
         s = lb_figure_parent_segment(p->figure, s)) {
        for (int v = 0; v < p->variables; v++) {
            const int joint = lb_figure_variable(p->figure, v)->ref.joint;
            p->is_active[v] |= joint >= 0 && joint == lb_figure_parent_joint(p->figure, s);
        }
    }
}

static void open_pair(pair *p, const lb_figure *figure, const robot *r, task_kind task) {
    memset(p, 0, sizeof *p);
    p->figure = figure;
    p->task = task;
    if (lb_figure_find_effector(figure, r->left, &p->left, NULL) ||
        lb_figure_find_effector(figure, r->right, &p->right, NULL)) {
        bench_stop("%s has no hands", r->name);
    }
    /* the carrier's frame is that of its segment: so is the left hand's */
    lb_effector_from_segment(figure, p->left.segment, &p->left);
    p->variables = lb_figure_variable_count(figure);
    p->is_active = bench_alloc((size_t)p->variables, 1);
    p->rest = bench_alloc((size_t)p->variables, sizeof *p->rest);
    lb_figure_rest_pose(figure, p->rest);
    p->problem = lb_problem_create(figure, NULL);
    mark_active(p, &p->right);
    if (task != TASK_ONE) {
        mark_active(p, &p->left);
    }
    for (int v = 0; v < p->variables; v++) {
        const int joint = lb_figure_variable(figure, v)->ref.joint;
        if (r->held && joint >= 0 && !strcmp(lb_figure_joint(figure, joint)->name, r->held)) {
            p->is_active[v] = 0;
        }
        lb_problem_set_active(p->problem, v, p->is_active[v]);
    }
    p->left_id = task == TASK_TWO || task == TASK_HELD ? add_goal(p, &p->left, 0) : -1;
    p->right_id = add_goal(p, &p->right, task >= TASK_RELATIVE);
    p->solver = lb_solver_create(p->problem, NULL);
    lb_solve_options_defaults(&p->options);
    p->options.restarts = 1000;
}

static void close_pair(pair *p) {
    lb_solver_destroy(p->solver);
    lb_problem_destroy(p->problem);
    free(p->is_active);
    free(p->rest);
    free(p->left_frames);
    free(p->right_frames);
    free(p->left_e);
    free(p->right_e);
}

static void solve_pair(void *context, int instance, double *pose, bench_outcome *outcome) {
    pair *p = context;
    lb_result result;
    lb_result_defaults(&result);
    if (p->left_id >= 0) {
        lb_problem_move_goal(p->problem, p->left_id, &p->left_frames[instance]);
    }
    lb_problem_move_goal(p->problem, p->right_id, &p->right_frames[instance]);
    if (lb_solver_solve(p->solver, &p->options, pose, &result)) {
        bench_stop("%s", result.explanation);
    }
    outcome->is_solved = result.outcome == LB_OUTCOME_SOLVED;
    outcome->iterations = result.iterations;
    outcome->restarts = result.restarts;
}

static int verify_pair(void *context, int instance, const double *pose) {
    const pair *p = context;
    long double left[9], right[9], seen[9];
    if (lb_figure_violation(p->figure, pose) > 1e-9) {
        return 0;
    }
    for (int v = 0; v < p->variables; v++) {
        if (!p->is_active[v] && pose[v] != p->rest[v]) {
            return 0;
        }
    }
    bench_effector(p->figure, pose, &p->left, left);
    bench_effector(p->figure, pose, &p->right, right);
    memcpy(seen, right, sizeof seen);
    if (p->task >= TASK_RELATIVE) {
        see_from(left, right, seen);
    }
    return is_near(seen, p->right_e[instance]) && (p->left_id < 0 || is_near(left, p->left_e[instance]));
}

/* Returns the mean time. */
static double race(pair *p, const robot *r, int is_random, double *percent) {
    bench_contestant limber = {.name = "limber", .context = p, .solve = solve_pair};
    double *starts = bench_alloc((size_t)p->instances * (size_t)p->variables, sizeof *starts);
    uint64_t state = 1002;
    for (int i = 0; i < p->instances; i++) {
        double *start = starts + (size_t)i * (size_t)p->variables;
        random_pose(p, &state, start);
        for (int v = 0; v < p->variables && !is_random; v++) {
            const lb_variable *variable = lb_figure_variable(p->figure, v);
            const int is_limited = isfinite(variable->lower) && isfinite(variable->upper);
            start[v] = p->is_active[v] && is_limited ? 0.5 * (variable->lower + variable->upper) : p->rest[v];
        }
    }
    bench_race run = {.instances = p->instances,
                      .variables = p->variables,
                      .repeats = 3,
                      .starts = starts,
                      .context = p,
                      .verify = verify_pair};
    bench_race_run(&run, 1, &limber);
    for (int i = 0; i < p->instances; i++) {
        limber.is_right[i] = (char)(limber.is_right[i] && limber.us[i] <= LATE_US);
    }
    const bench_stats s = bench_statistics(p->instances, limber.us);
    *percent = bench_right_percent(&run, &limber);
    bench_table_row(&table, "%s|%s|%s|%d|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f|%.2f", r->name, task_names[p->task],
                    is_random ? "random" : "mid", p->instances, *percent, s.mean, s.p50, s.p99, s.max,
                    bench_mean_int(&run, &limber, limber.iterations), bench_mean_int(&run, &limber, limber.restarts));
    bench_race_free(1, &limber);
    free(starts);
    return s.mean;
}

/* What the bars are about: the worst. */
typedef struct worst {
    double percent, ratio, relative_us;
} worst;

static void run_robot(const robot *r, uint64_t seed, worst *w) {
    char path[1024];
    lb_figure *figure;
    double one = 0;
    bench_source_path(r->path, path);
    if (!bench_is_wanted(r->name) || lb_figure_load(path, NULL, &figure, NULL)) {
        return;
    }
    const int first = table.rows;
    for (int t = 0; t < TASKS; t++) {
        pair p;
        double percent, mean = 0;
        open_pair(&p, figure, r, (task_kind)t);
        make_targets(&p, bench_count(10000, 300), seed);
        for (int is_random = 0; is_random < 2; is_random++) {
            mean += 0.5 * race(&p, r, is_random, &percent);
            w->percent = fmin(w->percent, percent);
        }
        one = t == TASK_ONE ? mean : one;
        w->ratio = t == TASK_TWO ? fmax(w->ratio, mean / (2 * one)) : w->ratio;
        w->relative_us = t == TASK_RELATIVE ? fmax(w->relative_us, mean) : w->relative_us;
        close_pair(&p);
    }
    bench_table_print(&table, first);
    lb_figure_destroy(figure);
}

int main(int argc, char **argv) {
    worst w = {NAN, NAN, NAN};
    bench_begin("dual", argc, argv);
    bench_table_begin(&table, "dual", "robot|task|start|poses|solved %|mean us|p50|p99|max|iterations|restarts");
    for (int r = 0; r < ROBOTS; r++) {
        run_robot(&robots[r], (uint64_t)r + 1, &w);
    }
    bench_table_end(&table);
    bench_bar("Two arms: pairs of poses that are reached, the least of any robot", w.percent, 1, 100, "%");
    bench_bar("Two arms, each with a frame: mean time over twice that of one arm, at most", w.ratio, 0, 2.5, "");
    bench_bar("Relative goals: mean time, at most", w.relative_us, 0, 15, "us");
    return bench_end();
}
