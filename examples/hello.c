/* The right hand to a cup, the eyes on it: the calls everyone needs. Each refuses NULL, if one before it failed. */
#include <limber/io.h>
#include <stdio.h>

int main(void) {
    const double cup[3] = {0.5, -0.1, 1.3}; /* metres: x ahead, y to the left, z up */
    double pose[64];                        /* at least lb_figure_variable_count(human) */
    lb_figure *human;
    lb_constraint reach, look;
    lb_result result;
    lb_result_defaults(&result);
    lb_figure_load("models/human.fig", NULL, &human, NULL);
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_problem_set_root_active(problem, 0, 0); /* stay where you stand */
    lb_figure_rest_pose(human, pose);
    if (!lb_constraint_at(human, "right_palm", cup, &reach) && !lb_constraint_aim(human, "gaze", cup, &look) &&
        lb_problem_add(problem, &reach) > 0 && lb_problem_add(problem, &look) > 0 &&
        !lb_solve(problem, NULL, pose, &result)) { /* pose: the start in, the answer out */
        printf("%s (%d iterations); ", result.explanation, result.iterations);
        printf("right elbow at %.1f deg\n", pose[lb_figure_find_variable(human, "right_elbow")] * 57.29578);
    }
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
    return result.outcome != LB_OUTCOME_SOLVED;
}
