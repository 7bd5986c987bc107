/* Bodies on a servo: a person, a person made by calls and a legged robot on two feet, with hands at goals that go around, jump, are out of
 * reach and come back. At no tick does a contact leave its place or the centre of mass what it stands on, and no limit of velocity,
 * acceleration or range is exceeded. What is judged is measured here, by code that shares nothing with the servo. */
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "servo_rig.h"
#include "solve/servo/servo.h"

#define KEPT 1e-4 /* metres: a contact that is no farther off is kept */

/* --- Hands at moving frames -------------------------------------------------------------------------------------------- */

typedef enum way { WAY_SLOW, WAY_ROUND, WAY_JUMPS, WAY_FAR } way;

static void move_hands(servo_rig *r, way kind, int tick, uint64_t *seed) {
    const double s = 0.001 * tick;
    for (int i = 0; i < r->hand_count; i++) {
        lb_frame goal = r->rest[i];
        const double side = i ? 1 : -1, size = r->size;
        switch (kind) {
        case WAY_SLOW:
            goal.position[0] += size * 0.08 * (1 - cos(0.7 * s));
            goal.position[1] += side * size * 0.05 * sin(0.5 * s);
            goal.position[2] += size * 0.06 * sin(0.9 * s + i) - size * 0.06 * sin(i);
            break;
        case WAY_ROUND:
            goal.position[0] += size * (0.1 * (1 - cos(3 * s)) + 0.1 * (tick / 2000 % 2));
            goal.position[2] += size * 0.1 * sin(3 * s + i);
            break;
        default:
            if (tick % 700 == 0) {
                const double far = kind == WAY_FAR ? 3 : 0.5;
                for (int c = 0; c < 3; c++) {
                    r->jump[i][c] = far * size * (servo_uniform(seed) - 0.5);
                }
            }
            for (int c = 0; c < 3; c++) {
                goal.position[c] += r->jump[i][c];
            }
        }
        lb_problem_move_goal(r->problem, r->hands[i], &goal);
    }
}

static void run(servo_rig *r, way kind, int ticks, double most_lag) {
    uint64_t seed = 3 + (uint64_t)kind;
    servo_judge j;
    double lag = 0;
    memcpy(r->pose, r->start, sizeof r->pose);
    REQUIRE(lb_servo_start(r->servo, r->pose, NULL, &r->error) == LB_OK);
    servo_judge_begin(&j, r);
    for (int t = 0; t < ticks; t++) {
        move_hands(r, kind, t, &seed);
        REQUIRE(lb_servo_tick(r->servo, r->pose, &r->state) == LB_OK);
        servo_judge_tick(&j, r);
        lag = t > 500 ? fmax(lag, r->state.lag) : lag;
    }
    printf(
        "%s, way %d: feet within %.2g mm, balance at least %.1f mm, shares of limits %.9f, lag %.3g mm, %ld unsolved\n",
        r->name, kind, 1e3 * j.off, 1e3 * j.inside, j.worst, 1e3 * lag, r->servo->counts.unsolved);
    CHECK_INT(j.violations, 0);
    CHECK_INT(j.lost, 0);
    CHECK_INT(j.fallen, 0);
    CHECK(j.contacts >= 3);
    CHECK(lag <= most_lag);
    servo_judge_end(&j);
}

/* Somebody pushes: the measured pose is off, and moves. It goes back to where it stood and follows again, and no limit is exceeded on
 * the way from there. */
static void pushes_are_recovered_from(servo_rig *r) {
    const int pushes = check_count(6, 30);
    uint64_t seed = 11;
    servo_judge j;
    double worst = 0, farthest = 0;
    memcpy(r->pose, r->start, sizeof r->pose);
    REQUIRE(lb_servo_start(r->servo, r->pose, NULL, &r->error) == LB_OK);
    servo_judge_begin(&j, r);
    for (int push = 0, t = 0; push < pushes; push++) {
        double pose[SERVO_MOST], velocity[SERVO_MOST];
        check_note("%s, push %d", r->name, push);
        lb_servo_velocity(r->servo, velocity);
        for (int i = 0; i < r->n; i++) {
            const lb_variable *variable = lb_figure_variable(r->figure, i);
            const double most = i < 3 ? 0.02 * r->size : 0.03;
            pose[i] = r->pose[i] + most * (2 * servo_uniform(&seed) - 1);
            pose[i] = fmin(fmax(pose[i], variable->lower), variable->upper);
            velocity[i] += (i < 2 ? 0.3 * r->size : 0) * (2 * servo_uniform(&seed) - 1);
        }
        REQUIRE(lb_servo_correct(r->servo, pose, velocity, &r->error) == LB_OK);
        memcpy(r->pose, pose, sizeof r->pose);
        memcpy(j.q, pose, sizeof pose);
        lb_servo_velocity(r->servo, j.v); /* as far as limits let it be */
        lb_kinematics_update(r->kinematics, pose);
        for (int k = 0; k < 2000; k++, t++) {
            move_hands(r, WAY_SLOW, t, &seed);
            REQUIRE(lb_servo_tick(r->servo, r->pose, &r->state) == LB_OK);
            j.off = 0, j.inside = INFINITY;
            servo_judge_tick(&j, r);
            farthest = fmax(farthest, j.off);
        }
        CHECK_INT(j.violations, 0);
        CHECK(j.off < KEPT);
        CHECK(j.inside > 0);
        CHECK(r->state.lag < 1e-3 || r->state.hold == LB_SERVO_HOLD_BODY); /* limbs may be in the way by now */
        worst = fmax(worst, j.off);
    }
    check_note("%s", r->name);
    printf("%s: pushed by up to %.0f mm, feet within %.2g mm 2 s later\n", r->name, 1e3 * farthest, 1e3 * worst);
    CHECK(farthest > 0.01); /* else nobody was pushed */
}

