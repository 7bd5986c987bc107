/*
 * A goal that moves: one solver, warm-started frame by frame, in tracking mode.
 *
 * Panda's tool draws an upright figure of eight in the air, keeping its orientation: 240 frames, once around. Each
 * solve starts from the last answer; `tracking` asks to stay on its branch, so that no joint jumps, and moving the goal
 * (lb_problem_move_goal) and solving allocate nothing. What is printed: how well the goal was met in the worst frame,
 * and the fastest joint.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>

enum { FRAMES = 240, MOST = 16 };

int main(void) {
    double pose[MOST], last[MOST], first[MOST] = {0}, worst = 0, fastest = 0;
    int unmet = 0, iterations = 0;
    lb_figure *panda;
    lb_constraint hold;
    lb_frame start, goal;
    lb_solve_options options;
    if (lb_figure_load("models/panda.fig", NULL, &panda, NULL)) {
        return 1;
    }
    int count = lb_figure_variable_count(panda);
    lb_figure_rest_pose(panda, pose);

    lb_kinematics *kinematics = lb_kinematics_create(panda, NULL);
    lb_kinematics_update(kinematics, pose);
    lb_kinematics_site(kinematics, lb_figure_find_site(panda, "tool"), &start);
    lb_kinematics_destroy(kinematics);

    lb_problem *problem = lb_problem_create(panda, NULL);
    lb_constraint_frame(panda, "tool", &start, &hold);
    int id = lb_problem_add(problem, &hold);
    lb_solver *solver = lb_solver_create(problem, NULL);
    if (id < 0 || !solver) {
        return 1;
    }
    lb_solve_options_defaults(&options);
    options.tracking = 1;

    for (int frame = 0; frame <= FRAMES; frame++) {
        double t = 6.283185307179586 * frame / FRAMES;
        lb_result result;
        lb_result_defaults(&result);
        goal = start;
        goal.position[1] += 0.25 * sin(t);
        goal.position[2] += 0.12 * sin(2 * t);
        for (int i = 0; i < count; i++) {
            last[i] = pose[i];
        }
        if (lb_problem_move_goal(problem, id, &goal) || lb_solver_solve(solver, &options, pose, &result)) {
            return 1;
        }
        unmet += result.outcome != LB_OUTCOME_SOLVED;
        iterations += result.iterations;
        if (result.constraints[0].distance > worst) {
            worst = result.constraints[0].distance;
        }
        for (int i = 0; i < count; i++) {
            if (frame == 0) {
                first[i] = pose[i];
            } else if (fabs(pose[i] - last[i]) > fastest) {
                fastest = fabs(pose[i] - last[i]);
            }
        }
    }
    double drift = 0; /* the goal is back where it began; with one joint to spare, the arm need not quite be */
    for (int i = 0; i < count; i++) {
        if (fabs(pose[i] - first[i]) > drift) {
            drift = fabs(pose[i] - first[i]);
        }
    }
    printf("%d frames, %d not solved, %.1f iterations each\n", FRAMES, unmet, (double)iterations / (FRAMES + 1));
    printf("worst distance %.6f mm, fastest joint %.2f deg a frame, %.1f deg from where it began\n", 1000 * worst,
           fastest * 57.29578, drift * 57.29578);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(panda);
    return unmet != 0;
}
