/* A drag: the right hand of a person is pulled up and ahead, frame by frame, while the left one stays where it is. */
#include <limber/drag.h>
#include <limber/io.h>
#include <stdio.h>

int main(void) {
    lb_figure *human = NULL;
    lb_constraint left;
    lb_drag_options options;
    lb_drag_state state;
    lb_frame target;
    double pose[64];
    if (lb_figure_load("models/human.fig", NULL, &human, NULL)) {
        return 1;
    }
    lb_figure_rest_pose(human, pose);
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_problem_set_body(problem, 0, NULL); /* stands, balances, steps */
    lb_constraint_keep(human, "left_palm", pose, &left);
    lb_problem_add(problem, &left);

    lb_drag_options_defaults(&options);
    lb_drag_state_defaults(&state);
    lb_figure_find_effector(human, "right_hand", &options.effector, NULL);
    lb_drag *drag = lb_drag_create(problem, pose, &options, NULL);
    lb_frame_identity(&target);
    for (int frame = 0; frame < 200 && !(frame > 40 && state.settled); frame++) {
        const double part = frame < 40 ? frame / 40.0 : 1;
        target.position[0] = 0.05 + 0.35 * part, target.position[1] = -0.25, target.position[2] = 0.85 + 0.5 * part;
        lb_drag_move(drag, &target, pose, &state);
    }
    lb_drag_end(drag, pose);
    printf("%s, %.1f mm from the target; balance %.1f cm inside\n", state.is_there ? "there" : "not there",
           1000 * state.miss, 100 * lb_drag_body(drag, 0)->margin);
    lb_drag_destroy(drag);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
    return !state.is_there;
}
