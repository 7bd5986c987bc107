/* Servos: how long a tick takes, and whether it keeps what it promises, on ten arms and on a person with both hands at
 * moving frames, both feet held and the centre of mass over them.
 *
 * The arms follow 200 ways: lines at any speed and beyond their ends, circles, goals that jump and goals that are lost.
 * Velocities and accelerations are differences of the poses that come out, taken here; the lag of slow goals is
 * measured by forward kinematics of the bench's own. Each tick is timed once, as it comes, with moving the goal; ticks
 * during which the system ran another program are counted by themselves, as in bench_latency.c. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "bench.h"

#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MOST 64
#define PERIOD 0.001
#define TOLERANCE 1e-9 /* relative: the rounding of differences */
#define WAYS 20        /* of each robot */
#define SLOW_WAYS 5

static const char *const arms[] = {"panda",      "ur5",     "iiwa14", "fetch7",  "fetch8",
                                   "baxter_arm", "pr2_arm", "irb120", "puma560", "chain10"};

/* A robot with its servo, and what its ticks were. */
typedef struct rig {
    lb_figure *figure;
    lb_problem *problem;
    lb_servo *servo;
    lb_kinematics *kinematics;
    lb_effector effector;
    int n, segment, id;
    double velocity[MOST], acceleration[MOST], q[MOST], v[MOST];
    double *us; /* of all ticks; NaN where another program ran meanwhile */
    int ticks, room, interrupted;
    long violations;
    double worst_share, worst_lag;
    double hands_lag; /* of a person: the mean over all ticks */
} rig;

static void load_figure(rig *r, const char *model) {
    char relative[128], path[1024];
    lb_error error;
    memset(r, 0, sizeof *r);
    snprintf(relative, sizeof relative, "models/%s.fig", model);
    bench_source_path(relative, path);
    if (lb_figure_load(path, NULL, &r->figure, &error)) {
        bench_stop("%s: %s", path, error.message);
    }
    r->n = lb_figure_variable_count(r->figure);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    r->problem = lb_problem_create(r->figure, NULL);
    if (r->n > MOST || !r->kinematics || !r->problem) {
        bench_stop("%s: no problem could be made of it", model);
    }
}

static void make_servo(rig *r, int ticks) {
    lb_error error;
    r->servo = lb_servo_create(r->problem, NULL, &error);
    if (!r->servo) {
        bench_stop("%s", error.message);
    }
    lb_servo_limits(r->servo, r->velocity, r->acceleration);
    r->room = ticks;
    r->us = bench_alloc((size_t)ticks, sizeof *r->us);
}

static void rig_close(rig *r) {
    lb_servo_destroy(r->servo);
    lb_problem_destroy(r->problem);
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
    free(r->us);
}

static void begin(rig *r, const double *pose) {
    lb_error error;
    if (lb_servo_start(r->servo, pose, NULL, &error)) {
        bench_stop("%s", error.message);
    }
    memcpy(r->q, pose, (size_t)r->n * sizeof *pose);
    memset(r->v, 0, sizeof r->v);
}

static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* The differences of poses against the limits. */
static void judge(rig *r, const double *pose) {
    for (int i = 0; i < r->n; i++) {
        const lb_variable *variable = lb_figure_variable(r->figure, i);
        const double v = (pose[i] - r->q[i]) / PERIOD, a = (v - r->v[i]) / PERIOD;
        const double share = fmax(fabs(v) / r->velocity[i], fabs(a) / r->acceleration[i]);
        r->violations += !(share <= 1 + TOLERANCE) || pose[i] < variable->lower || pose[i] > variable->upper;
        r->worst_share = fmax(r->worst_share, share);
        r->q[i] = pose[i], r->v[i] = v;
    }
}