/* Starts that are out of balance, feet that are to step and wishes of arms are refused, with the reason; the servo goes on. */
static void what_makes_no_sense_is_refused(servo_rig *r) {
    double pose[SERVO_MOST], before[SERVO_MOST];
    lb_body_options body;
    lb_servo_options options;
    lb_error error;
    memcpy(r->pose, r->start, sizeof r->pose);
    REQUIRE(lb_servo_start(r->servo, r->pose, NULL, &error) == LB_OK);
    REQUIRE(lb_servo_tick(r->servo, r->pose, NULL) == LB_OK);
    memcpy(before, r->pose, sizeof before);
    memcpy(pose, r->start, sizeof pose);
    pose[4] += 0.5; /* leaning ahead, stiff as a board */
    CHECK_INT(lb_servo_start(r->servo, pose, NULL, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "stand");
    memcpy(pose, r->start, sizeof pose);
    pose[2] += 0.3; /* in the air */
    CHECK_INT(lb_servo_start(r->servo, pose, NULL, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "without enough to stand on");
    REQUIRE(lb_servo_tick(r->servo, r->pose, NULL) == LB_OK);
    for (int i = 0; i < r->n; i++) {
        CHECK(fabs(r->pose[i] - before[i]) < 1e-3);
    }
    lb_servo_options_defaults(&options);
    options.manipulability = 1;
    CHECK(!lb_servo_create(r->problem, &options, &error));
    CHECK_HAS(error.message, "manipulability is a wish of arms");
    lb_body_options_defaults(&body);
    body.feet_modes[lb_figure_body(r->figure)->contacts[0].limb] = LB_FOOT_MODE_STEP;
    REQUIRE(lb_problem_set_body(r->problem, 0, &body) == LB_OK);
    CHECK(!lb_servo_create(r->problem, NULL, &error));
    CHECK_HAS(error.message, "a foot is to step");
    CHECK_INT(lb_servo_tick(r->servo, r->pose, NULL), LB_ERROR_UNSUPPORTED);
    REQUIRE(lb_problem_set_body(r->problem, 0, NULL) == LB_OK);
    CHECK_INT(lb_servo_tick(r->servo, r->pose, NULL), LB_OK);
}

static void set_priority(servo_rig *r, int priority) {
    lb_constraint c;
    REQUIRE(lb_constraint_at(r->figure, r->hand_names[1], r->rest[1].position, &c) == LB_OK);
    c.priority = priority;
    REQUIRE(lb_problem_change(r->problem, r->hands[1], &c) == LB_OK);
}

/* What the left hand is asked for in vain, two metres away, moves the right one by less than a millimetre: it is of a higher priority. */
static void hands_of_two_levels(servo_rig *r) {
    servo_judge j;
    lb_frame goal;
    set_priority(r, 1);
    memcpy(r->pose, r->start, sizeof r->pose);
    REQUIRE(lb_servo_start(r->servo, r->pose, NULL, &r->error) == LB_OK);
    servo_judge_begin(&j, r);
    for (int t = 0; t < 3000; t++) { /* the left hand is asked for what nobody reaches: the right one keeps its place */
        lb_kinematics_update(r->kinematics, r->pose);
        goal = r->rest[1];
        goal.position[0] += t > 1000 ? 2 * r->size : 0;
        lb_problem_move_goal(r->problem, r->hands[0], &r->rest[0]);
        lb_problem_move_goal(r->problem, r->hands[1], &goal);
        REQUIRE(lb_servo_tick(r->servo, r->pose, &r->state) == LB_OK);
        servo_judge_tick(&j, r);
        lb_effector effector;
        double at[9];
        if (lb_figure_find_effector(r->figure, r->hand_names[0], &effector, NULL) == LB_OK) {
            lb_kinematics_update(r->kinematics, r->pose);
            lb_kinematics_effector(r->kinematics, &effector, at);
            for (int c = 0; c < 3; c++) {
                CHECK(fabs(at[c] - r->rest[0].position[c]) < 1e-3);
            }
        }
    }
    CHECK_INT(j.violations + j.lost + j.fallen, 0);
    CHECK(r->state.hold != LB_SERVO_HOLD_NONE);
    set_priority(r, 0);
}

int main(void) {
    static const char *const names[] = {"human", "puppet", "robot"};
    const int ticks = check_count(4000, 20000);
    for (int i = 0; i < 3; i++) {
        servo_rig r;
        check_note("%s", names[i]);
        if (!servo_rig_open(&r, names[i])) {
            continue;
        }
        run(&r, WAY_SLOW, i == 0 ? 20000 : ticks, 1e-3);
        run(&r, WAY_ROUND, ticks, INFINITY);
        run(&r, WAY_JUMPS, ticks, INFINITY);
        run(&r, WAY_FAR, ticks, INFINITY);
        pushes_are_recovered_from(&r);
        hands_of_two_levels(&r);
        what_makes_no_sense_is_refused(&r);
        servo_rig_close(&r);
    }
    check_note("%s", "");
    return check_done();
}
