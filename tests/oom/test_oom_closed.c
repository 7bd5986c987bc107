/* Closed forms when memory runs out: making one fails with an error and leaks nothing; solving takes no memory. */
#include <limber/io.h>
#include <string.h>

#include "check.h"
#include "failing.h"

int main(void) {
    failing f;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_effector tool;
    lb_error error;
    char path[4096];
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&options);
    options.allocator = &f.allocator;
    REQUIRE(check_source("models/ur5.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, &error) == LB_OK);
    REQUIRE(lb_figure_find_effector(figure, "tool", &tool, &error) == LB_OK);
    const long blocks = f.blocks;
    lb_closed *closed = NULL;
    int failures = 0;
    for (long k = 0; !closed && k < 100; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        closed = lb_closed_create(figure, &tool, NULL, &error);
        if (!closed) {
            failures++;
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
        }
    }
    REQUIRE(closed != NULL);
    CHECK(failures >= 3); /* the object, its pose, the nodes of the chain, kinematics */
    f.fail_at = -1;
    const long before = f.count;
    const lb_frame goal = {{0.4, 0.2, 0.4}, {1, 0, 0, 0}};
    const double start[6] = {0};
    lb_closed_result result;
    lb_closed_result_defaults(&result);
    CHECK_INT(lb_closed_solve(closed, &goal, start, &result), LB_OK);
    CHECK_INT(result.count, 8);
    CHECK_INT(f.count, before);
    lb_closed_destroy(closed);
    CHECK_INT(f.blocks, blocks);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    CHECK_INT(f.mistakes, 0);
    return check_done();
}