/* One tick with these goals, timed and judged. */
static void tick(rig *r, int count, const int *ids, const lb_frame *goals, double *pose) {
    const long before = switches();
    const double from = bench_now_us();
    for (int i = 0; i < count; i++) {
        lb_problem_move_goal(r->problem, ids[i], &goals[i]);
    }
    if (lb_servo_tick(r->servo, pose, NULL)) {
        bench_stop("a tick failed");
    }
    const double us = bench_now_us() - from;
    const int is_interrupted = switches() != before;
    if (r->ticks < r->room) {
        r->us[r->ticks++] = is_interrupted ? NAN : us;
        r->interrupted += is_interrupted;
    }
    judge(r, pose);
}

/* --- Arms -------------------------------------------------------------------------------------------------- */

static void open_arm(rig *r, const char *model, int ticks) {
    int order[256];
    lb_constraint c;
    lb_frame frame;
    load_figure(r, model);
    lb_figure_tree_order(r->figure, order);
    r->segment = order[lb_figure_segment_count(r->figure) - 1];
    lb_frame_identity(&frame);
    if (lb_constraint_frame(r->figure, lb_figure_segment(r->figure, r->segment)->name, &frame, &c)) {
        bench_stop("%s has no goal", model);
    }
    lb_effector_from_segment(r->figure, r->segment, &c.effector);
    r->effector = c.effector;
    r->id = lb_problem_add(r->problem, &c);
    make_servo(r, ticks);
}

static void frame_at(rig *r, const double *pose, lb_frame *frame) {
    lb_kinematics_update(r->kinematics, pose);
    lb_kinematics_segment(r->kinematics, r->segment, frame);
}

enum { LINE, CIRCLE, JUMPS, LOST, KINDS };

static void jump(rig *r, int kind, uint64_t *seed, lb_frame *goal) {
    double other[MOST];
    lb_figure_random_pose(r->figure, seed, other);
    frame_at(r, other, goal);
    for (int k = 0; k < 3; k++) {
        goal->position[k] *= bench_uniform(seed, 1, 2); /* out of reach, often */
    }
    if (kind == LOST) {
        lb_problem_enable(r->problem, r->id, bench_uniform(seed, 0, 1) < 0.5);
    }
}

/* One goal's way from a random pose. */
static void run_way(rig *r, int kind, uint64_t *seed, int ticks) {
    double pose[MOST], other[MOST];
    lb_frame from, to, goal;
    lb_figure_random_pose(r->figure, seed, pose);
    lb_figure_random_pose(r->figure, seed, other);
    frame_at(r, pose, &from);
    frame_at(r, other, &to);
    goal = from;
    lb_problem_enable(r->problem, r->id, 1);
    begin(r, pose);
    const double speed = bench_uniform(seed, 0, 1) * bench_uniform(seed, 0, 3);
    for (int t = 0; t < ticks; t++) {
        const double s = PERIOD * t * speed;
        if (kind == LINE) {
            for (int k = 0; k < 3; k++) {
                goal.position[k] = from.position[k] + s * (to.position[k] - from.position[k]);
            }
        } else if (kind == CIRCLE) {
            goal.position[0] = from.position[0] + 0.1 * (cos(6 * s) - 1);
            goal.position[1] = from.position[1] + 0.1 * sin(6 * s);
        } else if (t % 97 == 0) {
            jump(r, kind, seed, &goal);
        }
        tick(r, 1, &r->id, &goal, pose);
    }
}

static double lag_of(rig *r, const double *pose, const lb_frame *goal) {
    long double e[9], square = 0;
    bench_effector(r->figure, pose, &r->effector, e);
    for (int k = 0; k < 3; k++) {
        square += (e[k] - goal->position[k]) * (e[k] - goal->position[k]);
    }
    return sqrt((double)square);
}

/* A goal that goes slowly through poses that the robot can follow, gently up and down. */
static void run_slow(rig *r, uint64_t *seed) {
    double start[MOST], other[MOST], there[MOST], pose[MOST], most = 0;
    const int ticks = 1500;
    lb_frame goal;
    lb_figure_random_pose(r->figure, seed, start);
    lb_figure_random_pose(r->figure, seed, other);
    for (int k = 0; k < r->n; k++) {
        most = fmax(most, fabs(other[k] - start[k]));
    }
    memcpy(pose, start, sizeof pose);
    lb_problem_enable(r->problem, r->id, 1);
    begin(r, pose);
    for (int t = 0; t < ticks; t++) {
        const double x = (double)t / ticks, s = 0.1 / most * (x * x * x * (10 - 15 * x + 6 * x * x));
        for (int k = 0; k < r->n; k++) {
            there[k] = start[k] + s * (other[k] - start[k]);
        }
        frame_at(r, there, &goal);
        tick(r, 1, &r->id, &goal, pose);
        r->worst_lag = fmax(r->worst_lag, lag_of(r, pose, &goal));
    }
}

