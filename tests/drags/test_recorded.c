/* Drags as they were recorded when the Studio's JavaScript did them: the same targets give the same poses to 1e-9. */
#include "drags.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static double difference(const double *a, const double *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void replay(drags_case *c) {
    lb_error error;
    lb_drag_state state;
    double pose[DRAGS_VARIABLES], worst = 0;
    int compared = 0, first = -1;
    lb_drag_state_defaults(&state);
    lb_drag *drag = lb_drag_create(c->problem, lb_problem_file_start(c->file), &c->options, &error);
    if (!drag) {
        fprintf(stderr, "%s: %s\n", c->name, error.message);
    }
    REQUIRE(drag != NULL);
    for (int i = 0; i < c->count; i++) {
        REQUIRE(lb_drag_move(drag, &c->frames[i].target, pose, &state) == LB_OK);
        if (c->frames[i].has_pose) {
            const double off = difference(pose, c->frames[i].pose, c->variables);
            first = first < 0 && off > 1e-9 ? i : first;
            worst = fmax(worst, off);
            compared++;
        }
    }
    check_note("%s: %d frames, %d poses compared, %.2g apart, first in frame %d", c->name, c->count, compared, worst,
               first);
    printf("%s: %d frames, %d poses compared, %.2g apart, first in frame %d\n", c->name, c->count, compared, worst,
           first);
    CHECK(compared > 2 && worst <= 1e-9);
    CHECK_INT(state.settled, c->settled);
    lb_drag_destroy(drag);
}

int main(void) {
    static drags_case c;
    for (int i = 0; drags_names[i]; i++) {
        drags_read(&c, drags_names[i]);
        replay(&c);
        drags_free(&c);
    }
    return check_done();
}
