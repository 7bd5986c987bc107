/* Drags when memory runs out: taking hold fails with an error, leaks nothing and leaves the problem as it was; a frame that has no
 * memory says so, and the drag goes on once there is. */
#include <limber/drag.h>
#include <limber/io.h>
#include <string.h>

#include "check.h"
#include "failing.h"

static void drag_on(failing *f, lb_drag *drag, lb_frame *target, double *pose) {
    lb_drag_state state;
    int failures = 0;
    lb_drag_state_defaults(&state);
    for (int t = 0; t < 60; t++) {
        f->fail_at = t % 3 ? -1 : f->count + t / 6; /* a body's thoughts, and what it gets back from them, take some */
        target->position[2] += 0.01;
        const lb_status status = lb_drag_move(drag, target, pose, &state);
        CHECK(status == LB_OK || status == LB_ERROR_MEMORY);
        failures += status != LB_OK;
    }
    f->fail_at = -1;
    for (int t = 0; t < 80 && !state.settled; t++) {
        CHECK_INT(lb_drag_move(drag, target, pose, &state), LB_OK);
    }
    CHECK(state.settled);
    CHECK_INT(lb_drag_end(drag, pose), LB_OK);
}

int main(void) {
    failing f;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_constraint c;
    lb_drag_options o;
    lb_frame target, hand;
    lb_error error;
    char path[4096];
    double pose[128];
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&options);
    options.allocator = &f.allocator;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    lb_problem *problem = lb_problem_create(figure, NULL);
    REQUIRE(lb_problem_set_body(problem, 0, NULL) == LB_OK);
    REQUIRE(lb_constraint_keep(figure, "left_palm", pose, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) > 0);
    lb_drag_options_defaults(&o);
    REQUIRE(lb_figure_find_effector(figure, "right_hand", &o.effector, &error) == LB_OK);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_kinematics_update(k, pose);
    lb_kinematics_segment(k, o.effector.segment, &hand);
    lb_kinematics_destroy(k);

    const long blocks = f.blocks;
    lb_drag *drag = NULL;
    int failures = 0;
    for (long n = 0; !drag && n < 200; n++) {
        f.fail_at = f.count + n;
        drag = lb_drag_create(problem, pose, &o, &error);
        if (!drag) {
            failures++;
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(lb_problem_constraint_count(problem), 1);
            CHECK(f.blocks <= blocks + 2); /* the problem may have grown */
        }
    }
    f.fail_at = -1;
    REQUIRE(drag != NULL);
    CHECK(failures >= 4); /* the object, its arrays, the kinematics, the solver */
    target = hand;
    drag_on(&f, drag, &target, pose);
    lb_drag_destroy(drag);
    CHECK_INT(lb_problem_constraint_count(problem), 1);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    CHECK_INT(f.mistakes, 0);
    return check_done();
}
