/*
 * Either of several goals: constraints that share an any_of number are alternatives, and only the one that is nearest
 * to being met counts. Here a hand may take either handle of a cupboard; the figure does not say which. Which one
 * counted is in the result.
 *
 * A local solve takes what is near the start: when the near handle is taken away, the other one is left, and when both
 * are too far, the result is a minimum that says what keeps the hand from the nearer.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>

static int solve_and_tell(lb_solver *solver, const lb_problem *problem, const double *start, int count,
                          const char *what) {
    double pose[64];
    lb_result result;
    lb_result_defaults(&result);
    for (int i = 0; i < count; i++) {
        pose[i] = start[i];
    }
    if (lb_solver_solve(solver, NULL, pose, &result)) {
        return 1;
    }
    if (lb_solver_explain(solver, NULL, pose, &result)) {
        return 1; /* what would have to give way, and by how much */
    }
    printf("%s: ", what);
    for (int i = 0; i < result.constraint_count; i++) {
        if (result.constraints[i].counted) {
            printf("%s, %.1f cm away. ", lb_problem_constraint(problem, i)->name, 100 * result.constraints[i].distance);
        }
    }
    printf("%s\n", result.explanation);
    return 0;
}

int main(void) {
    const double handles[2][3] = {{0.45, -0.35, 1.2}, {0.45, 0.15, 1.2}};
    const char *names[2] = {"right handle", "left handle"};
    int id[2];
    double rest[64];
    lb_figure *human;
    if (lb_figure_load("models/human.fig", NULL, &human, NULL)) {
        return 1;
    }
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_problem_set_root_active(problem, 0, 0); /* the pelvis stays */
    for (int i = 0; i < 2; i++) {
        lb_constraint grasp;
        lb_constraint_at(human, "right_palm", handles[i], &grasp);
        grasp.name = names[i];
        grasp.any_of = 1; /* one set of alternatives; another set would have another number */
        id[i] = lb_problem_add(problem, &grasp);
        if (id[i] < 0) {
            return 1;
        }
    }
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_figure_rest_pose(human, rest);
    int count = lb_figure_variable_count(human), failed = 0;
    failed |= solve_and_tell(solver, problem, rest, count, "both there");
    lb_problem_enable(problem, id[0], 0);
    failed |= solve_and_tell(solver, problem, rest, count, "the right one gone");
    lb_problem_enable(problem, id[0], 1);
    lb_problem_move_goal(problem, id[0], &(lb_frame){{1.4, -0.35, 1.2}, {0, 0, 0, 1}});
    lb_problem_move_goal(problem, id[1], &(lb_frame){{1.6, 0.15, 1.2}, {0, 0, 0, 1}});
    failed |= solve_and_tell(solver, problem, rest, count, "both out of reach");
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
    return failed;
}
