/* A hand that lets go of a body which is on its way to another way to stand: the body arrives there, and stands. */
#include "drags.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

/* Lets go after so many frames. Returns whether the body was under way. */
static int let_go(drags_case *c, int frames) {
    lb_drag_state state;
    lb_result looked;
    double pose[DRAGS_VARIABLES], end[DRAGS_VARIABLES];
    lb_drag_state_defaults(&state);
    lb_result_defaults(&looked);
    lb_drag *drag = lb_drag_create(c->problem, lb_problem_file_start(c->file), &c->options, NULL);
    REQUIRE(drag != NULL);
    for (int i = 0; i < frames; i++) {
        REQUIRE(lb_drag_move(drag, &c->frames[i].target, pose, &state) == LB_OK);
    }
    const int was_gliding = state.gliding;
    CHECK_INT(lb_drag_end(drag, end), LB_OK);
    const lb_body_result *body = lb_drag_body(drag, 0);
    check_note("%s let go after %d frames", c->name, frames);
    CHECK(body && body->margin > -0.002 && body->overlap < 0.002);
    CHECK_INT(memcmp(pose, end, (size_t)c->variables * sizeof *end) != 0, was_gliding);
    lb_drag_destroy(drag);
    return was_gliding;
}

int main(void) {
    static drags_case c;
    int gliding = 0;
    drags_read(&c, "hand-far");
    for (int frames = 1; frames <= c.count; frames += 3) {
        gliding += let_go(&c, frames);
    }
    CHECK(gliding > 2);
    drags_free(&c);
    return check_done();
}
