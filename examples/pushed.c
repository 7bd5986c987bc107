/*
 * A person stands on a servo and holds a tray: both palms follow a way at a thousand ticks a second. After two seconds somebody
 * pushes from behind: what is measured then is somewhere else, and moves. The servo goes on from there: back to where the feet stood,
 * and after the tray, within the limits of speed of every joint.
 */
#include <limber/io.h>
#include <limber/servo.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 64, TICKS = 5000, PUSH = 2000 };

int main(void) {
    static const char *const palms[2] = {"right_palm", "left_palm"};
    double pose[MOST], velocity[MOST], worst = 0;
    lb_figure *human;
    lb_error error;
    lb_constraint hold[2];
    lb_servo_state state;
    int ids[2], back = -1;
    lb_servo_state_defaults(&state);
    if (lb_figure_load("models/human.fig", NULL, &human, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_problem_set_body(problem, 0, NULL); /* feet stay, it balances, limbs stay apart: docs/body.md */
    for (int i = 0; i < 2; i++) {
        if (lb_constraint_at(human, palms[i], (double[]){0.35, i ? 0.2 : -0.2, 1.05}, &hold[i])) {
            return 1;
        }
        ids[i] = lb_problem_add(problem, &hold[i]);
    }
    lb_servo *servo = lb_servo_create(problem, NULL, &error);
    lb_figure_rest_pose(human, pose);
    if (!servo || lb_servo_start(servo, pose, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int tick = 0; tick < TICKS; tick++) {
        for (int i = 0; i < 2; i++) { /* the tray goes slowly from side to side */
            lb_frame goal = {{0.35, (i ? 0.2 : -0.2) + 0.1 * sin(0.0015 * tick), 1.05}, {0, 0, 0, 1}};
            lb_problem_move_goal(problem, ids[i], &goal);
        }
        if (tick == PUSH) {
            lb_servo_velocity(servo, velocity);
            pose[0] += 0.03;     /* root.x: three centimetres ahead, */
            velocity[0] += 0.25; /* and on, metres a second */
            lb_servo_correct(servo, pose, velocity, &error);
        }
        lb_servo_tick(servo, pose, &state);
        if (tick >= PUSH) {
            worst = fmax(worst, state.lag);
            back = state.lag > 1e-3 ? -1 : back < 0 ? tick - PUSH : back;
        }
    }
    const lb_body_result *body = lb_servo_body(servo, 0);
    printf("The push took the palms %.0f mm away; after %.1f s they are back, and stay there within %.3f mm.\n",
           1e3 * worst, 1e-3 * back, 1e3 * state.lag);
    printf("The centre of mass is %.0f mm inside of what stands.\n", 1e3 * body->margin);
    lb_servo_destroy(servo);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
    return back < 0;
}
