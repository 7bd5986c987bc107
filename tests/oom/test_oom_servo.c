/* Servos when memory runs out: making one fails with an error and leaks nothing; a tick takes none; where constraints were
 * added and there is no memory for them, the tick fails and the servo goes on once there is. */
#include <limber/io.h>
#include <limber/servo.h>
#include <string.h>

#include "check.h"
#include "failing.h"

/* A body on a servo: making one fails with an error and leaks nothing, ticks take no memory, also where goals come and go. */
static void bodies_fail_as_well(void) {
    failing f;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_constraint c;
    lb_error error;
    char path[4096];
    double pose[64];
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&options);
    options.allocator = &f.allocator;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(lb_constraint_at(figure, "right_palm", (double[]){0.4, -0.2, 1.1}, &c) == LB_OK);
    const int id = lb_problem_add(problem, &c);
    REQUIRE(lb_problem_set_body(problem, 0, NULL) == LB_OK);
    const long blocks = f.blocks;
    lb_servo *servo = NULL;
    int failures = 0;
    for (long k = 0; !servo && k < 100; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        servo = lb_servo_create(problem, NULL, &error);
        if (!servo) {
            failures++;
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
        }
    }
    REQUIRE(servo != NULL);
    CHECK(failures >= 6); /* and the bodies, their kinematics, their rows */
    f.fail_at = -1;
    CHECK_INT(lb_servo_start(servo, pose, NULL, NULL), LB_OK);
    const long before = f.count;
    for (int t = 0; t < 50; t++) {
        CHECK_INT(lb_servo_tick(servo, pose, NULL), LB_OK);
        lb_problem_enable(problem, id, t % 20 < 15);
        CHECK(lb_servo_body(servo, 0) != NULL);
        CHECK_INT(lb_servo_correct(servo, pose, NULL, &error), LB_OK);
    }
    CHECK_INT(f.count, before);
    lb_servo_destroy(servo);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    CHECK_INT(f.mistakes, 0);
}

int main(void) {
    bodies_fail_as_well();
    failing f;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_constraint c;
    lb_error error;
    char path[4096];
    double pose[16];
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&options);
    options.allocator = &f.allocator;
    REQUIRE(check_source("models/ur5.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(lb_constraint_at(figure, "tool", (double[]){0.4, 0.2, 0.4}, &c) == LB_OK);
    const int id = lb_problem_add(problem, &c);
    const long blocks = f.blocks;
    lb_servo *servo = NULL;
    int failures = 0;
    for (long k = 0; !servo && k < 100; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        servo = lb_servo_create(problem, NULL, &error);
        if (!servo) {
            failures++;
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
        }
    }
    REQUIRE(servo != NULL);
    CHECK(failures >= 3); /* the object, its poses, the space, its arrays */
    f.fail_at = -1;
    CHECK_INT(lb_servo_start(servo, pose, NULL, NULL), LB_OK);
    const long before = f.count;
    for (int t = 0; t < 50; t++) {
        CHECK_INT(lb_servo_tick(servo, pose, NULL), LB_OK);
        lb_problem_enable(problem, id, t % 20 < 15);
    }
    CHECK_INT(f.count, before);

    c.effector.point[2] += 0.1;
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    double kept[16];
    memcpy(kept, pose, sizeof kept);
    lb_status status = LB_ERROR_MEMORY;
    for (long k = 0; status && k < 100; k++) {
        f.fail_at = f.count + k;
        status = lb_servo_tick(servo, pose, NULL);
        if (status) {
            CHECK_INT(status, LB_ERROR_MEMORY);
            CHECK(memcmp(kept, pose, sizeof kept) == 0);
        }
    }
    CHECK_INT(status, LB_OK);
    f.fail_at = -1;
    lb_servo_destroy(servo);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    CHECK_INT(f.mistakes, 0);
    return check_done();
}
