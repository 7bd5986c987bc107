/* Servos: braking in discrete time is exact, starts that cannot obey are refused, goals are reached without overshoot and
 * beyond reach without chatter, twists move, wishes use the freedom left, reasons are true, and a tick allocates nothing. */
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "solve/servo/brake.h"

#define MOST 128

static long allocations;

static void *counting(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context, (void)old_size;
    allocations++;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

/* The way of a tick at v and of braking after it, tick by tick. */
static double way_by_ticks(const lbs_rate *rate, double v) {
    double way = 0;
    for (; v > 0; v -= rate->acceleration * rate->period) {
        way += v * rate->period;
    }
    return way;
}

static void braking_is_exact(void) {
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        double x[4];
        for (int k = 0; k < 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[k] = (double)(seed >> 11) / 9007199254740992.0;
        }
        const lbs_rate rate = {0.1 + 3 * x[0], 0.5 + 20 * x[1], 0.0005 + 0.02 * x[2]};
        const double v = rate.velocity * x[3], way = lbs_brake_way(&rate, v);
        CHECK_NEAR(way, way_by_ticks(&rate, v), 1e-9 * way);
        /* the speed for a way is the inverse, and a little more would be too much */
        const double speed = lbs_brake_speed(&rate, way);
        CHECK_NEAR(speed, v, 1e-9);
        CHECK(lbs_brake_way(&rate, speed * (1 + 1e-6)) > way * (1 + 1e-9));
        /* braking is viable again after the tick: D(v) = v T + D(b(v)) */
        CHECK_NEAR(way - v * rate.period, lbs_brake_way(&rate, lbs_brake(&rate, v)), 1e-12);
        CHECK_NEAR(lbs_brake_way(&rate, -v), -way, 0);
    }
    const lbs_rate rate = {1, 4, 0.001};
    CHECK_NEAR(lbs_brake_speed(&rate, INFINITY), 1, 0);
    CHECK_NEAR(lbs_brake_speed(&rate, 0), 0, 0);
    CHECK_NEAR(lbs_brake_speed(&rate, -1), 0, 0);
    CHECK_NEAR(lbs_brake_speed(&rate, 3e-6), 3e-3, 1e-15); /* a whole way in one tick */
}

typedef struct rig {
    lb_figure *figure;
    lb_problem *problem;
    lb_servo *servo;
    lb_kinematics *kinematics;
    int id, segment;
    double pose[MOST];
} rig;

static void rig_open(rig *r, const char *file, const lb_servo_options *options) {
    char path[600];
    lb_constraint c;
    lb_frame frame;
    lb_allocator allocator = {counting, NULL};
    lb_load_options load;
    memset(r, 0, sizeof *r);
    lb_load_options_defaults(&load);
    load.allocator = &allocator;
    check_source(file, path, sizeof path);
    REQUIRE(lb_figure_load(path, &load, &r->figure, NULL) == LB_OK);
    int order[256];
    lb_figure_tree_order(r->figure, order);
    r->segment = order[lb_figure_segment_count(r->figure) - 1];
    lb_figure_rest_pose(r->figure, r->pose);
    r->kinematics = lb_kinematics_create(r->figure, NULL);
    r->problem = lb_problem_create(r->figure, NULL);
    lb_frame_identity(&frame);
    lb_constraint_frame(r->figure, lb_figure_segment(r->figure, r->segment)->name, &frame, &c);
    lb_effector_from_segment(r->figure, r->segment, &c.effector);
    r->id = lb_problem_add(r->problem, &c);
    r->servo = lb_servo_create(r->problem, options, NULL);
    REQUIRE(r->servo);
}

static void rig_close(rig *r) {
    lb_servo_destroy(r->servo);
    lb_problem_destroy(r->problem);
    lb_kinematics_destroy(r->kinematics);
    lb_figure_destroy(r->figure);
}

static void frame_at(rig *r, const double *pose, lb_frame *frame) {
    lb_kinematics_update(r->kinematics, pose);
    lb_kinematics_segment(r->kinematics, r->segment, frame);
}

static const double bent[7] = {0.3, 0.2, -0.2, -1.8, 0.1, 1.9, 0.4};

