/* Standing a legged figure up, and putting one on a base: the N-th allocation fails, for every N until the call succeeds. */
#include <limber/io.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "failing.h"

static const char dog[] = "<robot name=\"dog\"><link name=\"trunk\"><inertial><mass value=\"5\"/></inertial></link>"
#define LEG(n, x, y)                                                                                                   \
    "<link name=\"" n "a\"/><link name=\"" n "b\"><collision><origin xyz=\"0 0 -0.2\"/><geometry><sphere "             \
    "radius=\"0.02\"/></geometry></collision></link><joint name=\"" n "h\" type=\"revolute\"><parent link=\"trunk\"/>" \
    "<child link=\"" n "a\"/><origin xyz=\"" x " " y " 0\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" "     \
    "effort=\"50\" velocity=\"1\"/></joint><joint name=\"" n "k\" type=\"revolute\"><parent link=\"" n "a\"/>"         \
    "<child link=\"" n "b\"/><origin xyz=\"0 0 -0.2\"/><axis xyz=\"0 1 0\"/><limit lower=\"-2\" upper=\"0\" "          \
    "effort=\"50\" velocity=\"1\"/></joint>"
    LEG("p", "0.2", "0.1") LEG("q", "0.2", "-0.1") LEG("r", "-0.2", "0") "</robot>";

static void exhaust(int stand) {
    for (long n = 0;; n++) {
        failing memory;
        failing_init(&memory, n, 0);
        lb_load_options options;
        lb_error error = {0};
        lb_figure *figure = NULL;
        lb_load_options_defaults(&options);
        options.allocator = &memory.allocator;
        options.stand = stand;
        options.base = stand ? LB_BASE_FILE : LB_BASE_PLANAR;
        check_note("%s, allocation %ld fails", stand ? "standing" : "on a base", n);
        lb_status status = lb_figure_load_memory(dog, strlen(dog), "dog.urdf", &options, &figure, &error);
        CHECK_INT(status, memory.failed ? LB_ERROR_MEMORY : LB_OK);
        CHECK(!memory.failed || figure == NULL);
        lb_figure_destroy(figure);
        CHECK_INT(memory.blocks, 0);
        CHECK_INT(memory.mistakes, 0);
        if (!memory.failed) {
            CHECK(n > 10);
            return;
        }
    }
}

int main(void) {
    exhaust(1);
    exhaust(0);
    return check_done();
}
