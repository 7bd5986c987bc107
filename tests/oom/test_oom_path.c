/* Paths when memory runs out: making one fails with an error and leaks nothing, whichever allocation fails. */
#include <limber/io.h>
#include <limber/path.h>
#include <string.h>

#include "check.h"
#include "failing.h"

int main(void) {
    failing f;
    lb_load_options load;
    lb_path_options options;
    lb_path_result result;
    lb_figure *figure = NULL;
    lb_effector effector;
    lb_error error;
    char path[4096];
    const lb_frame line[2] = {{{0.4, -0.05, 0.4}, {1, 0, 0, 0}}, {{0.4, 0.05, 0.4}, {1, 0, 0, 0}}};
    failing_init(&f, -1, 0);
    lb_load_options_defaults(&load);
    load.allocator = &f.allocator;
    REQUIRE(check_source("models/ur5.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, &load, &figure, &error) == LB_OK);
    REQUIRE(lb_figure_find_effector(figure, "tool", &effector, &error) == LB_OK);
    lb_path_options_defaults(&options);
    lb_path_result_defaults(&result);
    options.ways = 4;
    const long blocks = f.blocks;
    lb_path *made = NULL;
    int failures = 0;
    for (long k = 0; !made && k < 200; k++) {
        f.fail_at = f.count + k;
        memset(&error, 0, sizeof error);
        made = lb_path_create(figure, &effector, 2, line, &options, &error);
        if (!made) {
            CHECK_INT(error.status, LB_ERROR_MEMORY);
            CHECK_INT(f.blocks, blocks);
            failures++;
        }
    }
    REQUIRE(made != NULL);
    CHECK(failures > 10);
    CHECK_INT(lb_path_get(made, &result), LB_OK);
    CHECK_INT(result.end, LB_PATH_END_NONE);
    lb_path_destroy(made);
    CHECK_INT(f.blocks, blocks);
    CHECK_INT(f.mistakes, 0);
    lb_figure_destroy(figure);
    return check_done();
}