static double report(const rig *r, const char *name, int ways, bench_table *table) {
    const bench_stats s = bench_statistics(r->ticks, r->us);
    bench_table_row(table, "%s|%d|%d|%d|%ld|%.12g|%.2g|%.2f|%.2f|%.2f|%.2f|%.1f|%.2f", name, r->n, ways, r->ticks,
                    r->violations, r->worst_share, 1e3 * r->worst_lag, s.mean, s.p50, s.p99, s.p999, s.max,
                    100.0 * r->interrupted / r->ticks);
    return s.p99;
}

/* --- A person ------------------------------------------------------------------------------------------------ */

enum { HANDS = 2, FEET = 2 };

static int keep(rig *r, const char *effector, const double *pose, int priority) {
    lb_constraint c;
    if (lb_constraint_keep(r->figure, effector, pose, &c)) {
        bench_stop("there is no %s", effector);
    }
    c.priority = priority;
    return lb_problem_add(r->problem, &c);
}

static void add_balance(rig *r, const double *pose) {
    static const char *const supports[] = {"right_heel", "right_toe", "left_toe", "left_heel"};
    double points[4][3], faces[16][4];
    lb_constraint c;
    lb_frame frame;
    lb_kinematics_update(r->kinematics, pose);
    for (int i = 0; i < 4; i++) {
        lb_kinematics_site(r->kinematics, lb_figure_find_site(r->figure, supports[i]), &frame);
        memcpy(points[i], frame.position, sizeof points[i]);
    }
    if (lb_constraint_balance(4, (const double(*)[3])points, 0.01, faces, &c)) {
        bench_stop("the feet carry nobody");
    }
    lb_problem_add(r->problem, &c);
}

static double distance(const double a[3], const double b[3]) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Both hands go around circles and jump by 10 cm every two seconds, the elbows bent; the feet stay, and the person does not
 * fall: by goals of theirs, above which hands may be of a lower priority, or because the person is posed as a body. */
static void run_person(rig *r, int priority, int is_body, int ticks) {
    static const char *const hands[HANDS] = {"right_palm", "left_palm"};
    static const char *const elbows[HANDS] = {"right_elbow", "left_elbow"};
    static const char *const feet[FEET] = {"right_heel", "left_heel"};
    double pose[MOST];
    int ids[HANDS];
    lb_frame rest[HANDS], goals[HANDS], stand[FEET];
    load_figure(r, "human");
    lb_figure_rest_pose(r->figure, pose);
    for (int i = 0; i < HANDS; i++) {
        pose[lb_figure_find_variable(r->figure, elbows[i])] = 1.5;
    }
    for (int i = 0; i < FEET && !is_body; i++) {
        keep(r, feet[i], pose, 0);
    }
    if (is_body) {
        lb_problem_set_body(r->problem, 0, NULL);
    } else {
        add_balance(r, pose);
    }
    lb_kinematics_update(r->kinematics, pose);
    for (int i = 0; i < HANDS; i++) {
        ids[i] = keep(r, hands[i], pose, priority);
        lb_kinematics_site(r->kinematics, lb_figure_find_site(r->figure, hands[i]), &rest[i]);
        goals[i] = rest[i];
    }
    for (int i = 0; i < FEET; i++) {
        lb_kinematics_site(r->kinematics, lb_figure_find_site(r->figure, feet[i]), &stand[i]);
    }
    make_servo(r, ticks);
    begin(r, pose);
    for (int t = 0; t < ticks; t++) {
        const double s = PERIOD * t;
        for (int i = 0; i < HANDS; i++) {
            goals[i].position[0] = rest[i].position[0] + 0.1 * (1 - cos(3 * s)) + 0.1 * (t / 2000 % 2);
            goals[i].position[2] = rest[i].position[2] + 0.1 * sin(3 * s + i);
        }
        tick(r, HANDS, ids, goals, pose);
        lb_kinematics_update(r->kinematics, pose);
        for (int i = 0; i < FEET; i++) {
            lb_frame foot;
            lb_kinematics_site(r->kinematics, lb_figure_find_site(r->figure, feet[i]), &foot);
            r->worst_lag = fmax(r->worst_lag, distance(foot.position, stand[i].position));
        }
        for (int i = 0; i < HANDS; i++) {
            lb_frame hand;
            lb_kinematics_site(r->kinematics, lb_figure_find_site(r->figure, hands[i]), &hand);
            r->hands_lag += distance(hand.position, goals[i].position) / (HANDS * ticks);
        }
    }
}