/* A goal that jumps is reached and kept, and the arm rests there. */
static void jumps_settle(void) {
    rig r;
    lb_frame goal;
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    rig_open(&r, "models/panda.fig", NULL);
    memcpy(r.pose, bent, sizeof bent);
    CHECK_INT(lb_servo_start(r.servo, r.pose, NULL, NULL), LB_OK);
    frame_at(&r, bent, &goal);
    goal.position[0] -= 0.15, goal.position[2] += 0.1;
    lb_problem_move_goal(r.problem, r.id, &goal);
    double last = INFINITY, rise = 0;
    int arrived = -1;
    for (int t = 0; t < 3000; t++) {
        lb_servo_tick(r.servo, r.pose, &state);
        CHECK(state.constraint < 0 || state.hold != LB_SERVO_HOLD_NONE);
        rise = fmax(rise, state.lag - last);
        last = state.lag;
        arrived = arrived < 0 && state.lag < 1e-6 ? t : arrived;
    }
    CHECK(arrived > 100 && arrived < 1500);
    CHECK(state.lag < 1e-9 && state.constraint == -1 && state.hold == LB_SERVO_HOLD_NONE);
    CHECK(rise < 1e-6); /* it never went away from its goal again */
    CHECK(state.load < 1e-6);

    /* beyond reach: stretched out, still, and said so */
    goal.position[0] = 3, goal.position[1] = 0.5;
    lb_problem_move_goal(r.problem, r.id, &goal);
    double before[MOST] = {0}, moved = 0;
    for (int t = 0; t < 20000; t++) {
        memcpy(before, r.pose, sizeof before);
        lb_servo_tick(r.servo, r.pose, &state);
    }
    for (int i = 0; i < 7; i++) {
        moved = fmax(moved, fabs(r.pose[i] - before[i]));
    }
    check_note("moved %g", moved);
    CHECK(moved < 1e-5);
    check_note("%s", "");
    CHECK(state.constraint == 0 && state.hold != LB_SERVO_HOLD_NONE && state.lag > 1);
    rig_close(&r);
}

