/*
 * What must be, and what would be nice: a lower priority never costs a higher one anything.
 *
 * The left hand holds a rail; the right hand should touch a lamp that is too far away. As two constraints of equal
 * weight the two hands share the error, and the left lets go of the rail. With the lamp at priority 1 the left hand
 * stays on the rail to a tenth of a millimetre, and the right comes as near as that allows.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>

int main(void) {
    double pose[64], rest[64];
    lb_figure *human;
    lb_constraint rail, lamp;
    if (lb_figure_load("models/human.fig", NULL, &human, NULL)) {
        return 1;
    }
    lb_constraint_at(human, "left_palm", (double[]){0.1, 0.75, 0.9}, &rail);
    lb_constraint_at(human, "right_palm", (double[]){0.4, -1.1, 1.9}, &lamp);
    rail.name = "rail";
    lamp.name = "lamp";

    lb_problem *problem = lb_problem_create(human, NULL);
    lb_problem_set_root_active(problem, 0, 0); /* the pelvis stays */
    int rail_id = lb_problem_add(problem, &rail), lamp_id = lb_problem_add(problem, &lamp);
    if (rail_id < 0 || lamp_id < 0) {
        return 1;
    }
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_figure_rest_pose(human, rest);
    for (int priority = 0; priority <= 1; priority++) {
        lb_result result;
        lb_result_defaults(&result);
        lamp.priority = priority;
        if (lb_problem_change(problem, lamp_id, &lamp)) {
            return 1;
        }
        for (int i = 0; i < lb_figure_variable_count(human); i++) {
            pose[i] = rest[i];
        }
        if (lb_solver_solve(solver, NULL, pose, &result)) {
            return 1;
        }
        printf("lamp at priority %d: rail missed by %.2f cm, lamp by %.2f cm; %s\n", priority,
               100 * result.constraints[0].distance, 100 * result.constraints[1].distance, result.explanation);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
    return 0;
}