/* --- Keeping clear --------------------------------------------------------------------------------------------- */

/* A Panda with its meshes among a table and three boxes, as in bench_collisions.c. Returns 0 where ../shared is not there. */
static int open_among(rig *r, int ticks) {
    static const double boxes[4][6] = {{0, 0, -0.05, 1, 1, 0.02},
                                       {0.5, 0.3, 0.2, 0.1, 0.1, 0.2},
                                       {0.5, -0.4, 0.3, 0.1, 0.1, 0.1},
                                       {-0.4, 0, 0.4, 0.1, 0.3, 0.2}};
    char path[1024], packages[1024];
    lb_load_options options;
    lb_error error;
    lb_constraint c;
    lb_frame frame;
    lb_collisions apart;
    lb_solid solids[4];
    memset(r, 0, sizeof *r);
    bench_source_path("../shared/data/urdf/arms/panda.urdf", path);
    bench_source_path("../shared/data/packages", packages);
    lb_load_options_defaults(&options);
    options.meshes = 1;
    options.packages = packages;
    if (lb_figure_load(path, &options, &r->figure, &error)) {
        return 0;
    }
    r->n = lb_figure_variable_count(r->figure);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    r->problem = lb_problem_create(r->figure, NULL);
    for (int i = 0; i < 4; i++) {
        solids[i].name = NULL;
        lb_shape_defaults(&solids[i].shape);
        solids[i].shape.kind = LB_SHAPE_BOX;
        memcpy(solids[i].shape.frame.position, boxes[i], sizeof solids[i].shape.frame.position);
        memcpy(solids[i].shape.size, boxes[i] + 3, sizeof solids[i].shape.size);
    }
    lb_collisions_defaults(&apart);
    apart.solid_count = 4;
    apart.solids = solids;
    if (lb_problem_set_collisions(r->problem, &apart)) {
        bench_stop("%s", lb_problem_error(r->problem)->message);
    }
    r->segment = lb_figure_find_segment(r->figure, "panda_hand");
    lb_frame_identity(&frame);
    lb_constraint_frame(r->figure, "panda_hand", &frame, &c);
    r->effector = c.effector;
    r->id = lb_problem_add(r->problem, &c);
    make_servo(r, ticks);
    return 1;
}

/* Goals jump from pose to pose, whatever is in the way, from a pose that touches nothing. Returns the largest overlap. */
static double run_among(rig *r, int ticks) {
    uint64_t seed = 77;
    double pose[MOST], overlap = 0;
    lb_solver *judges = lb_solver_create(r->problem, NULL);
    lb_contact_pair pair;
    lb_frame goal;
    do {
        lb_figure_random_pose(r->figure, &seed, pose);
    } while (lb_solver_near_pairs(judges, pose, 0.001, 0, NULL) > 0);
    begin(r, pose);
    for (int t = 0; t < ticks; t++) {
        double other[MOST];
        if (t % 500 == 0) {
            lb_figure_random_pose(r->figure, &seed, other);
            frame_at(r, other, &goal);
        }
        tick(r, 1, &r->id, &goal, pose);
        if (t % 10 == 0 && lb_solver_near_pairs(judges, pose, 0, 1, &pair) > 0) {
            overlap = fmax(overlap, -pair.distance);
        }
    }
    lb_solver_destroy(judges);
    return overlap;
}