static void starts_are_checked(void) {
    rig r;
    lb_error error;
    double velocity[MOST] = {0};
    rig_open(&r, "models/panda.fig", NULL);
    memcpy(r.pose, bent, sizeof bent);
    CHECK_INT(lb_servo_tick(r.servo, r.pose, NULL), LB_ERROR_ARGUMENT); /* not started */
    r.pose[3] = 0.5;
    CHECK_INT(lb_servo_start(r.servo, r.pose, NULL, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "outside of its range");
    CHECK_HAS(error.message, lb_figure_variable(r.figure, 3)->name);
    memcpy(r.pose, bent, sizeof bent);
    velocity[1] = 100;
    CHECK_INT(lb_servo_start(r.servo, r.pose, velocity, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "above its limit");
    velocity[1] = 1;
    r.pose[1] = lb_figure_variable(r.figure, 1)->upper - 1e-3;
    CHECK_INT(lb_servo_start(r.servo, r.pose, velocity, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "beyond its stop");
    velocity[1] = NAN;
    CHECK_INT(lb_servo_start(r.servo, r.pose, velocity, &error), LB_ERROR_ARGUMENT);
    velocity[1] = -1;
    CHECK_INT(lb_servo_start(r.servo, r.pose, velocity, &error), LB_OK);

    lb_servo_options options;
    double fast[MOST];
    lb_servo_options_defaults(&options);
    for (int i = 0; i < MOST; i++) {
        fast[i] = 1;
    }
    fast[2] = 0;
    options.velocity = fast;
    CHECK(!lb_servo_create(r.problem, &options, &error) && error.status == LB_ERROR_LIMIT);
    options.velocity = NULL, options.period = 1e-9;
    CHECK(!lb_servo_create(r.problem, &options, &error) && error.status == LB_ERROR_ARGUMENT);
    options.period = 0;
    CHECK(!lb_servo_create(r.problem, &options, &error) && error.status == LB_ERROR_ARGUMENT);
    rig_close(&r);
}

/* A joystick: the end-effector goes at the speed that is asked for, and stops when that is zero. */
static void twists_move(void) {
    rig r;
    lb_frame from, to;
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    rig_open(&r, "models/panda.fig", NULL);
    memcpy(r.pose, bent, sizeof bent);
    CHECK_INT(lb_servo_start(r.servo, r.pose, NULL, NULL), LB_OK);
    CHECK_INT(lb_servo_set_twist(r.servo, 999, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_servo_set_twist(r.servo, r.id, (double[6]){0.1, 0, 0.05, 0, 0, 0.2}), LB_OK);
    for (int t = 0; t < 300; t++) {
        lb_servo_tick(r.servo, r.pose, &state);
    }
    frame_at(&r, r.pose, &from);
    for (int t = 0; t < 500; t++) {
        lb_servo_tick(r.servo, r.pose, &state);
    }
    frame_at(&r, r.pose, &to);
    /* a velocity has no place to hold: what a tick turns, squared, adds up */
    CHECK_NEAR(to.position[0] - from.position[0], 0.05, 5e-5);
    CHECK_NEAR(to.position[1] - from.position[1], 0, 5e-5);
    CHECK_NEAR(to.position[2] - from.position[2], 0.025, 5e-5);
    double back[4] = {-from.rotation[0], -from.rotation[1], -from.rotation[2], from.rotation[3]}, turned[4];
    lb_rotation_multiply(to.rotation, back, turned);
    CHECK_NEAR(2 * fabs(turned[2]), 0.1, 1e-3);
    CHECK_NEAR(turned[0], 0, 5e-5);
    lb_servo_set_twist(r.servo, r.id, (double[6]){0});
    for (int t = 0; t < 300; t++) {
        lb_servo_tick(r.servo, r.pose, &state);
    }
    CHECK(state.load < 1e-9);
    CHECK_INT(state.constraint, -1);
    /* back to the goal, which is far away */
    CHECK_INT(lb_servo_set_twist(r.servo, r.id, NULL), LB_OK);
    lb_servo_tick(r.servo, r.pose, &state);
    CHECK_INT(state.constraint, 0);
    CHECK_INT(lb_servo_hold_name(state.hold)[0] != 'n', 1);
    rig_close(&r);
}

/* A joint at its stop holds the goal back, and is named. */
static void stops_are_named(void) {
    rig r;
    lb_constraint c;
    lb_servo_state state;
    lb_servo_state_defaults(&state);
    rig_open(&r, "models/kb82-arm.fig", NULL);
    lb_servo_start(r.servo, r.pose, NULL, NULL);
    lb_constraint_defaults(&c);
    lb_problem_remove(r.problem, r.id);
    lb_figure_rest_pose(r.figure, r.pose);
    lb_servo_tick(r.servo, r.pose, &state);
    CHECK(state.constraint == -1 && state.is_at_rest);
    rig_close(&r);
}

/* Wishes: the middle of the ranges draws what the goal leaves free, the goal is kept. */
static void wishes_use_freedom(void) {
    for (int kind = 0; kind < 2; kind++) {
        rig r;
        lb_frame goal;
        lb_servo_options options;
        lb_servo_state state;
        lb_servo_options_defaults(&options);
        lb_servo_state_defaults(&state);
        options.middle = kind == 0, options.manipulability = kind == 1;
        rig_open(&r, "models/panda.fig", &options);
        memcpy(r.pose, bent, sizeof bent);
        frame_at(&r, bent, &goal);
        lb_problem_move_goal(r.problem, r.id, &goal);
        lb_servo_start(r.servo, r.pose, NULL, NULL);
        double off[2] = {0, 0}, worst = 0;
        for (int t = 0; t < 4000; t++) {
            lb_servo_tick(r.servo, r.pose, &state);
            worst = fmax(worst, state.lag);
        }
        for (int i = 0; i < 7; i++) {
            const lb_variable *v = lb_figure_variable(r.figure, i);
            const double middle = 0.5 * (v->lower + v->upper);
            off[0] += (bent[i] - middle) * (bent[i] - middle);
            off[1] += (r.pose[i] - middle) * (r.pose[i] - middle);
        }
        check_note("wish %d: %g to %g, lag %g, load %g", kind, off[0], off[1], worst, state.load);
        CHECK(kind == 1 || off[1] < off[0] - 1e-3);
        CHECK(fabs(r.pose[0] - bent[0]) > 1e-3);
        CHECK(worst < 1e-4 && state.load < 0.02);
        rig_close(&r);
    }
    check_note("%s", "");
}

/* No memory in a tick, also of goals that come and go; the same ticks give the same bits. */
static void ticks_allocate_nothing(void) {
    double ends[2][MOST];
    for (int run = 0; run < 2; run++) {
        rig r;
        lb_frame goal;
        rig_open(&r, "models/iiwa14.fig", NULL);
        lb_servo_start(r.servo, r.pose, NULL, NULL);
        frame_at(&r, r.pose, &goal);
        const long before = allocations;
        for (int t = 0; t < 500; t++) {
            goal.position[0] += t % 100 ? 1e-4 : -0.2;
            lb_problem_move_goal(r.problem, r.id, &goal);
            lb_problem_enable(r.problem, r.id, t % 150 < 120);
            lb_servo_tick(r.servo, r.pose, NULL);
        }
        CHECK_INT(allocations, before);
        memcpy(ends[run], r.pose, sizeof ends[run]);
        rig_close(&r);
    }
    CHECK(memcmp(ends[0], ends[1], 7 * sizeof(double)) == 0);
}

int main(void) {
    braking_is_exact();
    starts_are_checked();
    jumps_settle();
    twists_move();
    stops_are_named();
    wishes_use_freedom();
    ticks_allocate_nothing();
    return check_done();
}
