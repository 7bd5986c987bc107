/* Collisions when memory runs out: setting them fails and leaves what was; a solver is made or not; a solve takes no memory. */
#include <limber/collisions.h>
#include <limber/io.h>
#include <limber/servo.h>
#include <string.h>

#include "check.h"
#include "failing.h"

int main(void) {
    failing f;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_constraint c;
    lb_error error;
    lb_result result;
    char path[4096];
    double pose[16];
    static const double points[5][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {0.1, 0.1, 0.1}};
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&options);
    options.allocator = &f.allocator;
    REQUIRE(check_source("models/panda.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(lb_constraint_at(figure, "tool", (double[]){0.4, 0.2, 0.4}, &c) == LB_OK &&
            lb_problem_add(problem, &c) >= 0);
    lb_collisions apart;
    lb_solid solid = {"stone", {0}};
    lb_collisions_defaults(&apart);
    lb_shape_defaults(&solid.shape);
    solid.shape.kind = LB_SHAPE_HULL;
    solid.shape.vertex_count = 5;
    solid.shape.vertices = points;
    apart.solid_count = 1;
    apart.solids = &solid;
    apart.samples = 20;
    const long blocks = f.blocks;
    lb_status status = LB_ERROR_MEMORY;
    int failures = 0;
    for (long k = 0; status && k < 500; k++) {
        f.fail_at = f.count + k;
        status = lb_problem_set_collisions(problem, &apart);
        if (status) {
            failures++;
            CHECK_INT(status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
            CHECK_INT(lb_problem_pair_count(problem), 0);
        }
    }
    CHECK_INT(status, LB_OK);
    CHECK(failures > 10);
    CHECK(lb_problem_pair_count(problem) > 0);
    const long kept = f.blocks;
    lb_solver *solver = NULL;
    for (long k = 0; !solver && k < 500; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        solver = lb_solver_create(problem, &error);
        if (!solver) {
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, kept);
        }
    }
    REQUIRE(solver != NULL);
    f.fail_at = -1;
    const long before = f.count;
    lb_result_defaults(&result);
    for (int i = 0; i < 5; i++) {
        lb_problem_move_goal(problem, lb_problem_constraint_id(problem, 0),
                             &(lb_frame){{0.1 * i, 0, 0.2}, {0, 0, 0, 1}});
        CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
        CHECK(lb_solver_near_pairs(solver, pose, 0.1, 0, NULL) >= 0);
    }
    CHECK_INT(f.count, before);
    lb_solver_destroy(solver);
    lb_servo *servo = NULL;
    for (long k = 0; !servo && k < 500; k++) {
        f.fail_at = f.count + k;
        servo = lb_servo_create(problem, NULL, &error);
        if (!servo) {
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, kept);
        }
    }
    REQUIRE(servo != NULL);
    f.fail_at = -1;
    lb_figure_rest_pose(figure, pose);
    CHECK_INT(lb_servo_start(servo, pose, NULL, NULL), LB_OK);
    const long started = f.count;
    int is_held = 0;
    for (int i = 0; i < 2000; i++) {
        lb_servo_state state;
        lb_servo_state_defaults(&state);
        CHECK_INT(lb_servo_tick(servo, pose, &state), LB_OK);
        is_held |= state.hold == LB_SERVO_HOLD_COLLISION;
    }
    CHECK(is_held); /* so that all of it was at work */
    CHECK_INT(f.count, started);
    lb_servo_destroy(servo);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    return check_done();
}