int main(int argc, char **argv) {
    long ticks = 0, violations = 0;
    double slowest_seven = 0, lag = 0;
    bench_table table;
    rig r;
    bench_begin("servo", argc, argv);
    bench_table_begin(&table, "servo",
                      "robot|dofs|ways|ticks|violations|largest share of a limit|slow lag mm|mean us|median us|p99 us|"
                      "p99.9 us|max us|interrupted %");
    const int each = bench_count(500, 100), ways = WAYS;
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
        uint64_t seed = 4100 + i;
        if (!bench_is_wanted(arms[i])) {
            continue;
        }
        open_arm(&r, arms[i], ways * each + SLOW_WAYS * 1500);
        for (int way = 0; way < ways; way++) {
            run_way(&r, way % KINDS, &seed, each);
        }
        for (int way = 0; way < SLOW_WAYS; way++) {
            run_slow(&r, &seed);
        }
        const double p99 = report(&r, arms[i], ways, &table);
        slowest_seven = r.n == 7 ? fmax(slowest_seven, p99) : slowest_seven;
        lag = fmax(lag, r.worst_lag);
        ticks += r.ticks, violations += r.violations;
        rig_close(&r);
    }
    double person = NAN, body = NAN;
    if (bench_is_wanted("body")) {
        run_person(&r, 0, 1, bench_count(20000, 2000));
        report(&r, "human as a body", 1, &table);
        body = bench_statistics(r.ticks, r.us).p50;
        printf("a body: hands %.1f mm behind in the mean, feet %.4f mm off at most\n", 1e3 * r.hands_lag,
               1e3 * r.worst_lag);
        ticks += r.ticks, violations += r.violations;
        rig_close(&r);
    }
    for (int priority = 0; priority < 2 && bench_is_wanted("human"); priority++) {
        run_person(&r, priority, 0, bench_count(20000, 2000));
        const double p99 =
            report(&r, priority ? "human, feet and balance first" : "human: hands, feet, balance", 1, &table);
        person = fmax(p99, isnan(person) ? 0 : person);
        printf("%s: hands %.1f mm behind in the mean, feet %.1f mm off at most\n",
               priority ? "feet first" : "one level", 1e3 * r.hands_lag, 1e3 * r.worst_lag);
        ticks += r.ticks, violations += r.violations;
        rig_close(&r);
    }
    double among = NAN, overlap = 0;
    if (bench_is_wanted("among")) {
        const int count = bench_count(40000, 5000);
        if (open_among(&r, count)) {
            overlap = run_among(&r, count);
            among = report(&r, "panda with meshes among boxes", 1, &table);
            printf("among boxes: %d pairs, largest overlap %.4f mm\n", lb_problem_pair_count(r.problem), 1e3 * overlap);
            ticks += r.ticks, violations += r.violations;
            rig_close(&r);
        } else {
            printf("panda with meshes: ../shared/data is not there\n");
        }
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("overlap of what is kept apart", 1e3 * overlap, 0, 0.1, "mm");
    bench_bar("a tick that keeps clear of meshes and boxes at p99", among, 0, 500, "us");
    bench_bar("violations of limits of velocity, acceleration and range", (double)violations, 0, 0, "");
    bench_bar("ticks", (double)ticks, 1, bench.is_quick ? 10000 : 100000, "");
    bench_bar("lag of slow goals", 1e3 * lag, 0, 0.1, "mm");
    bench_bar("a tick of 7 dofs at p99, the slowest arm", slowest_seven > 0 ? slowest_seven : NAN, 0, 10, "us");
    bench_bar("a tick of a person as a body at the median", body, 0, 16, "us");
    bench_bar("a tick of a person with hands, feet and balance at p99", person, 0, 80, "us");
    return bench_end();
}
