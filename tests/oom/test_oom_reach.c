/* Workspaces when memory runs out: making one fails with an error and leaks nothing; asking takes no memory. */
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
    lb_reach_options coarse;
    lb_reach_options_defaults(&coarse);
    coarse.spacing = 0.1;
    lb_reach *reach = NULL;
    int failures = 0;
    for (long k = 0; !reach && k < 100; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        reach = lb_reach_create(figure, &tool, &coarse, &error);
        if (!reach) {
            failures++;
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
        }
    }
    REQUIRE(reach != NULL);
    CHECK(failures >= 10); /* the object, its chain, kinematics, zones, grids, what is inside */
    f.fail_at = -1;
    const long before = f.count;
    const lb_frame goal = {{0.4, 0.2, 0.4}, {1, 0, 0, 0}};
    lb_reach_answer answer;
    lb_reach_answer_defaults(&answer);
    CHECK_INT(lb_reach_point(reach, goal.position, &answer), LB_OK);
    CHECK_INT(lb_reach_frame(reach, &goal, &answer), LB_OK);
    CHECK(answer.verdict != LB_REACH_OUTSIDE);
    CHECK_INT(f.count, before);
    lb_reach_destroy(reach);
    CHECK_INT(f.blocks, blocks);
    lb_figure_destroy(figure);
    CHECK_INT(f.blocks, 0);
    CHECK_INT(f.mistakes, 0);
    return check_done();
}
