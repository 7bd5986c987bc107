/*
 * A goal of your own: any potential P(e) >= 0 with its gradient.
 *
 * A robot polishes a dish z = c + k (x^2 + y^2), a shape that no built-in goal has. The tool's tip must be on the
 * surface and its axis must point straight into it. The potential knows nothing of robots: it is given e = (r, x, y),
 * the end-effector's point and two of its directions, and says how far that is from what is wanted.
 *
 * Before trusting a potential, hold its gradient against differences of its value, as check_gradient does.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>

typedef struct dish {
    double bottom, curvature; /* metres, 1/metre */
} dish;

/* P = (height of the tip over the dish)^2 + |x - inward|^2 / 4, inward the dish's unit normal below the tip, pointing
 * in. */
static double polish(void *context, const double e[9], double gradient[9]) {
    const dish *d = context;
    double k = d->curvature, over = e[2] - d->bottom - k * (e[0] * e[0] + e[1] * e[1]);
    double n[3] = {2 * k * e[0], 2 * k * e[1], -1}, length = sqrt(n[0] * n[0] + n[1] * n[1] + 1), off[3],
           value = over * over;
    for (int i = 0; i < 3; i++) {
        off[i] = e[3 + i] - n[i] / length;
        value += 0.25 * off[i] * off[i];
        gradient[3 + i] = 0.5 * off[i];
        gradient[i] = gradient[6 + i] = 0;
    }
    /* by the point: over changes with all three coordinates, the normal with x and y */
    for (int j = 0; j < 2; j++) {
        gradient[j] = -4 * k * e[j] * over;
        for (int i = 0; i < 3; i++) {
            double change = (i == j ? 2 * k / length : 0) - n[i] * n[j] * 2 * k / (length * length * length);
            gradient[j] -= 0.5 * off[i] * change;
        }
    }
    gradient[2] = 2 * over;
    return value;
}

/* The largest difference between the gradient and central differences. */
static double check_gradient(lb_potential potential, void *context, const double e[9]) {
    double gradient[9], ignored[9], worst = 0;
    potential(context, e, gradient);
    for (int i = 0; i < 9; i++) {
        double a[9], b[9], h = 1e-6;
        for (int k = 0; k < 9; k++) {
            a[k] = b[k] = e[k];
        }
        a[i] -= h;
        b[i] += h;
        double slope = (potential(context, b, ignored) - potential(context, a, ignored)) / (2 * h);
        if (fabs(slope - gradient[i]) > worst) {
            worst = fabs(slope - gradient[i]);
        }
    }
    return worst;
}

int main(void) {
    dish bowl = {0.1, 0.6};
    double e[9] = {0.4, 0.2, 0.5, 0.6, 0, -0.8, 0, 1, 0}, pose[16], at[9], slope[9];
    printf("gradient and differences agree to %.0e\n", check_gradient(polish, &bowl, e));

    lb_figure *panda;
    lb_constraint tool, line;
    lb_result result;
    lb_result_defaults(&result);
    if (lb_figure_load("models/panda.fig", NULL, &panda, NULL)) {
        return 1;
    }
    lb_constraint_at(panda, "tool", (double[]){0, 0, 0}, &tool); /* the tool as end-effector; its goal is replaced: */
    tool.name = "polishing";
    tool.goal.kind = LB_GOAL_CUSTOM;
    tool.goal.potential = polish;
    tool.goal.context = &bowl;
    tool.tolerance[0] = 1e-4; /* met when P <= tolerance^2 */
    for (int i = 0; i < 3;
         i++) { /* the tool's z axis, not its x, is what polishes: the effector's x is ours to choose */
        lb_frame frame = lb_figure_site(panda, lb_figure_find_site(panda, "tool"))->frame;
        double m[9];
        lb_rotation_to_matrix(frame.rotation, m);
        tool.effector.x[i] = m[3 * i + 2];
        tool.effector.y[i] = m[3 * i];
    }
    lb_constraint_at(panda, "tool", (double[]){0.45, 0.2, 0},
                     &line); /* and above this spot: a built-in goal beside it */
    line.name = "spot";
    line.goal.kind = LB_GOAL_LINE; /* through the point, along z */
    line.goal.normal[2] = 1;

    lb_problem *problem = lb_problem_create(panda, NULL);
    if (lb_problem_add(problem, &tool) < 0 || lb_problem_add(problem, &line) < 0) {
        fprintf(stderr, "%s\n", lb_problem_error(problem)->message);
        return 1;
    }
    lb_figure_rest_pose(panda, pose);
    if (lb_solve(problem, NULL, pose, &result)) {
        return 1;
    }
    lb_kinematics *kinematics = lb_kinematics_create(panda, NULL);
    lb_kinematics_update(kinematics, pose);
    lb_kinematics_effector(kinematics, &tool.effector, at);
    printf("%s\n", result.explanation);
    printf("P = %.1e, tip at %.4f %.4f %.4f m, %.4f m above the dish\n", polish(&bowl, at, slope), at[0], at[1], at[2],
           at[2] - bowl.bottom - bowl.curvature * (at[0] * at[0] + at[1] * at[1]));
    lb_kinematics_destroy(kinematics);
    lb_problem_destroy(problem);
    lb_figure_destroy(panda);
    return result.outcome != LB_OUTCOME_SOLVED;
}
